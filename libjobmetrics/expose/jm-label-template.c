/* jm-label-template.c: how a dialect makes the value of a label
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "core/jm-job-private.h"
#include "core/jm-subject-private.h"
#include "expose/jm-dialect-family-private.h"

#include <string.h>

#include "base/jm-error-private.h"
#include "base/jm-number-private.h"
#include "core/jm-further-fields-private.h"
#include "core/jm-version.h"

#define GPU_PREFIX "gpu."
#define INFO_PREFIX "info."

typedef enum
{
  PART_TEXT,
  PART_NODE,
  PART_JOB_FIELD,
  PART_FURTHER_FIELD,
  PART_SUBJECT_LABEL,
  PART_GPU_FIELD,
  PART_WHOLE_GPU,
  PART_OWN_LABEL,
  PART_INFO_LABEL,
  PART_WORD,
  PART_COLLECTOR,
  PART_VERSION,
} PartKind;

enum
{
  COLLECTOR_NAME,
  COLLECTOR_SUCCESS,
  COLLECTOR_DURATION,
};

enum
{
  WHOLE_GPU_NAME,
  WHOLE_GPU_UUID,
  WHOLE_GPU_INSTANCE,
};

/* Of an instance, what its device is and its number there: by these, not by its own
 * uuid, DCGM's exporter knows it. */
static const char *const whole_gpu_fields[] = { "device", "device_uuid", "instance",
                                                NULL };

static const char *const collector_fields[] = { "collector", "success", "duration",
                                                NULL };

typedef struct
{
  PartKind kind;
  guint number;         /* of the field or label */
  char *text;           /* PART_TEXT: itself; PART_FURTHER_FIELD: the field's name */
  char *prefix;         /* that is taken away; NULL for none */
  gboolean is_anywhere; /* and all that stands before it, up to the last */
  char **from;          /* values that are replaced, and by what */
  char **to;
} Part;

struct _JmLabelTemplate
{
  GArray *parts; /* of Part */
};

static void
part_clear (gpointer data)
{
  Part *self = data;

  g_free (self->text);
  g_free (self->prefix);
  g_strfreev (self->from);
  g_strfreev (self->to);
}

void
jm_label_template_free (JmLabelTemplate *self)
{
  g_array_unref (self->parts);
  g_free (self);
}

/* --- reading one --- */

static gboolean
find_name (const char *const *names, const char *name, guint *number)
{
  for (guint i = 0; names[i] != NULL; i++)
    if (g_str_equal (names[i], name))
      {
        *number = i;
        return TRUE;
      }

  return FALSE;
}

static gboolean
find_gpu_field (const char *name, guint *number)
{
  for (JmGpuField i = 0; i < JM_N_GPU_FIELDS; i++)
    if (g_str_equal (jm_gpu_field_get_name (i), name))
      {
        *number = i;
        return TRUE;
      }

  return FALSE;
}

static gboolean
is_gpu (JmSubjectKind kind)
{
  return kind == JM_SUBJECT_KIND_GPU || kind == JM_SUBJECT_KIND_JOB_GPU;
}

static gboolean
find_label (JmMetric metric, const char *name, guint *number)
{
  return metric != JM_N_METRICS &&
         find_name (jm_metric_get_info (metric)->labels, name, number);
}

static gboolean
find_field (Part *self, const char *name, JmTemplateScope scope)
{
  JmJobField field;

  if (find_label (scope.metric, name, &self->number))
    self->kind = PART_OWN_LABEL;
  else if (find_name (jm_subject_kind_get_label_names (scope.kind), name,
                      &self->number))
    self->kind = PART_SUBJECT_LABEL;
  else if (g_str_has_prefix (name, INFO_PREFIX) &&
           find_label (scope.info, name + strlen (INFO_PREFIX), &self->number))
    self->kind = PART_INFO_LABEL;
  else if (scope.has_word && g_str_equal (name, "word"))
    self->kind = PART_WORD;
  else if (g_str_equal (name, "node"))
    self->kind = PART_NODE;
  else if (g_str_equal (name, "version"))
    self->kind = PART_VERSION;
  else if (scope.has_collector && find_name (collector_fields, name, &self->number))
    self->kind = PART_COLLECTOR;
  else if (is_gpu (scope.kind) && g_str_has_prefix (name, GPU_PREFIX) &&
           find_gpu_field (name + strlen (GPU_PREFIX), &self->number))
    self->kind = PART_GPU_FIELD;
  else if (is_gpu (scope.kind) && g_str_has_prefix (name, GPU_PREFIX) &&
           find_name (whole_gpu_fields, name + strlen (GPU_PREFIX), &self->number))
    self->kind = PART_WHOLE_GPU;
  else if (g_str_has_prefix (name, JM_FURTHER_FIELD_PREFIX))
    {
      self->kind = PART_FURTHER_FIELD;
      self->text = g_strdup (name + strlen (JM_FURTHER_FIELD_PREFIX));
    }
  else if (jm_job_field_from_name (name, &field))
    {
      self->kind = PART_JOB_FIELD;
      self->number = field;
    }
  else
    return FALSE;

  return TRUE;
}

/* What stands behind the first bar: `receive:RX|transmit:TX`. */
static gboolean
read_replacements (Part *self, const char *text, GError **error)
{
  g_auto (GStrv) pairs = g_strsplit (text, "|", -1);
  guint n = g_strv_length (pairs);

  self->from = g_new0 (char *, n + 1);
  self->to = g_new0 (char *, n + 1);
  for (guint i = 0; i < n; i++)
    {
      const char *colon = strchr (pairs[i], ':');

      if (colon == NULL)
        return jm_error_refuse (error, "not VALUE:REPLACEMENT", pairs[i]);
      self->from[i] = g_strndup (pairs[i], colon - pairs[i]);
      self->to[i] = g_strdup (colon + 1);
    }

  return TRUE;
}

/* What stands between braces. */
static gboolean
read_field (Part *self, const char *text, JmTemplateScope scope, GError **error)
{
  g_autofree char *name = g_strdup (text);
  char *bar = strchr (name, '|');
  char *hash = strchr (name, '#');

  if (bar != NULL)
    {
      *bar = '\0';
      if (!read_replacements (self, bar + 1, error))
        return FALSE;
    }
  if (hash != NULL && (bar == NULL || hash < bar))
    {
      *hash = '\0';
      self->is_anywhere = hash[1] == '#';
      self->prefix = g_strdup (hash + 1 + self->is_anywhere);
    }

  return find_field (self, name, scope) ||
         jm_error_refuse (error, "no field or label of these figures", name);
}

static void
add_text (JmLabelTemplate *self, const char *text, gsize length)
{
  Part part = { .kind = PART_TEXT, .text = g_strndup (text, length) };

  g_array_append_val (self->parts, part);
}

static gboolean
add_field (JmLabelTemplate *self,
           const char *text,
           gsize length,
           JmTemplateScope scope,
           GError **error)
{
  g_autofree char *field = g_strndup (text, length);

  g_array_set_size (self->parts, self->parts->len + 1);

  return read_field (&g_array_index (self->parts, Part, self->parts->len - 1), field,
                     scope, error);
}

static gboolean
read_parts (JmLabelTemplate *self,
            const char *text,
            JmTemplateScope scope,
            GError **error)
{
  while (*text != '\0')
    {
      gsize length = strcspn (text, "{}");
      const char *end;

      if (length > 0)
        add_text (self, text, length);
      text += length;
      if (*text == '\0')
        break;

      end = strchr (text, '}');
      if (*text == '}' || end == NULL)
        return jm_error_refuse (error, "a brace without its other", text);
      if (!add_field (self, text + 1, end - text - 1, scope, error))
        return FALSE;
      text = end + 1;
    }

  return TRUE;
}

JmLabelTemplate *
jm_label_template_new (const char *text, JmTemplateScope scope, GError **error)
{
  g_autoptr (JmLabelTemplate) self = g_new0 (JmLabelTemplate, 1);

  self->parts = g_array_new (FALSE, TRUE, sizeof (Part));
  g_array_set_clear_func (self->parts, part_clear);
  if (!g_utf8_validate (text, -1, NULL))
    {
      jm_error_refuse (error, "not UTF-8", "a label");
      return NULL;
    }

  return read_parts (self, text, scope, error) ? g_steal_pointer (&self) : NULL;
}

gboolean
jm_label_template_has_own_label (const JmLabelTemplate *self)
{
  for (guint i = 0; i < self->parts->len; i++)
    if (g_array_index (self->parts, Part, i).kind == PART_OWN_LABEL)
      return TRUE;

  return FALSE;
}

/* --- making a value --- */

static const char *
get_label (JmLabels *labels, guint number)
{
  return labels != NULL ? jm_labels_get_value (labels, number) : NULL;
}

static const char *
get_collector_field (const Part *self, const JmTemplateValues *values)
{
  if (self->number == COLLECTOR_NAME)
    return jm_collector_get_name (values->collector);

  return jm_snapshot_has_failed (values->snapshot, values->collector) ? "0" : "1";
}

static const char *
get_whole_gpu_field (const Part *self, const JmTemplateValues *values)
{
  JmSnapshot *snapshot = values->snapshot;
  guint subject = values->subject;
  const char *parent =
    jm_snapshot_get_gpu_field (snapshot, subject, JM_GPU_FIELD_PARENT);
  const char *number;

  if (self->number == WHOLE_GPU_NAME)
    return parent != NULL ? parent : jm_snapshot_get_gpu (snapshot, subject);
  if (self->number == WHOLE_GPU_UUID)
    return parent == NULL || jm_snapshot_find_gpu (snapshot, parent, &subject)
             ? jm_snapshot_get_gpu_field (snapshot, subject, JM_GPU_FIELD_UUID)
             : NULL;
  if (parent == NULL)
    return NULL;

  number = strrchr (jm_snapshot_get_gpu (snapshot, subject), '.');

  return number != NULL ? number + 1 : NULL;
}

static const char *
get_value (const Part *self, const JmTemplateValues *values)
{
  switch (self->kind)
    {
    case PART_NODE:
      return values->node_name;
    case PART_JOB_FIELD:
      return values->job != NULL ? jm_job_get_field (values->job, self->number) : NULL;
    case PART_FURTHER_FIELD:
      return values->job != NULL ? jm_job_get_further_field (values->job, self->text)
                                 : NULL;
    case PART_SUBJECT_LABEL:
      return get_label (values->subject_labels, self->number);
    case PART_GPU_FIELD:
      return jm_snapshot_get_gpu_field (values->snapshot, values->subject,
                                        self->number);
    case PART_WHOLE_GPU:
      return get_whole_gpu_field (self, values);
    case PART_OWN_LABEL:
      return get_label (values->own_labels, self->number);
    case PART_INFO_LABEL:
      return get_label (values->info_labels, self->number);
    case PART_WORD:
      return values->word;
    case PART_COLLECTOR:
      return get_collector_field (self, values);
    case PART_VERSION:
      return JM_VERSION_S;
    case PART_TEXT:
    default:
      return self->text;
    }
}

static const char *
take_away (const Part *self, const char *value)
{
  const char *found = self->is_anywhere ? g_strrstr (value, self->prefix) : value;

  if (found != NULL && g_str_has_prefix (found, self->prefix))
    return found + strlen (self->prefix);

  return value;
}

static const char *
replace (const Part *self, const char *value)
{
  guint number;

  if (self->prefix != NULL)
    value = take_away (self, value);
  if (self->from != NULL &&
      find_name ((const char *const *) self->from, value, &number))
    return self->to[number];

  return value;
}

static void
append_part (const Part *part, const JmTemplateValues *values, GString *out)
{
  const char *value;

  if (part->kind == PART_COLLECTOR && part->number == COLLECTOR_DURATION)
    {
      jm_number_append_decimal (out,
                                (guint64)
                                  jm_snapshot_get_collector_duration (values->snapshot,
                                                                      values
                                                                        ->collector),
                                9);
      return;
    }

  value = get_value (part, values);
  g_string_append (out, replace (part, value != NULL ? value : ""));
}

void
jm_label_template_append (const JmLabelTemplate *self,
                          const JmTemplateValues *values,
                          GString *out)
{
  for (guint i = 0; i < self->parts->len; i++)
    append_part (&g_array_index (self->parts, Part, i), values, out);
}
