/* jm-run-advice.c: what the user of a run had better do
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "judge/jm-run-advice-private.h"

struct _JmRunAdvice
{
  char *rule;
  JmAdviceLevel level;
  char *title;
  char *reason;
  char *action;
  JmVerdictKind verdict;
  const JmQuantity *wasted; /* NULL for nothing */
  char *cause;              /* NULL for none */
};

static const char *const level_names[JM_N_ADVICE_LEVELS] = {
  [JM_ADVICE_LEVEL_NOTE] = "note",
  [JM_ADVICE_LEVEL_WARNING] = "warning",
  [JM_ADVICE_LEVEL_ACT] = "act",
};

G_DEFINE_ENUM_TYPE (JmAdviceLevel,
                    jm_advice_level,
                    G_DEFINE_ENUM_VALUE (JM_ADVICE_LEVEL_NOTE, "note"),
                    G_DEFINE_ENUM_VALUE (JM_ADVICE_LEVEL_WARNING, "warning"),
                    G_DEFINE_ENUM_VALUE (JM_ADVICE_LEVEL_ACT, "act"))

G_DEFINE_BOXED_TYPE (JmRunAdvice, jm_run_advice, jm_run_advice_ref, jm_run_advice_unref)

/* Gets what a level is called: `note`, `warning` or `act`.
 *
 * Returns the name. */
const char *
jm_advice_level_get_name (JmAdviceLevel level)
{
  g_return_val_if_fail ((guint) level < JM_N_ADVICE_LEVELS, NULL);

  return level_names[level];
}

gboolean
jm_advice_level_from_name (const char *name, JmAdviceLevel *level)
{
  for (guint i = 0; i < JM_N_ADVICE_LEVELS; i++)
    if (g_str_equal (name, level_names[i]))
      {
        *level = i;
        return TRUE;
      }

  return FALSE;
}

JmVerdictKind
jm_advice_level_get_verdict (JmAdviceLevel level)
{
  return level == JM_ADVICE_LEVEL_NOTE ? JM_VERDICT_KIND_GOOD : JM_VERDICT_KIND_TROUBLE;
}

JmRunAdvice *
jm_run_advice_new_take (const char *rule,
                        JmAdviceLevel level,
                        char *title,
                        char *reason,
                        char *action)
{
  JmRunAdvice *self = g_atomic_rc_box_new0 (JmRunAdvice);

  self->rule = g_strdup (rule);
  self->level = level;
  self->title = title;
  self->reason = reason;
  self->action = action;
  self->verdict = jm_advice_level_get_verdict (level);

  return self;
}

void
jm_run_advice_set_verdict (JmRunAdvice *self,
                           JmVerdictKind verdict,
                           const JmQuantity *wasted)
{
  self->verdict = verdict;
  self->wasted = wasted;
}

JmVerdictKind
jm_run_advice_get_verdict (JmRunAdvice *self)
{
  return self->verdict;
}

void
jm_run_advice_take_cause (JmRunAdvice *self, char *cause)
{
  g_free (self->cause);
  self->cause = cause;
}

const char *
jm_run_advice_get_cause (JmRunAdvice *self)
{
  return self->cause;
}

const JmQuantity *
jm_run_advice_get_wasted (JmRunAdvice *self)
{
  return self->wasted;
}

JmRunAdvice *
jm_run_advice_ref (JmRunAdvice *self)
{
  g_return_val_if_fail (self != NULL, NULL);

  return g_atomic_rc_box_acquire (self);
}

static void
clear (JmRunAdvice *self)
{
  g_free (self->rule);
  g_free (self->title);
  g_free (self->reason);
  g_free (self->action);
  g_free (self->cause);
}

/**
 * jm_run_advice_unref:
 * @self: (transfer full): a piece of advice
 *
 * Gives a reference back.
 *
 * Since: 0.1
 */
void
jm_run_advice_unref (JmRunAdvice *self)
{
  g_return_if_fail (self != NULL);

  g_atomic_rc_box_release_full (self, (GDestroyNotify) clear);
}

/**
 * jm_run_advice_get_rule:
 * @self: a piece of advice
 *
 * Gets which rule gives it, such as `memory-over-allocated`. The manual's page on
 * advice has a row for each that is built in.
 *
 * Returns: the rule's name
 * Since: 0.1
 */
const char *
jm_run_advice_get_rule (JmRunAdvice *self)
{
  g_return_val_if_fail (self != NULL, NULL);

  return self->rule;
}

/**
 * jm_run_advice_get_level:
 * @self: a piece of advice
 *
 * Gets how much it matters.
 *
 * Returns: the level
 * Since: 0.1
 */
JmAdviceLevel
jm_run_advice_get_level (JmRunAdvice *self)
{
  g_return_val_if_fail (self != NULL, JM_ADVICE_LEVEL_NOTE);

  return self->level;
}

/**
 * jm_run_advice_get_title:
 * @self: a piece of advice
 *
 * Gets what it is about, in a few words for people; valid UTF-8.
 *
 * Returns: a line without a full stop
 * Since: 0.1
 */
const char *
jm_run_advice_get_title (JmRunAdvice *self)
{
  g_return_val_if_fail (self != NULL, NULL);

  return self->title;
}

/**
 * jm_run_advice_get_reason:
 * @self: a piece of advice
 *
 * Gets what was seen and why that matters, for people; valid UTF-8.
 *
 * Returns: sentences; there may be line feeds
 * Since: 0.1
 */
const char *
jm_run_advice_get_reason (JmRunAdvice *self)
{
  g_return_val_if_fail (self != NULL, NULL);

  return self->reason;
}

/**
 * jm_run_advice_get_action:
 * @self: a piece of advice
 *
 * Gets what to do, for people; valid UTF-8. A line that begins with `#SBATCH` is one of
 * a script.
 *
 * Returns: sentences; there may be line feeds
 * Since: 0.1
 */
const char *
jm_run_advice_get_action (JmRunAdvice *self)
{
  g_return_val_if_fail (self != NULL, NULL);

  return self->action;
}
