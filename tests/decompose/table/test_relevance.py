"""How much hangs on a column: against what is known of lines and products."""

from __future__ import annotations

import numpy as np
import pytest
from tests.decompose.table.tables import bump, dataset, posterior

from autostatistician.data.dataset import Dataset
from autostatistician.decompose.table.relevance import relevance
from autostatistician.decompose.uncertainty import Member, ParameterDraws, fixed_parameters
from autostatistician.inference.engines.choice import condition
from autostatistician.inference.problem import Problem
from autostatistician.language.kernel import leaf


@pytest.mark.parametrize("seed", range(4))
def test_the_share_of_a_straight_line_does_not_depend_on_the_pairs_of_rows(seed: int) -> None:
    rng = np.random.default_rng(seed)
    X = np.column_stack([rng.gamma(1.5, 1.0, 120), rng.uniform(0.0, 3.0, 120)])  # some values lie far out
    y = 1.5 * X[:, 0] + X[:, 1] + 0.01 * rng.normal(size=120)
    lines = leaf("Lin", "a", sd=1.5, location=0.0) + leaf("Lin", "b", sd=1.0, location=0.0) + leaf("WN", sd=0.01)
    uncertainty = fixed_parameters(condition(lines, Problem.of(Dataset(X, y, ("a", "b"), "y", None))))
    for place, slope in enumerate((1.5, 1.0)):
        share, _ = relevance(uncertainty, place, rng)
        assert share == pytest.approx(slope**2 * X[:, place].var() / y.var(), rel=0.03)


def test_a_column_that_no_part_holds_is_worth_nothing() -> None:
    share, span = relevance(fixed_parameters(posterior(40)), 3, np.random.default_rng(0))
    assert (share, span) == (pytest.approx(0.0, abs=1e-9), pytest.approx((0.0, 0.0), abs=1e-9))


def test_columns_that_act_together_each_have_all_of_it() -> None:
    """Shares of b and c in b c, with both uniform about zero, are the whole variance of the product."""
    X = np.random.default_rng(3).uniform(-2.0, 2.0, (120, 2))
    y = X[:, 0] * X[:, 1]
    kernel = bump("b", 2.0, 2.5) * bump("c", 1.0, 2.5) + leaf("WN", sd=0.01)
    uncertainty = fixed_parameters(condition(kernel, Problem.of(Dataset(X, y, ("b", "c"), "y", None))))
    first, second = (relevance(uncertainty, place, np.random.default_rng(0))[0] for place in (0, 1))
    assert first == pytest.approx(1.0, rel=0.2)
    assert second == pytest.approx(1.0, rel=0.2)


def test_other_numbers_widen_the_range() -> None:
    fit = fixed_parameters(posterior(40))
    kernel = bump("a", 0.2, 9.0) + bump("b") * bump("c") + leaf("WN", sd=0.5)
    stiff = Member(condition(kernel, Problem.of(dataset(40))), ())
    (_, held), (_, open_) = (
        relevance(uncertainty, 0, np.random.default_rng(0))
        for uncertainty in (fit, ParameterDraws(fit.fit, (fit.fit, stiff)))
    )
    assert open_[1] - open_[0] > 1.5 * (held[1] - held[0])


def test_ranges_hold_what_all_pairs_of_rows_would_tell() -> None:
    """With hardly any noise the posterior knows the function; what is open is which pairs were drawn."""
    known = posterior(60)
    signal = known.halves[0]
    assert signal is not None
    X, spread = known.X, known.spread
    sizes = []
    for value in X[:, 1]:
        there = X.copy()
        there[:, 1] = value
        changes = known.project(signal, there).mean - known.project(signal, X).mean
        sizes.append(0.5 * np.mean(changes**2) / spread)
    spans = [relevance(fixed_parameters(known), 1, np.random.default_rng(seed))[1] for seed in range(20)]
    assert sum(low <= np.mean(sizes) <= high for low, high in spans) >= 18
