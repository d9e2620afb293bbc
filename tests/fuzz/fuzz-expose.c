/* fuzz-expose.c: any Accept header, any label
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include <stdint.h>
#include <string.h>

#include "../add-labelled.h"
#include "../core/made-job.h"
#include "base/jm-json-writer-private.h"
#include "core/jm-snapshot-private.h"
#include "expose/jm-text-encoder.h"

int LLVMFuzzerTestOneInput (const uint8_t *data, size_t size);

static void
add_info (JmReadings *readings, const char *label)
{
  const char *const fields[] = {
    label, label, label, label, label, label, label, NULL
  };
  g_autoptr (JmLabels) info = jm_labels_new (fields);

  jm_readings_add_labelled (readings, JM_METRIC_GPU_INFO, info, 1);
}

static JmSnapshot *
make_snapshot (const char *label)
{
  const char *fields
    [JM_N_JOB_FIELDS] = { [JM_JOB_FIELD_ID] = label, [JM_JOB_FIELD_NAME] = label };
  g_autoptr (JmJob) job = made_job_new (fields, JM_ORIGIN_HOOK);
  g_autoptr (JmReadings) readings = jm_readings_new ();
  g_autoptr (JmLabels) name = jm_labels_of (label, NULL);
  g_autoptr (JmLabels) other = jm_labels_of (label + strcspn (label, ","), NULL);
  JmSubject subjects[] = {
    { JM_SUBJECT_KIND_NODE },
    { .kind = JM_SUBJECT_KIND_GPU, .labels = name },
    { .kind = JM_SUBJECT_KIND_GPU, .labels = other },
    { .kind = JM_SUBJECT_KIND_JOB, .job = job },
    { .kind = JM_SUBJECT_KIND_JOB_GPU, .parent = 3, .job = job, .labels = name },
    { .kind = JM_SUBJECT_KIND_JOB_GPU, .parent = 3, .job = job, .labels = other },
  };
  g_auto (GStrv) labels = g_strsplit (label, ",", -1);

  for (guint i = 0; i < G_N_ELEMENTS (subjects); i++)
    {
      jm_readings_set_subject (readings, i);
      if (subjects[i].kind == JM_SUBJECT_KIND_GPU)
        add_info (readings, label);
      if (subjects[i].kind == JM_SUBJECT_KIND_JOB_GPU)
        add_labelled (readings, JM_METRIC_GPU_SHARE, label, i);
    }
  jm_readings_set_subject (readings, 3);
  for (guint i = 0; labels[i] != NULL; i++)
    add_labelled (readings, JM_METRIC_EXECUTABLE_CPU, labels[i], i);

  return jm_snapshot_new (0, 0, jm_collector_set_get_all (), subjects,
                          G_N_ELEMENTS (subjects), readings);
}

/* Each line is a comment or a series and its value; no series comes twice. */
static void
check_text (const char *text)
{
  g_auto (GStrv) lines = g_strsplit (text, "\n", -1);
  g_autoptr (GHashTable) seen = g_hash_table_new (g_str_hash, g_str_equal);

  g_assert_true (g_utf8_validate (text, -1, NULL));
  for (guint i = 0; lines[i] != NULL; i++)
    {
      char *space = strrchr (lines[i], ' ');

      if (lines[i][0] == '#' || lines[i][0] == '\0')
        continue;
      g_assert_nonnull (space);
      g_assert_true (g_str_has_prefix (lines[i], "jobmetrics_"));
      *space = '\0';
      g_assert_true (g_hash_table_add (seen, lines[i]));
    }
}

int
LLVMFuzzerTestOneInput (const uint8_t *data, size_t size)
{
  g_autofree char *input = g_strndup ((const char *) data, size);
  JmTextFormat format = jm_negotiate_text_format (input);
  g_autoptr (JmTextEncoder) encoder = jm_text_encoder_new ();
  g_autoptr (JmSnapshot) snapshot = make_snapshot (input);
  g_autofree char *text = jm_text_encoder_to_string (encoder, snapshot, format);
  g_autoptr (JsonNode) node = jm_json_encode_snapshot (snapshot, NULL);
  g_autofree char *json = jm_json_format (node, FALSE);
  g_autoptr (JsonNode) read_back = json_from_string (json, NULL);

  check_text (text);
  g_assert_nonnull (read_back);

  return 0;
}
