"""Figure L 4: Two classes by Laplace, by expectation propagation and by Markov chains.

Left, the posterior of the latent function and its normal approximations. Right, the probability of the class: at the
mode (dots) it is too certain.
"""

from __future__ import annotations

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from scipy.special import expit

from autostatistician.gp.classes.slice_sampling import Normal, Target, sampled
from autostatistician.gp.covariance import covariance
from autostatistician.gp.engines.choice import condition
from autostatistician.gp.likelihoods import Bernoulli
from autostatistician.gp.problem import Problem
from autostatistician.kernels import parse_kernel
from look import COLOURS, INK, Array, save, styled

KERNEL = parse_kernel("SE(lengthscale=1.2, sd=3.0)")
LOGISTIC = Bernoulli("logistic")
PLACES = np.linspace(-6.0, 6.0, 200)
DRAWS, THIN = 8000, 4


def classes(rng: np.random.Generator) -> tuple[Array, Array]:
    """Places (n,) and classes (n,), more of class +1 in the middle."""
    x = np.sort(rng.uniform(-5.0, 5.0, 40))
    return x, np.where(rng.uniform(size=40) < expit(3.0 * np.cos(0.9 * x)), 1.0, -1.0)


def long_run(x: Array, y: Array, rng: np.random.Generator) -> Array:
    """Draws of the function (draws, m) at the places."""
    jitter = 1e-6 * np.eye(len(x))
    K = covariance(KERNEL, x) + jitter
    nothing = np.zeros(0)
    target = Target(lambda _: K.copy(), Normal(nothing, np.zeros((0, 0))), (nothing, nothing), y, LOGISTIC)
    functions = sampled(target, nothing, rng, count=DRAWS).functions
    weights = np.linalg.solve(K, covariance(KERNEL, x, PLACES)).T
    spread = covariance(KERNEL, PLACES) - weights @ covariance(KERNEL, x, PLACES)
    lower = np.linalg.cholesky(spread + 1e-6 * np.eye(len(PLACES)))
    kept = functions[::THIN]
    return np.asarray(kept @ weights.T + rng.standard_normal((len(kept), len(PLACES))) @ lower.T)


def _marks(axes: Axes, x: Array, y: Array, low: float, high: float) -> None:
    axes.plot(x, np.where(y > 0.0, high, low), "|", color=INK, markersize=9, clip_on=False)
    axes.set_xlabel("x")


@styled
def draw() -> Figure:
    """Two panels: the function behind the classes, and the probability."""
    rng = np.random.default_rng(4)
    x, y = classes(rng)
    problem, drawn = Problem(x, y, likelihood=LOGISTIC), long_run(x, y, rng)
    figure = Figure(figsize=(10.0, 4.2))
    left, right = figure.subplots(1, 2)
    left.fill_between(PLACES, *np.quantile(drawn, (0.025, 0.975), axis=0), color=COLOURS[0], alpha=0.15, lw=0)
    left.plot(PLACES, drawn.mean(axis=0), color=COLOURS[0], label="long run, with its 95 % band")
    right.plot(PLACES, expit(drawn).mean(axis=0), color=COLOURS[0], label="long run")
    for name, words, colour in (("laplace", "Laplace", COLOURS[1]), ("ep", "expectation propagation", COLOURS[2])):
        posterior = condition(KERNEL, problem, name)
        mean, sd = posterior.signal(PLACES[:, None])
        left.plot(PLACES, mean, color=colour, label=words)
        for side in (-1.96, 1.96):
            left.plot(PLACES, mean + side * sd, color=colour, lw=0.8, ls="--")
        right.plot(PLACES, LOGISTIC.averaged(mean, sd**2), color=colour, label=words)
        if name == "laplace":
            right.plot(PLACES, expit(mean), ":", color=colour, label="at the highest point")
    left.set_title("the function behind the classes", loc="left")
    right.set_title("the probability of one class", loc="left")
    _marks(left, x, y, -9.5, 9.5)
    _marks(right, x, y, -0.03, 1.03)
    left.legend(frameon=False, fontsize=8, loc="lower center")
    right.legend(frameon=False, fontsize=8, loc="upper right", bbox_to_anchor=(1.0, 0.9))
    return figure


if __name__ == "__main__":
    save(draw(), __file__)
