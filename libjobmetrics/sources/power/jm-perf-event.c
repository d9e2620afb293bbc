/* jm-perf-event.c: which energy counters perf has, and how they count
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "core/jm-power-domain-private.h"
#include "sources/power/jm-rapl-perf-source-private.h"

#include <math.h>
#include <string.h>

#include "base/jm-error.h"
#include "base/jm-parse-private.h"
#include "base/jm-path-error-private.h"

#define CONFIG_KEY "event="
/* `format/event` of this PMU: config:0-7 */
#define MAX_CONFIG 0xff

#define UJ_PER_JOULE 1000000
#define MANTISSA_BITS 53
#define FACTOR_BITS 40
#define SMALLEST_SCALE 1e-15
#define MAX_SCALE_LENGTH 48

/* Those of arch/x86/events/rapl.c. What it calls gpu is what powercap calls uncore. */
static const struct
{
  const char *name;
  JmPowerDomain domain;
} kinds[] = {
  { "energy-pkg", JM_POWER_DOMAIN_PACKAGE }, { "energy-cores", JM_POWER_DOMAIN_CORE },
  { "energy-gpu", JM_POWER_DOMAIN_UNCORE },  { "energy-ram", JM_POWER_DOMAIN_DRAM },
  { "energy-psys", JM_POWER_DOMAIN_PSYS },
};

/* psys is that of the whole machine, and is named as powercap has it: without the
 * number of the first package. */
char *
jm_perf_event_name_domain (const JmPerfEvent *self, guint64 package, gint64 die)
{
  const char *name = jm_power_domain_get_name (self->domain);
  gboolean is_platform = self->domain == JM_POWER_DOMAIN_PSYS;
  g_autofree char *domain = NULL;

  if (is_platform && package == 0)
    return g_ref_string_new (name);

  if (die < 0 || is_platform)
    domain = g_strdup_printf ("%s-%" G_GUINT64_FORMAT, name, package);
  else
    domain = g_strdup_printf ("%s-%" G_GUINT64_FORMAT "-die-%" G_GINT64_FORMAT, name,
                              package, die);

  return g_ref_string_new (domain);
}

static gsize
without_newline (const char *text, gsize length)
{
  return length > 0 && text[length - 1] == '\n' ? length - 1 : length;
}

static gboolean
take_hex (const char *digits, gsize length, guint64 *value)
{
  guint64 number = 0;

  for (gsize i = 0; i < length; i++)
    {
      int digit = g_ascii_xdigit_value (digits[i]);

      if (digit < 0 || number > MAX_CONFIG)
        return FALSE;
      number = number * 16 + (guint64) digit;
    }

  *value = number;
  return length > 0;
}

gboolean
jm_perf_parse_config (const char *text, gsize length, guint64 *config)
{
  gsize key = strlen (CONFIG_KEY);
  guint64 value;

  length = without_newline (text, length);
  if (length < key || memcmp (text, CONFIG_KEY, key) != 0)
    return FALSE;

  text += key;
  length -= key;
  if (length > 2 && text[0] == '0' && text[1] == 'x')
    {
      if (!take_hex (text + 2, length - 2, &value))
        return FALSE;
    }
  else if (!jm_parse_uint64 (text, length, &value))
    return FALSE;
  if (value > MAX_CONFIG)
    return FALSE;

  *config = value;
  return TRUE;
}

static gboolean
take_scale (const char *text, gsize length, double *scale)
{
  char copy[MAX_SCALE_LENGTH + 1];
  char *end;

  length = without_newline (text, length);
  if (length == 0 || length > MAX_SCALE_LENGTH)
    return FALSE;
  for (gsize i = 0; i < length; i++)
    if (!g_ascii_isdigit (text[i]) && strchr (".e-+", text[i]) == NULL)
      return FALSE;

  memcpy (copy, text, length);
  copy[length] = '\0';
  *scale = g_ascii_strtod (copy, &end);

  return *end == '\0' && *scale >= SMALLEST_SCALE && *scale <= 1;
}

/* The kernel's 2^-32 joules are 15625 / 2^26 microjoules, without any rounding; no
 * other scale is known, and one is rounded to twelve digits. */
gboolean
jm_perf_parse_scale (const char *text, gsize length, guint64 *factor, guint *shift)
{
  unsigned __int128 product;
  double scale;
  int exponent;
  int bits;

  if (!take_scale (text, length, &scale))
    return FALSE;

  product = (unsigned __int128) ldexp (frexp (scale, &exponent), MANTISSA_BITS);
  product *= UJ_PER_JOULE;
  bits = MANTISSA_BITS - exponent;
  while (bits > 0 && (product % 2 == 0 || product >> FACTOR_BITS != 0))
    {
      product /= 2;
      bits--;
    }

  *factor = (guint64) product;
  *shift = (guint) bits;
  return TRUE;
}

static gssize
read_attribute (JmHost *host,
                const char *event,
                const char *suffix,
                char *text,
                gsize size,
                GError **error)
{
  g_autofree char *path = g_strconcat (JM_PERF_POWER "/events/", event, suffix, NULL);

  return jm_host_read (host, path, text, size, error);
}

static gboolean
refuse (JmHost *host,
        const char *event,
        const char *suffix,
        const char *problem,
        const char *text,
        gsize length,
        GError **error)
{
  g_autofree char *path = g_strconcat (JM_PERF_POWER "/events/", event, suffix, NULL);
  g_autofree char *real = jm_host_resolve (host, path);

  jm_path_error_set_malformed (error, real, problem, text, length);
  return FALSE;
}

static gboolean
read_config (JmPerfEvent *self, JmHost *host, GError **error)
{
  char text[64];
  gssize n = read_attribute (host, self->name, "", text, sizeof text, error);

  if (n < 0)
    return FALSE;
  if (jm_perf_parse_config (text, (gsize) n, &self->config))
    return TRUE;

  return refuse (host, self->name, "", "not an event", text, (gsize) n, error);
}

static gboolean
read_scale (JmPerfEvent *self, JmHost *host, GError **error)
{
  char text[64];
  gssize n = read_attribute (host, self->name, ".scale", text, sizeof text, error);

  if (n < 0)
    return FALSE;
  if (jm_perf_parse_scale (text, (gsize) n, &self->factor, &self->shift))
    return TRUE;

  return refuse (host, self->name, ".scale", "not a scale", text, (gsize) n, error);
}

static gboolean
check_unit (JmPerfEvent *self, JmHost *host, GError **error)
{
  char text[64];
  gssize n = read_attribute (host, self->name, ".unit", text, sizeof text, error);

  if (n < 0)
    return FALSE;
  if (jm_slice_equal ((JmSlice){ text, without_newline (text, (gsize) n) }, "Joules"))
    return TRUE;

  return refuse (host, self->name, ".unit", "not Joules", text, (gsize) n, error);
}

static gboolean
read_event (JmPerfEvent *self, JmHost *host, GError **error)
{
  return read_config (self, host, error) && read_scale (self, host, error) &&
         check_unit (self, host, error);
}

static gboolean
has_event (JmHost *host, const char *name)
{
  g_autofree char *path = g_strconcat (JM_PERF_POWER "/events/", name, NULL);

  return jm_host_exists (host, path);
}

static GArray *
read_events (JmHost *host, GError **problem)
{
  GArray *events = g_array_new (FALSE, FALSE, sizeof (JmPerfEvent));

  for (guint i = 0; i < G_N_ELEMENTS (kinds); i++)
    {
      JmPerfEvent event = { .domain = kinds[i].domain, .name = kinds[i].name };

      if (!has_event (host, event.name))
        continue;
      if (read_event (&event, host, *problem == NULL ? problem : NULL))
        g_array_append_val (events, event);
    }

  return events;
}

static gboolean
has_package (GArray *events)
{
  for (guint i = 0; i < events->len; i++)
    if (g_array_index (events, JmPerfEvent, i).domain == JM_POWER_DOMAIN_PACKAGE)
      return TRUE;

  return FALSE;
}

/* All processors that count, count the package. In a virtual machine of Sapphire Rapids
 * and later there is a psys alone, which Linux offers unseen, and it stays at 0. */
GArray *
jm_perf_find_events (JmHost *host, GError **problem, GError **error)
{
  g_autoptr (GArray) events = NULL;
  g_autofree char *real = NULL;

  g_clear_error (problem);
  events = read_events (host, problem);
  if (has_package (events))
    return g_steal_pointer (&events);

  real = jm_host_resolve (host, JM_PERF_POWER);
  if (*problem != NULL)
    g_propagate_error (error, g_steal_pointer (problem));
  else
    g_set_error (error, JM_ERROR, JM_ERROR_ABSENT, "%s: counts no package", real);

  return NULL;
}
