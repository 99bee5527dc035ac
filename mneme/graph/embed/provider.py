"""What turns texts into vectors, and which of the three kinds of it the environment means."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple, Protocol
from urllib.parse import urlsplit

from mneme.errors import UsageError

SWITCH = "MNEME_EMBED"
"""The variable that chooses a provider; see :func:`choose`."""

OFF = "off"
PACKAGE = "package"
OLLAMA = "ollama"
OPENAI = "openai"
KINDS = (PACKAGE, OLLAMA, OPENAI)

ENDPOINT = "http://localhost:11434"
MODEL = "nomic-embed-text"
SERVER_VARIABLES = ("MNEMON_EMBED_ENDPOINT", "MNEMON_EMBED_MODEL", "MNEMON_EMBED_PROTOCOL")
"""Whoever sets one of them means a server: without, no text is sent anywhere."""


class EmbeddingError(Exception):
    """No vectors can be had: the server is away, refuses, or answers something else. The message says what happened."""


class Provider(Protocol):
    """Turns texts into vectors."""

    @property
    def kind(self) -> str:
        """One of KINDS."""

    @property
    def model(self) -> str:
        """The name under which a store keeps its vectors: vectors of two models are never compared."""

    def available(self) -> bool:
        """Return whether it can be asked now; a server is probed."""

    def embed(self, texts: Sequence[str]) -> list[bytes]:
        """Return one vector for each text, little-endian float32, all of one dimension.

        Raises:
            EmbeddingError: it cannot.
        """


class Settings(NamedTuple):
    """How a server is asked. ``dimensions`` 0: as many as the model has. ``key`` is a bearer token, never shown."""

    endpoint: str = ENDPOINT
    model: str = MODEL
    dimensions: int = 0
    key: str = ""

    def __repr__(self) -> str:
        return f"Settings({self.endpoint!r}, {self.model!r}, {self.dimensions})"


class Choice(NamedTuple):
    """A provider, None when there is none, and what to tell the person about the variables."""

    provider: Provider | None
    remarks: tuple[str, ...] = ()


def choose(environ: Mapping[str, str]) -> Choice:
    """Return the provider that the environment means, without asking it anything.

    ``MNEME_EMBED`` names one of KINDS or ``off``. Without it, one of SERVER_VARIABLES means a server, and else the
    package is meant when it is installed.

    Raises:
        UsageError: ``MNEME_EMBED`` says something else.
    """
    wanted = environ.get(SWITCH, "").strip().lower()
    if wanted not in ("", OFF, *KINDS):
        raise UsageError(f"{SWITCH} is {wanted!r}", f"set it to one of {', '.join((OFF, *KINDS))}, or unset it")
    if wanted == OFF:
        return Choice(None)
    remarks: list[str] = []
    if not wanted and any(environ.get(name, "").strip() for name in SERVER_VARIABLES):
        wanted = protocol(environ, remarks)
    wanted = wanted or PACKAGE
    return Choice(_MAKERS[wanted](environ, remarks), tuple(remarks))


def protocol(environ: Mapping[str, str], remarks: list[str]) -> str:
    """Return how the server speaks: as it is said, else by its address; what means nothing is remarked on."""
    said = environ.get("MNEMON_EMBED_PROTOCOL", "").strip().lower()
    if said in (OLLAMA, OPENAI):
        return said
    if said not in ("", "auto"):
        remarks.append(f"MNEMON_EMBED_PROTOCOL is {said!r}: taken for auto (there are {OLLAMA} and {OPENAI})")
    return OPENAI if urlsplit(_endpoint(environ)).path.rstrip("/").endswith("/v1") else OLLAMA


def settings(environ: Mapping[str, str], remarks: list[str]) -> Settings:
    """Return how the environment wants a server to be asked."""
    dimensions = environ.get("MNEMON_EMBED_DIMENSIONS", "").strip()
    asked = int(dimensions) if dimensions.isascii() and dimensions.isdigit() and len(dimensions) < 7 else 0
    if dimensions and not asked:
        remarks.append(f"MNEMON_EMBED_DIMENSIONS is {dimensions!r}: left out, a positive whole number is needed")
    return Settings(
        _endpoint(environ), environ.get("MNEMON_EMBED_MODEL", "").strip() or MODEL, asked,
        environ.get("MNEMON_EMBED_API_KEY", "").strip(),
    )  # fmt: skip


def _endpoint(environ: Mapping[str, str]) -> str:
    return (environ.get("MNEMON_EMBED_ENDPOINT", "").strip() or ENDPOINT).rstrip("/")


def _package(environ: Mapping[str, str], remarks: list[str]) -> Provider | None:
    from mneme.graph.embed.package import Package, installed

    if installed():
        return Package()
    if environ.get(SWITCH, "").strip():
        remarks.append(f"{SWITCH} means the package, which is not installed: install mneme with the extra 'embed'")
    return None


def _ollama(environ: Mapping[str, str], remarks: list[str]) -> Provider | None:
    from mneme.graph.embed.ollama import Ollama
    from mneme.graph.embed.web import installed

    return Ollama(settings(environ, remarks)) if installed(remarks) else None


def _openai(environ: Mapping[str, str], remarks: list[str]) -> Provider | None:
    from mneme.graph.embed.openai import OpenAI
    from mneme.graph.embed.web import installed

    return OpenAI(settings(environ, remarks)) if installed(remarks) else None


_MAKERS: Mapping[str, Callable[[Mapping[str, str], list[str]], Provider | None]] = {
    PACKAGE: _package, OLLAMA: _ollama, OPENAI: _openai,
}  # fmt: skip
