"""Results of cell rules, kept by cell text from one run to the next, with the parse of that text.

One file a workspace, rule set and configuration, in the person's cache folder: never in the project, so never committed
and never somebody else's. It holds checksummed segments: a torn, damaged or outdated one is not read, and what it held
is found again. Entries are good for one version of the program, one configuration and one day.
"""

from __future__ import annotations

import contextlib
import hashlib
import marshal
import os
import sys
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import mneme
from mneme.config import Config
from mneme.format import grammar, parser
from mneme.format.model import Cell, CellState, Link, Oddity
from mneme.lint.rule import Fix
from mneme.text.patch import Patch

_MAGIC = b"mneme-cache-1\n"
_DIGEST_SIZE = 16
_MAX_CELLS = 250_000
_KEEP_FILES = 4


class CellHit(NamedTuple):
    """A cell rule's hit without the cell: offsets count from the cell's first character."""

    code: str
    start: int
    end: int
    message: str
    hint: str
    fix: Fix | None


class ResultCache:
    """What is known of cells by their text. ``results`` holds an entry for every checked cell, empty or not."""

    def __init__(self, path: Path | None = None, key: bytes = b"") -> None:
        self.results: dict[str, tuple[CellHit, ...]] = {}
        self._path = path
        self._key = key
        self._fresh: list[tuple[Cell, tuple[CellHit, ...]]] = []
        self._shapes = 0
        self._usable = False

    @classmethod
    def open(cls, folder: Path, root: Path, key: Sequence[str]) -> ResultCache:
        """Read what earlier runs under ``key`` left in ``folder`` about ``root``; the parser gets its part of it."""
        name = hashlib.blake2b("\0".join([str(root), *key[:-1]]).encode("utf-8", "surrogatepass"), digest_size=12)
        own = hashlib.blake2b("\0".join(key).encode("utf-8", "surrogatepass"), digest_size=_DIGEST_SIZE).digest()
        place = hashlib.blake2b(str(root).encode("utf-8", "surrogatepass"), digest_size=8).hexdigest()
        cache = cls(folder / f"{place}-{name.hexdigest()}.lint", own)
        cache._load()
        return cache

    def add(self, results: Iterable[tuple[Cell, tuple[CellHit, ...]]]) -> None:
        """Remember the hits of freshly checked cells."""
        for cell, hits in results:
            self.results[cell.text] = hits
            self._fresh.append((cell, hits))

    def save(self) -> None:
        """Append what is new, or begin anew when most of what is kept is no longer used. Best effort: it is a cache."""
        if self._path is None or not (self._fresh or len(grammar.the_grammar().plans) > self._shapes):
            return
        segment = _pack([(_plain(cell), _plain_hits(hits)) for cell, hits in self._fresh])
        with contextlib.suppress(OSError):
            self._path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
            if self._usable and len(self.results) < _MAX_CELLS:
                with self._path.open("ab") as stream:
                    stream.write(segment)
            else:
                temporary = self._path.with_name(f".{self._path.name}.{os.getpid()}.tmp")
                temporary.write_bytes(_MAGIC + self._key + segment)
                temporary.replace(self._path)
                self._prune()

    def _prune(self) -> None:
        assert self._path is not None
        place = self._path.name.partition("-")[0]
        files = sorted(self._path.parent.glob(f"{place}-*.lint"), key=lambda path: path.stat().st_mtime, reverse=True)
        for path in files[_KEEP_FILES:]:
            path.unlink(missing_ok=True)

    def _load(self) -> None:
        assert self._path is not None
        try:
            data = self._path.read_bytes()
        except OSError:
            return
        at = len(_MAGIC) + _DIGEST_SIZE
        if data[:at] != _MAGIC + self._key:
            return
        self._usable = True
        while at < len(data):
            entries, memo, at = _unpack(data, at)
            if entries is None:  # torn or damaged: what follows cannot be found, and the next run begins anew
                self._usable = False
                break
            grammar.prime(grammar.Memo(*memo))
            self._shapes = len(memo[3])
            cells = []
            for plain, hits in entries:
                cell = _cell(plain)
                cells.append(cell)
                self.results[cell.text] = tuple([_hit(hit) for hit in hits]) if hits else ()
            parser.prime(cells)


def _pack(entries: list[Any]) -> bytes:
    payload = marshal.dumps((entries, tuple(grammar.the_grammar().memo)))
    return hashlib.blake2b(payload, digest_size=_DIGEST_SIZE).digest() + len(payload).to_bytes(8, "big") + payload


def _unpack(data: bytes, at: int) -> tuple[Any, Any, int]:
    start = at + _DIGEST_SIZE + 8
    end = start + int.from_bytes(data[at + _DIGEST_SIZE : start], "big")
    payload = memoryview(data)[start:end]
    if end > len(data) or hashlib.blake2b(payload, digest_size=_DIGEST_SIZE).digest() != data[at : at + _DIGEST_SIZE]:
        return None, None, len(data)
    # marshal trusts its input: the checksum vouches for it, and the folder is the person's own.
    entries, memo = marshal.loads(payload)  # noqa: S302
    return entries, memo, end


def _plain(cell: Cell) -> tuple[Any, ...]:
    return (
        *cell[:8],
        tuple([tuple(link) for link in cell.links]),
        tuple(cell.status),
        tuple([tuple(oddity) for oddity in cell.oddities]),
    )


def _cell(plain: tuple[Any, ...]) -> Cell:
    new = tuple.__new__
    links, status, oddities = plain[8:]
    return new(
        Cell,
        (
            *plain[:8],
            tuple([new(Link, link) for link in links]) if links else (),
            new(CellState, status),
            tuple([new(Oddity, oddity) for oddity in oddities]) if oddities else (),
        ),
    )


def _plain_hits(hits: tuple[CellHit, ...]) -> tuple[Any, ...]:
    return tuple([
        (*hit[:5], hit.fix and (hit.fix.title, [tuple(patch) for patch in hit.fix.patches], *hit.fix[2:]))
        for hit in hits
    ])  # fmt: skip


def _hit(plain: tuple[Any, ...]) -> CellHit:
    code, start, end, message, hint, fix = plain
    if fix is not None:
        title, patches, safe, repairs = fix
        fix = Fix(title, tuple([Patch(*patch) for patch in patches]), safe, repairs)
    return CellHit(code, start, end, message, hint, fix)


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


def fingerprint(codes: Iterable[str], config: Config, today: str, extra: str = "") -> list[str]:
    """Return what results depend on besides cell text: program, Python, rules, configuration, day (last)."""
    return [mneme.__version__, sys.version, extra, _program(), ",".join(codes), repr(config), today]


def _program() -> str:
    """Return a mark of the program's own files: a checkout changes without a new version."""
    marks: list[str] = []
    for folder in (*mneme.__path__, *_grammar_path()):
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
    return hashlib.blake2b("\n".join(marks).encode(), digest_size=12).hexdigest()


def _grammar_path() -> list[str]:
    import mneme.grammar

    return list(mneme.grammar.__path__)
