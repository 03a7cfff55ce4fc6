"""Every engine answers all that is asked of one, and so do its objectives."""

from __future__ import annotations

import numpy as np
import pytest

from autostatistician.inference.engines.base import Engine, Objective
from autostatistician.inference.engines.choice import ENGINES
from autostatistician.inference.likelihoods.bernoulli import Bernoulli
from autostatistician.inference.posterior.posterior import Posterior
from autostatistician.inference.problem import Problem
from autostatistician.language.kernel import leaf

NUMBERS = leaf("WN", sd=1.0), Problem(np.arange(3.0), np.ones(3))
TABLE = leaf("WN", sd=1.0), Problem(np.eye(3), np.ones(3), ("a", "b", "c"))
CLASSES = leaf("SE", lengthscale=1.0, sd=1.0), Problem(np.arange(3.0), np.ones(3), likelihood=Bernoulli())


def _asked(protocol: type) -> set[str]:
    return {name for name in (*vars(protocol), *protocol.__annotations__) if not name.startswith("_")}


@pytest.mark.parametrize("engine", ENGINES, ids=lambda one: one.name)
def test_nothing_is_missing(engine: Engine) -> None:
    assert _asked(Engine) == {"name", "is_exact", "cost", "objective", "condition"}
    cases = (NUMBERS, TABLE, CLASSES)
    kernel, problem = next(one for one in cases if engine.cost(one[0].expr, one[1]) is not None)
    answers = {
        Engine: engine,
        Objective: engine.objective(kernel.expr, problem),
        Posterior: engine.condition(kernel, problem),
    }
    missing = {
        f"{protocol.__name__}.{name}"
        for protocol, one in answers.items()
        for name in _asked(protocol)
        if not hasattr(one, name)
    }
    assert missing == set()


def test_engines_have_names_of_their_own() -> None:
    assert len({one.name for one in ENGINES}) == len(ENGINES)
