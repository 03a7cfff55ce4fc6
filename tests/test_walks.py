"""Levels that wander off and trends that level off, from a search to a report."""

from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

from autostatistician import AutomaticStatistician, sample
from autostatistician.gp.covariance import covariance
from autostatistician.gp.engines.choice import condition
from autostatistician.gp.problem import Problem
from autostatistician.kernels.expr import Leaf, to_latex
from autostatistician.kernels.grammar import LANGUAGES, Language, Operator
from autostatistician.kernels.kernel import Kernel
from autostatistician.kernels.text import parse_kernel

YEARS = np.arange(1960.0, 2000.0)
WALK = "Wiener(sd=3, location=1960) + WN(sd=1)"
DAMPED = "IOU(lengthscale=4, sd=2, location=1960) + WN(sd=0.5)"
LASTING = "C(sd=2) + IOU(lengthscale=200, sd=2, location=1960) + WN(sd=0.5)"


@pytest.fixture(scope="module", autouse=True)
def _language() -> Iterator[None]:
    operators = frozenset({Operator.ADD, Operator.REPLACE, Operator.DELETE})
    language = Language("walks", ("Wiener", "IOU", "C", "WN"), operators, True, Leaf("WN"))
    with pytest.MonkeyPatch.context() as patch:
        patch.setitem(LANGUAGES, "walks", language)
        yield


def _found(truth: str, seed: int) -> AutomaticStatistician:
    y = 50.0 + sample(truth, YEARS, random_state=seed)[0]
    return AutomaticStatistician(language="walks", max_depth=3, n_restarts=3, n_jobs=1).fit(YEARS[:, None], y)


@pytest.fixture(scope="module")
def walk(_language: None) -> AutomaticStatistician:
    return _found(WALK, 5)


@pytest.fixture(scope="module")
def damped(_language: None) -> AutomaticStatistician:
    return _found(DAMPED, 4)


@pytest.mark.slow
def test_a_walk_is_found_and_told(walk: AutomaticStatistician) -> None:
    assert "Wiener" in str(walk.kernel_)
    assert "IOU" not in str(walk.kernel_)
    (found,) = [part.named() for part in walk.kernel_.parts if part.expr == Leaf("Wiener")]
    assert found["location"] == 1960.0
    assert 2.0 < found["sd"] < 4.5
    assert walk.describe() == [
        "A wandering level that is highest around 'x' = 1970 and lowest around 'x' = 1987; it lies between 32 and 62.",
        "No noise that can be seen.",
    ]


@pytest.mark.slow
def test_a_damped_trend_is_found_and_told(damped: AutomaticStatistician) -> None:
    assert str(damped.kernel_) == "IOU + C + WN"
    found = damped.kernel_.parts[0].named()
    assert found["location"] == 1960.0
    assert 1.5 < found["lengthscale"] < 12.0
    assert damped.describe() == [
        "A trend that levels off within about 15 units of 'x' and that is highest around 'x' = 1998 and lowest around "
        "'x' = 1975; it lies between 41 and 81.",
        "Random noise; 95% of it lies within \N{PLUS-MINUS SIGN}1.2.",
    ]


def _ahead(kernel: Kernel, places: NDArray[np.float64]) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Mean and deviation of the function beyond data that have nothing to do with the kernel."""
    return condition(kernel, Problem(YEARS[:, None], np.sin(YEARS))).signal(places[:, None])


def test_forecasts_of_a_walk_stay_where_it_is_and_widen() -> None:
    mean, sd = _ahead(parse_kernel(WALK), np.array([2000.0, 2010.0, 2040.0]))
    assert np.ptp(mean) < 1e-9
    assert sd[2] ** 2 - sd[1] ** 2 == pytest.approx(30.0 * 9.0)


def test_forecasts_of_a_damped_trend_level_off() -> None:
    mean, _ = _ahead(parse_kernel(DAMPED), 1999.0 + 4.0 * np.arange(4.0))
    assert np.diff(mean)[1:] / np.diff(mean)[:-1] == pytest.approx(np.exp(-1.0), rel=1e-6)


@pytest.mark.slow
def test_the_report_has_their_words_and_not_where_they_begin(damped: AutomaticStatistician, tmp_path: Path) -> None:
    page = tmp_path / "report.html"
    damped.report(page)
    text = page.read_text(encoding="utf-8")
    assert "IOU: a trend that levels off (integrated Ornstein-Uhlenbeck process)." in text
    assert "time after which the slope is forgotten" in text
    assert "where it begins, at zero" not in text


def test_they_are_saved_and_loaded(damped: AutomaticStatistician, tmp_path: Path) -> None:
    damped.save(tmp_path / "model.json")
    again = AutomaticStatistician.load(tmp_path / "model.json")
    assert again.kernel_ == damped.kernel_
    np.testing.assert_array_equal(again.predict([[2001.0]]), damped.predict([[2001.0]]))
    assert to_latex(damped.kernel_.expr) == r"\mathrm{IOU} + \mathrm{C} + \mathrm{WN}"


@pytest.mark.parametrize("text", [WALK, DAMPED, LASTING, "Lin(sd=1, location=0) * Wiener(sd=1, location=2)"])
def test_draws_have_the_covariance(text: str) -> None:
    x = np.array([0.5, 2.0, 3.0, 7.0])
    drawn = sample(text.replace("1960", "2"), x, n_samples=20_000, random_state=1)
    expected = covariance(parse_kernel(text.replace("1960", "2")), x)
    np.testing.assert_allclose(np.cov(drawn.T), expected, atol=0.03 * np.abs(expected).max())
