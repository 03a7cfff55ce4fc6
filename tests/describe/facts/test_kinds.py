"""Kinds are those that the records know, by the same names."""

from __future__ import annotations

import re
from pathlib import Path

import autostatistician.decompose as decompose
from autostatistician.describe.facts import kinds
from autostatistician.describe.facts.claim import BOUNDS
from autostatistician.describe.facts.kinds import CheckKind, ClaimKind, CourseKind, Phase

ROOM = Path(decompose.__path__[0])


def test_every_course_of_a_curve_has_a_kind() -> None:
    text = (ROOM / "table" / "curve_shape.py").read_text(encoding="utf-8")
    assert {one.value for one in CourseKind} <= set(re.findall(r'"(\w+)"', text))


def test_every_check_has_a_kind() -> None:
    text = "".join((ROOM / name).read_text(encoding="utf-8") for name in ("series/checks.py", "table/left_out.py"))
    assert {one.value for one in CheckKind} <= set(re.findall(r'"(\w+)"', text))


def test_values_are_told_apart() -> None:
    for name in kinds.__all__:
        values = [one.value for one in getattr(kinds, name)]
        assert len(values) == len(set(values))


def test_what_has_no_name_is_false() -> None:
    assert [one for one in Phase if not one] == [Phase.UNNAMED]
    assert BOUNDS == (ClaimKind.BEGINNING, ClaimKind.END)
