/* jm-source-set.c: all that a node has
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "registry/jm-source-set-private.h"

#include <string.h>

#include "base/jm-error.h"
#include "host/jm-source-private.h"
#include "sources/cgroup/jm-cgroup-reader.h"
#include "sources/counters/jm-counter-source-private.h"
#include "sources/emissions/jm-emission-provider.h"
#include "sources/gpu/jm-gpu-mapper.h"
#include "sources/jobs/jm-job-source.h"
#include "sources/power/jm-power-source.h"
#include "sources/process/jm-process-source-private.h"

/* How those of a kind that nobody asked for are opened. */
typedef struct
{
  JmSourceKind kind;
  const char *usual; /* a specification; NULL for what the host has */
  gboolean is_wanted;
  gboolean is_required;
} Kind;

/* In the order in which they are opened. */
static const Kind kinds[] = {
  { JM_SOURCE_KIND_JOBS, .is_wanted = TRUE, .is_required = TRUE },
  { JM_SOURCE_KIND_CGROUPS, .is_wanted = TRUE, .is_required = TRUE },
  { JM_SOURCE_KIND_MACHINE, .is_wanted = TRUE, .is_required = TRUE },
  { JM_SOURCE_KIND_PROCESSES, .is_wanted = TRUE, .is_required = TRUE },
  { JM_SOURCE_KIND_GPUS },
  { JM_SOURCE_KIND_POWER },
  { JM_SOURCE_KIND_COUNTERS, .is_wanted = TRUE, .is_required = TRUE },
  { JM_SOURCE_KIND_EMISSIONS, .usual = "global" },
};

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

/* Where the sources of a row go that opens them itself. */
typedef struct
{
  JmSourceSet *set;
  const JmSourcePlan *plan;
  const JmRegistryRow *row;
  gboolean is_required;
  guint n_found;
} FoundContext;

static void
on_found (const char *name, JmSource *source, const GError *error, gpointer user_data)
{
  FoundContext *context = user_data;

  context->n_found++;
  add_entry (context->set, context->row->kind, name != NULL ? name : context->row->name,
             source, error)
    ->is_required = context->is_required;
  if (context->row->kind == JM_SOURCE_KIND_JOBS && source != NULL)
    g_ptr_array_add (context->plan->job_sources, g_object_ref (source));
}

static void
open_row (JmSourceSet *self, const JmRegistryRow *row, const Kind *kind, JmHost *host)
{
  g_autoptr (JmSource) source = jm_registry_make_row (row, host);
  JmSourceEntry *entry = add_entry (self, row->kind, row->name, source, NULL);

  entry->is_wanted = kind->is_wanted;
  entry->is_required = kind->is_required;
  if (!is_superseded (self, source))
    g_initable_init (G_INITABLE (source), NULL, NULL);
  else
    entry->is_required = FALSE;
}

/* All that need no settings; of those that read the same, the first that
 * opens. */
static void
open_found (JmSourceSet *self, const Kind *kind, const JmSourcePlan *plan)
{
  for (guint i = 0; i < jm_registry_get_n_rows (); i++)
    {
      const JmRegistryRow *row = jm_registry_get_row (i);
      FoundContext context = { self, plan, row, kind->is_required, 0 };

      if (row->kind != kind->kind || !row->is_found)
        continue;

      if (row->find != NULL)
        row->find (plan, on_found, &context);
      else
        open_row (self, row, kind, plan->host);
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

/* One that opens its sources itself. */
static void
open_finder (JmSourceSet *self, const JmRegistryRow *row, const JmSourcePlan *plan)
{
  FoundContext context = { self, plan, row, TRUE, 0 };
  g_autoptr (GError) nothing =
    g_error_new (JM_ERROR, JM_ERROR_ABSENT, "%s: there is none on this node",
                 row->name);

  row->find (plan, on_found, &context);
  if (context.n_found == 0)
    on_found (NULL, NULL, nothing, &context);
}

/* What somebody asked for, or NULL. */
static const char *const *
get_specifications (const JmSourcePlan *plan, JmSourceKind kind)
{
  switch (kind)
    {
    case JM_SOURCE_KIND_POWER:
      return plan->power_sources;
    case JM_SOURCE_KIND_GPUS:
      return plan->gpu_sources;
    case JM_SOURCE_KIND_EMISSIONS:
      return plan->emission_providers;
    default:
      return NULL;
    }
}

static gboolean
open_kind (JmSourceSet *self,
           const Kind *kind,
           const JmSourcePlan *plan,
           GError **error)
{
  const Kind asked_for = { kind->kind, .is_wanted = TRUE };
  const char *const *specifications = get_specifications (plan, kind->kind);

  if (specifications == NULL && kind->usual == NULL)
    {
      open_found (self, kind, plan);
      return TRUE;
    }
  if (specifications == NULL)
    return open_named (self, kind->kind, kind->usual, plan, error);

  for (guint i = 0; specifications[i] != NULL; i++)
    {
      const JmRegistryRow *finder =
        jm_registry_get_finder (kind->kind, specifications[i]);

      if (g_str_equal (specifications[i], JM_REGISTRY_FOUND))
        open_found (self, &asked_for, plan);
      else if (finder != NULL)
        open_finder (self, finder, plan);
      else if (!open_named (self, kind->kind, specifications[i], plan, error))
        return FALSE;
    }

  return TRUE;
}

JmSourceSet *
jm_source_set_open (const JmSourcePlan *plan, GError **error)
{
  g_autoptr (JmSourceSet) self = g_new0 (JmSourceSet, 1);
  g_autoptr (GPtrArray) job_sources = g_ptr_array_new_with_free_func (g_object_unref);
  JmSourcePlan whole = *plan;

  whole.job_sources = job_sources;
  self->entries = g_ptr_array_new_with_free_func (entry_free);
  whole.entries = self->entries;
  for (guint i = 0; i < G_N_ELEMENTS (kinds); i++)
    if (!open_kind (self, &kinds[i], &whole, error))
      return NULL;
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

static void
on_gpu_power_found (const char *name,
                    JmSource *source,
                    const GError *error,
                    gpointer self)
{
  add_entry (self, JM_SOURCE_KIND_POWER, name, source, error);
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
  if (JM_IS_COUNTER_SOURCE (source))
    add_entry (self, JM_SOURCE_KIND_COUNTERS, name, source, NULL);
  if (JM_IS_POWER_SOURCE (source))
    add_entry (self, JM_SOURCE_KIND_POWER, name, source, NULL);
  if (JM_IS_EMISSION_PROVIDER (source))
    add_entry (self, JM_SOURCE_KIND_EMISSIONS, name, source, NULL);
  if (JM_IS_GPU_MAPPER (source))
    add_entry (self, JM_SOURCE_KIND_GPUS, name, source, NULL);
  jm_registry_find_gpu_power (name, source, on_gpu_power_found, self);
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
                                           jm_source_entry_get_error (entry)));
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

      /* one that counts is reported by its collector in each round */
      if (state == JM_SOURCE_STATE_FAILED
            ? entry->is_wanted && entry->kind != JM_SOURCE_KIND_COUNTERS
            : state == JM_SOURCE_STATE_ABSENT && entry->is_required)
        g_strv_builder_add (problems, jm_source_entry_get_error (entry)->message);
    }
}
