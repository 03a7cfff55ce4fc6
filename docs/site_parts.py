"""What the site needs beside Sphinx: formulas as MathML, and links to what lies outside the pages.

Pages are written to be read on any host of the repository, so they link to scripts, tables and pages beside them.
On the site, pages of the repository have a page that includes them, reports are copied as they are, and of other
files the text of the link is left.
"""

from __future__ import annotations

import re
import shutil
from pathlib import Path, PurePosixPath
from posixpath import normpath, relpath
from typing import Any

from docutils.utils.math.latex2mathml import tex2mathml

__all__ = ["MATH", "elsewhere", "setup", "whole"]

MATH = "mathml"
HERE = Path(__file__).resolve().parent
REPORTS = "reports"

# Pages of the repository outside this folder, and the page of the site that includes each.
INCLUDED = {
    "CONTRIBUTING.md": "project/contributing.md",
    "CHANGELOG.md": "project/changes.md",
    "benchmarks/README.md": "results/how-it-is-measured.md",
    "benchmarks/reference/README.md": "results/published.md",
}
INCLUDE = re.compile(r"^```{include} (\S+)\n```$", re.MULTILINE)
FILES = "docs/tutorial/files"  # of which the site offers copies
LINK = re.compile(r"(?<!!)\[((?:\\.|[^\[\]])*)\]\(([^()\s#:]+)(#[^()\s]*)?\)")


def elsewhere(text: str, page: str, folder: str = "") -> str:
    """The Markdown of a page with its links to what is no page of the site led to what the site has of it.

    ``page`` is a path in docs; ``folder`` is where in the repository the text is from, if not from there.

    >>> elsewhere("[how](../../CONTRIBUTING.md#rules), [rows](../../benchmarks/results/corpus.csv)", "how-to/a.md")
    '[how](../project/contributing.md#rules), rows'
    >>> elsewhere("[engines](docs/explanation/engines.md)", "project/contributing.md", ".")
    '[engines](../explanation/engines.md)'
    """
    here = str(PurePosixPath("docs", page).parent)

    def led(match: re.Match[str]) -> str:
        shown, target, anchor = match.group(1), match.group(2), match.group(3) or ""
        place = normpath(f"{folder or here}/{target}")
        if place in INCLUDED:
            place = f"docs/{INCLUDED[place]}"
        if (place.startswith("docs/") and place.endswith(".md")) or place.startswith(f"{FILES}/"):
            return f"[{shown}]({relpath(place, here)}{anchor})"
        if place.startswith(f"docs/{REPORTS}/") and place.endswith(".html"):
            return f'<a href="{relpath(place, here)}">{shown}</a>'
        return shown

    return LINK.sub(led, text)


def whole(text: str, page: str) -> str:
    """The Markdown of a page with the texts that it includes, all with links that lead somewhere."""

    def included(match: re.Match[str]) -> str:
        path = (HERE / page).parent / match.group(1)
        folder = normpath(f"{PurePosixPath('docs', page).parent}/{PurePosixPath(match.group(1)).parent}")
        return elsewhere(path.read_text(encoding="utf-8").rstrip(), page, folder)

    return elsewhere(text, page) if not INCLUDE.search(text) else INCLUDE.sub(included, text)


def _read(app: Any, page: str, text: list[str]) -> None:
    text[0] = whole(text[0], f"{page}.md")


def _copy_reports(app: Any, fault: Exception | None) -> None:
    if fault is None and app.builder.format == "html":
        for report in sorted((HERE / REPORTS).glob("*.html")):
            shutil.copyfile(report, Path(app.outdir) / REPORTS / report.name)


def _left_out(app: Any, kind: str, name: str, member: Any, skip: bool, options: Any) -> bool | None:
    """Members that scikit-learn adds for the routing of metadata have nothing to do with a model."""
    return True if re.fullmatch(r"set_\w+_request|get_metadata_routing|set_output", name) else None


def _formula(writer: Any, node: Any, block: bool) -> None:
    writer.body.append(tex2mathml(node.astext(), as_block=block))


def _inline(writer: Any, node: Any) -> None:
    from docutils import nodes

    _formula(writer, node, block=False)
    raise nodes.SkipNode


def _displayed(writer: Any, node: Any) -> None:
    from docutils import nodes

    writer.body.append('<div class="math">')
    _formula(writer, node, block=True)
    writer.body.append("</div>\n")
    raise nodes.SkipNode


def setup(app: Any) -> dict[str, bool]:
    """Tell Sphinx of all this."""
    app.add_html_math_renderer(MATH, (_inline, None), (_displayed, None))
    app.connect("source-read", _read)
    app.connect("build-finished", _copy_reports)
    app.connect("autodoc-skip-member", _left_out)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
