"""What chance adds to counts about their rate."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from scipy.special import expit
from scipy.stats import kstest, poisson

from autostatistician import AutomaticStatistician, TargetOptions
from autostatistician.data.dataset import Dataset
from autostatistician.data.times.axes import Axis
from autostatistician.forms import Curve
from autostatistician.model.count_scatter import count_errors, scatter_of, with_chance
from autostatistician.model.fitting import fit_model
from autostatistician.search.run import Settings


def test_bands_about_a_known_rate_are_those_of_the_poisson_distribution() -> None:
    rate = np.array([0.3, 4.0, 50.0])
    known = Curve(np.arange(3.0), rate, 1e-7 * rate, rate, rate)
    made = with_chance(known, (0.0, np.inf))
    assert made.lower.tolist() == poisson(rate).ppf(0.025).tolist()
    assert made.upper.tolist() == poisson(rate).ppf(0.975).tolist()
    assert made.mean == pytest.approx(rate)
    assert made.sd == pytest.approx(np.sqrt(rate))


def test_errors_of_counts_are_standard_normal() -> None:
    errors = []
    for seed in range(4):
        y = np.random.default_rng(seed).poisson(0.7, 60).astype(float)
        data = Dataset(np.arange(60.0)[:, None], y, ("x",), "cases", Axis("x", "", "", 1.0))
        settings = Settings(max_depth=1, restarts=1, n_jobs=1, likelihood="poisson")
        errors.append(count_errors(fit_model(data, "extended", settings)))
    every = np.concatenate(errors)
    assert kstest(every, "norm").pvalue > 0.05
    assert abs(np.corrcoef(every[:-1], every[1:])[0, 1]) < 0.15


def test_scatter_can_be_seen_beside_chance_where_it_adds_a_twentieth() -> None:
    rng, n, parts = np.random.default_rng(1), 60, 900.0
    share = expit(np.log(0.2 / 0.8) + 0.36 * rng.standard_normal(n))
    table = pd.DataFrame({"day": np.arange(n), "late": rng.binomial(900, share), "flights": parts})
    model = AutomaticStatistician(max_depth=1, n_restarts=1, n_jobs=1, target_options=TargetOptions(totals="flights"))
    found = scatter_of(model.fit(table, "late").model_)
    chance = 0.2 * 0.8 / parts  # variance of a share, against (0.2 * 0.8)^2 times that of the logarithm of its odds
    assert found.seen == pytest.approx(np.sqrt(0.05 / (0.2 * 0.8 * parts)), rel=0.1)
    assert found.times == pytest.approx(1.0 + (0.2 * 0.8 * 0.36) ** 2 / chance, rel=0.4)
    assert "No scatter" not in " ".join(model.describe())
