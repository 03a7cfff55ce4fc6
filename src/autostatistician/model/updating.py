"""A model given new rows: expressions and parameters stay, what it knows grows; and how much the rows surprise it."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray
from scipy.linalg import solve_triangular
from scipy.stats import f as fisher
from scipy.stats import t as student

from autostatistician.covariates.effects import Clock
from autostatistician.data.added import Added
from autostatistician.data.covariates import Covariates
from autostatistician.data.news import NewRows, extended
from autostatistician.data.target_limits import check_within
from autostatistician.errors import InputError
from autostatistician.inference import condition
from autostatistician.inference.likelihoods.sited import Sited
from autostatistician.inference.posterior import Posterior, decorrelated, foreseen
from autostatistician.language.count import effective_parameters
from autostatistician.model.beside import added_by_columns, spread_of
from autostatistician.model.counts_beside import effects_anew
from autostatistician.model.fitted import Model
from autostatistician.model.other_scale import OtherScale
from autostatistician.model.rescoring import rescored
from autostatistician.search.state import Candidate
from autostatistician.threads import one_thread
from autostatistician.wording.messages import Number, note_count
from autostatistician.wording.numbers import as_written

__all__ = ["UpdateSurprise", "updated"]

Array = NDArray[np.float64]

SURPRISING = 0.01  # probability, under the model, of rows as odd as these
LOOKS = 2  # at the mean of the errors, and at their size around it
GROWN = 1.5  # times as many rows as the search had may show more
COUNTS_AT_ONCE = 250  # new ones that are judged together
MOST_JOINTLY = 2000  # new rows whose errors are judged with what is open about the effects of columns
HALF_OF_RANGE = 1.959964  # standard deviations of a range of 95 %


@dataclass(frozen=True, eq=False)
class UpdateSurprise:
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


def updated(model: Model, rows: NewRows) -> tuple[Model, UpdateSurprise]:
    """The model with new rows, and how much they surprised it.

    The models beside it, over which predictions average, are weighed anew; none is fitted.
    """
    if model.counted is not None:
        return _updated_counts(model, rows)
    if model.transform.is_odds:
        check_within((0.0, model.transform.top), rows.values)
    elif model.transform.is_positive and rows.values.min() <= 0.0:
        found, what = as_written(rows.values.min()), "logarithm" if model.transform.is_log else "power"
        raise InputError.of(f"values above zero: their {what} is modelled", found, "fit a model to all rows anew")
    values = model.transform.forward(rows.values) if model.transform.is_mapped else rows.values - model.dataset.offset
    if model.effects is not None:
        return _updated_with_columns(model, rows, values)
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
    return made, UpdateSurprise(errors, _freedom(model))


def _updated_counts(model: Model, rows: NewRows) -> tuple[Model, UpdateSurprise]:
    """The same of counts: errors are those of a rate, as shares of it, together with what chance adds."""
    odd = rows.values[(rows.values < 0.0) | (rows.values != np.round(rows.values))]
    if odd.size and rows.sizes is None:
        raise InputError.of(
            "counts: whole numbers from zero", as_written(odd[0]), "correct the value, or fit a model anew"
        )
    errors, law = [], model.likelihood
    assert isinstance(law, Sited)
    with one_thread():
        added, spread = np.zeros(len(rows.values)), np.zeros((1, len(rows.values)))
        if model.effects is not None:
            columns = model.effects.columns if rows.columns is None else model.effects.columns.joined(rows.columns)
            added, spread = added_by_columns(model, rows.X[:, 0], (columns,))
        grown = _grown(model, rows) if model.effects is None else _grown_at_usual(model, rows, columns)
        sizes = grown.dataset.sizes
        for start in range(0, len(rows.values), COUNTS_AT_ONCE):
            some = slice(start, start + COUNTS_AT_ONCE)
            mean, cov = model.posterior.observations_joint(rows.X[some])
            mean, cov = mean + added[some], cov + spread_of(spread[:, some])
            rate, _ = model.transform.moments(mean, np.sqrt(cov.diagonal()))
            exposed = 1.0 if sizes is None else sizes.at(rows.X[some, 0])
            rate, chance = (part / exposed for part in law.at(sizes, rows.X[some, 0]).about_rate(exposed * rate))
            slope = rate * (1.0 - rate) if model.transform.is_odds else rate  # by the function
            cov[np.diag_indices_from(cov)] += chance / (exposed * slope**2)
            errors.append(decorrelated((rows.values[some] - rate) / slope, cov))
        frontier = _weighed_anew(model, grown, grown.posterior)
    spent = model.search.evaluations + len(frontier)
    made = replace(grown, search=replace(model.search, best=frontier[0], frontier=frontier, evaluations=spent))
    if made.effects is not None:
        made = effects_anew(made, made.effects, Clock.of(grown.dataset), refit=False)
    return made, UpdateSurprise(np.concatenate(errors), _freedom(model))


def _grown_at_usual(model: Model, rows: NewRows, columns: Covariates) -> Model:
    """The model of counts with more of them, what its columns add taken off as it is known so far."""
    assert model.effects is not None
    effects, is_share = replace(model.effects, columns=columns), model.transform.is_odds
    x = np.append(model.dataset.x, rows.X[:, 0])
    added = Added.of_rows(x, effects.mean_added(x))
    grown = _grown(model, replace(rows, values=added.without(rows.X[:, 0], rows.values, is_share=is_share)))
    return replace(grown, dataset=replace(grown.dataset, added=added), effects=effects)


def _freedom(model: Model) -> int:
    """What the rows leave to judge a standard deviation by."""
    acting = 0 if model.effects is None else len(model.effects.acting)
    return max(model.dataset.n - effective_parameters(model.kernel.expr) - acting, 1)


def _updated_with_columns(model: Model, rows: NewRows, values: Array) -> tuple[Model, UpdateSurprise]:
    """The same where columns act: rows are judged with their columns, and the effects estimated anew given all rows."""
    assert model.effects is not None
    columns = model.effects.columns if rows.columns is None else model.effects.columns.joined(rows.columns)
    with one_thread():
        mean, deviations = added_by_columns(model, rows.X[:, 0], (columns,))
        without = values - mean
        errors = _errors(model.posterior, rows.X, without, deviations)
        in_data = model.transform.back(without) if model.transform.is_mapped else without + model.dataset.offset
        grown = _grown(model, replace(rows, values=in_data))
        frontier = _weighed_anew(model, grown, condition(model.kernel, grown.problem))
    spent = model.search.evaluations + len(frontier)
    search = replace(model.search, best=frontier[0], frontier=frontier, evaluations=spent)
    first = replace(model.effects, columns=columns)
    return (
        effects_anew(replace(grown, search=search, effects=first), first, Clock.of(grown.dataset), refit=False),
        UpdateSurprise(errors, _freedom(model)),
    )


def _errors(posterior: Posterior, X: Array, y: Array, deviations: Array) -> Array:
    """Standardised errors (m,) of predicting each row from all before it, with what is open (s, m) about the columns.

    Of very many rows nothing is: they tell the effects better than the rows before.
    """
    if len(y) > MOST_JOINTLY:
        return foreseen(posterior, X, y)[0]
    mean, cov = posterior.observations_joint(X)
    root = np.linalg.cholesky(cov + spread_of(deviations))
    return np.asarray(solve_triangular(root, y - mean, lower=True))


def _grown(model: Model, rows: NewRows) -> Model:
    """The model with more data, which say so; its scores are still those of before."""
    grown = replace(model, dataset=extended(model.dataset, rows), searched=model.rows_of_search)
    if model.screening.ending and rows.X[:, 0].max() > model.last:  # they end the data no more: the new rows tell
        passed = tuple(replace(outlier, ending=False) for outlier in model.screening.rows)
        grown = replace(grown, screening=replace(model.screening, rows=passed, lasting=0.0))
    others = tuple(warning for warning in grown.dataset.warnings if warning != _note(model))
    return replace(grown, dataset=replace(grown.dataset, warnings=(*others, _note(grown))))


def _note(model: Model) -> str:
    more = model.dataset.n - model.rows_of_search
    return note_count(
        more, "{n} row added to the {before} of the search, whose expression and numbers the model keeps.",
        "{n} rows added to the {before} of the search, whose expression and numbers the model keeps.",
        n=more, before=Number(model.rows_of_search, ","),
    )  # fmt: skip


def _other_weighed_anew(before: Model, grown: Model) -> OtherScale | None:
    """The models on the scale that was not chosen, weighed by all rows."""
    first, after = before.on_other_scale, grown.on_other_scale
    if first is None or after is None or grown.other is None:
        return None
    frontier = _weighed_anew(first, after, condition(first.kernel, after.problem))
    return replace(grown.other, search=replace(first.search, best=frontier[0], frontier=frontier))


def _weighed_anew(before: Model, after: Model, best: Posterior) -> tuple[Candidate, ...]:
    """The models that have a weight, scored on all rows; the best first, by evidence the selected one."""
    candidates = [candidate for candidate, _ in before.structures]
    scored = rescored(
        before,
        after,
        (
            best if candidate.kernel == best.kernel else condition(candidate.kernel, after.problem)
            for candidate in candidates
        ),
    )
    first = scored[:1] if before.by_evidence else []
    return (*first, *sorted((candidate for candidate in scored if candidate not in first), key=Candidate.rank))
