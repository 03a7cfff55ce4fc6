"""The tables of the sources that are made in seconds."""

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import make
import tables
from autostatistician.describe.tell import parts
from autostatistician.gp import condition
from autostatistician.kernels.expr import ChangeWindow
from autostatistician.kernels.grammar import LANGUAGES
from look import Absent
from make import main, scripts
from searched import KEPT, SEARCHES, best_of_level, decomposed, searched, way
from sources import NAMES, Source, figure_name, missing, partial, sources
from tables import MODELS, PAGE, expressible, listed, phrases, said_of, sizes, table
from taken_apart import alone, together


def of_data(look_up: Callable[..., Any], *names: str) -> Any:
    try:
        return look_up(*names)
    except Absent as reason:
        pytest.skip(f"{reason}")


@pytest.mark.parametrize("name", SEARCHES)
def test_what_is_kept_of_a_search_is_of_these_data(name: str) -> None:
    model = of_data(searched, name)
    best = model.search.best
    log_jacobian = model.transform.log_jacobian(model.dataset.y)
    assert -condition(best.kernel, model.problem).log_evidence - log_jacobian == pytest.approx(best.nll, abs=0.01)
    levels = [candidate.level for candidate in model.search.frontier]
    assert max(map(levels.count, levels)) <= KEPT + 1  # one more where it is on the way
    assert {0, *levels} <= {step.level for step in model.search.trace}


@pytest.mark.slow
def test_the_search_found_the_cycle_of_the_sun_and_the_minimum_where_the_thesis_has_it() -> None:
    assert not any(SEARCHES[name].settings for name in ("solar", "mauna-loa", "airline"))
    record = of_data(decomposed, "solar")
    assert any("10.9-year" in sentence for _, sentence in parts(record))
    (window,) = (term.named() for term in record.fitted.kernel.terms if isinstance(term.expr, ChangeWindow))
    edges = [window["location"] + side * window["width"] / 2.0 for side in (-1.0, 1.0)]
    assert edges == pytest.approx([1643.0, 1716.0], abs=3.0)


def test_the_levels_of_a_search_get_better() -> None:
    scores = [candidate.score for candidate in best_of_level("mauna-loa-cks2013")]
    assert scores[0] > scores[1] > scores[2] > scores[3]
    assert len(way(searched("mauna-loa-cks2013").search.parents)) > 2


def test_parts_of_the_airline_sum_to_the_data() -> None:
    record = decomposed("airline")
    assert [part.is_noise for part in record.components] == [False, False, False, True]
    assert np.sum([part.mean for part in record.components], axis=0) == pytest.approx(record.modelled, abs=0.002)
    assert alone(record, np.log([1.5, 0.5])) == pytest.approx([50.0, -50.0])  # per cent
    assert together(record, record.components[-1].cumulative.mean) == pytest.approx(record.observation.mean, rel=0.01)


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


def test_languages_beside_models_are_there() -> None:
    assert all(model.language in {"", *LANGUAGES} for model in MODELS)


@pytest.mark.slow
def test_models_and_phrases_on_the_page_are_those_of_today() -> None:
    written = PAGE.read_text(encoding="utf-8")
    nouns, modifiers = phrases()
    for row in (*nouns, *modifiers):
        assert table(row, []).splitlines()[0] in written
    for row in expressible():
        *told, evidence = row
        (line,) = (line for line in written.splitlines() if line.startswith(f"| {told[0]} |"))
        cells = [cell.strip() for cell in line.strip("|").split(" | ")]
        assert cells[:-1] == told
        assert float(cells[-1]) == pytest.approx(float(evidence), abs=6.0)


def test_a_sentence_is_of_the_part_that_is_asked_for() -> None:
    assert said_of("WN(sd=1.0)") == "Random noise"
    assert said_of(f"{tables.leaf('Per')} * {tables.leaf('Lin')}").startswith("A yearly cycle")
    change = tables.CHANGES["CP(k, C)"].format(tables.leaf("WN"))
    assert said_of(change) == "Random noise, which applies until January 2005"


def test_sizes_are_those_of_the_files() -> None:
    rows = of_data(sizes, "clustering", "clusters")
    assert ["iris", "150", "4", "3"] in rows
    assert len(rows) == 8
    written = PAGE.read_text(encoding="utf-8")
    assert all(table(row, []).splitlines()[0] in written for row in rows)


def test_the_page_ends_with_the_list_of_the_other_tables() -> None:
    assert PAGE.read_text(encoding="utf-8").endswith(f"\n{listed()}"), "run docs/gallery/tables.py"
