"""How accurate waves must be."""

from __future__ import annotations

import numpy as np

from autostatistician.inference.engines.profiles import compiled, evaluate
from autostatistician.inference.engines.semiseparable.cut import cut
from autostatistician.inference.engines.semiseparable.orders import can_write, expected_columns, wanted_error
from autostatistician.language.text import parse


def _error(text: str, values: tuple[float, ...], n: int = 50) -> float:
    where = cut(np.arange(float(n)))
    return wanted_error(evaluate(compiled(parse(text)), values, where.x[:, None], where, ("x",), []), where)


def test_less_noise_more_rows_and_more_signal_want_more() -> None:
    usual = _error("SE + WN", (3.0, 1.0, 0.1))
    assert np.isclose(_error("SE + WN", (3.0, 1.0, 0.05)), usual / 4.0)
    assert np.isclose(_error("SE + WN", (3.0, 2.0, 0.1)), usual / 4.0)
    assert np.isclose(_error("SE + WN", (3.0, 1.0, 0.1), 100), usual / 2.0)


def test_noise_that_stops_is_none() -> None:
    assert _error("CP(WN, SE)", (25.0, 100.0, 1.0, 3.0, 1.0)) < 1e-20


def test_columns_of_sums_and_products() -> None:
    assert expected_columns(parse("CP(SE * Lin, Per) + WN")) == 6 + 16
    assert not can_write(parse("CP(SE, Cat)"))
