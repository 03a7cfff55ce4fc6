"""A model given new rows: expressions and parameters stay, what it knows grows; and how much the rows surprise it."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray
from scipy.special import ndtri, softmax
from scipy.stats import chi2, norm

from autostatistician._io.threads import one_thread
from autostatistician.data.covariates import Covariates
from autostatistician.data.exposures import LogOffsets
from autostatistician.data.new_rows import NewRows, extended
from autostatistician.data.target_limits import check_within
from autostatistician.errors import InputError
from autostatistician.fitted.covariate_effects import added_by_columns, effects_anew
from autostatistician.fitted.model import Model
from autostatistician.fitted.predictions import Options, Predictor
from autostatistician.fitted.rescoring import rescored
from autostatistician.fitted.transform_averaging import OtherTransform
from autostatistician.gp import condition
from autostatistician.gp.count_likelihoods import Sited
from autostatistician.gp.posterior import Posterior, given_before
from autostatistician.gp.predictive import ENDS_OF_95
from autostatistician.i18n.messages import Number, note_count
from autostatistician.i18n.numbers import as_written
from autostatistician.regressors.effects import Clock
from autostatistician.regressors.estimates import CovariateEffects
from autostatistician.search.state import Candidate, SearchResult

__all__ = ["UpdateSurprise", "surprise_of", "updated"]


Array = NDArray[np.float64]

ROWS_AT_ONCE = 1000  # whose joint predictions are one matrix each

LEAST_PROBABILITY = 1e-300  # an error of 37 standard deviations

LEAST_LOG_DENSITY = -1e6  # of what is impossible, so that weights stay numbers

STEPS, LONGEST_STEP = 20, 2.0  # of Newton's method for the function at a count

SURPRISING = 0.01  # probability, under the model, of rows as odd as these

LOOKS = 2  # at the mean of the errors, and at their size around it

GROWN = 1.5  # times as many rows as the search had may show more


@dataclass(frozen=True, eq=False)
class UpdateSurprise:
    """New rows as a model expected them.

    ``errors`` (m,) are those of predicting each row from all before, in standard deviations: independent and standard
    normal under the model. Which of them lie ``inside`` of their ranges of 95 % is as printed.
    """

    errors: Array
    inside: int

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
        """The probability of rows as odd as these under the model."""
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
        freedom = len(self.errors) - 1
        return float(chi2.sf(np.sum((self.errors - self.drift) ** 2), freedom)) if freedom else 1.0

    @property
    def _p_of_drift(self) -> float:
        return float(2.0 * norm.sf(abs(self.drift) * np.sqrt(len(self.errors))))


def surprise_of(model: Model, rows: NewRows, options: Options) -> tuple[UpdateSurprise, Predictor]:
    """How much new rows surprise a model, and the predictions of it that they are judged by.

    Raises
    ------
    InputError
        When the model cannot have such values.
    """
    _check_values(model, rows)
    columns: tuple[Covariates, ...] = ()
    if model.effects is not None and rows.columns is not None:
        columns = (model.effects.columns.joined(rows.columns),)
    predictor = Predictor(model, options, columns, extended(model.dataset, rows).sizes).unsure_by(rows.unsure)
    found = predicted_in_turn(predictor, rows.X, rows.values)
    return UpdateSurprise(found.errors, int(found.inside.sum())), predictor


def _check_values(model: Model, rows: NewRows) -> None:
    values, transform = rows.values, model.transform
    if model.dataset.noise is not None:
        expected = "a model without known errors of measurement or limits of detection, for new rows"
        raise InputError.of(expected, "one with them", "fit a model to all rows anew")
    if model.counted is not None:
        odd = values[(values < 0.0) | (values != np.round(values))]
        if odd.size and rows.sizes is None:
            remedy = "correct the value, or fit a model anew"
            raise InputError.of("counts: whole numbers from zero", as_written(odd[0]), remedy)
    elif transform.is_odds:
        check_within((0.0, transform.top), values)
    elif transform.is_mapped and values.min() <= 0.0:
        found, what = as_written(values.min()), "logarithm" if transform.is_log else "power"
        raise InputError.of(f"values above zero: their {what} is modelled", found, "fit a model to all rows anew")


def updated(model: Model, rows: NewRows) -> Model:
    """The model with new rows.

    The models beside it, over which predictions average, are weighed anew; none is fitted.
    """
    _check_values(model, rows)
    if model.counted is not None:
        return _updated_counts(model, rows)
    values = model.transform.forward(rows.values) if model.transform.is_mapped else rows.values - model.dataset.offset
    if model.effects is not None:
        return _updated_with_columns(model, rows, values)
    with one_thread():
        grown = _grown(model, rows)
        has_gaps = rows.unsure is not None and rows.unsure.any()
        posterior = condition(model.kernel, grown.problem) if has_gaps else model.posterior.updated(rows.X, values)
        frontier = _weighed_anew(model, grown, posterior)
        other = _other_weighed_anew(model, grown) if rows.values.min() > 0.0 else None  # else there is no logarithm
    made = replace(grown, search=_weighed(model, frontier), other=other)
    if made.kernel == model.kernel and np.array_equal(made.problem.X, posterior.X):
        vars(made)["posterior"] = posterior  # what is known of the rows before is not worked out again
    return made


def _weighed(model: Model, frontier: tuple[Candidate, ...]) -> SearchResult:
    """The search with the models weighed anew."""
    spent = model.search.evaluations + len(frontier)
    return replace(model.search, best=frontier[0], frontier=frontier, evaluations=spent)


def _updated_counts(model: Model, rows: NewRows) -> Model:
    """The same of counts."""
    with one_thread():
        grown = _grown(model, rows) if model.effects is None else _grown_at_usual(model, rows)
        frontier = _weighed_anew(model, grown, grown.posterior)
    made = replace(grown, search=_weighed(model, frontier))
    return made if made.effects is None else effects_anew(made, made.effects, Clock.of(grown.dataset), refit=False)


def _with_columns_of(model: Model, rows: NewRows) -> CovariateEffects:
    """The effects with the columns of new rows as well."""
    assert model.effects is not None
    known = model.effects.columns
    return replace(model.effects, columns=known if rows.columns is None else known.joined(rows.columns))


def _grown_at_usual(model: Model, rows: NewRows) -> Model:
    """The model of counts with more of them, what its columns add taken off as it is known so far."""
    effects, is_share = _with_columns_of(model, rows), model.transform.is_odds
    x = np.append(model.dataset.x, rows.X[:, 0])
    added = LogOffsets.of_rows(x, effects.mean_added(x))
    grown = _grown(model, replace(rows, values=added.without(rows.X[:, 0], rows.values, is_share=is_share)))
    return replace(grown, dataset=replace(grown.dataset, added=added), effects=effects)


def _updated_with_columns(model: Model, rows: NewRows, values: Array) -> Model:
    """The same where columns act: the effects are estimated anew given all rows."""
    first = _with_columns_of(model, rows)
    with one_thread():
        without = values - added_by_columns(model, rows.X[:, 0], (first.columns,))[0]
        in_data = model.transform.back(without) if model.transform.is_mapped else without + model.dataset.offset
        grown = _grown(model, replace(rows, values=in_data))
        frontier = _weighed_anew(model, grown, condition(model.kernel, grown.problem))
    made = replace(grown, search=_weighed(model, frontier), effects=first)
    return effects_anew(made, first, Clock.of(grown.dataset), refit=False)


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


def _other_weighed_anew(before: Model, grown: Model) -> OtherTransform | None:
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


# --- New observations predicted one after the other, each given those before it (prequential, Dawid 1984) -----------


@dataclass(frozen=True, eq=False)
class Prequential:
    """How likely values less and more than each new one were (m,), given those before it."""

    below: Array
    above: Array

    @property
    def errors(self) -> Array:
        """Standardised errors (m,): normal scores of the chances, that of the value itself shared by both sides."""
        equal = 0.5 * np.maximum(1.0 - self.below - self.above, 0.0)
        low, high = (np.maximum(side + equal, LEAST_PROBABILITY) for side in (self.below, self.above))
        return np.where(low < high, ndtri(np.minimum(low, 0.5)), -ndtri(np.minimum(high, 0.5)))

    @property
    def inside(self) -> NDArray[np.bool_]:
        """Which values (m,) lie within their ranges of 95 %."""
        return np.asarray((self.below < ENDS_OF_95[1]) & (self.above < ENDS_OF_95[1]))


def predicted_in_turn(predictor: Predictor, X: Array, y: Array) -> Prequential:
    """Each of some new values (m,) at rows (m, d), in the units of the data, given those before it."""
    other, share = predictor.on_other_scale(X), predictor.share_of_other(X)
    with one_thread():
        parts = [_by_members(predictor, X, y, 1.0 - share)]
        if other is not None:
            parts.append(_by_members(other, X, y, share))
    prior, densities, below, above = (np.concatenate(each) for each in zip(*parts, strict=True))
    before = np.cumsum(densities, axis=1) - densities
    weights = softmax(prior + before, axis=0)
    return Prequential(np.sum(weights * below, axis=0), np.sum(weights * above, axis=0))


def _by_members(predictor: Predictor, X: Array, y: Array, share: Array) -> tuple[Array, Array, Array, Array]:
    """By each member (k, m): the log weight beforehand, the log density, and the chances of less and of more."""
    several, parts = predictor.averaged, []
    for start in range(0, len(y), ROWS_AT_ONCE):
        some = slice(start, start + ROWS_AT_ONCE)
        moments, weights = predictor.of_rows(some).jointly(several, X[some])
        each = [predictor.of_members(X[some], _in_turn(predictor, X[some], y[some], *of_one), np.ones(1))
                for of_one in moments]  # fmt: skip
        densities = np.maximum([one.log_density(y[some]) for one in each], LEAST_LOG_DENSITY)
        with np.errstate(divide="ignore"):
            prior = np.log(np.outer(weights, share[some]))
        below, above = np.swapaxes([one.beyond(y[some]) for one in each], 0, 1)
        parts.append((prior, densities, below, above))
        if start + ROWS_AT_ONCE < len(y) and predictor.model.counted is None:
            several = several.given(X[some], _on_scale(predictor, y[some]) - predictor.of_rows(some).added(X[some]))
    joined = [np.concatenate(each, axis=1) for each in zip(*parts, strict=True)]
    return joined[0], joined[1], joined[2], joined[3]


def _in_turn(predictor: Predictor, X: Array, y: Array, mean: Array, cov: Array) -> tuple[Array, Array]:
    """Moments (1, m) of each new observation given those before it, from those of all together by one member."""
    values, noise = _on_scale(predictor, y), np.zeros(len(y))
    likelihood = predictor.model.problem.likelihood
    if isinstance(likelihood, Sited):
        law = likelihood.at(predictor.known_sizes, X[:, 0])
        values, noise = _sites(law, y * law.row_sizes, mean, cov.diagonal())
    means, sds = given_before(values, mean, cov + np.diag(noise))
    return means[None], np.sqrt(np.maximum(sds**2 - noise, 0.0))[None]


def _on_scale(predictor: Predictor, y: Array) -> Array:
    """Values (m,) on the scale of the model; what it cannot have, which has no density, lies anywhere."""
    transform, values = predictor.model.transform, y - predictor.model.modelled.offset
    if predictor.model.counted is not None:
        return values
    possible = transform.possible(values)
    return transform.forward(np.where(possible, values, 0.5 * transform.top))


def _sites(law: Sited, counts: Array, mean: Array, variance: Array) -> tuple[Array, Array]:
    """Normal observations (m,) of a function that stand for counts, and their variances, about its most likely values.

    Each is that of a count by itself, given the moments (m,) of the function before.
    """
    f = mean.copy()
    for _ in range(STEPS):
        first, second, _ = law.derivatives(counts, f)
        step = (first - (f - mean) / variance) / (1.0 / variance - second)
        f += np.clip(step, -LONGEST_STEP, LONGEST_STEP)
    sites = law.normal_sites(counts, f)
    return sites.values, sites.variances
