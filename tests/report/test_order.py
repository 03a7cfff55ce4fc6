"""The first screen: the key picture and the opening sections, nothing of it twice."""

from __future__ import annotations

from autostatistician.describe.document.document import Document, Figure, Paragraph, Section
from autostatistician.report.order import in_order

PICTURE, SECOND = (Figure(name, "", "", ()) for name in ("first", "second"))
BRIEF = Section("brief", "In brief", (Paragraph("a"), PICTURE, SECOND))
VERDICT = Section("verdict", "Verdict", (), opening=True)
LAST = Section("last", "Last", (PICTURE,))


def test_the_first_picture_is_taken_out_of_the_first_section_alone() -> None:
    order = in_order(Document("t", "", "", (BRIEF, VERDICT, LAST)))
    assert order.picture is PICTURE
    assert [one.id for one in order.opening] == ["verdict"]
    assert [one.id for one in order.rest] == ["brief", "last"]
    assert order.rest[0].blocks == (Paragraph("a"), SECOND)
    assert order.rest[1].blocks == (PICTURE,)


def test_without_a_picture_or_sections_there_is_none() -> None:
    assert in_order(Document("t", "", "", (Section("a", "A", ()),))).picture is None
    assert in_order(Document("t", "", "", (VERDICT,))).rest == ()
