"""JSON with comments and trailing commas, read with the place of everything. Knows no file's meaning.

Settings files of programs are JSON with comments more often than JSON. They are changed by patches
(:mod:`mneme.text.jsonc_edit`), so what is needed of a parser is where things are; comments and blanks stay in the text.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, Any

from mneme.errors import UnreadableFile
from mneme.text.source import LineIndex

if TYPE_CHECKING:
    from lark import Lark, Token

BLANKS = " \t\r\n"

_GRAMMAR = r"""
?start: value
?value: object | array | STRING -> string | NUMBER -> number | TRUE -> true | FALSE -> false | NULL -> null
object: LBRACE [member (COMMA member)* COMMA?] RBRACE
member: STRING ":" value
array: LSQB [value (COMMA value)* COMMA?] RSQB

LBRACE: "{"
RBRACE: "}"
LSQB: "["
RSQB: "]"
COMMA: ","
TRUE: "true"
FALSE: "false"
NULL: "null"
STRING: /"(?:[^"\\\x00-\x1f]|\\(?:["\\\/bfnrt]|u[0-9a-fA-F]{4}))*"/
NUMBER: /-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?/
BLANK: /[ \t\r\n]+/
LINE_COMMENT: /\/\/[^\r\n]*/
BLOCK_COMMENT: /\/\*(?:[^*]|\*(?!\/))*\*\//
BOM: /\A\ufeff/
%ignore BOM
%ignore BLANK
%ignore LINE_COMMENT
%ignore BLOCK_COMMENT
"""


@dataclass(frozen=True, slots=True)
class Node:
    """A value: ``text[start:end]``, offsets in characters from 0, and what it means in Python (numbers as floats)."""

    start: int
    end: int
    data: Any


@dataclass(frozen=True, slots=True)
class Member:
    """One ``"key": value`` of an object."""

    start: int
    end: int
    key: str
    value: Node


@dataclass(frozen=True, slots=True)
class Container(Node):
    """An object (of :class:`Member`) or an array (of :class:`Node`), with the offsets of its own commas."""

    items: tuple[Any, ...]
    commas: tuple[int, ...]

    def member(self, key: str) -> Member | None:
        """Return the member called ``key``; of several, the last, which is the one that counts."""
        found = (item for item in reversed(self.items) if isinstance(item, Member) and item.key == key)
        return next(found, None)


def parse(text: str, name: str = "<text>") -> Node:
    """Return the value that ``text`` holds; a BOM before it is skipped.

    Raises:
        UnreadableFile: the text is not JSON, comments and trailing commas allowed; says where.
    """
    from lark.exceptions import UnexpectedInput

    try:
        root: Any = _parser().parse(text)
    except UnexpectedInput as error:
        at = error.pos_in_stream
        offset = len(text) if at is None or at < 0 or _at_end(error) else at
        line, column = LineIndex(text).position(offset)
        raise UnreadableFile(name, _reason(text[offset : offset + 1]), line=line, column=column) from None
    assert isinstance(root, Node)
    return root


def _at_end(error: Exception) -> bool:
    return getattr(getattr(error, "token", None), "type", "") == "$END"


def _reason(found: str) -> str:
    return f"not valid JSON: {found!r} is not expected here" if found else "not valid JSON: the text ends too early"


@cache
def _parser() -> Lark:
    from lark import Lark, Token, Transformer

    def span(token: Token) -> tuple[int, int]:
        assert token.start_pos is not None
        assert token.end_pos is not None
        return token.start_pos, token.end_pos

    def constant(value: object) -> Any:
        return lambda _self, tokens: Node(*span(tokens[0]), value)

    class Build(Transformer[Token, Node]):
        """Makes nodes bottom-up while the parser runs, so nesting costs no recursion."""

        true, false, null = constant(True), constant(False), constant(None)

        def string(self, tokens: Sequence[Token]) -> Node:
            return Node(*span(tokens[0]), json.loads(tokens[0]))

        def number(self, tokens: Sequence[Token]) -> Node:
            return Node(*span(tokens[0]), float(tokens[0]))

        def member(self, parts: Sequence[Any]) -> Member:
            key, value = parts
            return Member(key.start_pos, value.end, json.loads(key), value)

        def array(self, parts: Sequence[Any]) -> Container:
            return self._container(parts, lambda items: [item.data for item in items])

        def object(self, parts: Sequence[Any]) -> Container:
            return self._container(parts, lambda items: {item.key: item.value.data for item in items})

        @staticmethod
        def _container(parts: Sequence[Any], data: Any) -> Container:
            items = tuple(part for part in parts if isinstance(part, Node | Member))
            commas = tuple(part.start_pos for part in parts if getattr(part, "type", "") == "COMMA")
            return Container(parts[0].start_pos, parts[-1].end_pos, data(items), items, commas)

    return Lark(_GRAMMAR, parser="lalr", lexer="contextual", transformer=Build())
