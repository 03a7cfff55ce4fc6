"""The page of a model of a table whose form is known: what each column does to predictions, and how it was fitted."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from autostatistician.describe.document.document import Document, Figure, Line, Panel, Section, Table
from autostatistician.estimators.reports import Report
from autostatistician.i18n.messages import language, say, spoken_in
from autostatistician.i18n.names import quoted
from autostatistician.i18n.numbers import amount, fixed
from autostatistician.kernels.text import format_kernel

if TYPE_CHECKING:
    from autostatistician.data.inputs import InputColumns

__all__ = ["TableReport"]

Array = NDArray[np.float64]
Curves = dict[str, Array]

PLACES, ROWS = 30, 60  # of a column, and how many rows of the data predictions are averaged over
MOST_PANELS, MOST_CURVES = 6, 6


@dataclass(frozen=True)
class PartialDependence:
    """Mean predictions at places of a column, the others as they are in the data, and how much they vary, as a share.

    ``curves`` has one for each output or class; the share is that of the variance of all predictions.
    """

    column: str
    places: Array
    curves: Curves
    share: float


@dataclass(frozen=True, eq=False, repr=False)
class TableReport(Report):
    """What a fitted model of a table says: the effects of its columns, its score on its own rows, its settings."""

    explanation: Any  # a fitted estimator of `plain_tables`

    @cached_property
    def effects(self) -> list[PartialDependence]:
        """What each column does to the predictions on average, the largest first (Friedman 2001)."""
        model = self.explanation
        rows = model.rows_[:: max(len(model.rows_) // ROWS, 1)]
        spread = _variance(_shown(model, rows))
        every = [_effect(model, rows, place, spread) for place in range(rows.shape[1])]
        return sorted(every, key=lambda effect: -effect.share)

    @cached_property
    def document(self) -> Document:
        """The sections, tables and figures."""
        with spoken_in(self.lang):
            return Document(
                title=say("Automatic report on {name}", name=type(self.explanation).__name__),
                subtitle=say("{n} rows of {columns} columns", n=fixed(len(self.explanation.rows_), 0),
                             columns=fixed(len(self.effects), 0)),
                abstract=self.sentences()[0],
                sections=(self._columns(), self._model()),
                record=self.to_dict(),
                language=language(),
                picture=self._picture(),
                points=tuple(self.sentences()[1:]),
            )  # fmt: skip

    def sentences(self) -> list[str]:
        """What moves the predictions most, and what each further column does."""
        with spoken_in(self.lang):
            return [
                say("{column} alone gives {share}% of the variance of the predictions.",
                    column=quoted(effect.column), share=fixed(100.0 * effect.share, 0))
                for effect in self.effects
            ]  # fmt: skip

    def to_dict(self) -> dict[str, Any]:
        """The effects, the kernel and the settings as plain values."""
        kernel, model = _kernel(self.explanation), self.explanation
        return {
            "model": type(model).__name__,
            "n": len(model.rows_),
            "columns": [{"column": effect.column, "share": round(effect.share, 6)} for effect in self.effects],
            "kernel": kernel,
            "settings": {name: repr(value) for name, value in model.get_params().items()},
        }

    def _picture(self) -> Figure:
        model, shown = self.explanation, self.effects[:MOST_PANELS]
        caption = say("Mean predictions along each column, the others as they are in the data.")
        return Figure("fig-overview", caption, caption, tuple(_panel(model, effect) for effect in shown))

    def _columns(self) -> Section:
        rows = tuple((effect.column, fixed(100.0 * effect.share, 1)) for effect in self.effects)
        header = (say("column"), say("share of the variance of the predictions, %"))
        table = Table("columns", say("What each column does by itself."), header, rows, (False, True))
        return Section("columns", say("The columns"), (table,))

    def _model(self) -> Section:
        model = self.explanation
        settings = [(name, repr(value)) for name, value in model.get_params().items()]
        facts = [(say("fitted kernel"), _kernel(model)), *settings]
        evidence = getattr(model, "log_evidence_", None)
        if evidence is not None:
            bounded = getattr(getattr(model, "posterior_", None), "points", None) is not None
            name = say("log evidence, a lower bound") if bounded else say("log evidence")
            facts.insert(1, (name, amount(evidence, 6)))
        rows = tuple((name, text) for name, text in facts if text)
        header = (say("setting"), say("value"))
        table = Table("settings", say("The model and its settings."), header, rows, (False, False))
        return Section("model", say("The model"), (table,))


def _kernel(model: Any) -> str:
    """The kernel with its numbers, where the model has one."""
    kernels = getattr(model, "kernel_", None)
    several = kernels if isinstance(kernels, list) else [] if kernels is None else [kernels]
    return "; ".join(map(format_kernel, several))


def _effect(model: Any, rows: Array, place: int, spread: float) -> PartialDependence:
    name, column = model.inputs_.columns[place], model.rows_[:, place]
    levels = model.inputs_.levels.get(name)
    places = np.arange(float(len(levels))) if levels else np.linspace(column.min(), column.max(), PLACES)
    every = np.repeat(rows[None], len(places), axis=0)
    every[:, :, place] = places[:, None]
    shown = _shown(model, every.reshape(-1, rows.shape[1]))
    curves = {key: values.reshape(len(places), -1).mean(axis=1) for key, values in shown.items()}
    at_rows = {key: np.interp(rows[:, place], places, values) for key, values in curves.items()}
    return PartialDependence(name, places, curves, min(_variance(at_rows) / spread, 1.0) if spread else 0.0)


def _shown(model: Any, rows: Array) -> Curves:
    """The predictions or chances (m,) at rows as the fit had them, by the name of the output or class."""
    import pandas as pd

    inputs: InputColumns = model.inputs_
    given: Any = rows
    if hasattr(model, "feature_names_in_") or inputs.levels:
        pairs = zip(inputs.columns, rows.T, strict=True)
        given = pd.DataFrame({name: _cells(inputs.levels.get(name), values) for name, values in pairs})
    if hasattr(model, "classes_"):
        names, values = list(map(str, model.classes_)), model.predict_proba(given)
        return dict(list(zip(names, values.T, strict=True))[len(names) == 2 :])  # of two classes the second is enough
    values = np.reshape(model.predict(given), (len(rows), -1))
    return dict(zip(getattr(model, "outputs_", ("y",)), values.T, strict=True))


def _cells(levels: tuple[str, ...] | None, values: Array) -> NDArray[Any]:
    return values if levels is None else np.array(levels, dtype=object)[values.astype(np.intp)]


def _variance(curves: Curves) -> float:
    return float(sum(np.var(values) for values in curves.values()))


def _panel(model: Any, effect: PartialDependence) -> Panel:
    levels = model.inputs_.levels.get(effect.column, ())
    lines = [Line(effect.places, values, name) for name, values in list(effect.curves.items())[:MOST_CURVES]]
    ticks = tuple((float(place), level) for place, level in enumerate(levels))
    return Panel(effect.column, effect.column, say("prediction"), tuple(lines), x_ticks=ticks)
