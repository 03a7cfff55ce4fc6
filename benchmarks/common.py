"""What the benchmark commands share: splits of the series, scores, tables that resume, geometric means.

The benchmark data are not part of the repository; by default they are looked for beside it (shared/data).
"""

from __future__ import annotations

import argparse
import ast
import csv
import hashlib
import io
import tempfile
import time
from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, fields, replace
from functools import cache
from pathlib import Path
from typing import Any

import joblib
import numpy as np
from filelock import FileLock
from numpy.typing import NDArray
from scipy.special import ndtr

import autostatistician
from autostatistician.data.dataset import Dataset
from autostatistician.data.load import load
from autostatistician.estimators.options import ModelAveraging, TargetOptions
from autostatistician.estimators.statistician import AutomaticStatistician
from autostatistician.files import write_whole
from autostatistician.inference.predictive.predictive import Predictive

__all__ = [
    "DATA",
    "DEFAULT_LANGUAGE",
    "NORMAL_95",
    "REFERENCE",
    "RESULTS",
    "Ledger",
    "Split",
    "arguments",
    "chosen_settings",
    "code_version",
    "fitted",
    "geometric_mean",
    "grouped",
    "options",
    "predictive_scores",
    "read_rows",
    "run_command",
    "scores",
    "seeds_of_one_code",
    "series_names",
    "settings_text",
    "split_series",
    "table",
    "whole_series",
    "workers",
    "write_rows",
]

HERE = Path(__file__).resolve().parent
DATA = HERE.parents[1] / "shared" / "data"
RESULTS = HERE / "results"
REFERENCE = HERE / "reference"
WRITING = Path(tempfile.gettempdir()) / "autostatistician-results.lock"  # one table at a time, by any process
NORMAL_95 = 1.959963984540054
DEFAULT_LANGUAGE: str = AutomaticStatistician().language
ENGINE = (
    "data",
    "covariates",
    "language",
    "inference",
    "search",
    "model",
    "estimators",
)  # what decides about the figures

Array = NDArray[np.float64]
Row = dict[str, Any]


# Scores ----------------------------------------------------------------------------------------------------


def scores(y: Array, mean: Array, sd: Array, lower: Array | None = None, upper: Array | None = None) -> Row:
    """Scores of Gaussian predictions of ``y`` (n,): errors, mean negative log density, mean CRPS, coverage of 95 %.

    The CRPS has a closed form for Gaussians (Gneiting and Raftery 2007). ``lower`` and ``upper`` replace the
    central 95 % interval where a method gives its own.
    """
    z = (y - mean) / sd
    density = np.exp(-0.5 * z**2) / np.sqrt(2.0 * np.pi)
    nlp = 0.5 * z**2 + np.log(sd) + 0.5 * np.log(2.0 * np.pi)
    crps = sd * (z * (2.0 * ndtr(z) - 1.0) + 2.0 * density - 1.0 / np.sqrt(np.pi))
    lower = mean - NORMAL_95 * sd if lower is None else lower
    upper = mean + NORMAL_95 * sd if upper is None else upper
    return _row(y, mean, nlp, crps, (lower, upper))


def predictive_scores(y: Array, predicted: Predictive) -> Row:
    """The same scores of the predictive distributions of a model, whatever their form (Gaussian, lognormal, mixed)."""
    lower, upper = predicted.quantiles((0.025, 0.975)).T
    return _row(y, predicted.mean, -predicted.log_density(y), predicted.crps(y), (lower, upper))


def _row(y: Array, mean: Array, nlp: Array, crps: Array, band: tuple[Array, Array]) -> Row:
    return {
        "rmse": _short(np.sqrt(np.mean((y - mean) ** 2))),
        "mae": _short(np.mean(np.abs(y - mean))),
        "nlp": _short(np.mean(nlp)),
        "crps": _short(np.mean(crps)),
        "coverage95": round(float(np.mean((band[0] <= y) & (y <= band[1]))), 4),
    }


def _short(value: Any) -> float:
    """Six significant digits are plenty in a table."""
    return float(f"{float(value):.6g}")


def geometric_mean(values: Iterable[float]) -> float:
    """The geometric mean of positive numbers."""
    return float(np.exp(np.mean(np.log(list(values)))))


# Series and their splits -----------------------------------------------------------------------------------


@dataclass(frozen=True, eq=False)
class Split:
    """A training set, and where and what to predict. ``test_y`` is for the scores alone."""

    train: Dataset
    test_X: Array
    test_y: Array

    @property
    def places(self) -> Dataset:
        """The test positions as a data set whose targets tell nothing."""
        return replace(self.train, X=self.test_X, y=np.zeros(len(self.test_X)))


def series_names(data: Path, wanted: Sequence[str] | None = None) -> list[str]:
    """The names of the series in a data folder; of the wanted ones, also by their first letters ("01")."""
    names = sorted(path.stem for path in (data / "timeseries").glob("*.csv"))
    if not names:
        raise SystemExit(f"no series in {data / 'timeseries'}; say where the data are with --data")
    if not wanted:
        return names
    found = [name for name in names if name.startswith(tuple(wanted))]
    if not found:
        raise SystemExit(f"no series {', '.join(wanted)}; there are {', '.join(names)}")
    return found


def whole_series(data: Path, name: str, axis: str) -> Dataset:
    """A full series on the raw or the calendar axis."""
    return load(data / "timeseries" / f"{name}.csv", name=name, axis=axis)


def split_series(data: Path, kind: str, name: str, axis: str) -> Split:
    """The stored "extrapolation" or "interpolation" split of a series.

    On the calendar axis training and test rows are placed by one reading of the full series: it looks at the
    positions of the rows, not at their values.
    """
    folder = data / "timeseries" / kind
    train, test = (_rows_of(folder / f"{name}.{part}.csv") for part in ("train", "test"))
    if axis == "raw":
        return Split(load(folder / f"{name}.train.csv", name=name, axis="raw"), test[:, :1], test[:, 1])
    full = whole_series(data, name, axis)
    position = _positions(full, _rows_of(data / "timeseries" / f"{name}.csv"))
    x = np.array([position[tuple(row)].pop(0) for row in train])
    order = np.argsort(x, kind="stable")
    known = replace(full, X=x[order, None], y=train[order, 1] - full.offset)
    return Split(known, np.array([[position[tuple(row)].pop(0)] for row in test]), test[:, 1])


def _positions(full: Dataset, rows: Array) -> dict[tuple[float, ...], list[float]]:
    """Where the rows of a file are on the axis. The files are in the order of time, even where x steps back."""
    assert np.array_equal(full.y + full.offset, rows[:, 1]), "the loader kept every row, in the order of the file"
    found: dict[tuple[float, ...], list[float]] = defaultdict(list)
    for row, x in zip(rows, full.x, strict=True):
        found[tuple(row)].append(float(x))
    return found


def _rows_of(path: Path) -> Array:
    return np.loadtxt(path, delimiter=",", skiprows=1, ndmin=2)


# Fits ------------------------------------------------------------------------------------------------------


def fitted(dataset: Dataset, language: str, seed: int, settings: Row) -> tuple[AutomaticStatistician, Row]:
    """A fitted estimator, and the columns that tell about the fit."""
    start = time.perf_counter()
    model = AutomaticStatistician(language=language, random_state=seed, **grouped(settings)).fit(dataset)
    seconds = time.perf_counter() - start
    if model.interrupted_:  # half a search is no result
        raise KeyboardInterrupt
    best = model.search_.frontier.iloc[0]
    found = {
        "bic": round(float(best["bic"]), 3),
        "nll": round(float(best["nll"]), 3),
        "seconds": round(seconds, 2),
        "n_jobs": settings.get("n_jobs") or workers(),
        "expression": str(model.kernel_),
    }
    return model, found


def workers() -> int:
    """The number of workers that a search has by default."""
    return int(joblib.cpu_count())


@cache
def code_version(parts: tuple[str, ...] = ENGINE) -> str:
    """The version of the library and a hash of the code that decides about its figures (of these files and folders).

    Comments, docstrings and layout do not count.
    """
    package = Path(autostatistician.__file__).parent
    digest = hashlib.sha256()
    for part in parts:
        for path in [package / part] if part.endswith(".py") else _deciding(package / part):
            text = path.read_text(encoding="utf-8")
            digest.update(
                f"{path.relative_to(package).as_posix()}\n{_bare(text) if path.suffix == '.py' else text}".encode()
            )
    return f"{autostatistician.__version__}+{digest.hexdigest()[:8]}"


def _deciding(folder: Path) -> list[Path]:
    """Code and tables (learned numbers) of a folder; the examples decide about nothing."""
    every = sorted(path for path in folder.rglob("*") if path.suffix in {".py", ".csv", ".json"})
    return [path for path in every if path.suffix == ".py" or path.parent.name != "examples"]


def _bare(source: str) -> str:
    """Python code without comments, docstrings and layout."""
    tree = ast.parse(source)
    for node in ast.walk(tree):
        if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef) and ast.get_docstring(node) is not None:
            node.body[0] = ast.Pass()
    return ast.unparse(tree)


def settings_text(settings: Row) -> str:
    """Settings that are not the defaults, as they stand in the tables."""
    return " ".join(f"{name}={value}" for name, value in sorted(settings.items()))


# Tables that resume ----------------------------------------------------------------------------------------


def read_rows(path: Path) -> list[Row]:
    """The rows of a table as text; a last line that was cut off is left out."""
    if not path.exists():
        return []
    text = path.read_text(encoding="utf-8")
    lines = text[: text.rfind("\n") + 1].splitlines()
    return [dict(row) for row in csv.DictReader(lines)]


def write_rows(path: Path, rows: Sequence[Row], columns: Sequence[str] | None = None) -> None:
    """Write a table, whole or not at all, with the columns given or those of its first row."""
    text = io.StringIO()
    writer = csv.DictWriter(text, columns or list(rows[0]), lineterminator="\n", extrasaction="ignore")
    writer.writeheader()
    writer.writerows(rows)
    write_whole(path, text.getvalue().encode())


def seeds_of_one_code(rows: Sequence[Row]) -> list[Row]:
    """Of the runs of one case those that were made by the code of the first seed, by seed.

    What differs between others is not due to the seed alone.
    """
    ordered = sorted(rows, key=lambda row: int(row["seed"]))
    return [row for row in ordered if row["code"] == ordered[0]["code"]]


class Ledger:
    """A CSV file that grows row by row, with one row per case.

    A case is finished when the file has a row of it from the same version of the code. A new row takes the place
    of the older row of its case.

    Parameters
    ----------
    path : Path
        Made when the first row is written.
    case : sequence of str
        The columns that say which case a row is of; they come first.
    columns : sequence of str
        The other columns, with "code" among them.
    fresh : bool
        Whether every case is done anew.
    """

    def __init__(self, path: Path, case: Sequence[str], columns: Sequence[str], *, fresh: bool = False) -> None:
        self.path, self.case, self.columns, self.fresh = path, tuple(case), (*case, *columns), fresh

    def done(self, row: Row) -> bool:
        """Whether a row of this case and version of the code is in the file."""
        return not self.left([row])

    def left(self, rows: Iterable[Row]) -> list[Row]:
        """Those of the rows whose case the file does not have from this version of the code."""
        known = set() if self.fresh else {(*self._case(old), old.get("code")) for old in read_rows(self.path)}
        return [row for row in rows if (*self._case(row), str(row["code"])) not in known]

    def write(self, row: Row) -> None:
        """Add a row, whole or not at all; several processes may write to one file."""
        self.path.parent.mkdir(parents=True, exist_ok=True)
        with FileLock(WRITING, mode=0o666):
            rows = read_rows(self.path)
            place = next((k for k, old in enumerate(rows) if self._case(old) == self._case(row)), len(rows))
            rows[place : place + 1] = [row]
            write_rows(self.path, rows, self.columns)

    def remove(self, row: Row) -> None:
        """Take the row of a case out, if there is one."""
        if self.path.exists():
            with FileLock(WRITING, mode=0o666):
                rows = read_rows(self.path)
                left = [old for old in rows if self._case(old) != self._case(row)]
                if len(left) < len(rows):
                    write_rows(self.path, left, self.columns)

    def _case(self, row: Row) -> tuple[str, ...]:
        return tuple(str(row.get(name, "")) for name in self.case)


def table(rows: list[Row]) -> str:
    """Rows as aligned text."""
    if not rows:
        return "no results yet"
    lines = [list(rows[0]), *([str(value) for value in row.values()] for row in rows)]
    widths = [max(len(line[k]) for line in lines) for k in range(len(lines[0]))]
    return "\n".join(
        "  ".join(cell.ljust(width) for cell, width in zip(line, widths, strict=True)).rstrip() for line in lines
    )


# The command line ------------------------------------------------------------------------------------------


def arguments(
    doc: str | None, csv_name: str, *, languages: Sequence[str] = (DEFAULT_LANGUAGE,)
) -> argparse.ArgumentParser:
    """The options that all commands have."""
    parser = argparse.ArgumentParser(description=doc, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, default=DATA, help="folder of the benchmark data")
    parser.add_argument("--csv", type=Path, default=RESULTS / csv_name, help="the table of the results")
    parser.add_argument("--fresh", action="store_true", help="do again what the table has already")
    parser.add_argument("--summary", action="store_true", help="run nothing, show what the table says")
    if languages:
        parser.add_argument("--language", nargs="+", default=list(languages))
        parser.add_argument("--seeds", type=int, nargs="+", default=[0])
        parser.add_argument("--depth", type=int, help="levels of the search at most")
        parser.add_argument("--budget", type=float, help="seconds of the search at most")
        parser.add_argument("--jobs", type=int, help="workers; they do not change the results")
        parser.add_argument("--option", nargs="+", default=[], help="other settings of the estimator, as name=value")
    return parser


def run_command(
    parser: argparse.ArgumentParser,
    run_all: Callable[[argparse.Namespace], object],
    summary: Callable[[list[Row]], list[Row]] = list,
) -> None:
    """Run what is missing in the table, unless only a summary is asked for, and show what it says."""
    given = parser.parse_args()
    if not given.summary:
        run_all(given)
    print(table(summary(read_rows(given.csv))))


def chosen_settings(given: argparse.Namespace) -> Row:
    """The settings of the estimator that were given; those left out are the defaults."""
    named = {"max_depth": given.depth, "time_budget": given.budget}
    return {name: value for name, value in named.items() if value is not None} | options(given.option)


def grouped(settings: Row) -> Row:
    """Settings with a column of a table each as the estimator takes them: rare ones in groups."""
    settings = dict(settings)
    groups = (("target_options", TargetOptions), ("average", ModelAveraging))
    for name, group in groups:
        rare = {field.name: settings.pop(field.name) for field in fields(group) if field.name in settings}
        if rare:
            settings[name] = group(**rare)
    return settings


def options(texts: Iterable[str]) -> Row:
    """Settings given as "name=value"."""
    return {name: _literal(value) for name, _, value in (text.partition("=") for text in texts)}


def _literal(text: str) -> Any:
    try:
        return ast.literal_eval(text)
    except (SyntaxError, ValueError):
        return text
