"""A store of the Mnemon engine (``mnemon.db``): its insights, and the edges that somebody drew by hand."""

from __future__ import annotations

from datetime import date
from pathlib import Path

from mneme.bridge.from_store import ORIGIN_KEY, kept_in
from mneme.bridge.imports.note import Note, Reading
from mneme.bridge.to_cells import prefix_of, to_cell
from mneme.bridge.to_links import is_automatic
from mneme.config import Config
from mneme.format.encoded import decode
from mneme.format.statement import escaped
from mneme.graph.store import read

MAGIC = b"SQLite format 3\0"
FILE_NAME = "mnemon.db"


def read_store(path: Path, name: str, reading: Reading, config: Config, today: date) -> None:
    """Add the insights of the store at ``path``, which is not changed. Cells of ours in it are left out.

    Raises:
        StoreError: it cannot be read.
    """
    kept = read(path, kept_in)
    if kept.rows:
        reading.left_out["cells compiled by mneme"] += len(kept.rows)
        reading.remarks.append(f"{name} holds cells of mneme: mneme from-store gives them back as they stood")
    for one in kept.insights:
        prefix = prefix_of(one, config)
        cell = to_cell(one, f"{prefix}-0001", config, today=today)
        pairs = [token.partition("=") for token in cell.origin]
        reading.notes.append(
            Note(
                escaped(one.content), name, prefix=prefix, cues=cell.cues, state=cell.state, conf=cell.conf,
                imp=cell.imp, day=cell.since, seen=cell.seen, names=(one.id,), personal=kept.personal,
                more=((ORIGIN_KEY, one.id), *((key, decode(value)) for key, _, value in pairs)),
            )
        )  # fmt: skip
    reading.edges += [edge for edge in kept.edges if not is_automatic(edge)]
