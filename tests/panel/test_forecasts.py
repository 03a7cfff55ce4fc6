"""The forecasts of all series as one long table."""

import sys
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from tests.panel.made import QUICK, MadeTable, data_of

from autostatistician.errors import InputError
from autostatistician.panel import forecasts
from autostatistician.panel.forecasts import forecast_frame, write_forecasts
from autostatistician.panel.records import DONE, FAILED, PanelForecast, SeriesRecord
from autostatistician.panel.run import run_panel

MONTHS = ("2024-01-01", "2024-02-01")
COLUMNS = ["unique_id", "ds", "mean", "lo-80", "hi-80", "lo-95", "hi-95"]


def _record(name: str = "north/1", times: tuple[str, ...] = MONTHS, first: float = 1.0) -> SeriesRecord:
    mean = tuple(first + step for step in range(len(times)))
    low, high = (tuple(tuple(value + side * width for value in mean) for width in (0.5, 1.0)) for side in (-1, 1))
    ids = tuple(name.split("/"))
    return SeriesRecord(name, ids, DONE, forecast=PanelForecast(times, mean, (80, 95), low, high))


FAILING = SeriesRecord("north/2", ("north", "2"), FAILED, "too few rows")
SEVERAL = [_record(), FAILING, _record('so,uth/"3"', first=5.0)]


def test_a_row_for_each_step_of_each_series() -> None:
    frame = forecast_frame(SEVERAL)
    assert list(frame.columns) == COLUMNS
    assert frame["unique_id"].tolist() == ["north/1"] * 2 + ['so,uth/"3"'] * 2
    assert frame["mean"].tolist() == [1.0, 2.0, 5.0, 6.0]
    assert frame["hi-95"].tolist() == [2.0, 3.0, 6.0, 7.0]
    assert frame["ds"].tolist() == [pd.Timestamp(month) for month in MONTHS] * 2


def test_single_ids_and_the_names_of_models() -> None:
    frame = forecast_frame(SEVERAL, ["region", "store"], "ours")
    assert list(frame.columns)[:6] == ["unique_id", "region", "store", "ds", "ours", "ours-lo-80"]
    assert frame["store"].tolist() == ["1", "1", '"3"', '"3"']


@pytest.mark.parametrize(
    ("times", "read"),
    [
        (("2024", "2025"), [2024, 2025]),
        (("0.5", "1.0"), [0.5, 1.0]),
        (
            ("2024-01-01T00:00:00", "2024-01-01T01:00:00"),
            [pd.Timestamp("2024-01-01"), pd.Timestamp("2024-01-01 01:00")],
        ),
    ],
)
def test_times_are_as_in_the_data(times: tuple[str, ...], read: list[object]) -> None:
    frame = forecast_frame([_record(times=times)])
    assert frame["ds"].tolist() == read


@pytest.mark.parametrize("odd", ['=HYPERLINK("http://x","y")', "+1 234", "-a", "@cmd", "\t=1"])
def test_no_id_is_a_formula_to_a_spreadsheet(tmp_path: Path, odd: str) -> None:
    name = odd.replace("/", "%2F").replace("\t", "%09")
    record = SeriesRecord(name, (odd,), DONE, forecast=_record().forecast)
    read = pd.read_csv(write_forecasts([record], tmp_path / "f.csv", ["=shop"]))
    assert list(read.columns)[:2] == ["unique_id", "'=shop"]
    assert set(read["unique_id"]) == set(read["'=shop"]) == {f"'{odd}"}
    numbers = SeriesRecord("-3.5", ("-3.5",), DONE, forecast=_record().forecast)
    assert set(pd.read_csv(write_forecasts([numbers], tmp_path / "n.csv"))["unique_id"]) == {-3.5}
    whole = pd.read_parquet(write_forecasts([record], tmp_path / "f.parquet"))
    assert set(whole["unique_id"]) == {odd}


def test_times_of_two_kinds_stay_text() -> None:
    assert forecast_frame([_record(), _record("b", ("7.5",))])["ds"].tolist() == [*MONTHS, "7.5"]


def test_without_any_forecast_there_are_no_rows(tmp_path: Path) -> None:
    assert len(forecast_frame([FAILING])) == 0
    for ending in ("csv", "parquet"):
        write_forecasts([FAILING], tmp_path / f"f.{ending}")
    assert (tmp_path / "f.csv").read_text() == "unique_id,ds,mean\n"
    assert len(pd.read_parquet(tmp_path / "f.parquet")) == 0


@pytest.mark.parametrize("at_once", [1, 2, 1000])
def test_files_hold_the_frame(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, at_once: int) -> None:
    monkeypatch.setattr(forecasts, "AT_ONCE", at_once)
    frame = forecast_frame(SEVERAL, ["region", "store"])
    read = pd.read_csv(write_forecasts(SEVERAL, tmp_path / "f.csv", ["region", "store"]), dtype={"store": str})
    pd.testing.assert_frame_equal(read.assign(ds=pd.to_datetime(read["ds"])), frame, check_dtype=False)
    kept = pd.read_parquet(write_forecasts(iter(SEVERAL), tmp_path / "f.parquet", ["region", "store"]))
    pd.testing.assert_frame_equal(kept, frame, check_dtype=False)
    numbers = [_record("a", ("1", "2")), _record("b", ("1.5", "2.5"))]
    assert pd.read_parquet(write_forecasts(numbers, tmp_path / "n.parquet"))["ds"].tolist() == [1.0, 2.0, 1.5, 2.5]


def test_records_are_not_all_in_memory(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(forecasts, "AT_ONCE", 3)
    written: list[int] = []
    read: list[int] = []

    def told() -> Iterator[SeriesRecord]:
        for number in range(30):
            read.append(number)
            assert len(read) - 3 * len(written) <= 4
            yield _record(f"s{number}")

    original = forecasts._texts

    def counted(*arguments: object) -> pd.DataFrame:
        frame = original(*arguments)  # type: ignore[arg-type]
        written.append(len(frame))
        return frame

    monkeypatch.setattr(forecasts, "_texts", counted)
    assert len(pd.read_csv(write_forecasts(told(), tmp_path / "f.csv"))) == 60


def test_an_error_leaves_the_old_file(tmp_path: Path) -> None:
    path = tmp_path / "f.parquet"
    path.write_text("old")
    with pytest.raises(InputError, match="found dates of some, numbers of others; write a CSV file"):
        write_forecasts([_record(), _record("b", ("7.5",))] * 1000, path)
    assert path.read_text() == "old"
    assert list(tmp_path.iterdir()) == [path]


def test_what_cannot_be_written_is_said(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(InputError, match=r"ends in \.csv or \.parquet; found 'f\.xlsx'"):
        write_forecasts(SEVERAL, tmp_path / "f.xlsx")
    with pytest.raises(InputError, match="No such file"):
        write_forecasts(SEVERAL, tmp_path / "none" / "f.csv")
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    with pytest.raises(InputError, match="found that it is not installed; pip install pyarrow, or write a CSV file"):
        write_forecasts(SEVERAL, tmp_path / "f.parquet")


@pytest.mark.slow
def test_utilsforecast_takes_it_as_it_is(tmp_path: Path) -> None:
    evaluation = pytest.importorskip("utilsforecast.evaluation")
    losses = pytest.importorskip("utilsforecast.losses")
    table = MadeTable(3)
    records = list(run_panel(table, QUICK))
    written = pd.read_csv(write_forecasts(records, tmp_path / "f.csv", model="ours"), parse_dates=["ds"])
    ahead = [
        pd.DataFrame({"unique_id": table.name(index), "ds": record.forecast.times, "y": data_of(index, 27).y[24:]})
        for index, record in enumerate(records)
        if record.forecast is not None
    ]
    actual = pd.concat(ahead).assign(ds=lambda frame: pd.to_datetime(frame["ds"]))
    joined = written.merge(actual, on=["unique_id", "ds"])
    assert len(joined) == 9
    metrics = [losses.mae, losses.rmse, losses.coverage, losses.mqloss]
    scores = evaluation.evaluate(joined, metrics, level=[80, 95])
    assert set(scores["metric"]) == {"mae", "rmse", "coverage_level80", "coverage_level95", "mqloss"}
    errors = (joined["y"] - joined["ours"]).abs().groupby(joined["unique_id"]).mean()
    assert np.allclose(scores.query("metric == 'mae'").set_index("unique_id")["ours"].sort_index(), errors)
    plain = forecast_frame(records).merge(actual, on=["unique_id", "ds"])
    alike = evaluation.evaluate(plain, [losses.mae], models=["mean"])
    assert np.allclose(alike.set_index("unique_id")["mean"].sort_index(), errors)


def test_a_single_id_stays_as_the_data_have_it_where_models_are_compared() -> None:
    forecast = PanelForecast(("2024-01-01",), (1.0,), (80,), ((0.5,),), ((1.5,),))
    records = [
        SeriesRecord("north%2F1", ("north/1",), DONE, forecast=forecast),
        SeriesRecord("total", ("",), DONE, forecast=forecast),
        SeriesRecord("a%2Fb/c", ("a/b", "c"), DONE, forecast=forecast),
    ]
    frame = forecast_frame(records, model="ours")
    assert list(frame) == ["unique_id", "ds", "ours", "ours-lo-80", "ours-hi-80"]
    assert frame["unique_id"].tolist() == ["north/1", "total", "a%2Fb/c"]
