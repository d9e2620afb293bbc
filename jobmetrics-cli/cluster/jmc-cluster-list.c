/* jmc-cluster-list.c: jobmetrics-cli queue, nodes, partitions, shares
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include "jmc-commands.h"

#include <math.h>
#include <stdio.h>
#include <unistd.h>

#include "base/jm-csv-private.h"
#include "base/jm-json-writer-private.h"
#include "base/jm-text-table-private.h"
#include "cluster/jm-cluster-settings-private.h"
#include "cluster/jmc-cluster-rows.h"
#include "jmc-columns.h"
#include "jmc-options.h"

/* What one of the commands is. */
typedef struct
{
  const char *name;
  const char *summary;
  const JmcClusterField *(*list_fields) (guint *n);
  JmSchedulerTopic topic; /* JM_N_SCHEDULER_TOPICS for sums of partitions */
  const char *first;      /* columns that a table begins with, or NULL */
  const char *of_reasons; /* columns with --reasons, or NULL where there is none */
} View;

typedef struct
{
  const View *view;
  const JmcClusterField *fields;
  guint n_fields;
  JmcOptions options;
  gboolean csv;
  gboolean is_bare;
  gboolean has_reasons_alone;
  char *columns;     /* of the command line, or NULL */
  char **choices;    /* for each field what is asked for, or NULL */
  GPtrArray *chosen; /* of const JmcClusterField: the columns */
} List;

static void
list_clear (List *self)
{
  for (guint i = 0; self->choices != NULL && i < self->n_fields; i++)
    g_free (self->choices[i]);
  g_free (self->choices);
  g_free (self->columns);
  g_clear_pointer (&self->chosen, g_ptr_array_unref);
  jmc_options_clear (&self->options);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (List, list_clear)

/* --- options --- */

static void
add_own_entries (List *self, GOptionGroup *group)
{
  const GOptionEntry entries[] = {
    { "columns", 0, 0, G_OPTION_ARG_STRING, &self->columns,
      "Columns, with commas between them; help lists them", "NAME,..." },
    { "csv", 0, 0, G_OPTION_ARG_NONE, &self->csv,
      "Print comma-separated values, in base units", NULL },
    { "no-headers", 0, 0, G_OPTION_ARG_NONE, &self->is_bare, "Print no column titles",
      NULL },
    G_OPTION_ENTRY_NULL,
  };
  const GOptionEntry reasons[] = {
    { "reasons", 0, 0, G_OPTION_ARG_NONE, &self->has_reasons_alone,
      "Only nodes that are not used for a reason: the reason, since when, by whom",
      NULL },
    G_OPTION_ENTRY_NULL,
  };

  if (self->view->of_reasons != NULL)
    jmc_options_add_entries (group, reasons);
  jmc_options_add_entries (group, entries);
}

/* An option for each field by which rows are chosen. */
static void
add_choices (List *self, GOptionGroup *group)
{
  self->choices = g_new0 (char *, self->n_fields);
  for (guint i = 0; i < self->n_fields; i++)
    {
      const JmcClusterField *field = &self->fields[i];
      const GOptionEntry entries[] = {
        { jm_quantity_get (field->id)->name, 0, 0, G_OPTION_ARG_STRING,
          &self->choices[i], "Only rows with one of these values", "TEXT,..." },
        G_OPTION_ENTRY_NULL,
      };

      if (field->is_choice)
        jmc_options_add_entries (group, entries);
    }
}

static void
add_scheduler (List *self)
{
  g_autoptr (JmSettings) all = jm_settings_new ();

  jm_cluster_settings_add (all);
  for (gsize i = 0; i < jm_settings_get_size (all); i++)
    if (g_str_equal (jm_settings_get_setting (all, i)->name, JM_CLUSTER_SCHEDULER))
      jmc_options_add_last (&self->options, jm_settings_get_setting (all, i));
}

static const char *
get_name (const JmcClusterField *field)
{
  return jm_quantity_get (field->id)->name;
}

static const JmcClusterField *
find_field (const List *self, const char *name)
{
  for (guint i = 0; i < self->n_fields; i++)
    if (jm_quantity_is_called (jm_quantity_get (self->fields[i].id), name))
      return &self->fields[i];

  return NULL;
}

/* All that are not hidden: in a table those first that a line of 80 cells has room for,
 * in CSV in the order that programs know. */
static void
choose_usual_columns (List *self)
{
  g_auto (GStrv) first =
    g_strsplit (self->view->first != NULL && !self->csv ? self->view->first : "", ",",
                -1);

  for (char **name = first; *name != NULL; name++)
    g_ptr_array_add (self->chosen, (gpointer) find_field (self, *name));
  for (guint i = 0; i < self->n_fields; i++)
    if (!self->fields[i].is_hidden &&
        !g_ptr_array_find (self->chosen, &self->fields[i], NULL))
      g_ptr_array_add (self->chosen, (gpointer) &self->fields[i]);
}

static gboolean
choose_columns (List *self)
{
  const char *text = self->columns == NULL && self->has_reasons_alone
                       ? self->view->of_reasons
                       : self->columns;
  g_auto (GStrv) names = g_strsplit (text != NULL ? text : "", ",", -1);

  self->chosen = g_ptr_array_new ();
  if (text == NULL)
    choose_usual_columns (self);
  for (guint i = 0; names[i] != NULL; i++)
    {
      const JmcClusterField *field = find_field (self, names[i]);

      if (field == NULL)
        {
          jmc_output_complain ("no such column: '%s' (see %s --columns=help)", names[i],
                               self->view->name);
          return FALSE;
        }
      g_ptr_array_add (self->chosen, (gpointer) field);
    }

  return TRUE;
}

static gboolean
parse (List *self, int argc, char **argv)
{
  g_autoptr (GOptionContext) context = g_option_context_new (NULL);
  GOptionGroup *group = jmc_options_make_group (&self->options, "output", NULL);

  add_own_entries (self, group);
  add_choices (self, group);
  add_scheduler (self);
  g_option_context_set_summary (context, self->view->summary);
  g_option_context_set_main_group (context, group);
  if (!jmc_options_parse (&self->options, context, &argc, &argv))
    return FALSE;

  if (argc > 1)
    {
      jmc_output_complain ("%s: %s takes no arguments", argv[1], self->view->name);
      return FALSE;
    }
  if (self->csv && self->options.json)
    {
      jmc_output_complain ("--csv and --json cannot be combined");
      return FALSE;
    }

  return TRUE;
}

/* --- rows --- */

static gboolean
has_word (const char *text, const char *word)
{
  g_auto (GStrv) words = g_strsplit_set (text, ",+", -1);

  if (g_ascii_strcasecmp (text, word) == 0)
    return TRUE;
  for (char **p = words; *p != NULL; p++)
    if (g_ascii_strcasecmp (*p, word) == 0)
      return TRUE;

  return FALSE;
}

/* One of the words that were asked for is enough. */
static gboolean
matches (const char *text, const char *wanted)
{
  g_auto (GStrv) words = g_strsplit (wanted, ",", -1);

  for (char **p = words; text != NULL && *p != NULL; p++)
    if (has_word (text, *p))
      return TRUE;

  return FALSE;
}

static gboolean
has_reason (const List *self, const JmcClusterRow *row)
{
  g_autofree char *reason =
    jmc_cluster_field_to_string (find_field (self, "reason"), row);

  return reason != NULL && *reason != '\0';
}

static gboolean
is_chosen (const List *self, const JmcClusterRow *row)
{
  if (self->has_reasons_alone && !has_reason (self, row))
    return FALSE;
  for (guint i = 0; i < self->n_fields; i++)
    {
      g_autofree char *text = NULL;

      if (self->choices[i] == NULL)
        continue;
      text = jmc_cluster_field_to_string (&self->fields[i], row);
      if (!matches (text, self->choices[i]))
        return FALSE;
    }

  return TRUE;
}

static const JmcClusterField *
get_column (const List *self, guint i)
{
  return self->chosen->pdata[i];
}

/* --- output --- */

static void
print_table (const List *self, GArray *rows)
{
  g_autofree JmTextColumn *looks = g_new (JmTextColumn, self->chosen->len);
  g_autoptr (JmTextTable) table = NULL;
  g_autofree char *text = NULL;

  for (guint i = 0; i < self->chosen->len; i++)
    looks[i] =
      (JmTextColumn){ jm_quantity_get (get_column (self, i)->id)->heading,
                      get_column (self, i)->make_text != NULL ? JM_TEXT_ALIGN_LEFT
                                                              : JM_TEXT_ALIGN_RIGHT };
  table = jm_text_table_new (looks, self->chosen->len);
  if (self->is_bare)
    jm_text_table_hide_titles (table);
  for (guint i = 0; i < rows->len; i++)
    for (guint column = 0; column < self->chosen->len; column++)
      jm_text_table_take (table,
                          jmc_cluster_field_format (get_column (self, column),
                                                    &g_array_index (rows, JmcClusterRow,
                                                                    i)));
  text =
    jm_text_table_render (table, jmc_output_get_width (STDOUT_FILENO),
                          jmc_output_has_color (self->options.color, STDOUT_FILENO));
  jmc_output_print (text);
}

static void
append_csv (const List *self, const JmcClusterRow *row, GString *text)
{
  for (guint i = 0; i < self->chosen->len; i++)
    {
      g_autofree char *cell = jmc_cluster_field_to_string (get_column (self, i), row);

      jm_csv_append (text, i, cell);
    }
  jm_csv_end_line (text);
}

static void
print_csv (const List *self, GArray *rows)
{
  g_autoptr (GString) text = g_string_new (NULL);

  for (guint i = 0; !self->is_bare && i < self->chosen->len; i++)
    jm_csv_append (text, i, get_name (get_column (self, i)));
  if (!self->is_bare)
    jm_csv_end_line (text);
  for (guint i = 0; i < rows->len; i++)
    append_csv (self, &g_array_index (rows, JmcClusterRow, i), text);

  jmc_output_print (text->str);
}

/* What is not known is left out. */
static void
add_member (JmJsonWriter *json, const JmcClusterField *field, const JmcClusterRow *row)
{
  g_autofree char *text = field->make_text != NULL ? field->make_text (row) : NULL;
  double number = field->get_number != NULL ? field->get_number (row) : NAN;

  if (text != NULL)
    jm_json_writer_add_text (json, get_name (field), text);
  else if (!isnan (number))
    jm_json_writer_add_double (json, get_name (field), number);
}

/* All fields, unless columns are named. */
static void
add_row (const List *self, JmJsonWriter *json, const JmcClusterRow *row)
{
  guint n = self->columns != NULL ? self->chosen->len : self->n_fields;

  jm_json_writer_begin_object (json, NULL);
  for (guint i = 0; i < n; i++)
    add_member (json, self->columns != NULL ? get_column (self, i) : &self->fields[i],
                row);
  jm_json_writer_end_object (json);
}

static void
print_json (const List *self, GArray *rows)
{
  g_autoptr (GString) text = g_string_new (rows->len > 0 ? "[\n" : "[");
  JmJsonWriter json = { .out = text };

  for (guint i = 0; i < rows->len; i++)
    {
      jm_json_writer_break_line (&json);
      add_row (self, &json, &g_array_index (rows, JmcClusterRow, i));
    }
  g_string_append (text, rows->len > 0 ? "\n]\n" : "]\n");
  fputs (text->str, stdout); /* JSON is UTF-8 whatever the locale says */
}

static void
print_rows (const List *self, GArray *rows)
{
  if (self->options.json)
    print_json (self, rows);
  else if (self->csv)
    print_csv (self, rows);
  else
    print_table (self, rows);
}

static int
print_columns (const List *self)
{
  g_autoptr (GPtrArray) quantities = g_ptr_array_new ();
  g_autofree char *text = NULL;

  for (guint i = 0; i < self->n_fields; i++)
    g_ptr_array_add (quantities, (gpointer) jm_quantity_get (self->fields[i].id));
  text = jmc_columns_describe_quantities (quantities);
  jmc_output_print (text);

  return jmc_output_finish (JMC_EXIT_OK);
}

static int
ask (const List *self, JmCluster *cluster)
{
  g_auto (JmcClusterRows) all = { 0 };
  g_autoptr (GArray) chosen = g_array_new (FALSE, FALSE, sizeof (JmcClusterRow));

  jmc_cluster_rows_init (&all);
  if (self->view->topic == JM_N_SCHEDULER_TOPICS)
    jmc_cluster_rows_read_partitions (&all, cluster);
  else
    jmc_cluster_rows_read (&all, cluster, self->view->topic);
  for (guint i = 0; i < all.rows->len; i++)
    {
      const JmcClusterRow *row = &g_array_index (all.rows, JmcClusterRow, i);

      if (is_chosen (self, row))
        g_array_append_vals (chosen, row, 1);
    }
  if (all.is_whole || chosen->len > 0)
    print_rows (self, chosen);

  return jmc_output_finish (all.is_whole ? JMC_EXIT_OK : JMC_EXIT_FAILURE);
}

static int
run (const View *view, int argc, char **argv)
{
  g_auto (List) self = { .view = view };
  g_autoptr (JmCluster) cluster = NULL;
  g_autoptr (GError) error = NULL;

  self.fields = view->list_fields (&self.n_fields);
  if (!parse (&self, argc, argv))
    return JMC_EXIT_USAGE;
  if (g_strcmp0 (self.columns, "help") == 0)
    return print_columns (&self);
  if (!choose_columns (&self))
    return JMC_EXIT_USAGE;

  cluster = jm_cluster_settings_make (self.options.settings, &error);
  if (cluster == NULL)
    {
      jmc_output_complain ("%s", error->message);
      return JMC_EXIT_USAGE;
    }

  return ask (&self, cluster);
}

/* --- the commands --- */

int
jmc_queue_main (int argc, char **argv)
{
  static const View view = { "queue",
                             "Shows the jobs that a cluster's scheduler knows, those "
                             "that wait and those that run.",
                             jmc_cluster_field_list_jobs,
                             JM_SCHEDULER_TOPIC_JOBS,
                             "jobid,user,state,cpus,waited,reason,gpus_alloc",
                             NULL };

  return run (&view, argc, argv);
}

int
jmc_nodes_main (int argc, char **argv)
{
  static const View view = { "nodes",
                             "Shows the nodes of a cluster, what is free on them, and "
                             "why some are not used.",
                             jmc_cluster_field_list_nodes,
                             JM_SCHEDULER_TOPIC_NODES,
                             "node,state,cpus,cpus_alloc,cpus_idle,gpus,gpus_alloc",
                             "node,state,since,reason,by" };

  return run (&view, argc, argv);
}

int
jmc_partitions_main (int argc, char **argv)
{
  static const View view = {
    "partitions",
    "Shows what runs, waits and is free in each partition of a "
    "cluster.",
    jmc_cluster_field_list_partitions,
    JM_N_SCHEDULER_TOPICS,
    NULL,
    NULL
  };

  return run (&view, argc, argv);
}

int
jmc_shares_main (int argc, char **argv)
{
  static const View view = {
    "shares",
    "Shows fair shares, limits and usage of accounts and users.",
    jmc_cluster_field_list_shares,
    JM_SCHEDULER_TOPIC_SHARES,
    NULL,
    NULL
  };

  return run (&view, argc, argv);
}
