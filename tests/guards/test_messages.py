"""Every message of the code and every sentence is said in every language, with the same places, and none is unused."""

import ast
import json
import os
import re
import subprocess
import sys
from functools import cache
from pathlib import Path

import pytest
from tests.conftest import OF_SENTENCES, THEIR_GUARD
from tests.guards.trees import SOURCE, nodes, text_of
from tests.scripts import script

from autostatistician.i18n.messages import ENGLISH, LANGUAGE_NAMES, Entry, Forms, MessageKey, entries, messages_of

ROOT = Path(__file__).resolve().parents[2]
DESCRIBE, TESTS = ROOT / "src" / "autostatistician" / "describe", ROOT / "tests" / "describe"
HOW = "no golden text holds it: add a line to tests/describe/spoken, then run python -m tests.describe.golden"


@pytest.mark.slow
def test_every_sentence_is_held_word_for_word(tmp_path: Path) -> None:
    report = tmp_path / "told.json"
    watched = [sys.executable, "-m", "pytest", "-q", "-x", "-p", "no:cacheprovider", "-p", "tests.guards.told"]
    asked = ["--told", str(report), "-k", "not translated", "--doctest-modules"]  # what is watched is English
    paths = os.pathsep.join([str(ROOT / "src"), str(ROOT), os.environ.get("PYTHONPATH", "")])
    done = subprocess.run(
        [*watched, *asked, *OF_SENTENCES], cwd=ROOT, capture_output=True, text=True, check=False,
        env={**os.environ, "PYTHONPATH": paths, "AUTOSTATISTICIAN_SLOW_TESTS_TOO": ""},
    )  # fmt: skip
    assert done.returncode == 0, done.stdout[-3000:]
    known = json.loads(report.read_text(encoding="utf-8"))
    assert known["watched"] > 1000
    untold = [f"{path}:{line}: {code}" for path, line, code, _ in known["untold"]]
    assert untold == [], f"{HOW}: {untold}"


def test_the_guard_and_what_it_runs_are_where_others_leave_that_to_it() -> None:
    assert THEIR_GUARD in globals()
    assert all((ROOT / place).exists() for place in OF_SENTENCES)


def _fact_kinds() -> set[str]:
    """The names of all kinds of facts, by their base classes."""
    bases: dict[str, set[str]] = {}
    for path in sorted((DESCRIBE / "facts").glob("*.py")):
        for node in ast.parse(path.read_text(encoding="utf-8")).body:
            if isinstance(node, ast.ClassDef):
                bases[node.name] = {ast.unparse(base) for base in node.bases}
    facts = {"Fact"}
    while more := {name for name, above in bases.items() if above & facts} - facts:
        facts |= more
    return facts - {"Fact"}  # what others have in common


def test_every_kind_of_fact_is_on_a_golden_page_or_in_a_golden_sentence() -> None:
    pages = "\n".join(path.read_text(encoding="utf-8") for path in (TESTS / "pages").glob("*.txt"))
    told = {name for line in re.findall(r"^facts: (.*)$", pages, re.MULTILINE) for name in line.split(", ")}
    told |= {
        node.id if isinstance(node, ast.Name) else node.attr
        for path in (*(TESTS / "spoken").glob("*.py"), *TESTS.glob("*_cases.py"))
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.Name | ast.Attribute)
    }
    kinds = _fact_kinds()
    assert kinds
    assert kinds - told == set(), "no golden page or sentence tells it"


OTHERS = [name for name in LANGUAGE_NAMES if name != ENGLISH]
PLACE = re.compile(r"\{(\w*)\}")
TOOL = script(ROOT / "packaging" / "messages.py")


@cache
def _of_code() -> dict[MessageKey, Forms]:
    """The English forms of each message."""
    return {key: texts for messages in TOOL.of_code().values() for key, texts in messages.items()}


@pytest.mark.parametrize("name", OTHERS)
def test_no_language_lacks_a_message(name: str) -> None:
    """A sentence that a language lacks would be English in the middle of another."""
    assert list(TOOL.missing(name)) == []


@pytest.mark.parametrize("name", OTHERS)
def test_values_have_their_places(name: str) -> None:
    """A translation may order values, and must neither lose nor invent one; the form for one may leave out a number."""
    other = messages_of(name)
    assert [key for key, texts in _of_code().items() if key in other and not _same_places(texts, other[key])] == []


def _same_places(english: Forms, forms: Forms) -> bool:
    wanted = set().union(*(PLACE.findall(text) for text in english))
    told = [set(PLACE.findall(text)) for text in forms]
    return all(places <= wanted for places in told) and set().union(*told) == wanted


@pytest.mark.parametrize("name", OTHERS)
def test_catalogues_say_nothing_else(name: str) -> None:
    """What no code says is dropped by ``python packaging/messages.py update``."""
    assert [key for key in messages_of(name) if key not in _of_code()] == []


def test_messages_name_each_value() -> None:
    """A place without a name could not be put elsewhere in a sentence."""
    every = [text for texts in _of_code().values() for text in texts]
    assert [text for text in every if "" in PLACE.findall(text)] == []
    assert len(every) > 1000


def test_constants_that_are_said_are_marked() -> None:
    """A constant that is no `message` is in no catalogue."""
    unmarked = []
    for path in sorted(TOOL.SOURCE.rglob("*.py")):
        said = {
            place.id: call.lineno for call in TOOL.calls(path) for place in call.args if isinstance(place, ast.Name)
        }
        assigned = [node for node in (nodes(path) if said else ()) if isinstance(node, ast.Assign)]
        plain = [
            node for node in assigned if isinstance(node.value, ast.Constant) and isinstance(node.value.value, str)
        ]
        names = {target.id for node in plain for target in node.targets if isinstance(target, ast.Name)}
        unmarked += [f"{path.name}:{said[name]}: {name}" for name in names & set(said)]
    assert unmarked == []


def test_messages_stand_in_the_code() -> None:
    """A text that is put together before it is said is in no catalogue."""
    made = [
        f"{path.name}:{call.lineno}"
        for path in sorted(TOOL.SOURCE.rglob("*.py"))
        for call in TOOL.calls(path)
        for place in TOOL.PLACES[call.func.id][1]
        if isinstance(call.args[place], ast.JoinedStr | ast.BinOp)
    ]
    assert made == []


@pytest.mark.parametrize("name", OTHERS)
def test_languages_have_the_same_sentences(name: str) -> None:
    """With the same selectors and places; a language may have more alternatives, or fewer."""
    english, other = entries(ENGLISH), entries(name)
    assert list(other) == list(english)
    assert [key for key, entry in other.items() if entry.by != english[key].by] == []
    assert [key for key, entry in other.items() if _places(entry) != _places(english[key])] == []
    pairs = [
        (key, one, two) for key in english for one, two in ((english[key], other[key]), (other[key], english[key]))
    ]
    assert [(key, keys) for key, one, two in pairs for keys in one.texts if not _fits(two, keys)] == []


def _places(entry: Entry) -> set[str]:
    return set().union(*(PLACE.findall(text) for text in entry.texts.values()))


def _fits(entry: Entry, wanted: tuple[str, ...]) -> bool:
    """Whether some alternative is for what another language has one for."""
    return any(all(key in ("*", each) for key, each in zip(keys, wanted, strict=True)) for keys in entry.texts)


def test_each_sentence_is_used_with_its_values() -> None:
    """A name stands in the code as it is; what is given beside it are its selectors and places."""
    given: dict[str, set[str | None]] = {}
    for path in SOURCE.rglob("*.py"):
        for node in nodes(path) if "sentence(" in text_of(path) else ():
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "sentence":
                given.setdefault(ast.literal_eval(node.args[0]), set()).update(each.arg for each in node.keywords)
    wanted = {name: {*entry.by, *_places(entry)} for name, entry in entries(ENGLISH).items()}
    assert sorted(given) == sorted(wanted)
    assert [name for name, values in given.items() if not values - {None} <= wanted[name]] == []
    assert [name for name, values in given.items() if None not in values and values != wanted[name]] == []
