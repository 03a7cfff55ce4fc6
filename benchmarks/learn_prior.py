"""Learn what models of short series are like: the priors of numbers and of structures that come with the package.

Empirical Bayes over the learning part of the corpus (see `corpus_series.py`), on the data and on their logarithms: each
round fits every sum of the first level of a search to every series under the priors of the round before, weighs them by
their evidence, and takes the moments of numbers (their uncertainty included) and the shares of structures for the
next. Shapes beyond these sums are counted in whole searches of a part of the series. Series of competitions hold hardly
any interventions, series that people bring do: as many more are counted in that have one known change each.

Usage: python benchmarks/learn_prior.py [--rounds 3] [--each 60] [--searched 12] [--jobs 2]
"""

from __future__ import annotations

import argparse
import csv
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np
import pandas as pd
from joblib import Parallel, delayed
from scipy.special import softmax

from autostatistician.data.dataset import Dataset
from autostatistician.data.load import load
from autostatistician.data.transform import Transform, modelled, transform_of
from autostatistician.inference.fitting.optimise import Outcome, fit
from autostatistician.inference.parameters.learned import LearnedPriors
from autostatistician.inference.uncertainty.evidence import log_evidence
from autostatistician.language.expr import Expr, Leaf
from autostatistician.language.kernel import operands
from autostatistician.language.languages import LANGUAGES
from autostatistician.search.run import Settings, search
from autostatistician.search.scores.structure_prior import (
    CHANGE_POINT,
    PRODUCT,
    StructurePrior,
    read_structures,
    shape_of,
    terms_of,
)
from autostatistician.search.scores.weights import weighted
from autostatistician.search.series.evidence import EvidenceStrategy
from autostatistician.search.series.schedules import STEPS_OF_SUMS
from autostatistician.search.starting.standardisation import standard
from common import REFERENCE
from corpus_series import KINDS, Series, learning
from learn_numbers import PACKAGE, Seen, first_guess, learned, write_numbers
from seen_parameters import NO_MOMENTS, seen_parameters

NUMBERS = PACKAGE / "inference" / "parameters" / "learned_priors.csv"
STRUCTURES = PACKAGE / "search" / "scores" / "learned_structures.csv"
MOST_ROWS = 120  # the last ones of a longer series
MOST_LEVELS = 4  # of a whole search
SERIES_WITH_CHANGE = 1.0  # for every one of the corpus
SHARE_OF_GUESS = 0.75  # of the guess with which learning began: other series may be of other kinds


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
    numbers = first_guess("first_numbers.csv")  # rounded figures of a prototype, the rest ours
    table = (REFERENCE / "first_structures.csv").read_text(encoding="utf-8").splitlines()
    structures = guesses = {season: read_structures(table, season) for season in (False, True)}
    for number in range(options.rounds):
        jobs = [delayed(lesson)(one, numbers, structures) for one in every]
        lessons = [one for one in Parallel(n_jobs=options.jobs)(jobs) if one is not None]
        numbers = LearnedPriors(dict(learned(numbers, [seen for one in lessons for seen in one.numbers])))
        structures = {season: counted(guesses[season], lessons, season) for season in structures}
        print(f"round {number + 1}: {len(lessons)} series", flush=True)
    write_numbers(numbers, NUMBERS)
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
        structures = {season: with_rest(structures[season], found, season) for season in structures}
    write_structures({season: with_changes(prior) for season, prior in structures.items()})


def thinned(every: Sequence[Series], count: int) -> Sequence[Series]:
    """Some of the series, evenly spread."""
    return every[:: max(1, len(every) // count)][:count]


def dataset_of(one: Series) -> Dataset:
    """The last rows of a series, with dates."""
    n = min(len(one.values), MOST_ROWS)
    dates = one.dates[len(one.values) - n : len(one.values)]
    return load(pd.DataFrame({"date": dates, "value": one.values[-n:]}), time="date", target="value")


def lesson(one: Series, numbers: LearnedPriors, structures: dict[bool, StructurePrior]) -> Lesson | None:
    """What the sums of the first level tell of a series, on the data and on their logarithm."""
    dataset = dataset_of(one)
    if np.ptp(dataset.y) == 0.0:
        return None
    maps = [Transform(), *([transform_of("log", dataset.y)] if dataset.y.min() > 0.0 else [])]
    found = [each for transform in maps for each in _fitted(dataset, transform, numbers, structures)]
    weights = softmax([height for _, _, height, _ in found])
    seen = [
        (key, NO_MOMENTS.added(moments, float(w)))
        for (_, each, _, _), w in zip(found, weights, strict=True)
        if w > 1e-3
        for key, moments in each
    ]
    return Lesson(found[0][3], seen, [(expr, float(w)) for (expr, _, _, _), w in zip(found, weights, strict=True)])


def _fitted(
    dataset: Dataset, transform: Transform, numbers: LearnedPriors, structures: dict[bool, StructurePrior]
) -> Iterator[tuple[Expr, list[Seen], float, bool]]:
    """The sums fitted on one scale: structure, numbers, log weight, whether there is a season."""
    maps, problem, scales = standard(modelled(dataset, transform), priors=numbers)
    season = bool(scales.only.seasons)
    raw = transform.log_jacobian(dataset.y) - maps.nll_in_data_units(0.0, problem.n)
    for start in EvidenceStrategy(LANGUAGES["extended"].with_priors, problem, scales).complete_kernels():
        best = fit(start, problem, scales, STEPS_OF_SUMS[-1])
        if best.outcome is not Outcome.FAILED:
            height = log_evidence(best.kernel, best.nll, problem, scales) + structures[season].log_probability(
                start.expr
            )
            yield best.kernel.expr, list(seen_parameters(best.kernel, problem, scales, 1.0)), height + raw, season


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
