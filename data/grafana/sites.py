# SPDX-FileCopyrightText: 2026 The jobmetrics authors
# SPDX-License-Identifier: MIT
"""The dashboards of users, accounts, clusters and energy, a row for each panel; panels.py says what is in a row."""

from panels import (
    C,
    CLUSTER,
    INFO,
    MEASURED,
    NO_CLUSTER,
    NO_GPU,
    NO_METER,
    NO_SERVER,
    PER_USER,
    RULES,
    Board,
    Panel,
    Variable,
    over_time,
    ratio,
    split,
    watts,
    who_has,
)


# --- users and accounts ------------------------------------------------------------------------


def holder_board(who: str, other: str, title: str, says: str) -> Board:
    f = f'{C},{who}="${who}"'
    info = f"{INFO}{{{f}}}"
    quality = f"{PER_USER}_quality"

    def now(name: str, by: str = "") -> str:
        return f"sum{by and f' by ({by})'} ({PER_USER}:jobmetrics_job_{name}{{{f}}})"

    def of_jobs(expression: str) -> str:
        return f"sum by (cluster, jobid, {other}) ({who_has(expression, info, 'cluster', other)})"

    def share(above: str, *below: str) -> str:
        def total(name: str) -> str:
            return over_time(f"job_{name}", f, other)

        return ratio(total(above), f"({' + '.join(map(total, below))})")

    def totals(metric: str, chosen: str, per: int) -> str:
        of_node = f"max_over_time(instance_jobid:jobmetrics_job_{metric}:max{{{chosen}}}[$__range])"
        return f"topk(100, sum by (cluster, jobid, uuid) ({of_node})) / {per}"

    used = now("cpu_seconds:irate5m")
    parts = {
        "Now": [
            Panel("stat", "Jobs that run", "none",
                  {"": f"count(count by (cluster, jobid) ({info} unless on (instance, jobid) jobmetrics_job_end_time_seconds))"},
                  f"Jobs that nodes show and that have not ended. Empty where there is none. {RULES}"),
            Panel("stat", "Jobs that wait", "none", {"": f'sum(jobmetrics_{who}_jobs{{{f},state="pending"}})'},
                  f"Jobs in the queue, each task of an array as one. {NO_CLUSTER}"),
            Panel("stat", "CPUs in use", "percentunit", {"": ratio(used, f"{used} + {now('idle_cpus:sum')}")},
                  "Of the CPUs that running jobs were given, how many are busy: 100 % is all. Empty where no job runs."),
            Panel("stat", "Memory in use", "percentunit",
                  {"": ratio(now("memory_rss_bytes:sum"), now("memory_limit_bytes:sum"))},
                  "Anonymous memory that running jobs hold, of what they were given. Empty where no job has a limit of memory."),
            Panel("stat", "GPUs that idle", "percentunit", {"": ratio(now("idle_gpus:sum"), now("gpus:sum"))},
                  f"GPUs on which nothing has run for five minutes, of those that jobs hold. {NO_GPU}"),
            Panel("stat", "Power now", "watt",
                  {"{{quality}}": f"sum by (quality) ({quality}:jobmetrics_job_power_watts:sum{{{f}}})"},
                  f"What running jobs take, measured and estimated apart. {NO_METER}"),
        ],
        "Over time": [
            Panel("timeseries", "CPUs", "none", {"given": now("cpus:sum"), "in use": used},
                  "CPUs that jobs were given, and how many of them are busy. The gap is what idles.", bound="/^given$/"),
            Panel("timeseries", "Memory", "bytes", {"given": now("memory_limit_bytes:sum"), "held": now("memory_rss_bytes:sum")},
                  "Limits of memory, and anonymous memory within them. Jobs without a limit are in neither.", bound="/^given$/"),
            Panel("timeseries", "GPUs", "none",
                  {"given": now("gpus:sum"), "busy": now("busy_gpus:sum"), "idle for five minutes": now("idle_gpus:sum")},
                  f"GPUs that jobs hold, one that is shared by its share, and what they do. {NO_GPU}", bound="/^given$/"),
            Panel("timeseries", "Power", "watt",
                  {f"{{{{{other}}}}} {{{{quality}}}}": f"sum by ({other}, quality) ({quality}:jobmetrics_job_power_watts:sum{{{f}}})"},
                  f"What jobs take, by {other}. {NO_METER}", stacked=True),
        ],
        "In the chosen time": [
            Panel("stat", "Core hours used", "suffix:h", {"": over_time("job_cpu_seconds:increase1m", f, per=3600)},
                  f"CPU time of all jobs, also of those that have ended. {RULES}"),
            Panel("stat", "Core hours idle", "suffix:h", {"": over_time("job_idle_cpus:sum", f, per=60)},
                  f"CPU time that jobs were given and did not use. {RULES}"),
            Panel("stat", "Energy", "watth",
                  {"{{quality}}": over_time("job_energy_joules:increase1m", f, "quality", 3600, quality)},
                  f"What jobs took, measured and estimated apart. {NO_METER}"),
            Panel("stat", "CO2 equivalent", "massg",
                  {"{{quality}}": over_time("job_emissions_grams:increase1m", f, "quality", 1, quality)},
                  f"By average factors, of measured and of estimated energy. {NO_METER}"),
            Panel("stat", "Ended jobs", "none",
                  {"": over_time("ledger_jobs:increase1m", f'{who}="${who}"', metric="user_account")},
                  "Jobs that the ledgers of nodes have recorded, however short; a job of many nodes counts on each, and all clusters "
                  "count. Empty where no node keeps a ledger."),
            Panel("bargauge", f"Energy by {other}", "watth",
                  {f"{{{{{other}}}}}": f"topk(10, {over_time('job_energy_joules:increase1m', f'{f},{MEASURED}', other, 3600, quality)})"},
                  f"The ten that took most, of measured energy. {NO_METER}"),
            Panel("table", f"How well it was used, by {other}", "percentunit",
                  {
                      "Core hours": ("suffix:h", over_time("job_cpu_seconds:increase1m", f, other, 3600)),
                      "CPUs in use": ("percentunit", share("cpu_seconds:irate5m", "cpu_seconds:irate5m", "idle_cpus:sum")),
                      "Memory in use": ("percentunit", share("memory_rss_bytes:sum", "memory_limit_bytes:sum")),
                      "GPUs that idle": ("percentunit", share("idle_gpus:sum", "gpus:sum")),
                  },
                  "Ratios of sums, so that large jobs count for more than small ones. A column is empty where no source reports it.", width=12),
        ],
        "Jobs": [
            Panel("table", "Running jobs", "none",
                  {
                      "CPUs": ("none", of_jobs("jobmetrics_job_cpus")),
                      "in use": ("none", of_jobs("(irate(jobmetrics_job_cpu_seconds_total[5m]) and on (instance, jobid) jobmetrics_job_cpus)")),
                      "Memory": ("bytes", of_jobs("jobmetrics_job_memory_used_bytes")),
                      "Limit": ("bytes", of_jobs("jobmetrics_job_memory_limit_bytes")),
                      "GPUs": ("none", of_jobs("jobmetrics_job_allocated_gpus")),
                      "Power": ("watt", of_jobs(f"sum by (instance, jobid) (jobmetrics_job_power_watts{{{MEASURED}}})")),
                  },
                  "What each has and uses on all its nodes; its id leads to its own dashboard. Power is what was measured."),
            Panel("table", "Jobs of the chosen time", "watth",
                  {
                      "Core hours": ("suffix:h", totals("cpu_seconds_total", f, 3600)),
                      "Energy": ("watth", totals("energy_joules_total", f"{f},{MEASURED}", 3600)),
                      "CO2 equivalent": ("massg", totals("emissions_grams_total", f"{f},{MEASURED}", 1)),
                  },
                  "The hundred that took most, with all that they took since they began. Energy is what was measured; a job "
                  "without a meter has none.", hidden=("uuid",)),
        ],
    }
    variables = [CLUSTER, Variable(who, who.capitalize(), f"label_values(jobmetrics_job_info{{{C}}}, {who})")]
    return Board(who, title, says, variables, parts)


USER = holder_board("user", "account", "a user", "What one user's jobs have, use and take.")
ACCOUNT = holder_board("account", "user", "an account", "What the jobs of one account have, use and take, and whose they are.")


# --- a cluster ---------------------------------------------------------------------------------


def state_sum(metric: str, states: str = "", by: str = "") -> str:
    chosen = C + (f',state=~"{states}"' if states else "")
    return f"sum{by and f' by ({by})'} (jobmetrics_{metric}{{{chosen}}})"


def by_partition(expression: str) -> str:
    return f"sum by (cluster, partition) ({expression})"


def all_of(name: str) -> str:
    return f"sum({PER_USER}:jobmetrics_job_{name}{{{C}}})"


def of_account(name: str, per: int = 1) -> str:
    """Of the last day, as it is recorded."""
    divisor = "" if per == 1 else f" / {per}"
    return f"sum by (cluster, account) (cluster_account:jobmetrics_job_{name}{{{C}}}){divisor}"


def goodput(device: str, by: str, classes: str = "") -> str:
    chosen = C + (f',class=~"{classes}"' if classes else "")
    return f"sum by ({by}) (jobmetrics_server_goodput_{device}_seconds{{{chosen}}}) / 3600"


def goodput_share(device: str, classes: str) -> str:
    return ratio(goodput(device, "cluster, partition", classes), goodput(device, "cluster, partition"))


# those of sinfo in which nobody can have a node before somebody mends it
LOST = "blocked|down|drain.*|error|fail.*|inval|maint|reboot|unknown"
CLUSTER_PARTS = {
    "Now": [
        Panel("stat", "Nodes", "none", {"": state_sum("cluster_nodes")}, f"Nodes that the scheduler knows. {NO_CLUSTER}"),
        Panel("stat", "Nodes not to be had", "none", {"": state_sum("cluster_sinfo_nodes", LOST)},
              f"Drained, down, or kept for upkeep. {NO_CLUSTER}", bad_from=1),
        Panel("stat", "CPUs allocated", "percentunit",
              {"": ratio(state_sum("cluster_cpus", "allocated"), state_sum("cluster_cpus"))},
              f"Of all CPUs of the nodes, those that jobs have. {NO_CLUSTER}"),
        Panel("stat", "CPUs in use", "percentunit",
              {"": ratio(all_of("cpu_seconds:irate5m"), f"{all_of('cpu_seconds:irate5m')} + {all_of('idle_cpus:sum')}")},
              f"Of the CPUs that jobs have, those that are busy, as the nodes report. {RULES}"),
        Panel("stat", "Memory allocated", "percentunit",
              {"": ratio(state_sum("cluster_memory_allocated_bytes"), state_sum("cluster_memory_bytes"))},
              f"Of all memory of the nodes, what jobs were granted. {NO_CLUSTER}"),
        Panel("stat", "GPUs allocated", "percentunit",
              {"": ratio(state_sum("cluster_gpus", "allocated"), state_sum("cluster_gpus"))},
              "Of all GPUs of the nodes, those that jobs have. Empty where there are no GPUs."),
    ],
    "Over time": [
        Panel("timeseries", "CPUs", "none",
              {"{{state}}": state_sum("cluster_cpus", by="state"), "in use by jobs": all_of("cpu_seconds:irate5m")},
              f"Whose CPUs are, by the scheduler's word, and how many of them jobs keep busy, by the nodes'. {NO_CLUSTER}"),
        Panel("timeseries", "Nodes by state", "none", {"{{state}}": f"{state_sum('cluster_sinfo_nodes', by='state')} > 0"},
              f"By the one word that sinfo has for each, of those that some node is in. {NO_CLUSTER}", stacked=True),
        Panel("timeseries", "GPUs", "none",
              {"{{type}} {{state}}": state_sum("cluster_gpus", by="type, state"), "busy": all_of("busy_gpus:sum")},
              "Whose GPUs are; unusable ones are not allocated, and their node is down or full. Empty where there are no GPUs."),
        Panel("timeseries", "Memory", "bytes",
              {
                  "all": state_sum("cluster_memory_bytes"),
                  "allocated": state_sum("cluster_memory_allocated_bytes"),
                  "held by jobs": all_of("memory_rss_bytes:sum"),
              },
              f"What nodes have, what jobs were granted, and anonymous memory that they hold. {NO_CLUSTER}", bound="/^all$/"),
    ],
    "The queue": [
        Panel("timeseries", "Jobs by state", "none", {"{{state}}": f"{state_sum('cluster_jobs', by='state')} > 0"},
              f"Jobs by state, of those that some job is in, each task of an array as one. {NO_CLUSTER}"),
        Panel("bargauge", "Why jobs wait", "none",
              {"{{reason}}": f"topk(10, sum by (reason) (jobmetrics_cluster_pending_jobs{{{C}}}))"},
              "The ten reasons that hold most jobs, in the scheduler's words. Empty where no job waits."),
        Panel("timeseries", "The longest wait", "s",
              {"{{partition}}": f"max by (cluster, partition) (jobmetrics_partition_oldest_pending_seconds{{{C}}})"},
              "How long ago the oldest waiting job could have begun. Empty where no job waits that could begin."),
        Panel("bargauge", "Accounts by CPUs", "none",
              {"{{account}}": f"topk(10, sum by (account) (jobmetrics_account_allocated_cpus{{{C}}}))"},
              f"The ten accounts whose running jobs have most CPUs. {NO_CLUSTER}"),
        Panel("table", "Partitions", "none",
              {
                  "CPUs allocated": ("none", by_partition(f'jobmetrics_partition_cpus{{{C},state="allocated"}}')),
                  "CPUs idle": ("none", by_partition(f'jobmetrics_partition_cpus{{{C},state="idle"}}')),
                  "Jobs running": ("none", by_partition(f'jobmetrics_partition_jobs{{{C},state="running"}}')),
                  "Jobs waiting": ("none", by_partition(f'jobmetrics_partition_jobs{{{C},state="pending"}}')),
                  "Longest wait": ("s", by_partition(f"jobmetrics_partition_oldest_pending_seconds{{{C}}}")),
              },
              f"A job that waits in several partitions is in each of them, and so is a node. {NO_CLUSTER}", width=14),
        Panel("table", "Nodes that are not to be used, and why", "dateTimeAsIso",
              {"Since": ("dateTimeAsIso", f"max by (cluster, node, reason, user) (jobmetrics_cluster_node_reason_time_seconds{{{C}}}) * 1000")},
              "In the words of who said so. Empty where there is no reason.", width=10),
    ],
    "How well it is used, in the last day": [
        Panel("table", "Accounts", "percentunit",
              {
                  "CPUs in use": ("percentunit", of_account("cpu_efficiency:ratio1d")),
                  "Memory in use": ("percentunit", of_account("memory_efficiency:ratio1d")),
                  "GPUs that idle": ("percentunit", of_account("gpu_idle:ratio1d")),
                  "Core hours used": ("suffix:h", of_account("cpu_seconds:sum1d", 3600)),
                  "Core hours idle": ("suffix:h", of_account("idle_cpu_seconds:sum1d", 3600)),
              },
              f"Of what each account's jobs were given. A column is empty where no source reports it. {RULES}", width=16),
        Panel("bargauge", "Users by idle core hours", "suffix:h",
              {"{{user}}": f"topk(10, sum by (user) (cluster_user:jobmetrics_job_idle_cpu_seconds:sum1d{{{C}}})) / 3600"},
              f"The ten whose jobs left most CPU time unused. {RULES}", width=8),
    ],
    "Hours that runs were given, in 24 hours": [
        Panel("timeseries", "CPU hours by class", "suffix:h", {"{{class}}": goodput("cpu", "class")},
              f"Each CPU hour of the 24 hours that ended one hour before that point, in exactly one class. {NO_SERVER}", stacked=True),
        Panel("timeseries", "GPU hours by class", "suffix:h", {"{{class}}": goodput("gpu", "class")},
              f"The same of GPUs. Empty where no run was given one. {NO_SERVER}", stacked=True),
        Panel("table", "Goodput of partitions", "percentunit",
              {
                  "CPU hours": ("suffix:h", goodput("cpu", "cluster, partition")),
                  "CPUs productive": ("percentunit", goodput_share("cpu", "productive")),
                  "CPUs idle": ("percentunit", goodput_share("cpu", "idle")),
                  "CPUs in prolog or epilog": ("percentunit", goodput_share("cpu", "prolog_epilog")),
                  "CPUs lost": ("percentunit", goodput_share("cpu", "lost_.*")),
                  "CPUs not observed": ("percentunit", goodput_share("cpu", "unobserved")),
                  "GPU hours": ("suffix:h", goodput("gpu", "cluster, partition")),
                  "GPUs productive": ("percentunit", goodput_share("gpu", "productive")),
                  "GPUs idle": ("percentunit", goodput_share("gpu", "idle")),
                  "GPUs in prolog or epilog": ("percentunit", goodput_share("gpu", "prolog_epilog")),
                  "GPUs lost": ("percentunit", goodput_share("gpu", "lost_.*")),
                  "GPUs not observed": ("percentunit", goodput_share("gpu", "unobserved")),
              },
              "Shares of what runs of each partition were given. Productive is a busy device in a run that ended well, was cancelled or "
              f"still runs; prolog and epilog are what nodes reported, at least; lost is all time of runs that failed, were preempted or ran into their time limit. {NO_SERVER}"),
    ],
    "The scheduler": [
        Panel("timeseries", "Age of its answers", "s",
              {"{{cluster}} {{topic}}": f"max by (cluster, topic) (jobmetrics_cluster_topic_age_seconds{{{C}}})"},
              f"Time since the last good answer to each question; one that only grows is answered no more. {NO_CLUSTER}"),
        Panel("timeseries", "Cycles", "s",
              {
                  "main": f"max(jobmetrics_scheduler_last_cycle_seconds{{{C}}})",
                  "backfill": f"max(jobmetrics_scheduler_backfill_last_cycle_seconds{{{C}}})",
              },
              "How long the last cycles over the queue took. Empty where the scheduler does not report it, or had none."),
        Panel("timeseries", "Jobs that begin and end", "suffix:jobs/s",
              {
                  "submitted": f"sum(rate(jobmetrics_scheduler_jobs_submitted_total{{{C}}}[$__rate_interval]))",
                  "started": f"sum(rate(jobmetrics_scheduler_jobs_started_total{{{C}}}[$__rate_interval]))",
                  "completed": f"sum(rate(jobmetrics_scheduler_jobs_completed_total{{{C}}}[$__rate_interval]))",
                  "failed": f"sum(rate(jobmetrics_scheduler_jobs_failed_total{{{C}}}[$__rate_interval]))",
              },
              "As the controller counts them. Empty where it does not report them."),
        Panel("timeseries", "Questions to the controller", "reqps",
              {"{{type}}": f"topk(10, sum by (type) (rate(jobmetrics_scheduler_rpcs_total{{{C}}}[$__rate_interval])))"},
              "The ten most frequent types. Empty where it does not report them.", legend_beside=True),
    ],
}
CLUSTER_BOARD = Board(
    "cluster", "a cluster", "Nodes, queue and scheduler as the cluster role reports them, and how well jobs use what they have.",
    [Variable("cluster", "Cluster", "label_values({__name__=~\"jobmetrics_cluster_nodes|jobmetrics_job_info\"}, cluster)", has_all=True)],
    CLUSTER_PARTS,
)


# --- energy ------------------------------------------------------------------------------------


def top(who: str, what: str, unit: int) -> str:
    taken = over_time(f"job_{what}:increase1m", f"{C},{MEASURED}", who, unit, f"{PER_USER}_quality")
    return f"topk(10, {taken})"


OF_NODES = "Nodes have a cluster only where their scrape configuration gives it, as /discovery does; else choose All."
SPLIT = " + ".join(split(C).values())
QUALITY = f"{PER_USER}_quality"
ENERGY_PARTS = {
    "Now": [
        Panel("stat", "Power of jobs", "watt",
              {"{{quality}}": f"sum by (quality) ({QUALITY}:jobmetrics_job_power_watts:sum{{{C}}})"},
              f"What running jobs take, measured and estimated apart. {NO_METER}"),
        Panel("stat", "Power of nodes", "watt", {"": SPLIT}, f"Jobs, system and idling together. {NO_METER} {OF_NODES}"),
        Panel("stat", "Part that jobs take", "percentunit", {"": ratio(watts("job", C), f"({SPLIT})")},
              f"Of what nodes take; the rest is the system's, or idling. {NO_METER} {OF_NODES}"),
        Panel("stat", "Part that is measured", "percentunit", {"": ratio(watts("job", f"{C},{MEASURED}"), watts("job", C))},
              f"Of what jobs take; the rest is estimated. {NO_METER}"),
        Panel("stat", "Factor now", "suffix:g/kWh",
              {"{{provider}} {{zone}}":
               f"avg by (provider, zone) (jobmetrics_emission_factor_grams_per_joule{{{C},method=\"average\"}}) * 3.6e6"},
              f"CO2 equivalent of electricity, average of the nodes. Empty where emissions are not reckoned. {OF_NODES}"),
        Panel("stat", "Silent meters", "none",
              {"": f"sum(1 - jobmetrics_node_power_source_up{{{C}}})"},
              f"Meters that did not answer when they were read last. {NO_METER} {OF_NODES}", bad_from=1),
    ],
    "Over time": [
        Panel("timeseries", "Where the energy goes", "watt", split(C),
              f"To jobs, to whatever is no job, and what would be taken if no program ran. {NO_METER} {OF_NODES}", stacked=True),
        Panel("timeseries", "What jobs take, by domain", "watt", {"{{domain}} {{quality}}": watts("job", C, "domain, quality")},
              f"Domains do not overlap: node is what no component has measured. {NO_METER} {OF_NODES}", stacked=True),
        Panel("timeseries", "Power by account", "watt",
              {"{{account}}": f"topk(10, sum by (account) ({QUALITY}:jobmetrics_job_power_watts:sum{{{C},{MEASURED}}}))"},
              f"The ten accounts that take most, of measured power. {NO_METER}"),
        Panel("timeseries", "Factor", "suffix:g/kWh",
              {"{{provider}} {{zone}} {{method}}":
               f"avg by (provider, zone, method) (jobmetrics_emission_factor_grams_per_joule{{{C}}}) * 3.6e6"},
              f"CO2 equivalent of electricity, by source of the factor. Empty where emissions are not reckoned. {OF_NODES}"),
    ],
    "In the chosen time": [
        Panel("stat", "Energy of jobs", "watth",
              {"{{quality}}": over_time("job_energy_joules:increase1m", C, "quality", 3600, QUALITY)},
              f"Of all jobs, also of those that have ended. {NO_METER} {RULES}"),
        Panel("stat", "CO2 equivalent of jobs", "massg",
              {"{{quality}}": over_time("job_emissions_grams:increase1m", C, "quality", 1, QUALITY)},
              f"By average factors. {NO_METER} {RULES}"),
        Panel("stat", "Energy of ended jobs", "watth",
              {"{{quality}}": over_time("ledger_energy_joules:increase1m", "", "quality", 3600, "user_account_quality")},
              "As the ledgers of nodes have it, of all clusters: jobs count whole when they end, however short they were. Empty where "
              "no node keeps a ledger."),
        Panel("stat", "Idling", "watth",
              {"": f"sum(increase(jobmetrics_idle_energy_joules_total{{{C}}}[$__range])) / 3600"},
              f"What nodes took for being there. {NO_METER} {OF_NODES}"),
        Panel("bargauge", "Users by energy", "watth", {"{{user}}": top("user", "energy_joules", 3600)},
              f"The ten that took most, of measured energy. {NO_METER} {RULES}"),
        Panel("bargauge", "Accounts by energy", "watth", {"{{account}}": top("account", "energy_joules", 3600)},
              f"The ten that took most, of measured energy. {NO_METER} {RULES}"),
        Panel("bargauge", "Users by CO2 equivalent", "massg", {"{{user}}": top("user", "emissions_grams", 1)},
              f"The ten that emitted most, of measured energy. {NO_METER} {RULES}"),
        Panel("table", "Users, in the last day", "watth",
              {
                  "Energy": ("watth", f"sum by (cluster, user, quality) (cluster_user_quality:jobmetrics_job_energy_joules:sum1d{{{C}}}) / 3600"),
                  "CO2 equivalent": ("massg", f"sum by (cluster, user, quality) (cluster_user_quality:jobmetrics_job_emissions_grams:sum1d{{{C}}})"),
              },
              f"Of 24 hours, measured and estimated apart. {NO_METER} {RULES}", width=12),
    ],
    "Meters": [
        Panel("timeseries", "Meters that answer", "none",
              {"{{source}}": f"sum by (source) (jobmetrics_node_power_source_up{{{C}}})"},
              f"How many nodes each kind of meter answers on. {NO_METER} {OF_NODES}"),
        Panel("timeseries", "Age of factors", "s",
              {"{{provider}} {{zone}}": f"max by (provider, zone) (jobmetrics_emission_factor_age_seconds{{{C}}})"},
              f"Since when a factor is no longer that of the moment; 0 is up to date. Empty where emissions are not reckoned. {OF_NODES}"),
    ],
}
ENERGY = Board("energy", "energy", "What jobs, users, accounts and nodes take, and what that emits.", [CLUSTER], ENERGY_PARTS)
