"""gplearn on one series, in an environment of its own: called by `equations.py`.

It gets the column from 0 at the first row to 10 at the last one (`X0` in what it says), and targets of mean 0 and
standard deviation 1, since its constants are drawn from a fixed range; targets whose mean and standard deviation lie in
that range are left as they are, since a formula is shorter then. It minimises the squared error. Its default price of a
node, 0.001, is near the variance of noise on this scale; a tenth of it, and not "auto", fitted the rows best of two
other functions. The sizes can be read where gplearn is not installed.

Usage: python benchmarks/equations_one.py DATA.npz SEED LIMIT (prints one line of JSON)
"""

import json
import sys
import time
import warnings
from importlib import import_module
from typing import Any

import numpy as np

POPULATION, GENERATIONS = 1000, 20
CONSTANTS = (-10.0, 10.0)
PRICE = 1e-4  # of a node, in the squared error
MOST = 30.0  # of what is put into an exponential
PLAIN = ("add", "sub", "mul", "div", "neg", "inv", "sqrt", "log", "sin", "cos")


def exponential(x: np.ndarray) -> np.ndarray:
    """Closed under all numbers, as gplearn wants its functions."""
    return np.exp(np.clip(x, -MOST, MOST))


def searched(x: np.ndarray, y: np.ndarray, seed: int, limit: float) -> Any:
    """The search, generation by generation, until all are made or the seconds of the processor are over."""
    made = import_module("gplearn.functions").make_function
    functions = (*PLAIN, made(function=exponential, name="exp", arity=1, wrap=False))
    model = import_module("gplearn.genetic").SymbolicRegressor(
        population_size=POPULATION, function_set=functions, const_range=CONSTANTS, metric="mse", warm_start=True,
        parsimony_coefficient=PRICE, random_state=seed, n_jobs=1,
    )  # fmt: skip
    began = time.process_time()
    for generation in range(1, GENERATIONS + 1):
        model.set_params(generations=generation)
        model.fit(x, y)
        if time.process_time() - began > limit:
            break
    return model


def main() -> None:
    """Search, predict, say what was found."""
    path, seed, limit = sys.argv[1:]
    warnings.simplefilter("ignore")
    with np.load(path) as held:
        x, y, places = held["x"], held["y"], held["places"]
    start, scale = x.min(), np.ptp(x) / 10.0
    mean, sd = (0.0, 1.0) if max(abs(y.mean()), y.std()) <= CONSTANTS[1] else (y.mean(), y.std())
    began = time.process_time()
    model = searched(((x - start) / scale)[:, None], (y - mean) / sd, int(seed), float(limit))
    seconds = time.process_time() - began
    program = model._program  # the only way to its length and text
    row = {
        "mean": (mean + sd * model.predict(((places - start) / scale)[:, None])).tolist(),
        "seconds": round(seconds, 2), "generations": len(model.run_details_["generation"]),
        "size": int(program.length_), "formula": f"{mean:.6g} + {sd:.6g} * {program}",
    }  # fmt: skip
    sys.stdout.write("\n" + json.dumps(row) + "\n")


if __name__ == "__main__":
    main()
