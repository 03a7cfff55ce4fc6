"""Posterior weights of the models of a frontier."""

from __future__ import annotations

from math import exp

import pytest

from autostatistician.language.kernel import Kernel, leaf, unset
from autostatistician.language.text import parse
from autostatistician.search.scores.weights import weighted
from autostatistician.search.state import Candidate

NOISE, LEVEL = leaf("WN", sd=1.0), leaf("C", sd=1.0)
SMOOTH = leaf("SE", lengthscale=1.0, sd=1.0)


def _candidate(kernel: Kernel, score: float) -> Candidate:
    return Candidate(kernel, 0.5 * score, score, 1)


def test_weights_are_those_of_the_scores() -> None:
    found = weighted([_candidate(SMOOTH + NOISE, 10.0), _candidate(SMOOTH + LEVEL + NOISE, 13.0)])
    assert [weight for _, weight in found] == pytest.approx([1 / (1 + exp(-1.5)), 1 / (1 + exp(1.5))])


def test_an_expression_counts_once_and_with_its_best_numbers() -> None:
    found = weighted([_candidate(SMOOTH + NOISE, 10.0), _candidate(leaf("SE", lengthscale=2.0, sd=1.0) + NOISE, 8.0)])
    assert [(one.score, weight) for one, weight in found] == [(8.0, 1.0)]


@pytest.mark.parametrize(("behind", "count"), [(13.8, 2), (13.85, 1)])
def test_models_of_less_than_a_thousandth_of_the_best_are_left_out(behind: float, count: int) -> None:
    found = weighted([_candidate(SMOOTH + NOISE, 10.0), _candidate(LEVEL + NOISE, 10.0 + behind)])
    assert [one.score for one, _ in found] == [10.0, 10.0 + behind][:count]


def test_where_chance_explains_the_structure_only_plain_models_have_weight() -> None:
    # the search puts noise first where structure gains no more than chance does
    found = weighted([_candidate(LEVEL + NOISE, 12.0), _candidate(SMOOTH + NOISE, 10.0), _candidate(NOISE, 13.0)])
    assert [str(one.kernel) for one, _ in found] == ["C + WN", "WN"]
    assert sum(weight for _, weight in found) == pytest.approx(1.0)


def test_where_the_criterion_has_charged_for_chance_every_model_has_its_weight() -> None:
    several = [_candidate(LEVEL + NOISE, 12.0), _candidate(SMOOTH + NOISE, 13.0)]
    assert [str(one.kernel) for one, _ in weighted(several, chance_is_charged=True)] == ["C + WN", "SE + WN"]


def test_a_simpler_model_that_was_chosen_comes_first_with_its_own_weight() -> None:
    chosen, likelier = _candidate(LEVEL + NOISE, 12.0), _candidate(SMOOTH + NOISE, 10.0)
    found = weighted([chosen, likelier], chance_is_charged=True)
    assert [one for one, _ in found] == [chosen, likelier]
    assert [weight for _, weight in found] == pytest.approx([1 / (1 + exp(1.0)), 1 / (1 + exp(-1.0))])


def test_a_function_counts_once_however_it_is_spelled() -> None:
    spellings = ("C + WN + CP(WN, C)", "WN + CP(C + WN, C)", "CP(C + WN, C + WN)", "WN + CP(C, C)")
    kernels = [unset(parse(text)) for text in spellings]
    found = weighted([_candidate(kernel, 8.0) for kernel in kernels], chance_is_charged=True)
    assert [weight for _, weight in found] == pytest.approx([0.5, 0.5])
