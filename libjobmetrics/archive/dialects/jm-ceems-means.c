/* jm-ceems-means.c: what the jobs of a user and project used in the mean
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "archive/dialects/jm-ceems-means-private.h"

#include "archive/dialects/jm-ceems-figures-private.h"
#include "archive/dialects/jm-ceems-runs-private.h"
#include "core/jm-run-private.h"
#include "core/jm-usage-private.h"

/* Of one answer: each takes a query for its nodes, and two for its accelerators. */
#define MAX_RUNS 1000
/* Of what its jobs had, for a mean to be that of all of them. */
#define LEAST_KNOWN 0.5

typedef struct
{
  JmCeemsAnswer *answer;
  GHashTable *groups;
  guint n_runs;
  GError *error;
} Collection;

/* --- groups --- */

static guint
hash_group (gconstpointer group)
{
  const JmCeemsMeans *self = group;

  return g_str_hash (self->cluster) ^ 31 * g_str_hash (self->user) ^
         961 * g_str_hash (self->account);
}

static gboolean
is_same_group (gconstpointer a, gconstpointer b)
{
  const JmCeemsMeans *one = a, *other = b;

  return g_str_equal (one->cluster, other->cluster) &&
         g_str_equal (one->user, other->user) &&
         g_str_equal (one->account, other->account);
}

static void
means_free (gpointer means)
{
  JmCeemsMeans *self = means;

  jm_run_unref (self->first);
  g_free (self);
}

static const char *
or_empty (const char *text)
{
  return text != NULL ? text : "";
}

static JmCeemsMeans *
take_group (GHashTable *groups, JmRun *run)
{
  JmCeemsMeans wanted = {
    .cluster = or_empty (jm_run_get_cluster (run)),
    .user = or_empty (jm_run_peek_text (run, JM_RUN_FIELD_USER)),
    .account = or_empty (jm_run_peek_text (run, JM_RUN_FIELD_ACCOUNT)),
    .first = run,
    .is_split = TRUE,
  };
  JmCeemsMeans *found = g_hash_table_lookup (groups, &wanted);

  if (found == NULL)
    {
      jm_run_ref (run);
      found = g_memdup2 (&wanted, sizeof wanted);
      g_hash_table_add (groups, found);
    }

  return found;
}

/* --- means --- */

static void
add (JmCeemsMean *self, double percent, double weight)
{
  if (weight <= 0)
    return;
  self->whole += weight;
  if (percent >= 0)
    {
      self->known += weight;
      self->sum += percent * weight;
    }
}

static double
weigh (JmRun *run, JmRunField field)
{
  return (double) jm_ceems_get_length (run) * (double) jm_ceems_get_number (run, field);
}

static GPtrArray *
list_parts (Collection *self, JmRun *run, JmRunPartKind kind)
{
  const JmArchiveView *view = &self->answer->view;

  return self->error == NULL
           ? jm_archive_database_list_parts (view->database, run, kind, view->viewer,
                                             &self->error)
           : NULL;
}

static void
add_energy (JmCeemsMeans *self, JmRun *run, GPtrArray *energies)
{
  const JmCeemsEnergy energy = jm_ceems_split_energy (run, energies);

  if (energy.rest_uj < 0)
    return;
  self->energy_uj += (double) energy.rest_uj + (double) MAX (energy.gpu_uj, 0);
  self->gpu_energy_uj += (double) MAX (energy.gpu_uj, 0);
  if (energies != NULL && energy.gpu_uj < 0)
    self->is_split = FALSE;
}

static gboolean
add_run (JmRun *run, gpointer data)
{
  Collection *self = data;
  const gboolean has_gpus = jm_ceems_get_number (run, JM_RUN_FIELD_GPUS_ALLOCATED) > 0;
  g_autoptr (GPtrArray) nodes = NULL;
  g_autoptr (GPtrArray) devices = NULL;
  g_autoptr (GPtrArray) energies = NULL;
  JmCeemsMeans *means;

  if (++self->n_runs > MAX_RUNS)
    return FALSE;
  /* else the product of two that are not known would be a weight */
  if (jm_ceems_get_length (run) <= 0)
    return TRUE;

  nodes = list_parts (self, run, JM_RUN_PART_KIND_NODE);
  if (has_gpus)
    devices = list_parts (self, run, JM_RUN_PART_KIND_DEVICE);
  if (has_gpus)
    energies = list_parts (self, run, JM_RUN_PART_KIND_ENERGY);
  if (self->error != NULL)
    return FALSE;

  means = take_group (self->groups, run);
  add (&means->cpus, jm_ceems_get_cpu_usage (run), weigh (run, JM_RUN_FIELD_CPUS));
  add (&means->memory, jm_ceems_get_memory_usage (run, nodes),
       weigh (run, JM_RUN_FIELD_MEMORY_ALLOCATED));
  if (has_gpus)
    {
      const double weight = weigh (run, JM_RUN_FIELD_GPUS_ALLOCATED);

      add (&means->gpus, jm_ceems_get_gpu_usage (run, devices), weight);
      add (&means->gpu_memory, jm_ceems_get_gpu_memory_usage (run, nodes, devices),
           weight);
    }
  if (has_gpus && !jm_ceems_has_energy_by_domain (run))
    g_ptr_array_set_size (energies, 0);
  add_energy (means, run, energies);

  return TRUE;
}

GHashTable *
jm_ceems_list_means (JmCeemsAnswer *self, gboolean *is_whole, GError **error)
{
  g_autoptr (GHashTable) groups =
    g_hash_table_new_full (hash_group, is_same_group, means_free, NULL);
  g_autoptr (JmRunFilter) filter = jm_ceems_answer_make_filter (self, FALSE);
  Collection collection = { .answer = self, .groups = groups };

  if (!jm_ceems_visit_runs (self, filter, add_run, &collection, error))
    return NULL;
  if (collection.error != NULL)
    {
      g_propagate_error (error, collection.error);
      return NULL;
    }
  *is_whole = collection.n_runs <= MAX_RUNS;
  if (!*is_whole)
    {
      jm_ceems_answer_warn (self,
                            "no averages of memory and accelerators, and no energy of "
                            "users with accelerators: there are more than %u jobs, "
                            "ask for less time",
                            MAX_RUNS);
      g_hash_table_remove_all (groups);
    }

  return g_steal_pointer (&groups);
}

const JmCeemsMeans *
jm_ceems_find_means (GHashTable *groups, JmUsage *usage)
{
  const JmCeemsMeans wanted = {
    .cluster = or_empty (jm_usage_get_cluster (usage)),
    .user = or_empty (jm_usage_get_user (usage)),
    .account = or_empty (jm_usage_get_account (usage)),
  };

  return groups != NULL ? g_hash_table_lookup (groups, &wanted) : NULL;
}

double
jm_ceems_mean_get (const JmCeemsMean *self)
{
  return self->known > 0 && self->known >= self->whole * LEAST_KNOWN
           ? self->sum / self->known
           : -1;
}

double
jm_ceems_means_get_gpu_share (const JmCeemsMeans *self)
{
  return self != NULL && self->is_split && self->energy_uj > 0
           ? self->gpu_energy_uj / self->energy_uj
           : -1;
}
