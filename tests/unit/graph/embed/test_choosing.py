"""Which provider the environment means: a package by itself, a server only when one is named, nothing when off."""

from __future__ import annotations

import pytest

from mneme.errors import UsageError
from mneme.graph.embed import package, provider, web
from mneme.graph.embed.provider import choose

CASES = [
    ({}, "package"),
    ({"MNEME_EMBED": "off"}, None),
    ({"MNEME_EMBED": " OFF ", "MNEMON_EMBED_ENDPOINT": "http://h:1"}, None),
    ({"MNEME_EMBED": "package", "MNEMON_EMBED_MODEL": "m"}, "package"),
    ({"MNEME_EMBED": "ollama"}, "ollama"),
    ({"MNEME_EMBED": "openai"}, "openai"),
    ({"MNEMON_EMBED_MODEL": "m"}, "ollama"),
    ({"MNEMON_EMBED_ENDPOINT": "http://h:1"}, "ollama"),
    ({"MNEMON_EMBED_ENDPOINT": "http://h:1/v1"}, "openai"),
    ({"MNEMON_EMBED_ENDPOINT": "http://h:1/api/v1/"}, "openai"),
    ({"MNEMON_EMBED_ENDPOINT": "http://h:1/v10"}, "ollama"),
    ({"MNEMON_EMBED_ENDPOINT": "http://h:1/v1", "MNEMON_EMBED_PROTOCOL": "ollama"}, "ollama"),
    ({"MNEMON_EMBED_PROTOCOL": "OpenAI"}, "openai"),
    ({"MNEMON_EMBED_PROTOCOL": "auto"}, "ollama"),
    ({"MNEMON_EMBED_API_KEY": "a key alone names no server"}, "package"),
    ({"MNEMON_EMBED_ENDPOINT": "  "}, "package"),
]


@pytest.mark.parametrize(("environ", "kind"), CASES)
def test_who_is_meant(environ: dict[str, str], kind: str | None) -> None:
    choice = choose(environ)
    assert (choice.provider.kind if choice.provider else None, choice.remarks) == (kind, ())


def test_a_word_that_means_nothing_is_an_error() -> None:
    with pytest.raises(UsageError, match="MNEME_EMBED is 'yes'"):
        choose({"MNEME_EMBED": "yes"})


@pytest.mark.parametrize(
    ("name", "value", "said"),
    [
        ("MNEMON_EMBED_PROTOCOL", "grpc", "'grpc': taken for auto"),
        ("MNEMON_EMBED_DIMENSIONS", "-3", "'-3': left out"),
        ("MNEMON_EMBED_DIMENSIONS", "0", "'0': left out"),
        ("MNEMON_EMBED_DIMENSIONS", "many", "'many': left out"),
    ],
)
def test_what_is_wrong_with_a_variable_is_said_and_left_out(name: str, value: str, said: str) -> None:
    choice = choose({"MNEMON_EMBED_ENDPOINT": "http://h:1", name: value})
    assert choice.provider is not None
    assert choice.provider.kind == "ollama"
    assert said in " ".join(choice.remarks)


def test_settings_have_the_originals_defaults_and_never_show_the_key() -> None:
    assert provider.settings({}, []) == ("http://localhost:11434", "nomic-embed-text", 0, "")
    told = provider.settings(
        {"MNEMON_EMBED_ENDPOINT": "http://h:1/", "MNEMON_EMBED_MODEL": " m ", "MNEMON_EMBED_DIMENSIONS": "256",
         "MNEMON_EMBED_API_KEY": "abc"}, [],
    )  # fmt: skip
    assert told == ("http://h:1", "m", 256, "abc")
    assert "abc" not in repr(told)


def test_without_the_extra_there_is_nobody_and_it_is_said_to_who_asked(monkeypatch: pytest.MonkeyPatch) -> None:
    for module in (package, web):
        monkeypatch.setattr(module, "find_spec", lambda _: None)
    assert choose({}) == (None, ())
    assert "with the extra 'embed'" in choose({"MNEME_EMBED": "package"}).remarks[0]
    assert "httpx is not installed" in choose({"MNEMON_EMBED_MODEL": "m"}).remarks[0]
