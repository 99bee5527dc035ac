"""How a server for vectors is spoken to: time limits, no proxies, and errors that say what happened."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any

from mneme.graph.embed.provider import EmbeddingError, Settings
from mneme.graph.vectors import pack

if TYPE_CHECKING:
    import httpx

PROBE_SECONDS = 2.0
ANSWER_SECONDS = 30.0
CONNECT_SECONDS = 5.0
LONGEST_SAID = 200
"""Characters of a server's own words in a message."""


def installed(remarks: list[str]) -> bool:
    """Return whether servers can be asked; say what is missing when not."""
    missing = [name for name in ("httpx", "numpy") if find_spec(name) is None]
    if missing:
        remarks.append(
            f"a server is configured, but {missing[0]} is not installed: install mneme with the extra 'embed'"
        )
    return not missing


def client(probe: bool, headers: Mapping[str, str]) -> httpx.Client:
    """Return a client that trusts nothing of the environment: no proxy, no credentials from a file."""
    import httpx

    seconds = PROBE_SECONDS if probe else ANSWER_SECONDS
    limits = httpx.Timeout(seconds, connect=min(seconds, CONNECT_SECONDS))
    return httpx.Client(timeout=limits, trust_env=False, headers=dict(headers))


def fetch(
    settings: Settings, method: str, path: str, body: Mapping[str, Any] | None = None, *, probe: bool = False,
    headers: Mapping[str, str] | None = None,
) -> httpx.Response:  # fmt: skip
    """Return what the server answers, whatever its status.

    Raises:
        EmbeddingError: it is not there, or too slow.
    """
    import httpx

    address = settings.endpoint + path
    try:
        with client(probe, headers or {}) as asking:
            return asking.request(method, address, json=body)
    except httpx.TimeoutException:
        raise EmbeddingError(f"{address} did not answer in time") from None
    except (httpx.HTTPError, httpx.InvalidURL) as error:
        raise EmbeddingError(f"{address} cannot be reached: {error}") from None


def payload(settings: Settings, texts: Sequence[str]) -> dict[str, Any]:
    """Return what is asked for, in the words that both protocols share."""
    asked: dict[str, Any] = {"model": settings.model, "input": list(texts)}
    if settings.dimensions:
        asked["dimensions"] = settings.dimensions
    return asked


def answered(response: httpx.Response) -> Any:
    """Return the JSON of an answer.

    Raises:
        EmbeddingError: the server refused, or it is no JSON.
    """
    if response.status_code != 200:
        said = " ".join(response.text.split())[:LONGEST_SAID]
        raise EmbeddingError(f"{response.request.url} answered {response.status_code}{f': {said}' if said else ''}")
    try:
        return response.json()
    except ValueError:
        raise EmbeddingError(f"{response.request.url} answered something that is not JSON") from None


def packed(vectors: Any, count: int) -> list[bytes]:
    """Return vectors as they are stored.

    Raises:
        EmbeddingError: these are not ``count`` vectors of numbers, all of one dimension.
    """
    from math import isfinite

    try:
        blobs = [pack(vector) for vector in vectors]
        sound = len(blobs) == count and len({len(blob) for blob in blobs}) <= 1 and all(blobs)
        sound = sound and all(isfinite(number) for vector in vectors for number in vector)
    except (TypeError, ValueError, OverflowError):
        sound = False
    if not sound:
        raise EmbeddingError(f"the server did not answer with {count} vectors of one dimension")
    return blobs
