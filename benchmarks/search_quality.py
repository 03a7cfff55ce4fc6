"""What searches find, beside the best ever found on the same rows, how well it forecasts, and what it costs.

The score is that of the best of the first candidates, in nats: the evidence of the structure, its parameters fitted
again to all rows, whatever the search goes by; of tables and counts minus half of the BIC. The best ones stand in
`results/search-best.json`; a better one takes its place. The last rows of a series are kept back: errors of its
forecast are in standard deviations of the rest. A sample of 28 series has 34 to 900 rows; `--every` takes all 84.

About 5 minutes of one core.

Usage: python benchmarks/search_quality.py [--every] [--series nile wave-60-0] [--criterion bic evidence] [--seed 0 1]
"""

import argparse
import json
import sys
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path

import numpy as np
import pandas as pd
from filelock import FileLock
from scipy.signal import lfilter

import common
import corpus_series
from autostatistician.data.dataset import Dataset
from autostatistician.data.examples import example_names
from autostatistician.data.load import load, load_example
from autostatistician.data.transform import modelled
from autostatistician.fitted.model import Model
from autostatistician.gp.evidence import log_evidence
from autostatistician.gp.fitting import fit
from autostatistician.gp.likelihoods import GAUSSIAN
from autostatistician.gp.parameters import learned_priors
from autostatistician.search.scores.structure_prior import Season, learned_structures
from autostatistician.search.starting.standardisation import standard
from common import Bench, Row, Split
from series import SERIES, first

TABLE, BEST = "search-quality.csv", "search-best.json"
COLUMNS = ("code", "n", "by", "score", "gap", "rmse", "crps", "seconds", "evaluations", "expression")
HIDDEN = ("beats", "begins", "every other", "turn")  # that a curve or a cycle that drifts stands in for
KINDS = ("wave", "drifting cycle", "two cycles", "step", "walk", "bend", "growth", "noise", *HIDDEN)
ROWS = ((60, 0), (140, 0), (140, 1), (450, 0), (700, 0))  # of made series, each with its draw
MADE = tuple(f"{kind}-{rows}-{draw}" for kind in KINDS for rows, draw in ROWS if rows < 400 or kind in KINDS[:4])
PLACES = {f"{one}-{kind[0]}-{place}": (one, kind, place) for one, kind in corpus_series.TASKS for place in (7, 67)}
PIECES = {f"demand-{rows}": rows for rows in (450, 700, 1000)}  # of half-hourly demand
TABLES = ("servo", "bach", "concrete")
CASES = (*MADE, *example_names(), *PLACES, *PIECES, *SERIES, *TABLES)
AHEAD, FIRST, STEPS = 24, 4, 40  # rows that are kept back; candidates that are scored, after so many steps
SAMPLE = (
    *MADE[::3], "M1-q-7", "M3-q-67", "M3-m-7", "M3-m-67", "Tourism-m-7", "nile", "airline", "08-radio",
    "11-unemployment", "09-gas-production", "mauna-loa", "demand-450", "12-births",
)  # fmt: skip


def made(kind: str, rows: int, draw: int) -> Dataset:
    """A series without a calendar, of which one structure is known."""
    rng, t = np.random.default_rng([draw, KINDS.index(kind)]), np.arange(float(rows))
    noise, period = rng.normal(0.0, 1.0, rows), rng.uniform(7.0, 14.0)
    wave, walk = 3.0 * np.sin(2.0 * np.pi * t / period), np.cumsum(noise[::-1])
    y = {
        "wave": wave + noise,
        "drifting cycle": lfilter([1.0], [1.0, -1.94 * np.cos(2.0 * np.pi / period), 0.94], noise),
        "two cycles": wave + 2.0 * np.cos(2.0 * np.pi * t / (3.7 * period)) + noise,
        "step": 4.0 * (t >= rng.integers(0.3 * rows, 0.7 * rows)) + noise,
        "walk": np.cumsum(noise),
        "bend": 3.0 * np.cos(5.0 * t / rows) + noise,
        "growth": np.exp(2.0 * t / rows + 0.1 * wave + 0.1 * noise),
        "noise": noise,
        "beats": wave + 2.8 * np.sin(2.0 * np.pi * t / (1.2 * period)) + noise,
        "begins": wave * (t >= 0.6 * rows) + 0.15 * walk + noise,
        "every other": wave + np.sin(np.pi * t / period) + 0.15 * walk + noise,
        "turn": np.where(t < 0.5 * rows, wave, 3.0 * np.sin(2.0 * np.pi * t / (1.5 * period))) + noise,
    }[kind]
    return load(t[:, None], y, name=kind, axis="raw")


def split(name: str, data: Path) -> Split:
    """What is known of a series, by its name, and what is to be forecast."""
    if name in SERIES:
        return common.split_series(data, "extrapolation", name, "calendar")
    if name in TABLES:
        table = load(data / "regression" / f"{name}.csv", name=name)
        return Split(table, table.X[:0], table.y[:0])
    if name in PLACES:
        *task, place = PLACES[name]
        one = corpus_series.series(*task)[place]
        whole = load(pd.Series(np.append(one.values, one.future), index=one.dates), name=name)
    elif name in PIECES:
        y = corpus_series.taylor()[: PIECES[name] + AHEAD]
        whole = load(pd.Series(y, index=pd.date_range("2000-06-05", periods=len(y), freq="30min")), name=name)
    elif name in MADE:
        kind, rows, draw = name.rsplit("-", 2)
        whole = made(kind, int(rows) + AHEAD, int(draw))
    else:
        whole = load_example(name)
    ahead = min(AHEAD, whole.n // 5)
    return Split(first(whole, whole.n - ahead), whole.X[-ahead:], whole.y[-ahead:] + whole.offset)


def score(model: Model, given: Dataset) -> float:
    """The log probability of the given data and of the best structure that was found, in nats."""
    maps, problem, scales = standard(modelled(given, model.transform), priors=learned_priors())
    prior = learned_structures(Season.of(scales))
    kernels = [maps.to_standard(candidate.kernel) for candidate in model.search.frontier[:FIRST]]
    fits = [fit(kernel, problem, scales, STEPS) for kernel in kernels]
    logs = [log_evidence(one.kernel, one.nll, problem, scales) + prior.log_probability(one.kernel.expr) for one in fits]
    return max(logs) - maps.nll_in_data_units(0.0, problem.n) + model.transform.log_jacobian(given.y + given.offset)


def best_of(name: str, found: float, results: Path) -> float:
    """The best score of a series so far, this one with it, which is kept where it is better."""
    with FileLock(common.WRITING, mode=0o666):
        known = json.loads((results / BEST).read_text(encoding="utf-8")) if (results / BEST).exists() else {}
        if found > known.get(name, -np.inf):
            known[name] = found
            (results / BEST).write_text(json.dumps(known, indent=1, sort_keys=True) + "\n", encoding="utf-8")
    return float(known[name])


def run(case: Row, given: argparse.Namespace) -> Row:
    """One search; the gap is to the best score so far."""
    parts = split(case["series"], given.data)
    estimator, row = common.fitted(parts.train, common.DEFAULT_LANGUAGE, case["seed"], {"criterion": case["criterion"]})
    model, by, reached = estimator.model_, "bic", -0.5 * row["bic"]
    if len(parts.test_y):
        errors, size = common.predictive_scores(parts.test_y, estimator.predictive(parts.places)), np.std(parts.train.y)
        row |= {name: round(errors[name] / size, 5) for name in ("rmse", "crps")}
        if model.likelihood is GAUSSIAN:
            by, reached = "evidence", score(model, parts.train)
    gap = best_of(f"{case['series']} {by}", round(reached, 3), given.results) - reached
    return row | {"n": parts.train.n, "by": by, "score": round(reached, 3), "gap": round(gap, 3)}


def summary(rows: list[Row], best: dict[str, float]) -> Iterator[str]:
    """Gaps to the best scores of today, errors of forecasts, and the time by size."""
    gaps = [(best[f"{row['series']} {row['by']}"] - float(row["score"]), row["series"]) for row in rows]
    yield f"{len(rows)} searches: median gap {np.median([gap for gap, _ in gaps]):.2f} nats; above 2:"
    yield from (f"{gap:8.2f}  {name}" for gap, name in sorted(gaps, reverse=True) if gap > 2.0)
    ahead = [row for row in rows if row["crps"]]
    means = (f"{name} {common.geometric_mean(float(row[name]) for row in ahead):.4f}" for name in ("rmse", "crps"))
    yield f"forecasts of {len(ahead)}, in standard deviations: {', '.join(means)}"
    for low, high in pairwise((0, 100, 400, 10**9)):
        some = [float(row["seconds"]) for row in rows if low < int(row["n"]) <= high]
        yield f"{len(some)} of more than {low} rows: {sum(some):.0f} s of the processor"


BENCH = Bench(
    file=TABLE, case=("series", "criterion", "seed"), columns=COLUMNS, run=run,
    options={"series": SAMPLE, "criterion": ("auto",), "seed": (0,)},
    more={"series": CASES, "criterion": ("bic", "evidence")},
)  # fmt: skip

if __name__ == "__main__":
    if "--every" in sys.argv:
        sys.argv[1:] = [*(one for one in sys.argv[1:] if one != "--every"), "--series", *CASES]
    folder = Path(sys.argv[sys.argv.index("--results") + 1]) if "--results" in sys.argv else common.RESULTS
    try:
        common.command(__doc__, BENCH)
    finally:
        rows = [row for row in common.read_rows(folder / TABLE) if row["code"] == common.code_version()]
        if rows:
            print(*summary(rows, json.loads((folder / BEST).read_text(encoding="utf-8"))), sep="\n")
