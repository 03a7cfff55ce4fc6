"""How a model was found: the section with the tree of the search, its path, the best models and the fitted numbers."""

from __future__ import annotations

from functools import reduce

from autostatistician.claims.kinds import SEVERAL
from autostatistician.describe.document.document import Block, Bullets, Figure, Paragraph, Section, Table
from autostatistician.describe.document.panels import TreeNode, TreePanel
from autostatistician.describe.facts.search import SearchFindings, TriedModel
from autostatistician.describe.words.method import legend
from autostatistician.describe.words.search import among, stages_text, told_of_models
from autostatistician.i18n.messages import say, say_count
from autostatistician.i18n.numbers import count, fixed, percent

__all__ = ["SHOWN_MODELS", "search_section", "tree_figure", "way"]

SHOWN_MODELS = 4  # of a level, in the tree


def search_section(
    search: SearchFindings, text: str, numbers: Table, of_first_level: str = "", *, by_chance: bool = False
) -> Section:
    """The section: ``text`` on the chosen model, the tree or the path, and the table of its ``numbers``.

    A search on a part of the rows had some drawn ``by_chance``, or such as show the course of a series.
    """
    blocks: list[Block] = [
        Paragraph(" ".join(filter(None, (text, stages_text(search, by_chance=by_chance))))),
        Paragraph(say("What the symbols mean:")),
        Bullets(legend(search)),
    ]
    tree = tree_figure(search, of_first_level)
    blocks += [tree] if tree else []
    blocks += [_models_table(search)] if len(search.models) > 1 else []
    fine = Section("numbers", say("The fitted numbers"), (numbers,), folded=True)
    return Section("search", say("The search"), tuple(blocks), (fine,))


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
    titles = tuple((say("Level {level}", level=level), _proposed(search.proposed, level)) for level in levels)
    steps = (f"{tried[i].expression} ({scores.name} {scores.value(tried[i].score)})" for i in chosen)
    alt = say(
        "A tree of models, one row per level of the search. The way to the best: {steps}.", steps=reduce(_then, steps)
    )
    caption: str = say(
        "The best models of every level of the search, {few} at most, with their {score} ({better}). Lines lead from "
        "each to those made from it, coloured ones to the chosen model.",
        few=count(SHOWN_MODELS), score=scores.name, better=scores.better,
    )  # fmt: skip
    caption = " ".join(filter(None, (caption, of_first_level)))
    return Figure("fig-tree", caption, alt, (TreePanel("", "", "", (), titles, nodes),))


def _then(before: str, step: str) -> str:
    return say("{before}; then {step}", before=before, step=step)


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
    if level >= len(proposed):
        return ""
    return say_count(proposed[level], "{n} tried", "{n} tried", n=fixed(proposed[level], 0))


def _models_table(search: SearchFindings) -> Table:
    """The models with the largest posterior weights."""
    listed = sorted(search.models, key=lambda pair: -pair[1])
    rows = tuple((expression, percent(weight)) for expression, weight in listed[:SEVERAL])
    note = (
        say(
            "Weights add up to 100% over all models {among}, each as likely before the data as its form is common in "
            "other series.",
            among=among(search),
        )
        if search.by_evidence
        else say(
            "Weights add up to 100% over all models {among}, each as likely as the next before the data.",
            among=among(search),
        )
    )
    return Table("table-models", say("The best models and their weights."), (say("Expression"), say("Weight")), rows,
                 (False, True), note)  # fmt: skip
