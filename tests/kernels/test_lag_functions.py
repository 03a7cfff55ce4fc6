"""The leaves as functions of the lag against arithmetic with 80 digits, in all regimes of their parameters."""

from collections.abc import Callable
from decimal import Decimal, getcontext, localcontext

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from autostatistician.kernels.cyclic_leaves import cos, cos_slope, per, per_slope
from autostatistician.kernels.leaves import LEAVES
from autostatistician.kernels.plain_leaves import iou
from autostatistician.kernels.smooth_leaves import SMALL, endless, endless_slope

LAGS = np.array([0.0, 1e-4, 1e-3, 0.03, 0.1, 0.24, 0.5, 0.61, 0.77, 1.0, 1.3, -0.4, 2.9, -5.05])


def test_a_long_lengthscale_leaves_a_cosine() -> None:
    cosine = cos(LAGS, 0.7, 2.0)
    np.testing.assert_allclose(per(LAGS, np.inf, 0.7, 2.0), cosine, atol=1e-14)
    np.testing.assert_allclose(per(LAGS, 1e5, 0.7, 2.0), cosine, atol=1e-9)


@given(st.floats(-3.0, 3.0), st.floats(0.1, 30.0), st.floats(0.3, 5.0), st.integers(-40, 40))
def test_values_and_slopes_repeat_after_every_period(lag: float, lengthscale: float, period: float, turns: int) -> None:
    here, there = np.array([lag]), np.array([lag + turns * period])
    steepest = np.abs(per_slope(np.linspace(0.0, period, 200), lengthscale, period, 1.0)).max()
    near = {"rtol": 0.0, "atol": 1e-11 * (1.0 + steepest) ** 2}
    np.testing.assert_allclose(per(there, lengthscale, period, 1.0), per(here, lengthscale, period, 1.0), **near)
    np.testing.assert_allclose(cos(there, period, 1.0), cos(here, period, 1.0), **near)
    np.testing.assert_allclose(cos_slope(there, period, 1.0), cos_slope(here, period, 1.0), **near)


OF_INCREMENTS = np.array([-7.0, -0.3, 0.0, 1e-4, 0.2, 1.0, 5.0, 40.0])
RATIOS = (1e-12, 1e-8, 1e-4, 0.01, 0.0999, 0.1, 0.1001, 0.5, 1.0, 30.0, 1000.0)


@pytest.mark.parametrize("ratio", RATIOS)
def test_no_digits_of_a_damped_trend_are_lost(ratio: float) -> None:
    getcontext().prec = 60
    u = Decimal(ratio)
    exact = float(u - 1 + (-u).exp())
    np.testing.assert_allclose(iou(np.array(ratio), 1.0, 1.0), exact, rtol=1e-14)


@pytest.mark.parametrize(("symbol", "own"), [("Wiener", (1.3,)), ("IOU", (2.3, 0.7)), ("IOU", (90.0, 2.0))])
def test_derivatives_and_slope_are_limits_of_differences(symbol: str, own: tuple[float, ...]) -> None:
    function = LEAVES[symbol].of_increments
    assert function is not None
    lags, step = OF_INCREMENTS, 1e-5
    value, derivatives = function.value_and_derivatives(lags, *own)
    np.testing.assert_array_equal(value, function.value(lags, *own))
    for index, derivative in enumerate(derivatives):
        ends = [[one * np.exp(sign * step * (at == index)) for at, one in enumerate(own)] for sign in (1, -1)]
        above, below = (function.value(lags, *end) for end in ends)
        np.testing.assert_allclose(derivative, (above - below) / (2.0 * step), rtol=1e-6, atol=1e-9)
    above, below = (function.value(lags + sign * step, *own) for sign in (1, -1))
    np.testing.assert_allclose(function.slope(lags, *own), (above - below) / (2.0 * step), rtol=1e-6, atol=1e-8)


@pytest.mark.parametrize("function", [endless, endless_slope])
def test_no_step_where_the_series_ends(function: object) -> None:
    assert callable(function)
    below, above = function(np.array([np.nextafter(SMALL, 0.0), SMALL]), 1.0, 1.0)
    assert below == pytest.approx(above, rel=1e-13)


STATIONARY = {symbol: row.of_lag for symbol, row in LEAVES.items() if row.of_lag is not None}
PI = Decimal("3.14159265358979323846264338327950288419716939937510582097494459230781640628620899862803482534211706798")


def _cos(angle: Decimal) -> Decimal:
    angle -= (angle / (2 * PI)).to_integral_value() * 2 * PI
    term, total, k = Decimal(1), Decimal(1), 0
    while abs(term) > Decimal(10) ** -90:
        k += 2
        term *= -angle * angle / (k * (k - 1))
        total += term
    return total


def _scaled_bessel(z: Decimal) -> Decimal:
    """``exp(-z) I0(z)`` by its power series, for large z by the asymptotic one."""
    term, total, k = Decimal(1), Decimal(1), 0
    while abs(term) > abs(total) * Decimal(10) ** -85:
        k += 1
        term *= (2 * k - 1) ** 2 / (k * 8 * z) if z > 150 else z * z / (4 * k * k)
        total += term
    return total / (2 * PI * z).sqrt() if z > 150 else total * (-z).exp()


def _se(t: Decimal, lengthscale: Decimal, sd: Decimal) -> Decimal:
    return sd**2 * (-t * t / (2 * lengthscale**2)).exp()


def _rq(t: Decimal, lengthscale: Decimal, sd: Decimal, alpha: Decimal) -> Decimal:
    return sd**2 * (-alpha * (1 + t * t / (2 * alpha * lengthscale**2)).ln()).exp()


def _matern12(t: Decimal, lengthscale: Decimal, sd: Decimal) -> Decimal:
    return sd**2 * (-abs(t) / lengthscale).exp()


def _matern32(t: Decimal, lengthscale: Decimal, sd: Decimal) -> Decimal:
    distance = Decimal(3).sqrt() * abs(t) / lengthscale
    return sd**2 * (1 + distance) * (-distance).exp()


def _deep(layers: int) -> Callable[..., Decimal]:
    def function(t: Decimal, lengthscale: Decimal, sd: Decimal) -> Decimal:
        u = t * t / (2 * lengthscale**2)
        k = (-u).exp()
        for _ in range(layers - 1):
            k = (k - 1 - u).exp()
        return sd**2 * k

    return function


def _endless(t: Decimal, lengthscale: Decimal, sd: Decimal) -> Decimal:
    """By Newton's method on ``k = exp(k - 1 - u)``, from below, where it is monotone."""
    u = t * t / (2 * lengthscale**2)
    if u == 0 or u > 10**6:
        return sd**2 * (u == 0)
    k = Decimal(0)
    for _ in range(400):
        image = (k - 1 - u).exp()
        step = (image - k) / (1 - image)
        k += step
        if abs(step) < abs(k) * Decimal(10) ** -90:
            break
    return sd**2 * k


def _per(t: Decimal, lengthscale: Decimal, period: Decimal, sd: Decimal) -> Decimal:
    z = 1 / lengthscale**2
    base = _scaled_bessel(z)
    return sd**2 * ((z * (_cos(2 * PI * t / period) - 1)).exp() - base) / (1 - base)


def _cosine(t: Decimal, period: Decimal, sd: Decimal) -> Decimal:
    return sd**2 * _cos(2 * PI * t / period)


def _categories(t: Decimal, contrast: Decimal, sd: Decimal) -> Decimal:
    return sd**2 if t == 0 else sd**2 / (1 + contrast)


ORACLES: dict[str, Callable[..., Decimal]] = {
    "SE": _se, "RQ": _rq, "Matern12": _matern12, "Matern32": _matern32, "Deep2": _deep(2), "Deep3": _deep(3),
    "Deep": _endless, "Per": _per, "Cos": _cosine, "Cat": _categories,
}  # fmt: skip

CASES = [
    ("SE", (0.7, 1.3)),
    ("SE", (1e-3, 2.0)),
    ("SE", (1e6, 2.0)),
    *(("RQ", (0.8, 1.3, alpha)) for alpha in (1e-3, 0.1, 1.0, 20.0, 99.0, 101.0, 1e4, 1e8)),
    *((symbol, (scale, 1.3)) for symbol in ("Matern12", "Matern32") for scale in (1e-3, 0.7, 1e4)),
    *(("Deep2", (scale, 1.3)) for scale in (1e-3, 0.7, 1e4)),
    ("Deep3", (0.7, 1.3)),
    *(("Deep", (scale, 1.3)) for scale in (1e-3, 0.7, 9.0, 1e4)),
    ("Cos", (0.7, 1.3)),
    *(("Cat", (contrast, 1.3)) for contrast in (1e-6, 0.3, 1.0, 1e6)),
    *(("Per", (length, 0.7, 1.3)) for length in (1e-3, 0.02, 0.12, 0.13, 0.3, 0.7, 0.99, 1.01, 3.1, 3.2)),
    *(("Per", (length, 0.7, 1.3)) for length in (5.0, 9.9, 10.1, 40.0, 1e3, 1e6, 1e9)),
]


def _exact(symbol: str, logs: list[Decimal]) -> list[Decimal]:
    return [ORACLES[symbol](Decimal(float(t)), *(value.exp() for value in logs)) for t in LAGS]


@pytest.mark.parametrize(("symbol", "values"), CASES)
def test_value_and_derivatives_have_twelve_digits(symbol: str, values: tuple[float, ...]) -> None:
    with localcontext(prec=95):
        logs = [Decimal(value).ln() for value in values]
        value, slopes = STATIONARY[symbol].value_and_derivatives(LAGS, *values)
        _assert_close(value, _exact(symbol, logs))
        _assert_close(STATIONARY[symbol].value(LAGS, *values), _exact(symbol, logs))
        step = Decimal(10) ** -28
        for index, slope in enumerate(slopes):
            up, down = ([x + sign * step * (i == index) for i, x in enumerate(logs)] for sign in (1, -1))
            pairs = zip(_exact(symbol, up), _exact(symbol, down), strict=True)
            # At tiny lengthscales the lag modulo the period is amplified by the slope of the kernel: inherent.
            tolerance = 1e-6 if symbol == "Per" and values[0] < 0.1 else 1e-12
            _assert_close(slope, [(high - low) / (2 * step) for high, low in pairs], tolerance)


@pytest.mark.parametrize(("symbol", "values"), CASES)
def test_the_slope_by_the_lag_has_twelve_digits(symbol: str, values: tuple[float, ...]) -> None:
    with localcontext(prec=95):
        step, numbers = Decimal(10) ** -28, [Decimal(value) for value in values]
        places = [[Decimal(float(t)) + sign * step for t in LAGS] for sign in (1, -1)]
        above, below = ([ORACLES[symbol](t, *numbers) for t in side] for side in places)
        exact = [(high - low) / (2 * step) for high, low in zip(above, below, strict=True)]
        if symbol == "Cat":  # its value jumps beside lag zero
            assert not any(exact[1:])
            exact[0] = Decimal(0)
        found = STATIONARY[symbol].slope(LAGS, *values)
        assert found[0] == 0.0
        tolerance = 1e-6 if symbol == "Per" and values[0] < 0.1 else 1e-12
        _assert_close(found, exact, tolerance)


def _assert_close(found: np.ndarray, exact: list[Decimal], tolerance: float = 1e-12) -> None:
    expected = np.array([float(value) for value in exact])
    assert np.abs(found - expected).max() <= tolerance * np.abs(expected).max()


@given(
    st.sampled_from(sorted(STATIONARY)),
    st.lists(st.floats(-12.0, 12.0), min_size=3, max_size=3),
    st.lists(st.floats(-1e4, 1e4), min_size=1, max_size=20),
)
def test_even_bounded_finite_and_the_same_with_derivatives(symbol: str, logs: list[float], lags: list[float]) -> None:
    names = [name for name, _ in LEAVES[symbol].names_and_roles]
    values = [float(np.exp(value)) for value in logs[: len(names)]]
    lag = np.array(lags)
    value, slopes = STATIONARY[symbol].value_and_derivatives(lag, *values)
    variance = values[names.index("sd")] ** 2
    assert np.isfinite(value).all()
    assert np.abs(value).max() <= variance * (1 + 1e-12)
    assert all(np.isfinite(slope).all() for slope in slopes)
    assert len(slopes) == len(names)
    np.testing.assert_allclose(value, STATIONARY[symbol].value(-lag, *values), atol=1e-12 * variance)
    np.testing.assert_array_equal(slopes[names.index("sd")], 2.0 * value)
    assert STATIONARY[symbol].value(np.zeros(1), *values)[0] == pytest.approx(variance, rel=1e-14)


@given(
    st.sampled_from(sorted(STATIONARY)), st.lists(st.floats(-1.5, 2.0), min_size=3, max_size=3), st.floats(-5.0, 5.0)
)
def test_the_slope_is_the_limit_of_differences_and_odd(symbol: str, logs: list[float], lag: float) -> None:
    function, step = STATIONARY[symbol], 1e-6
    values = np.exp(logs[: len(LEAVES[symbol].names_and_roles)]).tolist()
    assume(lag == 0.0 or abs(lag) > 10.0 * step)  # no difference reaches over the kink of a rough leaf
    above, here, below = function.value(np.array([lag + step, lag, lag - step]), *values)
    slope, mirrored, at_zero = function.slope(np.array([lag, -lag, 0.0]), *values)
    steepest = max(abs(above - here), abs(here - below)) / step
    allowed = 1e-4 * max(steepest, values[-1] ** 2, 1.0)
    assert slope == pytest.approx((above - below) / (2.0 * step), rel=1e-4, abs=allowed)
    assert mirrored == -slope
    assert at_zero == 0.0


@pytest.mark.parametrize("shape", [(), (0,), (6,), (2, 3)])
@pytest.mark.parametrize("symbol", sorted(STATIONARY))
def test_inputs_are_not_changed_and_any_shape_works(symbol: str, shape: tuple[int, ...]) -> None:
    lag = np.linspace(-2.0, 2.0, int(np.prod(shape))).reshape(shape)
    before, values = lag.copy(), (0.9,) * len(LEAVES[symbol].names_and_roles)
    value, slopes = STATIONARY[symbol].value_and_derivatives(lag, *values)
    assert STATIONARY[symbol].value(lag, *values).shape == shape
    assert {np.shape(array) for array in (value, *slopes, STATIONARY[symbol].slope(lag, *values))} == {shape}
    np.testing.assert_array_equal(lag, before)
