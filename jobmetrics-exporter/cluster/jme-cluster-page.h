/* jme-cluster-page.h: a plain page about clusters
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#pragma once

#include "core/jm-snapshot.h"

G_BEGIN_DECLS

/* @trace_path is NULL where nothing is traced. */
GBytes *jme_cluster_page_render (JmSnapshot *snapshot,
                                 const char *metrics_path,
                                 const char *trace_path);

G_END_DECLS
