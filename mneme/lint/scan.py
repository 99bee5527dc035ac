"""Many texts asked at once whether they hold something: a literal is sought in all of them joined, not in each."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Sequence
from functools import cached_property
from itertools import accumulate

_SEPARATOR = "\0"
_WORD, _CONTROL, _OTHER = b"aci"
_CLASSES = bytes([
    _WORD if chr(code).isalnum() or chr(code) in "_-" else
    _CONTROL if (code < 0x20 and chr(code) not in "\0\t\n\r") or code == 0x7F else
    _OTHER
    for code in range(128)
]) + bytes([_OTHER]) * 128  # fmt: skip


class Joined:
    """``texts`` as one, ``text``, joined by NUL."""

    def __init__(self, texts: Sequence[str]) -> None:
        self._texts = texts
        self.text = _SEPARATOR.join(texts)

    @classmethod
    def folded(cls, texts: Sequence[str]) -> Joined:
        """Return ``texts`` in lower case, joined; their indices stay, lengths need not."""
        joined = cls(texts)
        lower = joined.text.lower()
        if len(lower) != len(joined.text):
            return cls([text.lower() for text in texts])
        joined.text = lower
        return joined

    @cached_property
    def starts(self) -> list[int]:
        """Where each text begins in :attr:`text`."""
        return [0, *accumulate([len(text) + 1 for text in self._texts])][:-1]

    def holding(self, needles: Iterable[str]) -> list[int]:
        """Return the indices of the texts that hold any of ``needles``, in order. Linear in the joined text."""
        found: set[int] = set()
        text = self.text
        for needle in needles:
            at = text.find(needle)
            while at >= 0:
                index = bisect_right(self.starts, at) - 1
                found.add(index)
                if index + 1 == len(self.starts):
                    break
                at = text.find(needle, self.starts[index + 1])
        return sorted(found)

    @cached_property
    def _classes(self) -> bytes:
        """One byte a character: a word character (ASCII letter, digit, ``_``, ``-``), a control, or anything else."""
        return self.text.encode("ascii", "replace").translate(_CLASSES)

    def with_controls(self) -> list[int]:
        """Return the indices of the texts with an ASCII control character other than tab, LF and CR."""
        return self._holding_class(bytes([_CONTROL]))

    def with_words(self, length: int) -> list[int]:
        """Return the indices of the texts with a run of at least ``length`` letters, digits, ``_`` and ``-``."""
        return self._holding_class(bytes([_WORD]) * length)

    def runs(self, length: int) -> list[int]:
        """Return offsets in :attr:`text` where ``length`` such characters follow: at least one in every longer run."""
        needle = bytes([_WORD]) * length
        found: list[int] = []
        at = self._classes.find(needle)
        while at >= 0:
            found.append(at)
            at = self._classes.find(needle, at + length)
        return found

    def _holding_class(self, needle: bytes) -> list[int]:
        found: list[int] = []
        at = self._classes.find(needle)
        while at >= 0:
            index = bisect_right(self.starts, at) - 1
            found.append(index)
            if index + 1 == len(self.starts):
                break
            at = self._classes.find(needle, self.starts[index + 1])
        return found
