"""The searches behind figures: what is kept of them fits the data, and tells what the figures show."""

from __future__ import annotations

import numpy as np
import pytest

from autostatistician.describe.tell import parts
from autostatistician.inference import condition
from look import Absent
from searched import KEPT, SEARCHES, best_of_level, decomposed, searched, way


@pytest.mark.parametrize("name", SEARCHES)
def test_what_is_kept_of_a_search_is_of_these_data(name: str) -> None:
    model = searched(name)
    best = model.search.best
    assert -condition(best.kernel, model.problem).log_evidence == pytest.approx(best.nll, abs=0.01)
    levels = [candidate.level for candidate in model.search.frontier]
    assert max(map(levels.count, levels)) <= KEPT + 1  # one more where it is on the way
    assert sorted({*levels}) == [step.level for step in model.search.trace]
    assert len(way(model.search.parents)) > 2


def test_the_model_of_the_sun_has_the_cycle_and_the_minimum_that_are_known() -> None:
    try:
        record = decomposed("solar")
    except Absent as reason:
        pytest.skip(f"{reason}")
    words = [sentence for _, sentence in parts(record)]
    assert any("10.8-year" in sentence for sentence in words)
    assert any(" from 16" in sentence and " until 17" in sentence for sentence in words)


def test_the_levels_of_a_search_get_better() -> None:
    scores = [candidate.score for candidate in best_of_level("airline")]
    assert scores[0] > scores[1] > scores[2] > scores[3]


def test_parts_of_the_airline_sum_to_the_data() -> None:
    record = decomposed("airline")
    assert [part.is_noise for part in record.components] == [False, False, False, True]
    assert np.sum([part.mean for part in record.components], axis=0) == pytest.approx(record.y, abs=0.5)
