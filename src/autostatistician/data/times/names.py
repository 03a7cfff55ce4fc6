"""What columns of times are called. Babel has the words inside of dates, not those at the head of a column."""

from __future__ import annotations

__all__ = ["DAY_NAMES", "MONTH_NAMES", "TIME_WORDS", "YEAR_NAMES"]

YEAR_NAMES = frozenset((
    "year", "yr", "yyyy", "jahr", "année", "annee", "an", "año", "ano", "anno", "jaar", "år", "vuosi", "rok",
    "év", "yıl", "год", "рік", "година", "έτος", "年", "年份", "年度", "연도", "년", "السنة", "năm", "tahun",
))  # fmt: skip
MONTH_NAMES = frozenset((
    "month", "mon", "mm", "mo", "monat", "mois", "mes", "mês", "mese", "maand", "månad", "måned", "kuukausi",
    "miesiąc", "měsíc", "mesiac", "hónap", "ay", "месяц", "місяць", "месец", "μήνας", "月", "月份", "월", "الشهر",
    "tháng", "bulan",
))  # fmt: skip
DAY_NAMES = frozenset((
    "day", "dd", "dom", "tag", "jour", "día", "dia", "giorno", "dag", "päivä", "dzień", "den", "deň", "nap",
    "gün", "день", "ден", "ημέρα", "日", "일", "ngày", "hari",
))  # fmt: skip
# Of whole dates and times.
TIME_WORDS = frozenset((
    "datum", "zeit", "zeitpunkt", "fecha", "hora", "heure", "temps", "dato", "tid", "dátum", "tarih",
    "päivämäärä", "дата", "время", "час", "ημερομηνία", "日期", "日付", "日時", "年月", "时间", "時間", "날짜", "일시",
    "التاريخ", "ngày tháng",
))  # fmt: skip
