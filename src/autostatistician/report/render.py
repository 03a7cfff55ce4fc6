"""From a document to text in each format, and to a file that is either whole or not there.

Markdown is CommonMark with tables; its figures are told, not shown: caption and alternative text.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from functools import partial
from importlib.resources import files
from itertools import count
from pathlib import Path
from typing import TYPE_CHECKING, Any

from autostatistician._io.files import write_whole
from autostatistician.describe.document.document import (
    Block,
    Bullets,
    Document,
    Figure,
    Paragraph,
    Section,
    Table,
    reading_order,
)
from autostatistician.errors import InputError, check_installed
from autostatistician.i18n.messages import say, spoken_in
from autostatistician.report.figures import columns, figure_panels, figure_print, legend
from autostatistician.report.interactive import check_interactive, figure_specs, script
from autostatistician.report.jsonform import to_json
from autostatistician.report.palette import BAND_OPACITY, DARK, DARK_OPACITY, LIGHT, css_variables
from autostatistician.report.svg import drawing_note
from autostatistician.report.text import cleaned, environment, slug, unbroken

if TYPE_CHECKING:
    from markupsafe import Markup

__all__ = ["SUFFIXES", "check_path", "escaped", "to_html", "to_json", "to_markdown", "to_pdf", "write"]


# Punctuation that can start markup anywhere: emphasis, code, links, HTML, entities, tables, mathematics, deletions.
_ACTIVE = re.compile(r"([\\`*_\[\]<>&|$~#])")
# At the start of a line also lists, numbered lists and rules.
_START = re.compile(r"^([-+](?=[\s-]|$)|\d+(?=[.)](?:\s|$)))")


def escaped(text: str) -> str:
    r"""Text that prints literally wherever it stands on a line.

    >>> escaped("a|b <script> `x` *y*")
    'a\\|b \\<script\\> \\`x\\` \\*y\\*'
    >>> escaped("1. no list"), escaped("- none either"), escaped("-1.5")
    ('1\\. no list', '\\- none either', '-1.5')
    """
    text = _ACTIVE.sub(r"\\\1", " ".join(text.split()))
    return _START.sub(lambda match: match[0] + "\\" if match[0].isdigit() else "\\" + match[0], text)


def to_markdown(document: Document) -> str:
    """CommonMark with tables: blocks apart by empty lines, anchors of sections; of figures caption and text."""
    with spoken_in(document.language):
        return _markdown(cleaned(document))


def _markdown(document: Document) -> str:
    sections = reading_order(document)
    targets = frozenset(_ids(sections))
    figures, tables = count(1), count(1)
    head = [f"# {escaped(document.title)}"]
    head += [f"*{escaped(document.subtitle)}*"] if document.subtitle.strip() else []
    head += [escaped(document.choice)] if document.choice else []
    head += [f"**{escaped(document.abstract)}**"] if document.abstract.strip() else []
    parts = list(head)
    parts += _lines(document.picture, targets, figures, tables) if document.picture else []
    parts += _lines(Bullets(document.points), targets, figures, tables) if document.points else []
    for section in sections:
        parts += _markdown_section(section, 2, targets, figures, tables)
    return "\n\n".join(parts) + "\n"


def _ids(sections: tuple[Section, ...]) -> Iterator[str]:
    for section in sections:
        yield slug(section.id)
        yield from _ids(section.sections)


def _markdown_section(
    section: Section, level: int, targets: frozenset[str], figures: Iterator[int], tables: Iterator[int]
) -> Iterator[str]:
    yield f'<a id="{slug(section.id)}"></a>'
    yield f"{'#' * level} {escaped(section.title)}"
    for block in section.blocks:
        yield from _lines(block, targets, figures, tables)
    for inner in section.sections:
        yield from _markdown_section(inner, min(level + 1, 6), targets, figures, tables)


def _lines(block: Block, targets: frozenset[str], figures: Iterator[int], tables: Iterator[int]) -> Iterator[str]:
    match block:
        case Paragraph(text=text, emphasis=emphasis):
            yield ("> " if emphasis else "") + escaped(text)
        case Bullets(items, links):
            yield "\n".join(f"- {_item(item, link, targets)}" for item, link in _pairs(items, links))
        case Table():
            yield f"**{say('Table {number}.', number=next(tables))}** {escaped(block.caption)}"
            yield _table(block)
            if block.notes.strip():
                yield escaped(block.notes)
        case Figure():
            note = drawing_note(block)
            caption = f"{block.caption} {note}" if note else block.caption
            yield f"> **{say('Figure {number}.', number=next(figures))}** {escaped(caption)}\n>\n> {escaped(block.alt)}"


def _pairs(items: tuple[str, ...], links: tuple[str, ...]) -> Iterator[tuple[str, str]]:
    return zip(items, (*links, *[""] * len(items)), strict=False)


def _item(text: str, link: str, targets: frozenset[str]) -> str:
    return f"[{escaped(text)}](#{slug(link)})" if link and slug(link) in targets else escaped(text)


def _table(table: Table) -> str:
    rule = ["---:" if numeric else ":---" for numeric in table.numeric]
    rows = [[escaped(cell) for cell in row] for row in (table.header, *table.rows)]
    lines = [rows[0], rule, *rows[1:]]
    return "\n".join("| " + " | ".join(line) + " |" for line in lines)


_LONG = 30  # letters of a cell from which its column takes the room that is left


def check_pdf() -> None:
    """Raise an `InputError` unless the packages of the extra ``pdf`` are installed."""
    for package in ("typst", "matplotlib"):
        check_installed(package, "reports as .pdf", "write .html and print it from a browser")


def to_pdf(document: Document) -> bytes:
    """A PDF of pages in A4, tagged for screen readers. The same document gives the same bytes.

    Raises
    ------
    InputError
        When typst is not installed (the extra ``pdf``).
    """
    check_pdf()
    import matplotlib
    import typst

    with spoken_in(document.language):
        page = _Made(cleaned(document))
    template = (files("autostatistician.report") / "templates" / "report.typ").read_bytes()
    sources: Any = {"main.typ": template, "report.json": page.data, **page.figures}  # more than its stubs know of
    fonts = [str(Path(matplotlib.get_data_path()) / "fonts" / "ttf")]
    return typst.compile(
        sources, format="pdf", font_paths=fonts, ignore_system_fonts=True, pdf_standards="ua-1", timestamp=0
    )


@dataclass
class _Made:
    """The files that the template reads: one record of the document, one picture for every figure."""

    document: Document
    figures: dict[str, bytes] = field(default_factory=dict)
    data: bytes = b""

    def __post_init__(self) -> None:
        document, sections = self.document, reading_order(self.document)
        page = _Page(_targets(sections))
        record = {
            "title": document.title.strip() or say("Report"),  # a tagged file must have a title
            "language": document.language,
            "subtitle": document.subtitle,
            "choice": document.choice,
            "abstract": document.abstract,
            "picture": None if document.picture is None else self._figure(document.picture),
            "points": list(map(unbroken, document.points)),
            "sections": [self._section(section, page) for section in sections],
        }
        self.data = json.dumps(record).encode()

    def _section(self, section: Section, page: _Page) -> dict[str, object]:
        return {
            "id": page.id("", section.id),
            "title": section.title,
            "blocks": [self._block(block, page) for block in section.blocks],
            "sections": [self._section(inner, page) for inner in section.sections],
        }

    def _block(self, block: Block, page: _Page) -> dict[str, object]:
        match block:
            case Paragraph(text=text, emphasis=emphasis):
                return {"kind": "paragraph", "text": unbroken(text), "emphasis": emphasis}
            case Bullets():
                linked = [{"text": unbroken(text), "link": link} for text, link in page.linked(block)]
                return {"kind": "bullets", "items": linked}
            case Table(header=header, rows=rows, numeric=numeric, caption=caption, notes=notes):
                longest = [max((len(row[i]) for row in rows), default=0) for i in range(len(header))]
                wide = [size == max(longest) > _LONG for size in longest]
                cells = {"header": header, "rows": rows, "numeric": numeric, "wide": wide}
                return {"kind": "table", "caption": caption, "notes": notes, **cells}
            case Figure():
                return self._figure(block)

    def _figure(self, figure: Figure) -> dict[str, object]:
        name = f"figure-{len(self.figures) + 1}.svg"
        self.figures[name] = figure_print(figure)
        caption = f"{figure.caption} {drawing_note(figure)}".strip()
        width = 100 if columns(figure) > 1 else 88
        return {"kind": "figure", "file": name, "alt": figure.alt or caption, "caption": caption, "width": width}


@dataclass(frozen=True)
class _Page:
    """What rendering a block needs to know of its page: the links that lead somewhere, and running numbers."""

    targets: frozenset[str]
    used: Counter[str] = field(default_factory=Counter)  # how often each id was given out
    figures: count[int] = field(default_factory=lambda: count(1))
    tables: count[int] = field(default_factory=lambda: count(1))
    interactive: bool = False

    def id(self, prefix: str, name: str) -> str:
        """An id that no other element of the page has."""
        anchor = prefix + slug(name)
        self.used[anchor] += 1
        return anchor if self.used[anchor] == 1 else self.id(prefix, f"{name}-{self.used[anchor]}")

    def linked(self, block: Bullets) -> list[tuple[str, str]]:
        """Each item with the id of the section that it leads to, "" to none."""
        ids = [slug(link) if link and slug(link) in self.targets else "" for link in block.links]
        return list(zip(block.items, [*ids, *[""] * len(block.items)], strict=False))


def _render(template: str, **values: object) -> Markup:
    from markupsafe import Markup

    return Markup(environment().get_template(template).render(**values).strip())


def _blocks(blocks: tuple[Block, ...], page: _Page) -> list[Markup]:
    return [_block(block, page) for block in blocks]


def _block(block: Block, page: _Page) -> Markup:
    match block:
        case Paragraph():
            return _render("paragraph.html.j2", block=block)
        case Bullets():
            return _render("bullets.html.j2", items=page.linked(block))
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
        specs=figure_specs(figure) if page.interactive else [],
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


def to_html(document: Document, *, interactive: bool = False) -> str:
    """One self-contained page: nothing loaded from anywhere, light and dark, screen and paper.

    It has no script, unless its pictures are to be ``interactive``. The same document gives the same bytes.
    """
    with spoken_in(document.language):
        return _html(cleaned(document), interactive=interactive)


def _html(document: Document, *, interactive: bool) -> str:
    order = reading_order(document)
    page = _Page(_targets(order), interactive=interactive)
    html = _render(
        "page.html.j2", document=document, key=_figure(document.picture, page) if document.picture else "",
        sections=[_section(section, 2, page) for section in order], contents=_contents(order),
        light=css_variables(LIGHT, BAND_OPACITY), dark=css_variables(DARK, DARK_OPACITY),
        script=script() if interactive else "",
    )  # fmt: skip
    return str(html) + "\n"


_RENDERERS: dict[str, Callable[[Document], str | bytes]] = {
    ".html": to_html, ".htm": to_html, ".pdf": to_pdf, ".md": to_markdown, ".markdown": to_markdown, ".json": to_json,
}  # fmt: skip

SUFFIXES = tuple(_RENDERERS)


def check_path(path: str | Path, *, interactive: bool = False) -> Path:
    """Whether a report can be written to a path; to be asked before the work that leads to the report.

    Raises
    ------
    InputError
        The suffix is unknown, the folder does not exist, the path is a folder, a .pdf is asked for without typst, or
        ``interactive`` pictures without vl-convert or in another format than HTML.
    """
    path = Path(path)
    suffix = path.suffix.lower()
    if suffix not in _RENDERERS:
        ending = f"the suffix {suffix!r}" if suffix else f"no suffix in {path.name!r}"
        raise InputError.of(f"a report path that ends in {', '.join(SUFFIXES)}", ending, "change the name of the file")
    if suffix == ".pdf":
        check_pdf()
    if interactive:
        check_interactive(suffix)
    if not path.parent.is_dir():
        raise InputError.of("an existing folder", f"no folder {str(path.parent)!r}", "create it or choose another")
    if path.is_dir():
        raise InputError.of("the path of a file", f"the folder {str(path)!r}", "add a file name")
    return path


def write(document: Document, path: str | Path, *, interactive: bool = False) -> Path:
    """Write the report in the format that the suffix names, replacing the file at once or leaving it untouched.

    Raises
    ------
    InputError
        As `check_path`, or the system does not let us write there.
    """
    path = check_path(path, interactive=interactive)
    renderer = partial(to_html, interactive=True) if interactive else _RENDERERS[path.suffix.lower()]
    content = renderer(document)
    write_whole(path, content.encode() if isinstance(content, str) else content)
    return path
