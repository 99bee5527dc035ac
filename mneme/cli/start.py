"""Where the commands start: an interrupt while the rest is still being loaded ends as quietly as a later one."""

from __future__ import annotations

import sys

INTERRUPTED = 130
"""``ExitCode.INTERRUPTED``, before anything is loaded."""


def mneme() -> None:
    """Run ``mneme`` with the arguments of this process, and exit."""
    try:
        from mneme.cli.main import entry

        entry()
    except KeyboardInterrupt:
        sys.exit(INTERRUPTED)


def mneme_tool() -> None:
    """Run ``mneme_tool`` with the arguments of this process, and exit."""
    try:
        from mneme.cli.classic import entry

        entry()
    except KeyboardInterrupt:
        sys.exit(INTERRUPTED)
