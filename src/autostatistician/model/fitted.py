"""A finished search as one value: the data, the model with its parameters, the way it was found.

`fit_model` makes it. What is asked of it later (predictions, explanations, files) stands in the modules beside this
one, and all of that asks the one posterior that the model keeps.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Hashable
from dataclasses import asdict, dataclass, field, replace
from functools import cached_property
from math import log
from pathlib import Path
from typing import Any, TypeVar, cast

import numpy as np

from autostatistician.data.dataset import Dataset, Kind, in_order
from autostatistician.data.outliers import NO_SCREENING, Screening, noted
from autostatistician.data.transform import Transform, modelled
from autostatistician.data.value_checks import has_two_values
from autostatistician.inference import Problem, condition
from autostatistician.inference.criteria import CRITERIA
from autostatistician.inference.likelihoods.base import Likelihood
from autostatistician.inference.likelihoods.gaussian import GAUSSIAN
from autostatistician.inference.parameters import LearnedPriors
from autostatistician.inference.posterior import Posterior
from autostatistician.language.kernel import Kernel
from autostatistician.language.languages import LANGUAGES, Language, sums
from autostatistician.model.other_scale import OtherScale, searched_on_other_scale
from autostatistician.model.settings import check_settings, plain
from autostatistician.search.before import Choice, chosen_transform, screened
from autostatistician.search.levels import priors_for
from autostatistician.search.run import Settings, search
from autostatistician.search.scores.weights import weighted
from autostatistician.search.settings import resolved
from autostatistician.search.state import Candidate, SearchResult, StepInfo, Watched
from autostatistician.threads import one_thread

__all__ = ["Model", "fit_model"]

Step = TypeVar("Step", bound=StepInfo)
Made = TypeVar("Made")

MOST_SWITCHES = 4  # of a series with two values: with no more, they are steps that can be reported


@dataclass(frozen=True, eq=False)
class Model:
    """What `fit_model` returns.

    The criterion of its settings is the one that the search went by. Parameters of kernels are in the units of
    ``modelled``: those of the data, or of their logarithm. Likelihoods and criteria are always those of the data
    themselves, so that models of both kinds compare.
    """

    dataset: Dataset
    language: str
    settings: Settings
    search: SearchResult
    choice: Choice = field(default_factory=lambda: Choice(Transform()))
    screening: Screening = NO_SCREENING  # the outliers that are not among the data
    likelihood: Likelihood = GAUSSIAN  # of the data on their own scale
    searched: int | None = None  # rows that the search had, where others were added since
    other: OtherScale | None = None  # the scale that was not chosen, over which forecasts average, too
    _kept: dict[Hashable, Any] = field(default_factory=dict, init=False, repr=False)  # see `once`

    @classmethod
    def so_far(cls, dataset: Dataset, language: str, step: Watched) -> Model:
        """The best model of a search that goes on, as one of its levels reported it; ``dataset`` is what it began with.

        Outliers are not known yet.
        """
        best = Candidate(step.kernel, step.nll, step.score, step.level)
        result = SearchResult(best, (best,), (), step.evaluations, step.seconds, "", False)
        return cls(dataset, language, Settings(criterion=step.criterion), result, Choice(step.transform))

    @property
    def rows_of_search(self) -> int:
        """How many rows the search had."""
        return self.dataset.n if self.searched is None else self.searched

    @property
    def transform(self) -> Transform:
        """The map from the data to the scale of the model."""
        return self.choice.transform

    @property
    def last(self) -> float:
        """The last position of a series that has a value, be it among the data or set aside at their end."""
        return max(float(self.dataset.X[:, 0].max()), *(outlier.x for outlier in self.screening.aside), -np.inf)

    @cached_property
    def on_other_scale(self) -> Model | None:
        """The same data on the scale that was not chosen, as far as it was searched."""
        if self.other is None:
            return None
        return replace(self, search=self.other.search, choice=Choice(self.other.transform), other=None)

    @cached_property
    def modelled(self) -> Dataset:
        """The data on the scale of the model."""
        return modelled(self.dataset, self.transform)

    @cached_property
    def problem(self) -> Problem:
        """The data on the scale of the model, the rows of a series in the order of their positions."""
        return Problem.of(in_order(self.modelled), self.likelihood.mapped(self.transform))

    @cached_property
    def posterior(self) -> Posterior:
        """The best model given its data."""
        with one_thread():
            return condition(self.kernel, self.problem)

    def once(self, key: Hashable, make: Callable[[], Made]) -> Made:
        """What ``make`` returns, made when it is first asked for; ``key`` says what it is and all that it hangs on."""
        if key not in self._kept:
            self._kept[key] = make()
        return cast(Made, self._kept[key])

    @property
    def priors(self) -> LearnedPriors | None:
        """What the criterion knew of the parameters before it saw the data; None where it knew nothing."""
        return priors_for(self.dataset.kind, self.settings.criterion, self.likelihood)

    @property
    def by_evidence(self) -> bool:
        """Whether the criterion has itself penalised structures for what chance gives."""
        return CRITERIA[self.settings.criterion].has_priors

    @property
    def structures(self) -> list[tuple[Candidate, float]]:
        """The models of the search and their posterior weights, the chosen one first (`search.scores.weights`)."""
        return weighted(self.search.frontier, chance_is_charged=self.by_evidence)

    @property
    def penalty(self) -> float:
        """The penalty of BIC for the parameters of the map."""
        return self.transform.parameters * log(self.dataset.n)

    @property
    def kernel(self) -> Kernel:
        """The best model with its parameters."""
        return self.search.best.kernel

    def __repr__(self) -> str:
        best = self.search.best
        return f"Model({self.dataset.name!r}: {best.kernel}, nll={best.nll:.2f}, n={len(self.dataset.y)})"


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
    began = time.perf_counter()
    screening = NO_SCREENING
    if settings.outliers == "auto" and not likelihood.is_latent:
        dataset, screening = screened(dataset, settings.n_jobs)
        dataset = noted(dataset, screening)
    grammar = replace(_grammar(language, dataset, settings.criterion), tails=screening.tails)
    choice = Choice(Transform()) if likelihood.is_latent else chosen_transform(dataset, settings, grammar)
    spent = time.perf_counter() - began
    remaining = None if settings.time_budget is None else max(settings.time_budget - spent, 1e-3)
    watch = None if callback is None else _in_units_of_data(callback, dataset, choice.transform, settings.criterion)
    usable = replace(settings, time_budget=remaining)
    result = search(modelled(dataset, choice.transform), grammar, usable, watch, checkpoint, likelihood)
    other = searched_on_other_scale(dataset, grammar, usable, choice, result)
    if other is not None:
        other = replace(other, search=_of_data(other.search, dataset, other.transform, settings.criterion))
    return Model(
        dataset,
        language,
        settings,
        _of_data(result, dataset, choice.transform, settings.criterion),
        choice,
        screening,
        likelihood,
        other=other,
    )


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
    if not transform.is_log:
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
    nll = -transform.log_jacobian(dataset.y + dataset.offset)
    penalised = 2.0 * nll + transform.parameters * log(dataset.n)
    return nll, penalised, 2.0 * nll if CRITERIA[criterion].has_priors else penalised
