"""One sentence on a part with its size, for a list."""

from __future__ import annotations

import pytest
from tests.describe.factory import observed
from tests.describe.spoken.nouns import UP, WN, C, lin, per, since

from autostatistician.describe.words.nouns import summary
from autostatistician.describe.words.statement import statement
from autostatistician.language.kernel import Kernel

SIZES = {
    "random noise": (WN, "; 95% of it lies within ±5.9."),
    "a line": (lin(1940.0), "; it rises by 8.39 per year."),
    "a cycle": (per(1.0), "; it adds between −10 and 10"),
}


@pytest.mark.parametrize("name", SIZES)
def test_the_summary_comes_with_its_size(name: str) -> None:
    kernel, size = SIZES[name]
    facts, units = observed(kernel, mean=UP if name == "a line" else None)
    told = statement(facts, units)
    assert told.startswith(summary(facts, units).removesuffix("."))
    assert size in told


@pytest.mark.parametrize("kernel", [since(C, 1999.0), since(per(1.0), 1999.0)])
def test_what_no_datum_shows_has_no_size(kernel: Kernel) -> None:
    facts, units = observed(kernel)
    assert statement(facts, units) == summary(facts, units)
