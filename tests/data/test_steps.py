"""How far beyond the data one may ask, and that it is asked before anything is computed."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from tests.promoted import fitted

from autostatistician.data.dataset import from_arrays
from autostatistician.data.steps import MOST_STEPS, check_steps, steps_at_most
from autostatistician.data.times.axes import Axis
from autostatistician.errors import InputError
from autostatistician.model.horizon import default_horizon

BEYOND: list[tuple[str, dict[str, Any]]] = [
    ("forecast", {"at": "2999-01-04"}),
    ("forecast", {"at": "2999"}),
    ("forecast", {"stop": "2999-01-04"}),
    ("forecast", {"start": "2020-01-06", "stop": "9999-12-27"}),
    ("what-if", {"change": "promo=0", "stop": "2999-01-04"}),
    ("why", {"at": "2999-01-04", "against": "2024-01-01"}),
    ("trend", {"start": "2024-01-01", "stop": "2999-01-04"}),
]


@pytest.mark.parametrize("steps", [-1, 1.5, "3", True, None])
def test_steps_are_whole_numbers(steps: object) -> None:
    with pytest.raises(InputError, match="steps as a whole number from 0"):
        check_steps(steps, 0)


@pytest.mark.parametrize(("question", "given"), BEYOND)
def test_what_is_too_far_ahead_is_refused_before_its_rows_are_made(
    question: str, given: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    future = Axis.future

    def few(axis: Axis, last_x: float, steps: int) -> Any:
        assert steps <= 101
        return future(axis, last_x, steps)

    monkeypatch.setattr(Axis, "future", few)
    with steps_at_most(100), pytest.raises(InputError, match="to 100; found"):
        fitted().ask(question, **given)


def test_the_usual_horizon_is_none_that_would_be_refused() -> None:
    series = from_arrays(np.arange(4000.0), np.arange(4000.0))
    with steps_at_most(100):
        assert default_horizon(series) == 100


def test_nobody_lets_more_steps_than_there_can_be() -> None:
    with steps_at_most(10 * MOST_STEPS), pytest.raises(InputError, match=f"to {MOST_STEPS}"):
        check_steps(MOST_STEPS + 1)
