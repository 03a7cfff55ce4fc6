"""The messages of other languages, held to those of the code: what they lack, and room for it.

    python packaging/messages.py missing de [describe.words.nouns ...]
    python packaging/messages.py update

`update` writes what is new with an empty translation to fill in, keeps what is translated and drops what no code says.
"""

from __future__ import annotations

import argparse
import ast
import json
from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path

from autostatistician.i18n.messages import ENGLISH, LANGUAGE_NAMES, Forms, MessageKey, messages_of

SOURCE = Path(__file__).resolve().parents[1] / "src" / "autostatistician"
KEYWORDS = {"say": None, "say_as": ((1, "c"), 2), "say_count": (2, 3)}  # in templates
TEMPLATES = "jinja2.ext:babel_extract"
# In code: the places among the arguments of the context and of the texts.
PLACES: dict[str, tuple[int | None, tuple[int, ...]]] = {
    "say": (None, (0,)), "message": (None, (0,)), "note": (None, (0,)), "say_as": (0, (1,)),
    "say_count": (None, (1, 2)), "note_count": (None, (1, 2)), "note_some": (None, (1, 2)),
}  # fmt: skip


def extracted(path: Path) -> Iterator[tuple[MessageKey, Forms]]:
    """The messages of a file of code or of a template, each with its one or two English forms."""
    if path.suffix == ".j2":
        from babel.messages.extract import extract_from_file

        for _, text, _, context in extract_from_file(TEMPLATES, path, KEYWORDS):
            texts = (text,) if isinstance(text, str) else tuple(text)
            yield (texts[0], context or ""), texts
        return
    for call in calls(path):  # Babel does not see those inside of others
        assert isinstance(call.func, ast.Name)
        context_place, places = PLACES[call.func.id]
        texts = tuple(_constant(call, place) for place in places)
        if all(texts):
            yield (texts[0], "" if context_place is None else _constant(call, context_place)), texts


@cache
def calls(path: Path) -> list[ast.Call]:
    """The calls in a file of code that say or mark a message, in their order."""
    text = path.read_text(encoding="utf-8")
    if not any(f"{name}(" in text for name in PLACES):
        return []
    every = ast.walk(ast.parse(text))
    said = (call for call in every if isinstance(call, ast.Call) and isinstance(call.func, ast.Name))
    return sorted((call for call in said if call.func.id in PLACES), key=lambda call: (call.lineno, call.col_offset))


def _constant(call: ast.Call, place: int) -> str:
    """A text that stands in a call; "" where it is another's, which is marked there."""
    argument = call.args[place] if place < len(call.args) else None
    return argument.value if isinstance(argument, ast.Constant) and isinstance(argument.value, str) else ""


@cache
def of_code() -> dict[str, dict[MessageKey, Forms]]:
    """Per module that is the first to say them its messages."""
    modules: dict[str, dict[MessageKey, Forms]] = {}
    met: set[MessageKey] = set()
    for path in sorted([*SOURCE.rglob("*.py"), *SOURCE.rglob("*.j2")]):
        name = str(path.relative_to(SOURCE)).removesuffix(".py").removesuffix(".html.j2").replace("/", ".")
        for key, texts in extracted(path):
            if key not in met:
                modules.setdefault(name, {})[key] = texts
                met.add(key)
    return modules


def missing(language: str) -> Iterator[tuple[str, MessageKey]]:
    """The messages that a language lacks, each with its module."""
    there = {key for key, forms in messages_of(language).items() if all(forms[:2])}
    for name, messages in of_code().items():
        yield from ((name, key) for key in messages if key not in there)


def update(language: str) -> None:
    """Writes the messages of a language anew, a table for each module and in it one for each context."""
    there = messages_of(language)
    lines = []
    for name, messages in of_code().items():
        contexts: dict[str, dict[str, Forms]] = {}
        for (english, context), texts in messages.items():
            contexts.setdefault(context, {})[english] = there.get((english, context), ("",) * len(texts))
        for context in sorted(contexts):
            lines.append(f"\n[{_quoted(name)}{f'.{_quoted(context)}' if context else ''}]")
            lines += _written(contexts[context])
    path = SOURCE / "i18n" / f"{language}.messages.toml"
    path.write_text("\n".join(["# Messages of the code, by module: see messages.py.", *lines, ""]), encoding="utf-8")
    messages_of.cache_clear()


def _written(messages: Mapping[str, Forms]) -> Iterator[str]:
    for english, forms in messages.items():
        texts = ", ".join(map(_quoted, forms))
        yield f"{_quoted(english)} = {texts if len(forms) == 1 else f'[{texts}]'}"


def _quoted(text: str) -> str:
    """A text as TOML has it, whose escapes are those of JSON."""
    return json.dumps(text, ensure_ascii=False)


def main() -> None:
    """Runs one of the two commands."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("what", choices=["missing", "update"])
    parser.add_argument("language", nargs="?", help="de; all where it is left out")
    parser.add_argument("modules", nargs="*", help="modules to look at, by the beginning of their names")
    options = parser.parse_args()
    others = [name for name in LANGUAGE_NAMES if name != ENGLISH]
    for language in [options.language] if options.language else others:
        if options.what == "update":
            update(language)
        beginnings = tuple(options.modules) or ("",)
        lacking = [(name, key) for name, key in missing(language) if name.startswith(beginnings)]
        for name, (english, context) in lacking if options.what == "missing" else []:
            print(f"{language} {name}: {f'[{context}] ' if context else ''}{english!r}")
        print(f"{language}: {len(lacking)} messages without a translation")


if __name__ == "__main__":
    main()
