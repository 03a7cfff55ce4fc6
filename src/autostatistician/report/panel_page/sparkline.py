"""A series as a small picture: its values, and the forecast in its range, in about one kilobyte."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from autostatistician.describe.panels.traits import places
from autostatistician.panel.records import SeriesRecord

__all__ = ["HEIGHT", "WIDTH", "sparkline"]

Array = NDArray[np.float64]

WIDTH, HEIGHT = 240, 48  # of its coordinates, which are whole numbers
MARGIN = 2
MOST_OF_RANGE = 1.0  # of the height of the data: so far above and below them a range is shown


def sparkline(record: SeriesRecord) -> str:
    """The picture as SVG; "" of a series without values. It says nothing that the row beside it does not say.

    >>> sparkline(SeriesRecord("a", ("a",), "done", values=(1.0, 2.0), times=("1", "2")))
    '<svg viewBox="0 0 240 48" preserveAspectRatio="none" aria-hidden="true"><path class="v" d="M2 46l236-44"/></svg>'
    """
    values = np.array(record.values)
    if not values.size or not np.isfinite(values).all():
        return ""
    x, ahead = _positions(record)
    forecast = record.forecast
    low, high = _limits(values, record)
    paths = []
    if forecast is not None and len(ahead):
        mean = _across(np.concatenate([values[-1:], forecast.mean]), low, high)
        here = np.concatenate([x[-1:], ahead])
        if forecast.low:
            lower, upper = (_across(np.array(ends[-1]), low, high) for ends in (forecast.low, forecast.high))
            there = np.concatenate([x[-1:], ahead, ahead[::-1]])
            band = np.concatenate([_across(values[-1:], low, high), upper, lower[::-1]])
            paths.append(f'<path class="b" d="{_path(there, band)}z"/>')
        paths.append(f'<path class="f" d="{_path(here, mean)}"/>')
    paths.append(f'<path class="v" d="{_path(x, _across(values, low, high))}"/>')
    box = f'viewBox="0 0 {WIDTH} {HEIGHT}" preserveAspectRatio="none" aria-hidden="true"'
    return f"<svg {box}>{''.join(paths)}</svg>"


def _positions(record: SeriesRecord) -> tuple[Array, Array]:
    """Where values and forecast stand across the picture: by their times, where these are numbers or dates."""
    ahead_times = record.forecast.times if record.forecast is not None else ()
    every = places((*record.times, *ahead_times)) if len(record.times) == len(record.values) else None
    if every is None or not np.ptp(every) > 0.0 or not np.isfinite(every).all():
        every = np.arange(float(len(record.values) + len(ahead_times)))
    first, span = float(every.min()), float(np.ptp(every)) or 1.0
    scaled = MARGIN + (every - first) / span * (WIDTH - 2 * MARGIN)
    return scaled[: len(record.values)], scaled[len(record.values) :]


def _limits(values: Array, record: SeriesRecord) -> tuple[float, float]:
    """The lowest and the highest that is shown: all values and the forecast, and as much of its range as has room."""
    told = values if record.forecast is None else np.concatenate([values, record.forecast.mean])
    low, high = float(told.min()), float(told.max())
    if record.forecast is not None and record.forecast.low and record.forecast.low[-1]:
        room = MOST_OF_RANGE * (high - low)
        ends = min(record.forecast.low[-1]), max(record.forecast.high[-1])
        low, high = min(low, max(ends[0], low - room)), max(high, min(ends[1], high + room))
    return low, high


def _across(values: Array, low: float, high: float) -> Array:
    """Heights in the picture; what is the same throughout lies in its middle."""
    if not high > low:
        return np.full(len(values), HEIGHT / 2.0)
    share = np.clip((values / 2.0 - low / 2.0) / (high / 2.0 - low / 2.0), 0.0, 1.0)  # halved: no overflow
    return HEIGHT - MARGIN - share * (HEIGHT - 2 * MARGIN)


def _path(x: Array, y: Array) -> str:
    points = np.stack([np.rint(x), np.rint(y)], axis=1).astype(int)
    steps = "".join(f"l{dx}{'' if dy < 0 else ' '}{dy}" for dx, dy in np.diff(points, axis=0).tolist())
    return f"M{points[0, 0]} {points[0, 1]}{steps or 'l0 0'}"
