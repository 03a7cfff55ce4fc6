"""Errors in the language of the moment.

An error says what was expected, what was found and what to do. Where these are notes, they can be said again; an error
of other texts stays in English as a whole.
"""

from __future__ import annotations

from autostatistician.errors import AutostatisticianError, InputError, shortened
from autostatistician.wording.messages import Message, again, note

__all__ = ["noted", "told"]


def told(error: AutostatisticianError) -> str:
    """The line that a reader is told of an error.

    >>> from autostatistician.wording.messages import spoken_in
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
