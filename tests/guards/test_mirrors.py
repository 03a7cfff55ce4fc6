"""Every file of the library has its tests beside it: src/a/b.py in tests/a/test_b.py."""

from __future__ import annotations

from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
SOURCE, TESTS = ROOT / "src" / "autostatistician", ROOT / "tests"


def _mirror(path: Path) -> Path:
    inside = path.relative_to(SOURCE)
    return TESTS / inside.parent / f"test_{inside.name}"


def test_every_file_has_its_tests() -> None:
    files = [path for path in sorted(SOURCE.rglob("*.py")) if not path.name.startswith("__")]
    assert len(files) > 200
    assert [str(_mirror(path).relative_to(ROOT)) for path in files if not _mirror(path).exists()] == []


def test_the_mirror_is_where_it_should_be() -> None:
    assert _mirror(SOURCE / "data" / "load.py") == TESTS / "data" / "test_load.py"
    assert _mirror(SOURCE / "seeds.py") == TESTS / "test_seeds.py"
