"""What the amounts of a target are told on: its values, or where their logarithm is modelled, percentages."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from autostatistician.wording.messages import say
from autostatistician.wording.names import quoted

__all__ = ["Scale"]

Floats = NDArray[np.float64]


@dataclass(frozen=True, kw_only=True)
class Scale:
    """The name of the target and, where its logarithm is modelled, the geometric mean of the values (``level``).

    Of ``counts`` it is the logarithm of their rate, about which they scatter by chance, and the level a typical rate.
    Of classes, what is told are chances of one of them, the ``event``, against the ``other``.
    """

    target: str
    level: float | None = None
    event: str = ""
    other: str = ""
    counts: bool = False
    law: str = "poisson"  # of counts about their rate
    dispersion: float = 0.0  # of the law: the variance of a rate over its square
    top: float = 0.0  # the largest value there can be, where odds are modelled
    sizes: str = ""  # the column of what they are counted in, or of what they are a part

    @property
    def is_log(self) -> bool:
        """Whether parts multiply, so that what they add is told in per cent."""
        return self.level is not None

    @property
    def is_odds(self) -> bool:
        """Whether what parts multiply are odds."""
        return self.top > 0.0

    @property
    def in_per_cent(self) -> float:
        """By what shares are multiplied to be told in per cent; one of all else.

        >>> [Scale(target="share", level=0.5, top=top).in_per_cent for top in (0.0, 1.0, 100.0)]
        [1.0, 100.0, 1.0]
        """
        return 100.0 / self.top if self.is_odds else 1.0

    @property
    def slope_of_typical(self) -> float:
        """By how much a typical share changes for each unit of the logarithm of its odds."""
        assert self.level is not None
        return self.level * (1.0 - self.level / self.top)

    @property
    def spread_of_values(self) -> float:
        """How far the values of the target lie apart, in its own units: what they are told as finely as; 0: unknown."""
        return 0.0

    def level_at(self, values: Floats) -> Floats:
        """What parts that add up to ``values`` stand for, in the units of the data.

        >>> Scale(target="share", level=0.5, top=1.0).level_at(np.log([3.0])).round(6).tolist()
        [0.75]
        """
        if self.level is None:
            return values
        if not self.is_odds:
            return np.asarray(self.level * np.exp(values))
        odds = self.level / (self.top - self.level) * np.exp(values)
        return np.asarray(self.top * odds / (1.0 + odds))

    @property
    def typical(self) -> str:
        """What is predicted where nothing is known, beside which average misses are told.

        >>> Scale(target="cases", level=4.0, counts=True).typical, Scale(target="sales", level=4.0).typical
        ('mean', 'geometric mean')
        """
        if self.is_odds:
            return say("typical share")
        return say("geometric mean") if self.is_log and not self.counts else say("mean")

    @property
    def is_class(self) -> bool:
        """Whether chances of a class are told."""
        return bool(self.event)

    @property
    def it(self) -> str:
        """The name of the target in quotes, or the chance of its class.

        >>> Scale(target="number  of passengers").it, Scale(target="rain", event="yes", other="no").it
        ("'number of passengers'", "the chance of 'rain' = 'yes'")
        """
        name = quoted(self.target)
        return say("the chance of {name} = {event}", name=name, event=quoted(self.event)) if self.event else name

    @property
    def varying(self) -> str:
        """What shares of a variation are of."""
        if self.event:
            return say("what decides on {name}", name=quoted(self.target))
        return say("the variation in {name}", name=self.it)
