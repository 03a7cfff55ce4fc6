"""What is observed of a whole series: course, breaks, checks, claims, conditions, outliers and columns."""

import re
from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import pytest
from numpy.typing import NDArray
from tests.describe import factory
from tests.describe.checks import ERRORS, FINE, trial
from tests.describe.covariate_cases import NOISE, PRICE, PROMO, WEATHER, around, findings, with_columns
from tests.describe.factory import airline, ran, short, told_claims
from tests.describe.function_cases import COURSE, EVENT, SCATTER, SEASON, SPELL, UNITS, seen
from tests.describe.grown import grown
from tests.describe.sentences import check_document

from autostatistician import AutomaticStatistician
from autostatistician.claims.claim import Claim as Said
from autostatistician.claims.kinds import Kind
from autostatistician.data.outliers import Outlier, Screening
from autostatistician.decompose.records.function import Estimate, FunctionCourse
from autostatistician.decompose.records.series import Checks, Decomposition, EffectAt, Joint, SumAhead
from autostatistician.describe.document.record import fact_json
from autostatistician.describe.document.series.pictures import _happened
from autostatistician.describe.facts.whole import (
    BaselineError,
    ForecastRange,
    ForecastReach,
    ManyZeros,
    MissingTimes,
    NaturalLimit,
    NextSum,
)  # fmt: skip
from autostatistician.describe.observe.series.claims import stretch_claims
from autostatistician.describe.observe.series.covariates import covariate_findings
from autostatistician.describe.observe.series.findings import plain_facts, series_findings
from autostatistician.describe.observe.series.function import function_claims
from autostatistician.describe.observe.series.parts import units_for
from autostatistician.describe.observe.series.whole import model_facts, outlier_claims
from autostatistician.describe.tell import document, sentences
from autostatistician.describe.words.events import far_off_text, happened_text
from autostatistician.describe.words.outliers import comes_again_text, set_aside_text
from autostatistician.describe.words.parts import find
from autostatistician.describe.words.plain import zeros_text
from autostatistician.forms import Curve, Filling, Varying
from autostatistician.kernels.kernel import Kernel, leaf

D = factory.airline()
FACTS = model_facts(D)


def test_the_baseline_is_the_mean_of_the_data() -> None:
    base = find(FACTS, BaselineError)
    assert base is not None
    assert base.number == D.mae_of_mean == pytest.approx(np.abs(D.y - D.y.mean()).mean())


def test_the_reach_of_a_forecast_and_limits_that_it_touches() -> None:
    ahead = Curve.normal(1961.0 + np.arange(4.0) / 12, np.array([5.0, 2.0, 9.0, 4.0]), np.full(4, 2.0))
    facts = model_facts(replace(D, y=np.abs(D.y), forecast=ahead, limits=(-1.92, np.inf)))
    reach = find(facts, ForecastReach)
    assert reach is not None
    assert (reach.low, reach.high, reach.number, reach.crosses) == (2.0, 9.0, 7.0, True)
    limits = [(one.number, one.upper) for one in facts if isinstance(one, NaturalLimit)]
    cut = replace(ahead, median=np.array([4.0, 2.0, 6.0, 4.0]))
    told = [one.number for one in model_facts(replace(D, forecast=cut)) if isinstance(one, ForecastRange)]
    assert told == [4.0, 4.0]  # medians, where a limit cuts the means
    assert limits == [(-1.92, False)]


@pytest.mark.parametrize(
    ("lacking", "told"),
    [
        ([30, 60], None),
        (range(40, 45), (5, 144, 5)),
        (range(2, 40, 4), (10, 144, 1)),
        ([*range(9, 15), 70], (7, 144, 6)),
    ],
)
def test_many_missing_times_are_told(lacking: Sequence[int], told: tuple[int, int, int] | None) -> None:
    there = np.setdiff1d(np.arange(144), list(lacking))
    missing = find(model_facts(replace(D, x=D.x[there])), MissingTimes)
    assert (None if missing is None else (missing.many, missing.of, missing.longest)) == told
    if missing is not None and told is not None and told[2] > 1:
        first = D.x[min(lacking)]
        assert (missing.start, missing.stop) == pytest.approx((first, first + (told[2] - 1) / 12))


Array = NDArray[np.float64]
X = np.arange(30.0)


def _told(y: Array, depth: int = 2) -> tuple[list[str], str]:
    """The sentences on a series, and the abstract with the text of the report."""
    model = AutomaticStatistician(max_depth=depth, n_restarts=4, n_jobs=1).fit(X[: y.size, None], y)
    report = document(model.explanation())
    check_document(report)
    text = " ".join((*report.points, *report.careful, *(str(section) for section in report.sections)))
    return model.describe(), f"{report.abstract} {text}"


@pytest.mark.slow
def test_an_exact_line_has_its_slope_and_no_noise() -> None:
    told, report = _told(3.0 + 2.0 * X)
    assert told[0] == "A linearly increasing trend; it rises by 2 per unit of 'x'."
    assert told[-1] == "No noise that can be seen."
    assert report.startswith("'y' rose from about 3 to 61, steadily, by about 2 per unit of 'x'")
    assert "is 63.000 for 'x' = 30 (95% range: 62.999 to 63.001)" in report
    assert "way of measuring changed" not in report


@pytest.mark.slow
@pytest.mark.parametrize("y", [np.sin(X / 2.0), 1.0 + 0.5 * X**2, np.exp(0.1 * X)], ids=["wave", "parabola", "growth"])
def test_an_exact_curve_has_no_noise_that_can_be_seen(y: Array) -> None:
    told, report = _told(y)
    assert told[-1] == "No noise that can be seen."
    assert "way of measuring changed" not in report


@pytest.mark.slow
def test_values_that_are_all_the_same_are_no_chance() -> None:
    told, report = _told(np.full(25, 5.0), depth=1)
    assert told[0].startswith("All values are the same: 5. There is nothing to explain")
    assert "All values are the same: 5." in report
    assert "chance" not in report.split("All values")[0]


@pytest.mark.slow
def test_ten_rows_are_said_to_show_little() -> None:
    y = np.array([1.0, 4.0, 2.0, 0.0, 1.1, 4.1, 2.1, 0.1, 1.2, 4.2])
    _, report = _told(y, depth=1)
    assert "Ten rows show little" in report


def test_noise_at_the_ends_is_that_of_the_rows_and_not_of_the_shape_of_the_noise() -> None:
    """The shape runs to a size at the end that no row shows."""
    x = factory.MONTHS
    mean = 3.0 * (-1.0) ** np.arange(x.size)
    part = factory.component(leaf("WN", sd=1.0) * leaf("Lin", sd=0.5, location=1948.0), x, mean, sd=np.zeros(x.size))
    told = sentences(factory.decomposition((part,), x, mean, factory.MONTHLY))
    sizes = [float(number) for number in re.findall(r"±([\d.]+)", " ".join(told))]
    assert sizes == pytest.approx([5.9, 5.9], abs=0.05)


def test_zeros_are_told_where_they_are_common_among_whole_numbers() -> None:
    counts = np.resize([0.0, 0.0, 3.0, 0.0, 1.0], 144)
    counts[-14:] = np.resize([0.0, 2.0], 14)
    found = replace(factory.airline(), y=counts)
    (zeros,) = (fact for fact in plain_facts(found) if isinstance(fact, ManyZeros))
    assert (zeros.number, zeros.late, zeros.rows) == (np.mean(counts == 0.0), 0.5, 14)
    assert zeros_text((zeros,)) == "59% of the values are zero, 50% of the last 14."
    for other in (counts + 0.5, counts + 1.0, np.zeros(144)):
        assert not any(isinstance(fact, ManyZeros) for fact in plain_facts(replace(found, y=other)))


def test_parts_are_numbered_and_their_facts_carry_their_names() -> None:
    found = series_findings(factory.airline())
    assert [part.number for part in found.parts] == [1, 2, 3, 4]
    for part in found.parts:
        assert all(fact.id.startswith(f"{part.id}/") for fact in part.facts)
    ids = [fact.id for part in found.parts for fact in part.facts] + [fact.id for fact in found.facts]
    assert len(ids) == len(set(ids))


def test_what_was_not_asked_for_is_missing() -> None:
    bare = series_findings(factory.airline())
    assert (bare.checks, bare.test, bare.claims) == (None, None, ())
    tested = series_findings(replace(factory.airline(), checks=Checks((FINE,), ERRORS), calibration=trial(0.9)))
    assert tested.checks is not None
    assert tested.test is not None
    assert tested.checks.errors is ERRORS


def test_a_series_alone_has_none() -> None:
    assert covariate_findings(factory.airline()) is None


def test_numbers_of_records_are_numbers_of_facts() -> None:
    fact = findings(PROMO, PRICE).columns[0].effect
    assert (fact.value, fact.number.interval, fact.probability) == (25.0, (23.0, 27.0), 1.0)
    assert fact.witness is not None
    assert fact.witness.number.value == pytest.approx(25.3)
    assert "only" not in fact.marks
    assert "only" in findings(PROMO).columns[0].effect.marks


def test_categories_have_their_names_and_moments_their_places() -> None:
    weather = findings(WEATHER).columns[0].effect
    assert [weather.levels[round(value.at[0])] for value in weather.of(Kind.LEVEL)] == ["rain", "snow"]
    moment = EffectAt(1955.5, around(30.0))
    changing = findings(replace(PROMO, varying=Varying.SEASON, moments=(moment,))).columns[0]
    assert [(one.at, one.value) for one in changing.effect.of(Kind.PHASE)] == [((1955.5,), 30.0)]


@pytest.mark.slow
def test_effects_on_logarithms_say_so() -> None:
    made = covariate_findings(replace(grown(), covariates=with_columns(PROMO).covariates))
    assert made is not None
    assert fact_json(made.columns[0].effect, units_for(grown()))["unit"] == "log target"


def test_the_forecast_names_the_columns_without_a_plan() -> None:
    ahead = findings(PROMO, PRICE, NOISE, fillings=(("price", Filling.LAST),)).ahead
    assert ahead is not None
    assert (ahead.planned, ahead.unplanned, ahead.number) == (("promo",), (("price", Filling.LAST),), 1)
    assert findings(NOISE).ahead is None


def test_the_series_is_shown_as_it_was_observed() -> None:
    made = findings(PROMO)
    assert made.curves.y.max() > factory.airline().y.max()
    *ends, reach = made.forecast
    assert [fact.position for fact in ends if isinstance(fact, ForecastRange)] == pytest.approx(
        [1961.0, 1962.0 + 1 / 12]
    )
    assert isinstance(reach, ForecastReach)  # an hour of the day is not what the forecast is all the way
    assert reach.number == pytest.approx(reach.high - reach.low)


T = np.linspace(0.0, 12.0, 144)
SQUARE = leaf("Lin", sd=2.0, location=1940.0) * leaf("Lin", sd=2.0, location=1941.0)
SLOW = leaf("SE", lengthscale=20.0, sd=10.0)
RISES, FALLS, VAGUE = ran(rising=1.0), ran(falling=1.0), ran(rising=0.8)


@pytest.mark.parametrize(
    ("kernel", "mean", "joint", "text"),
    [
        (SQUARE, T**2, RISES, "A curved trend that rises throughout."),
        (SQUARE, (12 - T) ** 2, FALLS, "A curved trend that falls throughout."),
        (SQUARE, T**2, VAGUE, "A curved trend that rises overall."),
        (SQUARE, -((T - 6) ** 2), VAGUE, "A curved trend."),
        (SLOW, T, RISES, "A slow, smooth trend that rises throughout."),
        (SLOW, T, VAGUE, "A slow, smooth trend that rises overall."),
    ],
)
def test_trends_run_as_the_joint_posterior_says(kernel: Kernel, mean: np.ndarray, joint: Joint, text: str) -> None:
    assert short(kernel, mean=mean, joint=joint) == text


def facts(course: FunctionCourse) -> dict[str, Said]:
    return {fact.id: fact for fact in function_claims(replace(airline(), function=course), UNITS)}


def test_what_both_witnesses_say_is_told() -> None:
    known = facts(COURSE)
    told = {name for name, fact in known.items() if fact.told}
    assert told == {"function/rise", "function/slope", "function/season-1", "function/change-1", "function/scatter"}
    assert known["function/scatter"].number.value == pytest.approx(4.0, abs=0.01)


@pytest.mark.parametrize(
    ("name", "course"),
    [
        ("rise", replace(COURSE, rise_witness=seen(0.0, agrees=False))),
        ("rise", replace(COURSE, rise=Estimate(350.0, -5.0, 700.0, 0.96))),
        ("rise", replace(COURSE, noise_in_data=1000.0)),
        ("slope", replace(COURSE, noise_in_data=1000.0)),
        ("season-1", replace(COURSE, seasons=(replace(SEASON, witness=seen(1.0, agrees=False)),))),
        ("season-1", replace(COURSE, seasons=(replace(SEASON, modelled=0.6),))),
        ("change-1", replace(COURSE, sudden=(replace(EVENT, probability=0.5),))),
        ("change-1", replace(COURSE, sudden=(replace(EVENT, witness=seen(1.0, agrees=False)),))),
        ("scatter", replace(COURSE, scatter=replace(SCATTER, ratio=Estimate(0.0, -0.1, 0.1, 0.5)))),
    ],
)
def test_what_one_of_them_does_not_say_is_not(name: str, course: FunctionCourse) -> None:
    assert not facts(course)[f"function/{name}"].told


def test_noise_is_the_same_throughout_only_where_thirds_are_alike() -> None:
    steady = replace(COURSE, scatter=None, homoscedasticity=0.4)
    assert not facts(COURSE)["function/noise"].told
    assert facts(steady)["function/noise"].told


def test_a_share_is_told_where_it_means_something() -> None:
    assert facts(COURSE)["function/change-1"]["ratio"] == pytest.approx(0.5)
    deep = replace(COURSE, sudden=(replace(EVENT, level=100.0),))
    assert facts(deep)["function/change-1"].get("ratio") is None


def test_without_a_course_there_are_no_facts() -> None:
    assert function_claims(replace(airline(), function=None), UNITS) == ()


UNITS_OF_CLAIMS = units_for(factory.airline())
WN = leaf("WN", sd=1.0)
YEARLY = leaf("Per", lengthscale=1.0, period=1.0, sd=1.0)
LINE = leaf("Lin", sd=1.0, location=1900.0)


def _told_of_claims(*models: tuple[Kernel, float]) -> dict[str, tuple[float, bool]]:
    return {one.text: (pytest.approx(one.probability), one.in_best) for one in told_claims(models, UNITS_OF_CLAIMS)}


def test_a_statement_has_the_weight_of_the_models_that_make_it() -> None:
    nearly = leaf("Per", lengthscale=1.0, period=1.01, sd=1.0)
    found = _told_of_claims((YEARLY + WN, 0.6), (nearly * LINE + WN, 0.3), (leaf("C", sd=1.0) + WN, 0.1))
    assert found == {"A yearly cycle": (0.9, True)}  # and not that its swings grow, which most models deny


def test_changes_at_nearly_one_place_are_one() -> None:
    def broken(place: float) -> Kernel:
        return Kernel.change_point(YEARLY, LINE, place, 4.0) + WN

    found = _told_of_claims((broken(1954.0), 0.5), (broken(1954.1), 0.3), (broken(1958.0), 0.2))
    changes = {text: known for text, known in found.items() if "change" in text}
    assert list(changes.values()) == [(0.8, True)]


def test_kinds_of_curves() -> None:
    slow, quick = leaf("SE", lengthscale=20.0, sd=1.0), leaf("SE", lengthscale=0.5, sd=1.0)
    wandering = leaf("Matern12", lengthscale=50.0, sd=1.0)
    found = told_claims([(slow + quick + wandering + WN * LINE, 1.0)], UNITS_OF_CLAIMS)
    assert {one.text for one in found} == {
        "A straight line or a slow curve",
        "An irregular variation",
        "A level or a slope that wanders freely",
    }


def test_what_is_improbable_is_not_listed() -> None:
    found = told_claims([(WN, 0.97), (YEARLY + WN, 0.03)], UNITS_OF_CLAIMS)
    assert found == ()


def test_what_wanders_off_is_told_as_such() -> None:
    walk, damped = leaf("Wiener", sd=1.0, location=1949.0), leaf("IOU", lengthscale=3.0, sd=1.0, location=1949.0)
    found = told_claims([(walk + WN * walk, 0.6), (damped + WN, 0.4)], UNITS_OF_CLAIMS)
    assert {one.text: one.probability for one in found} == {"A level or a slope that wanders freely": 0.6}


def test_every_value_is_one_fact() -> None:
    rows = (
        Outlier(1955.0, 146.0, 50.2, chance=0.97),
        Outlier(1957.0, 90.0, 50.0, chance=1.0),
        Outlier(1960.0, 5.0, 51.0, aside=False),
    )
    claims = outlier_claims(replace(D, screening=Screening(rows, 57.0)))
    assert [(one.at[0], one["value"], one["expected"], "aside" in one.marks) for one in claims] == [
        (1955.0, 146.0, 50.2, True), (1957.0, 90.0, 50.0, True), (1960.0, 5.0, 51.0, False),
    ]  # fmt: skip
    assert [one.probability for one in claims] == [0.97, 0.9999, None]
    assert {one["gain"] for one in claims} == {57.0}


def test_what_is_told_as_a_stretch_is_not_told_again_as_single_values() -> None:
    rows = (Outlier(1955.0, 120.0, 310.0), Outlier(1955.25, 500.0, 310.0), Outlier(1957.0, 90.0, 300.0))
    found = replace(D, function=replace(COURSE, sudden=(SPELL,)), screening=Screening(rows))
    (spell,) = (one for one in series_findings(found).claims if one.kind is Kind.EVENT)
    assert [(part.at[0], part["value"]) for part in spell.parts] == [(1955.0, 120.0)]
    single = [one.at[0] for one in series_findings(found).claims if one.kind is Kind.OUTLIER]
    assert single == [1955.25, 1957.0]  # above, where the stretch lies below; and elsewhere
    assert "The model was made without one of these values" in far_off_text([spell], UNITS)
    assert set_aside_text(series_findings(found).claims, UNITS).count("expected") == 2
    assert "four of 148 values" in comes_again_text([replace(spell, parts=spell.parts * 4)], UNITS)


def test_no_expected_value_lies_beyond_the_limits_of_the_data() -> None:
    rows = Screening((Outlier(1955.0, 14.0, -2.5),))
    (claim,) = outlier_claims(replace(D, screening=rows, limits=(0.0, np.inf)))
    assert claim["expected"] == 0.0
    assert claim.number.value == 14.0


def test_many_are_one_claim() -> None:
    (claim,) = outlier_claims(replace(D, screening=Screening(heavy=7)))
    assert (claim.kind, claim.number.value) == (Kind.TAILS, 7)


def test_none_is_none() -> None:
    assert outlier_claims(D) == ()


def test_a_day_that_comes_back_is_one_claim() -> None:
    rows = tuple(
        Outlier(x, y, 100.0, returns="date 12 25 0") for x, y in ((358.0, 19.0), (723.0, 21.0), (1088.0, 20.0))
    )
    (claim,) = outlier_claims(replace(D, screening=Screening(rows)))
    told = (claim.named["day"], claim.number.value, claim["level"], claim["times"], claim.at)
    assert (claim.kind, *told) == (Kind.RETURNING, "25 December each year", -80.0, 20.0, 3, (358.0, 1088.0))


def test_a_running_total_is_not_added_up() -> None:
    """The sum of the next months of one is the number of nothing."""
    made = airline()
    counts = np.cumsum(np.random.default_rng(0).poisson(7.0, made.x.size)).astype(float)
    total = replace(made, y=counts, sum_ahead=SumAhead(12, 9000.0, (8900.0, 9100.0), 8000.0, 0.0))
    assert find(series_findings(total).facts, NextSum) is None
    assert find(series_findings(replace(total, y=counts[::-1])).facts, NextSum) is not None


def _stretches(d: Decomposition, *function: Said) -> list[Said]:
    return [claim for claim in stretch_claims(d, function, units_for(d)) if claim.told]


def test_a_stretch_is_told_where_most_models_switch_and_data_are_apart() -> None:
    sun = factory.solar()
    noise = leaf("WN", sd=1.0)
    found = replace(sun, alternatives=((sun.fitted.kernel, 0.8), (noise, 0.2)))
    lower, quieter = _stretches(found)
    assert [(one.kind, one.at[-2:], one["last"]) for one in (lower, quieter)] == [
        (kind, (1643.0, 1716.0), 1715.0) for kind in (Kind.EVENT, Kind.SCATTER)
    ]
    assert lower.number.high < 0.0
    assert quieter.number.high < 0.8
    said = happened_text((lower, quieter), units_for(found))
    assert said == (
        "From 1643 to 1715 'irradiance' lay lower than over any other stretch as long: at about 1,360.06 on average, "
        "where 1,360.68 is usual. From 1643 to 1715 'irradiance' varied only 1/2.3 as far as is usual over a stretch "
        "as long."
    )
    assert [mark.label for mark in _happened((lower, quieter), units_for(found))] == ["fall: 1643", "back: 1716"]
    assert _stretches(replace(found, alternatives=((sun.fitted.kernel, 0.6), (noise, 0.4)))) == []
    assert _stretches(replace(found, y=np.random.default_rng(0).permutation(found.y))) == []


def test_what_ends_a_stretch_is_not_told_to_last() -> None:
    sun = factory.solar()
    found = replace(sun, alternatives=((sun.fitted.kernel, 1.0),))
    step = replace(_stretches(found)[0], kind=Kind.STEP, form="", at=(1644.0, 1645.0), id="step")
    later = replace(step, at=(1799.0, 1800.0), id="later")
    event = replace(step, kind=Kind.EVENT, at=(1643.0, 1644.0, 1717.0), id="event")
    assert [one.kind for one in _stretches(found, step, later)] == [Kind.STEP, Kind.EVENT, Kind.SCATTER]
    assert [(one.kind, one.id) for one in _stretches(found, event)[:1]] == [(Kind.EVENT, "event")]
    assert [one.kind for one in _stretches(found, event)] == [Kind.EVENT, Kind.SCATTER]
