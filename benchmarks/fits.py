"""How many evaluations a fit takes: every coordinate in its expected uncertainty, and all in one unit.

Expressions are fitted to the bundled examples from the same starts in both ways, stopped after some steps. As in a
search, a start is the best of some draws. A fit is short by what its negative log likelihood lacks to the best that
either way reached from that start.

Usage: python benchmarks/fits.py [--starts 2] [--csv benchmarks/results/fits.csv]
"""

from __future__ import annotations

import argparse
from collections import defaultdict
from pathlib import Path
from typing import Any

import numpy as np
from threadpoolctl import threadpool_limits

from autostatistician.data.examples import example_names
from autostatistician.data.load import load
from autostatistician.inference.engines.choice import objective_of
from autostatistician.inference.fitting.optimise import Fit, fit, units_of
from autostatistician.inference.parameters.scales import Scales
from autostatistician.inference.problem import Problem
from autostatistician.language.kernel import Kernel, unset
from autostatistician.language.text import parse
from autostatistician.search.starting.hints import hints
from autostatistician.search.starting.standardisation import standard
from autostatistician.search.starting.starts import Context, draws
from common import RESULTS, table, write_rows

Row = dict[str, Any]

EXPRESSIONS = (
    "SE + WN",
    "Lin + Per + WN",
    "SE + Per + WN",
    "SE * Per + Lin + WN",
    "SE * Per * Lin + Matern12 + WN",
    "SE + CP(Lin + WN, WN)",
    "Per + CW(SE + WN, Lin + WN)",
)
LOOKS = 40
STEPS = (5, 10, 20, 40, 200)
LARGEST = 10.0  # a shortage counts for no more: the fit went elsewhere
CLOSE = 0.5


def _starts(points: Problem, scales: Scales, text: str, count: int) -> list[Kernel]:
    found = hints(points.X[:, 0], points.y, detrend=True)
    context = Context(scales, {None: found}, {None: found})
    looks = draws(unset(parse(text)), context, np.random.default_rng(0), LOOKS * count)
    value = objective_of(looks[0].expr, points).value
    return [min(looks[index::count], key=lambda look: value(look.values)) for index in range(count)]


def _fits(start: Kernel, points: Problem, scales: Scales) -> dict[tuple[str, int], Fit]:
    own = units_of(start, points, scales)
    ways = {"expected uncertainty": own, "one for all": np.ones_like(own)}
    return {
        (way, steps): fit(start, points, scales, steps, units=units) for way, units in ways.items() for steps in STEPS
    }


def run(starts: int) -> list[Row]:
    """A row for every way and number of steps: means over examples, expressions and starts."""
    every = defaultdict[tuple[str, int], list[tuple[int, float]]](list)
    for name in example_names():
        dataset = load(name)
        _, points, scales = standard(dataset)
        for text in EXPRESSIONS:
            for start in _starts(points, scales, text, starts):
                fits = _fits(start, points, scales)
                best = min(one.nll for one in fits.values())
                for key, one in fits.items():
                    every[key].append((one.evaluations, min(one.nll - best, LARGEST)))
    return [
        {
            "unit": way,
            "steps": steps,
            "fits": len(found),
            "evaluations": f"{np.mean([count for count, _ in found]):.1f}",
            "short": f"{np.mean([short for _, short in found]):.2f}",
            "close": f"{np.mean([short < CLOSE for _, short in found]):.2f}",
        }
        for (way, steps), found in every.items()
    ]


def main() -> None:
    """Run both ways and print what came out."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--starts", type=int, default=2, help="for every example and expression")
    parser.add_argument("--csv", type=Path, default=RESULTS / "fits.csv")
    given = parser.parse_args()
    with threadpool_limits(limits=1):  # the same numbers on any machine
        rows = run(given.starts)
    write_rows(given.csv, rows)
    print(table(rows))


if __name__ == "__main__":
    main()
