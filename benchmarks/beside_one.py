"""One measurement of `beside.py`, in a process of its own: seconds of the processor, peak of the memory, what came out.

It needs nothing of this library but for its own rows, so that any Python that has a peer can run it.

Usage: python benchmarks/beside_one.py ENGINE TASK DATA.npz (prints one line of JSON)
"""

import json
import resource
import sys
import warnings
from collections.abc import Callable
from typing import Any

import numpy as np

from beside_engines import Data, Engine, engines

SECONDS, ROUNDS = 2.0, 7  # for a likelihood, after which no further round begins


def measured(engine: Callable[..., Engine], task: str, data: Data) -> dict[str, Any]:
    """Seconds, megabytes, and what tells how good it is."""
    made = engine(data, start=task == "fit")
    seconds, value = least_seconds(getattr(made, task), ROUNDS if task == "likelihood" else 1)
    row = {"seconds": f"{seconds:.4g}", "megabytes": round(peak()), "note": made.note}
    if value is not None:
        row["nll"] = f"{value / len(data.y):.4f}"
    if task == "fit":
        mean, sd = made.predict()
        row["rmse"] = f"{np.sqrt(np.mean((mean - data.y_new) ** 2)):.4f}"
        if sd is not None:
            density = 0.5 * ((data.y_new - mean) / sd) ** 2 + np.log(sd) + 0.5 * np.log(2.0 * np.pi)
            row["nlp"] = f"{np.mean(density):.4f}"
    return row


def least_seconds(run: Callable[[], float | None], rounds: int) -> tuple[float, float | None]:
    """The least seconds of the processor that some calls took, and what the last gave."""
    best, began = np.inf, processor()
    for _ in range(rounds):
        start = processor()
        value = run()
        best = min(best, processor() - start)
        if processor() - began > SECONDS:
            break
    return best, value


def processor() -> float:
    """Seconds of this process and of those that it has waited for."""
    used = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    return sum(one.ru_utime + one.ru_stime for one in used)


def peak() -> float:
    """Megabytes at most, of this process or one that it has waited for."""
    return max(resource.getrusage(who).ru_maxrss for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)) / 1024


def main() -> None:
    """Measure what is asked for."""
    name, task, path = sys.argv[1:]
    warnings.simplefilter("ignore")
    with np.load(path) as held:
        data = Data(*(held[part] for part in ("x", "y", "x_new", "y_new")), json.loads(str(held["numbers"])))
    row = measured(engines()[name], task, data)
    sys.stdout.write("\n" + json.dumps(row) + "\n")


if __name__ == "__main__":
    main()
