/* jmc-top-head.c: how the node is doing, above the table of its jobs
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include "top/jmc-top-parts.h"

#include "base/jm-number-private.h"
#include "base/jm-safe-text-private.h"
#include "base/jm-text-width-private.h"
#include "core/jm-format.h"

#define LABEL_WIDTH 4
#define MIN_BAR 10
#define MAX_BAR 50
#define TEXT_WIDTH 34 /* of what stands behind a bar */
#define MAX_HOST 24

static char *
format_time (gint64 time_us)
{
  g_autoptr (GDateTime) moment =
    g_date_time_new_from_unix_local (time_us / G_USEC_PER_SEC);

  return moment != NULL ? g_date_time_format (moment, "%H:%M:%S") : g_strdup ("-");
}

static char *
format_jobs (const JmNodeSummary *summary)
{
  g_autofree char *jobs = jm_number_count (summary->n_running, "job");

  if (summary->n_ended == 0)
    return g_strdup_printf ("%s running", jobs);

  return g_strdup_printf ("%s running, %u ended", jobs, summary->n_ended);
}

static char *
format_or_dash (JmFigure figure, JmFormat format)
{
  char *text = jm_figure_format (figure, format);

  return text != NULL ? text : g_strdup ("-");
}

/* What the node takes, and what its jobs do; NULL where nobody knows. */
static char *
format_watts (const JmNodeSummary *summary)
{
  g_autofree char *watts = jm_figure_format (summary->power, JM_FORMAT_WATTS);
  JmFigure of_jobs = summary->n_running > 0 ? summary->jobs_power : jm_figure_known (0);
  g_autofree char *jobs = format_or_dash (of_jobs, JM_FORMAT_WATTS);

  if (watts == NULL)
    return NULL;

  return g_strdup_printf ("%s, jobs %s", watts, jobs);
}

/* What stands at the right gives way to what stands at the left. */
static void
draw_title (JmcTopFrame *frame,
            const JmNodeSummary *summary,
            const char *host,
            const char *state,
            JmcTopStyle state_style)
{
  const guint width = jmc_top_frame_get_width (frame);
  g_autofree char *jobs = format_jobs (summary);
  g_autofree char *watts = format_watts (summary);
  g_autofree char *clock = format_time (summary->time_us);
  g_autofree char *safe_host = jm_safe_text_make (host);
  const guint host_width = MIN (jm_text_width_get (safe_host), MAX_HOST);
  const guint right = jm_text_width_get (state) + 2 + jm_text_width_get (clock);
  guint x;

  jmc_top_frame_add_cell (frame, 0, 0, host_width, JM_TEXT_ALIGN_LEFT, JMC_TOP_BOLD,
                          safe_host);
  x = jmc_top_frame_add (frame, 0, host_width + 2, JMC_TOP_PLAIN, jobs);
  if (watts != NULL)
    x = jmc_top_frame_add (frame, 0, x + 2, JMC_TOP_PLAIN, watts);
  if (x + 2 + right > width)
    return;

  x = jmc_top_frame_add (frame, 0, width - right, state_style, state);
  jmc_top_frame_add (frame, 0, x + 2, JMC_TOP_PLAIN, clock);
}

static void
draw_bar (JmcTopFrame *frame,
          guint y,
          const char *label,
          JmFigure share,
          const char *text,
          JmcTopStyle style)
{
  const guint width = jmc_top_frame_get_width (frame);
  const guint others = LABEL_WIDTH + 3 + TEXT_WIDTH;
  const guint bar = CLAMP (width > others ? width - others : 0, MIN_BAR, MAX_BAR);
  const guint start = LABEL_WIDTH + 1;

  jmc_top_frame_add (frame, y, 0, JMC_TOP_BOLD, label);
  jmc_top_frame_add (frame, y, LABEL_WIDTH, JMC_TOP_DIM, "[");
  if (share.is_known)
    jmc_top_frame_add_bar (frame, y, start, bar, style, share.value / 100);
  jmc_top_frame_add (frame, y, start + bar, JMC_TOP_DIM, "]");
  jmc_top_frame_add (frame, y, start + bar + 2, JMC_TOP_PLAIN, text);
}

static void
draw_cpu (JmcTopFrame *frame, const JmNodeSummary *summary)
{
  g_autofree char *busy = format_or_dash (summary->busy_percent, JM_FORMAT_PERCENT);
  g_autofree char *cpus = format_or_dash (summary->cpus, JM_FORMAT_COUNT);
  g_autofree char *text = NULL;

  if (summary->allocated_cpus.is_known && summary->n_running > 0)
    text = g_strdup_printf ("%s of %s CPUs, jobs have %.0f", busy, cpus,
                            summary->allocated_cpus.value);
  else
    text = g_strdup_printf ("%s of %s CPUs", busy, cpus);

  draw_bar (frame, 1, "CPU", summary->busy_percent, text, JMC_TOP_PLAIN);
}

static void
draw_memory (JmcTopFrame *frame, const JmNodeSummary *summary)
{
  g_autofree char *used = format_or_dash (summary->memory_used, JM_FORMAT_BYTES);
  g_autofree char *size = format_or_dash (summary->memory_size, JM_FORMAT_BYTES);
  g_autofree char *text = NULL;
  JmFigure share = summary->memory_percent;

  if (share.is_known)
    text = g_strdup_printf ("%.1f%%, %s of %s", share.value, used, size);
  else
    text = g_strdup_printf ("%s of %s", used, size);

  draw_bar (frame, 2, "Mem", share, text,
            share.value >= JMC_TOP_NEARLY_FULL ? JMC_TOP_ALARM : JMC_TOP_PLAIN);
}

/* The first lines of @frame. @state says in a few words what top is doing. */
void
jmc_top_head_draw (JmcTopFrame *frame,
                   const JmNodeSummary *summary,
                   const char *host,
                   const char *state,
                   JmcTopStyle state_style)
{
  draw_title (frame, summary, host, state, state_style);
  draw_cpu (frame, summary);
  draw_memory (frame, summary);
}
