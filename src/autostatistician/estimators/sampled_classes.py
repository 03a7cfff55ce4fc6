"""The function behind classes as draws of Markov chains, with its numbers, and what the chains say of themselves."""

from __future__ import annotations

import time
import warnings
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from itertools import pairwise
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray
from sklearn.exceptions import ConvergenceWarning

from autostatistician.errors import InputError
from autostatistician.estimators.classes import AveragedFunction, LatentFunction
from autostatistician.gp import Problem
from autostatistician.gp.classes import SamplerChain, Target, moments_given, sampled
from autostatistician.gp.engines.approximate import ApproximatePosterior, covariances_of
from autostatistician.gp.fitting import Numbers
from autostatistician.gp.likelihoods.bernoulli import Bernoulli
from autostatistician.kernels.expr import format_expr
from autostatistician.kernels.kernel import Kernel, parameters
from autostatistician.models.latent.chains import AGREED, agreement

if TYPE_CHECKING:
    import pandas as pd

__all__ = [
    "MOST_SAMPLED", "ChainSettings", "SampledForms", "SampledFunction", "Watch", "averaged_forms", "check_few",
    "diagnostics", "sampled_function", "warn_of_chains",
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
