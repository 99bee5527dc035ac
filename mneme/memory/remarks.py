"""What lint will say of a cell that was just written, so that it is heard now; and whether it holds a secret."""

from __future__ import annotations

from datetime import date

from mneme.errors import MnemeError
from mneme.format.parser import parse
from mneme.lint.secrets import secrets_in
from mneme.memory.new_cell import Written
from mneme.workspace import Workspace

MOST = 3
"""So many remarks are made on one cell."""

_SAID_ELSEWHERE = frozenset({"secret", "unknown-relation"})
"""Rules whose findings the receipt tells anyway, and in more words."""


def secret_kinds(cell: Written) -> list[str]:
    """Return what kinds of published token formats a cell holds, each once, and never the tokens."""
    return list(dict.fromkeys(secret.kind for secret in secrets_in(cell.text)))


def remarks(workspace: Workspace, cell: Written, today: date) -> list[str]:
    """Return what the configured rules that look at one cell say of ``cell``, worst first, as ``rule: message``.

    Rules that hold cells against each other are not asked: they need all of them.
    """
    from mneme.lint.rule import Scope, Settings, Severity
    from mneme.lint.rules import RULES
    from mneme.lint.select import Selection, make_selection
    from mneme.lint.session import Session

    try:
        selection = make_selection(RULES, workspace.config)
    except MnemeError as error:  # the cell is written; lint itself will refuse
        return [error.message]
    rules = [rule for rule in selection.rules if rule.scope is Scope.CELL and rule.name not in _SAID_ELSEWHERE]
    session = Session(workspace, Selection(tuple(rules), selection.severities), Settings(workspace.config, today))
    found = session.lint([parse(cell.text, name=cell.file)]).findings
    order = [Severity.ERROR, Severity.WARNING]
    heard = sorted((one for one in found if one.severity in order), key=lambda one: order.index(one.severity))
    return list(dict.fromkeys(f"{one.name}: {one.message}" for one in heard))
