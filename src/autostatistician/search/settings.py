"""What a search may do, as one value, and what it goes by where that was left open."""

from __future__ import annotations

from dataclasses import dataclass, replace

from autostatistician.data.dataset import Dataset, Kind
from autostatistician.gp.likelihoods import GAUSSIAN, Likelihood
from autostatistician.kernels.expr import Leaf
from autostatistician.kernels.grammar import Language
from autostatistician.search.constants import MOST_ROWS_BY_EVIDENCE

__all__ = ["AUTO", "Settings", "resolved"]

AUTO = "auto"


@dataclass(frozen=True, slots=True)
class Settings:
    """What a search may do.

    Parameters
    ----------
    max_depth : int
        Levels of neighbours at most.
    restarts : int
        Starting points evaluated for every candidate in the first heat.
    criterion : str
        A key of `CRITERIA`, or "auto" (see `resolved`).
    time_budget : float or None
        Processor seconds of the levels, in all workers, after which the best so far is returned; the first level is
        always finished. What comes before, and what is made of the result (averages, a report), take their own.
    n_jobs : int or None
        Workers: -1 is one per core, and more there never are; None is what joblib makes of it, usually one.
    seed : int
        Start of all random draws.
    transform : str
        The scale of the target: one of `data.transform.TRANSFORMS`, or "auto" for the better of none and the logarithm
        of a series, as far as the language allows it. The data that `search` gets are on that scale already.
    likelihood : str
        How observations of a series come about: "gaussian", a law of counts ("poisson", "negative-binomial", "hurdle"),
        or "auto" for the more probable.
    outliers : str
        Whether outliers of a series are set aside before ("auto") or kept ("keep"); `search` gets the rows that stay.
    """

    max_depth: int = 10
    restarts: int = 10
    criterion: str = AUTO
    time_budget: float | None = None
    n_jobs: int | None = -1
    seed: int = 0
    transform: str = "auto"
    outliers: str = "auto"
    likelihood: str = "auto"


def resolved(settings: Settings, dataset: Dataset, language: Language, likelihood: Likelihood = GAUSSIAN) -> Settings:
    """The settings with the criterion that "auto" stands for.

    It is that of the language for a series whose noise is a part of the model, evidence for classes, whose parameters
    only priors hold, and BIC for everything else: a table, another likelihood, more rows than `MOST_ROWS_BY_EVIDENCE`.

    >>> import numpy as np
    >>> from autostatistician.kernels.grammar import LANGUAGES
    >>> series = Dataset(np.arange(3.0)[:, None], np.ones(3), ("x",), "y", None)
    >>> [resolved(Settings(), series, LANGUAGES[name]).criterion for name in ("extended", "full")]
    ['evidence', 'bic']
    """
    if settings.criterion != AUTO:
        return settings
    if likelihood.is_latent:
        return replace(settings, criterion="evidence")
    usual = dataset.kind is Kind.SERIES and dataset.n <= MOST_ROWS_BY_EVIDENCE and likelihood.admits(Leaf("WN"))
    return replace(settings, criterion=language.criterion if usual else "bic")
