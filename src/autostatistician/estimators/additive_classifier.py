"""A classifier whose latent function is a sum of functions of few columns each."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from autostatistician.errors import InputError
from autostatistician.estimators.additive_base import AdditiveEstimator
from autostatistician.estimators.classes import LatentClassifier
from autostatistician.gp.likelihoods.bernoulli import Bernoulli
from autostatistician.models.additive.classes import AdditiveClasses, fit_classes

__all__ = ["AdditiveGPClassifier"]

Array = NDArray[np.float64]


@dataclass(eq=False, repr=False)
class AdditiveGPClassifier(LatentClassifier, AdditiveEstimator):
    """Classes whose probability is a function of a latent Gaussian process with the kernel of `AdditiveGPRegressor`.

    A constant (the order 0) is always there. Effects, shares and relevance are those of the latent function; with more
    than two classes there are several, and none of these.

    Parameters
    ----------
    kernel, max_order, orders, orthogonal, order_lengthscales, unseen
        As those of `AdditiveGPRegressor`.
    inference : str
        "ep", expectation propagation, which is nearly exact; or "laplace", cheaper.
    link : str
        "probit" or "logistic": how the function becomes a probability.
    n_restarts : int
        Starts of the optimisation; the best on some rows is followed on all.
    random_state : int, RandomState or None
        Of the starts.

    Examples
    --------
    >>> X = np.array([[a, b] for a in range(7) for b in range(7)], dtype=float)
    >>> y = np.sin(X[:, 0]) + 0.3 * (-1.0) ** (X[:, 0] + X[:, 1]) > 0.1
    >>> model = AdditiveGPClassifier().fit(X, y)
    >>> model.score(X, y) > 0.8, model.relevance_["column"][0]
    (True, 'column 0')
    """

    y_scale_ = 1.0  # the function has no other unit than that of the link

    @property
    def fitted_(self) -> AdditiveClasses:  # type: ignore[override]
        """The latent function of two classes."""
        if len(self.functions_) > 1:
            classes = f"{len(self.classes_)}, with a function for each"
            raise InputError.of("two classes", classes, "fit one class against the rest")
        fitted: AdditiveClasses = self.functions_[0]
        return fitted

    def _function(self, rows: Array, y: Array, likelihood: Bernoulli, rng: np.random.Generator) -> AdditiveClasses:
        self.X_train_ = rows
        layout = self._layout(rows)
        return fit_classes(layout, rows, y, likelihood, self.inference, int(self.n_restarts), rng)

    def _chosen_orders(self, columns: int, tied: bool) -> tuple[int, ...]:
        return tuple(sorted({0, *super()._chosen_orders(columns, tied)}))
