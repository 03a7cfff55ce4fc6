"""From the record of several classes to claims."""

from __future__ import annotations

import numpy as np

from autostatistician.claims.claim import Claim, plain_numbers
from autostatistician.claims.kinds import Kind
from autostatistician.claims.quantity import Measure, Quantity
from autostatistician.decompose.records.table import ForeseenOfSeveral, SeveralClasses
from autostatistician.describe.facts.findings import SeveralFindings
from autostatistician.describe.observe.table.chances import foresight_claim, surprise_claims
from autostatistician.describe.observe.table.findings import class_findings
from autostatistician.i18n.messages import again

__all__ = ["several_findings"]


def several_findings(model: SeveralClasses) -> SeveralFindings:
    """What is known of each class against the rest, and of all together."""
    out, names = model.foreseen, model.classes
    counts = np.bincount(out.came, minlength=len(names))
    return SeveralFindings(
        name=model.name,
        target=model.target,
        classes=names,
        each=tuple(map(class_findings, model.each)),
        warnings=tuple(map(again, model.warnings)),
        choice=again(model.choice),
        foresight=foresight_claim(out, int(counts.max())),
        usual=names[int(counts.argmax())],
        counts=tuple(counts.tolist()),
        taken=tuple(map(tuple, out.taken.tolist())),
        confused=_confused(out, names),
        surprises=surprise_claims(out, names, model.each[0].number_of),
    )


def _confused(out: ForeseenOfSeveral, names: tuple[str, ...]) -> tuple[Claim, ...]:
    """Which classes are taken for which, the most rows first."""
    off = out.taken - np.diag(out.taken.diagonal())
    pairs = sorted(zip(*np.nonzero(off), strict=True), key=lambda pair: (-off[pair], pair))
    return tuple(
        Claim(
            id=f"taken/{came + 1}/{likeliest + 1}", kind=Kind.TAKEN,
            number=Quantity.plain(float(off[came, likeliest]), Measure.COUNT),
            named={"came": names[came], "likeliest": names[likeliest]},
            more=plain_numbers(rows=int(out.taken[came].sum())),
        )
        for came, likeliest in pairs
    )  # fmt: skip
