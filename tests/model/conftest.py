"""Models that several of these tests ask about."""

from __future__ import annotations

import numpy as np
import pytest

from autostatistician.data.dataset import from_arrays
from autostatistician.model.fitted import Model
from autostatistician.model.fitting import fit_model
from autostatistician.search.run import Settings


@pytest.fixture(scope="package")
def by_evidence() -> Model:
    """A model of thirty values that grow by shares, of their logarithm, found by evidence."""
    values = np.exp(0.05 * np.arange(30.0) + 0.03 * np.random.default_rng(0).normal(size=30))
    data = from_arrays(np.arange(30.0), 100.0 * values)
    return fit_model(data, "extended", Settings(max_depth=2, transform="log", criterion="evidence", n_jobs=1))
