"""What repeats and what does not: they add up, each is what it is called, and what is refused."""

import numpy as np
import pytest

from autostatistician.decompose.series.repeats import MOST_PLACES, Repeats, _phases, _repeating_map
from autostatistician.decompose.series.seasons import broken_lines, knots_of_course
from autostatistician.errors import InputError
from autostatistician.gp import Problem, condition
from autostatistician.gp.covariance import covariance
from autostatistician.kernels.text import parse_kernel
from autostatistician.periodicity import split_by_period
from autostatistician.prior import sample

Array = np.ndarray[tuple[int, ...], np.dtype[np.float64]]

X, NOISE = np.arange(50.0), " + WN(sd=0.3)"
CYCLE = 2.0 * np.cos(2.0 * np.pi * (X - 3.0) / 12.0)
Y = CYCLE + 0.05 * X + np.random.default_rng(0).normal(0.0, 0.3, 50)
KERNELS = (
    "Matern32(lengthscale=10, sd=2)", "SE(lengthscale=3, sd=2)", "RQ(lengthscale=4, sd=2, alpha=1)",
    "Wiener(sd=1, location=0)", "Lin(sd=0.1, location=9) + SE(lengthscale=9, sd=1) * Cos(period=12, sd=1)",
    "CP(SE(lengthscale=3, sd=2), C(sd=2); location=20, steepness=1)",
)  # fmt: skip


def _split(text: str, period: float = 12.0) -> Repeats:
    return split_by_period(text + NOISE, X, Y, period)


@pytest.mark.parametrize("text", KERNELS)
def test_the_parts_add_up_to_the_function_and_one_repeats_exactly(text: str) -> None:
    found = _split(text)
    np.testing.assert_array_equal(found.cycle.x, X)  # the places are the rows of a grid
    function = condition(parse_kernel(text + NOISE), Problem(X[:, None], Y, ("x",))).signal()[0]
    np.testing.assert_allclose(found.cycle.mean + found.rest.mean, function, atol=1e-9)
    for values in (found.cycle.mean, found.cycle.sd):
        np.testing.assert_allclose(values[12:], values[:-12], atol=1e-9)
    assert found.cycle.mean[:12].mean() == pytest.approx(0.0, abs=1e-9)
    assert found.share.low <= found.share.number <= found.share.high


def test_a_kernel_that_knows_no_cycle_finds_it() -> None:
    for text in KERNELS[:4]:
        found = _split(text)
        np.testing.assert_allclose(found.cycle.mean, CYCLE - CYCLE[:12].mean(), atol=0.5)
        assert found.share.low > 3.0 * found.expected


def test_what_is_periodic_already_has_no_other_part() -> None:
    found = _split("Per(lengthscale=1, period=12, sd=2)")
    assert found.share.low > 1.0 - 1e-9
    assert found.expected == pytest.approx(1.0)
    assert float(np.abs(found.rest.mean).max() + found.rest.sd.max()) < 1e-5  # of 2


def test_what_has_nothing_to_do_with_the_period_has_little() -> None:
    assert _split(KERNELS[0], 7.0).share.high < 0.05
    assert _split("SE(lengthscale=40, sd=2)").share.high < 0.01
    rough = "Matern12(lengthscale=0.001, sd=1)"  # independent values: each phase gets its share by chance
    found = split_by_period(rough + " + WN(sd=0.001)", X, np.random.default_rng(1).normal(size=50), 12.0)
    assert found.expected == pytest.approx(11 / 49, rel=0.15)
    assert found.share.number < 0.5


def test_the_map_is_that_of_loops_over_phases_and_cycles() -> None:
    places, phases = _phases(0.0, 49.0, 12.0, 1.0)
    values = np.random.default_rng(2).normal(size=50).cumsum()
    lines, cycle = broken_lines(places, knots_of_course(places, 12.0)), np.zeros(50)
    for _ in range(60):  # course and cycle in turn come to rest at the least squares of both
        course = lines @ np.linalg.lstsq(lines, values - cycle, rcond=None)[0]
        means = np.zeros(12)
        for phase in range(12):
            count = 0
            for index in range(phase, 50, 12):
                means[phase] += values[index] - course[index]
                count += 1
            means[phase] /= count
        cycle = (means - means.mean())[phases]
    fold = _repeating_map(places, phases)
    np.testing.assert_allclose(fold @ values, cycle, atol=1e-8)
    np.testing.assert_allclose(fold @ fold, fold, atol=1e-9)


def test_bands_and_the_expected_share_are_those_of_the_covariance() -> None:
    kernel = parse_kernel(KERNELS[0])
    found, fold = _split(KERNELS[0]), _repeating_map(*_phases(0.0, 49.0, 12.0, 1.0))
    prior = covariance(kernel, X[:, None], X[:, None], ("x",))
    posterior = prior - prior @ np.linalg.solve(prior + 0.09 * np.eye(50), prior)
    variance = sum(fold[5, j] * posterior[j, k] * fold[5, k] for j in range(50) for k in range(50))
    assert found.cycle.sd[5] == pytest.approx(np.sqrt(variance), rel=1e-6)
    draws = sample(KERNELS[0], X, n_samples=4000)
    cyclic, rest = (float(part.var(axis=1).mean()) for part in (draws @ fold.T, draws - draws @ fold.T))
    assert found.expected == pytest.approx(cyclic / (cyclic + rest), rel=0.1)


def test_of_very_many_cycles_some_are_looked_at() -> None:
    places, phases = _phases(0.0, 20_000.0, 7.0, 1.0)
    assert len(places) <= MOST_PLACES + 7
    assert places[-1] > 19_000.0
    assert np.array_equal(places % 7.0, phases)
    assert np.bincount(phases).min() > 50


def test_the_same_number_gives_the_same_range() -> None:
    first, again, other = (split_by_period("SE(lengthscale=3, sd=1) + WN(sd=0.3)", X, Y, 12.0, random_state=seed)
                           for seed in (0, 0, 1))  # fmt: skip
    assert first.share == again.share
    assert first.share != other.share


@pytest.mark.parametrize(("kernel", "period"), [("SE(lengthscale=1, sd=1)", 1.0), ("SE(lengthscale=1, sd=1)", 26.0)])
def test_a_period_must_be_seen(kernel: str, period: float) -> None:
    with pytest.raises(InputError, match="period"):
        split_by_period(kernel, X, Y, period)


def test_noise_and_tables_have_no_such_parts() -> None:
    with pytest.raises(InputError, match="no noise"):
        split_by_period("WN(sd=1)", X, Y, 12.0)
    with pytest.raises(InputError, match="one column"):
        split_by_period("SE[x1](lengthscale=1, sd=1)", np.ones((50, 2)), Y, 12.0)
