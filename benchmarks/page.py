"""The pages of results (docs/results.md, docs/results/) and their figures, from results/ and reference/ alone.

Every number on the pages is computed here. What has not been measured is not on them.

Usage: python benchmarks/page.py [--results FOLDER] [--output docs/results.md]
"""

from __future__ import annotations

import argparse
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from common import RESULTS
from figures import box_plot, curves, draw_boxes, draw_curves, draw_growth
from front import comparisons
from goals import Tables, goals, variants
from goals_corpus import corpus_goals
from page_additive import additive_options, additive_orders
from page_beside import batches, beside, growth, scaled_searches, shared_seasons
from page_calibration import claims_of_reports, probabilities, stated_ranges
from page_classes import classes
from page_clusters import clusters
from page_corpus import competitions
from page_deep import deep_processes
from page_equations import equations
from page_forecasts import criteria, forecasts, gaps
from page_front import draw_front, front_page
from page_hkl import hierarchical
from page_kinds import beside_time, counted_series, counted_tables, items, outliers, wide_tables
from page_long import long_searches, long_series
from page_models import failures, full_data, learning, structure, times
from page_others import other_series
from page_scale import large_tables
from page_tables import many_columns
from page_text import NOTHING, table

__all__ = ["Part", "measured", "pages", "write"]

HERE = Path(__file__).resolve().parent
OUTPUT = HERE.parent / "docs" / "results.md"
IMAGES = Path("images") / "results"


@dataclass(frozen=True)
class Figures:
    """Links from the page to its figures; empty where there is nothing to draw."""

    front: str = ""
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


# The pages -------------------------------------------------------------------------------------------------

Section = Callable[[Tables, Figures], list[str]]


def _of(section: Callable[[Tables], list[str]]) -> Section:
    return lambda tables, _: section(tables)


@dataclass(frozen=True)
class Part:
    """A page behind the first one: its name, title, what the first page says of it, and its sections."""

    name: str
    title: str
    said: str
    sections: tuple[Section, ...]


PARTS = (
    Part("goals", "What was to be reached", "every aim, and whether it is reached", (_of(_glance),)),
    Part("competitions", "Short series", "M1, M3 and Tourism beside statsforecast and Prophet; short series of a panel",
         (_of(competitions), _of(shared_seasons))),
    Part("series", "Long series", "the thirteen series of the original papers, and others; equations; outliers",
         (lambda tables, figures: forecasts(tables, figures.boxes), _of(other_series), _of(gaps), _of(criteria),
          _of(equations), _of(outliers))),
    Part("columns", "Columns beside a time, counts", "tables with a time and columns, counts in time and in tables",
         (_of(beside_time), _of(counted_series), _of(items), _of(counted_tables))),
    Part("tables", "Tables", "regression sets, tables of many rows, hierarchical kernel learning",
         (_of(many_columns), _of(additive_orders), _of(additive_options), _of(large_tables),
          _of(hierarchical))),
    Part("classes", "Classes", "six published sets and three wide tables", (_of(classes), _of(wide_tables))),
    Part("clusters", "Clusters", "Rand index and density beside published figures and peers", (_of(clusters),)),
    Part("deep", "Deep processes", "two and three layers beside one", (_of(deep_processes),)),
    Part("calibration", "Does what is stated hold?", "probabilities of statements, claims of reports, ranges of 95 %",
         (_of(probabilities), _of(claims_of_reports), _of(stated_ranges))),
    Part("models", "Models and their search", "BIC on all data, known structure, the learning curve, times",
         (_of(full_data), _of(structure), lambda tables, figures: learning(tables, figures.curves), _of(times),
          _of(failures))),
    Part("speed", "Speed and memory", "likelihoods, fits and searches as the rows grow, beside other packages",
         (_of(long_series), lambda tables, figures: beside(tables, figures.growth), _of(long_searches),
          _of(scaled_searches), _of(batches))),
)  # fmt: skip


def measured(lines: Sequence[str]) -> list[str]:
    """A section without the parts of which nothing has been measured.

    >>> measured(["## A", "", "text", "", "### B", "", "Not measured yet. More.", ""])
    ['## A', '', 'text', '']
    """
    starts = [place for place, line in enumerate(lines) if line.startswith("#")]
    pieces = [lines[start:stop] for start, stop in zip(starts, [*starts[1:], len(lines)], strict=True)]
    return [line for piece in pieces if NOTHING not in " ".join(piece[1:4]) for line in piece]


def pages(tables: Tables, figures: Figures) -> dict[str, str]:
    """All pages as Markdown by their paths; a part of which nothing was measured has none."""
    bodies = {
        part: measured([line for section in part.sections for line in section(tables, figures)]) for part in PARTS
    }
    found = {part: body for part, body in bodies.items() if body}
    behind = {f"results/{part.name}.md": _behind(part, body) for part, body in found.items()}
    return {"results.md": _first(tables, figures, list(found)), **behind}


def _behind(part: Part, body: Sequence[str]) -> str:
    """A page in the folder of results; sections are written for the folder above it."""
    text = "\n".join([f"# {part.title}", "", "Part of the [results](../results.md).", "", *body])
    return text.replace("](../benchmarks", "](../../benchmarks").replace("](images/", "](../images/").rstrip() + "\n"


def _first(tables: Tables, figures: Figures, parts: Sequence[Part]) -> str:
    lines = comparisons(tables)
    text = [
        "# Results",
        "",
        *(front_page(lines, figures.front) if lines else []),
        "## What lies behind it",
        "",
        *(f"- [{part.title}](results/{part.name}.md): {part.said}." for part in parts),
        "",
        "All pages are written by `python benchmarks/page.py` from the tables in",
        "[benchmarks/results](../benchmarks/results) and [benchmarks/reference](../benchmarks/reference/README.md);",
        "how they are made is told in [benchmarks](../benchmarks/README.md).",
        "A language with brackets after it was run with the settings in them;",
        "without, with the defaults. Stored axis: the numbers of the files, as the original had them; calendar axis:",
        "the same read as dates. Times are of one noisy machine.",
        "",
        "```{toctree}",
        ":hidden:",
        "",
        *(f"results/{part.name}" for part in parts),
        "results/how-it-is-measured",
        "results/published",
        "```",
    ]
    return "\n".join(text).rstrip() + "\n"


def write(tables: Tables, output: Path) -> None:
    """Write the pages and their figures: the first to the path, the others to the folder ``results`` beside it."""
    drawn = {
        "front": ("front.svg", draw_front, comparisons(tables)),
        "boxes": ("boxes.svg", draw_boxes, box_plot(tables)),
        "curves": ("learning-curve.svg", draw_curves, curves(tables)),
        "growth": ("beside.svg", draw_growth, growth(tables)),
    }
    for name, draw, shown in drawn.values():
        if shown:
            draw(shown, output.parent / IMAGES / name)
    figures = Figures(**{key: (IMAGES / name).as_posix() for key, (name, _, shown) in drawn.items() if shown})
    for path, text in pages(tables, figures).items():
        place = output if path == "results.md" else output.parent / path
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_text(text, encoding="utf-8")


def main() -> None:
    """Write the pages."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--results", type=Path, default=RESULTS, help="folder of the tables")
    parser.add_argument(
        "--output", type=Path, default=OUTPUT, help="the first page; the others go to the folder results beside it"
    )
    given = parser.parse_args()
    write(Tables.read(given.results), given.output)


if __name__ == "__main__":
    main()
