"""The measure: a plain line-splitting parser that makes the classic checks. Standard library only.

python benchmarks/classic_baseline.py FILE YYYY-MM-DD
"""

from __future__ import annotations

import sys
from datetime import date
from pathlib import Path
from typing import Any

PAIRS = {"supersedes": "superseded-by", "superseded-by": "supersedes"}
STATE_KEYS = {"state", "conf", "since", "seen"}


def read(text: str) -> list[dict[str, Any]]:
    """Split ``text`` into cells."""
    cells: list[dict[str, Any]] = []
    cell: dict[str, Any] | None = None
    for line in text.split("\n"):
        words = line.split()
        if not words:
            continue
        if words[0] == "@" and len(words) > 1:
            cell = {"id": words[1], "topic": words[2] if len(words) > 2 else "", "cues": [], "body": [], "links": []}
            cells.append(cell)
        elif cell is None or line[0] == "#":
            continue
        elif line[0] == ">":
            cell["body"].append(line[1:].strip())
        elif words[0] == "gist":
            cell["gist"] = line.strip()[4:].strip()
        elif words[0] == "cue":
            cell["cues"] += [cue.strip() for cue in line.strip()[3:].split(" / ")]
        elif words[0] == "link" and len(words) > 2:
            cell["links"].append((words[1], words[2]))
        elif words[0] in STATE_KEYS:
            for index in range(0, len(words) - 1, 2):
                if words[index] in STATE_KEYS:
                    cell[words[index]] = words[index + 1]
    return cells


def check(cells: list[dict[str, Any]], today: date) -> tuple[list[str], list[str]]:
    """Return warnings and errors."""
    warnings: list[str] = []
    errors: list[str] = []
    known: dict[str, dict[str, Any]] = {}
    for cell in cells:
        name = cell["id"]
        if name in known:
            errors.append(f"duplicate id: {name}")
        known[name] = cell
        errors += [
            f"{name} missing required field: {key}" for key in ("gist", "state", "since", "seen") if not cell.get(key)
        ]
        if cell.get("state") == "superseded" and not any(relation == "superseded-by" for relation, _ in cell["links"]):
            warnings.append(f"{name} is superseded but has no superseded-by link")
    for cell in cells:
        name = cell["id"]
        if cell.get("state") == "live" and cell.get("seen"):
            try:
                age = (today - date.fromisoformat(cell["seen"])).days
            except ValueError:
                errors.append(f"{name} invalid seen date: {cell['seen']}")
            else:
                if age > 45:
                    warnings.append(f"{name} live but seen {age}d ago")
        for relation, target in cell["links"]:
            other = known.get(target)
            if other is None:
                warnings.append(f"{name} link {relation} {target}: target not found")
            elif relation in PAIRS and (PAIRS[relation], name) not in other["links"]:
                warnings.append(f"{name} {relation} {target}, one-sided")
    return warnings, errors


def main() -> int:
    """Check one file."""
    cells = read(Path(sys.argv[1]).read_text(encoding="utf-8"))
    warnings, errors = check(cells, date.fromisoformat(sys.argv[2]))
    for text in (*warnings, *errors):
        print(text)
    print(f"{len(cells)} cells, {len(errors)} error, {len(warnings)} warn")
    return 1 if errors else 0


if __name__ == "__main__":
    sys.exit(main())
