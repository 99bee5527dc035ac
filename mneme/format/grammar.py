"""The compiled grammar: Lark's LALR parser and terminals, built from ``grammar/mneme.lark``.

A parse depends on the kinds of lines only, and memory files hold few distinct sequences of kinds. So the automaton runs
once for each such shape and leaves a plan: what each line is. Cells of a known shape are read by their plan.

What a run compiled (expressions and plans) can be kept and handed to the next one, which then needs Lark only for a
shape it has not met. Such a memo never changes an answer: it is what this grammar compiles to.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator
from functools import cached_property
from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    from lark import Lark, Tree
    from lark.lexer import Token

Plan = tuple[str, ...]
"""For each line of a cell the grammar's rule, or the terminal where a rule has a strict and an odd one."""

Shape = tuple[str | None, ...]
"""For each line of a cell the name of its terminal."""

_WORD_LEVEL = ("NOTE", "WORD")

_ONE_TERMINAL = frozenset({"comment", "blank", "marker", "unknown", "ref", "origin"})
"""Rules with one terminal; the others have a strict and an odd one, and the plan names the terminal."""

_MOST_PLANS = 4096
"""How many shapes are remembered: far more than people write, and a bound for what machines do."""


class Memo(NamedTuple):
    """What a grammar was compiled to: three expressions, and the plans of the shapes met."""

    line: str
    word: str
    header: str
    plans: dict[Shape, Plan]


class Grammar:
    """Terminals as expressions, and the LALR parser for what they do not say."""

    def __init__(self, memo: Memo | None = None) -> None:
        self._expressions = memo or self._compile()
        self.line = re.compile(self._expressions.line)
        self.plans: dict[Shape, Plan] = dict(self._expressions.plans)
        self.head_here = re.compile(self._expressions.header)
        self.head_after_line = re.compile(f"\n(?={self._expressions.header})")

    @cached_property
    def word(self) -> re.Pattern[str]:
        """The words of an odd line, and the comment that may end it."""
        return re.compile(self._expressions.word)

    @property
    def memo(self) -> Memo:
        """What the next process may start from."""
        return self._expressions._replace(plans=self.plans)

    @cached_property
    def lark(self) -> Lark:
        """Lark's parser for the whole definition."""
        from importlib import resources

        from lark import Lark
        from lark.lexer import Lexer, Token

        class LineLexer(Lexer):
            """Lark's view of our lines: every terminal of the file level, strict ones first."""

            def __init__(self, conf: Any) -> None:
                self.line = re.compile(line_expression(conf.terminals))

            def lex(self, text: str) -> Iterator[Token]:  # type: ignore[override]
                for match in self.line.finditer(text):
                    yield Token(match.lastgroup or "", match[0], match.start())

        definition = (resources.files("mneme.grammar") / "mneme.lark").read_text(encoding="utf-8")
        lexer: Any = LineLexer
        return Lark(definition, parser="lalr", lexer=lexer, start=["file", "cell", "words"], keep_all_tokens=True)

    def plan(self, shape: Shape, text: str) -> Plan:
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
        if len(self.plans) < _MOST_PLANS:
            self.plans[shape] = plan
        return plan

    def _compile(self) -> Memo:
        terminals = self.lark.terminals
        by_name = {terminal.name: terminal for terminal in terminals}
        word = "|".join(_alternative(by_name[name]) for name in _WORD_LEVEL)
        return Memo(line_expression(terminals), word, by_name["HEADER_ODD"].pattern.to_regexp(), {})


def line_expression(terminals: Collection[Any]) -> str:
    """Return one expression that matches any line; the last group of a match is named after the terminal."""
    ordered = sorted(terminals, key=lambda terminal: -terminal.priority)
    return "|".join(_alternative(terminal) for terminal in ordered if terminal.name not in _WORD_LEVEL)


def _alternative(terminal: Any) -> str:
    # The last group to close is the outermost one: a match's lastgroup is the terminal, whatever groups it holds.
    return f"(?P<{terminal.name}>{terminal.pattern.to_regexp()})"


_current: list[Grammar] = []
_primed: list[Memo] = []


def the_grammar() -> Grammar:
    """Return the grammar, compiled once per process."""
    if not _current:
        _current.append(Grammar(*_primed))
    return _current[0]


def in_use() -> bool:
    """Tell whether anything was parsed yet: the grammar is not compiled before."""
    return bool(_current)


def prime(memo: Memo) -> None:
    """Use what an earlier process compiled, unless this one has begun already."""
    _primed[:] = [memo]
