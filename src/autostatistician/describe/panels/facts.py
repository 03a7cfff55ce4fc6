"""What the series of a panel share and who differs: plain values from their records, decided here, said elsewhere."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

import numpy as np

from autostatistician.describe.claims.kinds import Kind as ClaimKind
from autostatistician.describe.panels.changes import SharedChange, shared_changes
from autostatistician.describe.panels.surprises import Surprise, surprises
from autostatistician.describe.panels.traits import SeriesTraits, places

__all__ = [
    "Group", "Kind", "Late", "PanelFacts", "SharedSeason", "Spread", "group_of", "kinds_of", "panel_facts", "steps_of",
]  # fmt: skip

MOST_GROUPS = 8
FEWEST_ALIKE = 2  # series that make a group


@dataclass(frozen=True)
class Spread:
    """How a trait is spread over the ``series`` that have it: median, and the middle half."""

    median: float
    low: float
    high: float
    series: int


@dataclass(frozen=True)
class SharedSeason:
    """A cycle that ``series`` have; ``tops`` counts when they are highest, most often first.

    ``few`` are the names of those that have it or of those that lack it, whichever are fewer.
    """

    name: str
    series: int
    tops: tuple[tuple[str, int], ...]
    share: float | None  # median swing as a share of the level
    few: tuple[str, ...] = ()
    borrowed: int = 0  # of them too short to show it alone: they follow the others
    unknown: int = 0  # of which nobody knows whether they do


@dataclass(frozen=True)
class Late:
    """How many series rise and fall at the end, and when those that ``turned`` to the more frequent of both did.

    ``since`` are the ends of the middle half of the times at which they turned.
    """

    rising: int
    falling: int
    turned: int
    since: tuple[str, str]
    step: str


@dataclass(frozen=True)
class Group:
    """Series of which the same is claimed: the way of their course, their cycles, and whether a sudden change lasts."""

    way: str
    seasons: tuple[str, ...]
    stepped: bool
    names: tuple[str, ...] = ()


@dataclass(frozen=True)
class Kind:
    """A reason of failure, a note or a step that series have in common, but for numbers and names in it."""

    text: str  # of the first
    names: tuple[str, ...]
    same: bool = True  # whether all have it to the letter


@dataclass(frozen=True)
class PanelFacts:
    """All of it; ``ways`` counts the courses by what they do ("rises", "falls", "turns", "level", "open", "").

    That is apart from the sudden changes that last, which ``stepped`` of them have. ``steps`` are from row to row.
    """

    series: int
    done: int
    ways: tuple[tuple[str, int], ...]
    growth: Spread | None
    ahead: Spread | None
    noise: Spread | None
    seasons: tuple[SharedSeason, ...]
    changes: tuple[SharedChange, ...]
    surprises: tuple[Surprise, ...]
    groups: tuple[Group, ...]
    failures: tuple[Kind, ...]
    notes: tuple[Kind, ...]
    stepped: int = 0
    steps: tuple[Kind, ...] = ()
    late: Late | None = None  # of panels in which some turn
    ahead_to: tuple[str, str] | None = None  # the last time of the forecasts and the step, where all have the same

    def way(self, name: str) -> int:
        """How many courses do this."""
        return dict(self.ways).get(name, 0)


def panel_facts(every: Sequence[SeriesTraits]) -> PanelFacts:
    """What is told of the series of a panel.

    >>> facts = panel_facts([SeriesTraits("a", True, way="rises"), SeriesTraits("b", False, "too few rows")])
    >>> facts.series, facts.done, facts.way("rises"), facts.failures
    (2, 1, 1, (Kind(text='too few rows', names=('b',), same=True),))
    """
    done = [traits for traits in every if traits.done]
    changes = shared_changes(done)
    return PanelFacts(
        len(every), len(done), tuple(Counter(traits.way for traits in done).most_common()),
        _spread([traits.growth for traits in done]), _spread([traits.ahead for traits in done]),
        _spread([traits.noise for traits in done]), _seasons(done), changes, surprises(done, changes), _groups(done),
        kinds_of((traits.reason, traits.name) for traits in every if not traits.done),
        kinds_of((note, traits.name) for traits in every for note in dict.fromkeys(traits.notes)),
        sum(group_of(traits).stepped for traits in done), steps_of((traits.step, traits.name) for traits in done),
        _late(done), _ahead_to(done),
    )  # fmt: skip


def _late(done: Sequence[SeriesTraits]) -> Late | None:
    rising, falling = (sum(traits.late == way for traits in done) for way in ("rises", "falls"))
    more = "rises" if rising > falling else "falls"
    turns = [(traits.turned, traits.step) for traits in done if traits.turned and traits.late == more]
    order = places([when for when, _ in turns])
    if not turns or order is None:
        return None
    low, high = np.quantile(order, [0.25, 0.75], method="nearest")
    since = tuple(turns[int(np.flatnonzero(order == end)[0])][0] for end in (low, high))
    return Late(rising, falling, len(turns), (since[0], since[1]), turns[0][1])


def _ahead_to(done: Sequence[SeriesTraits]) -> tuple[str, str] | None:
    ends = {(traits.stop_ahead, traits.step) for traits in done}
    return next(iter(ends)) if len(ends) == 1 and all(when for when, _ in ends) else None


def _spread(values: Sequence[float | None]) -> Spread | None:
    known = [value for value in values if value is not None]
    if not known:
        return None
    low, median, high = np.quantile(known, [0.25, 0.5, 0.75]).tolist()
    return Spread(median, low, high, len(known))


def _seasons(done: Sequence[SeriesTraits]) -> tuple[SharedSeason, ...]:
    counts = Counter(name for traits in done for name in traits.seasons)
    return tuple(_season(name, count, done) for name, count in counts.most_common())


def _season(name: str, count: int, done: Sequence[SeriesTraits]) -> SharedSeason:
    strongest = [traits for traits in done if traits.seasons[:1] == (name,)]
    tops = Counter(traits.top for traits in strongest if traits.top)
    shares = [traits.swing for traits in strongest if traits.swing is not None]
    have = 2 * count <= len(done)
    few = tuple(
        traits.name for traits in done if (name in traits.seasons) == have and (have or name not in traits.unknown)
    )
    borrowed = sum(traits.borrowed and traits.seasons[0] == name for traits in done)
    unknown = sum(name in traits.unknown for traits in done)
    return SharedSeason(
        name, count, tuple(tops.most_common()), float(np.median(shares)) if shares else None, few, borrowed, unknown
    )


def _groups(done: Sequence[SeriesTraits]) -> tuple[Group, ...]:
    """The largest groups of alike series; those in none are the others."""
    members: dict[Group, list[str]] = {}
    for traits in done:
        members.setdefault(group_of(traits), []).append(traits.name)
    ranked = sorted(members.items(), key=lambda pair: -len(pair[1]))[:MOST_GROUPS]
    return tuple(replace(group, names=tuple(names)) for group, names in ranked if len(names) >= FEWEST_ALIKE)


def steps_of(pairs: Iterable[tuple[str, str]]) -> tuple[Kind, ...]:
    """The steps from row to row with the series that have them, the usual one first; "" where rows are irregular.

    >>> steps_of([("month", "a"), ("", "b"), ("month", "c")])
    (Kind(text='month', names=('a', 'c'), same=True), Kind(text='', names=('b',), same=True))
    """
    names: dict[str, list[str]] = {}
    for step, name in pairs:
        names.setdefault(step, []).append(name)
    return tuple(Kind(step, tuple(those)) for step, those in sorted(names.items(), key=lambda pair: -len(pair[1])))


def group_of(traits: SeriesTraits) -> Group:
    """The group that a series belongs to, without its members."""
    stepped = any(claim.kind is ClaimKind.STEP and claim.form != "recent" for claim in traits.sudden)
    return Group(traits.way, tuple(sorted(traits.seasons)), stepped)


def kinds_of(pairs: Iterable[tuple[str, str]]) -> tuple[Kind, ...]:
    """Texts with the names of series: those that are the same but for numbers and quoted names are one kind.

    >>> kinds_of([("2 rows left out.", "a"), ("Sorted.", "a"), ("3 rows left out.", "b")])
    (Kind(text='2 rows left out.', names=('a', 'b'), same=False), Kind(text='Sorted.', names=('a',), same=True))
    """
    kinds: dict[str, tuple[list[str], list[str]]] = {}
    for text, name in pairs:
        pattern = re.sub(r"'[^']*'|\"[^\"]*\"|\d[\d,.:/T-]*", "#", text)
        texts, names = kinds.setdefault(pattern, ([], []))
        texts.append(text)
        names.append(name)
    ranked = sorted(kinds.values(), key=lambda pair: -len(pair[1]))
    return tuple(Kind(texts[0], tuple(names), len(set(texts)) == 1) for texts, names in ranked)
