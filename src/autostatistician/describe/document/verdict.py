"""How sure the statements of a report are: the section that lists what else the models say."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from autostatistician.claims.claim import Claim
from autostatistician.describe.document.document import Block, Paragraph, Section, Table
from autostatistician.describe.facts.judgement import MAJORITY
from autostatistician.describe.facts.search import SearchFindings
from autostatistician.describe.words.claims import Statement, sureness_text
from autostatistician.describe.words.search import among
from autostatistician.i18n.messages import say, say_as
from autostatistician.i18n.numbers import percent

__all__ = ["beside_the_parts", "sureness_section"]


def beside_the_parts(claims: Sequence[Claim], covered: Callable[[Claim], bool]) -> tuple[Claim, ...]:
    """What is listed beside the parts: nothing that they are ``covered`` by, and only what most of the weight says.

    >>> from autostatistician.claims.claim import shown, weighed
    >>> from autostatistician.claims.kinds import Kind
    >>> trend, cycle, change = map(shown, (Kind.TREND, Kind.CYCLE, Kind.CHANGE))
    >>> claims = [weighed(cycle, 1.0, in_best=True), weighed(change, 0.3, in_best=True)]
    >>> claims += [weighed(trend, 0.8, in_best=False)]
    >>> [one.kind.value for one in beside_the_parts(claims, lambda one: one.kind is Kind.CYCLE)]
    ['trend']
    """
    return tuple(
        claim for claim in claims if (claim.probability or 0.0) >= MAJORITY and not (claim.in_best and covered(claim))
    )


def sureness_section(
    search: SearchFindings, statements: Sequence[Statement], claims: Table | None = None
) -> tuple[Section, ...]:
    """The section, with a table of ``claims`` first; none where there are none and one model has all of the weight."""
    if len(search.models) < 2:
        return (Section("sureness", say("How sure the statements are"), (claims,)),) if claims else ()
    blocks: list[Block] = [] if claims is None else [claims]
    text = sureness_text(
        search.weight, among(search), search.most, nearly=search.nearly_likeliest, of_columns=not search.by_evidence
    )
    blocks += [Paragraph(text)]
    blocks += [_table(statements)] if statements else []
    return (Section("sureness", say("How sure the statements are"), tuple(blocks)),)


def _table(statements: Sequence[Statement]) -> Table:
    rows = tuple(
        (
            statement.text,
            say_as("answer", "yes") if statement.in_best else say_as("answer", "no"),
            percent(statement.probability),
        )
        for statement in statements
    )
    header = (say("Part"), say("In the model told here"), say("Probability"))
    note = say(
        "The probability is that of all models with such a part together; the same course can be said in other forms."
    )
    return Table("table-sureness", say("What else the models are made of."), header, rows, (False, False, True), note)
