"""Records of a panel that was never fitted: sales of stores as a run of a thousand series might leave them."""

from collections.abc import Iterator
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from autostatistician.claims.claim import Claim
from autostatistician.panel.records import DONE, FAILED, PanelForecast, SeriesRecord, claim_of

__all__ = ["HOSTILE", "made_records"]

MONTHS = np.arange("2019-01", "2025-01", dtype="M8[M]").astype("M8[D]").astype(str).tolist()
ROWS, AHEAD = 60, 12
SHARED = 50  # the row at which several change
HOSTILE = (
    "</script><script>alert(1)</script>", "a\"onmouseover='alert(1)'", "../../etc/passwd", "<!--", "Ünïcode/🙂",
    "%2e%2e/\\x",
    "javascript:alert(1)", "\u202eevil", "line\nbreak", "x" * 300, "", "&amp;", "con", "__proto__",
)  # fmt: skip


def made_records(number: int, seed: int = 0) -> Iterator[SeriesRecord]:
    """So many records: ordinary ones, and among them failed, constant, huge, tiny, negative and oddly named ones."""
    rng = np.random.default_rng(seed)
    for index in range(number):
        ids = (f"store {index // 25 + 1}", f"item {index % 25 + 1}")
        if index % 8 == 7 and index // 8 < len(HOSTILE):
            ids = ("odd", HOSTILE[index // 8])
        yield _failed(ids) if index % 97 == 5 else _done(index, ids, rng)


def _failed(ids: tuple[str, ...]) -> SeriesRecord:
    reason = f"Expected at least 4 rows, got {len(ids[0]) % 3 + 1}. Leave the series out or add rows."
    return SeriesRecord("/".join(ids), ids, FAILED, reason, rows=2, first=MONTHS[0], last=MONTHS[1], step="month")


def _done(index: int, ids: tuple[str, ...], rng: np.random.Generator) -> SeriesRecord:
    scale = 10.0 ** float(rng.normal(2.5, 0.7)) * {11: 1e12, 13: 1e-9}.get(index % 200, 1.0)
    growth, noise = float(rng.normal(0.03, 0.025)), float(np.exp(rng.normal(-3.2, 0.3)))
    growth = 0.6 if index % 150 == 20 else growth
    season = 0.0 if index % 23 == 3 else float(np.exp(rng.normal(-1.5, 0.3)))
    step = -0.4 if index % 14 == 1 else 0.0
    years = np.arange(ROWS + AHEAD) / 12.0
    wave = 0.5 * season * np.cos(2.0 * np.pi * (years - (11.0 if index % 90 != 70 else 5.0) / 12.0))
    level = np.exp(growth * years + np.log1p(step) * (np.arange(ROWS + AHEAD) >= SHARED))
    shape = level * (1.0 + wave)
    if index % 61 == 9:  # the same all along
        season, noise, growth, step, shape = 0.0, 0.0, 0.0, 0.0, np.ones(ROWS + AHEAD)
    offset = -1.5 if index % 71 == 8 else 0.0
    y = scale * (shape + offset + noise * rng.normal(size=ROWS + AHEAD))
    claims = _claims(scale, growth, noise, season, step, index, negative=offset < 0.0)
    record = SeriesRecord(
        "/".join(ids), ids, DONE, "", ROWS, MONTHS[0], MONTHS[ROWS - 1], "month", "Per + Lin + WN", bool(growth > 0.1),
        (("Per + Lin + WN", 0.7), ("Per + WN", 0.3)), 100.0, 0.4, _notes(index), claims, tuple(MONTHS[:ROWS]),
        tuple(y[:ROWS].tolist()), float(y[ROWS - 12 : ROWS].mean()), _forecast(scale * (shape + offset), scale * noise),
        tuple((scale * noise * rng.normal(size=12)).tolist()),
    )  # fmt: skip
    return _at_the_end(record) if index % 160 == 40 else record


def _notes(index: int) -> tuple[str, ...]:
    return (f"Dropped {index % 5 + 1} rows without a value.",) if index % 19 == 4 else ()


def _forecast(mean: NDArray[np.float64], sd: float) -> PanelForecast:
    ahead, spread = mean[ROWS:], sd * np.sqrt(1.0 + np.arange(AHEAD) / 3.0)
    low, high = (tuple(tuple((ahead + sign * z * spread).tolist()) for z in (1.28, 1.96)) for sign in (-1.0, 1.0))
    return PanelForecast(tuple(MONTHS[ROWS:]), tuple(ahead.tolist()), (80, 95), low, high)


def _claims(
    scale: float, growth: float, noise: float, season: float, step: float, index: int, *, negative: bool
) -> tuple[Claim, ...]:
    rise = scale * (np.exp(growth * 5.0) * (1.0 + step) - 1.0)
    doubt = 2.0 * scale * noise / np.sqrt(12.0)
    way = "open" if abs(rise) < 0.6 * doubt else "level" if abs(rise) < doubt else "rises" if rise > 0.0 else "falls"
    way = "level" if noise == 0.0 else way
    way = "turns" if index % 31 == 6 else way
    ends = (MONTHS[0], MONTHS[ROWS - 1])
    share = None if negative else rise / scale
    made = [claim_of("course", rise, rise - doubt, rise + doubt, *ends, share, name=way)]
    if not negative:
        made.append(claim_of("growth", growth, growth - 0.01, growth + 0.01, *ends))
    if season > 0.0:
        size, part = scale * season, season**2 / (season**2 + 8.0 * noise**2)
        top = "in June" if index % 90 == 70 else "in December"
        made.append(
            claim_of(
                "season", size, 0.9 * size, 1.1 * size, *ends, None if negative else season, 1.0, "yearly", part, top,
                "in June",
            )
        )  # fmt: skip
    if step:
        made.append(
            claim_of("step", scale * step, 1.1 * scale * step, 0.9 * scale * step, MONTHS[SHARED], MONTHS[SHARED], step)
        )
    if noise > 0.0:
        sd = scale * noise
        made.append(claim_of("noise", sd, 0.9 * sd, 1.1 * sd, share=None if negative else noise, part=0.2))
    return tuple(made)


def _at_the_end(record: SeriesRecord) -> SeriesRecord:
    """The same with last values far above what was expected."""
    values = np.array(record.values)
    values[-1] *= 1.8
    ending = claim_of("ending", *[float(values[-1] / 1.8 * 0.8)] * 3, record.last, record.last, 0.8)
    return replace(record, values=tuple(values.tolist()), claims=(*record.claims, ending))
