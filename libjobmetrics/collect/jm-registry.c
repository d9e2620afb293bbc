/* jm-registry.c: sources by the names that administrators call them
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "collect/jm-registry-private.h"

#include <string.h>

#include "core/jm-error.h"
#include "sources/emissions/jm-electricity-maps-provider.h"
#include "sources/emissions/jm-fixed-provider.h"
#include "sources/emissions/jm-global-provider.h"
#include "sources/emissions/jm-owid-provider.h"
#include "sources/emissions/jm-rte-provider.h"
#include "sources/emissions/jm-uk-carbon-intensity-provider.h"
#include "sources/emissions/jm-watt-time-provider.h"
#include "sources/power/jm-command-source.h"
#include "sources/power/jm-cray-pm-source.h"
#include "sources/power/jm-estimate-source.h"
#include "sources/power/jm-file-source.h"
#include "sources/power/jm-hsmp-source.h"
#include "sources/power/jm-hwmon-source.h"
#include "sources/power/jm-ipmi-command-source.h"
#include "sources/power/jm-ipmi-source.h"
#include "sources/power/jm-rapl-perf-source.h"
#include "sources/power/jm-rapl-powercap-source.h"
#include "sources/power/jm-redfish-source.h"

/* What a source is to jobmetrics. */
typedef struct
{
  JmRegistryKind kind;
  const char *name;
  GType (*get_type) (void);
  gboolean is_found; /* tried on every node, without being asked for */
  const char *group; /* of those in one, the first that opens is enough */
} Entry;

/* The best first: it is the one whose figures are attributed. A new source is a line.
 */
static const Entry entries[] = {
  { JM_REGISTRY_POWER, "rapl-perf", jm_rapl_perf_source_get_type, TRUE, "rapl" },
  { JM_REGISTRY_POWER, "rapl-powercap", jm_rapl_powercap_source_get_type, TRUE,
    "rapl" },
  { JM_REGISTRY_POWER, "hsmp", jm_hsmp_source_get_type, TRUE, NULL },
  { JM_REGISTRY_POWER, "cray", jm_cray_pm_source_get_type, TRUE, NULL },
  { JM_REGISTRY_POWER, "hwmon", jm_hwmon_source_get_type, TRUE, NULL },
  { JM_REGISTRY_POWER, "ipmi", jm_ipmi_source_get_type, TRUE, "ipmi" },
  { JM_REGISTRY_POWER, "ipmi-command", jm_ipmi_command_source_get_type, FALSE, NULL },
  { JM_REGISTRY_POWER, "redfish", jm_redfish_source_get_type, FALSE, NULL },
  { JM_REGISTRY_POWER, "command", jm_command_source_get_type, FALSE, NULL },
  { JM_REGISTRY_POWER, "file", jm_file_source_get_type, FALSE, NULL },
  { JM_REGISTRY_POWER, "estimate", jm_estimate_source_get_type, FALSE, NULL },
  { JM_REGISTRY_EMISSIONS, "owid", jm_owid_provider_get_type, FALSE, NULL },
  { JM_REGISTRY_EMISSIONS, "global", jm_global_provider_get_type, FALSE, NULL },
  { JM_REGISTRY_EMISSIONS, "fixed", jm_fixed_provider_get_type, FALSE, NULL },
  { JM_REGISTRY_EMISSIONS, "rte", jm_rte_provider_get_type, FALSE, NULL },
  { JM_REGISTRY_EMISSIONS, "electricity-maps", jm_electricity_maps_provider_get_type,
    FALSE, NULL },
  { JM_REGISTRY_EMISSIONS, "watttime", jm_watt_time_provider_get_type, FALSE, NULL },
  { JM_REGISTRY_EMISSIONS, "uk-carbon-intensity",
    jm_uk_carbon_intensity_provider_get_type, FALSE, NULL },
};

#define MAX_PROPERTIES 16

/* The properties that a specification gives. */
typedef struct
{
  guint n;
  const char *names[MAX_PROPERTIES];
  GValue values[MAX_PROPERTIES];
} Settings;

/* --- named sources --- */

JmNamedSource *
jm_named_source_new (const char *name, JmSource *source)
{
  JmNamedSource *self = g_new0 (JmNamedSource, 1);

  self->name = g_strdup (name);
  self->source = g_object_ref (source);

  return self;
}

gboolean
jm_named_source_open (JmNamedSource *self, GError **error)
{
  self->is_open = g_initable_init (G_INITABLE (self->source), NULL, error);

  return self->is_open;
}

void
jm_named_source_free (JmNamedSource *self)
{
  g_object_unref (self->source);
  g_free (self->name);
  g_free (self);
}

/* --- specifications --- */

static void
settings_clear (Settings *self)
{
  for (guint i = 0; i < self->n; i++)
    g_value_unset (&self->values[i]);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Settings, settings_clear)

static gboolean
refuse (GError **error, const char *specification, const char *what, const char *value)
{
  g_set_error (error, JM_ERROR, JM_ERROR_INVALID, "%s: %s: %s", specification, what,
               value);

  return FALSE;
}

/* Takes a value up to the next comma; between quotes, up to the closing one. */
static char *
take_value (const char **cursor)
{
  g_autoptr (GString) value = g_string_new (NULL);
  gboolean is_quoted = FALSE;
  const char *p = *cursor;

  for (; *p != '\0' && (is_quoted || *p != ','); p++)
    if (*p == '"')
      is_quoted = !is_quoted;
    else if (*p == '\\' && is_quoted && p[1] != '\0')
      g_string_append_c (value, *++p);
    else
      g_string_append_c (value, *p);

  *cursor = p;
  if (is_quoted)
    return NULL;

  return g_string_free (g_steal_pointer (&value), FALSE);
}

static gboolean
parse_boolean (const char *text, gboolean *value)
{
  *value = g_str_equal (text, "true") || g_str_equal (text, "yes");

  return *value || g_str_equal (text, "false") || g_str_equal (text, "no");
}

/* Of the types that sources' properties have, and within the bounds of the property. */
static gboolean
parse_value (GParamSpec *pspec, const char *text, GValue *value)
{
  guint64 number;
  gboolean flag;
  char *end;

  g_value_init (value, pspec->value_type);
  switch (G_TYPE_FUNDAMENTAL (pspec->value_type))
    {
    case G_TYPE_STRING:
      g_value_set_string (value, text);
      return TRUE;
    case G_TYPE_UINT:
      if (!g_ascii_string_to_unsigned (text, 10, 0, G_MAXUINT, &number, NULL))
        return FALSE;
      g_value_set_uint (value, (guint) number);
      break;
    case G_TYPE_BOOLEAN:
      if (!parse_boolean (text, &flag))
        return FALSE;
      g_value_set_boolean (value, flag);
      break;
    case G_TYPE_DOUBLE:
      g_value_set_double (value, g_ascii_strtod (text, &end));
      if (end == text || *end != '\0')
        return FALSE;
      break;
    default:
      return FALSE;
    }

  /* TRUE if it had to be changed */
  return !g_param_value_validate (pspec, value);
}

static char *
list_properties (GObjectClass *klass)
{
  g_autoptr (GString) names = g_string_new (NULL);
  g_autofree GParamSpec **pspecs = NULL;
  guint n;

  pspecs = g_object_class_list_properties (klass, &n);
  for (guint i = 0; i < n; i++)
    if (pspecs[i]->owner_type != JM_TYPE_SOURCE)
      g_string_append_printf (names, "%s%s", names->len > 0 ? ", " : "",
                              pspecs[i]->name);

  return g_string_free (g_steal_pointer (&names), FALSE);
}

static gboolean
refuse_property (GError **error,
                 const char *specification,
                 const char *name,
                 GObjectClass *klass)
{
  g_autofree char *names = list_properties (klass);

  g_set_error (error, JM_ERROR, JM_ERROR_INVALID, "%s: no such property: %s%s%s",
               specification, name, names[0] != '\0' ? "; there is " : "", names);

  return FALSE;
}

static gboolean
add_setting (Settings *self,
             GObjectClass *klass,
             const char *specification,
             const char *name,
             const char *text,
             GError **error)
{
  GParamSpec *pspec = g_object_class_find_property (klass, name);

  if (pspec == NULL || pspec->owner_type == JM_TYPE_SOURCE)
    return refuse_property (error, specification, name, klass);
  if (self->n == MAX_PROPERTIES)
    return refuse (error, specification, "too many properties", name);

  self->names[self->n] = pspec->name;
  if (parse_value (pspec, text, &self->values[self->n++]))
    return TRUE;

  g_set_error (error, JM_ERROR, JM_ERROR_INVALID, "%s: not a value of %s: %s",
               specification, pspec->name, text);

  return FALSE;
}

/* Parses `,NAME=VALUE` as often as it comes. */
static gboolean
parse_settings (Settings *self,
                GObjectClass *klass,
                const char *specification,
                const char *cursor,
                GError **error)
{
  while (*cursor == ',')
    {
      const char *equals = strchr (++cursor, '=');
      g_autofree char *name = NULL;
      g_autofree char *value = NULL;

      if (equals == NULL)
        return refuse (error, specification, "not NAME=VALUE", cursor);

      name = g_strndup (cursor, (gsize) (equals - cursor));
      cursor = equals + 1;
      value = take_value (&cursor);
      if (value == NULL)
        return refuse (error, specification, "a quote that does not end", name);
      if (!add_setting (self, klass, specification, name, value, error))
        return FALSE;
    }

  return TRUE;
}

static const Entry *
find_entry (JmRegistryKind kind, const char *name, gsize length)
{
  for (guint i = 0; i < G_N_ELEMENTS (entries); i++)
    if (entries[i].kind == kind && strlen (entries[i].name) == length &&
        memcmp (entries[i].name, name, length) == 0)
      return &entries[i];

  return NULL;
}

static gboolean
refuse_name (GError **error, JmRegistryKind kind, const char *specification)
{
  g_autoptr (GString) names = g_string_new (NULL);

  for (guint i = 0; i < G_N_ELEMENTS (entries); i++)
    if (entries[i].kind == kind)
      g_string_append_printf (names, "%s%s", names->len > 0 ? ", " : "",
                              entries[i].name);

  return refuse (error, specification, "not one of those that there are", names->str);
}

static JmNamedSource *
make_entry (const Entry *entry, JmHost *host, Settings *settings)
{
  g_autoptr (GObject) source = NULL;
  const char *names[MAX_PROPERTIES + 1] = { "host" };
  GValue values[MAX_PROPERTIES + 1] = { G_VALUE_INIT };

  g_value_init (&values[0], JM_TYPE_HOST);
  g_value_set_object (&values[0], host);
  for (guint i = 0; settings != NULL && i < settings->n; i++)
    {
      names[i + 1] = settings->names[i];
      values[i + 1] = settings->values[i];
    }

  source = g_object_new_with_properties (entry->get_type (),
                                         settings != NULL ? settings->n + 1 : 1, names,
                                         values);
  g_value_unset (&values[0]);

  return jm_named_source_new (entry->name, JM_SOURCE (source));
}

static JmNamedSource *
open_entry (const Entry *entry, JmHost *host, GError **error)
{
  g_autoptr (JmNamedSource) named = make_entry (entry, host, NULL);

  if (!jm_named_source_open (named, error))
    return NULL;

  return g_steal_pointer (&named);
}

JmNamedSource *
jm_registry_make (JmRegistryKind kind,
                  const char *specification,
                  JmHost *host,
                  GError **error)
{
  gsize length = strcspn (specification, ",");
  const Entry *entry = find_entry (kind, specification, length);
  g_autoptr (GTypeClass) klass = NULL;
  g_auto (Settings) settings = { 0 };

  if (entry == NULL)
    {
      refuse_name (error, kind, specification);
      return NULL;
    }

  klass = g_type_class_ref (entry->get_type ());
  if (!parse_settings (&settings, G_OBJECT_CLASS (klass), specification,
                       specification + length, error))
    return NULL;

  return make_entry (entry, host, &settings);
}

JmNamedSource *
jm_registry_open (JmRegistryKind kind,
                  const char *specification,
                  JmHost *host,
                  GError **error)
{
  g_autoptr (JmNamedSource) named = jm_registry_make (kind, specification, host, error);

  if (named == NULL || !jm_named_source_open (named, error))
    return NULL;

  return g_steal_pointer (&named);
}

/* --- what a host has --- */

/* Why an entry could not be opened. */
typedef struct
{
  const Entry *entry;
  GError *error;
} Failure;

static void
failure_clear (gpointer failure)
{
  g_clear_error (&((Failure *) failure)->error);
}

static gboolean
is_told_already (GPtrArray *groups, const Entry *entry)
{
  return entry->group != NULL &&
         g_ptr_array_find_with_equal_func (groups, entry->group, g_str_equal, NULL);
}

static void
open_found (const Entry *entry,
            JmHost *host,
            GPtrArray *sources,
            GPtrArray *groups,
            GArray *failures)
{
  Failure failure = { entry, NULL };
  JmNamedSource *source = open_entry (entry, host, &failure.error);

  if (source == NULL)
    {
      g_array_append_val (failures, failure);
      return;
    }

  g_ptr_array_add (sources, source);
  if (entry->group != NULL)
    g_ptr_array_add (groups, (gpointer) entry->group);
}

void
jm_registry_open_found (JmRegistryKind kind,
                        JmHost *host,
                        GPtrArray *sources,
                        GPtrArray *problems)
{
  g_autoptr (GPtrArray) groups = g_ptr_array_new ();
  g_autoptr (GArray) failures = g_array_new (FALSE, FALSE, sizeof (Failure));

  g_array_set_clear_func (failures, failure_clear);
  for (guint i = 0; i < G_N_ELEMENTS (entries); i++)
    if (entries[i].kind == kind && entries[i].is_found &&
        !is_told_already (groups, &entries[i]))
      open_found (&entries[i], host, sources, groups, failures);

  /* what another tells, too, is not missed */
  for (guint i = 0; i < failures->len; i++)
    {
      Failure *failure = &g_array_index (failures, Failure, i);

      if (!is_told_already (groups, failure->entry) &&
          !g_error_matches (failure->error, JM_ERROR, JM_ERROR_ABSENT))
        g_ptr_array_add (problems, g_steal_pointer (&failure->error));
    }
}
