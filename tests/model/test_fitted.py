"""A finished search as one value."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pandas as pd
import pytest

from autostatistician.data.load import load
from autostatistician.inference.parameters.learned import learned_priors
from autostatistician.language.languages import LANGUAGES
from autostatistician.model.fitted import Model
from autostatistician.model.fitting import fit_model
from autostatistician.search.run import Settings, search
from autostatistician.search.state import Watched

QUICK = Settings(max_depth=1, restarts=2, n_jobs=1)
X = np.arange(30.0)
DAYS = pd.date_range("2020-01-01", periods=30, freq="MS")


@pytest.fixture(scope="module")
def model() -> Model:
    """A small model of a monthly series."""
    y = 2.0 * X + np.random.default_rng(0).normal(size=30)
    return fit_model(load(pd.Series(y, index=DAYS, name="sales")), "full", QUICK)


def test_a_model_says_what_it_is(model: Model) -> None:
    assert repr(model).startswith("Model('data': Lin + WN, nll=")
    assert model.kernel is model.search.best.kernel


def test_one_posterior_is_kept(model: Model) -> None:
    assert model.posterior is model.posterior
    mixed = replace(model.dataset, X=model.dataset.X[::-1], y=model.dataset.y[::-1])
    turned = replace(model, dataset=mixed).posterior  # rows in the order of their places, whatever it was
    np.testing.assert_array_equal(turned.X, model.posterior.X)
    assert turned.log_evidence == model.posterior.log_evidence


def test_what_is_kept_is_made_once_for_each_key(model: Model) -> None:
    made = []
    fresh = replace(model)
    for key in ("a", "b", "a"):
        assert fresh.once(key, lambda key=key: made.append(key) or key) == key
    assert made == ["a", "b"]


def test_a_model_of_a_search_that_goes_on_is_that_of_its_level() -> None:
    seen: list[Watched] = []
    data = load(pd.Series(np.exp(X / 9.0) + 1.0, index=DAYS, name="sales"))
    found = fit_model(data, "extended", QUICK, callback=seen.append)
    model = Model.so_far(data, "extended", seen[-1])
    assert model.kernel == found.kernel
    assert model.settings.criterion == found.settings.criterion
    assert model.transform == found.transform
    np.testing.assert_array_equal(model.posterior.y, found.posterior.y)


def test_scores_by_evidence_are_log_probabilities_of_the_data_themselves(by_evidence: Model) -> None:
    best, level = by_evidence.search.best, by_evidence.search.trace[-1]
    assert level.score == min(one.score for one in by_evidence.search.frontier)  # a simpler one may be told
    assert [one.score for one in by_evidence.search.trace] == sorted(
        (one.score for one in by_evidence.search.trace), reverse=True
    )
    found = search(by_evidence.modelled, LANGUAGES["extended"].with_priors, by_evidence.settings)
    jacobian = by_evidence.transform.log_jacobian(by_evidence.dataset.y)
    assert best.score == pytest.approx(found.best.score - 2.0 * jacobian)  # no penalty for the map
    assert level.bic == pytest.approx(found.trace[-1].bic - 2.0 * jacobian + by_evidence.penalty)


def test_a_model_knows_what_its_search_knew(by_evidence: Model, model: Model) -> None:
    assert by_evidence.priors == learned_priors()
    assert model.priors is None
    assert sum(weight for _, weight in by_evidence.structures) == pytest.approx(1.0)
