"""The section of the page of results about maps of the target whose shape is learned."""

from __future__ import annotations

from typing import Any

import pandas as pd

from autostatistician.search.constants import MARGIN_FOR_SHAPE
from goals import Tables
from page_text import NOTHING, made_by, table
from warps import changes, judged

__all__ = ["learned_scales"]

Row = dict[str, Any]

MEASURES = ("log_score", "sql", "mase", "msis")


def learned_scales(tables: Tables) -> list[str]:
    """What learned scales gain on the corpus, and whether they are found where there are such."""
    lines = ["## Learned scales of the target", ""]
    if not tables.warps_choosing:
        return [*lines, NOTHING, ""]
    choosing = _typed(tables.warps_choosing)
    body = _lines("M3", choosing, 0.0)
    if tables.warps_learning:
        body = [*_lines("M1 and Tourism", _typed(tables.warps_learning), MARGIN_FOR_SHAPE), *body]
    return [
        *lines,
        "A power (Box-Cox) or a curve with skew and tails (sinh-arcsinh) of the target, learned before the search",
        "(`--transform learned`), in the place of the values or their logarithm (`auto`), forecast with every outlier",
        "kept: the change of the mean log density of the official test set, and of the logarithms of scaled losses and",
        "of the interval score of 95 % ranges, with standard errors; the share of values in these ranges. The margin",
        "that such a map must win by is from M1 and Tourism, whether it is the default was to be decided by M3.",
        "Where the logarithm is the better of the two no curve is taken any more; when these rows were made it was.",
        "",
        *table(["series of", "scales", "series", "log density", "quantile loss", "MASE", "MSIS", "in range"], body),
        f"Of M3 {_counts(choosing)} series were looked at. {judged(choosing)}",
        "",
        made_by(tables.warps_learning, "warps-learning.csv"),
        made_by(tables.warps_choosing, "warps-choosing.csv"),
        "",
        *_simulated(tables),
    ]


def _typed(rows: list[Row]) -> pd.DataFrame:
    """Rows of text with their numbers as such; what was not fitted has none."""
    frame = pd.DataFrame(rows)
    numbers = [name for name in (*MEASURES, "gain", "coverage", "seconds") if name in frame]
    frame[numbers] = frame[numbers].apply(pd.to_numeric, errors="coerce")
    return frame.assign(timed=frame["timed"] == "True") if "timed" in frame else frame


def _counts(rows: pd.DataFrame) -> str:
    series = rows[["task", "series"]].drop_duplicates()["task"].value_counts()
    return ", ".join(f"{count} {task.removeprefix('m3-')}" for task, count in series.items())


def _lines(name: str, rows: pd.DataFrame, margin: float) -> list[list[str]]:
    """A line for each pair of scales, where the learned one wins by more than a margin."""
    found = changes(rows, margin)
    wide = rows.set_index(["task", "series", "way"])[["map", "coverage"]].unstack("way")
    taken, maps = found.pop("taken"), wide["map"]
    lines = []
    for (before, after), part in found[taken].groupby([maps["auto"][taken], maps["learned"][taken]]):
        made = [f"{part[measure].mean():+.2f} ± {part[measure].sem():.2f}" for measure in MEASURES]
        coverage = wide["coverage"].loc[part.index].mean()
        held = f"{coverage['auto']:.3f} to {coverage['learned']:.3f}"
        lines.append([f"{name} ({len(found)})", f"{before} to {after}", str(len(part)), *made, held])
    return lines


def _simulated(tables: Tables) -> list[str]:
    """Which maps are taken of series that were made with one, and what held-out rows say of them."""
    if not (tables.warps_maps and tables.warps_simulated):
        return ["### Made series", "", NOTHING, ""]
    maps, rows = pd.DataFrame(tables.warps_maps), pd.DataFrame(tables.warps_simulated)
    counts = pd.crosstab(maps["target"], maps["map"]).reindex(maps["target"].unique())
    rows[["log_score", "coverage"]] = rows[["log_score", "coverage"]].astype(float)
    held = {key: part[["log_score", "coverage"]].mean() for key, part in rows.groupby(["target", "way"])}
    ways = list(rows["way"].unique())
    body = []
    for target in counts.index:
        means = [held.get((target, way)) for way in ways]
        cells = ["–" if mean is None else f"{mean['log_score']:.3f} / {mean['coverage']:.2f}" for mean in means]
        body.append([target, *(str(count) for count in counts.loc[target]), *cells])
    fitted = rows.groupby("target")["seed"].nunique().max()
    return [
        "### Made series",
        "",
        "Series of 100 months, each a map of a trend, a cycle and normal noise (the last has skewed noise and no map):",
        "how many of them are modelled on which scale by `learned`; and, of so few as were fitted with every fifth row",
        f"held out ({fitted} of a kind), the mean log density of these rows and the share of them in 95 % ranges.",
        "",
        *table(["made as", *(f"taken: {name}" for name in counts.columns), *ways], body),
        made_by(tables.warps_maps, "warps-maps.csv"),
        made_by(tables.warps_simulated, "warps-simulated.csv"),
        "",
    ]
