"""Places in blocks."""

from __future__ import annotations

import numpy as np
import pytest

from autostatistician.inference.engines.semiseparable.layout import laid_out

RNG = np.random.default_rng(5)
COMPARED = {
    "grid": np.arange(20.0) / 4.0,
    "gaps": RNG.choice(60, 20, replace=False) / 4.0,
    "repeated at the end": np.append(np.arange(18.0), [17.0, 17.0]),
    "scattered": RNG.uniform(0.0, 9.0, 20),
}


@pytest.mark.parametrize("case", COMPARED)
@pytest.mark.parametrize("m", [1, 6, 20, 99])
def test_lags_stand_where_they_are(case: str, m: int) -> None:
    found = laid_out(COMPARED[case], m)
    matrices = np.broadcast_to(found.expand(found.distinct), (*found.inputs.shape, found.inputs.shape[1]))
    both = found.filled[:, :, None] & found.filled[:, None, :]
    expected = np.abs(found.inputs[:, :, None] - found.inputs[:, None, :])
    np.testing.assert_allclose(matrices[both], expected[both], atol=1e-9)
    assert found.distinct[0] == 0.0


def test_collapse_is_the_adjoint_of_expand() -> None:
    for places in COMPARED.values():
        found = laid_out(places, 6)
        values, matrices = RNG.normal(size=len(found.distinct)), RNG.normal(size=(4, 6, 6))
        direct = float((found.expand(values) * matrices).sum())
        assert float(values @ found.collapse(matrices)) == pytest.approx(direct)


def test_blocks_of_a_grid_share_their_lags() -> None:
    assert len(laid_out(COMPARED["grid"], 6).index) == 1
    assert len(laid_out(COMPARED["repeated at the end"], 6).index) == 4


def test_blocks_of_a_section_know_the_lengths_of_their_own_alone() -> None:
    """A gap among other blocks is no reason for a long table."""
    x = np.concatenate([np.arange(20.0), 40.0 + np.arange(20.0)])
    whole = laid_out(x, 4, with_lags=False)
    for which in (slice(0, 3), slice(4, 7), slice(6, 10)):
        part, rates = whole.part(which), np.array([0.01, 0.3])
        expected = np.broadcast_to(whole.until.damped(rates), (10, 4, 2))[which]
        np.testing.assert_array_equal(np.broadcast_to(part.until.damped(rates), expected.shape), expected)
        assert len(part.until.distinct) <= 8 < len(whole.until.distinct)
