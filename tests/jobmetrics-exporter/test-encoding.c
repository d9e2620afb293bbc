/* test-encoding.c: whether a reply goes out compressed
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include <glib.h>
#include <string.h>

#include "web/jme-gzip.h"
#include "web/jme-request.h"

static void
test_gzip_goes_to_those_who_take_it (void)
{
  static const char *const good[] = { "gzip",
                                      "deflate, gzip",
                                      "GZIP;q=1.0",
                                      "*",
                                      "gzip ; q=0.1",
                                      "x-gzip",
                                      "identity;q=0, *",
                                      "br;q=1, gzip;q=0.8",
                                      "gzip;q=0.5, identity;q=0.5" };
  static const char *const bad[] = { "",         "identity",     "deflate",
                                     "gzip;q=0", "gzip;q=0.000", "*;q=0",
                                     "gzipped",  "gzip;q=0, *",  "identity, gzip;q=0.9",
                                     ",,;;=,q=" };

  g_assert_false (jme_encoding_takes_gzip (NULL));
  for (gsize i = 0; i < G_N_ELEMENTS (good); i++)
    {
      g_test_message ("%s", good[i]);
      g_assert_true (jme_encoding_takes_gzip (good[i]));
    }
  for (gsize i = 0; i < G_N_ELEMENTS (bad); i++)
    {
      g_test_message ("%s", bad[i]);
      g_assert_false (jme_encoding_takes_gzip (bad[i]));
    }
}

/* What is packed well or not at all, short or long, all the same. */
static void
assert_comes_out (const char *text, gsize length, gsize max_packed)
{
  g_autoptr (GBytes) plain = g_bytes_new (text, length);
  g_autoptr (GBytes) packed = jme_gzip (plain);
  g_autoptr (GZlibDecompressor) gunzip =
    g_zlib_decompressor_new (G_ZLIB_COMPRESSOR_FORMAT_GZIP);
  g_autoptr (GInputStream) memory = g_memory_input_stream_new_from_bytes (packed);
  g_autoptr (GInputStream) stream =
    g_converter_input_stream_new (memory, G_CONVERTER (gunzip));
  g_autofree char *result = g_malloc (length + 1);
  gsize n;

  g_assert_cmpuint (g_bytes_get_size (packed), <, max_packed);
  g_assert_true (g_input_stream_read_all (stream, result, length + 1, &n, NULL, NULL));
  g_assert_cmpmem (result, n, text, length);
}

static void
test_gzip_comes_out_as_it_went_in (void)
{
  g_autofree char *dull = g_strnfill (100000, 'x');
  g_autofree char *wild = g_malloc (1000000);
  g_autoptr (GRand) rand = g_rand_new_with_seed (1);

  for (guint i = 0; i < 1000000; i++)
    wild[i] = (char) g_rand_int (rand);

  assert_comes_out (dull, strlen (dull), 2000);
  assert_comes_out (dull, 0, 100);
  assert_comes_out (wild, 1000000, 1010000);
  assert_comes_out (wild, 1, 100);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);

  g_test_add_func ("/encoding/gzip-goes-to-those-who-take-it",
                   test_gzip_goes_to_those_who_take_it);
  g_test_add_func ("/encoding/gzip-comes-out-as-it-went-in",
                   test_gzip_comes_out_as_it_went_in);

  return g_test_run ();
}
