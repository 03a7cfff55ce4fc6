"""Settings of estimators: groups of those that few need, and checks of the others."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from autostatistician.data.target_limits import Asked
from autostatistician.errors import InputError

__all__ = ["ClusterPrior", "TargetOptions", "check_count", "check_levels", "check_one_of", "check_positive", "ends_of"]


@dataclass(frozen=True)
class TargetOptions:
    """How `AutomaticStatistician` takes the values of its target, and what may explain them beside time.

    Parameters
    ----------
    transform : str
        The scale on which they are modelled: "none" (as they are), "log" (their logarithm; all of them above zero),
        "logit" (that of the odds of shares up to 1, or percentages up to 100), "box-cox" (a power of values above
        zero, learned from the data); or "auto": a logarithm of a series where the language allows it and the data
        speak clearly for it.
    outliers : str
        What to do with single values of a series that no structure explains: look for them before the search, compare
        a model with and without them and leave them out ("auto"), or use every value ("keep"). What was left out is
        in ``outliers_``, in the warnings and in the report, and is predicted like any other point.
    limits : "auto", None or (low, high)
        What observations cannot go beyond: means, bands and quantiles of predictions stop there; fits do not change.
        "auto": zero where no value is below it and they are counts, have zeros, or some would be expected below; 0 and
        100 (1) of columns with such values whose names speak of per cent (shares). None: nothing. A pair with None on
        one side leaves that side open.
    holidays : str, frame, mapping or None
        Days of the calendar that may explain a series: a country or a part of it ("DE", "DE-BY"), a file of own events,
        "workdays", or several with commas between; own events also as a frame or mapping of names to dates.
    allow_leaks : tuple of str
        Columns that may explain a series though they seem to follow from it, or from other columns.
    likelihood : str
        How values of a series come about: "gaussian" (normal noise about a function, or about that of the logarithm),
        "poisson" (counts about a rate, which may scatter more than chance alone has it; the logarithm of the rate is
        modelled), "negative-binomial" (the same about rates that scatter by a gamma law), "hurdle" (zeros with a chance
        of their own, other counts about a rate), or "auto": counts where whole numbers may be such, and are far more
        probable as such.
    exposure : str or None
        A column by which counts are rates: what they are counted in, as inhabitants, kilometres or hours. The rate is
        modelled, over time alone.
    totals : str or None
        A column of what counts are part of: k of n. Their share is modelled.
    """

    transform: str = "auto"
    outliers: str = "auto"
    limits: Asked = "auto"
    holidays: Any = None
    allow_leaks: tuple[str, ...] = ()
    likelihood: str = "auto"
    exposure: str | None = None
    totals: str | None = None


@dataclass(frozen=True)
class ClusterPrior:
    """The prior of a mixture: how many clusters there are, and how they lie.

    Parameters
    ----------
    concentration : float
        Of the Dirichlet process: the larger, the more clusters are expected.
    strength : float
        Of the prior mean of a cluster, in rows: the smaller, the further apart clusters may lie.
    degrees_of_freedom : float or None
        Degrees of freedom of the Wishart prior of a cluster's precision; None for as many as (latent) columns.
    """

    concentration: float = 1.0
    strength: float = 1.0
    degrees_of_freedom: float | None = None


# --- Checks ---------------------------------------------------------------------------------------------------------


def check_count(name: str, value: object, least: int) -> int:
    """A setting that is a whole number from ``least``.

    Raises
    ------
    InputError
        When it is not.

    Examples
    --------
    >>> check_count("rank", 2, 0)
    2
    """
    if isinstance(value, bool) or not isinstance(value, int | np.integer) or value < least:
        raise InputError.of(f"{name} as a whole number from {least}", repr(value), "change the setting")
    return int(value)


def check_one_of(return_std: bool, return_cov: bool) -> None:
    """Raise an `InputError` where both standard deviations and covariances are asked for.

    >>> check_one_of(True, False)
    """
    if return_std and return_cov:
        raise InputError.of("return_std or return_cov", "both", "ask for one of them")


def check_positive(name: str, value: float) -> None:
    """Raise an `InputError` when a setting is not a finite number above zero.

    >>> check_positive("growth", 2.0)
    """
    if not (np.isfinite(value) and value > 0.0):
        raise InputError.of(f"{name} above zero", repr(value), "change the setting")


def check_levels(levels: Sequence[float]) -> Sequence[float]:
    """The levels of quantiles.

    Raises
    ------
    InputError
        When one is not between 0 and 1.

    Examples
    --------
    >>> check_levels((0.1, 0.9))
    (0.1, 0.9)
    """
    if not all(0.0 < level < 1.0 for level in levels):
        raise InputError.of("levels between 0 and 1", repr(tuple(levels)), "such as 0.025 and 0.975")
    return levels


def ends_of(level: float) -> tuple[float, float]:
    """The levels of the ends of an interval that holds a share ``level`` in its middle.

    Raises
    ------
    InputError
        When it is not between 0 and 1.

    Examples
    --------
    >>> ends_of(0.5)
    (0.25, 0.75)
    """
    if not 0.0 < level < 1.0:
        raise InputError.of("a level between 0 and 1", repr(level), "such as 0.95")
    return 0.5 - 0.5 * level, 0.5 + 0.5 * level
