"""The files of a source: found without following links, read within bounds."""

from __future__ import annotations

import os
import stat
from collections.abc import Callable, Iterator
from pathlib import Path

from mneme.bridge.imports.markdown import OF_OURS
from mneme.bridge.imports.note import Part, Reading
from mneme.bridge.projection.blocks import find_block
from mneme.bridge.projection.claude import is_all_ours
from mneme.errors import EditError, UnreadableFile
from mneme.format.entry import MARK
from mneme.text.source import read_source

MAX_BYTES = 16 * 1024 * 1024
"""Of a file of JSON lines; of Markdown, what nobody writes by hand."""

MAX_MARKDOWN = 1024 * 1024
MAX_FILES = 5000
_JSON = (".json", ".jsonl")


def parts_of(source: Path, name: str, takes: Callable[[str], bool], reading: Reading) -> list[Part]:
    """Return the text of ``source``, or of the files in it whose names ``takes`` accepts, in order of their names.

    ``name`` is what provenance calls the source. A file that cannot be read is noted in ``reading``; links inside of a
    folder are not followed.
    """
    if not source.is_dir():
        return [part for part in [_part(source, name, reading)] if part]
    found: list[Part] = []
    for path in _walk(source, takes, reading):
        if len(found) >= MAX_FILES:
            reading.broken(name, 0, f"more than {MAX_FILES:,} files", "import one folder below it at a time")
            break
        inner = path.relative_to(source).as_posix()
        if part := _part(path, inner if name in ("", ".") else f"{name}/{inner}", reading):
            found.append(part)
    return found


def _walk(folder: Path, takes: Callable[[str], bool], reading: Reading) -> Iterator[Path]:
    def refused(error: OSError) -> None:
        reading.broken(os.path.relpath(error.filename, folder), 0, error.strerror or "cannot be read")

    for parent, folders, names in os.walk(folder, onerror=refused):
        folders.sort()
        for one in folders:
            if Path(parent, one).is_symlink():
                reading.left_out["links"] += 1
        folders[:] = [one for one in folders if not one.startswith(".")]
        for one in sorted(names):
            path = Path(parent, one)
            if not takes(one):
                continue
            if path.is_symlink():
                reading.left_out["links"] += 1
            else:
                yield path


def _part(path: Path, name: str, reading: Reading) -> Part | None:
    limit = MAX_BYTES if path.suffix in _JSON else MAX_MARKDOWN
    try:
        facts = path.stat()
        if stat.S_ISREG(facts.st_mode) and facts.st_size > limit:
            reading.broken(name, 0, f"larger than {limit // 1024:,} KiB", "import a part of it")
            return None
        text = read_source(path, name).text
        return Part(name, text if path.suffix in _JSON else _of_others(text, name, reading))
    except UnreadableFile as error:
        reading.unreadable.append(error)
    except EditError as error:  # marks of ours that do not pair up: what is ours cannot be told from what is not
        reading.broken(
            name, 0, error.message.removeprefix(f"{name}:").removesuffix("; nothing was written"), error.hint
        )
    except OSError as error:
        reading.broken(name, 0, error.strerror or "cannot be read")
    return None


def _of_others(text: str, name: str, reading: Reading) -> str:
    """Return ``text`` without what ``mneme project`` wrote into it; every line keeps its number."""
    if is_all_ours(text, name.rpartition("/")[2]):
        reading.left_out[OF_OURS] += 1
        return ""
    block = find_block(text, name)
    if block is not None:
        reading.left_out[OF_OURS] += 1
        text = text[: block.start] + "\n" * text.count("\n", block.start, block.end) + text[block.end :]
    # Hosts separate entries by a line with this mark alone.
    return "\n".join("" if line.rstrip() == MARK else line for line in text.split("\n")) if MARK in text else text
