"""What the figures of the lecture on learning share: data, the evidence by its numbers, and curves with bands."""

from __future__ import annotations

import numpy as np
from matplotlib.axes import Axes
from scipy.optimize import minimize

from autostatistician.gp.engines.choice import condition
from autostatistician.gp.problem import Problem
from autostatistician.kernels import parse_kernel
from autostatistician.kernels.kernel import Kernel
from autostatistician.prior import sample
from look import COLOURS, INK, Array, frameless

__all__ = ["curve", "drawn_from", "kernel", "most_probable", "nll"]


def kernel(lengthscale: float, sd: float, noise: float) -> Kernel:
    """A squared exponential and noise."""
    return parse_kernel(f"SE(lengthscale={lengthscale!r}, sd={sd!r}) + WN(sd={noise!r})")


def drawn_from(lengthscale: float, sd: float, noise: float, X: Array, seed: int) -> Array:
    """Values (n,) at places (n,), drawn from a model with these numbers."""
    return np.asarray(sample(kernel(lengthscale, sd, noise), X, random_state=seed)[0])


def nll(lengthscale: float, sd: float, noise: float, X: Array, y: Array) -> float:
    """The negative logarithm of the evidence, from its formula (one Cholesky factor)."""
    lag = (X[:, None] - X) / lengthscale
    K = sd**2 * np.exp(-0.5 * lag**2) + (noise**2 + 1e-10) * np.eye(len(X))
    L = np.linalg.cholesky(K)
    z = np.linalg.solve(L, y)
    return float(0.5 * z @ z + np.log(L.diagonal()).sum() + 0.5 * len(X) * np.log(2.0 * np.pi))


def most_probable(X: Array, y: Array, start: tuple[float, ...], **known: float) -> tuple[float, ...]:
    """The three numbers at the optimum that lies downhill from a start of those that are not known."""
    names = [name for name in ("lengthscale", "sd", "noise") if name not in known]

    def objective(logs: Array) -> float:
        return nll(**known, **dict(zip(names, np.exp(logs).tolist(), strict=True)), X=X, y=y)

    fitted = minimize(objective, np.log(start), method="L-BFGS-B", bounds=[(np.log(1e-4), np.log(100.0))] * len(start))
    every = known | dict(zip(names, np.exp(fitted.x).tolist(), strict=True))
    return every["lengthscale"], every["sd"], every["noise"]


def curve(axes: Axes, numbers: tuple[float, ...], X: Array, y: Array, places: Array) -> None:
    """The mean and the 95 % band of new observations, with the data."""
    lengthscale, sd, noise = numbers
    mean, cov = condition(kernel(lengthscale, sd, noise), Problem(X, y)).signal_joint(places[:, None])
    reach = 1.96 * np.sqrt(np.maximum(cov.diagonal(), 0.0) + noise**2)
    axes.fill_between(places, mean - reach, mean + reach, color=COLOURS[0], alpha=0.18, linewidth=0)
    axes.plot(places, mean, color=COLOURS[0])
    axes.plot(X, y, "+", color=INK, markersize=7, markeredgewidth=1.4)
    frameless(axes, "x")
