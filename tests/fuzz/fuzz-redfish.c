/* fuzz-redfish.c: what BMCs answer, in any shape
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include "base/jm-json-private.h"
#include "sources/power/jm-redfish-parts-private.h"

int LLVMFuzzerTestOneInput (const guint8 *data, gsize size);

static void
try_resource (JsonNode *node)
{
  g_autoptr (GPtrArray) members = jm_redfish_list_members (node);
  const char *link = jm_redfish_get_link (node, "Power");
  double watts;

  g_assert_cmpuint (members->len, <=, JM_REDFISH_MAX_MEMBERS);
  g_assert_true (link == NULL || link[0] == '/');
  if (jm_redfish_read_environment (node, &watts))
    g_assert_true (jm_redfish_is_possible (watts));
  if (jm_redfish_read_power (node, node, &watts))
    g_assert_true (jm_redfish_is_possible (watts));
  if (jm_redfish_is_at_work (node) && jm_redfish_read_supply (node, &watts))
    g_assert_cmpfloat (watts, >=, 0);
}

/* The start files are objects of many resources. */
static void
try_chassis (JsonNode *root)
{
  g_autoptr (GPtrArray) chassis = g_ptr_array_new ();
  g_autoptr (GError) error = NULL;
  g_autoptr (GList) values = NULL;
  guint64 mask;

  if (JSON_NODE_HOLDS_OBJECT (root))
    values = json_object_get_values (json_node_get_object (root));
  for (GList *l = values; l != NULL; l = l->next)
    {
      try_resource (l->data);
      g_ptr_array_add (chassis, l->data);
    }

  if (jm_redfish_choose_chassis (chassis, &mask, &error))
    g_assert_cmpuint (mask, !=, 0);
  else
    g_assert_nonnull (error);
}

int
LLVMFuzzerTestOneInput (const guint8 *data, gsize size)
{
  g_autoptr (JsonNode) root = jm_json_parse ((const char *) data, size);

  if (root != NULL)
    {
      try_resource (root);
      try_chassis (root);
    }

  return 0;
}
