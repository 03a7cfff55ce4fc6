"""Changes of the model inside of the test of its forecasts, in words."""

from __future__ import annotations

from autostatistician.describe.axis import Units, place
from autostatistician.wording.numbers import joined

__all__ = ["changes_named"]


def changes_named(changes: tuple[float, ...], units: Units) -> str:
    """Changes by their places: "the change around February 1974", "the changes around 1948 and 1967"."""
    places = list(dict.fromkeys(place(change, units) for change in changes))
    return f"the change{'' if len(places) == 1 else 's'} around {joined(places)}"
