"""Change of units: the law k'(a x + b, a z + b) = s^2 k(x, z), also for negative a."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.oracles import covariance
from tests.strategies import kernels

from autostatistician.language.kernel import Kernel, leaf
from autostatistician.language.units import rescaled

X = np.array([-1.5, -0.4, 0.0, 0.0, 1.3])
SCALES = st.sampled_from([-3.0, -0.5, 0.25, 1.0, 12.0])


@given(kernels(), SCALES, st.sampled_from([0.0, -2.0, 50.0]), st.sampled_from([0.1, 1.0, 3.0]))
def test_rescaling_law(kernel: Kernel, a: float, b: float, s: float) -> None:
    wanted = s**2 * covariance(kernel, X)
    found = covariance(rescaled(kernel, a, b, s), a * X + b)
    assert np.allclose(found, wanted, rtol=0, atol=1e-9 * np.abs(wanted).max())


@given(kernels(), SCALES, st.sampled_from([0.0, 4.0]))
def test_there_and_back_again(kernel: Kernel, a: float, b: float) -> None:
    back = rescaled(rescaled(kernel, a, b, 2.0), 1 / a, -b / a, 0.5)
    assert back.expr == kernel.expr
    assert back.values == pytest.approx(kernel.values, abs=1e-12)


def test_only_the_named_columns_change() -> None:
    kernel = leaf("SE", "a", lengthscale=1.0, sd=1.0) + leaf("SE", "b", lengthscale=1.0, sd=1.0)
    assert rescaled(kernel, x_scale=5.0, columns=("b",)).values == (1.0, 1.0, 5.0, 1.0)


def test_a_turned_axis_swaps_before_and_after() -> None:
    kernel = Kernel.change_point(leaf("SE", lengthscale=1.0, sd=1.0), leaf("WN", sd=2.0), 3.0, 4.0)
    found = rescaled(kernel, x_scale=-2.0)
    assert str(found) == "CP(WN, SE)"
    assert found.values == (-6.0, 2.0, 2.0, 2.0, 1.0)


@pytest.mark.parametrize(("x_scale", "y_scale"), [(0.0, 1.0), (1.0, 0.0), (1.0, -1.0), (1.0, float("nan"))])
def test_scales_without_meaning_are_refused(x_scale: float, y_scale: float) -> None:
    with pytest.raises(ValueError, match="expected x_scale"):
        rescaled(leaf("WN", sd=1.0), x_scale, 0.0, y_scale)
