"""Live cells that disagree: which one the protocol says holds, and the commands that settle it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple

from mneme.format.conflict import strongest
from mneme.format.ids import is_id
from mneme.format.model import Cell, Document, Placed
from mneme.format.vocabulary import DEFAULT_CONFIDENCE
from mneme.lint.conceal import printable
from mneme.lint.rule import Corpus
from mneme.lint.rules.contradiction import contradictions, difference
from mneme.lint.rules.forked_supersession import forks
from mneme.lint.session import Session
from mneme.memory.new_cell import line_of
from mneme.text.visible import visible

FORK = "forked-supersession"
CONTRADICTION = "contradiction"
RULES = (FORK, CONTRADICTION)
"""The lint rules that find conflicts, which are the kinds of conflicts there are."""


class Choice(NamedTuple):
    """One way to settle a conflict: which cell holds, and the commands by which the others give way to it."""

    keep: Cell
    commands: tuple[str, ...]


class Conflict(NamedTuple):
    """Live cells that disagree.

    ``about``: the ID of the cell that all of them supersede, or their topic. ``winner``: the one that confidence and
    date decide for, and ``reason`` which of the two did; None on a tie. ``choices``: the winner's alone, on a tie one
    for each cell that is level with the first. Where an ID must be repaired first there are none, and ``obstacle``
    says so.
    """

    kind: str
    about: str
    what: str
    cells: tuple[Placed, ...]
    winner: Cell | None
    reason: str
    choices: tuple[Choice, ...]
    obstacle: str = ""


def conflicts(session: Session, documents: Sequence[Document], program: str = "mneme") -> list[Conflict]:
    """Return the conflicts among the cells of ``documents``, forks first, in file order.

    What a comment suppresses, or the configuration for a file, is none.

    Args:
        session: one of lint, for RULES alone.
        documents: the world to look at.
        program: how the commands that settle them begin.
    """
    report = session.lint(documents)
    told = {(finding.path, finding.start, finding.name) for finding in report.findings}
    corpus = Corpus(documents)
    known = Counter(place.cell.id for place in corpus.placed)
    found = []
    for fork in forks(corpus):
        if (fork.place.document.name, fork.place.start + fork.span[0], FORK) in told:
            what = f"superseded by {len(fork.successors)} live cells"
            found.append(_settled(FORK, fork.old.cell.id, what, fork.successors, known, program))
    for topic, first, second, values in contradictions(corpus):
        if any(
            (place.document.name, place.start + place.cell.span("gist")[0], CONTRADICTION) in told
            for place in (first, second)
        ):
            found.append(_settled(CONTRADICTION, topic, difference(values), (first, second), known, program))
    return found


def _settled(
    kind: str, about: str, what: str, cells: Sequence[Placed], known: Mapping[str, int], program: str
) -> Conflict:
    first = strongest([place.cell for place in cells])
    winner = first[0] if len(first) == 1 else None
    reason = _reason(winner, [place.cell for place in cells]) if winner else ""
    obstacle = _obstacle(cells, known)
    choices = () if obstacle else tuple([Choice(keep, _commands(keep, cells, program)) for keep in first])
    return Conflict(kind, about, what, tuple(cells), winner, reason, choices, obstacle)


def _reason(winner: Cell, cells: Iterable[Cell]) -> str:
    """Return what decided for ``winner``: confidence, unless another has the same."""
    confs = [cell.status.conf or DEFAULT_CONFIDENCE for cell in cells if cell is not winner]
    return "seen last" if (winner.status.conf or DEFAULT_CONFIDENCE) in confs else "higher confidence"


def _commands(keep: Cell, cells: Iterable[Placed], program: str) -> tuple[str, ...]:
    return tuple([f"{program} supersede {place.cell.id} --by {keep.id}" for place in cells if place.cell is not keep])


def _obstacle(cells: Iterable[Placed], known: Mapping[str, int]) -> str:
    """Say which ID names no cell, or two, so that no command can."""
    for place in cells:
        token = place.cell.id
        if not is_id(token):
            return f"{visible(token)} is no ID: mneme lint shows how to repair it"
        if known[token] > 1:
            return f"{token} is the number of two cells: mneme renumber {token}, then look again"
    return ""


# --- for people and programs ------------------------------------------------------------------------------------------


def text(found: Sequence[Conflict]) -> str:
    """Return the conflicts for a terminal: the cells with their places, who holds, and what to type."""
    parts = [_block(conflict) for conflict in found]
    forked = sum(conflict.kind == FORK for conflict in found)
    counts = [
        f"{count} {noun}{'s' * (count != 1)}"
        for count, noun in ((forked, "forked supersession"), (len(found) - forked, "suspected contradiction"))
        if count
    ]
    return "\n".join([*parts, f"{', '.join(counts)}\n"]) if found else ""


def _block(conflict: Conflict) -> str:
    head = "{} is {}" if conflict.kind == FORK else "suspected contradiction on {}: {}"
    lines = [head.format(visible(conflict.about), conflict.what)]
    rows = [
        (
            visible(place.cell.id), f"{visible(place.document.name)}:{line_of(place)}",
            f"conf {visible(place.cell.status.conf or DEFAULT_CONFIDENCE)}", f"seen {visible(place.cell.status.seen)}",
        )
        for place in conflict.cells
    ]  # fmt: skip
    widths = [max(len(row[column]) for row in rows) for column in range(4)]
    for row, place in zip(rows, conflict.cells, strict=True):
        columns = [f"{value:<{width}}" for value, width in zip(row, widths, strict=True)]
        lines.append(f"  {'  '.join(columns)}  {printable(place.cell.gist)}".rstrip())
    if conflict.winner is not None:
        lines.append(f"  holds: {visible(conflict.winner.id)} ({conflict.reason})")
    else:
        lines.append("  holds: confidence and date do not decide; find out which one, then run its line")
    if conflict.obstacle:
        lines.append(f"  first: {conflict.obstacle}")
    for number, choice in enumerate(conflict.choices):
        lines.append(f"  {'or' if number else 'run'}: {' && '.join(choice.commands)}")
    return "\n".join(lines) + "\n"


def data(found: Sequence[Conflict]) -> dict[str, Any]:
    """Return the conflicts for JSON; lines count from 1."""
    return {
        "conflicts": [
            {
                "kind": conflict.kind,
                "about": conflict.about,
                "what": conflict.what,
                "cells": [
                    {
                        "id": place.cell.id, "path": place.document.name, "line": line_of(place),
                        "gist": printable(place.cell.gist), "conf": place.cell.status.conf or DEFAULT_CONFIDENCE,
                        "seen": place.cell.status.seen,
                    }
                    for place in conflict.cells
                ],
                "winner": conflict.winner.id if conflict.winner else None,
                "reason": conflict.reason or "tie",
                "choices": [
                    {"keep": choice.keep.id, "commands": list(choice.commands)} for choice in conflict.choices
                ],
                "obstacle": conflict.obstacle or None,
            }
            for conflict in found
        ]
    }  # fmt: skip
