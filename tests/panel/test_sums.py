"""Forecasts of sums that add up, with ranges by draws."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from scipy.special import ndtri
from tests.panel.made import QUICK
from tests.panel.test_summed import LEVELS, Stores

from autostatistician.errors import InputError
from autostatistician.panel.records import DONE, FAILED, PanelForecast, SeriesRecord
from autostatistician.panel.run import run_panel
from autostatistician.panel.summed import SummedTable, summed_table
from autostatistician.panel.sums import Sums, reconciled, sums_of

TIMES = ("2002-01-01", "2002-02-01")
MONTHS = tuple(f"{1990 + month // 12}-{1 + month % 12:02d}-01" for month in range(60))


def _record(name: str, mean: float, sd: float, errors: Sequence[float], low: float = -np.inf) -> SeriesRecord:
    """The record of a series with a normal forecast, which widens."""
    sds, tails = (sd, 1.5 * sd), ndtri([0.9, 0.975])
    told = PanelForecast(
        TIMES, (mean, mean + 1.0), (80, 95),
        tuple(tuple(max(mean + step - z * sds[step], low) for step in range(2)) for z in tails),
        tuple(tuple(mean + step + z * sds[step] for step in range(2)) for z in tails),
    )  # fmt: skip
    return SeriesRecord(
        name, tuple(name.split("/")), DONE, rows=24, last="2001-12-01", step="month", forecast=told,
        values=(0.0, mean), errors=tuple(errors), error_times=MONTHS[: len(errors)],
    )  # fmt: skip


def _made(correlation: float, count: int = 60, sd: float = 1.0) -> tuple[SummedTable, list[SeriesRecord], Sums]:
    """Four stores of which the errors have so much in common, with forecasts of sums that do not add up."""
    rng, table = np.random.default_rng(0), Stores()
    common, own = rng.standard_normal((count, 1)), rng.standard_normal((count, 4))
    errors = sd * (np.sqrt(correlation) * common + np.sqrt(1.0 - correlation) * own)
    below = [_record(table.name(index), 10.0, sd, errors[:, index]) for index in range(4)]
    summed = summed_table(table, below, LEVELS)
    above = []
    for index, members in enumerate(summed.members):
        together = errors[:, list(members)].sum(axis=1)
        spread = float(together.std()) if count else sd * np.sqrt(len(members))
        record = _record(summed.name(index), 11.0 * len(members), spread, together)
        above.append(replace(record, ids=summed.keys[index]))
    return summed, above, reconciled(summed, above, below, 0)


def _means(sums: Sums) -> np.ndarray:
    return np.array([record.forecast.mean for record in sums.records if record.forecast is not None])


def _width(record: SeriesRecord, step: int = 0) -> float:
    assert record.forecast is not None
    return (record.forecast.high[1][step] - record.forecast.low[1][step]) / (2.0 * float(ndtri(0.975)))


@pytest.mark.parametrize("correlation", [0.0, 0.9])
def test_means_add_up(correlation: float) -> None:
    summed, above, sums = _made(correlation)
    means = _means(sums)
    for row, members in enumerate(summed.members):
        parts = means[[len(above) + place for place in members]].sum(axis=0)
        assert np.abs(means[row] - parts).max() <= 1e-9 * np.abs(means[row]).max()
    assert 40.0 < means[0, 0] < 44.0  # between the sum of the series and the forecast of the total


def test_records_are_otherwise_as_they_were() -> None:
    _, above, sums = _made(0.5)
    assert [record.name for record in sums.records[: len(above)]] == [record.name for record in above]
    assert [replace(record, forecast=None) for record in sums.records[: len(above)]] == [
        replace(record, forecast=None) for record in above
    ]
    assert all(record.forecast is not None and record.forecast.times == TIMES for record in sums.records)
    assert _made(0.5)[2].records == sums.records


@pytest.mark.parametrize("correlation", [0.0, 0.9])
def test_the_range_of_a_sum_is_that_of_its_errors(correlation: float) -> None:
    _, above, sums = _made(correlation)
    errors = np.array(above[0].errors)
    assert _width(sums.records[0]) == pytest.approx(errors.std(), rel=0.12)
    assert _width(sums.records[-1]) == pytest.approx(1.0, rel=0.15)
    assert _width(sums.records[0], 1) == pytest.approx(1.5 * errors.std(), rel=0.12)


def test_few_errors_leave_ranges_as_wide() -> None:
    _, _, sums = _made(0.0, 0, 1.0)
    assert _width(sums.records[-1]) == pytest.approx(1.0, rel=0.1)
    assert _width(sums.records[0]) == pytest.approx(2.0, rel=0.1)


def test_what_is_never_below_zero_stays_so() -> None:
    table, rng = Stores(), np.random.default_rng(0)
    below = [_record(table.name(index), 0.2, 1.0, rng.standard_normal(60), 0.0) for index in range(4)]
    summed = summed_table(table, below, [[]])
    above = [_record("total", -3.0, 2.0, rng.standard_normal(60))]
    sums = reconciled(summed, above, below, 0)
    assert _means(sums).min() >= 0.0
    assert all(min(map(min, record.forecast.low)) >= 0.0 for record in sums.records if record.forecast is not None)
    assert _means(sums)[0] == pytest.approx(_means(sums)[1:].sum(axis=0), abs=1e-12)


def test_a_sum_whose_model_failed_is_that_of_its_series() -> None:
    summed, above, _ = _made(0.5)
    below = [_record(summed.table.name(index), 10.0, 1.0, ()) for index in range(4)]
    failing = [SeriesRecord(record.name, record.ids, FAILED, "too few rows") for record in above]
    means = _means(reconciled(summed, failing, below, 0))
    assert means[:, 0].tolist() == [40.0, 20.0, 20.0, 20.0, 10.0, 10.0, *(4 * [10.0])]


@pytest.mark.slow
def test_sums_are_modelled_as_the_series_were(tmp_path: Path) -> None:
    table = Stores()
    records = list(run_panel(table, QUICK))
    sums = sums_of(table, records, [["region"], []], QUICK, tmp_path / "sums")
    assert [record.name for record in sums.records] == ["north", "south", "total", *map(table.name, range(4))]
    means = _means(sums)
    assert np.allclose(means[2], means[3:].sum(axis=0), rtol=1e-12)
    assert np.allclose(means[0], means[3:5].sum(axis=0), rtol=1e-12)
    assert sums.records[2].rows == 24
    assert sums.left_out == {}
    with pytest.raises(InputError, match="two series with the same times, to be added up; found 1"):
        sums_of(table, [records[0], *(replace(record, forecast=None) for record in records[1:])], [[]], QUICK)
