"""Normal errors of which some have a far larger size: outliers, each row with its chance to be one (Tukey 1960)."""

from __future__ import annotations

from dataclasses import dataclass
from math import log, pi, sqrt

import numpy as np
from numpy.typing import NDArray
from scipy.special import expit

__all__ = ["Contaminated", "fitted_to"]

Array = NDArray[np.float64]

ROWS_BEFORE, OUTLIERS_BEFORE = 20.0, 0.5  # what is known of the share before the data: so many outliers among so many
LEAST_TIMES = 3.0  # size of outliers over that of others: less is hardly to be told from one size
LEAST_SCALE = 1e-6
ROUNDS, SETTLED = 100, 1e-6  # of expectation and maximisation, and the largest change of a chance


@dataclass(frozen=True)
class Contaminated:
    """Errors with a standard deviation ``scale``, of which a ``share`` has one that is so many ``times`` as large.

    Of these large ones the share ``up`` is above zero.

    Examples
    --------
    >>> errors = Contaminated(0.05, 10.0)
    >>> errors.chances(np.array([1.0, 3.0, 4.0])).round(3).tolist()
    [0.009, 0.312, 0.935]
    """

    share: float
    times: float
    scale: float = 1.0
    up: float = 0.5

    def log_density(self, errors: Array) -> Array:
        """Log densities (n,)."""
        return np.logaddexp(*self._log_parts(errors))

    def chances(self, errors: Array, log_usual: Array | None = None) -> Array:
        """The probability of each error (n,) to be of the large size.

        ``log_usual`` are the log densities of errors of the usual size where these are not normal.
        """
        usual, large = self._log_parts(errors)
        return np.asarray(expit(large - (usual if log_usual is None else log(1.0 - self.share) + log_usual)))

    def _log_parts(self, errors: Array) -> tuple[Array, Array]:
        usual = log(1.0 - self.share) + _log_normal(errors, self.scale)
        side = np.log(2.0 * np.where(errors > 0.0, self.up, 1.0 - self.up))
        return usual, log(self.share) + side + _log_normal(errors, self.times * self.scale)


def _log_normal(errors: Array, scale: float) -> Array:
    """As `scipy.stats.norm.logpdf`, which takes a hundred times as long for few errors."""
    return np.asarray(-0.5 * (errors / scale) ** 2 - log(scale * sqrt(2.0 * pi)))


def fitted_to(errors: Array, out: NDArray[np.bool_]) -> Contaminated:
    """That of errors (n,), by expectation and maximisation from those that seem to be ``out`` (Dempster et al. 1977).

    The share is drawn to what is usual, so that one error far off makes no others suspect.

    >>> rng = np.random.default_rng(0)
    >>> errors = rng.normal(size=100) * np.where(np.arange(100) % 20 == 7, 10.0, 1.0)
    >>> found = fitted_to(errors, np.abs(errors) > 4.0)
    >>> round(found.share, 3), round(found.scale, 2), np.flatnonzero(found.chances(errors) > 0.5).tolist()
    (0.053, 0.94, [7, 27, 47, 67, 87])
    """
    chances = out.astype(float)
    for _ in range(ROUNDS):
        here = _most_probable(errors, chances)
        before, chances = chances, here.chances(errors)
        if np.max(np.abs(chances - before)) < SETTLED:
            break
    return here


def _most_probable(errors: Array, chances: Array) -> Contaminated:
    count, usual = float(chances.sum()), 1.0 - chances
    scale = max(float(np.sqrt(usual @ errors**2 / usual.sum())), LEAST_SCALE)
    large = float(np.sqrt(chances @ errors**2 / count)) if count > 0.0 else 0.0
    share = (count + OUTLIERS_BEFORE) / (len(errors) + ROWS_BEFORE)
    up = (float(chances[errors > 0.0].sum()) + 1.0) / (count + 2.0)
    return Contaminated(share, max(large / scale, LEAST_TIMES), scale, up)
