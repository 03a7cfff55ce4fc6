"""From the record of several classes to facts."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from autostatistician.decompose.records.table import ForeseenOfSeveral, SeveralClasses
from autostatistician.describe.claims.claim import Claim, plain_numbers
from autostatistician.describe.claims.kinds import Kind
from autostatistician.describe.claims.quantity import Measure, Quantity
from autostatistician.describe.facts.curves import Surface
from autostatistician.describe.facts.fact import SHARE
from autostatistician.describe.facts.findings import ClassFindings
from autostatistician.describe.facts.several_classes import LikeliestAt, SeveralFindings
from autostatistician.describe.observe.table.chances import foresight_fact, surprise_claims
from autostatistician.describe.observe.table.findings import class_findings
from autostatistician.wording.messages import again

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
        foresight=foresight_fact(out, int(counts.max())),
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


def _likeliest(findings: ClassFindings, number: int) -> dict[str, tuple[LikeliestAt, ...]]:
    """Where each effect of two columns makes a class likeliest among the rows."""
    return {
        effect.id: (_at_best(effect.curves.surface, f"likeliest/{number}/{effect.id}"),)
        for effect in findings.effects
        if effect.curves.surface is not None and len(effect.columns) == 2
    }


def _at_best(surface: Surface, name: str) -> LikeliestAt:
    nearest = [
        np.abs(np.subtract.outer(at, axis)).argmin(axis=1) for at, axis in zip(surface.at, surface.axes, strict=True)
    ]
    chances = surface.mean[tuple(nearest)]
    row = int(chances.argmax())
    places = [float(at[row]) for at in surface.at]
    pairs = list(zip(surface.at, places, strict=True))
    return LikeliestAt(
        id=name, number=0.01 * float(chances[row]), unit=SHARE, evidence="posterior mean", columns=surface.columns,
        places=(places[0], places[1]), ranks=_both([float(np.mean(at < place)) for at, place in pairs]),
        lows=_both([at.min() for at in surface.at]), highs=_both([at.max() for at in surface.at]),
        levels=surface.levels,
    )  # fmt: skip


def _both(values: Sequence[float]) -> tuple[float, float]:
    first, second = map(float, values)
    return first, second
