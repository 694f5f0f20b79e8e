/* SPDX-License-Identifier: Apache-2.0 */
/* Candidates as options and in words, and notes that are kept back. */
#include "unit_fixture.h"

#include <stdio.h>

#include "base_context.h"
#include "dgm/study.h"
#include "study_notes.h"

/* All settings in one text: "lens=degree intervals=3 ". */
static const char *settings_of(const dgm_study_candidate *candidate) {
    static char text[512];
    char value[DGM_STUDY_VALUE];
    const char *name;
    text[0] = '\0';
    for (int i = 0; dgm_study_setting(candidate, i, &name, value); i++)
        strcat(strcat(strcat(strcat(text, name), "="), value), " ");
    return text;
}

static void settings_are_those_that_a_candidate_has(void **state) {
    (void)state;
    dgm_study_candidate candidate = {.lens = "eigen:k=2",
                                     .transform = "rank",
                                     .cover = "adaptive:size=12",
                                     .intervals = 25,
                                     .overlap = 0.35,
                                     .edges = DGM_EDGES_STRUCTURAL,
                                     .pieces = DGM_PIECES_JOINED,
                                     .dust_size = 20};
    assert_string_equal(settings_of(&candidate),
                        "lens=eigen:k=2 transform=rank cover=adaptive:size=12 intervals=25 "
                        "overlap=0.35 edges=structural pieces=joined dust-size=20 ");
    candidate = (dgm_study_candidate){
        .lens = "dgi", .reduce = "centres", .cover = "parts", .overlap = DGM_SAME, .pieces = -1};
    assert_string_equal(settings_of(&candidate), "lens=dgi reduce=centres cover=parts ");
    candidate = (dgm_study_candidate){.overlap = DGM_SAME, .pieces = -1};
    assert_string_equal(settings_of(&candidate), "");
    candidate = (dgm_study_candidate){.intervals = 1, .overlap = 0, .pieces = -1, .dust_size = 1};
    assert_string_equal(settings_of(&candidate), "intervals=1 overlap=0 dust-size=1 ");
    candidate.pieces = DGM_PIECES_APART;
    assert_string_equal(settings_of(&candidate), "intervals=1 overlap=0 dust-size=1 ");
    candidate = (dgm_study_candidate){.transform = "log", .overlap = DGM_SAME, .intervals = 7};
    assert_string_equal(settings_of(&candidate), "transform=log intervals=7 ");
}

static void a_reason_has_marks_bits_and_whole_percents(void **state) {
    (void)state;
    const dgm_study_candidate candidate = {
        .measures = {.clusters = 99,
                     .marks = 47,
                     .largest = 0.194,
                     .bits = {.known = true, .whole = 8.7, .gained = 2.5, .cost = 0.591}}};
    const dgm_study_candidate ends = {
        .measures = {.marks = 1, .largest = 0.995, .bits = {.whole = 1, .cost = 0.25}}};
    char words[256], few[12];
    assert_ptr_equal(dgm_study_reason(&candidate, words, sizeof words), words);
    assert_string_equal(words, "47 marks explain 1.91 of 8.70 bits for each edge, the largest "
                               "cluster has 19% of the nodes");
    assert_string_equal(dgm_study_reason(&ends, words, sizeof words),
                        "1 marks explain -0.25 of 1.00 bits for each edge, the largest cluster has "
                        "100% of the nodes");
    assert_string_equal(dgm_study_reason(&candidate, few, sizeof few), "47 marks ex");
}

/* Every recipe says all that its question needs. */
static void recipes_have_these_settings(void **state) {
    (void)state;
    static const char *const expected[] = {
        "communities: lens=communities cover=parts edges=structural",
        "centre: lens=density transform=rank",
        "spectral: lens=eigen:k=2,laplacian=rw,outside=large transform=rank",
        "network: lens=dgi",
        "errors: lens=gcn colour=error",
    };
    for (size_t i = 0; i < COUNT(expected); i++) {
        const dgm_recipe *recipe = dgm_recipe_at(i);
        char text[256];
        assert_non_null(recipe);
        size_t used = (size_t)snprintf(text, sizeof text, "%s:", recipe->name);
        for (int k = 0; recipe->settings[k][0]; k++)
            used += (size_t)snprintf(text + used, sizeof text - used, " %s=%s",
                                     recipe->settings[k][0], recipe->settings[k][1]);
        assert_string_equal(text, expected[i]);
    }
    assert_null(dgm_recipe_at(COUNT(expected)));
    assert_null(dgm_recipe_at(COUNT(expected) + 1));
}

/* ---- notes ---- */

static char said[256];

static void listen(void *user, const char *note) {
    strcat(strcat(strcat(said, user), note), "\n");
}

static void notes_are_kept_back_until_they_are_said(void **state) {
    (void)state;
    dgmi_study_notes notes;
    said[0] = '\0';
    dgm_context_set_notes(ctx, listen, "> ");
    dgmi_study_notes_hold(ctx, &notes);
    dgmi_note(ctx, "one");
    dgmi_note(ctx, "two and %d", 3);
    dgmi_note(ctx, "%s", "");
    notes.listens = false;
    dgmi_note(ctx, "four");
    assert_string_equal(said, "");
    dgmi_study_notes_return(ctx, &notes);
    dgmi_note(ctx, "before");
    assert_int_equal(dgmi_study_notes_say(ctx, &notes), DGM_OK);
    assert_string_equal(said, "> before\n> one\n> two and 3\n> \n");
    dgm_context_set_notes(ctx, NULL, NULL);
    assert_int_equal(dgmi_study_notes_say(ctx, &notes), DGM_OK); /* to nobody */
    dgmi_study_notes_free(&notes);
    dgmi_study_notes_hold(ctx, &notes);
    dgmi_study_notes_return(ctx, &notes);
    assert_int_equal(dgmi_study_notes_say(ctx, &notes), DGM_OK); /* nothing */
    dgmi_study_notes_free(&notes);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(settings_are_those_that_a_candidate_has),
        cmocka_unit_test(a_reason_has_marks_bits_and_whole_percents),
        cmocka_unit_test(recipes_have_these_settings),
        cmocka_unit_test(notes_are_kept_back_until_they_are_said),
    };
    return RUN_WITH_CONTEXT(tests);
}
