"""Figure 5.2: Two views of a deep Gaussian process.

Above, layers of infinitely many fixed features alternate with few units. Below, the few units alone.
"""

from __future__ import annotations

from itertools import pairwise

from matplotlib.figure import Figure

from look import save, styled
from networks import connect, curve_in, finish, key, units


@styled
def draw() -> Figure:
    """The network of features, and the network of functions."""
    figure = Figure(figsize=(9.6, 7.0))
    above, below = figure.subplots(2, 1, gridspec_kw={"height_ratios": (4.6, 3.0)})
    names = ["inputs x", "features", "f¹(x)", "features", "f²(f¹(x))", "features", "output"]
    sizes = [3, 6, 3, 6, 3, 6, 1]
    columns = [
        units(above, 1.5 * at, size, name, endless=size == 6)
        for at, (size, name) in enumerate(zip(sizes, names, strict=True))
    ]
    for index, (left, right) in enumerate(pairwise(columns)):
        connect(above, left, right, known=index % 2 == 0)
    finish(above, 9.0, -2.3, 2.3)
    key(above, -0.6, 2.1)
    columns = [units(below, 3.0 * at, sizes[2 * at], names[2 * at], colour="#ffffff") for at in range(4)]
    for left, right in pairwise(columns):
        connect(below, left, right, known=True)
    for at, column in enumerate(columns[1:]):
        for index, height in enumerate(column.heights):
            curve_in(below, column.x, height, 3 * at + index)
    finish(below, 9.0, -1.7, 1.3)
    return figure


if __name__ == "__main__":
    save(draw(), __file__)
