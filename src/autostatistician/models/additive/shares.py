"""What columns and sets of them account for in a fitted additive function: effects, shares, relevance.

Everything is in standard units: inputs as the kernel takes them, values in units of the spread of the target.

The pictures of what each column, or each pair of columns, does by itself.

Along numbers an effect is a line with its band; categories have a point each, with a bar from end to end of its band.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations
from typing import TYPE_CHECKING, Any, Protocol, cast

import numpy as np
from numpy.typing import NDArray

from autostatistician._io.rows import evenly_spaced
from autostatistician.data.inputs import InputColumns
from autostatistician.errors import check_installed
from autostatistician.gp.engines.inducing import ConditionedByPoints
from autostatistician.gp.posterior import Covariances, Prior
from autostatistician.models.additive.evidence import AdditiveFit
from autostatistician.models.additive.kernel import AdditiveKernel, polynomials, weighted_sum

if TYPE_CHECKING:
    from matplotlib.figure import Figure

__all__ = ["Effects", "Relevance", "effects_figure", "relevance", "relevance_sentence"]


Array = NDArray[np.float64]

STANDING_ROWS = 200  # of the data that stand for all of them

PIECE_ENTRIES = 4096  # of covariances at a time

Relevance = tuple[float, float]  # of a column: its share, and its share by itself, both in per cent

VARIANCE_DRAWS = 1000  # of independent columns, for the variance of orders above the second

ROW_SHUFFLES = 3

NEGLIGIBLE_PERCENT, SMALL_PERCENT = 0.1, 1.0

NEARLY_ALL = 0.8  # of the share


@dataclass(frozen=True, eq=False)
class Effects:
    """The effects of a fitted function, one for each set of columns (see `Averages`)."""

    fitted: AdditiveFit

    @cached_property
    def averages(self) -> Averages:
        """The averages over the data."""
        posterior = self.fitted.posterior
        if isinstance(posterior, ConditionedByPoints):
            return Averages(self.fitted.kernel, posterior.points, posterior.X)
        return Averages(self.fitted.kernel, posterior.X)

    def of(self, columns: tuple[int, ...], X: Array) -> tuple[Array, Array]:
        """Posterior mean and standard deviation (m,) of the effect of a set of columns at inputs (m, D)."""
        effect = self.fitted.posterior.project(None, SubsetEffect(self.averages, columns, X))
        return effect.mean, effect.sd

    def variances(self, order: int) -> dict[tuple[int, ...], float]:
        """The variance over the data of the mean of every effect of one column, or of two (independent ones)."""
        spreads = {}
        for columns in combinations(range(self.averages.X.shape[1]), order):
            mean = self.fitted.posterior.project(None, Combinations(self.averages, columns)).mean
            spreads[columns] = float(np.mean(np.square(mean)))
        return spreads

    def shares(self) -> dict[tuple[int, ...], float]:
        """The share in per cent of each column and pair in the variance of the mean; the empty tuple is the rest."""
        highest = max(self.fitted.kernel.layout.orders)
        parts = self.variances(1) | (self.variances(2) if highest > 1 else {})
        total = (sum(parts.values()) + float(self._above_pairs.sum())) or 1.0
        shares = {columns: 100.0 * part / total for columns, part in parts.items()}
        return {**shares, (): 100.0 * float(self._above_pairs.sum()) / total}

    def orders(self) -> Array:
        """The same by order, from single columns on (orders,): of all sets of as many columns."""
        shares, highest = self.shares(), max(self.fitted.kernel.layout.orders)
        few = [sum(share for columns, share in shares.items() if len(columns) == order) for order in (1, 2)]
        return np.append(few[:highest], shares[()] * self._above_pairs / (float(self._above_pairs.sum()) or 1.0))

    @cached_property
    def _above_pairs(self) -> Array:
        """The variance of the mean by order from the third on, over draws of independent columns."""
        if max(self.fitted.kernel.layout.orders) <= 2:
            return np.zeros(0)
        rng = np.random.default_rng(0)  # any draws will do
        drawn = np.column_stack([rng.permutation(np.resize(values, VARIANCE_DRAWS)) for values in self.averages.at.T])
        means = self.fitted.posterior.project(None, ByOrder(self.averages, drawn)).mean
        return np.asarray(np.mean(means[:, 3:] ** 2, axis=0))


def relevance(fitted: AdditiveFit) -> list[Relevance]:
    """For every column what part of the variance of the fitted function over the data depends on it, in per cent.

    The share: half of the mean square by which the function changes when the value is that of another row and the
    rest stays (Jansen 1999), as a part of its variance; columns that act together each count what they do together.
    The share by itself: the variance of what the column does on average over the others.
    """

    def predict(inputs: Array) -> Array:
        return fitted.posterior.project(None, inputs).mean

    X = fitted.posterior.X
    at = standing(X)
    here = predict(at)
    variance = float(here.var())
    if variance <= 1e-12:
        return [(0.0, 0.0)] * X.shape[1]
    rng = np.random.default_rng(0)  # any order of the rows will do
    rows = np.concatenate([rng.permutation(len(at)) for _ in range(ROW_SHUFFLES)])
    shares = [float(np.mean((predict(_changed(at, column, rows)) - np.tile(here, ROW_SHUFFLES)) ** 2)) / 2.0
              for column in range(X.shape[1])]  # fmt: skip
    single = Effects(fitted).variances(1)
    return [(100.0 * share / variance, 100.0 * single[(column,)] / variance) for column, share in enumerate(shares)]


def _changed(X: Array, column: int, rows: NDArray[np.int64]) -> Array:
    """The rows several times, with the values of other rows in one column."""
    changed = np.tile(X, (ROW_SHUFFLES, 1))
    changed[:, column] = X[rows, column]
    return changed


def relevance_sentence(name: str, of_column: Relevance) -> str:
    """Whether a column matters, in words.

    >>> relevance_sentence("age", (54.2, 50.0))
    'age matters: 54 % of the variance of the fitted function, nearly all of it by itself.'
    >>> relevance_sentence("sand", (0.02, 0.01))
    'sand does not matter: less than 0.1 % of the variance of the fitted function depends on it.'
    """
    share, single = of_column
    if share < NEGLIGIBLE_PERCENT:
        of_all = f"less than {NEGLIGIBLE_PERCENT} % of the variance of the fitted function"
        return f"{name} does not matter: {of_all} depends on it."
    size = f"{share:.0f}" if share >= 9.95 else f"{share:.1f}"
    if share < SMALL_PERCENT:
        return f"{name} hardly matters: {size} % of the variance of the fitted function."
    how = "nearly all of it by itself" if single >= NEARLY_ALL * share else f"{min(single, share):.0f} % by itself"
    return f"{name} matters: {size} % of the variance of the fitted function, {how}."


# --- Averages of an additive function over the data -----------------------------------------------------------------


@dataclass(frozen=True, eq=False)
class Averages:
    """The kernels of single columns with their averages over inputs ``X`` (n, D), by group of orders."""

    kernel: AdditiveKernel
    X: Array
    data: Array | None = None  # where the inputs are not those of the data

    @cached_property
    def at(self) -> Array:
        """The rows that stand for all."""
        return standing(self.X if self.data is None else self.data)

    @cached_property
    def groups(self) -> list[tuple[list[Array], Array]]:
        """Orders that share lengthscales: parameters by column, weights by order."""
        return [(columns, weights) for columns, weights, _ in self.kernel.groups()]

    @cached_property
    def means(self) -> list[Array]:
        """By group and column, the mean over the data of the covariance with each input (D, n)."""
        columns = range(self.X.shape[1])
        return [
            np.array([self.covariance(group, column, self.at, self.X).mean(axis=0) for column in columns])
            for group in range(len(self.groups))
        ]

    @cached_property
    def constants(self) -> list[Array]:
        """By group and column, the mean over all pairs of the data (D, 1)."""
        columns = range(self.X.shape[1])
        return [
            np.array([[self.covariance(group, column, self.at, self.at).mean()] for column in columns])
            for group in range(len(self.groups))
        ]

    @cached_property
    def apart(self) -> list[list[Array]]:
        """By group and column, the covariances of the rows that stand for all with the inputs, less their means."""
        return [
            [self.covariance(group, column, self.at, self.X) - mean for column, mean in enumerate(means)]
            for group, means in enumerate(self.means)
        ]

    def covariance(self, group: int, column: int, A: Array, B: Array) -> Array:
        """Covariances (a, b) of one column between rows; none with those that lack the column."""
        base, parameters = self.kernel.layout.bases[column], self.groups[group][0][column]
        here = B[None, :, column]
        return np.where(np.isnan(here), 0.0, base.value(A[:, column, None], here, parameters))

    def middle(self, group: int, column: int, A: Array) -> Array:
        """The mean (a,) over the data of the covariance of one column with rows."""
        return np.asarray(self.covariance(group, column, A, self.at).mean(axis=1))

    def variance(self, group: int, column: int, A: Array) -> Array:
        """The variance (a,) of one column at rows."""
        base, parameters = self.kernel.layout.bases[column], self.groups[group][0][column]
        return base.value(A[:, column], A[:, column], parameters)

    def rest(self, group: int, columns: tuple[int, ...], z: Array) -> Array:
        """The weighted sum over all ways in which other columns ``z`` (D, m) join a set of columns (m,)."""
        weights = self.groups[group][1][len(columns) :]
        if not len(weights):
            return np.zeros(z.shape[1])
        return np.asarray(weights @ polynomials(np.delete(z, list(columns), axis=0), len(weights) - 1))


@dataclass(frozen=True, eq=False)
class SubsetEffect:
    """What a set of columns does together at points (m, D), of which only these columns count."""

    averages: Averages
    columns: tuple[int, ...]
    points: Array

    def covariances(self, prior: Prior, part: Any, X: Array) -> Covariances:
        """Under the prior of the averages, with observations at their inputs."""
        return Covariances(self._cross(), self._variance, self._matrix)

    def _cross(self) -> Array:
        averages, total = self.averages, np.zeros((len(self.points), len(self.averages.X)))
        for group, means in enumerate(averages.means):
            product = np.ones_like(total)
            for column in self.columns:
                product *= averages.covariance(group, column, self.points, averages.X) - means[column]
            total += product * averages.rest(group, self.columns, means)
        return total

    def _variance(self) -> Array:
        averages, total = self.averages, np.zeros(len(self.points))
        for group, constants in enumerate(averages.constants):
            product = np.ones_like(total)
            for column in self.columns:
                middle = averages.middle(group, column, self.points)
                product *= averages.variance(group, column, self.points) - 2.0 * middle + constants[column]
            total += product * averages.rest(group, self.columns, constants)
        return total

    def _matrix(self) -> Array:
        averages, total = self.averages, np.zeros((len(self.points),) * 2)
        for group, constants in enumerate(averages.constants):
            product = np.ones_like(total)
            for column in self.columns:
                middle = averages.middle(group, column, self.points)
                between = averages.covariance(group, column, self.points, self.points)
                product *= between - middle - middle[:, None] + constants[column]
            total += product * averages.rest(group, self.columns, constants)
        return total


class _MeansAlone:
    """What is asked for its means alone; it stands in for the covariances that weights are multiplied by."""

    def covariances(self, prior: Prior, part: Any, X: Array) -> Covariances:
        """Under the prior of the averages, with observations at their inputs."""
        return Covariances(cast(Array, self), self._unknown, self._unknown)

    @staticmethod
    def _unknown() -> Array:
        raise NotImplementedError("variances would need the covariances of all places")


@dataclass(frozen=True, eq=False)
class Combinations(_MeansAlone):
    """What one column, or two, do at every combination of the values that they have in the data; their means alone."""

    averages: Averages
    columns: tuple[int, ...]

    def __matmul__(self, weights: Array) -> Array:
        """The covariances with the observations times ``weights`` (n,), without ever making those of two columns."""
        averages, total = self.averages, np.zeros(())
        for group, centred in enumerate(averages.apart):
            first, *others = (centred[column] for column in self.columns)
            weighted = first * (averages.rest(group, self.columns, averages.means[group]) * weights)
            total = total + (weighted @ others[0].T if others else weighted.sum(axis=1))
        return total


@dataclass(frozen=True, eq=False)
class ByOrder(_MeansAlone):
    """What sets of each size do together at points (m, D), all effects of an order added up; their means alone.

    Where a kernel of every column is its mean and ``t`` times what is beside it, effects of order k are times ``t^k``:
    a polynomial, whose coefficients follow from its values.
    """

    averages: Averages
    points: Array

    def __matmul__(self, weights: Array) -> Array:
        """The covariances with the observations times ``weights`` (n,), by order (m, orders)."""
        highest, rows = max(self.averages.kernel.layout.orders), max(1, PIECE_ENTRIES // len(weights))
        t = np.cos(np.pi * np.arange(highest + 1) / max(highest, 1))
        pieces = [self.points[start : start + rows] for start in range(0, len(self.points), rows)]
        scaled = np.concatenate(
            [np.stack([self._scaled(piece, one) @ weights for one in t], axis=1) for piece in pieces]
        )
        return np.asarray(np.linalg.solve(np.vander(t, increasing=True), scaled.T).T)

    def _scaled(self, points: Array, t: float) -> Array:
        """The covariances (m, n) of the function with departures of its columns from their averages times t."""
        averages, total = self.averages, np.zeros((len(points), len(self.averages.X)))
        for group, (means, (_, of_orders)) in enumerate(zip(averages.means, averages.groups, strict=True)):
            own = [t * averages.covariance(group, column, points, averages.X) for column in range(points.shape[1])]
            z = np.array(own) + (1.0 - t) * means[:, None]
            total += weighted_sum(z.reshape(len(z), -1), of_orders).reshape(total.shape)
        return total


def standing(X: Array) -> Array:
    """At most `STANDING_ROWS` of the rows, evenly spaced."""
    return X[evenly_spaced(len(X), STANDING_ROWS)]


CURVE_POINTS = 100  # of a curve
SURFACE_POINTS = 40  # of a surface
BAND_SDS = 1.96  # standard deviations
CURVE_COLOUR = "#2a5d8f"
SLICE_COLOURS = ("#855aac", "#2a5d8f", "#bf5418")  # of slices at a low, usual, high value
SLICE_QUANTILES = (0.1, 0.5, 0.9)  # of the second column in those slices
CATEGORY_COLOURS = (*SLICE_COLOURS, "#2f7d5b", "#8a6d1d", "#5b6774")  # of slices at categories; more are not drawn
LONGEST_LABEL = 14  # letters of a category on an axis
WIDEST_LABELS = 40  # letters of all categories on an axis that is not turned


class FittedModel(Protocol):
    """What the pictures need to know of a fitted estimator; names as there."""

    fitted_: AdditiveFit
    inputs_: InputColumns
    n_features_in_: int
    X_train_: Array
    centre_: Array
    scale_: Array
    y_scale_: float


def effects_figure(model: FittedModel, most: int, order: int) -> Figure:
    """The effects of the columns or pairs that vary most, with their 95 % bands."""
    check_installed("matplotlib", "figures")
    variances = Effects(model.fitted_).variances(order)
    chosen = sorted(variances, key=lambda columns: -variances[columns])[: max(most, 1)]
    return _curves(model, chosen) if order == 1 else _surfaces(model, chosen)


def _curves(model: FittedModel, chosen: Sequence[tuple[int, ...]]) -> Figure:
    """One panel for each column."""
    from matplotlib.figure import Figure

    across = 2 if len(chosen) == 4 else min(3, len(chosen))
    down = -(-len(chosen) // across)
    figure = Figure(figsize=(3.4 * across, 2.6 * down), layout="constrained")
    panels = figure.subplots(down, across, squeeze=False, sharey=True)
    for unused in panels.ravel()[len(chosen) :]:
        unused.remove()
    for axes in panels[:, 0]:
        axes.set_ylabel("effect")
    for axes, (column,) in zip(panels.ravel(), chosen, strict=False):
        x = _range(model, column, CURVE_POINTS)
        if _levels(model, column):
            _points(axes, x, *_effect(model, {column: x}), CURVE_COLOUR)
        else:
            _band(axes, _units(model, column, x), *_effect(model, {column: x}), CURVE_COLOUR)
            axes.plot(_units(model, column, model.X_train_[:, column]), np.zeros(len(model.X_train_)), "|",
                      color="#5b6774", transform=axes.get_xaxis_transform(), markersize=5, alpha=0.4,
                      clip_on=False)  # fmt: skip
        _label(axes, model, column)
        _plain(axes)
    return figure


def _surfaces(model: FittedModel, chosen: Sequence[tuple[int, ...]]) -> Figure:
    """One row for each pair: its mean as a map with the data, and along the first column, for three of the second."""
    from matplotlib.figure import Figure

    figure = Figure(figsize=(8.0, 3.0 * len(chosen)), layout="constrained")
    for (left, right), pair in zip(figure.subplots(len(chosen), 2, squeeze=False), chosen, strict=True):
        first, second = sorted(pair, key=lambda column: bool(_levels(model, column)))  # numbers along the axis
        _map(figure, left, model, first, second)
        _slices(right, model, first, second)
    return figure


def _map(figure: Figure, axes: Any, model: FittedModel, first: int, second: int) -> None:
    x, y = _range(model, first, SURFACE_POINTS), _range(model, second, SURFACE_POINTS)
    across, up = np.meshgrid(x, y)
    height = _effect(model, {first: across.ravel(), second: up.ravel()})[0].reshape(across.shape)
    reach = float(np.abs(height).max()) or 1.0
    places = _units(model, first, x), _units(model, second, y)
    if _levels(model, second):
        shown = axes.pcolormesh(*places, height, vmin=-reach, vmax=reach, cmap="RdBu_r", shading="nearest")
    else:
        shown = axes.contourf(*places, height, np.linspace(-reach, reach, 22), cmap="RdBu_r")
    if not _levels(model, first):
        rows = (_units(model, column, model.X_train_[:, column]) for column in (first, second))
        axes.plot(*rows, ".", color="#222b35", markersize=2, alpha=0.5)
    _label(axes, model, first)
    _label(axes, model, second, upright=True)
    axes.set_title("effect of the pair", loc="left", fontsize="medium")
    figure.colorbar(shown, ax=axes, ticks=[-reach, 0.0, reach], format="{x:.2g}")


def _slices(axes: Any, model: FittedModel, first: int, second: int) -> None:
    x, cuts = _range(model, first, CURVE_POINTS), _cuts(model, second)
    for number, (value, label, colour) in enumerate(cuts):
        effect = _effect(model, {first: x, second: np.full(len(x), value)})
        if _levels(model, first):
            _points(axes, x + 0.5 * ((number + 0.5) / len(cuts) - 0.5), *effect, colour, label)
        else:
            _band(axes, _units(model, first, x), *effect, colour, label)
    _label(axes, model, first)
    axes.set_ylabel("effect")
    every = "every" if len(cuts) == len(_levels(model, second)) else f"the {len(cuts)} commonest"
    values = f"{every} {_name(model, second)}" if _levels(model, second) else f"three values of {_name(model, second)}"
    axes.set_title(f"for {values}", loc="left", fontsize="medium")
    axes.legend(frameon=False, fontsize="small")
    _plain(axes)


def _cuts(model: FittedModel, column: int) -> list[tuple[float, str, str]]:
    """The places of a column at which others are drawn, with a name and a colour: few values, or commonest levels."""
    cells, levels = model.X_train_[:, column], _levels(model, column)
    if not levels:
        name, values = _name(model, column), np.quantile(cells, SLICE_QUANTILES)
        labels = [f"{name} = {_units(model, column, value):.3g}" for value in values]
        return list(zip(values.tolist(), labels, SLICE_COLOURS, strict=True))
    counts = np.bincount(cells.astype(np.intp), minlength=len(levels))
    codes = sorted(np.argsort(-counts, kind="stable")[: len(CATEGORY_COLOURS)].tolist())
    return [(float(code), _short(levels[code]), colour) for code, colour in zip(codes, CATEGORY_COLOURS, strict=False)]


def _points(axes: Any, x: Array, mean: Array, sd: Array, colour: str, label: str | None = None) -> None:
    axes.errorbar(x, mean, BAND_SDS * sd, fmt="o", color=colour, markersize=5, elinewidth=1.5, capsize=3, label=label)
    axes.axhline(0.0, color="#5b6774", linewidth=0.6, zorder=0)


def _label(axes: Any, model: FittedModel, column: int, *, upright: bool = False) -> None:
    """The name of a column along an axis, and those of its categories."""
    axis, levels = axes.yaxis if upright else axes.xaxis, [_short(level) for level in _levels(model, column)]
    axis.set_label_text(_name(model, column))
    if levels:
        turned = not upright and sum(map(len, levels)) > WIDEST_LABELS
        axis.set_ticks(range(len(levels)), levels, rotation=90 if turned else 0)
        (axes.set_ylim if upright else axes.set_xlim)(-0.5, len(levels) - 0.5)


def _short(level: str) -> str:
    return level if len(level) <= LONGEST_LABEL else f"{level[: LONGEST_LABEL - 1]}\N{HORIZONTAL ELLIPSIS}"


def _band(axes: Any, x: Array, mean: Array, sd: Array, colour: str, label: str | None = None) -> None:
    axes.fill_between(x, mean - BAND_SDS * sd, mean + BAND_SDS * sd, color=colour, alpha=0.2, linewidth=0)
    axes.plot(x, mean, color=colour, label=label)


def _plain(axes: Any) -> None:
    axes.spines[["top", "right"]].set_visible(False)


def _effect(model: FittedModel, places: dict[int, Array]) -> tuple[Array, Array]:
    """The effect of some columns at their places in standard units, in units of y."""
    X = np.zeros((len(next(iter(places.values()))), model.n_features_in_))
    for column, values in places.items():
        X[:, column] = values
    mean, sd = Effects(model.fitted_).of(tuple(places), X)
    return model.y_scale_ * mean, model.y_scale_ * sd


def _range(model: FittedModel, column: int, points: int) -> Array:
    """The places at which an effect is drawn: of categories one each."""
    cells, levels = model.X_train_[:, column], _levels(model, column)
    return np.arange(float(len(levels))) if levels else np.linspace(cells.min(), cells.max(), points)


def _units(model: FittedModel, column: int, standard: Any) -> Any:
    return standard * model.scale_[column] + model.centre_[column]


def _levels(model: FittedModel, column: int) -> tuple[str, ...]:
    """The categories of a column; none where it holds numbers."""
    return model.inputs_.levels.get(model.inputs_.columns[column], ())


def _name(model: FittedModel, column: int) -> str:
    names = getattr(model, "feature_names_in_", None)
    return f"column {column}" if names is None else str(names[column])
