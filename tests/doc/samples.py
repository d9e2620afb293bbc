# SPDX-FileCopyrightText: 2026 The jobmetrics authors
# SPDX-License-Identifier: GPL-2.0-or-later
"""The samples of the manual: fenced blocks, whose first line says in which language and how each is tried.

```c run=jobs             a whole program: built against the installed library, run on FIXTURE
```c body                 the inside of a function that has `node`, `snapshot` and `subject`: built
```c source=Wattmeter     a type that implements an interface: added to a node, of which the output that follows is a part of /metrics
```vala run=jobs          as for C; `python`, too
```sh run                 commands: run in a clone whose build is named build, with the installed programs in the path
```text output            what the sample before it prints
```text                   a picture of something; not tried
```promql                 a query: answered by Prometheus' engine from a recorded node's figures
```yaml prometheus        prometheus.yml, `rules`: a file of rules, `web`: web.yml
```ini config             a configuration file of the daemon, `scheduler`: a scheduler definition
```LANGUAGE not="why"     not tried, and why not
"""

import pathlib
import re
from dataclasses import dataclass

FENCE = re.compile(r"^(```+)(.*)$")
INFO = re.compile(r'^(?P<language>\w+)(?: (?:not="(?P<why_not>[^"]+)"|(?P<how>\w+)(?:=(?P<name>[\w-]+))?))?$')
HOW = {
    "c": {"run", "body", "source"},
    "vala": {"run", "source"},
    "python": {"run", "source"},
    "sh": {"run"},
    "text": {None, "output"},
    "promql": {None},
    "yaml": {"prometheus", "rules", "web"},
    "ini": {"config", "scheduler"},
    "conf": set(),
}


@dataclass
class Sample:
    page: pathlib.Path
    line: int
    language: str
    how: str | None
    name: str | None
    why_not: str | None
    text: str
    output: str | None = None

    def __str__(self) -> str:
        return f"{self.page.name}:{self.line}"


class BadSample(Exception):
    pass


def sample_from(page: pathlib.Path, line: int, info: str, text: str) -> Sample:
    match = INFO.match(info)
    if match is None:
        raise BadSample(f"{page.name}:{line}: does not say in which language it is and how it is tried: {info!r}")
    sample = Sample(page, line, match["language"], match["how"], match["name"], match["why_not"], text)
    if sample.why_not is None and sample.how not in HOW.get(sample.language, set()):
        raise BadSample(f'{sample}: no way to try it; not="…" would say why not: {info!r}')
    return sample


def blocks_of(page: pathlib.Path) -> list[Sample]:
    samples, fence, start, info, lines = [], None, 0, "", []
    for number, line in enumerate(page.read_text(encoding="utf-8").splitlines(), start=1):
        match = FENCE.match(line)
        if fence is None and match:
            fence, info, start, lines = match[1], match[2].strip(), number, []
        elif fence is not None and line.rstrip() == fence:
            samples.append(sample_from(page, start, info, "\n".join(lines) + "\n"))
            fence = None
        elif fence is not None:
            lines.append(line)
    if fence is not None:
        raise BadSample(f"{page.name}:{start}: has no end")
    return samples


def samples_of(page: pathlib.Path) -> list[Sample]:
    """The samples of a page; each output stands with the last sample before it that is run, and with those of its name in other languages."""
    samples: list[Sample] = []
    for block in blocks_of(page):
        if block.how != "output":
            samples.append(block)
            continue
        runs = [sample for sample in samples if sample.how in {"run", "source"} and sample.output is None]
        if not runs:
            raise BadSample(f"{block}: output of nothing")
        for run in runs:
            if run is runs[-1] or (run.name is not None and run.name == runs[-1].name):
                run.output = block.text
    return samples
