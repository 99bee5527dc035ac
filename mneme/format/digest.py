"""Content digests. The canonical form is documented with test vectors in ``docs/format.md``.

Canonical form: UTF-8 text in Unicode normalisation form C, one line per item, each ``key SP value LF``, in this order:
``id``, ``topic``, ``gist``, ``since``, each ``cue`` in order, each ``body`` line in order, each ``origin`` token in
order. A missing or empty topic, gist or since has no line; an empty body line does. The digest is SHA-256 of it.
"""

from __future__ import annotations

import hashlib
import unicodedata

from mneme.format.model import Cell

CONTENT_TAG = "m1"
ANONYMOUS_TAG = "a1"


def canonical_form(cell: Cell, *, with_id: bool = True) -> str:
    """Return the text that is hashed."""
    lines = [f"id {cell.id}\n"] if with_id else []
    lines += [
        f"{key} {value}\n"
        for key, value in (("topic", cell.topic), ("gist", cell.gist), ("since", cell.since))
        if value
    ]
    lines += [f"cue {cue}\n" for cue in cell.cues]
    lines += [f"body {line}\n" for line in cell.body]
    lines += [f"origin {token}\n" for token in cell.origin]
    return unicodedata.normalize("NFC", "".join(lines))


def content_digest(cell: Cell) -> str:
    """Return ``m1:`` and 64 hex digits: equal for two cells exactly when ID and content are equal."""
    return f"{CONTENT_TAG}:{_sha(canonical_form(cell))}"


def anonymous_digest(cell: Cell) -> str:
    """Return ``a1:`` and 64 hex digits over the content without the ID: finds renumbered cells and duplicates."""
    return f"{ANONYMOUS_TAG}:{_sha(canonical_form(cell, with_id=False))}"


def _sha(text: str) -> str:
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()
