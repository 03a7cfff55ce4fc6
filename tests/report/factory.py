"""Documents for the tests of the report room: a rich one made of synthetic numbers, and one full of hostile text."""

import numpy as np
from numpy.typing import NDArray

from autostatistician.describe.document.document import (
    Band,
    Bullets,
    Document,
    Figure,
    Line,
    Marker,
    Panel,
    Paragraph,
    Points,
    Section,
    Table,
)

Vector = NDArray[np.float64]

MONTHS = np.arange("2010-01", "2024-01", dtype="M8[M]").astype("M8[D]")  # 12 years of data, 2 of forecast
N = 144
STEPS = np.arange(len(MONTHS), dtype=np.float64)
TREND = 110.0 + 2.4 * STEPS
SEASON = (12.0 + 0.45 * STEPS) * (np.cos(2 * np.pi * (STEPS - 6.5) / 12) + 0.3 * np.sin(4 * np.pi * STEPS / 12))
WAVE = 14.0 * np.sin(STEPS / 17.0)
END = "2021-12-01"
HOSTILE = "<script>alert('$x_1$')</script> & \"a|b\" `c` **d** [e](https://example.org/evil)\x00\u202e"


def _noise() -> Vector:
    return np.random.default_rng(0).normal(size=N) * (2.0 + 0.05 * STEPS[:N])


def _spread(base: float, growth: float) -> Vector:
    return base + growth * np.sqrt(np.maximum(STEPS - N + 1, 0.0))


def _band(mean: Vector, half: Vector, label: str, role: str) -> Band:
    return Band(MONTHS, mean - half, mean + half, label, role)


def _samples(mean: Vector, sd: Vector) -> tuple[Line, ...]:
    rng = np.random.default_rng(1)
    kernel = np.exp(-(np.linspace(-2, 2, 15) ** 2))
    draws = [np.convolve(rng.normal(size=len(mean) + 14), kernel / np.linalg.norm(kernel), "valid") for _ in range(3)]
    return tuple(Line(MONTHS, mean + sd * draw, "possible courses", "sample") for draw in draws)


def key_figure() -> Figure:
    """Data, posterior and forecast: one wide panel."""
    y, mean = TREND + SEASON + WAVE, TREND + SEASON + WAVE
    late = slice(N - 1, None)
    spread = _spread(9.0, 8.0)
    layers = (
        _band(mean, _spread(18.0, 0.0), "range of 95% of observations", "observation"),
        Band(MONTHS[late], (mean - 2 * spread)[late], (mean + 2 * spread)[late], "forecast, 95% range", "forecast"),
        Line(MONTHS[:N], mean[:N], "fitted course"),
        Line(MONTHS[late], mean[late], "forecast", "forecast"),
        Points(MONTHS[:N], y[:N] + _noise(), "observations"),
        Marker(END, "end of the data"),
    )
    return Figure(
        "data", "The data, the fitted course, and the forecast for the next 24 months with the range that holds 95% "
        "of observations.", "The series rises from about 110 to 500, with a yearly cycle whose swing grows, and is "
        "expected to go on rising.", (Panel("", "Month", "Passengers (thousands)", layers),),
    )  # fmt: skip


def _component_figure(number: int, part: Vector, total: Vector) -> Figure:
    half = _spread(5.0, 4.0)
    own = (_band(part, 2 * half, "95% range", "signal"), Line(MONTHS, part, "posterior mean"), Marker(END, "data end"))
    upto = (
        _band(total, 2 * half, "95% range", "signal"), Line(MONTHS, total, "posterior mean"),
        Points(MONTHS[:N], (TREND + SEASON + WAVE)[:N] + _noise(), "observations"), Marker(END, "data end"),
    )  # fmt: skip
    panels = (
        Panel(f"Component {number} by itself", "Month", "Passengers (thousands)", own),
        Panel(f"All parts up to number {number}, with the data", "Month", "Passengers (thousands)", upto),
    )
    return Figure(f"component-{number}", f"Component {number} and the sum so far.", f"Curve of part {number}.", panels)


def _component(number: int, title: str, text: str, part: Vector, total: Vector) -> Section:
    blocks = (
        Paragraph(text, (f"fact-{number}",)),
        Paragraph("It raises the share of variance explained from 85.4% to 98.5%, and lowers the error by 63%."),
        _component_figure(number, part, total),
    )
    return Section(f"component-{number}", title, blocks)


def _checks() -> Figure:
    lags = np.arange(1.0, 73.0)
    wave = np.cos(lags / 3) * np.exp(-lags / 25)
    lines = (Band(lags, wave * 0 - 0.2, wave * 0 + 0.2, "expected range", "signal"), Line(lags, wave, "residuals"))
    titles = (
        ("Autocorrelation", "Lag (months)", "Correlation"),
        ("Periodogram", "Frequency (1/year)", "dB"),
        ("Quantiles", "Expected", "Found"),
    )
    return Figure("checks", "Three checks.", "No check stands out.", tuple(Panel(a, b, c, lines) for a, b, c in titles))


def _forecast_figure() -> Figure:
    mean = TREND + SEASON + WAVE
    late = slice(N - 36, None)
    layers = (
        Points(MONTHS[N - 36 : N], (mean[:N] + _noise())[N - 36 :], "observations"),
        *(Line(s.x[late], s.y[late], s.label, s.role) for s in _samples(mean, _spread(4.0, 8.0))),
        Marker(END, "end of the data"),
    )
    panel = Panel("Three courses the series could take", "Month", "Passengers (thousands)", layers)
    return Figure("courses", "Draws from the model.", "Three curves that fan out after the end of the data.", (panel,))


def _summary() -> Section:
    table = Table(
        "gain", "What each component adds.",
        ("Component", "Variance explained (%)", "Added (points)", "Of what was left (%)", "Error", "Reduction (%)"),
        (
            ("None", "", "", "", "280.30", ""),
            ("1 A linear rise", "85.4", "85.4", "85.4", "34.03", "87.9"),
            ("2 A yearly cycle with a growing swing", "98.5", "13.2", "89.9", "12.42", "63.5"),
            ("3 A smooth change over about 5 years", "99.8", "1.3", "85.1", "9.11", "26.7"),
            ("4 Noise with a growing spread", "100.0", "0.2", "100.0", "9.11", "0.0"),
        ), (False, True, True, True, True, True),
        "Error: mean absolute error of ten-fold cross-validation, in thousands of passengers.",
    )  # fmt: skip
    return Section(
        "summary", "Summary",
        (
            Paragraph("Four components explain the series. The first two explain 98.5% of its variance."),
            Bullets(
                ("A rise of 29 thousand passengers a year.", "A yearly cycle whose swing grows.", "A smooth change.",
                 "Noise whose spread grows from 2 to 9 thousand passengers."),
                ("component-1", "component-2", "component-3", ""),
            ),
            table,
            Paragraph("The checks found nothing that contradicts the model.", emphasis=True),
        ),
    )  # fmt: skip


def airline_like() -> Document:
    """A report of 12 years of monthly numbers with a trend, a growing season and a slow wave."""
    components = (
        _component(1, "A linear rise", "This component rises by 29 thousand passengers a year.", TREND, TREND),
        _component(2, "A yearly cycle with a growing swing", "It repeats every 1.0 years.", SEASON, TREND + SEASON),
        _component(3, "A smooth change", "It changes over about 5 years.", WAVE, TREND + SEASON + WAVE),
    )
    path = Table(
        "path", "The search, level by level.", ("Level", "Expression", "BIC", "Seconds"),
        (("1", "Lin", "1504.2", "0.4"), ("2", "Lin + SE * Per * Lin", "1190.0", "2.1"),
         ("3", "Lin + SE * Per * Lin + SE + WN * Lin", "1123.6", "9.0")), (True, False, True, True),
    )  # fmt: skip
    return Document(
        "Passengers of a synthetic airline", "144 monthly observations from January 2010 to December 2021",
        "Passenger numbers rise by 29 thousand a year, with a yearly cycle whose swing grows; they are expected to "
        "reach between 540 and 610 thousand in July 2023.",
        (
            _summary(),
            Section("components", "The components", (Paragraph("From the most to the least useful."),), components),
            Section("forecast", "Forecast", (Paragraph("All parts are assumed to go on."), _forecast_figure())),
        ),
        ("2 rows without a value were left out.", "The dates were read as months."),
        {"expression": "Lin + SE * Per * Lin + SE + WN * Lin", "bic": 1123.6, "n": 144},
        ("Lloyd et al. (2014), Automatic construction of models, https://example.org/lloyd2014.",),
        picture=key_figure(), points=("It rises by 29 thousand a year.",), careful=("Anything beyond 2024.",),
        found=(
            Section("checks", "Model checks", (_checks(),)),
            Section("search", "The search", (Paragraph("For those who want to know."), path)),
        ),
    )  # fmt: skip


def hostile() -> Document:
    """The same hostile text in every field that can hold text."""
    t, x = HOSTILE, np.linspace(0.0, 1.0, 5)
    layers = (Points(x, x, t), Line(x, x, t, t), Band(x, x, x, t, t), Marker(0.5, t))
    figure = Figure(t, t, t, (Panel(t, t, t, layers), Panel(t, t, t, layers)))
    blocks = (Paragraph(t, (t,)), Bullets((t, t), (t, "")), Table(t, t, (t, t), ((t, t),), (False, True), t), figure)
    inner = Section(t + "inner", t, blocks, (), True)
    sections, record = (Section(t, t, blocks, (inner,)),), {t: [t, float("nan")]}
    return Document(t, t, t, sections, (t,), record, (t,), t, "en", figure, (t,), (t,), sections)
