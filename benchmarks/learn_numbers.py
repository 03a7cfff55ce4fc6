"""What learning of priors on series and on tables shares: the moments of numbers that were seen in fitted models.

The sums behind them are those of `seen_parameters`.
"""

from __future__ import annotations

import csv
from collections.abc import Iterable, Iterator
from pathlib import Path

import autostatistician
from autostatistician.inference.parameters.learned import LearnedPrior, LearnedPriors, read_priors
from common import REFERENCE
from seen_parameters import NO_MOMENTS, Key, Moments

__all__ = ["PACKAGE", "Seen", "first_guess", "learned", "write_numbers"]

Seen = tuple[Key, Moments]  # a number of a fitted model

PACKAGE = Path(autostatistician.__file__).parent
WIDER = 1.15  # the widths are weakly informative: other data differ more than these
SETS_OF_GUESS = 5.0  # that the prior before counts as much as


def first_guess(name: str) -> LearnedPriors:
    """The priors with which learning begins: a table of `reference`."""
    with (REFERENCE / name).open(encoding="utf-8") as lines:
        return read_priors(lines)


def learned(before: LearnedPriors, seen: Iterable[Seen]) -> Iterator[tuple[Key, LearnedPrior]]:
    """The moments of every number that has a prior, drawn towards the prior before."""
    sums: dict[Key, Moments] = {}
    for key, moments in seen:
        sums[key] = sums.get(key, NO_MOMENTS).added(moments)
    for key, prior in before.rows.items():
        yield key, sums.get(key, NO_MOMENTS).prior(prior, SETS_OF_GUESS)


def write_numbers(priors: LearnedPriors, path: Path) -> None:
    """The table of numbers."""
    with path.open("w", encoding="utf-8", newline="") as lines:
        writer = csv.writer(lines, lineterminator="\n")
        writer.writerow(["leaf", "number", "place", "mean", "share", "width"])
        for (leaf, number, place), one in priors.rows.items():
            writer.writerow(
                [leaf, number, place.value, f"{one.mean:.3f}", f"{one.share:.3f}", f"{WIDER * one.width:.3f}"]
            )
