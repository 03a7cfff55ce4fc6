"""Each sentence has a test that holds it word for word, and each kind of fact is told on a golden page."""

from __future__ import annotations

import ast
import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
DESCRIBE, TESTS = ROOT / "src" / "autostatistician" / "describe", ROOT / "tests" / "describe"
GOLDEN = ("tests/describe/words", "tests/describe/test_golden.py", "src/autostatistician/describe/words")
HOW = "no golden text holds it: add a line to tests/describe/spoken, then run python -m tests.describe.golden"


@pytest.mark.slow
def test_every_sentence_is_held_word_for_word(tmp_path: Path) -> None:
    report = tmp_path / "told.json"
    command = [
        sys.executable,
        "-m",
        "pytest",
        "-q",
        "-x",
        "-p",
        "no:cacheprovider",
        "-p",
        "tests.guards.told",
        "--told",
    ]
    paths = os.pathsep.join([str(ROOT / "src"), str(ROOT), os.environ.get("PYTHONPATH", "")])
    done = subprocess.run(
        [*command, str(report), "--doctest-modules", *GOLDEN], cwd=ROOT, env={**os.environ, "PYTHONPATH": paths},
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stdout[-3000:]
    known = json.loads(report.read_text(encoding="utf-8"))
    assert known["watched"] > 1000
    assert [f"{path}:{line}: {code}" for path, line, code, _ in known["untold"]] == [], HOW


def _fact_kinds() -> set[str]:
    """The names of all kinds of facts, by their base classes."""
    bases: dict[str, set[str]] = {}
    for path in sorted((DESCRIBE / "facts").glob("*.py")):
        for node in ast.parse(path.read_text(encoding="utf-8")).body:
            if isinstance(node, ast.ClassDef):
                bases[node.name] = {ast.unparse(base) for base in node.bases}
    facts = {"Fact"}
    while more := {name for name, above in bases.items() if above & facts} - facts:
        facts |= more
    return facts - {"Fact", "ProbableFact", "FunctionFact"}  # what others have in common


def test_every_kind_of_fact_is_on_a_golden_page_or_in_a_golden_sentence() -> None:
    pages = "\n".join(path.read_text(encoding="utf-8") for path in (TESTS / "pages").glob("*.txt"))
    told = {name for line in re.findall(r"^facts: (.*)$", pages, re.MULTILINE) for name in line.split(", ")}
    told |= {
        node.id if isinstance(node, ast.Name) else node.attr
        for path in (*(TESTS / "spoken").glob("*.py"), *TESTS.glob("*_cases.py"))
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.Name | ast.Attribute)
    }
    kinds = _fact_kinds()
    assert len(kinds) > 40
    assert kinds - told == set(), "no golden page or sentence tells it"
