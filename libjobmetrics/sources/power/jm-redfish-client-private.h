/* jm-redfish-client-private.h: a BMC that is asked for its node's power
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <gio/gio.h>

#include "host/jm-host.h"

G_BEGIN_DECLS

/* What an administrator sets; all texts stay the caller's while the client lives. */
typedef struct
{
  const char *url; /* without a slash at its end */
  const char *credentials_file;
  const char *ca_file; /* the system's authorities if NULL */
  const char *chassis; /* names with a colon between two; the node's own if NULL */
  guint timeout_ms;    /* of each question */
  gboolean is_basic;   /* never begins a session */
  gboolean is_insecure;
} JmRedfishSettings;

/* Belongs to one thread at a time. */
typedef struct _JmRedfishClient JmRedfishClient;

JmRedfishClient *jm_redfish_client_new (JmHost *host,
                                        const JmRedfishSettings *settings);

/* Ends the session first, if there is one. */
void jm_redfish_client_free (JmRedfishClient *self);

/* Asks, and waits for the answer. What was found out of the BMC serves for the next
 * time. */
gboolean jm_redfish_client_read_power (JmRedfishClient *self,
                                       guint64 *power_uw,
                                       GCancellable *cancellable,
                                       GError **error);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (JmRedfishClient, jm_redfish_client_free)

G_END_DECLS
