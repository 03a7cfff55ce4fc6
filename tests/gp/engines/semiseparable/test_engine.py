"""What the engine for one column costs, and whom it asks."""

from dataclasses import replace
from itertools import product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray
from tests.gp.numeric import all_close, begun_at, drawn
from tests.strategies import kernels

from autostatistician.gp.covariance import NotPositiveDefinite
from autostatistician.gp.engines import inducing as inducing_engine
from autostatistician.gp.engines.lag_space import LagSpace
from autostatistician.gp.engines.semiseparable import engine, objective
from autostatistician.gp.engines.semiseparable.assembly import Assembly
from autostatistician.gp.engines.semiseparable.engine import Semiseparable, SemiseparablePosterior, posterior_of
from autostatistician.gp.engines.semiseparable.exponentials import Wanted
from autostatistician.gp.posterior.functionals import Means
from autostatistician.gp.posterior.posterior import ExactPosterior, Posterior
from autostatistician.gp.posterior.projection import total
from autostatistician.gp.problem import Problem
from autostatistician.kernels.kernel import Kernel, leaf
from autostatistician.kernels.leaves import LEAVES
from autostatistician.kernels.rewrite import components
from autostatistician.kernels.text import parse, parse_kernel

Array = NDArray[np.float64]
N = 60
RNG = np.random.default_rng(0)
COMPARED = {
    "grid": np.arange(N) / 3.0,
    "scattered": np.sort(RNG.uniform(0.0, 20.0, N)),
    "ties": np.arange(N) // 7 * 2.0,
}
AT = np.concatenate([np.linspace(-3.0, 26.0, 24), COMPARED["grid"][:5]])[:, None]

CHANGE = Kernel.change_point(
    parse_kernel("Wiener(sd=0.4, location=0) * Matern12(lengthscale=2, sd=1)"),
    parse_kernel("Lin(sd=0.1, location=3)"),
    location=9.0,
    steepness=2.0,
)

EXACT_WAVES = {
    "product": parse_kernel("Matern32(lengthscale=3, sd=1) * Lin(sd=0.2, location=-4)"),
    "change": CHANGE + parse_kernel("Cos(period=4, sd=0.7) + C(sd=2) + Wiener(sd=0.3, location=0)"),
    "levels": parse_kernel("C(sd=2) * WN(sd=0.2) + IOU(lengthscale=2, sd=0.4, location=0)"),
}


@pytest.fixture(autouse=True)
def _short_sections(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("autostatistician.gp.engines.semiseparable.assembly.NUMBERS_OF_A_SECTION", 2000)


def _found(kernel: Kernel, assembly: Assembly) -> SemiseparablePosterior:
    found = posterior_of(kernel, assembly)
    assert found is not None
    return found


def _both(kernel: Kernel, x: Array, error: float = 1e-7) -> tuple[SemiseparablePosterior, ExactPosterior]:
    problem = drawn(kernel, x)
    assembly = Assembly(kernel, problem, replace(Wanted.alike(error, x), shortest=0.0), block=8)
    return _found(kernel, assembly), LagSpace().condition(kernel, problem)


def _ones(kernel: Kernel) -> SemiseparablePosterior:
    x = COMPARED["grid"]
    return _found(kernel, Assembly(kernel, Problem(x, np.ones(N)), Wanted.alike(1e-3, x)))


@pytest.mark.parametrize(("name", "case"), list(product(EXACT_WAVES, COMPARED)))
def test_parts_of_exact_waves_are_exact(name: str, case: str) -> None:
    kernel = EXACT_WAVES[name] + leaf("WN", sd=0.3)
    found, exact = _both(kernel, COMPARED[case])
    assert found.log_evidence == pytest.approx(exact.log_evidence, abs=1e-8)
    other = components(kernel)[0]
    for part, at in product((*components(kernel), exact.halves[0]), (None, AT)):
        assert part is not None
        one, two = found.project(part, at), exact.project(part, at)
        all_close((one.mean, one.variance, one.covariance()), (two.mean, two.variance, two.covariance()), atol=1e-8)
        across, expected = one.between(found.project(other, AT)), two.between(exact.project(other, AT))
        np.testing.assert_allclose(across, expected, atol=1e-8)
        np.testing.assert_allclose(one.reduction.gram(two.reduction), two.reduction.gram(two.reduction), atol=1e-8)


@pytest.mark.parametrize("case", COMPARED)
def test_everything_else_is_that_of_one_matrix(case: str) -> None:
    found, exact = _both(EXACT_WAVES["change"] + leaf("WN", sd=0.3), COMPARED[case])
    few = np.random.default_rng(5).normal(size=(N, 3))
    rng = (np.random.default_rng(2), np.random.default_rng(2))
    pairs = [
        *zip(found.leave_one_out(), exact.leave_one_out(), strict=True),
        (found.innovations(), exact.innovations()),
        (found.innovation_sd, exact.innovation_sd),
        (found.whitened(few), exact.whitened(few)),
        (found.whitened(few[:, 0]), exact.whitened(few[:, 0])),
        (found.simulated_leave_one_out(2, rng[0]), exact.simulated_leave_one_out(2, rng[1])),
        (found.residual(), exact.residual()),
        (found.observations_joint(AT)[1], exact.observations_joint(AT)[1]),
        (found.observations()[1], exact.observations()[1]),
        (found.level(CHANGE)[0].cross, exact.level(CHANGE)[0].cross),
    ]
    all_close(*zip(*pairs, strict=True), atol=1e-7)
    assert found.level(CHANGE)[1] == pytest.approx(exact.level(CHANGE)[1])


def test_given_fewer_noisier_and_more_observations() -> None:
    found, exact = _both(EXACT_WAVES["change"] + leaf("WN", sd=0.3), COMPARED["scattered"])
    variances, more = np.arange(N) / 9.0, np.array([21.0, 3.3])

    def given_others(one: Posterior) -> list[Posterior]:
        return [
            one.without(np.arange(5, 12)),
            one.noisier(variances),
            one.updated(more[:, None], np.array([1.0, -1.0])),
        ]

    for one, two in zip(given_others(found), given_others(exact), strict=True):
        np.testing.assert_allclose(one.observations(AT), two.observations(AT), atol=1e-7)


def test_rows_in_any_order() -> None:
    kernel, x = EXACT_WAVES["change"] + leaf("WN", sd=0.3), COMPARED["scattered"]
    (sorted_rows, _), order = _both(kernel, x), np.random.default_rng(3).permutation(N)
    mixed = _found(
        kernel, Assembly(kernel, sorted_rows.problem.rows(order), sorted_rows.chain.assembly.wanted, block=8)
    )
    np.testing.assert_allclose(mixed.signal()[0], sorted_rows.signal()[0][order], atol=1e-10)
    np.testing.assert_allclose(mixed.innovations(), sorted_rows.innovations()[order], atol=1e-10)
    np.testing.assert_allclose(mixed.project(CHANGE).variance, sorted_rows.project(CHANGE).variance[order], atol=1e-10)


def test_other_places_and_parts_that_are_no_summands() -> None:
    found, exact = _both(EXACT_WAVES["product"] + leaf("WN", sd=0.3), COMPARED["grid"])
    half = parse_kernel("Matern32(lengthscale=3, sd=0.5) * Lin(sd=0.2, location=-4)")
    whole = components(found.kernel)[0]
    for part, at in ((half, AT), (whole, Means(AT[None], ("x",))), (half, None)):
        one, two = found.project(part, at), exact.project(part, at)
        all_close((one.mean, one.covariance()), (two.mean, two.covariance()), atol=1e-9)
    both, expected = (total([one.project(whole, AT), one.project(half, AT)]) for one in (found, exact))
    np.testing.assert_allclose(both.variance, expected.variance, atol=1e-9)


@pytest.mark.parametrize(("noise", "allowed"), [(0.3, 1e-3), (0.03, 1e-2)])
def test_smooth_parts_with_noise_and_little_of_it(noise: float, allowed: float) -> None:
    cycle = parse_kernel("Per(lengthscale=1, period=2, sd=0.5) * SE(lengthscale=6, sd=1)")
    kernel = parse_kernel("SE(lengthscale=3, sd=1) + Lin(sd=0.1, location=3)") + cycle
    kernel = kernel + leaf("RQ", lengthscale=2.0, sd=1.0, alpha=1.0) + leaf("WN", sd=noise)
    found, exact = _both(kernel, COMPARED["scattered"], 0.05 / 3.0 * noise**2 / (N * 4.0))
    assert found.log_evidence == pytest.approx(exact.log_evidence, abs=0.05)
    for part, at in product(components(kernel), (None, AT)):
        one, two = found.project(part, at), exact.project(part, at)
        all_close((one.mean, one.sd), (two.mean, two.sd), atol=allowed)


@pytest.mark.slow
@given(
    kernels(symbols=tuple(one for one in LEAVES if one not in ("Cat", "0")), max_leaves=4),
    st.sampled_from(sorted(COMPARED)),
    st.sampled_from([0.03, 0.3]),
)
def test_random_kernels(kernel: Kernel, case: str, noise: float) -> None:
    """Parts may take each other's place, so each is held against its own posterior standard deviation."""
    whole, x = begun_at(kernel + leaf("WN", sd=noise), 0.0), COMPARED[case]
    try:
        problem = drawn(whole, x)
    except np.linalg.LinAlgError:
        return
    found, exact = Semiseparable().condition(whole, problem), LagSpace().condition(whole, problem)
    if isinstance(found, SemiseparablePosterior):
        found = _found(whole, Assembly(whole, problem, found.chain.assembly.wanted, block=8))
    mean, sd = found.observations(AT)
    expected, expected_sd = exact.observations(AT)
    np.testing.assert_array_less(np.abs(mean - expected), 0.05 * expected_sd)
    np.testing.assert_allclose(sd, expected_sd, rtol=0.02)


def test_means_under_other_errors_are_as_likely() -> None:
    found, exact = _both(EXACT_WAVES["product"] + leaf("WN", sd=0.3), COMPARED["grid"])
    reduction = found.project(components(found.kernel)[0], AT).reduction
    drawn = reduction.means(np.random.default_rng(0).standard_normal((40_000, N)))
    gram = exact.project(components(found.kernel)[0], AT).reduction
    expected = gram.gram(gram)
    np.testing.assert_allclose(np.cov(drawn.T), expected, atol=0.03 * expected.max())


@pytest.mark.parametrize("at", [None, AT])
def test_draws_at_many_places_have_the_moments_of_the_posterior(
    at: Array | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(engine, "FEW_PLACES", 0)
    found, exact = _both(EXACT_WAVES["product"] + leaf("WN", sd=0.3), COMPARED["scattered"])
    drawn = found.samples(at, np.random.default_rng(0), count=4000)
    mean, covariance = exact.signal_joint(at)
    errors = np.abs(drawn.mean(axis=0) - mean) / np.sqrt(covariance.diagonal() + 1e-12)
    assert errors.max() < 5.0 / np.sqrt(4000)
    np.testing.assert_allclose(np.cov(drawn.T), covariance, atol=0.08 * covariance.max())


def test_what_cannot_be_factorised_is_refused() -> None:
    with pytest.raises(NotPositiveDefinite, match="finite"):
        Semiseparable().condition(leaf("C", sd=float("inf")), Problem(COMPARED["grid"], np.ones(N)))


def test_jitter_is_told() -> None:
    found = _ones(leaf("C", sd=1.0))
    assert 0.0 < found.jitter < 1e-6
    assert found.signal()[0] == pytest.approx(np.ones(N), abs=1e-4)
    assert found.without(np.arange(3)).log_evidence == pytest.approx(
        LagSpace().condition(leaf("C", sd=1.0), found.problem).without(np.arange(3)).log_evidence, rel=0.2
    )


def test_variances_that_rounding_spoils_are_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(engine, "closely_conditioned", lambda *_: None)  # inducing points would keep the digits
    x = np.arange(5600.0)
    problem = Problem(x, np.sin(x / 70.0))
    kept = [
        Semiseparable().condition(leaf("SE", lengthscale=100.0, sd=1.0) + leaf("WN", sd=noise), problem).keeps_digits
        for noise in (0.1, 3e-4)
    ]
    assert kept == [True, False]


def test_what_is_asked_again_is_kept_but_not_for_ever(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(engine, "MOST_KEPT_NUMBERS", 4 + 16)
    kernel = EXACT_WAVES["product"] + leaf("WN", sd=0.3)
    found = Semiseparable().condition(kernel, Problem(COMPARED["grid"], np.sin(COMPARED["grid"])))
    assert isinstance(found, SemiseparablePosterior)
    part, first = components(kernel)[0], [AT[:k] for k in (2, 3, 4)]
    one = found.project(part, first[0])
    assert found.project(part, first[0].copy()) is one
    for at in first[1:]:
        np.testing.assert_allclose(found.project(part, at).mean[:2], one.mean, atol=1e-12)
    assert found.project(part, first[0]) is not one
    np.testing.assert_array_equal(found.project(part, first[0]).covariance(), one.covariance())


def test_cost_grows_with_rows_and_columns() -> None:
    one = Semiseparable()

    def cost(text: str, n: int) -> float:
        found = one.cost(parse(text), Problem(np.arange(float(n)), np.zeros(n)))
        assert found is not None
        return found

    assert 9.0 < cost("SE + WN", 100_000) / cost("SE + WN", 10_000) < 10.0
    assert cost("SE * Per + WN", 1000) > cost("SE + WN", 1000)
    assert one.cost(parse("Cat + WN"), Problem(np.zeros(9), np.zeros(9))) is None
    assert one.cost(parse("SE[a] + WN"), Problem(np.zeros((9, 2)), np.zeros(9), ("a", "b"))) is None


def test_where_terms_lose_digits_a_smooth_function_stands_on_few_of_many_rows(monkeypatch: pytest.MonkeyPatch) -> None:
    x = np.sort(np.random.default_rng(5).uniform(0.0, 600.0, 560))
    problem = Problem(x, np.sin(x / 70.0) + 3e-5 * np.random.default_rng(6).normal(size=560))
    kernel = parse_kernel("SE(lengthscale=100, sd=1) + WN(sd=3e-5)")
    exact = LagSpace().condition(kernel, problem)
    for module in (engine, objective):
        monkeypatch.setattr(module, "MOST_ROWS", 100)
    found, at = Semiseparable().condition(kernel, problem), np.array([[-3.0], [200.0], [620.0]])
    assert found.keeps_digits
    assert found.log_evidence == pytest.approx(exact.log_evidence, abs=0.05)
    all_close(found.signal(at), exact.signal(at), rtol=0.02, atol=1e-6)
    later = found.without(np.arange(9))
    assert later.log_evidence == pytest.approx(exact.without(np.arange(9)).log_evidence, abs=0.05)
    monkeypatch.setattr(inducing_engine, "MOST_CLOSE_POINTS", 100)
    rough = parse_kernel("SE(lengthscale=100, sd=1) + Matern12(lengthscale=9, sd=1) + WN(sd=1e-5)")
    assert not Semiseparable().condition(rough, problem).keeps_digits
