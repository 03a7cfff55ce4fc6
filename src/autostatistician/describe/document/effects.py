"""The model of a table told as a Document: what matters, what each effect does, how well it all fits."""

from __future__ import annotations

from dataclasses import dataclass

from autostatistician.decompose.records.table import Effect, TableDecomposition
from autostatistician.describe.document.document import Block, Bullets, Document, Paragraph, Section
from autostatistician.describe.document.effect_pictures import (
    curve_figure,
    errors_figure,
    joint_figures,
    overview_figure,
)
from autostatistician.describe.document.effect_tables import checks_table, columns_table, effects_table, numbers_table
from autostatistician.describe.document.effect_verdict import failed, table_verdict
from autostatistician.describe.document.search import tree_figure
from autostatistician.describe.document.series_pictures import path_figure
from autostatistician.describe.document.series_tables import models_table, path_table, sureness_table
from autostatistician.describe.document.series_verdict import verdict_section
from autostatistician.describe.facts.claim import TOLD
from autostatistician.describe.facts.effect import (
    ColumnRelevance,
    Course,
    EffectShare,
    ErrorCheck,
    Explained,
    NoiseSize,
    RangesHeld,
    TableFact,
)
from autostatistician.describe.facts.fact import fact_json, stored
from autostatistician.describe.observe.claims import further, sureness_text
from autostatistician.describe.observe.effect_claims import MATTERS, TOGETHER, table_statements
from autostatistician.describe.observe.effects import (
    column_facts,
    effect_facts,
    effect_id,
    error_facts,
    noise_facts,
    told_effects,
)
from autostatistician.describe.observe.outlying_rows import far_off
from autostatistician.describe.words.effects import (
    LITTLE,
    Scale,
    check_text,
    column_text,
    course_text,
    effect_text,
    effect_title,
    explained_text,
    hardly,
    is_open,
    manner,
    noise_text,
    ranges_text,
)
from autostatistician.describe.words.method import CITATIONS, legend
from autostatistician.describe.words.search import among, search_record
from autostatistician.describe.words.table_method import METHOD, READING
from autostatistician.language.format import format_expr
from autostatistician.wording.names import clean_name, quoted
from autostatistician.wording.numbers import capital, count, fixed, joined, percent, plural

__all__ = ["effect_sentences", "table_document", "table_result", "table_sentences"]

_NAMELESS = "data"
_MOST_NAMED = 8
_MOST_MAIN = 3


@dataclass(frozen=True)
class _Told:
    """One effect with its words."""

    id: str
    effect: Effect
    facts: tuple[TableFact, ...]
    title: str
    sentence: str


@dataclass(frozen=True)
class _Story:
    """All that the sections are made from."""

    d: TableDecomposition
    scale: Scale
    effects: tuple[_Told, ...]
    columns: tuple[ColumnRelevance, ...]
    noise: tuple[NoiseSize, ...]
    errors: tuple[Explained | RangesHeld | ErrorCheck, ...]

    @property
    def fit(self) -> Explained:
        """How well the model fits and predicts."""
        return next(fact for fact in self.errors if isinstance(fact, Explained))

    @property
    def idle(self) -> tuple[ColumnRelevance, ...]:
        """The columns that do not matter."""
        return tuple(fact for fact in self.columns if hardly(fact) or not (fact.used or fact.scatter))


def _story(d: TableDecomposition) -> _Story:
    scale = Scale(d.target, d.transform.is_log)
    told = []
    for effect in told_effects(d):
        facts = effect_facts(effect, d)
        told.append(_Told(effect_id(effect, d), effect, facts, effect_title(facts), effect_text(facts, scale)))
    return _Story(d, scale, tuple(told), column_facts(d), noise_facts(d), error_facts(d))


def table_sentences(d: TableDecomposition) -> tuple[str, ...]:
    """One short sentence per effect, on the scatter, and on the columns that do not matter."""
    return _sentences(_story(d))


def effect_sentences(d: TableDecomposition) -> tuple[str, ...]:
    """One sentence per effect, also of those too small for the report."""
    scale = Scale(d.target, d.transform.is_log)
    return tuple(effect_text(effect_facts(effect, d), scale) for effect in d.effects)


def _sentences(story: _Story) -> tuple[str, ...]:
    scatter = tuple(noise_text(fact, story.scale) for fact in story.noise)
    nothing = () if story.effects else (_nothing(story),)
    idle = tuple(column_text(fact, story.scale) for fact in story.idle)
    return (*nothing, *(told.sentence for told in story.effects), *scatter, *idle)


def _nothing(story: _Story) -> str:
    return f"Nothing was found: no column tells anything about {story.scale.it} that is clear of chance."


def table_document(d: TableDecomposition) -> Document:
    """The whole report. It depends on the data and the model alone, never on how long the search took."""
    story = _story(d)
    name = clean_name(d.name)
    inputs = "1 column" if len(d.columns) == 1 else f"{len(d.columns)} columns"
    return Document(
        title=f"Automatic report on {name}" if name != _NAMELESS else f"Automatic report on {story.scale.it}",
        subtitle=f"{len(d.y):,} rows of {story.scale.it} with {inputs}: {_listed([one.name for one in d.columns])}",
        abstract=_abstract(story),
        sections=(
            *(_brief(story), verdict_section(table_verdict(d, story.columns, story.errors)), *_effects(story)),
            *(_columns(story), *_sureness(story), _checks(story), _search(story), _method()),
        ),
        warnings=tuple(one for one in d.warnings if one != d.choice),
        choice=d.choice,
        record=_record(story),
        citations=CITATIONS,
    )


def _listed(names: list[str]) -> str:
    shown = [quoted(name) for name in names[:_MOST_NAMED]]
    more = len(names) - len(shown)
    return joined([*shown, f"{count(more)} more"] if more else shown)


# --- the head ---------------------------------------------------------------------------------------------------------


def _abstract(story: _Story) -> str:
    if not story.effects:
        return _nothing(story)
    matter = [fact for fact in story.columns if fact.used and not hardly(fact) and not is_open(fact)]
    main = [fact for fact in matter if fact.number >= LITTLE][:_MOST_MAIN] or matter[:1]
    most = f"Most of {story.scale.it} hangs on {_listed([fact.column for fact in main])}."
    if not matter:
        most = f"Next to nothing about {story.scale.it} hangs on the columns."
    idle = [fact.column for fact in story.idle if not fact.left and not is_open(fact)]
    out = f" {_listed(idle)} {'does' if len(idle) == 1 else 'do'} not matter." if idle else ""
    left = story.fit.left_out
    foreseen = "nothing" if left <= 0.0 else percent(left)
    return f"{most}{out} Predicted from all other rows, {foreseen} of the variation is explained."


def _brief(story: _Story) -> Section:
    blocks: list[Block] = [overview_figure(story.d, story.columns, story.scale)]
    blocks.append(Paragraph(explained_text(story.fit, story.scale), (story.fit.id,), emphasis=True))
    scatter = tuple(noise_text(fact, story.scale) for fact in story.noise)
    idle = tuple(column_text(fact, story.scale) for fact in story.idle)
    told = tuple(one.sentence for one in story.effects) or (_nothing(story),)
    links = (*(one.id for one in story.effects), *([""] if not story.effects else []))
    blocks.append(Bullets((*told, *scatter, *idle), (*links, *[""] * len(scatter), *["columns"] * len(idle))))
    blocks.append(Paragraph(_amounts(story), tuple(fact.id for told in story.effects for fact in told.facts)))
    return Section("brief", "In brief", tuple(blocks))


def _amounts(story: _Story) -> str:
    if story.scale.is_log:
        return (
            f"The model is of the logarithm of {story.scale.it}: effects multiply, and their sizes are percentages of "
            "what the other columns give. Ranges hold the truth with a chance of 95%, if the model holds."
        )
    return (
        f"Sizes are in the units of {story.scale.it}, and ranges hold the truth with a chance of 95%, if the model "
        "holds."
    )


# --- effects ----------------------------------------------------------------------------------------------------------


def _effects(story: _Story) -> tuple[Section, ...]:
    if not story.effects:
        return ()
    many = len(story.effects) > 1
    text = (
        f"The model is the sum of {plural(len(story.effects), 'effect')} and random scatter. They come in the order of "
        "their share in the variation; an effect of several columns is what they do together."
        if many
        else "The model is a single effect and random scatter."
    )
    small = len(story.d.effects) - len(story.effects)
    rest = f" {capital(plural(small, 'further effect'))} of less than 0.1% {'is' if small == 1 else 'are'} not told."
    blocks: list[Block] = [Paragraph(text + (rest if small else ""))]
    if many:
        blocks.append(effects_table([(one.title, one.facts) for one in story.effects], story.scale))
    sections = tuple(_effect(told, story) for told in story.effects)
    return (Section("effects", "What the columns do", tuple(blocks), sections),)


def _effect(told: _Told, story: _Story) -> Section:
    courses = [fact for fact in told.facts if isinstance(fact, Course)]
    ids = tuple(fact.id for fact in told.facts)
    clear = [fact for fact in courses if fact.kind != "unclear"]
    how = manner(told.facts)
    blocks: list[Block] = [Paragraph(told.sentence, ids)]
    if how in ("pair", "more", "vague"):
        blocks += joint_figures(told.id, told.effect, story.d, story.scale)
    if how == "pair" and clear:
        blocks.append(Paragraph(" ".join(course_text(fact, story.scale) for fact in clear)))
    if how == "sum":
        blocks.append(Paragraph(_sum_text(told.facts)))
    if clear or how == "alone":
        blocks.append(curve_figure(told.id, told.effect, story.d, story.scale))
    return Section(told.id, told.title, tuple(blocks))


def _sum_text(facts: tuple[TableFact, ...]) -> str:
    share = next(fact for fact in facts if isinstance(fact, EffectShare))
    each = joined([quoted(name) for name in share.columns])
    return (
        f"Of what {each} do together, {percent(share.beyond)} is more than a sum of effects of each, so they can be "
        "read one by one."
    )


# --- columns, checks, search, method ----------------------------------------------------------------------------------


def _columns(story: _Story) -> Section:
    items = tuple(column_text(fact, story.scale) for fact in story.columns)
    text = (
        "How much hangs on a column is measured by giving it the value of another row, drawn by chance: half the mean "
        "square of the change, as a share of the variation in the data (a Sobol' index). Shares of columns that act "
        "together overlap, so they may add up to more than 100%."
    )
    blocks = (Bullets(items), columns_table(story.columns, story.d), Paragraph(text))
    return Section("columns", "Which columns matter", blocks)


def _sureness(story: _Story) -> tuple[Section, ...]:
    d = story.d
    if len(d.alternatives) < 2:
        return ()
    apart = {frozenset(told.effect.columns) for told in story.effects if manner(told.facts) == "sum"}
    denied = {f"{joined([quoted(name) for name in sorted(names)])} {TOGETHER}" for names in apart}
    found = further(table_statements(d.alternatives), lambda text: text.endswith(f" {MATTERS}") or text in denied)
    blocks: list[Block] = [Paragraph(sureness_text(d.alternatives[0][1], among(d)))]
    blocks += [sureness_table(found)] if found else []
    return (Section("sureness", "How sure the statements are", tuple(blocks)),)


def _checks(story: _Story) -> Section:
    held = next(fact for fact in story.errors if isinstance(fact, RangesHeld))
    alarms = failed(story.errors)
    every = [fact for fact in story.errors if isinstance(fact, ErrorCheck)]
    blocks: list[Block] = [Paragraph(ranges_text(held), (held.id,))]
    if every:
        asked = f"{capital(plural(len(every), 'check'))} compared these errors with simulations from the model."
        told = " None found anything unusual." if not alarms else f" {capital(count(len(alarms)))} found something:"
        blocks.append(Paragraph(asked + told, tuple(fact.id for fact in every)))
        blocks += [Bullets(tuple(f"{check_text(one)}." for one in alarms))] if alarms else []
    blocks.append(errors_figure(story.d.left_out))
    table = (Section("check-table", "Every check", (checks_table(every),), folded=True),) if every else ()
    return Section("checks", "Does the model fit?", tuple(blocks), table)


def _search(story: _Story) -> Section:
    d, fitted = story.d, story.d.fitted
    found = (
        "This section is for those who want to check or rebuild the model. Models are written as sums and products of "
        "a few basic kinds of curve, each along the column in brackets; the chosen one is "
        f"{format_expr(fitted.kernel.expr)}. It has {plural(fitted.n_parameters, 'number')} fitted to {len(d.y):,} "
        f"rows; its negative log likelihood is {fixed(fitted.nll, 1)}, and its BIC is {fixed(fitted.bic, 1)}; of both, "
        "lower is better."
    )
    blocks: list[Block] = [Paragraph(found), Paragraph("What the symbols mean:"), Bullets(legend(fitted.kernel.expr))]
    tree = tree_figure(d)
    blocks += [tree] if tree else [path_figure(d)] if len(d.path) > 2 else []
    blocks += [path_table(d)] if d.path else []
    blocks += [models_table(d)] if len(d.alternatives) > 1 else []
    fine = Section("numbers", "The fitted numbers", (numbers_table(d),), folded=True)
    return Section("search", "How this model was found", tuple(blocks), (fine,))


def _method() -> Section:
    return Section("method", "How the method works", (*(Paragraph(text) for text in METHOD), Paragraph(READING)))


# --- the record -------------------------------------------------------------------------------------------------------


def table_result(d: TableDecomposition) -> dict[str, object]:
    """The JSON object of the command line: the record of the report with the seconds that the search took."""
    return {**_record(_story(d)), "seconds": d.fitted.seconds}


def _record(story: _Story) -> dict[str, object]:
    """Everything stated, for machines. Seconds are left out: the same data and seed give the same bytes."""
    d = story.d
    facts = [*story.errors, *story.noise, *story.columns, *(fact for told in story.effects for fact in told.facts)]
    return {
        "expression": format_expr(d.fitted.kernel.expr),
        "target": d.target,
        "inputs": [column.name for column in d.columns],
        "components": [
            {
                "expression": " + ".join(format_expr(kernel.expr) for kernel in told.effect.kernels),
                "columns": list(told.effect.columns),
                "sentence": told.sentence,
                "share": stored(next(fact.number for fact in told.facts if isinstance(fact, EffectShare)) / 100.0),
            }
            for told in story.effects
        ],
        "columns": [
            {
                "name": fact.column,
                "sentence": column_text(fact, story.scale),
                "relevance": stored(fact.number / 100.0),
                "probability": stored(fact.probability),
            }
            for fact in story.columns
        ],
        "nll": stored(d.fitted.nll),
        "bic": stored(d.fitted.bic),
        "n_parameters": d.fitted.n_parameters,
        "n": len(d.y),
        "evaluations": d.fitted.evaluations,
        "r2": stored(d.signal_r2 / 100.0),
        "r2_left_out": stored(d.left_out.r2 / 100.0),
        "warnings": list(d.warnings),
        "transform": d.transform.to_json(),
        "search": search_record(d),
        "statements": [
            {"text": one.text, "probability": stored(one.probability), "in_best": one.in_best}
            for one in table_statements(d.alternatives)
            if one.probability >= TOLD
        ],
        "facts": [fact_json(fact) for fact in (*facts, *far_off(d))],
    }
