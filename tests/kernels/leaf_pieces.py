"""What a row of the table of leaves must hold, told by the names of its pieces; and a leaf that is not in the table."""

from math import sqrt

import numpy as np
from numpy.typing import NDArray

from autostatistician.kernels.lag_functions import Accuracy, Exponentials, LagFunction, LeafTerms, StateSpace
from autostatistician.kernels.leaf_row import Amount, Decay, LeafKind, LeafParameter, LeafRow, Role, Start, Unit

__all__ = ["MATERN_52", "lacking"]
Array = NDArray[np.float64]
LAGS = np.array([0.11, 0.37, 0.8, 1.9, 4.3])
STEP = 1e-6
ERROR = 1e-6
LAG_KINDS = (LeafKind.SMOOTH, LeafKind.WANDERING, LeafKind.CYCLIC)


def lacking(row: LeafRow) -> list[str]:
    """The pieces that are missing, or that contradict the others."""
    function = row.of_lag or row.of_increments
    if row.kind in (*LAG_KINDS, LeafKind.CATEGORIES) and row.of_lag is None:
        return ["of_lag"]
    if row.kind is LeafKind.UNBOUNDED and row.of_increments is None:
        return ["of_increments"]
    found = [name for name in ("name", "noun") if not getattr(row, name)]
    found += [f"meaning of {number.name}" for number in row.parameters if not number.meaning]
    found += [f"{one.name} by its name" for one in row.parameters if row.parameter(one.name) is not one]
    found += ["roles"] * (row.names_and_roles != tuple((one.name, one.role) for one in row.parameters))
    if row.kind in (LeafKind.SMOOTH, LeafKind.WANDERING) and row.decay is None:
        found.append("decay")
    if row.kind is not LeafKind.CATEGORIES and row.state_space is None:
        found.append("state_space")
    if function is not None:
        own = tuple(0.9 + 0.2 * index for index, (name, _) in enumerate(row.names_and_roles) if name != "location")
        found += _of_function(row, function, own)
    return found


def _of_function(row: LeafRow, function: LagFunction, own: tuple[float, ...]) -> list[str]:
    value, found = function.value(LAGS, *own), []
    same, derivatives = function.value_and_derivatives(LAGS, *own)
    if len(derivatives) != len(own) or not np.allclose(same, value):
        return ["derivatives"]
    for index, derivative in enumerate(derivatives):
        ends = [tuple(x * np.exp(step * (i == index)) for i, x in enumerate(own)) for step in (-STEP, STEP)]
        low, high = (function.value(LAGS, *end) for end in ends)
        if not np.allclose(derivative, (high - low) / (2.0 * STEP), atol=1e-6):
            found.append(f"derivative by {row.parameters[index][0]}")
    by_lag = (function.value(LAGS + STEP, *own) - function.value(LAGS - STEP, *own)) / (2.0 * STEP)
    if row.kind is not LeafKind.CATEGORIES and not np.allclose(function.slope(LAGS, *own), by_lag, atol=1e-6):
        found.append("slope")
    if row.decay is not None and not _decays(row.decay, function, own):
        found.append("decay")
    if row.state_space is not None:
        found += _of_terms(row.state_space, function, own, -1.0 if row.of_lag is None else 1.0)
    return found


def _decays(decay: Decay, function: LagFunction, own: tuple[float, ...]) -> bool:
    """Whether the correlation falls from one as it says, for a lag that is far below the lengthscale."""
    near = np.array([0.0, 1e-3 * own[0]])
    at_zero, value = function.value(near, *own)
    return bool(np.isclose((1.0 - value / at_zero) / (decay.rate * 1e-3**decay.power), 1.0, rtol=0.02))


def _of_terms(form: StateSpace, function: LagFunction, own: tuple[float, ...], sign: float) -> list[str]:
    terms, derivatives = form.terms(own, Accuracy(ERROR, float(LAGS.min()), float(LAGS.max())))
    allowed = 3.0 * ERROR * float(np.abs(function.value(LAGS, *own)).max())
    found = [] if np.allclose(sign * terms.at(LAGS), function.value(LAGS, *own), atol=allowed) else ["terms"]
    return found if len(derivatives) == len(own) else [*found, "derivatives of the terms"]


# A leaf that the table does not hold: one row, its function of the lag, and its exponential terms ----------------


def _value(lag: Array, lengthscale: float, sd: float) -> Array:
    """Rasmussen and Williams 2006, equation 4.17."""
    d = np.abs(lag) * (sqrt(5.0) / lengthscale)
    return np.asarray(sd * sd * (1.0 + d + d * d / 3.0) * np.exp(-d))


def _derivatives(lag: Array, lengthscale: float, sd: float) -> tuple[Array, tuple[Array, ...]]:
    d = np.abs(lag) * (sqrt(5.0) / lengthscale)
    k = _value(lag, lengthscale, sd)
    return k, (np.asarray(sd * sd * d * d * (1.0 + d) / 3.0 * np.exp(-d)), 2.0 * k)


def _slope(lag: Array, lengthscale: float, sd: float) -> Array:
    rate = sqrt(5.0) / lengthscale
    d = np.abs(lag) * rate
    return np.asarray(-sd * sd * rate * rate * lag * (1.0 + d) / 3.0 * np.exp(-d))


def _terms(own: tuple[float, ...], accuracy: Accuracy) -> LeafTerms:
    lengthscale, sd = own
    rate = sqrt(5.0) / lengthscale
    terms = Exponentials.of([[sd**2, sd**2 * rate, sd**2 * rate**2 / 3.0]], [rate], real=True)
    by_size = 2.0 * terms.weight, 0.0 * terms.rate
    return terms, [(terms.weight * [0.0, -1.0, -2.0], -terms.rate), by_size]


MATERN_52 = LeafRow(
    "Matern kernel of order 5/2",
    "a smooth curve whose bend wanders",
    LeafKind.SMOOTH,
    (
        LeafParameter(
            "lengthscale",
            Role.LENGTH,
            "length",
            Amount(1.0, Unit.SPACING),
            Amount(100.0, Unit.RANGE),
            Start.LENGTHSCALE,
        ),
        LeafParameter("sd", Role.SD, "size", Amount(1e-5, Unit.SIZE), Amount(1e4, Unit.SIZE), Start.SIZE),
    ),
    LagFunction(_value, _derivatives, _slope),
    Decay(5.0 / 6.0, 2),
    divisible=True,
    state_space=StateSpace(_terms, 3),
)
