"""What chance adds to counts about their rate."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.stats import poisson

from autostatistician.forms import Curve
from autostatistician.model.count_scatter import with_chance


def test_bands_about_a_known_rate_are_those_of_the_poisson_distribution() -> None:
    rate = np.array([0.3, 4.0, 50.0])
    known = Curve(np.arange(3.0), rate, 1e-7 * rate, rate, rate)
    made = with_chance(known, (0.0, np.inf))
    assert made.lower.tolist() == poisson(rate).ppf(0.025).tolist()
    assert made.upper.tolist() == poisson(rate).ppf(0.975).tolist()
    assert made.mean == pytest.approx(rate)
    assert made.sd == pytest.approx(np.sqrt(rate))
