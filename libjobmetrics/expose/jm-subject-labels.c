/* jm-subject-labels.c: the label texts of a node's jobs, steps and tasks
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "expose/jm-subject-labels-private.h"

#include "core/jm-further-fields-private.h"
#include "expose/jm-text-writer-private.h"

static void
labels_clear (gpointer data)
{
  JmSubjectLabels *self = data;

  jm_subject_clear (&self->subject);
  g_string_free (self->labels, TRUE);
  g_string_free (self->info, TRUE);
}

static GArray *
new_table (void)
{
  GArray *labels = g_array_new (FALSE, TRUE, sizeof (JmSubjectLabels));

  g_array_set_clear_func (labels, labels_clear);

  return labels;
}

void
jm_subject_labels_table_init (JmSubjectLabelsTable *self, guint info_fields)
{
  self->labels = new_table ();
  self->info_fields = info_fields;
  self->further_labels = NULL;
}

void
jm_subject_labels_table_clear (JmSubjectLabelsTable *self)
{
  g_clear_pointer (&self->labels, g_array_unref);
  g_clear_pointer (&self->further_labels, g_strfreev);
}

/* Forgets all texts, since other fields make up the info labels from now on. */
void
jm_subject_labels_table_forget (JmSubjectLabelsTable *self,
                                guint info_fields,
                                char **further_labels)
{
  g_array_set_size (self->labels, 0);
  self->info_fields = info_fields;
  g_strfreev (self->further_labels);
  self->further_labels = further_labels;
}

static JmSubjectLabels *
get_labels (const JmSubjectLabelsTable *self, guint subject)
{
  return &g_array_index (self->labels, JmSubjectLabels, subject);
}

/* Pointers tell, since a reference is held of each: none comes to mean another job. */
static gboolean
is_same_subject (const JmSubject *a, const JmSubject *b)
{
  return a->kind == b->kind && a->job == b->job && a->labels == b->labels;
}

static void
subject_copy (JmSubject *self, const JmSubject *other)
{
  JmSubject old = *self;

  *self = *other;
  jm_subject_hold (self);
  jm_subject_clear (&old);
}

static void
append_field (GString *labels, JmJob *job, JmJobField field)
{
  const char *value = jm_job_get_field (job, field);

  if (value != NULL)
    jm_text_append_label (labels, jm_job_field_get_name (field), value);
}

static void
render_labels (JmSubjectLabels *self)
{
  const JmSubject *subject = &self->subject;
  const char *const *names = jm_subject_kind_get_label_names (subject->kind);

  g_string_truncate (self->labels, 0);
  if (subject->job == NULL)
    return;

  append_field (self->labels, subject->job, JM_JOB_FIELD_ID);
  append_field (self->labels, subject->job, JM_JOB_FIELD_UUID);
  for (guint i = 0; names[i] != NULL; i++)
    jm_text_append_label (self->labels, names[i],
                          jm_labels_get_value (subject->labels, i));
}

static void
append_further_field (GString *labels, JmJob *job, const char *label)
{
  const char *value =
    jm_job_get_further_field (job, label + strlen (JM_FURTHER_FIELD_PREFIX));

  if (value != NULL)
    jm_text_append_label (labels, label, value);
}

static void
render_info (JmSubjectLabels *self, const JmSubjectLabelsTable *table)
{
  g_string_truncate (self->info, 0);
  if (self->subject.kind != JM_SUBJECT_KIND_JOB)
    return;

  for (guint i = 0; i < JM_N_JOB_FIELDS; i++)
    if ((table->info_fields & (1u << i)) != 0)
      append_field (self->info, self->subject.job, i);
  for (char **i = table->further_labels; i != NULL && *i != NULL; i++)
    append_further_field (self->info, self->subject.job, *i);
}

/* Returns: whether anything has changed that decides who is hidden */
static gboolean
labels_update (JmSubjectLabels *self,
               const JmSubject *subject,
               const JmSubjectLabelsTable *table)
{
  gboolean has_changed = (self->subject.end_time == 0) != (subject->end_time == 0) ||
                         self->subject.parent != subject->parent;

  if (self->labels != NULL && is_same_subject (&self->subject, subject))
    {
      self->subject.end_time = subject->end_time;
      self->subject.parent = subject->parent;
      return has_changed;
    }

  if (self->labels == NULL)
    {
      self->labels = g_string_new (NULL);
      self->info = g_string_new (NULL);
    }
  subject_copy (&self->subject, subject);
  render_labels (self);
  render_info (self, table);

  return TRUE;
}

/* Hides what belongs to something hidden, and unhides the rest. */
static void
inherit_hiding (JmSubjectLabelsTable *self, JmSubjectKind level)
{
  for (guint i = 0; i < self->labels->len; i++)
    {
      JmSubjectLabels *labels = get_labels (self, i);

      if (labels->subject.kind == level)
        labels->is_hidden = get_labels (self, labels->subject.parent)->is_hidden;
    }
}

/* Of two that look the same, the one that runs is shown, else the one seen last. */
static gboolean
gives_way (const JmSubjectLabels *earlier, const JmSubjectLabels *later)
{
  return later->subject.end_time == 0 || earlier->subject.end_time != 0;
}

static void
hide_doubles (JmSubjectLabelsTable *self, JmSubjectKind level)
{
  g_autoptr (GHashTable) shown = g_hash_table_new (g_str_hash, g_str_equal);

  for (guint i = 0; i < self->labels->len; i++)
    {
      JmSubjectLabels *labels = get_labels (self, i);
      JmSubjectLabels *earlier;

      if (labels->subject.kind != level || labels->is_hidden)
        continue;

      earlier = g_hash_table_lookup (shown, labels->labels->str);
      if (earlier != NULL && !gives_way (earlier, labels))
        {
          labels->is_hidden = TRUE;
          continue;
        }
      if (earlier != NULL)
        earlier->is_hidden = TRUE;
      g_hash_table_replace (shown, labels->labels->str, labels);
    }
}

/* Takes the subjects of @snapshot over. A scraper refuses everything when two series
 * have the same labels, so that subjects that look the same cannot all be shown. */
void
jm_subject_labels_table_update (JmSubjectLabelsTable *self, JmSnapshot *snapshot)
{
  guint n;
  const JmSubject *subjects = jm_snapshot_get_subjects (snapshot, &n);
  gboolean changed = n != self->labels->len;
  guint n_known = MIN (n, self->labels->len);

  g_array_set_size (self->labels, n_known);
  for (guint i = 0; i < n; i++)
    {
      if (i >= n_known)
        g_array_set_size (self->labels, i + 1);
      changed |= labels_update (get_labels (self, i), &subjects[i], self);
    }

  if (!changed)
    return;

  for (JmSubjectKind level = JM_SUBJECT_KIND_JOB; level < JM_N_SUBJECT_KINDS; level++)
    {
      inherit_hiding (self, level);
      hide_doubles (self, level);
    }
}

const JmSubjectLabels *
jm_subject_labels_table_get (const JmSubjectLabelsTable *self, guint subject)
{
  return get_labels (self, subject);
}
