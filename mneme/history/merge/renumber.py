"""New IDs in the three texts: in the heads, and in every link and mention that a side itself wrote.

A line that the base has too was not written by a side, and means what it meant. When one side renumbered a cell of the
base and changed the mentions of it, base and other side are read as if they had done so.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence

from mneme.format.parser import parse_cell
from mneme.history.merge.identity import MENTION, Identities, Identity
from mneme.history.merge.items import Item, split_lines
from mneme.history.notes import may_hold_notes

Sides = tuple[list[Item], list[Item], list[Item]]


def renumbered(sides: Sides, identities: Identities) -> tuple[Sides, Counter[str]]:
    """Return the three item lists with the final IDs in them, and how often each new ID was put into a line."""
    counts: Counter[str] = Counter()
    if not any(identities.renamed) and not _heads_differ(sides, identities.all):
        return sides, counts
    base, *rest = sides
    paragraphs = {item.text for item in base if item.cell is None}
    new: Sides = (list(base), list(rest[0]), list(rest[1]))
    for identity in identities.all:
        texts = _agreed(identity, sides, identities.renamed)
        for side, at in enumerate(identity.places):
            if at is None:
                continue
            item = sides[side][at]
            old = identity.places[0]
            unwritten = old is not None and item.text == base[old].text
            if side and texts[side] == item.text and identities.renamed[side] and not unwritten:
                kept = split_lines(base[old].text) if old is not None else []
                texts[side] = _own_lines(item.text, kept, identities.renamed[side], counts)
            new[side][at] = _with_head(item, texts[side], identity.id)
    for side in (1, 2):
        for at, item in enumerate(sides[side]):
            if item.cell is None and identities.renamed[side] and item.text not in paragraphs:
                text = _own_lines(item.text, [], identities.renamed[side], counts)
                new[side][at] = item._replace(text=text)
    return new, counts


def _heads_differ(sides: Sides, identities: Sequence[Identity]) -> bool:
    return any(
        at is not None and (cell := sides[side][at].cell) is not None and cell.id != identity.id
        for identity in identities
        for side, at in enumerate(identity.places)
    )


def _agreed(identity: Identity, sides: Sides, renamed: Sequence[Mapping[str, str]]) -> list[str]:
    """Return the texts of a cell, mentions in base and one side replaced where the other side replaced them."""
    texts = [sides[side][at].text if at is not None else "" for side, at in enumerate(identity.places)]
    moved = {was: now for was, now in renamed[0].items() if was in texts[0]}
    for was, now in moved.items():
        if any(now in texts[side] and was not in _mentioned(texts[side]) for side in (1, 2)):
            for side in range(3):
                texts[side] = _replaced(texts[side], {was: now})
    return texts


def _own_lines(text: str, base: Sequence[str], renamed: Mapping[str, str], counts: Counter[str]) -> str:
    """Replace IDs in the lines that ``base`` does not have."""
    kept = Counter(base)
    lines = []
    for line in split_lines(text):
        if kept[line] > 0:
            kept[line] -= 1
            lines.append(line)
        else:
            if not line.startswith("@"):
                counts.update(renamed[token] for token in _mentioned(line) if token in renamed)
            lines.append(_replaced(line, renamed))
    return "".join(lines)


def _mentioned(text: str) -> list[str]:
    """Return the IDs in ``text``, but for those that a note on an earlier renumbering tells of."""
    return [token for line in split_lines(text) if not may_hold_notes(line) for token in MENTION.findall(line)]


def _replaced(text: str, renamed: Mapping[str, str]) -> str:
    return "".join(
        line if may_hold_notes(line) else MENTION.sub(lambda match: renamed.get(match[0], match[0]), line)
        for line in split_lines(text)
    )


def _with_head(item: Item, text: str, cell_id: str) -> Item:
    """Return ``item`` with the new ``text``, and ``cell_id`` in its header."""
    if text == item.text and item.cell is not None and item.cell.id == cell_id:
        return item
    head = item.head if text == item.text else text.index("\n@") + 1 if not text.startswith("@") else 0
    cell = parse_cell(text[head:])
    if cell.id != cell_id:
        start, end = cell.span("id")
        text = f"{text[:head]}{text[head:][:start]}{cell_id}{text[head:][end:]}"
        cell = parse_cell(text[head:])
    return Item(text, item.gap, head, cell)
