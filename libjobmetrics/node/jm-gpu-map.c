/* jm-gpu-map.c: which job has which accelerators
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#define G_LOG_DOMAIN "JobMetrics"

#include "node/jm-gpu-map-private.h"

#include "base/jm-complaints-private.h"
#include "core/jm-gpu-list-private.h"
#include "core/jm-readings-private.h"
#include "node/gpu/jm-gpu-numbering-private.h"

/* What is known of a job grows in its first rounds; later its hooks, or an
 * administrator, may change what it has. */
#define FIRST_ROUNDS 3
#define ROUNDS_BETWEEN 12
/* A mapper gets so many of a job's cgroups, the job's own first. */
#define MAX_CGROUPS 64

/* Who may know whose devices are. */
typedef struct
{
  JmGpuMapper *mapper;
  GError *error; /* why it did not answer when it was asked last, or NULL */
} Witness;

struct _JmGpuMap
{
  JmGpuRoll *roll;
  guint n_shards; /* of each device; 0 where they have none */
  JmGpuNumbering *numbering;
  char *doubt; /* which numbers may mean another device, or NULL */
  JmGpuUsers *users;
  GPtrArray *witnesses;     /* of Witness */
  GPtrArray *living;        /* of JmGpuJob: of this round, not owned */
  GArray *n_jobs;           /* of int, by device */
  GHashTable *seen;         /* pids of a device that were counted already */
  JmComplaints *complaints; /* what was already warned of */
};

static void
witness_free (gpointer data)
{
  Witness *self = data;

  g_object_unref (self->mapper);
  g_clear_error (&self->error);
  g_free (self);
}

JmGpuMap *
jm_gpu_map_new (JmGpuRoll *roll, JmHost *host, const char *const *order, guint n_shards)
{
  JmGpuMap *self = g_new0 (JmGpuMap, 1);

  self->roll = roll;
  self->n_shards = n_shards;
  self->numbering = jm_gpu_numbering_new (roll, order);
  self->users = jm_gpu_users_new (host);
  self->witnesses = g_ptr_array_new_with_free_func (witness_free);
  self->living = g_ptr_array_new ();
  self->n_jobs = g_array_new (FALSE, TRUE, sizeof (int));
  self->seen = g_hash_table_new (NULL, NULL);
  self->complaints = jm_complaints_new ();

  return self;
}

void
jm_gpu_map_free (JmGpuMap *self)
{
  jm_complaints_free (self->complaints);
  g_hash_table_unref (self->seen);
  g_array_unref (self->n_jobs);
  g_ptr_array_unref (self->living);
  g_ptr_array_unref (self->witnesses);
  jm_gpu_users_free (self->users);
  jm_gpu_numbering_free (self->numbering);
  g_free (self->doubt);
  g_free (self);
}

void
jm_gpu_map_add_mapper (JmGpuMap *self, JmGpuMapper *mapper)
{
  Witness *witness = g_new0 (Witness, 1);

  witness->mapper = g_object_ref (mapper);
  g_ptr_array_add (self->witnesses, witness);
}

JmGpuRoll *
jm_gpu_map_get_roll (JmGpuMap *self)
{
  return self->roll;
}

/* --- what is said of a job --- */

/* The job's own cgroup comes before those of its parts. */
static void
list_cgroups (const JmTrackedJob *job, const char *paths[MAX_CGROUPS + 1])
{
  const JmTrackedSubject *own = jm_tracked_job_get_subject (job);
  const JmTrackedCgroup *cgroup;
  guint n = 0;

  for (guint pass = 0; pass < 2; pass++)
    for (guint i = 0; (cgroup = jm_tracked_job_get_cgroup (job, i)) != NULL; i++)
      if ((jm_tracked_cgroup_get_subject (cgroup) == own &&
           jm_tracked_cgroup_has_figures (cgroup)) == (pass == 0) &&
          n < MAX_CGROUPS)
        paths[n++] = jm_tracked_cgroup_get_path (cgroup);
  paths[n] = NULL;
}

static void
ask_witnesses (JmGpuMap *self, const JmTrackedJob *tracked, JmGpuJob *job)
{
  const char *paths[MAX_CGROUPS + 1];

  list_cgroups (tracked, paths);
  for (guint i = 0; i < self->witnesses->len; i++)
    {
      Witness *witness = g_ptr_array_index (self->witnesses, i);

      g_clear_error (&witness->error);
      jm_gpu_mapper_map_job (witness->mapper, job->job, paths, job->grants,
                             &witness->error);
    }
}

/* What the job's own fields say. An environment's nonsense is no word to the log: any
 * user could fill it. */
static void
take_fields (JmGpuMap *self, JmGpuJob *job)
{
  const char *gpus = jm_job_get_field (job->job, JM_JOB_FIELD_GPUS);
  gboolean is_of_root =
    jm_job_get_origin (job->job, JM_JOB_FIELD_GPUS) >= JM_ORIGIN_HOOK;
  JmGpuOrigin origin = is_of_root ? JM_GPU_ORIGIN_HOOK : JM_GPU_ORIGIN_ENVIRONMENT;

  if (gpus != NULL && self->doubt != NULL && g_ascii_isdigit (gpus[0]))
    jm_complaints_warn (self->complaints, "order", self->doubt);
  if (gpus == NULL ||
      jm_gpu_list_take (gpus, JM_GPU_NUMBERS_OF_SCHEDULER, origin, job->grants) ||
      !is_of_root)
    return;

  g_autofree char *message = g_strdup_printf ("job %s: not a list of devices: %s",
                                              jm_job_get_id (job->job), gpus);

  jm_complaints_warn (self->complaints, message, message);
}

static void
take_visible (JmGpuJob *job)
{
  const char *visible = jm_job_get_field (job->job, JM_JOB_FIELD_VISIBLE_GPUS);

  if (visible != NULL)
    jm_gpu_list_take (visible, JM_GPU_NUMBERS_OF_JOB, JM_GPU_ORIGIN_ENVIRONMENT,
                      job->grants);
}

static void
ask (JmGpuMap *self, const JmTrackedJob *tracked, JmGpuJob *job)
{
  jm_gpu_grants_reset (job->grants);
  ask_witnesses (self, tracked, job);
  take_fields (self, job);
  take_visible (job);
}

/* --- which devices of the node that is --- */

/* Only those whose word is root's, and not what the kernel says of all its devices. */
static void
complain_of_grant (JmGpuMap *self, const JmGpuJob *job, const JmGpuGrant *grant)
{
  g_autofree char *message = NULL;

  if (grant->origin != JM_GPU_ORIGIN_HOOK || job->n_rounds < FIRST_ROUNDS ||
      jm_gpu_numbering_is_empty (self->numbering))
    return;

  if (grant->device != NULL)
    message = g_strdup_printf ("job %s: given a GPU that this node does not have: %s",
                               jm_job_get_id (job->job), grant->device);
  else if (jm_gpu_numbering_is_clear (self->numbering))
    message = g_strdup_printf ("job %s: given a GPU that this node does not have: "
                               "number %u",
                               jm_job_get_id (job->job), grant->index);
  else
    message = g_strdup ("GPUs of several makers: which of them the scheduler's numbers "
                        "mean, gpu.order has to say");
  jm_complaints_warn (self->complaints, message, message);
}

static gboolean
has_instance_of (JmGpuMap *self, const JmGpuJob *job, JmGpuOrigin origin, guint parent)
{
  for (guint i = 0; i < job->words->len; i++)
    {
      const JmGpuWord *word = &g_array_index (job->words, JmGpuWord, i);

      if (word->origin == origin &&
          jm_gpu_roll_get_parent (self->roll, word->gpu) == parent)
        return TRUE;
    }

  return FALSE;
}

/* The device controller lets a job at a divided device for the sake of an instance;
 * which, it says elsewhere. Whoever was given the device by name has all of it. */
static void
add_instances (JmGpuMap *self, JmGpuJob *job, const JmGpuGrant *grant, guint parent)
{
  if (grant->origin == JM_GPU_ORIGIN_CGROUP ||
      has_instance_of (self, job, grant->origin, parent))
    return;

  for (guint i = parent + 1; i < jm_gpu_roll_get_size (self->roll); i++)
    {
      const JmGpuWord word = { i, grant->share, grant->origin };

      if (jm_gpu_roll_get_parent (self->roll, i) == parent &&
          jm_gpu_roll_is_present (self->roll, i))
        g_array_append_val (job->words, word);
    }
}

/* Instances that are named come before the devices that they are part of. */
static void
take_grant (JmGpuMap *self, JmGpuJob *job, const JmGpuGrant *grant, gboolean divided)
{
  guint gpu = jm_gpu_numbering_find (self->numbering, grant);
  const JmGpuWord word = { gpu, grant->share, grant->origin };

  if (gpu == JM_NO_GPU)
    {
      if (divided)
        complain_of_grant (self, job, grant);
      return;
    }

  if (jm_gpu_numbering_is_divided (self->numbering, gpu) != divided)
    return;
  if (divided)
    add_instances (self, job, grant, gpu);
  else
    g_array_append_val (job->words, word);
}

/* --- how much of them --- */

/* A part of a device, above 0 and at most 1; all of it where nothing sensible is given.
 */
static double
parse_percentage (const char *text)
{
  char *end = NULL;
  double percentage = g_ascii_strtod (text, &end);

  return end != text && *end == '\0' && percentage > 0 && percentage < 100
           ? percentage / 100
           : 1;
}

static double
divide_shards (const JmGpuMap *self, const char *text, guint n_devices)
{
  guint64 n;

  if (self->n_shards == 0 || n_devices == 0 ||
      !g_ascii_string_to_unsigned (text, 10, 1, G_MAXUINT, &n, NULL))
    return 1;

  return MIN ((double) n / ((double) self->n_shards * n_devices), 1);
}

static gboolean
tells_of (JmJob *job, JmJobField field, JmGpuOrigin origin)
{
  return jm_job_get_field (job, field) != NULL &&
         (origin == JM_GPU_ORIGIN_ENVIRONMENT ||
          jm_job_get_origin (job, field) >= JM_ORIGIN_HOOK);
}

/* An environment says nothing of what root has given. */
static double
get_part (const JmGpuMap *self, JmJob *job, JmGpuOrigin origin, guint n_devices)
{
  double part = 1;

  if (tells_of (job, JM_JOB_FIELD_GPU_PERCENTAGE, origin))
    part = parse_percentage (jm_job_get_field (job, JM_JOB_FIELD_GPU_PERCENTAGE));
  if (tells_of (job, JM_JOB_FIELD_GPU_SHARDS, origin))
    part *=
      divide_shards (self, jm_job_get_field (job, JM_JOB_FIELD_GPU_SHARDS), n_devices);

  return part;
}

/* Of those whose share no other origin has. */
static void
cut_shares (const JmGpuMap *self, JmGpuJob *job)
{
  guint n_of[JM_N_GPU_ORIGINS] = { 0 };

  for (guint i = 0; i < job->words->len; i++)
    n_of[g_array_index (job->words, JmGpuWord, i).origin]++;

  for (guint i = 0; i < job->words->len; i++)
    {
      JmGpuWord *word = &g_array_index (job->words, JmGpuWord, i);

      if (word->share >= 1)
        word->share = get_part (self, job->job, word->origin, n_of[word->origin]);
    }
}

static void
understand (JmGpuMap *self, JmGpuJob *job)
{
  guint n_grants;
  const JmGpuGrant *grants = jm_gpu_grants_get (job->grants, &n_grants);

  g_array_set_size (job->words, 0);
  for (guint i = 0; i < n_grants; i++)
    take_grant (self, job, &grants[i], FALSE);
  for (guint i = 0; i < n_grants; i++)
    take_grant (self, job, &grants[i], TRUE);
  cut_shares (self, job);
}

/* --- a round --- */

static gboolean
is_due (const JmGpuJob *job, JmJob *now)
{
  return job->job != now || job->n_rounds <= FIRST_ROUNDS ||
         job->n_rounds % ROUNDS_BETWEEN == 0;
}

static void
set_identity (JmGpuJob *job, JmJob *now)
{
  if (job->job == now)
    return;

  g_clear_pointer (&job->job, jm_job_unref);
  job->job = jm_job_ref (now);
}

JmGpuJob *
jm_gpu_map_get_job (JmTrackedJob *job)
{
  return jm_tracked_job_get_slot (job, JM_JOB_SLOT_GPUS)->state;
}

static void
gpu_job_free (gpointer job)
{
  jm_gpu_job_free (job);
}

JmGpuJob *
jm_gpu_map_take_job (JmTrackedJob *job)
{
  JmSlot *slot = jm_tracked_job_get_slot (job, JM_JOB_SLOT_GPUS);

  if (slot->state == NULL)
    *slot = (JmSlot){ jm_gpu_job_new (), gpu_job_free };

  return slot->state;
}

static void
read_job (JmGpuMap *self, JmTrackedJob *tracked, gboolean has_changed)
{
  JmJob *now = jm_tracked_job_get_job (tracked);
  JmGpuJob *job = jm_gpu_map_take_job (tracked);

  if (is_due (job, now))
    {
      set_identity (job, now);
      ask (self, tracked, job);
      has_changed = TRUE;
    }
  if (has_changed)
    understand (self, job);
  job->n_rounds++;
  g_array_set_size (job->uses, 0);
  g_ptr_array_add (self->living, job);
}

static void
read_jobs (JmGpuMap *self, GPtrArray *jobs, gboolean has_changed)
{
  for (guint i = 0; i < jobs->len; i++)
    {
      JmTrackedJob *tracked = g_ptr_array_index (jobs, i);
      JmGpuJob *job = jm_gpu_map_get_job (tracked);

      if (jm_tracked_subject_get_end_time (jm_tracked_job_get_subject (tracked)) == 0 &&
          jm_tracked_job_get_job (tracked) != NULL)
        read_job (self, tracked, has_changed);
      else if (job != NULL)
        jm_gpu_job_end (job);
    }
}

/* A process may have more than one context. */
static void
read_uses (JmGpuMap *self, guint gpu)
{
  guint n_processes;
  const JmGpuProcess *processes =
    jm_gpu_roll_get_processes (self->roll, gpu, &n_processes);

  g_hash_table_remove_all (self->seen);
  for (guint i = 0; i < n_processes; i++)
    {
      JmTrackedJob *tracked = jm_gpu_users_find (self->users, processes[i].pid);
      JmGpuJob *job = tracked != NULL ? jm_gpu_map_get_job (tracked) : NULL;

      if (job != NULL)
        jm_gpu_job_add_use (job, gpu,
                            g_hash_table_add (self->seen,
                                              GUINT_TO_POINTER (processes[i].pid)),
                            processes[i].memory_bytes, processes[i].utilization_ppm);
    }
}

static void
count_jobs (JmGpuMap *self)
{
  g_array_set_size (self->n_jobs, 0);
  g_array_set_size (self->n_jobs, jm_gpu_roll_get_size (self->roll));

  for (guint i = 0; i < self->living->len; i++)
    {
      const JmGpuJob *job = g_ptr_array_index (self->living, i);

      for (guint k = 0; k < job->holds->len; k++)
        {
          const JmGpuHold *hold = &g_array_index (job->holds, JmGpuHold, k);

          g_array_index (self->n_jobs, int, hold->gpu) += hold->is_allocated ? 1 : 0;
        }
    }
}

static void
add_errors (JmGpuMap *self, JmReadings *readings)
{
  for (guint i = 0; i < self->witnesses->len; i++)
    {
      const Witness *witness = g_ptr_array_index (self->witnesses, i);

      if (witness->error != NULL)
        jm_readings_add_error (readings, witness->error);
    }
}

void
jm_gpu_map_read (JmGpuMap *self, const GPtrArray *trackers, JmReadings *readings)
{
  gboolean has_changed = jm_gpu_numbering_refresh (self->numbering);

  if (has_changed)
    {
      g_free (self->doubt);
      self->doubt = jm_gpu_numbering_find_doubt (self->numbering);
    }
  g_ptr_array_set_size (self->living, 0);
  jm_gpu_users_begin_round (self->users, trackers, readings);
  for (guint i = 0; i < trackers->len; i++)
    read_jobs (self, jm_job_tracker_get_jobs (g_ptr_array_index (trackers, i)),
               has_changed);

  for (guint i = 0; i < jm_gpu_roll_get_size (self->roll); i++)
    if (jm_gpu_roll_is_present (self->roll, i) &&
        !jm_gpu_numbering_is_divided (self->numbering, i))
      read_uses (self, i);

  jm_gpu_jobs_weigh (self->living, jm_gpu_roll_get_size (self->roll));
  count_jobs (self);
  add_errors (self, readings);
}

int
jm_gpu_map_count_jobs (JmGpuMap *self, guint gpu)
{
  return jm_gpu_numbering_is_divided (self->numbering, gpu)
           ? -1
           : g_array_index (self->n_jobs, int, gpu);
}

JmGpuHold *
jm_gpu_map_get_holds (JmTrackedJob *job, guint *n_holds)
{
  const JmGpuJob *gpus = jm_gpu_map_get_job (job);

  *n_holds = gpus != NULL ? gpus->holds->len : 0;

  return gpus != NULL ? (JmGpuHold *) (gpointer) gpus->holds->data : NULL;
}
