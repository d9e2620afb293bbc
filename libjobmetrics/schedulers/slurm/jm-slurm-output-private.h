/* jm-slurm-output-private.h: readers of what Slurm's commands print
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include "base/jm-parse-private.h"
#include "schedulers/jm-scheduler-report-private.h"
#include "schedulers/slurm/jm-slurm-table-private.h"

G_BEGIN_DECLS

typedef void (*JmSlurmRowFunc) (JmSlice row, gpointer data);

/* Lines of a table, put together to rows again: names and reasons that people write may
 * have line ends in them, which squeue and sinfo print as they are. A row ends with the
 * separator behind its last column. */
typedef struct _JmSlurmRows JmSlurmRows;

/* Rows of commands that know no other separator than `|`, which names may have in them,
 * too. Where a name has a line end, all pieces of its row are passed over, and counted;
 * so are rows of one name that differ. Any other line stands for itself: no row is lost
 * for the one before it. */
typedef struct _JmSlurmPieces JmSlurmPieces;

/* What rows look like. */
typedef struct
{
  guint n_columns;
  guint n_names;         /* columns that people fill in; they stand first */
  const char *beginning; /* of rows, which no name can do without; may be NULL */
  gboolean is_of_all;    /* only the first row does without it */
} JmSlurmPiecesShape;

/* All three stay the caller's. */
JmSlurmPieces *jm_slurm_pieces_new (const JmSlurmPiecesShape *shape,
                                    JmSchedulerReport *report,
                                    JmSlurmRowFunc func,
                                    gpointer data);
void jm_slurm_pieces_free (JmSlurmPieces *self);
void jm_slurm_pieces_take (JmSlurmPieces *self, JmSlice line);

/* Hands all on, after the last line. */
void jm_slurm_pieces_finish (JmSlurmPieces *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (JmSlurmPieces, jm_slurm_pieces_free)

/* @func is handed each row. @separator stays the caller's. */
JmSlurmRows *jm_slurm_rows_new (const char *separator,
                                guint n_columns,
                                JmSlurmRowFunc func,
                                gpointer data);
void jm_slurm_rows_free (JmSlurmRows *self);

/* A line, or the beginning of one that is too long. */
void jm_slurm_rows_take (JmSlurmRows *self, JmSlice line, gboolean is_whole);

/* At the end: hands on what is left, as it is. */
void jm_slurm_rows_finish (JmSlurmRows *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (JmSlurmRows, jm_slurm_rows_free)

/* What squeue is asked for with --Format: fields that 20.11 and all later releases
 * have. Nothing is cut, whatever its length. */
extern const JmSlurmTable jm_squeue_table;

/* One row of that, without its end. @report counts what cannot be read. FALSE: the row
 * is left out. */
gboolean
jm_squeue_take_row (const char *separator, JmSlice row, JmSchedulerReport *report);

/* What sinfo is asked for with --Format, beside --Node: a line for each node and
 * partition, in fields that 21.08 and all later releases have. `scontrol show nodes`
 * has more, and prints a reason that anybody may write without a mark where it ends. */
extern const JmSlurmTable jm_sinfo_table;

/* Which nodes were named before: each stands there once for each of its partitions. */
typedef struct _JmSinfoReader JmSinfoReader;

/* Both must live longer. */
JmSinfoReader *jm_sinfo_reader_new (const char *separator, JmSchedulerReport *report);
void jm_sinfo_reader_free (JmSinfoReader *self);

/* One row of that, without its end: a node, or one more partition of a node. The report
 * counts what cannot be read. FALSE: the row is left out. */
gboolean jm_sinfo_reader_take (JmSinfoReader *self, JmSlice row);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (JmSinfoReader, jm_sinfo_reader_free)

/* A line of `scontrol show reservation -o`, of partitions and of licences, without its
 * end. One that cannot be read is counted as a complaint of @report, and adds nothing. */
void jm_slurm_read_reservation (JmSchedulerReport *report, JmSlice line);
void jm_slurm_read_partition (JmSchedulerReport *report, JmSlice line);
void jm_slurm_read_license (JmSchedulerReport *report, JmSlice line);

/* What sacctmgr is asked for: columns with `|` between them. */
#define JM_SLURM_LIMIT_FORMAT                                                          \
 "format=Cluster,Account,User,Partition,GrpTRES,GrpJobs,GrpSubmit,GrpWall,MaxJobs,"    \
 "MaxSubmit,MaxWall"

/* One line of that, without its end; that of another cluster than @cluster adds
 * nothing. One that cannot be read is counted as a complaint of @report. */
void jm_slurm_read_limit (JmSchedulerReport *report, const char *cluster, JmSlice line);

/* The same of qualities of service, which all clusters of an accounting share. */
#define JM_SLURM_QOS_FORMAT                                                            \
 "format=Name,GrpTRES,GrpJobs,GrpSubmit,GrpWall,MaxTRESPU,MaxJobsPU,MaxSubmitPU,"      \
 "MaxWall"

void jm_slurm_read_qos (JmSchedulerReport *report, JmSlice line);

/* What sshare is asked for with `-o`: columns with `|` between them. */
#define JM_SLURM_SHARE_FORMAT                                                          \
 "Account,User,Partition,RawShares,NormShares,RawUsage,NormUsage,EffectvUsage,"        \
 "FairShare,LevelFS"

/* One line of that, without its end. One that cannot be read is counted as a complaint
 * of @report, and adds nothing. */
void jm_slurm_read_share (JmSchedulerReport *report, JmSlice line);

/* What the lines before had: their meaning depends on the heading that they are below.
 */
typedef struct
{
  JmSchedulerDiagnostics diagnostics;
  guint section;
  gboolean is_begun;
} JmSlurmSdiag;

void jm_slurm_sdiag_init (JmSlurmSdiag *self);

/* One line, without its end. One that cannot be read is an error of @report. */
void jm_slurm_sdiag_read (JmSlurmSdiag *self, JmSchedulerReport *report, JmSlice line);

/* Adds what was read, if there was anything. */
void jm_slurm_sdiag_finish (JmSlurmSdiag *self, JmSchedulerReport *report);

G_END_DECLS
