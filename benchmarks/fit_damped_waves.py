"""Writes the table of damped waves whose sum is a squared exponential: `python benchmarks/fit_damped_waves.py TARGET`.

For every number of columns the samples of ``exp(-t^2 / 2)`` up to some end make a Hankel matrix; its leading singular
vectors shift into themselves by the waves' factors (Roy and Kailath 1989, ESPRIT), and least squares gives the
weights. Of several ends the one with the least error anywhere is kept.
"""

from __future__ import annotations

import csv
import sys
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from scipy.linalg import hankel, svd

Complex = NDArray[np.complex128]

COLUMNS = (4, 6, 8, 10, 12, 14, 16)
SAMPLES = 201


def fitted(columns: int, end: float) -> tuple[float, Complex, Complex]:
    """The largest error, and rates and weights of one of each conjugate pair (the weights doubled)."""
    times = np.linspace(0.0, end, SAMPLES)
    left, _, _ = svd(hankel(_target(times)[: SAMPLES // 2], _target(times)[SAMPLES // 2 - 1 :]))
    shift = np.linalg.lstsq(left[:-1, :columns], left[1:, :columns], rcond=None)[0]
    rates = -np.log(np.linalg.eigvals(shift).astype(complex)) / times[1]
    fine, far = np.linspace(0.0, end, 2000), np.linspace(0.0, 3.0 * end, 5000)
    weights = np.linalg.lstsq(np.exp(-np.outer(fine, rates)), _target(fine) + 0j, rcond=None)[0]
    error = np.abs((np.exp(-np.outer(far, rates)) @ weights).real - _target(far)).max()
    one = rates.imag > 0.0
    return float(error), rates[one], 2.0 * weights[one]


def _target(times: NDArray[np.float64]) -> NDArray[np.float64]:
    return np.exp(-0.5 * times * times)


def main(target: Path) -> None:
    """Write the table."""
    with target.open("w", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(["columns", "error", "rate", "frequency", "weight", "phase_weight"])
        for columns in COLUMNS:
            error, rates, weights = min(
                (fitted(columns, end) for end in np.arange(3.0, 14.0, 0.5)), key=lambda one: one[0]
            )
            order = np.argsort(rates.imag)
            for rate, weight in zip(rates[order], weights[order], strict=True):
                row = [f"{x:.17g}" for x in (rate.real, rate.imag, weight.real, weight.imag)]
                writer.writerow([columns, f"{error:.2g}", *row])


if __name__ == "__main__":
    main(Path(sys.argv[1]))
