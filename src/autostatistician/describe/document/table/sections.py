"""The sections that reports on tables of numbers and of classes share: what the columns do, which of them matter."""

from __future__ import annotations

from dataclasses import dataclass

from autostatistician.describe.axis.units import Scale
from autostatistician.describe.document.document import Block, Bullets, Paragraph, Section
from autostatistician.describe.document.record import stored
from autostatistician.describe.document.search import search_section
from autostatistician.describe.document.table.pictures import curve_figure, joint_figures
from autostatistician.describe.document.table.tables import columns_table, effects_table, numbers_table
from autostatistician.describe.document.verdict import beside_the_parts, sureness_section
from autostatistician.describe.facts.effect import ColumnRelevance
from autostatistician.describe.facts.fact import Claim, Fact
from autostatistician.describe.facts.findings import ColumnFindings, EffectFindings, TableFindings
from autostatistician.describe.facts.judgement import (
    MAJORITY,
    acting_together,
    clear_courses,
    effect_share,
    hardly_matters,
    is_main,
    is_open,
    manner_of,
    standing_of,
)
from autostatistician.describe.facts.kinds import ClaimKind, Manner
from autostatistician.describe.words.claims import Statement, statements
from autostatistician.describe.words.effects import course_text, effect_text, effect_title
from autostatistician.describe.words.search import cut_lead, fit_text
from autostatistician.describe.words.table_fit import column_text, from_exact_text
from autostatistician.wording.messages import message, say, say_as, say_count
from autostatistician.wording.names import quoted
from autostatistician.wording.numbers import capital, count, fixed, joined, percent

__all__ = [
    "ColumnPage", "TableStory", "ToldEffect", "columns_section", "effects_section", "found_section", "listed_columns",
    "main_columns_text", "story_of", "sureness_sections",
]  # fmt: skip


_MOST_NAMED = 8  # columns

_MOST_MAIN = 3

_OF_FIRST_LEVEL = message(
    "Models of level 1 without a line began as sums and products over all columns and were freed of what the data do "
    "not need."
)


@dataclass(frozen=True)
class ColumnPage:
    """What pages on tables of numbers and of classes have in common."""

    findings: ColumnFindings
    scale: Scale
    story: TableStory
    statements: tuple[Statement, ...]

    def part_sentences(self) -> tuple[str, ...]:
        """One sentence per effect, also of those too small for the report."""
        return tuple(effect_text(effect.facts, self.scale) for effect in self.findings.parts)

    def inputs_text(self) -> str:
        """How many columns there are, and their names."""
        names = [column.name for column in self.findings.inputs]
        return say_count(
            len(names), "{n} column: {names}", "{n} columns: {names}", n=len(names), names=listed_columns(names)
        )

    def part_records(self) -> dict[str, object]:
        """The target, the inputs, the effects and the columns, as plain values."""
        return {
            "target": self.scale.target,
            "inputs": [column.name for column in self.findings.inputs],
            "components": [_effect_record(effect) for effect in self.story.effects],
            "columns": [_column_record(fact, self.scale) for fact in self.findings.columns],
        }


def main_columns_text(story: TableStory) -> str:
    """Which columns most of the target hangs on, and which add nothing."""
    matter = [fact for fact in story.findings.columns if fact.used and not hardly_matters(fact) and not is_open(fact)]
    carried = [fact for fact in matter if fact.carried is not None]
    main = [fact for fact in matter if is_main(fact)][:_MOST_MAIN] or matter[:1]
    names = [fact.column for fact in main]
    within = sum(effect.effect.share for effect in story.effects if set(effect.effect.columns) <= set(names))
    it, columns = story.scale.it, listed_columns(names)
    most = (
        say("Most of {target} depends on {columns}.", target=it, columns=columns)
        if min(within, _foreseen(story)) > MAJORITY
        else say("Of the columns, {target} depends most on {columns}.", target=it, columns=columns)
    )
    unsure = [fact.column for fact in story.findings.columns if fact.used and is_open(fact)]
    either = _either_text(story, alone=not matter)
    if not matter and either:
        most = either
    elif not matter and unsure:
        most = say("It is open whether {target} depends on {columns}.", target=it, columns=listed_columns(unsure))
    elif not matter:
        most = say("Next to nothing about {target} depends on the columns.", target=it)
    rest = [either] * bool(matter and either) + [
        say("What is seen of {column} rests on row {row} alone.", column=quoted(fact.column), row=fact.carried)
        for fact in carried
    ]
    search = story.findings.search
    idle = [] if search.cut else [fact.column for fact in story.idle if not fact.left and not is_open(fact)]
    return " ".join(filter(None, [cut_lead(search), most, *rest, *([_idle_text(idle)] if idle else [])]))


def _either_text(story: TableStory, *, alone: bool) -> str:
    """That one of several columns matters, of which the data do not tell which; ``alone``: beside it no other does."""
    fact = next((fact for fact in story.findings.columns if fact.used and fact.instead), None)
    if fact is None:
        return ""
    told = {"target": story.scale.it, "columns": joined([quoted(name) for name in (fact.column, *fact.instead)])}
    if alone:
        return say("{target} depends on one of {columns}: the data do not tell on which.", **told)
    return say("{target} depends on one of {columns}, too: the data do not tell on which.", **told)


def _idle_text(columns: list[str]) -> str:
    """That some columns add nothing."""
    return say_count(
        len(columns),
        "{columns} adds nothing beyond the rest.",
        "{columns} add nothing beyond the rest.",
        columns=listed_columns(columns),
    )


def _foreseen(story: TableStory) -> float:
    """The share of the variation that is foreseen of values left out; of classes it is told in other words."""
    return story.findings.fit.left_out if isinstance(story.findings, TableFindings) else 1.0


def _effect_record(worded: ToldEffect) -> dict[str, object]:
    """An effect as plain values."""
    return {
        "expression": worded.effect.expression,
        "columns": list(worded.effect.columns),
        "sentence": worded.sentence,
        "share": stored(effect_share(worded.effect.facts).number),
        "manner": manner_of(worded.effect.facts).value,
        "together": list(acting_together(worded.effect.facts)),
    }


def _column_record(fact: ColumnRelevance, scale: Scale) -> dict[str, object]:
    """What is known of a column as plain values."""
    return {
        "name": fact.column,
        "told": standing_of(fact).value,
        "sentence": column_text(fact, scale),
        "relevance": stored(fact.number),
        "probability": stored(fact.probability),
    }


def listed_columns(names: list[str]) -> str:
    """The names of columns, at most eight of them."""
    shown = [quoted(name) for name in names[:_MOST_NAMED]]
    more = len(names) - len(shown)
    return joined([*shown, more_text(more)] if more else shown)


def more_text(more: int) -> str:
    """How many columns a list does not name."""
    return say_as("a column", "one more") if more == 1 else say_as("columns", "{n} more", n=count(more))


def effects_section(story: TableStory) -> tuple[Section, ...]:
    """What the columns do, effect by effect; none where there is no effect."""
    if not story.effects:
        return ()
    many, small = len(story.effects) > 1, len(story.findings.parts) - len(story.effects)
    rest = say_count(
        small,
        "One further effect of less than {least} is not told.",
        "{effects} further effects of less than {least} are not told.",
        effects=capital(count(small)), least=percent(0.001),
    )  # fmt: skip
    text = say(_SUMS[many, story.scale.is_class], effects=count(len(story.effects)))
    blocks: list[Block] = [Paragraph(f"{text} {rest}" if small else text)]
    if many:
        blocks.append(
            effects_table([(told_effect.title, told_effect.effect.facts) for told_effect in story.effects], story.scale)
        )
    sections = tuple(_effect(entry, story) for entry in story.effects)
    return (Section("effects", say("What the columns do"), tuple(blocks), sections),)


# By whether there are several effects, and whether they are on chances of a class.
_SUMS = {
    (True, True): message(
        "The model is the sum of {effects} effects. They come in the order of their share in the variation; an effect "
        "of several columns is what they do together."
    ),
    (True, False): message(
        "The model is the sum of {effects} effects and random scatter. They come in the order of their share in the "
        "variation; an effect of several columns is what they do together."
    ),
    (False, True): message("The model is a single effect."),
    (False, False): message("The model is a single effect and random scatter."),
}


def _effect(worded: ToldEffect, story: TableStory) -> Section:
    effect, scale = worded.effect, story.scale
    clear, how = clear_courses(effect.facts), manner_of(effect.facts)
    blocks: list[Block] = [Paragraph(worded.sentence, tuple(fact.id for fact in effect.facts))]
    if how in (Manner.PAIR, Manner.MORE, Manner.VAGUE, Manner.OPEN):
        blocks += joint_figures(effect, scale)
    if how is Manner.PAIR and clear:
        blocks.append(Paragraph(" ".join(course_text(fact, scale) for fact in clear)))
    if how is Manner.SUM:
        blocks.append(Paragraph(_sum_text(effect.facts)))
    if clear or how is Manner.ALONE:
        blocks.append(curve_figure(effect, scale))
    return Section(effect.id, worded.title, tuple(blocks))


def _sum_text(facts: tuple[Fact, ...]) -> str:
    share = effect_share(facts)
    each = joined([quoted(name) for name in share.columns])
    return say(
        "Of what {columns} do together, {share} is more than a sum of effects of each, so they can be read one by one.",
        columns=each, share=percent(share.beyond),
    )  # fmt: skip


def columns_section(story: TableStory) -> Section:
    """How much hangs on each column."""
    items = tuple(column_text(fact, story.scale) for fact in story.findings.columns)
    text = (
        say(
            "How much hangs on a column is measured by giving it the value of another row, drawn by chance: half the "
            "mean square of the change, as a share of all that decides on a class, the columns and what they do not "
            "tell (a Sobol' index). Shares of columns that act together overlap, so they may add up to more than 100%."
        )
        if story.scale.is_class
        else say(
            "How much hangs on a column is measured by giving it the value of another row, drawn by chance: half the "
            "mean square of the change, as a share of the variation in the data (a Sobol' index). Shares of columns "
            "that act together overlap, so they may add up to more than 100%."
        )
    )
    blocks = (
        Bullets(items),
        columns_table(story.findings.columns, story.findings.inputs, story.findings.search),
        Paragraph(text),
    )
    return Section("columns", say("Which columns matter"), blocks)


def sureness_sections(story: TableStory) -> tuple[Section, ...]:
    """How sure the statements are; none where a single model has all of the weight."""
    sums = {
        frozenset(entry.effect.columns)
        for entry in story.effects
        if manner_of(entry.effect.facts) in (Manner.SUM, Manner.OPEN)
    }

    def covered(claim: Claim) -> bool:
        """Columns that matter are told of, and of what is told to be a sum or open it is not said."""
        return claim.kind is ClaimKind.MATTERS or (
            claim.kind is ClaimKind.TOGETHER and frozenset(claim.columns) in sums
        )

    return sureness_section(story.findings.search, statements(beside_the_parts(story.findings.claims, covered)))


def found_section(story: TableStory) -> Section:
    """How the model was found, and its numbers."""
    search = story.findings.search
    text: str = say_count(
        search.n_parameters,
        "This section is for those who want to check or rebuild the model. Models are written as sums and products of "
        "a few basic kinds of curve, each along the column in brackets; the chosen one is {expression}. It has one "
        "number fitted to {rows} rows; {fit}.",
        "This section is for those who want to check or rebuild the model. Models are written as sums and products of "
        "a few basic kinds of curve, each along the column in brackets; the chosen one is {expression}. It has {n} "
        "numbers fitted to {rows} rows; {fit}.",
        expression=search.expression,
        n=count(search.n_parameters),
        rows=fixed(story.findings.n, 0),
        fit=fit_text(search),
    )
    if isinstance(story.findings, TableFindings) and (fact := story.findings.from_exact) is not None:
        text = f"{text} {from_exact_text(fact, story.findings.n)}"
    return search_section(search, text, numbers_table(search.numbers), say(_OF_FIRST_LEVEL), by_chance=True)


# --- The effects of a table with their words, as the sections of its report need them -------------------------------


@dataclass(frozen=True)
class ToldEffect:
    """One effect with its words."""

    effect: EffectFindings
    title: str
    sentence: str


@dataclass(frozen=True)
class TableStory:
    """All that the sections are made from."""

    findings: ColumnFindings
    scale: Scale
    effects: tuple[ToldEffect, ...]

    @property
    def idle(self) -> tuple[ColumnRelevance, ...]:
        """The columns that do not matter."""
        return tuple(fact for fact in self.findings.columns if hardly_matters(fact) or not (fact.used or fact.scatter))


def story_of(findings: ColumnFindings, scale: Scale) -> TableStory:
    """The effects of a table in words."""
    return TableStory(findings, scale, tuple(_told(effect, scale) for effect in findings.effects))


def _told(effect: EffectFindings, scale: Scale) -> ToldEffect:
    return ToldEffect(effect, effect_title(effect.facts), effect_text(effect.facts, scale))
