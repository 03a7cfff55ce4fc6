"""What the table of all series shows of each: texts for people beside the numbers that it is sorted by."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from hashlib import sha256
from urllib.parse import quote

from autostatistician.claims.kinds import Kind
from autostatistician.describe.panels.facts import PanelFacts, group_of
from autostatistician.describe.panels.members import Member
from autostatistician.describe.panels.words import group_text, listed_text, shift, shown_name
from autostatistician.i18n.messages import again, message, say
from autostatistician.i18n.names import clean_name
from autostatistician.i18n.numbers import amount, fixed, percent
from autostatistician.report.text import cleaned, slug

__all__ = ["COLUMNS", "MOST_ROWS", "Cell", "Row", "SeriesTile", "page_file", "panel_lists", "panel_rows"]

MOST_ROWS = 2000  # that a page shows
LONGEST_NAME = 120
NONE = "\N{EN DASH}"
LISTS = {
    "late": message("What changed lately"), "most": message("What rose and fell most"),
    "unlike": message("What is unlike the others"), "ahead": message("Forecast"),
}  # fmt: skip
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
    (message("Listed"), message("How many lines of the lists above are about it")),
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
    group: int  # among the groups of the page, -1 in none
    picture: str
    done: bool


@dataclass(frozen=True)
class SeriesTile:
    """A series of a list with its picture and what the list says of it."""

    name: str
    link: str
    picture: str
    text: str


def panel_lists(
    drawn: Sequence[tuple[Member, str]], facts: PanelFacts, pages: Mapping[str, str]
) -> Iterator[tuple[str, str, tuple[SeriesTile, ...]]]:
    """Each list of the page that is not empty: its id, its title, and its series."""
    pictures = {member.name: picture for member, picture in drawn}
    for list_id, title in LISTS.items():
        texts: dict[str, list[str]] = {}
        for one in facts.lists:
            if one.list == list_id:
                texts.setdefault(one.member.name, []).append(cleaned(listed_text(one)))
        tiles = (
            SeriesTile(_shown(name), _link(pages.get(name, "")), pictures[name], " ".join(each))
            for name, each in texts.items()
        )
        if texts:
            yield list_id, say(title), tuple(tiles)


def panel_rows(drawn: Sequence[tuple[Member, str]], facts: PanelFacts, pages: Mapping[str, str]) -> tuple[Row, ...]:
    """The rows of the table, those that are listed most first, then as in the data; no more than a page can bear."""
    listed = Counter(one.member.name for one in facts.lists)
    groups = {name: index for index, group in enumerate(facts.groups) for name in group.names}
    ranked = sorted(drawn, key=lambda pair: -listed[pair[0].name])[:MOST_ROWS]
    return tuple(
        Row(
            _shown(member.name), _about(member), _cells(member, listed[member.name]), _link(pages.get(member.name, "")),
            groups.get(member.name, -1), picture, member.done,
        )
        for member, picture in ranked
    )  # fmt: skip


def _about(member: Member) -> str:
    return group_text(group_of(member)) if member.done else cleaned(clean_name(again(member.record.reason), 300))


def _shown(name: str) -> str:
    return cleaned(shown_name(name, LONGEST_NAME))


def _cells(member: Member, listed: int) -> tuple[Cell, ...]:
    level, scatter = member.record.level, member.share(Kind.NOISE)
    last = Cell(NONE) if level is None else Cell(amount(level, spread=abs(level) * (scatter or 0.0)), level)
    return (
        Cell(fixed(member.record.rows, 0), float(member.record.rows)), _change(member), _shift(member.growth),
        _season(member), last, _shift(member.ahead.number.value if member.ahead is not None else None),
        _percent(scatter), Cell(fixed(listed, 0), float(listed)) if member.done else Cell(NONE),
    )  # fmt: skip


def _season(member: Member) -> Cell:
    """The swing of the strongest season as a share."""
    if not member.seasons:
        return Cell(say("none"), 0.0) if member.done else Cell(NONE)
    swing = member.cycles[0].get("share")
    return Cell(say("yes")) if swing is None else _percent(swing)


def _change(member: Member) -> Cell:
    """The change as a share, or of levels that are not above zero in units of the data, which do not compare."""
    course, share = member.claim(Kind.RISE), member.share(Kind.RISE)
    if share is not None or course is None:
        return _shift(share)
    return Cell(f"{'+' if course.number.is_up else ''}{amount(course.number.value, 2)}")


def _shift(share: float | None) -> Cell:
    return Cell(NONE) if share is None else Cell(shift(share), share)


def _percent(share: float | None) -> Cell:
    if share is None:
        return Cell(NONE)
    return Cell(say("<{percent}", percent=percent(0.001)) if 0.0 < share < 0.001 else percent(share), share)


def _link(path: str) -> str:
    """A path beside the page as an address, which no name can turn into one of another kind."""
    return f"./{quote(path, safe='/')}" if path else ""


def page_file(name: str) -> str:
    """The name of a file for the page of a series: safe on every disk, and another one for every name.

    >>> page_file("north/1"), page_file("../con")
    ('north-1-2c911472.html', '---con-a2436930.html')
    """
    return f"{slug(name)[:60]}-{sha256(name.encode('utf-8', 'surrogatepass')).hexdigest()[:8]}.html"
