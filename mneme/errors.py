"""Exceptions that stop the work, and the exit codes they end in.

Problems in the user's text are findings, not exceptions; what stands here is what makes going on impossible.
"""

from __future__ import annotations

from enum import IntEnum


class ExitCode(IntEnum):
    """What a command's exit status says."""

    OK = 0
    FINDINGS = 1  # errors found, or "--check would change something"
    UNUSABLE = 2  # usage, configuration, unreadable input, environment
    BUG = 3  # ours; a log file is written
    CAPACITY = 10  # hot memory is full: a compaction is needed first
    CONFLICT = 11  # what was planned for has changed since
    AMBIGUOUS = 12  # more than one entry matches
    NO_MATCH = 13  # no entry matches
    INVALID_PLAN = 14  # an answer breaks a rule of compaction
    INTERRUPTED = 130


class MnemeError(Exception):
    """The work cannot go on; says why in one sentence and, as a hint, what to do."""

    exit_code = ExitCode.UNUSABLE

    def __init__(self, message: str, hint: str = "") -> None:
        super().__init__(message)
        self.message = message
        self.hint = hint


class UsageError(MnemeError):
    """The command was asked for something that cannot be."""


class ConfigError(MnemeError):
    """The configuration does not say something we understand."""


class UnreadableFile(MnemeError):
    """A file cannot be read, or is no UTF-8 text; ``line`` and ``offset`` (bytes, from 0) when known."""

    def __init__(self, path: str, reason: str, *, line: int = 1, column: int = 1, hint: str = "") -> None:
        super().__init__(f"{path}:{line}:{column}: {reason}" if line else f"{path}: {reason}", hint)
        self.path = path
        self.reason = reason
        self.line = line
        self.column = column


class EditError(MnemeError):
    """An edit was refused and nothing was written."""


class StaleSource(EditError):
    """The file changed since it was read."""


class IllegalTransition(EditError):
    """The format does not allow this change of state."""
