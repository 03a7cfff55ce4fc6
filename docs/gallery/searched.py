"""The searches behind the figures of chapters 3 and 4: ``python docs/gallery/searched.py [NAME ...]`` makes them.

They take minutes each, so what they found is kept in ``searches/NAME.json``: of every level the best few models. The
data are not in these files; they are read where they are. All is by the languages of the sources. Of the sun's
irradiance the expression is the one that the searches of 2014 found, and its numbers are fitted here: our own search
with their language ended at a worse one.
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
from autostatistician.fitted import storage
from autostatistician.fitted.explanation import decomposition
from autostatistician.fitted.model import Model
from autostatistician.gp import Problem, condition
from autostatistician.gp.criteria import bic
from autostatistician.gp.fitting.optimise import fit
from autostatistician.kernels import parse_kernel
from autostatistician.search.starting.standardisation import standard
from autostatistician.search.state import Candidate, StepInfo, Watched
from look import HERE, data

__all__ = ["KEPT", "SEARCHES", "Search", "best_of_level", "decomposed", "searched", "way"]

FOLDER = HERE / "searches"
MODELS = HERE.parents[1] / "benchmarks" / "reference" / "long_models.csv"
KEPT = 4  # models of a level


@dataclass(frozen=True)
class Search:
    """A series, by the name of an example or of a file, and how it is searched."""

    series: str
    language: str
    max_depth: int

    def read(self) -> Dataset:
        """The data."""
        return load_example(self.series)


SEARCHES = {
    "mauna-loa": Search("mauna-loa", "cks2013", 6),
    "airline": Search("airline", "interpretable", 8),
}


@cache
def searched(name: str) -> Model:
    """The model that a search found, with the best few of every level; of "solar" the one of others, fitted.

    Raises
    ------
    Absent
        When the data of "solar" are not here.
    """
    if name == "solar":
        return fitted()
    record = json.loads((FOLDER / f"{name}.json").read_text(encoding="utf-8"))
    return storage.from_json(record | {"dataset": SEARCHES[name].read().to_json()})


def fitted() -> Model:
    """The model of the sun's irradiance that was found in 2014, with the numbers that are most probable from there."""
    frame = pd.read_csv(data("timeseries/02-solar.csv")).set_axis(["year", "irradiance"], axis=1)
    dataset = load(frame, time="year", target="irradiance", name="irradiance")
    known = pd.read_csv(MODELS).set_index("model").loc["02-solar", "kernel"]
    maps, problem, scales = standard(dataset)
    kernel = maps.to_data(fit(maps.to_standard(parse_kernel(known)), problem, scales, max_steps=300).kernel)
    nll = -condition(kernel, Problem.of(dataset)).log_evidence
    score = bic(nll, kernel.expr, dataset.n)
    step = StepInfo(0, 0, str(kernel), score, nll, 1, 1, 0.0, score)
    return Model.so_far(dataset, "interpretable", Watched.of(step, kernel, "bic"))


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
    model = AutomaticStatistician(language=search.language, max_depth=search.max_depth, n_jobs=1).fit(dataset)
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
