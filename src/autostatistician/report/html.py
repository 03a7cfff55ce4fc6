"""A document as one self-contained page: every block is rendered by the template of its kind."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from functools import cache
from itertools import count
from typing import TYPE_CHECKING

from autostatistician.describe.document.document import Block, Bullets, Document, Figure, Paragraph, Section, Table
from autostatistician.report.figures import columns, figure_panels, legend
from autostatistician.report.order import in_order
from autostatistician.report.palette import BAND_OPACITY, DARK, DARK_OPACITY, LIGHT, css_variables
from autostatistician.report.text import cleaned, slug, unbroken
from autostatistician.report.thin import drawing_note
from autostatistician.wording.messages import say, spoken_in

if TYPE_CHECKING:
    from jinja2 import Environment
    from markupsafe import Markup

__all__ = ["to_html"]


@dataclass(frozen=True)
class _Page:
    """What rendering a block needs to know of its page: the links that lead somewhere, and running numbers."""

    targets: frozenset[str]
    used: Counter[str]  # how often each id was given out
    figures: count[int]
    tables: count[int]

    def id(self, prefix: str, name: str) -> str:
        """An id that no other element of the page has."""
        wanted = prefix + slug(name)
        self.used[wanted] += 1
        return wanted if self.used[wanted] == 1 else self.id(prefix, f"{name}-{self.used[wanted]}")


@cache
def _environment() -> Environment:
    from jinja2 import Environment, PackageLoader, StrictUndefined

    made = Environment(
        loader=PackageLoader("autostatistician.report", "templates"),
        autoescape=True, undefined=StrictUndefined, trim_blocks=True, lstrip_blocks=True,
    )  # fmt: skip
    made.filters["unbroken"] = unbroken
    made.globals["say"] = say
    return made


def _render(template: str, **values: object) -> Markup:
    from markupsafe import Markup

    return Markup(_environment().get_template(template).render(**values).strip())


def _blocks(blocks: tuple[Block, ...], page: _Page) -> list[Markup]:
    return [_block(block, page) for block in blocks]


def _block(block: Block, page: _Page) -> Markup:
    match block:
        case Paragraph():
            return _render("paragraph.html.j2", block=block)
        case Bullets(items, links):
            targets = [slug(link) if link and slug(link) in page.targets else "" for link in links]
            padded = [*targets, *[""] * (len(items) - len(targets))]
            return _render("bullets.html.j2", items=list(zip(items, padded, strict=False)))
        case Table():
            return _render("table.html.j2", table=block, id=page.id("table-", block.id), number=next(page.tables))
        case Figure():
            return _figure(block, page)


def _figure(figure: Figure, page: _Page) -> Markup:
    from markupsafe import Markup

    wide, narrow = figure_panels(figure)
    return _render(
        "figure.html.j2", figure=figure, id=page.id("figure-", figure.id), number=next(page.figures),
        wide=[Markup(svg) for svg in wide], narrow=[Markup(svg) for svg in narrow],
        columns=columns(figure), keys=legend(figure), note=drawing_note(figure),
    )  # fmt: skip


def _section(section: Section, level: int, page: _Page) -> Markup:
    # The order of these calls is the order of the page, and so of the numbers of figures and tables.
    return _render(
        "section.html.j2", section=section, level=level, id=page.id("", section.id),
        blocks=_blocks(section.blocks, page),
        sections=[_section(inner, min(level + 1, 6), page) for inner in section.sections],
    )  # fmt: skip


def _targets(sections: tuple[Section, ...]) -> frozenset[str]:
    return frozenset().union(*({slug(section.id)} | _targets(section.sections) for section in sections))


def _contents(sections: tuple[Section, ...]) -> list[tuple[str, str, list[tuple[str, str]]]]:
    """Id and title of each section, with those of its own sections."""
    return [(slug(s.id), s.title, [(slug(inner.id), inner.title) for inner in s.sections]) for s in sections]


def to_html(document: Document) -> str:
    """One self-contained page: no script, nothing loaded from anywhere, light and dark, screen and paper.

    The same document gives the same bytes.
    """
    with spoken_in(document.language):
        return _html(cleaned(document))


def _html(document: Document) -> str:
    page = _Page(_targets(document.sections), Counter(), count(1), count(1))
    order = in_order(document)
    html = _render(
        "page.html.j2", document=document, key=_figure(order.picture, page) if order.picture else "",
        opening=[_section(section, 2, page) for section in order.opening],
        sections=[_section(section, 2, page) for section in order.rest],
        contents=[*((slug(section.id), section.title, []) for section in order.opening), *_contents(order.rest)],
        light=css_variables(LIGHT, BAND_OPACITY), dark=css_variables(DARK, DARK_OPACITY),
    )  # fmt: skip
    return str(html) + "\n"
