"""The record behind a report: filled in one place, from one posterior."""

import re
from dataclasses import replace
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
from scipy.special import expit
from scipy.stats import kstest, poisson, spearmanr
from tests.describe.sentences import check_document
from tests.there import there

from autostatistician import AutomaticStatistician, TargetOptions
from autostatistician.data.dataset import Dataset, from_arrays
from autostatistician.data.load import load
from autostatistician.data.outliers import Outlier, Screening
from autostatistician.data.times.axes import Axis
from autostatistician.decompose.records.series import Checks
from autostatistician.describe.tell import document
from autostatistician.errors import InputError
from autostatistician.fitted.explanation import (
    _observed,
    count_errors,
    counts_left_out,
    decomposition,
    explain,
    parts_elsewhere,
    scatter_of,
    table_decomposition,
    with_chance,
)
from autostatistician.fitted.fitting import fit_model
from autostatistician.fitted.model import Model
from autostatistician.fitted.predictions import Options, Predictor
from autostatistician.fitted.settings import default_horizon
from autostatistician.forms import Curve
from autostatistician.gp.covariance import covariance
from autostatistician.gp.posterior import posterior as posteriors
from autostatistician.kernels.grammar import LANGUAGES
from autostatistician.kernels.text import parse_kernel
from autostatistician.kernels.traits import columns_of
from autostatistician.search.run import Settings
from autostatistician.search.series.evidence import sums
from autostatistician.search.state import Candidate, SearchResult


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
    record: Any = explain(Predictor(fit_model(data, "extended", settings)), 7)
    assert record.mae_of_mean == pytest.approx(y.std())
    last = [part.mae for part in record.components if not part.is_noise][-1]
    least = np.sqrt(np.mean((y - rate) ** 2))  # of the true rate
    assert 0.9 * least < last < 0.9 * y.std()
    tested = there(record.calibration)
    assert tested.error < there(tested.naive)  # repeating the last week


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
    assert there(model.choice.gain) > 2.0
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


QUICK = Settings(max_depth=1, restarts=2, n_jobs=1)
X = np.arange(30.0)
DAYS = pd.date_range("2020-01-01", periods=30, freq="MS")


@pytest.fixture(scope="module")
def table() -> Model:
    """A small model of a table with categories."""
    rng = np.random.default_rng(1)
    frame = pd.DataFrame({"size": rng.uniform(0.0, 9.0, 40), "colour": rng.choice(["red", "blue"], 40)})
    return fit_model(load(frame, 2.0 * frame["size"] + rng.normal(size=40)), "linear", QUICK)


@pytest.mark.slow
def test_a_decomposition_has_the_horizon_asked_for(model: Model) -> None:
    assert len(decomposition(model, np.int64(5)).forecast.x) == 5  # type: ignore[arg-type]
    assert len(decomposition(model).forecast.x) == default_horizon(model.dataset, model.kernel)
    with pytest.raises(InputError, match="steps"):
        decomposition(model, -5)


@pytest.mark.slow
def test_a_curve_whose_rows_come_in_no_order_has_no_forecast() -> None:
    order = np.random.default_rng(1).permutation(30)
    pairs = pd.DataFrame({"age": X[order], "income": 2.0 * X[order] + np.random.default_rng(0).normal(size=30)})
    data = load(pairs)
    assert not Dataset.from_json(data.to_json()).is_ordered
    of_pairs = fit_model(data, "full", QUICK)
    found = decomposition(of_pairs)
    assert found.forecast.x.size == 0
    assert explain(Predictor(of_pairs)).calibration is None  # no row is later than another
    assert decomposition(of_pairs, 3).forecast.x.size == 3  # who asks gets it
    told = document(found)
    check_document(told)
    assert "forecast" not in told.abstract
    assert "Forecast" not in [section.title for section in told.sections]
    figure = told.picture
    assert figure is not None
    assert "forecast" not in figure.caption + figure.alt


def test_the_record_of_the_fit_is_that_of_the_search(model: Model) -> None:
    found = decomposition(model)
    assert found.fitted.nll == model.search.best.nll
    assert found.fitted.bic == pytest.approx(model.search.best.score)
    assert [step[0] for step in found.path] == [step.expression for step in model.search.trace]


# One posterior for all of it


class Factorised:
    """Counts how often the covariance of the data is factorised, in whatever order its rows are."""

    def __init__(self, model: Model) -> None:
        self.size = model.dataset.n
        known = covariance(model.kernel, model.modelled.X, None, model.modelled.columns)
        self.logdet = np.linalg.slogdet(known)[1]
        self.times = 0
        self.real = posteriors.factorise

    def __call__(self, K: np.ndarray, **settings: Any) -> Any:
        factor = self.real(K, **settings)
        self.times += len(K) == self.size and abs(factor.logdet - self.logdet) < 1e-9 * abs(self.logdet)
        return factor


@pytest.mark.parametrize("kind", ["model", "table"])
def test_a_report_with_all_that_is_asked_beside_it_conditions_the_model_once(
    kind: str, request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It was done three times: for predictions, for the parts, for the checks; and again for covariances."""
    found: Model = request.getfixturevalue(kind)
    counted = Factorised(found)
    monkeypatch.setattr(posteriors, "factorise", counted)
    fresh = Model(found.dataset, found.language, found.settings, found.search)
    estimator = AutomaticStatistician(average=False)._set_model(fresh)
    estimator.predict(estimator.dataset_, return_cov=True)
    estimator.report()
    estimator.statements()
    estimator.decompose(estimator.dataset_)
    estimator.transform(estimator.dataset_)
    estimator.component_correlation()
    assert counted.times == 1


def test_the_same_question_is_answered_once(model: Model) -> None:
    one = explain(Predictor(model, Options(average=False)), 3)
    assert explain(Predictor(model, Options(average=False)), 3) is one
    assert explain(Predictor(model, Options(average=False)), 4) is not one


OTHERS: dict[str, Any] = {"average": False, "limits": (0.0, 70.0)}


@pytest.mark.parametrize("changed", OTHERS)
def test_the_forecast_of_a_record_is_that_of_the_predictor(model: Model, changed: str) -> None:
    predictor = Predictor(model, Options(**{changed: OTHERS[changed]}))
    told, ahead = explain(predictor, 5).forecast, predictor.ahead(5)[1]
    np.testing.assert_array_equal(told.mean, ahead.mean)
    np.testing.assert_array_equal(np.transpose([told.lower, told.upper]), ahead.quantiles((0.025, 0.975)))


def test_a_table_has_no_horizon(table: Model) -> None:
    with pytest.raises(InputError, match="a horizon for a series alone"):
        explain(Predictor(table), 3)


@pytest.mark.parametrize("kind", ["model", "table"])
def test_parts_elsewhere_are_those_of_the_record_where_the_data_are(kind: str, request: pytest.FixtureRequest) -> None:
    found: Model = request.getfixturevalue(kind)
    record = explain(Predictor(found, Options(average=False)))
    here = getattr(record, "components", None) or record.effects
    for part, (mean, sd) in zip(here, parts_elsewhere(found, record, found.modelled.X), strict=True):
        if not getattr(part, "is_noise", False):  # elsewhere it is a new draw
            np.testing.assert_allclose(mean, part.mean, atol=1e-8)
            np.testing.assert_allclose(sd, part.sd, atol=1e-8)


@pytest.mark.slow
def test_the_path_of_a_search_by_evidence_is_told_by_it(by_evidence: Model, model: Model) -> None:
    found, other = (explain(Predictor(one)) for one in (by_evidence, model))
    assert [score for _, score, _ in found.path] == [step.score for step in by_evidence.search.trace]
    assert [score for _, score, _ in other.path] == [step.bic for step in model.search.trace]
    first = [one for one in found.tried if one.level == 1]
    assert first
    assert all(one.parent is None for one in first)  # sums are made from nothing
    assert any(one.parent is not None for one in found.tried if one.level == 2)
    assert found.proposed[1] == len(list(sums(LANGUAGES["extended"].with_priors, ("",))))


def test_a_record_knows_the_cycles_that_its_rows_can_show(by_evidence: Model, model: Model) -> None:
    assert decomposition(model, 0, checked=False).seasons == (1.0,)  # of months
    assert decomposition(by_evidence, 0, checked=False).seasons == ()


def test_a_report_on_a_model_by_evidence_says_so(by_evidence: Model) -> None:
    told = str(document(explain(Predictor(by_evidence))))
    assert "BIC" not in told.replace("'bic'", "")
    assert "log P" in told


RESET = Path("/proc/self/clear_refs")


def _resident(name: str) -> int:
    """Bytes of memory that are in use, or were at most."""
    found = there(re.search(rf"^{name}:\s+(\d+) kB$", Path("/proc/self/status").read_text(), re.MULTILINE))
    return 1024 * int(found[1])


@pytest.mark.long
@pytest.mark.skipif(not RESET.exists(), reason="the peak of memory is read as Linux tells it")
def test_many_rows_take_no_matrix_of_all_of_them() -> None:
    """Parts, bands, checks and forecast of a given model of 8000 rows in less memory than half of such a matrix."""
    n, rng = 8000, np.random.default_rng(0)
    x = np.arange(float(n))
    y = np.cumsum(rng.normal(size=n)) / 20.0 + np.sin(2.0 * np.pi * x / 24.0) + 0.5 * rng.normal(size=n)
    kernel = parse_kernel("Wiener(sd=0.05, location=0) + Cos(period=24, sd=1) + WN(sd=0.5)")
    best = Candidate(kernel, 0.0, 0.0, 1)
    search = SearchResult(best, (best,), (), 0, 0.0, "", False)
    given = Settings(criterion="bic", n_jobs=1)
    decomposition(Model(from_arrays(x[:300], y[:300]), "extended", given, search), 24)  # imports what it needs
    model = Model(from_arrays(x, y), "extended", given, search)
    before = _resident("VmRSS")
    RESET.write_text("5")  # the peak is counted from here
    record = decomposition(model, 24)
    assert _resident("VmHWM") - before < 4 * n * n
    assert record.checks is not None
    wave = next(one for one in record.components if "Cos" in str(one.kernel.expr))
    np.testing.assert_allclose(wave.mean, np.sin(2.0 * np.pi * x / 24.0), atol=0.1)
    assert record.signal_r2 > 0.5
    assert np.abs(record.forecast.mean).max() < np.abs(y).max() + 1.0


def test_forecasts_are_tested_beside_the_better_of_the_last_value_and_the_last_season(model: Model) -> None:
    """Forecasts that missed by more than the last value were praised beside last year, where nothing repeats."""
    tested = there(explain(Predictor(model, Options())).calibration)
    y = model.dataset.y
    ends = np.searchsorted(model.dataset.x, tested.origins, side="right")
    bounds = [*ends, 30]
    last = [abs(y[row] - y[end - 1]) for end, stop in pairwise(bounds) for row in range(end, stop)]
    year = [abs(y[row] - y[row - 12]) for row in range(ends[0], 30)]
    assert np.mean(last) < np.mean(year)
    assert (tested.season, tested.naive) == (None, pytest.approx(np.mean(last)))
    assert tested.error < tested.naive  # the straight line is known


def test_tails_that_the_errors_of_the_model_do_not_have_are_not_told(model: Model) -> None:
    """Values of an incident, judged before the search that found it, were "noise with heavy tails"."""
    seen = Screening(heavy=1, far=(Outlier(float(X[3]), 100.0, 300.0, aside=False),))
    judged = replace(model, screening=seen)
    assert decomposition(judged, checked=False).screening == seen
    assert decomposition(judged).screening.heavy == 0


def test_few_values_far_to_one_side_of_ordinary_ones_are_no_heavy_tails(model: Model) -> None:
    """Holidays were "noise with heavy tails", and ranges were said to be too narrow."""
    rows, errors = [3, 12, 20], np.random.default_rng(0).normal(size=30)
    errors[rows] = -7.0
    far = tuple(Outlier(float(np.sort(model.dataset.x)[row]), 100.0, 300.0, aside=False) for row in rows)
    seen = replace(model, screening=Screening(heavy=3, tails=9.0, far=far))
    told = _observed(seen, Checks((), errors))
    assert (told.heavy, told.far, told.rows) == (0, (), far)
    errors = np.random.default_rng(0).standard_t(1.0, size=30)
    assert _observed(seen, Checks((), errors)).heavy == 3


@pytest.mark.slow
def test_possible_courses_go_on_about_the_forecast() -> None:
    y = np.exp(0.05 * X + 0.05 * np.random.default_rng(3).normal(size=30))
    grown = fit_model(load(pd.Series(y, index=DAYS, name="sales")), "extended", QUICK)
    predictor = Predictor(grown)
    before, record = decomposition(grown), explain(predictor)
    x = record.observation.x
    after = x > record.x[-1]
    assert np.array_equal(record.samples[:, ~after], before.samples[:, ~after])
    forward = grown.transform.forward
    moved = forward(record.samples[:, after]) - forward(before.samples[:, after])
    assert np.ptp(moved, axis=0) == pytest.approx(0.0, abs=1e-6)  # all courses alike: they stay draws of the model
    ahead = predictor.predictive(x[after, None], signal=True).mean
    assert moved[0] == pytest.approx(forward(ahead) - forward(before.signal.mean[after]), abs=1e-6)
    assert np.abs(moved[0]).max() > 0.01
