/* jm-site-carbon.c: what a site knows of the carbon of its machines
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "judge/jm-site-carbon.h"

#include "base/jm-error-private.h"
#include "base/jm-moment-private.h"
#include "core/jm-key-file-private.h"
#include "core/jm-run-derived-private.h"
#include "core/jm-run-private.h"
#include "judge/jm-run-gpus-private.h"

#define MAX_BYTES (1 << 20)
#define MAX_DEVICES 1000
/* A year of hours, and a week. */
#define MAX_PERIODS 9000
#define HOUR_SECONDS 3600.0
/* Of a mean year: 365.25 days. */
#define YEAR_HOURS 8766.0
#define KG_GRAMS 1000.0

#define SITE_GROUP "Site"

/* Amount:
 * @most: the greatest that is no slip of the pen */
typedef enum
{
  AMOUNT_PUE,
  AMOUNT_MARKET,
  AMOUNT_KG,
  AMOUNT_YEARS,
  AMOUNT_CPUS,
  N_AMOUNTS
} Amount;

static const struct
{
  const char *key;
  const char *source_key; /* NULL of a device's, which has one source */
  double least;
  double most;
} amounts[N_AMOUNTS] = {
  [AMOUNT_PUE] = { "Pue", "PueSource", 1, 10 },
  [AMOUNT_MARKET] = { "MarketGramsPerKwh", "MarketSource", 0, 10000 },
  [AMOUNT_KG] = { "KgCo2e", NULL, 0, 1e6 },
  [AMOUNT_YEARS] = { "Years", NULL, 0.1, 100 },
  [AMOUNT_CPUS] = { "Cpus", NULL, 1, 1e6 },
};

/* Device: a server, of which a run has some CPUs, or an accelerator
 * @cluster, @partition: of which runs it is; NULL for any
 * @gpu: the type of an accelerator in small letters, empty for any; NULL for a server
 * @values: of the amounts of a device; 0 for none
 * @is_bad: whether it could not be understood, so that its runs' share is not known */
typedef struct
{
  char *name;
  char *cluster;
  char *partition;
  char *gpu;
  char *source;
  double values[N_AMOUNTS];
  gboolean is_bad;
} Device;

#define N_SITE_AMOUNTS (AMOUNT_MARKET + 1)

/* Period: an amount of a site in a part of time
 * @from, @to: seconds since 1970; @to is the first behind it */
typedef struct
{
  char *name;
  gint64 from;
  gint64 to;
  double value;
} Period;

struct _JmSiteCarbon
{
  GArray *periods[N_SITE_AMOUNTS]; /* of Period, in the order of time */
  GPtrArray *devices;              /* of Device */
  GPtrArray *sources;              /* of char */
  GPtrArray *problems;             /* of char */
};

G_DEFINE_BOXED_TYPE (JmSiteCarbon,
                     jm_site_carbon,
                     g_atomic_rc_box_acquire,
                     jm_site_carbon_unref)

static void
device_free (gpointer data)
{
  Device *self = data;

  g_free (self->name);
  g_free (self->cluster);
  g_free (self->partition);
  g_free (self->gpu);
  g_free (self->source);
  g_free (self);
}

/* --- the file --- */

static void
add_problem (JmSiteCarbon *self, const char *path, const char *group, GError *error)
{
  g_autofree char *message =
    g_strdup_printf ("%s: %s: %s", path, group, error->message);

  g_ptr_array_add (self->problems, g_utf8_make_valid (message, -1));
}

static void
add_source (JmSiteCarbon *self, char *source)
{
  g_ptr_array_add (self->sources, g_utf8_make_valid (source, -1));
  g_free (source);
}

static gboolean
read_amount (Amount amount, const char *value, double *number, GError **error)
{
  g_autofree char *range = NULL;
  char *end;

  *number = g_ascii_strtod (value, &end);
  if (end != value && *end == '\0' && *number >= amounts[amount].least &&
      *number <= amounts[amount].most)
    return TRUE;

  range = g_strdup_printf ("%s: not a number from %g to %g", amounts[amount].key,
                           amounts[amount].least, amounts[amount].most);

  return jm_error_refuse (error, range, value);
}

static gboolean
is_one_of (const char *key, Amount first, Amount last, Amount *amount)
{
  for (*amount = first; *amount <= last; (*amount)++)
    if (g_str_equal (amounts[*amount].key, key))
      return TRUE;

  return FALSE;
}

static gboolean
is_source (const char *key)
{
  return g_str_equal (key, amounts[AMOUNT_PUE].source_key) ||
         g_str_equal (key, amounts[AMOUNT_MARKET].source_key);
}

static void
period_clear (gpointer data)
{
  Period *self = data;

  g_free (self->name);
}

static gboolean
take_time (Period *self, GKeyFile *file, const char *group, GError **error)
{
  g_autofree char *from = g_key_file_get_string (file, group, "From", NULL);
  g_autofree char *to = g_key_file_get_string (file, group, "To", NULL);

  return (from == NULL || jm_moment_take_day (&self->from, from, error)) &&
         (to == NULL || jm_moment_take_day (&self->to, to, error)) &&
         (self->from < self->to ||
          jm_error_refuse (error, "To: not behind From", group));
}

/* Two periods of one amount may not be of the same time. */
static gboolean
check_times (GArray *periods, const Period *period, GError **error)
{
  if (periods->len == MAX_PERIODS)
    return jm_error_refuse (error, "too many, from here", period->name);
  for (guint i = 0; i < periods->len; i++)
    {
      const Period *other = &g_array_index (periods, Period, i);

      if (period->from < other->to && other->from < period->to)
        return jm_error_refuse (error, "for the same time as", other->name);
    }

  return TRUE;
}

static char *
format_source (const Period *self, GKeyFile *file, Amount amount, const char *source)
{
  g_autofree char *from = g_key_file_get_string (file, self->name, "From", NULL);
  g_autofree char *to = g_key_file_get_string (file, self->name, "To", NULL);

  return g_strdup_printf ("%s %g%s%s%s%s: %s", amounts[amount].key, self->value,
                          from != NULL ? " from " : "", from != NULL ? from : "",
                          to != NULL ? " to " : "", to != NULL ? to : "", source);
}

static gboolean
add_period (JmSiteCarbon *self,
            GKeyFile *file,
            const char *group,
            Amount amount,
            const char *value,
            GError **error)
{
  Period period = { (char *) group, G_MININT64, G_MAXINT64, -1 };
  g_autofree char *source =
    g_key_file_get_string (file, group, amounts[amount].source_key, NULL);

  if (!take_time (&period, file, group, error))
    return FALSE;
  if (source == NULL || *source == '\0')
    return jm_error_refuse (error, "missing", amounts[amount].source_key);
  if (!read_amount (amount, value, &period.value, error) ||
      !check_times (self->periods[amount], &period, error))
    return FALSE;

  add_source (self, format_source (&period, file, amount, source));
  period.name = g_strdup (group);
  g_array_append_val (self->periods[amount], period);

  return TRUE;
}

static gboolean
take_site_value (JmSiteCarbon *self,
                 GKeyFile *file,
                 const char *group,
                 const char *key,
                 const char *value,
                 GError **error)
{
  Amount amount;

  if (is_source (key) || g_str_equal (key, "From") || g_str_equal (key, "To"))
    return TRUE;

  return is_one_of (key, AMOUNT_PUE, AMOUNT_MARKET, &amount)
           ? add_period (self, file, group, amount, value, error)
           : jm_error_refuse (error, "unknown key", key);
}

static void
read_site (JmSiteCarbon *self, GKeyFile *file, const char *path, const char *group)
{
  g_autoptr (GError) problem = NULL;
  g_auto (GStrv) keys = jm_key_file_list_keys (file, group, &problem);

  if (keys == NULL)
    add_problem (self, path, group, problem);
  for (guint i = 0; keys != NULL && keys[i] != NULL; i++)
    {
      g_autoptr (GError) error = NULL;
      g_autofree char *value = g_key_file_get_string (file, group, keys[i], &error);

      if (value == NULL || !take_site_value (self, file, group, keys[i], value, &error))
        add_problem (self, path, group, error);
    }
}

static int
compare_periods (gconstpointer a, gconstpointer b)
{
  const Period *one = a;
  const Period *other = b;

  return (one->from > other->from) - (one->from < other->from);
}

static gboolean
take_device_value (Device *self, const char *key, const char *value, GError **error)
{
  char **text = NULL;
  Amount amount;

  if (g_str_equal (key, "Cluster"))
    text = &self->cluster;
  else if (g_str_equal (key, "Partition"))
    text = &self->partition;
  else if (g_str_equal (key, "Source"))
    text = &self->source;
  if (text != NULL)
    {
      *text = g_strdup (value);
      return *value != '\0' || jm_error_refuse (error, "empty", key);
    }
  if (g_str_equal (key, "Gpu"))
    {
      self->gpu = g_ascii_strdown (g_str_equal (value, "any") ? "" : value, -1);
      return TRUE;
    }

  return is_one_of (key, AMOUNT_KG, AMOUNT_CPUS, &amount)
           ? read_amount (amount, value, &self->values[amount], error)
           : jm_error_refuse (error, "unknown key", key);
}

static gboolean
check_device (const Device *self, GKeyFile *file, GError **error)
{
  for (Amount i = AMOUNT_KG; i <= AMOUNT_YEARS; i++)
    if (!g_key_file_has_key (file, self->name, amounts[i].key, NULL))
      return jm_error_refuse (error, "missing", amounts[i].key);
  if (self->source == NULL)
    return jm_error_refuse (error, "missing", "Source");
  if ((self->gpu != NULL) == (self->values[AMOUNT_CPUS] > 0))
    return jm_error_refuse (error, "not one of Cpus and Gpu", self->name);

  return TRUE;
}

static gboolean
is_for_same (const Device *self, const Device *other)
{
  return g_strcmp0 (self->cluster, other->cluster) == 0 &&
         g_strcmp0 (self->partition, other->partition) == 0 &&
         g_strcmp0 (self->gpu, other->gpu) == 0;
}

static gboolean
check_others (JmSiteCarbon *self, const Device *device, GError **error)
{
  if (self->devices->len == MAX_DEVICES)
    return jm_error_refuse (error, "too many, from here", device->name);
  for (guint i = 0; i < self->devices->len; i++)
    {
      const Device *other = self->devices->pdata[i];

      if (is_for_same (device, other))
        return jm_error_refuse (error, "for the same runs as", other->name);
    }

  return TRUE;
}

static gboolean
read_device (Device *self, GKeyFile *file, GError **error)
{
  g_auto (GStrv) keys = jm_key_file_list_keys (file, self->name, error);
  gboolean is_read = keys != NULL;

  for (guint i = 0; keys != NULL && keys[i] != NULL; i++)
    {
      g_autofree char *value =
        g_key_file_get_string (file, self->name, keys[i], is_read ? error : NULL);

      if (value == NULL ||
          !take_device_value (self, keys[i], value, is_read ? error : NULL))
        is_read = FALSE;
    }

  return is_read && check_device (self, file, error);
}

static void
add_device (JmSiteCarbon *self, GKeyFile *file, const char *path, const char *group)
{
  Device *device = g_new0 (Device, 1);
  g_autoptr (GError) error = NULL;

  device->name = g_strdup (group);
  device->is_bad = !read_device (device, file, &error);
  if (device->is_bad)
    {
      add_problem (self, path, group, error);
      g_clear_error (&error);
    }
  if (!check_others (self, device, &error))
    {
      add_problem (self, path, group, error);
      device_free (device);
      return;
    }
  if (!device->is_bad)
    add_source (self, g_strdup_printf ("%s %g kg, %g years: %s", device->name,
                                       device->values[AMOUNT_KG],
                                       device->values[AMOUNT_YEARS], device->source));
  g_ptr_array_add (self->devices, device);
}

static gboolean
is_of_site (GKeyFile *file, const char *group)
{
  for (Amount i = 0; i < N_SITE_AMOUNTS; i++)
    if (g_key_file_has_key (file, group, amounts[i].key, NULL))
      return TRUE;

  return g_str_equal (group, SITE_GROUP);
}

/**
 * jm_site_carbon_new_from_text:
 * @path: what messages call the text
 * @text: (array length=length) (element-type guint8): a key file
 * @length: of @text
 * @error: return location for an error
 *
 * Understands what a site knows of its carbon; the manual's page on emissions of a site
 * has the keys.
 *
 * - Errors: `INVALID` for a text that is no key file. A number without a source counts
 *   for nothing, a device that cannot be understood leaves the share of its runs
 *   unknown; jm_site_carbon_list_problems() names them.
 *
 * Returns: (transfer full): what it says
 * Since: 0.1
 */
JmSiteCarbon *
jm_site_carbon_new_from_text (const char *path,
                              const char *text,
                              gsize length,
                              GError **error)
{
  g_autoptr (JmSiteCarbon) self = NULL;
  g_autoptr (GKeyFile) file = NULL;
  g_autoptr (GError) problem = NULL;
  g_auto (GStrv) groups = NULL;

  g_return_val_if_fail (path != NULL, NULL);
  g_return_val_if_fail (text != NULL || length == 0, NULL);
  g_return_val_if_fail (error == NULL || *error == NULL, NULL);

  file = jm_key_file_new_from_text (length > 0 ? text : "", length, &problem);
  if (file == NULL)
    {
      g_set_error (error, JM_ERROR, JM_ERROR_INVALID, "%s: %s", path, problem->message);
      return NULL;
    }

  self = g_atomic_rc_box_new0 (JmSiteCarbon);
  for (Amount i = 0; i < N_SITE_AMOUNTS; i++)
    {
      self->periods[i] = g_array_new (FALSE, FALSE, sizeof (Period));
      g_array_set_clear_func (self->periods[i], period_clear);
    }
  self->devices = g_ptr_array_new_with_free_func (device_free);
  self->sources = g_ptr_array_new_with_free_func (g_free);
  self->problems = g_ptr_array_new_with_free_func (g_free);
  groups = g_key_file_get_groups (file, NULL);
  for (guint i = 0; groups[i] != NULL; i++)
    if (is_of_site (file, groups[i]))
      read_site (self, file, path, groups[i]);
    else
      add_device (self, file, path, groups[i]);
  for (Amount i = 0; i < N_SITE_AMOUNTS; i++)
    g_array_sort (self->periods[i], compare_periods);

  return g_steal_pointer (&self);
}

/**
 * jm_site_carbon_new:
 * @host: (nullable): whose file is read; %NULL for the machine that this runs on
 * @path: (nullable): a file; %NULL for %JM_SITE_CARBON_FILE
 * @error: return location for an error
 *
 * Reads what a site knows of its carbon.
 *
 * - Errors: %JM_ERROR_ABSENT and %JM_ERROR_DENIED of the file, and those of
 *   jm_site_carbon_new_from_text().
 *
 * Returns: (transfer full): what it says
 * Since: 0.1
 */
JmSiteCarbon *
jm_site_carbon_new (JmHost *host, const char *path, GError **error)
{
  const char *used_path = path != NULL ? path : JM_SITE_CARBON_FILE;
  g_autoptr (JmHost) used = NULL;
  g_autofree char *text = NULL;
  gsize length;

  g_return_val_if_fail (host == NULL || JM_IS_HOST (host), NULL);
  g_return_val_if_fail (error == NULL || *error == NULL, NULL);

  used = host != NULL ? g_object_ref (host) : jm_host_new (NULL);
  text = jm_host_read_all (used, used_path, MAX_BYTES, &length, error);

  return text != NULL ? jm_site_carbon_new_from_text (used_path, text, length, error)
                      : NULL;
}

static void
clear (gpointer data)
{
  JmSiteCarbon *self = data;

  for (Amount i = 0; i < N_SITE_AMOUNTS; i++)
    g_array_unref (self->periods[i]);
  g_ptr_array_unref (self->devices);
  g_ptr_array_unref (self->sources);
  g_ptr_array_unref (self->problems);
}

/**
 * jm_site_carbon_unref:
 * @self: (transfer full): what a site knows
 *
 * Drops a reference.
 *
 * Since: 0.1
 */
void
jm_site_carbon_unref (JmSiteCarbon *self)
{
  g_return_if_fail (self != NULL);

  g_atomic_rc_box_release_full (self, clear);
}

static char **
copy_texts (const GPtrArray *texts)
{
  g_autoptr (GStrvBuilder) builder = g_strv_builder_new ();

  for (guint i = 0; i < texts->len; i++)
    g_strv_builder_add (builder, texts->pdata[i]);

  return g_strv_builder_end (builder);
}

/**
 * jm_site_carbon_list_problems:
 * @self: what a site knows
 *
 * Lists what could not be understood.
 *
 * Returns: (transfer full) (array zero-terminated=1): messages with file, group and key
 * Since: 0.1
 */
char **
jm_site_carbon_list_problems (JmSiteCarbon *self)
{
  g_return_val_if_fail (self != NULL, NULL);

  return copy_texts (self->problems);
}

/**
 * jm_site_carbon_list_sources:
 * @self: what a site knows
 *
 * Lists the numbers that count, each with its source.
 *
 * Returns: (transfer full) (array zero-terminated=1): a line for each number or device
 * Since: 0.1
 */
char **
jm_site_carbon_list_sources (JmSiteCarbon *self)
{
  g_return_val_if_fail (self != NULL, NULL);

  return copy_texts (self->sources);
}

/* The first that ends behind the moment. */
static guint
find_period (GArray *periods, gint64 moment)
{
  guint low = 0;
  guint high = periods->len;

  while (low < high)
    {
      const guint middle = low + (high - low) / 2;

      if (g_array_index (periods, Period, middle).to > moment)
        high = middle;
      else
        low = middle + 1;
    }

  return low;
}

/* The mean of the time; FALSE where it is not known of a part of it. */
static gboolean
get_mean (GArray *periods, gint64 since, gint64 until, double *value)
{
  gint64 at = since;
  double sum = 0;

  for (guint i = find_period (periods, since); i < periods->len; i++)
    {
      const Period *period = &g_array_index (periods, Period, i);
      const gint64 last = MIN (until, period->to);

      if (period->from > at)
        return FALSE;
      *value = period->value;
      if (at == since && last == until)
        return TRUE;
      sum += (double) (last - at) * period->value;
      *value = sum / (double) (until - since);
      at = last;
      if (at == until)
        return TRUE;
    }

  return FALSE;
}

/**
 * jm_site_carbon_get_pue:
 * @self: what a site knows
 * @since: seconds since 1970
 * @until: seconds since 1970, not before @since
 * @pue: (out): return location for the power usage effectiveness
 *
 * Gets how many times as much energy the site needed as its machines, as a mean of the
 * time.
 *
 * Returns: whether it is known of all of the time
 * Since: 0.1
 */
gboolean
jm_site_carbon_get_pue (JmSiteCarbon *self, gint64 since, gint64 until, double *pue)
{
  g_return_val_if_fail (self != NULL, FALSE);
  g_return_val_if_fail (pue != NULL, FALSE);

  return get_mean (self->periods[AMOUNT_PUE], since, until, pue);
}

/**
 * jm_site_carbon_get_market_factor:
 * @self: what a site knows
 * @since: seconds since 1970
 * @until: seconds since 1970, not before @since
 * @grams_per_kwh: (out): return location for the factor
 *
 * Gets what a kilowatt-hour emitted by the contract for electricity, as a mean of the
 * time.
 *
 * Returns: whether it is known of all of the time
 * Since: 0.1
 */
gboolean
jm_site_carbon_get_market_factor (JmSiteCarbon *self,
                                  gint64 since,
                                  gint64 until,
                                  double *grams_per_kwh)
{
  g_return_val_if_fail (self != NULL, FALSE);
  g_return_val_if_fail (grams_per_kwh != NULL, FALSE);

  return get_mean (self->periods[AMOUNT_MARKET], since, until, grams_per_kwh);
}

/* --- what a run has of a device --- */

static gboolean
is_for (const Device *self, JmRun *run, const char *gpu)
{
  const char *partition = jm_run_peek_text (run, JM_RUN_FIELD_PARTITION);

  if ((self->gpu == NULL) != (gpu == NULL) ||
      (gpu != NULL && *self->gpu != '\0' && !g_str_equal (self->gpu, gpu)))
    return FALSE;

  return (self->cluster == NULL ||
          g_strcmp0 (self->cluster, jm_run_get_cluster (run)) == 0) &&
         (self->partition == NULL || g_strcmp0 (self->partition, partition) == 0);
}

/* The type of an accelerator counts before a partition, and that before a cluster. */
static guint
get_closeness (const Device *self)
{
  return (self->gpu != NULL && *self->gpu != '\0' ? 4 : 0) +
         (self->partition != NULL ? 2 : 0) + (self->cluster != NULL ? 1 : 0);
}

/* @gpu: NULL for the server. */
static const Device *
find_device (JmSiteCarbon *self, JmRun *run, const char *gpu)
{
  const Device *found = NULL;

  for (guint i = 0; i < self->devices->len; i++)
    {
      const Device *device = self->devices->pdata[i];

      if (is_for (device, run, gpu) &&
          (found == NULL || get_closeness (device) > get_closeness (found)))
        found = device;
    }

  return found;
}

/* ISO/IEC 21031: TE, all emissions of the device, times TS, the share of its life that
 * is reserved, times RS, the share of its resources. */
static gboolean
add_share (const Device *self, double n, double hours, double *grams)
{
  const double resources =
    self != NULL && self->gpu == NULL ? n / self->values[AMOUNT_CPUS] : n;

  if (self == NULL || self->is_bad)
    return FALSE;
  *grams += self->values[AMOUNT_KG] * KG_GRAMS *
            (hours / (self->values[AMOUNT_YEARS] * YEAR_HOURS)) * resources;

  return TRUE;
}

static gboolean
add_cpus (JmSiteCarbon *self, JmRun *run, double hours, double *grams)
{
  const JmFigure cpus = jm_run_derived_get_figure (run, JM_RUN_FIELD_CPUS);

  return cpus.is_known &&
         add_share (find_device (self, run, NULL), cpus.value, hours, grams);
}

static gboolean
add_gpus (JmSiteCarbon *self, JmRun *run, double hours, double *grams)
{
  g_autoptr (GArray) gpus = jm_run_gpus_list (run);
  gboolean is_whole = TRUE;

  for (guint i = 0; i < gpus->len; i++)
    {
      const JmRunGpus *some = &g_array_index (gpus, JmRunGpus, i);
      const char *type = some->type != NULL ? some->type : "";

      is_whole =
        add_share (find_device (self, run, type), some->n, hours, grams) && is_whole;
    }

  return is_whole;
}

/* Of the run between the two moments; what a scheduler has of the time is without what
 * the run was suspended. */
static double
get_hours (JmRun *run, gint64 since, gint64 until)
{
  const JmFigure elapsed = jm_run_derived_get_figure (run, JM_RUN_FIELD_ELAPSED);
  const gint64 start = jm_run_peek (run, JM_RUN_FIELD_START_TIME);
  const gint64 end = jm_run_get_until (run);
  const gint64 first = MAX (start, since);
  const gint64 last = until > 0 ? MIN (end, until) : end;

  if (start <= 0 || last <= first)
    return 0;

  return (elapsed.is_known ? elapsed.value : (double) (end - start)) / HOUR_SECONDS *
         ((double) (last - first) / (double) (end - start));
}

/**
 * jm_site_carbon_get_embodied:
 * @self: what a site knows
 * @run: a run
 * @since: seconds since 1970; 0 for its begin
 * @until: seconds since 1970; 0 for its end, or when it was seen last
 * @grams: (out): return location for the grams of CO2 equivalent, or the least of them
 *
 * Calculates a run's share of what making its server and accelerators emitted, by
 * ISO/IEC 21031: all of it, times the time that the run had them for as a share of
 * their lives, times the CPUs that it had as a share of the server's.
 *
 * Returns: whether that is all of it: the file has all devices of the run
 * Since: 0.1
 */
gboolean
jm_site_carbon_get_embodied (JmSiteCarbon *self,
                             JmRun *run,
                             gint64 since,
                             gint64 until,
                             double *grams)
{
  double hours;
  gboolean has_cpus, has_gpus;

  g_return_val_if_fail (self != NULL, FALSE);
  g_return_val_if_fail (run != NULL, FALSE);
  g_return_val_if_fail (grams != NULL, FALSE);

  *grams = 0;
  hours = get_hours (run, since, until);
  has_cpus = add_cpus (self, run, hours, grams);
  has_gpus = add_gpus (self, run, hours, grams);

  return has_cpus && has_gpus;
}
