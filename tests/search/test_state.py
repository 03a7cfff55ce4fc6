"""What a search passes on: candidates that know their parent, in files as well; and what cut a search."""

from __future__ import annotations

import json
from dataclasses import asdict, replace

import pytest

from autostatistician.language.expr import Expr, Leaf
from autostatistician.language.kernel import Kernel, leaf
from autostatistician.search.state import AT_DEPTH, OUT_OF_TIME, Candidate, SearchResult, StepInfo

NOISE, SMOOTH, LINE = leaf("WN", sd=1.0), leaf("SE", sd=1.0, lengthscale=2.0), leaf("Lin", sd=1.0, location=0.0)


def _result(*frontier: Candidate) -> SearchResult:
    return SearchResult(frontier[0], frontier, (), 10, 0.1, f"{AT_DEPTH} 2.", interrupted=False)


def _candidate(kernel: Kernel, score: float, level: int, parent: Expr | None) -> Candidate:
    return Candidate(kernel, 1.0, score, level, parent)


def test_parents_are_found_among_what_is_kept_of_earlier_levels() -> None:
    found = _result(
        _candidate(SMOOTH + LINE + NOISE, 5.0, 3, (SMOOTH + NOISE).expr),
        _candidate(SMOOTH + NOISE, 11.0, 1, NOISE.expr),
        _candidate(SMOOTH + NOISE, 11.5, 2, (LINE + NOISE).expr),  # drawn again: the better one is the parent
        _candidate(LINE + NOISE, 12.0, 1, Leaf("C")),  # not kept
        _candidate(LINE + SMOOTH * SMOOTH + NOISE, 13.0, 1, (SMOOTH + NOISE).expr),  # of the same level: no parent
        _candidate(NOISE, 20.0, 0, None),
    )
    assert found.parents == (1, 5, 3, None, None, None)


@pytest.mark.parametrize("parent", [None, Leaf("WN") + Leaf("SE", "a b]")])
def test_a_candidate_keeps_its_parent_in_a_file(parent: Expr | None) -> None:
    one = _candidate(SMOOTH + NOISE, 11.0, 1, parent)
    assert Candidate.from_json(json.loads(json.dumps(one.to_json()))) == one


def test_a_record_from_before_parents_were_kept_has_none() -> None:
    one = _candidate(SMOOTH + NOISE, 11.0, 1, NOISE.expr)
    record = one.to_json()
    del record["parent"]
    assert Candidate.from_json(record) == replace(one, parent=None)


def test_a_search_tells_what_cut_it() -> None:
    step = StepInfo(1, 2, "WN", 3.0, 1.0, 10, 1, 0.1, 3.5)
    other = replace(step, level=2, expression="SE + WN")
    best = Candidate(leaf("WN", sd=1.0), 1.0, 3.0, 1)
    found = SearchResult(best, (best,), (step, other), 10, 0.1, f"{AT_DEPTH} 2.", interrupted=False)
    assert found.cut == "depth"
    assert replace(found, trace=(step, step)).cut == ""  # the last level changed nothing
    assert replace(found, stopped=OUT_OF_TIME).cut == "budget"
    assert replace(found, interrupted=True).cut == "interruption"
    assert replace(found, stopped="No neighbour of the last model improved on it.").cut == ""


def test_a_level_from_before_scores_were_kept_has_its_bic() -> None:
    step = StepInfo(1, 2, "WN", 3.0, 1.0, 10, 1, 0.1, 3.5)
    record = asdict(step)
    assert StepInfo.from_json(record) == step
    del record["score"]
    assert StepInfo.from_json(record) == replace(step, score=3.0)
