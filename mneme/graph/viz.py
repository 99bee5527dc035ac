"""Pictures of a graph: for Graphviz, and as a page that needs no network (facts 8.9)."""

from __future__ import annotations

import html as markup
import re
from base64 import b64encode
from collections import Counter
from collections.abc import Iterable
from hashlib import sha256
from importlib.resources import files
from string import Template
from typing import Any

from mneme.graph.go_json import dumps
from mneme.graph.model import Edge, Insight

CATEGORY_COLOURS = {
    "decision": "#e74c3c",
    "fact": "#3498db",
    "insight": "#9b59b6",
    "preference": "#2ecc71",
    "context": "#f39c12",
    "general": "#95a5a6",
}
"""An unknown category looks like ``general``."""

EDGE_COLOURS = {
    "temporal": "#aaaaaa",
    "semantic": "#3498db",
    "causal": "#e74c3c",
    "entity": "#2ecc71",
    "supersedes": "#f1c40f",
}
OTHER_EDGE = "#cccccc"

DIRECTED = ("causal", "supersedes")

LABEL_CHARACTERS = 60

_UUID = re.compile("[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}")
_CONTROLS = re.compile(r"[\x00-\x1f\x7f]+")


def dot(insights: Iterable[Insight], edges: Iterable[Edge]) -> str:
    """Return the graph in the language of Graphviz, nodes by ID, edges by source, target and type.

    An edge that has an end outside of ``insights`` is left out.
    """
    nodes = {one.id: one for one in sorted(insights, key=lambda one: one.id)}
    lines = ["digraph mnemon {", "  rankdir=LR;", '  node [shape=box, style="filled", fontcolor="white"];']
    lines += [
        f"  {_quoted(one.id)} [label={_quoted(_label(one))}, fillcolor={_quoted(_node_colour(one))}];"
        for one in nodes.values()
    ]
    lines += [
        f"  {_quoted(one.source)} -> {_quoted(one.target)} "
        f"[label={_quoted(_edge_label(one))}, color={_quoted(_edge_colour(one))}];"
        for one in _inside(nodes, edges)
    ]
    return "\n".join([*lines, "}"]) + "\n"


def html(insights: Iterable[Insight], edges: Iterable[Edge], title: str = "mneme") -> str:
    """Return a page that shows the graph in a browser; everything it needs is in it, and it may load nothing.

    Only the two scripts of ours can run in it, named by their digests: a text of the store is shown, never obeyed.
    """
    nodes = {one.id: one for one in sorted(insights, key=lambda one: one.id)}
    library, program = _file("force-graph.min.js"), _file("page.js")
    return Template(_file("page.html")).substitute(
        title=markup.escape(title),
        policy=" ".join(
            f"'sha256-{b64encode(sha256(text.encode()).digest()).decode()}'" for text in (library, program)
        ),
        legend=_legend(),
        data=dumps(_data(nodes, edges), indent=False),
        library=library,
        program=program,
    )


def _data(nodes: dict[str, Insight], edges: Iterable[Edge]) -> dict[str, Any]:
    """Return what the page draws; of two rows that say the same both ways, one."""
    rows = _inside(nodes, edges)
    keys = {one[:3] for one in rows}
    between: Counter[tuple[str, str]] = Counter()
    links = []
    for one in rows:
        directed = one.type in DIRECTED
        if not directed and one.source > one.target and (one.target, one.source, one.type) in keys:
            continue
        ends = min(one[:2]), max(one[:2])
        links.append(
            {
                "source": one.source,
                "target": one.target,
                "color": _edge_colour(one),
                "weight": one.weight,
                "directed": directed,
                "bend": 0.15 * between[ends],
                "text": f"{one.source} → {one.target}\n{one.type}: {_edge_label(one)}, weight {one.weight:.2f}",
            }
        )
        between[ends] += 1
    shown = [
        {
            "id": one.id,
            "name": _short(one.id),
            "color": _node_colour(one),
            "text": f"{one.id} [{one.category}]\n{one.content}",
        }
        for one in nodes.values()
    ]
    return {"nodes": shown, "links": links}


def _inside(nodes: dict[str, Insight], edges: Iterable[Edge]) -> list[Edge]:
    rows = [one for one in edges if one.source in nodes and one.target in nodes]
    return sorted(rows, key=lambda one: one[:3])


def _legend() -> str:
    nodes = [f'<div><i style="background: {colour}"></i>{name}</div>' for name, colour in CATEGORY_COLOURS.items()]
    edges = [
        f'<div class="edge"><i style="background: {colour}"></i>{name}</div>' for name, colour in EDGE_COLOURS.items()
    ]
    return "".join(nodes + edges)


def _short(key: str) -> str:
    """Return the first 8 characters of a UUID; any other ID is short enough to be read whole."""
    return key[:8] if _UUID.fullmatch(key) else key


def _label(one: Insight) -> str:
    """Return a node's label, never cut inside of a character."""
    content = _CONTROLS.sub(" ", one.content)
    cut = content[:LABEL_CHARACTERS] + "…" if len(content) > LABEL_CHARACTERS else content
    return f"{_short(one.id)} [{one.category}]\n{cut}"


def _edge_label(one: Edge) -> str:
    return one.metadata.get("sub_type") or one.type


def _node_colour(one: Insight) -> str:
    return CATEGORY_COLOURS.get(one.category, CATEGORY_COLOURS["general"])


def _edge_colour(one: Edge) -> str:
    return EDGE_COLOURS.get(one.type, OTHER_EDGE)


def _quoted(text: str) -> str:
    """Return ``text`` as a quoted string of Graphviz: nothing in it is an escape or ends it."""
    plain = text.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n")
    return f'"{_CONTROLS.sub(" ", plain)}"'


def _file(name: str) -> str:
    return (files("mneme.graph") / "page" / name).read_text(encoding="utf-8")
