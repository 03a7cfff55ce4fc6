"""What happens beyond the data: a sentence for every kind of part; the others are in `test_extents`."""

from __future__ import annotations

import pytest
from tests.describe.factory import beyond
from tests.describe.words.test_nouns import DOWN, UP, WN, C, lin, matern, per, se, since, until

from autostatistician.language.kernel import Kernel

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
