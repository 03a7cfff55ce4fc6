"""What happens beyond the data: a sentence for every kind of part; the others are in `test_extents`."""

from __future__ import annotations

import re
from dataclasses import replace

import pytest
from tests.describe.factory import MONTHLY, MONTHS, beyond, units_on
from tests.describe.words.test_nouns import DOWN, UP, WN, C, lin, matern, per, se, since, until

from autostatistician.describe.facts.kinds import Exactness, Growth
from autostatistician.describe.facts.part import (
    AmplitudeChange,
    CombinedCycles,
    Head,
    LinearTrend,
    NoiseLevel,
    Periodicity,
    SmoothVariation,
    Trend,
    Wandering,
)
from autostatistician.describe.words.extrapolation import extrapolation
from autostatistician.language.kernel import Kernel
from autostatistician.wording.messages import spoken_in

UNITS = replace(units_on(MONTHLY, MONTHS), level=None)

ENDS = {
    "The level is assumed to stay as it is.": C,
    "The noise goes on, so single values stay uncertain, however good the rest of the forecast.": WN,
    "The pattern is assumed to repeat exactly every year without end.": per(1.0),
    "Its last slope carries on at first; where it turns next cannot be told, so its band widens quickly.": matern(
        32, 50.0
    ),
    "The data determine its course for roughly another 3 years. Beyond that, the forecast takes it as zero, give or "
    "take its usual ups and downs.": se(3.0),
}


@pytest.mark.parametrize("text", ENDS)
def test_parts_go_on_as_their_kind_does(text: str) -> None:
    assert beyond(ENDS[text]) == text


def test_lines_go_on_the_way_they_went() -> None:
    assert "go on rising by" in beyond(lin(1940.0), mean=UP)
    assert "go on falling by" in beyond(lin(1940.0), mean=DOWN)


@pytest.mark.parametrize(
    ("kernel", "text"),
    [
        (until(C, 1955.0), "This part has ended before the end of the data"),
        (since(C, 1990.0), "This part sets in only around 1990; the data tell nothing about it."),
    ],
)
def test_parts_that_do_not_act_at_the_end_add_nothing(kernel: Kernel, text: str) -> None:
    assert beyond(kernel).startswith(text.replace("around 1990", "around January 1990"))


def test_what_is_probable_only_is_said_to_be() -> None:
    line = LinearTrend(id="p", number=8.0, unit="1", evidence="e", direction=1, probability=0.93)
    assert extrapolation((line,), UNITS) == ("The line is assumed to go on straight; it probably rises, by 8 per year.")
    slow = SmoothVariation(id="p", number=9.0, unit="1", evidence="e", slow=True)
    falls = Trend(id="p", number=-3.0, unit="1", evidence="e", direction=-1, steady=True, share=1.0, probability=0.93)
    text = extrapolation((slow, falls), UNITS)
    assert text.startswith("The trend probably goes on falling smoothly at first. Its band widens, and far beyond")


def test_several_cycles_whose_shapes_change_slowly_go_on() -> None:
    year = Periodicity(
        id="p", number=1.0, unit="1", evidence="e", exactness=Exactness.APPROXIMATE, drift=30.0, steady=True,
        several_scales=False, detail=0.5,
    )  # fmt: skip
    both = CombinedCycles(id="p", number=1.0, unit="1", evidence="e", cycles=(year, replace(year, number=0.25)))
    assert extrapolation((both,), UNITS) == (
        "The pattern is assumed to go on with the same periods; its shape changes so slowly (over about 30 years) that "
        "the next cycles should look like the last ones."
    )


@pytest.mark.parametrize(
    ("head", "probability", "goes"),
    [
        (NoiseLevel(id="p", number=3.0, unit="1", evidence="e", first=2.0, last=4.0), 0.93, "Its size probably goes"),
        (NoiseLevel(id="p", number=3.0, unit="1", evidence="e", first=2.0, last=4.0), 0.7, "Its size may go"),
        (Wandering(id="p", number=9.0, unit="1", evidence="e", rough=True, free=True), 0.93, "Its steps probably go"),
        (Wandering(id="p", number=9.0, unit="1", evidence="e", rough=True, free=True), 0.7, "Its steps may go"),
    ],
)
def test_sizes_go_on_as_surely_as_they_changed(head: Head, probability: float, goes: str) -> None:
    grows = AmplitudeChange(
        id="p", number=2.0, unit="1", evidence="e", kind=Growth.GROWS, degree=1, location=None, probability=probability
    )
    assert extrapolation((head, grows), UNITS).endswith(f" {goes} on growing in a straight line.")
    with spoken_in("de"):
        hedge = r"(wird|werden) vermutlich" if probability > 0.9 else "(kann|können)"
        assert re.search(f"{hedge} geradlinig weiterwachsen[.]$", extrapolation((head, grows), UNITS))
