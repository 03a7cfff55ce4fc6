"""The evidence of a structure, with its numbers integrated out, against quadrature."""

from __future__ import annotations

from math import log

import numpy as np
import pytest

from autostatistician.inference.beliefs import beliefs
from autostatistician.inference.engines.choice import objective_of
from autostatistician.inference.optimise import fit
from autostatistician.inference.problem import Problem
from autostatistician.inference.scales import measure
from autostatistician.inference.structure_evidence import log_evidence
from autostatistician.language.kernel import leaf


def test_one_number_is_integrated_as_quadrature_does() -> None:
    x = np.arange(60.0)[:, None]
    y = np.random.default_rng(0).normal(size=60)
    problem, scales = Problem(x, y), measure(x, y, ("x",))
    best = fit(leaf("WN", sd=1.0), problem, scales)
    (belief,) = beliefs(best.kernel.expr, scales, best.kernel.values)
    objective = objective_of(best.kernel.expr, problem)
    places = np.linspace(-6.0, 6.0, 4001)
    logs = [-objective.value((belief.value(belief.mean + belief.width * z),)) - 0.5 * z**2 for z in places]
    whole = float(np.trapezoid(np.exp(np.array(logs) - max(logs)), places)) / np.sqrt(2.0 * np.pi)
    assert log_evidence(best.kernel, best.nll, problem, scales) == pytest.approx(log(whole) + max(logs), abs=0.02)
