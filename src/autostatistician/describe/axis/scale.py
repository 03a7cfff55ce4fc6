"""What the amounts of a target are told on: its values, or where their logarithm is modelled, percentages."""

from __future__ import annotations

from dataclasses import dataclass

from autostatistician.wording.names import quoted

__all__ = ["Scale"]


@dataclass(frozen=True, kw_only=True)
class Scale:
    """The name of the target and, where its logarithm is modelled, the geometric mean of the values (``level``)."""

    target: str
    level: float | None = None

    @property
    def is_log(self) -> bool:
        """Whether parts multiply, so that what they add is told in per cent."""
        return self.level is not None

    @property
    def it(self) -> str:
        """The name of the target in quotes.

        >>> Scale(target="number  of passengers").it
        "'number of passengers'"
        """
        return quoted(self.target)
