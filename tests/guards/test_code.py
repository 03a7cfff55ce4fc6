"""The habits of the code that a machine can hold: short functions and files, annotations, documentation."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
SOURCE = ROOT / "src" / "autostatistician"
FOLDERS = (SOURCE, ROOT / "tests", ROOT / "benchmarks")

LONGEST_FUNCTION = 50  # lines of the body without its docstring
LONGEST_FILE = 500

Function = ast.FunctionDef | ast.AsyncFunctionDef

FILES = [path for folder in FOLDERS for path in sorted(folder.rglob("*.py"))]
OURS = [path for path in FILES if path.is_relative_to(SOURCE)]


def _name(path: Path) -> str:
    return str(path.relative_to(ROOT))


def _functions(path: Path) -> Iterator[Function]:
    tree = ast.parse(path.read_text(encoding="utf-8"))
    return (node for node in ast.walk(tree) if isinstance(node, Function))


def _length(function: Function) -> int:
    body = function.body[1:] if ast.get_docstring(function) is not None else function.body
    return body[-1].end_lineno - body[0].lineno + 1 if body and body[-1].end_lineno else 0


def _open_ends(function: Function) -> list[str]:
    """The parameters of a function without an annotation, and "return" where that is missing."""
    every = function.args
    given = [*every.posonlyargs, *every.args, *every.kwonlyargs, *filter(None, (every.vararg, every.kwarg))]
    bare = [a.arg for a in given if a.annotation is None and a.arg not in {"self", "cls", "mcs"}]
    return bare + ([] if function.returns is not None else ["return"])


@pytest.mark.parametrize("path", FILES, ids=_name)
def test_functions_and_files_are_short_and_annotated(path: Path) -> None:
    assert len(path.read_text(encoding="utf-8").splitlines()) <= LONGEST_FILE
    assert {f.name: _length(f) for f in _functions(path) if _length(f) > LONGEST_FUNCTION} == {}
    assert {f"{f.name}:{f.lineno}": _open_ends(f) for f in _functions(path) if _open_ends(f)} == {}


@pytest.mark.parametrize("path", OURS, ids=_name)
def test_modules_say_what_they_are_and_what_they_offer(path: Path) -> None:
    tree = ast.parse(path.read_text(encoding="utf-8"))
    assert ast.get_docstring(tree), "no module docstring"
    offered = _offered(tree)
    assert offered is not None or path.name == "__init__.py", "no __all__"
    defined = {n.name: n for n in tree.body if isinstance(n, Function | ast.ClassDef)}
    assert [name for name in offered or () if name in defined and not ast.get_docstring(defined[name])] == []


def _offered(tree: ast.Module) -> list[str] | None:
    for node in tree.body:
        target = node.targets[0] if isinstance(node, ast.Assign) else getattr(node, "target", None)
        if isinstance(target, ast.Name) and target.id == "__all__":
            value: list[str] = ast.literal_eval(node.value)  # type: ignore[attr-defined]
            return value
    return None


@pytest.mark.parametrize("path", OURS, ids=_name)
def test_the_library_never_prints_nor_draws_from_global_randomness(path: Path) -> None:
    calls = [node for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))) if isinstance(node, ast.Call)]
    called = {ast.unparse(call.func).split("(")[0] for call in calls}
    lawful = {"np.random.default_rng", "np.random.Generator", "np.random.SeedSequence"}
    assert "print" not in called
    assert {name for name in called if name.startswith(("np.random.", "random."))} <= lawful


def test_the_measure_leaves_docstrings_out() -> None:
    function = ast.parse('def f(a, *b: int):\n    """One.\n\n    Two."""\n    x = 1\n\n    return x\n').body[0]
    assert isinstance(function, Function)
    assert _length(function) == 3
    assert _open_ends(function) == ["a", "return"]
