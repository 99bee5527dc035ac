"""Who is writing: the agent, the person, the session, as far as the environment says."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import NamedTuple

AGENT_VARIABLES = ("MNEME_AGENT", "AI_AGENT")
"""Hold the agent's name."""

AGENT_SIGNS = {
    "CLAUDECODE": "claude-code", "CODEX_THREAD_ID": "codex", "CODEX_SANDBOX": "codex", "GEMINI_CLI": "gemini-cli",
    "CURSOR_AGENT": "cursor", "OPENCODE": "opencode", "QWEN_CODE": "qwen-code",
}  # fmt: skip
"""Variables that hosts set for the commands they run, and what the host is called."""

SESSION_VARIABLES = ("MNEME_SESSION", "CLAUDE_CODE_SESSION_ID", "CODEX_THREAD_ID")
USER_VARIABLE = "MNEME_USER"

_LONGEST = 200


class Writer(NamedTuple):
    """Who writes; what is not known is empty."""

    agent: str = ""
    user: str = ""
    session: str = ""

    def pairs(self) -> list[tuple[str, str]]:
        """Return what an origin line says of it."""
        return [(key, value) for key, value in self._asdict().items() if value]


def writer_of(environ: Mapping[str, str], author: Callable[[], str] = lambda: "") -> Writer:
    """Return who writes, by the environment; ``author`` is asked for the person where that is silent."""
    named = next((environ[name] for name in AGENT_VARIABLES if environ.get(name)), "")
    agent = named or next((host for sign, host in AGENT_SIGNS.items() if environ.get(sign)), "")
    session = next((environ[name] for name in SESSION_VARIABLES if environ.get(name)), "")
    return Writer(*(value.strip()[:_LONGEST] for value in (agent, environ.get(USER_VARIABLE) or author(), session)))
