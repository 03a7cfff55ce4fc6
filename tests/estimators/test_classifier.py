"""A classifier by any kernel of the language."""

import numpy as np
import pandas as pd
import pytest
from scipy.special import ndtr
from sklearn.exceptions import ConvergenceWarning

from autostatistician import AdditiveGPClassifier, GPClassifier
from autostatistician.errors import InputError
from autostatistician.gp.classes.approximations import expectation_propagation
from autostatistician.gp.classes.slice_sampling import LEAST_SWEEPS
from autostatistician.gp.covariance import covariance
from autostatistician.gp.likelihoods import Bernoulli
from autostatistician.kernels.kernel import Kernel, leaf, unset
from autostatistician.kernels.text import parse

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


@pytest.mark.slow
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


DRAWN = np.random.default_rng(0)
FRAME = pd.DataFrame({"time": np.arange(80.0), "dose": DRAWN.uniform(5.0, 9.0, 80), "kind": ["a", "b"] * 40})
Y = np.sin(2.0 * np.pi * FRAME["time"] / 12.0) + 0.7 * (FRAME["kind"] == "a") + 0.4 * DRAWN.standard_normal(80) > 0.3


def test_a_kernel_of_the_language() -> None:
    wave = leaf("Per", column="time", lengthscale=1.0, period=11.6, sd=1.0)
    model = GPClassifier(wave + unset(parse("Cat[kind] + C"))).fit(FRAME, Y)
    assert isinstance(model.kernel_, Kernel)
    assert model.kernel_.parts[0].named()["period"] == pytest.approx(12.0, rel=0.02)
    assert model.score(FRAME, Y) > 0.8
    later = FRAME.assign(time=FRAME["time"] + 120.0)
    assert (model.predict(later) == model.predict(FRAME)).mean() > 0.8
    with pytest.raises(ValueError, match="'c'"):
        model.predict(FRAME.assign(kind="c"))


def test_numbers_in_units_of_the_data_are_kept() -> None:
    X, y = FRAME[["dose"]], FRAME["dose"] + 0.8 * np.sin(9.0 * FRAME["time"]) > 7.0
    kernel = leaf("SE", column="dose", lengthscale=1.5, sd=2.0) + leaf("Lin", column="dose", sd=0.4, location=6.5)
    model = GPClassifier(kernel, n_restarts=0).fit(X, y)
    assert isinstance(model.kernel_, Kernel)
    np.testing.assert_allclose(model.kernel_.values, kernel.values)
    K = covariance(kernel, X.to_numpy(), None, ("dose",))
    expected = expectation_propagation(K, np.where(y, 1.0, -1.0), Bernoulli())
    assert model.log_evidence_ == pytest.approx(expected.log_evidence, abs=1e-8)
    np.testing.assert_allclose(model.latent_mean_and_std(X)[0], expected.given.mean, atol=1e-6)


def test_the_scale_of_columns_changes_nothing() -> None:
    X = FRAME[["time", "dose"]]
    one, other = GPClassifier().fit(X, Y), GPClassifier().fit(X * [100.0, 0.01] + 3.0, Y)
    np.testing.assert_allclose(one.predict_proba(X), other.predict_proba(X * [100.0, 0.01] + 3.0), atol=1e-3)


def test_what_will_not_do_is_told() -> None:
    with pytest.raises(InputError, match="without noise; found white noise"):
        GPClassifier("SE + WN").fit(FRAME[["dose"]], Y)
    with pytest.raises(InputError, match="a kernel with all its numbers"):
        GPClassifier("SE", n_restarts=0).fit(FRAME[["dose"]], Y)
    with pytest.raises(InputError, match="multi_class"):
        GPClassifier(multi_class="softmax").fit(FRAME[["dose"]], Y)
