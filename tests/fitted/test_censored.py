"""Limits of detection in models: the evidence and the moments are those of long sums, and searches find the truth."""

from pathlib import Path

import numpy as np
import pytest

from autostatistician import AutomaticStatistician
from autostatistician.data.load import load
from autostatistician.data.transform import Transform
from autostatistician.errors import InputError
from autostatistician.fitted.censored import censored_targets
from autostatistician.gp import Problem, condition
from autostatistician.gp.covariance import covariance
from autostatistician.kernels.kernel import leaf


def test_evidence_and_function_are_those_of_draws() -> None:
    data = load(
        {"t": [0.0, 1.0, 2.0, 3.0, 4.0], "y": ["1", "0.5", "<0", "<-0.2", "0.3"]}, time="t", target="y", error=0.3
    )
    kernel = leaf("SE", sd=1.0, lengthscale=1.5) + leaf("WN", sd=0.4)
    found = censored_targets(data, Transform(), kernel)
    posterior = condition(kernel, Problem.of(found.data))
    draws = np.linalg.cholesky(covariance(kernel, data.X)) @ np.random.default_rng(0).normal(size=(5, 2_000_000))
    seen = draws + 0.3 * np.random.default_rng(1).normal(size=draws.shape)
    y, known = np.array([1.0, 0.5, 0.0, -0.2, 0.3]), [0, 1, 4]
    density = np.exp(-0.5 * ((y[known, None] - draws[known]) / 0.3) ** 2).prod(axis=0) / (0.3 * np.sqrt(2 * np.pi)) ** 3
    weights = density * (seen[2] < 0.0) * (seen[3] < -0.2)
    assert posterior.log_evidence + found.log_ratio == pytest.approx(np.log(weights.mean()), abs=0.02)
    assert posterior.project(kernel).mean == pytest.approx(draws @ weights / weights.sum(), abs=0.02)


@pytest.mark.slow
def test_a_search_with_limits_is_nearer_to_the_truth_than_with_their_values(tmp_path: Path) -> None:
    rng, t = np.random.default_rng(4), np.arange(80.0)
    f = 6.0 + 1.5 * np.sin(t / 7.0)
    truth = f + rng.normal(0.0, 0.3, 80)
    cells = [f"<{5.5}" if value < 5.5 else str(value) for value in truth]
    model = AutomaticStatistician(max_depth=2, n_jobs=1).fit(load({"t": t, "lead": cells}, time="t", target="lead"))
    plain = AutomaticStatistician(max_depth=2, n_jobs=1).fit(t[:, None], np.maximum(truth, 5.5))
    low = truth < 5.5
    missed = [np.sqrt(np.mean((each.predict(t[:, None]) - f)[low] ** 2)) for each in (model, plain)]
    assert missed[0] < 0.6 * missed[1]
    lower, upper = model.predictive(t[:, None]).quantiles([0.025, 0.975]).T
    assert 0.88 <= np.mean((lower <= truth) & (truth <= upper)) <= 1.0
    model.save(tmp_path / "model.json")
    again = AutomaticStatistician.load(tmp_path / "model.json")
    assert np.array_equal(again.predict(t[:, None]), model.predict(t[:, None]))
    assert any("below their limits of detection" in warning for warning in model.to_dict()["warnings"])
    with pytest.raises(InputError, match="a model without known errors"):
        model.update([[80.0]], [6.0])
