"""Alternatives of sentences that no golden page has, held word for word in both languages."""

import json

import pytest

from autostatistician.i18n.messages import again, message_from_json, message_to_json, sentence, spoken_in

DATED = {"it": "'y'", "by": "", "before": "10", "after": "20"}
FAR = {"it": "'y'", "mean": "9", "usual": "3", "value": "12"}

HELD = [
    (
        sentence("season.extreme", extreme="lowest", shape="changes", first="", when="in July"),
        "on average lowest in July", "im Mittel am niedrigsten in July",
    ),
    (
        sentence("event.change", standing="probable", direction="up", when="In 1950", **DATED),
        "In 1950 'y' probably rose suddenly, from about 10 to 20",
        "In 1950 stieg 'y' vermutlich plötzlich von etwa 10 auf 20",
    ),
    (
        sentence("event.change", standing="probable", direction="down", when="In 1950", **DATED),
        "In 1950 'y' probably fell suddenly, from about 10 to 20",
        "In 1950 fiel 'y' vermutlich plötzlich von etwa 10 auf 20",
    ),
    (
        sentence("event.stretch", of="far", direction="up", span="1950", when="1951", **FAR),
        "1950 'y' lay far above all the rest, at about 9 on average where about 3 would be usual; the highest value "
        "was 12, 1951.",
        "1950 lag 'y' weit über allem Übrigen, im Mittel bei etwa 9, wo etwa 3 üblich wäre; der höchste Wert war 12, "
        "1951.",
    ),
    (
        sentence("event.stretch", of="same", direction="down", span="From 10 to 15 May", when="10 May", **FAR),
        "From 10 to 15 May 'y' was 9, where about 3 was expected.",
        "From 10 to 15 May war 'y' 9, wo etwa 3 zu erwarten war.",
    ),
    (
        sentence("event.included", aside=True, n="three"),
        "The model was made without three of these values, and the course and the patterns on this page are those of "
        "all others.",
        "Das Modell ist ohne three dieser Werte gebildet, und der Verlauf und die Muster auf dieser Seite sind die "
        "aller anderen.",
    ),
    (
        sentence("claim.short", kind="rise", direction="down", size="3"),
        "It lies lower at the end than at the start (by 3)", "Liegt am Ende niedriger als am Anfang (um 3)",
    ),
    (
        sentence("claim.short", kind="far off", direction="up", span="in 1950"),
        "Lies far above the rest in 1950", "Liegt weit über dem Rest in 1950",
    ),
    (
        sentence("claim.short", kind="far off", direction="down", span="in 1950"),
        "Lies far below the rest in 1950", "Liegt weit unter dem Rest in 1950",
    ),
    (
        sentence("claim.of_series", kind="wandering"),
        "a level or a slope that wanders freely", "ein Stand oder eine Steigung, die frei wandert",
    ),
    (
        sentence("outliers.more_values", rows=2, values="1950: 3", n="7"),
        "1950: 3; and 7 more", "1950: 3; und 7 weitere",
    ),
    (
        sentence("holidays.most", daily=True, direction="up", it="'y'", size="3"),
        "on most of them 'y' is about 3 higher", "an den meisten davon ist 'y' um etwa 3 höher",
    ),
    (
        sentence("holidays.most", daily=False, direction="up", it="'y'", size="3", in_step="in a month"),
        "in a month with one 'y' is mostly about 3 higher", "in a month mit einem davon ist 'y' meist um etwa 3 höher",
    ),
    (
        sentence("holidays.about", direction="down", when="the day after", size="3"),
        "the day after about 3 lower", "the day after um etwa 3 niedriger",
    ),
    (
        sentence("amount.points", size=1.0, number="+1", low="0.4", high="1.6"),
        "+1 point (0.4 to 1.6)", "+1 Punkt (0.4 bis 1.6)",
    ),
]  # fmt: skip


@pytest.mark.parametrize(("said", "english", "german"), HELD)
def test_an_alternative_is_said_in_both_languages_and_after_it_was_saved(said: str, english: str, german: str) -> None:
    kept = message_from_json(json.loads(json.dumps(message_to_json(said))))
    assert said == kept == english
    with spoken_in("de"):
        assert again(kept) == again(said) == german


def test_what_no_alternative_is_for_is_named() -> None:
    with pytest.raises(KeyError, match=r"course\.changed: sideways"):
        sentence("course.changed", direction="sideways", size="3")
