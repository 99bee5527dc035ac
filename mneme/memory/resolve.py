"""Merging by cell what git left in conflict: from the index, or from the marks in the file."""

from __future__ import annotations

import shlex
import tempfile
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import NamedTuple

from mneme.history.merge.identity import MENTION
from mneme.history.merge.items import split_lines
from mneme.history.merge.marks import Marked, has_marks, plain, read_marks, versions
from mneme.history.merge.result import Merged
from mneme.history.repo import Entry, GitError, Repository
from mneme.memory.merging import Merger
from mneme.text.source import Source, decode, read_source
from mneme.text.write import locked, write_sources

_STYLES = ("", "diff3", "zdiff3")
_AS_OURS = (
    "no conflict marks are in it, and nothing of the other side: git add it if you decided so; "
    "git checkout --merge -- {} merges it again"
)


class Resolved(NamedTuple):
    """What became of one file: ``left`` conflicts; where nothing was done, ``refused`` says why it could not be."""

    left: int = 0
    notes: tuple[str, ...] = ()
    refused: str = ""
    whole: bool = False
    """Whether there was nothing to do."""


class Stages(NamedTuple):
    """The three versions that the index holds of a file in conflict."""

    base: str
    ours: str
    theirs: str


def unmerged(repository: Repository) -> dict[str, dict[int, Entry]]:
    """Return the memory files in conflict by their paths from the top, with their stages.

    Raises:
        GitError: git refused.
    """
    found: dict[str, dict[int, Entry]] = {}
    for entry in repository.staged():
        if entry.stage:
            found.setdefault(entry.path, {})[entry.stage] = entry
    return found


def resolve(
    path: Path, name: str, entries: dict[int, Entry] | None, repository: Repository | None,
    merger: Callable[[], Merger], *, with_base: bool = False,
) -> Resolved:  # fmt: skip
    """Merge the file at ``path``, called ``name``, and write it; nothing is staged.

    Args:
        path: the file.
        name: what people call it.
        entries: its stages in the index; None where it has none.
        repository: where the index is.
        merger: makes what merges it.
        with_base: whether conflicts that stay show the base.

    Raises:
        UnreadableFile: the file or a version of it is no text.
        EditError: it cannot be written.
    """
    if entries is not None and not {2, 3} <= entries.keys():
        return Resolved(refused="one side deleted it: keep it or delete it by hand, then git add or git rm")
    source = read_source(path, name)
    if not has_marks(source.text):
        if entries is not None and repository is not None and _is_ours(path, entries[2], repository):
            right = merger().merge(*_stages(entries, repository, source))
            if right.conflicts or right.text() != source.text:
                return Resolved(refused=_AS_OURS.format(shlex.quote(name)))
        return Resolved(whole=True)
    merged: Merged | None = None
    one = merger()
    if entries is not None and repository is not None:
        stages = _stages(entries, repository, source)
        merged = one.merge(*stages)
        if not _is_untouched(source.text, stages, merged, repository):
            merged = None  # somebody has begun to resolve it: what they did stays
    if merged is None:
        parts = read_marks(source.text)
        if parts is None:
            return Resolved(refused="the conflict marks in it do not pair up")
        found = versions(parts)
        if found is None:
            return Resolved(refused="the marks do not show whether a side took something away: decide by hand")
        merged = one.merge(found.base, found.ours, found.theirs, sure=found.sure)
        merged = merged._replace(notes=(*merged.notes, *_unclear(parts, merged)))
    text = merged.text(with_base=with_base)
    with locked(path.parent):
        write_sources(path.parent, {path: (source, text)})
    return Resolved(merged.conflicts, (*one.notes, *merged.notes))


def _unclear(parts: Iterable[str | Marked], merged: Merged) -> Iterator[str]:
    """Name lines outside of the marks that mention a number that was given twice: who wrote them is not known."""
    lines = {part for part in parts if isinstance(part, str) and not part.startswith("@")}
    for number, line in enumerate(split_lines(merged.text()), 1):
        if line in lines:
            for clash in merged.clashes:
                if clash.moved.id in MENTION.findall(line):
                    yield f"line {number} mentions {clash.moved.id}, and may mean what is now {clash.new_id}"


def _is_ours(path: Path, ours: Entry, repository: Repository) -> bool:
    """Whether the file is as our side has it: a merge that broke off leaves it so."""
    data = repository.contents([ours.object_id])[ours.object_id]
    return path.read_bytes().replace(b"\r\n", b"\n") == data.replace(b"\r\n", b"\n")


def _stages(entries: dict[int, Entry], repository: Repository, source: Source) -> Stages:
    """Return the versions of a file, with its line ends where git converts them on checkout."""
    contents = repository.contents(entry.object_id for entry in entries.values())
    texts = {stage: decode(contents[entry.object_id], source.name) for stage, entry in entries.items()}
    if "\r\n" in source.text and not any("\r\n" in text for text in texts.values()):
        texts = {stage: text.replace("\n", "\r\n") for stage, text in texts.items()}
    return Stages(texts.get(1, ""), texts[2], texts[3])


def _is_untouched(text: str, stages: Stages, merged: Merged, repository: Repository) -> bool:
    """Whether ``text`` is what a merge of the stages left, ours or git's own, in whatever style."""
    wanted = plain(text)
    if any(plain(merged.text(with_base=with_base)) == wanted for with_base in (False, True)):
        return True
    with tempfile.TemporaryDirectory() as folder:
        files = [Path(folder) / name for name in ("base", "ours", "theirs")]
        for file, version in zip(files, stages, strict=True):
            file.write_bytes(version.encode())
        base, ours, theirs = files
        for style in _STYLES:
            try:
                outcome = repository.merged_by_lines(ours, base, theirs, style=style)
            except GitError:  # a git that does not know the style
                continue
            if plain(outcome.decode("utf-8", "replace")) == wanted:
                return True
    return False
