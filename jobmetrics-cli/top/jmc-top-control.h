/* jmc-top-control.h: what keys do in top
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#pragma once

#include "top/jmc-top-model.h"

G_BEGIN_DECLS

/* Keys that stand for no character come after all characters. */
typedef enum
{
  JMC_TOP_KEY_INTERRUPT = 3,
  JMC_TOP_KEY_CLEAR = 21,
  JMC_TOP_KEY_SUSPEND = 26,
  JMC_TOP_KEY_ESCAPE = 27,
  JMC_TOP_KEY_QUIT = 28,

  JMC_TOP_KEY_NONE = 0x110000,
  JMC_TOP_KEY_UP,
  JMC_TOP_KEY_DOWN,
  JMC_TOP_KEY_LEFT,
  JMC_TOP_KEY_RIGHT,
  JMC_TOP_KEY_PAGE_UP,
  JMC_TOP_KEY_PAGE_DOWN,
  JMC_TOP_KEY_HOME,
  JMC_TOP_KEY_END,
  JMC_TOP_KEY_ENTER,
  JMC_TOP_KEY_BACKSPACE,
  JMC_TOP_KEY_HELP,
} JmcTopKey;

/* JmcTopAction:
 * @JMC_TOP_DRAW: nothing but to show how things stand
 * @JMC_TOP_SWEEP: read the node now
 * @JMC_TOP_WAIT: the interval, or whether it runs, has changed
 * @JMC_TOP_GO: go on by so many points as @step says
 * @JMC_TOP_SUSPEND: let the shell have the terminal
 * @JMC_TOP_QUIT: the end */
typedef enum
{
  JMC_TOP_DRAW,
  JMC_TOP_SWEEP,
  JMC_TOP_WAIT,
  JMC_TOP_GO,
  JMC_TOP_SUSPEND,
  JMC_TOP_QUIT,
} JmcTopAction;

typedef enum
{
  JMC_TOP_NO_PROMPT,
  JMC_TOP_PROMPT_FILTER,
  JMC_TOP_PROMPT_USER,
} JmcTopPrompt;

#define JMC_TOP_MIN_INTERVAL 0.1
#define JMC_TOP_MAX_INTERVAL 3600.0
#define JMC_TOP_DEFAULT_INTERVAL 2.0

/* JmcTopControl:
 * @model: what is shown
 * @interval: seconds between two sweeps
 * @is_paused: whether only a key makes a sweep
 * @is_past: whether a past time is shown, which keys change
 * @step: points to go on by, below 0 for back
 * @has_help: whether the keys are shown instead of the jobs
 * @prompt: what is being asked for
 * @input: what was typed so far
 * @old_filter: what comes back where a filter is given up
 * @first: the first line on the screen
 * @page: how many lines the screen shows
 * @shown: a bit for each column on the screen */
typedef struct
{
  JmcTopModel *model;
  double interval;
  gboolean is_paused;
  gboolean is_past;
  int step;
  gboolean has_help;
  JmcTopPrompt prompt;
  GString *input;
  char *old_filter;
  guint first;
  guint page;
  guint shown;
} JmcTopControl;

JmcTopControl *jmc_top_control_new (JmcTopModel *model, double interval);
void jmc_top_control_free (JmcTopControl *self);
JmcTopAction jmc_top_control_press (JmcTopControl *self, guint32 key);
void jmc_top_control_set_page (JmcTopControl *self, guint page);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (JmcTopControl, jmc_top_control_free)

G_END_DECLS
