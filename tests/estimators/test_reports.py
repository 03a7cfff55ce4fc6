"""What a fitted model shows of itself: figures without pyplot, pages in a notebook, reports as values."""

import sys
from html import unescape
from pathlib import Path

import numpy as np
import pytest
from matplotlib.figure import Figure
from matplotlib.text import Text
from sklearn.exceptions import NotFittedError
from tests.saved_models.models import kept

from autostatistician import AutomaticStatistician, AutomaticStatisticianClassifier
from autostatistician.errors import InputError
from autostatistician.estimators.reports import Report
from autostatistician.estimators.searching import Searching

X = np.arange(24.0)[:, None]


@pytest.mark.slow
@pytest.mark.parametrize("face", [AutomaticStatistician, AutomaticStatisticianClassifier])
def test_both_say_show_and_take_apart_what_they_found(face: type[Searching]) -> None:
    model = face(language="linear", max_depth=1, n_restarts=2, n_jobs=1)  # type: ignore[call-arg]
    with pytest.raises(NotFittedError):
        model.describe()
    assert "<pre>" in model._repr_html_()
    model.fit(X, X[:, 0] % 5 > 2)
    assert model.describe()
    assert model.complete_ in (True, False)
    assert str(model.kernel_) == model.search_.frontier["expression"][0]
    assert model.transform(X).shape == (24, len(model.get_feature_names_out()))
    assert "<iframe" in model._repr_html_()
    assert set(model.to_dict()) >= {"expression", "components", "nll", "facts"}


@kept("wave")
def model() -> AutomaticStatistician:
    x = np.arange(60.0)
    y = 3.0 + 0.1 * x + np.sin(2 * np.pi * x / 12) + 0.1 * np.random.default_rng(0).normal(size=60)
    return AutomaticStatistician(max_depth=3, n_restarts=2, n_jobs=1).fit(x[:, None], y)


@pytest.fixture(scope="module")
def fresh() -> AutomaticStatistician:
    return AutomaticStatistician()


@pytest.mark.slow
def test_plots_are_figures_that_pyplot_does_not_know(model: AutomaticStatistician) -> None:
    known = sys.modules.get("matplotlib.pyplot")
    before = known.get_fignums() if known else []
    for figure in (model.plot(), model.plot.components(), model.plot.forecast()):
        assert isinstance(figure, Figure)
        assert figure.axes
        assert figure.axes[0].has_data()
    if known:
        assert known.get_fignums() == before


@pytest.mark.slow
def test_every_part_has_a_panel(model: AutomaticStatistician) -> None:
    figure = model.plot.components()
    texts = [text.get_text() for text in figure.findobj(Text)]
    panels = sum(axes.axison for axes in figure.axes)  # the rows of the legend have no axes to see
    assert panels == len(model.decompose()) > 1
    assert all(f"Part {number}" in texts for number in range(1, panels + 1))


@pytest.mark.slow
def test_a_forecast_is_drawn_as_far_as_asked(model: AutomaticStatistician) -> None:
    near, far = (model.plot.forecast(steps).axes[0].get_xlim()[1] for steps in (5, 40))
    assert far > near + 20


@pytest.mark.slow
def test_a_report_is_a_value_that_shows_and_saves_itself(model: AutomaticStatistician, tmp_path: Path) -> None:
    report = model.report()
    assert isinstance(report, Report)
    assert report.save(tmp_path / "a.html").read_bytes() == model.report(tmp_path / "b.html").read_bytes()
    page = unescape(report._repr_html_())
    assert report.document.title in page
    assert report.document.sections[-1].title in page
    assert "<script" not in page


@pytest.mark.slow
def test_a_fitted_model_shows_the_first_screen_of_its_report(model: AutomaticStatistician) -> None:
    page = unescape(model._repr_html_())
    document = model.report().document
    assert document.abstract in unescape(page)
    assert document.sections[-1].title not in page
    assert model._repr_mimebundle_()["text/plain"] == repr(model)


def test_a_model_that_is_not_fitted_shows_its_settings(fresh: AutomaticStatistician) -> None:
    assert fresh._repr_html_() == "<pre>AutomaticStatistician()</pre>"


def test_hostile_names_stay_text(tmp_path: Path) -> None:
    path = tmp_path / "d.csv"
    path.write_text("t,<script>alert(1)</script>\n" + "".join(f"{k},{k % 5}\n" for k in range(30)))
    from autostatistician.data.load import load

    model = AutomaticStatistician(max_depth=1, n_restarts=1, n_jobs=1).fit(load(path))
    assert "<script" not in unescape(model._repr_html_()).replace("&lt;script", "")


def test_a_path_is_checked_before_the_work(model: AutomaticStatistician, tmp_path: Path) -> None:
    with pytest.raises(InputError, match="an existing folder"):
        model.report(tmp_path / "missing" / "r.pdf")
