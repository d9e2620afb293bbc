/* jm-cgroup-file-private.h: a file of a cgroup, opened when it is first wanted
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include "base/jm-parse-private.h"
#include "core/jm-readings-private.h"
#include "host/jm-file-private.h"

G_BEGIN_DECLS

/**
 * JmCgroupSweep:
 * @readings: where figures and errors go
 * @settled: whether a file that is not there will not come any more
 * @n_read: how many files were read so far
 * @gone: whether a file reported that the cgroup was removed
 *
 * One read of one cgroup.
 */
typedef struct
{
  JmReadings *readings;
  gboolean settled;
  guint n_read;
  gboolean gone;
} JmCgroupSweep;

typedef enum
{
  JM_CGROUP_FILE_UNTRIED,
  JM_CGROUP_FILE_OPEN,
  JM_CGROUP_FILE_ABSENT,
} JmCgroupFileState;

/**
 * JmCgroupFile:
 *
 * A file of a cgroup. All zeroes is one that was not tried yet.
 */
typedef struct
{
  JmFile file;
  JmCgroupFileState state;
} JmCgroupFile;

/**
 * JmCgroupFigure:
 * @metric: what a key of a file is
 * @scale: what its number is multiplied with to get the metric's unit
 *
 * How to keep the number of a key.
 */
typedef struct
{
  JmMetric metric;
  guint scale;
} JmCgroupFigure;

/* The most keys that a table of figures may have. */
#define JM_CGROUP_FIGURES_MAX 16

gboolean jm_cgroup_file_open (JmCgroupFile *self,
                              JmCgroupSweep *sweep,
                              const JmDir *dir,
                              const char *name);
void jm_cgroup_file_close (JmCgroupFile *self);

gssize jm_cgroup_file_read (JmCgroupFile *self,
                            JmCgroupSweep *sweep,
                            char *buffer,
                            gsize size);
gssize
jm_cgroup_file_read_all (JmCgroupFile *self, JmCgroupSweep *sweep, GString *text);
void jm_cgroup_file_report (JmCgroupFile *self,
                            JmCgroupSweep *sweep,
                            const char *problem,
                            JmSlice text);

gboolean
jm_cgroup_file_get_limit (JmCgroupFile *self, JmCgroupSweep *sweep, guint64 *limit);
guint64 jm_cgroup_file_get_numbers (JmCgroupFile *self,
                                    JmCgroupSweep *sweep,
                                    const JmFlatKey *keys,
                                    guint n_keys,
                                    guint64 *values);
void jm_cgroup_file_add_number (JmCgroupFile *self,
                                JmCgroupSweep *sweep,
                                JmMetric metric,
                                JmLabels *labels);
void jm_cgroup_file_add_limit (JmCgroupFile *self,
                               JmCgroupSweep *sweep,
                               JmMetric metric,
                               JmLabels *labels);
void jm_cgroup_file_add_limit_or_none (JmCgroupFile *self,
                                       JmCgroupSweep *sweep,
                                       JmMetric metric,
                                       JmMetric unlimited);
void jm_cgroup_file_add_keys (JmCgroupFile *self,
                              JmCgroupSweep *sweep,
                              const JmFlatKey *keys,
                              const JmCgroupFigure *figures,
                              guint n_keys,
                              JmLabels *labels);

gboolean jm_cgroup_dir_is_alive (const JmDir *dir);
gboolean jm_cgroup_dir_had_children (const JmDir *dir, gboolean *had);

G_END_DECLS
