"""Shares without totals: normal noise about the logarithm of their odds, or a beta law about their mean.

Series of shares are drawn about a smooth curve of their log odds, by beta laws of several precisions (with which noise
shrinks at none and all), and by normal noise of the log odds. A level and a smooth curve are fitted to four fifths of
the rows, with either noise: normal noise by the evidence of its kernel, the beta law by sites that keep mean and
variance (as the laws of counts have them) and its most probable precision. Scores are mean log densities of the other
rows. The package has normal noise of the log odds, with which other maps (none, the logarithm) compete by evidence.

Usage: python benchmarks/beta_shares.py [--count 2] [--summary]
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import minimize_scalar
from scipy.special import betaln, digamma, expit, logsumexp, polygamma

from autostatistician.data.dataset import Dataset
from autostatistician.data.transform import Transform, modelled, transform_of
from autostatistician.inference import Problem, condition, fit
from autostatistician.inference.likelihoods.sited import Sited
from autostatistician.inference.predictive import Predictive
from autostatistician.inference.sites_at_mode import by_expectation, pseudo_data
from autostatistician.language.kernel import Kernel, leaf
from autostatistician.search.starting.standardisation import standard
from common import Ledger, Row, arguments, code_version, read_rows, table

Array = NDArray[np.float64]

CASE = ("noise", "seed")
COLUMNS = ("code", "rows", "mean_share", "logit", "beta", "seconds_logit", "seconds_beta")
NOISES = ("beta 10", "beta 50", "beta 300", "logit-normal 0.4")
FIRST_SEED = 17_000
HELD_OUT, ROUNDS, STEPS = 0.2, 4, 20
NODES = 40  # of Gauss-Hermite quadrature
SMALLEST = 1e-6  # share, and distance from all


@dataclass(frozen=True)
class Beta(Sited):
    """Shares with a beta law of a ``precision`` about a mean whose log odds are the function."""

    precision: float = 20.0
    name: ClassVar[str] = "beta"

    def log_density(self, y: Array, f: Array) -> Array:
        """Log densities (n,) at values (n,) of the function."""
        a = self.precision * expit(f)
        b = self.precision - a
        return np.asarray((a - 1.0) * np.log(y) + (b - 1.0) * np.log1p(-y) - betaln(a, b))

    def derivatives(self, y: Array, f: Array) -> tuple[Array, Array, Array]:
        """By the function; the third is not asked for. The second is what is expected of it, below zero everywhere."""
        mean = expit(f)
        slope, odds = self.precision * mean * (1.0 - mean), np.log(y) - np.log1p(-y)
        a = self.precision * mean
        b = self.precision - a
        missed = odds - digamma(a) + digamma(b)
        return slope * missed, -(slope**2) * (polygamma(1, a) + polygamma(1, b)), np.zeros_like(f)

    def fitted(self, y: Array, mean: Array, variance: Array) -> Self:
        """With the precision that makes shares (n,) most probable about a function so far known."""

        def cost(log_precision: float) -> float:
            tried = replace(self, precision=float(np.exp(log_precision)))
            return -float(averaged(tried, y, mean, variance).sum())

        found = minimize_scalar(cost, bounds=(0.0, 9.0), method="bounded", options={"xatol": 1e-3})
        return replace(self, precision=float(np.exp(found.x)))


def averaged(law: Beta, y: Array, mean: Array, variance: Array) -> Array:
    """Log densities (n,) averaged over a normal function."""
    nodes, weights = np.polynomial.hermite.hermgauss(NODES)
    terms = [law.log_density(y, mean + np.sqrt(2.0 * variance) * node) + np.log(weight) for node, weight in
             zip(nodes, weights, strict=True)]  # fmt: skip
    return np.asarray(logsumexp(terms, axis=0) - 0.5 * np.log(np.pi))


def made(noise: str, seed: int) -> tuple[Array, Array]:
    """Positions and shares of a series."""
    rng = np.random.default_rng([seed, NOISES.index(noise)])
    n = int(rng.integers(60, 161))
    x = np.arange(n, dtype=np.float64)
    f = rng.uniform(-3.5, 1.0) + rng.uniform(0.3, 1.2) * np.sin(
        2.0 * np.pi * (x / rng.uniform(20.0, n) + rng.uniform())
    )
    kind, size = noise.split()
    mean = expit(f)
    y = rng.beta(float(size) * mean, float(size) * (1.0 - mean)) if kind == "beta" else expit(
        f + float(size) * rng.standard_normal(n)
    )  # fmt: skip
    return x, np.clip(y, SMALLEST, 1.0 - SMALLEST)


def curve(data: Dataset, *, noisy: bool) -> Kernel:
    """A level and a smooth curve to begin with."""
    sd = max(float(np.std(data.y)), 0.1)
    start = leaf("C", sd=max(float(np.abs(data.y.mean())), sd)) + leaf("SE", sd=sd, lengthscale=0.15 * np.ptp(data.x))
    return start + leaf("WN", sd=0.5 * sd) if noisy else start


def fitted_to(kernel: Kernel, data: Dataset) -> Kernel:
    """The kernel with its most probable parameters."""
    maps, problem, scales = standard(data)
    return maps.to_data(fit(maps.to_standard(kernel), problem, scales, STEPS).kernel)


def by_logit(rows: Dataset, X: Array, y: Array) -> float:
    """The mean log density of others by normal noise of the log odds."""
    transform = transform_of("logit", rows.y)
    data = modelled(rows, transform)
    kernel = fitted_to(fitted_to(curve(data, noisy=True), data), data)
    mean, sd = condition(kernel, Problem.of(data)).observations(X)
    return float(Predictive(mean[None], sd[None], np.ones(1), transform).log_density(y).mean())


def by_beta(rows: Dataset, X: Array, y: Array) -> float:
    """The same by a beta law."""
    law, odds = Beta(Transform("logit", 0.5)), np.log(rows.y) - np.log1p(-rows.y)
    kernel, counts = curve(replace(rows, y=odds), noisy=False), Problem.of(rows)
    best: tuple[float, Any, Beta] | None = None
    for _ in range(ROUNDS):
        found = by_expectation(kernel, counts, law, np.full(rows.n, float(odds.mean())))
        if best is None or found.log_evidence > best[0]:
            best = found.log_evidence, found, law
        law = law.fitted(rows.y, *found.without_own())
        kernel = fitted_to(kernel, pseudo_data(rows, found.sites))
    assert best is not None
    mean, sd = best[1].posterior.signal(X)
    return float(averaged(best[2], y, mean, sd**2).mean())


def run(noise: str, seed: int, code: str) -> Row:
    """Both on one series."""
    x, y = made(noise, seed)
    out = np.random.default_rng(seed).random(len(x)) < HELD_OUT
    rows = Dataset(x[~out, None], y[~out], ("x",), "share", None)
    found: Row = {"noise": noise, "seed": seed, "code": code, "rows": rows.n, "mean_share": f"{y.mean():.3f}"}
    for name, way in (("logit", by_logit), ("beta", by_beta)):
        start = time.process_time()
        found[name] = f"{way(rows, x[out, None], y[out]):.4f}"
        found[f"seconds_{name}"] = f"{time.process_time() - start:.2f}"
    return found


def summary(rows: Sequence[Row]) -> list[Row]:
    """What the beta law gains a row, by the noise of the series, with its standard error."""
    found: list[Row] = []
    for noise in NOISES:
        mine = [row for row in rows if row["noise"] == noise]
        if mine:
            gains = np.array([float(row["beta"]) - float(row["logit"]) for row in mine])
            found.append({
                "noise": noise, "series": len(mine), "gain of beta": f"{gains.mean():+.4f}",
                "error": f"{gains.std() / max(len(gains) - 1, 1) ** 0.5:.4f}", "better": int((gains > 0.0).sum()),
                "seconds, logit": f"{np.mean([float(row['seconds_logit']) for row in mine]):.2f}",
                "seconds, beta": f"{np.mean([float(row['seconds_beta']) for row in mine]):.2f}",
            })  # fmt: skip
    return found


def main() -> None:
    """Run what is missing in the table, or show what it says."""
    parser = arguments(__doc__, "beta-shares.csv", languages=())
    parser.add_argument("--count", type=int, default=2, help="series of each noise")
    given = parser.parse_args()
    ledger, code = Ledger(given.csv, CASE, COLUMNS, fresh=given.fresh), code_version()
    for noise in () if given.summary else NOISES:
        for seed in range(FIRST_SEED, FIRST_SEED + given.count):
            if ledger.left([{"noise": noise, "seed": seed, "code": code}]):
                ledger.write(run(noise, seed, code))
    print(table(summary(read_rows(given.csv))))


if __name__ == "__main__":
    main()
