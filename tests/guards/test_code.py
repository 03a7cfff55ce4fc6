"""The habits of the code that a machine can hold: short functions and files, annotations, documentation."""

import ast
from collections.abc import Iterable, Iterator
from contextlib import suppress
from importlib import import_module
from pathlib import Path

import pytest
from tests.guards.trees import BENCHMARKS, SOURCE, TESTS, files, name_of, nodes, statements, text_of, tree_of

OUTSIDE = [path for path in files(SOURCE) if SOURCE / "gp" not in path.parents]

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


LONGEST_FUNCTION = 50  # lines of the body without its docstring
LONGEST_FILE = 600
Function = ast.FunctionDef | ast.AsyncFunctionDef
FILES = (*files(SOURCE), *files(TESTS), *files(BENCHMARKS))


def _functions() -> Iterator[tuple[Path, Function]]:
    return ((path, node) for path in FILES for node in statements(tree_of(path)) if isinstance(node, Function))


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


def test_every_file_of_tests_can_be_imported() -> None:
    """One that cannot would be skipped without a word: doctests allow modules whose libraries are not installed."""
    for path in files(TESTS):
        if TESTS / "benchmarks" not in path.parents:
            with suppress(pytest.skip.Exception):  # of a peer that is not installed
                import_module(name_of(path).removesuffix(".py").replace("/", "."))
