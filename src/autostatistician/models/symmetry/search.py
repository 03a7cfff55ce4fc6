"""Which symmetries a function has, by marginal likelihoods of the groups that they generate.

Groups are generated from pairs: every symmetry of one or two columns is looked at alone; those that the data do not
speak against are put together, as long as that makes a group more probable; to what is found then all others are added
once more. What is told of a symmetry is its probability over all groups that were looked at, no symmetry among them.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from math import cos, exp, inf, log, pi, sin

import numpy as np
from numpy.typing import NDArray

from autostatistician.errors import InputError
from autostatistician.gp.covariance import NotPositiveDefinite
from autostatistician.gp.fitting import lowest
from autostatistician.i18n.numbers import amount, decimals_for, fixed, joined, percent
from autostatistician.models.symmetry.invariant import Invariant, Name, Rows
from autostatistician.models.symmetry.structure import Action, Invariance, Structure, proposals, structured

__all__ = [
    "MOST_COLUMNS",
    "PRIOR_ODDS",
    "FittedStructure",
    "Symmetry",
    "SymmetryResult",
    "beforehand",
    "log_odds",
    "refined",
    "reported",
    "search_symmetries",
]  # fmt: skip


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

TOLD = 0.5  # the least probability

NEVER_SURE = 1.0 - 1e-6  # whatever arithmetic says: other groups were not looked at

MOST_DOUBT = 0.2  # of the spread of a column: a centre that is known less well is not told


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
class SymmetryResult:
    """All groups that were looked at, the most probable first, and the symmetries that were proposed."""

    groups: tuple[FittedStructure, ...]
    proposed: tuple[Invariance, ...]
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

    def probability(self, *claims: Invariance) -> float:
        """The probability that the function has all of some symmetries; of none, that it has none at all."""
        groups = [group.structure for group in self.groups]
        have = [all(map(group.holds, claims)) if claims else not group.claims for group in groups]
        return float(self.weights @ np.array(have, dtype=np.float64))


def search_symmetries(X: Array, y: Array, codes: Array | None = None, *, rng: np.random.Generator) -> SymmetryResult:
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
    search = _SymmetrySearch(rows, (y - centre) / size, proposals(rows.X, range(X.shape[1])))
    best, *others = sorted(search.run(), key=lambda group: -group.log_weight)
    return SymmetryResult((best, *others), search.proposed, (centre, size))


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


def log_odds(claims: Iterable[Invariance], proposed: Sequence[Invariance]) -> float:
    """The log odds of some symmetries together against none, before the data.

    >>> pair = Invariance(Action.EXCHANGE, (0, 1))
    >>> round(float(np.exp(log_odds([pair], [pair, replace(pair, odd=True)]))), 3)
    0.05
    """
    count = Counter(claim.kind for claim in proposed)
    odds = {kind: PRIOR_ODDS / number for kind, number in count.items()} | {Action.SHIFT: PRIOR_ODDS_WITHOUT_INFLUENCE}
    return sum(log(odds[claim.kind]) for claim in claims)


class _SymmetrySearch:
    """Groups of one table, each fitted once."""

    def __init__(self, rows: Rows, y: Array, proposed: tuple[Invariance, ...]) -> None:
        self.rows, self.y, self.proposed = rows, y, proposed
        self.met: dict[tuple[object, ...], FittedStructure] = {}

    def run(self) -> list[FittedStructure]:
        """All groups that were looked at."""
        nothing = self._fitted((), None)
        assert nothing is not None
        single = [group for claim in self.proposed if (group := self._fitted((claim,), nothing))]
        promising = sorted((g for g in single if g.log_evidence > nothing.log_evidence), key=lambda g: -g.log_weight)
        claims = [group.structure.claims[0] for group in promising[:MOST_TOGETHER]]
        level = self._climbed(promising[:GOING_ON], nothing.log_weight, claims)
        while level and level[0].structure.claims:  # what only shows once the rest is there
            more = self._larger(level[:1], self.proposed)
            if not more or more[0].log_weight <= level[0].log_weight:
                break
            level = self._climbed(more, level[0].log_weight, claims)
        return list(self.met.values())

    def _climbed(
        self, level: list[FittedStructure], best: float, claims: Sequence[Invariance]
    ) -> list[FittedStructure]:
        """The most probable group that is reached by adding symmetries one by one; none that is not above ``best``."""
        top: list[FittedStructure] = []
        for _ in range(LEVELS):
            if not level or level[0].log_weight <= best:
                break
            top, best = level[:1], level[0].log_weight
            level = self._larger(level, claims)
        return top

    def _larger(self, level: list[FittedStructure], claims: Sequence[Invariance]) -> list[FittedStructure]:
        """The most probable groups with another symmetry."""
        larger = {}
        for group in level:
            for claim in claims:
                if not group.structure.holds(claim):
                    more = self._fitted((*group.structure.claims, claim), group)
                    if more is not None:
                        larger[more.structure.key] = more
        return sorted(larger.values(), key=lambda more: -more.log_weight)[:GOING_ON]

    def _fitted(self, claims: tuple[Invariance, ...], parent: FittedStructure | None) -> FittedStructure | None:
        structure = structured(claims, self.rows.X.shape[1])
        if structure is None:
            return None
        prior = log_odds(claims, self.proposed)
        group = self.met.get(structure.key)
        if group is None or group.log_prior < prior:
            group = replace(group, log_prior=prior) if group else fitted(structure, self.rows, self.y, parent, prior)
            if group is not None:
                self.met[structure.key] = group
        return group


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


# --- Found symmetries in words, each with its probability -----------------------------------------------------------


@dataclass(frozen=True)
class Symmetry:
    """A symmetry that was found: its text, what is done to which columns, and the probability."""

    text: str
    kind: str
    columns: tuple[str, ...]
    odd: bool
    probability: float

    def __str__(self) -> str:
        return f"{self.text} (P = {percent(min(self.probability, NEVER_SURE))})."


def reported(result: SymmetryResult, columns: Sequence[str], level: tuple[float, float]) -> tuple[Symmetry, ...]:
    """The symmetries of the most probable group in words.

    ``level`` is the one about which odd functions turn, and its standard deviation.
    """
    symmetries = []
    for claims in _together(result.best, result.proposed):
        probability = result.probability(*claims)
        if probability > TOLD:
            first = claims[0]
            places = tuple(dict.fromkeys(place for claim in claims for place in claim.columns))
            text = WORDS[first.kind](result.best, places, columns) + _effect(first, level)
            names = tuple(columns[place] for place in places)
            symmetries.append(Symmetry(text, first.kind.value, names, first.odd, probability))
    return tuple(sorted(symmetries, key=lambda symmetry: -symmetry.probability))


def beforehand() -> str:
    """What was believed before the data.

    >>> beforehand()
    'Before the data, the odds of each kind of symmetry were 1 to 10, those of a column without influence 1 to 4.'
    """
    kinds, columns = (amount(1.0 / odds) for odds in (PRIOR_ODDS, PRIOR_ODDS_WITHOUT_INFLUENCE))
    return (
        f"Before the data, the odds of each kind of symmetry were 1 to {kinds}, "
        f"those of a column without influence 1 to {columns}."
    )


def _together(best: FittedStructure, proposed: Sequence[Invariance]) -> Iterator[tuple[Invariance, ...]]:
    """The generators of a group: those of columns that are exchanged with each other are told at once."""
    structure, done = best.structure, set[Invariance]()
    for claim in structure.claims:
        same = [other for other in proposed if (other.kind, other.odd) == (claim.kind, claim.odd)]
        alike = [other for other in same if structure.holds(other) and _tied(best, claim, other)]
        if claim.kind not in (Action.EXCHANGE, Action.MIRROR, Action.PERIOD):
            alike = [claim]
        if done.isdisjoint(alike):
            done |= set(alike)
            yield tuple(alike)


def _tied(best: FittedStructure, claim: Invariance, other: Invariance) -> bool:
    """Whether the columns of two symmetries are exchanged with each other, or only matter by their difference."""
    ties = best.structure.ties
    blocks = [set(block.columns) for block in best.structure.blocks]
    same = any(set(claim.columns) | set(other.columns) <= block for block in blocks)
    return same or {ties[place] for place in claim.columns} == {ties[place] for place in other.columns}


def _effect(claim: Invariance, level: tuple[float, float]) -> str:
    if claim.kind not in (Action.EXCHANGE, Action.BLOCKS, Action.MIRROR, Action.POINT):
        return ""
    return f" turns values over about the level {_known(*level)}" if claim.odd else " changes nothing"


Tell = Callable[[FittedStructure, tuple[int, ...], Sequence[str]], str]


def _exchange(_: FittedStructure, places: tuple[int, ...], columns: Sequence[str]) -> str:
    names = joined([columns[place] for place in sorted(places)])
    return f"Swapping {names}" if len(places) == 2 else f"Swapping any two of {names}"


def _blocks(_: FittedStructure, places: tuple[int, ...], columns: Sequence[str]) -> str:
    a, b, c, d = (columns[place] for place in places)
    return f"Swapping {a} and {b} with {c} and {d}"


def _mirror(best: FittedStructure, places: tuple[int, ...], columns: Sequence[str]) -> str:
    names = [columns[place] for place in places]
    each = " (each by itself)" if len(places) > 1 else ""
    return f"Mirroring {joined(names)}{each}{_centres(best, places[:1])}"


def _point(best: FittedStructure, places: tuple[int, ...], columns: Sequence[str]) -> str:
    return f"Mirroring {joined([columns[place] for place in places])} together{_centres(best, places)}"


def _centres(best: FittedStructure, places: tuple[int, ...]) -> str:
    """Where something is mirrored; nothing where that is not known, as where only differences matter."""
    model, numbers = best.model, []
    for place in dict.fromkeys(best.structure.ties[place] for place in places):
        name = "centre", (place,)
        if name not in model.names or best.value(name)[1] > MOST_DOUBT:
            return ""
        value, sd = (number * float(model.scale[place]) for number in best.value(name))
        numbers.append(_known(value + float(model.shift[place]), sd))
    return f" about {joined(numbers)}"


def _shift(_: FittedStructure, places: tuple[int, ...], columns: Sequence[str]) -> str:
    return f"{columns[places[0]]} makes no difference"


def _common(_: FittedStructure, places: tuple[int, ...], columns: Sequence[str]) -> str:
    what = "the difference matters" if len(places) == 2 else "the differences matter"
    return f"Of {joined([columns[place] for place in places])} only {what}"


def _counter(_: FittedStructure, places: tuple[int, ...], columns: Sequence[str]) -> str:
    return f"Of {joined([columns[place] for place in places])} only the sum matters"


def _combination(best: FittedStructure, places: tuple[int, ...], columns: Sequence[str]) -> str:
    angle, sd = best.value(("angle", places))
    sizes, shares = best.model.scale[list(places)], (cos(angle), sin(angle))
    first = int(abs(shares[1]) > shares[0])  # the one that counts more
    scale = sizes[first] / sizes[1 - first]
    ratio, doubt = shares[1 - first] / shares[first] * scale, sd / shares[first] ** 2 * scale
    one, other = columns[places[first]], columns[places[1 - first]]
    sign = "+" if ratio > 0.0 else "\N{MINUS SIGN}"
    both = joined([columns[place] for place in places])
    return f"Of {both} only {one} {sign} {_known(abs(ratio), doubt)} {other} matters"


def _period(best: FittedStructure, places: tuple[int, ...], columns: Sequence[str]) -> str:
    block = next(block for block in best.structure.blocks if places[0] in block.columns)
    value, sd = best.value(("period", block.tied))
    period = exp(value)
    names = joined([columns[place] for place in places])
    each = " (each by itself)" if len(places) > 1 else ""
    return f"Every {_known(period, sd * period)} of {names}{each} all comes again"


def _known(value: float, sd: float) -> str:
    """A number as far as it is known, with two standard deviations."""
    decimals = decimals_for(2.0 * sd, 2 if sd else 3)
    return f"{fixed(value, decimals)} (± {fixed(2.0 * sd, decimals)})"


WORDS: dict[Action, Tell] = {
    Action.EXCHANGE: _exchange,
    Action.BLOCKS: _blocks,
    Action.MIRROR: _mirror,
    Action.POINT: _point,
    Action.SHIFT: _shift,
    Action.COMMON_SHIFT: _common,
    Action.COUNTER_SHIFT: _counter,
    Action.COMBINATION: _combination,
    Action.PERIOD: _period,
}
