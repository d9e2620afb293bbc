/* jme-pusher.h: jobs to a Prometheus pushgateway
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* All texts are copied. */
typedef struct
{
  const char *url;      /* of the gateway */
  const char *job;      /* the label of that name */
  const char *instance; /* likewise */
  const char *username; /* NULL, as the next two, where there is none */
  const char *password;
  const char *ca_file;
  const char *groups_file; /* keeps which jobs have a group; NULL for none */
  guint interval_ms; /* what failed is tried again so long afterwards, and later */
} JmePusherPlan;

typedef struct
{
  gboolean is_up; /* the last attempt succeeded */
  guint64 n_failures;
  gint64 success_us; /* since 1970; 0 for never */
} JmePushStatus;

/* A thread that pushes: a gateway that is down, slow or refuses keeps nobody waiting.
 */
typedef struct _JmePusher JmePusher;

/* Errors: `INVALID` for a CA file that cannot be used. */
JmePusher *jme_pusher_new (const JmePusherPlan *plan, GError **error);

/* Deletes its groups, as far as the gateway takes that within @patience_ms. */
void jme_pusher_free_within (JmePusher *self, guint patience_ms);

/* Takes over what is to be there: texts (GBytes) by the id of the job. The groups of
 * other jobs are deleted. What was given before and is not yet pushed is forgotten. */
void jme_pusher_take (JmePusher *self, GHashTable *texts);

JmePushStatus jme_pusher_get_status (JmePusher *self);

G_END_DECLS
