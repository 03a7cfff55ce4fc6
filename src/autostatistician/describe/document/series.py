"""A decomposition told as a Document: sections, paragraphs, tables and figures in the order of reading."""

from __future__ import annotations

from autostatistician.decompose.records.series import Decomposition
from autostatistician.describe.document.checks import checks_section
from autostatistician.describe.document.document import Block, Bullets, Document, Figure, Paragraph, Section
from autostatistician.describe.document.outliers import outlier_section
from autostatistician.describe.document.search import tree_figure
from autostatistician.describe.document.series_abstract import abstract_text
from autostatistician.describe.document.series_pictures import (
    component_figure,
    forecast_figure,
    overview_figure,
    path_figure,
    residual_figure,
)
from autostatistician.describe.document.series_story import Part, Story, changes_of, story_of
from autostatistician.describe.document.series_tables import (
    forecast_table,
    gain_table,
    models_table,
    parameter_table,
    path_table,
    sureness_table,
)
from autostatistician.describe.document.series_verdict import verdict, verdict_section
from autostatistician.describe.facts.claim import TOLD
from autostatistician.describe.facts.fact import fact_json, stored
from autostatistician.describe.facts.part import Fact, Presence
from autostatistician.describe.observe.checks import check_facts
from autostatistician.describe.observe.claims import averaged_text, further, is_change, statements, sureness_text
from autostatistician.describe.observe.forecast_test import spanned_changes
from autostatistician.describe.words.description import description
from autostatistician.describe.words.extrapolation import extrapolation
from autostatistician.describe.words.method import CITATIONS, METHOD, bands_text, legend
from autostatistician.describe.words.nouns import find
from autostatistician.describe.words.plain import line_text, nothing_text
from autostatistician.describe.words.presence import presence_mark
from autostatistician.describe.words.search import among, search_record
from autostatistician.describe.words.whole import (
    coverage,
    error_text,
    explained_text,
    forecast_text,
    gain_text,
    nothing_found,
    scale_sentence,
    scale_text,
)
from autostatistician.language.format import format_expr
from autostatistician.wording.names import clean_name
from autostatistician.wording.numbers import amount, fixed, plural

__all__ = ["document", "result", "sentences"]


_MARKS = (
    " P is the probability of all models with a part of the same kind and periods that begins and ends at the same "
    "places; directions and sizes may differ."
)
_NAMELESS = "data"  # the name of data sets that were given none


def sentences(decomposition: Decomposition) -> tuple[str, ...]:
    """One short sentence per part, in the order of the decomposition; on pure noise, that nothing was found."""
    story = story_of(decomposition)
    found = tuple(part.statement for part in story.parts)
    scale = () if story.units.level is None else (scale_sentence(story.units),)
    line = filter(None, [line_text(story.facts, story.units)])
    if not story.nothing:
        return (*scale, *line, *found)
    nothing = nothing_text(story.facts) or nothing_found(story.decomposition)
    return (f"{nothing.split(':')[0]}.", *scale, *found)


def document(decomposition: Decomposition) -> Document:
    """The whole report on a decomposition.

    Texts, tables and figures depend on the data and the model alone, never on how long the search took.
    """
    story = story_of(decomposition)
    name = clean_name(decomposition.name)
    return Document(
        title=f"Automatic report on {name}" if name != _NAMELESS else f"Automatic report on '{story.units.target}'",
        subtitle=f"{coverage(decomposition, story.units)}",
        abstract=abstract_text(story),
        sections=(
            *(
                _brief(story),
                *_verdict(story),
                *outlier_section(story.facts, story.units),
                *_parts(story),
                _forecast(story),
                *_sureness(story),
            ),
            *checks_section(
                decomposition.checks, decomposition.calibration, story.units, spanned_changes(decomposition)
            ),
            *(_search(story), _method(story)),
        ),
        warnings=tuple(one for one in decomposition.warnings if one != decomposition.choice),
        choice=decomposition.choice,
        record=_record(story),
        citations=CITATIONS,
    )


def _ids(facts: tuple[Fact, ...], *prefixes: str) -> tuple[str, ...]:
    return tuple(fact.id for fact in facts if fact.id.startswith(prefixes or ""))


# --- overview ------------------------------------------------------------------------------


def _brief(story: Story) -> Section:
    """What is in the data, how much of it the model explains, what comes next and how sure that is."""
    blocks: list[Block] = [overview_figure(story.decomposition, story.units, not story.pure)]
    if not story.nothing:
        lead = f"{explained_text(story.facts)} {error_text(story.facts, story.units)}"
        about = ("model/signal", "model/reached", "model/useful", "model/baseline")
        blocks.append(Paragraph(lead, _ids(story.facts, *about), emphasis=True))
    names = tuple(part.name for part in story.parts)
    cut = bool(story.decomposition.cut)
    marks = [presence_mark(find(part.facts, Presence), cut=cut) for part in story.parts]
    told = tuple(f"{_cell(part.statement)}{mark}." for part, mark in zip(story.parts, marks, strict=True))
    blocks.append(Bullets(told, names))
    amounts = f"All amounts are in the units of '{story.units.target}'.{_offset_text(story)}"
    scale = scale_text(story.facts, story.units) or amounts
    meaning = _MARKS if any("P = " in mark for mark in marks) else ""
    blocks.append(Paragraph(f"{scale}{meaning}", _ids(story.facts, "model/scale")))
    return Section("brief", "In brief", tuple(blocks))


def _cell(sentence: str) -> str:
    return sentence.removesuffix(".")


def _offset_text(story: Story) -> str:
    offset = story.decomposition.offset
    if offset == 0.0:
        return ""
    return (
        f" The values are far from zero compared with their variation, so {amount(offset, 6)} was subtracted before "
        "the fit; the data, the model and the forecast are shown with it, the single parts without it."
    )


# --- the parts ------------------------------------------------------------------------------------------


def _parts(story: Story) -> tuple[Section, ...]:
    whole = "the model" if story.units.level is None else "the logarithm of the model"
    intro = Paragraph(
        f"The parts add up to {whole}. They come in the order in which each lowers the error of predictions most, "
        "given those before it."
        if len(story.parts) > 1
        else "The model has a single part."
    )
    sections = tuple(_part_section(part, story, changes_of(story.parts[:i])) for i, part in enumerate(story.parts))
    gains = gain_table(story.decomposition, tuple(_cell(part.summary) for part in story.parts))
    return (Section("parts", "The parts one by one", (intro, gains), sections),)


def _part_section(part: Part, story: Story, known: frozenset[float]) -> Section:
    d, units = story.decomposition, story.units
    blocks: tuple[Block, ...] = (
        Paragraph(description(part.facts, units, known), _ids(part.facts)),
        Paragraph(
            gain_text(part.facts, part.number, units),
            _ids(part.facts, f"{part.name}/variance", f"{part.name}/error"),
        ),
        component_figure(part.name, part.number, part.component, d, part.facts, units),
    )
    return Section(part.name, f"Part {part.number}: {_cell(part.summary)}", blocks, _rest(part, story))


def _rest(part: Part, story: Story) -> tuple[Section, ...]:
    figure: Figure | None = residual_figure(part.name, part.number, story.decomposition, story.units)
    if figure is None:
        return ()
    title = f"What remains after part {part.number}"
    return (Section(f"{part.name}-rest", title, (figure,), folded=True),)


# --- forecast, search, method ---------------------------------------------------------------------------


def _forecast(story: Story) -> Section:
    d = story.decomposition
    blocks: list[Block] = []
    if d.forecast.x.size:
        text = forecast_text(story.facts, story.units)
        blocks += [
            Paragraph(text, _ids(story.facts, "forecast/")),
            forecast_figure(d, story.units, not story.pure),
            forecast_table(d, story.units),
        ]
        if d.averaged > 1:
            blocks.insert(1, Paragraph(averaged_text(d.averaged)))
    blocks.append(Paragraph("What the model assumes about each part beyond the data:"))
    items = tuple(f"Part {part.number}: {extrapolation(part.facts, story.units)}" for part in story.parts)
    blocks.append(Bullets(items))
    return Section("forecast", "What comes next" if d.forecast.x.size else "Beyond the data", tuple(blocks))


def _sureness(story: Story) -> tuple[Section, ...]:
    """The probabilities of what the parts do not carry beside them, where several models share the weight."""
    d = story.decomposition
    if len(d.alternatives) < 2:
        return ()
    found = further(statements(d.alternatives, story.units), lambda text: not is_change(text))
    blocks: list[Block] = [Paragraph(sureness_text(d.alternatives[0][1], among(d)))]
    blocks += [sureness_table(found)] if found else []
    return (Section("sureness", "How sure the statements are", tuple(blocks)),)


def _verdict(story: Story) -> tuple[Section, ...]:
    """What to make of the report, where the model was checked."""
    d = story.decomposition
    if d.checks is None and d.calibration is None and not d.cut:
        return ()
    return (verdict_section(verdict(d, statements(d.alternatives, story.units), story.units, nothing=story.nothing)),)


def _search(story: Story) -> Section:
    d = story.decomposition
    fitted = d.fitted
    expression = format_expr(fitted.kernel.expr)
    numbers = plural(fitted.n_parameters, "number") + (" (the typical level is one)" if d.transform.parameters else "")
    found = (
        "This section is for those who want to check or rebuild the model. Models are written as sums and products of "
        f"a few basic kinds of curve; the chosen one is {expression}. It has {numbers} fitted to {d.x.size:,} values; "
        f"its negative log likelihood is {fixed(fitted.nll, 1)}, and its BIC is {fixed(fitted.bic, 1)}; "
        f"of both, lower is better.{_of_logarithm(d)}"
    )
    blocks: list[Block] = [Paragraph(found), Paragraph("What the symbols mean:"), Bullets(legend(fitted.kernel.expr))]
    tree = tree_figure(d)
    blocks += [tree] if tree else [path_figure(d)] if len(d.path) > 2 else []
    blocks += [path_table(d)] if d.path else []
    blocks += [models_table(d)] if len(d.alternatives) > 1 else []
    fine = Section("numbers", "The fitted numbers", (parameter_table(d, story.units),), folded=True)
    return Section("search", "How this model was found", tuple(blocks), (fine,))


def _of_logarithm(d: Decomposition) -> str:
    if not d.transform.shift:
        return ""
    return (
        f" It is a model of log('{d.target}' / {amount(d.transform.scale, 4)}) + {fixed(d.transform.shift, 2)}: its "
        "zero, to which it falls back far from the data, lies below them, and what lies between is taken off the parts "
        "that carry the level wherever they are shown."
    )


def _method(story: Story) -> Section:
    bands = bands_text(averaged=story.decomposition.averaged > 1)
    blocks = (*(Paragraph(text) for text in METHOD), Paragraph(bands))
    return Section("method", "How the method works", blocks)


# --- the record -----------------------------------------------------------------------------------------


def result(decomposition: Decomposition) -> dict[str, object]:
    """The JSON object of the command line: the record of the report with the seconds that the search took."""
    return {**_record(story_of(decomposition)), "seconds": decomposition.fitted.seconds}


def _record(story: Story) -> dict[str, object]:
    """Everything stated, for machines. Seconds are left out: the same data and seed give the same bytes."""
    d = story.decomposition
    tested = check_facts(d.checks, d.calibration, spanned_changes(d))
    facts = [*story.facts, *(fact for part in story.parts for fact in part.facts), *tested]
    return {
        "expression": format_expr(d.fitted.kernel.expr),
        "components": [_component_record(part) for part in story.parts],
        "nll": stored(d.fitted.nll),
        "bic": stored(d.fitted.bic),
        "n_parameters": d.fitted.n_parameters,
        "n": int(d.x.size),
        "evaluations": d.fitted.evaluations,
        "warnings": list(d.warnings),
        "transform": d.transform.to_json(),
        "search": search_record(d),
        "statements": [
            {"text": one.text, "probability": stored(one.probability), "in_best": one.in_best}
            for one in statements(d.alternatives, story.units)
            if one.probability >= TOLD
        ],
        "facts": [fact_json(fact) for fact in facts],
    }


def _component_record(part: Part) -> dict[str, object]:
    c = part.component
    return {
        "expression": format_expr(c.kernel.expr),
        "sentence": part.statement,
        "r2": stored(c.r2),
        "mae": stored(c.mae),
    }
