"""The searches behind the figures of chapters 3 and 4: ``python docs/gallery/searched.py [NAME ...]`` makes them.

They take minutes each, so what they found is kept in ``searches/NAME.json``: of every level the best few models. The
data are not in these files; they are read where they are. All is by the languages of the sources.
"""

from __future__ import annotations

import argparse
import json
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory

import pandas as pd

from autostatistician import AutomaticStatistician, load_example
from autostatistician.data.dataset import Dataset
from autostatistician.data.load import load
from autostatistician.decompose.records.series import Decomposition
from autostatistician.search.state import Candidate
from look import data

__all__ = ["KEPT", "SEARCHES", "Search", "best_of_level", "decomposed", "searched", "way"]

FOLDER = Path(__file__).resolve().parent / "searches"
KEPT = 4  # models of a level


@dataclass(frozen=True)
class Search:
    """A series, by the name of an example or of a file, and how it is searched."""

    series: str
    language: str
    max_depth: int
    target: str = ""  # of a file

    def read(self) -> Dataset:
        """The data.

        Raises
        ------
        Absent
            When they are in a file that is not here.
        """
        if not self.series.endswith(".csv"):
            return load_example(self.series)
        frame = pd.read_csv(data(self.series)).set_axis(["year", self.target], axis=1)
        return load(frame, time="year", target=self.target, name=self.target)


SEARCHES = {
    "mauna-loa": Search("mauna-loa", "cks2013", 6),
    "airline": Search("airline", "interpretable", 8),
    "solar": Search("timeseries/02-solar.csv", "interpretable", 8, "irradiance"),
}


@cache
def searched(name: str) -> AutomaticStatistician:
    """The model that a search found, with the best few of every level.

    Raises
    ------
    Absent
        When its data are not here.
    """
    dataset = SEARCHES[name].read().to_json()
    record = json.loads((FOLDER / f"{name}.json").read_text(encoding="utf-8"))
    with TemporaryDirectory() as folder:
        path = Path(folder) / "model.json"
        path.write_text(json.dumps(record | {"dataset": dataset}), encoding="utf-8")
        return AutomaticStatistician.load(path)


@cache
def decomposed(name: str) -> Decomposition:
    """That model taken apart, without checks of it."""
    from autostatistician.model.explanation import decomposition

    return decomposition(searched(name).model_, checked=False)


def best_of_level(name: str) -> list[Candidate]:
    """The best model of every level of a search."""
    frontier = searched(name).model_.search.frontier
    levels = sorted({candidate.level for candidate in frontier})
    return [min((one for one in frontier if one.level == level), key=Candidate.rank) for level in levels]


def run(name: str) -> None:
    """Search, and keep what was found."""
    search = SEARCHES[name]
    dataset = search.read()
    model = AutomaticStatistician(language=search.language, max_depth=search.max_depth, n_jobs=1).fit(dataset)
    assert model.dataset_.n == dataset.n  # nothing was set aside
    with TemporaryDirectory() as folder:
        path = Path(folder) / "model.json"
        model.save(path)
        record = json.loads(path.read_text(encoding="utf-8"))
    del record["dataset"]
    frontier, way = record["search"]["frontier"], way(model.model_.search.parents)
    levels = [one["level"] for one in frontier]
    best = {place for place, level in enumerate(levels) if levels[:place].count(level) < KEPT}
    record["search"]["frontier"] = [frontier[place] for place in sorted(best | way)]
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
