"""A model given new rows: its expressions and numbers stay, what it knows grows; and how much the rows surprise it."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray
from scipy.stats import f as fisher
from scipy.stats import t as student

from autostatistician.data.news import NewRows, extended
from autostatistician.errors import InputError
from autostatistician.inference import condition
from autostatistician.inference.criteria import CRITERIA
from autostatistician.inference.posterior import Posterior, foreseen
from autostatistician.language.count import effective_parameters
from autostatistician.model.fitted import Model
from autostatistician.model.other_scale import OtherScale
from autostatistician.search.state import Candidate
from autostatistician.threads import one_thread
from autostatistician.wording.lists import counted

__all__ = ["Surprise", "updated"]

Array = NDArray[np.float64]

SURPRISING = 0.01  # probability, under the model, of rows as odd as these
LOOKS = 2  # at the mean of the errors, and at their size around it
GROWN = 1.5  # times as many rows as the search had may show more
HALF_OF_RANGE = 1.959964  # standard deviations of a range of 95 %


@dataclass(frozen=True, eq=False)
class Surprise:
    """New rows as a model expected them.

    ``errors`` (m,) are those of predicting each row from all before, in standard deviations: independent and standard
    normal under the model. ``freedom`` is what the rows before leave to judge a standard deviation by.
    """

    errors: Array
    freedom: int

    @property
    def inside(self) -> int:
        """How many rows lie within their ranges of 95 %."""
        return int(np.sum(np.abs(self.errors) <= HALF_OF_RANGE))

    @property
    def size(self) -> float:
        """How large the errors are, in those that were expected."""
        return float(np.sqrt(np.mean(self.errors**2)))

    @property
    def drift(self) -> float:
        """The mean error, in standard deviations of one row."""
        return float(np.mean(self.errors))

    @property
    def drifts(self) -> bool:
        """Whether the rows lie to one side rather than too far off on both."""
        return self._p_of_drift < self._p_of_size

    @property
    def p_value(self) -> float:
        """The probability of rows as odd as these under the model, whose noise is known from so many rows only."""
        if len(self.errors) == 1:  # nothing is left around its own mean
            return self._p_of_drift
        return 1.0 - (1.0 - min(self._p_of_size, self._p_of_drift)) ** LOOKS  # of two that are independent

    @property
    def is_surprising(self) -> bool:
        """Whether the rows are odder than chance would have it."""
        return self.p_value < SURPRISING

    @property
    def _p_of_size(self) -> float:
        """Of the errors around their mean, which tell nothing of it."""
        m = len(self.errors)
        return (
            float(fisher.sf(np.sum((self.errors - self.drift) ** 2) / (m - 1), m - 1, self.freedom)) if m > 1 else 1.0
        )

    @property
    def _p_of_drift(self) -> float:
        return float(2.0 * student.sf(abs(self.drift) * np.sqrt(len(self.errors)), self.freedom))


def updated(model: Model, rows: NewRows) -> tuple[Model, Surprise]:
    """The model with new rows, and how much they surprised it.

    The models beside it, over which predictions average, are weighed anew; none is fitted.

    Raises
    ------
    InputError
        When the logarithm is modelled and a value is not above zero.
    """
    if model.transform.is_log and rows.values.min() <= 0.0:
        found = f"{rows.values.min():g}"
        raise InputError.of("values above zero: their logarithm is modelled", found, "fit a model to all rows anew")
    values = model.transform.forward(rows.values) if model.transform.is_log else rows.values - model.dataset.offset
    with one_thread():
        errors, posterior = foreseen(model.posterior, rows.X, values)
        grown = _grown(model, rows)
        frontier = _weighed_anew(model, grown, posterior)
        other = _other_weighed_anew(model, grown) if rows.values.min() > 0.0 else None  # else there is no logarithm
    spent = model.search.evaluations + len(frontier)
    made = replace(
        grown, search=replace(model.search, best=frontier[0], frontier=frontier, evaluations=spent), other=other
    )
    if made.kernel == model.kernel and np.array_equal(made.problem.X, posterior.X):
        vars(made)["posterior"] = posterior  # what is known of the rows before is not worked out again
    freedom = max(model.dataset.n - effective_parameters(model.kernel.expr), 1)
    return made, Surprise(errors, freedom)


def _grown(model: Model, rows: NewRows) -> Model:
    """The model with more data, which say so; its scores are still those of before."""
    found = replace(model, dataset=extended(model.dataset, rows), searched=model.rows_of_search)
    if model.screening.ending and rows.X[:, 0].max() > model.last:  # they end the data no more: the new rows tell
        passed = tuple(replace(one, ending=False) for one in model.screening.rows)
        found = replace(found, screening=replace(model.screening, rows=passed, lasting=0.0))
    said = tuple(one for one in found.dataset.warnings if one != _note(model))
    return replace(found, dataset=replace(found.dataset, warnings=(*said, _note(found))))


def _note(model: Model) -> str:
    more, before = counted(model.dataset.n - model.rows_of_search, "row"), model.rows_of_search
    return f"{more} added to the {before:,} of the search, whose expression and numbers the model keeps."


def _other_weighed_anew(before: Model, grown: Model) -> OtherScale | None:
    """The models on the scale that was not chosen, weighed by all rows."""
    first, after = before.on_other_scale, grown.on_other_scale
    if first is None or after is None or grown.other is None:
        return None
    frontier = _weighed_anew(first, after, condition(first.kernel, after.problem))
    return replace(grown.other, search=replace(first.search, best=frontier[0], frontier=frontier))


def _weighed_anew(before: Model, after: Model, known: Posterior) -> tuple[Candidate, ...]:
    """The models that have a weight, scored on all rows; the best first, by evidence the one that is told."""
    criterion = CRITERIA[before.settings.criterion]
    jacobian = after.transform.log_jacobian(after.dataset.y + after.dataset.offset)
    found = []
    for one, _ in before.structures:
        posterior = known if one.kernel == known.kernel else condition(one.kernel, after.problem)
        nll = -posterior.log_evidence - jacobian
        if criterion.has_priors:
            more = 2.0 * (nll - one.nll)
        else:
            more = criterion.cheap(nll, one.kernel.expr, after.dataset.n)
            more -= criterion.cheap(one.nll, one.kernel.expr, before.dataset.n)
        found.append(replace(one, nll=nll, score=one.score + more))
    first = found[:1] if criterion.has_priors else []
    return (*first, *sorted((one for one in found if one not in first), key=Candidate.rank))
