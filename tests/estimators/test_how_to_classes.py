"""What the page on classes shows is what the code does."""

from __future__ import annotations

import doctest
from pathlib import Path

PAGE = Path(__file__).resolve().parents[2] / "docs" / "how-to" / "classes.md"


def test_the_page_is_true() -> None:
    found = doctest.testfile(str(PAGE), module_relative=False, optionflags=doctest.NORMALIZE_WHITESPACE)
    assert found.attempted > 10
    assert found.failed == 0
