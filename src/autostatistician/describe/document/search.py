"""How a model was found: the section with the tree of the search, its path, the best models and the fitted numbers."""

from __future__ import annotations

import numpy as np

from autostatistician.describe.document.document import (
    Block,
    Bullets,
    Figure,
    Line,
    Panel,
    Paragraph,
    Points,
    Section,
    Table,
)
from autostatistician.describe.document.panels import TreeNode, TreePanel
from autostatistician.describe.facts.search import SearchFindings, TriedModel
from autostatistician.describe.words.criteria import told_of_models, told_of_path
from autostatistician.describe.words.method import legend
from autostatistician.describe.words.search import among, stages_text
from autostatistician.wording.numbers import amount, count, percent

__all__ = ["SHOWN_MODELS", "search_section", "tree_figure", "way"]

SHOWN_MODELS = 4  # of a level, in the tree
LISTED_MODELS = 5  # in the table of weights


def search_section(
    search: SearchFindings, text: str, numbers: Table, of_first_level: str = "", *, by_chance: bool = False
) -> Section:
    """The section: ``text`` on the chosen model, the tree or the path, and the table of its ``numbers``.

    A search on a part of the rows had some drawn ``by_chance``, or such as show the course of a series.
    """
    blocks: list[Block] = [
        Paragraph(" ".join(filter(None, (text, stages_text(search, by_chance=by_chance))))),
        Paragraph("What the symbols mean:"),
        Bullets(legend(search)),
    ]
    tree = tree_figure(search, of_first_level)
    blocks += [tree] if tree else [_path_figure(search)] if _scored(search) > 2 else []
    blocks += [_path_table(search)] if search.path else []
    blocks += [_models_table(search)] if len(search.models) > 1 else []
    fine = Section("numbers", "The fitted numbers", (numbers,), folded=True)
    return Section("search", "How this model was found", tuple(blocks), (fine,))


def way(tried: tuple[TriedModel, ...]) -> tuple[int, ...]:
    """Indices of the models that lead to the best of all, each made from the one before, as far back as is known.

    >>> known = (TriedModel(2, "C", 1.0, 1), TriedModel(1, "B", 5.0, 3), TriedModel(1, "D", 6.0, 3))
    >>> way((*known, TriedModel(0, "A", 9.0, None)))
    (3, 1, 0)
    """
    steps = [0]
    while (parent := tried[steps[-1]].parent) is not None:
        steps.append(parent)
    return tuple(reversed(steps))


def tree_figure(search: SearchFindings, of_first_level: str = "") -> Figure | None:
    """The tree of the search, with a word on its first level; None where it did not leave its first expression."""
    tried = search.tried
    levels = sorted({tried_model.level for tried_model in tried})
    if len(levels) < 2:
        return None
    chosen = way(tried)
    shown = [index for level in levels for index in _best_of(tried, level, chosen)]
    scores, rows = told_of_models(search), {level: row for row, level in enumerate(levels)}
    nodes = tuple(
        TreeNode(
            rows[candidate.level], candidate.expression, f"{scores.name} {scores.value(candidate.score)}",
            shown.index(candidate.parent) if candidate.parent in shown else None, index in chosen,
        )
        for index, candidate in ((index, tried[index]) for index in shown)
    )  # fmt: skip
    titles = tuple((f"Level {level}", _proposed(search.proposed, level)) for level in levels)
    alt = (
        "A tree of models, one row per level of the search. The way to the best: "
        f"{'; then '.join(f'{tried[i].expression} ({scores.name} {scores.value(tried[i].score)})' for i in chosen)}."
    )
    caption = (
        f"The models that the search tried: of every level the best {count(SHOWN_MODELS)} at most, the best on the "
        f"left, with their {scores.name} ({scores.better}). Lines lead from each to those made from it, as far as it "
        f"is shown; the coloured ones are the way to the chosen model.{of_first_level}"
    )
    return Figure("fig-tree", caption, alt, (TreePanel("", "", "", (), titles, nodes),))


def _best_of(tried: tuple[TriedModel, ...], level: int, chosen: tuple[int, ...]) -> list[int]:
    """The best few of a level, those on the way among them."""
    ranked = sorted(
        (index for index, candidate in enumerate(tried) if candidate.level == level),
        key=lambda index: (tried[index].score, tried[index].expression),
    )
    must = [index for index in ranked if index in chosen]
    others = [index for index in ranked if index not in must][: SHOWN_MODELS - len(must)]
    return [index for index in ranked if index in must or index in others]


def _proposed(proposed: tuple[int, ...], level: int) -> str:
    return f"{proposed[level]:,} tried" if level < len(proposed) else ""


def _scored(search: SearchFindings) -> int:
    """The levels whose score is that of all rows."""
    return sum(score is not None for _, score in search.path)


def _path_figure(search: SearchFindings) -> Figure:
    """The criterion of the best model after every level of the search."""
    scale = told_of_path(search)
    scored = [(level, score) for level, (_, score) in enumerate(search.path) if score is not None]
    levels, scores = np.array(scored).T
    scores = scale.factor * scores
    layers = (Line(levels, scores, "best so far", "mean"), Points(levels, scores, "level"))
    caption = f"The {scale.name} of the best model after every level of the search; {scale.better}."
    runs = "falls" if scale.factor > 0.0 else "rises"
    alt = (
        f"A line that {runs} from {amount(float(scores[0]))} to {amount(float(scores[-1]))} in "
        f"{len(scores) - 1} levels."
    )
    return Figure("fig-path", caption, alt, (Panel("", "level", scale.name, layers),))


def _path_table(search: SearchFindings) -> Table:
    """The best expression of each level of the search."""
    scale = told_of_path(search)
    rows = tuple(
        (str(level), text, "on fewer rows" if score is None else scale.value(score))
        for level, (text, score) in enumerate(search.path)
    )
    header = ("Step", "Expression", scale.name)
    return Table(
        "table-path", "The best model at each step of the search.", header, rows, (True, False, True), scale.note
    )


def _models_table(search: SearchFindings) -> Table:
    """The models with the largest posterior weights."""
    listed = sorted(search.models, key=lambda pair: -pair[1])
    rows = tuple((expression, percent(weight)) for expression, weight in listed[:LISTED_MODELS])
    before = (
        "each as likely before the data as its form is common in other series"
        if search.by_evidence
        else "each as likely as the next before the data"
    )
    note = f"Weights add up to 100% over all models {among(search)}, {before}."
    return Table("table-models", "The best models and their weights.", ("Expression", "Weight"), rows,
                 (False, True), note)  # fmt: skip
