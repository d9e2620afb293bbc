/* jme-distinguished-name.h: whom a certificate is for
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* The common name in a subject as RFC 4514 writes it.
 *
 * - Errors: `ABSENT` where it has none; `MALFORMED` where it has two, one that is no
 *   text, or is not written so. */
char *jme_distinguished_name_find_common_name (const char *subject, GError **error);

G_END_DECLS
