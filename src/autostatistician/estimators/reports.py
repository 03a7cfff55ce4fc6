"""What is said and shown of a fitted model: sentences, pictures, pages; in a notebook it shows itself."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from functools import cached_property
from html import escape
from pathlib import Path
from typing import TYPE_CHECKING, Any

from autostatistician.describe.document.document import Document, Figure, Section
from autostatistician.describe.tell import Described, document, result, sentences, statements
from autostatistician.errors import InputError
from autostatistician.i18n.messages import language, spoken_in

if TYPE_CHECKING:
    import pandas as pd
    from matplotlib.figure import Figure as MatplotlibFigure

__all__ = ["Report", "figures_of"]

PAGE_FRAME = (
    '<iframe title="{title}" srcdoc="{page}" sandbox="" '
    'style="width: 100%; height: {height}px; border: 1px solid #8886; border-radius: 4px"></iframe>'
)
WHOLE_HEIGHT, OPENING_HEIGHT = 900, 760  # pixels of a page in a notebook


@dataclass(frozen=True, eq=False)
class Report:
    """The report of a fitted model. In a notebook it shows itself; `save` writes it to a file.

    It is in the language ``lang``, that of the moment when it was made.
    """

    explanation: Described
    lang: str = field(init=False, default_factory=language)

    @cached_property
    def document(self) -> Document:
        """The sections, tables and figures."""
        with spoken_in(self.lang):
            return document(self.explanation)

    def save(self, path: str | Path, *, interactive: bool = False) -> Path:
        """Write the report, whole or not at all; the suffix chooses .html, .pdf, .md or .json.

        The pictures of an ``interactive`` page can be zoomed, and their series switched.

        Raises
        ------
        InputError
            When the suffix is unknown, the folder is missing, or what makes a PDF or the pictures is not installed.
        """
        from autostatistician.report.render import write

        return write(self.document, path, interactive=interactive)

    def sentences(self) -> list[str]:
        """One for each part of the model."""
        with spoken_in(self.lang):
            return list(sentences(self.explanation))

    def to_dict(self) -> dict[str, Any]:
        """The JSON object of the command line."""
        with spoken_in(self.lang):
            return dict(result(self.explanation))

    def statements(self) -> pd.DataFrame:
        """What the models that the search visited say: text, probability, in_best."""
        import pandas as pd

        names = ["text", "probability", "in_best"]
        with spoken_in(self.lang):
            rows = [tuple(getattr(statement, name) for name in names) for statement in statements(self.explanation)]
        return pd.DataFrame(rows, columns=names)

    def figure(self, name: str) -> MatplotlibFigure:
        """The picture of the document with this name, as a matplotlib figure (not known to pyplot).

        Raises
        ------
        InputError
            When the document has none.
        """
        for figure in figures_of(self.document):
            if figure.id == name:
                return self._drawn(figure)
        found = f"none called {name!r}"
        raise InputError.of("a model with this picture in its report", found, "look at model.report()")

    def figure_of_parts(self) -> MatplotlibFigure:
        """One panel for each part of the model.

        Raises
        ------
        InputError
            When no part has a picture.
        """
        parts = [part for section in self.document.found if section.id == "parts" for part in section.sections]
        titled = [replace(figure.panels[0], title=part.title.partition(":")[0])
                  for part in parts if (figure := next(_figures(part), None)) is not None]  # fmt: skip
        columns = next((section for section in self.document.sections if section.id == "columns"), None)
        if not titled and columns is not None and self.document.picture is not None:  # a table: its effects
            titled = [*self.document.picture.panels, *(panel for one in _figures(columns) for panel in one.panels)]
        if not titled:
            raise InputError.of("a model with parts to draw", "one without", "use plot")
        return self._drawn(Figure("fig-parts", "", "", tuple(titled)))

    def _drawn(self, figure: Figure) -> MatplotlibFigure:
        from autostatistician.report.figures import figure_matplotlib

        with spoken_in(self.lang):
            return figure_matplotlib(figure)

    def opening(self) -> str:
        """The first screen of the page, in a frame for a notebook."""
        return _framed(replace(self.document, sections=(), found=(), citations=(), warnings=()), OPENING_HEIGHT)

    def _repr_html_(self) -> str:
        return _framed(self.document, WHOLE_HEIGHT)

    def __repr__(self) -> str:
        return f"<{type(self).__name__}: {self.document.title}>"


def _framed(page: Document, height: int) -> str:
    """A page inside of another: neither sees the style of the other."""
    from autostatistician.report.render import to_html

    return PAGE_FRAME.format(title=escape(page.title), page=escape(to_html(page)), height=height)


def figures_of(document: Document) -> Iterator[Figure]:
    """All pictures of a document, in the order of reading."""
    yield from filter(None, [document.picture])
    for section in (*document.sections, *document.found):
        yield from _within(section)


def _within(section: Section) -> Iterator[Figure]:
    yield from (block for block in section.blocks if isinstance(block, Figure))
    for inner in section.sections:
        yield from _within(inner)


def _figures(section: Section) -> Iterator[Figure]:
    return (block for block in section.blocks if isinstance(block, Figure))
