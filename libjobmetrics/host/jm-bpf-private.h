/* jm-bpf-private.h: whether the kernel runs programs for us
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include "host/jm-host.h"

G_BEGIN_DECLS

gboolean jm_bpf_prepare (JmHost *host, GError **error);
void jm_bpf_set_error (GError **error, const char *what, int result);

G_END_DECLS
