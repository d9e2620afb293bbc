/* jm-lookup-text-private.h: facts in files that schedulers keep for themselves
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <glib.h>

G_BEGIN_DECLS

/**
 * JmLookupFormat:
 * @JM_LOOKUP_LINES: lines `NAME=VALUE`
 * @JM_LOOKUP_CLASSAD: HTCondor's lines `Name = value`, strings between double quotes
 *   (https://htcondor.readthedocs.io/en/latest/classads/classad-mechanism.html)
 * @JM_LOOKUP_XML: elements; a name is a path of them, such as `domain/uuid`
 * @JM_LOOKUP_NAMES: no text, but the name that the file itself has
 *
 * How a file tells its facts.
 */
typedef enum
{
  JM_LOOKUP_LINES,
  JM_LOOKUP_CLASSAD,
  JM_LOOKUP_XML,
  JM_LOOKUP_NAMES,
} JmLookupFormat;

gboolean jm_lookup_format_from_name (const char *name, JmLookupFormat *format);

char *jm_lookup_text_find (JmLookupFormat format,
                           const char *text,
                           gsize length,
                           const char *name);

G_END_DECLS
