"""Lines to a cell: strict lines straight from their terminal's groups, tolerated ones word by word."""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import lru_cache

from mneme.format import ids
from mneme.format.grammar import Plan, the_grammar
from mneme.format.model import Cell, CellState, Field, Link, Oddity
from mneme.format.slips import judge, judge_word
from mneme.format.vocabulary import BLANKS, PAIR_KEYS


def strict_cell(text: str, matches: list[re.Match[str]], plan: Plan) -> Cell:
    """Read a cell whose every line is in strict form and comes once: the common case, without looking for places."""
    new = tuple.__new__
    topic: str | None = ""
    gist = ""
    since: str | None = ""
    status = _NO_STATE
    cues: tuple[str, ...] = ()
    body: list[str] = []
    links: list[Link] = []
    for match, kind in zip(matches, plan, strict=True):
        if kind == "BODY":
            body.append(_body_value(match["body"], match[0]))
        elif kind == "GIST":
            gist = match["gist"]
        elif kind == "PAIRS":
            state, conf, since, seen, imp, hot = match.group("state", "conf", "since", "seen", "imp", "hot")
            status = new(CellState, (state, conf or "", seen or "", imp or "", hot or "", ()))
        elif kind == "CUE":
            cues = (*cues, match["cue"])
        elif kind == "HEADER":
            cell_id, topic = match.group("id", "topic")
        elif kind == "LINK":
            links.append(new(Link, (match["rel"], match["target"], ())))
    return new(Cell, (text, cell_id, topic or "", gist, since or "", cues, tuple(body), (), tuple(links), status, ()))


def _body_value(body: str, line: str) -> str:
    """Return what a body line says: ``body``, the end of ``line``, without blanks and line end behind."""
    if body[-1:] == "\r" and line[-1:] == "\n":
        body = body[:-1]
    return body.rstrip(BLANKS)


_NO_STATE = CellState()
_STRICT_ONCE = frozenset({"HEADER", "GIST", "PAIRS"})
_STRICT_KINDS = _STRICT_ONCE | {"CUE", "LINK", "BODY", "comment", "blank"}


@lru_cache(maxsize=4096)
def is_strict(plan: Plan) -> bool:
    """Whether every line of ``plan`` is in strict form, and head, gist and state line come once at most."""
    return _STRICT_KINDS.issuperset(plan) and all(plan.count(kind) <= 1 for kind in _STRICT_ONCE)


class CellReader:
    """Collects one cell from its lines."""

    __slots__ = ("body", "cues", "fields", "links", "oddities", "origin", "refs", "text", "values")

    def __init__(self, text: str) -> None:
        self.text = text
        self.values: dict[str, str] = {}
        self.fields: list[Field] = []
        self.oddities: list[Oddity] = []
        self.cues: list[str] = []
        self.body: list[str] = []
        self.links: list[Link] = []
        self.refs: list[str] = []
        self.origin: list[str] = []

    def cell(self) -> Cell:
        """Return what was collected."""
        get = self.values.get
        return Cell(
            self.text, get("id", ""), get("topic", ""), get("gist", ""), get("since", ""), tuple(self.cues),
            tuple(self.body), tuple(self.origin), tuple(self.links),
            CellState(
                get("state", ""), get("conf", ""), get("seen", ""), get("imp", ""), get("hot", ""), tuple(self.refs)
            ),
            tuple(self.oddities),
        )  # fmt: skip

    def read(self, matches: list[re.Match[str]], plan: Plan) -> None:
        """Take in every line: values, places, oddities."""
        fields, values = self.fields, self.values
        for match, kind in zip(matches, plan, strict=True):
            line = match.start()
            if kind in _STRICT:
                for group in _STRICT[kind]:
                    start, end = match.span(group)
                    if start >= 0:
                        if group in values:
                            self._twice(group, start, end)
                        values[group] = self.text[start:end]
                        fields.append(Field(group, line, start, end))
            elif kind == "CUE":
                start, end = match.span("cue")
                self.cues.append(self.text[start:end])
                fields.append(Field("cue", line, start, end))
            elif kind == "LINK":
                self.links.append(Link(match["rel"], match["target"]))
                fields.append(Field("link", line, match.start("rel"), match.end("target")))
            elif kind not in ("blank", "comment"):
                _ODD[kind](self, match)

    # --- one method a kind of line -------------------------------------------------------------------

    def _body(self, match: re.Match[str]) -> None:
        start = match.start("body")
        value = _body_value(match["body"], match[0])
        self.body.append(value)
        self.fields.append(Field("body", match.start(), start, start + len(value)))

    def _odd_body(self, match: re.Match[str]) -> None:
        """A body line whose one blank after ``>`` is neither space nor tab."""
        start = match.start() + 2
        value = _body_value(match[0].rstrip("\n")[2:], match[0])
        self._odd_blanks(start - 1, start)
        self.body.append(value)
        self.fields.append(Field("body", match.start(), start, start + len(value)))

    def _odd_header(self, match: re.Match[str]) -> None:
        start, end = self._line(match)
        words = self._words(start + 1, end, indent=False)
        glued = end > start + 1 and self.text[start + 1] not in BLANKS
        if glued or not words:
            self.oddities.append(Oddity("malformed-header", start, end))
        for field_name, (word_start, word_end) in zip(("id", "topic"), words, strict=False):
            self.values[field_name] = self.text[word_start:word_end]
            self.fields.append(Field(field_name, start, word_start, word_end))
        if words and not ids.is_id(token := self.values["id"]):
            name = "look-alike-id" if ids.looks_like_id(token) else "malformed-id"
            self.oddities.append(Oddity(name, *words[0], token))
        if len(words) > 2:
            self.oddities.append(Oddity("extra-header-token", words[2][0], words[-1][1]))

    def _odd_text(self, match: re.Match[str], name: str) -> None:
        start, end = self._keyed_text(match)
        if name == "cue":
            if start < end:
                self.cues.append(self.text[start:end])
        else:
            if name in self.values:
                self._twice(name, start, end)
            self.values[name] = self.text[start:end]
        self.fields.append(Field(name, match.start(), start, end))

    def _odd_gist(self, match: re.Match[str]) -> None:
        self._odd_text(match, "gist")

    def _odd_cue(self, match: re.Match[str]) -> None:
        self._odd_text(match, "cue")

    def _odd_pairs(self, match: re.Match[str]) -> None:
        start, end = self._line(match)
        words = self._words(start, end)
        index = 0
        while index < len(words):
            word_start, word_end = words[index]
            word = self.text[word_start:word_end]
            index += 1
            if word not in PAIR_KEYS:
                following = self.text[slice(*words[index])] if index < len(words) else ""
                index += self._odd_word(word_start, word_end, "" if following in PAIR_KEYS else following)
                continue
            if index == len(words):
                self.oddities.append(Oddity("unknown-token", word_start, word_end, word))
                continue
            value_start, value_end = words[index]
            index += 1
            if word in self.values:
                self._twice(word, value_start, value_end)
            self.values[word] = self.text[value_start:value_end]
            self.fields.append(Field(word, start, value_start, value_end))

    def _odd_word(self, start: int, end: int, following: str) -> bool:
        """Tell of an unknown word on a state line; return whether the word after it is its value."""
        key, length, taken = judge_word(self.text[start:end], following)
        last = self.oddities[-1] if self.oddities else None
        if length:
            self.oddities.append(Oddity("key-slip", start, start + length, key))
        elif last and last.name == "unknown-token" and not self.text[last.end : start].strip(BLANKS):
            self.oddities[-1] = last._replace(end=end)
        else:
            self.oddities.append(Oddity("unknown-token", start, end, key))
        return taken

    def _odd_link(self, match: re.Match[str]) -> None:
        start, end = self._line(match)
        words = self._words(start, end)
        values = [self.text[a:b] for a, b in words]
        if len(words) < 3:
            self.oddities.append(Oddity("incomplete-link", start, end))
            return
        rest = values[3:]
        attributes = tuple(zip(rest[::2], rest[1::2], strict=False))
        if len(rest) % 2:
            self.oddities.append(Oddity("unknown-token", *words[-1], values[-1]))
        self.links.append(Link(values[1], values[2], attributes))
        self.fields.append(Field("link", start, words[1][0], words[-1][1]))

    def _ref(self, match: re.Match[str]) -> None:
        self.refs += self._word_list(match, "ref")

    def _origin(self, match: re.Match[str]) -> None:
        self.origin += self._word_list(match, "origin")

    def _marker(self, match: re.Match[str]) -> None:
        self.oddities.append(Oddity("conflict-marker", *self._line(match)))

    def _unknown(self, match: re.Match[str]) -> None:
        self.oddities.append(unknown_line(self.text, *self._line(match)))

    # --- parts ------------------------------------------------------------------------------------------

    def _twice(self, name: str, start: int, end: int) -> None:
        if self.values[name] != self.text[start:end]:
            self.oddities.append(Oddity("duplicate-field", start, end, name))

    def _line(self, match: re.Match[str]) -> tuple[int, int]:
        return line_content(self.text, match.start(), match.end())

    def _words(self, start: int, end: int, *, notes: bool = True, indent: bool = True) -> list[tuple[int, int]]:
        """Spans of the words of ``text[start:end]``; a trailing comment is told and left out, odd blanks are told."""
        text = self.text
        if indent and text[start] in BLANKS:
            first = len(text[start:end]) - len(text[start:end].lstrip(BLANKS))
            self.oddities.append(Oddity("indented-key", start, start + first))
        spans: list[tuple[int, int]] = []
        for match in the_grammar().word.finditer(text, start, end):
            if match.lastgroup == "NOTE" and notes:
                self.oddities.append(Oddity("trailing-comment", *match.span(), match[0]))
                end = match.start()
                break
            if match.lastgroup == "NOTE":
                spans += [
                    (match.start() + inner.start(), match.start() + inner.end())
                    for inner in re.finditer(_NOT_BLANK, match[0])
                ]
                break
            spans.append(match.span())
        self._odd_blanks(start, end)
        return spans

    def _odd_blanks(self, start: int, end: int) -> None:
        """Tell of the blanks between ``start`` and ``end`` that are neither space nor tab: one oddity for them all."""
        text = self.text
        if text.isascii():
            return
        odd = [at for at in range(start, end) if text[at] in BLANKS and text[at] not in " \t"]
        if odd:
            self.oddities.append(Oddity("odd-blank", odd[0], odd[-1] + 1))

    def _keyed_text(self, match: re.Match[str]) -> tuple[int, int]:
        """Start and end of the text of a line that is a key and free text: gist and cue."""
        line_start, end = self._line(match)
        key = line_start
        while self.text[key] in BLANKS:
            key += 1
        start = key
        while start < end and self.text[start] not in BLANKS:
            start += 1
        while start < end and self.text[start] in BLANKS:
            start += 1
        if key > line_start:
            self.oddities.append(Oddity("indented-key", line_start, key))
        self._odd_blanks(line_start, start)
        end = start + len(self.text[start:end].rstrip(BLANKS))
        return start, end

    def _word_list(self, match: re.Match[str], name: str) -> list[str]:
        start, end = self._line(match)
        words = self._words(start, end, notes=False)
        if len(words) > 1:
            self.fields.append(Field(name, start, words[1][0], words[-1][1]))
        return [self.text[a:b] for a, b in words[1:]]


_STRICT: dict[str, tuple[str, ...]] = {
    "HEADER": ("id", "topic"),
    "GIST": ("gist",),
    "PAIRS": ("state", "conf", "since", "seen", "imp", "hot"),
}
_ODD: dict[str, Callable[[CellReader, re.Match[str]], None]] = {
    "BODY": CellReader._body,
    "BODY_ODD": CellReader._odd_body,
    "HEADER_ODD": CellReader._odd_header,
    "GIST_ODD": CellReader._odd_gist,
    "PAIRS_ODD": CellReader._odd_pairs,
    "CUE_ODD": CellReader._odd_cue,
    "LINK_ODD": CellReader._odd_link,
    "ref": CellReader._ref,
    "origin": CellReader._origin,
    "marker": CellReader._marker,
    "unknown": CellReader._unknown,
}
_NOT_BLANK = f"[^{BLANKS}]+"


def line_content(text: str, start: int, end: int) -> tuple[int, int]:
    """Trim the line end, and the blanks before it, off ``text[start:end]``."""
    if end > start and text[end - 1] == "\n":
        end -= 1
        if end > start and text[end - 1] == "\r":
            end -= 1
    while end > start + 1 and text[end - 1] in BLANKS:
        end -= 1
    return start, end


def unknown_line(text: str, start: int, end: int) -> Oddity:
    """Return the oddity of a line that no rule matches. Its detail is the line head that was probably meant."""
    found = judge(text[start:end])
    if found.rule == "unknown-line":
        return Oddity(found.rule, start, end, found.head)
    return Oddity(found.rule, start, start + found.end, found.head)
