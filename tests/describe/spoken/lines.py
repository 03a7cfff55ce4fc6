"""Golden sentences: what the modules of this folder tell of facts made by hand, a line for each.

Every function whose name begins with ``tell_`` yields texts; `sentences.txt` among the golden pages holds them, each
group after the name of its module and its function. A branch of a sentence that no golden text holds is found by
`tests.guards.test_messages`: add a line for it here, and write the golden texts anew (`tests.describe.golden`).
"""

from importlib import import_module
from pathlib import Path

MODULES = tuple(sorted(path.stem for path in Path(__file__).parent.glob("*.py") if path.stem != "lines"))
SLOW = ("classes_fitted", "documents")  # which fit models, and are told in English alone


def spoken_lines(module: str) -> list[str]:
    """All that the functions of a module tell, each group after its name."""
    told: list[str] = []
    for name, tell in vars(import_module(f"tests.describe.spoken.{module}")).items():
        if name.startswith("tell_"):
            told.append(f"# {module}: {name.removeprefix('tell_')}".replace("_", " "))
            told.extend(line for text in tell() for line in text.split("\n"))
    return told


def held_lines(text: str, module: str) -> list[str]:
    """Those of a golden text that belong to a module."""
    lines, mine = [], False
    for line in text.splitlines():
        if line.startswith("# "):
            mine = line.startswith(f"# {module}: ".replace("_", " "))
        lines += [line] if mine else []
    return lines
