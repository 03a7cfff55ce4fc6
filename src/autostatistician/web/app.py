"""The pages: choose a table, choose its columns, watch the search, read and take away the report."""

from __future__ import annotations

import asyncio
import json
import re
import sqlite3
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, suppress
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from jinja2 import Environment, PackageLoader, StrictUndefined
from starlette.applications import Starlette
from starlette.datastructures import FormData, UploadFile
from starlette.exceptions import HTTPException
from starlette.requests import ClientDisconnect, Request
from starlette.responses import FileResponse, HTMLResponse, JSONResponse, RedirectResponse, Response
from starlette.routing import Mount, Route
from starlette.staticfiles import StaticFiles

from autostatistician.data.examples import example_bytes, example_names
from autostatistician.data.times.calendar_days import MONTHS
from autostatistician.errors import InputError, WriteError
from autostatistician.fitted.progress import SearchProgress
from autostatistician.i18n.messages import (
    ENGLISH,
    LANGUAGE_NAMES,
    again,
    message,
    note,
    noted,
    say,
    say_count,
    spoken_in,
)
from autostatistician.i18n.numbers import fixed
from autostatistician.web.api import MOST_ANSWERS, Api
from autostatistician.web.pool import WorkerPool
from autostatistician.web.queue import FULL_DISK, MOST_LOOKS, RunQueue, Uploads
from autostatistician.web.safety import (
    CONTENT_POLICY,
    VISITOR_COOKIE,
    Guard,
    address_of,
    form_token,
    may_post,
    visitor_of,
)
from autostatistician.web.search_job import DOWNLOAD_TYPES
from autostatistician.web.store import RunState, Store, StoredRun, secret_of
from autostatistician.web.tables import LANGUAGE_WORDS, TASK_WORDS, Bounds, chosen, preview

__all__ = ["LOOPBACK_NAMES", "make_app"]


LANGUAGE_COOKIE = "lang"

APP_FOLDER = Path(__file__).parent

LOOPBACK_NAMES = frozenset({"localhost", "127.0.0.1", "[::1]"})

YEAR_SECONDS = 365 * 86400

STATUS_WORDS = {
    404: message("There is no such page. Runs are known by their whole address alone."),
    405: message("This address takes no such request."),
    413: message("This is more than can be sent."),
}

# What the page that watches a search says by itself; the places are filled in there.
WATCHING = {
    "waiting": message("Waiting for a free place; {ahead} before you."),
    "writing": message("Writing the report."),
    "reading": message("Reading the table."),
    SearchProgress.COLUMNS: message("Selecting the columns that may matter."),
    SearchProgress.OUTLIERS: message("Looking for values that stand out."),
    SearchProgress.SCALE: message("Choosing the scale."),
    "level": message("Level {level} of at most {levels}."),
    "over": message("Time is up; what is begun is brought to an end."),
    "minutes": message("At most {n} minutes more."),
    "seconds": message("At most {n} seconds more."),
    "gone": message("The server does not answer; the search goes on when it is back."),
}


def make_app(
    folder: Path, workers: int = 1, bounds: Bounds | None = None, hosts: frozenset[str] = LOOPBACK_NAMES
) -> Guard:
    """The server as an ASGI application.

    Parameters
    ----------
    folder : Path
        Where runs are kept; made where it is missing.
    workers : int
        Searches at a time; 0 accepts runs and starts none.
    bounds : Bounds, optional
        How much a visitor may ask for.
    hosts : frozenset of str
        The names by which the server may be called.
    """
    pages = _Pages(folder, workers, bounds or Bounds())
    routes = [
        Route("/", pages.start),
        Route("/tables", pages.upload, methods=["POST"]),
        Route("/examples", pages.example, methods=["POST"]),
        Route("/runs/{run}", pages.run),
        Route("/runs/{run}/start", pages.begin, methods=["POST"]),
        Route("/runs/{run}/stop", pages.stop, methods=["POST"]),
        Route("/runs/{run}/remove", pages.remove, methods=["POST"]),
        Route("/runs/{run}/progress", pages.progress),
        Route("/runs/{run}/fit.svg", pages.picture),
        Route("/runs/{run}/read", pages.read),
        Route("/runs/{run}/{file}", pages.download),
        Route("/api", pages.api.describe),
        Mount("/api", pages.api.app()),
        Mount("/static", StaticFiles(directory=APP_FOLDER / "static")),
    ]
    handlers = {HTTPException: pages.refused, InputError: pages.refused, Exception: pages.broken}
    handlers |= {WriteError: pages.full, sqlite3.OperationalError: pages.full}
    most = (pages.bounds.megabytes + 1) * 10**6
    app = Starlette(routes=routes, lifespan=pages.lifespan, exception_handlers=handlers, max_body_size=most)
    # Outside of everything, so that the page of a fault of ours has the headers too.
    return Guard(app, hosts, most)


class _Pages:
    def __init__(self, folder: Path, workers: int, bounds: Bounds) -> None:
        self.store, self.bounds, self.secret = Store(folder), bounds, secret_of(folder)
        most = workers + MOST_LOOKS + MOST_ANSWERS  # so that none of them waits for another
        self.pool = WorkerPool(most, "autostatistician.web.jobs")
        self.queue = RunQueue(self.store, bounds, self.pool, workers)
        self.uploads = Uploads(self.store, bounds, self.pool)
        self.api = Api(self.store, self.queue, self.pool, self.uploads, bounds, self._progress)
        loader = PackageLoader("autostatistician.web", "templates")
        self.templates = Environment(
            loader=loader, autoescape=True, undefined=StrictUndefined, trim_blocks=True, lstrip_blocks=True
        )
        self.templates.filters |= {"when": _when, "without_options": without_options}
        words = {"say": say, "say_count": say_count, "number": fixed, "again": again, "spoken": LANGUAGE_NAMES}
        self.templates.globals |= words

    @asynccontextmanager
    async def lifespan(self, app: Starlette) -> AsyncIterator[None]:
        await asyncio.to_thread(self.uploads.forget_old)
        task = asyncio.create_task(self.queue.work())
        try:
            yield
        finally:
            task.cancel()
            with suppress(asyncio.CancelledError):
                await task
            await self.pool.close()

    # --- pages ---

    async def start(self, request: Request) -> Response:
        """The first page: choose a table; what was done before."""
        runs = await asyncio.to_thread(self.store.of_visitor, visitor_of(request))
        return self._page(request, "start", runs=runs, examples=example_names(), bounds=self.bounds)

    async def upload(self, request: Request) -> Response:
        """Take a table, look at it, and lead to its page."""
        async with self._form(request) as form:
            given = form.get("table")
            if not isinstance(given, UploadFile) or not given.filename:
                raise InputError.of(note("a table"), note("no file"), note("choose a file, or one of the examples"))
            if (given.size or 0) > self.bounds.megabytes * 10**6:
                size = self.bounds.megabytes
                large = note("The file is larger than {size} MB; give fewer rows or columns.", size=size)
                raise HTTPException(413, large)
            async with self.uploads.slot(address_of(request)):
                run = await self._taken(request, given.filename, await given.read())
        return RedirectResponse(f"/runs/{run.id}", 303)

    async def example(self, request: Request) -> Response:
        """Take one of the bundled tables."""
        async with self._form(request) as form:
            name = str(form.get("example"))
        if name not in example_names():
            among = note("an example among {names}", names=", ".join(example_names()))
            raise InputError.of(among, repr(name[:40]), note("choose one of them"))
        async with self.uploads.slot(address_of(request)):
            run = await self._taken(request, name, example_bytes(name))
        return RedirectResponse(f"/runs/{run.id}", 303)

    async def _taken(self, request: Request, name: str, content: bytes) -> StoredRun:
        return await self.uploads.taken(visitor_of(request), address_of(request), name, content)

    async def run(self, request: Request) -> Response:
        """The page of a run, by where it stands."""
        run = await self._run(request)
        place, is_owner = self.store.place(run.id), self.store.owns(visitor_of(request), run)
        match run.state:
            case RunState.CHOOSING:
                seen = preview(place)
                return self._page(
                    request,
                    "choose",
                    run=run,
                    seen=seen,
                    languages=LANGUAGE_WORDS,
                    tasks=TASK_WORDS,
                    bounds=self.bounds,
                    is_owner=is_owner,
                )
            case RunState.WAITING | RunState.RUNNING:
                seen = self._progress(run)
                return self._page(request, "watch", run=run, seen=seen, is_owner=is_owner, watching=WATCHING)
            case RunState.FAILED:
                return self._page(request, "failed", run=run, is_owner=is_owner)
        files = [name for name in DOWNLOAD_TYPES if (place / name).exists()]
        return self._page(request, "report", run=run, files=files)

    async def begin(self, request: Request) -> Response:
        """Put a run into the queue."""
        run = await self._run(request)
        async with self._form(request) as form:
            self._check_owner(request, run, note("Only the browser that brought a table can start its search."))
            again = run.state is RunState.FAILED and run.settings
            settings = run.settings if again else chosen(dict(form), preview(self.store.place(run.id)), self.bounds)
        if run.state in (RunState.CHOOSING, RunState.FAILED) and not await self.queue.add(run, settings):
            busy = note("As many searches wait already as can. Your table is kept: try again in some minutes.")
            raise HTTPException(503, busy, {"retry-after": "120"})
        return RedirectResponse(f"/runs/{run.id}", 303)

    async def stop(self, request: Request) -> Response:
        """End a search with the best model so far."""
        run = await self._run(request)
        async with self._form(request):
            self._check_owner(request, run, note("Only the browser that brought a table can stop its search."))
            if run.state in (RunState.WAITING, RunState.RUNNING):
                self.queue.stop(run.id)
        return RedirectResponse(f"/runs/{run.id}", 303)

    async def remove(self, request: Request) -> Response:
        """Forget a run that is not being worked on."""
        run = await self._run(request)
        async with self._form(request):
            self._check_owner(request, run, note("Only the browser that brought a table can delete it."))
            if run.state in (RunState.WAITING, RunState.RUNNING):
                raise HTTPException(409, note("This search is not done; stop it first."))
            await asyncio.to_thread(self.store.remove, run.id)
        return RedirectResponse("/", 303)

    def _check_owner(self, request: Request, run: StoredRun, else_said: str) -> None:
        if not self.store.owns(visitor_of(request), run):
            raise HTTPException(403, else_said)

    # --- what pages ask for ---

    async def progress(self, request: Request) -> Response:
        """Where a run stands, for the page that watches it."""
        return JSONResponse(self._progress(await self._run(request)))

    def _progress(self, run: StoredRun) -> dict[str, Any]:
        place, progress = self.store.place(run.id), {}
        with suppress(OSError, ValueError):
            progress = json.loads((place / "progress.json").read_text(encoding="utf-8"))
        ahead = sum(other.changed < run.changed for other in self.store.in_state(RunState.WAITING))
        waiting = run.state is RunState.WAITING
        now = {"state": run.state, "ahead": ahead if waiting else 0, "budget": run.settings.get("budget")}
        return {
            **now,
            "drawn": (place / "fit.svg").exists(),
            "level": None,
            "preparing": "reading",
            "writing": False,
            "words": [],
            "seconds": 0.0,
            **progress,
        }

    async def picture(self, request: Request) -> Response:
        """The best fit so far."""
        return await self._file(request, "fit.svg", "image/svg+xml")

    async def read(self, request: Request) -> Response:
        """The report, to be shown inside of our page."""
        return await self._file(request, "report.html", "text/html")

    async def download(self, request: Request) -> Response:
        """A file to take away."""
        name = request.path_params["file"]
        if name not in DOWNLOAD_TYPES:
            raise HTTPException(404)
        return await self._file(request, name, DOWNLOAD_TYPES[name], saved=True)

    async def _file(self, request: Request, name: str, kind: str, *, saved: bool = False) -> Response:
        run = await self._run(request)
        path = self.store.place(run.id) / name
        if not path.exists() or (name in DOWNLOAD_TYPES and run.state is not RunState.DONE):
            raise HTTPException(404, note("This file is not there yet."))
        stem = "".join(c if c.isalnum() or c in "-_" else "-" for c in Path(run.name).stem)[:60] or "data"
        saved_as = f"{stem}-{name}" if saved else None
        return FileResponse(
            path, media_type=kind, headers={"content-security-policy": CONTENT_POLICY}, filename=saved_as
        )

    # --- means ---

    async def _run(self, request: Request) -> StoredRun:
        run = await asyncio.to_thread(self.store.get, request.path_params["run"])
        if run is None:
            raise HTTPException(404)
        return run

    @asynccontextmanager
    async def _form(self, request: Request) -> AsyncIterator[FormData]:
        """The form of a request that our own page has sent."""
        try:
            async with request.form(max_files=1, max_fields=20, max_part_size=10_000) as form:
                if not may_post(request, self.secret, form.get("token")):
                    old = note("This form is out of date or of another page. Go back, reload, try again.")
                    raise HTTPException(403, old)
                yield form
        except ClientDisconnect:
            most = note("At most {size} MB can be sent.", size=self.bounds.megabytes)
            raise HTTPException(413, most) from None

    def _page(self, request: Request, name: str, status: int = 200, **values: Any) -> Response:
        visitor, lang = visitor_of(request), language_of(request)
        token, here = form_token(self.secret, visitor), request.method == "GET"
        page = self.templates.get_template(f"{name}.html.j2")
        with spoken_in(lang):
            text = page.render(token=token, State=RunState, lang=lang, here=here, **values)
        response = HTMLResponse(text, status)
        cookies = {VISITOR_COOKIE: visitor, LANGUAGE_COOKIE: asked_language(request)}
        for cookie, value in cookies.items():
            if value:
                is_secure = request.url.scheme == "https"
                response.set_cookie(cookie, value, YEAR_SECONDS, httponly=True, samesite="lax", secure=is_secure)
        return response

    async def refused(self, request: Request, error: Exception) -> Response:
        """A page for what cannot be done, with what to do about it."""
        status, headers = 400, None
        if isinstance(error, HTTPException):
            status, headers = error.status_code, error.headers
            ours = error.detail not in ("Not Found", "Method Not Allowed", "Content Too Large")
            said = error.detail if ours or status not in STATUS_WORDS else note(STATUS_WORDS[status])
        else:
            said = noted(error) if isinstance(error, InputError) else str(error)
        response = self._page(request, "refused", status, message=said)
        response.headers.update(headers or {})
        return response

    async def full(self, request: Request, error: Exception) -> Response:
        """A page for a disk without room; the names of our files are nobody's business."""
        return self._page(request, "refused", 507, message=note(FULL_DISK))

    async def broken(self, request: Request, error: Exception) -> Response:
        """A page for a fault of ours; what it was stands in the log of the server alone."""
        text = note("Something went wrong on our side. Your runs are kept.")
        return self._page(request, "refused", 500, message=text)


def _when(seconds: float) -> str:
    """A time in words; that of Greenwich, as the server does not know where the reader is.

    >>> _when(0.0)
    '1 January 1970, 00:00 UTC'
    """
    moment = datetime.fromtimestamp(seconds, UTC)
    day = {"day": moment.day, "month": say(MONTHS[moment.month - 1]), "year": moment.year}
    return say("{day} {month} {year}, {clock} UTC", clock=f"{moment:%H:%M}", **day)


# --- The language of the page: as the visitor chose it, else as the browser asks for it -----------------------------


def language_of(request: Request) -> str:
    """The language in which a visitor reads pages: that of ``?lang=``, of a cookie, or the browser's."""
    chosen = asked_language(request) or request.cookies.get(LANGUAGE_COOKIE, "")
    if chosen in LANGUAGE_NAMES:
        return chosen
    return next(_accepted(request.headers.get("accept-language", "")), ENGLISH)


def asked_language(request: Request) -> str:
    """The language that an address asks for; "" where it names none that there is."""
    code = request.query_params.get("lang", "")
    return code if code in LANGUAGE_NAMES else ""


def without_options(text: str) -> str:
    """What is said without the clauses that name options of the command line, which a page has not.

    >>> without_options("'cost' is its copy. It is left out; --allow-leaks 'cost' takes it.")
    "'cost' is its copy. It is left out."
    >>> without_options("Modelled as classes. --task number models it as a number instead.")
    'Modelled as classes.'
    """
    clauses = [clause for clause in re.split(r"(?<=[.;])\s+", text) if not re.search(r"(?<![\w-])--[a-z]", clause)]
    return re.sub(";$", ".", " ".join(clauses))


def _accepted(header: str) -> Iterator[str]:
    """The languages that a browser asks for, as far as there are words in them, the most wanted first.

    >>> list(_accepted("fr-CH, fr;q=0.9, en;q=0.8, de;q=0.95, *;q=0.5, x;q=y"))
    ['de', 'en']
    """
    wishes = [
        (_weight(weight), name.strip()) for name, _, weight in (each.partition(";") for each in header.split(","))
    ]
    for weight, name in sorted(wishes, key=lambda wish: -wish[0]):
        code = name.partition("-")[0].lower()
        if weight > 0.0 and code in LANGUAGE_NAMES:
            yield code


def _weight(text: str) -> float:
    """How much a language is wanted.

    >>> _weight(" q=0.8"), _weight(""), _weight("q=much")
    (0.8, 1.0, 0.0)
    """
    try:
        return float(text.partition("=")[2]) if text.strip() else 1.0
    except ValueError:
        return 0.0
