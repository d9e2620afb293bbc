/* jm-redfish-parts-private.h: a client of a BMC's Redfish, and its JSON
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <gio/gio.h>
#include <json-glib/json-glib.h>

#include "host/jm-host.h"

G_BEGIN_DECLS

/* All of these take any JSON, and NULL. */

/* Where the member @name of a resource leads: a path on the same server, or NULL. */
const char *jm_redfish_get_link (JsonNode *resource, const char *name);

/* Where the members of a collection are: paths, at most as many as any BMC has. */
GPtrArray *jm_redfish_list_members (JsonNode *collection);

/* The chassis of @chassis, an array of JsonNode, that together are the node: bit n of
 * @mask stands for the n-th. INVALID if that is not known. */
gboolean jm_redfish_choose_chassis (GPtrArray *chassis, guint64 *mask, GError **error);

#define JM_REDFISH_MAX_MEMBERS 64

/* Watts; FALSE where there is no reading, and none is null, 0, or more than can be. */
gboolean jm_redfish_read_environment (JsonNode *metrics, double *watts);
gboolean jm_redfish_read_power (JsonNode *power, JsonNode *chassis, double *watts);

/* Whether a power supply is there and at work, so that its reading counts. */
gboolean jm_redfish_is_at_work (JsonNode *supply);
/* One of several, and so 0 is a reading. */
gboolean jm_redfish_read_supply (JsonNode *metrics, double *watts);

gboolean jm_redfish_is_possible (double watts);

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
