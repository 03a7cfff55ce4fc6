"""Numbers that no computation can use, wherever they come from: one line says so, and it is no bug of ours."""

import json
import math
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from autostatistician import AdditiveGPRegressor, AutomaticStatistician, GPClassifier, HKLRegressor
from autostatistician.cli.main import main
from autostatistician.data.load import load
from autostatistician.data.moments import MOST_STEPS, check_steps
from autostatistician.errors import CheckpointError, InputError, ParseError
from autostatistician.kernels.text import MAX_SYMBOLS, kernel_from_json, parse, parse_kernel

pytestmark = pytest.mark.as_for_users
WAVE = np.sin(np.arange(20.0))


def small(**settings: Any) -> AutomaticStatistician:
    return AutomaticStatistician("se", max_depth=1, n_restarts=2, n_jobs=1, **settings)


@pytest.mark.parametrize("size", [1e-300, 1e-320, 1e-150])
def test_positions_whose_distances_vanish_are_refused(size: float, tmp_path: Path) -> None:
    table = tmp_path / "t.csv"
    table.write_text("t,y\n" + "".join(f"{k * size},{math.sin(k)}\n" for k in range(12)))
    with pytest.raises(InputError, match="values of usual size in column 't'"):
        load(table)
    with pytest.raises(InputError, match="values of usual size"):
        small().fit(np.arange(20.0)[:, None] * size, WAVE)


@pytest.mark.parametrize("steps", ["100000000000000000000", "1000000", str(MOST_STEPS + 1)])
def test_a_forecast_has_an_end(steps: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["report", "airline", "--horizon", steps]) == 2
    assert str(MOST_STEPS) in capsys.readouterr().err
    assert main(["forecast", "m.json", "--horizon", steps]) == 2
    with pytest.raises(InputError, match=f"to {MOST_STEPS}"):
        check_steps(int(steps))


def test_places_of_which_the_data_say_nothing_are_refused() -> None:
    series, table = np.arange(20.0)[:, None], np.column_stack([np.arange(20.0), WAVE**2])
    for X, fitted in (
        (series, small().fit(series, WAVE)),
        (table, small().fit(table, WAVE)),
        (table, AdditiveGPRegressor(n_restarts=1).fit(table, WAVE)),
        (table, GPClassifier("SE[x1] + C").fit(table, 0.9 * np.cos(9.0 * table[:, 0]) < WAVE)),
        (table, HKLRegressor().fit(table, WAVE)),
    ):
        rows = X[:2].copy()
        assert np.isfinite(np.asarray(fitted.predict(rows + 1e6), dtype=float)).all()
        for far in (1e15, -1e15, 1e154, 1e300, 1.7e308):
            rows[1, -1] = far
            with pytest.raises(InputError, match="a billion times the range"):
                fitted.predict(rows)


@pytest.mark.parametrize("sign", [" + ", " * "])
def test_an_expression_has_an_end(sign: str) -> None:
    long = sign.join(["SE"] * 20_000)
    for read in (parse, parse_kernel):
        with pytest.raises(ParseError, match=f"at most {MAX_SYMBOLS} kernels"):
            read(long)
    parts = [{"kernel": "WN", "values": {"sd": 1.0}}] * 20_000
    with pytest.raises(ParseError, match=f"at most {MAX_SYMBOLS} kernels"):
        kernel_from_json({"kernel": "sum", "operands": parts})


def test_an_altered_checkpoint_is_refused(tmp_path: Path) -> None:
    path, x = tmp_path / "c.json", np.arange(20.0)[:, None]
    small().fit(x, WAVE, checkpoint=path)
    record = json.loads(path.read_text())
    small().fit(x, WAVE, checkpoint=path)
    for change in (
        lambda progress: progress["found"][0].update(score=-1e9),
        lambda progress: progress["incumbents"][0].update(nll=1e300),
        lambda progress: progress.pop("seen"),
        lambda progress: progress.update(level=10**30),
    ):
        altered = json.loads(json.dumps(record))
        change(altered["progress"])
        path.write_text(json.dumps(altered))
        with pytest.raises(CheckpointError, match="altered or is damaged"):
            small().fit(x, WAVE, checkpoint=path)


VALUES = [None, 1e308, -1e308, 1e-308, 0, -1, "x", [], {}, True, 10**400]


def _places(record: Any, path: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    """The paths to everything in a record; of long lists the first entry stands for all."""
    inner = list(record.items()) if isinstance(record, dict) else list(enumerate(record))[:1]
    deeper = [one for key, value in inner if isinstance(value, dict | list) for one in _places(value, (*path, key))]
    return [(*path, key) for key, _ in inner] + deeper


@pytest.fixture(scope="module")
def saved(tmp_path_factory: pytest.TempPathFactory) -> str:
    path = tmp_path_factory.mktemp("saved") / "m.json"
    small().fit(np.arange(20.0)[:, None], WAVE).save(path)
    return path.read_text()


@pytest.mark.parametrize("value", VALUES, ids=str)
def test_an_altered_model_loads_and_predicts_or_is_refused(value: object, saved: str, tmp_path: Path) -> None:
    path = tmp_path / "m.json"
    for place in _places(json.loads(saved)):
        record = json.loads(saved)
        inner = record
        for key in place[:-1]:
            inner = inner[key]
        inner[place[-1]] = value
        path.write_text(json.dumps(record))
        try:
            model = AutomaticStatistician.load(path)
        except InputError:
            continue
        try:
            model.average = False
            model.forecast(2)
        except InputError:
            continue
        except Exception as error:
            raise AssertionError(f"{place} = {value!r}") from error


def test_masked_targets_are_left_out_and_said() -> None:
    y = np.ma.masked_array(WAVE.copy(), mask=np.arange(20) == 7)
    y.data[7] = 1e6
    for X in (np.arange(20.0)[:, None], np.column_stack([np.arange(20.0), WAVE**2])):
        model = small().fit(X, y)
        assert model.dataset_.n == 19
        assert model.dataset_.warnings[0] == "1 row with a masked target left out."
        assert np.abs(model.dataset_.y).max() < 2.0


def test_masked_inputs_are_empty_cells_or_refused() -> None:
    X = np.ma.masked_array(np.column_stack([np.arange(20.0), WAVE]), mask=np.zeros((20, 2), dtype=bool))
    X[3, 1] = np.ma.masked
    y = np.ma.masked_array(WAVE, mask=np.arange(20) == 7)
    assert small().fit(X, WAVE).dataset_.warnings[0].startswith("1 row with empty cells is kept")
    with pytest.raises(InputError, match="found NaN in row 4"):
        AdditiveGPRegressor().fit(X, WAVE)
    with pytest.raises(InputError, match="NaN in row 8"):
        AdditiveGPRegressor().fit(X.data, y)
