"""The choice of how observations come about: normal, lognormal, or counts about a rate, by evidence on the same data.

A density of whole numbers is one of cells of width one, so the densities of normal noise are taken over these cells
before they are compared with probabilities of counts: noise far smaller than one would have densities without bound.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import partial

import numpy as np
from numpy.typing import NDArray
from scipy.special import log_ndtr

from autostatistician._io.threads import one_thread
from autostatistician.data.dataset import Dataset, Kind, counted, of_rows, without_offset
from autostatistician.data.target_limits import natural_limits
from autostatistician.data.transform import MEAN_ABOVE_ZERO, Transform, modelled
from autostatistician.data.value_checks import has_two_values
from autostatistician.errors import InputError
from autostatistician.gp import condition, fit
from autostatistician.gp.count_approximations import (
    SitedCounts,
    affords_expectation_propagation,
    at_mode,
    expectation_propagation,
    pseudo_data,
)
from autostatistician.gp.count_likelihoods import BINOMIAL, POISSON, Hurdle, NegativeBinomial, Poisson, Sited
from autostatistician.gp.covariance import NotPositiveDefinite
from autostatistician.gp.criteria import CRITERIA, bic
from autostatistician.gp.parameters import learned_priors
from autostatistician.gp.posterior import Posterior
from autostatistician.gp.problem import Problem
from autostatistician.i18n.messages import note
from autostatistician.i18n.numbers import as_written
from autostatistician.kernels.grammar import Language
from autostatistician.kernels.kernel import Kernel, leaf
from autostatistician.search.constants import MARGIN_FOR_COUNTS
from autostatistician.search.preprocessing.box_cox import first_kernel
from autostatistician.search.preprocessing.transforms import (
    FEWEST_BY_EVIDENCE,
    FEWEST_ROWS,
    Choice,
    best_reference,
    chosen_transform,
    last_rows,
)
from autostatistician.search.series.evidence import weighed_sums
from autostatistician.search.settings import Settings
from autostatistician.search.starting.standardisation import standard

__all__ = [
    "LIKELIHOODS", "check_counts", "choice_beside", "chosen_likelihood", "counts_possible", "log_cells",
    "may_be_counts", "said_of_counts",
]  # fmt: skip

Array = NDArray[np.float64]
Score = Callable[[Dataset], tuple[Kernel, float]]

COUNTS: dict[str, Sited] = {law.name: law for law in (POISSON, NegativeBinomial(), Hurdle())}
LAWS: dict[str, Sited] = COUNTS | {BINOMIAL.name: BINOMIAL}
LIKELIHOODS = ("auto", "gaussian", *COUNTS)
ROUNDING = 0.3  # of noise: no more than whole numbers have by being rounded
HALF = 0.5  # of a count, for which zero stands on a logarithmic scale
MOST_SMALLEST = 50.0  # count: where none is smaller, what chance adds is hardly told from normal noise
LEAST_SCATTER = 0.2  # variance of log rates beyond chance, from which on its law is asked for
LEAST_ZEROS = 0.1  # share of the counts, from which on they may have a chance of their own
LEAST_SHARE = 1e-6  # apart from all
ROUNDS, STEPS = 3, 20  # of a first smooth function, and steps of its fits in each
MOST_ROWS_OF_TABLE = 20_000  # for counts
MOST_ROWS_COMPARED = 400  # of it, with normal noise


def chosen_likelihood(dataset: Dataset, settings: Settings, language: Language) -> Choice:
    """How observations come about, and on which scale they are modelled: as asked for, or the most probable.

    Raises
    ------
    InputError
        When a logarithm is asked for and not all data are positive.
    """
    if settings.likelihood in COUNTS:
        return _about(*_smooth(counted(dataset), COUNTS[settings.likelihood]))
    if dataset.sizes is not None and _is_open(settings):
        with one_thread():
            counts = counted(dataset)
            return _about(*(_smooth(counts, BINOMIAL) if dataset.sizes.is_total else _likelier(counts)))
    is_open = _is_open(settings) and counts_possible(dataset)
    normal = chosen_transform(dataset, settings, language)
    if dataset.kind is Kind.TABLE:
        return _of_table(dataset, normal, is_open=is_open)
    by_evidence = CRITERIA[settings.criterion].has_priors
    if not is_open or dataset.n < (FEWEST_BY_EVIDENCE if by_evidence else FEWEST_ROWS):
        return normal
    part = last_rows(dataset)
    score = partial(_deviance, language=language, by_evidence=by_evidence)
    with one_thread():
        smooth, law = _likelier(counted(part))
        made = _about(smooth, law)
        gain = _scored(part, score, normal) - _of_counts(part, score, made)
    if not gain > MARGIN_FOR_COUNTS:
        return normal
    if part.n < dataset.n:
        made = _about(*_smooth(counted(dataset), law))
    return replace(made, gain=gain)


def _is_open(settings: Settings) -> bool:
    """Whether neither a law nor a map was asked for."""
    return settings.likelihood == settings.transform == "auto"


def _of_table(dataset: Dataset, normal: Choice, *, is_open: bool) -> Choice:
    """Whether the target of a table is better described as counts than with ``normal`` noise on a scale.

    By the likeliest effects of each column by itself. But for those of the scale both have as many numbers, so the
    probabilities of the data at the best ones compare.
    """
    if not is_open or not FEWEST_ROWS <= dataset.n <= MOST_ROWS_OF_TABLE:
        return normal
    part = of_rows(dataset, _even_rows(dataset))
    with one_thread():
        found, law = _likelier(without_offset(part))
        scaled = modelled(part, normal.transform)
        maps, problem, scales = standard(scaled)
        kernel = first_kernel(scaled, float(np.std(scaled.y))) + leaf("WN", sd=HALF * float(np.std(scaled.y)))
        fitted = fit(maps.to_standard(kernel), problem, scales, 2 * STEPS).kernel
        posterior = condition(maps.to_data(fitted), Problem.of(scaled))
        cells = log_cells(posterior, normal.transform, part.y)
        own = normal.transform.parameters * float(np.log(part.n))
        gain = 2.0 * (found.log_evidence - posterior.log_evidence - cells) + own
        if not gain > MARGIN_FOR_COUNTS:
            return normal
        made = _about(found, law) if part.n == dataset.n else _about(*_smooth(without_offset(dataset), law))
    return replace(made, gain=gain)


def _even_rows(dataset: Dataset) -> NDArray[np.intp]:
    """Some rows of a table, spread evenly."""
    return np.linspace(0.0, dataset.n - 1.0, min(dataset.n, MOST_ROWS_COMPARED)).round().astype(np.intp)


def said_of_counts(dataset: Dataset, settings: Settings) -> tuple[str, ...]:
    """That counts of a table of many rows are modelled with normal noise, and what can be done; else nothing."""
    is_open = _is_open(settings)
    if dataset.kind is Kind.SERIES or dataset.n <= MOST_ROWS_OF_TABLE or not (is_open and counts_possible(dataset)):
        return ()
    rows = f"{MOST_ROWS_OF_TABLE:,}"
    return (
        note(
            "The values of {target} are counts, but only tables of up to {rows} rows are modelled as such: here their "
            "noise is normal, so ranges may go below zero; a sample of {rows} rows is modelled as counts.",
            target=repr(dataset.target), rows=rows,
        ),
    )  # fmt: skip


def may_be_counts(dataset: Dataset, settings: Settings) -> bool:
    """Whether a series may be modelled as counts: as asked for, as exposures or totals say, or by its values."""
    if settings.likelihood in COUNTS:
        return dataset.kind is Kind.SERIES
    is_open = _is_open(settings)
    return is_open and (dataset.sizes is not None or counts_possible(dataset))


def choice_beside(dataset: Dataset, before: Choice) -> Choice:
    """The law of counts, its map and its sites given what columns add to them; ``before`` without these."""
    law, counts = before.likelihood, counted(dataset)
    assert isinstance(law, Sited)
    with one_thread():
        open_law = isinstance(law, Poisson) and before.gain is not None
        found = _likelier(counts) if open_law else _smooth(counts, law.alone())
    return replace(_about(*found), gain=before.gain)


def counts_possible(dataset: Dataset) -> bool:
    """Whether a target may be counts: whole numbers from zero by their kind, some small.

    >>> from autostatistician.data.dataset import from_arrays
    >>> x, y = np.arange(12.0), np.array([3.0, 0.0, 2.0, 5.0, 1.0, 4.0, 0.0, 2.0, 6.0, 3.0, 1.0, 1.0])
    >>> [counts_possible(from_arrays(x, values)) for values in (y, y + 0.5, y - 1.0, y + 1000.0)]
    [True, False, False, False]
    """
    y = dataset.y
    return (
        dataset.offset == 0.0
        and not dataset.classes
        and bool((y == np.round(y)).all())
        and float(y.min()) <= MOST_SMALLEST
        and not has_two_values(y)
        and natural_limits(y, dataset.target) == (0.0, np.inf)
    )


def check_counts(dataset: Dataset, settings: Settings) -> None:
    """Raise an `InputError` where data cannot be counts of a series, or another scale is asked for, too."""
    raw = dataset.y + dataset.offset
    y = raw if dataset.sizes is None else counted(dataset).y
    asked, remedy = f"likelihood {settings.likelihood!r}", "use likelihood 'gaussian' or 'auto'"
    expected = f"counts for {asked}: whole numbers from zero"
    if dataset.kind is Kind.TABLE and dataset.n > MOST_ROWS_OF_TABLE:
        found = f"a table of {dataset.n:,} rows"
        raise InputError.of(f"at most {MOST_ROWS_OF_TABLE:,} rows of a table for {asked}", found, remedy)
    if dataset.sizes is not None and dataset.sizes.is_total:
        raise InputError.of("likelihood 'auto' beside totals", repr(settings.likelihood), "leave one of them out")
    if settings.likelihood == Hurdle.name and (dataset.kind is Kind.TABLE or dataset.sizes is not None):
        found = "an exposure" if dataset.sizes is not None else "a table"
        raise InputError.of(f"a series of counts without an exposure for {asked}", found, "use likelihood 'auto'")
    odd = y[(y < 0.0) | (y != np.round(y))]
    if odd.size:
        raise InputError.of(expected, as_written(odd[0]), remedy)
    if not y.any():
        raise InputError.of(f"{expected}, some above it", "zeros alone", remedy)
    if settings.transform == "none":
        raise InputError.of(f"transform 'auto' beside {asked}", "'none'", "leave one of them out")


def _likelier(counts: Dataset) -> tuple[SitedCounts, Sited]:
    """Counts whose rates scatter beyond chance by white noise of their logarithms, or by a gamma law.

    Each has one number for it. Of little scatter both say the same. Zeros may have a chance of their own: one more
    number, for which the Bayesian information criterion takes half the logarithm of the rows.
    """
    plain = _smooth(counts, POISSON)
    if float(plain[0].posterior.noise_variance(counts.X).mean()) < LEAST_SCATTER:
        return plain
    scattered = _smooth(counts, NegativeBinomial())
    best = scattered if scattered[0].log_evidence > plain[0].log_evidence else plain
    if counts.kind is Kind.TABLE or counts.sizes is not None or np.mean(counts.y == 0.0) < LEAST_ZEROS:
        return best
    apart = _smooth(counts, Hurdle())
    return apart if apart[0].log_evidence - 0.5 * np.log(counts.n) > best[0].log_evidence else best


def _about(found: SitedCounts, likelihood: Sited) -> Choice:
    """The map of a smooth rate, and the sites of the rows with which a search begins."""
    sites = found.sites
    level = float(found.posterior.signal()[0].mean())
    spread = np.sqrt(np.average((sites.values - level) ** 2, weights=1.0 / sites.variances))
    scale = float(likelihood.transform.back(np.array([level]))[0])
    least = HALF if likelihood.sizes is None else HALF / float(likelihood.sizes.max())
    transform = replace(likelihood.transform, scale=scale, shift=MEAN_ABOVE_ZERO * float(spread), least=least)
    return Choice(transform, None, likelihood.alone(), sites.moved(transform.shift - level))


def _smooth(dataset: Dataset, law: Sited) -> tuple[SitedCounts, Sited]:
    """A curve that bends and wanders, fitted to pseudo-targets about itself a few times, and the law with its numbers.

    There is no white noise where the law has scatter of its own: both can stand for the same. Of many rows of a table
    some tell the numbers, and all have the rate that is most probable with these.
    """
    if dataset.kind is Kind.TABLE and not affords_expectation_propagation(dataset):
        found, law = _smooth(of_rows(dataset, _even_rows(dataset)), law)
        law = law.about(dataset)
        return at_mode(found.posterior.kernel, Problem.of(dataset), law, law.first(dataset.y)), law
    counts, likelihood = Problem.of(dataset), law.alone().about(dataset)
    rate = float(dataset.y.sum() / np.sum(np.ones(dataset.n) if likelihood.sizes is None else likelihood.sizes))
    if likelihood.sizes is not None and rate >= 1.0 - LEAST_SHARE and law.name == BINOMIAL.name:
        rate = 1.0 - LEAST_SHARE
    likelihood = likelihood.mapped(Transform("logit" if law.name == BINOMIAL.name else "log", rate, 0.0, HALF))
    function = likelihood.first(dataset.y)
    sd = max(float(np.std(function)), HALF)
    kernel = first_kernel(dataset, sd)
    kernel = kernel if law.scatters else kernel + leaf("WN", sd=HALF * sd)
    best = expectation_propagation(kernel, counts, likelihood, function), likelihood
    priors = learned_priors() if dataset.kind is Kind.SERIES else None
    for _ in range(ROUNDS):
        maps, problem, scales = standard(pseudo_data(dataset, best[0].sites), priors=priors)
        kernel = maps.to_data(fit(maps.to_standard(kernel), problem, scales, STEPS).kernel)
        for _ in range(ROUNDS if law.scatters else 1):
            found = expectation_propagation(kernel, counts, likelihood, function)
            best = max(best, (found, likelihood), key=lambda pair: pair[0].log_evidence)
            likelihood = likelihood.fitted(counts.y, *found.without_own())
    return best


def _scored(part: Dataset, score: Score, choice: Choice) -> float:
    """Twice the negative log probability of whole numbers with normal noise on a scale."""
    transform = choice.transform
    raw = part.y + part.offset
    scaled = modelled(part, _equally_far(transform, raw))
    kernel, deviance = score(scaled)
    try:
        posterior = condition(kernel, Problem.of(scaled))
    except NotPositiveDefinite:
        return deviance - 2.0 * transform.log_jacobian(raw)
    cells = log_cells(posterior, transform, raw)
    noise = np.sqrt(posterior.noise_variance()) * np.exp(-transform.log_slope(raw))
    if np.median(noise) < ROUNDING:  # exact: the priors of noise know nothing of it
        return bic(-posterior.log_evidence - cells, kernel.expr, part.n)
    return deviance - 2.0 * cells


def _of_counts(part: Dataset, score: Score, choice: Choice) -> float:
    """The same of counts, their pseudo-targets about the mode of the best model."""
    transform = _equally_far(choice.transform, part.y)
    likelihood = choice.likelihood.mapped(transform)
    assert choice.sites is not None
    assert isinstance(likelihood, Sited)
    sites = choice.sites.moved(transform.shift - choice.transform.shift)
    data = pseudo_data(part, sites)
    kernel, deviance = score(data)
    best = expectation_propagation(kernel, Problem.of(part), likelihood, transform.forward(part.y))
    before = condition(kernel, Problem.of(data)).log_evidence
    own = len(likelihood.numbers) * float(np.log(part.n))
    return deviance - 2.0 * (best.log_evidence - before) + own


def _deviance(scaled: Dataset, language: Language, *, by_evidence: bool) -> tuple[Kernel, float]:
    """The best simple model of data on a scale, and the criterion of these, in units of the data."""
    if not by_evidence:
        return best_reference(scaled)
    maps, problem, scales = standard(scaled, priors=learned_priors())
    likely = weighed_sums(language, problem, scales)
    deviance = -2.0 * likely.log_marginal + 2.0 * maps.nll_in_data_units(0.0, problem.n)
    return maps.to_data(likely.fits[0].kernel), deviance


def log_cells(posterior: Posterior, transform: Transform, raw: Array) -> float:
    """By how much the log probability of cells of width one about whole numbers ``raw`` (n,) is above their density.

    Both are of each row given all before it, the density on the scale of the model; what lies below zero belongs to
    the cell of zero.

    >>> y = np.array([4.0, 1.0, 2.0])
    >>> posterior = condition(leaf("WN", sd=30.0), Problem(np.arange(3.0), y))
    >>> round(log_cells(posterior, Transform(), y), 3)
    -0.0
    """
    errors, sds = posterior.innovations(), posterior.innovation_sd
    ends = []
    with np.errstate(divide="ignore"):
        for edge in (raw - HALF, raw + HALF):
            moved = np.where(edge > 0.0, transform.forward(np.maximum(edge, 1e-300)) - transform.forward(raw), -np.inf)
            ends.append(errors + moved / sds)
    # of the tail in which differences keep their digits
    low, high = np.where(errors > 0.0, -ends[1], ends[0]), np.where(errors > 0.0, -ends[0], ends[1])
    upper, lower = log_ndtr(high), log_ndtr(low)
    log_cell = upper + np.log1p(-np.exp(np.minimum(lower - upper, -1e-12)))
    log_density = -0.5 * errors**2 - np.log(sds) - 0.5 * np.log(2.0 * np.pi)
    return float(np.sum(log_cell - log_density))


def _equally_far(transform: Transform, raw: Array) -> Transform:
    """The map with its zero as many standard deviations below the mean as raw data have theirs (as for logarithms)."""
    if not transform.is_log:
        return transform
    distance = float(np.mean(raw) / np.std(raw))
    return replace(transform, shift=distance * transform.shift / MEAN_ABOVE_ZERO)
