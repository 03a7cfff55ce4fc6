"""What a search does differently for series and for tables: the names that both have."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from autostatistician.language.expr import Expr
from autostatistician.language.kernel import Kernel
from autostatistician.search.rounds import Found, Proposal, Rounds
from autostatistician.search.starts import Context

__all__ = ["Level", "Policy", "Strategy"]

TIMES_IF_THOROUGH = 2


@dataclass(frozen=True, slots=True)
class Policy:
    """How far a search looks.

    Parameters
    ----------
    beam : int
        Incumbents whose neighbours are looked at.
    looks_again : bool
        Whether a level without improvement is drawn anew before the search ends. Else the search ends at once, and
        its leader gives way to nothing that is better by less than an improvement.
    finest : float
        Lengthscale from which smooth functions begin, in ranges of their column.
    frequencies : int
        Of a periodogram along one column, at most.
    begins_above : bool
        Whether the first level is about the complete kernels alone, and neighbours come after it.
    odds_for_leaf : float, optional
        From which, by evidence, a model with one more leaf on a column is told; by default numbers are counted.
    races_on : bool
        Whether the stages of a search on more rows race like the first one, because their races look at samples.
    taken_along : int
        Candidates of one stage that the next one fits on more rows.
    steps_taken_along : int
        In how many quasi-Newton steps.
    """

    beam: int
    looks_again: bool
    finest: float
    frequencies: int
    begins_above: bool = False
    odds_for_leaf: float | None = None
    races_on: bool = False
    taken_along: int = 8
    steps_taken_along: int = 60


@dataclass(frozen=True, slots=True)
class Level:
    """What is looked at in one level: its number, the neighbours of the incumbents, and complete kernels beside them.

    Those ``from_above`` hold more than the data need; what is too much is taken away. A level that ``goes_on``
    after a stage on fewer rows is ``thorough`` where it is the first, where the one before improved nothing, or where
    none like it will come again.
    """

    number: int
    proposals: list[Proposal]
    from_above: list[Proposal]
    context: Context
    thorough: bool = False
    goes_on: bool = False

    @property
    def times(self) -> int:
        """How many times as many looks, and candidates that pass, as a level that is not thorough."""
        return TIMES_IF_THOROUGH if self.thorough else 1


class Strategy(Protocol):
    """Proposals, charges and races for one kind of data; all in standard units."""

    @property
    def policy(self) -> Policy:
        """How far the search looks."""
        ...

    def neighbours(self, kernel: Kernel) -> Sequence[Kernel]:
        """The kernels one step away; new numbers are open."""
        ...

    def from_above(self) -> Sequence[Kernel]:
        """Complete kernels for the first level that hold more than the data may need."""
        ...

    def is_showable(self, expr: Expr) -> bool:
        """Whether so many rows could show what the expression says."""
        ...

    def charge(self, expr: Expr) -> float:
        """What is added to the BIC of an expression for the choices that were made in it."""
        ...

    def gained_by_chance(self, expr: Expr, criterion: str) -> float:
        """What the choices in an expression gain where there is nothing, as far as a criterion charges nothing."""
        ...

    def race(self, rounds: Rounds, level: Level) -> Found:
        """The trials of a level that are worth keeping, and the evaluations that all of its fits took."""
        ...
