"""What the page says is so."""

from __future__ import annotations

import doctest
from pathlib import Path

PAGE = Path(__file__).resolve().parents[2] / "docs" / "reference" / "hkl.md"


def test_the_examples_on_the_page() -> None:
    failed, tried = doctest.testfile(str(PAGE), module_relative=False)
    assert tried > 5
    assert failed == 0
