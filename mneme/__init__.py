"""Mneme: plain-text, git-native memory for coding agents and the people who work with them."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from mneme.memory.api import Memory

__version__ = "0.1.0"

__all__ = ["Memory", "__version__"]


if not TYPE_CHECKING:

    def __getattr__(name: str) -> object:
        """Import what is named when it is asked for: commands start without the API."""
        if name == "Memory":
            from mneme.memory.api import Memory

            return Memory
        raise AttributeError(f"module 'mneme' has no attribute {name!r}")
