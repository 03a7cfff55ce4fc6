"""Checkpoints of a search: going on from one gives what a search in one go gives, bit for bit."""

from __future__ import annotations

import errno
import json
import os
from collections.abc import Callable
from dataclasses import asdict, replace
from itertools import count
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from autostatistician.data.dataset import Dataset, from_arrays
from autostatistician.errors import CheckpointError, CheckpointWarning, WriteError
from autostatistician.estimators.statistician import AutomaticStatistician
from autostatistician.language.languages import LANGUAGES, Operator
from autostatistician.search.checkpoint import Checkpoint
from autostatistician.search.run import Settings, search
from autostatistician.search.state import SearchResult, StepInfo

X = np.arange(30.0)
DATA = from_arrays(X, np.sin(2.0 * np.pi * X / 7.0) + 0.2 * X + 0.2 * np.random.default_rng(0).normal(size=30))
QUICK = Settings(max_depth=2, restarts=2, n_jobs=1, criterion="bic")
LANGUAGE = LANGUAGES["mkl"]


def _found(path: Path | None = None, settings: Settings = QUICK, **options: Any) -> SearchResult:
    return search(options.pop("data", DATA), options.pop("language", LANGUAGE), settings, checkpoint=path, **options)


def _plain(result: SearchResult) -> str:
    """Everything but the seconds, with all digits."""
    record = asdict(
        replace(result, seconds=0.0, spent=0.0, trace=tuple(replace(step, seconds=0.0) for step in result.trace))
    )
    return repr(record)


def _interrupt_at(level: int) -> Callable[[StepInfo], None]:
    def callback(step: StepInfo) -> None:
        if step.level == level:
            raise KeyboardInterrupt

    return callback


@pytest.fixture(scope="module")
def whole() -> SearchResult:
    """The search in one go."""
    return _found()


@pytest.fixture
def begun(tmp_path: Path) -> Path:
    """The checkpoint of a search that was interrupted after the first level."""
    path = tmp_path / "c.json"
    assert _found(path, callback=_interrupt_at(1)).interrupted
    return path


def test_an_interrupted_search_goes_on_to_the_same_result(tmp_path: Path, whole: SearchResult) -> None:
    path = tmp_path / "c.json"
    part = _found(path, callback=_interrupt_at(1))
    assert (part.interrupted, part.complete, len(part.trace)) == (True, False, 2)
    heard: list[int] = []
    rest = _found(path, callback=lambda step: heard.append(step.level))
    assert heard == list(range(1, len(whole.trace)))  # no level was searched twice
    assert _plain(rest) == _plain(whole)
    assert rest.seconds > part.trace[-1].seconds
    assert rest.complete


def test_a_search_that_was_interrupted_in_its_first_level_goes_on_too(tmp_path: Path, whole: SearchResult) -> None:
    path = tmp_path / "c.json"
    with pytest.raises(KeyboardInterrupt):
        _found(path, callback=_interrupt_at(0))
    assert _plain(_found(path)) == _plain(whole)


def test_a_first_level_that_outlasts_the_budget_is_kept(tmp_path: Path, whole: SearchResult) -> None:
    path = tmp_path / "c.json"
    part = _found(path, replace(QUICK, time_budget=1e-9))
    assert (part.complete, len(part.trace)) == (False, 2)
    heard: list[int] = []
    assert _plain(_found(path, callback=lambda step: heard.append(step.level))) == _plain(whole)
    assert heard[0] == 1


def test_a_search_with_a_checkpoint_is_the_search_without(tmp_path: Path, whole: SearchResult) -> None:
    path = tmp_path / "c.json"
    assert _plain(_found(path)) == _plain(whole)
    heard: list[StepInfo] = []
    assert _plain(_found(path, callback=heard.append)) == _plain(whole)
    assert [step.level for step in heard] == [whole.trace[-1].level]  # nothing was left to do


def test_a_search_by_evidence_goes_on_too(tmp_path: Path) -> None:
    settings = replace(QUICK, criterion="evidence")
    assert _found(tmp_path / "c.json", settings, callback=_interrupt_at(1)).interrupted
    assert _plain(_found(tmp_path / "c.json", settings)) == _plain(_found(None, settings))


@pytest.mark.slow
def test_a_language_with_changes_and_seasons_survives_the_file(tmp_path: Path) -> None:
    y = np.where(X < 15.0, DATA.y, DATA.y[::-1] - 20.0)
    data, settings = from_arrays(X, y), replace(QUICK, restarts=1)
    kept = {"data": data, "language": LANGUAGES["full"]}
    _found(tmp_path / "c.json", settings, callback=_interrupt_at(1), **kept)
    assert _plain(_found(tmp_path / "c.json", settings, **kept)) == _plain(_found(None, settings, **kept))


def test_workers_and_budget_may_differ(begun: Path, whole: SearchResult) -> None:
    settings = replace(QUICK, n_jobs=2, time_budget=1000.0)
    assert _plain(_found(begun, settings)) == _plain(whole)


def test_a_level_cut_short_by_the_budget_is_not_kept(begun: Path, whole: SearchResult) -> None:
    before = begun.read_bytes()
    part = _found(begun, replace(QUICK, time_budget=1e-9))
    assert not part.complete
    assert begun.read_bytes() == before
    assert _plain(_found(begun)) == _plain(whole)


@pytest.mark.parametrize(
    ("words", "options"),
    [
        ("other data", {"data": Dataset(DATA.X, DATA.y + 1e-9, DATA.columns, DATA.target, None)}),
        ("other data", {"data": Dataset(DATA.X, DATA.y, ("z",), DATA.target, None)}),
        ("language mkl (now linear)", {"language": LANGUAGES["linear"]}),
        ("rules of the language", {"language": replace(LANGUAGE, operators=frozenset({Operator.DELETE}))}),
        ("seed 0 (now 1)", {"settings": replace(QUICK, seed=1)}),
        ("max_depth 2 (now 3), criterion bic (now aic)", {"settings": replace(QUICK, max_depth=3, criterion="aic")}),
    ],
)
def test_a_checkpoint_of_another_search_is_said_and_kept(words: str, options: dict[str, Any], begun: Path) -> None:
    before = begun.read_bytes()
    with pytest.raises(CheckpointError) as caught:
        _found(begun, **options)
    assert words in str(caught.value)
    assert "\n" not in str(caught.value)
    assert begun.read_bytes() == before


@pytest.mark.parametrize(
    "content", [b"", b"x,y\n1,2\n", b"[]", b'{"checkpoint": 1}', b"\xff\xfe", b'{"checkpoint": 9, "of": {}}']
)
def test_what_is_no_checkpoint_is_never_overwritten(content: bytes, tmp_path: Path) -> None:
    path = tmp_path / "c.json"
    path.write_bytes(content)
    with pytest.raises(CheckpointError, match="expected the checkpoint of a search"):
        _found(path)
    assert path.read_bytes() == content


@pytest.mark.parametrize("name", ["level", "incumbents", "found", "seen", "trace", "seconds"])
def test_a_damaged_checkpoint_is_said(name: str, begun: Path) -> None:
    record = json.loads(begun.read_text())
    del record["progress"][name]
    begun.write_text(json.dumps(record))
    with pytest.raises(CheckpointError, match="altered or is damaged"):
        _found(begun)
    record["progress"][name] = [{"kernel": "no such"}]
    begun.write_text(json.dumps(record))
    with pytest.raises(CheckpointError, match="altered or is damaged"):
        _found(begun)


def test_a_place_that_cannot_be_written_is_said_at_once(tmp_path: Path) -> None:
    with pytest.raises(WriteError, match="choose another place"):
        _found(tmp_path / "missing" / "c.json")
    with pytest.raises(CheckpointError):
        _found(tmp_path)


def test_a_disk_that_fills_up_later_loses_nothing(
    tmp_path: Path, whole: SearchResult, monkeypatch: pytest.MonkeyPatch
) -> None:
    calls, replace_file = count(), os.replace

    def full(source: Any, target: Any) -> None:
        if next(calls):
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        replace_file(source, target)

    monkeypatch.setattr(os, "replace", full)
    with pytest.warns(CheckpointWarning, match="stays at an earlier level") as said:
        found = _found(tmp_path / "c.json")
    monkeypatch.undo()
    assert len(found.trace) == 3  # two levels could not be kept,
    assert len(said) == 1  # and it is said once
    assert _plain(found) == _plain(whole)
    assert [path.name for path in tmp_path.iterdir()] == ["c.json"]
    assert _plain(_found(tmp_path / "c.json")) == _plain(whole)


def test_a_disk_that_is_full_when_a_search_goes_on_does_not_end_it(
    begun: Path, whole: SearchResult, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(number: int) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    before = begun.read_bytes()
    monkeypatch.setattr(os, "fsync", full)
    with pytest.warns(CheckpointWarning, match="No space left"):
        assert _plain(_found(begun)) == _plain(whole)
    assert begun.read_bytes() == before


def test_the_same_search_writes_the_same_models(tmp_path: Path) -> None:
    kept = []
    for name in ("a.json", "b.json"):
        _found(tmp_path / name, replace(QUICK, max_depth=1))
        progress = Checkpoint(tmp_path / name, DATA, LANGUAGE, asdict(replace(QUICK, max_depth=1))).read()
        assert progress is not None
        kept.append(json.loads((tmp_path / name).read_text())["progress"]["seen"])
        assert len(progress.state.seen) == len(kept[-1])
    assert kept[0] == kept[1]


@pytest.mark.slow
def test_the_estimator_goes_on_too(tmp_path: Path) -> None:
    x, y = DATA.X, DATA.y
    model = AutomaticStatistician("mkl", max_depth=2, n_restarts=2, n_jobs=1)
    part = model.fit(x, y, callback=_interrupt_at(1), checkpoint=tmp_path / "c.json")
    assert (part.interrupted_, part.complete_) == (True, False)
    assert model.fit(x, y, checkpoint=str(tmp_path / "c.json")).complete_
    values = model.kernel_.values
    assert model.fit(x, y).kernel_.values == values
