"""Models that several of these tests ask about."""

import numpy as np
import pandas as pd
import pytest

from autostatistician.data.dataset import from_arrays
from autostatistician.data.load import load
from autostatistician.fitted.fitting import fit_model
from autostatistician.fitted.model import Model
from autostatistician.search.run import Settings


@pytest.fixture(scope="package")
def model() -> Model:
    """A small model of a monthly series."""
    y = 2.0 * np.arange(30.0) + np.random.default_rng(0).normal(size=30)
    data = load(pd.Series(y, index=pd.date_range("2020-01-01", periods=30, freq="MS"), name="sales"))
    return fit_model(data, "full", Settings(max_depth=1, restarts=2, n_jobs=1))


@pytest.fixture(scope="package")
def by_evidence() -> Model:
    """A model of thirty values that grow by shares, of their logarithm, found by evidence."""
    values = np.exp(0.05 * np.arange(30.0) + 0.03 * np.random.default_rng(0).normal(size=30))
    data = from_arrays(np.arange(30.0), 100.0 * values)
    return fit_model(data, "extended", Settings(max_depth=2, transform="log", criterion="evidence", n_jobs=1))
