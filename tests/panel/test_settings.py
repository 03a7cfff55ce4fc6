"""What a run over a panel is asked for."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

import pytest

from autostatistician.errors import InputError
from autostatistician.panel.settings import PanelSettings
from autostatistician.search.run import Settings


def test_what_can_be_used_is_kept() -> None:
    settings = PanelSettings("se", Settings(seed=3), 12, (50, 90))
    assert settings.checked() is settings


@pytest.mark.parametrize(
    ("changes", "expected"),
    [
        ({"language": "latin"}, "a language among"),
        ({"search": Settings(criterion="beauty")}, "a criterion among"),
        ({"horizon": 0}, "steps as a whole number"),
        ({"levels": ()}, "levels of ranges"),
        ({"levels": (95, 80)}, "levels of ranges"),
        ({"levels": (80, 80)}, "levels of ranges"),
        ({"levels": (0,)}, "levels of ranges"),
    ],
)
def test_what_cannot_be_used_is_said(changes: dict[str, Any], expected: str) -> None:
    with pytest.raises(InputError, match=f"expected {expected}"):
        replace(PanelSettings(), **changes).checked()


def test_records_do_not_hang_on_the_number_of_workers() -> None:
    one, two = (PanelSettings(search=Settings(n_jobs=count)).to_json() for count in (1, 2))
    assert one == two
    assert json.loads(json.dumps(one)) == one
    assert PanelSettings(search=Settings(seed=1)).to_json() != one
