"""The one door: series and tables are told through the same five functions."""

import gc
import weakref
from dataclasses import replace
from functools import cache

import pytest
from tests.decompose.table.tables import dataset, model
from tests.decompose.table.tables import decomposition as table
from tests.describe import factory

from autostatistician.describe import tell
from autostatistician.describe.tell import Described

KINDS = ("series", "table")


@cache
def _described(kind: str) -> Described:
    return factory.airline() if kind == "series" else table(model(), dataset(60))


@pytest.mark.parametrize("kind", KINDS)
def test_every_door_opens_for_both_kinds(kind: str) -> None:
    d = _described(kind)
    parts = tell.parts(d)
    assert [sentence for _, sentence in parts] == [
        text for text in tell.sentences(d) if text in dict(map(reversed, parts))
    ]
    assert tell.document(d).record["components"] == tell.result(d)["components"]
    assert set(tell.result(d)) - set(tell.document(d).record) == {
        "format",
        "seconds",
    }  # a page does not depend on the clock


@pytest.mark.parametrize("kind", KINDS)
def test_how_a_table_was_read_is_said_first_and_warned_of_once(kind: str) -> None:
    chosen = replace(_described(kind), choice="Read in some way.", warnings=("Read in some way.", "Other."))
    assert tell.sentences(chosen)[0] == "Read in some way."
    assert (tell.document(chosen).choice, tell.document(chosen).warnings) == ("Read in some way.", ("Other.",))


@pytest.mark.parametrize("kind", KINDS)
def test_parts_come_with_their_posterior(kind: str) -> None:
    d = _described(kind)
    records = d.components if kind == "series" else d.effects  # type: ignore[union-attr]
    for (part, _), record in zip(tell.parts(d), records, strict=True):
        assert part.mean is record.mean
        assert part.sd is record.sd


def test_what_is_told_does_not_outlive_the_model() -> None:
    d: Described = replace(factory.noise_only())
    tell.sentences(d)
    gone = weakref.ref(d)
    del d
    gc.collect()
    assert gone() is None
