"""The covariance of functions with the symmetries of a `Structure`, and the posterior density of its parameters.

A squared exponential whose lengthscales are tied by the group does not change when both points are mapped, so the
double sum over the group (Duvenaud 2014, section 2.7) is a single one, ``k(x, x') = sum_g sign(g) k0(x, g x')``.
Periods are a projection on a circle, shifts one on what they leave. A constant of unknown size is added, so that odd
functions are odd about a level. Everything is in standard units.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from math import exp, log, pi, sqrt

import numpy as np
from numpy.typing import NDArray

from autostatistician.gp.posterior import misfit
from autostatistician.models.symmetry.structure import LengthscaleGroup, Structure

__all__ = ["Invariant", "Name", "FreeParameter", "Rows"]

Array = NDArray[np.float64]
Name = tuple[str, tuple[int, ...]]

LEVEL_VARIANCE = 1.0  # of the constant
STEP = 1e-6  # for slopes of inputs by what is found


@dataclass(frozen=True, eq=False)
class Rows:
    """Rows (n, d) of numbers, and codes (n, c) of columns of categories, which no symmetry acts on."""

    X: Array
    codes: Array

    def some(self, places: NDArray[np.intp]) -> Rows:
        """Some of them."""
        return Rows(self.X[places], self.codes[places])


@dataclass(frozen=True)
class FreeParameter:
    """A number to be found: normal before the data, or evenly spread between its bounds."""

    name: Name
    low: float
    high: float
    mean: float
    sd: float | None = None

    @property
    def precision(self) -> float:
        """One over the variance before the data."""
        return 12.0 / (self.high - self.low) ** 2 if self.sd is None else self.sd**-2

    def log_density(self, value: float) -> tuple[float, float]:
        """The logarithm of the density before the data, and its slope."""
        if self.sd is None:
            return -log(self.high - self.low), 0.0
        z = (value - self.mean) / self.sd
        return -0.5 * z**2 - log(self.sd * sqrt(2.0 * pi)), -z / self.sd


@dataclass(frozen=True, eq=False)
class Invariant:
    """A structure on the columns of some rows."""

    structure: Structure
    shift: Array  # (d,), the centres of columns that are not mirrored
    scale: Array  # (d,)
    centres: Mapping[int, tuple[float, float]]  # the least and the largest centre, by column
    periods: Mapping[int, tuple[float, float]]  # likewise of the periods
    categories: int

    @classmethod
    def of(cls, structure: Structure, rows: Rows) -> Invariant:
        """In units that are measured on rows."""
        X, d = rows.X, rows.X.shape[1]
        shift, scale = np.zeros(d), np.ones(d)
        for first in set(structure.units):
            members = [column for column in range(d) if structure.units[column] == first]
            scale[members] = sqrt(float(X[:, members].var(axis=0).mean())) or 1.0
        for first in set(structure.ties):
            members = [column for column in range(d) if structure.ties[column] == first]
            shift[members] = X[:, members].mean()
        centres = {column: _middle(X[:, column]) for column in structure.centred}
        columns = {block.tied[0]: block.columns for block in structure.blocks if block.periodic}
        periods = {tied: _periods(X[:, chosen[0]]) for tied, chosen in columns.items()}
        return cls(structure, shift, scale, centres, periods, rows.codes.shape[1])

    @cached_property
    def parameters(self) -> tuple[FreeParameter, ...]:
        """All that is to be found, each once."""
        parameters = [FreeParameter(("sd", ()), log(0.05), log(30.0), 0.0, 1.0)]
        parameters.append(FreeParameter(("noise", ()), log(1e-3), log(2.0), log(0.2), 1.5))
        for block in self.structure.blocks:
            parameters.append(FreeParameter(("length", block.tied), log(0.05), log(50.0), log(1.5), 1.0))
            if block.periodic:
                low, high = self.periods[block.tied[0]]
                parameters.append(FreeParameter(("period", block.tied), log(low), log(high), log(sqrt(low * high))))
            if block.combined:
                parameters.append(FreeParameter(("angle", block.columns), -0.5 * pi, 0.5 * pi, 0.25 * pi))
        for column, (low, high) in self.centres.items():
            low, high = ((end - self.shift[column]) / self.scale[column] for end in (low, high))
            parameters.append(FreeParameter(("centre", (column,)), low, high, 0.5 * (low + high)))
        for column in range(self.categories):
            parameters.append(FreeParameter(("category", (column,)), log(0.05), log(50.0), log(1.5), 1.0))
        return tuple({parameter.name: parameter for parameter in parameters}.values())

    @cached_property
    def names(self) -> tuple[Name, ...]:
        """Of the parameters."""
        return tuple(parameter.name for parameter in self.parameters)

    def inputs(self, rows: Rows, u: Array) -> tuple[Array, Array]:
        """The inputs of the function (n, f) at rows, and at all images of these (g, n, f), in units of one."""
        value = dict(zip(self.names, u.tolist(), strict=True))
        offset = self.shift.copy()
        for column, first in enumerate(self.structure.ties):
            if first in self.centres:
                offset[column] += value["centre", (first,)] * self.scale[column]
        U = (rows.X - offset) / self.scale
        images = [U[:, list(g.places)] * np.array(g.sides) for g in self.structure.elements]
        both = np.array([U, *images])
        blocks = [_inputs_of(block, both, value, self.scale) for block in self.structure.blocks]
        inputs = np.concatenate([np.zeros((*both.shape[:2], 0)), *blocks], axis=2)
        return inputs[0], inputs[1:]

    @cached_property
    def lengths(self) -> tuple[int, ...]:
        """Which parameter is the lengthscale of each input (f,)."""
        lengths = []
        for block in self.structure.blocks:
            count = 1 if block.combined else 2 if block.periodic else block.basis.shape[1]
            lengths += [self.names.index(("length", block.tied))] * count
        return tuple(lengths)

    def covariance(self, left: Rows, right: Rows, u: Array) -> Array:
        """Covariances (n, m) of the function, with its level; one image of the rows at a time."""
        Z, images = self.inputs(left, u)[0], self.inputs(right, u)[1]
        total = np.full((len(left.X), len(right.X)), LEVEL_VARIANCE)
        for place in range(len(images)):
            total += self._terms(Z, images, left, right, u, slice(place, place + 1))[0]
        return total

    def variance(self, rows: Rows, u: Array) -> Array:
        """Variances (n,) of the function, with its level."""
        Z, images = self.inputs(rows, u)
        rate = np.exp(-u[list(self.lengths)])
        squares = (((Z - images) * rate) ** 2).sum(axis=2)
        return np.asarray(LEVEL_VARIANCE + exp(2.0 * u[0]) * (self.signs @ np.exp(-0.5 * squares)))

    @cached_property
    def signs(self) -> Array:
        """Of the elements (g,)."""
        return np.array([float(g.sign) for g in self.structure.elements])

    def _terms(self, Z: Array, images: Array, left: Rows, right: Rows, u: Array, which: slice = slice(None)) -> Array:
        """One covariance for each element (g, n, m), or for some of them, with its sign."""
        rate = np.exp(-u[list(self.lengths)])
        A, B = Z * rate, images[which] * rate
        squares = (A**2).sum(axis=1)[None, :, None] + (B**2).sum(axis=2)[:, None, :] - 2.0 * A @ B.transpose(0, 2, 1)
        for column in range(self.categories):
            other = left.codes[:, column][:, None] != right.codes[:, column][None]
            squares += 2.0 * other * exp(-2.0 * u[self.names.index(("category", (column,)))])
        return np.asarray(self.signs[which, None, None] * np.exp(2.0 * u[0] - 0.5 * np.maximum(squares, 0.0)))

    def objective(self, rows: Rows, y: Array, u: Array) -> tuple[float, Array]:
        """The negative log of likelihood times prior at parameters (p,), and its gradient.

        Raises
        ------
        NotPositiveDefinite
            When the covariance cannot be factorised.
        """
        Z, images = self.inputs(rows, u)
        terms = self._terms(Z, images, rows, rows, u)
        noise = exp(2.0 * u[1])
        value, by_matrix = misfit(LEVEL_VARIANCE + terms.sum(axis=0) + noise * np.eye(len(y)), y)
        gradient = np.zeros(len(u))
        weights = terms * by_matrix
        gradient[0], gradient[1] = 2.0 * weights.sum(), 2.0 * noise * float(np.trace(by_matrix))
        self._add_lengths(gradient, weights, (Z, images), rows, u)
        for place, parameter in enumerate(self.parameters):
            density, slope = parameter.log_density(float(u[place]))
            value, gradient[place] = value - density, gradient[place] - slope
        return value, gradient

    def _add_lengths(self, gradient: Array, weights: Array, inputs: tuple[Array, Array], rows: Rows, u: Array) -> None:
        """Add the slopes by lengthscales, and by what the inputs depend on, to a gradient; weights are (g, n, n)."""
        Z, images = inputs
        lengths = list(self.lengths)
        precision = np.exp(-2.0 * u[lengths])
        left, right = weights.sum(axis=2), weights.sum(axis=1)  # (g, n) each
        across = weights @ images  # (g, n, f): sums over the second point
        squares = (left[:, :, None] * Z**2).sum(axis=(0, 1)) + (right[:, :, None] * images**2).sum(axis=(0, 1))
        np.add.at(gradient, lengths, precision * (squares - 2.0 * (Z * across).sum(axis=(0, 1))))
        for column in range(self.categories):
            other = rows.codes[:, column][:, None] != rows.codes[:, column][None]
            place = self.names.index(("category", (column,)))
            gradient[place] += 2.0 * exp(-2.0 * u[place]) * float((weights * other).sum())
        by_left = -precision * (left.sum(axis=0)[:, None] * Z - across.sum(axis=0))
        by_right = precision * (weights.transpose(0, 2, 1) @ Z - right[:, :, None] * images)
        for place, (kind, _) in enumerate(self.names):
            if kind in ("period", "angle", "centre"):
                step = np.zeros(len(u))
                step[place] = STEP
                (up, up_images), (down, down_images) = self.inputs(rows, u + step), self.inputs(rows, u - step)
                gradient[place] += ((by_left * (up - down)).sum() + (by_right * (up_images - down_images)).sum()) / (
                    2 * STEP
                )


def _inputs_of(block: LengthscaleGroup, U: Array, value: Mapping[Name, float], scale: Array) -> Array:
    """The inputs (..., f) of one block from columns (..., d)."""
    columns = U[..., list(block.columns)]
    if block.combined:
        angle = value["angle", block.columns]
        return np.asarray(columns @ np.array([[np.cos(angle)], [np.sin(angle)]]))
    inputs = columns @ block.basis
    if not block.periodic:
        return np.asarray(inputs)
    distance = scale[block.columns[0]] * sqrt(len(block.columns))  # of a difference the basis has length one
    turn = 2.0 * pi * distance / exp(value["period", block.tied]) * inputs
    return np.asarray(np.concatenate([np.cos(turn), np.sin(turn)], axis=-1))


def _middle(values: Array) -> tuple[float, float]:
    """Where a centre may lie: in the middle third, so that most rows have their images within the range of the data."""
    low, high = float(values.min()), float(values.max())
    return low + (high - low) / 3.0, high - (high - low) / 3.0


def _periods(values: Array) -> tuple[float, float]:
    """The shortest and the longest period of which data can tell: of three values at least, one and a half in all."""
    span = float(np.ptp(values))
    gaps: Sequence[float] = np.diff(np.unique(values)).tolist()
    longest = span / 1.5
    return min(max(span / 10.0, 3.0 * float(np.median(gaps))), 0.5 * longest), longest
