"""Unseen characters: found where nothing needs them, left alone where a script or an emoji does."""

from __future__ import annotations

import time

import pytest

from mneme.text.unseen import describe, unseen_in

ENGLAND = "\U0001f3f4\U000e0067\U000e0062\U000e0065\U000e006e\U000e0067\U000e007f"


@pytest.mark.parametrize(
    "text",
    [
        "plain\ttext\r\nover lines\n",
        "👩‍💻 👨‍👩‍👧‍👦 🏳️‍🌈 ❤️‍🔥 🧑🏽‍🚀 ⛹🏿‍♀️ 🙂‍↔️",
        "❤️ ☎︎ ✔️ ©️ ®️ ™️ ‼️ ℹ️ 〰️ ㊗️ 1️⃣ #️⃣ *️⃣",
        f"{ENGLAND} wins",
        "می‌خواهم کتاب‌ها را", "نمی‌شود",
        "क्‍ष न्‌ श्री", "ශ්‍රී ලංකා", "র‍্যাব",
        "שלום \u200f(abc)\u200e עולם", "العربية \u061c123", "עברית \u2066abc\u2069 טקסט",
        "葛\U000e0100城市 辻\U000e0101", "ᠪᠠᠢ᠋", "ᄀ\u1160",
        "上海机房为主,承载全部写流量", "café naïve Ünïcödé", "全角　空格",
    ],
)  # fmt: skip
def test_what_a_script_or_an_emoji_needs_is_no_finding(text: str) -> None:
    assert list(unseen_in(text)) == []


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("SQL\u200bite", "U+200B ZERO WIDTH SPACE"),
        ("a\u200cb", "U+200C ZERO WIDTH NON-JOINER"),
        ("a\u200db", "U+200D ZERO WIDTH JOINER"),
        ("a\u2060b", "U+2060 WORD JOINER"),
        ("a\ufeffb", "U+FEFF ZERO WIDTH NO-BREAK SPACE"),
        ("a\u00adb", "U+00AD SOFT HYPHEN"),
        ("a\u202eb", "U+202E RIGHT-TO-LEFT OVERRIDE"),
        ("a\u202ab", "U+202A LEFT-TO-RIGHT EMBEDDING"),
        ("latin \u200f mark", "U+200F RIGHT-TO-LEFT MARK"),
        ("עברית \u202eabc", "U+202E RIGHT-TO-LEFT OVERRIDE"),
        ("עברית \u2067abc", "U+2067 RIGHT-TO-LEFT ISOLATE"),
        ("עברית abc\u2069", "U+2069 POP DIRECTIONAL ISOLATE"),
        ("a\u2066b\u2069"[:3], "U+2066 LEFT-TO-RIGHT ISOLATE"),
        ("x\U000e0041", "U+E0041 TAG LATIN CAPITAL LETTER A"),
        ("\U0001f3f4\U000e0061", "U+E0061 TAG LATIN SMALL LETTER A"),
        (f"{ENGLAND}\U000e0061", "U+E0061 TAG LATIN SMALL LETTER A"),
        ("a\ufe0fb", "U+FE0F VARIATION SELECTOR-16"),
        ("1\ufe0fb", "U+FE0F VARIATION SELECTOR-16"),
        ("❤\ufe0f\ufe01", "U+FE01 VARIATION SELECTOR-2"),
        ("a\U000e0101", "U+E0101 VARIATION SELECTOR-18"),
        ("a\u3164b", "U+3164 HANGUL FILLER"),
        ("a\u1160b", "U+1160 HANGUL JUNGSEONG FILLER"),
        ("می‌\u200cx", "U+200C ZERO WIDTH NON-JOINER"),
        ("a\u2028b", "U+2028 LINE SEPARATOR"),
        ("a\u0085b", "U+0085 NEXT LINE"),
        ("a\x0cb", "U+000C FORM FEED"),
        ("a\x1bb", "U+001B ESCAPE"),
        ("a\x07b", "U+0007 BELL"),
        ("a\x9bb", "U+009B CONTROL CHARACTER"),
        ("a\rb", "U+000D CARRIAGE RETURN"),
        ("\u200bstart", "U+200B ZERO WIDTH SPACE"),
    ],
)
def test_what_nothing_needs_is_found_and_named(text: str, name: str) -> None:
    spans = list(unseen_in(text))
    assert [(end - start, describe(text[start])) for start, end in spans] == [(1, name)]


def test_neighbours_are_one_run() -> None:
    assert list(unseen_in("a\u200b\u200b\u2060b\u200bc")) == [(1, 4), (5, 6)]


@pytest.mark.parametrize(
    "unit", ["\u2066א", "א\u200f", "\u200d", "👩\u200d", "\U000e0061", "\U0001f3f4\U000e0061", "\u202e"]
)
def test_no_text_takes_long(unit: str) -> None:
    start = time.process_time()
    list(unseen_in(unit * (100_000 // len(unit))))
    assert time.process_time() - start < 10
