/* jm-subject-labels.c: the label texts of a node's jobs, steps and tasks
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "expose/jm-subject-labels-private.h"

#include "base/jm-text-writer-private.h"
#include "core/jm-further-fields-private.h"
#include "core/jm-subject-private.h"

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
  *self = (JmSubjectLabelsTable){ .labels = new_table (), .info_fields = info_fields };
}

void
jm_subject_labels_table_clear (JmSubjectLabelsTable *self)
{
  g_clear_pointer (&self->labels, g_array_unref);
  g_clear_pointer (&self->further_labels, g_strfreev);
  g_clear_pointer (&self->qualified, g_hash_table_unref);
}

void
jm_subject_labels_table_set_job_fields (JmSubjectLabelsTable *self, guint job_fields)
{
  g_array_set_size (self->labels, 0);
  self->job_fields = job_fields;
}

void
jm_subject_labels_table_set_info_fields (JmSubjectLabelsTable *self,
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

/* Pointers are compared: as a reference is held, none comes to mean another job. */
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

/* --- names --- */

/* Identifies a job among all others of a node, as far as its id is concerned. */
static char *
make_full_id (JmJob *job)
{
  const char *scheduler = jm_job_get_field (job, JM_JOB_FIELD_SCHEDULER);
  const char *cluster = jm_job_get_field (job, JM_JOB_FIELD_CLUSTER);

  return g_strconcat (scheduler != NULL ? scheduler : "", ":",
                      cluster != NULL ? cluster : "", cluster != NULL ? "/" : "",
                      jm_job_get_id (job), NULL);
}

/* Two runs of one job have one id, and two jobs of different schedulers have not. The
 * id belongs to the first that had it; one that was called by its full id stays so, or
 * its series would begin anew. */
static GHashTable *
find_qualified (const JmSubjectLabelsTable *self)
{
  GHashTable *found = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  g_autoptr (GHashTable) owners =
    g_hash_table_new_full (g_str_hash, g_str_equal, NULL, g_free);

  for (guint i = 0; i < self->labels->len; i++)
    {
      const JmSubject *subject = &get_labels (self, i)->subject;
      g_autofree char *full_id = NULL;
      const char *owner;

      if (subject->kind != JM_SUBJECT_KIND_JOB)
        continue;

      full_id = make_full_id (subject->job);
      owner = g_hash_table_lookup (owners, jm_job_get_id (subject->job));
      if (owner != NULL ? !g_str_equal (owner, full_id)
                        : self->qualified != NULL &&
                            g_hash_table_contains (self->qualified, full_id))
        g_hash_table_add (found, g_steal_pointer (&full_id));
      else if (owner == NULL)
        g_hash_table_insert (owners, (gpointer) jm_job_get_id (subject->job),
                             g_steal_pointer (&full_id));
    }

  return found;
}

/* --- texts --- */

static void
append_id (GString *labels, JmJob *job, gboolean is_qualified)
{
  g_autofree char *full_id = is_qualified ? make_full_id (job) : NULL;

  jm_text_append_label (labels, jm_job_field_get_name (JM_JOB_FIELD_ID),
                        is_qualified ? full_id : jm_job_get_id (job));
}

/* Of the job of a subject: its id, and more. */
static void
append_fields (GString *labels, const JmSubjectLabels *self, guint fields)
{
  JmJob *job = self->subject.job;

  for (JmJobField i = 0; i < JM_N_JOB_FIELDS; i++)
    {
      const char *value = jm_job_get_field (job, i);

      if (i == JM_JOB_FIELD_ID)
        append_id (labels, job, self->is_qualified);
      else if ((fields & (1u << i)) != 0 && value != NULL)
        jm_text_append_label (labels, jm_job_field_get_name (i), value);
    }
}

static void
render_labels (JmSubjectLabels *self, const JmSubjectLabelsTable *table)
{
  const JmSubject *subject = &self->subject;
  const char *const *names = jm_subject_kind_get_label_names (subject->kind);

  g_string_truncate (self->labels, 0);
  if (subject->job != NULL)
    append_fields (self->labels, self, table->job_fields);
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

  append_fields (self->info, self, table->info_fields);
  for (char **i = table->further_labels; i != NULL && *i != NULL; i++)
    append_further_field (self->info, self->subject.job, *i);
}

/* Returns: whether anything has changed that decides who is hidden, or called what */
static gboolean
labels_update (JmSubjectLabels *self, const JmSubject *subject)
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
  self->revision = 0;

  return TRUE;
}

static gboolean
is_qualified (const JmSubjectLabelsTable *self, JmJob *job)
{
  g_autofree char *full_id = NULL;

  if (job == NULL || g_hash_table_size (self->qualified) == 0)
    return FALSE;

  full_id = make_full_id (job);

  return g_hash_table_contains (self->qualified, full_id);
}

static void
render (JmSubjectLabelsTable *self)
{
  GHashTable *qualified = find_qualified (self);

  g_clear_pointer (&self->qualified, g_hash_table_unref);
  self->qualified = qualified;
  for (guint i = 0; i < self->labels->len; i++)
    {
      JmSubjectLabels *labels = get_labels (self, i);
      gboolean was_qualified = labels->is_qualified;

      labels->is_qualified = is_qualified (self, labels->subject.job);
      if (labels->revision != 0 && labels->is_qualified == was_qualified)
        continue;

      render_labels (labels, self);
      render_info (labels, self);
      labels->revision = ++self->n_rendered;
    }
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
      changed |= labels_update (get_labels (self, i), &subjects[i]);
    }

  if (!changed)
    return;

  render (self);

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
