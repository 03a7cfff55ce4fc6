"""The choice between normal noise, a logarithm and counts."""

from dataclasses import replace

import numpy as np
import pytest
from scipy.stats import norm

from autostatistician.data.dataset import Dataset
from autostatistician.data.times.axes import Axis
from autostatistician.data.transform import Transform, modelled, transform_of
from autostatistician.errors import InputError
from autostatistician.gp import Problem, condition
from autostatistician.gp.count_likelihoods import Hurdle, NegativeBinomial, Poisson
from autostatistician.gp.likelihoods import Gaussian
from autostatistician.kernels.grammar import LANGUAGES
from autostatistician.kernels.kernel import leaf
from autostatistician.search.preprocessing.likelihoods import (
    check_counts,
    chosen_likelihood,
    counts_possible,
    log_cells,
    said_of_counts,
)
from autostatistician.search.run import Settings

N = 100
X = np.arange(float(N))
RATE = 3.0 * np.exp(0.8 * np.sin(2.0 * np.pi * X / 25.0))
EXTENDED = LANGUAGES["extended"].with_priors
EVIDENCE, BIC = (Settings(criterion=name, n_jobs=1) for name in ("evidence", "bic"))
ASKED = replace(EVIDENCE, likelihood="poisson")


def data(y: np.ndarray, target: str = "cases") -> Dataset:
    return Dataset(X[: len(y), None], y, ("x",), target, Axis("x", "", "", 1.0))


COUNTS = data(np.random.default_rng(0).poisson(RATE).astype(float))


@pytest.mark.slow
@pytest.mark.parametrize("settings", [EVIDENCE, BIC])
def test_counts_about_a_rate_are_seen(settings: Settings) -> None:
    choice = chosen_likelihood(COUNTS, settings, EXTENDED)
    assert isinstance(choice.likelihood, Poisson)
    assert choice.transform.is_log
    assert choice.gain is not None
    assert choice.gain > 5.0
    assert choice.sites is not None
    assert np.corrcoef(choice.sites.values, RATE)[0, 1] > 0.5


@pytest.mark.slow
def test_whole_numbers_with_normal_noise_stay_normal() -> None:
    rounded = np.round(40.0 + 4.0 * np.random.default_rng(1).standard_normal(N) + 0.1 * X)
    choice = chosen_likelihood(data(np.maximum(rounded, 0.0)), EVIDENCE, EXTENDED)
    assert type(choice.likelihood) is Gaussian


def test_what_is_asked_for_is_taken() -> None:
    for name, kind in (("gaussian", Gaussian), ("poisson", Poisson)):
        choice = chosen_likelihood(COUNTS, replace(EVIDENCE, likelihood=name), EXTENDED)
        assert type(choice.likelihood) is kind
    assert type(chosen_likelihood(COUNTS, replace(EVIDENCE, transform="none"), EXTENDED).likelihood) is Gaussian


@pytest.mark.slow
def test_rates_that_scatter_by_a_large_factor_are_seen() -> None:
    rng = np.random.default_rng(2)
    y = rng.poisson(8.0 * rng.gamma(1.0, 1.0, N)).astype(float)
    law = chosen_likelihood(data(y), EVIDENCE, EXTENDED).likelihood
    assert isinstance(law, NegativeBinomial)
    assert law.dispersion == pytest.approx(1.0, rel=0.4)
    lognormal = rng.poisson(8.0 * np.exp(rng.normal(0.0, 1.0, N))).astype(float)
    assert type(chosen_likelihood(data(lognormal), EVIDENCE, EXTENDED).likelihood) is Poisson


@pytest.mark.slow
def test_zeros_with_a_chance_of_their_own_are_seen() -> None:
    rng = np.random.default_rng(2)
    y = np.where(rng.random(N) < 0.6, 0.0, rng.poisson(6.0, N))
    law = chosen_likelihood(data(y), EVIDENCE, EXTENDED).likelihood
    assert isinstance(law, Hurdle)
    assert law.none == pytest.approx((np.sum(y == 0.0) + 0.5) / (N + 1.0))


def test_which_values_may_be_counts() -> None:
    y = COUNTS.y
    assert counts_possible(COUNTS)
    assert not counts_possible(data(y, "temperature"))
    assert not counts_possible(data(np.minimum(y, 1.0)))
    assert not counts_possible(data(y + 0.5))
    assert not counts_possible(data(y + 60.0))


@pytest.mark.parametrize(
    ("y", "found"), [(COUNTS.y - 9.0, "found -"), (COUNTS.y + 0.5, r"found \d\.5"), (np.zeros(N), "found zeros alone")]
)
def test_what_are_no_counts_is_said(y: np.ndarray, found: str) -> None:
    with pytest.raises(InputError, match=found):
        check_counts(data(y), ASKED)


def test_counts_have_no_other_scale() -> None:
    with pytest.raises(InputError, match="transform 'auto' beside likelihood 'poisson'"):
        check_counts(COUNTS, replace(ASKED, transform="none"))


@pytest.mark.parametrize("transform", [Transform(), transform_of("log", COUNTS.y + 1.0)])
def test_cells_are_the_probabilities_of_whole_numbers(transform: Transform) -> None:
    raw = COUNTS.y + 1.0
    scaled = modelled(data(raw), transform)
    sd = 2.0 * float(np.std(scaled.y))
    density = norm(0.0, sd)
    with np.errstate(divide="ignore"):
        low = np.where(raw > 0.5, transform.forward(np.maximum(raw - 0.5, 1e-300)), -np.inf)
    chances = density.cdf(transform.forward(raw + 0.5)) - density.cdf(low)
    expected = np.log(chances) - density.logpdf(scaled.y)
    posterior = condition(leaf("WN", sd=sd), Problem.of(scaled))
    assert log_cells(posterior, transform, raw) == pytest.approx(float(expected.sum()), abs=1e-6)


@pytest.mark.slow
def test_many_zeros_do_not_make_normal_noise_probable_without_bound() -> None:
    rare = (np.random.default_rng(0).random(N) < 0.08) * np.random.default_rng(1).integers(1, 4, N)
    choice = chosen_likelihood(data(rare.astype(float)), EVIDENCE, EXTENDED)
    assert isinstance(choice.likelihood, Poisson)


def test_whole_numbers_on_a_line_are_no_counts_about_a_rate() -> None:
    assert type(chosen_likelihood(data(3.0 + 2.0 * X[:30]), EVIDENCE, EXTENDED).likelihood) is Gaussian


@pytest.mark.slow
def test_tables_of_counts_are_told_from_normal_noise_and_large_ones_named() -> None:
    rng = np.random.default_rng(3)
    x = rng.normal(size=(2100, 2))
    plain = Dataset(x, np.round(8.0 + 2.0 * x[:, 0] + rng.normal(size=2100)), ("a", "b"), "score", None)
    plain = replace(plain, y=np.maximum(plain.y, 0.0))
    counts = replace(plain, y=rng.poisson(np.exp(0.5 + 0.7 * x[:, 0])).astype(float), target="cases")
    few = np.arange(300)
    for data_set, likelihood in ((plain, Gaussian), (counts, Poisson)):
        part = replace(data_set, X=x[few], y=data_set.y[few])
        assert isinstance(chosen_likelihood(part, EVIDENCE, EXTENDED).likelihood, likelihood)
        assert said_of_counts(part, EVIDENCE) == ()
    made = chosen_likelihood(counts, EVIDENCE, EXTENDED)  # of so many rows the rate of all with the numbers of some
    assert isinstance(made.likelihood, Poisson)
    assert made.sites is not None
    slope = np.polyfit(x[:, 0], made.sites.values, 1, w=1.0 / np.sqrt(made.sites.variances))[0]
    assert 0.6 < slope < 0.8
    most = replace(counts, X=np.tile(x, (10, 1)), y=np.tile(counts.y, 10))
    (said,) = said_of_counts(most, EVIDENCE)
    assert said.startswith("The values of 'cases' are counts, but only tables of up to 20,000 rows")
    assert isinstance(chosen_likelihood(most, EVIDENCE, EXTENDED).likelihood, Gaussian)
    with pytest.raises(InputError, match="at most 20,000 rows of a table"):
        check_counts(most, Settings(likelihood="poisson"))
