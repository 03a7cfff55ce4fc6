"""The project holds together: one version, whole wheels, living links, nothing that belongs to one machine."""

import ast
import re
import subprocess
import sys
import tomllib
import zipfile
from pathlib import Path

import pytest
from tests.conftest import selection
from tests.guards.trees import SOURCE, files, nodes

import autostatistician
from smoke import oldest

ROOT = Path(__file__).resolve().parents[2]
PAGES = [*sorted(ROOT.glob("*.md")), *sorted((ROOT / "docs").rglob("*.md"))]
# Text that people read, and code; this folder holds the patterns themselves.
TEXTS = [
    *PAGES,
    *(
        path
        for folder in ("src", "benchmarks", "packaging", ".ci")
        for path in sorted((ROOT / folder).rglob("*"))
        if path.is_file()
    ),
    ROOT / "pyproject.toml",
    ROOT / "CITATION.cff",
]
DATA = {".html", ".css", ".j2", ".jinja", ".mplstyle", ".csv", ".js", ".json", ".svg", ".md", ".typ", ".typed", ".toml"}

FORBIDDEN = {
    "a reference to notes that no reader has": r"\(spec\b|\bspec \d|design\.md|style\.md",
    "a path that leads out of the repository": r"\.\./shared\b",
    "a path of one machine": r"(?<![\w.:/<>{}*)\]\"'-])/(?:home|root|work|Users|opt|mnt)/",
    "a command that fails while the package is in no index": r"install +['\"]?autostatistician\b",
    "the address of a package index": r"https?://[^\s)\"']*(?:pypi|/simple\b|files\.pythonhosted)|--(?:extra-)?index-url",
}


def _name(path: Path) -> str:
    return str(path.relative_to(ROOT))


def _text(path: Path) -> str:
    return "" if path.suffix in {".pyc", ".png"} else path.read_text(encoding="utf-8")


@pytest.mark.parametrize("fault", FORBIDDEN)
def test_no_text_names_what_a_reader_does_not_have(fault: str) -> None:
    found = [
        f"{_name(path)}: {match.group()}" for path in TEXTS for match in re.finditer(FORBIDDEN[fault], _text(path))
    ]
    assert found == [], fault


def test_no_lock_files() -> None:
    names = {"uv.lock", "poetry.lock", "pdm.lock", "Pipfile.lock", "pylock.toml", "requirements.txt", "conda-lock.yml"}
    assert [name for name in sorted(names) if (ROOT / name).exists()] == []


def test_one_version_everywhere() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]["version"]
    cited = re.search(r"^version: (\S+)$", (ROOT / "CITATION.cff").read_text(encoding="utf-8"), re.MULTILINE)
    assert autostatistician.__version__ == project
    assert cited is not None
    assert cited.group(1).strip("\"'") == project
    assert project in (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")


def test_only_lower_bounds() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    wanted = [
        *project["dependencies"],
        *(name for names in project["optional-dependencies"].values() for name in names),
    ]
    assert [name for name in wanted if not re.fullmatch(r"[\w-]+(>=[\d.]+|\[\w+\])", name)] == []


def test_every_import_is_declared() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    others = {"bench", "dev", "docs", "test"}
    extras = [names for extra, names in project["optional-dependencies"].items() if extra not in others]
    declared = {re.split(r"[>\[]", name)[0] for names in [project["dependencies"], *extras] for name in names}
    imported = {
        name.partition(".")[0]
        for path in files(SOURCE)
        for node in nodes(path)
        for name in (
            [alias.name for alias in node.names]
            if isinstance(node, ast.Import)
            else [node.module]
            if isinstance(node, ast.ImportFrom) and node.module and not node.level
            else []
        )
    }
    others_call_it = {"sklearn": "scikit-learn", "vl_convert": "vl-convert-python"}
    names = {others_call_it.get(name, name.replace("_", "-")) for name in imported - sys.stdlib_module_names}
    assert names - declared - {"autostatistician"} == set()


def test_the_recipe_for_conda_asks_for_the_same() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    recipe = (ROOT / "packaging" / "recipe.yaml").read_text(encoding="utf-8")
    asked = re.findall(
        r"^    - ([\w-]+) >=([\d.]+)$", recipe.partition("  run:\n")[2].partition("tests:")[0], re.MULTILINE
    )
    wanted = [f"python>={project['requires-python'].removeprefix('>=')}", *project["dependencies"]]
    assert [f"{name}>={bound}" for name, bound in asked] == wanted
    assert f'version: "{project["version"]}"' in recipe


def test_oldest_dependencies_are_pinned_at_their_bounds() -> None:
    assert oldest({"dependencies": ["numpy>=2.0", "jinja2 >= 3.1"]}) == ["numpy==2.0", "jinja2==3.1"]


def test_links_between_pages_lead_somewhere() -> None:
    links = [(page, link) for page in PAGES for link in re.findall(r"\]\(([^)#\s]+)(?:#[^)]*)?\)", _text(page))]
    local = [(page, link) for page, link in links if "://" not in link and not link.startswith("mailto:")]
    assert [f"{_name(page)}: {link}" for page, link in local if not (page.parent / link).exists()] == []


def test_the_wheel_holds_every_file_of_the_package(tmp_path: Path) -> None:
    pytest.importorskip("hatchling", reason="building a wheel needs hatchling, which is part of the extra 'test'")
    command = [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(tmp_path)]
    subprocess.run(command, cwd=ROOT, check=True, capture_output=True)
    (wheel,) = tmp_path.glob("*.whl")
    packed = set(zipfile.ZipFile(wheel).namelist())
    wanted = {path.relative_to(ROOT / "src").as_posix() for path in SOURCE.rglob("*") if path.suffix in {".py", *DATA}}
    assert wanted <= packed
    assert "autostatistician/py.typed" in packed
    assert not [name for name in packed if name.startswith(("tests", "docs"))]


def test_slow_tests_come_beside_the_quick_ones_where_that_is_asked_for_and_long_ones_do_not() -> None:
    assert selection("not slow", slow_tests_too=True) == "not long"
    assert selection("not slow", slow_tests_too=False) == "not slow"
    assert selection("slow and not long", slow_tests_too=True) == "slow and not long"
