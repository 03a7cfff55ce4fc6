"""How well classes are predicted: each from all other rows, beside the share of the class in all of them."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.special import ndtri
from scipy.stats import beta, chi2, rankdata

from autostatistician.data.dataset import Dataset
from autostatistician.decompose.records.classes import Bin, Foreseen
from autostatistician.decompose.records.table import ForeseenOfSeveral, SeveralClasses, TableDecomposition
from autostatistician.gp.engines.approximate import ApproximatePosterior
from autostatistician.gp.posterior import Posterior
from autostatistician.gp.predictive import ENDS_OF_95

__all__ = [
    "SURPRISING", "area_under", "calibration_bins", "leave_one_out_of_classes", "probability_of_bins", "shared_out",
    "together",
]  # fmt: skip


Array = NDArray[np.float64]

Flags = NDArray[np.bool_]

SURPRISING = 0.05  # chance that was given to what came

MOST_SURPRISING = 8  # rows that are named

ROWS_PER_BIN, MOST_BINS = 20, 10

LEAST_CHANCE = 1e-12

CLOSEST = 0.05  # chances: what one row takes off its own by being left out must not tell groups apart

ALIKE = 1e-9  # chances, or standardised values of the function, that differ by rounding alone


def leave_one_out_of_classes(posterior: Posterior) -> Foreseen:
    """Each class from all other rows: from the posterior without that row, parameters as they are.

    A row that is left out takes its own class off the rest, which lowers the chances of the class that it has: among
    rows that are alike, chances and classes would be in opposite orders. Order is therefore that of a tournament, in
    which of every two rows both are left out (Montoya Perez et al. 2019, Tournament leave-pair-out cross-validation),
    and rows of like chances are at least `CLOSEST` from the next ones.
    """
    assert isinstance(posterior, ApproximatePosterior)
    chance = np.clip(0.5 * (1.0 + posterior.leave_one_out()[0]), LEAST_CHANCE, 1.0 - LEAST_CHANCE)
    mean, variance = posterior.left_out_in_pairs()
    standard = mean / np.sqrt(posterior.deciding_variance + variance)
    apart = standard - standard.T
    wins = np.where(np.abs(apart) < ALIKE, 0.5, apart > 0.0).sum(axis=1) - 0.5
    return judged(posterior.problem.y > 0.0, chance, wins)


def judged(came: Flags, chance: Array, order: Array) -> Foreseen:
    """Chances (n,) of a class beside whether it came (n,).

    ``order`` says which of two rows is likelier of the class.
    """
    from sklearn.metrics import roc_curve

    n, share, given = len(came), float(came.mean()), np.where(came, chance, 1.0 - chance)
    by_share = np.where(came, came.sum(), n - came.sum()) / (n + 1)  # of the others, by Laplace's rule of succession
    area, span = area_under(came, order)
    alarms, hits, _ = roc_curve(came, order, drop_intermediate=False)
    z, bins = _spiegelhalter(came, chance), calibration_bins(came, chance)
    return Foreseen(
        came=came, chance=chance, **_scores(given, by_share, np.minimum(chance, 1.0 - chance)),
        wrong=float(np.mean(given < 0.5)), wrong_of_share=min(share, 1.0 - share), area=area, area_span=span,
        roc=(alarms, hits), bins=bins, bins_p=probability_of_bins(came, chance), calibration=z,
    )  # fmt: skip


def _scores(given: Array, by_share: Array, chances: Array) -> dict[str, Any]:
    """What is said of chances that were ``given`` to what came beside those by its share; ``chances`` of all else."""
    gains = np.log(given) - np.log(by_share)
    rare = sorted(np.flatnonzero(given < SURPRISING).tolist(), key=lambda row: (given[row], row))
    return {
        "log_score": float(np.log(given).mean()),
        "log_score_of_share": float(np.log(by_share).mean()),
        "log_score_gain_sd": float(gains.std(ddof=1) / np.sqrt(len(gains))) if len(gains) > 1 else 0.0,
        "surprising": tuple(rare[:MOST_SURPRISING]),
        "surprises_expected": float(chances[chances < SURPRISING].sum()),
    }


def area_under(came: Flags, chance: Array) -> tuple[float, tuple[float, float]]:
    """The area under the ROC curve with its 95 % range (DeLong, DeLong and Clarke-Pearson 1988), by the logit.

    >>> area, span = area_under(np.array([True, False, True, False]), np.array([0.9, 0.2, 0.4, 0.6]))
    >>> area, [round(end, 2) for end in span]
    (0.75, [0.07, 0.99])
    """
    first, second = chance[~came], chance[came]
    ranks = rankdata(np.concatenate([second, first]))
    k, n = len(second), len(first)
    above = (ranks[:k] - rankdata(second)) / n  # of each of the class the share of the others below it
    below = 1.0 - (ranks[k:] - rankdata(first)) / k
    area, few = float(above.mean()), min(k, n)
    if few < 2 or area in (0.0, 1.0):
        least = ENDS_OF_95[0] ** (1.0 / few)  # of all pairs apart, as if one of the fewer class were one
        return area, (least, 1.0) if area >= 0.5 else (0.0, 1.0 - least)
    variance = float(above.var(ddof=1) / k + below.var(ddof=1) / n)
    reach = float(ndtri(ENDS_OF_95[1])) * np.sqrt(variance) / (area * (1.0 - area))
    middle = np.log(area / (1.0 - area))
    low, high = (float(1.0 / (1.0 + np.exp(-(middle + sign * reach)))) for sign in (-1.0, 1.0))
    return area, (low, high)


def calibration_bins(came: Flags, chance: Array) -> tuple[Bin, ...]:
    """Rows of like chances, about as many in each, with the share of the class and its range (Jeffreys' prior).

    >>> line = np.linspace(0.1, 0.9, 60)
    >>> calibration_bins(np.array([True, False] * 30), line)[0]
    Bin(rows=20, chance=0.229, share=0.5, span=(0.293, 0.707))
    """
    bins = []
    for rows in _alike(chance):
        hits, n = int(came[rows].sum()), len(rows)
        low, high = np.asarray(beta.ppf(ENDS_OF_95, hits + 0.5, n - hits + 0.5)).tolist()
        span = (0.0 if hits == 0 else round(float(low), 3), 1.0 if hits == n else round(float(high), 3))
        bins.append(Bin(n, round(float(chance[rows].mean()), 3), hits / n, span))
    return tuple(bins)


def probability_of_bins(came: Flags, chance: Array) -> float:
    """How often shares in the same groups would be as far from their chances, if these were what they say.

    A chi-square of each group with a degree of freedom for each (Hosmer and Lemeshow 1980): no number was fitted to
    a row that is foreseen from the others.

    >>> chance = np.repeat([0.2, 0.8], 20)
    >>> came = np.arange(40) % 20 < 4
    >>> probability_of_bins(came, chance) < 1e-6, probability_of_bins(came ^ (chance > 0.5), chance)
    (True, 1.0)
    """
    groups = _alike(chance)
    off = [float((came[rows] - chance[rows]).sum()) for rows in groups]
    variances = [float((chance[rows] * (1.0 - chance[rows])).sum()) for rows in groups]
    squares = sum(miss**2 / max(variance, LEAST_CHANCE) for miss, variance in zip(off, variances, strict=True))
    return float(round(chi2.sf(squares, len(groups)), 12))


def _alike(chance: Array) -> list[NDArray[np.intp]]:
    """Rows of like chances, by rising chance; groups whose mean chances are closer than `CLOSEST` are one."""
    count = int(np.clip(len(chance) // ROWS_PER_BIN, 1, MOST_BINS))
    edges = np.quantile(chance, np.arange(1, count) / count)
    bin_of = np.searchsorted(np.unique(edges), chance - ALIKE, side="left")
    groups: list[NDArray[np.intp]] = []
    for number in np.unique(bin_of):
        rows = np.flatnonzero(bin_of == number)
        if groups and chance[rows].mean() - chance[groups[-1]].mean() < CLOSEST:
            groups[-1] = np.concatenate([groups[-1], rows])
        else:
            groups.append(rows)
    return groups


def _spiegelhalter(came: Flags, chance: Array) -> float:
    """How much larger the squared errors are than the chances say, in standard deviations (Spiegelhalter 1986)."""
    slope = 1.0 - 2.0 * chance
    spread = float(np.sum(slope**2 * chance * (1.0 - chance)))
    return float(np.sum((came - chance) * slope) / np.sqrt(spread)) if spread > 0.0 else 0.0


# --- How well several classes are foreseen together, from how well each is against the rest -------------------------


def shared_out(chances: Array) -> Array:
    """Chances (..., classes) of each class against the rest as shares of their sum.

    >>> shared_out(np.array([0.8, 0.6, 0.2])).round(3).tolist()
    [0.5, 0.375, 0.125]
    """
    return np.asarray(chances / chances.sum(axis=-1, keepdims=True))


def together(dataset: Dataset, each: tuple[TableDecomposition, ...]) -> SeveralClasses:
    """The records of each class against the rest as one; the data are those of all classes."""
    left_out = [record.foreseen for record in each]
    chances = np.column_stack([out.chance for out in left_out if out is not None])
    foreseen = leave_one_out_together(dataset.y.astype(np.intp), chances)
    return SeveralClasses(
        dataset.name, dataset.target, dataset.classes, each, foreseen, dataset.warnings, dataset.choice
    )


def leave_one_out_together(came: NDArray[np.intp], against_rest: Array) -> ForeseenOfSeveral:
    """How well classes (n,) are foreseen by the chances (n, classes) that each has against the rest.

    >>> out = leave_one_out_together(np.array([0, 1, 2]), np.array([[0.8, 0.1, 0.1], [0.6, 0.3, 0.1], [0.0, 0.0, 0.5]]))
    >>> out.taken.tolist(), round(out.wrong, 2)
    ([[1, 0, 0], [1, 0, 0], [0, 0, 1]], 0.33)
    """
    n, count = against_rest.shape
    chance = shared_out(against_rest)
    given, sizes = chance[np.arange(n), came], np.bincount(came, minlength=count)
    by_share = sizes[came] / (n + count - 1)  # of the others, by Laplace's rule of succession
    likeliest = chance.argmax(axis=1)
    taken = np.zeros((count, count), dtype=np.intp)
    np.add.at(taken, (came, likeliest), 1)
    return ForeseenOfSeveral(
        came=came, chance=chance, taken=taken, **_scores(given, by_share, chance),
        wrong=float(np.mean(likeliest != came)), wrong_of_share=1.0 - float(sizes.max()) / n,
    )  # fmt: skip
