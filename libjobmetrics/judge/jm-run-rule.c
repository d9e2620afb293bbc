/* jm-run-rule.c: what is said of which runs
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "judge/jm-run-rule-private.h"

#include "base/jm-error-private.h"
#include "core/jm-expression-private.h"
#include "judge/jm-advice-text-private.h"
#include "judge/jm-run-advice-private.h"
#include "judge/jm-run-report-private.h"
#include "judge/jm-run-term-private.h"

/* What must have been observed where neither the rule nor the thresholds say it. */
#define OBSERVED_DEFAULT 90

struct _JmRunRule
{
  char *name;
  char *when;
  char *title;
  JmAdviceLevel level;
  double observed; /* per cent */
  char **supersedes;
  JmVerdictKind verdict;
  const JmQuantity *wasted; /* NULL for nothing */
  JmExpression *expression;
  JmAdviceText *texts[JM_N_RULE_KEYS]; /* of the four keys that are */
};

G_DEFINE_BOXED_TYPE (JmRunRule, jm_run_rule, jm_run_rule_ref, jm_run_rule_unref)

typedef gboolean (*ReadKey) (JmRunRule *self,
                             JmRuleKey key,
                             const char *value,
                             GError **error);

static gboolean
read_when (JmRunRule *self, JmRuleKey key, const char *value, GError **error)
{
  self->when = g_strdup (value);
  self->expression = jm_expression_new (value, jm_run_term_get_vocabulary (), error);

  return self->expression != NULL;
}

static gboolean
read_level (JmRunRule *self, JmRuleKey key, const char *value, GError **error)
{
  if (!jm_advice_level_from_name (value, &self->level))
    return jm_error_refuse (error, "none of note, warning, act", value);

  self->verdict = jm_advice_level_get_verdict (self->level);

  return TRUE;
}

static gboolean
read_observed (JmRunRule *self, JmRuleKey key, const char *value, GError **error)
{
  if (!jm_format_parse (JM_FORMAT_PERCENT, value, &self->observed, error))
    return FALSE;

  return self->observed <= 100 || jm_error_refuse (error, "more than 100 %", value);
}

static gboolean
read_supersedes (JmRunRule *self, JmRuleKey key, const char *value, GError **error)
{
  g_auto (GStrv) words = g_strsplit_set (value, " ;,", -1);
  g_autoptr (GStrvBuilder) names = g_strv_builder_new ();

  for (guint i = 0; words[i] != NULL; i++)
    {
      if (g_str_equal (words[i], self->name))
        return jm_error_refuse (error, "a rule supersedes itself", self->name);
      if (*words[i] != '\0')
        g_strv_builder_add (names, words[i]);
    }
  self->supersedes = g_strv_builder_end (names);

  return TRUE;
}

/* Nothing leaves the verdict to the level, as where the key is missing. */
static gboolean
read_verdict (JmRunRule *self, JmRuleKey key, const char *value, GError **error)
{
  return *value == '\0' || jm_verdict_kind_from_name (value, &self->verdict) ||
         jm_error_refuse (error, "no such verdict", value);
}

/* Nothing is how a site takes back that it is waste. */
static gboolean
read_wasted (JmRunRule *self, JmRuleKey key, const char *value, GError **error)
{
  if (*value == '\0')
    return TRUE;

  self->wasted = jm_quantity_of_run (value);
  self->verdict = JM_VERDICT_KIND_WASTE;

  return self->wasted != NULL || jm_error_refuse (error, "no such name", value);
}

static gboolean
read_text (JmRunRule *self, JmRuleKey key, const char *value, GError **error)
{
  if (*value == '\0')
    return jm_error_refuse (error, "empty", "a text is needed");
  if (key == JM_RULE_KEY_TITLE)
    self->title = g_strdup (value);
  self->texts[key] = jm_advice_text_new (value, error);

  return self->texts[key] != NULL;
}

/* Nothing is how a site takes back that the rule names a cause. */
static gboolean
read_cause (JmRunRule *self, JmRuleKey key, const char *value, GError **error)
{
  return *value == '\0' || read_text (self, key, value, error);
}

static const struct
{
  ReadKey read;
  gboolean may_lack;
} keys[JM_N_RULE_KEYS] = {
  [JM_RULE_KEY_WHEN] = { read_when },
  [JM_RULE_KEY_LEVEL] = { read_level },
  [JM_RULE_KEY_OBSERVED] = { read_observed, TRUE },
  [JM_RULE_KEY_SUPERSEDES] = { read_supersedes, TRUE },
  [JM_RULE_KEY_VERDICT] = { read_verdict, TRUE },
  [JM_RULE_KEY_WASTED] = { read_wasted, TRUE },
  [JM_RULE_KEY_TITLE] = { read_text },
  [JM_RULE_KEY_REASON] = { read_text },
  [JM_RULE_KEY_ACTION] = { read_text },
  [JM_RULE_KEY_CAUSE] = { read_cause, TRUE },
};

static gboolean
read_key (JmRunRule *self,
          JmRuleKey key,
          const char *value,
          GHashTable *thresholds,
          GError **error)
{
  g_autofree char *filled = NULL;

  if (value == NULL)
    return keys[key].may_lack || jm_error_refuse (error, "missing", self->name);

  filled = jm_rule_thresholds_fill (thresholds, value, error);

  return filled != NULL && keys[key].read (self, key, filled, error);
}

static gboolean
read_default (JmRunRule *self, GHashTable *thresholds, GError **error)
{
  const char *value = g_hash_table_lookup (thresholds, JM_RULE_OBSERVED);

  self->observed = OBSERVED_DEFAULT;

  return value == NULL || read_observed (self, JM_RULE_KEY_OBSERVED, value, error);
}

JmRunRule *
jm_run_rule_new (const JmRuleDraft *draft, GHashTable *thresholds, GError **error)
{
  g_autoptr (JmRunRule) self = g_atomic_rc_box_new0 (JmRunRule);
  g_autoptr (GError) problem = NULL;

  self->name = g_strdup (draft->name);
  if (!read_default (self, thresholds, &problem))
    {
      g_set_error (error, JM_ERROR, JM_ERROR_INVALID, "%s: %s: %s: %s", draft->file,
                   JM_RULE_THRESHOLDS, JM_RULE_OBSERVED, problem->message);
      return NULL;
    }
  for (guint i = 0; i < JM_N_RULE_KEYS; i++)
    if (!read_key (self, i, draft->values[i], thresholds, &problem))
      {
        const char *file = draft->files[i] != NULL ? draft->files[i] : draft->file;

        g_set_error (error, JM_ERROR, JM_ERROR_INVALID, "%s: %s: %s: %s", file,
                     draft->name, jm_rule_key_get_name (i), problem->message);
        return NULL;
      }

  return g_steal_pointer (&self);
}

/* Takes a reference.
 *
 * Returns @self. */
JmRunRule *
jm_run_rule_ref (JmRunRule *self)
{
  g_return_val_if_fail (self != NULL, NULL);

  return g_atomic_rc_box_acquire (self);
}

static void
clear (JmRunRule *self)
{
  g_free (self->name);
  g_free (self->when);
  g_free (self->title);
  g_strfreev (self->supersedes);
  g_clear_pointer (&self->expression, jm_expression_free);
  for (guint i = 0; i < JM_N_RULE_KEYS; i++)
    g_clear_pointer (&self->texts[i], jm_advice_text_free);
}

/* Gives a reference back. */
void
jm_run_rule_unref (JmRunRule *self)
{
  g_return_if_fail (self != NULL);

  g_atomic_rc_box_release_full (self, (GDestroyNotify) clear);
}

/* Gets what it is called, such as `memory-over-allocated`.
 *
 * Returns the name. */
const char *
jm_run_rule_get_name (JmRunRule *self)
{
  g_return_val_if_fail (self != NULL, NULL);

  return self->name;
}

/* Gets how much it matters.
 *
 * Returns the level. */
JmAdviceLevel
jm_run_rule_get_level (JmRunRule *self)
{
  g_return_val_if_fail (self != NULL, JM_ADVICE_LEVEL_NOTE);

  return self->level;
}

/* Gets of which runs it is true, with the thresholds filled in.
 *
 * Returns an expression. */
const char *
jm_run_rule_get_when (JmRunRule *self)
{
  g_return_val_if_fail (self != NULL, NULL);

  return self->when;
}

/* Gets how much of a run's life must have been observed for the rule to judge it.
 *
 * Returns per cent. */
double
jm_run_rule_get_observed (JmRunRule *self)
{
  g_return_val_if_fail (self != NULL, 0);

  return self->observed;
}

/* Gets what it is about, in a few words; the names of figures in braces are filled in
 * in its advice.
 *
 * Returns a line without a full stop. */
const char *
jm_run_rule_get_title (JmRunRule *self)
{
  g_return_val_if_fail (self != NULL, NULL);

  return self->title;
}

const char *const *
jm_run_rule_get_supersedes (JmRunRule *self)
{
  static const char *const none[] = { NULL };

  return self->supersedes != NULL ? (const char *const *) self->supersedes : none;
}

/* The scheduler's accounting counts all that it reports; who watched only a part of a
 * run's life may have missed what matters. */
static gboolean
is_observed (JmRunRule *self, JmRunReport *report)
{
  double observed;

  if (self->observed <= 0)
    return TRUE;
  if (!jm_run_report_get_value (report, jm_quantity_get (JM_QUANTITY_OBSERVED),
                                &observed))
    return !jm_run_report_has_records (report);

  return observed >= self->observed;
}

JmRunAdvice *
jm_run_rule_judge (JmRunRule *self, JmRunReport *report)
{
  g_autofree char *title = NULL;
  g_autofree char *reason = NULL;
  g_autofree char *action = NULL;
  JmRunAdvice *advice;

  if (!is_observed (self, report) || !jm_expression_is_true (self->expression, report))
    return NULL;

  title = jm_advice_text_fill (self->texts[JM_RULE_KEY_TITLE], report);
  reason = jm_advice_text_fill (self->texts[JM_RULE_KEY_REASON], report);
  action = jm_advice_text_fill (self->texts[JM_RULE_KEY_ACTION], report);
  if (title == NULL || reason == NULL || action == NULL)
    return NULL;

  advice =
    jm_run_advice_new_take (self->name, self->level, g_steal_pointer (&title),
                            g_steal_pointer (&reason), g_steal_pointer (&action));
  jm_run_advice_set_verdict (advice, self->verdict, self->wasted);
  if (self->texts[JM_RULE_KEY_CAUSE] != NULL)
    jm_run_advice_take_cause (advice,
                              jm_advice_text_fill (self->texts[JM_RULE_KEY_CAUSE],
                                                   report));

  return advice;
}
