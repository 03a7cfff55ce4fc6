"""The document is plain, frozen data."""

from __future__ import annotations

from dataclasses import FrozenInstanceError, is_dataclass

import pytest

from autostatistician.describe.document import document
from autostatistician.describe.document.document import Document, Section


@pytest.mark.parametrize("name", [name for name in document.__all__ if name != "Block"])
def test_its_pieces_cannot_be_changed(name: str) -> None:
    kind = getattr(document, name)
    assert is_dataclass(kind)
    assert kind.__dataclass_params__.frozen


def test_what_is_not_said_is_empty() -> None:
    page = Document("title", "", "", (Section("a", "A", ()),))
    assert (page.warnings, page.citations, page.record, page.choice) == ((), (), {}, "")
    with pytest.raises(FrozenInstanceError):
        page.title = "other"  # type: ignore[misc]
