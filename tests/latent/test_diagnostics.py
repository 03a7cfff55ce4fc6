"""Whether chains agree."""

from __future__ import annotations

import numpy as np

from autostatistician.latent.diagnostics import agreement

RNG = np.random.default_rng(0)


def test_chains_of_one_distribution_agree_and_others_do_not() -> None:
    same = RNG.standard_normal((4, 200))
    assert agreement(same)[0] < 1.02
    assert agreement(same + np.arange(4)[:, None])[0] > 1.5


def test_what_depends_on_the_last_has_fewer_effective_samples() -> None:
    steps = RNG.standard_normal((4, 200))
    slow = np.zeros_like(steps)
    for k in range(1, 200):
        slow[:, k] = 0.9 * slow[:, k - 1] + steps[:, k]
    assert agreement(slow)[1] < 0.3 * agreement(steps)[1]


def test_edges() -> None:
    assert agreement(np.ones((4, 50))) == (1.0, 200.0)
    assert agreement(np.repeat([[0.0], [1.0]], 50, axis=1))[0] == np.inf
    assert np.isnan(agreement(np.ones((2, 0)))[0])
    assert np.isnan(agreement(RNG.standard_normal((4, 2)))[0])
    assert np.isnan(agreement(RNG.standard_normal((1, 50)))[0])
