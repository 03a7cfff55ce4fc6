"""From the numbers of a table's model to claims."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import replace
from math import inf

from scipy.stats import binom

from autostatistician.claims.claim import Claim, plain_numbers
from autostatistician.claims.kinds import COLUMN_FORMS, KINDS, LIMITS, Form, Kind, Standing
from autostatistician.claims.quantity import Measure, Quantity
from autostatistician.decompose.records.table import (
    Along,
    ColumnRecord,
    Contrast,
    CurveShape,
    DropTest,
    Hinge,
    Interaction,
    LeaveOneOut,
    Plain,
    Slope,
    TableDecomposition,
    TableEffect,
)
from autostatistician.describe.facts.judgement import (
    ALARM,
    BEYOND_DOUBT,
    FEWEST_TESTED,
    has_odds,
    leans,
    odds_of,
)
from autostatistician.describe.observe.search import check_claim
from autostatistician.describe.observe.table.chances import corner_chances, told_chances
from autostatistician.forms import BAND_SDS, CourseKind
from autostatistician.kernels.rewrite import components
from autostatistician.kernels.traits import columns_of, is_noise

__all__ = [
    "check_claims", "column_claims", "column_form", "effect_claims", "effect_id", "exactness_claim", "fit_claim",
    "is_told", "noise_claims", "ranges_claim",
]  # fmt: skip


def is_told(effect: TableEffect) -> bool:
    """Whether an effect is large enough to be told."""
    return max(effect.share, effect.share_span[0]) >= KINDS[Kind.EFFECT].smallest


def effect_id(effect: TableEffect, d: TableDecomposition) -> str:
    """The name of an effect in the page and in facts: its rank."""
    return f"effect-{d.effects.index(effect) + 1}"


def effect_claims(effect: TableEffect, d: TableDecomposition) -> tuple[Claim, ...]:
    """How large an effect is, its course along each column, and how two of them depend on each other."""
    name = effect_id(effect, d)
    share = Claim(
        id=f"{name}/share", kind=Kind.EFFECT, columns=effect.columns, number=_shared(effect.share, effect.share_span),
        more={"beyond": Quantity.plain(_share(effect.beyond), Measure.SHARE)},
    )  # fmt: skip
    courses = [_course(f"{name}/{along.column}", along, effect, d) for along in effect.along]
    return (share, *courses, *_together(f"{name}/together", effect.interaction, effect, d))


def _share(value: float) -> float:
    """A share of a variance; what estimates of it lie beyond the whole is cut."""
    return min(max(value, 0.0), 1.0)


def _shared(share: float, span: tuple[float, float]) -> Quantity:
    return Quantity(_share(share), _share(span[0]), _share(span[1]), Measure.SHARE)


def _contrast(contrast: Contrast, measure: Measure) -> Quantity:
    reach = BAND_SDS * contrast.sd
    return Quantity(contrast.number, contrast.number - reach, contrast.number + reach, measure)


def _marked(**marks: bool) -> frozenset[str]:
    return frozenset(name.replace("_", " ") for name, holds in marks.items() if holds)


def _course(name: str, along: Along, effect: TableEffect, d: TableDecomposition) -> Claim:
    (shape, is_by_rows), of_class = _witnessed(along, d), along.chances is not None
    measure = Measure.SHARE if of_class else Measure.SCALED
    turns = [
        Claim(id="", kind=Kind.TURN, number=Quantity(turn.at, *turn.span, Measure.NUMBER), marks=_marked(top=turn.top))
        for turn in shape.turns
    ]
    runs = [Claim(id="", kind=Kind.RUN, number=_contrast(leg, measure)) for leg in shape.legs]
    levels = along.levels
    sizes = zip(along.x.tolist(), along.mean.tolist(), (BAND_SDS * along.sd).tolist(), strict=True)
    heights = [
        Claim(id="", kind=Kind.LEVEL, at=(place,), number=Quantity(mean, mean - reach, mean + reach, measure))
        for place, mean, reach in (sizes if (levels or (along.few and len(turns) > 1)) and not of_class else ())
    ]
    chances = () if along.chances is None else told_chances(along, along.chances, d.y > 0.0)
    form = CourseKind.UNCLEAR if of_class and len(chances) < 2 else shape.kind
    places = plain_numbers(
        low=float(along.told[0]), high=float(along.told[-1]), lowest=shape.lowest, highest=shape.highest,
        open_from=shape.open_from, open_until=shape.open_until, bend=0.0 if shape.hinge is None else shape.hinge.bend,
        period=effect.period,
    )  # fmt: skip
    return Claim(
        id=name, kind=Kind.COURSE, columns=(along.column,), form=form,
        number=_contrast(shape.size, measure),
        at=tuple(along.told.tolist()) if along.few else (),
        more={"change": _contrast(shape.change, measure), **places, **_flat(shape.hinge)},
        others={"levels": levels}, parts=(*turns, *runs, *heights, *chances),
        marks=_marked(
            few=along.few, averaged=len(effect.columns) > 1, elsewhere=_acts_elsewhere(along.column, effect, d),
            by_rows=is_by_rows,
        ),
    )  # fmt: skip


def _witnessed(along: Along, d: TableDecomposition) -> tuple[CurveShape, bool]:
    """The shape of a curve, and whether it is as its rows have it: these overrule a line, and need agree to a bend."""
    shape, is_straight = along.shape, along.shape.kind is CourseKind.STRAIGHT
    plain = {column.name: column.plain for column in d.columns}.get(along.column)
    by_rows = plain.hinge if plain else None
    if by_rows is None or not (is_straight or shape.hinge):
        return shape, False
    if shape.hinge:
        agrees = by_rows.p < ALARM and by_rows.bend == shape.hinge.bend
        return (shape if agrees else replace(shape, hinge=None)), False
    if by_rows.p >= ALARM:
        return shape, False
    rises, ends = shape.change.number > 0.0, (by_rows.at - along.told[0], along.told[-1] - by_rows.at)
    (slow, _), (steep, length) = list(zip((by_rows.before, by_rows.after), ends, strict=True))[:: by_rows.bend or 1]
    one_way = all((slope.number > 0.0) == rises for slope in ((steep,) if by_rows.flat else (steep, slow)))
    bent = replace(shape, kind=CourseKind.RISING if rises else CourseKind.FALLING)
    lines = [each for effect in d.effects for each in effect.along if each.shape.kind is CourseKind.STRAIGHT]
    if not (by_rows.bend and one_way and len(lines) * by_rows.p < ALARM):
        return bent, False
    size = Contrast(abs(steep.number) * length, steep.sd * length) if by_rows.flat else shape.size
    return replace(bent, size=size, hinge=by_rows), True


def _flat(hinge: Hinge | None) -> dict[str, Quantity]:
    """From where on, or until where, a course is flat."""
    if hinge is None or not hinge.flat:
        return {}
    return {"flat_until" if hinge.bend > 0 else "flat_from": Quantity(hinge.at, *hinge.span, Measure.NUMBER)}


def _acts_elsewhere(column: str, effect: TableEffect, d: TableDecomposition) -> bool:
    """Whether a column acts together with others beside an effect, in the model or by rows alone."""
    beside = any(column in other.columns for other in d.effects if other is not effect and is_told(other))
    return beside or any(_missed(one.plain) for one in d.columns if one.name == column)


def _together(
    name: str, interaction: Interaction | None, effect: TableEffect, d: TableDecomposition
) -> tuple[Claim, ...]:
    if interaction is None:
        return ()
    columns = interaction.along, interaction.by
    numbers = {"first": interaction.first, "last": interaction.last}
    claim = Claim(
        id=name, kind=Kind.TOGETHER, columns=columns, number=_contrast(interaction.difference, Measure.SCALED),
        at=(*interaction.along_places, *interaction.by_places),
        probability=_weight_of([{name, *_copies_of(name, d)} for name in columns], d),
        more={
            **{name: _contrast(number, Measure.SCALED) for name, number in numbers.items()},
            "share": _shared(interaction.share, interaction.share_span), **plain_numbers(plain_p=interaction.plain_p),
        },
        others={which: effect.by_column[column].levels for which, column in zip(("along", "by"), columns, strict=True)},
        marks=_marked(averaged=len(effect.columns) > 2, beyond=interaction.beyond),
        parts=corner_chances(interaction, corners) if (corners := interaction.corners) else _elsewhere(interaction),
    )  # fmt: skip
    return (claim,)


def _elsewhere(interaction: Interaction) -> tuple[Claim, ...]:
    """What a column does at the categories of another that no sentence compares, the most first."""
    others = sorted(interaction.elsewhere, key=lambda at: -at[1].number)
    sizes = [(place, _contrast(step, Measure.SCALED)) for place, step in others]
    return tuple(Claim(id="", kind=Kind.LEVEL, at=(place,), number=size) for place, size in sizes)


def _copies_of(column: str, d: TableDecomposition) -> tuple[str, ...]:
    """The columns that the data do not tell from one."""
    return next((one.plain.copies for one in d.columns if one.name == column and one.plain is not None), ())


def _weight_of(groups: Sequence[Collection[str]], d: TableDecomposition) -> float:
    """The weight of all models with a part that holds a column of every group: near copies stand for each other."""
    if not d.alternatives:
        return 1.0
    weights = [
        weight
        for kernel, weight in d.alternatives
        if any(_holds(columns_of(part.expr), groups) for part in components(kernel) if not is_noise(part.expr))
    ]
    return min(sum(weights), 1.0)


def _holds(columns: Collection[str | None], groups: Sequence[Collection[str]]) -> bool:
    return all(any(name in columns for name in group) for group in groups)


def _carrier(name: str, d: TableDecomposition) -> int | None:
    """The number of the row without which nothing of a column is clear."""
    plain = next(column.plain for column in d.columns if column.name == name)
    return None if plain is None or plain.carried is None else d.number_of(plain.carried)


# --- Columns: whether each acts, and what is lost without it ----------------------------------------------------------


def column_claims(
    d: TableDecomposition, together: Sequence[tuple[str, ...]], *, untried: bool = False
) -> tuple[Claim, ...]:
    """What every column that varies is worth, those that act first, and of these the one without which most is lost.

    ``together`` holds the columns that act together; ``untried``: the search was cut before any model with a column was
    fitted.
    """
    alone = not any(column.used or column.scatter for column in d.columns)
    told_along = [along for effect in d.effects if is_told(effect) for along in effect.along]
    shown = {along.column for along in told_along if along.shape.kind is not CourseKind.UNCLEAR}
    claims, varying = [], [column for column in d.columns if column.distinct > 1]
    for column in varying:
        plain = column.plain or _NOT_SEEN
        partners = sorted({name for names in together if column.name in names for name in names} - {column.name})
        goes_along = plain.p < ALARM  # of a rank correlation, as the best of all columns
        marks = _marked(
            in_best=column.used, scatter=column.scatter, parts=plain.parts,
            categories=bool(column.levels), untried=untried, unseen=column.plain is None,
            goes_along=goes_along, alone=alone and goes_along,
        )  # fmt: skip
        seen = [_p_of(plain.slope, plain.slope.p), *([plain.p] if alone else [])]
        claim = Claim(
            id=f"column/{column.name}", kind=Kind.MATTERS, columns=(column.name,),
            number=_lost(plain.beside_model, plain.slope.most), marks=marks,
            probability=max(column.probability, *map(_chance_of, seen)),
            more=_numbers(plain, column.probability, _carrier(column.name, d)),
            others={"partners": tuple(partners), "missed": _missed(plain)},
            parts=() if column.name in shown else _slope(column, plain.slope),
        )  # fmt: skip
        claims.append(replace(claim, form=column_form(claim)))
    plains = [column.plain or _NOT_SEEN for column in varying]
    sure = {claim.columns[0] for claim, plain in zip(claims, plains, strict=True) if _stands_out(claim, plain)}
    acting = {claim.columns[0] for claim in claims if claim.form == Form.MATTERS}
    told = [_with_copies(claim, plain, sure, acting, d) for claim, plain in zip(claims, plains, strict=True)]
    return tuple(sorted(told, key=lambda claim: (_order(claim.form), -claim.number.value)))


def _chance_of(p: float) -> float:
    """That a column acts by a p-value; 0 of one that raises no alarm.

    >>> [round(_chance_of(p), 2) for p in (0.0, 0.01, 0.04, 0.06)]
    [1.0, 0.89, 0.74, 0.0]
    """
    return 1.0 - 1.0 / (1.0 + odds_of(p)) if p < ALARM else 0.0


def _p_of(slope: Slope, p: float) -> float:
    """A p-value of a column beside the others; 1 where which way it acts is not clear."""
    return p if slope.change is None or _contrast(slope.change, Measure.SCALED).is_clear else 1.0


def _numbers(plain: Plain, modelled: float, carried: int | None) -> dict[str, Quantity]:
    return plain_numbers(
        p=plain.beside_model.p, p_beside_all=_p_of(plain.slope, plain.slope.p), modelled=modelled,
        p_single=_p_of(plain.slope, plain.slope.single), correlation=plain.correlation, correlation_p=plain.p,
        carried=carried,
    )  # fmt: skip


def _slope(column: ColumnRecord, slope: Slope) -> tuple[Claim, ...]:
    """What least squares give a column that no effect of the model shows, as a course along it where that is clear."""
    if slope.change is None or not _contrast(slope.change, Measure.SCALED).is_clear:
        return ()
    low, high, rises = column.low, column.high, slope.change.number > 0.0
    lowest, highest = (low, high) if rises else (high, low)
    places = plain_numbers(low=low, high=high, lowest=lowest, highest=highest, bend=0.0)
    course = Claim(
        id="", kind=Kind.COURSE, columns=(column.name,), form=CourseKind.RISING if rises else CourseKind.FALLING,
        number=_contrast(slope.change, Measure.SCALED), at=(low, high) if column.distinct == 2 else (), more=places,
        others={"levels": column.levels},
    )  # fmt: skip
    return (course,)


def _order(form: str) -> int:
    """The place of columns of which so much is told; those that matter and near copies are of one."""
    return max(COLUMN_FORMS.index(Form(form)) - 1, 0)


# Where rows alone say nothing, models decide.
_NOT_SEEN = Plain(0.0, 1.0, DropTest(0.0, (0.0, 1.0), 0.0), Slope(1.0, None))


def column_form(claim: Claim) -> Form:
    """What is told of a column, near copies apart: it acts where rows alone are sure, or models that rows agree with.

    What is not proven is open, and denied only where its range holds nothing but small effects.
    """
    row, modelled = KINDS[Kind.MATTERS], claim["modelled"]
    if claim.others["missed"] or _chance_of(claim["p_beside_all"]) >= row.sure:
        return Form.MATTERS
    is_little = claim.number.high < row.smallest
    if claim.in_best:
        is_sure = modelled >= row.sure
        if claim["p"] < ALARM if is_sure else not is_little and modelled >= row.told and has_odds(claim["p"]):
            return Form.MATTERS
    elif "scatter" in claim.marks:
        return Form.SCATTERS
    return Form.MAY if leans(claim) or "untried" in claim.marks or not is_little else Form.LITTLE


def _missed(plain: Plain | None) -> tuple[str, ...]:
    """The columns with which one acts together by rows alone, though not in the model."""
    return () if plain is None else tuple(other for other, p in plain.together.items() if p < BEYOND_DOUBT)


def _lost(loss: DropTest, most: float = 0.0) -> Quantity:
    """What is lost, at most what a column may add by its own range."""
    return _shared(loss.share, (loss.span[0], max(loss.span[1], most)))


def _stands_out(claim: Claim, plain: Plain) -> bool:
    """Whether a column surely acts, and rows tell it from near copies: models are too sure which of them acts."""
    return claim.form == Form.MATTERS and (not plain.copies or has_odds(claim["p_beside_all"]))


_STANDINGS = {Form.MAY: Standing.OPEN, Form.LITTLE: Standing.DENIED}


def _with_copies(
    claim: Claim, plain: Plain, sure: Collection[str], acting: Collection[str], d: TableDecomposition
) -> Claim:
    """With how it stands, and the copies of which one surely acts, where none is told apart from the others.

    Of a column that is not known to act, it is told of which ones that do, or stand before it, it is nearly a copy.
    """
    loss = plain.of_copies
    if loss is None or {*claim.columns, *plain.copies} & {*sure} or loss.p >= BEYOND_DOUBT:
        standing = _STANDINGS.get(Form(claim.form), Standing.TOLD)
        names = [column.name for column in d.columns]
        known = {*acting, *names[: names.index(claim.columns[0])]}
        same = [other for other, size in plain.alike.items() if other in known and size >= LIMITS["copy"]]
        copies = () if standing is Standing.TOLD else _copy_claims(plain, same)
        return replace(claim, standing=standing, parts=(*claim.parts, *copies))
    probability = max(_weight_of([{*claim.columns, *plain.copies}], d), _chance_of(loss.p))
    others = {**claim.others, "instead": plain.copies}
    return replace(
        claim, form=Form.EITHER, others=others, number=_lost(loss), probability=probability,
        parts=(*claim.parts, *_copy_claims(plain, plain.copies)),
    )  # fmt: skip


def _copy_claims(plain: Plain, names: Collection[str]) -> tuple[Claim, ...]:
    """How closely some columns go with one."""
    return tuple(
        Claim(id="", kind=Kind.COPY, columns=(name,), number=Quantity.plain(plain.alike[name], Measure.NUMBER))
        for name in names
    )


# --- The scatter, the fit and the errors ------------------------------------------------------------------------------


def noise_claims(d: TableDecomposition) -> tuple[Claim, ...]:
    """The scatter; none where the model has no noise."""
    if d.noise is None and d.counts is None:
        return ()
    sd = Quantity.plain(0.0 if d.noise is None else d.noise.sd, Measure.SCALED)
    if d.counts is not None:
        more = plain_numbers(times=d.counts.times, gain=d.counts.gain)
        return (Claim(id="noise", kind=Kind.NOISE, number=sd, more=more),)
    assert d.noise is not None
    held = {} if d.noise.held is None else {"held": Quantity.plain(d.noise.held, Measure.SCALED)}
    parts = tuple(_changing(scatter.column, scatter.places, *scatter.sds) for scatter in d.noise.scatters)
    return (Claim(id="noise", kind=Kind.NOISE, number=sd, more=held, parts=parts),)


def _changing(column: str, places: tuple[float, float], before: float, after: float) -> Claim:
    """How many times as far values scatter at the second of two places of a column."""
    sds = {"before": before, "after": after}
    return Claim(
        id="", kind=Kind.SCATTER, columns=(column,), at=places,
        number=Quantity.plain(after / before if before else inf, Measure.RATIO),
        more={name: Quantity.plain(sd, Measure.SCALED) for name, sd in sds.items()},
    )  # fmt: skip


def fit_claim(d: TableDecomposition, out: LeaveOneOut) -> Claim:
    """How well the model fits and predicts."""
    errors = {"error": out.mae, "rmse": out.rmse, "error_of_mean": out.mae_of_mean}
    columns: tuple[str, ...] = ()
    by_groups: dict[str, Quantity] = {}
    if (groups := out.groups) is not None:
        columns, shared = (groups.column,), Quantity.plain(groups.r2, Measure.SHARE)
        by_groups = {"groups_left_out": shared, **plain_numbers(groups=groups.count)}
    return Claim(
        id="model/explained", kind=Kind.EXPLAINED, number=Quantity.plain(d.signal_r2, Measure.SHARE), columns=columns,
        more={
            "left_out": Quantity.plain(out.r2, Measure.SHARE), **by_groups,
            **{name: Quantity.plain(error, Measure.DIFFERENCE) for name, error in errors.items()},
        },
    )  # fmt: skip


def check_claims(out: LeaveOneOut) -> tuple[Claim, ...]:
    """What is left in the errors of values that are left out."""
    return tuple(
        check_claim(f"check/{check.kind}{f'/{column}' if column else ''}", check, columns=(column,) if column else ())
        for check, column in out.checks
    )


def exactness_claim(d: TableDecomposition) -> Claim | None:
    """How far from exact the numbers of the model are, where inducing points stand for its rows."""
    if d.by_points is None:
        return None
    gap, more = d.by_points.gap, plain_numbers(points=d.by_points.points, rows=d.by_points.rows)
    return Claim(id="model/exactness", kind=Kind.EXACTNESS, number=Quantity.plain(gap, Measure.NUMBER), more=more)


def ranges_claim(out: LeaveOneOut) -> Claim:
    """How the ranges held; narrow or wide: fewer or more inside than chance gives, as one of all checks."""
    rows, inside, row = len(out.errors), round(out.held[-1] * len(out.errors)), KINDS[Kind.HELD]
    few, many = (float(binom.cdf(inside, rows, row.smallest)), float(binom.sf(inside - 1, rows, row.smallest)))
    tells, level = rows >= FEWEST_TESTED, 0.5 * row.told / (1 + len(out.checks))
    return Claim(
        id="model/ranges", kind=Kind.HELD, number=Quantity.plain(out.held[-1], Measure.SHARE),
        more=plain_numbers(rows=rows), marks=_marked(narrow=tells and few < level, wide=tells and many < level),
    )  # fmt: skip
