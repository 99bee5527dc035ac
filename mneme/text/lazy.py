"""Regular expressions compiled when first used: most runs use few of them, and compiling costs start-up time."""

from __future__ import annotations

import re
from typing import Any, cast


def lazy(expression: str, flags: int = 0) -> re.Pattern[str]:
    """Return a stand-in for ``re.compile(expression, flags)`` that compiles at the first use of any of its methods."""
    return cast("re.Pattern[str]", _Lazy(expression, flags))


class _Lazy:
    """Holds the expression until somebody asks for an attribute, which is then the compiled pattern's."""

    def __init__(self, expression: str, flags: int) -> None:
        self._source = (expression, flags)

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):  # copying and pickling look for hooks that a pattern does not have
            raise AttributeError(name)
        value = getattr(re.compile(*self._source), name)
        setattr(self, name, value)
        return value
