"""Images that are shifted with zeros moving in, and why the best match over a group is no covariance in general."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import product

import numpy as np
from numpy.typing import NDArray

from autostatistician.errors import InputError
from autostatistician.gp.covariance import ColumnNames, covariance
from autostatistician.kernels.kernel import Kernel
from autostatistician.models.symmetry.elements import Group
from autostatistician.models.symmetry.views import Viewed

__all__ = ["PaddedShifts", "best_match"]

Array = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class PaddedShifts:
    """``f(x) = sum_s g(x shifted by s) / sqrt(S)`` over shifts by at most ``most`` pixels in every direction.

    A convolution with zero padding: what leaves an image at one side does not come back at the other, so the shifts
    are no group, and f changes where something leaves. Pixels are columns, row by row; ``shape`` are the sides.
    (Duvenaud's draft of 2014, equation 2.21, shifts one image only; with padding that is not symmetric.)

    >>> PaddedShifts((3,), 1)(np.array([[1.0, 2.0, 3.0]])).points[:, 0].tolist()
    [[2.0, 3.0, 0.0], [1.0, 2.0, 3.0], [0.0, 1.0, 2.0]]
    """

    shape: tuple[int, ...]
    most: int

    def __call__(self, X: Array) -> Viewed:
        """All shifts of every row."""
        if X.shape[1] != np.prod(self.shape) or self.most < 0:
            expected = f"images of {' x '.join(map(str, self.shape))} pixels, and 0 or more shifts"
            raise InputError.of(expected, f"{X.shape[1]} columns and {self.most} shifts", "change the shape")
        images = X.reshape(len(X), *self.shape)
        wide = np.pad(images, [(0, 0), *[(self.most, self.most)] * len(self.shape)])
        points = []
        for steps in product(range(2 * self.most, -1, -1), repeat=len(self.shape)):
            cut = tuple(slice(step, step + side) for step, side in zip(steps, self.shape, strict=True))
            points.append(wide[(slice(None), *cut)].reshape(len(X), -1))
        return Viewed(np.array(points), np.full((len(points), len(X)), 1.0 / np.sqrt(len(points))))


def best_match(kernel: Kernel, group: Group, X: Array, columns: ColumnNames = ("x",)) -> Array:
    """The largest ``k(x, g x')`` (n, n) over the elements of a group, as max pooling has it. No covariance in general.

    Of a kernel that falls with the distance, and a group that mirrors and exchanges generate, such as all orders of the
    columns, it is the kernel between the points of the orbits that lie on one side of all mirrors, so it is one (see
    `Projection`). Of turns and shifts it is not: three numbers shifted around are enough.

    >>> from autostatistician.kernels.text import parse_kernel
    >>> from autostatistician.models.symmetry.elements import permutations, translations
    >>> k = parse_kernel("SE[a](lengthscale=1, sd=1) * SE[b](lengthscale=1, sd=1) * SE[c](lengthscale=1, sd=1)")
    >>> X = np.random.default_rng(0).uniform(-1.0, 1.0, (20, 3))
    >>> def least(group):
    ...     return float(np.linalg.eigvalsh(best_match(k, group, X, ("a", "b", "c"))).min().round(3)) + 0.0
    >>> least(permutations(3)), least(translations(3))
    (0.0, -0.119)
    """
    images = group.orbit(X)
    return np.asarray(np.max([covariance(kernel, X, image, columns) for image in images], axis=0))
