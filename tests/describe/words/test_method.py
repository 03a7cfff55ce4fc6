"""The legend explains every symbol of an expression, and no other."""

from __future__ import annotations

from dataclasses import replace

import pytest
from tests.describe import factory

from autostatistician.describe.observe.search import search_of
from autostatistician.describe.words.method import METHOD_OF_TABLES, bands_text, citations, legend, method_of_series
from autostatistician.language.kernel import Kernel, leaf
from autostatistician.language.leaves import LEAVES

D = factory.airline()
BY_BIC, BY_EVIDENCE = (search_of(replace(D, criterion=name), ()) for name in ("bic", "evidence"))


def _legend(kernel: Kernel) -> tuple[str, ...]:
    return legend(search_of(replace(D, fitted=replace(D.fitted, kernel=kernel)), ()))


@pytest.mark.parametrize("symbol", [symbol for symbol in LEAVES if symbol != "0"])
def test_every_leaf_is_explained_once(symbol: str) -> None:
    row = LEAVES[symbol]
    numbers = {number.name: 1.0 for number in row.parameters}
    (text,) = _legend(leaf(symbol, "c" if row.kind.has_column else None, **numbers))
    assert text.startswith(f"{symbol}: ")
    assert text.endswith(").")


def test_operators_come_after_leaves() -> None:
    line, noise = leaf("Lin", sd=1.0, location=0.0), leaf("WN", sd=1.0)
    starts = [text.partition(":")[0].partition(" ")[0] for text in _legend(line * noise + noise)]
    assert starts == ["Lin", "WN", '"+"', '"*"']


def test_the_bands_say_what_they_hold() -> None:
    assert "Only the range of the forecast, and the claims about the course, include the doubt" in bands_text(
        averaged=True
    )
    assert "No band includes the doubt" in bands_text(averaged=False)


def test_no_method_promises_the_best_model() -> None:
    for texts in (method_of_series(BY_BIC), method_of_series(BY_EVIDENCE), METHOD_OF_TABLES):
        assert "may have missed a better" in texts[-1]


def test_the_method_tells_what_the_search_went_by() -> None:
    assert "lowest BIC" in method_of_series(BY_BIC)[0]
    assert "BIC" not in method_of_series(BY_EVIDENCE)[0]
    assert "many other series" in method_of_series(BY_EVIDENCE)[0]
    assert set(citations(BY_EVIDENCE)) > set(citations(BY_BIC))
