"""From the numbers of a table's model to typed facts."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import replace

from scipy.stats import binom

from autostatistician.decompose.records.table import (
    Along,
    Contrast,
    Effect,
    LeaveOneOut,
    Loss,
    Plain,
    TableDecomposition,
)
from autostatistician.describe.claims.claim import Claim, plain_numbers
from autostatistician.describe.claims.kinds import COLUMN_FORMS, KINDS, Form, Kind, Standing
from autostatistician.describe.claims.quantity import Measure, Quantity
from autostatistician.describe.facts.classes import ChanceCourse, ChanceDependence, extended
from autostatistician.describe.facts.effect import (
    Dependence,
    EffectCourse,
    EffectShare,
    ErrorCheck,
    Explained,
    FromExact,
    NoiseSize,
    RangesHeld,
)
from autostatistician.describe.facts.fact import SHARE, Fact
from autostatistician.describe.facts.judgement import ALARM, BEYOND_DOUBT, FEWEST_TESTED, failed_checks, has_odds
from autostatistician.describe.observe.table.chances import corner_chances, told_chances
from autostatistician.forms import BAND_SDS, RunOfEffect
from autostatistician.language.rewrite import components
from autostatistician.language.traits import columns_of

__all__ = [
    "check_facts", "column_claims", "column_form", "effect_facts", "effect_id", "fit_fact",
    "from_exact_fact", "is_told", "levels_of", "noise_facts", "ranges_fact",
]  # fmt: skip

LEAST_TOLD = 1e-3  # of the variance of the target: smaller effects are not told
_POSTERIOR = "posterior at the data"


def is_told(effect: Effect) -> bool:
    """Whether an effect is large enough to be told."""
    return max(effect.share, effect.share_span[0]) >= LEAST_TOLD


def effect_id(effect: Effect, d: TableDecomposition) -> str:
    """The name of an effect in the page and in facts: its rank."""
    return f"effect-{d.effects.index(effect) + 1}"


def effect_facts(effect: Effect, d: TableDecomposition) -> tuple[Fact, ...]:
    """How large an effect is, its course along each column, and how two of them depend on each other."""
    name, unit = effect_id(effect, d), _unit(d)
    share = EffectShare(
        id=f"{name}/share", number=_share(effect.share), unit=SHARE, evidence=_POSTERIOR,
        interval=_share_span(effect.share_span), columns=effect.columns, beyond=_share(effect.beyond),
    )  # fmt: skip
    courses = [_course(f"{name}/{along.column}", along, effect, d, unit) for along in effect.along]
    return (share, *courses, *_dependence(name, effect, d, unit))


def levels_of(d: TableDecomposition, column: str) -> tuple[str, ...]:
    """The names of the categories of a column."""
    return next((candidate.levels for candidate in d.columns if candidate.name == column), ())


def _unit(d: TableDecomposition) -> str:
    if d.classes:
        return "latent"
    return f"log({d.target})" if d.transform.is_log else d.target


def _share(value: float) -> float:
    """A share of a variance; what estimates of it lie beyond the whole is cut."""
    return min(max(value, 0.0), 1.0)


def _share_span(span: tuple[float, float]) -> tuple[float, float]:
    return _share(span[0]), _share(span[1])


def _interval(contrast: Contrast) -> tuple[float, float]:
    return contrast.number - BAND_SDS * contrast.sd, contrast.number + BAND_SDS * contrast.sd


def _course(name: str, along: Along, effect: Effect, d: TableDecomposition, unit: str) -> EffectCourse:
    shape = along.shape
    course = EffectCourse(
        id=name, number=shape.size.number, unit=unit if along.chances is None else SHARE, evidence=_POSTERIOR,
        interval=_interval(shape.size),
        column=along.column, kind=shape.kind, change=shape.change.number,
        change_interval=_interval(shape.change), low=float(along.x[0]), high=float(along.x[-1]), lowest=shape.lowest,
        highest=shape.highest, turns=shape.turns,
        legs=tuple(RunOfEffect(leg.number, _interval(leg)) for leg in shape.legs),
        flat_from=shape.flat_from, flat_until=shape.flat_until, bend=shape.bend, open_from=shape.open_from,
        open_until=shape.open_until, period=effect.period, averaged=len(effect.columns) > 1,
        places=tuple(along.x.tolist()) if along.few else (), levels=levels_of(d, along.column),
        carried=None if along.carried is None else d.number_of(along.carried),
        elsewhere=any(along.column in other.columns for other in d.effects if other is not effect and is_told(other))
        or any(_missed(column.plain) for column in d.columns if column.name == along.column),
    )  # fmt: skip
    if along.chances is None:
        return course
    among = sum(map(is_told, d.effects)) > 1
    rates = tuple(float((d.y[along.at == x] > 0.0).mean()) for x in along.x) if along.few else ()
    return extended(course, ChanceCourse, among_others=among, chances=told_chances(along, along.chances), rates=rates)


def _dependence(name: str, effect: Effect, d: TableDecomposition, unit: str) -> tuple[Dependence, ...]:
    interaction = effect.interaction
    if interaction is None:
        return ()
    dependence = Dependence(
        id=f"{name}/together", number=interaction.difference.number, unit=unit, evidence=_POSTERIOR,
        interval=_interval(interaction.difference), along=interaction.along, by=interaction.by,
        along_places=interaction.along_places, by_places=interaction.by_places, first=interaction.first.number,
        first_interval=_interval(interaction.first), last=interaction.last.number,
        last_interval=_interval(interaction.last), share=_share(interaction.share),
        share_interval=_share_span(interaction.share_span), others=len(effect.columns) > 2,
        along_levels=levels_of(d, interaction.along), by_levels=levels_of(d, interaction.by),
        probability=_probability_of_pair({interaction.along, interaction.by}, d), plain_p=interaction.plain_p,
        beyond=interaction.beyond,
    )  # fmt: skip
    if interaction.corners is None:
        return (dependence,)
    return (extended(dependence, ChanceDependence, corners=corner_chances(interaction, interaction.corners)),)


def _probability_of_pair(pair: set[str], d: TableDecomposition) -> float:
    """The weight of all models with a part that holds both columns."""
    if not d.alternatives:
        return 1.0
    weights = [
        weight for kernel, weight in d.alternatives if any(pair <= columns_of(part.expr) for part in components(kernel))
    ]
    return min(sum(weights), 1.0)


def _carrier(column: str, d: TableDecomposition) -> int | None:
    """The row, from 1, on which all that is told of a column rests."""
    rows = {
        along.carried for effect in d.effects if is_told(effect) for along in effect.along if along.column == column
    }
    row = rows.pop() if len(rows) == 1 else None
    return None if row is None else d.number_of(row)


# --- Columns: whether each acts, and what is lost without it ----------------------------------------------------------


def column_claims(
    d: TableDecomposition, together: Sequence[tuple[str, ...]], checks: Sequence[ErrorCheck], *, untried: bool = False
) -> tuple[Claim, ...]:
    """What every column is worth, those that act first, and of these the one without which most is lost.

    ``together`` holds the columns that act together, ``checks`` what is left in the errors; ``untried``: the search was
    cut before any model with a column was fitted.
    """
    patterned = {check.column for check in failed_checks(checks) if isinstance(check, ErrorCheck)}
    alone = not any(column.used or column.scatter for column in d.columns)
    claims = []
    for column in d.columns:
        plain = column.plain or _NOT_SEEN
        partners = sorted({name for names in together if column.name in names for name in names} - {column.name})
        goes_along = plain.p < ALARM  # of a rank correlation, as the best of all columns
        marks = {
            "used": column.used, "scatter": column.scatter, "left": column.name in patterned, "parts": plain.parts,
            "categories": bool(column.levels), "untried": untried, "goes along": goes_along,
            "alone": alone and goes_along,
        }  # fmt: skip
        claim = Claim(
            id=f"column/{column.name}", kind=Kind.MATTERS, columns=(column.name,), number=_lost(plain.beside_model),
            probability=column.probability, more=_numbers(plain, _carrier(column.name, d)),
            marks=frozenset(name for name, holds in marks.items() if holds),
            others={"partners": tuple(partners), "missed": _missed(plain)},
        )  # fmt: skip
        claims.append(replace(claim, form=column_form(claim)))
    plains = [column.plain or _NOT_SEEN for column in d.columns]
    sure = {claim.columns[0] for claim, plain in zip(claims, plains, strict=True) if _stands_out(claim, plain)}
    told = [_with_copies(claim, plain, sure) for claim, plain in zip(claims, plains, strict=True)]
    return tuple(sorted(told, key=lambda claim: (_order(claim.form), -claim.number.value)))


def _numbers(plain: Plain, carried: int | None) -> dict[str, Quantity]:
    return plain_numbers(
        p=plain.beside_model.p, p_beside_all=plain.beside_all.p, correlation=plain.correlation, correlation_p=plain.p,
        carried=carried,
    )  # fmt: skip


def _order(form: str) -> int:
    """The place of columns of which so much is told; those that matter and near copies are of one."""
    return max(COLUMN_FORMS.index(Form(form)) - 1, 0)


# Where rows alone say nothing, models decide.
_NOT_SEEN = Plain(0.0, 1.0, Loss(0.0, (0.0, 0.0), 0.0), Loss(0.0, (0.0, 0.0), 1.0))


def column_form(claim: Claim) -> Form:
    """What is told of a column, near copies apart: it acts where models or rows are sure of it and both agree."""
    row, probability, beside_all = KINDS[Kind.MATTERS], claim.probability or 0.0, claim["p_beside_all"]
    is_sure, is_little = probability >= row.sure, claim.number.high < row.smallest
    if "used" in claim.marks:
        agree = claim["p"] < ALARM if is_sure else not is_little and probability >= row.told and has_odds(claim["p"])
        if agree or claim.others["missed"] or beside_all < BEYOND_DOUBT:
            return Form.MATTERS
        return Form.LITTLE if is_little and not is_sure else Form.MAY
    if "scatter" in claim.marks:
        return Form.SCATTERS
    may = probability >= row.told or beside_all < ALARM or claim.marks & {"alone", "untried"}
    return Form.MAY if may else Form.NOTHING


def _missed(plain: Plain | None) -> tuple[str, ...]:
    """The columns with which one acts together by rows alone, though not in the model."""
    return () if plain is None else tuple(other for other, p in plain.together.items() if p < BEYOND_DOUBT)


def _lost(loss: Loss) -> Quantity:
    return Quantity(_share(loss.share), *_share_span(loss.span), Measure.SHARE)


def _stands_out(claim: Claim, plain: Plain) -> bool:
    """Whether a column surely acts, and rows tell it from near copies: models are too sure which of them acts."""
    return claim.form == Form.MATTERS and (not plain.copies or claim["p_beside_all"] < BEYOND_DOUBT)


_STANDINGS = {Form.MAY: Standing.OPEN, Form.LITTLE: Standing.DENIED, Form.NOTHING: Standing.DENIED}


def _with_copies(claim: Claim, plain: Plain, sure: Collection[str]) -> Claim:
    """With how it stands, and the copies of which one surely acts, where none is told apart from the others."""
    loss = plain.of_copies
    if loss is None or {*claim.columns, *plain.copies} & {*sure} or loss.p >= BEYOND_DOUBT:
        return replace(claim, standing=_STANDINGS.get(Form(claim.form), Standing.TOLD))
    return replace(claim, form=Form.EITHER, others={**claim.others, "instead": plain.copies}, number=_lost(loss))


# --- The scatter, the fit and the errors ------------------------------------------------------------------------------


def noise_facts(d: TableDecomposition) -> tuple[NoiseSize, ...]:
    """The scatter; none where the model has no noise."""
    if d.counts is not None:
        sd, evidence = 0.0 if d.noise is None else d.noise.sd, "fitted numbers; variance of counts about a rate"
        return (
            NoiseSize(
                id="noise", number=sd, unit=_unit(d), evidence=evidence, changes=(), times=d.counts.times,
                gain=d.counts.gain,
            ),
        )  # fmt: skip
    if d.noise is None:
        return ()
    changes = tuple((scatter.column, scatter.places, scatter.sds) for scatter in d.noise.scatters)
    return (
        NoiseSize(
            id="noise", number=d.noise.sd, unit=_unit(d), evidence="fitted numbers; residuals", changes=changes,
            held=d.noise.held,
        ),
    )  # fmt: skip


def fit_fact(d: TableDecomposition, out: LeaveOneOut) -> Explained:
    """How well the model fits and predicts."""
    return Explained(
        id="model/explained", number=d.signal_r2, unit=SHARE, evidence="posterior mean; each value from all others",
        left_out=out.r2, error=out.mae, rmse=out.rmse, error_of_mean=out.mae_of_mean,
    )  # fmt: skip


def check_facts(out: LeaveOneOut) -> tuple[ErrorCheck, ...]:
    """What is left in the errors of values that are left out."""
    return tuple(
        ErrorCheck(
            id=f"check/{tested.check.kind}{f'/{tested.column}' if tested.column else ''}", number=tested.check.p,
            unit="1", evidence="simulations from the model", kind=tested.check.kind,
            adjusted=tested.check.adjusted, side=tested.check.side, column=tested.column,
        )
        for tested in out.checks
    )  # fmt: skip


def from_exact_fact(d: TableDecomposition) -> FromExact | None:
    """How far from exact the numbers of the model are, where inducing points stand for its rows."""
    if d.by_points is None:
        return None
    return FromExact(
        id="model/exactness", number=d.by_points.gap, unit="1", points=d.by_points.points, rows=d.by_points.rows,
        evidence="exact log evidence of random rows less its bound by inducing points",
    )  # fmt: skip


def ranges_fact(out: LeaveOneOut) -> RangesHeld:
    """How the ranges held; too narrow or too wide: fewer or more inside than chance gives, as one of all checks."""
    rows, inside = len(out.errors), round(out.held[-1] * len(out.errors))
    few, many = float(binom.cdf(inside, rows, 0.95)), float(binom.sf(inside - 1, rows, 0.95))
    tells, level = rows >= FEWEST_TESTED, 0.5 * ALARM / (1 + len(out.checks))
    return RangesHeld(
        id="model/ranges", number=out.held[-1], unit=SHARE, evidence="each value predicted from all others", rows=rows,
        too_narrow=tells and few < level, too_wide=tells and many < level,
    )  # fmt: skip
