"""Chances of several classes from models of each against the rest."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from autostatistician.data.classes import against_rest
from autostatistician.data.dataset import from_arrays
from autostatistician.inference.likelihoods.bernoulli import Bernoulli
from autostatistician.model.fitting import fit_model
from autostatistician.model.predictions import Options, Predictor
from autostatistician.model.several_classes import EachAgainstRest
from autostatistician.search.run import Settings


@pytest.fixture(scope="module")
def together() -> EachAgainstRest:
    rng = np.random.default_rng(1)
    X = rng.uniform(0.0, 3.0, (60, 2))
    data = replace(from_arrays(X, np.floor(X[:, 0])), classes=("a", "b", "c"))
    models = (
        fit_model(against_rest(data, place), "linear", Settings(1, 1, n_jobs=1), likelihood=Bernoulli())
        for place in range(3)
    )
    return EachAgainstRest(tuple(Predictor(model, Options(limits=None)) for model in models), data)


@pytest.mark.slow
def test_ranges_are_those_of_draws_and_hold_more_the_wider_they_are(together: EachAgainstRest) -> None:
    X = together.dataset.X[:7]
    narrow, wide = together.ranges(X, (0.25, 0.75)), together.ranges(X, (0.025, 0.975))
    assert narrow.shape == (2, 7, 3)
    assert (wide[0] <= narrow[0]).all()
    assert (narrow[1] <= wide[1]).all()
    np.testing.assert_array_equal(together.ranges(X, (0.25, 0.75)), narrow)
    told = together.told(X)
    assert all(((each.lower <= each.mean) & (each.mean <= each.upper)).all() for each in told)


@pytest.mark.slow
def test_what_is_explained_is_one_record_of_all(together: EachAgainstRest) -> None:
    found = together.explained()
    assert [record.classes for record in found.each] == [("not a", "a"), ("not b", "b"), ("not c", "c")]
    assert all(record.ahead is None for record in found.each)
