"""Sentences as data: one file per language (``en.toml``, ``de.toml``), with each claim whole.

An entry is a text with places for values, or alternatives by what is so, the first that fits before the next. Its
selectors are named ``by`` it: words, "yes" and "no", or the form that a number asks for ("one", "other")::

    [course.rise]
    by = "standing direction"
    "sure|up" = "{it} rose from about {first} to {last}"
    "sure|down" = "{it} fell from about {first} to {last}"
    "open|*" = "{it} may have risen or fallen"
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files

__all__ = ["Entry", "by_english", "chosen", "entries"]


@dataclass(frozen=True)
class Entry:
    """The texts of a sentence by the values of its selectors, "*" for any."""

    by: tuple[str, ...]
    texts: Mapping[tuple[str, ...], str]


@cache
def entries(language: str) -> Mapping[str, Entry]:
    """All sentences of a language by their names."""
    import tomllib

    path = files("autostatistician.i18n").joinpath(f"{language}.toml")
    return dict(_entries(tomllib.loads(path.read_text(encoding="utf-8")), ""))


def _entries(table: Mapping[str, object], before: str) -> Iterator[tuple[str, Entry]]:
    for name, value in table.items():
        if isinstance(value, str):
            yield before + name, Entry((), {(): value})
        elif isinstance(value, dict) and "by" in value:
            texts = {tuple(key.split("|")): str(text) for key, text in value.items() if key != "by"}
            yield before + name, Entry(tuple(value["by"].split()), texts)
        elif isinstance(value, dict):
            yield from _entries(value, f"{before}{name}.")


def chosen(name: str, values: Mapping[str, object], language: str) -> str:
    """The text of a sentence that fits the values of its selectors.

    >>> chosen("course.changed", {"direction": "up"}, "en"), chosen("course.changed", {"direction": "down"}, "de")
    ('rose by {size}', 'fiel um {size}')
    """
    entry = entries(language)[name]
    selectors = [_selected(values.get(selector, ""), language) for selector in entry.by]
    for keys, text in entry.texts.items():
        if all(key in ("*", value) for key, value in zip(keys, selectors, strict=True)):
            return text
    raise KeyError(f"{name}: {'|'.join(selectors)}")


@cache
def by_english(language: str) -> Mapping[str, str]:
    """The texts of a language by the English ones: of messages that were saved before sentences had names."""
    other = entries(language)
    texts = {text: (name, keys) for name, entry in entries("en").items() for keys, text in entry.texts.items()}
    return {text: other[name].texts.get(keys, "") for text, (name, keys) in texts.items()}


def _selected(value: object, language: str) -> str:
    """A value as the key of an alternative: of a number the form that it asks for."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, int | float):
        from babel.core import Locale

        return str(Locale.parse(language).plural_form(value))
    return str(value)
