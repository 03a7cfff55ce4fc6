"""The search on the scale that was not chosen: forecasts of short series average over both.

What goes on is hardly to be seen in what came before: odds of scales, and of growth curves against models, count far
less than they say (`ODDS_THAT_COUNT`, learned by benchmarks/learn_ahead.py); those of long series decide nevertheless.
The sums of a first level, with what a whole search found on the other scale, do as well there as a whole search, at a
tenth of its time; without the latter, a step of the one would be wandering on the other.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from math import log

import numpy as np
from scipy.special import expit

from autostatistician.data.dataset import Dataset
from autostatistician.data.transform import Transform, modelled, transform_of
from autostatistician.gp.criteria import CRITERIA
from autostatistician.kernels.grammar import Language
from autostatistician.kernels.kernel import Kernel, rescaled
from autostatistician.search.preprocessing import Choice
from autostatistician.search.run import Settings, search
from autostatistician.search.scores.weights import weighted
from autostatistician.search.state import SearchResult

__all__ = ["OtherTransform", "searched_on_other_transform", "share_by_odds", "share_of_other"]

ODDS_THAT_COUNT = 0.05  # power of the odds
MOST_ROWS = 500  # with more of them it takes long
ODDS_AGAINST_LOGARITHM = 20.0  # from which on it has no share


@dataclass(frozen=True)
class OtherTransform:
    """The map to the scale that was not chosen, and what a search found there."""

    transform: Transform
    search: SearchResult


def share_by_odds(log_odds: float) -> float:
    """The weight, in forecasts, of what has these odds by the data.

    >>> [round(share_by_odds(log_odds), 2) for log_odds in (0.0, -4.0, 50.0)]
    [0.5, 0.45, 0.92]
    """
    return float(expit(ODDS_THAT_COUNT * log_odds))


def share_of_other(choice: Choice) -> float:
    """The weight of the scale that was not chosen in forecasts."""
    return share_by_odds(-0.5 * (choice.gain or 0.0))


def searched_on_other_transform(
    dataset: Dataset, language: Language, settings: Settings, choice: Choice, first: SearchResult
) -> OtherTransform | None:
    """What a search finds on the scale that was not chosen; None where it gains little or did not come to its end."""
    if choice.transform.is_odds or choice.gain is None or not CRITERIA[settings.criterion].has_priors:
        return None
    transform = Transform() if choice.transform.is_log else transform_of("log", dataset.y + dataset.offset)
    surely_none = transform.is_log and choice.gain > 2.0 * log(ODDS_AGAINST_LOGARITHM)
    if surely_none or dataset.n > MOST_ROWS or not first.complete:
        return None
    sums_alone = replace(settings, max_depth=1, time_budget=None)  # a first level is always finished
    scaled, begun = modelled(dataset, transform), choice.sums[1]
    if begun:
        begun += _beyond(begun, first, float(np.std(scaled.y) / np.std(modelled(dataset, choice.transform).y)))
    try:
        second = search(scaled, language, sums_alone, likely_sums=begun)
    except KeyboardInterrupt:  # nothing is known of this scale; of the chosen one all is
        return None
    return OtherTransform(transform, second) if second.complete else None


def _beyond(sums: tuple[Kernel, ...], found: SearchResult, scale: float) -> tuple[Kernel, ...]:
    """The likely models of a search that are none of some sums, with all that they say of values times a number."""
    known = {kernel.expr for kernel in sums}
    likely = (candidate.kernel for candidate, _ in weighted(found.frontier, chance_is_charged=True))
    return tuple(rescaled(kernel, y_scale=scale) for kernel in likely if kernel.expr not in known)
