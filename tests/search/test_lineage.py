"""From which model each candidate was made."""

from __future__ import annotations

import numpy as np

from autostatistician.data.dataset import Dataset
from autostatistician.language.grammar import LANGUAGES, neighbours
from autostatistician.language.kernel import leaf
from autostatistician.search.lineage import parents
from autostatistician.search.run import Settings, search
from autostatistician.search.state import Candidate
from autostatistician.search.tables import Table


def test_every_candidate_of_a_search_is_a_neighbour_of_the_one_that_is_named() -> None:
    x = np.arange(40.0)
    data = Dataset(x[:, None], np.sin(x / 4.0) + 0.05 * x, ("x",), "y", None)
    frontier = search(data, LANGUAGES["full"], Settings(max_depth=2, restarts=1, n_jobs=1)).frontier
    found = parents(frontier, LANGUAGES["full"])
    assert [origin for one, origin in zip(frontier, found, strict=True) if one.level == 0] == [None]
    known = [(one, frontier[origin]) for one, origin in zip(frontier, found, strict=True) if origin is not None]
    assert len(known) >= 0.8 * (len(frontier) - 1)
    for one, origin in known:
        assert origin.level < one.level
        made = neighbours(origin.kernel, LANGUAGES["full"], (None,), 2)
        assert one.kernel.expr in {kernel.expr for kernel in made}


def test_of_several_the_best_is_named_and_strangers_have_no_parent() -> None:
    noise, smooth = leaf("WN", sd=1.0), leaf("SE", sd=1.0, lengthscale=2.0)
    line = leaf("Lin", sd=1.0, location=0.0)
    candidates = [
        Candidate(noise, 9.0, 20.0, 0),
        Candidate(smooth + noise, 5.0, 12.0, 1),
        Candidate(line + noise, 4.0, 11.0, 1),
        Candidate(smooth + line + noise, 1.0, 5.0, 2),
        Candidate(smooth * smooth * line * line * line + noise, 1.0, 6.0, 2),
    ]
    assert parents(candidates, LANGUAGES["full"]) == (None, 0, 0, 2, None)


def test_on_a_table_the_parent_is_the_one_incumbent_or_not_known() -> None:
    rng = np.random.default_rng(0)
    X = np.column_stack([rng.uniform(0.0, 5.0, (40, 2)), np.arange(40.0) % 3])
    y = np.sin(X[:, 0]) * X[:, 1] + X[:, 2] + 0.05 * rng.normal(size=40)
    data = Dataset(X, y, ("a", "b", "kind"), "y", None, levels={"kind": ("p", "q", "r")})
    frontier = search(data, LANGUAGES["interpretable"], Settings(max_depth=3, restarts=1, n_jobs=1)).frontier
    found = parents(frontier, LANGUAGES["interpretable"], data.columns, data.levels)
    table = Table(LANGUAGES["interpretable"], data.columns, frozenset(["kind"]))
    later = [(one, origin) for one, origin in zip(frontier, found, strict=True) if one.level > 1]
    assert later
    for one, origin in later:
        leader = min((other for other in frontier if other.level < one.level), key=Candidate.rank)
        proposed = {kernel.expr for kernel in table.proposals(leader.kernel)}
        assert (origin is not None) == (one.kernel.expr in proposed)
        assert origin is None or frontier[origin] is leader
    assert sum(origin is not None for _, origin in later) >= 0.8 * len(later)
    assert None in [origin for one, origin in zip(frontier, found, strict=True) if one.level == 1]  # from above
