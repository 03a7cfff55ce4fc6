"""The models that were asked last stay in memory, and no more of them."""

from __future__ import annotations

from pathlib import Path

from tests.promoted import fitted

from autostatistician.web.kept import MOST_KEPT, KeptModels


def test_a_model_is_loaded_once_until_others_have_taken_its_place(tmp_path: Path) -> None:
    path = tmp_path / "model.json"
    fitted().save(path)
    loads = list[int]()

    def of(key: int) -> object:
        return kept.of(key, lambda: loads.append(key) or path)  # type: ignore[func-returns-value]

    kept = KeptModels()
    first = of(0)
    assert of(0) is first
    for key in range(1, MOST_KEPT + 1):
        of(key)
    assert list(kept) == list(range(1, MOST_KEPT + 1))
    assert of(1) is kept[1]
    assert list(kept)[-1] == 1
    of(0)
    assert loads == [*range(MOST_KEPT + 1), 0]
