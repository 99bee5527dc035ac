"""The secret detector of the extra ``secrets``: the library bc-detect-secrets, run in this process.

It is the fork of detect-secrets that is kept up, under the same import name; what only one of the two has is optional.

Its own scan takes every line through every plug-in. Here only lines that could hold a secret get there: those with a
run of 16 letters, digits, ``_`` and ``-``, or with a word like "password". The library is imported at the first one.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from mneme.lint.secrets import SHORTEST_RUN
from mneme.text.lazy import lazy

LIBRARY = "detect_secrets"
EXTRA = "secrets"

# Left out: Base64HighEntropyString and HexHighEntropyString, which take digests, identifiers and prose for secrets;
# IPPublicDetector, since an address is none; BasicAuthDetector, which MN601 does without taking examples for secrets;
# CloudantDetector, which reports account names; AzureStorageKeyDetector, which finds a key in any long base64 data.
_PLUGINS = (
    ("artifactory", "ArtifactoryDetector"), ("aws", "AWSKeyDetector"),
    ("discord", "DiscordBotTokenDetector"), ("github_token", "GitHubTokenDetector"),
    ("gitlab_token", "GitLabTokenDetector"), ("ibm_cloud_iam", "IbmCloudIamDetector"),
    ("ibm_cos_hmac", "IbmCosHmacDetector"), ("jwt", "JwtTokenDetector"), ("keyword", "KeywordDetector"),
    ("mailchimp", "MailchimpDetector"), ("npm", "NpmDetector"), ("openai", "OpenAIDetector"),
    ("private_key", "PrivateKeyDetector"), ("pypi_token", "PypiTokenDetector"), ("sendgrid", "SendGridDetector"),
    ("slack", "SlackDetector"), ("softlayer", "SoftlayerDetector"), ("square_oauth", "SquareOAuthDetector"),
    ("stripe", "StripeDetector"), ("telegram_token", "TelegramBotTokenDetector"), ("twilio", "TwilioKeyDetector"),
)  # fmt: skip

KEYWORDS = ("pass", "pwd", "secret", "key", "contrase")
"""What every word holds that the library's keyword plug-in looks for, in lower case."""

_LONG = lazy(rf"[\w-]{{{SHORTEST_RUN}}}", re.ASCII)
_ASSIGNED = lazy(rf"(?:{'|'.join(KEYWORDS)})[^\n]{{0,60}}[:=(\"'`]", re.IGNORECASE)
_VERSION = lazy(r"VERSION\s*=\s*['\"]([^'\"]+)")
_MOST = 1000
"""Longer lines are not shown to the library, whose expressions are not all linear (characters)."""


def installed() -> str:
    """Return name and version of the library, without importing it; empty when it is not installed."""
    spec = find_spec(LIBRARY)
    if spec is None:
        return ""
    for folder in spec.submodule_search_locations or ():
        file = Path(folder, "__version__.py")
        if file.is_file() and (match := _VERSION.search(file.read_text("utf-8"))):
            return f"{LIBRARY} {match[1]}"
    return LIBRARY


def detect(text: str) -> Iterator[tuple[int, int, str]]:
    """Yield start and end of what the library takes for a secret in ``text``, and what for, in its words."""
    at = 0
    for line in text.split("\n"):
        if len(line) <= _MOST and (_LONG.search(line) or _ASSIGNED.search(line)):
            for kind, analyse in _plugins():
                for value in analyse(line):
                    if (start := line.find(value)) >= 0 and _secret(kind, value, line):
                        yield at + start, at + start + len(value), kind
        at += len(line) + 1


def _secret(kind: str, value: str, line: str) -> bool:
    """Whether the library's own filters let ``value`` pass, and it is no word: secrets mix letters and digits."""
    from detect_secrets.filters import heuristic

    if kind == "Private Key":
        return True
    return (
        len(value) >= 8
        and not any(char.isspace() for char in value)
        and any(char.isdigit() for char in value)
        and not heuristic.is_not_alphanumeric_string(value)
        and not heuristic.is_sequential_string(value)
        and not heuristic.is_potential_uuid(value)
        and not heuristic.is_templated_secret(value)
        and not heuristic.is_prefixed_with_dollar_sign(value)
        and not heuristic.is_indirect_reference(line)
    )


@cache
def _plugins() -> list[tuple[str, Callable[[str], Iterator[str]]]]:
    from importlib import import_module

    found: list[tuple[str, Callable[[str], Iterator[str]]]] = []
    for module, name in _PLUGINS:
        path = f"{LIBRARY}.plugins.{module}"
        plugin: Any = getattr(import_module(path), name, None) if find_spec(path) else None
        if plugin is not None:  # a version of the library without it
            found.append((plugin.secret_type, plugin().analyze_string))
    return found
