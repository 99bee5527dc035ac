"""Git plumbing: few processes, argument lists, NUL-separated answers.

Git runs with the environment it finds, so that a hook sees what git meant it to see: ``GIT_INDEX_FILE`` names the
temporary index of a partial commit, ``GIT_DIR`` the one of a linked worktree. Only what would change the meaning of
path patterns is taken out.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import tempfile
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from pathlib import Path
from typing import IO, NamedTuple

from mneme.errors import MnemeError
from mneme.format.vocabulary import MEMORY_SUFFIXES, PERSONAL_SUFFIX

_PATTERN_VARIABLES = frozenset(
    {"GIT_LITERAL_PATHSPECS", "GIT_GLOB_PATHSPECS", "GIT_NOGLOB_PATHSPECS", "GIT_ICASE_PATHSPECS"}
)

LINK = "120000"
SUBMODULE = "160000"

_MOST_CONFLICTS = 127
"""Up to here the exit code of ``git merge-file`` is a number of conflicts."""


class Entry(NamedTuple):
    """One line of the index. ``stage`` is 0, or 1 to 3 while a conflict is not resolved; the path is from the top."""

    mode: str
    object_id: str
    stage: int
    path: str


class GitError(MnemeError):
    """Git is not there, or refused."""


class Repository:
    """The git repository around a folder, as git itself sees it from there."""

    def __init__(self, cwd: Path, environ: Mapping[str, str]) -> None:
        self.cwd = cwd
        self.environ = {name: value for name, value in environ.items() if name not in _PATTERN_VARIABLES}
        self.environ["GIT_OPTIONAL_LOCKS"] = "0"  # looking at a repository never writes to it

    @cached_property
    def top(self) -> Path:
        """The top folder of the work tree.

        Raises:
            GitError: no git, no repository here, or one without a work tree.
        """
        try:
            return Path(self._line("rev-parse", "--show-toplevel"))
        except GitError:
            if self._line("rev-parse", "--is-bare-repository") != "true":
                raise
            message = f"{self.cwd} is in a bare repository, where nobody commits"
        raise GitError(message, "run it in a clone")

    @cached_property
    def ground(self) -> Path:
        """The folder that paths of commits are shown below: the top of the work tree; in a bare repository, itself."""
        try:
            return self.top
        except GitError:
            if self._line("rev-parse", "--is-bare-repository") != "true":
                raise
            return self.common_dir

    @cached_property
    def common_dir(self) -> Path:
        """The folder that all linked worktrees share (``.git``)."""
        return Path(os.path.normpath(self.cwd / self._line("rev-parse", "--git-common-dir")))

    @cached_property
    def shallow(self) -> bool:
        """Whether this clone was cut off: what lies before its oldest commits is not here."""
        return self._line("rev-parse", "--is-shallow-repository") == "true"

    @cached_property
    def default_hooks_dir(self) -> Path:
        """Where git takes hooks from unless told otherwise; shared by all linked worktrees."""
        return self.common_dir / "hooks"

    @cached_property
    def hooks_dir(self) -> Path:
        """Where git takes hooks from, ``core.hooksPath`` obeyed (relative to the top, where hooks run).

        An empty one switches hooks off, as the null device does; that is the answer then.
        """
        told = self._process(("config", "--type=path", "--get", "core.hooksPath"), b"")
        value = os.fsdecode(told.stdout).removesuffix("\n")
        if told.returncode:
            return self.default_hooks_dir
        return Path(os.path.normpath(self.top / value)) if value else Path(os.devnull)

    def staged(self, names: Iterable[str] = ()) -> list[Entry]:
        """Return the index entries of memory files, and of files with one of ``names``, anywhere in the repository."""
        answer = self.run("ls-files", "--stage", "-z", "--full-name", "--", *_patterns(names))
        entries = []
        for record in _records(answer):
            head, _, path = record.partition("\t")
            mode, object_id, stage = head.split(" ")
            entries.append(Entry(mode, object_id, int(stage), path))
        return entries

    def tracked(self) -> list[str]:
        """Return the memory files that a commit would hold, by their paths from the top.

        Those of which git was only told that they will come (``git add --intent-to-add``) are not among them.
        """
        patterns = _patterns(())
        known = _records(self.run("ls-files", "-z", "--full-name", "--cached", "--", *patterns))
        intended = self.run(
            "diff", "--name-only", "--no-relative", "--diff-filter=A", "--no-ext-diff", "--ignore-submodules", "-z",
            "--", *patterns,
        )  # fmt: skip
        return sorted(set(known).difference(_records(intended)))

    def present(self) -> list[str]:
        """Return the memory files git tracks, and the shared ones it does not ignore, by their paths from the top."""
        answer = self.run(
            "ls-files", "-t", "-z", "--full-name", "--cached", "--others", "--exclude-standard", "--", *_patterns(())
        )
        found = set()
        for record in _records(answer):
            tag, _, path = record.partition(" ")
            if tag != "?" or not path.endswith(PERSONAL_SUFFIX):
                found.add(path)
        return sorted(found)

    def contents(self, object_ids: Iterable[str]) -> dict[str, bytes]:
        """Return the bytes of the named objects, read by one process.

        Raises:
            GitError: an object is missing.
        """
        wanted = list(dict.fromkeys(object_ids))
        if not wanted:
            return {}
        answer = self.run("cat-file", "--batch", stdin="".join(f"{name}\n" for name in wanted).encode("ascii"))
        found: dict[str, bytes] = {}
        at = 0
        for name in wanted:
            end = answer.index(b"\n", at)
            head = answer[at:end].split(b" ")
            if len(head) != 3:
                raise GitError(f"git object {name} cannot be read: {os.fsdecode(answer[at:end])}", "try git fsck")
            size = int(head[2])
            found[name] = answer[end + 1 : end + 1 + size]
            at = end + 1 + size + 1
        return found

    def stream(self, object_ids: Iterable[str]) -> Iterator[tuple[str, bytes]]:
        """Yield the named objects with their bytes, one after the other: never more than one is held.

        Raises:
            GitError: an object is missing.
        """
        with tempfile.TemporaryFile() as names:
            names.writelines(f"{name}\n".encode("ascii") for name in object_ids)
            if not names.tell():
                return
            names.seek(0)
            reader = self._start(("cat-file", "--batch"), names)
            try:
                answer = reader.stdout
                assert answer is not None
                while head := answer.readline():
                    words = head.split(b" ")
                    if len(words) != 3:
                        said = os.fsdecode(head).strip()
                        raise GitError(f"git object {said.partition(' ')[0]} cannot be read: {said}", "try git fsck")
                    yield words[0].decode("ascii"), answer.read(int(words[2]))
                    answer.read(1)
            finally:
                reader.kill()
                reader.communicate()

    def merged_by_lines(self, ours: Path, base: Path, theirs: Path, marker_size: int = 7, *, style: str = "") -> bytes:
        """Return git's merge of three files by lines, conflicts marked, in the ``style`` diff3 or zdiff3 or the usual.

        Raises:
            GitError: git makes none of them (binary files).
        """
        names = [option for label in ("ours", "base", "theirs") for option in ("-L", label)]
        files = [os.fspath(path) for path in (ours, base, theirs)]
        styles = [f"--{style}"] if style else []
        done = self._process(("merge-file", "-p", *styles, *names, f"--marker-size={marker_size}", *files), b"")
        if not 0 <= done.returncode <= _MOST_CONFLICTS:
            raise GitError(f"git merge-file: exit {done.returncode}")
        return done.stdout

    def run(self, *arguments: str, stdin: bytes = b"") -> bytes:
        """Run git and return what it printed.

        Raises:
            GitError: git is missing, or failed; carries git's own words.
        """
        done = self._process(arguments, stdin)
        if done.returncode:
            said = os.fsdecode(done.stderr).strip().splitlines() or [f"exit {done.returncode}"]
            if "not a git repository" in said[0]:
                raise GitError(f"{self.cwd} is not in a git repository", "git init makes one; -C DIR runs elsewhere")
            hint = " ".join(line.strip() for line in said[1:] if line.strip())
            raise GitError(f"git {arguments[0]}: {said[0].removeprefix('fatal: ')}", hint)
        return done.stdout

    def _line(self, *arguments: str) -> str:
        """Run git and return its one line; a path may hold line ends itself."""
        return os.fsdecode(self.run(*arguments)).removesuffix("\n")

    def _process(self, arguments: Sequence[str], stdin: bytes) -> subprocess.CompletedProcess[bytes]:
        try:
            return subprocess.run(
                [self._git, *arguments], cwd=self.cwd, env={**self.environ, "LC_ALL": "C"}, input=stdin,
                capture_output=True, check=False,
            )  # fmt: skip
        except OSError as error:
            raise GitError(f"git cannot be run: {error.strerror}") from None

    def _start(self, arguments: Sequence[str], stdin: IO[bytes]) -> subprocess.Popen[bytes]:
        try:
            return subprocess.Popen(
                [self._git, *arguments], cwd=self.cwd, env={**self.environ, "LC_ALL": "C"}, stdin=stdin,
                stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
            )  # fmt: skip
        except OSError as error:
            raise GitError(f"git cannot be run: {error.strerror}") from None

    @cached_property
    def _git(self) -> str:
        found = shutil.which("git", path=self.environ.get("PATH"))
        if found is None:
            raise GitError("git was not found on the PATH", "install git")
        return found


def _patterns(names: Iterable[str]) -> list[str]:
    """Return path patterns for memory files, and for files of these names, in every folder."""
    return [f":(top)*{suffix}" for suffix in MEMORY_SUFFIXES] + [f":(top,glob)**/{name}" for name in names]


def _records(answer: bytes) -> list[str]:
    return [os.fsdecode(record) for record in answer.split(b"\0") if record]
