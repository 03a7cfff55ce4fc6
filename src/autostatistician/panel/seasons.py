"""The season that series of a panel have in common, put beside those that are too short to show their own."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Self

import numpy as np
from numpy.typing import NDArray

from autostatistician._io.rows import evenly_spaced
from autostatistician.data.common_season import FEWEST_SERIES, Profiles, cycle_of, profile_of
from autostatistician.data.dataset import Dataset, Kind
from autostatistician.data.panels import SeriesTable
from autostatistician.errors import AutostatisticianError

__all__ = ["PanelSeasons", "is_short"]

MOST_READ = 1000  # series, evenly spread, whose seasons are looked at
CYCLES_OF_WITNESS = 2.0  # of a series that has a say where others are shorter
MOST_CYCLES = 3.0  # of a series that sees the season of the others


@dataclass(frozen=True, eq=False)
class PanelSeasons:
    """What the series of each step say of its phases: those that show a cycle twice, where these are enough.

    What happened once to all of them looks like a season to series that show it once.
    """

    by_step: dict[str, Profiles]

    @classmethod
    def of(cls, table: SeriesTable) -> Self:
        """Those of a table; series that cannot be read have no say."""
        once: dict[str, list[NDArray[np.float64]]] = {}
        twice: dict[str, list[NDArray[np.float64]]] = {}
        places = evenly_spaced(len(table), MOST_READ)
        for index in places.tolist():
            try:
                data = table.dataset(index)
            except AutostatisticianError:
                continue
            profile = _profile(data)
            if profile is not None:
                once.setdefault(_step(data), []).append(profile)
                if data.n >= CYCLES_OF_WITNESS * len(profile):
                    twice.setdefault(_step(data), []).append(profile)
        enough = {step: profiles for step, profiles in twice.items() if len(profiles) > FEWEST_SERIES}
        return cls({step: Profiles(np.array(profiles)) for step, profiles in {**once, **enough}.items()})

    def beside(self, data: Dataset) -> Dataset:
        """A series with the season of all others beside it, where it is short and they have one."""
        profiles = self.by_step.get(_step(data)) if is_short(data) else None
        if profiles is None or data.axis is None:
            return data
        season = profiles.common(data.axis, _profile(data))
        if season is None:
            return data
        warnings = (*data.warnings, season.note)
        return replace(data, covariates=season.beside(data.x, data.covariates), warnings=warnings)


def is_short(data: Dataset) -> bool:
    """Whether a series holds too few cycles of its calendar to show alone what they are like."""
    cycle = None if data.axis is None or not _is_usual(data) else cycle_of(data.axis)
    return cycle is not None and data.n < MOST_CYCLES * cycle.phases


def _is_usual(data: Dataset) -> bool:
    """Whether it is a series of numbers over time, of which columns can say something."""
    return data.kind is Kind.SERIES and data.is_ordered and data.axis is not None and data.sizes is None


def _step(data: Dataset) -> str:
    return "" if data.axis is None else f"{data.axis.unit} {data.axis.frequency}"


def _profile(data: Dataset) -> NDArray[np.float64] | None:
    return profile_of(data.axis, data.x, data.y + data.offset) if _is_usual(data) and data.axis is not None else None
