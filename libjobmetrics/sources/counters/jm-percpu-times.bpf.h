/* jm-percpu-times.bpf.h: how long cgroups ran on each CPU
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

/* How many cgroups are reported at once. */
#define JM_BPF_PERCPU_CGROUPS 1024

/* The most that a machine may have: of more the kernel does not verify the program. */
#define JM_BPF_PERCPU_CPUS 2048
