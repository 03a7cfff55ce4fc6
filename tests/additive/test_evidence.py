"""The marginal likelihood of additive kernels and its gradient."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.optimize import approx_fprime

from autostatistician.additive.base import COLUMN_LEAVES, base_of
from autostatistician.additive.evidence import LOG_IDLE, fit, learned_prior, negative_log_evidence, without_idle
from autostatistician.additive.kernel import Layout

RNG = np.random.default_rng(0)
X = RNG.normal(size=(25, 3))
Y = np.sin(X[:, 0]) + X[:, 1] * X[:, 2] + 0.1 * RNG.normal(size=25)


@pytest.mark.parametrize("symbol", COLUMN_LEAVES)
def test_gradient_of_the_evidence(symbol: str) -> None:
    layout = Layout((base_of(symbol),) * 3, (1, 2, 3))
    _check_gradient(layout)


@pytest.mark.parametrize(
    "layout",
    [
        Layout((base_of("SE", orthogonal=True),) * 3, (0, 1, 2)),
        Layout((base_of("SE"),) * 3, (0, 1, 2, 3), tied=True),
        Layout((base_of("RQ"),) * 3, (1, 2), stretched=True),
        Layout((base_of("SE"),) * 3, (0, 1, 2, 3), tied=True, stretched=True),
    ],
)
def test_gradient_of_the_evidence_of_the_variants(layout: Layout) -> None:
    _check_gradient(layout)


@pytest.mark.parametrize("variant", [{}, {"tied": True}, {"stretched": True}])
def test_learned_priors_are_weighed_against_the_data(variant: dict[str, bool]) -> None:
    layout = Layout((base_of("SE"),) * 3, (0, 1, 2, 3), **variant)
    prior = learned_prior(layout)
    probable, likely = (fit(layout, X, Y, 2, np.random.default_rng(0), known) for known in (prior, None))
    (first, slope), (other, _) = (prior.penalty(fitted.kernel.u) for fitted in (probable, likely))
    assert likely.nll < probable.nll
    assert probable.nll + first < likely.nll + other
    gradient = negative_log_evidence(layout, probable.kernel.u, X, Y)[1]
    assert gradient == pytest.approx(-slope, abs=0.02)


def test_columns_without_an_effect_have_none() -> None:
    rng = np.random.default_rng(1)
    rows = rng.normal(size=(60, 4))
    y = rows[:, 0] * rows[:, 1] + 0.1 * rng.normal(size=60)  # the others do nothing
    layout = Layout((base_of("SE"),) * 4, (2, 4))
    fitted = fit(layout, rows, y, 1, np.random.default_rng(0), learned_prior(layout))
    assert [place for place in range(4) if fitted.kernel.u[place] == LOG_IDLE] == [2, 3]


def test_columns_in_use_stay_as_they_are() -> None:
    layout = Layout((base_of("SE"),) * 3, (1, 2))
    prior = learned_prior(layout)
    u = fit(layout, X, Y, 1, np.random.default_rng(0), prior).kernel.u
    assert without_idle(layout, u, X, Y, prior) is u


def _check_gradient(layout: Layout) -> None:
    u = np.random.default_rng(2).normal(0.0, 0.3, layout.size)
    value, gradient = negative_log_evidence(layout, u, X, Y)
    assert np.isfinite(value)
    found = approx_fprime(u, lambda v: negative_log_evidence(layout, v, X, Y)[0], 1e-6)
    assert gradient == pytest.approx(found, rel=2e-3, abs=2e-3)
