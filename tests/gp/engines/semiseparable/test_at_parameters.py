"""What stands within blocks and between them, together, is the covariance."""

import numpy as np

from autostatistician.gp.engines.profiles import compiled, evaluate
from autostatistician.gp.engines.semiseparable.exponentials import Wanted, can_write, expected_columns, wanted
from autostatistician.gp.engines.semiseparable.layout import laid_out
from autostatistician.kernels.state_space import SQUARED_EXPONENTIAL_TERMS as FORM
from autostatistician.kernels.text import parse


def _wanted(text: str, values: tuple[float, ...], n: int = 50) -> Wanted:
    where = laid_out(np.arange(float(n)))
    return wanted(evaluate(compiled(parse(text)), values, where.x[:, None], where, ("x",), []), where)


def test_less_noise_more_rows_and_more_signal_want_more() -> None:
    usual, _ = _wanted("SE + WN", (3.0, 1.0, 0.1)).accuracy(FORM, (20.0, 1.0), 1.0, 1.0)
    for noise, power, n, times in ((0.05, 1.0, 50, 0.25), (0.1, 4.0, 50, 0.25), (0.1, 1.0, 100, 0.5)):
        found, _ = _wanted("SE + WN", (3.0, 1.0, noise), n).accuracy(FORM, (20.0, 1.0), 2.0, 0.5 * power)
        assert np.isclose(found.error, usual.error * times)


def test_noise_that_stops_wants_more_than_there_is() -> None:
    found = _wanted("CP(WN, SE)", (25.0, 100.0, 1.0, 3.0, 1.0))
    assert not found.accuracy(FORM, (20.0, 1.0), 1.0, 1.0)[1]
    assert found.accuracy(FORM, (20.0, 1.0), 1.0, found.x < 24.0)[1]  # multiplied with nothing where there is no noise


def test_columns_of_sums_and_products() -> None:
    assert expected_columns(parse("CP(SE * Lin, Per) + WN")) == 7 + 14
    assert expected_columns(parse("(C + SE) * SE")) == 7 + 7  # the product of both is one again
    assert not can_write(parse("CP(SE, Cat)"))
