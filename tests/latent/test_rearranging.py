"""Moves of whole groups: they grow volumes as they say, and leave a distribution as it is."""

from __future__ import annotations

import numpy as np
import pytest

from autostatistician.latent.normal_wishart import Assigned, Groups, NormalWishart
from autostatistician.latent.rearranging import Proposal, proposals

LABELS = np.array([0, 0, 0, 1, 1, 2])
PRIOR = NormalWishart.standard(2, 1.0, 5.0)
PROPOSALS = proposals(2)


def drawn(rng: np.random.Generator) -> np.ndarray:
    """Places of their groups, from the prior, one after the other."""
    X = np.zeros((len(LABELS), 2))
    for n in range(len(LABELS)):
        groups = Groups.of(PRIOR, X[:n], LABELS[:n], room=int(LABELS.max()) + 1)
        X[n] = groups.draw(LABELS[n : n + 1], rng)[0]
    return X


@pytest.mark.parametrize("propose", PROPOSALS)
@pytest.mark.parametrize("dimensions", [2, 3])
def test_volumes_grow_as_is_said(propose: Proposal, dimensions: int) -> None:
    X = np.random.default_rng(0).standard_normal((len(LABELS), dimensions))
    changed = False
    for seed in range(3):
        place, growth = propose(X, LABELS, np.random.default_rng(seed))
        columns = []
        for step in 1e-6 * np.eye(X.size).reshape(-1, *X.shape):
            after, before = (propose(X + s * step, LABELS, np.random.default_rng(seed))[0] for s in (1.0, -1.0))
            columns.append((after - before).ravel() / 2e-6)
        assert np.linalg.slogdet(np.array(columns))[1] == pytest.approx(growth, abs=1e-5)
        changed |= not np.allclose(place, X)  # a row alone does not turn about itself
    assert changed


@pytest.mark.slow
@pytest.mark.parametrize("propose", PROPOSALS)
def test_a_distribution_stays_as_it_is(propose: Proposal) -> None:
    """Draws of it, moved and accepted by the rule of Metropolis and Hastings, are draws of it."""
    rng, assigned, before, after, accepted = np.random.default_rng(0), Assigned(PRIOR, LABELS), [], [], 0
    for _ in range(400):
        X = drawn(rng)
        before.append(told(X))
        for _ in range(4):
            place, growth = propose(X, LABELS, rng)
            if np.log(rng.random()) < assigned.at(place)[0] - assigned.at(X)[0] + growth:
                X, accepted = place, accepted + 1
        after.append(told(X))
    assert accepted > 200
    gain = np.array(after) - np.array(before)
    assert np.abs(gain.mean(axis=0) / (gain.std(axis=0) / np.sqrt(len(gain)))).max() < 3.5


def told(X: np.ndarray) -> list[float]:
    """Bounded, as the distribution has long tails."""
    centre = np.tanh(X[0])
    return [*centre, *centre**2, float(np.tanh(((X[0] - X[1]) ** 2).sum())), float(np.tanh(((X[0] - X[3]) ** 2).sum()))]
