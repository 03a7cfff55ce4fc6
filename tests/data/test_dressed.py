"""Tables in random dress are read back as they were written, or asked about; none is silently wrong."""

import io

import numpy as np
import pandas as pd
import pytest
from tests.data.dressed import dressed

from autostatistician.data.load import load

PERIODS = {"D": "D", "B": "D", "W": "W-SUN", "M": "M", "Q": "Q", "Y": "Y", "h": "h"}


@pytest.mark.parametrize(
    "start", [pytest.param(0), *(pytest.param(k, marks=pytest.mark.slow) for k in (40, 80, 120, 160))]
)
def test_a_table_in_random_dress_is_read_back(start: int) -> None:
    wrong = []
    for seed in range(start, start + 40):
        made = dressed(seed)
        data = load(io.BytesIO(made.content))
        period = PERIODS[made.how[0]]
        times = None if data.axis is None else data.axis.times(data.x)
        if data.n != made.series.size or not np.allclose(data.y + data.offset, made.series, rtol=1e-9):
            wrong.append((seed, made.how, data.warnings))
        elif times is None or not np.array_equal(_dates(times).to_period(period), made.series.index.to_period(period)):
            wrong.append((seed, made.how, "times"))
    assert wrong == []


def _dates(times: np.ndarray) -> pd.DatetimeIndex:
    return pd.DatetimeIndex(times if times.dtype.kind == "M" else [f"{time:.0f}-01-01" for time in times])


def test_points_between_groups_of_three_digits_separate_thousands_where_the_file_is_german() -> None:
    rows = "".join(f"{day:02d}.01.2020;{5 + day % 3}.{100 + day}\n" for day in range(1, 20))
    assert load(io.StringIO("day;sold\n" + rows)).y[0] == 6101.0
    said = load(io.StringIO("day;sold\n" + rows.replace(".01.2020", "/01/2020"))).warnings
    assert "In column 'sold' points were read as decimal points, though all may separate thousands." in said


def test_a_title_with_commas_is_no_header() -> None:
    rows = "".join(f"2020-01-{day:02d},{day % 5},{day % 3}\n" for day in range(1, 20))
    data = load(io.StringIO("Sales, all shops\n\nday,sold,price\n" + rows), target="sold")
    assert data.axis is not None
    assert (data.axis.column, data.n) == ("day", 19)
