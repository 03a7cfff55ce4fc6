"""What is plain about data before any model is told: few rows, one value throughout, an exact straight line."""

from __future__ import annotations

import numpy as np

from autostatistician.decompose.records.series import Decomposition
from autostatistician.describe.facts.fact import SHARE, Fact
from autostatistician.describe.facts.judgement import FEWEST_TESTED
from autostatistician.describe.facts.part import NoiseLevel
from autostatistician.describe.facts.whole import ExactLine, FewRows, ManyZeros, OneValue, PossibleStructure
from autostatistician.describe.observe.series.anatomy import anatomy
from autostatistician.language.leaf_row import LeafKind
from autostatistician.language.showable import ROWS_FOR_STRUCTURE
from autostatistician.language.traits import has_structure

__all__ = ["plain_facts"]

MANY_ZEROS = 1.0 / 3.0  # a share from which zeros are a trait of the data


def plain_facts(d: Decomposition, heads: tuple[Fact, ...]) -> tuple[Fact, ...]:
    """The facts; ``heads`` are those that say what each part is."""
    return (*_few_rows(d), *_same(d), *_zeros(d), *_possible(d), *_exact_line(d, heads))


def _few_rows(d: Decomposition) -> tuple[FewRows, ...]:
    n, by_evidence = int(d.x.size), d.criterion == "evidence"
    if n >= ROWS_FOR_STRUCTURE:
        return ()
    cycles = by_evidence and bool(d.seasons)
    return (FewRows(id="data/rows", number=n, unit="1", evidence="the data", wandering=by_evidence, cycles=cycles),)


def _same(d: Decomposition) -> tuple[OneValue, ...]:
    same = float(np.ptp(d.y)) == 0.0
    return (OneValue(id="data/value", number=float(d.y[0]), unit="target", evidence="the data"),) if same else ()


def _zeros(d: Decomposition) -> tuple[ManyZeros, ...]:
    """How many of the values are zero, where these are whole numbers and zeros are common among them."""
    whole = np.round(d.y)
    is_zero, late = whole == 0.0, min(max(int(d.forecast.x.size), FEWEST_TESTED), len(whole) // 2)
    if not np.allclose(d.y, whole, rtol=0.0, atol=1e-6) or not MANY_ZEROS < is_zero.mean() < 1.0:
        return ()
    return (
        ManyZeros(id="data/zeros", number=float(is_zero.mean()), unit=SHARE, evidence="count in the data",
                  late=float(is_zero[-late:].mean()), rows=late),
    )  # fmt: skip


def _possible(d: Decomposition) -> tuple[PossibleStructure, ...]:
    """How probable structure is, where the model that is told has none and most of the probability is on others."""
    if d.criterion != "evidence" or any(has_structure(part.kernel.expr) for part in d.components):
        return ()
    number = sum(weight for kernel, weight in d.alternatives if has_structure(kernel.expr))
    evidence = "weights of all models with structure"
    return (
        (PossibleStructure(id="data/structure", number=number, unit=SHARE, evidence=evidence),) if number > 0.5 else ()
    )


def _exact_line(d: Decomposition, heads: tuple[Fact, ...]) -> tuple[ExactLine, ...]:
    """The line that the data lie on, where all parts but noise are lines and levels, and no noise can be seen."""
    shown = [anatomy(part.kernel) for part in d.components if not part.is_noise]
    straight = all(
        not shape.switches and len(shape.leaves) == 1 and shape.of(LeafKind.LINE, LeafKind.CONSTANT) for shape in shown
    )
    noisy = any(head.visible for head in heads if isinstance(head, NoiseLevel))
    if (
        noisy
        or not straight
        or not any(shape.of(LeafKind.LINE) for shape in shown)
        or d.level is not None
        or d.axis.is_calendar
    ):
        return ()
    slope, intercept = np.polyfit(d.x, d.y, 1)
    evidence = "least squares; all parts but noise are straight, and no noise can be seen"
    return (
        ExactLine(id="data/line", number=float(slope), unit="target per axis", evidence=evidence,
                  intercept=float(intercept)),
    )  # fmt: skip
