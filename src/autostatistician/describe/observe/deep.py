"""From what a deep process has learned to facts."""

from __future__ import annotations

from autostatistician.decompose.records.deep import DeepCurve, DeepFound
from autostatistician.describe.facts.deep import (
    ColumnCourse,
    ColumnMove,
    DeepFindings,
    Foreseen,
    LayerBend,
    LayerCount,
)
from autostatistician.describe.facts.fact import SHARE
from autostatistician.wording.messages import again

__all__ = ["deep_findings"]

BOUND = "lower bound on the log marginal likelihood"


def deep_findings(found: DeepFound) -> DeepFindings:
    """Facts, columns along which the target moves farthest first."""
    curves = sorted(found.curves, key=lambda curve: -float(curve.mean.max() - curve.mean.min()))
    rows = (found.rows[:, 0], found.y) if len(found.columns) == 1 else None
    return DeepFindings(
        name=found.name,
        n=found.n,
        columns=found.columns,
        count=LayerCount(
            id="deep/layers", number=found.chosen, unit="1", evidence=BOUND,
            tried=tuple((each.layers, each.bound) for each in found.tried), enough=found.enough,
        ),
        forms=found.forms,
        bends=tuple(
            LayerBend(id=f"deep/bend/{layer}", number=share, unit=SHARE, evidence="mean at the rows", layer=layer)
            for layer, share in enumerate(found.bends, start=1)
        ),
        moves=tuple(map(_move, curves)),
        courses=tuple(ColumnCourse(each.column, each.x, each.mean, each.low, each.high, rows) for each in curves),
        foreseen=_foreseen(found),
        noise=found.noise,
        warnings=tuple(map(again, found.notes)),
    )  # fmt: skip


def _move(curve: DeepCurve) -> ColumnMove:
    low, high = int(curve.mean.argmin()), int(curve.mean.argmax())
    return ColumnMove(
        id=f"deep/column/{curve.column}", number=float(curve.mean[high] - curve.mean[low]), unit="target",
        evidence="mean prediction, other columns at their medians", column=curve.column,
        lowest=(float(curve.x[low]), float(curve.mean[low])), highest=(float(curve.x[high]), float(curve.mean[high])),
    )  # fmt: skip


def _foreseen(found: DeepFound) -> Foreseen | None:
    held = found.held_out
    if held is None:
        return None
    return Foreseen(
        id="deep/foreseen", number=held.log_density, unit="1", evidence="rows left out of another fit", rows=held.rows,
        fitted=held.fitted, of_one_layer=held.of_one_layer, within=held.within, error_share=held.error / held.spread,
    )  # fmt: skip
