"""The page on a table: what matters, what each effect does, how well it all fits."""

from __future__ import annotations

from dataclasses import dataclass

from autostatistician.describe.axis.units import Scale
from autostatistician.describe.document.document import Block, Bullets, FirstScreen, Paragraph, Section
from autostatistician.describe.document.record import stored
from autostatistician.describe.document.table.pictures import errors_figure, overview_figure
from autostatistician.describe.document.table.sections import (
    ColumnPage,
    TableStory,
    columns_section,
    effects_section,
    found_section,
    main_columns_text,
    story_of,
    sureness_sections,
)
from autostatistician.describe.document.table.tables import checks_table
from autostatistician.describe.document.table.verdict import table_verdict
from autostatistician.describe.document.verdict import first_screen, without_picture
from autostatistician.describe.facts.effect import ErrorCheck
from autostatistician.describe.facts.fact import Fact
from autostatistician.describe.facts.findings import TableFindings
from autostatistician.describe.facts.judgement import failed_checks
from autostatistician.describe.words.claims import statements
from autostatistician.describe.words.method import METHOD_OF_TABLES, READING_OF_TABLES
from autostatistician.describe.words.scale import shape_of_table_text
from autostatistician.describe.words.table_fit import (
    check_text,
    column_text,
    explained_text,
    no_columns_text,
    noise_text,
    ranges_text,
)
from autostatistician.wording.messages import say, say_count
from autostatistician.wording.numbers import capital, count, fixed, percent

__all__ = ["TablePage", "table_page"]


@dataclass(frozen=True)
class TablePage(ColumnPage):
    """What is told of a table (a `Page`)."""

    findings: TableFindings

    @property
    def facts(self) -> tuple[Fact, ...]:
        """All facts: on the fit, the scatter, each column and each effect, and on rows that stand out."""
        findings = self.findings
        of_effects = (fact for effect in findings.effects for fact in effect.facts)
        exact = tuple(filter(None, [findings.from_exact, findings.shape]))
        errors = (findings.ranges, *findings.checks, *findings.noise)
        return (findings.fit, *errors, *findings.columns, *of_effects, *findings.outliers, *exact)

    def sentences(self) -> tuple[str, ...]:
        """One short sentence per effect, on the scatter, and on the columns that do not matter."""
        story, scale = self.story, self.scale
        nothing = () if story.effects else (no_columns_text(self.findings.columns, scale),)
        scatter = tuple(noise_text(fact, scale) for fact in self.findings.noise)
        idle = tuple(column_text(fact, scale) for fact in story.idle)
        return (*nothing, *(effect.sentence for effect in story.effects), *scatter, *idle)

    def subtitle(self) -> str:
        """What the data are."""
        n = self.findings.n
        return say_count(
            n,
            "{n} rows of {target} with {columns}",
            "{n} rows of {target} with {columns}",
            n=fixed(n, 0), target=self.scale.it, columns=self.inputs_text(),
        )  # fmt: skip

    def abstract(self) -> str:
        """What the target hangs on, and how well that foresees it."""
        return _abstract(self.findings, self.story)

    def first(self) -> FirstScreen:
        """What the target hangs on, in a sentence and a picture, and what to make of it."""
        verdict = table_verdict(self.findings, self.scale)
        return first_screen(self.abstract(), _brief(self.findings, self.story), verdict)

    def sections(self) -> tuple[Section, ...]:
        """What matters, the effects, the columns, and how sure all that is."""
        story, brief = self.story, without_picture(_brief(self.findings, self.story))
        return (brief, *effects_section(story), columns_section(story), *sureness_sections(story))

    def found(self) -> tuple[Section, ...]:
        """The checks, and how all that came about."""
        return (_checks(self.findings), found_section(self.story), _method())

    def fit_records(self) -> dict[str, object]:
        """The shares that are explained, of the values at hand and of those left out."""
        return {"r2": stored(self.findings.fit.number), "r2_left_out": stored(self.findings.fit.left_out)}


def table_page(findings: TableFindings, scale: Scale) -> TablePage:
    """The page on what is known of a table."""
    return TablePage(findings, scale, story_of(findings, scale), statements(findings.claims))


# --- the head ---------------------------------------------------------------------------------------------------------


def _abstract(findings: TableFindings, story: TableStory) -> str:
    if not story.effects:
        return no_columns_text(findings.columns, story.scale)
    share = findings.fit.left_out
    foreseen = (
        say("Predicted from all other rows, nothing of the variation is explained.")
        if share <= 0.0
        else say("Predicted from all other rows, {share} of the variation is explained.", share=percent(share))
    )
    return f"{main_columns_text(story)} {foreseen}"


def _brief(findings: TableFindings, story: TableStory) -> Section:
    blocks: list[Block] = [overview_figure(findings, story.scale)]
    blocks.append(Paragraph(explained_text(findings.fit, story.scale), (findings.fit.id,), emphasis=True))
    scatter = tuple(noise_text(fact, story.scale) for fact in findings.noise)
    idle = tuple(column_text(fact, story.scale) for fact in story.idle)
    effect = tuple(told_effect.sentence for told_effect in story.effects) or (
        no_columns_text(findings.columns, story.scale),
    )
    links = (*(told_effect.effect.id for told_effect in story.effects), *([""] if not story.effects else []))
    blocks.append(Bullets((*effect, *scatter, *idle), (*links, *[""] * len(scatter), *["columns"] * len(idle))))
    blocks.append(
        Paragraph(_amounts(findings, story), tuple(fact.id for effect in story.effects for fact in effect.effect.facts))
    )
    return Section("brief", say("In brief"), tuple(blocks))


def _amounts(findings: TableFindings, story: TableStory) -> str:
    if story.scale.is_log and story.scale.counts:
        return say(
            "The model is of the logarithm of the rate of {target}, a count: effects multiply, and their sizes are "
            "percentages of what the other columns give. Ranges hold the truth with a chance of 95%, if the model "
            "holds.",
            target=story.scale.it,
        )
    if story.scale.is_log:
        return say(
            "The model is of the logarithm of {target}: effects multiply, and their sizes are percentages of what the "
            "other columns give. Ranges hold the truth with a chance of 95%, if the model holds.",
            target=story.scale.it,
        )
    if findings.shape is not None:
        return shape_of_table_text(findings.shape, story.scale)
    return say(
        "Sizes are in the units of {target}, and ranges hold the truth with a chance of 95%, if the model holds.",
        target=story.scale.it,
    )


# --- checks, search, method -------------------------------------------------------------------------------------------


def _checks(findings: TableFindings) -> Section:
    held, every, out = findings.ranges, findings.checks, findings.left_out
    alarms = [check for check in failed_checks(every) if isinstance(check, ErrorCheck)]
    blocks: list[Block] = [Paragraph(ranges_text(held), (held.id,))]
    if every:
        blocks.append(Paragraph(_checks_text(len(every), len(alarms)), tuple(fact.id for fact in every)))
        blocks += [Bullets(tuple(f"{check_text(alarm)}." for alarm in alarms))] if alarms else []
    blocks.append(errors_figure(out))
    table = (Section("check-table", say("Every check"), (checks_table(every),), folded=True),) if every else ()
    return Section("checks", say("Does the model fit?"), tuple(blocks), table)


def _checks_text(number: int, alarms: int) -> str:
    """How many checks there were, and how many found something."""
    asked = say_count(
        number,
        "One check compared these errors with simulations from the model.",
        "{checks} checks compared these errors with simulations from the model.",
        checks=capital(count(number)),
    )
    if not alarms:
        return " ".join((asked, say("None found anything unusual.")))
    result = say_count(alarms, "One found something:", "{checks} found something:", checks=capital(count(alarms)))
    return f"{asked} {result}"


def _method() -> Section:
    return Section(
        "method",
        say("How the method works"),
        tuple(Paragraph(say(text)) for text in (*METHOD_OF_TABLES, READING_OF_TABLES)),
    )
