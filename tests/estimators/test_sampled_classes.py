"""Classes by chains, beside integrals and beside approximations."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.special import ndtr
from sklearn.exceptions import ConvergenceWarning

from autostatistician import AdditiveGPClassifier, GPClassifier
from autostatistician.errors import InputError
from autostatistician.inference.classes.slices import LEAST_SWEEPS
from autostatistician.language.kernel import Kernel, leaf

RNG = np.random.default_rng(0)
FEW = np.arange(6.0)[:, None], np.array([0, 1, 1, 1, 1, 1])


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore::autostatistician.estimators.classes.SeparableWarning")
def test_chains_average_over_function_and_numbers() -> None:
    # One constant behind all rows: the chance of the next one follows from two integrals.
    model = GPClassifier("C", inference="mcmc", n_chains=2, n_draws=120).fit(*FEW)
    z, u = np.linspace(-7.0, 7.0, 301), np.log(2.0) + np.linspace(-4.0, 4.0, 161)[:, None]
    chance = ndtr(np.exp(u) * z)
    density = chance**5 * (1.0 - chance) * np.exp(-0.5 * (z**2 + (u - np.log(2.0)) ** 2))
    expected = float((chance * density).sum() / density.sum())
    found = model.predict_proba([[2.5]])[0, 1]
    assert found == pytest.approx(expected, abs=0.03)
    low, high = model.probability_interval([[2.5]])
    assert low < 0.6 < found < high
    told = model.diagnostics_.set_index("quantity")
    drawn, weights = np.exp(u[:, 0]), density.sum(axis=1)
    middle = np.interp(0.5, np.cumsum(weights) / weights.sum(), drawn)
    assert told.loc["C sd", "median"] == pytest.approx(middle, rel=0.3)
    assert set(told.index) == {"C sd", "log likelihood", "function where chains agree least"}
    assert (told["r_hat"] < 1.1).all()
    assert str(model.kernel_) == "C"


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore::autostatistician.estimators.classes.SeparableWarning")
def test_chains_of_several_forms_and_classes_and_too_few_draws() -> None:
    X = RNG.standard_normal((30, 1))
    y = np.select([X[:, 0] > 0.5, X[:, 0] < -0.5], ["right", "left"], "rest")
    with pytest.warns(ConvergenceWarning, match="the chains do not agree yet"):
        model = GPClassifier(inference="mcmc", n_chains=2, n_draws=4).fit(X, y)
    assert set(model.diagnostics_["class"]) == {"left", "rest", "right"}
    assert "SE[x] + C" in set(model.diagnostics_["form"])
    p = model.predict_proba(X)
    np.testing.assert_allclose(p.sum(axis=1), 1.0)
    assert (model.classes_[p.argmax(axis=1)] == y).mean() > 0.8


@pytest.mark.filterwarnings("ignore::autostatistician.estimators.classes.SeparableWarning")
def test_given_numbers_stay_in_chains() -> None:
    kernel = leaf("SE", column="x", lengthscale=2.0, sd=1.5)
    model, again = (
        GPClassifier(kernel, inference="mcmc", n_restarts=0, n_chains=2, n_draws=60).fit(*FEW) for _ in range(2)
    )
    np.testing.assert_array_equal(again.predict_proba(FEW[0]), model.predict_proba(FEW[0]))
    exact = GPClassifier(kernel, n_restarts=0).fit(*FEW)
    assert isinstance(model.kernel_, Kernel)
    np.testing.assert_allclose(model.kernel_.values, kernel.values)
    np.testing.assert_allclose(model.predict_proba(FEW[0]), exact.predict_proba(FEW[0]), atol=0.06)


def test_what_chains_cannot_do_is_told() -> None:
    many = np.arange(1001.0)[:, None]
    with pytest.raises(InputError, match="at most 1000 rows for inference='mcmc'; found 1001"):
        GPClassifier("SE", inference="mcmc").fit(many, many[:, 0] % 2)
    with pytest.raises(InputError, match="one_vs_rest"):
        GPClassifier("SE", inference="mcmc", multi_class="softmax").fit(FEW[0], [0, 1, 2, 0, 1, 2])
    with pytest.raises(InputError, match="n_draws"):
        GPClassifier("SE", inference="mcmc", n_draws=3).fit(*FEW)
    with pytest.raises(InputError, match="inference='ep' or inference='laplace'"):
        AdditiveGPClassifier(inference="mcmc").fit(*FEW)


@pytest.mark.filterwarnings("ignore::autostatistician.estimators.classes.SeparableWarning")
@pytest.mark.parametrize("stopped", [{"time_budget": 1e-3}, {}])
def test_chains_have_an_end_with_a_word(stopped: dict[str, float]) -> None:
    rows, classes = FEW
    seen: list[float] = []

    def callback(share: float) -> bool:
        seen.append(share)
        return "time_budget" in stopped

    model = GPClassifier("C", inference="mcmc", n_chains=2, n_draws=120, **stopped)
    with pytest.warns(ConvergenceWarning) as said:
        model.fit(rows, classes, callback=callback)
    assert "before all their draws" in str(said[0].message)
    assert len(seen) == 2 * LEAST_SWEEPS  # of 480
    assert seen == sorted(seen)
    assert np.isfinite(model.predict_proba(rows)).all()
    with pytest.raises(InputError, match="time_budget above zero"):
        GPClassifier("C", inference="mcmc", time_budget=0.0).fit(rows, classes)


def test_an_interruption_ends_them_at_once() -> None:
    def press(share: float) -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        GPClassifier("C", inference="mcmc").fit(*FEW, callback=press)
