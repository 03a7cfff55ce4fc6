"""The free parameters of a kernel on latent coordinates."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.optimize import approx_fprime

from autostatistician.errors import InputError
from autostatistician.inference.parameters import learned_table_priors
from autostatistician.language.text import parse_kernel
from autostatistician.latent.parameters import LatentParameters

NAMES = ("z1", "z2")


def _parameters(text: str) -> LatentParameters:
    return LatentParameters(parse_kernel(text), NAMES)


def test_numbers_begin_where_they_are_given_and_go_there_and_back() -> None:
    parameters = _parameters("SE[z1](lengthscale=1.5, sd=2) + Lin[z2] + WN(sd=0.2)")
    kernel = parameters.kernel(parameters.start)
    assert kernel.noise_sd == pytest.approx(0.2)
    assert kernel.signal.values[:2] == pytest.approx((1.5, 2.0))
    assert str(kernel.kernel).endswith("+ WN")
    assert all(low <= at <= high for at, (low, high) in zip(parameters.start, parameters.limits, strict=True))


def test_a_product_has_one_size() -> None:
    parameters = _parameters("SE[z1] * SE[z2] + WN")
    assert len(parameters.start) == 4
    _, slopes = parameters.penalised(0.0, parameters.start, np.arange(5.0))
    assert slopes.tolist() == [float(prior.index) for prior in parameters.priors]


def test_learned_priors_add_their_penalty_and_its_slope() -> None:
    learned = LatentParameters(parse_kernel("SE[z1] * Lin[z2] + WN"), NAMES, learned_table_priors())
    u = learned.start + 0.3
    value, slopes = learned.penalised(1.0, u, np.zeros(5))
    assert value == pytest.approx(1.0 + learned.penalty(u))
    assert slopes == pytest.approx(approx_fprime(u, learned.penalty, 1e-7), abs=1e-5)
    assert _parameters("SE[z1] * Lin[z2] + WN").penalty(u) == 0.0


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("SE[z1]", "white noise as one term of the kernel; found none"),
        ("SE[z1] + WN * Lin[z1]", "white noise as one term"),
        ("WN", "a kernel that depends on the coordinates"),
    ],
)
def test_kernels_that_are_no_latent_ones(text: str, message: str) -> None:
    with pytest.raises(InputError, match=message):
        _parameters(text)
