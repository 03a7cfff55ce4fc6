"""The tables of the sources that cost seconds, made by this library: ``python docs/gallery/tables.py``.

It writes ``tables.md``: table 3.1 of the thesis (models that sums and products express, each of them fitted), 4.1 and
4.2 (what the description says of every leaf, and of products with a cycle, from draws), 7.1 (sizes of data), and where
our counterparts of all other tables are.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np
import pandas as pd

from autostatistician import SymmetricGPRegressor, load_example, sample
from autostatistician.data.load import load
from autostatistician.data.transform import Transform
from autostatistician.describe.tell import parts
from autostatistician.fitted.explanation import decomposition
from autostatistician.fitted.model import Model
from autostatistician.kernels import parse_kernel
from autostatistician.kernels.leaf_row import LeafKind
from autostatistician.kernels.leaves import LEAVES
from autostatistician.kernels.traits import effective_parameters
from autostatistician.search.state import Watched
from look import HERE, Absent, Array, data
from sources import Source, sources

__all__ = ["MODELS", "PAGE", "expressible", "page", "phrases", "said_of", "sizes"]

PAGE, BENCHMARKS = HERE / "tables.md", HERE.parents[1] / "benchmarks"


# Table 3.1 -------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Expressible:
    """A model of the literature, its expression, and the language whose search walks through its like ("" for none)."""

    name: str
    expression: str
    language: str = ""


MODELS = (
    Expressible("linear regression", "C + Lin + WN", "linear"),
    Expressible("polynomial regression", "C + Lin * Lin * Lin + WN", "full"),
    Expressible("semi-parametric regression", "Lin + SE + WN", "full"),
    Expressible("multiple kernel learning", "SE + SE + WN", "mkl"),
    Expressible("Fourier decomposition", "C + Cos + Cos + Cos + WN"),
    Expressible("trend, cyclical, irregular", "SE + SE + Per + WN", "tci"),
    Expressible("sparse spectrum", "Cos + Cos + Cos + Cos + WN"),
    Expressible("spectral mixture", "SE * Cos + SE * Cos + WN", "spectral"),
    Expressible("change points", "CP(SE, SE) + WN", "changepoint"),
    Expressible("variance that changes in time", "SE + Lin * WN", "full"),
    Expressible("interpretable and flexible", "SE[x1] + SE[x2] + SE[x1] * SE[x2] + WN", "full"),
    Expressible("additive process", "(C + SE[x1]) * (C + SE[x2]) + WN", "full"),
)


def two_columns() -> tuple[Array, Array]:
    """Rows (60, 2) and a function of both columns alone and together, with noise."""
    rng = np.random.default_rng(0)
    X = rng.uniform(-2.0, 2.0, (60, 2))
    return X, np.sin(2.0 * X[:, 0]) + X[:, 1] + 0.3 * X[:, 0] * X[:, 1] + 0.1 * rng.normal(size=len(X))


def expressible() -> list[list[str]]:
    """A row for each model: its expression, numbers, the log evidence of its best parameters, and a language."""
    airline, rows = load_example("airline"), []
    series = airline.X, airline.y - airline.y.mean()
    for model in MODELS:
        X, y = two_columns() if "x1" in model.expression else series
        fitted = SymmetricGPRegressor(model.expression, learned_priors=False, n_restarts=2).fit(X, y)
        numbers = effective_parameters(fitted.kernel_.expr)
        of = "two columns" if "x1" in model.expression else "airline"
        language = f"`{model.language}`" if model.language else "–"
        rows.append([model.name, f"`{model.expression}`", language, of, f"{numbers}", f"{fitted.log_evidence_:.0f}"])
    return rows


# Tables 4.1 and 4.2 ----------------------------------------------------------------------------------------

MONTHS = 120
SLOW = {"lengthscale": 1.5, "period": 1.0, "sd": 1.0, "location": 1995.0, "alpha": 1.0}
LINES = {"sd": 0.3, "location": 1994.0}
HEADS = ("Per", "SE", "WN")  # in the order in which one of them gives the noun
UNSEEN = (LeafKind.CATEGORIES, LeafKind.ZERO)
ZEROS = {"within the data": 2004.0, "after the data": 2012.0}
CHANGES = {
    "CP(k, C)": "CP({}, C(sd=0.01); location=2005.0, steepness=20.0)",
    "CP(C, k)": "CP(C(sd=0.01), {}; location=2005.0, steepness=20.0)",
    "CW(C, k)": "CW(C(sd=0.01), {}; location=2005.0, steepness=20.0, width=4.0)",
    "CW(k, C)": "CW({}, C(sd=0.01); location=2005.0, steepness=20.0, width=4.0)",
}
OTHER_CYCLE = "Per(lengthscale=1.5, period=3.3, sd=1.0)"

MODELS_HEAD = """## Table 3.1: models that sums and products express

Each was fitted, without a search: effective parameters as BIC counts them, evidence at the best parameters. The
language is one whose search tries models of this form.
"""
PHRASES_HEAD = """## Table 4.2: nouns

What reports say of each base kernel, on ten years of months drawn from it with a little noise. Directions and dates are
those of the draw.
"""
MODIFIERS_HEAD = """## Table 4.1: what factors add

The same for a cycle (`Per`, in changes `k`) with another factor; curves and noise are described in the same way.
"""


def leaf(symbol: str) -> str:
    """A leaf with all its numbers, for ten years of months."""
    numbers = LINES if symbol == "Lin" else SLOW
    given = ", ".join(f"{each.name}={numbers[each.name]}" for each in LEAVES[symbol].parameters)
    return f"{symbol}({given})"


def said_of(part: str, seed: int = 0) -> str:
    """The sentence of the report on a part, of a model of it and a little noise, and of data drawn from that."""
    noise = "" if "WN(" in part else " + WN(sd=0.05)"
    kernel = parse_kernel(part + noise)
    months = pd.date_range("2000-01", periods=MONTHS, freq="MS")
    years = 2000.0 + np.arange(MONTHS) / 12.0
    frame = pd.DataFrame({"month": months, "value": sample(kernel, years, random_state=seed)[0]})
    dataset = load(frame, time="month", target="value", name="drawn")
    step = Watched(0, 1, part, 0.0, 0.0, 0, 1, 0.0, 0.0, kernel=kernel, transform=Transform(), criterion="bic")
    told = parts(decomposition(Model.so_far(dataset, "extended", step), checked=False))
    leaves = [symbol for symbol in re.findall(r"\w+", part) if symbol in LEAVES]
    head = next((symbol for symbol in leaves if symbol in HEADS), leaves[0])
    return next(sentence for findings, sentence in told if head in findings.expression).split(";")[0].rstrip(".")


def phrases() -> tuple[list[list[str]], list[list[str]]]:
    """Of every leaf and polynomial its noun phrase; of every factor what it adds to a cycle."""
    alone = {symbol: leaf(symbol) for symbol, row in LEAVES.items() if row.kind not in UNSEEN}
    alone |= {"Lin * Lin": f"{leaf('Lin')} * {leaf('Lin')}", "Lin * Lin * Lin": " * ".join([leaf("Lin")] * 3)}
    nouns = [[f"`{name}`", said_of(part)] for name, part in alone.items()]
    factors = {"SE": leaf("SE"), "Per": OTHER_CYCLE, "Lin": leaf("Lin"), "Lin * Lin": alone["Lin * Lin"]}
    factors |= {f"Lin, zero {where}": f"Lin(sd=0.3, location={year})" for where, year in ZEROS.items()}
    rows = [["nothing", said_of(leaf("Per"))]]
    for name, factor in factors.items():
        symbol, comma, where = name.partition(",")
        rows.append([f"`× {symbol}`{comma}{where}", said_of(f"{leaf('Per')} * {factor}")])
    rows += [[f"`{name}`", said_of(form.format(leaf("Per")))] for name, form in CHANGES.items()]
    return nouns, rows


# Tables 6.2, 6.3 and 7.1 -----------------------------------------------------------------------------------


def sizes(kind: str, reference: str) -> list[list[str]]:
    """Rows, columns and classes of the sets for which there are published numbers.

    Raises
    ------
    Absent
        When they are not here.
    """
    names = pd.read_csv(BENCHMARKS / "reference" / f"{reference}.csv")["set"].unique()
    rows = []
    for name in names:
        table = pd.read_csv(data(f"{kind}/{name}.csv"))
        told = table.columns[table.columns.str.match("y$|label$|fold")]
        classes = table["label"] if "label" in table else table["y"] if kind == "classification" else table["y"][:0]
        rows.append([name, f"{len(table)}", f"{table.shape[1] - len(told)}", f"{classes.nunique() or '–'}"])
    return rows


# The page --------------------------------------------------------------------------------------------------

HEAD = """# Tables of the sources

Tables of D. Duvenaud's thesis and of the papers behind it. The last section says where those with our own measurements
are.
"""


def table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """A table in Markdown."""
    first, *others = ("| " + " | ".join(cell.replace("|", "\\|") for cell in line) + " |\n" for line in (head, *rows))
    return "".join([first, "|" + "---|" * len(head) + "\n", *others])


def page() -> str:
    """The whole page.

    Raises
    ------
    Absent
        When the data of the tables of sizes are not here.
    """
    nouns, modifiers = phrases()
    kinds = {"6.2": ("regression",) * 2, "6.3": ("classification",) * 2, "7.1": ("clustering", "clusters")}
    measured = (
        f"## Table {number}: sizes of the sets for {kind}\n\n"
        + table(["set", "rows", "columns", "classes"], sizes(kind, reference))
        for number, (kind, reference) in kinds.items()
    )
    models = ["model", "expression", "language that searches its like", "data", "numbers", "log evidence"]
    return "\n".join([HEAD, MODELS_HEAD, table(models, expressible()), PHRASES_HEAD,
                      table(["expression", "a part of it alone"], nouns), MODIFIERS_HEAD,
                      table(["factor", "the product"], modifiers), *measured, listed()])  # fmt: skip


def listed() -> str:
    """Where our counterparts of the tables that are not on this page are."""
    found: dict[str, list[Source]] = {}
    for each in sources():
        if each.is_table and each.path != PAGE:
            found.setdefault(each.ours, []).append(each)
    rows = [[", ".join(each.title for each in same), same[0].linked()] for same in found.values()]
    return "## Other tables\n\n" + table(["tables", "ours, beside their numbers"], rows)


def main() -> int:
    """Write the page; 1 when the data are not here."""
    try:
        written = page()
    except Absent as reason:
        print(f"left as it is, {reason}")
        return 1
    PAGE.write_text(written, encoding="utf-8")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
