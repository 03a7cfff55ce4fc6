"""Evidence of models of counts and shares beside importance sampling: by expectation propagation and about the mode.

Models are a level, a smooth curve and white noise with parameters drawn at random, their counts drawn from them, so
nothing is searched or fitted. The reference is the mean of the likelihood over draws of a normal distribution about the
posterior that expectation propagation has, each weighted by its prior; its own error is told.

Usage: python benchmarks/count_evidence.py [--count 40] [--summary]
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray
from scipy.linalg import cho_factor, cho_solve
from scipy.special import expit, logsumexp

from autostatistician.data.transform import Transform
from autostatistician.inference import Problem
from autostatistician.inference.likelihoods.binomial import Binomial
from autostatistician.inference.likelihoods.negative_binomial import NegativeBinomial
from autostatistician.inference.likelihoods.poisson import Poisson
from autostatistician.inference.likelihoods.sited import Sited
from autostatistician.inference.sites_at_mode import at_mode, by_expectation
from autostatistician.language.kernel import Kernel, leaf
from common import Ledger, Row, arguments, code_version, read_rows, table

Array = NDArray[np.float64]

CASE = ("seed",)
COLUMNS = ("code", "law", "rows", "reference", "error", "expectation", "mode")
FIRST_SEED = 7000
DRAWS, WIDER = 40_000, 1.15  # standard deviations of the distribution that is drawn from, in those of the posterior
NEAR = 0.1  # nats


def model(seed: int) -> tuple[Kernel, Sited, Problem]:
    """A kernel, a law and counts drawn from both."""
    rng = np.random.default_rng(seed)
    n = int(rng.integers(15, 41))
    x = np.sort(rng.uniform(0.0, 10.0, n))
    kernel = leaf("C", sd=rng.uniform(0.5, 1.5)) + leaf(
        "SE", sd=rng.uniform(0.3, 1.2), lengthscale=rng.uniform(0.5, 3.0)
    )
    kernel = kernel + leaf("WN", sd=rng.choice([0.05, 0.3, 0.8]))
    f = rng.multivariate_normal(np.zeros(n), covariance(kernel, x))
    law: Sited
    if seed % 3 == 0:
        law = Poisson(Transform("log", float(rng.choice([0.5, 3.0, 20.0]))))
        y = rng.poisson(law.transform.back(f))
    elif seed % 3 == 1:
        totals = rng.integers(3, 40, n).astype(float)
        law = Binomial(Transform("logit", float(rng.choice([0.05, 0.3, 0.5]))), sizes=totals)
        y = rng.binomial(totals.astype(int), expit(law.transform.log_odds + f))
    else:
        law = NegativeBinomial(Transform("log", float(rng.choice([0.5, 3.0, 20.0]))), dispersion=rng.choice([0.3, 1.5]))
        rate = law.transform.back(f)
        y = rng.poisson(rate * rng.gamma(1.0 / law.dispersion, law.dispersion, n))
    return kernel, law, Problem(x, y.astype(float))


def covariance(kernel: Kernel, x: Array) -> Array:
    """The prior covariance (n, n) of the function with its white noise, by the formulas of its leaves."""
    level, length, smooth, noise = kernel.values
    apart = (x[:, None] - x[None, :]) / length
    return level**2 + smooth**2 * np.exp(-0.5 * apart**2) + noise**2 * np.eye(len(x))


def _normal(f: Array, mean: Array, cov: Array) -> Array:
    """Log densities (draws,) of a normal distribution at functions (draws, n)."""
    factor = cho_factor(cov, lower=True)
    apart = f - mean
    return np.asarray(
        -0.5 * np.sum(apart * cho_solve(factor, apart.T).T, axis=1)
        - np.log(factor[0].diagonal()).sum()
        - 0.5 * len(mean) * np.log(2.0 * np.pi)
    )


def reference(prior: Array, law: Sited, y: Array, sites: tuple[Array, Array], seed: int) -> tuple[float, float]:
    """The logarithm of the evidence by importance sampling, and its own standard error."""
    values, variances = sites
    gain = cho_solve(cho_factor(prior + np.diag(variances), lower=True), prior).T
    mean, cov = gain @ values, prior - gain @ prior
    cov = WIDER**2 * (0.5 * (cov + cov.T) + 1e-10 * np.eye(len(y)))
    f = np.random.default_rng(seed).multivariate_normal(mean, cov, DRAWS, method="cholesky")
    likely = np.array([law.log_density(y, each).sum() for each in f])
    weights = likely + _normal(f, np.zeros(len(y)), prior) - _normal(f, mean, cov)
    total = float(logsumexp(weights))
    effective = np.exp(2.0 * total - logsumexp(2.0 * weights))
    return total - np.log(DRAWS), float(1.0 / np.sqrt(effective))


def run(seed: int, code: str) -> Row:
    """One model by all ways."""
    kernel, law, problem = model(seed)
    start = law.first(problem.y)
    by_ep, by_mode = by_expectation(kernel, problem, law, start), at_mode(kernel, problem, law, start)
    sites = by_ep.sites.values, by_ep.sites.variances
    exact, error = reference(covariance(kernel, problem.X[:, 0]), law, problem.y, sites, seed)
    return {
        "seed": seed, "code": code, "law": law.name, "rows": problem.n, "reference": f"{exact:.4f}",
        "error": f"{error:.4f}", "expectation": f"{by_ep.log_evidence - exact:+.4f}",
        "mode": f"{by_mode.log_evidence - exact:+.4f}",
    }  # fmt: skip


def summary(rows: Sequence[Row]) -> list[Row]:
    """How far each way is off, and how many models it has within a tenth of a nat, by law."""
    found: list[Row] = []
    for law in ("poisson", "binomial", "negative-binomial", ""):
        mine = [row for row in rows if row["law"] == law or not law]
        line: Row = {"law": law or "all", "models": len(mine)}
        for way in ("expectation", "mode"):
            off = np.abs([float(row[way]) for row in mine])
            line |= {f"{way}: within .1": f"{np.mean(off <= NEAR):.3f}", f"{way}: largest": f"{off.max():.3f}"}
        found.append(line | {"error of the reference": f"{max(float(row['error']) for row in mine):.3f}"})
    return found


def main() -> None:
    """Run what is missing in the table, or show what it says."""
    parser = arguments(__doc__, "count-evidence.csv", languages=())
    parser.add_argument("--count", type=int, default=40, help="models")
    given = parser.parse_args()
    ledger, code = Ledger(given.csv, CASE, COLUMNS, fresh=given.fresh), code_version()
    for seed in () if given.summary else range(FIRST_SEED, FIRST_SEED + given.count):
        if ledger.left([{"seed": seed, "code": code}]):
            ledger.write(run(seed, code))
    print(table(summary(read_rows(given.csv))))


if __name__ == "__main__":
    main()
