"""The pages on reading our JSON elsewhere: what they show runs, and names what is there."""

import json
import re
import shutil
import subprocess
from pathlib import Path

import pytest
from tests.promoted import fitted

HOW_TO = Path(__file__).resolve().parents[1] / "docs" / "how-to"


def _code(page: str, language: str) -> str:
    (code,) = re.findall(rf"^```{language}\n(.*?)^```$", (HOW_TO / page).read_text(encoding="utf-8"), re.M | re.S)
    return str(code)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """An answer and a report as the pages make them."""
    model = fitted()
    (tmp_path / "answer.json").write_text(json.dumps(model.ask("trend", start="2024").to_json()), encoding="utf-8")
    model.report(tmp_path / "report.json")
    return tmp_path


def test_the_page_on_javascript_runs(folder: Path) -> None:
    node = shutil.which("node")
    if node is None:
        pytest.skip("there is no node")
    (folder / "read.mjs").write_text(_code("javascript-and-r.md", "js"), encoding="utf-8")
    done = subprocess.run(
        [node, "read.mjs"], cwd=folder, capture_output=True, text=True, check=False, timeout=60, env={"PATH": ""}
    )
    assert done.returncode == 0, done.stderr
    number, title, lead, first = done.stdout.splitlines()
    assert re.fullmatch(r"Change [\d.]+ sales [\d.]+ [\d.]+ 1 2024-01-01T00:00:00 2025-02-17T00:00:00", number)
    report = json.loads((folder / "report.json").read_text(encoding="utf-8"))
    assert title == f"{report['title']} {len(report['record']['facts'])}"
    assert re.fullmatch(rf"{re.escape(report['abstract'])} {len(report['points'])} [1-9]\d*", lead)
    assert first.startswith("data 2024-01-01 95.1")


def test_the_page_on_r_names_keys_that_are_there(folder: Path) -> None:
    """There is no R here: the names that its code takes are looked up instead."""
    code = _code("javascript-and-r.md", "r")
    answer, report = (
        json.loads((folder / f"{name}.json").read_text(encoding="utf-8")) for name in ("answer", "report")
    )
    assert set(re.findall(r"answer\$(\w+)", code)) <= answer.keys()
    assert set(re.findall(r"numbers\$(\w+)", code)) <= answer["numbers"][0].keys()
    assert set(re.findall(r"report\$(\w+)", code)) <= report.keys()
    assert {"record", "axes", "sections"} <= set(re.findall(r"report\$(\w+)", code))


def test_a_report_on_a_series_of_two_columns_is_small(folder: Path) -> None:
    assert (folder / "report.json").stat().st_size <= 300_000
