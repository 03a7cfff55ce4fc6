"""The numbers of a map whose shape is learned, by evidence on the data alone.

Given the covariance of a model that describes data well on one scale, the likelihood of the data by the numbers of a
map has a closed form (Box and Cox 1964, section 3, with that covariance and the size of all of it at its best): one
factorisation serves all numbers. Model and map are fitted in turn. Numbers have normal priors about the map that
changes nothing or, of a power, about the middle between that and the logarithm; what they cost is Laplace's
approximation of the integral over them.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import minimize

from autostatistician.data.dataset import Dataset, Kind
from autostatistician.data.transform import Transform, modelled, warped
from autostatistician.inference import fit
from autostatistician.inference.basis import Basis
from autostatistician.inference.covariance import whitener
from autostatistician.inference.parameters import LearnedPriors
from autostatistician.language.kernel import Kernel, leaf
from autostatistician.search.starting.standardisation import standard

__all__ = ["ROUNDS", "Shape", "first_kernel", "learned_shape", "likeliest_on"]

Array = NDArray[np.float64]

ROUNDS, STEPS = 2, 20  # of fitting model and map in turn, and quasi-Newton steps of the model
STEP = 1e-3  # of second differences by the numbers
LENGTH = 0.1  # of the rows, over which a series begins to bend
LEAST_CURVATURE = 1.0  # of the loss by a number: that of a normal prior with a standard deviation of one


@dataclass(frozen=True, slots=True)
class _Numbers:
    """What is believed of the numbers of a map before data: normal distributions, cut."""

    means: tuple[float, ...]
    sds: tuple[float, ...]
    low: tuple[float, ...]
    high: tuple[float, ...]

    def log_prior(self, numbers: Array) -> float:
        z = (numbers - np.array(self.means)) / np.array(self.sds)
        return float(np.sum(-0.5 * z**2 - np.log(self.sds)) - 0.5 * len(z) * np.log(2.0 * np.pi))


# By judgement: the powers that people use (Box and Cox 1964) lie within two standard deviations.
PRIORS = {
    "box-cox": _Numbers((0.5,), (0.75,), (-1.5,), (2.5,)),
    "sinh-arcsinh": _Numbers((0.0, 0.0), (0.5, 0.5), (-1.5, -1.5), (1.5, 1.5)),
}


@dataclass(frozen=True, slots=True)
class Shape:
    """A map with the numbers that suit data best.

    Parameters
    ----------
    transform : Transform
        The map.
    log_likelihood : float
        Of the data at these numbers, by the model that came out.
    log_volume : float
        Added to a log likelihood at these numbers for that of all numbers: their prior, times the volume of those that
        are as likely.
    """

    transform: Transform
    log_likelihood: float
    log_volume: float


def learned_shape(
    name: str,
    dataset: Dataset,
    kernel: Kernel,
    priors: LearnedPriors | None = None,
    features: Array | None = None,
) -> Shape:
    """The numbers of a map for a data set, from a model of it in the units of the data near their level.

    Functions with ``features`` (n, P) as their values, of whatever size, are known to be in the data beside the model.

    Raises
    ------
    InputError
        When the map is one of values above zero, and others are among the data.
    """
    raw, numbers, volume = dataset.y + dataset.offset, np.array(PRIORS[name].means), 0.0
    for _ in range(ROUNDS):
        kernel, _ = likeliest_on(dataset, warped(name, raw, tuple(numbers.tolist())), kernel, priors, features)
        numbers, volume = _likeliest(name, dataset, kernel, numbers, features)
    transform = warped(name, raw, tuple(numbers.tolist()))
    _, log_likelihood = likeliest_on(dataset, transform, kernel, priors, features)
    return Shape(transform, log_likelihood, volume)


def likeliest_on(
    dataset: Dataset, transform: Transform, kernel: Kernel, priors: LearnedPriors | None, features: Array | None = None
) -> tuple[Kernel, float]:
    """A model fitted on a scale, in the units of that, and the log likelihood of the data; ``features`` beside it."""
    scaled = modelled(dataset, transform)
    maps, problem, scales = standard(scaled, priors=priors)
    if features is not None:
        problem = replace(problem, basis=Basis(features, np.ones(features.shape[1])))
    fitted = fit(maps.to_standard(kernel), problem, scales, STEPS)
    nll = maps.nll_in_data_units(fitted.nll, scaled.n)
    return maps.to_data(fitted.kernel), transform.log_jacobian(dataset.y + dataset.offset) - nll


def first_kernel(dataset: Dataset, sd: float) -> Kernel:
    """A level, and a curve that bends and wanders along a series, or one along each column of a table."""
    kernel = leaf("C", sd=sd)
    if dataset.kind is Kind.SERIES:
        return kernel + leaf("Matern12", sd=sd, lengthscale=LENGTH * float(np.ptp(dataset.x)) or 1.0)
    share = sd / len(dataset.columns) ** 0.5
    for column, values in zip(dataset.columns, dataset.X.T, strict=True):
        if column in dataset.levels:
            kernel = kernel + leaf("Cat", column, sd=share, contrast=1.0)
        else:
            kernel = kernel + leaf("SE", column, sd=share, lengthscale=float(np.ptp(values)) or 1.0)
    return kernel


def _likeliest(
    name: str, dataset: Dataset, kernel: Kernel, start: Array, features: Array | None
) -> tuple[Array, float]:
    """The most probable numbers given a covariance but for its size, and the volume that they have."""
    raw, believed = dataset.y + dataset.offset, PRIORS[name]
    whitened = whitener(kernel, dataset.X, dataset.columns)
    beside = np.zeros((len(raw), 0)) if features is None else np.linalg.qr(whitened(features))[0]
    free = len(raw) - int(beside.shape[1])

    def loss(numbers: Array) -> float:
        transform = warped(name, raw, tuple(numbers.tolist()))
        white = whitened(transform.forward(raw))
        white -= beside @ (beside.T @ white)
        size = 0.5 * free * float(np.log(white @ white))
        return size - transform.log_jacobian(raw) - believed.log_prior(numbers)

    bounds = list(zip(believed.low, believed.high, strict=True))
    best = minimize(loss, start, method="L-BFGS-B", bounds=bounds).x
    curvature = _second_differences(loss, best)
    volume = 0.5 * len(best) * np.log(2.0 * np.pi) - 0.5 * np.linalg.slogdet(curvature)[1]
    return best, float(believed.log_prior(best) + volume)


def _second_differences(loss: Callable[[Array], float], place: Array) -> Array:
    """Second derivatives (k, k) at a place (k,), by central differences; not below those that the prior would have."""

    def second(a: Array, b: Array) -> float:
        along, across = (loss(place + a + b) + loss(place - a - b), loss(place + a - b) + loss(place - a + b))
        return (along - across) / (4.0 * STEP**2)

    steps = STEP * np.eye(len(place))
    values, vectors = np.linalg.eigh(np.array([[second(a, b) for b in steps] for a in steps]))
    return np.asarray((vectors * np.maximum(values, LEAST_CURVATURE)) @ vectors.T)
