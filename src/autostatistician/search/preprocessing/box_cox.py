"""The power of a target that suits its data best.

Given the covariance of a model that describes data well on one scale, the likelihood of the data by the power has a
closed form (Box and Cox 1964, section 3, with that covariance and the size of all of it at its best): one factorisation
serves all powers. Model and power are fitted in turn.
"""

from __future__ import annotations

import numpy as np
from scipy.optimize import minimize_scalar

from autostatistician.data.dataset import Dataset, Kind
from autostatistician.data.transform import Transform, modelled, power_of
from autostatistician.gp import fit
from autostatistician.gp.covariance import whitener
from autostatistician.kernels.kernel import Kernel, leaf
from autostatistician.search.starting.standardisation import standard

__all__ = ["first_kernel", "learned_power"]

ROUNDS, STEPS = 2, 20  # of fitting model and power in turn, and quasi-Newton steps of the model
LENGTH = 0.1  # of the rows, over which a series begins to bend
MEAN, SD = 0.5, 0.75  # of powers before the data, by judgement: those that people use are within two deviations
POWERS = (-1.5, 2.5)


def learned_power(dataset: Dataset, kernel: Kernel) -> Transform:
    """The likeliest power of a data set, from a model of it in the units of the data near their level.

    Raises
    ------
    InputError
        When not all data are above zero.
    """
    raw, power = dataset.y + dataset.offset, MEAN
    for _ in range(ROUNDS):
        maps, problem, scales = standard(modelled(dataset, power_of(raw, power)))
        kernel = maps.to_data(fit(maps.to_standard(kernel), problem, scales, STEPS).kernel)
        power = _likeliest(dataset, kernel)
    return power_of(raw, power)


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


def _likeliest(dataset: Dataset, kernel: Kernel) -> float:
    """The most probable power given a covariance but for its size."""
    raw, whitened = dataset.y + dataset.offset, whitener(kernel, dataset.X, dataset.columns)

    def loss(power: float) -> float:
        transform = power_of(raw, power)
        white = whitened(transform.forward(raw))
        size = 0.5 * len(raw) * float(np.log(white @ white))
        return size - transform.log_jacobian(raw) + 0.5 * ((power - MEAN) / SD) ** 2

    return float(minimize_scalar(loss, bounds=POWERS, method="bounded").x)
