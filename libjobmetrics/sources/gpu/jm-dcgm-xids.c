/* jm-dcgm-xids.c: the errors that a driver reported, counted
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "sources/gpu/jm-dcgm-engine-private.h"

#include "core/jm-gpu-report-private.h"

/* The driver's numbers are below 200; what is far above is none of them. */
#define MAX_XID 999

typedef struct
{
  guint xid;
  guint64 n;
  JmLabels *labels;
} Count;

struct _JmDcgmXids
{
  gint64 since_us;
  gint64 next_us; /* since_us of the next question: two may have one time */
  GArray *counts; /* of Count */
};

static void
count_clear (gpointer data)
{
  jm_labels_unref (((Count *) data)->labels);
}

JmDcgmXids *
jm_dcgm_xids_new (gint64 since_us)
{
  JmDcgmXids *self = g_atomic_rc_box_new0 (JmDcgmXids);

  self->since_us = since_us;
  self->next_us = since_us;
  self->counts = g_array_new (FALSE, FALSE, sizeof (Count));
  g_array_set_clear_func (self->counts, count_clear);

  return self;
}

JmDcgmXids *
jm_dcgm_xids_ref (JmDcgmXids *self)
{
  return g_atomic_rc_box_acquire (self);
}

static void
xids_clear (gpointer data)
{
  g_array_unref (((JmDcgmXids *) data)->counts);
}

void
jm_dcgm_xids_unref (JmDcgmXids *self)
{
  g_atomic_rc_box_release_full (self, xids_clear);
}

gint64
jm_dcgm_xids_get_since (JmDcgmXids *self)
{
  return self->since_us;
}

static Count *
take_count (JmDcgmXids *self, guint xid)
{
  Count added = { .xid = xid };
  g_autofree char *text = NULL;

  for (guint i = 0; i < self->counts->len; i++)
    if (g_array_index (self->counts, Count, i).xid == xid)
      return &g_array_index (self->counts, Count, i);

  text = g_strdup_printf ("%u", xid);
  added.labels = jm_labels_of (text, NULL);
  g_array_append_val (self->counts, added);

  return &g_array_index (self->counts, Count, self->counts->len - 1);
}

/* 0 stands for no error. */
static void
take_sample (JmDcgmXids *self, const JmDcgmSample *sample)
{
  if (sample->status != JM_DCGM_OK || sample->type != JM_DCGM_TYPE_INT64 ||
      sample->time_us < self->since_us || sample->time_us == G_MAXINT64)
    return;

  self->next_us = MAX (self->next_us, sample->time_us + 1);
  if (sample->content.integer > 0 && sample->content.integer <= MAX_XID)
    take_count (self, (guint) sample->content.integer)->n++;
}

int
jm_dcgm_xids_take (guint32 entity_group,
                   guint32 entity,
                   JmDcgmSample *samples,
                   int n_samples,
                   void *xids)
{
  for (int i = 0; i < n_samples; i++)
    take_sample (xids, &samples[i]);

  return 0;
}

void
jm_dcgm_xids_tell (JmDcgmXids *self, JmGpuReport *report)
{
  self->since_us = self->next_us;
  for (guint i = 0; i < self->counts->len; i++)
    {
      const Count *count = &g_array_index (self->counts, Count, i);

      jm_gpu_report_add_labelled (report, JM_METRIC_GPU_XID_ERRORS, count->labels,
                                  count->n);
    }
}
