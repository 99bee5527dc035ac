"""Bytes of a file and their text: nothing is translated, so ``text.encode() == data``. Knows no format."""

from __future__ import annotations

import hashlib
import stat
from bisect import bisect_right
from dataclasses import dataclass, field
from pathlib import Path

from mneme.errors import UnreadableFile

BOM = "\ufeff"


def digest_bytes(data: bytes) -> str:
    """Return the lower-case hex SHA-256 of ``data``."""
    return hashlib.sha256(data).hexdigest()


@dataclass(frozen=True, slots=True)
class Source:
    """One file as it was read: its name for people, its bytes' digest, its text with BOM and line ends as found."""

    name: str
    text: str
    path: Path | None = None
    digest: str = field(default="", compare=False)


class LineIndex:
    """Offsets (characters, from 0) to line and column (from 1). Only LF ends a line, as ``grep -n`` counts."""

    __slots__ = ("_starts", "_text")

    def __init__(self, text: str) -> None:
        self._text = text
        starts = [0]
        find = text.find
        at = find("\n")
        while at >= 0:
            starts.append(at + 1)
            at = find("\n", at + 1)
        self._starts = starts

    def position(self, offset: int) -> tuple[int, int]:
        """Return (line, column) of ``offset``; a BOM takes no column."""
        line = bisect_right(self._starts, offset)
        column = offset - self._starts[line - 1] + 1
        if line == 1 and column > 1 and self._text.startswith(BOM):
            column -= 1
        return line, column

    def line_span(self, line: int) -> tuple[int, int]:
        """Return start and end offset of ``line`` (from 1), without its line end."""
        start = self._starts[line - 1]
        end = self._starts[line] - 1 if line < len(self._starts) else len(self._text)
        if end > start and self._text[end - 1] == "\r" and line < len(self._starts):
            end -= 1
        return start, end


def decode(data: bytes, name: str) -> str:
    """Return the text of UTF-8 ``data``, its BOM kept.

    Raises:
        UnreadableFile: the data is no UTF-8, or holds a NUL byte; says where (line and column, and the byte offset).
    """
    if data.startswith((b"\xff\xfe", b"\xfe\xff")):
        raise UnreadableFile(
            name, "the file is UTF-16, not UTF-8 (byte offset 0)", hint="save it as UTF-8; PowerShell: -Encoding utf8"
        )
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        column = error.start - (data.rfind(b"\n", 0, error.start) + 1) + 1
        raise UnreadableFile(
            name,
            f"not valid UTF-8: byte 0x{data[error.start]:02x} at byte offset {error.start}",
            line=line,
            column=column,
            hint="save the file as UTF-8",
        ) from None
    nul = data.find(b"\0")
    if nul >= 0:
        line = data.count(b"\n", 0, nul) + 1
        column = nul - (data.rfind(b"\n", 0, nul) + 1) + 1
        raise UnreadableFile(
            name,
            f"a NUL byte at byte offset {nul}: this is no UTF-8 text",
            line=line,
            column=column,
            hint="save the file as UTF-8 text",
        )
    return text


def read_source(path: Path, name: str | None = None) -> Source:
    """Read ``path`` whole.

    Raises:
        UnreadableFile: missing, a folder, a device, a pipe somebody left there, no permission, or not UTF-8.
    """
    name = str(path) if name is None else name
    try:
        _refuse_endless(path, name)
        data = path.read_bytes()
    except FileNotFoundError:
        broken = path.is_symlink()
        reason = "a link whose target does not exist" if broken else "no such file"
        raise UnreadableFile(name, reason, line=0) from None
    except IsADirectoryError:
        raise UnreadableFile(name, "a folder, not a file", line=0) from None
    except OSError as error:
        raise UnreadableFile(name, error.strerror or str(error), line=0) from None
    return Source(name, decode(data, name), path, digest_bytes(data))


def _refuse_endless(path: Path, name: str) -> None:
    """Refuse what may never end or never begin. A pipe of the shell's own (``<(command)``) is as good as a file."""
    mode = path.stat().st_mode
    own_pipe = stat.S_ISFIFO(mode) and path.parts[:2] in (("/", "dev"), ("/", "proc"))
    if not (stat.S_ISREG(mode) or stat.S_ISDIR(mode) or own_pipe):
        kind = "a pipe" if stat.S_ISFIFO(mode) else "a socket" if stat.S_ISSOCK(mode) else "a device"
        raise UnreadableFile(name, f"{kind}, not a file", line=0)
