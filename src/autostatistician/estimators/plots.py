"""The pictures of a model as pandas has those of a frame: ``model.plot()``, ``model.plot.components()``."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from matplotlib.figure import Figure

__all__ = ["Plots"]


class Plots:
    """The pictures of a fitted model, each a matplotlib figure that pyplot does not know.

    >>> from autostatistician import AutomaticStatistician
    >>> AutomaticStatistician().plot
    <plots of AutomaticStatistician: plot(), plot.components(), plot.forecast(steps), plot.correlation()>
    """

    def __init__(self, model: Any) -> None:
        self._model = model

    def __call__(self) -> Figure:
        """The data, the model and its forecast with 95 % ranges.

        Of a table: how much hangs on each column, and every value against its prediction from all others.
        """
        figure: Figure = self._model._report().figure("fig-overview")
        return figure

    def components(self) -> Figure:
        """Each part of the model by itself, as `plot_components` draws them."""
        figure: Figure = self._model.plot_components()
        return figure

    def forecast(self, steps: int | None = None) -> Figure:
        """The end of the data and the forecast ``steps`` ahead with its 95 % range; of a series of numbers."""
        figure: Figure = self._model._report(steps).figure("fig-forecast")
        return figure

    def correlation(self, *, points: int = 400) -> Figure:
        """The correlations between all parts, as `plot_component_correlation` draws them."""
        figure: Figure = self._model.plot_component_correlation(points=points)
        return figure

    def __repr__(self) -> str:
        name = type(self._model).__name__
        return f"<plots of {name}: plot(), plot.components(), plot.forecast(steps), plot.correlation()>"
