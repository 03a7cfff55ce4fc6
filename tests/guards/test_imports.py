"""Imports between the rooms point one way."""

import ast
from functools import cache
from pathlib import Path
from types import ModuleType

import pytest
from tests.guards.trees import SOURCE, files, nodes
from tests.scripts import script

PAGES = Path(__file__).resolve().parents[2] / "docs" / "explanation"


@pytest.fixture(scope="module")
def drawing() -> ModuleType:
    return script(PAGES / "draw_architecture.py")


@pytest.mark.slow
def test_the_picture_is_of_today(drawing: ModuleType) -> None:
    known = (PAGES / "architecture.svg").read_text(encoding="utf-8")
    assert drawing.picture() == known, "run: python docs/explanation/draw_architecture.py"


@pytest.mark.slow
def test_rooms_stand_above_what_they_import(drawing: ModuleType) -> None:
    graph, files = drawing.rooms()
    floors = drawing.floors(graph)
    assert all(floors[room] < floors[one] for room, below in graph.items() for one in below)
    assert {"data", "kernels", "gp", "describe/facts", drawing.GROUND} <= files.keys()


def test_rooms_that_import_one_another_are_named(drawing: ModuleType) -> None:
    with pytest.raises(ValueError, match=r"\['a', 'b'\]"):
        drawing.floors({"top": {"a"}, "a": {"b"}, "b": {"a"}})


PACKAGE = "autostatistician"

# Room -> what it may import of ours. A room inside of a room has its own row; a dotted name allows that module alone.
FOR_ALL = {"_io", "errors", "forms", "i18n"}

_MAP = """
errors:
_io: errors
forms:
i18n: errors
data.arrays:
data.words:
data.missing: data.words
data.numbers: data.arrays data.missing data.words
data.row_limits:
data.examples:
data.records:
data.times: data.arrays data.columns data.missing data.numbers data.records data.words
data.measured:
data.scales: data.words
data.columns: data.arrays data.measured data.missing data.numbers data.scales data.times data.words
data.files: data.columns data.frames data.missing data.numbers data.row_limits data.times.dates data.times.forms
    data.words
data.roles: data.arrays data.columns data.missing data.numbers data.times data.words
data:
kernels:
gp: data kernels
search: data.dataset data.outliers data.target_limits data.times data.transform data.value_checks gp.Problem gp.Scales
    gp.condition gp.covariance gp.criteria gp.engines.exact gp.engines.choice gp.engines.geometry gp.fit gp.fitting
    gp.count_likelihoods gp.likelihoods gp.parameters gp.posterior.Posterior gp.predictive gp.problem
    gp.count_approximations gp.evidence gp.sampling kernels
search.starting: data.dataset gp.Problem gp.Scales gp.engines.geometry gp.likelihoods gp.parameters gp.problem kernels
search.scores: data.dataset data.transform gp.Problem gp.Scales gp.condition gp.covariance.NotPositiveDefinite gp.fit
    gp.fitting.Outcome gp.likelihoods gp.parameters gp.predictive kernels search.constants search.starting
    search.state
search.racing: gp.Problem gp.criteria gp.engines.exact gp.engines.choice gp.fit gp.fitting gp.parameters gp.evidence
    gp.sampling kernels search.budget search.constants search.scores search.starting search.strategy
search.series: gp.Problem gp.Scales gp.condition gp.criteria gp.engines.choice gp.fit gp.fitting gp.parameters
    gp.posterior.Posterior gp.problem gp.evidence gp.sampling kernels search.constants search.racing search.scores
    search.starting search.strategy
search.tables: gp.Problem gp.Scales gp.classes gp.condition gp.criteria gp.engines.choice gp.fit gp.fitting
    gp.likelihoods gp.parameters gp.problem gp.evidence gp.sampling kernels search.constants search.racing search.scores
    search.starting search.strategy
decompose.records: data kernels
decompose.series: data decompose.records decompose.statistics decompose.turning_points decompose.uncertainty gp
    kernels
decompose.table: data decompose.records decompose.statistics decompose.turning_points decompose.uncertainty gp kernels
decompose: data gp kernels
claims:
describe.facts: claims decompose.records
describe.axis: claims.kinds data.times describe.facts.kinds
describe.words: describe.axis claims describe.facts
describe.observe: data.outliers data.transform decompose.records describe.axis claims describe.facts kernels
describe.document: decompose.records describe.axis claims describe.facts describe.words
describe.panels: describe.axis claims describe.facts.kinds panel.records
describe: claims decompose.records
report.panel_page: claims describe.panels.facts describe.panels.members describe.panels.words panel.records
    report.palette report.text
report: describe.document.document describe.document.panels
regressors: data.covariates data.dataset gp.posterior kernels
fitted: regressors data decompose.records decompose.series decompose.table decompose.uncertainty gp.Problem gp.Scales
    gp.condition gp.covariance.NotPositiveDefinite gp.criteria gp.engines.exact.Objective gp.engines.choice gp.fit
    gp.fitting gp.count_likelihoods gp.likelihoods gp.map_estimate gp.parameters gp.posterior gp.predictive
    gp.problem gp.count_approximations gp.evidence gp.sampling kernels search
panel.records: claims
panel.claims: data.common_season data.dataset data.transform decompose.records describe.axis claims describe.facts
    describe.observe.series describe.words fitted.covariate_effects fitted.covariate_record fitted.model fitted.function
    panel.records
panel: data decompose.records claims gp.parameters gp.posterior gp.predictive kernels fitted search
memo:
models:
models.additive: data.inputs gp.classes gp.covariance gp.engines.inducing gp.engines.inducing_bound
    gp.engines.semiseparable gp.fitting gp.likelihoods gp.parameters gp.posterior gp.problem gp.evidence
    gp.sampling kernels.expr kernels.kernel kernels.leaf_row kernels.leaves
models.hkl:
models.latent: gp.Scales gp.covariance gp.fitting gp.parameters kernels
models.symmetry: gp.Scales gp.covariance gp.fitting gp.parameters gp.posterior kernels
models.deep: data gp kernels
prior: models.deep.compositions gp.covariance gp.posterior kernels models.symmetry.views
evidence: gp gp.engines kernels.kernel prior
periodicity: decompose.records decompose.series decompose.uncertainty gp kernels prior
estimators: models.additive regressors data decompose.component_correlation decompose.records decompose.series.repeats
    decompose.uncertainty models.deep describe.answers describe.axis.units describe.document.document
    describe.document.record describe.panels describe.tell describe.words.answers describe.words.outliers
    describe.words.update models.hkl gp kernels memo models.latent fitted panel report.correlations report.figures
    report.panel_page report.render search.racing.workers.worker_count search.run search.state search.tables.screening
    models.symmetry
adapters: data.dataset data.load estimators.options estimators.statistician
cli: mcp.command data describe.panels.facts describe.panels.words estimators.backtest estimators.changes
    estimators.clusters estimators.loading estimators.mixture estimators.options estimators.panel estimators.panel_pages
    estimators.statistician estimators.statistician_classifier panel report search.racing.workers search.run.Settings
    search.settings search.stages.planned search.state web.command
web: data describe.document.document describe.tell estimators.loading fitted.explanation fitted.model fitted.progress
    report.figures report.jsonform report.render search.state
mcp: data describe.document.document estimators.loading estimators.reports report.figures
    report.render search.state web.jobs web.pool web.tables web.search_job
__main__: cli.main
__init__: _io.deprecated data.load estimators evidence prior periodicity
"""

_ROWS = [row.partition(":") for row in _MAP.replace("\n    ", " ").strip().splitlines()]
ALLOWED = {room: set(names.split()) for room, _, names in _ROWS}


def _room(path: Path) -> str:
    """The room of a file: the longest name of the map that it lies under, or its first folder."""
    parts = path.relative_to(SOURCE).with_suffix("").parts
    names = [".".join(parts[:count]) for count in range(len(parts), 0, -1)]
    return next((name for name in names if name in ALLOWED), parts[0])


@cache
def _imported(path: Path) -> set[str]:
    """The dotted names below the package that a file imports anywhere, also inside functions."""
    found = set()
    for node in nodes(path):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            package = ".".join((PACKAGE, *path.relative_to(SOURCE).parts[:-1]))
            base = package.rsplit(".", node.level - 1)[0] if node.level else ""
            module = ".".join(filter(None, (base, node.module)))
            found |= {f"{module}.{alias.name}" for alias in node.names}
    return {name.removeprefix(f"{PACKAGE}.") for name in found if name.startswith(f"{PACKAGE}.")}


def _modules() -> dict[str, Path]:
    """Every file of ours by its dotted name below the package."""
    paths = {".".join(path.relative_to(SOURCE).with_suffix("").parts): path for path in files(SOURCE)}
    return {name.removesuffix(".__init__"): path for name, path in paths.items()}


def _files_imported(path: Path, modules: dict[str, Path]) -> set[str]:
    """The files that a file imports anywhere, also inside functions and for types alone."""
    found = set()
    for name in _imported(path):
        while name and name not in modules:
            name = name.rpartition(".")[0]
        found |= {name} if name else set()
    return found


def test_files_import_one_way() -> None:
    modules = _modules()
    left = {name: _files_imported(path, modules) - {name} for name, path in modules.items()}
    while free := [name for name, wanted in left.items() if not wanted & left.keys()]:
        for name in free:
            del left[name]
    assert not left, f"these files, and what they import, go round in circles: {sorted(left)}"


def _is_allowed(name: str, room: str) -> bool:
    return any(name == known or name.startswith(f"{known}.") for known in {room, *FOR_ALL, *ALLOWED[room]})


def test_a_room_imports_only_what_the_map_allows() -> None:
    rooms = {path: _room(path) for path in files(SOURCE)}
    new = set(rooms.values()) - ALLOWED.keys()
    assert new == set(), "say in this table what these rooms may import"
    wrong = [
        (str(path.relative_to(SOURCE)), name)
        for path, room in rooms.items()
        for name in sorted(_imported(path))
        if not _is_allowed(name, room)
    ]
    assert wrong == []


def _outer(name: str) -> str:
    """The house that a room stands in: rooms of one house may use one another as their files allow.

    Claims and records import nothing else of ours: they stand on the ground, so that makers and tellers share them.
    """
    return name if name == "panel.records" else name.split(".")[0]


def test_the_map_has_no_circles() -> None:
    below: dict[str, set[str]] = {}
    for room, names in ALLOWED.items():
        below.setdefault(_outer(room), set()).update({_outer(name) for name in names} - {_outer(room)})
    while below:
        free = {room for room, names in below.items() if not names}
        assert free, f"these import one another: {sorted(below)}"
        below = {room: names - free for room, names in below.items() if room not in free}


def test_the_guard_sees_imports_inside_functions_and_relative_ones(tmp_path: Path) -> None:
    assert "estimators.statistician.AutomaticStatistician" in _imported(SOURCE / "cli" / "main.py")
    assert not _is_allowed("gp.search", "kernels")
    assert _is_allowed("decompose.records.series.Component", "describe.observe")
    assert not _is_allowed("decompose.records_of", "describe.observe")
