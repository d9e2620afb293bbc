/* jm-percpu-source-private.h: how long jobs ran on each CPU, where no file tells
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include "sources/counters/jm-counter-source-private.h"

G_BEGIN_DECLS

#define JM_TYPE_PERCPU_SOURCE (jm_percpu_source_get_type ())

G_DECLARE_FINAL_TYPE (JmPercpuSource, jm_percpu_source, JM, PERCPU_SOURCE, JmSource)

/* @mount is where cgroup version 2 is mounted. */
JmPercpuSource *jm_percpu_source_new (JmHost *host, const char *mount, GError **error);

G_END_DECLS
