import os
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from autostatistician.data.load import load
from autostatistician.data.times.unfinished import unfinished_text


def _written(tmp_path: Path, when: str, freq: str, until: str) -> tuple[str, ...]:
    """What is said of a file of 20 rows up to a date that was written at a time."""
    dates = pd.date_range(end=until, periods=20, freq=freq)
    file = tmp_path / "table.csv"
    pd.DataFrame({"date": dates, "y": np.arange(20.0) ** 1.5}).to_csv(file, index=False)
    seconds = pd.Timestamp(when).timestamp()
    os.utime(file, (seconds, seconds))
    return tuple(text for text in load(file).warnings if "last written" in text)


@pytest.mark.parametrize(
    ("when", "freq", "until", "running"),
    [
        ("2026-11-24 10:00", "MS", "2026-11-01", True),
        ("2026-12-01 00:30", "MS", "2026-11-01", False),
        ("2026-11-24 10:00", "ME", "2026-11-30", True),
        ("2026-12-03 10:00", "ME", "2026-11-30", False),
        ("2026-11-24 10:00", "QS", "2026-10-01", True),
        ("2026-11-24 10:00", "YS", "2026-01-01", True),
        ("2027-02-01 10:00", "YS", "2026-01-01", False),
        ("2026-11-24 10:00", "D", "2026-11-24", True),
        ("2026-11-25 10:00", "D", "2026-11-24", False),
        ("2026-11-21 10:00", "B", "2026-11-20", False),
        ("2026-11-20 10:00", "B", "2026-11-20", True),
        ("2026-11-24 10:30", "h", "2026-11-24 10:00", False),
    ],
)
def test_a_period_that_was_not_over_is_noticed(
    tmp_path: Path, when: str, freq: str, until: str, *, running: bool
) -> None:
    assert bool(_written(tmp_path, when, freq, until)) == running


def test_without_a_file_or_a_calendar_nothing_is_said() -> None:
    data = load({"month": ["2026-09", "2026-10", "2026-11"], "y": [1.0, 2.0, 4.0]})
    assert not [text for text in data.warnings if "last written" in text]
    assert unfinished_text(None, 3.0, 1.0) == ""
