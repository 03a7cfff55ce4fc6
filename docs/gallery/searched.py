"""The searches behind the figures of chapters 3 and 4: ``python docs/gallery/searched.py [NAME ...]`` makes them.

They take a minute each, so what they found is kept in ``searches/NAME.json``: of every level the best few models. The
data are not in these files; they are read where they are. Nothing is given to a search but the data: no structure, no
numbers to begin with. Settings are the default ones, unless a name ends in the language that it is searched with.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pandas as pd

from autostatistician import AutomaticStatistician, load_example
from autostatistician.data.dataset import Dataset
from autostatistician.data.load import load
from autostatistician.decompose.records.series import Decomposition
from autostatistician.fitted import storage
from autostatistician.fitted.explanation import decomposition
from autostatistician.fitted.model import Model
from autostatistician.search.state import Candidate
from look import HERE, data

__all__ = ["KEPT", "SEARCHES", "Search", "best_of_level", "decomposed", "searched", "way"]

FOLDER = HERE / "searches"
KEPT = 4  # models of a level


@dataclass(frozen=True)
class Search:
    """A series, by the name of an example or of a file of years and a ``target``, and how it is searched."""

    series: str
    target: str = ""
    settings: Mapping[str, Any] = field(default_factory=dict)

    def read(self) -> Dataset:
        """The data.

        Raises
        ------
        Absent
            When they are in a file that is not here.
        """
        if not self.target:
            return load_example(self.series)
        frame = pd.read_csv(data(self.series)).set_axis(["year", self.target], axis=1)
        return load(frame, time="year", target=self.target, name=self.target)


SEARCHES = {
    "mauna-loa": Search("timeseries/03-mauna.csv", "co2"),
    "mauna-loa-cks2013": Search("mauna-loa", settings={"language": "cks2013", "max_depth": 6}),
    "airline": Search("airline"),
    "solar": Search("timeseries/02-solar.csv", "irradiance"),
}


@cache
def searched(name: str) -> Model:
    """The model that a search found, with the best few of every level.

    Raises
    ------
    Absent
        When its data are not here.
    """
    record = json.loads((FOLDER / f"{name}.json").read_text(encoding="utf-8"))
    return storage.from_json(record | {"dataset": SEARCHES[name].read().to_json()})


@cache
def decomposed(name: str) -> Decomposition:
    """That model taken apart, without checks of it."""
    return decomposition(searched(name), checked=False)


def best_of_level(name: str) -> list[Candidate]:
    """The best model of every level of a search."""
    frontier = searched(name).search.frontier
    levels = sorted({candidate.level for candidate in frontier})
    return [min((one for one in frontier if one.level == level), key=Candidate.rank) for level in levels]


def run(name: str) -> None:
    """Search, and keep what was found."""
    search = SEARCHES[name]
    dataset = search.read()
    model = AutomaticStatistician(n_jobs=1, **search.settings).fit(dataset)
    assert model.dataset_.n == dataset.n  # nothing was set aside
    with TemporaryDirectory() as folder:
        path = Path(folder) / "model.json"
        model.save(path)
        record = json.loads(path.read_text(encoding="utf-8"))
    del record["dataset"]
    frontier, on_way = record["search"]["frontier"], way(model.model_.search.parents)
    levels = [one["level"] for one in frontier]
    best = {place for place, level in enumerate(levels) if levels[:place].count(level) < KEPT}
    record["search"]["frontier"] = [frontier[place] for place in sorted(best | on_way)]
    (FOLDER / f"{name}.json").write_text(json.dumps(record, separators=(",", ":")) + "\n", encoding="utf-8")


def way(parents: tuple[int | None, ...]) -> set[int]:
    """The places of the models that lead to the best one."""
    steps: list[int] = []
    step: int | None = 0
    while step is not None:
        steps.append(step)
        step = parents[step]
    return set(steps)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("names", nargs="*", help=f"some of {', '.join(SEARCHES)}; all without any")
    for name in parser.parse_args().names or SEARCHES:
        run(name)
        print(name, flush=True)
