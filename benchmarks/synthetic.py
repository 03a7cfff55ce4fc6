"""Recovery of known structure from noisy draws, in one to four inputs, and of its absence from pure noise.

The cases are those of the synthetic table of Duvenaud et al. (2013): 300 inputs uniform on [-2, 2]^D, a draw from
the prior scaled to standard deviation 1, noise of variance 1 / SNR. White noise and constants are no structure, and
a rational quadratic counts as smooth (SE): the languages searched by default have none.

About 5 minutes of one core.

Usage: python benchmarks/synthetic.py [--case lin-per] [--snr 10 1 0.1] [--language full]
"""

import argparse
from collections import Counter
from itertools import product
from math import exp
from typing import Any

import numpy as np

from autostatistician.data.dataset import Dataset, from_arrays
from autostatistician.gp.covariance import covariance
from autostatistician.kernels.expr import Expr, Leaf, Product, Sum
from autostatistician.kernels.grammar import LANGUAGES
from autostatistician.kernels.kernel import Kernel, leaf
from common import DEFAULT_LANGUAGE, Bench, command, fitted, options

Row = dict[str, Any]

SIZE = 300
JITTER = 1e-9  # of the draws' variance: smooth covariance matrices are singular to rounding


def se(column: int, log_length: float = 0.0) -> Kernel:
    """A squared exponential of standard deviation 1 on one input."""
    return leaf("SE", f"x{column}", lengthscale=exp(log_length), sd=1.0)


def rq(column: int, log_length: float, log_alpha: float) -> Kernel:
    """A rational quadratic of standard deviation 1 on one input."""
    return leaf("RQ", f"x{column}", lengthscale=exp(log_length), sd=1.0, alpha=exp(log_alpha))


def per(column: int, log_length: float, log_period: float) -> Kernel:
    """A periodic kernel of standard deviation 1 on one input."""
    return leaf("Per", f"x{column}", lengthscale=exp(log_length), period=exp(log_period), sd=1.0)


def cases() -> dict[str, tuple[int, Kernel | None]]:
    """The number of inputs and the kernel that the data are drawn from; None is pure noise."""
    line = leaf("Lin", "x1", sd=1.0, location=0.0)
    return {
        "se+rq": (1, se(1) + rq(1, -1.0, -2.0)),
        "lin-per": (1, line * per(1, 0.0, -1.0)),
        "se1+rq2": (2, se(1, 1.0) + rq(2, -1.0, -1.0)),
        "se1+se2-per1+se3": (3, se(1, 1.0) + se(2) * per(1, -1.0, -1.0) + se(3, -1.0)),
        "se1-se2": (4, se(1, 1.0) * se(2)),
        "se1-se2+se2-se3": (4, se(1) * se(2, 1.0) + se(2, -1.0) * se(3)),
        "(se1+se2)-(se3+se4)": (4, (se(1) + se(2)) * (se(3) + se(4))),
        "noise-1": (1, None),
        "noise-4": (4, None),
    }


def drawn(kernel: Kernel | None, inputs: int, snr: float, seed: int) -> Dataset:
    """The data of a case."""
    rng = np.random.default_rng(seed)
    X = rng.uniform(-2.0, 2.0, (SIZE, inputs))
    names = tuple(f"x{k + 1}" for k in range(inputs))
    noise = rng.standard_normal(SIZE)
    if kernel is None:
        return from_arrays(X, noise, names)
    K = covariance(kernel, X, columns=names)
    factor = np.linalg.cholesky(K + JITTER * np.trace(K) * np.eye(SIZE))
    signal = factor @ rng.standard_normal(SIZE)
    signal = (signal - signal.mean()) / signal.std()
    return from_arrays(X, signal + noise / np.sqrt(snr), names)


# Structure: a sum of products of leaves on columns, without noise and constants ------------------------------

Term = tuple[str, ...]


def structure(expr: Expr, column: str = "x1") -> Counter[Term]:
    """The products of an expression that vary with the inputs, each as its sorted leaves; changes count as leaves.

    Noise of one size is no structure; noise that grows (``Lin * WN``) is.
    """
    return Counter(term for term in _terms(expr, column) if term and not _is_even_noise(term))


def _is_even_noise(term: Term) -> bool:
    """Whether a product is white noise of the same size everywhere: times a stationary leaf it stays that."""
    return "WN" in term and not any(leaf.startswith(("Lin", "Change")) for leaf in term)


def _terms(expr: Expr, column: str) -> list[Term]:
    match expr:
        case Leaf(symbol="C"):
            return [()]
        case Leaf(symbol="WN"):
            return [("WN",)]
        case Leaf(symbol=symbol, column=where):
            return [(f"{'SE' if symbol == 'RQ' else symbol}[{where or column}]",)]
        case Sum(terms=parts):
            return [term for part in parts for term in _terms(part, column)]
        case Product(factors=parts):
            return [_one_smooth(sum(chosen, ())) for chosen in product(*(_terms(part, column) for part in parts))]
    return [(str(type(expr).__name__),)]


def _one_smooth(leaves: Term) -> Term:
    """The leaves of a product, sorted: several squared exponentials on a column are one, with a shorter lengthscale."""
    smooth = {leaf for leaf in leaves if leaf.startswith("SE")}
    return tuple(sorted([*smooth, *(leaf for leaf in leaves if leaf not in smooth)]))


def shown(found: Counter[Term]) -> str:
    """A structure as text."""
    return " + ".join(sorted(" * ".join(term) for term in found.elements())) or "none"


# Runs ------------------------------------------------------------------------------------------------------


def run(case: Row, _: argparse.Namespace) -> Row:
    """Draw the data of a case, search, compare."""
    inputs, kernel = cases()[case["case"]]
    dataset = drawn(kernel, inputs, case["snr"], case["seed"])
    model, found = fitted(dataset, case["language"], case["seed"], options(case["settings"]))
    true = Counter() if kernel is None else structure(kernel.expr)
    ours = structure(model.kernel_.expr)
    return found | {"inputs": inputs, "true": shown(true), "found": shown(ours), "exact": int(ours == true)}


BENCH = Bench(
    file="synthetic.csv", case=("case", "snr", "language", "seed", "settings"), run=run,
    columns=("code", "inputs", "true", "found", "exact", "seconds", "n_jobs", "bic", "expression"),
    options={"seed": (0,), "language": (DEFAULT_LANGUAGE,), "case": tuple(cases()), "snr": (10.0, 1.0, 0.1, 0.0),
             "settings": ("",)},
    more={"language": tuple(LANGUAGES)},
    wanted=lambda case: case["case"].startswith("noise") == (case["snr"] == 0.0),
)  # fmt: skip

if __name__ == "__main__":
    command(__doc__, BENCH)
