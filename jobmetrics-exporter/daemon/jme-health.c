/* jme-health.c: whether the daemon lives, and whether it has something to show
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include "daemon/jme-health.h"

static void
on_healthy (JmeRequest *request, gpointer user_data)
{
  jme_request_reply_text (request, 200, "jobmetrics-exporter is healthy.\n");
}

static void
on_ready (JmeRequest *request, gpointer user_data)
{
  const JmeHealth *self = user_data;

  const char *obstacle = self->why_not_ready (self->state);

  if (obstacle == NULL)
    jme_request_reply_text (request, 200, "jobmetrics-exporter is ready.\n");
  else
    jme_request_reply_text (request, 503, obstacle);
}

/* They tell nothing but that, and supervisors have no password. */
const JmeRoute jme_health_routes[] = {
  { .path = "/-/healthy", .access = JME_ACCESS_OPEN, .handler = on_healthy },
  { .path = "/-/ready", .access = JME_ACCESS_OPEN, .handler = on_ready },
  { NULL },
};
