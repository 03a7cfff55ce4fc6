"""The engines of `beside.py`: this library and others, each with the same few methods.

A package is imported where it is used, so that any Python that has one can run it. Those of GPyTorch are in
`beside_torch.py`.
"""

import logging
import tempfile
from collections.abc import Callable
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]
Numbers = dict[str, float]

STRETCHED, SHRUNK = 1.5, 0.7  # where a fit starts: lengthscales and sizes, times those of the data
PERIODIC = 0.5342  # share of the variance of exp(cos - 1) that is not constant, lengthscale 1: Per has no constant


@dataclass(frozen=True, eq=False)
class Data:
    """Rows (n,), what follows them (m,), and the numbers of the structure at which a likelihood is told."""

    x: Array
    y: Array
    x_new: Array
    y_new: Array
    numbers: Numbers

    @property
    def start(self) -> Numbers:
        """Numbers from which every fit begins; the periods are told."""
        factors = {"sd": SHRUNK, "period": 1.0}
        return {name: value * factors.get(name.split("_")[-1], STRETCHED) for name, value in self.numbers.items()}


class Engine:
    """A way of computing; methods that are not there cannot be measured."""

    package = ""
    note = ""

    def __init__(self, data: Data, *, start: bool) -> None:
        self.data, self.numbers = data, data.start if start else data.numbers
        self.begin()

    def begin(self) -> None:
        """What is not timed."""

    def likelihood(self) -> float | None:
        """One negative log marginal likelihood, with its gradient unless the note says otherwise."""
        raise NotImplementedError

    def fit(self) -> float | None:
        """The negative log marginal likelihood at the fitted numbers, where there is one."""
        raise NotImplementedError

    def report(self) -> float | None:
        """A page about the model as it is."""
        raise NotImplementedError

    def predict(self) -> tuple[Array, Array | None]:
        """Means and standard deviations (m,) of the new rows."""
        raise NotImplementedError


MOST_ENTRIES = 3 * 10**7  # of a matrix of rows by new rows, where a peer needs one
HOURS_OF_DAY = 24
NORMAL_95 = 1.959963984540054


class _Ours(Engine):
    """The engine that is chosen by itself."""

    prefer = "auto"

    def begin(self) -> None:
        from autostatistician.gp.engines.choice import objective_of
        from autostatistician.gp.problem import Problem
        from autostatistician.kernels.text import parse_kernel

        text = (
            "SE(lengthscale={slow_scale}, sd={slow_sd})"
            " + SE(lengthscale={drift_scale}, sd=1) * Per(lengthscale={day_shape}, period={day_period}, sd={day_sd})"
            " + Per(lengthscale={week_shape}, period={week_period}, sd={week_sd})"
            " + SE(lengthscale={quick_scale}, sd={quick_sd}) + WN(sd={noise_sd})"
        )
        self.kernel = parse_kernel(text.format(**self.numbers))
        self.problem = Problem(self.data.x, self.data.y)
        self.objective = objective_of(self.kernel.expr, self.problem, self.prefer)

    def likelihood(self) -> float | None:
        return self.objective.value_and_gradient(self.kernel.values)[0]

    def fit(self) -> float | None:
        from autostatistician.gp.fitting import fit
        from autostatistician.gp.problem import scales_of

        found = fit(self.kernel, self.problem, scales_of(self.problem))
        self.kernel = found.kernel
        return found.nll

    def predict(self) -> tuple[Array, Array | None]:
        from autostatistician.gp.engines.choice import condition

        return condition(self.kernel, self.problem).observations(self.data.x_new[:, None])

    def report(self) -> float | None:
        import pandas as pd

        from autostatistician.data.load import load
        from autostatistician.describe.tell import document
        from autostatistician.fitted.explanation import explain
        from autostatistician.fitted.model import Model
        from autostatistician.fitted.predictions import Predictor
        from autostatistician.report.render import write
        from autostatistician.search.state import StepInfo, Watched

        dataset = load(pd.Series(self.data.y, index=pd.Index(self.data.x, name="days"), name="value"))
        nll = self.objective.value(self.kernel.values)
        step = StepInfo(1, 1, str(self.kernel.expr), 2.0 * nll, nll, 1, 1, 0.0, 2.0 * nll)
        model = Model.so_far(dataset, "extended", Watched.of(step, self.kernel, "bic"))
        with tempfile.TemporaryDirectory() as folder:
            write(document(explain(Predictor(model))), Path(folder) / "page.html")
        return nll


class _OneMatrix(_Ours):
    """One matrix of covariances, as all engines were before."""

    prefer = "lag space"


class _ScikitLearn(Engine):
    """GaussianProcessRegressor with the same sum."""

    package = "scikit-learn"

    def begin(self) -> None:
        kernels, gaussian = (import_module(f"sklearn.gaussian_process{part}") for part in (".kernels", ""))
        of = self.numbers
        size, smooth, cycle = kernels.ConstantKernel, kernels.RBF, kernels.ExpSineSquared
        whole = {"length_scale_bounds": (1e-3, 1e6)}
        kernel = (
            size(of["slow_sd"] ** 2, (1e-6, 1e6)) * smooth(of["slow_scale"], **whole)
            + size(of["day_sd"] ** 2 / PERIODIC, (1e-6, 1e6))
            * smooth(of["drift_scale"], **whole)
            * cycle(of["day_shape"], of["day_period"], **whole)
            + size(of["week_sd"] ** 2 / PERIODIC, (1e-6, 1e6)) * cycle(of["week_shape"], of["week_period"], **whole)
            + size(of["quick_sd"] ** 2, (1e-6, 1e6)) * smooth(of["quick_scale"], **whole)
            + kernels.WhiteKernel(of["noise_sd"] ** 2, (1e-6, 1e6))
        )
        self.kernel, self.regressor = kernel, gaussian.GaussianProcessRegressor
        self.model = self.regressor(kernel, alpha=0.0, optimizer=None)
        self.model.X_train_, self.model.y_train_, self.model.kernel_ = self.data.x[:, None], self.data.y, kernel

    def likelihood(self) -> float | None:
        value, _ = self.model.log_marginal_likelihood(self.kernel.theta, eval_gradient=True, clone_kernel=False)
        return -float(value)

    def fit(self) -> float | None:
        self.model = self.regressor(self.kernel, alpha=0.0).fit(self.data.x[:, None], self.data.y)
        return -float(self.model.log_marginal_likelihood_value_)

    def predict(self) -> tuple[Array, Array | None]:
        mean, sd = self.model.predict(self.data.x_new[:, None], return_std=True)
        return mean, sd


class _Celerite(Engine):
    """Its own terms: two Matern functions, damped oscillators for day, half a day and week, white noise."""

    package = "celerite2"
    note = "SHO and Matern-3/2 terms; value alone, and a fit by finite differences"

    def begin(self) -> None:
        terms = import_module("celerite2.terms")
        self.process = import_module("celerite2").GaussianProcess
        of = self.numbers

        def kernel(z: Array) -> Any:
            slow, slow_scale, day, half, week, drift, quick, quick_scale = np.exp(z[:-1])
            return (
                terms.Matern32Term(sigma=slow, rho=slow_scale)
                + terms.SHOTerm(sigma=day, rho=of["day_period"], tau=drift)
                + terms.SHOTerm(sigma=half, rho=of["day_period"] / 2.0, tau=drift)
                + terms.SHOTerm(sigma=week, rho=of["week_period"], tau=drift)
                + terms.Matern32Term(sigma=quick, rho=quick_scale)
            )

        self.kernel_at = kernel
        names = ("slow_sd", "slow_scale", "day_sd", "day_sd", "week_sd", "drift_scale", "quick_sd", "quick_scale")
        self.z = np.log([*(of[name] for name in names), of["noise_sd"]])

    def _at(self, z: Array) -> Any:
        made = self.process(self.kernel_at(z))
        made.compute(self.data.x, diag=np.full(len(self.data.x), np.exp(2.0 * z[-1])), check_sorted=False)
        return made

    def _value(self, z: Array) -> float:
        try:
            return -float(self._at(z).log_likelihood(self.data.y))
        except import_module("celerite2.driver").LinAlgError:
            return 1e12

    def likelihood(self) -> float | None:
        return self._value(self.z)

    def fit(self) -> float | None:
        from scipy.optimize import minimize

        found = minimize(self._value, self.z, method="L-BFGS-B", bounds=[(one - 7.0, one + 7.0) for one in self.z])
        self.z = found.x
        return float(found.fun)

    def predict(self) -> tuple[Array, Array | None]:
        made, new = self._at(self.z), self.data.x_new
        if len(self.data.x) * len(new) > MOST_ENTRIES:
            return made.predict(self.data.y, t=new), None
        mean, variance = made.predict(self.data.y, t=new, return_var=True)
        return mean, np.sqrt(variance + np.exp(2.0 * self.z[-1]))


class _AutoARIMA(Engine):
    """Of statsforecast, told the day."""

    package = "statsforecast"
    note = "one season, of a day"

    def begin(self) -> None:
        self.made = import_module("statsforecast.models").AutoARIMA
        self._forecast(np.random.default_rng(0).standard_normal(60), 4, 2)  # what is compiled at first is not timed

    def _forecast(self, values: Array, season: int, ahead: int) -> Any:
        return self.made(season_length=season).forecast(y=values, h=ahead, level=[95])

    def fit(self) -> float | None:
        self.found = self._forecast(self.data.y, HOURS_OF_DAY, len(self.data.y_new))
        return None

    def predict(self) -> tuple[Array, Array | None]:
        low, high = (np.asarray(self.found[name]) for name in ("lo-95", "hi-95"))
        return np.asarray(self.found["mean"]), (high - low) / (2.0 * NORMAL_95)


class _Prophet(Engine):
    """With its defaults and dates."""

    package = "prophet"

    def begin(self) -> None:
        import pandas as pd

        for name in ("cmdstanpy", "prophet"):
            logging.getLogger(name).setLevel(logging.CRITICAL)
        self.pd, self.model = pd, import_module("prophet").Prophet(interval_width=0.95)

    def _times(self, x: Array) -> Any:
        return self.pd.Timestamp("2000-01-01") + self.pd.to_timedelta(np.round(x * HOURS_OF_DAY), unit="h")

    def fit(self) -> float | None:
        self.model.fit(self.pd.DataFrame({"ds": self._times(self.data.x), "y": self.data.y}), seed=0)
        return None

    def predict(self) -> tuple[Array, Array | None]:
        np.random.seed(0)  # Prophet draws its intervals from the global generator
        found = self.model.predict(self.pd.DataFrame({"ds": self._times(self.data.x_new)}))
        mean, low, high = (found[name].to_numpy() for name in ("yhat", "yhat_lower", "yhat_upper"))
        return mean, (high - low) / (2.0 * NORMAL_95)


def engines() -> dict[str, Callable[..., Engine]]:
    """By the names that stand in the table."""
    known = {
        "ours": _Ours,
        "ours, one matrix": _OneMatrix,
        "scikit-learn": _ScikitLearn,
        "celerite2": _Celerite,
        "AutoARIMA": _AutoARIMA,
        "Prophet": _Prophet,
    }
    try:
        return known | import_module("beside_torch").ENGINES
    except ModuleNotFoundError:
        return known
