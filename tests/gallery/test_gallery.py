"""The gallery: every figure has its script, its picture and its place in the index, and can be drawn again."""

import re
from pathlib import Path

import numpy as np
import pytest
from matplotlib.figure import Figure
from PIL import Image

import look
import make
from look import Absent, data, save
from make import drawn, index, main, scripts
from sources import figure_name

GALLERY = Path(make.__file__).resolve().parent
SCRIPTS = scripts()
MOST_BYTES = 150_000
# In the place of long runs, of many images and of fine grids.
SHORT = {"SWEEPS": 10, "DRAWS": 200, "SNAPSHOTS": (0, 1, 2, 3), "PIXELS": 60, "STEP": 0.6, "POINTS": 12, "PERIOD": 8}
SHORT |= {"EACH": 5}

each = pytest.mark.parametrize("script", SCRIPTS, ids=lambda path: path.stem)


@each
def test_every_script_has_a_title_and_a_small_picture(script: Path) -> None:
    first = script.read_text(encoding="utf-8").splitlines()[0]
    assert first.startswith(f'"""Figure {figure_name(script)}: ')
    picture = script.with_suffix(".png")
    assert 1000 < picture.stat().st_size < MOST_BYTES
    with Image.open(picture) as image:
        assert 300 < image.width < 2000


def test_scripts_are_in_the_order_of_the_thesis_and_then_of_the_other_sources() -> None:
    names = [figure_name(script) for script in SCRIPTS]
    assert names.index("2.9") + 1 == names.index("2.10")
    assert len(set(names)) == len(names)
    letters = [name[0] for name in names if name[0].isalpha()]
    assert letters == sorted(letters, key="DPCLO".index)
    assert names[len(names) - len(letters) :] == [name for name in names if name[0].isalpha()]


def test_every_picture_has_a_script() -> None:
    assert {path.stem for path in GALLERY.glob("*.png")} == {path.stem for path in SCRIPTS}


def test_the_index_is_that_of_the_scripts() -> None:
    assert (GALLERY / "README.md").read_text(encoding="utf-8") == index(), "run docs/gallery/make.py"


@pytest.mark.slow
@each
def test_every_figure_can_be_drawn(script: Path) -> None:
    try:
        figure = drawn(script, **SHORT)
    except Absent as reason:
        pytest.skip(f"{reason}")
    assert figure.axes
    assert any(axes.has_data() or axes.images or axes.patches or axes.texts for axes in figure.axes)


@pytest.mark.slow
def test_the_same_figure_gives_the_same_bytes(tmp_path: Path) -> None:
    one, other = (save(drawn(SCRIPTS[0]), str(tmp_path / f"{name}.py")).read_bytes() for name in "ab")
    assert one == other
    with Image.open(tmp_path / "a.png") as image:
        assert np.ptp(np.asarray(image.convert("L"))) > 200


def test_the_command_goes_on_after_what_it_lacks(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    lacking = "from look import data\ndef draw():\n    data('nothing.csv')\n"
    (tmp_path / "figure_1_1_lacking.py").write_text(f'"""Figure 1.1: Lacking.\n\nWords.\n"""\n{lacking}')
    (tmp_path / "figure_1_2_broken.py").write_text(
        '"""Figure 1.2: Broken."""\ndef draw():\n    raise ValueError("oh")\n'
    )
    sound = "from matplotlib.figure import Figure\ndef draw():\n    return Figure()\n"
    (tmp_path / "figure_1_10_sound.py").write_text(f'"""Figure 1.10: Sound."""\n{sound}')
    monkeypatch.setattr(make, "HERE", tmp_path)
    assert main([]) == 1
    said = capsys.readouterr().out.splitlines()
    assert said[0].startswith("figure_1_1_lacking: left as it is, needs nothing.csv of the benchmark data")
    assert said[1] == "figure_1_2_broken: FAILED, ValueError: oh"
    assert re.fullmatch(r"figure_1_10_sound: \d+ kB, [\d.]+ s", said[2])
    assert (tmp_path / "figure_1_10_sound.png").is_file()
    page = (tmp_path / "README.md").read_text(encoding="utf-8")
    entry = "Words. ([script](figure_1_1_lacking.py))\n"
    assert f"## Figure 1.1: Lacking\n\n![Figure 1.1](figure_1_1_lacking.png)\n\n{entry}" in page
    assert main(["figure_1_10"]) == 0
    assert len(capsys.readouterr().out.splitlines()) == 1


def test_data_are_looked_for_beside_the_repository(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(look, "DATA", tmp_path)
    (tmp_path / "there.csv").touch()
    assert data("there.csv") == tmp_path / "there.csv"
    with pytest.raises(Absent, match=r"needs absent\.csv of the benchmark data"):
        data("absent.csv")


def test_the_look_is_ours_whatever_the_settings_of_the_reader() -> None:
    import matplotlib

    @look.styled
    def coloured() -> Figure:
        figure = Figure()
        figure.subplots()
        return figure

    with matplotlib.rc_context({"axes.spines.top": True, "font.size": 30}):
        (axes,) = coloured().axes
    assert not axes.spines["top"].get_visible()
    assert axes.title.get_fontsize() == 12
