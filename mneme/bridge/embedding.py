"""Vectors of a store's insights: which are missing or of another text or model, and how they are filled in.

A vector is the mean of what the model makes of two views of a cell: gist with cues, and all that it says. They are
written in small transactions, each complete by itself: whoever is killed goes on where it was.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import NamedTuple

from mneme.bridge.bound import BoundStore
from mneme.format.model import Cell
from mneme.format.parser import parse
from mneme.graph.embed.provider import PACKAGE, EmbeddingError, Provider, choose
from mneme.graph.model import Insight
from mneme.graph.store import NoSuchStore, Reader, Store, open_store, read

Progress = Callable[[int, int], None]
"""Told how many of how many insights are done."""

MODEL = "embed-model"
DIMENSION = "embed-dimension"
"""Keys of what a store's vectors are of."""

BATCH = 64
"""Insights that are embedded and written at a time."""

LONGEST = 6000
"""Characters of a view: what comes after changes a vector little, and servers refuse long texts."""


class Coverage(NamedTuple):
    """How many active insights a store has, and how many of them have a vector."""

    total: int
    embedded: int
    model: str
    dimension: int


NOTHING = Coverage(0, 0, "", 0)


class Wanted(NamedTuple):
    """An insight that lacks a vector. ``digest`` is of ``text`` and what the store notes beside the vector."""

    id: str
    text: str
    digest: str
    from_cell: bool

    @property
    def views(self) -> tuple[str, ...]:
        """The texts that are embedded."""
        return views_of(parse(self.text).cells[0]) if self.from_cell else _cut(self.text)


class Filled(NamedTuple):
    """What was done: vectors written, insights left without, and why the first of those is."""

    succeeded: int
    failed: int
    why: str = ""


def views_of(cell: Cell) -> tuple[str, ...]:
    """Return the texts whose mean stands for a cell: gist with cues; gist, cues, topic and body."""
    cues = ", ".join(cell.cues)
    short = f"{cell.gist}\n{cues}" if cues else cell.gist
    return _cut(short, "\n".join(part for part in (cell.gist, cues, cell.topic, cell.body_text.strip()) if part))


def _cut(*texts: str) -> tuple[str, ...]:
    return tuple(dict.fromkeys(text[:LONGEST] for text in texts))


def coverage(reader: Reader) -> Coverage:
    """Return how far a store is embedded."""
    dimension = reader.meta(DIMENSION)
    return Coverage(
        reader.totals()["insights"], reader.embedded(), reader.meta(MODEL), int(dimension) if dimension.isdigit() else 0
    )


def wanted(reader: Reader, model: str, ids: Iterable[str] | None = None) -> list[Wanted]:
    """Return the active insights (of ``ids``) whose vector is missing, or not of this text by ``model``.

    The most important come first, of equals the newest.
    """
    known = reader.vectors_of() if reader.meta(MODEL) == model else {}
    insights = reader.insights(ids, deleted=False)
    cells = {row.id: row.text for row in reader.cells(insights if ids is not None else None)}
    found = []
    for one in sorted(insights.values(), key=_urgency):
        text = cells.get(one.id)
        digest = _digest(one.content if text is None else _said(text))
        if known.get(one.id) != digest:
            found.append(Wanted(one.id, one.content if text is None else text, digest, text is not None))
    return found


def _said(text: str) -> str:
    """Return the text of a cell without its state, which changes often and is in no view. Not parsed: this is quick."""
    return "\n".join(line for line in text.splitlines() if not line.startswith("state"))


def _digest(text: str) -> str:
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()


def _urgency(one: Insight) -> tuple[int, tuple[int, ...], str]:
    return -one.importance, tuple(-ord(char) for char in one.created_at), one.id


def missing(bound: BoundStore, model: str, ids: Sequence[str] | None = None) -> list[Wanted]:
    """Return what a store lacks (:func:`wanted`); nothing when there is no store."""
    try:
        return read(bound.path, lambda reader: wanted(reader, model, ids))
    except NoSuchStore:
        return []


def fill(bound: BoundStore, provider: Provider, todo: Sequence[Wanted], *, progress: Progress | None = None) -> Filled:
    """Have ``provider`` embed what is to do, and write it. The store is open for writing only while it is written.

    Vectors of another model go first: two models in one store cannot be compared. After the first failure of the
    provider the rest is left.

    Raises:
        StoreError: the store cannot be written.
    """
    done = 0
    for start in range(0, len(todo), BATCH):
        batch = todo[start : start + BATCH]
        try:
            vectors = vectors_for(provider, [one.views for one in batch])
        except EmbeddingError as error:
            return Filled(done, len(todo) - done, str(error))
        with open_store(bound.path, create=False) as store, store.transaction():
            done += _written(store, provider, batch, vectors)
        if progress is not None:
            progress(min(start + BATCH, len(todo)), len(todo))
    return Filled(done, len(todo) - done)


def _written(store: Store, provider: Provider, batch: Sequence[Wanted], vectors: Sequence[bytes]) -> int:
    model, dimension = provider.model, str(len(vectors[0]) // 4)
    named = store.meta(MODEL), store.meta(DIMENSION)
    if named != (model, dimension):
        if named[0] or provider.kind == PACKAGE:
            store.forget_vectors()  # those without a name are another program's, of the server that both are told of
        store.set_meta(MODEL, model)
        store.set_meta(DIMENSION, dimension)
    # Somebody may have written the text anew while the provider worked: what it made is of the old one then.
    current = {one.id: one.digest for one in wanted(store, model, [one.id for one in batch])}
    fitting = [
        (one.id, one.digest, vector)
        for one, vector in zip(batch, vectors, strict=True)
        if current.get(one.id) == one.digest
    ]
    store.put_embedded(fitting)
    return len(fitting)


def vectors_for(provider: Provider, views: Sequence[tuple[str, ...]]) -> list[bytes]:
    """Return for each group of views the mean of their directions, a vector of length 1.

    Raises:
        EmbeddingError: the provider cannot.
    """
    import numpy as np

    blobs = iter(provider.embed([text for group in views for text in group]))
    found = []
    for group in views:
        rows = np.stack([np.frombuffer(next(blobs), dtype="<f4").astype(np.float64) for _ in group])
        lengths = np.linalg.norm(rows, axis=1, keepdims=True)
        mean = (rows / np.where(lengths > 0, lengths, 1.0)).sum(axis=0)
        length = float(np.linalg.norm(mean))
        found.append((mean / (length or 1.0)).astype("<f4").tobytes())
    return found


class Asker:
    """Turns questions into vectors for the stores that have some, by the provider that the environment means.

    Nothing is loaded or asked before a store with vectors of the same model is read, and what goes wrong means that
    recall goes by words alone.
    """

    def __init__(self, environ: Mapping[str, str], provider: Provider | None = None) -> None:
        """``provider`` is taken instead of the environment's."""
        self._environ = environ
        self._provider = provider
        self._chosen = provider is not None
        self._usable: bool | None = None
        self._known: dict[str, bytes] = {}

    def for_store(self, reader: Reader) -> Callable[[Sequence[str]], list[bytes]] | None:
        """Return what embeds questions to a store; None when it has no vectors, or of a model that is not at hand."""
        model = reader.meta(MODEL)
        if not model and not reader.embedded():
            return None
        provider = self._choose()
        if provider is None or (provider.model != model and (model or provider.kind == PACKAGE)):
            return None  # vectors without a name are another program's: of the server that both are told of
        if self._usable is None:
            self._usable = provider.available()
        return self._embed if self._usable else None

    def _choose(self) -> Provider | None:
        if not self._chosen:
            self._provider, self._chosen = choose(self._environ).provider, True
        return self._provider

    def _embed(self, texts: Sequence[str]) -> list[bytes]:
        """Return vectors; none at all when the provider fails."""
        provider = self._choose()
        new = [text for text in dict.fromkeys(texts) if text not in self._known]
        if provider is None or not self._usable:
            return []
        try:
            self._known.update(zip(new, provider.embed(new), strict=True))
        except EmbeddingError:
            self._usable = False
            return []
        return [self._known[text] for text in texts]
