"""Time, memory and quality of near-duplicate grouping: `python benchmarks/near_groups.py [N]`.

N distinct questions: 1 base in 4, and three wordings of each that change a letter, the order, an
ending or a word of politeness; bases differ in a subject, a verb, a product or a number.
"""

import random
import resource
import sys
import time
from collections import defaultdict

from curation.metrics.near_groups import near_groups

SYLLABLES = [first + second for first in "bdfgklmnprst" for second in "aeiou"]


def word(chance: random.Random) -> str:
    return "".join(chance.choices(SYLLABLES, k=chance.randrange(2, 5)))


def wording(base: list[str], chance: random.Random) -> str:
    """One of the ways in which people write the same question again."""
    words = list(base)
    for _ in range(chance.choice((1, 1, 2))):
        kind = chance.randrange(4)
        at = chance.randrange(len(words))
        if kind == 0 and len(words[at]) > 6 and words[at].isalpha():
            cut = chance.randrange(2, len(words[at]) - 1)
            words[at] = words[at][:cut] + words[at][cut + 1 :]
        elif kind == 1:
            words.append(words.pop(0))
        elif kind == 2 and words[at].isalpha():
            words[at] += "s"
        else:
            words.insert(0, chance.choice(("please", "so", "just", "and")))
    return " ".join(words)


def main() -> None:
    count = int(sys.argv[1]) if len(sys.argv) > 1 else 1_000_000
    chance = random.Random(5)
    vocabulary = [word(chance) for _ in range(20_000)]
    truth: dict[str, int] = {}
    base = 0
    while len(truth) < count:
        words = ["how", "do", "i", *chance.choices(vocabulary, k=chance.randrange(3, 7))]
        words += [f"v{chance.randrange(9)}.{chance.randrange(20)}"] if base % 3 == 0 else []
        truth.setdefault(" ".join(words), base)
        for _ in range(3):
            truth.setdefault(wording(words, chance), base)
        base += 1
    keys = list(truth)[:count]
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    began, used = time.perf_counter(), time.process_time()
    leaders = near_groups(keys)
    wall, cpu = time.perf_counter() - began, time.process_time() - used
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    groups: defaultdict[int, list[int]] = defaultdict(list)
    for at, leader in enumerate(leaders):
        groups[leader].append(truth[keys[at]])
    pure = sum(len(set(found)) == 1 for found in groups.values())
    with_base = sum(truth[keys[leader]] == truth[keys[at]] for at, leader in enumerate(leaders))
    print(f"{len(keys)} questions: wall {wall:.0f} s, CPU {cpu:.0f} s, ")
    print(f"memory {peak:.0f} MB, of which {before:.0f} MB the questions themselves")
    print(f"{len(groups)} groups for {base} true ones; pure {pure / len(groups):.4f}")
    print(f"stands for a question of its own group: {with_base / len(keys):.4f}")


main()
