"""One turn of a cycle: from January to December, from Monday to Sunday, or as long as it is."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from tests.describe.spoken.pages import NOISE, _panel

from autostatistician.describe.document.document import Line, Panel, Points
from autostatistician.language.kernel import leaf


def _lines(panel: Panel) -> list[Line]:
    return [layer for layer in panel.layers if isinstance(layer, Line)]


def test_a_yearly_cycle_runs_from_january_to_december() -> None:
    times = pd.date_range("2000-03-01", periods=120, freq="MS")
    y = np.sin(2 * np.pi * (times.month - 4) / 12)  # highest in July
    panel = _panel(leaf("Per", sd=1.0, period=1.0, lengthscale=1.0) + NOISE, times, y.to_numpy())
    assert panel.title == "One cycle"
    assert [name for _, name in panel.x_ticks][::4] == ["Jan", "May", "Sep"]
    assert len(panel.x_ticks) == 12
    (line,) = _lines(panel)  # the same every year
    assert float(np.ptp(line.x)) == pytest.approx(1.0)
    (dots,) = [layer for layer in panel.layers if isinstance(layer, Points)]
    assert len(dots.y) == 120  # every value, folded on the turn
    assert np.ptp(dots.x) < 1.0
    np.testing.assert_allclose(dots.y, y, atol=1e-9)  # nothing but the cycle is in the model
    assert float(line.x[np.argmax(line.y)]) == pytest.approx(dict(map(reversed, panel.x_ticks))["Jul"], abs=0.02)  # type: ignore[arg-type]


def test_a_yearly_cycle_of_quarters_names_these() -> None:
    times = pd.date_range("2000-01-01", periods=80, freq="QS")
    y = np.where(times.quarter == 3, 1.0, 0.0)
    panel = _panel(leaf("Per", sd=1.0, period=1.0, lengthscale=0.6) + NOISE, times, y)
    assert (panel.x_label, panel.x_ticks[2]) == ("quarter", (0.5, "Q3"))


@pytest.mark.parametrize(("frequency", "period", "names"), [("D", 7.0, 7), ("B", 5.0, 5)])
def test_a_weekly_cycle_runs_from_monday_on(frequency: str, period: float, names: int) -> None:
    times = pd.date_range("2022-01-06", periods=90, freq=frequency)
    y = np.where(times.day_of_week == 4, 1.0, 0.0)
    panel = _panel(leaf("Per", sd=1.0, period=period, lengthscale=0.6) + NOISE, times, y)
    assert [name for _, name in panel.x_ticks] == ["Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"][:names]
    (line,) = _lines(panel)
    assert float(line.x[np.argmax(line.y)]) == pytest.approx(4.0, abs=0.2)  # Friday


@pytest.mark.slow
def test_a_daily_cycle_begins_at_midnight() -> None:
    times = pd.date_range("2022-01-06 09:00", periods=200, freq="h")
    y = np.cos(2 * np.pi * (times.hour - 15) / 24)
    panel = _panel(leaf("Per", sd=1.0, period=24.0, lengthscale=1.0) + NOISE, times, y.to_numpy())
    assert panel.x_ticks[:2] == ((0.0, "00:00"), (3.0, "03:00"))
    (line,) = _lines(panel)
    assert float(line.x[np.argmax(line.y)]) == pytest.approx(15.0, abs=0.7)


def test_of_a_cycle_that_grows_the_first_and_the_last_turn_are_drawn() -> None:
    times = pd.date_range("2000-01-01", periods=120, freq="MS")
    x = np.arange(120.0)
    kernel = leaf("Per", sd=1.0, period=1.0, lengthscale=1.0) * leaf("Lin", sd=1.0, location=1999.0) + NOISE
    panel = _panel(kernel, times, (1.0 + 0.1 * x) * np.sin(2 * np.pi * x / 12))
    first, last = _lines(panel)
    assert (first.label, last.label) == (
        "first whole cycle, from January 2000", "last whole cycle, from January 2009",
    )  # fmt: skip
    assert float(np.ptp(last.y)) > 3.0 * float(np.ptp(first.y))
