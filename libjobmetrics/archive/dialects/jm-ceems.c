/* jm-ceems.c: the API of CEEMS' server
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "archive/dialects/jm-ceems-answer-private.h"

#define DAY_SECONDS 86400

static const char *
name_error (guint status)
{
  static const struct
  {
    guint status;
    const char *name;
  } names[] = { { 400, "bad_data" },
                { 401, "unauthorized" },
                { 403, "forbidden" },
                { 404, "not_found" } };

  for (guint i = 0; i < G_N_ELEMENTS (names); i++)
    if (names[i].status == status)
      return names[i].name;

  return "unavailable";
}

static void
wrap (JmJsonWriter *json, JmCeemsAnswer *self)
{
  jm_json_writer_begin_object (json, NULL);
  jm_json_writer_add_text (json, "status", "success");
  if (self->has_no_data)
    jm_json_writer_add_text (json, "data", NULL);
  else
    jm_ceems_answer_append_data (json, self);
  if (self->warnings->len > 0)
    jm_ceems_answer_append_warnings (json, self);
  jm_json_writer_end_object (json);
}

static void
refuse (JmJsonWriter *json, guint status, const char *reason)
{
  jm_json_writer_begin_object (json, NULL);
  jm_json_writer_add_text (json, "status", "error");
  jm_json_writer_add_text (json, "data", NULL);
  jm_json_writer_add_text (json, "errorType", name_error (status));
  jm_json_writer_add_text (json, "error", reason);
  jm_json_writer_end_object (json);
}

#define KIND(append, is_for_all)                                                       \
 jm_ceems_answer, &(const JmCeemsKind) { append, is_for_all, DAY_SECONDS, wrap }
#define OWN(append) KIND (append, FALSE)
#define ALL(append) KIND (append, TRUE)

static const JmApiPath paths[] = {
  { "units", OWN (jm_ceems_append_units) },
  { "units/admin", ALL (jm_ceems_append_units) },
  { "units/verify", OWN (jm_ceems_check_owner) },
  { "usage/current", OWN (jm_ceems_append_sums_of_window) },
  { "usage/current/admin", ALL (jm_ceems_append_sums_of_window) },
  { "usage/global", OWN (jm_ceems_append_all_sums) },
  { "usage/global/admin", ALL (jm_ceems_append_all_sums) },
  { "users", OWN (jm_ceems_append_users) },
  { "users/admin", ALL (jm_ceems_append_users) },
  { "projects", OWN (jm_ceems_append_projects) },
  { "projects/admin", ALL (jm_ceems_append_projects) },
  { "clusters/admin", ALL (jm_ceems_append_clusters) },
  { "stats/current/admin", ALL (jm_ceems_append_counts_of_window) },
  { "stats/global/admin", ALL (jm_ceems_append_all_counts) },
  { NULL },
};

const JmApiDialect jm_ceems_dialect = {
  .prefix = "/ceems/api/v1/",
  .paths = paths,
  .refuse = refuse,
};
