"""How sure the statements of a report are: the section that lists what else the models say."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from autostatistician.describe.document.document import Block, Paragraph, Section, Table
from autostatistician.describe.facts.fact import Claim, WeighedClaim
from autostatistician.describe.facts.judgement import MAJORITY
from autostatistician.describe.facts.search import SearchFindings
from autostatistician.describe.words.claims import Statement, sureness_text
from autostatistician.describe.words.search import among
from autostatistician.wording.messages import say, say_as
from autostatistician.wording.numbers import percent

__all__ = ["beside_the_parts", "sureness_section"]


def beside_the_parts(claims: Sequence[WeighedClaim], covered: Callable[[Claim], bool]) -> tuple[WeighedClaim, ...]:
    """What is listed beside the parts: nothing that they are ``covered`` by, and only what most of the weight says.

    >>> from autostatistician.describe.facts.kinds import ClaimKind
    >>> trend, cycle = Claim(ClaimKind.TREND), Claim(ClaimKind.CYCLE, 1.0)
    >>> claims = [WeighedClaim(cycle, 1.0, True), WeighedClaim(Claim(ClaimKind.CHANGE, 1948.0), 0.3, True)]
    >>> [one.claim for one in beside_the_parts([*claims, WeighedClaim(trend, 0.8, False)], lambda one: one == cycle)]
    [Claim(kind=<ClaimKind.TREND: 'trend'>, number=0.0, columns=())]
    """
    return tuple(
        claim for claim in claims if claim.probability >= MAJORITY and not (claim.in_best and covered(claim.claim))
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
        "The probability is that of all models with such a part together. It is about the form of the model: the same "
        "course can be said in other forms."
    )
    return Table("table-sureness", say("What else the models are made of."), header, rows, (False, False, True), note)
