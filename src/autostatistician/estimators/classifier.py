"""A classifier whose latent function has any kernel of the language."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from autostatistician.errors import InputError
from autostatistician.estimators.classes import LatentClassifier
from autostatistician.estimators.kernels import on_columns
from autostatistician.inference.covariance import covariance
from autostatistician.inference.engines.approximate import ApproximatePosterior
from autostatistician.inference.engines.choice import condition
from autostatistician.inference.likelihoods.bernoulli import Bernoulli
from autostatistician.inference.probable import most_probable
from autostatistician.inference.problem import Problem
from autostatistician.inference.scales import measure
from autostatistician.inference.separable import is_flat
from autostatistician.language.expr import Expr
from autostatistician.language.kernel import Kernel
from autostatistician.language.units import rescaled

__all__ = ["GPClassifier"]

Array = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class Function:
    """A function with its kernel, given classes."""

    posterior: ApproximatePosterior

    @property
    def log_evidence(self) -> float:
        """The logarithm of the approximate marginal likelihood."""
        return self.posterior.log_evidence

    @cached_property
    def is_flat(self) -> bool:
        """Whether the data do not limit its size."""
        known = self.posterior
        K = covariance(known.kernel, known.X, None, known.columns)
        likelihood = known.problem.likelihood
        assert isinstance(likelihood, Bernoulli)
        return is_flat(K, known.problem.y, likelihood, known.engine.name, known.approximation)

    def moments(self, rows: Array) -> tuple[Array, Array]:
        """Mean and standard deviation (m,) at rows in standard units."""
        return self.posterior.signal(rows)


class GPClassifier(LatentClassifier):
    """Classes whose probability is a function of a latent Gaussian process.

    Parameters
    ----------
    kernel : str, Expr or Kernel
        Of the latent function, without noise, such as ``"SE[age] * SE[dose] + Lin[age] + C"``. Numbers that it has are
        where the first start begins. A leaf without a column acts on all of them: by default one squared exponential
        with a lengthscale for every column, and a constant.
    inference : str
        "ep", expectation propagation, which is nearly exact; or "laplace", cheaper.
    link : str
        "probit" or "logistic": how the function becomes a probability.
    multi_class : str
        "one_vs_rest": with more than two classes a function for each, against the rest.
    unseen : str
        What to do at prediction with a category that the data did not have: "error", or "new".
    restarts : int
        Starts of the optimisation; 0 keeps the numbers that the kernel has.
    random_state : int, RandomState or None
        Of the starts.

    Attributes
    ----------
    classes_ : array
        The classes in order.
    kernel_ : Kernel or list of Kernel
        With its numbers in the units of the data; of more than two classes one for each.
    log_evidence_ : float
        The logarithm of the approximate marginal likelihood, of more than two classes the sum of those against the
        rest.

    Examples
    --------
    >>> x = np.linspace(-3.0, 3.0, 40)[:, None]
    >>> y = np.where(np.abs(x[:, 0]) + 0.9 * np.sin(25.0 * x[:, 0]) > 1.5, "out", "in")
    >>> model = GPClassifier().fit(x, y)
    >>> model.predict([[0.0], [2.9]]).tolist(), model.predict_proba([[0.0]]).round(1).tolist()
    (['in', 'out'], [[0.9, 0.1]])
    """

    def __init__(
        self,
        kernel: str | Expr | Kernel = "SE + C",
        *,
        inference: str = "ep",
        link: str = "probit",
        multi_class: str = "one_vs_rest",
        unseen: str = "error",
        restarts: int = 1,
        random_state: Any = 0,
    ) -> None:
        self.kernel = kernel
        self.inference = inference
        self.link = link
        self.multi_class = multi_class
        self.unseen = unseen
        self.restarts = restarts
        self.random_state = random_state

    @property
    def kernel_(self) -> Kernel | list[Kernel]:
        """The kernel with its numbers in the units of the data; of more than two classes one for each."""
        every = [self._moved(one.posterior.kernel, -self.centre_ / self.scale_, self.scale_) for one in self.functions_]
        return every[0] if len(every) == 1 else every

    def _fit_functions(self, rows: Array, codes: NDArray[np.intp], likelihood: Bernoulli) -> None:
        if self.multi_class != "one_vs_rest":
            raise InputError.of("multi_class='one_vs_rest'", repr(self.multi_class), "change the setting")
        super()._fit_functions(rows, codes, likelihood)

    def _function(self, rows: Array, y: Array, likelihood: Bernoulli, rng: np.random.Generator) -> Function:
        kernel = on_columns(self.kernel, self.inputs_)
        if not likelihood.admits(kernel.expr):
            found = f"white noise in {kernel.expr}"
            raise InputError.of("a kernel of the latent function, without noise", found, "leave WN out")
        problem = Problem(rows, y, self.inputs_.columns, likelihood=likelihood)
        kernel = self._moved(kernel, self.centre_, 1.0 / self.scale_)
        if self.restarts:
            scales = measure(rows, y, self.inputs_.columns)
            kernel = most_probable(kernel, problem, scales, int(self.restarts), rng, self.inference)
        elif np.isnan(kernel.values).any():
            raise InputError.of("a kernel with all its numbers", "open ones", "give them, or restarts above 0")
        posterior = condition(kernel, problem, self.inference)
        assert isinstance(posterior, ApproximatePosterior)
        return Function(posterior)

    def _moved(self, kernel: Kernel, centre: Array, factor: Array) -> Kernel:
        """The kernel in units in which a column is ``(x - centre) * factor``."""
        columns = self.inputs_.columns
        for name, middle, times in zip(columns, centre.tolist(), factor.tolist(), strict=True):
            names = (name, None) if len(columns) == 1 else (name,)
            kernel = rescaled(kernel, times, -middle * times, columns=names)
        return kernel
