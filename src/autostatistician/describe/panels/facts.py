"""What the series of a panel share and who differs: lists of claims, decided here and said elsewhere."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np

from autostatistician.claims.claim import Claim
from autostatistician.claims.kinds import KINDS, LIMITS, SEVERAL, Kind
from autostatistician.describe.axis.cycles import PLACES, phase_text
from autostatistician.describe.facts.kinds import Phase
from autostatistician.describe.panels.changes import CommonChange, changes_together, stretch_of
from autostatistician.describe.panels.members import Member

__all__ = [
    "Alike", "Listed", "PanelFacts", "SeriesGroup", "SharedColumn", "SharedSeason", "Spread", "alike", "group_of",
    "panel_facts", "spread_of", "steps_of",
]  # fmt: skip

AS_TOLD = 3  # decimals of a share: a tenth of a per cent
CYCLES = tuple([phase_text(kind, (place,)) for place in PLACES[kind]] for kind in (Phase.MONTH, Phase.HOUR))


@dataclass(frozen=True)
class Spread:
    """How a number is spread over the ``series`` that have it: median, and the middle half; of a few, the whole."""

    middle: float
    low: float
    high: float
    series: int


@dataclass(frozen=True)
class SharedSeason:
    """A cycle that ``series`` have, of whom ``at_top`` are highest at the ``top`` that most of them have.

    ``few`` are the names of those that have it or of those that lack it, whichever are fewer.
    """

    name: str
    series: int
    top: str = ""
    at_top: int = 0
    few: tuple[str, ...] = ()
    borrowed: int = 0  # of them too short to show it alone: they follow the others
    unknown: int = 0  # of which nobody knows whether they do


@dataclass(frozen=True)
class SharedColumn:
    """A column that surely acts on series: its effects as shares of their levels, None where these are not known."""

    name: str
    effects: dict[str, float | None]  # by the names of the series


@dataclass(frozen=True)
class Listed:
    """A claim on a series in a list of the page: "late", "most", "unlike" or "ahead".

    Of claims that set it apart ``others`` are as many as share it, and ``usual`` is what most others have.
    """

    list: str
    member: Member
    claim: Claim
    others: int = 0
    usual: Spread | str = ""


@dataclass(frozen=True)
class SeriesGroup:
    """Series of which the same is claimed: the way of their course, their cycles, and whether a sudden change lasts."""

    way: str
    seasons: tuple[str, ...]
    stepped: bool
    names: tuple[str, ...] = ()


@dataclass(frozen=True)
class Alike:
    """A reason of failure, a note or a step that series have in common, but for numbers and names in it."""

    text: str  # of the first
    names: tuple[str, ...]
    same: bool = True  # whether all have it to the letter


@dataclass(frozen=True)
class PanelFacts:
    """All of it; ``ways`` counts the courses by what they do, with the lasting sudden changes that ``stepped`` have."""

    series: int
    done: int
    ways: dict[str, int]
    stepped: tuple[Member, ...]
    spreads: dict[Kind, Spread]
    seasons: tuple[SharedSeason, ...]
    columns: tuple[SharedColumn, ...]
    changes: tuple[CommonChange, ...]
    lists: tuple[Listed, ...]
    groups: tuple[SeriesGroup, ...]
    failures: tuple[Alike, ...]
    notes: tuple[Alike, ...]
    steps: tuple[Alike, ...]
    ahead_to: tuple[str, str] | None  # the last time of the forecasts and the step, where all have the same


def panel_facts(members: Sequence[Member]) -> PanelFacts:
    """What is told of the series of a panel."""
    done = [member for member in members if member.done]
    changes, records = changes_together(done), [member.record for member in members]
    numbers: dict[Kind, Callable[[Member], float | None]] = {
        Kind.GROWTH: lambda member: member.growth, Kind.NOISE: lambda member: member.share(Kind.NOISE),
        Kind.AHEAD: lambda member: None if member.ahead is None else member.ahead.number.value,
    }  # fmt: skip
    spreads = {kind: spread_of([number(member) for member in done]) for kind, number in numbers.items()}
    ends = {(one.record.forecast.times[-1] if one.record.forecast is not None else "", one.record.step) for one in done}
    return PanelFacts(
        len(members), len(done), dict(Counter(member.way for member in done)),
        tuple(member for member in done if member.lasting),
        {kind: spread for kind, spread in spreads.items() if spread is not None},
        _seasons(done), _columns(done), changes,
        (*_late(done, changes), *_most(done), *_unlike(done, changes, spreads[Kind.NOISE]), *_ahead(done)),
        _groups(done), alike((record.reason, record.name) for record in records if record.reason),
        alike((note, record.name) for record in records for note in dict.fromkeys(record.notes)),
        steps_of((member.record.step, member.name) for member in done),
        next(iter(ends)) if len(ends) == 1 and all(when for when, _ in ends) else None,
    )  # fmt: skip


def spread_of(values: Iterable[float | None]) -> Spread | None:
    """How the numbers that are known are spread; None of none.

    >>> spread_of([0.1, None, 0.3, 0.2])
    Spread(middle=0.2, low=0.1, high=0.3, series=3)
    """
    known = [value for value in values if value is not None]
    if not known:
        return None
    outer = 0.0 if len(known) <= SEVERAL else 0.25
    low, middle, high = np.quantile(known, [outer, 0.5, 1.0 - outer]).tolist()
    return Spread(middle, low, high, len(known))


def _columns(done: Sequence[Member]) -> tuple[SharedColumn, ...]:
    """The columns that act, those of most series first."""
    acting: dict[str, dict[str, float | None]] = {}
    for member in done:
        for claim in member.all(Kind.ADDS):
            acting.setdefault(claim.named["name"], {})[member.name] = claim.get("share")
    return tuple(SharedColumn(*pair) for pair in sorted(acting.items(), key=lambda pair: -len(pair[1])))


# --- The lists of the page --------------------------------------------------------------------------------------------


def _late(done: Sequence[Member], changes: Sequence[CommonChange]) -> Iterator[Listed]:
    """What happened at the end of the data to one series and not to many, the largest first."""
    shared = {change.stretch for change in changes}
    late = [
        Listed("late", member, claim)
        for member in done
        for claim in (*member.all(Kind.ENDING)[:1], *(one for one in member.sudden if one.form == "recent"))
        if stretch_of(claim.written[0], member.record.step) not in shared
    ]
    yield from sorted(late, key=lambda one: -abs(one.claim.get("share") or 0.0))


def _most(done: Sequence[Member]) -> Iterator[Listed]:
    """Those that rose and fell most as a share of their level, and surely did."""
    courses = [(member, claim) for member in done if (claim := member.claim(Kind.RISE)) and claim.number.is_clear]
    yield from _ends("most", [(one, claim, share) for one, claim in courses if (share := claim.get("share"))], done)


def _ahead(done: Sequence[Member]) -> Iterator[Listed]:
    """Those whose forecasts lie furthest above and below what was."""
    ahead = [(member, claim, claim.number.value) for member in done if (claim := member.ahead) is not None]
    yield from _ends("ahead", ahead, done)


def _ends(name: str, every: Sequence[tuple[Member, Claim, float]], done: Sequence[Member]) -> Iterator[Listed]:
    """The few largest on either side of nothing, of no more than a quarter of the series."""
    most = min(LIMITS["of a list"], len(done) // 4)
    for sign in (1.0, -1.0):
        side = sorted((one for one in every if sign * round(one[2], AS_TOLD) > 0.0), key=lambda one: -sign * one[2])
        yield from (Listed(name, member, claim) for member, claim, _ in side[: int(most)])


def _unlike(done: Sequence[Member], changes: Sequence[CommonChange], noise: Spread | None) -> Iterator[Listed]:
    """What hardly any other series has, or nearly all have: scatter, steps of its own, seasons and their tops."""
    if len(done) < LIMITS["fewest alike"]:
        return
    rare, shared = max(1.0, LIMITS["rare"] * len(done)), {change.stretch for change in changes}
    own = {
        member.name: [step for step in member.lasting if stretch_of(step.written[0], member.record.step) not in shared]
        for member in done
    }
    stepped = sum(map(bool, own.values()))
    for member in done:
        scatter = member.claim(Kind.NOISE)
        if scatter is not None and noise is not None and _is_far_out(scatter, noise):
            yield Listed("unlike", member, scatter, usual=noise)
        if own[member.name] and stepped <= rare:
            largest = max(own[member.name], key=lambda claim: abs(claim.number.value))
            yield Listed("unlike", member, largest, stepped - 1)
    yield from _by_seasons(done, rare)


def _is_far_out(scatter: Claim, usual: Spread) -> bool:
    """Whether the near end of its range is farther from the middle half than so many times the width of that (Tukey).

    That is asked of logarithms: scatter differs by factors.
    """
    share, number = scatter.get("share"), scatter.number
    if not share or min(number.low, usual.low) <= 0.0:
        return False
    low, high = (np.log(share * end / number.value) for end in number.interval)
    first, last = np.log([usual.low, usual.high])
    fence = KINDS[Kind.NOISE].far_out * (last - first)
    return bool(low > last + fence or high < first - fence)


def _by_seasons(done: Sequence[Member], rare: float) -> Iterator[Listed]:
    counts = Counter(name for member in done for name in member.seasons)
    named = {name: claim for member in done for name, claim in zip(member.seasons, member.cycles, strict=False)}
    tops = Counter(member.top for member in done if member.top)
    usual, most = tops.most_common(1)[0] if tops.total() >= LIMITS["fewest alike"] else ("", 0)
    rows = np.median([member.record.rows for member in done])
    for member in done:
        known = (*member.seasons, *(claim.named["name"] for claim in member.all(Kind.OPEN)))
        for name, count in counts.items():
            claim = replace(named[name], named={"name": name})
            if name in member.seasons and count <= rare:
                yield Listed("unlike", member, claim, count - 1)
            elif name not in known and len(done) - count <= rare and member.record.rows >= 0.5 * rows:
                yield Listed("unlike", member, replace(claim, kind=Kind.OPEN), count)
        here = member.top
        if here and 2 * most > tops.total() and tops[here] <= rare and not _are_neighbours(here, usual):
            yield Listed("unlike", member, replace(member.cycles[0], kind=Kind.PHASE), tops[here] - 1, usual)


def _are_neighbours(first: str, second: str) -> bool:
    """Whether two times are months or hours that follow one another: which is the higher is often a matter of chance.

    >>> _are_neighbours("in December", "in January"), _are_neighbours("in May", "in July"), _are_neighbours("a", "b")
    (True, False, False)
    """
    for cycle in CYCLES:
        if first in cycle and second in cycle:
            return (cycle.index(first) - cycle.index(second)) % len(cycle) in (0, 1, len(cycle) - 1)
    return first == second


# --- What they share, and what they have in common --------------------------------------------------------------------


def _seasons(done: Sequence[Member]) -> tuple[SharedSeason, ...]:
    counts = Counter(name for member in done for name in member.seasons)
    return tuple(_season(name, count, done) for name, count in counts.most_common())


def _season(name: str, count: int, done: Sequence[Member]) -> SharedSeason:
    strongest = [member for member in done if member.seasons[:1] == (name,)]
    tops = Counter(member.top for member in strongest if member.top)
    top, times = tops.most_common(1)[0] if tops else ("", 0)
    is_open = {one.name for one in done if name in (claim.named["name"] for claim in one.all(Kind.OPEN))}
    have = 2 * count <= len(done)
    few = tuple(one.name for one in done if (name in one.seasons) == have and (have or one.name not in is_open))
    borrowed = sum(member.cycles[0].form == "shared" for member in strongest)
    at_top = (top, times) if 2 * times > count > 1 else ("", 0)
    return SharedSeason(name, count, *at_top, few, borrowed, len(is_open))


def _groups(done: Sequence[Member]) -> tuple[SeriesGroup, ...]:
    """The groups of two and more alike series, the largest first; those in none are the others."""
    names: dict[SeriesGroup, list[str]] = {}
    for member in done:
        names.setdefault(group_of(member), []).append(member.name)
    ranked = sorted(names.items(), key=lambda pair: -len(pair[1]))[: 2 * int(LIMITS["of a list"])]
    return tuple(replace(group, names=tuple(those)) for group, those in ranked if len(those) > 1)


def group_of(member: Member) -> SeriesGroup:
    """The group that a series belongs to, without its members."""
    return SeriesGroup(member.way, tuple(sorted(member.seasons)), bool(member.lasting))


def steps_of(pairs: Iterable[tuple[str, str]]) -> tuple[Alike, ...]:
    """The steps from row to row with the series that have them, the usual one first; "" where rows are irregular.

    >>> steps_of([("month", "a"), ("", "b"), ("month", "c")])
    (Alike(text='month', names=('a', 'c'), same=True), Alike(text='', names=('b',), same=True))
    """
    return _by(pairs, lambda text: text)


def alike(pairs: Iterable[tuple[str, str]]) -> tuple[Alike, ...]:
    """Texts with the names of series: those that are the same but for numbers and quoted names are one kind.

    >>> alike([("2 rows left out.", "a"), ("Sorted.", "a"), ("3 rows left out.", "b")])
    (Alike(text='2 rows left out.', names=('a', 'b'), same=False), Alike(text='Sorted.', names=('a',), same=True))
    """
    return _by(pairs, lambda text: re.sub(r"'[^']*'|\"[^\"]*\"|\d[\d,.:/T-]*", "#", text))


def _by(pairs: Iterable[tuple[str, str]], pattern: Callable[[str], str]) -> tuple[Alike, ...]:
    found: dict[str, list[tuple[str, str]]] = {}
    for text, name in pairs:
        found.setdefault(pattern(text), []).append((text, name))
    ranked = sorted(found.values(), key=lambda those: -len(those))
    return tuple(
        Alike(those[0][0], tuple(name for _, name in those), len({text for text, _ in those}) == 1) for those in ranked
    )
