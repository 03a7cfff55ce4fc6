"""Long series: the time of one likelihood, and of a whole search with its report, as the rows grow.

`long.csv`: one log marginal likelihood of one column with its gradient, and its error. The models are the original's
best of its 13 series (structures; numbers where they are known, else plausible ones), on as many evenly spaced places
of the same range as there are rows. Beside the engine whose cost grows with n stands the LAPACK floor of a matrix
(Cholesky and inverse), timed alternately in one process with one BLAS thread, the best of several rounds. Up to 2000
rows, drawn from the model, the error of the evidence is told; a model with too little noise, or too many columns, is
one matrix's (no columns) as long as that can be. As long as there is a floor, the engine that a search takes for the
model is timed, too.
`scale.csv`: seconds and memory of the search of a long series with default settings, and of the report on what it
found. The series are the first rows of `taylor` (half-hourly demand of electricity, 3696 rows: hardly any noise) and
made ones: hourly values with a cycle of the day whose size wanders, one of the week, slow and quick changes, noise.
The peak of the memory is that of the command, from few rows to many.

All times are those of the processor.

About 10 minutes of one core.

Usage: python benchmarks/long.py [--only long.csv] [--n 400 1000] [--case taylor-1000]
"""

import argparse
import resource
import tempfile
from collections.abc import Callable
from pathlib import Path
from time import process_time

import numpy as np
from scipy.linalg import lapack

from autostatistician import AutomaticStatistician
from autostatistician.gp.engines.choice import engine_for
from autostatistician.gp.engines.exact import MOST_ROWS
from autostatistician.gp.engines.lag_space import LagSpace
from autostatistician.gp.engines.semiseparable.objective import SemiseparableObjective
from autostatistician.gp.problem import Problem
from autostatistician.kernels.kernel import Kernel
from autostatistician.kernels.text import parse_kernel
from common import REFERENCE, Array, Bench, Row, command, processor, read_rows
from corpus_series import taylor

ROWS = (400, 1000, 3000, 10_000, 30_000, 100_000, 1_000_000)
MOST_FLOOR, MOST_EXACT = 3000, 2000
MOST_OF_ALL = 30_000  # rows; of more only some models are timed
LONGEST = ("03-mauna", "05-temperature", "07-call-centre")
LONG = ("01-airline", *LONGEST, "08-radio")
MOST_COLUMNS = 300  # of more than 5000 rows, which no matrix holds
SECONDS, ROUNDS = 0.7, 7  # for a case, after which no further round begins


def lapack_floor(K: Array) -> Callable[[], object]:
    """Cholesky and inverse of a covariance matrix: what no method on dense matrices can avoid."""
    work = np.empty_like(K)

    def run() -> None:
        np.copyto(work, K)
        factor, _ = lapack.dpotrf(work.T, lower=1, overwrite_a=1, clean=0)
        lapack.dpotri(factor, lower=1, overwrite_c=1)

    return run


def models() -> dict[str, tuple[float, float, Kernel]]:
    """First and last place and kernel of each model."""
    rows = read_rows(REFERENCE / "long_models.csv")
    return {row["model"]: (float(row["first"]), float(row["last"]), parse_kernel(row["kernel"])) for row in rows}


def problem(name: str, n: int) -> tuple[Kernel, Problem]:
    """A model on n rows; data of the model where one matrix can draw them."""
    first, last, kernel = models()[name]
    x, y = np.linspace(first, last, n), np.random.default_rng(0).standard_normal(n)
    if n <= MOST_EXACT:
        K = LagSpace().objective(kernel.expr, Problem(x, y)).covariance(kernel.values)
        K[np.diag_indices(n)] *= 1.0 + 1e-12
        y = np.linalg.cholesky(K) @ y
    return kernel, Problem(x, y)


def best(*runs: Callable[[], object]) -> list[float]:
    """The least seconds of each of some calls, made in turn."""
    found, began = [np.inf] * len(runs), process_time()
    for _ in range(ROUNDS):
        for index, run in enumerate(runs):
            start = process_time()
            run()
            found[index] = min(found[index], process_time() - start)
        if process_time() - began > SECONDS:
            break
    return found


def likelihood(case: Row, _: argparse.Namespace) -> Row:
    """One row of the table."""
    n = case["n"]
    kernel, data = problem(case["model"], n)
    objective = SemiseparableObjective(kernel.expr, data)
    columns = objective.columns(kernel.values)
    if columns > MOST_COLUMNS and n > MOST_ROWS:
        return {"columns": columns}
    runs: list[Callable[[], object]] = [
        lambda: objective.value_and_gradient(kernel.values),
        lambda: objective.value(kernel.values),
    ]
    taken = engine_for(kernel.expr, data, often=True)
    if n <= MOST_FLOOR:
        other = taken.objective(kernel.expr, data)
        runs += [lapack_floor(np.eye(n) + 0.5), lambda: other.value_and_gradient(kernel.values)]
    seconds = best(*runs)
    error = ""
    if n <= MOST_EXACT:
        exact = LagSpace().objective(kernel.expr, data).value(kernel.values)
        error = f"{objective.value(kernel.values) - exact:.2g}"
    milli = [f"{1e3 * one:.4g}" for one in seconds] + ["", ""]
    ratios = [f"{seconds[index] / seconds[2]:.3f}" if n <= MOST_FLOOR else "" for index in (0, -1)]
    known = dict(zip(("ms", "value_ms", "floor_ms", "engine_ms"), milli, strict=False))
    known |= {"ratio": ratios[0], "engine_ratio": ratios[1], "engine": taken.name if n <= MOST_FLOOR else ""}
    return known | {"columns": columns, "nats": error}


def is_timed(case: Row) -> bool:
    """Of many rows some models only."""
    return case["n"] <= MOST_OF_ALL or case["model"] in (LONG if case["n"] < ROWS[-1] else LONGEST)


# Searches --------------------------------------------------------------------------------------------------

SIZES = {"taylor": (500, 1000, 3000, 3696), "made": (500, 1000, 3000, 10_000, 100_000)}
CASES = tuple(f"{name}-{n}" for name, sizes in SIZES.items() for n in sizes)
HOURS_OF_DAY, DAYS_OF_WEEK = 24.0, 7.0


def made(n: int, seed: int = 0) -> tuple[Array, Array]:
    """Days (n,) and values (n,) of a made series of hours.

    >>> days, values = made(100)
    >>> float(days[24]), values.shape
    (1.0, (100,))
    """
    rng = np.random.default_rng(seed)
    days = np.arange(n) / HOURS_OF_DAY
    size = 1.0 + 0.3 * _smooth(n, days[-1] / 4.0, rng)
    day = np.sin(2.0 * np.pi * days + 0.4 * np.sin(4.0 * np.pi * days))
    week = 0.8 * np.cos(2.0 * np.pi * days / DAYS_OF_WEEK)
    slow, quick = 3.0 * _smooth(n, days[-1] / 5.0, rng), 0.5 * _smooth(n, 0.15, rng)
    return days, 20.0 + slow + size * day + week + quick + 0.3 * rng.standard_normal(n)


def _smooth(n: int, days: float, rng: np.random.Generator) -> Array:
    """A smooth function (n,) of size one with this lengthscale, drawn by its spectrum on a longer circle."""
    lags = np.minimum(np.arange(4 * n), 4 * n - np.arange(4 * n)) / HOURS_OF_DAY
    spectrum = np.maximum(np.fft.rfft(np.exp(-0.5 * (lags / days) ** 2)).real, 0.0)
    drawn: Array = np.fft.irfft(np.fft.rfft(rng.standard_normal(4 * n)) * np.sqrt(spectrum), 4 * n)[:n]
    return drawn


def series(case: str) -> tuple[Array, Array]:
    """Places and values of a case."""
    name, n = case.split("-")
    if name == "made":
        return made(int(n))
    values = taylor()[: int(n)]
    return np.arange(len(values)) / 48.0, values


def whole_search(case: Row, _: argparse.Namespace) -> Row:
    """Search and report."""
    x, y = series(case["case"])
    began = processor()
    model = AutomaticStatistician(n_jobs=1).fit(x[:, None], y)
    searched = processor()
    with tempfile.TemporaryDirectory() as folder:
        page = model.report(Path(folder) / "page.html")
        size = page.stat().st_size / 1e6
    done = processor()
    peak = max(resource.getrusage(who).ru_maxrss for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))
    best = model.model_.search.best
    return {
        "n": len(y),
        "n_jobs": 1,
        "search_seconds": f"{searched - began:.1f}",
        "report_seconds": f"{done - searched:.1f}",
        "megabytes": round(peak / 1024),
        "page_megabytes": f"{size:.2f}",
        "bic": f"{model.search_.trace['bic'].iloc[-1]:.1f}",
        "expression": str(best.kernel),
    }


BENCHES = (
    Bench(
        file="long.csv", case=("model", "n"), run=likelihood, wanted=is_timed,
        columns=("columns", "ms", "value_ms", "floor_ms", "ratio", "nats", "engine", "engine_ms", "engine_ratio",
                 "code"),
        options={"n": ROWS, "model": tuple(models())},
    ),
    Bench(
        file="scale.csv", case=("case", "n_jobs"), run=whole_search,
        options={"case": tuple(case for case in CASES if case != "made-100000")}, more={"case": CASES},
        columns=("code", "n", "search_seconds", "report_seconds", "megabytes", "page_megabytes", "bic", "expression"),
    ),
)  # fmt: skip

if __name__ == "__main__":
    command(__doc__, *BENCHES)
