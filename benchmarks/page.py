"""The page of results: docs/results.md and its figures, from the tables in results/ and reference/ alone.

Every number on the page is computed here. What has not been measured is said to be missing.

Usage: python benchmarks/page.py [--results FOLDER] [--output docs/results.md]
"""

from __future__ import annotations

import argparse
from dataclasses import dataclass
from pathlib import Path

from common import RESULTS
from figures import box_plot, curves, draw_boxes, draw_curves, draw_growth
from goals import Tables, goals, variants
from goals_corpus import corpus_goals
from page_beside import batches, beside, growth, scaled_searches, shared_seasons
from page_classes import classes
from page_clusters import clusters
from page_corpus import competitions
from page_deep import deep_processes
from page_forecasts import criteria, forecasts, gaps
from page_hkl import hierarchical
from page_long import long_searches, long_series
from page_models import failures, full_data, learning, structure, times
from page_others import other_series
from page_scale import approximations, large_tables, where_points_stand
from page_tables import many_columns
from page_text import NOTHING, table

__all__ = ["page", "write"]

HERE = Path(__file__).resolve().parent
OUTPUT = HERE.parent / "docs" / "results.md"
IMAGES = Path("images") / "results"


@dataclass(frozen=True)
class Figures:
    """Links from the page to its figures; empty where there is nothing to draw."""

    boxes: str = ""
    curves: str = ""
    growth: str = ""


# At a glance -----------------------------------------------------------------------------------------------


def _glance(tables: Tables) -> list[str]:
    columns = variants(tables)
    if not columns:
        return ["## At a glance", "", NOTHING, ""]
    rows = []
    for goal in (*goals(), *corpus_goals()):
        found = [goal.find(tables, variant) for variant in columns]
        rows.append([goal.name, goal.anchor or "–", goal.target, *(str(one) if one else "–" for one in found)])
    return [
        "## At a glance",
        "",
        "“reached” and “not reached” are said where all series have results; a dash means that there is no result.",
        "",
        *table(["measure", "known before", "to reach", *map(str, columns)], rows),
    ]


# The page --------------------------------------------------------------------------------------------------


def page(tables: Tables, figures: Figures) -> str:
    """The whole page as Markdown."""
    lines = [
        "# Results",
        "",
        "Written by `python benchmarks/page.py` from the tables in [benchmarks/results](../benchmarks/results) and",
        "[benchmarks/reference](../benchmarks/reference/README.md); how they are made is told in",
        "[benchmarks](../benchmarks/README.md). A language with brackets after it was run with the settings in them;",
        "without, with the defaults. Stored axis: the numbers of the files, as the original had them; calendar axis:",
        "the same read as dates. Times are of one noisy machine.",
        "",
        *_glance(tables),
        *forecasts(tables, figures.boxes),
        *other_series(tables),
        *competitions(tables),
        *gaps(tables),
        *criteria(tables),
        *full_data(tables),
        *times(tables),
        *long_series(tables),
        *beside(tables, figures.growth),
        *long_searches(tables),
        *scaled_searches(tables),
        *batches(tables),
        *shared_seasons(tables),
        *structure(tables),
        *learning(tables, figures.curves),
        *many_columns(tables),
        *large_tables(tables),
        *where_points_stand(tables),
        *approximations(tables),
        *hierarchical(tables),
        *deep_processes(tables),
        *classes(tables),
        *clusters(tables),
        *failures(tables),
    ]  # fmt: skip
    return "\n".join(lines).rstrip() + "\n"


def write(tables: Tables, output: Path) -> None:
    """Write the page and its figures."""
    drawn = {
        "boxes": ("boxes.svg", draw_boxes, box_plot(tables)),
        "curves": ("learning-curve.svg", draw_curves, curves(tables)),
        "growth": ("beside.svg", draw_growth, growth(tables)),
    }
    output.parent.mkdir(parents=True, exist_ok=True)
    for name, draw, shown in drawn.values():
        if shown:
            draw(shown, output.parent / IMAGES / name)
    figures = Figures(**{key: (IMAGES / name).as_posix() for key, (name, _, shown) in drawn.items() if shown})
    output.write_text(page(tables, figures), encoding="utf-8")


def main() -> None:
    """Write the page."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--results", type=Path, default=RESULTS, help="folder of the tables")
    parser.add_argument("--output", type=Path, default=OUTPUT, help="the page to write")
    given = parser.parse_args()
    write(Tables.read(given.results), given.output)


if __name__ == "__main__":
    main()
