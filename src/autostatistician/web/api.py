"""Reports over HTTP for programs, beside the page and within its limits: ``/api``.

Programs are known by a key in a header of its own, never by a cookie, and bring tables as plain bodies: no page of
another site can make a browser send either.
"""

from __future__ import annotations

import asyncio
import json
import re
import secrets
import sqlite3
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from importlib.metadata import version
from pathlib import Path
from tempfile import SpooledTemporaryFile
from typing import Any, BinaryIO, cast

from starlette.applications import Starlette
from starlette.datastructures import UploadFile
from starlette.exceptions import HTTPException
from starlette.requests import ClientDisconnect, Request
from starlette.responses import FileResponse, JSONResponse, Response
from starlette.routing import Route

from autostatistician.errors import InputError, WriteError, shortened
from autostatistician.forms import COMPUTED, QUESTIONS
from autostatistician.i18n.messages import LANGUAGE_NAMES, message
from autostatistician.report.jsonform import schema
from autostatistician.web.pool import Job, WorkerPool
from autostatistician.web.queue import RunQueue, Slots, Uploads
from autostatistician.web.safety import CONTENT_POLICY, address_of, is_from_here
from autostatistician.web.search_job import DOWNLOAD_TYPES
from autostatistician.web.store import RunState, Store, StoredRun
from autostatistician.web.tables import LANGUAGE_WORDS, TASK_WORDS, Bounds, check_no_file, chosen, preview

__all__ = ["MOST_ANSWERS", "Api"]


Json = dict[str, Any]

ANSWER_SECONDS = 120.0  # seconds

MOST_ANSWERS = 3  # at a time

SPOOLED_BYTES = 2**20  # bytes of a table that are held in memory; larger ones wait on the disk

FORMS = ("application/x-www-form-urlencoded", "multipart/form-data", "text/plain")  # that any page may send

GIVEN = {"at": "at", "against": "against", "from": "start", "to": "stop", "set": "change", "sum": "sum_by"}
THRESHOLDS = ("above", "below")

ASKING = message("Other questions are being answered just now. Try again in a minute.")

BUSY = "As many searches wait already as can. Try again in some minutes."


@dataclass
class Api:
    """The API of a server; ``progress`` says where a run stands."""

    store: Store
    queue: RunQueue
    pool: WorkerPool
    uploads: Uploads
    bounds: Bounds
    progress: Callable[[StoredRun], dict[str, Any]]
    asking: Slots = field(default_factory=lambda: Slots(MOST_ANSWERS, ASKING), init=False)

    def app(self) -> Starlette:
        """Its routes, as an application of their own whose errors are JSON."""
        routes = [
            Route("/", self.describe),
            Route("/reports", self.begin, methods=["POST"]),
            Route("/reports/{id}", self.state),
            Route("/reports/{id}", self.remove, methods=["DELETE"]),
            Route("/reports/{id}/stop", self.stop, methods=["POST"]),
            Route("/reports/{id}/answers/{question}", self.answer),
            Route("/reports/{id}/files/{file}", self.file),
        ]
        handlers = {HTTPException: _refused, InputError: _refused, ClientDisconnect: _refused}
        handlers |= {WriteError: _full, sqlite3.OperationalError: _full, Exception: _broken}
        return Starlette(routes=routes, exception_handlers=handlers)

    async def describe(self, request: Request) -> Response:
        """The OpenAPI document."""
        return JSONResponse(openapi(self.bounds))

    async def begin(self, request: Request) -> Response:
        """Take a table, look at it, and put its search into the queue."""
        _check_sender(request)
        kind = request.headers.get("content-type", "").partition(";")[0].strip().lower()
        if not kind or kind in FORMS:
            raise HTTPException(415, "Send the table itself as the body, with content-type text/csv.")
        visitor, address = _visitor(request) or secrets.token_urlsafe(16), address_of(request)
        name = request.query_params.get("name", "table.csv")
        async with self._body(request) as body, self.uploads.slot(address):
            run = await self.uploads.taken(visitor, address, name, await body.read())
        try:
            settings = self._settings(request, preview(self.store.place(run.id)))
            if not await self.queue.add(run, settings):
                raise HTTPException(503, BUSY, {"retry-after": "120"})
        except BaseException:
            await asyncio.to_thread(self.store.remove, run.id)
            raise
        said = self._state(await self._run(run.id)) | {"key": visitor}
        return JSONResponse(said, 202, {"location": f"/api/reports/{run.id}"})

    @asynccontextmanager
    async def _body(self, request: Request) -> AsyncIterator[UploadFile]:
        """The table that is sent, on the disk while it waits: those of many would not fit into memory."""
        with SpooledTemporaryFile(SPOOLED_BYTES) as file:
            body = UploadFile(cast(BinaryIO, file), size=0)
            async for chunk in request.stream():
                await body.write(chunk)
                if (body.size or 0) > self.bounds.megabytes * 10**6:
                    raise HTTPException(413, f"The table is larger than {self.bounds.megabytes} MB.")
            await body.seek(0)
            yield body

    def _settings(self, request: Request, preview: Mapping[str, Any]) -> dict[str, Any]:
        """What is asked for, as the answers of the form of the page, which names columns and values by their places."""
        query, form = request.query_params, dict[str, object]()
        for role in ("time", "target"):
            if query.get(role):
                form[role] = str(_place(preview["columns"], query[role], f"a column for the {role}"))
        form |= {
            name: query[name] for name in ("task", "language", "depth", "budget", "steps", "lang") if query.get(name)
        }
        offered = preview.get("where", {})
        for pair in query.getlist("where"):
            column, _, value = pair.partition("=")
            key = _place(list(offered), column, "a column of keys for 'where'")
            form[f"where{key}"] = str(_place(offered[column], value, f"a value of {column!r}"))
        return chosen(form, preview, self.bounds)

    async def state(self, request: Request) -> Response:
        """Where a report stands."""
        return JSONResponse(self._state(await self._run(request.path_params["id"])))

    def _state(self, run: StoredRun) -> dict[str, Any]:
        progress = {key: value for key, value in self.progress(run).items() if key != "drawn"}
        files = [name for name in DOWNLOAD_TYPES if run.state is RunState.DONE and self._path(run, name).exists()]
        return {"id": run.id, "name": run.name, "message": run.message, "files": files, **progress}

    async def stop(self, request: Request) -> Response:
        """End a search with the best model so far."""
        run = await self._own(request)
        if run.state in (RunState.WAITING, RunState.RUNNING):
            self.queue.stop(run.id)
        return JSONResponse(self._state(run))

    async def remove(self, request: Request) -> Response:
        """Forget a report that is not being worked on."""
        run = await self._own(request)
        if run.state in (RunState.WAITING, RunState.RUNNING):
            raise HTTPException(409, "This search is not done; stop it first.")
        await asyncio.to_thread(self.store.remove, run.id)
        return Response(status_code=204)

    async def answer(self, request: Request) -> Response:
        """The answer of the model of a finished report."""
        run, question = await self._done(request), request.path_params["question"]
        if question not in (*QUESTIONS, *COMPUTED):
            raise HTTPException(404, f"The questions are {', '.join((*QUESTIONS, *COMPUTED))}.")
        given: dict[str, Any] = {
            ours: request.query_params[name] for name, ours in GIVEN.items() if request.query_params.get(name)
        }
        if "change" in given:
            check_no_file(given["change"])
        given |= {name: _number(request, name) for name in THRESHOLDS if request.query_params.get(name)}
        asked = {"place": str(self.store.place(run.id)), "lang": run.lang, "steps": self.bounds.steps}
        asked |= {"question": question, "given": given}
        async with self.asking.slot(address_of(request)):
            return JSONResponse(await self.pool.run(Job("ask", asked, ANSWER_SECONDS)))

    async def file(self, request: Request) -> Response:
        """A file of a finished report."""
        run, name = await self._done(request), request.path_params["file"]
        if name not in DOWNLOAD_TYPES or not self._path(run, name).exists():
            raise HTTPException(404, "There is no such file.")
        headers = {"content-security-policy": CONTENT_POLICY}
        return FileResponse(self._path(run, name), media_type=DOWNLOAD_TYPES[name], headers=headers, filename=name)

    def _path(self, run: StoredRun, name: str) -> Any:
        return self.store.place(run.id) / name

    async def _run(self, name: str) -> StoredRun:
        run = await asyncio.to_thread(self.store.get, name)
        if run is None:
            raise HTTPException(404, "There is no such report. Reports are known by their whole id alone.")
        return run

    async def _done(self, request: Request) -> StoredRun:
        run = await self._run(request.path_params["id"])
        if run.state is not RunState.DONE:
            raise HTTPException(409, f"This report is not there: it is {run.state}.")
        return run

    async def _own(self, request: Request) -> StoredRun:
        _check_sender(request)
        run = await self._run(request.path_params["id"])
        if not self.store.owns(_visitor(request), run):
            raise HTTPException(403, "Give the key that came with this report as X-Visitor.")
        return run


def _visitor(request: Request) -> str:
    """The key that a program gives; "" where there is none of our shape."""
    visitor = request.headers.get("x-visitor", "")
    return visitor if re.fullmatch(r"[A-Za-z0-9_-]{22}", visitor) else ""


def _check_sender(request: Request) -> None:
    """Refuse what a page of another site sends."""
    if not is_from_here(request):
        raise HTTPException(403, "Pages of other sites cannot use this server.")


def _number(request: Request, name: str) -> float:
    """A parameter that is a number."""
    text = request.query_params[name]
    try:
        return float(text)
    except ValueError:
        raise InputError.of(f"a number for '{name}'", repr(text[:40]), "correct it") from None


def _place(names: list[str], name: str, what: str) -> int:
    if name not in names:
        shown = ", ".join(map(repr, names[:10]))
        raise InputError.of(f"{what} among {shown or 'none'}", repr(name[:40]), "name one of these")
    return names.index(name)


async def _refused(request: Request, error: Exception) -> Response:
    status, headers = 400, None
    message = shortened(str(error)) or "The request ended before its time."
    if isinstance(error, HTTPException):
        status, headers, message = error.status_code, error.headers, error.detail
    return JSONResponse({"error": message}, status, headers)


async def _full(request: Request, error: Exception) -> Response:
    return JSONResponse({"error": "The disk of the server is full. What is there is kept: try again later."}, 507)


async def _broken(request: Request, error: Exception) -> Response:
    return JSONResponse({"error": "Something went wrong on our side. Your reports are kept."}, 500)


# --- What the API can do, as an OpenAPI document (3.1) --------------------------------------------------------------


def openapi(bounds: Bounds) -> Json:
    """The document of a server with some bounds: ``openapi.json`` with what the places that begin with $ stand for."""
    size = f"A table: at most {bounds.megabytes} MB, {bounds.rows} rows, {bounds.columns} columns."
    places = {
        "version": version("autostatistician"), "table": size, "seconds": bounds.seconds, "depth": bounds.depth,
        "steps": bounds.steps, "states": [state.value for state in RunState if state is not RunState.CHOOSING],
        "tasks": list(TASK_WORDS), "languages": list(LANGUAGE_WORDS), "spoken": list(LANGUAGE_NAMES),
        "questions": [*QUESTIONS, *COMPUTED], "files": list(DOWNLOAD_TYPES),
        "kinds": {kind: {} for kind in dict.fromkeys(DOWNLOAD_TYPES.values())},
        "answer-1": schema("answer-1"), "facts-1": schema("facts-1"),
    }  # fmt: skip
    document: Json = _filled(json.loads(Path(__file__).with_name("openapi.json").read_text(encoding="utf-8")), places)
    fault = {"application/json": {"schema": {"$ref": "#/components/schemas/Error"}}}
    for operation in (one for methods in document["paths"].values() for one in methods.values()):
        operation["responses"]["default"] = {
            "description": "What was expected, what was found, what to do.",
            "content": fault,
        }
    return document


def _filled(value: Any, places: Mapping[str, Any]) -> Any:
    """A value of JSON with what its places stand for."""
    match value:
        case dict():
            return {key: _filled(each, places) for key, each in value.items()}
        case list():
            return [_filled(each, places) for each in value]
        case str() if value.startswith("$"):
            return places[value[1:]]
    return value
