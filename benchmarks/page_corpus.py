"""The section of the page of results about the series of three competitions."""

from __future__ import annotations

from collections.abc import Callable

from common import REFERENCE, read_rows
from corpus_scores import MEDIAN, NAIVE, OURS, Standing, standing, to_best
from corpus_series import EVERY
from goals import Tables
from measures import Variant
from page_text import NOTHING, bold, made_by, number, table

__all__ = ["competitions"]

Standings = dict[Variant, list[Standing]]

TITLES = {
    "mase": "MASE",
    "wql": "weighted quantile loss",
    "sql": "scaled quantile loss",
    "msis": "MSIS",
}


def competitions(tables: Tables) -> list[str]:
    lines = ["## Series of competitions", ""]
    found = standing(tables.corpus)
    if not found:
        return [*lines, NOTHING, ""]
    return [
        *lines,
        f"Every {EVERY}th series of a half of M1, M3 and Tourism (by the SHA-256 of their names; the other half is",
        "looked at by no one here), forecast over the official test sets. Ours gets dates and values and is told",
        "nothing; the others are told the season. Priors are learned from the rest of M1 and Tourism, settings chosen",
        "by a part of M3 that is not in these tables.",
        "",
        *_overall(found),
        *_tasks(found),
        *_best(tables),
        made_by(tables.corpus, "corpus.csv"),
        "",
    ]


def _overall(found: Standings) -> list[str]:
    """All methods over all tasks, and what has been published of others."""
    head = ["method", "series", *TITLES.values(), "coverage", "median ranks", "large if short", "seconds"]
    rows = [_line(variant, every[-1]) for variant, every in found.items()]
    for row in read_rows(REFERENCE / "corpus.csv"):
        known = [row[name] or "–" for name in ("mase", "wql")]
        rows.append([row["method"], row["origin"], *known, *["–"] * (len(head) - 4)])
    return [
        f"Geometric means over the tasks of ratios to {NAIVE} (for the weighted quantile loss, as published, to its",
        "point forecast); mean coverage of the 95 % bands; median ranks by MASE, scaled quantile loss and MSIS among",
        "ours and the peers, without the seasonal naive rule; the share of models of less than 30 values with more",
        "than 5 effective parameters; mean seconds of processor time. The published rows are of all series of the same",
        "tasks.",
        "",
        *table(head, rows),
    ]


def _line(variant: Variant, one: Standing) -> list[str]:
    ranks = " / ".join(number(rank, ".1f") for rank in one.ranks.values())
    measured = [number(one.relative[name]) for name in TITLES]
    return [
        *(str(variant), str(one.series), *measured, number(one.coverage), ranks),
        *(number(one.large), number(one.seconds, ".1f")),
    ]


def _tasks(found: Standings) -> list[str]:
    """A table for every measure: methods by tasks, the best of a task bold."""
    lines = [f"### By task, relative to {NAIVE}", ""]
    for name, title in TITLES.items():
        lines += _by_task(found, title, lambda one, name=name: one.relative[name])
    return lines + _by_task(found, "coverage of the 95 % bands", lambda one: one.coverage, best=False)


def _by_task(found: Standings, title: str, of: Callable[[Standing], float], *, best: bool = True) -> list[str]:
    values = {variant: {one.task: of(one) for one in every[:-1]} for variant, every in found.items()}
    tasks = sorted({task for own in values.values() for task in own})
    least = {task: min(own[task] for own in values.values() if task in own) for task in tasks}
    rows = []
    for variant, own in values.items():
        cells = [bold(number(own.get(task)), best and own.get(task) == least[task]) for task in tasks]
        rows.append([str(variant), *cells])
    return table([title, *tasks], rows)


def _best(tables: Tables) -> list[str]:
    """Ours against the best of the four and their median on M3."""
    rows = []
    for task in ("m3-yearly", "m3-quarterly", "m3-monthly"):
        for variant, (best, ratio) in to_best(tables.corpus, task).items():
            if variant.method == OURS:
                rows.append([task, str(variant), best, number(ratio)])
    head = ["task", "method", "best of the others", "scaled quantile loss over theirs"]
    return [
        f"### M3 against the best of AutoETS, AutoARIMA, AutoTheta, AutoCES and the {MEDIAN}",
        "",
        *(table(head, rows) if rows else [NOTHING, ""]),
    ]
