"""Messages are said in the language of the moment, again in another, and in the form that a number asks for."""

from __future__ import annotations

import pickle

import pytest

from autostatistician.errors import InputError
from autostatistician.wording import messages
from autostatistician.wording.messages import again, language, say, say_as, say_count, spoken_in

GERMAN = {
    ("This part repeats {every}.", ""): ("{every} wiederholt sich dieser Teil.",),
    ("every year", ""): ("Jedes Jahr",),
    ("{n} row", ""): ("{n} Zeile", "{n} Zeilen"),
    ("may", "verb"): ("kann",),
}


@pytest.fixture
def _german(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(messages, "catalogue", lambda _: GERMAN)


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
    with spoken_in("fr"):  # none as one
        assert say_count(0, "{n} row", "{n} rows", n=0) == "0 Zeile"
        assert (say_as("verb", "may"), say_as("month", "may")) == ("kann", "may")


def test_unknown_language_is_refused_and_the_last_one_comes_back() -> None:
    with pytest.raises(InputError, match="use one of en, de, fr, es"), spoken_in("tlh"):
        pass
    with pytest.raises(RuntimeError), spoken_in("de"):
        raise RuntimeError
    assert language() == "en"
