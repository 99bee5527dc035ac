"""All kinds of sources, and how each is recognised."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import NamedTuple

from mneme.bridge.imports import (
    adr,
    agents_md,
    basic_memory,
    beads,
    bullets,
    claude_md,
    claude_memory,
    cursor,
    memories_json,
    memory_server,
    mnemon,
)
from mneme.bridge.imports.note import Part, Reading
from mneme.errors import UnreadableFile, UsageError


class Kind(NamedTuple):
    """A kind of source: its name, what it is, the importer (None: it is a store), and which files of a folder count."""

    name: str
    what: str
    read: Callable[[Sequence[Part], Reading], None] | None
    takes: Callable[[str], bool]


def _ends(*suffixes: str) -> Callable[[str], bool]:
    return lambda name: name.endswith(suffixes)


def _is(*names: str) -> Callable[[str], bool]:
    return lambda name: name in names


KINDS = {
    kind.name: kind
    for kind in (
        Kind("claude-md", "CLAUDE.md, CLAUDE.local.md", claude_md.read, _is(*claude_md.NAMES)),
        Kind("claude-memory", "Claude Code's auto-memory folder", claude_memory.read, _ends(".md")),
        Kind("agents-md", "AGENTS.md, GEMINI.md", agents_md.read, _is(*agents_md.NAMES)),
        Kind("cursor", "Cursor rules: .mdc files, .cursorrules", cursor.read, _ends(cursor.SUFFIX, cursor.OLD_NAME)),
        Kind("mnemon", "a store of the Mnemon engine", None, _is(mnemon.FILE_NAME)),
        Kind("memories-json", "hot memory of agent hosts", memories_json.read, _is("memories.json")),
        Kind("memory-server", "JSON lines of the MCP memory server", memory_server.read, _ends(".jsonl", ".json")),
        Kind("beads", "memories in beads' issues.jsonl", beads.read, _ends(".jsonl")),
        Kind("adr", "architecture decision records", adr.read, _ends(".md")),
        Kind("basic-memory", "notes of basic-memory", basic_memory.read, _ends(".md")),
        Kind("list", "a list, one memory an item", bullets.read, _ends(".md", ".txt")),
    )
}

_PLACES = (
    "CLAUDE.md", "CLAUDE.local.md", "AGENTS.md", "GEMINI.md", ".cursor/rules", ".cursorrules", ".beads/issues.jsonl",
    "docs/adr", "docs/decisions", "doc/adr",
)  # fmt: skip
"""What a project may hold that can be imported."""

_HEAD = 65536
"""So many bytes of a file are looked at to tell what it is."""

_SAMPLE = 50
"""So many files of a folder."""

_STATUS = re.compile(r"^(?:[*-][ \t]+)?[*_]*status[*_]*[ \t]*:|^##[ \t]+status\b", re.IGNORECASE | re.MULTILINE)
_PERMALINK = re.compile(r"^permalink:|^[-*][ \t]+\[(?![ xX]\])[^\[\]()\n]{2,40}\][ \t]+(?!\()\S|"
                        r"^[-*][ \t]+[\w -]*\[\[[^\[\]\n]+\]\]", re.MULTILINE)  # fmt: skip


_BEGINNING = re.compile(r"\ufeff?\s*\{\s*\"(?:(_type)\"|type\"\s*:\s*\"(?:entity|relation)\")")


def detect(source: Path, name: str) -> Kind:
    """Return what kind of source is there, by its name and content.

    Raises:
        UsageError: it cannot be told.
        UnreadableFile: it cannot be read.
    """
    try:
        found = _folder(source) if source.is_dir() else _file(source)
    except OSError as error:
        raise UnreadableFile(name, error.strerror or "cannot be read", line=0) from None
    if not found:
        inside = [one for one in _PLACES if source.is_dir() and (source / one).exists()]
        hint = f"name what is meant: {', '.join(inside)}" if inside else f"say it: --as {', '.join(KINDS)}"
        raise UsageError(f"{name}: it cannot be told what this is", hint)
    return KINDS[found]


def _folder(source: Path) -> str:
    entries = sorted(path for path in source.iterdir() if not path.is_symlink())
    names = {path.name for path in entries}
    if claude_memory.INDEX in names:
        return "claude-memory"
    if any(name.endswith(cursor.SUFFIX) for name in names):
        return "cursor"
    for name, kind in ((mnemon.FILE_NAME, "mnemon"), ("memories.json", "memories-json"), ("issues.jsonl", "beads")):
        if name in names:
            return kind
    pages = [path for path in entries if path.suffix == ".md" and path.is_file()]
    pages = pages or [path for path in sorted(source.glob("*/*.md")) if not path.is_symlink() and path.is_file()]
    texts = [_head(path) for path in pages[:_SAMPLE]]
    records = [
        path for path, text in zip(pages, texts, strict=False) if adr.NUMBER.match(path.name) and _STATUS.search(text)
    ]
    if records:
        return "adr"
    if any(_is_basic(text) for text in texts):
        return "basic-memory"
    return ""


def _file(source: Path) -> str:
    name = source.name
    for kind in ("claude-md", "agents-md", "cursor"):
        if KINDS[kind].takes(name):
            return kind
    if name == claude_memory.INDEX:
        return "claude-memory"
    head = _head(source)
    if head.startswith(mnemon.MAGIC.decode()):
        return "mnemon"
    if name.endswith((".json", ".jsonl")):
        return _json(head)
    if not name.endswith((".md", ".markdown", ".txt")):
        return ""
    if _is_basic(head):
        return "basic-memory"
    return "adr" if adr.NUMBER.match(name) and _STATUS.search(head) else "list"


def _is_basic(text: str) -> bool:
    return _PERMALINK.search(text) is not None


def _json(head: str) -> str:
    for line in head.lstrip("\ufeff").split("\n"):
        try:
            value = json.loads(line)
        except (ValueError, RecursionError):
            break
        if not isinstance(value, dict):
            break
        if value.get("type") in ("entity", "relation"):
            return "memory-server"
        if "_type" in value or {"id", "title"} <= value.keys():
            return "beads"
        if "entries" in value:
            return "memories-json"
    if found := _BEGINNING.match(head):  # a first line longer than what is looked at
        return "beads" if found[1] == "_type" else "memory-server"
    return "memories-json" if re.match(r"\s*\{\s*\"(?:version|entries)\"", head.lstrip("\ufeff")) else ""


def _head(path: Path) -> str:
    if not path.is_file():
        return ""
    with path.open("rb") as stream:
        return stream.read(_HEAD).decode("utf-8", "replace")
