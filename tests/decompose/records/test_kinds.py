"""Kinds of checks and shapes: each is found somewhere, and is written as plain text."""

from __future__ import annotations

import json

import numpy as np
from tests.decompose.table.tables import posterior

from autostatistician.data.transform import Transform
from autostatistician.decompose.records.kinds import CheckKind, ShapeKind
from autostatistician.decompose.series.checks import check
from autostatistician.decompose.table.left_out import leave_one_out
from autostatistician.inference.engines.choice import condition
from autostatistician.inference.problem import Problem
from autostatistician.language.kernel import leaf


def test_every_kind_of_check_is_made_of_a_series_or_of_a_table() -> None:
    x, smooth = np.arange(40.0), leaf("SE", lengthscale=4.0, sd=1.0)
    checks = check(condition(smooth + leaf("WN", sd=0.3), Problem(x, np.sin(x / 4.0))), (smooth,), 0)
    assert checks is not None
    out = leave_one_out(posterior(40), Transform(), 0.0, np.random.default_rng(0))
    of_series, of_table = {one.kind for one in checks.every}, {one.check.kind for one in out.checks}
    assert of_series | of_table == set(CheckKind)
    assert of_table - of_series == {CheckKind.SPREAD, CheckKind.PATTERN}


def test_kinds_are_written_as_plain_text() -> None:
    for kind in (*CheckKind, *ShapeKind):
        assert f"{kind}" == kind.value
        assert json.loads(json.dumps([kind])) == [kind.value]
