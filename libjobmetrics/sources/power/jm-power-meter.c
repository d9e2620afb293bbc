/* jm-power-meter.c: a site's own meter, from one reading to the next
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "sources/power/jm-power-meter-private.h"

#include "base/jm-error.h"
#include "core/jm-power-domain-private.h"
#include "sources/power/jm-power-bound-private.h"

#define DEFAULT_DOMAIN "node"

struct _JmPowerMeter
{
  char *what;
  char *domain;
  const JmPowerUnit *unit;
  guint64 range_uj;     /* 0 if not known */
  GHashTable *counters; /* of Counter, by domain */
};

typedef struct
{
  guint64 raw_uj;
  guint64 total_uj;
  gint64 changed_us;
  guint64 first_uj;
  gint64 first_us;
} Counter;

static JmSlice
as_slice (const char *text)
{
  return (JmSlice){ text, strlen (text) };
}

static gboolean
set_domain (JmPowerMeter *self, const char *domain, GError **error)
{
  self->domain = g_strdup (domain != NULL ? domain : DEFAULT_DOMAIN);
  if (jm_power_domain_name_is_valid (as_slice (self->domain)))
    return TRUE;

  g_set_error (error, JM_ERROR, JM_ERROR_INVALID,
               "domain: has letters, digits and -_.: alone: %s", domain);
  return FALSE;
}

static gboolean
set_unit (JmPowerMeter *self, const char *unit, GError **error)
{
  if (unit == NULL)
    return TRUE;

  self->unit = jm_power_unit_find (as_slice (unit));
  if (self->unit != NULL)
    return TRUE;

  g_set_error (error, JM_ERROR, JM_ERROR_INVALID,
               "unit: is " JM_POWER_UNIT_NAMES ": %s", unit);
  return FALSE;
}

static gboolean
set_range (JmPowerMeter *self, const char *range, GError **error)
{
  const JmPowerUnit *unit = self->unit;
  const char *cursor = range;
  JmSlice number, name;

  if (range == NULL)
    return TRUE;

  if (jm_parse_next_word (&cursor, range + strlen (range), &number))
    {
      if (jm_parse_next_word (&cursor, range + strlen (range), &name))
        unit = jm_power_unit_find (name);
      if (unit != NULL && unit->is_energy && *cursor == '\0' &&
          jm_power_quantity_parse (number, unit, &self->range_uj) && self->range_uj > 0)
        return TRUE;
    }

  g_set_error (error, JM_ERROR, JM_ERROR_INVALID,
               "range: is an energy with its unit, such as 65536 J: %s", range);
  return FALSE;
}

JmPowerMeter *
jm_power_meter_new (const JmPowerMeterSettings *settings,
                    const char *what,
                    GError **error)
{
  g_autoptr (JmPowerMeter) self = g_new0 (JmPowerMeter, 1);

  self->what = g_strdup (what);
  self->counters = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_free);
  if (!set_domain (self, settings->domain, error) ||
      !set_unit (self, settings->unit, error) ||
      !set_range (self, settings->range, error))
    return NULL;

  return g_steal_pointer (&self);
}

void
jm_power_meter_free (JmPowerMeter *self)
{
  g_hash_table_unref (self->counters);
  g_free (self->domain);
  g_free (self->what);
  g_free (self);
}

/* Why a domain is left out. */
static void G_GNUC_PRINTF (5, 6) leave_out (JmPowerMeter *self,
                                            JmPowerAnswer *answer,
                                            const char *domain,
                                            JmError code,
                                            const char *format,
                                            ...)
{
  g_autofree char *problem = NULL;
  va_list arguments;

  va_start (arguments, format);
  problem = g_strdup_vprintf (format, arguments);
  va_end (arguments);

  jm_power_answer_take_problem (answer, g_error_new (JM_ERROR, (int) code, "%s: %s: %s",
                                                     self->what, domain, problem));
}

static gboolean
is_of_whole_node (const char *domain)
{
  guint number, die;
  JmPowerDomain kind = jm_power_domain_from_name (domain, &number, &die);

  return kind == JM_POWER_DOMAIN_NODE || kind == JM_POWER_DOMAIN_PSYS;
}

static void
take_power (JmPowerMeter *self,
            JmPowerAnswer *answer,
            const char *domain,
            guint64 power_uw)
{
  if (power_uw == 0 && is_of_whole_node (domain))
    leave_out (self, answer, domain, JM_ERROR_UNAVAILABLE, "0 W is no reading");
  else if (!jm_power_is_possible (domain, power_uw))
    leave_out (self, answer, domain, JM_ERROR_MALFORMED,
               "%" G_GUINT64_FORMAT " uW, which cannot be", power_uw);
  else
    jm_power_answer_add_power (answer, domain, power_uw);
}

/* NULL if there are too many. */
static Counter *
get_counter (JmPowerMeter *self, const char *domain, guint64 raw_uj, gint64 now_us)
{
  Counter *counter = g_hash_table_lookup (self->counters, domain);

  if (counter != NULL || g_hash_table_size (self->counters) == JM_POWER_LINES_MAX)
    return counter;

  counter = g_new0 (Counter, 1);
  counter->raw_uj = raw_uj;
  counter->changed_us = now_us;
  counter->first_uj = raw_uj;
  counter->first_us = now_us;
  g_hash_table_insert (self->counters, g_strdup (domain), counter);

  return counter;
}

/* How far it went since it was last read; FALSE if it went back. */
static gboolean
get_step (JmPowerMeter *self, const Counter *counter, guint64 raw_uj, guint64 *step_uj)
{
  if (raw_uj < counter->raw_uj && self->range_uj == 0)
    return FALSE;

  *step_uj = raw_uj - counter->raw_uj;
  if (raw_uj < counter->raw_uj)
    *step_uj += self->range_uj;

  return TRUE;
}

/* A meter that is written seldom makes large steps, so time counts from its last one.
 */
static gboolean
is_possible (const char *domain, const Counter *counter, guint64 step_uj, gint64 now_us)
{
  guint number, die;
  JmPowerDomain kind = jm_power_domain_from_name (domain, &number, &die);
  double seconds = (double) (now_us - counter->changed_us) / G_USEC_PER_SEC;

  return (double) step_uj <= (double) jm_power_get_bound_uw (kind) * MAX (seconds, 1);
}

/* One that begins anew goes from the last value below its range to 0. */
static void
add_trace (JmPowerMeter *self,
           JmPowerAnswer *answer,
           const char *domain,
           const Counter *counter,
           gint64 now_us)
{
  guint number, die;
  const JmEnergyTrace trace = {
    .first_uj = counter->first_uj,
    .first_us = counter->first_us,
    .last_uj = counter->raw_uj,
    .last_us = now_us,
    .total_uj = counter->total_uj,
    .max_uj = self->range_uj > 0 ? self->range_uj - 1 : 0,
    .ceiling_uw =
      jm_power_get_bound_uw (jm_power_domain_from_name (domain, &number, &die)),
  };

  jm_power_answer_add_trace (answer, domain, &trace);
}

static void
take_energy (JmPowerMeter *self,
             JmPowerAnswer *answer,
             const char *domain,
             guint64 raw_uj,
             gint64 now_us)
{
  Counter *counter = get_counter (self, domain, raw_uj, now_us);
  guint64 was_uj, step_uj;

  if (counter == NULL)
    {
      leave_out (self, answer, domain, JM_ERROR_MALFORMED, "too many domains");
      return;
    }
  if (self->range_uj != 0 && raw_uj > self->range_uj)
    {
      leave_out (self, answer, domain, JM_ERROR_MALFORMED,
                 "beyond its range: %" G_GUINT64_FORMAT " uJ", raw_uj);
      return;
    }

  was_uj = counter->raw_uj;
  if (!get_step (self, counter, raw_uj, &step_uj))
    leave_out (self, answer, domain, JM_ERROR_MALFORMED,
               "went back from %" G_GUINT64_FORMAT " uJ to %" G_GUINT64_FORMAT " uJ",
               was_uj, raw_uj);
  else if (!is_possible (domain, counter, step_uj, now_us))
    leave_out (self, answer, domain, JM_ERROR_MALFORMED,
               "faster than a node draws: from %" G_GUINT64_FORMAT
               " uJ to %" G_GUINT64_FORMAT " uJ",
               was_uj, raw_uj);
  else
    {
      counter->total_uj += step_uj;
      jm_power_answer_add_energy (answer, domain, counter->total_uj);
    }

  counter->raw_uj = raw_uj;
  if (raw_uj != was_uj)
    counter->changed_us = now_us;
  add_trace (self, answer, domain, counter, now_us);
}

JmPowerAnswer *
jm_power_meter_take (JmPowerMeter *self,
                     const char *text,
                     gsize length,
                     gint64 now_us,
                     GError **error)
{
  g_autoptr (GArray) lines = g_array_new (FALSE, FALSE, sizeof (JmPowerLine));
  JmPowerAnswer *answer;

  if (!jm_power_lines_parse (text, length, self->domain, self->unit, self->what, lines,
                             error))
    return NULL;

  answer = jm_power_answer_new ();
  for (guint i = 0; i < lines->len; i++)
    {
      const JmPowerLine *line = &g_array_index (lines, JmPowerLine, i);
      g_autofree char *domain = g_strndup (line->domain.text, line->domain.length);

      if (line->is_energy)
        take_energy (self, answer, domain, line->micro, now_us);
      else
        take_power (self, answer, domain, line->micro);
    }

  return jm_power_answer_finish (answer, error);
}
