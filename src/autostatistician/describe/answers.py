"""What a model answers to a question: the claims that it asks for, as sentences, numbers and records."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from html import escape
from typing import Any

from autostatistician.claims.claim import Claim
from autostatistician.describe.axis.units import Units
from autostatistician.describe.document.document import QuestionPage
from autostatistician.describe.document.record import fact_json, stored
from autostatistician.describe.facts.fact import Span
from autostatistician.describe.words.answers.questions import none_text, none_within_text, statement_text
from autostatistician.describe.words.claims import Statement, Told
from autostatistician.errors import InputError
from autostatistician.forms import Format, json_format
from autostatistician.i18n.names import quoted

__all__ = ["Answer", "AnswerNumber", "answered", "naming", "number_of_record", "ranged_number"]

Place = str | float | None  # a time in ISO 8601, or a number on an axis of numbers


@dataclass(frozen=True, kw_only=True)
class AnswerNumber:
    """One number of an answer.

    Attributes
    ----------
    fact : str
        What it is the size of: "rise", "season", "step", "Forecast", "Share", ...
    id : str
        The fact of the report that it comes from; "" of one that was computed for the question.
    number : float or None
    unit : str
        As of facts: "target" (the modelled column), "%", "target per year", "1" (a count or a ratio), a column.
    interval : tuple of float or None
        The range of 95 %.
    probability : float or None
        That it is so: that a rise is one, that a column matters.
    at, start, stop : str, float or None
        When: a time in ISO 8601, or a number on an axis of numbers.
    sentence : str
        One that tells it.
    """

    fact: str
    number: float | None
    unit: str
    sentence: str
    id: str = ""
    interval: tuple[float | None, float | None] | None = None
    probability: float | None = None
    at: Place = None
    start: Place = None
    stop: Place = None

    def to_json(self) -> dict[str, object]:
        """As plain values, all keys always there.

        >>> AnswerNumber(fact="Share", number=2.0, unit="target", sentence="").to_json()["from"] is None
        True
        """
        return {
            "fact": self.fact, "id": self.id, "number": self.number, "unit": self.unit,
            "interval": None if self.interval is None else list(self.interval), "probability": self.probability,
            "at": self.at, "from": self.start, "to": self.stop, "sentence": self.sentence,
        }  # fmt: skip


@dataclass(frozen=True)
class Answer:
    """What a model answers to a question.

    Attributes
    ----------
    question : str
    sentences : tuple of str
    facts : tuple of dict
        What they say as numbers with units, ranges of 95 %, dates and probabilities, as in the JSON of a report.
    numbers : tuple of Number
        The same, one number each, in one form for all questions.
    target : str
        The column that is modelled.
    """

    question: str
    sentences: tuple[str, ...]
    facts: tuple[dict[str, object], ...]
    numbers: tuple[AnswerNumber, ...] = ()
    target: str = ""

    def __str__(self) -> str:
        return "\n".join(self.sentences)

    def _repr_html_(self) -> str:
        """For a notebook: the sentences."""
        return "".join(f"<p>{escape(sentence)}</p>" for sentence in self.sentences)

    def to_json(self) -> dict[str, object]:
        """The JSON object of an answer, as its schema has it."""
        return {
            "format": json_format(Format.ANSWER), "question": self.question, "target": self.target,
            "sentences": list(self.sentences), "numbers": [number.to_json() for number in self.numbers],
            "facts": list(self.facts),
        }  # fmt: skip


def answered(page: QuestionPage, question: str, within: Span | None = None) -> Answer:
    """The answer of a page to a question; of events ``within`` a stretch of the axis, where one is named.

    Raises
    ------
    InputError
        When it is none that the page can answer.
    """
    if question not in page.questions:
        raise InputError.of(f"one of {', '.join(page.questions)}", f"{question!r} of this model", "ask one of these")
    facts = page.about(question, within)
    texts = tuple(filter(None, page.said(question, facts)))
    if not texts:
        nothing = none_within_text(within, page.scale) if within and isinstance(page.scale, Units) else ""
        texts = (nothing or none_text(question, page.scale),)
    records = tuple(fact_json(fact, page.scale) for fact in facts)
    numbers = (
        number_of_record(record, _sentence(fact, page) or naming(texts, _quoted_columns(fact)))
        for fact, record in zip(facts, records, strict=True)
    )
    return Answer(question, texts, records, tuple(numbers), page.scale.target)


def _sentence(fact: Told, page: QuestionPage) -> str:
    match fact:
        case Claim():
            return page.sentence(fact)
        case Statement():
            return statement_text(fact)
    return ""


def _quoted_columns(fact: Told) -> tuple[str, ...]:
    """The columns that a fact is about, as sentences name them."""
    names = getattr(fact, "columns", None) or (getattr(fact, "column", None),)
    return tuple(quoted(name) for name in names if isinstance(name, str))


def number_of_record(record: Mapping[str, Any], sentence: str) -> AnswerNumber:
    """The number of a fact that stands in a record of a report.

    >>> number_of_record({"kind": "step", "id": "step/1", "number": 2.0, "unit": "%", "at": "1960-01-01"}, "").at
    '1960-01-01'
    """
    interval = record.get("interval")
    return AnswerNumber(
        fact=str(record.get("fact") or record.get("kind")), id=str(record.get("id", "")),
        number=record.get("number"), unit=str(record.get("unit", "1")), sentence=sentence,
        interval=None if interval is None else (interval[0], interval[1]), probability=record.get("probability"),
        at=_place(record.get("at")), start=_place(record.get("from")), stop=_place(record.get("to")),
    )  # fmt: skip


def _place(value: object) -> Place:
    """What is a place in a record; some facts call other things by its names."""
    return value if isinstance(value, str | float) and not isinstance(value, bool) else None


def ranged_number(fact: str, values: Sequence[float], sentence: str, **more: Any) -> AnswerNumber:
    """A number that was computed for a question, with the ends of its range behind it.

    >>> ranged_number("Share", (1.0, 0.5, 1.5), "").interval
    (0.5, 1.5)
    """
    mean, low, high = map(stored, values)
    known: dict[str, Any] = {"fact": fact, "number": mean, "interval": (low, high), "sentence": sentence}
    return AnswerNumber(**({"unit": "target"} | known | more))


def naming(sentences: Iterable[str], names: Iterable[str]) -> str:
    """The first sentence with one of some names in it, else the first of all; "" where there is none.

    >>> naming(["It grows.", "More 'price', less 'sales'."], ["'price'"])
    "More 'price', less 'sales'."
    """
    every, wanted = list(sentences), list(names)
    return next((text for text in every if any(name in text for name in wanted)), every[0] if every else "")
