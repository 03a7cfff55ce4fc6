"""What is open about a model: numbers against profile likelihoods, lines against least squares, what parts share."""

import numpy as np
import pytest
from scipy.optimize import brentq
from scipy.stats import linregress

from autostatistician.decompose import uncertainty
from autostatistician.decompose.uncertainty import ConditionedModel, ParameterDraws, uncertainty_of
from autostatistician.gp.engines.choice import condition, expected_seconds, objective_of
from autostatistician.gp.fitting import fit
from autostatistician.gp.parameters.scales import LeafContext, LearnedPrior, LearnedPriors, measure
from autostatistician.gp.posterior.posterior import Posterior
from autostatistician.gp.problem import Problem
from autostatistician.kernels.kernel import Kernel, leaf
from autostatistician.kernels.rewrite import components

RNG = np.random.default_rng(8)
X = np.linspace(0.0, 10.0, 90)
Y = 2.0 * np.sin(2.0 * np.pi * X / 1.7) + 0.5 * RNG.standard_normal(90)
START = leaf("Per", lengthscale=3.0, period=1.7, sd=2.0) + leaf("WN", sd=0.5)


def _fitted(start: Kernel, y: np.ndarray = Y) -> Posterior:
    points = Problem(X[:, None], y, ("x",))
    return condition(fit(start, points, measure(X[:, None], y, ("x",)), max_steps=200).kernel, Problem(X, y, ("x",)))


@pytest.fixture(scope="module")
def cycle() -> Posterior:
    """A cycle with noise, fitted."""
    return _fitted(START)


@pytest.fixture(scope="module")
def wander() -> Posterior:
    """Rough values with noise, as the model has them, and enough of them that the posterior is nearly normal."""
    x, kernel = np.linspace(0.0, 40.0, 400), leaf("Matern12", lengthscale=0.5, sd=2.0) + leaf("WN", sd=0.5)
    rough, y = np.random.default_rng(5), np.zeros(400)
    for index in range(1, 400):
        y[index] = 0.82 * y[index - 1] + rough.standard_normal()
    points = Problem(x, y + 0.5 * rough.standard_normal(400), ("x",))
    return condition(fit(kernel, points, measure(points.X, points.y, ("x",)), max_steps=200).kernel, points)


@pytest.fixture(scope="module")
def drawn_cycle(cycle: Posterior) -> dict[str, np.ndarray]:
    return _drawn(cycle)


def _drawn(posterior: Posterior) -> dict[str, np.ndarray]:
    parts = components(posterior.kernel)
    drawn = uncertainty_of(posterior, np.random.default_rng(0), most=1).parameters
    return {str(part): found for part, found in zip(parts, drawn, strict=True) if found is not None}


def _profile(posterior: Posterior, index: int) -> tuple[float, float]:
    """Where the log likelihood of one number is 1.92 below its best, the others held: 95 % where they do not matter."""
    evidence, values = (
        objective_of(posterior.kernel.expr, Problem(X[:, None], posterior.y, ("x",))),
        posterior.kernel.values,
    )

    def above(value: float) -> float:
        moved = (*values[:index], value, *values[index + 1 :])
        return evidence.value(moved) - evidence.value(values) - 0.5 * 1.96**2

    best = values[index]
    return brentq(above, 0.8 * best, best), brentq(above, best, 1.25 * best)


@pytest.mark.parametrize(("part", "place", "index"), [("Per", 1, 1), ("WN", 0, 3)])
def test_ranges_are_those_of_the_likelihood(
    part: str, place: int, index: int, cycle: Posterior, drawn_cycle: dict[str, np.ndarray]
) -> None:
    found = np.quantile(drawn_cycle[part][:, place], [0.025, 0.975])
    wanted = _profile(cycle, index)
    assert found == pytest.approx(wanted, abs=0.2 * (wanted[1] - wanted[0]))


def test_the_noise_is_as_uncertain_as_its_degrees_of_freedom() -> None:
    y = RNG.standard_normal(90)
    level = _drawn(_fitted(leaf("WN", sd=1.0), y))["WN"][:, 0]
    assert np.std(np.log(level)) == pytest.approx(1.0 / np.sqrt(2.0 * 90), rel=0.15)


def test_parts_of_one_change_share_its_draws() -> None:
    y = np.where(X < 5.0, 1.0, 4.0) + 0.2 * RNG.standard_normal(90)
    model = Kernel.change_point(leaf("C", sd=1.0), leaf("C", sd=4.0), 5.0, 2.0) + leaf("WN", sd=0.2)
    level = _drawn(_fitted(model, y))["CP(C, 0) + CP(0, C)"]  # before the change, and after it
    before, after = level[:, :2], level[:, 3:5]
    assert (before == after).all()
    low, high = np.quantile(before[:, 0], [0.025, 0.975])
    assert 4.0 < low < 5.0 < high < 6.0


def test_merged_lengths_move_with_those_they_came_from() -> None:
    model = leaf("SE", lengthscale=2.0, sd=1.0) * leaf("SE", lengthscale=3.0, sd=1.0) + leaf("WN", sd=0.3)
    posterior = _fitted(model, np.sin(X) + 0.3 * RNG.standard_normal(90))
    drawn = _drawn(posterior)["SE"]
    assert drawn.shape[1] == 2
    assert np.ptp(drawn[:, 0]) > 0.0
    (middle, _) = components(posterior.kernel)[0].values
    assert np.median(drawn[:, 0]) == pytest.approx(middle, rel=0.1)


def test_numbers_stay_where_bounds_and_products_hold_them() -> None:
    model = leaf("Lin", sd=2.0, location=-1.0) * leaf("WN", sd=0.4)
    drawn = _drawn(condition(model, Problem(X, (X + 1.0) * RNG.standard_normal(90), ("x",))))["Lin * WN"]
    assert np.ptp(drawn[:, 0]) == 0.0  # one factor holds the scale of all
    assert np.ptp(drawn[:, 1]) > 0.0
    assert np.ptp(drawn[:, 2]) > 0.0


def test_same_generator_same_bytes(cycle: Posterior, drawn_cycle: dict[str, np.ndarray]) -> None:
    again = _drawn(cycle)
    assert {part: numbers.tobytes() for part, numbers in again.items()} == {
        part: numbers.tobytes() for part, numbers in drawn_cycle.items()
    }


def _broken(jump: float) -> dict[str, np.ndarray]:
    y = np.where(X >= 5.0, jump, 0.0) + 0.5 * np.random.default_rng(2).standard_normal(90)
    model = Kernel.change_point(leaf("C", sd=1.0), leaf("C", sd=3.0), 5.0, 100.0) + leaf("WN", sd=0.5)
    return _drawn(condition(model, Problem(X, y, ("x",))))


@pytest.mark.slow
def test_an_abrupt_change_lies_in_the_gaps_that_the_likelihood_allows() -> None:
    gap = X[1] - X[0]
    clear, vague = (_broken(jump)["CP(C, 0) + CP(0, C)"][:, 0] for jump in (9.0, 0.3))
    assert 5.0 - 1.5 * gap < clear.min() < clear.max() < 5.0 + 1.5 * gap
    assert np.ptp(vague) > 5 * gap


def test_both_edges_of_an_abrupt_window_are_drawn() -> None:
    y = np.where(np.abs(X - 4.0) < 1.0, 6.0, 0.0) + 0.5 * np.random.default_rng(2).standard_normal(90)
    model = Kernel.change_window(leaf("C", sd=1.0), leaf("C", sd=6.0), 4.0, 100.0, 2.0) + leaf("WN", sd=0.5)
    window = _drawn(condition(model, Problem(X, y, ("x",))))["CW(C, 0) + CW(0, C)"][:, 4:]
    first, last = window[:, 0] - window[:, 2] / 2, window[:, 0] + window[:, 2] / 2
    gap = X[1] - X[0]
    assert np.ptp(first) < 2.5 * gap
    assert np.ptp(last) < 2.5 * gap
    assert (np.median(first), np.median(last)) == (pytest.approx(3.0, abs=gap), pytest.approx(5.0, abs=gap))


def test_parts_of_size_zero_have_no_draws() -> None:
    model = leaf("SE", lengthscale=1.0, sd=0.0) + leaf("WN", sd=0.5)
    assert _drawn(condition(model, Problem(X, Y, ("x",)))) == {}


def test_of_many_data_the_normal_distribution_of_the_numbers_is_drawn_from(
    monkeypatch: pytest.MonkeyPatch, wander: Posterior
) -> None:
    walked = _drawn(wander)
    monkeypatch.setattr(uncertainty, "MOST_ROWS", 399)
    normal = _drawn(wander)
    assert set(normal) == set(walked) == {"Matern12", "WN"}
    for part, found in normal.items():
        for own, other in zip(np.log(found).T, np.log(walked[part]).T, strict=True):
            assert own.std() == pytest.approx(other.std(), rel=0.5)
            assert own.mean() == pytest.approx(other.mean(), abs=0.6 * other.std())


def test_what_would_take_too_long_is_left_out(monkeypatch: pytest.MonkeyPatch, wander: Posterior) -> None:
    seconds = expected_seconds(wander)
    assert seconds is not None
    monkeypatch.setattr(uncertainty, "MOST_ROWS", 399)
    monkeypatch.setattr(uncertainty, "MOST_SECONDS", 2.1 * seconds * len(wander.kernel.values))
    found = uncertainty_of(wander, np.random.default_rng(0))
    assert found.others == ()
    assert all(one is not None for one in found.parameters)
    monkeypatch.setattr(uncertainty, "MOST_SECONDS", 1.9 * seconds * len(wander.kernel.values))
    assert _drawn(wander) == {}


def test_of_many_data_parts_with_numbers_that_curvature_cannot_tell_have_none(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(uncertainty, "MOST_ROWS", 89)
    first, second = leaf("C", sd=1.0), leaf("C", sd=4.0)
    step = Kernel.change_point(first, second, location=5.0, steepness=40.0) + leaf("WN", sd=0.5)
    y = np.where(X < 5.0, 1.0, 4.0) + 0.5 * RNG.standard_normal(90)
    found = uncertainty_of(_fitted(step, y), np.random.default_rng(0))
    parts = dict(zip(map(str, found.fit.parts), found.parameters, strict=True))
    told = {name for name, numbers in parts.items() if numbers is not None}
    assert told == {"WN"}
    assert len(parts) == 2  # and the level before and after the step


def test_the_slope_of_a_line_is_as_open_as_least_squares_say() -> None:
    y = 5.0 + 1.1 * X + 3.0 * RNG.standard_normal(90)
    posterior = _fitted(leaf("Lin", sd=1.0, location=-3.0) + leaf("WN", sd=3.0), y)
    mean, cov = uncertainty_of(posterior, np.random.default_rng(0)).component([0], X[[0, -1], None])
    sd = np.sqrt(cov[0, 0] + cov[1, 1] - 2.0 * cov[0, 1]) / 10.0
    squares = linregress(X, y)
    assert sd == pytest.approx(squares.stderr, rel=0.1)
    assert (mean[1] - mean[0]) / 10.0 == pytest.approx(squares.slope, abs=0.25 * sd)


def test_curves_are_drawn_from_all_other_members_in_turn() -> None:
    """Members that are sure of different levels: each has its share of the draws, to one."""
    members = []
    for level in (1.0, 2.0, 3.0):
        posterior = condition(leaf("C", sd=9.0) + leaf("WN", sd=1e-4), Problem(X, np.full(90, level)))
        members.append(ConditionedModel(posterior, (leaf("C", sd=9.0),)))
    uncertainty = ParameterDraws(members[0], tuple(members), (None,))
    curves = uncertainty.curves([0], X[:3, None], np.random.default_rng(0), scale=81.0, count=8)
    assert curves.shape == (8, 3)
    assert np.unique(curves[:, 0].round(2), return_counts=True)[1].tolist() == [3, 3, 2]
    assert [one.posterior.y[0] for one in uncertainty.thinned(2).others] == [1.0, 3.0]


def test_parts_in_another_order_are_the_same_parts(cycle: Posterior) -> None:
    uncertainty = uncertainty_of(cycle, np.random.default_rng(0), most=3)
    turned = uncertainty.reordered([1, 0])
    for index in (0, 1):
        np.testing.assert_array_equal(turned.parameters[index], uncertainty.parameters[1 - index])
        for one, other in zip(
            turned.component([index], X[:4, None]), uncertainty.component([1 - index], X[:4, None]), strict=True
        ):
            np.testing.assert_array_equal(one, other)


def test_numbers_are_drawn_with_what_was_known_of_them() -> None:
    y = RNG.standard_normal(12)
    posterior = condition(leaf("WN", sd=1.0), Problem(np.arange(12.0)[:, None], y, ("x",)))
    priors = LearnedPriors({("WN", "sd", LeafContext.TERM): LearnedPrior(0.0, 0.0, 0.05)})
    ((free,), (known,)) = (
        uncertainty_of(posterior, np.random.default_rng(0), most=1, priors=one).parameters for one in (None, priors)
    )
    assert free is not None
    assert known is not None
    assert np.log(known).std() == pytest.approx(0.05, rel=0.25)  # by the prior: twelve values alone leave .2
    assert np.log(free).std() == pytest.approx(0.2, rel=0.25)


def test_by_inducing_points_parameters_are_open_too() -> None:
    rng = np.random.default_rng(0)
    X = np.column_stack([rng.uniform(0.0, 30.0, 2500), rng.uniform(20.0, 90.0, 2500)])
    y = 0.5 - 0.01 * X[:, 1] + 0.7 * rng.normal(size=2500)
    kernel = leaf("C", sd=1.0) + leaf("Lin", "b", sd=0.01, location=50.0) + leaf("WN", sd=0.7)
    posterior = condition(kernel, Problem(X, y, ("a", "b")))
    assert posterior.points is not None
    drawn = uncertainty_of(posterior, np.random.default_rng(1))
    assert len(drawn.others) == 8
