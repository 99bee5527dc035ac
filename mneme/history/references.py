"""What a cell leans on: files, folders, symbols and globs named in ``ref`` lines, gist and body.

A ``ref`` is meant as one. In prose a word is only a candidate: whether it is a path is for the repository to say, since
no spelling tells ``and/or`` from a folder. Here is decided what cannot be one.
"""

from __future__ import annotations

import re
from typing import NamedTuple

from mneme.format.model import Cell


class Reference(NamedTuple):
    """Something that looks like a path. ``path`` has ``/`` between its parts and no blanks around it.

    ``symbol`` is the name after a colon, if there is one; ``explicit`` says that a ``ref`` line names it.
    """

    text: str
    path: str
    symbol: str = ""
    explicit: bool = False

    @property
    def glob(self) -> bool:
        """Whether it is a pattern."""
        return any(char in self.path for char in "*?[")

    @property
    def folder(self) -> bool:
        """Whether it is written as a folder."""
        return self.path.endswith("/")

    @property
    def certain(self) -> bool:
        """Whether its spelling alone says that a file is meant: a ``ref``, or a path with folder and extension."""
        return self.explicit or ("/" in self.path and not self.glob and _EXTENSION.search(self.path) is not None)


_WORD = re.compile(r"[^\s\"'`<>|(){}=,;!?\\（）「」『』《》〈〉【】“”‘’，、。；：！？]+")
_PLAIN = re.compile(r"[A-Za-z0-9_.@+~*\[\]/:#-]+")
_POSITION = re.compile(r"(?P<path>[^:#]+)(?:::?(?P<symbol>[^\W\d][\w.]*(?:::\w+)*)|:\d[\d:,-]*|#[^/]*)?\Z")
_EXTENSION = re.compile(r"\.[A-Za-z][A-Za-z0-9]{0,9}\Z")
_NAMED = re.compile(r"[^/.]\.[A-Za-z][A-Za-z0-9]{0,9}(?:[:#][^/]*)?\Z")
_HINT = re.compile(r"/|\.[A-Za-z]")
_OUTSIDE = re.compile(r"[/~\\]|[A-Za-z]:[\\/]|[a-z][a-z0-9+.-]*://|mailto:|www\.")


def references(cell: Cell) -> list[Reference]:
    """Return what ``cell`` may lean on, each once: ``ref`` lines first, then candidates of gist and body."""
    found: dict[tuple[str, str], Reference] = {}
    for token in cell.status.refs:
        reference = _read(token, explicit=True)
        if reference:
            found.setdefault(reference[1:3], reference)
    for line in (cell.gist, *cell.body):
        if _HINT.search(line):
            for word in _words(line):
                reference = _read(word)
                if reference:
                    found.setdefault(reference[1:3], reference)
    return list(found.values())


def _words(line: str) -> list[str]:
    """Return the words of a line; of one in a script without blanks also the file names inside it."""
    words = []
    for word in _WORD.findall(line):
        words.append(word)
        if not word.isascii():
            words += [run for run in _PLAIN.findall(word) if _NAMED.search(run)]
    return words


def _bare(word: str) -> str:
    """Return a word without the punctuation behind it and the Markdown emphasis around it."""
    word = word.rstrip(".,:")
    return word.strip(word[0]) if len(word) > 2 and word[0] in "*_~" and word[-1] == word[0] else word


def _read(token: str, *, explicit: bool = False) -> Reference | None:
    """Return the reference that ``token`` may be; None for what leads outside of every repository or is no path."""
    text = token if explicit else _bare(token)
    match = _POSITION.match(text)
    if match is None or _OUTSIDE.match(text):
        return None
    parts = [part for part in match["path"].split("/") if part not in ("", ".")]
    if not parts or ".." in parts:
        return None
    path = "/".join(parts) + ("/" if match["path"].endswith("/") else "")
    if not explicit and "/" not in path and not _EXTENSION.search(path):
        return None
    if not explicit and not any(char.isalpha() for char in path):
        return None
    return Reference(text, path, match["symbol"] or "", explicit)
