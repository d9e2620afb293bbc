/* jm-source-set.c: all that a node has
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "collect/jm-source-set-private.h"

#include <string.h>

#include "collect/jm-registry-private.h"
#include "collect/jm-source-info-private.h"
#include "core/jm-error.h"
#include "sources/cgroup/jm-cgroup-detect.h"
#include "sources/emissions/jm-emission-provider.h"
#include "sources/jobs/jm-job-sources.h"
#include "sources/power/jm-power-source.h"
#include "sources/process/jm-process-source.h"

#define DEFINITIONS "definitions"
#define NO_DEFINITIONS "no scheduler definition was found, so no job can be"

struct _JmSourceSet
{
  GPtrArray *entries; /* of JmSourceEntry */
};

static void
entry_free (gpointer data)
{
  JmSourceEntry *entry = data;

  g_free (entry->name);
  g_clear_object (&entry->source);
  g_clear_error (&entry->error);
  g_free (entry);
}

/* Takes neither; both may be NULL, but not at once. */
static JmSourceEntry *
add_entry (JmSourceSet *self,
           JmSourceKind kind,
           const char *name,
           JmSource *source,
           const GError *error)
{
  JmSourceEntry *entry = g_new0 (JmSourceEntry, 1);

  entry->kind = kind;
  entry->name = g_strdup (name);
  entry->source = source != NULL ? g_object_ref (source) : NULL;
  entry->error = error != NULL ? g_error_copy (error) : NULL;
  entry->is_wanted = TRUE;
  g_ptr_array_add (self->entries, entry);

  return entry;
}

/* --- what every node has --- */

static void
open_job_sources (JmSourceSet *self, const JmSourcePlan *plan)
{
  g_autoptr (GPtrArray) problems = NULL;
  g_autoptr (GPtrArray) sources =
    jm_job_sources_load (plan->host, plan->schedulers, plan->node_name, plan->cluster,
                         &problems);
  g_autoptr (GError) nothing =
    g_error_new_literal (JM_ERROR, JM_ERROR_ABSENT, NO_DEFINITIONS);

  for (guint i = 0; i < sources->len; i++)
    {
      JmSchedulerDefinition *definition =
        jm_cgroup_job_source_get_definition (sources->pdata[i]);

      add_entry (self, JM_SOURCE_KIND_JOBS,
                 jm_scheduler_definition_get_name (definition), sources->pdata[i],
                 NULL);
    }
  for (guint i = 0; i < problems->len; i++)
    add_entry (self, JM_SOURCE_KIND_JOBS, DEFINITIONS, NULL, problems->pdata[i]);
  if (sources->len == 0)
    add_entry (self, JM_SOURCE_KIND_JOBS, DEFINITIONS, NULL, nothing)->is_required =
      TRUE;
}

static void
open_cgroups (JmSourceSet *self, const JmSourcePlan *plan)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (JmCgroupReader) reader =
    jm_cgroup_reader_new_for_host (plan->host, &error);

  add_entry (self, JM_SOURCE_KIND_CGROUPS, "cgroup", (JmSource *) reader, error)
    ->is_required = TRUE;
}

/* --- what the registry knows --- */

static gboolean
is_superseded (JmSourceSet *self, JmSource *source)
{
  for (guint i = 0; i < self->entries->len; i++)
    {
      const JmSourceEntry *entry = self->entries->pdata[i];

      if (entry->source != NULL && entry->source != source &&
          jm_source_is_open (entry->source) &&
          jm_source_is_superseded_by (source, entry->source))
        return TRUE;
    }

  return FALSE;
}

/* All that need not be told anything; of those that tell the same, the first that
 * opens. */
static void
open_found (JmSourceSet *self,
            JmSourceKind kind,
            const JmSourcePlan *plan,
            gboolean is_wanted,
            gboolean is_required)
{
  for (guint i = 0; i < jm_registry_get_n_rows (); i++)
    {
      const JmRegistryRow *row = jm_registry_get_row (i);
      g_autoptr (JmSource) source = NULL;
      JmSourceEntry *entry;

      if (row->kind != kind || !row->is_found)
        continue;

      source = jm_registry_make_row (row, plan->host);
      entry = add_entry (self, kind, row->name, source, NULL);
      entry->is_wanted = is_wanted;
      entry->is_required = is_required;
      if (!is_superseded (self, source))
        g_initable_init (G_INITABLE (source), NULL, NULL);
    }
}

/* One that failed may yet be superseded by one that came after it. */
static void
mark_superseded (JmSourceSet *self)
{
  for (guint i = 0; i < self->entries->len; i++)
    {
      JmSourceEntry *entry = self->entries->pdata[i];

      entry->is_superseded = !entry->is_required && entry->source != NULL &&
                             !jm_source_is_open (entry->source) &&
                             is_superseded (self, entry->source);
    }
}

/* A wrong setting is not passed over; a device that is not there, or not to be read,
 * costs its own figures. */
static gboolean
open_named (JmSourceSet *self,
            JmSourceKind kind,
            const char *specification,
            const JmSourcePlan *plan,
            GError **error)
{
  g_autofree char *name = g_strndup (specification, strcspn (specification, ","));
  g_autoptr (JmSource) source =
    jm_registry_make (kind, specification, plan->host, error);
  JmSourceEntry *entry;
  const GError *problem;

  if (source == NULL)
    return FALSE;

  entry = add_entry (self, kind, name, source, NULL);
  entry->is_required = TRUE;
  g_initable_init (G_INITABLE (source), NULL, NULL);
  problem = jm_source_entry_get_error (entry);
  if (!g_error_matches (problem, JM_ERROR, JM_ERROR_INVALID))
    return TRUE;

  g_propagate_error (error, g_error_copy (problem));

  return FALSE;
}

static gboolean
open_specified (JmSourceSet *self,
                JmSourceKind kind,
                const char *const *specifications,
                const JmSourcePlan *plan,
                GError **error)
{
  for (guint i = 0; specifications[i] != NULL; i++)
    if (g_str_equal (specifications[i], JM_REGISTRY_FOUND))
      open_found (self, kind, plan, TRUE, FALSE);
    else if (!open_named (self, kind, specifications[i], plan, error))
      return FALSE;

  return TRUE;
}

static gboolean
open_power_sources (JmSourceSet *self, const JmSourcePlan *plan, GError **error)
{
  if (plan->power_sources != NULL)
    return open_specified (self, JM_SOURCE_KIND_POWER, plan->power_sources, plan,
                           error);

  open_found (self, JM_SOURCE_KIND_POWER, plan, FALSE, FALSE);

  return TRUE;
}

static gboolean
open_providers (JmSourceSet *self, const JmSourcePlan *plan, GError **error)
{
  static const char *const usual[] = { "global", NULL };

  return open_specified (self, JM_SOURCE_KIND_EMISSIONS,
                         plan->emission_providers != NULL ? plan->emission_providers
                                                          : usual,
                         plan, error);
}

JmSourceSet *
jm_source_set_open (const JmSourcePlan *plan, GError **error)
{
  g_autoptr (JmSourceSet) self = g_new0 (JmSourceSet, 1);

  self->entries = g_ptr_array_new_with_free_func (entry_free);
  open_job_sources (self, plan);
  open_cgroups (self, plan);
  open_found (self, JM_SOURCE_KIND_MACHINE, plan, TRUE, TRUE);
  open_found (self, JM_SOURCE_KIND_PROCESSES, plan, TRUE, TRUE);
  if (!open_power_sources (self, plan, error) || !open_providers (self, plan, error))
    return NULL;

  open_found (self, JM_SOURCE_KIND_GPUS, plan, FALSE, FALSE);
  mark_superseded (self);

  return g_steal_pointer (&self);
}

void
jm_source_set_free (JmSourceSet *self)
{
  g_ptr_array_unref (self->entries);
  g_free (self);
}

/* --- one that was written elsewhere --- */

/* A language's own part of the type's name, such as a Python module, is cut off. */
static const char *
get_plain_name (JmSource *source)
{
  const char *name = G_OBJECT_TYPE_NAME (source);
  const char *last = strrchr (name, '+');

  return last != NULL ? last + 1 : name;
}

void
jm_source_set_add (JmSourceSet *self, JmSource *source)
{
  const char *name = get_plain_name (source);

  /* a binding's constructor may stop at g_object_new() */
  g_initable_init (G_INITABLE (source), NULL, NULL);
  if (JM_IS_JOB_SOURCE (source))
    add_entry (self, JM_SOURCE_KIND_JOBS, name, source, NULL);
  if (JM_IS_CGROUP_READER (source))
    add_entry (self, JM_SOURCE_KIND_CGROUPS, name, source, NULL);
  if (JM_IS_POWER_SOURCE (source))
    add_entry (self, JM_SOURCE_KIND_POWER, name, source, NULL);
  if (JM_IS_EMISSION_PROVIDER (source))
    add_entry (self, JM_SOURCE_KIND_EMISSIONS, name, source, NULL);
}

/* --- what there is --- */

const GPtrArray *
jm_source_set_get_entries (JmSourceSet *self)
{
  return self->entries;
}

gpointer
jm_source_set_find (JmSourceSet *self, JmSourceKind kind)
{
  for (guint i = 0; i < self->entries->len; i++)
    {
      const JmSourceEntry *entry = self->entries->pdata[i];

      if (entry->kind == kind && entry->source != NULL &&
          jm_source_is_open (entry->source))
        return entry->source;
    }

  return NULL;
}

const GError *
jm_source_entry_get_error (const JmSourceEntry *entry)
{
  if (entry->is_superseded)
    return NULL;

  return entry->source != NULL ? jm_source_get_error (entry->source) : entry->error;
}

static JmSourceState
get_state (const JmSourceEntry *entry)
{
  const GError *error = jm_source_entry_get_error (entry);

  if (entry->is_superseded)
    return JM_SOURCE_STATE_SUPERSEDED;
  if (error == NULL)
    return JM_SOURCE_STATE_WORKING;

  return g_error_matches (error, JM_ERROR, JM_ERROR_ABSENT) ? JM_SOURCE_STATE_ABSENT
                                                            : JM_SOURCE_STATE_FAILED;
}

GPtrArray *
jm_source_set_list (JmSourceSet *self)
{
  GPtrArray *list =
    g_ptr_array_new_with_free_func ((GDestroyNotify) jm_source_info_unref);

  for (guint i = 0; i < self->entries->len; i++)
    {
      const JmSourceEntry *entry = self->entries->pdata[i];

      g_ptr_array_add (list,
                       jm_source_info_new (entry->kind, entry->name, get_state (entry),
                                           jm_source_entry_get_error (entry),
                                           entry->is_wanted));
    }

  return list;
}

void
jm_source_set_list_problems (JmSourceSet *self, GStrvBuilder *problems)
{
  for (guint i = 0; i < self->entries->len; i++)
    {
      const JmSourceEntry *entry = self->entries->pdata[i];
      JmSourceState state = get_state (entry);

      if (state == JM_SOURCE_STATE_FAILED
            ? entry->is_wanted
            : state == JM_SOURCE_STATE_ABSENT && entry->is_required)
        g_strv_builder_add (problems, jm_source_entry_get_error (entry)->message);
    }
}
