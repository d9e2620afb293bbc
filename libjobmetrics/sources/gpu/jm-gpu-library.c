/* jm-gpu-library.c: accelerators as a maker's library reports them
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "sources/gpu/jm-gpu-library-private.h"

#include <string.h>

#include "base/jm-error.h"
#include "core/jm-gpu-private.h"
#include "core/jm-gpu-report-private.h"
#include "host/jm-source-private.h"
#include "io/jm-follower-private.h"
#include "sources/gpu/jm-gpu-levels-private.h"

#define DEFAULT_INTERVAL_S 5.0
#define DEFAULT_TIMEOUT_S 2.0
#define MIN_S 0.01
#define MAX_S 3600.0
/* How many intervals and time-outs an answer serves for. */
#define STALE_INTERVALS 3
#define STALE_TIMEOUTS 2
/* Instances come and go with an administrator's word. */
#define ROUNDS_BETWEEN_LISTS 12
#define GOLDEN 0.6180339887498949
/* What the end waits for the library to be stopped. */
#define STOP_US 100000

/* A device as the thread that asks has it. */
typedef struct
{
  JmGpu *gpu;
  JmCall *stuck; /* a question that has not returned, or NULL */
  char *since;   /* when it was asked, for people */
  gboolean is_down;
  JmGpuLevels levels;
} Device;

/* A question. All that its answer needs is its own: who asked may have given up. */
typedef struct
{
  JmGpuLibrary *library;
  guint device;
  GPtrArray *gpus;     /* what list() fills */
  JmGpu *gpu;          /* whom read() asks */
  JmGpuReport *report; /* what read() fills */
  gboolean is_answered;
  GError *error;
} Question;

/*
 * JmGpuLibrary:
 *
 * Accelerators as the library of their maker reports them: the abstract class of those
 * that jobmetrics knows. It asks in a thread of its own, every `interval` seconds, and
 * returns the last answer with its age. A device that does not answer within `timeout`
 * seconds is down until its call returns, and holds up nothing else.
 *
 * Since: 0.1
 */
typedef struct
{
  double interval_s;
  double timeout_s;
  char *path;
  char *missing; /* functions that the library lacks, or NULL */
  JmFollower *follower;

  /* of the thread that asks, and of who opens the library before there is one */
  JmCallThread *thread;
  GPtrArray *devices;  /* of Device; NULL before they were listed */
  JmCall *listing;     /* one that has not returned, or NULL */
  char *listing_since; /* when it was asked, for people */
  gboolean must_list;
  guint n_rounds;       /* since they were listed */
  gint64 due_us;        /* the next reading, by the monotonic clock */
  double offset;        /* of the last look in its span, 0 to 1 */
  gboolean needs_looks; /* some device's driver keeps no samples */
} JmGpuLibraryPrivate;

static void gpu_mapper_iface_init (JmGpuMapperInterface *iface);

G_DEFINE_ABSTRACT_TYPE_WITH_CODE (JmGpuLibrary,
                                  jm_gpu_library,
                                  JM_TYPE_SOURCE,
                                  G_ADD_PRIVATE (JmGpuLibrary)
                                    G_IMPLEMENT_INTERFACE (JM_TYPE_GPU_MAPPER,
                                                           gpu_mapper_iface_init))

static JmGpuLibraryPrivate *
get_private (gpointer self)
{
  return jm_gpu_library_get_instance_private (JM_GPU_LIBRARY (self));
}

static gint64
to_us (double seconds)
{
  return (gint64) (seconds * G_USEC_PER_SEC);
}

/* --- one question --- */

static void
question_free (gpointer data)
{
  Question *self = data;

  g_clear_pointer (&self->gpus, g_ptr_array_unref);
  g_clear_pointer (&self->gpu, jm_gpu_unref);
  g_clear_pointer (&self->report, jm_gpu_report_unref);
  g_clear_error (&self->error);
  g_free (self);
}

static void
make_list (gpointer data)
{
  Question *self = data;

  self->is_answered = JM_GPU_LIBRARY_GET_CLASS (self->library)
                        ->list (self->library, self->gpus, &self->error);
}

static void
make_reading (gpointer data)
{
  Question *self = data;

  self->is_answered =
    JM_GPU_LIBRARY_GET_CLASS (self->library)
      ->read (self->library, self->device, self->gpu, self->report, &self->error);
}

static void
make_look (gpointer data)
{
  Question *self = data;

  JM_GPU_LIBRARY_GET_CLASS (self->library)
    ->look (self->library, self->device, self->gpu, self->report);
}

static void
make_stop (gpointer data)
{
  Question *self = data;

  JM_GPU_LIBRARY_GET_CLASS (self->library)->stop (self->library);
}

static JmCall *
question_new (JmGpuLibrary *library, JmCallFunc func, Question **self)
{
  *self = g_new0 (Question, 1);
  (*self)->library = library;

  return jm_call_new (func, *self, question_free);
}

static gboolean
run (JmGpuLibraryPrivate *priv, JmCall *call, GCancellable *cancellable)
{
  return jm_call_thread_run (priv->thread, call, to_us (priv->timeout_s), cancellable);
}

/* An hour of day does not change from round to round, as a number of seconds would. */
static char *
format_now (void)
{
  g_autoptr (GDateTime) now = g_date_time_new_now_utc ();

  return g_date_time_format (now, "%Y-%m-%dT%H:%M:%SZ");
}

/* --- which devices there are --- */

static Device *
get_device (JmGpuLibraryPrivate *priv, guint i)
{
  return g_ptr_array_index (priv->devices, i);
}

static void
device_free (gpointer data)
{
  Device *self = data;

  jm_gpu_unref (self->gpu);
  g_clear_pointer (&self->stuck, jm_call_unref);
  g_free (self->since);
  g_free (self);
}

static gboolean
is_same (JmGpu *a, JmGpu *b)
{
  return g_str_equal (jm_gpu_get_name (a), jm_gpu_get_name (b)) &&
         g_strcmp0 (jm_gpu_get_field (a, JM_GPU_FIELD_UUID),
                    jm_gpu_get_field (b, JM_GPU_FIELD_UUID)) == 0;
}

/* What is known of a device goes on as long as it is listed. */
static void
take_state (Device *self, JmGpuLibraryPrivate *priv)
{
  for (guint i = 0; priv->devices != NULL && i < priv->devices->len; i++)
    {
      Device *before = get_device (priv, i);

      if (!is_same (self->gpu, before->gpu))
        continue;

      self->is_down = before->is_down;
      self->levels = before->levels;
      self->stuck = g_steal_pointer (&before->stuck);
      self->since = g_steal_pointer (&before->since);
    }
}

static void
take_devices (JmGpuLibraryPrivate *priv, GPtrArray *gpus)
{
  GPtrArray *devices = g_ptr_array_new_with_free_func (device_free);

  for (guint i = 0; i < gpus->len; i++)
    {
      Device *device = g_new0 (Device, 1);

      device->gpu = jm_gpu_ref (g_ptr_array_index (gpus, i));
      take_state (device, priv);
      g_ptr_array_add (devices, device);
    }
  g_clear_pointer (&priv->devices, g_ptr_array_unref);
  priv->devices = devices;
  priv->must_list = FALSE;
  priv->n_rounds = 0;
}

/* Of a listing that has returned. */
static gboolean
take_list (JmGpuLibraryPrivate *priv, GError **error)
{
  g_autoptr (JmCall) call = g_steal_pointer (&priv->listing);
  Question *question = jm_call_get_data (call);

  if (question->is_answered)
    take_devices (priv, question->gpus);
  else
    g_propagate_error (error, g_steal_pointer (&question->error));

  return question->is_answered;
}

static gboolean
fail_listing (JmGpuLibraryPrivate *priv, GError **error)
{
  g_set_error (error, JM_ERROR, JM_ERROR_UNAVAILABLE,
               "no list of devices since %s: the driver's call does not return",
               priv->listing_since);

  return FALSE;
}

static gboolean
start_list (JmGpuLibrary *self, GCancellable *cancellable, GError **error)
{
  JmGpuLibraryPrivate *priv = get_private (self);
  Question *question;

  priv->listing = question_new (self, make_list, &question);
  question->gpus = g_ptr_array_new_with_free_func ((GDestroyNotify) jm_gpu_unref);
  g_free (priv->listing_since);
  priv->listing_since = format_now ();

  return run (priv, priv->listing, cancellable) ? take_list (priv, error)
                                                : fail_listing (priv, error);
}

static gboolean
is_any_stuck (JmGpuLibraryPrivate *priv)
{
  for (guint i = 0; priv->devices != NULL && i < priv->devices->len; i++)
    if (get_device (priv, i)->stuck != NULL)
      return TRUE;

  return FALSE;
}

/* Not while a device's call has not returned, which would be forgotten. */
static gboolean
is_list_due (JmGpuLibraryPrivate *priv)
{
  return priv->devices == NULL ||
         (!is_any_stuck (priv) &&
          (priv->must_list || priv->n_rounds >= ROUNDS_BETWEEN_LISTS));
}

/* Has a list, if an older one. */
static gboolean
list (JmGpuLibrary *self, GCancellable *cancellable, GError **error)
{
  JmGpuLibraryPrivate *priv = get_private (self);

  if (priv->listing != NULL && !jm_call_is_over (priv->listing))
    return fail_listing (priv, error);
  if (priv->listing != NULL && !is_any_stuck (priv))
    return take_list (priv, error);

  return priv->listing != NULL || !is_list_due (priv) ||
         start_list (self, cancellable, error);
}

/* --- what they do --- */

/* A lost device may come back as another, so the list is made anew once. */
static void
tell_state (JmGpuLibraryPrivate *priv,
            Device *device,
            JmGpuReport *report,
            const GError *error)
{
  if (error != NULL)
    jm_gpu_report_add_error (report, error);
  jm_gpu_report_add (report, JM_METRIC_GPU_UP, error == NULL ? 1 : 0);
  if (error != NULL && !device->is_down)
    priv->must_list = TRUE;
  device->is_down = error != NULL;
}

static void
tell_stuck (JmGpuLibraryPrivate *priv, Device *device, JmGpuReport *report)
{
  g_autoptr (GError) error =
    g_error_new (JM_ERROR, JM_ERROR_UNAVAILABLE,
                 "%s: no answer since %s: the driver's call does not return",
                 jm_gpu_get_name (device->gpu), device->since);

  jm_gpu_report_add_device (report, device->gpu);
  tell_state (priv, device, report, error);
}

/* --- one device --- */

/* The call, whose data is the question, or NULL where it did not return in time. */
static JmCall *
ask_device (JmGpuLibrary *self, guint i, JmCallFunc func, GCancellable *cancellable)
{
  JmGpuLibraryPrivate *priv = get_private (self);
  Device *device = get_device (priv, i);
  Question *question;
  JmCall *call = question_new (self, func, &question);

  question->device = i;
  question->gpu = jm_gpu_ref (device->gpu);
  question->report = jm_gpu_report_new ();
  jm_gpu_report_add_device (question->report, device->gpu);
  if (run (priv, call, cancellable))
    return call;

  device->stuck = call;
  jm_gpu_levels_break (&device->levels);
  g_free (device->since);
  device->since = format_now ();

  return NULL;
}

static void
read_device (JmGpuLibrary *self,
             guint i,
             JmGpuReport *report,
             GCancellable *cancellable)
{
  JmGpuLibraryPrivate *priv = get_private (self);
  Device *device = get_device (priv, i);
  g_autoptr (JmCall) call = ask_device (self, i, make_reading, cancellable);
  Question *question;

  if (call == NULL)
    {
      tell_stuck (priv, device, report);
      return;
    }

  question = jm_call_get_data (call);
  jm_gpu_levels_take (&device->levels, question->report);
  if (question->error != NULL)
    jm_gpu_levels_break (&device->levels);
  tell_state (priv, device, question->report, question->error);
  jm_gpu_report_append (report, question->report);
}

static gboolean
is_stuck (Device *device)
{
  if (device->stuck != NULL && jm_call_is_over (device->stuck))
    g_clear_pointer (&device->stuck, jm_call_unref);

  return device->stuck != NULL;
}

static void
read_or_skip (JmGpuLibrary *self,
              guint i,
              JmGpuReport *report,
              GCancellable *cancellable)
{
  JmGpuLibraryPrivate *priv = get_private (self);
  Device *device = get_device (priv, i);

  if (is_stuck (device))
    tell_stuck (priv, device, report);
  else
    read_device (self, i, report, cancellable);
}

/* FALSE where no device has a level that needs it. */
static gboolean
look (JmGpuLibrary *self, GCancellable *cancellable)
{
  JmGpuLibraryPrivate *priv = get_private (self);
  gboolean is_needed = FALSE;

  for (guint i = 0; i < priv->devices->len && !g_cancellable_is_cancelled (cancellable);
       i++)
    {
      Device *device = get_device (priv, i);
      g_autoptr (JmCall) call = NULL;

      if (device->is_down || is_stuck (device))
        continue;
      call = ask_device (self, i, make_look, cancellable);
      if (call != NULL)
        is_needed |= jm_gpu_levels_add (&device->levels,
                                        ((Question *) jm_call_get_data (call))->report);
    }

  return is_needed;
}

/* FALSE where @cancellable is cancelled before. */
static gboolean
wait_until (gint64 due_us, GCancellable *cancellable)
{
  gint64 rest_us = due_us - g_get_monotonic_time ();
  GPollFD fd;

  if (rest_us > 0 && g_cancellable_make_pollfd (cancellable, &fd))
    {
      g_poll (&fd, 1, (gint) MIN ((rest_us + 999) / 1000, G_MAXINT));
      g_cancellable_release_fd (cancellable);
    }

  return !g_cancellable_is_cancelled (cancellable);
}

/* At which moment of a span to look. Steps of the golden ratio meet all moments of a
 * load's period alike, whatever that is, and sooner than chance would. */
static gint64
next_offset_us (JmGpuLibraryPrivate *priv)
{
  priv->offset += GOLDEN;
  if (priv->offset >= 1)
    priv->offset -= 1;

  return (gint64) (priv->offset * JM_GPU_LOOK_US);
}

static gboolean
look_until_due (JmGpuLibrary *self, GCancellable *cancellable)
{
  JmGpuLibraryPrivate *priv = get_private (self);
  gint64 span_us = priv->due_us - to_us (priv->interval_s);

  while (priv->needs_looks && span_us + JM_GPU_LOOK_US <= priv->due_us)
    {
      if (!wait_until (span_us + next_offset_us (priv), cancellable))
        return FALSE;
      priv->needs_looks = look (self, cancellable);
      /* the spans that a slow device has cost are over */
      span_us +=
        JM_GPU_LOOK_US * MAX ((g_get_monotonic_time () - span_us) / JM_GPU_LOOK_US, 1);
    }

  return wait_until (priv->due_us, cancellable);
}

/* --- all of them --- */

static gpointer
ask (gpointer self, GCancellable *cancellable, GError **error)
{
  JmGpuLibraryPrivate *priv = get_private (self);
  g_autoptr (JmGpuReport) report = jm_gpu_report_new ();
  g_autoptr (GError) reason = NULL;
  gint64 began_us;

  if (!look_until_due (self, cancellable))
    return NULL;

  priv->due_us = 0;
  began_us = g_get_monotonic_time ();
  if (!list (self, cancellable, &reason))
    {
      /* one that hangs holds up no device that is known */
      if (priv->listing == NULL || priv->devices == NULL)
        {
          g_propagate_error (error, g_steal_pointer (&reason));
          return NULL;
        }
      jm_gpu_report_add_error (report, reason);
    }

  priv->n_rounds++;
  for (guint i = 0; i < priv->devices->len; i++)
    if (g_cancellable_set_error_if_cancelled (cancellable, error))
      return NULL;
    else
      read_or_skip (self, i, report, cancellable);
  priv->due_us = began_us + to_us (priv->interval_s);
  priv->needs_looks = JM_GPU_LIBRARY_GET_CLASS (self)->look != NULL;

  return g_steal_pointer (&report);
}

/* --- the mapper --- */

static gboolean
fail (GError *reason, GError **error)
{
  if (reason != NULL)
    g_propagate_error (error, reason);
  else
    g_set_error (error, JM_ERROR, JM_ERROR_UNAVAILABLE, "no answer yet");

  return FALSE;
}

static gboolean
is_stale (JmGpuLibraryPrivate *priv, gint64 age_us)
{
  return age_us >
         to_us (STALE_INTERVALS * priv->interval_s + STALE_TIMEOUTS * priv->timeout_s);
}

static gboolean
jm_gpu_library_read_devices (JmGpuMapper *mapper, JmGpuReport *report, GError **error)
{
  JmGpuLibraryPrivate *priv = get_private (mapper);
  g_autoptr (GError) reason = NULL;
  g_autoptr (JmGpuReport) answer = NULL;
  gint64 age_us = 0;

  if (priv->follower != NULL)
    answer = jm_follower_get_latest (priv->follower, &age_us, &reason);
  if (answer == NULL || reason != NULL || is_stale (priv, age_us))
    return fail (g_steal_pointer (&reason), error);

  jm_gpu_report_append (report, answer);
  jm_gpu_report_set_age (report, (guint64) age_us);

  return TRUE;
}

static gboolean
jm_gpu_library_wait (JmGpuMapper *mapper, gint64 timeout_us)
{
  JmGpuLibraryPrivate *priv = get_private (mapper);

  return priv->follower != NULL &&
         jm_follower_wait_for_rounds (priv->follower, 1, timeout_us);
}

static void
gpu_mapper_iface_init (JmGpuMapperInterface *iface)
{
  iface->read_devices = jm_gpu_library_read_devices;
  iface->wait = jm_gpu_library_wait;
}

/* --- the source --- */

static gpointer
answer_ref (gpointer answer)
{
  return jm_gpu_report_ref (answer);
}

static void
answer_unref (gpointer answer)
{
  jm_gpu_report_unref (answer);
}

/* One that takes longer to start up has its answer later. */
static gboolean
has_devices (JmGpuLibrary *self, GError **error)
{
  JmGpuLibraryPrivate *priv = get_private (self);
  g_autoptr (GError) reason = NULL;

  if (!list (self, NULL, &reason) && priv->listing == NULL)
    g_propagate_error (error, g_steal_pointer (&reason));
  else if (priv->devices != NULL && priv->devices->len == 0)
    g_set_error (error, JM_ERROR, JM_ERROR_ABSENT, "%s: it knows no device",
                 JM_GPU_LIBRARY_GET_CLASS (self)->thread_name);
  else
    return TRUE;

  g_clear_pointer (&priv->devices, g_ptr_array_unref);
  return FALSE;
}

static gboolean
jm_gpu_library_open (JmSource *source, GError **error)
{
  JmGpuLibraryPrivate *priv = get_private (source);
  JmGpuLibraryClass *klass = JM_GPU_LIBRARY_GET_CLASS (source);
  JmFollowerPace pace;

  if (!klass->load (JM_GPU_LIBRARY (source), error))
    return FALSE;

  if (priv->thread == NULL)
    priv->thread = jm_call_thread_new (klass->thread_name);
  if (!has_devices (JM_GPU_LIBRARY (source), error))
    return FALSE;

  /* a round begins with looks, and reads at its end */
  pace = jm_follower_pace_of_interval (1);
  pace.retry_us = to_us (priv->interval_s);
  priv->follower =
    jm_follower_new (klass->thread_name, &pace, ask, source, answer_ref, answer_unref);

  return TRUE;
}

/* The object lives on for calls that have not returned. */
static gboolean
leave_behind (JmGpuLibrary *self)
{
  JmGpuLibraryPrivate *priv = get_private (self);
  gboolean is_any = FALSE;

  if (priv->listing != NULL && !jm_call_is_over (priv->listing))
    {
      jm_call_hold (priv->listing, G_OBJECT (self));
      is_any = TRUE;
    }
  for (guint i = 0; priv->devices != NULL && i < priv->devices->len; i++)
    if (get_device (priv, i)->stuck != NULL)
      {
        jm_call_hold (get_device (priv, i)->stuck, G_OBJECT (self));
        is_any = TRUE;
      }

  return is_any;
}

static void
stop (JmGpuLibrary *self)
{
  JmGpuLibraryPrivate *priv = get_private (self);
  Question *question;
  g_autoptr (JmCall) call = question_new (self, make_stop, &question);

  if (!jm_call_thread_run (priv->thread, call, STOP_US, NULL))
    jm_call_hold (call, G_OBJECT (self));
}

/* Before a subclass finalizes what the threads that ask still use. */
static void
jm_gpu_library_dispose (GObject *object)
{
  JmGpuLibraryPrivate *priv = get_private (object);

  g_clear_pointer (&priv->follower, jm_follower_free);
  if (priv->thread != NULL && !leave_behind (JM_GPU_LIBRARY (object)) &&
      JM_GPU_LIBRARY_GET_CLASS (object)->stop != NULL)
    stop (JM_GPU_LIBRARY (object));
  g_clear_pointer (&priv->thread, jm_call_thread_free);
  g_clear_pointer (&priv->listing, jm_call_unref);
  g_clear_pointer (&priv->devices, g_ptr_array_unref);

  G_OBJECT_CLASS (jm_gpu_library_parent_class)->dispose (object);
}

static void
jm_gpu_library_finalize (GObject *object)
{
  JmGpuLibraryPrivate *priv = get_private (object);

  g_free (priv->missing);
  g_free (priv->listing_since);

  G_OBJECT_CLASS (jm_gpu_library_parent_class)->finalize (object);
}

static void
install_properties (GObjectClass *object_class)
{
  /*
   * JmGpuLibrary:interval:
   *
   * How often the devices are asked, seconds.
   *
   * Since: 0.1
   */
  jm_source_class_add_double (object_class, "interval",
                              G_PRIVATE_OFFSET (JmGpuLibrary, interval_s), MIN_S, MAX_S,
                              DEFAULT_INTERVAL_S);

  /*
   * JmGpuLibrary:timeout:
   *
   * For how long a device is waited for at most, seconds; then the others are asked
   * without it.
   *
   * Since: 0.1
   */
  jm_source_class_add_double (object_class, "timeout",
                              G_PRIVATE_OFFSET (JmGpuLibrary, timeout_s), MIN_S, MAX_S,
                              DEFAULT_TIMEOUT_S);

  /*
   * JmGpuLibrary:library:
   *
   * File name of the library, where it is not the usual one; also on a copied tree,
   * whose machine has no driver here.
   *
   * Since: 0.1
   */
  jm_source_class_add_text (object_class, "library",
                            G_PRIVATE_OFFSET (JmGpuLibrary, path), NULL);
}

static void
jm_gpu_library_class_init (JmGpuLibraryClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);

  object_class->dispose = jm_gpu_library_dispose;
  object_class->finalize = jm_gpu_library_finalize;
  JM_SOURCE_CLASS (klass)->open = jm_gpu_library_open;

  install_properties (object_class);
}

static void
jm_gpu_library_init (JmGpuLibrary *self)
{
}

const char *
jm_gpu_library_get_path (JmGpuLibrary *self)
{
  return get_private (self)->path;
}

JmDynamicLibrary *
jm_gpu_library_load (JmGpuLibrary *self,
                     const char *const *sonames,
                     const JmDynamicSymbol *symbols,
                     guint n_symbols,
                     gpointer table,
                     GError **error)
{
  JmGpuLibraryPrivate *priv = get_private (self);
  JmDynamicLibrary *library =
    jm_dynamic_library_open (jm_source_get_host (JM_SOURCE (self)),
                             jm_gpu_library_get_path (self), sonames, symbols,
                             n_symbols, table, error);

  g_clear_pointer (&priv->missing, g_free);
  if (library != NULL && jm_dynamic_library_get_missing (library)[0] != NULL)
    priv->missing =
      g_strjoinv (" ", (char **) (gpointer) jm_dynamic_library_get_missing (library));

  return library;
}

char **
jm_gpu_library_list_facts (JmGpuLibrary *self)
{
  JmGpuLibraryPrivate *priv = get_private (self);
  JmGpuLibraryClass *klass = JM_GPU_LIBRARY_GET_CLASS (self);
  g_autoptr (GStrvBuilder) facts = g_strv_builder_new ();
  g_autofree char *lacks = NULL;

  if (klass->add_facts != NULL)
    klass->add_facts (self, facts);
  if (priv->missing != NULL)
    {
      lacks = g_strconcat ("the library lacks ", priv->missing, NULL);
      g_strv_builder_add (facts, lacks);
    }

  return g_strv_builder_end (facts);
}
