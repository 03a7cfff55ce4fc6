"""Four chains of the infinite warped mixture on a set: how far they agree, and how long a sweep takes.

Rank-normalised R-hat and effective samples of the number of clusters, over the second half of the sweeps; effective
samples a second of processor time of all four chains.

Usage: python benchmarks/cluster_chains.py [--sets 2-curve pinwheel] [--sweeps 2000] [--summary]
"""

from __future__ import annotations

import time
from pathlib import Path

from autostatistician import InfiniteWarpedMixture
from clusters import SETS, code, read
from common import Ledger, Row, arguments, read_rows, table

CASE = ("set", "sweeps")
COLUMNS = ("rows", "seconds", "ms", "r_hat", "ess", "ess_per_second", "adjusted", "code")
CHAINS = 4


def run(data: Path, case: Row) -> Row:
    """Fit all rows with four chains, one after the other."""
    from sklearn.metrics import adjusted_rand_score

    X, labels = read(data, case["set"])
    start = time.process_time()
    model = InfiniteWarpedMixture(n_chains=CHAINS, n_sweeps=case["sweeps"]).fit(X)
    seconds = time.process_time() - start
    return case | {
        "rows": len(X),
        "seconds": round(seconds, 1),
        "ms": round(1000.0 * seconds / (CHAINS * case["sweeps"]), 1),
        "r_hat": round(model.r_hat_["groups"], 3),
        "ess": round(model.ess_["groups"], 1),
        "ess_per_second": round(model.ess_["groups"] / seconds, 2),
        "adjusted": round(adjusted_rand_score(labels, model.labels_), 3),
        "code": code(),
    }


def main() -> None:
    """Run what is missing, or show what the table says."""
    parser = arguments(__doc__, "cluster-chains.csv", languages=())
    parser.add_argument("--sets", nargs="+", default=list(SETS[:4]), choices=SETS)
    parser.add_argument("--sweeps", type=int, default=2000)
    given = parser.parse_args()
    ledger = Ledger(given.csv, CASE, COLUMNS, fresh=given.fresh)
    for name in given.sets if not given.summary else ():
        case = {"set": name, "sweeps": given.sweeps}
        if not ledger.done(case | {"code": code()}):
            ledger.write(run(given.data, case))
    print(table(read_rows(given.csv)))


if __name__ == "__main__":
    main()
