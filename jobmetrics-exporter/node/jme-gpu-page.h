/* jme-gpu-page.h: accelerators of the node, and of its jobs, on the node's page
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#pragma once

#include "core/jm-snapshot.h"

G_BEGIN_DECLS

void jme_gpu_page_append (GString *out, JmSnapshot *snapshot);

G_END_DECLS
