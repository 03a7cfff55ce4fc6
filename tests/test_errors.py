"""Errors of users: one sentence of three parts, and kinds that callers tell apart."""

import pickle

import pytest

from autostatistician import errors
from autostatistician.errors import AutostatisticianError, CheckpointError, InputError, WriteError

KINDS = [getattr(errors, name) for name in errors.__all__ if name.endswith("Error")]


def test_a_message_says_what_was_expected_what_was_found_and_what_to_do() -> None:
    assert str(InputError.of("a path", "an empty name", "give one")) == "expected a path; found an empty name; give one"


def test_a_name_of_thousands_of_letters_is_cut() -> None:
    text = str(InputError.of("a column named in the table", f"'{'y' * 5000}'", "name one"))
    assert text == f"expected a column named in the table; found '{'y' * 60}…'; name one"


@pytest.mark.parametrize("kind", KINDS)
def test_all_are_value_errors_and_survive_the_way_between_processes(kind: type[AutostatisticianError]) -> None:
    again = pickle.loads(pickle.dumps(kind("something")))
    assert type(again) is kind
    assert str(again) == "something"
    assert isinstance(again, AutostatisticianError)
    assert isinstance(again, ValueError)


@pytest.mark.parametrize("kind", [WriteError, CheckpointError])
def test_special_cases_are_made_alike_and_caught_as_input_errors(kind: type[InputError]) -> None:
    error = kind.of("room", "none", "free some")
    assert type(error) is kind
    assert isinstance(error, InputError)
