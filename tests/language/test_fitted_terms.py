"""Fits of leaves by exponential terms change with the shapes as the leaves do."""

from __future__ import annotations

import numpy as np

from autostatistician.language.deep_lags import DEEP
from autostatistician.language.fitted_terms import fit
from autostatistician.language.lag_functions import RATIONAL_QUADRATIC, rq


def test_one_choice_of_terms_serves_all_shapes_nearby() -> None:
    shapes = np.exp(np.linspace(-0.099, 0.099, 5))
    fits = [fit(RATIONAL_QUADRATIC, (shape,), 0.05, 30.0, 1e-7) for shape in shapes]
    assert len({id(found) for found in fits}) == 1
    for shape, found in zip(shapes, fits, strict=True):
        lags = np.linspace(0.05, 30.0, 1000)
        values = np.exp(-np.outer(lags, found.rates)) @ found.weights(rq(found.lags, 1.0, 1.0, float(shape)))
        assert np.abs(values.real - rq(lags, 1.0, 1.0, float(shape))).max() < 1e-6


def test_terms_without_frequency_come_first() -> None:
    found = fit(DEEP, (), 0.05, 30.0, 1e-6)
    assert (found.rates[: found.real].imag == 0.0).all()
    assert (found.rates[found.real :].imag > 0.0).all()
    assert (found.weights(np.ones(len(found.lags)))[: found.real].imag == 0.0).all()
