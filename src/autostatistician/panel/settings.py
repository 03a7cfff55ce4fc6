"""What a run over a panel is asked for, and what it asks of a table of many series."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from typing import Any, Literal

from autostatistician.data.moments import check_steps
from autostatistician.data.panels import SeriesTable
from autostatistician.errors import InputError, check_choice
from autostatistician.fitted.covariate_forecasts import AUTO, LAST_YEAR
from autostatistician.fitted.settings import check_settings
from autostatistician.search.run import Settings

__all__ = ["FUTURES", "PanelSettings", "SeriesTable"]

FUTURES = (LAST_YEAR, AUTO)


@dataclass(frozen=True, slots=True)
class PanelSettings:
    """All on which the record of a series hangs besides its data.

    Parameters
    ----------
    language : str
        In which the expression of each series is searched.
    search : Settings
        What each search may do; a series is searched by one worker, whatever these say of workers.
    horizon : int or None
        Steps of the forecasts; None is a usual number for each series.
    levels : tuple of int
        Of the central ranges, in per cent.
    future : {None, "last-year", "auto"}
        What columns are in the steps to come where no plan says it: as their own past would have
        foreseen them best (as a year before, as last seen, or as so far), or forecast as series of their own ("auto").
        "last-year" passes over what the tables themselves have of these steps.
    shared_season : bool
        Whether short series see the season that the others have in common, and follow it where their data say so.
    """

    language: str = "extended"
    search: Settings = field(default_factory=Settings)
    horizon: int | None = None
    levels: tuple[int, ...] = (80, 95)
    future: Literal["last-year", "auto"] | None = None
    shared_season: bool = True

    def checked(self) -> PanelSettings:
        """The same settings; an `InputError` for the first that cannot be used.

        >>> PanelSettings(levels=(80, 100)).checked()
        Traceback (most recent call last):
        autostatistician.errors.InputError: expected levels of ranges from 1 to 99 in rising order; found (80, 100); ...
        """
        check_settings(self.language, self.search)
        if self.horizon is not None:
            check_steps(self.horizon)
        if self.future is not None:
            check_choice("future", self.future, FUTURES)
        levels = list(self.levels)
        if not levels or sorted(set(levels)) != levels or not all(0 < level < 100 for level in levels):
            expected = "levels of ranges from 1 to 99 in rising order"
            raise InputError.of(expected, str(tuple(self.levels)), "change the levels")
        return self

    def to_json(self) -> dict[str, Any]:
        """A JSON-ready record, without the number of workers, on which no record hangs."""
        plain = {**asdict(self), "levels": list(self.levels)}
        plain["search"].pop("n_jobs")
        if self.future is None:  # what all runs were before there was a choice
            plain.pop("future")
        if not self.shared_season:
            plain.pop("shared_season")
        return plain

    @classmethod
    def of(cls, plain: Mapping[str, Any]) -> PanelSettings:
        """The settings of a record made by `to_json`; KeyError or TypeError where it is none.

        >>> PanelSettings.of(PanelSettings(horizon=3).to_json()).horizon
        3
        """
        search = Settings(**{**plain["search"], "n_jobs": 1})
        future, shared = plain.get("future"), bool(plain.get("shared_season", False))
        return cls(plain["language"], search, plain["horizon"], tuple(plain["levels"]), future, shared)
