"""The searches behind figures: what is kept of them fits the data, and tells what the figures show."""

from __future__ import annotations

import numpy as np
import pytest

from autostatistician.inference import condition
from look import Absent
from searched import KEPT, SEARCHES, best_of_level, decomposed, searched


@pytest.mark.parametrize("name", SEARCHES)
def test_what_is_kept_of_a_search_is_of_these_data(name: str) -> None:
    try:
        model = searched(name).model_
    except Absent as reason:
        pytest.skip(f"{reason}")
    best = model.search.best
    evidence = condition(best.kernel, model.problem).log_evidence
    assert -evidence == pytest.approx(best.nll, abs=0.01)
    levels = [candidate.level for candidate in model.search.frontier]
    assert max(map(levels.count, levels)) <= KEPT + 1  # one more where it is on the way
    assert sorted({*levels}) == [step.level for step in model.search.trace]
    assert model.search.parents[0] is not None


def test_the_levels_of_a_search_get_better() -> None:
    scores = [candidate.score for candidate in best_of_level("airline")]
    assert scores[0] > scores[1] > scores[2] > scores[3]


def test_parts_of_the_airline_sum_to_the_data() -> None:
    record = decomposed("airline")
    assert [part.is_noise for part in record.components] == [False, False, False, True]
    assert np.sum([part.mean for part in record.components], axis=0) == pytest.approx(record.y, abs=0.5)
