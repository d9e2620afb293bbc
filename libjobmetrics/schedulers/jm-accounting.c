/* jm-accounting.c: a scheduler's accounting, read a window at a time
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "schedulers/jm-accounting-private.h"

#include <string.h>

#include "base/jm-error.h"

#define DEFAULT_TIMEOUT_S 300
#define MAX_TIMEOUT_S 3600
#define DEFAULT_BEGIN 30
/* A `begin` up to here counts days; 100 years are enough. */
#define MAX_DAYS_BACK 36500
#define DEFAULT_OVERLAP_S 3600
#define MAX_OVERLAP_S (JM_ACCOUNTING_SECONDS_OF_DAY / 2)
/* A window of which the answer is too large, or takes too long, is halved down to so
 * many seconds. */
#define SHORTEST_WINDOW 3600

static void history_iface_init (JmHistoryInterface *iface);

G_DEFINE_ABSTRACT_TYPE_WITH_CODE (JmAccounting,
                                  jm_accounting,
                                  JM_TYPE_SOURCE,
                                  G_IMPLEMENT_INTERFACE (JM_TYPE_HISTORY,
                                                         history_iface_init))

static JmAccountingClass *
get_class (JmAccounting *self)
{
  return G_TYPE_INSTANCE_GET_CLASS (self, JM_TYPE_ACCOUNTING, JmAccountingClass);
}

void
jm_accounting_set_name (JmAccounting *self, const char *name, const char *part)
{
  g_free (self->position_name);
  self->position_name = g_strjoin ("/", name, self->cluster, part, NULL);
}

gboolean
jm_accounting_find_begin (JmAccounting *self,
                          const char *position,
                          guint overlap,
                          gint64 *begin,
                          GError **error)
{
  gint64 now = g_get_real_time () / G_USEC_PER_SEC;
  guint64 seconds;

  if (position == NULL)
    {
      *begin = self->begin > MAX_DAYS_BACK
                 ? self->begin
                 : MAX (now - (gint64) self->begin * JM_ACCOUNTING_SECONDS_OF_DAY, 1);
      return TRUE;
    }
  if (!g_ascii_string_to_unsigned (position, 10, 1, G_MAXUINT32, &seconds, NULL))
    {
      g_set_error (error, JM_ERROR, JM_ERROR_INVALID,
                   "%s: not a position, which is seconds since 1970: %s",
                   self->position_name, position);
      return FALSE;
    }

  *begin = MAX ((gint64) seconds - (gint64) overlap, 1);

  return TRUE;
}

/* Without the job and the value, which differ where the same is wrong. */
static char *
get_kind (const char *complaint)
{
  const char *colon =
    g_str_has_prefix (complaint, "job ") ? strstr (complaint, ": ") : NULL;
  const char *what = colon != NULL ? colon + strlen (": ") : complaint;

  return g_strndup (what, strcspn (what, ":"));
}

void
jm_accounting_pass_over (JmAccounting *self,
                         GPtrArray *batches,
                         guint n,
                         const char *first)
{
  g_autofree char *kind = NULL;
  g_autofree char *message = NULL;

  if (n == 0)
    return;
  kind = get_kind (first);
  message = g_strdup_printf ("%s: rows or values passed over: %u, the first: %s",
                             self->position_name, n, first);
  jm_complaints_warn (self->complaints, kind, message);
  ((JmRunBatch *) batches->pdata[0])->n_unread += n;
}

gboolean
jm_accounting_hand_on (JmAccounting *self,
                       GPtrArray *batches,
                       const char *position,
                       JmHistoryTake take,
                       gpointer user_data,
                       GError **error)
{
  jm_run_batch_set_position (g_ptr_array_index (batches, batches->len - 1),
                             self->position_name, position);
  for (guint i = 0; i < batches->len; i++)
    if (!take (g_ptr_array_index (batches, i), user_data, error))
      return FALSE;

  return TRUE;
}

static gboolean
took_too_long (JmAccounting *self, const GError *problem, gint64 began_us)
{
  return g_error_matches (problem, JM_ERROR, JM_ERROR_UNAVAILABLE) &&
         g_get_monotonic_time () - began_us >= (gint64) self->timeout * G_USEC_PER_SEC;
}

/* *@is_too_much: whether less of it may be read. */
static GPtrArray *
try_window (JmAccounting *self,
            const JmAccountingWindow *window,
            gboolean *is_too_much,
            GCancellable *cancellable,
            GError **error)
{
  gint64 began_us = g_get_monotonic_time ();
  g_autoptr (GError) problem = NULL;
  GPtrArray *batches = get_class (self)->read_jobs (self, &(JmAccountingJobs){ window },
                                                    cancellable, &problem);

  *is_too_much =
    batches == NULL && (g_error_matches (problem, JM_ERROR, JM_ERROR_TOO_LARGE) ||
                        took_too_long (self, problem, began_us));
  if (batches == NULL)
    g_propagate_error (error, g_steal_pointer (&problem));

  return batches;
}

/* --- a window, job by job --- */

/* A window of which some jobs cannot be read. */
typedef struct
{
  JmAccounting *accounting;
  const JmAccountingWindow *window;
  char **numbers; /* of its jobs */
  GPtrArray *batches;
  GCancellable *cancellable;
} JobReader;

/* Whether it may be a part of what was asked for that cannot be read. */
static gboolean
may_be_a_part (const GError *problem)
{
  return g_error_matches (problem, JM_ERROR, JM_ERROR_TOO_LARGE) ||
         g_error_matches (problem, JM_ERROR, JM_ERROR_MALFORMED) ||
         g_error_matches (problem, JM_ERROR, JM_ERROR_UNAVAILABLE);
}

static GHashTable *
list_jobs (JmAccounting *self,
           const JmAccountingWindow *window,
           GCancellable *cancellable,
           GError **error)
{
  g_autoptr (GHashTable) numbers =
    g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);

  return get_class (self)->list_jobs (self, window, numbers, cancellable, error)
           ? g_steal_pointer (&numbers)
           : NULL;
}

static gboolean
read_some (JobReader *self,
           guint first,
           guint n,
           gboolean without_steps,
           GError **error)
{
  g_autoptr (GString) numbers = g_string_new (NULL);
  JmAccountingJobs jobs = { self->window, NULL, without_steps };
  GPtrArray *batches;

  for (guint i = first; i < first + n; i++)
    g_string_append_printf (numbers, "%s%s", i > first ? "," : "", self->numbers[i]);
  jobs.numbers = numbers->str;
  batches = get_class (self->accounting)
              ->read_jobs (self->accounting, &jobs, self->cancellable, error);
  if (batches != NULL)
    g_ptr_array_extend_and_steal (self->batches, batches);

  return batches != NULL;
}

static void
complain (JobReader *self, guint i, const char *what, const GError *problem)
{
  g_autofree char *message =
    g_strdup_printf ("%s: job %s%s passed over: %s", self->accounting->position_name,
                     self->numbers[i], what, problem->message);

  jm_complaints_warn (self->accounting->complaints, self->numbers[i], message);
}

/* A job that cannot be read with its steps. Where it cannot be read without them
 * either, it is passed over, if the others still can be listed. */
static gboolean
read_without_steps (JobReader *self, guint i, const GError *problem, GError **error)
{
  g_autoptr (GError) reason = NULL;
  g_autoptr (GHashTable) others = NULL;

  if (read_some (self, i, 1, TRUE, &reason))
    {
      complain (self, i, ": its steps are", problem);
      return TRUE;
    }
  if (!may_be_a_part (reason))
    {
      g_propagate_error (error, g_steal_pointer (&reason));
      return FALSE;
    }
  others = list_jobs (self->accounting, self->window, self->cancellable, error);
  if (others != NULL)
    complain (self, i, " is", reason);

  return others != NULL;
}

/* Jobs that cannot be read together are halved. */
static gboolean
read_jobs (JobReader *self, guint first, guint n, GError **error)
{
  g_autoptr (GError) problem = NULL;

  if (read_some (self, first, n, FALSE, &problem))
    return TRUE;
  if (!may_be_a_part (problem))
    {
      g_propagate_error (error, g_steal_pointer (&problem));
      return FALSE;
    }

  return n > 1 ? read_jobs (self, first, n / 2, error) &&
                   read_jobs (self, first + n / 2, n - n / 2, error)
               : read_without_steps (self, first, problem, error);
}

/* @problem is why it was not read as a whole; and what is wrong where none of its jobs
 * can be listed or read. */
static GPtrArray *
read_by_job (JmAccounting *accounting,
             const JmAccountingWindow *window,
             const GError *problem,
             GCancellable *cancellable,
             GError **error)
{
  guint max_jobs = get_class (accounting)->max_jobs;
  g_autoptr (GHashTable) numbers = list_jobs (accounting, window, cancellable, NULL);
  g_autofree char **list = NULL;
  g_autoptr (GPtrArray) batches =
    g_ptr_array_new_with_free_func ((GDestroyNotify) jm_run_batch_unref);
  JobReader self = { accounting, window, NULL, batches, cancellable };
  guint n = 0;

  if (numbers != NULL)
    self.numbers = list = (char **) g_hash_table_get_keys_as_array (numbers, &n);
  for (guint i = 0; i < n; i += max_jobs)
    if (!read_jobs (&self, i, MIN (n - i, max_jobs), error))
      return NULL;
  if (batches->len > 0)
    return g_steal_pointer (&batches);

  g_propagate_error (error, g_error_copy (problem));

  return NULL;
}

/* Makes the window shorter where it is too much. */
static GPtrArray *
read_window (JmAccounting *self,
             JmAccountingWindow *window,
             GCancellable *cancellable,
             GError **error)
{
  g_autoptr (GError) problem = NULL;
  gboolean is_too_much;
  GPtrArray *batches = try_window (self, window, &is_too_much, cancellable, &problem);

  while (is_too_much && window->end - window->begin > SHORTEST_WINDOW)
    {
      g_clear_error (&problem);
      window->end =
        window->begin + MAX ((window->end - window->begin) / 2, SHORTEST_WINDOW);
      batches = try_window (self, window, &is_too_much, cancellable, &problem);
    }
  if (batches == NULL && get_class (self)->list_jobs != NULL && may_be_a_part (problem))
    return read_by_job (self, window, problem, cancellable, error);
  if (batches == NULL)
    g_propagate_error (error, g_steal_pointer (&problem));

  return batches;
}

/* From @begin up to now; the position stands in the last batch of each window. */
static gboolean
read_windows (JmAccounting *self,
              gint64 begin,
              JmHistoryTake take,
              gpointer user_data,
              GCancellable *cancellable,
              GError **error)
{
  gint64 now = g_get_real_time () / G_USEC_PER_SEC;
  /* the clock may have been set back since */
  JmAccountingWindow window = { .begin = MIN (begin, now - 1) };
  gint64 length = JM_ACCOUNTING_SECONDS_OF_DAY;

  do
    {
      g_autoptr (GPtrArray) batches = NULL;
      g_autofree char *position = NULL;

      window.end = MIN (window.begin + length, now);
      batches = read_window (self, &window, cancellable, error);
      position = g_strdup_printf ("%" G_GINT64_FORMAT, window.end);
      if (batches == NULL ||
          !jm_accounting_hand_on (self, batches, position, take, user_data, error))
        return FALSE;
      /* what was too much once is not tried again at once */
      length = MIN (2 * (window.end - window.begin), JM_ACCOUNTING_SECONDS_OF_DAY);
      window.begin = MAX (window.end - self->overlap, (window.begin + window.end) / 2);
    }
  while (window.end < now);

  return TRUE;
}

/* --- the history --- */

static gboolean
jm_accounting_read (JmHistory *history,
                    const char *position,
                    JmHistoryTake take,
                    gpointer user_data,
                    GCancellable *cancellable,
                    GError **error)
{
  JmAccounting *self = JM_ACCOUNTING (history);
  const JmAccountingClass *klass = get_class (self);
  gint64 begin;

  return jm_accounting_find_begin (self, position, self->overlap, &begin, error) &&
         (klass->begin == NULL ||
          klass->begin (self, take, user_data, cancellable, error)) &&
         read_windows (self, begin, take, user_data, cancellable, error);
}

static const char *
jm_accounting_get_position_name (JmHistory *history)
{
  return JM_ACCOUNTING (history)->position_name;
}

static void
history_iface_init (JmHistoryInterface *iface)
{
  iface->read = jm_accounting_read;
  iface->get_position_name = jm_accounting_get_position_name;
}

/* --- the source --- */

static void
jm_accounting_finalize (GObject *object)
{
  JmAccounting *self = JM_ACCOUNTING (object);

  g_free (self->position_name);
  jm_complaints_free (self->complaints);

  G_OBJECT_CLASS (jm_accounting_parent_class)->finalize (object);
}

static void
jm_accounting_class_init (JmAccountingClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);

  object_class->finalize = jm_accounting_finalize;

  /*
   * JmAccounting:cluster:
   *
   * Name of the cluster whose runs these are.
   *
   * Since: 0.1
   */
  jm_source_class_add_text (object_class, "cluster",
                            G_STRUCT_OFFSET (JmAccounting, cluster), NULL);

  /*
   * JmAccounting:timeout:
   *
   * Seconds that a command or an answer may take, up to its last byte.
   *
   * Since: 0.1
   */
  jm_source_class_add_uint (object_class, "timeout",
                            G_STRUCT_OFFSET (JmAccounting, timeout), 1, MAX_TIMEOUT_S,
                            DEFAULT_TIMEOUT_S);

  /*
   * JmAccounting:begin:
   *
   * From when on runs are read where none were before: so many days back, or, beyond
   * 36500, seconds since 1970.
   *
   * Since: 0.1
   */
  jm_source_class_add_uint (object_class, "begin",
                            G_STRUCT_OFFSET (JmAccounting, begin), 1, G_MAXUINT,
                            DEFAULT_BEGIN);

  /*
   * JmAccounting:overlap:
   *
   * Seconds of each reading that are read again by the next: how late the accounting
   * may learn of what has ended, such as after an outage.
   *
   * Since: 0.1
   */
  jm_source_class_add_uint (object_class, "overlap",
                            G_STRUCT_OFFSET (JmAccounting, overlap), 0, MAX_OVERLAP_S,
                            DEFAULT_OVERLAP_S);
}

static void
jm_accounting_init (JmAccounting *self)
{
  self->complaints = jm_complaints_new ();
}
