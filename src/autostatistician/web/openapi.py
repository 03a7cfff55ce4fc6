"""What the API can do, as an OpenAPI document (3.1)."""

from __future__ import annotations

from collections.abc import Sequence
from importlib.metadata import version
from typing import Any

from autostatistician.forms import COMPUTED, QUESTIONS
from autostatistician.report.reading import schema
from autostatistician.web.store import RunState
from autostatistician.web.tables import LANGUAGE_WORDS, TASK_WORDS, Bounds
from autostatistician.web.work import DOWNLOAD_TYPES
from autostatistician.wording.messages import LANGUAGE_NAMES

__all__ = ["openapi"]

Json = dict[str, Any]

TEXT: Json = {"type": "string"}
STATE: Json = {
    "type": "object",
    "required": ["id", "name", "state", "message", "ahead", "budget", "level", "words", "seconds", "files"],
    "properties": {
        "id": {**TEXT, "description": "The report, by 128 random bits: whoever knows it may read and ask."},
        "name": TEXT,
        "state": {"enum": [state.value for state in RunState if state is not RunState.CHOOSING]},
        "message": {**TEXT, "description": "Why it failed."},
        "ahead": {"type": "integer", "description": "Searches that wait before this one."},
        "budget": {"type": ["integer", "null"], "description": "Seconds of the search at most."},
        "preparing": {**TEXT, "description": "What is done before the search has a level."},
        "level": {"type": ["integer", "null"], "description": "Of the search, which has 'levels' at most."},
        "words": {"type": "array", "items": TEXT, "description": "What the best model so far says."},
        "seconds": {"type": "number"},
        "files": {"type": "array", "items": {"enum": list(DOWNLOAD_TYPES)}},
        "key": {**TEXT, "description": "Only in the answer to a new report: give it as X-Visitor to act on it."},
    },
}
ERROR: Json = {"type": "object", "required": ["error"], "properties": {"error": TEXT}}


def openapi(bounds: Bounds) -> Json:
    """The document of a server with some bounds."""
    return {
        "openapi": "3.1.0",
        "info": {
            "title": "autostatistician",
            "version": version("autostatistician"),
            "description": "Give it a table; it returns a model, answers and the page that explains them. "
            "Limits are those of the page.",
        },
        "paths": {
            "/api/reports": {"post": _new(bounds)},
            "/api/reports/{id}": {
                "get": _operation("Where a report stands.", "Report", [_ID]),
                "delete": _operation("Forget a report that is not being worked on.", None, [_ID, _KEY]),
            },
            "/api/reports/{id}/stop": {
                "post": _operation("End a search with the best model so far.", "Report", [_ID, _KEY])
            },
            "/api/reports/{id}/answers/{question}": {"get": _answer()},
            "/api/reports/{id}/files/{file}": {"get": _file()},
        },
        "components": {
            "schemas": {
                "Report": STATE,
                "Error": ERROR,
                "Answer": schema("answer-1"),
                "Facts": schema("facts-1"),
            }
        },
    }


def _parameter(name: str, where: str, description: str, kind: Json | None = None) -> Json:
    return {
        "name": name, "in": where, "required": where == "path", "description": description, "schema": kind or TEXT,
    }  # fmt: skip


_ID = _parameter("id", "path", "Of the report.")
_KEY = _parameter("X-Visitor", "header", "The key that came with the report.") | {"required": True}


def _operation(summary: str, answer: str | None, parameters: Sequence[Json], status: str = "200") -> Json:
    """An operation that answers by one of our schemas, or (None) with nothing."""
    content = {"application/json": {"schema": {"$ref": f"#/components/schemas/{answer}"}}}
    given: Json = {"description": "Done."} if answer is None else {"description": summary, "content": content}
    fault = {"application/json": {"schema": {"$ref": "#/components/schemas/Error"}}}
    faults = {"default": {"description": "What was expected, what was found, what to do.", "content": fault}}
    return {
        "summary": summary, "parameters": list(parameters),
        "responses": {"204" if answer is None else status: given, **faults},
    }  # fmt: skip


def _new(bounds: Bounds) -> Json:
    most = {"type": "integer", "minimum": 5, "maximum": bounds.seconds}
    asked = [
        _parameter("name", "query", "Of the table, with its ending: sales.csv."),
        _parameter("time", "query", "Column of the times; guessed without."),
        _parameter("target", "query", "Column to model; guessed without."),
        _parameter("where", "query", "COLUMN=VALUE: the rows of one of several series; may be repeated."),
        _parameter("task", "query", "What the target is.", {"enum": list(TASK_WORDS)}),
        _parameter("language", "query", "What the search may use.", {"enum": list(LANGUAGE_WORDS)}),
        _parameter("depth", "query", "Levels.", {"type": "integer", "minimum": 1, "maximum": bounds.depth}),
        _parameter("budget", "query", "Seconds of the search at most.", most),
        _parameter("steps", "query", "Of the forecast.", {"type": "integer", "minimum": 1, "maximum": bounds.steps}),
        _parameter("lang", "query", "Of the words.", {"enum": list(LANGUAGE_NAMES)}),
        _parameter("X-Visitor", "header", "The key of a report before, to be the same visitor."),
    ]
    operation = _operation("Begin a report on the table in the body.", "Report", asked, "202")
    return operation | {
        "requestBody": {
            "required": True,
            "description": f"A table: at most {bounds.megabytes} MB, {bounds.rows} rows, {bounds.columns} columns.",
            "content": {"text/csv": {}, "application/octet-stream": {}},
        }
    }


def _answer() -> Json:
    question = _parameter("question", "path", "What is asked.", {"enum": [*QUESTIONS, *COMPUTED]})
    given = [
        _parameter("at", "query", "A date, month or year: of forecast, events and why."),
        _parameter("against", "query", "Of why: what it is compared with."),
        _parameter("from", "query", "Of trend, events, forecast and what-if."),
        _parameter("to", "query", "Of the same."),
        _parameter("set", "query", "Of what-if: promo=0,price=+10%."),
    ]
    return _operation("Answer a question with sentences and numbers.", "Answer", [_ID, question, *given])


def _file() -> Json:
    operation = _operation(
        "Take a file of a finished report away.", "Report",
        [_ID, _parameter("file", "path", "Which.", {"enum": list(DOWNLOAD_TYPES)})],
    )  # fmt: skip
    operation["responses"]["200"] = {
        "description": "The file.", "content": {kind: {} for kind in dict.fromkeys(DOWNLOAD_TYPES.values())},
    }  # fmt: skip
    return operation
