"""How many layers a deep process should have: what the bounds choose beside every fixed number of layers.

Three made sets of 80 rows with noise of 0.1: a smooth function (a sine), a step, and a kink (flat, then a ramp);
servo and concrete with one of their ten folds for each seed. For every number of layers the bound, and the mean log
density of held-out rows (of made sets 1000 others); ``auto`` is the choice of `DeepGPRegressor("auto")`, which fits the
same. Columns and target are in standard units of what is learned from.

Usage: python benchmarks/deep_depth.py [--sets smooth step] [--summary]
"""

from __future__ import annotations

import time
from functools import cache
from pathlib import Path
from statistics import fmean

import numpy as np

from autostatistician import DeepGPRegressor
from autostatistician.estimators.deep_settings import choice
from common import Array, Ledger, Row, arguments, code_version, read_rows, table
from deep import Split, split

__all__ = ["SETS", "summary"]

CASE, COLUMNS = ("set", "layers", "seed"), ("bound", "log_density", "chosen", "seconds", "code")
MADE, SEEDS, LAYERS, ROWS, NEW = ("smooth", "step", "kink"), 2, (1, 2, 3), 80, 1000
SETS = (*MADE, "servo", "concrete")


@cache
def code() -> str:
    """The version of the code that decides about the figures."""
    return code_version(("deep/variational", "estimators/deep.py", "estimators/deep_settings.py"))


def made(name: str, seed: int) -> Split:
    """Rows and targets of a made set."""
    rng = np.random.default_rng(seed)
    x = rng.uniform(-1.7, 1.7, ROWS + NEW)
    shapes: dict[str, Array] = {"smooth": np.sin(2.0 * x), "step": np.sign(x), "kink": np.maximum(x, 0.0) * 3.0}
    y = shapes[name] + 0.1 * rng.normal(size=len(x))
    y = (y - y[:ROWS].mean()) / y[:ROWS].std()
    return x[:ROWS, None], y[:ROWS], x[ROWS:, None], y[ROWS:]


def run(data: Path, name: str, seed: int) -> list[Row]:
    """All numbers of layers of a case, with what their bounds choose."""
    X, y, new, truth = made(name, seed) if name in MADE else split(data, name, seed)
    rows: list[Row] = []
    for layers in LAYERS:
        start = time.process_time()
        model = DeepGPRegressor(layers, random_state=seed).fit(X, y)
        score = float(np.mean(model.log_density(new, truth)))
        seconds = round(time.process_time() - start, 1)
        found = {"bound": round(model.bound_, 3), "log_density": round(score, 4), "seconds": seconds}
        rows.append({"set": name, "layers": layers, "seed": seed} | found)
    chosen = choice([row["bound"] for row in rows])
    return [row | {"chosen": int(place == chosen), "code": code()} for place, row in enumerate(rows)]


def summary(rows: list[Row]) -> list[Row]:
    """Means over the seeds: log densities of every number of layers, and of those that were chosen."""
    shown: list[Row] = []
    for name in SETS:
        own = [row for row in rows if row["set"] == name]
        if own:
            by_layers = {
                f"{layers} layers": f"{fmean(float(r['log_density']) for r in own if int(r['layers']) == layers):.3f}"
                for layers in LAYERS
            }
            kept = [row for row in own if int(row["chosen"])]
            chosen = {"chosen": " ".join(str(row["layers"]) for row in kept)}
            auto = {"auto": f"{fmean(float(row['log_density']) for row in kept):.3f}"}
            shown.append({"set": name} | chosen | auto | by_layers)
    return shown


def main() -> None:
    """Run what is missing, or show what the table says."""
    parser = arguments(__doc__, "deep-depth.csv", languages=())
    parser.add_argument("--sets", nargs="+", default=list(SETS), choices=SETS)
    given = parser.parse_args()
    ledger = Ledger(given.csv, CASE, COLUMNS, fresh=given.fresh)
    for seed in range(SEEDS) if not given.summary else ():
        for name in given.sets:
            wanted = [{"set": name, "layers": layers, "seed": seed, "code": code()} for layers in LAYERS]
            if ledger.left(wanted):
                for row in run(given.data, name, seed):
                    ledger.write(row)
    print(table(summary(read_rows(given.csv))))


if __name__ == "__main__":
    main()
