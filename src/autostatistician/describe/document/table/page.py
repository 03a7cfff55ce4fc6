"""The page on a table of numbers: what acts and by how much, how well it is foreseen, how that was found."""

from __future__ import annotations

from dataclasses import dataclass

from autostatistician.claims.claim import Claim
from autostatistician.describe.axis.units import Scale
from autostatistician.describe.document.document import Block, Paragraph
from autostatistician.describe.document.record import stored
from autostatistician.describe.document.table.pictures import errors_figure
from autostatistician.describe.document.table.sections import ColumnPage, story_of
from autostatistician.describe.document.table.tables import checks_table
from autostatistician.describe.document.table.verdict import careful_with, is_optimistic
from autostatistician.describe.facts.fact import Fact
from autostatistician.describe.facts.findings import TableFindings
from autostatistician.describe.words.method import METHOD_OF_TABLES, READING_OF_TABLES
from autostatistician.describe.words.scale import shape_of_table_text
from autostatistician.describe.words.table_fit import explained_text, noise_text, ranges_text
from autostatistician.i18n.messages import sentence
from autostatistician.i18n.numbers import fixed

__all__ = ["TablePage", "table_page"]


@dataclass(frozen=True)
class TablePage(ColumnPage):
    """What is told of a table (a `Page`)."""

    findings: TableFindings

    @property
    def facts(self) -> tuple[Fact | Claim, ...]:
        """All facts: on the fit, the scatter, each column and each effect, and on rows that stand out."""
        findings = self.findings
        errors = (findings.ranges, *findings.checks, *findings.noise)
        every = (findings.fit, *errors, *self.effect_facts, *findings.outliers, findings.from_exact, findings.shape)
        return tuple(fact for fact in every if fact is not None)

    def well_texts(self) -> tuple[str, ...]:
        """How well rows are foreseen, and how far values scatter, unless other rows are predicted clearly worse."""
        fit, noise = self.findings.fit, self.findings.noise
        scatter = () if is_optimistic(fit) else tuple(noise_text(fact, self.scale) for fact in noise)
        return (explained_text(fit), *scatter) if self.story.effects else scatter

    def careful(self) -> tuple[str, ...]:
        """What to be careful with."""
        return careful_with(self.findings, self.scale)

    def subtitle(self) -> str:
        """What the data are."""
        n = fixed(self.findings.n, 0)
        return sentence("table.numbers", n=n, target=self.scale.it, columns=self.inputs_text())

    def checks(self) -> tuple[Block, ...]:
        """How ranges held and what errors show, with the scale that amounts are on."""
        findings = self.findings
        amounts = _amounts(findings, self.scale)
        table = (checks_table(findings.checks),) if findings.checks else ()
        is_doubt = "narrow" in findings.ranges.marks  # which stands among what to be careful with
        held = () if is_doubt else (Paragraph(ranges_text(findings.ranges), (findings.ranges.id,)),)
        return (*([Paragraph(amounts)] if amounts else []), *held, *table, errors_figure(findings, self.scale))

    def method(self) -> tuple[str, ...]:
        """The method in paragraphs."""
        return (*METHOD_OF_TABLES, READING_OF_TABLES)

    def fit_records(self) -> dict[str, object]:
        """The shares that are explained, of the values at hand and of those left out."""
        return {"r2": stored(self.findings.fit.value), "r2_left_out": stored(self.findings.fit["left_out"])}


def table_page(findings: TableFindings, scale: Scale) -> TablePage:
    """The page on what is known of a table."""
    story = story_of(findings, scale)
    return TablePage(findings, story.scale, story)


def _amounts(findings: TableFindings, scale: Scale) -> str:
    """What amounts are on another scale than that of the values; "" where they are on that."""
    if scale.is_log:
        return sentence("table.logarithm", counts=scale.counts, target=scale.it)
    return "" if findings.shape is None else shape_of_table_text(findings.shape, scale)
