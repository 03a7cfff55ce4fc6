"""Learn what models are like: the priors of numbers and of structures that come with the package.

Empirical Bayes. A parameter counts with the weight of its model, and with its own uncertainty: what data do not know is
no evidence of a narrow prior. Sums add up over series and tables.

`series`, over the learning part of the corpus (see `corpus_series.py`), on the data and on their logarithms: each round
fits every sum of the first level of a search to every series under the priors of the round before, weighs them by
their evidence, and takes the moments of numbers (their uncertainty included) and the shares of structures for the
next. Shapes beyond these sums are counted in whole searches of a part of the series. Series of competitions hold hardly
any interventions, series that people bring do: as many more are counted in that have one known change each.

`tables`, over tables that scikit-learn and statsmodels bring along; none of them is among the sets of `regression.py`.
Each round fits lines, smooth sums and smooth products over all columns to every table under the priors of the round
before, and once more without the columns that have hardly an effect, and weighs them by their evidence. It takes about
five minutes.

`days`, over pieces of series of days and hours (see `days.py`): which processes wander beside their cycle. A minute.

Usage: python benchmarks/learn.py days [--jobs 2]
       python benchmarks/learn.py series [--rounds 3] [--each 60] [--searched 12] [--jobs 2]
       python benchmarks/learn.py tables [--rounds 4] [--jobs 2]
"""

from __future__ import annotations

import argparse
import csv
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import astuple, dataclass, replace
from functools import reduce
from math import log
from operator import add, mul
from pathlib import Path

import numpy as np
import pandas as pd
from joblib import Parallel, delayed
from scipy.special import softmax

import autostatistician
import days
from autostatistician.data.dataset import Dataset, from_arrays
from autostatistician.data.load import load
from autostatistician.data.transform import Transform, modelled, transform_of
from autostatistician.gp.evidence import curvature, log_evidence
from autostatistician.gp.fitting import Outcome, fit
from autostatistician.gp.parameters.free import FreeParameters
from autostatistician.gp.parameters.priors import parameter_units, places
from autostatistician.gp.parameters.scales import (
    OF_TABLES,
    LeafContext,
    LearnedPrior,
    LearnedPriors,
    Scales,
    learned_priors,
    read_priors,
)
from autostatistician.gp.problem import Problem
from autostatistician.kernels.expr import Expr, Leaf
from autostatistician.kernels.grammar import LANGUAGES
from autostatistician.kernels.kernel import Kernel, operands, parameters, unset
from autostatistician.kernels.leaf_row import Role
from autostatistician.kernels.rewrite import canonical
from autostatistician.kernels.text import parse
from autostatistician.kernels.traits import columns_of
from autostatistician.search.run import Settings, search
from autostatistician.search.scores.structure_prior import (
    CHANGE_POINT,
    PRODUCT,
    Season,
    StructurePrior,
    learned_structures,
    read_structures,
    shape_of,
    terms_of,
)
from autostatistician.search.scores.weights import weighted
from autostatistician.search.series.evidence import EvidenceStrategy
from autostatistician.search.series.schedules import STEPS_OF_SUMS
from autostatistician.search.starting.standardisation import standard
from autostatistician.search.starting.starts import at_centre
from autostatistician.search.tables.proposals import without
from common import REFERENCE
from corpus_series import KINDS, Series, learning

# Sums over fitted models ------------------------------------------------------------------------------------

Key = tuple[str, str, LeafContext]

PACKAGE = Path(autostatistician.__file__).parent
WIDER = 1.15  # the widths are weakly informative: other data differ more than these
SETS_OF_GUESS = 5.0  # that the prior before counts as much as
NARROWEST = 0.35  # other series of a kind differ more than this
LEAST_WEIGHT = 1e-6  # of all that was seen: below, it says nothing
SETS_OF_NO_SHARE = 10.0  # that a share of zero counts as much as
LEAST_CURVATURE = -0.5  # of the log likelihood, in prior widths: a fit that was stopped on its way has less


@dataclass(frozen=True, slots=True)
class Moments:
    """Sums over parameters of one kind, with their weights.

    With r the logarithm of a parameter in units of a step, v its variance, and u the logarithm of the unit of the whole
    in that of a step (see `learned`): the sums of 1, u, r, u^2, u r, and r^2 + v.

    >>> one = Moments.of(of_step=0.0, of_whole=2.0, mean=1.0, variance=0.5, weight=1.0)
    >>> one.added(one, 2.0).weight
    3.0
    """

    weight: float = 0.0
    u: float = 0.0
    r: float = 0.0
    uu: float = 0.0
    ur: float = 0.0
    rr: float = 0.0

    @classmethod
    def of(cls, *, of_step: float, of_whole: float, mean: float, variance: float, weight: float) -> Moments:
        """Those of one parameter: the logarithms of its units, its posterior mean and variance as a logarithm."""
        u, r = of_whole - of_step, mean - of_step
        return cls(*(weight * each for each in (1.0, u, r, u * u, u * r, r * r + variance)))

    def added(self, other: Moments, times: float = 1.0) -> Moments:
        """With those of others, so many times."""
        return Moments(*(mine + times * its for mine, its in zip(astuple(self), astuple(other), strict=True)))

    def prior(self, before: LearnedPrior, sets: float) -> LearnedPrior:
        """Mean, share and width by weighted regression, drawn to the prior before, which counts as so many ``sets``.

        >>> NO_MOMENTS.prior(LearnedPrior(1.0, 0.25, 0.5), 5.0)
        LearnedPrior(mean=1.0, share=0.25, width=0.5)
        """
        total = self.weight
        if total < LEAST_WEIGHT:
            return before
        centre = self.u / total
        share = before.share
        if total > 1.0:
            share = (self.ur - self.u * self.r / total) / (self.uu - self.u * centre + SETS_OF_NO_SHARE)
            share = min(max(share, 0.0), 1.0)
        guess = before.mean + (before.share - share) * centre
        mean = (self.r - share * self.u + sets * guess) / (total + sets)
        apart = self.rr + total * mean**2 + share**2 * self.uu
        apart += 2.0 * (mean * share * self.u - mean * self.r - share * self.ur)
        square = (max(apart, 0.0) + sets * before.width**2) / (total + sets)
        return LearnedPrior(mean, share, max(square**0.5, NARROWEST))


NO_MOMENTS = Moments()
Seen = tuple[Key, Moments]  # a number of a fitted model


def seen_parameters(fitted: Kernel, problem: Problem, scales: Scales, weight: float) -> Iterator[tuple[Key, Moments]]:
    """Every free positive parameter of a leaf but periods, which the calendar says, with the weight of its model.

    >>> from autostatistician.gp.parameters.scales import measure
    >>> from autostatistician.kernels.kernel import leaf
    >>> x, y = np.arange(4.0)[:, None], np.array([1.0, -1.0, 1.0, -1.0])
    >>> scales = measure(x, y, ("x",))
    >>> [(key, moments)] = seen_parameters(leaf("WN", sd=1.0), Problem(x, y, ("x",)), scales, 0.5)
    >>> key[:2], moments.weight
    (('WN', 'sd'), 0.5)
    """
    around = curvature(fitted, problem, scales)
    values, axes = np.linalg.eigh(around.hessian)
    variances = np.sum(axes**2 / (1.0 + np.maximum(values, LEAST_CURVATURE)), axis=1)
    every, where = parameters(around.kernel.expr), places(around.kernel.expr)
    for one, variance in zip(around.free, variances, strict=True):
        parameter = every[one.index]
        if isinstance(parameter.node, Leaf) and parameter.role.positive and parameter.name != "period":
            of_step, of_whole = parameter_units(parameter, scales)
            mean = one.coordinate(around.kernel.values[one.index])
            found = Moments.of(
                of_step=of_step, of_whole=of_whole, mean=mean, variance=float(variance) * one.width**2, weight=weight
            )
            yield (parameter.node.symbol, parameter.name, where[one.index]), found


def first_guess(name: str) -> LearnedPriors:
    """The priors with which learning begins: a table of `reference`."""
    with (REFERENCE / name).open(encoding="utf-8") as lines:
        return read_priors(lines)


def learned(before: LearnedPriors, seen: Iterable[Seen]) -> Iterator[tuple[Key, LearnedPrior]]:
    """The moments of every number that has a prior, drawn towards the prior before."""
    sums: dict[Key, Moments] = {}
    for key, moments in seen:
        sums[key] = sums.get(key, NO_MOMENTS).added(moments)
    for key, prior in before.rows.items():
        yield key, sums.get(key, NO_MOMENTS).prior(prior, SETS_OF_GUESS)


def write_numbers(priors: LearnedPriors, path: Path) -> None:
    """The table of numbers."""
    with path.open("w", encoding="utf-8", newline="") as lines:
        writer = csv.writer(lines, lineterminator="\n")
        writer.writerow(["leaf", "number", "place", "mean", "share", "width"])
        for (leaf, number, place), one in priors.rows.items():
            writer.writerow(
                [leaf, number, place.value, f"{one.mean:.3f}", f"{one.share:.3f}", f"{WIDER * one.width:.3f}"]
            )


# Series -----------------------------------------------------------------------------------------------------

NUMBERS = PACKAGE / "gp" / "parameters" / "learned_priors.csv"
STRUCTURES = PACKAGE / "search" / "scores" / "learned_structures.csv"
MOST_ROWS = 120  # the last ones of a longer series
MOST_LEVELS = 4  # of a whole search
SERIES_WITH_CHANGE = 1.0  # for every one of the corpus
SHARE_OF_GUESS = 0.75  # of the guess with which learning began: other series may be of other kinds


@dataclass(frozen=True)
class Lesson:
    """What one series tells: numbers, and structures with their weights."""

    season: Season
    numbers: list[Seen]
    structures: list[tuple[Expr, float]]


def learn_from_series(rounds: int, each: int, whole: int, jobs: int) -> None:
    """Learn and write the two tables."""
    every = [one for kind in KINDS for name in ("M1", "Tourism") for one in thinned(learning(kind, name), each)]
    numbers = first_guess("first_numbers.csv")  # rounded figures of a prototype, the rest ours
    table = (REFERENCE / "first_structures.csv").read_text(encoding="utf-8").splitlines()
    structures = guesses = {season: read_structures(table, season) for season in (Season.NONE, Season.YEAR)}
    pool = Parallel(n_jobs=jobs)
    for number in range(rounds):
        lessons = [
            one for one in pool(delayed(of_series)(one, numbers, structures) for one in every) if one is not None
        ]
        numbers = LearnedPriors(dict(learned(numbers, [seen for one in lessons for seen in one.numbers])))
        structures = {season: counted(guesses[season], lessons, season) for season in structures}
        print(f"round {number + 1}: {len(lessons)} series", flush=True)
    write_numbers(numbers, NUMBERS)
    within = {Season.WITHIN_YEAR: learned_structures(Season.WITHIN_YEAR)}
    write_structures(structures | within)
    some = [one for kind in KINDS for name in ("M1", "Tourism") for one in thinned(learning(kind, name), whole)]
    found = [one for one in pool(delayed(searched)(one) for one in some) if one is not None]
    if found:
        structures = {season: with_rest(structures[season], found, season) for season in structures}
    write_structures({season: with_changes(prior) for season, prior in structures.items()} | within)


def thinned(every: Sequence[Series], count: int) -> Sequence[Series]:
    """Some of the series, evenly spread."""
    return every[:: max(1, len(every) // max(count, 1))][:count]


def dataset_of(one: Series) -> Dataset:
    """The last rows of a series, with dates."""
    n = min(len(one.values), MOST_ROWS)
    dates = one.dates[len(one.values) - n : len(one.values)]
    return load(pd.DataFrame({"date": dates, "value": one.values[-n:]}), time="date", target="value")


def of_series(one: Series, numbers: LearnedPriors, structures: dict[Season, StructurePrior]) -> Lesson | None:
    """What the sums of the first level tell of a series, on the data and on their logarithm."""
    dataset = dataset_of(one)
    if np.ptp(dataset.y) == 0.0:
        return None
    maps = [Transform(), *([transform_of("log", dataset.y)] if dataset.y.min() > 0.0 else [])]
    found = [each for transform in maps for each in _sums(dataset, transform, numbers, structures)]
    weights = softmax([height for _, _, height, _ in found])
    seen = [
        (key, NO_MOMENTS.added(moments, float(w)))
        for (_, each, _, _), w in zip(found, weights, strict=True)
        if w > 1e-3
        for key, moments in each
    ]
    return Lesson(found[0][3], seen, [(expr, float(w)) for (expr, _, _, _), w in zip(found, weights, strict=True)])


def _sums(
    dataset: Dataset, transform: Transform, numbers: LearnedPriors, structures: dict[Season, StructurePrior]
) -> Iterator[tuple[Expr, list[Seen], float, Season]]:
    """The sums fitted on one scale: structure, numbers, log weight, whether there is a season."""
    maps, problem, scales = standard(modelled(dataset, transform), priors=numbers)
    season = Season.of(scales)
    raw = transform.log_jacobian(dataset.y) - maps.nll_in_data_units(0.0, problem.n)
    for start in EvidenceStrategy(LANGUAGES["extended"].with_priors, problem, scales).complete_kernels():
        best = fit(start, problem, scales, STEPS_OF_SUMS[-1])
        if best.outcome is not Outcome.FAILED:
            height = log_evidence(best.kernel, best.nll, problem, scales) + structures[season].log_probability(
                start.expr
            )
            yield best.kernel.expr, list(seen_parameters(best.kernel, problem, scales, 1.0)), height + raw, season


def counted(before: StructurePrior, lessons: list[Lesson], season: Season) -> StructurePrior:
    """The shares of numbers of terms and of shapes, those that no sum has as before."""
    counts: dict[str, float] = defaultdict(float)
    shapes: dict[str, float] = defaultdict(float)
    for one in lessons:
        for expr, weight in one.structures if one.season is season else ():
            counts[str(len(terms_of(expr)))] += weight
            for term in terms_of(expr):
                shapes[shape_of(term)] += weight
    return replace(before, counts=smoothed(counts, before.counts), shapes=smoothed(shapes, before.shapes))


def smoothed(found: dict[str, float], before: Mapping[str, float]) -> dict[str, float]:
    """Shares of what was found, mixed with those before."""
    total = sum(found.values())
    if total == 0.0:
        return dict(before)
    return {
        key: (1.0 - SHARE_OF_GUESS) * found.get(key, 0.0) / total + SHARE_OF_GUESS * share
        for key, share in before.items()
    }


def searched(one: Series) -> Lesson | None:
    """The structures that a whole search of a series weighs."""
    dataset = dataset_of(one)
    if np.ptp(dataset.y) == 0.0:
        return None
    settings = Settings(criterion="evidence", n_jobs=1, max_depth=MOST_LEVELS)
    result = search(dataset, LANGUAGES["extended"].with_priors, settings)
    told = weighted(result.frontier, chance_is_charged=True)
    season = Season.of(standard(dataset)[2])
    return Lesson(season, [], [(each.kernel.expr, weight) for each, weight in told])


def with_rest(before: StructurePrior, lessons: list[Lesson], season: Season) -> StructurePrior:
    """Shapes beyond sums, and factors of products, as whole searches have them."""
    after = counted(before, lessons, season)
    factors: dict[str, float] = defaultdict(float)
    for one in lessons:
        for expr, weight in one.structures if one.season is season else ():
            for term in terms_of(expr):
                for factor in operands(term) if shape_of(term) == PRODUCT else ():
                    if isinstance(factor, Leaf):
                        factors[factor.symbol] += weight
    return replace(after, factors=smoothed(factors, before.factors))


def with_changes(before: StructurePrior) -> StructurePrior:
    """The shares of shapes where as many series have, beside terms like those of the corpus, one known change.

    >>> with_changes(StructurePrior({"0": 0.5, "2": 0.5}, {"Lin": 1.0, "CP": 0.0}, {})).shapes
    {'Lin': 0.6666666666666666, 'CP': 0.3333333333333333}
    """
    terms = sum(int(count) * share for count, share in before.counts.items()) * (1.0 + SERIES_WITH_CHANGE)
    found = {
        shape: terms * share + SERIES_WITH_CHANGE * (shape == CHANGE_POINT) for shape, share in before.shapes.items()
    }
    total = sum(found.values())
    return replace(before, shapes={shape: share / total for shape, share in found.items()})


def write_structures(priors: dict[Season, StructurePrior]) -> None:
    """The table of structures."""
    with STRUCTURES.open("w", encoding="utf-8", newline="") as lines:
        writer = csv.writer(lines, lineterminator="\n")
        writer.writerow(["season", "kind", "key", "probability"])
        for season, prior in priors.items():
            for kind, table in (("count", prior.counts), ("shape", prior.shapes), ("factor", prior.factors)):
                for key, probability in table.items():
                    writer.writerow([season.value, kind, key, f"{probability:.5f}"])


# Days and hours ---------------------------------------------------------------------------------------------

# Months and quarters grow, and wander off; what changes within a year mostly returns. All else is as with months.
PROCESSES = ("Wiener", "Matern12", "IOU", "Matern32", "SE", "SE + Wiener", "SE + Matern12")
SOURCES_OF_YEAR = 5.0  # that the prior for months counts as much as


def learn_from_days(jobs: int) -> None:
    """Learn which processes stand beside a cycle of a day or a week, and write the table of structures with it."""
    found = list(Parallel(n_jobs=jobs)(delayed(of_piece)(one) for one in days.pieces()))
    known = {season: learned_structures(season) for season in Season}
    write_structures(known | {Season.WITHIN_YEAR: with_processes(known[Season.YEAR], found, len(found) / days.PIECES)})


def of_piece(frame: pd.DataFrame) -> dict[str, float]:
    """How many terms of each process a series has beside its shortest cycle, by the evidence."""
    _, problem, scales = standard(load(frame, time="date", target="value"), priors=learned_priors())
    heights, prior = [], learned_structures(Season.of(scales))
    for text in PROCESSES:
        start = at_centre(unset(parse(f"{text} + Per + C + WN")), scales, min(scales.only.seasons))
        best = fit(start, problem, scales, STEPS_OF_SUMS[-1])
        terms = log(prior.counts[str(len(terms_of(start.expr)))])
        heights.append(log_evidence(best.kernel, best.nll, problem, scales) + terms)
    shares = dict(zip(PROCESSES, softmax(heights).tolist(), strict=True))
    alone = [text for text in PROCESSES if "+" not in text]
    return {one: sum(share for text, share in shares.items() if one in text.split(" + ")) for one in alone}


def with_processes(before: StructurePrior, found: Sequence[dict[str, float]], sources: float) -> StructurePrior:
    """The same shares of all processes together, shared among them as they were found.

    >>> before = StructurePrior({}, {"SE": 0.125, "Wiener": 0.375, "Lin": 0.5}, {})
    >>> with_processes(before, [{"SE": 1.0, "Wiener": 0.0}], 5.0).shapes
    {'SE': 0.3125, 'Wiener': 0.1875, 'Lin': 0.5}
    """
    sums = {one: sum(each[one] for each in found) for one in found[0]}
    whole, total = sum(before.shapes[one] for one in sums), sum(sums.values())
    weight = sources / (sources + SOURCES_OF_YEAR)
    mixed = {one: weight * whole * part / total + (1.0 - weight) * before.shapes[one] for one, part in sums.items()}
    return replace(before, shapes={**before.shapes, **mixed})


# Tables -----------------------------------------------------------------------------------------------------

# Columns of numbers with enough values are targets in turn, all others are inputs.
OF_STATSMODELS = (
    "anes96", "ccard", "committee", "copper", "fair", "grunfeld", "longley", "modechoice", "randhie", "scotland",
    "stackloss", "star98", "statecrime",
)  # fmt: skip
OF_SKLEARN = ("breast_cancer", "diabetes", "iris", "linnerud", "wine")
MOST_TARGETS, FEWEST_VALUES_OF_TARGETS = 4, 12
MOST_ROWS, MOST_COLUMNS = 150, 8  # of a longer table some rows, of a wider one its first columns
FEWEST_VALUES = 3  # of a column that a smooth function may run along
SMOOTH_LEAVES = ("SE", "Matern32", "Matern12")  # of which the searched languages for tables are made
STEPS = 60
LONG, SMALL = 3.0, 0.05  # lengthscale in ranges, and size in spreads of the target, of what has hardly an effect


def learn_from_tables(rounds: int, jobs: int) -> None:
    """Learn and write the table."""
    every, numbers = list(tables()), first_guess("first_table_numbers.csv")
    for number in range(rounds):
        lessons = Parallel(n_jobs=jobs)(delayed(of_table)(one, numbers) for one in every)
        numbers = LearnedPriors(dict(learned(numbers, [seen for one in lessons for seen in one])))
        print(f"round {number + 1}: {len(every)} tables", flush=True)
    write_numbers(numbers, PACKAGE / "gp" / "parameters" / OF_TABLES)


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


def of_table(dataset: Dataset, numbers: LearnedPriors) -> list[Seen]:
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


def main() -> None:
    """Learn and write the tables of the package."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("what", choices=("series", "days", "tables"))
    parser.add_argument("--rounds", type=int, help="3 of series, 4 of tables by default")
    parser.add_argument("--each", type=int, default=40, help="series of every kind and data set")
    parser.add_argument("--searched", type=int, default=10, help="of these, searched in whole")
    parser.add_argument("--jobs", type=int, default=2)
    given = parser.parse_args()
    if given.what == "series":
        learn_from_series(given.rounds or 3, given.each, given.searched, given.jobs)
    elif given.what == "days":
        learn_from_days(given.jobs)
    else:
        learn_from_tables(given.rounds or 4, given.jobs)


if __name__ == "__main__":
    main()
