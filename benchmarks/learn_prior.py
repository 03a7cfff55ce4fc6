"""Learn what models of short series are like: the priors of numbers and of structures that come with the package.

Empirical Bayes over the learning part of the corpus (see `corpus_series.py`), on the data and on their logarithms: each
round fits every sum of the first level of a search to every series under the priors of the round before, weighs them by
their evidence, and takes the moments of numbers (their uncertainty included) and the shares of structures for the
next. Shapes beyond these sums are counted in whole searches of a part of the series.

Usage: python benchmarks/learn_prior.py [--rounds 3] [--each 60] [--searched 12] [--jobs 2]
"""

from __future__ import annotations

import argparse
import csv
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
import pandas as pd
from joblib import Parallel, delayed
from numpy.typing import NDArray
from scipy.special import softmax

import autostatistician
from autostatistician.data.dataset import Dataset
from autostatistician.data.load import load
from autostatistician.data.transform import Transform, modelled, transform_of
from autostatistician.inference.beliefs import Belief, number_units, places
from autostatistician.inference.curvature import curvature
from autostatistician.inference.number_priors import NumberPrior, NumberPriors, Place, read_numbers
from autostatistician.inference.optimise import Outcome, fit
from autostatistician.inference.scales import Scales
from autostatistician.inference.structure_evidence import log_evidence
from autostatistician.language.expr import Expr, Leaf
from autostatistician.language.kernel import Kernel, operands, parameters
from autostatistician.language.languages import LANGUAGES
from autostatistician.search.run import Settings, search
from autostatistician.search.series.evidence import STEPS_OF_SUMS, EvidenceStrategy
from autostatistician.search.standardisation import standard
from autostatistician.search.structure_prior import PRODUCT, StructurePrior, read_structures, shape_of, terms_of
from autostatistician.search.weights import weighted
from corpus_series import KINDS, Series, learning

Array = NDArray[np.float64]
Key = tuple[str, str, Place]

REFERENCE = Path(__file__).parent / "reference"  # the first guesses: rounded figures of a prototype, the rest ours
PACKAGE = Path(autostatistician.__file__).parent
NUMBERS, STRUCTURES = PACKAGE / "inference" / "learned_numbers.csv", PACKAGE / "search" / "learned_structures.csv"
MOST_ROWS = 120  # the last ones of a longer series
MOST_LEVELS = 4  # of a whole search
WIDER, NARROWEST = 1.15, 0.35  # the widths are weakly informative: other data differ more than these series
SERIES_OF_NO_SHARE, SERIES_OF_GUESS = 10.0, 5.0  # that a share of zero, and the prior before, count as much as
SHARE_OF_GUESS = 0.75  # of the guess with which learning began: other series may be of other kinds


@dataclass(frozen=True)
class Seen:
    """One number of one fitted model: its units, its posterior mean and variance (of logarithms), and its weight."""

    key: Key
    of_step: float
    of_whole: float
    mean: float
    variance: float
    weight: float


@dataclass(frozen=True)
class Lesson:
    """What one series tells: numbers, and structures with their weights."""

    season: bool
    numbers: list[Seen]
    structures: list[tuple[Expr, float]]


def main() -> None:
    """Learn and write the two tables."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--each", type=int, default=40, help="series of every kind and data set")
    parser.add_argument("--searched", type=int, default=10, help="of these, searched in whole")
    parser.add_argument("--jobs", type=int, default=2)
    options = parser.parse_args()
    every = [one for kind in KINDS for name in ("M1", "Tourism") for one in thinned(learning(kind, name), options.each)]
    with (REFERENCE / "first_numbers.csv").open(encoding="utf-8") as lines:
        numbers = read_numbers(lines)
    table = (REFERENCE / "first_structures.csv").read_text(encoding="utf-8").splitlines()
    structures = guesses = {season: read_structures(table, season) for season in (False, True)}
    for number in range(options.rounds):
        jobs = [delayed(lesson)(one, numbers, structures) for one in every]
        lessons = [one for one in Parallel(n_jobs=options.jobs)(jobs) if one is not None]
        numbers = NumberPriors(dict(learned(numbers, [seen for one in lessons for seen in one.numbers])))
        structures = {season: counted(guesses[season], lessons, season) for season in structures}
        print(f"round {number + 1}: {len(lessons)} series", flush=True)
    write_numbers(numbers)
    write_structures(structures)
    if options.searched:
        some = [
            one
            for kind in KINDS
            for name in ("M1", "Tourism")
            for one in thinned(learning(kind, name), options.searched)
        ]
        found = [
            one for one in Parallel(n_jobs=options.jobs)(delayed(searched)(one) for one in some) if one is not None
        ]
        write_structures({season: with_rest(structures[season], found, season) for season in structures})


def thinned(every: Sequence[Series], count: int) -> Sequence[Series]:
    """Some of the series, evenly spread."""
    return every[:: max(1, len(every) // count)][:count]


def dataset_of(one: Series) -> Dataset:
    """The last rows of a series, with dates."""
    n = min(len(one.values), MOST_ROWS)
    dates = one.dates[len(one.values) - n : len(one.values)]
    return load(pd.DataFrame({"date": dates, "value": one.values[-n:]}), time="date", target="value")


def lesson(one: Series, numbers: NumberPriors, structures: dict[bool, StructurePrior]) -> Lesson | None:
    """What the sums of the first level tell of a series, on the data and on their logarithm."""
    dataset = dataset_of(one)
    if np.ptp(dataset.y) == 0.0:
        return None
    maps = [Transform(), *([transform_of("log", dataset.y)] if dataset.y.min() > 0.0 else [])]
    found = [each for transform in maps for each in _fitted(dataset, transform, numbers, structures)]
    weights = softmax([height for _, _, height, _ in found])
    seen = [
        replace(number, weight=float(w))
        for (_, each, _, _), w in zip(found, weights, strict=True)
        if w > 1e-3
        for number in each
    ]
    return Lesson(found[0][3], seen, [(expr, float(w)) for (expr, _, _, _), w in zip(found, weights, strict=True)])


def _fitted(
    dataset: Dataset, transform: Transform, numbers: NumberPriors, structures: dict[bool, StructurePrior]
) -> Iterator[tuple[Expr, list[Seen], float, bool]]:
    """The sums fitted on one scale: structure, numbers, log weight, whether there is a season."""
    maps, problem, scales = standard(modelled(dataset, transform), priors=numbers)
    season = bool(scales.only.seasons)
    raw = transform.log_jacobian(dataset.y) - maps.nll_in_data_units(0.0, problem.n)
    for start in EvidenceStrategy(LANGUAGES["extended"].with_priors, problem, scales).from_above():
        best = fit(start, problem, scales, STEPS_OF_SUMS[-1])
        if best.outcome is not Outcome.FAILED:
            height = log_evidence(best.kernel, best.nll, problem, scales) + structures[season].log_probability(
                start.expr
            )
            around = curvature(best.kernel, problem, scales)
            covariance = np.linalg.inv(np.eye(len(around.free)) + _definite(around.hessian))
            seen = list(_seen(around.kernel, around.free, covariance.diagonal(), scales))
            yield best.kernel.expr, seen, height + raw, season


def _definite(hessian: Array) -> Array:
    values, axes = np.linalg.eigh(hessian)
    return np.asarray(axes * np.maximum(values, -0.5) @ axes.T)


def _seen(kernel: Kernel, free: Sequence[Belief], variances: Array, scales: Scales) -> Iterator[Seen]:
    every, where = parameters(kernel.expr), places(kernel.expr)
    for one, variance in zip(free, variances, strict=True):
        node = every[one.index].node
        if isinstance(node, Leaf) and every[one.index].role.positive and every[one.index].name != "period":
            key = node.symbol, every[one.index].name, where[one.index]
            units = number_units(every[one.index], scales)
            yield Seen(key, *units, one.coordinate(kernel.values[one.index]), float(variance) * one.width**2, 0.0)


def learned(before: NumberPriors, seen: list[Seen]) -> Iterator[tuple[Key, NumberPrior]]:
    """The moments of every number that has a prior, by weighted regression on the ratio of its two units."""
    by_key: dict[Key, list[Seen]] = defaultdict(list)
    for one in seen:
        by_key[one.key].append(one)
    for key, prior in before.rows.items():
        yield key, moments(prior, by_key[key])


def moments(prior: NumberPrior, seen: list[Seen]) -> NumberPrior:
    """Mean, share and width, drawn towards the prior before and towards a share of zero."""
    u = np.array([one.of_whole - one.of_step for one in seen])
    r, v, w = (
        (
            np.array(each)
            for each in zip(*[(one.mean - one.of_step, one.variance, one.weight) for one in seen], strict=True)
        )
        if seen
        else (np.zeros(0),) * 3
    )
    total = float(w.sum())
    centre = float(w @ u) / total if total > 0.0 else 0.0
    share = (
        float(w @ ((u - centre) * (r - (w @ r) / total))) / (float(w @ (u - centre) ** 2) + SERIES_OF_NO_SHARE)
        if total > 1.0
        else prior.share
    )
    share = min(max(share, 0.0), 1.0)
    guess = prior.mean + (prior.share - share) * centre
    mean = (float(w @ (r - share * u)) + SERIES_OF_GUESS * guess) / (total + SERIES_OF_GUESS)
    square = (float(w @ ((r - mean - share * u) ** 2 + v)) + SERIES_OF_GUESS * prior.width**2) / (
        total + SERIES_OF_GUESS
    )
    return NumberPrior(mean, share, max(square**0.5, NARROWEST))


def counted(before: StructurePrior, lessons: list[Lesson], season: bool) -> StructurePrior:
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
    season = bool(standard(dataset)[2].only.seasons)
    return Lesson(season, [], [(each.kernel.expr, weight) for each, weight in told])


def with_rest(before: StructurePrior, lessons: list[Lesson], season: bool) -> StructurePrior:
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


def write_numbers(priors: NumberPriors) -> None:
    """The table of numbers."""
    with NUMBERS.open("w", encoding="utf-8", newline="") as lines:
        writer = csv.writer(lines, lineterminator="\n")
        writer.writerow(["leaf", "number", "place", "mean", "share", "width"])
        for (leaf, number, place), one in priors.rows.items():
            writer.writerow(
                [leaf, number, place.value, f"{one.mean:.3f}", f"{one.share:.3f}", f"{WIDER * one.width:.3f}"]
            )


def write_structures(priors: dict[bool, StructurePrior]) -> None:
    """The table of structures."""
    with STRUCTURES.open("w", encoding="utf-8", newline="") as lines:
        writer = csv.writer(lines, lineterminator="\n")
        writer.writerow(["season", "kind", "key", "probability"])
        for season, prior in priors.items():
            for kind, table in (("count", prior.counts), ("shape", prior.shapes), ("factor", prior.factors)):
                for key, probability in table.items():
                    writer.writerow(["yes" if season else "no", kind, key, f"{probability:.5f}"])


if __name__ == "__main__":
    main()
