"""What an agent may read lies in one folder, and what is written in one of our own in it."""

from __future__ import annotations

from pathlib import Path

import pytest

from autostatistician.agents.folder import MOST_MODELS, OWN, AgentFolder
from autostatistician.errors import InputError


@pytest.fixture
def folder(tmp_path: Path) -> AgentFolder:
    root = tmp_path / "tables"
    (root / "deep").mkdir(parents=True)
    (root / ".hidden").mkdir()
    for name in ("sales.csv", "deep/cars.tsv", ".hidden/keys.csv", ".env.csv", "notes.md"):
        (root / name).write_text("a,b\n1,2\n", encoding="utf-8")
    (tmp_path / "outside.csv").write_text("a,b\n1,2\n", encoding="utf-8")
    (root / "link.csv").symlink_to(tmp_path / "outside.csv")
    (root / "near.csv").symlink_to(root / "sales.csv")
    (root / "hidden.csv").symlink_to(root / ".env.csv")
    return AgentFolder(root, 1)


def test_tables_are_found_by_their_names_and_examples_too(folder: AgentFolder) -> None:
    assert folder.table("sales.csv") == (folder.root / "sales.csv").resolve()
    assert folder.table("deep/../deep/cars.tsv") == (folder.root / "deep" / "cars.tsv").resolve()
    assert folder.table("airline") == "airline"
    assert folder.tables() == ["near.csv", "sales.csv"]


OUTSIDE = ["../outside.csv", "link.csv", "/etc/hosts", ".hidden/keys.csv", ".env.csv", "deep/../../outside.csv"]


@pytest.mark.parametrize("name", [*OUTSIDE, "hidden.csv", "a\0b.csv", "near.csv/../../outside.csv"])
def test_nothing_else_is_read(folder: AgentFolder, name: str) -> None:
    with pytest.raises(InputError, match="a table in the folder"):
        folder.table(name)


@pytest.mark.parametrize("name", ["a" * 6000, "deep/" + "a" * 300 + ".csv", "a/" * 3000, "sales.csv/more.csv"])
def test_what_can_be_no_file_is_none_of_the_tables(folder: AgentFolder, name: str) -> None:
    with pytest.raises(InputError, match=r"a table among near\.csv, sales\.csv") as caught:
        folder.table(name)
    assert len(str(caught.value)) < 250


def test_what_is_no_table_is_refused(folder: AgentFolder) -> None:
    with pytest.raises(InputError, match=r"a \.csv, \.tsv"):
        folder.table("notes.md")
    with pytest.raises(InputError, match=r"among near\.csv, sales\.csv"):
        folder.table("cars.csv")
    (folder.root / "large.csv").write_bytes(b"1" * 1_100_000)
    with pytest.raises(InputError, match="at most 1 MB; found 1 MB"):
        folder.table("large.csv")


def test_models_are_those_of_our_own_folder(folder: AgentFolder) -> None:
    for name in ("../sales", "a/b", "", ".hidden", "x" * 200):
        with pytest.raises(InputError, match="the name of a model"):
            folder.model(name)
    with pytest.raises(InputError, match="none yet"):
        folder.model("sales-1")
    ((folder.root / OWN) / "models").mkdir(parents=True)
    ((folder.root / OWN) / "models" / "sales-1.json").write_text("{}", encoding="utf-8")
    assert folder.model("sales-1") == folder.root / OWN / "models" / "sales-1.json"
    folder.check_room()
    for count in range(MOST_MODELS):
        ((folder.root / OWN) / "models" / f"m{count}.json").touch()
    with pytest.raises(InputError, match="room for another model"):
        folder.check_room()


def test_a_link_in_the_place_of_our_own_folder_is_refused(folder: AgentFolder, tmp_path: Path) -> None:
    (folder.root / OWN).symlink_to(tmp_path)
    with pytest.raises(InputError, match="a link to elsewhere"):
        folder.models()


@pytest.mark.parametrize("linked", ["models", "models/sales-1.json", "reports", "reports/sales-1/report.md"])
def test_links_inside_of_our_own_folder_lead_nowhere(folder: AgentFolder, tmp_path: Path, linked: str) -> None:
    link = folder.root / OWN / linked
    link.parent.mkdir(parents=True)
    link.symlink_to(tmp_path / "outside.csv" if link.suffix else tmp_path)
    with pytest.raises(InputError, match=f"a link to elsewhere, '{OWN}/{linked}'"):
        folder.place(*Path(linked).parts)
    if linked == "models/sales-1.json":
        assert folder.models() == []
        with pytest.raises(InputError, match="a link to elsewhere"):
            folder.model("sales-1")
