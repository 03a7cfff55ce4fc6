"""Reports on long series with columns: seconds and memory of search and report, each in a process of its own.

Hours with a daily and a weekly cycle and a load that follows the temperature along a parabola, and the holidays of a
country beside it; by the command that users give.

Usage: python benchmarks/columns_scale.py [--rows 8760 100000] [--jobs 2] [--summary]
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import numpy as np
import pandas as pd
from scipy.signal import lfilter

from common import Ledger, arguments, code_version, read_rows, table

CASE = ("rows",)
COLUMNS = ("code", "jobs", "seconds", "cpu", "gib")


def hours(n: int) -> pd.DataFrame:
    """Time, load and temperature."""
    rng, hour = np.random.default_rng(1), np.arange(n)
    times = pd.date_range("2020-01-01", periods=n, freq="h")
    weather = lfilter([1.0], [1.0, -0.97], rng.normal(size=n))
    yearly, daily = 10.0 * np.sin(2.0 * np.pi * (hour / 8766 - 0.3)), 4.0 * np.sin(2.0 * np.pi * (hour / 24 - 0.4))
    temperature = 12.0 + yearly + daily + weather
    load = 100.0 + 15.0 * np.sin(2.0 * np.pi * (hour / 24 - 0.3)) + 8.0 * (times.day_of_week < 5)
    load = load + 0.06 * (temperature - 15.0) ** 2 + rng.normal(0.0, 4.0, n)
    return pd.DataFrame({"time": times, "load": load.round(2), "temperature": temperature.round(1)})


def run(n: int, jobs: int) -> dict[str, object]:
    """Seconds on the clock and of the processors, and the most memory, of a report."""
    with tempfile.TemporaryDirectory() as folder:
        hours(n).to_csv(Path(folder) / "hours.csv", index=False)
        command = [sys.executable, "-m", "autostatistician", "report", "hours.csv", "--target", "load"]
        command += ["--holidays", "DE", "--jobs", str(jobs), "--quiet"]
        start = time.perf_counter()
        with subprocess.Popen(command, cwd=folder, stdout=subprocess.PIPE, text=True) as process:
            _, status, usage = os.wait4(process.pid, 0)
            process.returncode = os.waitstatus_to_exitcode(status)
        if process.returncode:
            raise SystemExit(f"expected a report; found exit code {process.returncode} of {' '.join(command)}")
        seconds, cpu = time.perf_counter() - start, usage.ru_utime + usage.ru_stime
    return {"seconds": round(seconds, 1), "cpu": round(cpu, 1), "gib": f"{usage.ru_maxrss / 2**20:.2f}"}


def main() -> None:
    """Run what is missing in the table, or show what it says."""
    parser = arguments(__doc__, "columns-scale.csv", languages=())
    parser.add_argument("--rows", type=int, nargs="+", default=[8760, 100_000])
    parser.add_argument("--jobs", type=int, default=2, help="workers of the search")
    given = parser.parse_args()
    ledger, code = Ledger(given.csv, CASE, COLUMNS, fresh=given.fresh), code_version()
    for n in () if given.summary else given.rows:
        case = {"rows": n, "code": code}
        if ledger.left([case]):
            ledger.write(case | {"jobs": given.jobs, **run(n, given.jobs)})
    print(table(read_rows(given.csv)))


if __name__ == "__main__":
    main()
