"""Figure 3.2: The tree of a search.

Carbon dioxide at Mauna Loa in the language of 2013: the best models of every level, with BIC, and where they come from.
"""

from __future__ import annotations

from textwrap import fill

from matplotlib.figure import Figure

from look import COLOURS, INK, MUTED, save, styled
from searched import KEPT, searched, way
from taken_apart import symbols

DEEPEST = 4


@styled
def draw() -> Figure:
    """A row of boxes for each level."""
    search = searched("mauna-loa-cks2013").search
    chosen, figure = way(search.parents), Figure(figsize=(11.0, 5.6))
    axes, places = figure.subplots(), {}
    for level in range(DEEPEST + 1):
        row = [place for place, candidate in enumerate(search.frontier) if candidate.level == level][:KEPT]
        places |= {place: (column + 0.5, -level) for column, place in enumerate(row)}
        told = f"level {level}\n{search.trace[level].candidates} tried"
        axes.text(-0.15, -level, told, color=MUTED, va="center", ha="right")
    for place, (x, y) in places.items():
        colour, width = (COLOURS[1], 2.0) if place in chosen else (MUTED, 0.8)
        if (parent := search.parents[place]) in places:
            up = places[parent]
            axes.plot([up[0], x], [up[1], y], color=colour, linewidth=width, zorder=width)
        box = {"boxstyle": "round,pad=0.4", "fc": "white", "ec": colour, "lw": width}
        candidate = search.frontier[place]
        text = f"{fill(symbols(str(candidate.kernel)), 32)}\nBIC {candidate.score:.0f}"
        axes.text(x, y, text, ha="center", va="center", bbox=box, fontsize=9, color=INK, zorder=4)
    axes.set(xlim=(-0.6, KEPT), ylim=(-DEEPEST - 0.5, 0.4))
    axes.set_axis_off()
    return figure


if __name__ == "__main__":
    save(draw(), __file__)
