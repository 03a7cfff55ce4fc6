"""The command line with the real loader and estimator, on small data."""

import json
import logging
import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from tests.cli.conftest import Run
from tests.saved_models.models import place

from autostatistician.cli.main import REPORT_SUFFIXES, main
from autostatistician.search.state import StepInfo

QUICK = ["--max-depth", "1", "--n-jobs", "1"]
NO_SIGNALS = pytest.mark.skipif(os.name == "nt", reason="Windows has no SIGTERM that a process can answer")


@pytest.fixture(autouse=True)
def _in_an_empty_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("AUTOSTATISTICIAN_DEBUG", raising=False)
    yield
    logging.captureWarnings(False)


def _table(name: str = "sales.csv") -> str:
    rows = [f"2020-{1 + i % 12:02d}-01,{10.0 + i + i % 3}" for i in range(12)]
    Path(name).write_text("\n".join(["month,sales", *rows]), encoding="utf-8")
    return name


@pytest.mark.slow
def test_from_a_table_to_a_report_with_the_same_bytes_again(run: Run) -> None:
    assert run(["report", _table(), *QUICK]).out.endswith("Wrote sales-report.html\n")
    record = json.loads(run(["report", "sales.csv", *QUICK, "--output", "again.html", "--json"]).out)
    wanted = "expression components nll bic n_parameters n seconds evaluations warnings output"
    assert set(wanted.split()) <= set(record)
    assert (record["n"], record["output"]) == (12, "again.html")
    assert all({"expression", "sentence", "r2", "mae"} <= set(part) for part in record["components"])
    assert Path("again.html").read_bytes() == Path("sales-report.html").read_bytes()


@pytest.mark.slow
def test_a_saved_model_forecasts_and_describes(run: Run) -> None:
    model = str(place("airline"))
    table = run(["forecast", model, "--horizon", "2"]).out.splitlines()
    assert table[0] == "time,mean,std,lower,median,upper"
    assert [line.split(",")[0] for line in table[1:]] == ["1961-01-01", "1961-02-01"]
    assert json.loads(run(["forecast", model, "--horizon", "1", "--json"]).out)["forecast"][0]["time"] == "1961-01-01"
    assert all(line.endswith(".") for line in run(["describe", model]).out.splitlines())


@pytest.mark.parametrize(
    "content",
    [b"", b"\n\n", b"a,b\n", b"a,b\n1,2\n", b"a\nx\ny\nz\n", b"\xff\xfe\x00\x01", b"\x00" * 50, b"PK\x03\x04", b"{}"],
    ids=["empty", "blank", "header only", "one row", "words", "half UTF-16", "zeros", "no workbook", "JSON"],
)
def test_unusable_files_get_one_line_and_leave_nothing(content: bytes, run: Run) -> None:
    Path("bad.csv").write_bytes(content)
    out, err = run(["report", "bad.csv", *QUICK], 2)
    assert out == ""
    assert err.startswith("error: expected ")
    assert err.count("\n") == 1
    assert [path.name for path in Path().iterdir()] == ["bad.csv"]


def test_examples_are_listed(run: Run) -> None:
    assert {"airline", "mauna-loa"} <= {line.split()[0] for line in run(["examples"]).out.splitlines()}
    assert {"name", "title", "source"} == set(json.loads(run(["examples", "--json"]).out)["examples"][0])


def test_the_suffixes_are_those_of_the_report() -> None:
    from autostatistician.report.render import SUFFIXES

    assert set(SUFFIXES) == set(REPORT_SUFFIXES)


@pytest.mark.slow
@pytest.mark.skipif(os.name == "nt", reason="Windows has no SIGINT for one process")
def test_ctrl_c_writes_the_best_model_so_far() -> None:
    code = (
        "import signal, sys; import autostatistician.cli.main as c; "
        "signal.signal(signal.SIGINT, signal.default_int_handler); "
        # at the second level, however fast the machine is
        "c.ProgressBar.step = lambda self, info: info.level == 1 and signal.raise_signal(signal.SIGINT); "
        "sys.exit(c.main(['report', 'sales.csv', '--n-jobs', '1', '--output', 'a.md']))"
    )
    _table()
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False, timeout=120)
    assert done.returncode == 130
    assert done.stderr.endswith("note: interrupted; this is the best model found so far\n")
    assert Path("a.md").stat().st_size > 1000


def _promotions() -> str:
    """Months of sales that a promotion raises by twelve, and four months of a plan."""
    promo = [int(i % 7 in (2, 3)) for i in range(44)]
    sales = [f"{50.0 + i + 12.0 * on + 0.5 * (i % 3):.1f}" if i < 40 else "" for i, on in enumerate(promo)]
    months = [f"{2020 + i // 12}-{1 + i % 12:02d}-01" for i in range(44)]
    rows = [",".join(map(str, row)) for row in zip(months, sales, promo, strict=True)]
    Path("shop.csv").write_text("\n".join(["month,sales,promo", *rows]), encoding="utf-8")
    return "shop.csv"


@pytest.mark.slow
def test_columns_beside_a_series_are_told_with_their_effects(run: Run, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["fit", _promotions(), *QUICK, "--target", "sales", "--output", "shop.json", "--quiet"]) == 0
    capsys.readouterr()
    record = json.loads(run(["report", "shop.json", "--horizon", "4", "--json", "--output", "shop-report.html"]).out)
    (promo,) = record["columns"]
    assert (promo["column"], promo["standing"], promo["effect"]["of"]) == ("promo", "matters", "1 instead of 0")
    assert promo["effect"]["lower"] - 0.5 < 12.0 < promo["effect"]["upper"] + 0.5
    assert [row["at"] for row in record["forecast_with_columns"][:2]] == ["2023-05-01T00:00:00", "2023-06-01T00:00:00"]
    page = Path("shop-report.html").read_text(encoding="utf-8")
    for text in (
        "What the columns say",
        "These are associations",
        "as planned",
        "What each column adds to",
        "The course in time alone, without",
    ):
        assert text in page
    said = run(["describe", "shop.json"]).out
    assert "'promo' adds 1" in said


def _fairs() -> str:
    """Two years of days with own events: on the day 30 less, the day before 12 more; at the gala 30 more than that."""
    rng = np.random.default_rng(3)
    days = pd.date_range("2022-01-01", periods=560, freq="D")
    starts = {
        "fair": ["03-05", "09-14"], "market": ["04-20", "10-19"], "race": ["02-12", "08-03"],
        "gala": ["05-24", "06-28"],
    }  # fmt: skip
    dates = {name: pd.to_datetime([f"{year}-{day}" for year in (2022, 2023, 2024) for day in starts[name]])
             for name in starts}  # fmt: skip
    every = pd.DatetimeIndex(np.concatenate([values.to_numpy() for values in dates.values()]))
    visits = 200.0 - 30.0 * days.isin(every) + 12.0 * (days + pd.Timedelta(days=1)).isin(every)
    visits += -30.0 * days.isin(dates["gala"]) + rng.normal(0.0, 3.0, days.size)
    pd.DataFrame({"date": days, "visits": visits.round(1)}).to_csv("visits.csv", index=False)
    rows = [(name, str(day.date()), 1, 0) for name, values in dates.items() for day in values]
    pd.DataFrame(rows, columns=["name", "date", "before", "after"]).to_csv("events.csv", index=False)
    return "visits.csv"


@pytest.mark.slow
def test_events_of_a_calendar_are_told_together(run: Run) -> None:
    command = ["report", _fairs(), "--target", "visits", "--holidays", "events.csv", "--language", "linear"]
    command += [*QUICK, "--transform", "none", "--outliers", "keep"]
    record = json.loads(run([*command, "--json"]).out)
    events = {event["event"]: event for event in record["holidays"]}
    assert {event["standing"] for event in events.values()} == {"matters"}
    effects = {day["days"]: day for day in events["fair"]["days"]}
    assert effects[0]["lower"] - 1.0 < -30.0 < effects[0]["upper"] + 1.0
    assert effects[-1]["lower"] - 1.0 < 12.0 < effects[-1]["upper"] + 1.0
    assert record["columns"] == []
    page = Path("visits-report.html").read_text(encoding="utf-8")
    assert (
        "Events of &#39;events.csv&#39;: on most of them &#39;visits&#39; is about 29 lower and the day before" in page
    )
    assert "&#39;gala&#39; stands out (59 lower)" in page
    assert "What events add to" in page


# --- interruptions ---------------------------------------------------------------------------------------------------


@pytest.mark.slow
@NO_SIGNALS
@pytest.mark.parametrize("jobs", ["1", "2"])
def test_sigterm_writes_the_best_so_far_and_the_rest_follows(jobs: str) -> None:
    _table("a.csv")
    stop = "lambda self, info: info.level == 1 and os.killpg(0, signal.SIGTERM)"
    code = (
        "import os, signal, sys; import autostatistician.cli.main as c; "
        f"c.ProgressBar.step = {stop}; sys.exit(c.main(sys.argv[1:]))"
    )
    command = ["--language", "mkl", "--max-depth", "2", "--n-jobs", jobs, "--quiet", "--checkpoint", "c.json"]
    done = subprocess.run(
        [sys.executable, "-c", code, "fit", "a.csv", *command, "--output", "a.json"],
        capture_output=True,
        text=True,
        check=False,
        timeout=120,
        start_new_session=True,  # a service manager sends SIGTERM to all processes of a group
    )
    assert (done.returncode, done.stderr) == (143, "")
    assert json.loads(Path("a.json").read_text())["search"]["interrupted"]
    assert main(["fit", "a.csv", *command, "--output", "b.json"]) == 0
    assert not Path("c.json").exists()
    assert main(["fit", "a.csv", *command[:-2], "--output", "c.json"]) == 0
    rest, whole = (json.loads(Path(name).read_text())["search"] for name in ("b.json", "c.json"))
    assert rest["frontier"] == whole["frontier"]
    assert len(rest["trace"]) == len(whole["trace"])


@pytest.mark.slow
def test_a_checkpoint_stays_while_there_is_more_to_find(monkeypatch: pytest.MonkeyPatch, run: Run) -> None:
    def press(progress: object, step: StepInfo) -> None:
        if step.level == 1:
            raise KeyboardInterrupt

    _table("a.csv")
    options = ["--language", "se", *QUICK, "--quiet", "--checkpoint", "c.json", "--output", "m.json"]
    with monkeypatch.context() as patched:
        patched.setattr("autostatistician.cli.main.ProgressBar.step", press)
        assert main(["fit", "a.csv", *options]) == 130
    begun = Path("c.json").read_bytes()
    assert main(["fit", "a.csv", *options, "--time-budget", "1e-9"]) == 0
    assert Path("c.json").read_bytes() == begun  # the time was up before the next level was whole
    assert main(["fit", "a.csv", *options, "--time-budget", "100"]) == 0
    assert not Path("c.json").exists()
    assert main(["fit", "a.csv", "--language", "se", *QUICK, "--checkpoint", "m.json", "--output", "m.json"]) == 2
    assert "found something else" in run(["fit", "a.csv", "--language", "se", *QUICK, "--checkpoint", "m.json"], 2).err


@NO_SIGNALS
def test_sigterm_is_ctrl_c_with_another_code(monkeypatch: pytest.MonkeyPatch, run: Run) -> None:
    before = signal.getsignal(signal.SIGTERM)
    monkeypatch.setattr("autostatistician.cli.saved._loaded", lambda path: signal.raise_signal(signal.SIGTERM))
    assert run(["describe", "m.json"], 143).err == "error: interrupted before the work was done\n"
    monkeypatch.setattr(signal, "getsignal", lambda number: signal.SIG_IGN)
    assert main(["describe", "m.json"]) == 143
    monkeypatch.undo()
    assert signal.getsignal(signal.SIGTERM) is before
