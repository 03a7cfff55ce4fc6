"""Waves of half a cycle to ten cycles: whether a period that is told is right, and what lies half-way between the rows.

Case ``k`` is a sinusoid of amplitude 1 and random phase at 20 to 200 places (evenly by the logarithm) that passes
through 0.5 to 10 cycles (evenly), with noise of standard deviation 0.05 to 0.5. A wave that nobody calls a cycle is no
error; a period is wrong where its 95 % range in the report leaves the true one out. Of cycles of which less than one
and a half are there, any period is wrong that is told. Half-way between all neighbours new noisy values are compared
with the 95 % bands of predictions, and the wave itself with those of the curve.

The searches are as light as they can be, so that 500 of them take minutes: the settings stand in the rows.

Usage: python benchmarks/waves.py [--cases 500] [--first 0] [--jobs 1] [--summary]
"""

from __future__ import annotations

import argparse
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from autostatistician.data.dataset import from_arrays
from autostatistician.describe.facts.part import CombinedCycles, Periodicity
from autostatistician.describe.observe.series.parts import component_facts
from common import (
    Ledger,
    arguments,
    chosen_settings,
    code_version,
    fitted,
    run_command,
    settings_text,
)

Array = NDArray[np.float64]
Row = dict[str, Any]

CASE = ("wave", "language", "seed", "settings")
COLUMNS = (
    "code", "rows", "cycles", "noise", "expression", "period", "low", "high", "wrong", "between", "inside",
    "curve_inside", "worst", "bic", "seconds", "n_jobs",
)  # fmt: skip
LIGHT = {"max_depth": 1, "n_restarts": 1}


def wave(number: int) -> tuple[float, float, Array, Array, Array]:
    """Cycles, noise, and at every half step the values without noise (first) and with it, ``number`` being the seed.

    >>> [round(one, 3) for one in wave(0)[:2]], wave(0)[3].shape
    ([6.444, 0.173], (67,))
    """
    rng = np.random.default_rng([15, number])
    n, cycles, noise = round(20.0 * 10.0 ** rng.uniform()), rng.uniform(0.5, 10.0), rng.uniform(0.05, 0.5)
    x = np.arange(2 * n - 1) / 2.0
    truth = np.sin(2.0 * np.pi * (x * cycles / n + rng.uniform()))
    return cycles, noise, x, truth, truth + noise * rng.normal(size=len(x))


def run(row: Row, jobs: int | None, settings: Row) -> Row:
    """Make a wave, search, compare."""
    cycles, noise, x, truth, values = wave(row["wave"])
    model, found = fitted(from_arrays(x[::2], values[::2]), row["language"], row["seed"], {**settings, "n_jobs": jobs})
    told = periods(model)
    true = len(x[::2]) / cycles
    wrong = [low > true or high < true for _, low, high in told]
    period, low, high = told[wrong.index(True) if any(wrong) else 0] if told else ("", "", "")
    between = x[1::2, None]
    lower, upper = model.predict_quantiles(between, levels=(0.025, 0.975)).T
    curve, sd = model.predict_signal(between, return_std=True)
    return {
        **row, **found, "rows": len(x[::2]), "cycles": round(cycles, 4), "noise": round(noise, 4),
        "period": period, "low": low, "high": high, "wrong": int(any(wrong)), "between": len(between),
        "inside": int(np.sum((lower <= values[1::2]) & (values[1::2] <= upper))),
        "curve_inside": int(np.sum(np.abs(curve - truth[1::2]) <= 1.96 * sd)),
        "worst": round(float(np.abs(curve - truth[1::2]).max()), 3),
    }  # fmt: skip


def periods(model: Any) -> list[tuple[float, float, float]]:
    """Every period that the report tells, with its 95 % range."""
    found = model.decomposition(horizon=1)
    heads = [component_facts(part, found)[0] for part in found.components]
    alone = [head for head in heads if isinstance(head, Periodicity)]
    cycles = [*alone, *(one for head in heads if isinstance(head, CombinedCycles) for one in head.cycles)]
    return [(round(one.number, 4), *(round(end, 4) for end in one.interval)) for one in cycles]


def run_all(given: argparse.Namespace) -> None:
    settings, code = {**LIGHT, **chosen_settings(given)}, code_version()
    ledger = Ledger(given.csv, CASE, COLUMNS, fresh=given.fresh)
    for language in given.language:
        for number in range(given.first, given.cases):
            row = {"wave": number, "language": language, "seed": 0, "settings": settings_text(settings), "code": code}
            if not ledger.done(row):
                ledger.write(run(row, given.jobs, settings))


def summary(rows: list[Row]) -> list[Row]:
    """One row per range of cycles: how many waves, how many periods told, how many of these wrong, what bands hold."""
    edges = (0.5, 1.5, 4.0, 10.0)
    groups = {f"{low:g} to {high:g}": [row for row in rows if low <= float(row["cycles"]) < high]
              for low, high in pairwise(edges)}  # fmt: skip
    groups["all"] = rows
    return [
        {
            "cycles": name,
            "waves": len(group),
            "told": sum(row["period"] != "" for row in group),
            "wrong": sum(int(row["wrong"]) for row in group),
            "values inside": _share(group, "inside"),
            "curve inside": _share(group, "curve_inside"),
        }
        for name, group in groups.items()
        if group
    ]


def _share(rows: list[Row], name: str) -> str:
    """Of the waves, each counting as one: longer ones tell no more about the method."""
    return f"{np.mean([int(row[name]) / int(row['between']) for row in rows]):.3f}"


def main() -> None:
    """Run what is missing in the table, or show what it says."""
    parser = arguments(__doc__, "waves.csv")
    parser.add_argument("--cases", type=int, default=500, help="the number of the last wave, plus one")
    parser.add_argument("--first", type=int, default=0, help="the number of the first wave")
    run_command(parser, run_all, summary)


if __name__ == "__main__":
    main()
