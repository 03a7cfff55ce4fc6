"""What is known of the parameters of a model before its data are seen: learned from other data, in units of the data.

A positive parameter of a series is about as large as in other series once it is measured in the right unit. Two units
offer themselves for each: one from row to row (the spacing, and how far neighbours lie apart), and one of the whole
(the span, and the spread). The logarithm of the parameter is normal around a mixture of both,
``mean + log(step unit) + share log(whole unit / step unit)``, with a learned mean, share and width. Rows of a table
have no next ones: there, both units are that of the whole.
"""

from __future__ import annotations

import csv
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from enum import StrEnum
from functools import cache
from importlib.resources import files

__all__ = ["LearnedPrior", "LearnedPriors", "LeafContext", "learned_priors", "learned_table_priors", "read_priors"]

# beside this module, written by benchmarks/learn.py
OF_SERIES, OF_TABLES = "learned_priors.csv", "learned_table_priors.csv"


class LeafContext(StrEnum):
    """Where a leaf stands in a model; its parameters have other sizes there."""

    TERM = "term"
    CYCLE = "cycle"  # a factor of a product with a cycle
    FACTOR = "factor"  # of any other product


@dataclass(frozen=True, slots=True)
class LearnedPrior:
    """The logarithm of a parameter: normal around a mixture of two units, with some width."""

    mean: float
    share: float  # of the unit of the whole; the rest is that of a step
    width: float

    def centre(self, of_step: float, of_whole: float) -> float:
        """The mean of the logarithm, given the logarithms of both units.

        >>> LearnedPrior(1.0, 0.25, 0.5).centre(0.0, 4.0)
        2.0
        """
        return self.mean + of_step + self.share * (of_whole - of_step)


@dataclass(frozen=True)
class LearnedPriors:
    """The priors by leaf, name of the parameter and place; parameters that are not there have weak ones."""

    rows: Mapping[tuple[str, str, LeafContext], LearnedPrior]

    def of(self, symbol: str, name: str, place: LeafContext) -> LearnedPrior | None:
        """The prior of one parameter, None where none was learned."""
        return self.rows.get((symbol, name, place))


@cache
def learned_priors() -> LearnedPriors:
    """The priors for series that come with the package.

    >>> learned_priors().of("WN", "sd", LeafContext.TERM).share
    0.0
    """
    return _of_package(OF_SERIES)


@cache
def learned_table_priors() -> LearnedPriors:
    """The priors for tables, data with several columns, that come with the package.

    >>> learned_table_priors().of("WN", "sd", LeafContext.TERM).share
    0.0
    """
    return _of_package(OF_TABLES)


def _of_package(name: str) -> LearnedPriors:
    with files("autostatistician.gp.parameters").joinpath(name).open(encoding="utf-8") as lines:
        return read_priors(lines)


def read_priors(lines: Iterable[str]) -> LearnedPriors:
    """The priors of a table with the columns leaf, number, place, mean, share, width.

    >>> list(read_priors(["leaf,number,place,mean,share,width", "WN,sd,term,-0.5,0,0.4"]).rows.values())
    [LearnedPrior(mean=-0.5, share=0.0, width=0.4)]
    """
    rows = list(csv.DictReader(lines))
    return LearnedPriors(
        {
            (row["leaf"], row["number"], LeafContext(row["place"])): LearnedPrior(
                float(row["mean"]), float(row["share"]), float(row["width"])
            )
            for row in rows
        }
    )
