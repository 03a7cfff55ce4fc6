"""Found symmetries in words, each with its probability.

What is told are the symmetries that generate the most probable group, as far as each is more probable than not. All
else that the group does follows from them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from math import cos, exp, sin

from autostatistician.symmetry.claims import Claim, Kind
from autostatistician.symmetry.finding import (
    PRIOR_ODDS,
    PRIOR_ODDS_WITHOUT_INFLUENCE,
    FittedStructure,
    FoundSymmetries,
)
from autostatistician.wording.numbers import amount, decimals_for, fixed, joined, percent

__all__ = ["Symmetry", "beforehand", "told"]

TOLD = 0.5  # the least probability
NEVER_SURE = 1.0 - 1e-6  # whatever arithmetic says: other groups were not looked at
MOST_DOUBT = 0.2  # of the spread of a column: a centre that is known less well is not told


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


def told(found: FoundSymmetries, columns: Sequence[str], level: tuple[float, float]) -> tuple[Symmetry, ...]:
    """The symmetries of the most probable group in words.

    ``level`` is the one about which odd functions turn, and its standard deviation.
    """
    symmetries = []
    for claims in _together(found.best, found.proposed):
        probability = found.probability(*claims)
        if probability > TOLD:
            first = claims[0]
            places = tuple(dict.fromkeys(place for claim in claims for place in claim.columns))
            text = WORDS[first.kind](found.best, places, columns) + _effect(first, level)
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


def _together(best: FittedStructure, proposed: Sequence[Claim]) -> Iterator[tuple[Claim, ...]]:
    """The generators of a group: those of columns that are exchanged with each other are told at once."""
    structure, done = best.structure, set[Claim]()
    for claim in structure.claims:
        same = [other for other in proposed if (other.kind, other.odd) == (claim.kind, claim.odd)]
        alike = [other for other in same if structure.holds(other) and _tied(best, claim, other)]
        if claim.kind not in (Kind.EXCHANGE, Kind.MIRROR, Kind.PERIOD):
            alike = [claim]
        if done.isdisjoint(alike):
            done |= set(alike)
            yield tuple(alike)


def _tied(best: FittedStructure, claim: Claim, other: Claim) -> bool:
    """Whether the columns of two symmetries are exchanged with each other, or only matter by their difference."""
    ties = best.structure.ties
    blocks = [set(block.columns) for block in best.structure.blocks]
    same = any(set(claim.columns) | set(other.columns) <= block for block in blocks)
    return same or {ties[place] for place in claim.columns} == {ties[place] for place in other.columns}


def _effect(claim: Claim, level: tuple[float, float]) -> str:
    if claim.kind not in (Kind.EXCHANGE, Kind.BLOCKS, Kind.MIRROR, Kind.POINT):
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


WORDS: dict[Kind, Tell] = {
    Kind.EXCHANGE: _exchange,
    Kind.BLOCKS: _blocks,
    Kind.MIRROR: _mirror,
    Kind.POINT: _point,
    Kind.SHIFT: _shift,
    Kind.COMMON_SHIFT: _common,
    Kind.COUNTER_SHIFT: _counter,
    Kind.COMBINATION: _combination,
    Kind.PERIOD: _period,
}
