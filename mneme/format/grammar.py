"""The compiled grammar: Lark's LALR parser and terminals, built from ``grammar/mneme.lark``.

A parse depends on the kinds of lines only, and memory files hold few distinct sequences of kinds. So the automaton runs
once for each such shape and leaves a plan: what each line is. Cells of a known shape are read by their plan.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator
from functools import cache
from importlib import resources
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from lark import Lark, Tree
    from lark.lexer import Token

Plan = tuple[str, ...]
"""For each line of a cell the grammar's rule, or the terminal where a rule has a strict and an odd one."""

_WORD_LEVEL = ("NOTE", "WORD")


def line_pattern(terminals: Collection[Any]) -> re.Pattern[str]:
    """Return one expression that matches any line; ``lastgroup`` is the terminal's name."""
    ordered = sorted(terminals, key=lambda terminal: -terminal.priority)
    return re.compile("|".join(_alternative(terminal) for terminal in ordered if terminal.name not in _WORD_LEVEL))


def _alternative(terminal: Any) -> str:
    # The trailing empty group makes the terminal's name the last group that closed, whatever groups it holds.
    return f"(?:{terminal.pattern.to_regexp()})(?P<{terminal.name}>)"


class Grammar:
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
        header = by_name["HEADER_ODD"].pattern.to_regexp()
        self.head_here = re.compile(header)
        self.head_after_line = re.compile(f"\n(?={header})")
        self.plans: dict[tuple[str | None, ...], tuple[str, ...]] = {}

    def plan(self, shape: tuple[str | None, ...], text: str) -> tuple[str, ...]:
        """Parse ``text``, whose lines are of the kinds ``shape``, and return what each of them is."""
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
        return plan


_ONE_TERMINAL = frozenset({"body", "comment", "blank", "marker", "unknown", "ref", "origin"})
"""Rules with one terminal; the others have a strict and an odd one, and the plan names the terminal."""


@cache
def the_grammar() -> Grammar:
    """Return the grammar, compiled once per process."""
    return Grammar()
