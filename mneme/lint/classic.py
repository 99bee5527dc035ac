"""The classic tool's checks and texts, to the letter (format, section 6)."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date

from mneme.format.dates import parse_date
from mneme.format.model import Cell
from mneme.format.vocabulary import DECAY_DAYS, INVERSES, REQUIRED_FIELDS


def classic_lint(cells: Sequence[Cell], today: date) -> tuple[list[str], list[str]]:
    """Return the classic warnings and errors, each in order of discovery."""
    warnings: list[str] = []
    errors: list[str] = []
    known: dict[str, Cell] = {}
    for cell in cells:
        if cell.id in known:
            errors.append(f"duplicate id: {cell.id}")
        known[cell.id] = cell
        values = {"gist": cell.gist, "state": cell.status.state, "since": cell.since, "seen": cell.status.seen}
        errors += [f"{cell.id} missing required field: {name}" for name in REQUIRED_FIELDS if not values[name]]
        if cell.status.state == "superseded" and all(link.relation != "superseded-by" for link in cell.links):
            warnings.append(f"{cell.id} is superseded but has no superseded-by link")
    for cell in cells:
        if seen := cell.status.seen:  # its date is checked in every state, its age in one
            day = parse_date(seen)
            if day is None:
                errors.append(f"{cell.id} invalid seen date: {seen}")
            elif cell.status.state == "live" and (age := (today - day).days) > DECAY_DAYS:
                warnings.append(f"{cell.id} live but seen {age}d ago → verify or mark stale")
        for link in cell.links:
            target = known.get(link.target)
            if target is None:
                warnings.append(f"{cell.id} link {link.relation} {link.target} → target not found")
            elif (inverse := INVERSES.get(link.relation)) and not any(
                back.relation == inverse and back.target == cell.id for back in target.links
            ):
                warnings.append(
                    f"{cell.id} {link.relation} {link.target}, but {link.target} lacks reverse {inverse} {cell.id}"
                    " (asymmetric)"
                )
    return warnings, errors


def classic_report(cells: Sequence[Cell], today: date) -> tuple[str, bool]:
    """Return the classic lint output, and whether it holds errors."""
    warnings, errors = classic_lint(cells, today)
    lines = [f"  WARN {text}" for text in warnings] + [f"  ERR  {text}" for text in errors]
    lines += ["", f"lint: {len(cells)} cells, {len(errors)} error, {len(warnings)} warn"]
    return "\n".join(lines) + "\n", bool(errors)
