# SPDX-FileCopyrightText: 2026 The jobmetrics authors
# SPDX-License-Identifier: MIT
"""The dashboards of one node and of one job, a row for each panel; panels.py says what is in a row."""

from panels import (
    C,
    CLUSTER,
    INFO,
    MEASURED,
    NO_GPU,
    NO_METER,
    Board,
    Panel,
    Variable,
    split,
    who_has,
)


# --- a node ------------------------------------------------------------------------------------

I = 'instance="$instance"'


def on_node(expression: str) -> str:
    return f"sum by (cluster, jobid, user, account) ({who_has(expression, f'{INFO}{{{I}}}', 'cluster', 'user', 'account')})"


def of_gpus(name: str, legend: str = "GPU {{gpu}}", more: str = "") -> dict[str, str]:
    return {legend: f"max by (gpu{more}) (jobmetrics_node_gpu_{name}{{{I}}})"}


NODE_SPLIT = split(I)
NODE_PARTS = {
    "Now": [
        Panel("stat", "Jobs that run", "none", {"": f'sum(jobmetrics_jobs{{{I},state="running"}})'},
              "Jobs that are on the node. Empty where the node does not answer."),
        Panel("stat", "CPUs in use", "percentunit",
              {"": f'sum(rate(jobmetrics_node_cpu_seconds_total{{{I},mode!~"idle|iowait"}}[$__rate_interval])) / '
                   f"sum(jobmetrics_node_cpus{{{I}}})"},
              "Of all CPUs of the node, by jobs and whatever else runs there."),
        Panel("stat", "Memory in use", "percentunit",
              {"": f"1 - sum(jobmetrics_node_memory_available_bytes{{{I}}}) / sum(jobmetrics_node_memory_size_bytes{{{I}}})"},
              "What could not be had without swapping, of all memory of the node."),
        Panel("stat", "Power now", "watt", {"": " + ".join(NODE_SPLIT.values())}, f"Jobs, system and idling together. {NO_METER}"),
        Panel("stat", "Age of the figures", "s", {"": f"max(time() - jobmetrics_sweep_time_seconds{{{I}}})"},
              "When the exporter last looked. Empty where the node does not answer."),
        Panel("stat", "Collectors that fail", "none", {"": f"sum(1 - jobmetrics_collector_success{{{I}}})"},
              "How many could not read all that they looked for; the table below names them.", bad_from=1),
    ],
    "Jobs": [
        Panel("table", "Jobs on this node", "none",
              {
                  "CPUs": ("none", on_node(f"jobmetrics_job_cpus{{{I}}}")),
                  "in use": ("none", on_node(f"(irate(jobmetrics_job_cpu_seconds_total{{{I}}}[5m]) and on (instance, jobid) jobmetrics_job_cpus)")),
                  "Memory": ("bytes", on_node(f"jobmetrics_job_memory_used_bytes{{{I}}}")),
                  "Limit": ("bytes", on_node(f"jobmetrics_job_memory_limit_bytes{{{I}}}")),
                  "GPUs": ("none", on_node(f"jobmetrics_job_allocated_gpus{{{I}}}")),
                  "Power": ("watt", on_node(f"sum by (instance, jobid) (jobmetrics_job_power_watts{{{I},{MEASURED}}})")),
              },
              "What each has and uses here; its id leads to its own dashboard. Empty where no job runs. Power is what was measured."),
    ],
    "CPUs and memory": [
        Panel("timeseries", "CPU time by mode", "none",
              {"{{mode}}": f"sum by (mode) (rate(jobmetrics_node_cpu_seconds_total{{{I}}}[$__rate_interval]))"},
              "How many CPUs are busy with what.", stacked=True),
        Panel("timeseries", "CPUs by job", "none",
              {"{{jobid}}": f"sum by (jobid) (rate(jobmetrics_job_cpu_seconds_total{{{I}}}[$__rate_interval]))"},
              "How many CPUs each job keeps busy.", stacked=True),
        Panel("timeseries", "Memory", "bytes",
              {
                  "size": f"sum(jobmetrics_node_memory_size_bytes{{{I}}})",
                  "not to be had": f"sum(jobmetrics_node_memory_size_bytes{{{I}}} - jobmetrics_node_memory_available_bytes{{{I}}})",
                  "page cache": f"sum(jobmetrics_node_memory_cache_bytes{{{I}}})",
                  "jobs": f"sum(jobmetrics_job_memory_used_bytes{{{I}}})",
              },
              "Of the node, and what is charged to jobs, which counts their page cache.", bound="/^(size|limit)$/"),
        Panel("timeseries", "Memory by job", "bytes", {"{{jobid}}": f"sum by (jobid) (jobmetrics_job_memory_used_bytes{{{I}}})"},
              "What is charged to each job, its page cache included.", stacked=True),
    ],
    "Energy": [
        Panel("timeseries", "Where the energy goes", "watt", NODE_SPLIT,
              f"To jobs, to whatever is no job, and what would be taken if no program ran. {NO_METER}", stacked=True),
        Panel("timeseries", "Power by job", "watt",
              {"{{jobid}} {{quality}}": f"sum by (jobid, quality) (jobmetrics_job_power_watts{{{I}}})"},
              f"What each job takes, measured and estimated apart. {NO_METER}", stacked=True),
        Panel("timeseries", "Meters", "watt",
              {"{{source}} {{domain}}": f"sum by (source, domain) (jobmetrics_node_power_watts{{{I}}})"},
              f"As each meter has it; domains contain each other, so they do not add up. {NO_METER}"),
        Panel("timeseries", "CO2 equivalent", "massg",
              {"{{quality}}": f"sum by (quality) (increase(jobmetrics_node_emissions_grams_total{{{I}}}[1h]))"},
              "Of the last hour, by average factors. Empty where emissions are not reckoned."),
    ],
    "GPUs": [
        Panel("timeseries", "GPUs in use", "percentunit", of_gpus("utilization_ratio"), f"Part of the time in which some kernel ran. {NO_GPU}"),
        Panel("timeseries", "GPU memory", "bytes",
              {**of_gpus("memory_used_bytes"), **of_gpus("memory_size_bytes", "size of {{gpu}}")}, f"In use, and all that there is. {NO_GPU}", bound="/^size of/"),
        Panel("timeseries", "GPU power", "watt", of_gpus("power_watts"), f"As the device's library reports it. {NO_GPU}"),
        Panel("timeseries", "GPU temperature", "celsius", of_gpus("temperature_celsius", "GPU {{gpu}} {{sensor}}", ", sensor"), NO_GPU),
        Panel("table", "Devices", "none",
              {
                  "Jobs": ("none", f"max by (gpu) (jobmetrics_node_gpu_jobs{{{I}}})"),
                  "Is read": ("bool_yes_no", f"max by (gpu) (jobmetrics_node_gpu_up{{{I}}})"),
                  "Is there": ("bool_yes_no", f"max by (gpu, model, uuid, pci_address, driver_version) (jobmetrics_node_gpu_info{{{I}}})"),
              },
              f"How many jobs have each device, and what it is. {NO_GPU}", height=6),
    ],
    "The exporter": [
        Panel("table", "Collectors", "s",
              {
                  "Reads all": ("bool_yes_no", f"max by (collector) (jobmetrics_collector_success{{{I}}})"),
                  "Lacks a right": ("bool_yes_no", f"max by (collector) (jobmetrics_collector_denied{{{I}}})"),
                  "Takes": ("s", f"max by (collector) (jobmetrics_collector_duration_seconds{{{I}}})"),
              },
              "Whether each could read what it looked for, and how long that took. jobmetrics-cli doctor on the node says what is amiss.",
              width=12),
        Panel("timeseries", "A sweep takes", "s", {"": f"max(jobmetrics_sweep_duration_seconds{{{I}}})"},
              "How long one look at the whole node takes."),
    ],
}
NODE = Board("node", "a node", "What one node does, whose jobs are on it, and how its exporter fares.",
             [Variable("instance", "Node", "label_values(jobmetrics_sweep_time_seconds, instance)")], NODE_PARTS)


# --- a job -------------------------------------------------------------------------------------

J = 'jobid="$jobid"'
THE_JOB = f"{INFO}{{{C},{J}}}"
NOT_HERE = "Empty where the kernel of the node does not report it."


def of_job(name: str, more: str = "", rated: bool = False) -> str:
    """On all nodes; another cluster's job of that number is left out."""
    series = f"jobmetrics_job_{name}{{{J}{more and ','}{more}}}"
    return f"({f'rate({series}[$__rate_interval])' if rated else series} and on (instance, jobid) {THE_JOB})"


def rate_of_job(name: str, by: str = "", more: str = "") -> str:
    return f"sum{by and f' by ({by})'} {of_job(name, more, rated=True)}"


def sum_of_job(name: str, by: str = "") -> str:
    return f"sum{by and f' by ({by})'} {of_job(name)}"


BEGUN = of_job("first_process_start_time_seconds")
LIFE = f"(({of_job('end_time_seconds')} or on (instance, jobid) {BEGUN} * 0 + time()) - on (instance, jobid) {BEGUN})"
PEAK = "max(max_over_time(jobmetrics_job_memory_{0}_bytes{{{1}}}[$__range]) and on (instance, jobid) last_over_time({2}[$__range]))"
JOB_PARTS = {
    "What it is": [
        Panel("table", "Whose job it is, and where", "none",
              {"is": ("none", f"last_over_time(jobmetrics_job_info{{{C},{J}}}[$__range])")},
              "One line for each node. Empty where no node has shown the job in the chosen time.", hidden=("Value", "uid", "exported_cluster"), height=5),
    ],
    "In short": [
        Panel("stat", "Has run for", "dtdhms", {"": f"max({LIFE})"}, "From its first process on, to now or to its end."),
        Panel("stat", "CPU time", "s", {"": sum_of_job("cpu_seconds_total")}, "On all its nodes, since it began."),
        Panel("stat", "CPUs in use", "percentunit",
              {"": f"{rate_of_job('cpu_seconds_total')} / {sum_of_job('cpus')}"},
              "Of the CPUs that it was given, the mean of the chosen time: 100 % is all.", calc="mean"),
        Panel("stat", "Most memory", "bytes",
              {"kernel": PEAK.format("peak", J, THE_JOB), "seen": PEAK.format("used", J, THE_JOB)},
              "On one node, page cache included: as the kernel kept it, since Linux 5.19 or with cgroup v1, and as it was seen in the chosen time."),
        Panel("stat", "Energy", "watth", {"{{quality}}": f"{sum_of_job('energy_joules_total', 'quality')} / 3600"},
              f"On all its nodes, measured and estimated apart. {NO_METER}"),
        Panel("stat", "CO2 equivalent", "massg", {"{{quality}}": sum_of_job("emissions_grams_total", "quality")},
              f"By average factors. {NO_METER}"),
        Panel("stat", "Killed by the OOM killer", "none", {"": sum_of_job("memory_oom_kills_total")},
              f"Processes that the kernel killed. {NOT_HERE}", bad_from=1),
        Panel("stat", "Energy was known for", "percentunit",
              {"{{domain}}": f"min by (domain) ({of_job('energy_covered_seconds_total')} / on (instance, jobid) group_left () {LIFE})"},
              f"Part of its life, on the node where it is least. Less where the exporter came later than the job. {NO_METER}"),
    ],
    "CPUs": [
        Panel("timeseries", "CPUs in use, by node", "none",
              {"{{instance}}": rate_of_job("cpu_seconds_total", "instance"), "given": sum_of_job("cpus")},
              "How many it keeps busy on each node, and how many it has on all of them.", bound="/^given$/"),
        Panel("timeseries", "User and system time", "none",
              {"user": rate_of_job("cpu_user_seconds_total"), "system": rate_of_job("cpu_system_seconds_total")},
              "Its own work, and the kernel's on its behalf; much of the latter is input, output, or too many threads.", stacked=True),
        Panel("timeseries", "Threads", "none", {"{{state}}": sum_of_job("threads", "state")},
              "Threads by state. More that run than CPUs wait for one another. Empty where the exporter may not see processes.", stacked=True),
        Panel("bargauge", "CPU time by executable", "s",
              {"{{executable}}": f"topk(10, {sum_of_job('executable_cpu_seconds_total', 'executable')})"},
              "The ten that took most since the job began. Empty where the exporter may not see processes."),
    ],
    "Memory": [
        Panel("timeseries", "Memory", "bytes",
              {
                  "limit": sum_of_job("memory_limit_bytes"),
                  "charged": sum_of_job("memory_used_bytes"),
                  "anonymous": sum_of_job("memory_rss_bytes"),
                  "page cache": sum_of_job("memory_cache_bytes"),
              },
              "On all its nodes. The page cache goes when memory is needed; anonymous memory does not. Without a limit there is no such line.", bound="/^(size|limit)$/"),
        Panel("timeseries", "Anonymous memory by node", "bytes", {"{{instance}}": sum_of_job("memory_rss_bytes", "instance")},
              "One node that has far more than the others may be short of it first."),
    ],
    "Input and output": [
        Panel("timeseries", "By system calls", "Bps",
              {"read": rate_of_job("process_rchar_bytes_total"), "written": rate_of_job("process_wchar_bytes_total")},
              "Caches, pipes and network file systems included. Empty where the exporter may not see processes."),
        Panel("timeseries", "From and to storage", "Bps",
              {"read": rate_of_job("process_read_bytes_total"), "written": rate_of_job("process_write_bytes_total")},
              "What file systems of block devices were asked for. Empty where the exporter may not see processes."),
        Panel("timeseries", "Waits", "percentunit",
              {
                  "for a CPU": rate_of_job("cpu_pressure_some_seconds_total"),
                  "for memory": rate_of_job("memory_pressure_some_seconds_total"),
                  "for IO": rate_of_job("io_pressure_some_seconds_total"),
              },
              "Part of the time in which some task had to wait. Empty with cgroup v1, and where the kernel keeps no pressure."),
        Panel("timeseries", "Held back by a limit", "percentunit",
              {"": f"{rate_of_job('cpu_throttled_periods_total')} / ({rate_of_job('cpu_periods_total')} > 0)"},
              "Part of the periods in which it hit its CPU bandwidth. Empty where there is no such limit, as Slurm sets none by itself."),
    ],
    "Energy": [
        Panel("timeseries", "Power", "watt", {"{{domain}} {{quality}}": sum_of_job("power_watts", "domain, quality")},
              f"What it takes by domain, on all its nodes; domains do not overlap. {NO_METER}", stacked=True),
        Panel("timeseries", "Energy since it began", "watth", {"{{domain}} {{quality}}": f"{sum_of_job('energy_joules_total', 'domain, quality')} / 3600"},
              f"By domain, on all its nodes. {NO_METER}", stacked=True),
    ],
    "GPUs": [
        Panel("timeseries", "GPUs in use", "percentunit", {"{{instance}} {{gpu}}": sum_of_job("gpu_utilization_ratio", "instance, gpu")},
              f"Part of the time in which some kernel ran; 0 is a GPU that is held and idle. {NO_GPU}"),
        Panel("timeseries", "GPU memory", "bytes",
              {
                  "{{instance}} {{gpu}}": sum_of_job("gpu_memory_used_bytes", "instance, gpu"),
                  "size of {{instance}} {{gpu}}": sum_of_job("gpu_memory_size_bytes", "instance, gpu"),
              },
              f"In use, and all that there is. {NO_GPU}", bound="/^size of/"),
        Panel("timeseries", "GPU power", "watt", {"{{instance}} {{gpu}}": sum_of_job("gpu_power_watts", "instance, gpu")},
              f"What the split gives it of each device. {NO_GPU}"),
        Panel("timeseries", "GPUs given", "none", {"{{instance}} {{gpu}}": f"max by (instance, gpu) {of_job('gpu_share_ratio')}"},
              f"How much of each device it has; 0 is one that it uses and was not given. {NO_GPU}"),
    ],
    "Nodes": [
        Panel("table", "On each node", "none",
              {
                  "CPUs": ("none", sum_of_job("cpus", "instance")),
                  "in use": ("none", rate_of_job("cpu_seconds_total", "instance")),
                  "Memory": ("bytes", sum_of_job("memory_used_bytes", "instance")),
                  "Limit": ("bytes", sum_of_job("memory_limit_bytes", "instance")),
                  "Processes": ("none", sum_of_job("processes", "instance")),
                  "GPUs": ("none", sum_of_job("allocated_gpus", "instance")),
                  "Power": ("watt", f"sum by (instance) {of_job('power_watts', MEASURED)}"),
              },
              "What it has and uses at the end of the chosen time; empty once it has ended. Power is what was measured.", height=6),
    ],
}
JOB = Board("job", "a job", "One job, on all its nodes.",
            [CLUSTER, Variable("jobid", "Job", f"label_values(jobmetrics_job_info{{{C}}}, jobid)", sort=4)], JOB_PARTS, since="now-1h")
