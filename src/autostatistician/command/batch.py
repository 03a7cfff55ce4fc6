"""Many series: a report, a model and a forecast for every table of a folder, with a ledger from which to go on.

The ledger has one JSON object per line and series. A series that it calls done is skipped as long as its file, the
options and its outputs are there unchanged; all others are worked on. A series that was being searched when the run
ended has a checkpoint beside its outputs, and goes on from there.
"""

from __future__ import annotations

import json
import os
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import asdict, dataclass, field, replace
from hashlib import sha256
from math import isfinite
from pathlib import Path
from typing import TYPE_CHECKING, Literal

from autostatistician.command.terminal import explained
from autostatistician.errors import CheckpointError, InputError, WriteError
from autostatistician.files import stops_all_writing, write_whole
from autostatistician.lock import held
from autostatistician.processes import interrupt_later
from autostatistician.wording.messages import language, spoken_in
from autostatistician.wording.names import clean

if TYPE_CHECKING:
    from autostatistician.estimators.loading import Fitted

__all__ = ["LEDGER_NAME", "Batch", "Ledger", "Record", "run_batch"]

LEDGER_NAME = "ledger.jsonl"
LOCK_NAME = ".lock"
MOST_ROUNDS = 2  # times that all series are tried at once, should workers die


@dataclass(frozen=True, slots=True)
class Record:
    """What the ledger says of a series. Paths are relative: to the folder of the tables, and of the outputs."""

    file: str
    fingerprint: str  # of the file and the options
    status: Literal["done", "failed"]
    reason: str = ""
    expression: str | None = None
    bic: float | None = None
    seconds: float | None = None  # of the search
    outputs: tuple[str, ...] = ()


@dataclass(frozen=True, eq=False)
class Batch:
    """What is done with the tables.

    Parameters
    ----------
    folder, output : Path
        Where tables are and where everything goes.
    fit : callable
        From the path of a table and that of a checkpoint to a fitted model.
    options : Mapping
        All by which ``fit`` is governed, as plain values: a series is done again when they change.
    horizon : int or None
        Steps of the forecasts; None is a usual number.
    at_once : int
        Series at a time; with several, each is one call of the joblib backend in force, and ``fit`` has to be one
        that can be sent there.
    lang : str
        Of the pages.
    """

    folder: Path
    output: Path
    fit: Callable[[Path, Path], Fitted]
    options: Mapping[str, object]
    horizon: int | None = None
    at_once: int = 1
    lang: str = field(default_factory=language)


def run_batch(batch: Batch, files: Sequence[Path]) -> Iterator[tuple[Record, bool]]:
    """Work through the tables; yield the record of each, and whether it was done before.

    Raises
    ------
    InputError
        When the ledger or an output cannot be written, the ledger is something else, or another batch has the folder.
    KeyboardInterrupt
        At Ctrl-C. The ledger is whole, and the series at work has a checkpoint.
    """
    with held(batch.output, "batch", "--output", LOCK_NAME):
        yield from _run(batch, files)


def _run(batch: Batch, files: Sequence[Path]) -> Iterator[tuple[Record, bool]]:
    ledger, names = Ledger(batch.output), _names(batch.folder, files)
    all_series = [
        _Series(file, names[file], file.relative_to(batch.folder).as_posix(), _fingerprint(file, batch))
        for file in files
    ]
    pending = []
    for series in all_series:
        record = ledger.records.get(series.file)
        if (
            record
            and (record.status, record.fingerprint) == ("done", series.fingerprint)
            and ledger.has_outputs(record)
        ):
            yield record, True
        else:
            pending.append(series)
    for record in (_spread if batch.at_once > 1 else _in_turn)(batch, pending, ledger):
        yield record, False


@dataclass(frozen=True, slots=True)
class _Series:
    """A table that is to be worked on."""

    path: Path
    name: str  # the first part of the names of its outputs
    file: str  # in the ledger
    fingerprint: str


def _in_turn(batch: Batch, pending: Sequence[_Series], ledger: Ledger) -> Iterator[Record]:
    for series in pending:
        model, reason = _fitted(batch, series.path, _checkpoint(batch, series.name))
        with interrupt_later() as pressed:
            record = Record(series.file, series.fingerprint, "failed", reason)
            if model is not None:
                record = _written(batch, model, series.name, record)
            _settled(batch, series, record, ledger)
        yield record
        if pressed:
            raise KeyboardInterrupt


def _settled(batch: Batch, series: _Series, record: Record, ledger: Ledger) -> None:
    ledger.add(record)
    if record.status == "done":
        _forget(_checkpoint(batch, series.name))


def _spread(batch: Batch, pending: Sequence[_Series], ledger: Ledger) -> Iterator[Record]:
    """Several series at a time. The workers write the outputs, the ledger is written here alone.

    The death of a worker takes others with it. What is left then is done again, from its checkpoints: all together
    once more, then each alone, and a series whose worker dies even so has failed.
    """
    # workers may have been started elsewhere
    batch = replace(batch, folder=batch.folder.resolve(), output=batch.output.resolve())
    remaining = {series.file: replace(series, path=series.path.resolve()) for series in pending}
    for _ in range(MOST_ROUNDS):
        if remaining:
            yield from _gathered(batch, remaining, list(remaining.values()), ledger)
    for series in list(remaining.values()):
        yield from _gathered(batch, remaining, [series], ledger)
        if series.file in remaining:
            record = Record(series.file, series.fingerprint, "failed", "its worker died (out of memory?)")
            ledger.add(record)
            yield record


def _gathered(
    batch: Batch, remaining: dict[str, _Series], several: Sequence[_Series], ledger: Ledger
) -> Iterator[Record]:
    """The records of several series as they end, taken out of the ``remaining``; fewer where a worker dies."""
    from joblib import delayed

    from autostatistician.search.racing.workers import gathered_until_lost

    jobs = [delayed(_worked)(batch, series) for series in several]
    with closing(gathered_until_lost(jobs, batch.at_once, batch_size=1, pre_dispatch="n_jobs")) as records:
        for record in records:
            with interrupt_later() as pressed:
                _settled(batch, remaining.pop(record.file), record, ledger)
            yield record
            if pressed:
                raise KeyboardInterrupt


def _worked(batch: Batch, series: _Series) -> Record:
    """All of a series but the ledger, in a worker."""
    from autostatistician.processes import end_with_parent

    end_with_parent()
    model, reason = _fitted(batch, series.path, _checkpoint(batch, series.name))
    record = Record(series.file, series.fingerprint, "failed", reason)
    return record if model is None else _written(batch, model, series.name, record)


def _forget(checkpoint: Path) -> None:
    from autostatistician.estimators.loading import forget

    forget(checkpoint)


def _checkpoint(batch: Batch, name: str) -> Path:
    return batch.output / f"{name}-checkpoint.json"


def _fitted(batch: Batch, file: Path, checkpoint: Path) -> tuple[Fitted | None, str]:
    """The model, or the line that says why there is none."""
    try:
        try:
            model = batch.fit(file, checkpoint)
        except CheckpointError:  # of an earlier state of the file, or of other options
            _forget(checkpoint)
            model = batch.fit(file, checkpoint)
    except Exception as error:
        return None, _reason(error)
    if model.interrupted_:
        raise KeyboardInterrupt
    return model, ""


def _written(batch: Batch, model: Fitted, name: str, record: Record) -> Record:
    """Write the three outputs of a series; the record that says so."""
    from autostatistician.data.dataset import Kind

    report, saved, table = (batch.output / f"{name}-{end}" for end in ("report.html", "model.json", "forecast.csv"))
    try:
        series = model.dataset_.kind is Kind.SERIES
        frame = model.forecast(batch.horizon) if series else None
        with spoken_in(batch.lang):
            model.report(report, horizon=batch.horizon if series else None)
        model.save(saved)
        if frame is not None:
            write_whole(table, frame.to_csv(index=False, lineterminator="\n").encode())
    except Exception as error:
        return Record(record.file, record.fingerprint, "failed", _reason(error))
    expression, bic, seconds = model.search_.best
    outputs = (report.name, saved.name, *([table.name] if series else []))
    numbers = (bic if isfinite(bic) else None, round(seconds, 3))
    return Record(record.file, record.fingerprint, "done", "", expression, *numbers, outputs)


def _reason(error: Exception) -> str:
    """The line for the ledger; what stops every series, such as a full disk, is raised instead."""
    if stops_all_writing(error):
        raise error
    return clean(explained(error)[0])


def _fingerprint(file: Path, batch: Batch) -> str:
    """Of the content of a table and the options, "" when it cannot be read (the loader says why)."""
    try:
        content = sha256(file.read_bytes()).digest()
    except OSError:
        return ""
    options = json.dumps({**batch.options, "horizon": batch.horizon}, sort_keys=True)
    return sha256(content + options.encode()).hexdigest()


def _names(folder: Path, files: Sequence[Path]) -> dict[Path, str]:
    """The first part of the names of the outputs: that of the file without its ending, where this is enough."""
    relative = {file: file.relative_to(folder) for file in files}
    short = {file: _safe(str(path.parent / path.name.split(".")[0])) for file, path in relative.items()}
    usual = Counter(name.lower() for name in short.values())
    names: dict[Path, str] = {}
    for file, path in relative.items():
        name = short[file] if usual[short[file].lower()] == 1 else _safe(str(path))
        if name != short[file] and usual[name.lower()] + list(names.values()).count(name):
            name = f"{name}-{sha256(path.as_posix().encode()).hexdigest()[:8]}"
        names[file] = name
    return names


def _safe(text: str) -> str:
    return "".join(letter if letter.isalnum() or letter in "-_." else "-" for letter in text).strip("-.") or "data"


# --- the ledger -------------------------------------------------------------------------------------------------


class Ledger:
    """The file that says what became of every series; lines are added at its end, the last one of a file counts.

    Raises
    ------
    InputError
        When the folder cannot be made or written, or the file in it is no ledger.
    """

    def __init__(self, folder: Path) -> None:
        self.path = folder / LEDGER_NAME
        try:
            folder.mkdir(parents=True, exist_ok=True)
            lines = self.path.read_bytes().splitlines() if self.path.exists() else []
        except OSError as error:
            raise self._error(error) from error
        self.records = dict(self._read(lines))
        # One line per series, and no rest of a line that a full disk or a power cut has left.
        write_whole(self.path, b"".join(_line(record) for record in self.records.values()))

    def add(self, record: Record) -> None:
        """Say what became of a series: on the disk before the next one begins."""
        try:
            with self.path.open("ab") as file:
                file.write(_line(record))
                file.flush()
                os.fsync(file.fileno())
        except OSError as error:
            raise self._error(error) from error
        self.records[record.file] = record

    def has_outputs(self, record: Record) -> bool:
        """Whether all that was written for a series is still there."""
        return all((self.path.parent / name).is_file() for name in record.outputs)

    def _read(self, lines: Sequence[bytes]) -> Iterator[tuple[str, Record]]:
        for number, line in enumerate(lines, start=1):
            try:
                values = json.loads(line)
                record = Record(**{**values, "outputs": tuple(values["outputs"])})
                yield str(record.file), record
            except (ValueError, TypeError, KeyError, RecursionError) as error:
                if number < len(lines) or number == 1:
                    content = f"something else in line {number}"
                    raise InputError.of(f"a ledger in '{self.path}'", content, "choose another --output") from error

    def _error(self, error: OSError) -> WriteError:
        reason = error.strerror or type(error).__name__
        return WriteError.of(f"to be able to write '{self.path}'", reason, "check path and disk, and run it again")


def _line(record: Record) -> bytes:
    return json.dumps(asdict(record), ensure_ascii=False).encode() + b"\n"
