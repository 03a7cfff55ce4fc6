"""The list of all figures and tables of the sources, from ``sources.csv``: what each shows, and where ours is."""

from __future__ import annotations

import csv
import re
from dataclasses import dataclass
from pathlib import Path

__all__ = ["NAMES", "Source", "figure_name", "missing", "partial", "place", "sources"]

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[1]

NAMES = {
    "F": "D. Duvenaud, Automatic Model Construction with Gaussian Processes (PhD thesis, Cambridge, 2014)",
    "D": "an early draft of the thesis",
    "P": "D. Duvenaud, H. Nickisch and C. E. Rasmussen, Additive Gaussian Processes (2011)",
    "C": "that paper as a chapter",
    "L": "lecture slides of L. Schmidt-Thieme on Gaussian processes (by their sections where they have no numbers)",
    "O": "our own",
}
_SCRIPT = re.compile(r"figure_([a-z]?)(\d*|a)(?:_(\d+))?_[a-z]")


@dataclass(frozen=True)
class Source:
    """A figure or a table of a source; ``ours`` is a script of the gallery, or a page with an anchor."""

    kind: str  # "figure" or "table"
    source: str  # a key of `NAMES`
    number: str
    shows: str
    ours: str
    lacking: str

    @property
    def is_table(self) -> bool:
        """Whether it is a table."""
        return self.kind == "table"

    @property
    def title(self) -> str:
        """The number with its source; that of the thesis is left out."""
        return self.number if self.source == "F" else f"{self.source} {self.number}"

    @property
    def path(self) -> Path | None:
        """Where ours is; None where there is none."""
        if not self.ours:
            return None
        return HERE / f"{self.ours}.py" if self.ours.startswith("figure_") else ROOT / self.ours.partition("#")[0]

    def linked(self) -> str:
        """Ours as a link from this folder."""
        if not self.ours:
            return "none"
        page, _, anchor = self.ours.partition("#")
        target = f"../{page.removeprefix('docs/')}" if page.startswith("docs/") else f"../../{page}"
        target = target.replace("../gallery/", "")
        return f"[{anchor.replace('-', ' ') or Path(page).name}]({target}{'#' * bool(anchor)}{anchor})"


def sources() -> list[Source]:
    """All of them, in the order of the sources."""
    with (HERE / "sources.csv").open(encoding="utf-8", newline="") as file:
        return [Source(**row) for row in csv.DictReader(file)]


def figure_name(script: Path) -> str:
    """The number of a script's figure, with its source where that is not the thesis.

    >>> [figure_name(Path(f"figure_{name}.py")) for name in ("2_10_symmetry", "d2_8_molecule", "p5_sines", "da_1_box")]
    ['2.10', 'D 2.8', 'P 5', 'D A.1']
    """
    matched = _SCRIPT.match(script.stem)
    assert matched is not None, script.stem
    source, chapter, number = matched.groups()
    text = ".".join(filter(None, (chapter.upper(), number)))
    return f"{source.upper()} {text}" if source else text


def place(script: Path) -> tuple[int, ...]:
    """Where a script is in the order of the sources.

    >>> place(Path("figure_2_10_a.py")) < place(Path("figure_d2_8_b.py")) < place(Path("figure_da_1_c.py"))
    True
    """
    source, _, number = figure_name(script).rpartition(" ")
    order = list(NAMES).index(source or "F")
    return (order, *(int(part) if part.isdigit() else 99 for part in number.split(".")))


def missing() -> list[Source]:
    """What we do not have."""
    return [each for each in sources() if each.path is None or not each.path.is_file()]


def partial() -> list[Source]:
    """What we have, but not whole."""
    return [each for each in sources() if each.lacking and each not in missing()]
