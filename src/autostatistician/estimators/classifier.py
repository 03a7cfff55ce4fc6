"""A classifier whose latent function has any kernel of the language."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import KW_ONLY, dataclass, replace
from functools import cached_property
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from autostatistician._io.deprecated import warn_of_old
from autostatistician.errors import InputError, check_choice
from autostatistician.estimators.classes import AveragedFunction, LatentClassifier, LatentFunction
from autostatistician.estimators.options import check_count, check_positive
from autostatistician.estimators.plain_tables import on_columns
from autostatistician.estimators.sampled_classes import (
    ChainSettings,
    SampledForms,
    Watch,
    averaged_forms,
    check_few,
    diagnostics,
    sampled_function,
    warn_of_chains,
)
from autostatistician.fitted.baseline_models import raced
from autostatistician.fitted.temperature_scaling import temperature_of
from autostatistician.gp import Problem, condition
from autostatistician.gp.classes import APPROXIMATIONS, is_flat
from autostatistician.gp.covariance import covariance
from autostatistician.gp.engines.approximate import ApproximatePosterior
from autostatistician.gp.fitting import held_numbers, most_probable, weak_numbers
from autostatistician.gp.likelihoods.bernoulli import Bernoulli
from autostatistician.gp.parameters import Scales, measure
from autostatistician.kernels.expr import Expr
from autostatistician.kernels.kernel import Kernel, rescaled

__all__ = ["GPClassifier"]

Array = NDArray[np.float64]

AUTO = "auto"  # the kernel of which forms are raced
MCMC, EP = "mcmc", "ep"  # chains, and the approximation with which they begin
ONE_VS_REST = "one_vs_rest"


@dataclass(frozen=True, eq=False)
class BinaryFunction:
    """A function with its kernel, given classes."""

    posterior: ApproximatePosterior

    @property
    def log_evidence(self) -> float:
        """The logarithm of the approximate marginal likelihood."""
        return self.posterior.log_evidence

    @cached_property
    def is_flat(self) -> bool:
        """Whether the data do not limit its size."""
        posterior = self.posterior
        K = covariance(posterior.kernel, posterior.X, None, posterior.columns)
        likelihood = posterior.problem.likelihood
        assert isinstance(likelihood, Bernoulli)
        return is_flat(K, posterior.problem.y, likelihood, posterior.engine.name, posterior.approximation)

    def moments(self, rows: Array) -> tuple[Array, Array]:
        """Mean and standard deviation (m,) at rows in standard units."""
        return self.posterior.signal(rows)

    def left_out(self) -> Array:
        """The chance (n,) of the class +1 in each row of the data, given all others."""
        return 0.5 * (1.0 + self.posterior.leave_one_out()[0])


@dataclass(eq=False, repr=False)
class GPClassifier(LatentClassifier):
    """Classes whose probability is a function of a latent Gaussian process.

    Parameters
    ----------
    kernel : str, Expr or Kernel
        Of the latent function, without noise, such as ``"SE[age] * SE[dose] + Lin[age] + C"``. Parameters that it has
        are where the first start begins. A leaf without a column acts on all of them: ``"SE + C"`` is one squared
        exponential with a lengthscale for every column, and a constant. By default, "auto", four plain forms are
        raced by evidence and averaged: a line in every column, a curve in every column, one function of all of them,
        and that beside the lines; columns have their numbers in common, so that it suits tables of many columns, too,
        and how sure chances are is corrected by rows left out.
    inference : str
        "ep", expectation propagation, which is nearly exact given the numbers of the kernel; "laplace", cheaper; or
        "mcmc", chains that draw the function and the numbers together, so that predictions average over what the data
        leave open about both: minutes for some hundred rows, at most 1000 (see ``time_budget``).
    link : str
        "probit" or "logistic": how the function becomes a probability.
    multi_class : str
        What to do with more than two classes: "one_vs_rest" fits a function for each, against the rest. It is the only
        way: "softmax", functions of all classes together, foresaw them no better; the name warns and goes.
    unseen : str
        What to do at prediction with a category that the data did not have: "error", or "new".
    n_restarts : int
        Starts of the optimisation; 0 keeps the parameters that the kernel has.
    random_state : int, RandomState or None
        Of the starts, and of the chains.
    n_chains, n_draws : int
        Chains of "mcmc", and how many draws each gives after a warm-up as long.
    time_budget : float or None
        Seconds after which chains end with the later half of what they have (a `ConvergenceWarning` says so); None is
        without a limit.

    Attributes
    ----------
    classes_ : array
        The classes in order.
    kernel_ : Kernel or list of Kernel
        With its parameters in the units of the data; of classes against the rest one for each. Of an average that of
        the likeliest form, of chains the most probable numbers, about which they began.
    diagnostics_ : DataFrame
        Of chains alone: what was drawn of every parameter (units of the data), of the log likelihood and of the
        function where chains agree least, with median, 95 % range, R-hat (1 where chains agree; a `ConvergenceWarning`
        comes above 1.05) and the effective number of draws (Vehtari et al. 2021). A function of one class against the
        rest has rows of its own.
    log_evidence_ : float
        The logarithm of the approximate marginal likelihood, of more than two classes the sum of those against the
        rest. Of an average that of all forms together, with their parameters integrated out; of chains that of
        expectation propagation.

    Examples
    --------
    >>> x = np.linspace(-3.0, 3.0, 40)[:, None]
    >>> y = np.where(np.abs(x[:, 0]) + 0.9 * np.sin(25.0 * x[:, 0]) > 1.5, "out", "in")
    >>> model = GPClassifier().fit(x, y)
    >>> model.predict([[0.0], [2.9]]).tolist(), model.predict_proba([[0.0]]).round(1).tolist()
    (['in', 'out'], [[0.9, 0.1]])
    """

    kernel: str | Expr | Kernel = AUTO
    _: KW_ONLY
    multi_class: str = ONE_VS_REST
    n_chains: int = 4
    n_draws: int = 200
    time_budget: float | None = 300.0

    _inferences = (*APPROXIMATIONS, MCMC)

    def fit(self, X: Any, y: Any, *, callback: Callable[[float], object] | None = None) -> Self:
        """Fit as other classifiers; a callback gets the share of all sweeps of chains that is done.

        Where it answers False, chains end as when their time is spent.
        """
        if self.time_budget is not None:
            check_positive("time_budget", self.time_budget)
        self._watch, self._parts = Watch(self.time_budget, callback), list[Watch]()
        try:
            return self._fit(X, y)
        finally:
            del self._watch, self._parts

    @property
    def kernel_(self) -> Kernel | list[Kernel]:
        """The kernel with its parameters in the units of the data; of classes against the rest one for each."""
        kernels = [self._in_data_units(_likeliest(function)) for function in self.functions_]
        return kernels[0] if len(kernels) == 1 else kernels

    def _fit_functions(self, rows: Array, codes: NDArray[np.intp], likelihood: Bernoulli) -> None:
        check_choice("multi_class", self.multi_class, (ONE_VS_REST, "softmax"))
        if self.multi_class != ONE_VS_REST:
            warn_of_old(f"multi_class={self.multi_class!r}", repr(ONE_VS_REST), depth=4)
        self._parts = self._watch.parts(len(self.classes_) if len(self.classes_) > 2 else 1)
        super()._fit_functions(rows, codes, likelihood)
        if self.inference == MCMC:
            names = map(str, self.classes_[-len(self.functions_) :])
            self.diagnostics_ = diagnostics(list(zip(names, self.functions_, strict=True)), self._in_data_units)
            warn_of_chains(self.diagnostics_, self._watch, depth=4)

    def _function(self, rows: Array, y: Array, likelihood: Bernoulli, rng: np.random.Generator) -> LatentFunction:
        problem = Problem(rows, y, self.inputs_.columns, likelihood=likelihood)
        if self.inference == MCMC:
            return self._drawn_forms(problem, likelihood, rng)
        if not self._is_auto:
            return self._given(self._fitted(problem, likelihood, rng), problem)
        race = raced(self.inputs_, problem, self.inference)
        functions = tuple(self._given(fit.kernel, problem) for fit in race.fits)
        left_out = race.weights @ np.array([function.left_out() for function in functions])
        return AveragedFunction(functions, race.weights, race.log_evidence, temperature_of(left_out, y > 0.0))

    def _drawn_forms(self, problem: Problem, likelihood: Bernoulli, rng: np.random.Generator) -> SampledForms:
        """Chains of the kernel, or of every form that counts."""
        settings = ChainSettings(check_count("n_chains", self.n_chains, 1), check_count("n_draws", self.n_draws, 4))
        check_few(problem.n)
        if self._is_auto:
            race = raced(self.inputs_, problem, self._engine)
            begun, weights = [(fit.kernel, fit.numbers) for fit in race.fits], race.weights
        else:
            kernel = self._fitted(problem, likelihood, rng)
            numbers = weak_numbers(kernel, _scales(problem)) if self.n_restarts else held_numbers(kernel)
            begun, weights = [(kernel, numbers)], np.ones(1)
        forms, watches = [], self._parts.pop(0).parts(len(begun))
        for (kernel, numbers), weight, watch in zip(begun, weights, watches, strict=True):
            fitted = self._given(kernel, problem)
            forms.append(sampled_function(fitted, fitted.posterior, numbers, settings, float(weight), rng, watch))
        if not self._is_auto:
            return averaged_forms(forms, weights, fitted.log_evidence)
        together = averaged_forms(forms, weights, race.log_evidence)
        left_out = weights @ np.array([form.left_out() for form in forms])
        return replace(together, sharpness=temperature_of(left_out, problem.y > 0.0))

    @property
    def _engine(self) -> str:
        """The approximation with which numbers are fitted."""
        return EP if self.inference == MCMC else self.inference

    def _given(self, kernel: Kernel, problem: Problem) -> BinaryFunction:
        posterior = condition(kernel, problem, self._engine)
        assert isinstance(posterior, ApproximatePosterior)
        return BinaryFunction(posterior)

    @property
    def _is_auto(self) -> bool:
        """Whether forms are raced."""
        if not isinstance(self.kernel, str) or self.kernel != AUTO:
            return False
        if not self.n_restarts:
            raise InputError.of("a kernel with all its numbers", repr(AUTO), "give one, or n_restarts above 0")
        return True

    def _fitted(self, problem: Problem, likelihood: Bernoulli, rng: np.random.Generator) -> Kernel:
        """The kernel with its parameters, in standard units."""
        kernel = on_columns(self.kernel, self.inputs_)
        if not likelihood.admits(kernel.expr):
            noise = f"white noise in {kernel.expr}"
            raise InputError.of("a kernel of the latent function, without noise", noise, "leave WN out")
        kernel = self._moved(kernel, self.centre_, 1.0 / self.scale_)
        if self.n_restarts:
            restarts = int(self.n_restarts)
            return most_probable(kernel, problem, _scales(problem), restarts, rng, self._engine)
        if np.isnan(kernel.values).any():
            raise InputError.of("a kernel with all its numbers", "open ones", "give them, or n_restarts above 0")
        return kernel

    def _in_data_units(self, kernel: Kernel) -> Kernel:
        return self._moved(kernel, -self.centre_ / self.scale_, self.scale_)

    def _moved(self, kernel: Kernel, centre: Array, factor: Array) -> Kernel:
        """The kernel in units in which a column is ``(x - centre) * factor``."""
        columns = self.inputs_.columns
        for name, middle, times in zip(columns, centre.tolist(), factor.tolist(), strict=True):
            names = (name, None) if len(columns) == 1 else (name,)
            kernel = rescaled(kernel, times, -middle * times, columns=names)
        return kernel


def _likeliest(function: Any) -> Kernel:
    """The kernel of a function, of an average that of the likeliest."""
    if isinstance(function, SampledForms):
        return function.forms[0].kernel
    first: Any = function.functions[0] if isinstance(function, AveragedFunction) else function
    kernel: Kernel = first.posterior.kernel
    return kernel


def _scales(problem: Problem) -> Scales:
    return measure(problem.X, problem.y, problem.columns)
