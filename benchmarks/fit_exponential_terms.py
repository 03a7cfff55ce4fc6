"""Writes the table of exponential terms whose sum is a squared exponential.

Usage: python benchmarks/fit_exponential_terms.py TARGET

For every number of columns the samples of ``exp(-t^2 / 2)`` up to some end make a Hankel matrix; its leading singular
vectors shift into themselves by the terms' factors (Roy and Kailath 1989, ESPRIT), and least squares gives the
weights. Of several ends the one with the least error up to the longest lag is kept, if none of its terms grows.
"""

import csv
import sys
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from scipy.linalg import hankel, svd

Complex = NDArray[np.complex128]

COLUMNS = range(1, 17)
LONGEST = (0.25, 0.5, 1.0, 2.0, 4.0, np.inf)  # lags, in lengthscales: few terms serve where all lags are short
FINEST = 5e-14  # fewer terms that are as good as this are enough
SAMPLES = 201
FASTEST = 0.9  # turn between two samples, as a part of the fastest that they show


def fitted(columns: int, end: float, longest: float) -> tuple[float, Complex, Complex]:
    """The largest error, and rates and weights of those without frequency and one of each conjugate pair."""
    times = np.linspace(0.0, end, SAMPLES)
    left, _, _ = svd(hankel(_target(times)[: SAMPLES // 2], _target(times)[SAMPLES // 2 - 1 :]))
    shift = np.linalg.lstsq(left[:-1, :columns], left[1:, :columns], rcond=None)[0]
    rates = -np.log(np.linalg.eigvals(shift).astype(complex)) / times[1]
    if rates.real.min() < 0.0 or np.abs(rates.imag).max() > FASTEST * np.pi / times[1]:
        return np.inf, rates, rates
    fine, far = np.linspace(0.0, min(end, longest), 2000), np.linspace(0.0, min(3.0 * end, longest), 5000)
    weights = np.linalg.lstsq(np.exp(-np.outer(fine, rates)), _target(fine) + 0j, rcond=None)[0]
    error = np.abs((np.exp(-np.outer(far, rates)) @ weights).real - _target(far)).max()
    one = rates.imag >= 0.0
    return float(error), rates[one], np.where(rates.imag > 0.0, 2.0 * weights, weights.real)[one]


def best(columns: int, longest: float) -> tuple[float, Complex, Complex]:
    """That of the best end."""
    ends = np.arange(2.0, 14.0, 0.25) if longest == np.inf else np.linspace(0.7, 1.6, 10) * longest
    return min((fitted(columns, end, longest) for end in ends), key=lambda one: one[0])


def _target(times: NDArray[np.float64]) -> NDArray[np.float64]:
    return np.exp(-0.5 * times * times)


def main(target: Path) -> None:
    """Write the table."""
    with target.open("w", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(["longest", "columns", "error", "rate", "frequency", "weight", "phase_weight"])
        for longest in LONGEST:
            reached = np.inf
            for columns in COLUMNS:
                error, rates, weights = best(columns, longest)
                if error > 0.5 * reached or reached < FINEST:
                    continue
                reached = error
                order = np.argsort(rates.imag)
                for rate, weight in zip(rates[order], weights[order], strict=True):
                    row = [f"{x:.17g}" for x in (rate.real, rate.imag, weight.real, weight.imag)]
                    writer.writerow([longest, columns, f"{error:.2g}", *row])


if __name__ == "__main__":
    main(Path(sys.argv[1]))
