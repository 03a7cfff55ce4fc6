"""The Gaussian likelihood: noise everywhere, and the way back from the scale of the model."""

from __future__ import annotations

import numpy as np
import pytest

from autostatistician.data.transform import transform_of
from autostatistician.inference.likelihoods.gaussian import GAUSSIAN
from autostatistician.language.kernel import leaf
from autostatistician.language.text import parse


@pytest.mark.parametrize(
    ("text", "admitted"),
    [
        ("SE + WN", True),
        ("SE", False),
        ("SE * WN", True),
        ("CP(WN, SE)", False),
        ("CP(WN, SE + WN)", True),
        ("0", False),
    ],
)
def test_there_must_be_noise_everywhere(text: str, admitted: bool) -> None:
    assert GAUSSIAN.admits(parse(text)) == admitted


def test_all_noise_is_in_the_kernel() -> None:
    signal, noise = GAUSSIAN.halves(leaf("SE", sd=1.0, lengthscale=1.0) + leaf("WN", sd=0.5))
    assert (str(signal), str(noise)) == ("SE", "WN")
    assert not GAUSSIAN.variance(np.zeros((3, 1))).any()


def test_predictions_are_mapped_back() -> None:
    data = np.array([1.0, 10.0, 100.0])
    log = GAUSSIAN.mapped(transform_of("log", data))
    middle = log.transform.forward(np.array([10.0]))
    found = log.predictive(middle[None], np.ones((1, 1)), np.ones(1), offset=3.0)
    assert found.quantiles([0.5])[0, 0] == pytest.approx(13.0)
    assert found.mean[0] == pytest.approx(3.0 + 10.0 * np.exp(0.5))


def test_limits_are_those_of_the_data() -> None:
    found = GAUSSIAN.predictive(np.zeros((1, 1)), np.ones((1, 1)), np.ones(1), limits=(0.0, np.inf))
    assert found.quantiles([0.025])[0, 0] == 0.0
