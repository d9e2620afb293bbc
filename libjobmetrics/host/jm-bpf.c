/* jm-bpf.c: whether the kernel runs programs for us
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "host/jm-bpf-private.h"

#include <bpf/libbpf.h>
#include <errno.h>

#include "base/jm-error.h"
#include "host/jm-host-private.h"

/* What the verifier says of a program fills pages, and nobody but us can mend it. */
G_GNUC_PRINTF (2, 0)
static int
print (enum libbpf_print_level level, const char *format, va_list arguments)
{
  g_autofree char *text = NULL;

  if (level == LIBBPF_DEBUG)
    return 0;

  text = g_strdup_vprintf (format, arguments);
  g_debug ("bpf: %s", g_strchomp (text));

  return 0;
}

/**
 * jm_bpf_prepare: (skip)
 * @host: the host
 * @error: return location for an error
 *
 * Gets ready to load programs. They report about the kernel that runs, so a copied
 * tree has none.
 *
 * - Errors: #JM_ERROR_ABSENT on a host that is not this one, or in a build that has no
 *   BPF.
 *
 * Returns: whether programs may be tried
 */
gboolean
jm_bpf_prepare (JmHost *host, GError **error)
{
  if (!jm_host_is_live (host))
    {
      g_set_error_literal (error, JM_ERROR, JM_ERROR_ABSENT,
                           "BPF reads the running kernel alone, not of a copy");
      return FALSE;
    }

  libbpf_set_print (print);
  return TRUE;
}

/**
 * jm_bpf_set_error: (skip)
 * @error: return location for an error
 * @what: what was tried, such as a program's name
 * @result: a negative `errno`
 *
 * - Errors: #JM_ERROR_DENIED where capabilities are missing, else #JM_ERROR_ABSENT:
 *   what a kernel does not load now it will not load later.
 */
void
jm_bpf_set_error (GError **error, const char *what, int result)
{
  gboolean is_denied = result == -EPERM || result == -EACCES;

  g_set_error (error, JM_ERROR, is_denied ? JM_ERROR_DENIED : JM_ERROR_ABSENT,
               "BPF: %s: %s", what, g_strerror (-result));
}
