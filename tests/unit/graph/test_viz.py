"""Pictures of a graph (engine's facts, 8.9): what a text holds is shown, never obeyed."""

from __future__ import annotations

import json
import re
from base64 import b64encode
from hashlib import sha256
from html.parser import HTMLParser
from importlib.resources import files

import pytest

from mneme.graph.model import Edge
from mneme.graph.viz import CATEGORY_COLOURS, EDGE_COLOURS, dot, html
from tests.graphs import insight, pair

UUID = "7b2f0c1e-1111-4222-8333-944445555666"
HOSTILE = "</script><script>alert(1)</script><!-- \"'\\ $data ${x} <img src=x onerror=alert(2)>\n\u2028缓存"

COLOURS = {
    "8.9 decision": (CATEGORY_COLOURS["decision"], "#e74c3c"),
    "8.9 fact": (CATEGORY_COLOURS["fact"], "#3498db"),
    "8.9 insight": (CATEGORY_COLOURS["insight"], "#9b59b6"),
    "8.9 preference": (CATEGORY_COLOURS["preference"], "#2ecc71"),
    "8.9 context": (CATEGORY_COLOURS["context"], "#f39c12"),
    "8.9 general": (CATEGORY_COLOURS["general"], "#95a5a6"),
    "8.9 temporal": (EDGE_COLOURS["temporal"], "#aaaaaa"),
    "8.9 semantic": (EDGE_COLOURS["semantic"], "#3498db"),
    "8.9 causal": (EDGE_COLOURS["causal"], "#e74c3c"),
    "8.9 entity": (EDGE_COLOURS["entity"], "#2ecc71"),
}


@pytest.mark.parametrize("check", COLOURS)
def test_colour(check: str) -> None:
    ours, engine = COLOURS[check]
    assert ours == engine


def test_8_9_dot() -> None:
    insights = [insight("FACT-0002", "b" * 61, category="odd"), insight(UUID, 'says "no" \\ yes', category="fact")]
    edges = [
        Edge("FACT-0002", UUID, "causal", 0.5, {"sub_type": "enables"}),
        *pair(UUID, "FACT-0002", "later type"),
        Edge(UUID, "gone", "causal", 1.0),
    ]
    assert (
        dot(insights, edges)
        == f"""\
digraph mnemon {{
  rankdir=LR;
  node [shape=box, style="filled", fontcolor="white"];
  "{UUID}" [label="7b2f0c1e [fact]\\nsays \\"no\\" \\\\ yes", fillcolor="#3498db"];
  "FACT-0002" [label="FACT-0002 [odd]\\n{"b" * 60}…", fillcolor="#95a5a6"];
  "{UUID}" -> "FACT-0002" [label="later type", color="#cccccc"];
  "FACT-0002" -> "{UUID}" [label="enables", color="#e74c3c"];
  "FACT-0002" -> "{UUID}" [label="later type", color="#cccccc"];
}}
"""
    )


def test_every_quoted_string_of_dot_ends_where_it_should() -> None:
    text = dot([insight(f"A{HOSTILE}", HOSTILE, category=HOSTILE)], [Edge(f"A{HOSTILE}", f"A{HOSTILE}", HOSTILE, 1.0)])
    assert len(text.splitlines()) == 6 + text.count("\u2028")
    bare = re.sub(r'"(?:[^"\\]|\\.)*"', "S", text)
    assert bare.splitlines()[3:] == ["  S [label=S, fillcolor=S];", "  S -> S [label=S, color=S];", "}"]


class Page(HTMLParser):
    """The scripts, tags and attributes of a page."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.tags: list[str] = []
        self.attributes: list[tuple[str, str | None]] = []
        self.scripts: list[str] = []
        self.title = ""
        self._open = ""
        self.feed(text)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        self.attributes += attrs
        self._open = tag
        if tag == "script":
            self.scripts.append("")

    def handle_endtag(self, tag: str) -> None:
        self._open = ""

    def handle_data(self, data: str) -> None:
        if self._open == "script":
            self.scripts[-1] += data
        elif self._open == "title":
            self.title += data


def page() -> Page:
    insights = [insight("A", HOSTILE, category=HOSTILE), insight("B", "x", category="fact")]
    edges = [*pair("A", "B", "entity"), Edge("A", "B", "causal", 0.5, {"sub_type": HOSTILE})]
    return Page(html(insights, edges, title=HOSTILE))


def test_hostile_text_adds_no_tag() -> None:
    shown = page()
    assert shown.tags.count("script") == 3
    assert not {"img", "iframe", "link", "object"} & set(shown.tags)
    assert shown.title == HOSTILE


def test_the_page_loads_nothing_and_runs_its_own_scripts_alone() -> None:
    shown = page()
    assert not [value for name, value in shown.attributes if name in ("src", "href") or name.startswith("on")]
    policy = next(value for name, value in shown.attributes if name == "content" and value and "script-src" in value)
    digests = [f"'sha256-{b64encode(sha256(script.encode()).digest()).decode()}'" for script in shown.scripts[1:]]
    assert policy == f"default-src 'none'; style-src 'unsafe-inline'; script-src {' '.join(digests)}"


def test_the_data_of_the_page() -> None:
    data = json.loads(page().scripts[0])
    assert [node["text"] for node in data["nodes"]] == [f"A [{HOSTILE}]\n{HOSTILE}", "B [fact]\nx"]
    assert [(link["source"], link["target"], link["directed"], link["bend"]) for link in data["links"]] == [
        ("A", "B", True, 0.0), ("A", "B", False, 0.15),
    ]  # fmt: skip


def test_the_vendored_library_is_the_published_one() -> None:
    """From the package force-graph 1.52.0 on npm, dist/force-graph.min.js."""
    vendored = (files("mneme.graph") / "page" / "force-graph.min.js").read_bytes()
    assert sha256(vendored).hexdigest() == "f59db59ba92ff5a76ed93d7a4d77a703b176260e5d9cd29f4f8eb4f6c369a629"
    assert b"</script" not in vendored.lower()
    assert b"<!--" not in vendored
    assert (files("mneme.graph") / "page" / "LICENSES.txt").read_text(encoding="utf-8").count("Copyright") > 10


def test_pictures_do_not_depend_on_order() -> None:
    insights = [insight(key, key) for key in "ABC"]
    edges = [*pair("A", "B", "entity"), Edge("C", "A", "causal", 0.5)]
    for picture in (dot, html):
        assert picture(insights, edges) == picture(insights[::-1], edges[::-1])
