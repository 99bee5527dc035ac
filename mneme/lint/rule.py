"""What a rule is, and what it may say.

A rule is one decorated function. Its docstring is its documentation, with the sections Why, Bad, Good and Fix; the
samples run as tests. It yields :class:`Hit` values; severity, place, suppression and order are the engine's.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import date
from enum import StrEnum
from functools import cached_property
from typing import TYPE_CHECKING, Generic, NamedTuple, TypeVar

from mneme.config import Config
from mneme.format import ids
from mneme.format.model import Cell, Document, Oddity, Placed
from mneme.format.vocabulary import INVERSES
from mneme.lint.sample import sample_files
from mneme.lint.scan import Joined
from mneme.text.patch import Patch

if TYPE_CHECKING:
    from mneme.history.doubt import Judged
    from mneme.history.guard import Past, Violation
    from mneme.history.would_be import Taken, WouldBe


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
    detector: str = ""
    """Name and version of the secret detector that is installed; empty without one."""


class Batch:
    """Distinct cells to be checked one by one. A result for a cell may depend on its text and the settings only."""

    def __init__(self, cells: Sequence[Cell]) -> None:
        self.cells = cells

    @cached_property
    def texts(self) -> Joined:
        """All texts joined: for asking once whether something occurs anywhere."""
        return Joined([cell.text for cell in self.cells])

    @cached_property
    def folded(self) -> Joined:
        """All texts in lower case, joined."""
        return Joined.folded([cell.text for cell in self.cells])

    @cached_property
    def gists(self) -> Joined:
        """All gists in lower case, joined."""
        return Joined.folded([cell.gist for cell in self.cells])

    @property
    def blob(self) -> str:
        """All texts joined by NUL."""
        return self.texts.text

    def pick(self, indices: Iterable[int]) -> list[Cell]:
        """Return the cells that stand at ``indices``, as the joined texts count them."""
        return [self.cells[index] for index in indices]

    @cached_property
    def linked(self) -> list[Cell]:
        """The cells with links."""
        return [cell for cell in self.cells if cell.links]

    @cached_property
    def with_long_words(self) -> list[Cell]:
        """The cells with a run of 16 or more letters, digits, ``_`` and ``-``: tokens and blobs have one."""
        return self.pick(self.texts.with_words(16))

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


class Supersession(NamedTuple):
    """``new`` replaces ``old``, says link number ``link`` of ``holder``, which is one of the two."""

    new: Placed
    old: Placed
    holder: Placed
    link: int


class Corpus:
    """Every cell the command sees, with its place; and by ID."""

    def __init__(self, documents: Sequence[Document], past: Past | None = None, archive: Collection[str] = ()) -> None:
        self.documents = documents
        self.archive = archive
        """Names of the documents that hold the past: superseded and retired cells, moved out of the way."""
        self.past = past
        """What git has of them; None where there is no git, or nobody asked it."""

    @cached_property
    def violations(self) -> list[Violation]:
        """What became of the cells that git has, and may not."""
        from mneme.history.guard import judge

        return [] if self.past is None else judge(self.documents, self.past)

    @cached_property
    def evidence(self) -> Judged:
        """What speaks against the live cells: the code they lean on, as git tells."""
        from mneme.history.doubt import Judged

        asked = self.past is not None and self.past.evidence
        return asked(self.live) if asked else Judged([], [])

    @cached_property
    def would_be(self) -> WouldBe | None:
        """What these files come to when they are merged into the branch they will go to; None without one to ask."""
        asked = self.past is not None and self.past.would_be
        return asked() if asked else None

    @cached_property
    def taken_twice(self) -> list[Taken]:
        """The numbers that the branch to which these files will go gave to other cells meanwhile."""
        there = {id(document) for document in self.documents}
        return [taken for taken in self.would_be.taken if id(taken.own.document) in there] if self.would_be else []

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
    def look_alikes(self) -> dict[str, str]:
        """IDs that only look like one, by what they were probably meant to be."""
        return {ids.canonical(token): token for token in self.by_id if not ids.is_id(token)}

    @cached_property
    def linked(self) -> list[Placed]:
        """The cells with links."""
        return [place for place in self.placed if place.cell.links]

    @cached_property
    def by_state(self) -> dict[str, list[Placed]]:
        """The cells of each state, in file order."""
        found: dict[str, list[Placed]] = {}
        for place in self.placed:
            state = place.cell.status.state
            if state in found:
                found[state].append(place)
            else:
                found[state] = [place]
        return found

    @property
    def live(self) -> list[Placed]:
        """The live cells."""
        return self.by_state.get("live", [])

    @cached_property
    def supersessions(self) -> list[Supersession]:
        """Every link that says which of two known cells replaces the other, when both are shared or both personal."""
        found = []
        for place in self.linked:
            cell = place.cell
            if not cell.id:  # malformed-header speaks of it, and no link can name it
                continue
            for index, link in enumerate(cell.links):
                if link.relation not in INVERSES or link.target == cell.id:
                    continue
                other = self.by_id.get(link.target)
                if other is None or other.document.personal != place.document.personal:
                    continue
                if link.relation == "supersedes":
                    found.append(Supersession(place, other, place, index))
                else:
                    found.append(Supersession(other, place, place, index))
        return found


class Scope(StrEnum):
    """What a rule looks at at once."""

    CELL = "cell"
    FILE = "file"
    WORKSPACE = "workspace"


CellCheck = Callable[[Batch, Settings], Iterator[Hit[Cell]]]
FileCheck = Callable[[Document, Settings], Iterator[Hit[Document]]]
WorkspaceCheck = Callable[[Corpus, Settings], Iterator[Hit[Placed]]]


class Remark(NamedTuple):
    """What a rule says of an oddity that the parser told of; the place is the oddity's."""

    message: str
    hint: str = ""
    fix: Fix | None = None


OddityCheck = Callable[[str, Oddity], Remark]
"""Gets the text that the oddity's offsets count in: a cell's, or a document's."""


@dataclass(frozen=True)
class Rule:
    """A rule with its names, its weight and its text.

    One of the three checks is set; a rule about oddities has two, for those in cells and those before the first cell.
    """

    code: str
    name: str
    severity: Severity
    scope: Scope
    doc: str
    cell_check: CellCheck | None = None
    file_check: FileCheck | None = None
    workspace_check: WorkspaceCheck | None = None
    default: bool = True
    masked: bool = False
    """Whether the text that it points at is hidden in every report."""
    extra: str = ""
    """The extra of the distribution that it needs to run; empty for none."""
    history: bool = False
    """Whether it needs to know the past."""

    @cached_property
    def sections(self) -> dict[str, str]:
        """The docstring in parts: ``what`` (first paragraph), ``why``, ``bad``, ``good``, ``fix``."""
        parts: dict[str, list[str]] = {"what": []}
        current = "what"
        for line in self.doc.split("\n"):
            head, colon, rest = line.partition(":")
            if colon and head in ("Why", "Bad", "Good", "Fix") and not line.startswith(" "):
                current = head.lower()
                parts[current] = [rest.strip()] if rest.strip() else []
            else:
                parts[current].append(line)
        return {name: inspect.cleandoc("\n".join(lines)).strip("\n") for name, lines in parts.items()}

    def sample(self, kind: str) -> dict[str, bytes]:
        """Return the files of the ``bad`` or ``good`` sample, by name."""
        return sample_files(self.sections[kind])

    @property
    def what(self) -> str:
        """The first sentence of the documentation."""
        return self.sections["what"].partition("\n")[0]


def on_oddities(code: str, name: str, severity: Severity = Severity.WARNING) -> Callable[[OddityCheck], Rule]:
    """Make a rule of a function that puts into words what the parser tells of as ``name``, in cells and before them."""

    def make(check: OddityCheck) -> Rule:
        def in_cells(batch: Batch, _settings: Settings) -> Iterator[Hit[Cell]]:
            for cell, oddity in batch.odd.get(name, ()):
                yield Hit(cell, oddity.start, oddity.end, *check(cell.text, oddity))

        def before_cells(document: Document, _settings: Settings) -> Iterator[Hit[Document]]:
            for oddity in document.strays:
                if oddity.name == name:
                    yield Hit(document, oddity.start, oddity.end, *check(document.text, oddity))

        doc = inspect.cleandoc(check.__doc__ or "")
        return Rule(code, name, severity, Scope.CELL, doc, cell_check=in_cells, file_check=before_cells)

    return make


class Mark(NamedTuple):
    """A place in a text, and what a rule says of it."""

    start: int
    end: int
    message: str
    hint: str = ""


TextCheck = Callable[[str], Iterable[Mark]]
Candidates = Callable[[Batch], Iterable[Cell]]


def on_texts(
    code: str, name: str, candidates: Candidates, severity: Severity = Severity.WARNING, *, masked: bool = False
) -> Callable[[TextCheck], Rule]:
    """Make a rule of a function that reads any text: of the ``candidates`` among the cells, and what precedes them.

    ``masked``: what it points at is hidden in every report.
    """

    def make(check: TextCheck) -> Rule:
        def in_cells(batch: Batch, _settings: Settings) -> Iterator[Hit[Cell]]:
            for cell in candidates(batch):
                for mark in check(cell.text):
                    yield Hit(cell, *mark)

        def before_cells(document: Document, _settings: Settings) -> Iterator[Hit[Document]]:
            start = document.preamble_start
            end = document.starts[0] if document.starts else len(document.text)
            if end > start:
                for mark in check(document.text[start:end]):
                    yield Hit(document, mark.start + start, mark.end + start, mark.message, mark.hint)

        doc = inspect.cleandoc(check.__doc__ or "")
        return Rule(code, name, severity, Scope.CELL, doc, cell_check=in_cells, file_check=before_cells, masked=masked)

    return make


def on_cells(
    code: str,
    name: str,
    severity: Severity = Severity.WARNING,
    *,
    default: bool = True,
    masked: bool = False,
    extra: str = "",
) -> Callable[[CellCheck], Rule]:
    """Make a rule of a function that looks at one cell at a time; its results are cached by the cell's text."""
    return lambda check: Rule(
        code, name, severity, Scope.CELL, inspect.cleandoc(check.__doc__ or ""), cell_check=check, default=default,
        masked=masked, extra=extra,
    )  # fmt: skip


def on_files(
    code: str, name: str, severity: Severity = Severity.WARNING, *, default: bool = True
) -> Callable[[FileCheck], Rule]:
    """Make a rule of a function that looks at a file's text around and between its cells."""
    return lambda check: Rule(
        code, name, severity, Scope.FILE, inspect.cleandoc(check.__doc__ or ""), file_check=check, default=default
    )


def on_workspace(
    code: str, name: str, severity: Severity = Severity.WARNING, *, default: bool = True, history: bool = False
) -> Callable[[WorkspaceCheck], Rule]:
    """Make a rule of a function that holds cells against each other, and with ``history`` against what git has."""
    return lambda check: Rule(
        code, name, severity, Scope.WORKSPACE, inspect.cleandoc(check.__doc__ or ""),
        workspace_check=check, default=default, history=history,
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
