/* jm-price-list.c: what a site charges for runs
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "judge/jm-price-list-private.h"

#include <math.h>
#include <string.h>

#include "base/jm-error-private.h"
#include "base/jm-moment-private.h"
#include "core/jm-figure-private.h"
#include "core/jm-key-file-private.h"
#include "core/jm-run-derived-private.h"
#include "core/jm-run-private.h"
#include "judge/jm-run-gpus-private.h"
#include "judge/jm-run-report-private.h"
#include "judge/jm-run-storage-private.h"
#include "schedulers/jm-scheduler-value-private.h"

#define MAX_BYTES (1 << 20)
#define MAX_TARIFFS 1000
/* Each of them is looked for in each run. */
#define MAX_STORAGES 16
/* More for an hour is a slip of the pen. */
#define MAX_PRICE 1e6
#define HOUR_SECONDS 3600.0
#define GIB 1073741824.0
#define KWH_JOULES 3.6e6

#define MAX_BUDGET 1e12
/* Less than that is no money. */
#define COST_PARTS 1e6

#define MAIN_GROUP "Prices"
/* A group that has it is a budget. */
#define BUDGET_KEY "Budget"
#define GPU_TYPE_PREFIX "GpuHour."
#define STORAGE_PREFIX "GibHour."
#define UNIT_PREFIX "Unit."

typedef enum
{
  KIND_CPU_HOUR,
  KIND_GPU_HOUR,
  KIND_GIB_HOUR,
  KIND_KWH,
  N_KINDS
} Kind;

static const char *const kind_names[N_KINDS] = { "CpuHour", "GpuHour", "GibHour",
                                                 "Kwh" };

/* The more significant comes first: where two tariffs are for a run, the one of its
 * account counts before that of its partition. */
typedef enum
{
  SELECTOR_ACCOUNT,
  SELECTOR_PARTITION,
  SELECTOR_CLUSTER,
  N_SELECTORS
} Selector;

static const char *const selector_names[N_SELECTORS] = { "Account", "Partition",
                                                         "Cluster" };

/* Price:
 * @is_set: whether there is one; what has none is not charged
 * @is_bad: whether it could not be understood, so that the cost is not known */
typedef struct
{
  double amount;
  gboolean is_set;
  gboolean is_bad;
} Price;

/* Storage: what Slurm counts under a name, such as `gres/localtmp` */
typedef struct
{
  char *name;
  Price price; /* of a GiB for an hour */
} Storage;

/* Tariff:
 * @selectors: of which runs it is; NULL for any
 * @from: when it begins, seconds since 1970
 * @to: the first second behind it
 * @gpus: of Price, by the type of an accelerator in small letters
 * @storages: of Storage */
typedef struct
{
  char *name;
  char *selectors[N_SELECTORS];
  gint64 from;
  gint64 to;
  Price prices[N_KINDS];
  GHashTable *gpus;
  GArray *storages;
} Tariff;

struct _JmPriceList
{
  char *currency;      /* NULL for none */
  GPtrArray *tariffs;  /* of Tariff */
  GArray *budgets;     /* of JmBudget */
  GHashTable *units;   /* of guint64, bytes of a count, by the name of a storage */
  GPtrArray *problems; /* of char */
};

G_DEFINE_BOXED_TYPE (JmPriceList,
                     jm_price_list,
                     g_atomic_rc_box_acquire,
                     jm_price_list_unref)

/* --- one tariff --- */

static void
storage_clear (gpointer data)
{
  Storage *self = data;

  g_free (self->name);
}

static void
tariff_free (gpointer data)
{
  Tariff *self = data;

  g_free (self->name);
  for (Selector i = 0; i < N_SELECTORS; i++)
    g_free (self->selectors[i]);
  g_hash_table_unref (self->gpus);
  g_array_unref (self->storages);
  g_free (self);
}

static Tariff *
tariff_new (const char *name)
{
  Tariff *self = g_new0 (Tariff, 1);

  self->name = g_strdup (name);
  self->to = G_MAXINT64;
  self->gpus = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_free);
  self->storages = g_array_new (FALSE, FALSE, sizeof (Storage));
  g_array_set_clear_func (self->storages, storage_clear);

  return self;
}

static gboolean
take_price (Price *price, const char *value, GError **error)
{
  char *end;

  price->is_set = TRUE;
  price->amount = g_ascii_strtod (value, &end);
  price->is_bad =
    end == value || *end != '\0' || !(price->amount >= 0 && price->amount <= MAX_PRICE);

  return !price->is_bad ||
         jm_error_refuse (error, "not a number from 0 to 1000000", value);
}

static gboolean
take_gpu_price (Tariff *self, const char *key, const char *value, GError **error)
{
  const char *type = key + strlen (GPU_TYPE_PREFIX);
  Price *price;

  if (*type == '\0')
    return jm_error_refuse (error, "unknown key", key);
  price = g_new0 (Price, 1);
  g_hash_table_replace (self->gpus, g_ascii_strdown (type, -1), price);

  return take_price (price, value, error);
}

static gboolean
take_storage_price (Tariff *self, const char *key, const char *value, GError **error)
{
  const char *name = key + strlen (STORAGE_PREFIX);
  Storage storage = { 0 };
  gboolean is_good;

  if (*name == '\0')
    return jm_error_refuse (error, "unknown key", key);
  is_good = take_price (&storage.price, value, error);
  storage.name = g_strdup (name);
  g_array_append_val (self->storages, storage);

  return is_good;
}

static gboolean
take_value (Tariff *self, const char *key, const char *value, GError **error)
{
  for (Kind i = 0; i < N_KINDS; i++)
    if (g_str_equal (key, kind_names[i]))
      return take_price (&self->prices[i], value, error);
  for (Selector i = 0; i < N_SELECTORS; i++)
    if (g_str_equal (key, selector_names[i]))
      {
        self->selectors[i] = g_strdup (value);
        return *value != '\0' || jm_error_refuse (error, "empty", value);
      }
  if (g_str_has_prefix (key, GPU_TYPE_PREFIX))
    return take_gpu_price (self, key, value, error);
  if (g_str_has_prefix (key, STORAGE_PREFIX))
    return take_storage_price (self, key, value, error);
  if (g_str_equal (key, "From"))
    return jm_moment_take_day (&self->from, value, error);
  if (g_str_equal (key, "To"))
    return jm_moment_take_day (&self->to, value, error);

  return jm_error_refuse (error, "unknown key", key);
}

/* A slip in what a tariff is for, or when, may not have it charged to others. */
static gboolean
is_of_price (const char *key)
{
  for (Kind i = 0; i < N_KINDS; i++)
    if (g_str_equal (key, kind_names[i]))
      return TRUE;

  return g_str_has_prefix (key, GPU_TYPE_PREFIX) ||
         g_str_has_prefix (key, STORAGE_PREFIX);
}

static gboolean
is_for_same (const Tariff *self, const Tariff *other)
{
  for (Selector i = 0; i < N_SELECTORS; i++)
    if (g_strcmp0 (self->selectors[i], other->selectors[i]) != 0)
      return FALSE;

  return TRUE;
}

/* --- the file --- */

static void
add_problem (JmPriceList *self, const char *path, const char *group, GError *error)
{
  g_autofree char *message =
    g_strdup_printf ("%s: %s: %s", path, group, error->message);

  g_ptr_array_add (self->problems, g_utf8_make_valid (message, -1));
}

/* FALSE where the tariff as a whole cannot count; a price alone costs no more than
 * itself. */
static gboolean
read_keys (JmPriceList *self,
           Tariff *tariff,
           GKeyFile *file,
           const char *path,
           GError **error)
{
  g_auto (GStrv) keys = jm_key_file_list_keys (file, tariff->name, error);

  for (guint i = 0; keys != NULL && keys[i] != NULL; i++)
    {
      g_autoptr (GError) problem = NULL;
      g_autofree char *value =
        g_key_file_get_string (file, tariff->name, keys[i], &problem);

      if (value != NULL && take_value (tariff, keys[i], value, &problem))
        continue;
      g_prefix_error (&problem, "%s: ", keys[i]);
      if (!is_of_price (keys[i]))
        {
          g_propagate_error (error, g_steal_pointer (&problem));
          return FALSE;
        }
      add_problem (self, path, tariff->name, problem);
    }

  return keys != NULL;
}

static gboolean
check_tariff (JmPriceList *self, const Tariff *tariff, GError **error)
{
  if (tariff->to <= tariff->from)
    return jm_error_refuse (error, "To: not behind From", tariff->name);
  if (tariff->storages->len > MAX_STORAGES)
    return jm_error_refuse (error, "GibHour: more than 16 names", tariff->name);
  if (self->tariffs->len == MAX_TARIFFS)
    return jm_error_refuse (error, "too many, from here", tariff->name);
  for (guint i = 0; i < self->tariffs->len; i++)
    {
      const Tariff *other = self->tariffs->pdata[i];

      if (is_for_same (tariff, other) && tariff->from < other->to &&
          other->from < tariff->to)
        return jm_error_refuse (error, "for the same runs and time as", other->name);
    }

  return TRUE;
}

static void
add_tariff (JmPriceList *self, GKeyFile *file, const char *path, const char *group)
{
  Tariff *tariff = tariff_new (group);
  g_autoptr (GError) error = NULL;

  if (read_keys (self, tariff, file, path, &error) &&
      check_tariff (self, tariff, &error))
    {
      g_ptr_array_add (self->tariffs, tariff);
      return;
    }

  add_problem (self, path, group, error);
  tariff_free (tariff);
}

/* --- a budget --- */

static void
budget_clear (gpointer data)
{
  JmBudget *self = data;

  g_free (self->account);
}

static gboolean
take_budget_value (JmBudget *self, const char *key, const char *value, GError **error)
{
  char *end;

  if (g_str_equal (key, "From"))
    return jm_moment_take_day (&self->from, value, error);
  if (g_str_equal (key, "To"))
    return jm_moment_take_day (&self->to, value, error);
  if (g_str_equal (key, "Account"))
    {
      self->account = g_strdup (value);
      return *value != '\0' || jm_error_refuse (error, "empty", value);
    }
  if (!g_str_equal (key, BUDGET_KEY))
    return jm_error_refuse (error, "unknown key", key);

  self->amount = g_ascii_strtod (value, &end);

  return (end != value && *end == '\0' && self->amount >= 0 &&
          self->amount <= MAX_BUDGET) ||
         jm_error_refuse (error, "not a number from 0 to 1e12", value);
}

static gboolean
check_budget (JmPriceList *self, const JmBudget *budget, GError **error)
{
  if (budget->account == NULL)
    return jm_error_refuse (error, "missing", "Account");
  if (budget->from == G_MININT64)
    return jm_error_refuse (error, "missing", "From");
  if (budget->to == G_MAXINT64)
    return jm_error_refuse (error, "missing", "To");
  if (budget->to <= budget->from)
    return jm_error_refuse (error, "not behind From", "To");

  return self->budgets->len < MAX_TARIFFS ||
         jm_error_refuse (error, "too many, from here", budget->account);
}

static gboolean
read_budget (JmBudget *self, GKeyFile *file, const char *group, GError **error)
{
  g_auto (GStrv) keys = jm_key_file_list_keys (file, group, error);

  for (guint i = 0; keys != NULL && keys[i] != NULL; i++)
    {
      g_autofree char *value = g_key_file_get_string (file, group, keys[i], error);

      if (value == NULL || !take_budget_value (self, keys[i], value, error))
        {
          g_prefix_error (error, "%s: ", keys[i]);
          return FALSE;
        }
    }

  return keys != NULL;
}

static void
add_budget (JmPriceList *self, GKeyFile *file, const char *path, const char *group)
{
  JmBudget budget = { .from = G_MININT64, .to = G_MAXINT64 };
  g_autoptr (GError) error = NULL;

  if (read_budget (&budget, file, group, &error) &&
      check_budget (self, &budget, &error))
    {
      g_array_append_val (self->budgets, budget);
      return;
    }

  add_problem (self, path, group, error);
  budget_clear (&budget);
}

/* --- the list --- */

/* A unit that is not understood is 0: what is counted in it is not known. */
static gboolean
take_unit (JmPriceList *self, const char *name, const char *value, GError **error)
{
  const JmSlice text = { value, strlen (value) };
  guint64 *unit = g_new0 (guint64, 1);
  gboolean has;

  g_hash_table_replace (self->units, g_strdup (name), unit);
  if (!jm_scheduler_parse_amount (text, unit, &has) || !has)
    *unit = 0;

  return *unit > 0 || jm_error_refuse (error, "not a number of bytes", value);
}

static gboolean
take_main_value (JmPriceList *self, const char *key, const char *value, GError **error)
{
  if (g_str_equal (key, "Currency"))
    {
      g_free (self->currency);
      self->currency = g_strdup (value);
      return TRUE;
    }
  if (!g_str_has_prefix (key, UNIT_PREFIX) || key[strlen (UNIT_PREFIX)] == '\0')
    return jm_error_refuse (error, "unknown key", key);
  if (take_unit (self, key + strlen (UNIT_PREFIX), value, error))
    return TRUE;
  g_prefix_error (error, "%s: ", key);

  return FALSE;
}

static void
read_main (JmPriceList *self, GKeyFile *file, const char *path)
{
  g_auto (GStrv) keys = g_key_file_get_keys (file, MAIN_GROUP, NULL, NULL);

  for (guint i = 0; keys != NULL && keys[i] != NULL; i++)
    {
      g_autoptr (GError) error = NULL;
      g_autofree char *value =
        g_key_file_get_string (file, MAIN_GROUP, keys[i], &error);

      if (value == NULL || !take_main_value (self, keys[i], value, &error))
        add_problem (self, path, MAIN_GROUP, error);
    }
}

/* The first moment behind @time at which a tariff of the same runs begins; 0 for
 * none. */
static gint64
find_next_begin (JmPriceList *self, const Tariff *tariff, gint64 time)
{
  gint64 next = 0;

  for (guint i = 0; i < self->tariffs->len; i++)
    {
      const Tariff *other = self->tariffs->pdata[i];

      if (is_for_same (tariff, other) && other->from >= time &&
          (next == 0 || other->from < next))
        next = other->from;
    }

  return next;
}

/* A gap between two tariffs of the same runs is hardly meant. */
static void
find_gaps (JmPriceList *self, const char *path)
{
  for (guint i = 0; i < self->tariffs->len; i++)
    {
      const Tariff *tariff = self->tariffs->pdata[i];
      const gint64 next =
        tariff->to < G_MAXINT64 ? find_next_begin (self, tariff, tariff->to) : 0;
      g_autoptr (GDateTime) end = NULL;
      g_autofree char *text = NULL;
      g_autoptr (GError) error = NULL;

      if (next <= tariff->to)
        continue;
      end = g_date_time_new_from_unix_utc (next);
      text = g_date_time_format (end, "%Y-%m-%dT%H:%M:%SZ");
      jm_error_refuse (&error, "no tariff of the same runs from its end until", text);
      add_problem (self, path, tariff->name, error);
    }
}

/**
 * jm_price_list_new_from_text:
 * @path: what messages call the text
 * @text: (array length=length) (element-type guint8): a key file
 * @length: of @text
 * @error: return location for an error
 *
 * Understands a list of prices; the manual's page on costs has the keys.
 *
 * - Errors: `INVALID` for a text that is no key file. A price that cannot be understood
 *   leaves the cost unknown of what it is for, a tariff that overlaps with one before
 *   it counts for nothing; jm_price_list_list_problems() names them.
 *
 * Returns: (transfer full): the list
 * Since: 0.1
 */
JmPriceList *
jm_price_list_new_from_text (const char *path,
                             const char *text,
                             gsize length,
                             GError **error)
{
  g_autoptr (JmPriceList) self = NULL;
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

  self = g_atomic_rc_box_new0 (JmPriceList);
  self->tariffs = g_ptr_array_new_with_free_func (tariff_free);
  self->budgets = g_array_new (FALSE, FALSE, sizeof (JmBudget));
  g_array_set_clear_func (self->budgets, budget_clear);
  self->units = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_free);
  self->problems = g_ptr_array_new_with_free_func (g_free);
  read_main (self, file, path);
  groups = g_key_file_get_groups (file, NULL);
  for (guint i = 0; groups[i] != NULL; i++)
    if (g_key_file_has_key (file, groups[i], BUDGET_KEY, NULL))
      add_budget (self, file, path, groups[i]);
    else if (!g_str_equal (groups[i], MAIN_GROUP))
      add_tariff (self, file, path, groups[i]);
  find_gaps (self, path);

  return g_steal_pointer (&self);
}

/**
 * jm_price_list_new:
 * @host: (nullable): whose file is read; %NULL for the machine that this runs on
 * @path: (nullable): a file; %NULL for %JM_PRICE_LIST_FILE
 * @error: return location for an error
 *
 * Reads a site's list of prices.
 *
 * - Errors: %JM_ERROR_ABSENT and %JM_ERROR_DENIED of the file, and those of
 *   jm_price_list_new_from_text().
 *
 * Returns: (transfer full): the list
 * Since: 0.1
 */
JmPriceList *
jm_price_list_new (JmHost *host, const char *path, GError **error)
{
  const char *used_path = path != NULL ? path : JM_PRICE_LIST_FILE;
  g_autoptr (JmHost) used = NULL;
  g_autofree char *text = NULL;
  gsize length;

  g_return_val_if_fail (host == NULL || JM_IS_HOST (host), NULL);
  g_return_val_if_fail (error == NULL || *error == NULL, NULL);

  used = host != NULL ? g_object_ref (host) : jm_host_new (NULL);
  text = jm_host_read_all (used, used_path, MAX_BYTES, &length, error);

  return text != NULL ? jm_price_list_new_from_text (used_path, text, length, error)
                      : NULL;
}

static void
clear (gpointer data)
{
  JmPriceList *self = data;

  g_free (self->currency);
  g_ptr_array_unref (self->tariffs);
  g_array_unref (self->budgets);
  g_hash_table_unref (self->units);
  g_ptr_array_unref (self->problems);
}

/**
 * jm_price_list_unref:
 * @self: (transfer full): a list of prices
 *
 * Drops a reference.
 *
 * Since: 0.1
 */
void
jm_price_list_unref (JmPriceList *self)
{
  g_return_if_fail (self != NULL);

  g_atomic_rc_box_release_full (self, clear);
}

/**
 * jm_price_list_get_currency:
 * @self: a list of prices
 *
 * Gets what the prices are in, such as `EUR`.
 *
 * Returns: (nullable): the currency; %NULL where the list has none
 * Since: 0.1
 */
const char *
jm_price_list_get_currency (JmPriceList *self)
{
  g_return_val_if_fail (self != NULL, NULL);

  return self->currency;
}

/**
 * jm_price_list_list_problems:
 * @self: a list of prices
 *
 * Lists what could not be understood, and times without a tariff between two others.
 *
 * Returns: (transfer full) (array zero-terminated=1): messages with file, tariff and
 *   key
 * Since: 0.1
 */
char **
jm_price_list_list_problems (JmPriceList *self)
{
  g_autoptr (GStrvBuilder) builder = g_strv_builder_new ();

  g_return_val_if_fail (self != NULL, NULL);

  for (guint i = 0; i < self->problems->len; i++)
    g_strv_builder_add (builder, self->problems->pdata[i]);

  return g_strv_builder_end (builder);
}

const JmBudget *
jm_price_list_get_budgets (JmPriceList *self, guint *n_budgets)
{
  *n_budgets = self->budgets->len;

  return (const JmBudget *) (gpointer) self->budgets->data;
}

/* --- which tariff --- */

static gboolean
is_for (const Tariff *self, char *const words[N_SELECTORS])
{
  for (Selector i = 0; i < N_SELECTORS; i++)
    if (self->selectors[i] != NULL && g_strcmp0 (self->selectors[i], words[i]) != 0)
      return FALSE;

  return TRUE;
}

static gboolean
is_closer (const Tariff *self, const Tariff *other)
{
  for (Selector i = 0; other != NULL && i < N_SELECTORS; i++)
    if ((self->selectors[i] != NULL) != (other->selectors[i] != NULL))
      return self->selectors[i] != NULL;

  return other == NULL;
}

/* The tariff at @time, or NULL; *@until: how long it is that, at most. */
static const Tariff *
find_tariff (JmPriceList *self,
             char *const words[N_SELECTORS],
             gint64 time,
             gint64 *until)
{
  const Tariff *found = NULL;

  for (guint i = 0; i < self->tariffs->len; i++)
    {
      const Tariff *tariff = self->tariffs->pdata[i];

      if (!is_for (tariff, words))
        continue;
      if (tariff->from > time)
        *until = MIN (*until, tariff->from);
      else if (tariff->to > time)
        *until = MIN (*until, tariff->to);
      if (tariff->from <= time && time < tariff->to && is_closer (tariff, found))
        found = tariff;
    }

  return found;
}

/* --- what a run cost --- */

/* Adds a part of what the run had, which may be unknown, at a price. */
static void
charge (JmBill *self, const Price *price, JmFigure amount, double part)
{
  if (!price->is_set || (!price->is_bad && price->amount == 0))
    return;
  if (price->is_bad || !amount.is_known)
    self->is_whole = FALSE;
  else
    self->cost =
      jm_figure_add (self->cost, jm_figures_multiply (amount, jm_figure_known (
                                                                price->amount * part)));
}

static JmFigure
get_amount (JmRun *run, double n_hours, Kind kind)
{
  const JmFigure hours = jm_figure_known (n_hours);

  switch (kind)
    {
    case KIND_CPU_HOUR:
      return jm_figures_multiply (hours,
                                  jm_run_derived_get_figure (run, JM_RUN_FIELD_CPUS));
    case KIND_GIB_HOUR:
      return jm_figures_divide (
        jm_figures_multiply (hours,
                             jm_run_derived_get_figure (run,
                                                        JM_RUN_FIELD_MEMORY_ALLOCATED)),
        jm_figure_known (GIB));
    case KIND_KWH:
      return jm_figures_divide (jm_run_derived_get_figure (run, JM_RUN_FIELD_ENERGY),
                                jm_figure_known (KWH_JOULES));
    case KIND_GPU_HOUR:
    default:
      return jm_figures_multiply (
        hours, jm_run_derived_get_figure (run, JM_RUN_FIELD_GPUS_ALLOCATED));
    }
}

static void
charge_gpus_of_type (JmBill *self,
                     const Tariff *tariff,
                     const char *type,
                     double gpu_hours,
                     double part)
{
  const Price *price = type != NULL ? g_hash_table_lookup (tariff->gpus, type) : NULL;

  if (price == NULL)
    price = &tariff->prices[KIND_GPU_HOUR];
  if (price->is_set)
    charge (self, price, jm_figure_known (gpu_hours), part);
  else if (g_hash_table_size (tariff->gpus) > 0)
    self->is_whole = FALSE;
}

/* Those whose type is not known have the price for any type. */
static void
charge_gpus (JmBill *self, const Tariff *tariff, JmRun *run, double hours, double part)
{
  g_autoptr (GArray) gpus = jm_run_gpus_list (run);

  for (guint i = 0; i < gpus->len; i++)
    {
      const JmRunGpus *some = &g_array_index (gpus, JmRunGpus, i);

      charge_gpus_of_type (self, tariff, some->type, some->n * hours, part);
    }
}

/* Bytes. */
static JmFigure
get_storage (JmPriceList *self, JmRun *run, const char *name)
{
  const guint64 *unit = g_hash_table_lookup (self->units, name);

  if (unit != NULL && *unit == 0)
    return (JmFigure){ 0 };

  return jm_run_storage_get_bytes (run, name, unit != NULL ? *unit : 0);
}

static void
charge_storages (JmPriceList *self,
                 JmBill *bill,
                 const Tariff *tariff,
                 JmRun *run,
                 double hours,
                 double part)
{
  JmBill own = { .is_whole = TRUE };

  for (guint i = 0; i < tariff->storages->len; i++)
    {
      const Storage *storage = &g_array_index (tariff->storages, Storage, i);
      const JmFigure bytes = get_storage (self, run, storage->name);

      charge (&own, &storage->price,
              jm_figures_multiply (bytes, jm_figure_known (hours / GIB)), part);
      bill->storage =
        jm_figure_add (bill->storage,
                       jm_figures_multiply (bytes, jm_figure_known (
                                                     hours * HOUR_SECONDS * part)));
    }
  bill->storage_cost = jm_figure_add (bill->storage_cost, own.cost);
  bill->cost = jm_figure_add (bill->cost, own.cost);
  bill->is_whole = bill->is_whole && own.is_whole;
}

static void
charge_part (JmPriceList *self,
             JmBill *bill,
             const Tariff *tariff,
             JmRun *run,
             double hours,
             double part)
{
  if (tariff == NULL)
    {
      bill->is_whole = FALSE;
      return;
    }
  for (Kind i = 0; i < N_KINDS; i++)
    if (i == KIND_GPU_HOUR)
      charge_gpus (bill, tariff, run, hours, part);
    else
      charge (bill, &tariff->prices[i], get_amount (run, hours, i), part);
  charge_storages (self, bill, tariff, run, hours, part);
}

/* What a scheduler has of the time without what it was suspended. */
static double
get_hours (JmRun *run, gint64 length)
{
  const JmFigure elapsed = jm_run_derived_get_figure (run, JM_RUN_FIELD_ELAPSED);

  return (elapsed.is_known ? elapsed.value : (double) length) / HOUR_SECONDS;
}

JmBill
jm_price_list_bill (JmPriceList *self, JmRun *run, gint64 since, gint64 until)
{
  JmBill bill = { .cost = jm_figure_known (0), .is_whole = TRUE };
  char *words[N_SELECTORS];
  gint64 start, end, length;
  double hours;

  words[SELECTOR_ACCOUNT] = (char *) jm_run_peek_text (run, JM_RUN_FIELD_ACCOUNT);
  words[SELECTOR_PARTITION] = (char *) jm_run_peek_text (run, JM_RUN_FIELD_PARTITION);
  words[SELECTOR_CLUSTER] = (char *) jm_run_get_cluster (run);
  start = jm_run_peek (run, JM_RUN_FIELD_START_TIME);
  end = jm_run_get_until (run);
  length = end - start;
  hours = get_hours (run, length);
  if (until > 0)
    end = MIN (end, until);
  for (gint64 time = MAX (start, since); start > 0 && time < end;)
    {
      gint64 next = end;
      const Tariff *tariff = find_tariff (self, words, time, &next);

      charge_part (self, &bill, tariff, run, hours,
                   (double) (next - time) / (double) length);
      time = next;
    }

  return bill;
}

/**
 * jm_price_list_get_cost:
 * @self: a list of prices
 * @run: a run
 * @since: seconds since 1970; 0 for its begin
 * @until: seconds since 1970; 0 for its end, or when it was seen last
 * @cost: (out): return location for what it cost, or cost at least
 *
 * Calculates what a run cost, or the part of it between two moments, of what it had and
 * used evenly over its time.
 *
 * Returns: whether that is all of it: a tariff is there for all of that time, and what
 *   it charges for is known of the run
 * Since: 0.1
 */
gboolean
jm_price_list_get_cost (JmPriceList *self,
                        JmRun *run,
                        gint64 since,
                        gint64 until,
                        double *cost)
{
  JmBill bill;

  g_return_val_if_fail (self != NULL, FALSE);
  g_return_val_if_fail (run != NULL, FALSE);
  g_return_val_if_fail (cost != NULL, FALSE);

  bill = jm_price_list_bill (self, run, since, until);
  *cost = bill.cost.value;

  return bill.is_whole;
}

/**
 * jm_price_list_add_cost:
 * @self: a list of prices
 * @report: a report that is not shared yet
 *
 * Sets the figure `cost` of a report, where all of it is known.
 *
 * Since: 0.1
 */
void
jm_price_list_add_cost (JmPriceList *self, JmRunReport *report)
{
  JmRun *run;
  JmBill bill;

  g_return_if_fail (self != NULL);
  g_return_if_fail (report != NULL);

  run = jm_run_report_get_run (report);
  bill = jm_price_list_bill (self, run, 0, 0);
  if (jm_run_peek (run, JM_RUN_FIELD_START_TIME) <= 0 || !bill.is_whole)
    return;
  bill.cost.value = round (bill.cost.value * COST_PARTS) / COST_PARTS;
  jm_figures_set (report->figures, JM_QUANTITY_COST, bill.cost);
}
