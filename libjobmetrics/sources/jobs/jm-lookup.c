/* jm-lookup.c: files of the scheduler's own that say who a job is
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "core/jm-job-private.h"
#include "sources/jobs/jm-definition-groups-private.h"

#include <string.h>

#include "base/jm-error-private.h"
#include "base/jm-parse-proc-private.h"
#include "sources/jobs/jm-field-value-private.h"
#include "sources/jobs/jm-name-pattern-private.h"
#include "sources/jobs/jm-property-file-private.h"
#include "sources/jobs/jm-variable-names-private.h"

#define PLACES_MAX 16
#define FACTS_MAX 8 /* that one field is joined of */
#define NAMES_MAX 4096
#define VARIABLE_PREFIX "%v{"

#define FIELDS_OF_PATHS                                                                \
 (JM_PATH_BIT (JOB) | JM_PATH_BIT (KEY) | JM_PATH_BIT (SLUID) | JM_PATH_BIT (UID) |    \
  JM_PATH_BIT (USER) | JM_PATH_BIT (CLUSTER))
#define FIELDS_OF_NAMES                                                                \
 (JM_PATH_BIT (JOB) | JM_PATH_BIT (KEY) | JM_PATH_BIT (ACCOUNT) | JM_PATH_BIT (NAME) | \
  JM_PATH_BIT (ANY))

/* Where a file may be: in the job's folder, as its path has it, or as its processes
 * say. */
typedef struct
{
  char *own;           /* what it is called in the job's folder; NULL for the others */
  JmPathPattern *path; /* NULL where a variable has it; else of the directory, */
  JmPathPattern *name; /* and of the file in it */
  char *variable;
  char *rest; /* what stands behind its value */
} Place;

struct _JmLookup
{
  GPtrArray *places; /* of Place */
  JmLookupFormat format;
  char *owner;                   /* beside root; NULL: nobody */
  gboolean wants_confirmation;   /* of whose the file is about: it may be another's */
  char **facts[JM_N_JOB_FIELDS]; /* what each field is joined of; NULL: not known */
  guint n_facts;
};

static void
place_free (gpointer data)
{
  Place *place = data;

  g_clear_pointer (&place->path, jm_path_pattern_free);
  g_clear_pointer (&place->name, jm_path_pattern_free);
  g_free (place->own);
  g_free (place->variable);
  g_free (place->rest);
  g_free (place);
}

/**
 * jm_lookup_new: (skip)
 *
 * Returns: (transfer full): one that asks nothing yet
 */
JmLookup *
jm_lookup_new (void)
{
  JmLookup *self = g_new0 (JmLookup, 1);

  self->places = g_ptr_array_new_with_free_func (place_free);

  return self;
}

/**
 * jm_lookup_free: (skip)
 * @self: (transfer full): a look-up
 */
void
jm_lookup_free (JmLookup *self)
{
  for (guint i = 0; i < JM_N_JOB_FIELDS; i++)
    g_strfreev (self->facts[i]);
  g_ptr_array_unref (self->places);
  g_free (self->owner);
  g_free (self);
}

/* --- understanding a definition --- */

static gboolean
set_variable (Place *place, const char *text, GError **error)
{
  const char *name = text + strlen (VARIABLE_PREFIX);
  const char *end = strchr (name, '}');

  if (end == NULL || end == name)
    return jm_error_refuse (error, "not the name of a variable", text);

  place->variable = g_strndup (name, (gsize) (end - name));
  place->rest = g_strdup (end + 1);

  return TRUE;
}

static gboolean
is_own (const char *text)
{
  return text[0] != '.' && jm_is_word (text, "_.-");
}

static gboolean
set_path (Place *place, const char *text, GError **error)
{
  g_autofree char *directory = g_path_get_dirname (text);
  const char *name = strrchr (text, '/');

  if (text[0] != '/' || g_str_equal (directory, "/"))
    return jm_error_refuse (error, "not an absolute path of a file in a directory",
                            text);

  place->path = jm_path_pattern_new (directory, FIELDS_OF_PATHS, error);
  if (place->path == NULL)
    return FALSE;
  place->name =
    jm_path_pattern_new (name + 1, FIELDS_OF_PATHS | FIELDS_OF_NAMES, error);

  return place->name != NULL;
}

static gboolean
add_place (JmLookup *self, const char *text, GError **error)
{
  Place *place = g_new0 (Place, 1);

  g_ptr_array_add (self->places, place);
  if (self->places->len > PLACES_MAX)
    return jm_error_refuse (error, "more than 16 files", text);

  if (is_own (text))
    {
      place->own = g_strdup (text);
      return TRUE;
    }

  return g_str_has_prefix (text, VARIABLE_PREFIX) ? set_variable (place, text, error)
                                                  : set_path (place, text, error);
}

static gboolean
set_places (JmLookup *self, const char *value, GError **error)
{
  g_auto (GStrv) texts = g_strsplit (value, ";", -1);

  g_ptr_array_set_size (self->places, 0);
  for (guint i = 0; texts[i] != NULL; i++)
    if (!add_place (self, texts[i], error))
      return FALSE;

  return TRUE;
}

static gboolean
set_facts (JmLookup *self, const char *key, const char *value, GError **error)
{
  JmJobField field;

  if (!jm_job_field_from_name (key, &field) || field == JM_JOB_FIELD_UUID ||
      field == JM_JOB_FIELD_SCHEDULER)
    return jm_error_refuse (error, "neither a key nor a field that a file can give",
                            key);

  self->n_facts += self->facts[field] == NULL;
  g_strfreev (self->facts[field]);
  self->facts[field] = g_strsplit (value, ";", -1);
  if (g_strv_length (self->facts[field]) > FACTS_MAX)
    return jm_error_refuse (error, "more than eight parts", value);
  for (char **fact = self->facts[field]; *fact != NULL; fact++)
    if (**fact == '\0')
      return jm_error_refuse (error, "a part without a name", value);

  return TRUE;
}

/**
 * jm_lookup_add: (skip)
 * @self: a look-up
 * @key: a key in its group
 * @value: its value
 * @error: return location for an error
 *
 * Understands a key of a definition.
 *
 * - Errors: `INVALID`: what is wrong, and the value.
 *
 * Returns: whether it could be understood
 */
gboolean
jm_lookup_add (JmLookup *self, const char *key, const char *value, GError **error)
{
  if (g_str_equal (key, "File"))
    return set_places (self, value, error);
  if (g_str_equal (key, "Format"))
    return jm_lookup_format_from_name (value, &self->format) ||
           jm_error_refuse (error, "none of lines, classad, xml, names", value);
  if (g_str_equal (key, "Owner"))
    {
      g_free (self->owner);
      self->owner = g_strdup (value);
      return TRUE;
    }

  if (g_str_equal (key, "Confirm"))
    {
      self->wants_confirmation = g_str_equal (value, "yes");
      return self->wants_confirmation || g_str_equal (value, "no") ||
             jm_error_refuse (error, "neither yes nor no", value);
    }

  return set_facts (self, key, value, error);
}

static gboolean
check_place (const JmLookup *self, const Place *place, GError **error)
{
  guint fields = place->name != NULL ? jm_path_pattern_get_fields (place->name) : 0;

  if (self->format == JM_LOOKUP_NAMES)
    return (fields & (JM_PATH_BIT (JOB) | JM_PATH_BIT (KEY))) != 0 ||
           jm_error_refuse (error, "File", "a name that does not identify its job");

  return (fields & ~FIELDS_OF_PATHS) == 0 ||
         jm_error_refuse (error, "placeholder without a meaning here",
                          jm_path_pattern_get_text (place->name));
}

/**
 * jm_lookup_check: (skip)
 * @self: a whole look-up
 * @error: return location for an error
 *
 * - Errors: `INVALID`: what is missing, or has no meaning.
 *
 * Returns: whether it can be asked
 */
gboolean
jm_lookup_check (const JmLookup *self, GError **error)
{
  if (self->places->len == 0)
    return jm_error_refuse (error, "File", "missing");
  if (self->format != JM_LOOKUP_NAMES && self->n_facts == 0)
    return jm_error_refuse (error, "a field", "missing");
  if (self->wants_confirmation &&
      (self->facts[JM_JOB_FIELD_ID] == NULL || self->facts[JM_JOB_FIELD_USER] == NULL))
    return jm_error_refuse (error, "jobid and user, which are confirmed", "missing");

  for (guint i = 0; i < self->places->len; i++)
    if (!check_place (self, self->places->pdata[i], error))
      return FALSE;

  return TRUE;
}

/* --- whose word it is --- */

static gboolean
is_of_user (const JmLookupQuestion *question, guint owner)
{
  JmSlice text;
  guint64 uid;

  return question->process != NULL &&
         jm_job_process_get_uid (question->process, &text) &&
         jm_parse_uint64 (text.text, text.length, &uid) && uid == owner;
}

static gboolean
is_known_owner (const JmLookup *self, const JmLookupQuestion *question, guint owner)
{
  return jm_property_owner_is_trusted (question->host, owner) ||
         (question->folder != NULL && owner == question->folder_owner) ||
         (self->owner != NULL &&
          g_strcmp0 (jm_user_names_get (question->users, owner, NULL), self->owner) ==
            0);
}

/* What only root could have written counts as a hook's word, what the job's user could
 * have as an environment's; what a stranger wrote does not count. */
static JmOrigin
get_origin (const JmLookup *self,
            const JmLookupQuestion *question,
            guint owner,
            gboolean is_protected)
{
  gboolean is_known = is_known_owner (self, question, owner);

  if (is_known && is_protected)
    return JM_ORIGIN_HOOK;

  return is_known || is_of_user (question, owner) ? JM_ORIGIN_ENVIRONMENT
                                                  : JM_ORIGIN_NONE;
}

/* --- what a file holds --- */

static char *
join_facts (const JmLookup *self, char **facts, const char *text, gsize length)
{
  g_autoptr (GString) value = g_string_new (NULL);

  for (char **fact = facts; *fact != NULL; fact++)
    {
      g_autofree char *part = jm_lookup_text_find (self->format, text, length, *fact);

      if (part == NULL || jm_field_value_is_empty ((JmSlice){ part, strlen (part) }))
        continue;
      if (value->len > 0)
        g_string_append_c (value, '.');
      g_string_append (value, part);
    }

  return value->len > 0 ? g_string_free (g_steal_pointer (&value), FALSE) : NULL;
}

/* Ads name a user with a domain, too, as in RemoteOwner: `alice@lab`.
 *
 * Returns: (nullable): the value of a field in the file */
static char *
find_fact (const JmLookup *self, const JmPropertyFile *file, JmJobField field)
{
  gsize length;
  const char *text = jm_property_file_get_text (file, &length);
  g_autofree char *value = self->facts[field] != NULL
                             ? join_facts (self, self->facts[field], text, length)
                             : NULL;

  if (value != NULL && field == JM_JOB_FIELD_USER && self->format == JM_LOOKUP_CLASSAD)
    value[strcspn (value, "@")] = '\0';

  return value != NULL &&
             jm_field_value_check (field, (JmSlice){ value, strlen (value) })
           ? g_steal_pointer (&value)
           : NULL;
}

/* Of a job's user nothing is taken for its id, but it may confirm what others say. */
static void
take_facts (const JmLookup *self,
            const JmPropertyFile *file,
            JmOrigin origin,
            JmLookupQuestion *question,
            JmJobDraft *draft)
{
  for (JmJobField field = 0; field < JM_N_JOB_FIELDS; field++)
    {
      g_autofree char *value = find_fact (self, file, field);

      if (value == NULL)
        continue;

      jm_job_draft_set (draft, field, origin, value, -1);
      if (field == JM_JOB_FIELD_ID)
        {
          g_free (question->claimed_id);
          question->claimed_id = g_steal_pointer (&value);
        }
    }
}

/* Whether it names the user for whom the kernel runs the job's process. */
static gboolean
names_user (const JmLookup *self,
            const JmPropertyFile *file,
            const JmLookupQuestion *question)
{
  g_autofree char *user = find_fact (self, file, JM_JOB_FIELD_USER);
  JmSlice text;
  guint64 uid;

  return user != NULL && question->process != NULL &&
         jm_job_process_get_uid (question->process, &text) &&
         jm_parse_uint64 (text.text, text.length, &uid) &&
         g_strcmp0 (jm_user_names_get (question->users, (guint) uid, NULL), user) == 0;
}

/* A file that is called by what jobs have one after the other, as a slot, may still be
 * about the one before. That one had another id; and who claims it had another user. */
static gboolean
is_confirmed (const JmLookup *self,
              const JmPropertyFile *file,
              const JmLookupQuestion *question)
{
  g_autofree char *id = find_fact (self, file, JM_JOB_FIELD_ID);

  return id != NULL && g_strcmp0 (id, question->claimed_id) == 0 &&
         names_user (self, file, question);
}

/* A user may name any file, and move one in a folder of his own, but nobody can give a
 * file of his to the scheduler's user: what that one wrote about this user is true. */
static JmOrigin
get_named_origin (const JmLookup *self,
                  const JmPropertyFile *file,
                  const JmLookupQuestion *question,
                  guint owner)
{
  return self->owner != NULL && is_known_owner (self, question, owner) &&
             names_user (self, file, question)
           ? JM_ORIGIN_HOOK
           : JM_ORIGIN_ENVIRONMENT;
}

static gboolean
take_file (const JmLookup *self,
           JmLookupQuestion *question,
           const char *path,
           gboolean is_named_by_user,
           JmJobDraft *draft,
           GError **error)
{
  gboolean is_protected;
  guint owner;
  g_autoptr (JmPropertyFile) file =
    jm_property_file_read_any (question->host, path, &owner, &is_protected, error);
  JmOrigin origin;

  if (file == NULL)
    return FALSE;

  origin = get_origin (self, question, owner, is_protected);
  if (origin == JM_ORIGIN_NONE)
    {
      g_set_error (error, JM_ERROR, JM_ERROR_DENIED, "%s: not trusted: owned by uid %u",
                   path, owner);
      return FALSE;
    }

  if (is_named_by_user)
    origin = get_named_origin (self, file, question, owner);
  if (!self->wants_confirmation || is_confirmed (self, file, question))
    take_facts (self, file, origin, question, draft);

  return TRUE;
}

/* --- what a file is called --- */

static gboolean
is_about (const JmPathMatch *told, const JmPathMatch *job)
{
  static const JmPathField names[] = { JM_PATH_FIELD_JOB, JM_PATH_FIELD_KEY };

  for (guint i = 0; i < G_N_ELEMENTS (names); i++)
    if (told->fields[names[i]] != NULL &&
        g_strcmp0 (told->fields[names[i]], job->fields[names[i]]) != 0)
      return FALSE;

  return TRUE;
}

static gboolean
take_name (const Place *place,
           const JmLookupQuestion *question,
           const char *name,
           JmJobDraft *draft)
{
  g_auto (JmPathMatch) told = { 0 };

  if (!jm_path_pattern_match (place->name, (JmSlice){ name, strlen (name) }, &told) ||
      !is_about (&told, question->match))
    return FALSE;

  jm_job_draft_set (draft, JM_JOB_FIELD_ACCOUNT, JM_ORIGIN_HOOK,
                    told.fields[JM_PATH_FIELD_ACCOUNT], -1);
  jm_job_draft_set (draft, JM_JOB_FIELD_NAME, JM_ORIGIN_HOOK,
                    told.fields[JM_PATH_FIELD_NAME], -1);

  return TRUE;
}

static gboolean
take_directory (const Place *place,
                const JmLookupQuestion *question,
                JmJobDraft *draft,
                GError **error)
{
  g_autofree char *path = jm_path_pattern_fill (place->path, question->match);
  g_auto (GStrv) names = NULL;

  if (path == NULL || !jm_property_directory_check (question->host, path, error))
    return FALSE;

  names = jm_host_list_dir (question->host, path, error);
  for (guint i = 0; names != NULL && names[i] != NULL && i < NAMES_MAX; i++)
    if (take_name (place, question, names[i], draft))
      return TRUE;

  return FALSE;
}

/* --- asking --- */

static gboolean
ask_own (const JmLookup *self,
         const Place *place,
         JmLookupQuestion *question,
         JmJobDraft *draft,
         GError **error)
{
  g_autofree char *path = NULL;

  if (question->folder == NULL)
    return FALSE;

  path = g_strconcat (question->folder, "/", place->own, NULL);

  return take_file (self, question, path, FALSE, draft, error);
}

static gboolean
ask_variable (const JmLookup *self,
              const Place *place,
              JmLookupQuestion *question,
              JmJobDraft *draft,
              GError **error)
{
  g_autofree char *path = NULL;
  const char *text;
  gsize length;
  JmSlice value;

  if (question->process == NULL)
    return FALSE;

  text = jm_job_process_get_environ (question->process, &length);
  if (!jm_parse_environ (text, length, place->variable, &value) || value.length == 0 ||
      value.text[0] != '/')
    return FALSE;

  path = g_strdup_printf ("%.*s%s", (int) value.length, value.text, place->rest);

  return take_file (self, question, path, TRUE, draft, error);
}

static gboolean
ask_path (const JmLookup *self,
          const Place *place,
          JmLookupQuestion *question,
          JmJobDraft *draft,
          GError **error)
{
  g_autofree char *directory = jm_path_pattern_fill (place->path, question->match);
  g_autofree char *name = jm_path_pattern_fill (place->name, question->match);
  g_autofree char *path = NULL;

  if (directory == NULL || name == NULL)
    return FALSE;

  path = g_strconcat (directory, "/", name, NULL);

  return take_file (self, question, path, FALSE, draft, error);
}

static gboolean
ask_place (const JmLookup *self,
           const Place *place,
           JmLookupQuestion *question,
           JmJobDraft *draft,
           GError **error)
{
  if (place->own != NULL)
    return ask_own (self, place, question, draft, error);
  if (place->variable != NULL)
    return ask_variable (self, place, question, draft, error);
  if (self->format == JM_LOOKUP_NAMES)
    return take_directory (place, question, draft, error);

  return ask_path (self, place, question, draft, error);
}

/**
 * jm_lookup_ask: (skip)
 * @self: a look-up
 * @question: which job is asked about
 * @draft: takes what is reported, and may be
 * @error: return location for an error
 *
 * Asks the first file that there is. Look-ups are asked in their order: one may want to
 * be confirmed by one before it.
 *
 * - Errors: `DENIED` for one that may not be read, or that a stranger could have
 *   written; `MALFORMED` for one of more than 256 KiB.
 *
 * Returns: %FALSE with @error set, where a file is there that does not count; %TRUE
 *   also where there is none
 */
gboolean
jm_lookup_ask (const JmLookup *self,
               JmLookupQuestion *question,
               JmJobDraft *draft,
               GError **error)
{
  for (guint i = 0; i < self->places->len; i++)
    {
      g_autoptr (GError) problem = NULL;

      if (ask_place (self, self->places->pdata[i], question, draft, &problem))
        return TRUE;
      if (problem != NULL && !g_error_matches (problem, JM_ERROR, JM_ERROR_ABSENT))
        {
          g_propagate_error (error, g_steal_pointer (&problem));
          return FALSE;
        }
    }

  return TRUE;
}
