/* jm-portable.h: the programs with everything but glibc linked in; in any other build
 * these do nothing
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#pragma once

#include <glib.h>

/* begin: registers the TLS backend and the proxies of the environment, which GLib would
 * load as modules of the host; contents: the linked-in libraries with their versions, a
 * line for each; trust_file: the host's trusted certificates for a library that does
 * not go by GnuTLS's, or NULL for its own */
#ifdef JM_PORTABLE
void jm_portable_begin (void);
const char *jm_portable_contents (void);
const char *jm_portable_trust_file (void);
#else
static inline void
jm_portable_begin (void)
{
}

static inline const char *
jm_portable_contents (void)
{
  return "";
}

static inline const char *
jm_portable_trust_file (void)
{
  return NULL;
}
#endif
