"""Messages are said in the language of the moment, again in another, and in the form that a number asks for."""

import json
import pickle

import pytest

from autostatistician.describe.words.amounts import percentage_points
from autostatistician.errors import InputError
from autostatistician.i18n import messages
from autostatistician.i18n.messages import (
    LanguageName,
    Number,
    again,
    language,
    message_from_json,
    message_to_json,
    note,
    noted,
    say,
    say_as,
    say_count,
    spoken_in,
    told,
)
from autostatistician.i18n.names import clean_name, counted, did_you_mean, listed, measured, quoted
from autostatistician.i18n.numbers import fixed, noted_amount


@pytest.mark.parametrize(("number", "text"), [(0, "0 rows"), (1, "1 row"), (2, "2 rows"), (1000, "1000 rows")])
def test_only_one_is_one(number: int, text: str) -> None:
    assert counted(number, "row") == text


def test_names_are_quoted_whatever_they_hold() -> None:
    assert listed([]) == ""
    assert listed(["a", "it's", "a, b", "x\ny"]) == "'a', \"it's\", 'a, b', 'x\\ny'"


@pytest.mark.parametrize("count", [7, 8, 9, 40])
def test_after_eight_names_the_others_are_counted(count: int) -> None:
    text = listed([f"c{k}" for k in range(count)])
    assert text.count("'c") == min(count, 8)
    assert text.endswith(f" and {count - 8} more") is (count > 8)


def test_names_stay_on_one_short_line() -> None:
    assert clean_name("a\n b") == "a b"
    assert len(clean_name("x" * 500)) == 60
    assert clean_name("ab " * 20, 10) == "ab ab ab…"
    assert quoted("a\n b") == "'a b'"


def test_only_known_units_are_taken_off() -> None:
    assert measured("depth  (m)") == ("depth", "m")
    assert measured("depth (mean)") == ("depth (mean)", "")
    assert measured("(m)") == ("(m)", "")


@pytest.mark.parametrize(
    ("word", "remedy"),
    [
        ("matern32", "did you mean 'Matern32'?"),
        ("PERR", "did you mean 'Per'?"),
        ("zzz", "use one of 'Per', 'Matern32'"),
    ],
)
def test_the_nearest_word_is_suggested_else_all_are_listed(word: str, remedy: str) -> None:
    assert did_you_mean(word, iter(["Per", "Matern32"])) == remedy


def test_of_words_that_differ_in_case_alone_the_first_is_suggested() -> None:
    assert did_you_mean("abcd", ["abcD", "ABCD"]) == "did you mean 'abcD'?"


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


GERMAN = {
    ("This part repeats {every}.", ""): ("{every} wiederholt sich dieser Teil.",),
    ("every year", ""): ("Jedes Jahr",),
    ("{n} row", ""): ("{n} Zeile", "{n} Zeilen"),
    ("may", "verb"): ("kann",),
}


@pytest.fixture
def _german(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(messages, "messages_of", lambda _: GERMAN)


@pytest.mark.usefixtures("_german")
def test_order_of_a_sentence_follows_the_language() -> None:
    with spoken_in("de"):
        assert say("This part repeats {every}.", every=say("every year")) == "Jedes Jahr wiederholt sich dieser Teil."
    assert say("This part repeats {every}.", every="every year") == "This part repeats every year."


@pytest.mark.usefixtures("_german")
def test_what_was_said_is_said_again() -> None:
    text = pickle.loads(pickle.dumps(say("This part repeats {every}.", every=say("every year"))))
    assert text == "This part repeats every year."
    with spoken_in("de"):
        assert again(text) == "Jedes Jahr wiederholt sich dieser Teil."
        assert again("plain") == "plain"


@pytest.mark.usefixtures("_german")
def test_number_and_context_choose_the_form() -> None:
    with spoken_in("de"):
        assert [say_count(n, "{n} row", "{n} rows", n=n) for n in (0, 1, 2)] == ["0 Zeilen", "1 Zeile", "2 Zeilen"]
        assert (say_as("verb", "may"), say_as("month", "may")) == ("kann", "may")


def test_decimals_have_the_form_of_their_language() -> None:
    told = {}
    for name in ("en", "de"):
        with spoken_in(name):
            told[name] = [percentage_points(fixed(value, 1, trim=True)) for value in (1.0, 1.7, 2.0)]
    assert told["en"] == ["1 percentage point", "1.7 percentage points", "2 percentage points"]
    assert told["de"] == ["1 Prozentpunkt", "1,7 Prozentpunkte", "2 Prozentpunkte"]


def test_numbers_in_notes_are_written_as_each_language_does() -> None:
    said = (
        note("{n} rows", n=Number(12345.5, ",.1f")), noted_amount(-1234.5), noted_amount(2.66e9), noted_amount(1.2e-7),
        note("{name}", name=LanguageName("pt_BR")),
    )  # fmt: skip
    assert said == ("12,345.5 rows", "−1,230", "2.66 billion", "1.2 × 10⁻⁷", "Portuguese")
    kept = [message_from_json(json.loads(json.dumps(message_to_json(text)))) for text in said]
    assert tuple(kept) == said
    with spoken_in("de"):
        assert tuple(map(again, kept))[1:] == ("−1.230", "2,66 Milliarden", "1,2 × 10⁻⁷", "Portugiesisch")
        assert noted_amount(1234.5) == "1,230"  # a note, whoever is spoken to


def test_notes_of_versions_before_numbers_are_still_read() -> None:
    old = {"message": {"english": "Column {name} is the target itself."}, "values": {"name": "'1.5'", "n": 3}}
    with spoken_in("de"):
        assert again(message_from_json(old)) == "Spalte '1.5' ist die Zielgröße selbst."


@pytest.mark.parametrize(
    ("key", "german"),
    [
        ({"english": "from {first} to {last}"}, "von 1 bis 2"),
        ({"english": "{n} one", "several": "{values}; and {n} more", "number": 2}, "3; und 4 weitere"),
        ({"english": "no such message"}, "no such message"),
    ],
)
def test_messages_that_were_saved_before_sentences_had_names_are_said(key: dict[str, object], german: str) -> None:
    old = {"message": key, "values": {"first": "1", "last": "2", "values": "3", "n": "4"}}
    with spoken_in("de"):
        assert again(message_from_json(old)) == german


def test_unknown_language_is_refused_and_the_last_one_comes_back() -> None:
    with pytest.raises(InputError, match="use one of en, de"), spoken_in("tlh"):
        pass
    with pytest.raises(RuntimeError), spoken_in("de"):
        raise RuntimeError
    assert language() == "en"
