/* jm-complaints.c: warnings that are said once
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#define G_LOG_DOMAIN "JobMetrics"

#include "base/jm-complaints-private.h"

#define COMPLAINTS_MAX 1024

struct _JmComplaints
{
  GHashTable *about; /* of char * */
};

JmComplaints *
jm_complaints_new (void)
{
  JmComplaints *self = g_new0 (JmComplaints, 1);

  self->about = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);

  return self;
}

void
jm_complaints_free (JmComplaints *self)
{
  g_hash_table_unref (self->about);
  g_free (self);
}

void
jm_complaints_warn (JmComplaints *self, const char *about, const char *message)
{
  if (g_hash_table_size (self->about) >= COMPLAINTS_MAX)
    g_hash_table_remove_all (self->about);

  if (g_hash_table_add (self->about, g_strdup (about)))
    g_warning ("%s", message);
}
