"""What the way there and back through blocks says of each observation; sections that are forgotten are made again."""

import numpy as np
import pytest
from tests.gp.numeric import all_close

from autostatistician.gp.covariance import covariance
from autostatistician.gp.engines.semiseparable import assembly, chain, chain_reduction
from autostatistician.gp.engines.semiseparable.assembly import Assembly
from autostatistician.gp.engines.semiseparable.chain import FactoredChain, chained
from autostatistician.gp.engines.semiseparable.engine import SemiseparablePosterior, posterior_of
from autostatistician.gp.engines.semiseparable.exponentials import Wanted
from autostatistician.gp.engines.semiseparable.layout import laid_out
from autostatistician.gp.problem import Problem
from autostatistician.kernels.rewrite import components
from autostatistician.kernels.text import parse_kernel

WHOLE = parse_kernel("Matern32(lengthscale=2, sd=1) + C(sd=1) + WN(sd=0.4)")
X_EVEN = np.linspace(0.0, 15.0, 48)


@pytest.mark.parametrize("count", [2, 5, 40])
def test_covariances_across_many_blocks(count: int) -> None:
    found = posterior_of(WHOLE, Assembly(WHOLE, Problem(X_EVEN, X_EVEN), Wanted.alike(1e-6, X_EVEN), block=4))
    assert found is not None
    part, at = WHOLE.parts[0], np.linspace(-1.0, 16.0, count)[:, None]
    cross = covariance(part, at, X_EVEN)
    expected = cross @ np.linalg.solve(covariance(WHOLE, X_EVEN), cross.T)
    reduction = found.project(part, at).reduction
    np.testing.assert_allclose(reduction.gram(reduction), expected, atol=1e-10)


LEVEL_LONG, WAVE = parse_kernel("Matern12(lengthscale=4, sd=1)"), parse_kernel("Cos(period=3, sd=1)")
X_LONG = np.random.default_rng(1).uniform(0.0, 15.0, 45)
AT = np.random.default_rng(2).permutation(np.linspace(-2.0, 18.0, 33))[:, None]
WANTED_LONG = Wanted.alike(1e-6, X_LONG)


def _posterior(monkeypatch: pytest.MonkeyPatch) -> SemiseparablePosterior:
    monkeypatch.setattr(assembly, "NUMBERS_OF_A_SECTION", 600)
    kernel = LEVEL_LONG + WAVE + parse_kernel("WN(sd=0.4)")
    found = posterior_of(kernel, Assembly(kernel, Problem(X_LONG, np.sin(X_LONG)), WANTED_LONG, block=6))
    assert found is not None
    return found


def test_many_values_are_made_some_at_a_time(monkeypatch: pytest.MonkeyPatch) -> None:
    posterior = _posterior(monkeypatch)
    whole = posterior.project(LEVEL_LONG, AT)
    expected = whole.mean, whole.variance, whole.covariance()
    monkeypatch.setattr(chain_reduction, "MOST_AT_ONCE", 2)
    few = posterior.project(LEVEL_LONG, AT)
    all_close((few.mean, few.variance, few.covariance()), expected, atol=1e-12)
    np.testing.assert_allclose(whole.covariance().diagonal(), whole.variance, atol=1e-10)


def test_sums_and_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    posterior = _posterior(monkeypatch)
    one, other = (posterior.project(part, AT).reduction for part in (LEVEL_LONG, WAVE))
    both = posterior.project(LEVEL_LONG + WAVE, AT).reduction
    np.testing.assert_allclose(one.plus(other).explained(), both.explained(), atol=1e-12)
    np.testing.assert_allclose(one.plus(one).dense(), 2.0 * one.dense(), atol=1e-12)
    zero = one.zero()
    assert np.abs(zero.explained()).max() == 0.0
    assert np.abs(zero.gram(one)).max() == np.abs(zero.dense()).max() == 0.0
    np.testing.assert_allclose(zero.plus(other).explained(), other.explained(), atol=1e-12)
    alone = posterior.project(LEVEL_LONG, AT[:1]).reduction
    np.testing.assert_allclose(alone.repeated(3).explained(), np.repeat(alone.explained(), 3), atol=1e-12)


def test_where_nothing_varies_nothing_is_explained() -> None:
    kernel, x = parse_kernel("Wiener(sd=0.05, location=0) + Cos(period=24, sd=1) + WN(sd=0.5)"), np.arange(2000.0)
    assembly = Assembly(kernel, Problem(x, np.sin(x)), Wanted.alike(1e-6, x))
    found = posterior_of(kernel, assembly)
    assert found is not None
    explained = found.project(kernel.parts[0], x[:3, None]).explained
    assert explained[0] == pytest.approx(0.0, abs=1e-12)
    assert (explained >= 0.0).all()


RNG = np.random.default_rng(5)

COMPARED = {
    "grid": np.arange(20.0) / 4.0,
    "gaps": RNG.choice(60, 20, replace=False) / 4.0,
    "repeated at the end": np.append(np.arange(18.0), [17.0, 17.0]),
    "scattered": RNG.uniform(0.0, 9.0, 20),
}


@pytest.mark.parametrize("case", COMPARED)
@pytest.mark.parametrize("m", [1, 6, 20, 99])
def test_lags_stand_where_they_are(case: str, m: int) -> None:
    found = laid_out(COMPARED[case], m)
    matrices = np.broadcast_to(found.expand(found.distinct), (*found.inputs.shape, found.inputs.shape[1]))
    both = found.filled[:, :, None] & found.filled[:, None, :]
    expected = np.abs(found.inputs[:, :, None] - found.inputs[:, None, :])
    np.testing.assert_allclose(matrices[both], expected[both], atol=1e-9)
    assert found.distinct[0] == 0.0


def test_blocks_of_a_grid_share_their_lags() -> None:
    assert len(laid_out(COMPARED["grid"], 6).index) == 1
    assert len(laid_out(COMPARED["repeated at the end"], 6).index) == 4


def test_blocks_of_a_section_know_the_lengths_of_their_own_alone() -> None:
    """A gap among other blocks is no reason for a long table."""
    x = np.concatenate([np.arange(20.0), 40.0 + np.arange(20.0)])
    whole = laid_out(x, 4, with_lags=False)
    for which in (slice(0, 3), slice(4, 7), slice(6, 10)):
        part, rates = whole.part(which), np.array([0.01, 0.3])
        expected = np.broadcast_to(whole.until.damped(rates), (10, 4, 2))[which]
        np.testing.assert_array_equal(np.broadcast_to(part.until.damped(rates), expected.shape), expected)
        assert len(part.until.distinct) <= 8 < len(whole.until.distinct)


KERNEL_WALK = parse_kernel(
    "Matern12(lengthscale=2, sd=1) * Wiener(sd=0.4, location=0) + Wiener(sd=0.3, location=0) + C(sd=1) + WN(sd=0.5)"
)
X_WALK = np.random.default_rng(0).permutation(np.linspace(0.0, 12.0, 37))
WANTED_WALK = Wanted.alike(1e-6, X_WALK)


def test_parts_are_found_by_their_summands() -> None:
    found = Assembly(KERNEL_WALK, Problem(X_WALK, X_WALK), WANTED_WALK, block=5)
    parts = components(KERNEL_WALK)
    assert sorted(index for part in parts for index in found.find(part) or ()) == list(found.every)
    assert len(found.find(KERNEL_WALK) or ()) == len(found.every) == 4
    assert found.find(parse_kernel("Wiener(sd=0.3, location=0)")) is not None
    assert found.find(parse_kernel("Wiener(sd=0.31, location=0)")) is None
    assert found.find(parse_kernel("C(sd=1) + C(sd=1)")) is None


KERNEL = parse_kernel("Matern32(lengthscale=2, sd=1) * Cos(period=5, sd=1) + WN(sd=0.4)")
X = np.sort(np.random.default_rng(1).uniform(0.0, 15.0, 43))
K = covariance(KERNEL, X)
Y = np.linalg.cholesky(K) @ np.random.default_rng(2).normal(size=len(X))
WANTED = Wanted.alike(1e-6, X)


@pytest.fixture(params=[0, 10**9])
def found(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> FactoredChain:
    monkeypatch.setattr(assembly, "NUMBERS_OF_A_SECTION", 600)
    monkeypatch.setattr(chain, "KEPT_NUMBERS", request.param)
    made = Assembly(KERNEL, Problem(X, Y), WANTED, block=6)
    known = chained(made, np.zeros(made.layout.inputs.shape))
    assert known is not None
    return known


def test_none_where_it_is_not_positive_definite() -> None:
    made = Assembly(KERNEL, Problem(X, Y), WANTED, block=6)
    assert chained(made, np.full(made.layout.inputs.shape, -1.0)) is None


def test_the_way_back_goes_as_far_as_it_must(found: FactoredChain) -> None:
    inverse, last = np.linalg.inv(K), len(found.starts) - 1
    alpha = found.reach(last).copy()
    assert found._ends.keys() == {last, last - 1}
    which = found.assembly.sections[last]
    solved = found.assembly.layout.blocked(inverse @ Y)
    np.testing.assert_allclose(alpha[which], solved[which], atol=1e-9)
    assert found.section(0).first == 0
    np.testing.assert_allclose(found.alpha, solved, atol=1e-9)
