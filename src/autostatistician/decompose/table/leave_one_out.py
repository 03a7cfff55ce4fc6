"""Every value predicted from all others: how far off, how often inside its range, and what is left in the errors.

The parameters of the model are those of the fit to all data, so no fit has to be repeated (Rasmussen and Williams 2006,
section 5.4.2). Rows of a table have no order, so nothing here depends on it. Under the model the vector of errors is
jointly normal with a known covariance, and the checks compare it with exact simulations of that.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray
from scipy.special import ndtri
from scipy.stats import false_discovery_control

from autostatistician.data.exact_fits import last_digit
from autostatistician.data.transform import Transform
from autostatistician.decompose.records.series import Check
from autostatistician.decompose.records.table import LeaveOneOut, LeftOutGroups
from autostatistician.decompose.statistics import FEWEST_ROWS, anderson_darling, side_of_spread
from autostatistician.decompose.table.plain_regressions import MOST_ROWS, ROWS_PER_TERM
from autostatistician.forms import CheckKind
from autostatistician.gp.posterior import Posterior

__all__ = ["TESTED_LEVELS", "checks_of_errors", "leave_one_out", "left_out_groups", "repeated", "scored"]

Array = NDArray[np.float64]

TESTED_LEVELS = (0.5, 0.8, 0.95)  # of ranges
SIMULATIONS = 999
SIMULATIONS_OF_MANY_ROWS = 199  # of more rows than witnesses look at, a simulation takes long
BINS_PER_COLUMN = 8


def leave_one_out(posterior: Posterior, transform: Transform, offset: float, rng: np.random.Generator) -> LeaveOneOut:
    """Predictions of every value from all others, in the units of the data, with checks of their errors."""
    mean, variance, _ = posterior.leave_one_out()
    sd = np.sqrt(variance)
    reach = float(ndtri(0.975))
    on_the_scale = (mean, mean - reach * sd, mean + reach * sd, posterior.y)
    predicted, lower, upper, y = (transform.back(values) + offset for values in on_the_scale)
    errors = (posterior.y - mean) / sd
    return scored(y, (predicted, lower, upper), errors, checks_of_errors(posterior, mean, errors, rng))


def scored(
    y: Array, ranges: tuple[Array, Array, Array], errors: Array, checks: tuple[tuple[Check, str | None], ...]
) -> LeaveOneOut:  # fmt: skip
    """How far values (n,) lie from what was predicted, of which ``ranges`` are means, lower and upper ends."""
    predicted, lower, upper = ranges
    by_mean = (y - y.mean()) * len(y) / max(len(y) - 1, 1)
    missed, total = y - predicted, float(np.sum((y - y.mean()) ** 2))
    return LeaveOneOut(
        predicted=predicted, lower=lower, upper=upper, errors=errors, levels=TESTED_LEVELS,
        held=tuple(float(np.mean(np.abs(errors) <= ndtri(0.5 + 0.5 * level))) for level in TESTED_LEVELS),
        r2=1.0 - float(missed @ missed) / total if total > 0.0 else 0.0,
        rmse=float(np.sqrt(np.mean(missed**2))), mae=float(np.abs(missed).mean()),
        mae_of_mean=float(np.abs(by_mean).mean()), checks=checks,
    )  # fmt: skip


def checks_of_errors(
    posterior: Posterior, predicted: Array, errors: Array, rng: np.random.Generator
) -> tuple[tuple[Check, str | None], ...]:
    """All checks of standardised errors (n,), with p-values corrected for their number; none with too few rows."""
    n = len(errors)
    if n < FEWEST_ROWS:
        return ()
    null = posterior.simulated_leave_one_out(SIMULATIONS if n <= MOST_ROWS else SIMULATIONS_OF_MANY_ROWS, rng)
    samples = np.vstack([errors, null])  # the first row is that of the data
    distribution = _compared(CheckKind.DISTRIBUTION, anderson_darling(samples), side_of_spread(errors))
    wide = _slopes(np.abs(samples) - np.abs(samples).mean(axis=1, keepdims=True), predicted)
    spread = _compared(CheckKind.SPREAD, np.abs(wide), int(np.sign(wide[0])))
    checks: list[tuple[Check, str | None]] = [(distribution, None), (spread, None)]
    for index, name in enumerate(posterior.columns):
        bins = _bins(posterior.X[:, index])
        if bins is not None:
            checks.append((_compared(CheckKind.PATTERN, _between_bins(samples, bins), 1), name))
    adjusted = false_discovery_control([check.p for check, _ in checks], method="by").tolist()
    return tuple((replace(check, adjusted=p), name) for (check, name), p in zip(checks, adjusted, strict=True))


def _compared(kind: CheckKind, statistics: Array, side: int) -> Check:
    """The first statistic against the others, which are simulated."""
    p = (1 + int(np.sum(statistics[1:] >= statistics[0]))) / len(statistics)
    return Check(0, kind, float(statistics[0]), p, p, None, side)


def _slopes(samples: Array, x: Array) -> Array:
    """The correlation of every row with the ranks of x."""
    ranks = x.argsort().argsort().astype(np.float64)
    ranks -= ranks.mean()
    sizes = np.sqrt(np.sum(samples**2, axis=1) * float(ranks @ ranks))
    return np.asarray(samples @ ranks / np.where(sizes > 0.0, sizes, 1.0))


def _bins(x: Array) -> Array | None:
    """One column (n,) of ones per bin of a column, each divided by the root of its count; None for a constant one."""
    edges = np.unique(np.quantile(x, np.linspace(0.0, 1.0, BINS_PER_COLUMN + 1)[1:-1]))
    number = np.searchsorted(edges, x, side="left")
    members = (number[:, None] == np.unique(number)).astype(np.float64)
    return members / np.sqrt(members.sum(axis=0)) if members.shape[1] > 1 else None


def _between_bins(samples: Array, bins: Array) -> Array:
    """The sum of the squared means of the bins of every row, each times its count."""
    return np.asarray(np.sum((samples @ bins) ** 2, axis=1))


# --- Groups of rows, as those of one person: each left out as a whole ------------------------------------------------


def repeated(values: Array) -> NDArray[np.intp] | None:
    """The group of every row by the number (n,) that it shares with others; None where equal ones may be an accident.

    They are none where those shared are so fine that there could be more of them than rows, and where rows are sorted
    by them.

    >>> fine = np.random.default_rng(0).normal(size=30).round(4)
    >>> repeated(np.repeat(fine, 3)) is None, repeated(np.repeat(fine.round(1), 3)) is None, repeated(fine) is None
    (False, True, True)
    """
    distinct, groups, counts = np.unique(values, return_inverse=True, return_counts=True)
    if not ROWS_PER_TERM <= len(distinct) <= 0.5 * len(values):
        return None
    shared = distinct[counts > 1]  # others may stand for an empty cell
    is_fine = np.ptp(shared) >= last_digit(shared) * len(values)
    return groups if is_fine or np.all(np.diff(values) >= 0.0) else None


def left_out_groups(
    posterior: Posterior, told: Array, predicted: Callable[[Array, Array], Array]
) -> LeftOutGroups | None:
    """The share of the variation that is explained in groups of rows left out, by the column that tells them worst.

    It is of the values ``told`` (n,), as ``predicted`` from means and variances (n,) on the scale of the posterior. The
    parameters are those of the fit to all data. With K the covariance and G the rows of a group, the inverse of the
    block of K^-1 at G is their covariance given all others, and that times K^-1 y there what is missed of them.
    """
    y, found = posterior.y, []
    candidates = {name: repeated(X) for name, X in zip(posterior.columns, posterior.X.T, strict=True)}
    grouped = {name: groups for name, groups in candidates.items() if name and groups is not None}
    if not grouped or len(y) > MOST_ROWS or np.ptp(y) == 0.0:
        return None
    whitening = posterior.whitened(np.asfortranarray(np.eye(len(y))))
    inverse, alpha = whitening.T @ whitening, whitening.T @ (whitening @ y)
    for name, groups in grouped.items():
        mean, variance, count = y.copy(), np.empty(len(y)), int(groups.max()) + 1
        for rows in (np.flatnonzero(groups == group) for group in range(count)):
            given = np.linalg.inv(inverse[np.ix_(rows, rows)])
            mean[rows] -= given @ alpha[rows]
            variance[rows] = given.diagonal()
        missed = told - predicted(mean, variance)
        r2 = 1.0 - float(missed @ missed) / float(np.sum((told - told.mean()) ** 2))
        found.append(LeftOutGroups(name, count, r2))
    return min(found, key=lambda one: one.r2, default=None)
