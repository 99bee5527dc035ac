"""What every command gets: the folder, the clock, the configuration, and how to speak."""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

import click

from mneme.errors import UsageError

if TYPE_CHECKING:
    from mneme.format.memo import Kept
    from mneme.workspace import Workspace, World


def parse_day(text: str) -> date:
    """Return the day that ``text`` names.

    Raises:
        UsageError: it is no date of the form YYYY-MM-DD.
    """
    try:
        if re.fullmatch(r"\d{4}-\d\d-\d\d", text, re.ASCII):
            return date(*map(int, text.split("-")))
    except ValueError as error:
        raise UsageError(f"--today {text!r} is no date: {error}", "write it as YYYY-MM-DD") from None
    raise UsageError(f"--today {text!r} is no date", "write it as YYYY-MM-DD")


def working_folder() -> Path:
    """Return the folder one stands in.

    Raises:
        UsageError: it is gone, or may not be looked at.
    """
    try:
        return Path.cwd()
    except OSError as error:
        raise UsageError(f"the working folder cannot be used: {error.strerror}", "change to one that exists") from None


def read_stdin() -> bytes:
    """Read standard input whole.

    Raises:
        UsageError: it is closed, or cannot be read.
    """
    if sys.stdin is None:
        raise UsageError("standard input is closed", "- stands for standard input: give it a text")
    try:
        return sys.stdin.buffer.read()
    except OSError as error:
        raise UsageError(f"standard input cannot be read: {error.strerror}") from None


@dataclass
class App:
    """The invocation: everything taken from the environment is taken here, once."""

    cwd: Path
    today: date
    environ: Mapping[str, str]
    config_file: Path | None = None
    color: str = "auto"
    verbosity: int = 0

    @classmethod
    def from_environment(
        cls,
        environ: Mapping[str, str],
        *,
        cwd: Path,
        config_file: str | None = None,
        today: str | None = None,
        color: str = "auto",
        verbosity: int = 0,
    ) -> App:
        """Make the invocation.

        Raises:
            UsageError: ``today`` is no date, or the configuration file does not exist.
        """
        # Without --today, the person's own calendar day is meant.
        day = date.today() if today is None else parse_day(today)  # noqa: DTZ011
        path = None
        if config_file is not None:
            path = cwd / config_file
            if not os.path.isfile(path):  # noqa: PTH113 - pathlib raises where one may not look
                raise UsageError(f"--config {config_file}: no such file")
        return cls(cwd, day, environ, path, color, verbosity)

    @cached_property
    def home(self) -> Path | None:
        """The person's home folder; None when it cannot be told."""
        try:
            return Path.home()
        except RuntimeError:
            return None

    @cached_property
    def cache(self) -> Path | None:
        """The person's folder for what only saves time."""
        from mneme.text.cachefile import cache_folder

        return cache_folder(self.environ, self.home)

    @cached_property
    def _memo(self) -> Kept | None:
        """The compiled grammar of earlier runs, handed to this one."""
        from mneme.format.memo import load

        return load(self.cache) if self.cache else None

    def close(self) -> None:
        """Keep what may save the next run time."""
        if "_memo" in self.__dict__ and self._memo is not None:
            from mneme.format.memo import save

            save(self._memo)

    @cached_property
    def workspace(self) -> Workspace:
        """The workspace of the working folder."""
        return self._find(self.cwd)

    def workspace_of(self, names: Sequence[str]) -> Workspace:
        """Return the workspace whose configuration holds for the named files: that of the first, else the folder's."""
        paths = [self.cwd / name for name in names if name != "-"]
        if not paths:
            return self.workspace
        near = paths[0] if os.path.isdir(paths[0]) else paths[0].parent  # noqa: PTH112 - pathlib raises where one may not look
        return self._find(near)

    def _find(self, near: Path) -> Workspace:
        from mneme.workspace import Workspace

        _ = self._memo  # in time for the first parse
        return Workspace.find(self.cwd, config_file=self.config_file, home=self.home, near=near)

    def world(self, names: Sequence[str], *, personal: bool = True, archive: bool = True) -> World:
        """Read what a command was pointed at: files, folders, ``-`` for standard input; none means the workspace."""
        stdin = read_stdin() if "-" in names else None
        return self.workspace_of(names).world(names, stdin=stdin, personal=personal, archive=archive)

    @property
    def coloured(self) -> bool:
        """Whether reports on standard output carry colours."""
        if self.color != "auto":
            return self.color == "always"
        return sys.stdout.isatty() and not self.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb"

    def say(self, message: str, *, level: int = 0) -> None:
        """Tell the person something on standard error, in one line, unless asked to be quieter than ``level``."""
        if self.verbosity >= level:
            from mneme.text.visible import visible

            click.echo(visible(message), err=True)
