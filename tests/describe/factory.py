"""Synthetic decompositions: records as the decomposition would hand them over, without any fitting."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from autostatistician.data.axes import Axis
from autostatistician.decompose.records import Component, Curve, Decomposition, Fitted
from autostatistician.language.kernel import Kernel, leaf

Vector = NDArray[np.float64]

MONTHLY = Axis("month", "year", "month", 1 / 12)
YEARLY = Axis("year", "year", "year", 1.0)
DAILY = Axis("date", "day", "day", 1.0, "2001-01-01")
HOURLY = Axis("time", "hour", "hour", 1.0, "2001-01-01")
BUSINESS = Axis("date", "business day", "business day", 1.0, "2001-01-01")
PLAIN = Axis("depth", "", "", None)
ZERO = leaf("0")

MONTHS = 1949 + np.arange(144) / 12
YEARS = 1610.0 + np.arange(402)


def component(kernel: Kernel, x: Vector, mean: Vector | None = None, **changes: object) -> Component:
    """A component with a plausible posterior; any field can be given."""
    noise = "WN" in str(kernel.expr)
    mean = 10.0 * np.sin(np.linspace(0.0, 6.0, x.size)) if mean is None else mean
    grid = grid_of(x)
    curve = Curve(grid, np.interp(grid, x, mean), np.full(grid.size, 1.0))
    span = float(x[-1] - x[0])
    steps = np.diff(mean)
    record = Component(
        kernel=kernel,
        mean=mean,
        sd=np.full(x.size, 1.0),
        curve=curve,
        cumulative=curve,
        remaining=curve,
        samples=np.tile(curve.mean, (3, 1)),
        is_noise=noise,
        r2=50.0,
        delta_r2=50.0,
        residual_r2=50.0,
        mae=5.0,
        mae_reduction=50.0,
        variance_share=50.0,
        active=(float(x[0]), float(x[-1])),
        monotonic=int(np.all(steps > 0)) - int(np.all(steps < 0)),
        slope=float(mean[-1] - mean[0]) / span,
        slope_sd=0.1 / span,
        low=float(mean.min()),
        high=float(mean.max()),
        prior_sd_first=1.0,
        prior_sd_last=1.0,
    )
    return replace(record, **changes)  # type: ignore[arg-type]


def grid_of(x: Vector) -> Vector:
    """A plotting grid that runs 10 % beyond the data."""
    return np.linspace(x[0], x[-1] + 0.1 * (x[-1] - x[0]), 221)


def decomposition(
    parts: tuple[Component, ...],
    x: Vector,
    y: Vector,
    axis: Axis,
    name: str = "airline",
    target: str = "passengers",
    **changes: object,
) -> Decomposition:
    """A decomposition around the components; the last one has no remaining parts."""
    parts = (*parts[:-1], replace(parts[-1], remaining=None))
    grid = grid_of(x)
    step = axis.step or float(np.median(np.diff(x)))
    ahead = x[-1] + step * np.arange(1, 15)
    signal = Curve(grid, np.interp(grid, x, y), np.full(grid.size, 2.0))
    expression = Kernel.sum(tuple(part.kernel for part in parts))
    record = Decomposition(
        name=name,
        target=target,
        axis=axis,
        x=x,
        y=y,
        offset=0.0,
        fitted=Fitted(expression, 534.5184, 1123.7047, 11, 12.3, 4567),
        components=parts,
        mae_baseline=float(np.mean(np.abs(y))),
        signal=signal,
        observation=Curve(grid, signal.mean, signal.sd + 3.0),
        samples=np.tile(signal.mean, (3, 1)),
        forecast=Curve(ahead, np.full(14, y[-1]), np.linspace(5, 12, 14)),
        signal_r2=99.8,
        path=(("WN", 2000.0, 0.1), ("SE + WN", 1500.0, 1.0), ("SE + Lin + WN", 1123.7047, 7.0)),
        warnings=("2 rows without a value were left out.",),
    )
    return replace(record, **changes)  # type: ignore[arg-type]


def airline() -> Decomposition:
    """Lin + SE * Per * Lin + SE + WN * Lin on monthly data, with the figures of Lloyd et al. 2014."""
    x, t = MONTHS, MONTHS - 1949
    line, wave, slow = 120 + 30 * t, (10 + 6 * t) * np.sin(2 * np.pi * t), 12 * np.sin(t * 5)
    noise = np.where(np.arange(144) % 2, 1.0, -1.0) * (0.5 + 0.2 * t)
    parts = (
        component(
            leaf("Lin", sd=33.5, location=1946.07),
            x,
            line,
            r2=85.4,
            delta_r2=85.4,
            residual_r2=85.4,
            mae=34.03,
            mae_reduction=87.9,
            slope_sd=0.7,
        ),
        component(
            leaf("SE", lengthscale=23.0, sd=37.2)
            * leaf("Per", lengthscale=0.72, period=1.0023, sd=1.13)
            * leaf("Lin", sd=0.11, location=1945.47),
            x,
            wave,
            r2=98.5,
            delta_r2=13.2,
            residual_r2=89.9,
            mae=12.42,
            mae_reduction=63.4,
        ),
        component(
            leaf("SE", lengthscale=0.5583, sd=13.9),
            x,
            slow,
            r2=99.8,
            delta_r2=1.3,
            residual_r2=85.1,
            mae=9.11,
            mae_reduction=26.8,
        ),
        component(
            leaf("WN", sd=0.0342) * leaf("Lin", sd=15.6, location=1943.18),
            x,
            noise,
            r2=100.0,
            delta_r2=0.2,
            residual_r2=100.0,
            mae=9.11,
            mae_reduction=0.0,
        ),
    )
    return decomposition(parts, x, line + wave + slow + noise, MONTHLY)


def solar() -> Decomposition:
    """Constants, a smooth function and an eleven-year cycle around a window, on yearly data."""
    x = YEARS
    quiet = (x > 1643) & (x < 1716)
    cycle = leaf("SE", lengthscale=33.2, sd=0.3) * leaf("Per", lengthscale=0.61, period=10.8, sd=1.0)

    def window(outside: Kernel, inside: Kernel) -> Kernel:
        return Kernel.change_window(outside, inside, 1679.4, 0.9, 73.1)

    wave = np.where(quiet, 0.0, 0.3 * np.sin(2 * np.pi * x / 10.8))
    parts = (
        component(
            leaf("C", sd=1360.0),
            x,
            np.full(x.size, 1360.65),
            r2=0.0,
            delta_r2=0.0,
            residual_r2=0.0,
            mae=0.33,
            mae_reduction=99.97,
        ),
        component(
            window(ZERO, leaf("C", sd=0.6)),
            x,
            np.where(quiet, -0.6, 0.0),
            r2=37.4,
            residual_r2=37.4,
            mae=0.23,
            mae_reduction=32.0,
            active=(1645.0, 1714.0),
        ),
        component(
            window(leaf("SE", lengthscale=23.1, sd=0.3), ZERO),
            x,
            np.where(quiet, 0.0, 0.2 * np.sin(x / 40)),
            r2=72.8,
            residual_r2=56.6,
            mae=0.18,
            mae_reduction=21.1,
        ),
        component(window(cycle, ZERO), x, wave, r2=92.3, residual_r2=71.5, mae=0.15, mae_reduction=16.8),
        component(
            leaf("SE", lengthscale=1.2, sd=0.1),
            x,
            0.1 * np.sin(x * 3),
            r2=98.1,
            residual_r2=75.9,
            mae=0.15,
            mae_reduction=0.04,
        ),
        component(
            leaf("WN", sd=0.02), x, 0.01 * np.sin(x * 7), r2=100.0, residual_r2=100.0, mae=0.15, mae_reduction=0.0
        ),
    )
    y = np.sum([part.mean for part in parts], axis=0)
    return decomposition(parts, x, y, YEARLY, "solar", "irradiance", signal_r2=99.2)


def noise_only() -> Decomposition:
    """Nothing but white noise on plain numbers."""
    x = np.linspace(0.0, 10.0, 60)
    y = np.random.default_rng(0).normal(size=60)
    part = component(leaf("WN", sd=1.0), x, y, r2=100.0, residual_r2=100.0, mae=0.8, mae_reduction=0.0)
    return decomposition((part,), x, y, PLAIN, "noise", "value", signal_r2=0.0, path=(("WN", 170.0, 0.1),), warnings=())


def several_cycles() -> Decomposition:
    """A weekly cycle inside a yearly one, a constant and noise, on daily data."""
    x = np.arange(0.0, 1500.0)
    both = leaf("Per", lengthscale=1.0, period=365.3, sd=5.0) * leaf("Per", lengthscale=9.0, period=7.001, sd=1.0)
    wave = 5 * np.sin(2 * np.pi * x / 365.25) * np.sin(2 * np.pi * x / 7)
    parts = (
        component(leaf("C", sd=20.0), x, np.full(x.size, 20.0), r2=0.0, residual_r2=0.0, mae=3.0, mae_reduction=85.0),
        component(both, x, wave, r2=80.0, residual_r2=80.0, mae=1.0, mae_reduction=66.0),
        component(leaf("WN", sd=1.0), x, np.sin(x * 9), r2=100.0, residual_r2=100.0, mae=1.0, mae_reduction=0.0),
    )
    return decomposition(parts, x, 20 + wave + np.sin(x * 9), DAILY, "calls", "calls", signal_r2=80.0)
