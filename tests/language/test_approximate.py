"""Approximate rules change a correlation by less than the tolerance, and nothing where they do not apply."""

from __future__ import annotations

from math import nan

import numpy as np
import pytest
from tests.oracles import covariance

from autostatistician.language.approximate import CORRELATION_TOLERANCE
from autostatistician.language.kernel import Kernel, leaf
from autostatistician.language.simplify import simplify

SPAN = {"x": (0.0, 2.0)}


@pytest.mark.parametrize(
    ("kernel", "after"),
    [
        (leaf("SE", lengthscale=101.0, sd=2.0), "C"),
        (leaf("RQ", lengthscale=101.0, sd=2.0, alpha=0.5), "C"),
        (leaf("RQ", lengthscale=0.5, sd=2.0, alpha=1400.0), "SE"),
        (leaf("Per", lengthscale=51.0, period=0.7, sd=2.0), "Cos"),
    ],
)
def test_approximate_rules_keep_within_the_tolerance(kernel: Kernel, after: str) -> None:
    x = np.linspace(0, 2, 30)
    found = simplify(kernel, SPAN)
    assert str(found) == after
    assert np.abs(covariance(found, x) - covariance(kernel, x)).max() <= 4.0 * CORRELATION_TOLERANCE * 1.001
    assert str(simplify(kernel)) == str(kernel)


@pytest.mark.parametrize(
    "kernel",
    [
        leaf("SE", lengthscale=99.0, sd=2.0),
        leaf("RQ", lengthscale=0.5, sd=2.0, alpha=1300.0),
        leaf("Per", lengthscale=49.0, period=0.7, sd=2.0),
        leaf("SE", lengthscale=nan, sd=2.0),
        leaf("SE", "other", lengthscale=1e9, sd=2.0),
    ],
)
def test_approximate_rules_leave_the_rest_alone(kernel: Kernel) -> None:
    assert simplify(kernel, SPAN) == kernel


def test_approximation_leads_to_exact_merging() -> None:
    kernel = leaf("SE", lengthscale=1e5, sd=3.0) * leaf("Lin", sd=2.0, location=0.0) + leaf("WN", sd=1.0)
    found = simplify(kernel, {"x": (0.0, 1.0)})
    assert str(found) == "Lin + WN"
    assert found.values == (6.0, 0.0, 1.0)


def test_a_single_span_serves_leaves_without_a_column() -> None:
    kernel = leaf("SE", lengthscale=1e5, sd=3.0)
    assert str(simplify(kernel, {"time": (0.0, 1.0)})) == "C"
    assert str(simplify(kernel, {"a": (0.0, 1.0), "b": (0.0, 1.0)})) == "SE"


def test_categories_that_are_all_alike_are_a_constant() -> None:
    alike = leaf("Cat", "colour", contrast=1e-5, sd=2.0)
    assert str(simplify(alike, span={"colour": (0.0, 1.0)})) == "C"
    assert str(simplify(leaf("Cat", "colour", contrast=0.1, sd=2.0), span={"colour": (0.0, 1.0)})) == "Cat[colour]"
