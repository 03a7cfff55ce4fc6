"""Settings that few need, in groups; an estimator takes each group as one value."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from autostatistician.data.target_limits import Asked

__all__ = ["ClusterPrior", "TargetOptions"]


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
    freedom : float or None
        Degrees of freedom of the Wishart prior of a cluster's precision; None for as many as (latent) columns.
    """

    concentration: float = 1.0
    strength: float = 1.0
    freedom: float | None = None
