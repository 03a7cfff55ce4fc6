"""What pictures of a series are drawn from: its data, the model and its parts as plain arrays."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from autostatistician.decompose.records import series as records
from autostatistician.describe.facts.curves import PartCurves, SeriesCurves
from autostatistician.forms import Curve

__all__ = ["part_curves", "series_curves", "told_curve"]


def series_curves(d: records.Decomposition) -> SeriesCurves:
    """The data, the model with its noise, and the forecast."""
    observed = tuple((value.x, value.y) for value in d.screening.aside)
    aside = observed if d.covariates is None else d.covariates.aside
    return SeriesCurves(d.x, d.y, d.offset, told_curve(d.observation), d.samples, told_curve(d.forecast), aside)


def part_curves(d: records.Decomposition) -> tuple[PartCurves, ...]:
    """Every part by itself and with those before it."""
    residuals = d.modelled - np.cumsum([part.mean for part in d.components], axis=0)
    return tuple(
        PartCurves(
            told_curve(part.curve), told_curve(part.cumulative), part.samples, rest,
        )
        for part, rest in zip(d.components, residuals, strict=True)
    )  # fmt: skip


def told_curve(curve: Curve) -> Curve:
    """The curve whose likely value is told as its mean."""
    return replace(curve, mean=curve.middle)
