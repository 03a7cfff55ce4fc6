"""What a search may do, as one value."""

from __future__ import annotations

from dataclasses import dataclass

__all__ = ["Settings"]


@dataclass(frozen=True, slots=True)
class Settings:
    """What a search may do.

    Parameters
    ----------
    max_depth : int
        Levels of neighbours at most.
    restarts : int
        Starts looked at for every candidate in the first heat.
    criterion : str
        A key of `CRITERIA`: "bic", "aic", "laplace" or "loo".
    time_budget : float or None
        Seconds after which the best so far is returned: those of the search. What is made of the result afterwards
        (averages, a report) takes its own.
    n_jobs : int or None
        Workers; None is one per core, and more there never are.
    seed : int
        Start of all random draws.
    transform : str
        The scale of the target: "none", "log", or "auto" for the better of those that the language allows. The data
        that `search` gets are on that scale already.
    outliers : str
        Whether outliers of a series are set aside before ("auto") or kept ("keep"); `search` gets the rows that stay.
    """

    max_depth: int = 10
    restarts: int = 10
    criterion: str = "bic"
    time_budget: float | None = None
    n_jobs: int | None = None
    seed: int = 0
    transform: str = "auto"
    outliers: str = "auto"
