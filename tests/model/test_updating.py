"""A model with new rows is the one that would have had them all; and its surprise is what it says."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from scipy.stats import kstest, norm

from autostatistician.data.dataset import from_arrays
from autostatistician.data.news import NewRows
from autostatistician.data.outliers import Outlier, Screening
from autostatistician.errors import InputError
from autostatistician.inference.engines.choice import condition
from autostatistician.model.fitted import Model
from autostatistician.model.fitting import fit_model
from autostatistician.model.storage import from_json, to_json
from autostatistician.model.updating import UpdateSurprise, updated
from autostatistician.search.run import Settings

X = np.arange(60.0)
Y = 10.0 + 0.3 * X + np.random.default_rng(1).standard_normal(60)


@pytest.fixture(scope="module", params=["bic", "evidence"])
def model(request: pytest.FixtureRequest) -> Model:
    """A line found on the first fifty rows."""
    return fit_model(from_arrays(X[:50], Y[:50]), "linear", Settings(2, 4, request.param, None, 1))


def _rows(low: int, high: int, more: float = 0.0) -> NewRows:
    return NewRows(X[low:high, None], Y[low:high] + more)


def test_it_is_the_model_of_all_rows_with_the_same_numbers(model: Model) -> None:
    found, surprise = updated(model, _rows(50, 60))
    whole = condition(model.kernel, found.problem)
    np.testing.assert_allclose(found.posterior.signal()[0], whole.signal()[0], rtol=1e-9)
    np.testing.assert_allclose(surprise.errors, whole.innovations()[50:], rtol=1e-7)
    gained = whole.log_evidence - model.posterior.log_evidence
    assert gained == pytest.approx(norm.logpdf(surprise.errors).sum() - np.log(whole.innovation_sd[50:]).sum())
    assert found.search.best.nll == pytest.approx(-whole.log_evidence)
    assert found.kernel == model.kernel
    assert (found.rows_of_search, found.dataset.n) == (50, 60)
    assert found.dataset.warnings[-1].startswith("10 rows added to the 50 of the search")


def test_bit_by_bit_and_between_the_rows_is_the_same_as_at_once(model: Model) -> None:
    at_once, _ = updated(model, _rows(50, 60))
    first, _ = updated(model, _rows(53, 60))
    then, _ = updated(first, _rows(50, 53))
    np.testing.assert_array_equal(then.dataset.y, at_once.dataset.y)
    assert then.dataset.warnings == at_once.dataset.warnings
    assert then.search.best.score == pytest.approx(at_once.search.best.score)
    np.testing.assert_allclose(then.posterior.signal()[0], at_once.posterior.signal()[0], rtol=1e-8)


def test_it_is_kept_in_a_file(model: Model) -> None:
    found, _ = updated(model, _rows(50, 60))
    again = from_json(to_json(found))
    assert (again.rows_of_search, again.kernel, again.search) == (50, found.kernel, found.search)


def test_rows_as_expected_are_no_surprise_and_others_are(model: Model) -> None:
    _, expected = updated(model, _rows(50, 60))
    _, shifted = updated(model, _rows(50, 60, 1.6))
    _, apart = updated(model, NewRows(X[50:, None], Y[50:] + 5.0 * (-1.0) ** np.arange(10)))
    assert not expected.is_surprising
    assert shifted.is_surprising
    assert shifted.drifts
    assert shifted.drift > 0.5
    assert apart.is_surprising
    assert not apart.drifts
    assert apart.size > 3.0


@pytest.mark.parametrize("freedom", [5, 50])
def test_p_values_are_those_of_chance(freedom: int) -> None:
    rng = np.random.default_rng(1)
    noise = np.sqrt(rng.chisquare(freedom, 400) / freedom)  # as it was estimated
    found = [UpdateSurprise(rng.standard_normal(8) / sd, freedom).p_value for sd in noise]
    for level in (0.05, 0.1, 0.3):  # of two looks together never too often, and not much too rarely
        assert 0.5 * level < np.mean(np.array(found) < level) < level + 0.025


def test_p_values_of_rows_as_expected_are_uniform() -> None:
    rng = np.random.default_rng(2)
    found = [UpdateSurprise(rng.standard_normal(count), 500).p_value for count in (1, 2, 8) for _ in range(300)]
    assert kstest(found, "uniform").pvalue > 0.05
    assert max(found) < 1.0


def test_a_logarithm_takes_no_zeros() -> None:
    y = np.exp(0.1 * X[:40] + 0.1 * np.random.default_rng(0).standard_normal(40))
    model = fit_model(from_arrays(X[:40], y), "linear", Settings(1, 4, "bic", None, 1, transform="log"))
    with pytest.raises(InputError, match="above zero"):
        updated(model, NewRows(X[40:42, None], np.array([3.0, 0.0])))
    found, surprise = updated(model, NewRows(X[40:42, None], np.exp(0.1 * X[40:42])))
    assert not surprise.is_surprising
    assert found.search.best.nll > model.search.best.nll


def test_a_last_value_that_was_set_aside_is_judged_by_what_comes_after(model: Model) -> None:
    odd = Outlier(49.5, 9.0, 1.0, aside=True, ending=True)
    waiting = replace(model, screening=Screening((odd,), lasting=0.6))
    found, _ = updated(waiting, _rows(50, 60))
    assert found.screening == Screening((replace(odd, ending=False),), lasting=0.0)
