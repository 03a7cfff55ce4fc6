"""Commands that ask a saved model.

The command that checks a text.
"""

import json
from functools import cache
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from tests.cli.conftest import Run
from tests.promoted import PROMOTION, ROWS, table, with_sales
from tests.saved_models.models import place
from tests.schemas import check

from autostatistician.cli import saved as commands
from autostatistician.cli.main import main
from autostatistician.cli.saved import keep_told, read_told
from autostatistician.estimators.changes import NewsOfModel
from autostatistician.estimators.loading import load_estimator, predicted_rows
from autostatistician.estimators.statistician import AutomaticStatistician
from autostatistician.fitted import impact
from autostatistician.forms import QUESTIONS
from autostatistician.i18n.messages import spoken_in


@cache
def model() -> AutomaticStatistician:
    """The model of sales with few draws: not the one that other tests share."""
    return load_estimator(place("promotions"))  # type: ignore[return-value]


@pytest.fixture
def told(saved: str) -> Path:
    """The model with what it says."""
    keep_told(Path(saved), model())
    return Path(saved)


@pytest.mark.slow
def test_answers_from_the_file_are_those_of_the_model(told: Path, run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    bare = place("promotions")
    words = (["ask", "MODEL", "what", "--json"], ["describe", "MODEL", "--json"])
    computed = [run([str(bare) if word == "MODEL" else word for word in each]).out for each in words]
    monkeypatch.setattr(commands, "_loaded", lambda path: pytest.fail("the model was read"))
    assert [run([str(told) if word == "MODEL" else word for word in each]).out for each in words] == computed
    for question in QUESTIONS:
        answer = model().ask(question)
        assert run(["ask", told, question]).out.splitlines() == "\n".join(answer.sentences).splitlines()
        assert json.loads(run(["ask", told, question, "--json"]).out) == json.loads(json.dumps(answer.to_json()))


@pytest.mark.slow
def test_what_another_model_or_language_said_is_not_repeated(told: Path, tmp_path: Path) -> None:
    assert read_told(told)
    with spoken_in("de"):
        assert read_told(told) is None
    altered = json.loads(told.read_bytes())
    altered["dataset"]["y"][0] += 1.0
    for number, record in enumerate(([], {"told": altered["told"]}, altered, altered | {"told": None})):
        path = tmp_path / f"{number}.json"
        path.write_text(json.dumps(record), encoding="utf-8")
        assert read_told(path) is None
    assert read_told(tmp_path / "none.json") is None


@pytest.fixture
def saved(tmp_path: Path) -> str:
    """A saved model of sales with promotions and prices."""
    (tmp_path / "model.json").write_bytes(place("promotions").read_bytes())
    return str(tmp_path / "model.json")


@pytest.mark.slow
@pytest.mark.parametrize("suffix", [".html", ".json"])
def test_a_report_of_a_saved_model_is_the_one_of_its_search(
    saved: str, suffix: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / f"page{suffix}"
    assert main(["report", saved, "--output", str(path), "--horizon", "3", "--quiet"]) == 0
    whole = tmp_path / f"whole{suffix}"
    model().report(horizon=3).save(whole)
    assert path.read_bytes() == whole.read_bytes()
    assert not capsys.readouterr().err


def test_a_report_of_a_saved_model_takes_no_options_of_a_search(saved: str, tmp_path: Path, run: Run) -> None:
    for option in (["--time-budget", "3"], ["--time", "week"], ["--plan"], ["--outliers", "auto"]):
        printed = run(["report", saved, *option, "--output", tmp_path / "page.md"], 2).err
        assert f"found {option[0]}; leave them out" in printed
    other = tmp_path / "rows.json"
    for text in ('[{"day": 1}]', '{"format": "autostatistician report 3"}'):
        other.write_text(text, encoding="utf-8")
        assert "expected a saved model; found other JSON" in run(["report", other], 2).err
    assert "another file as output" in run(["report", saved, "--output", saved], 2).err


@pytest.mark.slow
def test_backtest_prints_the_scores_and_writes_the_forecasts(saved: str, tmp_path: Path, run: Run) -> None:
    words = ["backtest", saved, "--horizon", "2", "--n-splits", "1"]
    text = run([*words, "--output", tmp_path / "all.csv"]).out
    assert all(name in text for name in ("seasonal naive", "random walk with drift", "coverage95", "Wrote"))
    record = json.loads(run([*words, "--json"]).out)
    assert [row["forecast"] for row in record["scores"]] == ["model", "seasonal naive", "random walk with drift"]
    assert [row["step"] for row in record["by_step"] if row["forecast"] == "model"] == [1, 2]
    written = pd.read_csv(tmp_path / "all.csv")
    assert written["mean"].tolist() == pytest.approx([row["mean"] for row in record["forecasts"]])
    assert written["cutoff"].tolist() == [row["cutoff"] for row in record["forecasts"]]
    assert "found --max-depth; leave them out" in run([*words, "--max-depth", "2"], 2).err


def test_sums_and_chances_are_forecast_and_asked_for(saved: str, run: Run) -> None:
    record = json.loads(run(["forecast", saved, "--sum", "month", "--horizon", "9", "--above", "100", "--json"]).out)
    check(record, "forecast-1")
    first = record["forecast"][0]
    assert first["time"].endswith("-01")
    said = run(["ask", saved, "forecast", "--at", first["time"][:7], "--sum", "month", "--above", "100"]).out
    assert "should come to" in said
    assert "The chance of more than 100 is" in said
    assert "expected --what-if alone" in run(["forecast", saved, "--above", "1", "--what-if", "promo=0"], 2).err


def test_explain_says_why_and_closes(saved: str, run: Run) -> None:
    text = run(["explain", saved, "--at", "2025-01-06", "--against", "2024-01-08"]).out
    assert text.startswith("'sales': 6 January 2025 (")
    record = json.loads(run(["explain", saved, "--at", "2025-01-06", "--against", "2024-01-08", "--json"]).out)
    assert sum(part["mean"] for part in record["parts"]) == pytest.approx(record["difference"])
    assert record["sentences"] == text.splitlines()


@pytest.fixture
def plan(tmp_path: Path) -> str:
    """The plan of the next four weeks."""
    table()[ROWS:].drop(columns="sales").to_csv(tmp_path / "plan.csv", index=False)
    return str(tmp_path / "plan.csv")


def test_forecast_by_a_plan_goes_as_far_as_it(saved: str, plan: str, run: Run) -> None:
    record = json.loads(run(["forecast", saved, "--future", plan, "--json"]).out)
    assert (len(record["forecast"]), "notes" in record) == (4, False)
    out, err = run(["forecast", saved])
    assert len(out.splitlines()) == 13
    assert err.startswith("note: Without a plan for 'promo', values are taken to vary as they did so far; give a plan")
    assert "no file 'no.csv'" in run(["forecast", saved, "--future", "no.csv"], 2).err


HOUSES = "size,kind,colour\n80,flat,red\n120,house,blue\n"


def _rows(folder: Path, text: str) -> Path:
    path = folder / "rows.csv"
    path.write_text(text, encoding="utf-8")
    return path


def test_rows_of_a_table_are_predicted_beside_their_columns(tmp_path: Path, run: Run) -> None:
    rows, out = _rows(tmp_path, HOUSES), tmp_path / "predicted.csv"
    told = run(["predict", place("houses"), rows, "--output", out])
    assert "'colour' of the rows is not used" in told.err
    frame = pd.read_csv(out)
    names = ["mean", "std", "lower", "median", "upper"]
    assert list(frame) == ["size", "kind", "colour", *names]
    houses: AutomaticStatistician = load_estimator(place("houses"))  # type: ignore[assignment]
    expected = houses.predict(pd.DataFrame({"size": [80.0, 120.0], "kind": ["flat", "house"]}))
    assert frame["mean"].to_numpy() == pytest.approx(expected, abs=0.01)
    record = json.loads(run(["predict", place("houses"), rows, "--json"]).out)
    assert record["target"] == "price"
    assert [row["mean"] for row in record["rows"]] == pytest.approx(expected, rel=1e-12)
    assert all(row["lower"] < row["median"] < row["upper"] for row in record["rows"])


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("size\n80\n", "rows with the columns 'size', 'kind'; found only 'size'; add 'kind'"),
        ("size,kind\n80,castle\n", "a category of column 'kind' that the data had ('flat', 'house'); found 'castle'"),
        ("size,kind\nbig,flat\n", "numbers in column 'size'; found 'big' in row 1"),
    ],
)
def test_rows_that_do_not_fit_are_refused(text: str, said: str, tmp_path: Path, run: Run) -> None:
    assert said in run(["predict", place("houses"), _rows(tmp_path, text)], 2).err


def test_new_categories_and_columns_named_as_predictions_are_predicted_on_request(tmp_path: Path, run: Run) -> None:
    rows = _rows(tmp_path, "kind,mean,size\ncastle,7,80\nflat,8,80\n")
    told = json.loads(run(["predict", place("houses"), rows, "--unseen", "new", "--json"]).out)["rows"]
    assert [row["mean (given)"] for row in told] == [7.0, 8.0]
    assert told[0]["std"] > 2.0 * told[1]["std"]


def test_categories_that_are_numbers_stay_categories(tmp_path: Path) -> None:
    frame = pd.DataFrame({"zone": pd.Categorical(["1", "2"] * 15), "size": np.arange(30.0)})
    price = frame["size"] + 50.0 * (frame["zone"] == "2")
    fitted = AutomaticStatistician(max_depth=2, n_restarts=2, n_jobs=1).fit(frame, price)
    given, made = predicted_rows(fitted, _rows(tmp_path, "Size,zone\n3,1\n3,2\n"))
    assert given["zone"].tolist() == ["1", "2"]
    assert made["mean"].to_numpy() == pytest.approx(fitted.predict(frame.assign(size=3.0)[:2]), abs=1e-6)


def test_times_of_a_series_are_predicted_with_the_columns_beside_them(tmp_path: Path, run: Run) -> None:
    rows = _rows(tmp_path, table().iloc[[3, 5], :].drop(columns="sales").to_csv(index=False))
    told = json.loads(run(["predict", place("promotions"), rows, "--json"]).out)["rows"]
    expected = model().predict(table().iloc[[3, 5], :].drop(columns="sales"))
    assert [row["mean"] for row in told] == pytest.approx(expected, rel=0.01)


def test_a_table_has_no_forecast_whatever_plan_is_given(tmp_path: Path, run: Run) -> None:
    for name in ("houses", "kinds"):
        assert (
            "found a model of a table; use predict"
            in run(["forecast", place(name), "--future", _rows(tmp_path, HOUSES)], 2).err
        )


@pytest.mark.slow
def test_what_if_prints_both_and_the_difference(saved: str, plan: str, tmp_path: Path, run: Run) -> None:
    lines = run(["forecast", saved, "--future", plan, "--what-if", "promo=0"]).out.splitlines()
    assert lines[0].split(",") == [
        "time", "mean", "lower", "upper", "what_if_mean", "what_if_lower", "what_if_upper", "difference_mean",
        "difference_lower", "difference_upper",
    ]  # fmt: skip
    assert lines[5].startswith("With 'promo' at 0, 'sales' would be")
    assert "association" in lines[6]
    record = json.loads(run(["forecast", saved, "--horizon", "4", "--what-if", plan, "--json"]).out)
    assert record["total"]["mean"] == pytest.approx(sum(row["mean"] for row in record["difference"]))
    written = tmp_path / "both.csv"
    assert main(["forecast", saved, "--what-if", "promo=1", "--output", str(written)]) == 0
    assert written.read_text(encoding="utf-8").startswith("time,mean")
    for wrong in (["coupon=1"], ["promo=1", "promo=0"], ["promo=1", plan]):
        asked = [part for text in wrong for part in ("--what-if", text)]
        assert main(["forecast", saved, *asked]) == 2


@pytest.mark.slow
def test_a_dry_run_says_what_was_missed_and_moved(saved: str, tmp_path: Path, run: Run) -> None:
    new = str(tmp_path / "new.csv")
    with_sales(-PROMOTION).to_csv(new, index=False)
    text = run(["update", "--dry-run", saved, new], 3).out
    assert "lies outside the 95% range that was forecast" in text.splitlines()[0]
    assert "Search again" in text
    record = json.loads(run(["update", "--dry-run", saved, new, "--json"], 3).out)
    assert [row["missed"] for row in record["rows"]] == [False, False, True, False]
    assert [row["missed_by"] for row in record["rows"]] == ["", "", "'promo'", ""]
    assert "most moved: 'promo'" in text
    assert record["sentences"] == text.splitlines()
    written = json.loads(run(["update", saved, new, "--output", tmp_path / "now.json", "--json"]).out)
    assert set(record) == set(written) | {"moved"}
    same = ("known", "inside", "p_value", "surprising", "search_again")
    assert [record[name] for name in same] == [written[name] for name in same]


@pytest.mark.slow
def test_ask_answers_in_sentences_and_with_the_facts_behind_them(saved: str, run: Run) -> None:
    text = run(["ask", saved, "columns"]).out
    assert "'promo'" in text
    record = json.loads(run(["ask", saved, "columns", "--json"]).out)
    assert (record["question"], "\n".join(record["sentences"])) == ("columns", text.rstrip("\n"))
    assert record["facts"]
    printed = run(["ask", saved, "why", "--at", "2025-01-06", "--against", "2024-01-08", "--json"]).out
    assert {fact["kind"] for fact in json.loads(printed)["facts"]} >= {"part", "column"}
    for wrong in (["why", "--at", "2025-01-06"], ["trend", "--against", "2024-01-08"], ["forecast"], ["weather"]):
        assert main(["ask", saved, *wrong]) == 2


@pytest.mark.slow
def test_a_dry_run_answers_by_its_exit_code_and_writes_nothing(saved: str, tmp_path: Path, run: Run) -> None:
    new, before = str(tmp_path / "new.csv"), Path(saved).read_bytes()
    with_sales(-PROMOTION).to_csv(new, index=False)
    (line,) = run(["update", saved, new, "--dry-run", "--quiet"], 3).out.splitlines()
    assert "lies outside the 95% range that was forecast" in line
    with_sales().to_csv(new, index=False)
    assert run(["update", saved, new, "--dry-run", "--quiet"]).out == ""
    assert "within the 95% ranges" in run(["update", saved, new, "--dry-run"]).out
    assert main(["update", saved, str(tmp_path / "none.csv"), "--dry-run"]) == 2
    assert main(["update", saved, new, "--dry-run", "--output", str(tmp_path / "now.json")]) == 2
    assert Path(saved).read_bytes() == before
    assert sorted(path.name for path in tmp_path.iterdir()) == ["model.json", "new.csv"]


def test_a_dry_run_advises_a_search_after_many_usual_rows(
    saved: str, run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    usual = NewsOfModel(pd.DataFrame({"time": ["2025-01-06"]}), 0, 1, 0.4, False, True, (), ("Search again.",))
    monkeypatch.setattr(AutomaticStatistician, "compare", lambda *given: usual)
    assert json.loads(run(["update", "--dry-run", saved, "new.csv", "--json"], 4).out)["search_again"] is True


@pytest.mark.slow
def test_impact_of_an_event(tmp_path: Path, run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(impact, "PLACEBOS", 2)
    rows = table()[:ROWS]
    rows.loc[52:, "sales"] += 15.0
    rows.to_csv(tmp_path / "sales.csv", index=False)
    command = [
        "impact",
        str(tmp_path / "sales.csv"),
        "--since",
        "2024-12-30",
        "--language",
        "linear",
        "--max-depth",
        "1",
    ]
    record = json.loads(run([*command, "--n-jobs", "1", "--json"]).out)
    assert record["average"]["mean"] == pytest.approx(15.0, abs=1.5)
    assert record["average"]["lower"] > 13.0
    assert len(record["rows"]) == 8
    assert record["is_event"]
    assert main([*command[:3], "1999-01-01"]) == 2


@pytest.mark.slow
def test_holidays_stay_with_the_model_and_leaks_are_told(tmp_path: Path, run: Run) -> None:
    days, rng = pd.date_range("2023-01-01", periods=120), np.random.default_rng(1)
    fairs = ["2023-01-20", "2023-02-25", "2023-04-10", "2023-05-20"]
    visits = (50.0 + 30.0 * days.astype(str).isin(fairs) + rng.standard_normal(120)).round(2)
    pd.DataFrame({"day": days, "visits": visits, "euros": 2.0 * visits}).to_csv(tmp_path / "visits.csv", index=False)
    pd.DataFrame({"name": "fair", "date": fairs}).to_csv(tmp_path / "events.csv", index=False)
    saved = str(tmp_path / "model.json")
    command = ["fit", str(tmp_path / "visits.csv"), "--output", saved, "--language", "linear", "--max-depth", "1"]
    asked = ["--target", "visits", "--holidays", str(tmp_path / "events.csv"), "--n-jobs", "1"]
    assert "'euros' is the target in other units" in run([*command, *asked]).err
    rows = {
        row["time"][:10]: row["mean"]
        for row in json.loads(run(["forecast", saved, "--horizon", "25", "--json"]).out)["forecast"]
    }
    assert rows["2023-05-20"] - rows["2023-05-19"] == pytest.approx(30.0, abs=4.0)
    assert "'fair' +" in run(["explain", saved, "--at", "2023-02-25", "--against", "2023-02-24"]).out
    assert "'pounds'" in run([*command, "--target", "visits", "--allow-leaks", "pounds"], 2).err


TEXT = "In all, passengers rose by about 350.\n\n- They peak in February.\n\nThanks to all."


def test_a_text_is_checked_and_the_exit_code_tells(run: Run, tmp_path: Path) -> None:
    memo = tmp_path / "memo.txt"
    memo.write_text(TEXT, encoding="utf-8")
    found = run(["check", str(place("airline")), str(memo)], code=3)
    assert found.out.splitlines()[0] == "borne out     In all, passengers rose by about 350."
    assert found.out.splitlines()[-1] == "1 borne out, 1 contradicted, 0 unknown, 1 not checkable"
    memo.write_text(TEXT.split("\n")[0], encoding="utf-8")
    record = json.loads(run(["check", str(place("airline")), str(memo), "--json"]).out)
    assert [each["verdict"] for each in record["sentences"]] == ["borne out"]


def test_a_text_that_is_not_there_is_refused(run: Run, tmp_path: Path) -> None:
    assert "a text at" in run(["check", str(place("airline")), str(tmp_path / "none.txt")], code=2).err
