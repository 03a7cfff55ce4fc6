"""The units in which an answer about a series is told."""

from __future__ import annotations

from dataclasses import replace

from autostatistician.describe.axis.units import Units, units_of
from autostatistician.fitted.model import Model
from autostatistician.gp.likelihoods.sited import Sited

__all__ = ["units_of_model"]


def units_of_model(model: Model) -> Units:
    """The axis and the scale of a series, for words."""
    data, axis = model.modelled, model.dataset.axis
    assert axis is not None, "only a series has units"
    level = model.transform.scale if model.transform.is_log else None
    units = units_of(axis, model.problem.X[:, 0], data.y, model.dataset.target, level)
    if model.transform.is_odds:
        units = replace(units, top=model.transform.top)
    law, sizes = model.likelihood, model.dataset.sizes
    if not isinstance(law, Sited):
        return units
    return replace(units, counts=True, law=law.name, sizes="" if sizes is None else sizes.name)
