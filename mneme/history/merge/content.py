"""Whether a side kept a cell's content, by the kinds of lines that hold it."""

from __future__ import annotations

from collections.abc import Sequence

from mneme.format.edits import link_key
from mneme.format.model import Cell, Link
from mneme.history.content import CONTENT, content, is_repair
from mneme.history.notes import REDACTED, notes

_LINE_OF = {"topic": "header", "since": "pairs"}
"""The kind of line that holds a field, where it is not called like the field."""


def same_content(one: Cell, two: Cell) -> bool:
    """Whether two cells have equal content, whatever their IDs, states and links."""
    return (
        one.gist == two.gist and one.since == two.since and one.cue_lines == two.cue_lines
        and one.body == two.body and one.topic == two.topic and one.origin == two.origin
    ) or not differing(one, two)  # fmt: skip


def differing(one: Cell, two: Cell) -> frozenset[str]:
    """Return the kinds of lines whose content is not the same in two cells."""
    return frozenset(_LINE_OF.get(name, name) for name in CONTENT if content(one, name) != content(two, name))


def violated(base: Cell, side: Cell) -> frozenset[str]:
    """Return the kinds of lines (``header``, ``gist``, ``pairs`` for since, …) whose content ``side`` edited.

    Filling in what was missing or could not be read is no edit, and neither is a redaction. Links may only grow.
    """
    if base is side:
        return frozenset()
    edited = {_LINE_OF.get(name, name) for name in CONTENT if not _is_legal(base, side, name)}
    if not links_kept(base.links, side.links):
        edited.add("link")
    return frozenset(edited)


def _is_legal(base: Cell, side: Cell, name: str) -> bool:
    before, after = content(base, name), content(side, name)
    return before == after or _is_redaction(side, name, after) or is_repair(base, name, before, after)


def _is_redaction(side: Cell, name: str, values: tuple[str, ...]) -> bool:
    """Whether ``mneme redact`` blanked a field. Of what, the note says; the base may be older than that."""
    return set(values) == {REDACTED} and any(note.what == "redacted" and name in note.names for note in notes(side))


def links_kept(before: Sequence[Link], after: Sequence[Link]) -> bool:
    """Whether every link is still there; its weight may be another."""
    return before == after or {link_key(link) for link in before} <= {link_key(link) for link in after}
