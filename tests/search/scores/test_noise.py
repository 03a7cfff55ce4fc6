"""What is tried on few rows, and what noise of changing size must bring to be believed."""

from dataclasses import replace
from math import exp

import numpy as np
import pytest
from numpy.typing import NDArray

from autostatistician import AutomaticStatistician
from autostatistician.data.dataset import from_arrays
from autostatistician.data.times.axes import Axis
from autostatistician.describe.facts import judgement
from autostatistician.gp import fit
from autostatistician.gp.engines.choice import condition, objective_of
from autostatistician.gp.parameters import scales
from autostatistician.gp.parameters.scales import measure
from autostatistician.gp.problem import Problem
from autostatistician.kernels.grammar import LANGUAGES
from autostatistician.kernels.kernel import Kernel, leaf, parameters, unset
from autostatistician.kernels.text import parse
from autostatistician.kernels.traits import has_changes, has_uneven_noise, noise_shapes
from autostatistician.search.run import Settings, search
from autostatistician.search.scores.cycles import cycle_penalty, on_the_calendar
from autostatistician.search.scores.noise_penalties import (
    excess,
    gain_of_heavy_tails,
    gain_of_outliers,
    shape_penalty,
    tails_penalty,
)
from autostatistician.search.scores.weights import weighted
from autostatistician.search.state import Candidate, SearchResult

PLAIN, LEVEL = leaf("WN", sd=1.0), leaf("C", sd=1.0)
SMOOTH = leaf("SE", lengthscale=1.0, sd=1.0)


def _candidate(kernel: Kernel, score: float) -> Candidate:
    return Candidate(kernel, 0.5 * score, score, 1)


def test_weights_are_those_of_the_scores() -> None:
    found = weighted([_candidate(SMOOTH + PLAIN, 10.0), _candidate(SMOOTH + LEVEL + PLAIN, 13.0)])
    assert [weight for _, weight in found] == pytest.approx([1 / (1 + exp(-1.5)), 1 / (1 + exp(1.5))])


def test_an_expression_counts_once_and_with_its_best_numbers() -> None:
    longer = leaf("SE", lengthscale=2.0, sd=1.0)
    found = weighted([_candidate(SMOOTH + PLAIN, 10.0), _candidate(longer + PLAIN, 8.0)])
    assert [(one.score, weight) for one, weight in found] == [(8.0, 1.0)]


@pytest.mark.parametrize(("behind", "count"), [(13.8, 2), (13.85, 1)])
def test_models_of_less_than_a_thousandth_of_the_best_are_left_out(behind: float, count: int) -> None:
    found = weighted([_candidate(SMOOTH + PLAIN, 10.0), _candidate(LEVEL + PLAIN, 10.0 + behind)])
    assert [one.score for one, _ in found] == [10.0, 10.0 + behind][:count]


def test_where_chance_explains_the_structure_only_plain_models_have_weight() -> None:
    # the search puts noise first where structure gains no more than chance does
    scores = {LEVEL + PLAIN: 12.0, SMOOTH + PLAIN: 10.0, PLAIN: 13.0}
    found = weighted([_candidate(kernel, score) for kernel, score in scores.items()])
    assert [str(one.kernel) for one, _ in found] == ["C + WN", "WN"]
    assert sum(weight for _, weight in found) == pytest.approx(1.0)


def test_where_the_criterion_has_charged_for_chance_every_model_has_its_weight() -> None:
    several = [_candidate(LEVEL + PLAIN, 12.0), _candidate(SMOOTH + PLAIN, 13.0)]
    assert [str(one.kernel) for one, _ in weighted(several, chance_is_charged=True)] == ["C + WN", "SE + WN"]


def test_a_simpler_model_that_was_chosen_comes_first_with_its_own_weight() -> None:
    chosen, likelier = _candidate(LEVEL + PLAIN, 12.0), _candidate(SMOOTH + PLAIN, 10.0)
    found = weighted([chosen, likelier], chance_is_charged=True)
    assert [one for one, _ in found] == [chosen, likelier]
    assert [weight for _, weight in found] == pytest.approx([1 / (1 + exp(1.0)), 1 / (1 + exp(-1.0))])


def test_a_function_counts_once_however_it_is_spelled() -> None:
    spellings = ("C + WN + CP(WN, C)", "WN + CP(C + WN, C)", "CP(C + WN, C + WN)", "WN + CP(C, C)")
    kernels = [unset(parse(text)) for text in spellings]
    found = weighted([_candidate(kernel, 8.0) for kernel in kernels], chance_is_charged=True)
    assert [weight for _, weight in found] == pytest.approx([0.5, 0.5])


DAYS = np.arange(0.0, 731.0, 4.0)
YEAR = 365.25
WEATHER = np.convolve(np.random.default_rng(5).normal(size=DAYS.size + 9), np.ones(10) / 2.0, mode="valid")


@pytest.mark.parametrize(("true", "noise", "told"), [(YEAR, WEATHER, YEAR), (350.0, 0.05 * WEATHER, 350.0)])
def test_a_year_is_that_of_the_calendar_unless_the_data_deny_it(true: float, noise: np.ndarray, told: float) -> None:
    y = 9.0 * np.cos(2.0 * np.pi * DAYS / true) + noise
    problem, scales = Problem(DAYS[:, None], y, ("day",)), measure(DAYS[:, None], y, ("day",), (YEAR,))
    found = fit(leaf("Per", sd=6.0, lengthscale=1.5, period=1.01 * true) + leaf("WN", sd=2.0), problem, scales)
    assert abs(found.kernel.values[1] - YEAR) > 0.01 * YEAR
    candidate = Candidate(found.kernel, found.nll, 2.0 * found.nll, 1)
    (moved,) = on_the_calendar([candidate], problem, scales)
    assert moved.kernel.values[1] == pytest.approx(told, rel=0.006)
    assert moved.score - candidate.score == pytest.approx(2.0 * (moved.nll - candidate.nll))
    assert (moved == candidate) is (told != YEAR)


Array = NDArray[np.float64]
QUICK = Settings(max_depth=1, restarts=1, n_jobs=1, criterion="bic")
QUICK_TWO = replace(QUICK, max_depth=2)
BY_EVIDENCE = replace(QUICK_TWO, criterion="evidence")  # its first level has the cycles of the calendar alone


def _found(x: Array, y: Array, settings: Settings = QUICK) -> SearchResult:
    return search(from_arrays(x, y), LANGUAGES["extended"], settings)


def _periods(result: SearchResult) -> list[float]:
    kernel = result.best.kernel
    every = zip(parameters(kernel.expr), kernel.values, strict=True)
    return [value for one, value in every if one.name == "period"]


def test_a_cycle_of_the_calendar_is_believed() -> None:
    measured = measure(np.arange(24.0)[:, None] / 12.0, np.ones(24), ("x",), (1.0,))
    assert cycle_penalty(leaf("Per", lengthscale=1.0, period=1.0, sd=1.0), measured) == 0.0
    assert cycle_penalty(leaf("Per", lengthscale=1.0, period=0.8, sd=1.0), measured) > 0.0


def test_beside_a_calendar_any_other_cycle_is_one_of_many() -> None:
    months = np.arange(120.0)[:, None] / 12.0
    cycles = [leaf("Per", lengthscale=1.0, period=period, sd=1.0) for period in (1.0, 0.5, 0.25, 2.0, 0.7)]
    with_years, plain = measure(months, np.ones(120), ("x",), (1.0,)), measure(months, np.ones(120), ("x",))
    others = 2.0 * np.log(60.0)
    assert [cycle_penalty(one, with_years) for one in cycles] == pytest.approx([0.0, 0.0, 0.0, others, others])
    assert [cycle_penalty(one, plain) for one in cycles] == [0.0] * 5


def _of_months(y: Array) -> SearchResult:
    axis = Axis("month", "year", "month", 1.0 / 12.0)
    return search(replace(from_arrays(np.arange(len(y)) / 12.0, y), axis=axis), LANGUAGES["extended"], QUICK_TWO)


@pytest.mark.slow
def test_a_yearly_cycle_of_skewed_values_is_told_and_not_one_of_two_years() -> None:
    # A cycle of two years has the higher likelihood here by chance; by least squares the yearly one has p < 0.0001.
    month = np.arange(132)
    rain = np.random.default_rng(404).gamma(2.2, 25.0 + 12.0 * np.cos(2.0 * np.pi * month / 12.0))
    assert _periods(_of_months(np.log(rain))) == [pytest.approx(1.0, abs=0.05)]


def test_search_and_words_ask_for_as_many_cycles() -> None:
    assert judgement.OFTEN == scales.SURE_CYCLES


@pytest.mark.slow
@pytest.mark.parametrize("settings", [QUICK, BY_EVIDENCE])
def test_a_wave_seen_a_few_times_is_found_and_right_between_the_places(settings: Settings) -> None:
    n, cycles = 40, 2.9
    x = np.arange(float(n))
    y = np.sin(2.0 * np.pi * x * cycles / n) + 0.1 * np.random.default_rng(4000).normal(size=n)
    result = _found(x, y, settings)
    assert _periods(result) == [pytest.approx(n / cycles, rel=0.02)]
    between = x[:-1] + 0.5
    mean, _ = condition(result.best.kernel, Problem.of(from_arrays(x, y))).signal(between[:, None])
    assert np.abs(mean - np.sin(2.0 * np.pi * between * cycles / n)).max() < 0.2


def test_a_pattern_of_the_days_of_a_week_has_the_period_of_a_week() -> None:
    # Monday +25, Friday -15: on five days a week the second harmonic is larger than the first.
    x = np.arange(60.0)
    y = np.where(x % 5 == 0, 25.0, np.where(x % 5 == 4, -15.0, 0.0)) + 4.0 * np.random.default_rng(3).normal(size=60)
    assert _periods(_found(x, y)) == [pytest.approx(5.0, abs=0.02)]


@pytest.mark.parametrize(
    ("seed", "settings"), [*((seed, QUICK) for seed in range(4)), pytest.param(0, BY_EVIDENCE, marks=pytest.mark.slow)]
)
def test_a_random_walk_is_no_cycle(seed: int, settings: Settings) -> None:
    y = np.cumsum(np.random.default_rng([1, seed]).normal(size=50))
    assert _periods(_found(np.arange(50.0), y, settings)) == []


X = np.arange(60.0)
NOISE = np.random.default_rng(3).normal(size=60)
POINTS = Problem(X[:, None], NOISE, ("x",))


def _owed(kernel: Kernel, floor: float = 1e-6) -> float:
    return excess(kernel, POINTS, floor)


# Noise of changing size


@pytest.mark.slow
@pytest.mark.parametrize("seed", [0, 2])
def test_a_random_walk_of_24_rows_has_noise_of_one_size(seed: int) -> None:
    y = np.cumsum(np.random.default_rng(24_000 + seed).normal(size=24))
    found = search(from_arrays(X[:24], y), LANGUAGES["extended"], Settings(max_depth=2, restarts=4, n_jobs=1))
    assert [one for one in found.frontier if noise_shapes(one.kernel.expr)] == []


@pytest.mark.slow
def test_noise_that_grows_tenfold_over_a_hundred_rows_is_found() -> None:
    x = np.arange(100.0)
    y = 5.0 + np.linspace(0.3, 3.0, 100) * np.random.default_rng(5).normal(size=100)
    found = search(from_arrays(x, y), LANGUAGES["interpretable"], Settings(max_depth=2, restarts=4, n_jobs=1))
    assert noise_shapes(found.best.kernel.expr)


def _growing(zero: float) -> Kernel:
    return leaf("WN", sd=1.0) * leaf("Lin", sd=1.0 / 30.0, location=zero)


@pytest.mark.parametrize("row", [0.0, 30.0])
def test_noise_that_vanishes_at_a_row_gains_nothing_by_coming_closer(row: float) -> None:
    """The likelihood grows without end; what is owed for it grows along."""
    points = Problem(X[:, None], NOISE * np.abs(X - row) / 30.0, ("x",))
    kernels = [_growing(row - distance) for distance in (1e-3, 1e-6)]
    misfits = [2.0 * objective_of(one.expr, points).value(one.values) for one in kernels]
    scores = [misfit + excess(one, points, 0.0) for misfit, one in zip(misfits, kernels, strict=True)]
    assert misfits[1] < misfits[0] - 10.0
    assert scores[1] == pytest.approx(scores[0], abs=0.1)


def test_noise_of_one_size_owes_nothing_nor_does_one_that_many_rows_carry() -> None:
    assert _owed(leaf("WN", sd=0.01)) == 0.0
    step = Kernel.change_point(leaf("WN", sd=0.5), leaf("WN", sd=1.0), location=29.5, steepness=100.0)
    assert _owed(step) == pytest.approx(0.0, abs=1e-6)


def test_a_stretch_of_three_quiet_rows_owes_what_it_gains() -> None:
    quiet = np.where(np.abs(X - 30.0) < 2.0, 1e-3, 1.0) * NOISE
    points = Problem(X[:, None], quiet, ("x",))
    window = Kernel.change_window(leaf("WN", sd=1.0), leaf("WN", sd=1e-3), location=30.0, steepness=100.0, width=3.0)
    misfit, plain = (2.0 * objective_of(one.expr, points).value(one.values) for one in (window, leaf("WN", sd=1.0)))
    assert misfit < plain - 30.0
    assert misfit + excess(window, points, 0.0) > plain - 1.0


SHAPES = {
    "Lin": leaf("Lin", sd=0.01, location=-1.0),
    "Wiener": leaf("Wiener", sd=0.1, location=-1.0),
    "IOU": leaf("IOU", lengthscale=1.0, sd=0.1, location=-1.0),
}


@pytest.mark.parametrize("shape", sorted(SHAPES))
def test_shapes_of_the_noise_below_what_the_digits_show_gain_nothing(shape: str) -> None:
    exact = Problem(X[:, None], 3.0 + 2.0 * X, ("x",))
    floor = measure(exact.X, exact.y, ("x",)).noise_floor
    line = leaf("C", sd=10.0) + leaf("Lin", sd=2.0, location=0.0)
    plain, shaped = line + leaf("WN", sd=floor), line + leaf("WN", sd=floor) * SHAPES[shape]
    misfits = [2.0 * objective_of(one.expr, exact).value(one.values) for one in (plain, shaped)]
    assert misfits[1] < misfits[0] - 10.0
    assert excess(shaped, exact, floor) == pytest.approx(20.0 * exact.n)  # more than a prior of so little noise takes


@pytest.mark.slow
def test_exact_data_are_told_without_a_shape_of_the_noise() -> None:
    exact = from_arrays(X, 3.0 + 2.0 * X)
    found = search(exact, LANGUAGES["interpretable"], Settings(criterion="evidence", max_depth=3, n_jobs=1))
    assert found.best.kernel.expr == parse("Lin + C + WN")


@pytest.mark.slow
@pytest.mark.parametrize("power", [1, 2, 3])
def test_exact_powers_of_the_time_have_smooth_models(power: int) -> None:
    x = np.arange(40.0)
    found = search(from_arrays(x, x**power), LANGUAGES["extended"].with_priors, Settings(max_depth=2, n_jobs=1))
    assert not has_uneven_noise(found.best.kernel.expr)


def test_each_shape_of_the_noise_is_charged_as_one_of_many() -> None:
    assert shape_penalty(parse("Lin + WN")) == 0.0
    assert shape_penalty(parse("Lin + Lin * WN")) == pytest.approx(2.0 * np.log(10.0))


# Heavy tails


def test_student_noise_gains_by_heavy_tails_and_gaussian_noise_does_not() -> None:
    rng = np.random.default_rng(8)
    assert gain_of_heavy_tails(7.0 * rng.normal(size=200)) < 0.0
    assert gain_of_heavy_tails(7.0 * rng.standard_t(2.0, size=200)) > 20.0


def test_only_what_a_few_large_values_could_feign_owes_to_heavy_tails() -> None:
    texts = ("C + WN", "SE + Per + WN", "SE * Lin + WN", "CP(C, C) + WN", "C + WN + IOU * WN", "C + CP(WN, C + WN)")
    assert [tails_penalty(parse(text), 3.0) for text in texts] == [0.0, 0.0, 0.0, 6.0, 6.0, 6.0]


@pytest.mark.slow
@pytest.mark.parametrize("seed", [1, 4])
def test_independent_noise_with_heavy_tails_is_no_change_of_noise_and_no_logarithm(seed: int) -> None:
    y = 50.0 + 3.0 * np.random.default_rng(seed).standard_t(2.0, size=130)
    model = AutomaticStatistician(n_jobs=1).fit(np.arange(130.0)[:, None], y)
    assert model.model_.screening.tails > 10.0
    assert model.transform_.name == "none"
    assert not has_uneven_noise(model.kernel_.expr)
    assert not has_changes(model.kernel_.expr)


def test_one_error_far_off_shows_no_heavy_tails_beside_errors_a_little_heavy_by_chance() -> None:
    errors = np.append(np.random.default_rng(3).normal(size=60), 24.0)
    assert gain_of_heavy_tails(errors[:-1]) > 0.0
    assert gain_of_outliers(errors, errors > 4.0) > 0.0
