"""Stretches of the data that lie far off all the rest: incidents of some rows, which may come and go gradually.

Means of neighbouring rows are compared with how far means of as many rows go elsewhere in the same data, so what
wanders, or comes again in every cycle, has no such stretch. What is expected at a stretch is fitted without it.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.ndimage import median_filter
from scipy.stats import t as t_distribution

from autostatistician.decompose.series.estimates import SDS_OF_RANGE, robust_sd

__all__ = ["Spell", "spells"]

Array = NDArray[np.float64]
Rows = NDArray[np.bool_]
Rest = Callable[[Array, Rows], Array]  # the data without steps and seasons, these fitted to the rows that are not out

FEWEST_ROWS = 40
LEAST_SPELL = 3  # rows
LONGEST = 0.14  # of the rows
SHARE_BESIDE = 0.15  # of the rows: over so many on either side medians are the level beside it
LENGTHS = 1.3  # times which the next length is
FURTHER = 1.5  # times as far as any other stretch of that length
AHEAD, EDGE = 4, 2.0  # a part of a stretch whose mean beyond its end, in robust sds of such means, belongs to it
MOST_SPELLS = 3
CHANCE = 1e-5  # of such a stretch in data as the others
ROUNDS = 2
LOOKED_AT = 5.0  # robust sds of means of so many rows, from which what is expected is fitted without a stretch
NEVER = 1e-12


@dataclass(frozen=True)
class Spell:
    """The rows ``first`` to ``stop`` (which is not one of them), how far they lie off, and the chance of that."""

    first: int
    stop: int
    size: float
    chance: float
    error: float = 0.0  # the sd of means of as many rows elsewhere
    apart: tuple[float, ...] = ()  # how far each of its rows lies off

    @property
    def interval(self) -> tuple[float, float]:
        """The 95 % range of how far its rows lie off on average."""
        return self.size - SDS_OF_RANGE * self.error, self.size + SDS_OF_RANGE * self.error


def spells(values: Array, rest: Rest) -> tuple[Spell, ...]:
    """The stretches of data (m,) that are clear, in the order of time.

    >>> values = np.random.default_rng(0).normal(size=200)
    >>> values[90:96] += [6.0, 9.0, 8.0, 7.0, 6.0, 6.0]
    >>> [(spell.first, spell.stop) for spell in spells(values, lambda values, out: values)]
    [(90, 96)]
    >>> [spells(np.cumsum(values + drift), lambda values, out: values) for drift in (0.0, 0.5, 2.0)]
    [(), (), ()]
    """
    if len(values) < FEWEST_ROWS:
        return ()
    longest = max(LEAST_SPELL, int(LONGEST * len(values)))
    out = np.zeros(len(values), dtype=bool)
    kept: list[Spell] = []
    while len(kept) < MOST_SPELLS:
        spell = _next(values, rest, out, longest)
        if spell is None:
            break
        kept.append(spell)
        out[spell.first : spell.stop] = True
    return tuple(sorted(kept, key=lambda spell: spell.first))


def _next(values: Array, rest: Rest, out: Rows, longest: int) -> Spell | None:
    """The clearest stretch beside those that are out already; None where it is not clear."""
    apart = _apart(rest(values, out), out, longest)
    for spell in _candidates(apart, out, longest):
        judged = _judged(values, rest, out, spell, longest)
        if judged is not None:
            return judged
    return None


def _judged(values: Array, rest: Rest, out: Rows, spell: Spell, longest: int) -> Spell | None:
    """A stretch with what is expected there fitted without it."""
    for _ in range(ROUNDS):
        without = out.copy()
        without[spell.first : spell.stop] = True
        apart = _apart(rest(values, without), without, longest)
        spell = _edges(apart, spell, without, out)
    rows = slice(spell.first, spell.stop)
    length = spell.stop - spell.first
    if not LEAST_SPELL <= length <= longest or spell.first < LEAST_SPELL or spell.stop > len(values) - LEAST_SPELL:
        return None
    size = float(np.mean(apart[rows]))
    about = without.copy()
    about[max(0, spell.first - length) : spell.stop + length] = True  # what is left of it beside it is no other
    means = _means(apart, about, length)
    scale = robust_sd(means)
    stretches = len(apart) / length
    if not scale > 0.0 or abs(size) < FURTHER * np.abs(means).max():
        return None
    chance = float(min(1.0, 2.0 * stretches * t_distribution.sf(abs(size) / scale, stretches - 1.0)))
    return (
        Spell(spell.first, spell.stop, size, max(chance, NEVER), scale, tuple(apart[rows].tolist()))
        if chance < CHANCE
        else None
    )


def _candidates(apart: Array, out: Rows, longest: int) -> list[Spell]:
    """The stretch of every length that lies furthest off, the clearest first."""
    every, lengths = [], {LEAST_SPELL}
    while max(lengths) * LENGTHS < longest:
        lengths.add(max(max(lengths) + 1, int(max(lengths) * LENGTHS)))
    for length in sorted(lengths):
        sums = np.convolve(np.where(out, 0.0, apart), np.full(length, 1.0 / length), mode="valid")
        scale = robust_sd(sums)
        if np.abs(sums).max() > LOOKED_AT * scale > 0.0:
            first = int(np.argmax(np.abs(sums)))
            every.append((abs(sums[first]) / scale, Spell(first, first + length, float(sums[first]), 1.0)))
    return [spell for _, spell in sorted(every, key=lambda pair: -pair[0])]


def _edges(apart: Array, spell: Spell, without: Rows, out: Rows) -> Spell:
    """A stretch from where rows begin to lie off, to where the next few on average do no more."""
    inside = apart[spell.first : spell.stop]
    side = np.where(out, 0.0, apart * np.sign(np.mean(inside)))
    ahead = max(LEAST_SPELL, len(inside) // AHEAD)
    clear = EDGE * robust_sd(_means(apart, without, ahead))
    middle = spell.first + int(np.argmax(side[spell.first : spell.stop]))
    first, stop = middle, middle + 1
    while first > 0 and side[max(0, first - ahead) : first].mean() > clear:
        first -= 1
    while stop < len(apart) and side[stop : stop + ahead].mean() > clear:
        stop += 1
    usual = robust_sd(apart[~without])
    while first > 0 and side[first - 1] > EDGE * usual:
        first -= 1
    while stop < len(apart) and side[stop] > EDGE * usual:
        stop += 1
    while first < middle and side[first] < usual:
        first += 1
    while stop > middle + 1 and side[stop - 1] < usual:
        stop -= 1
    return Spell(first, stop, spell.size, spell.chance)


def _means(apart: Array, out: Rows, length: int) -> Array:
    """Means of so many neighbouring rows none of which is out."""
    window = np.full(length, 1.0 / length)
    usable = np.convolve(out, np.ones(length), mode="valid") < 0.5
    return np.asarray(np.convolve(apart, window, mode="valid")[usable])


def _apart(values: Array, out: Rows, longest: int) -> Array:
    """How far data (m,) lie from the line through the medians of the rows before and after each, those left out.

    A median of rows on both sides would be the value itself wherever data only rise, which then seem not to scatter.

    >>> rises = np.cumsum(1.0 + np.random.default_rng(0).uniform(size=200))
    >>> round(robust_sd(_apart(rises, np.zeros(200, dtype=bool), 12)), 1)
    0.9
    """
    kept = np.flatnonzero(~out)
    side = 2 * max(int(0.5 * SHARE_BESIDE * len(values)), longest) + 1
    medians = median_filter(values[kept], size=side)[side // 2 :]  # of as many rows from each on
    before = np.clip(np.arange(len(kept)) - side, 0, len(kept) - 2 * side)
    after = before + side
    places = kept[: len(kept) - side + 1] + 0.5 * (side - 1)
    slopes = (medians[after] - medians[before]) / (places[after] - places[before])
    level = medians[before] + slopes * (kept - places[before])
    return np.asarray(values - np.interp(np.arange(len(values)), kept, level))
