"""Scores are told as what they are: a BIC to be low, or a probability to be high."""

from __future__ import annotations

from dataclasses import replace

import pytest
from tests.describe import factory
from tests.describe.spoken.wholes import _search

from autostatistician.decompose.records.series import Tried
from autostatistician.describe.observe.search import search_of
from autostatistician.describe.tell import document
from autostatistician.describe.words.criteria import fit_text, told_of_models, told_of_path


@pytest.mark.parametrize(
    ("criterion", "models", "path", "better"),
    [("bic", "BIC 40.0", "BIC", "lower"), ("loo", "LOO 40.0", "BIC", "lower"),
     ("evidence", "log P \N{MINUS SIGN}20.0", "log P", "higher")],
)  # fmt: skip
def test_a_score_has_the_name_of_its_criterion(criterion: str, models: str, path: str, better: str) -> None:
    search = _search(criterion)
    told = told_of_models(search)
    assert f"{told.name} {told.value(40.0)}" == models
    assert told_of_path(search).name == path
    assert told.better == f"{better} is better"


def test_a_table_that_was_searched_by_evidence_says_so() -> None:
    search = replace(_search("evidence"), by_evidence=False)
    assert told_of_path(search).name == told_of_models(search).name == "evidence"
    assert "by it the model was chosen" in told_of_path(search).note
    assert fit_text(search).endswith("but the choice was by evidence")


TRIED = (Tried(1, "SE + WN", 40.0, None), Tried(0, "WN", 90.0, None))


D = replace(factory.airline(), tried=TRIED, path=(("WN", 90.0, 0.1), ("SE + WN", 40.0, 1.0)))


def test_no_word_on_bic_where_evidence_chose() -> None:
    chosen = document(replace(D, criterion="evidence"))
    (section,) = (one for one in chosen.sections if one.id == "search")
    assert "BIC" not in str(section)
    assert "log P" in str(section)
    assert "common in other series" in str(document(replace(D, criterion="evidence", alternatives=_two())))


def test_a_simpler_model_than_the_likeliest_is_told_as_that() -> None:
    likelier = (Tried(2, "SE + SE + WN", 38.0, None), *TRIED)
    search = search_of(replace(D, criterion="evidence", tried=(TRIED[0], *likelier)), ())
    assert "chosen as simpler than the most probable one (\N{MINUS SIGN}19.0)" in fit_text(search)
    assert "simpler" not in fit_text(_search("evidence"))
    two = ((D.fitted.kernel, 0.3), (D.components[0].kernel, 0.7))
    report = str(document(replace(D, criterion="evidence", alternatives=two)))
    assert "describes a simple model, which has a probability of 30%" in report


def _two() -> tuple[tuple[object, float], ...]:
    return ((D.fitted.kernel, 0.7), (D.components[0].kernel, 0.3))
