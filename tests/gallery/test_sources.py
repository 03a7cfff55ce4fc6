"""The list of figures and tables of the sources against the files."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

import make
from make import main, scripts
from sources import NAMES, Source, figure_name, missing, partial, sources

# How many there are: by chapters of the thesis, and by the other sources.
FIGURES = {"1": 1, "2": 12, "3": 6, "4": 8, "5": 13, "6": 2, "7": 8}
OTHERS = {"D": 32, "P": 5, "C": 5, "L": 4}


def _figures(source: str) -> list[Source]:
    return [each for each in sources() if not each.is_table and each.source == source]


def test_every_figure_of_every_source_is_on_the_list_once() -> None:
    numbers = [each.number for each in _figures("F")]
    assert numbers == [f"{chapter}.{k}" for chapter, count in FIGURES.items() for k in range(1, count + 1)]
    for source, count in OTHERS.items():
        numbers = [each.number for each in _figures(source)]
        assert len(numbers) == len(set(numbers)) == count
    assert {each.source for each in sources()} == set(NAMES) - {"O"}


def test_no_figure_is_missing() -> None:
    assert [each.title for each in missing()] == []
    assert not any(each.lacking for each in sources() if not each.is_table)


def test_scripts_and_list_name_each_other() -> None:
    listed = {each.ours for each in sources() if each.ours.startswith("figure_")}
    own = {path.stem for path in scripts() if figure_name(path).startswith("O")}
    without = {"figure_l4_classes"}  # what the lecture tells without a picture
    assert listed | own | without == {path.stem for path in scripts()}


def test_a_figure_that_is_theirs_alone_has_their_number() -> None:
    """The first that names a script gives it its number, as the thesis comes first."""
    first: dict[str, Source] = {}
    for each in sources():
        if each.ours.startswith("figure_"):
            first.setdefault(each.ours, each)
    for name, each in first.items():
        assert figure_name(Path(name)) == each.title


def _anchors(page: Path) -> set[str]:
    heads = re.findall(r"^#+ (.+)$", page.read_text(encoding="utf-8"), re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", head.lower()).replace(" ", "-") for head in heads}


@pytest.mark.parametrize("each", [each for each in sources() if "#" in each.ours], ids=lambda each: each.title)
def test_the_place_of_a_table_is_there(each: Source) -> None:
    assert each.path is not None
    assert each.ours.partition("#")[2] in _anchors(each.path)


def test_the_command_says_what_is_missing_and_what_is_not_whole(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    lost = Source("figure", "D", "9.9", "a thing", "", "")
    monkeypatch.setattr(make, "missing", lambda: [lost])
    assert main(["--missing"]) == 0
    first, *others, last = capsys.readouterr().out.splitlines()
    assert first == "figure D 9.9: missing (a thing)"
    assert len(others) == len(partial())
    assert last.endswith(f"1 figures missing; 0 tables missing, {len(partial())} not whole")
