"""A finished search as one value: the data, the model with its parameters, the way it was found.

`fitted.fitting.fit_model` makes it. What is asked of it later (predictions, explanations, files) stands in the modules
beside this one, and all of that asks the one posterior that the model keeps.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable
from dataclasses import dataclass, field, fields, replace
from functools import cached_property
from math import log
from typing import Any, TypeVar, cast

import numpy as np
from numpy.typing import NDArray

from autostatistician._io.threads import one_thread
from autostatistician.data.dataset import Dataset, as_counted, in_order
from autostatistician.data.new_rows import NewRows, extended
from autostatistician.data.outliers import NO_SCREENING, Screening
from autostatistician.data.transform import Transform, modelled
from autostatistician.fitted.censored import censored_targets
from autostatistician.fitted.counts import PseudoTargets, pseudo_targets
from autostatistician.fitted.transform_averaging import OtherTransform
from autostatistician.gp import Problem, condition
from autostatistician.gp.count_likelihoods import Sited
from autostatistician.gp.criteria import CRITERIA
from autostatistician.gp.likelihoods import GAUSSIAN, Likelihood
from autostatistician.gp.parameters import LearnedPriors
from autostatistician.gp.posterior import Posterior
from autostatistician.kernels.kernel import Kernel
from autostatistician.regressors.estimates import CovariateEffects
from autostatistician.search.levels import priors_for
from autostatistician.search.preprocessing import Choice
from autostatistician.search.run import Settings
from autostatistician.search.scores.weights import weighted
from autostatistician.search.state import Candidate, SearchResult, Watched

__all__ = ["Model"]

Made = TypeVar("Made")

Array = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class Model:
    """What `fit_model` returns.

    Where columns beside a series have ``effects``, its data are those without them: the series as it would be with the
    columns at their usual values (`observed` has what was given).
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
    other: OtherTransform | None = None  # the scale that was not chosen, over which forecasts average, too
    effects: CovariateEffects | None = None  # of the columns beside a series, on the scale of the model
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
    def scale_probability(self) -> float | None:
        """Of values against their logarithm, or of that against them; None where evidence did not compare the two."""
        of_the_two = self.by_evidence and self.transform.name in ("none", "log")
        return self.choice.probability if of_the_two else None

    @property
    def last(self) -> float:
        """The last position of a series that has a value: among the data, set aside, or foretold by the calendar."""
        rows = [self.dataset.X[:, 0].max(), *(outlier.x for outlier in self.screening.aside)]
        return float(max(*rows, *([] if self.dataset.constant is None else self.dataset.constant), -np.inf))

    @cached_property
    def on_other_scale(self) -> Model | None:
        """The same data on the scale that was not chosen, as far as it was searched."""
        if self.other is None:
            return None
        return replace(self, search=self.other.search, choice=Choice(self.other.transform), other=None)

    @cached_property
    def modelled(self) -> Dataset:
        """The data on the scale of the model; of counts and limits of detection, pseudo-targets in their place."""
        sited = self.counted or self.censored
        return modelled(self.dataset, self.transform) if sited is None else sited.data

    @cached_property
    def censored(self) -> PseudoTargets | None:
        """The data with sites for limits of detection, given the best model; None where all values are known."""
        if self.dataset.censored is None:
            return None
        with one_thread():
            return censored_targets(self.dataset, self.transform, self.kernel)

    @cached_property
    def counted(self) -> PseudoTargets | None:
        """Counts as nearly normal observations about the mode of the best model; None of other data."""
        if not isinstance(self.likelihood, Sited):
            return None
        return pseudo_targets(self.dataset, self.likelihood.mapped(self.transform), self.kernel)

    @property
    def log_jacobian(self) -> float:
        """What is added to log densities on the scale of the model to make them those of the data."""
        sited = self.counted or self.censored
        if sited is not None:
            return sited.log_ratio
        return self.transform.log_jacobian(self.dataset.y + self.dataset.offset)

    @cached_property
    def problem(self) -> Problem:
        """The data on the scale of the model, the rows of a series in the order of their positions."""
        return Problem.of(in_order(self.modelled), self.likelihood.mapped(self.transform))

    @cached_property
    def posterior(self) -> Posterior:
        """The best model given its data."""
        with one_thread():
            return condition(self.kernel, self.problem)

    def __getstate__(self) -> dict[str, Any]:
        """Without what was computed from it: a pickle computes it anew where it is asked for."""
        return {each.name: getattr(self, each.name) for each in fields(self)} | {"_kept": {}}

    def once(self, key: Hashable, make: Callable[[], Made]) -> Made:
        """What ``make`` returns, made when it is first asked for; ``key`` says what it is and all that it hangs on."""
        if key not in self._kept:
            self._kept[key] = make()
        return cast(Made, self._kept[key])

    @cached_property
    def observed(self) -> Array:
        """The values (n,) as they were given: those of the data, with what the columns beside them add."""
        if self.dataset.added is not None:
            return as_counted(self.dataset)
        return self.as_given(self.dataset.X[:, 0], self.dataset.y + self.dataset.offset)

    @property
    def as_observed(self) -> Dataset:
        """The data with the values that were given: with what columns beside them add."""
        return replace(self.dataset, y=self.observed - self.dataset.offset, added=None)

    @property
    def with_aside(self) -> Dataset:
        """The data as they were observed, with the values that were set aside."""
        if not self.aside:
            return self.as_observed
        x, y = np.array(self.aside).T
        return replace(extended(self.as_observed, NewRows(x[:, None], y)), rows=())

    def scaled(self, y: Array) -> Array:
        """Values (m,) beside the data on the scale of the model; zero has no logarithm: half of the smallest value."""
        least = 0.5 * self.dataset.y.min() if self.transform.is_mapped and self.counted is None else -np.inf
        return self.transform.forward(np.maximum(y - self.modelled.offset, least))

    def as_given(self, x: Array, y: Array) -> Array:
        """Values (m,) without the effects of columns at positions (m,) as they were given, with these."""
        if self.effects is None:
            return y
        return self.transform.moved(y, self.effects.mean_added(x))

    @property
    def aside(self) -> list[tuple[float, float]]:
        """Positions and values, as they were given, of what was set aside."""
        rows = self.screening.aside
        x, y = np.array([row.x for row in rows]), np.array([row.y for row in rows])
        return list(zip(x.tolist(), self.as_given(x, y).tolist(), strict=True)) if rows else []

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
