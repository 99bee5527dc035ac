"""A server that speaks as OpenAI's does (engine facts 8.11): the endpoint ends in ``/v1``."""

from __future__ import annotations

from collections.abc import Sequence

from mneme.graph.embed.provider import OPENAI, EmbeddingError, Settings
from mneme.graph.embed.web import answered, fetch, packed, payload

NO_LIST = (404, 405, 501)
"""What a server answers that has no list of models: it is asked for a vector then."""


class OpenAI:
    """``GET /models`` to probe, ``POST /embeddings`` to ask; the key, if there is one, as a bearer token."""

    kind = OPENAI

    def __init__(self, settings: Settings) -> None:
        self._settings = settings
        self._headers = {"Authorization": f"Bearer {settings.key}"} if settings.key else {}

    @property
    def model(self) -> str:
        """The model's name, as the server has it."""
        return self._settings.model

    def available(self) -> bool:
        """Return whether the server answers; one without a list of models is asked for a vector."""
        try:
            status = fetch(self._settings, "GET", "/models", probe=True, headers=self._headers).status_code
            if status in NO_LIST:
                return bool(self._embed(["ping"], probe=True))
        except EmbeddingError:
            return False
        return bool(status == 200)

    def embed(self, texts: Sequence[str]) -> list[bytes]:
        """Return one vector for each text.

        Raises:
            EmbeddingError: the server is away, refuses, or answers something else.
        """
        return self._embed(texts) if texts else []

    def _embed(self, texts: Sequence[str], *, probe: bool = False) -> list[bytes]:
        asked = payload(self._settings, texts)
        found = answered(fetch(self._settings, "POST", "/embeddings", asked, probe=probe, headers=self._headers))
        try:
            rows = sorted(found["data"], key=lambda row: row.get("index", 0))
            vectors = [row["embedding"] for row in rows]
        except (TypeError, KeyError, AttributeError):
            vectors = []
        return packed(vectors, len(texts))
