"""Errors in the language of the moment."""

from __future__ import annotations

import json
import pickle

from autostatistician.errors import InputError
from autostatistician.wording.faults import noted, told
from autostatistician.wording.messages import message_from_json, message_to_json, note, spoken_in


def test_an_error_whose_parts_are_notes_is_told_again() -> None:
    error = InputError.of(note("a table"), "'x'", note("choose another column"))
    assert str(error) == told(error) == "expected a table; found 'x'; choose another column"
    with spoken_in("de"):
        assert told(pickle.loads(pickle.dumps(error))) == (
            "erwartet: eine Tabelle; gefunden: 'x'; eine andere Spalte wählen"
        )
        sent = InputError(message_from_json(json.loads(json.dumps(message_to_json(noted(error))))))
        assert told(sent) == told(error)


def test_other_errors_stay_as_they_are() -> None:
    for error in (InputError("plain"), InputError(), InputError.of("a table", note("no file"), note("correct it"))):
        with spoken_in("de"):
            assert told(error) == str(error)
    long = InputError.of(note("a table"), "x" * 500, note("correct it"))
    assert told(long) == str(long)
    assert len(told(long)) < 200
