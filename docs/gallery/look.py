"""The common look of the gallery, and where its scripts find data and put pictures.

A script ``figure_<chapter>_<number>_<name>.py`` (with a letter before the chapter where the source is not the thesis,
see `sources`) has a docstring (its first line is the title, the rest the text below the picture), a function ``draw``
that returns a matplotlib figure, and ends in ``save(draw(), __file__)`` when run by itself.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import wraps
from importlib.resources import as_file, files
from io import BytesIO
from pathlib import Path
from typing import Any

import matplotlib.style
import numpy as np
from matplotlib.axes import Axes
from matplotlib.colors import LinearSegmentedColormap
from matplotlib.figure import Figure
from numpy.typing import NDArray
from PIL import Image
from scipy.special import ndtri
from threadpoolctl import threadpool_limits

from autostatistician.report.palette import LIGHT

__all__ = [
    "COLOURS", "HEIGHT", "INK", "MUTED", "Absent", "Array", "data", "deciles", "frameless", "grid", "save",
    "sheet", "spaces", "styled", "surface",
]  # fmt: skip

Array = NDArray[np.float64]

HERE = Path(__file__).resolve().parent
DATA = HERE.parents[2] / "shared" / "data"

INK, MUTED = LIGHT["ink"], LIGHT["muted"]
COLOURS = tuple(LIGHT[name] for name in ("mean", "forecast", "sample-1", "sample-2", "sample-3"))
# Heights.
HEIGHT = LinearSegmentedColormap.from_list(
    "height", ["#16324d", LIGHT["mean"], "#8fb3d3", "#f3ece0", "#e8a36f", "#bf5418"]
)
# Once round: the last colour is the first.
ROUND = LinearSegmentedColormap.from_list("round", [*COLOURS[:2], COLOURS[4], COLOURS[2], COLOURS[0]])

DPI = 120
LAYOUT = {"figure.constrained_layout.use": True, "figure.constrained_layout.w_pad": 0.08}


class Absent(FileNotFoundError):
    """The data of a figure are not here; it is left as it is."""


def data(name: str) -> Path:
    """The path of a file of the benchmark data, which lie beside the repository.

    Raises
    ------
    Absent
        When they do not.
    """
    path = DATA / name
    if not path.is_file():
        raise Absent(f"needs {name} of the benchmark data (folder shared/data beside the repository)")
    return path


@contextmanager
def _style() -> Iterator[None]:
    with (
        as_file(files("autostatistician.report") / "autostatistician.mplstyle") as sheet,
        matplotlib.style.context(["default", sheet]),
    ):
        colours = {
            "text.color": INK,
            "axes.labelcolor": MUTED,
            "axes.edgecolor": LIGHT["axis"],
            "grid.color": LIGHT["grid"],
        }
        ticks = {"xtick.color": LIGHT["axis"], "xtick.labelcolor": MUTED, "ytick.labelcolor": MUTED}
        with matplotlib.rc_context({**colours, **ticks, "axes.titlesize": 12, **LAYOUT}):
            yield


def styled(draw: Callable[..., Figure]) -> Callable[..., Figure]:
    """A drawing function that draws in the look of the gallery, whatever the settings of the reader."""

    @wraps(draw)
    def drawn(*args: Any, **settings: Any) -> Figure:
        with _style(), threadpool_limits(limits=1):  # small matrices: threads would only be in each other's way
            return draw(*args, **settings)

    return drawn


def save(figure: Figure, script: str) -> Path:
    """Write a figure as a PNG beside its script; the same figure gives the same bytes."""
    path, pixels = Path(script).resolve().with_suffix(".png"), BytesIO()
    with _style():
        figure.savefig(pixels, dpi=DPI)
    # A palette of 255 colours is a third of the size, and nobody sees it.
    Image.open(pixels).convert("RGB").quantize(255, dither=Image.Dither.NONE).save(path, optimize=True)
    return path


def frameless(axes: Axes, x: str = "", y: str = "") -> None:
    """A panel that shows a shape, not numbers: no ticks, no grid, a line below."""
    axes.set(xticks=[], yticks=[], xlabel=x, ylabel=y)
    axes.grid(visible=False)


def deciles(axes: Axes, x: Array, mean: Array, sd: Array, colour: str = COLOURS[0]) -> None:
    """The deciles of a normal distribution at every ``x``, the darker the nearer to the median."""
    for level in np.arange(0.05, 0.5, 0.05):
        reach = -ndtri(level) * sd
        axes.fill_between(x, mean - reach, mean + reach, color=colour, alpha=0.1, linewidth=0)


def grid(low: float, high: float, points: int = 60) -> Array:
    """A square of points (points^2, 2), the second column fastest."""
    side = np.linspace(low, high, points)
    return np.stack(np.meshgrid(side, side, indexing="ij"), axis=-1).reshape(-1, 2)


def spaces(figure: Figure, rows: int, columns: int, titles: Sequence[str]) -> list[Any]:
    """Panels of three dimensions, row by row, without walls and numbers: only what is in them counts.

    They are larger than their places and overlap, since much room around their contents stays empty.
    """
    figure.set_layout_engine("none")
    found, top = [], 0.3 / figure.get_figheight()
    for index, title in enumerate(titles):
        row, column = divmod(index, columns)
        width, height = 1.0 / columns, 1.0 / rows
        left, bottom = column * width, 1.0 - (row + 1) * height
        figure.text(left + 0.5 * width, bottom + height - 0.4 * top, title, ha="center", va="top", size=12)
        place = (left - 0.08 * width, bottom - 0.1 * (height - top), 1.16 * width, 1.2 * (height - top))
        axes: Any = figure.add_axes(place, projection="3d", computed_zorder=False)
        axes.set_axis_off()
        axes.patch.set_visible(False)
        found.append(axes)
    return found


def surface(axes: Any, X: Array, height: Array, **how: Any) -> None:
    """A function over a square of points as a surface in a panel of three dimensions."""
    side = round(len(X) ** 0.5)
    shape = (side, side)
    settings = {"cmap": HEIGHT, "rcount": side, "ccount": side, "linewidth": 0, "antialiased": False} | how
    axes.plot_surface(X[:, 0].reshape(shape), X[:, 1].reshape(shape), height.reshape(shape), **settings)
    axes.set_box_aspect((1.0, 1.0, 0.65), zoom=0.98)


def sheet(axes: Any, points: Array, **how: Any) -> None:
    """A surface (m, n, 3) in space, its colour going round once along the first input, with a net of fine lines."""
    places = np.linspace(0.0, 1.0, len(points))
    colours = np.repeat(ROUND(places)[:, None], points.shape[1], axis=1)
    settings = {"rcount": 60, "ccount": 60, "linewidth": 0.3, "edgecolor": "#ffffff", "shade": True} | how
    axes.plot_surface(*np.moveaxis(points, -1, 0), facecolors=colours, **settings)
    axes.set_box_aspect(np.ptp(points.reshape(-1, 3), axis=0) ** 0.5, zoom=1.08)
