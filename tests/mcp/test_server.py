"""An agent, played by the client of the protocol, is answered with the numbers of the reports."""

import asyncio
import base64
import json
import os
import subprocess
import sys
from collections.abc import Awaitable, Callable
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from tests.mcp.tables import TABLES, write_models, write_tables
from tests.schemas import check

from autostatistician.forms import QUESTIONS as QUESTIONS_OF_PAGE
from autostatistician.report.jsonform import ReportRead, read_report

pytest.importorskip("mcp", reason="the extra mcp is not installed")

from autostatistician.mcp.server import MOST_PICTURES, make_server
from mcp import Client, StdioServerParameters

QUESTIONS: list[tuple[str, dict[str, str]]] = [
    ("sales", {"question": "what"}),
    ("sales", {"question": "columns"}),
    ("sales", {"question": "sure"}),
    ("sales", {"question": "forecast", "at": "2025-03-03"}),
    ("sales", {"question": "why", "at": "2025-01-06", "against": "2024-01-08"}),
    ("sales", {"question": "what-if", "change": "promo=1", "stop": "2025-03-10"}),
    ("visits", {"question": "what"}),
    ("visits", {"question": "seasons"}),
    ("visits", {"question": "events"}),
    ("visits", {"question": "events", "at": "2015-05"}),
    ("visits", {"question": "trend", "start": "2014", "stop": "2016"}),
    ("visits", {"question": "forecast", "stop": "2019-03"}),
    ("levels", {"question": "trend"}),
    ("levels", {"question": "trend", "start": "1960", "stop": "1990"}),
    ("levels", {"question": "forecast", "at": "2003"}),
    ("levels", {"question": "events"}),
    ("houses", {"question": "what"}),
    ("houses", {"question": "columns"}),
    ("people", {"question": "columns"}),
    ("people", {"question": "what"}),
]
assert len(QUESTIONS) == 20


def with_client(server: Any, play: Callable[[Client], Awaitable[Any]]) -> Any:
    """What an agent does with a server."""

    async def all_of_it() -> Any:
        async with Client(server) as client:
            return await play(client)

    return asyncio.run(all_of_it())


async def told(client: Client, tool: str, **asked: Any) -> Any:
    """What a tool answers, read as JSON."""
    given = await client.call_tool(tool, asked)
    assert not given.is_error, given.content
    return json.loads(given.content[0].text)


def _report_of(root: Path, model: str) -> ReportRead:
    return read_report(root / "autostatistician" / "reports" / model / "report.json")


def _check_number(number: dict[str, Any], report: ReportRead) -> None:
    """A number of an answer is the one that the report has as a fact."""
    every = [*report.record.get("function", ()), *report.record["facts"]]
    if number["fact"] == "Statement":
        assert number["probability"] in [statement["probability"] for statement in report.record["statements"]] or (
            number["probability"] < 0.5  # the record lists those that most models make
        )
        return
    same = [fact for fact in every if fact["id"] == number["id"] and fact["number"] == number["number"]]
    assert same, number
    assert [number["interval"], number["unit"]] in [[fact.get("interval"), fact["unit"]] for fact in same]


def _check_forecast(numbers: list[dict[str, Any]], report: ReportRead) -> None:
    """Forecasts are those of the report: of a series with columns in its record, else in its picture."""
    with_columns = {row["at"]: row["mean"] for row in report.record.get("forecast_with_columns", ())}
    layers = report.figures["fig-forecast"]["panels"][0]["layers"]
    (line,) = [layer for layer in layers if layer["kind"] == "line" and layer["label"] == "forecast"]
    drawn = {f"{moment}": float(y) for moment, y in zip(line["x"], line["y"], strict=True)}
    for number in numbers:
        width = abs(number["interval"][1] - number["interval"][0])
        assert (with_columns or drawn)[number["at"]] == pytest.approx(number["number"], abs=0.01 * width)


@pytest.mark.slow
def test_twenty_questions_on_five_files_are_answered_with_the_numbers_of_the_reports(tmp_path: Path) -> None:
    write_tables(tmp_path)
    write_models(tmp_path)

    async def play(client: Client) -> list[Any]:
        for name in TABLES:
            assert (await told(client, "look", file=f"{name}.csv"))["rows"] > 0
            await client.call_tool("report", {"model": name, "pictures": 0})
        return [await told(client, "ask", model=name, **asked) for name, asked in QUESTIONS]

    answers = with_client(make_server(tmp_path), play)
    for (name, asked), answer in zip(QUESTIONS, answers, strict=True):
        check(answer, "answer-1")
        report = _report_of(tmp_path, name)
        assert answer["numbers"] or asked["question"] == "events", asked
        if asked["question"] in QUESTIONS_OF_PAGE and not asked.keys() & {"start", "stop"}:
            for number in answer["numbers"]:
                _check_number(number, report)
        if asked["question"] == "forecast":
            _check_forecast(answer["numbers"], report)
    by_question = {(name, *asked.values()): answer for (name, asked), answer in zip(QUESTIONS, answers, strict=True)}
    assert by_question["levels", "trend", "1960", "1990"]["numbers"][0]["number"] == pytest.approx(24.0, abs=1.5)
    assert by_question["sales", "what-if", "promo=1", "2025-03-10"]["numbers"][0]["fact"] == "Average"
    (step,) = [number for number in by_question["visits", "events", "2015-05"]["numbers"] if number["fact"] == "step"]
    assert step["at"] == "2015-05-01T00:00:00"
    assert "from about 49 to 80" in step["sentence"]


def test_there_are_six_tools_with_words_for_each_argument(tmp_path: Path) -> None:
    async def play(client: Client) -> list[Any]:
        return list((await client.list_tools()).tools)

    tools = with_client(make_server(tmp_path), play)
    assert sorted(tool.name for tool in tools) == ["ask", "check", "explain", "fit", "forecast", "look", "report"]
    for tool in tools:
        assert tool.description
        assert "ctx" not in tool.input_schema["properties"]
        assert all("description" in argument for argument in tool.input_schema["properties"].values()), tool.name
        assert tool.annotations.read_only_hint is (tool.name not in ("fit", "report"))
        assert not tool.annotations.open_world_hint


def test_what_is_at_fault_is_told_to_the_agent(tmp_path: Path) -> None:
    write_tables(tmp_path)

    async def play(client: Client) -> list[str]:
        asked: list[tuple[str, dict[str, Any]]] = [
            ("look", {"file": "../secret.csv"}),
            ("ask", {"model": "none", "question": "what"}),
            ("ask", {"model": "none", "question": "weather"}),
            ("report", {"model": "none", "pictures": MOST_PICTURES + 1}),
        ]
        given = [await client.call_tool(tool, arguments) for tool, arguments in asked]
        assert all(answer.is_error for answer in given)
        return [answer.content[0].text for answer in given]

    outside, unknown, weather, pictures = with_client(make_server(tmp_path), play)
    assert "name a file of it" in outside
    assert "fit a table" in unknown
    assert "what-if" in weather
    assert "less than or equal to 6" in pictures


def test_lines_that_are_no_messages_are_answered_as_such(tmp_path: Path) -> None:
    opening = {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "test", "version": "1"}}
    lines = [
        b"{no json",
        json.dumps({"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": opening}).encode(),
        b"\xff\xfe", b"[" * 100_000, b'{"jsonrpc": "2.0", "id": 2}', b"[]",
        json.dumps({"jsonrpc": "2.0", "id": 3, "method": "ping"}).encode(),
    ]  # fmt: skip
    command = [sys.executable, "-P", "-m", "autostatistician", "mcp", "--folder", str(tmp_path)]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as server:
        assert server.stdin is not None
        assert server.stdout is not None
        server.stdin.write(b"\n".join(lines) + b"\n")
        server.stdin.flush()
        answers = [json.loads(server.stdout.readline()) for _ in lines]
        server.stdin.close()
    codes = [answer["error"]["code"] for answer in answers if answer["id"] is None]
    assert codes == [-32700, -32700, -32700, -32600, -32600]
    assert sorted(answer["id"] for answer in answers if answer["id"] is not None) == [1, 3]


@pytest.mark.slow
def test_the_command_serves_the_protocol_tells_progress_and_shows_pictures(tmp_path: Path) -> None:
    write_tables(tmp_path)
    (tmp_path / "autostatistician").mkdir()
    command = ["-m", "autostatistician", "mcp", "--folder", str(tmp_path)]
    server = StdioServerParameters(command=sys.executable, args=command, env=dict(os.environ))

    async def play(client: Client) -> tuple[list[float], Any, bytes, bytes]:
        levels = list[float]()

        async def progress(level: float, total: float | None, message: str | None) -> None:
            assert message is not None
            levels.append(level)

        made = await client.call_tool(
            "fit", {"file": "levels.csv"}, progress_callback=progress,
            read_timeout_seconds=timedelta(minutes=5).total_seconds(),
        )  # fmt: skip
        name = json.loads(made.content[0].text)["model"]
        shown = await client.call_tool("report", {"model": name, "pictures": 1})
        asked = {"model": name, "question": "sure"}
        first, second = [(await client.call_tool("ask", asked)).content[0].text.encode() for _ in range(2)]
        return levels, shown.content, first, second

    levels, shown, first, second = with_client(server, play)
    assert levels[:2] == [0.0, 1.0]
    assert first == second
    text, caption, picture = shown
    assert text.text.startswith("# Automatic report on levels")
    assert caption.text.startswith("The data")
    assert (picture.mime_type, base64.b64decode(picture.data)[:4]) == ("image/png", b"\x89PNG")
