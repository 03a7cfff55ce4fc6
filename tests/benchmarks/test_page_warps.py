"""The section about learned scales, and the rule by which they would be the default."""

from __future__ import annotations

from dataclasses import replace
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest

FITTED = {"task": "m3-yearly", "map": "none", "mase": "1.0", "msis": "4.0", "timed": "True", "code": "1"}


def rows(score: float, loss: float, seconds: float) -> list[dict[str, str]]:
    """One series with a learned scale, one that was fitted without, one that was not."""
    shaped = FITTED | {"series": "a", "shape": "0.50", "gain": "9.0"}
    made = [
        shaped | {"way": "auto", "log_score": "-2.0", "sql": "1.0", "coverage": "0.5", "seconds": "2.0"},
        shaped
        | {
            "way": "learned",
            "map": "box-cox",
            "log_score": str(score),
            "sql": str(loss),
            "coverage": "1.0",
            "seconds": str(seconds),
        },
    ]
    for way in ("auto", "learned"):
        same = {"log_score": "-1.0", "sql": "1.0", "coverage": "1.0", "seconds": "2.0"}
        made.append(FITTED | same | {"series": "b", "shape": "", "gain": "0.0", "way": way})
        unfitted = dict.fromkeys((*same, "mase", "msis", "gain"), "")
        made.append(FITTED | unfitted | {"series": "c", "shape": "", "way": way, "timed": "False"})
    return made


@pytest.fixture
def section(folder: Path, tmp_path: Path) -> Any:
    made, empty = import_module("page_warps"), import_module("goals").Tables.read(tmp_path / "none")
    return lambda **tables: "\n".join(made.learned_scales(replace(empty, **tables)))


def test_without_rows_it_says_so(section: Any) -> None:
    assert "Not measured yet." in section()


def test_changes_are_those_of_all_series_and_of_those_with_a_shape(section: Any) -> None:
    text = section(warps_choosing=rows(-1.4, 1.0, 2.2))
    assert (
        "| M3 (3) | none to box-cox | 1 | +0.60 ± nan | +0.00 ± nan | +0.00 ± nan | +0.00 ± nan | 0.500 to 1.000 |"
        in text
    )
    assert "Over all 3 series, 1 of them with a learned scale, the log score changes by +0.2000 " in text
    assert "searches take 1.05 times as long" in text


@pytest.mark.parametrize(
    ("score", "loss", "seconds", "said"),
    [(-1.9, 0.9, 2.2, "are the default"), (-2.1, 0.9, 2.2, "stay an option"), (-1.9, 1.1, 2.2, "stay an option"),
     (-1.9, 0.9, 3.0, "stay an option")],
)  # fmt: skip
def test_the_rule_asks_for_score_loss_and_time(
    score: float, loss: float, seconds: float, said: str, section: Any
) -> None:
    assert f"By the rule such scales {said}." in section(warps_choosing=rows(score, loss, seconds))
