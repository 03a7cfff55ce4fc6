"""What a fitted model says of itself: sentences, pictures, reports; in a notebook it shows itself."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterator
from dataclasses import dataclass, replace
from html import escape
from pathlib import Path
from typing import TYPE_CHECKING, Any, overload

from sklearn.utils.validation import check_is_fitted

from autostatistician.decompose.records.series import Decomposition
from autostatistician.decompose.records.table import TableDecomposition
from autostatistician.describe.document.document import Document, Figure, Section
from autostatistician.errors import InputError

if TYPE_CHECKING:
    import pandas as pd
    from matplotlib.figure import Figure as MatplotlibFigure

__all__ = ["Explained", "Report"]

_FRAME = (
    '<iframe title="{title}" srcdoc="{page}" sandbox="" '
    'style="width: 100%; height: {height}px; border: 1px solid #8886; border-radius: 4px"></iframe>'
)


@dataclass(frozen=True, eq=False)
class Report:
    """The report of a fitted model. In a notebook it shows itself; `save` writes it to a file."""

    document: Document

    def save(self, path: str | Path) -> Path:
        """Write the report, whole or not at all; the suffix chooses .html, .pdf, .md or .json.

        Raises
        ------
        InputError
            When the suffix is unknown, the folder is missing, or what makes a PDF is not installed.
        """
        from autostatistician.report.render import write

        return write(self.document, path)

    def _repr_html_(self) -> str:
        return _framed(self.document, 900)

    def __repr__(self) -> str:
        return f"<Report: {self.document.title}>"


class Explained:
    """The part of an estimator that explains what was found. It needs `decomposition` alone."""

    @abstractmethod
    def decomposition(self, horizon: int | None = None) -> Decomposition | TableDecomposition:
        """Everything a report is made from, as one record of plain values."""

    def describe(self) -> list[str]:
        """The sentences: one per part of the model."""
        from autostatistician.describe.tell import sentences

        return list(sentences(self.decomposition()))

    def result(self) -> dict[str, Any]:
        """The JSON object of the command line: expression, components, likelihood, cost, warnings."""
        from autostatistician.describe.tell import result

        return dict(result(self.decomposition()))

    def statements(self) -> pd.DataFrame:
        """What the models that the search visited say, and how probable each statement is.

        One row per statement: its text, the summed posterior weight of the models that make it, and whether the best
        model is among them.
        """
        import pandas as pd

        from autostatistician.describe.tell import statements

        told = ("text", "probability", "in_best")
        return pd.DataFrame([{name: getattr(one, name) for name in told} for one in statements(self.decomposition())])

    @overload
    def report(self, path: None = None, horizon: int | None = None) -> Report: ...

    @overload
    def report(self, path: str | Path, horizon: int | None = None) -> Path: ...

    def report(self, path: str | Path | None = None, horizon: int | None = None) -> Report | Path:
        """The report that explains the model, ``horizon`` steps ahead.

        With a path it is written there (the suffix chooses .html, .pdf, .md or .json) and the path is returned;
        without one a `Report` is returned, which shows itself in a notebook.
        """
        from autostatistician.report.render import check_path

        if path is not None:
            check_path(path)  # before the work
        made = Report(self._document(horizon))
        return made if path is None else made.save(path)

    def plot(self) -> MatplotlibFigure:
        """The data, the model and its forecast with 95 % ranges, as a matplotlib figure (not known to pyplot).

        Of a table: how much hangs on each column, and every value against its prediction from all others.
        """
        return _drawn(_figure(self._document(None), "fig-overview"))

    def plot_components(self) -> MatplotlibFigure:
        """Each part of the model by itself with its 95 % band, one panel per part, the most useful first.

        Of a table: the effect of each column, and the surfaces of columns that act together.
        """
        every = [(part.title, _first(part)) for one in self._document(None).sections if _holds_parts(one)
                 for part in one.sections]  # fmt: skip
        drawn = [(title, figure) for title, figure in every if figure is not None]
        if not drawn:
            raise InputError.of("a model with parts to draw", "one without", "use plot")
        titled = [replace(figure.panels[0], title=title.partition(":")[0]) for title, figure in drawn]
        return _drawn(replace(drawn[0][1], id="fig-parts", panels=tuple(titled)))

    def plot_forecast(self, steps: int | None = None) -> MatplotlibFigure:
        """The end of the data and the forecast ``steps`` ahead (by default as in `forecast`) with its 95 % range."""
        return _drawn(_figure(self._document(steps), "fig-forecast"))

    def _document(self, horizon: int | None) -> Document:
        from autostatistician.describe.tell import document

        return document(self.decomposition(horizon))

    def _repr_html_(self) -> str:
        """The first screen of the report; of a model that is not fitted, its settings."""
        try:
            check_is_fitted(self)
            found = self._document(None)
        except (InputError, ValueError):  # not fitted (NotFittedError), or nothing that a page could show
            return f"<pre>{escape(repr(self))}</pre>"
        first = tuple(one for one in found.sections if one.opening or one is found.sections[0])
        return _framed(replace(found, sections=first, citations=(), warnings=()), 760)

    def _repr_mimebundle_(self, **_: object) -> dict[str, str]:
        return {"text/plain": repr(self), "text/html": self._repr_html_()}


def _framed(document: Document, height: int) -> str:
    """A page inside of another: neither sees the style of the other."""
    from autostatistician.report.render import to_html

    return _FRAME.format(title=escape(document.title), page=escape(to_html(document)), height=height)


def _figures(sections: tuple[Section, ...]) -> Iterator[Figure]:
    for section in sections:
        yield from (block for block in section.blocks if isinstance(block, Figure))
        yield from _figures(section.sections)


def _holds_parts(section: Section) -> bool:
    return section.id in ("parts", "effects")


def _first(section: Section) -> Figure | None:
    return next((block for block in section.blocks if isinstance(block, Figure)), None)


def _figure(document: Document, name: str) -> Figure:
    for figure in _figures(document.sections):
        if figure.id == name:
            return figure
    raise InputError.of("a model with this picture in its report", f"none called {name!r}", "look at model.report()")


def _drawn(figure: Figure) -> MatplotlibFigure:
    from autostatistician.report.figures import figure_matplotlib

    return figure_matplotlib(figure)
