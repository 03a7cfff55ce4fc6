"""A classifier whose latent function has any kernel of the language."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.utils.validation import check_is_fitted

from autostatistician.data.inputs import new_inputs
from autostatistician.errors import InputError
from autostatistician.estimators.classes import LatentClassifier
from autostatistician.estimators.kernels import on_columns
from autostatistician.inference import Problem, condition
from autostatistician.inference.classes import FLAT, LARGER, is_flat, laplace_of_several
from autostatistician.inference.covariance import NotPositiveDefinite, covariance
from autostatistician.inference.engines.approximate import ApproximatePosterior
from autostatistician.inference.engines.base import Objective
from autostatistician.inference.engines.choice import objective_of
from autostatistician.inference.engines.softmax import SoftmaxObjective, SoftmaxPosterior, given_classes
from autostatistician.inference.fitting import most_probable
from autostatistician.inference.likelihoods.bernoulli import Bernoulli
from autostatistician.inference.likelihoods.softmax import Softmax
from autostatistician.inference.parameters import measure
from autostatistician.language.expr import Expr
from autostatistician.language.kernel import Kernel
from autostatistician.language.units import rescaled
from autostatistician.seeds import generator
from autostatistician.threads import one_thread

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


@dataclass(frozen=True, eq=False)
class Functions:
    """The functions of several classes with one kernel."""

    posterior: SoftmaxPosterior

    @property
    def log_evidence(self) -> float:
        """The logarithm of the approximate marginal likelihood."""
        return self.posterior.log_evidence

    @property
    def is_flat(self) -> bool:
        """Whether the data do not limit their size."""
        known = self.posterior
        try:
            larger = laplace_of_several(LARGER**2 * known.approximation.K, known.problem.y, known.likelihood)
        except NotPositiveDefinite:
            return True
        return larger.log_evidence > known.log_evidence - FLAT

    def moments(self, rows: Array) -> tuple[Array, Array]:
        """Means and standard deviations (m, classes) at rows in standard units."""
        mean, covariances = self.posterior.joint(rows)
        return mean, np.sqrt(np.maximum(np.einsum("mcc->mc", covariances), 0.0))

    def probabilities(self, rows: Array) -> Array:
        """Draws (draws, m, classes) of the probabilities of classes."""
        return self.posterior.likelihood.drawn(*self.posterior.joint(rows))


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
        What to do with more than two classes: "one_vs_rest" fits a function for each, against the rest; "softmax" fits
        functions of all classes together, with one kernel, by Laplace's approximation whatever the link.
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
        With its numbers in the units of the data; of classes against the rest one for each.
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
        """The kernel with its numbers in the units of the data; of classes against the rest one for each."""
        every = [self._moved(one.posterior.kernel, -self.centre_ / self.scale_, self.scale_) for one in self.functions_]
        return every[0] if len(every) == 1 else every

    def predict_proba(self, X: Any) -> Array:
        """The probability (m, number of classes) of each class, averaged over the function; rows sum to one."""
        drawn = self._drawn(X)
        return super().predict_proba(X) if drawn is None else drawn.mean(axis=0)

    def probability_interval(self, X: Any, level: float = 0.95) -> tuple[Array, Array]:
        """Bounds between which the chance of a class lies with a probability of ``level``, as far as the data say.

        Of the second of two classes: (m,) each. Of more, for each class: (m, number of classes).

        Raises
        ------
        InputError
            When the level is not between 0 and 1.
        """
        drawn = self._drawn(X) if 0.0 < level < 1.0 else None
        if drawn is None:
            return super().probability_interval(X, level)
        low, high = np.quantile(drawn, [0.5 - 0.5 * level, 0.5 + 0.5 * level], axis=0)
        return low, high

    def _drawn(self, X: Any) -> Array | None:
        """Draws of the probabilities of several classes; None where functions are of one class against the rest."""
        check_is_fitted(self)
        (first, *_) = self.functions_
        if not isinstance(first, Functions):
            return None
        with one_thread():
            return first.probabilities(self._standard(new_inputs(self, X, self.inputs_, self.unseen)))

    def _fit_functions(self, rows: Array, codes: NDArray[np.intp], likelihood: Bernoulli) -> None:
        if self.multi_class not in ("one_vs_rest", "softmax"):
            known = "multi_class='one_vs_rest' or 'softmax'"
            raise InputError.of(known, repr(self.multi_class), "choose one of them")
        if self.multi_class == "one_vs_rest" or len(self.classes_) == 2:
            super()._fit_functions(rows, codes, likelihood)
            return
        softmax, problem = Softmax(len(self.classes_)), Problem(rows, codes.astype(np.float64), self.inputs_.columns)

        def misfit(expr: Expr, some: Problem, prefer: str) -> SoftmaxObjective:
            return SoftmaxObjective(expr, some, softmax)

        with one_thread():
            kernel = self._fitted(problem, likelihood, generator(self.random_state), misfit)
            self.functions_ = [Functions(given_classes(kernel, problem, softmax))]

    def _function(self, rows: Array, y: Array, likelihood: Bernoulli, rng: np.random.Generator) -> Function:
        problem = Problem(rows, y, self.inputs_.columns, likelihood=likelihood)
        posterior = condition(self._fitted(problem, likelihood, rng, objective_of), problem, self.inference)
        assert isinstance(posterior, ApproximatePosterior)
        return Function(posterior)

    def _fitted(
        self,
        problem: Problem,
        likelihood: Bernoulli,
        rng: np.random.Generator,
        misfit: Callable[[Expr, Problem, str], Objective],
    ) -> Kernel:
        """The kernel with its numbers, in standard units."""
        kernel = on_columns(self.kernel, self.inputs_)
        if not likelihood.admits(kernel.expr):
            found = f"white noise in {kernel.expr}"
            raise InputError.of("a kernel of the latent function, without noise", found, "leave WN out")
        kernel = self._moved(kernel, self.centre_, 1.0 / self.scale_)
        if self.restarts:
            scales = measure(problem.X, problem.y, problem.columns)
            return most_probable(kernel, problem, scales, int(self.restarts), rng, self.inference, misfit)
        if np.isnan(kernel.values).any():
            raise InputError.of("a kernel with all its numbers", "open ones", "give them, or restarts above 0")
        return kernel

    def _moved(self, kernel: Kernel, centre: Array, factor: Array) -> Kernel:
        """The kernel in units in which a column is ``(x - centre) * factor``."""
        columns = self.inputs_.columns
        for name, middle, times in zip(columns, centre.tolist(), factor.tolist(), strict=True):
            names = (name, None) if len(columns) == 1 else (name,)
            kernel = rescaled(kernel, times, -middle * times, columns=names)
        return kernel
