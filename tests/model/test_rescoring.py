"""Models are scored by other data than their search had."""

from __future__ import annotations

import numpy as np
import pytest

from autostatistician.data.dataset import from_arrays
from autostatistician.inference import condition
from autostatistician.inference.criteria import bic
from autostatistician.language.kernel import Kernel
from autostatistician.model.fitting import fit_model
from autostatistician.model.rescoring import rescored
from autostatistician.search.run import Settings

X = np.arange(40.0)
DATA = from_arrays(X, 3.0 + 0.2 * X + np.random.default_rng(0).normal(size=40))


@pytest.mark.parametrize("criterion", ["evidence", "bic"])
def test_the_data_of_the_search_give_its_scores(criterion: str) -> None:
    model = fit_model(DATA, "linear", Settings(max_depth=1, restarts=2, n_jobs=1, criterion=criterion))
    posteriors = [condition(candidate.kernel, model.problem) for candidate, _ in model.structures]
    for again, (candidate, _) in zip(rescored(model, model, posteriors), model.structures, strict=True):
        assert again.kernel == candidate.kernel
        assert (again.nll, again.score) == pytest.approx((candidate.nll, candidate.score), rel=1e-9)


def test_other_parameters_cost_what_they_miss() -> None:
    model = fit_model(DATA, "linear", Settings(max_depth=1, restarts=2, n_jobs=1, criterion="bic"))
    kernels = [
        Kernel(candidate.kernel.expr, tuple(2.0 * value for value in candidate.kernel.values))
        for candidate, _ in model.structures
    ]
    best = rescored(model, model, [condition(kernel, model.problem) for kernel in kernels])[0]
    assert best.nll > model.search.best.nll + 1.0
    assert best.score - model.search.best.score == pytest.approx(
        bic(best.nll, best.kernel.expr, 40) - bic(model.search.best.nll, best.kernel.expr, 40)
    )
