"""What holds of every sentence, whatever the model: grammar, numbers, no symbols."""

import json
import re

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.describe.factory import (
    BUSINESS,
    DAILY,
    DAYS,
    DEPTHS,
    HOURLY,
    MONTHLY,
    MONTHS,
    PLAIN,
    YEARLY,
    YEARS,
    ZERO,
    Vector,
    component,
    decomposition,
    observed,
    ran,
)

from autostatistician.data.times.axes import Axis
from autostatistician.decompose.records.series import Joint
from autostatistician.describe.document.record import fact_json
from autostatistician.describe.tell import sentences
from autostatistician.describe.words.description import description, extrapolation
from autostatistician.describe.words.parts import summary
from autostatistician.kernels.expr import product_of
from autostatistician.kernels.kernel import Kernel, leaf, parameters
from autostatistician.kernels.rewrite import components as parts_of

AXES: tuple[tuple[Axis, Vector], ...] = (
    (MONTHLY, MONTHS), (YEARLY, YEARS), (DAILY, DAYS), (HOURLY, DAYS), (BUSINESS, DAYS), (PLAIN, DEPTHS),
)  # fmt: skip
SHARE = st.floats(1e-4, 20.0)
PLACE = st.floats(-0.7, 1.7)
ARTICLE = re.compile(r"\b(a|an) (\d[\d,.]*|\w+)")


@st.composite
def _leaf(draw: st.DrawFn, first: float, span: float) -> Kernel:
    symbol = draw(st.sampled_from(["SE", "RQ", "Matern12", "Matern32", "Per", "Cos", "Lin", "C", "WN"]))
    length, size = span * draw(SHARE), draw(st.floats(1e-6, 1e6))
    numbers = {
        "SE": {"lengthscale": length, "sd": size},
        "RQ": {"lengthscale": length, "sd": size, "alpha": 0.5},
        "Per": {"lengthscale": draw(st.floats(0.01, 100.0)), "period": length, "sd": size},
        "Matern12": {"lengthscale": length, "sd": size},
        "Matern32": {"lengthscale": length, "sd": size},
        "Cos": {"period": length, "sd": size},
        "Lin": {"sd": size, "location": first + span * draw(PLACE)},
    }
    return leaf(symbol, **numbers.get(symbol, {"sd": size}))


@st.composite
def components(draw: st.DrawFn, first: float, span: float) -> Kernel:
    """One product of leaves, perhaps behind changes with an empty side."""
    kernel = Kernel.product(tuple(draw(st.lists(_leaf(first, span), min_size=1, max_size=5))))
    for kind in draw(st.lists(st.sampled_from(["before", "after", "outside", "inside"]), max_size=2)):
        place, steepness = first + span * draw(PLACE), draw(st.floats(1e-2, 1e4)) / span
        pair = (kernel, ZERO) if kind in ("before", "outside") else (ZERO, kernel)
        if kind in ("before", "after"):
            kernel = Kernel.change_point(*pair, place, steepness)
        else:
            kernel = Kernel.change_window(*pair, place, steepness, span * draw(st.floats(0.01, 1.0)))
    return kernel


@st.composite
def nested(draw: st.DrawFn, first: float, span: float, depth: int) -> Kernel:
    """Any expression of the grammar: sums, products and changes inside each other."""
    if depth == 0:
        return draw(_leaf(first, span))
    one = draw(nested(first, span, depth - 1))
    other = draw(nested(first, span, draw(st.integers(0, min(depth - 1, 1)))))
    place, steepness = first + span * draw(PLACE), draw(st.floats(1.0, 1e3)) / span
    match draw(st.sampled_from(["sum", "product", "point", "window"])):
        case "sum":
            return Kernel.sum((one, other))
        case "product":
            return Kernel.product((one, other))
        case "point":
            return Kernel.change_point(one, other, place, steepness)
        case _:
            return Kernel.change_window(other, one, place, steepness, span * draw(st.floats(0.02, 0.6)))


def check(text: str) -> None:
    """The rules that every text keeps."""
    assert text
    assert "  " not in text
    assert text == text.strip()
    assert not re.search(r"\b(nan|inf|None|SE|RQ|Per|Cos|Lin|WN|CP|CW|Matern\w*)\b", text), text
    assert not re.search(r"\b(\w+) \1\b", text), text
    assert "kernel" not in text.lower()
    assert not re.search(r"(?<![\d.,])1 (years|months|weeks|days|hours|minutes|seconds|units)\b", text), text
    for sentence in re.split(r"(?<=\.) (?=[A-Z])", text):
        assert sentence[0].isupper()
        assert sentence.endswith(".")
    assert not re.search(r",\.|\.\.|,,|\( | \)|;\.|,;| ,| ;", text), text
    assert not re.search(r"(?<![\d.,])0(\.0+)? (year|month|week|day|hour|minute|second|unit)", text), text
    assert not re.search(r"\b(swings|steps|changes) (probably )?(grows|shrinks|changes|is|takes|goes)\b", text), text
    assert not re.search(r"\b(size|change|part|curve|it) (probably )?(grow|shrink|are|take|go|rise|fall)\b", text), text
    assert not re.search(r"\bmay (probably|\w+s)\b", text), text
    for found, word in ARTICLE.findall(text):
        vowel = word[0] in "aeiouAEIOU" or word.startswith(("8", "hour")) or re.match(r"1[18](\D|$)|1[18],", word)
        assert found == ("an" if vowel and not word.startswith(("unit", "one")) else "a"), text


CHANCE = st.sampled_from([0.0, 0.5, 0.93, 0.99, 1.0])


@st.composite
def runs(draw: st.DrawFn) -> Joint:
    """What joint draws may show of a part."""
    return ran(**{name: draw(CHANCE) for name in ("rising", "falling")})


def known(kernel: Kernel, seed: int, width: float) -> Vector:
    """Draws of the numbers of a kernel around their values."""
    noise = width * np.random.default_rng(seed).standard_normal((40, len(kernel.values)))
    positive = np.array([parameter.role.positive for parameter in parameters(kernel.expr)])
    values = np.array(kernel.values)
    return np.where(positive, values * np.exp(np.where(positive, noise, 0.0)), values + noise)


@pytest.mark.slow
@given(st.data(), st.sampled_from(AXES), st.integers(0, 4), st.floats(1e-9, 1e9), st.booleans())
def test_every_component_makes_proper_sentences(
    data: st.DataObject, where: tuple[Axis, Vector], shape: int, size: float, flat: bool
) -> None:
    axis, x = where
    span = float(x[-1] - x[0])
    kernel = data.draw(components(float(x[0]), span))
    t = (x - x[0]) / span
    mean = size * (t, -t, np.sin(9 * t), 0 * t, t + 0.2 * np.sin(60 * t))[shape]
    told = {"joint": data.draw(runs()), "numbers": known(kernel, shape, data.draw(st.sampled_from([0.0, 0.03, 1.0])))}
    facts, units = observed(kernel, axis, x, mean, slope_sd=0.0 if flat else size / span, **told)
    for text in (summary(facts, units), description(facts, units), extrapolation(facts, units)):
        check(text)
    json.dumps([fact_json(fact) for fact in facts], allow_nan=False)
    assert len(re.findall(r"\.(?= [A-Z]|$)", description(facts, units))) <= 7


@pytest.mark.slow
@given(st.data(), st.sampled_from(AXES), st.integers(2, 10))
def test_every_part_of_a_nested_expression_makes_proper_sentences(
    data: st.DataObject, where: tuple[Axis, Vector], depth: int
) -> None:
    axis, x = where
    parts = parts_of(data.draw(nested(float(x[0]), float(x[-1] - x[0]), depth)))
    for part in parts[:4]:
        facts, units = observed(part, axis, x)
        for text in (summary(facts, units), description(facts, units), extrapolation(facts, units)):
            check(text)


def test_noise_that_no_datum_shows_has_no_size() -> None:
    late = Kernel.change_point(ZERO, leaf("WN", sd=1.0) * leaf("Lin", sd=1.0, location=1900.0), 1999.0, 50.0)
    told = description(*observed(late))
    assert told == "No value shows it."
    assert summary(*observed(late)).endswith("which applies only outside of the data.")


def test_sentences_of_a_model_come_in_order() -> None:
    parts = tuple(component(k, MONTHS) for k in (leaf("SE", lengthscale=2.0, sd=1.0), leaf("WN", sd=1.0)))
    found = decomposition(parts, MONTHS, np.sin(MONTHS), MONTHLY)
    assert sentences(found) == (
        "A smooth, irregular variation that changes course within about 2 years; it adds between −10 and 10.",
        "Random noise; 95% of it lies within ±2.",
    )


def test_a_product_keeps_its_words_in_any_order() -> None:
    parts = (
        leaf("SE", lengthscale=3.0, sd=1.0),
        leaf("Per", lengthscale=1.0, period=1.0, sd=1.0),
        leaf("Lin", sd=1.0, location=1940.0),
    )
    told = {summary(*observed(Kernel.product(order))) for order in (parts, parts[::-1])}
    assert len(told) == 1
    assert product_of(tuple(part.expr for part in parts)) == Kernel.product(parts).expr


@pytest.mark.parametrize("name", ["'; DROP", "<b>x</b>", "a\tb\nc", "é" * 200])
def test_column_names_reach_the_text_on_one_line(name: str) -> None:
    axis = Axis(name, "", "", None)
    facts, units = observed(leaf("Per", lengthscale=1.0, period=2.0, sd=1.0), axis, DEPTHS)
    assert "\n" not in summary(facts, units)
    assert len(summary(facts, units)) < 150
