"""What is wrong with a table is said in one paragraph, by every regressor and on the command line."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

from autostatistician import (
    AdditiveGPRegressor,
    AutomaticStatistician,
    MultiOutputGPRegressor,
    SemiParametricGPRegressor,
    SymmetricGPRegressor,
)
from autostatistician.cli.main import main
from autostatistician.data.row_limits import ROW_LIMITS
from autostatistician.errors import InputError

RNG = np.random.default_rng(0)
N = 16
FRAME = pd.DataFrame({"a": RNG.normal(size=N), "b": RNG.normal(size=N), "kind": np.array(["x", "y"])[np.arange(N) % 2]})
NUMBERS = FRAME[["a", "b"]]
Y = (FRAME["a"] + (FRAME["kind"] == "x")).to_numpy() + 0.1 * RNG.normal(size=N)
HOLE = np.where(np.arange(N) == 4, np.nan, 1.0)
MAKERS: dict[str, Callable[[], Any]] = {
    "statistician": lambda: AutomaticStatistician(max_depth=0, n_restarts=1, n_jobs=1),
    "additive": lambda: AdditiveGPRegressor(max_order=1, n_restarts=1),
    "symmetric": lambda: SymmetricGPRegressor(n_restarts=1),
    "semi-parametric": lambda: SemiParametricGPRegressor(n_restarts=1),
    "several outputs": lambda: MultiOutputGPRegressor(n_restarts=1),
}
OTHERS = [name for name in MAKERS if name != "statistician"]


@pytest.fixture(scope="module")
def fitted() -> dict[tuple[str, bool], Any]:
    """Every regressor, fitted with and without a column of categories."""
    return {
        (name, mixed): make().fit(FRAME if mixed else NUMBERS, Y) for name, make in MAKERS.items() for mixed in (0, 1)
    }


def _refused(words: str, call: Callable[[], Any]) -> None:
    with pytest.raises(InputError, match=words) as refused:
        call()
    assert "\n" not in str(refused.value)


@pytest.mark.parametrize("name", MAKERS)
@pytest.mark.parametrize(
    ("mixed", "new", "words"),
    [
        (False, NUMBERS.assign(b=HOLE), "numbers in column 'b' of every row; found NaN in row 5; fill"),
        (True, FRAME.assign(b=HOLE), "numbers in column 'b' of every row; found NaN in row 5; fill"),
        (False, NUMBERS.assign(b=np.inf), "numbers in column 'b' of every row; found infinity in row 1 and"),
        (False, NUMBERS.assign(b="huh"), "numbers in column 'b'; found 'huh' in row 1; make numbers of"),
        (True, FRAME.assign(b="huh"), "numbers in column 'b'; found 'huh' in row 1; make numbers of"),
        (True, FRAME.assign(kind="q"), r"category of column 'kind' that the data had \('x', 'y'\); found 'q' in row 1"),
        (True, FRAME.assign(kind=[None, *"xy" * 7, "x"]), "that the data had .* found nothing in row 1; leave"),
    ],
)
def test_rows_to_predict(fitted: Any, name: str, mixed: bool, new: pd.DataFrame, words: str) -> None:
    _refused(words, lambda: fitted[name, mixed].predict(new))


@pytest.mark.parametrize("name", MAKERS)
@pytest.mark.parametrize("mixed", [False, True])
def test_columns_to_predict_from(fitted: Any, name: str, mixed: bool) -> None:
    """In the words that scikit-learn's contract wants, which name the columns."""
    model, frame = fitted[name, mixed], FRAME if mixed else NUMBERS
    with pytest.raises(ValueError, match=r"(?s)feature names should match.*unseen at fit time:\n- z.*missing:\n- b"):
        model.predict(frame.rename(columns={"b": "z"}))


@pytest.mark.parametrize("name", OTHERS)
@pytest.mark.parametrize(
    ("frame", "y", "words"),
    [
        (NUMBERS.assign(b=HOLE), Y, "numbers in column 'b' of every row; found NaN in row 5; fill"),
        (FRAME.assign(b=HOLE), Y, "numbers in column 'b' of every row; found NaN in row 5; fill"),
        (FRAME.assign(kind=[None, None, *"xy" * 7]), Y, "'kind' of every row; found nothing in row 1 and in 1"),
        (NUMBERS.assign(day=pd.date_range("2020", periods=N)), Y, "numbers in column 'day'; found '2020-01-01"),
        (NUMBERS, ["a"] * N, "numbers as target; found text such as 'a'"),
        (NUMBERS, pd.Series(["1", "b"] * (N // 2), dtype=object), "numbers as target; found text such as '1'"),
        (NUMBERS, pd.date_range("2020", periods=N), "numbers as target; found dates"),
        (FRAME[:1], Y[:1], "at least 2 rows"),
    ],
)
def test_tables_to_fit(name: str, frame: pd.DataFrame, y: Any, words: str) -> None:
    _refused(words, lambda: MAKERS[name]().fit(frame, y))


@pytest.mark.parametrize("name", [name for name in OTHERS if name != "several outputs"])
def test_targets_to_fit(name: str) -> None:
    _refused("a number as target of every row; found NaN in row 5; leave", lambda: MAKERS[name]().fit(NUMBERS, HOLE))


@pytest.mark.parametrize("name", [name for name in MAKERS if name != "several outputs"])  # which may have more
def test_very_many_rows(name: str) -> None:
    many = pd.DataFrame({"a": np.broadcast_to(1, ROW_LIMITS.read + 1), "b": 1.0})
    most = ROW_LIMITS.tables if name in ("statistician", "additive") else 5000
    _refused(f"at most {most} rows; found 1000001", lambda: MAKERS[name]().fit(many, np.zeros(len(many))))
    if most == 5000:
        words = "at most 5000 rows; found 5001; give a random sample"
        _refused(words, lambda: MAKERS[name]().fit(many[:5001], np.zeros(5001)))


@pytest.mark.parametrize("name", MAKERS)
def test_columns_of_one_value(name: str) -> None:
    make, table = MAKERS[name], NUMBERS.assign(c=2.0)
    if name == "semi-parametric":
        _refused("one value only in 'c', which is like the constant; leave it out", lambda: make().fit(table, Y))
        return
    assert np.isfinite(make().fit(table, Y).predict(table)).all()
    if name == "statistician":
        _refused("an input column that varies; found one value each in", lambda: make().fit(0.0 * NUMBERS, Y))
    else:
        assert np.isfinite(make().fit(0.0 * NUMBERS, Y).predict(NUMBERS)).all()


@pytest.mark.parametrize("name", MAKERS)
def test_more_columns_than_rows(name: str) -> None:
    make, wide = MAKERS[name], pd.DataFrame(RNG.normal(size=(6, 9))).add_prefix("c")
    refusals = {
        "statistician": "at least as many rows as columns; found 6 samples of 9 columns; name fewer inputs",
        "semi-parametric": "basis functions that differ on these rows; found 10 functions on 6 rows; name fewer",
    }
    if name in refusals:
        _refused(refusals[name], lambda: make().fit(wide, Y[:6]))
    else:
        assert np.isfinite(make().fit(wide, Y[:6]).predict(wide)).all()


@pytest.mark.parametrize(
    ("table", "options", "words"),
    [
        (FRAME.assign(y=Y), ["--target", "nope"], "a column 'nope' for the target; found the columns 'a', 'b', 'kind'"),
        (FRAME.assign(y=Y), ["--target", "y", "--inputs", "a,nope"], "a column 'nope' for the inputs; found the"),
        (FRAME.assign(y=Y, c=1), ["--target", "y", "--inputs", "c"], "column that varies; found one value in 'c'"),
        (NUMBERS.assign(y=Y)[:1], ["--target", "y", "--inputs", "*"], "at least as many rows as columns"),
    ],
)
def test_the_command_line(
    table: pd.DataFrame, options: list[str], words: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    table.to_csv(tmp_path / "t.csv", index=False)
    assert main(["fit", str(tmp_path / "t.csv"), *options, "--output", str(tmp_path / "m.json")]) == 2
    said = capsys.readouterr().err
    assert words in said
    assert said.count("\n") == 1
