"""A kernel conditioned on data: one factorisation, many views of it.

Rasmussen and Williams 2006 (Gaussian Processes for Machine Learning), algorithm 2.1 and section 5.4.2, for
evidence, prediction and leave-one-out; Duvenaud 2014, section 2.4.5, for the posterior of additive parts. The mean
of the prior is zero, and noise is a part of the kernel: its white-noise leaves.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from math import log, pi

import numpy as np
from numpy.typing import NDArray
from scipy.linalg import lapack

from autostatistician.data.dataset import Dataset
from autostatistician.inference.covariance import covariance, prior_variance, signal_and_noise
from autostatistician.inference.factor import Factor, factorise
from autostatistician.language.kernel import Kernel

__all__ = ["Conditioned", "condition", "condition_arrays", "draw", "log_evidence_of"]

Array = NDArray[np.float64]
Columns = tuple[str | None, ...]


@dataclass(frozen=True, eq=False)
class Conditioned:
    """The Gaussian process posterior of ``kernel`` given ``y`` at ``X``; built by `condition`.

    Everything is in the units of ``y``. Where inputs ``Xs`` (m, d) are asked for, None means the data themselves:
    then white noise in a part is that of the data (the residuals have a posterior); at any other input it is a new,
    independent draw with mean zero, also where a datum happens to lie.
    """

    kernel: Kernel
    X: Array  # (n, d)
    y: Array  # (n,)
    columns: Columns
    factor: Factor  # of the covariance of the observations
    alpha: Array  # (n,) that covariance's inverse times y

    @property
    def log_evidence(self) -> float:
        """The log marginal likelihood of ``y`` (of the jittered covariance, should there be jitter)."""
        return log_evidence_of(self.factor, self.y, self.alpha)

    @cached_property
    def halves(self) -> tuple[Kernel | None, Kernel | None]:
        """The signal and the noise of the kernel, either of which may be absent (None)."""
        return signal_and_noise(self.kernel)

    def reduced(self, part: Kernel, Xs: Array | None = None) -> tuple[Array, Array]:
        """Posterior mean (m,) of an additive part, and ``R = L^-1 K_part(X, Xs)`` of shape (n, m).

        Both are linear in the part, so those of a sum of parts are the sums. The posterior covariance of two parts
        i and j is ``[i = j] K_i(Xs, Xs) - R_i' R_j`` (Duvenaud 2014, section 2.4.5).
        """
        cross = covariance(part, self.X, None, self.columns) if Xs is None else self._cross(part, Xs)
        return cross @ self.alpha, self.factor.half_solve(cross.T, overwrite=True)

    def _cross(self, part: Kernel, Xs: Array) -> Array:
        return covariance(part, Xs, self.X, self.columns)

    def component(self, part: Kernel, Xs: Array | None = None) -> tuple[Array, Array]:
        """Posterior mean (m,) and covariance (m, m) of any additive part of the kernel."""
        mean, reduced = self.reduced(part, Xs)
        cov = covariance(part, self.X if Xs is None else Xs, None, self.columns)
        cov -= reduced.T @ reduced
        return mean, cov

    def component_sd(self, part: Kernel, Xs: Array | None = None) -> tuple[Array, Array]:
        """Posterior mean (m,) and standard deviation (m,) of any additive part, without its covariance matrix."""
        mean, reduced = self.reduced(part, Xs)
        prior = prior_variance(part, self.X if Xs is None else Xs, self.columns)
        return mean, _root(prior - np.einsum("ij,ij->j", reduced, reduced))

    def signal(self, Xs: Array | None = None) -> tuple[Array, Array]:
        """Posterior mean and standard deviation (m,) of all parts but noise."""
        part = self.halves[0]
        if part is None:
            return self._zeros(Xs), self._zeros(Xs)
        return self.component_sd(part, Xs)

    def signal_joint(self, Xs: Array | None = None) -> tuple[Array, Array]:
        """Posterior mean (m,) and covariance (m, m) of all parts but noise."""
        part = self.halves[0]
        if part is None:
            zeros = self._zeros(Xs)
            return zeros, np.zeros((len(zeros), len(zeros)))
        return self.component(part, Xs)

    def observations(self, Xs: Array | None = None) -> tuple[Array, Array]:
        """Mean and standard deviation (m,) of new observations: the signal with the noise of its place."""
        mean, sd = self.signal(Xs)
        return mean, np.sqrt(sd**2 + self.noise_variance(Xs))

    def observations_joint(self, Xs: Array | None = None) -> tuple[Array, Array]:
        """Mean (m,) and covariance (m, m) of new observations, one per row of ``Xs``."""
        mean, cov = self.signal_joint(Xs)
        cov[np.diag_indices_from(cov)] += self.noise_variance(Xs)
        return mean, cov

    def noise_variance(self, Xs: Array | None = None) -> Array:
        """Prior variance (m,) of the noise at each input; it may change along the input."""
        noise = self.halves[1]
        return self._zeros(Xs) if noise is None else prior_variance(noise, self.X if Xs is None else Xs, self.columns)

    def samples(
        self, Xs: Array | None, rng: np.random.Generator, *, part: Kernel | None = None, count: int = 3
    ) -> Array:
        """Joint draws (count, m) from the posterior of a part; of the signal when no part is given."""
        part = self.halves[0] if part is None else part
        if part is None:
            return np.zeros((count, len(self._zeros(Xs))))
        scale = float(prior_variance(part, self.X if Xs is None else Xs, self.columns).max(initial=0.0))
        return draw(*self.component(part, Xs), rng, scale=scale, count=count)

    def leave_one_out(self) -> tuple[Array, Array, Array]:
        """Mean, variance and log density (n,) of each observation predicted from all the others.

        Rasmussen and Williams 2006, equations 5.10 to 5.12.
        """
        variance = 1.0 / self.factor.inverse_diagonal()
        error = self.alpha * variance
        density = -0.5 * (np.log(2.0 * pi * variance) + error**2 / variance)
        return self.y - error, variance, density

    def _zeros(self, Xs: Array | None) -> Array:
        return np.zeros(len(self.X if Xs is None else Xs))


def condition(kernel: Kernel, dataset: Dataset) -> Conditioned:
    """Condition a kernel on the observations of a data set.

    Raises
    ------
    NotPositiveDefinite
        When the covariance cannot be factorised even with jitter.
    """
    return condition_arrays(kernel, dataset.X, dataset.y, dataset.columns)


def condition_arrays(kernel: Kernel, X: Array, y: Array, columns: Columns = (None,)) -> Conditioned:
    """Condition a kernel on observations ``y`` (n,) at inputs ``X`` (n, d); see `condition`.

    Examples
    --------
    >>> from autostatistician.language.kernel import leaf
    >>> kernel = leaf("C", sd=1.0) + leaf("WN", sd=1.0)
    >>> posterior = condition_arrays(kernel, np.array([[0.0], [1.0]]), np.array([1.0, 3.0]))
    >>> mean, sd = posterior.signal(np.array([[7.0]]))
    >>> mean.round(6).tolist(), sd.round(6).tolist()
    ([1.333333], [0.57735])
    """
    X = X[:, None] if X.ndim == 1 else X
    factor = factorise(covariance(kernel, X, None, columns), overwrite=True)
    return Conditioned(kernel, X, y, columns, factor, factor.solve(y))


def log_evidence_of(factor: Factor, y: Array, alpha: Array) -> float:
    """Log density of ``y`` under a normal distribution with mean zero and the factorised covariance.

    Rasmussen and Williams 2006, equation 2.30; ``alpha`` is the inverse of the covariance times ``y``.
    """
    return -0.5 * (float(y @ alpha) + factor.logdet + len(y) * log(2.0 * pi))


# Relative to the prior variance: what is left of a posterior covariance below it is rounding.
_ROUNDING = 1e-13


def draw(mean: Array, cov: Array, rng: np.random.Generator, *, scale: float, count: int = 3) -> Array:
    """Draws (count, m) from a normal distribution whose covariance may be singular.

    A pivoted Cholesky factorisation (LAPACK ``pstrf``) stops where only rounding is left, so no jitter roughens the
    draws. ``scale`` is the prior variance from which ``cov`` was computed.

    Examples
    --------
    >>> ones = np.ones((3, 3))
    >>> sample = draw(np.zeros(3), ones, np.random.default_rng(0), scale=1.0, count=1)[0]
    >>> bool(np.ptp(sample) < 1e-12)
    True
    """
    normal = rng.standard_normal((count, len(mean)))
    if not len(mean):
        return normal
    packed, pivots, rank, _ = lapack.dpstrf(cov, tol=_ROUNDING * scale, lower=1)
    samples = np.empty_like(normal)
    samples[:, pivots - 1] = normal[:, :rank] @ np.tril(packed)[:, :rank].T
    return samples + mean


def _root(variance: Array) -> Array:
    return np.asarray(np.sqrt(np.maximum(variance, 0.0)))
