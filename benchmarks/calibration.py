"""Whether probabilities are right: of statements about series drawn from the priors, and where nothing is to be told.

``drawn``: a sum of the first level of a search is drawn from the learned prior of structures, its numbers from their
learned priors, and a series from it. These priors are stated in units of the data (how far neighbours lie apart, how
far all values spread, how large they are), so numbers and series are drawn anew until the series has the units that
its numbers were drawn for, up to a tolerance. A search of one level, which has all structures that are drawn, weighs
its models, and a statement has the weight of the models that make it. Calibrated means: of the statements with a
probability near p, about a share p is true.

``noise`` and ``walk``: normal noise around a level and random walks, of 15 to 60 rows, searched with the default
settings. Claimed beyond what is there: of noise any structure of the model told; of a walk a cycle, a change, a
product or a trend whose probability is above one half.

About 8 minutes of one core.

Usage: python benchmarks/calibration.py [--kind drawn noise walk]
"""

import argparse
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace

import numpy as np
import pandas as pd
from scipy.special import softmax

from autostatistician.data.dataset import Dataset
from autostatistician.data.load import load
from autostatistician.fitted.fitting import fit_model
from autostatistician.fitted.model import Model
from autostatistician.gp.covariance import covariance
from autostatistician.gp.parameters.free import FreeParameters
from autostatistician.gp.parameters.scales import Scales, learned_priors, measure
from autostatistician.gp.posterior.projection import draw
from autostatistician.kernels.expr import Expr, Leaf, Product
from autostatistician.kernels.grammar import LANGUAGES
from autostatistician.kernels.kernel import Kernel, operands, unset
from autostatistician.kernels.leaf_row import LeafKind
from autostatistician.kernels.leaves import is_leaf_of
from autostatistician.kernels.text import parse
from autostatistician.kernels.traits import has_changes, has_structure
from autostatistician.search.run import Settings
from autostatistician.search.scores.structure_prior import PRODUCT, Season, learned_structures, shape_of, terms_of
from autostatistician.search.series.evidence import CYCLES, sums
from autostatistician.search.starting.standardisation import standard
from autostatistician.search.starting.starts import at_centre
from common import DEFAULT_LANGUAGE, Array, Bench, Row, command, processor

STATEMENTS = ("structure", "wandering", "trend", "line", "curve", "cycle", "change", "product")
COLUMNS = ("code", "n", "truth", "told", *STATEMENTS, "seconds")
CASES = {  # of a kind, rows (0: from 15 to 60), whether months with a season: how many series
    "drawn": {(15, 0): 60, (40, 0): 60, (40, 1): 30, (100, 0): 40, (100, 1): 16, (300, 0): 16},
    "noise": {(0, 0): 100},
    "walk": {(0, 0): 100},
}
LANGUAGE = LANGUAGES[DEFAULT_LANGUAGE].with_priors
MOST_DRAWS = 20000  # of numbers and series, until the units fit
SPREAD, FLOOR, LOG_RATIOS = 0.1, 0.05, (-0.5, 3.0)  # of size, of neighbours; of the spread over neighbours
TOLERANCES = (0.15, 0.3, 0.7)  # of the logarithms of how far neighbours are apart, of spread and size
LEVEL = 10.0  # of noise and of walks with steps of size 1
EDGES = (0.0, 0.05, 0.2, 0.4, 0.6, 0.8, 0.95, 1.0)  # of the table of reliability


# Statements --------------------------------------------------------------------------------------------------


def shown(expr: Expr) -> dict[str, bool]:
    """What a structure says of a series.

    >>> from autostatistician.kernels.text import parse
    >>> [name for name, said in shown(parse("Lin + Wiener + C + WN")).items() if said]
    ['structure', 'wandering', 'trend', 'line']
    """
    leaves = set(_symbols(expr))
    return {
        "structure": has_structure(expr),
        "wandering": bool(leaves & {"Wiener", "Matern12"}),
        "trend": bool(leaves & {"Lin", "IOU"}),
        "line": "Lin" in leaves,
        "curve": bool(leaves & {"IOU", "SE", "RQ", "Matern32"}),
        "cycle": "Per" in leaves or "Cos" in leaves,
        "change": has_changes(expr),
        "product": any(shape_of(term) == PRODUCT for term in terms_of(expr)),
    }


def _symbols(expr: Expr) -> Iterator[str]:
    """The leaves, but for the factors of a cycle that changes."""
    if isinstance(expr, Product) and any(is_leaf_of(part, LeafKind.CYCLIC) for part in operands(expr)):
        yield "Per"
        return
    if isinstance(expr, Leaf):
        yield expr.symbol
    for part in operands(expr):
        yield from _symbols(part)


def probabilities(model: Model) -> dict[str, float]:
    """Of every statement the weight of the models that make it."""
    models = [(shown(one.kernel.expr), weight) for one, weight in model.structures]
    return {name: round(sum(weight for said, weight in models if said[name]), 4) for name in STATEMENTS}


# Series ------------------------------------------------------------------------------------------------------


def dataset(values: Array, season: bool) -> Dataset:
    """Values (n,) at the ends of years, or of months."""
    dates = pd.date_range("1960-01-31", periods=len(values), freq="ME" if season else "YE")
    return load(pd.DataFrame({"date": dates, "value": values}), time="date", target="value")


def drawn(n: int, season: bool, rng: np.random.Generator) -> tuple[Kernel, Array]:
    """A kernel from the priors, and a series (n,) from it that has the units for which its numbers were drawn."""
    _, problem, frame = standard(dataset(np.linspace(1.0, 2.0, n), season), priors=learned_priors())
    prior = learned_structures(Season.YEAR if season else Season.NONE)
    every = list(sums(LANGUAGE, CYCLES if season else CYCLES[:1]))
    chances = softmax([prior.log_probability(expr) for expr in every])
    for _ in range(MOST_DRAWS):
        step = SPREAD * np.exp(-rng.uniform(*LOG_RATIOS))
        scales = replace(frame, y_rms=1.0, y_sd=SPREAD, y_step=step, noise_floor=FLOOR * step)
        kernel = with_numbers(every[rng.choice(len(every), p=chances)], scales, rng)
        K = covariance(kernel, problem.X, columns=problem.columns)
        (values,) = draw(np.zeros(n), K, rng, scale=float(K.diagonal().max()), count=1)
        found = measure(problem.X, values, problem.columns, frame.only.natural_periods)
        apart = np.log([found.y_step / step, found.y_sd / SPREAD, found.y_rms])
        if np.all(np.abs(apart) <= TOLERANCES):
            return kernel, values
    raise AssertionError("no series has the units of its numbers")


def with_numbers(expr: Expr, scales: Scales, rng: np.random.Generator) -> Kernel:
    """A kernel of a structure, its numbers from their priors; those beyond a bound at the bound."""
    kernel = at_centre(unset(expr), scales, scales.only.seasons[0] if scales.only.seasons else 1.0)
    values = list(kernel.values)
    for one in FreeParameters.of(kernel.expr, scales).priors(kernel.values):
        values[one.index] = one.value(min(max(one.mean + one.width * rng.standard_normal(), one.low), one.high))
    return Kernel(kernel.expr, tuple(values))


def without_structure(kind: str, rng: np.random.Generator) -> Array:
    """Noise or a random walk around a level, of 15 to 60 rows."""
    steps = rng.standard_normal(int(rng.integers(15, 61)))
    return LEVEL + (np.cumsum(steps) if kind == "walk" else steps)


# Runs --------------------------------------------------------------------------------------------------------


def run(case: Row, _: argparse.Namespace) -> Row:
    """Make a series, fit it, ask for the probability of every statement."""
    kind, n, season = case["kind"], case["rows"], bool(case["season"])
    rng = np.random.default_rng([17, list(CASES).index(kind), n, case["season"], case["case"]])
    settings = Settings(criterion="evidence", n_jobs=1)
    if kind == "drawn":
        kernel, values = drawn(n, season, rng)
        truth, settings = str(kernel), replace(settings, max_depth=1, transform="none")
    else:
        truth, values = {"noise": "C + WN", "walk": "Wiener + C + WN"}[kind], without_structure(kind, rng)
    start = processor()
    model = fit_model(dataset(values, season), DEFAULT_LANGUAGE, settings)
    spent = round(processor() - start, 2)
    return {"n": len(values), "truth": truth, "told": str(model.kernel), "seconds": spent} | probabilities(model)


# What came out -----------------------------------------------------------------------------------------------


def reliability(rows: Sequence[Row], names: Sequence[str]) -> list[Row]:
    """Of statements with a probability between two edges: how many, the mean probability, the share that is true."""
    pairs = np.array([(float(row[name]), shown(parse(row["truth"]))[name]) for row in rows for name in names])
    place = np.clip(np.searchsorted(EDGES, pairs[:, 0], side="right") - 1, 0, len(EDGES) - 2)
    groups = [(f"{EDGES[k]:g} to {EDGES[k + 1]:g}", pairs[place == k]) for k in range(len(EDGES) - 1)]
    return [
        {
            "probability": name,
            "statements": len(group),
            "told": f"{group[:, 0].mean():.3f}",
            "true": f"{group[:, 1].mean():.3f}",
            "error": f"{(group[:, 1].mean() * (1.0 - group[:, 1].mean()) / len(group)) ** 0.5:.3f}",
        }
        for name, group in groups
        if len(group)
    ]


def claimed(row: Row) -> list[str]:
    """What is claimed of noise or of a walk beyond what is there."""
    said = shown(parse(row["told"]))
    if row["kind"] == "noise":
        return ["structure"] if said["structure"] else []
    return [name for name in ("cycle", "change", "product") if said[name]] + (
        ["trend"] if said["trend"] and float(row["trend"]) > 0.5 else []
    )


def claims(rows: Sequence[Row]) -> list[Row]:
    """Of noise and of walks: how many, the share of which too much is claimed, and what."""
    found = []
    for kind in ("noise", "walk"):
        group = [claimed(row) for row in rows if row["kind"] == kind]
        if group:
            counts = Counter(name for one in group for name in one)
            share = f"{np.mean([bool(one) for one in group]):.3f}"
            found.append({"kind": kind, "series": len(group), "too much": share, "what": dict(counts)})
    return found


BENCH = Bench(
    file="calibration.csv", case=("kind", "rows", "season", "case"), columns=COLUMNS, run=run,
    options={"kind": tuple(CASES), "rows": (0, 15, 40, 100, 300), "season": (0, 1), "case": tuple(range(100))},
    wanted=lambda case: case["case"] < CASES[case["kind"]].get((case["rows"], case["season"]), 0),
)  # fmt: skip

if __name__ == "__main__":
    command(__doc__, BENCH)
