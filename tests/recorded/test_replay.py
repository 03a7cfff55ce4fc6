"""A sample of the recorded searches, forecasts and claims comes out as it was recorded; all of them by the command."""

import pytest
from tests.recorded.cases import KINDS, cases
from tests.recorded.record import differences, record, recorded

# The searches of the bundled examples have their traces; the command `--replay 1` takes all of all kinds.
EVERY = {"series": 40, "tables": 40, "counts": 20, "classes": 20, "panels": 20}
SAMPLE = [(kind, name) for kind, every in EVERY.items() for name in list(recorded(kind))[::every]]


@pytest.mark.slow
@pytest.mark.parametrize(("kind", "name"), SAMPLE, ids=[f"{kind}: {name}" for kind, name in SAMPLE])
def test_a_case_gives_what_was_recorded(kind: str, name: str) -> None:
    case = next(case for case in cases(kind) if case.name == name)
    assert list(differences(record(case), recorded(kind)[case.name])) == []


@pytest.mark.parametrize("kind", KINDS)
def test_every_case_is_recorded(kind: str) -> None:
    names = [case.name for case in cases(kind)]
    assert len(names) == len(set(names)) == KINDS[kind]
    assert list(recorded(kind)) == names


def test_differences_are_named() -> None:
    then = {"expression": "SE + WN", "claims": [{"kind": "rise", "number": 1.0}], "bic": 3.0}
    now = {"expression": "SE + WN", "claims": [{"kind": "rise", "number": 1.1}], "bic": 3.0 + 1e-12}
    assert list(differences(now, then)) == [".claims[0].number: 1.0 is now 1.1"]
    assert list(differences({"claims": []}, {"claims": [1]})) == [".claims: [1] is now []"]
