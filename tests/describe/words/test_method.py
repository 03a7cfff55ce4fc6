"""The legend explains every symbol of an expression, and no other."""

from __future__ import annotations

from tests.describe.spoken.wholes import BY_BIC, BY_EVIDENCE

from autostatistician.describe.words.method import citations, method_of_series


def test_the_method_tells_what_the_search_went_by() -> None:
    assert "lowest BIC" in method_of_series(BY_BIC)[0]
    assert "BIC" not in method_of_series(BY_EVIDENCE)[0]
    assert "many other series" in method_of_series(BY_EVIDENCE)[0]
    assert set(citations(BY_EVIDENCE)) > set(citations(BY_BIC))
