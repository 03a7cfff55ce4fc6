"""Known errors of measurement and limits of detection, from tables and arrays to the rows of a data set."""

import numpy as np
import pytest

from autostatistician.data.dataset import Dataset
from autostatistician.data.load import load
from autostatistician.data.measured import first_sites, normal_sites, truncated
from autostatistician.data.transform import Transform, log_density_added, modelled, transform_of
from autostatistician.errors import InputError

YEARS = list(range(1990, 2000))
LEAD = ["<0.5", "2.5", "3", "4", "> 9", "6", "7", "1", "2", "3"]


def test_errors_and_limits_go_with_their_rows() -> None:
    table = {"year": YEARS[::-1], "lead": LEAD[::-1], "sd": [0.1 * k for k in range(10)][::-1]}
    data = load(table, time="year", target="lead", error="sd")
    assert data.censored is not None
    assert data.noise is not None
    assert data.censored.tolist() == [-1.0, 0, 0, 0, 1.0, 0, 0, 0, 0, 0]
    assert np.sqrt(data.noise[1:]).round(6).tolist() == [round(0.1 * k, 6) for k in range(1, 10)]
    assert data.covariates is None, "the error explains nothing"
    again = Dataset.from_json(data.to_json())
    assert again.noise is not None
    assert again.censored is not None
    assert np.array_equal(again.noise, data.noise)
    assert np.array_equal(again.censored, data.censored)
    said = "1 value of column 'lead' of 10 lies below its limit of detection: it counts as the chance to lie there"
    assert any(warning.startswith(said) for warning in data.warnings)


def test_rows_of_a_table_that_are_left_out_take_their_errors_along() -> None:
    table = {
        "a": [1.0, 2, 3, 4, 5],
        "b": [2.0, 1, 4, 3, 3],
        "y": ["1", "", "3", "<4", "5"],
        "e": [0.1, 0.2, 0.3, 0.4, 0.5],
    }
    data = load(table, target="y", inputs=["a", "b"], error="e")
    assert data.noise is not None
    assert data.censored is not None
    assert np.sqrt(data.noise).round(6).tolist() == [0.1, 0.3, 0.4, 0.5]
    assert data.censored.tolist() == [0.0, 0.0, -1.0, 0.0]


def test_arrays_have_errors_by_row() -> None:
    X = np.arange(12.0).reshape(6, 2) ** 1.5
    data = load(X, np.array([1.0, 2, np.nan, 4, 5, 6]), error=np.arange(1.0, 7.0))
    assert data.noise is not None
    assert np.sqrt(data.noise).tolist() == [1.0, 2.0, 4.0, 5.0, 6.0]


@pytest.mark.parametrize(
    ("more", "message"),
    [
        ({"error": "sd"}, "the name of the target beside an error"),
        ({"error": "width", "target": "lead"}, "a column 'width' for the error"),
        ({"error": "lead", "target": "lead"}, "another column than the target"),
        ({"error": [0.1], "target": "lead", "exposure": "sd"}, "an exposure or totals, or an error"),
        ({"error": [0.1, 0.2], "target": "lead"}, "the standard deviation of each of 10 errors"),
        ({"error": -1.0, "target": "lead"}, "a number from zero in the error for every row; found -1"),
    ],
)
def test_what_is_no_error_is_refused(more: dict[str, object], message: str) -> None:
    table = {"year": YEARS, "lead": LEAD, "sd": [0.1] * 10}
    with pytest.raises(InputError, match=message):
        load(table, **more)  # type: ignore[arg-type]


def test_words_with_such_signs_stay_categories_and_inputs_are_told() -> None:
    ages = ["<18", "18-25", ">65", "18-25", "<18", ">65", "18-25", "18-25"]
    data = load({"age": ages, "y": [1.0, 2, 3, 2, 1, 3, 2, 2.5]}, target="y", inputs=["age"])
    assert data.levels["age"] == ("<18", "18-25", ">65")
    data = load({"zinc": ["<1", "2", "3", "4", "5", "6"], "ph": [7.0, 7.5, 6, 6.5, 7, 8], "y": [1.0, 2, 3, 2, 1, 3]})
    assert data.censored is None


def test_moments_behind_a_limit_are_those_of_draws() -> None:
    rng = np.random.default_rng(0)
    f = rng.normal(0.3, 1.2, size=2_000_000)
    seen = f + rng.normal(0.0, 0.5, size=f.size) > 1.0
    log_chance, mean, variance = truncated(*(np.array([each]) for each in (1.0, 1.0, 0.3, 1.44, 0.25)))
    assert np.exp(log_chance[0]) == pytest.approx(seen.mean(), abs=2e-3)
    assert (mean[0], variance[0]) == pytest.approx((f[seen].mean(), f[seen].var()), abs=5e-3)


def test_a_site_keeps_moments_and_integral() -> None:
    given = [np.array([each]) for each in (-1.0, 0.2, 0.5, 2.0, 0.1)]
    log_chance, mean, variance = truncated(*given)
    value, own, ratio = normal_sites(*given)
    both = 1.0 / (1.0 / 2.0 + 1.0 / own)
    assert np.append(both, both * (0.5 / 2.0 + value / own)) == pytest.approx(np.append(variance, mean))
    spread = 2.0 + own
    normal = -0.5 * np.log(2.0 * np.pi * spread) - 0.5 * (value - 0.5) ** 2 / spread
    assert ratio + normal == pytest.approx(log_chance)


def test_limits_far_from_all_say_nothing_and_stay_finite() -> None:
    values, variances, ratio = first_sites(np.array([1.0, 2, 3, 1e6]), np.array([0.0, 0, 0, -1.0]), np.full(4, 1e-6))
    assert np.isfinite([values, variances]).all()
    assert np.isfinite(ratio)
    assert variances[3] > 100.0


def test_a_logarithm_takes_errors_by_its_slope() -> None:
    data = load(np.arange(5.0), [1.0, 2, 4, 8, 16], error=[0.1, 0.2, 0.4, 0.8, 1.6])
    log = transform_of("log", data.y)
    scaled = modelled(data, log)
    assert scaled.noise == pytest.approx(np.full(5, 0.01))
    assert log_density_added(data, log) == log.log_jacobian(data.y)
    assert modelled(data, Transform()) is data
