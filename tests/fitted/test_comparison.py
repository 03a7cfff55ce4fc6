"""New rows beside a forecast: what was missed, and what moved."""

import numpy as np
import pandas as pd
import pytest
from tests.promoted import AHEAD, PROMOTION, fitted, with_sales

from autostatistician.data.dataset import from_arrays
from autostatistician.data.new_rows import NewRows, new_rows, rows_of_table
from autostatistician.fitted.comparison import Comparison, compared
from autostatistician.fitted.fitting import fit_model
from autostatistician.fitted.model import Model
from autostatistician.fitted.predictions import Options, Predictor
from autostatistician.kernels.rewrite import components
from autostatistician.search.run import Settings


def _compared(table: pd.DataFrame) -> Comparison:
    model = fitted().model_
    rows = new_rows(model.as_observed, rows_of_table(model.as_observed, table), model.aside)
    return compared(model, components(model.kernel), rows, Options())


def test_rows_as_expected_move_nothing() -> None:
    answer = _compared(with_sales())
    assert not answer.missed.any()
    assert not answer.surprise.is_surprising
    assert answer.moves == ()
    assert answer.missed_by == ()
    assert answer.grown.dataset.n == fitted().dataset_.n + AHEAD
    planned = fitted(True)
    np.testing.assert_allclose(answer.mean, planned.forecast(AHEAD)["mean"], rtol=1e-9)


def test_a_column_that_does_something_else_has_moved() -> None:
    answer = _compared(with_sales(-PROMOTION))
    assert answer.missed.tolist() == [False, False, True, False]
    assert [move and move.name for move in answer.missed_by] == ["promo"]
    assert "promo" in {move.name for move in answer.moves}
    (move,) = [move for move in answer.moves if move.name == "promo"]
    assert move.x == answer.x[2]
    assert move.change < 0.0


@pytest.fixture(scope="module")
def line() -> Model:
    """A line with noise."""
    x = np.arange(50.0)
    y = 10.0 + 0.3 * x + np.random.default_rng(1).standard_normal(50)
    return fit_model(from_arrays(x, y), "linear", Settings(2, 4, "bic", None, 1))


def test_parts_move_by_what_new_rows_tell(line: Model) -> None:
    x, noise = np.arange(50.0, 90.0), np.random.default_rng(2).standard_normal(40)
    same = compared(line, components(line.kernel), NewRows(x[:, None], 10.0 + 0.3 * x + noise), Options())
    assert same.moves == ()
    bent = compared(
        line, components(line.kernel), NewRows(x[:, None], 10.0 + 0.3 * x + noise + 0.5 * (x - 50.0)), Options()
    )
    assert {move.index for move in bent.moves} != set()
    assert max(bent.moves, key=lambda move: move.change).change > 2.0
    assert len(bent.missed_by) == bent.missed.sum() > 10
    assert set(bent.missed_by) <= set(bent.moves)
    odd = 10.0 + 0.3 * x + noise
    odd[7] += 8.0
    alone = compared(line, components(line.kernel), NewRows(x[:, None], odd), Options())
    assert (alone.missed[7], alone.missed_by[int(alone.missed[:7].sum())]) == (True, None)  # one value: chance
    predicted = Predictor(line, Options()).predictive(x[:, None])
    np.testing.assert_allclose(bent.mean, predicted.mean)


def test_moves_by_chance_are_rare(line: Model) -> None:
    moved, rng, x = 0, np.random.default_rng(3), np.arange(50.0, 60.0)
    mean, cov = line.posterior.observations_joint(x[:, None])
    parts = components(line.kernel)
    for _ in range(60):
        values = rng.multivariate_normal(mean, cov)
        moved += bool(compared(line, parts, NewRows(x[:, None], values), Options(average=False)).moves)
    assert moved <= 8
