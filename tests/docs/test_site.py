"""The site: every public name has its place, every page is on a list, nothing is loaded from elsewhere."""

import re
from importlib import import_module
from inspect import cleandoc, ismodule
from pathlib import Path

import pytest
from tests.docs.blocks import FILES, ROOT
from tests.scripts import script

import autostatistician

DOCS = ROOT / "docs"
PUBLIC = (
    "autostatistician",
    *(f"autostatistician.{room}" for room in ("kernels", "models.symmetry", "models.deep", "report")),
)


def _names(room: str) -> set[str]:
    module = import_module(room)
    found = getattr(module, "__all__", None) or [
        name for name, value in vars(module).items() if name[0] != "_" and not ismodule(value) and name != "annotations"
    ]
    return {f"{room}.{name}" for name in found if name != "__version__"}


@pytest.mark.parametrize("room", PUBLIC)
def test_every_public_name_has_its_place_on_a_page(room: str) -> None:
    pages = "\n".join(path.read_text(encoding="utf-8") for path in (DOCS / "reference" / "api").glob("*.md"))
    told = set(re.findall(r"^\.\. auto(?:class|function|data):: (\S+)$", pages, re.MULTILINE))
    assert _names(room) - told == set()


def test_fitted_attributes_keep_their_underscore() -> None:
    napoleon = pytest.importorskip("sphinx.ext.napoleon", reason="needs the extra 'docs'")
    chosen = vars(script(DOCS / "conf.py")).items()
    settings = napoleon.Config(**{name: value for name, value in chosen if name.startswith(("napoleon", "strip"))})
    lost, seen = [], 0
    for name in sorted(_names("autostatistician")):
        public = getattr(autostatistician, name.rpartition(".")[2])
        written = re.findall(r"^    (\w+_)(?:, .*)? : ", public.__doc__ or "", re.MULTILINE)
        parsed = str(napoleon.NumpyDocstring(cleandoc(public.__doc__ or ""), settings))
        lost += [attribute for attribute in written if f":ivar {attribute[:-1]}\\_:" not in parsed]  # else a link
        seen += len(written)
    assert lost == []
    assert seen > 50


def test_every_file_of_the_tutorial_is_what_its_script_makes() -> None:
    made = script(DOCS / "tutorial/make_files.py")
    assert {path.relative_to(FILES).as_posix() for path in FILES.rglob("*.csv")} == set(made.FILES)
    assert [name for name in made.FILES if (FILES / name).read_text(encoding="utf-8") != made.text(name)] == []


def test_every_file_of_the_tutorial_is_told() -> None:
    page = (DOCS / "tutorial" / "index.md").read_text(encoding="utf-8")
    assert [
        path.name for path in FILES.rglob("*.csv") if f"{path.relative_to(FILES.parent).as_posix()})" not in page
    ] == []


def test_what_is_loaded_from_elsewhere_is_found(tmp_path: Path) -> None:
    build = script(DOCS / "build.py")
    page = tmp_path / "a.html"
    page.write_text('<a href="https://b.c">go</a><link rel="author" href="https://b.c"><img src="d.png">', "utf-8")
    assert list(build.outside(tmp_path)) == []
    page.write_text('<script src="//b.c/d.js"></script><link rel="icon" href="https://b.c/i.png">', "utf-8")
    (tmp_path / "s.css").write_text("@import 'https://b.c/s.css'; a {background: url(http://b.c/x.png)}", "utf-8")
    assert len(list(build.outside(tmp_path))) == 4


def test_reports_load_nothing_from_elsewhere() -> None:
    assert list(script(DOCS / "build.py").outside(DOCS / "reports")) == []


@pytest.mark.parametrize(
    ("page", "text", "led"),
    [
        ("how-to/panels.md", "[x](../explanation/theory.md#kernels)", "[x](../explanation/theory.md#kernels)"),
        ("tutorial/index.md", "[x](files/sales.csv)", "[x](files/sales.csv)"),
        ("reports/README.md", "[x](nile.html)", '<a href="nile.html">x</a>'),
        ("gallery/README.md", "![p](a.png) [x](a.py), [y](https://a.b)", "![p](a.png) x, [y](https://a.b)"),
    ],
)
def test_links_lead_where_the_site_has_something(page: str, text: str, led: str) -> None:
    pytest.importorskip("docutils", reason="needs the extra 'docs'")
    assert script(DOCS / "site_parts.py").elsewhere(text, page) == led
