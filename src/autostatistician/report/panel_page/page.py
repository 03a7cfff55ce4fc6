"""The page of all series of a panel: one file, no network, readable without its script."""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Callable, Iterable, Mapping
from functools import cache
from hashlib import sha256
from importlib.resources import files
from pathlib import Path
from typing import TYPE_CHECKING

from autostatistician.describe.panels.facts import panel_facts
from autostatistician.describe.panels.notes import kind_text, steps_text
from autostatistician.describe.panels.traits import SeriesTraits, traits_of
from autostatistician.describe.panels.words import course_text, group_text, shared_texts, standing_texts
from autostatistician.files import write_whole
from autostatistician.panel.records import SeriesRecord
from autostatistician.report.palette import BAND_OPACITY, DARK, DARK_OPACITY, LIGHT, css_variables
from autostatistician.report.panel_page.rows import COLUMNS, MOST_ROWS, panel_rows
from autostatistician.report.panel_page.sparkline import sparkline
from autostatistician.report.text import cleaned
from autostatistician.wording.messages import language, say
from autostatistician.wording.numbers import capital, fixed

if TYPE_CHECKING:
    from jinja2 import Environment

__all__ = ["panel_page", "write_panel_page"]

MOST_SURPRISING = 12  # with a picture and a sentence each, before the table
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
    drawn = [(traits_of(record), sparkline(record)) for record in records]
    every: list[SeriesTraits] = [traits for traits, _ in drawn]
    facts = panel_facts(every)
    rows, script = panel_rows(drawn, facts, pages or {}), _script()
    missing = next((traits.name for traits in every if traits.done and traits.name not in (pages or {})), None)
    texts = shared_texts(facts)
    notes = [steps_text(facts.steps), *(kind_text(kind, facts.done) for kind in facts.notes[:MOST_KINDS])]
    lead = course_text(facts) if facts.done else say("No series has a model.")
    html = _environment().get_template("panel.html.j2").render(
        title=cleaned(title), lead=lead, summary=[cleaned(text) for text in texts if text != lead],
        standing=[cleaned(text) for text in standing_texts(facts)],
        surprising=[row for row in rows if row.why][:MOST_SURPRISING],
        more=max(0, len(facts.surprises) - MOST_SURPRISING),
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


@cache
def _environment() -> Environment:
    from jinja2 import Environment, PackageLoader, StrictUndefined

    made = Environment(
        loader=PackageLoader("autostatistician.report", "templates"),
        autoescape=True, undefined=StrictUndefined, trim_blocks=True, lstrip_blocks=True,
    )  # fmt: skip
    made.globals |= {"say": say, "number": lambda value: fixed(value, 0)}
    return made
