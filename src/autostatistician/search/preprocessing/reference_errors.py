"""How far every row of a short series lies from what a reference model, fitted without the worst of them, expects."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray
from scipy.ndimage import median_filter
from scipy.stats import norm
from scipy.stats import t as student

from autostatistician.data.dataset import Dataset, of_rows
from autostatistician.data.times.occurring import runs
from autostatistician.gp import Problem, Scales, condition, fit
from autostatistician.gp.criteria import bic
from autostatistician.gp.likelihoods import fitted_to
from autostatistician.kernels.kernel import Kernel, leaf
from autostatistician.kernels.traits import effective_parameters
from autostatistician.search.starting.hints import Hints, hints
from autostatistician.search.starting.standardisation import Standardisation, standard, unit_line

__all__ = ["ReferenceErrors", "reference_errors", "usual_for_phase"]


Array = NDArray[np.float64]

ZEROS_OF_GROWTH = (-0.1, 1.1)  # where growing noise would be zero, in standard units: before and after the data

LEAST_STRETCH = 0.15  # share of the rows of one size of noise

SURELY_CHANGED = 4.0  # standard deviations between the logarithms of the sizes before and after: chance hardly does it

Flags = NDArray[np.bool_]

Models = tuple[Kernel, ...]

LEAST_LIMIT = 4.0  # standard deviations from which a row may be out, however few rows there are

SUSPECT_FROM = 2.2  # standard deviations beyond which a row is left out of the fit that judges it

MOST_SUSPECTS = 0.1  # share of the rows at most

ERROR_OF_MEDIAN = 0.5 * np.pi  # times the variance of a mean of normal values

FEWEST_TURNS = 2  # of a cycle beside the one that is judged by them

STEP_FROM = 0.9  # of what an outlier explains: where a step explains as much, it is one

STEP_BETWEEN_FROM = 0.5  # the same of neighbours off to either side, as those are at a change that a curve bends into

RACE = ((4, 6), (8, 2))  # steps of the models that are suggested, and how many of them go on, twice

STEPS_OF_LATER_FITS, FINALISTS = 15, 2

MOST_ROUNDS = 4

ROWS_AROUND, SPIKE_FROM = 5, 5.0  # of a running median, and how many times a usual distance from it spikes lie off

LONGEST_END, ROWS_BEFORE_END = 3, 12  # rows that may end the data on another level, and those to compare them with

FEWEST_OTHERS = 20  # beside rows that are apart: fewer suggest nothing by themselves

FEWEST_OUTSIDE = 2  # of these, beyond all before; a single one is found among all rows

ALIKE = 2.0 / 3.0  # smallest over largest deviation of these: else they are the start of a slope

SMALLEST_SQUARE = 1e-12


@dataclass(frozen=True, eq=False)
class ReferenceErrors:
    """Rows (n,) judged by a model of the others: errors in standard deviations, expected values.

    ``out`` are those that are further off than normal errors would be by chance, ``steps`` those where a step
    explains about as much.
    """

    errors: Array
    expected: Array
    out: Flags
    steps: Flags
    density: Array  # log density of each row given all others, some of them outliers, in the units of the values
    gain: float  # of BIC on the rows that stay, by leaving the others out of the fit
    models: tuple[Models, ...]  # of each piece on each scale, in its units: where another look at it begins

    def of(self, rows: Flags | NDArray[np.intp]) -> ReferenceErrors:
        """Those of some rows."""
        by_row = (name for name, value in vars(self).items() if isinstance(value, np.ndarray))
        return replace(self, **{name: getattr(self, name)[rows] for name in by_row})


def reference_errors(dataset: Dataset, chance: float, apart: Flags, models: Models = ()) -> ReferenceErrors:
    """Judge the rows of a series (in ascending order); ``chance`` is that of one Gaussian error to be ``out``.

    It begins with the ``models`` of an earlier look at these rows, or with all that the rows suggest.

    Rows that are ``apart`` (n,) are predicted from the others alone: neighbours that are off together hide each other.
    Their density is that of an error like the others.
    """
    if not apart.any() or np.count_nonzero(~apart) < FEWEST_OTHERS:
        return _judged(dataset, chance, models)[0]
    judged, fitted = _judged(of_rows(dataset, ~apart), chance, models)
    errors, expected, density = fitted.elsewhere(dataset)
    whole = judged.of(np.cumsum(~apart) - 1)
    return replace(
        whole,
        errors=np.where(apart, errors, whole.errors),
        expected=np.where(apart, expected, whole.expected),
        out=np.where(apart, np.abs(errors) > fitted.limit, whole.out),
        density=np.where(apart, density, whole.density),
    )


def _judged(dataset: Dataset, chance: float, models: Models) -> tuple[ReferenceErrors, _Fitted]:
    """The rows of a series, judged, and the model that does it.

    All rows suggest a first model. Those that it misses, and those far off their neighbours, may have drawn it to
    themselves: what the others suggest by themselves is tried, too, and the more probable of all rows is taken. Of
    models that are given, none was suggested by such rows.
    """
    every = np.ones(dataset.n, dtype=bool)
    fitted = _Piece.of(dataset, every, chance).settled(every, models)
    apart = fitted.beyond(fitted.limit) | _spikes(dataset.y)
    if apart.any() and not models:
        without = _Piece.of(dataset, ~apart, chance).settled(~apart)
        fitted = max(fitted, without, key=_Fitted.log_probability)
    piece = fitted.piece
    fitted, out = piece.with_end(fitted)
    judged = ReferenceErrors(
        errors=fitted.errors,
        expected=fitted.expected,
        out=out,
        steps=piece.steps(fitted, out),
        density=fitted.density,
        gain=piece.fitted(fitted.kernels, every).score(~out) - fitted.score(~out) if out.any() else 0.0,
        models=(tuple(map(piece.maps.to_data, fitted.kernels)),),
    )
    return judged, fitted


@dataclass(frozen=True, eq=False)
class _Fitted:
    """Reference models fitted to the rows that are kept, the best first, and what the best one makes of all rows.

    The models are in the units of their ``piece``, all else is in those of the values.
    """

    piece: _Piece
    keep: Flags
    kernels: list[Kernel]
    errors: Array  # (n,) of predicting each row from all others that are kept, in standard deviations
    expected: Array
    spread: Array  # standard deviation of each row given those
    limit: float  # of errors that may be chance
    larger: float  # how many times as large as the model says errors are

    @property
    def density(self) -> Array:
        """The log density of each row (n,) given those that are kept, some of them outliers."""
        found = fitted_to(self.errors, self.beyond(self.limit))
        return found.log_density(self.errors) - np.log(self.spread)

    def log_probability(self) -> float:
        """That of all rows together."""
        return float(self.density.sum())

    def score(self, rows: Flags) -> float:
        """The BIC of some rows by the best model."""
        kernel, problem = self.kernels[0], self.piece.whole.rows(rows)
        nll = self.piece.maps.nll_in_data_units(-condition(kernel, problem).log_evidence, problem.n)
        return bic(nll, kernel.expr, problem.n)

    def elsewhere(self, dataset: Dataset) -> tuple[Array, Array, Array]:
        """Errors (m,), expected values (m,) and log densities (m,) of rows, predicted from those that are kept."""
        maps, posterior = self.piece.maps, condition(self.kernels[0], self.piece.whole.rows(self.keep))
        expected, spread = posterior.observations(maps.points(dataset.X))
        errors = (maps.targets(dataset.y) - expected) / (self.larger * spread)
        size = maps.y_scale * self.larger * spread
        return errors, maps.y_scale * expected, norm.logpdf(errors) - np.log(size)

    def beyond(self, limit: float) -> Flags:
        """The rows with errors above a limit, a few at most."""
        size = np.abs(self.errors)
        fewer = np.sort(size)[-1 - int(MOST_SUSPECTS * len(size)) - 1]
        return np.asarray((size > limit) & (size > fewer))


@dataclass(frozen=True, eq=False)
class _Piece:
    """Rows in the standard units of some of them; ``chance`` is that of one error to be beyond the limit."""

    maps: Standardisation
    whole: Problem
    scales: Scales
    chance: float

    @classmethod
    def of(cls, dataset: Dataset, keep: Flags, chance: float) -> _Piece:
        """All rows of a series in the units of those that are kept."""
        maps, problem, scales = standard(of_rows(dataset, keep))
        whole = problem.elsewhere(maps.points(dataset.X), maps.targets(dataset.y))
        return cls(maps, whole, scales, chance)

    def fitted(self, starts: list[Kernel], keep: Flags, steps: int = STEPS_OF_LATER_FITS) -> _Fitted:
        problem = self.whole.rows(keep)
        fits = [fit(start, problem, self.scales, steps) for start in starts]
        fits.sort(key=lambda fitted: bic(fitted.nll, fitted.kernel.expr, problem.n))
        best = fits[0].kernel
        posterior = condition(best, problem)
        mean, variance, _ = posterior.leave_one_out()
        expected, spread = np.empty(len(keep)), np.empty(len(keep))
        expected[keep], spread[keep] = mean, np.sqrt(variance)
        if not keep.all():
            expected[~keep], spread[~keep] = posterior.observations(self.whole.X[~keep])
        errors = (self.whole.y - expected) / spread
        spread, expected = self.maps.y_scale * spread, self.maps.y_scale * expected
        free = max(3.0, float(problem.n - effective_parameters(best.expr)))
        # where all errors are larger than the model says, a large one tells less
        larger = max(1.0, float(np.sqrt(np.sum(errors[keep] ** 2) / free)))
        limit = max(LEAST_LIMIT, float(student.isf(0.5 * self.chance, free - 1.0)))
        kernels = [fitted.kernel for fitted in fits]
        return _Fitted(self, keep, kernels, errors / larger, expected, spread * larger, limit, larger)

    def settled(self, keep: Flags, models: Models = ()) -> _Fitted:
        """The models, or the best of what some rows suggest, fitted to these, and without those that they miss most."""
        kernels = [self.maps.to_standard(kernel) for kernel in models]
        if not kernels:
            kernels = list(references(self.whole.X[keep, 0], self.whole.y[keep], self.scales))
            for steps, count in RACE:
                kernels = self.fitted(kernels, keep, steps).kernels[:count]
        fitted = first = self.fitted(kernels, keep)
        for _ in range(MOST_ROUNDS):
            keep = ~fitted.beyond(SUSPECT_FROM if fitted is first else fitted.limit)
            if (keep == fitted.keep).all():
                break
            fitted = self.fitted(fitted.kernels, keep)
        return fitted

    def with_end(self, whole: _Fitted) -> tuple[_Fitted, Flags]:
        """The rows that are out, with those of the last few that are far off what those before let expect.

        A smooth change follows the last few rows unless they are left out of the fit together. Where the row before
        them is off as well, or they move on, it is a change that more rows speak for.
        """
        out, y, n = whole.beyond(whole.limit), self.whole.y, len(whole.keep)
        end = np.arange(n) >= n - LONGEST_END
        before = y[n - LONGEST_END - ROWS_BEFORE_END : n - LONGEST_END]
        outside = (y[end] < before.min()) | (y[end] > before.max()) if len(before) == ROWS_BEFORE_END else end[:0]
        if np.count_nonzero(outside) < FEWEST_OUTSIDE or out[end][outside].all():
            return whole, out
        fitted = self.fitted(whole.kernels[:FINALISTS], whole.keep & ~end)
        errors, off = fitted.errors[end], np.abs(y - self.maps.targets(fitted.expected))[end]
        far = np.abs(errors) > fitted.limit
        to_one_side = int(np.argmin(np.append((far & (errors * errors[-1] > 0.0))[::-1], False)))  # of the last rows
        last = off[LONGEST_END - to_one_side :]
        moves_on = to_one_side > 0 and last.min() <= ALIKE * last.max()
        usual = np.abs(np.append(errors[~far], fitted.errors[n - LONGEST_END - 1])) < SUSPECT_FROM
        if np.count_nonzero(far) >= FEWEST_OUTSIDE and usual.all() and not moves_on:
            return fitted, fitted.beyond(fitted.limit) | (end & (np.abs(fitted.errors) > fitted.limit))
        return whole, out

    def steps(self, fitted: _Fitted, out: Flags) -> Flags:
        """Of the rows that are out, those where a step explains about as much as an outlier, or neighbours, do.

        By generalised least squares (Rao 1973, section 4a.8): what a regressor h explains of the errors is
        (h' K^-1 y)^2 / (h' K^-1 h).
        """
        stepped = np.zeros(len(out), dtype=bool)
        posterior, rows = condition(fitted.kernels[0], self.whole), np.arange(len(out))
        for first, last in runs(out):
            either_side = abs(np.sign(fitted.errors[first : last + 1]).sum()) < last - first + 1
            together = [(first, last)] if either_side else [(row, row) for row in range(first, last + 1)]
            least = STEP_BETWEEN_FROM if either_side else STEP_FROM
            for start, end in together:
                if start == 0 or end == len(out) - 1:  # at an end the two are the same
                    continue
                there = (rows >= start) & (rows <= end)
                y = posterior.whitened(np.where(out & ~there, self.maps.targets(fitted.expected), self.whole.y))
                each = np.array([posterior.whitened(np.where(rows == row, 1.0, 0.0)) for row in rows[there]])
                steps = (posterior.whitened(np.where(rows >= row, 1.0, 0.0)) for row in range(start, end + 2))
                alone = each.T @ np.linalg.lstsq(each.T, y, rcond=None)[0]
                stepped[there] = max(_explained(h, y) for h in steps) > least * _explained(alone, y)
        return stepped


def _spikes(y: Array) -> Flags:
    """Rows far off the median of those around them, a few at most.

    >>> np.flatnonzero(_spikes(np.sin(np.arange(40.0)) + 9.0 * np.isin(np.arange(40), [12, 30]))).tolist()
    [12, 30]
    """
    off = np.abs(y - median_filter(y, ROWS_AROUND, mode="nearest"))
    usual = np.median(off[off > 0.0]) if off.any() else np.inf
    return np.asarray((off > SPIKE_FROM * usual) & (off > np.sort(off)[-1 - int(MOST_SUSPECTS * len(y)) - 1]))


def _explained(h: Array, y: Array) -> float:
    return float((h @ y) ** 2 / max(float(h @ h), SMALLEST_SQUARE))


def usual_for_phase(x: Array, y: Array, errors: Array, periods: tuple[float, ...]) -> Flags:
    """Which values (n,) at ascending ``x`` are such as the same phase of a cycle has, where that says as much.

    A cycle counts whose other turns miss the values by no more than the ``errors`` (n,) of a model of them: one that
    bends where a week steps is far off there.

    >>> hours = np.arange(24.0 * 7 * 5)
    >>> y = 100.0 * (hours // 24 % 7 < 5) + np.random.default_rng(0).normal(size=hours.size)
    >>> y[300] += 20.0
    >>> np.flatnonzero(~usual_for_phase(hours, y, 3.0 * np.cos(hours), (24.0, 168.0))).tolist()
    [300]
    """
    gap, usual = float(np.median(np.diff(x))), np.zeros(len(x), dtype=bool)
    for period in periods:
        turn = round(period / gap)
        phases = np.round((x - x[0]) / gap).astype(np.intp) % max(turn, 1)
        if turn < 2 or np.bincount(phases, minlength=turn).min() <= FEWEST_TURNS:
            continue
        means, off = np.convolve(y, np.full(turn, 1.0 / turn), mode="valid"), np.empty(len(x))
        level = means[np.clip(np.arange(len(x)) - turn // 2, 0, len(means) - 1)]
        for phase in range(turn):
            rows = np.flatnonzero(phases == phase)
            values = (y - level)[rows]
            others = [np.median(np.delete(values, place)) for place in range(len(rows))]
            off[rows] = (values - others) / np.sqrt(1.0 + ERROR_OF_MEDIAN / (len(rows) - 1))
        size = float(np.median(np.abs(off)))
        if size <= float(np.median(np.abs(errors))):
            usual |= np.abs(off) <= LEAST_LIMIT * size / norm.isf(0.25)
    return usual


# --- The models by which rows of a series are judged ----------------------------------------------------------------


def references(x: Array, y: Array, scales: Scales) -> Iterator[Kernel]:
    """Starting points of reference models for values (n,) at ascending positions, in standard units.

    >>> from autostatistician.data.dataset import from_arrays
    >>> from autostatistician.kernels.text import parse
    >>> from autostatistician.search.starting.standardisation import standard
    >>> data = from_arrays(np.arange(40.0), np.random.default_rng(0).normal(size=40))
    >>> _, problem, scales = standard(data)
    >>> parse("C + SE + WN") in [kernel.expr for kernel in references(problem.X[:, 0], problem.y, scales)]
    True
    """
    yield from _sums(scales, hints(x, y, detrend=True))
    yield from _with_two_sizes(x, y, scales)


def _sums(scales: Scales, suggested: Hints) -> Iterator[Kernel]:
    """A level with smooth and quick changes and cycles, with noise of one size or of one that grows."""
    size, noise = max(suggested.sd, 1e-3), max(suggested.roughness, 0.2 * suggested.sd, 1e-3)
    level = leaf("C", sd=max(abs(scales.y_mean), 1e-3))
    trend, still = leaf("SE", sd=max(scales.y_sd, 1e-3), lengthscale=0.3), leaf("WN", sd=noise)
    rough = leaf("RQ", sd=size, lengthscale=0.05, alpha=1.0)
    column = scales.only
    periods = [
        period for period in (*column.natural_periods, *suggested.periods[:2]) if period <= column.longest_period
    ]
    growing = [still * unit_line(zero) for zero in ZEROS_OF_GROWTH]
    for change in suggested.changes[:2]:
        broken = Kernel.change_point(level, level, change, 1.0 / column.gap, None)
        yield broken + trend + still
    for base in (level + trend, level + trend + rough):
        yield base + still
        for scatter in growing:
            yield base + scatter
        for period in periods:
            for detail in (1.0, 0.3):
                cycle = leaf("SE", sd=0.5 * size, lengthscale=1.0) * leaf(
                    "Per", sd=1.0, lengthscale=detail, period=period
                )
                yield base + cycle + still


def _with_two_sizes(x: Array, y: Array, scales: Scales) -> Iterator[Kernel]:
    """A level with smooth changes, and noise that has one size before a place and another after it, where it has."""
    change = _size_changes(np.abs(np.diff(y)))
    if change is not None:
        row, before, after = change
        level = leaf("C", sd=max(abs(scales.y_mean), 1e-3))
        trend = leaf("SE", sd=max(scales.y_sd, 1e-3), lengthscale=0.3)
        first, then = (leaf("WN", sd=max(size, 1e-3)) for size in (before, after))
        place = 0.5 * float(x[row] + x[row + 1])
        yield level + trend + Kernel.change_point(first, then, place, 1.0 / scales.only.gap, None)


def _size_changes(moves: Array) -> tuple[int, float, float] | None:
    """The row after which noise has another size, and both sizes, from moves (n - 1,) of neighbours; None if none.

    Logarithms are compared, as a single outlier weighs little in them; those of Gaussian moves have a standard
    deviation of pi / sqrt(8) and a mean of -0.635 when that of the moves is 1.

    >>> _size_changes(np.array([1.0, 0.8] * 20)) is None
    True
    >>> row, before, after = _size_changes(np.array([1.0, 0.8] * 20 + [4.0, 5.0] * 20)) or (0, 0.0, 0.0)
    >>> row, round(after / before)
    (40, 5)
    """
    n, least = len(moves), max(10, round(LEAST_STRETCH * len(moves)))
    if n < 2 * least or not moves.any():
        return None
    logs = np.log(np.maximum(moves, 0.1 * np.median(moves[moves > 0.0])))
    first = np.arange(least, n - least + 1)
    sums = np.cumsum(logs)
    before, after = sums[first - 1] / first, (sums[-1] - sums[first - 1]) / (n - first)
    surely = np.abs(after - before) / (np.pi / np.sqrt(8.0) * np.sqrt(1.0 / first + 1.0 / (n - first)))
    best = int(np.argmax(surely))
    if surely[best] < SURELY_CHANGED:
        return None
    sizes = np.exp(np.array([before[best], after[best]]) + 0.635) / np.sqrt(2.0)
    return int(first[best]), float(sizes[0]), float(sizes[1])
