/* jm-versioned-private.h: values that a later program reads again
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* Values are kept as a GVariant behind a version, in the machine's own byte order: they
 * never leave it. Takes @value, which may be floating. */
GBytes *jm_versioned_pack (guint8 version, GVariant *value);

/* NULL for what is not a value of that type and version, whatever it is. */
GVariant *jm_versioned_unpack (GBytes *bytes, guint8 version, const char *type);

G_END_DECLS
