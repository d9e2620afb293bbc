/* jm-cgroup-layout.c: where a scheduler keeps its jobs
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "sources/jobs/jm-definition-groups-private.h"

#include "base/jm-error-private.h"

#define PATTERNS_MAX 64
#define MEANINGLESS (JM_PATH_BIT (ANY) | JM_PATH_BIT (INDEX))
#define NAMES_OF_JOBS (JM_PATH_BIT (JOB) | JM_PATH_BIT (KEY) | JM_PATH_BIT (SLUID))

typedef enum
{
  LIST_EXCLUDE,
  LIST_JOB,
  LIST_STEP,
  LIST_TASK,
  LIST_HELPER,
  LIST_HELPER_COMMAND,
  N_LISTS,
} List;

struct _JmCgroupLayout
{
  GPtrArray *lists[N_LISTS]; /* of JmPathPattern */
  GPtrArray *owners;         /* names of users */
  GHashTable *step_names;    /* of char *: as paths have them, and as all else does */
  gboolean is_over_when_empty;
};

static const struct
{
  const char *name;
  gboolean is_absolute;
  guint allowed;
  guint needed; /* one of these, where there are any */
} forms[N_LISTS] = {
  [LIST_EXCLUDE] = { "Exclude", TRUE, JM_PATH_BIT (NODE) | MEANINGLESS, 0 },
  [LIST_JOB] = { "Job", TRUE,
                 NAMES_OF_JOBS | JM_PATH_BIT (UID) | JM_PATH_BIT (USER) |
                   JM_PATH_BIT (OWNER) | JM_PATH_BIT (CLUSTER) | JM_PATH_BIT (NODE) |
                   MEANINGLESS,
                 NAMES_OF_JOBS },
  [LIST_STEP] = { "Step", FALSE, JM_PATH_BIT (STEP) | MEANINGLESS, JM_PATH_BIT (STEP) },
  [LIST_TASK] = { "Task", FALSE, JM_PATH_BIT (STEP) | JM_PATH_BIT (TASK) | MEANINGLESS,
                  JM_PATH_BIT (TASK) },
  [LIST_HELPER] = { "Helper", FALSE, JM_PATH_BIT (STEP) | MEANINGLESS, 0 },
  [LIST_HELPER_COMMAND] = { "HelperCommand", FALSE, JM_PATH_BIT (JOB) | MEANINGLESS,
                            JM_PATH_BIT (JOB) },
};

/**
 * jm_cgroup_layout_new: (skip)
 *
 * Returns: (transfer full): a layout without patterns
 */
JmCgroupLayout *
jm_cgroup_layout_new (void)
{
  JmCgroupLayout *self = g_new0 (JmCgroupLayout, 1);

  for (List list = 0; list < N_LISTS; list++)
    self->lists[list] =
      g_ptr_array_new_with_free_func ((GDestroyNotify) jm_path_pattern_free);
  self->owners = g_ptr_array_new_with_free_func (g_free);
  self->step_names = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_free);

  return self;
}

/**
 * jm_cgroup_layout_free: (skip)
 * @self: (transfer full): a layout
 */
void
jm_cgroup_layout_free (JmCgroupLayout *self)
{
  for (List list = 0; list < N_LISTS; list++)
    g_ptr_array_unref (self->lists[list]);
  g_ptr_array_unref (self->owners);
  g_hash_table_unref (self->step_names);
  g_free (self);
}

static gboolean
add_owner (JmCgroupLayout *self, const char *user, GError **error)
{
  if (!jm_placeholder_check ('U', (JmSlice){ user, strlen (user) }))
    return jm_error_refuse (error, "not a user's name", user);
  if (self->owners->len >= PATTERNS_MAX)
    return jm_error_refuse (error, "more than 64 users", user);

  g_ptr_array_add (self->owners, g_strdup (user));
  return TRUE;
}

static gboolean
check_pattern (List list,
               const JmPathPattern *pattern,
               const char *text,
               GError **error)
{
  guint fields = jm_path_pattern_get_fields (pattern);
  gboolean is_absolute = jm_path_pattern_is_absolute (pattern);

  if (forms[list].is_absolute && !is_absolute)
    return jm_error_refuse (error, "does not begin with a slash or two stars", text);
  if (!forms[list].is_absolute && is_absolute)
    return jm_error_refuse (error, "begins with a slash or two stars", text);
  if (forms[list].needed != 0 && (fields & forms[list].needed) == 0)
    return jm_error_refuse (error, "lacks the placeholder that makes it one", text);
  if (list == LIST_TASK && (fields & JM_PATH_BIT (STEP)) == 0)
    return jm_error_refuse (error, "a task without its step", text);

  return TRUE;
}

/**
 * jm_cgroup_layout_add: (skip)
 * @self: a layout
 * @list: which list
 * @pattern: a pattern; of a job from the root of the hierarchy, else from the job. Of
 *   `Owner` a user's name, of `Empty` the word `over`
 * @error: return location for an error
 *
 * Adds a pattern to a list.
 *
 * - Errors: `INVALID`: what is wrong, and the value.
 *
 * Returns: whether it could be understood
 */
gboolean
jm_cgroup_layout_add (JmCgroupLayout *self,
                      const char *list_name,
                      const char *pattern_text,
                      GError **error)
{
  if (g_str_equal (list_name, "Owner"))
    return add_owner (self, pattern_text, error);
  if (g_str_equal (list_name, "Empty"))
    {
      self->is_over_when_empty = g_str_equal (pattern_text, "over");
      return self->is_over_when_empty ||
             jm_error_refuse (error, "not over", pattern_text);
    }

  for (List list = 0; list < N_LISTS; list++)
    {
      g_autoptr (JmPathPattern) pattern = NULL;

      if (!g_str_equal (forms[list].name, list_name))
        continue;
      if (self->lists[list]->len >= PATTERNS_MAX)
        return jm_error_refuse (error, "more than 64 patterns", pattern_text);

      pattern = jm_path_pattern_new (pattern_text, forms[list].allowed, error);
      if (pattern == NULL || !check_pattern (list, pattern, pattern_text, error))
        return FALSE;

      g_ptr_array_add (self->lists[list], g_steal_pointer (&pattern));
      return TRUE;
    }

  return jm_error_refuse (error, "unknown key", list_name);
}

/**
 * jm_cgroup_layout_name_step: (skip)
 * @self: a layout
 * @name: what paths call a step
 * @known_as: what all else calls it
 * @error: return location for an error
 *
 * - Errors: `INVALID`: what is wrong, and the value.
 *
 * Returns: whether these can be names of a step
 */
gboolean
jm_cgroup_layout_name_step (JmCgroupLayout *self,
                            const char *name,
                            const char *known_as,
                            GError **error)
{
  if (!jm_placeholder_check ('s', (JmSlice){ name, strlen (name) }))
    return jm_error_refuse (error, "not the name of a step", name);
  if (!jm_placeholder_check ('s', (JmSlice){ known_as, strlen (known_as) }))
    return jm_error_refuse (error, "not the name of a step", known_as);
  if (g_hash_table_size (self->step_names) >= PATTERNS_MAX)
    return jm_error_refuse (error, "more than 64 steps", name);

  g_hash_table_insert (self->step_names, g_strdup (name), g_strdup (known_as));
  return TRUE;
}

/**
 * jm_cgroup_layout_check: (skip)
 * @self: a whole layout
 * @error: return location for an error
 *
 * - Errors: `INVALID`: what is missing.
 *
 * Returns: whether it knows what a job is, and below whose directories
 */
gboolean
jm_cgroup_layout_check (const JmCgroupLayout *self, GError **error)
{
  const GPtrArray *jobs = self->lists[LIST_JOB];
  guint fields = 0;

  for (guint i = 0; i < jobs->len; i++)
    fields |= jm_path_pattern_get_fields (jobs->pdata[i]);

  if (jobs->len == 0)
    return jm_error_refuse (error, "Cgroup: Job", "missing");

  return (fields & JM_PATH_BIT (OWNER)) == 0 || self->owners->len > 0 ||
         jm_error_refuse (error, "Cgroup: Owner", "missing");
}

/**
 * jm_cgroup_layout_is_owner: (skip)
 * @self: a layout
 * @user: (nullable): what a user is called
 *
 * Returns: whether jobs may be below directories of that user's
 */
gboolean
jm_cgroup_layout_is_owner (const JmCgroupLayout *self, const char *user)
{
  return user != NULL &&
         g_ptr_array_find_with_equal_func (self->owners, user, g_str_equal, NULL);
}

/**
 * jm_cgroup_layout_is_over_when_empty: (skip)
 * @self: a layout
 *
 * Returns: whether a job without any process, even of the scheduler's own, does not run
 */
gboolean
jm_cgroup_layout_is_over_when_empty (const JmCgroupLayout *self)
{
  return self->is_over_when_empty;
}

static const JmPathPattern *
list_match (const GPtrArray *list,
            JmSlice path,
            const char *node_name,
            JmPathMatch *match)
{
  for (guint i = 0; i < list->len; i++)
    {
      const JmPathPattern *pattern = list->pdata[i];
      g_auto (JmPathMatch) told = { 0 };
      const char *node;

      if (!jm_path_pattern_match (pattern, path, &told))
        continue;
      node = told.fields[JM_PATH_FIELD_NODE];
      if (node_name != NULL && node != NULL && !g_str_equal (node, node_name))
        continue;

      if (match != NULL)
        jm_path_match_take (match, &told);
      return pattern;
    }

  return NULL;
}

/* The part of a path down to the name at @below, which is moved to the next one. FALSE
 * where there is none. */
static gboolean
next_head (const char *path, const char **below, JmSlice *head)
{
  const char *end = *below + strcspn (*below, "/");

  if (**below == '\0')
    return FALSE;

  *head = (JmSlice){ path, (gsize) (end - path) };
  *below = *end == '/' ? end + 1 : end;

  return TRUE;
}

/* The pattern of what @path is at or below, without its leading slash; else NULL. */
static const JmPathPattern *
find_exclusion (const JmCgroupLayout *self, const char *path)
{
  const JmPathPattern *pattern = NULL;
  const char *below = path;
  JmSlice head;

  while (pattern == NULL && next_head (path, &below, &head))
    pattern = list_match (self->lists[LIST_EXCLUDE], head, NULL, NULL);

  return pattern;
}

/**
 * jm_cgroup_layout_may_have_jobs: (skip)
 * @self: a layout
 * @path: a path from the root of a hierarchy
 *
 * Returns: whether a job may be at or below @path
 */
gboolean
jm_cgroup_layout_may_have_jobs (const JmCgroupLayout *self, const char *path)
{
  const GPtrArray *jobs = self->lists[LIST_JOB];

  if (path[0] == '/')
    path++;
  if (find_exclusion (self, path) != NULL)
    return FALSE;

  for (guint i = 0; i < jobs->len; i++)
    if (jm_path_pattern_may_match_below (jobs->pdata[i],
                                         (JmSlice){ path, strlen (path) }))
      return TRUE;

  return FALSE;
}

/**
 * jm_cgroup_layout_is_hall: (skip)
 * @self: a layout
 * @path: a path from the root of a hierarchy
 *
 * Returns: whether jobs would be right below it
 */
gboolean
jm_cgroup_layout_is_hall (const JmCgroupLayout *self, const char *path)
{
  const GPtrArray *jobs = self->lists[LIST_JOB];

  if (path[0] == '/')
    path++;

  /* below directories of users the path alone does not show whose they are */
  for (guint i = 0; i < jobs->len; i++)
    if ((jm_path_pattern_get_fields (jobs->pdata[i]) & JM_PATH_BIT (OWNER)) == 0 &&
        jm_path_pattern_is_above (jobs->pdata[i], (JmSlice){ path, strlen (path) }))
      return TRUE;

  return FALSE;
}

/**
 * jm_cgroup_layout_find_job: (skip)
 * @self: a layout
 * @path: a path from the root of a hierarchy
 * @node_name: (nullable): the only node whose jobs are wanted
 * @match: (inout): takes what the job's part of the path reports; empty before
 * @below: (out): the rest of @path, empty for the job itself
 *
 * Finds the job that a cgroup is or is in: of the directories on the way the one
 * nearest to the root. Who may make directories inside of a job cannot make other jobs
 * there.
 *
 * Returns: whether there is one
 */
gboolean
jm_cgroup_layout_find_job (const JmCgroupLayout *self,
                           const char *path,
                           const char *node_name,
                           JmPathMatch *match,
                           const char **below)
{
  JmSlice head;

  if (path[0] == '/')
    path++;

  for (*below = path; next_head (path, below, &head);)
    {
      if (list_match (self->lists[LIST_EXCLUDE], head, NULL, NULL))
        return FALSE;
      if (list_match (self->lists[LIST_JOB], head, node_name, match))
        return TRUE;
    }

  return FALSE;
}

/**
 * jm_cgroup_layout_is_misplaced: (skip)
 * @self: a layout
 * @path: a path from the root of a hierarchy
 *
 * Returns: whether @path looks like a job below a directory in which none is expected,
 *   such as that of a container; not where it is in a job, or excluded
 */
gboolean
jm_cgroup_layout_is_misplaced (const JmCgroupLayout *self, const char *path)
{
  const GPtrArray *jobs = self->lists[LIST_JOB];
  g_auto (JmPathMatch) match = { 0 };
  const char *below;

  if (path[0] == '/')
    path++;
  if (jm_cgroup_layout_find_job (self, path, NULL, &match, &below) ||
      find_exclusion (self, path) != NULL)
    return FALSE;

  for (guint i = 0; i < jobs->len; i++)
    if (jm_path_pattern_ends_like (jobs->pdata[i], (JmSlice){ path, strlen (path) }))
      return TRUE;

  return FALSE;
}

static void
rename_step (const JmCgroupLayout *self, JmPathMatch *match)
{
  char **step = &match->fields[JM_PATH_FIELD_STEP];
  const char *known_as =
    *step != NULL ? g_hash_table_lookup (self->step_names, *step) : NULL;

  if (known_as == NULL)
    return;
  g_free (*step);
  *step = g_strdup (known_as);
}

/**
 * jm_cgroup_layout_match: (skip)
 * @self: a layout
 * @path: a path from the root of a hierarchy
 * @node_name: (nullable): the only node whose jobs are wanted
 * @match: (inout): takes what the path reports; empty before
 *
 * Says what a cgroup is.
 *
 * Returns: its kind
 */
JmCgroupKind
jm_cgroup_layout_match (const JmCgroupLayout *self,
                        const char *path,
                        const char *node_name,
                        JmPathMatch *match)
{
  JmCgroupKind kind = JM_CGROUP_OTHER;
  const char *below;
  JmSlice rest;

  if (!jm_cgroup_layout_find_job (self, path, node_name, match, &below))
    return JM_CGROUP_OTHER;

  rest = (JmSlice){ below, strlen (below) };
  if (list_match (self->lists[LIST_HELPER], rest, NULL, match))
    kind = JM_CGROUP_HELPER;
  else if (rest.length == 0 || list_match (self->lists[LIST_STEP], rest, NULL, match) ||
           list_match (self->lists[LIST_TASK], rest, NULL, match))
    kind = JM_CGROUP_OWN;
  rename_step (self, match);

  return kind;
}

/**
 * jm_cgroup_layout_find_helper: (skip)
 * @self: a layout
 * @path: a path from the root of a hierarchy
 * @node_name: (nullable): the only node whose jobs are wanted
 *
 * Returns: (transfer full) (nullable): the path of the cgroup of the scheduler's own
 *   processes in the step that @path is of; %NULL where there is none, or where command
 * lines report nothing
 */
char *
jm_cgroup_layout_find_helper (const JmCgroupLayout *self,
                              const char *path,
                              const char *node_name)
{
  const GPtrArray *helpers = self->lists[LIST_HELPER];
  g_auto (JmPathMatch) match = { 0 };
  const char *below;
  JmSlice rest;

  if (self->lists[LIST_HELPER_COMMAND]->len == 0 ||
      !jm_cgroup_layout_find_job (self, path, node_name, &match, &below))
    return NULL;

  rest = (JmSlice){ below, strlen (below) };
  if (!list_match (self->lists[LIST_STEP], rest, NULL, &match) &&
      !list_match (self->lists[LIST_TASK], rest, NULL, &match))
    return NULL;

  for (guint i = 0; i < helpers->len; i++)
    {
      g_autofree char *name = jm_path_pattern_fill (helpers->pdata[i], &match);

      if (name != NULL)
        return g_strdup_printf ("%.*s%s", (int) (below - path), path, name);
    }

  return NULL;
}

/**
 * jm_cgroup_layout_match_command: (skip)
 * @self: a layout
 * @command: the first word of a command line of the scheduler's own process in a job
 * @match: (inout): gets the fields found in the command line; empty before
 *
 * Returns: whether the command line has the id of its job
 */
gboolean
jm_cgroup_layout_match_command (const JmCgroupLayout *self,
                                const char *command,
                                JmPathMatch *match)
{
  return list_match (self->lists[LIST_HELPER_COMMAND],
                     (JmSlice){ command, strlen (command) }, NULL, match) != NULL;
}

/* The pattern of jobs that a path comes nearest to. */
static char *
explain_difference (const JmCgroupLayout *self, const char *path)
{
  const GPtrArray *jobs = self->lists[LIST_JOB];
  const JmPathPattern *nearest = NULL;
  g_autofree char *found = NULL;
  const char *wanted = NULL;
  guint best = 0;

  for (guint i = 0; i < jobs->len; i++)
    {
      const char *name;
      g_autofree char *instead = NULL;
      guint n = jm_path_pattern_compare (jobs->pdata[i], path, &name, &instead);

      if (n <= best)
        continue;
      best = n;
      nearest = jobs->pdata[i];
      wanted = name;
      g_free (found);
      found = g_steal_pointer (&instead);
    }

  if (nearest == NULL || wanted == NULL)
    return g_strdup ("no job, and like none of the patterns");
  if (found == NULL)
    return g_strdup_printf ("no job: it ends where %s wants %s",
                            jm_path_pattern_get_text (nearest), wanted);

  return g_strdup_printf ("no job: %s is not %s, which %s wants there", found, wanted,
                          jm_path_pattern_get_text (nearest));
}

static char *
explain_exclusion (const JmCgroupLayout *self, const char *path)
{
  const JmPathPattern *pattern = find_exclusion (self, path);

  return pattern != NULL
           ? g_strdup_printf ("no job: Exclude=%s", jm_path_pattern_get_text (pattern))
           : NULL;
}

static char *
explain_job (const JmPathMatch *match, JmCgroupKind kind, const char *below)
{
  const char *name = jm_path_match_get_name (match);

  if (*below == '\0')
    return g_strdup_printf ("the job %s", name);
  if (kind == JM_CGROUP_HELPER)
    return g_strdup_printf ("a helper of the scheduler in the job %s", name);
  if (jm_path_match_has (match, JM_PATH_FIELD_TASK))
    return g_strdup_printf ("the task %s of the step %s of the job %s",
                            match->fields[JM_PATH_FIELD_TASK],
                            match->fields[JM_PATH_FIELD_STEP], name);
  if (jm_path_match_has (match, JM_PATH_FIELD_STEP))
    return g_strdup_printf ("the step %s of the job %s",
                            match->fields[JM_PATH_FIELD_STEP], name);

  return g_strdup_printf ("a part of the job %s", name);
}

/**
 * jm_cgroup_layout_explain: (skip)
 * @self: a layout
 * @path: a path from the root of a hierarchy
 * @node_name: (nullable): the only node whose jobs are wanted
 *
 * Says what a cgroup is, or why it is no job, for whoever writes a definition.
 *
 * Returns: (transfer full): a part of a sentence
 */
char *
jm_cgroup_layout_explain (const JmCgroupLayout *self,
                          const char *path,
                          const char *node_name)
{
  g_auto (JmPathMatch) match = { 0 };
  g_auto (JmPathMatch) elsewhere = { 0 };
  const char *below;
  char *excluded;

  if (path[0] == '/')
    path++;
  if (jm_cgroup_layout_find_job (self, path, node_name, &match, &below))
    {
      JmCgroupKind kind = jm_cgroup_layout_match (self, path, node_name, &match);

      return explain_job (&match, kind, below);
    }

  excluded = explain_exclusion (self, path);
  if (excluded != NULL)
    return excluded;
  if (node_name != NULL &&
      jm_cgroup_layout_find_job (self, path, NULL, &elsewhere, &below))
    return g_strdup_printf ("no job of this node: it is of %s, not of %s",
                            elsewhere.fields[JM_PATH_FIELD_NODE], node_name);

  return explain_difference (self, path);
}

/**
 * jm_cgroup_layout_list_examples: (skip)
 * @self: a layout
 *
 * Returns: (transfer full): the path of a job for each pattern
 */
char **
jm_cgroup_layout_list_examples (const JmCgroupLayout *self)
{
  g_autoptr (GStrvBuilder) paths = g_strv_builder_new ();
  const GPtrArray *jobs = self->lists[LIST_JOB];

  for (guint i = 0; i < jobs->len; i++)
    {
      g_autofree char *path = jm_path_pattern_make_example (jobs->pdata[i]);

      g_strv_builder_add (paths, path);
    }

  return g_strv_builder_end (paths);
}
