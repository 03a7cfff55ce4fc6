"""Every benchmark, two scripts at a time, the longest first; stop it and start it again as you like.

A script is a process of its own with one worker and one BLAS thread, so all seconds are of the processor. What the
tables have already from the same code is left out; a case that fails stands in `failures.csv` with its error. How long
a script takes is told by its own head, and all together are made to end within three hours on two cores. A script that
has ended takes rows of ours by other versions out of its tables.

Usage: python benchmarks/run_all.py [--minutes 180] [--at-once 2] [--script series corpus] [--dry-run]
"""

import argparse
import ast
import os
import re
import signal
import subprocess
import sys
import time
from pathlib import Path

from common import DATA, RESULTS

HERE = Path(__file__).resolve().parent
ONE_THREAD = dict.fromkeys(("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"), "1")
PAUSE = 0.5  # seconds between two looks at the running scripts


def scripts() -> dict[str, int]:
    """The scripts that make tables, with the minutes of one core that each takes, the longest first."""
    told = {path.stem: ast.get_docstring(ast.parse(path.read_text(encoding="utf-8"))) for path in HERE.glob("*.py")}
    found = {
        name: re.search(r"^About (\d+) minutes of one core", text or "", re.MULTILINE) for name, text in told.items()
    }
    minutes = {name: int(match[1]) for name, match in found.items() if match}
    return dict(sorted(minutes.items(), key=lambda item: (-item[1], item[0])))


def run(names: list[str], given: argparse.Namespace) -> list[str]:
    """Run the scripts until all have ended or the time is over; those that failed or did not end."""
    end = time.monotonic() + 60.0 * given.minutes
    waiting, running, failed = list(names), dict[str, subprocess.Popen[bytes]](), list[str]()
    try:
        while (waiting or running) and time.monotonic() < end:
            while waiting and len(running) < given.at_once:
                name = waiting.pop(0)
                command = [sys.executable, str(HERE / f"{name}.py"), "--drop-others", "--data", str(given.data)]
                running[name] = subprocess.Popen(
                    [*command, "--results", str(given.results)], stdin=subprocess.DEVNULL,
                    env=os.environ | ONE_THREAD, start_new_session=True,
                )  # fmt: skip
            for name, process in list(running.items()):
                if process.poll() is not None:
                    print(f"{name}: {'failed' if process.returncode else 'done'}; {len(waiting)} wait", flush=True)
                    failed += [name] if process.returncode else []
                    del running[name]
            time.sleep(PAUSE)
    finally:
        for process in running.values():  # out of time, or stopped: what they have not written will be done again
            os.killpg(process.pid, signal.SIGTERM)
            process.wait()
    return [*failed, *running, *waiting]


def main() -> None:
    """Run what is missing in the tables."""
    known = scripts()
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--minutes", type=float, default=180.0, help="stop after so many")
    parser.add_argument("--at-once", type=int, default=2, help="scripts at a time")
    parser.add_argument(
        "--script", nargs="+", choices=list(known), default=list(known), metavar="NAME", help="these alone"
    )
    parser.add_argument("--dry-run", action="store_true", help="only say how long each takes")
    parser.add_argument("--data", type=Path, default=DATA, help="folder of the benchmark data")
    parser.add_argument("--results", type=Path, default=RESULTS, help="folder of the tables")
    given = parser.parse_args()
    if given.dry_run:
        print("\n".join(f"{known[name]:4} min  {name}" for name in given.script))
        print(f"{sum(known[name] for name in given.script):4} min of one core")
        return
    left = run(list(given.script), given)
    if left:
        raise SystemExit(f"not made whole: {', '.join(left)}; the same command goes on from here")
    print("all tables are made")


if __name__ == "__main__":
    main()
