/* jm-run-report-private.h: what a report of a run is made of
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include "core/jm-figures-private.h"
#include "judge/jm-run-report.h"

G_BEGIN_DECLS

typedef struct
{
  char *name;
  JmJobRecord *record; /* NULL where no ledger has it */
  gboolean has_ended;  /* the record has the end there */
  JmFigures *figures;
} JmRunReportNode;

typedef struct
{
  char *name;  /* on its node */
  char *model; /* NULL where it is not known */
  guint node;  /* number of its node */
  JmFigures *figures;
} JmRunReportGpu;

struct _JmRunReport
{
  JmRun *run;
  GArray *nodes;     /* of JmRunReportNode, in natural order */
  GArray *gpus;      /* of JmRunReportGpu */
  GPtrArray *series; /* of JmTsdbSeries, for plots; NULL where none are known */
  char *origin;      /* where it was found; NULL for no mention */
  JmFigures *figures;
  int is_judged; /* atomic: whether rules were asked about it */
};

/* For whoever makes a report: without figures so far, and in any order of names. */
JmRunReportNode *jm_run_report_add_node (JmRunReport *self, const char *name);
JmRunReportGpu *jm_run_report_add_gpu (JmRunReport *self, guint node, const char *name);

/* Of @run, by what the archive keeps of it, or by its report, which may be NULL. */
JmFigure
jm_run_report_find_figure (JmRunReport *self, JmRun *run, JmQuantityId quantity);

/* Whether no node has its course over time: a time series database may have it. */
gboolean jm_run_report_wants_series (JmRunReport *self);

/* Whether the ledgers of nodes know of the run, or its accounting alone. */
gboolean jm_run_report_has_records (const JmRunReport *self);

/* @series is of JmTsdbSeries. To be called before anybody else has the report. */
void jm_run_report_set_series (JmRunReport *self, GPtrArray *series);

/* Compares the run with those of @runs, of JmRun, that are complete runs of its user,
 * cluster, job name and size. With fewer than five of them, or fewer of which a figure
 * is known, nothing is known of how it compares. To be called before anybody else has
 * the report. */
void jm_run_report_set_siblings (JmRunReport *self, GPtrArray *runs);

/* The same of a run that waits, with those of @runs that waited in its partition: of
 * like size, time limit and time of the day where there are ten of them, else of like
 * size and limit, else of like size, else of all with accelerators or without, else of
 * all. */
void jm_run_report_set_waits (JmRunReport *self, GPtrArray *runs);

/* The same figures of a request like that of @run, if it were submitted now with this
 * time limit, in seconds; 0 for the limit of @run. */
void
jm_run_waits_expect (JmFigures *figures, JmRun *run, double limit, GPtrArray *runs);

/* Appends sentences on them, the first of which begins with @first, such as ` Of`;
 * nothing where they are absent. @left: how long a run still waits; NULL where that is
 * not known, or it does not wait yet. */
void jm_run_waits_append (GString *text,
                          const JmFigures *figures,
                          const char *first,
                          const char *left);

static inline JmRunReportNode *
jm_run_report_peek_node (const JmRunReport *self, guint node)
{
  return &g_array_index (self->nodes, JmRunReportNode, node);
}

static inline JmRunReportGpu *
jm_run_report_peek_gpu (const JmRunReport *self, guint gpu)
{
  return &g_array_index (self->gpus, JmRunReportGpu, gpu);
}

/* For what goes over all nodes, or all accelerators. */
typedef const JmFigures *(*JmRunReportPeek) (const JmRunReport *self, guint number);

static inline const JmFigures *
jm_run_report_peek_node_figures (const JmRunReport *self, guint node)
{
  return jm_run_report_peek_node (self, node)->figures;
}

static inline const JmFigures *
jm_run_report_peek_gpu_figures (const JmRunReport *self, guint gpu)
{
  return jm_run_report_peek_gpu (self, gpu)->figures;
}

guint jm_run_report_get_n_nodes (JmRunReport *self);

const char *jm_run_report_get_node_name (JmRunReport *self, guint node);

gboolean jm_run_report_get_node_value (JmRunReport *self,
                                       guint node,
                                       const JmQuantity *quantity,
                                       double *value);

JmJobProfile *jm_run_report_get_node_profile (JmRunReport *self, guint node);

guint jm_run_report_get_n_gpus (JmRunReport *self);

const char *jm_run_report_get_gpu_name (JmRunReport *self, guint gpu);

const char *jm_run_report_get_gpu_model (JmRunReport *self, guint gpu);

guint jm_run_report_get_gpu_node (JmRunReport *self, guint gpu);

gboolean jm_run_report_get_gpu_value (JmRunReport *self,
                                      guint gpu,
                                      const JmQuantity *quantity,
                                      double *value);

/* JmRunMembers:
 * @list: of runs that belong together, such as the tasks of an array
 * @get_run: the run of one of @list
 * @get_figure: what is known of it
 *
 * Runs that are looked at together. */
typedef struct
{
  GPtrArray *list;
  JmRun *(*get_run) (gconstpointer member);
  JmFigure (*get_figure) (gconstpointer member, JmQuantityId quantity);
} JmRunMembers;

/* Of @runs, of JmRun, which outlive it. */
JmRunMembers jm_run_members_of_runs (GPtrArray *runs);

/* The quantities whose spread is shown. */
extern const JmQuantityId jm_run_members_spread[];
extern const guint jm_run_members_n_spread;

/* Least, median and most of @known, of JmFigure, which it sorts; FALSE for none. */
gboolean jm_run_members_find_spread (GArray *known, JmFigure figures[3]);

/* The same of those that are known, and of how many. */
gboolean jm_run_members_get_spread (const JmRunMembers *self,
                                    JmQuantityId quantity,
                                    JmFigure figures[3],
                                    guint *n_known);

/* Those whose end was no good one, and whose user did not end them. */
GPtrArray *jm_run_members_list_failed (const JmRunMembers *self);

/* Those that took much longer than the others, and the median, @usual: absent where
 * they are too few to say that. */
GPtrArray *jm_run_members_list_stragglers (const JmRunMembers *self, JmFigure *usual);

G_END_DECLS
