"""The page of all series of a panel: one file, no network, readable without its script."""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Callable, Iterable, Mapping
from functools import cache
from hashlib import sha256
from importlib.resources import files
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from autostatistician._io.files import write_whole
from autostatistician.describe.panels.facts import panel_facts
from autostatistician.describe.panels.members import Member, places
from autostatistician.describe.panels.words import (
    ahead_text,
    course_text,
    group_text,
    kind_text,
    shared_texts,
    steps_text,
)
from autostatistician.i18n.messages import language, say
from autostatistician.i18n.numbers import capital
from autostatistician.panel.records import SeriesRecord
from autostatistician.report.palette import BAND_OPACITY, DARK, DARK_OPACITY, LIGHT, css_variables
from autostatistician.report.panel_page.rows import COLUMNS, MOST_ROWS, panel_lists, panel_rows
from autostatistician.report.text import cleaned, environment

__all__ = ["panel_page", "write_panel_page"]


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
        lang=language(), script=script, digest=b64encode(sha256(script.encode()).digest()).decode(),
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
