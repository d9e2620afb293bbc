/* jme-memory.h: what the start of the daemon needed, and nothing else
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#pragma once

#include <glib.h>

G_BEGIN_DECLS

void jme_memory_forget_start (void);

G_END_DECLS
