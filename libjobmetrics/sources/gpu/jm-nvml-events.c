/* jm-nvml-events.c: the errors that NVIDIA's driver reports, counted
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "sources/gpu/jm-nvml-device-private.h"

/* In one round; those that are left are there in the next. */
#define MAX_EVENTS 64

void
jm_nvml_events_init (JmNvmlEvents *self)
{
  self->xids = g_hash_table_new (NULL, NULL);
}

void
jm_nvml_events_clear (JmNvmlEvents *self)
{
  g_hash_table_unref (self->xids);
}

void
jm_nvml_events_listen (JmNvmlEvents *self, const JmNvmlApi *api, JmNvmlHandle *handle)
{
  JmNvmlEventSet *set = NULL;

  if (api->make_event_set == NULL || api->free_event_set == NULL ||
      api->register_events == NULL || self->set != NULL ||
      api->make_event_set (&set) != JM_NVML_SUCCESS)
    return;

  if (api->register_events (handle, JM_NVML_XID_EVENT, set) == JM_NVML_SUCCESS)
    self->set = set;
  else
    api->free_event_set (set);
}

void
jm_nvml_events_stop (JmNvmlEvents *self, const JmNvmlApi *api)
{
  if (self->set != NULL)
    api->free_event_set (self->set);
  self->set = NULL;
}

gboolean
jm_nvml_events_can_take (const JmNvmlEvents *self, const JmNvmlApi *api)
{
  return self->set != NULL &&
         (api->wait_for_event_2 != NULL || api->wait_for_event != NULL);
}

static int
take (JmNvmlEvents *self, const JmNvmlApi *api, JmNvmlEvent *event)
{
  return api->wait_for_event_2 != NULL ? api->wait_for_event_2 (self->set, event, 0)
                                       : api->wait_for_event (self->set, event, 0);
}

static void
count (JmNvmlEvents *self, guint xid)
{
  guint n = GPOINTER_TO_UINT (g_hash_table_lookup (self->xids, GUINT_TO_POINTER (xid)));

  g_hash_table_insert (self->xids, GUINT_TO_POINTER (xid), GUINT_TO_POINTER (n + 1));
}

int
jm_nvml_events_take (JmNvmlEvents *self, const JmNvmlApi *api)
{
  int result = JM_NVML_SUCCESS;

  for (guint i = 0; i < MAX_EVENTS && result == JM_NVML_SUCCESS; i++)
    {
      JmNvmlEvent event = { 0 };

      result = take (self, api, &event);
      if (result == JM_NVML_SUCCESS && event.type == JM_NVML_XID_EVENT)
        count (self, (guint) event.data);
    }

  return result;
}
