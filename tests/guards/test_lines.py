"""The library only gets smaller: ``lines_by_room.json`` holds the size of every room, and may only fall.

``python -m tests.guards.test_lines`` writes it anew where rooms have shrunk. A number that is raised by hand is a
change that its commit explains.
"""

import json
from collections import Counter
from pathlib import Path

from tests.guards.trees import BENCHMARKS, SOURCE, TESTS, code_lines, files, text_of

RECORD = Path(__file__).with_name("lines_by_room.json")
LEFT_LOOSE = 0.01  # of all lines: a record further above what there is no longer holds them
Sizes = dict[str, dict[str, int]]


def sizes() -> Sizes:
    """Code lines of each room of the library, written lines of what stands around it, and how many files there are."""
    rooms: Counter[str] = Counter()
    for path in files(SOURCE):
        parts = path.relative_to(SOURCE).parts
        rooms[parts[0] if len(parts) > 1 else "the ground"] += code_lines(path)
    around = {
        "tests": files(TESTS),
        "benchmarks": files(BENCHMARKS),
        "catalogues": files(SOURCE, "*.toml"),
    }
    written = {name: sum(text_of(path).count("\n") for path in paths) for name, paths in around.items()}
    counted = {"src": files(SOURCE), "tests": files(TESTS), "benchmarks": files(BENCHMARKS)}
    return {
        "code lines": {**dict(sorted(rooms.items())), "all": sum(rooms.values())},
        "written lines": written,
        "files": {name: len(paths) for name, paths in counted.items()},
    }


def larger(now: Sizes, held: Sizes) -> list[str]:
    """What is larger than the record allows; a room without a row may have no line."""
    return [
        f"{kind} of {name}: {size}, held {held[kind].get(name, 0)}"
        for kind, each in now.items()
        for name, size in each.items()
        if size > held[kind].get(name, 0)
    ]


def lowered(now: Sizes, held: Sizes) -> Sizes:
    """The record with what has shrunk, and without rooms that are gone."""
    return {
        kind: {name: min(size, held[kind][name]) for name, size in each.items() if name in held[kind]}
        for kind, each in now.items()
    }


def test_no_room_grows() -> None:
    assert larger(sizes(), json.loads(RECORD.read_text(encoding="utf-8"))) == []


def test_the_record_follows_what_has_shrunk() -> None:
    now, held = sizes(), json.loads(RECORD.read_text(encoding="utf-8"))
    allowed = (1.0 + LEFT_LOOSE) * now["code lines"]["all"]
    assert held["code lines"]["all"] <= allowed, "run python -m tests.guards.test_lines"


def test_lines_that_do_nothing_are_not_counted(tmp_path: Path) -> None:
    program = '"""One."""\nimport a\n\n__all__ = ["f"]\n\ndef f():  # two\n    """Three."""\n    return (\n        1)\n'
    path = tmp_path / "program.py"
    path.write_text(program, encoding="utf-8")
    assert code_lines(path) == 3


def test_a_record_may_only_fall() -> None:
    held = {"files": {"src": 3, "gone": 2}}
    assert larger({"files": {"src": 4, "new": 1}}, held) == ["files of src: 4, held 3", "files of new: 1, held 0"]
    assert lowered({"files": {"src": 2}}, held) == {"files": {"src": 2}}
    assert lowered({"files": {"src": 4}}, held) == {"files": {"src": 3}}


if __name__ == "__main__":
    before = json.loads(RECORD.read_text(encoding="utf-8")) if RECORD.exists() else sizes()
    RECORD.write_text(json.dumps(lowered(sizes(), before), indent=2) + "\n", encoding="utf-8")
