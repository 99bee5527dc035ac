"""What tests of rules need: documents of cells, and settings on the fixed day."""

from __future__ import annotations

from datetime import date

from mneme.config import Config
from mneme.format.model import Document
from mneme.format.parser import parse
from mneme.lint.rule import Corpus, Rule, Settings
from tests.conftest import TODAY

SETTINGS = Settings(Config(), date.fromisoformat(TODAY))


def document(*cells: str, name: str = "project.mneme") -> Document:
    """Return a document of ``cells``."""
    return parse("\n".join(cells), name=name)


def told(rule: Rule, *documents: Document) -> list[str]:
    """Return the messages of a workspace rule."""
    assert rule.workspace_check is not None
    return [hit.message for hit in rule.workspace_check(Corpus(documents), SETTINGS)]
