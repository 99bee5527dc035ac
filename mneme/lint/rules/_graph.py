"""Circles in directed graphs, without recursion."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

Edges = Mapping[str, Sequence[str]]


def circles(edges: Edges) -> Iterator[list[str]]:
    """Yield one shortest circle through the first node of every strongly connected part, in the order of ``edges``.

    Edges from a node to itself do not count. Linear in nodes and edges.
    """
    component = _components(edges)
    size: dict[int, int] = {}
    for number in component.values():
        size[number] = size.get(number, 0) + 1
    done: set[int] = set()
    for node in edges:
        number = component[node]
        if size[number] > 1 and number not in done:
            done.add(number)
            yield _circle(node, edges, component)


def _circle(start: str, edges: Edges, component: Mapping[str, int]) -> list[str]:
    """Return the nodes of a shortest way from ``start`` back to it, inside its component."""
    came_from = {start: ""}
    queue = [start]
    for node in queue:
        for target in edges.get(node, ()):
            if target == start and node != start:
                path = [node]
                while path[-1] != start:
                    path.append(came_from[path[-1]])
                return path[::-1]
            if target not in came_from and component[target] == component[start]:
                came_from[target] = node
                queue.append(target)
    raise AssertionError(f"{start} is in no circle")


def _components(edges: Edges) -> dict[str, int]:
    """Return the number of the strongly connected component of every node (Tarjan 1972, with a stack of its own)."""
    index: dict[str, int] = {}
    low: dict[str, int] = {}
    component: dict[str, int] = {}
    open_nodes: list[str] = []
    for root in edges:
        if root in index:
            continue
        index[root] = low[root] = len(index)
        open_nodes.append(root)
        work = [(root, iter(edges[root]))]
        while work:
            node, targets = work[-1]
            for target in targets:
                if target not in index:
                    index[target] = low[target] = len(index)
                    open_nodes.append(target)
                    work.append((target, iter(edges.get(target, ()))))
                    break
                if target not in component:
                    low[node] = min(low[node], index[target])
            else:
                work.pop()
                if work:
                    parent = work[-1][0]
                    low[parent] = min(low[parent], low[node])
                if low[node] == index[node]:
                    while True:
                        member = open_nodes.pop()
                        component[member] = index[node]
                        if member == node:
                            break
    return component
