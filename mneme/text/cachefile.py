"""Files that only save time, in the person's own cache folder: checksummed, best effort, never in the project.

A cache inside a repository could be committed, or written by somebody else. One that is damaged or of another program
is not read, and what it held is found again.
"""

from __future__ import annotations

import contextlib
import hashlib
import marshal
import os
import stat
import sys
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any

_DIGEST_SIZE = 16
_HEAD = _DIGEST_SIZE + 8
_BINARY = getattr(os, "O_BINARY", 0)
_NO_WAITING = getattr(os, "O_NONBLOCK", 0)


def cache_folder(environ: Mapping[str, str], home: Path | None) -> Path | None:
    """Return the person's cache folder for mneme: ``MNEME_CACHE_DIR``, else the platform's place; None without one."""
    named = environ.get("MNEME_CACHE_DIR")
    if named:
        return Path(named)
    if sys.platform == "win32":
        local = environ.get("LOCALAPPDATA")
        return Path(local) / "mneme" / "Cache" if local else None
    if sys.platform == "darwin":
        return home / "Library" / "Caches" / "mneme" if home else None
    xdg = environ.get("XDG_CACHE_HOME", "")
    if xdg.startswith("/"):
        return Path(xdg) / "mneme"
    return home / ".cache" / "mneme" if home else None


def mark(*parts: str) -> str:
    """Return a short name for ``parts`` taken together."""
    return hashlib.blake2b("\0".join(parts).encode("utf-8", "surrogatepass"), digest_size=12).hexdigest()


def pack(value: Any) -> bytes:
    """Return ``value`` (of what marshal knows) as one segment: checksum, length, content."""
    payload = marshal.dumps(value)
    return hashlib.blake2b(payload, digest_size=_DIGEST_SIZE).digest() + len(payload).to_bytes(8, "big") + payload


def unpack(data: bytes, at: int = 0) -> tuple[Any, int]:
    """Return the value of the segment at ``at`` and the offset behind it; (None, end of data) for a damaged one."""
    start = at + _HEAD
    end = start + int.from_bytes(data[at + _DIGEST_SIZE : start], "big")
    payload = memoryview(data)[start:end]
    if end > len(data) or hashlib.blake2b(payload, digest_size=_DIGEST_SIZE).digest() != data[at : at + _DIGEST_SIZE]:
        return None, len(data)
    # marshal trusts its input: the checksum vouches for it, and the folder is the person's own.
    return marshal.loads(payload), end  # noqa: S302


def read(path: Path) -> bytes:
    """Return the bytes of ``path``; none when it cannot be read or is no file: a pipe would have us wait."""
    try:
        with os.fdopen(os.open(path, os.O_RDONLY | _BINARY | _NO_WAITING), "rb") as stream:
            return stream.read() if stat.S_ISREG(os.fstat(stream.fileno()).st_mode) else b""
    except OSError:
        return b""


def write(path: Path, data: bytes) -> None:
    """Replace ``path`` whole, or leave it: it is a cache. Only the person can read it: it may hold text of cells."""
    with contextlib.suppress(OSError):
        path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        temporary = path.with_name(f".{path.name}.{os.getpid()}.tmp")
        with os.fdopen(
            os.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_TRUNC | _BINARY | _NO_WAITING, 0o600), "wb"
        ) as stream:
            stream.write(data)
        temporary.replace(path)


@cache
def program_mark() -> str:
    """Return a mark of this very program: version, interpreter, and its own files, since a checkout changes."""
    import mneme.grammar

    marks = [mneme.__version__, sys.version]
    for folder in (*mneme.__path__, *mneme.grammar.__path__):
        if Path(folder).is_dir():
            for parent, folders, names in os.walk(folder):
                folders.sort()
                for name in sorted(names):
                    if name.endswith((".py", ".lark")):
                        facts = Path(parent, name).stat()
                        marks.append(f"{name}:{facts.st_mtime_ns}:{facts.st_size}")
        else:  # inside a zip archive
            archive = next((path for path in Path(folder).parents if path.is_file()), None)
            marks.append(f"{archive}:{archive.stat().st_mtime_ns}:{archive.stat().st_size}" if archive else folder)
    return mark(*marks)
