"""What the table of all series shows of each: texts for people beside the numbers that it is sorted by."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from hashlib import sha256
from urllib.parse import quote

from autostatistician.describe.panels.facts import PanelFacts, group_of
from autostatistician.describe.panels.notes import NAMELESS
from autostatistician.describe.panels.phrases import shift
from autostatistician.describe.panels.traits import SeriesTraits
from autostatistician.describe.panels.words import group_text, reasons_text
from autostatistician.report.text import cleaned, slug
from autostatistician.wording.messages import again, message, say
from autostatistician.wording.names import clean_name
from autostatistician.wording.numbers import amount, fixed, percent

__all__ = ["COLUMNS", "MOST_ROWS", "Cell", "Row", "page_file", "panel_rows"]

MOST_ROWS = 2000  # that a page shows
LONGEST_NAME = 120
NONE = "\N{EN DASH}"
COLUMNS = (  # title, what it says at length
    (message("Series"), message("The name of the series and what it does")),
    (message("Rows"), message("Rows with a value")),
    (message("Change"), message("From the first level to the last, seasons left out")),
    (message("Growth"), message("Per year, beside sudden changes that last")),
    (message("Season"), message("Its swing between lowest and highest, as a share of the level")),
    (
        message("Last"),
        message(
            "The level at the last row, without what single values scatter; with a season the mean over the last one"
        ),
    ),
    (
        message("Forecast"),
        message("The mean of the forecast against the level at the last row, or the same part of the season before"),
    ),
    (message("Scatter"), message("Of single values about the course, as a share of the level")),
    (message("Surprise"), message("How much it differs from the others; 0 where it does not")),
)


@dataclass(frozen=True)
class Cell:
    """A text and the number that it stands for; None where there is none."""

    text: str
    number: float | None = None


@dataclass(frozen=True)
class Row:
    """A series of the table: its cells without the first one, which is its name with what it does."""

    name: str
    about: str
    cells: tuple[Cell, ...]
    link: str  # where its page is, "" where none was made
    why: str  # what is surprising in it, "" for nothing
    group: int  # among the groups of the page, -1 in none
    picture: str
    done: bool


def panel_rows(
    drawn: Sequence[tuple[SeriesTraits, str]], facts: PanelFacts, pages: Mapping[str, str]
) -> tuple[Row, ...]:
    """The rows of the table, the most surprising first, then as in the data; no more than a page can bear."""
    strengths = {surprise.name: surprise.strength for surprise in facts.surprises}
    why = {surprise.name: reasons_text(surprise) for surprise in facts.surprises}
    groups = {name: index for index, group in enumerate(facts.groups) for name in group.names}
    ranked = sorted(drawn, key=lambda pair: -strengths.get(pair[0].name, 0.0))[:MOST_ROWS]
    return tuple(
        Row(
            _shown(traits.name), _about(traits),
            _cells(traits, strengths.get(traits.name, 0.0)), _link(pages.get(traits.name, "")),
            cleaned(why.get(traits.name, "")), groups.get(traits.name, -1), picture, traits.done,
        )
        for traits, picture in ranked
    )  # fmt: skip


def _about(traits: SeriesTraits) -> str:
    return group_text(group_of(traits)) if traits.done else cleaned(clean_name(again(traits.reason), 300))


def _shown(name: str) -> str:
    return cleaned(clean_name(name, LONGEST_NAME)) or say(NAMELESS)


def _cells(traits: SeriesTraits, strength: float) -> tuple[Cell, ...]:
    season = Cell(say("none"), 0.0) if traits.done and not traits.seasons else _percent(traits.swing)
    if traits.seasons and traits.swing is None:
        season = Cell(say("yes"), None)
    last = Cell(NONE)
    if traits.last is not None:
        last = Cell(amount(traits.last, spread=abs(traits.last) * (traits.noise or 0.0)), traits.last)
    return (
        Cell(fixed(traits.rows, 0), float(traits.rows)),
        _change(traits),
        _shift(traits.growth),
        season,
        last,
        _shift(traits.ahead),
        _percent(traits.noise),
        Cell(fixed(strength, 1) if strength else "0", strength) if traits.done else Cell(NONE),
    )


def _change(traits: SeriesTraits) -> Cell:
    """The change as a share, or of levels that are not above zero in units of the data, which do not compare."""
    if traits.change is not None or traits.rise is None:
        return _shift(traits.change)
    return Cell(f"{'+' if traits.rise > 0.0 else ''}{amount(traits.rise, 2)}", None)


def _shift(share: float | None) -> Cell:
    return Cell(NONE) if share is None else Cell(shift(share), share)


def _percent(share: float | None) -> Cell:
    return (
        Cell(NONE)
        if share is None
        else Cell(say("<{percent}", percent=percent(0.001)) if 0.0 < share < 0.001 else percent(share), share)
    )


def _link(path: str) -> str:
    """A path beside the page as an address, which no name can turn into one of another kind."""
    return f"./{quote(path, safe='/')}" if path else ""


def page_file(name: str) -> str:
    """The name of a file for the page of a series: safe on every disk, and another one for every name.

    >>> page_file("north/1"), page_file("../con")
    ('north-1-2c911472.html', '---con-a2436930.html')
    """
    return f"{slug(name)[:60]}-{sha256(name.encode('utf-8', 'surrogatepass')).hexdigest()[:8]}.html"
