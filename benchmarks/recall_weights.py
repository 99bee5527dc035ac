"""What is each signal of the default ranker worth, and would fitted weights do better than the round ones?

    python benchmarks/recall_weights.py off [--data DIR]      every signal off in turn: the change, and its interval
    python benchmarks/recall_weights.py fit [--data DIR] [--folds 5] [--seed 1]

`fit` climbs, one weight at a time, from the weights as they are, on four fifths of the questions of each kind, and says
what the result scores on the last fifth, beside what the round weights score there. The objective is the mean of
recall@5 and nDCG@10, less a tenth of how often an old version or a wrong twin comes first.
"""

from __future__ import annotations

import argparse
import random
import statistics
from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

from recall import Result, compiled, differences, figures, interval, load, mean

from mneme.graph.store import StoreView
from mneme.recall import default
from mneme.recall.question import hear
from mneme.recall.weights import DEFAULT, Weights

SHOWN = 20


def ask(data: Any, views: Mapping[str, StoreView], weights: Weights, limit: int = SHOWN) -> list[Result]:
    """Ask everything under ``weights``."""
    results = []
    for query in data.queries:
        answer = default.answer(views[query.store], [hear(query.text)], limit, {}, weights=weights)
        results.append(Result(query, figures(query, [hit.id for hit in answer.hits]), answer.answerable or 0.0, 0.0))
    return results


def without(**fields: float) -> Weights:
    return DEFAULT._replace(fields={**DEFAULT.fields, **fields})


LIVE = dict.fromkeys(DEFAULT.states, 1.0)

OFF: dict[str, Weights] = {
    "cue": without(cue=0),
    "body": without(body=0),
    "topic as text": without(topic=0),
    "ID as text": without(ident=0),
    "linked cells' gist and cues as a field": DEFAULT._replace(near=0),
    "score spreading along links": DEFAULT._replace(starts=0),
    "both of these": DEFAULT._replace(near=0, starts=0),
    "`causes` in the spreading": DEFAULT._replace(
        forward={**DEFAULT.forward, "causes": 0}, backward={**DEFAULT.backward, "causes": 0}
    ),
    "more of it for WHY": DEFAULT._replace(why=1),
    "states": DEFAULT._replace(states=LIVE),
    "what the successor inherits": DEFAULT._replace(successor=0),
    "gist and cues of what was replaced": DEFAULT._replace(old=0),
    "these three": DEFAULT._replace(states=LIVE, successor=0, old=0),
    "same topic, same area": DEFAULT._replace(topic=0, area=0),
    "a date for WHEN": DEFAULT._replace(dated=1),
    "best clause of a prompt": DEFAULT._replace(clause=0),
    "PREF, TODO, OKR on a prompt": DEFAULT._replace(rule=1, plan=1),
    "words that are only alike": DEFAULT._replace(unsure=0.01),
    "neighbours in time": DEFAULT._replace(turns=()),
    "who is named has said it": DEFAULT._replace(speaker=0),
    "long turns": DEFAULT._replace(turn_length=0),
    "turns that are questions": DEFAULT._replace(asks=0),
}
"""Weights with a signal off."""

CONVERSATIONS = ("neighbours in time", "who is named has said it", "long turns", "turns that are questions")


def off(data: Any, views: Mapping[str, StoreView]) -> None:
    metrics = ("recall@5", "nDCG@10") if data.graded else ("recall@10", "nDCG@10")
    whole = ask(data, views, DEFAULT)
    print(f"| off | {' | '.join(metrics)} | old first |\n|---|---:|---:|---:|")
    print(f"| nothing | {' | '.join(f'{mean(whole, metric):.3f}' for metric in metrics)} | {_share(whole)} |")
    for name, weights in OFF.items():
        if (name in CONVERSATIONS) == data.graded:
            continue
        less = ask(data, views, weights)
        told = []
        for metric in metrics:
            apart = [
                one.figures[metric] - other.figures[metric]
                for one, other in zip(less, whole, strict=True)
                if metric in one.figures
            ]
            low, high = interval(
                lambda places, apart=apart: statistics.fmean(apart[place] for place in places), len(apart)
            ) or (0.0, 0.0)  # fmt: skip
            told.append(f"{statistics.fmean(apart):+.3f}{'*' if low > 0 or high < 0 else ''}")
        print(f"| {name} | {' | '.join(told)} | {_share(less)} |", flush=True)


def _share(results: Sequence[Result]) -> str:
    value = mean(results, "old first")
    return "-" if value is None else f"{value:.3f}"


STEPS = (0.67, 1.5)

Change = Callable[[Weights, float], Weights]


def scalar(name: str) -> Change:
    return lambda weights, factor: weights._replace(**{name: getattr(weights, name) * factor})


def entry(name: str, key: str) -> Change:
    def change(weights: Weights, factor: float) -> Weights:
        held = dict(getattr(weights, name))
        held[key] *= factor
        return weights._replace(**{name: held})

    return change


KNOBS: dict[str, Change] = {
    **{name: scalar(name) for name in ("k1", "b", "near", "old", "clause", "successor", "why", "topic", "area")},
    **{f"field {key}": entry("fields", key) for key in ("gist", "cue", "topic", "body")},
    **{f"forward {key}": entry("forward", key) for key in ("causes", "relates")},
    **{f"backward {key}": entry("backward", key) for key in ("causes", "prevents", "depends-on", "relates")},
    "state superseded": entry("states", "superseded"),
}


def objective(results: Sequence[Result]) -> float:
    value = ((mean(results, "recall@5") or 0.0) + (mean(results, "nDCG@10") or 0.0)) / 2
    return value - 0.1 * (mean(results, "old first") or 0.0) - 0.1 * (mean(results, "twin first") or 0.0)


def fit(data: Any, views: Mapping[str, StoreView], folds: int, seed: int) -> None:
    known: dict[str, list[Result]] = {}

    def results(weights: Weights) -> list[Result]:
        key = repr(weights)
        if key not in known:
            known[key] = ask(data, views, weights)
        return known[key]

    kinds = defaultdict(list)
    for place, query in enumerate(data.queries):
        kinds[query.kind].append(place)
    rng = random.Random(seed)
    fold_of = {}
    for places in kinds.values():
        rng.shuffle(places)
        fold_of.update({place: number % folds for number, place in enumerate(places)})
    round_held: list[Result] = []
    fitted_held: list[Result] = []
    order = sorted(fold_of, key=lambda place: (fold_of[place], place))
    for fold in range(folds):
        there = [place for place in order if fold_of[place] != fold]
        held = [place for place in order if fold_of[place] == fold]
        best, changed = DEFAULT, []
        top = objective([results(best)[place] for place in there])
        for name, change in KNOBS.items():
            for factor in STEPS:
                tried = change(best, factor)
                score = objective([results(tried)[place] for place in there])
                if score > top + 1e-9:
                    best, top, last = tried, score, (name, factor)
                    changed = [pair for pair in changed if pair[0] != name] + [last]
        print(
            f"fold {fold + 1}: {', '.join(f'{name} x {factor:g}' for name, factor in changed) or 'nothing'}", flush=True
        )
        round_held += [results(DEFAULT)[place] for place in held]
        fitted_held += [results(best)[place] for place in held]
    for name, these in (("round", round_held), ("fitted, held out", fitted_held)):
        told = ", ".join(f"{metric} {mean(these, metric):.3f}" for metric in ("recall@5", "nDCG@10"))
        print(f"{name}: {told}")
    print("\nfitted against round\n\n" + "\n".join(differences(fitted_held, round_held)))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("what", choices=("off", "fit"))
    parser.add_argument("--data", type=Path, default=Path(__file__).parent / "cellbench-dev")
    parser.add_argument("--folds", type=int, default=5)
    parser.add_argument("--seed", type=int, default=1)
    asked = parser.parse_args()
    data = load(asked.data)
    views = {name: compiled(text, name) for name, text in data.texts.items()}
    if asked.what == "off":
        off(data, views)
    else:
        fit(data, views, asked.folds, asked.seed)


if __name__ == "__main__":
    main()
