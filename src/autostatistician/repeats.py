"""A function of one column as a part that repeats with a period and a part that does not, whatever its kernel.

Durrande et al. (2016) project onto sines of the period in the inner product that belongs to the kernel. Sines have a
finite length in that of rough kernels alone: of a squared exponential nothing would repeat. Yet every function has a
mean cycle. Here the part that repeats has a value for each phase of the period, by least squares beside a broken line
(the course, which no cycle takes up), over places that are spread evenly. That is a linear map ``A`` of the function,
so both parts are normal where the function is, and they add up to it: of the covariance ``K`` the one has ``A K A'``,
the other ``(1 - A) K (1 - A)'``.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from autostatistician.data.dataset import time_labels
from autostatistician.decompose.records.function import Estimate
from autostatistician.decompose.series.bands import thinned_for_bands
from autostatistician.decompose.series.estimates import estimate
from autostatistician.decompose.series.seasons import broken_lines, knots_of_course
from autostatistician.decompose.uncertainty import ParameterDraws, fixed_parameters, uncertainty_of
from autostatistician.describe.axis.units import SECONDS
from autostatistician.errors import InputError
from autostatistician.forms import Curve
from autostatistician.inference import Problem, condition
from autostatistician.inference.covariance import covariance
from autostatistician.language.kernel import Kernel
from autostatistician.language.traits import is_noise
from autostatistician.model.explanation import decomposition
from autostatistician.model.fitted import Model
from autostatistician.prior import columns_of, kernel_of, rows_of
from autostatistician.seeds import generator
from autostatistician.threads import one_thread

if TYPE_CHECKING:
    import pandas as pd

__all__ = ["RepeatingParts", "Repeats", "repeating_parts", "split_by_period"]

Array = NDArray[np.float64]

DRAWS = 400
MOST_PLACES = 600  # of which one matrix holds the covariances
FEWEST_PHASES, ENOUGH_PHASES = 2, 12  # in a cycle, and how many there are (of rows so close) however many cycles
ROUNDING = 1e-9  # singular values below it: the level, which phases and the broken line have in common


@dataclass(frozen=True, eq=False)
class Repeats:
    """A function as a curve that is the same in all cycles of a ``period`` and the ``rest``, which add up to it.

    ``share`` is the variance of the former over the places in that of both, with its range; the prior ``expected`` it
    (of the expected variances). All is on the scale of the model.
    """

    period: float
    share: Estimate
    expected: float
    cycle: Curve
    rest: Curve


@dataclass(frozen=True, eq=False)
class RepeatingParts:
    """A series, or a part of its model, as what repeats with a period and what does not.

    Attributes
    ----------
    period : float
        In units of the axis.
    share, lower, upper : float
        The variance of what repeats, as a share of that of both, with its range of 95 %.
    expected : float
        The share that the kernel of the model, with its numbers, expects without the data.
    curves : DataFrame
        time, cycle, cycle_lower, cycle_upper, rest, rest_lower and rest_upper (95 %, of the function without noise).
        Cycle and rest add up to the function or part, of a logarithm about the typical level.
    scale : str
        That of the curves and of the share: "none", or "log" where the logarithm of the target is modelled.
    """

    period: float
    share: float
    lower: float
    upper: float
    expected: float
    curves: pd.DataFrame = field(repr=False)
    scale: str


def split_by_period(kernel: Any, X: ArrayLike, y: ArrayLike, period: float, *, random_state: Any = 0) -> Repeats:
    """A function given its observations, as a part that repeats with a period and a part that does not.

    Any kernel will do, also one that knows of no cycle (the aim of Durrande et al. 2016): the part that repeats is the
    mean cycle of the function beside a broken line, by least squares over the span of the rows, and the rest is what it
    leaves. Both are normal, and they add up to the function. The numbers of the kernel are held.

    Parameters
    ----------
    kernel : str, Kernel, or fitted estimator
        With all its parameters, on one column, as `sample` takes it; its noise is in neither part.
    X : array (n,) or (n, 1)
        Where the observations are.
    y : array (n,)
        Observations; the mean is zero, so take it off or add a constant to the kernel.
    period : float
        In the units of ``X``, which must span it twice.
    random_state : int, RandomState or None
        Of the draws behind the range of the share.

    Returns
    -------
    Repeats
        ``cycle`` and ``rest`` are curves with bands of 95 % (of the function alone); ``share`` is the variance of the
        former in that of both, with its range of 95 %. Where it is far above ``expected``, the share before the data,
        the kernel has missed a cycle.

    Raises
    ------
    InputError
        When parameters of the kernel are open, all of it is noise, there are several columns, rows and observations
        differ, or the rows do not show the period twice.

    Examples
    --------
    >>> x = np.arange(48.0)
    >>> y = np.sin(2.0 * np.pi * x / 12.0) + 0.05 * x - 1.2
    >>> parts = split_by_period("SE(lengthscale=2, sd=1) + WN(sd=0.1)", x, y, 12.0)
    >>> round(parts.share.number, 2), round(parts.expected, 2), parts.cycle.mean[:4].round(1).tolist()
    (0.51, 0.17, [0.0, 0.5, 0.9, 1.0])
    """
    whole, rows, target = kernel_of(kernel), rows_of(X), np.asarray(y, dtype=np.float64)
    if rows.shape[1] != 1 or target.shape != (len(rows),) or not np.isfinite(target).all():
        found = f"arrays of shapes {rows.shape} and {target.shape}"
        raise InputError.of("one column, and a finite observation for each row", found, "give one number for each")
    with one_thread():
        members = fixed_parameters(condition(whole, Problem(rows, target, columns_of(X, 1))))
        signal = [index for index, part in enumerate(members.fit.parts) if not is_noise(part)]
        if not signal:
            raise InputError.of("a kernel with a part that is no noise", f"{whole}", "name what shall repeat")
        gaps = np.diff(np.unique(rows))
        gap = float(np.median(gaps)) if gaps.size else 0.0
        return _split(members, signal, float(period), gap, generator(random_state))


def repeating_parts(model: Model, period: float | str, part: int | None = None) -> RepeatingParts:
    """What repeats with a period of a series, or of one part of its model (counted from 1, as the report has them).

    Raises
    ------
    InputError
        When the model is not one of a series of numbers, has no such part, all of it is noise, or the rows do not show
        the period twice.
    """
    axis = model.dataset.axis
    if axis is None or model.dataset.classes:
        kind = "classes" if model.dataset.classes else "a table"
        raise InputError.of("a series of numbers", f"a model of {kind}", "ask one of a time and a target")
    length = _length(period, axis.unit)

    def drawn() -> ParameterDraws:
        rng = np.random.default_rng(model.settings.seed)
        return uncertainty_of(model.posterior, rng, axis.natural_periods, priors=model.priors)

    with one_thread():
        members = model.once("numbers of repeats", drawn)
        wanted = members.fit.parts if part is None else (_part(model, part),)
        signal = [members.fit.parts.index(kernel) for kernel in wanted if not is_noise(kernel)]
        if not signal:
            raise InputError.of("a part that is no noise", "noise alone", "ask for another one: noise never repeats")
        rng = np.random.default_rng(model.settings.seed)
        found = _split(members, signal, length, axis.step or axis.gap, rng)
    share, level = found.share, model.modelled.offset - model.transform.shift if part is None else 0.0
    curves = _frame(model, found, level)
    return RepeatingParts(length, share.number, share.low, share.high, found.expected, curves, model.transform.name)


def _length(period: float | str, unit: str) -> float:
    """A period in units of the axis; on a calendar it may be named."""
    if isinstance(period, str) and unit in SECONDS and period in SECONDS:
        return SECONDS[period] / SECONDS[unit]
    if isinstance(period, int | float | np.number) and np.isfinite(period):
        return float(period)
    names = f", or one of {', '.join(SECONDS)}" if unit in SECONDS else ""
    raise InputError.of(f"a number of units of the axis{names}", repr(period), "name one")


def _part(model: Model, part: int) -> Kernel:
    components = decomposition(model, 0, checked=False).components
    if not 1 <= part <= len(components):
        raise InputError.of(f"a part from 1 to {len(components)}", f"{part}", "see `decompose`")
    return components[part - 1].kernel


def _frame(model: Model, found: Repeats, level: float) -> pd.DataFrame:
    import pandas as pd

    columns = {
        name + end: getattr(curve, attribute) + added
        for name, curve, added in (("cycle", found.cycle, 0.0), ("rest", found.rest, level))
        for end, attribute in (("", "mean"), ("_lower", "lower"), ("_upper", "upper"))
    }
    return pd.DataFrame({"time": time_labels(model.dataset, found.cycle.x), **columns})


def _split(
    members: ParameterDraws, indices: Sequence[int], period: float, gap: float, rng: np.random.Generator
) -> Repeats:
    """What repeats of the sum of some parts of a model, under the fit and under draws of its numbers.

    ``gap`` is the distance of neighbouring rows.
    """
    x, columns = members.fit.posterior.X[:, 0], members.fit.posterior.columns
    places, phases = _phases(float(x.min()), float(x.max()), period, gap)
    fold, at, some = _repeating_map(places, phases), places[:, None], thinned_for_bands(members)
    prior = covariance(Kernel.sum(tuple(members.fit.parts[index] for index in indices)), at, at, columns)
    mean, cov = some.component(indices, at)
    curves = some.curves(indices, at, rng, scale=float(prior.diagonal().max(initial=0.0)), count=DRAWS)
    cyclic, rest = (part.var(axis=1) for part in (curves @ fold.T, curves - curves @ fold.T))
    maps = fold, np.eye(len(fold)) - fold
    # over the places, the variance that is expected of what a map makes of the function
    centred = [linear - linear.mean(axis=0) for linear in maps]
    expected = [np.einsum("ij,jk,ik->", each, prior, each, optimize=True) / len(fold) for each in centred]
    deviations = [np.sqrt(np.maximum(np.einsum("ij,jk,ik->i", each, cov, each, optimize=True), 0.0)) for each in maps]
    return Repeats(
        period,
        estimate(_share(cyclic, rest)),
        float(_share(*map(np.asarray, expected))),
        *(Curve.normal(places, linear @ mean, sd) for linear, sd in zip(maps, deviations, strict=True)),
    )


def _phases(low: float, high: float, period: float, gap: float) -> tuple[Array, NDArray[np.intp]]:
    """Evenly spread places (m,) from ``low`` on, and the phase of each by number: the rows, where these are on a grid.

    Of very many cycles some are left out, evenly.

    >>> places, phases = _phases(0.0, 9.0, 4.0, 1.0)
    >>> places.tolist(), phases.tolist()
    ([0.0, 1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0, 9.0], [0, 1, 2, 3, 0, 1, 2, 3, 0, 1])
    """
    if not (FEWEST_PHASES * gap <= 1.01 * period and 2.0 * period <= high - low + 1.01 * gap):
        least, most = FEWEST_PHASES * gap, 0.5 * (high - low + gap)
        raise InputError.of(f"a period from {least:g} to {most:g}", f"{period:g}", "name one that the rows show twice")
    cycles = (high - low) / period
    steps = min(max(FEWEST_PHASES, round(period / gap)), max(ENOUGH_PHASES, int(MOST_PLACES / cycles)))
    index = np.arange(int((high - low) * steps / period * (1.0 + ROUNDING)) + 1)
    index = index[index // steps % -(-len(index) // MOST_PLACES) == 0]
    return low + index * (period / steps), (index % steps).astype(np.intp)


def _repeating_map(places: Array, phases: NDArray[np.intp]) -> Array:
    """The matrix (m, m) that takes values at places (m,) with such phases to the part of them that repeats.

    That has the mean zero over a cycle; it is the same in all cycles.

    >>> places, phases = _phases(0.0, 11.0, 4.0, 1.0)
    >>> week = np.array([3.0, -1.0, -1.0, -1.0])[phases]
    >>> (_repeating_map(places, phases) @ (week + 10.0 - 0.5 * places)).round(9).tolist()[:5]
    [3.0, -1.0, -1.0, -1.0, 3.0]
    """
    steps = int(phases.max()) + 1
    period = float(places[np.flatnonzero(phases == 0)[1]] - places[0])
    course = broken_lines(places, knots_of_course(places, period))
    design = np.hstack([course, np.eye(steps)[phases]])
    cycle = np.linalg.pinv(design, rcond=ROUNDING)[course.shape[1] :]
    return np.asarray((cycle - cycle.mean(axis=0))[phases])


def _share(cyclic: Array, rest: Array) -> Array:
    both = cyclic + rest
    return np.where(both > 0.0, cyclic / np.where(both > 0.0, both, 1.0), 0.0)
