"""The tree of a search as a figure: the best few models of every level, and the way that led to the best of all."""

from __future__ import annotations

from autostatistician.decompose.records.series import Decomposition, Tried
from autostatistician.decompose.records.table import TableDecomposition
from autostatistician.describe.document.document import Figure
from autostatistician.describe.document.panels import TreeNode, TreePanel
from autostatistician.wording.numbers import count, fixed

__all__ = ["FEW", "tree_figure", "way"]

FEW = 4  # models of a level that are shown


def way(tried: tuple[Tried, ...]) -> tuple[int, ...]:
    """Indices of the models from the first to the best of all, each made from the one before.

    Where it is not known from which model one was made, it is the best of the levels before.

    >>> way((Tried(2, "C", 1.0, 1), Tried(1, "B", 5.0, 3), Tried(1, "D", 6.0, 3), Tried(0, "A", 9.0, None)))
    (3, 1, 0)
    """
    found = [0]
    while tried[found[-1]].level > 0:
        last = tried[found[-1]]
        earlier = [index for index, one in enumerate(tried) if one.level < last.level]
        if not earlier:
            break
        leader = min(earlier, key=lambda index: (tried[index].score, tried[index].expression))
        found.append(leader if last.parent is None else last.parent)
    return tuple(reversed(found))


def tree_figure(d: Decomposition | TableDecomposition) -> Figure | None:
    """The figure; None where the search has not gone beyond its first expression."""
    levels = sorted({one.level for one in d.tried})
    if len(levels) < 2:
        return None
    chosen = way(d.tried)
    shown = [index for level in levels for index in _best_of(d.tried, level, chosen)]
    name, rows = d.criterion.upper(), {level: row for row, level in enumerate(levels)}
    nodes = tuple(
        TreeNode(
            rows[one.level], one.expression, f"{name} {fixed(one.score, 1)}",
            shown.index(one.parent) if one.parent in shown else None, index in chosen,
        )
        for index, one in ((index, d.tried[index]) for index in shown)
    )  # fmt: skip
    titles = tuple((f"Level {level}", _told(d.proposed, level)) for level in levels)
    alt = (
        "A tree of models, one row per level of the search. The way to the best: "
        f"{'; then '.join(f'{d.tried[i].expression} ({name} {fixed(d.tried[i].score, 1)})' for i in chosen)}."
    )
    caption = (
        f"The models that the search tried: of every level the best {count(FEW)} at most, the best on the left, with "
        f"their {name} (lower is better). Lines lead from each to those made from it, as far as it is shown; the "
        "coloured ones are the way to the chosen model."
    )
    if isinstance(d, TableDecomposition):
        caption += (
            " Models of level 1 without a line began as sums and products over all columns and were freed of what the "
            "data do not need."
        )
    return Figure("fig-tree", caption, alt, (TreePanel("", "", "", (), titles, nodes),))


def _best_of(tried: tuple[Tried, ...], level: int, chosen: tuple[int, ...]) -> list[int]:
    """The best few of a level, those on the way among them."""
    ranked = sorted(
        (index for index, one in enumerate(tried) if one.level == level),
        key=lambda index: (tried[index].score, tried[index].expression),
    )
    must = [index for index in ranked if index in chosen]
    others = [index for index in ranked if index not in must][: FEW - len(must)]
    return [index for index in ranked if index in must or index in others]


def _told(proposed: tuple[int, ...], level: int) -> str:
    return f"{proposed[level]:,} tried" if level < len(proposed) else ""
