"""Which columns act, and how: draws from the posterior over all sets of effects, given the time structure.

Whitened by the covariance of the time structure, the observations are independent, so that all of this is a Bayesian
linear regression whose sums of products are made once. Its scale is integrated out (an inverse gamma prior), and
effects enter and leave one column at a time by Gibbs steps (George and McCulloch 1997, Statistica Sinica 7).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.linalg import LinAlgError, cho_factor, cho_solve, solve_triangular

from autostatistician.covariates.effects import Effect
from autostatistician.forms import COMMON_SEASON

__all__ = ["Candidates", "SelectionDraws", "selected"]

Array = NDArray[np.float64]

SIZES = (0.1, 0.4, 1.5, 6.0)  # prior standard deviations of an effect, in those of the target; rare days are far off
FREEDOM = 4.0  # of the prior of the scale, whose mean is about one
WARM_UP, SWEEPS = 30, 200
DRAWS = 5  # of coefficients after each sweep: the ends of a range need a thousand
MOST_IN_PRIOR = 0.25  # probability that a column acts
EXPECTED = 2.5  # columns that act, where there are many
GROUP_IN, GROUP_OUT = 1.0, 3.0  # units of a group that act and that do not, before the data
SEASON_IN, SEASON_OUT = 3.0, 1.0  # the same of a season that many other series show


@dataclass(frozen=True, eq=False)
class Candidates:
    """The ways in which a column may act, or the columns of one event together, and their features among all.

    Each way is one effect or, of an event, an effect for each of its days. ``columns`` are those of the matrix of all
    features, ``sds`` the prior standard deviations of their coefficients for an effect of size one, ``share`` how
    probable each way is if the unit acts. Units of a group share how probable it is that they act at all.
    """

    unit: str
    ways: tuple[tuple[Effect, ...], ...]
    columns: tuple[NDArray[np.intp], ...]
    sds: tuple[Array, ...]
    shares: tuple[float, ...]
    group: str = ""


@dataclass(frozen=True, eq=False)
class SelectionDraws:
    """Draws of coefficients (s, P) of all features, and the probabilities of the ways of each unit."""

    coefficients: Array
    scales: Array  # (s,) of the noise and the time structure together, beside what was assumed
    probabilities: tuple[Array, ...]  # of each unit: (number of ways,) adding up to that it acts

    def acts(self, unit: int) -> float:
        """The probability that a unit acts at all."""
        return float(self.probabilities[unit].sum())


@dataclass(frozen=True, eq=False)
class _Sums:
    """Sums of products of whitened features and targets."""

    gram: Array
    cross: Array
    square: float
    rows: int


def selected(units: Sequence[Candidates], whitened: Array, target: Array, rng: np.random.Generator) -> SelectionDraws:
    """Draws from the posterior of effects, given whitened features (n, P) and targets (n,).

    Examples
    --------
    >>> rng = np.random.default_rng(0)
    >>> X = rng.standard_normal((80, 2))
    >>> plain = [Effect(name) for name in "ab"]
    >>> units = [Candidates(e.column, ((e,),), (np.array([k]),), (np.ones(1),), (1.0,)) for k, e in enumerate(plain)]
    >>> draws = selected(units, X, 2.0 * X[:, 0] + rng.standard_normal(80), rng)
    >>> draws.acts(0) > 0.99, draws.acts(1) < 0.5, bool(abs(draws.coefficients[:, 0].mean() - 2.0) < 0.3)
    (True, True, True)
    """
    sums = _Sums(whitened.T @ whitened, whitened.T @ target, float(target @ target), len(target))
    states: list[tuple[int, float] | None] = [None] * len(units)
    probabilities = [np.zeros(len(unit.ways)) for unit in units]
    coefficients, scales = [], []
    for sweep in range(WARM_UP + SWEEPS):
        acting = _acting(units, states, rng)
        for place in rng.permutation(len(units)):
            others = _active(units, [None if k == place else state for k, state in enumerate(states)])
            choices, weights = _conditional(units[place], others, sums, acting[units[place].group])
            drawn = choices[int(rng.choice(len(choices), p=weights))]
            states[place] = drawn
            if sweep >= WARM_UP:
                for choice, weight in zip(choices, weights, strict=True):
                    if choice is not None:
                        probabilities[place][choice[0]] += weight / SWEEPS
        if sweep >= WARM_UP:
            active = _active(units, states)
            drawn_values = [_drawn(active, sums, rng) for _ in range(DRAWS)]
            coefficients += [values for values, _ in drawn_values]
            scales += [scale for _, scale in drawn_values]
    return SelectionDraws(np.array(coefficients), np.array(scales), tuple(probabilities))


def _acting(
    units: Sequence[Candidates], states: Sequence[tuple[int, float] | None], rng: np.random.Generator
) -> dict[str, float]:
    """The prior probability that a unit acts: fixed for single columns, drawn for each group given how many do."""
    single = [unit for unit in units if not unit.group]
    acting = {"": min(MOST_IN_PRIOR, EXPECTED / max(len(single), 1))}
    for group in sorted({unit.group for unit in units if unit.group}):
        inside = [state is not None for unit, state in zip(units, states, strict=True) if unit.group == group]
        many = sum(inside)
        before = (SEASON_IN, SEASON_OUT) if group == COMMON_SEASON else (GROUP_IN, GROUP_OUT)
        drawn = rng.beta(before[0] + many, before[1] + len(inside) - many)
        acting[group] = float(np.clip(drawn, 1e-4, 1.0 - 1e-4))
    return acting


def _active(units: Sequence[Candidates], states: Sequence[tuple[int, float] | None]) -> tuple[NDArray[np.intp], Array]:
    """The features that are in, and the prior variances of their coefficients."""
    chosen = [(unit, state) for unit, state in zip(units, states, strict=True) if state is not None]
    if not chosen:
        return np.zeros(0, dtype=np.intp), np.zeros(0)
    places = np.concatenate([unit.columns[index] for unit, (index, _) in chosen])
    variances = np.concatenate([(size * unit.sds[index]) ** 2 for unit, (index, size) in chosen])
    return places, variances


def _conditional(
    unit: Candidates, others: tuple[NDArray[np.intp], Array], sums: _Sums, acting: float
) -> tuple[list[tuple[int, float] | None], Array]:
    """What a unit may do given what all others do, with probabilities."""
    places = np.unique(np.concatenate(unit.columns))
    gram, cross, square = sums.gram[np.ix_(places, places)], sums.cross[places], sums.square
    inside, variances = others
    if inside.size:
        between = sums.gram[np.ix_(inside, places)]
        factor = cho_factor(sums.gram[np.ix_(inside, inside)] + np.diag(1.0 / variances), lower=True)
        solved = cho_solve(factor, np.column_stack([between, sums.cross[inside]]))
        gram, cross = gram - between.T @ solved[:, :-1], cross - between.T @ solved[:, -1]
        square -= float(sums.cross[inside] @ solved[:, -1])
    freedom = 0.5 * (sums.rows + FREEDOM)
    choices: list[tuple[int, float] | None] = [None]
    logs = [np.log1p(-acting) - freedom * np.log(FREEDOM + max(square, 0.0))]
    for index, (columns, sds, share) in enumerate(zip(unit.columns, unit.sds, unit.shares, strict=True)):
        at = np.searchsorted(places, columns)
        part, towards = gram[np.ix_(at, at)], cross[at]
        for size in SIZES:
            determinant, explained = _gain(part, towards, (size * sds) ** 2)
            left_over = FREEDOM + max(square - explained, 1e-12 * square)
            choices.append((index, size))
            logs.append(np.log(acting * share / len(SIZES)) - 0.5 * determinant - freedom * np.log(left_over))
    weights = np.exp(np.array(logs) - max(logs))
    return choices, weights / weights.sum()


def _gain(gram: Array, cross: Array, variances: Array) -> tuple[float, float]:
    """The log determinant of ``I + V G`` and what the features explain of the sum of squares."""
    if len(cross) == 1:
        grown = 1.0 + variances[0] * max(gram[0, 0], 0.0)
        return float(np.log(grown)), float(cross[0] ** 2 * variances[0] / grown)
    roots = np.sqrt(variances)
    inner = np.eye(len(cross)) + roots[:, None] * gram * roots
    try:
        lower = np.linalg.cholesky(inner)
    except LinAlgError:
        return np.inf, 0.0
    half = solve_triangular(lower, roots * cross, lower=True)
    return float(2.0 * np.log(lower.diagonal()).sum()), float(half @ half)


def _drawn(active: tuple[NDArray[np.intp], Array], sums: _Sums, rng: np.random.Generator) -> tuple[Array, float]:
    """Coefficients of all features, zero of those that are out, and the scale, drawn from their posterior."""
    values = np.zeros(len(sums.cross))
    inside, variances = active
    if not inside.size:
        return values, _scale(sums.square, sums.rows, rng)
    precision = sums.gram[np.ix_(inside, inside)] + np.diag(1.0 / variances)
    lower = np.linalg.cholesky(precision)
    mean = cho_solve((lower, True), sums.cross[inside])
    scale = _scale(max(sums.square - float(sums.cross[inside] @ mean), 0.0), sums.rows, rng)
    noise = solve_triangular(lower, rng.standard_normal(len(inside)), lower=True, trans=1)
    values[inside] = mean + scale * noise
    return values, scale


def _scale(square: float, rows: int, rng: np.random.Generator) -> float:
    return float(np.sqrt((FREEDOM + square) / rng.chisquare(rows + FREEDOM)))
