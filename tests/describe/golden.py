"""Golden pages: whole documents from models made by hand, as text that stands in the folder ``pages``.

After a change of words that is meant, ``python -m tests.describe.golden`` writes them anew: read what git then shows.
"""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import fields, replace
from functools import cache
from pathlib import Path

import numpy as np
from tests.decompose.table import classes, several
from tests.decompose.table.tables import bump, dataset, model
from tests.decompose.table.tables import decomposition as table
from tests.describe import cluster_cases, factory
from tests.describe.checks import ERRORS, FINE, alarm, trial
from tests.describe.covariate_cases import (
    FEASTS,
    HEAT,
    INCOME,
    NOISE,
    PRICE,
    PROMO,
    WEATHER,
    around,
    beside,
    with_columns,
)
from tests.describe.factory import MONTHLY, MONTHS, component, decomposition, ran
from tests.describe.function_cases import COURSE, ROOF, SCATTER, STEP
from tests.describe.grown import grown, straight
from tests.describe.spoken.lines import MODULES, SLOW, spoken_lines
from tests.describe.spoken.scales import columns_beside_shares, parts_of_totals, powered, shares

from autostatistician.data.outliers import Outlier, Screening
from autostatistician.data.transform import Transform, power_of
from autostatistician.decompose.records.series import Checks, CountDispersion, Decomposition, Tried, ZerosApart
from autostatistician.decompose.records.table import ByPoints, SeveralClasses, TableDecomposition
from autostatistician.describe.document.document import (
    Block,
    Bullets,
    Document,
    Figure,
    Paragraph,
    Section,
    Table,
    reading_order,
)
from autostatistician.describe.tell import document, sentences
from autostatistician.forms import Curve
from autostatistician.i18n.messages import ENGLISH, language, spoken_in
from autostatistician.kernels.kernel import Kernel, leaf

PAGES = Path(__file__).with_name("pages")
WN, LINE = leaf("WN", sd=3.0), leaf("Lin", sd=9.0, location=1900.0)
YEARLY = leaf("Per", lengthscale=1.0, period=1.0, sd=10.0)
Model = Decomposition | TableDecomposition | SeveralClasses


def _counts() -> Decomposition:
    """Counts that scatter twice as much as chance alone has it, modelled by the logarithm of their rate."""
    found = replace(grown(), criterion="evidence", transform_gain=7.2)
    usual = float(found.y.mean())  # misses of counts are told in their units
    parts = tuple(replace(part, mae=part.mae * usual) for part in found.components)
    return replace(
        found,
        components=parts,
        y=np.round(found.y),
        counts=CountDispersion(2.04, found.modelled, (0.012, 0.4), seen=0.014),
    )


def _zeros_apart() -> Decomposition:
    """Counts of which six in ten are zero, by a chance of their own."""
    found = _counts()
    y, counts = np.where(np.arange(len(found.y)) % 5 < 3, 0.0, found.y), found.counts
    assert counts is not None
    apart = ZerosApart(0.6, 0.52, 0.68, 112.0, 461.0)
    counts = replace(counts, law="hurdle", none=(0.6, 0.6), apart=apart)
    return replace(found, y=y, transform=replace(found.transform, least=0.5), counts=counts)


def weighed(found: Decomposition, *weights: float) -> Decomposition:
    """A decomposition with other models beside it, some with a part more and some with noise alone."""
    best = found.fitted.kernel
    others = (best + leaf("SE", lengthscale=5.0, sd=1.0), LINE + WN, WN, best + LINE)
    return replace(found, alternatives=tuple(zip((best, *others), weights, strict=False)), averaged=len(weights))


def _turning() -> Decomposition:
    mean = 40.0 - (MONTHS - 1957.0) ** 2
    joint = ran()
    parts = (
        component(leaf("SE", lengthscale=9.0, sd=9.0), MONTHS, mean, joint=joint),
        component(YEARLY * LINE, MONTHS, 1e-9 * np.cos(MONTHS)),
        component(WN, MONTHS),
    )
    return decomposition(parts, MONTHS, mean, MONTHLY)


def _checked() -> Decomposition:
    """Sudden changes, a season, alarms of checks, a test of forecasts and values that stand out."""
    alarms = (
        *(
            alarm(kind, place=place)
            for kind, place in (("distribution", None), ("periodogram", 0.25), ("course", None))
        ),
        alarm("quantiles", part=2),
    )  # fmt: skip
    rows = (
        Outlier(1955.0 + 10.0 / 12.0, 146.0, 50.2, chance=0.97),
        Outlier(float(MONTHS[-1]), 5.0, 51.0, aside=False),
        *(Outlier(1950.0 + year, 20.0, 51.0, returns="date 1 1 0") for year in range(3)),
    )
    return replace(
        weighed(factory.airline(), 0.4, 0.35, 0.25), function=replace(COURSE, sudden=(*COURSE.sudden, STEP)),
        checks=Checks((FINE, *alarms), ERRORS), calibration=trial(0.6), screening=Screening(rows, 57.0), offset=100.0,
        tried=TRIED, proposed=(1, 1234, 40), stages=(250, 1000, 9000), limits=(0.0, 1e3),
    )  # fmt: skip


TRIED = (
    Tried(2, "SE * Per + WN", 20.0, 2), Tried(1, "SE + WN", 50.0, 3), Tried(1, "Lin + WN", 51.0, 3),
    Tried(0, "WN", 90.0, None),
)  # fmt: skip


def _well_tested() -> Decomposition:
    """Nothing unusual in the checks, ranges that held, a roof of a course, a change of scatter, by evidence."""
    course = replace(COURSE, stretches=ROOF, sudden=(), scatter=SCATTER)
    found = weighed(factory.airline(), 0.9, 0.1)
    ending = Outlier(float(MONTHS[-1]), 5.0, 51.0, aside=False, ending=True, chance=0.6)
    return replace(
        found, function=course, checks=Checks((FINE,), ERRORS), calibration=trial(0.95), criterion="evidence",
        tried=TRIED, screening=Screening((ending,), 3.0, lasting=0.4),
    )  # fmt: skip


def _few() -> Decomposition:
    x = MONTHS[:12]
    parts = (component(leaf("C", sd=50.0), x, np.full(12, 50.0)), component(leaf("WN", sd=1.0), x))
    return decomposition(parts, x, 50.0 + np.sin(9.0 * x), MONTHLY, criterion="evidence", signal_r2=0.0)


def _zeros() -> Decomposition:
    """Counts of which most are zero: noise comes first, and a level that would raise the error after it."""
    counts = np.where(np.arange(144) % 3 == 0, np.arange(144.0) % 5, 0.0)
    noise = component(WN, MONTHS, counts - 1.0, (96.1, 96.1, 1.84))
    level = component(leaf("C", sd=1.5), MONTHS, np.ones(144), (4.4, 4.4, 2.05))
    return decomposition((noise, level), MONTHS, counts, MONTHLY, criterion="evidence", signal_r2=0.044)


def _same() -> Decomposition:
    part = component(leaf("C", sd=5.0), MONTHS, np.full(144, 5.0))
    return decomposition((part,), MONTHS, np.full(144, 5.0), MONTHLY, signal_r2=0.0, noise_floor=1e-3)


def _line() -> Decomposition:
    x, mean = np.arange(30.0), 3.0 + 2.0 * np.arange(30.0)
    parts = (component(leaf("Lin", sd=2.0, location=-1.5), x, mean), component(leaf("WN", sd=1e-9), x))
    axis = replace(factory.PLAIN, column="x", step=1.0)
    return decomposition(parts, x, mean, axis, noise_floor=1e-6, target="y", name="y")


def _columns_on_logarithm() -> Decomposition:
    """A column that may matter, one that goes with time and a curve of per cent, with a plan."""
    heat = replace(HEAT, places=tuple(replace(at, effect=around(0.01 * at.effect.number, 0.02)) for at in HEAT.places))
    perhaps = replace(PROMO, probability=0.45, size=around(0.2, 0.05), witness=None)
    found = grown()
    columns = beside(
        heat, perhaps, INCOME, y=found.y, fit=found.observation, forecast=found.forecast, fillings=(),
        planned_until=float(found.forecast.x[-1]), beyond=("temperature",),
    )  # fmt: skip
    return replace(found, covariates=columns)


def _holidays() -> Decomposition:
    """Days with a week, beside holidays and a promotion."""
    x, ahead = np.arange(700.0), 700.0 + np.arange(14)
    week = component(leaf("Per", lengthscale=0.7, period=7.0, sd=9.0), x, 9.0 * np.sin(2.0 * np.pi * x / 7.0))
    noise = component(leaf("WN", sd=1.0), x)
    found = decomposition((week, noise), x, week.mean + noise.mean, factory.DAILY)
    every = np.concatenate([x, ahead])
    used = (replace(one, added=Curve.normal(every, 0.0 * every, 0.0 * every)) for one in (PROMO, *FEASTS))
    columns = beside(
        *used, y=found.y, fit=Curve.normal(x, found.y, np.ones(700)), fillings=(),
        forecast=Curve.normal(ahead, found.y[-1] + 0.1 * np.arange(14.0), np.full(14, 8.0)),
        planned_until=float(ahead[-1]),
    )  # fmt: skip
    return replace(found, covariates=columns)


def _heavy() -> Decomposition:
    return replace(factory.airline(), screening=Screening(heavy=7), choice="Read by months.", cut="interruption")


def _table(**changes: object) -> TableDecomposition:
    found = table(model(), dataset())
    first = replace(found.effects[0], share=1.04, share_span=(0.64, 1.05))
    columns = tuple(replace(one, probability=p) for one, p in zip(found.columns, (1.0, 0.97, 0.3, 0.4), strict=True))
    return replace(found, effects=(first, *found.effects[1:]), columns=columns, **changes)  # type: ignore[arg-type]


def _spoilt() -> TableDecomposition:
    data = dataset(60)
    y = data.y.copy()
    y[17] += 0.5 * np.std(y)
    return replace(table(model(), replace(data, y=y)), by_points=ByPoints(200, 500, 1.3), tried=TRIED)


def _counts_of_table() -> TableDecomposition:
    found = table(model(), dataset(60))
    scatter = CountDispersion(2.04, found.y, law="negative-binomial", gain=14.4)
    return replace(found, transform=Transform("log", 3.0), counts=scatter)


def _table_of_power() -> TableDecomposition:
    found = _table()
    return replace(found, y=found.y + 10.0, transform=power_of(found.y + 10.0, 0.4))


CONSISTENT: dict[str, Callable[[], Model]] = {  # what they say of one thing agrees, as that of a search does
    "airline": lambda: weighed(factory.airline(), 0.979, 0.021),
    "no majority": lambda: weighed(factory.airline(), 0.248, 0.2, 0.2, 0.2, 0.152),
    "cut": lambda: replace(weighed(factory.airline(), 0.7, 0.3), cut="budget"),
    "solar": lambda: weighed(factory.solar(), 0.998, 0.002),
    "cycles": lambda: weighed(factory.several_cycles(), 0.5, 0.3, 0.2),
    "noise": lambda: replace(factory.noise_only(), signal_r2=-0.0),
    "turning": lambda: weighed(_turning(), 0.6, 0.4),
    "table": _table,
    "table of noise": lambda: table(leaf("WN", sd=1.5), dataset(30)),
    "table, cut": lambda: _table(cut="depth"),
    "table of four": lambda: table(
        Kernel.product(tuple(bump(name) for name in "abcd")) + leaf("WN", sd=0.3), dataset(60)
    ),
}
MODELS = CONSISTENT | {
    "checked": _checked,
    "well tested": _well_tested,
    "few rows": _few,
    "one value": _same,
    "line": _line,
    "mostly zeros": _zeros,
    "heavy tails": _heavy,
    "logarithm": grown,
    "learned scale": powered,
    "table on a learned scale": _table_of_power,
    "counts": _counts,
    "counts with zeros apart": _zeros_apart,
    "shares": shares,
    "parts of totals": parts_of_totals,
    "open scale": lambda: replace(straight(), criterion="evidence", transform_gain=2.0, scale_probability=0.731),
    "spoilt table": _spoilt,
    "counts of a table": _counts_of_table,
    "columns": lambda: weighed(with_columns(PROMO, PRICE, WEATHER, NOISE), 0.9, 0.1),
    "columns on a logarithm": _columns_on_logarithm,
    "columns beside shares": columns_beside_shares,
    "holidays": lambda: weighed(_holidays(), 0.9, 0.1),
    "classes": classes.decomposition,
    "classes of noise": classes.nothing,
    "classes over time": lambda: several.found_over_time().each[0],
    "several classes": several.found,
    "several classes over time": several.found_over_time,
    "several classes of noise": several.nothing,
}
CLUSTERS: dict[str, dict[str, object]] = {"clusters": {}, "chains apart": {"r_hat": 1.2}}
TRANSLATED = {"de": ("airline", "table", "clusters")}  # pages in other languages, too


@cache
def _model(name: str, _: str) -> Model:
    return MODELS[name]()


def page(name: str) -> tuple[Document, tuple[str, ...]]:
    """A golden document, and its sentences, in the language of the moment."""
    return _page(name, language())


@cache
def _page(name: str, spoken: str) -> tuple[Document, tuple[str, ...]]:
    if name in CLUSTERS:
        partition = replace(cluster_cases.found(), **CLUSTERS[name])  # type: ignore[arg-type]
        return document(partition), sentences(partition)
    return document(_model(name, spoken)), sentences(_model(name, spoken))


def page_text(name: str) -> str:
    """All that a golden document says, a line for each text, with the kinds of its facts."""
    made, told = page(name)
    return "\n".join([*told, "", *_lines(made), f"facts: {', '.join(_fact_kinds(name, made))}"]) + "\n"


def _fact_kinds(name: str, made: Document) -> list[str]:
    """The names of the kinds of facts that a page is made from."""
    facts, known = made.record["facts"], _model(name, language()) if name in MODELS else None
    assert isinstance(facts, list)
    course = made.record["function"] if isinstance(known, Decomposition) else ()
    return sorted({*(fact["fact"] for fact in facts), *(["Claim"] if course else ())})


def _lines(made: Document) -> Iterator[str]:
    yield from filter(None, (made.title, made.subtitle, made.choice, made.abstract))
    yield from () if made.picture is None else _block(made.picture)
    yield from _block(Bullets(made.points))
    for section in reading_order(made):
        yield from _section(section)


def _section(section: Section) -> Iterator[str]:
    yield f"\n# {section.title}"
    for block in section.blocks:
        yield from _block(block)
    for inner in section.sections:
        yield from _section(inner)


def _block(block: Block) -> Iterator[str]:
    match block:
        case Paragraph():
            yield block.text
        case Bullets():
            yield from (f"- {item}" for item in block.items)
        case Table():
            yield block.caption
            yield from (" | ".join(row) for row in (block.header, *block.rows))
            yield block.notes
        case Figure():
            yield from (block.caption, block.alt)
            for panel in block.panels:
                names = (value for field in fields(panel) if isinstance(value := getattr(panel, field.name), str))
                labels = (layer.label for layer in panel.layers)
                yield " | ".join([*names, *labels])


def path_of(name: str) -> Path:
    """Where the text of a golden page stands, in the language of the moment."""
    folder = PAGES if language() == ENGLISH else PAGES / language()
    return folder / f"{name.replace(',', '').replace(' ', '-')}.txt"


def _write_sentences(modules: Iterable[str]) -> None:
    told = [line for module in modules for line in spoken_lines(module)]
    path_of("sentences").write_text("\n".join(told) + "\n", encoding="utf-8")


def write_pages() -> None:
    """All golden pages anew, and the golden sentences."""
    PAGES.mkdir(exist_ok=True)
    _write_sentences(MODULES)
    for name in (*MODELS, *CLUSTERS):
        path_of(name).write_text(page_text(name), encoding="utf-8")
    for spoken, names in TRANSLATED.items():
        (PAGES / spoken).mkdir(exist_ok=True)
        with spoken_in(spoken):
            _write_sentences(module for module in MODULES if module not in SLOW)
            for name in names:
                path_of(name).write_text(page_text(name), encoding="utf-8")


if __name__ == "__main__":
    write_pages()
