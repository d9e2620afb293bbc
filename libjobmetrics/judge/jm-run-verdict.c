/* jm-run-verdict.c: whether a run was any good, in one sentence
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "judge/jm-run-verdict.h"

#include <string.h>

#include "core/jm-figures-private.h"
#include "core/jm-run-derived-private.h"
#include "judge/jm-run-advice-private.h"
#include "judge/jm-run-hint-private.h"
#include "judge/jm-run-report-private.h"

/* What a line of a batch script begins with. */
#define OPTION "#SBATCH"

struct _JmRunVerdict
{
  JmVerdictKind kind;
  char *title;
  char *sentence;
  char *next_step; /* NULL for none */
  char *rule;      /* that made it; NULL for none */
  char *cause;     /* NULL for none */
  char *cause_rule;
  const JmQuantity *wasted;
  JmFigure amount;
};

static const struct
{
  const char *name;
  const char *words;
} kinds[JM_N_VERDICT_KINDS] = {
  [JM_VERDICT_KIND_GOOD] = { "good", "good" },
  [JM_VERDICT_KIND_WASTE] = { "waste", "waste" },
  [JM_VERDICT_KIND_TROUBLE] = { "trouble", "trouble" },
  [JM_VERDICT_KIND_RUNNING] = { "running", "running" },
  [JM_VERDICT_KIND_WAITING] = { "waiting", "waiting" },
  [JM_VERDICT_KIND_TOO_SHORT] = { "too-short", "too short to judge" },
  [JM_VERDICT_KIND_NOT_ENOUGH_DATA] = { "not-enough-data", "not enough data" },
};

G_DEFINE_ENUM_TYPE (JmVerdictKind,
                    jm_verdict_kind,
                    G_DEFINE_ENUM_VALUE (JM_VERDICT_KIND_GOOD, "good"),
                    G_DEFINE_ENUM_VALUE (JM_VERDICT_KIND_WASTE, "waste"),
                    G_DEFINE_ENUM_VALUE (JM_VERDICT_KIND_TROUBLE, "trouble"),
                    G_DEFINE_ENUM_VALUE (JM_VERDICT_KIND_RUNNING, "running"),
                    G_DEFINE_ENUM_VALUE (JM_VERDICT_KIND_WAITING, "waiting"),
                    G_DEFINE_ENUM_VALUE (JM_VERDICT_KIND_TOO_SHORT, "too-short"),
                    G_DEFINE_ENUM_VALUE (JM_VERDICT_KIND_NOT_ENOUGH_DATA,
                                         "not-enough-data"))

G_DEFINE_BOXED_TYPE (JmRunVerdict,
                     jm_run_verdict,
                     g_atomic_rc_box_acquire,
                     jm_run_verdict_unref)

/**
 * jm_verdict_kind_get_name:
 * @kind: a kind of verdict
 *
 * Gets the stable name of a kind, such as `too-short`, for programs.
 *
 * Returns: the name
 * Since: 0.1
 */
const char *
jm_verdict_kind_get_name (JmVerdictKind kind)
{
  g_return_val_if_fail ((guint) kind < JM_N_VERDICT_KINDS, NULL);

  return kinds[kind].name;
}

gboolean
jm_verdict_kind_from_name (const char *name, JmVerdictKind *kind)
{
  for (guint i = 0; i < JM_N_VERDICT_KINDS; i++)
    if (g_str_equal (name, kinds[i].name))
      {
        *kind = i;
        return TRUE;
      }

  return FALSE;
}

/* --- what is known --- */

static gboolean
has_state (JmRunReport *report, const char *prefix)
{
  const char *state = jm_run_peek_text (report->run, JM_RUN_FIELD_STATE);

  return state != NULL && g_str_has_prefix (state, prefix);
}

/* What a scheduler forgot while it waited waits no more. */
static gboolean
is_waiting (JmRunReport *report)
{
  return jm_run_derived_is_waiting (report->run) && !has_state (report, "LOST");
}

/* Reasons of Slurm's squeue that begin with these words. */
static const char *
explain_reason (const char *reason)
{
  static const struct
  {
    const char *prefix;
    const char *meaning;
  } reasons[] = {
    { "Priority", "jobs with a higher priority come first" },
    { "Resources", "what it asks for is not free yet" },
    { "DependencyNeverSatisfied",
      "a job that it depends on failed, and it will never begin" },
    { "Dependency", "a job that it depends on has not ended" },
    { "BeginTime", "the time at which it may begin has not come" },
    { "JobHeldUser", "its user holds it; scontrol release lets it go" },
    { "JobHeldAdmin", "an administrator holds it" },
    { "PartitionTimeLimit", "it asks for more time than its partition allows" },
    { "PartitionNodeLimit", "it asks for more nodes than its partition allows" },
    { "PartitionDown", "its partition starts no jobs now" },
    { "PartitionInactive", "its partition starts no jobs now" },
    { "ReqNodeNotAvail", "nodes that it asks for are down, drained or reserved" },
    { "JobArrayTaskLimit", "as many tasks of its array run as it allows at once" },
    { "Licenses", "the licenses that it asks for are in use" },
    { "Reservation", "its reservation has not begun" },
    { "QOS", "a limit of its QOS is reached" },
    { "Assoc", "a limit of its account or user is reached" },
    { "MaxJobs", "a limit of its account or user is reached" },
  };

  for (guint i = 0; i < G_N_ELEMENTS (reasons); i++)
    if (g_str_has_prefix (reason, reasons[i].prefix))
      return reasons[i].meaning;

  return NULL;
}

static void
append_reason (GString *text, const char *reason)
{
  const char *meaning;

  if (reason == NULL || *reason == '\0' || g_str_equal (reason, "None"))
    return;

  meaning = explain_reason (reason);
  g_string_append_printf (text, " The scheduler's reason is %s%s%s.", reason,
                          meaning != NULL ? ": " : "", meaning != NULL ? meaning : "");
}

/* How long it still waits; NULL where nothing is expected. */
static char *
format_left (JmRunReport *report)
{
  const JmFigure begin =
    jm_figures_get (report->figures, JM_QUANTITY_EXPECTED_START_TIME);
  const double left = begin.value - (double) g_get_real_time () / G_USEC_PER_SEC;

  return begin.is_known && left > 0 ? jm_format_to_string (JM_FORMAT_DURATION, left)
                                    : NULL;
}

static char *
describe_waiting (JmRunReport *report)
{
  GString *text = g_string_new ("It has not begun yet.");
  g_autofree char *left = format_left (report);

  append_reason (text, jm_run_derived_get_reason (report->run));
  jm_run_waits_append (text, report->figures, " Of", left);

  return g_string_free (text, FALSE);
}

static gboolean
may_have_gpus (JmRunReport *report)
{
  JmFigure has_gpus = { 0 };
  guint hint;

  if (jm_run_hint_from_name ("has_gpus", &hint))
    has_gpus = jm_run_hint_get_figure (report, hint);

  return !has_gpus.is_known || has_gpus.value > 0;
}

static void
append (GString *list, const char *text)
{
  g_string_append_printf (list, "%s%s", list->len > 0 ? ", " : "", text);
}

/* Without one of these figures the rules of waste are silent of good runs and of bad
 * ones alike. */
static void
list_uses (JmRunReport *report, GString *known, GString *missing)
{
  static const struct
  {
    JmQuantityId quantity;
    const char *name;
  } uses[] = {
    { JM_QUANTITY_CPU_EFFICIENCY, "CPU use" },
    { JM_QUANTITY_MEMORY_SHARE, "memory use" },
    { JM_QUANTITY_GPU_UTILIZATION_SHARE, "GPU use" },
  };

  for (guint i = 0; i < G_N_ELEMENTS (uses); i++)
    {
      const JmFigure figure = jm_figures_get (report->figures, uses[i].quantity);
      g_autofree char *value = jm_figure_format (figure, JM_FORMAT_PERCENT);
      g_autofree char *text =
        value != NULL ? g_strconcat (uses[i].name, " ", value, NULL) : NULL;

      if (value != NULL)
        append (known, text);
      else if (uses[i].quantity != JM_QUANTITY_GPU_UTILIZATION_SHARE ||
               may_have_gpus (report))
        append (missing, uses[i].name);
    }
  /* rules are silent of a run whose observed share is unknown */
  if (jm_run_report_has_records (report) &&
      !jm_figures_get (report->figures, JM_QUANTITY_OBSERVED).is_known)
    append (missing, "how much of it was observed");
}

/* --- sentences --- */

/* To the first full stop before another sentence, or to the end of the line. */
static char *
get_first_sentence (const char *text)
{
  const gsize length = strcspn (text, "\n");

  for (gsize i = 0; i + 2 < length; i++)
    if (text[i] == '.' && text[i + 1] == ' ' && g_ascii_isupper (text[i + 2]))
      return g_strndup (text, i + 1);

  return g_strndup (text, length);
}

/* The first sentence, and the first option to copy: `Ask for less: #SBATCH --mem=6G`.
 */
static char *
make_next_step (JmRunAdvice *advice)
{
  const char *action = jm_run_advice_get_action (advice);
  const char *option = action != NULL ? strstr (action, "\n" OPTION) : NULL;
  g_autofree char *step = action != NULL ? get_first_sentence (action) : NULL;
  gsize length = step != NULL ? strlen (step) : 0;

  if (length == 0 || option == NULL)
    return g_steal_pointer (&step);

  if (step[length - 1] == '.' || step[length - 1] == ':')
    length--;
  option++;

  return g_strdup_printf ("%.*s: %.*s", (int) length, step,
                          (int) strcspn (option, "\n"), option);
}

/* --- verdicts --- */

static JmRunVerdict *
make_plain (JmVerdictKind kind, char *sentence)
{
  JmRunVerdict *self = g_atomic_rc_box_new0 (JmRunVerdict);

  self->kind = kind;
  self->title = g_strdup (kinds[kind].words);
  self->sentence = sentence;

  return self;
}

static JmRunVerdict *
make_of_advice (JmRunReport *report, JmRunAdvice *advice)
{
  const JmVerdictKind kind = jm_run_advice_get_verdict (advice);
  JmRunVerdict *self =
    make_plain (kind, get_first_sentence (jm_run_advice_get_reason (advice)));

  self->next_step = make_next_step (advice);
  self->rule = g_strdup (jm_run_advice_get_rule (advice));
  if (kind != JM_VERDICT_KIND_WASTE && kind != JM_VERDICT_KIND_TROUBLE)
    return self;

  g_free (self->title);
  self->title =
    g_strconcat (kinds[kind].words, ": ", jm_run_advice_get_title (advice), NULL);
  self->wasted = jm_run_advice_get_wasted (advice);
  if (self->wasted != NULL)
    self->amount = jm_figures_get (report->figures, jm_quantity_get_id (self->wasted));

  return self;
}

static JmRunVerdict *
make_of_figures (JmRunReport *report, GPtrArray *advice)
{
  g_autoptr (GString) known = g_string_new (NULL);
  g_autoptr (GString) missing = g_string_new (NULL);
  JmRunVerdict *self;

  if (!jm_figures_get (report->figures, JM_QUANTITY_ELAPSED).is_known)
    append (missing, "run time");
  list_uses (report, known, missing);
  /* the word of every scheduler for a good end: rules know bad ones */
  if (!has_state (report, "COMPLETED"))
    append (missing, "how it ended");
  if (missing->len > 0)
    return make_plain (JM_VERDICT_KIND_NOT_ENOUGH_DATA,
                       g_strdup_printf ("Unknown: %s.%s%s%s", missing->str,
                                        known->len > 0 ? " Known: " : "", known->str,
                                        known->len > 0 ? "." : ""));

  self = make_plain (JM_VERDICT_KIND_GOOD,
                     g_strdup_printf ("%s: %s.",
                                      advice->len > 0 ? "No waste or trouble found"
                                                      : "No problems found",
                                      known->str));
  if (advice->len > 0)
    self->next_step = make_next_step (advice->pdata[0]);

  return self;
}

/* An empty list of advice is praise only where rules made it. */
static gboolean
is_judged (JmRunReport *report, GPtrArray *advice)
{
  return advice->len > 0 || g_atomic_int_get (&report->is_judged);
}

static JmRunVerdict *
make_running (JmRunReport *report, GPtrArray *advice)
{
  g_autoptr (GString) known = g_string_new (NULL);
  g_autoptr (GString) missing = g_string_new (NULL);
  char *sentence;

  list_uses (report, known, missing);
  if (!is_judged (report, advice))
    sentence = g_strdup ("It goes on.");
  else if (missing->len > 0)
    sentence = g_strdup_printf ("It goes on. Unknown so far: %s.", missing->str);
  else
    sentence = g_strdup ("It goes on, and no problems were found so far.");

  return make_plain (JM_VERDICT_KIND_RUNNING, sentence);
}

static JmRunVerdict *
make_unjudged (void)
{
  JmRunVerdict *self =
    make_plain (JM_VERDICT_KIND_NOT_ENOUGH_DATA, g_strdup ("No rules were asked."));

  g_free (self->title);
  self->title = g_strdup ("not judged");

  return self;
}

/* What matters most of those that @is_grave or not; NULL for none. */
static JmRunAdvice *
find_advice (GPtrArray *advice, gboolean is_grave)
{
  for (guint i = 0; i < advice->len; i++)
    {
      const JmVerdictKind kind = jm_run_advice_get_verdict (advice->pdata[i]);

      if (kind != JM_VERDICT_KIND_GOOD && is_grave == (kind == JM_VERDICT_KIND_WASTE ||
                                                       kind == JM_VERDICT_KIND_TROUBLE))
        return advice->pdata[i];
    }

  return NULL;
}

static JmRunVerdict *
make_verdict (JmRunReport *report, GPtrArray *advice)
{
  JmRunAdvice *piece;

  if (is_waiting (report))
    return make_plain (JM_VERDICT_KIND_WAITING, describe_waiting (report));

  piece = find_advice (advice, TRUE);
  if (piece == NULL && jm_run_report_is_running (report))
    return make_running (report, advice);
  if (!is_judged (report, advice))
    return make_unjudged ();
  if (piece == NULL)
    piece = find_advice (advice, FALSE);

  return piece != NULL ? make_of_advice (report, piece)
                       : make_of_figures (report, advice);
}

/* --- the cause --- */

/* Whether the scheduler reports an end that is no good one, in a word that may be its
 * own. */
static gboolean
has_bad_end (JmRunReport *report)
{
  static const char *const others[] = { "COMPLET", "ENDED",   "RUNNING",
                                        "PENDING", "SUSPEND", "CONFIGURING" };

  for (guint i = 0; i < G_N_ELEMENTS (others); i++)
    if (has_state (report, others[i]))
      return FALSE;

  return has_state (report, "") && !jm_run_report_is_running (report) &&
         !is_waiting (report);
}

static void
take_cause (JmRunVerdict *self, JmRunReport *report, GPtrArray *advice)
{
  for (guint i = 0; i < advice->len && self->cause == NULL; i++)
    {
      JmRunAdvice *one = advice->pdata[i];

      if (jm_run_advice_get_cause (one) == NULL)
        continue;
      self->cause = g_strdup (jm_run_advice_get_cause (one));
      self->cause_rule = g_strdup (jm_run_advice_get_rule (one));
    }
  if (self->cause == NULL && is_judged (report, advice) && has_bad_end (report))
    self->cause =
      g_strdup_printf ("The cause of its end is not known: the scheduler reports the "
                       "state %s.",
                       jm_run_peek_text (report->run, JM_RUN_FIELD_STATE));
}

/**
 * jm_run_verdict_new:
 * @report: what is known of a run
 * @advice: (element-type JmRunAdvice): what jm_run_rules_judge() says of it
 *
 * Makes up the verdict on a run: the most important waste or trouble that a rule found;
 * else that it runs, waits, was too short to judge, or that a figure is missing. A run
 * is good only where its end and its use of CPUs, memory and accelerators are known. A
 * report that no rules judged, with an empty @advice, has the title `not judged`.
 *
 * Returns: (transfer full): the verdict
 * Since: 0.1
 */
JmRunVerdict *
jm_run_verdict_new (JmRunReport *report, GPtrArray *advice)
{
  JmRunVerdict *self;

  g_return_val_if_fail (report != NULL, NULL);
  g_return_val_if_fail (advice != NULL, NULL);

  self = make_verdict (report, advice);
  take_cause (self, report, advice);

  return self;
}

static void
clear (JmRunVerdict *self)
{
  g_free (self->title);
  g_free (self->sentence);
  g_free (self->next_step);
  g_free (self->rule);
  g_free (self->cause);
  g_free (self->cause_rule);
}

/**
 * jm_run_verdict_unref:
 * @self: (transfer full): a verdict
 *
 * Drops a reference.
 *
 * Since: 0.1
 */
void
jm_run_verdict_unref (JmRunVerdict *self)
{
  g_return_if_fail (self != NULL);

  g_atomic_rc_box_release_full (self, (GDestroyNotify) clear);
}

/**
 * jm_run_verdict_get_kind:
 * @self: a verdict
 *
 * Gets the kind of the verdict.
 *
 * Returns: the kind
 * Since: 0.1
 */
JmVerdictKind
jm_run_verdict_get_kind (JmRunVerdict *self)
{
  g_return_val_if_fail (self != NULL, JM_VERDICT_KIND_NOT_ENOUGH_DATA);

  return self->kind;
}

/**
 * jm_run_verdict_get_title:
 * @self: a verdict
 *
 * Gets the verdict in a few words for people, such as `waste: Low CPU use` or `good`.
 *
 * Returns: a line without a full stop
 * Since: 0.1
 */
const char *
jm_run_verdict_get_title (JmRunVerdict *self)
{
  g_return_val_if_fail (self != NULL, NULL);

  return self->title;
}

/**
 * jm_run_verdict_get_sentence:
 * @self: a verdict
 *
 * Gets the one sentence that matters, for people.
 *
 * Returns: a line
 * Since: 0.1
 */
const char *
jm_run_verdict_get_sentence (JmRunVerdict *self)
{
  g_return_val_if_fail (self != NULL, NULL);

  return self->sentence;
}

/**
 * jm_run_verdict_get_next_step:
 * @self: a verdict
 *
 * Gets the next step that the user of the run had better do, with an option of a batch
 * script where there is one.
 *
 * Returns: (nullable): a line; %NULL where nothing is to be done
 * Since: 0.1
 */
const char *
jm_run_verdict_get_next_step (JmRunVerdict *self)
{
  g_return_val_if_fail (self != NULL, NULL);

  return self->next_step;
}

/**
 * jm_run_verdict_get_cause:
 * @self: a verdict
 *
 * Gets what ended a run before it was done, or slowed it down: one sentence with its
 * evidence, such as node, device, step, user and time, as far as these are known. The
 * sentence of an end that nothing explains is that its cause is not known.
 *
 * Returns: (nullable): a line; %NULL where the run ended well, or goes on, and no rule
 *   found that it was slowed down
 * Since: 0.1
 */
const char *
jm_run_verdict_get_cause (JmRunVerdict *self)
{
  g_return_val_if_fail (self != NULL, NULL);

  return self->cause;
}

const char *
jm_run_verdict_get_cause_rule (JmRunVerdict *self)
{
  return self->cause_rule;
}

gboolean
jm_run_verdict_names_cause (JmRunVerdict *self)
{
  return self->cause_rule != NULL && g_strcmp0 (self->cause_rule, self->rule) == 0;
}

/* Gets the quantity that a run wasted, such as `cpu_unused_seconds`.
 *
 * Returns the quantity; NULL where it wasted none. */
const JmQuantity *
jm_run_verdict_get_wasted (JmRunVerdict *self, double *amount)
{
  g_return_val_if_fail (self != NULL, NULL);
  g_return_val_if_fail (amount != NULL, NULL);

  *amount = self->amount.is_known ? self->amount.value : -1;

  return self->wasted;
}

/* `12h00m00s CPU time unused`. */
static char *
describe_amount (const JmRunVerdict *self)
{
  g_autofree char *amount =
    self->wasted != NULL ? jm_figure_format (self->amount, self->wasted->format) : NULL;
  g_autofree char *title = NULL;

  if (amount == NULL)
    return NULL;

  title = g_strdup (self->wasted->title);
  if (g_ascii_islower (title[0] != '\0' ? title[1] : '\0'))
    title[0] = g_ascii_tolower (title[0]);

  return g_strdup_printf ("%s %s", amount, title);
}

/**
 * jm_run_verdict_to_string:
 * @self: a verdict
 *
 * Gets the verdict in a few words, and how much was wasted, for people:
 * `waste: Low CPU use (12h00m00s CPU time unused)`.
 *
 * Returns: (transfer full): a line without a full stop
 * Since: 0.1
 */
char *
jm_run_verdict_to_string (JmRunVerdict *self)
{
  g_autofree char *amount = NULL;

  g_return_val_if_fail (self != NULL, NULL);

  amount = describe_amount (self);

  return amount != NULL ? g_strdup_printf ("%s (%s)", self->title, amount)
                        : g_strdup (self->title);
}
