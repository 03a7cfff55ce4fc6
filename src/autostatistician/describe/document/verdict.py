"""What can be relied on, what cannot, and what to try next: the verdict at the top of a report."""

from __future__ import annotations

from dataclasses import dataclass

from autostatistician.describe.document.document import Bullets, Section
from autostatistician.wording.messages import say

__all__ = ["Verdict", "verdict_section"]


@dataclass(frozen=True)
class Verdict:
    """Short sentences under three heads; each may be empty but not all."""

    rely: tuple[str, ...]
    doubt: tuple[str, ...]
    next: tuple[str, ...]


def verdict_section(verdict: Verdict) -> Section:
    """The verdict as a section of three lists, for the first screen."""
    heads = (
        ("rely", say("Rely on"), verdict.rely),
        ("doubt", say("Be careful with"), verdict.doubt),
        ("next", say("Try next"), verdict.next),
    )
    lists = tuple(Section(f"verdict-{name}", title, (Bullets(items),)) for name, title, items in heads if items)
    return Section("verdict", say("What to make of it"), (), lists, opening=True)
