"""How well does recall find what answers a question? Measured on graded questions, and what it costs.

    python benchmarks/recall.py --data DIR [--ranker NAME] [--embed KIND] [--against NAME] [--json]

DIR holds `questions.jsonl` and one `PROJECT.mneme` for each project (benchmarks/cellbench-dev, whose README says what
the figures mean), or files `*.json` with conversations: records (turns) and questions with the turns that answer them.
Turns are imported as memories: one cell each, its speaker the cue, session and place in the origin line. Every ranker
of `mneme recall` is asked through a compiled store, every state admitted; `bm25` is plain BM25 over the same words.

`--embed package` gives every cell a vector by the model of the extra `embed`; `ollama` and `openai` ask the server that
the environment names. `--against` compares question by question, with a ranker that has no vectors. Intervals are 95 %,
from 2,000 resamplings of the questions.
"""

from __future__ import annotations

import argparse
import json
import math
import os
import random
import re
import statistics
import sys
import time
from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, NamedTuple

from mneme.bridge.arrivals import Member
from mneme.bridge.compile import apply, compare
from mneme.bridge.embedding import BATCH, vectors_for, views_of
from mneme.config import Config
from mneme.format.parser import parse
from mneme.graph.embed.provider import KINDS, SWITCH, Provider, choose
from mneme.graph.store import StoreView, memory_store
from mneme.graph.view import Scope
from mneme.recall.asked import pieces
from mneme.recall.pipeline import RANKERS, recall

NOW = datetime(2026, 11, 25, tzinfo=UTC)
SHOWN = 20
RESAMPLINGS = 2000
SEED = 1
LONGEST_GIST = 120

Found = tuple[list[str], float]
"""IDs, best first, and how sure the ranker is that there is an answer."""


class Query(NamedTuple):
    """A question. ``grades``: 3 must be found, 2 useful, 1 marginal. ``old`` and ``twins`` would mislead at the top."""

    id: str
    store: str
    kind: str
    text: str
    grades: Mapping[str, int]
    old: frozenset[str] = frozenset()
    twins: frozenset[str] = frozenset()


class Data(NamedTuple):
    """Texts of memory files by store, and what is asked of them."""

    texts: dict[str, str]
    queries: list[Query]
    graded: bool


def load(folder: Path) -> Data:
    """Read either kind of data."""
    return cells(folder) if (folder / "questions.jsonl").exists() else conversations(folder)


def cells(folder: Path) -> Data:
    texts = {path.stem: path.read_text("utf-8") for path in sorted(folder.glob("*.mneme"))}
    states = {name: {cell.id: cell.status.state for cell in parse(text).cells} for name, text in texts.items()}
    queries = []
    for line in (folder / "questions.jsonl").read_text("utf-8").splitlines():
        if line.strip():
            one = json.loads(line)
            known = states[one["project"]]
            misleading = [key for key in one["must_not_first"] if key in known]
            old = frozenset(key for key in misleading if known[key] == "superseded")
            queries.append(
                Query(
                    one["id"], one["project"], one["kind"], one["query"], one["relevant"], old,
                    frozenset(misleading) - old,
                )
            )  # fmt: skip
    return Data(texts, queries, graded=True)


def conversations(folder: Path) -> Data:
    texts: dict[str, str] = {}
    queries: list[Query] = []
    for path in sorted(folder.glob("*.json")):
        held = json.loads(path.read_text("utf-8"))
        name = str(held["conversation"])
        ids = {record["id"]: f"TURN-{number:04d}" for number, record in enumerate(held["records"], 1)}
        texts[name] = "\n".join(turn(record, ids[record["id"]], place) for place, record in enumerate(held["records"]))
        for one in held["questions"]:
            evidence = {ids[key]: 3 for key in one["evidence"] if key in ids}
            queries.append(Query(one["id"], name, one["category"], one["query"], evidence))
    return Data(texts, queries, graded=False)


def turn(record: Mapping[str, Any], cell_id: str, place: int) -> str:
    """Return the cell that `mneme remember` would make of a turn: short texts are the gist, else its first clause."""
    text = " ".join(record["text"].split())
    day = record["time"][:10]
    gist, body = text, ""
    if len(text) > LONGEST_GIST:
        clause = re.match(r".{10,117}?[.!?,;:](?=\s)", text)
        gist, body = clause[0] if clause else text[: LONGEST_GIST - 3].rsplit(" ", 1)[0], f"> {text}\n"
    return (
        f"@ {cell_id}  talk\ngist  {gist}\nstate live   conf med   since {day}   seen {day}\n"
        f"cue   {record['speaker']}\n"
        f"{body}origin  session=session-{record['session']} turn={place}\n"
    )


def compiled(text: str, name: str) -> StoreView:
    """Return the graph of a memory file, every state admitted."""
    members = [Member(cell, f"{name}.mneme", place) for place, cell in enumerate(parse(text).cells)]
    store = memory_store()
    with store.transaction():
        apply(store, members, compare(store, members, Config()), Config(), now=NOW, files={})
    return store.view(Scope(every_state=True))


class Embedded:
    """A graph whose cells have vectors: a view like any other, of vectors that are kept here."""

    def __init__(self, view: StoreView, vectors: Mapping[str, bytes]) -> None:
        self._view = view
        self._vectors = vectors

    def __getattr__(self, name: str) -> Any:
        return getattr(self._view, name)

    def vectors(self, ids: Collection[str] | None = None) -> Mapping[str, bytes]:
        """Return the vectors, of ``ids`` only when some are named."""
        return self._vectors if ids is None else {key: self._vectors[key] for key in ids if key in self._vectors}


def embedded(view: StoreView, text: str, provider: Provider) -> Embedded:
    """Return ``view`` with the vectors that a compile would give its cells."""
    cells = parse(text).cells
    blobs = [
        blob
        for start in range(0, len(cells), BATCH)
        for blob in vectors_for(provider, [views_of(cell) for cell in cells[start : start + BATCH]])
    ]
    return Embedded(view, {cell.id: blob for cell, blob in zip(cells, blobs, strict=True)})


def asking(name: str, provider: Provider | None = None) -> Callable[[StoreView, str], Found]:
    """Return the ranker called ``name``: it answers a text. ``provider`` embeds the text for it."""
    if name == "bm25":
        return bm25

    def ask(view: StoreView, text: str) -> Found:
        embed = provider.embed if provider is not None else None
        answer = recall(view, text, ranker=name, limit=SHOWN, min_confidence=0, embed=embed)
        sure = answer.answerable
        return [hit.id for hit in answer.hits], (answer.hits[0].score if answer.hits else 0.0) if sure is None else sure

    return ask


def bm25(view: StoreView, text: str) -> Found:
    """Rank by BM25 (k1 1.2, b 0.75) of all words of an insight together, whatever field they stand in."""
    lexicon = view.lexicon()
    rows = lexicon.rows(insight.id for insight in view.newest(view.count()))
    documents = {key: Counter(" ".join(row.columns).split()) for key, row in rows.items()}
    lengths = {key: sum(document.values()) for key, document in documents.items()}
    usual = statistics.fmean(lengths.values())
    holding = Counter(token for document in documents.values() for token in document)
    scores: defaultdict[str, float] = defaultdict(float)
    for piece in pieces(text):
        token = piece.forms[0]
        rarity = math.log(1 + (len(rows) - holding[token] + 0.5) / (holding[token] + 0.5))
        for key, document in documents.items():
            if token in document:
                times = document[token]
                scores[key] += rarity * times * 2.2 / (times + 1.2 * (0.25 + 0.75 * lengths[key] / usual))
    order = sorted(scores, key=lambda key: (-scores[key], key))[:SHOWN]
    return order, scores[order[0]] if order else 0.0


def figures(query: Query, ranked: Sequence[str]) -> dict[str, float]:
    """Return what one question scores; unanswerable ones score nothing here."""
    if not query.grades:
        return {}
    need = {key for key, grade in query.grades.items() if grade >= 2}
    core = {key for key, grade in query.grades.items() if grade == 3}
    gains = [2.0 ** query.grades.get(key, 0) - 1 for key in ranked[:10]]
    best = sorted((2.0**grade - 1 for grade in query.grades.values()), reverse=True)[:10]
    found = {
        "recall@5": len(need & set(ranked[:5])) / min(5, len(need)),
        "recall@10": len(need & set(ranked[:10])) / min(10, len(need)),
        "hit@10": float(bool(need & set(ranked[:10]))),
        "all@5": float(core <= set(ranked[:5])),
        "all@10": float(need <= set(ranked[:10])),
        "nDCG@10": discounted(gains) / discounted(best),
        "MRR": next((1 / place for place, key in enumerate(ranked, 1) if key in need), 0.0),
    }
    if query.old:
        found["old first"] = float(bool(ranked) and ranked[0] in query.old)
    if query.twins:
        found["twin first"] = float(bool(ranked) and ranked[0] in query.twins)
    return found


def discounted(gains: Sequence[float]) -> float:
    return sum(gain / math.log2(place + 1) for place, gain in enumerate(gains, 1))


class Result(NamedTuple):
    """One question, asked."""

    query: Query
    figures: dict[str, float]
    sure: float
    seconds: float


def run(data: Data, views: Mapping[str, StoreView], ask: Callable[[StoreView, str], Found]) -> list[Result]:
    """Ask everything."""
    results = []
    for query in data.queries:
        started = time.process_time()
        ranked, sure = ask(views[query.store], query.text)
        taken = time.process_time() - started
        results.append(Result(query, figures(query, ranked), sure, taken))
    return results


METRICS = (
    "recall@5", "recall@10", "hit@10", "all@5", "all@10", "nDCG@10", "MRR", "old first", "twin first", "abstention",
)  # fmt: skip


def mean(results: Sequence[Result], metric: str) -> float | None:
    if metric == "abstention":
        yes = [one.sure for one in results if one.query.grades]
        no = [one.sure for one in results if not one.query.grades]
        if not yes or not no:
            return None
        return sum((y > n) + 0.5 * (y == n) for y in yes for n in no) / (len(yes) * len(no))
    values = [one.figures[metric] for one in results if metric in one.figures]
    return statistics.fmean(values) if values else None


def interval(values: Callable[[list[int]], float | None], count: int) -> tuple[float, float] | None:
    """Return the middle 95 % of a figure over resamplings of ``count`` questions, given by their places."""
    rng = random.Random(SEED)
    drawn = [values([rng.randrange(count) for _ in range(count)]) for _ in range(RESAMPLINGS)]
    known = sorted(value for value in drawn if value is not None)
    if not known:
        return None
    return known[int(0.025 * len(known))], known[int(0.975 * len(known))]


def groups(results: Sequence[Result]) -> Iterator[tuple[str, list[Result]]]:
    yield "all", list(results)
    for title, key in (
        ("store", lambda one: one.query.store),
        ("asked in", lambda one: "Chinese" if re.search("[\u4e00-\u9fff]{2}", one.query.text) else "English"),
        ("kind", lambda one: one.query.kind),
    ):
        names = dict.fromkeys(map(key, results))
        if len(names) > 1:
            for name in names:
                yield f"{title} {name}", [one for one in results if key(one) == name]


def told(value: float | None) -> str:
    return "-" if value is None else f"{value:.3f}"


def table(results: Sequence[Result]) -> list[str]:
    metrics = [metric for metric in METRICS if mean(results, metric) is not None]
    lines = ["| group | n | " + " | ".join(metrics) + " |", "|---|---:|" + "---:|" * len(metrics)]
    for name, group in groups(results):
        lines.append(f"| {name} | {len(group)} | " + " | ".join(told(mean(group, metric)) for metric in metrics) + " |")
        if name == "all":
            spans = [
                interval(lambda places, metric=metric: mean([results[place] for place in places], metric), len(results))
                for metric in metrics
            ]
            told_spans = (f"{low:.3f} to {high:.3f}" for low, high in (span or (0.0, 0.0) for span in spans))
            lines.append("| 95 % | | " + " | ".join(told_spans) + " |")
    return lines


def differences(ours: Sequence[Result], theirs: Sequence[Result]) -> list[str]:
    lines = ["| paired difference | mean | 95 % |", "|---|---:|---|"]
    for metric in ("recall@5", "recall@10", "nDCG@10", "MRR", "old first", "twin first"):
        pairs = [
            (one.figures[metric], other.figures[metric])
            for one, other in zip(ours, theirs, strict=True)
            if metric in one.figures
        ]
        if not pairs:
            continue
        apart = [one - other for one, other in pairs]
        span = interval(
            lambda places, apart=apart: statistics.fmean(apart[place] for place in places), len(apart)
        )  # fmt: skip
        low, high = span or (0.0, 0.0)
        lines.append(f"| {metric} | {statistics.fmean(apart):+.3f} | {low:+.3f} to {high:+.3f} |")
    return lines


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, default=Path(__file__).parent / "cellbench-dev")
    parser.add_argument("--ranker", choices=[*RANKERS, "bm25"], default="mneme")
    parser.add_argument("--embed", choices=KINDS, metavar="KIND", help=", ".join(KINDS))
    parser.add_argument("--against", choices=[*RANKERS, "bm25"])
    parser.add_argument("--json", action="store_true", help="the figures of all questions together, for machines")
    asked = parser.parse_args()
    data = load(asked.data)
    views = {name: compiled(text, name) for name, text in data.texts.items()}
    plain = views
    provider = choose({**os.environ, SWITCH: asked.embed}).provider if asked.embed else None
    if asked.embed and provider is None:
        parser.error("the extra 'embed' is not installed")
    if provider is not None:
        started = time.process_time()
        views = {name: embedded(plain[name], text, provider) for name, text in data.texts.items()}  # type: ignore[misc]
        cells = sum(view.count() for view in plain.values())
        print(
            f"{provider.model}: {cells} cells embedded in {time.process_time() - started:.1f} s CPU", file=sys.stderr
        )  # fmt: skip
    results = run(data, views, asking(asked.ranker, provider))
    taken = sorted(one.seconds * 1000 for one in results)
    if asked.json:
        json.dump({metric: mean(results, metric) for metric in METRICS}, sys.stdout, indent=1)
        return
    by = f", vectors by {provider.model}" if provider is not None else ""
    print(f"{asked.data.name}, ranker {asked.ranker}{by}: {len(results)} questions")
    print(
        f"CPU time a question: median {statistics.median(taken):.1f} ms, p95 {taken[int(0.95 * len(taken))]:.1f} ms\n"
    )
    print("\n".join(table(results)))
    if asked.against:
        others = run(data, plain, asking(asked.against))
        print(f"\n{asked.ranker}{by} against {asked.against}\n\n" + "\n".join(differences(results, others)))


if __name__ == "__main__":
    main()
