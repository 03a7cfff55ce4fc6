"""Sentences on deep processes, beside the golden pages."""

from __future__ import annotations

from dataclasses import replace

import pytest
from tests.describe.deep_cases import CASES

from autostatistician.describe.observe.deep import deep_findings
from autostatistician.describe.words.deep import bend_text, doubt_text


@pytest.mark.parametrize(("share", "said"), [(0.009, "hardly matters"), (0.01, "bends its inputs")])
def test_a_layer_bends_from_a_hundredth_on(share: float, said: str) -> None:
    bend = deep_findings(CASES["deep"]).bends[0]
    assert said in bend_text(replace(bend, number=share))


def test_one_number_of_layers_alone_leaves_no_doubt() -> None:
    assert doubt_text(deep_findings(CASES["deep as told"]).count) == ""
