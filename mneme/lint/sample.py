r"""Samples: small memories written on a page, in the rules' documentation and in tests.

A sample is the text of ``project.mneme``. A line ``--- NAME`` begins another file. What a page cannot show is escaped:
``\xNN`` a byte, ``\uNNNN`` and ``\UNNNNNNNN`` a character, ``\t`` a tab, ``\r`` a carriage return (before the line end:
CRLF), and ``\z`` at the end of the last line says that no line end follows. Every other backslash is itself. In the
samples of rules about history, ``--- HEAD:NAME`` is a file as it is committed.
"""

from __future__ import annotations

import re

FIRST_FILE = "project.mneme"


def sample_files(text: str, first: str = FIRST_FILE) -> dict[str, bytes]:
    """Return the files that the sample ``text`` shows, by name; escapes are resolved, every line ends in LF."""
    files: dict[str, list[str]] = {first: []}
    name = first
    for line in text.split("\n"):
        if line.startswith("--- "):
            name = line[4:].strip()
            files[name] = []
        else:
            files[name].append(line)
    return {name: unescape("\n".join([*lines, ""])) for name, lines in files.items() if lines or name != first}


def unescape(text: str) -> bytes:
    """Return ``text`` as UTF-8 with the escapes of samples resolved."""
    data = _ESCAPE.sub(_meant, text.encode("utf-8"))
    return data.rstrip(b"\n").removesuffix(_NO_LINE_END) if data.rstrip(b"\n").endswith(_NO_LINE_END) else data


def has_escapes(text: str) -> bool:
    """Whether ``text`` shows something as an escape."""
    return _ESCAPE.search(text.encode("utf-8")) is not None


_ESCAPE = re.compile(rb"\\(?:x([0-9a-f]{2})|u([0-9a-f]{4})|U([0-9a-f]{8})|([tr]))")
_NO_LINE_END = rb"\z"


def _meant(match: re.Match[bytes]) -> bytes:
    if match[1]:
        return bytes([int(match[1], 16)])
    if match[4]:
        return b"\t" if match[4] == b"t" else b"\r"
    return chr(int(match[2] or match[3], 16)).encode("utf-8")
