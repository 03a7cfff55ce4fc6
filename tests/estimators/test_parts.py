"""What a fitted estimator hands out: parts, and frames."""

from dataclasses import replace

import numpy as np
import pandas as pd
import pytest
from matplotlib.figure import Figure
from sklearn.exceptions import NotFittedError

from autostatistician import AutomaticStatistician
from autostatistician.data.dataset import Dataset, from_arrays
from autostatistician.data.load import load
from autostatistician.errors import InputError
from autostatistician.estimators.parts import Components, SearchFrames, forecast_frame, outlier_frame, parts
from autostatistician.fitted.explanation import explain
from autostatistician.fitted.fitting import fit_model
from autostatistician.fitted.model import Model
from autostatistician.fitted.predictions import Options, Predictor
from autostatistician.gp.criteria import bic
from autostatistician.kernels.kernel import Kernel, leaf
from autostatistician.kernels.text import parse_kernel
from autostatistician.search.run import Settings
from autostatistician.search.state import Candidate, SearchResult

pytestmark = pytest.mark.as_for_users
X = np.arange(24.0)
LINE = from_arrays(X, 0.3 * X + np.sin(X) + 5.0)
PLANE = from_arrays(np.column_stack([X, X**2 % 7.0]), np.sin(X), ("a", "b"))
TWICE = "SE(lengthscale=2, sd=1) + SE(lengthscale=30, sd=3) + Lin(sd=0.3, location=4) + WN(sd=0.5)"


def _model(kernel: Kernel, data: Dataset) -> Model:
    best = Candidate(kernel, 1.0, 2.0, 0)
    return Model(data, "full", Settings(criterion="bic"), SearchResult(best, (best,), (), 1, 0.0, "", False))


def test_parts_of_one_expression_are_numbered() -> None:
    assert sorted(Components(_model(parse_kernel(TWICE), LINE)).names) == ["Lin", "SE", "SE (2)"]


def test_means_add_up_to_the_signal_and_covariances_to_its_covariance() -> None:
    model, at = _model(parse_kernel(TWICE), LINE), np.array([[-1.0], [3.5], [40.0]])
    found = Components(model)
    mean, cov = model.posterior.signal_joint(at)
    np.testing.assert_allclose(found.means(at).sum(axis=1), mean)
    np.testing.assert_allclose(found.covariance(at).sum(axis=(0, 1)), cov, atol=1e-9)
    assert found.covariance().shape == (3, 3, 24, 24)
    shared = found.correlation(at)
    np.testing.assert_allclose(np.einsum("iiaa->ia", shared), 1.0)
    assert np.abs(shared).max() <= 1.0


def test_the_rows_by_default_are_those_of_the_data_in_their_order() -> None:
    turned = Dataset(LINE.X[::-1], LINE.y[::-1], LINE.columns, LINE.target, LINE.axis)
    one, other = (Components(_model(parse_kernel(TWICE), data)).covariance() for data in (LINE, turned))
    np.testing.assert_allclose(other, one[:, :, ::-1, ::-1], atol=1e-12)


def test_a_model_of_products_over_columns_cannot_be_drawn_along_one() -> None:
    both = parse_kernel("SE[a](lengthscale=2, sd=1) * SE[b](lengthscale=3, sd=1) + WN(sd=0.5)")
    with pytest.raises(InputError, match="along a single column"):
        Components(_model(both, PLANE)).correlation_figure(9)


@pytest.mark.slow
def test_each_picture_has_its_method() -> None:
    x = np.arange(40.0)
    y = 0.1 * x + np.sin(2.0 * np.pi * x / 8.0) + 0.1 * np.random.default_rng(0).normal(size=40)
    model = AutomaticStatistician(max_depth=2, n_restarts=2, n_jobs=1).fit(x[:, None], y)
    for figure in (model.plot.components(), model.plot.forecast(6), model.plot.correlation(points=50)):
        assert isinstance(figure, Figure)
        assert figure.axes
    assert sum(axes.axison for axes in model.plot().axes) == 1  # the rows of the legend have none


def test_before_the_fit_there_is_nothing_to_draw() -> None:
    with pytest.raises(NotFittedError):
        AutomaticStatistician().plot()


N = 48
MONTHS = pd.date_range("2019-01-01", periods=N, freq="MS")
Y = 20.0 + 0.5 * np.arange(N) + 0.3 * np.random.default_rng(0).normal(size=N)


@pytest.fixture(scope="module")
def model() -> Model:
    """A line over months with one value far off."""
    y = np.where(np.arange(N) == 30, 90.0, Y)
    settings = Settings(max_depth=1, restarts=2, n_jobs=1)
    return fit_model(load(pd.Series(y, index=MONTHS, name="sales")), "linear", settings)


def test_forecasts_have_dates_and_their_ends(model: Model) -> None:
    predictor = Predictor(model, Options(average=False))
    found = forecast_frame(predictor, 3)
    assert found["time"].tolist() == list(pd.date_range("2023-01-01", periods=3, freq="MS"))
    ends = predictor.ahead(3)[1].quantiles((0.025, 0.975))
    np.testing.assert_array_equal(found[["lower", "upper"]].to_numpy(), ends)


def test_every_outlier_is_in_its_frame_with_what_was_expected(model: Model) -> None:
    found = outlier_frame(model)
    assert found["time"].tolist() == [MONTHS[30]]
    assert found["value"].tolist() == [90.0]
    assert found["expected"].tolist() == pytest.approx([35.0], abs=1.0)
    assert found["aside"].tolist() == [True]
    assert found["chance"].iloc[0] > 0.99


def test_a_model_that_is_less_likely_than_a_part_of_it_is_unfinished(model: Model) -> None:
    best = model.search.frontier[0]
    longer = replace(best, kernel=best.kernel + leaf("C", sd=1.0), nll=best.nll + 5.0)
    search = replace(model.search, frontier=(best, longer, replace(longer, nll=best.nll - 5.0)))
    frame = SearchFrames([replace(model, search=search)]).frontier
    assert frame["unfinished"].tolist() == [False, True, False]


def test_the_frontier_is_the_search_with_the_criterion_of_the_data(model: Model) -> None:
    frame = SearchFrames([model]).frontier
    for row, one in zip(frame.itertuples(), model.search.frontier, strict=True):
        assert (row.expression, row.parameters) == (str(one.kernel), one.kernel.values)
        assert row.bic == bic(one.nll, one.kernel.expr, model.dataset.n) + model.penalty


def test_parts_have_the_sentences_of_the_report_in_its_order(model: Model) -> None:
    estimator = AutomaticStatistician(average=False)._set_model(model)
    found = parts(explain(Predictor(model, Options(average=False))))
    assert [part.sentence for part in found] == estimator.describe()
    moved = [(part.mean + 1.0, part.std) for part in found]
    for one, other in zip(found, parts(estimator.explanation(), moved), strict=True):
        np.testing.assert_array_equal(other.mean, one.mean + 1.0)


def test_a_search_shows_its_best_models_and_its_levels_in_a_notebook(model: Model) -> None:
    found = SearchFrames([model])
    shown = found._repr_html_()
    assert shown.startswith(f"<p>Search({len(found.frontier)} models")
    assert shown.count("<tr") == 2 + min(10, len(found.frontier)) + len(found.trace)
    assert shown.count(found.frontier["expression"][0]) >= 2  # among the best, and the best of a level
    assert "<script" not in shown
