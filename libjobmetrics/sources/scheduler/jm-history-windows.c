/* jm-history-windows.c: a scheduler's accounting, read a window at a time
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "sources/scheduler/jm-history-windows-private.h"

#include "core/jm-error.h"

/* A `begin` up to here counts days; 100 years are enough. */
#define MAX_DAYS_BACK 36500
/* One that is too large is halved down to so many seconds. */
#define SHORTEST_WINDOW 3600

gboolean
jm_history_windows_find_begin (const JmHistoryWindows *self,
                               const char *position,
                               gint64 now,
                               gint64 *begin,
                               GError **error)
{
  guint64 seconds;

  if (position == NULL)
    {
      *begin = self->begin > MAX_DAYS_BACK
                 ? self->begin
                 : MAX (now - (gint64) self->begin * JM_HISTORY_SECONDS_OF_DAY, 1);
      return TRUE;
    }
  if (!g_ascii_string_to_unsigned (position, 10, 1, G_MAXUINT32, &seconds, NULL))
    {
      g_set_error (error, JM_ERROR, JM_ERROR_INVALID,
                   "%s: not a position, which is seconds since 1970: %s",
                   self->position_name, position);
      return FALSE;
    }

  *begin = MAX ((gint64) seconds - (gint64) self->overlap, 1);

  return TRUE;
}

static gboolean
hand_on (const JmHistoryWindows *self,
         const JmHistoryWindow *window,
         GPtrArray *batches,
         JmHistoryTake take,
         gpointer user_data,
         GError **error)
{
  g_autofree char *position = g_strdup_printf ("%" G_GINT64_FORMAT, window->end);

  jm_run_batch_set_position (g_ptr_array_index (batches, batches->len - 1),
                             self->position_name, position);
  for (guint i = 0; i < batches->len; i++)
    if (!take (g_ptr_array_index (batches, i), user_data, error))
      return FALSE;

  return TRUE;
}

/* Makes the window shorter where it is too large. */
static GPtrArray *
read_window (const JmHistoryWindows *self,
             JmHistoryWindow *window,
             GCancellable *cancellable,
             GError **error)
{
  g_autoptr (GError) problem = NULL;
  GPtrArray *batches = self->read (self->data, window, cancellable, &problem);

  while (batches == NULL && g_error_matches (problem, JM_ERROR, JM_ERROR_TOO_LARGE) &&
         window->end - window->begin > SHORTEST_WINDOW)
    {
      g_clear_error (&problem);
      window->end =
        window->begin + MAX ((window->end - window->begin) / 2, SHORTEST_WINDOW);
      batches = self->read (self->data, window, cancellable, &problem);
    }
  if (batches == NULL && self->read_by_job != NULL &&
      g_error_matches (problem, JM_ERROR, JM_ERROR_TOO_LARGE))
    return self->read_by_job (self->data, window, cancellable, error);
  if (batches == NULL)
    g_propagate_error (error, g_steal_pointer (&problem));

  return batches;
}

gboolean
jm_history_windows_read (const JmHistoryWindows *self,
                         gint64 begin,
                         gint64 now,
                         JmHistoryTake take,
                         gpointer user_data,
                         GCancellable *cancellable,
                         GError **error)
{
  /* the clock may have been set back since */
  JmHistoryWindow window = { .begin = MIN (begin, now - 1) };

  do
    {
      g_autoptr (GPtrArray) batches = NULL;

      window.end = MIN (window.begin + JM_HISTORY_SECONDS_OF_DAY, now);
      batches = read_window (self, &window, cancellable, error);
      if (batches == NULL || !hand_on (self, &window, batches, take, user_data, error))
        return FALSE;
      window.begin = MAX (window.end - self->overlap, (window.begin + window.end) / 2);
    }
  while (window.end < now);

  return TRUE;
}
