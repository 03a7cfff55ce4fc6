"""What one room alone may touch: factors and their solves are the affair of inference, threads that of `threads`."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

SOURCE = Path(__file__).resolve().parents[2] / "src" / "autostatistician"
OUTSIDE = sorted(path for path in SOURCE.rglob("*.py") if SOURCE / "inference" not in path.parents)

# Of a posterior, the parts of its arithmetic; of factors, all but the error for data that fit no model.
ARITHMETIC = {"alpha", "half_solve", "inverse_diagonal", "logdet", "packed"}
MAKERS = {"Factor", "factorise"}
THREADS = {"threadpool_limits", "ThreadpoolController"}


def _names(tree: ast.AST, wanted: set[str], attributes: bool) -> set[str]:
    """The wanted names that are read as attributes, or that are imported."""
    found = set()
    for node in ast.walk(tree):
        if attributes and isinstance(node, ast.Attribute):
            found.add(node.attr)
        if not attributes and isinstance(node, ast.ImportFrom):
            found |= {alias.name for alias in node.names}
    return found & wanted


@pytest.mark.parametrize("path", OUTSIDE, ids=lambda path: str(path.relative_to(SOURCE)))
def test_factors_are_touched_by_inference_alone(path: Path) -> None:
    tree = ast.parse(path.read_text(encoding="utf-8"))
    assert _names(tree, ARITHMETIC, attributes=True) == set()
    assert _names(tree, MAKERS, attributes=False) == set()


def test_one_file_limits_threads() -> None:
    trees = {path.name: ast.parse(path.read_text(encoding="utf-8")) for path in SOURCE.rglob("*.py")}
    assert {name for name, tree in trees.items() if _names(tree, THREADS, attributes=False)} == {"threads.py"}


def test_the_guard_sees_what_it_looks_for() -> None:
    tree = ast.parse("from a.factor import factorise\nx = p.factor.half_solve(y) @ p.alpha")
    assert _names(tree, ARITHMETIC, attributes=True) == {"half_solve", "alpha"}
    assert _names(tree, MAKERS, attributes=False) == {"factorise"}
