"""A classifier whose latent function has any kernel of the language.

The function behind classes as draws of Markov chains, with its numbers, and what the chains say of themselves.
"""

from __future__ import annotations

import time
import warnings
from collections.abc import Callable, Sequence
from dataclasses import KW_ONLY, dataclass, field, replace
from functools import cached_property
from itertools import pairwise
from typing import TYPE_CHECKING, Any, Self

import numpy as np
from numpy.typing import NDArray
from sklearn.exceptions import ConvergenceWarning

from autostatistician.errors import InputError, check_choice
from autostatistician.estimators.classes import AveragedFunction, LatentClassifier, LatentFunction
from autostatistician.estimators.options import check_count, check_positive
from autostatistician.estimators.plain_tables import on_columns
from autostatistician.fitted.baseline_models import raced
from autostatistician.fitted.temperature_scaling import temperature_of
from autostatistician.gp import Problem, condition
from autostatistician.gp.classes import APPROXIMATIONS, SamplerChain, Target, is_flat, moments_given, sampled
from autostatistician.gp.covariance import covariance
from autostatistician.gp.engines.approximate import ApproximatePosterior, covariances_of
from autostatistician.gp.likelihoods import Bernoulli
from autostatistician.gp.map_estimate import Numbers, held_numbers, most_probable, weak_numbers
from autostatistician.gp.parameters import Scales, measure
from autostatistician.kernels.expr import Expr, format_expr
from autostatistician.kernels.kernel import Kernel, parameters, rescaled
from autostatistician.models.latent.chains import AGREED, agreement

if TYPE_CHECKING:
    import pandas as pd

__all__ = [
    "MOST_SAMPLED", "ChainSettings", "GPClassifier", "SampledForms", "SampledFunction", "Watch", "averaged_forms",
    "check_few", "diagnostics", "sampled_function", "warn_of_chains",
]  # fmt: skip


Array = NDArray[np.float64]

MOST_SAMPLED = 1000  # rows: a sweep factorises some thirty matrices, at so many rows about two seconds
KEPT = 200  # draws of which predictions are made, evenly spaced over all chains
LEAST_KEPT = 20  # of a form in an average
SPREAD_OF_STARTS = 0.7  # of chains about the most probable numbers, in widths of their prior
SOME_ROWS = 40  # at which the function is compared between chains


@dataclass(frozen=True)
class ChainSettings:
    """How many chains there are, and how many draws each gives after a warm-up as long."""

    chains: int
    draws: int


@dataclass(frozen=True, eq=False)
class Watch:
    """How far all chains of a fit are, and whether they go on; this part of them is from ``low`` to ``high`` of 1.

    ``callback`` gets the share that is done; where it answers False they end, as when ``budget`` (seconds) is spent.
    """

    budget: float | None
    callback: Callable[[float], object] | None
    begun: float = field(default_factory=time.monotonic)
    low: float = 0.0
    high: float = 1.0
    ends: list[float] = field(default_factory=list)  # the shares of all at which chains were ended

    def parts(self, count: int) -> list[Watch]:
        """As many parts of it, alike."""
        places = np.linspace(self.low, self.high, count + 1).tolist()
        return [replace(self, low=low, high=high) for low, high in pairwise(places)]

    def goes_on(self, share: float) -> bool:
        """Whether chains go on when this part of them is done up to a share."""
        done = self.low + share * (self.high - self.low)
        stopped = self.callback is not None and self.callback(done) is False
        late = self.budget is not None and time.monotonic() - self.begun > self.budget * self.high
        if (stopped or late) and share < 1.0:
            self.ends.append(done)
        return not (stopped or late)


@dataclass(frozen=True, eq=False)
class DrawnFunction:
    """A function known at the rows of the fit, with its kernel, in standard units; ``fitted`` approximates them all."""

    kernel: Kernel
    problem: Problem
    at_rows: Array  # (n,)
    fitted: LatentFunction

    @property
    def log_evidence(self) -> float:
        """The logarithm of the approximate marginal likelihood, at the most probable numbers."""
        return self.fitted.log_evidence

    @property
    def is_flat(self) -> bool:
        """Whether the data do not limit the size of the function."""
        return self.fitted.is_flat

    def moments(self, rows: Array) -> tuple[Array, Array]:
        """Mean and standard deviation (m,) at further rows."""
        return moments_given(self.kernel, self.problem.X, self.at_rows, rows, self.problem.columns)


@dataclass(frozen=True, eq=False)
class SampledFunction:
    """What chains of one form of a function gave, and draws by turns from each of them."""

    kernel: Kernel  # the most probable one
    problem: Problem
    numbers: Numbers
    chains: tuple[SamplerChain, ...]
    functions: tuple[DrawnFunction, ...]

    def left_out(self) -> Array:
        """The chance (n,) of the class +1 in each row of the data, given all others: harmonic means over all draws."""
        y, likelihood = self.problem.y, self.problem.likelihood
        assert isinstance(likelihood, Bernoulli)
        log_densities = np.concatenate([likelihood.log_density(y, chain.functions) for chain in self.chains])
        came = 1.0 / np.mean(np.exp(-log_densities), axis=0)
        return np.asarray(np.where(y > 0.0, came, 1.0 - came))


@dataclass(frozen=True, eq=False)
class SampledForms(AveragedFunction):
    """Draws of one form of a function or of several, the likeliest first."""

    forms: tuple[SampledFunction, ...] = ()


def sampled_function(
    fitted: LatentFunction,
    posterior: ApproximatePosterior,
    numbers: Numbers,
    settings: ChainSettings,
    share: float,
    rng: np.random.Generator,
    watch: Watch,
) -> SampledFunction:
    """Chains about an approximate posterior, whose sites they take for coordinates.

    Of all draws that are kept, about a ``share`` come from here.
    """
    problem, kernel = posterior.problem, posterior.kernel
    matrices, likelihood, site_parameters = (
        covariances_of(kernel.expr, problem),
        problem.likelihood,
        posterior.approximation.given,
    )
    assert isinstance(likelihood, Bernoulli)

    def matrix(u: Array) -> Array:
        return matrices.covariance(numbers.values(u))

    limits, sites = (numbers.low, numbers.high), (site_parameters.precision, site_parameters.natural)
    target = Target(matrix, numbers.prior, limits, problem.y, likelihood, sites)
    starts = [_start(numbers, target, rng) for _ in range(settings.chains)]
    generators, count = rng.spawn(len(starts)), settings.draws
    every = zip(starts, generators, watch.parts(len(starts)), strict=True)
    samples = [sampled(target, start, generator, count=count, warm_up=count, goes_on=part.goes_on)
             for start, generator, part in every]  # fmt: skip
    count = min(len(chain.levels) for chain in samples)
    chains = tuple(chain.last(count) for chain in samples)
    functions = tuple(
        DrawnFunction(
            Kernel(kernel.expr, numbers.values(chain.numbers[place])), problem, chain.functions[place], fitted
        )
        for place in _places(len(chains) * count, max(round(share * KEPT), LEAST_KEPT), len(chains))
        for chain in chains
    )
    return SampledFunction(kernel, problem, numbers, chains, functions)


def averaged_forms(forms: Sequence[SampledFunction], weights: Array, log_evidence: float) -> SampledForms:
    """Forms of a function with their shares (k,) of the belief."""
    functions = tuple(function for form in forms for function in form.functions)
    each = [np.full(len(form.functions), w / len(form.functions)) for form, w in zip(forms, weights, strict=True)]
    return SampledForms(functions, np.concatenate(each), log_evidence, 1.0, tuple(forms))


def _start(numbers: Numbers, target: Target, rng: np.random.Generator) -> Array:
    """Where a chain begins; at the most probable numbers where there is no function at a draw about them."""
    drawn = numbers.start + SPREAD_OF_STARTS * (numbers.prior.root @ rng.standard_normal(len(numbers.start)))
    drawn = np.clip(drawn, numbers.low, numbers.high)
    return numbers.start if target.centred(drawn) is None else drawn


def _places(draws: int, thinned: int, chains: int) -> list[int]:
    """Places of draws of a chain, evenly spaced, so that all chains together give about as many as are kept.

    >>> _places(400, 8, 4)
    [24, 74]
    """
    count = draws // chains
    draws_per_chain = min(max(thinned // chains, 1), count)
    return [int((place + 0.5) * count / draws_per_chain - 0.5) for place in range(draws_per_chain)]


def diagnostics(
    functions: Sequence[tuple[str, SampledForms]], in_data_units: Callable[[Kernel], Kernel]
) -> pd.DataFrame:
    """A row for each parameter, the log likelihood, and the function where chains agree least.

    ``functions`` come with the name of their class. Columns: class, form, quantity, median, low, high (95 %), r_hat,
    effective.
    """
    import pandas as pd

    rows = []
    for name, form in [(name, form) for name, function in functions for form in function.forms]:
        for quantity, traces in _traces(form, in_data_units).items():
            low, middle, high = np.quantile(traces, (0.025, 0.5, 0.975))
            rows.append((name, format_expr(form.kernel.expr), quantity, middle, low, high, *agreement(traces)))
    columns = ["class", "form", "quantity", "median", "low", "high", "r_hat", "effective"]
    return pd.DataFrame(rows, columns=columns)


def _traces(function: SampledFunction, in_data_units: Callable[[Kernel], Kernel]) -> dict[str, Array]:
    """What is traced (chains, draws), by name; parameters that do not move are left out."""
    expr, chains = function.kernel.expr, function.chains
    every = np.array(
        [[in_data_units(Kernel(expr, function.numbers.values(u))).values for u in chain.numbers] for chain in chains]
    )
    names = [f"{format_expr(each.node)} {each.name}" for each in parameters(expr)]
    traces = {name: every[:, :, place] for place, name in enumerate(names) if np.ptp(every[:, :, place]) > 0.0}
    traces["log likelihood"] = np.array([chain.levels for chain in chains])
    of_function = np.array([chain.functions for chain in chains])
    rows = np.unique(np.linspace(0, of_function.shape[2] - 1, SOME_ROWS).astype(int))
    worst = min(rows.tolist(), key=lambda row: agreement(of_function[:, :, row])[1])
    traces["function where chains agree least"] = of_function[:, :, worst]
    return traces


def check_few(rows: int) -> None:
    """Raise an `InputError` where chains would take too long."""
    if rows > MOST_SAMPLED:
        remedy = "give a random sample of them, or use inference='ep'"
        raise InputError.of(f"at most {MOST_SAMPLED} rows for inference='mcmc'", f"{rows}", remedy)


def warn_of_chains(diagnostics: pd.DataFrame, watch: Watch, depth: int = 2) -> None:
    """Warn the caller where chains were ended, or do not agree yet."""
    if watch.ends:
        text = (
            f"chains were ended before all their draws were made, the first after {watch.ends[0]:.0%} of all sweeps; "
            f"the limit is time_budget={watch.budget} seconds: raise it, give fewer rows, or use inference='ep'"
        )
        warnings.warn(text, ConvergenceWarning, stacklevel=depth + 1)
    r_hat = float(diagnostics["r_hat"].max())
    if r_hat > AGREED:
        worst = diagnostics["quantity"].iloc[int(diagnostics["r_hat"].argmax())]
        text = (
            f"the chains do not agree yet: R-hat of {worst!r} is {r_hat:.2f}, where up to {AGREED} would do; "
            "raise n_draws"
        )
        warnings.warn(text, ConvergenceWarning, stacklevel=depth + 1)


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
        What to do with more than two classes: "one_vs_rest", the one way, fits a function for each, against the rest
        (functions of all classes together foresaw them no better).
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
        check_choice("multi_class", self.multi_class, (ONE_VS_REST,))
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
