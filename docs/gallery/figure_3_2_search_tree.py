"""Figure 3.2: The tree of a search.

The search on carbon dioxide at Mauna Loa, in the language of 2013: of every level the best few models, the best on the
left, with BIC and how many were tried. Lines lead from each model to those that were made from it; the coloured ones
are the way to the model of figure 3.4. The constant (C) beside the periodic kernel was a part of it in that language.
"""

from __future__ import annotations

from matplotlib.figure import Figure

from look import COLOURS, INK, MUTED, save, styled
from searched import KEPT, searched
from taken_apart import symbols
from textwrap import fill

DEEPEST = 4


@styled
def draw() -> Figure:
    """A row of boxes for each level."""
    search = searched("mauna-loa").model_.search
    chosen = {0}
    while (parents := {search.parents[place] for place in chosen} - chosen - {None}) :
        chosen |= parents
    figure = Figure(figsize=(11.0, 5.6))
    axes = figure.subplots()
    places: dict[int, tuple[float, float]] = {}
    for level in range(DEEPEST + 1):
        row = [place for place, one in enumerate(search.frontier) if one.level == level][:KEPT]
        places |= {place: (column + 0.5, -level) for column, place in enumerate(row)}
        axes.text(-0.15, -level, f"level {level}\n{search.trace[level].candidates} tried", color=MUTED, va="center", ha="right")
    for place, (x, y) in places.items():
        on_way = place in chosen
        parent = search.parents[place]
        if parent in places:
            up = places[parent]
            axes.plot([up[0], x], [up[1], y], color=COLOURS[1] if on_way else MUTED, linewidth=2.0 if on_way else 0.8, zorder=1 + on_way)
        box = {"boxstyle": "round,pad=0.4", "fc": "white", "ec": COLOURS[1] if on_way else MUTED, "lw": 1.8 if on_way else 0.8}
        text = fill(symbols(str(search.frontier[place].kernel)), 26) + f"\nBIC {search.frontier[place].score:.0f}"
        axes.text(x, y, text, ha="center", va="center", bbox=box, fontsize=9, color=INK, zorder=4)
    axes.set(xlim=(-0.6, KEPT), ylim=(-DEEPEST - 0.5, 0.4))
    axes.set_axis_off()
    return figure


if __name__ == "__main__":
    save(draw(), __file__)
