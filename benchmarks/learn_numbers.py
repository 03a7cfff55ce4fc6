"""What learning of priors on series and on tables shares: the moments of numbers that were seen in fitted models.

A number counts with the weight of its model, and with its own uncertainty: what data do not know is no evidence of a
narrow prior.
"""

from __future__ import annotations

import csv
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

import autostatistician
from autostatistician.inference.parameters.learned import LearnedPrior, LearnedPriors, Place, read_priors
from autostatistician.inference.parameters.priors import ParameterPrior, parameter_units, places
from autostatistician.inference.parameters.scales import Scales
from autostatistician.inference.problem import Problem
from autostatistician.inference.uncertainty.curvature import curvature
from autostatistician.language.expr import Leaf
from autostatistician.language.kernel import Kernel, parameters
from common import REFERENCE

__all__ = ["PACKAGE", "Seen", "first_guess", "learned", "moments", "numbers_of", "write_numbers"]

Array = NDArray[np.float64]
Key = tuple[str, str, Place]

PACKAGE = Path(autostatistician.__file__).parent
WIDER, NARROWEST = 1.15, 0.35  # the widths are weakly informative: other data differ more than these
SETS_OF_NO_SHARE, SETS_OF_GUESS = 10.0, 5.0  # that a share of zero, and the prior before, count as much as


@dataclass(frozen=True)
class Seen:
    """One number of one fitted model: its units, its posterior mean and variance (of logarithms), and its weight."""

    key: Key
    of_step: float
    of_whole: float
    mean: float
    variance: float
    weight: float


def first_guess(name: str) -> LearnedPriors:
    """The priors with which learning begins: a table of `reference`."""
    with (REFERENCE / name).open(encoding="utf-8") as lines:
        return read_priors(lines)


def numbers_of(fitted: Kernel, problem: Problem, scales: Scales) -> list[Seen]:
    """The numbers of a fitted model with their uncertainty; weights are to come."""
    around = curvature(fitted, problem, scales)
    covariance = np.linalg.inv(np.eye(len(around.free)) + _definite(around.hessian))
    return list(_seen(around.kernel, around.free, covariance.diagonal(), scales))


def _definite(hessian: Array) -> Array:
    values, axes = np.linalg.eigh(hessian)
    return np.asarray(axes * np.maximum(values, -0.5) @ axes.T)


def _seen(kernel: Kernel, free: Sequence[ParameterPrior], variances: Array, scales: Scales) -> Iterator[Seen]:
    every, where = parameters(kernel.expr), places(kernel.expr)
    for one, variance in zip(free, variances, strict=True):
        node = every[one.index].node
        if isinstance(node, Leaf) and every[one.index].role.positive and every[one.index].name != "period":
            key = node.symbol, every[one.index].name, where[one.index]
            units = parameter_units(every[one.index], scales)
            yield Seen(key, *units, one.coordinate(kernel.values[one.index]), float(variance) * one.width**2, 0.0)


def learned(before: LearnedPriors, seen: list[Seen]) -> Iterator[tuple[Key, LearnedPrior]]:
    """The moments of every number that has a prior, by weighted regression on the ratio of its two units."""
    by_key: dict[Key, list[Seen]] = defaultdict(list)
    for one in seen:
        by_key[one.key].append(one)
    for key, prior in before.rows.items():
        yield key, moments(prior, by_key[key])


def moments(prior: LearnedPrior, seen: list[Seen]) -> LearnedPrior:
    """Mean, share and width, drawn towards the prior before and towards a share of zero."""
    u = np.array([one.of_whole - one.of_step for one in seen])
    r, v, w = (
        (
            np.array(each)
            for each in zip(*[(one.mean - one.of_step, one.variance, one.weight) for one in seen], strict=True)
        )
        if seen
        else (np.zeros(0),) * 3
    )
    total = float(w.sum())
    centre = float(w @ u) / total if total > 0.0 else 0.0
    share = (
        float(w @ ((u - centre) * (r - (w @ r) / total))) / (float(w @ (u - centre) ** 2) + SETS_OF_NO_SHARE)
        if total > 1.0
        else prior.share
    )
    share = min(max(share, 0.0), 1.0)
    guess = prior.mean + (prior.share - share) * centre
    mean = (float(w @ (r - share * u)) + SETS_OF_GUESS * guess) / (total + SETS_OF_GUESS)
    square = (float(w @ ((r - mean - share * u) ** 2 + v)) + SETS_OF_GUESS * prior.width**2) / (total + SETS_OF_GUESS)
    return LearnedPrior(mean, share, max(square**0.5, NARROWEST))


def write_numbers(priors: LearnedPriors, path: Path) -> None:
    """The table of numbers."""
    with path.open("w", encoding="utf-8", newline="") as lines:
        writer = csv.writer(lines, lineterminator="\n")
        writer.writerow(["leaf", "number", "place", "mean", "share", "width"])
        for (leaf, number, place), one in priors.rows.items():
            writer.writerow(
                [leaf, number, place.value, f"{one.mean:.3f}", f"{one.share:.3f}", f"{WIDER * one.width:.3f}"]
            )
