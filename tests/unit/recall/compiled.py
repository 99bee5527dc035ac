"""Cells compiled into a store in memory, for tests of what reads one."""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import UTC, datetime

from mneme.bridge.arrivals import Member
from mneme.bridge.compile import apply, compare
from mneme.config import Config
from mneme.format.parser import parse
from mneme.graph.store import StoreView, memory_store
from mneme.graph.view import Scope
from tests.conftest import ROOT

NOW = datetime(2026, 11, 25, tzinfo=UTC)


def compiled(text: str, scope: Scope = Scope(), *, backwards: bool = False) -> StoreView:  # noqa: B008 a value
    """Return the graph of the cells in ``text``; ``backwards``: written in the opposite order, one at a time."""
    members = [Member(cell, "x.mneme", place) for place, cell in enumerate(parse(text).cells)]
    store = memory_store()
    for part in [[member] for member in reversed(members)] if backwards else [members]:
        done = [*store.insights(), *(member.cell.id for member in part)]
        known = [member for member in members if member.cell.id in done]
        with store.transaction():
            apply(store, known, compare(store, known, Config()), Config(), now=NOW, files={})
    return store.view(scope)


def cases(name: str) -> Iterator[tuple[str, dict[str, str]]]:
    """Yield title and parts of the cases in tests/cases/recall."""
    text = (ROOT / "tests/cases/recall" / name).read_text(encoding="utf-8")
    for block in text.split("\n=== ")[1:]:
        title, _, rest = block.partition("\n")
        yield title, dict(re.findall(r"^--- ([\w ]+)\n(.*?)(?=^--- |\Z)", rest, re.MULTILINE | re.DOTALL))
