"""The last rows of a series where they stand out: outliers, or the start of a new level, each with its probability.

How often one, two or three odd rows last was learned from other series (`benchmarks/learn_ahead.py`). What happened
before in the same series moves these odds: outliers that went back, and steps that lasted. Several rows may be outliers
by chance where many are, and are on one new level the more probably, the more alike they are.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import log

import numpy as np
from numpy.typing import NDArray
from scipy.special import logit, softmax
from scipy.stats import norm

from autostatistician.inference.likelihoods.contaminated import fitted_to
from autostatistician.search.before.events import runs

__all__ = ["LASTING", "Ending", "ended"]

Array = NDArray[np.float64]
Flags = NDArray[np.bool_]

# The probability that one, two or three odd rows at the end of a series without any such before begin a new level.
LASTING = (0.419, 0.538, 0.693)
EVENTS_BEFORE = 1.0  # what counts as much as one event that went back, or lasted
UNLIKE = 0.15  # of the size of a new level: about so much its rows differ beside noise


@dataclass(frozen=True)
class Ending:
    """The rows from ``first`` on may be on a new level, with the probability ``lasting``; else they are outliers."""

    first: int
    lasting: float


def ended(errors: Array, out: Flags, singles: int, steps: int) -> Ending | None:
    """The end of a series by errors (n,) in standard deviations, ``out`` being those further off than chance has it.

    Before the end, so many ``singles`` were outliers and so many ``steps`` lasted. None where the last row is as usual,
    and where more rows are odd than can be told from a change that has come.

    Examples
    --------
    >>> errors, out = np.random.default_rng(0).normal(size=40), np.zeros(40, dtype=bool)
    >>> errors[-1], out[-1] = 9.0, True
    >>> [round(ended(errors, out, *before).lasting, 2) for before in ((0, 0), (5, 0), (0, 2))]
    [0.42, 0.11, 0.68]
    >>> errors[-2], out[-2] = -8.0, True
    >>> ended(errors, out, 0, 0).first
    39
    """
    first, last = runs(out)[-1] if out.any() else (0, -1)
    count = last - first + 1
    if last != len(out) - 1 or count > len(LASTING):
        return None
    large = fitted_to(errors, out)
    single = log(fitted_to(errors[:first], out[:first]).share)
    sizes = errors[first:]
    each = single + norm.logpdf(sizes, scale=large.times * large.scale)
    lasts = log((steps + EVENTS_BEFORE) / EVENTS_BEFORE)
    step = single + logit(LASTING[0]) + lasts - log((singles + EVENTS_BEFORE) / EVENTS_BEFORE)

    def shared(of: Array) -> float:
        """The log density of sizes about one level."""
        middle, k = float(of.mean()), len(of)
        variance = large.scale**2 + (UNLIKE * middle) ** 2
        apart = -0.5 * float(np.sum((of - middle) ** 2)) / variance - 0.5 * (k - 1) * log(2.0 * np.pi * variance)
        return float(norm.logpdf(middle, scale=large.times * large.scale)) + apart - 0.5 * log(k)

    levels = [float(each[:k].sum()) + step + shared(sizes[k:]) for k in range(count)]
    odds = logit(LASTING[count - 1]) + lasts
    back = [float(each.sum())] + ([step - odds + shared(sizes)] if count > 1 else [])  # each by itself, or together
    probable = softmax([*levels, *back])
    start = int(np.argmax(probable[:count]))
    return Ending(first + start, float(probable[start]))
