"""Whether symmetries of the columns are found, and what they bring, in functions with a known group and in others.

Six functions have symmetries (four draws from priors seen through a group, of rational quadratic kernels, which are
not those that are fitted, and two formulas), six have none. 100 rows, noise of a tenth of the function's deviation. A
case is right when every symmetry that was proposed is held for more probable than not where the function has it, and
nowhere else. "RMSE" is that of the function on 1000 new rows, "without" that of the same model with no symmetry. The
search was written with other functions.

About 4 minutes of one core.

Usage: python benchmarks/symmetries.py [--case triangle] [--seed 0 1 2]
"""

from __future__ import annotations

import argparse
from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np

from autostatistician import SymmetricGPRegressor
from autostatistician.language.text import parse_kernel
from autostatistician.symmetry import Chain, OrbitSum, reflection, swap, view_covariance
from autostatistician.symmetry.claims import Claim, Kind
from autostatistician.symmetry.found import found_function
from autostatistician.symmetry.structure import structured
from autostatistician.symmetry.views import View
from common import Array, Bench, Row, command

ROWS, NEW_ROWS, NOISE = 100, 1000, 0.1
COLUMNS = ("code", "columns", "symmetric", "right", "missed", "wrong", "rmse", "without", "seconds", "told")
JITTER = 1e-9


@dataclass(frozen=True)
class Case:
    """A function of columns, between the ends of each, and its symmetries; drawn from a prior or a formula."""

    ends: tuple[tuple[float, float], ...]
    truth: tuple[Claim, ...] = ()
    formula: Callable[[Array], Array] | None = None
    kernel: str = ""
    view: View = Chain()  # noqa: RUF009 (frozen)


def _rational(columns: int) -> str:
    """A rough and a smooth part over all columns."""
    return " * ".join(f"RQ[x{k + 1}](lengthscale=1.2, sd=1, alpha=1.5)" for k in range(columns))


def triangle(X: Array) -> Array:
    """The area of a triangle with three sides (Heron)."""
    s = 0.5 * X.sum(axis=1)
    return np.asarray(np.sqrt(s * (s - X[:, 0]) * (s - X[:, 1]) * (s - X[:, 2])))


def friedman(X: Array) -> Array:
    """The first function of Friedman (1991) with its five columns that matter."""
    bent = 10.0 * np.sin(np.pi * X[:, 0] * X[:, 1]) + 20.0 * (X[:, 2] - 0.5) ** 2
    return np.asarray(bent + 10.0 * X[:, 3] + 5.0 * X[:, 4])


def currin(X: Array) -> Array:
    """The exponential function of Currin et al. (1988)."""
    a, b = X.T
    above, below = 2300.0 * a**3 + 1900.0 * a**2 + 2092.0 * a + 60.0, 100.0 * a**3 + 500.0 * a**2 + 4.0 * a + 20.0
    return np.asarray((1.0 - np.exp(-0.5 / b)) * above / below)


def franke(X: Array) -> Array:
    """The function of Franke (1979)."""
    a, b = 9.0 * X.T
    hills = 0.75 * np.exp(-0.25 * ((a - 2.0) ** 2 + (b - 2.0) ** 2)) + 0.75 * np.exp(
        -((a + 1.0) ** 2) / 49.0 - 0.1 * (b + 1.0)
    )
    return np.asarray(
        hills
        + 0.5 * np.exp(-0.25 * ((a - 7.0) ** 2 + (b - 3.0) ** 2))
        - 0.2 * np.exp(-((a - 4.0) ** 2) - (b - 7.0) ** 2)
    )


def curved(X: Array) -> Array:
    """The curved function of Dette and Pepelyshev (2010)."""
    a, b, c = X.T
    first = 4.0 * (a - 2.0 + 8.0 * b - 8.0 * b**2) ** 2 + (3.0 - 4.0 * b) ** 2
    return np.asarray(first + 16.0 * np.sqrt(c + 1.0) * (2.0 * c - 1.0) ** 2)


def cases() -> dict[str, Case]:
    """The functions, those with symmetries first."""
    around, unit = ((-2.0, 2.0),), ((0.0, 1.0),)
    goes_round = "(C(sd=0.7) + Per[x3](lengthscale=0.8, period=1.7, sd=1))"
    swapped, mirrored = Claim(Kind.EXCHANGE, (0, 2)), Claim(Kind.MIRROR, (1,))
    turn = "(C(sd=0.7) + Per[{}](lengthscale=0.8, period=1.4, sd=1))"
    strip = (Claim(Kind.PERIOD, (0,)), Claim(Kind.PERIOD, (1,)), Claim(Kind.EXCHANGE, (0, 1)))
    sides = (Claim(Kind.EXCHANGE, (0, 1)), Claim(Kind.EXCHANGE, (1, 2)))
    parts = (Claim(Kind.EXCHANGE, (0, 1)), Claim(Kind.MIRROR, (2,)), Claim(Kind.COMBINATION, (3, 4)))
    return {
        "drawn: swap": Case(around * 3, (swapped,), kernel=_rational(3), view=OrbitSum(swap(3, (0,), (2,)))),
        "drawn: mirror": Case(around * 3, (mirrored,), kernel=_rational(3), view=OrbitSum(reflection(3, [1], at=0.4))),
        "drawn: period": Case(around * 3, (Claim(Kind.PERIOD, (2,)),), kernel=f"{_rational(2)} * {goes_round}"),
        "triangle": Case(((2.0, 4.0),) * 3, sides, triangle),
        "Friedman": Case(unit * 5, parts, friedman),
        "drawn: Mobius strip": Case(
            around * 2, strip, kernel=f"{turn.format('x1')} * {turn.format('x2')}", view=OrbitSum(swap(2))
        ),
        "drawn: 2 columns": Case(around * 2, kernel=_rational(2)),
        "drawn: 3 columns": Case(around * 3, kernel=_rational(3)),
        "drawn: 4 columns": Case(around * 4, kernel=_rational(4)),
        "Currin": Case(unit * 2, formula=currin),
        "Franke": Case(unit * 2, formula=franke),
        "Dette": Case(unit * 3, formula=curved),
    }


def values(case: Case, X: Array, rng: np.random.Generator) -> Array:
    """The function at rows."""
    if case.formula is not None:
        return case.formula(X)
    names = tuple(f"x{k + 1}" for k in range(X.shape[1]))
    K = view_covariance(parse_kernel(case.kernel), case.view, X, None, names)
    factor = np.linalg.cholesky(K + JITTER * float(K.diagonal().max()) * np.eye(len(X)))
    return np.asarray(factor @ rng.standard_normal(len(X)))


def run(row: Row, _: argparse.Namespace) -> Row:
    """Draw the data of a case, look for symmetries, compare."""
    case, rng = cases()[row["case"]], np.random.default_rng(row["seed"])
    lows, highs = np.array(case.ends).T
    X = rng.uniform(lows, highs, (ROWS + NEW_ROWS, len(lows)))
    f = values(case, X, rng)
    y = f[:ROWS] + NOISE * f[:ROWS].std() * rng.standard_normal(ROWS)
    model = SymmetricGPRegressor(structure="find").fit(X[:ROWS], y)
    truth, found = structured(case.truth, len(lows)), model.found_
    assert truth is not None
    likely = {claim for claim in found.proposed if found.probability(claim) > 0.5}
    true = {claim for claim in found.proposed if truth.holds(claim)}
    return {
        "columns": len(lows),
        "symmetric": int(bool(case.truth)),
        "right": int(likely == true),
        "missed": len(true - likely),
        "wrong": len(likely - true),
        "rmse": _rmse(model.predict(X[ROWS:]), f[ROWS:]),
        "without": _rmse(_without(model, X[:ROWS], y, X[ROWS:]), f[ROWS:]),
        "told": " ".join(map(str, model.symmetries_)),
    }


def _without(model: SymmetricGPRegressor, X: Array, y: Array, at: Array) -> Array:
    """Predictions of the same model with no symmetry."""
    nothing = next(group for group in model.found_.groups if not group.structure.claims)
    found = replace(model.found_, groups=(nothing,))
    numbers = tuple(range(X.shape[1]))
    function, fit = found_function(found, X, y, model.columns_, numbers, np.random.default_rng(0))
    return np.asarray(fit.posterior.project(fit.latent.signal, at).mean + function.centre)


def _rmse(predicted: Array, f: Array) -> float:
    return float(f"{np.sqrt(np.mean((predicted - f) ** 2)):.4g}")


BENCH = Bench(
    file="symmetries.csv", case=("case", "seed"), columns=COLUMNS, run=run,
    options={"seed": tuple(range(5)), "case": tuple(cases())},
)  # fmt: skip

if __name__ == "__main__":
    command(__doc__, BENCH)
