"""Finds tokens and keys whose format their issuers publish, and hides them from everything that is printed."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from mneme.lint.scan import Joined
from mneme.text.lazy import lazy

# One alternative a format, most of them a fixed prefix and one run of characters: the expression is linear, since no
# repetition stands inside another, and what may fail after a run is bounded or begins at the start of a word.
_FORMATS: dict[str, tuple[str, str]] = {
    "private_key": (
        "private key",
        (
            r"-----BEGIN [A-Z0-9 ]{0,30}PRIVATE KEY(?: BLOCK)?-----"
            r"(?:[^-]{0,16384}-----END [A-Z0-9 ]{0,50}-----|[A-Za-z0-9+/=\s>]{0,16384})"
        ),
    ),
    "url": ("password in a URL", r"(?<=://)[^\s/@:\"'<>]{0,100}:[^\s/@\"'<>]{3,200}@(?=[\w\[])"),
    "github": ("GitHub token", r"gh[pousr]_[A-Za-z0-9]{36,}|github_pat_[A-Za-z0-9_]{50,}"),
    "gitlab": ("GitLab token", r"gl(?:pat|dt|rt|ptt|ft|imt|agent|oas|soat|cbt)-[\w-]{20,}"),
    "aws": ("AWS access key", r"(?:AKIA|ASIA|ABIA|ACCA)[A-Z0-9]{16}(?![A-Za-z0-9])"),
    "aws_secret": (
        "AWS secret key",
        r"(?i:aws_?secret_?access_?key)[\"']?\s{0,3}[:=]?\s{0,3}[\"']?[A-Za-z0-9/+]{40}(?![A-Za-z0-9/+])",
    ),
    "google": ("Google key", r"AIza[\w-]{35}|GOCSPX-[\w-]{28}|ya29\.[\w-]{30,}"),
    "azure": (
        "Azure key",
        (
            r"(?i:AccountKey|SharedAccessKey)=[A-Za-z0-9+/]{40,}={0,2}|(?<=[?&])sig=[A-Za-z0-9%+/]{40,}"
            r"|[A-Za-z0-9_~.]{3}[0-9]Q~[A-Za-z0-9_~.-]{31,34}"
        ),
    ),
    "slack": (
        "Slack token",
        (
            r"xox[abeoprs]-[A-Za-z0-9-]{16,}|xapp-[0-9]-[A-Za-z0-9-]{16,}"
            r"|(?<=hooks\.slack\.com/)(?:services|workflows)/[A-Za-z0-9/]{24,}"
        ),
    ),
    "discord": (
        "Discord token",
        (
            r"(?<=discord\.com/api/)webhooks/[0-9]{17,20}/[\w-]{60,}"
            r"|(?<![\w.-])[MNO][\w-]{23,27}\.[\w-]{6,7}\.[\w-]{27,}"
        ),
    ),
    "stripe": ("Stripe key", r"[rs]k_(?:live|test)_[A-Za-z0-9]{16,}|whsec_[A-Za-z0-9+/]{32,}"),
    "anthropic": ("Anthropic key", r"sk-ant-[a-z0-9]{2,12}-[\w-]{20,}"),
    "openai": ("OpenAI key", r"sk-(?:proj|svcacct|admin|or-v1)-[\w-]{20,}|sk-[A-Za-z0-9]{32,}(?![\w-])"),
    "hugging_face": ("Hugging Face token", r"hf_[A-Za-z0-9]{30,}"),
    "npm": ("npm token", r"npm_[A-Za-z0-9]{36,}"),
    "pypi": ("PyPI token", r"pypi-AgE[\w-]{50,}"),
    "jwt": ("JSON Web Token", r"(?<![\w-])eyJ[\w-]{8,}\.eyJ[\w-]{8,}\.[\w-]{16,}"),
    "twilio": ("Twilio key", r"SK[0-9a-f]{32}(?![0-9A-Za-z])"),
    "sendgrid": ("SendGrid key", r"SG\.[\w-]{16,32}\.[\w-]{32,}"),
    "mailgun": ("Mailgun key", r"(?<![\w-])key-[0-9a-f]{32}(?![0-9A-Za-z])"),
    "mailchimp": ("Mailchimp key", r"[0-9a-f]{32}-us[0-9]{1,2}(?![0-9A-Za-z])"),
    "digitalocean": ("DigitalOcean token", r"do[opr]_v1_[0-9a-f]{64}"),
    "telegram": ("Telegram bot token", r"[0-9]{8,10}:AA[\w-]{33}(?![\w-])"),
    "shopify": ("Shopify token", r"shp(?:at|ca|pa|ss)_[0-9A-Fa-f]{32}"),
    "square": ("Square token", r"sq0(?:atp|csp)-[\w-]{22,}"),
    "docker": ("Docker token", r"dckr_(?:pat|oat)_[\w-]{20,}"),
    "vault": ("Vault token", r"hv[bs]\.[\w-]{24,}"),
    "terraform": ("Terraform Cloud token", r"[A-Za-z0-9]{14}\.atlasv1\.[\w-]{60,}"),
    "databricks": ("Databricks token", r"dapi[0-9a-f]{32}"),
    "grafana": ("Grafana token", r"glc_[A-Za-z0-9+/]{32,}|glsa_[A-Za-z0-9]{32}_[0-9A-Fa-f]{8}"),
    "notion": ("Notion token", r"ntn_[A-Za-z0-9]{40,}|secret_[A-Za-z0-9]{43}(?![\w-])"),
    "linear": ("Linear key", r"lin_(?:api|oauth)_[A-Za-z0-9]{32,}"),
    "atlassian": ("Atlassian token", r"ATATT3[\w-]{50,}"),
    "rubygems": ("RubyGems key", r"rubygems_[0-9a-f]{48}"),
    "postman": ("Postman key", r"PMAK-[0-9a-f]{24}-[0-9a-f]{34}"),
    "pulumi": ("Pulumi token", r"pul-[0-9a-f]{40}"),
    "groq": ("Groq key", r"gsk_[A-Za-z0-9]{40,}"),
    "new_relic": ("New Relic key", r"NRAK-[A-Z0-9]{27}"),
    "sentry": ("Sentry token", r"sntry[su]_[A-Za-z0-9+/=_-]{40,}"),
    "tailscale": ("Tailscale key", r"tskey-[a-z]{3,12}-[\w-]{16,}"),
    "supabase": ("Supabase token", r"sbp_[0-9a-f]{40}"),
    "figma": ("Figma token", r"figd_[\w-]{38,}"),
    "age": ("age secret key", r"AGE-SECRET-KEY-1[A-Z0-9]{58}"),
    "alibaba": ("Alibaba Cloud key", r"LTAI[A-Za-z0-9]{12,24}(?![A-Za-z0-9])"),
    "tencent": ("Tencent Cloud key", r"AKID[A-Za-z0-9]{32}(?![A-Za-z0-9])"),
}

_SECRET = lazy(
    r"(?<![A-Za-z0-9])(?:" + "|".join([f"(?P<{name}>{form})" for name, (_, form) in _FORMATS.items()]) + ")", re.ASCII
)

SHORTEST_RUN = 16
"""Every format but URLs and the heads of private keys holds so many letters, digits, ``_`` and ``-`` in a row."""

_KEY_HEAD = "-----BEGIN "
_MARKS = ("://", _KEY_HEAD, "accountkey=", "sharedaccesskey=")

_PLACEHOLDERS = frozenset({
    "pass", "passwd", "password", "pwd", "pw", "secret", "token", "key", "apikey", "api_key", "changeme", "example",
    "yourpassword", "your_password", "your-password", "mypassword", "redacted", "hidden", "port",
})  # fmt: skip
_FEW = 6
"""So few different letters and digits in a token are an example's: ``ghp_xxxxxxxx``."""


class Secret(NamedTuple):
    """Where a secret stands, and what it is in words."""

    start: int
    end: int
    kind: str


def secrets_in(text: str) -> list[Secret]:
    """Return the secrets in ``text``, in order. Linear; fast where there is nothing that could be one."""
    found: list[Secret] = []
    at = 0
    for start, end in _lines_to_read(text):
        at = max(at, start)
        if at >= end:
            continue
        stop = len(text) if text.find(_KEY_HEAD, at, end) >= 0 else end
        while at < end and (match := _SECRET.search(text, at, stop)) and match.start() < end:
            at = match.end()
            kind = match.lastgroup
            assert kind is not None
            if not _placeholder(kind, match[0]):
                found.append(Secret(match.start(), match.end(), _FORMATS[kind][0]))
    return found


def _lines_to_read(text: str) -> Iterator[tuple[int, int]]:
    """Yield start and end of the lines that could hold a secret, in order."""
    places = Joined([text]).runs(SHORTEST_RUN)
    folded = text.lower()
    if len(folded) == len(text):
        marks = [place for mark in _MARKS for place in _occurrences(folded, mark.lower())]
    else:
        marks = [match.start() for match in re.finditer("(?i:" + "|".join(_MARKS) + ")", text)]
    end = -1
    for place in sorted([*places, *marks]):
        if place >= end:
            start = text.rfind("\n", 0, place) + 1
            end = text.find("\n", place)
            end = len(text) if end < 0 else end
            yield start, end


def _occurrences(text: str, needle: str) -> Iterator[int]:
    at = text.find(needle)
    while at >= 0:
        yield at
        at = text.find(needle, at + len(needle))


def _placeholder(kind: str, value: str) -> bool:
    """Whether ``value`` stands for a secret instead of being one."""
    if kind == "private_key":
        return False
    if kind == "url":
        user, _, password = value[:-1].partition(":")
        plain = password.strip("*.…<>[]{}$%()").casefold()
        return (
            not plain
            or plain in _PLACEHOLDERS
            or plain == user.casefold()
            or password[:1] in "<{$%["
            or len(set(plain)) == 1
        )
    return len({char for char in value[4:] if char.isalnum()}) < _FEW


def could_hold_secret(text: str) -> bool:
    """Whether a short ``text`` is worth a look; much cheaper than looking."""
    return max(map(len, text.split()), default=0) >= _SHORTEST_WORD and _SUSPECT.search(text) is not None


_SHORTEST_WORD = len("-----BEGIN")
_SUSPECT = lazy(rf"[\w-]{{{SHORTEST_RUN}}}|://|-----BEGIN ", re.ASCII)


def masked(text: str, values: Iterable[str] = ()) -> str:
    """Return ``text``, as long as it was, with ``*`` for every character of a secret and of the given ``values``."""
    text = starred(text, [(start, end) for start, end, _ in secrets_in(text)])
    for value in values:
        if value in text:
            text = text.replace(value, "*" * len(value))
    return text


def starred(text: str, spans: Iterable[tuple[int, int]]) -> str:
    """Return ``text`` with ``*`` for every character in ``spans``, except line ends. Linear."""
    parts: list[str] = []
    at = 0
    for start, end in sorted(spans):
        if end > at:
            parts += text[at:start], "\n".join(["*" * len(line) for line in text[max(at, start) : end].split("\n")])
            at = end
    return "".join([*parts, text[at:]])
