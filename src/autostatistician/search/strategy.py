"""What a search does differently for series and for tables: the names that both have."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from autostatistician.kernels.expr import Expr
from autostatistician.kernels.kernel import Kernel
from autostatistician.search.racing.rounds import Proposal
from autostatistician.search.starting.starts import Context

__all__ = ["Level", "Policy", "Strategy"]


@dataclass(frozen=True, slots=True)
class Policy:
    """What a kind of data asks of proposals and of the choice among models.

    Parameters
    ----------
    finest : float
        Lengthscale from which smooth functions begin, in ranges of their column.
    frequencies : int
        Of a periodogram along one column, at most.
    begins_complete : bool
        Whether the first level is about the complete kernels alone, and neighbours come after it.
    leader_stays : bool
        Whether the leader of the search is selected before others that are better by next to nothing.
    odds_for_leaf : float, optional
        From which, by evidence, a model with one more leaf on a column is selected; by default parameters are counted.
    """

    finest: float
    frequencies: int
    begins_complete: bool = False
    leader_stays: bool = False
    odds_for_leaf: float | None = None


@dataclass(frozen=True, slots=True)
class Level:
    """What is looked at in one level: its number, the neighbours of the incumbents, and complete kernels beside them.

    Those ``complete_kernels`` hold more than the data need; what is too much is taken away.
    """

    number: int
    proposals: list[Proposal]
    complete_kernels: list[Proposal]
    context: Context


class Strategy(Protocol):
    """Proposals and penalties for one kind of data; all in standard units."""

    @property
    def policy(self) -> Policy:
        """What this kind of data asks for."""

    def neighbours(self, kernel: Kernel) -> Sequence[Kernel]:
        """The kernels one step away; new parameters are open."""

    def objections(self, kernel: Kernel) -> Sequence[Kernel]:
        """Those of them that the data suggest, with their parameters; by default none."""
        return ()

    def complete_kernels(self) -> Sequence[Kernel]:
        """Complete kernels for the first level that hold more than the data may need; by default none."""
        return ()

    def is_showable(self, expr: Expr) -> bool:
        """Whether so many rows could show what the expression says."""

    def penalty(self, expr: Expr) -> float:
        """What is added to the BIC of an expression for the choices that were made in it."""

    def gained_by_chance(self, expr: Expr, criterion: str, candidates: int) -> float:
        """What an expression, as the best of so many candidates, gains by a criterion where there is nothing."""
