"""Models of many series as one value: frames, sums, pages, single models, folders."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from tests.estimators.test_over_panels import long, quick

from autostatistician import AutomaticStatistician, PanelModel
from autostatistician.errors import InputError

FRAME = pd.concat([long(), long(n=2, shops=("new",))], ignore_index=True)


@pytest.fixture(scope="module")
def models() -> PanelModel:
    """Two series with models, and one of two rows."""
    return quick().fit_panel(FRAME, horizon=3)


def test_every_series_has_a_row_that_says_what_became_of_it(models: PanelModel) -> None:
    series = models.series
    columns = ["name", "shop", "rows", "first", "last", "step", "expression", "claims", "reason"]
    assert list(series) == columns
    assert series["name"].tolist() == ["A", "B", "new"]
    assert series["rows"].tolist()[:2] == [12, 12]
    assert series["step"].tolist()[:2] == ["month", "month"]
    assert series["claims"].str.len().gt(0).tolist() == [True, True, False]
    assert series["reason"].tolist()[:2] == ["", ""]
    assert "at least 3 rows" in series["reason"][2]


def test_forecasts_are_those_that_were_made(models: PanelModel) -> None:
    whole = models.forecast()
    assert list(whole) == ["unique_id", "shop", "ds", "mean", "lo-80", "hi-80", "lo-95", "hi-95"]
    assert whole["ds"].tolist()[:3] == list(pd.to_datetime(["2024-01-01", "2024-02-01", "2024-03-01"]))
    assert (whole["lo-95"] < whole["lo-80"]).all()
    few = models.forecast(2, levels=[80])
    assert list(few) == ["unique_id", "shop", "ds", "mean", "lo-80", "hi-80"]
    assert few["ds"].tolist() == 2 * list(pd.to_datetime(["2024-01-01", "2024-02-01"]))


@pytest.mark.parametrize("steps", [0, 4])
def test_steps_that_were_not_made_are_refused(models: PanelModel, steps: int) -> None:
    with pytest.raises(InputError, match="1 to 3 steps"):
        models.forecast(steps)


def test_levels_that_were_not_made_are_refused(models: PanelModel) -> None:
    with pytest.raises(InputError, match="levels among 80 and 95; found 90"):
        models.forecast(levels=[90])


def test_sums_add_up(models: PanelModel) -> None:
    means = models.sums("total").pivot_table(index="ds", columns="unique_id", values="mean")
    assert np.allclose(means["A"] + means["B"], means["total"])
    pd.testing.assert_frame_equal(models.sums(), models.sums("total"))
    with pytest.raises(InputError, match="region"):
        models.sums("region")


def test_the_page_names_all(models: PanelModel, tmp_path: Path) -> None:
    page = models.report(tmp_path / "all.html", title="Shops <1>").read_text(encoding="utf-8")
    assert "Shops &lt;1&gt;" in page
    assert "at least 3 rows" in page
    with pytest.raises(InputError, match=r"ends in \.html"):
        models.report(tmp_path / "all.pdf")


def test_forecasts_are_named_as_evaluations_of_several_models_have_them(models: PanelModel) -> None:
    evaluation = pytest.importorskip("utilsforecast.evaluation")
    losses = pytest.importorskip("utilsforecast.losses")
    frame = models.forecast(levels=[80], model="mean")
    assert list(frame) == ["unique_id", "ds", "mean", "mean-lo-80", "mean-hi-80"]
    scores = evaluation.evaluate(frame.assign(y=frame["mean"]), [losses.mae, losses.coverage], level=[80])
    assert scores["mean"].tolist() == [0.0] * 2 + [1.0] * 2
    with pytest.raises(InputError, match="found 'ds', that of another column"):
        models.forecast(model="ds")


@pytest.mark.slow
def test_the_page_links_to_the_pages_of_series(models: PanelModel, tmp_path: Path) -> None:
    name = models.series["name"].iloc[0]
    page = models.report(tmp_path / "all.html", pages=[name])
    (single,) = (tmp_path / "all-pages").iterdir()
    assert f'href="./all-pages/{single.name}"' in page.read_text(encoding="utf-8")
    assert models.report(tmp_path / "all.html").read_text(encoding="utf-8") == page.read_text(encoding="utf-8")
    with pytest.raises(InputError, match="the name of one of"):
        models.report(tmp_path / "all.html", pages=["none such"])


def test_it_is_short_in_a_notebook(models: PanelModel) -> None:
    assert repr(models) == "<PanelModel: 3 series, 1 without a model>"
    assert len(models) == 3
    html = models._repr_html_()
    assert html.startswith("<p>&lt;PanelModel: 3 series")
    assert "at least 3 rows" in html


def test_a_series_that_is_not_there_is_named(models: PanelModel) -> None:
    with pytest.raises(InputError, match=r"one of 3 series; found 'C'"):
        models.model("C")
    with pytest.raises(InputError, match="at least 3 rows"):
        models.model("new")


def test_a_saved_panel_is_the_same(models: PanelModel, tmp_path: Path) -> None:
    folder = models.save(tmp_path / "kept")
    loaded = AutomaticStatistician.load_panel(folder)
    pd.testing.assert_frame_equal(loaded.forecast(), models.forecast())
    pd.testing.assert_frame_equal(loaded.series, models.series)
    assert loaded.settings.horizon == 3
    with pytest.raises(InputError, match="give the table to load_panel"):
        loaded.model("A")
    whole = AutomaticStatistician.load_panel(folder, FRAME, ids="shop")
    assert whole.estimator.get_params() == quick().get_params()
    assert str(whole.model("A").kernel_) == models.series["expression"][0]


def test_nothing_is_written_over(models: PanelModel, tmp_path: Path) -> None:
    (tmp_path / "note.txt").write_text("mine")
    with pytest.raises(InputError, match="new or empty folder"):
        models.save(tmp_path)
    with pytest.raises(InputError, match="fit the panel first"):
        AutomaticStatistician.load_panel(tmp_path / "nowhere")


def test_records_go_with_their_model() -> None:
    models = quick().fit_panel(long())
    folder = models.folder
    assert folder.is_dir()
    del models
    assert not folder.exists()
