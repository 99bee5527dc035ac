"""Freshness from evidence: has what a cell leans on changed since somebody confirmed the cell?

Since when: not by the day, but by the commit that gave the cell the date it was seen. A change of the code counts when
that commit does not have it among its ancestors, so that what a branch brought later counts, whenever it was written,
and what was changed together with the cell does not. Where no commit is known to have confirmed the cell, the days
decide. Little is read while no evidence was touched.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import date
from functools import cached_property
from pathlib import Path
from typing import NamedTuple

from mneme.format.dates import parse_date
from mneme.format.model import Document, Placed
from mneme.history.ancestry import Ancestry
from mneme.history.confirmed import SLACK, confirming_commits, key, since_option
from mneme.history.doubt import Doubt, Judged, Kind
from mneme.history.globs import glob_pattern
from mneme.history.log import Change, Commit, log
from mneme.history.references import Reference, references
from mneme.history.repo import GitError, Repository
from mneme.history.symbols import definition
from mneme.history.whereabouts import Whereabouts
from mneme.workspace import Workspace


class _Leaning(NamedTuple):
    """A cell, and something there that it leans on. ``kind`` is file, folder or glob; the path is from the top."""

    place: Placed
    reference: Reference
    path: str
    kind: str

    @property
    def pattern(self) -> str:
        """The path as a pattern for git."""
        return f":(top,{'glob' if self.kind == 'glob' else 'literal'}){self.path}"

    def of(self, paths: Iterable[str]) -> list[str]:
        """Return which of ``paths`` it means, each once."""
        distinct = dict.fromkeys(paths)
        if self.kind == "file":
            return [self.path] if self.path in distinct else []
        if self.kind == "folder":
            return [path for path in distinct if path.startswith(f"{self.path}/")]
        pattern = glob_pattern(self.path)
        return [path for path in distinct if pattern.fullmatch(path)]


Touched = dict[str, list[tuple[Commit, Change]]]
"""The commits that changed each path, newest first."""


class EvidenceWatch:
    """What happened to the files that the cells of a workspace lean on."""

    def __init__(
        self, repository: Repository, workspace: Workspace, *, staged: bool = False, dirty: bool = False,
        cache: Path | None = None,
    ) -> None:  # fmt: skip
        """Prepare.

        Args:
            repository: where.
            workspace: whose cells are judged.
            staged: judge by what the next commit would hold, not by what is on disk.
            dirty: whether changes count that are not committed yet.
            cache: the folder to keep in which commits confirmed which cells.
        """
        self._repository = repository
        self._workspace = workspace
        self._files = Whereabouts(repository, staged=staged)
        self._dirty = dirty or staged
        self._cache = cache

    def judge(self, placed: Sequence[Placed]) -> Judged:
        """Return what speaks against ``placed``; cells that lean on nothing cost nothing.

        Raises:
            GitError: git refused.
        """
        wanted = [(place, reference) for place in placed for reference in references(place.cell)]
        if not wanted:
            return Judged([], [])
        leaning: list[_Leaning] = []
        lost: list[tuple[Placed, Reference, list[str]]] = []
        for place, reference in wanted:
            paths = [base + reference.path for base in self._bases(place.document)]
            found = next(((path, kind) for path in paths if (kind := self._files.kind(path, reference))), None)
            if found:
                leaning.append(_Leaning(place, reference, found[0].rstrip("/"), found[1]))
            elif paths and reference.certain:
                lost.append((place, reference, paths))
        doubts = [*self._missing(lost), *self._changed(leaning)]
        doubts += self._symbols(leaning, {(id(doubt.place.cell), doubt.reference) for doubt in doubts})
        order = {id(place.cell): number for number, place in enumerate(placed)}
        doubts.sort(key=lambda doubt: order[id(doubt.place.cell)])
        doubtful = {id(doubt.place.cell) for doubt in doubts}
        settled = {id(entry.place.cell): entry.place for entry in leaning}
        return Judged(doubts, [place for name, place in settled.items() if name not in doubtful])

    def _bases(self, document: Document) -> list[str]:
        """Return the folders, from the top, that a path in ``document`` may be relative to; none outside of here."""
        if document.name not in self._known_bases:
            top = self._files.top
            folder = (self._workspace.cwd / document.name).parent.resolve()
            inside = [base for base in (self._workspace.root, top, folder) if base == top or top in base.parents]
            names = [base.relative_to(top).as_posix() for base in inside]
            found = ["" if name == "." else f"{name}/" for name in dict.fromkeys(names)]
            self._known_bases[document.name] = found if folder in inside else []
        return self._known_bases[document.name]

    @cached_property
    def _known_bases(self) -> dict[str, list[str]]:
        return {}

    def _missing(self, lost: list[tuple[Placed, Reference, list[str]]]) -> list[Doubt]:
        if not lost:
            return []
        found = self._files.find([(reference, paths) for _, reference, paths in lost])
        doubts = [
            Doubt(
                place, reference, Kind.MISSING, (entry.path,), (entry.commit,) if entry.commit else (),
                entry.known and entry.commit is None, entry.moved_to,
            )
            for (place, reference, _), entry in zip(lost, found, strict=True)
            if entry is not None
        ]  # fmt: skip
        # What prose says cannot be corrected. Whoever confirmed the cell after the file had gone knew that.
        asked = [doubt for doubt in doubts if not doubt.reference.explicit]
        confirmed = self._confirmed([doubt.place for doubt in asked])
        known = {id(doubt) for doubt in asked if self._was_known(doubt, confirmed)}
        return [doubt for doubt in doubts if id(doubt) not in known]

    def _was_known(self, doubt: Doubt, confirmed: dict[str, str]) -> bool:
        """Whether a file was missing already when the cell was confirmed."""
        since = confirmed.get(key(doubt.place.cell), "")
        seen = parse_date(doubt.place.cell.status.seen) or date.min
        if not since:
            return self._just_now(seen) or (bool(doubt.commits) and _day(doubt.commits[0]) <= seen)
        if not doubt.commits:
            return False
        try:
            self._repository.run("merge-base", "--is-ancestor", doubt.commits[0].id, since)
        except GitError as error:
            if error.message == "git merge-base: exit 1":
                return False
            raise
        return True

    def _confirmed(self, places: Sequence[Placed]) -> dict[str, str]:
        """Return which commits confirmed the cells, where that is known."""
        seen = [day for place in places if (day := parse_date(place.cell.status.seen))]
        if not seen or self._files.tip is None:
            return {}
        cells = {place.cell for place in places}
        return confirming_commits(
            self._repository, self._workspace, self._files.tip, cells, min(seen), cache=self._cache
        )

    def _just_now(self, seen: date) -> bool:
        """Whether a cell whose date no commit has was confirmed in this very work tree."""
        return self._files.tip is not None and seen >= self._last_day

    # --- what changed ------------------------------------------------------------------------------------------

    def _changed(self, leaning: list[_Leaning]) -> list[Doubt]:
        dated = [(entry, seen) for entry in leaning if (seen := parse_date(entry.place.cell.status.seen))]
        tip = self._files.tip
        if not dated or tip is None:
            return []
        dirty = self._files.uncommitted(sorted({entry.pattern for entry, _ in dated})) if self._dirty else {}
        landed = self._landed(tip, dated)
        mine = [
            (entry, seen)
            for entry, seen in dated
            if any(landed[path] >= seen - SLACK for path in entry.of(landed)) or entry.of(dirty)
        ]
        if not mine:
            return []
        confirmed = self._confirmed([entry.place for entry, _ in mine])
        facts = self._facts(tip, mine, confirmed, dirty)
        return [doubt for entry, seen in mine if (doubt := self._doubt(entry, seen, facts))]

    def _landed(self, tip: str, dated: list[tuple[_Leaning, date]]) -> dict[str, date]:
        """Return the last day on which each path changed on this line of history, whoever had written it when."""
        patterns = sorted({entry.pattern for entry, _ in dated})
        since = since_option(min(seen for _, seen in dated))
        found: dict[str, date] = {}
        options = ["--first-parent", since]
        for commit in log(self._repository, [tip], patterns, options=options, merges="-m", files_only=False):
            for change in commit.changes:
                found.setdefault(change.path, _day(commit))
        return found

    def _facts(
        self, tip: str, mine: list[tuple[_Leaning, date]], confirmed: dict[str, str], dirty: dict[str, Change]
    ) -> _Facts:
        """Read the changes of evidence since the cells were confirmed, and how these commits hang together."""
        patterns = sorted({entry.pattern for entry, _ in mine})
        commits: dict[str, Commit] = {}
        listing = b""
        if confirmed:
            base = self._common(sorted(set(confirmed.values())))
            stretch = [tip, f"^{base}"] if base else [tip]
            listing = self._repository.run("rev-list", "--parents", *stretch)
            commits |= {commit.id: commit for commit in self._log(stretch, patterns, [])}
        if any(key(entry.place.cell) not in confirmed for entry, _ in mine):
            since = since_option(min(seen for entry, seen in mine if key(entry.place.cell) not in confirmed))
            commits |= {commit.id: commit for commit in self._log([tip], patterns, [since])}
        touched: Touched = {}
        for commit in commits.values():
            for change in commit.changes:
                touched.setdefault(change.path, []).append((commit, change))
        return _Facts(touched, dirty, confirmed, Ancestry(listing.decode("ascii")))

    def _log(self, revisions: list[str], patterns: list[str], options: list[str]) -> list[Commit]:
        return log(
            self._repository, revisions, patterns, options=options, merges="--no-diff-merges", sizes=True,
            files_only=False,
        )  # fmt: skip

    def _common(self, commits: list[str]) -> str:
        """Return the newest commit that all of ``commits`` stand on; nothing where there is none."""
        if len(commits) == 1:
            return commits[0]
        try:
            return self._repository.run("merge-base", "--octopus", *commits).decode("ascii").strip()
        except GitError as error:
            if error.message == "git merge-base: exit 1":
                return ""
            raise

    def _doubt(self, entry: _Leaning, seen: date, facts: _Facts) -> Doubt | None:
        place = entry.place
        since = facts.confirmed.get(key(place.cell), "")
        dirty = facts.dirty if since or not self._just_now(seen) else {}
        commits: dict[str, Commit] = {}
        ends: dict[str, tuple[str, str]] = {}
        added = removed = 0
        for path in entry.of([*facts.touched, *dirty]):
            after = [
                (commit, change)
                for commit, change in facts.touched.get(path, ())
                if (facts.ancestry.is_after(commit.id, since) if since else _day(commit) > seen)
            ]
            if not after and path not in dirty:
                continue
            first = after[-1][1].before[0] if after else dirty[path].before[0]
            if path not in dirty and first == after[0][1].after:
                continue  # changed, and changed back
            ends[path] = first, "" if path in dirty else after[0][1].after
            for commit, change in after:
                commits[commit.id] = commit
                added += change.added
                removed += change.removed
        if not ends or (entry.reference.symbol and not self._symbol_changed(entry, ends)):
            return None
        return Doubt(
            place, entry.reference, Kind.CHANGED, tuple(ends), tuple(commits.values()),
            any(path in dirty for path in ends), "", added, removed, since,
        )  # fmt: skip

    @cached_property
    def _last_day(self) -> date:
        assert self._files.tip is not None
        answer = self._repository.run("log", "-1", "--no-show-signature", "--format=%cs", self._files.tip)
        return parse_date(answer.decode("ascii").strip()) or date.max

    # --- symbols -----------------------------------------------------------------------------------------------

    def _symbols(self, leaning: list[_Leaning], known: set[tuple[int, Reference]]) -> list[Doubt]:
        """Return the doubts about symbols that their files do not define any more."""
        gone = []
        for entry in leaning:
            reference = entry.reference
            if reference.symbol and entry.kind == "file" and (id(entry.place.cell), reference) not in known:
                text = self._files.text(entry.path)
                if text is not None and definition(text, reference.symbol) is None:
                    gone.append(entry)
        confirmed = self._confirmed([entry.place for entry in gone if not entry.reference.explicit])
        return [
            Doubt(entry.place, entry.reference, Kind.SYMBOL_MISSING, (entry.path,))
            for entry in gone
            if entry.reference.explicit or not self._was_undefined(entry, confirmed)
        ]

    def _was_undefined(self, entry: _Leaning, confirmed: dict[str, str]) -> bool:
        """Whether a symbol was missing already when the cell was confirmed."""
        since = confirmed.get(key(entry.place.cell))
        if since is None:
            return self._just_now(parse_date(entry.place.cell.status.seen) or date.min)
        try:
            before = self._repository.run("cat-file", "blob", f"{since}:{entry.path}")
        except GitError:  # the file came later
            return False
        return definition(before.decode("utf-8", "replace"), entry.reference.symbol) is None

    def _symbol_changed(self, entry: _Leaning, ends: dict[str, tuple[str, str]]) -> bool:
        """Whether the text of a symbol differs between two objects; one without a name is what is there now.

        A symbol that is not there now did not change: :meth:`_symbols` speaks of it.
        """
        if entry.path not in ends:  # a glob, or a folder
            return True
        first, last = ends[entry.path]
        now = self._object(last) if last else self._files.text(entry.path)
        after = None if now is None else definition(now, entry.reference.symbol)
        before = definition(self._object(first), entry.reference.symbol) if first else None
        return after is not None and after != before

    def _object(self, name: str) -> str:
        return self._repository.contents([name])[name].decode("utf-8", "replace")


class _Facts(NamedTuple):
    """What happened to the evidence: committed changes, those that are not, who confirmed the cells, and the graph."""

    touched: Touched
    dirty: dict[str, Change]
    confirmed: dict[str, str]
    ancestry: Ancestry


def _day(commit: Commit) -> date:
    return parse_date(commit.day) or date.min
