"""What a deep process has learned, measured for its report: curves along columns, and rows foreseen by another fit."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Protocol

import numpy as np
from numpy.typing import NDArray
from sklearn.base import clone

from autostatistician.data.inputs import InputColumns
from autostatistician.decompose.records.deep import DeepCurve, DeepFound, DeepHeldOut, LayersTried
from autostatistician.deep.variational.expressions import ExpressionKernel
from autostatistician.deep.variational.fit import DeepFit
from autostatistician.estimators.deep_settings import ENOUGH, KernelOfLayers
from autostatistician.estimators.reports import Report
from autostatistician.inference.predictive import ENDS_OF_95, Predictive
from autostatistician.language.expr import Expr
from autostatistician.language.format import format_expr
from autostatistician.seeds import generator

if TYPE_CHECKING:
    import pandas as pd

__all__ = ["DeepReport"]

Array = NDArray[np.float64]

PLACES = 60  # of a curve
HELD_OUT = 0.2  # share of the rows
FEWEST = 20  # rows, below which none is left out


class DeepModel(Protocol):
    """A fitted deep process, as far as its report asks."""

    kernel: KernelOfLayers
    random_state: Any
    rows_: Array
    y_: Array
    n_layers_: int
    noise_: float
    depths_: pd.DataFrame
    fits_: list[DeepFit]
    inputs_: InputColumns

    def predictive(self, X: Any) -> Predictive:
        """The distributions of new observations."""

    def bends(self) -> list[float]:
        """How far hidden layers bend their inputs."""


@dataclass(frozen=True, eq=False, repr=False)
class DeepReport(Report):
    """The report on a deep process."""

    explanation: DeepFound = field(init=False)
    model: DeepModel
    name: str
    check: bool

    def __post_init__(self) -> None:
        object.__setattr__(self, "explanation", _found(self.model, self.name, self.check))


def _found(model: DeepModel, name: str, check: bool) -> DeepFound:
    told, network = model.depths_, model.fits_[0].network
    kernels = [*(layer.kernel for layer in network.hidden), network.last.kernel]
    columns = model.inputs_.columns
    return DeepFound(
        name=name,
        columns=columns,
        n=len(model.y_),
        chosen=model.n_layers_,
        tried=tuple(
            LayersTried(int(layers), float(bound)) for layers, bound in zip(told["layers"], told["bound"], strict=True)
        ),
        enough=ENOUGH,
        forms=tuple(
            format_expr(kernel.form.expr) if isinstance(kernel, ExpressionKernel) else "SE" for kernel in kernels
        ),
        bends=tuple(model.bends()),
        noise=model.noise_,
        curves=tuple(_curve(model, place, column) for place, column in enumerate(columns)),
        rows=model.rows_,
        y=model.y_,
        held_out=_held_out(model) if check and len(model.y_) >= FEWEST else None,
    )


def _curve(model: DeepModel, place: int, column: str) -> DeepCurve:
    along = np.linspace(model.rows_[:, place].min(), model.rows_[:, place].max(), PLACES)
    rows = np.tile(np.median(model.rows_, axis=0), (PLACES, 1))
    rows[:, place] = along
    predictive = model.predictive(_as_given(model, rows))
    low, high = predictive.quantiles(ENDS_OF_95).T
    return DeepCurve(column, along, predictive.mean, low, high)


def _as_given(model: DeepModel, rows: Array) -> Any:
    """Rows as the model was given them: a frame where columns had names."""
    import pandas as pd

    names = getattr(model, "feature_names_in_", None)
    return rows if names is None else pd.DataFrame(rows, columns=names)


def _of_inputs(kernel: KernelOfLayers) -> str | Expr:
    """The kernel of the layer that acts on the columns, where each has its own."""
    return kernel if isinstance(kernel, str | Expr) else kernel[0]


def _held_out(model: DeepModel) -> DeepHeldOut:
    """Other fits of the same settings, and of one layer with the kernel of the first, to four fifths of the rows."""
    rows, y = model.rows_, model.y_
    order = generator(model.random_state if isinstance(model.random_state, int) else 0).permutation(len(y))
    new, own = np.split(order, [int(HELD_OUT * len(y))])
    like: Any = clone(model)
    again = like.set_params(layers=model.n_layers_).fit(_as_given(model, rows[own]), y[own])
    places = _as_given(model, rows[new])
    low, high = again.predict_quantiles(places, levels=ENDS_OF_95).T
    one = None
    if model.n_layers_ > 1:
        shallow = (
            clone(like).set_params(layers=1, kernel=_of_inputs(model.kernel)).fit(_as_given(model, rows[own]), y[own])
        )
        one = float(np.mean(shallow.log_density(places, y[new])))
    return DeepHeldOut(
        rows=len(new),
        fitted=len(own),
        log_density=float(np.mean(again.log_density(places, y[new]))),
        of_one_layer=one,
        within=float(np.mean((low <= y[new]) & (y[new] <= high))),
        error=float(np.sqrt(np.mean((again.predict(places) - y[new]) ** 2))),
        spread=float(np.std(y)),
    )
