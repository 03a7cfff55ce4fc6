import sys
from pathlib import Path

import numpy as np
import pytest
from scipy import stats
from scipy.integrate import quad

from autostatistician.errors import WriteError
from common import (
    Bench,
    Ledger,
    _bare,
    code_version,
    command,
    deciding,
    drop_other_versions,
    geometric_mean,
    own_versions,
    read_rows,
    scores,
    seeds_of_one_code,
    split_series,
    write_rows,
)

CASE, COLUMNS = ("series", "seed"), ("code", "rmse")


@pytest.fixture
def table(tmp_path: Path) -> Path:
    return tmp_path / "results" / "table.csv"


def _row(series: str, code: str = "1", rmse: float = 1.0) -> dict[str, object]:
    return {"series": series, "seed": 0, "code": code, "rmse": rmse}


def _scored(y: float, mean: float, sd: float) -> dict[str, float]:
    return scores(np.array([y]), np.array([mean]), np.array([sd]))


@pytest.mark.parametrize(("y", "mean", "sd"), [(0.3, 0.0, 1.0), (-4.0, 1.0, 2.0), (7.0, 7.0, 0.5)])
def test_crps_is_the_integral_of_the_squared_distance_of_distributions(y: float, mean: float, sd: float) -> None:
    law = stats.norm(mean, sd)
    below, _ = quad(lambda t: law.cdf(t) ** 2, mean - 40 * sd, y)
    above, _ = quad(lambda t: law.sf(t) ** 2, y, mean + 40 * sd)
    assert _scored(y, mean, sd)["crps"] == pytest.approx(below + above, rel=1e-5)


def test_nlp_is_the_mean_negative_log_density() -> None:
    y, mean, sd = np.array([1.0, 2.0, -3.0]), np.array([0.0, 2.5, 1.0]), np.array([1.0, 0.1, 4.0])
    assert scores(y, mean, sd)["nlp"] == pytest.approx(-stats.norm.logpdf(y, mean, sd).mean(), rel=1e-5)


def test_errors_are_those_of_the_mean() -> None:
    found = scores(np.array([1.0, 5.0]), np.array([4.0, 1.0]), np.ones(2))
    assert found["rmse"] == pytest.approx(np.sqrt(12.5), rel=1e-5)
    assert found["mae"] == 3.5


def test_coverage_counts_the_central_95_percent() -> None:
    y = stats.norm.ppf([0.02, 0.03, 0.5, 0.97, 0.98])
    assert scores(y, np.zeros(5), np.ones(5))["coverage95"] == 0.6


def test_coverage_prefers_the_interval_of_the_method() -> None:
    y, wide = np.array([3.0, 4.0]), np.array([3.5, 3.5])
    assert scores(y, np.zeros(2), np.ones(2), -wide, wide)["coverage95"] == 0.5


def test_geometric_mean() -> None:
    assert geometric_mean([0.5, 8.0]) == pytest.approx(2.0)


def test_a_row_makes_its_case_done_for_its_code_only(table: Path) -> None:
    ledger = Ledger(table, CASE, COLUMNS)
    assert not ledger.done(_row("a"))
    ledger.write(_row("a"))
    again = Ledger(table, CASE, COLUMNS)
    assert again.done(_row("a"))
    assert not again.done(_row("b"))
    assert not again.done(_row("a", code="2"))
    assert not Ledger(table, CASE, COLUMNS, fresh=True).done(_row("a"))


def test_a_new_row_takes_the_place_of_the_older_one(table: Path) -> None:
    ledger = Ledger(table, CASE, COLUMNS)
    for row in (_row("a"), _row("b"), _row("a", code="2", rmse=0.5)):
        ledger.write(row)
    assert [(row["series"], row["code"], row["rmse"]) for row in read_rows(table)] == [
        ("a", "2", "0.5"),
        ("b", "1", "1.0"),
    ]
    assert [path.name for path in table.parent.iterdir()] == [table.name]


def test_a_line_that_was_cut_off_is_done_again(table: Path) -> None:
    ledger = Ledger(table, CASE, COLUMNS)
    ledger.write(_row("a"))
    with table.open("a") as file:
        file.write("b,0,1")
    assert not ledger.done(_row("b"))
    ledger.write(_row("b"))
    assert [row["series"] for row in read_rows(table)] == ["a", "b"]


def test_a_table_is_written_whole_with_the_columns_of_its_first_row(tmp_path: Path) -> None:
    table = tmp_path / "table.csv"
    write_rows(table, [{"a": 1, "b": "x,y"}, {"a": 2, "b": ""}])
    assert table.read_bytes() == b'a,b\n1,"x,y"\n2,\n'
    with pytest.raises(WriteError):
        write_rows(tmp_path / "nowhere" / "table.csv", [{"a": 1}])


def test_the_version_of_the_code_is_short() -> None:
    assert len(code_version().split("+")[1]) == 8


def test_comments_and_docstrings_are_no_new_version_of_the_code() -> None:
    known = _bare('def f():\n    """One."""\n    return 1\n')
    assert _bare('def f():\n    """Two."""\n    return 1  # one\n') == known
    assert _bare('def f():\n    """One."""\n    return 2\n') != known


def test_tables_of_learned_numbers_decide_too_and_examples_do_not(tmp_path: Path) -> None:
    for name in ("b.py", "a.csv", "notes.md", "examples/airline.csv"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).touch()
    assert [path.name for path in deciding(tmp_path)] == ["a.csv", "b.py"]


@pytest.mark.parametrize("kind", ["extrapolation", "interpolation"])
@pytest.mark.parametrize("name", ["06-internet", "07-call-centre"])
def test_both_axes_split_a_series_alike(shared_data: Path, kind: str, name: str) -> None:
    raw, calendar = (split_series(shared_data, kind, name, axis) for axis in ("raw", "calendar"))
    assert raw.train.n == calendar.train.n
    assert sorted(raw.train.y) == sorted(calendar.train.y)
    assert np.array_equal(raw.test_y, calendar.test_y)
    assert not raw.places.y.any()
    assert not calendar.places.y.any()
    order = np.argsort(raw.test_X[:, 0], kind="stable")
    if name == "07-call-centre":  # the months are in the same order on both axes
        assert (np.diff(calendar.test_X[order, 0]) > 0).all()
    if kind == "extrapolation":
        assert calendar.train.x.max() < calendar.test_X.min()


def test_seeds_of_another_code_do_not_count_as_seeds() -> None:
    rows = [_row("a", "old") | {"seed": seed} for seed in ("2", "10")] + [_row("a", "new") | {"seed": "0"}]
    assert seeds_of_one_code(rows) == rows[2:]
    assert [row["seed"] for row in seeds_of_one_code(rows[1::-1])] == ["2", "10"]


def test_rows_of_ours_by_other_versions_are_taken_out(tmp_path: Path) -> None:
    codes = ("0.1.0+0a1b2c3d", "0.2.0+0a1b2c3d", "0.2.0+0a1b2c3d.77665544", "4ee8301", "prophet 1.5.0", "own", "")
    write_rows(tmp_path / "a.csv", [{"case": k, "code": code} for k, code in enumerate(codes)])
    assert drop_other_versions(tmp_path / "a.csv", "0.2.0+0a1b2c3d") == 2
    assert [row["code"] for row in read_rows(tmp_path / "a.csv")] == [*codes[1:3], *codes[4:]]
    assert own_versions(tmp_path) == {"a.csv": set(codes[1:3])}


def test_a_script_takes_other_versions_out_of_tables_that_are_whole(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def bench(name: str, value: str) -> Bench:
        return Bench(
            file=name, case=("set",), columns=("rmse", "code"), options={"set": ("x",)},
            run=lambda case, given: {"rmse": float(value)},
        )  # fmt: skip

    for name in ("a.csv", "b.csv", "c.csv"):
        write_rows(tmp_path / name, [{"set": "gone", "rmse": 1, "code": "0.1.0+0a1b2c3d"}])
    monkeypatch.setattr(sys, "argv", ["script.py", "--results", str(tmp_path), "--drop-others"])
    with pytest.raises(SystemExit, match="1"):
        command("", bench("a.csv", "2"), bench("b.csv", "no number"))
    left = {name: [row["set"] for row in read_rows(tmp_path / f"{name}.csv")] for name in "abc"}
    assert left == {"a": ["x"], "b": ["gone"], "c": ["gone"]}
