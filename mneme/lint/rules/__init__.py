"""The rules, one file a rule or a tight family. This tuple is the whole list: adding a rule adds a line here."""

from __future__ import annotations

from mneme.lint.rule import Rule
from mneme.lint.rules.duplicate_id import DUPLICATE_ID
from mneme.lint.rules.overdue import OVERDUE
from mneme.lint.rules.suppression import UNKNOWN_SUPPRESSION, UNUSED_SUPPRESSION
from mneme.lint.rules.unreadable import UNREADABLE_FILE

RULES: tuple[Rule, ...] = (
    UNREADABLE_FILE,
    DUPLICATE_ID,
    OVERDUE,
    UNUSED_SUPPRESSION,
    UNKNOWN_SUPPRESSION,
)
