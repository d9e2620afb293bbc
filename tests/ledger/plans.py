# SPDX-FileCopyrightText: 2026 The jobmetrics authors
# SPDX-License-Identifier: GPL-2.0-or-later
"""Which jobs there are to be: the same each time."""

import math
import pathlib
import random
from dataclasses import dataclass

SHORTEST, LONGEST = 0.05, 10.0
LEAST_DUTY, MOST_DUTY = 0.02, 0.2
# of a hundred; the others work and end
KINDS = {"forks": 15, "killed": 8, "memory": 7}
SEED = 20231


@dataclass(frozen=True)
class Plan:
    seconds: float
    duty: float  # CPU seconds in a second
    kind: str


def _kind(chance: random.Random) -> str:
    names = [*KINDS, "steady"]
    return chance.choices(names, [*KINDS.values(), 100 - sum(KINDS.values())])[0]


def make(count: int) -> list[Plan]:
    """As many of 0.05 to 0.5 s as of 1 to 10 s, and as many of each part of these: short ones are what matters here."""
    chance = random.Random(SEED)
    plans = []
    for _ in range(count):
        seconds = math.exp(chance.uniform(math.log(SHORTEST), math.log(LONGEST)))
        plans.append(Plan(seconds, chance.uniform(LEAST_DUTY, MOST_DUTY), _kind(chance)))
    return plans


def make_long(count: int, seconds: float) -> list[Plan]:
    """They run all the time: what one of them costs each hour is seen."""
    return [Plan(seconds, LEAST_DUTY, "steady")] * count


def write(plans: list[Plan], path: pathlib.Path) -> None:
    """For short-job, a line each."""
    path.write_text("".join(f"{plan.seconds:.4f} {plan.duty:.4f} {plan.kind}\n" for plan in plans))
    path.chmod(0o644)
