"""Conformance cases: reading and writing them, and what this implementation makes of one."""

from __future__ import annotations

import json
import re
from datetime import date
from pathlib import Path
from typing import Any

from mneme.config import Config
from mneme.errors import UnreadableFile
from mneme.format.digest import anonymous_digest, content_digest
from mneme.format.ids import new_ids
from mneme.format.model import Cell, Document, Placed
from mneme.format.parser import parse
from mneme.format.spine import make_spine, select
from mneme.format.trust import trust
from mneme.lint.engine import run
from mneme.lint.rule import Settings
from mneme.lint.rules import RULES
from mneme.lint.select import make_selection
from mneme.text.source import decode

FOLDER = Path(__file__).parent / "cases"
TODAY = date(2026, 11, 25)

Case = dict[str, Any]


def load(path: Path) -> Case:
    """Return the case in ``path``."""
    case: Case = json.loads(path.read_text(encoding="utf-8"))
    return case


def dump(case: Case) -> str:
    """Return ``case`` as JSON text in which every character can be seen."""
    text = _json(case, 0)
    return "".join([char if char == "\n" or char.isprintable() else _escaped(char) for char in text]) + "\n"


def _json(value: Any, indent: int, *, by_line: bool = False) -> str:
    """Return ``value`` on one line where it fits; inputs have a line of their own for every line."""
    flat = json.dumps(value, ensure_ascii=False)
    if not value or not isinstance(value, dict | list) or (not by_line and len(flat) + indent <= _WIDTH):
        return flat
    pad = " " * (indent + 1)
    if isinstance(value, list):
        entries = [_json(entry, indent + 1, by_line=by_line and isinstance(entry, list)) for entry in value]
        return "[\n" + ",\n".join([pad + entry for entry in entries]) + f"\n{' ' * indent}]"
    pairs = [
        f"{pad}{json.dumps(key)}: {_json(entry, indent + 1, by_line=key in _BY_LINE)}" for key, entry in value.items()
    ]
    return "{\n" + ",\n".join(pairs) + f"\n{' ' * indent}}}"


_WIDTH = 116
_BY_LINE = ("input", "same_content", "other_content")


def _escaped(char: str) -> str:
    return "".join(f"\\u{unit:04x}" for unit in memoryview(char.encode("utf-16-le")).cast("H"))


def evaluate(case: Case) -> Case:
    """Return ``case`` with everything this implementation has to say about it."""
    result = {name: value for name, value in case.items() if name not in ("model", "unreadable", "findings")}
    if "same_content" in case:
        return result
    data = bytes.fromhex(case["input_hex"]) if "input_hex" in case else "".join(case["input"]).encode()
    documents: list[Document] = []
    unreadable: list[UnreadableFile] = []
    try:
        documents.append(parse(decode(data, "case.mneme"), name="case.mneme"))
    except UnreadableFile as error:
        unreadable.append(error)
        offset = re.search(r"byte offset ([0-9]+)", error.reason)
        assert offset
        result["unreadable"] = {"line": error.line, "byte_offset": int(offset[1])}
    for document in documents:
        result["model"] = _model(document)
    config = Config()
    report = run(documents, make_selection(RULES, config), Settings(config, TODAY), unreadable=unreadable)
    result["findings"] = [
        {
            "line": finding.line, "column": finding.column, "severity": str(finding.severity),
            "code": finding.code, "rule": finding.name,
        }
        for finding in report.findings
    ]  # fmt: skip
    if "next_ids" in case:
        cells = [cell for document in documents for cell in document.cells]
        result["next_ids"] = {prefix: next(new_ids(prefix, cells)) for prefix in case["next_ids"]}
    return result


def _model(document: Document) -> dict[str, Any]:
    spine = make_spine(select(document.placed), lambda cell: trust(cell.status, TODAY))
    return {"cells": [_cell(place) for place in document.placed], "spine": spine.lines}


def _cell(place: Placed) -> dict[str, Any]:
    cell = place.cell
    status = cell.status
    values = {
        "line": place.document.lines.position(place.start)[0], "id": cell.id, "topic": cell.topic, "gist": cell.gist,
        "since": cell.since, "cues": list(cell.cues), "body": list(cell.body), "origin": list(cell.origin),
        "links": [
            {"relation": link.relation, "target": link.target}
            | ({"attributes": [list(pair) for pair in link.attributes]} if link.attributes else {})
            for link in cell.links
        ],
        "state": status.state, "conf": status.conf, "seen": status.seen, "imp": status.imp, "hot": status.hot,
        "refs": list(status.refs), "trust": trust(status, TODAY).word,
        "digest": content_digest(cell), "anonymous_digest": anonymous_digest(cell),
    }  # fmt: skip
    return {name: value for name, value in values.items() if value not in ("", [])}


def first_cell(lines: list[str]) -> Cell:
    """Return the first cell of an input."""
    return parse("".join(lines)).cells[0]
