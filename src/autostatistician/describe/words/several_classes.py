"""Several classes in words: how well all are foreseen, and which are taken for which."""

from __future__ import annotations

from collections.abc import Sequence

from autostatistician.claims.claim import Claim
from autostatistician.claims.kinds import FEW
from autostatistician.describe.axis.units import Scale
from autostatistician.describe.words.chances import foresight_text
from autostatistician.i18n.messages import sentence
from autostatistician.i18n.names import quoted
from autostatistician.i18n.numbers import count, joined, percent

__all__ = ["confused_text", "foresight_of_several_text", "no_class_text", "nothing_of_several_text"]


def foresight_of_several_text(claim: Claim, target: str, usual: str) -> str:
    """How well all classes are foreseen, beside the shares of the classes alone."""
    return foresight_text(claim, Scale(target=target, event=usual, other=usual))


def nothing_of_several_text(claim: Claim, target: str, usual: str) -> str:
    """That no column tells anything of any class."""
    return sentence("classes.nothing", target=quoted(target), usual=quoted(usual), share=percent(claim["share"]))


def confused_text(confused: Sequence[Claim]) -> str:
    """Which classes are taken for which."""
    if not confused:
        return sentence("classes.all_right")
    return sentence("classes.confused", pairs=joined([_taken(pair) for pair in confused[:FEW]]))


def _taken(pair: Claim) -> str:
    whole, number = round(pair["rows"]), round(pair.number.value)
    rows = sentence("classes.rows", n=whole, number=count(whole))
    came, likeliest = quoted(pair.named["came"]), quoted(pair.named["likeliest"])
    return sentence("classes.taken", n=number, number=number, rows=rows, came=came, likeliest=likeliest)


def no_class_text(columns: Sequence[str], most: str) -> str:
    """Which columns tell nothing clear of any class, and how much they may add at most.

    >>> no_class_text(["a"], "2%")
    "No class clearly hangs on 'a' (at most 2% more of the variation would be explained)."
    """
    return sentence("classes.idle", columns=joined([quoted(name) for name in columns]), most=most)
