"""The folder of the pages of single series."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.panel.made import QUICK, MadeTable, data_of
from tests.there import there

from autostatistician.data.panels import panel_of
from autostatistician.errors import InputError, WriteError
from autostatistician.estimators.panel_pages import SeriesPages, checked_names
from autostatistician.model.fitting import fit_model
from autostatistician.wording.messages import spoken_in


@pytest.mark.slow
def test_pages_are_written_where_the_page_of_all_links_to(tmp_path: Path) -> None:
    pages = SeriesPages(tmp_path / "all.html", QUICK, ("a/b",))
    pages.begin()
    write = there(pages.writer("a/b"))
    assert pages.writer("c") is None
    write(fit_model(data_of(0), QUICK.language, QUICK.search))
    (file,) = (tmp_path / "all-pages").iterdir()
    assert "Automatic report on" in file.read_text(encoding="utf-8")
    with spoken_in("de"):  # a page in another language is made anew, also where it is not asked for
        in_german = SeriesPages(tmp_path / "all.html", QUICK)
        assert not in_german.is_there("a/b")
        assert in_german.writer("a/b") is not None
    later = SeriesPages(tmp_path / "all.html", QUICK)
    assert later.is_there("a/b")
    assert later.writer("a/b") is not None
    assert later.links(["a/b", "c"]) == {"a/b": f"all-pages/{file.name}"}


def test_without_pages_there_is_no_folder(tmp_path: Path) -> None:
    pages = SeriesPages(tmp_path / "all.html", QUICK)
    pages.begin()
    assert list(tmp_path.iterdir()) == []
    assert pages.links(["a"]) == {}
    assert SeriesPages(tmp_path / "all.html", QUICK, None).writer("any") is not None


def test_a_folder_that_cannot_be_made_is_said(tmp_path: Path) -> None:
    (tmp_path / "all-pages").write_text("a file")
    with pytest.raises(WriteError, match="to be able to write"):
        SeriesPages(tmp_path / "all.html", QUICK, None).begin()


def test_names_are_those_of_the_table_or_plain_ids() -> None:
    assert checked_names(["store 1"], MadeTable(2)) == ("store 1",)
    columns = {"shop": ["x/y"] * 3 + ["z"] * 3, "day": [1, 2, 3] * 2, "sales": [4.0, 1.0, 2.0] * 2}
    table = there(panel_of(columns, ids=["shop"]))
    assert checked_names(["x/y", "x%2Fy"], table) == ("x%2Fy", "x%2Fy")
    with pytest.raises(InputError, match="did you mean 'store 1'"):
        checked_names(["stor 1"], MadeTable(2))
    with pytest.raises(InputError, match="see the names on the page"):
        checked_names(["nothing like it"], MadeTable(2))
