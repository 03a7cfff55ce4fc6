"""The truths of made series against plain statistics of their data."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

NAMES = [
    "noise", "line", "falling line", "season", "line and season", "step up", "step down and season", "kink", "s-shape",
    "damped trend", "walk with drift", "scatter quadruples", "outlier", "last outlier", "lockdown",
]  # fmt: skip


def test_every_generator_is_tested(folder: Path) -> None:
    import truth_series

    assert list(truth_series.SERIES) == NAMES


@pytest.mark.parametrize("name", NAMES)
def test_truths_agree_with_the_data(folder: Path, name: str) -> None:
    import truth_series

    data = truth_series.SERIES[name](np.random.default_rng(1))
    y = np.array(data.columns["value"])
    middle = float(np.median(np.abs(np.diff(y)))) + 1.0
    for truth in data.truths:
        place = None if truth.at is None else round((truth.at - truth_series.FIRST) * 12.0)
        if truth.kind == "step":
            assert place is not None
            seen = np.median(y[place : place + 12]) - np.median(y[place - 12 : place])
            assert np.sign(seen) == np.sign(truth.number)
            assert abs(seen) > 0.5 * abs(truth.number)
        elif truth.kind == "event":
            assert place is not None
            seen = y[place] - np.median(y[max(place - 12, 0) : place])
            assert seen == pytest.approx(truth.number, rel=0.35)
        elif truth.kind == "scatter" and truth.prominent:
            thirds = [float(np.diff(part).std()) for part in np.array_split(y, 3)]
            assert truth.number / 2.0 < thirds[2] / thirds[0] < truth.number * 2.0
        elif truth.kind == "rise" and truth.prominent:
            seen = np.median(y[-12:]) - np.median(y[:12])
            assert np.sign(seen) == np.sign(truth.number)
            assert abs(seen) > middle
        elif truth.kind == "season":
            around = np.array([y[k] - np.median(y[max(k - 6, 0) : k + 7]) for k in range(len(y))])
            months = np.array([np.median(around[k::12]) for k in range(12)])
            assert np.corrcoef(months, np.cos(2.0 * np.pi * (np.arange(12) - 6) / 12.0))[0, 1] > 0.7
