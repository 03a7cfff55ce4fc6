"""The files of the repository, each read and parsed once for all guards."""

import ast
from collections.abc import Iterator
from functools import cache
from pathlib import Path

__all__ = [
    "BENCHMARKS", "ROOT", "SOURCE", "TESTS", "code_lines", "files", "name_of", "nodes", "statements", "text_of",
    "tree_of",
]  # fmt: skip
ROOT = Path(__file__).resolve().parents[2]
SOURCE, TESTS, BENCHMARKS = ROOT / "src" / "autostatistician", ROOT / "tests", ROOT / "benchmarks"
_DOCUMENTED = ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef


@cache
def files(folder: Path, pattern: str = "*.py") -> tuple[Path, ...]:
    """The files below a folder, in the order of their names."""
    return tuple(sorted(folder.rglob(pattern)))


def name_of(path: Path) -> str:
    """A file as a message names it."""
    return path.relative_to(ROOT).as_posix()


@cache
def text_of(path: Path) -> str:
    return path.read_text(encoding="utf-8")


@cache
def tree_of(path: Path) -> ast.Module:
    return ast.parse(text_of(path))


@cache
def nodes(path: Path) -> tuple[ast.AST, ...]:
    """Every node of a file."""
    return tuple(ast.walk(tree_of(path)))


def statements(tree: ast.AST) -> Iterator[ast.AST]:
    """The statements of a program, and those inside of them; what these are made of is left out."""
    for block in ("body", "orelse", "finalbody", "handlers", "cases"):
        for node in getattr(tree, block, ()):
            yield node
            yield from statements(node)


@cache
def code_lines(path: Path) -> int:
    """The lines of a program that do something: no blank, comment, docstring, import or ``__all__``."""
    written = {
        number for number, line in enumerate(text_of(path).splitlines(), 1) if line.strip() and line.strip()[0] != "#"
    }
    return len(written - {line for node in nodes(path) if _is_silent(node) for line in _lines(_statement(node))})


def _statement(node: ast.AST) -> ast.AST:
    """What is not counted of a node: itself, or the docstring of a function, class or module."""
    return node.body[0] if isinstance(node, _DOCUMENTED) else node


def _is_silent(node: ast.AST) -> bool:
    if isinstance(node, _DOCUMENTED):
        return ast.get_docstring(node, clean=False) is not None
    is_all = isinstance(node, ast.Assign) and ast.unparse(node.targets[0]) == "__all__"
    return is_all or isinstance(node, ast.Import | ast.ImportFrom)


def _lines(node: ast.AST) -> range:
    return range(node.lineno, node.end_lineno + 1)  # type: ignore[attr-defined]
