"""Priors of series as one value: they stand where those of parameters do, and a search goes by them."""

from dataclasses import replace

import numpy as np

from autostatistician.data.dataset import Dataset
from autostatistician.language.languages import LANGUAGES
from autostatistician.language.text import parse
from autostatistician.search.scores.series_priors import SeriesPriors, structures_of
from autostatistician.search.scores.structure_prior import learned_structures
from autostatistician.search.series.evidence import EvidenceStrategy
from autostatistician.search.starting.standardisation import standard

PACKAGE = SeriesPriors.of_package()
DATA = Dataset(np.arange(12.0)[:, None], np.random.default_rng(0).normal(size=12), ("x",), "y", None)


def test_without_any_structures_are_those_of_the_package() -> None:
    assert structures_of(None, has_season=True) is learned_structures(True)
    assert structures_of(PACKAGE, has_season=False) == learned_structures(False)


def test_a_strategy_judges_by_the_structures_beside_the_parameters() -> None:
    shapes = dict.fromkeys(PACKAGE.plain.shapes, 0.001) | {"Lin": 0.9}
    others = replace(PACKAGE, plain=replace(PACKAGE.plain, shapes=shapes))
    line = parse("Lin + C + WN")
    penalties = []
    for priors in (PACKAGE, others):
        _, problem, scales = standard(DATA, priors=priors)
        penalties.append(EvidenceStrategy(LANGUAGES["extended"].with_priors, problem, scales).penalty(line))
    assert penalties[1] < penalties[0]
