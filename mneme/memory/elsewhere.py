"""Where else a side of a merge mentions a cell that gives way: in files that git takes as they are."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Iterator, Mapping
from pathlib import Path

from mneme.format.digest import anonymous_digest
from mneme.format.vocabulary import MEMORY_SUFFIXES, PERSONAL_SUFFIX
from mneme.history.compare import PSEUDO, merging_with, peek
from mneme.history.merge.identity import Clash
from mneme.history.repo import GitError, Repository
from mneme.history.versions import Owns

_REBASED = ("rebase-merge/orig-head", "rebase-apply/orig-head")
_DIGITS = 15


def mentioned_elsewhere(clash: Clash, path: str, repository: Repository, owns: Owns, environ: Mapping[str, str]) -> str:
    """Return what to say of the other files that mention the cell which gives way; empty when none does.

    Best effort: the commits are those of a merge or rebase that is going on.
    """
    old, new = clash.moved.id, clash.new_id
    try:
        files = {
            file
            for commit in _holding(clash, path, repository, environ)
            for file in _naming(old, commit, repository)
            if file != path and owns(file) and not file.endswith(PERSONAL_SUFFIX)
        }
    except GitError:
        return ""
    if not files:
        return ""
    digest = anonymous_digest(clash.moved)[:_DIGITS]
    return (
        f"{old} is mentioned in {', '.join(sorted(files))} too: when the merge is done, "
        f"mneme renumber {old} {new} --cell {digest} changes what means {new}"
    )


def _holding(clash: Clash, path: str, repository: Repository, environ: Mapping[str, str]) -> Iterator[str]:
    """Yield the commits that are being brought together and have the cell in the file at ``path``."""
    commits = ["HEAD", *PSEUDO, *merging_with(environ)]
    for name in _REBASED:
        with contextlib.suppress(OSError):
            place = os.fsdecode(repository.run("rev-parse", "--git-path", name)).removesuffix("\n")
            commits.append((repository.cwd / Path(place)).read_text(encoding="ascii").strip())
    found = peek(repository, [f"{commit}:{path}" for commit in commits])
    for commit in commits:
        blob = found.get(f"{commit}:{path}")
        if blob and all(word.encode() in blob.data for word in (f"@ {clash.moved.id}", clash.moved.gist)):
            yield commit


def _naming(cell_id: str, commit: str, repository: Repository) -> Iterator[str]:
    """Yield the memory files of a commit in which an ID stands as a word."""
    patterns = [f":(top)*{suffix}" for suffix in MEMORY_SUFFIXES]
    with contextlib.suppress(GitError):  # none does
        answer = repository.run(
            "grep", "-l", "-z", "-w", "-F", "--full-name", "-e", cell_id, commit, "--", *patterns
        )  # fmt: skip
        for record in answer.split(b"\0"):
            if record:
                yield os.fsdecode(record).removeprefix(f"{commit}:")
