"""The infinite warped mixture on made sets, seed by seed: whether what is found depends on the seed of the chains.

Sets: two arms of a spiral that begin close together, a ring about a blob, two half moons, a pinwheel of three arms,
and a long arc beside a hook that is bent five times as much.
Rand index of the rows with the true clusters (the worst seed is told as well), mean log density of other rows of the
set. ``--known 2`` gives the classes of two rows of each cluster (the same for every seed); the Rand index is then that
of the other rows. ``--methods before`` begins with the columns themselves and does not move groups as a whole;
HDBSCAN has no seed.

Usage: python benchmarks/cluster_seeds.py [--sets arms ring] [--rows 100] [--known 0 2 5] [--seeds 5] [--summary]
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, nullcontext
from statistics import fmean
from unittest import mock

import numpy as np
from sklearn.cluster import HDBSCAN
from sklearn.datasets import make_moons
from sklearn.metrics import adjusted_rand_score, rand_score
from sklearn.preprocessing import StandardScaler

from autostatistician import InfiniteWarpedMixture
from autostatistician.latent import beginning, chain
from clusters import code
from common import Ledger, Row, arguments, read_rows, table

__all__ = ["SETS", "made"]

CASE = ("set", "method", "rows", "known", "chains", "sweeps", "seed")
COLUMNS = ("rand", "adjusted", "density", "clusters", "r_hat", "seconds", "code")
METHODS = ("now", "before", "hdbscan")
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


SETS: dict[str, Callable[[int, np.random.Generator], Made]] = {
    "arms": arms,
    "ring": ring,
    "moons": moons,
    "pinwheel": pinwheel,
    "unlike": unlike,
}


def made(name: str, n: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Rows, their clusters, and further rows of the same distribution."""
    rng = np.random.default_rng(0)
    X, who = SETS[name](n, rng)
    return X, who, SETS[name](OTHERS, rng)[0]


def run(case: Row) -> Row:
    """One fit, and what the true clusters and further rows say of it."""
    X, who, new = made(case["set"], case["rows"])
    known, start = _known(who, case["known"]), time.process_time()
    hidden = known == -1
    if case["method"] == "hdbscan":
        labels = HDBSCAN(copy=True).fit_predict(StandardScaler().fit_transform(X))
        rest = {"density": "", "r_hat": ""}
    else:
        settings = {"n_chains": case["chains"], "n_sweeps": case["sweeps"], "random_state": case["seed"]}
        model, y = InfiniteWarpedMixture(**settings), known if case["known"] else None
        with as_before() if case["method"] == "before" else nullcontext():
            model.fit(X, y)
        labels = model.labels_
        rest = {"density": round(model.score(new), 4), "r_hat": round(model.r_hat_["groups"], 3)}
    return case | {
        "rand": round(rand_score(who[hidden], labels[hidden]), 4),
        "adjusted": round(adjusted_rand_score(who[hidden], labels[hidden]), 4),
        "clusters": len(set(labels)),
        **rest,
        "seconds": round(time.process_time() - start, 1),
        "code": code(),
    }


@contextmanager
def as_before() -> Iterator[None]:
    """Without what was added to make chains of all seeds agree; here are as many coordinates as columns."""
    with (
        mock.patch.object(chain, "REARRANGED", 0),
        mock.patch.object(beginning, "tree_places", lambda Y, dimensions: Y.copy()),
    ):
        yield


def _known(who: np.ndarray, each: int) -> np.ndarray:
    """The classes of some rows of each cluster, -1 for all others."""
    known, rng = np.full(len(who), -1), np.random.default_rng(1)
    for cluster in np.unique(who):
        chosen = rng.permutation(np.flatnonzero(who == cluster))[:each]
        known[chosen] = cluster
    return known


def summary(rows: Sequence[Row]) -> list[Row]:
    """Means over the seeds, and the worst of them."""
    told, shared = [], [key for key in CASE if key != "seed"]
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


def main() -> None:
    """Run what is missing, or show what the table says."""
    parser = arguments(__doc__, "cluster-seeds.csv", languages=())
    parser.add_argument("--sets", nargs="+", default=list(SETS), choices=tuple(SETS))
    parser.add_argument("--methods", nargs="+", default=["now"], choices=METHODS)
    parser.add_argument("--rows", type=int, default=100)
    parser.add_argument("--known", type=int, nargs="+", default=[0], help="rows of each cluster whose class is given")
    parser.add_argument("--chains", type=int, default=1)
    parser.add_argument("--sweeps", type=int, default=400)
    parser.add_argument("--seeds", type=int, default=5)
    given = parser.parse_args()
    ledger = Ledger(given.csv, CASE, COLUMNS, fresh=given.fresh)
    for name in given.sets if not given.summary else ():
        for method in given.methods:
            for known in given.known:
                shared = {"set": name, "method": method, "rows": given.rows, "known": known}
                for seed in range(given.seeds if method != "hdbscan" else 1):
                    case = shared | {"chains": given.chains, "sweeps": given.sweeps, "seed": seed}
                    if not ledger.done(case | {"code": code()}):
                        ledger.write(run(case))
    print(table(summary(read_rows(given.csv))))


if __name__ == "__main__":
    main()
