"""The catalogues of other languages, held to the messages of the code: what they lack, and room for it.

    python packaging/messages.py missing de [describe.words.nouns ...]
    python packaging/messages.py update

`update` writes what is new with an empty translation to fill in, keeps what is translated and drops what no code says.
"""

from __future__ import annotations

import argparse
import ast
from collections.abc import Iterator
from functools import cache
from pathlib import Path

from babel.messages.catalog import Catalog, Message
from babel.messages.extract import extract_from_file
from babel.messages.pofile import read_po, write_po

SOURCE = Path(__file__).resolve().parents[1] / "src" / "autostatistician"
CATALOGUES = SOURCE / "i18n" / "catalogues"
KEYWORDS = {"say": None, "say_as": ((1, "c"), 2), "say_count": (2, 3)}  # in templates
TEMPLATES = "jinja2.ext:babel_extract"
# In code: the places among the arguments of the context and of the texts.
PLACES: dict[str, tuple[int | None, tuple[int, ...]]] = {
    "say": (None, (0,)), "message": (None, (0,)), "note": (None, (0,)), "say_as": (0, (1,)),
    "say_count": (None, (1, 2)), "note_count": (None, (1, 2)), "note_some": (None, (1, 2)),
}  # fmt: skip


def extracted(path: Path) -> Iterator[tuple[str | tuple[str, ...], str | None]]:
    """The messages of a file of code or of a template, with their contexts."""
    if path.suffix == ".j2":
        yield from ((text, context) for _, text, _, context in extract_from_file(TEMPLATES, path, KEYWORDS))
        return
    for call in calls(path):  # Babel does not see those inside of others
        assert isinstance(call.func, ast.Name)
        context_place, places = PLACES[call.func.id]
        texts = [_constant(call, place) for place in places]
        if all(texts):
            context = None if context_place is None else _constant(call, context_place)
            yield texts[0] if len(texts) == 1 else tuple(texts), context


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
def of_code() -> dict[str, Catalog]:
    """Per module with messages its catalogue without translations."""
    catalogues: dict[str, Catalog] = {}
    for path in sorted([*SOURCE.rglob("*.py"), *SOURCE.rglob("*.j2")]):
        name = str(path.relative_to(SOURCE)).removesuffix(".py").removesuffix(".html.j2").replace("/", ".")
        for messages, context in extracted(path):
            catalogues.setdefault(name, Catalog()).add(messages, context=context)
    return catalogues


def translated(language: str) -> dict[tuple[object, str | None], Message]:
    """What the catalogues of a language say."""
    entries: dict[tuple[object, str | None], Message] = {}
    for path in sorted((CATALOGUES / language).glob("*.po")):
        with path.open("rb") as stream:
            entries |= {(each.id, each.context): each for each in read_po(stream, locale=language) if each.id}
    return entries


def missing(language: str) -> Iterator[tuple[str, Message]]:
    """The messages that a language lacks, each with its module."""
    there = {key for key, each in translated(language).items() if _is_whole(each)}
    for name, catalogue in of_code().items():
        for each in catalogue:
            if each.id and (each.id, each.context) not in there:
                yield name, each


def _is_whole(entry: Message) -> bool:
    return all(entry.string[:2]) if isinstance(entry.string, list | tuple) else bool(entry.string)


def update(language: str) -> None:
    """Writes the catalogues of a language anew, one for each module."""
    old, written = translated(language), set()
    for name, catalogue in of_code().items():
        new = Catalog(locale=language, fuzzy=False)
        for each in catalogue:
            if each.id and (each.id, each.context) not in written:
                before = old.get((each.id, each.context))
                new.add(each.id, before.string if before else None, context=each.context)
                written.add((each.id, each.context))
        if len(new):
            with (CATALOGUES / language / f"{name}.po").open("wb") as stream:
                write_po(stream, new, width=110, omit_header=True)
    stale = {path.name for path in (CATALOGUES / language).glob("*.po")} - {f"{name}.po" for name in of_code()}
    for name in stale:
        (CATALOGUES / language / name).unlink()


def main() -> None:
    """Runs one of the two commands."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("what", choices=["missing", "update"])
    parser.add_argument("language", nargs="?", help="de, fr or es; all where it is left out")
    parser.add_argument("modules", nargs="*", help="modules to look at, by the beginning of their names")
    options = parser.parse_args()
    for language in [options.language] if options.language else sorted(path.name for path in CATALOGUES.iterdir()):
        if options.what == "update":
            update(language)
        beginnings = tuple(options.modules) or ("",)
        lacking = [(name, each) for name, each in missing(language) if name.startswith(beginnings)]
        for name, each in lacking if options.what == "missing" else []:
            print(f"{language} {name}: {f'[{each.context}] ' if each.context else ''}{each.id!r}")
        print(f"{language}: {len(lacking)} messages without a translation")


if __name__ == "__main__":
    main()
