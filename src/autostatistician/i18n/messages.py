"""Messages: sentences and phrases with places for values, said in the language of the moment.

A `sentence` has a name, and stands whole in a file of each language (``en.toml``, ``de.toml``), each claim with all its
forms. An entry is a text with places for values, or alternatives by what is so, the first that fits before the next.
Its selectors are named ``by`` it: words, "yes" and "no", or the form that a number asks for ("one", "other")::

    [course.rise]
    by = "standing direction"
    "sure|up" = "{it} rose from about {first} to {last}"
    "sure|down" = "{it} fell from about {first} to {last}"
    "open|*" = "{it} may have risen or fallen"

Other messages stand in the code in English; other languages have them in one file (``de.messages.toml``). Which
language is spoken belongs to the context: `spoken_in` sets it for all that is written inside of it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import asdict, dataclass
from functools import cache
from importlib.resources import files
from typing import TypeAlias

from autostatistician.errors import AutostatisticianError, InputError, shortened

__all__ = [
    "ENGLISH", "LANGUAGE_NAMES", "Entry", "Forms", "LanguageName", "Message", "MessageKey", "Number", "again",
    "by_english", "chosen", "entries", "language", "message", "message_from_json", "message_to_json", "messages_of",
    "note", "note_count", "note_some", "noted", "say", "say_as", "say_count", "sentence", "spoken_in", "told",
]  # fmt: skip


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


ENGLISH = "en"

LANGUAGE_NAMES = {ENGLISH: "English", "de": "Deutsch"}  # each in itself

MessageKey: TypeAlias = tuple[str, str]  # the English text, the first of two, and its context
Forms: TypeAlias = tuple[str, ...]  # one text, or one for one and one for several

_LANGUAGE: ContextVar[str] = ContextVar("language", default=ENGLISH)


class Message(str):
    """A text that knows which message it is, so that it can be said `again` in another language."""

    __slots__ = ("key", "values")

    key: Key
    values: dict[str, object]


@dataclass(frozen=True)
class Key:
    """What a catalogue is asked for: the English text, its plural and the context that tells equal texts apart.

    Or else the name of a sentence.
    """

    english: str = ""
    several: str = ""
    context: str = ""
    number: float = 1
    sentence: str = ""


@dataclass(frozen=True)
class Number:
    """A number among the values of a message, written anew in each language; the form is one of Python's.

    >>> said = note("{size} MB", size=Number(1234.5, ",.2f"))
    >>> with spoken_in("de"):
    ...     said, again(said)
    ('1,234.50 MB', '1.234,50 MB')
    """

    value: float
    form: str = "g"

    def written(self, name: str) -> str:
        """The number as a language writes it; those that are grouped by thousands with a true minus."""
        from babel.numbers import get_decimal_symbol, get_group_symbol

        text = format(self.value, self.form)
        text = text.replace("-", "\N{MINUS SIGN}") if "," in self.form else text
        return text.translate({ord("."): get_decimal_symbol(name), ord(","): get_group_symbol(name)})


@dataclass(frozen=True)
class LanguageName:
    """What a language is called, among the values of a message.

    >>> LanguageName("pt").written("en"), LanguageName("pt").written("de")
    ('Portuguese', 'Portugiesisch')
    """

    code: str

    def written(self, name: str) -> str:
        """The name in another language, without its regions."""
        from babel.core import Locale

        plain = self.code.split("_")[0]
        return str(Locale.parse(name).languages.get(plain, plain))


def language() -> str:
    """The language of the moment: "en", "de"."""
    return _LANGUAGE.get()


@contextmanager
def spoken_in(name: str) -> Iterator[None]:
    """Says everything that is written inside in a language; an `InputError` for one that there is not.

    >>> with spoken_in("de"):
    ...     language()
    'de'
    """
    if name not in LANGUAGE_NAMES:
        raise InputError(f"There are no words in the language {name!r}: use one of {', '.join(LANGUAGE_NAMES)}.")
    token = _LANGUAGE.set(name)
    try:
        yield
    finally:
        _LANGUAGE.reset(token)


def message(english: str) -> str:
    """Marks a text of a constant as a message; it is `say` that says it."""
    return english


def sentence(name: str, /, **values: object) -> str:
    """A sentence by its name, with its values filled in, among which are those that choose between its alternatives.

    >>> sentence("course.changed", direction="up", size="12%")
    'rose by 12%'
    """
    return _said(Key(sentence=name), values, language())


def say(english: str, /, **values: object) -> str:
    """A message with its values filled in.

    >>> say("This part repeats {every}.", every="every year")
    'This part repeats every year.'
    """
    return _said(Key(english), values, language())


def say_as(context: str, english: str, /, **values: object) -> str:
    """A message whose English words mean several things, with what they mean here: "may" is a month and a verb."""
    return _said(Key(english, context=context), values, language())


def say_count(number: float, one: str, several: str, /, **values: object) -> str:
    """A message in the form that a number asks for: of 1.7 the one for several.

    >>> say_count(1, "{n} row left out.", "{n} rows left out.", n=1), say_count(3, "{n} row", "{n} rows", n=3)
    ('1 row left out.', '3 rows')
    """
    return _said(Key(one, several, number=number), values, language())


def note(english: str, /, **values: object) -> str:
    """A message about data, in English until a page says it `again`: data are read and saved before anyone is told."""
    return _said(Key(english), values, ENGLISH)


def note_count(number: int, one: str, several: str, /, **values: object) -> str:
    """The same in the form that a number asks for."""
    return _said(Key(one, several, number=number), values, ENGLISH)


def note_some(n: int, one: str, several: str, /, **values: object) -> tuple[str, ...]:
    """The same of ``n`` things, which the text names so; nothing of none.

    >>> note_some(2, "{n} row", "{n} rows"), note_some(0, "{n} row", "{n} rows")
    (('2 rows',), ())
    """
    return (note_count(n, one, several, **values, n=n),) if n else ()


def message_to_json(text: str) -> object:
    """A text as it is saved: with what is needed to say it again, where it is a message.

    >>> message_to_json(say("{n} rows", n=3)), message_to_json("rows")
    ({'message': {'english': '{n} rows'}, 'values': {'n': 3}}, 'rows')
    """
    if not isinstance(text, Message):
        return text
    key = {name: value for name, value in asdict(text.key).items() if value != getattr(Key, name, None)}
    return {"message": key, "values": {name: _value_to_json(value) for name, value in text.values.items()}}


def _value_to_json(value: object) -> object:
    if isinstance(value, Number | LanguageName):
        return {_KINDS[type(value)]: asdict(value)}
    return message_to_json(value) if isinstance(value, str) else value


_KINDS = {Number: "number", LanguageName: "language"}


def message_from_json(record: object) -> str:
    """The text that `message_to_json` saved.

    >>> message_from_json({"message": {"english": "{n} rows"}, "values": {"n": 3}})
    '3 rows'
    """
    if not isinstance(record, dict):
        return str(record)
    values = {name: _value_from_json(value) for name, value in record["values"].items()}
    return _said(Key(**record["message"]), values, ENGLISH)


def _value_from_json(record: object) -> object:
    """A value of a message; of versions before there were kinds, numbers are texts."""
    if isinstance(record, dict) and "message" not in record:
        (name, parts), *_ = record.items()
        return {key: kind for kind, key in _KINDS.items()}[name](**parts)
    return message_from_json(record) if isinstance(record, str | dict) else record


def again(text: str) -> str:
    """A text that was said before in another language, now in that of the moment; plain texts as they are."""
    if not isinstance(text, Message):
        return text
    values = {name: again(each) if isinstance(each, str) else each for name, each in text.values.items()}
    return _said(text.key, values, language())


def _said(key: Key, values: dict[str, object], name: str) -> Message:
    written = {place: each.written(name) if isinstance(each, Number | LanguageName) else each
               for place, each in values.items()}  # fmt: skip
    form = chosen(key.sentence, values, name) if key.sentence else _translated(key, name) or _english(key)
    text = Message(form.format(**written))
    text.key, text.values = key, values
    return text


def _english(key: Key) -> str:
    return key.several if key.several and key.number != 1 else key.english


def _translated(key: Key, name: str) -> str:
    """The text of a catalogue; "" where it lacks the message, which a test does not let pass."""
    if name == ENGLISH:
        return ""
    forms = messages_of(name).get((key.english, key.context), ())
    if not forms:
        return by_english(name).get(_english(key), "")
    if len(forms) < 2 or not key.several:
        return forms[0]
    from babel.core import Locale

    return forms[Locale.parse(name).plural_form(key.number) != "one"]


@cache
def messages_of(name: str) -> dict[MessageKey, Forms]:
    """All messages of a language with their forms; its file has tables for modules, and in these for contexts."""
    import tomllib

    path = files("autostatistician.i18n").joinpath(f"{name}.messages.toml")
    found: dict[MessageKey, Forms] = {}
    for module in tomllib.loads(path.read_text(encoding="utf-8")).values() if path.is_file() else ():
        for english, value in module.items():
            here = {(inner, english): forms for inner, forms in value.items()} if isinstance(value, dict) else None
            for key, forms in (here or {(english, ""): value}).items():
                found[key] = (forms,) if isinstance(forms, str) else tuple(forms)
    return found


# --- Errors in the language of the moment ---------------------------------------------------------------------------


def told(error: AutostatisticianError) -> str:
    """The line that a reader is told of an error.

    >>> from autostatistician.i18n.messages import spoken_in
    >>> error = InputError.of(note("a table"), note("no file"), note("choose a file, or one of the examples"))
    >>> with spoken_in("de"):
    ...     told(error)
    'erwartet: eine Tabelle; gefunden: keine Datei; eine Datei oder eines der Beispiele wählen'
    """
    return shortened(again(noted(error)))


def noted(error: AutostatisticianError) -> str:
    """What an error says as a note, where what was expected and what to do are notes; else its English text.

    >>> noted(InputError("no message"))
    'no message'
    """
    said = error.args[0] if error.args else ""
    if isinstance(said, Message):
        return said
    parts = error.parts if isinstance(error, InputError) else None
    if parts is None or not (isinstance(parts[0], Message) and isinstance(parts[2], Message)):
        return str(error)
    expected, found, remedy = parts
    return note("expected {expected}; found {found}; {remedy}", expected=expected, found=found, remedy=remedy)
