"""Which columns have natural limits, and how users say others."""

from __future__ import annotations

import numpy as np
import pytest

from autostatistician.data.target_limits import UNLIMITED, check_within, checked_limits, natural_limits
from autostatistician.errors import InputError

RNG = np.random.default_rng(0)
AMOUNTS = np.exp(RNG.normal(size=40))
COUNTS = RNG.poisson(4.0, 40).astype(float)


@pytest.mark.parametrize(
    ("y", "name", "expected"),
    [
        (COUNTS, "visits", (0.0, np.inf)),
        (np.append(AMOUNTS, 0.0), "rain", (0.0, np.inf)),
        (60.0 + 30.0 * RNG.uniform(size=40), "homes online (%)", (0.0, 100.0)),  # however far from zero
        (99.0 - 18.0 * np.linspace(0.0, 1.0, 40), "on_time_percent", (0.0, 100.0)),
        (0.9 + 0.05 * np.linspace(0.0, 1.0, 40), "market share", (0.0, 1.0)),
        (60.0 + 30.0 * np.linspace(0.0, 1.0, 40), "homes online", UNLIMITED),  # no name says so
        (81.0 + 18.0 * np.linspace(0.0, 1.0, 40), "percent change", UNLIMITED),
        (95.0 * RNG.uniform(size=40), "homes online (%)", (0.0, 100.0)),
        (95.0 * RNG.uniform(size=40), "Anteil in Prozent", (0.0, 100.0)),
        (RNG.uniform(size=40), "market share", (0.0, 1.0)),
        (RNG.uniform(size=40), "share price", UNLIMITED),
        (110.0 * RNG.uniform(size=40) + 1.0, "debt in percent of GDP", UNLIMITED),
        (AMOUNTS, "sales", UNLIMITED),  # no kind shows; the model may
        (COUNTS, "temperature", UNLIMITED),
        (COUNTS, "net change", UNLIMITED),
        (COUNTS - 3.0, "visits", UNLIMITED),
        (COUNTS + 500.0, "visits", UNLIMITED),  # too far for zero to matter
        (COUNTS % 2.0, "rain", (0.0, 1.0)),
        (COUNTS[:6], "visits", UNLIMITED),
    ],
)
def test_limits_are_asked_of_values_and_names(y: np.ndarray, name: str, expected: tuple[float, float]) -> None:
    assert natural_limits(y, name) == expected


@pytest.mark.parametrize("asked", [(5, 5), (3, 1), (0,), "both", (0, "x"), (float("nan"), 1), (True, 3), 7, (0, 1, 2)])
def test_other_limits_are_refused(asked: object) -> None:
    with pytest.raises(InputError, match="limits"):
        checked_limits(asked)


def test_sides_may_be_open() -> None:
    assert checked_limits((None, 100)) == (-np.inf, 100.0)
    assert checked_limits([0, None]) == (0.0, np.inf)
    assert checked_limits(None) is None


def test_data_beyond_limits_are_refused() -> None:
    check_within((0.0, np.inf), AMOUNTS)
    with pytest.raises(InputError, match="found -2; widen"):
        check_within((0.0, np.inf), np.array([1.0, -2.0]))
