"""What is believed of a series before its data, as one value: of its parameters and of its structures.

It stands where the priors of parameters stand (`Scales.priors`), so whatever measures scales with it searches by it.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, astuple, dataclass
from typing import Any

from autostatistician.inference.parameters import LearnedPriors, learned_priors
from autostatistician.inference.parameters.learned import LearnedPrior, Place
from autostatistician.search.scores.structure_prior import StructurePrior, learned_structures

__all__ = ["SeriesPriors", "structures_of"]


@dataclass(frozen=True)
class SeriesPriors(LearnedPriors):
    """The priors of parameters, with those of structures of series with and without seasons."""

    seasonal: StructurePrior
    plain: StructurePrior

    @classmethod
    def of_package(cls) -> SeriesPriors:
        """The priors that come with the package."""
        return cls(learned_priors().rows, learned_structures(True), learned_structures(False))

    def structures(self, has_season: bool) -> StructurePrior:
        """The prior of structures of series with or without a cycle of the calendar."""
        return self.seasonal if has_season else self.plain

    def to_json(self) -> dict[str, Any]:
        """A JSON-ready record.

        >>> SeriesPriors.from_json(SeriesPriors.of_package().to_json()) == SeriesPriors.of_package()
        True
        """
        numbers = [[*key, *astuple(prior)] for key, prior in self.rows.items()]
        return {"numbers": numbers, "seasonal": asdict(self.seasonal), "plain": asdict(self.plain)}

    @classmethod
    def from_json(cls, record: Mapping[str, Any]) -> SeriesPriors:
        """What `to_json` wrote."""
        rows = {(leaf, name, Place(place)): LearnedPrior(*prior) for leaf, name, place, *prior in record["numbers"]}
        return cls(rows, *(StructurePrior(**record[name]) for name in ("seasonal", "plain")))


def structures_of(priors: LearnedPriors | None, *, has_season: bool) -> StructurePrior:
    """The prior of structures that stands with priors of parameters, else that of the package."""
    return priors.structures(has_season) if isinstance(priors, SeriesPriors) else learned_structures(has_season)
