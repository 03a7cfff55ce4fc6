"""The choice of the scale on which data are modelled, by evidence on the data alone.

A few reference models (a level, a trend, a cycle, noise; with a cycle and noise of constant size, and with sizes that
grow along the input) are fitted to the data and to their logarithm. The Jacobian of the map stands in the criterion,
so the two are likelihoods of the same data (Box and Cox 1964). By BIC a logarithm must win clearly. Of a series with
columns each scale has effects of its own.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from math import log, nan

import numpy as np
from numpy.typing import NDArray
from scipy.special import expit

from autostatistician._io.threads import one_thread
from autostatistician.data.dataset import Dataset, Kind, of_rows
from autostatistician.data.target_limits import natural_limits
from autostatistician.data.transform import FIXED, POWER, Transform, log_density_added, modelled, power_of, transform_of
from autostatistician.gp import Scales, fit
from autostatistician.gp.count_likelihoods import NormalSites
from autostatistician.gp.criteria import CRITERIA, bic
from autostatistician.gp.fitting import Fit
from autostatistician.gp.likelihoods import GAUSSIAN, Likelihood
from autostatistician.gp.parameters import learned_priors
from autostatistician.kernels.grammar import Language
from autostatistician.kernels.kernel import Kernel, Parameter, leaf
from autostatistician.kernels.leaf_row import LeafKind
from autostatistician.kernels.leaves import is_leaf_of
from autostatistician.search.constants import MARGIN_BY_EVIDENCE, MARGIN_FOR_LOGARITHM
from autostatistician.search.preprocessing.box_cox import first_kernel, learned_power
from autostatistician.search.racing.workers import each
from autostatistician.search.series.evidence import LikelySums, weighed_sums
from autostatistician.search.settings import Settings
from autostatistician.search.starting.hints import Hints, hints
from autostatistician.search.starting.standardisation import Standardisation, standard, unit_line

__all__ = ["Choice", "best_reference", "chosen_beside", "chosen_transform", "last_rows", "may_be_mapped"]

MOST_ROWS = 300  # more are not looked at
FEWEST_ROWS = 20  # fewer do not tell the scales apart
FEWEST_BY_EVIDENCE = 6  # with priors of all parameters they do
LEAST_RATIO = 1.25  # of positive data, largest over smallest: below, a logarithm is a straight line
STEPS_OF_FITS, STEPS_OF_LATER_FITS, FINALISTS = 12, 60, 6  # of every start, then of the best
Array = NDArray[np.float64]
Likely = tuple[float, tuple[Kernel, ...]]  # the log probability of data, and the likely models, in units of a scale
ZEROS_OF_GROWTH = (-0.1, -1.0, 1.1, 2.0)  # where sizes would be zero, in standard units: before and after the data


@dataclass(frozen=True, slots=True)
class Choice:
    """A map, and how much lower the best BIC is on its scale than on the other (None where nothing was compared)."""

    transform: Transform
    gain: float | None = None
    likelihood: Likelihood = GAUSSIAN
    sites: NormalSites | None = field(default=None, compare=False, repr=False)  # of counts, about a smooth rate
    # Where all rows were compared by evidence: the likely sums on this scale and on the other, in data units.
    sums: tuple[tuple[Kernel, ...], tuple[Kernel, ...]] = field(default=((), ()), compare=False, repr=False)

    @property
    def probability(self) -> float | None:
        """Of this scale against the other where the gain is one of evidence; None where nothing was compared.

        >>> round(Choice(Transform(), 2.0 * log(20.0)).probability, 3)  # odds of 20
        0.952
        """
        return None if self.gain is None else float(expit(0.5 * self.gain))


def chosen_transform(dataset: Dataset, settings: Settings, language: Language) -> Choice:
    """The map for a data set: the one that was asked for, or the best of those that are allowed.

    With "auto" these are the maps without a power, of a series alone, as far as the language allows any.

    Raises
    ------
    InputError
        When a map of positive data is asked for and not all data are positive.
    """
    raw = dataset.y + dataset.offset
    by_evidence = CRITERIA[settings.criterion].has_priors
    if settings.transform == POWER:
        return Choice(_power(dataset, settings))
    if settings.transform != "auto":
        return Choice(transform_of(settings.transform, raw))
    if by_evidence and _may_be_odds(dataset, language):
        return _of_shares(dataset, settings, language)
    # a logarithm brings the large values of heavy tails nearer, whatever the scale of the rest
    if language.tails > 0.0 or not may_be_mapped(dataset, settings, language):
        return Choice(Transform())
    part = last_rows(dataset) if by_evidence else _part(dataset, settings.seed)
    scored = _by_evidence if by_evidence else _by_bic
    return _best(scored(part, settings, language), dataset, sums=by_evidence and part.n == dataset.n)


@dataclass(frozen=True, slots=True)
class _ScaledModels:
    """A map, the log probability of the data on it (of BIC, minus half of it), what it must win by, and its models."""

    transform: Transform
    log_probability: float
    margin: float  # of twice the log probability
    kernels: tuple[Kernel, ...]


def _best(scales: Sequence[_ScaledModels], dataset: Dataset, *, sums: bool) -> Choice:
    """The better of two scales for all rows; the first is that of the data."""
    best, second = sorted(scales, key=lambda scale: scale.margin - 2.0 * scale.log_probability)
    gain = 2.0 * (best.log_probability - second.log_probability)
    kernels = (best.kernels, second.kernels) if sums else ((), ())
    return Choice(transform_of(best.transform.name, dataset.y + dataset.offset), gain, sums=kernels)


def _by_evidence(part: Dataset, settings: Settings, language: Language) -> list[_ScaledModels]:
    """The scale of the data and that of their logarithm by the evidence of the likely sums."""
    return _scales(part, _likely_on_both(part, settings, language), MARGIN_BY_EVIDENCE)


def _by_bic(part: Dataset, settings: Settings, language: Language) -> list[_ScaledModels]:
    """The same by the BIC of the best reference models."""
    likely = each(partial(_likely_reference, part), _both(part), _jobs(part, settings))
    return _scales(part, likely, MARGIN_FOR_LOGARITHM)


def _scales(part: Dataset, likely: Sequence[Likely], margin: float) -> list[_ScaledModels]:
    """The scale of the data, and that of their logarithm, which must win by a margin."""
    triples = zip(_both(part), likely, (0.0, margin), strict=True)
    return [
        _ScaledModels(transform, probability, least, kernels) for transform, (probability, kernels), least in triples
    ]


def _power(dataset: Dataset, settings: Settings) -> Transform:
    """The map of the power that suits some rows best by a plain model, for all."""
    part = _part(dataset, settings.seed)
    sd = float(np.std(part.y)) or 1.0
    with one_thread():
        learned = learned_power(part, first_kernel(part, sd) + leaf("WN", sd=0.5 * sd))
    return power_of(dataset.y + dataset.offset, learned.power)


def _likely_on_both(part: Dataset, settings: Settings, language: Language) -> list[Likely]:
    """The log probability and the likely sums of data and of their logarithm.

    What few rows show of one is where the other begins; of more rows, workers take one each.
    """
    plain, logged = _both(part)
    if part.n == MOST_ROWS:
        return each(partial(_likely, part, language), [plain, logged], settings.n_jobs)
    with one_thread():
        first = _weighed(part, language, plain)
        then = _weighed(part, language, logged, first[1].looks)
    return [_in_data_units(*first, part, plain), _in_data_units(*then, part, logged)]


def _may_be_odds(dataset: Dataset, language: Language) -> bool:
    """Whether values are shares or percentages by their name, all of them apart from none and all."""
    raw = dataset.y + dataset.offset
    if dataset.kind is not Kind.SERIES or dataset.n < FEWEST_BY_EVIDENCE or "log" not in language.transforms:
        return False
    low, high = (
        (0.0, 1.0) if dataset.sizes is not None and dataset.sizes.is_total else natural_limits(raw, dataset.target)
    )
    return bool(np.isfinite([low, high]).all() and raw.min() > low and raw.max() < high and np.ptp(raw) > 0.0)


def _of_shares(dataset: Dataset, settings: Settings, language: Language) -> Choice:
    """The map of shares: none, their logarithm or that of their odds, by evidence on the same data."""
    part, raw = last_rows(dataset), dataset.y + dataset.offset
    names = [name for name in FIXED if name != "log" or _comparable(dataset, raw, FEWEST_BY_EVIDENCE)]
    maps = [transform_of(name, part.y + part.offset) for name in names]
    likely = each(partial(_likely, part, language), maps, _jobs(part, settings))
    order = sorted(range(len(names)), key=lambda k: -likely[k][0])
    gain = 2.0 * (likely[order[0]][0] - likely[order[1]][0])
    sums = (likely[order[0]][1], ()) if part.n == dataset.n else ((), ())
    return Choice(transform_of(names[order[0]], raw), gain, sums=sums)


def chosen_beside(
    dataset: Dataset, left_on: Callable[[Transform], Dataset], settings: Settings, language: Language
) -> tuple[Choice, Dataset]:
    """The map of a series with columns, and what is left of it without their effects on that scale.

    The density of what is left is one of the series itself.
    """
    by_evidence = CRITERIA[settings.criterion].has_priors
    part_of = last_rows if by_evidence else partial(_part, seed=settings.seed)
    raw, part = dataset.y + dataset.offset, part_of(dataset)
    left: dict[str, Dataset] = {}

    def weighed(transform: Transform, margin: float) -> _ScaledModels:
        left[transform.name] = left_on(transform)
        rest = part_of(left[transform.name])
        own = transform_of(transform.name, rest.y + rest.offset)
        log_probability, kernels = _likely(rest, language, own) if by_evidence else _likely_reference(rest, own)
        added = log_density_added(part, own) - log_density_added(rest, own)
        return _ScaledModels(own, log_probability + added, margin, kernels)

    margin = MARGIN_BY_EVIDENCE if by_evidence else MARGIN_FOR_LOGARITHM
    choice = _best([weighed(Transform(), 0.0), weighed(transform_of("log", raw), margin)], dataset, sums=False)
    rest = left[choice.transform.name]
    if choice.transform.is_log:  # its zero lies below what is left
        choice = replace(choice, transform=transform_of("log", rest.y + rest.offset))
    return choice, rest


def may_be_mapped(dataset: Dataset, settings: Settings, language: Language) -> bool:
    """Whether the logarithm is to be compared with the data as they are."""
    fewest = FEWEST_BY_EVIDENCE if CRITERIA[settings.criterion].has_priors else FEWEST_ROWS
    is_open = settings.transform == "auto" and "log" in language.transforms
    return is_open and _comparable(dataset, dataset.y + dataset.offset, fewest)


def last_rows(dataset: Dataset) -> Dataset:
    """The last rows, in order: what wanders can only be seen from row to row."""
    rows = np.sort(np.argsort(dataset.x, kind="stable")[-MOST_ROWS:])
    return of_rows(dataset, rows)


def _both(dataset: Dataset) -> list[Transform]:
    """No map, and the logarithm."""
    return [Transform(), transform_of("log", dataset.y + dataset.offset)]


def _jobs(part: Dataset, settings: Settings) -> int | None:
    """How many workers compare the maps: of short series, comparing is quicker than beginning with workers."""
    return settings.n_jobs if part.n == MOST_ROWS else 1


def _likely(dataset: Dataset, language: Language, transform: Transform) -> Likely:
    """The log probability of the raw data under the sums of a language, and the likely sums in the units of the scale.

    On that of the logarithm their level is open, for it is compared with another zero than a search has.
    """
    return _in_data_units(*_weighed(dataset, language, transform), dataset, transform)


def _weighed(
    dataset: Dataset, language: Language, transform: Transform, looks: Sequence[Kernel] = ()
) -> tuple[Standardisation, LikelySums]:
    """The likely sums in standard units of the scale, and these."""
    mapped = modelled(dataset, _with_equal_zero(transform, dataset.y + dataset.offset))
    maps, problem, scales = standard(mapped, priors=learned_priors())
    return maps, weighed_sums(language, problem, scales, looks)


def _in_data_units(maps: Standardisation, likely: LikelySums, dataset: Dataset, transform: Transform) -> Likely:
    raw = -maps.nll_in_data_units(0.0, dataset.n) + log_density_added(dataset, transform)
    kernels = [maps.to_data(fitted.kernel) for fitted in likely.fits]
    if transform.is_log:
        kernels = [kernel.mapped(_without_level) for kernel in kernels]
    return likely.log_marginal + raw, tuple(kernels)


def _without_level(parameter: Parameter, value: float) -> float:
    return nan if is_leaf_of(parameter.node, LeafKind.CONSTANT) else value


def _with_equal_zero(transform: Transform, raw: Array) -> Transform:
    """The map with its zero as many standard deviations below the mean as the raw data have theirs.

    A level costs the logarithm of that distance. The zero of `transform_of` is put near to the data, which suits
    forecasts, but made a logarithm more probable by up to 6 where both scales are the same straight line.
    """
    distance = float(np.mean(raw) / np.std(raw))
    if not transform.is_log:
        return transform
    return replace(transform, shift=distance * float(np.std(transform.unshifted.forward(raw))))


def _comparable(dataset: Dataset, raw: Array, fewest: int) -> bool:
    """Whether there is a logarithm, and enough in it to tell it from the data."""
    is_open = len(dataset.columns) == 1 and dataset.n >= fewest and bool(np.ptp(dataset.X) > 0.0)
    is_positive = dataset.offset == 0.0 and bool(dataset.y.min() > 0.0)  # as they were given
    return is_open and is_positive and bool(raw.max() > LEAST_RATIO * raw.min())


def _part(dataset: Dataset, seed: int) -> Dataset:
    if dataset.n <= MOST_ROWS:
        return dataset
    rows = np.sort(np.random.default_rng(seed).choice(dataset.n, MOST_ROWS, replace=False))
    return of_rows(dataset, rows)


def _likely_reference(dataset: Dataset, transform: Transform) -> Likely:
    """Minus half of the lowest BIC of the reference models on a scale, as one of the raw data, and its model."""
    kernel, best = best_reference(modelled(dataset, transform))
    jacobian = log_density_added(dataset, transform)
    return -0.5 * (best - 2.0 * jacobian + transform.parameters * log(dataset.n)), (kernel,)


def best_reference(scaled: Dataset) -> tuple[Kernel, float]:
    """The best of the reference models by BIC, and its BIC, in the units of the data."""
    maps, problem, scales = standard(scaled)
    starts = _starts(scales, hints(problem.X[:, 0], problem.y, detrend=True))
    fits = [fit(start, problem, scales, STEPS_OF_FITS) for start in starts]
    fits.sort(key=lambda fitted: _score(fitted, problem.n))
    later = [fit(fitted.kernel, problem, scales, STEPS_OF_LATER_FITS) for fitted in fits[:FINALISTS]]
    best = min(later, key=lambda fitted: _score(fitted, problem.n))
    return maps.to_data(best.kernel), _score(best, problem.n) + 2.0 * maps.nll_in_data_units(0.0, problem.n)


def _score(fitted: Fit, n: int) -> float:
    return bic(fitted.nll, fitted.kernel.expr, n)


def _starts(scales: Scales, suggested: Hints) -> Iterator[Kernel]:
    """The reference models with their starting values, in standard units."""
    size, noise = max(suggested.sd, 1e-3), max(suggested.roughness, 0.2 * suggested.sd, 1e-3)
    level = leaf("C", sd=max(abs(scales.y_mean), 1e-3))
    trend = leaf("SE", sd=max(scales.y_sd, 1e-3), lengthscale=0.3)
    rough = leaf("RQ", sd=size, lengthscale=0.05, alpha=1.0)
    still = leaf("WN", sd=noise)
    for base in (level + trend, level + trend + rough):
        yield base + still
        for cycle in _cycles(scales, suggested, 0.5 * size):
            yield base + cycle + still
        for growth in map(unit_line, ZEROS_OF_GROWTH):
            yield base + still * growth
            for cycle in _cycles(scales, suggested, 0.5 * size):
                yield base + cycle * growth + still
                yield base + cycle * growth + still * growth


def _cycles(scales: Scales, suggested: Hints, size: float) -> list[Kernel]:
    """A cycle that changes slowly, of the calendar's or of the strongest period."""
    column = scales.only
    natural = [period for period in column.natural_periods if period <= column.longest_period]
    periods = [*natural[-1:], *(period for period in suggested.periods if period <= column.longest_period)][:1]
    return [leaf("SE", sd=size, lengthscale=1.0) * leaf("Per", sd=1.0, lengthscale=1.0, period=p) for p in periods]
