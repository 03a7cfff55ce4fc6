"""The verdict as a section."""

from __future__ import annotations

from autostatistician.describe.document.document import Bullets
from autostatistician.describe.document.verdict import Verdict, verdict_section


def test_every_head_that_is_not_empty_is_a_list_of_its_sentences() -> None:
    section = verdict_section(Verdict(("a.", "b."), (), ("c.",)))
    assert section.opening
    assert [(one.id, one.title) for one in section.sections] == [
        ("verdict-rely", "Rely on"),
        ("verdict-next", "Try next"),
    ]
    assert [one.blocks for one in section.sections] == [(Bullets(("a.", "b.")),), (Bullets(("c.",)),)]
