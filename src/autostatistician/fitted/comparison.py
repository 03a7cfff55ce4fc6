"""What new rows say of a model: the forecasts that they missed, and the parts that moved."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.stats import norm

from autostatistician._io.rows import evenly_spaced
from autostatistician._io.threads import one_thread
from autostatistician.data.new_rows import NewRows
from autostatistician.fitted.averaged_parts import AveragedParts, averaged_parts
from autostatistician.fitted.covariate_effects import followed_by_time, spread_of
from autostatistician.fitted.model import Model
from autostatistician.fitted.predictions import Options
from autostatistician.fitted.updating import UpdateSurprise, surprise_of, updated
from autostatistician.gp.posterior import Posterior
from autostatistician.gp.predictive import ENDS_OF_95
from autostatistician.kernels.kernel import Kernel
from autostatistician.kernels.traits import is_noise

__all__ = ["Comparison", "Move", "compared"]

Array = NDArray[np.float64]

MOST_PLACES = 300  # of the new rows, at which parts are compared
RARE = 0.05  # probability of a move of any part by chance


@dataclass(frozen=True)
class Move:
    """Where a part is most off what was forecast of it: the change on the scale of the model, and its sd before.

    It is the part of the time structure with this ``index``, or a column by its ``name``. ``p`` is the probability of
    such a change of it at any of the new rows, were the model right.
    """

    x: float
    change: float
    sd: float
    p: float
    name: str = ""
    index: int = -1


@dataclass(frozen=True, eq=False)
class Comparison:
    """New rows beside the forecasts that a model made of them at the end of its data, (m,) each."""

    x: Array
    values: Array
    mean: Array
    lower: Array
    upper: Array
    surprise: UpdateSurprise
    moves: tuple[Move, ...]  # beyond their errors
    parts: int  # of the model, that could have moved
    grown: Model  # with the new rows
    missed_by: tuple[Move | None, ...]  # of each missed row, what moved furthest to its side; None is chance

    @property
    def missed(self) -> NDArray[np.bool_]:
        """Which rows lie outside of their ranges."""
        return np.asarray((self.values < self.lower) | (self.values > self.upper))


def compared(model: Model, parts: Sequence[Kernel], rows: NewRows, options: Options) -> Comparison:
    """New rows beside what a model expected; ``parts`` are those of its kernel."""
    surprise, predictor = surprise_of(model, rows, options)
    ahead = predictor.predictive(rows.X)
    lower, upper = ahead.quantiles(ENDS_OF_95).T
    grown = updated(model, rows)
    places = rows.X[evenly_spaced(len(rows.X), MOST_PLACES)]
    with one_thread():
        old = averaged_parts(model, predictor.averaged, parts)
        new = old.given(grown.problem)
        moves = [*_of_parts(model, (old, new), places), *_of_columns(model, grown, places[:, 0])]
        beyond = tuple(move for move in moves if move.p * len(moves) < RARE)
        missed = np.flatnonzero((rows.values < lower) | (rows.values > upper))
        at = missed[:MOST_PLACES]
        side = np.sign(rows.values[at] - ahead.mean[at])
        blamed = _blamed((model, grown), (old, new), rows.X[at], side, beyond)
    unnamed = (None,) * (len(missed) - len(at))
    return Comparison(
        rows.X[:, 0], rows.values, ahead.mean, lower, upper, surprise, beyond, len(moves), grown, (*blamed, *unnamed)
    )


def _blamed(
    models: tuple[Model, Model], parts: tuple[AveragedParts, AveragedParts], places: Array, side: Array,
    moves: Sequence[Move],
) -> list[Move | None]:  # fmt: skip
    """Of each of some rows (m,) that lie to a ``side`` of their forecast, what has moved furthest to that side there.

    None where nothing that has moved beyond its error has moved to that side: then it was chance.
    """
    if not len(places) or not moves:
        return [None] * len(places)
    before, after = models
    changes = []
    for move in moves:
        if move.name:
            assert before.effects is not None
            assert after.effects is not None
            old, new = (
                each.added_by(move.name, places[:, 0], after.effects.columns).mean(axis=0)
                for each in (before.effects, after.effects)
            )
        else:
            old, new = (each.moments(move.index, places)[0] for each in parts)
        changes.append(side * (new - old))
    shares = np.array(changes)
    furthest = shares.argmax(axis=0)
    return [moves[most] if shares[most, row] > 0.0 else None for row, most in enumerate(furthest)]


def _of_parts(before: Model, parts: tuple[AveragedParts, AveragedParts], places: Array) -> list[Move]:
    """How much each part of the time structure has moved, by what new rows tell of it.

    What they are expected to take off its variance is that of the change of its mean.
    """
    moves = []
    for index, part in enumerate(parts[0].parts):
        if is_noise(part):
            continue
        (old, wide), (new, narrow) = (each.moments(index, places) for each in parts)
        learned = wide - narrow + _by_effects(before, part, places)
        size = before.posterior.prior_variance(part, places)
        moves += _largest(new - old, learned, size, places[:, 0], index)
    return moves


def _by_effects(model: Model, part: Kernel, places: Array) -> Array:
    """The covariance (m, m) of a part because the effects of columns are not known for sure."""
    if model.effects is None:
        return np.zeros((len(places), len(places)))

    def mean(posterior: Posterior) -> Array:
        return posterior.project(part, places).mean

    return spread_of(model.effects.deviations @ followed_by_time(model, mean).T)


def _of_columns(before: Model, after: Model, x: Array) -> list[Move]:
    """How much the effect of each column that acts has moved at the new rows."""
    if before.effects is None or after.effects is None:
        return []
    moves = []
    for name in before.effects.acting:
        old, new = (effects.added_by(name, x, after.effects.columns) for effects in (before.effects, after.effects))
        change = new.mean(axis=0) - old.mean(axis=0)
        place = int(np.abs(change).argmax())
        sd = float(old[:, place].std())
        if sd > 0.0:  # of draws, that are too few to tell what the new rows took off
            p = 2.0 * float(norm.sf(abs(change[place]) / sd))
            moves.append(Move(float(x[place]), float(change[place]), sd, p, name))
    return moves


def _largest(change: Array, cov: Array, size: Array, x: Array, index: int) -> list[Move]:
    """The change (m,) that is largest for its variance, as one of so many as vary independently; none of a constant."""
    variance = cov.diagonal()
    open_places = np.flatnonzero(variance > 1e-9 * max(float(size.max(initial=0.0)), 1e-300))
    if not open_places.size:
        return []
    sds = np.sqrt(variance[open_places])
    z = np.abs(change[open_places]) / sds
    correlations = cov[np.ix_(open_places, open_places)] / np.outer(sds, sds)
    independent = max(len(z) ** 2 / float(np.sum(correlations**2)), 1.0)
    most = int(z.argmax())
    place = open_places[most]
    p = min(1.0, independent * 2.0 * float(norm.sf(z[most])))
    return [Move(float(x[place]), float(change[place]), float(sds[most]), p, index=index)]
