"""The habits of the code that a machine can hold: short functions and files, annotations, documentation."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.guards.trees import BENCHMARKS, SOURCE, TESTS, files, name_of, nodes, text_of, tree_of

LONGEST_FUNCTION = 50  # lines of the body without its docstring
LONGEST_FILE = 600

Function = ast.FunctionDef | ast.AsyncFunctionDef

FILES = (*files(SOURCE), *files(TESTS), *files(BENCHMARKS))


def _functions() -> Iterator[tuple[Path, Function]]:
    return ((path, node) for path in FILES for node in nodes(path) if isinstance(node, Function))


def _length(function: Function) -> int:
    body = function.body[1:] if ast.get_docstring(function) is not None else function.body
    return body[-1].end_lineno - body[0].lineno + 1 if body and body[-1].end_lineno else 0


def _open_ends(function: Function) -> list[str]:
    """The parameters of a function without an annotation, and "return" where that is missing."""
    every = function.args
    given = [*every.posonlyargs, *every.args, *every.kwonlyargs, *filter(None, (every.vararg, every.kwarg))]
    bare = [a.arg for a in given if a.annotation is None and a.arg not in {"self", "cls", "mcs"}]
    return bare + ([] if function.returns is not None else ["return"])


def test_files_are_short() -> None:
    assert len(FILES) > 500
    assert [name_of(path) for path in FILES if text_of(path).count("\n") > LONGEST_FILE] == []


@pytest.mark.slow
def test_functions_are_short_and_annotated() -> None:
    faults = {
        f"{name_of(path)}:{each.lineno} {each.name}": (_length(each), _open_ends(each)) for path, each in _functions()
    }
    assert [name for name, (length, _) in faults.items() if length > LONGEST_FUNCTION] == []
    assert [(name, ends) for name, (_, ends) in faults.items() if ends] == []


def test_modules_say_what_they_are() -> None:
    assert [name_of(path) for path in files(SOURCE) if not ast.get_docstring(tree_of(path))] == []


def test_the_library_never_prints_nor_draws_from_global_randomness() -> None:
    lawful = {"np.random.default_rng", "np.random.Generator", "np.random.SeedSequence"}
    called = {
        (name_of(path), ast.unparse(node.func).split("(")[0])
        for path in files(SOURCE)
        for node in nodes(path)
        if isinstance(node, ast.Call)
    }
    assert [call for call in called if call[1] == "print"] == []
    assert [call for call in called if call[1].startswith(("np.random.", "random.")) and call[1] not in lawful] == []


def test_the_measure_leaves_docstrings_out() -> None:
    function = ast.parse('def f(a, *b: int):\n    """One.\n\n    Two."""\n    x = 1\n\n    return x\n').body[0]
    assert isinstance(function, Function)
    assert _length(function) == 3
    assert _open_ends(function) == ["a", "return"]
