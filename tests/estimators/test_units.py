"""Answers are told in the units of the series."""

from __future__ import annotations

from tests.promoted import fitted

from autostatistician.estimators.units import units_of_model


def test_units_are_those_of_the_data() -> None:
    model = fitted().model_
    units = units_of_model(model)
    assert (units.target, units.axis, units.is_log) == ("sales", model.dataset.axis, False)
    assert (units.first, units.gap) == (float(model.dataset.x[0]), 7.0)
