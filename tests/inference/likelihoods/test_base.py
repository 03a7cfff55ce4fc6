"""The Gaussian likelihood answers all that is asked of one."""

from __future__ import annotations

from autostatistician.inference.likelihoods.base import Likelihood
from autostatistician.inference.likelihoods.gaussian import GAUSSIAN


def test_nothing_is_missing() -> None:
    asked = {name for name in vars(Likelihood) if not name.startswith("_")}
    assert {"admits", "halves", "mapped", "predictive", "start", "variance"} <= asked
    assert {name for name in asked if not callable(getattr(GAUSSIAN, name, None))} == {"is_latent"}
    assert GAUSSIAN.is_latent is False
