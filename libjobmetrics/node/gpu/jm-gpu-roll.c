/* jm-gpu-roll.c: the accelerators of a node
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "node/gpu/jm-gpu-roll-private.h"

#include <string.h>

#include "base/jm-error.h"
#include "core/jm-gpu-private.h"
#include "core/jm-metric-private.h"
#include "node/gpu/jm-gpu-job-private.h"

#define PPM 1e6
/* By which what was seen may fall short of the time that passed, as clocks are read. */
#define SLACK_US (G_USEC_PER_SEC / 2)

typedef struct
{
  char *name;
  JmLabels *labels; /* the name alone */
  JmGpuMapper *mapper;
  JmGpuReport *report; /* of this round */
  gint64 answer_us;    /* when that was asked for, by the monotonic clock */
} Library;

/* One device as one library reports it in this round. */
typedef struct
{
  const Library *library;
  guint device; /* its number in the report */
} View;

typedef struct
{
  JmGpu *gpu;             /* as the first library has it */
  const Library *library; /* that listed it first */
  JmLabels *labels;
  JmLabels *info;
  guint parent;
  guint subject;
  GArray *views; /* of View: of this round, the most believed first */

  const Library *summed; /* whose sums those are; NULL for none */
  JmGpuSums sums;        /* as of its last answer */
  gint64 summed_us;      /* when that was asked for */
  gint64 use_ppm;        /* from answer to answer; -1 where it is not known */
  gint64 covered_us;     /* what that covers of the time between the two */
} Entry;

struct _JmGpuRoll
{
  GPtrArray *libraries; /* of Library */
  GPtrArray *entries;   /* of Entry */
};

static void
library_free (gpointer data)
{
  Library *self = data;

  g_free (self->name);
  jm_labels_unref (self->labels);
  g_object_unref (self->mapper);
  jm_gpu_report_unref (self->report);
  g_free (self);
}

static void
entry_free (gpointer data)
{
  Entry *self = data;

  jm_gpu_unref (self->gpu);
  jm_labels_unref (self->labels);
  g_clear_pointer (&self->info, jm_labels_unref);
  g_array_unref (self->views);
  g_free (self);
}

JmGpuRoll *
jm_gpu_roll_new (void)
{
  JmGpuRoll *self = g_new0 (JmGpuRoll, 1);

  self->libraries = g_ptr_array_new_with_free_func (library_free);
  self->entries = g_ptr_array_new_with_free_func (entry_free);

  return self;
}

void
jm_gpu_roll_free (JmGpuRoll *self)
{
  g_ptr_array_unref (self->entries);
  g_ptr_array_unref (self->libraries);
  g_free (self);
}

void
jm_gpu_roll_add_library (JmGpuRoll *self, const char *name, JmGpuMapper *library)
{
  Library *added = g_new0 (Library, 1);

  added->name = g_strdup (name);
  added->labels = jm_labels_of (name, NULL);
  added->mapper = g_object_ref (library);
  added->report = jm_gpu_report_new ();
  g_ptr_array_add (self->libraries, added);
}

gboolean
jm_gpu_roll_is_empty (JmGpuRoll *self)
{
  return self->libraries->len == 0;
}

void
jm_gpu_roll_wait (JmGpuRoll *self, gint64 timeout_us)
{
  gint64 end_us = g_get_monotonic_time () + timeout_us;

  for (guint i = 0; i < self->libraries->len; i++)
    {
      const Library *library = g_ptr_array_index (self->libraries, i);

      jm_gpu_mapper_wait (library->mapper, MAX (end_us - g_get_monotonic_time (), 0));
    }
}

/* --- which devices there are --- */

static Entry *
get_entry (JmGpuRoll *self, guint gpu)
{
  return g_ptr_array_index (self->entries, gpu);
}

static gboolean
has_field (JmGpu *gpu, JmGpuField field, const char *text)
{
  const char *own = jm_gpu_get_field (gpu, field);

  return own != NULL && text != NULL && g_ascii_strcasecmp (own, text) == 0;
}

static gboolean
is_whole (JmGpu *gpu)
{
  return jm_gpu_get_field (gpu, JM_GPU_FIELD_PARENT) == NULL;
}

/* Its maker's name for it decides; else where it sits, which an instance shares with
 * its parent; else what it is called. */
static gboolean
is_same (JmGpu *a, JmGpu *b)
{
  static const JmGpuField keys[] = { JM_GPU_FIELD_UUID, JM_GPU_FIELD_PCI_ADDRESS };

  if (is_whole (a) != is_whole (b))
    return FALSE;

  for (guint i = 0; i < G_N_ELEMENTS (keys); i++)
    if (jm_gpu_get_field (a, keys[i]) != NULL &&
        jm_gpu_get_field (b, keys[i]) != NULL &&
        (keys[i] != JM_GPU_FIELD_PCI_ADDRESS || is_whole (a)))
      return has_field (a, keys[i], jm_gpu_get_field (b, keys[i]));

  return g_str_equal (jm_gpu_get_name (a), jm_gpu_get_name (b));
}

/* Of several the one seen last: an instance may go, and another come by its name. */
static guint
find_called (JmGpuRoll *self, const char *name)
{
  for (guint i = self->entries->len; i-- > 0;)
    if (g_str_equal (jm_labels_get_value (get_entry (self, i)->labels, 0), name))
      return i;

  return JM_NO_GPU;
}

/* Two libraries may have one name for two devices; the second then has its own. */
static JmLabels *
make_labels (JmGpuRoll *self, const Library *library, JmGpu *gpu)
{
  const char *name = jm_gpu_get_name (gpu);
  guint called = find_called (self, name);
  g_autofree char *qualified = NULL;

  if (called == JM_NO_GPU || get_entry (self, called)->library == library)
    return jm_labels_of (name, NULL);

  qualified = g_strconcat (library->name, ":", name, NULL);

  return jm_labels_of (qualified, NULL);
}

static guint
add_entry (JmGpuRoll *self, const Library *library, JmGpu *gpu)
{
  const char *parent = jm_gpu_get_field (gpu, JM_GPU_FIELD_PARENT);
  Entry *entry = g_new0 (Entry, 1);

  entry->gpu = jm_gpu_ref (gpu);
  entry->library = library;
  entry->labels = make_labels (self, library, gpu);
  entry->parent = parent != NULL ? find_called (self, parent) : JM_NO_GPU;
  entry->views = g_array_new (FALSE, FALSE, sizeof (View));
  entry->use_ppm = -1;
  g_ptr_array_add (self->entries, entry);

  return self->entries->len - 1;
}

static guint
take_entry (JmGpuRoll *self, const Library *library, JmGpu *gpu)
{
  for (guint i = 0; i < self->entries->len; i++)
    if (is_same (get_entry (self, i)->gpu, gpu))
      return i;

  return add_entry (self, library, gpu);
}

/* What a library knows of a device may become more, such as its driver's version. */
static void
renew (Entry *entry, JmGpu *gpu)
{
  if (entry->gpu == gpu)
    return;

  jm_gpu_unref (entry->gpu);
  entry->gpu = jm_gpu_ref (gpu);
  g_clear_pointer (&entry->info, jm_labels_unref);
}

static void
take_report (JmGpuRoll *self, const Library *library)
{
  for (guint i = 0; i < jm_gpu_report_get_n_devices (library->report); i++)
    {
      JmGpu *gpu = jm_gpu_report_get_device (library->report, i);
      Entry *entry = get_entry (self, take_entry (self, library, gpu));
      const View view = { library, i };

      if (entry->views->len == 0)
        renew (entry, gpu);
      g_array_append_val (entry->views, view);
    }
}

static void
read_library (Library *library, JmReadings *readings)
{
  g_autoptr (GError) error = NULL;
  gboolean is_up;

  jm_gpu_report_reset (library->report);
  is_up = jm_gpu_mapper_read_devices (library->mapper, library->report, &error);
  library->answer_us =
    g_get_monotonic_time () - (gint64) jm_gpu_report_get_age (library->report);
  if (!is_up && error != NULL)
    jm_readings_add_error (readings, error);
  if (jm_gpu_report_get_own_error (library->report) != NULL)
    jm_readings_add_error (readings, jm_gpu_report_get_own_error (library->report));

  jm_readings_add_labelled (readings, JM_METRIC_NODE_GPU_LIBRARY_UP, library->labels,
                            is_up);
  if (is_up)
    jm_readings_add_labelled (readings, JM_METRIC_NODE_GPU_LIBRARY_AGE, library->labels,
                              jm_gpu_report_get_age (library->report));
}

static const View *
get_view (const Entry *entry, guint i)
{
  return &g_array_index (entry->views, View, i);
}

/* Of those who report it the one that is believed; NULL where there is none. */
static const JmReading *
find_reading (const Entry *entry, JmMetric metric, const View **view)
{
  const JmReading *reading = NULL;

  for (guint i = 0; reading == NULL && i < entry->views->len; i++)
    {
      *view = get_view (entry, i);
      reading = jm_gpu_report_find ((*view)->library->report, (*view)->device, metric);
    }

  return reading;
}

/* What its library has seen of it since its last answer of a round before; of a library
 * that keeps no sums, what the answer says. */
static void
take_use (Entry *entry)
{
  const View *view = NULL;
  const JmReading *reading = find_reading (entry, JM_METRIC_GPU_UTILIZATION, &view);
  const JmGpuSums *sums =
    reading != NULL ? jm_gpu_report_get_sums (view->library->report, view->device)
                    : NULL;
  gint64 seen_us = sums != NULL && entry->summed == view->library
                     ? sums->seen_us - entry->sums.seen_us
                     : 0;

  if (seen_us > 0)
    {
      gint64 span_us = view->library->answer_us - entry->summed_us;

      entry->use_ppm = (gint64) ((double) (sums->busy_us - entry->sums.busy_us) * PPM /
                                   (double) seen_us +
                                 0.5);
      entry->covered_us = span_us > seen_us + SLACK_US ? seen_us : G_MAXINT64;
    }
  else if (seen_us < 0 || reading == NULL || sums == NULL ||
           entry->summed != view->library || entry->use_ppm < 0)
    {
      entry->use_ppm = reading != NULL ? (gint64) reading->value : -1;
      entry->covered_us = G_MAXINT64;
    }
  if (sums == NULL)
    {
      entry->summed = NULL;
      return;
    }

  if (seen_us != 0 || entry->summed != view->library)
    entry->summed_us = view->library->answer_us;
  entry->summed = view->library;
  entry->sums = *sums;
}

static void
add_errors (JmGpuReport *report, JmReadings *readings)
{
  for (guint i = 0; i < jm_gpu_report_get_n_devices (report); i++)
    if (jm_gpu_report_get_error (report, i) != NULL)
      jm_readings_add_error (readings, jm_gpu_report_get_error (report, i));
}

void
jm_gpu_roll_read (JmGpuRoll *self, JmReadings *readings)
{
  for (guint i = 0; i < self->entries->len; i++)
    g_array_set_size (get_entry (self, i)->views, 0);

  for (guint i = 0; i < self->libraries->len; i++)
    {
      Library *library = g_ptr_array_index (self->libraries, i);

      read_library (library, readings);
      add_errors (library->report, readings);
      take_report (self, library);
    }
  for (guint i = 0; i < self->entries->len; i++)
    take_use (get_entry (self, i));
}

/* --- one device --- */

guint
jm_gpu_roll_get_size (JmGpuRoll *self)
{
  return self->entries->len;
}

JmGpu *
jm_gpu_roll_get_gpu (JmGpuRoll *self, guint gpu)
{
  return get_entry (self, gpu)->gpu;
}

JmLabels *
jm_gpu_roll_get_labels (JmGpuRoll *self, guint gpu)
{
  return get_entry (self, gpu)->labels;
}

gboolean
jm_gpu_roll_is_present (JmGpuRoll *self, guint gpu)
{
  return get_entry (self, gpu)->views->len > 0;
}

void
jm_gpu_roll_set_subject (JmGpuRoll *self, guint gpu, guint subject)
{
  get_entry (self, gpu)->subject = subject;
}

guint
jm_gpu_roll_get_subject (JmGpuRoll *self, guint gpu)
{
  return get_entry (self, gpu)->subject;
}

guint
jm_gpu_roll_get_parent (JmGpuRoll *self, guint gpu)
{
  return get_entry (self, gpu)->parent;
}

gint64
jm_gpu_roll_get_value (JmGpuRoll *self, guint gpu, JmMetric metric)
{
  const View *view = NULL;
  const JmReading *reading = find_reading (get_entry (self, gpu), metric, &view);

  return reading != NULL ? (gint64) MIN (reading->value, (guint64) G_MAXINT64) : -1;
}

gint64
jm_gpu_roll_get_time (JmGpuRoll *self, guint gpu, JmMetric metric)
{
  const View *view = NULL;
  const JmReading *reading = find_reading (get_entry (self, gpu), metric, &view);

  return reading != NULL ? view->library->answer_us : 0;
}

gint64
jm_gpu_roll_get_use (JmGpuRoll *self, guint gpu, gint64 *covered_us)
{
  const Entry *entry = get_entry (self, gpu);

  *covered_us = entry->covered_us;

  return entry->use_ppm;
}

/* Reasons that are no choice of the site's and no sign of a full load: those of NVIDIA,
 * then those of Intel. */
static gboolean
is_harm (const JmReading *reading)
{
  static const char *const reasons[] = {
    "hw_slowdown", "sw_thermal", "hw_thermal",    "hw_power_brake",
    "prochot",     "thermal",    "vr_thermalert", NULL,
  };

  return reading->metric == JM_METRIC_GPU_THROTTLE && reading->value > 0 &&
         reading->labels != NULL &&
         g_strv_contains (reasons, jm_labels_get_value (reading->labels, 0));
}

gint64
jm_gpu_roll_get_throttle (JmGpuRoll *self, guint gpu, gint64 *answer_us)
{
  const View *view = NULL;
  const JmReading *readings;
  guint n;

  if (find_reading (get_entry (self, gpu), JM_METRIC_GPU_THROTTLE, &view) == NULL)
    return -1;

  *answer_us = view->library->answer_us;
  readings = jm_gpu_report_get_readings (view->library->report, view->device, &n);
  for (guint i = 0; i < n; i++)
    if (is_harm (&readings[i]))
      return 1;

  return 0;
}

static gboolean
has_reading (const View *view, const JmReading *reading)
{
  guint n_known;
  const JmReading *known =
    jm_gpu_report_get_readings (view->library->report, view->device, &n_known);

  for (guint i = 0; i < n_known; i++)
    if (known[i].metric == reading->metric && known[i].labels == reading->labels)
      return TRUE;

  return FALSE;
}

/* The first library that has a figure is believed; another may know one more of the
 * same metric, such as a further engine. */
static gboolean
is_known_before (const Entry *entry, guint view, const JmReading *reading)
{
  for (guint i = 0; i < view; i++)
    if (has_reading (get_view (entry, i), reading))
      return TRUE;

  return FALSE;
}

/* A job has its own of these, whatever the device has. */
static gboolean
is_own_of_job (JmMetric metric)
{
  return metric == JM_METRIC_GPU_PROCESSES || metric == JM_METRIC_GPU_POWER ||
         jm_gpu_totals_is_error (metric);
}

static void
add_one (const JmReading *known, JmReadings *readings)
{
  if (known->labels != NULL)
    jm_readings_add_labelled (readings, known->metric, known->labels, known->value);
  else
    jm_readings_add (readings, known->metric, known->value);
}

static void
tell (const Entry *entry, JmSubjectKind kind, JmReadings *readings)
{
  for (guint i = 0; i < entry->views->len; i++)
    {
      const View *view = get_view (entry, i);
      guint n_known;
      const JmReading *known =
        jm_gpu_report_get_readings (view->library->report, view->device, &n_known);

      for (guint j = 0; j < n_known; j++)
        if (jm_metric_is_about (known[j].metric, kind) &&
            known[j].metric != JM_METRIC_GPU_ENERGY &&
            !(kind == JM_SUBJECT_KIND_JOB_GPU && is_own_of_job (known[j].metric)) &&
            !is_known_before (entry, i, &known[j]))
          add_one (&known[j], readings);
    }
}

/* What the first library does not know of the device, another may. */
static const char *
get_field (const Entry *entry, JmGpuField field)
{
  const char *text = jm_gpu_get_field (entry->gpu, field);

  for (guint i = 0; text == NULL && i < entry->views->len; i++)
    {
      const View *view = get_view (entry, i);

      text = jm_gpu_get_field (jm_gpu_report_get_device (view->library->report,
                                                         view->device),
                               field);
    }

  return text != NULL ? text : "";
}

static JmLabels *
take_info (Entry *entry)
{
  const char *values[JM_N_GPU_FIELDS + 1] = { NULL };

  for (guint i = 0; entry->info == NULL && i < JM_N_GPU_FIELDS; i++)
    values[i] = get_field (entry, i);
  if (entry->info == NULL)
    entry->info = jm_labels_new (values);

  return entry->info;
}

void
jm_gpu_roll_tell (JmGpuRoll *self, guint gpu, JmReadings *readings)
{
  Entry *entry = get_entry (self, gpu);

  jm_readings_add_labelled (readings, JM_METRIC_GPU_INFO, take_info (entry), 1);
  tell (entry, JM_SUBJECT_KIND_GPU, readings);
}

void
jm_gpu_roll_tell_of_job (JmGpuRoll *self, guint gpu, JmReadings *readings)
{
  tell (get_entry (self, gpu), JM_SUBJECT_KIND_JOB_GPU, readings);
}

void
jm_gpu_roll_list_errors (JmGpuRoll *self, guint gpu, GArray *errors)
{
  const Entry *entry = get_entry (self, gpu);

  for (guint i = 0; i < entry->views->len; i++)
    {
      const View *view = get_view (entry, i);
      guint n;
      const JmReading *known =
        jm_gpu_report_get_readings (view->library->report, view->device, &n);

      for (guint j = 0; j < n; j++)
        if (jm_gpu_totals_is_error (known[j].metric) && known[j].labels != NULL &&
            !is_known_before (entry, i, &known[j]))
          g_array_append_val (errors, known[j]);
    }
}

static const JmGpuProcess *
find_processes (const Entry *entry, guint *n_processes, const View **view)
{
  *n_processes = 0;
  for (guint i = 0; i < entry->views->len; i++)
    {
      const JmGpuProcess *processes;

      *view = get_view (entry, i);
      processes = jm_gpu_report_get_processes ((*view)->library->report,
                                               (*view)->device, n_processes);
      if (*n_processes > 0)
        return processes;
    }

  return NULL;
}

const JmGpuProcess *
jm_gpu_roll_get_processes (JmGpuRoll *self, guint gpu, guint *n_processes)
{
  const View *view = NULL;

  return find_processes (get_entry (self, gpu), n_processes, &view);
}

gint64
jm_gpu_roll_get_processes_time (JmGpuRoll *self, guint gpu)
{
  guint n_processes;
  const View *view = NULL;

  return find_processes (get_entry (self, gpu), &n_processes, &view) != NULL
           ? view->library->answer_us
           : 0;
}

const char *
jm_gpu_roll_get_key (JmGpuRoll *self, guint gpu)
{
  JmGpu *known = get_entry (self, gpu)->gpu;
  const char *uuid = jm_gpu_get_field (known, JM_GPU_FIELD_UUID);

  return uuid != NULL ? uuid : jm_gpu_get_name (known);
}

/* --- looking one up --- */

static gboolean
has_number (JmGpu *gpu, const char *text)
{
  guint major, minor;
  g_autofree char *number = NULL;

  if (!jm_gpu_get_device_number (gpu, &major, &minor))
    return FALSE;
  number = g_strdup_printf ("%u:%u", major, minor);

  return g_str_equal (number, text);
}

static gboolean
is_called (const Entry *entry, const char *device, const char *address)
{
  return g_str_equal (jm_labels_get_value (entry->labels, 0), device) ||
         has_field (entry->gpu, JM_GPU_FIELD_UUID, device) ||
         has_number (entry->gpu, device) ||
         (is_whole (entry->gpu) &&
          has_field (entry->gpu, JM_GPU_FIELD_PCI_ADDRESS, address));
}

/* One that is there is meant before one that was. */
guint
jm_gpu_roll_find (JmGpuRoll *self, const char *device)
{
  g_autofree char *address = jm_gpu_format_pci_address (device);
  guint found = JM_NO_GPU;

  for (guint i = 0; i < self->entries->len; i++)
    {
      if (!is_called (get_entry (self, i), device, address))
        continue;
      if (jm_gpu_roll_is_present (self, i))
        return i;
      found = i;
    }

  return found;
}

guint
jm_gpu_roll_find_of_library (JmGpuRoll *self, gpointer library, guint index)
{
  for (guint i = 0; i < self->entries->len; i++)
    {
      const Entry *entry = get_entry (self, i);

      for (guint j = 0; j < entry->views->len; j++)
        {
          const View *view = get_view (entry, j);
          JmGpu *gpu = jm_gpu_report_get_device (view->library->report, view->device);

          if ((gpointer) view->library->mapper == library && is_whole (gpu) &&
              jm_gpu_get_index (gpu) == index)
            return i;
        }
    }

  return JM_NO_GPU;
}
