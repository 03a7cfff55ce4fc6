"""A model with new rows is the one that would have had them all; and its surprise is what it says."""

from dataclasses import replace

import numpy as np
import pytest
from scipy.stats import kstest, norm

from autostatistician.data.dataset import from_arrays
from autostatistician.data.new_rows import NewRows
from autostatistician.data.outliers import Outlier, Screening
from autostatistician.errors import InputError
from autostatistician.fitted import updating
from autostatistician.fitted.fitting import fit_model
from autostatistician.fitted.model import Model
from autostatistician.fitted.predictions import Options, Predictor
from autostatistician.fitted.storage import from_json, to_json
from autostatistician.fitted.updating import UpdateSurprise, surprise_of, updated
from autostatistician.gp.engines.choice import condition
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
    found = updated(model, _rows(50, 60))
    surprise, _ = surprise_of(model, _rows(50, 60), Options(average=False))
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
    at_once = updated(model, _rows(50, 60))
    then = updated(updated(model, _rows(53, 60)), _rows(50, 53))
    np.testing.assert_array_equal(then.dataset.y, at_once.dataset.y)
    assert then.dataset.warnings == at_once.dataset.warnings
    assert then.search.best.score == pytest.approx(at_once.search.best.score)
    np.testing.assert_allclose(then.posterior.signal()[0], at_once.posterior.signal()[0], rtol=1e-8)


def test_it_is_kept_in_a_file(model: Model) -> None:
    found = updated(model, _rows(50, 60))
    again = from_json(to_json(found))
    assert (again.rows_of_search, again.kernel, again.search) == (50, found.kernel, found.search)


def test_rows_as_expected_are_no_surprise_and_others_are(model: Model) -> None:
    alternating = NewRows(X[50:, None], Y[50:] + 5.0 * (-1.0) ** np.arange(10))
    three = (_rows(50, 60), _rows(50, 60, 1.6), alternating)
    expected, shifted, apart = (surprise_of(model, rows, Options(average=False))[0] for rows in three)
    assert not expected.is_surprising
    assert shifted.is_surprising
    assert shifted.drifts
    assert shifted.drift > 0.5
    assert apart.is_surprising
    assert not apart.drifts
    assert apart.size > 3.0


@pytest.mark.parametrize("more", [0.0, 1.9, 3.5, 60.0])
def test_one_row_is_judged_by_the_distribution_that_is_printed(model: Model, more: float) -> None:
    row = _rows(50, 51, more)
    surprise, _ = surprise_of(model, row, Options())
    printed = Predictor(model, Options()).predictive(row.X)
    below = printed.cdf(row.values)[0]
    assert surprise.p_value == pytest.approx(2.0 * min(below, 1.0 - below), abs=1e-9)
    lower, upper = printed.quantiles((0.025, 0.975))[0]
    assert surprise.inside == (lower <= row.values[0] <= upper)


@pytest.mark.parametrize("average", [False, True])
def test_errors_do_not_hang_on_how_many_rows_are_looked_at_at_once(
    model: Model, average: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    options = Options(average=average, breaks=False)
    whole, _ = surprise_of(model, _rows(50, 60), options)
    monkeypatch.setattr(updating, "ROWS_AT_ONCE", 4)
    parts, _ = surprise_of(model, _rows(50, 60), options)
    np.testing.assert_allclose(parts.errors, whole.errors, atol=1e-6 if not average else 0.2)  # growth is drawn anew


def test_p_values_of_rows_as_expected_are_uniform() -> None:
    rng = np.random.default_rng(2)
    found = [UpdateSurprise(rng.standard_normal(count), count).p_value for count in (1, 2, 8) for _ in range(300)]
    assert kstest(found, "uniform").pvalue > 0.01
    assert max(found) < 1.0


@pytest.mark.slow
@pytest.mark.parametrize("rows", [1, 8])
def test_p_values_are_uniform_where_the_line_and_its_noise_are_as_open_as_the_data_leave_them(rows: int) -> None:
    rng, x, ahead = np.random.default_rng(4), np.arange(20.0), np.arange(20.0, 20.0 + rows)
    y = 3.0 + 0.4 * x + 1.5 * rng.standard_normal(20)
    model = fit_model(from_arrays(x, y), "linear", Settings(1, 4, "bic", None, 1))
    line, cov = np.polyfit(x, y, 1, cov="unscaled")
    square, found = np.sum((y - np.polyval(line, x)) ** 2), []
    for _ in range(100):
        noise = np.sqrt(square / rng.chisquare(18))
        truth = rng.multivariate_normal(line, noise**2 * cov)
        values = np.polyval(truth, ahead) + noise * rng.standard_normal(rows)
        surprise, _ = surprise_of(model, NewRows(ahead[:, None], values), Options(breaks=False))
        found.append(surprise.p_value)
    assert kstest(found, "uniform").pvalue > 0.01
    assert np.mean(np.array(found) < 0.05) < 0.11


def test_a_logarithm_takes_no_zeros() -> None:
    y = np.exp(0.1 * X[:40] + 0.1 * np.random.default_rng(0).standard_normal(40))
    model = fit_model(from_arrays(X[:40], y), "linear", Settings(1, 4, "bic", None, 1, transform="log"))
    with pytest.raises(InputError, match="above zero"):
        updated(model, NewRows(X[40:42, None], np.array([3.0, 0.0])))
    later = NewRows(X[40:42, None], np.exp(0.1 * X[40:42]))
    found = updated(model, later)
    assert not surprise_of(model, later, Options())[0].is_surprising
    assert found.search.best.nll > model.search.best.nll


def test_a_last_value_that_was_set_aside_is_judged_by_what_comes_after(model: Model) -> None:
    odd = Outlier(49.5, 9.0, 1.0, aside=True, ending=True)
    waiting = replace(model, screening=Screening((odd,), lasting=0.6))
    found = updated(waiting, _rows(50, 60))
    assert found.screening == Screening((replace(odd, ending=False),), lasting=0.0)
