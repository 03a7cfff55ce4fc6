"""From the data of a series to its record."""

import errno
import os
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from tests.panel.made import MONTH, QUICK, data_of
from tests.there import there

from autostatistician.data.dataset import Dataset, from_arrays
from autostatistician.data.outliers import Outlier, Screening
from autostatistician.data.times.axes import Axis
from autostatistician.errors import InputError, WriteError
from autostatistician.fitted.fitting import fit_model
from autostatistician.fitted.model import Model
from autostatistician.fitted.predictions import Predictor
from autostatistician.gp.engines.choice import condition
from autostatistician.panel import fitting
from autostatistician.panel.claims import claims_of
from autostatistician.panel.fitting import (
    MOST_ERRORS,
    MOST_VALUES,
    PanelSeries,
    one_step_errors,
    reason_of,
    record_of_model,
    records_of_chunk,
    series_record,
    written_times,
)
from autostatistician.panel.records import DONE, FAILED, SeriesRecord
from autostatistician.search.run import Settings


@pytest.fixture(scope="module")
def model() -> Model:
    return fit_model(data_of(0, 40), QUICK.language, replace(QUICK.search, n_jobs=1))


@pytest.fixture(scope="module")
def growing() -> Model:
    """A model of the logarithm."""
    data = data_of(1, 40)
    grown = replace(data, y=np.exp(0.1 * data.y))
    return fit_model(grown, "extended", Settings(max_depth=1, restarts=1, n_jobs=1, transform="log"))


def test_a_record_holds_what_the_model_says(model: Model) -> None:
    record = series_record(model.dataset, "north/1", ("north", "1"), QUICK)
    assert (record.name, record.ids, record.status, record.reason) == ("north/1", ("north", "1"), DONE, "")
    assert (record.rows, record.first, record.last, record.step) == (40, "2000-01-01", "2003-04-01", "month")
    assert record.expression == str(model.kernel) == record.structures[0][0]
    assert sum(weight for _, weight in record.structures) == pytest.approx(1.0, abs=1e-5)
    assert record.score == pytest.approx(model.search.best.score)
    assert np.allclose(record.values, model.dataset.y, rtol=1e-5)
    assert record.times[:2] == ("2000-01-01", "2000-02-01")
    assert record.level == pytest.approx(10.0 + 0.2 * 39, abs=1.0)  # the line at its end, not a mean of the last rows
    assert record.level != record.values[-1]
    assert record.seconds > 0.0
    assert SeriesRecord.from_line(record.line()) == record


def test_the_forecast_is_that_of_the_model(model: Model) -> None:
    told = there(record_of_model(model, "a", ("a",), QUICK).forecast)
    x, ahead = Predictor(model).ahead(3)
    assert told.times == ("2003-05-01", "2003-06-01", "2003-07-01")
    assert np.allclose(told.mean, ahead.mean, rtol=1e-11)
    assert np.allclose(told.low[1], ahead.quantiles([0.025])[:, 0], rtol=1e-11)
    assert np.allclose(told.high[0], ahead.quantiles([0.9])[:, 0], rtol=1e-11)
    assert len(x) == len(told.low[0]) == 3


def test_claims_are_told_and_a_fault_in_them_loses_no_forecast(model: Model, monkeypatch: pytest.MonkeyPatch) -> None:
    record = record_of_model(model, "a", ("a",), QUICK)
    assert record.claims == claims_of(model)
    assert "rise" in [claim.kind for claim in record.claims]
    monkeypatch.setattr(fitting, "claims_of", _raising(ValueError("ours")))
    other = record_of_model(model, "a", ("a",), QUICK)
    assert (other.claims, other.notes[-1]) == ((), "Nothing is claimed: ValueError: ours (this is a bug)")
    assert other.forecast == record.forecast


def test_errors_are_those_of_forecasts_from_the_rows_before(model: Model, growing: Model) -> None:
    for fitted in (model, growing):
        where, errors = one_step_errors(fitted)
        data = fitted.dataset
        for row in (25, 39):
            earlier = condition(fitted.kernel, fitted.problem.rows(np.arange(row)))
            mean, sd = earlier.observations(fitted.problem.X[row : row + 1])
            expected = fitted.transform.moments(mean, sd)[0][0]
            (place,) = np.flatnonzero(where == data.x[row])
            assert errors[place] == pytest.approx(data.y[row] - expected, rel=1e-6, abs=1e-9)


@pytest.mark.slow
def test_the_first_rows_have_no_errors_and_of_many_rows_the_last_have(model: Model) -> None:
    where, errors = one_step_errors(model)
    assert model.dataset.x[0] not in where  # it would be the level of the series
    assert np.abs(errors).max() < 6.0
    data = data_of(2, MOST_ERRORS + 50)
    record = series_record(data, "a", ("a",), QUICK)
    assert len(record.errors) == len(record.error_times) == MOST_ERRORS
    assert record.error_times[-1] == record.last
    assert len(record.times) == len(record.values) == MOST_VALUES
    assert (record.times[0], record.times[-1]) == (record.first, record.last)


def test_what_was_set_aside_is_in_the_picture_and_not_among_the_errors(model: Model) -> None:
    outlier = Outlier(model.dataset.x[-1] + 1 / 12, 99.0, 18.0, 40.0)
    aside = replace(model, screening=Screening((outlier,)))
    record = record_of_model(aside, "a", ("a",), QUICK)
    assert (record.rows, record.last, record.values[-1]) == (41, "2003-05-01", 99.0)
    assert record.error_times[-1] == "2003-04-01"
    assert there(record.forecast).times[0] == "2003-06-01"


def test_irregular_rows_and_plain_numbers() -> None:
    x = np.array([0.0, 1.5, 2.0, 4.0, 5.0, 7.5, 8.0, 9.0])
    record = series_record(from_arrays(x, np.sin(x)), "a", ("a",), QUICK)
    assert (record.status, record.first, record.last, record.step) == (DONE, "0.0", "9.0", "")
    grid = Dataset(x[:3, None], x[:3], ("x",), "y", Axis("x", "", "", 0.5))
    assert written_times(grid, np.array([2.0])) == ("2.0",)
    hours = Axis("t", "hour", "hour", 1.0, "2024-01-01")
    assert written_times(replace(grid, axis=hours), np.array([0.0, 1.0])) == (
        "2024-01-01T00:00:00",
        "2024-01-01T01:00:00",
    )


def test_a_series_that_fails_says_why_and_stops_no_other(monkeypatch: pytest.MonkeyPatch) -> None:
    def failing(dataset: Dataset, *arguments: Any) -> Model:
        if dataset.name == "bad":
            raise ValueError("a fault\nof ours")
        return fit_model(dataset, *arguments)

    monkeypatch.setattr(fitting, "fit_model", failing)
    chunk = [
        PanelSeries("a", ("a",), replace(data_of(0), name="bad"), fingerprint="1"),
        PanelSeries("b", ("b",), None, "too few rows", "2"),
        PanelSeries("c", ("c",), from_arrays([[1, 2], [3, 5], [5, 6]], [1, 2, 3]), fingerprint="3"),
        PanelSeries("d", ("d",), data_of(0), fingerprint="4"),
    ]
    records = list(records_of_chunk(chunk, QUICK))
    assert [record.fingerprint for record in records] == ["1", "2", "3", "4"]
    assert [record.status for record in records] == [FAILED, FAILED, FAILED, DONE]
    assert [record.reason for record in records[:3]] == [
        "ValueError: a fault of ours (this is a bug)",
        "too few rows",
        "expected a series over one time; found 2 columns; name the time",
    ]


@pytest.mark.parametrize(
    "error", [OSError(errno.ENOSPC, os.strerror(errno.ENOSPC)), WriteError.of("room", "none", "delete files")]
)
def test_a_full_disk_stops_all(error: Exception, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(fitting, "fit_model", _raising(error))
    with pytest.raises(type(error)):
        series_record(data_of(0), "a", ("a",), QUICK)


def test_no_memory_is_said_in_words() -> None:
    assert reason_of(MemoryError()) == "expected room for the work; found no more memory; give fewer rows"
    assert reason_of(InputError("bell \x07")) == "bell  "


def test_an_interrupted_search_is_no_record(monkeypatch: pytest.MonkeyPatch, model: Model) -> None:
    stopped = replace(model, search=replace(model.search, interrupted=True))
    monkeypatch.setattr(fitting, "fit_model", lambda *arguments: stopped)
    with pytest.raises(KeyboardInterrupt):
        series_record(data_of(0), "a", ("a",), QUICK)


def test_numbers_that_are_none_fail(monkeypatch: pytest.MonkeyPatch) -> None:
    endless = SeriesRecord("a", ("a",), DONE, level=np.inf)
    monkeypatch.setattr(fitting, "record_of_model", lambda *arguments: endless)
    assert series_record(data_of(0), "a", ("a",), QUICK).status == FAILED


def test_a_constant_series_has_a_record() -> None:
    data = Dataset(2000.0 + np.arange(12)[:, None] / 12, np.full(12, 3.0), ("month",), "y", MONTH)
    record = series_record(data, "a", ("a",), replace(QUICK, language="extended"))
    assert record.status == DONE
    assert there(record.forecast).mean == pytest.approx((3.0, 3.0, 3.0), rel=1e-3)


def _raising(error: Exception) -> Callable[..., Model]:
    def fail(*arguments: Any) -> Model:
        raise error

    return fail
