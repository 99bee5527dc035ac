"""A server that speaks as Ollama does (engine facts 8.11)."""

from __future__ import annotations

from collections.abc import Sequence

from mneme.graph.embed.provider import OLLAMA, EmbeddingError, Settings
from mneme.graph.embed.web import answered, fetch, packed, payload


class Ollama:
    """``GET /api/tags`` to probe, ``POST /api/embed`` to ask."""

    kind = OLLAMA

    def __init__(self, settings: Settings) -> None:
        self._settings = settings

    @property
    def model(self) -> str:
        """The model's name, as the server has it."""
        return self._settings.model

    def available(self) -> bool:
        """Return whether the server answers."""
        try:
            return bool(fetch(self._settings, "GET", "/api/tags", probe=True).status_code == 200)
        except EmbeddingError:
            return False

    def embed(self, texts: Sequence[str]) -> list[bytes]:
        """Return one vector for each text.

        Raises:
            EmbeddingError: the server is away, refuses, or answers something else.
        """
        if not texts:
            return []
        found = answered(fetch(self._settings, "POST", "/api/embed", payload(self._settings, texts)))
        return packed(found.get("embeddings") if isinstance(found, dict) else None, len(texts))
