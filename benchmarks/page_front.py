"""The first page of results: one table, ours beside the best of the others by kind of data, and a picture of it."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np

from autostatistician.report.palette import LIGHT
from figures import axes_in, page_of
from front import LEVEL, Comparison, counted
from page_text import table

__all__ = ["draw_front", "front_page"]

ROW, HEAD, LEFT, WIDTH = 24.0, 14.0, 340.0, 780.0  # px
COLOURS = {"ours": "mean", "level": "muted", "theirs": "forecast"}


def front_page(lines: Sequence[Comparison], picture: str) -> list[str]:
    """The table of all comparisons with a sentence that counts them."""
    count = counted(lines)
    rows = [
        [f"[{line.kind}](results/{line.page}.md)", line.measure, line.ahead, f"{line.ratio:.2f}", _shown(line.ours),
         f"{line.best} {_shown(line.theirs)}", line.data]
        for line in lines
    ]  # fmt: skip
    head = ["kind of data", "measure", "ahead", "ratio", "ours", "best of the others", "data"]
    return [
        f"Ours is ahead on {count['ours']} lines, level (within {LEVEL:.0%}) on {count['level']} and behind on "
        f"{count['theirs']}.",
        "Of every measure less is better, so a ratio below one is in our favour; of logarithms it is the ratio of what",
        "they are of. The best of the others was chosen by the very measure that is compared, on the same folds.",
        "",
        *table(head, rows),
        *([f"![Errors of ours over those of the best of the others]({picture})", ""] if picture else []),
        "Ours takes longer than most others: seconds to minutes where they take fractions of a second to seconds",
        "([how long](results/speed.md)). What is compared is the defaults; what is ahead of them, or was hoped for and",
        "not reached, is said on the pages themselves and in [limits](explanation/limits.md).",
        "",
    ]


def _shown(value: float) -> str:
    return f"{value:.3g}"


def draw_front(lines: Sequence[Comparison], path: Path) -> None:
    """A dot for each line at its ratio, on a logarithmic axis, beside the line where both are equal."""
    height = HEAD + 44.0 + ROW * len(lines)
    ratios, places = [line.ratio for line in lines], np.arange(len(lines))[::-1]
    with page_of(WIDTH, height, path) as figure:
        axes = axes_in(figure, left=LEFT, right=24.0, top=HEAD, bottom=44.0)
        axes.set_xscale("log")
        axes.axvspan(1.0 - LEVEL, 1.0 + LEVEL, color=LIGHT["grid"])
        axes.axvline(1.0, color=LIGHT["axis"], linewidth=1.0)
        for line, ratio, place in zip(lines, ratios, places, strict=True):
            colour = LIGHT[COLOURS[line.ahead]]
            axes.plot([1.0, ratio], [place, place], color=colour, linewidth=2.0)
            axes.plot(ratio, place, "o", color=colour, markersize=7.0)
        axes.set_yticks(places, [f"{line.kind}: {line.measure}" for line in lines])
        ticks = [tick for tick in (0.2, 0.3, 0.4, 0.6, 0.8, 1.0, 1.25, 1.6, 2.0, 3.0) if tick <= max(*ratios, 1.25)]
        axes.set_xticks([tick for tick in ticks if tick >= min(ratios) / 1.05], minor=False)
        axes.xaxis.set_major_formatter("{x:g}")
        axes.xaxis.set_minor_locator(_none())
        axes.set_xlabel("error of ours over that of the best of the others: left of one is in our favour")
        axes.margins(x=0.06, y=0.5 / len(lines))


def _none() -> object:
    from matplotlib.ticker import NullLocator

    return NullLocator()
