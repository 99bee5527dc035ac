"""Text to model. Lark's LALR parser, built from ``grammar/mneme.lark``, says what the lines of a cell are.

A parse depends on the kinds of lines only, and memory files hold few distinct sequences of kinds: the LALR automaton
runs once for each such shape, and cells of a known shape are read straight from the terminals' groups. Equal cell text
is parsed once per process. Nothing here raises for any text.
"""

from __future__ import annotations

import difflib
import re
from collections.abc import Callable, Iterable, Iterator
from functools import cache, lru_cache
from importlib import resources
from typing import TYPE_CHECKING, Any

from mneme.format import ids
from mneme.format.model import Cell, CellState, Document, Field, Link, Oddity
from mneme.format.vocabulary import BLANKS, LINE_KEYS, PAIR_KEYS
from mneme.text.source import BOM

if TYPE_CHECKING:
    from lark import Lark, Tree
    from lark.lexer import Token


def parse(text: str, *, name: str = "<text>") -> Document:
    """Return the cells of ``text``. Any text will do; what is wrong in it is found by the linter."""
    first = 1 if text.startswith(BOM) else 0
    heads = _head_finder()
    starts = [match.end() for match in heads.finditer(text, first)]
    if heads.at_start(text, first):
        starts.insert(0, first)
    ends = [*starts[1:], len(text)] if starts else []
    cells = tuple([parse_cell(text[start:end]) for start, end in zip(starts, ends, strict=True)])
    before = text[first : starts[0] if starts else len(text)]
    strays = _strays(before, first) if before else ()
    return Document(text, cells, tuple(starts), strays, name=name)


_known: dict[str, Cell] = {}
_KNOWN_LIMIT = 1 << 18


def prime(cells: Iterable[Cell]) -> None:
    """Take over cells parsed earlier, from a cache: their texts are not parsed again."""
    _known.update((cell.text, cell) for cell in cells)


def forget() -> None:
    """Drop every remembered parse."""
    _known.clear()


def parse_cell(text: str) -> Cell:
    """Return the cell that ``text`` is; it begins with a header line and holds no second one."""
    cell = _known.get(text)
    if cell is None:
        if len(_known) >= _KNOWN_LIMIT:
            _known.clear()
        cell = _known[text] = _parse_cell(text)
    return cell


def locate(text: str) -> tuple[Field, ...]:
    """Return the fields of the cell that ``text`` is, with their places."""
    grammar = _grammar()
    matches = list(grammar.line.finditer(text))
    builder = _Builder(text)
    builder.read(matches, grammar.plan(tuple([match.lastgroup for match in matches]), text))
    return tuple(builder.fields)


def _parse_cell(text: str) -> Cell:
    grammar = _grammar()
    matches = list(grammar.line.finditer(text))
    shape = tuple([match.lastgroup for match in matches])
    plan = grammar.plans.get(shape)
    if plan is None:
        plan = grammar.plan(shape, text)
    if plan in grammar.strict:
        return _strict_cell(text, matches, plan)
    builder = _Builder(text)
    builder.read(matches, plan)
    return builder.cell()


def _strict_cell(text: str, matches: list[re.Match[str]], plan: tuple[str, ...]) -> Cell:
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
        if kind == "body":
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
    return new(
        Cell, (text, cell_id, topic or "", gist, since or "", cues, tuple(body), (), tuple(links), status, ())
    )


def _body_value(body: str, line: str) -> str:
    """Return what a body line says: without the blank after ``>``, without blanks and line end behind."""
    if body[:1] == " ":
        body = body[1:]
    if body[-1:] == "\r" and line[-1:] == "\n":
        body = body[:-1]
    return body.rstrip(BLANKS)


_NO_STATE = CellState()
_STRICT_ONCE = frozenset({"HEADER", "GIST", "PAIRS"})
_STRICT_KINDS = _STRICT_ONCE | {"CUE", "LINK", "body", "comment", "blank"}


def _is_strict(plan: tuple[str, ...]) -> bool:
    return _STRICT_KINDS.issuperset(plan) and all(plan.count(kind) <= 1 for kind in _STRICT_ONCE)


class _Builder:
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
        get = self.values.get
        return Cell(
            self.text, get("id", ""), get("topic", ""), get("gist", ""), get("since", ""), tuple(self.cues),
            tuple(self.body), tuple(self.origin), tuple(self.links),
            CellState(
                get("state", ""), get("conf", ""), get("seen", ""), get("imp", ""), get("hot", ""), tuple(self.refs)
            ),
            tuple(self.oddities),
        )  # fmt: skip

    def read(self, matches: list[re.Match[str]], plan: tuple[str, ...]) -> None:
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
        value = _body_value(match["body"], match[0])
        start = match.start("body") + match["body"].startswith(" ")
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
                self.oddities.append(Oddity("unknown-token", word_start, word_end, word))
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
        self.oddities.append(_unknown_line(self.text, *self._line(match)))

    # --- parts ------------------------------------------------------------------------------------------

    def _twice(self, name: str, start: int, end: int) -> None:
        if self.values[name] != self.text[start:end]:
            self.oddities.append(Oddity("duplicate-field", start, end, name))

    def _line(self, match: re.Match[str]) -> tuple[int, int]:
        return _content(self.text, match.start(), match.end())

    def _words(self, start: int, end: int, *, notes: bool = True, indent: bool = True) -> list[tuple[int, int]]:
        """Spans of the words of ``text[start:end]``; a trailing comment is told and left out, odd blanks are told."""
        text = self.text
        if indent and text[start] in BLANKS:
            first = len(text[start:end]) - len(text[start:end].lstrip(BLANKS))
            self.oddities.append(Oddity("indented-key", start, start + first))
        spans: list[tuple[int, int]] = []
        for match in _grammar().word.finditer(text, start, end):
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
        text = self.text
        if not text.isascii():
            self.oddities += [
                Oddity("odd-blank", at, at + 1) for at in range(start, end) if text[at] in BLANKS and text[at] not in " \t"
            ]

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
_ODD: dict[str, Callable[[_Builder, re.Match[str]], None]] = {
    "body": _Builder._body,  # noqa: SLF001
    "HEADER_ODD": _Builder._odd_header,  # noqa: SLF001
    "GIST_ODD": _Builder._odd_gist,  # noqa: SLF001
    "PAIRS_ODD": _Builder._odd_pairs,  # noqa: SLF001
    "CUE_ODD": _Builder._odd_cue,  # noqa: SLF001
    "LINK_ODD": _Builder._odd_link,  # noqa: SLF001
    "ref": _Builder._ref,  # noqa: SLF001
    "origin": _Builder._origin,  # noqa: SLF001
    "marker": _Builder._marker,  # noqa: SLF001
    "unknown": _Builder._unknown,  # noqa: SLF001
}
_NOT_BLANK = f"[^{BLANKS}]+"


# --- the grammar -------------------------------------------------------------------------------------------


_WORD_LEVEL = ("NOTE", "WORD")


def line_pattern(terminals: list[Any]) -> re.Pattern[str]:
    """Return one expression that matches any line; ``lastgroup`` is the terminal's name."""
    ordered = sorted(terminals, key=lambda terminal: -terminal.priority)
    return re.compile("|".join(_alternative(terminal) for terminal in ordered if terminal.name not in _WORD_LEVEL))


def _alternative(terminal: Any) -> str:
    # The trailing empty group makes the terminal's name the last group that closed, whatever groups it holds.
    return f"(?:{terminal.pattern.to_regexp()})(?P<{terminal.name}>)"


class _Grammar:
    """The compiled grammar: Lark's parser, the terminals' expressions, and the plans of the shapes met so far."""

    def __init__(self) -> None:
        from lark import Lark
        from lark.lexer import Lexer, Token

        class LineLexer(Lexer):
            """Lark's view of our lines: every terminal of the file level, strict ones first."""

            def __init__(self, conf: Any) -> None:
                self.line = line_pattern(conf.terminals)

            def lex(self, text: str) -> Iterator[Token]:  # type: ignore[override]
                for match in self.line.finditer(text):
                    yield Token(match.lastgroup or "", match[0], match.start())

        definition = (resources.files("mneme.grammar") / "mneme.lark").read_text(encoding="utf-8")
        lexer: Any = LineLexer
        self.lark: Lark = Lark(
            definition, parser="lalr", lexer=lexer, start=["file", "cell", "words"], keep_all_tokens=True
        )
        by_name = {terminal.name: terminal for terminal in self.lark.terminals}
        self.line = line_pattern(self.lark.terminals)
        self.word = re.compile("|".join(_alternative(by_name[name]) for name in _WORD_LEVEL))
        self.header = by_name["HEADER_ODD"].pattern.to_regexp()
        self.plans: dict[tuple[str | None, ...], tuple[str, ...]] = {}
        self.strict: set[tuple[str, ...]] = set()

    def plan(self, shape: tuple[str | None, ...], text: str) -> tuple[str, ...]:
        """Parse ``text`` and return what each of its lines is: the rule's name, or the terminal's where there are two."""
        known = self.plans.get(shape)
        if known is not None:
            return known
        tree: Tree[Token] = self.lark.parse(text, start="cell")
        kinds: list[str] = []
        for child in tree.children:
            token = child if isinstance(child, str) else child.children[0]
            terminal: str = token.type  # type: ignore[union-attr]
            rule = "" if isinstance(child, str) else str(child.data)
            kinds.append(rule if rule in _ONE_TERMINAL else terminal)
        plan = tuple(kinds)
        self.plans[shape] = plan
        if _is_strict(plan):
            self.strict.add(plan)
        return plan


_ONE_TERMINAL = frozenset({"body", "comment", "blank", "marker", "unknown", "ref", "origin"})
"""Rules with one terminal; the others have a strict and an odd one, and the plan names the terminal."""


@cache
def _grammar() -> _Grammar:
    return _Grammar()


class _HeadFinder:
    """Finds where cells begin."""

    def __init__(self, header: str) -> None:
        self._after_line = re.compile(f"\n(?={header})")
        self._here = re.compile(header)
        self.finditer = self._after_line.finditer

    def at_start(self, text: str, first: int) -> bool:
        return self._here.match(text, first) is not None


@cache
def _head_finder() -> _HeadFinder:
    return _HeadFinder(_grammar().header)


# --- lines outside cells, and helpers ----------------------------------------------------------------------


def _strays(before: str, offset: int) -> tuple[Oddity, ...]:
    """What stands before the first cell and is neither blank nor a comment."""
    found = []
    for match in _grammar().line.finditer(before):
        if match.lastgroup in ("BLANK", "COMMENT"):
            continue
        start, end = _content(before, match.start(), match.end())
        if match.lastgroup == "MARKER":
            found.append(Oddity("conflict-marker", start + offset, end + offset))
        elif match.lastgroup == "UNKNOWN" and (detail := _slip(before[start:end])):
            found.append(Oddity("unknown-line", start + offset, end + offset, detail))
        else:
            found.append(Oddity("text-outside-cell", start + offset, end + offset))
    return tuple(found)


def _content(text: str, start: int, end: int) -> tuple[int, int]:
    """Trim the line end, and the blanks before it, off ``text[start:end]``."""
    if end > start and text[end - 1] == "\n":
        end -= 1
        if end > start and text[end - 1] == "\r":
            end -= 1
    while end > start + 1 and text[end - 1] in BLANKS:
        end -= 1
    return start, end


def _unknown_line(text: str, start: int, end: int) -> Oddity:
    return Oddity("unknown-line", start, end, _slip(text[start:end]))


_FULL_WIDTH = {"\uff20": "@", "\uff1e": ">", "\uff03": "#"}


@lru_cache(maxsize=4096)
def _slip(line: str) -> str:
    """Return the line head that was probably meant by an unrecognised ``line``, or nothing.

    ``@``, ``>`` or ``#`` for their full-width forms or when indented; a key for wrong case, a colon, a near miss.
    """
    bare = line.lstrip(BLANKS)
    if not bare:
        return ""
    if bare[0] in _FULL_WIDTH:
        return _FULL_WIDTH[bare[0]]
    if bare[0] in ">#" and bare != line:
        return bare[0]
    if bare[0] == "@" and bare != line and ids.ID.match(bare[1:].lstrip(BLANKS)):
        return "@"
    word = re.split(f"[{BLANKS}:\uff1a]", bare, maxsplit=1)[0]
    glued = bare[len(word) : len(word) + 1] in (":", "\uff1a")
    folded = word.casefold()
    if folded in LINE_KEYS:
        return folded
    if glued and folded not in LINE_KEYS and len(folded) < 3:
        return ""
    near = difflib.get_close_matches(folded, LINE_KEYS, 1, 0.75)
    return near[0] if near and len(word) <= 8 and len(word) > 2 else ""


def split_cues(text: str) -> list[str]:
    """Split a cue line: at commas and at slashes between blanks; when there are none, at every slash."""
    if " / " in text and not _COMMAS.search(text):  # the usual form, fast
        parts = text.split(" / ")
        if "/ " not in text.replace(" / ", "") and "\t" not in text:
            return [stripped for part in parts if (stripped := part.strip(BLANKS))]
    parts = _CUE_BREAK.split(text)
    if len(parts) == 1:
        parts = text.split("/")
    return [stripped for part in parts if (stripped := part.strip(BLANKS))]


_COMMAS = re.compile("[,\uff0c\u3001]")
_CUE_BREAK = re.compile(f"[,\uff0c\u3001]|(?<=[{BLANKS}])/(?=[{BLANKS}])")
