/* jm-bpf-none.c: no programs for the kernel, without libbpf
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "base/jm-error.h"
#include "host/jm-bpf-private.h"

gboolean
jm_bpf_prepare (JmHost *host, GError **error)
{
  g_set_error_literal (error, JM_ERROR, JM_ERROR_ABSENT,
                       "this build of jobmetrics has no BPF");

  return FALSE;
}

void
jm_bpf_set_error (GError **error, const char *what, int result)
{
  g_set_error (error, JM_ERROR, JM_ERROR_ABSENT, "BPF: %s: %s", what,
               g_strerror (-result));
}
