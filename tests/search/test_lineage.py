"""From which model each candidate was made."""

from __future__ import annotations

import numpy as np

from autostatistician.data.dataset import Dataset
from autostatistician.language.grammar import LANGUAGES, neighbours
from autostatistician.language.kernel import leaf
from autostatistician.search.lineage import parents
from autostatistician.search.run import Settings, search
from autostatistician.search.state import Candidate


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
