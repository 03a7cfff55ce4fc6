"""The infinite warped mixture on eight sets, fold by fold, beside the published figures and other methods.

The sets and the measures of thesis tables 7.2 and 7.3: the Rand index of the partition of nine tenths of the rows with
their labels, also adjusted for chance, and the mean log density of the last tenth, in the units of the files. The folds
are ten, drawn once (the published ones are not known). Estimators have their defaults, but for one chain.
Spectral clustering is told the true number of clusters, which the others have to find; HDBSCAN's rows between clusters
count as one cluster. Where ``--sweeps`` is smaller for a large set, the table says so.

The tables as a whole take some six hours of one core: ``python benchmarks/clusters.py --methods warped-2 one-cluster
warped-D``, over night, stopped and started again as one likes; what has a row of the same code is not run again.

Usage: python benchmarks/clusters.py [--sets iris] [--methods warped-2] [--folds 3] [--sweeps 500] [--summary]
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from functools import cache
from pathlib import Path
from statistics import fmean
from typing import Any

import numpy as np
from sklearn.cluster import HDBSCAN, SpectralClustering
from sklearn.metrics import adjusted_rand_score, rand_score
from sklearn.mixture import GaussianMixture
from sklearn.model_selection import KFold
from sklearn.preprocessing import StandardScaler

from autostatistician import ClusterPrior, InfiniteGaussianMixture, InfiniteWarpedMixture
from common import REFERENCE, Ledger, Row, arguments, code_version, read_rows, table
from kernel_density import densities

__all__ = ["METHODS", "SETS", "known", "summary"]

CASE = ("set", "method", "fold")
COLUMNS = ("rand", "adjusted", "density", "clusters", "seconds", "sweeps", "code")
SETS = ("2-curve", "3-semi", "2-circle", "pinwheel", "iris", "glass", "wine", "vowel")
ALIKE = {(name, "warped-D") for name in SETS[:4]}  # two columns: two coordinates are as many
FOLDS = 10
MOST_GROUPS = 15  # of the Gaussian mixtures among which BIC chooses
ONE = 1e-12  # a concentration that leaves one cluster

Scored = tuple[Any, Any]  # labels of the rows fitted, log densities of the others; None where there are none


@cache
def code() -> str:
    """The version of the code that decides about the figures."""
    steps = (
        "beginning",
        "chain",
        "chains",
        "hamiltonian",
        "normal_wishart",
        "partition",
        "predictive",
        "rearranging",
        "summaries",
    )
    warps = ("warp", "sparse_warp")
    matrices = ("inference/covariance/columns.py", "inference/covariance/sparse_columns.py")
    files = (*matrices, "estimators/mixture.py")
    return code_version((*files, *(f"latent/{name}.py" for name in steps + warps)))


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


def run(data: Path, case: Row, sweeps: int) -> Row:
    """Fit nine folds, see what the labels and the tenth fold say."""
    X, labels = read(data, case["set"])
    folds = KFold(FOLDS, shuffle=True, random_state=0).split(X)
    rows, new = list(folds)[case["fold"]]
    start = time.process_time()
    found, density = METHODS[case["method"]](X[rows], X[new], len(set(labels)), sweeps)
    return case | {
        "rand": "" if found is None else round(rand_score(labels[rows], found), 4),
        "adjusted": "" if found is None else round(adjusted_rand_score(labels[rows], found), 4),
        "density": "" if density is None else round(float(density.mean()), 4),
        "clusters": "" if found is None else len(set(found)),
        "seconds": round(time.process_time() - start, 1),
        "sweeps": sweeps if case["method"] in WITH_CHAINS else "",
        "code": code(),
    }


# What the table says ---------------------------------------------------------------------------------------


def known() -> dict[tuple[str, str], Row]:
    """The published figures by set and method."""
    return {(row["set"], row["method"]): row for row in read_rows(REFERENCE / "clusters.csv")}


def summary(rows: Sequence[Row]) -> list[Row]:
    """Means over the folds of every method and set."""
    found = []
    for name in SETS:
        for method in METHODS:
            own = [row for row in rows if (row["set"], row["method"]) == (name, method)]
            if own:
                found.append({"set": name, "method": method, "folds": len(own)} | _means(own))
    return found


def _means(own: Sequence[Row]) -> Row:
    wanted = ("rand", "adjusted", "density", "clusters", "seconds")
    return {key: f"{fmean(float(row[key]) for row in own):.2f}" if own[0][key] != "" else "" for key in wanted}


def main() -> None:
    """Run what is missing, or show what the table says."""
    parser = arguments(__doc__, "clusters.csv", languages=())
    parser.add_argument("--sets", nargs="+", default=list(SETS), choices=SETS)
    parser.add_argument("--methods", nargs="+", default=list(METHODS), choices=tuple(METHODS))
    parser.add_argument("--folds", type=int, default=FOLDS, help="the first ones alone")
    parser.add_argument("--sweeps", type=int, default=500)
    given = parser.parse_args()
    ledger = Ledger(given.csv, CASE, COLUMNS, fresh=given.fresh)
    for fold in range(given.folds) if not given.summary else ():
        for name in given.sets:
            for method in given.methods:
                case = {"set": name, "method": method, "fold": fold}
                if (name, method) not in ALIKE and not ledger.done(case | {"code": code()}):
                    ledger.write(run(given.data, case, given.sweeps))
    print(table(summary(read_rows(given.csv))))


if __name__ == "__main__":
    main()
