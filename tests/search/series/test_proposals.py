"""A step is tried in the place of every curve that wanders."""

from dataclasses import replace

import numpy as np
import pytest

from autostatistician.data.dataset import from_arrays
from autostatistician.gp import Problem, condition
from autostatistician.kernels.expr import Leaf
from autostatistician.kernels.grammar import LANGUAGES, Operator
from autostatistician.kernels.kernel import Kernel, leaf, parameters
from autostatistician.search.run import Settings, search
from autostatistician.search.series.proposals import (
    best_split,
    cycled,
    fading,
    interrupted,
    mean_reverting,
    scattered,
    scattered_stretch,
    silenced,
    stepped,
    suggested,
)

N = 240
ROWS = np.arange(float(N))
NORMAL = np.random.default_rng(102).normal(0.0, 1.0, N)
Y = 8.0 * np.sin(2 * np.pi * ROWS / 12.0) + 5.0 * np.sin(2 * np.pi * ROWS / 41.0)
Y = (Y + 2.0 * NORMAL) / 7.0
CYCLES = Problem(ROWS[:, None] / (N - 1), Y, ("x",))
SHORT = leaf("Per", sd=1.1, lengthscale=1.5, period=12.0 / (N - 1))
NOISE = leaf("WN", sd=0.3)
BENDING = SHORT + leaf("SE", sd=0.5, lengthscale=0.03) + NOISE


def _periods(kernel: Kernel) -> list[float]:
    every = zip(parameters(kernel.expr), kernel.values, strict=True)
    return sorted((N - 1) * value for one, value in every if one.name == "period")


def _cycled(kernel: Kernel) -> dict[str, list[float]]:
    return {str(one): _periods(one) for one in cycled(condition(kernel, CYCLES), LANGUAGES["extended"])}


def test_a_curve_that_bends_with_a_cycle_gives_way_to_it() -> None:
    found = _cycled(BENDING)
    assert found["Per + Per + WN"] == pytest.approx([12.0, 41.0], abs=0.6)
    assert found["SE * Per + Per + WN"] == pytest.approx([12.0, 41.0], abs=0.6)


def test_a_cycle_that_drifts_gives_way_to_two_of_nearly_the_same_length() -> None:
    x = np.linspace(0.0, 1.0, N)
    beats = Problem(x[:, None], np.sin(2 * np.pi * x * 20.0) + np.sin(2 * np.pi * x * 16.0) + 0.3 * NORMAL, ("x",))
    drifting = leaf("SE", sd=1.0, lengthscale=0.1) * leaf("Per", sd=1.0, lengthscale=2.0, period=1.0 / 18.0)
    found = cycled(condition(drifting + NOISE, beats), LANGUAGES["extended"])
    (both,) = [kernel for kernel in found if str(kernel) == "Per + Per + WN"]
    assert _periods(both) == pytest.approx([(N - 1) / 20.0, (N - 1) / 16.0], rel=0.02)


def test_a_cycle_that_changes_as_quickly_as_it_turns_gives_way_to_the_one_that_it_follows() -> None:
    rhythm = leaf("SE", sd=0.5, lengthscale=0.1) * leaf("Per", sd=1.0, lengthscale=3.8, period=60.0 / (N - 1))
    found = _cycled(SHORT + rhythm + NOISE)
    assert found["Per + Per + WN"] == pytest.approx([12.0, 41.0], abs=0.6)


def test_a_cycle_in_what_is_left_is_added() -> None:
    found = _cycled(SHORT + NOISE)
    assert set(found) == {"Per + Per + WN", "SE * Per + Per + WN"}
    assert found["Per + Per + WN"] == pytest.approx([12.0, 41.0], abs=0.6)


def test_a_cycle_begins_with_its_size_however_high_the_level_is() -> None:
    spread = 1e-4
    high = Problem(CYCLES.X, 1.0 + spread * CYCLES.y, ("x",))
    level = leaf("C", sd=1.0) + leaf("WN", sd=spread)
    sizes = [
        value
        for kernel in cycled(condition(level, high), LANGUAGES["interpretable"])
        for parameter, value in zip(parameters(kernel.expr), kernel.values, strict=True)
        if parameter.name == "sd" and parameter.node in (Leaf("Per"), Leaf("SE"))
    ]
    sizes = [size for size in sizes if size != 1.0]  # which is that of the other factor
    assert sizes
    assert all(value < 2.0 * spread for value in sizes)


def test_cycles_that_a_model_has_are_not_proposed_again() -> None:
    both = SHORT + leaf("Per", sd=0.7, lengthscale=1.5, period=41.0 / (N - 1)) + NOISE
    found = [period for one in cycled(condition(both, CYCLES), LANGUAGES["extended"]) for period in _periods(one)[:-2]]
    assert all(period < 5.0 for period in found)  # at most a quick one that the noise shows


DAY, WEEK = SHORT.named()["period"], 7.0 * SHORT.named()["period"]


def test_a_day_may_differ_with_the_place_in_the_week() -> None:
    found = cycled(condition(SHORT + NOISE, CYCLES), LANGUAGES["extended"], (DAY, WEEK))
    (both,) = [kernel for kernel in found if str(kernel) == "Per + Per * Per + WN"]
    assert _periods(both) == pytest.approx([12.0, 12.0, 84.0])
    again = cycled(condition(both, CYCLES), LANGUAGES["extended"], (DAY, WEEK))
    assert not any(str(kernel).count("Per * Per") > 1 for kernel in again)


def test_a_language_without_cycles_has_none() -> None:
    assert cycled(condition(BENDING, CYCLES), LANGUAGES["mkl"]) == []


def test_a_language_without_products_keeps_cycles_as_they_are() -> None:
    sums = replace(LANGUAGES["extended"], operators=frozenset({Operator.ADD}))
    (kernel,) = cycled(condition(SHORT + NOISE, CYCLES), sums)
    assert str(kernel) == "Per + Per + WN"


@pytest.mark.long
def test_the_search_finds_a_long_cycle_beside_a_short_one() -> None:
    found = search(from_arrays(ROWS, 50.0 + 7.0 * Y), LANGUAGES["extended"], Settings(n_jobs=1)).best.kernel
    every = zip(parameters(found.expr), found.values, strict=True)
    assert sorted(value for one, value in every if one.name == "period") == pytest.approx([12.0, 41.0], rel=0.02)


# Annual flow of the Nile at Aswan, 1871 to 1970, 10^8 cubic metres (Cobb 1978; Durbin and Koopman 2001).
NILE = """
    1120 1160 963 1210 1160 1160 813 1230 1370 1140 995 935 1110 994 1020 960 1180 799 958 1140
    1100 1210 1150 1250 1260 1220 1030 1100 774 840 874 694 940 833 701 916 692 1020 1050 969
    831 726 456 824 702 1120 1100 832 764 821 768 845 864 862 698 845 744 796 1040 759
    781 865 845 944 984 897 822 1010 771 676 649 846 812 742 801 1040 860 874 848 890
    744 749 838 1050 918 986 797 923 975 815 1020 906 901 1170 912 746 919 718 714 740
"""

YEARS, FLOW = np.arange(1871.0, 1971.0), np.array(NILE.split(), dtype=float)
X = np.linspace(0.0, 1.0, 100)
POINTS = Problem(X[:, None], FLOW / 935.0, ("x",))
ERRORS = np.random.default_rng(4).normal(0.0, 1.0, 150)
WANDERING = leaf("Matern12", sd=1.0, lengthscale=3.0) + leaf("WN", sd=0.15)


@pytest.mark.slow
def test_the_nile_has_a_step_in_1898() -> None:
    """The dam at Aswan was begun then; a wandering level needs a BIC of 1295.5."""
    settings = Settings(max_depth=2, restarts=4, n_jobs=1, criterion="bic")
    found = search(from_arrays(YEARS, FLOW), LANGUAGES["extended"], settings)
    assert str(found.best.kernel) == "WN + CP(C, C)"
    assert found.best.score == pytest.approx(1292.4, abs=0.5)
    (step,) = [part for part in found.best.kernel.parts if "CP" in str(part)]
    assert step.named()["location"] == pytest.approx(1898.5, abs=0.5)


def test_a_wandering_level_gives_way_to_the_best_step() -> None:
    (kernel,) = stepped(condition(WANDERING, POINTS), LANGUAGES["extended"])
    assert str(kernel) == "WN + CP(C, C)"
    step = kernel.parts[1].named()
    assert step["location"] == pytest.approx((1898.5 - 1871.0) / 99.0, abs=0.001)
    before, after = (part.values[0] for part in kernel.parts[1].parts)
    assert (before, after) == pytest.approx((FLOW[:28].mean() / 935.0, FLOW[28:].mean() / 935.0), rel=0.01)


def test_a_gradual_change_begins_as_one() -> None:
    x = np.linspace(0.0, 1.0, 60)
    noise = 0.03 * np.random.default_rng(4).normal(size=60)
    course = Problem(x[:, None], 0.4 + 0.3 * np.tanh(8.0 * (x - 0.45)) + noise, ("x",))
    (kernel,) = stepped(condition(WANDERING, course), LANGUAGES["extended"])
    step = kernel.parts[1].named()
    assert (step["location"], step["steepness"]) == (pytest.approx(0.45, abs=0.03), 8.0)
    assert [part.values[0] for part in kernel.parts[1].parts] == pytest.approx([0.1, 0.7], abs=0.03)


def test_rows_at_a_few_places_have_abrupt_steps_alone() -> None:
    x = np.tile(np.arange(5.0), 12)
    stairs = Problem(x[:, None], np.where(x > 2.0, 1.0, 0.0) + 0.1 * np.tile([-1.0, 1.0], 30), ("x",))
    (kernel,) = stepped(condition(WANDERING, stairs), LANGUAGES["extended"])
    assert 2.0 < kernel.parts[1].named()["location"] < 3.0


def test_a_level_that_wanders_off_gives_way_too() -> None:
    walk = leaf("Wiener", sd=0.2, location=0.0) + leaf("WN", sd=0.1)
    assert [str(kernel) for kernel in stepped(condition(walk, POINTS), LANGUAGES["extended"])] == ["WN + CP(C, C)"]


def test_other_parts_stay_and_are_taken_off_before_the_step_is_sought() -> None:
    line = leaf("Lin", sd=2.0, location=0.0)
    raised = Problem(POINTS.X, POINTS.y + 2.0 * X, ("x",))
    (kernel,) = stepped(condition(WANDERING + line, raised), LANGUAGES["extended"])
    assert str(kernel) == "Lin + WN + CP(C, C)"
    assert kernel.parts[2].named()["location"] == pytest.approx(0.278, abs=0.05)


@pytest.mark.parametrize("language", ["changepoint", "mkl", "linear"])
def test_languages_without_levels_or_changes_have_no_steps(language: str) -> None:
    assert (
        stepped(condition(leaf("SE", sd=1.0, lengthscale=0.1) + leaf("WN", sd=0.1), POINTS), LANGUAGES[language]) == []
    )


def test_models_that_do_not_wander_get_no_step() -> None:
    assert stepped(condition(leaf("C", sd=1.0) + leaf("WN", sd=0.1), POINTS), LANGUAGES["extended"]) == []


def test_rows_at_one_place_have_no_step() -> None:
    assert not list(suggested(WANDERING, Problem(np.ones((9, 1)), FLOW[:9], ("x",)), LANGUAGES["extended"]))


def test_the_best_split_is_that_of_least_squares() -> None:
    def deviation(at: int) -> float:
        return float(np.sum((FLOW[:at] - FLOW[:at].mean()) ** 2) + np.sum((FLOW[at:] - FLOW[at:].mean()) ** 2))

    place, levels = best_split(YEARS, FLOW)
    assert place == YEARS[min(range(3, 98), key=deviation)] - 0.5
    assert levels == pytest.approx((FLOW[:28].mean(), FLOW[28:].mean()))


LEVEL = leaf("C", sd=50.0) + leaf("WN", sd=2.5)


def _of_noise(*loud: slice) -> Problem:
    sizes = np.ones(150)
    for rows in loud:
        sizes[rows] = 4.0
    return Problem(np.linspace(0.0, 1.0, 150)[:, None], 50.0 + ERRORS * sizes, ("x",))


def test_a_curve_that_wanders_off_gives_way_to_one_that_returned_often() -> None:
    drift = leaf("IOU", lengthscale=0.01, sd=40.0, location=0.0)
    waves = Problem(CYCLES.X, np.sin(2.0 * np.pi * ROWS / 30.0) + 0.1 * NORMAL, ("x",))
    (found,) = mean_reverting(condition(drift + NOISE, waves), LANGUAGES["extended"])
    assert str(found) == "Matern32 + WN"
    line = Problem(CYCLES.X, 20.0 * CYCLES.X[:, 0] + 0.1 * NORMAL, ("x",))
    assert mean_reverting(condition(drift + NOISE, line), LANGUAGES["extended"]) == []
    assert mean_reverting(condition(drift + NOISE, waves), LANGUAGES["full"]) == []


@pytest.mark.parametrize(("factor", "white"), [(0.5, 0.0), (0.8, 0.0), (0.8, 1.0)])
def test_noise_gives_way_to_deviations_that_fade_where_neighbours_are_alike(factor: float, white: float) -> None:
    rng = np.random.default_rng(0)
    values = np.zeros(800)
    for row in range(1, 800):
        values[row] = factor * values[row - 1] + rng.normal()
    places = np.linspace(0.0, 1.0, 800)[:, None]
    problem = Problem(places, values + white * rng.normal(size=800), ("x",))
    (found,) = fading(condition(leaf("C", sd=1.0) + leaf("WN", sd=1.5), problem), LANGUAGES["extended"])
    assert str(found) == "Matern12 + C + WN"
    memory, _, noise = found.terms
    assert np.exp(-1.0 / (799.0 * memory.named()["lengthscale"])) == pytest.approx(factor, abs=0.1)
    share = noise.named()["sd"] ** 2 / 1.5**2
    assert share == pytest.approx(white / (white + 1.0 / (1.0 - factor**2)), abs=0.15)
    assert memory.named()["sd"] ** 2 / 1.5**2 == pytest.approx(1.0 - share, abs=0.01)


def test_of_white_noise_nothing_fades() -> None:
    level = leaf("C", sd=1.0) + leaf("WN", sd=1.0)
    rng, places = np.random.default_rng(1), np.linspace(0.0, 1.0, 100)[:, None]
    problems = [Problem(places, rng.normal(size=100), ("x",)) for _ in range(200)]
    assert sum(map(len, (fading(condition(level, one), LANGUAGES["extended"]) for one in problems))) <= 4
    assert fading(condition(level, problems[0]), LANGUAGES["full"]) == []


def test_noise_gives_way_to_two_sizes_where_its_size_changed() -> None:
    (found,) = scattered(condition(LEVEL, _of_noise(slice(90, None))), LANGUAGES["extended"])
    assert str(found) == "C + CP(WN, WN)"
    change = found.parts[1]
    assert change.named()["location"] == pytest.approx(89.5 / 149.0, abs=0.03)
    sizes = [side.named()["sd"] for side in change.parts]
    assert sizes == pytest.approx([1.0, 4.0], rel=0.2)


def test_in_a_quiet_window_other_terms_may_be_silent() -> None:
    problem = _of_noise(slice(50), slice(90, None))
    cycle = leaf("Per", sd=0.5, lengthscale=1.0, period=0.1)
    found = scattered(condition(LEVEL + cycle, problem), LANGUAGES["extended"])
    assert [str(one) for one in found] == ["Per + C + CW(WN, WN)", "C + CW(Per + WN, WN)"]
    window = found[1].parts[1].named()
    assert (window["location"], window["width"]) == pytest.approx((69.5 / 149.0, 40.0 / 149.0), abs=0.03)
    assert (
        str(scattered(condition(LEVEL + cycle, _of_noise(slice(50, 90))), LANGUAGES["extended"])[1])
        == "C + CW(WN, Per + WN)"
    )


@pytest.mark.parametrize(("rows", "expected"), [(slice(80, None), "CP(0, Per)"), (slice(40, 70), "CW(0, Per)")])
def test_a_cycle_that_acts_in_a_stretch_is_silent_elsewhere(rows: slice, expected: str) -> None:
    y = 0.3 * ERRORS
    y[rows] += np.sin(2 * np.pi * np.arange(150.0) / 9.0)[rows]
    drifting = leaf("SE", sd=1.0, lengthscale=0.1) * leaf("Per", sd=1.0, lengthscale=2.0, period=9.0 / 149.0)
    problem = Problem(np.linspace(0.0, 1.0, 150)[:, None], y, ("x",))
    (found,) = silenced(condition(drifting + leaf("WN", sd=0.3), problem), LANGUAGES["extended"])
    assert str(found) == f"WN + {expected}".replace("Per", "SE * Per")
    window = found.parts[1].named()
    start = window["location"] - 0.5 * window.get("width", 0.0)
    assert start == pytest.approx((rows.start - 0.5) / 149.0, abs=0.05)  # a cycle fades in


def test_noise_of_one_size_stays() -> None:
    draws = np.random.default_rng(0).normal(0.0, 1.0, (40, 150))
    assert sum(scattered_stretch(noise, 15, windows=True) is not None for noise in draws) <= 4


def test_a_model_without_noise_of_its_own_has_no_two_sizes() -> None:
    level = leaf("C", sd=1.0)
    assert scattered(condition(level + leaf("SE", sd=1.0, lengthscale=0.2), POINTS), LANGUAGES["extended"]) == []
    assert scattered(condition(level + leaf("WN", sd=0.2), POINTS), LANGUAGES["se"]) == []


def _walk(*away: slice) -> Problem:
    y = np.cumsum(0.1 * ERRORS)
    for rows in away:
        y[rows] -= 3.0
    return Problem(np.linspace(0.0, 1.0, 150)[:, None], y, ("x",))


WALK = leaf("Wiener", sd=1.2, location=0.0) + leaf("C", sd=1.0) + leaf("WN", sd=0.05)


@pytest.mark.parametrize("rows", [2, 5, 20])
def test_a_stretch_that_departs_from_a_walk_becomes_a_window(rows: int) -> None:
    (found,) = interrupted(condition(WALK, _walk(slice(60, 60 + rows))), LANGUAGES["extended"].with_priors)
    assert str(found) == "Wiener + C + WN + CW(C, WN)"
    window = found.parts[3].named()
    assert window["location"] == pytest.approx((59.5 + 0.5 * rows) / 149.0, abs=0.01)
    assert window["width"] == pytest.approx(rows / 149.0, abs=0.01)
    assert found.parts[3].parts[0].named()["sd"] == pytest.approx(3.0, rel=0.2)


def test_a_walk_and_one_that_goes_elsewhere_at_its_end_have_no_window() -> None:
    language = LANGUAGES["extended"].with_priors
    assert interrupted(condition(WALK, _walk()), language) == []
    assert interrupted(condition(WALK, _walk(slice(145, None))), language) == []
    assert interrupted(condition(WALK, _walk(slice(60, 65))), LANGUAGES["changepoint"]) == []
