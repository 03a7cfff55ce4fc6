"""What chance adds to counts about their rate."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from scipy.special import expit
from scipy.stats import kstest, poisson, spearmanr

from autostatistician import AutomaticStatistician, TargetOptions
from autostatistician.data.dataset import Dataset
from autostatistician.data.times.axes import Axis
from autostatistician.forms import Curve
from autostatistician.language.traits import columns_of
from autostatistician.model.count_scatter import count_errors, counts_left_out, scatter_of, with_chance
from autostatistician.model.explanation import decomposition, table_decomposition
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


@pytest.mark.slow
def test_errors_of_counts_are_standard_normal() -> None:
    errors = []
    for seed in range(4):
        y = np.random.default_rng(seed).poisson(0.7, 60).astype(float)
        data = Dataset(np.arange(60.0)[:, None], y, ("x",), "cases", Axis("x", "", "", 1.0))
        settings = Settings(max_depth=1, restarts=1, n_jobs=1, likelihood="poisson")
        errors.append(count_errors(fit_model(data, "linear", settings)))
    every = np.concatenate(errors)
    assert kstest(every, "norm").pvalue > 0.05
    assert abs(np.corrcoef(every[:-1], every[1:])[0, 1]) < 0.15


@pytest.mark.slow
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


@pytest.mark.slow
def test_misses_of_counts_that_are_mostly_zero_are_root_mean_squares_in_their_units() -> None:
    rate = np.tile([0.05, 0.05, 0.05, 0.05, 0.2, 1.5, 2.5], 20)
    y = np.random.default_rng(0).poisson(rate).astype(float)
    assert np.mean(y == 0.0) > 0.5
    days = Axis("day", "day", "day", 1.0, "2024-01-01")
    data = Dataset(np.arange(140.0)[:, None], y, ("day",), "cases", days)
    settings = Settings(max_depth=1, restarts=1, n_jobs=1, likelihood="poisson")
    record = decomposition(fit_model(data, "extended", settings), 7)
    assert record.mae_of_mean == pytest.approx(y.std())
    last = [part.mae for part in record.components if not part.is_noise][-1]
    least = np.sqrt(np.mean((y - rate) ** 2))  # of the true rate
    assert 0.9 * least < last < 0.9 * y.std()
    tested = record.calibration
    assert tested is not None
    assert tested.naive is not None
    assert tested.error < tested.naive  # repeating the last week


def count_table(n: int, seed: int = 0) -> pd.DataFrame:
    rng = np.random.default_rng(seed)
    x, kind = rng.normal(size=n), rng.choice(["a", "b", "c"], n)
    rate = np.exp(0.3 + 0.6 * x + 0.9 * (kind == "b"))
    return pd.DataFrame({"cases": rng.poisson(rate), "x": x, "kind": kind, "other": rng.normal(size=n)})


@pytest.mark.slow
def test_counts_of_a_table_are_chosen_told_and_foreseen() -> None:
    given, ahead = count_table(120), count_table(200, 1)
    made = AutomaticStatistician(max_depth=2, n_restarts=2, n_jobs=1).fit(given.drop(columns="cases"), given["cases"])
    model = made.model_
    assert model.likelihood.name == "poisson"
    assert model.choice.gain is not None
    assert model.choice.gain > 2.0
    assert columns_of(model.kernel.expr) >= {"x", "kind"}
    plainly = {column.name: column.plain for column in table_decomposition(model).columns}
    assert plainly["x"] is not None
    assert plainly["x"].correlation == pytest.approx(spearmanr(given["x"], given["cases"]).statistic)
    found = counts_left_out(model)
    assert found.held[2] > 0.9
    assert 0.0 < found.r2 < 1.0
    assert abs(found.errors.std() - 1.0) < 0.2
    assert any(text.startswith("'cases' is taken as a count about a rate (Poisson)") for text in made.describe())
    rate = made.predict(ahead.drop(columns="cases"))
    truth = np.exp(0.3 + 0.6 * ahead["x"] + 0.9 * (ahead["kind"] == "b"))
    assert np.median(np.abs(np.log(rate / truth))) < 0.25
    lower, upper = made.predict_quantiles(ahead.drop(columns="cases"), levels=(0.025, 0.975)).T
    assert ((lower <= ahead["cases"]) & (ahead["cases"] <= upper)).mean() > 0.92
    assert lower.min() >= 0.0
