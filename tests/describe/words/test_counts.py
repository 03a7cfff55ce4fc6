"""What is said of counts, word for word."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import numpy as np
import pytest
from tests.describe.factory import DEPTHS, PLAIN, units_on
from tests.describe.function_cases import UNITS

from autostatistician.describe.axis.scale import Scale
from autostatistician.describe.axis.units import Units
from autostatistician.describe.facts.claim import Claim, WeighedClaim
from autostatistician.describe.facts.fact import SHARE, Fact
from autostatistician.describe.facts.kinds import ClaimKind
from autostatistician.describe.facts.part import NoiseLevel
from autostatistician.describe.facts.whole import (
    ChanceOfNone,
    CountScatter,
    ExpectedTotal,
    ForecastRange,
    LogScale,
    NoneOrSome,
)
from autostatistician.describe.words.claims import statements
from autostatistician.describe.words.counts import (
    counts_of_table_text,
    counts_text,
    none_text,
    scatter_text,
    zeros_apart_text,
)
from autostatistician.describe.words.description import description
from autostatistician.describe.words.extrapolation import extrapolation
from autostatistician.describe.words.forecast import forecast_short, forecast_text
from autostatistician.describe.words.plain import zeros_text
from autostatistician.describe.words.scale import scale_sentence, scale_text
from autostatistician.describe.words.statement import statement

COUNTS = replace(UNITS, level=250.0, counts=True)
SCALE = LogScale(id="s", number=42.0, unit="1", evidence="e", level=250.0, by_evidence=False, probability=None)
NOISE = NoiseLevel(id="n", number=0.1, unit="log target", evidence="e", first=0.1, last=0.1)
READ = (
    "The model is of the logarithm of that rate: its parts multiply instead of adding up, so amounts are percentages "
    "of what the other parts give. Levels are rates, with 250 as the typical one; where other parts swing about a "
    "level, the mean lies above it. Ranges of a forecast are whole numbers; the forecast itself, the number expected, "
    "need not be one. Shares of variation are those of the logarithm, with what chance adds. Misses are told in the "
    "units of 'sales', as the root of their mean square: forecasts are means, and by the average miss nothing does "
    "better than 0 where most values are 0."
)


def scatter(times: float) -> CountScatter:
    return CountScatter(id="model/counts", number=times, unit="1", evidence="e")


@pytest.mark.parametrize(
    ("scale", "why"),
    [
        (SCALE, "because that describes them better than normal noise does (by 42 of BIC)"),
        (replace(SCALE, number=float("nan")), "as was asked for"),
        (
            replace(SCALE, by_evidence=True, number=4.0),
            "because that makes them more probable than normal noise does (by 2.0 in the logarithm)",
        ),
    ],
)
def test_why_they_are_counts(scale: LogScale, why: str) -> None:
    said = f"The values of 'sales' are taken as counts about a rate (Poisson), {why}. {READ}"
    assert counts_text(scale, COUNTS) == said
    assert scale_text((scale, scatter(1.0)), COUNTS) == f"{said} {scatter_text((scatter(1.0),), COUNTS)}"
    assert "about a rate that itself scatters (Poisson, of a rate" in scale_text((scale, scatter(2.04)), COUNTS)


def test_counts_whose_rate_scatters() -> None:
    said = counts_text(SCALE, replace(COUNTS, law="negative-binomial"))
    assert said == (
        "The values of 'sales' are taken as counts about a rate that itself scatters (negative binomial), because that "
        f"describes them better than normal noise does (by 42 of BIC). {READ}"
    )


def test_counts_by_an_exposure_are_rates() -> None:
    units = replace(COUNTS, target="deaths per 1,000 of cars", level=4.13, sizes="cars")
    assert counts_text(replace(SCALE, level=4.13, number=float("nan")), units) == (
        "The values of 'deaths per 1,000 of cars' are taken as counts about a rate (Poisson), each in as much of "
        "'cars' as its row has, as was asked for. The model is of the logarithm of that rate: its parts multiply "
        "instead of adding up, so amounts are percentages of what the other parts give. Levels are rates, with 4.13 as "
        "the typical one; where other parts swing about a level, the mean lies above it. Ranges of a forecast are "
        "those of counts in as much of 'cars' as is planned. Shares of variation are those of the logarithm, with what "
        "chance adds. Misses are told in the units of 'deaths per 1,000 of cars', as the root of their mean square: "
        "forecasts are means, and by the average miss nothing does better than 0 where most values are 0."
    )
    ahead = ForecastRange(id="f", number=5.04, unit="target", evidence="e", interval=(1.3, 10.2), position=1962.0)
    assert "5.0 for January 1962 (range: 1.3 to 10.2)" in forecast_text((ahead,), units)


def test_scatter_beyond_chance() -> None:
    assert scatter_text((scatter(1.01),), COUNTS) == (
        "However well its rate is known, 'sales' scatters about it by chance, and it scatters no more than that."
    )
    assert scatter_text((scatter(2.04),), COUNTS) == (
        "However well the rate that the model expects is known, 'sales' scatters about it: by chance, as counts do, "
        "and because the rate itself scatters beyond that. Together that is 2 times the variance that chance alone "
        "would give."
    )
    assert scatter_text((), COUNTS) == ""


def test_zeros_with_a_chance_of_their_own() -> None:
    assert counts_text(SCALE, replace(COUNTS, law="hurdle")).startswith(
        "The values of 'sales' are taken as counts about a rate of those above 0 (Poisson in a hurdle model: zeros "
        "have a chance of their own), because that describes them better"
    )
    fact = NoneOrSome(id="n", number=0.62, unit=SHARE, evidence="e", interval=(0.54, 0.69), low=4.0, high=9.0)
    said = (
        "'sales' is 0 with a chance of 62% (between 54% and 69%), the same at all times; where it is not, it is mostly "
        "4 to 9 (80% of these values). Rate, levels and parts are about those."
    )
    assert zeros_apart_text((fact,), COUNTS) == said
    assert "it is mostly 1 (80%" in zeros_apart_text((replace(fact, low=1.0, high=1.0),), COUNTS)
    assert zeros_apart_text((), COUNTS) == ""
    assert zeros_text((fact,)) == "Those above zero are mostly 4 to 9, and what is said of a course is about them."
    told = scale_text((SCALE, scatter(2.04), fact), replace(COUNTS, law="hurdle"))
    assert told.endswith(f"the variance that chance alone would give. {said}")


@pytest.mark.parametrize(("units", "at"), [(COUNTS, "January 1962"), (units_on(PLAIN, DEPTHS), "depth = 1962")])
def test_the_chance_of_none(units: Units, at: str) -> None:
    none = ChanceOfNone(id="n", number=0.03, unit=SHARE, evidence="e", position=1962.0)
    assert none_text((none,), units) == f"The chance of a value of 0 is 3% for {at}."
    assert none_text((), units) == ""


@pytest.mark.parametrize(
    ("tell", "visible", "said"),
    [
        (statement, True, "Scatter beyond chance; 95% of it lies between −18% and +22%."),
        (statement, False, "No scatter beyond chance that can be seen."),
        (
            description, True,
            "The rate of 'sales' differs from one observation to the next and follows no pattern. Of the rates, 95% "
            "are expected between 18% below and 22% above the rest of the model.",
        ),
        (
            description, False,
            "Beside what chance alone gives counts, no scatter of 'sales' can be seen. If the rate itself scatters, "
            "95% of that lies between −18% and +22%.",
        ),
        (
            extrapolation, True,
            "Chance goes on, so single values stay uncertain, however good the forecast of the rate.",
        ),
    ],
)  # fmt: skip
def test_noise_is_what_scatters_beyond_chance(
    tell: Callable[[tuple[Fact, ...], Units], str], visible: bool, said: str
) -> None:
    assert tell((replace(NOISE, visible=visible),), COUNTS) == said


def test_the_sentence_of_a_list_and_whole_numbers() -> None:
    assert scale_sentence(COUNTS) == (
        "The model is of the logarithm of the rate of 'sales', a count: its parts multiply."
    )
    ahead = ForecastRange(
        id="f", number=5.0, unit="target", evidence="e", interval=(1.0, 10.0), position=float(np.float64(1962.0))
    )
    assert "5.0 for January 1962 (range: 1 to 10)" in forecast_text((ahead,), COUNTS)


@pytest.mark.parametrize(
    ("kind", "said"),
    [
        (ClaimKind.NO_NOISE, "No scatter beyond chance that can be seen"),
        (ClaimKind.NOISE, "Scatter beyond chance, of the same size throughout"),
        (ClaimKind.NOISE_OF_A_STRETCH, "Scatter beyond chance whose size differs from stretch to stretch"),
        (ClaimKind.CHANGING_NOISE, "Scatter beyond chance whose size changes along the data"),
    ],
)
def test_claims_on_noise(kind: ClaimKind, said: str) -> None:
    claims = [WeighedClaim(Claim(kind), 0.9, True)]
    assert [told.text for told in statements(claims, COUNTS)] == [said]
    if kind is ClaimKind.NOISE:
        assert [told.text for told in statements(claims, COUNTS, steady=False)] == ["Scatter beyond chance"]


PARTS = replace(COUNTS, target="share of late in trains", level=0.23, top=1.0, law="binomial", sizes="trains")
PERCENT = replace(UNITS, target="late %", level=23.0, top=100.0)


def test_shares_of_totals() -> None:
    assert counts_text(replace(SCALE, level=0.23, number=float("nan")), PARTS) == (
        "The values of 'share of late in trains' are taken as parts of totals (binomial), each of as many as its "
        "row has in 'trains', as was asked for. So that shares stay between 0% and 100%, the model is of the logarithm "
        "of their odds. What a part does is told as 'share of late in trains' would be with all other parts as usual, "
        "where it is 23%; near 0% and 100% it does less. Ranges of a forecast are those of parts of as many 'trains' "
        "as are planned. Average misses are percentage points about that share, with what chance adds, and shares of "
        "variation are those of the logarithm."
    )
    lead = "However well its chance is known, 'share of late in trains' scatters about it"
    assert scatter_text((scatter(1.01),), PARTS) == f"{lead} as parts of totals do, and no more than that."
    beyond = f"{lead}; its variance is 2 times what chance alone gives in such totals."
    assert scatter_text((scatter(2.04),), PARTS) == beyond


def test_odds_of_percentages() -> None:
    reads = (
        "What a part does is told as 'late %' would be with all other parts as usual, where it is 23%; near 0% and "
        "100% it does less."
    )
    assert scale_text((replace(SCALE, level=23.0),), PERCENT) == (
        "So that 'late %' stays between 0% and 100%, the model is of the logarithm of its odds, because that describes "
        f"these data better (by 42 of BIC, on reference models). {reads} Average misses are percentage points about "
        "that share, and shares of variation are those of the logarithm."
    )
    assert scale_sentence(PERCENT) == reads
    assert PERCENT.typical == "typical share"


def test_forecast_of_seldom_counts_tells_the_number_expected_and_the_total() -> None:
    first = ForecastRange(id="f", number=1.07, unit="target", evidence="e", interval=(0.0, 7.0), position=1961.0)
    ahead = (first, replace(first, position=1962.0))
    total = ExpectedTotal(id="t", number=27.9, unit="target", evidence="e", steps=26)
    assert "is 1.1 all the way" in forecast_short((*ahead, total), COUNTS)
    assert forecast_short((*ahead, total), COUNTS).endswith("together are expected to come to 28.")
    assert "Forecasts are means: the number expected" in forecast_text(ahead, COUNTS)
    assert "Forecasts are medians" in forecast_text((replace(first, median=True),), replace(COUNTS, counts=False))


def test_counts_that_scatter_beyond_chance_are_not_called_plain_poisson() -> None:
    scale = Scale(target="visits", level=2.0, counts=True)
    assert "about a rate (Poisson)" in counts_of_table_text(1.0, None, scale)
    assert "about a rate that itself scatters (Poisson, of a rate" in counts_of_table_text(5.8, None, scale)
