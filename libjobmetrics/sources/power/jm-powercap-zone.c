/* jm-powercap-zone.c: which energy counters powercap has, and of what
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "sources/power/jm-rapl-powercap-source-private.h"

#include "base/jm-error.h"
#include "base/jm-path-error-private.h"
#include "core/jm-power-domain-private.h"
#include "sources/power/jm-cpu-maker-private.h"
#include "sources/power/jm-energy-counter-private.h"

#define CONTROL_TYPE "intel-rapl"
#define MMIO "-mmio"
#define PACKAGE "package-"

#define NAME_MAX_LENGTH 40
#define MAX_INDEX 65535
#define N_CONSTRAINTS 3

static gboolean
take_prefix (const char **cursor, const char *prefix)
{
  if (!g_str_has_prefix (*cursor, prefix))
    return FALSE;

  *cursor += strlen (prefix);
  return TRUE;
}

static gboolean
take_index (const char **cursor, guint *index)
{
  guint value = 0;
  const char *p = *cursor;

  if (*p != ':')
    return FALSE;
  for (p++; g_ascii_isdigit (*p) && value <= MAX_INDEX; p++)
    value = value * 10 + (guint) g_ascii_digit_value (*p);
  if (p[-1] == ':' || value > MAX_INDEX)
    return FALSE;

  *cursor = p;
  *index = value;
  return TRUE;
}

gboolean
jm_powercap_parse_address (const char *directory, JmPowercapAddress *address)
{
  const char *cursor = directory;
  JmPowercapAddress found = { 0 };

  if (!take_prefix (&cursor, CONTROL_TYPE))
    return FALSE;
  found.is_mmio = take_prefix (&cursor, MMIO);
  if (!take_index (&cursor, &found.parent))
    return FALSE;
  found.is_child = take_index (&cursor, &found.child);
  if (*cursor != '\0')
    return FALSE;

  *address = found;
  return TRUE;
}

static gboolean
is_name (JmSlice name)
{
  if (name.length == 0 || name.length > NAME_MAX_LENGTH)
    return FALSE;
  for (gsize i = 0; i < name.length; i++)
    if (!g_ascii_isalnum (name.text[i]) && name.text[i] != '-' && name.text[i] != '_')
      return FALSE;

  return TRUE;
}

char *
jm_powercap_name_domain (JmSlice name, const JmSlice *parent)
{
  gsize skipped = strlen (PACKAGE) - 1;
  char domain[2 * NAME_MAX_LENGTH + 1];

  if (!is_name (name))
    return NULL;
  if (parent == NULL)
    return g_ref_string_new_len (name.text, (gssize) name.length);

  /* `dram` within `package-1` is `dram-1` */
  if (!is_name (*parent) || parent->length <= strlen (PACKAGE) ||
      strncmp (parent->text, PACKAGE, strlen (PACKAGE)) != 0)
    return NULL;

  g_snprintf (domain, sizeof domain, "%.*s%.*s", (int) name.length, name.text,
              (int) (parent->length - skipped), parent->text + skipped);
  return g_ref_string_new (domain);
}

static char *
get_path (const JmPowercapAddress *address, const char *file)
{
  const char *type = address->is_mmio ? CONTROL_TYPE MMIO : CONTROL_TYPE;

  if (address->is_child)
    return g_strdup_printf (JM_POWERCAP_CLASS "/%s:%u:%u/%s", type, address->parent,
                            address->child, file);

  return g_strdup_printf (JM_POWERCAP_CLASS "/%s:%u/%s", type, address->parent, file);
}

static gboolean
read_name (JmHost *host,
           const JmPowercapAddress *address,
           char *text,
           gsize size,
           JmSlice *name,
           GError **error)
{
  g_autofree char *path = get_path (address, "name");
  gssize n = jm_host_read (host, path, text, size, error);

  if (n < 0)
    return FALSE;

  *name = (JmSlice){ text, (gsize) n };
  if (n > 0 && text[n - 1] == '\n')
    name->length--;

  return TRUE;
}

static char *
read_domain (JmHost *host, const JmPowercapAddress *address, GError **error)
{
  JmPowercapAddress above = { address->is_mmio, address->parent, FALSE, 0 };
  char text[256];
  char parent_text[256];
  JmSlice name, parent;
  g_autofree char *path = NULL;
  g_autofree char *real = NULL;
  char *domain;

  if (!read_name (host, address, text, sizeof text, &name, error))
    return NULL;
  if (address->is_child &&
      !read_name (host, &above, parent_text, sizeof parent_text, &parent, error))
    return NULL;

  domain = jm_powercap_name_domain (name, address->is_child ? &parent : NULL);
  if (domain == NULL)
    {
      path = get_path (address, "name");
      real = jm_host_resolve (host, path);
      jm_path_error_set_malformed (error, real, "not the name of a zone", name.text,
                                   name.length);
    }

  return domain;
}

/* The highest limit that is set, 0 where there is none. Of what is not set or makes
 * no sense nothing is said: the ceiling only distinguishes a wrap from a reset. */
static guint64
read_highest_limit (JmHost *host, const JmPowercapAddress *address)
{
  static const char *const names[] = { "max_power_uw", "power_limit_uw" };
  guint64 highest = 0;

  for (guint i = 0; i < N_CONSTRAINTS; i++)
    for (guint j = 0; j < G_N_ELEMENTS (names); j++)
      {
        g_autofree char *file = g_strdup_printf ("constraint_%u_%s", i, names[j]);
        g_autofree char *path = get_path (address, file);
        guint64 limit;

        if (jm_host_read_uint64 (host, path, &limit, NULL))
          highest = MAX (highest, limit);
      }

  return highest;
}

/* A limit that is off may be far too low, and one that limits nothing far too high. */
static guint64
read_ceiling (JmHost *host, const JmPowercapAddress *address, const char *domain)
{
  guint number, die;
  guint64 usual =
    jm_energy_get_ceiling_uw (jm_power_domain_from_name (domain, &number, &die));
  guint64 highest = read_highest_limit (host, address);

  return highest == 0 || highest > 2 * usual ? usual : MAX (highest, usual / 4);
}

static gboolean
read_max (JmHost *host, const JmPowercapAddress *address, guint64 *max, GError **error)
{
  g_autofree char *path = get_path (address, "max_energy_range_uj");
  g_autofree char *real = NULL;

  if (!jm_host_read_uint64 (host, path, max, error))
    return FALSE;
  if (*max > 0)
    return TRUE;

  real = jm_host_resolve (host, path);
  jm_path_error_set_malformed (error, real, "not a range", "0", 1);
  return FALSE;
}

static gboolean
zone_read (JmPowercapZone *self,
           JmHost *host,
           const JmPowercapAddress *address,
           GError **error)
{
  char *domain = read_domain (host, address, error);

  if (domain == NULL)
    return FALSE;

  *self = (JmPowercapZone){ .address = *address,
                            .domain = domain,
                            .path = get_path (address, "energy_uj"),
                            .ceiling_uw = read_ceiling (host, address, domain) };
  if (!read_max (host, address, &self->max_uj, &self->problem))
    self->max_uj = 0;

  return TRUE;
}

static void
zone_clear (gpointer zone)
{
  JmPowercapZone *self = zone;

  g_clear_pointer (&self->domain, g_ref_string_release);
  g_clear_pointer (&self->path, g_free);
  g_clear_error (&self->problem);
}

static int
compare_addresses (gconstpointer a, gconstpointer b)
{
  const JmPowercapAddress *one = a;
  const JmPowercapAddress *other = b;

  if (one->is_mmio != other->is_mmio)
    return one->is_mmio - other->is_mmio;
  if (one->parent != other->parent)
    return one->parent < other->parent ? -1 : 1;
  if (one->is_child != other->is_child)
    return one->is_child - other->is_child;

  return one->child < other->child ? -1 : one->child > other->child;
}

static GArray *
list_addresses (JmHost *host, GError **error)
{
  g_auto (GStrv) names = jm_host_list_dir (host, JM_POWERCAP_CLASS, error);
  GArray *addresses;

  if (names == NULL)
    return NULL;

  addresses = g_array_new (FALSE, FALSE, sizeof (JmPowercapAddress));
  for (guint i = 0; names[i] != NULL; i++)
    {
      JmPowercapAddress address;

      if (jm_powercap_parse_address (names[i], &address))
        g_array_append_val (addresses, address);
    }

  g_array_sort (addresses, compare_addresses);
  return addresses;
}

/* On such processors the driver offers the package's counter again for each die
 * (Linux 6.9 to 6.11), and as `core` that of a single core. */
static gboolean
correct_by_package (JmPowercapZone *zone)
{
  char *die = strstr (zone->domain, "-die-");
  char *package;

  if (zone->address.is_child)
    return FALSE;
  if (die == NULL)
    return TRUE;

  package = g_ref_string_new_len (zone->domain, die - zone->domain);
  g_ref_string_release (zone->domain);
  zone->domain = package;
  return TRUE;
}

static JmPowercapZone *
find_domain (GArray *zones, const char *domain)
{
  for (guint i = 0; i < zones->len; i++)
    if (g_str_equal (g_array_index (zones, JmPowercapZone, i).domain, domain))
      return &g_array_index (zones, JmPowercapZone, i);

  return NULL;
}

/* Of several ways to one domain the first that leads there is taken. */
static void
add_zone (GArray *zones, JmPowercapZone *zone)
{
  JmPowercapZone *known = find_domain (zones, zone->domain);

  if (known == NULL)
    {
      g_array_append_vals (zones, zone, 1);
      return;
    }

  if (known->problem != NULL && zone->problem == NULL)
    {
      JmPowercapZone broken = *known;

      *known = *zone;
      *zone = broken;
    }
  zone_clear (zone);
}

static void
note (GError **problem, GError *error)
{
  if (*problem == NULL)
    *problem = error;
  else
    g_error_free (error);
}

static GArray *
read_zones (JmHost *host, GArray *addresses, GError **problem)
{
  gboolean is_by_package = jm_cpu_counts_by_package (host);
  GArray *zones = g_array_new (FALSE, FALSE, sizeof (JmPowercapZone));

  g_array_set_clear_func (zones, zone_clear);
  for (guint i = 0; i < addresses->len; i++)
    {
      GError *error = NULL;
      JmPowercapZone zone;

      if (!zone_read (&zone, host, &g_array_index (addresses, JmPowercapAddress, i),
                      &error))
        note (problem, error);
      else if (is_by_package && !correct_by_package (&zone))
        zone_clear (&zone);
      else
        add_zone (zones, &zone);
    }

  return zones;
}

/* Containers cover /sys/devices/virtual/powercap, and the links of the class then lead
 * nowhere. */
static void
set_hidden (JmHost *host, GError **error)
{
  g_autofree char *real = jm_host_resolve (host, JM_POWERCAP_CLASS);

  g_set_error (error, JM_ERROR, JM_ERROR_DENIED,
               "%s: its zones lead nowhere; a container may hide them", real);
}

GArray *
jm_powercap_find_zones (JmHost *host, GError **problem, GError **error)
{
  g_autoptr (GArray) addresses = list_addresses (host, error);
  g_autoptr (GArray) zones = NULL;
  g_autoptr (GError) local_problem = NULL;
  g_autofree char *real = NULL;

  if (addresses == NULL)
    return NULL;

  zones = read_zones (host, addresses, &local_problem);
  if (zones->len > 0)
    {
      *problem = g_steal_pointer (&local_problem);
      return g_steal_pointer (&zones);
    }

  real = jm_host_resolve (host, JM_POWERCAP_CLASS);
  if (g_error_matches (local_problem, JM_ERROR, JM_ERROR_ABSENT))
    set_hidden (host, error);
  else if (local_problem != NULL)
    g_propagate_error (error, g_steal_pointer (&local_problem));
  else
    g_set_error (error, JM_ERROR, JM_ERROR_ABSENT, "%s: no RAPL zone there", real);

  return NULL;
}
