# SPDX-FileCopyrightText: 2026 The jobmetrics authors
# SPDX-License-Identifier: GPL-2.0-or-later
"""The rules for Prometheus that are installed, in a time that is sixty times as fast."""

import pathlib
import re

TOP = pathlib.Path(__file__).resolve().parent.parent.parent
RULES = TOP / "data" / "prometheus" / "jobmetrics.rules.yml"
CPU_INCREASE = "cluster_user_account:jobmetrics_job_cpu_seconds:increase1m"
ENERGY_INCREASE = "cluster_user_account_quality:jobmetrics_job_energy_joules:increase1m"
GRAMS_INCREASE = "cluster_user_account_quality:jobmetrics_job_emissions_grams:increase1m"


def write_quick_rules(folder: pathlib.Path, minute: int) -> pathlib.Path:
    """With so many seconds for a minute, and sixty times as many for an hour."""
    hour = 60 * minute
    text = RULES.read_text(encoding="utf-8")
    for slow, quick in (
        (r"interval: 1m\b", f"interval: {minute}s"),
        (r"interval: 2m\b", f"interval: {2 * minute}s"),
        (r"offset 1m\b", f"offset {minute}s"),
        (r"\[1h\]", f"[{hour}s]"),
        (r"\[1d\]", f"[{24 * hour}s]"),
        (r"\* 60$", f"* {minute}"),
        (r"offset 1h\b", f"offset {hour}s"),
        (r"< 3600\b", f"< {hour}"),
    ):
        text, found = re.subn(f"(?m){slow}", quick, text)
        if found == 0:
            raise AssertionError(f"the rules have no {slow}")
    path = folder / RULES.name
    path.write_text(text, encoding="utf-8")
    return path


def metrics_of_the_product() -> set[str]:
    """The metric table's, in the page that is made of it, and the archive's own."""
    pages = (TOP / "doc" / "reference" / name for name in ("metrics.md", "accounting.md"))
    return {name for page in pages for name in re.findall(r"`(jobmetrics_\w+)`", page.read_text(encoding="utf-8"))}


def recorded_names() -> set[str]:
    return set(re.findall(r"record: (\S+)", RULES.read_text(encoding="utf-8")))
