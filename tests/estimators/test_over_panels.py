"""Fits of tables with many series: what is recognised, with what settings series are searched, what is refused."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

from autostatistician import AutomaticStatistician, PanelModel
from autostatistician.errors import InputError
from autostatistician.estimators.options import TargetOptions
from autostatistician.panel.records import SeriesRecord


def quick(**settings: Any) -> AutomaticStatistician:
    """An estimator that takes no time."""
    return AutomaticStatistician(**{"language": "linear", "max_depth": 1, "n_restarts": 2, "n_jobs": 1} | settings)


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
    with pytest.raises(InputError, match="one series is fitted by fit"):
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


def test_the_model_of_a_series_takes_new_rows_from_the_whole_table() -> None:
    frame = long(13)
    models: Any = quick().fit(frame.groupby("shop").head(12))
    update = models.model("B").update(frame)
    assert update.rows == 1
