/* jm-text-encoder.c: snapshots to what Prometheus reads
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "expose/jm-text-encoder.h"

#include "base/jm-error.h"
#include "core/jm-job-private.h"
#include "expose/jm-dialect-private.h"
#include "expose/jm-job-fields-private.h"
#include "expose/jm-metric-selection-private.h"
#include "expose/jm-text-document-private.h"

/**
 * JmTextEncoder:
 *
 * Writes snapshots in Prometheus' text format and in OpenMetrics. It keeps each line's
 * name and labels from one snapshot to the next, so that one encoder should be used
 * for all snapshots of a node.
 *
 * An encoder belongs to one thread.
 *
 * Since: 0.1
 */
struct _JmTextEncoder
{
  GObject parent_instance;
  JmTextWorkspace workspace;
  JmDialectDocument *native; /* NULL before it is needed */
  GPtrArray *dialects;       /* of JmDialectDocument */
  gboolean is_native;        /* jobmetrics' own names are among them */
  char *node_name;
};

enum
{
  PROP_SELECTION = 1,
  PROP_JOB_FIELDS,
  PROP_INFO_FIELDS,
  PROP_DECIDED_ONLY,
  PROP_NATIVE,
  PROP_NODE_NAME,
  N_PROPS
};

static GParamSpec *properties[N_PROPS];

G_DEFINE_FINAL_TYPE (JmTextEncoder, jm_text_encoder, G_TYPE_OBJECT)

static char **
list_info_fields (JmTextEncoder *self)
{
  g_autoptr (GStrvBuilder) names = g_strv_builder_new ();
  g_auto (GStrv) known = jm_job_fields_to_names (self->workspace.table.info_fields);

  g_strv_builder_addv (names, (const char **) known);
  if (self->workspace.table.further_labels != NULL)
    g_strv_builder_addv (names, (const char **) self->workspace.table.further_labels);

  return g_strv_builder_end (names);
}

static void
jm_text_encoder_get_property (GObject *object,
                              guint id,
                              GValue *value,
                              GParamSpec *spec)
{
  JmTextEncoder *self = JM_TEXT_ENCODER (object);

  switch (id)
    {
    case PROP_SELECTION:
      g_value_set_boxed (value, self->workspace.selection);
      break;
    case PROP_JOB_FIELDS:
      g_value_take_boxed (value,
                          jm_job_fields_to_names (self->workspace.table.job_fields));
      break;
    case PROP_INFO_FIELDS:
      g_value_take_boxed (value, list_info_fields (self));
      break;
    case PROP_DECIDED_ONLY:
      g_value_set_boolean (value, self->workspace.is_decided_only);
      break;
    case PROP_NATIVE:
      g_value_set_boolean (value, self->is_native);
      break;
    case PROP_NODE_NAME:
      g_value_set_string (value, self->node_name);
      break;
    default:
      G_OBJECT_WARN_INVALID_PROPERTY_ID (object, id, spec);
    }
}

static void
jm_text_encoder_set_property (GObject *object,
                              guint id,
                              const GValue *value,
                              GParamSpec *spec)
{
  JmTextEncoder *self = JM_TEXT_ENCODER (object);

  switch (id)
    {
    case PROP_SELECTION:
      jm_text_encoder_set_selection (self, g_value_get_boxed (value));
      break;
    case PROP_JOB_FIELDS:
      jm_text_encoder_set_job_fields (self, g_value_get_boxed (value));
      break;
    case PROP_INFO_FIELDS:
      jm_text_encoder_set_info_fields (self, g_value_get_boxed (value));
      break;
    case PROP_DECIDED_ONLY:
      self->workspace.is_decided_only = g_value_get_boolean (value);
      break;
    case PROP_NATIVE:
      self->is_native = g_value_get_boolean (value);
      break;
    case PROP_NODE_NAME:
      g_free (self->node_name);
      self->node_name = g_value_dup_string (value);
      break;
    default:
      G_OBJECT_WARN_INVALID_PROPERTY_ID (object, id, spec);
    }
}

static void
jm_text_encoder_finalize (GObject *object)
{
  JmTextEncoder *self = JM_TEXT_ENCODER (object);

  jm_text_workspace_clear (&self->workspace);
  g_clear_pointer (&self->native, jm_dialect_document_free);
  g_ptr_array_unref (self->dialects);
  g_free (self->node_name);

  G_OBJECT_CLASS (jm_text_encoder_parent_class)->finalize (object);
}

static void
jm_text_encoder_class_init (JmTextEncoderClass *class)
{
  GObjectClass *object_class = G_OBJECT_CLASS (class);

  object_class->get_property = jm_text_encoder_get_property;
  object_class->set_property = jm_text_encoder_set_property;
  object_class->finalize = jm_text_encoder_finalize;

  /**
   * JmTextEncoder:selection:
   *
   * Which metrics are exported; %NULL for all.
   *
   * Since: 0.1
   */
  properties[PROP_SELECTION] =
    g_param_spec_boxed ("selection", NULL, NULL, JM_TYPE_METRIC_SELECTION,
                        G_PARAM_READWRITE | G_PARAM_STATIC_STRINGS);

  /**
   * JmTextEncoder:job-fields:
   *
   * Names of the #JmJobField that are labels of each series of a job besides `jobid`:
   * `uuid`, `cluster`, `scheduler`; %NULL for none.
   *
   * Since: 0.1
   */
  properties[PROP_JOB_FIELDS] =
    g_param_spec_boxed ("job-fields", NULL, NULL, G_TYPE_STRV,
                        G_PARAM_READWRITE | G_PARAM_STATIC_STRINGS);

  /**
   * JmTextEncoder:info-fields:
   *
   * Names of the #JmJobField that are labels of `jobmetrics_job_info`; `jobid` and
   * `uuid` always are.
   *
   * Since: 0.1
   */
  properties[PROP_INFO_FIELDS] =
    g_param_spec_boxed ("info-fields", NULL, NULL, G_TYPE_STRV,
                        G_PARAM_READWRITE | G_PARAM_STATIC_STRINGS);

  /**
   * JmTextEncoder:decided-only:
   *
   * Whether `jobmetrics_job_info` waits until jm_job_is_decided(), so that none of its
   * labels changes while the job runs: for what is scraped again and again.
   *
   * Since: 0.1
   */
  properties[PROP_DECIDED_ONLY] =
    g_param_spec_boolean ("decided-only", NULL, NULL, FALSE,
                          G_PARAM_READWRITE | G_PARAM_STATIC_STRINGS);

  /**
   * JmTextEncoder:native:
   *
   * Whether jobmetrics' own names are written, before those of dialects.
   *
   * Since: 0.1
   */
  properties[PROP_NATIVE] =
    g_param_spec_boolean ("native", NULL, NULL, TRUE,
                          G_PARAM_READWRITE | G_PARAM_STATIC_STRINGS);

  /**
   * JmTextEncoder:node-name:
   *
   * What dialects call the node; %NULL where they have to leave it out.
   *
   * Since: 0.1
   */
  properties[PROP_NODE_NAME] =
    g_param_spec_string ("node-name", NULL, NULL, NULL,
                         G_PARAM_READWRITE | G_PARAM_STATIC_STRINGS);

  g_object_class_install_properties (object_class, N_PROPS, properties);
}

static void
jm_text_encoder_init (JmTextEncoder *self)
{
  jm_text_workspace_init (&self->workspace);
  self->is_native = TRUE;
  self->dialects =
    g_ptr_array_new_with_free_func ((GDestroyNotify) jm_dialect_document_free);
}

/**
 * jm_text_encoder_new:
 *
 * Makes an encoder that exports every metric.
 *
 * Returns: (transfer full): the encoder
 * Since: 0.1
 */
JmTextEncoder *
jm_text_encoder_new (void)
{
  return g_object_new (JM_TYPE_TEXT_ENCODER, NULL);
}

/**
 * jm_text_encoder_check_info_field:
 * @name: name of a field
 * @error: return location for an error
 *
 * Checks that a name for #JmTextEncoder:info-fields is the name of a #JmJobField,
 * or `field_NAME` for one that a scheduler definition declares.
 *
 * - Errors: `INVALID`, with the name and those that there are.
 *
 * Returns: whether it is
 * Since: 0.1
 */
gboolean
jm_text_encoder_check_info_field (const char *name, GError **error)
{
  g_auto (GStrv) names = NULL;
  g_autofree char *known = NULL;
  JmJobField field;

  g_return_val_if_fail (name != NULL, FALSE);

  if (jm_job_field_from_name (name, &field) || jm_job_fields_is_further_label (name))
    return TRUE;

  names = jm_job_fields_to_names (~0u);
  known = g_strjoinv (", ", names);
  g_set_error (error, JM_ERROR, JM_ERROR_INVALID,
               "no field of a job: %s (there are %s and field_NAME)", name, known);

  return FALSE;
}

/**
 * jm_text_encoder_set_selection:
 * @self: an encoder
 * @selection: (nullable): which metrics; %NULL for all
 *
 * Chooses which metrics are exported.
 *
 * Since: 0.1
 */
void
jm_text_encoder_set_selection (JmTextEncoder *self, JmMetricSelection *selection)
{
  JmMetricSelection *other;

  g_return_if_fail (JM_IS_TEXT_ENCODER (self));

  other = selection != NULL ? jm_metric_selection_ref (selection)
                            : jm_metric_selection_new (NULL, NULL);
  jm_metric_selection_unref (self->workspace.selection);
  self->workspace.selection = other;
  g_clear_pointer (&self->native, jm_dialect_document_free);
  g_object_notify_by_pspec (G_OBJECT (self), properties[PROP_SELECTION]);
}

/**
 * jm_text_encoder_get_selection:
 * @self: an encoder
 *
 * Gets which metrics are exported.
 *
 * Returns: (transfer none): the selection, one of everything where none was set
 * Since: 0.1
 */
JmMetricSelection *
jm_text_encoder_get_selection (JmTextEncoder *self)
{
  g_return_val_if_fail (JM_IS_TEXT_ENCODER (self), NULL);

  return self->workspace.selection;
}

/**
 * jm_text_encoder_check_job_field:
 * @name: name of a field
 * @error: return location for an error
 *
 * Checks that a name for #JmTextEncoder:job-fields is that of a field which every
 * series of a job may carry.
 *
 * - Errors: `INVALID`, with the name and those that there are.
 *
 * Returns: whether it is
 * Since: 0.1
 */
gboolean
jm_text_encoder_check_job_field (const char *name, GError **error)
{
  JmJobField field;

  g_return_val_if_fail (name != NULL, FALSE);

  if (jm_job_field_from_name (name, &field) &&
      (JM_JOB_FIELDS_OF_SERIES & JM_JOB_FIELD_BIT (field)) != 0)
    return TRUE;

  g_set_error (error, JM_ERROR, JM_ERROR_INVALID,
               "no label of a job's series: %s (there are uuid, cluster and scheduler)",
               name);

  return FALSE;
}

/**
 * jm_text_encoder_set_job_fields:
 * @self: an encoder
 * @names: (nullable) (array zero-terminated=1): see #JmTextEncoder:job-fields; those
 *   that are none are passed over
 *
 * Chooses what each series of a job carries besides `jobid`. The ids of two schedulers
 * or clusters never collide: one whose id another job had first is called
 * `SCHEDULER:ID` or `SCHEDULER:CLUSTER/ID`.
 *
 * Since: 0.1
 */
void
jm_text_encoder_set_job_fields (JmTextEncoder *self, const char *const *names)
{
  guint fields;

  g_return_if_fail (JM_IS_TEXT_ENCODER (self));

  fields = names != NULL ? jm_job_fields_from_names (names) : 0;
  jm_subject_labels_table_set_job_fields (&self->workspace.table,
                                          fields & JM_JOB_FIELDS_OF_SERIES);
  g_object_notify_by_pspec (G_OBJECT (self), properties[PROP_JOB_FIELDS]);
}

/**
 * jm_text_encoder_set_info_fields:
 * @self: an encoder
 * @names: (nullable) (array zero-terminated=1): names of #JmJobField, and
 *   `field_NAME`; those that are none are passed over; %NULL for the usual ones
 *
 * Chooses the labels of `jobmetrics_job_info`; `jobid` and `uuid` always are.
 *
 * Since: 0.1
 */
void
jm_text_encoder_set_info_fields (JmTextEncoder *self, const char *const *names)
{
  g_return_if_fail (JM_IS_TEXT_ENCODER (self));

  jm_subject_labels_table_set_info_fields (&self->workspace.table,
                                           names != NULL
                                             ? jm_job_fields_from_names (names) |
                                                 JM_JOB_FIELDS_ALWAYS_OF_INFO
                                             : JM_JOB_FIELDS_OF_INFO,
                                           names != NULL
                                             ? jm_job_fields_list_further_labels (names)
                                             : NULL);
  g_object_notify_by_pspec (G_OBJECT (self), properties[PROP_INFO_FIELDS]);
}

static JmDialectDocument *
get_native (JmTextEncoder *self)
{
  if (self->native == NULL)
    {
      g_autoptr (JmDialect) dialect = jm_dialect_new_native (self->workspace.selection);

      self->native = jm_dialect_document_new (dialect);
    }

  return self->native;
}

GPtrArray *
jm_text_encoder_list_dialects (JmTextEncoder *self)
{
  GPtrArray *dialects =
    g_ptr_array_new_with_free_func ((GDestroyNotify) jm_dialect_unref);

  if (self->is_native)
    g_ptr_array_add (dialects, jm_dialect_ref (
                                 jm_dialect_document_get_dialect (get_native (self))));
  for (guint i = 0; i < self->dialects->len; i++)
    g_ptr_array_add (dialects, jm_dialect_ref (jm_dialect_document_get_dialect (
                                 self->dialects->pdata[i])));

  return dialects;
}

/* The first of the families of @dialect that another one has. */
static const char *
find_double (JmTextEncoder *self, JmDialect *dialect, JmDialect **other)
{
  GPtrArray *families = jm_dialect_get_families (dialect);

  for (guint i = 0; i < self->dialects->len; i++)
    {
      g_auto (GStrv) theirs = NULL;

      *other = jm_dialect_document_get_dialect (self->dialects->pdata[i]);
      theirs = jm_dialect_list_families (*other);
      for (guint k = 0; k < families->len; k++)
        {
          const char *name = ((JmDialectFamily *) families->pdata[k])->name;

          if (g_strv_contains ((const char *const *) theirs, name))
            return name;
        }
    }

  return NULL;
}

/**
 * jm_text_encoder_add_dialect:
 * @self: an encoder
 * @dialect: a dialect
 * @error: return location for an error
 *
 * Has figures be written in the words of a dialect as well. Only
 * #JmTextEncoder:collectors given to jm_text_encoder_encode() choose among them, not
 * #JmTextEncoder:selection, whose names are jobmetrics' own.
 *
 * - Errors: `INVALID`, where another dialect of the encoder has a family of the same
 *   name, which no scraper takes.
 *
 * Returns: whether it was added
 * Since: 0.1
 */
gboolean
jm_text_encoder_add_dialect (JmTextEncoder *self, JmDialect *dialect, GError **error)
{
  JmDialect *other;
  const char *name;

  g_return_val_if_fail (JM_IS_TEXT_ENCODER (self), FALSE);
  g_return_val_if_fail (dialect != NULL, FALSE);

  name = find_double (self, dialect, &other);
  if (name != NULL)
    {
      g_set_error (error, JM_ERROR, JM_ERROR_INVALID, "%s and %s both have %s",
                   jm_dialect_get_name (other), jm_dialect_get_name (dialect), name);
      return FALSE;
    }
  g_ptr_array_add (self->dialects, jm_dialect_document_new (dialect));

  return TRUE;
}

/* @job: which one alone, or NULL for everything. */
static void
write_figures (JmTextEncoder *self,
               JmSnapshot *snapshot,
               const JmCollectorSet *collectors,
               JmJob *job,
               JmTextWriter *writer)
{
  const JmDialectContent content = { snapshot,
                                     &self->workspace.table,
                                     &self->workspace.buckets,
                                     self->node_name,
                                     collectors,
                                     job };

  jm_reading_buckets_sort (&self->workspace.buckets, snapshot);
  if (self->is_native)
    jm_dialect_document_write (get_native (self), &content, writer);
  for (guint i = 0; i < self->dialects->len; i++)
    jm_dialect_document_write (self->dialects->pdata[i], &content, writer);
}

/**
 * jm_text_encoder_encode:
 * @self: an encoder
 * @snapshot: a snapshot
 * @format: the format
 * @collectors: (nullable): whose figures are wanted; %NULL for all
 * @out: where the text is appended
 *
 * Writes a snapshot, and the end of the document: a front end's own families go into
 * @out before it.
 *
 * - Shape: no series comes twice. Of runs of one job the one that runs
 *   is shown, else the one seen last; of figures with the same labels, the first.
 * - Units: base units; every digit that was read.
 *
 * Since: 0.1
 */
void
jm_text_encoder_encode (JmTextEncoder *self,
                        JmSnapshot *snapshot,
                        JmTextFormat format,
                        const JmCollectorSet *collectors,
                        GString *out)
{
  JmTextWriter writer;

  g_return_if_fail (JM_IS_TEXT_ENCODER (self));
  g_return_if_fail (snapshot != NULL);
  g_return_if_fail (out != NULL);

  if (collectors == NULL)
    collectors = jm_collector_set_get_all ();
  jm_text_writer_init (&writer, format == JM_TEXT_FORMAT_OPENMETRICS, out);
  jm_subject_labels_table_update (&self->workspace.table, snapshot);
  if (self->is_native)
    jm_text_document_write (&self->workspace, snapshot, collectors, &writer);
  write_figures (self, snapshot, collectors, NULL, &writer);
  jm_text_writer_end (&writer);
}

/**
 * jm_text_encoder_encode_job:
 * @self: an encoder
 * @snapshot: a snapshot
 * @subject: number of a job's subject
 * @out: where the text is appended
 *
 * Writes what is known of one job and of its parts, in Prometheus' text format: for
 * those who push it by itself. An encoder that writes whole snapshots had better be
 * another one, as it keeps what lines begin with.
 *
 * Since: 0.1
 */
void
jm_text_encoder_encode_job (JmTextEncoder *self,
                            JmSnapshot *snapshot,
                            guint subject,
                            GString *out)
{
  JmTextWriter writer;
  JmJob *job;

  g_return_if_fail (JM_IS_TEXT_ENCODER (self));
  g_return_if_fail (snapshot != NULL);
  g_return_if_fail (out != NULL);

  job = jm_snapshot_get_job (snapshot, subject);
  g_return_if_fail (job != NULL);

  jm_text_writer_init (&writer, FALSE, out);
  jm_subject_labels_table_update (&self->workspace.table, snapshot);
  if (self->is_native)
    jm_text_document_write_job (&self->workspace, snapshot, job, &writer);
  write_figures (self, snapshot, jm_collector_set_get_all (), job, &writer);
}

/**
 * jm_text_encoder_to_string:
 * @self: an encoder
 * @snapshot: a snapshot
 * @format: the format
 *
 * Writes a snapshot, as jm_text_encoder_encode() does, with the figures of all
 * collectors.
 *
 * Returns: (transfer full): the text
 * Since: 0.1
 */
char *
jm_text_encoder_to_string (JmTextEncoder *self,
                           JmSnapshot *snapshot,
                           JmTextFormat format)
{
  GString *out;

  g_return_val_if_fail (JM_IS_TEXT_ENCODER (self), NULL);
  g_return_val_if_fail (snapshot != NULL, NULL);

  out = g_string_new (NULL);
  jm_text_encoder_encode (self, snapshot, format, NULL, out);

  return g_string_free (out, FALSE);
}
