"""Times that users name are found among the rows and the steps to come."""

from typing import Any

import numpy as np
import pandas as pd
import pytest
from tests.promoted import fitted

from autostatistician.data.dataset import Dataset, from_arrays, time_labels
from autostatistician.data.load import load
from autostatistician.data.moments import MOST_STEPS, check_steps, positions_at, steps_at_most, stretch_of
from autostatistician.data.times.axes import Axis
from autostatistician.errors import InputError
from autostatistician.fitted.settings import default_horizon

BEYOND: list[tuple[str, dict[str, Any]]] = [
    ("forecast", {"at": "2999-01-04"}),
    ("forecast", {"at": "2999"}),
    ("forecast", {"stop": "2999-01-04"}),
    ("forecast", {"start": "2020-01-06", "stop": "9999-12-27"}),
    ("what-if", {"change": "promo=0", "stop": "2999-01-04"}),
    ("why", {"at": "2999-01-04", "against": "2024-01-01"}),
    ("trend", {"start": "2024-01-01", "stop": "2999-01-04"}),
]


@pytest.mark.parametrize("steps", [-1, 1.5, "3", True, None])
def test_steps_are_whole_numbers(steps: object) -> None:
    with pytest.raises(InputError, match="steps as a whole number from 0"):
        check_steps(steps, 0)


@pytest.mark.parametrize(("question", "given"), BEYOND)
def test_what_is_too_far_ahead_is_refused_before_its_rows_are_made(
    question: str, given: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    future = Axis.future

    def few(axis: Axis, last_x: float, steps: int) -> Any:
        assert steps <= 101
        return future(axis, last_x, steps)

    monkeypatch.setattr(Axis, "future", few)
    with steps_at_most(100), pytest.raises(InputError, match="to 100; found"):
        fitted().ask(question, **given)


def test_the_usual_horizon_is_none_that_would_be_refused() -> None:
    series = from_arrays(np.arange(4000.0), np.arange(4000.0))
    with steps_at_most(100):
        assert default_horizon(series) == 100


def test_nobody_lets_more_steps_than_there_can_be() -> None:
    with steps_at_most(10 * MOST_STEPS), pytest.raises(InputError, match=f"to {MOST_STEPS}"):
        check_steps(MOST_STEPS + 1)


def _series(freq: str, rows: int = 30) -> Dataset:
    days = pd.date_range("2024-01-01", periods=rows, freq=freq)
    return load(pd.DataFrame({"day": days, "y": np.arange(float(rows)) % 7 + 0.5}), target="y")


def test_a_month_is_all_its_rows_and_a_year_too() -> None:
    days, months = _series("D", 60), _series("MS", 30)
    assert positions_at(days, "2024-02", 59.0).tolist() == np.arange(31.0, 60.0).tolist()
    assert positions_at(months, "2024-02", months.x[-1]).tolist() == [months.x[1]]
    assert len(positions_at(months, "2025", months.x[-1])) == 12
    assert positions_at(days, "2024-01-03", 59.0).tolist() == [2.0]
    assert positions_at(days, pd.Timestamp("2024-01-03"), 59.0).tolist() == [2.0]


def test_years_and_quarters_are_found_by_any_month_of_theirs() -> None:
    yearly = _series("YS", 12)
    assert positions_at(yearly, "2030", yearly.x[-1]).tolist() == [2030.0]


def test_steps_to_come_are_positions() -> None:
    days = _series("D", 31)
    assert positions_at(days, "2024-02-02", 30.0).tolist() == [32.0]
    assert len(positions_at(days, "2024-02", 30.0)) == 29


def test_plain_numbers_are_positions() -> None:
    data = from_arrays(np.arange(5.0), np.arange(5.0))
    assert positions_at(data, "3", 4.0).tolist() == [3.0]
    assert positions_at(data, 6, 4.0).tolist() == [6.0]


@pytest.mark.parametrize("when", ["2023-12-31", "soon", "2024-13", "2024-01-02T12:00"])
def test_other_times_are_refused(when: str) -> None:
    with pytest.raises(InputError):
        positions_at(_series("D"), when, 29.0)


def test_tables_have_no_times() -> None:
    with pytest.raises(InputError, match="a series in time"):
        positions_at(from_arrays(np.ones((3, 2)) * np.arange(3.0)[:, None], np.arange(3.0)), "1", 2.0)


def test_a_stretch_goes_from_the_first_of_one_time_to_the_last_of_another() -> None:
    months = [f"{2019 + place // 12}-{place % 12 + 1:02d}-01" for place in range(36)]
    data = load({"month": months, "sales": np.arange(36.0)})
    low, high = stretch_of(data, "2020", "2020-03")
    inside = data.x[(data.x >= low) & (data.x <= high)]
    assert time_labels(data, inside).astype("M8[M]").astype(str).tolist() == ["2020-01", "2020-02", "2020-03"]
    assert stretch_of(data, None, None) == (data.x.min(), data.x.max())
    with pytest.raises(InputError, match="begins before it ends; found 2021 to 2020"):
        stretch_of(data, "2021", "2020")
