/* test-basic-auth.c: who may come in, and in which order that is looked at
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include "web/jme-login.h"

#include <string.h>

#define ALICE                                                                          \
 "$2b$04$abcdefghijklmnopqrstuu2r9OfJnfCsdneAXAGHnS4UpFFP8WIrW" /* secret */

typedef struct
{
  JmeBasicAuth *auth;
  GHashTable *users;
  GString *order; /* a letter for each verdict, in the order in which they came */
  guint n_waiting;
  guint n_busy;
} Fixture;

typedef struct
{
  Fixture *fixture;
  char letter;
  JmeVerdict verdict; /* PENDING before it is known */
} Visitor;

static void
set_up (Fixture *f, gconstpointer data)
{
  f->auth = jme_basic_auth_new ();
  f->users = g_hash_table_new (g_str_hash, g_str_equal);
  g_hash_table_insert (f->users, (gpointer) "alice", (gpointer) ALICE);
  f->order = g_string_new (NULL);
}

static void
tear_down (Fixture *f, gconstpointer data)
{
  g_object_unref (f->auth);
  g_hash_table_unref (f->users);
  g_string_free (f->order, TRUE);
}

static void
on_verdict (JmeVerdict verdict, gpointer user_data)
{
  Visitor *visitor = user_data;

  visitor->verdict = verdict;
  visitor->fixture->n_waiting--;
  if (verdict == JME_VERDICT_BUSY)
    visitor->fixture->n_busy++;
  else
    g_string_append_c (visitor->fixture->order, visitor->letter);
}

/* @login is USER:PASSWORD. */
static void
knock (Fixture *f,
       Visitor *visitor,
       char letter,
       const char *peer,
       const char *login,
       GCancellable *cancellable)
{
  g_autofree char *base64 = g_base64_encode ((const guchar *) login, strlen (login));
  g_autofree char *header = g_strconcat ("Basic ", base64, NULL);
  const JmeApplicant applicant = { header, peer, cancellable };

  *visitor = (Visitor){ f, letter, JME_VERDICT_PENDING };
  f->n_waiting++;
  g_assert_cmpint (jme_basic_auth_check (f->auth, f->users, &applicant, on_verdict,
                                         visitor),
                   ==, JME_VERDICT_PENDING);
}

static void
await_all (Fixture *f)
{
  while (f->n_waiting > 0)
    g_main_context_iteration (NULL, TRUE);
}

/* One who knows the password knocks behind twenty who guess, and is let in second. */
static void
expect_a_turn (Fixture *f,
               const char *guessing_peer,
               const char *guess,
               const char *honest_peer)
{
  Visitor guesses[20];
  Visitor honest;

  for (guint i = 0; i < G_N_ELEMENTS (guesses); i++)
    knock (f, &guesses[i], 'g', guessing_peer, guess, NULL);
  knock (f, &honest, 'h', honest_peer, "alice:secret", NULL);
  await_all (f);

  g_assert_cmpint (honest.verdict, ==, JME_VERDICT_GRANTED);
  g_assert_true (g_str_has_prefix (f->order->str, "ghg"));
}

static void
test_peers_take_turns (Fixture *f, gconstpointer data)
{
  expect_a_turn (f, "192.0.2.1", "alice:guess", "192.0.2.2");
}

static void
test_users_of_a_peer_take_turns (Fixture *f, gconstpointer data)
{
  expect_a_turn (f, "local", "mallory:guess", "local");
}

static void
test_those_who_are_most_go_when_it_is_full (Fixture *f, gconstpointer data)
{
  Visitor guesses[200];
  Visitor honest;

  for (guint i = 0; i < G_N_ELEMENTS (guesses); i++)
    knock (f, &guesses[i], 'g', "192.0.2.1", "alice:guess", NULL);
  g_assert_cmpuint (f->n_busy, ==, 200 - 128 - 1);
  g_assert_cmpint (guesses[199].verdict, ==, JME_VERDICT_BUSY);
  knock (f, &honest, 'h', "192.0.2.2", "alice:secret", NULL);
  g_assert_cmpuint (f->n_busy, ==, 200 - 128);
  await_all (f);

  g_assert_cmpint (honest.verdict, ==, JME_VERDICT_GRANTED);
}

static void
test_who_has_gone_costs_nothing (Fixture *f, gconstpointer data)
{
  g_autoptr (GCancellable) gone = g_cancellable_new ();
  Visitor first;
  Visitor leaver;

  knock (f, &first, 'f', "192.0.2.1", "alice:guess", NULL);
  knock (f, &leaver, 'l', "192.0.2.2", "alice:secret", gone);
  g_cancellable_cancel (gone);
  await_all (f);

  g_assert_cmpint (leaver.verdict, ==, JME_VERDICT_REFUSED);
}

#define ADD(path, function)                                                            \
 g_test_add ("/basic-auth/" path, Fixture, NULL, set_up, function, tear_down)

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);

  ADD ("peers-take-turns", test_peers_take_turns);
  ADD ("users-of-a-peer-take-turns", test_users_of_a_peer_take_turns);
  ADD ("those-who-are-most-go-when-it-is-full",
       test_those_who_are_most_go_when_it_is_full);
  ADD ("who-has-gone-costs-nothing", test_who_has_gone_costs_nothing);

  return g_test_run ();
}
