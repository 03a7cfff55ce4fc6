"""What agents may ask for: ``python -m autostatistician.mcp.jobs FOLDER`` does the jobs that it reads, a line each.

The same job on the same files has the same answer, byte for byte: nothing in it hangs on the clock, but for a
search that its budget cut, which says so.
"""

from __future__ import annotations

import base64
import hashlib
import io
import json
import re
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from autostatistician._io.files import is_file
from autostatistician._io.processes import memory_for_reading
from autostatistician._io.rows import forecast_json
from autostatistician.data.examples import example_names
from autostatistician.data.moments import steps_at_most
from autostatistician.errors import InputError
from autostatistician.web.jobs import LOOK_MEGABYTES, model_of
from autostatistician.web.pool import Handler, Tell, attend
from autostatistician.web.search_job import fitted
from autostatistician.web.tables import Bounds, check_no_file, seen_of

if TYPE_CHECKING:
    from autostatistician.data.dataset import Dataset
    from autostatistician.describe.document.document import Figure
    from autostatistician.estimators.loading import Fitted
    from autostatistician.search.state import Watched

__all__ = ["Jobs", "main"]


OWN = "autostatistician"  # the folder of our own

TABLES = re.compile(r"\.(csv|tsv|txt|parquet|xlsx)(\.gz|\.zip)?$", re.IGNORECASE)

MODEL = re.compile(r"[\w-][\w.-]{0,120}")

MOST_MODELS = 100

MOST_OF_TEXT = 100_000  # characters that are checked

DOTS_PER_INCH = 80.0


class Jobs:
    """The jobs of one folder."""

    def __init__(self, root: Path, bounds: Bounds | None = None) -> None:
        self.bounds = bounds or Bounds()
        self.folder = AgentFolder(root, self.bounds.megabytes)

    def by_name(self) -> dict[str, Handler]:
        """All jobs, within the bounds of steps ahead."""
        every = (self.look, self.fit, self.ask, self.forecast, self.explain, self.check, self.report)
        return {job.__name__: steps_at_most(self.bounds.steps)(job) for job in every}

    def look(self, args: dict[str, Any], tell: Tell) -> dict[str, Any]:
        """What a table holds, and what would be modelled; without a table, which there are."""
        if not args.get("file"):
            return {"tables": self.folder.tables(), "models": self.folder.models()}
        path = self.folder.table(args["file"])
        if isinstance(path, str):
            return self._look_at_example(path)
        with memory_for_reading(LOOK_MEGABYTES):
            return {"file": args["file"], **seen_of(path, path.stem, self.bounds)}

    def _look_at_example(self, name: str) -> dict[str, Any]:
        from autostatistician.data.load import load

        data = load(name)
        time = data.axis.column if data.axis is not None else None
        return {"file": name, "rows": data.n, "time": time, "target": data.target, "notes": list(data.warnings)}

    def fit(self, args: dict[str, Any], tell: Tell) -> dict[str, Any]:
        """Search a model of a table, or find the one that was made of the same before."""
        from autostatistician.estimators.loading import forget

        name, dataset, settings = self._read(args)
        path = self.folder.place_of(name)
        if not path.exists():
            self.folder.check_room()
            path.parent.mkdir(parents=True, exist_ok=True)

            def watch(step: Watched) -> None:
                tell({"level": step.level, "levels": step.max_depth, "expression": step.expression})

            checkpoint = path.with_suffix(".checkpoint")
            fitted(dataset, settings, watch, checkpoint).save(path)
            forget(checkpoint)
        model = self._model(name)
        found = {"expression": str(model.kernel_), "sentences": model.describe()}
        return {"model": name, "complete": model.complete_, **found, "warnings": list(model.dataset_.warnings)}

    def ask(self, args: dict[str, Any], tell: Tell) -> dict[str, Any]:
        """The answer to a question, as its schema has it."""
        named = {name: value for name, value in args.items() if name not in ("model", "question")}
        named["future"] = self._plan(named.get("future"))
        if "change" in named and "=" not in named["change"]:
            named["change"] = self.folder.table(named["change"])
        elif "change" in named:
            check_no_file(named["change"])
        return self._model(args["model"]).ask(args["question"], **named).to_json()

    def forecast(self, args: dict[str, Any], tell: Tell) -> dict[str, Any]:
        """The forecast of a series, as its schema has it."""
        return forecast_json(
            self._model(args["model"]).forecast(args.get("steps"), future=self._plan(args.get("future")))
        )

    def explain(self, args: dict[str, Any], tell: Tell) -> dict[str, Any]:
        """What was found: the record without the time it took, with all facts if asked for."""
        model = self._model(args["model"])
        record = {key: value for key, value in model.to_dict().items() if key not in ("seconds", "format")}
        if not args.get("facts"):
            record.pop("facts", None)
        return {"sentences": model.describe(), "sure": list(model.ask("sure").sentences), **record}

    def check(self, args: dict[str, Any], tell: Tell) -> dict[str, Any]:
        """The sentences of a text, borne out, contradicted or unknown."""
        from autostatistician.estimators.loading import memo_of, memo_record

        text = args["text"]
        if len(text) > MOST_OF_TEXT:
            raise InputError.of(f"a text of at most {MOST_OF_TEXT} characters", f"{len(text)}", "check it in parts")
        return memo_record(memo_of(self._model(args["model"])), text)

    def report(self, args: dict[str, Any], tell: Tell) -> dict[str, Any]:
        """Write the report into the folder of our own, and give its text and its first pictures as PNG."""
        from autostatistician.estimators.reports import figures_of
        from autostatistician.report.render import to_markdown, write

        steps, most = args.get("steps"), args.get("pictures", 2)
        document = self._model(args["model"]).report(horizon=steps).document
        self.folder.place("reports", args["model"]).mkdir(parents=True, exist_ok=True)
        places = (self.folder.place("reports", args["model"], f"report.{kind}") for kind in ("html", "md", "json"))
        files = [write(document, place) for place in places]
        return {
            "files": [path.relative_to(self.folder.root).as_posix() for path in files],
            "text": to_markdown(document),
            "pictures": [_picture(figure) for figure, _ in zip(figures_of(document), range(most), strict=False)],
        }

    def _read(self, args: dict[str, Any]) -> tuple[str, Dataset, dict[str, Any]]:
        """The name of the model of what is asked for, by the bytes of its table and its settings; and the table."""
        from autostatistician.data.load import load

        path = self.folder.table(args["file"])
        seconds = args.get("seconds") or min(120, self.bounds.seconds)
        if not 5 <= seconds <= self.bounds.seconds:
            raise InputError.of(f"5 to {self.bounds.seconds} seconds", f"{seconds}", "ask for fewer")
        with memory_for_reading(LOOK_MEGABYTES):
            if isinstance(path, Path):
                seen_of(path, path.stem, self.bounds)  # refuses what is beyond the bounds
            reading = {name: args[name] for name in ("time", "target", "where", "inputs") if args.get(name)}
            stem = path if isinstance(path, str) else path.stem
            dataset = load(path, name=stem, task=args.get("task") or "auto", **reading)
        settings = {"language": args.get("language") or "extended", "budget": seconds, "depth": self.bounds.depth}
        content = path.read_bytes() if isinstance(path, Path) else path.encode()
        key = json.dumps([reading, args.get("task") or "auto", settings], sort_keys=True).encode()
        mark = hashlib.sha256(hashlib.sha256(content).digest() + key).hexdigest()[:8]
        plain = "".join(letter if letter.isalnum() and letter.isascii() else "-" for letter in stem)[:40].strip("-")
        return f"{plain or 'table'}-{mark}", dataset, settings

    def _model(self, name: str) -> Fitted:
        return model_of(self.folder.model(name))

    def _plan(self, future: str | None) -> Path | str | None:
        return self.folder.table(future) if future and future not in ("auto", "last-year") else future or None


def _picture(figure: Figure) -> dict[str, str]:
    """A picture as PNG, the same bytes on each machine with the same libraries."""
    from autostatistician.report.figures import figure_matplotlib

    drawn = io.BytesIO()
    figure_matplotlib(figure).savefig(drawn, format="png", dpi=DOTS_PER_INCH, metadata={"Software": None})
    png = base64.b64encode(drawn.getvalue()).decode()
    return {"id": figure.id, "caption": figure.caption, "alt": figure.alt, "png": png}


def main(root: str, bounds: str) -> None:
    """Do the jobs that come on standard input."""
    attend(Jobs(Path(root), Bounds(**json.loads(bounds))).by_name())


# --- The one folder that an agent sees ------------------------------------------------------------------------------


@dataclass(frozen=True)
class AgentFolder:
    """The folder ``root``, whose tables may have so many ``megabytes``."""

    root: Path
    megabytes: int

    def table(self, name: str) -> Path | str:
        """The path of a table by its name in the folder; of no file, a bundled example of this name.

        Raises
        ------
        InputError
            When it lies elsewhere, is no table by its ending, or too large.
        """
        if not is_file(self.root / name) and name in example_names():
            return name
        path, shown = self._inside(name), repr(name[:60])
        if path is None:
            raise InputError.of("a table in the folder", shown, "name a file of it, with its path from there")
        if not is_file(path):
            raise InputError.of(f"a table among {self._names()}", shown, "name one of these")
        if not TABLES.search(path.name):
            raise InputError.of("a .csv, .tsv, .txt, .parquet or .xlsx file", repr(name), "name a table")
        size, most = path.stat().st_size / 1e6, self.megabytes
        if size > most:
            raise InputError.of(f"a table of at most {most} MB", f"{size:.0f} MB", "give fewer rows or columns")
        return path

    def model(self, name: str) -> Path:
        """The path of a model that was fitted here.

        Raises
        ------
        InputError
            When there is none of this name.
        """
        path = self.place_of(name)
        if not path.is_file():
            there = ", ".join(self.models()) or "none yet"
            raise InputError.of(f"a model among: {there}", repr(name), "name one of these, or fit a table")
        return path

    def place_of(self, name: str) -> Path:
        """Where a model of a name is, or will be."""
        if not MODEL.fullmatch(name):
            raise InputError.of("the name of a model", repr(name[:40]), "take the one that 'fit' gave")
        return self.place("models", f"{name}.json")

    def place(self, *parts: str) -> Path:
        """A place in the folder of our own.

        Raises
        ------
        InputError
            When something on the way is a link.
        """
        path = self.root / OWN
        for part in ("", *parts):
            path /= part
            if path.is_symlink():
                found = f"a link to elsewhere, '{path.relative_to(self.root).as_posix()}'"
                raise InputError.of(f"a folder of our own '{OWN}'", found, "remove the link")
        return path

    def models(self) -> list[str]:
        """The names of the models that were fitted here."""
        return sorted(path.stem for path in self.place("models").glob("*.json") if not path.is_symlink())

    def check_room(self) -> None:
        """Raise an `InputError` when there is no room for another model."""
        if len(self.models()) >= MOST_MODELS:
            found = f"{MOST_MODELS} models in {OWN}/models"
            raise InputError.of("room for another model", found, "delete some that are not needed")

    def tables(self) -> list[str]:
        """The names of the tables in the folder itself."""
        inside = ((path.name, self._inside(path.name)) for path in self.root.iterdir())
        return sorted(name for name, path in inside if path is not None and path.is_file() and TABLES.search(path.name))

    def _inside(self, name: str) -> Path | None:
        """The file behind a name; None where it lies outside of the folder, is hidden, or can be no file."""
        root = self.root.resolve()
        try:
            path = (root / name).resolve()
        except (OSError, ValueError):
            return None
        return path if path.is_relative_to(root) and not _is_hidden(path.relative_to(root)) else None

    def _names(self) -> str:
        return ", ".join(self.tables()[:20]) or "none: the folder holds no tables"


def _is_hidden(path: Path) -> bool:
    return any(part.startswith(".") for part in path.parts)


if __name__ == "__main__":
    main(*sys.argv[1:3])
