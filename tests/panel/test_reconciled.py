"""Sums of panels: forecasts that add up."""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray
from scipy.sparse import csr_array
from scipy.special import ndtri
from tests.panel.made import MONTH, QUICK, data_of
from tests.there import there

from autostatistician.data.dataset import Dataset, from_arrays
from autostatistician.data.panel_plans import planned_panel
from autostatistician.data.panels import PanelTable, panel_of
from autostatistician.errors import InputError
from autostatistician.panel.aggregates import AggregatedTable, aggregated_table, levels_of
from autostatistician.panel.reconciliation import (
    FEWEST_ERRORS,
    ErrorModel,
    Reconciled,
    Reconciliation,
    error_model,
    reconciled,
    sums_of,
)
from autostatistician.panel.records import DONE, FAILED, PanelForecast, SeriesRecord
from autostatistician.panel.run import run_panel

Array = NDArray[np.float64]
# Two regions of three and two stores, and all.
A = np.array([[1, 1, 1, 1, 1], [1, 1, 1, 0, 0], [0, 0, 0, 1, 1]], dtype=np.float64)
S = np.vstack([A, np.eye(5)])


def _errors(count: int = 40, seed: int = 0) -> Array:
    """Errors (T, 8) of all nodes: those of the series have much in common."""
    rng = np.random.default_rng(seed)
    below = rng.standard_normal((count, 1)) * [1.0, 2.0, 0.5, 1.0, 3.0] + rng.standard_normal((count, 5))
    return np.hstack([below @ A.T + rng.standard_normal((count, 3)), below])


def _covariance(model: ErrorModel) -> Array:
    return model.times(np.eye(len(model.sds)))


def test_reconciled_forecasts_are_those_of_the_formula() -> None:
    model, forecasts = error_model(_errors(), np.ones(8)), np.random.default_rng(1).normal(10.0, 5.0, (8, 4))
    inverse = np.linalg.inv(_covariance(model))
    by_formula = np.linalg.solve(S.T @ inverse @ S, S.T @ inverse @ forecasts)
    assert np.allclose(Reconciliation(csr_array(A), model).series(forecasts), by_formula, rtol=1e-9)


def test_forecasts_that_add_up_stay() -> None:
    forecasts = S @ np.random.default_rng(1).normal(10.0, 5.0, (5, 4))
    fitting = Reconciliation(csr_array(A), error_model(_errors(), np.ones(8)))
    assert np.allclose(fitting.series(forecasts), forecasts[3:], rtol=1e-12)


def test_the_covariance_is_shrunk_as_the_authors_do() -> None:
    errors = _errors(25)
    model = error_model(errors, np.ones(8))
    count = len(errors)
    x = (errors - errors.mean(axis=0)) / errors.std(axis=0, ddof=1)
    products = x[:, :, None] * x[:, None, :]
    variances = count / (count - 1.0) ** 3 * ((products - products.mean(axis=0)) ** 2).sum(axis=0)
    correlations = products.sum(axis=0) / (count - 1.0)
    others = ~np.eye(8, dtype=bool)
    share = variances[others].sum() / (correlations[others] ** 2).sum()
    assert model.shrinkage == pytest.approx(share, rel=1e-10)
    sample = np.cov(errors.T)
    assert np.allclose(_covariance(model), (1.0 - share) * sample + share * np.diag(np.diag(sample)))


def test_errors_without_anything_in_common_are_shrunk_far() -> None:
    apart = error_model(np.random.default_rng(0).standard_normal((30, 20)), np.ones(20))
    assert apart.shrinkage > 0.8
    assert error_model(np.repeat(_errors()[:, :1], 3, axis=1), np.ones(3)).shrinkage < 0.1


def test_few_errors_are_weighted_least_squares() -> None:
    usual = np.arange(1.0, 9.0)
    model = error_model(_errors(FEWEST_ERRORS - 1), usual)
    assert np.allclose(_covariance(model), np.diag(usual**2))
    assert np.allclose(_covariance(error_model(np.empty((0, 8)), usual)), np.diag(usual**2))


def test_a_node_with_few_errors_stands_alone_and_the_others_do_not() -> None:
    errors = _errors()
    errors[5:, 7] = np.nan
    covariance = _covariance(error_model(errors, np.full(8, 9.0)))
    assert covariance[7, 7] == pytest.approx(81.0)
    assert np.allclose(covariance[7, :7], 0.0)
    assert covariance[3, 4] > 0.5


def test_errors_that_are_not_known_count_for_nothing() -> None:
    errors = _errors(40)
    errors[3, 2] = np.nan
    model = error_model(errors, np.ones(8))
    assert model.sds[2] == pytest.approx(np.nanstd(errors[:, 2], ddof=1))
    assert np.allclose(np.diag(_covariance(model)), model.sds**2)


def test_certain_series_stay_as_they_are() -> None:
    errors = _errors()
    errors[:, 3] = 0.0
    model = error_model(errors, np.zeros(8))
    forecasts = np.random.default_rng(1).normal(10.0, 5.0, (8, 1))
    reconciled = Reconciliation(csr_array(A), model).series(forecasts)
    assert reconciled[0, 0] == pytest.approx(forecasts[3, 0], abs=1e-6)
    assert np.isfinite(error_model(np.zeros((20, 8)), np.zeros(8)).sds).all()


def test_sums_without_a_forecast_of_their_own_change_nothing() -> None:
    forecasts = np.random.default_rng(1).normal(10.0, 5.0, (5, 2))
    fitting = Reconciliation(csr_array(np.zeros((0, 5))), error_model(_errors()[:, 3:], np.ones(5)))
    assert np.allclose(fitting.series(forecasts), forecasts)


def test_draws_have_the_correlations_of_the_sample() -> None:
    errors = _errors()
    fitting = Reconciliation(csr_array(A), error_model(errors, np.ones(8)))
    drawn = fitting.normals(np.random.default_rng(0), 20_000)
    assert np.allclose(np.corrcoef(drawn), np.corrcoef(errors.T), atol=0.03)
    assert np.allclose(drawn.std(axis=1), 1.0, atol=0.03)


def test_without_known_errors_sums_err_as_their_series_together() -> None:
    usual = np.array([5.0, 4.0, 3.0, 1.0, 2.0, 3.0, 1.0, 1.0])
    drawn = Reconciliation(csr_array(A), error_model(np.empty((0, 8)), usual)).normals(np.random.default_rng(0), 20_000)
    assert np.allclose(np.corrcoef(drawn[3:]), np.eye(5), atol=0.03)
    together = A @ (usual[3:, None] * drawn[3:])
    assert np.allclose([np.corrcoef(drawn[row], together[row])[0, 1] for row in range(3)], 1.0)
    assert np.allclose(drawn.std(axis=1), 1.0, atol=0.03)


@pytest.mark.parametrize(("method", "errors"), [("mint_shrink", _errors(60, 3)), ("mint_shrink", _errors(13, 4))])
def test_others_reconcile_alike(method: str, errors: Array) -> None:
    methods = pytest.importorskip("hierarchicalforecast.methods")
    forecasts = np.random.default_rng(1).normal(10.0, 5.0, (8, 4))
    made = methods.MinTrace(method=method).fit_predict(
        S=S, y_hat=forecasts, y_insample=np.zeros((8, len(errors))), y_hat_insample=-errors.T
    )  # fmt: skip
    ours = Reconciliation(csr_array(A), error_model(errors, np.ones(8))).series(forecasts)
    assert np.allclose(S @ ours, made["mean"], rtol=1e-6)


KEYS = (("north", "1"), ("north", "2"), ("south", "1"), ("south", "3"))
LEVELS: list[list[str]] = [[], ["region"], ["store"]]


@dataclass
class Stores:
    """Stores in regions."""

    keys: Sequence[tuple[str, ...]] = KEYS
    data: dict[int, Dataset] = field(default_factory=dict)
    ids: tuple[str, ...] = ("region", "store")

    def __len__(self) -> int:
        return len(self.keys)

    def name(self, index: int) -> str:
        return "/".join(self.keys[index])

    def dataset(self, index: int) -> Dataset:
        return self.data.get(index, data_of(index))


def records_of(table: Stores, **changes: SeriesRecord) -> list[SeriesRecord]:
    """Records of series that all end in December 2001."""
    told = PanelForecast(("2002-01-01",), (1.0,), (80,), ((0.5,),), ((1.5,),))
    usual = SeriesRecord("", (), DONE, rows=24, last="2001-12-01", step="month", forecast=told)
    return [
        replace(changes.get(f"of_{index}", usual), name=table.name(index), ids=tuple(table.keys[index]))
        for index in range(len(table))
    ]


def test_each_level_has_its_sums() -> None:
    table = Stores()
    summed = aggregated_table(table, records_of(table), LEVELS)
    assert [summed.name(index) for index in range(len(summed))] == [
        "total", "north", "south", "store=1", "store=2", "store=3"
    ]  # fmt: skip
    assert summed.keys[:4] == (("", ""), ("north", ""), ("south", ""), ("", "1"))
    assert summed.members == ((0, 1, 2, 3), (0, 1), (2, 3), (0, 2), (1,), (3,))
    assert summed.left_out == {}
    total = sum(data_of(index).y for index in range(4))
    assert np.allclose(summed.dataset(0).y, total)
    assert np.allclose(summed.dataset(3).y, data_of(0).y + data_of(2).y)
    assert summed.dataset(0).warnings == ("The sum of 4 series at the 24 times that they share.",)
    assert summed.dataset(0).axis == MONTH


def test_names_of_sums_are_those_of_no_series() -> None:
    table = Stores((("total",), ("total (sum)",)), ids=("store",))
    summed = aggregated_table(table, records_of(table), [[]])
    assert summed.name(0) == "total (sum) (sum)"


def test_a_sum_has_the_times_at_which_all_have_values() -> None:
    late = replace(data_of(1), X=data_of(1).X[5:], y=data_of(1).y[5:])
    holed = np.delete(np.arange(24), [10, 12])
    table = Stores(data={1: late, 2: replace(data_of(2), X=data_of(2).X[holed], y=data_of(2).y[holed], offset=100.0)})
    total = aggregated_table(table, records_of(table), [[]]).dataset(0)
    shared = [row for row in range(5, 24) if row not in (10, 12)]
    assert np.allclose(total.x, data_of(0).x[shared])
    assert np.allclose(total.y, sum(data_of(index).y for index in range(4))[shared] + 100.0)


def test_series_of_other_times_are_left_out_and_named() -> None:
    table = Stores((*KEYS, ("west", "1"), ("west", "2"), ("west", "3"), ("west", "4")))
    usual = records_of(table)[0]
    told = there(usual.forecast)
    summed = aggregated_table(
        table,
        records_of(
            table,
            of_1=SeriesRecord("", (), FAILED, "constant"),
            of_3=replace(usual, last="2001-11-01", forecast=replace(told, times=("2001-12-01",))),
            of_5=replace(usual, step="quarter"),
            of_6=replace(usual, rows=11),
        ),
        [["region"]],
    )
    assert summed.kept == (0, 2, 4, 7)
    assert summed.members == ((0,), (1,), (2, 3))
    assert summed.left_out == {
        "no forecast": ("north/2",), "other times": ("south/3", "west/2"), "too few rows": ("west/3",)
    }  # fmt: skip


def test_without_a_forecast_there_are_no_sums() -> None:
    table = Stores()
    failed = SeriesRecord("", (), FAILED, "constant")
    summed = aggregated_table(table, records_of(table, of_0=failed, of_1=failed, of_2=failed, of_3=failed), [[]])
    assert (len(summed), summed.kept) == (0, ())


def test_too_few_shared_times_are_said() -> None:
    x, y = np.arange(4.0), np.ones(4)
    table = Stores(data={0: from_arrays(x, y), 1: from_arrays(x + 2.0, y)})
    summed = aggregated_table(table, records_of(table), [["region"]])
    with pytest.raises(InputError, match="three times that all series of a sum share; found 2"):
        summed.dataset(0)


@pytest.mark.parametrize(
    ("levels", "said"), [([["shop"]], "found 'shop'"), ([["store", "region"]], "the series themselves")]
)
def test_levels_that_are_none_are_refused(levels: list[list[str]], said: str) -> None:
    with pytest.raises(InputError, match=said):
        levels_of(levels, Stores())


def shops() -> PanelTable:
    """Three shops, of which two are in one region; the days are the same for all."""
    rows = {"shop": ["a", "b", "c"] * 24, "month": np.repeat(np.arange(24), 3), "region": ["n", "s", "n"] * 24}
    table = there(panel_of({**rows, "sold": np.arange(72.0)}, ids=["shop"], target="sold"))
    return table


def test_a_column_that_says_one_thing_of_each_series_makes_sums() -> None:
    table = shops()
    records = [replace(record, name=f"{i}") for i, record in enumerate(records_of(Stores(KEYS[:3])))]
    summed = aggregated_table(table, records, [["region"], []])
    assert (summed.ids, summed.members) == (("shop", "region"), ((0, 2), (1,), (0, 1, 2)))
    assert [summed.name(index) for index in range(3)] == ["region=n", "region=s", "total"]
    with pytest.raises(InputError, match="hold one value for each series"):
        levels_of([["month"]], table)
    with pytest.raises(InputError, match="nowhere"):
        levels_of([["nowhere"]], table)


def test_a_plan_for_columns_is_no_hindrance_to_sums_by_them() -> None:
    table = planned_panel(shops(), {"month": [24], "region": ["n"]})
    assert levels_of([["region"]], table) == (("region",),)


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


def _made(
    correlation: float, count: int = 60, sd: float = 1.0
) -> tuple[AggregatedTable, list[SeriesRecord], Reconciled]:
    """Four stores of which the errors have so much in common, with forecasts of sums that do not add up."""
    rng, table = np.random.default_rng(0), Stores()
    common, own = rng.standard_normal((count, 1)), rng.standard_normal((count, 4))
    errors = sd * (np.sqrt(correlation) * common + np.sqrt(1.0 - correlation) * own)
    below = [_record(table.name(index), 10.0, sd, errors[:, index]) for index in range(4)]
    summed = aggregated_table(table, below, LEVELS)
    above = []
    for index, members in enumerate(summed.members):
        together = errors[:, list(members)].sum(axis=1)
        spread = float(together.std()) if count else sd * np.sqrt(len(members))
        record = _record(summed.name(index), 11.0 * len(members), spread, together)
        above.append(replace(record, ids=summed.keys[index]))
    return summed, above, reconciled(summed, above, below, 0)


def _means(sums: Reconciled) -> np.ndarray:
    return np.array([record.forecast.mean for record in sums.records if record.forecast is not None])


def _width(record: SeriesRecord, step: int = 0) -> float:
    return (there(record.forecast).high[1][step] - there(record.forecast).low[1][step]) / (2.0 * float(ndtri(0.975)))


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
    summed = aggregated_table(table, below, [[]])
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
