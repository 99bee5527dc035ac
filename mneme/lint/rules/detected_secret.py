"""MN604: what a maintained detector takes for a secret."""

from __future__ import annotations

from collections.abc import Iterator

from mneme.format.model import Cell
from mneme.lint.detector import KEYWORDS, detect
from mneme.lint.rule import Batch, Hit, Settings, on_cells
from mneme.lint.secrets import secrets_in


@on_cells("MN604", "detected-secret", masked=True, extra="secrets")
def DETECTED_SECRET(batch: Batch, settings: Settings) -> Iterator[Hit[Cell]]:  # noqa: N802
    """The detect-secrets library takes a part of a cell for a secret, and `secret` (MN601) does not know its format.

    Runs when the program is installed with its extra `secrets`, on new and changed cells. No report prints the value.

    Why: passwords in assignments and rarer formats are secrets too, and the library's authors keep up with them.

    Bad:
        @ FACT-0001  infra/backup
        gist  The backup job logs in with db_password = "wq8-Trunk-41-velvet"
        state live   conf high   since 2026-11-01   seen 2026-11-20
        cue   backup

    Good:
        @ FACT-0001  infra/backup
        gist  The backup job logs in with the db_password that the vault holds at infra/backup
        state live   conf high   since 2026-11-01   seen 2026-11-20
        cue   backup

    Fix: none; revoke it, supersede the cell by one that says where the secret is kept, and clean the history.
    """
    if not settings.detector:
        return
    found = {id(cell): cell for cell in batch.with_long_words}
    for cell in batch.pick(batch.folded.holding(KEYWORDS)):
        found[id(cell)] = cell
    for cell in found.values():
        taken = [(start, end) for start, end, _ in secrets_in(cell.text)]
        for start, end, kind in detect(cell.text):
            if all(end <= other_start or other_end <= start for other_start, other_end in taken):
                taken.append((start, end))
                yield Hit(
                    cell, start, end,
                    f"this looks like a secret ({kind}); the value is not shown",
                    "revoke it, and write where it is kept instead",
                )  # fmt: skip
