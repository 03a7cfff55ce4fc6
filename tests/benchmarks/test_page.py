import re
from dataclasses import dataclass
from importlib import import_module
from math import log
from pathlib import Path
from statistics import fmean
from types import ModuleType
from typing import Any

import numpy as np
import pytest

# Medians and quartiles of figure 3.6 of the thesis, as its authors' table of standardised RMSE gives them.
PRINTED = {
    "ABCD-accuracy": (1.00, 1.07, 2.16),
    "ABCD-interpretability": (1.00, 1.45, 2.03),
    "spectral": (1.21, 1.54, 3.38),
    "trend-cyclical-irregular": (1.44, 1.80, 2.23),
    "MKL": (1.71, 1.85, 3.13),
    "Eureqa": (1.41, 2.23, 2.73),
    "changepoint": (1.66, 2.25, 3.54),
    "SE": (1.85, 2.85, 5.35),
    "linear": (1.51, 3.19, 4.31),
}
LANGUAGE = "full"


@dataclass(frozen=True)
class Bench:
    """The modules under test, and the tables of an empty folder."""

    rows: ModuleType
    figures: ModuleType
    measures: ModuleType
    page: ModuleType
    empty: Any

    def forecasts(self, factor: float, series: int = 13, seeds: int = 3, **more: str) -> list[dict[str, str]]:
        """Rows whose RMSE is a multiple of ABCD-accuracy's."""
        rows = self.measures.recorded("extrapolation", ["ABCD-accuracy"])[:series]
        given = {"method": LANGUAGE, "axis": "raw", "crps": "", "code": "1", "seconds": "1"} | more
        return [
            row | given | {"rmse": str(factor * float(row["rmse"])), "seed": str(seed)}
            for row in rows
            for seed in range(seeds)
        ]


@pytest.fixture
def bench(tmp_path: Path) -> Bench:
    modules = [import_module(name) for name in ("rows", "figures", "measures", "page")]
    return Bench(*modules, modules[0].Tables.read(tmp_path / "none"))


# Figures ---------------------------------------------------------------------------------------------------


def test_the_boxes_of_the_published_methods_are_those_of_the_thesis(bench: Bench) -> None:
    boxes = {box.label: box for box in bench.figures.box_plot(bench.empty)}
    assert boxes.keys() == PRINTED.keys()
    for label, quartiles in PRINTED.items():
        assert boxes[label].quartiles == pytest.approx(quartiles, abs=0.012), label


def test_values_beyond_the_clip_are_named(bench: Bench) -> None:
    boxes = {box.label: box for box in bench.figures.box_plot(bench.empty)}
    assert {series: round(value) for series, value in boxes["Eureqa"].outside} == {
        "06-internet": 6,
        "07-call-centre": 493,
    }
    assert boxes["ABCD-accuracy"].outside == ()


def test_ours_come_first_where_they_are_whole(bench: Bench) -> None:
    whole = bench.empty.having(extrapolation=bench.forecasts(0.5))
    part = bench.empty.having(extrapolation=bench.forecasts(0.5, series=12))
    assert bench.figures.box_plot(whole)[0].label == f"{LANGUAGE}, raw"
    assert bench.figures.box_plot(whole)[0].quartiles[0] == pytest.approx(0.5, rel=0.01)
    assert not [box for box in bench.figures.box_plot(part) if box.kind == "ours"]


def test_a_curve_is_the_mean_of_the_seeds(bench: Bench) -> None:
    base = {"series": "01-airline", "axis": "raw", "language": "se", "settings": ""}
    rows = [base | {"percent": p, "seed": s, "mse": m} for p, s, m in (("20", 0, "1"), ("10", 0, "4"), ("20", 1, "3"))]
    (curve,) = bench.figures.curves(bench.empty.having(learning_curve=rows))
    assert (curve.percent, curve.mse) == ((10, 20), (4.0, 2.0))


# The page --------------------------------------------------------------------------------------------------


def test_what_is_missing_is_left_out(bench: Bench) -> None:
    found = bench.page.pages(bench.empty, bench.page.Figures())
    assert list(found) == ["results.md", "results/series.md"]
    assert "Not measured" not in "".join(found.values())
    assert "peers.csv" not in found["results/series.md"]
    assert "results/speed.md" not in found["results.md"]


def test_a_page_behind_the_first_links_from_its_own_folder(bench: Bench) -> None:
    text = bench.page.pages(bench.empty, bench.page.Figures(boxes="images/results/boxes.svg"))["results/series.md"]
    links = re.findall(r"\]\(([^)#]+)\)", text)
    assert {link.split("/")[0] for link in links} == {".."}
    assert "../images/results/boxes.svg" in links


def test_the_first_page_says_who_is_ahead(bench: Bench, root: Path) -> None:
    front = import_module("front")
    lines = front.comparisons(bench.rows.Tables.read(root / "benchmarks" / "results"))
    text = bench.page.pages(bench.rows.Tables.read(root / "benchmarks" / "results"), bench.page.Figures())["results.md"]
    assert {line.kind for line in lines} >= {"short series", "series with columns", "tables", "classes", "clusters"}
    count = front.counted(lines)
    assert f"ahead on {count['ours']} lines" in text
    assert all(f"({line.data}), {line.measure.name}" in text for line in lines if line.ahead == "theirs")
    assert sum(count.values()) == len(lines) == len(re.findall(r"^\| \[", text, re.MULTILINE))


@pytest.mark.parametrize(("ours", "who"), [(0.8, "ours"), (0.96, "level"), (1.04, "level"), (1.2, "theirs")])
def test_two_are_level_within_the_error_of_their_ratio(ours: float, who: str) -> None:
    front = import_module("front")
    peer = {("set", str(fold)): 1.0 for fold in range(10)}
    own = {case: ours + noise for case, noise in zip(peer, [-0.1, 0.1] * 5, strict=True)}
    assert front.Comparison("series", "", front.Measure("RMSE"), "peer", own, peer, "series").ahead == who
    density = front.Measure("density", fmean, logarithm=True)
    logs, zero = {case: log(one) for case, one in own.items()}, dict.fromkeys(peer, 0.0)
    assert front.Comparison("series", "", density, "peer", logs, zero, "series").ahead == who


def test_the_error_of_a_mean_of_one_set_is_its_standard_error() -> None:
    front, rng = import_module("front"), np.random.default_rng(0)
    peer = {("set", str(fold)): 0.0 for fold in range(10)}
    own = {case: float(rng.normal()) for case in peer}
    line = front.Comparison("series", "", front.Measure("density", fmean, logarithm=True), "peer", own, peer, "series")
    assert line.error == pytest.approx(np.std(list(own.values()), ddof=1) / np.sqrt(10))


def test_the_best_of_the_others_is_compared_on_the_folds_that_both_have(bench: Bench) -> None:
    base = {"seconds": "1", "model": "", "code": "1", "nll": "0"}
    rows = [
        base | {"set": name, "method": method, "fold": fold, "mse": mse}
        for name, method, fold, mse in (
            ("a", "search", "0", "1"), ("a", "search", "1", "9"), ("b", "search", "0", "4"), ("a", "ebm", "0", "0.5"),
            ("a", "gam", "0", "1.1"), ("a", "gam", "1", "9"), ("b", "gam", "0", "4"),
        )
    ]  # fmt: skip
    line, _ = import_module("front").comparisons(bench.empty.having(regression=rows))
    assert (line.best, line.ours, line.theirs, line.data) == ("EBM", 1.0, 0.5, "1 sets of regression")


def test_every_section_tells_of_its_table(bench: Bench) -> None:
    rows = bench.forecasts(0.5)
    text = "".join(bench.page.pages(bench.empty.having(extrapolation=rows), bench.page.Figures()).values())
    assert "13 of 13 series, 39 runs (seeds 0, 1, 2): RMSE 0.500 times that of ABCD-accuracy" in text
    assert re.search(r"^\| 01-airline \| \*\*8\.333\*\* \| 16\.67 ", text, re.MULTILINE)


def test_of_a_summary_the_named_columns_are_shown(bench: Bench) -> None:
    row = {"kind": "counts", "ahead": "4", "held": "0.5", "expected": "0.9", "placed": "0.1"}
    text = "# Ranges\n\n{shown[count_ranges by counts.ranges of kind; held]}\n"
    shown = import_module("page_text").filled(text, bench.empty.having(count_ranges=[row]))
    assert shown == "# Ranges\n\n| kind | held |\n|---|---|\n| counts | 0.500 |\n"


def test_kinds_of_claims_that_were_wrong_are_named(bench: Bench) -> None:
    zeros = dict.fromkeys(("truths", "told", "ranges", "hold"), "0")
    rows = [
        {"generator": "a", "code": "1", "kind": kind, "claims": "3", "true": true} | zeros
        for kind, true in (("rise", "3"), ("run", "1"), ("run, P 0-0.2", "0"))
    ]
    found = import_module("page_models").claims(bench.empty.having(truth=rows))
    assert found["wrong"] == "run 2 of 3"


def test_the_page_and_its_figures_are_the_same_every_time(bench: Bench, tmp_path: Path) -> None:
    tables = bench.empty.having(extrapolation=bench.forecasts(0.5))
    for name in "ab":
        bench.page.write(tables, tmp_path / name / "results.md")
    files = sorted(path.relative_to(tmp_path / "a") for path in (tmp_path / "a").rglob("*") if path.is_file())
    assert [path.as_posix() for path in files] == [
        "images/results/boxes.svg", "results/series.md", "results.md"
    ]  # fmt: skip
    assert all((tmp_path / "a" / path).read_bytes() == (tmp_path / "b" / path).read_bytes() for path in files)


@pytest.mark.slow
def test_the_page_in_the_documentation_is_that_of_the_tables(bench: Bench, root: Path, tmp_path: Path) -> None:
    bench.page.write(bench.rows.Tables.read(root / "benchmarks" / "results"), tmp_path / "results.md")
    made = sorted(path.relative_to(tmp_path) for path in tmp_path.rglob("*.md"))
    assert len(made) == len(list(bench.page.TEXTS.glob("*.md")))
    for path in made:
        written = (root / "docs" / path).read_text(encoding="utf-8")
        assert written == (tmp_path / path).read_text(encoding="utf-8"), "run python benchmarks/page.py"
