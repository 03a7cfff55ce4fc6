"""Tables with many series: fits, settings and refusals; models of all as one value; pages of single series."""

from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
from tests.panel.made import QUICK, MadeTable, data_of
from tests.there import there

from autostatistician import AutomaticStatistician, PanelModel
from autostatistician.data.panels import panel_of
from autostatistician.errors import InputError, WriteError
from autostatistician.estimators.options import TargetOptions
from autostatistician.estimators.panel_pages import SeriesPages, checked_names
from autostatistician.fitted.fitting import fit_model
from autostatistician.i18n.messages import spoken_in
from autostatistician.panel.records import SeriesRecord


def quick(**settings: Any) -> AutomaticStatistician:
    """An estimator that takes no time."""
    options = {"target_options": TargetOptions("none", outliers="keep")}  # nothing is chosen before the search
    return AutomaticStatistician(
        **{"language": "linear", "max_depth": 1, "n_restarts": 2, "n_jobs": 1} | options | settings
    )


def long(n: int = 12, shops: tuple[Any, ...] = ("A", "B")) -> pd.DataFrame:
    """Months of sales of some shops under each other."""
    rng = np.random.default_rng(1)
    months = pd.date_range("2023-01-01", periods=n, freq="MS")
    return pd.concat(
        [pd.DataFrame({"shop": shop, "month": months, "sales": rng.normal(20.0, 1.0, n).round(2)}) for shop in shops],
        ignore_index=True,
    )


def test_a_frame_of_many_series_gives_their_models_and_leaves_the_estimator_alone() -> None:
    estimator = quick()
    models: Any = estimator.fit(long())
    assert isinstance(models, PanelModel)
    assert models.series["name"].tolist() == ["A", "B"]
    assert not hasattr(estimator, "model_")


def test_ids_and_values_apart_are_taken() -> None:
    frame = long()
    named = quick().fit(frame, "sales", ids="shop")
    apart: Any = quick().fit(frame[["shop", "month"]], frame["sales"])
    pd.testing.assert_frame_equal(named.forecast(), apart.forecast())


def test_a_frame_of_one_series_is_fitted_as_ever() -> None:
    model = quick().fit(long(shops=("A",)).drop(columns="shop"))
    assert isinstance(model, AutomaticStatistician)
    assert model.dataset_.n == 12
    with pytest.raises(InputError, match="for one series use"):
        quick().fit_panel(long(shops=("A",)).drop(columns="shop"))


def test_every_series_has_the_model_that_a_fit_of_it_alone_finds() -> None:
    frame = long()
    models: Any = quick(random_state=np.random.RandomState(3)).fit(frame)
    alone = models.model("B")
    assert alone.kernel_ is not None
    assert str(alone.kernel_) == models.series["expression"][1]
    told = models.forecast()[models.forecast()["unique_id"] == "B"]
    assert np.allclose(told["mean"], alone.forecast(len(told))["mean"], rtol=1e-6)


def test_a_folder_keeps_what_is_done(tmp_path: Path) -> None:
    heard: list[SeriesRecord] = []
    first = quick().fit_panel(long(), folder=tmp_path / "run", horizon=2, callback=heard.append)
    assert [record.name for record in heard] == ["A", "B"]
    kept = {path: path.stat().st_mtime_ns for path in (tmp_path / "run").rglob("*.jsonl")}
    again = quick().fit_panel(long(), folder=tmp_path / "run", horizon=2)
    assert {path: path.stat().st_mtime_ns for path in kept} == kept
    pd.testing.assert_frame_equal(first.forecast(), again.forecast())
    with pytest.raises(InputError, match="horizon 2"):
        quick().fit_panel(long(), folder=tmp_path / "run", horizon=3)


def test_a_wide_table_is_one_of_many_series_when_asked() -> None:
    wide = long().pivot_table(index="month", columns="shop", values="sales").reset_index()
    models = quick().fit_panel(wide, wide=True, horizon=1, levels=[50])
    assert list(models.forecast()) == ["unique_id", "series", "ds", "mean", "lo-50", "hi-50"]
    assert isinstance(quick().fit(wide), AutomaticStatistician)


@pytest.mark.parametrize(
    ("settings", "options", "message"),
    [
        ({}, {"ids": "store"}, "column 'store'"),
        ({}, {"horizon": 0}, "steps"),
        ({}, {"levels": [95, 80]}, "rising order"),
        ({"language": "klingon"}, {}, "language"),
        ({"average": False}, {}, "fit series one by one"),
        ({"target_options": TargetOptions(limits=(0.0, None))}, {}, "fit series one by one"),
    ],
)
def test_settings_that_cannot_be_are_refused(settings: Any, options: Any, message: str) -> None:
    with pytest.raises(InputError, match=message):
        quick(**settings).fit_panel(long(), **options)


def test_the_model_of_a_series_takes_new_rows_from_the_whole_table_or_its_own(tmp_path: Path) -> None:
    frame = long(13)
    models: Any = quick().fit(frame.groupby("shop").head(12))
    models.model("B").save(tmp_path / "b.json")
    for rows in (frame, frame[frame["shop"] == "B"].drop(columns="shop")):
        model = AutomaticStatistician.load(tmp_path / "b.json")
        assert model.update(rows).rows == 1
        assert model.dataset_.y[-1] == frame["sales"].iloc[-1]


@pytest.mark.slow
def test_pages_are_written_where_the_page_of_all_links_to(tmp_path: Path) -> None:
    pages = SeriesPages(tmp_path / "all.html", QUICK, ("a/b",))
    pages.begin()
    write = there(pages.writer("a/b"))
    assert pages.writer("c") is None
    write(fit_model(data_of(0), QUICK.language, QUICK.search))
    (file,) = (tmp_path / "all-pages").iterdir()
    assert "Automatic report on" in file.read_text(encoding="utf-8")
    with spoken_in("de"):  # a page in another language is made anew, also where it is not asked for
        in_german = SeriesPages(tmp_path / "all.html", QUICK)
        assert not in_german.is_there("a/b")
        assert in_german.writer("a/b") is not None
    later = SeriesPages(tmp_path / "all.html", QUICK)
    assert later.is_there("a/b")
    assert later.writer("a/b") is not None
    assert later.links(["a/b", "c"]) == {"a/b": f"all-pages/{file.name}"}


def test_without_pages_there_is_no_folder(tmp_path: Path) -> None:
    pages = SeriesPages(tmp_path / "all.html", QUICK)
    pages.begin()
    assert list(tmp_path.iterdir()) == []
    assert pages.links(["a"]) == {}
    assert SeriesPages(tmp_path / "all.html", QUICK, None).writer("any") is not None


def test_a_folder_that_cannot_be_made_is_said(tmp_path: Path) -> None:
    (tmp_path / "all-pages").write_text("a file")
    with pytest.raises(WriteError, match="to be able to write"):
        SeriesPages(tmp_path / "all.html", QUICK, None).begin()


def test_names_are_those_of_the_table_or_plain_ids() -> None:
    assert checked_names(["store 1"], MadeTable(2)) == ("store 1",)
    columns = {"shop": ["x/y"] * 3 + ["z"] * 3, "day": [1, 2, 3] * 2, "sales": [4.0, 1.0, 2.0] * 2}
    table = there(panel_of(columns, ids=["shop"]))
    assert checked_names(["x/y", "x%2Fy"], table) == ("x%2Fy", "x%2Fy")
    with pytest.raises(InputError, match="did you mean 'store 1'"):
        checked_names(["stor 1"], MadeTable(2))
    with pytest.raises(InputError, match="see the names on the page"):
        checked_names(["nothing like it"], MadeTable(2))


SHOPS = pd.concat([long(), long(n=2, shops=("new",))], ignore_index=True)


@pytest.fixture(scope="module")
def models() -> PanelModel:
    """Two series with models, and one of two rows."""
    return quick().fit_panel(SHOPS, horizon=3)


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
    whole = AutomaticStatistician.load_panel(folder, SHOPS, ids="shop")
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
