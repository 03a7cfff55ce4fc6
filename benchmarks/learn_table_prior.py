"""Learn what models of tables are like: the priors of their numbers that come with the package.

Empirical Bayes, as on series (`learn_prior.py`), over tables that scikit-learn and statsmodels bring along; none of
them is among the sets of `regression.py`. Each round fits lines, smooth sums and smooth products over all columns to
every table under the priors of the round before, and once more without the columns that have hardly an effect, weighs
them by their evidence, and takes the moments of their numbers for the next.

Usage: python benchmarks/learn_table_prior.py [--rounds 4] [--jobs 2]
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from functools import reduce
from operator import add, mul

import numpy as np
import pandas as pd
from joblib import Parallel, delayed
from scipy.special import softmax

from autostatistician.data.dataset import Dataset, from_arrays
from autostatistician.inference.fitting.optimise import Outcome, fit
from autostatistician.inference.parameters.free import FreeParameters
from autostatistician.inference.parameters.learned import OF_TABLES, LearnedPriors
from autostatistician.inference.parameters.scales import Scales
from autostatistician.inference.problem import Problem
from autostatistician.inference.uncertainty.evidence import log_evidence
from autostatistician.language.expr import Expr, Leaf
from autostatistician.language.kernel import Kernel, parameters, unset
from autostatistician.language.leaf_row import Role
from autostatistician.language.rewrite import canonical
from autostatistician.language.traits import columns_of
from autostatistician.search.starting.standardisation import standard
from autostatistician.search.starting.starts import at_centre
from autostatistician.search.tables.proposals import without
from learn_numbers import PACKAGE, Seen, first_guess, learned, write_numbers
from seen_parameters import seen_parameters

# Columns of numbers with enough values are targets in turn, all others are inputs.
OF_STATSMODELS = (
    "anes96",
    "ccard",
    "committee",
    "copper",
    "fair",
    "grunfeld",
    "longley",
    "modechoice",
    "randhie",
    "scotland",
    "stackloss",
    "star98",
    "statecrime",
)
OF_SKLEARN = ("breast_cancer", "diabetes", "iris", "linnerud", "wine")
MOST_TARGETS, FEWEST_VALUES_OF_TARGETS = 4, 12
MOST_ROWS, MOST_COLUMNS = 150, 8  # of a longer table some rows, of a wider one its first columns
FEWEST_VALUES = 3  # of a column that a smooth function may run along
SMOOTH_LEAVES = ("SE", "Matern32", "Matern12")  # of which the searched languages for tables are made
STEPS = 60
LONG, SMALL = 3.0, 0.05  # lengthscale in ranges, and size in spreads of the target, of what has hardly an effect


def main() -> None:
    """Learn and write the table."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--rounds", type=int, default=4)
    parser.add_argument("--jobs", type=int, default=2)
    options = parser.parse_args()
    every, numbers = list(tables()), first_guess("first_table_numbers.csv")
    for number in range(options.rounds):
        lessons = Parallel(n_jobs=options.jobs)(delayed(lesson)(one, numbers) for one in every)
        numbers = LearnedPriors(dict(learned(numbers, [seen for one in lessons for seen in one])))
        print(f"round {number + 1}: {len(every)} tables", flush=True)
    write_numbers(numbers, PACKAGE / "inference" / "parameters" / OF_TABLES)


# The corpus ------------------------------------------------------------------------------------------------


def tables() -> Iterator[Dataset]:
    """The tables to learn from: sets with one of their columns as the target."""
    for name, frame in frames():
        some = frame.select_dtypes("number").iloc[:, : MOST_COLUMNS + 1].dropna()
        some = some.iloc[np.random.default_rng(0).permutation(len(some))[:MOST_ROWS]]
        some = some.loc[:, some.nunique() >= FEWEST_VALUES]
        for target in some.columns[some.nunique() >= FEWEST_VALUES_OF_TARGETS][:MOST_TARGETS]:
            X = some.drop(columns=target)
            yield from_arrays(X, some[target], tuple(map(str, X.columns)), name=f"{name}: {target}")


def frames() -> Iterator[tuple[str, pd.DataFrame]]:
    """The sets as they come."""
    import sklearn.datasets
    import statsmodels.datasets

    for name in OF_STATSMODELS:
        yield name, getattr(statsmodels.datasets, name).load_pandas().data
    for name in OF_SKLEARN:
        bunch = getattr(sklearn.datasets, f"load_{name}")(as_frame=True)
        numeric = isinstance(bunch.target, pd.DataFrame) or bunch.target.nunique() > FEWEST_VALUES_OF_TARGETS
        parts = [pd.DataFrame(bunch.target)] * numeric + [bunch.data]  # other targets are classes
        yield name, pd.concat(parts, axis=1)


# What a table tells ----------------------------------------------------------------------------------------


def lesson(dataset: Dataset, numbers: LearnedPriors) -> list[Seen]:
    """What the models of a table tell of numbers, each with the weight of its model."""
    _, problem, scales = standard(dataset, priors=numbers)
    every = [model for start in starts(dataset.columns, scales) for model in fitted(start, problem, scales)]
    weights = softmax([log_evidence(one, nll, problem, scales) for one, nll in every])
    return [
        seen
        for (one, _), weight in zip(every, weights, strict=True)
        if weight > 1e-3
        for seen in seen_parameters(one, problem, scales, float(weight))
    ]


def starts(columns: tuple[str, ...], scales: Scales) -> Iterator[Kernel]:
    """Lines, smooth sums and smooth products, with a level and noise, and both lines and products."""
    rest = Leaf("C") + Leaf("WN")
    lines = reduce(add, _leaves("Lin", columns), rest)
    every = [lines, reduce(mul, _leaves("SE", columns)) + lines]
    for symbol in SMOOTH_LEAVES:
        every += [reduce(add, _leaves(symbol, columns), rest), reduce(mul, _leaves(symbol, columns)) + rest]
    for expr in every:
        yield at_centre(unset(canonical(unset(expr)).expr), scales, 1.0)


def _leaves(symbol: str, columns: tuple[str, ...]) -> list[Expr]:
    return [Leaf(symbol, one) for one in columns]


def fitted(start: Kernel, problem: Problem, scales: Scales) -> Iterator[tuple[Kernel, float]]:
    """A model of all columns, and one of those that have an effect, each with its negative log likelihood."""
    whole = fit(start, problem, scales, STEPS)
    if whole.outcome is Outcome.FAILED:
        return
    yield whole.kernel, whole.nll
    spare = columns_of(start.expr) - in_use(whole.kernel, scales)
    if spare:
        part = fit(without(whole.kernel, spare), problem, scales, STEPS)
        if part.outcome is not Outcome.FAILED:
            yield part.kernel, part.nll


def in_use(kernel: Kernel, scales: Scales) -> set[str]:
    """The columns none of whose lengthscales is long and none of whose free sizes is small."""
    every = parameters(kernel.expr)
    known = [(every[one.index], kernel.values[one.index]) for one in FreeParameters.of(kernel.expr, scales).priors()]
    idle = {
        getattr(one.node, "column", None)
        for one, value in known
        if (one.role is Role.LENGTH and value > LONG) or (one.name == "sd" and value < SMALL * scales.y_sd)
    }
    return columns_of(kernel.expr) - idle


if __name__ == "__main__":
    main()
