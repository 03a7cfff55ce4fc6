"""Where a search stands, kept in a file after every level, so that another run goes on from there.

A level is kept whole or not at all, and everything a level draws is seeded by its number and the candidate. So a
search that was ended and goes on finds the same, bit for bit, as one that was left alone.
"""

from __future__ import annotations

import json
import warnings
from collections.abc import Mapping
from dataclasses import asdict, dataclass, fields
from hashlib import sha256
from importlib.metadata import version
from pathlib import Path
from typing import Any

from autostatistician.data.dataset import Dataset
from autostatistician.errors import AutostatisticianError, CheckpointError, CheckpointWarning, WriteError
from autostatistician.files import write_whole
from autostatistician.language.json_form import expr_from_json, expr_to_json
from autostatistician.language.languages import Language
from autostatistician.search.state import Candidate, SearchState, StepInfo

__all__ = ["Checkpoint", "Progress", "fingerprint"]

CHECKPOINT_FORMAT = 4
FREE_SETTINGS = ("n_jobs", "time_budget")  # settings on which the result of a whole search does not depend
REMEDY = "continue with the same, or remove the file"


@dataclass(frozen=True, slots=True)
class Progress:
    """What a search has done so far: its state (in standard units), what it reported, the seconds it took."""

    state: SearchState
    trace: tuple[StepInfo, ...]
    seconds: float


class Checkpoint:
    """The file of one search.

    Parameters
    ----------
    path : str or Path
        Where the file is, or will be.
    dataset, language, settings : Dataset, Language, Mapping
        What the search is about. ``settings`` by name; those of `FREE_SETTINGS` may differ from run to run.
    """

    def __init__(self, path: str | Path, dataset: Dataset, language: Language, settings: Mapping[str, object]) -> None:
        self.path = Path(path)
        self._identity = _identity(dataset, language, settings)
        self._worked = False  # this place has taken a level before
        self._warned = False

    def read(self) -> Progress | None:
        """What an earlier run left, or None where there is no file.

        Raises
        ------
        CheckpointError
            When the file is no checkpoint, or one of another search: the message says what differs.
        """
        record = self._record()
        if record is None:
            return None
        self._compare(record["of"])
        if record.get("seal") != self._seal(record.get("progress")):
            raise self._error("a file that was altered or is damaged")
        self._worked = True
        try:
            return _progress_from_json(record["progress"])
        except (KeyError, TypeError, AttributeError, ValueError) as error:
            fault = str(error) if isinstance(error, AutostatisticianError) else f"{type(error).__name__}: {error}"
            raise self._error(f"a fault ({fault})") from error

    def write(self, progress: Progress) -> None:
        """Replace the file by one that holds this progress.

        Raises
        ------
        WriteError
            When the first write of a search fails, at its very start. Later, when there is something to lose, it is
            one warning: the search goes on, the file stays as it was, and every later level is tried again.
        """
        kept = _progress_to_json(progress)
        record = {"checkpoint": CHECKPOINT_FORMAT, "of": self._identity, "seal": self._seal(kept), "progress": kept}
        try:
            write_whole(self.path, json.dumps(record, separators=(",", ":")).encode())
        except WriteError as error:
            if not self._worked:
                raise
            if not self._warned:
                text = f"the search goes on, but its checkpoint stays at an earlier level: {error}"
                warnings.warn(text, CheckpointWarning, stacklevel=2)
            self._warned = True
        self._worked = True

    def _seal(self, progress: object) -> str:
        """A hash of what a search has done, with the data and settings: scores are taken as they stand in the file."""
        content = json.dumps([self._identity, progress], sort_keys=True, separators=(",", ":"))
        return sha256(content.encode()).hexdigest()

    def _record(self) -> dict[str, Any] | None:
        if self.path.exists() and not self.path.is_file():  # to read a pipe would take for ever
            raise self._error("something that is no file")
        try:
            record = json.loads(self.path.read_text(encoding="utf-8"))
        except FileNotFoundError:
            return None
        except OSError as error:
            raise self._error(error.strerror or type(error).__name__) from error
        except (ValueError, RecursionError) as error:
            raise self._error("no JSON") from error
        if not isinstance(record, dict):
            raise self._error("something else")
        if record.get("checkpoint") != CHECKPOINT_FORMAT or not isinstance(record.get("of"), dict):
            raise self._error("something else")
        return record

    def _compare(self, kept: Mapping[str, object]) -> None:
        names = [*self._identity, *(name for name in kept if name not in self._identity)]
        differing = [name for name in names if self._identity.get(name) != kept.get(name)]
        if differing:
            shown = [_difference(name, kept.get(name), self._identity.get(name)) for name in differing]
            raise CheckpointError.of(f"the checkpoint of this search in '{self.path}'", ", ".join(shown), REMEDY)

    def _error(self, content: str) -> CheckpointError:
        return CheckpointError.of(f"the checkpoint of a search in '{self.path}'", content, "choose another path")


def _difference(name: str, kept: object, asked: object) -> str:
    return "other data" if name == "data" else f"{name} {kept or 'unknown'} (now {asked or 'unknown'})"


def _identity(dataset: Dataset, language: Language, settings: Mapping[str, object]) -> dict[str, str]:
    """All that decides what a search finds, as texts by name."""
    words = [(field.name, getattr(language, field.name)) for field in fields(language)]
    rules = repr([(name, sorted(map(str, value)) if isinstance(value, frozenset) else value) for name, value in words])
    return {
        "data": fingerprint(dataset),
        "language": language.name,
        "rules of the language": sha256(rules.encode()).hexdigest()[:12],
        **{name: str(value) for name, value in settings.items() if name not in FREE_SETTINGS},
        **{f"version of {name}": version(name) for name in ("autostatistician", "numpy", "scipy")},
    }


def fingerprint(dataset: Dataset) -> str:
    """A text that differs when the data differ in anything that a search looks at.

    >>> import numpy as np
    >>> data = Dataset(np.arange(3.0)[:, None], np.ones(3), ("x",), "y", None)
    >>> fingerprint(data) == fingerprint(Dataset(data.X, 2.0 * data.y, ("x",), "y", None))
    False
    """
    axis = None if dataset.axis is None else dataset.axis.to_json()
    about = json.dumps([dataset.columns, dataset.X.shape, float(dataset.offset), axis], sort_keys=True)
    return sha256(b"".join([about.encode(), dataset.X.tobytes(), dataset.y.tobytes()])).hexdigest()


# --- as JSON ----------------------------------------------------------------------------------------------------


def _progress_to_json(progress: Progress) -> dict[str, Any]:
    state = progress.state
    return {
        "level": state.level,
        "incumbents": [incumbent.to_json() for incumbent in state.incumbents],
        "found": [candidate.to_json() for candidate in state.found],
        "seen": sorted((expr_to_json(expr) for expr in state.seen), key=json.dumps),
        "evaluations": state.evaluations,
        "finished": state.finished,
        "stalled": state.stalled,
        "stage": state.stage,
        "trace": [asdict(step) for step in progress.trace],
        "seconds": progress.seconds,
    }


def _progress_from_json(record: Mapping[str, Any]) -> Progress:
    state = SearchState(
        int(record["level"]),
        tuple(Candidate.from_json(candidate) for candidate in record["incumbents"]),
        tuple(Candidate.from_json(candidate) for candidate in record["found"]),
        frozenset(expr_from_json(expr) for expr in record["seen"]),
        int(record["evaluations"]),
        bool(record["finished"]),
        bool(record["stalled"]),
        int(record["stage"]),
    )
    if not (state.incumbents and state.found):
        raise ValueError("a state without its models")
    return Progress(state, tuple(StepInfo.from_json(step) for step in record["trace"]), float(record["seconds"]))
