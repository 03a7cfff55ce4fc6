"""Notes on data and errors of tables in a language of no words: what stays readable there is no message."""

from pathlib import Path

import numpy as np
import pytest
from tests.i18n.pseudo import english_words, pseudo_language

from autostatistician.data.load import load
from autostatistician.errors import InputError
from autostatistician.i18n.messages import again, told

SALES = np.random.default_rng(0).gamma(9.0, size=48).round(2)
MONTHS = [f"{2015 + k // 12}-{k % 12 + 1:02d}" for k in range(48)]
NAMES = {"target", "euros", "inputs", "none", "shop", "where", "kind", "size", "last"}  # of columns and options


def _table(header: str, *columns: object) -> str:
    return "\n".join([header, *(",".join(map(str, cells)) for cells in zip(*columns, strict=True))])


BESIDE = (MONTHS, SALES, (0.5 * SALES).round(3), [0, *SALES[:-1]], np.cumsum(SALES).round(2), ["a", "b"] * 24)
TABLES = {
    "a series": _table("month,sales,euros,last,sum,kind", *BESIDE),
    "per cent": "\n".join(["day;share", *(f"{k % 28 + 1:02d}.{k // 28 + 1:02d}.21;{k},5 %" for k in range(48))]),
    "currency": _table("month,price", MONTHS, [f'"${1000 * value:,.2f}"' for value in SALES]) + "\nSource: us\n",
    "years": _table("year,co2", [f"{1990 + k / 12:.3f}" for k in range(48)], [-99.99, *SALES[1:]]),
    "classes": _table("size,kind", SALES, ["red", "green", "blue"] * 16),
    "far from zero": _table("t,v", range(48), 1e9 + 1e-3 * SALES),
    "no times": _table("sales", SALES),
    "several series": _table("shop,month,sales", ["N", "S"] * 48, np.repeat(MONTHS, 2), np.repeat(SALES, 2)),
    "few rows": _table("month,sales", MONTHS[:2], SALES[:2]),
    "one class": _table("a,b", ["x"] * 9, ["y"] * 9),
    "nothing": "",
}


@pytest.mark.parametrize(
    "name", [pytest.param(name, marks=pytest.mark.slow if name == "several series" else ()) for name in TABLES]
)
def test_no_english_word_is_in_a_note_or_an_error(name: str, tmp_path: Path) -> None:
    path = tmp_path / "table.csv"
    path.write_text(TABLES[name], encoding="utf-8")
    said: list[str] = []
    try:
        notes = load(path, task="auto").warnings
    except InputError as error:
        with pseudo_language():
            said.append(told(error))
    else:
        with pseudo_language():
            said += map(again, notes)
    assert said
    assert {word for text in said for word in english_words(text)} - NAMES == set()
