"""From edges to links: which cell says it, in which words, and which cells are superseded. Pure."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from mneme.bridge.mapping import CAUSAL, MUTUAL_TYPES
from mneme.bridge.to_cells import attributes
from mneme.format.model import Link
from mneme.graph.model import Edge


class Node(NamedTuple):
    """A cell that edges may end at: its ID, and when it was made (RFC 3339, or anything that sorts so).

    ``fixed``: no link can be added to it. ``successor`` names the cell in force that supersedes it already;
    ``final``: its state lets nothing supersede it.
    """

    id: str
    made: str = ""
    fixed: bool = False
    successor: str = ""
    final: bool = False


class Plan(NamedTuple):
    """Links by the key of the cell that says them, the keys of cells that become superseded, what could not be said."""

    links: Mapping[str, tuple[Link, ...]]
    superseded: frozenset[str]
    remarks: tuple[str, ...]


def is_automatic(edge: Edge) -> bool:
    """Whether a program's rules drew ``edge``: then other cells have such edges drawn anew when they are compiled."""
    said = edge.metadata
    creator = said.get("created_by", "")
    if creator not in ("", "auto"):
        return False
    match edge.type:
        case "temporal":
            return said.get("sub_type") in ("backbone", "proximity")
        case "entity":
            return "entity" in said
        case "causal":
            return "overlap" in said
        case "semantic":
            return creator == "auto" or "cosine" in said
    return False


def plan_links(edges: Iterable[Edge], nodes: Mapping[str, Node], *, paired: bool) -> Plan:
    """Return how cells say ``edges``, given in the order of writing; the first that says a thing counts.

    Every edge whose ends are both among ``nodes`` is said, a supersession that cannot be one (a circle, a second
    successor, a cell that is over) as ``relates``. ``paired``: two rows that say the same both ways are one relation,
    in the direction of the first.
    """
    work = _Work(nodes, paired)
    inside = [edge for edge in edges if edge.source in nodes and edge.target in nodes and edge.source != edge.target]
    for edge in work.settle([edge for edge in inside if edge.type == "supersedes"]):
        work.relate(edge, "relates", [("sub_type", "supersedes")], directed=True)
    for edge in inside:
        if edge.type != "supersedes":
            work.say(edge)
    return Plan(
        {key: tuple(dict.fromkeys(links)) for key, links in work.links.items()},
        frozenset(work.superseded), tuple(work.remarks),
    )  # fmt: skip


class _Work:
    def __init__(self, nodes: Mapping[str, Node], paired: bool) -> None:
        self.nodes = nodes
        self.paired = paired
        self.links: dict[str, list[Link]] = {}
        self.superseded: set[str] = set()
        self.remarks: list[str] = []
        self._said: dict[tuple[str, str, str], Edge] = {}

    # --- supersession -----------------------------------------------------------------------------------

    def settle(self, edges: Iterable[Edge]) -> list[Edge]:
        """Write the supersessions that can be; return the others."""
        kept: dict[str, list[Edge]] = {}
        others: list[Edge] = []
        for edge in edges:
            new, old = self.nodes[edge.source], self.nodes[edge.target]
            if new.final or old.final or old.successor or old.fixed or self._follows(edge.target, edge.source, kept):
                others.append(edge)
            else:
                kept.setdefault(edge.target, []).append(edge)
        for old_key, candidates in kept.items():
            in_force = [edge for edge in candidates if edge.source not in kept]
            winner = max(in_force, key=lambda edge: (self.nodes[edge.source].made, edge.source), default=None)
            for edge in candidates:
                if edge in in_force and edge is not winner:
                    others.append(edge)
                    self.remarks.append(
                        f"{self._name(edge.source)} and {self._name(winner.source if winner else '')} both supersede "
                        f"{self._name(old_key)}: the newer one does, the other is related"
                    )
                else:
                    self._supersede(edge)
        return others

    def _follows(self, start: str, wanted: str, kept: Mapping[str, list[Edge]]) -> bool:
        """Whether ``start`` comes after ``wanted`` by supersessions that are kept: then the circle would close."""
        waiting, seen = [wanted], set()
        while waiting:
            here = waiting.pop()
            if here == start:
                return True
            if here not in seen:
                seen.add(here)
                waiting += [edge.source for edge in kept.get(here, ())]
        return False

    def _supersede(self, edge: Edge) -> None:
        self.superseded.add(edge.target)
        if not self.nodes[edge.source].fixed:
            self._add(edge.source, Link("supersedes", self.nodes[edge.target].id, attributes(edge)))
        self._add(edge.target, Link("superseded-by", self.nodes[edge.source].id))

    # --- all others -------------------------------------------------------------------------------------

    def say(self, edge: Edge) -> None:
        """Write an edge that is no supersession."""
        if self._is_said(edge):
            return
        self._said[edge[:3]] = edge
        if edge.type == "causal":
            self._cause(edge)
        elif edge.type in ("temporal", "entity"):
            self.relate(edge, "relates", [("edge", edge.type)])
        elif edge.metadata.get("sub_type") == "refines":
            self.relate(_without(edge, "sub_type"), "refines", directed=True)
        else:
            self.relate(edge, "relates")

    def _is_said(self, edge: Edge) -> bool:
        if edge[:3] in self._said:
            return True
        back = self._said.get((edge.target, edge.source, edge.type))
        if back is None:
            return False
        return edge.type in MUTUAL_TYPES or (
            self.paired and back.weight == edge.weight and dict(back.metadata) == dict(edge.metadata)
        )

    def _cause(self, edge: Edge) -> None:
        kind = edge.metadata.get("sub_type", "causes")
        source, target = self.nodes[edge.source], self.nodes[edge.target]
        if kind == "depends-on" and not target.fixed:
            self._add(edge.target, Link(kind, source.id, attributes(_without(edge, "sub_type"))))
        elif not source.fixed and kind in CAUSAL and not CAUSAL[kind]:
            self._add(edge.source, Link(kind, target.id, attributes(_without(edge, "sub_type"))))
        elif not source.fixed:
            self._add(edge.source, Link("causes", target.id, attributes(edge)))
        elif not target.fixed:
            self._add(edge.target, Link("depends-on", source.id, attributes(edge)))
        else:
            self._unsaid(edge)

    def relate(
        self, edge: Edge, relation: str, more: Sequence[tuple[str, str]] = (), *, directed: bool = False
    ) -> None:  # fmt: skip
        """Write an edge as a link of the newer of its ends (``directed``: of its source), or of the one that can."""
        one, other = edge.source, edge.target
        if not directed and self.nodes[one].made < self.nodes[other].made:
            one, other = other, one
        if self.nodes[one].fixed:
            one, other = other, one
        if self.nodes[one].fixed:
            self._unsaid(edge)
        else:
            self._add(one, Link(relation, self.nodes[other].id, attributes(edge, more)))

    def _add(self, key: str, link: Link) -> None:
        self.links.setdefault(key, []).append(link)

    def _unsaid(self, edge: Edge) -> None:
        self.remarks.append(
            f"the {edge.type} edge from {self._name(edge.source)} to {self._name(edge.target)} was left out: "
            "another program drew it between two cells"
        )

    def _name(self, key: str) -> str:
        return self.nodes[key].id if key in self.nodes else key


def _without(edge: Edge, key: str) -> Edge:
    return edge._replace(metadata={name: value for name, value in edge.metadata.items() if name != key})
