/* jm-dialect.c: how figures are named for dashboards made for another exporter
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "expose/jm-dialect-private.h"

#include <string.h>

#include "base/jm-error-private.h"
#include "core/jm-job-private.h"
#include "core/jm-key-file-private.h"
#include "expose/jm-metric-selection-private.h"

#define HEAD "Dialect"
#define RUN "Run"
#define LABELS "Labels"
#define MAX_FAMILIES 1024

struct _JmDialect
{
  char *path;
  char *name;
  char **schedulers; /* NULL for all */
  char *base;        /* the dialect whose families it has as well; NULL for none */
  char **without;    /* those of them that it does not have; NULL for none */
  char *labels[JM_N_SUBJECT_KINDS];
  GArray *run_labels;  /* of JmRunLabel */
  GPtrArray *families; /* of JmDialectFamily */
};

G_DEFINE_BOXED_TYPE (JmDialect, jm_dialect, jm_dialect_ref, jm_dialect_unref)

static void
run_label_clear (gpointer data)
{
  g_free ((char *) ((JmRunLabel *) data)->label);
}

static gboolean
find_run_field (const char *name, JmJobField *field)
{
  return jm_job_field_from_name (name, field) &&
         (*field == JM_JOB_FIELD_ID || *field == JM_JOB_FIELD_UUID ||
          *field == JM_JOB_FIELD_CLUSTER);
}

/* `LABEL={FIELD}`, or a label alone of the field that is called so. */
static gboolean
add_run_label (JmDialect *self, const char *text, GError **error)
{
  gsize length = strcspn (text, "=");
  g_autofree char *label = g_strndup (text, length);
  g_autofree char *field = g_strdup (text[length] == '=' ? text + length + 1 : text);
  JmRunLabel run_label;

  if (text[length] == '=' && *field == '{' && g_str_has_suffix (field, "}"))
    {
      field[strlen (field) - 1] = '\0';
      memmove (field, field + 1, strlen (field));
    }
  if (!jm_dialect_is_label_name (label))
    return jm_error_refuse (error, "not the name of a label", label);
  if (!find_run_field (field, &run_label.field))
    return jm_error_refuse (error, "not LABEL={jobid}, {uuid} or {cluster}", text);

  run_label.label = g_steal_pointer (&label);
  g_array_append_val (self->run_labels, run_label);

  return TRUE;
}

static gboolean
read_run_labels (JmDialect *self, GKeyFile *file, GError **error)
{
  g_auto (GStrv) texts = g_key_file_get_string_list (file, HEAD, RUN, NULL, error);

  for (guint i = 0; texts != NULL && texts[i] != NULL; i++)
    if (!add_run_label (self, texts[i], error))
      return FALSE;

  return texts != NULL;
}

static gboolean
read_head_key (JmDialect *self, GKeyFile *file, const char *key, GError **error)
{
  if (g_str_equal (key, "Name"))
    {
      self->name = g_key_file_get_string (file, HEAD, key, error);
      return self->name != NULL;
    }
  if (g_str_equal (key, "Schedulers"))
    {
      self->schedulers = g_key_file_get_string_list (file, HEAD, key, NULL, error);
      return self->schedulers != NULL;
    }

  if (g_str_equal (key, RUN))
    return read_run_labels (self, file, error);
  if (g_str_equal (key, "Like"))
    {
      self->base = g_key_file_get_string (file, HEAD, key, error);
      return self->base != NULL;
    }
  if (g_str_equal (key, "Without"))
    {
      self->without = g_key_file_get_string_list (file, HEAD, key, NULL, error);
      return self->without != NULL;
    }

  return g_str_equal (key, "Help") || jm_error_refuse (error, "unknown key", key);
}

/* The values are lists that each family reads by itself. */
static gboolean
read_labels_key (JmDialect *self, GKeyFile *file, const char *key, GError **error)
{
  JmSubjectKind kind;

  if (!jm_dialect_kind_from_name (key, &kind))
    return jm_error_refuse (error, "no kind of subject", key);
  self->labels[kind] = g_key_file_get_string (file, LABELS, key, error);

  return self->labels[kind] != NULL;
}

static gboolean
read_keys (JmDialect *self,
           GKeyFile *file,
           const char *group,
           gboolean (*read) (JmDialect *, GKeyFile *, const char *, GError **),
           GError **error)
{
  g_auto (GStrv) keys = NULL;

  if (!g_key_file_has_group (file, group))
    return TRUE;

  keys = jm_key_file_list_keys (file, group, error);
  if (keys == NULL)
    {
      g_prefix_error (error, "%s: ", group);
      return FALSE;
    }
  for (guint i = 0; keys[i] != NULL; i++)
    if (!read (self, file, keys[i], error))
      {
        g_prefix_error (error, "%s: %s: ", group, keys[i]);
        return FALSE;
      }

  return TRUE;
}

static gboolean
find_family (JmDialect *self, const char *name, guint *number)
{
  for (guint i = 0; i < self->families->len; i++)
    if (g_str_equal (((JmDialectFamily *) self->families->pdata[i])->name, name))
      {
        *number = i;
        return TRUE;
      }

  return FALSE;
}

static gboolean
add_family (JmDialect *self, GKeyFile *file, const char *group, GError **error)
{
  g_autoptr (JmDialectFamily) family = NULL;
  guint number;

  if (self->families->len == MAX_FAMILIES)
    return jm_error_refuse (error, "too many families, from here", group);
  family = jm_dialect_family_new (file, group, self->labels, error);
  if (family == NULL)
    return FALSE;
  if (find_family (self, family->name, &number))
    return jm_error_refuse (error, family->name, "a family twice");
  g_ptr_array_add (self->families, g_steal_pointer (&family));

  return TRUE;
}

static gboolean
read_file (JmDialect *self, GKeyFile *file, GError **error)
{
  g_auto (GStrv) groups = g_key_file_get_groups (file, NULL);

  if (!read_keys (self, file, HEAD, read_head_key, error) ||
      !read_keys (self, file, LABELS, read_labels_key, error))
    return FALSE;
  if (self->name == NULL || *self->name == '\0')
    return jm_error_refuse (error, HEAD ": Name", "missing");

  for (guint i = 0; groups[i] != NULL; i++)
    if (!g_str_equal (groups[i], HEAD) && !g_str_equal (groups[i], LABELS) &&
        !add_family (self, file, groups[i], error))
      return FALSE;

  return TRUE;
}

static gboolean
read_text (JmDialect *self, const char *text, gsize length, GError **error)
{
  g_autoptr (GKeyFile) file = jm_key_file_new_from_text (text, length, error);

  return file != NULL && read_file (self, file, error);
}

static JmDialect *
dialect_new (const char *path)
{
  JmDialect *self = g_atomic_rc_box_new0 (JmDialect);

  self->path = g_strdup (path);
  self->run_labels = g_array_new (FALSE, FALSE, sizeof (JmRunLabel));
  g_array_set_clear_func (self->run_labels, run_label_clear);
  self->families =
    g_ptr_array_new_with_free_func ((GDestroyNotify) jm_dialect_family_unref);

  return self;
}

JmDialect *
jm_dialect_new_native (JmMetricSelection *selection)
{
  JmDialect *self = dialect_new (NULL);

  self->name = g_strdup ("native");
  for (guint i = 0; i < JM_N_BUCKETS; i++)
    if (selection->names[i] != NULL)
      g_ptr_array_add (self->families,
                       jm_dialect_family_new_native (selection->names[i],
                                                     i / JM_N_METRICS,
                                                     i % JM_N_METRICS));

  return self;
}

/**
 * jm_dialect_new_from_text:
 * @path: what messages call the text
 * @text: (array length=length) (element-type guint8): a key file
 * @length: of @text
 * @error: return location for an error
 *
 * Understands a dialect.
 *
 * - Shape: a key file with a group `Dialect`, maybe one `Labels`, and one for each
 *   metric family; the manual's page on dialects has the keys.
 * - Errors: `INVALID`, with file, group, key and value: of a key that is not known, a
 *   metric that there is not, a name that Prometheus does not take, a family twice.
 *
 * Returns: (transfer full): the dialect
 * Since: 0.1
 */
JmDialect *
jm_dialect_new_from_text (const char *path,
                          const char *text,
                          gsize length,
                          GError **error)
{
  g_autoptr (JmDialect) self = NULL;
  g_autoptr (GError) problem = NULL;

  g_return_val_if_fail (path != NULL, NULL);
  g_return_val_if_fail (text != NULL || length == 0, NULL);

  self = dialect_new (path);
  if (read_text (self, length > 0 ? text : "", length, &problem))
    return g_steal_pointer (&self);

  g_set_error (error, JM_ERROR, JM_ERROR_INVALID, "%s: %s", path, problem->message);

  return NULL;
}

JmDialect *
jm_dialect_ref (JmDialect *self)
{
  g_return_val_if_fail (self != NULL, NULL);

  return g_atomic_rc_box_acquire (self);
}

static void
dialect_clear (gpointer data)
{
  JmDialect *self = data;

  g_free (self->path);
  g_free (self->name);
  g_strfreev (self->schedulers);
  g_free (self->base);
  g_strfreev (self->without);
  for (guint i = 0; i < JM_N_SUBJECT_KINDS; i++)
    g_free (self->labels[i]);
  g_array_unref (self->run_labels);
  g_ptr_array_unref (self->families);
}

/**
 * jm_dialect_unref:
 * @self: (transfer full): a dialect
 *
 * Releases a reference.
 *
 * Since: 0.1
 */
void
jm_dialect_unref (JmDialect *self)
{
  g_return_if_fail (self != NULL);

  g_atomic_rc_box_release_full (self, dialect_clear);
}

/**
 * jm_dialect_get_name:
 * @self: a dialect
 *
 * Gets its name.
 *
 * Returns: the name, such as `slurm-job-exporter`
 * Since: 0.1
 */
const char *
jm_dialect_get_name (JmDialect *self)
{
  g_return_val_if_fail (self != NULL, NULL);

  return self->name;
}

/* Lists the names of its metric families.
 *
 * Returns the names. */
char **
jm_dialect_list_families (JmDialect *self)
{
  g_autoptr (GStrvBuilder) names = g_strv_builder_new ();

  g_return_val_if_fail (self != NULL, NULL);

  for (guint i = 0; i < self->families->len; i++)
    g_strv_builder_add (names, ((JmDialectFamily *) self->families->pdata[i])->name);

  return g_strv_builder_end (names);
}

const char *
jm_dialect_get_base (JmDialect *self)
{
  return self->base;
}

static gboolean
is_without (JmDialect *self, const char *name)
{
  return self->without != NULL &&
         g_strv_contains ((const char *const *) self->without, name);
}

static gboolean
check_without (JmDialect *self, JmDialect *base, GError **error)
{
  guint number;

  for (char **name = self->without; name != NULL && *name != NULL; name++)
    if (!find_family (base, *name, &number))
      return jm_error_refuse (error, "Without: no family of that dialect", *name);

  return base->base == NULL ||
         jm_error_refuse (error, "Like: a dialect that has one itself", base->name);
}

gboolean
jm_dialect_extend (JmDialect *self, JmDialect *base, GError **error)
{
  guint place = 0, number;

  if (!check_without (self, base, error))
    {
      g_prefix_error (error, "%s: " HEAD ": ", self->path);
      return FALSE;
    }

  for (guint i = 0; i < base->families->len; i++)
    {
      JmDialectFamily *family = base->families->pdata[i];

      if (!find_family (self, family->name, &number) &&
          !is_without (self, family->name))
        g_ptr_array_insert (self->families, (int) place++,
                            g_atomic_rc_box_acquire (family));
    }
  if (self->schedulers == NULL)
    self->schedulers = g_strdupv (base->schedulers);
  for (guint i = 0; i < base->run_labels->len; i++)
    {
      JmRunLabel label = g_array_index (base->run_labels, JmRunLabel, i);

      label.label = g_strdup (label.label);
      g_array_append_val (self->run_labels, label);
    }

  return TRUE;
}

const GArray *
jm_dialect_get_run_labels (JmDialect *self)
{
  return self->run_labels;
}

GPtrArray *
jm_dialect_get_families (JmDialect *self)
{
  return self->families;
}

gboolean
jm_dialect_shows_scheduler (JmDialect *self, const char *scheduler)
{
  return self->schedulers == NULL ||
         (scheduler != NULL &&
          g_strv_contains ((const char *const *) self->schedulers, scheduler));
}
