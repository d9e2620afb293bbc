/* jm-metric.c: the one table of everything that is measured
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "core/jm-metric.h"

#include <string.h>

/* The columns of the table below, short so that a row is a line or two. */
#define SUM TRUE
#define NO_SUM FALSE
#define OF(kind) (1u << JM_SUBJECT_KIND_##kind)
#define OF_JOBS (OF (JOB) | OF (STEP) | OF (TASK))
#define LABELS(...) ((const char *const[]){ __VA_ARGS__, NULL })
#define NO_LABELS ((const char *const[]){ NULL })
#define ROW(id, collector, kinds, kind, lasts, unit, add, name, labels, help)          \
 [JM_METRIC_##id] = { JM_METRIC_##id,                                                  \
                      JM_COLLECTOR_##collector,                                        \
                      kinds,                                                           \
                      JM_METRIC_KIND_##kind,                                           \
                      lasts,                                                           \
                      JM_UNIT_##unit,                                                  \
                      add,                                                             \
                      name,                                                            \
                      labels,                                                          \
                      G_N_ELEMENTS (labels) - 1,                                       \
                      help }
#define GAUGE(id, collector, unit, add, name, labels, help)                            \
 ROW (id, collector, OF_JOBS, GAUGE, FALSE, unit, add, name, labels, help)
#define LASTING_GAUGE(id, collector, unit, add, name, labels, help)                    \
 ROW (id, collector, OF_JOBS, GAUGE, TRUE, unit, add, name, labels, help)
/* What was seen at once; by step it would have to be kept for each. */
#define JOB_PEAK(id, collector, name, help)                                            \
 ROW (id, collector, OF (JOB), GAUGE, TRUE, COUNT, NO_SUM, name, NO_LABELS, help)
#define COUNTER(id, collector, unit, name, labels, help)                               \
 ROW (id, collector, OF_JOBS, COUNTER, TRUE, unit, SUM, name "_total", labels, help)
#define NODE_GAUGE(id, collector, unit, name, labels, help)                            \
 ROW (id, collector, OF (NODE), GAUGE, TRUE, unit, NO_SUM, name, labels, help)
#define NODE_COUNTER(id, collector, unit, name, labels, help)                          \
 ROW (id, collector, OF (NODE), COUNTER, TRUE, unit, SUM, name "_total", labels, help)
#define GRID_GAUGE(id, collector, unit, name, labels, help)                            \
 ROW (id, collector, OF (GRID), GAUGE, TRUE, unit, NO_SUM, name, labels, help)
#define SHARED_COUNTER(id, collector, kinds, unit, name, labels, help)                 \
 ROW (id, collector, kinds, COUNTER, TRUE, unit, SUM, name "_total", labels, help)
/* Of a device, whoever uses it; and of what a job has of one. */
#define GPU_GAUGE(id, unit, name, labels, help)                                        \
 ROW (id, GPU, OF (GPU), GAUGE, TRUE, unit, NO_SUM, name, labels, help)
#define GPU_COUNTER(id, kinds, unit, name, labels, help)                               \
 ROW (id, GPU, kinds, COUNTER, TRUE, unit, SUM, name "_total", labels, help)
#define SHARED_GPU_GAUGE(id, unit, name, labels, help)                                 \
 ROW (id, GPU, OF (GPU) | OF (JOB_GPU), GAUGE, FALSE, unit, NO_SUM, name, labels, help)

/* Of jobs alone: each level would take as many counters of the processor again. */
#define PERF_COUNTER(id, unit, name, labels, help)                                     \
 SHARED_COUNTER (PERF_##id, PERF, OF (JOB), unit, name, labels, help)

#define FILESYSTEM_COUNTER(id, unit, name, help)                                       \
 SHARED_COUNTER (FILESYSTEM_##id, FILESYSTEM, OF (JOB), unit, name,                    \
                 LABELS ("filesystem"), help)

/* Of the ledger, which knows of no job any more. */
#define LEDGER_GAUGE(id, unit, name, help)                                             \
 ROW (id, LEDGER, OF (LEDGER), GAUGE, TRUE, unit, NO_SUM, name, NO_LABELS, help)
#define LEDGER_COUNTER(id, unit, name, labels, help)                                   \
 ROW (id, LEDGER, OF (LEDGER), COUNTER, TRUE, unit, SUM, name "_total", labels, help)

/* Of what a scheduler looks after. */
#define OF_QUEUE (OF (CLUSTER) | OF (PARTITION) | OF (ACCOUNT) | OF (USER))
#define OF_NODES (OF (CLUSTER) | OF (PARTITION))
#define CLUSTER_GAUGE(id, collector, kinds, unit, name, labels, help)                  \
 ROW (id, collector, kinds, GAUGE, TRUE, unit, NO_SUM, name, labels, help)
/* Things that are in one place each, whatever their labels. */
#define CLUSTER_COUNT(id, collector, kinds, name, labels, help)                        \
 ROW (id, collector, kinds, GAUGE, TRUE, COUNT, SUM, name, labels, help)

/* Of who looks after it. */
#define SCHEDULER_GAUGE(id, unit, name, help)                                          \
 CLUSTER_GAUGE (SCHEDULER_##id, SCHEDULER, OF (SCHEDULER), unit, name, NO_LABELS, help)
#define SCHEDULER_COUNTER(id, unit, name, labels, help)                                \
 SHARED_COUNTER (SCHEDULER_##id, SCHEDULER, OF (SCHEDULER), unit, name, labels, help)

/* clang-format off */
static const JmMetricInfo metrics[JM_N_METRICS] = {
  COUNTER (CPU_USER, CPU, NANOSECONDS, "cpu_user_seconds", NO_LABELS,
           "CPU time in user mode, from the cgroup; where there is none, summed over processes."),
  COUNTER (CPU_SYSTEM, CPU, NANOSECONDS, "cpu_system_seconds", NO_LABELS,
           "CPU time in kernel mode, from the cgroup; where there is none, summed over processes."),
  COUNTER (CPU_TOTAL, CPU, NANOSECONDS, "cpu_seconds", NO_LABELS,
           "CPU time, from the cgroup; where there is none, summed over processes."),
  GAUGE (CPUS, CPU, COUNT, SUM, "cpus", NO_LABELS,
         "CPUs that may be used, from the cgroup's effective cpuset; where there is none, what the scheduler granted."),
  COUNTER (CPU_PERIODS, CPU, COUNT, "cpu_periods", NO_LABELS,
           "Enforcement periods of the CPU bandwidth limit that have passed."),
  COUNTER (CPU_THROTTLED_PERIODS, CPU, COUNT, "cpu_throttled_periods", NO_LABELS,
           "Enforcement periods in which the CPU bandwidth limit was hit."),
  COUNTER (CPU_THROTTLED, CPU, NANOSECONDS, "cpu_throttled_seconds", NO_LABELS,
           "Time for which tasks were held back by the CPU bandwidth limit."),
  COUNTER (PERCPU, PERCPU, NANOSECONDS, "percpu_seconds", LABELS ("cpu"),
           "CPU time by CPU, from the cgroup (of version 2 by BPF alone)."),

  GAUGE (MEMORY_USED, MEMORY, BYTES, SUM, "memory_used_bytes", NO_LABELS,
         "Memory charged to the cgroup, page cache included."),
  LASTING_GAUGE (MEMORY_PEAK, MEMORY, BYTES, NO_SUM, "memory_peak_bytes", NO_LABELS,
         "Most memory ever charged to the cgroup, as the kernel kept it."),
  GAUGE (MEMORY_LIMIT, MEMORY, BYTES, SUM, "memory_limit_bytes", NO_LABELS,
         "Hard limit of memory; absent where there is no limit."),
  GAUGE (MEMORY_SWAP_USED, MEMORY, BYTES, SUM, "memory_swap_used_bytes", NO_LABELS,
         "Swap charged to the cgroup."),
  GAUGE (MEMORY_SWAP_LIMIT, MEMORY, BYTES, SUM, "memory_swap_limit_bytes", NO_LABELS,
         "Hard limit of swap; absent where there is no limit."),
  COUNTER (MEMORY_SWAP_FAILURES, MEMORY, COUNT, "memory_swap_failures", NO_LABELS,
           "Times that swap use was about to pass the limit (cgroup v1: memory and swap together)."),
  COUNTER (MEMORY_FAILURES, MEMORY, COUNT, "memory_failures", NO_LABELS,
           "Times that memory use was about to pass the limit."),
  COUNTER (MEMORY_OOMS, MEMORY, COUNT, "memory_ooms", NO_LABELS,
           "Times that memory could not be found below the limit."),
  COUNTER (MEMORY_OOM_KILLS, MEMORY, COUNT, "memory_oom_kills", NO_LABELS,
           "Processes killed for want of memory."),

  GAUGE (MEMORY_RSS, MEMORY_STAT, BYTES, SUM, "memory_rss_bytes", NO_LABELS,
         "Anonymous memory, transparent huge pages included (v2: anon; v1: rss)."),
  GAUGE (MEMORY_RSS_HUGE, MEMORY_STAT, BYTES, SUM, "memory_rss_huge_bytes", NO_LABELS,
         "Anonymous memory in transparent huge pages."),
  GAUGE (MEMORY_CACHE, MEMORY_STAT, BYTES, SUM, "memory_cache_bytes", NO_LABELS,
         "Page cache, tmpfs and shared memory included."),
  GAUGE (MEMORY_MAPPED, MEMORY_STAT, BYTES, SUM, "memory_mapped_bytes", NO_LABELS,
         "Page cache that is mapped into processes."),
  GAUGE (MEMORY_ACTIVE_FILE, MEMORY_STAT, BYTES, SUM, "memory_active_file_bytes", NO_LABELS,
         "Page cache on the active list."),
  GAUGE (MEMORY_INACTIVE_FILE, MEMORY_STAT, BYTES, SUM, "memory_inactive_file_bytes", NO_LABELS,
         "Page cache on the inactive list."),
  GAUGE (MEMORY_SHMEM, MEMORY_STAT, BYTES, SUM, "memory_shmem_bytes", NO_LABELS,
         "Page cache that is backed by swap: tmpfs, shared memory."),
  GAUGE (MEMORY_SLAB, MEMORY_STAT, BYTES, SUM, "memory_slab_bytes", NO_LABELS,
         "Kernel data structures in slabs (cgroup v2 only)."),
  GAUGE (MEMORY_UNEVICTABLE, MEMORY_STAT, BYTES, SUM, "memory_unevictable_bytes", NO_LABELS,
         "Memory that cannot be reclaimed, such as locked pages."),

  COUNTER (CPU_PRESSURE_SOME, PRESSURE, MICROSECONDS, "cpu_pressure_some_seconds", NO_LABELS,
           "Time for which some task waited for a CPU."),
  COUNTER (CPU_PRESSURE_FULL, PRESSURE, MICROSECONDS, "cpu_pressure_full_seconds", NO_LABELS,
           "Time for which all tasks that had work waited for a CPU."),
  COUNTER (MEMORY_PRESSURE_SOME, PRESSURE, MICROSECONDS, "memory_pressure_some_seconds", NO_LABELS,
           "Time for which some task waited for memory."),
  COUNTER (MEMORY_PRESSURE_FULL, PRESSURE, MICROSECONDS, "memory_pressure_full_seconds", NO_LABELS,
           "Time for which all tasks that had work waited for memory."),
  COUNTER (IO_PRESSURE_SOME, PRESSURE, MICROSECONDS, "io_pressure_some_seconds", NO_LABELS,
           "Time for which some task waited for IO."),
  COUNTER (IO_PRESSURE_FULL, PRESSURE, MICROSECONDS, "io_pressure_full_seconds", NO_LABELS,
           "Time for which all tasks that had work waited for IO."),

  COUNTER (IO_READ_BYTES, IO, BYTES, "io_read_bytes", LABELS ("device"),
           "Bytes read from a block device, from the cgroup."),
  COUNTER (IO_WRITE_BYTES, IO, BYTES, "io_write_bytes", LABELS ("device"),
           "Bytes written to a block device, from the cgroup."),
  COUNTER (IO_READS, IO, COUNT, "io_reads", LABELS ("device"),
           "Reads from a block device, from the cgroup."),
  COUNTER (IO_WRITES, IO, COUNT, "io_writes", LABELS ("device"),
           "Writes to a block device, from the cgroup."),

  GAUGE (PIDS, PIDS, COUNT, SUM, "pids", NO_LABELS,
         "Processes and threads that the pids controller counts."),
  GAUGE (PIDS_LIMIT, PIDS, COUNT, SUM, "pids_limit", NO_LABELS,
         "Most processes and threads allowed; absent where there is no limit."),

  GAUGE (RDMA_HANDLES, RDMA, COUNT, SUM, "rdma_handles", LABELS ("device"),
         "Handles of an RDMA device."),
  GAUGE (RDMA_OBJECTS, RDMA, COUNT, SUM, "rdma_objects", LABELS ("device"),
         "Objects of an RDMA device."),

  GAUGE (HUGETLB_USED, HUGETLB, BYTES, SUM, "hugetlb_used_bytes", LABELS ("pagesize"),
         "Huge pages in use, by page size."),
  LASTING_GAUGE (HUGETLB_PEAK, HUGETLB, BYTES, NO_SUM, "hugetlb_peak_bytes", LABELS ("pagesize"),
         "Most huge pages ever in use (cgroup v1 only)."),
  GAUGE (HUGETLB_LIMIT, HUGETLB, BYTES, SUM, "hugetlb_limit_bytes", LABELS ("pagesize"),
         "Limit of huge pages; absent where there is no limit."),
  COUNTER (HUGETLB_FAILURES, HUGETLB, COUNT, "hugetlb_failures", LABELS ("pagesize"),
           "Allocations of huge pages that failed at the limit."),

  GAUGE (PROCESSES, PROCESS, COUNT, SUM, "processes", NO_LABELS,
         "Processes, without the scheduler's own helpers."),
  JOB_PEAK (PROCESSES_PEAK, PROCESS, "processes_peak",
            "Most processes that were seen at once, without the scheduler's own helpers."),
  COUNTER (PROCESSES_SPAWNED, PROCESS, COUNT, "processes_spawned", NO_LABELS,
           "Processes seen so far; those shorter than a sample are missed."),
  LASTING_GAUGE (PROCESS_FIRST_START, PROCESS, NANOSECONDS, NO_SUM, "first_process_start_time_seconds", NO_LABELS,
         "When the oldest process seen began, seconds since 1970."),
  COUNTER (PROCESS_CPU_USER, PROCESS, NANOSECONDS, "process_cpu_user_seconds", NO_LABELS,
           "CPU time in user mode, summed over the processes seen."),
  COUNTER (PROCESS_CPU_SYSTEM, PROCESS, NANOSECONDS, "process_cpu_system_seconds", NO_LABELS,
           "CPU time in kernel mode, summed over the processes seen."),
  GAUGE (PROCESS_RSS, PROCESS, BYTES, SUM, "process_rss_bytes", NO_LABELS,
         "Resident set sizes summed over processes; shared pages count in each."),
  COUNTER (PROCESS_READ_BYTES, PROCESS, BYTES, "process_read_bytes", NO_LABELS,
           "Bytes that processes caused to be read from storage (read_bytes of /proc/PID/io)."),
  COUNTER (PROCESS_WRITE_BYTES, PROCESS, BYTES, "process_write_bytes", NO_LABELS,
           "Bytes that processes caused to be written to storage (write_bytes of /proc/PID/io)."),
  COUNTER (PROCESS_READ_CHARS, PROCESS, BYTES, "process_rchar_bytes", NO_LABELS,
           "Bytes that processes read by system calls, caches and pipes included (rchar of /proc/PID/io)."),
  COUNTER (PROCESS_WRITE_CHARS, PROCESS, BYTES, "process_wchar_bytes", NO_LABELS,
           "Bytes that processes wrote by system calls, caches and pipes included (wchar of /proc/PID/io)."),
  COUNTER (PROCESS_READ_CALLS, PROCESS, COUNT, "process_read_calls", NO_LABELS,
           "Read system calls of processes (syscr of /proc/PID/io)."),
  COUNTER (PROCESS_WRITE_CALLS, PROCESS, COUNT, "process_write_calls", NO_LABELS,
           "Write system calls of processes (syscw of /proc/PID/io)."),
  COUNTER (EXECUTABLE_CPU, PROCESS, NANOSECONDS, "executable_cpu_seconds", LABELS ("executable"),
           "CPU time by executable, that of children which came and went between two rounds as who started them; the rest under other."),

  GAUGE (THREADS, THREADS, COUNT, SUM, "threads", LABELS ("state"),
         "Threads by state."),

  JOB_PEAK (THREADS_PEAK, THREADS, "threads_peak",
            "Most threads that were seen at once, in all states together."),

  GAUGE (OPEN_FILES, FILES, COUNT, SUM, "open_files", NO_LABELS,
         "Open file descriptors of processes."),
  GAUGE (FILESYSTEM_PROCESSES, FILES, COUNT, SUM, "filesystem_processes", LABELS ("filesystem"),
         "Processes with an open file or their working directory on a configured file system."),

  PERF_COUNTER (INSTRUCTIONS, COUNT, "perf_instructions", NO_LABELS,
                "Instructions that were executed."),
  PERF_COUNTER (CYCLES, COUNT, "perf_cycles", NO_LABELS,
                "Cycles of the CPUs while the job ran on them."),
  PERF_COUNTER (CACHE_REFERENCES, COUNT, "perf_cache_references", NO_LABELS,
                "Accesses to the last level of cache, as the processor means it."),
  PERF_COUNTER (CACHE_MISSES, COUNT, "perf_cache_misses", NO_LABELS,
                "Accesses to the last level of cache that it had no answer to."),
  PERF_COUNTER (BRANCHES, COUNT, "perf_branches", NO_LABELS,
                "Branch instructions that were executed."),
  PERF_COUNTER (BRANCH_MISSES, COUNT, "perf_branch_misses", NO_LABELS,
                "Branches that were predicted wrongly."),
  PERF_COUNTER (CONTEXT_SWITCHES, COUNT, "perf_context_switches", NO_LABELS,
                "Times that a CPU went from a task of the job to another task."),
  PERF_COUNTER (CPU_MIGRATIONS, COUNT, "perf_cpu_migrations", NO_LABELS,
                "Times that a task of the job came to another CPU."),
  PERF_COUNTER (MINOR_PAGE_FAULTS, COUNT, "perf_minor_page_faults", NO_LABELS,
                "Page faults that were served from memory."),
  PERF_COUNTER (MAJOR_PAGE_FAULTS, COUNT, "perf_major_page_faults", NO_LABELS,
                "Page faults that had to wait for a disk."),
  PERF_COUNTER (TASK_CLOCK, NANOSECONDS, "perf_task_clock_seconds", NO_LABELS,
                "CPU time, as perf counts it."),
  PERF_COUNTER (WANTED, NANOSECONDS, "perf_wanted_seconds", LABELS ("group"),
                "CPU time in which a group of the processor's counters was to count."),
  PERF_COUNTER (COUNTED, NANOSECONDS, "perf_counted_seconds", LABELS ("group"),
                "CPU time in which it did; for the rest, in which others counted, its figures are scaled up."),

  SHARED_COUNTER (NETWORK_RECEIVED_BYTES, NETWORK, OF (JOB), BYTES, "network_received_bytes", NO_LABELS,
                  "What the sockets received by IP, headers of IP included, loopback too."),
  SHARED_COUNTER (NETWORK_RECEIVED_PACKETS, NETWORK, OF (JOB), COUNT, "network_received_packets", NO_LABELS,
                  "Packets of IP that the sockets received."),
  SHARED_COUNTER (NETWORK_SENT_BYTES, NETWORK, OF (JOB), BYTES, "network_sent_bytes", NO_LABELS,
                  "What the sockets sent by IP, headers of IP included, loopback too."),
  SHARED_COUNTER (NETWORK_SENT_PACKETS, NETWORK, OF (JOB), COUNT, "network_sent_packets", NO_LABELS,
                  "Packets of IP that the sockets sent."),

  FILESYSTEM_COUNTER (READ_BYTES, BYTES, "filesystem_read_bytes",
                      "Bytes that were read of files on a file system, from memory or not."),
  FILESYSTEM_COUNTER (READS, COUNT, "filesystem_reads",
                      "Calls that read files on a file system."),
  FILESYSTEM_COUNTER (WRITE_BYTES, BYTES, "filesystem_write_bytes",
                      "Bytes that were written to files on a file system, whether they are on it yet or not."),
  FILESYSTEM_COUNTER (WRITES, COUNT, "filesystem_writes",
                      "Calls that wrote to files on a file system."),
  FILESYSTEM_COUNTER (OPENS, COUNT, "filesystem_opens",
                      "Calls that opened files on a file system, those that made one included."),
  FILESYSTEM_COUNTER (CREATES, COUNT, "filesystem_creates",
                      "Calls that made files on a file system and opened them."),

  SHARED_COUNTER (ENERGY, POWER, OF_JOBS | OF (SYSTEM) | OF (IDLE), MICROJOULES,
                  "energy_joules", LABELS ("domain", "quality"),
                  "Energy, attributed while it was watched; domains do not overlap."),
  GAUGE (POWER, POWER, MICROWATTS, SUM, "power_watts", LABELS ("domain", "quality"),
         "Power, attributed over the last sample."),
  COUNTER (ENERGY_COVERED, POWER, MICROSECONDS, "energy_covered_seconds", LABELS ("domain", "quality"),
           "For how long of the job's life the domain's energy was known."),
  COUNTER (ENERGY_UNREAD, POWER, MICROSECONDS, "energy_unread_seconds", LABELS ("domain", "socket"),
           "For how long the meter of a socket that the job was on could not be read, where there are several."),

  SHARED_COUNTER (EMISSIONS, EMISSIONS, OF_JOBS | OF (NODE) | OF (SYSTEM) | OF (IDLE),
                  MICROGRAMS, "emissions_grams", LABELS ("quality"),
                  "CO2 equivalent by average factors, of measured and of estimated energy."),
  COUNTER (MARGINAL_EMISSIONS, EMISSIONS, MICROGRAMS, "marginal_emissions_grams", LABELS ("quality"),
           "CO2 equivalent by marginal factors, never to be added to the average."),
  COUNTER (EMISSIONS_BY_FACTOR, EMISSIONS, MICROGRAMS, "emissions_by_factor_grams",
           LABELS ("provider", "zone", "method", "scope", "factor_quality", "quality"),
           "CO2 equivalent by the factor that it was reckoned with."),

  NODE_COUNTER (NODE_CPU, NODE, NANOSECONDS, "cpu_seconds", LABELS ("mode"),
           "CPU time of the node by mode, all CPUs together."),
  NODE_GAUGE (NODE_CPUS, NODE, COUNT, "cpus", NO_LABELS, "Logical CPUs that are online."),
  NODE_GAUGE (NODE_CORES, NODE, COUNT, "cores", NO_LABELS, "Physical cores that are online."),
  NODE_GAUGE (NODE_SOCKETS, NODE, COUNT, "sockets", NO_LABELS, "Processor packages."),
  NODE_GAUGE (NODE_BOOT_TIME, NODE, NANOSECONDS, "boot_time_seconds", NO_LABELS,
         "When the node was booted, seconds since 1970."),
  NODE_GAUGE (NODE_MEMORY_SIZE, NODE, BYTES, "memory_size_bytes", NO_LABELS,
         "Memory of the node (MemTotal)."),
  NODE_GAUGE (NODE_MEMORY_FREE, NODE, BYTES, "memory_free_bytes", NO_LABELS,
         "Memory that nothing uses (MemFree)."),
  NODE_GAUGE (NODE_MEMORY_AVAILABLE, NODE, BYTES, "memory_available_bytes", NO_LABELS,
         "Memory that could be had without swapping (MemAvailable)."),
  NODE_GAUGE (NODE_MEMORY_CACHE, NODE, BYTES, "memory_cache_bytes", NO_LABELS,
         "Page cache of the node (Cached)."),
  NODE_GAUGE (NODE_SWAP_SIZE, NODE, BYTES, "swap_size_bytes", NO_LABELS,
         "Swap space of the node (SwapTotal)."),
  NODE_GAUGE (NODE_SWAP_FREE, NODE, BYTES, "swap_free_bytes", NO_LABELS,
         "Swap space that is free (SwapFree)."),

  NODE_COUNTER (NODE_ENERGY, POWER, MICROJOULES, "energy_joules", LABELS ("source", "domain"),
                "Energy as each source has it; domains contain each other, see the manual."),
  NODE_GAUGE (NODE_POWER, POWER, MICROWATTS, "power_watts", LABELS ("source", "domain"),
              "Power as each source has it, or its energy over the last sample."),
  NODE_GAUGE (NODE_MEMORY_TRAFFIC, POWER, COUNT, "memory_traffic_bytes_per_second", LABELS ("source", "domain"),
              "What the processors read from and write to memory, where a power source tells."),
  NODE_COUNTER (NODE_ENERGY_COUNTED, POWER, MICROSECONDS, "energy_counted_seconds", LABELS ("domain"),
                "For how long energy was divided by what processors counted of jobs, instead of by CPU time alone."),
  NODE_GAUGE (NODE_POWER_SOURCE_UP, POWER, COUNT, "power_source_up", LABELS ("source"),
              "Whether the source answered when it was read last."),
  NODE_GAUGE (NODE_POWER_SOURCE_AGE, POWER, MICROSECONDS, "power_source_age_seconds", LABELS ("source"),
              "How old the answer is of a source that is asked in the background."),
  NODE_GAUGE (NODE_POWER_DOMAIN_UP, POWER, COUNT, "power_domain_up", LABELS ("source", "domain"),
              "Whether the domain was read, of those that the source has or had."),
  NODE_GAUGE (NODE_POWER_STATISTIC, POWER, MICROWATTS, "power_statistic_watts", LABELS ("source", "domain", "statistic"),
              "Power as the source has it otherwise: instantaneous, or over a time of its own."),
  NODE_GAUGE (NODE_POWER_LIMIT, POWER, MICROWATTS, "power_limit_watts", LABELS ("source", "domain", "limit"),
              "What the domain may take, as it is set now."),

  GRID_GAUGE (EMISSION_FACTOR, EMISSIONS, MICROGRAMS_PER_KWH, "emission_factor_grams_per_joule",
              LABELS ("provider", "zone", "method", "scope", "factor_quality"),
              "CO2 equivalent of electricity; times 3.6e6 it is grams per kilowatt-hour."),
  GRID_GAUGE (EMISSION_FACTOR_AGE, EMISSIONS, MICROSECONDS, "emission_factor_age_seconds",
              LABELS ("provider", "zone"), "Since when the factor is no longer that of the moment."),
  GRID_GAUGE (EMISSION_PROVIDER_UP, EMISSIONS, COUNT, "emission_provider_up", LABELS ("provider", "zone"),
              "Whether the provider answered when it was asked last."),

  ROW (ALLOCATED_GPUS, GPU, OF (JOB), GAUGE, FALSE, COUNT, NO_SUM, "allocated_gpus", NO_LABELS,
       "Accelerators, or instances of one, that the job has been given on this node."),
  NODE_GAUGE (NODE_GPU_LIBRARY_UP, GPU, COUNT, "gpu_library_up", LABELS ("library"),
              "Whether the library of a maker of accelerators answered when it was asked last."),
  NODE_GAUGE (NODE_GPU_LIBRARY_AGE, GPU, MICROSECONDS, "gpu_library_age_seconds", LABELS ("library"),
              "How old its answer is."),

  GPU_GAUGE (GPU_INFO, COUNT, "info",
             LABELS ("uuid", "model", "vendor", "pci_address", "parent", "profile", "driver_version"),
             "What the device is; always 1. An instance (MIG) has the device that it is a part of as parent."),
  GPU_GAUGE (GPU_UP, COUNT, "up", NO_LABELS, "Whether the device was read."),
  GPU_GAUGE (GPU_JOBS, COUNT, "jobs", NO_LABELS, "Jobs that the device has been given to."),
  ROW (GPU_SHARE, GPU, OF (JOB_GPU), GAUGE, FALSE, PARTS_PER_MILLION, NO_SUM, "share_ratio", LABELS ("origin"),
       "How much of the device the job has been given, and by whose word; 0 where it uses one that it was not given."),
  SHARED_GPU_GAUGE (GPU_UTILIZATION, PARTS_PER_MILLION, "utilization_ratio", NO_LABELS,
                    "Part of the library's last sampling period in which some kernel ran."),
  SHARED_GPU_GAUGE (GPU_MEMORY_UTILIZATION, PARTS_PER_MILLION, "memory_utilization_ratio", NO_LABELS,
                    "Part of that period in which device memory was read or written."),
  SHARED_GPU_GAUGE (GPU_ENGINE_UTILIZATION, PARTS_PER_MILLION, "engine_utilization_ratio", LABELS ("engine"),
                    "Part of the time in which an engine of the device was busy, such as its decoder."),
  ROW (GPU_MEMORY_SIZE, GPU, OF (GPU) | OF (JOB_GPU), GAUGE, TRUE, BYTES, NO_SUM, "memory_size_bytes", NO_LABELS,
       "Memory of the device."),
  SHARED_GPU_GAUGE (GPU_MEMORY_USED, BYTES, "memory_used_bytes", NO_LABELS,
                    "Memory of the device in use; of a job that shares it, what its processes have allocated."),
  SHARED_GPU_GAUGE (GPU_MULTIPROCESSORS, COUNT, "multiprocessors", NO_LABELS,
                    "Streaming multiprocessors, or compute units, of the device or instance."),
  SHARED_GPU_GAUGE (GPU_PROCESSES, COUNT, "processes", NO_LABELS,
                    "Processes that have a context on the device."),
  SHARED_GPU_GAUGE (GPU_POWER, MICROWATTS, "power_watts", NO_LABELS,
                    "Power of the device as its library tells it; of a job, what the split gives it."),
  GPU_GAUGE (GPU_POWER_LIMIT, MICROWATTS, "power_limit_watts", NO_LABELS,
             "Power that the device may take."),
  GPU_COUNTER (GPU_ENERGY, OF (GPU) | OF (JOB_GPU), MICROJOULES, "energy_joules", NO_LABELS,
               "Energy of the device since it was first read; of a job, what the split gave it."),
  GPU_COUNTER (GPU_IDLE_ENERGY, OF (GPU), MICROJOULES, "idle_energy_joules", NO_LABELS,
               "What of it the device took for being there, whoever used it."),
  GPU_COUNTER (GPU_BUSY, OF (JOB_GPU), MICROSECONDS, "busy_seconds", NO_LABELS,
               "Utilization of the device by the job, added up over the time for which it was observed."),
  GPU_COUNTER (GPU_OBSERVED, OF (JOB_GPU), MICROSECONDS, "observed_seconds", NO_LABELS,
               "Time for which the job's utilization of the device was read, from one answer of its library to the next."),
  ROW (GPU_MEMORY_PEAK, GPU, OF (JOB_GPU), GAUGE, TRUE, BYTES, NO_SUM, "memory_peak_bytes", NO_LABELS,
       "Most memory of the device that the job was seen to use."),
  GPU_GAUGE (GPU_CLOCK, HERTZ, "clock_hertz", LABELS ("clock"), "Clock frequency now."),
  GPU_GAUGE (GPU_TEMPERATURE, MILLICELSIUS, "temperature_celsius", LABELS ("sensor"), "Temperature."),
  SHARED_GPU_GAUGE (GPU_PCIE_TRAFFIC, COUNT, "pcie_bytes_per_second", LABELS ("direction"),
                    "Bytes over PCI Express, as the device sees the direction."),
  SHARED_GPU_GAUGE (GPU_NVLINK_TRAFFIC, COUNT, "nvlink_bytes_per_second", LABELS ("direction"),
                    "Bytes over NVLink, as the device sees the direction."),
  GPU_COUNTER (GPU_PCIE_REPLAYS, OF (GPU), COUNT, "pcie_replays", NO_LABELS,
               "Times that a transfer over PCI Express was repeated."),
  GPU_COUNTER (GPU_ECC_ERRORS, OF (GPU), COUNT, "ecc_errors", LABELS ("type"),
               "Memory errors since the driver was loaded, corrected and uncorrected."),
  GPU_GAUGE (GPU_RETIRED_PAGES, COUNT, "retired_pages", LABELS ("cause"),
             "Pages of device memory that are used no more."),
  GPU_GAUGE (GPU_REMAPPED_ROWS, COUNT, "remapped_rows", LABELS ("cause"),
             "Rows of device memory that are replaced by others."),
  GPU_COUNTER (GPU_XID_ERRORS, OF (GPU), COUNT, "xid_errors", LABELS ("xid"),
               "Xid errors that the driver told of while it was listened to."),
  GPU_GAUGE (GPU_THROTTLE, COUNT, "throttle_active", LABELS ("reason"),
             "Whether the clocks are held back now, by reason."),
  SHARED_GPU_GAUGE (GPU_SM_ACTIVE, PARTS_PER_MILLION, "sm_active_ratio", NO_LABELS,
                    "Part of the time in which a multiprocessor had a warp, averaged over all."),
  SHARED_GPU_GAUGE (GPU_SM_OCCUPANCY, PARTS_PER_MILLION, "sm_occupancy_ratio", NO_LABELS,
                    "Resident warps, as a part of the most that there can be."),
  SHARED_GPU_GAUGE (GPU_PIPE_ACTIVE, PARTS_PER_MILLION, "pipe_active_ratio", LABELS ("pipe"),
                    "Part of the cycles in which a pipe was used: tensor, fp64, fp32 or fp16."),
  SHARED_GPU_GAUGE (GPU_DRAM_ACTIVE, PARTS_PER_MILLION, "dram_active_ratio", NO_LABELS,
                    "Part of the cycles in which data went to or from device memory."),

  LEDGER_GAUGE (LEDGER_UP, COUNT, "up", "Whether the ledger could be written last."),
  LEDGER_GAUGE (LEDGER_RECORDS, COUNT, "records", "Records of ended jobs that the ledger has."),
  LEDGER_GAUGE (LEDGER_SIZE, BYTES, "size_bytes", "Size of the ledger's files."),
  LEDGER_COUNTER (LEDGER_DROPPED, COUNT, "dropped_records", NO_LABELS,
                  "Records that could not be kept, such as on a full disk."),
  LEDGER_COUNTER (LEDGER_JOBS, COUNT, "jobs", LABELS ("user", "account"),
                  "Jobs that have ended and were recorded, be they shorter than a scrape."),
  LEDGER_COUNTER (LEDGER_CPU, NANOSECONDS, "cpu_seconds", LABELS ("user", "account"),
                  "CPU time of the jobs that were recorded."),
  LEDGER_COUNTER (LEDGER_ENERGY, MICROJOULES, "energy_joules", LABELS ("user", "account", "quality"),
                  "Energy of the jobs that were recorded."),
  LEDGER_COUNTER (LEDGER_EMISSIONS, MICROGRAMS, "emissions_grams", LABELS ("user", "account", "quality"),
                  "CO2 equivalent of the jobs that were recorded, by average factors."),

  CLUSTER_GAUGE (SCHEDULER_SUCCESS, SCHEDULER, OF (CLUSTER), COUNT, "topic_success", LABELS ("topic"),
                 "Whether the scheduler answered when it was last asked; the figures are those of its last good answer."),
  CLUSTER_GAUGE (SCHEDULER_AGE, SCHEDULER, OF (CLUSTER), MICROSECONDS, "topic_age_seconds", LABELS ("topic"),
                 "Time since the question that brought the last good answer."),
  CLUSTER_GAUGE (SCHEDULER_DURATION, SCHEDULER, OF (CLUSTER), MICROSECONDS, "topic_duration_seconds", LABELS ("topic"),
                 "Time that the last question took, whatever came of it."),
  SHARED_COUNTER (SCHEDULER_FAILURES, SCHEDULER, OF (CLUSTER), COUNT, "topic_failures", LABELS ("topic"),
                  "Questions that brought no answer since the exporter started."),
  CLUSTER_GAUGE (SCHEDULER_UNREAD, SCHEDULER, OF (CLUSTER), COUNT, "topic_unread_records", LABELS ("topic"),
                 "Records of the last good answer, and values of records, that could not be read and are in no figure."),

  CLUSTER_COUNT (QUEUE_JOBS, QUEUE, OF_QUEUE, "jobs", LABELS ("state"),
                 "Jobs by state, each task of an array as one; one that waits in several partitions is in each of them, and once in all else."),
  CLUSTER_GAUGE (QUEUE_FLAGGED_JOBS, QUEUE, OF_NODES, COUNT, "jobs_flagged", LABELS ("flag"),
                 "Jobs with a flag beside their state, counted as jobs by state are."),
  CLUSTER_COUNT (QUEUE_PENDING_JOBS, QUEUE, OF_NODES, "pending_jobs", LABELS ("reason"),
                 "Jobs that wait, by the reason up to its first comma or colon, counted as jobs by state are."),
  CLUSTER_GAUGE (QUEUE_REQUESTED_CPUS, QUEUE, OF_QUEUE, COUNT, "requested_cpus", NO_LABELS,
                 "CPUs that jobs wait for; in each partition that would do."),
  CLUSTER_GAUGE (QUEUE_REQUESTED_MEMORY, QUEUE, OF_QUEUE, BYTES, "requested_memory_bytes", NO_LABELS,
                 "Memory that jobs wait for; in each partition that would do."),
  CLUSTER_GAUGE (QUEUE_REQUESTED_GPUS, QUEUE, OF_QUEUE, COUNT, "requested_gpus", NO_LABELS,
                 "GPUs that jobs wait for; in each partition that would do."),
  CLUSTER_GAUGE (QUEUE_ALLOCATED_CPUS, QUEUE, OF_QUEUE, COUNT, "allocated_cpus", NO_LABELS,
                 "CPUs of jobs that run."),
  CLUSTER_GAUGE (QUEUE_ALLOCATED_MEMORY, QUEUE, OF_QUEUE, BYTES, "allocated_memory_bytes", NO_LABELS,
                 "Memory of jobs that run, as the scheduler granted it."),
  CLUSTER_GAUGE (QUEUE_ALLOCATED_GPUS, QUEUE, OF_QUEUE, COUNT, "allocated_gpus", NO_LABELS,
                 "GPUs of jobs that run."),
  CLUSTER_GAUGE (QUEUE_SUSPENDED_CPUS, QUEUE, OF_QUEUE, COUNT, "suspended_cpus", NO_LABELS,
                 "CPUs that suspended jobs were granted and do not use: Slurm may give them to others meanwhile."),
  CLUSTER_GAUGE (QUEUE_SUSPENDED_MEMORY, QUEUE, OF_QUEUE, BYTES, "suspended_memory_bytes", NO_LABELS,
                 "Memory that suspended jobs were granted: they keep it."),
  CLUSTER_GAUGE (QUEUE_SUSPENDED_GPUS, QUEUE, OF_QUEUE, COUNT, "suspended_gpus", NO_LABELS,
                 "GPUs that suspended jobs were granted."),
  CLUSTER_COUNT (QUEUE_REQUESTED_GPUS_BY_TYPE, QUEUE, OF_QUEUE, "requested_gpus_by_type", LABELS ("type"),
                 "GPUs that jobs wait for, by the type that they ask for; in each partition that would do."),
  CLUSTER_COUNT (QUEUE_ALLOCATED_GPUS_BY_TYPE, QUEUE, OF_QUEUE, "allocated_gpus_by_type", LABELS ("type"),
                 "GPUs of jobs that run, by type as the scheduler counts them: (none) of jobs of which it tells no type."),
  CLUSTER_GAUGE (QUEUE_OLDEST_PENDING, QUEUE, OF_QUEUE, MICROSECONDS, "oldest_pending_seconds", NO_LABELS,
                 "Longest time for which a job that waits could have begun; absent where none could."),
  CLUSTER_GAUGE (QUEUE_MEAN_PENDING, QUEUE, OF_QUEUE, MICROSECONDS, "mean_pending_seconds", NO_LABELS,
                 "Mean time for which jobs that wait could have begun; absent where none could."),
  CLUSTER_GAUGE (QUEUE_WAITING_JOBS, QUEUE, OF_NODES, COUNT, "jobs_waiting", LABELS ("longer_than_seconds"),
                 "Jobs that wait and could have begun that long ago or longer: of all at 0. A gauge, for jobs leave the queue, and the buckets of a histogram only grow."),

  CLUSTER_COUNT (CLUSTER_NODES, CLUSTER_NODES, OF_NODES, "nodes", LABELS ("state"),
                 "Nodes by state without flags; a node of several partitions is in each of them, and once in the cluster."),
  CLUSTER_GAUGE (CLUSTER_FLAGGED_NODES, CLUSTER_NODES, OF_NODES, COUNT, "nodes_flagged", LABELS ("flag"),
                 "Nodes with a flag beside their state, of which a node may have several."),
  CLUSTER_COUNT (CLUSTER_SINFO_NODES, CLUSTER_NODES, OF_NODES, "sinfo_nodes", LABELS ("state"),
                 "Nodes by the one word that Slurm's sinfo makes of state and flags, without marks: one that is drained is in drained alone."),
  CLUSTER_COUNT (CLUSTER_CPUS, CLUSTER_NODES, OF_NODES | OF (CLUSTER_NODE), "cpus", LABELS ("state"),
                 "CPUs of nodes, which are allocated, idle, or other: nobody's, and not to be had."),
  CLUSTER_GAUGE (CLUSTER_MEMORY, CLUSTER_NODES, OF_NODES | OF (CLUSTER_NODE), BYTES, "memory_bytes", NO_LABELS,
                 "Memory of nodes, as the scheduler is told."),
  CLUSTER_GAUGE (CLUSTER_ALLOCATED_MEMORY, CLUSTER_NODES, OF_NODES | OF (CLUSTER_NODE), BYTES, "memory_allocated_bytes", NO_LABELS,
                 "Memory of nodes that is allocated to jobs."),
  CLUSTER_GAUGE (CLUSTER_FREE_MEMORY, CLUSTER_NODES, OF_NODES | OF (CLUSTER_NODE), BYTES, "memory_free_bytes", NO_LABELS,
                 "Memory that nodes' kernels say is free."),
  CLUSTER_COUNT (CLUSTER_GPUS, CLUSTER_NODES, OF_NODES | OF (CLUSTER_NODE), "gpus", LABELS ("type", "state"),
                 "GPUs of nodes, which are allocated, idle, or unusable: nobody's, of a node that is down or drained, or has no idle CPU."),
  CLUSTER_GAUGE (CLUSTER_GPU_SHARES, CLUSTER_NODES, OF_NODES | OF (CLUSTER_NODE), COUNT, "gpu_shares", LABELS ("gres", "state"),
                 "Shares that GPUs are given out in, shard or mps, by state as GPUs are: they are parts of those, and no GPUs."),
  CLUSTER_COUNT (CLUSTER_CPUS_BY_RESERVATION, CLUSTER_NODES, OF (CLUSTER), "cpus_by_reservation", LABELS ("reservation", "state"),
                 "CPUs of nodes by the reservation that they are in now, whole nodes, and by state as CPUs are; absent where nobody tells of reservations."),
  CLUSTER_COUNT (CLUSTER_GPUS_BY_RESERVATION, CLUSTER_NODES, OF (CLUSTER), "gpus_by_reservation", LABELS ("reservation", "type", "state"),
                 "GPUs of nodes by the reservation that they are in now, and by state as GPUs are."),
  CLUSTER_COUNT (CLUSTER_NODES_BY_RESERVATION, CLUSTER_NODES, OF (CLUSTER), "nodes_by_reservation", LABELS ("reservation", "state"),
                 "Nodes by the reservation that they are in now, and by the one word that sinfo has for each."),
  CLUSTER_GAUGE (CLUSTER_NODE_INFO, CLUSTER_NODES, OF (CLUSTER_NODE), COUNT, "info", LABELS ("version", "features"),
                 "What is said of a node, with the value 1."),
  CLUSTER_GAUGE (CLUSTER_NODE_STATE, CLUSTER_NODES, OF (CLUSTER_NODE), COUNT, "state", LABELS ("state"),
                 "The state of a node without flags, with the value 1."),
  CLUSTER_GAUGE (CLUSTER_NODE_FLAG, CLUSTER_NODES, OF (CLUSTER_NODE), COUNT, "flag", LABELS ("flag"),
                 "A flag beside the state of a node, with the value 1."),
  CLUSTER_GAUGE (CLUSTER_NODE_SINFO_STATE, CLUSTER_NODES, OF (CLUSTER_NODE), COUNT, "sinfo_state", LABELS ("state"),
                 "The one word that Slurm's sinfo makes of a node's state and flags, without marks, with the value 1."),
  CLUSTER_GAUGE (CLUSTER_NODE_LOAD, CLUSTER_NODES, OF (CLUSTER_NODE), PARTS_PER_MILLION, "load_ratio", NO_LABELS,
                 "Load of a node by its CPUs, as the scheduler is told."),
  CLUSTER_GAUGE (CLUSTER_NODE_REASON_TIME, CLUSTER_NODES, OF (CLUSTER_NODE), MICROSECONDS, "reason_time_seconds", LABELS ("reason", "user"),
                 "When and by whom it was said why a node is not to be used, in seconds since 1970."),

  SCHEDULER_GAUGE (THREADS, COUNT, "threads",
                   "Threads of the controller that answer questions now."),
  SCHEDULER_GAUGE (AGENT_THREADS, COUNT, "agent_threads",
                   "Threads of the controller that send messages to nodes now."),
  SCHEDULER_GAUGE (AGENT_QUEUE, COUNT, "agent_queue",
                   "Messages to nodes that wait."),
  SCHEDULER_GAUGE (ACCOUNTING_QUEUE, COUNT, "accounting_queue",
                   "Messages to the accounting that wait."),
  SCHEDULER_GAUGE (RESET_TIME, MICROSECONDS, "reset_time_seconds",
                   "Since when jobs and cycles are counted, in seconds since 1970: Slurm begins anew at midnight UTC. They are counters, for which a fall to 0 is a new beginning."),
  SCHEDULER_COUNTER (JOBS_SUBMITTED, COUNT, "jobs_submitted", NO_LABELS,
                     "Jobs that were submitted since the reset time."),
  SCHEDULER_COUNTER (JOBS_STARTED, COUNT, "jobs_started", NO_LABELS,
                     "Jobs that were started since the reset time."),
  SCHEDULER_COUNTER (JOBS_COMPLETED, COUNT, "jobs_completed", NO_LABELS,
                     "Jobs that ended well since the reset time."),
  SCHEDULER_COUNTER (JOBS_CANCELLED, COUNT, "jobs_cancelled", NO_LABELS,
                     "Jobs that were cancelled since the reset time."),
  SCHEDULER_COUNTER (JOBS_FAILED, COUNT, "jobs_failed", NO_LABELS,
                     "Jobs that failed since the reset time."),
  SCHEDULER_COUNTER (CYCLES, COUNT, "cycles", NO_LABELS,
                     "Times that the main scheduler went over the queue since the reset time."),
  SCHEDULER_GAUGE (QUEUE_LENGTH, COUNT, "queue_length",
                   "Jobs in the queue of the main scheduler in its last cycle."),
  SCHEDULER_GAUGE (LAST_CYCLE, MICROSECONDS, "last_cycle_seconds",
                   "Time that the last cycle of the main scheduler took."),
  SCHEDULER_GAUGE (MAX_CYCLE, MICROSECONDS, "max_cycle_seconds",
                   "Time that the longest cycle of the main scheduler took since the reset time."),
  SCHEDULER_GAUGE (MEAN_CYCLE, MICROSECONDS, "mean_cycle_seconds",
                   "Mean time of a cycle of the main scheduler since the reset time."),
  SCHEDULER_COUNTER (BACKFILL_CYCLES, COUNT, "backfill_cycles", NO_LABELS,
                     "Times that backfill went over the queue since the reset time."),
  SCHEDULER_GAUGE (BACKFILL_QUEUE_LENGTH, COUNT, "backfill_queue_length",
                   "Jobs in the queue of backfill in its last cycle."),
  SCHEDULER_GAUGE (BACKFILL_LAST_CYCLE, MICROSECONDS, "backfill_last_cycle_seconds",
                   "Time that the last cycle of backfill took."),
  SCHEDULER_GAUGE (BACKFILL_MAX_CYCLE, MICROSECONDS, "backfill_max_cycle_seconds",
                   "Time that the longest cycle of backfill took since the reset time."),
  SCHEDULER_GAUGE (BACKFILL_MEAN_CYCLE, MICROSECONDS, "backfill_mean_cycle_seconds",
                   "Mean time of a cycle of backfill since the reset time."),
  SCHEDULER_GAUGE (BACKFILL_LAST_DEPTH, COUNT, "backfill_last_depth",
                   "Jobs that backfill looked at in its last cycle."),
  SCHEDULER_GAUGE (BACKFILL_LAST_DEPTH_TRIED, COUNT, "backfill_last_depth_tried",
                   "Jobs that backfill tried to start in its last cycle."),
  SCHEDULER_GAUGE (BACKFILL_MEAN_DEPTH, COUNT, "backfill_mean_depth",
                   "Mean number of jobs that backfill looks at in a cycle since the reset time, rounded."),
  SCHEDULER_COUNTER (BACKFILLED_JOBS, COUNT, "backfilled_jobs", NO_LABELS,
                     "Jobs that backfill started since the controller began; midnight does not reset it."),
  SCHEDULER_COUNTER (BACKFILLED_HET_COMPONENTS, COUNT, "backfilled_het_components", NO_LABELS,
                     "Components of heterogeneous jobs that backfill started since the controller began."),
  SCHEDULER_COUNTER (RPCS, COUNT, "rpcs", LABELS ("type"),
                     "Questions to the controller by type; midnight does not reset them. Types beyond the first hundred by name are (other)."),
  SCHEDULER_COUNTER (RPC_TIME, MICROSECONDS, "rpc_seconds", LABELS ("type"),
                     "Time that answering took, by type as they are counted."),
  SCHEDULER_COUNTER (USER_RPCS, COUNT, "user_rpcs", LABELS ("user"),
                     "Questions to the controller by user; midnight does not reset them. Users beyond those that are told of by name are (other)."),
  SCHEDULER_COUNTER (USER_RPC_TIME, MICROSECONDS, "user_rpc_seconds", LABELS ("user"),
                     "Time that answering took, by user as they are counted."),

  CLUSTER_GAUGE (CLUSTER_LICENSES, GRANTS, OF (CLUSTER), COUNT, "licenses", LABELS ("license"),
                 "Licences that there are."),
  CLUSTER_GAUGE (CLUSTER_LICENSES_USED, GRANTS, OF (CLUSTER), COUNT, "licenses_used", LABELS ("license"),
                 "Licences that jobs have."),
  CLUSTER_GAUGE (CLUSTER_LICENSES_FREE, GRANTS, OF (CLUSTER), COUNT, "licenses_free", LABELS ("license"),
                 "Licences that a job could have now."),
  CLUSTER_GAUGE (CLUSTER_LICENSES_RESERVED, GRANTS, OF (CLUSTER), COUNT, "licenses_reserved", LABELS ("license"),
                 "Licences that are kept for reservations."),

  CLUSTER_GAUGE (CLUSTER_RESERVATION_INFO, GRANTS, OF (CLUSTER), COUNT, "reservation_info", LABELS ("reservation", "state", "partition"),
                 "What is said of a reservation, with the value 1."),
  CLUSTER_GAUGE (CLUSTER_RESERVATION_FLAG, GRANTS, OF (CLUSTER), COUNT, "reservation_flag", LABELS ("reservation", "flag"),
                 "A flag of a reservation, with the value 1; of many the first ones."),
  CLUSTER_GAUGE (CLUSTER_RESERVATION_START, GRANTS, OF (CLUSTER), MICROSECONDS, "reservation_start_time_seconds", LABELS ("reservation"),
                 "When a reservation begins or began, in seconds since 1970."),
  CLUSTER_GAUGE (CLUSTER_RESERVATION_END, GRANTS, OF (CLUSTER), MICROSECONDS, "reservation_end_time_seconds", LABELS ("reservation"),
                 "When a reservation ends, in seconds since 1970."),
  CLUSTER_GAUGE (CLUSTER_RESERVATION_NODES, GRANTS, OF (CLUSTER), COUNT, "reservation_nodes", LABELS ("reservation"),
                 "Nodes of a reservation."),
  CLUSTER_GAUGE (CLUSTER_RESERVATION_CORES, GRANTS, OF (CLUSTER), COUNT, "reservation_cores", LABELS ("reservation"),
                 "Cores of a reservation."),
  CLUSTER_GAUGE (CLUSTER_RESERVATION_CPUS, GRANTS, OF (CLUSTER), COUNT, "reservation_cpus", LABELS ("reservation"),
                 "CPUs of a reservation."),

  CLUSTER_GAUGE (CLUSTER_TARGET_CPU, GRANTS, OF (CLUSTER), MICROSECONDS, "target_cpu_seconds", LABELS ("target", "account"),
                 "CPU time that the site has agreed on for the whole period of a target, for an account or, without one, for all."),
  CLUSTER_GAUGE (CLUSTER_TARGET_GPU, GRANTS, OF (CLUSTER), MICROSECONDS, "target_gpu_seconds", LABELS ("target", "account"),
                 "The same of GPUs, each as one."),
  CLUSTER_GAUGE (CLUSTER_TARGET_START, GRANTS, OF (CLUSTER), MICROSECONDS, "target_start_time_seconds", LABELS ("target"),
                 "When the period of a target begins or began, in seconds since 1970."),
  CLUSTER_GAUGE (CLUSTER_TARGET_END, GRANTS, OF (CLUSTER), MICROSECONDS, "target_end_time_seconds", LABELS ("target"),
                 "When the period of a target is over, in seconds since 1970."),
  CLUSTER_GAUGE (CLUSTER_TARGET_PASSED, GRANTS, OF (CLUSTER), PARTS_PER_MILLION, "target_passed_ratio", LABELS ("target"),
                 "How much of the period of a target has passed: 0 before it, 1 behind it."),

  CLUSTER_GAUGE (SHARES, GRANTS, OF (ASSOCIATION), COUNT, "shares", NO_LABELS,
                 "Shares that were given out; absent of one that has those of its parent."),
  CLUSTER_GAUGE (SHARES_NORM, GRANTS, OF (ASSOCIATION), PARTS_PER_MILLION, "shares_ratio", NO_LABELS,
                 "Shares as a part of those of all brothers, or of the whole, as the scheduler counts them."),
  CLUSTER_GAUGE (USAGE, GRANTS, OF (ASSOCIATION), MICROSECONDS, "usage_seconds", NO_LABELS,
                 "CPU time that was used, weighed by the billing and decayed."),
  CLUSTER_GAUGE (USAGE_NORM, GRANTS, OF (ASSOCIATION), PARTS_PER_MILLION, "usage_ratio", NO_LABELS,
                 "Usage as a part of that of the whole cluster."),
  CLUSTER_GAUGE (USAGE_EFFECTIVE, GRANTS, OF (ASSOCIATION), PARTS_PER_MILLION, "effective_usage_ratio", NO_LABELS,
                 "Usage as the fair share has it."),
  CLUSTER_GAUGE (FAIRSHARE, GRANTS, OF (ASSOCIATION), PARTS_PER_MILLION, "fairshare_ratio", NO_LABELS,
                 "The fair share factor of the priority, 0 to 1."),
  CLUSTER_GAUGE (FAIRSHARE_LEVEL, GRANTS, OF (ASSOCIATION), PARTS_PER_MILLION, "level_fairshare_ratio", NO_LABELS,
                 "Shares by usage among brothers; absent where nothing was used, of which it is infinite."),
  CLUSTER_GAUGE (ASSOCIATIONS_UNTOLD, GRANTS, OF (CLUSTER), COUNT, "associations_untold", NO_LABELS,
                 "Accounts and their users of whom no share or limit is told, for there are too many of them."),

  CLUSTER_GAUGE (PARTITION_INFO, GRANTS, OF (PARTITION), COUNT, "info", LABELS ("state", "default"),
                 "What is said of a partition, with the value 1."),
  CLUSTER_GAUGE (PARTITION_NODES, GRANTS, OF (PARTITION), COUNT, "configured_nodes", NO_LABELS,
                 "Nodes of a partition, as it is configured."),
  CLUSTER_GAUGE (PARTITION_CPUS, GRANTS, OF (PARTITION), COUNT, "configured_cpus", NO_LABELS,
                 "CPUs of a partition, as it is configured."),
  CLUSTER_GAUGE (PARTITION_MEMORY, GRANTS, OF (PARTITION), BYTES, "configured_memory_bytes", NO_LABELS,
                 "Memory of a partition, as it is configured."),
  CLUSTER_GAUGE (PARTITION_GPUS, GRANTS, OF (PARTITION), COUNT, "configured_gpus", NO_LABELS,
                 "GPUs of a partition, as it is configured."),
  CLUSTER_GAUGE (PARTITION_MAX_TIME, GRANTS, OF (PARTITION), MICROSECONDS, "max_time_seconds", NO_LABELS,
                 "How long a job may run; absent where there is no limit."),
  CLUSTER_GAUGE (PARTITION_DEFAULT_TIME, GRANTS, OF (PARTITION), MICROSECONDS, "default_time_seconds", NO_LABELS,
                 "How long a job may run that asks for no time."),
  CLUSTER_GAUGE (PARTITION_MAX_NODES, GRANTS, OF (PARTITION), COUNT, "max_nodes", NO_LABELS,
                 "Nodes that a job may have; absent where there is no limit."),
  CLUSTER_GAUGE (PARTITION_PRIORITY_TIER, GRANTS, OF (PARTITION), COUNT, "priority_tier", NO_LABELS,
                 "Jobs of a higher tier come first."),

  CLUSTER_GAUGE (LIMIT_CPUS, GRANTS, OF (ASSOCIATION), COUNT, "limit_cpus", NO_LABELS,
                 "CPUs that all jobs together may have; absent, as all limits, where there is none."),
  CLUSTER_GAUGE (LIMIT_MEMORY, GRANTS, OF (ASSOCIATION), BYTES, "limit_memory_bytes", NO_LABELS,
                 "Memory that all jobs together may have."),
  CLUSTER_GAUGE (LIMIT_NODES, GRANTS, OF (ASSOCIATION), COUNT, "limit_nodes", NO_LABELS,
                 "Nodes that all jobs together may have."),
  CLUSTER_GAUGE (LIMIT_GPUS, GRANTS, OF (ASSOCIATION), COUNT, "limit_gpus", NO_LABELS,
                 "GPUs that all jobs together may have."),
  CLUSTER_GAUGE (LIMIT_JOBS, GRANTS, OF (ASSOCIATION), COUNT, "limit_jobs", NO_LABELS,
                 "Jobs that may run at once."),
  CLUSTER_GAUGE (LIMIT_SUBMITTED_JOBS, GRANTS, OF (ASSOCIATION), COUNT, "limit_submitted_jobs", NO_LABELS,
                 "Jobs that may run or wait at once."),
  CLUSTER_GAUGE (LIMIT_WALL, GRANTS, OF (ASSOCIATION), MICROSECONDS, "limit_wall_seconds", NO_LABELS,
                 "Time that all jobs together may have run, decayed."),
  CLUSTER_GAUGE (MAX_RUNNING_JOBS, GRANTS, OF (ASSOCIATION), COUNT, "user_limit_jobs", NO_LABELS,
                 "Jobs of each user that may run at once."),
  CLUSTER_GAUGE (MAX_SUBMITTED_JOBS, GRANTS, OF (ASSOCIATION), COUNT, "user_limit_submitted_jobs", NO_LABELS,
                 "Jobs of each user that may run or wait at once."),
  CLUSTER_GAUGE (MAX_JOB_TIME, GRANTS, OF (ASSOCIATION), MICROSECONDS, "limit_job_seconds", NO_LABELS,
                 "Time that a job may run."),

  CLUSTER_GAUGE (QOS_LIMIT_CPUS, GRANTS, OF (CLUSTER), COUNT, "qos_limit_cpus", LABELS ("qos"),
                 "CPUs that all jobs of a quality of service may have at once."),
  CLUSTER_GAUGE (QOS_LIMIT_MEMORY, GRANTS, OF (CLUSTER), BYTES, "qos_limit_memory_bytes", LABELS ("qos"),
                 "Memory that all jobs of a quality of service may have at once."),
  CLUSTER_GAUGE (QOS_LIMIT_NODES, GRANTS, OF (CLUSTER), COUNT, "qos_limit_nodes", LABELS ("qos"),
                 "Nodes that all jobs of a quality of service may have at once."),
  CLUSTER_GAUGE (QOS_LIMIT_GPUS, GRANTS, OF (CLUSTER), COUNT, "qos_limit_gpus", LABELS ("qos"),
                 "GPUs that all jobs of a quality of service may have at once."),
  CLUSTER_GAUGE (QOS_LIMIT_JOBS, GRANTS, OF (CLUSTER), COUNT, "qos_limit_jobs", LABELS ("qos"),
                 "Jobs of a quality of service that may run."),
  CLUSTER_GAUGE (QOS_LIMIT_SUBMITTED_JOBS, GRANTS, OF (CLUSTER), COUNT, "qos_limit_submitted_jobs", LABELS ("qos"),
                 "Jobs of a quality of service that may run or wait."),
  CLUSTER_GAUGE (QOS_LIMIT_WALL, GRANTS, OF (CLUSTER), MICROSECONDS, "qos_limit_wall_seconds", LABELS ("qos"),
                 "Time that all jobs of a quality of service may have run."),
  CLUSTER_GAUGE (QOS_USER_CPUS, GRANTS, OF (CLUSTER), COUNT, "qos_user_limit_cpus", LABELS ("qos"),
                 "CPUs that the jobs of each user may have at once in a quality of service."),
  CLUSTER_GAUGE (QOS_USER_MEMORY, GRANTS, OF (CLUSTER), BYTES, "qos_user_limit_memory_bytes", LABELS ("qos"),
                 "Memory that the jobs of each user may have at once in a quality of service."),
  CLUSTER_GAUGE (QOS_USER_NODES, GRANTS, OF (CLUSTER), COUNT, "qos_user_limit_nodes", LABELS ("qos"),
                 "Nodes that the jobs of each user may have at once in a quality of service."),
  CLUSTER_GAUGE (QOS_USER_GPUS, GRANTS, OF (CLUSTER), COUNT, "qos_user_limit_gpus", LABELS ("qos"),
                 "GPUs that the jobs of each user may have at once in a quality of service."),
  CLUSTER_GAUGE (QOS_USER_JOBS, GRANTS, OF (CLUSTER), COUNT, "qos_user_limit_jobs", LABELS ("qos"),
                 "Jobs of each user that may run in a quality of service."),
  CLUSTER_GAUGE (QOS_USER_SUBMITTED_JOBS, GRANTS, OF (CLUSTER), COUNT, "qos_user_limit_submitted_jobs", LABELS ("qos"),
                 "Jobs of each user that may run or wait in a quality of service."),
  CLUSTER_GAUGE (QOS_JOB_TIME, GRANTS, OF (CLUSTER), MICROSECONDS, "qos_limit_job_seconds", LABELS ("qos"),
                 "Time that a job of a quality of service may run."),
};
/* clang-format on */

static const struct
{
  const char *name;
  const char *help;
  gboolean is_extra; /* off unless somebody turns it on */
} collectors[JM_N_COLLECTORS] = {
  [JM_COLLECTOR_JOBS] = { "jobs", "which jobs there are, and who they are" },
  [JM_COLLECTOR_CPU] = { "cpu", "CPU time, throttling and allocated CPUs of cgroups" },
  [JM_COLLECTOR_PERCPU] = { "percpu", "CPU time by CPU (on cgroup v2 by BPF alone)" },
  [JM_COLLECTOR_MEMORY] = { "memory",
                            "memory use, peak, limits and events of cgroups" },
  [JM_COLLECTOR_MEMORY_STAT] = { "memory.stat", "what a job's memory consists of" },
  [JM_COLLECTOR_PRESSURE] = { "pressure", "stall times (cgroup v2 only)" },
  [JM_COLLECTOR_IO] = { "io", "block IO of cgroups by device" },
  [JM_COLLECTOR_PIDS] = { "pids", "the pids controller" },
  [JM_COLLECTOR_RDMA] = { "rdma", "the rdma controller" },
  [JM_COLLECTOR_HUGETLB] = { "hugetlb", "the hugetlb controller" },
  [JM_COLLECTOR_PROCESS] = { "process", "processes, their IO and executables" },
  [JM_COLLECTOR_THREADS] = { "threads", "threads by state" },
  [JM_COLLECTOR_FILES] = { "files", "open files and use of file systems" },
  [JM_COLLECTOR_NODE] = { "node", "the node's own totals" },
  [JM_COLLECTOR_POWER] = { "power", "energy of the node and its jobs" },
  [JM_COLLECTOR_EMISSIONS] = { "emissions", "what that energy has emitted" },
  [JM_COLLECTOR_GPU] = { "gpu", "accelerators, whose they are and what they do" },
  [JM_COLLECTOR_PERF] = { "perf", "what perf counts of cgroups", TRUE },
  [JM_COLLECTOR_NETWORK] = { "network", "what jobs send and receive by IP", TRUE },
  [JM_COLLECTOR_FILESYSTEM] = { "filesystem",
                                "what jobs read and write of each file system", TRUE },
  [JM_COLLECTOR_LEDGER] = { "ledger", "records of the jobs that have ended" },
  [JM_COLLECTOR_SCHEDULER] = { "scheduler",
                               "how schedulers answer, and how they are doing" },
  [JM_COLLECTOR_QUEUE] = { "queue", "the jobs that a scheduler knows" },
  [JM_COLLECTOR_CLUSTER_NODES] = { "cluster.nodes",
                                   "the nodes that a scheduler knows" },
  [JM_COLLECTOR_GRANTS] = { "grants", "partitions, reservations, licences, shares and "
                                      "limits of a scheduler" },
};

/**
 * jm_metric_get_info:
 * @metric: a metric
 *
 * Looks an entry of the metric table up.
 *
 * Returns: (transfer none): the entry, which is static
 * Since: 0.1
 */
const JmMetricInfo *
jm_metric_get_info (JmMetric metric)
{
  g_return_val_if_fail ((guint) metric < JM_N_METRICS, NULL);

  return &metrics[metric];
}

/**
 * jm_metric_get_name:
 * @metric: a metric
 *
 * Gets the name of a metric without the prefix of its level, such as
 * `memory_used_bytes`.
 *
 * Returns: the name
 * Since: 0.1
 */
const char *
jm_metric_get_name (JmMetric metric)
{
  g_return_val_if_fail ((guint) metric < JM_N_METRICS, NULL);

  return metrics[metric].name;
}

/**
 * jm_metric_is_about:
 * @metric: a metric
 * @kind: a kind of subject
 *
 * Whether there may be figures of the metric about such subjects.
 *
 * Returns: %TRUE if there may
 * Since: 0.1
 */
gboolean
jm_metric_is_about (JmMetric metric, JmSubjectKind kind)
{
  g_return_val_if_fail ((guint) metric < JM_N_METRICS, FALSE);
  g_return_val_if_fail ((guint) kind < JM_N_SUBJECT_KINDS, FALSE);

  return (metrics[metric].kinds & (1u << kind)) != 0;
}

/**
 * jm_metric_ends_with_job:
 * @metric: a metric
 *
 * Whether a metric tells what a job holds or does now, such as its CPUs: exported, its
 * series ends with the job, where totals and peaks stay for a while.
 *
 * Returns: %TRUE if it does
 * Since: 0.1
 */
gboolean
jm_metric_ends_with_job (JmMetric metric)
{
  g_return_val_if_fail ((guint) metric < JM_N_METRICS, FALSE);

  return !metrics[metric].lasts;
}

/**
 * jm_metric_from_name:
 * @name: a name without the prefix of its subject's kind, such as `memory_used_bytes`
 * @kind: what the metric is to be about: quantities of nodes and of jobs share names
 * @metric: (out): the metric
 *
 * Finds a metric by its name.
 *
 * Returns: whether there is one of that name
 * Since: 0.1
 */
gboolean
jm_metric_from_name (const char *name, JmSubjectKind kind, JmMetric *metric)
{
  g_return_val_if_fail (name != NULL, FALSE);
  g_return_val_if_fail (metric != NULL, FALSE);

  for (guint i = 0; i < JM_N_METRICS; i++)
    if (jm_metric_is_about (i, kind) && g_str_equal (metrics[i].name, name))
      {
        *metric = i;
        return TRUE;
      }

  return FALSE;
}

/**
 * jm_metric_find_label:
 * @metric: a metric
 * @labels: labels of one of its figures
 * @name: name of a label, such as `domain`
 *
 * Finds the value of a label by its name.
 *
 * Returns: (nullable): the value; %NULL if the metric has no label of that name
 * Since: 0.1
 */
const char *
jm_metric_find_label (JmMetric metric, JmLabels *labels, const char *name)
{
  const JmMetricInfo *info = jm_metric_get_info (metric);

  g_return_val_if_fail (info != NULL, NULL);
  g_return_val_if_fail (labels != NULL, NULL);
  g_return_val_if_fail (jm_labels_get_size (labels) == info->n_labels, NULL);
  g_return_val_if_fail (name != NULL, NULL);

  for (guint i = 0; i < info->n_labels; i++)
    if (g_str_equal (info->labels[i], name))
      return jm_labels_get_value (labels, i);

  return NULL;
}

/**
 * jm_metric_is_estimated:
 * @metric: a metric of energy or emissions
 * @labels: labels of one of its figures
 *
 * Whether the label `quality` says that the energy was estimated, not measured.
 *
 * Returns: %TRUE if it does
 * Since: 0.1
 */
gboolean
jm_metric_is_estimated (JmMetric metric, JmLabels *labels)
{
  return g_strcmp0 (jm_metric_find_label (metric, labels, "quality"),
                    JM_QUALITY_ESTIMATED) == 0;
}

/**
 * jm_metric_to_base_unit:
 * @metric: a metric
 * @value: a figure in the metric's own unit
 *
 * Converts to the base unit in the metric's name: seconds, bytes, joules, watts, grams,
 * grams per joule, or a count.
 *
 * Returns: the figure in base units
 * Since: 0.1
 */
double
jm_metric_to_base_unit (JmMetric metric, guint64 value)
{
  g_return_val_if_fail ((guint) metric < JM_N_METRICS, 0);

  return jm_unit_to_base (metrics[metric].unit, value);
}

/**
 * jm_collector_get_name:
 * @collector: a collector
 *
 * Gets the name by which options and the collector's own series call it.
 *
 * Returns: the name
 * Since: 0.1
 */
const char *
jm_collector_get_name (JmCollector collector)
{
  g_return_val_if_fail ((guint) collector < JM_N_COLLECTORS, NULL);

  return collectors[collector].name;
}

/**
 * jm_collector_get_help:
 * @collector: a collector
 *
 * Gets what the collector reads, in a few words.
 *
 * Returns: the words
 * Since: 0.1
 */
const char *
jm_collector_get_help (JmCollector collector)
{
  g_return_val_if_fail ((guint) collector < JM_N_COLLECTORS, NULL);

  return collectors[collector].help;
}

/**
 * jm_collector_is_usual:
 * @collector: a collector
 *
 * Whether the collector works unless it is turned off. One that takes rights of its
 * own, or more of the machine than reading files does, waits to be turned on.
 *
 * Returns: %TRUE if it works unless turned off
 * Since: 0.1
 */
gboolean
jm_collector_is_usual (JmCollector collector)
{
  g_return_val_if_fail ((guint) collector < JM_N_COLLECTORS, FALSE);

  return !collectors[collector].is_extra;
}

/**
 * jm_collector_from_name:
 * @name: a name, such as `memory.stat`
 * @collector: (out): the collector
 *
 * Finds a collector by its name.
 *
 * Returns: whether there is one of that name
 * Since: 0.1
 */
gboolean
jm_collector_from_name (const char *name, JmCollector *collector)
{
  g_return_val_if_fail (name != NULL, FALSE);
  g_return_val_if_fail (collector != NULL, FALSE);

  for (guint i = 0; i < JM_N_COLLECTORS; i++)
    if (g_str_equal (collectors[i].name, name))
      {
        *collector = i;
        return TRUE;
      }

  return FALSE;
}
