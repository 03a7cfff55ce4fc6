"""Forms that records and facts share: kinds, legs and curves."""

import json
from dataclasses import replace

import numpy as np
from tests.decompose.table.tables import posterior

from autostatistician.data.transform import Transform
from autostatistician.decompose.series.checks import check
from autostatistician.decompose.table.leave_one_out import leave_one_out
from autostatistician.forms import BAND_SDS, CheckKind, CourseKind, Curve
from autostatistician.gp.engines.choice import condition
from autostatistician.gp.problem import Problem
from autostatistician.kernels.kernel import leaf


def test_every_kind_of_check_is_made_of_a_series_or_of_a_table() -> None:
    x, smooth = np.arange(40.0), leaf("SE", lengthscale=4.0, sd=1.0)
    checks = check(condition(smooth + leaf("WN", sd=0.3), Problem(x, np.sin(x / 4.0))), (smooth,), 0)
    assert checks is not None
    out = leave_one_out(posterior(40), Transform(), 0.0, np.random.default_rng(0))
    of_series, of_table = {one.kind for one in checks.every}, {check.kind for check, _ in out.checks}
    assert of_series | of_table == set(CheckKind)
    assert of_table - of_series == {CheckKind.SPREAD, CheckKind.PATTERN}


def test_kinds_are_written_as_plain_text() -> None:
    for kind in (*CheckKind, *CourseKind):
        assert f"{kind}" == kind.value
        assert json.loads(json.dumps([kind])) == [kind.value]
        assert len({one.value for one in type(kind)}) == len(type(kind))


def test_the_limits_of_a_normal_distribution_hold_95_per_cent() -> None:
    x, mean, sd = np.arange(3.0), np.array([0.0, 1.0, 2.0]), np.array([1.0, 0.0, 2.0])
    curve = Curve.normal(x, mean, sd)
    np.testing.assert_allclose((curve.upper - curve.lower) / (2.0 * BAND_SDS), sd)
    np.testing.assert_allclose((curve.upper + curve.lower) / 2.0, mean)


X = np.arange(10.0)
CURVE = Curve(X, 2.0 * X, np.ones(10), 2.0 * X - 3.0, 2.0 * X + 4.0)


def test_a_piece_has_every_array_at_its_positions() -> None:
    piece = CURVE.cut(slice(3, 6))
    for name, shift in (("mean", 0.0), ("lower", -3.0), ("upper", 4.0)):
        np.testing.assert_array_equal(getattr(piece, name), 2.0 * X[3:6] + shift)
    assert piece.sd.shape == piece.x.shape == (3,)
    assert piece.median is None
    np.testing.assert_array_equal(replace(CURVE, median=X).cut(slice(3, 6)).middle, X[3:6])


def test_until_includes_its_end_and_nothing_beyond() -> None:
    assert CURVE.until(4.0).x.tolist() == [0.0, 1.0, 2.0, 3.0, 4.0]
    assert CURVE.until(4.5).x[-1] == 4.0
    assert CURVE.until(-1.0).x.size == 0
