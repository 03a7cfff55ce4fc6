"""The numbers that decide what is said become no more."""

import ast
from collections.abc import Iterator
from pathlib import Path

import autostatistician

ROOMS = "claims", "describe", "decompose"
MOST = 331


def thresholds() -> Iterator[str]:
    """The names of the constants of modules that hold numbers, in the rooms that say things."""
    root = Path(autostatistician.__file__).parent
    for path in (path for room in ROOMS for path in sorted((root / room).rglob("*.py"))):
        for line in ast.parse(path.read_text(encoding="utf-8")).body:
            value = line.value if isinstance(line, ast.Assign | ast.AnnAssign) else None
            if value is not None and any(map(_is_number, ast.walk(value))):
                targets = line.targets if isinstance(line, ast.Assign) else [line.target]
                yield from (f"{path.relative_to(root)}:{name}" for name in _names(targets))


def _is_number(node: ast.AST) -> bool:
    return isinstance(node, ast.Constant) and type(node.value) in (int, float)


def _names(targets: list[ast.expr]) -> Iterator[str]:
    """Those in capitals."""
    named = (node.id for target in targets for node in ast.walk(target) if isinstance(node, ast.Name))
    return (name for name in named if name.isupper())


def test_thresholds_become_no_more() -> None:
    found = [*thresholds()]
    assert len(found) == MOST, f"found {len(found)} numbers that rules may hang on, of {MOST}; write down the new count"
