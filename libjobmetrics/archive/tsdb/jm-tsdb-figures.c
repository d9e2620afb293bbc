/* jm-tsdb-figures.c: what runs used, as a time series database has it
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "archive/tsdb/jm-tsdb-fill-private.h"

#include <math.h>
#include <string.h>

#include "archive/tsdb/jm-tsdb-private.h"
#include "base/jm-node-list-private.h"
#include "core/jm-metric-private.h"
#include "core/jm-metric.h"
#include "core/jm-quantity-private.h"
#include "core/jm-run-part-private.h"
#include "core/jm-run-private.h"

/* VictoriaMetrics takes no query of more than 16 KiB. */
#define QUERY_MAX 15000
#define TERM "jobmetrics_term"
/* By how much the clocks of scheduler and database may differ. */
#define CLOCK_SLACK_S 10

/* Each figure that the archive keeps of what a run used is that of a metric of jobs. */
#define N_FIGURES (JM_N_RUN_FIELDS - JM_FIRST_RUN_FIGURE)
/* More nodes than these are called as their exporters are. */
#define MAX_NODES 10000

/* What the archive keeps of the nodes and devices of a run alone: in so many parts of
 * the base unit. */
static const struct
{
  JmMetric metric;
  double scale;
} part_figures[] = {
  { JM_METRIC_CPUS, 1 },
  { JM_METRIC_MEMORY_RESIDENT_PEAK, 1 },
  { JM_METRIC_GPU_BUSY, 1e6 },
  { JM_METRIC_GPU_OBSERVED, 1e6 },
  { JM_METRIC_GPU_MEMORY_PEAK, 1 },
  { JM_METRIC_GPU_MEMORY_SIZE, 1 },
};
#define N_TOPICS (N_FIGURES + G_N_ELEMENTS (part_figures))

/* What is asked of a metric of a run. */
typedef enum
{
  KIND_LAST, /* what it was last */
  KIND_BASE, /* what it was before the run began: another's of the same id */
  KIND_FALL, /* whether it fell */
  N_KINDS,
} Kind;

/* One series of a metric, of one exporter. */
typedef struct
{
  char *key; /* all of its labels */
  char *instance;
  char *gpu; /* of a device */
  char *domain;
  char *quality;
  double values[N_KINDS];
  gboolean has[N_KINDS];
  double amount;
  gboolean is_known; /* what it comes to, and whose it is */
  gboolean is_own;   /* the run's, not another's of the same id */
} Element;

/* What is known of a figure of a run. */
typedef struct
{
  guint run;
  JmRunField field; /* JM_N_RUN_FIELDS of what is of parts alone */
  JmRunPartKind kind;
  JmQuantityId quantity;
  double scale;
  const JmMetricInfo *metric;
  GPtrArray *elements; /* of Element */
  GHashTable *by_key;
} Topic;

typedef struct
{
  JmTsdb *tsdb;
  const JmTsdbRun *runs;
  GCancellable *cancellable;
  Topic *topics; /* N_TOPICS of each run */
  guint n_topics;
} Reading;

static void
element_free (gpointer data)
{
  Element *element = data;

  g_free (element->key);
  g_free (element->instance);
  g_free (element->gpu);
  g_free (element->domain);
  g_free (element->quality);
  g_free (element);
}

static gint64
get_start (JmRun *run)
{
  return jm_run_peek (run, JM_RUN_FIELD_START_TIME);
}

static gint64
get_end (JmRun *run)
{
  return jm_run_peek (run, JM_RUN_FIELD_END_TIME);
}

/* --- what is asked --- */

/* `[...s] @ ...`: the run's time, with what was before it. */
static char *
make_window (const JmTsdbRun *run, guint before_s)
{
  return g_strdup_printf ("[%" G_GINT64_FORMAT "s] @ %" G_GINT64_FORMAT,
                          MAX (1, run->until - get_start (run->run) + before_s),
                          run->until);
}

static void
append_metric (GString *query, const Topic *topic)
{
  g_string_append_printf (query, "jobmetrics_job_%s%s",
                          topic->kind == JM_RUN_PART_KIND_DEVICE ? "gpu_" : "",
                          topic->metric->name);
}

static void
append_series (GString *query, const Reading *self, const Topic *topic, Kind kind)
{
  const JmTsdbRun *run = &self->runs[topic->run];
  g_autofree char *window =
    make_window (run, kind == KIND_FALL ? JM_TSDB_LOOKBACK_S : 0);

  if (kind == KIND_LAST)
    g_string_append (query, "last_over_time(");
  else if (kind == KIND_FALL)
    g_string_append (query, "resets(");
  append_metric (query, topic);
  jm_tsdb_append_job (query, run->run);
  if (kind == KIND_BASE)
    g_string_append_printf (query, " @ %" G_GINT64_FORMAT,
                            get_start (run->run) - CLOCK_SLACK_S);
  else
    g_string_append_printf (query, "%s)", window);
}

/* What several have stored of one exporter counts once. */
static void
append_term (GString *query, const Reading *self, guint number, Kind kind)
{
  const Topic *topic = &self->topics[number];
  const JmTsdbRun *run = &self->runs[topic->run];
  g_autoptr (GString) labels = g_string_new (NULL);

  if (topic->kind == JM_RUN_PART_KIND_DEVICE)
    g_string_append (labels, ", gpu");
  for (guint i = 0; i < topic->metric->n_labels; i++)
    g_string_append_printf (labels, ", %s", topic->metric->labels[i]);
  g_string_append_printf (query, "%slabel_replace(max by (instance%s) (",
                          query->len > 0 ? " or " : "", labels->str);
  append_series (query, self, topic, kind);
  g_string_append_c (query, ')');
  if (kind == KIND_LAST)
    {
      g_autofree char *window = make_window (run, 0);

      g_string_append (query, " and on (instance) ");
      jm_tsdb_append_owner (query, run->run, window);
    }
  g_string_append_printf (query, ", \"" TERM "\", \"%u\", \"\", \"\")", number);
}

static char *
make_key (JmTsdbSeries *series)
{
  static const char *const labels[] = { "instance", "gpu", "domain", "quality" };
  GString *key = g_string_new (NULL);

  for (guint i = 0; i < G_N_ELEMENTS (labels); i++)
    {
      const char *value = jm_tsdb_series_get_label (series, labels[i]);

      g_string_append_printf (key, "%s\n", value != NULL ? value : "");
    }

  return g_string_free (key, FALSE);
}

static Element *
find_element (const Topic *topic, JmTsdbSeries *series)
{
  g_autofree char *key = make_key (series);

  return g_hash_table_lookup (topic->by_key, key);
}

static Element *
add_element (Topic *topic, JmTsdbSeries *series)
{
  Element *element = g_new0 (Element, 1);

  element->key = make_key (series);
  element->instance = g_strdup (jm_tsdb_series_get_label (series, "instance"));
  element->gpu = g_strdup (jm_tsdb_series_get_label (series, "gpu"));
  element->domain = g_strdup (jm_tsdb_series_get_label (series, "domain"));
  element->quality = g_strdup (jm_tsdb_series_get_label (series, "quality"));
  g_ptr_array_add (topic->elements, element);
  g_hash_table_insert (topic->by_key, element->key, element);

  return element;
}

/* What is no number that a figure can be is not known. */
static void
take_series (Reading *self, JmTsdbSeries *series, Kind kind)
{
  const char *number = jm_tsdb_series_get_label (series, TERM);
  guint64 n;
  Topic *topic;
  Element *element;
  double value;

  if (number == NULL || jm_tsdb_series_get_n_points (series) == 0 ||
      !g_ascii_string_to_unsigned (number, 10, 0, self->n_topics - 1, &n, NULL))
    return;
  value = jm_tsdb_series_peek (series, 0)->value;
  topic = &self->topics[n];
  element = find_element (topic, series);
  if (element == NULL && kind == KIND_LAST)
    element = add_element (topic, series);
  if (element == NULL || !isfinite (value) || value < 0)
    return;
  element->values[kind] = value;
  element->has[kind] = TRUE;
}

static gboolean
ask (Reading *self, GString *query, Kind kind, GError **error)
{
  g_autoptr (GPtrArray) all = NULL;

  if (query->len == 0)
    return TRUE;
  all = jm_tsdb_query (self->tsdb, query->str, g_get_real_time () / G_USEC_PER_SEC,
                       self->cancellable, error);
  g_string_truncate (query, 0);
  for (guint i = 0; all != NULL && i < all->len; i++)
    take_series (self, all->pdata[i], kind);

  return all != NULL;
}

/* A run without accelerators has no devices to ask for. */
static gboolean
is_wanted (const Reading *self, const Topic *topic, Kind kind)
{
  if (kind != KIND_LAST)
    return topic->elements->len > 0;

  return topic->kind != JM_RUN_PART_KIND_DEVICE ||
         jm_run_peek (self->runs[topic->run].run, JM_RUN_FIELD_GPUS_ALLOCATED) != 0;
}

/* Of all that a kind is of use for, in as few queries as take them. */
static gboolean
ask_all (Reading *self, Kind kind, GError **error)
{
  g_autoptr (GString) query = g_string_new (NULL);

  for (guint i = 0; i < self->n_topics; i++)
    {
      gsize before = query->len;

      if (!is_wanted (self, &self->topics[i], kind))
        continue;
      append_term (query, self, i, kind);
      if (query->len <= QUERY_MAX || before == 0)
        continue;
      g_string_truncate (query, before);
      if (!ask (self, query, kind, error))
        return FALSE;
      append_term (query, self, i, kind);
    }

  return ask (self, query, kind, error);
}

/* --- what it comes to --- */

gboolean
jm_tsdb_figures_reckon (JmTsdbSeries *series,
                        const double *base,
                        gint64 end,
                        gboolean is_sum,
                        double *amount)
{
  double before = base != NULL ? *base : 0;
  gboolean is_own = base == NULL;

  *amount = 0;
  for (guint i = 0; i < series->points->len; i++)
    {
      const JmTsdbPoint *point = jm_tsdb_series_peek (series, i);
      gboolean has_fallen = point->value < before;

      if (!isfinite (point->value) || point->value < 0)
        {
          *amount = NAN;
          return FALSE;
        }
      if (has_fallen && point->time > (double) end)
        break;
      is_own = is_own || has_fallen;
      if (is_own && is_sum)
        *amount += has_fallen ? point->value : point->value - before;
      else if (is_own)
        *amount = MAX (*amount, point->value);
      before = point->value;
    }

  return is_own;
}

/* VictoriaMetrics returns samples of a range without an `@` alone. */
static GPtrArray *
ask_for_samples (Reading *self, const Topic *topic, GError **error)
{
  g_autoptr (GString) query = g_string_new (NULL);
  const JmTsdbRun *run = &self->runs[topic->run];

  append_metric (query, topic);
  jm_tsdb_append_job (query, run->run);
  g_string_append_printf (query, "[%" G_GINT64_FORMAT "s]",
                          MAX (1, run->until - get_start (run->run)));

  return jm_tsdb_query (self->tsdb, query->str, run->until, self->cancellable, error);
}

/* Of several that have stored the same, who has most counts. */
static void
take_samples (const Topic *topic, JmTsdbSeries *series, gint64 end)
{
  Element *element = find_element (topic, series);
  gboolean is_own;
  double amount;

  if (element == NULL || !element->has[KIND_FALL] || element->values[KIND_FALL] == 0)
    return;
  is_own = jm_tsdb_figures_reckon (series,
                                   element->has[KIND_BASE] ? &element->values[KIND_BASE]
                                                           : NULL,
                                   end,
                                   topic->metric->additive &&
                                     topic->metric->kind == JM_METRIC_KIND_COUNTER,
                                   &amount);
  element->is_known = series->points->len > 0 && isfinite (amount);
  if (!is_own)
    return;
  element->is_own = TRUE;
  element->amount = MAX (element->amount, amount);
}

/* Sample by sample, where something fell: it began anew, or the id came back. */
static gboolean
reckon_fallen (Reading *self, const Topic *topic, GError **error)
{
  g_autoptr (GPtrArray) all = ask_for_samples (self, topic, error);

  for (guint i = 0; all != NULL && i < all->len; i++)
    take_samples (topic, all->pdata[i], get_end (self->runs[topic->run].run));

  return all != NULL;
}

/* What never fell is as it was last; where it was there before, it is of the run that
 * had the id before. */
static void
reckon_plain (Element *element)
{
  element->is_known = element->has[KIND_LAST];
  element->is_own = element->is_known && !element->has[KIND_BASE];
  element->amount = element->values[KIND_LAST];
}

static gboolean
reckon (Reading *self, const Topic *topic, GError **error)
{
  gboolean has_fallen = FALSE;

  for (guint i = 0; i < topic->elements->len; i++)
    {
      Element *element = topic->elements->pdata[i];

      if (element->has[KIND_FALL] && element->values[KIND_FALL] > 0)
        has_fallen = TRUE;
      else
        reckon_plain (element);
    }

  return !has_fallen || reckon_fallen (self, topic, error);
}

static gboolean
reckon_all (Reading *self, GError **error)
{
  for (guint i = 0; i < self->n_topics; i++)
    if (!reckon (self, &self->topics[i], error))
      return FALSE;

  return TRUE;
}

/* --- what is known then --- */

/* As many exporters have to have it as the run had nodes: of fewer it would be too
 * little, of more something is counted twice. So it would where one series of several
 * is not known. */
static gboolean
is_whole (const Topic *topic, JmRun *run)
{
  g_autoptr (GHashTable) instances = g_hash_table_new (g_str_hash, g_str_equal);
  gint64 n_nodes = jm_run_peek (run, JM_RUN_FIELD_NODES);
  guint n;

  for (guint i = 0; i < topic->elements->len; i++)
    {
      const Element *element = topic->elements->pdata[i];

      if (!element->is_known)
        return FALSE;
      if (element->is_own && element->instance != NULL)
        g_hash_table_add (instances, element->instance);
    }
  n = g_hash_table_size (instances);

  return n > 0 && (n_nodes <= 0 || n == (guint64) n_nodes);
}

static gboolean
sum_up (const Topic *topic, gint64 *sum)
{
  double amount = 0;

  for (guint i = 0; i < topic->elements->len; i++)
    {
      const Element *element = topic->elements->pdata[i];

      if (!element->is_own)
        continue;
      amount = topic->metric->additive ? amount + element->amount
                                       : MAX (amount, element->amount);
    }
  amount = round (amount * jm_run_field_get_parts (topic->field));
  if (!(amount < (double) jm_run_field_get_max (topic->field)))
    return FALSE;
  *sum = (gint64) amount;

  return TRUE;
}

/* That of one domain and quality on all nodes. */
static void
add_energy (GPtrArray *parts, const Element *element, double scale)
{
  JmRunPart *part = NULL;
  gint64 before;

  for (guint i = 0; i < parts->len && part == NULL; i++)
    {
      JmRunPart *other = parts->pdata[i];

      if (g_strcmp0 (jm_run_part_peek_text (other, JM_QUANTITY_NAME),
                     element->domain) == 0 &&
          g_strcmp0 (jm_run_part_peek_text (other, JM_QUANTITY_ENERGY_QUALITY),
                     element->quality) == 0)
        part = other;
    }
  if (part == NULL)
    {
      part = jm_run_part_new (JM_RUN_PART_KIND_ENERGY);
      jm_run_part_set_text (part, JM_QUANTITY_KEY, JM_RUN_KEY_TIME_SERIES);
      jm_run_part_set_text (part, JM_QUANTITY_NAME, element->domain);
      jm_run_part_set_text (part, JM_QUANTITY_ENERGY_QUALITY, element->quality);
      g_ptr_array_add (parts, part);
    }
  before = jm_run_part_peek (part, JM_QUANTITY_ENERGY);
  jm_run_part_set_number (part, JM_QUANTITY_ENERGY,
                          MAX (before, 0) + (gint64) round (element->amount * scale));
}

static void
add_energies (JmRunBatch *batch, const Topic *topic)
{
  g_autoptr (GPtrArray) parts =
    g_ptr_array_new_with_free_func ((GDestroyNotify) jm_run_part_unref);

  for (guint i = 0; i < topic->elements->len; i++)
    {
      const Element *element = topic->elements->pdata[i];

      if (element->is_own)
        add_energy (parts, element, jm_run_field_get_parts (topic->field));
    }
  for (guint i = 0; i < parts->len; i++)
    jm_run_batch_add_part (batch, parts->pdata[i]);
}

/* --- nodes and devices --- */

static gboolean
is_same_host (const char *one, const char *other)
{
  const gsize length = strcspn (one, ".");

  return length == strcspn (other, ".") && strncmp (one, other, length) == 0;
}

/* As the run's list has it, where that has one of the exporter's host. */
static char *
find_node (char **nodes, const char *instance)
{
  const char *colon = strrchr (instance, ':');
  g_autofree char *host =
    colon != NULL ? g_strndup (instance, (gsize) (colon - instance)) : NULL;

  if (host == NULL)
    host = g_strdup (instance);
  for (guint i = 0; nodes != NULL && nodes[i] != NULL; i++)
    if (is_same_host (nodes[i], host))
      return g_strdup (nodes[i]);

  return g_steal_pointer (&host);
}

/* The part of a node, or of one of its devices. */
static JmRunPart *
take_part (GPtrArray *parts,
           JmRunPartKind kind,
           const char *node,
           const Element *element)
{
  JmRunPart *part;

  for (guint i = 0; i < parts->len; i++)
    {
      part = parts->pdata[i];
      if (part->kind == kind &&
          g_strcmp0 (jm_run_part_peek_text (part, JM_QUANTITY_NODE), node) == 0 &&
          (kind != JM_RUN_PART_KIND_DEVICE ||
           g_strcmp0 (jm_run_part_peek_text (part, JM_QUANTITY_NAME), element->gpu) ==
             0))
        return part;
    }

  part = jm_run_part_new (kind);
  jm_run_part_set_text (part, JM_QUANTITY_KEY, JM_RUN_KEY_TIME_SERIES);
  jm_run_part_set_text (part, JM_QUANTITY_NODE, node);
  if (kind == JM_RUN_PART_KIND_DEVICE)
    jm_run_part_set_text (part, JM_QUANTITY_NAME, element->gpu);
  g_ptr_array_add (parts, part);

  return part;
}

static void
take_part_figures (GPtrArray *parts, const Topic *topic, char **nodes)
{
  for (guint i = 0; i < topic->elements->len; i++)
    {
      const Element *element = topic->elements->pdata[i];
      g_autofree char *node = NULL;
      JmRunPart *part;
      gint64 before;

      if (!element->is_known || !element->is_own || element->instance == NULL ||
          element->amount * topic->scale >= (double) G_MAXINT64 ||
          (topic->kind == JM_RUN_PART_KIND_DEVICE && element->gpu == NULL))
        continue;
      node = find_node (nodes, element->instance);
      part = take_part (parts, topic->kind, node, element);
      before = MAX (jm_run_part_peek (part, topic->quantity), 0);
      jm_run_part_set_number (part, topic->quantity,
                              before + (gint64) round (element->amount * topic->scale));
    }
}

/* What each node and each device had, of a run all of whose nodes are known. */
static void
add_parts (const Reading *self, guint number, JmRunBatch *batch)
{
  JmRun *run = self->runs[number].run;
  const char *list = jm_run_peek_text (run, JM_RUN_FIELD_NODE_LIST);
  g_auto (GStrv) nodes = list != NULL ? jm_node_list_expand (list, MAX_NODES) : NULL;
  g_autoptr (GPtrArray) parts =
    g_ptr_array_new_with_free_func ((GDestroyNotify) jm_run_part_unref);

  for (guint i = number * N_TOPICS; i < (number + 1) * N_TOPICS; i++)
    if (jm_run_part_kind_has (self->topics[i].kind, self->topics[i].quantity))
      take_part_figures (parts, &self->topics[i], nodes);
  for (guint i = 0; i < parts->len; i++)
    {
      JmRunPart *part = parts->pdata[i];

      if (part->kind == JM_RUN_PART_KIND_NODE)
        {
          jm_run_part_set_number (part, JM_QUANTITY_START_TIME, get_start (run));
          jm_run_part_set_number (part, JM_QUANTITY_END_TIME, get_end (run));
        }
      jm_run_batch_add_part (batch, part);
    }
}

/* Which run it is stands in its times. */
static JmRun *
make_told (JmRun *run)
{
  JmRun *told = jm_run_new (run->cluster, run->raw_id);

  jm_run_set_scheduler (told, run->scheduler);
  jm_run_keep_number (told, JM_RUN_FIELD_START_TIME, get_start (run));
  jm_run_keep_number (told, JM_RUN_FIELD_END_TIME, get_end (run));

  return told;
}

static gboolean
add_run (const Reading *self, guint number, JmRunBatch *batch)
{
  JmRun *run = self->runs[number].run;
  g_autoptr (JmRun) told = make_told (run);
  const Topic *energy = NULL;
  gboolean has_any = FALSE;

  for (guint i = number * N_TOPICS; i < number * N_TOPICS + N_FIGURES; i++)
    {
      const Topic *topic = &self->topics[i];
      gint64 sum;

      if (!is_whole (topic, run) || !sum_up (topic, &sum))
        continue;
      jm_run_keep_number (told, topic->field, sum);
      has_any = TRUE;
      if (topic->field == JM_RUN_FIELD_ENERGY)
        energy = topic;
    }
  if (!has_any)
    return FALSE;
  jm_run_batch_add_run (batch, told, JM_RUN_SOURCE_TIME_SERIES);
  if (energy != NULL)
    add_energies (batch, energy);
  if (jm_run_has (told, JM_RUN_FIELD_CPU_TOTAL))
    add_parts (self, number, batch);

  return TRUE;
}

/* --- begin and end --- */

/* A figure of the run, which nodes have as well. */
static void
set_figure (Topic *topic, JmRunField field)
{
  topic->field = field;
  topic->quantity = jm_quantity_get_id (jm_run_field_get_quantity (field));
  topic->metric = jm_metric_get_info ((JmMetric) topic->quantity);
  topic->kind = JM_RUN_PART_KIND_NODE;
  topic->scale = jm_run_field_get_parts (field);
}

static void
set_part_figure (Topic *topic, guint i)
{
  topic->field = JM_N_RUN_FIELDS;
  topic->metric = jm_metric_get_info (part_figures[i].metric);
  topic->quantity = (JmQuantityId) part_figures[i].metric;
  topic->scale = part_figures[i].scale;
  topic->kind = jm_metric_is_about (part_figures[i].metric, JM_SUBJECT_KIND_JOB_GPU)
                  ? JM_RUN_PART_KIND_DEVICE
                  : JM_RUN_PART_KIND_NODE;
}

static void
begin (Reading *self, guint n_runs)
{
  self->n_topics = n_runs * N_TOPICS;
  self->topics = g_new0 (Topic, self->n_topics);
  for (guint i = 0; i < self->n_topics; i++)
    {
      Topic *topic = &self->topics[i];

      topic->run = i / N_TOPICS;
      topic->elements = g_ptr_array_new_with_free_func (element_free);
      topic->by_key = g_hash_table_new (g_str_hash, g_str_equal);
      if (i % N_TOPICS < N_FIGURES)
        set_figure (topic, JM_FIRST_RUN_FIGURE + i % N_TOPICS);
      else
        set_part_figure (topic, i % N_TOPICS - N_FIGURES);
    }
}

static void
end (Reading *self)
{
  for (guint i = 0; i < self->n_topics; i++)
    {
      g_hash_table_unref (self->topics[i].by_key);
      g_ptr_array_unref (self->topics[i].elements);
    }
  g_free (self->topics);
}

int
jm_tsdb_figures_read (JmTsdb *tsdb,
                      const JmTsdbRun *runs,
                      guint n_runs,
                      JmRunBatch *batch,
                      GCancellable *cancellable,
                      GError **error)
{
  Reading self = { .tsdb = tsdb, .runs = runs, .cancellable = cancellable };
  gboolean is_read;
  int n_added = 0;

  begin (&self, n_runs);
  is_read = ask_all (&self, KIND_LAST, error) && ask_all (&self, KIND_BASE, error) &&
            ask_all (&self, KIND_FALL, error) && reckon_all (&self, error);
  for (guint i = 0; is_read && i < n_runs; i++)
    n_added += add_run (&self, i, batch) ? 1 : 0;
  end (&self);

  return is_read ? n_added : -1;
}
