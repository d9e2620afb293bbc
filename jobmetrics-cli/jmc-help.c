/* jmc-help.c: examples of commands, and the word that a mistyped one is like
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include "jmc-help.h"

#include <string.h>

#define PROGRAM "jobmetrics-cli "
/* Longer words are no names of ours. */
#define MAX_LENGTH 40
#define LEAST_PREFIX 3

/* By the name of the command: the one to three that most people need. */
static const struct
{
  const char *command;
  const char *lines;
} examples[] = {
  { "list", "  jobmetrics-cli list\n"
            "  jobmetrics-cli list --at='yesterday 14:00'\n"
            "  jobmetrics-cli list --user=ada --sort=-cpu_efficiency_percent\n" },
  { "show", "  jobmetrics-cli show 4711\n" },
  { "ledger", "  jobmetrics-cli ledger --since=yesterday\n"
              "  jobmetrics-cli ledger 4711 --json\n" },
  { "top", "  jobmetrics-cli top\n"
           "  jobmetrics-cli top --at='yesterday 14:00'\n" },
  { "power", "  jobmetrics-cli power --watch\n" },
  { "gpus", "  jobmetrics-cli gpus --watch\n" },
  { "queue", "  jobmetrics-cli queue --user=ada\n"
             "  jobmetrics-cli queue --state=PENDING\n" },
  { "nodes", "  jobmetrics-cli nodes --reasons\n"
             "  jobmetrics-cli nodes --state=down\n" },
  { "partitions", "  jobmetrics-cli partitions\n" },
  { "shares", "  jobmetrics-cli shares --account=physics\n" },
  { "history",
    "  jobmetrics-cli history\n"
    "  jobmetrics-cli history --state=FAILED --since=-7d\n"
    "  jobmetrics-cli history --all --since=-7d --sort=-cpu_unused_seconds\n" },
  { "job", "  jobmetrics-cli job 4711\n" },
  { "report", "  jobmetrics-cli report\n"
              "  jobmetrics-cli report 4711\n"
              "  jobmetrics-cli report --full 4711_3\n" },
  { "compare", "  jobmetrics-cli compare 4712\n"
               "  jobmetrics-cli compare 4711 4712\n"
               "  jobmetrics-cli compare --csv 4711_1 4711_2 4711_3\n" },
  { "keep", "  jobmetrics-cli keep 12345 --for=4h\n" },
  { "suggest", "  jobmetrics-cli suggest\n"
               "  jobmetrics-cli suggest train.sh\n"
               "  jobmetrics-cli suggest --full --confidence=0.9 relax\n" },
  { "usage", "  jobmetrics-cli usage\n"
             "  jobmetrics-cli usage --by=account,day --since=-30d --csv\n"
             "  jobmetrics-cli usage --cost --by=account,month --since=2026-01-01\n" },
  { "waste", "  jobmetrics-cli waste --by=user,partition\n"
             "  jobmetrics-cli waste --now\n" },
  { "run", "  jobmetrics-cli run make -j8\n" },
  { "trace", "  jobmetrics-cli trace python3 train.py\n" },
  { "metrics", "  jobmetrics-cli metrics\n" },
  { "doctor", "  jobmetrics-cli doctor\n" },
  { "emissions", "  jobmetrics-cli emissions\n" },
  { "import", "  jobmetrics-cli import --format=sacct --cluster=alps sacct.txt\n" },
  { "store", "  jobmetrics-cli store check\n"
             "  jobmetrics-cli store backup /srv/backup/accounts.db\n" },
  { "mail", "  jobmetrics-cli mail -s 'Slurm Job_id=7 Name=relax Ended' ada < text\n" },
  { "alert", "  jobmetrics-cli alert --domain=example.org\n" },
};

/* --- examples --- */

void
jmc_help_add_examples (GOptionContext *context)
{
  const char *program = g_get_prgname ();
  const char *summary = g_option_context_get_summary (context);
  const char *command;
  g_autofree char *text = NULL;

  if (program == NULL || !g_str_has_prefix (program, PROGRAM))
    return;

  command = program + strlen (PROGRAM);
  for (guint i = 0; i < G_N_ELEMENTS (examples); i++)
    if (g_str_equal (command, examples[i].command))
      text = g_strconcat ("Examples:\n", examples[i].lines, "\n",
                          summary != NULL ? summary : "", NULL);
  if (text != NULL)
    g_option_context_set_summary (context, text);
}

/* --- similar words --- */

/* How many characters are to be added, taken away, changed or swapped with the next. */
static guint
get_distance (const char *a, const char *b)
{
  guint rows[3][MAX_LENGTH + 1];
  const gsize n_a = strlen (a);
  const gsize n_b = strlen (b);

  if (n_a > MAX_LENGTH || n_b > MAX_LENGTH)
    return G_MAXUINT;

  for (guint k = 0; k <= n_b; k++)
    rows[0][k] = k;
  for (guint i = 1; i <= n_a; i++)
    {
      guint *row = rows[i % 3];
      const guint *last = rows[(i + 2) % 3];
      const guint *before = rows[(i + 1) % 3];

      row[0] = i;
      for (guint k = 1; k <= n_b; k++)
        {
          row[k] =
            MIN (last[k - 1] + (a[i - 1] != b[k - 1]), MIN (last[k], row[k - 1]) + 1);
          if (i > 1 && k > 1 && a[i - 1] == b[k - 2] && a[i - 2] == b[k - 1])
            row[k] = MIN (row[k], before[k - 2] + 1);
        }
    }

  return rows[n_a % 3][n_b];
}

/* A third of the letters may be wrong; the beginning of a word is like it, too. */
const char *
jmc_help_find_similar (const char *typed, const char *const *words)
{
  const char *found = NULL;
  guint least = (guint) MAX (strlen (typed) / 3, 1) + 1;

  for (guint i = 0; words[i] != NULL; i++)
    {
      const gboolean is_begin =
        strlen (typed) >= LEAST_PREFIX && g_str_has_prefix (words[i], typed);
      const guint distance = is_begin ? 0 : get_distance (typed, words[i]);

      if (distance < least)
        {
          least = distance;
          found = words[i];
        }
    }

  return found;
}

/* The context does not list its options, but its help names each. */
static char **
list_options (GOptionContext *context)
{
  g_autofree char *help = g_option_context_get_help (context, TRUE, NULL);
  g_autoptr (GRegex) regex = g_regex_new ("--[a-z][a-z.-]*", 0, 0, NULL);
  g_autoptr (GMatchInfo) match = NULL;
  g_autoptr (GStrvBuilder) names = g_strv_builder_new ();

  g_regex_match (regex, help, 0, &match);
  for (; g_match_info_matches (match); g_match_info_next (match, NULL))
    {
      g_autofree char *name = g_match_info_fetch (match, 0);

      g_strv_builder_add (names, name);
    }

  return g_strv_builder_end (names);
}

char *
jmc_help_suggest_option (GOptionContext *context, const char *typed)
{
  g_auto (GStrv) names = list_options (context);
  g_autofree char *name = g_strndup (typed, strcspn (typed, "="));
  const char *similar = jmc_help_find_similar (name, (const char *const *) names);

  return similar != NULL ? g_strdup_printf ("; did you mean %s?", similar)
                         : g_strdup ("");
}
