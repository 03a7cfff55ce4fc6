"""One page for all series of a panel: what they share, who differs, and a table to search, sort and look at.

It is one file without network, readable without its script. The table shows texts for people beside the numbers that it
is sorted by.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from hashlib import sha256
from importlib.resources import files
from pathlib import Path
from urllib.parse import quote

import numpy as np
from numpy.typing import NDArray

from autostatistician._io.files import write_whole
from autostatistician.claims.kinds import Kind
from autostatistician.describe.panels.facts import PanelFacts, group_of, panel_facts
from autostatistician.describe.panels.members import Member, places
from autostatistician.describe.panels.words import (
    ahead_text,
    course_text,
    group_text,
    kind_text,
    listed_text,
    shared_texts,
    shift,
    shown_name,
    steps_text,
)
from autostatistician.i18n.messages import again, language, message, say
from autostatistician.i18n.names import clean_name
from autostatistician.i18n.numbers import amount, capital, fixed, percent
from autostatistician.panel.records import SeriesRecord
from autostatistician.report.palette import BAND_OPACITY, DARK, DARK_OPACITY, LIGHT, css_variables
from autostatistician.report.text import cleaned, environment, slug

__all__ = [
    "COLUMNS", "MOST_ROWS", "Cell", "Row", "SeriesTile", "page_file", "panel_lists", "panel_page", "panel_rows",
    "write_panel_page",
]  # fmt: skip


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


Array = NDArray[np.float64]

WIDTH, HEIGHT = 240, 48  # of its coordinates, which are whole numbers

MARGIN = 2

MOST_OF_RANGE = 1.0  # of the height of the data: so far above and below them a range is shown

MOST_LISTED = 12  # of a list, with a picture and a sentence each

MOST_KINDS = 12  # of failures, and of notes


def write_panel_page(
    records: Iterable[SeriesRecord],
    path: str | Path,
    title: str,
    *,
    pages: Mapping[str, str] | None = None,
    command: Callable[[str], str] | None = None,
) -> Path:
    """Write the page of a panel; the file is either whole or not there.

    Parameters
    ----------
    records : iterable of SeriesRecord
        Of all series, done and failed, in the order of the data.
    path : str or Path
        Of the file.
    title : str
        The heading of the page.
    pages : mapping of str to str, optional
        By the names of series the pages of their own, as paths beside this file (`rows.page_file` names them).
    command : callable, optional
        From the name of a series to the command that makes its page; asked where there is none.

    Returns
    -------
    Path
        Where it was written.
    """
    return write_whole(path, panel_page(records, title, pages=pages, command=command).encode())


def panel_page(
    records: Iterable[SeriesRecord],
    title: str,
    *,
    pages: Mapping[str, str] | None = None,
    command: Callable[[str], str] | None = None,
) -> str:
    """The page as text; see `write_panel_page`. The same records give the same bytes."""
    drawn = [(Member(record), sparkline(record)) for record in records]
    facts = panel_facts([member for member, _ in drawn])
    rows, script = panel_rows(drawn, facts, pages or {}), _script()
    missing = next((member.name for member, _ in drawn if member.done and member.name not in (pages or {})), None)
    notes = [steps_text(facts.steps), *(kind_text(kind, facts.done) for kind in facts.notes[:MOST_KINDS])]
    html = environment().get_template("panel.html.j2").render(
        title=cleaned(title), lead=course_text(facts) if facts.done else say("No series has a model."),
        lists=list(panel_lists(drawn, facts, pages or {})), ahead=cleaned(ahead_text(facts)), most=MOST_LISTED,
        summary=[cleaned(text) for text in shared_texts(facts)],
        groups=[(group_text(group), len(group.names)) for group in facts.groups],
        others=facts.done - sum(len(group.names) for group in facts.groups),
        failures=[cleaned(kind_text(kind, facts.series)) for kind in facts.failures[:MOST_KINDS]],
        notes=[capital(cleaned(text)) for text in notes if text],
        columns=[(say(title), say(about)) for title, about in COLUMNS], rows=rows, series=facts.series,
        left=max(0, facts.series - MOST_ROWS),
        command=cleaned(command(missing)) if command is not None and missing is not None else "",
        lang=language(), script=script,
        light=css_variables(LIGHT, BAND_OPACITY), dark=css_variables(DARK, DARK_OPACITY),
    )  # fmt: skip
    return html + "\n"


@cache
def _script() -> str:
    """The script of the page as it stands between its tags, by whose hash the policy of the page lets it run."""
    return files("autostatistician.report").joinpath("templates", "panel.js").read_text(encoding="utf-8")


# --- A series as a small picture: its values, and the forecast in its range, in about one kilobyte ------------------


def sparkline(record: SeriesRecord) -> str:
    """The picture as SVG; "" of a series without values. It says nothing that the row beside it does not say.

    >>> sparkline(SeriesRecord("a", ("a",), "done", values=(1.0, 2.0), times=("1", "2")))
    '<svg viewBox="0 0 240 48" preserveAspectRatio="none" aria-hidden="true"><path class="v" d="M2 46l236-44"/></svg>'
    """
    values = np.array(record.values)
    if not values.size or not np.isfinite(values).all():
        return ""
    x, ahead = _positions(record)
    forecast = record.forecast
    low, high = _limits(values, record)
    paths = []
    if forecast is not None and len(ahead):
        mean = _across(np.concatenate([values[-1:], forecast.mean]), low, high)
        here = np.concatenate([x[-1:], ahead])
        if forecast.low:
            lower, upper = (_across(np.array(ends[-1]), low, high) for ends in (forecast.low, forecast.high))
            there = np.concatenate([x[-1:], ahead, ahead[::-1]])
            band = np.concatenate([_across(values[-1:], low, high), upper, lower[::-1]])
            paths.append(f'<path class="b" d="{_path(there, band)}z"/>')
        paths.append(f'<path class="f" d="{_path(here, mean)}"/>')
    paths.append(f'<path class="v" d="{_path(x, _across(values, low, high))}"/>')
    box = f'viewBox="0 0 {WIDTH} {HEIGHT}" preserveAspectRatio="none" aria-hidden="true"'
    return f"<svg {box}>{''.join(paths)}</svg>"


def _positions(record: SeriesRecord) -> tuple[Array, Array]:
    """Where values and forecast stand across the picture: by their times, where these are numbers or dates."""
    ahead_times = record.forecast.times if record.forecast is not None else ()
    every = places((*record.times, *ahead_times)) if len(record.times) == len(record.values) else None
    if every is None or not np.ptp(every) > 0.0 or not np.isfinite(every).all():
        every = np.arange(float(len(record.values) + len(ahead_times)))
    first, span = float(every.min()), float(np.ptp(every)) or 1.0
    scaled = MARGIN + (every - first) / span * (WIDTH - 2 * MARGIN)
    return scaled[: len(record.values)], scaled[len(record.values) :]


def _limits(values: Array, record: SeriesRecord) -> tuple[float, float]:
    """The lowest and the highest that is shown: all values and the forecast, and as much of its range as has room."""
    shown = values if record.forecast is None else np.concatenate([values, record.forecast.mean])
    low, high = float(shown.min()), float(shown.max())
    if record.forecast is not None and record.forecast.low and record.forecast.low[-1]:
        room = MOST_OF_RANGE * (high - low)
        ends = min(record.forecast.low[-1]), max(record.forecast.high[-1])
        low, high = min(low, max(ends[0], low - room)), max(high, min(ends[1], high + room))
    return low, high


def _across(values: Array, low: float, high: float) -> Array:
    """Heights in the picture; what is the same throughout lies in its middle."""
    if not high > low:
        return np.full(len(values), HEIGHT / 2.0)
    share = np.clip((values / 2.0 - low / 2.0) / (high / 2.0 - low / 2.0), 0.0, 1.0)  # halved: no overflow
    return HEIGHT - MARGIN - share * (HEIGHT - 2 * MARGIN)


def _path(x: Array, y: Array) -> str:
    points = np.stack([np.rint(x), np.rint(y)], axis=1).astype(int)
    steps = "".join(f"l{dx}{'' if dy < 0 else ' '}{dy}" for dx, dy in np.diff(points, axis=0).tolist())
    return f"M{points[0, 0]} {points[0, 1]}{steps or 'l0 0'}"
