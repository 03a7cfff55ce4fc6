"""Chances along columns by all models that are believed: one model, several, and means over rows."""

from __future__ import annotations

import numpy as np
import pytest
from tests.decompose.table.classes import dataset, posterior

from autostatistician.decompose.table.believed import Believed
from autostatistician.decompose.table.centred import CentredEffect
from autostatistician.decompose.table.effects import effects
from autostatistician.decompose.uncertainty import fixed_parameters
from autostatistician.inference.likelihoods.bernoulli import Bernoulli
from autostatistician.inference.posterior.posterior import Posterior
from autostatistician.language.kernel import leaf

ROWS = 30
AGES = np.linspace(15.0, 65.0, 5)


def _additive() -> Posterior:
    return posterior(dataset(ROWS))


def _together() -> Posterior:
    both = leaf("SE", "age", lengthscale=20.0, sd=1.5) * leaf("Cat", "kind", sd=1.0, contrast=1.0)
    return posterior(dataset(ROWS), both + leaf("C", sd=1.0))


def test_of_one_model_they_are_those_of_its_own_effect() -> None:
    held = _additive()
    age, *rest = held.kernel.parts
    own = CentredEffect(held, (age,), (), rest).chances((0,), (AGES,), 1)
    believed = Believed((held,), np.ones(1)).chances((0,), (AGES,))
    assert own is not None
    np.testing.assert_allclose(believed.mean, own.mean, rtol=1e-9)
    np.testing.assert_allclose([believed.lower, believed.upper], [own.lower, own.upper], rtol=1e-9)


def test_of_several_they_are_averaged_with_all_else_as_it_is_in_the_data() -> None:
    members, weights = (
        (_additive(), _together(), posterior(dataset(ROWS), leaf("C", sd=1.0))),
        np.array([0.5, 0.3, 0.2]),
    )
    expected = np.zeros(len(AGES))
    for weight, member in zip(weights, members, strict=True):
        for place, age in enumerate(AGES):
            rows = member.X.copy()
            rows[:, 0] = age
            mean, cov = member.signal_joint(rows)
            averaged = Bernoulli().averaged(np.array([mean.mean()]), np.array([cov.mean()]))
            expected[place] += weight * averaged[0]
    chances = Believed(members, weights).chances((0,), (AGES,))
    np.testing.assert_allclose(chances.mean, expected, rtol=1e-6)
    alone = Believed(members[:1], np.ones(1)).chances((0,), (AGES,))
    assert (chances.lower <= chances.mean).all()
    assert (chances.upper - chances.lower).mean() > (alone.upper - alone.lower).mean()


def test_draws_have_the_same_means_and_members_without_weight_none() -> None:
    believed = Believed((_additive(), _together()), np.array([1.0, 0.0]))
    mean, cov = believed.joint_chances((0,), (AGES,), np.random.default_rng(0))
    chances = believed.chances((0,), (AGES,))
    np.testing.assert_allclose(mean, chances.mean, atol=4.0 * float(np.sqrt(cov.diagonal().max() / 400)))
    assert cov.shape == (len(AGES), len(AGES))


@pytest.mark.parametrize("given", [True, False])
def test_the_effects_of_a_model_are_told_by_them(given: bool) -> None:
    held = _additive()
    believed = Believed((held, _together()), np.array([0.4, 0.6]))
    every = effects(fixed_parameters(held), np.random.default_rng(0), believed if given else None)
    (age,) = (effect.along[0] for effect in every if effect.columns == ("age",))
    expected = believed.chances((0,), (age.x,)).mean
    assert age.chances is not None
    assert np.allclose(age.chances.mean, expected) == given
