"""The way to a model: what is set aside, the scale, the search, and what columns beside a series explain of it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import asdict, replace
from functools import partial
from math import log
from pathlib import Path
from typing import TypeVar

import numpy as np

from autostatistician._io.threads import one_thread
from autostatistician.data.dataset import Dataset, Kind, counted
from autostatistician.data.outliers import NO_SCREENING, noted
from autostatistician.data.transform import Transform, log_density_added, modelled, said_of_ends
from autostatistician.data.value_checks import has_two_values
from autostatistician.errors import InputError
from autostatistician.fitted.censored import censored_targets, first_targets
from autostatistician.fitted.counts import PseudoTargets, fitted_law, of_counts, of_sites, pseudo_targets, renewed
from autostatistician.fitted.covariate_effects import (
    effects_anew,
    first_effects,
    first_effects_of_counts,
    may_have_effects,
    with_columns,
    with_effects,
)
from autostatistician.fitted.model import Model
from autostatistician.fitted.progress import SearchProgress, begun
from autostatistician.fitted.settings import check_settings, plain
from autostatistician.fitted.transform_averaging import searched_on_other_transform
from autostatistician.gp.count_likelihoods import Sited
from autostatistician.gp.criteria import CRITERIA
from autostatistician.gp.likelihoods import GAUSSIAN, Likelihood
from autostatistician.kernels.grammar import LANGUAGES, Language, sums
from autostatistician.regressors.estimates import CovariateEffects
from autostatistician.search.levels import priors_for
from autostatistician.search.preprocessing import (
    COUNTS,
    Choice,
    check_counts,
    choice_beside,
    chosen_beside,
    chosen_likelihood,
    chosen_transform,
    may_be_counts,
    may_be_mapped,
    said_of_counts,
    screened,
)
from autostatistician.search.run import Settings, search
from autostatistician.search.settings import resolved
from autostatistician.search.state import SearchResult, StepInfo, Watched

__all__ = ["fit_model"]

Step = TypeVar("Step", bound=StepInfo)

MOST_SWITCHES = 4  # of a series with two values: with no more, they are steps that can be reported


@one_thread()
def fit_model(
    dataset: Dataset,
    language: str,
    settings: Settings,
    callback: Callable[[Watched], None] | None = None,
    checkpoint: str | Path | None = None,
    likelihood: Likelihood = GAUSSIAN,
) -> Model:
    """Search for the model of a data set; with a ``checkpoint``, go on from that file and keep every level there.

    Raises
    ------
    InputError
        When the language, the criterion or the transform is unknown, another setting is out of its range, the
        logarithm of data is asked for that are not all positive, or the checkpoint is of another search.
    """
    check_settings(language, settings)
    settings = Settings(**{name: plain(value) for name, value in asdict(settings).items()})
    settings = resolved(settings, dataset, LANGUAGES[language], likelihood)
    if settings.likelihood in COUNTS:
        if dataset.noise is not None:
            found = "errors of measurement, or limits of detection"
            raise InputError.of("counts that are known exactly", found, "leave the likelihood or the errors out")
        check_counts(dataset, settings)
    screening, choice = NO_SCREENING, Choice(Transform())
    effects = None
    if dataset.covariates is not None and not likelihood.is_latent:
        dataset, effects, choice = _beside(dataset, _grammar(language, dataset, settings.criterion), settings)
    is_plain = dataset.sizes is None and dataset.noise is None
    if settings.outliers == "auto" and is_plain and not likelihood.is_latent:
        begun(SearchProgress.OUTLIERS)
        dataset, screening = screened(dataset, settings.n_jobs)
        seen = screening if effects is None else with_columns(screening, effects, choice.transform)
        dataset = noted(dataset, seen)
    grammar = replace(_grammar(language, dataset, settings.criterion), tails=screening.tails)
    if effects is None and not likelihood.is_latent:
        begun(SearchProgress.SCALE)
        may_count = likelihood is GAUSSIAN and dataset.noise is None
        choose = chosen_likelihood if may_count else chosen_transform
        choice = choose(dataset, settings, grammar)
    elif dataset.added is not None:
        choice = choice_beside(dataset, choice)
    if likelihood is GAUSSIAN:
        likelihood = choice.likelihood
    dataset = _with_notes(dataset, choice.transform, settings, likelihood)
    searched = partial(_of_pseudo_targets, grammar, settings, callback, checkpoint, choice)
    if dataset.censored is not None:
        result = _of_limits(dataset, settings, choice, searched)
        model = Model(dataset, language, settings, result, choice, screening, likelihood)
        return model if effects is None else with_effects(model, effects)
    if isinstance(likelihood, Sited):
        result, likelihood = _of_counts(dataset, settings, choice, likelihood, searched)
        model = Model(dataset, language, settings, result, choice, screening, likelihood)
        return model if effects is None else effects_anew(model, effects)
    watch = None if callback is None else _in_units_of_data(callback, dataset, choice.transform, settings.criterion)
    likely_sums = choice.sums[0] if effects is None else ()  # those were of the data with what the columns add
    scaled = modelled(dataset, choice.transform)
    result = search(scaled, grammar, settings, watch, checkpoint, likelihood, likely_sums)
    other = searched_on_other_transform(dataset, grammar, settings, choice, result) if effects is None else None
    if other is not None:
        other = replace(other, search=_of_data(other.search, dataset, other.transform, settings.criterion))
    model = Model(
        dataset, language, settings, _of_data(result, dataset, choice.transform, settings.criterion), choice, screening,
        likelihood, other=other,
    )  # fmt: skip
    return model if effects is None else with_effects(model, effects)


def _with_notes(dataset: Dataset, transform: Transform, settings: Settings, likelihood: Likelihood) -> Dataset:
    """The data with what must be said of the scale and of the law by which they are modelled."""
    said = () if isinstance(likelihood, Sited) else said_of_ends(transform, dataset.y + dataset.offset)
    more = said_of_counts(dataset, settings) if likelihood is GAUSSIAN and dataset.noise is None else ()
    return replace(dataset, warnings=(*dataset.warnings, *said, *more)) if said or more else dataset


def _of_counts(
    dataset: Dataset, settings: Settings, choice: Choice, law: Sited, searched: Callable[[PseudoTargets], SearchResult]
) -> tuple[SearchResult, Sited]:
    """What a search finds with pseudo-targets about a smooth rate, as models of the counts; their law given these."""
    likelihood = law.mapped(choice.transform)
    assert choice.sites is not None
    first = of_sites(counted(dataset), choice.sites)
    result = searched(first)
    priors = priors_for(dataset.kind, settings.criterion)
    likelihood = fitted_law(dataset, likelihood, result.best.kernel)
    targets = partial(pseudo_targets, dataset, likelihood)
    return renewed(result, targets, first, settings.criterion, priors), likelihood.alone()


def _of_limits(
    dataset: Dataset, settings: Settings, choice: Choice, searched: Callable[[PseudoTargets], SearchResult]
) -> SearchResult:
    """What a search finds where some values are limits of detection, with sites about a smooth curve in their place."""
    first = first_targets(dataset, choice.transform)
    result = searched(first)
    targets = partial(censored_targets, dataset, choice.transform)
    return renewed(result, targets, first, settings.criterion, priors_for(dataset.kind, settings.criterion))


def _of_pseudo_targets(
    grammar: Language,
    settings: Settings,
    callback: Callable[[Watched], None] | None,
    checkpoint: str | Path | None,
    choice: Choice,
    first: PseudoTargets,
) -> SearchResult:
    """What a search finds with pseudo-targets; levels are told by the criteria of what these stand for."""

    def watch(step: Watched) -> None:
        assert callback is not None
        callback(replace(of_counts(step, first.log_ratio), transform=choice.transform))

    return search(first.data, grammar, settings, None if callback is None else watch, checkpoint)


def _beside(dataset: Dataset, grammar: Language, settings: Settings) -> tuple[Dataset, CovariateEffects | None, Choice]:
    """A series without the first estimates of the effects of its columns, these, and the scale on which they add up.

    Whether it is one of counts is decided without the columns.
    """
    begun(SearchProgress.COLUMNS)
    if dataset.noise is None and may_be_counts(dataset, settings):
        choice = chosen_likelihood(replace(dataset, covariates=None), settings, grammar)
        if isinstance(choice.likelihood, Sited):
            return *first_effects_of_counts(dataset, choice, settings), choice
    if not may_have_effects(dataset):
        return replace(dataset, covariates=None), None, Choice(Transform())
    if not may_be_mapped(dataset, settings, grammar):
        choice = chosen_transform(dataset, settings, grammar)
        return *first_effects(dataset, choice.transform, settings), choice
    effects: dict[str, CovariateEffects] = {}

    def left_on(transform: Transform) -> Dataset:
        left, found = first_effects(dataset, transform, settings)
        assert found is not None
        effects[transform.name] = found
        return left

    choice, left = chosen_beside(dataset, left_on, settings, grammar)
    return left, effects[choice.transform.name], choice


def _grammar(language: str, dataset: Dataset, criterion: str) -> Language:
    """The language of the search; for a series of yes and no its sums alone.

    The variance of such values follows from their mean: where one of them comes many times in a row, noise seems to
    end, so products and windows would tell of noise that changes where only the chance of a value does, if anything.
    """
    grammar = LANGUAGES[language]
    if CRITERIA[criterion].has_priors and dataset.kind is Kind.SERIES and not dataset.classes:
        grammar = grammar.with_priors
    if (
        dataset.kind is Kind.TABLE
        or not has_two_values(dataset.y)
        or np.count_nonzero(np.diff(dataset.y)) <= MOST_SWITCHES
    ):
        return grammar
    return sums(grammar)


# --- likelihoods of the data from those of their logarithm ------------------------------------------------------


def _in_units_of_data(
    callback: Callable[[Watched], None], dataset: Dataset, transform: Transform, criterion: str
) -> Callable[[Watched], None]:
    return lambda step: callback(replace(_step_of_data(step, dataset, transform, criterion), transform=transform))


def _of_data(result: SearchResult, dataset: Dataset, transform: Transform, criterion: str) -> SearchResult:
    """The result with the likelihoods and criteria of the data; the Jacobian of the map is the difference."""
    if not transform.is_mapped:
        return result
    nll, _, more = _added(dataset, transform, criterion)
    frontier = tuple(
        replace(candidate, nll=candidate.nll + nll, score=candidate.score + more) for candidate in result.frontier
    )
    trace = tuple(_step_of_data(step, dataset, transform, criterion) for step in result.trace)
    return replace(result, best=frontier[0], frontier=frontier, trace=trace)


def _step_of_data(step: Step, dataset: Dataset, transform: Transform, criterion: str) -> Step:
    nll, in_bic, in_score = _added(dataset, transform, criterion)
    return replace(step, nll=step.nll + nll, bic=step.bic + in_bic, score=step.score + in_score)


def _added(dataset: Dataset, transform: Transform, criterion: str) -> tuple[float, float, float]:
    """What a map adds to the negative log likelihood, to the BIC, and to a score: a probability has no penalty."""
    nll = -log_density_added(dataset, transform)
    penalised = 2.0 * nll + transform.parameters * log(dataset.n)
    return nll, penalised, 2.0 * nll if CRITERIA[criterion].has_priors else penalised
