"""Reading a store that never answers from old text: what changed since the last compile is laid over it in memory."""

from __future__ import annotations

from collections.abc import Callable
from datetime import date, datetime
from pathlib import Path
from typing import NamedTuple, TypeVar

from mneme.bridge.bound import BoundStore
from mneme.bridge.compile import Delta, against, apply, compare, sound
from mneme.bridge.mapping import fingerprint
from mneme.bridge.structure import structural
from mneme.bridge.text import Text, remembered
from mneme.errors import UsageError
from mneme.graph.store import NoSuchStore, Reader, Store, memory_copy, memory_store, read

Result = TypeVar("Result")


class Standing(NamedTuple):
    """How the store stood to the text when it was read, and what could not be taken from the text."""

    delta: Delta | None = None
    missing: bool = False
    elsewhere: str = ""
    refused: tuple[str, ...] = ()

    @property
    def behind(self) -> int:
        """How many cells the store is behind the text."""
        return self.delta.behind if self.delta else 0


class Sound(NamedTuple):
    """The files that can be compiled, and one line for each that cannot."""

    text: Text
    refused: tuple[str, ...]


def reading(
    bound: BoundStore, work: Callable[[Reader], Result], *, today: date, now: datetime
) -> tuple[Result, Standing]:
    """Return ``work(store)`` on the store as the text has it, and how the store itself stood. Nothing is written.

    ``work`` may run more than once, and what it returns must not lean on the store.

    Raises:
        NoSuchStore: it is named by its file and does not exist.
        UsageError: it is named, does not exist, and there is no text for it.
        StoreError: it cannot be read.
    """

    def attempt(reader: Reader) -> tuple[Result | None, Text | None, str]:
        if elsewhere := bound.belongs_elsewhere(reader):
            return None, _text(bound, None), elsewhere
        if not bound.has_text(reader):
            return work(reader), None, ""
        files = existing(bound.files(reader))
        as_compiled = (
            reader.meta("mapping") == fingerprint(bound.workspace.config) and not reader.touched(), reader.files()
        )  # fmt: skip
        if (True, remembered(bound.root(reader), files)) == as_compiled:
            return work(reader), None, ""
        text = Text.read(bound.workspace, files, root=bound.root(reader))
        fresh = not text.unreadable and (True, text.digests) == as_compiled
        return (work(reader), None, "") if fresh else (None, text, "")

    try:
        result, text, elsewhere = read(bound.path, attempt)
    except NoSuchStore:
        if not bound.name:
            raise
        if not bound.has_text(None):
            raise UsageError(f"there is no store {bound.name}", "mneme store list names those there are") from None
        with memory_store() as store:
            return _laid_over(bound, store, _text(bound, None), work, today, now, Standing(missing=True))
    if text is None:
        return result, Standing()  # type: ignore[return-value]
    if elsewhere:
        with memory_store() as store:
            return _laid_over(bound, store, text, work, today, now, Standing(elsewhere=elsewhere))
    with memory_copy(bound.path) as store:
        return _laid_over(bound, store, text, work, today, now, Standing())


def _laid_over(
    bound: BoundStore, store: Store, text: Text, work: Callable[[Reader], Result], today: date, now: datetime,
    standing: Standing,
) -> tuple[Result, Standing]:  # fmt: skip
    taken = Sound(text, ()) if sound(store, text) else without_refused(text, today)
    with store.transaction():
        members, stood = against(store, taken.text)
        delta = compare(store, members, bound.workspace.config, stood)
        apply(store, members, delta, bound.workspace.config, now=now, files=taken.text.digests)
    return work(store), standing._replace(delta=delta, refused=taken.refused)


def _text(bound: BoundStore, reader: Reader | None) -> Text:
    return Text.read(bound.workspace, existing(bound.files(reader)), root=bound.root(reader))


def existing(paths: list[Path]) -> list[Path]:
    """Return the paths that are there: a file that is gone holds no cells any more."""
    return [path for path in paths if path.exists() or path.is_symlink()]


def without_refused(text: Text, today: date) -> Sound:
    """Return the text without the files that have structural errors; each of those is named with its first error."""
    refused: dict[str, str] = {}
    while True:
        report = structural(text.documents, text.unreadable, today)
        if report is None:
            return Sound(text, tuple(refused.values()))
        for finding in report.findings:
            refused.setdefault(finding.path, f"{finding.path}:{finding.line}:{finding.column}: {finding.message}")
        text = text.without({finding.path for finding in report.findings})
