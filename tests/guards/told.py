"""A plugin of pytest that watches which texts the tests hold word for word.

``python -m pytest -p tests.guards.told --told REPORT TESTS`` compiles `autostatistician.describe.words` and the
documents with a recorder around every text: f-strings, messages that are said, strings with a blank, single words that
a condition chooses, and what functions of texts return. The report lists those of which no value stands in a golden
text, be it a literal of a test or a golden page, with the file, the line and the code; so it does with the alternatives
of sentences that stand in a file.
"""

import ast
import json
import re
import sys
from collections.abc import Iterator, Mapping, Sequence
from importlib.abc import MetaPathFinder
from importlib.machinery import ModuleSpec, PathFinder, SourceFileLoader
from pathlib import Path
from types import CodeType, ModuleType

import pytest

from autostatistician.i18n import messages
from autostatistician.i18n.messages import chosen, entries

ROOT = Path(__file__).resolve().parents[2]
PACKAGE, TESTS = ROOT / "src" / "autostatistician", ROOT / "tests" / "describe"
WATCHED = (
    "autostatistician.describe.words.",
    "autostatistician.describe.document.",
    "autostatistician.describe.panels.words",
)

_SAYING = ("say", "say_as", "say_count", "sentence")  # what fills in the places of a message
_SELECTORS = {key for entry in entries("en").values() for keys in entry.texts for key in keys}  # never told
PLACES: list[tuple[str, int, str]] = []  # file, line and code of every text
VALUES: list[set[str]] = []  # what each of them has been


def _record(place: int, value: object) -> object:
    """The value itself, which is remembered."""
    if isinstance(value, str):
        VALUES[place].add(value)
    return value


def _watch_sentences() -> None:
    """Remembers what each alternative of a sentence says, in English."""
    every = {(name, text): len(PLACES) + at for at, (name, text) in enumerate(_alternatives())}
    PLACES.extend(("en.toml", 0, f"{name}: {text}") for name, text in every)
    VALUES.extend(set() for _ in every)

    def recorded(name: str, values: Mapping[str, object], language: str) -> str:
        text = chosen(name, values, language)
        if (name, text) in every:
            _record(every[name, text], text.format(**values))
        return text

    messages.chosen = recorded  # type: ignore[attr-defined]


def _alternatives() -> list[tuple[str, str]]:
    texts = [(name, text) for name, entry in entries("en").items() for text in entry.texts.values()]
    return [(name, text) for name, text in dict.fromkeys(texts) if re.search("[a-z]", re.sub(r"\{\w+\}", "", text))]


class _Recorder(ast.NodeTransformer):
    """Puts the recorder around every text of a module."""

    def __init__(self, path: Path) -> None:
        self.name = str(path.relative_to(PACKAGE))
        self.is_words = "words" in (path.parent.name, path.stem)
        self.gives_text = False  # the function that is being read

    def _watched(self, node: ast.expr, code: str) -> ast.expr:
        PLACES.append((self.name, node.lineno, code))
        VALUES.append(set())
        call = ast.Call(ast.Name("__told__", ast.Load()), [ast.Constant(len(PLACES) - 1), node], [])
        return ast.copy_location(call, node)

    def visit_JoinedStr(self, node: ast.JoinedStr) -> ast.expr:
        code, literal = ast.unparse(node), "".join(part.value for part in node.values if isinstance(part, ast.Constant))
        for part in node.values:
            if isinstance(part, ast.FormattedValue):
                part.value = self.visit(part.value)
        return self._watched(node, code) if self.is_words or " " in literal else node

    def visit_Constant(self, node: ast.Constant) -> ast.expr:
        return self._watched(node, ast.unparse(node)) if _is_text(node) and " " in node.value.strip() else node

    def visit_Call(self, node: ast.Call) -> ast.expr:
        code, name = ast.unparse(node), node.func.id if isinstance(node.func, ast.Name) else ""
        # What tells equal texts apart or names a sentence is never told.
        context = node.args[:1] if name in ("say_as", "sentence") else []
        node.args = node.args[len(context) :]
        self.generic_visit(node)
        node.args = [*context, *node.args]
        return self._watched(node, code) if name in _SAYING else node

    def visit_IfExp(self, node: ast.IfExp) -> ast.expr:
        arms = node.body, node.orelse
        self.generic_visit(node)
        if self.is_words:  # a word that is chosen, such as "it" or "them"; longer ones are watched already
            node.body, node.orelse = (
                self._watched(new, ast.unparse(new)) if new is old and _is_text(new) else new
                for new, old in zip((node.body, node.orelse), arms, strict=True)
            )
        return node

    def visit_Return(self, node: ast.Return) -> ast.stmt:
        code = ast.unparse(node)
        plain = node.value is None or isinstance(node.value, ast.Constant | ast.JoinedStr)
        self.generic_visit(node)
        if self.gives_text and not plain and node.value is not None:
            node.value = self._watched(node.value, code)
        return node

    def visit_FunctionDef(self, node: ast.FunctionDef) -> ast.stmt:
        outer, self.gives_text = self.gives_text, node.returns is not None and ast.unparse(node.returns) == "str"
        self._visit_body(node)
        self.gives_text = outer
        return node

    def visit_match_case(self, node: ast.match_case) -> ast.match_case:
        self._visit_body(node)
        return node

    def _visit_body(self, node: ast.Module | ast.ClassDef | ast.FunctionDef | ast.match_case) -> ast.AST:
        """The statements alone, without defaults, patterns and the docstring."""
        documented = not isinstance(node, ast.match_case) and ast.get_docstring(node) is not None
        node.body = [one if documented and one is node.body[0] else self.visit(one) for one in node.body]
        return node

    visit_Module = visit_ClassDef = _visit_body  # type: ignore[assignment]


def _is_text(node: ast.expr) -> bool:
    """Whether a constant is something to read: no pattern, and no template whose result is watched."""
    return (
        isinstance(node, ast.Constant)
        and isinstance(node.value, str)
        and node.value not in _SELECTORS
        and re.search(r"[a-z]", node.value) is not None
        and not re.search(r"\{\w*\}|\|", node.value)
    )


class _Loader(SourceFileLoader):
    def get_code(self, fullname: str) -> CodeType:  # never from a cache
        path = Path(self.path)
        tree = _Recorder(path).visit(ast.parse(path.read_text(encoding="utf-8")))
        return compile(ast.fix_missing_locations(tree), self.path, "exec")

    def exec_module(self, module: ModuleType) -> None:
        module.__dict__["__told__"] = _record
        super().exec_module(module)


class _Finder(MetaPathFinder):
    def find_spec(
        self, fullname: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        spec = PathFinder.find_spec(fullname, path) if fullname.startswith(WATCHED) else None
        if spec is not None and isinstance(spec.loader, SourceFileLoader) and not spec.submodule_search_locations:
            spec.loader = _Loader(spec.loader.name, spec.loader.path)
        return spec


def _golden() -> str:
    """All that tests hold word for word: literals of tests, doctests, and the golden pages."""
    pages = (path.read_text(encoding="utf-8") for path in sorted((TESTS / "pages").glob("*.txt")))
    return "\0".join([*_literals(), *_doctests(), *pages]).lower()


def _literals() -> Iterator[str]:
    for path in sorted(TESTS.rglob("test_*.py")):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Constant) and isinstance(node.value, str):
                yield node.value


def _doctests() -> Iterator[str]:
    for path in sorted((PACKAGE / "describe").rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.FunctionDef):
                yield ">>>".join((ast.get_docstring(node) or "").split(">>>")[1:])


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--told", help="where to write which texts no golden text holds")


def pytest_configure(config: pytest.Config) -> None:
    if config.getoption("--told"):
        assert not [name for name in sys.modules if name.startswith(WATCHED)]
        _watch_sentences()
        sys.meta_path.insert(0, _Finder())


def pytest_sessionfinish(session: pytest.Session) -> None:
    if report := session.config.getoption("--told"):
        golden = _golden()
        untold = [
            [*place, sorted(values)[:1]]
            for place, values in zip(PLACES, VALUES, strict=True)
            if values != {""} and not any(value and value.lower() in golden for value in values)
        ]
        Path(report).write_text(json.dumps({"watched": len(PLACES), "untold": untold}), encoding="utf-8")
