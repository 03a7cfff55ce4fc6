"""Exposures and totals beside counts: read, checked, planned, kept."""

from dataclasses import replace

import numpy as np
import pandas as pd
import pytest
from tests.there import there

from autostatistician.data.covariates import Covariate, Covariates
from autostatistician.data.dataset import Dataset, at_usual, counted, from_arrays
from autostatistician.data.exposures import LogOffsets, SizesOfRows
from autostatistician.data.load import load
from autostatistician.data.new_rows import extended, rows_of_table
from autostatistician.errors import InputError

X = np.arange(4.0)
ADDED = LogOffsets(X, np.array([0.0, 0.7, -1.2, 3.0]))


def parts_of_totals() -> Dataset:
    totals = Covariates(X, (Covariate("trains", np.array([20.0, 30.0, 40.0, 50.0])),))
    share = np.array([0.0, 12.0, 39.0, 50.0]) / totals.table[0].values
    return replace(from_arrays(X, share), sizes=SizesOfRows("late", totals, is_total=True))


@pytest.mark.parametrize("data", [from_arrays(X, [0.0, 3.0, 7.0, 2.0]), parts_of_totals()])
def test_counts_are_what_they_were(data: Dataset) -> None:
    usual = at_usual(data, ADDED)
    assert counted(usual).y.tolist() == counted(data).y.tolist()
    assert at_usual(usual, LogOffsets(X, np.zeros(4))).y == pytest.approx(data.y)
    assert usual.y[1:3] != pytest.approx(data.y[1:3])


def test_shares_of_none_and_all_stay() -> None:
    assert at_usual(parts_of_totals(), ADDED).y[[0, 3]].tolist() == [0.0, 1.0]


def test_rows_of_one_position_have_one_amount_and_files_hold_it() -> None:
    made = LogOffsets.of_rows(np.array([2.0, 1.0, 2.0]), np.array([0.5, 0.1, 0.5]))
    assert made.x.tolist() == [1.0, 2.0]
    data = at_usual(from_arrays([1.0, 2.0], [3.0, 4.0]), made)
    again = Dataset.from_json(data.to_json())
    assert there(again.added).at(np.array([1.5])).tolist() == pytest.approx([0.3])
    broken = data.to_json() | {"added": {"x": [1.0, 1.0], "values": [0.0, 0.0]}}
    with pytest.raises(InputError, match="along an axis"):
        Dataset.from_json(broken)


FRAME = pd.DataFrame({
    "month": pd.date_range("2020-01-01", periods=6, freq="MS"),
    "deaths": [3, 0, 2, 5, 1, 4],
    "cars": [800.0, 900.0, 700.0, 1200.0, 1000.0, 1100.0],
    "price": [1.0, 2.0, 1.0, 3.0, 2.0, 2.5],
})  # fmt: skip


def rates() -> Dataset:
    return load(FRAME, target="deaths", exposure="cars")


def test_an_exposure_makes_counts_rates() -> None:
    data = rates()
    assert data.target == "deaths per 1,000 cars"
    assert data.y == pytest.approx(1000.0 * FRAME["deaths"] / FRAME["cars"])
    assert counted(data).y.tolist() == FRAME["deaths"].tolist()
    assert [column.name for column in there(data.covariates).table] == ["price"]
    assert counted(Dataset.from_json(data.to_json())).y.tolist() == FRAME["deaths"].tolist()


def test_totals_make_counts_shares() -> None:
    data = load(FRAME[["month", "deaths", "cars"]], target="deaths", totals="cars")
    assert data.target == "deaths as a share of cars"
    assert data.y == pytest.approx(FRAME["deaths"] / FRAME["cars"])
    with pytest.raises(InputError, match=r"no more in 'cars' than the total in 'deaths'; found 800 of 6"):
        load(FRAME.assign(deaths=FRAME["deaths"] + 3), target="cars", totals="deaths")


@pytest.mark.parametrize(
    ("changed", "options", "found"),
    [
        (
            {"cars": 0.0},
            {"exposure": "cars"},
            r"a number above zero as exposure in column 'cars' for every row; found 0",
        ),
        ({"cars": np.nan}, {"exposure": "cars"}, "for every row; found none"),
        ({"cars": -2.0}, {"totals": "cars"}, "a whole number above zero as total in column 'cars' .* found -2"),
        ({"cars": 900.5}, {"totals": "cars"}, "found 900.5"),
        ({"deaths": 0.5}, {"exposure": "cars"}, "counts in column 'deaths': whole numbers from zero; found 0.5"),
        ({"deaths": -1.0}, {"exposure": "cars"}, "found -1"),
        ({}, {"exposure": "wagons"}, "wagons"),
        ({}, {"exposure": "cars", "totals": "price"}, "an exposure or totals; found both"),
    ],
)
def test_what_cannot_be_counted_by_is_said(changed: dict[str, float], options: dict[str, str], found: str) -> None:
    frame = FRAME.astype({"deaths": float})
    for name, value in changed.items():
        frame.loc[2, name] = value
    with pytest.raises(InputError, match=found):
        load(frame, target="deaths", **options)  # type: ignore[arg-type]


def test_a_table_without_times_has_no_exposure() -> None:
    table = FRAME[["deaths", "price", "cars"]].assign(size=[3.0, 1.0, 2.0, 9.0, 4.0, 4.0])
    with pytest.raises(InputError, match="a series for an exposure or totals"):
        load(table, target="deaths", exposure="cars")


def test_sizes_go_on_as_planned_or_as_they_were() -> None:
    data = rates()
    assert data.sizes is not None
    ahead = np.array([data.x[-1] + 1.0 / 12.0])
    assert data.sizes.at(ahead) == pytest.approx([1.1])
    assert data.sizes.missing(ahead).all()
    plan = Covariates(ahead, (Covariate("cars", np.array([500.0])),))
    assert data.sizes.joined(plan, where="row").at(ahead) == pytest.approx([0.5])
    with pytest.raises(InputError, match="for every row of the plan; found none"):
        data.sizes.joined(Covariates(ahead, (Covariate("cars", np.array([np.nan])),)), where="row of the plan")


def test_new_rows_bring_theirs() -> None:
    data = rates()
    new = pd.DataFrame({"month": ["2020-07-01"], "deaths": [6], "cars": [2000.0]})
    rows = rows_of_table(data, new)
    assert rows.values == pytest.approx([3.0])
    grown = extended(data, rows)
    assert counted(grown).y.tolist() == [*FRAME["deaths"].tolist(), 6.0]
    with pytest.raises(InputError, match="a column 'cars'"):
        rows_of_table(data, new[["month", "deaths"]])
    with pytest.raises(InputError, match=r"counts in column 'deaths': whole numbers from zero; found 0\.5"):
        rows_of_table(data, new.assign(deaths=0.5))


def test_a_spoilt_record_is_refused() -> None:
    record = rates().sizes.to_json()  # type: ignore[union-attr]
    assert SizesOfRows.from_json(record).to_json() == record
    with pytest.raises(ValueError, match="not one column"):
        SizesOfRows.from_json(record | {"per": -1.0})
