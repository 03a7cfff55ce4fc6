"""The power that suits data best."""

import numpy as np
import pytest
from scipy import stats

from autostatistician.data.dataset import Dataset
from autostatistician.data.times.axes import Axis
from autostatistician.errors import InputError
from autostatistician.kernels.grammar import LANGUAGES
from autostatistician.kernels.kernel import leaf
from autostatistician.search.preprocessing.box_cox import learned_power
from autostatistician.search.preprocessing.transforms import chosen_transform
from autostatistician.search.run import Settings

X = np.arange(100.0)
RNG = np.random.default_rng(3)
WAVES = np.sin(2.0 * np.pi * X / 25.0) + 0.4 * RNG.standard_normal(100)
CURVE = leaf("C", sd=10.0) + leaf("SE", sd=5.0, lengthscale=10.0) + leaf("WN", sd=2.0)


def _data(y: np.ndarray) -> Dataset:
    return Dataset(np.arange(float(len(y)))[:, None], y, ("x",), "y", Axis("x", "", "", 1.0))


@pytest.mark.parametrize("power", [-0.5, 0.5])
def test_a_power_is_recovered(power: float) -> None:
    y = (1.0 + 0.35 * power * WAVES) ** (1.0 / power)
    assert learned_power(_data(10.0 * y), CURVE).power == pytest.approx(power, abs=0.3)


def test_of_white_noise_the_power_is_that_of_scipy_but_for_its_prior() -> None:
    """The prior weighs as much as one of several thousand rows."""
    y = np.random.default_rng(0).lognormal(2.0, 0.4, 300)
    learned = learned_power(_data(y), leaf("C", sd=10.0) + leaf("WN", sd=3.0))
    assert learned.power == pytest.approx(stats.boxcox_normmax(y, method="mle"), abs=0.05)


def test_a_power_that_was_asked_for_is_learned_of_a_table_too() -> None:
    rng = np.random.default_rng(2)
    rows = rng.uniform(size=(80, 2))
    function = np.sin(4.0 * rows[:, 0]) + rows[:, 1] + 0.1 * rng.standard_normal(80)
    table = Dataset(rows, (5.0 + function) ** 2, ("a", "b"), "y", None)
    choice = chosen_transform(table, Settings(transform="box-cox", criterion="bic"), LANGUAGES["extended"])
    assert choice.gain is None
    assert 0.0 < choice.transform.power < 1.0
    with pytest.raises(InputError, match="above zero for transform 'box-cox'"):
        chosen_transform(_data(WAVES), Settings(transform="box-cox", criterion="bic"), LANGUAGES["extended"])
