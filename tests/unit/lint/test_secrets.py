"""Published token formats: found, counted right, masked; and what only looks like one.

The tokens are made up here, piece by piece, so that no scanner of this repository takes the tests for a leak.
"""

from __future__ import annotations

import random
import string
import time

import pytest

from mneme.lint.secrets import could_hold_secret, masked, secrets_in, starred

_ALNUM = string.ascii_letters + string.digits
_HEX = "0123456789abcdef"
_UPPER = string.ascii_uppercase + string.digits


def made(length: int, alphabet: str = _ALNUM) -> str:
    """Return ``length`` random characters, the same at every run."""
    return "".join(random.Random(length).choices(alphabet, k=length))


TOKENS = {
    "GitHub token": ["ghp" + "_" + made(36), "github" + "_pat_" + made(22) + "_" + made(59)],
    "GitLab token": ["glpat" + "-" + made(20), "glrt" + "-" + made(20)],
    "AWS access key": ["AKIA" + made(16, _UPPER), "ASIA" + made(16, _UPPER)],
    "AWS secret key": ["aws_secret_access_key" + " = " + made(40), 'AWS_SECRET_ACCESS_KEY="' + made(40)],
    "Google key": ["AI" + "za" + made(35), "GOCSPX" + "-" + made(28), "ya29" + "." + made(60)],
    "Azure key": ["AccountKey" + "=" + made(86) + "==", "abc8Q~" + made(34), "?sv=1&sig=" + made(43) + "%3D"],
    "Slack token": [
        "xoxb" + f"-{made(11, string.digits)}-{made(12, string.digits)}-{made(24)}",
        "https://hooks.slack" + f".com/services/T{made(8)}/B{made(9)}/{made(24)}",
    ],
    "Discord token": ["M" + made(23) + "." + made(6) + "." + made(27)],
    "Stripe key": ["sk" + "_live_" + made(24), "rk" + "_test_" + made(24), "whsec" + "_" + made(32)],
    "Anthropic key": ["sk-ant" + "-api03-" + made(93)],
    "OpenAI key": ["sk" + "-" + made(48), "sk-proj" + "-" + made(64)],
    "Hugging Face token": ["hf" + "_" + made(34, string.ascii_letters)],
    "npm token": ["npm" + "_" + made(36)],
    "PyPI token": ["pypi" + "-AgEIcHlwaS5vcmc" + made(70)],
    "JSON Web Token": ["ey" + f"JhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0In0.{made(43)}"],
    "Twilio key": ["SK" + made(32, _HEX)],
    "SendGrid key": ["SG" + f".{made(22)}.{made(43)}"],
    "Mailgun key": ["key" + "-" + made(32, _HEX)],
    "Mailchimp key": [made(32, _HEX) + "-us" + "12"],
    "DigitalOcean token": ["dop" + "_v1_" + made(64, _HEX)],
    "Telegram bot token": ["123456789" + ":AA" + made(33)],
    "Shopify token": ["shpat" + "_" + made(32, _HEX)],
    "Square token": ["sq0csp" + "-" + made(43)],
    "Docker token": ["dckr" + "_pat_" + made(27)],
    "Vault token": ["hvs" + "." + made(90)],
    "Terraform Cloud token": [made(14) + ".atlasv1" + "." + made(67)],
    "Databricks token": ["dapi" + made(32, _HEX)],
    "Grafana token": ["glsa" + "_" + made(32) + "_" + made(8, _HEX)],
    "Notion token": ["secret" + "_" + made(43)],
    "Linear key": ["lin" + "_api_" + made(40)],
    "Atlassian token": ["ATATT3" + made(180)],
    "RubyGems key": ["rubygems" + "_" + made(48, _HEX)],
    "Postman key": ["PMAK" + f"-{made(24, _HEX)}-{made(34, _HEX)}"],
    "Pulumi token": ["pul" + "-" + made(40, _HEX)],
    "Groq key": ["gsk" + "_" + made(52)],
    "New Relic key": ["NRAK" + "-" + made(27, _UPPER)],
    "Sentry token": ["sntrys" + "_" + made(60)],
    "Tailscale key": ["tskey" + "-auth-" + made(17) + "-" + made(32)],
    "Supabase token": ["sbp" + "_" + made(40, _HEX)],
    "Figma token": ["figd" + "_" + made(40)],
    "age secret key": ["AGE-SECRET" + "-KEY-1" + made(58, _UPPER)],
    "Alibaba Cloud key": ["LTAI" + made(20)],
    "Tencent Cloud key": ["AKID" + made(32)],
    "password in a URL": ["postgres://app:" + "hunter2" + "@db.internal/atlas", "redis://:" + made(12) + "@cache:6379"],
    "private key": [f"-----BEGIN {kind}PRIVATE KEY-----" for kind in ("", "RSA ", "EC ", "OPENSSH ", "ENCRYPTED ")],
}

EVERY_TOKEN = pytest.mark.parametrize(
    ("kind", "token"),
    [(kind, token) for kind, tokens in TOKENS.items() for token in tokens],
    ids=[f"{kind} {number}" for kind, tokens in TOKENS.items() for number in range(len(tokens))],
)


@EVERY_TOKEN
@pytest.mark.parametrize("around", ["{}", "deploy with {} here", "> TOKEN={}", '> "{}",', "密钥是 {}。", "用{}登录"])
def test_every_published_format_is_found_and_masked(kind: str, token: str, around: str) -> None:
    text = f"@ DEC-0001  a/b\ngist  {around.format(token)}\nstate live\n"
    found = secrets_in(text)
    assert [secret.kind for secret in found] == [kind]
    assert could_hold_secret(text)
    hidden = masked(text)
    assert len(hidden) == len(text)
    assert hidden.startswith("@ DEC-0001  a/b\ngist  ")
    assert text[found[0].start : found[0].end] not in hidden


def test_a_private_key_is_masked_to_its_end() -> None:
    lines = ["-----BEGIN RSA PRIVATE KEY-----", made(64), made(63), made(20) + "==", "-----END RSA PRIVATE KEY-----"]
    for used in (lines, lines[:4]):
        text = "gist  Key\n" + "".join(f"> {line}\n" for line in used) + "\n@ DEC-0002  next.cell\n"
        hidden = masked(text)
        assert len(secrets_in(text)) == 1
        assert not any(line in hidden for line in used)
        assert hidden.count("\n") == text.count("\n")


def test_several_secrets_in_one_line_are_all_found() -> None:
    text = " ".join(token for tokens in TOKENS.values() for token in tokens[:1] if not token.startswith("-----"))
    assert [secret.kind for secret in secrets_in(text)] == [kind for kind in TOKENS if kind != "private key"]


@pytest.mark.parametrize(
    "text",
    [
        "postgres://user:password@localhost/db", "https://<user>:<password>@host/", "redis://:${REDIS_PASS}@cache:6379",
        "postgres://postgres:postgres@localhost", "https://user:xxxxxx@host", "https://example.org:8080/a@b",
        "ssh://git@github.com:22/project", "https://example.org/x?at=1:2@3", "mailto:someone@example.org",
        "ghp_" + "x" * 36, "sk-" + "0" * 48, "AKIA" + "X" * 16,
        "4f9f6ab1c2d3e4f5a6b7c8d9e0f1a2b3c4d5e6f7", "sha256:" + made(64, _HEX), "sha512-" + made(86) + "==",
        "123e4567-e89b-12d3-a456-426614174000", "task-" + made(48), "risk-" + made(40), "mask_live_" + made(24),
        "pre-commit-config-with-many-words", "a_very_long_identifier_in_snake_case_with_words", "ETA: 12:30@noon",
        "AKIAIOSFODNN7EXAMPLEANDMORE", "eyJhbGciOiJIUzI1NiJ9", "hf_hub_download", "xoxo-party-time", "glpat-short",
        "会话闲置 2 小时失效,最长 12 小时", "https://例子.测试/路径/很长的路径",
    ],
)  # fmt: skip
def test_what_only_looks_like_a_secret_is_none(text: str) -> None:
    assert secrets_in(f"gist  {text}\n") == []
    assert masked(text) == text


@pytest.mark.parametrize(
    "unit",
    ["eyJ", "sk-", "://a:", "-----BEGIN ", "-----BEGIN PRIVATE KEY-----", "github_pat_", "aws_secret_access_key",
     "xoxb-", "AccountKey=", "a", "eyJaaaaaaaa.", "M" * 24 + ".", "0123456789:"],
)  # fmt: skip
def test_no_text_takes_long(unit: str) -> None:
    text = unit * (300_000 // len(unit))
    start = time.process_time()
    secrets_in(text)
    assert time.process_time() - start < 10


def test_masking_also_takes_given_values_and_spans() -> None:
    assert masked("login as qwertz then qwertz", ["qwertz"]) == "login as ****** then ******"
    assert starred("abc\ndef", [(5, 6), (1, 5)]) == "a**\n**f"
    assert starred("abc", []) == "abc"
