"""The search over expressions: greedy descent on a criterion, one level of neighbours at a time."""

from __future__ import annotations

import json
import time
import warnings
from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass, fields, replace
from hashlib import sha256
from importlib.metadata import version
from pathlib import Path
from typing import Any

from autostatistician._io.files import write_whole
from autostatistician._io.threads import one_thread
from autostatistician.data.dataset import Dataset
from autostatistician.errors import AutostatisticianError, CheckpointError, CheckpointWarning, InputError, WriteError
from autostatistician.gp.criteria import bic
from autostatistician.gp.likelihoods import GAUSSIAN, Likelihood
from autostatistician.i18n.messages import message, note
from autostatistician.kernels.grammar import Language
from autostatistician.kernels.kernel import Kernel
from autostatistician.kernels.text import expr_from_json, expr_to_json
from autostatistician.search.budget import Budget
from autostatistician.search.levels import priors_for
from autostatistician.search.scores.cycles import on_the_calendar
from autostatistician.search.settings import Settings, resolved
from autostatistician.search.stages.rows import rows_of_stages
from autostatistician.search.stages.stage import MOST_CRITICISED, Stages
from autostatistician.search.starting.standardisation import standard
from autostatistician.search.state import AT_DEPTH, OUT_OF_TIME, Candidate, SearchResult, SearchState, StepInfo, Watched

__all__ = ["Settings", "search"]


CHECKPOINT_FORMAT = 5

FREE_SETTINGS = ("n_jobs", "time_budget")  # settings on which the result of a whole search does not depend

REMEDY = "continue with the same, or remove the file"

NOTHING_KNOWN = message(
    "the search was stopped before the end of its first level, so nothing is known yet; start it again, and let it go "
    "on for longer"
)


def search(
    dataset: Dataset,
    language: Language,
    settings: Settings,
    callback: Callable[[Watched], None] | None = None,
    checkpoint: str | Path | None = None,
    likelihood: Likelihood = GAUSSIAN,
    likely_sums: tuple[Kernel, ...] = (),
) -> SearchResult:
    """Search a language for the model of a data set with the lowest criterion.

    A level ends with the best neighbour of the incumbent; the search ends when a level brings no improvement, at
    ``max_depth``, at ``time_budget``, or at KeyboardInterrupt: the best so far is returned in every case. The first
    level is finished whatever the budget; an interruption before its end is raised, for nothing is known then.

    With a ``checkpoint``, a path, every whole level is kept in that file, and the search goes on from what the file
    holds. The result is then that of a search in one go; the number of workers and the time budget (which counts
    anew in each run) may differ between the runs. The callback hears of the last level of earlier runs.

    The ``likelihood`` says with what a search begins and which expressions it may visit. A search by evidence begins
    with the ``likely_sums``, in data units, instead of all; some of their parameters may be open.

    Raises
    ------
    InputError
        When the checkpoint is of another search (the message says what differs) or cannot be written, or the target
        has not the classes that the likelihood wants.
    KeyboardInterrupt
        At one before the end of the first level.
    """
    if likelihood.is_latent and not dataset.classes:
        numbers = f"numbers in column {dataset.target!r}"
        raise InputError.of("a data set of classes", numbers, "load it with task='class'")
    settings = resolved(settings, dataset, language, likelihood)
    language = replace(language, start=likelihood.start(language.start))
    kept = None if checkpoint is None else Checkpoint(checkpoint, dataset, language, asdict(settings))
    with one_thread():
        return _Search(dataset, language, settings, callback, kept, likelihood, likely_sums).run()


class _Search:
    """One run of the loop: everything that stays the same from level to level."""

    def __init__(
        self,
        dataset: Dataset,
        language: Language,
        settings: Settings,
        callback: Callable[[Watched], None] | None,
        checkpoint: Checkpoint | None,
        likelihood: Likelihood,
        likely_sums: tuple[Kernel, ...],
    ) -> None:
        self.began = time.perf_counter()
        self.budget = Budget(settings.time_budget)
        self.checkpoint = checkpoint
        self.earlier = None if checkpoint is None else checkpoint.read()  # of an earlier run
        self.settings, self.language, self.callback = settings, language, callback
        depths = (settings.max_depth, language.max_depth)
        self.depth = min(depth for depth in depths if depth is not None)
        self.standardisation, problem, scales = standard(
            dataset, likelihood, priors_for(dataset.kind, settings.criterion, likelihood)
        )
        rows = rows_of_stages(dataset, language, settings.seed)
        begun = tuple(map(self.standardisation.to_standard, likely_sums))
        self.stages = Stages(dataset, language, settings, problem, scales, rows, self.budget, begun)
        self.stage = self.stages.stage(0 if self.earlier is None else self.earlier.state.stage)

    def run(self) -> SearchResult:
        stopped, interrupted = f"{AT_DEPTH} {self.depth}.", False
        trace = [] if self.earlier is None else list(self.earlier.trace)
        # takes milliseconds; before it there is nothing to return
        state = self.stage.first(self.language) if self.earlier is None else self.earlier.state
        self.budget.start(binds=state.level > 0)
        try:
            if self.earlier is None:
                self._tell(state, trace, 1)
            elif self.callback is not None and trace:
                kernel = self._in_data_units(state.incumbents[0]).kernel
                self.callback(Watched.of(trace[-1], kernel, self.settings.criterion))
            while not self.budget.is_used_up:
                objected = False
                if self._goes_on(state, trace):
                    state, candidates = self.stage.step(state)
                elif self.stage.number < self.stages.last:
                    state, candidates = self._next_stage(state)
                elif (criticised := self._criticised(state)) is not None:
                    state, candidates = criticised
                    objected = True
                else:
                    break
                self._tell(state, trace, candidates, objected=objected)
                self.budget.binds = True
            if self.budget.is_used_up:
                stopped = OUT_OF_TIME
            elif state.finished:
                stopped = "No neighbour of the last model improved on it."
        except KeyboardInterrupt:
            if not state.level:
                raise KeyboardInterrupt(note(NOTHING_KNOWN)) from None
            stopped, interrupted = "The search was interrupted; this is the best model until then.", True
        state = self._on_all_rows(state)
        ranked = on_the_calendar(self.stage.scoring.ranked(state), self.stage.problem, self.stage.scales)
        frontier = tuple(map(self._in_data_units, ranked))
        spent, seconds = self.budget.spent, self._seconds()
        return SearchResult(
            frontier[0], frontier, tuple(trace), state.evaluations, seconds, stopped, interrupted, spent
        )

    def _goes_on(self, state: SearchState, trace: list[StepInfo]) -> bool:
        """Whether another level is looked at on the rows of this stage."""
        most = self.stage.plan.most_levels
        if most is not None and sum(step.rows == self.stage.problem.n for step in trace) > most:  # one is the entry
            return False
        return not state.finished and state.level < self.depth

    def _criticised(self, state: SearchState) -> tuple[SearchState, int] | None:
        """What the data object to the model that would be told; None where they do not, and of many rows."""
        if state.criticised >= MOST_CRITICISED or state.level >= self.depth or not self.stage.plan.samples:
            return None
        return self.stage.criticised(state)

    def _next_stage(self, state: SearchState) -> tuple[SearchState, int]:
        """What is known on more rows, and how many models that is."""
        self.stage = self.stages.stage(state.stage + 1)
        state = self.stage.entered(state)
        return state, len(state.found)

    def _on_all_rows(self, state: SearchState) -> SearchState:
        """The state where a search that was ended early had all rows: nothing is reported of a part of them."""
        if state.stage == self.stages.last:
            return state
        self.stage = self.stages.stage(self.stages.last)
        return self.stage.evaluated(state)

    def _seconds(self) -> float:
        """The time of all runs together."""
        return time.perf_counter() - self.began + (0.0 if self.earlier is None else self.earlier.seconds)

    def _in_data_units(self, candidate: Candidate) -> Candidate:
        nll = self.standardisation.nll_in_data_units(candidate.nll, self.stage.problem.n)
        score = candidate.score + 2.0 * (nll - candidate.nll)
        return replace(candidate, kernel=self.standardisation.to_data(candidate.kernel), nll=nll, score=score)

    def _tell(self, state: SearchState, trace: list[StepInfo], candidates: int, *, objected: bool = False) -> None:
        best = self._in_data_units(state.incumbents[0])
        seconds = self._seconds()
        info = StepInfo(
            level=state.level,
            max_depth=self.depth,
            expression=str(best.kernel),
            bic=bic(best.nll, best.kernel.expr, self.stage.problem.n),
            nll=best.nll,
            evaluations=state.evaluations,
            candidates=candidates,
            seconds=seconds,
            score=best.score,
            rows=None if self.stage.number == self.stages.last else self.stage.problem.n,
            objected=objected,
        )
        trace.append(info)
        # A level cut short is not what a longer run would find.
        if self.checkpoint is not None and not self.budget.is_used_up:
            self.checkpoint.write(Progress(state, tuple(trace), seconds))
        if self.callback is not None:
            self.callback(Watched.of(info, best.kernel, self.settings.criterion))


# --- Where a search stands, kept in a file after every level, so that another run goes on from there ----------------


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


PLAIN_FIELDS: dict[str, Callable[[Any], Any]] = {  # of a state
    "level": int, "evaluations": int, "finished": bool, "stalled": bool, "stage": int, "criticised": int,
}  # fmt: skip


def _progress_to_json(progress: Progress) -> dict[str, Any]:
    state = progress.state
    return {
        **{name: getattr(state, name) for name in PLAIN_FIELDS},
        "incumbents": [incumbent.to_json() for incumbent in state.incumbents],
        "found": [candidate.to_json() for candidate in state.found],
        "seen": sorted((expr_to_json(expr) for expr in state.seen), key=json.dumps),
        "trace": [asdict(step) for step in progress.trace],
        "seconds": progress.seconds,
    }


def _progress_from_json(record: Mapping[str, Any]) -> Progress:
    state = SearchState(
        incumbents=tuple(Candidate.from_json(candidate) for candidate in record["incumbents"]),
        found=tuple(Candidate.from_json(candidate) for candidate in record["found"]),
        seen=frozenset(expr_from_json(expr) for expr in record["seen"]),
        **{name: kind(record[name]) for name, kind in PLAIN_FIELDS.items()},
    )
    if not (state.incumbents and state.found):
        raise ValueError("a state without its models")
    return Progress(state, tuple(StepInfo.from_json(step) for step in record["trace"]), float(record["seconds"]))
