"""What a rule is, and what it may say.

A rule is one decorated function. Its docstring is its documentation, with the sections Why, Bad, Good and Fix; the
samples run as tests. It yields :class:`Hit` values; severity, place in the file, suppression and order are the engine's.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from datetime import date
from enum import StrEnum
from functools import cached_property
from typing import Generic, NamedTuple, TypeVar

from mneme.config import Config
from mneme.format.model import Cell, Document, Oddity, Placed
from mneme.text.patch import Patch


class Severity(StrEnum):
    """How much a finding weighs: errors fail, warnings fail under ``--strict``, notes never do."""

    ERROR = "error"
    WARNING = "warning"
    NOTE = "note"


class Fix(NamedTuple):
    """A repair. Offsets count as those of the hit it belongs to.

    ``repairs`` marks a fix of a field that did not parse: the one kind that may change a content digest.
    """

    title: str
    patches: tuple[Patch, ...]
    safe: bool = True
    repairs: bool = False


Where = TypeVar("Where", Cell, Document, Placed)


class Hit(NamedTuple, Generic[Where]):
    """Something a rule found: ``start`` and ``end`` count from the cell's first character, or from the document's."""

    where: Where
    start: int
    end: int
    message: str
    hint: str = ""
    fix: Fix | None = None


@dataclass(frozen=True)
class Settings:
    """What a rule may depend on besides the text."""

    config: Config
    today: date
    detector: object | None = None


class Batch:
    """Distinct cells to be checked one by one. A result for a cell may depend on its text and the settings only."""

    def __init__(self, cells: Sequence[Cell]) -> None:
        self.cells = cells

    @cached_property
    def blob(self) -> str:
        """All texts joined by NUL: for asking once whether a literal occurs anywhere."""
        return "\0".join([cell.text for cell in self.cells])

    @cached_property
    def odd(self) -> dict[str, list[tuple[Cell, Oddity]]]:
        """The parser's oddities by name."""
        found: dict[str, list[tuple[Cell, Oddity]]] = {}
        for cell in self.cells:
            if cell.oddities:
                for oddity in cell.oddities:
                    found.setdefault(oddity.name, []).append((cell, oddity))
        return found

    @cached_property
    def exotic(self) -> list[Cell]:
        """The cells whose text is not plain ASCII."""
        return [cell for cell in self.cells if not cell.text.isascii()]


class Corpus:
    """Every cell the command sees, with its place; and by ID."""

    def __init__(self, documents: Sequence[Document]) -> None:
        self.documents = documents

    @cached_property
    def placed(self) -> list[Placed]:
        """All cells in file order."""
        return [place for document in self.documents for place in document.placed]

    @cached_property
    def by_id(self) -> dict[str, Placed]:
        """The first cell of each ID."""
        known: dict[str, Placed] = {}
        for place in self.placed:
            known.setdefault(place.cell.id, place)
        return known

    @cached_property
    def linked(self) -> list[Placed]:
        """The cells with links."""
        return [place for place in self.placed if place.cell.links]

    @cached_property
    def live(self) -> list[Placed]:
        """The live cells."""
        return [place for place in self.placed if place.cell.status.state == "live"]


class Scope(StrEnum):
    """What a rule looks at at once."""

    CELL = "cell"
    FILE = "file"
    WORKSPACE = "workspace"


CellCheck = Callable[[Batch, Settings], Iterator[Hit[Cell]]]
FileCheck = Callable[[Document, Settings], Iterator[Hit[Document]]]
WorkspaceCheck = Callable[[Corpus, Settings], Iterator[Hit[Placed]]]


@dataclass(frozen=True)
class Rule:
    """A rule with its names, its weight and its text; exactly one of the three checks is set."""

    code: str
    name: str
    severity: Severity
    scope: Scope
    doc: str
    cell_check: CellCheck | None = None
    file_check: FileCheck | None = None
    workspace_check: WorkspaceCheck | None = None
    default: bool = True

    @cached_property
    def sections(self) -> dict[str, str]:
        """The docstring in parts: ``what`` (first paragraph), ``why``, ``bad``, ``good``, ``fix``."""
        parts: dict[str, list[str]] = {"what": []}
        current = "what"
        for line in self.doc.splitlines():
            head, colon, rest = line.partition(":")
            if colon and head in ("Why", "Bad", "Good", "Fix") and not line.startswith(" "):
                current = head.lower()
                parts[current] = [rest.strip()] if rest.strip() else []
            else:
                parts[current].append(line)
        return {name: inspect.cleandoc("\n".join(lines)).strip("\n") for name, lines in parts.items()}

    @property
    def what(self) -> str:
        """The first sentence of the documentation."""
        return self.sections["what"].partition("\n")[0]


def on_cells(
    code: str, name: str, severity: Severity = Severity.WARNING, *, default: bool = True
) -> Callable[[CellCheck], Rule]:
    """Make a rule of a function that looks at one cell at a time; its results are cached by the cell's text."""
    return lambda check: Rule(
        code, name, severity, Scope.CELL, inspect.cleandoc(check.__doc__ or ""), cell_check=check, default=default
    )


def on_files(
    code: str, name: str, severity: Severity = Severity.WARNING, *, default: bool = True
) -> Callable[[FileCheck], Rule]:
    """Make a rule of a function that looks at a file's text around and between its cells."""
    return lambda check: Rule(
        code, name, severity, Scope.FILE, inspect.cleandoc(check.__doc__ or ""), file_check=check, default=default
    )


def on_workspace(
    code: str, name: str, severity: Severity = Severity.WARNING, *, default: bool = True
) -> Callable[[WorkspaceCheck], Rule]:
    """Make a rule of a function that holds cells against each other."""
    return lambda check: Rule(
        code, name, severity, Scope.WORKSPACE, inspect.cleandoc(check.__doc__ or ""),
        workspace_check=check, default=default,
    )  # fmt: skip


class Finding(NamedTuple):
    """A hit with everything a report needs; offsets are the document's. Line and column come from the document."""

    path: str
    start: int
    end: int
    code: str
    name: str
    severity: Severity
    message: str
    hint: str
    cell_id: str
    fix: Fix | None
    document: Document | None
    line: int
    column: int
