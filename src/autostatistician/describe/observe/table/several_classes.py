"""From the record of several classes to claims."""

from __future__ import annotations

import numpy as np

from autostatistician.claims.claim import Claim, plain_numbers
from autostatistician.claims.kinds import Kind
from autostatistician.claims.quantity import Measure, Quantity
from autostatistician.decompose.records.table import EffectGrid, ForeseenOfSeveral, SeveralClasses, TableEffect
from autostatistician.describe.facts.findings import ClassFindings, SeveralFindings
from autostatistician.describe.observe.table.chances import foresight_claim, surprise_claims
from autostatistician.describe.observe.table.findings import class_findings
from autostatistician.i18n.messages import again

__all__ = ["several_findings"]


def several_findings(model: SeveralClasses) -> SeveralFindings:
    """What is known of each class against the rest, and of all together."""
    out, names = model.foreseen, model.classes
    counts = np.bincount(out.came, minlength=len(names))
    each = tuple(map(class_findings, model.each))
    return SeveralFindings(
        name=model.name,
        target=model.target,
        classes=names,
        each=each,
        warnings=tuple(map(again, model.warnings)),
        choice=again(model.choice),
        foresight=foresight_claim(out, int(counts.max())),
        usual=names[int(counts.argmax())],
        counts=tuple(counts.tolist()),
        taken=tuple(map(tuple, out.taken.tolist())),
        confused=_confused(out, names),
        surprises=surprise_claims(out, names, model.each[0].number_of),
        likeliest=tuple(_likeliest(findings, number) for number, findings in enumerate(each, start=1)),
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


def _likeliest(findings: ClassFindings, number: int) -> dict[str, Claim]:
    """Where each effect of two columns makes a class likeliest among the rows."""
    return {
        effect.id: _at_best(effect.record, effect.record.surface, f"likeliest/{number}/{effect.id}")
        for effect in findings.effects
        if effect.record.surface is not None and len(effect.columns) == 2
    }


def _at_best(effect: TableEffect, surface: EffectGrid, name: str) -> Claim:
    sides = [effect.by_column[column] for column in surface.columns]
    nearest = [
        np.abs(np.subtract.outer(side.at, axis)).argmin(axis=1) for side, axis in zip(sides, surface.axes, strict=True)
    ]
    chances = surface.shown[0][tuple(nearest)]
    row = int(chances.argmax())
    parts = [
        Claim(
            id="", kind=Kind.LIKELIEST, columns=(side.column,), at=(float(side.at[row]),),
            number=Quantity.plain(float(np.mean(side.at < side.at[row])), Measure.SHARE),
            more=plain_numbers(low=float(side.at.min()), high=float(side.at.max())), others={"levels": side.levels},
        )
        for side in sides
    ]  # fmt: skip
    number = Quantity.plain(0.01 * float(chances[row]), Measure.SHARE)
    return Claim(id=name, kind=Kind.LIKELIEST, columns=surface.columns, number=number, parts=tuple(parts))
