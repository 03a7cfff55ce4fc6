"""Make all pictures of the gallery and its index: ``python docs/gallery/make.py [NAME ...] [--missing]``.

Without names every ``figure_*.py`` of this folder is drawn; with names those whose file name begins with one of them. A
figure whose data are not here is left as it is, and the command says so. The index is made of the docstrings.
``--missing`` draws nothing: it names the figures and tables of the sources that we lack, by the list ``sources.csv``.
"""

from __future__ import annotations

import argparse
import ast
import sys
import time
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE))

from matplotlib.figure import Figure  # noqa: E402
from threadpoolctl import threadpool_limits  # noqa: E402

from look import Absent, save  # noqa: E402
from sources import NAMES, missing, partial, place, sources  # noqa: E402

__all__ = ["drawn", "index", "main", "scripts"]

HEAD = f"""# Gallery

The figures of {NAMES["F"]},
redrawn by this library. A letter marks another source:

{chr(10).join(f"- {key}: {name};" for key, name in NAMES.items() if key not in "FO")}
- O: {NAMES["O"]}.

[sources.csv](sources.csv) lists them all; their [tables](tables.md) are on another page.
`python docs/gallery/make.py` draws all.

```{{toctree}}
:hidden:

tables
```
"""


def scripts(*names: str) -> list[Path]:
    """The scripts in the order of their sources and numbers; with names, those that begin with one of them."""
    found = sorted(HERE.glob("figure_*.py"), key=place)
    return [path for path in found if not names or path.stem.startswith(names)]


def drawn(script: Path, **constants: float) -> Figure:
    """The figure of a script, with other values for those of its constants that are named.

    Raises
    ------
    Absent
        When its data are not here.
    """
    spec = spec_from_file_location(script.stem, script)
    assert spec is not None
    assert spec.loader is not None
    module = module_from_spec(spec)
    spec.loader.exec_module(module)
    vars(module).update({name: value for name, value in constants.items() if name in vars(module)})
    figure = module.draw()
    assert isinstance(figure, Figure)
    return figure


def index() -> str:
    """The page of the gallery: for every script its title, its picture and its words."""
    return "\n".join([HEAD, *(_entry(path) for path in scripts())])


def _entry(script: Path) -> str:
    title, _, text = (ast.get_docstring(ast.parse(script.read_text(encoding="utf-8"))) or "").partition("\n")
    title = title.rstrip(".")
    picture = f"![{title.partition(':')[0]}]({script.stem}.png)"
    return f"## {title}\n\n{picture}\n\n{text.strip()} ([script]({script.name}))\n"


def _print_missing() -> None:
    for each in missing():
        print(f"{each.kind} {each.title}: missing ({each.shows})")
    for each in partial():
        print(f"{each.kind} {each.title}: lacks {each.lacking}")
    kinds = [each.kind for each in missing()]
    of_tables = f"{kinds.count('table')} tables missing, {len(partial())} not whole"
    print(f"{len(sources())} figures and tables: {kinds.count('figure')} figures missing; {of_tables}")


def main(arguments: list[str] | None = None) -> int:
    """Draw, write the index, and say what was left out; 1 when a figure failed."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("names", nargs="*", help="beginnings of names of scripts; all without any")
    parser.add_argument("--missing", action="store_true", help="name what we lack of the sources, and draw nothing")
    given, failed = parser.parse_args(arguments), 0
    if given.missing:
        _print_missing()
        return 0
    for script in scripts(*given.names):
        start = time.perf_counter()
        try:
            with threadpool_limits(limits=1):
                path = save(drawn(script), str(script))
        except Absent as reason:
            print(f"{script.stem}: left as it is, {reason}")
            continue
        except Exception as fault:  # one figure does not hold up the others
            print(f"{script.stem}: FAILED, {type(fault).__name__}: {fault}")
            failed = 1
            continue
        print(f"{script.stem}: {path.stat().st_size / 1000:.0f} kB, {time.perf_counter() - start:.1f} s")
    (HERE / "README.md").write_text(index(), encoding="utf-8")
    return failed


if __name__ == "__main__":
    raise SystemExit(main())
