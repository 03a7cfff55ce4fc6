"""What one room alone may touch: factors and their solves are the affair of inference, threads that of `threads`."""

from __future__ import annotations

import ast
from collections.abc import Iterable

from tests.guards.trees import SOURCE, files, name_of, nodes

OUTSIDE = [path for path in files(SOURCE) if SOURCE / "inference" not in path.parents]

# Of a posterior, the parts of its arithmetic; of factors, all but the error for data that fit no model.
ARITHMETIC = {"alpha", "half_solve", "inverse_diagonal", "logdet", "packed"}
MAKERS = {"Factor", "factorise"}
THREADS = {"threadpool_limits", "ThreadpoolController"}


def _names(every: Iterable[ast.AST], wanted: set[str], attributes: bool) -> set[str]:
    """The wanted names that are read as attributes, or that are imported."""
    found = set()
    for node in every:
        if attributes and isinstance(node, ast.Attribute):
            found.add(node.attr)
        if not attributes and isinstance(node, ast.ImportFrom):
            found |= {alias.name for alias in node.names}
    return found & wanted


def test_factors_are_touched_by_inference_alone() -> None:
    touched = {
        name_of(path): _names(nodes(path), ARITHMETIC, attributes=True) | _names(nodes(path), MAKERS, attributes=False)
        for path in OUTSIDE
    }
    assert {name: names for name, names in touched.items() if names} == {}


def test_one_file_limits_threads() -> None:
    limiting = {path.name for path in files(SOURCE) if _names(nodes(path), THREADS, attributes=False)}
    assert limiting == {"threads.py"}


def test_the_guard_sees_what_it_looks_for() -> None:
    tree = ast.parse("from a.factor import factorise\nx = p.factor.half_solve(y) @ p.alpha")
    assert _names(ast.walk(tree), ARITHMETIC, attributes=True) == {"half_solve", "alpha"}
    assert _names(ast.walk(tree), MAKERS, attributes=False) == {"factorise"}
