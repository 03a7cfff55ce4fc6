"""What candidates are ranked by: what their choices cost, and whether chance alone would have gained as much."""

from dataclasses import replace
from math import log
from typing import Any

import numpy as np
import pytest

from autostatistician.data.dataset import Dataset
from autostatistician.fitted.fitting import fit_model
from autostatistician.gp import evidence as structure_evidence
from autostatistician.gp.criteria import bic
from autostatistician.gp.likelihoods import Bernoulli
from autostatistician.gp.parameters.scales import LearnedPriors, measure
from autostatistician.gp.problem import Problem
from autostatistician.kernels.grammar import LANGUAGES
from autostatistician.kernels.kernel import Kernel, leaf
from autostatistician.search.budget import Budget
from autostatistician.search.constants import IMPROVEMENT
from autostatistician.search.racing.rounds import Rounds, Trial
from autostatistician.search.racing.workers import Runner
from autostatistician.search.scores.cycles import cycle_penalty
from autostatistician.search.scores.noise_penalties import excess, shape_penalty
from autostatistician.search.scoring import Scoring
from autostatistician.search.series.strategy import SeriesStrategy
from autostatistician.search.settings import Settings
from autostatistician.search.starting.standardisation import standard
from autostatistician.search.state import Candidate, SearchState
from autostatistician.search.tables.proposals import TableGrammar
from autostatistician.search.tables.strategy import TableStrategy

X = np.arange(60.0)[:, None] / 59.0
Y = np.random.default_rng(1).normal(size=60)
NOISE, SMOOTH = leaf("WN", sd=1.0), leaf("SE", sd=0.5, lengthscale=0.3)
CYCLE = leaf("Per", sd=0.5, lengthscale=1.0, period=0.4)
GROWING = NOISE * leaf("Lin", sd=1.0, location=-1.0)


def _scoring(*, table: bool = False, criterion: str = "bic", periods: tuple[float, ...] = ()) -> Scoring:
    columns = ("a", "b") if table else ("x",)
    inputs = np.hstack([X, X[::-1] ** 2]) if table else X
    points, scales = Problem(inputs, Y, columns), measure(inputs, Y, columns, periods)
    language = LANGUAGES["extended"]
    grammar = TableGrammar(language, columns, frozenset())
    strategy = TableStrategy(grammar, points, scales) if table else SeriesStrategy(language, points)
    return Scoring(criterion, strategy, points, scales)


def _state(*candidates: Candidate, seen: int = 100) -> SearchState:
    expressions = frozenset(Kernel.sum((NOISE,) * (2 + count)).expr for count in range(seen))
    return SearchState(1, candidates[:1], candidates, expressions, 10, finished=True)


def test_the_told_model_is_plain_only_where_structure_of_any_form_is_not_beyond_the_odds() -> None:
    scoring = _scoring(criterion="evidence")
    plain = Candidate(NOISE, 0.0, 7.0, 1)
    one, other = Candidate(SMOOTH + NOISE, 0.0, 0.0, 1), Candidate(CYCLE + NOISE, 0.0, 0.2, 1)
    assert scoring.ranked(_state(plain, replace(one, score=0.5)))[0] == plain  # odds of 26
    assert scoring.ranked(_state(plain, one, other))[0] == one  # 60, though of 33 for the better one alone


@pytest.mark.parametrize(("score", "is_selected"), [(3.2, True), (3.24, False)])
def test_a_simpler_model_is_selected_while_its_odds_are_no_worse_than_five(score: float, is_selected: bool) -> None:
    simple, likely = Candidate(SMOOTH + NOISE, 0.0, score, 1), Candidate(SMOOTH + CYCLE + NOISE, 0.0, 0.0, 1)
    leader, *_ = _scoring(criterion="evidence").ranked(_state(simple, likely))
    assert leader is (simple if is_selected else likely)


def test_of_one_part_two_parameters_count() -> None:
    smooth, cycle = Candidate(SMOOTH + NOISE, 0.0, 1.0, 1), Candidate(CYCLE + NOISE, 0.0, 0.0, 1)
    assert _scoring(criterion="evidence").ranked(_state(smooth, cycle))[0] is cycle


@pytest.mark.parametrize(("score", "is_selected"), [(4.6, True), (4.61, False)])
def test_a_leaf_on_a_column_needs_odds_of_ten(score: float, is_selected: bool) -> None:
    level = leaf("C", sd=1.0) + NOISE
    plain = Candidate(level, 0.0, score, 0)
    effect = Candidate(level + leaf("Lin", "a", sd=1.0, location=0.0), 0.0, 0.0, 1)
    leader, *_ = _scoring(table=True, criterion="evidence").ranked(_state(plain, effect))
    assert leader is (plain if is_selected else effect)


def test_a_candidate_pays_for_its_numbers_its_noise_and_its_cycles() -> None:
    scoring = _scoring()
    for kernel in (NOISE, SMOOTH + NOISE, SMOOTH + GROWING, CYCLE + NOISE):
        one = scoring.candidate(Trial(kernel, NOISE.expr, 50.0), 2)
        noise = shape_penalty(kernel.expr) + excess(kernel, scoring.problem, 0.0)
        expected = bic(50.0, kernel.expr, 60) + noise + cycle_penalty(kernel, scoring.scales)
        assert one.score == pytest.approx(expected)
        assert (one.parent, one.level) == (NOISE.expr, 2)


def test_an_exact_criterion_sees_the_choice_of_noise_itself() -> None:
    exact = _scoring(criterion="laplace")
    kernel = SMOOTH + GROWING
    score = exact.candidate(Trial(kernel, None, 50.0), 1).score
    plain = exact._criterion.score(kernel, 50.0, exact.problem, exact.scales)
    assert exact.penalty(kernel) > 0.0
    assert score == pytest.approx(plain + excess(kernel, exact.problem, 0.0))


@pytest.mark.parametrize(("gain", "first"), [(2.0 * log(100) - 0.5, "WN"), (2.0 * log(100) + 0.5, "SE + WN")])
def test_structure_must_gain_more_than_the_best_of_all_that_were_seen(gain: float, first: str) -> None:
    plain, better = Candidate(NOISE, 1.0, 100.0, 0), Candidate(SMOOTH + NOISE, 1.0, 100.0 - gain, 1)
    ranked = _scoring().ranked(_state(better, plain))
    assert str(ranked[0].kernel) == first
    assert len(ranked) == 2


def test_a_cycle_that_the_calendar_named_was_never_searched_for() -> None:
    plain, better = Candidate(NOISE, 1.0, 100.0, 0), Candidate(CYCLE + NOISE, 1.0, 100.0 - 2.0 * IMPROVEMENT, 1)
    state = _state(better, plain)
    assert str(_scoring(periods=(0.4,)).ranked(state)[0].kernel) == "Per + WN"
    assert str(_scoring(periods=(0.3,)).ranked(state)[0].kernel) == "WN"


def test_on_a_table_the_leader_stays_before_what_is_hardly_better() -> None:
    leader, other = Candidate(leaf("SE", "a", sd=1.0, lengthscale=1.0) + NOISE, 1.0, 50.0, 1), None
    other = replace(leader, kernel=leaf("SE", "b", sd=1.0, lengthscale=1.0) + NOISE, score=49.95)
    assert _scoring(table=True).ranked(_state(leader, other))[0] == leader
    assert _scoring().ranked(_state(leader, other))[0] == other


def test_a_costly_criterion_looks_at_the_best_few_of_a_level() -> None:
    problem = _scoring().problem
    kernels = [leaf("SE", sd=0.5, lengthscale=0.1 * place) + NOISE for place in range(1, 11)]
    trials = [Trial(kernel, None, 50.0, 50.0) for kernel in kernels]
    for criterion, count in (("bic", 10), ("laplace", 8)):
        scoring = _scoring(criterion=criterion)
        rounds = Rounds(Runner(problem, 0, 1), ("x",), criterion, 0, Budget(None), scoring.penalty)
        assert len(scoring.candidates(trials, 1, rounds)) == count


@pytest.mark.slow
def test_evidence_that_a_round_has_worked_out_is_not_worked_out_again(monkeypatch: pytest.MonkeyPatch) -> None:
    rng = np.random.default_rng(0)
    X, n = rng.normal(size=(320, 2)), 320
    y = np.where(X[:, 0] + rng.normal(size=n) > 0.0, 1.0, -1.0)
    data = Dataset(X, y, ("a", "b"), "y", None, classes=("no", "yes"))
    asked: list[int] = []
    exact = structure_evidence.log_evidence

    def counted(*given: Any) -> float:
        asked.append(given[2].n)
        return exact(*given)

    monkeypatch.setattr(structure_evidence, "log_evidence", counted)
    settings = Settings(max_depth=1, restarts=2, n_jobs=1)
    found = fit_model(data, "linear", settings, likelihood=Bernoulli())
    assert asked.count(n) <= 1  # of the first expression alone, which no round has seen
    maps, problem, scales = standard(data, Bernoulli(), LearnedPriors({}))
    best = found.search.best
    expected = -2.0 * exact(maps.to_standard(best.kernel), best.nll, problem, scales)
    assert best.score - 2.0 * log(2.0) == pytest.approx(expected, abs=1e-3)  # and one column was chosen among two
