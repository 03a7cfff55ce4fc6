"""Posteriors against scikit-learn, brute force, and the laws of conditioning."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import multivariate_normal
from sklearn.gaussian_process import GaussianProcessRegressor
from sklearn.gaussian_process import kernels as sk
from tests.gp.numeric import all_close
from tests.strategies import kernels

from autostatistician.data.dataset import Dataset
from autostatistician.gp.covariance import covariance
from autostatistician.gp.engines.choice import condition
from autostatistician.gp.posterior.posterior import ExactPosterior, Posterior
from autostatistician.gp.posterior.projection import draw
from autostatistician.gp.problem import Problem
from autostatistician.kernels.kernel import Kernel, leaf
from autostatistician.kernels.rewrite import components
from autostatistician.kernels.traits import is_noise

RNG = np.random.default_rng(7)
X = np.sort(RNG.uniform(0.0, 10.0, (30, 1)), axis=0)
Y = np.sin(X[:, 0]) + 0.3 * X[:, 0] + 0.2 * RNG.normal(size=30)
XS = np.linspace(-1.0, 14.0, 17)[:, None]
SMOOTH, NOISE = leaf("SE", lengthscale=1.3, sd=1.1), leaf("WN", sd=0.2)
TREND = leaf("Lin", sd=0.4, location=-1.0)
HETERO = leaf("WN", sd=0.1) * leaf("Lin", sd=1.0, location=-2.0)


def test_evidence_is_the_normal_density() -> None:
    kernel = SMOOTH + TREND + HETERO
    expected = multivariate_normal(np.zeros(30), covariance(kernel, X)).logpdf(Y)
    assert condition(kernel, Problem(X, Y)).log_evidence == pytest.approx(expected)


def test_predictions_are_those_of_scikit_learn() -> None:
    theirs = sk.ConstantKernel(1.21) * sk.RBF(1.3) + sk.ConstantKernel(0.16) * sk.DotProduct(0.5)
    model = GaussianProcessRegressor(theirs + sk.WhiteKernel(0.04), alpha=0.0, optimizer=None).fit(X, Y)
    posterior = condition(SMOOTH + leaf("Lin", sd=0.4, location=0.0) + leaf("C", sd=0.2) + NOISE, Problem(X, Y))
    assert posterior.log_evidence == pytest.approx(model.log_marginal_likelihood_value_)
    mean, cov = model.predict(XS, return_cov=True)
    all_close(posterior.observations_joint(XS), (mean, cov), atol=1e-9)
    np.testing.assert_allclose(posterior.observations(XS)[1], np.sqrt(cov.diagonal()), atol=1e-9)


def test_noise_is_in_observations_and_not_in_the_signal() -> None:
    posterior = condition(SMOOTH + HETERO, Problem(X, Y))
    (mean, sd), (same, wider) = posterior.signal(XS), posterior.observations(XS)
    np.testing.assert_array_equal(mean, same)
    np.testing.assert_allclose(wider**2 - sd**2, (0.1 * (XS[:, 0] + 2.0)) ** 2)


@given(kernels(max_leaves=5))
def test_the_means_of_parts_add_up_to_that_of_the_whole(kernel: Kernel) -> None:
    kernel = kernel + leaf("WN", sd=0.5)
    posterior = condition(kernel, Problem(X, Y))
    means = [posterior.project(part, XS).mean for part in components(kernel)]
    size = float(np.abs(np.array(means)).max())
    np.testing.assert_allclose(sum(means), posterior.project(kernel, XS).mean, atol=1e-6 * max(size, 1.0))


def test_parts_at_the_data_explain_the_data() -> None:
    kernel = SMOOTH + TREND + NOISE
    posterior = condition(kernel, Problem(X, Y))
    means = [posterior.project(part).mean for part in (SMOOTH, TREND, NOISE)]
    np.testing.assert_allclose(sum(means), Y, atol=1e-9)
    sd_signal = posterior.signal()[1]
    np.testing.assert_allclose(posterior.project(NOISE).sd, sd_signal, rtol=1e-6)
    np.testing.assert_array_equal(posterior.project(NOISE, XS).mean, np.zeros(17))
    np.testing.assert_allclose(posterior.project(NOISE, X).sd, 0.2)


def test_part_posteriors_are_the_joint_normal_conditional() -> None:
    kernel = SMOOTH + TREND + NOISE
    cross = covariance(TREND, XS, X)
    inverse = np.linalg.inv(covariance(kernel, X))
    known = condition(kernel, Problem(X, Y)).project(TREND, XS)
    mean, cov = known.mean, known.covariance()
    np.testing.assert_allclose(mean, cross @ inverse @ Y, atol=1e-9)
    np.testing.assert_allclose(cov, covariance(TREND, XS) - cross @ inverse @ cross.T, atol=1e-9)


@given(kernels(max_leaves=4), st.permutations(range(30)))
def test_the_order_of_rows_does_not_matter(kernel: Kernel, order: list[int]) -> None:
    kernel = kernel + leaf("WN", sd=0.5)
    straight, mixed = condition(kernel, Problem(X, Y)), condition(kernel, Problem(X[order], Y[order]))
    assert mixed.log_evidence == pytest.approx(straight.log_evidence, rel=1e-7)
    np.testing.assert_allclose(mixed.signal(XS)[0], straight.signal(XS)[0], rtol=1e-5, atol=1e-5)


def test_draws_have_the_moments_of_the_posterior() -> None:
    posterior = condition(SMOOTH + TREND + NOISE, Problem(X, Y))
    known = posterior.project(SMOOTH, XS)
    mean, cov = known.mean, known.covariance()
    draws = known.draws(np.random.default_rng(0), 20000)
    assert draws.shape == (20000, 17)
    np.testing.assert_allclose(draws.mean(axis=0), mean, atol=0.04)
    np.testing.assert_allclose(np.cov(draws.T), cov, atol=0.05)


def test_draws_of_smooth_parts_are_smooth() -> None:
    grid = np.linspace(0.0, 10.0, 400)[:, None]
    flat = leaf("SE", lengthscale=50.0, sd=1e4)
    sample = condition(flat + NOISE, Problem(X, Y)).samples(grid, np.random.default_rng(0), count=1)[0]
    assert np.abs(np.diff(sample, 3)).max() < 1e-2


def test_draws_repeat_with_the_seed_and_reach_singular_covariances() -> None:
    posterior = condition(SMOOTH + NOISE, Problem(X, Y))
    first, second = (posterior.samples(XS, np.random.default_rng(5)) for _ in range(2))
    np.testing.assert_array_equal(first, second)
    still = draw(np.ones(4), np.zeros((4, 4)), np.random.default_rng(0), scale=1.0)
    np.testing.assert_array_equal(still, np.ones((3, 4)))
    assert draw(np.zeros(0), np.zeros((0, 0)), np.random.default_rng(0), scale=1.0).shape == (3, 0)


@pytest.mark.parametrize("scale", [1e-9, 1e9])
def test_scales_of_the_target_carry_over(scale: float) -> None:
    def model(unit: float) -> Kernel:
        return leaf("SE", lengthscale=1.3, sd=unit) + leaf("Lin", sd=unit, location=0.0) + leaf("WN", sd=0.2 * unit)

    plain, scaled = condition(model(1.0), Problem(X, Y)), condition(model(scale), Problem(X, scale * Y))
    assert scaled.log_evidence == pytest.approx(plain.log_evidence - 30 * np.log(scale))
    all_close(scaled.observations(XS), (scale * one for one in plain.observations(XS)), 1e-6, 1e-9 * scale)


@pytest.mark.parametrize(("kernel", "absent"), [(NOISE, "signal"), (SMOOTH, "noise")])
def test_models_without_signal_or_without_noise(kernel: Kernel, absent: str) -> None:
    posterior = condition(kernel, Problem(X, Y))
    (mean, sd), (_, cov), (_, wider) = posterior.signal(XS), posterior.signal_joint(XS), posterior.observations(XS)
    assert is_noise(kernel) == (absent == "signal")
    if absent == "signal":
        assert not mean.any()
        assert not sd.any()
        assert not cov.any()
        assert not posterior.samples(XS, np.random.default_rng(0)).any()
        np.testing.assert_allclose(wider, 0.2)
    else:
        np.testing.assert_array_equal(sd, wider)
        assert not posterior.noise_variance(XS).any()


def test_data_sets_bring_their_columns() -> None:
    two = np.column_stack([X[:, 0], X[::-1, 0]])
    kernel = leaf("SE", "b", lengthscale=1.3, sd=1.1) + NOISE
    dataset = Dataset(two, Y, ("a", "b"), "y", None)
    expected = condition(SMOOTH + NOISE, Problem(X[::-1], Y)).signal(XS)[0]
    found = condition(kernel, Problem.of(dataset)).signal(np.column_stack([XS[:, 0], XS[:, 0]]))[0]
    np.testing.assert_allclose(found, expected, atol=1e-9)


def test_further_rows_are_as_if_they_had_always_been_there() -> None:
    kernel = SMOOTH + TREND + NOISE
    first, rest = np.arange(len(Y) - 5), np.arange(len(Y) - 5, len(Y))
    grown = condition(kernel, Problem(X[first], Y[first])).updated(X[rest], Y[rest])
    whole = condition(kernel, Problem(X, Y))
    assert grown.log_evidence == pytest.approx(whole.log_evidence, rel=1e-10)
    all_close(grown.observations(XS), whole.observations(XS), rtol=1e-8, atol=1e-10)
    assert grown.problem.n == whole.problem.n


def test_without_some_rows_is_given_the_others() -> None:
    kernel, out = SMOOTH + TREND + NOISE, np.array([0, 4])
    kept = np.delete(np.arange(len(Y)), out)
    found = condition(kernel, Problem(X, Y)).without(out)
    expected = condition(kernel, Problem(X[kept], Y[kept]))
    np.testing.assert_allclose(found.signal(XS)[0], expected.signal(XS)[0], rtol=1e-8, atol=1e-10)
    nothing = condition(kernel, Problem(X, Y)).without(np.arange(len(Y)))
    assert not nothing.signal(XS)[0].any()


def test_noisier_rows_are_believed_less() -> None:
    posterior = condition(SMOOTH + NOISE, Problem(X, Y))
    assert posterior.noisier(np.zeros(len(Y))).log_evidence == pytest.approx(posterior.log_evidence, rel=1e-10)
    louder = posterior.noisier(np.where(np.arange(len(Y)) == 3, 1e6, 0.0))
    np.testing.assert_allclose(louder.signal(XS)[0], posterior.without(np.array([3])).signal(XS)[0], atol=1e-4)


def test_the_residual_is_what_the_signal_leaves() -> None:
    posterior = condition(SMOOTH + NOISE, Problem(X, Y))
    np.testing.assert_allclose(posterior.residual(), posterior.project(NOISE).mean, atol=1e-8)


def test_the_prior_variance_of_a_part_is_that_of_its_projection() -> None:
    posterior = condition(SMOOTH + TREND + NOISE, Problem(X, Y))
    for part in (SMOOTH, TREND, NOISE):
        np.testing.assert_array_equal(posterior.prior_variance(part, XS), posterior.project(part, XS).prior)


def test_an_engine_that_lacks_a_piece_of_its_posterior_is_told_which() -> None:
    class Lacking(ExactPosterior):
        given = Posterior.given

    with pytest.raises(TypeError, match="given"):
        Lacking(*(None,) * 7)  # type: ignore[abstract, arg-type]
