"""What sections hold is what all blocks at once would."""

from __future__ import annotations

import numpy as np
import pytest

from autostatistician.inference.covariance.matrices import covariance
from autostatistician.inference.engines.semiseparable import assembly
from autostatistician.inference.engines.semiseparable.assembly import Assembly
from autostatistician.inference.engines.semiseparable.orders import Wanted
from autostatistician.inference.problem import Problem
from autostatistician.language.rewrite import components
from autostatistician.language.text import parse_kernel

KERNEL = parse_kernel(
    "Matern12(lengthscale=2, sd=1) * Wiener(sd=0.4, location=0) + Wiener(sd=0.3, location=0) + C(sd=1) + WN(sd=0.5)"
)
X = np.random.default_rng(0).permutation(np.linspace(0.0, 12.0, 37))
WANTED = Wanted.alike(1e-6, X)


def test_sections_make_up_the_covariance(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(assembly, "NUMBERS_OF_A_SECTION", 1000)
    found = Assembly(KERNEL, Problem(X, X), WANTED, block=5)
    assert len(found.sections) > 2
    blocks = [found.blocks(which, np.full(found.cut.places.shape, 0.1)) for which in found.sections]
    K = covariance(KERNEL, np.sort(X)) + 0.1 * np.eye(len(X))
    first, last = blocks[0], blocks[-1]
    np.testing.assert_allclose(first.K[1], K[5:10, 5:10], atol=1e-12)
    np.testing.assert_allclose(last.K[-1], np.pad(K[35:, 35:], (0, 3)) + np.diag([0, 0, 1, 1, 1]), atol=1e-12)
    left = np.prod(np.concatenate([one.phi for one in blocks])[1:-1], axis=0)
    np.testing.assert_allclose(last.U[-1, :2] @ (left * first.V[0]).T, K[35:, :5], atol=1e-12)


def test_parts_are_found_by_their_summands() -> None:
    found = Assembly(KERNEL, Problem(X, X), WANTED, block=5)
    parts = components(KERNEL)
    assert sorted(index for part in parts for index in found.find(part) or ()) == list(found.every)
    assert len(found.find(KERNEL) or ()) == len(found.every) == 4
    assert found.find(parse_kernel("Wiener(sd=0.3, location=0)")) is not None
    assert found.find(parse_kernel("Wiener(sd=0.31, location=0)")) is None
    assert found.find(parse_kernel("C(sd=1) + C(sd=1)")) is None
