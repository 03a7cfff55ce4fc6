"""The page on a table: what matters, what each effect does, how well it all fits."""

from __future__ import annotations

from dataclasses import dataclass

from autostatistician.describe.axis.scale import Scale
from autostatistician.describe.document.document import Block, Bullets, Paragraph, Section
from autostatistician.describe.document.record import stored
from autostatistician.describe.document.search import search_section
from autostatistician.describe.document.sureness import beside_the_parts, sureness_section
from autostatistician.describe.document.table.pictures import (
    curve_figure,
    errors_figure,
    joint_figures,
    overview_figure,
)
from autostatistician.describe.document.table.story import Story, ToldEffect, story_of
from autostatistician.describe.document.table.tables import checks_table, columns_table, effects_table, numbers_table
from autostatistician.describe.document.table.verdict import table_verdict
from autostatistician.describe.document.verdict import verdict_section
from autostatistician.describe.facts.claim import Claim
from autostatistician.describe.facts.effect import ColumnRelevance, ErrorCheck
from autostatistician.describe.facts.fact import Fact
from autostatistician.describe.facts.findings import TableFindings
from autostatistician.describe.facts.judgement import (
    LITTLE,
    clear_courses,
    effect_share,
    failed_checks,
    hardly_matters,
    is_open,
    manner_of,
)
from autostatistician.describe.facts.kinds import ClaimKind, Manner
from autostatistician.describe.words.claims import Statement, statements
from autostatistician.describe.words.criteria import fit_text
from autostatistician.describe.words.effects import (
    check_text,
    column_text,
    course_text,
    effect_text,
    explained_text,
    noise_text,
    ranges_text,
)
from autostatistician.describe.words.method import METHOD_OF_TABLES, READING_OF_TABLES
from autostatistician.wording.names import quoted
from autostatistician.wording.numbers import capital, count, joined, percent, plural

__all__ = ["TablePage", "table_page"]

_MOST_NAMED = 8  # columns
_MOST_MAIN = 3
_OF_FIRST_LEVEL = (
    " Models of level 1 without a line began as sums and products over all columns and were freed of what the data do "
    "not need."
)


@dataclass(frozen=True)
class TablePage:
    """What is told of a table (a `Page`)."""

    findings: TableFindings
    scale: Scale
    story: Story
    statements: tuple[Statement, ...]

    @property
    def facts(self) -> tuple[Fact, ...]:
        """All facts: on the fit, the scatter, each column and each effect, and on rows that stand out."""
        known = self.findings
        of_effects = (fact for effect in known.effects for fact in effect.facts)
        return (known.fit, known.ranges, *known.checks, *known.noise, *known.columns, *of_effects, *known.outliers)

    def sentences(self) -> tuple[str, ...]:
        """One short sentence per effect, on the scatter, and on the columns that do not matter."""
        story, scale = self.story, self.scale
        nothing = () if story.effects else (_nothing(scale),)
        scatter = tuple(noise_text(fact, scale) for fact in self.findings.noise)
        idle = tuple(column_text(fact, scale) for fact in story.idle)
        return (*nothing, *(told.sentence for told in story.effects), *scatter, *idle)

    def part_sentences(self) -> tuple[str, ...]:
        """One sentence per effect, also of those too small for the report."""
        return tuple(effect_text(effect.facts, self.scale) for effect in self.findings.parts)

    def subtitle(self) -> str:
        """What the data are."""
        names = [one.name for one in self.findings.inputs]
        inputs = "1 column" if len(names) == 1 else f"{len(names)} columns"
        return f"{self.findings.n:,} rows of {self.scale.it} with {inputs}: {_listed(names)}"

    def abstract(self) -> str:
        """What the target hangs on, and how well that foresees it."""
        return _abstract(self.story)

    def sections(self) -> tuple[Section, ...]:
        """What matters, what to make of it, the effects, the columns, and how all that came about."""
        story = self.story
        return (
            _brief(story),
            verdict_section(table_verdict(self.findings, self.scale)),
            *_effects(story),
            _columns(story),
            *_sureness(story),
            _checks(story),
            _search(story),
            _method(),
        )

    def part_records(self) -> dict[str, object]:
        """The target, the inputs, the effects and the columns, as plain values."""
        return {
            "target": self.scale.target,
            "inputs": [column.name for column in self.findings.inputs],
            "components": [_effect_record(told) for told in self.story.effects],
            "columns": [self._column_record(fact) for fact in self.findings.columns],
        }

    def _column_record(self, fact: ColumnRelevance) -> dict[str, object]:
        return {
            "name": fact.column,
            "sentence": column_text(fact, self.scale),
            "relevance": stored(fact.number),
            "probability": stored(fact.probability),
        }

    def fit_records(self) -> dict[str, object]:
        """The shares that are explained, of the values at hand and of those left out."""
        return {"r2": stored(self.findings.fit.number), "r2_left_out": stored(self.findings.fit.left_out)}


def table_page(findings: TableFindings, scale: Scale) -> TablePage:
    """The page on what is known of a table."""
    return TablePage(findings, scale, story_of(findings, scale), statements(findings.claims))


def _effect_record(told: ToldEffect) -> dict[str, object]:
    return {
        "expression": told.effect.expression,
        "columns": list(told.effect.columns),
        "sentence": told.sentence,
        "share": stored(effect_share(told.effect.facts).number),
    }


def _nothing(scale: Scale) -> str:
    return f"Nothing was found: no column tells anything about {scale.it} that is clear of chance."


def _listed(names: list[str]) -> str:
    shown = [quoted(name) for name in names[:_MOST_NAMED]]
    more = len(names) - len(shown)
    return joined([*shown, f"{count(more)} more"] if more else shown)


# --- the head ---------------------------------------------------------------------------------------------------------


def _abstract(story: Story) -> str:
    if not story.effects:
        return _nothing(story.scale)
    matter = [fact for fact in story.findings.columns if fact.used and not hardly_matters(fact) and not is_open(fact)]
    main = [fact for fact in matter if fact.number >= LITTLE][:_MOST_MAIN] or matter[:1]
    most = f"Most of {story.scale.it} hangs on {_listed([fact.column for fact in main])}."
    if not matter:
        most = f"Next to nothing about {story.scale.it} hangs on the columns."
    idle = [fact.column for fact in story.idle if not fact.left and not is_open(fact)]
    out = f" {_listed(idle)} {'does' if len(idle) == 1 else 'do'} not matter." if idle else ""
    left = story.findings.fit.left_out
    foreseen = "nothing" if left <= 0.0 else percent(left)
    return f"{most}{out} Predicted from all other rows, {foreseen} of the variation is explained."


def _brief(story: Story) -> Section:
    blocks: list[Block] = [overview_figure(story.findings, story.scale)]
    blocks.append(Paragraph(explained_text(story.findings.fit, story.scale), (story.findings.fit.id,), emphasis=True))
    scatter = tuple(noise_text(fact, story.scale) for fact in story.findings.noise)
    idle = tuple(column_text(fact, story.scale) for fact in story.idle)
    told = tuple(one.sentence for one in story.effects) or (_nothing(story.scale),)
    links = (*(one.effect.id for one in story.effects), *([""] if not story.effects else []))
    blocks.append(Bullets((*told, *scatter, *idle), (*links, *[""] * len(scatter), *["columns"] * len(idle))))
    blocks.append(Paragraph(_amounts(story), tuple(fact.id for told in story.effects for fact in told.effect.facts)))
    return Section("brief", "In brief", tuple(blocks))


def _amounts(story: Story) -> str:
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


def _effects(story: Story) -> tuple[Section, ...]:
    if not story.effects:
        return ()
    many = len(story.effects) > 1
    text = (
        f"The model is the sum of {plural(len(story.effects), 'effect')} and random scatter. They come in the order of "
        "their share in the variation; an effect of several columns is what they do together."
        if many
        else "The model is a single effect and random scatter."
    )
    small = len(story.findings.parts) - len(story.effects)
    rest = f" {capital(plural(small, 'further effect'))} of less than 0.1% {'is' if small == 1 else 'are'} not told."
    blocks: list[Block] = [Paragraph(text + (rest if small else ""))]
    if many:
        blocks.append(effects_table([(one.title, one.effect.facts) for one in story.effects], story.scale))
    sections = tuple(_effect(told, story) for told in story.effects)
    return (Section("effects", "What the columns do", tuple(blocks), sections),)


def _effect(told: ToldEffect, story: Story) -> Section:
    effect, scale = told.effect, story.scale
    clear, how = clear_courses(effect.facts), manner_of(effect.facts)
    blocks: list[Block] = [Paragraph(told.sentence, tuple(fact.id for fact in effect.facts))]
    if how in (Manner.PAIR, Manner.MORE, Manner.VAGUE):
        blocks += joint_figures(effect, scale)
    if how is Manner.PAIR and clear:
        blocks.append(Paragraph(" ".join(course_text(fact, scale) for fact in clear)))
    if how is Manner.SUM:
        blocks.append(Paragraph(_sum_text(effect.facts)))
    if clear or how is Manner.ALONE:
        blocks.append(curve_figure(effect, scale))
    return Section(effect.id, told.title, tuple(blocks))


def _sum_text(facts: tuple[Fact, ...]) -> str:
    share = effect_share(facts)
    each = joined([quoted(name) for name in share.columns])
    return (
        f"Of what {each} do together, {percent(share.beyond)} is more than a sum of effects of each, so they can be "
        "read one by one."
    )


# --- columns, checks, search, method ----------------------------------------------------------------------------------


def _columns(story: Story) -> Section:
    items = tuple(column_text(fact, story.scale) for fact in story.findings.columns)
    text = (
        "How much hangs on a column is measured by giving it the value of another row, drawn by chance: half the mean "
        "square of the change, as a share of the variation in the data (a Sobol' index). Shares of columns that act "
        "together overlap, so they may add up to more than 100%."
    )
    blocks = (
        Bullets(items),
        columns_table(story.findings.columns, story.findings.inputs, story.findings.search),
        Paragraph(text),
    )
    return Section("columns", "Which columns matter", blocks)


def _sureness(story: Story) -> tuple[Section, ...]:
    sums = {frozenset(told.effect.columns) for told in story.effects if manner_of(told.effect.facts) is Manner.SUM}

    def covered(claim: Claim) -> bool:
        """Columns that matter are told of, and what is told to be a sum is not said to act together."""
        return claim.kind is ClaimKind.MATTERS or (
            claim.kind is ClaimKind.TOGETHER and frozenset(claim.columns) in sums
        )

    return sureness_section(story.findings.search, statements(beside_the_parts(story.findings.claims, covered)))


def _checks(story: Story) -> Section:
    held, every, out = story.findings.ranges, story.findings.checks, story.findings.left_out
    alarms = [one for one in failed_checks(every) if isinstance(one, ErrorCheck)]
    blocks: list[Block] = [Paragraph(ranges_text(held), (held.id,))]
    if every:
        asked = f"{capital(plural(len(every), 'check'))} compared these errors with simulations from the model."
        told = " None found anything unusual." if not alarms else f" {capital(count(len(alarms)))} found something:"
        blocks.append(Paragraph(asked + told, tuple(fact.id for fact in every)))
        blocks += [Bullets(tuple(f"{check_text(one)}." for one in alarms))] if alarms else []
    blocks.append(errors_figure(out))
    table = (Section("check-table", "Every check", (checks_table(every),), folded=True),) if every else ()
    return Section("checks", "Does the model fit?", tuple(blocks), table)


def _search(story: Story) -> Section:
    search = story.findings.search
    text = (
        "This section is for those who want to check or rebuild the model. Models are written as sums and products of "
        "a few basic kinds of curve, each along the column in brackets; the chosen one is "
        f"{search.expression}. It has {plural(search.n_parameters, 'number')} fitted to {story.findings.n:,} "
        f"rows; {fit_text(search)}."
    )
    return search_section(search, text, numbers_table(search.numbers), _OF_FIRST_LEVEL)


def _method() -> Section:
    return Section(
        "method", "How the method works", tuple(Paragraph(text) for text in (*METHOD_OF_TABLES, READING_OF_TABLES))
    )
