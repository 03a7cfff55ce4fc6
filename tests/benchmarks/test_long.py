"""The models with which the engine for one column is timed, and its error with them."""

from importlib import import_module

import pytest

from autostatistician.gp.engines.lag_space import LagSpace
from autostatistician.gp.engines.semiseparable.objective import SemiseparableObjective


@pytest.mark.slow
def test_the_evidence_of_stored_winners_is_that_of_one_matrix() -> None:
    made, by_waves = import_module("long"), 0
    for name in made.models():
        kernel, problem = made.problem(name, 500)
        objective = SemiseparableObjective(kernel.expr, problem)
        exact = LagSpace().objective(kernel.expr, problem).value(kernel.values)
        assert objective.value(kernel.values) == pytest.approx(exact, abs=0.05), name
        by_waves += objective.columns(kernel.values) > 0
    assert by_waves > 10


def test_a_row_of_the_table() -> None:
    made = import_module("long")
    row = made.likelihood({"model": "05-temperature", "n": 600}, None)
    assert set(row) == set(made.BENCHES[0].columns) - {"code"}
    assert row["engine"] == "Toeplitz"
    assert abs(float(row["nats"])) < 0.05
    assert row["columns"] > 0
