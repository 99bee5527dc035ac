"""``memories.json``, version 1: its records, how it is read and written, and its revision."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Sequence
from datetime import datetime
from typing import Any, NamedTuple

from mneme.errors import EditError, UsageError
from mneme.format.entry import ITEM_LIMIT, MARK, MEMORY, USER, normalise

VERSION = 1
TARGETS = (USER, MEMORY)

CRITICAL, NORMAL, LOW = "critical", "normal", "low"
IMPORTANCE = (LOW, NORMAL, CRITICAL)
"""From the least to the most."""

IMP = {CRITICAL: "5", NORMAL: "3", LOW: "1"}
"""What ``imp`` a cell of this importance gets."""


class Record(NamedTuple):
    """One entry of the file, its fields in the file's order; ``branches`` None: it says none."""

    content: str
    created_at: str
    updated_at: str
    target: str
    importance: str
    branches: tuple[str, ...] | None = None

    def data(self) -> dict[str, Any]:
        """Return it as the file has it."""
        data: dict[str, Any] = self._asdict()
        branches = data.pop("branches")
        return data if branches is None else {**data, "branches": list(branches)}


def importance_of(imp: int) -> str:
    """Return the host's word for an ``imp`` of 1 to 5."""
    return CRITICAL if imp >= 5 else LOW if imp <= 2 else NORMAL


def stamp(moment: datetime) -> str:
    """Return a moment in UTC as hosts write it: with milliseconds and a ``Z``."""
    return f"{moment:%Y-%m-%dT%H:%M:%S}.{moment.microsecond // 1000:03d}Z"


def item(content: str) -> str:
    """Return ``content`` as one item: trimmed, white space collapsed.

    Raises:
        UsageError: nothing is left, it holds ``§``, or it has more than 8,192 bytes.
    """
    text = normalise(content)
    if not text:
        raise UsageError("the content is required, and it is empty", "say in one line what is true")
    if MARK in text:
        raise UsageError(f"the content holds {MARK}, which separates entries", "say it without that character")
    try:
        size = len(text.encode("utf-8"))
    except UnicodeEncodeError:
        raise UsageError("the content is not valid UTF-8 text", "check the terminal's encoding") from None
    if size > ITEM_LIMIT:
        raise UsageError(
            f"the content has {size} bytes, and one entry at most {ITEM_LIMIT}",
            "keep the text in a file, and remember what it says and where it is",
        )
    return text


def load(data: bytes, name: str) -> list[Record]:
    """Return the records of a file; one that is wrong makes the whole file wrong, and nothing is dropped silently.

    Raises:
        EditError: it is no ``memories.json`` of version 1.
    """
    try:
        value = json.loads(data.decode("utf-8-sig"))
    except ValueError as error:
        raise _broken(name, f"not JSON ({error})") from None
    if not isinstance(value, dict) or type(value.get("version")) is not int or value["version"] != VERSION:
        raise _broken(name, f"no object of version {VERSION}")
    if not isinstance(value.get("entries"), list):
        raise _broken(name, "entries is no list")
    return [_record(entry, f"entries[{index}]", name) for index, entry in enumerate(value["entries"])]


def _record(entry: object, where: str, name: str) -> Record:
    if not isinstance(entry, dict):
        raise _broken(name, f"{where} is no object")
    for field in ("content", "created_at", "updated_at"):
        if not isinstance(entry.get(field), str):
            raise _broken(name, f"{where}.{field} is no text")
    content = normalise(entry["content"])
    if not content or MARK in content:
        raise _broken(name, f"{where}.content is empty, or holds {MARK}")
    target, importance = entry.get("target"), entry.get("importance")
    if target not in TARGETS:
        raise _broken(name, f"{where}.target is neither user nor memory")
    if importance not in IMPORTANCE:
        raise _broken(name, f"{where}.importance is none of critical, normal, low")
    branches = entry.get("branches")
    if branches is not None and target == USER:
        raise _broken(name, f"{where} is of the user and names branches")
    usable = isinstance(branches, list) and all(isinstance(branch, str) for branch in branches)
    return Record(
        content, entry["created_at"], entry["updated_at"], target, importance,
        tuple(branches) if usable and branches is not None else None,
    )  # fmt: skip


def _broken(name: str, why: str) -> EditError:
    return EditError(
        f"{name}: {why}; nothing was changed", "repair the file, or move it away: mneme writes it anew from the cells"
    )


def dump(records: Sequence[Record]) -> str:
    """Return the file: indented by two, one newline at its end."""
    return json.dumps(_document(records), ensure_ascii=False, indent=2) + "\n"


def revision(records: Sequence[Record]) -> str:
    """Return the SHA-256 of the file's compact JSON: the same however it is laid out on disk."""
    text = json.dumps(_document(records), ensure_ascii=False, separators=(",", ":"))
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()


def _document(records: Sequence[Record]) -> dict[str, Any]:
    return {"version": VERSION, "entries": [record.data() for record in records]}
