"""Who watches hears what is begun, and nobody else."""

from __future__ import annotations

from autostatistician.model.preparing import Preparing, begun, watched_by


def test_a_watcher_hears_what_is_begun_inside_of_the_block_alone() -> None:
    heard: list[Preparing] = []
    with watched_by(heard.append):
        begun(Preparing.COLUMNS)
        with watched_by(lambda what: None):
            begun(Preparing.OUTLIERS)
        begun(Preparing.SCALE)
    begun(Preparing.COLUMNS)
    assert heard == [Preparing.COLUMNS, Preparing.SCALE]
