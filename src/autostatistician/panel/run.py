"""A run over all series of a panel: by chunks, in workers, to be gone on with after an end at any time."""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from hashlib import sha256
from math import ceil
from pathlib import Path
from typing import Any, Protocol

from autostatistician._io.files import held
from autostatistician._io.processes import end_with_parent
from autostatistician._io.threads import one_thread
from autostatistician.data.dataset import Dataset
from autostatistician.errors import InputError
from autostatistician.fitted.model import Model
from autostatistician.i18n.messages import note
from autostatistician.panel.fitting import PanelSeries, reason_of, records_of_chunk
from autostatistician.panel.folder import ChunkFile, PanelFolder, RecordLine, fingerprint_of
from autostatistician.panel.records import DONE, FAILED, SeriesRecord
from autostatistician.panel.seasons import PanelSeasons
from autostatistician.panel.settings import PanelSettings, SeriesTable

__all__ = ["PageMaker", "run_panel"]

LOCK_NAME = ".lock"
MOST_OF_CHUNK = 64  # series, searched by one worker, whose data are in memory together
CHUNKS_OF_WORKER = 4  # at least, so that none waits long for the others at the end
MOST_ROUNDS = 2  # times that all chunks are tried at once, should workers die


def run_panel(
    table: SeriesTable,
    settings: PanelSettings,
    folder: Path | None = None,
    at_once: int = 1,
    chunk: int | None = None,
    pages: PageMaker | None = None,
) -> Iterator[SeriesRecord]:
    """The records of all series of a table, in its order, whatever the number of workers; each chunk as it is done.

    Parameters
    ----------
    table : SeriesTable
        The series. A series that has no data, or whose search fails, has a record that says why.
    settings : PanelSettings
        What all series are searched with.
    folder : Path, optional
        Where the records are kept (see `folder`). A later run with the same folder goes on from there: what was done
        is not done again, but for series whose data have changed. Without one, records are kept for this run alone.
    at_once : int
        Chunks at a time (-1: one for each core); with several, each is one call of the joblib backend in force, whose
        workers write in the folder, too.
    chunk : int, optional
        Series of a chunk, by default some 64, or fewer where there are not enough for all workers. Memory is that of
        the table and the chunks at work.
    pages : PageMaker, optional
        What writes the page of a series beside its record. A series that lacks one which it should have is done
        again, from its saved model where there is one.

    Raises
    ------
    InputError
        When a setting cannot be used, the folder cannot be written, holds something else or a run with other settings,
        or another process has it.
    KeyboardInterrupt
        At Ctrl-C. All but the series at work are kept.
    """
    settings = settings.checked()
    if folder is None:
        with tempfile.TemporaryDirectory(prefix="autostatistician-") as name:
            yield from _PanelRun(table, settings, Path(name), at_once, chunk, pages).records()
        return
    with held(folder, "panel", "--output", LOCK_NAME):
        yield from _PanelRun(table, settings, folder.resolve(), at_once, chunk, pages).records()


class PageMaker(Protocol):
    """What writes pages and models of single series."""

    def writer(self, name: str, /) -> Callable[[Model], object] | None:
        """What writes the files of a series from its model, in a worker; None where it is to have none."""

    def saved(self, name: str, /) -> Path | None:
        """The file of the model of a series, where there is one."""

    def is_there(self, name: str, /) -> bool:
        """Whether what a series is to have is written."""


@dataclass(frozen=True, eq=False, slots=True)
class _Job:
    """A chunk with the series of it that are to be searched, as it is sent to a worker."""

    file: ChunkFile
    pending: Sequence[PanelSeries]
    fingerprints: dict[str, str]  # of all its series by name, in order
    settings: PanelSettings


@dataclass(eq=False)
class _Jobs:
    """Jobs made one after the other when a worker is free; what goes wrong then is kept, since nobody hears of it."""

    run: _PanelRun
    numbers: Sequence[int]
    error: Exception | None = field(default=None, init=False)

    def __iter__(self) -> Iterator[_Job]:
        try:
            yield from map(self.run.job, self.numbers)
        except Exception as error:
            self.error = error


class _PanelRun:
    """One run: what was planned in it, and what is done."""

    def __init__(
        self, table: SeriesTable, settings: PanelSettings, folder: Path, at_once: int, chunk: int | None,
        pages: PageMaker | None,
    ) -> None:  # fmt: skip
        from autostatistician.search.racing.workers import worker_count

        self.table, self.settings, self.pages = table, settings, pages
        self.hangs_on = fingerprint_of(settings.to_json())
        self.workers = worker_count(at_once)
        usual = min(MOST_OF_CHUNK, max(1, ceil(len(table) / (CHUNKS_OF_WORKER * self.workers))))
        self.folder = PanelFolder(folder, table, settings, chunk, usual)
        self.chunks = self.folder.chunks
        self.planned: set[int] = set()  # chunks that were begun in this run
        self.seasons = PanelSeasons.of(table) if settings.shared_season else None

    def records(self) -> Iterator[SeriesRecord]:
        """All records in order; those of a chunk are read when it is done, and not kept."""
        done: set[int] = set()
        following = 0
        for number in self._spread() if self.workers > 1 else self._in_turn():
            done.add(number)
            while following in done:
                yield from self.folder.file(following).records()
                following += 1

    def job(self, number: int) -> _Job:
        """What is to be done of a chunk; its file holds what is not, unless there is nothing to do."""
        file, series = self.folder.file(number), [self._series(index) for index in self.chunks[number]]
        lines = file.lines()
        done = [lines[line_of.name] for line_of in series if self._counts(line_of, lines.get(line_of.name), number)]
        names = {line.name for line in done}
        job = _Job(
            file,
            [line_of for line_of in series if line_of.name not in names],
            {line_of.name: line_of.fingerprint for line_of in series},
            self.settings,
        )
        self.planned.add(number)
        if job.pending or len(lines) > len(done) or not file.whole.exists():
            file.begin(done)
        return job

    def _counts(self, series: PanelSeries, line: RecordLine | None, number: int) -> bool:
        """Whether a record is that of the series as it is: what failed is tried once in every run."""
        if line is None or line.fingerprint != series.fingerprint:
            return False
        if series.dataset is None or number in self.planned:
            return True
        lacking = self.pages is not None and series.beside is not None and not self.pages.is_there(series.name)
        return line.status == DONE and not lacking

    def _series(self, index: int) -> PanelSeries:
        name, ids, dataset, reason = self.table.name(index), self.table.keys[index], None, ""
        try:
            dataset = self.table.dataset(index)
            dataset = dataset if self.seasons is None else self.seasons.beside(dataset)
        except Exception as error:
            reason = reason_of(error)
        data = reason if dataset is None else _plain(dataset)
        of_pages = () if self.pages is None else (self.pages.writer(name), self.pages.saved(name))
        return PanelSeries(name, ids, dataset, reason, fingerprint_of(data, self.hangs_on), *of_pages)

    def _in_turn(self) -> Iterator[int]:
        for number in range(len(self.chunks)):
            _worked(self.job(number))
            yield number

    def _spread(self) -> Iterator[int]:
        """Chunks as they are done by several workers.

        The death of a worker takes others with it. What is left then is done again, all together once more, then each
        series alone, and one whose worker dies even so has failed.
        """
        remaining = dict.fromkeys(range(len(self.chunks)))
        for _ in range(MOST_ROUNDS):
            jobs = _Jobs(self, list(remaining))
            for number in self._gathered(jobs, _worked):
                del remaining[number]
                yield number
            if jobs.error is not None:
                raise jobs.error
        for number in list(remaining):
            self._one_by_one(number)
            yield number

    def _gathered(self, jobs: Iterable[_Job], work: Callable[[_Job], int]) -> Iterator[int]:
        """The numbers of chunks that are done, as they end; fewer where a worker dies."""
        from joblib import delayed

        from autostatistician.search.racing.workers import gathered_until_lost

        calls = (delayed(work)(job) for job in jobs)
        return gathered_until_lost(calls, self.workers, batch_size=1, pre_dispatch="2*n_jobs")

    def _one_by_one(self, number: int) -> None:
        """The series of a chunk, each in a worker of its own; those that kill it have failed."""
        job = self.job(number)
        for series in job.pending:
            if not list(self._gathered([replace(job, pending=[series])], _added)):
                reason = note("its worker died (out of memory?)")
                failed = SeriesRecord(series.name, series.ids, FAILED, reason, fingerprint=series.fingerprint)
                job.file.add(iter([failed]))
        job.file.finish(job.fingerprints, job.file.lines())


def _plain(dataset: Dataset) -> list[Any]:
    """The plain values of a data set, its numbers as the digest of their bytes."""
    numbers = sha256(dataset.X.tobytes() + dataset.y.tobytes()).hexdigest()
    metadata = (dataset.columns, dataset.target, dataset.axis, dataset.offset, dataset.warnings, dataset.choice,
              dict(dataset.levels), dataset.shuffled, dataset.classes)  # fmt: skip
    return [numbers, repr(metadata), None if dataset.covariates is None else dataset.covariates.to_json()]


def _added(job: _Job) -> int:
    """The series of a job, in a worker: its number, when the record of each is on the disk."""
    _lines(job)
    return job.file.number


def _worked(job: _Job) -> int:
    """All of a chunk, in a worker."""
    if job.pending or not job.file.whole.exists():
        earlier = job.file.lines() if len(job.pending) < len(job.fingerprints) else {}
        if not job.file.finish(job.fingerprints, {**earlier, **_lines(job)}):
            found = "fewer, or others"
            raise InputError.of(f"all records of '{job.file.part}'", found, "leave the folder alone, and run it again")
    return job.file.number


def _lines(job: _Job) -> dict[str, RecordLine]:
    end_with_parent()
    with one_thread():
        return job.file.add(records_of_chunk(job.pending, job.settings))
