/* jm-energy-file.c: energy accounts that other programs read
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "node/energy/jm-energy-file-private.h"

#include <gio/gio.h>
#include <glib/gstdio.h>
#include <sys/stat.h>

#include "base/jm-bounded-read-private.h"
#include "base/jm-error.h"
#include "base/jm-json-private.h"
#include "base/jm-json-writer-private.h"
#include "base/jm-path-error-private.h"

#define VERSION 2
/* Some thousands of jobs. */
#define MAX_SIZE (16 * 1024 * 1024)
#define MODE 0644
/* What no node reaches, and a double still holds to the unit. */
#define MAX_NUMBER 9007199254740992.0

static const char *const methods[] = { "average", "marginal" };
static const char *const qualities[] = { JM_QUALITY_MEASURED, JM_QUALITY_ESTIMATED };

/* --- writing --- */

static void
write_kinds (JmJsonWriter *json, const char *name, guint32 bits, const gint64 *values)
{
  jm_json_writer_begin_object (json, name);
  for (guint i = 0; i < JM_N_ENERGY_KINDS; i++)
    {
      if (i % JM_N_ENERGY_PARTS == 0)
        jm_json_writer_begin_object (json, jm_energy_kind_get_quality (i));
      if ((bits >> i & 1) != 0)
        jm_json_writer_add_int (json, jm_energy_kind_get_part (i), values[i]);
      if ((i + 1) % JM_N_ENERGY_PARTS == 0)
        jm_json_writer_end_object (json);
    }
  jm_json_writer_end_object (json);
}

static void
write_emissions (JmJsonWriter *json, const JmEnergyAccount *account)
{
  jm_json_writer_begin_object (json, "emissions_ug");
  for (guint i = 0; i < G_N_ELEMENTS (methods); i++)
    {
      jm_json_writer_begin_object (json, methods[i]);
      for (guint j = 0; j < G_N_ELEMENTS (qualities); j++)
        if (account->has_emissions[i][j])
          jm_json_writer_add_double (json, qualities[j], account->emissions_ug[i][j]);
      jm_json_writer_end_object (json);
    }
  jm_json_writer_end_object (json);
}

static void
write_share (JmJsonWriter *json, const JmFactorShare *share)
{
  const JmMetricInfo *info = jm_metric_get_info (JM_METRIC_EMISSIONS_BY_FACTOR);

  jm_json_writer_begin_object (json, NULL);
  for (guint i = 0; i < info->n_labels; i++)
    jm_json_writer_add_text (json, info->labels[i],
                             jm_labels_get_value (share->labels, i));
  jm_json_writer_add_double (json, "emissions_ug", share->emissions_ug);
  jm_json_writer_end_object (json);
}

static void
write_account (JmJsonWriter *json, const char *name, const JmEnergyAccount *account)
{
  jm_json_writer_begin_object (json, name);
  if (account->alias != NULL)
    {
      jm_json_writer_add_text (json, "job", account->alias);
      jm_json_writer_add_int (json, "start_us", account->start_us);
    }
  write_kinds (json, "energy_uj", account->known, (const gint64 *) account->energy_uj);
  write_kinds (json, "covered_us", account->known, account->covered_us);
  jm_json_writer_add_int (json, "round_us", account->round_us);
  write_kinds (json, "round_uj", account->whole, (const gint64 *) account->round_uj);
  write_emissions (json, account);
  jm_json_writer_begin_array (json, "by_factor");
  for (guint i = 0; account->by_factor != NULL && i < account->by_factor->len; i++)
    write_share (json, &g_array_index (account->by_factor, JmFactorShare, i));
  jm_json_writer_end_array (json);
  jm_json_writer_end_object (json);
}

gboolean
jm_energy_file_save (const char *path,
                     GHashTable *accounts,
                     gint64 time_us,
                     GError **error)
{
  g_autoptr (GString) text = g_string_new (NULL);
  JmJsonWriter json = { .out = text };
  GHashTableIter iter;
  gpointer name, account;

  jm_json_writer_begin_object (&json, NULL);
  jm_json_writer_add_int (&json, "version", VERSION);
  jm_json_writer_add_int (&json, "time_us", time_us);
  jm_json_writer_begin_object (&json, "accounts");
  g_hash_table_iter_init (&iter, accounts);
  while (g_hash_table_iter_next (&iter, &name, &account))
    write_account (&json, name, account);
  jm_json_writer_end_object (&json);
  jm_json_writer_end_object (&json);

  if (!g_file_set_contents_full (path, text->str, (gssize) text->len,
                                 G_FILE_SET_CONTENTS_CONSISTENT, MODE, error))
    return FALSE;

  /* whatever the daemon's umask is: who may see /metrics may see this */
  g_chmod (path, MODE);

  return TRUE;
}

/* --- reading --- */

static gboolean
get_number (JsonNode *parent, const char *name, double *number)
{
  return jm_json_get_number (parent, name, number) && *number >= 0 &&
         *number <= MAX_NUMBER;
}

static gboolean
has (JsonNode *parent, const char *name)
{
  return jm_json_get (parent, name) != NULL;
}

/* Names that are not of a kind are of a version to come. */
static gboolean
read_kinds (JsonNode *parent, const char *name, guint32 *bits, gint64 *values)
{
  JsonNode *kinds = jm_json_get (parent, name);

  if (kinds == NULL)
    return FALSE;

  for (guint i = 0; i < JM_N_ENERGY_KINDS; i++)
    {
      JsonNode *parts = jm_json_get (kinds, jm_energy_kind_get_quality (i));
      double number;

      if (parts == NULL || !has (parts, jm_energy_kind_get_part (i)))
        continue;
      if (!get_number (parts, jm_energy_kind_get_part (i), &number))
        return FALSE;

      values[i] = (gint64) number;
      *bits |= 1u << i;
    }

  return TRUE;
}

static gboolean
read_emissions (JsonNode *parent, JmEnergyAccount *account)
{
  JsonNode *emissions = jm_json_get (parent, "emissions_ug");

  if (emissions == NULL)
    return FALSE;

  for (guint i = 0; i < G_N_ELEMENTS (methods); i++)
    {
      JsonNode *method = jm_json_get (emissions, methods[i]);

      for (guint j = 0; method != NULL && j < G_N_ELEMENTS (qualities); j++)
        {
          if (!has (method, qualities[j]))
            continue;
          if (!get_number (method, qualities[j], &account->emissions_ug[i][j]))
            return FALSE;
          account->has_emissions[i][j] = TRUE;
        }
    }

  return TRUE;
}

static GList *
list_members (JsonNode *node)
{
  return node != NULL && JSON_NODE_HOLDS_OBJECT (node)
           ? json_object_get_members (json_node_get_object (node))
           : NULL;
}

static JmLabels *
read_labels (JsonNode *share)
{
  const JmMetricInfo *info = jm_metric_get_info (JM_METRIC_EMISSIONS_BY_FACTOR);
  g_autoptr (GStrvBuilder) values = g_strv_builder_new ();
  g_auto (GStrv) all = NULL;

  for (guint i = 0; i < info->n_labels; i++)
    {
      const char *value = jm_json_get_string (share, info->labels[i]);

      if (value == NULL)
        return NULL;
      g_strv_builder_add (values, value);
    }

  all = g_strv_builder_end (values);

  return jm_labels_new ((const char *const *) all);
}

static gboolean
read_share (JsonNode *share, JmEnergyAccount *account)
{
  g_autoptr (JmLabels) labels = read_labels (share);
  double emissions_ug;

  if (labels == NULL || !get_number (share, "emissions_ug", &emissions_ug))
    return FALSE;

  jm_energy_account_add_factor (account, labels, emissions_ug);

  return TRUE;
}

static gboolean
read_factors (JsonNode *parent, JmEnergyAccount *account)
{
  JsonNode *factors = jm_json_get (parent, "by_factor");
  JsonArray *shares;

  if (factors == NULL || !JSON_NODE_HOLDS_ARRAY (factors))
    return FALSE;

  shares = json_node_get_array (factors);
  for (guint i = 0; i < json_array_get_length (shares); i++)
    if (!read_share (json_array_get_element (shares, i), account))
      return FALSE;

  return TRUE;
}

static JmEnergyAccount *
read_account (JsonNode *object)
{
  JmEnergyAccount *account = jm_energy_account_new (0);
  guint32 ignored = 0;
  double round_us = 0;
  double start_us = 0;

  if (read_kinds (object, "energy_uj", &account->known,
                  (gint64 *) account->energy_uj) &&
      read_kinds (object, "covered_us", &ignored, account->covered_us) &&
      read_kinds (object, "round_uj", &account->whole, (gint64 *) account->round_uj) &&
      get_number (object, "round_us", &round_us) && read_emissions (object, account) &&
      read_factors (object, account))
    {
      account->round_us = (gint64) round_us;
      account->alias = g_strdup (jm_json_get_string (object, "job"));
      if (get_number (object, "start_us", &start_us))
        account->start_us = (gint64) start_us;
      return account;
    }

  jm_energy_account_free (account);

  return NULL;
}

static gboolean
read_accounts (JsonNode *object, GHashTable *accounts)
{
  g_autoptr (GList) names = list_members (object);

  for (GList *i = names; i != NULL; i = i->next)
    {
      JmEnergyAccount *account = read_account (jm_json_get (object, i->data));

      if (account == NULL)
        return FALSE;
      g_hash_table_insert (accounts, g_strdup (i->data), account);
    }

  return TRUE;
}

static gboolean
read_document (JsonNode *document, GHashTable *accounts, gint64 *time_us)
{
  JsonNode *object = jm_json_get (document, "accounts");
  double version, time;

  if (object == NULL || !JSON_NODE_HOLDS_OBJECT (object) ||
      !get_number (document, "version", &version) || version != VERSION ||
      !get_number (document, "time_us", &time))
    return FALSE;

  *time_us = (gint64) time;

  return read_accounts (object, accounts);
}

static void
move_all (GHashTable *from, GHashTable *to)
{
  GHashTableIter iter;
  gpointer name, account;

  g_hash_table_iter_init (&iter, from);
  while (g_hash_table_iter_next (&iter, &name, &account))
    {
      g_hash_table_iter_steal (&iter);
      g_hash_table_insert (to, name, account);
    }
}

gboolean
jm_energy_file_parse (const char *text,
                      gsize length,
                      GHashTable *accounts,
                      gint64 *time_us)
{
  g_autoptr (JsonNode) document = jm_json_parse (text, length);
  g_autoptr (GHashTable) read =
    g_hash_table_new_full (g_str_hash, g_str_equal, g_free,
                           (GDestroyNotify) jm_energy_account_free);

  if (document == NULL || !read_document (document, read, time_us))
    return FALSE;

  move_all (read, accounts);

  return TRUE;
}

gboolean
jm_energy_file_load (const char *path,
                     GHashTable *accounts,
                     gint64 *time_us,
                     GError **error)
{
  g_autoptr (GBytes) bytes = jm_bounded_read_file (path, MAX_SIZE, error);
  const char *text;
  gsize length;

  if (bytes == NULL)
    return FALSE;

  text = g_bytes_get_data (bytes, &length);
  if (text != NULL && jm_energy_file_parse (text, length, accounts, time_us))
    return TRUE;

  jm_path_error_set_malformed (error, path, "not a file of energy accounts",
                               text != NULL ? text : "", length);

  return FALSE;
}

const char *
jm_energy_file_find (char **paths, JmEnergyFileVersion *version)
{
  struct stat status;

  for (char **i = paths; *i != NULL; i++)
    if (stat (*i, &status) == 0)
      {
        *version = (JmEnergyFileVersion){
          status.st_ino,
          (gint64) status.st_mtim.tv_sec * 1000000000 + status.st_mtim.tv_nsec,
        };
        return *i;
      }

  return NULL;
}
