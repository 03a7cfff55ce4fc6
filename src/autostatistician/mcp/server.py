"""The server for agents: seven tools on the tables of one folder, by the Model Context Protocol."""

from __future__ import annotations

import base64
import json
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import asynccontextmanager
from dataclasses import asdict
from importlib.metadata import version
from pathlib import Path
from typing import Annotated, Any, Literal

from anyio import create_memory_object_stream, create_task_group
from mcp.server.mcpserver import Context, Image, MCPServer
from mcp.server.mcpserver.exceptions import ToolError
from mcp.server.stdio import stdio_server
from mcp.shared.message import SessionMessage
from mcp_types import INVALID_REQUEST, PARSE_ERROR, ErrorData, JSONRPCError, ToolAnnotations
from pydantic import Field, ValidationError

from autostatistician.errors import AutostatisticianError, shortened
from autostatistician.web.pool import Job, WorkerPool
from autostatistician.web.tables import Bounds

__all__ = ["make_server"]

LOOK_SECONDS = 60.0  # seconds; the first one also starts the process
ASK_SECONDS = 300.0
OVERRUN_SECONDS = 300.0  # of a search, beyond twice its budget
MOST_PICTURES = 6
INSTRUCTIONS = (
    "Models and explanations of tables in one folder. Look at a file first; fit it once; then ask. Every number in an "
    "answer comes with its range of 95 % and is a fact of the report: quote these, and compute none of your own. Check "
    "what you write. What is found are patterns, not causes."
)

File = Annotated[str, Field(description="Path of a table inside the folder, or the name of a bundled example.")]
ModelName = Annotated[str, Field(description="The name that 'fit' gave.")]
Time = Annotated[str | None, Field(description="A date as in the data, or a month or year: 2025-07, 2025.")]
Future = Annotated[
    str | None, Field(description="Columns beside a series ahead: a plan (a table), 'auto', or 'last-year' (usual).")
]
Question = Annotated[
    Literal["what", "trend", "seasons", "events", "columns", "sure", "forecast", "why", "what-if"],
    Field(
        description="what was found; trend (start, stop); seasons; events (start, stop, or at); columns; sure (how "
        "far); forecast (at, or start and stop); why (at, against); what-if (change, stop)."
    ),
]
Pictures = Annotated[int, Field(description="How many pictures to give, at most 6.", ge=0, le=MOST_PICTURES)]


def make_server(folder: Path, bounds: Bounds | None = None) -> MCPServer:
    """The server of a folder; ``bounds`` are those of the page."""
    bounds = bounds or Bounds()
    pool = WorkerPool(1, "autostatistician.mcp.jobs", str(folder), json.dumps(asdict(bounds)))

    @asynccontextmanager
    async def lifespan(server: MCPServer) -> AsyncIterator[None]:
        try:
            yield
        finally:
            await pool.close()

    server = _Server(
        "autostatistician", instructions=INSTRUCTIONS, version=version("autostatistician"), lifespan=lifespan,
        log_level="ERROR",
    )  # fmt: skip
    tools = _Tools(pool, bounds)
    reads = ToolAnnotations(read_only_hint=True, idempotent_hint=True, open_world_hint=False)
    writes = ToolAnnotations(read_only_hint=False, destructive_hint=False, idempotent_hint=True, open_world_hint=False)
    reading: list[Callable[..., Any]] = [tools.look, tools.ask, tools.forecast, tools.explain, tools.check]
    writing: list[Callable[..., Any]] = [tools.fit, tools.report]
    for tool in (*reading, *writing):
        server.add_tool(tool, annotations=writes if tool in writing else reads, structured_output=False)
    return server


class _Server(MCPServer):
    """A server that answers also what it cannot read: whoever waits for an answer would wait for ever."""

    async def run_stdio_async(self) -> None:
        """Serve on standard input and output."""
        send, receive = create_memory_object_stream[SessionMessage | Exception](0)
        async with stdio_server() as (lines, answers), create_task_group() as tasks:

            async def read() -> None:
                async with send:
                    async for line in lines:
                        await (answers.send(_unread(line)) if isinstance(line, Exception) else send.send(line))

            tasks.start_soon(read)
            server = self._lowlevel_server
            await server.run(receive, answers, server.create_initialization_options())


def _unread(error: Exception) -> SessionMessage:
    """The answer to what is no JSON, or no message of the protocol."""
    is_json = isinstance(error, ValidationError) and error.errors()[0]["type"] != "json_invalid"
    code, said = (INVALID_REQUEST, "Invalid Request") if is_json else (PARSE_ERROR, "Parse error")
    return SessionMessage(JSONRPCError(jsonrpc="2.0", id=None, error=ErrorData(code=code, message=said)))


class _Tools:
    """The tools; their descriptions are what an agent reads of them."""

    def __init__(self, pool: WorkerPool, bounds: Bounds) -> None:
        self.pool, self.bounds = pool, bounds

    async def look(
        self, file: Annotated[str | None, Field(description="The table; without one, all tables and models.")] = None
    ) -> str:
        """Look at a table before anything is fitted: rows, columns, first rows, and the guessed time and target."""
        return _text(await self._sent("look", {"file": file}, LOOK_SECONDS))

    async def fit(
        self,
        ctx: Context,
        file: File,
        target: Annotated[str | None, Field(description="Column to model; guessed without.")] = None,
        time: Annotated[str | None, Field(description="Column of the times; guessed without.")] = None,
        inputs: Annotated[list[str] | None, Field(description="Columns that may explain the target.")] = None,
        where: Annotated[dict[str, str] | None, Field(description="Rows of one series: column to value.")] = None,
        task: Annotated[Literal["auto", "number", "class"], Field(description="What the target is.")] = "auto",
        seconds: Annotated[int | None, Field(description="Longest search; 120 without.")] = None,
    ) -> str:
        """Search the model of a table, seconds to minutes; the same table and settings give the model that is there.

        Gives its name for the other tools, and sentences that say what was found.
        """
        asked = {
            "file": file, "target": target, "time": time, "inputs": inputs, "where": where, "task": task,
            "seconds": seconds,
        }  # fmt: skip
        most = OVERRUN_SECONDS + 2.0 * (seconds or self.bounds.seconds)

        async def tell(told: Mapping[str, Any]) -> None:
            await ctx.report_progress(told["level"], told["levels"], f"best so far: {told['expression']}")

        return _text(await self._sent("fit", asked, most, tell))

    async def ask(
        self,
        model: ModelName,
        question: Question,
        at: Time = None,
        against: Time = None,
        start: Time = None,
        stop: Time = None,
        change: Annotated[str | None, Field(description="Of what-if: 'promo=0,price=+10%'.")] = None,
        future: Future = None,
    ) -> str:
        """Answer a question on a model by sentences, and by numbers with range, unit, date and probability."""
        given = {"at": at, "against": against, "start": start, "stop": stop, "change": change, "future": future}
        asked = {"model": model, "question": question, **{name: value for name, value in given.items() if value}}
        return _text(await self._sent("ask", asked, ASK_SECONDS))

    async def forecast(
        self,
        model: ModelName,
        steps: Annotated[int | None, Field(description="How many; a usual number without.")] = None,
        future: Future = None,
    ) -> str:
        """Forecast a series: time, mean and the limits of 95 % of each step."""
        return _text(await self._sent("forecast", {"model": model, "steps": steps, "future": future}, ASK_SECONDS))

    async def explain(
        self,
        model: ModelName,
        facts: Annotated[bool, Field(description="Also all facts that the sentences are made from.")] = False,
    ) -> str:
        """Explain a model: its parts in sentences, what to rely on, claims with probabilities, and its expression."""
        return _text(await self._sent("explain", {"model": model, "facts": facts}, ASK_SECONDS))

    async def check(
        self, model: ModelName, text: Annotated[str, Field(description="What you are about to say, in English.")]
    ) -> str:
        """Check a text: each sentence with a number, direction or date is borne out, contradicted or unknown."""
        return _text(await self._sent("check", {"model": model, "text": text}, ASK_SECONDS))

    async def report(
        self,
        model: ModelName,
        steps: Annotated[int | None, Field(description="Steps of the forecast of a series.")] = None,
        pictures: Pictures = 2,
    ) -> list[str | Image]:
        """Write the report as HTML, Markdown and JSON into the folder of our own; gives its text and pictures."""
        asked = {"model": model, "steps": steps, "pictures": pictures}
        made = await self._sent("report", asked, ASK_SECONDS)
        given: list[str | Image] = [f"{made['text']}\nWritten: {', '.join(made['files'])}"]
        for picture in made["pictures"]:
            given += [picture["caption"], Image(data=base64.b64decode(picture["png"]), format="png")]
        return given

    async def _sent(self, job: str, asked: Mapping[str, Any], seconds: float, tell: Any = None) -> Any:
        try:
            return await self.pool.run(Job(job, asked, seconds, tell))
        except AutostatisticianError as error:
            raise ToolError(shortened(str(error))) from None


def _text(value: Any) -> str:
    """An answer as JSON, keys in their order."""
    return json.dumps(value, ensure_ascii=False, allow_nan=False)
