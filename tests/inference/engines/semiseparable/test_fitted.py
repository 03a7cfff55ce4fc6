"""Fits of leaves by waves change with the shapes as the leaves do."""

from __future__ import annotations

import numpy as np

from autostatistician.inference.engines.semiseparable.fitted import fit
from autostatistician.language.lag_functions import rq


def test_one_choice_of_waves_serves_all_shapes_nearby() -> None:
    shapes = np.exp(np.linspace(-0.099, 0.099, 5))
    fits = [fit("RQ", (shape,), 0.05, 30.0, 1e-7) for shape in shapes]
    assert len({id(found) for found in fits}) == 1
    for shape, found in zip(shapes, fits, strict=True):
        lags = np.linspace(0.05, 30.0, 1000)
        values = np.exp(-np.outer(lags, found.rates)) @ found.weights(rq(found.lags, 1.0, 1.0, float(shape)))
        assert np.abs(values.real - rq(lags, 1.0, 1.0, float(shape))).max() < 1e-6


def test_waves_without_frequency_come_first() -> None:
    found = fit("Deep", (), 0.05, 30.0, 1e-6)
    assert (found.rates[: found.real].imag == 0.0).all()
    assert (found.rates[found.real :].imag > 0.0).all()
    assert (found.weights(np.ones(len(found.lags)))[: found.real].imag == 0.0).all()
