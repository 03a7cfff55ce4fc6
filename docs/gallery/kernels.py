"""The plot of a kernel: its covariance with one place above, draws from its prior below."""

from __future__ import annotations

import numpy as np
from matplotlib.figure import Figure

from autostatistician import sample
from autostatistician.gp.covariance import covariance
from autostatistician.kernels import parse_kernel
from look import COLOURS, frameless

__all__ = ["kernel_columns"]

LIMIT = 10.0
X = np.linspace(-LIMIT, LIMIT, 401)


def kernel_columns(columns: list[tuple[str, str, str]]) -> Figure:
    """A column of two panels for each (name, kernel, what it means); kernels that are not stationary at place 1."""
    figure = Figure(figsize=(2.6 * len(columns), 3.9))
    panels = figure.subplots(2, len(columns), sharex=True, squeeze=False)
    for index, (name, text, meaning) in enumerate(columns):
        place = 1.0 if "Lin" in name else 0.0
        above, below = panels[:, index]
        above.axhline(0.0, color="#9aa6b2", linewidth=1.0)
        at_place = int(np.abs(X - place).argmin())
        above.plot(X, covariance(parse_kernel(text), X)[:, at_place], color=COLOURS[0])
        above.set_title(name)
        frameless(above, "x (with x′ = 1)" if place else "x − x′")
        above.spines["bottom"].set_visible(False)
        for colour, line in zip(COLOURS[1:3], sample(text, X, n_samples=2, random_state=index), strict=True):
            below.plot(X, line, color=colour)
        frameless(below, meaning)
        room = 0.1 * np.ptp(above.get_ylim())
        above.set_ylim(above.get_ylim()[0] - room, above.get_ylim()[1] + room)
        below.margins(y=0.08)
    return figure
