"""The effects of the columns beside a series, as a value: what they add at any time, with what is open about it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import pairwise
from typing import Any, TypeVar, get_origin, get_type_hints

import numpy as np
from numpy.typing import NDArray

from autostatistician.covariates.effects import (
    Clock,
    ColumnScale,
    Effect,
    effects_of,
    features,
    of_values,
    prior_sds,
    with_time,
)
from autostatistician.covariates.selection import Candidates, SelectionDraws, selected
from autostatistician.data.covariates import Covariates
from autostatistician.inference.posterior import Posterior

__all__ = ["CovariateEffects", "estimated", "prepared"]

Array = NDArray[np.float64]

LARGEST_NUMBER = 1e151  # of a record: others are not finite when squared
LEAST_TOLD = 0.02  # probability that a column acts, below which it is left out


@dataclass(frozen=True, eq=False)
class CovariateEffects:
    """Draws (s, P) of the coefficients of the features of several effects, on the scale of the model.

    ``probabilities`` has of each column the probability that it acts, also of columns without an effect here.
    """

    columns: Covariates
    clock: Clock
    scales: tuple[ColumnScale, ...]
    effects: tuple[Effect, ...]
    draws: Array
    probabilities: Mapping[str, float]
    shapes: tuple[float, ...] = ()  # probability of each effect

    @cached_property
    def places(self) -> tuple[slice, ...]:
        """Where the features of each effect stand among all."""
        ends = np.cumsum([0, *(len(prior_sds(effect, self.scale_of(effect.column))) for effect in self.effects)])
        return tuple(slice(int(low), int(high)) for low, high in pairwise(ends))

    def scale_of(self, name: str) -> ColumnScale:
        """The units of a column."""
        return next(scale for scale in self.scales if scale.name == name)

    @property
    def acting(self) -> tuple[str, ...]:
        """The columns that more probably act than not, the surest first."""
        likely = [name for name, chance in self.probabilities.items() if chance > 0.5]
        return tuple(sorted(likely, key=lambda name: -self.probabilities[name]))

    def matrix(self, x: Array, columns: Covariates | None = None) -> Array:
        """The features (m, P) at positions (m,), with the values of the data or of other ``columns``."""
        source = self.columns if columns is None else columns
        made = [features(effect, self.scale_of(effect.column), self.clock, source, x) for effect in self.effects]
        return np.column_stack(made) if made else np.zeros((len(x), 0))

    def added(self, x: Array, columns: Covariates | None = None) -> Array:
        """What all columns together add at positions (m,), draws (s, m)."""
        return np.asarray(self.draws @ self.matrix(x, columns).T)

    def mean_added(self, x: Array) -> Array:
        """What all columns together add on average at positions (m,)."""
        return np.asarray(self.matrix(x) @ self.mean_coefficients)

    def added_by(self, name: str, x: Array, columns: Covariates | None = None) -> Array:
        """What one column adds there, draws (s, m)."""
        total = np.zeros((len(self.draws), len(x)))
        source = self.columns if columns is None else columns
        for effect, place in zip(self.effects, self.places, strict=True):
            if effect.column == name:
                made = features(effect, self.scale_of(name), self.clock, source, x)
                total += self.draws[:, place] @ made.T
        return total

    def curve(self, name: str, values: Array, x: float | None = None) -> Array:
        """What a column adds for good where it holds values (m,), compared with its usual one: draws (s, m).

        Effects that come late or fade are those of a lasting value; what changes with time is as at position ``x``, by
        default averaged over time.
        """
        total = np.zeros((len(self.draws), len(values)))
        for effect, place in zip(self.effects, self.places, strict=True):
            if effect.column != name:
                continue
            plain = of_values(effect, self.scale_of(name), values)
            if effect.over and x is not None:
                plain = with_time(plain, effect, self.clock, np.full(len(values), x))
            made = self.draws[:, place][:, : plain.shape[1]] @ plain.T
            total += made / (1.0 - effect.decay) if effect.decay else made
        return total

    @property
    def mean_coefficients(self) -> Array:
        """The posterior means (P,)."""
        return np.asarray(self.draws.mean(axis=0))

    @property
    def deviations(self) -> Array:
        """What the draws (s, P) deviate from these."""
        return self.draws - self.mean_coefficients

    def to_json(self) -> dict[str, Any]:
        """A JSON-ready record, but for the columns, which the data hold."""
        return {
            "clock": vars(self.clock),
            "scales": [vars(scale) | {"levels": list(scale.levels)} for scale in self.scales],
            "effects": [effect.to_json() for effect in self.effects],
            "draws": np.round(self.draws, 12).tolist(),
            "probabilities": dict(self.probabilities),
            "shapes": list(self.shapes),
        }

    @classmethod
    def from_json(cls, record: Mapping[str, Any], columns: Covariates) -> CovariateEffects:
        """The effects of a record made by `to_json`."""
        scales = tuple(_typed(ColumnScale, scale | {"levels": tuple(scale["levels"])}) for scale in record["scales"])
        effects, clock = tuple(_typed(Effect, effect) for effect in record["effects"]), _typed(Clock, record["clock"])
        draws = np.array(record["draws"], dtype=np.float64).reshape(len(record["draws"]), -1)
        chances = {str(name): float(chance) for name, chance in record["probabilities"].items()}
        made = cls(columns, clock, scales, effects, draws, chances, tuple(map(float, record["shapes"])))
        known = {(column.name, column.levels) for column in columns.at(columns.x[:1])}
        named = {scale.name for scale in scales if (scale.name, scale.levels) in known}
        if not named >= {scale.name for scale in scales} | {effect.column for effect in effects}:
            raise ValueError("effects of columns that are not there")
        if not all(effect.is_possible for effect in effects) or len(made.shapes) != len(effects):
            raise ValueError("effects that no column has")
        if draws.shape[1] != sum(place.stop - place.start for place in made.places) or not np.isfinite(draws).all():
            raise ValueError("coefficients that do not fit the effects")
        with np.errstate(all="ignore"):
            if not np.isfinite(made.mean_added(columns.x[:1])).all():
                raise ValueError("effects that are no numbers")
        return made


AnyKind = TypeVar("AnyKind", Clock, ColumnScale, Effect)


def _typed(kind: type[AnyKind], record: Mapping[str, Any]) -> AnyKind:
    """A value of a kind whose fields are finite numbers and texts, as its annotations say."""
    value = kind(**record)
    for name, wanted in get_type_hints(kind).items():
        given = getattr(value, name)
        fits = isinstance(given, int | float if wanted is float else get_origin(wanted) or wanted)
        if not fits or isinstance(given, bool) or (wanted in (int, float) and not abs(given) < LARGEST_NUMBER):
            raise TypeError(f"{name!r} is {given!r}")
    return value


@dataclass(frozen=True, eq=False)
class Prepared:
    """All effects that the columns may have, and their features (n, P) at the rows."""

    columns: Covariates
    clock: Clock
    scales: tuple[ColumnScale, ...]
    units: tuple[Candidates, ...]
    matrix: Array = field(repr=False)

    def only(self, rows: NDArray[np.bool_]) -> Prepared:
        """The same at some of the rows."""
        return self if rows.all() else replace(self, matrix=self.matrix[rows])


def prepared(columns: Covariates, clock: Clock, x: Array) -> Prepared:
    """The candidates of every column at the rows' positions (n,)."""
    at_rows = [column for column in columns.at(x) if np.isfinite(column.values).any()]
    scales = tuple(ColumnScale.of(column) for column in at_rows)
    members: dict[tuple[str, str], list[ColumnScale]] = {}
    for column, scale in zip(at_rows, scales, strict=True):
        members.setdefault((column.group, column.event or column.name), []).append(scale)
    units, blocks, first = [], [], 0
    for (group, name), together in members.items():
        ways, shares, places, sds = [], [], [], []
        for way, share in _ways(together, clock, group):
            made = [features(effect, scale, clock, columns, x) for effect, scale in way]
            blocks += made
            width = sum(block.shape[1] for block in made)
            ways.append(tuple(effect for effect, _ in way))
            shares.append(share)
            places.append(np.arange(first, first + width))
            sds.append(np.concatenate([prior_sds(effect, scale) for effect, scale in way]))
            first += width
        units.append(Candidates(name, tuple(ways), tuple(places), tuple(sds), tuple(shares), group))
    return Prepared(columns, clock, scales, tuple(units), np.column_stack(blocks))


def _ways(
    together: Sequence[ColumnScale], clock: Clock, group: str
) -> list[tuple[tuple[tuple[Effect, ColumnScale], ...], float]]:
    """The ways of a unit with their shares: an event acts on all of its days, a column in one of its effects."""
    if group:
        return [(tuple((Effect(scale.name), scale) for scale in together), 1.0)]
    (scale,) = together
    return [(((effect, scale),), share) for effect, share in effects_of(scale, clock)]


def estimated(candidates: Prepared, posterior: Posterior, y: Array, size: float, seed: int) -> CovariateEffects:
    """The effects given the time structure of a posterior, for targets (n,) on the scale of the model.

    ``size`` is the unit of an effect: about the standard deviation of the targets.
    """
    rng = np.random.default_rng(seed)
    made = selected(candidates.units, posterior.whitened(candidates.matrix * size), posterior.whitened(y), rng)
    return _of_draws(candidates, made, size)


def _of_draws(candidates: Prepared, made: SelectionDraws, size: float) -> CovariateEffects:
    """The effects that some draws have, with what is rare left out."""
    effects: list[Effect] = []
    shapes: list[float] = []
    kept: list[NDArray[np.intp]] = []
    probabilities: dict[str, float] = {}
    scale_of = {scale.name: scale for scale in candidates.scales}
    for unit, chances in zip(candidates.units, made.probabilities, strict=True):
        probabilities |= {effect.column: float(chances.sum()) for way in unit.ways for effect in way}
        if chances.sum() < LEAST_TOLD:
            continue
        for way, places, chance in zip(unit.ways, unit.columns, chances, strict=True):
            if not np.any(made.coefficients[:, places]):
                continue
            first = 0
            for effect in way:
                width = len(prior_sds(effect, scale_of[effect.column]))
                effects.append(effect)
                shapes.append(float(chance))
                kept.append(places[first : first + width])
                first += width
    places = np.concatenate(kept) if kept else np.zeros(0, dtype=np.intp)
    return CovariateEffects(
        candidates.columns, candidates.clock, candidates.scales, tuple(effects), made.coefficients[:, places] * size,
        probabilities, tuple(shapes),
    )  # fmt: skip
