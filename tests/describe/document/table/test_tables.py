"""Tables of tables: shares, columns, checks and numbers, row by row."""

from __future__ import annotations

from dataclasses import replace

from tests.describe import factory
from tests.describe.words.effect_cases import BASE, COLUMN, EFFECT, PAIR, SCALE, TOGETHER, WATER

from autostatistician.describe.document.table.tables import checks_table, columns_table, effects_table, numbers_table
from autostatistician.describe.facts.effect import ErrorCheck
from autostatistician.describe.facts.findings import InputColumn
from autostatistician.describe.facts.kinds import Quantity
from autostatistician.describe.facts.search import FittedNumber
from autostatistician.describe.observe.search import search_of
from autostatistician.forms import CheckKind

SEARCH = search_of(factory.airline(), ())


def test_effects_have_a_share_and_those_of_one_column_a_size() -> None:
    table = effects_table([("'age'", (EFFECT, BASE)), ("both", (PAIR, BASE, WATER, TOGETHER))], SCALE)
    assert table.rows == (("'age'", "60%", "50% to 70%", "30.0"), ("both", "60%", "50% to 70%", "–"))
    assert effects_table([("both", (PAIR, BASE, WATER, TOGETHER))], SCALE).header == ("Effect of", "Share", "95% range")


def test_columns_have_their_values_and_what_hangs_on_them() -> None:
    inputs = [InputColumn("age", 1.0, 365.0, ()), InputColumn("kind", 0.0, 2.0, ("a", "b", "c"))]
    idle = replace(COLUMN, column="kind", used=False, alone=False, number=0.0, probability=0.01)
    rows = columns_table([replace(COLUMN, partners=("water",)), idle], inputs, SEARCH).rows
    assert rows[0] == ("age", "1 to 365", "40%", "35% to 46%", "alone and with 'water'", "100%")
    assert rows[1] == ("kind", "3 categories", "0%", "–", "–", "–")


def test_what_most_models_deny_is_open() -> None:
    inputs = [InputColumn("age", 1.0, 365.0, ())]
    assert columns_table([replace(COLUMN, probability=0.4)], inputs, SEARCH).rows[0][-1] == "open"


def test_checks_say_what_was_looked_at() -> None:
    spread = ErrorCheck(
        id="c", number=0.01, unit="1", evidence="e", kind=CheckKind.SPREAD, adjusted=0.03, side=1, column=None
    )
    along = replace(spread, kind=CheckKind.PATTERN, column="age")
    assert [row[0] for row in checks_table([spread, along]).rows] == [
        "whether errors are larger where predictions are high",
        "whether a pattern along 'age' is left",
    ]


def test_numbers_are_told_by_what_they_measure() -> None:
    numbers = [
        FittedNumber(1, "Per[a]", "Per", "period", "", Quantity.LENGTH, 12.0),
        FittedNumber(1, "SE[a]", "SE", "lengthscale", "", Quantity.LENGTH, 2.5),
        FittedNumber(1, "SE[a]", "SE", "sd", "", Quantity.SIZE, 1.23456),
        FittedNumber(1, "RQ[a]", "RQ", "alpha", "", Quantity.OTHER, 0.5),
    ]
    assert numbers_table(numbers).rows == (
        ("Per[a]", "period", "12"),
        ("SE[a]", "length over which it changes", "2.5"),
        ("SE[a]", "size", "1.235"),
        ("RQ[a]", "alpha", "0.5"),
    )
