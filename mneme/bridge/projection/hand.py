"""Hand-written text in USER.md and MEMORY.md: told from our entries, and kept to the letter."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

from mneme.format.entry import MARK, render
from mneme.text.source import BOM


class Parted(NamedTuple):
    """A projection taken apart: what somebody wrote, with its separators and line ends, and our lines, in order."""

    bom: str
    hand: str
    ours: list[str]


def part(text: str, is_ours: Callable[[str], bool]) -> Parted:
    """Take ``text`` apart. Ours is a line that ``is_ours`` knows, alone between two ``§`` lines, or at the edge there.

    A line of ours in the middle of somebody's paragraph is theirs: they quoted it.
    """
    bom, text = (BOM, text[1:]) if text.startswith(BOM) else ("", text)
    ours: list[str] = []
    kept: list[list[str]] = []
    marks: list[str] = []
    """The separator in front of each kept piece but the first, as it was written."""
    for mark, piece in _pieces(text):
        lines, before = piece, len(ours)
        while lines and is_ours(bare(lines[0])):
            ours.append(bare(lines[0]))
            lines = lines[1:]
        tail: list[str] = []
        while lines and is_ours(bare(lines[-1])):
            tail.insert(0, bare(lines[-1]))
            lines = lines[:-1]
        ours += tail
        if len(ours) > before and not "".join(lines).strip():
            continue
        marks.append(mark)
        kept.append(lines)
    while kept and not "".join(kept[-1]).strip():
        kept.pop()  # separators with nothing between them
    hand = "".join(f"{marks[index] if index else ''}{''.join(lines)}" for index, lines in enumerate(kept))
    return Parted(bom, hand if hand.strip() else "", ours)


def bare(line: str) -> str:
    """Return ``line`` without its line end."""
    return line.removesuffix("\n").removesuffix("\r")


def _pieces(text: str) -> list[tuple[str, list[str]]]:
    """Return the lines between separators, each piece with the separator in front of it."""
    pieces: list[tuple[str, list[str]]] = [("", [])]
    for line in _lines(text):
        if bare(line) == MARK:
            pieces.append((line if line.endswith("\n") else f"{line}\n", []))
        else:
            pieces[-1][1].append(line)
    return pieces


def _lines(text: str) -> list[str]:
    """Return the lines of ``text``; only LF ends one."""
    lines = [f"{line}\n" for line in text.split("\n")]
    last = lines.pop()[:-1]
    return [*lines, last] if last else lines


def room_taken(hand: str) -> int:
    """Return the bytes that hand-written text takes in front of our entries, its separator among them."""
    return len(_head(hand).encode("utf-8", "surrogatepass"))


def compose(parted: Parted, texts: Sequence[str]) -> str:
    """Return the file: hand-written text as it was, then ``texts``."""
    if not texts:
        return parted.bom + parted.hand
    return parted.bom + _head(parted.hand) + render(texts)


def _head(hand: str) -> str:
    if not hand:
        return ""
    end = "" if hand.endswith("\n") else "\n"
    last = bare(_lines(hand)[-1])
    return hand + end + ("" if last == MARK else f"{MARK}\n")


def used(text: str) -> int:
    """Return the bytes that a file uses of its limit: all but one final newline."""
    return len(text.removesuffix("\n").encode("utf-8", "surrogatepass"))


def same(text: str, other: str) -> bool:
    """Whether two texts differ in line ends at most, as git may have converted them."""
    return text == other or text.replace("\r\n", "\n") == other.replace("\r\n", "\n")
