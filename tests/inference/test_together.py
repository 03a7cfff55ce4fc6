"""Requests, by themselves and in groups."""

import numpy as np
import pytest

from autostatistician.inference.parameters import measure
from autostatistician.inference.problem import Problem
from autostatistician.inference.together import EvidenceOf, FitOf, ValuesOf, grouped_answers
from autostatistician.language.kernel import leaf


def test_groups_answer_as_each_alone() -> None:
    x, noise = np.arange(4.0)[:, None], leaf("WN", sd=2.0)
    data = [Problem(x, y) for y in (np.array([1.0, -1.0, 1.0, -1.0]), np.array([2.0, 0.0, 1.0, -3.0]))]
    scales = [measure(problem.X, problem.y, ("x",)) for problem in data]
    several = [noise, leaf("WN", sd=0.5), leaf("WN", sd=3.0)]
    requests = [ValuesOf(several[: index + 2], problem) for index, problem in enumerate(data)]
    for values, request in zip(grouped_answers(requests), requests, strict=True):
        assert values == pytest.approx(request.alone())
    logs = [EvidenceOf(noise, 9.0, *each) for each in zip(data, scales, strict=True)]
    assert grouped_answers(logs) == pytest.approx([request.alone() for request in logs])
    fits = [FitOf(noise, *each, 50) for each in zip(data, scales, strict=True)]
    assert [fit.loss for fit in grouped_answers(fits)] == pytest.approx([fit.alone().loss for fit in fits])


def test_values_end_where_time_does_and_one_is_known() -> None:
    problem = Problem(np.arange(4.0)[:, None], np.array([1.0, -1.0, 1.0, -1.0]))
    several = [leaf("WN", sd=sd) for sd in (1.0, 2.0, 3.0)]
    request = ValuesOf(several, problem, lambda: True)
    assert request.alike() is None
    assert request.alone() == ValuesOf(several[:1], problem).alone()
