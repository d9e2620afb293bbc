/* jme-ledger-page.c: the ledger's records for collectors and users
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include "node/jme-node-answers.h"

#include <grp.h>
#include <string.h>
#include <unistd.h>

#include "base/jm-error.h"
#include "node/jme-node-ledger.h"
#include "node/ledger/jm-ledger.h"
#include "web/jme-user.h"

/* More than any name service needs for a group of thousands. */
#define GROUP_BYTES (1024 * 1024)
#define MAX_GROUPS 65536

#define READERS "ledger.readers"
/* Records that are held in memory at once, and bytes after which a page ends. */
#define RECORDS_AT_ONCE 50

/* One page in the making. */
typedef struct
{
  JmLedger *ledger;
  JmeLedgerQuery *query;
  GCancellable *cancellable;
  GString *text;
  guint n_records;
  guint64 next;
  gboolean has_more;
  GPtrArray *newest; /* of char *: records, the last first; NULL where none is wanted */
  gsize n_bytes;     /* of them */
  gboolean is_cut;   /* not all of them that were wanted are in it */
} Page;

static const JmSetting readers = {
  .name = READERS,
  .group = "ledger",
  .kind = JM_SETTING_TEXT,
  .argument = "USER,@GROUP",
  .help =
    "Users and groups who read everybody's records over the local socket, beside root",
  .preset_help = "each user reads their own",
};

static gboolean
find_group (const char *name, gid_t *gid)
{
  g_autofree char *buffer = g_malloc (GROUP_BYTES);
  struct group entry, *found = NULL;

  if (getgrnam_r (name, &entry, buffer, GROUP_BYTES, &found) != 0 || found == NULL)
    return FALSE;

  *gid = entry.gr_gid;

  return TRUE;
}

static gboolean
is_member (const char *user, gid_t own, const char *name)
{
  g_autofree gid_t *groups = g_new (gid_t, MAX_GROUPS);
  int n_groups = MAX_GROUPS;
  gid_t gid;

  if (!find_group (name, &gid) || getgrouplist (user, own, groups, &n_groups) < 0)
    return FALSE;

  for (int i = 0; i < n_groups; i++)
    if (groups[i] == gid)
      return TRUE;

  return FALSE;
}

/* Whether @list, `USER,...,@GROUP` or NULL, has a user by name, number, or a group.
 * Name services are asked, which may take their time. */
static gboolean
ledger_readers_have (const char *list, guint uid)
{
  g_auto (GStrv) words = list != NULL ? g_strsplit (list, ",", -1) : NULL;
  g_autofree char *number = g_strdup_printf ("%u", uid);
  gid_t gid = 0;
  g_autofree char *name =
    words != NULL && words[0] != NULL ? jme_user_find_name (uid, &gid) : NULL;

  for (char **word = words; word != NULL && *word != NULL; word++)
    {
      const char *reader = g_strstrip (*word);

      if (*reader == '@'
            ? name != NULL && is_member (name, gid, reader + 1)
            : g_str_equal (reader, number) || g_strcmp0 (reader, name) == 0)
        return TRUE;
    }

  return FALSE;
}

void
jme_ledger_page_add_settings (JmSettings *settings)
{
  jm_settings_add (settings, &readers);
}

void
jme_ledger_page_init (JmeLedgerPage *self, const char *path, const JmSettings *settings)
{
  self->path = path;
  self->readers = jm_settings_get_text (settings, READERS);
}

/* --- the question --- */

static gboolean
read_query (JmeLedgerQuery *query, JmeRequest *request, GError **error)
{
  const char *const *names = jme_ledger_query_list_names ();

  for (; *names != NULL; names++)
    {
      g_auto (GStrv) values = jme_request_get_values (request, *names);

      if (values[0] != NULL && values[1] != NULL)
        {
          g_set_error (error, JM_ERROR, JM_ERROR_INVALID, "%s=%s: there already",
                       *names, values[1]);
          return FALSE;
        }
      if (values[0] != NULL && !jme_ledger_query_take (query, *names, values[0], error))
        return FALSE;
    }

  return TRUE;
}

/* Whoever comes over the network is known to web.yml, which has no users of this
 * machine: that is a collector, and reads all. */
static void
confine (JmeLedgerQuery *query, const char *list, JmeRequest *request)
{
  guint uid;

  if (jme_request_get_peer (request, &uid, NULL) && uid != 0 && uid != geteuid () &&
      !ledger_readers_have (list, uid))
    jm_ledger_filter_set_uid (query->filter, uid);
}

/* --- the answer --- */

static void
append_json (Page *self, const char *json)
{
  g_string_append_printf (self->text, "%s%s", self->n_records > 0 ? ",\n" : "", json);
  self->n_records++;
}

/* One that no reader would take is left out: the figures of the others are read. */
static void
append_record (Page *self, JmJobRecord *record)
{
  g_autofree char *json = jm_record_json_format (record);

  if (strlen (json) <= JM_RECORD_JSON_MAX_BYTES)
    append_json (self, json);
  else
    g_warning ("%s: the record has %" G_GSIZE_FORMAT " bytes, too many to be served",
               jm_job_record_get_key (record), strlen (json));
}

/* FALSE where the page is full. */
static gboolean
add_record (Page *self, JmJobRecord *record)
{
  if (self->n_records == self->query->limit || self->text->len >= JM_LEDGER_PAGE_BYTES)
    {
      self->has_more = TRUE;
      return FALSE;
    }

  append_record (self, record);
  self->next = jm_job_record_get_position (record);

  return TRUE;
}

/* FALSE at the end of the page, or of the ledger. */
static gboolean
add_some (Page *self, gboolean *is_over, GError **error)
{
  g_autoptr (GPtrArray) records = NULL;

  jm_ledger_filter_set_after (self->query->filter, self->next);
  jm_ledger_filter_set_limit (self->query->filter, RECORDS_AT_ONCE);
  records =
    jm_ledger_list (self->ledger, self->query->filter, self->cancellable, error);
  if (records == NULL)
    return FALSE;

  *is_over = records->len == 0;
  for (guint i = 0; i < records->len && !*is_over; i++)
    *is_over = !add_record (self, records->pdata[i]);

  return TRUE;
}

/* What was recorded last before anything was read has been looked at by the end, so the
 * next page begins behind it, whatever was passed over. */
static gboolean
fill (Page *self, GError **error)
{
  g_autoptr (GError) local_error = NULL;
  guint64 last = jm_ledger_get_last_position (self->ledger, &local_error);
  gboolean is_over = FALSE;

  if (local_error != NULL)
    {
      g_propagate_error (error, g_steal_pointer (&local_error));
      return FALSE;
    }

  /* Of another ledger, of a clock that was ahead: all is sent again rather than none.
   */
  self->next = self->query->after > last ? 0 : self->query->after;
  while (!is_over)
    if (!add_some (self, &is_over, error))
      return FALSE;
  if (!self->has_more)
    self->next = MAX (self->next, last);

  return TRUE;
}

/* What runs has no position to go on behind: all of it is one page, and as little as a
 * node has jobs at once. */
static gboolean
fill_with_running (Page *self, GError **error)
{
  g_autoptr (GPtrArray) records =
    jm_ledger_list (self->ledger, self->query->filter, self->cancellable, error);

  if (records == NULL)
    return FALSE;

  for (guint i = 0; i < MIN (records->len, JM_LEDGER_PAGE_RECORDS) &&
                    self->text->len < JM_LEDGER_PAGE_BYTES;
       i++)
    append_record (self, records->pdata[i]);
  self->next = self->query->after;

  return TRUE;
}

/* FALSE where the page is full. */
static gboolean
add_newest (Page *self, JmJobRecord *record)
{
  char *json;

  if (self->newest->len == JM_LEDGER_PAGE_RECORDS ||
      self->n_bytes >= JM_LEDGER_PAGE_BYTES)
    {
      self->is_cut = TRUE;
      return FALSE;
    }

  json = jm_record_json_format (record);
  self->n_bytes += strlen (json);
  g_ptr_array_add (self->newest, json);

  return TRUE;
}

/* FALSE at the end of the page, or at the begin of the ledger. */
static gboolean
add_some_newest (Page *self, gboolean *is_over, GError **error)
{
  const guint n_wanted = self->query->newest - self->newest->len;
  g_autoptr (GPtrArray) records = NULL;

  jm_ledger_filter_set_limit (self->query->filter, MIN (n_wanted, RECORDS_AT_ONCE));
  records =
    jm_ledger_list (self->ledger, self->query->filter, self->cancellable, error);
  if (records == NULL)
    return FALSE;

  *is_over = records->len == 0;
  for (guint i = records->len; i > 0 && !*is_over; i--)
    *is_over = !add_newest (self, records->pdata[i - 1]);
  if (records->len > 0)
    jm_ledger_filter_set_before (self->query->filter,
                                 jm_job_record_get_position (records->pdata[0]));

  return TRUE;
}

/* From the last on backward, some at once, in the order of any page. */
static gboolean
fill_with_newest (Page *self, GError **error)
{
  gboolean is_over = FALSE;

  jm_ledger_filter_set_before (self->query->filter, G_MAXINT64);
  while (!is_over && self->newest->len < self->query->newest)
    if (!add_some_newest (self, &is_over, error))
      return FALSE;

  for (guint i = self->newest->len; i > 0; i--)
    append_json (self, self->newest->pdata[i - 1]);

  return TRUE;
}

/* Who goes on behind these gets what is recorded since. */
static gboolean
fill_newest (Page *self, GError **error)
{
  g_autoptr (GError) local_error = NULL;

  self->next = jm_ledger_get_last_position (self->ledger, &local_error);
  if (local_error != NULL)
    {
      g_propagate_error (error, g_steal_pointer (&local_error));
      return FALSE;
    }

  return fill_with_newest (self, error);
}

static gboolean
fill_page (Page *self, GError **error)
{
  if (self->query->is_running)
    return fill_with_running (self, error);

  return self->newest != NULL ? fill_newest (self, error) : fill (self, error);
}

static void
reply (JmeRequest *request, GString *text)
{
  g_autoptr (GBytes) body = g_string_free_to_bytes (text);

  jme_request_set_header (request, "Cache-Control", "no-store");
  jme_request_reply (request, 200, "application/json", body);
}

static void
refuse (JmeRequest *request, guint status, const GError *error)
{
  g_autofree char *text = g_strdup_printf ("%u: %s\n", status, error->message);

  jme_request_reply_text (request, status, text);
}

/* That newest was taken is said, for older versions pass over what they do not know. */
static void
append_end (Page *self)
{
  g_string_append_printf (self->text,
                          "],\n\"next\": %" G_GUINT64_FORMAT ", \"more\": %s",
                          self->next, self->has_more ? "true" : "false");
  if (self->newest != NULL)
    g_string_append_printf (self->text, ", \"newest\": %u, \"cut\": %s",
                            self->query->newest, self->is_cut ? "true" : "false");
  g_string_append (self->text, "}\n");
}

static void
answer (const char *path, JmeLedgerQuery *query, JmeRequest *request)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (JmLedger) ledger = jm_ledger_open (path, &error);
  g_autoptr (GString) text = g_string_new ("{\"records\": [");
  g_autoptr (GPtrArray) newest = g_ptr_array_new_with_free_func (g_free);
  Page page = { ledger, query, jme_request_get_cancellable (request), text };

  if (query->newest > 0 && !query->is_running)
    page.newest = newest;

  if (ledger == NULL || !fill_page (&page, &error))
    {
      g_debug ("the ledger cannot be read: %s", error->message);
      refuse (request, 503, error);
      return;
    }

  append_end (&page);
  reply (request, g_steal_pointer (&text));
}

void
jme_ledger_page_answer (const JmeLedgerPage *self, JmeRequest *request)
{
  g_auto (JmeLedgerQuery) query = { 0 };
  g_autoptr (GError) error = NULL;

  jme_ledger_query_init (&query);
  if (self->path == NULL)
    {
      jme_request_reply_text (request, 404, JME_LEDGER_NONE);
      return;
    }
  if (!read_query (&query, request, &error))
    {
      refuse (request, 400, error);
      return;
    }

  confine (&query, self->readers, request);
  answer (self->path, &query, request);
}
