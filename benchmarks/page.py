"""The pages of results (docs/results.md, docs/results/) and their figures, from results/ and reference/ alone.

What they say stands in `text/`; every number on them is computed. What has not been measured is not on them.

Usage: python benchmarks/page.py [--results FOLDER] [--output docs/results.md]
"""

import argparse
import re
from dataclasses import dataclass
from pathlib import Path

import front
import page_forecasts
import page_models
import page_tables
from common import RESULTS
from figures import box_plot, curves, draw_boxes, draw_curves, draw_growth
from front import comparisons, draw_front
from page_models import growth
from page_text import filled
from rows import Tables

HERE = Path(__file__).resolve().parent
OUTPUT = HERE.parent / "docs" / "results.md"
TEXTS = HERE / "text"
IMAGES = Path("images") / "results"
SECTIONS = (front, page_forecasts, page_tables, page_models)  # whose functions fill the texts


@dataclass(frozen=True)
class Figures:
    """Which figures there are; None where there is nothing to draw."""

    front: str | None = None
    boxes: str | None = None
    curves: str | None = None
    growth: str | None = None


def pages(tables: Tables, figures: Figures) -> dict[str, str]:
    """All pages as Markdown by their paths; one of which nothing was measured is left out, with the line about it."""
    names = sorted(path.stem for path in TEXTS.glob("*.md"))
    texts = {
        name: filled((TEXTS / f"{name}.md").read_text(encoding="utf-8"), tables, figures=figures) for name in names
    }
    first = texts.pop("results")
    empty = {name for name, text in texts.items() if "\n## " not in text}
    listed = [line for line in first.splitlines() if not empty & set(re.findall(r"results/([\w-]+)", line))]
    behind = {f"results/{name}.md": text for name, text in texts.items() if name not in empty}
    return {"results.md": "\n".join(listed) + "\n", **behind}


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
