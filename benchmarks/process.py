"""What a whole process costs: CPU time and peak memory of it alone."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from generate import TODAY


class Cost(NamedTuple):
    """CPU seconds, user and system together, and the most memory it had, in MB."""

    cpu: float
    peak: float


def environment(home: Path) -> dict[str, str]:
    """Return the environment of a person with an empty home, whose Python keeps what it compiled."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith(("GIT_", "MNEME_", "MNEMON_"))}
    kept.pop("PYTHONDONTWRITEBYTECODE", None)
    return {
        **kept, "HOME": str(home), "MNEME_CACHE_DIR": str(home / "cache"), "MNEME_TODAY": TODAY.isoformat(),
        "PYTHONPYCACHEPREFIX": str(home / "bytecode"), "GIT_CONFIG_NOSYSTEM": "1", "MNEME_EMBED": "off",
    }  # fmt: skip


def cost(command: Sequence[str | Path], env: dict[str, str]) -> Cost:
    """Run a command to its end.

    Raises:
        SystemExit: it failed; the measurement ends.
    """
    with tempfile.TemporaryFile() as said:
        process = subprocess.Popen(command, env=env, stdout=subprocess.DEVNULL, stderr=said)
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
        if process.returncode:
            said.seek(0)
            raise SystemExit(f"{command}: exit {process.returncode}: {said.read().decode()}")
    scale = 1 if sys.platform == "darwin" else 1024
    return Cost(usage.ru_utime + usage.ru_stime, usage.ru_maxrss * scale / 1e6)
