"""What the benchmark commands share: splits of the series, scores, tables that resume, geometric means.

The benchmark data are not part of the repository; by default they are looked for beside it (shared/data).
"""

import argparse
import ast
import csv
import hashlib
import io
import os
import re
import sys
import tempfile
import warnings
from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from functools import cache
from importlib.metadata import PackageNotFoundError, version
from itertools import product
from pathlib import Path
from typing import Any

import numpy as np
from filelock import FileLock
from numpy.typing import NDArray
from scipy.special import ndtr
from threadpoolctl import threadpool_limits

import autostatistician
from autostatistician._io.files import write_whole
from autostatistician.data.dataset import Dataset
from autostatistician.data.load import load
from autostatistician.estimators.options import TargetOptions
from autostatistician.estimators.statistician import AutomaticStatistician
from autostatistician.gp.predictive import Predictive

HERE = Path(__file__).resolve().parent
DATA = HERE.parents[1] / "shared" / "data"
RESULTS = HERE / "results"
REFERENCE = HERE / "reference"
WRITING = Path(tempfile.gettempdir()) / "autostatistician-results.lock"  # one table at a time, by any process
NORMAL_95 = 1.959963984540054
DEFAULT_LANGUAGE: str = AutomaticStatistician().language

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
    """An estimator fitted by one worker, and the columns that tell about the fit; seconds are of the processor."""
    start = processor()
    model = AutomaticStatistician(language=language, random_state=seed, n_jobs=1, **grouped(settings)).fit(dataset)
    if model.interrupted_:  # half a search is no result
        raise KeyboardInterrupt
    best = model.search_.frontier.iloc[0]
    found = {
        "bic": round(float(best["bic"]), 3),
        "nll": round(float(best["nll"]), 3),
        "seconds": round(processor() - start, 2),
        "n_jobs": 1,
        "expression": str(model.kernel_),
        "evaluations": model.model_.search.evaluations,
    }
    return model, found


def processor() -> float:
    """Seconds of the processor that this process and its children took."""
    return sum(os.times()[:4])


@cache
def code_version() -> str:
    """The version of the library and a hash of its code; comments, docstrings and layout do not count."""
    package = Path(autostatistician.__file__).parent
    digest = hashlib.sha256()
    for path in deciding(package):
        text = path.read_text(encoding="utf-8")
        bare = _bare(text) if path.suffix == ".py" else text
        digest.update(f"{path.relative_to(package).as_posix()}\n{bare}".encode())
    return f"{autostatistician.__version__}+{digest.hexdigest()[:8]}"


def deciding(folder: Path) -> list[Path]:
    """Code and tables (learned numbers) of a folder; the examples decide about nothing."""
    every = sorted(path for path in folder.rglob("*") if path.suffix in {".py", ".csv", ".json"})
    return [path for path in every if path.suffix == ".py" or path.parent.name != "examples"]


def package_version(package: str) -> str | None:
    """The installed version of a peer, as it stands in the tables; None when it is missing."""
    try:
        return f"{package} {version(package)}" if package else "own"
    except PackageNotFoundError:
        return None


def _bare(source: str) -> str:
    """Python code without comments, docstrings and layout."""
    tree = ast.parse(source)
    for node in ast.walk(tree):
        if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef) and ast.get_docstring(node) is not None:
            node.body[0] = ast.Pass()
    return ast.unparse(tree)


# Tables that resume ----------------------------------------------------------------------------------------


def read_rows(path: Path) -> list[Row]:
    """The rows of a table as text; a last line that was cut off is left out."""
    if not path.exists():
        return []
    text = path.read_text(encoding="utf-8")
    lines = text[: text.rfind("\n") + 1].splitlines()
    return [dict(row) for row in csv.DictReader(lines)]


OWN = re.compile(
    r"\d+\.\d+\.\d+\+|[0-9a-f]{7,8}$"
)  # how the stamp of a row of ours looks, today's and that of old tables


def own_versions(folder: Path) -> dict[str, set[str]]:
    """The stamps of the rows of ours by table."""
    found = {path.name: {row.get("code") or "" for row in read_rows(path)} for path in sorted(folder.glob("*.csv"))}
    return {name: {code for code in codes if OWN.match(code)} for name, codes in found.items()}


def drop_other_versions(table: Path, version: str) -> int:
    """Take the rows of ours by other versions out of a table; how many they were."""
    rows = read_rows(table)
    left = [row for row in rows if not OWN.match(row["code"] or "") or row["code"].startswith(version)]
    if len(left) < len(rows):
        write_rows(table, left, list(rows[0]))
    return len(rows) - len(left)


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
        """Whether a row of this case (as far as it is said) and version of the code is in the file."""
        asked = [name for name in (*self.case, "code") if name in row]
        return not self.fresh and any(
            all(str(row[name]) == old.get(name, "") for name in asked) for old in read_rows(self.path)
        )

    def write(self, row: Row) -> None:
        """Add a row, whole or not at all; several processes may write to one file."""
        self.path.parent.mkdir(parents=True, exist_ok=True)
        with FileLock(WRITING, mode=0o666):
            rows = read_rows(self.path)
            places = [k for k, old in enumerate(rows) if self._case(old) == self._case(row)] or [len(rows)]
            rows[places[0] : places[0] + 1] = [row]
            write_rows(self.path, [one for k, one in enumerate(rows) if k not in places[1:]], self.columns)

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


# The command line ------------------------------------------------------------------------------------------


@dataclass(frozen=True, kw_only=True)
class Bench:
    """A table of results: its cases, and how one is measured.

    Parameters
    ----------
    file : str
        The table, in the folder of results.
    case, columns : tuple of str
        The columns that tell rows apart, and the others, with "code" among them.
    options : mapping
        By column the values that are taken where none are asked for; cases are all combinations of them.
    run : callable
        From a case and the arguments of the command to its row, or to several.
    more : mapping
        By column further values that may be asked for.
    code : callable
        The version of what a case measures, None where it is not installed; by default that of this library.
    wanted : callable
        Which of the combinations are cases; by default all.
    """

    file: str
    case: tuple[str, ...]
    columns: tuple[str, ...]
    options: Mapping[str, Sequence[Any]]
    run: Callable[[Row, argparse.Namespace], Row | list[Row]]
    more: Mapping[str, Sequence[Any]] = field(default_factory=dict)
    code: Callable[[Row], str | None] = lambda case: code_version()
    wanted: Callable[[Row], bool] = lambda case: True

    def __post_init__(self) -> None:
        assert set(self.options) <= {*self.case, *self.columns}, "what a case is made of stands in its row"

    def cases(self, given: argparse.Namespace) -> list[Row]:
        """The combinations of what is asked for."""
        chosen = [self._chosen(name, getattr(given, name)) for name in self.options]
        every = (dict(zip(self.options, values, strict=True)) for values in product(*chosen))
        return [case for case in every if self.wanted(case)]

    def _chosen(self, name: str, asked: Sequence[Any] | None) -> Sequence[Any]:
        usual = self.options[name]
        if asked is None:
            return usual
        known = [*usual, *self.more.get(name, ())]
        return [value for value in asked if value in known or not isinstance(value, str)]

    def fill(self, given: argparse.Namespace) -> bool:
        """Add what the table lacks, and say so; whether nothing failed."""
        ledger = Ledger(given.results / self.file, self.case, self.columns, fresh=given.fresh)
        failures, well = Ledger(given.results / "failures.csv", *FAILED), True
        for case in self.cases(given):
            code, start = self.code(case), processor()
            said = f"{self.file} " + " ".join(f"{name}={value}" for name, value in case.items())
            if code is None:
                print(f"not installed: {said}", flush=True)
                continue
            if given.dry_run or ledger.done(case | {"code": code}):
                print(f"{'to run' if given.dry_run else 'done'}: {said}", flush=True)
                continue
            try:
                with warnings.catch_warnings(), threadpool_limits(limits=1):  # the same numbers on any machine
                    warnings.simplefilter("ignore")
                    found = self.run(case, given)
            except Exception as error:  # the others go on
                well, minutes = False, f"{(processor() - start) / 60.0:.1f}"
                failures.write({"command": said, "code": code, "minutes": minutes, "error": repr(error)[:300]})
                print(f"FAILED: {said}: {error!r}", flush=True)
                continue
            seconds = {"seconds": round(processor() - start, 2), "code": code}
            for row in found if isinstance(found, list) else [found]:
                ledger.write(seconds | case | row)
            failures.remove({"command": said})
            print(f"{processor() - start:8.1f} s  {said}", flush=True)
        return well


FAILED = (("command",), ("code", "minutes", "error"))  # of the table of cases that failed


def command(doc: str | None, *benches: Bench) -> None:
    """The command of a script: make what its tables lack of what is asked for."""
    parser = argparse.ArgumentParser(description=doc, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, default=DATA, help="folder of the benchmark data")
    parser.add_argument("--results", type=Path, default=RESULTS, help="folder of the tables")
    parser.add_argument("--fresh", action="store_true", help="do again what the tables have already")
    parser.add_argument("--dry-run", action="store_true", help="only list the cases")
    parser.add_argument("--python", default=sys.executable, help="interpreter that has the peers")
    parser.add_argument("--drop-others", action="store_true", help="take other versions of ours out of whole tables")
    files = [bench.file for bench in benches]
    parser.add_argument("--only", nargs="+", choices=files, default=files, help="of several tables these")
    values: dict[str, list[Any]] = defaultdict(list)
    for bench in benches:
        for name, usual in bench.options.items():
            values[name] += [one for one in (*usual, *bench.more.get(name, ())) if one not in values[name]]
    for name, known in values.items():
        told = ", ".join(str(value) or "(none)" for value in known)
        choices = known if isinstance(known[0], str) and name != "settings" else None
        parser.add_argument(f"--{name}", nargs="+", type=type(known[0]), choices=choices, metavar="VALUE", help=told)
    given = parser.parse_args()
    whole = {bench.file: bench.fill(given) for bench in benches if bench.file in given.only}
    for table in (name for name, is_whole in whole.items() if is_whole and given.drop_others):
        print(f"{table}: {drop_other_versions(given.results / table, code_version())} rows by other versions taken out")
    raise SystemExit(0 if all(whole.values()) else 1)


def grouped(settings: Row) -> Row:
    """Settings with a column of a table each as the estimator takes them: rare ones in a group."""
    names = {field.name for field in fields(TargetOptions)} & settings.keys()
    rest = {name: value for name, value in settings.items() if name not in names}
    return rest | {"target_options": TargetOptions(**{name: settings[name] for name in names})} if names else rest


def options(settings: str) -> Row:
    """Settings as they stand in the tables: "name=value" with spaces between them."""
    return {name: _literal(value) for name, _, value in (text.partition("=") for text in settings.split())}


def _literal(text: str) -> Any:
    try:
        return ast.literal_eval(text)
    except (SyntaxError, ValueError):
        return text
