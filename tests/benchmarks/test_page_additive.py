"""The section about options of additive processes."""

from __future__ import annotations

from dataclasses import replace
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest


@pytest.fixture
def section(folder: Path, tmp_path: Path) -> Any:
    """The section from rows of the tables."""
    made, empty = import_module("page_additive"), import_module("goals").Tables.read(tmp_path / "none")
    return lambda rows, many=(): "\n".join(
        made.additive_options(replace(empty, additive=rows, additive_rows=list(many)))
    )


def rows(method: str, nll: float, folds: int = 4, spread: float = 0.01) -> list[dict[str, str]]:
    shared = {"set": "servo", "method": method, "mse": "0.1", "seconds": "2", "code": "1"}
    return [shared | {"fold": str(fold), "nll": str(nll + spread * (-1.0) ** fold)} for fold in range(folds)]


def test_without_rows_it_says_so(section: Any) -> None:
    assert "Not measured yet." in section([])
    assert "Not measured yet." in section([*rows("SE", 0.1), *rows("likely", 0.1, folds=2)])


@pytest.mark.parametrize(
    ("nll", "cell", "said"),
    [
        (0.2, "**0.200** | 0.00 |", "pays on 1 of 1 sets, costs on 0; better in the mean on 1."),
        (0.4, "0.400 | 0.00 |", "pays on 0 of 1 sets, costs on 1; better in the mean on 0."),
        (0.299, "**0.299** | 0.", "pays on 0 of 1 sets, costs on 0; better in the mean on 1."),
    ],
)
def test_an_option_is_compared_on_the_folds_that_both_have(section: Any, nll: float, cell: str, said: str) -> None:
    wider = 0.02 if nll != 0.299 else 0.05
    text = section([*rows("SE", 0.3, folds=10), *rows("likely", nll, spread=wider)])
    assert f"| parameters without learned priors | servo | 4 | 0.100 | 0.100 | 0.300 | {cell}" in text
    assert f"- parameters without learned priors: {said}" in text


def test_rows_of_different_code_are_shown_and_do_not_count(section: Any) -> None:
    text = section([*rows("SE", 0.3), *({**row, "code": "2"} for row in rows("likely", 0.2, spread=0.02))])
    assert "| parameters without learned priors | servo\\* | 4 |" in text
    assert "are of different versions of the code" in text
    assert "- parameters without learned priors: no verdict; 1 left out (\\*)." in text


def test_many_rows_stand_beside_their_evidence(section: Any) -> None:
    row = {
        "rows": "20000",
        "columns": "10",
        "leaf": "SE",
        "method": "columns",
        "error": "0.1",
        "noise": "0.3",
        "code": "1",
    }
    row |= {"bound": "-10.0", "exact": "-8.0", "exact_error": "0.5", "seconds": "3", "exact_seconds": "1"}
    text = section([*rows("SE", 0.3), *rows("likely", 0.3)], [row])
    assert "at 20,000 rows" in text
    assert "| places of single columns | SE | 0.1 | 0.3 | -10.0 | -8.0 ± 0.5 | 3 | 1 |" in text


def orders(found: str, published: str, gain: float, name: str = "housing") -> dict[str, str]:
    places = {key: str(1 + max(range(3), key=list(map(float, text.split())).__getitem__))
              for key, text in (("dominant", found), ("dominant_published", published))}  # fmt: skip
    shares = {"set": name, "found": found, "published": published, "code": "1"}
    return shares | places | {"evidence": f"{gain - 100.0}", "evidence_published": "-100.0"}


@pytest.mark.parametrize(
    ("row", "said"),
    [
        (
            orders("60.2 39.8 0.0", "60.0 40.0 0.0", 0.0),
            "- housing: the published shares, within 1 per cent of the variance.",
        ),
        (orders("60.0 40.0 0.0", "0.0 0.0 100.0", 0.4), "most of ours is in order 1, of theirs in 3; with 0.4 nats of"),
        (orders("60.0 40.0 0.0", "0.0 0.0 100.0", 0.4), "the data hardly tell the two apart"),
        (orders("60.0 40.0 0.0", "100.0 0.0 0.0", 7.0), "the highest order is that of the original (1); with 7.0 nats"),
        (orders("60.0 40.0 0.0", "100.0 0.0 0.0", 7.0), "ours explain the data better"),
        (orders("60.0 40.0 0.0", "0.0 0.0 100.0", -7.0), "theirs explain the data better, so the search here has"),
        (orders("60.0 40.0 0.0", "0.0 0.0 100.0", 3.0, "heart"), "by expectation propagation there): most of ours"),
    ],
)
def test_why_orders_differ_is_said(folder: Path, tmp_path: Path, row: dict[str, str], said: str) -> None:
    made, empty = import_module("page_additive"), import_module("goals").Tables.read(tmp_path / "none")
    assert said in "\n".join(made.additive_orders(replace(empty, additive_orders=[row])))
    assert "Not measured yet." in made.additive_orders(empty)
