"""Parts about the typical level of the data."""

from __future__ import annotations

import numpy as np
import pytest
from tests.decompose.series.series import decomposed

from autostatistician.data.dataset import Dataset
from autostatistician.data.transform import modelled, transform_of
from autostatistician.decompose.records.series import Decomposition, Fitted
from autostatistician.forms import BAND_SDS
from autostatistician.inference.engines.choice import condition
from autostatistician.inference.problem import Problem
from autostatistician.language.kernel import Kernel, leaf

X = np.arange(60.0)
Y = np.exp(5.0 + 0.4 * np.sin(X / 6.0) + 0.05 * np.random.default_rng(3).standard_normal(60))
SMOOTH, NOISE = leaf("SE", lengthscale=6.0, sd=2.0), leaf("WN", sd=0.05)
LOG = transform_of("log", Y)
CHANGE = Kernel.change_point(SMOOTH, leaf("Matern32", lengthscale=20.0, sd=3.0), location=29.5, steepness=2.0)


def _taken_apart(kernel: Kernel, y: np.ndarray = Y) -> Decomposition:
    data = modelled(Dataset(X[:, None], y, ("x",), "y", None), LOG)
    return decomposed(kernel, data, fitted=Fitted(kernel, 0.0, 0.0, 1, 0.0, 1), horizon=5, transform=LOG)


@pytest.mark.parametrize(
    "kernel",
    [
        SMOOTH,
        SMOOTH + leaf("C", sd=3.0),
        CHANGE,
        Kernel.change_window(SMOOTH, SMOOTH, location=30.0, steepness=1.0, width=9.0),
    ],
    ids=str,
)
def test_the_parts_add_up_to_the_data_about_their_level(kernel: Kernel) -> None:
    found = _taken_apart(kernel + NOISE)
    fit = sum(part.mean for part in found.components if not part.is_noise)
    centred = np.log(Y / LOG.scale)
    assert fit == pytest.approx(centred, abs=0.3)
    assert found.modelled == pytest.approx(centred)
    assert found.y == pytest.approx(Y)
    last = [part for part in found.components if not part.is_noise][-1]
    assert LOG.scale * np.exp(last.cumulative.mean[:50]).mean() == pytest.approx(
        found.signal.mean[:50].mean(), rel=0.01
    )


def test_a_part_is_about_zero_where_its_window_is_closed() -> None:
    for part in _taken_apart(CHANGE + NOISE).components:
        if not part.is_noise:
            assert min(np.abs(part.mean[:25]).max(), np.abs(part.mean[35:]).max()) < 0.02


def test_the_forecast_is_that_of_the_model() -> None:
    found, data = _taken_apart(SMOOTH + NOISE), modelled(Dataset(X[:, None], Y, ("x",), "y", None), LOG)
    mean, sd = condition(SMOOTH + NOISE, Problem.of(data)).observations(found.forecast.x[:, None])
    assert found.forecast.mean == pytest.approx(LOG.moments(mean, sd)[0])
    assert found.forecast.lower == pytest.approx(LOG.back(mean - BAND_SDS * sd))


def test_a_zero_of_the_data_is_left_alone() -> None:
    plain = decomposed(
        SMOOTH + NOISE,
        Dataset(X[:, None], np.log(Y), ("x",), "y", None),
        fitted=Fitted(SMOOTH, 0.0, 0.0, 1, 0.0, 1),
        horizon=5,
    )
    assert plain.components[0].mean.mean() == pytest.approx(np.log(Y).mean(), rel=0.01)
