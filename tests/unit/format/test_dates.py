"""Dates: one spelling, real days; and what other spellings certainly mean."""

from __future__ import annotations

from datetime import date

import pytest

from mneme.format.dates import meant_date, parse_date


def test_a_date() -> None:
    assert parse_date("2026-06-03") == date(2026, 6, 3)
    assert parse_date("2024-02-29") == date(2024, 2, 29)


@pytest.mark.parametrize(
    "text",
    [
        "", "2026-6-3", "20260603", "2026-W23-3", "2026-06", "26", "Nov", "11/20/2026", "yesterday", "2026-13-01",
        "2026-02-29", "2026-06-31", "0000-01-01", "2026-06-03T10:00", "2026-06-03 ", "2026-06-03\n", "+2026-06-03",
        "２０２６-０６-０３", "٢٠٢٦-٠٦-٠٣", "2026–06–03", "2026-154",
    ],
)  # fmt: skip
def test_no_date(text: str) -> None:
    assert parse_date(text) is None


CERTAIN = [
    "2026-06-03", "2026-6-3", "2026-06-3", "2026/06/03", "2026/6/3", "2026.6.3", "20260603", "2026-W23-3", "2026W233",
    "2026-06-03T10:00:00Z", "2026-06-03T23:59:59.5-05:00", "20260603T101500", "2026-06-03T24:00", "2026-06-03,",
    "2026-06-03。", "2026–06–03", "2026‑06‑03", "２０２６-０６-０３", "２０２６－０６－０３", "٢٠٢٦-٠٦-٠٣",
    "2026年6月3日", "2026年06月03日", "2026年6月3", "2026년6월3일",
]  # fmt: skip


@pytest.mark.parametrize("text", CERTAIN)
def test_certain(text: str) -> None:
    assert meant_date(text) == "2026-06-03"


@pytest.mark.parametrize(
    "text",
    [
        "", "2026-06", "26", "Nov", "yesterday", "11/20/2026", "03.06.2026", "3/6/26", "26-06-03", "2026-13-01",
        "2026-06-31", "20261340", "2026-W60-1", "2026-W23", "2026-06-03x", "2026-06-0312", "2026-06-03112",
        "2026-06-03T", "2026/06-03", "2026-0603", "2026年13月1日", "0000-01-01", "6月3日", "2026-06-03..2026-06-09",
    ],
)  # fmt: skip
def test_in_doubt(text: str) -> None:
    assert meant_date(text) == ""
