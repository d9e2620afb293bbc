/* test-protobuf-exposition.c: the text that scrapers get, as protobuf
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include "expose/jm-protobuf-exposition-private.h"

#include <math.h>
#include <string.h>

#include "base/jm-error.h"
#include "expose/jm-exposition-reader-private.h"
#include "expose/jm-text-encoder.h"
#include "expose/metric-family.pb-c.h"
#include "jm-snapshot-builder.h"

#define MAX_VARINT_BITS 35

static void
free_family (gpointer family)
{
  exposition__metric_family__free_unpacked (family, NULL);
}

static gsize
take_length (const guint8 **cursor, const guint8 *end)
{
  gsize length = 0;

  for (guint shift = 0; shift < MAX_VARINT_BITS; shift += 7)
    {
      g_assert_true (*cursor < end);
      length |= (gsize) (**cursor & 0x7f) << shift;
      if (*(*cursor)++ < 0x80)
        return length;
    }

  g_assert_not_reached ();
}

/* Of Exposition__MetricFamily. */
static GPtrArray *
decode (GBytes *encoded)
{
  GPtrArray *families = g_ptr_array_new_with_free_func (free_family);
  gsize size;
  const guint8 *cursor = g_bytes_get_data (encoded, &size);
  const guint8 *end = cursor + size;

  while (cursor < end)
    {
      gsize length = take_length (&cursor, end);
      Exposition__MetricFamily *family;

      g_assert_cmpuint (length, <=, end - cursor);
      family = exposition__metric_family__unpack (NULL, length, cursor);
      g_assert_nonnull (family);
      g_ptr_array_add (families, family);
      cursor += length;
    }

  return families;
}

static GBytes *
encode (const char *text)
{
  g_autoptr (GError) error = NULL;
  GBytes *encoded = jm_protobuf_exposition_encode (text, strlen (text), &error);

  g_assert_no_error (error);

  return encoded;
}

static const char *
type_name (const Exposition__MetricFamily *family)
{
  g_assert_true (family->has_type);
  switch (family->type)
    {
    case EXPOSITION__METRIC_TYPE__COUNTER:
      return "counter";
    case EXPOSITION__METRIC_TYPE__GAUGE:
      return "gauge";
    case EXPOSITION__METRIC_TYPE__UNTYPED:
      return "untyped";
    default:
      g_assert_not_reached ();
    }
}

/* It has the one that goes with the type, and no other. */
static double
get_value (const Exposition__MetricFamily *family, const Exposition__Metric *metric)
{
  g_assert_cmpint ((metric->counter != NULL) + (metric->gauge != NULL) +
                     (metric->untyped != NULL),
                   ==, 1);
  if (family->type == EXPOSITION__METRIC_TYPE__COUNTER)
    return metric->counter->value;
  if (family->type == EXPOSITION__METRIC_TYPE__GAUGE)
    return metric->gauge->value;

  return metric->untyped->value;
}

static void
assert_same_labels (const Exposition__Metric *metric, const JmExpositionSample *sample)
{
  gsize n = 0;

  for (guint i = 0; i < sample->n_labels; i++)
    {
      if (*sample->labels[i].value == '\0')
        continue;
      g_assert_cmpuint (n, <, metric->n_label);
      g_assert_cmpstr (metric->label[n]->name, ==, sample->labels[i].name);
      g_assert_cmpstr (metric->label[n]->value, ==, sample->labels[i].value);
      n++;
    }
  g_assert_cmpuint (n, ==, metric->n_label);
}

static void
assert_same_sample (const Exposition__MetricFamily *family,
                    const Exposition__Metric *metric,
                    const JmExpositionSample *sample)
{
  double value = get_value (family, metric);

  g_assert_cmpstr (family->name, ==, sample->name);
  g_assert_cmpstr (family->help, ==, *sample->help != '\0' ? sample->help : NULL);
  g_assert_cmpstr (type_name (family), ==,
                   *sample->type != '\0' ? sample->type : "untyped");
  assert_same_labels (metric, sample);
  g_assert_true (isnan (sample->value) ? isnan (value) : value == sample->value);
}

static void
assert_next (JmExpositionReader *reader, JmExpositionSample *sample)
{
  g_autoptr (GError) error = NULL;
  gboolean is_there = jm_exposition_reader_next (reader, sample, &error);

  g_assert_no_error (error);
  g_assert_true (is_there);
}

/* Every sample of it, in its order. */
static void
assert_says_the_same (const char *text)
{
  g_autoptr (GBytes) encoded = encode (text);
  g_autoptr (GPtrArray) families = decode (encoded);
  g_auto (JmExpositionReader) reader = { 0 };
  JmExpositionSample sample;

  jm_exposition_reader_init (&reader, text, strlen (text));
  for (guint i = 0; i < families->len; i++)
    {
      Exposition__MetricFamily *family = families->pdata[i];

      g_assert_cmpuint (family->n_metric, >, 0);
      for (gsize j = 0; j < family->n_metric; j++)
        {
          assert_next (&reader, &sample);
          assert_same_sample (family, family->metric[j], &sample);
        }
    }
  g_assert_false (jm_exposition_reader_next (&reader, &sample, NULL));
}

static void
test_says_what_the_text_says (void)
{
  g_autoptr (JmSnapshot) small = jm_test_snapshot_of_a_small_node ();
  g_autoptr (JmSnapshot) gpus = jm_test_snapshot_of_a_gpu_node ();
  g_autoptr (JmSnapshot) hostile = jm_test_snapshot_of_a_hostile_node ();
  JmSnapshot *snapshots[] = { small, gpus, hostile };

  for (guint i = 0; i < G_N_ELEMENTS (snapshots); i++)
    {
      g_autoptr (JmTextEncoder) encoder = jm_text_encoder_new ();
      g_autofree char *text =
        jm_text_encoder_to_string (encoder, snapshots[i], JM_TEXT_FORMAT_PROMETHEUS);

      assert_says_the_same (text);
    }
}

static void
test_numbers_are_the_same_to_the_last_bit (void)
{
  assert_says_the_same ("# TYPE a gauge\na NaN\na{b=\"1\"} +Inf\na{b=\"2\"} -Inf\n"
                        "a{b=\"3\"} 0\na{b=\"4\"} 5e-324\na{b=\"5\"} 0.1\n"
                        "# TYPE c counter\nc 18446744073709551615\n");
}

static void
test_labels_are_without_escapes (void)
{
  assert_says_the_same ("# HELP a One\\nline, a \\\\.\n# TYPE a untyped\n"
                        "a{b=\"\\\"\\n\\\\\",empty=\"\",c=\"\xc3\xa9,}=\"} 1\n");
}

static void
test_what_is_of_no_known_type_is_untyped (void)
{
  assert_says_the_same ("a 1\nb{c=\"d\"} 2\nb{c=\"e\"} 3\n");
}

static void
test_nothing_is_nothing (void)
{
  g_autoptr (GBytes) encoded = encode ("# HELP a A.\n# TYPE a gauge\n");

  g_assert_cmpuint (g_bytes_get_size (encoded), ==, 0);
}

/* A length of more than one byte, and of more than two. */
static void
test_families_may_be_large (void)
{
  g_autoptr (GString) text = g_string_new ("# TYPE a counter\n");

  for (guint i = 0; i < 3000; i++)
    g_string_append_printf (text, "a{b=\"%u\"} %u\n", i, i);
  g_string_append (text, "# TYPE c gauge\nc 1\n");

  assert_says_the_same (text->str);
}

/* Their numbers and wire types are what scrapers know. */
static void
test_bytes_are_those_of_the_format (void)
{
  static const guint8 expected[] = {
    0x1d,                                 /* of 29 bytes */
    0x0a, 1,    'a',                      /* name */
    0x12, 1,    'H',                      /* help */
    0x18, 0,                              /* counter */
    0x22, 0x13,                           /* metric */
    0x0a, 6,                              /* label */
    0x0a, 1,    'b',                      /* name */
    0x12, 1,    'c',                      /* value */
    0x1a, 9,                              /* counter */
    0x09, 0,    0,   0, 0, 0, 0, 4, 0x40, /* 2.5 */
  };
  g_autoptr (GBytes) encoded =
    encode ("# HELP a H\n# TYPE a counter\na{b=\"c\"} 2.5\n");
  gsize size;
  const guint8 *data = g_bytes_get_data (encoded, &size);

  g_assert_cmpmem (data, size, expected, sizeof expected);
}

static void
test_what_is_no_text_is_refused (void)
{
  static const char text[] = "a 1\nb\n";
  g_autoptr (GError) error = NULL;

  g_assert_null (jm_protobuf_exposition_encode (text, strlen (text), &error));
  g_assert_error (error, JM_ERROR, JM_ERROR_MALFORMED);
}

static void
test_who_wants_it_says_so (void)
{
#define NAMED                                                                          \
 "application/vnd.google.protobuf;proto=io.prometheus.client.MetricFamily;"            \
 "encoding=delimited"
  static const char *const wanted[] = {
    NAMED,
    NAMED ",application/openmetrics-text;version=1.0.0;q=0.8,"
          "application/openmetrics-text;version=0.0.1;q=0.75,"
          "text/plain;version=0.0.4;q=0.5,*/*;q=0.1",
    NAMED ";q=0.6,application/openmetrics-text;version=1.0.0;escaping=allow-utf-8;"
          "q=0.5,text/plain;version=0.0.4;q=0.3,*/*;q=0.2",
    ("application/vnd.google.protobuf; encoding=\"delimited\" ; q=0.7; "
     "proto=\"io.prometheus.client.MetricFamily\", text/plain; q=0.3"),
  };
  static const char *const others[] = {
    NULL,
    "",
    "*/*",
    "application/*",
    NAMED ";q=0",
    NAMED ";q=0.5,application/openmetrics-text;q=0.6",
    NAMED ";q=0.5,text/plain",
    "application/vnd.google.protobuf",
    "application/vnd.google.protobuf;proto=io.prometheus.client.MetricFamily",
    ("application/vnd.google.protobuf;proto=io.prometheus.client.MetricFamily;"
     "encoding=text"),
    "application/vnd.google.protobuf;proto=another;encoding=delimited",
  };
#undef NAMED

  for (guint i = 0; i < G_N_ELEMENTS (wanted); i++)
    g_assert_true (jm_protobuf_exposition_is_wanted (wanted[i]));
  for (guint i = 0; i < G_N_ELEMENTS (others); i++)
    g_assert_false (jm_protobuf_exposition_is_wanted (others[i]));
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);

  g_test_add_func ("/protobuf-exposition/says-what-the-text-says",
                   test_says_what_the_text_says);
  g_test_add_func ("/protobuf-exposition/numbers-are-the-same-to-the-last-bit",
                   test_numbers_are_the_same_to_the_last_bit);
  g_test_add_func ("/protobuf-exposition/labels-are-without-escapes",
                   test_labels_are_without_escapes);
  g_test_add_func ("/protobuf-exposition/what-is-of-no-known-type-is-untyped",
                   test_what_is_of_no_known_type_is_untyped);
  g_test_add_func ("/protobuf-exposition/nothing-is-nothing", test_nothing_is_nothing);
  g_test_add_func ("/protobuf-exposition/families-may-be-large",
                   test_families_may_be_large);
  g_test_add_func ("/protobuf-exposition/bytes-are-those-of-the-format",
                   test_bytes_are_those_of_the_format);
  g_test_add_func ("/protobuf-exposition/what-is-no-text-is-refused",
                   test_what_is_no_text_is_refused);
  g_test_add_func ("/protobuf-exposition/who-wants-it-says-so",
                   test_who_wants_it_says_so);

  return g_test_run ();
}
