/* jm-owid-provider.c: what electricity emits in a country in a year
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "sources/emissions/jm-emission-types-private.h"

#include "base/jm-error.h"
#include "base/jm-json-private.h"
#include "base/jm-parse-private.h"
#include "host/jm-data-private.h"
#include "host/jm-source-private.h"
#include "sources/emissions/jm-emission-claim-private.h"
#include "sources/emissions/jm-emission-parsers-private.h"

#define NAME "owid"
#define TABLE_PATH "emissions/owid.csv"
#define TABLE_MAX_BYTES (256 * 1024)
#define FIRST_YEAR 1900
#define LAST_YEAR 2200

/* What a kilowatt-hour made in a country emits over the life cycle, as an average over
 * a year: a table that comes with jobmetrics, of figures by Ember and the Energy
 * Institute that Our World in Data has put together.
 *
 * - Errors: `ABSENT` where the table has no such country, or there is no table;
 *   `INVALID` where JmOwidProvider:zone is no code.
 * - Source: `/etc/jobmetrics/emissions/owid.csv`, else the table that is built in. */
struct _JmOwidProvider
{
  JmSource parent_instance;
  char *zone;
  char *table;
  JmEmissionFactor *factor;
};

/* The columns of a line. */
enum
{
  COLUMN_CODE,
  COLUMN_SHORT_CODE,
  COLUMN_COUNTRY,
  COLUMN_YEAR,
  COLUMN_FACTOR,
  N_COLUMNS
};

static void emission_provider_iface_init (JmEmissionProviderInterface *iface);

G_DEFINE_FINAL_TYPE_WITH_CODE (JmOwidProvider,
                               jm_owid_provider,
                               JM_TYPE_SOURCE,
                               G_IMPLEMENT_INTERFACE (JM_TYPE_EMISSION_PROVIDER,
                                                      emission_provider_iface_init))

static gint64
get_new_year_us (guint year)
{
  g_autoptr (GDateTime) time = g_date_time_new_utc ((int) year, 1, 1, 0, 0, 0);

  return g_date_time_to_unix (time) * G_USEC_PER_SEC;
}

static JmEmissionFactor *
parse_columns (char **columns)
{
  char *end;
  double grams;
  guint64 year;

  if (g_strv_length (columns) != N_COLUMNS || *columns[COLUMN_FACTOR] == '\0' ||
      !g_ascii_string_to_unsigned (columns[COLUMN_YEAR], 10, FIRST_YEAR, LAST_YEAR,
                                   &year, NULL))
    return NULL;

  grams = g_ascii_strtod (columns[COLUMN_FACTOR], &end);
  if (*end != '\0')
    return NULL;

  return jm_emission_factor_new (NAME, columns[COLUMN_SHORT_CODE], grams,
                                 JM_EMISSION_METHOD_AVERAGE,
                                 JM_EMISSION_SCOPE_LIFECYCLE,
                                 JM_EMISSION_QUALITY_STATISTIC,
                                 get_new_year_us ((guint) year),
                                 get_new_year_us ((guint) year + 1));
}

static gboolean
is_of (char **columns, const char *zone)
{
  return g_strv_length (columns) > COLUMN_SHORT_CODE &&
         (g_ascii_strcasecmp (columns[COLUMN_CODE], zone) == 0 ||
          g_ascii_strcasecmp (columns[COLUMN_SHORT_CODE], zone) == 0);
}

JmEmissionFactor *
jm_owid_parse (const char *table, gsize length, const char *zone, GError **error)
{
  const char *cursor = table;
  JmSlice line;

  while (jm_parse_next_line (&cursor, table + length, &line))
    {
      g_autofree char *text = g_strndup (line.text, line.length);
      g_auto (GStrv) columns = g_strsplit (text, ",", N_COLUMNS + 1);
      g_autofree char *quote = NULL;
      JmEmissionFactor *factor;

      if (*text == '#' || !is_of (columns, zone))
        continue;
      factor = parse_columns (columns);
      if (factor != NULL)
        return factor;

      quote = jm_json_quote (line.text, line.length);
      g_set_error (error, JM_ERROR, JM_ERROR_MALFORMED,
                   NAME ": not a line of the table: %s", quote);
      return NULL;
    }

  g_set_error (error, JM_ERROR, JM_ERROR_ABSENT,
               NAME ": the table has no country with the code %s", zone);

  return NULL;
}

static JmDataFile *
find_table (JmOwidProvider *self, GError **error)
{
  /* a table that a setting names is where the program runs, whatever node it looks at
   */
  g_autoptr (JmHost) here = jm_host_new (NULL);

  if (self->table != NULL)
    return jm_data_file_new (here, self->table);

  return jm_data_find (jm_source_get_host (JM_SOURCE (self)), TABLE_PATH, error);
}

static gboolean
jm_owid_provider_open (JmSource *source, GError **error)
{
  JmOwidProvider *self = JM_OWID_PROVIDER (source);
  g_autoptr (JmDataFile) file = NULL;
  g_autoptr (GBytes) bytes = NULL;
  gsize length;
  const char *table;

  if (!jm_emission_check_word (NAME, "zone", self->zone, error))
    return FALSE;

  file = find_table (self, error);
  bytes = file != NULL ? jm_data_file_read (file, TABLE_MAX_BYTES, error) : NULL;
  if (bytes == NULL)
    return FALSE;

  table = g_bytes_get_data (bytes, &length);
  self->factor = jm_owid_parse (length > 0 ? table : "", length, self->zone, error);

  return self->factor != NULL;
}

static JmEmissionFactor *
jm_owid_provider_fetch (JmEmissionProvider *provider,
                        GCancellable *cancellable,
                        GError **error)
{
  return jm_emission_factor_ref (JM_OWID_PROVIDER (provider)->factor);
}

static guint
jm_owid_provider_get_interval (JmEmissionProvider *provider)
{
  return 0;
}

static void
emission_provider_iface_init (JmEmissionProviderInterface *iface)
{
  iface->fetch = jm_owid_provider_fetch;
  iface->get_interval = jm_owid_provider_get_interval;
}

static void
jm_owid_provider_finalize (GObject *object)
{
  JmOwidProvider *self = JM_OWID_PROVIDER (object);

  g_clear_pointer (&self->factor, jm_emission_factor_unref);

  G_OBJECT_CLASS (jm_owid_provider_parent_class)->finalize (object);
}

static void
jm_owid_provider_class_init (JmOwidProviderClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);

  object_class->finalize = jm_owid_provider_finalize;
  JM_SOURCE_CLASS (klass)->open = jm_owid_provider_open;

  /* The country: its code of two or three letters by ISO 3166-1, such as `FR`. */
  jm_source_class_add_text (object_class, "zone",
                            G_STRUCT_OFFSET (JmOwidProvider, zone), NULL);

  /* A table of one's own, of the same columns: code, code of two letters, country,
   * year, grams per kilowatt-hour. By default the one that comes with jobmetrics. */
  jm_source_class_add_text (object_class, "table",
                            G_STRUCT_OFFSET (JmOwidProvider, table), NULL);
}

static void
jm_owid_provider_init (JmOwidProvider *self)
{
}
