"""``memories.json``: the hot memory of agent hosts (version 1; facts of the hosts, section 2)."""

from __future__ import annotations

from collections.abc import Sequence

from mneme.bridge.imports.json_lines import loaded, text_of
from mneme.bridge.imports.markdown import ENTRY_OF_OURS, OF_OURS_MADE
from mneme.bridge.imports.note import Note, Part, Reading, day_in
from mneme.bridge.imports.words import prefix_by_words

_WEIGHT = {"critical": ("high", "5"), "normal": ("med", "3"), "low": ("low", "2")}


def read(parts: Sequence[Part], reading: Reading) -> None:
    """Add the entries of ``parts``; what was projected from cells is left out."""
    for part in parts:
        value = loaded(part.text.removeprefix("\ufeff"), part.name, 1, reading)
        if value is None:
            continue
        entries = value.get("entries") if isinstance(value, dict) else None
        if not isinstance(entries, list) or value.get("version") != 1:
            reading.broken(part.name, 1, "no memories.json of version 1", "it is an object with version and entries")
            continue
        lines = _lines(part.text, len(entries))
        for index, (entry, line) in enumerate(zip(entries, lines, strict=True)):
            content = text_of(entry.get("content")) if isinstance(entry, dict) else ""
            if not content:
                reading.broken(part.name, line, f"entries[{index}] has no content")
            elif ENTRY_OF_OURS.match(content):
                reading.left_out[OF_OURS_MADE] += 1
            else:
                reading.notes.append(_note(entry, content, part.name, line))


def _note(entry: dict[str, object], content: str, path: str, line: int) -> Note:
    target = text_of(entry.get("target"))
    conf, imp = _WEIGHT.get(text_of(entry.get("importance")), ("med", ""))
    created = text_of(entry.get("created_at"))
    branches = entry.get("branches")
    more = [("target", target)] if target else []
    more += [("branch", name) for name in branches if isinstance(name, str)] if isinstance(branches, list) else []
    prefix = "PREF" if target == "user" else prefix_by_words(content)
    return Note(
        content, path, line, prefix=prefix, topic=(target or "memory",), conf=conf, imp=imp, day=day_in(created),
        more=(*more, ("created", created)),
    )  # fmt: skip


def _lines(text: str, count: int) -> list[int]:
    """Return the lines on which the entries' contents stand; where that is not told, the first."""
    found = [number for number, line in enumerate(text.split("\n"), 1) if line.lstrip().startswith('"content"')]
    return found if len(found) == count else [1] * count
