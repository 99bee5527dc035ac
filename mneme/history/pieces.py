"""Cells in the versions of a file, without parsing every version whole: most of them differ in a cell or two."""

from __future__ import annotations

from mneme.format.model import Cell
from mneme.format.parser import parse, parse_cell

_HEAD = b"\n@ "
_MARK = b"\n@"
_BOM = b"\xef\xbb\xbf"


def all_cells(data: bytes) -> tuple[Cell, ...]:
    """Return the cells of one version of a file. What is no UTF-8 in it does not matter here."""
    return parse(data.decode("utf-8", "replace")).cells


def cells_with_id(data: bytes, cell_id: str) -> tuple[Cell, ...]:
    """Return the cells with the ID ``cell_id`` in one version of a file."""
    name = cell_id.encode()
    if name not in data:
        return ()
    if not _plain(data):
        return tuple([cell for cell in all_cells(data) if cell.id == cell_id])
    text = b"\n" + data.removeprefix(_BOM)
    found = []
    at = text.find(name)
    while at >= 0:
        start = text.rfind(b"\n", 0, at) + 1
        if text.startswith(b"@ ", start):
            end = text.find(_MARK, at)
            cell = parse_cell(text[start : len(text) if end < 0 else end + 1].decode("utf-8", "replace"))
            if cell.id == cell_id:
                found.append(cell)
        at = text.find(name, at + len(name))
    return tuple(found)


def differing(before: bytes, after: bytes) -> tuple[list[Cell], list[Cell]]:
    """Return the cells of two versions of a file whose text is not the same in both, in order.

    A cell is known by its text: one that only moved does not differ, and a second copy of one is not noticed.
    """
    if not (_plain(before) and _plain(after)):
        old, new = all_cells(before), all_cells(after)
        known_old, known_new = set(old), set(new)
        return [cell for cell in old if cell not in known_new], [cell for cell in new if cell not in known_old]
    old_parts, new_parts = _parts(before), _parts(after)
    old_set, new_set = set(old_parts), set(new_parts)
    return (
        [_cell(part) for part in old_parts if part not in new_set],
        [_cell(part) for part in new_parts if part not in old_set],
    )


def _plain(data: bytes) -> bool:
    """Whether every line that begins with ``@`` is plainly a header, so that cells can be told apart by it."""
    first = data.removeprefix(_BOM)
    return data.count(_MARK) == data.count(_HEAD) and (first.startswith(b"@ ") or not first.startswith(b"@"))


def _parts(data: bytes) -> list[bytes]:
    """Return the cells of plain ``data`` as bytes, without their ``@`` and the line end before the next one."""
    return (b"\n" + data.removeprefix(_BOM)).split(_MARK)[1:]


def _cell(part: bytes) -> Cell:
    text = part.decode("utf-8", "replace")
    return parse_cell(f"@{text}" if text.endswith("\n") else f"@{text}\n")
