"""Places of changes: simulated levels that change at a known place, at once, smoothly or in a straight line.

Forty series of each shape have 60 to 149 rows, a change by 1 to 4 standard deviations of the noise, and one that is not
abrupt takes 5 to 20 % of the rows. Each is fitted with a smooth change and with one in a straight line. A row says
whether the 95 % range of the place, as a report tells it, holds the truth, and how probable the data are.

Usage: python benchmarks/change_places.py [--count 40] [--summary]
"""

from __future__ import annotations

import time
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from autostatistician.decompose.uncertainty import uncertainty_of
from autostatistician.inference import Problem, condition
from autostatistician.inference.fitting import fit
from autostatistician.inference.fitting.optimise import Fit
from autostatistician.inference.parameters import LearnedPriors, Scales, learned_priors, measure
from autostatistician.inference.uncertainty.evidence import refined_log_evidence
from autostatistician.language.kernel import Kernel, parameters
from autostatistician.language.text import parse_kernel
from autostatistician.threads import one_thread
from common import Ledger, Row, arguments, code_version, read_rows, table

Array = NDArray[np.float64]

CASE = ("shape", "seed", "model")
COLUMNS = ("code", "rows", "size", "takes", "place", "low", "high", "log_evidence", "seconds")
SHAPES, MODELS = ("abrupt", "smooth", "straight"), ("CP", "Ramp")
TENTHS = 2.1972  # over the steepness: a smooth change from 10 % to 90 %
STARTS = 9  # of places, each abrupt and gradual


def made(shape: str, seed: int) -> tuple[Array, Array, float, float, float]:
    """Positions and values, and the truth: place, size and length of the change."""
    rng = np.random.default_rng(seed)
    n = int(rng.integers(60, 150))
    x, place, size = np.arange(float(n)), rng.uniform(0.2, 0.8) * n, rng.uniform(1.0, 4.0) * rng.choice([-1.0, 1.0])
    takes = 0.0 if shape == "abrupt" else rng.uniform(0.05, 0.2) * n
    over = {
        "abrupt": lambda: (x > place).astype(np.float64),
        "smooth": lambda: 0.5 + 0.5 * np.tanh(TENTHS / takes * (x - place)),
        "straight": lambda: np.clip((x - place) / takes + 0.5, 0.0, 1.0),
    }[shape]()
    return x, 5.0 + size * over + rng.normal(size=n), place, size, takes


def fitted(model: str, problem: Problem, scales: Scales) -> Fit:
    """The most probable parameters from places all over the rows."""
    last = float(problem.X[-1, 0])
    starts = [
        parse_kernel(f"{model}(C(sd=2), C(sd=2); location={place}, steepness={steepness}) + WN(sd=1)")
        for place in np.linspace(0.1, 0.9, STARTS) * last
        for steepness in (2.0, 20.0 / last)
    ]
    return min((fit(start, problem, scales, max_steps=60) for start in starts), key=lambda found: found.loss)


def told(kernel: Kernel, problem: Problem, priors: LearnedPriors) -> tuple[float, float]:
    """The 95 % range of the place: of an abrupt change with all of the gaps between rows at its ends."""
    members = uncertainty_of(condition(kernel, problem), np.random.default_rng(0), priors=priors)
    part = next(index for index, part in enumerate(members.fit.parts) if "WN" not in str(part))
    names = [parameter.name for parameter in parameters(members.fit.parts[part].expr)]
    draws, x = members.parameters[part], problem.X[:, 0]
    assert draws is not None
    low, high = np.quantile(draws[:, names.index("location")], [0.025, 0.975]).tolist()
    if TENTHS / members.fit.parts[part].values[names.index("steepness")] > 1.0:
        return low, high
    return float(x[x <= low].max(initial=x[0])), float(x[x >= high].min(initial=x[-1]))


def run(shape: str, seed: int, model: str, code: str) -> Row:
    """One series under one model."""
    start = time.process_time()
    x, y, place, size, takes = made(shape, seed)
    problem = Problem(x[:, None], y - y.mean(), ("x",))
    priors = learned_priors()  # those of a search for the model of a series
    with one_thread():
        scales = measure(problem.X, problem.y, ("x",), priors=priors)
        best = fitted(model, problem, scales)
        low, high = told(best.kernel, problem, priors)
        evidence = refined_log_evidence(best.kernel, best.nll, problem, scales)
    numbers = {"size": size, "takes": takes, "place": place, "low": low, "high": high, "log_evidence": evidence}
    row = {"shape": shape, "seed": seed, "model": model, "code": code, "rows": len(x)}
    return row | {name: f"{number:.5g}" for name, number in numbers.items()} | {
        "seconds": round(time.process_time() - start, 1)
    }  # fmt: skip


def summary(rows: Sequence[Row]) -> list[Row]:
    """How often ranges hold the place, how wide they are, and by how much a straight change is the more probable."""
    found = []
    for shape in SHAPES:
        mine = [row for row in rows if row["shape"] == shape]
        logs = {(row["seed"], row["model"]): float(row["log_evidence"]) for row in mine}
        gains = [logs[seed, "Ramp"] - value for (seed, model), value in logs.items() if model == "CP"]
        for model in MODELS:
            held = [row for row in mine if row["model"] == model]
            inside = [float(row["low"]) <= float(row["place"]) <= float(row["high"]) for row in held]
            widths = [float(row["high"]) - float(row["low"]) for row in held]
            found.append(
                {"truth": shape, "model": model, "series": len(held), "ranges hold": f"{np.mean(inside):.3f}",
                 "median width in rows": f"{np.median(widths):.1f}",
                 "log evidence over CP, mean": f"{np.mean(gains):.2f}" if model == "Ramp" else "0",
                 "and in how many": sum(gain > 0.0 for gain in gains) if model == "Ramp" else ""}
            )  # fmt: skip
    return found


def main() -> None:
    """Run what is missing in the table, or show what it says."""
    parser = arguments(__doc__, "change-places.csv", languages=())
    parser.add_argument("--count", type=int, default=40, help="series of each shape")
    given = parser.parse_args()
    ledger, code = Ledger(given.csv, CASE, COLUMNS, fresh=given.fresh), code_version()
    cases = [] if given.summary else [(s, seed, m) for seed in range(given.count) for s in SHAPES for m in MODELS]
    for shape, seed, model in cases:
        if ledger.left([{"shape": shape, "seed": seed, "model": model, "code": code}]):
            ledger.write(run(shape, seed, model, code))
    print(table(summary(read_rows(given.csv))))


if __name__ == "__main__":
    main()
