"""The infinite warped mixture: eight published sets fold by fold, made sets seed by seed, how chains agree.

`clusters.csv`: the sets and the measures of thesis tables 7.2 and 7.3: the Rand index of the partition of nine tenths
of the rows with their labels, also adjusted for chance, and the mean log density of the last tenth, in the units of
the files. The folds are ten, drawn once (the published ones are not known), of which two are run. Estimators have
their defaults, but for one chain. Spectral clustering is told the true number of clusters, which the others have to
find; HDBSCAN's rows between clusters count as one cluster.
`cluster-seeds.csv`: whether what is found depends on the seed of the chain. Two arms of a spiral that begin close
together, a ring about a blob, two half moons, a pinwheel of three arms, and a long arc beside a hook that is bent
five times as much: Rand index of the rows with the true clusters, mean log density of other rows of the set.
``known`` rows of each cluster have their class given (the same for every seed); the Rand index is then that of the
other rows.
`cluster-chains.csv`: rank-normalised R-hat and effective samples of the number of clusters of four chains, over the
second half of the sweeps; effective samples a second of processor time of all four.

About 30 minutes of one core; all ten folds take two hours.

Usage: python benchmarks/clusters.py [--only clusters.csv] [--set iris] [--method warped-2] [--fold 0 1] [--sweeps 500]
"""

import argparse
from collections.abc import Callable, Sequence
from math import log, pi
from pathlib import Path
from statistics import fmean
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.special import logsumexp
from sklearn.cluster import HDBSCAN, SpectralClustering
from sklearn.datasets import make_moons
from sklearn.metrics import adjusted_rand_score, rand_score
from sklearn.mixture import GaussianMixture
from sklearn.model_selection import KFold
from sklearn.preprocessing import StandardScaler

from autostatistician import ClusterPrior, InfiniteGaussianMixture, InfiniteWarpedMixture
from autostatistician._io.threads import one_thread
from common import REFERENCE, Bench, Row, command, processor, read_rows

Array = NDArray[np.float64]

MOST_STEPS, MOST_HALVINGS = 100, 30
LEAST_CURVATURE = 1e-3
FARTHEST = 1.0  # of one step, in logarithms
CONVERGED = 1e-8  # of the slopes, per row
LEAST_WIDTH = 1e-6  # in deviations of a column: rows that are equal would have none
ROWS_AT_A_TIME = 500


def densities(Y: Array, at: Array) -> Array:
    """The log density (m,) at rows (m, D) of kernels about the rows ``Y`` (n, D), which no column holds constant."""
    middle, spread = Y.mean(axis=0), Y.std(axis=0)
    rows, new = (Y - middle) / spread, (at - middle) / spread
    with one_thread():
        widths = best_widths(rows)
    parts = np.split(new, range(ROWS_AT_A_TIME, len(new), ROWS_AT_A_TIME))
    return np.concatenate([log_densities(rows, widths, part) for part in parts]) - float(np.log(spread).sum())


def best_widths(Y: Array) -> Array:
    """The widths (D,) for rows (n, D) of which no column is constant.

    >>> rows = np.random.default_rng(1).normal(size=(200, 1))
    >>> best_widths(rows).round(1).tolist()
    [0.4]
    """
    spread = Y.std(axis=0)
    u = np.log(spread * len(Y) ** (-1.0 / (Y.shape[1] + 4.0)))
    least = np.log(LEAST_WIDTH * spread)
    value, slope, curvature = left_out(Y, u)
    for _ in range(MOST_STEPS):
        sizes, axes = np.linalg.eigh(curvature)
        step = axes @ ((axes.T @ slope) / np.maximum(np.abs(sizes), LEAST_CURVATURE * len(Y)))
        step *= min(1.0, FARTHEST / float(np.abs(step).max(initial=1e-300)))
        for _ in range(MOST_HALVINGS):
            there = np.maximum(u + step, least)
            reached = left_out(Y, there)
            if reached[0] >= value:
                break
            step *= 0.5
        else:
            break
        moved = float(np.abs(there - u).max())
        u, (value, slope, curvature) = there, reached
        if np.abs(slope).max() < CONVERGED * len(Y) or moved == 0.0:
            break
    return np.asarray(np.exp(u))


def left_out(Y: Array, u: Array) -> tuple[float, Array, Array]:
    """The log density of every row (n, D) from all others, summed; slope (D,) and curvature (D, D) by log widths."""
    n = len(Y)
    square = ((Y[:, None, :] - Y[None, :, :]) / np.exp(u)) ** 2
    exponents = -0.5 * square.sum(axis=2)
    np.fill_diagonal(exponents, -np.inf)
    totals = logsumexp(exponents, axis=1, keepdims=True)
    share = np.exp(exponents - totals)
    value = float(totals.sum()) - n * (float(u.sum()) + 0.5 * len(u) * log(2.0 * pi) + log(n - 1.0))
    by_row = np.einsum("ij,ijd->id", share, square)
    weighted = (share[:, :, None] * square).reshape(n * n, -1)
    curvature = weighted.T @ square.reshape(n * n, -1) - by_row.T @ by_row - np.diag(2.0 * by_row.sum(axis=0))
    return value, by_row.sum(axis=0) - n, curvature


def log_densities(Y: Array, widths: Array, at: Array) -> Array:
    """The log density (m,) at rows (m, D): normal kernels of these widths about the rows ``Y`` (n, D)."""
    square = (((at[:, None, :] - Y[None, :, :]) / widths) ** 2).sum(axis=2)
    constant = log(len(Y)) + float(np.log(widths).sum()) + 0.5 * len(widths) * log(2.0 * pi)
    return np.asarray(logsumexp(-0.5 * square, axis=1) - constant)


SETS = ("2-curve", "3-semi", "2-circle", "pinwheel", "iris", "glass", "wine", "vowel")
ALIKE = {(name, "warped-D") for name in SETS[:4]}  # two columns: two coordinates are as many
FOLDS = 10
MOST_GROUPS = 15  # of the Gaussian mixtures among which BIC chooses
ONE = 1e-12  # a concentration that leaves one cluster

Scored = tuple[Any, Any]  # labels of the rows fitted, log densities of the others; None where there are none


def read(data: Path, name: str) -> tuple[np.ndarray, np.ndarray]:
    """The rows of a set, and their labels."""
    rows = np.loadtxt(data / "clustering" / f"{name}.csv", delimiter=",", skiprows=1)
    return rows[:, :-1], rows[:, -1]


def warped(n_latent: int | None, concentration: float = 1.0) -> Callable[..., Scored]:
    def fit(X: np.ndarray, new: np.ndarray, groups: int, sweeps: int) -> Scored:
        prior = ClusterPrior(concentration)
        model = InfiniteWarpedMixture(n_latent, n_chains=1, n_sweeps=sweeps, prior=prior).fit(X)
        return model.labels_, model.score_samples(new)

    return fit


def gaussian(X: np.ndarray, new: np.ndarray, groups: int, sweeps: int) -> Scored:
    model = InfiniteGaussianMixture(n_chains=1, n_sweeps=sweeps).fit(X)
    return model.labels_, model.score_samples(new)


def kernels(X: np.ndarray, new: np.ndarray, groups: int, sweeps: int) -> Scored:
    return None, densities(X, new)


def finite(X: np.ndarray, new: np.ndarray, groups: int, sweeps: int) -> Scored:
    each = [GaussianMixture(k, n_init=3, random_state=0).fit(X) for k in range(1, min(MOST_GROUPS, len(X) // 5) + 1)]
    best = min(each, key=lambda model: model.bic(X))
    return best.predict(X), best.score_samples(new)


def spectral(X: np.ndarray, new: np.ndarray, groups: int, sweeps: int) -> Scored:
    rows = StandardScaler().fit_transform(X)
    model = SpectralClustering(groups, affinity="nearest_neighbors", assign_labels="kmeans", random_state=0)
    return model.fit_predict(rows), None


def hdbscan(X: np.ndarray, new: np.ndarray, groups: int, sweeps: int) -> Scored:
    return HDBSCAN(copy=True).fit_predict(StandardScaler().fit_transform(X)), None


METHODS: dict[str, Callable[..., Scored]] = {
    "warped-2": warped(2),
    "warped-D": warped(None),
    "one-cluster": warped(2, ONE),
    "gaussian": gaussian,
    "kernel-density": kernels,
    "finite": finite,
    "spectral": spectral,
    "hdbscan": hdbscan,
}
WITH_CHAINS = ("warped-2", "warped-D", "one-cluster", "gaussian")


def of_fold(case: Row, given: argparse.Namespace) -> Row:
    """Fit nine folds, see what the labels and the tenth fold say."""
    X, labels = read(given.data, case["set"])
    rows, new = list(KFold(FOLDS, shuffle=True, random_state=0).split(X))[case["fold"]]
    found, density = METHODS[case["method"]](X[rows], X[new], len(set(labels)), case["sweeps"])
    return {
        "rand": "" if found is None else round(rand_score(labels[rows], found), 4),
        "adjusted": "" if found is None else round(adjusted_rand_score(labels[rows], found), 4),
        "density": "" if density is None else round(float(density.mean()), 4),
        "clusters": "" if found is None else len(set(found)),
        "sweeps": case["sweeps"] if case["method"] in WITH_CHAINS else "",
    }


def known() -> dict[tuple[str, str], Row]:
    """The published figures by set and method."""
    return {(row["set"], row["method"]): row for row in read_rows(REFERENCE / "clusters.csv")}


# Seeds -----------------------------------------------------------------------------------------------------

OTHERS = 200  # further rows, of which the density is told
Made = tuple[np.ndarray, np.ndarray]


def arms(n: int, rng: np.random.Generator) -> Made:
    """Two arms of a spiral, one unit apart where they begin, with noise of a twelfth."""
    t = 1.2 * np.pi * _along(n // 2, 2, rng)
    who = np.repeat([0, 1], n // 2)
    radius = (0.5 + t) * (1 - 2 * who)
    return np.column_stack([radius * np.cos(t), radius * np.sin(t)]) + 0.08 * rng.standard_normal((len(t), 2)), who


def ring(n: int, rng: np.random.Generator) -> Made:
    """A normal blob of deviation .3 in a ring of radius 2 with noise of a tenth."""
    angle = 2.0 * np.pi * _along(n // 2, 1, rng)
    around = 2.0 * np.column_stack([np.cos(angle), np.sin(angle)]) + 0.1 * rng.standard_normal((n // 2, 2))
    return np.concatenate([0.3 * rng.standard_normal((n - n // 2, 2)), around]), np.repeat([0, 1], [n - n // 2, n // 2])


def moons(n: int, rng: np.random.Generator) -> Made:
    """Two half moons that reach into each other."""
    X, who = make_moons(n, noise=0.07, random_state=int(rng.integers(2**31)))
    return X, who


def pinwheel(n: int, rng: np.random.Generator) -> Made:
    """Three arms that are bent the more the farther out they are."""
    who = np.repeat(np.arange(3), n // 3)
    along, across = 1.0 + 0.3 * rng.standard_normal(len(who)), 0.05 * rng.standard_normal(len(who))
    angle = 2.0 * np.pi * who / 3 + 0.25 * np.exp(along)
    turned = [along * np.cos(angle) - across * np.sin(angle), along * np.sin(angle) + across * np.cos(angle)]
    return np.column_stack(turned), who


def unlike(n: int, rng: np.random.Generator) -> Made:
    """A third of a circle of radius 2.5 and, inside it, three quarters of one of radius .5, with noise of .06."""
    far, near = _along(n - n // 2, 1, rng), _along(n // 2, 1, rng)
    arc = 2.5 * np.column_stack([np.cos(2.0 * np.pi / 3 * far), np.sin(2.0 * np.pi / 3 * far)])
    hook = [0.6, 1.0] + 0.5 * np.column_stack([np.cos(1.5 * np.pi * near), np.sin(1.5 * np.pi * near)])
    rows = np.concatenate([arc, hook])
    return rows + 0.06 * rng.standard_normal(rows.shape), np.repeat([0, 1], [len(far), len(near)])


def _along(n: int, times: int, rng: np.random.Generator) -> np.ndarray:
    """Places from 0 to 1, one in each n-th, as often as asked for."""
    return np.concatenate([(np.arange(n) + rng.random(n)) / n for _ in range(times)])


MADE: dict[str, Callable[[int, np.random.Generator], Made]] = {
    "arms": arms,
    "ring": ring,
    "moons": moons,
    "pinwheel": pinwheel,
    "unlike": unlike,
}


def made(name: str, n: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Rows, their clusters, and further rows of the same distribution."""
    rng = np.random.default_rng(0)
    X, who = MADE[name](n, rng)
    return X, who, MADE[name](OTHERS, rng)[0]


def of_seed(case: Row, _: argparse.Namespace) -> Row:
    """One fit, and what the true clusters and further rows say of it."""
    X, who, new = made(case["made"], case["rows"])
    known = given_classes(who, case["known"])
    hidden, rest = known == -1, {"density": "", "r_hat": ""}
    if case["method"] == "hdbscan":
        labels = HDBSCAN(copy=True).fit_predict(StandardScaler().fit_transform(X))
    else:
        model = InfiniteWarpedMixture(n_chains=1, n_sweeps=case["sweeps"], random_state=case["seed"])
        labels = model.fit(X, known if case["known"] else None).labels_
        rest = {"density": round(model.score(new), 4), "r_hat": round(model.r_hat_["groups"], 3)}
    return rest | {
        "chains": 1,
        "rand": round(rand_score(who[hidden], labels[hidden]), 4),
        "adjusted": round(adjusted_rand_score(who[hidden], labels[hidden]), 4),
        "clusters": len(set(labels)),
    }


def given_classes(who: np.ndarray, each: int) -> np.ndarray:
    """The classes of some rows of each cluster, -1 for all others."""
    known, rng = np.full(len(who), -1), np.random.default_rng(1)
    for cluster in np.unique(who):
        chosen = rng.permutation(np.flatnonzero(who == cluster))[:each]
        known[chosen] = cluster
    return known


def by_seeds(rows: Sequence[Row]) -> list[Row]:
    """Means over the seeds, and the worst of them."""
    told, shared = [], ("made", "method", "rows", "known", "chains", "sweeps")
    for group in dict.fromkeys(tuple(row[key] for key in shared) for row in rows):
        own = [row for row in rows if tuple(row[key] for key in shared) == group]
        rand = [float(row["rand"]) for row in own]
        means = {
            key: f"{fmean(float(row[key]) for row in own):.2f}" for key in ("density", "seconds") if own[0][key] != ""
        }
        told.append(
            dict(zip(shared, group, strict=True))
            | {"seeds": len(own), "rand": f"{fmean(rand):.2f}", "worst": f"{min(rand):.2f}", "density": ""}
            | means
        )
    return told


# Chains ----------------------------------------------------------------------------------------------------

CHAINS = 4


def of_chains(case: Row, given: argparse.Namespace) -> Row:
    """Fit all rows with four chains, one after the other."""
    X, labels = read(given.data, case["set"])
    start = processor()
    model = InfiniteWarpedMixture(n_chains=CHAINS, n_sweeps=case["sweeps"]).fit(X)
    seconds = processor() - start
    return {
        "rows": len(X),
        "seconds": round(seconds, 1),
        "ms": round(1000.0 * seconds / (CHAINS * case["sweeps"]), 1),
        "r_hat": round(model.r_hat_["groups"], 3),
        "ess": round(model.ess_["groups"], 1),
        "ess_per_second": round(model.ess_["groups"] / seconds, 2),
        "adjusted": round(adjusted_rand_score(labels, model.labels_), 3),
    }


BENCHES = (
    Bench(
        file="clusters.csv", case=("set", "method", "fold"), run=of_fold,
        columns=("rand", "adjusted", "density", "clusters", "seconds", "sweeps", "code"),
        options={"fold": (0, 1), "set": SETS, "method": tuple(METHODS), "sweeps": (500,)},
        wanted=lambda case: (case["set"], case["method"]) not in ALIKE,
    ),
    Bench(
        file="cluster-seeds.csv", case=("made", "method", "rows", "known", "chains", "sweeps", "seed"),
        columns=("rand", "adjusted", "density", "clusters", "r_hat", "seconds", "code"), run=of_seed,
        options={"made": tuple(MADE), "method": ("now", "hdbscan"), "rows": (100,), "known": (0, 2), "sweeps": (400,),
                 "seed": (0, 1, 2)},
        wanted=lambda case: case["method"] != "hdbscan" or case["known"] == case["seed"] == 0,
    ),
    Bench(
        file="cluster-chains.csv", case=("set", "sweeps"), run=of_chains, options={"set": SETS[:3], "sweeps": (1000,)},
        columns=("rows", "seconds", "ms", "r_hat", "ess", "ess_per_second", "adjusted", "code"),
        more={"set": SETS},
    ),
)  # fmt: skip

if __name__ == "__main__":
    command(__doc__, *BENCHES)
