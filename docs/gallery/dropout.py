"""Dropout of inputs as a kernel: on average a product over the columns becomes a sum over all of their subsets."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from autostatistician.errors import InputError

__all__ = ["order_weights"]

Array = NDArray[np.float64]


def order_weights(columns: int, rate: float) -> Array:
    """The weights of an additive kernel, by order, that dropping inputs gives a product of kernels on average.

    Where each column is left out of a product of correlations with the probability ``rate``, the expected covariance is
    ``prod_d (rate + (1 - rate) k_d)``: a sum over all subsets of the columns, in which every product of ``order`` of
    them weighs ``rate^(columns - order) (1 - rate)^order`` (Duvenaud 2014, chapter 6). At a rate of one half all
    subsets weigh the same. Only mean and covariance are those of that Gaussian process: functions that each depend on
    few columns are a mixture.

    Hidden units that are dropped from an infinitely wide layer, whose weights have the mean zero, only change the size
    of the functions, by the square root of the share that is kept.

    Parameters
    ----------
    columns : int
        How many there are.
    rate : float
        The probability with which a column is dropped, from 0 to 1.

    Returns
    -------
    array (columns + 1,)
        Of one product of each order, the constant of order 0 first. Times the numbers of products of these orders they
        sum to one.

    Raises
    ------
    InputError
        When the rate is no probability.

    Examples
    --------
    >>> order_weights(3, 0.5).tolist()
    [0.125, 0.125, 0.125, 0.125]
    >>> order_weights(2, 0.1).round(2).tolist()
    [0.01, 0.09, 0.81]
    """
    if not 0.0 <= rate <= 1.0:
        raise InputError.of(
            "a rate of dropout between 0 and 1", str(rate), "give the probability that a column is dropped"
        )
    order = np.arange(columns + 1)
    return np.asarray(rate ** (columns - order) * (1.0 - rate) ** order, dtype=np.float64)
