"""Short series follow the season that the others of their panel have in common, where their own data say so."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cache

import numpy as np
import pandas as pd
import pytest
from tests.panel.made import MONTH, QUICK

from autostatistician import AutomaticStatistician
from autostatistician.data.dataset import Dataset
from autostatistician.data.panels import PanelTable, panel_of
from autostatistician.panel.records import DONE, SeriesRecord
from autostatistician.panel.run import run_panel
from autostatistician.panel.seasons import PanelSeasons, is_short
from autostatistician.panel.settings import PanelSettings

YEAR = np.array([0.0, -0.2, 0.1, -0.1, 0.0, 0.2, 0.4, 0.5, 0.0, -0.3, -0.2, 0.6])
ODD = "shop 7"  # the series that has no season
NOTE = "its own data say how far it follows"


@cache
def frame() -> pd.DataFrame:
    """Eight shops of twenty months, all but one with the same year."""
    rng, dates = np.random.default_rng(4), pd.date_range("2022-01-01", periods=20, freq="MS")
    parts = []
    for number in range(8):
        name, level = f"shop {number}", rng.uniform(100.0, 900.0)
        season = 0.0 if name == ODD else 0.4
        values = level * np.exp(season * YEAR[dates.month - 1] + 0.04 * rng.normal(size=20))
        parts.append(pd.DataFrame({"shop": name, "month": dates, "sales": values.round(2)}))
    return pd.concat(parts)


def table() -> PanelTable:
    made = panel_of(frame(), ids=["shop"], time="month", target="sales")
    assert made is not None
    return made


@cache
def records(*, shared: bool) -> dict[str, SeriesRecord]:
    settings = replace(QUICK, language="linear", horizon=12, shared_season=shared)
    return {record.name: record for record in run_panel(table(), settings)}


@pytest.mark.slow
def test_those_that_follow_say_so_and_are_forecast_with_the_season() -> None:
    shared, own = records(shared=True), records(shared=False)
    for name, record in shared.items():
        assert record.status == DONE
        assert any(NOTE in note for note in record.notes)
        assert not any(NOTE in note for note in own[name].notes)
        assert any(claim.kind == "season" and claim.shared for claim in record.claims) is (name != ODD)
    first = shared["shop 0"].forecast
    flat = own["shop 0"].forecast
    assert first is not None
    assert flat is not None
    assert first.times[0] == flat.times[0] == "2023-09-01"
    truth = YEAR[(8 + np.arange(12)) % 12]
    assert np.corrcoef(np.log(first.mean), truth)[0, 1] > 0.95
    assert np.std(np.log(flat.mean)) < 0.5 * np.std(np.log(first.mean))


def test_the_season_is_claimed_with_its_swing_and_months() -> None:
    claim = next(claim for claim in records(shared=True)["shop 0"].claims if claim.kind == "season")
    assert (claim.name, claim.top, claim.bottom) == ("yearly", "in December", "in October")
    values = table().dataset(0).y
    swing = (np.exp(0.4 * 0.6) - np.exp(-0.4 * 0.3)) * np.mean(values) / np.mean(np.exp(0.4 * YEAR[np.arange(20) % 12]))
    assert 0.0 < claim.low < swing < claim.high
    assert claim.share == pytest.approx(claim.number / np.mean(values), abs=0.06)
    assert claim.part is not None
    assert 0.5 < claim.part <= 1.0
    assert not [claim for claim in records(shared=True)[ODD].claims if claim.kind == "season"]


def test_a_season_of_the_others_is_made_without_the_series_itself() -> None:
    seasons, data = PanelSeasons.of(table()), table().dataset(0)
    columns = seasons.beside(data).covariates
    assert columns is not None
    assert columns.names == ("yearly cycle of the other series",)
    assert data.covariates is None


def test_long_series_and_those_of_another_step_see_nothing() -> None:
    long = Dataset(2000.0 + np.arange(60)[:, None] / 12, np.arange(60.0), ("month",), "y", MONTH)
    assert not is_short(long)
    seasons = PanelSeasons.of(table())
    assert seasons.beside(long) is long
    quarter = replace(MONTH, frequency="quarter", step=0.25)
    other = Dataset(2000.0 + np.arange(10)[:, None] / 4, np.arange(10.0), ("quarter",), "y", quarter)
    assert is_short(other)
    assert seasons.beside(other) is other


@dataclass
class Shown:
    """Some series that are there already, and one that cannot be read."""

    series: list[Dataset]
    ids: tuple[str, ...] = ("name",)

    @property
    def keys(self) -> list[tuple[str, ...]]:
        return [(self.name(index),) for index in range(len(self))]

    def __len__(self) -> int:
        return len(self.series)

    def name(self, index: int) -> str:
        return str(index)

    def dataset(self, index: int) -> Dataset:
        return self.series[index]


def data_of(seed: int, rows: int, year: np.ndarray) -> Dataset:
    noise = 0.02 * np.random.default_rng(seed).normal(size=rows)
    y = 100.0 * np.exp(year[np.arange(rows) % 12] + noise)
    return Dataset(2000.0 + np.arange(rows)[:, None] / 12, y, ("month",), "y", MONTH)


def test_those_that_show_a_cycle_twice_have_the_say() -> None:
    shock = np.where(np.arange(12) == 3, 1.0, 0.0)
    once = [data_of(seed, 14, shock) for seed in range(20)]
    twice = [data_of(seed, 40, YEAR) for seed in range(8)]
    columns = PanelSeasons.of(Shown([*once, *twice])).beside(once[0]).covariates
    assert columns is not None
    values = columns.of(columns.names[0], 2001.0 + np.arange(12) / 12)
    assert np.corrcoef(values, YEAR)[0, 1] > 0.98


@pytest.mark.slow
def test_a_model_made_later_knows_the_season_too() -> None:
    estimator = AutomaticStatistician(language="linear", max_depth=1, n_jobs=1)
    panel = estimator.fit_panel(frame(), ids="shop", horizon=12)
    effects = panel.model("shop 0").model_.effects
    assert effects is not None
    assert effects.acting == ("yearly cycle of the other series",)
    without = estimator.fit_panel(frame(), ids="shop", horizon=12, shared_season=False)
    assert without.model("shop 0").model_.effects is None


def test_settings_of_earlier_runs_have_no_shared_season() -> None:
    plain = PanelSettings(shared_season=False).to_json()
    assert "shared_season" not in plain
    assert not PanelSettings.of(plain).shared_season
    assert PanelSettings.of(PanelSettings().to_json()).shared_season
