/* jm-run-rules.c: rules by which runs are judged
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "judge/jm-run-rules.h"

#include "base/jm-error.h"
#include "host/jm-data-private.h"
#include "judge/jm-rule-loader-private.h"
#include "judge/jm-run-advice-private.h"
#include "judge/jm-run-report-private.h"
#include "judge/jm-run-rule-private.h"

#define FOLDER "advice"
#define SUFFIX ".conf"
/* What is built in, or a site's in its place; what other files say comes after it. */
#define MAIN_FILE "rules.conf"
#define MAX_BYTES (256 * 1024)

struct _JmRunRules
{
  GPtrArray *rules;    /* of JmRunRule, in the order of their files */
  GPtrArray *problems; /* of char */
  guint32 version;
};

G_DEFINE_BOXED_TYPE (JmRunRules, jm_run_rules, jm_run_rules_ref, jm_run_rules_unref)

static JmRunRules *
rules_new (JmRuleLoader *loader)
{
  JmRunRules *self = g_atomic_rc_box_new0 (JmRunRules);

  self->rules = jm_rule_loader_end (loader);
  self->problems = g_ptr_array_ref (jm_rule_loader_get_problems (loader));
  self->version = jm_rule_loader_get_version (loader);

  return self;
}

static void
add_file (JmRuleLoader *loader, const JmDataFile *file)
{
  g_autofree char *name = jm_data_file_describe (file);
  g_autoptr (GError) error = NULL;
  g_autoptr (GBytes) bytes = jm_data_file_read (file, MAX_BYTES, &error);
  const char *text;
  gsize length;

  if (bytes == NULL)
    {
      jm_rule_loader_add_problem (loader, error->message);
      return;
    }

  text = g_bytes_get_data (bytes, &length);
  jm_rule_loader_add_text (loader, name, length > 0 ? text : "", length);
}

static gboolean
is_main (const JmDataFile *file)
{
  return g_str_equal (file->name, MAIN_FILE);
}

static void
add_files (JmRuleLoader *loader, GPtrArray *files)
{
  for (guint i = 0; i < files->len; i++)
    if (is_main (files->pdata[i]))
      add_file (loader, files->pdata[i]);
  for (guint i = 0; i < files->len; i++)
    if (!is_main (files->pdata[i]))
      add_file (loader, files->pdata[i]);
}

/**
 * jm_run_rules_new:
 * @host: (nullable): whose site's rules count; %NULL for the machine that this runs on
 * @error: return location for an error
 *
 * Reads the rules that are built in, and those of the site.
 *
 * - Shape: the manual's page on advice has the keys. A site's file `rules.conf`
 *   stands in the place of the one that is built in, and where it is empty hides it;
 *   others are read after it in the order of their names, and replace what they say of
 *   a rule or threshold.
 * - Errors: as the system says, where the site's folder is there and cannot be read.
 *   What is wrong in a file costs its rule alone, see jm_run_rules_list_problems().
 * - Source: `/etc/jobmetrics/advice`, and what is compiled into the library.
 *
 * Returns: (transfer full): the rules
 * Since: 0.1
 */
JmRunRules *
jm_run_rules_new (JmHost *host, GError **error)
{
  g_autoptr (JmHost) used = NULL;
  g_autoptr (JmRuleLoader) loader = NULL;
  g_autoptr (GPtrArray) files = NULL;
  g_autoptr (GPtrArray) problems =
    g_ptr_array_new_with_free_func ((GDestroyNotify) g_error_free);

  g_return_val_if_fail (host == NULL || JM_IS_HOST (host), NULL);

  used = host != NULL ? g_object_ref (host) : jm_host_new (NULL);
  files = jm_data_list (used, FOLDER, SUFFIX, NULL, problems);
  if (problems->len > 0)
    {
      g_propagate_error (error, g_error_copy (problems->pdata[0]));
      return NULL;
    }

  loader = jm_rule_loader_new ();
  add_files (loader, files);

  return rules_new (loader);
}

/**
 * jm_run_rules_new_from_text:
 * @path: what messages call the text
 * @text: (array length=length) (element-type guint8): a key file
 * @length: of @text
 * @error: return location for an error
 *
 * Understands the rules of one file, and no others.
 *
 * - Errors: `INVALID`, with file, rule, key and value, of the first mistake in it: a
 *   key that is not known, a name that is none of a run's, a threshold that there is
 *   not.
 *
 * Returns: (transfer full): the rules
 * Since: 0.1
 */
JmRunRules *
jm_run_rules_new_from_text (const char *path,
                            const char *text,
                            gsize length,
                            GError **error)
{
  g_autoptr (JmRuleLoader) loader = NULL;
  g_autoptr (JmRunRules) self = NULL;

  g_return_val_if_fail (path != NULL, NULL);
  g_return_val_if_fail (text != NULL || length == 0, NULL);

  loader = jm_rule_loader_new ();
  jm_rule_loader_add_text (loader, path, length > 0 ? text : "", length);
  self = rules_new (loader);
  if (self->problems->len == 0)
    return g_steal_pointer (&self);

  g_set_error_literal (error, JM_ERROR, JM_ERROR_INVALID, self->problems->pdata[0]);

  return NULL;
}

/**
 * jm_run_rules_ref:
 * @self: rules
 *
 * Takes a reference.
 *
 * Returns: (transfer full): @self
 * Since: 0.1
 */
JmRunRules *
jm_run_rules_ref (JmRunRules *self)
{
  g_return_val_if_fail (self != NULL, NULL);

  return g_atomic_rc_box_acquire (self);
}

static void
clear (JmRunRules *self)
{
  g_ptr_array_unref (self->rules);
  g_ptr_array_unref (self->problems);
}

/**
 * jm_run_rules_unref:
 * @self: (transfer full): rules
 *
 * Gives a reference back.
 *
 * Since: 0.1
 */
void
jm_run_rules_unref (JmRunRules *self)
{
  g_return_if_fail (self != NULL);

  g_atomic_rc_box_release_full (self, (GDestroyNotify) clear);
}

/* Lists the rules, in the order of their files.
 *
 * Returns the rules. */
GPtrArray *
jm_run_rules_list (JmRunRules *self)
{
  GPtrArray *list;

  g_return_val_if_fail (self != NULL, NULL);

  /* PyGObject empties what it is given */
  list = g_ptr_array_new_with_free_func ((GDestroyNotify) jm_run_rule_unref);
  for (guint i = 0; i < self->rules->len; i++)
    g_ptr_array_add (list, jm_run_rule_ref (self->rules->pdata[i]));

  return list;
}

/**
 * jm_run_rules_list_problems:
 * @self: rules
 *
 * Lists the mistakes in the files, which do not count: each with
 * file, rule, key and value.
 *
 * Returns: (transfer full) (array zero-terminated=1): sentences
 * Since: 0.1
 */
char **
jm_run_rules_list_problems (JmRunRules *self)
{
  g_autoptr (GStrvBuilder) problems = g_strv_builder_new ();

  g_return_val_if_fail (self != NULL, NULL);

  for (guint i = 0; i < self->problems->len; i++)
    g_strv_builder_add (problems, self->problems->pdata[i]);

  return g_strv_builder_end (problems);
}

/* Distinguishes these rules from those of other files, or of other thresholds.
 *
 * Returns a number that the same files have everywhere; never 0. */
guint32
jm_run_rules_get_version (JmRunRules *self)
{
  g_return_val_if_fail (self != NULL, 0);

  return self->version;
}

/* Of those of one level the order of the files stays. */
static void
add_level (GPtrArray *sorted,
           GPtrArray *advice,
           GHashTable *superseded,
           JmAdviceLevel level)
{
  for (guint i = 0; i < advice->len; i++)
    {
      JmRunAdvice *one = advice->pdata[i];

      if (jm_run_advice_get_level (one) == level &&
          !g_hash_table_contains (superseded, jm_run_advice_get_rule (one)))
        g_ptr_array_add (sorted, jm_run_advice_ref (one));
    }
}

static void
add_superseded (GHashTable *superseded, JmRunRule *rule)
{
  const char *const *names = jm_run_rule_get_supersedes (rule);

  for (guint i = 0; names[i] != NULL; i++)
    g_hash_table_add (superseded, (gpointer) names[i]);
}

/* The first rule that knows a cause names it: rules of the end stand before those of
 * what slowed the run down. */
static void
choose_cause (GPtrArray *advice, GHashTable *superseded)
{
  gboolean is_found = FALSE;

  for (guint i = 0; i < advice->len; i++)
    {
      JmRunAdvice *one = advice->pdata[i];

      if (is_found || g_hash_table_contains (superseded, jm_run_advice_get_rule (one)))
        jm_run_advice_take_cause (one, NULL);
      is_found = is_found || jm_run_advice_get_cause (one) != NULL;
    }
}

/**
 * jm_run_rules_judge:
 * @self: rules
 * @report: what is known of a run
 *
 * Finds out what is to be said of a run. No rule is true of what is not known, nor of a
 * run too little of whose life was observed.
 *
 * Returns: (transfer container) (element-type JmRunAdvice): what matters most first
 * Since: 0.1
 */
GPtrArray *
jm_run_rules_judge (JmRunRules *self, JmRunReport *report)
{
  g_autoptr (GPtrArray) advice =
    g_ptr_array_new_with_free_func ((GDestroyNotify) jm_run_advice_unref);
  g_autoptr (GHashTable) superseded = g_hash_table_new (g_str_hash, g_str_equal);
  GPtrArray *sorted;

  g_return_val_if_fail (self != NULL, NULL);
  g_return_val_if_fail (report != NULL, NULL);

  for (guint i = 0; i < self->rules->len; i++)
    {
      JmRunAdvice *one = jm_run_rule_judge (self->rules->pdata[i], report);

      if (one == NULL)
        continue;
      g_ptr_array_add (advice, one);
      add_superseded (superseded, self->rules->pdata[i]);
    }
  if (self->rules->len > 0)
    g_atomic_int_set (&report->is_judged, TRUE);

  choose_cause (advice, superseded);
  sorted = g_ptr_array_new_with_free_func ((GDestroyNotify) jm_run_advice_unref);
  for (guint i = JM_N_ADVICE_LEVELS; i-- > 0;)
    add_level (sorted, advice, superseded, i);

  return sorted;
}
