"""Draw the packages of the library and their imports from the code: python docs/explanation/draw_architecture.py

Rooms stand on floors: each above all that it imports. Lines that follow from others are left out.
"""

from __future__ import annotations

import ast
from functools import cache
from html import escape
from pathlib import Path

HERE = Path(__file__).resolve().parent
SOURCE = HERE.parents[1] / "src" / "autostatistician"
PICTURE = HERE / "architecture.svg"
PACKAGE = "autostatistician"
CUT_OPEN = ("describe",)  # houses whose rooms are drawn one by one
GROUND = "foundations"  # single files that everyone uses
WIDE, HIGH, GAP, FLOOR = 150, 44, 22, 92  # of boxes and between them, in pixels
MARGIN = 24

Graph = dict[str, set[str]]


def room_of(path: Path) -> str:
    """The room in which a file stands."""
    parts = path.relative_to(SOURCE).with_suffix("").parts
    if parts[-1].startswith("__"):
        return ""
    return "/".join(parts[:2]) if parts[0] in CUT_OPEN else parts[0]


def imported(path: Path, modules: dict[str, Path]) -> set[Path]:
    """The files that a file imports."""
    names = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.ImportFrom) and node.module and node.module.startswith(PACKAGE):
            names |= {f"{node.module}.{alias.name}" for alias in node.names}
    files = set()
    for name in names:
        while name not in modules and "." in name:
            name = name.rpartition(".")[0]
        files |= {modules[name]} if name in modules else set()
    return files


@cache
def rooms() -> tuple[Graph, dict[str, int]]:
    """What each room imports, and its number of files; files that import nothing of ours stand on the ground."""
    paths = sorted(SOURCE.rglob("*.py"))
    modules = {
        ".".join((PACKAGE, *p.relative_to(SOURCE).with_suffix("").parts)).removesuffix(".__init__"): p for p in paths
    }
    graph: Graph = {}
    files: dict[str, int] = {}
    for path in paths:
        if room := room_of(path):
            files[room] = files.get(room, 0) + 1
            graph.setdefault(room, set()).update(filter(None, map(room_of, imported(path, modules))))
    graph = {room: below - {room} for room, below in graph.items()}
    while low := {room for room in graph if room != GROUND and not graph[room] - {GROUND} and files[room] <= 5}:
        graph = {
            room: {GROUND if one in low else one for one in below} for room, below in graph.items() if room not in low
        }
        graph[GROUND] = set()
        files[GROUND] = files.get(GROUND, 0) + sum(files.pop(room) for room in low)
    return graph, files


def floors(graph: Graph) -> dict[str, int]:
    """The floor of each room, counted from the top: one below the lowest that imports it."""
    above = {room: {one for one in graph if room in graph[one]} for room in graph}
    found: dict[str, int] = {}
    while len(found) < len(graph):
        free = [room for room in graph if room not in found and above[room] <= found.keys()]
        if not free:
            raise ValueError(f"these rooms import one another: {sorted(graph.keys() - found.keys())}")
        for room in free:
            found[room] = 1 + max((found[one] for one in above[room]), default=-1)
    return found


def reduced(graph: Graph) -> Graph:
    """The imports that do not follow from others."""

    def reach(room: str) -> set[str]:
        return set().union(graph[room], *map(reach, graph[room]))

    return {
        room: {one for one in below if not any(one in reach(other) for other in below)} for room, below in graph.items()
    }


def picture() -> str:
    """The drawing as SVG."""
    graph, _ = rooms()
    levels = floors(graph)
    lowest = max(levels.values())
    rows = [sorted(room for room in graph if levels[room] == level) for level in range(lowest + 1)]
    width = 2 * MARGIN + max(map(len, rows)) * (WIDE + GAP) - GAP
    height = 2 * MARGIN + lowest * FLOOR + HIGH
    places = {}
    for level, row in enumerate(rows):
        left = (width - len(row) * (WIDE + GAP) + GAP) / 2
        for index, room in enumerate(row):
            places[room] = (left + index * (WIDE + GAP), MARGIN + level * FLOOR)
    lines = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" font-family="sans-serif">',
        "<title>The packages of the library: each imports what its lines lead down to</title>",
        f'<rect width="{width}" height="{height}" fill="#ffffff"/>',
    ]
    for room, below in sorted(reduced(graph).items()):
        for one in sorted(below):
            (x, y), (u, v) = places[room], places[one]
            start, stop, bend = y + HIGH, v, (v - y - HIGH) / 2
            a, b = x + WIDE / 2, u + WIDE / 2
            curve = f"M{a:g} {start:g}C{a:g} {start + bend:g} {b:g} {stop - bend:g} {b:g} {stop:g}"
            lines.append(f'<path d="{curve}" fill="none" stroke="#8a97a6" stroke-width="1.3"/>')
    for room, (x, y) in sorted(places.items()):
        box = f'x="{x:g}" y="{y:g}" width="{WIDE}" height="{HIGH}" rx="5"'
        lines.append(f'<rect {box} fill="#eef2f6" stroke="#44576b"/>')
        middle = f'x="{x + WIDE / 2:g}" y="{y + HIGH / 2 + 5:g}" text-anchor="middle"'
        lines.append(f'<text {middle} font-size="14">{escape(room)}</text>')
    return "\n".join([*lines, "</svg>", ""])


if __name__ == "__main__":
    PICTURE.write_text(picture(), encoding="utf-8")
