"""What the pages say, section by section, from rows made for the purpose."""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest

Row = dict[str, str]
Said = Callable[..., str]


@pytest.fixture
def empty(tmp_path: Path) -> Any:
    return import_module("rows").Tables.read(tmp_path / "none")


@pytest.fixture
def said(empty: Any) -> Said:
    """The text of a page from the rows of some tables."""
    page = import_module("page")

    def text(name: str, **rows: list[Row]) -> str:
        figures = page.Figures(growth="figure.svg")
        return str(page.filled((page.TEXTS / f"{name}.md").read_text(), empty.having(**rows), figures=figures))

    return text


def folds(rows: Row, count: int = 10) -> list[Row]:
    return [rows | {"fold": str(fold), "code": "1"} for fold in range(count)]


# Additive processes ----------------------------------------------------------------------------------------


def test_many_rows_stand_beside_their_evidence(said: Said) -> None:
    row = {"rows": "20000", "columns": "10", "leaf": "SE", "method": "columns", "error": "0.1", "noise": "0.3",
           "code": "1",
           "bound": "-10.0", "exact": "-8.0", "exact_error": "0.5", "seconds": "3", "exact_seconds": "1"}  # fmt: skip
    text = said("tables", additive_rows=[row])
    assert "at 20,000 rows" in text
    assert "| places of single columns | SE | 0.1 | 0.3 | -10.0 | -8.0 ± 0.5 | 3 | 1 |" in text


def orders(found: str, published: str, gain: float, name: str = "housing") -> Row:
    places = {key: str(1 + max(range(3), key=list(map(float, text.split())).__getitem__))
              for key, text in (("dominant", found), ("dominant_published", published))}  # fmt: skip
    shares = {"set": name, "found": found, "published": published, "code": "1"}
    return shares | places | {"evidence": f"{gain - 100.0}", "evidence_published": "-100.0"}


@pytest.mark.parametrize(
    ("row", "why"),
    [
        (orders("60.2 39.8 0.0", "60.0 40.0 0.0", 0.0), "- housing: the published shares, within 1 per cent of the"),
        (orders("60.0 40.0 0.0", "0.0 0.0 100.0", 0.4), "most of ours is in order 1, of theirs in 3; with 0.4 nats of"),
        (orders("60.0 40.0 0.0", "0.0 0.0 100.0", 0.4), "the data hardly tell the two apart"),
        (orders("60.0 40.0 0.0", "100.0 0.0 0.0", 7.0), "the highest order is that of the original (1); with 7.0 nats"),
        (orders("60.0 40.0 0.0", "100.0 0.0 0.0", 7.0), "ours explain the data better"),
        (orders("60.0 40.0 0.0", "0.0 0.0 100.0", -7.0), "theirs explain the data better, so the search here has"),
        (orders("60.0 40.0 0.0", "0.0 0.0 100.0", 3.0, "heart"), "by expectation propagation there): most of ours"),
    ],
)
def test_why_orders_differ_is_said(said: Said, row: Row, why: str) -> None:
    assert why in said("tables", additive_orders=[row])


# Regression ------------------------------------------------------------------------------------------------


def regression(method: str, mse: float, count: int = 10, sets: tuple[str, ...] = ("servo",), seconds: float = 7.0
               ) -> list[Row]:  # fmt: skip
    """One row per fold, spread by a tenth about the mean."""
    shared = {"method": method, "seconds": str(seconds), "code": "1"}
    scores = [str(mse * (1.0 + (0.1 if fold % 2 else -0.1))) for fold in range(count)]
    return [
        shared | {"set": name, "fold": str(fold), "mse": score, "nll": score}
        for name in sets
        for fold, score in enumerate(scores)
    ]


def test_bold_is_what_is_not_worse_than_the_published_mean(said: Said) -> None:
    for mse, cell in ((0.1, "**0.100**"), (0.15, "0.150")):
        text = said("tables", regression=regression("search", mse))
        assert f"| structure search, ours | – | – | – | {cell} | – |" in text


def test_first_order_products_and_all_kernels_have_partners_of_their_own(said: Said) -> None:
    own = [*regression("GAM", 0.28), *regression("ARD", 0.2)]
    text = said("tables", additive=own, regression=regression("search-all", 0.1))
    assert "| first order, ours | – | – | – | **0.280** | – |" in text
    assert "| product of all columns (ARD), ours | – | – | – | 0.200 | – |" in text
    assert "| structure search, all kernels, ours | – | – | – | 0.100 | – |" in text
    assert "| structure search, all kernels (draft), published | 0.509 | 0.079 | 0.321 | 0.094 | 0.112 |" in text


def test_missing_folds_are_told_and_never_bold(said: Said) -> None:
    assert "| – | – | – | 0.050 (4) | – |" in said("tables", regression=regression("search", 0.05, 4))


def test_ranks_are_of_sets_on_which_all_were_run(said: Said) -> None:
    sets = ("servo", "bach")
    rows = [*regression("search", 0.1, sets=sets), *regression("gam", 0.3, sets=sets)]
    text = said("tables", regression=[*rows, *regression("ebm", 0.05, sets=("bach",))])
    assert text.index("on all folds of servo, bach;") < text.index("on all folds of bach;")
    assert "| structure search, ours | 1.00 | 1.00 |" in text  # over both sets
    assert "| structure search, ours | 2.00 | 2.00 |" in text  # over the one that all share
    assert "| pyGAM | 3.00 | 3.00 |" in text


@pytest.mark.parametrize(("seconds", "verdict"), [(119.0, "(reached)"), (121.0, "(not reached)")])
def test_the_time_on_concrete_is_judged(said: Said, seconds: float, verdict: str) -> None:
    assert verdict in said("tables", regression=regression("search", 0.1, sets=("concrete",), seconds=seconds))


def test_speed_is_told_as_multiples_of_ours(said: Said) -> None:
    shared = {"n": "500", "columns": "13", "orders": "10", "to_lapack": "2.0", "code": "1"}
    speed = [shared | {"method": name, "milliseconds": ms} for name, ms in (("slow", "50.0"), ("ours", "10.0"))]
    text = said("tables", additive_speed=speed)
    assert text.index("| ours | 10.0 | 2.0 | 1.0 |") < text.index("| slow | 50.0 | 2.0 | 5.0 |")


def test_errors_of_many_rows_are_beside_each_other(said: Said) -> None:
    shared = {"rows": "10000", "seed": "0", "coverage95": "0.951", "seconds": "240", "code": "1"}
    shared |= {"expression": "SE[a] + WN"}
    rows = [
        shared | {"set": name, "method": method, "rmse": str(rmse)}
        for name, both in {"friedman": (0.2, 0.3), "diamonds": (0.5, 0.4)}.items()
        for method, rmse in zip(("ours", "boosted trees"), both, strict=True)
    ]
    text = said("tables", tables_scale=rows)
    assert "| friedman | 10,000 | **0.200** | 0.300 | 95.1% | 4.0 | 4.0 | `SE[a] + WN` |" in text
    assert "| diamonds | 10,000 | 0.500 | 0.400 |" in text
    assert "in 1 of 2 cases" in text


# Hierarchical kernel learning ------------------------------------------------------------------------------


def hkl(name: str, method: str, error: float, count: int = 10) -> list[Row]:
    row = {"set": name, "method": method, "error": str(error), "nll": "", "gap": "5.0e-04", "proven": "1"}
    return folds(row | {"seconds": "1"}, count)


def test_bold_is_at_most_five_per_cent_above_the_published_error(said: Said) -> None:
    rows = [*hkl("servo", "training", 0.205), *hkl("bach", "training", 0.22), *hkl("heart", "cv", 19.0, 3)]
    text = said("tables", hkl=rows)
    assert "| HKL, ours, by training error | 0.220 | – | – | **0.205** | – |" in text
    assert "| HKL, published | 0.199 | 0.147 | 0.346 | 0.199 | 0.151 |" in text
    assert "| HKL, ours, by cross-validation | – | – | – | – | – | 19.00 (3) |" in text
    assert "were to be reached" not in text  # before all five are there


@pytest.mark.parametrize(("factor", "verdict"), [(1.04, "on 5 of 5 sets"), (1.06, "on 0 of 5 sets")])
def test_the_verdict_is_of_all_five_sets(said: Said, factor: float, verdict: str) -> None:
    known = {"bach": 0.199, "concrete": 0.147, "pumadyn8nh": 0.346, "servo": 0.199, "housing": 0.151}
    text = said("tables", hkl=[row for name, error in known.items() for row in hkl(name, "training", factor * error)])
    assert verdict in text
    assert ("(reached)" in text) == (factor < 1.05)
    assert "in 50 of 50 fits" in text


# Classes ---------------------------------------------------------------------------------------------------


def classified(name: str, method: str, error: float, nll: float, count: int = 10) -> list[Row]:
    return folds({"set": name, "method": method, "error": str(error), "nll": str(nll), "seconds": "1"}, count)


def test_bold_is_not_above_the_best_published_and_ours(said: Said) -> None:
    rows = [*classified("heart", "gp", 16.0, 0.4), *classified("heart", "logistic", 15.0, 0.39, 3)]
    text = said("classes", classification=rows)
    assert "| GP, SE-ARD, ours (expectation propagation) | – | – | – | – | – | **16.0** |" in text
    assert "| GP, SE-ARD, ours (expectation propagation) | – | – | – | – | – | 0.400 |" in text
    assert "| logistic regression, scikit-learn | – | – | – | – | – | 15.0 (3) | – |" in text
    assert "| GP, first order, published | 5.2 | 22.4 | 15.8 | 8.5 | 29.8 | 16.8 | – |" in text


def test_ranks_are_over_the_sets_that_all_have(said: Said) -> None:
    both = [*classified("heart", "gp", 16.0, 0.4), *classified("heart", "logistic", 15.0, 0.39)]
    other = [*classified("pima", "gp", 16.0, 0.4), *classified("pima", "logistic", 17.0, 0.3)]
    text = said("classes", classification=[*both, *other, *classified("liver", "gp", 1.0, 0.1)])
    assert "**1.0** | **16.0** | 1.5 |" in text
    assert "| logistic regression, scikit-learn | – | 17.0 | – | – | – | 15.0 | 1.5 |" in text


def test_hierarchical_kernel_learning_stands_among_them(said: Said) -> None:
    rows = [row | {"nll": "0.41"} for row in hkl("heart", "cv", 15.7)]
    text = said("classes", classification=classified("heart", "gp", 16.0, 0.4), hkl=rows)
    assert "| HKL, ours, by cross-validation | – | – | – | – | – | **15.7** | 1.0 |" in text
    assert "| HKL, ours, by cross-validation | – | – | – | – | – | 0.410 | 2.0 |" in text
    assert "HKL, ours, by training error" not in text


# Clusters --------------------------------------------------------------------------------------------------


def clustered(name: str, rand: str, density: str, method: str = "warped-2", count: int = 10) -> list[Row]:
    told = {"rand": rand, "adjusted": rand, "density": density, "clusters": "2", "seconds": "3.0", "sweeps": "9"}
    return folds(told | {"set": name, "method": method}, count)


def test_bold_is_what_reaches_the_best_published_figure(said: Said) -> None:
    rows = [*clustered("2-curve", "0.856", "-0.95"), *clustered("iris", "0.8", "-1.6", count=3)]
    text = said("clusters", clusters=rows)
    assert "| warped mixture, two coordinates | **0.86** | – | – | – | 0.80 (3) |" in text
    assert "| -0.95 | – | – | – | **-1.60** (3) |" in text
    assert text.count("not below the best published figure on 1 of\n8 sets") == 2
    assert "| iWMM Q=2, published | 0.86 | 0.99 |" in text


def test_methods_without_a_density_or_labels_have_none(said: Said) -> None:
    rows = [*clustered("iris", "0.7", "", "hdbscan"), *clustered("iris", "", "-2.0", "kernel-density")]
    index, _, density = said("clusters", clusters=rows).partition("### Mean log density")
    assert "HDBSCAN" in index
    assert "HDBSCAN" not in density
    assert "kernel density" not in index.partition("### Rand")[2]


def test_densities_are_compared_with_those_of_kernels_on_the_same_folds(said: Said) -> None:
    kernels = clustered("iris", "", "-2.0", "kernel-density")
    kernels[0] |= {"density": "-3.0"}
    text = said("clusters", clusters=[*clustered("iris", "0.7", "-1.5", count=2), *kernels])
    assert "| warped mixture, two coordinates | – | – | – | – | +1.00 | – | – | – |" in text
    assert "| iWMM Q=2, published | +1.57 |" in text


def test_seeds_are_told_by_their_mean_and_the_worst(said: Said) -> None:
    told = {"made": "arms", "rows": "100", "known": "0", "chains": "1", "sweeps": "9", "density": "-2.0", "code": "1"}
    told |= {"method": "now", "seconds": "3"}
    seeds = [told | {"seed": seed, "rand": rand} for seed, rand in (("0", "1"), ("1", ".8"))]
    line = "| arms | 100 | 0 | one set of functions for all | 9 | 2 | 0.90 | 0.80 | -2.00 | 3.00 |"
    assert line in said("clusters", cluster_seeds=seeds)


def test_chains_are_told_by_the_number_of_rows(said: Said) -> None:
    told = {"sweeps": "9", "ms": "2.0", "r_hat": "1.01", "ess": "80.0", "ess_per_second": "4.0", "code": "1"}
    text = said("clusters", cluster_chains=[told | {"set": "b", "rows": "250"}, told | {"set": "a", "rows": "100"}])
    first, second = (f"| {name} | 9 | 2.0 | 1.01 | 80.0 | 4.0 |" for name in ("a | 100", "b | 250"))
    assert text.index(first) < text.index(second)


# Deep processes --------------------------------------------------------------------------------------------


def deep(name: str, method: str, errors: list[float]) -> list[Row]:
    shared = {"set": name, "method": method, "nll": "0.5", "bound": "-3", "seconds": "2.0", "code": "1"}
    return [shared | {"seed": str(seed), "rmse": str(error)} for seed, error in enumerate(errors)]


def test_differences_are_paired_and_bold_where_they_are_large(said: Said) -> None:
    text = said("deep", deep=[*deep("step", "exact", [0.3, 0.5]), *deep("step", "2", [0.1, 0.32])])
    assert "| exact, shallow | 0.400 | – | – | – |" in text
    assert "| two layers | **0.210** (-0.190 ± 0.010) | – | – | – |" in text
    assert "| three layers | – | – | – | – |" in text
    assert "no worse" not in text  # before all are there


@pytest.mark.parametrize(
    ("three", "verdict"), [(0.2, "none is worse."), (0.4, "worse are three layers on servo (root")]
)
def test_the_verdict_is_of_all_sets(said: Said, three: float, verdict: str) -> None:
    sets = ("step", "airline", "servo", "concrete")
    rows = [row for name in sets for method in ("exact", "1", "2") for row in deep(name, method, [0.3] * 5)]
    rows += [row for name in sets for row in deep(name, "3", [three if name == "servo" else 0.3] * 5)]
    assert verdict in said("deep", deep=rows)


# Speed -----------------------------------------------------------------------------------------------------


def timed(engine: str, n: int, seconds: str, state: str = "") -> Row:
    numbers = {"nll": "0.5", "rmse": "0.6", "nlp": "0.9", "megabytes": "200", "note": "", "code": "1"}
    return numbers | {"task": "fit", "engine": engine, "n": str(n), "seconds": seconds, "state": state}


def test_seconds_are_beside_each_other_with_their_growth(said: Said, empty: Any) -> None:
    rows = [timed("ours", 1000, "0.1"), timed("ours", 10_000, "1.0"), timed("other", 1000, "5")]
    rows += [timed("other", 10_000, "", "over the limit"), timed("other", 30_000, "", "not tried")]
    text = said("speed", beside=rows)
    assert "| ours | 0.1 | 1 | – | 1.00 | 200 |" in text
    assert "| other | 5 | > 60 s | – | – | 200 |" in text
    assert "| ours | 0.5 / 0.6 / 0.9 | 0.5 / 0.6 / 0.9 |" in text
    assert "figure.svg" in text
    (lines,) = import_module("page_models").growth(empty.having(beside=rows)).values()
    assert [(line.label, line.rows) for line in lines] == [("ours", (1000, 10_000)), ("other", (1000,))]


def test_searches_of_one_kind_of_series_are_no_measure_of_another(said: Said, empty: Any) -> None:
    about = {"report_seconds": "1", "megabytes": "1", "page_megabytes": "1", "expression": "SE", "code": "1"}
    rows = [about | {"case": case, "n": case.split("-")[1], "search_seconds": seconds} for case, seconds in
            (("taylor-1000", "90"), ("made-1000", "10"), ("made-10000", "100"))]  # fmt: skip
    text = said("speed", beside=[timed("ours", 1000, "0.1")], scale=rows)
    assert "The seconds of a search, made (of a clock) grow with the power 1.00 of the rows." in text
    assert "search, taylor" not in text
    grown = import_module("page_models").growth(empty.having(scale=rows))
    (lines,) = (found for title, found in grown.items() if "search" in title)
    assert [(line.label, line.rows) for line in lines] == [
        ("search, taylor", (1000,)),
        ("search, made", (1000, 10_000)),
    ]


def test_searches_are_shown_beside_what_is_to_be_reached(said: Said) -> None:
    found = {
        "case": "made-10000", "n_jobs": "2", "code": "1", "n": "10000", "search_seconds": "300.4",
        "report_seconds": "9.6", "megabytes": "900", "page_megabytes": "1.20", "bic": "1.0", "expression": "Per + WN",
    }  # fmt: skip
    text = said("speed", scale=[found])
    assert "| 10,000 | made | 300 | ≤ 360 | 10 | 900 | 1.20 | `Per + WN` |" in text
    assert "with 2 workers a search" in text


def test_searches_by_parts_are_judged_by_those_of_all_rows(said: Said) -> None:
    base = {"n": "950", "held": "50", "rmse": "1", "code": "1", "expression": "SE", "complete": "True"}
    rows = [
        base | {"series": name, "how": how, "nlp": nlp, "seconds": "30", "engines": "0.001" if how == "scaled" else ""}
        for name, both in {"a": ("1.0", "1.005"), "b": ("2.5", "2.0")}.items()
        for how, nlp in zip(("scaled", "exact"), both, strict=True)
    ]
    rows[-1]["complete"] = "False"
    text = said("speed", scaled_search=rows)
    assert "| a | 950 | 1.000 | 1.005 | -0.005 | 30 | 30 |" in text
    assert "| b | 950 | 2.500 | 2.000 | +0.500 | 30 | 30 † |" in text
    assert "behind on 1 of 2 series" in text
    assert "at most\n0.001 nats" in text


def test_medians_are_of_models_that_are_no_matrix(said: Said) -> None:
    def row(model: str, n: int, ms: float, columns: int = 9, nats: str = "", ratio: str = "") -> Row:
        return {
            "model": model, "n": str(n), "columns": str(columns), "ms": str(ms), "value_ms": str(ms / 2),
            "floor_ms": "", "ratio": ratio, "nats": nats, "engine": "", "engine_ms": "", "engine_ratio": ratio,
            "code": "1",
        }  # fmt: skip

    rows = [row("a", 1000, 2.0, nats="-0.02", ratio="0.2"), row("b", 1000, 4.0, nats="0.01", ratio="0.4")]
    text = said("speed", long=[*rows, row("c", 1000, 99.0, columns=0), row("a", 1_000_000, 2000.0 * 10.0**0.3)])
    assert "| 1000 | 2 of 3 | 9 | 3 | 1.5 | – | 0.3 | 0.02 | 0.3 | ≤ 0.4 |" in text
    assert "the power 1.10 (with gradient) and 1.10 (value alone); to reach: 1.1." in text


# The original's poorer languages, equations ----------------------------------------------------------------


def restricted(series: str, method: str, rmse: float, nlp: float) -> Row:
    shared = {"axis": "raw", "split": "extrapolation", "seed": "0", "settings": "max_depth=3", "code": "1"}
    return shared | {"series": series, "method": method, "rmse": str(rmse), "nlp": str(nlp)}


def test_poorer_languages_stand_beside_the_published_figures(said: Said, empty: Any) -> None:
    rows = [
        restricted("01-airline", "linear", 72.2, 5.0),
        restricted("02-solar", "linear", 0.8, 0.9),
        restricted("01-airline", "se", 100, 6),
    ]
    text = said("series", extrapolation=rows)
    assert "| series | `linear` (linear) | `se` (SE) |" in text
    assert "| 01-airline | **4.94** (4.94) | **6.84** (32.21) |" in text
    assert "| 02-solar | 2.10 (1.07) | – |" in text
    assert "| 01-airline | **5.00** (6.12) | **6.00** (9.11) |" in text
    assert "with `max_depth=3`, the same" in text
    assert "3 rows" in text
    rows.append(restricted("01-airline", "extended", 11, 4))
    assert [str(one) for one in import_module("rows").variants(empty.having(extrapolation=rows))] == [
        "extended (max_depth=3)"
    ]


def equation(name: str, method: str, **more: str) -> Row:
    shared = {"set": name, "method": method, "seed": "0", "code": "1", "fitted": "1", "inside": "1", "ahead": "1"}
    return shared | {"greatest": "1", "terms": "1", "seconds": "1", "size": "3", "formula": "y = x"} | more


def test_the_section_says_where_symbolic_regression_is_ahead(said: Said) -> None:
    rows = [equation("quadratic", "equations"), equation("quadratic", "default", greatest="2.1", terms="0")]
    text = said("series", equations=[*rows, equation("quadratic", "gplearn", ahead="0.5", terms="", greatest="3")])
    assert "| quadratic | **1.00** | **1.00** | 1.00 | 1.00 | 1.00 | 0.50 |" in text
    assert "Ahead, gplearn has smaller errors than `equations` on 1 (quadratic) and than `extended` on 1" in text
    assert "Inside, gplearn has smaller errors than `equations` on none" in text
    assert "exactly the terms of the\nfunction on 1 of them" in text
    assert "Eureqa's column" not in text  # no series yet


def test_series_without_our_equations_have_a_dash_and_a_mean_of_their_own(said: Said, empty: Any) -> None:
    forecast = {"axis": "raw", "split": "extrapolation", "method": "extended", "settings": "", "seed": "0", "code": "1"}
    best = {name: float(empty.known["extrapolation"][name, "best"]["rmse"]) for name in ("01-airline", "02-solar")}
    forecasts = [forecast | {"series": name, "rmse": str(2.0 * rmse)} for name, rmse in best.items()]
    rows = [equation(name, "gplearn", ahead=str(4.0 * rmse)) for name, rmse in best.items()]
    rows.append(equation("02-solar", "equations", ahead=str(best["02-solar"])))
    text = said("series", equations=rows, extrapolation=forecasts)
    assert "| 01-airline | – | 2.00 | 4.00 | 3.24 |" in text
    assert "| geometric mean of 1 | 1.00 | 2.00 | 4.00 | 2.64 |" in text
    assert "| geometric mean of 2 | – | 2.00 | 4.00 | 2.92 |" in text
    assert "Of the 1 series with all of them, gplearn has smaller errors than `equations` on none" in text


# Competitions, learned scales ------------------------------------------------------------------------------


def competed(method: str, loss: float, series: str = "abcd", **more: Any) -> list[Row]:
    """One row for every series of two tasks."""
    measured = dict.fromkeys(("mase", "wql", "sql", "msis"), loss) | {"coverage": 0.95, "size": 1.0, "seconds": 1.0}
    given = {"method": method, "settings": "", "code": "1", "n": 20, "parameters": 3} | measured | more
    text = {name: str(value) for name, value in given.items()}
    return [text | {"task": task, "series": name} for task in ("m3-yearly", "m3-quarterly") for name in series]


def test_ours_stands_beside_the_peers_and_what_is_published(said: Said) -> None:
    rows = competed("seasonal-naive", 1.0) + competed("AutoETS", 0.5) + competed("ours", 0.4)
    text = said("competitions", corpus=rows)
    assert "| ours | 8 | 0.400 | 0.400 | 0.400 | 0.400 | 0.950 | 1.0 / 1.0 / 1.0 | 0.000 | 1.0 |" in text
    assert "| AutoETS | 8 | 0.500 | 0.500 | 0.500 | 0.500 | 0.950 | 2.0 / 2.0 / 2.0 | 0.000 | 1.0 |" in text
    assert "| TiRex | published, all series | 0.821 | 0.652 |" in text
    assert "| ours | **0.400** | **0.400** |" in text
    assert "| m3-yearly | ours | AutoETS | 0.800 |" in text
