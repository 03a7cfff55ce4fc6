"""How a model was found: the search level by level, what it tried, and the numbers that were fitted."""

from __future__ import annotations

from dataclasses import dataclass

from autostatistician.claims.quantity import Measure
from autostatistician.describe.facts.kinds import SearchCut

__all__ = ["FittedNumber", "SearchFindings", "TriedModel"]


@dataclass(frozen=True)
class TriedModel:
    """A model that the search has fitted: its score (lower is better), and from which other it was made."""

    level: int
    expression: str
    score: float
    parent: int | None  # index among all that are kept; None for the first, and where it is not known


@dataclass(frozen=True)
class FittedNumber:
    """One number of a model, with the part and the piece of the expression that it belongs to."""

    part: int  # from 1
    where: str
    symbol: str  # of a leaf or a change
    name: str
    meaning: str  # as the row of the leaf tells it; "" for changes
    quantity: Measure
    value: float


NEARLY = 5.0 * (1.0 + 1e-6)  # odds, and rounding


@dataclass(frozen=True)
class SearchFindings:
    """The way to a model and the model itself, as formulas and numbers.

    ``models`` are those that the search looked at, with their posterior weights, the chosen one first; ``path`` is the
    best model of every level with its score, None where that is of a part of the rows; ``stages`` tells how many rows
    the search had, one number after the other; ``proposed`` tells how many expressions each level tried. A search
    ``by_evidence`` knew from other series of forms and their numbers: its scores are minus twice a log probability.
    """

    expression: str
    leaves: tuple[tuple[str, str, str], ...]  # symbol, noun and name of each that the expression is written with
    operators: frozenset[str]  # the same
    n_parameters: int
    nll: float
    bic: float
    evaluations: int
    seconds: float
    criterion: str
    by_evidence: bool
    cut: SearchCut
    path: tuple[tuple[str, float | None], ...]
    tried: tuple[TriedModel, ...]
    proposed: tuple[int, ...]
    models: tuple[tuple[str, float], ...]
    numbers: tuple[FittedNumber, ...]
    stages: tuple[int, ...] = ()

    @property
    def levels(self) -> int:
        """How many levels the search has gone through."""
        return max(len(self.path) - 1, 0)

    @property
    def weight(self) -> float:
        """How probable the model is among all that the search looked at."""
        return self.models[0][1] if self.models else 1.0

    @property
    def most(self) -> float:
        """How probable the likeliest of them is: where a simpler model is told, that is another one."""
        return max((weight for _, weight in self.models), default=1.0)

    @property
    def nearly_likeliest(self) -> bool:
        """Whether the odds against the told model are no higher than those that a search allows for a simpler one."""
        return self.most <= NEARLY * self.weight
