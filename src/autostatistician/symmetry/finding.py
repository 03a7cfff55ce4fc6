"""Which symmetries a function has, by marginal likelihoods of the groups that they generate.

Groups are generated from pairs: every symmetry of one or two columns is looked at alone; those that the data do not
speak against are put together, as long as that makes a group more probable; to what is found then all others are added
once more. What is told of a symmetry is its probability over all groups that were looked at, no symmetry among them.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from math import inf, log, pi

import numpy as np
from numpy.typing import NDArray

from autostatistician.errors import InputError
from autostatistician.inference.covariance import NotPositiveDefinite
from autostatistician.inference.fitting import lowest
from autostatistician.symmetry.claims import Claim, Kind, proposals
from autostatistician.symmetry.invariant import Invariant, Name, Rows
from autostatistician.symmetry.structure import Structure, structured

__all__ = ["MOST_COLUMNS", "PRIOR_ODDS", "FittedStructure", "FoundSymmetries", "find", "log_odds", "refined"]

Array = NDArray[np.float64]
Objective = Callable[[Array], tuple[float, Array]]

# Odds before the data that a function has some symmetry of a kind, shared evenly by the proposals of that kind; of a
# column without influence for each column.
PRIOR_ODDS = 0.1
PRIOR_ODDS_WITHOUT_INFLUENCE = 0.25
MOST_COLUMNS = 12
MOST_ROWS = 300  # that are looked at
MOST_ROWS_OF_BEST, LAST_STEPS = 1000, ((20, 1),)  # of the most probable group
GOING_ON = 2  # groups to which another symmetry is added
MOST_TOGETHER = 12  # symmetries that are put together
LEVELS = 8
RACE = ((12, 2), (100, 1))  # quasi-Newton steps of every start that is left, and how many go on
PLACES = {"period": 40, "angle": 9, "centre": 7}  # where a fit of what has many optima may begin
STEP = 1e-4  # for the curvature


@dataclass(frozen=True, eq=False)
class FittedStructure:
    """A group with its most probable parameters, its log evidence, and its log odds before the data."""

    model: Invariant
    u: Array
    deviations: Array  # (p,), of the parameters given the data
    log_evidence: float
    log_prior: float

    @property
    def structure(self) -> Structure:
        """The group."""
        return self.model.structure

    @property
    def log_weight(self) -> float:
        """The log odds of the group given the data, up to a constant."""
        return self.log_evidence + self.log_prior

    def value(self, name: Name) -> tuple[float, float]:
        """A parameter and its standard deviation, on the scale on which it was fitted."""
        place = self.model.names.index(name)
        return float(self.u[place]), float(self.deviations[place])


@dataclass(frozen=True, eq=False)
class FoundSymmetries:
    """All groups that were looked at, the most probable first, and the symmetries that were proposed."""

    groups: tuple[FittedStructure, ...]
    proposed: tuple[Claim, ...]
    target: tuple[float, float]  # its mean and standard deviation: targets of the groups are without them

    @property
    def best(self) -> FittedStructure:
        """The most probable group."""
        return self.groups[0]

    @cached_property
    def weights(self) -> Array:
        """The probability of each group, of those that were looked at."""
        logs = np.array([group.log_weight for group in self.groups])
        weights = np.exp(logs - logs.max())
        return np.asarray(weights / weights.sum())

    def probability(self, *claims: Claim) -> float:
        """The probability that the function has all of some symmetries; of none, that it has none at all."""
        groups = [group.structure for group in self.groups]
        have = [all(map(group.holds, claims)) if claims else not group.claims for group in groups]
        return float(self.weights @ np.array(have, dtype=np.float64))


def find(X: Array, y: Array, codes: Array | None = None, *, rng: np.random.Generator) -> FoundSymmetries:
    """The symmetries of the function behind targets ``y`` (n,) at rows ``X`` (n, d) of numbers.

    Parameters
    ----------
    X, y : array
        More than 300 rows are represented by 300 of them.
    codes : array (n, c), optional
        Of columns of categories: the function depends on them, no symmetry acts on them.
    rng : Generator
        Chooses the rows.

    Raises
    ------
    InputError
        When there are too many columns.
    """
    if X.shape[1] > MOST_COLUMNS:
        raise InputError.of(f"at most {MOST_COLUMNS} columns to find symmetries of", f"{X.shape[1]}", "choose some")
    rows = Rows(X, np.zeros((len(X), 0)) if codes is None else codes)
    centre, size = float(y.mean()), float(y.std()) or 1.0
    if len(X) > MOST_ROWS:
        chosen = rng.choice(len(X), MOST_ROWS, replace=False)
        rows, y = rows.some(chosen), y[chosen]
    search = _Search(rows, (y - centre) / size, proposals(rows.X, range(X.shape[1])))
    best, *others = sorted(search.run(), key=lambda group: -group.log_weight)
    return FoundSymmetries((best, *others), search.proposed, (centre, size))


def refined(best: FittedStructure, rows: Rows, y: Array, rng: np.random.Generator) -> FittedStructure:
    """The parameters of a group after some steps more on up to a thousand rows, where it was found on fewer.

    Targets are in the units of the search.
    """
    if len(y) <= MOST_ROWS:
        return best
    chosen = rng.choice(len(y), min(len(y), MOST_ROWS_OF_BEST), replace=False)
    some, targets = rows.some(chosen), y[chosen]
    limits = [(parameter.low, parameter.high) for parameter in best.model.parameters]
    return replace(best, u=lowest(lambda u: best.model.objective(some, targets, u), [best.u], limits, LAST_STEPS))


def log_odds(claims: Iterable[Claim], proposed: Sequence[Claim]) -> float:
    """The log odds of some symmetries together against none, before the data.

    >>> pair = Claim(Kind.EXCHANGE, (0, 1))
    >>> round(float(np.exp(log_odds([pair], [pair, replace(pair, odd=True)]))), 3)
    0.05
    """
    count = Counter(claim.kind for claim in proposed)
    odds = {kind: PRIOR_ODDS / number for kind, number in count.items()} | {Kind.SHIFT: PRIOR_ODDS_WITHOUT_INFLUENCE}
    return sum(log(odds[claim.kind]) for claim in claims)


class _Search:
    """Groups of one table, each fitted once."""

    def __init__(self, rows: Rows, y: Array, proposed: tuple[Claim, ...]) -> None:
        self.rows, self.y, self.proposed = rows, y, proposed
        self.met: dict[tuple[object, ...], FittedStructure] = {}

    def run(self) -> list[FittedStructure]:
        """All groups that were looked at."""
        nothing = self._fitted((), None)
        assert nothing is not None
        alone = [group for claim in self.proposed if (group := self._fitted((claim,), nothing))]
        promising = sorted((g for g in alone if g.log_evidence > nothing.log_evidence), key=lambda g: -g.log_weight)
        claims = [group.structure.claims[0] for group in promising[:MOST_TOGETHER]]
        level = self._climbed(promising[:GOING_ON], nothing.log_weight, claims)
        while level and level[0].structure.claims:  # what only shows once the rest is there
            more = self._larger(level[:1], self.proposed)
            if not more or more[0].log_weight <= level[0].log_weight:
                break
            level = self._climbed(more, level[0].log_weight, claims)
        return list(self.met.values())

    def _climbed(self, level: list[FittedStructure], best: float, claims: Sequence[Claim]) -> list[FittedStructure]:
        """The most probable group that is reached by adding symmetries one by one; none that is not above ``best``."""
        top: list[FittedStructure] = []
        for _ in range(LEVELS):
            if not level or level[0].log_weight <= best:
                break
            top, best = level[:1], level[0].log_weight
            level = self._larger(level, claims)
        return top

    def _larger(self, level: list[FittedStructure], claims: Sequence[Claim]) -> list[FittedStructure]:
        """The most probable groups with another symmetry."""
        larger = {}
        for group in level:
            for claim in claims:
                if not group.structure.holds(claim):
                    more = self._fitted((*group.structure.claims, claim), group)
                    if more is not None:
                        larger[more.structure.key] = more
        return sorted(larger.values(), key=lambda more: -more.log_weight)[:GOING_ON]

    def _fitted(self, claims: tuple[Claim, ...], parent: FittedStructure | None) -> FittedStructure | None:
        structure = structured(claims, self.rows.X.shape[1])
        if structure is None:
            return None
        prior = log_odds(claims, self.proposed)
        known = self.met.get(structure.key)
        if known is None or known.log_prior < prior:
            known = replace(known, log_prior=prior) if known else fitted(structure, self.rows, self.y, parent, prior)
            if known is not None:
                self.met[structure.key] = known
        return known


def fitted(
    structure: Structure, rows: Rows, y: Array, parent: FittedStructure | None = None, log_prior: float = 0.0
) -> FittedStructure | None:
    """A group with its most probable parameters; None where no covariance can be factorised.

    A fit begins where that of a smaller group ended, and at usual values.
    """
    model = Invariant.of(structure, rows)

    def objective(u: Array) -> tuple[float, Array]:
        return model.objective(rows, y, u)

    limits = [(parameter.low, parameter.high) for parameter in model.parameters]
    try:
        u = lowest(objective, _starts(model, rows, y, parent), limits, RACE)
        evidence, deviations = _laplace(model, objective, u)
    except NotPositiveDefinite:
        return None
    return FittedStructure(model, u, deviations, evidence, log_prior)


def _starts(model: Invariant, rows: Rows, y: Array, parent: FittedStructure | None) -> list[Array]:
    usual = np.array([parameter.mean for parameter in model.parameters])
    before = {} if parent is None else dict(zip(parent.model.names, parent.u.tolist(), strict=True))
    begun = np.array([before.get(name, mean) for name, mean in zip(model.names, usual.tolist(), strict=True)])
    starts = [usual, begun]
    if parent is None:
        short = usual.copy()
        short[2:] -= log(3.0)
        return [usual, short]
    for place, (parameter, (kind, _)) in enumerate(zip(model.parameters, model.names, strict=True)):
        if kind in PLACES and parameter.name not in before:
            starts = [best for start in starts for best in _best_places(model, rows, y, start, place)]
    return starts


def _best_places(model: Invariant, rows: Rows, y: Array, start: Array, place: int, count: int = 2) -> list[Array]:
    """A start with the best of evenly spread values for one parameter."""
    parameter = model.parameters[place]
    ends = np.linspace(parameter.low, parameter.high, PLACES[parameter.name[0]] + 1)
    tried = []
    for value in 0.5 * (ends[:-1] + ends[1:]):
        begun = start.copy()
        begun[place] = value
        try:
            tried.append((model.objective(rows, y, begun)[0], begun))
        except NotPositiveDefinite:
            continue
    return [begun for _, begun in sorted(tried, key=lambda pair: pair[0])[:count]]


def _laplace(model: Invariant, objective: Objective, u: Array) -> tuple[float, Array]:
    """The log evidence with all parameters integrated out, and their deviations.

    Laplace's approximation, in which no direction is known less well than before the data.
    """
    count, scale = len(u), np.array([parameter.precision**-0.5 for parameter in model.parameters])
    curvature = np.empty((count, count))
    for place in range(count):
        step = np.zeros(count)
        step[place] = STEP * scale[place]
        curvature[place] = (objective(u + step)[1] - objective(u - step)[1]) / (2.0 * step[place])
    curvature = 0.5 * (curvature + curvature.T) * np.multiply.outer(scale, scale)
    values, axes = np.linalg.eigh(curvature)
    values = np.maximum(values, 1.0)
    volume = 0.5 * count * log(2.0 * pi) + float(np.log(scale).sum()) - 0.5 * float(np.log(values).sum())
    deviations = scale * np.sqrt((axes**2 / values).sum(axis=1))
    value = objective(u)[0]
    return (-value + volume if np.isfinite(value) else -inf), deviations
