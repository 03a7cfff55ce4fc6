"""A panel of which the searches sleep, so that what is left of the time is that of the run over it.

A module of its own, since workers import it: settings that reach one put the fake search there.
"""

from __future__ import annotations

import os
import resource
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, fields
from typing import Any

import numpy as np

from autostatistician.data.dataset import Dataset
from autostatistician.data.times.axes import Axis
from autostatistician.panel import run
from autostatistician.panel.fitting import PanelSeries
from autostatistician.panel.records import DONE, PanelForecast, SeriesRecord
from autostatistician.panel.settings import PanelSettings

__all__ = ["SECONDS", "FakeSettings", "FakeTable", "fake_records", "megabytes"]

SECONDS = 0.01  # of a fit
ROWS, STEPS = 60, 15
MONTH = Axis("month", "year", "month", 1 / 12, gap=1 / 12)
X = 2000.0 + np.arange(ROWS)[:, None] / 12
TIMES = tuple(f"{2000 + month // 12}-{1 + month % 12:02d}-01" for month in range(ROWS))


class FakeTable:
    """So many series of numbers by chance, made when they are asked for."""

    ids = ("store",)

    def __init__(self, count: int) -> None:
        self.keys = [(str(index),) for index in range(count)]

    def __len__(self) -> int:
        return len(self.keys)

    def name(self, index: int) -> str:
        """Its number."""
        return self.keys[index][0]

    def dataset(self, index: int) -> Dataset:
        """Five years of months."""
        return Dataset(X, np.random.default_rng(index).normal(size=ROWS), ("month",), "sales", MONTH)


@dataclass(frozen=True)
class FakeSettings(PanelSettings):
    """Settings with which nothing is searched, in whatever process they come to."""

    def __reduce__(self) -> Any:
        return _arrived, tuple(getattr(self, each.name) for each in fields(PanelSettings))


def _arrived(*values: Any) -> FakeSettings:
    run.records_of_chunk = fake_records
    return FakeSettings(*values)


def fake_records(chunk: Sequence[PanelSeries], settings: PanelSettings) -> Iterator[SeriesRecord]:
    """Records as long as those of real series; their notes are the process, its seconds and its megabytes so far."""
    for series in chunk:
        assert series.dataset is not None
        time.sleep(SECONDS)
        values = tuple(series.dataset.y.tolist())
        told = PanelForecast(TIMES[:STEPS], values[:STEPS], (80, 95), 2 * (values[:STEPS],), 2 * (values[:STEPS],))
        notes = (str(os.getpid()), str(time.process_time()), str(megabytes()))
        yield SeriesRecord(
            series.name, series.ids, DONE, rows=ROWS, notes=notes, times=TIMES, values=values, forecast=told,
            errors=values, error_times=TIMES, fingerprint=series.fingerprint,
        )  # fmt: skip


def megabytes() -> float:
    """The most memory that this process has had."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
