"""Seconds and memory as the rows grow, beside other packages: one likelihood with gradient, a fit, a report.

The series is the made one of `scale.py`; the structure is given: a slow change, a day whose size drifts, a week, a
quick change and noise. A likelihood is told at the numbers that the series was made with; every fit starts from the
same others, and its forecast of the rows that follow (a hundredth as many, 48 to 1000) is scored. Each measurement is
a process of its own with one thread; seconds are those of the processor, memory is the peak of the process, Python and
packages included.

Peers may be in other environments: `--python` names the interpreter that runs the engines of `--engine` (it needs NumPy
and the peer: scikit-learn, gpytorch, celerite2, statsforecast or prophet). What takes longer than 60 seconds of
the processor or more than 4 GiB is ended and said to be; what is larger still is not tried.

About 12 minutes of one core.

Usage: python benchmarks/beside.py [--engine ours celerite2] [--task likelihood] [--n 1000 3000] [--python PATH]
"""

import argparse
import json
import os
import resource
import subprocess
import sys
import tempfile
from functools import cache, partial
from pathlib import Path

import numpy as np

from common import Bench, Row, code_version, command, read_rows
from long import made

COLUMNS = ("code", "state", "seconds", "megabytes", "nll", "rmse", "nlp", "note")
ROWS = (1000, 3000, 10_000, 30_000, 100_000, 300_000, 1_000_000)
TASKS = ("likelihood", "fit", "report")
GPS = ("likelihood", "fit")
# Name -> the package it needs ("": this one), and what it can.
ENGINES: dict[str, tuple[str, tuple[str, ...]]] = {
    "ours": ("", TASKS),
    "ours, one matrix": ("", ("likelihood",)),
    "scikit-learn": ("scikit-learn", GPS),
    "GPyTorch": ("gpytorch", GPS),
    "GPyTorch SKI": ("gpytorch", GPS),
    "GPyTorch SVGP": ("gpytorch", GPS),
    "celerite2": ("celerite2", GPS),
    "AutoARIMA": ("statsforecast", ("fit",)),
    "Prophet": ("prophet", ("fit",)),
}
HERE = Path(__file__).resolve().parent
LIMIT = 60.0  # seconds of the processor
MOST_MEMORY = 4 * 2**30
LONG_AS = 6  # times the limit, which a process may wait for others that run
NEARLY = 0.95  # of the limit: what fails after so much was ended by it, or a process that it had begun was
OVER, OUT_OF_MEMORY, REFUSED, NOT_TRIED = "over the limit", "over 4 GiB", "refused", "not tried"
THREADS = ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS")


def numbers(days: float) -> dict[str, float]:
    """What the series of so many days was made with, but for the shapes of day and week, which it has not."""
    return {
        "slow_scale": days / 5.0, "slow_sd": 3.0, "drift_scale": days / 4.0, "day_shape": 1.0, "day_period": 1.0,
        "day_sd": 0.75, "week_shape": 1.0, "week_period": 7.0, "week_sd": 0.57, "quick_scale": 0.15, "quick_sd": 0.5,
        "noise_sd": 0.3,
    }  # fmt: skip


def write_data(path: Path, n: int) -> None:
    """The rows, centred, those to predict, and the numbers."""
    x, y = made(n + min(max(n // 100, 48), 1000))
    y = y - y[:n].mean()
    known = json.dumps(numbers(float(x[-1])))
    np.savez(path, x=x[:n], y=y[:n], x_new=x[n:], y_new=y[n:], numbers=known)


def measured(case: Row, data: Path, given: argparse.Namespace) -> Row:
    """One measurement in a process of its own."""
    command = [given.python, str(HERE / "beside_one.py"), case["engine"], case["task"], str(data)]
    environment = os.environ | dict.fromkeys(THREADS, "1")
    before = _spent()
    try:
        done = subprocess.run(
            command, capture_output=True, text=True, env=environment, timeout=LONG_AS * LIMIT,
            preexec_fn=partial(_limited, LIMIT), check=False,
        )  # fmt: skip
    except subprocess.TimeoutExpired:
        return {"state": OVER}
    if done.returncode == 0:
        return dict(json.loads(done.stdout.splitlines()[-1]))
    return {"state": OVER if _spent() - before > NEARLY * LIMIT else _state(done.returncode, done.stderr)}


def _spent() -> float:
    """Seconds of the processor that ended processes have taken, and theirs."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def _limited(seconds: float) -> None:
    resource.setrlimit(resource.RLIMIT_CPU, (int(seconds), int(seconds) + 5))
    resource.setrlimit(resource.RLIMIT_DATA, (MOST_MEMORY, MOST_MEMORY))


def _state(code: int, said: str) -> str:
    """Why a process ended before its time was over."""
    lines = said.strip().splitlines() or [f"exit code {code}"]
    if "InputError" in said:
        return REFUSED
    memory = ("MemoryError", "allocate", "bad_alloc", "Unable to allocate")
    return OUT_OF_MEMORY if any(word in said for word in memory) else f"failed: {lines[-1][:80]}"


@cache
def version_by(package: str) -> str | None:
    """The version of a peer in the environment that `--python` names; None when it is missing."""
    python = sys.argv[sys.argv.index("--python") + 1] if "--python" in sys.argv else sys.executable
    asked = f"from importlib.metadata import version; print(version({package!r}))"
    found = subprocess.run([python, "-c", asked], capture_output=True, text=True, check=False)
    return None if found.returncode else f"{package} {found.stdout.strip()}"


def run(case: Row, given: argparse.Namespace) -> Row:
    """One measurement, unless fewer rows were too many."""
    if any(
        all(one[key] == case[key] for key in ("task", "engine")) and one["code"] == code(case)
        and one["state"] and int(one["n"]) < case["n"]
        for one in read_rows(given.results / "beside.csv")
    ):  # fmt: skip
        return {"state": NOT_TRIED, "seconds": ""}
    with tempfile.TemporaryDirectory() as folder:
        data = Path(folder) / "data.npz"
        write_data(data, case["n"])
        return {"seconds": ""} | measured(case, data, given)


def code(case: Row) -> str | None:
    """Of this library or of a peer."""
    package = ENGINES[case["engine"]][0]
    return version_by(package) if package else code_version()


BENCH = Bench(
    file="beside.csv", case=("task", "engine", "n"), columns=COLUMNS, run=run, code=code,
    options={"engine": tuple(ENGINES), "task": TASKS, "n": ROWS},
    wanted=lambda case: case["task"] in ENGINES[case["engine"]][1],
)  # fmt: skip

if __name__ == "__main__":
    command(__doc__, BENCH)
