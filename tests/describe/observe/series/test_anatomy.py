"""Peeling changes off a component, and the algebra of intervals."""

from math import inf

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.describe.factory import ZERO

from autostatistician.describe.observe.series.anatomy import (
    GateSide,
    anatomy,
    intersect,
    noise_sd,
    smooth_length,
    spans,
)
from autostatistician.kernels.kernel import Kernel, leaf

SE = leaf("SE", lengthscale=3.0, sd=2.0)


def test_change_points_act_before_and_after() -> None:
    assert spans(anatomy(Kernel.change_point(SE, ZERO, 5.0, 1.0)).gates) == ((-inf, 5.0),)
    assert spans(anatomy(Kernel.change_point(ZERO, SE, 5.0, 1.0)).gates) == ((5.0, inf),)


def test_windows_act_outside_and_inside() -> None:
    assert spans(anatomy(Kernel.change_window(SE, ZERO, 5.0, 1.0, 2.0)).gates) == ((-inf, 4.0), (6.0, inf))
    assert spans(anatomy(Kernel.change_window(ZERO, SE, 5.0, 1.0, 2.0)).gates) == ((4.0, 6.0),)


def test_nested_changes_intersect() -> None:
    inner = Kernel.change_point(ZERO, SE, 1.0, 1.0)
    outer = Kernel.change_window(inner, ZERO, 5.0, 1.0, 2.0)
    assert spans(anatomy(outer).gates) == ((1.0, 4.0), (6.0, inf))
    never = Kernel.change_point(Kernel.change_point(ZERO, SE, 5.0, 9.0), ZERO, 1.0, 9.0)
    assert spans(anatomy(never).gates) == ()


@given(st.lists(st.tuples(st.integers(0, 9), st.integers(1, 4)), max_size=3), st.integers(0, 9), st.integers(1, 4))
def test_a_point_is_in_the_intersection_when_it_is_in_both(pieces: list[tuple[int, int]], low: int, width: int) -> None:
    left = tuple((float(a), float(a + b)) for a, b in pieces)
    right = ((float(low), float(low + width)),)
    found = intersect(left, right)
    for point in (0.5 + i for i in range(13)):
        inside = any(a < point < b for a, b in left) and any(a < point < b for a, b in right)
        assert any(a < point < b for a, b in found) == inside


def test_smooth_factors_combine() -> None:
    both = leaf("SE", lengthscale=3.0, sd=1.0) * leaf("SE", lengthscale=4.0, sd=1.0)
    assert smooth_length(anatomy(both)) == pytest.approx(2.4)
    assert smooth_length(anatomy(leaf("C", sd=1.0))) is None


def test_the_size_of_noise_follows_its_linear_factors() -> None:
    part = anatomy(leaf("WN", sd=2.0) * leaf("Lin", sd=0.5, location=10.0))
    assert (noise_sd(part, 10.0), noise_sd(part, 14.0)) == (0.0, pytest.approx(4.0))


def test_only_one_side_of_a_change_may_be_filled() -> None:
    with pytest.raises(ValueError, match="one empty side"):
        anatomy(Kernel.change_point(SE, SE, 5.0, 1.0))
    with pytest.raises(ValueError, match="found a sum"):
        anatomy(SE + SE)


def test_noise_that_is_multiplied_by_a_walk_grows_with_the_root_of_the_time() -> None:
    part = anatomy(leaf("WN", sd=2.0) * leaf("Wiener", sd=0.5, location=10.0))
    assert [noise_sd(part, at) for at in (10.0, 14.0, 26.0)] == pytest.approx([0.0, 2.0, 4.0])
    damped = anatomy(leaf("WN", sd=2.0) * leaf("IOU", lengthscale=1e6, sd=0.5, location=10.0))
    assert noise_sd(damped, 14.0) == pytest.approx(4.0, rel=1e-5)


def test_a_line_or_a_polynomial_comes_with_its_level() -> None:
    line, level = leaf("Lin", sd=1.0, location=0.0), leaf("C", sd=3.0)
    for carrier, lines in ((line, 1), (line * line, 2)):
        part = anatomy(carrier + level)
        assert (len(part.leaves), part.has_level) == (lines, True)
    with pytest.raises(ValueError, match="found a sum"):
        anatomy(SE + level)


def test_a_level_that_steps_has_its_changes_but_no_gates() -> None:
    level, other = leaf("C", sd=3.0), leaf("C", sd=2.0)
    for kernel, sides in (
        (level + Kernel.change_point(other, leaf("0"), 5.0, 9.0), [GateSide.BEFORE]),
        (Kernel.change_point(other, leaf("0"), 5.0, 9.0) + Kernel.change_point(leaf("0"), level, 5.0, 9.0),
         [GateSide.BEFORE, GateSide.AFTER]),
    ):  # fmt: skip
        part = anatomy(kernel)
        assert (part.gates, [gate.side for gate in part.switches]) == ((), sides)
        assert part.has_level
    gated = Kernel.change_point(level, leaf("0"), 5.0, 9.0)
    assert anatomy(gated).switches == anatomy(gated).gates


def test_a_walk_is_rough_and_a_damped_trend_is_not() -> None:
    walk, damped = leaf("Wiener", sd=1.0, location=0.0), leaf("IOU", lengthscale=2.0, sd=1.0, location=0.0)
    assert (anatomy(walk).rough, anatomy(damped).rough, anatomy(walk * damped).rough) == (True, False, True)
