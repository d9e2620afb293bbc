/* jm-examine-gpus.c: where a node's accelerators are read, and whose they are
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "doctor/jm-examination-private.h"

#include "base/jm-error.h"
#include "base/jm-number-private.h"
#include "core/jm-gpu-grants-private.h"
#include "core/jm-gpu-report-private.h"
#include "node/jm-node-private.h"
#include "registry/jm-registry-private.h"
#include "sources/gpu/jm-gpu-library-private.h"
#include "sources/gpu/jm-gpu-types-private.h"

#define PCI_DEVICES "/sys/bus/pci/devices"
#define MAX_ID 32

/* How long a driver may take that has to wake its devices up. */
#define PATIENCE_MS 6000

/* Classes of PCI devices: display controllers, and among them those without a display,
 * which no board has for its console; and processing accelerators. */
#define CLASS_DISPLAY 0x03
#define CLASS_3D 0x0302
#define CLASS_ACCELERATOR 0x12

#define VENDOR_NVIDIA 0x10de
#define VENDOR_AMD 0x1002

#define GIVE_EVIDENCE                                                                  \
 "ConstrainDevices=yes in Slurm's cgroup.conf, or a prolog of jobmetrics that writes " \
 "the job's devices, says it by root's word"

/* How long a driver may take that has to wake its devices up. */
#define PATIENCE_US (6 * G_USEC_PER_SEC)

/* What a source gave. */
typedef struct
{
  char *name;
  JmSource *source;
  gboolean is_map;     /* has no devices, but whose they are */
  JmGpuReport *report; /* empty where it gave nothing */
  GPtrArray *errors;   /* of GError: why it gave nothing, or not all */
} Trial;

/* --- what there is on the bus --- */

static gboolean
read_id (JmHost *host, const char *device, const char *file, guint64 *value)
{
  g_autofree char *path = g_strconcat (PCI_DEVICES "/", device, "/", file, NULL);
  gsize length;
  g_autofree char *text = jm_host_read_all (host, path, MAX_ID, &length, NULL);

  return text != NULL && g_str_has_prefix (g_strchomp (text), "0x") &&
         g_ascii_string_to_unsigned (text + 2, 16, 0, G_MAXUINT32, value, NULL);
}

static gboolean
is_accelerator (JmHost *host, const char *device, guint64 *vendor)
{
  guint64 class;

  if (!read_id (host, device, "class", &class) ||
      !read_id (host, device, "vendor", vendor))
    return FALSE;
  if (class >> 16 == CLASS_ACCELERATOR || class >> 8 == CLASS_3D)
    return TRUE;

  return class >> 16 == CLASS_DISPLAY &&
         (*vendor == VENDOR_NVIDIA || *vendor == VENDOR_AMD);
}

static gboolean
tells_of (const Trial *trial, const char *address)
{
  for (guint i = 0; i < jm_gpu_report_get_n_devices (trial->report); i++)
    if (g_strcmp0 (jm_gpu_get_field (jm_gpu_report_get_device (trial->report, i),
                                     JM_GPU_FIELD_PCI_ADDRESS),
                   address) == 0)
      return TRUE;

  return FALSE;
}

static gboolean
is_told_of (const GPtrArray *trials, const char *address)
{
  for (guint i = 0; i < trials->len; i++)
    if (tells_of (trials->pdata[i], address))
      return TRUE;

  return FALSE;
}

static const char *
get_remedy (guint64 vendor)
{
  switch (vendor)
    {
    case VENDOR_NVIDIA:
      return "NVIDIA's driver with its library libnvidia-ml.so.1, and a unit that may "
             "open /dev/nvidiactl and /dev/nvidia*";
    case VENDOR_AMD:
      return "modprobe amdgpu";
    default:
      return "The kernel's driver of the device";
    }
}

/* The first stands for all: they are alike on most nodes. */
static void
examine_bus (JmExamination *self, const GPtrArray *trials)
{
  g_auto (GStrv) devices = jm_host_list_dir (self->host, PCI_DEVICES, NULL);

  for (guint i = 0; devices != NULL && devices[i] != NULL; i++)
    {
      guint64 vendor;

      if (!is_accelerator (self->host, devices[i], &vendor) ||
          is_told_of (trials, devices[i]))
        continue;

      jm_examination_add (self, JM_TOPIC_GPU_MISSING, JM_SEVERITY_NOTE,
                          get_remedy (vendor),
                          "%s looks like an accelerator, and no library or driver "
                          "reports it",
                          devices[i]);
      return;
    }
}

/* --- libraries --- */

static void
take_error (Trial *self, const GError *error)
{
  if (error != NULL)
    g_ptr_array_add (self->errors, g_error_copy (error));
}

static void
read_once (Trial *self, JmGpuMapper *mapper)
{
  g_autoptr (GError) error = NULL;

  jm_gpu_mapper_wait (mapper, PATIENCE_US);
  jm_gpu_mapper_read_devices (mapper, self->report, &error);
  take_error (self, error);
  take_error (self, jm_gpu_report_get_own_error (self->report));
  for (guint i = 0; i < jm_gpu_report_get_n_devices (self->report); i++)
    take_error (self, jm_gpu_report_get_error (self->report, i));
}

/* Opens @source where it is not, and waits for its first answer. */
static Trial *
trial_new (const char *name, JmSource *source)
{
  Trial *self = g_new0 (Trial, 1);
  g_autoptr (GError) error = NULL;

  self->name = g_strdup (name);
  self->source = g_object_ref (source);
  self->is_map = !jm_gpu_mapper_knows_devices (JM_GPU_MAPPER (source));
  self->report = jm_gpu_report_new ();
  self->errors = g_ptr_array_new_with_free_func ((GDestroyNotify) g_error_free);

  if (!g_initable_init (G_INITABLE (source), NULL, &error))
    take_error (self, error);
  else if (!self->is_map)
    read_once (self, JM_GPU_MAPPER (source));

  return self;
}

static void
trial_free (Trial *self)
{
  g_free (self->name);
  g_object_unref (self->source);
  jm_gpu_report_unref (self->report);
  g_ptr_array_unref (self->errors);
  g_free (self);
}

G_DEFINE_AUTOPTR_CLEANUP_FUNC (Trial, trial_free)

static gboolean
trial_is_absent (const Trial *self)
{
  return self->errors->len > 0 &&
         g_error_matches (self->errors->pdata[0], JM_ERROR, JM_ERROR_ABSENT);
}

/* Adds what is known of a device unless another has it too. */
static void
add_once (GPtrArray *words, const char *prefix, const char *text)
{
  g_autofree char *word = g_strconcat (prefix, text, NULL);

  if (text != NULL &&
      !g_ptr_array_find_with_equal_func (words, word, g_str_equal, NULL))
    g_ptr_array_add (words, g_steal_pointer (&word));
}

/* `2 devices, 3 instances: NVIDIA H100 80GB HBM3, driver 550.54; MIG mode on` */
static char *
trial_describe (const Trial *self)
{
  const guint n = jm_gpu_report_get_n_devices (self->report);
  g_autoptr (GPtrArray) words = g_ptr_array_new_with_free_func (g_free);
  g_autofree char *devices = NULL;
  g_autofree char *instances = NULL;
  g_autofree char *list = NULL;
  g_auto (GStrv) facts = NULL;
  g_autofree char *more = NULL;
  guint n_instances = 0;

  for (guint i = 0; i < n; i++)
    {
      JmGpu *gpu = jm_gpu_report_get_device (self->report, i);

      if (jm_gpu_get_field (gpu, JM_GPU_FIELD_PARENT) != NULL)
        {
          n_instances++;
          continue;
        }
      add_once (words, "", jm_gpu_get_field (gpu, JM_GPU_FIELD_MODEL));
      add_once (words, "driver ", jm_gpu_get_field (gpu, JM_GPU_FIELD_DRIVER_VERSION));
    }

  devices = jm_number_count (n - n_instances, "device");
  instances = jm_number_count (n_instances, "instance");
  list = jm_examination_join (words);

  facts = JM_IS_GPU_LIBRARY (self->source)
            ? jm_gpu_library_list_facts (JM_GPU_LIBRARY (self->source))
            : g_new0 (char *, 1);
  more = g_strjoinv ("; ", facts);

  return g_strconcat (devices, n_instances > 0 ? ", " : "",
                      n_instances > 0 ? instances : "", words->len > 0 ? ": " : "",
                      list, *more != '\0' ? "; " : "", more, NULL);
}

static GPtrArray *
try_found (JmExamination *self)
{
  g_autoptr (GPtrArray) entries = jm_examination_list_found (self, JM_SOURCE_KIND_GPUS);
  GPtrArray *trials = g_ptr_array_new_with_free_func ((GDestroyNotify) trial_free);

  for (guint i = 0; i < entries->len; i++)
    {
      const JmSourceEntry *entry = entries->pdata[i];

      g_ptr_array_add (trials, trial_new (entry->name, entry->source));
    }

  return trials;
}

/* Returns: whether it has anything */
static gboolean
examine_library (JmExamination *self, const Trial *trial, JmTopic topic)
{
  g_autofree char *told = trial_describe (trial);
  const gboolean is_map = trial->is_map && trial->errors->len == 0;

  if (is_map)
    jm_examination_add (self, topic, JM_SEVERITY_GOOD, NULL,
                        "%s: can be asked whose devices are", trial->name);
  else if (jm_gpu_report_get_n_devices (trial->report) > 0)
    jm_examination_add (self, topic, JM_SEVERITY_GOOD, NULL, "%s: %s", trial->name,
                        told);

  return is_map || jm_gpu_report_get_n_devices (trial->report) > 0;
}

static void
examine_libraries (JmExamination *self, const GPtrArray *trials)
{
  gboolean is_any_there = FALSE;

  for (guint i = 0; i < trials->len; i++)
    is_any_there |= examine_library (self, trials->pdata[i], JM_TOPIC_GPU_LIBRARIES);
  if (!is_any_there)
    jm_examination_add (self, JM_TOPIC_GPU_LIBRARIES, JM_SEVERITY_GOOD, NULL,
                        "No library or driver here reports accelerators");
}

/* What is not installed is missed only where there is something to be read, see
 * examine_bus(). Returns: whether any failed that is there */
static gboolean
examine_failures (JmExamination *self, const GPtrArray *trials)
{
  gboolean has_any_failed = FALSE;

  for (guint i = 0; i < trials->len; i++)
    {
      const Trial *trial = trials->pdata[i];

      if (trial_is_absent (trial))
        continue;

      has_any_failed |= trial->errors->len > 0;
      for (guint j = 0; j < trial->errors->len; j++)
        jm_examination_add_failure (self, JM_TOPIC_GPU_MISSING, JM_SEVERITY_NOTE,
                                    trial->name, trial->source, trial->errors->pdata[j],
                                    NULL);
    }

  return has_any_failed;
}

/* --- whose they are --- */

static void
examine_part (JmExamination *self, JmSnapshot *snapshot, guint part, GPtrArray *weak)
{
  const char *origin = NULL;
  double share;

  if (jm_snapshot_get_gpu_share (snapshot, part, &share, &origin) && share > 0 &&
      g_strcmp0 (origin, jm_gpu_origin_get_name (JM_GPU_ORIGIN_ENVIRONMENT)) == 0)
    g_ptr_array_add (weak, g_strdup_printf ("%s of job %s",
                                            jm_snapshot_get_gpu (snapshot, part),
                                            jm_job_get_id (
                                              jm_snapshot_get_job (snapshot, part))));
}

static void
examine_jobs (JmExamination *self, JmNode *node)
{
  g_autoptr (JmSnapshot) snapshot = jm_node_sample (node, NULL, NULL);
  g_autoptr (GPtrArray) weak = g_ptr_array_new_with_free_func (g_free);
  g_autofree char *list = NULL;
  guint n_parts = 0;

  for (guint i = 0; snapshot != NULL && i < jm_snapshot_get_n_subjects (snapshot); i++)
    if (jm_snapshot_get_kind (snapshot, i) == JM_SUBJECT_KIND_JOB_GPU)
      {
        n_parts++;
        examine_part (self, snapshot, i, weak);
      }

  list = jm_examination_join (weak);
  if (weak->len > 0)
    jm_examination_add (self, JM_TOPIC_GPU_JOBS, JM_SEVERITY_NOTE, GIVE_EVIDENCE,
                        "Only the environment, which its user can change, shows whose "
                        "these accelerators are: %s",
                        list);
  else if (n_parts > 0)
    jm_examination_add (self, JM_TOPIC_GPU_JOBS, JM_SEVERITY_GOOD, NULL,
                        "Jobs have their accelerators by root's word or the driver's");
}

static gboolean
knows_any (const GPtrArray *trials)
{
  for (guint i = 0; i < trials->len; i++)
    {
      const Trial *trial = trials->pdata[i];

      if (jm_gpu_report_get_n_devices (trial->report) > 0)
        return TRUE;
    }

  return FALSE;
}

/* What reads accelerators here, and what is missing for what does not. */
void
jm_examine_gpus (JmExamination *self)
{
  g_autoptr (GPtrArray) trials = try_found (self);

  examine_libraries (self, trials);
  if (!examine_failures (self, trials))
    examine_bus (self, trials);
  if (knows_any (trials)) /* which have answered, so that their node knows them too */
    examine_jobs (self, self->node);
}

/* --- what is configured --- */

static void
examine_source (JmExamination *self, const char *specification)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (Trial) trial = NULL;
  g_autoptr (JmSource) source =
    jm_registry_make (JM_SOURCE_KIND_GPUS, specification, self->host, &error);

  if (source == NULL)
    {
      jm_examination_add_failure (self, JM_TOPIC_GPU_SOURCES, JM_SEVERITY_PROBLEM,
                                  specification, NULL, error, JM_CORRECT_SETTING);
      return;
    }

  trial = trial_new (specification, source);
  for (guint i = 0; i < trial->errors->len; i++)
    jm_examination_add_failure (self, JM_TOPIC_GPU_SOURCES, JM_SEVERITY_PROBLEM,
                                specification, source, trial->errors->pdata[i],
                                JM_CORRECT_SETTING);
  if (!examine_library (self, trial, JM_TOPIC_GPU_SOURCES) && trial->errors->len == 0)
    jm_examination_add (self, JM_TOPIC_GPU_SOURCES, JM_SEVERITY_GOOD, NULL,
                        "%s: answers, and has no device", specification);
}

/* Whether what is configured works, and whose it says that devices are. */
void
jm_examine_gpu_sources (JmExamination *self, const char *const *specifications)
{
  g_autoptr (JmNode) node = jm_examination_open_node (self, specifications, NULL);

  if (node != NULL)
    {
      jm_node_wait_for_answers (node, PATIENCE_MS);
      examine_jobs (self, node);
    }
  for (guint i = 0; specifications[i] != NULL; i++)
    if (!g_str_equal (specifications[i], JM_REGISTRY_FOUND))
      examine_source (self, specifications[i]);
}
