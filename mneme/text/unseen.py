"""Characters that are drawn as nothing, or that turn the text around them, where no script or emoji needs them."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator
from functools import cached_property

from mneme.text.lazy import lazy

_UNSEEN = lazy(
    "[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\xad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f"
    "\u2028-\u202e\u2060-\u206f\u3164\ufe00-\ufe0f\ufeff\uffa0\ufff9-\ufffb\U0001bca0-\U0001bca3\U0001d173-\U0001d17a"
    "\U000e0000-\U000e0fff]|\r(?!\n)"
)
"""Controls, format characters, fillers, separators of lines, variation selectors, tags; a CR that ends no line."""

_JOINING = lazy(
    "[\u0600-\u07ff\u0840-\u08ff\u0900-\u0dff\u0f00-\u109f\u1700-\u18af\u1a20-\u1aaf\u1b00-\u1bff\ua840-\ua8ff"
    "\ua980-\ua9df\uaa60-\uaa7f\uabc0-\uabff\ufb50-\ufdff\ufe70-\ufefc\U00010a00-\U00010aff\U00011000-\U00011fff"
    "\U0001e900-\U0001e95f]"
)
"""Scripts whose letters change with a joiner or a non-joiner between them: Arabic, Syriac, Indic ones and more."""

_HAN = lazy("[\u2e80-\u2fff\u3005\u3007\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0003ffff]")
_STANDARDISED = lazy("[0\u1000-\u109f\u3000-\u303f\ua840-\ua87f\uff00-\uff65\U00010ac0-\U00010aff]")
_JAMO = lazy("[\u1100-\u11ff\ua960-\ua97f\ud7b0-\ud7ff]")
_MONGOLIAN = lazy("[\u1820-\u18aa]")
_PRESENTATIONS = "\u203c\u2049\u2139\u3030\u303d"
"""Emoji bases that are no symbols by category."""
_FLAGS = tuple(
    "\U0001f3f4" + "".join(chr(0xE0000 + ord(char)) for char in region) + "\U000e007f"
    for region in ("gbeng", "gbsct", "gbwls")
)
_CONTROLS = {
    "\x07": "BELL", "\x08": "BACKSPACE", "\x0b": "LINE TABULATION", "\x0c": "FORM FEED", "\r": "CARRIAGE RETURN",
    "\x1b": "ESCAPE", "\x7f": "DELETE", "\x85": "NEXT LINE",
}  # fmt: skip


def unseen_in(text: str) -> Iterator[tuple[int, int]]:
    """Yield start and end of the runs of unseen characters in ``text`` that nothing there needs."""
    start = end = -1
    line = _Line(text, 0)
    for match in _UNSEEN.finditer(text):
        at = match.start()
        if at > line.end:
            line = _Line(text, at)
        if _needed(text, at, line):
            continue
        if at == end:
            end += 1
            continue
        if end > start:
            yield start, end
        start, end = at, at + 1
    if end > start:
        yield start, end


def describe(char: str) -> str:
    """Return the code point and the name of ``char``: ``U+200B ZERO WIDTH SPACE``."""
    return f"U+{ord(char):04X} {_CONTROLS.get(char) or unicodedata.name(char, 'CONTROL CHARACTER')}"


def _needed(text: str, at: int, line: _Line) -> bool:
    char, before, after = text[at], text[at - 1 : at], text[at + 1 : at + 2]
    if not before:
        return False
    if char == "\u200d":
        return _JOINING.match(before) is not None or (_emoji_ends(text, at) and _symbol(after))
    if char == "\u200c":
        return _JOINING.match(before) is not None
    if char in "\ufe0e\ufe0f":
        keycap = before in "0123456789#*" and after == "\u20e3"
        return keycap or _symbol(before) or before in _PRESENTATIONS
    if "\ufe00" <= char <= "\ufe0d":
        return bool(_HAN.match(before) or _STANDARDISED.match(before)) or unicodedata.category(before) == "Sm"
    if "\U000e0100" <= char <= "\U000e01ef":
        return _HAN.match(before) is not None
    if "\U000e0020" <= char <= "\U000e007f":
        return _in_flag(text, at)
    if char in "\u200e\u200f\u061c":
        return line.right_to_left
    if "\u2066" <= char <= "\u2069":
        return line.right_to_left and line.isolates_close
    if char in "\u115f\u1160":
        return bool(_JAMO.match(before) or _JAMO.match(after or " "))
    if char in "\u180b\u180c\u180d\u180e\u180f":
        return _MONGOLIAN.match(before) is not None
    return char == "\u034f" and "M" in (unicodedata.category(before)[0], unicodedata.category(after or " ")[0])


def _symbol(char: str) -> bool:
    return char != "" and (unicodedata.category(char) in ("So", "Sm", "Sk") and char not in "<>=+|~^`")


def _emoji_ends(text: str, at: int) -> bool:
    """Whether an emoji, with its variation selector, ends before ``at``."""
    if text[at - 1] == "\ufe0f":
        at -= 1
    return at > 0 and _symbol(text[at - 1])


def _in_flag(text: str, at: int) -> bool:
    start = text.rfind("\U0001f3f4", max(0, at - 7), at)
    return start >= 0 and any(text.startswith(flag, start) and at < start + len(flag) for flag in _FLAGS)


class _Line:
    """The line around an offset, and what holds for all of it; found out once a line."""

    def __init__(self, text: str, at: int) -> None:
        end = text.find("\n", at)
        self.end = len(text) if end < 0 else end
        self._text = text
        self._start = text.rfind("\n", 0, at) + 1

    @cached_property
    def right_to_left(self) -> bool:
        """Whether it holds letters of a script written from right to left."""
        chars = self._text[self._start : self.end]
        return any(char.isalpha() and unicodedata.bidirectional(char) in ("R", "AL") for char in chars)

    @cached_property
    def isolates_close(self) -> bool:
        """Whether every isolate is closed in the line, and nothing is closed that was not opened."""
        depth = 0
        for char in self._text[self._start : self.end]:
            if char in "\u2066\u2067\u2068":
                depth += 1
            elif char == "\u2069":
                depth -= 1
                if depth < 0:
                    return False
        return depth == 0
