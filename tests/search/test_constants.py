"""The table of constants: every one says which benchmark chose it, or that none did."""

from __future__ import annotations

import ast
import re
from pathlib import Path

from autostatistician.search import constants

SOURCE = Path(constants.__file__).read_text(encoding="utf-8")


def _commented() -> dict[str, str]:
    """The comment above every assignment, by its line."""
    lines, found = SOURCE.splitlines(), {}
    for node in ast.parse(SOURCE).body:
        if isinstance(node, ast.Assign) and not ast.unparse(node).startswith("__all__"):
            first = place = node.lineno - 1
            while lines[place - 1].startswith("# "):
                place -= 1
            found[lines[first]] = " ".join(line.removeprefix("# ") for line in lines[place:first])
    return found


def test_every_constant_says_where_it_comes_from() -> None:
    comments = _commented()
    assert len(comments) > 20
    silent = [line for line, text in comments.items() if not re.search(r"benchmark|docs/explanation/", text)]
    assert silent == []


def test_files_that_are_named_are_there() -> None:
    root = Path(__file__).resolve().parents[2]
    named = re.findall(r"(?:benchmarks|docs/explanation)/[\w-]+\.(?:py|md)", SOURCE)
    assert named
    assert [name for name in named if not (root / name).exists()] == []
