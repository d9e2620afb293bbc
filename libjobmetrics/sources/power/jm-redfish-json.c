/* jm-redfish-json.c: power out of what BMCs answer
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "sources/power/jm-redfish-parts-private.h"

#include <string.h>

#include "base/jm-error.h"
#include "base/jm-json-private.h"
#include "sources/power/jm-power-bound-private.h"

#define ODATA_ID "@odata.id"
#define NODE "node"
#define UW_PER_WATT 1e6
#define MAX_WATTS 1e9 /* beyond it nothing is reckoned */

/* Kinds of chassis that hold nodes, or are a part of one. */
static const char *const foreign_kinds[] = {
  "Rack",         "Enclosure",  "Shelf",         "Drawer",  "Row",
  "Pod",          "Zone",       "Sidecar",       "Module",  "Card",
  "Cartridge",    "Component",  "Expansion",     "Storage", "StorageEnclosure",
  "IPBasedDrive", "PowerStrip", "HeatExchanger", NULL,
};

/* Words in the name of a reading that is of a part of the node. */
static const char *const part_words[] = { "cpu",     "processor",  "memory",
                                          "dimm",    "gpu",        "fan",
                                          "storage", "sub-system", "subsystem" };

static const char *
get_path (JsonNode *link)
{
  const char *path = jm_json_get_string (link, ODATA_ID);

  /* two slashes would begin the name of another server */
  return path != NULL && path[0] == '/' && path[1] != '/' ? path : NULL;
}

const char *
jm_redfish_get_link (JsonNode *resource, const char *name)
{
  return get_path (jm_json_get (resource, name));
}

GPtrArray *
jm_redfish_list_members (JsonNode *collection)
{
  JsonNode *members = jm_json_get (collection, "Members");
  GPtrArray *paths = g_ptr_array_new_with_free_func (g_free);
  guint n_members = MIN (jm_json_get_length (members), JM_REDFISH_MAX_MEMBERS);

  for (guint i = 0; i < n_members; i++)
    {
      const char *path = get_path (jm_json_get_element (members, i));

      if (path != NULL)
        g_ptr_array_add (paths, g_strdup (path));
    }

  return paths;
}

static gboolean
is_of_node_kind (JsonNode *chassis)
{
  const char *kind = jm_json_get_string (chassis, "ChassisType");

  return kind == NULL || !g_strv_contains (foreign_kinds, kind);
}

static JsonNode *
get_systems (JsonNode *chassis)
{
  return jm_json_get (jm_json_get (chassis, "Links"), "ComputerSystems");
}

static const char *
get_system (JsonNode *chassis, guint i)
{
  const char *path = get_path (jm_json_get_element (get_systems (chassis), i));

  return path != NULL ? path : "";
}

/* Whether all that are chosen hold one and the same computer. */
static gboolean
check_one_system (GPtrArray *chassis, guint64 mask, GError **error)
{
  const char *first = NULL;

  for (guint i = 0; i < chassis->len; i++)
    for (guint j = 0; (mask >> i & 1) != 0 &&
                      j < jm_json_get_length (get_systems (chassis->pdata[i]));
         j++)
      {
        const char *system = get_system (chassis->pdata[i], j);

        if (first == NULL)
          first = system;
        if (!g_str_equal (first, system))
          {
            g_set_error (error, JM_ERROR, JM_ERROR_INVALID,
                         "the BMC knows several computers, such as %s and %s: name "
                         "this node's chassis in the settings",
                         first, system);
            return FALSE;
          }
      }

  return TRUE;
}

static gboolean
is_within_another (GPtrArray *chassis, guint64 mask, guint position)
{
  JsonNode *links = jm_json_get (chassis->pdata[position], "Links");
  const char *holder = jm_redfish_get_link (links, "ContainedBy");

  for (guint i = 0; i < chassis->len && holder != NULL; i++)
    {
      const char *path = get_path (chassis->pdata[i]);

      if (i != position && (mask >> i & 1) != 0 && g_strcmp0 (path, holder) == 0)
        return TRUE;
    }

  return FALSE;
}

static guint64
keep_outermost (GPtrArray *chassis, guint64 mask)
{
  guint64 kept = mask;

  for (guint i = 0; i < chassis->len; i++)
    if (is_within_another (chassis, mask, i))
      kept &= ~(G_GUINT64_CONSTANT (1) << i);

  return kept;
}

gboolean
jm_redfish_choose_chassis (GPtrArray *chassis, guint64 *mask, GError **error)
{
  guint64 of_kind = 0;
  guint64 with_system = 0;

  for (guint i = 0; i < MIN (chassis->len, JM_REDFISH_MAX_MEMBERS); i++)
    {
      guint64 bit = G_GUINT64_CONSTANT (1) << i;

      /* what is alone needs no name */
      if (!is_of_node_kind (chassis->pdata[i]) && chassis->len > 1)
        continue;

      of_kind |= bit;
      if (jm_json_get_length (get_systems (chassis->pdata[i])) > 0)
        with_system |= bit;
    }

  *mask = keep_outermost (chassis, with_system != 0 ? with_system : of_kind);
  if (*mask == 0)
    {
      g_set_error (error, JM_ERROR, JM_ERROR_INVALID,
                   "none of the BMC's chassis is known for a node: name it in the "
                   "settings");
      return FALSE;
    }

  return check_one_system (chassis, *mask, error);
}

gboolean
jm_redfish_is_possible (double watts)
{
  return watts > 0 && watts <= MAX_WATTS &&
         jm_power_is_possible (NODE, (guint64) (watts * UW_PER_WATT + 0.5));
}

gboolean
jm_redfish_read_environment (JsonNode *metrics, double *watts)
{
  return jm_json_get_number (jm_json_get (metrics, "PowerWatts"), "Reading", watts) &&
         jm_redfish_is_possible (*watts);
}

gboolean
jm_redfish_is_at_work (JsonNode *supply)
{
  const char *state = jm_json_get_string (jm_json_get (supply, "Status"), "State");

  return state == NULL || g_str_equal (state, "Enabled") ||
         g_str_equal (state, "StandbySpare");
}

gboolean
jm_redfish_read_supply (JsonNode *metrics, double *watts)
{
  return jm_json_get_number (jm_json_get (metrics, "InputPowerWatts"), "Reading",
                             watts) &&
         (*watts == 0 || jm_redfish_is_possible (*watts));
}

static gboolean
is_named_for_part (JsonNode *control)
{
  const char *name = jm_json_get_string (control, "Name");
  g_autofree char *lower = name != NULL ? g_ascii_strdown (name, -1) : g_strdup ("");

  for (guint i = 0; i < G_N_ELEMENTS (part_words); i++)
    if (strstr (lower, part_words[i]) != NULL)
      return TRUE;

  return FALSE;
}

/* `Chassis` or `Systems` where a path is that of a whole one; else NULL. */
static const char *
get_kind_of_whole (const char *path)
{
  g_auto (GStrv) parts = path != NULL ? g_strsplit (path + 1, "/", -1) : NULL;

  /* redfish, v1, Systems, 1 */
  if (parts == NULL || g_strv_length (parts) < 4 ||
      (parts[4] != NULL && (parts[4][0] != '\0' || parts[5] != NULL)))
    return NULL;

  return g_str_equal (parts[2], "Chassis")   ? "Chassis"
         : g_str_equal (parts[2], "Systems") ? "Systems"
                                             : NULL;
}

/* A reading may name what it is of: a chassis or a system, or something in one. */
static gboolean
names_whole (JsonNode *control, const char *kind)
{
  JsonNode *related = jm_json_get (control, "RelatedItem");
  guint n_related = jm_json_get_length (related);

  for (guint i = 0; i < n_related; i++)
    {
      const char *found =
        get_kind_of_whole (get_path (jm_json_get_element (related, i)));

      if (found != NULL && (kind == NULL || g_str_equal (found, kind)))
        return TRUE;
    }

  return n_related == 0 && kind == NULL;
}

/* The length of a path without a slash at its end, which some links have. */
static gsize
measure_path (const char *path)
{
  gsize length = strlen (path);

  return length > 1 && path[length - 1] == '/' ? length - 1 : length;
}

/* A twin's chassis has the controls of both systems, and links to this one. */
static gboolean
names_system_of (JsonNode *control, JsonNode *chassis)
{
  JsonNode *related = jm_json_get (control, "RelatedItem");
  guint n_related = MIN (jm_json_get_length (related), JM_REDFISH_MAX_MEMBERS);
  guint n_systems =
    MIN (jm_json_get_length (get_systems (chassis)), JM_REDFISH_MAX_MEMBERS);

  for (guint i = 0; i < n_related; i++)
    for (guint j = 0; j < n_systems; j++)
      {
        const char *path = get_path (jm_json_get_element (related, i));
        const char *system = get_system (chassis, j);

        if (path != NULL && measure_path (path) == measure_path (system) &&
            strncmp (path, system, measure_path (system)) == 0)
          return TRUE;
      }

  return FALSE;
}

/* What a control is about, each nearer to the node than the one before. */
typedef enum
{
  ABOUT_PART,
  ABOUT_WHOLE,
  ABOUT_SYSTEM,
  ABOUT_OWN_SYSTEM,
} About;

static About
get_about (JsonNode *control, JsonNode *chassis)
{
  if (is_named_for_part (control) || !names_whole (control, NULL))
    return ABOUT_PART;
  if (!names_whole (control, "Systems"))
    return ABOUT_WHOLE;

  return names_system_of (control, chassis) ? ABOUT_OWN_SYSTEM : ABOUT_SYSTEM;
}

/* All of the node's power controls or none: a part of the sum is not the node. Where
 * some name the system, the others are of the chassis that it shares, and contain it.
 */
static gboolean
read_controls (JsonNode *controls, JsonNode *chassis, double *watts)
{
  guint n_controls = jm_json_get_length (controls);
  About nearest = ABOUT_WHOLE;
  double sum = 0;

  for (guint i = 0; i < n_controls; i++)
    nearest = MAX (nearest, get_about (jm_json_get_element (controls, i), chassis));

  for (guint i = 0; i < n_controls; i++)
    {
      JsonNode *control = jm_json_get_element (controls, i);
      double part;

      if (n_controls > 1 && get_about (control, chassis) != nearest)
        continue;
      if (!jm_json_get_number (control, "PowerConsumedWatts", &part) ||
          !jm_redfish_is_possible (part))
        return FALSE;
      sum += part;
    }
  *watts = sum;

  return jm_redfish_is_possible (sum);
}

/* As the first BMCs had it. */
static gboolean
read_total (JsonNode *power, double *watts)
{
  return jm_json_get_number (power, "PowerConsumedWatts", watts) &&
         jm_redfish_is_possible (*watts);
}

/* What makers have in a place of their own. */
static gboolean
read_oem (JsonNode *power, double *watts)
{
  JsonNode *fujitsu = jm_json_get (jm_json_get (power, "Oem"), "ts_fujitsu");

  return jm_json_get_number (jm_json_get (fujitsu, "ChassisPowerConsumption"),
                             "CurrentPowerConsumptionW", watts) &&
         jm_redfish_is_possible (*watts);
}

static gboolean
sum_supplies (JsonNode *supplies, double *watts)
{
  double sum = 0;

  for (guint i = 0; i < jm_json_get_length (supplies); i++)
    {
      JsonNode *supply = jm_json_get_element (supplies, i);
      double part;

      if (!jm_redfish_is_at_work (supply))
        continue;
      if (!jm_json_get_number (supply, "PowerInputWatts", &part) ||
          !(part == 0 || jm_redfish_is_possible (part)))
        return FALSE;
      sum += part;
    }
  *watts = sum;

  return jm_redfish_is_possible (sum);
}

gboolean
jm_redfish_read_power (JsonNode *power, JsonNode *chassis, double *watts)
{
  return read_controls (jm_json_get (power, "PowerControl"), chassis, watts) ||
         read_total (power, watts) || read_oem (power, watts) ||
         sum_supplies (jm_json_get (power, "PowerSupplies"), watts);
}
