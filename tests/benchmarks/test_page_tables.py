from __future__ import annotations

from dataclasses import replace
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest


@pytest.fixture
def many(folder: Path, tmp_path: Path) -> Any:
    """The section from rows of regression sets."""
    section, empty = import_module("page_tables"), import_module("goals").Tables.read(tmp_path / "none")
    return lambda **tables: "\n".join(section.many_columns(replace(empty, **tables)))


def rows(method: str, mse: float, folds: int = 10, sets: tuple[str, ...] = ("servo",), seconds: float = 7.0) -> Any:
    """One row per fold, spread by a tenth about the mean."""
    shared = {"method": method, "seconds": str(seconds), "code": "1"}
    scores = [str(mse * (1.0 + (0.1 if fold % 2 else -0.1))) for fold in range(folds)]
    return [
        shared | {"set": name, "fold": str(fold), "mse": score, "nll": score}
        for name in sets
        for fold, score in enumerate(scores)
    ]


def test_without_rows_it_says_so(many: Any) -> None:
    assert "Not measured yet." in many()


def test_bold_is_what_is_not_worse_than_the_published_mean(many: Any) -> None:
    assert "| structure search, ours | – | – | – | **0.100** | – |" in many(regression=rows("search", 0.1))
    assert "| structure search, ours | – | – | – | 0.150 | – |" in many(regression=rows("search", 0.15))


def test_first_order_products_and_all_kernels_have_partners_of_their_own(many: Any) -> None:
    text = many(additive=[*rows("GAM", 0.28), *rows("ARD", 0.2)], regression=rows("search-all", 0.1))
    assert "| first order, ours | – | – | – | **0.280** | – |" in text
    assert "| product of all columns (ARD), ours | – | – | – | 0.200 | – |" in text
    assert "| structure search, all kernels, ours | – | – | – | 0.100 | – |" in text
    assert "| structure search, all kernels (draft), published | 0.509 | 0.079 | 0.321 | 0.094 | 0.112 |" in text


def test_missing_folds_are_told_and_never_bold(many: Any) -> None:
    assert "| – | – | – | 0.050 (4) | – |" in many(regression=rows("search", 0.05, folds=4))


def test_ranks_are_of_sets_on_which_all_were_run(many: Any) -> None:
    both = [*rows("search", 0.1, sets=("servo", "bach")), *rows("ebm", 0.2, sets=("servo",)), *rows("gam", 0.3)]
    text = many(regression=both)
    assert "on all folds of servo;" in text
    assert "| structure search, ours | 1.00 | 1.00 |" in text
    assert "| pyGAM | 3.00 | 3.00 |" in text


def test_methods_with_all_sets_are_ranked_over_all_of_them(many: Any) -> None:
    sets = ("servo", "bach")
    both = [*rows("search", 0.1, sets=sets), *rows("gam", 0.3, sets=sets), *rows("ebm", 0.05, sets=("bach",))]
    text = many(regression=both)
    assert text.index("on all folds of servo, bach;") < text.index("on all folds of bach;")
    assert "| structure search, ours | 1.00 | 1.00 |" in text  # over both sets
    assert "| structure search, ours | 2.00 | 2.00 |" in text  # over the one that all share


@pytest.mark.parametrize(("seconds", "verdict"), [(119.0, "(reached)"), (121.0, "(not reached)")])
def test_the_time_on_concrete_is_judged(many: Any, seconds: float, verdict: str) -> None:
    assert verdict in many(regression=rows("search", 0.1, sets=("concrete",), seconds=seconds))


def test_speed_is_told_as_multiples_of_ours(many: Any) -> None:
    shared = {"n": "500", "columns": "13", "orders": "10", "to_lapack": "2.0", "code": "1"}
    speed = [shared | {"method": name, "milliseconds": ms} for name, ms in (("slow", "50.0"), ("ours", "10.0"))]
    text = many(additive=rows("SE", 0.1), additive_speed=speed)
    assert text.index("| ours | 10.0 | 2.0 | 1.0 |") < text.index("| slow | 50.0 | 2.0 | 5.0 |")
