"""A panel that is made for tests, and a search that takes no time and keeps count of what it was asked for."""

import os
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
import pytest

from autostatistician.data.dataset import Dataset
from autostatistician.data.times.axes import Axis
from autostatistician.errors import InputError
from autostatistician.panel import run
from autostatistician.panel.fitting import PanelSeries
from autostatistician.panel.records import DONE, FAILED, PanelForecast, SeriesRecord
from autostatistician.panel.settings import PanelSettings
from autostatistician.search.run import Settings

MONTH = Axis("month", "year", "month", 1 / 12, gap=1 / 12)
QUICK = PanelSettings("se", Settings(max_depth=1, restarts=1), horizon=3)


def data_of(seed: int, rows: int = 24) -> Dataset:
    """Months from January 2000 on, of a line with noise."""
    y = 10.0 + 0.2 * np.arange(rows) + np.random.default_rng(seed).normal(size=rows)
    return Dataset(2000.0 + np.arange(rows)[:, None] / 12, y, ("month",), "sales", MONTH)


@dataclass
class MadeTable:
    """So many series; ``without`` are those that have no data, ``seeds`` what those of some hang on, ``data`` given."""

    count: int
    without: tuple[int, ...] = ()
    seeds: tuple[tuple[int, int], ...] = ()
    first: int = 0  # the number in the name of the first
    ids: tuple[str, ...] = ("store",)
    data: Mapping[int, Dataset] = field(default_factory=dict)

    @property
    def keys(self) -> Sequence[tuple[str, ...]]:
        return [(self.name(index),) for index in range(self.count)]

    def __len__(self) -> int:
        return self.count

    def name(self, index: int) -> str:
        return f"store {self.first + index}"

    def dataset(self, index: int) -> Dataset:
        if index in self.without:
            raise InputError.of("three rows", "two", "leave it out")
        return self.data[index] if index in self.data else data_of(dict(self.seeds).get(index, self.first + index))


def fake_record(series: PanelSeries) -> SeriesRecord:
    """A record that hangs on the data alone."""
    if series.dataset is None:
        return SeriesRecord(series.name, series.ids, FAILED, series.reason, fingerprint=series.fingerprint)
    numbers = tuple(series.dataset.y.tolist())
    told = PanelForecast(("2002-01-01",), numbers[:1], (80,), (numbers[1:2],), (numbers[2:3],))
    return SeriesRecord(
        series.name, series.ids, DONE, rows=len(numbers), values=numbers, forecast=told, fingerprint=series.fingerprint
    )


class FakeSearch:
    """In place of the search of a chunk: every series that it is asked for is a line of the log, before its record."""

    def __init__(self, log: Path, seconds: float = 0.0) -> None:
        self.log, self.seconds = log, seconds

    def __call__(self, chunk: Sequence[PanelSeries], settings: PanelSettings) -> Iterator[SeriesRecord]:
        for series in chunk:
            with self.log.open("ab", buffering=0) as file:
                file.write(f"{series.name}\n".encode())
            time.sleep(self.seconds)
            yield fake_record(series)

    @property
    def asked(self) -> list[str]:
        """The names of the series that were asked for, one after the other."""
        return self.log.read_text().splitlines() if self.log.exists() else []


@pytest.fixture
def search(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> FakeSearch:
    """Runs of this process search nothing."""
    fake = FakeSearch(tmp_path / f"log-{os.getpid()}")
    monkeypatch.setattr(run, "records_of_chunk", fake)
    return fake
