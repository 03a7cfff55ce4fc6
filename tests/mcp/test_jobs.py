"""Jobs of agents: what is looked at, fitted, asked and written, within bounds."""

import base64
import json
from pathlib import Path
from typing import Any

import pytest
from tests.mcp.tables import write_models, write_tables
from tests.saved_models.models import saved
from tests.schemas import check

from autostatistician.errors import InputError
from autostatistician.mcp.jobs import MOST_MODELS, OWN, AgentFolder, Jobs
from autostatistician.report.jsonform import read_report
from autostatistician.web.jobs import model_of
from autostatistician.web.tables import Bounds


@pytest.fixture
def folder(tmp_path: Path) -> AgentFolder:
    root = tmp_path / "tables"
    (root / "deep").mkdir(parents=True)
    (root / ".hidden").mkdir()
    for name in ("sales.csv", "deep/cars.tsv", ".hidden/keys.csv", ".env.csv", "notes.md"):
        (root / name).write_text("a,b\n1,2\n", encoding="utf-8")
    (tmp_path / "outside.csv").write_text("a,b\n1,2\n", encoding="utf-8")
    (root / "link.csv").symlink_to(tmp_path / "outside.csv")
    (root / "near.csv").symlink_to(root / "sales.csv")
    (root / "hidden.csv").symlink_to(root / ".env.csv")
    return AgentFolder(root, 1)


def test_tables_are_found_by_their_names_and_examples_too(folder: AgentFolder) -> None:
    assert folder.table("sales.csv") == (folder.root / "sales.csv").resolve()
    assert folder.table("deep/../deep/cars.tsv") == (folder.root / "deep" / "cars.tsv").resolve()
    assert folder.table("airline") == "airline"
    assert folder.tables() == ["near.csv", "sales.csv"]


OUTSIDE = ["../outside.csv", "link.csv", "/etc/hosts", ".hidden/keys.csv", ".env.csv", "deep/../../outside.csv"]


@pytest.mark.parametrize("name", [*OUTSIDE, "hidden.csv", "a\0b.csv", "near.csv/../../outside.csv"])
def test_nothing_else_is_read(folder: AgentFolder, name: str) -> None:
    with pytest.raises(InputError, match="a table in the folder"):
        folder.table(name)


@pytest.mark.parametrize("name", ["a" * 6000, "deep/" + "a" * 300 + ".csv", "a/" * 3000, "sales.csv/more.csv"])
def test_what_can_be_no_file_is_none_of_the_tables(folder: AgentFolder, name: str) -> None:
    with pytest.raises(InputError, match=r"a table among near\.csv, sales\.csv") as caught:
        folder.table(name)
    assert len(str(caught.value)) < 250


def test_what_is_no_table_is_refused(folder: AgentFolder) -> None:
    with pytest.raises(InputError, match=r"a \.csv, \.tsv"):
        folder.table("notes.md")
    with pytest.raises(InputError, match=r"among near\.csv, sales\.csv"):
        folder.table("cars.csv")
    (folder.root / "large.csv").write_bytes(b"1" * 1_100_000)
    with pytest.raises(InputError, match="at most 1 MB; found 1 MB"):
        folder.table("large.csv")


def test_models_are_those_of_our_own_folder(folder: AgentFolder) -> None:
    for name in ("../sales", "a/b", "", ".hidden", "x" * 200):
        with pytest.raises(InputError, match="the name of a model"):
            folder.model(name)
    with pytest.raises(InputError, match="none yet"):
        folder.model("sales-1")
    ((folder.root / OWN) / "models").mkdir(parents=True)
    ((folder.root / OWN) / "models" / "sales-1.json").write_text("{}", encoding="utf-8")
    assert folder.model("sales-1") == folder.root / OWN / "models" / "sales-1.json"
    folder.check_room()
    for count in range(MOST_MODELS):
        ((folder.root / OWN) / "models" / f"m{count}.json").touch()
    with pytest.raises(InputError, match="room for another model"):
        folder.check_room()


def test_a_link_in_the_place_of_our_own_folder_is_refused(folder: AgentFolder, tmp_path: Path) -> None:
    (folder.root / OWN).symlink_to(tmp_path)
    with pytest.raises(InputError, match="a link to elsewhere"):
        folder.models()


@pytest.mark.parametrize("linked", ["models", "models/sales-1.json", "reports", "reports/sales-1/report.md"])
def test_links_inside_of_our_own_folder_lead_nowhere(folder: AgentFolder, tmp_path: Path, linked: str) -> None:
    link = folder.root / OWN / linked
    link.parent.mkdir(parents=True)
    link.symlink_to(tmp_path / "outside.csv" if link.suffix else tmp_path)
    with pytest.raises(InputError, match=f"a link to elsewhere, '{OWN}/{linked}'"):
        folder.place(*Path(linked).parts)
    if linked == "models/sales-1.json":
        assert folder.models() == []
        with pytest.raises(InputError, match="a link to elsewhere"):
            folder.model("sales-1")


@pytest.fixture(scope="module")
def root(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with tables and models of them."""
    root = tmp_path_factory.mktemp("tables")
    write_tables(root)
    write_models(root)
    return root


@pytest.fixture
def jobs(root: Path) -> Jobs:
    """A process that knows nothing of what was asked before."""
    return Jobs(root, Bounds(rows=200, columns=6, seconds=60, depth=1, steps=50))


def _sent(jobs: Jobs, name: str, **asked: Any) -> Any:
    return json.loads(json.dumps(jobs.by_name()[name](asked, lambda told: None)))


def test_a_look_fits_nothing(jobs: Jobs, root: Path) -> None:
    seen = _sent(jobs, "look", file="houses.csv")
    assert (seen["rows"], seen["columns"], seen["target"]) == (60, ["size", "kind", "price"], "price")
    assert len(seen["head"]) == 8
    assert _sent(jobs, "look")["tables"] == ["houses.csv", "levels.csv", "people.csv", "sales.csv", "visits.csv"]
    assert _sent(jobs, "look", file="airline")["target"] == "passengers"
    assert not list((root / "autostatistician").rglob("houses-*"))


@pytest.mark.slow
def test_a_table_is_fitted_once_and_says_how_far_it_is(jobs: Jobs, root: Path) -> None:
    told: list[dict[str, Any]] = []
    first = jobs.fit({"file": "levels.csv", "seconds": 60}, told.append)
    assert told[0]["level"] == 0
    written = (root / "autostatistician" / "models" / f"{first['model']}.json").stat().st_mtime_ns
    again = Jobs(root, jobs.bounds).fit({"file": "levels.csv", "seconds": 60}, told.append)
    assert json.dumps(again) == json.dumps(first)
    assert (root / "autostatistician" / "models" / f"{first['model']}.json").stat().st_mtime_ns == written
    assert not list(root.rglob("*.checkpoint"))
    other = _sent(jobs, "fit", file="levels.csv", seconds=60, target="year", inputs=["level"])
    assert other["model"] != first["model"]


@pytest.mark.slow
def test_answers_are_those_of_the_model_and_the_same_bytes_again(jobs: Jobs) -> None:
    name = "levels"
    answer = _sent(jobs, "ask", model=name, question="trend", start="1960", stop="1990")
    check(answer, "answer-1")
    assert answer == saved(name).ask("trend", start="1960", stop="1990").to_json()
    ahead = _sent(jobs, "forecast", model=name, steps=3)
    check(ahead, "forecast-1")
    assert [row["mean"] for row in ahead["forecast"]] == pytest.approx(saved(name).forecast(3)["mean"].tolist())
    every = (
        ("explain", {"model": name, "facts": True}),
        ("forecast", {"model": name, "steps": 3}),
        ("ask", {"model": name, "question": "trend", "start": "1960", "stop": "1990"}),
        ("report", {"model": name, "pictures": 1}),
    )
    first = [_sent(jobs, job, **asked) for job, asked in every]
    jobs.folder.model(name).touch()  # it is loaded again
    assert json.dumps(first) == json.dumps([_sent(jobs, job, **asked) for job, asked in every])


@pytest.mark.slow
def test_a_report_is_written_into_our_own_folder_and_shown(jobs: Jobs, root: Path) -> None:
    name = "levels"
    before = {path for path in root.rglob("*") if "autostatistician" not in path.parts}
    made = _sent(jobs, "report", model=name, steps=5, pictures=2)
    assert {path for path in root.rglob("*") if "autostatistician" not in path.parts} == before
    assert [Path(path).suffix for path in made["files"]] == [".html", ".md", ".json"]
    assert made["text"] == (root / made["files"][1]).read_text(encoding="utf-8")
    assert [base64.b64decode(picture["png"])[:4] for picture in made["pictures"]] == [b"\x89PNG", b"\x89PNG"]
    read = read_report(root / made["files"][2])
    assert made["pictures"][0]["id"] in read.figures


def test_an_explanation_has_facts_only_where_they_are_asked_for(jobs: Jobs) -> None:
    short, long = (_sent(jobs, "explain", model="levels", facts=facts) for facts in (False, True))
    assert "facts" not in short
    assert long["facts"]
    assert "seconds" not in long
    assert short["sentences"] == long["sentences"]


@pytest.mark.parametrize(
    ("job", "asked", "expected"),
    [
        ("look", {"file": "../x.csv"}, "a table in the folder"),
        ("fit", {"file": "levels.csv", "seconds": 4000}, "5 to 60 seconds"),
        ("fit", {"file": "sales.csv", "target": "nothing"}, "nothing"),
        ("ask", {"model": "none-1", "question": "what"}, "a model among"),
    ],
)
def test_what_is_beyond_the_bounds_is_refused(jobs: Jobs, job: str, asked: dict[str, Any], expected: str) -> None:
    with pytest.raises(InputError, match=expected):
        _sent(jobs, job, **asked)


def test_more_rows_or_steps_than_the_bounds_are_refused(root: Path) -> None:
    few = Jobs(root, Bounds(rows=20, steps=5, seconds=60, depth=2))
    with pytest.raises(InputError, match="20"):
        _sent(few, "fit", file="levels.csv")
    with pytest.raises(InputError, match="from 1 to 5"):
        _sent(few, "forecast", model="levels", steps=6)


@pytest.mark.slow
def test_models_that_were_asked_stay_in_memory(jobs: Jobs) -> None:
    _sent(jobs, "ask", model="people", question="what")
    path = jobs.folder.model("people")
    first = model_of(path)
    _sent(jobs, "ask", model="people", question="what")
    assert model_of(path) is first
