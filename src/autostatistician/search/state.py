"""The values that a search passes from level to level, and what it reports on the way."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, fields
from typing import Any

from autostatistician.data.transform import Transform
from autostatistician.kernels.expr import Expr, stable_key
from autostatistician.kernels.kernel import Kernel
from autostatistician.kernels.text import expr_from_json, expr_to_json, kernel_from_json, kernel_to_json

__all__ = ["AT_DEPTH", "OUT_OF_TIME", "Candidate", "SearchResult", "SearchState", "StepInfo", "Watched"]

OUT_OF_TIME = "The time budget was used up."
AT_DEPTH = "The search reached its depth of"  # so begins what is said then


@dataclass(frozen=True, slots=True)
class Candidate:
    """A fitted expression with its criterion (lower is better), and the expression that it was made from.

    The first has no parent, nor has one of a search that was kept before parents were.
    """

    kernel: Kernel
    nll: float
    score: float
    level: int
    parent: Expr | None = None

    def rank(self) -> tuple[float, str]:
        """What candidates are sorted by; the key tells equal ones apart."""
        return self.score, stable_key(self.kernel.expr)

    def to_json(self) -> dict[str, Any]:
        """Plain values from which `from_json` makes an equal candidate."""
        plain = {field.name: getattr(self, field.name) for field in fields(self)}
        parent = None if self.parent is None else expr_to_json(self.parent)
        return plain | {"kernel": kernel_to_json(self.kernel), "parent": parent}

    @classmethod
    def from_json(cls, record: Mapping[str, Any]) -> Candidate:
        """The candidate of a record made by `to_json`."""
        kernel, parent = kernel_from_json(record["kernel"]), record.get("parent")
        origin = None if parent is None else expr_from_json(parent)
        return cls(kernel, float(record["nll"]), float(record["score"]), int(record["level"]), origin)


@dataclass(frozen=True, slots=True)
class SearchState:
    """Where a search stands: the incumbents of the level, all candidates so far, the expressions already fitted.

    Where the last level was no improvement, or there are more rows than before, the search has ``stalled``: the next
    one draws its candidates again. Scores are those of the rows of the stage.
    """

    level: int
    incumbents: tuple[Candidate, ...]
    found: tuple[Candidate, ...]  # the best few of every level, for the frontier
    seen: frozenset[Expr]
    evaluations: int
    finished: bool
    stalled: bool = False
    stage: int = 0  # on how many of its rows it is (see `stages.rows`)
    criticised: int = 0  # how often the model that is told has been asked what the data object to it


@dataclass(frozen=True, slots=True)
class StepInfo:
    """One level of the search, for people who watch: numbers in data units."""

    level: int
    max_depth: int
    expression: str
    bic: float
    nll: float
    evaluations: int
    candidates: int
    seconds: float
    score: float  # by the criterion of the search; lower is better
    rows: int | None = field(default=None, kw_only=True)  # on which the level was judged; None: on all
    objected: bool = field(default=False, kw_only=True)  # whether it is about what the data object to the model told

    @classmethod
    def from_json(cls, record: Mapping[str, Any]) -> StepInfo:
        """The level of a record made by `asdict`; older ones hold no score but the BIC."""
        return cls(**({"score": record["bic"]} | dict(record)))


@dataclass(frozen=True, slots=True)
class Watched(StepInfo):
    """A level as a callback gets it: also the best model so far, in the units of the data on the scale it is for."""

    kernel: Kernel
    transform: Transform
    criterion: str  # that the score is by

    @classmethod
    def of(cls, step: StepInfo, kernel: Kernel, criterion: str) -> Watched:
        """A level with its best model."""
        return cls(**asdict(step), kernel=kernel, transform=Transform(), criterion=criterion)


@dataclass(frozen=True, slots=True)
class SearchResult:
    """What a search found; kernels and likelihoods are in data units."""

    best: Candidate
    frontier: tuple[Candidate, ...]  # every retained candidate, best first
    trace: tuple[StepInfo, ...]
    evaluations: int
    seconds: float
    stopped: str  # why the search ended, in a sentence
    interrupted: bool
    spent: float = field(default=0.0, compare=False)  # processor seconds of the levels of this run

    @property
    def parents(self) -> tuple[int | None, ...]:
        """For every candidate of the frontier the index of the one it was made from; None where that is not kept."""
        return tuple(_index_of_parent(candidate, self.frontier) for candidate in self.frontier)

    @property
    def complete(self) -> bool:
        """Whether the search ended by itself, so that more time would not find more."""
        return not self.interrupted and self.stopped != OUT_OF_TIME

    @property
    def cut(self) -> str:
        """What ended the search before it was through: "interruption", "budget" or "depth"; "" where nothing did.

        A depth that is reached cuts a search whose last level still changed the best model.
        """
        if not self.complete:
            return "interruption" if self.interrupted else "budget"
        last = [step.expression for step in self.trace[-2:]]
        return "depth" if self.stopped.startswith(AT_DEPTH) and len(set(last)) == 2 else ""


def _index_of_parent(candidate: Candidate, frontier: tuple[Candidate, ...]) -> int | None:
    """The best one of an earlier level with the expression of the parent: an expression may have been drawn twice."""
    parents = (
        index
        for index, other in enumerate(frontier)
        if other.kernel.expr == candidate.parent and other.level < candidate.level
    )
    return next(parents, None)
