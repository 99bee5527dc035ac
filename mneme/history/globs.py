"""Globs as git's path patterns read them: ``*`` and ``?`` stay inside one folder, ``**`` crosses folders."""

from __future__ import annotations

import re
from functools import lru_cache


@lru_cache(maxsize=1024)
def glob_pattern(glob: str) -> re.Pattern[str]:
    """Return the expression that matches the whole of every path that ``glob`` names."""
    made = []
    at = 0
    while at < len(glob):
        if glob.startswith("**/", at) and (at == 0 or glob[at - 1] == "/"):
            made.append("(?:[^/]+/)*")
            at += 3
        elif glob.startswith("**", at) and at + 2 == len(glob) and (at == 0 or glob[at - 1] == "/"):
            made.append(".+")
            at += 2
        elif glob[at] == "*":
            made.append("[^/]*")
            at += 1
        elif glob[at] == "?":
            made.append("[^/]")
            at += 1
        elif glob[at] == "[" and (end := glob.find("]", at + 2)) > 0:
            inner = glob[at + 1 : end].replace("\\", "\\\\")
            made.append(f"(?!/)[{'^' + inner[1:] if inner[0] in '!^' else inner}]")
            at = end + 1
        else:
            made.append(re.escape(glob[at]))
            at += 1
    try:
        return re.compile("".join(made))
    except re.error:
        return re.compile(re.escape(glob))
