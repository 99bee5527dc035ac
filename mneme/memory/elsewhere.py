"""Where else a side of a merge mentions a cell that gives way: in files that git takes as they are."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Collection, Iterator, Mapping, Sequence
from pathlib import Path

from mneme.format.digest import anonymous_digest
from mneme.format.vocabulary import MEMORY_SUFFIXES, PERSONAL_SUFFIX
from mneme.history.compare import PSEUDO, merging_with, peek
from mneme.history.merge.identity import Clash
from mneme.history.repo import GitError, Repository
from mneme.history.versions import Owns

_REBASED = ("rebase-merge/orig-head", "rebase-apply/orig-head")
_DIGITS = 15
_MOST = 500
"""How many cells are looked for: a command line has an end."""


def mentioned_elsewhere(
    clashes: Sequence[Clash], path: str, repository: Repository, owns: Owns, environ: Mapping[str, str]
) -> list[str]:
    """Return what to say of the other files that mention cells which give way in the file at ``path``.

    Best effort: asked are the commits of a merge or rebase that is going on, by one process each.
    """
    files: dict[str, set[str]] = {}
    with contextlib.suppress(GitError):
        for commit, cell_ids in _holding(clashes[:_MOST], path, repository, environ).items():
            for file, cell_id in _naming(cell_ids, commit, repository):
                if file != path and owns(file) and not file.endswith(PERSONAL_SUFFIX):
                    files.setdefault(cell_id, set()).add(file)
    return [
        f"{old} is mentioned in {', '.join(sorted(files[old]))} too: when the merge is done, "
        f"mneme renumber {old} {clash.new_id} --cell {anonymous_digest(clash.moved)[:_DIGITS]} "
        f"changes what means {clash.new_id}"
        for clash in clashes
        if (old := clash.moved.id) in files
    ]


def _holding(
    clashes: Sequence[Clash], path: str, repository: Repository, environ: Mapping[str, str]
) -> dict[str, list[str]]:
    """Return the commits that are being brought together, with the IDs of the cells that each has in the file."""
    commits = ["HEAD", *PSEUDO, *merging_with(environ)]
    for name in _REBASED:
        with contextlib.suppress(OSError):
            place = os.fsdecode(repository.run("rev-parse", "--git-path", name)).removesuffix("\n")
            commits.append((repository.cwd / Path(place)).read_text(encoding="ascii").strip())
    found = peek(repository, [f"{commit}:{path}" for commit in commits])
    texts = {commit: blob.data for commit in commits if (blob := found.get(f"{commit}:{path}"))}
    holding = {
        commit: [
            clash.moved.id
            for clash in clashes
            if all(word.encode() in data for word in (f"@ {clash.moved.id}", clash.moved.gist))
        ]
        for commit, data in texts.items()
    }
    return {commit: cell_ids for commit, cell_ids in holding.items() if cell_ids}


def _naming(cell_ids: Collection[str], commit: str, repository: Repository) -> Iterator[tuple[str, str]]:
    """Yield the memory files of a commit in which one of the IDs stands as a word, with the ID."""
    wanted = [word for cell_id in cell_ids for word in ("-e", cell_id)]
    patterns = [f":(top)*{suffix}" for suffix in MEMORY_SUFFIXES]
    answer = b""
    with contextlib.suppress(GitError):  # none does
        answer = repository.run("grep", "-o", "-z", "-w", "-F", "--full-name", *wanted, commit, "--", *patterns)
    for line in os.fsdecode(answer).split("\n"):
        name, _, cell_id = line.partition("\0")
        if cell_id:
            yield name.removeprefix(f"{commit}:"), cell_id
