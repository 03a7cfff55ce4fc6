"""Values of parts, section by section; the laws of reductions."""

from __future__ import annotations

import numpy as np
import pytest

from autostatistician.inference.engines.semiseparable import assembly, chain_reduction
from autostatistician.inference.engines.semiseparable.accuracies import Wanted
from autostatistician.inference.engines.semiseparable.assembly import Assembly
from autostatistician.inference.engines.semiseparable.posterior import SemiseparablePosterior, posterior_of
from autostatistician.inference.problem import Problem
from autostatistician.language.text import parse_kernel

LEVEL, WAVE = parse_kernel("Matern12(lengthscale=4, sd=1)"), parse_kernel("Cos(period=3, sd=1)")
X = np.random.default_rng(1).uniform(0.0, 15.0, 45)
AT = np.random.default_rng(2).permutation(np.linspace(-2.0, 18.0, 33))[:, None]
WANTED = Wanted.alike(1e-6, X)


def _posterior(monkeypatch: pytest.MonkeyPatch) -> SemiseparablePosterior:
    monkeypatch.setattr(assembly, "NUMBERS_OF_A_SECTION", 600)
    kernel = LEVEL + WAVE + parse_kernel("WN(sd=0.4)")
    found = posterior_of(kernel, Assembly(kernel, Problem(X, np.sin(X)), WANTED, block=6))
    assert found is not None
    return found


def test_many_values_are_made_some_at_a_time(monkeypatch: pytest.MonkeyPatch) -> None:
    posterior = _posterior(monkeypatch)
    whole = posterior.project(LEVEL, AT)
    expected = whole.mean, whole.variance, whole.covariance()
    monkeypatch.setattr(chain_reduction, "MOST_AT_ONCE", 2)
    few = posterior.project(LEVEL, AT)
    for one, two in zip((few.mean, few.variance, few.covariance()), expected, strict=True):
        np.testing.assert_allclose(one, two, atol=1e-12)
    np.testing.assert_allclose(whole.covariance().diagonal(), whole.variance, atol=1e-10)


def test_sums_and_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    posterior = _posterior(monkeypatch)
    one, other = (posterior.project(part, AT).reduction for part in (LEVEL, WAVE))
    both = posterior.project(LEVEL + WAVE, AT).reduction
    np.testing.assert_allclose(one.plus(other).explained(), both.explained(), atol=1e-12)
    np.testing.assert_allclose(one.plus(one).dense(), 2.0 * one.dense(), atol=1e-12)
    zero = one.zero()
    assert np.abs(zero.explained()).max() == 0.0
    assert np.abs(zero.gram(one)).max() == np.abs(zero.dense()).max() == 0.0
    np.testing.assert_allclose(zero.plus(other).explained(), other.explained(), atol=1e-12)
    alone = posterior.project(LEVEL, AT[:1]).reduction
    np.testing.assert_allclose(alone.repeated(3).explained(), np.repeat(alone.explained(), 3), atol=1e-12)


def test_where_nothing_varies_nothing_is_explained() -> None:
    kernel, x = parse_kernel("Wiener(sd=0.05, location=0) + Cos(period=24, sd=1) + WN(sd=0.5)"), np.arange(2000.0)
    assembly = Assembly(kernel, Problem(x, np.sin(x)), Wanted.alike(1e-6, x))
    found = posterior_of(kernel, assembly)
    assert found is not None
    explained = found.project(kernel.parts[0], x[:3, None]).explained
    assert explained[0] == pytest.approx(0.0, abs=1e-12)
    assert (explained >= 0.0).all()
