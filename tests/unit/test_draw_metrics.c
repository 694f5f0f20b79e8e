/* SPDX-License-Identifier: Apache-2.0 */
#include "unit_fixture.h"

#include <math.h>

#include "base_utf8.h"
#include "draw_sample.h"

/* Thousandths of the type size. */
static double width(const char *text, bool bold) {
    return dgmi_draw_text_width(text, 1 / DGMI_DRAW_POINT, bold) * 1000;
}

static void widths_are_helveticas(void **state) {
    (void)state;
    assert_near(width("", false), 0, 0);
    assert_near(width(" ", false), 278, 1e-9);
    assert_near(width("W", false), 944, 1e-9);
    assert_near(width("i", false), 222, 1e-9);
    assert_near(width("i", true), 278, 1e-9);
    assert_near(width("~", false), 584, 1e-9);
    assert_near(width("0123456789", false), 5560, 1e-9);
    assert_near(width("\xC3\xA9\xC3\x86", false), 1556, 1e-9); /* é, Æ */
    assert_near(width("\xC3\xBF", true), 556, 1e-9);           /* ÿ */
    assert_near(dgmi_draw_text_width("Helvetica", 10, false), 4.112 * 10 * DGMI_DRAW_POINT, 1e-9);
}

/* The letters of each width, from Adobe's metrics of the two fonts. */
static void letters_are_as_wide_as_adobe_says(void **state) {
    (void)state;
    static const struct {
        bool bold;
        double width;
        const char *letters;
    } groups[] = {
        {false, 191, "'"},
        {false, 222, "ijl"},
        {false, 260, "|"},
        {false, 278, " !,./:;I[\\]ft"},
        {false, 333, "()-`r"},
        {false, 334, "{}"},
        {false, 355, "\""},
        {false, 389, "*"},
        {false, 469, "^"},
        {false, 500, "Jcksvxyz"},
        {false, 556, "#$0123456789?L_abdeghnopqu"},
        {false, 584, "+<=>~"},
        {false, 611, "FTZ"},
        {false, 667, "&ABEKPSVXY"},
        {false, 722, "CDHNRUw"},
        {false, 778, "GOQ"},
        {false, 833, "Mm"},
        {false, 889, "%"},
        {false, 944, "W"},
        {false, 1015, "@"},
        {true, 238, "'"},
        {true, 278, " ,./I\\ijl"},
        {true, 280, "|"},
        {true, 333, "!()-:;[]`ft"},
        {true, 389, "*r{}"},
        {true, 474, "\""},
        {true, 500, "z"},
        {true, 556, "#$0123456789J_aceksvxy"},
        {true, 584, "+<=>^~"},
        {true, 611, "?FLTZbdghnopqu"},
        {true, 667, "EPSVXY"},
        {true, 722, "&ABCDHKNRU"},
        {true, 778, "GOQw"},
        {true, 833, "M"},
        {true, 889, "%m"},
        {true, 944, "W"},
        {true, 975, "@"},
    };
    int letters[2] = {0, 0};
    for (size_t g = 0; g < sizeof groups / sizeof *groups; g++)
        for (const char *at = groups[g].letters; *at; at++) {
            const char letter[] = {*at, 0};
            if (fabs(width(letter, groups[g].bold) - groups[g].width) > 1e-9)
                fail_msg("%s is %g wide", letter, width(letter, groups[g].bold));
            letters[groups[g].bold]++;
        }
    assert_int_equal(letters[false], 95);
    assert_int_equal(letters[true], 95);
}

/* What stands between the letters and the accented ones in Latin-1, U+00A0 on, from the same
 * metrics; the soft hyphen is not seen. */
static void signs_are_as_wide_as_adobe_says(void **state) {
    (void)state;
    static const double widths[2][32] = {
        {278, 333, 556, 556, 556, 556, 260, 556, 333, 737, 370, 556, 584, 0,   737, 333,
         400, 584, 333, 333, 333, 556, 537, 278, 333, 333, 365, 556, 834, 834, 834, 611},
        {278, 333, 556, 556, 556, 556, 280, 556, 333, 737, 370, 556, 584, 0,   737, 333,
         400, 584, 333, 333, 333, 611, 556, 278, 333, 333, 365, 556, 834, 834, 834, 611}};
    for (uint32_t k = 0; k < 32; k++)
        for (int bold = 0; bold < 2; bold++) {
            char sign[5] = {0};
            dgmi_utf8_encode(0xA0 + k, sign);
            assert_near(width(sign, bold), widths[bold][k], 1e-9);
        }
}

/* Letters with accents are as wide as those without; an i that has lost its dot as wide as an I. */
static void accents_take_no_room(void **state) {
    (void)state;
    static const char bases[] = "AAAAAA\0CEEEEIIII\0NOOOOO\0\0UUUUY\0\0"
                                "aaaaaa\0ceeeeIIII\0nooooo\0\0uuuuy\0y";
    for (uint32_t k = 0; k < 64; k++)
        for (int bold = 0; bold < 2 && bases[k]; bold++) {
            char accented[5] = {0}, base[2] = {bases[k], 0};
            dgmi_utf8_encode(0xC0 + k, accented);
            assert_near(width(accented, bold), width(base, bold), 1e-9);
        }
}

static void wide_characters_take_an_em_and_marks_none(void **state) {
    (void)state;
    assert_near(width("\xE4\xBD\xA0\xE5\xA5\xBD", false), 2000, 1e-9);         /* Chinese */
    assert_near(width("\xE3\x80\x82\xE2\xBA\x80", false), 2000, 1e-9);         /* 。, a radical */
    assert_near(width("\xF0\x9F\x98\x80", true), 1000, 1e-9);                  /* emoji */
    assert_near(width("\xF0\x9F\x87\xA9\xF0\x9F\x87\xAA", false), 1000, 1e-9); /* a flag */
    assert_near(width("e\xCC\x81", false), 556, 1e-9);                         /* combining acute */
    assert_true(width("\xCE\xB1", false) > 300);                               /* Greek */
    assert_true(width("\xE1\x9A\xA0", false) > 300);                           /* a rune */
}

/* Unicode's way: a broken sequence is one. */
static void bytes_that_are_no_utf8_are_replacement_characters(void **state) {
    (void)state;
    assert_near(width("\xFF", false), 1000, 1e-9);
    assert_near(width("\xFF\xFE\x80", false), 3000, 1e-9);
    assert_near(width("\xF0\x9F", false), 1000, 1e-9);
    assert_near(width("\x01", false), 1000, 1e-9);
    assert_near(width("\n", false), 278, 1e-9); /* shown as a blank */
}

/* The table of ranges is searched by halves. */
static void every_character_has_a_width(void **state) {
    (void)state;
    for (uint32_t code = 1; code < 0x110000; code++) {
        char text[5] = {0};
        if (code >= 0xD800 && code < 0xE000)
            continue;
        dgmi_utf8_encode(code, text);
        double found = width(text, false);
        if (!(found >= 0 && found <= 1016))
            fail_msg("U+%04X is %g wide", code, found);
    }
}

static void what_fits_stays_as_it_is(void **state) {
    (void)state;
    char buffer[32];
    assert_string_equal(dgmi_draw_text_fit("spam", 8, false, 100, buffer, sizeof buffer), "spam");
    assert_string_equal(dgmi_draw_text_fit("", 8, false, 0, buffer, sizeof buffer), "");
    double exact = dgmi_draw_text_width("spam", 8, false);
    assert_string_equal(dgmi_draw_text_fit("spam", 8, false, exact + 1e-9, buffer, sizeof buffer),
                        "spam");
}

static void what_does_not_fit_ends_in_an_ellipsis(void **state) {
    (void)state;
    char buffer[32];
    double room = dgmi_draw_text_width("Reinforcement\xE2\x80\xA6", 8, false) + 0.01;
    assert_string_equal(
        dgmi_draw_text_fit("Reinforcement_Learning", 8, false, room, buffer, sizeof buffer),
        "Reinforcement\xE2\x80\xA6");
    /* no blank before it */
    assert_string_equal(
        dgmi_draw_text_fit("Reinforcement Learning", 8, false, room + 1, buffer, sizeof buffer),
        "Reinforcement\xE2\x80\xA6");
    assert_string_equal(dgmi_draw_text_fit("spam", 8, false, 3, buffer, sizeof buffer),
                        "\xE2\x80\xA6");
    assert_string_equal(dgmi_draw_text_fit("spam", 8, false, 1, buffer, sizeof buffer), "");
    assert_string_equal(dgmi_draw_text_fit("spam", 8, false, -1, buffer, sizeof buffer), "");
    assert_string_equal(dgmi_draw_text_fit("spam", 8, false, 100, buffer, 4), "\xE2\x80\xA6");
    assert_string_equal(dgmi_draw_text_fit("spam", 8, false, 100, buffer, 1), "");
}

static void characters_are_cut_whole_with_their_marks(void **state) {
    (void)state;
    const char *text = "ae\xCC\x81\xE4\xBD\xA0\xF0\x9F\x91\xA9\xE2\x80\x8D\xF0\x9F\x94\xAC!!!!";
    const char *const ends[] = {
        "", "a", "ae\xCC\x81", "ae\xCC\x81\xE4\xBD\xA0",
        "ae\xCC\x81\xE4\xBD\xA0\xF0\x9F\x91\xA9\xE2\x80\x8D\xF0\x9F\x94\xAC"};
    for (double room = 0; room < 20; room += 0.05) {
        char buffer[64];
        dgmi_draw_text_fit(text, 8, false, room, buffer, sizeof buffer);
        assert_true(dgmi_draw_text_width(buffer, 8, false) <= room + 1e-9);
        char *dots = strstr(buffer, "\xE2\x80\xA6");
        if (!dots)
            continue;
        *dots = '\0';
        bool known = strchr(buffer, '!') != NULL;
        for (size_t i = 0; i < sizeof ends / sizeof *ends; i++)
            known |= strcmp(buffer, ends[i]) == 0;
        assert_true(known);
    }
}

static void hard_texts_fit_every_room_and_buffer(void **state) {
    (void)state;
    static char text[10001];
    sample_long_text(text);
    for (int t = 0; t <= SAMPLE_TEXTS; t++)
        for (size_t size = 1; size < 40; size++) {
            char *buffer = malloc(size);
            dgmi_draw_text_fit(t < SAMPLE_TEXTS ? sample_texts[t] : text, 7, true, (double)size,
                               buffer, size);
            assert_true(strlen(buffer) < size);
            assert_true(dgmi_draw_text_width(buffer, 7, true) <= (double)size + 1e-9);
            free(buffer);
        }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(widths_are_helveticas),
        cmocka_unit_test(letters_are_as_wide_as_adobe_says),
        cmocka_unit_test(signs_are_as_wide_as_adobe_says),
        cmocka_unit_test(accents_take_no_room),
        cmocka_unit_test(wide_characters_take_an_em_and_marks_none),
        cmocka_unit_test(bytes_that_are_no_utf8_are_replacement_characters),
        cmocka_unit_test(every_character_has_a_width),
        cmocka_unit_test(what_fits_stays_as_it_is),
        cmocka_unit_test(what_does_not_fit_ends_in_an_ellipsis),
        cmocka_unit_test(characters_are_cut_whole_with_their_marks),
        cmocka_unit_test(hard_texts_fit_every_room_and_buffer),
    };
    return RUN_WITH_CONTEXT(tests);
}
