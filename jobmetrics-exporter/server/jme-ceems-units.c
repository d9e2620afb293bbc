/* jme-ceems-units.c: jobs in CEEMS' words, and whose they are
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include "server/jme-ceems-units.h"

#include "core/jm-error.h"
#include "server/jme-ceems-figures.h"
#include "server/jme-ceems-runs.h"
#include "server/jme-ceems-unit.h"

/* Of one answer. */
#define MAX_BYTES (64 * 1024 * 1024)

/* --- units --- */

static gboolean
append_unit (JmeCeemsAnswer *self,
             const JmeCeemsFields *fields,
             JmStoredRun *run,
             GError **error)
{
  JmeAnswer *answer = &self->answer;
  g_autoptr (GPtrArray) energies = NULL;

  if (fields->has_energy && jme_ceems_has_energy_by_domain (run))
    {
      energies = jm_job_store_list_parts (answer->store, run, JM_RUN_PART_KIND_ENERGY,
                                          answer->viewer, error);
      if (energies == NULL)
        return FALSE;
    }
  jme_ceems_fields_append (fields, answer->text,
                           &(JmeCeemsRow){ self->site, self->query.zone, run, energies,
                                           NULL });

  return TRUE;
}

static gboolean
tell_units (JmeCeemsAnswer *self, GError **error)
{
  g_auto (JmeCeemsFields) fields = { 0 };
  g_autoptr (JmRunFilter) filter = jme_ceems_answer_make_filter (self, TRUE);
  g_autoptr (GPtrArray) runs = NULL;

  if (!jme_ceems_fields_init (&fields, jme_ceems_unit_fields, self, error))
    return FALSE;
  runs = jme_ceems_list_runs (self, filter, error);
  for (guint i = 0; runs != NULL && i < runs->len; i++)
    {
      if (!append_unit (self, &fields, runs->pdata[i], error))
        return FALSE;
      if (self->answer.text->len > MAX_BYTES && i + 1 < runs->len)
        {
          jme_ceems_answer_warn (self,
                                 "not all: the first %u alone, ask for fewer fields",
                                 i + 1);
          break;
        }
    }

  return runs != NULL;
}

static void
on_units (JmeRequest *request, gpointer site)
{
  jme_ceems_answer (request, site, &jme_ceems_form, tell_units);
}

static void
on_units_of_all (JmeRequest *request, gpointer site)
{
  jme_ceems_answer_administrator (request, site, tell_units);
}

/* --- whose they are --- */

/* Whether there is no such job is not told from whether it is somebody else's. */
static gboolean
tell_owner (JmeCeemsAnswer *self, GError **error)
{
  gboolean owns = TRUE;

  self->has_no_data = TRUE;
  if (self->query.uuids == NULL)
    {
      g_set_error (error, JM_ERROR, JM_ERROR_INVALID, "uuid: none is given");
      return FALSE;
    }
  jme_accounts_share_accounts (self->answer.accounts, self->answer.viewer);
  for (GStrv uuid = self->query.uuids; *uuid != NULL && owns; uuid++)
    if (!jme_ceems_owns (self, *uuid, &owns, error))
      return FALSE;
  if (!owns)
    g_set_error (error, JM_ERROR, JM_ERROR_DENIED, "not all of these jobs are yours");

  return owns;
}

static void
on_verify (JmeRequest *request, gpointer site)
{
  jme_ceems_answer (request, site, &jme_ceems_form, tell_owner);
}

const JmeRoute jme_ceems_units_routes[] = {
  { .path = JME_CEEMS "units", JME_CEEMS_ROUTE, .handler = on_units },
  { .path = JME_CEEMS "units/admin", JME_CEEMS_ROUTE, .handler = on_units_of_all },
  { .path = JME_CEEMS "units/verify", JME_CEEMS_ROUTE, .handler = on_verify },
  { NULL },
};
