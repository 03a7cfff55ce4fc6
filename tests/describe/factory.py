"""Synthetic decompositions: records as the decomposition would hand them over, without any fitting."""

from collections.abc import Sequence
from dataclasses import replace
from statistics import NormalDist

import numpy as np
from numpy.typing import NDArray

from autostatistician.data.times.axes import Axis
from autostatistician.decompose.records.series import Component, Decomposition, Fitted, Joint
from autostatistician.describe.axis.units import Units, units_of
from autostatistician.describe.document.document import Document, Section
from autostatistician.describe.facts.fact import Fact
from autostatistician.describe.observe.series.anatomy import anatomy, noise_sd
from autostatistician.describe.observe.series.claims import series_claims
from autostatistician.describe.observe.series.parts import component_facts
from autostatistician.describe.words.claims import Statement, statements
from autostatistician.describe.words.description import description, extrapolation
from autostatistician.describe.words.parts import summary
from autostatistician.forms import Curve
from autostatistician.kernels.kernel import Kernel, leaf

Vector = NDArray[np.float64]
Scores = tuple[float, float, float]  # r2, residual_r2, mae

MONTHLY = Axis("month", "year", "month", 1 / 12)
YEARLY = Axis("year", "year", "year", 1.0)
DAILY = Axis("date", "day", "day", 1.0, "2001-01-01")
HOURLY = Axis("time", "hour", "hour", 1.0, "2001-01-01")
BUSINESS = Axis("date", "business day", "business day", 1.0, "2001-01-01")
PLAIN = Axis("depth", "", "", None)
ZERO = leaf("0")

MONTHS = 1949 + np.arange(144) / 12
YEARS = 1610.0 + np.arange(402)
DAYS = np.arange(1500.0)
DEPTHS = np.linspace(0.0, 10.0, 60)


def _wave(kernel: Kernel, x: Vector) -> Vector:
    """A slow wave; of a cycle that changes within a turn one of its period, which is all that shows it."""
    named = [part.named() for part in kernel.parts]
    periods = [numbers["period"] for numbers in named if "period" in numbers]
    lengths = [numbers["lengthscale"] for numbers in named if "period" not in numbers and "lengthscale" in numbers]
    if len(periods) == len(lengths) == 1 and lengths[0] < periods[0]:
        return np.asarray(10.0 * np.sin(2.0 * np.pi * (x - x[0]) / periods[0]))
    return np.asarray(10.0 * np.sin(np.linspace(0.0, 6.0, x.size)))


def component(
    kernel: Kernel, x: Vector, mean: Vector | None = None, scores: Scores | None = None, **changes: object
) -> Component:
    """A component with a plausible posterior; any field can be given."""
    mean = (scatter(kernel, x) if "WN" in str(kernel) else _wave(kernel, x)) if mean is None else mean
    r2, residual, mae = scores or (50.0, 50.0, 5.0)  # shares in per cent, as published
    grid = grid_of(x)
    curve = Curve.normal(grid, np.interp(grid, x, mean), np.full(grid.size, 1.0))
    span, steps = float(x[-1] - x[0]), np.diff(mean)
    rises, falls = float(np.all(steps > 0)), float(np.all(steps < 0))
    record = Component(
        kernel=kernel,
        mean=mean,
        sd=np.full(x.size, 1.0),
        curve=curve,
        cumulative=curve,
        samples=np.tile(curve.mean, (3, 1)),
        is_noise="WN" in str(kernel),
        r2=r2 / 100.0,
        residual_r2=residual / 100.0,
        mae=mae,
        variance_share=0.5,
        active=(float(x[0]), float(x[-1])),
        slope=float(mean[-1] - mean[0]) / span,
        slope_sd=0.1 / span,
    )
    made = replace(record, **changes)  # type: ignore[arg-type]
    if made.is_noise or "joint" in changes:
        return made
    sure = NormalDist().cdf(abs(made.slope) / made.slope_sd) if made.slope_sd > 0.0 else float(made.slope_sd == 0.0)
    return replace(made, joint=ran(rising=sure * rises, falling=sure * falls))


def scatter(kernel: Kernel, x: Vector) -> Vector:
    """Values as noise of this kernel leaves them: quantiles of the normal distribution in a random order."""
    ranks = (np.random.default_rng(0).permutation(x.size) + 0.5) / x.size
    shown = anatomy(kernel)
    return np.array(
        [noise_sd(shown, float(at)) * NormalDist().inv_cdf(float(rank)) for at, rank in zip(x, ranks, strict=True)]
    )


def ran(*, rising: float = 0.0, falling: float = 0.0) -> Joint:
    """What joint draws show; nothing where nothing is given."""
    return Joint(rising, falling, size_sd=1.0)


def grid_of(x: Vector) -> Vector:
    """A plotting grid that runs 10 % beyond the data and holds the last datum."""
    return np.concatenate([np.linspace(x[0], x[-1], 201), np.linspace(x[-1], x[-1] + 0.1 * (x[-1] - x[0]), 21)[1:]])


def decomposition(parts: tuple[Component, ...], x: Vector, y: Vector, axis: Axis, **changes: object) -> Decomposition:
    """A decomposition around the components."""
    grid = grid_of(x)
    step = axis.step or float(np.median(np.diff(x)))
    signal = Curve.normal(grid, np.interp(grid, x, y), np.full(grid.size, 2.0))
    forecast = Curve.normal(x[-1] + step * np.arange(1, 15), np.full(14, y[-1]), np.linspace(5, 12, 14))
    record = Decomposition(
        name="airline",
        target="passengers",
        axis=axis,
        x=x,
        y=y,
        offset=0.0,
        fitted=Fitted(Kernel.sum(tuple(part.kernel for part in parts)), 534.5184, 1123.7047, 11, 12.3, 4567),
        components=parts,
        signal=signal,
        observation=Curve.normal(grid, signal.mean, signal.sd + 3.0),
        samples=np.tile(signal.mean, (3, 1)),
        forecast=forecast,
        signal_r2=0.998,
        path=(("WN", 2000.0, 0.1), ("SE + WN", 1500.0, 1.0), ("SE + Lin + WN", 1123.7047, 7.0)),
        warnings=("2 rows without a value were left out.",),
    )
    return replace(record, **changes)  # type: ignore[arg-type]


def airline() -> Decomposition:
    """Lin + SE * Per * Lin + SE + WN * Lin on monthly data, with the figures of Lloyd et al. 2014."""
    x, t = MONTHS, MONTHS - 1949
    means = (
        120 + 30 * t,
        (10 + 6 * t) * np.sin(2 * np.pi * t),
        12 * np.sin(t * 5),
        (-1.0) ** np.arange(144) * (0.5 + 0.2 * t),
    )
    cycle = leaf("SE", lengthscale=23.0, sd=37.2) * leaf("Per", lengthscale=0.72, period=1.0023, sd=1.13)
    kernels = (
        leaf("Lin", sd=33.5, location=1946.07),
        cycle * leaf("Lin", sd=0.11, location=1945.47),
        leaf("SE", lengthscale=0.5583, sd=13.9),
        leaf("WN", sd=0.0342) * leaf("Lin", sd=15.6, location=1943.18),
    )
    scores: tuple[Scores, ...] = (
        (85.4, 85.4, 34.03),
        (98.5, 89.9, 12.42),
        (99.8, 85.1, 9.11),
        (100.0, 100.0, 9.11),
    )
    parts = tuple(component(k, x, mean, s) for k, mean, s in zip(kernels, means, scores, strict=True))
    return decomposition(parts, x, np.sum(means, axis=0), MONTHLY)


def solar() -> Decomposition:
    """Constants, a smooth function and an eleven-year cycle around a window, on yearly data."""
    x = YEARS
    quiet = (x > 1643) & (x < 1716)
    cycle = leaf("SE", lengthscale=33.2, sd=0.3) * leaf("Per", lengthscale=0.61, period=10.8, sd=1.0)
    rows: tuple[tuple[Kernel, Vector, Scores], ...] = (
        (leaf("C", sd=1360.0), np.full(x.size, 1360.65), (0.0, 0.0, 0.33)),
        (window(ZERO, leaf("C", sd=0.6)), np.where(quiet, -0.6, 0.0), (37.4, 37.4, 0.23)),
        (
            window(leaf("SE", lengthscale=23.1, sd=0.3), ZERO),
            np.where(quiet, 0.0, 0.2 * np.sin(x / 40)),
            (72.8, 56.6, 0.18),
        ),
        (window(cycle, ZERO), np.where(quiet, 0.0, 0.3 * np.sin(x / 1.72)), (92.3, 71.5, 0.15)),
        (leaf("SE", lengthscale=1.2, sd=0.1), 0.1 * np.sin(x * 3), (98.1, 75.9, 0.15)),
        (leaf("WN", sd=0.02), 0.01 * np.sin(x * 7), (100.0, 100.0, 0.15)),
    )
    parts = tuple(component(kernel, x, mean, scores) for kernel, mean, scores in rows)
    y = np.sum([part.mean for part in parts], axis=0)
    return decomposition(parts, x, y, YEARLY, name="solar", target="irradiance", signal_r2=0.992)


def window(outside: Kernel, inside: Kernel) -> Kernel:
    """The quiet decades of the sun as a change window."""
    return Kernel.change_window(outside, inside, 1679.4, 0.9, 73.1)


def noise_only() -> Decomposition:
    """Nothing but white noise on plain numbers."""
    y = np.random.default_rng(0).normal(size=60)
    part = component(leaf("WN", sd=1.0), DEPTHS, y, (100.0, 100.0, 0.8))
    path = (("WN", 170.0, 0.1),)
    return decomposition((part,), DEPTHS, y, PLAIN, name="noise", target="value", signal_r2=0.0, path=path, warnings=())


def several_cycles() -> Decomposition:
    """A weekly cycle inside a yearly one, a constant and noise, on daily data."""
    x = DAYS
    both = leaf("Per", lengthscale=1.0, period=365.3, sd=5.0) * leaf("Per", lengthscale=9.0, period=7.001, sd=1.0)
    wave = 5 * np.sin(2 * np.pi * x / 365.25) * np.sin(2 * np.pi * x / 7)
    parts = (
        component(leaf("C", sd=20.0), x, np.full(x.size, 20.0), (0.0, 0.0, 3.0)),
        component(both, x, wave, (80.0, 80.0, 1.0)),
        component(leaf("WN", sd=1.0), x, np.sin(x * 9), (100.0, 100.0, 1.0)),
    )
    return decomposition(parts, x, 20 + wave + np.sin(x * 9), DAILY, name="calls", target="calls", signal_r2=0.8)


def units_on(axis: Axis, x: Vector) -> Units:
    """The units of rising values at positions on an axis."""
    return units_of(axis, x, np.arange(float(x.size)), "sales")


def told_claims(models: Sequence[tuple[Kernel, float]], units: Units) -> tuple[Statement, ...]:
    """What weighted models of a series claim, in words."""
    return statements(series_claims(models, units), units)


def observed(
    kernel: Kernel, axis: Axis = MONTHLY, x: Vector | None = None, mean: Vector | None = None, **changes: object
) -> tuple[tuple[Fact, ...], Units]:
    """The facts about a model of one component, and the units to tell them in."""
    x = MONTHS if x is None else x
    part = component(kernel, x, mean, **changes)  # type: ignore[arg-type]
    found = decomposition((part,), x, part.mean + 5.0 * np.cos(7.0 * np.arange(x.size)), axis)
    return component_facts(found.components[0], found), units_of(axis, found.x, found.y, found.target)


def short(
    kernel: Kernel, axis: Axis = MONTHLY, x: Vector | None = None, mean: Vector | None = None, **changes: object
) -> str:
    """The summary of a component."""
    return summary(*observed(kernel, axis, x, mean, **changes))


def long(
    kernel: Kernel, axis: Axis = MONTHLY, x: Vector | None = None, mean: Vector | None = None, **changes: object
) -> str:
    """The description of a component."""
    return description(*observed(kernel, axis, x, mean, **changes))


def beyond(
    kernel: Kernel, axis: Axis = MONTHLY, x: Vector | None = None, mean: Vector | None = None, **changes: object
) -> str:
    """What is said about a component beyond the data."""
    return extrapolation(*observed(kernel, axis, x, mean, **changes))


def every_section(made: Document) -> tuple[Section, ...]:
    """The sections of a page, and those of how it was found."""
    return (*made.sections, *made.found)
