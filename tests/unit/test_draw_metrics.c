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

/* The first and the last character of a script, or one in the middle of it, and what is between
 * scripts: a guess. Marks that stand on the character before them take no room. */
static void characters_of_a_script_are_as_wide_as_its_letters(void **state) {
    (void)state;
    static const struct {
        uint32_t first, last;
        double width;
    } scripts[] = {
        {0x0100, 0x024F, 600},     /* Latin with more accents */
        {0x0250, 0x02FF, 550},     /* phonetic letters */
        {0x0300, 0x036F, 0},       /* accents by themselves */
        {0x0391, 0x03C9, 620},     /* Greek */
        {0x0400, 0x0482, 640},     /* Cyrillic */
        {0x0483, 0x0489, 0},       /* its accents */
        {0x048A, 0x052F, 640},     /* more of it */
        {0x0591, 0x05BD, 0},       /* Hebrew vowels */
        {0x05BE, 0x05EA, 580},     /* Hebrew letters */
        {0x0610, 0x061A, 0},       /* Arabic signs */
        {0x061B, 0x064A, 600},     /* Arabic letters */
        {0x064B, 0x065F, 0},       /* Arabic vowels */
        {0x0660, 0x0669, 560},     /* Arabic digits */
        {0x0670, 0x0670, 0},       /* a small alef */
        {0x0671, 0x06D5, 600},     /* Arabic letters of other languages */
        {0x06D6, 0x06DC, 0},       /* small signs */
        {0x093C, 0x093C, 0},       /* Devanagari: a dot below */
        {0x0941, 0x0948, 0},       /* vowels */
        {0x094D, 0x094D, 0},       /* no vowel */
        {0x0E31, 0x0E31, 0},       /* Thai: a vowel above */
        {0x0E34, 0x0E3A, 0},       /* more of them */
        {0x0E47, 0x0E4E, 0},       /* tones */
        {0x1100, 0x115F, 1000},    /* Hangul, first sounds */
        {0x1160, 0x11FF, 0},       /* the sounds that join them */
        {0x1AB0, 0x1AFF, 0},       /* more accents */
        {0x1DC0, 0x1DFF, 0},       /* and more */
        {0x2009, 0x200A, 200},     /* thin blanks */
        {0x200B, 0x200F, 0},       /* nothing to be seen */
        {0x2010, 0x2011, 333},     /* hyphens, as the one of ASCII */
        {0x2012, 0x2013, 556},     /* a dash as wide as a digit */
        {0x2014, 0x2015, 1000},    /* a dash of an em */
        {0x2018, 0x201B, 278},     /* quotes */
        {0x201C, 0x201F, 500},     /* double ones */
        {0x2020, 0x2021, 556},     /* daggers */
        {0x2022, 0x2022, 350},     /* a bullet */
        {0x2026, 0x2026, 1000},    /* three dots */
        {0x202A, 0x202E, 0},       /* directions */
        {0x2060, 0x206F, 0},       /* and more */
        {0x2070, 0x209F, 333},     /* small digits */
        {0x20D0, 0x20FF, 0},       /* accents of signs */
        {0x2122, 0x2122, 1000},    /* a trade mark */
        {0x2190, 0x21FF, 1000},    /* arrows */
        {0x2200, 0x22FF, 600},     /* mathematics */
        {0x2300, 0x23FF, 1000},    /* keys */
        {0x25A0, 0x27BF, 1000},    /* shapes */
        {0x2B00, 0x2BFF, 1000},    /* stars */
        {0x2E80, 0x303E, 1000},    /* parts of Chinese characters */
        {0x3041, 0xA4CF, 1000},    /* Japanese, Chinese, Yi */
        {0xA960, 0xA97F, 1000},    /* Hangul */
        {0xAC00, 0xD7A3, 1000},    /* its syllables */
        {0xF900, 0xFAFF, 1000},    /* Chinese again */
        {0xFE00, 0xFE0F, 0},       /* variants */
        {0xFE20, 0xFE2F, 0},       /* halves of accents */
        {0xFE30, 0xFE6F, 1000},    /* upright forms */
        {0xFEFF, 0xFEFF, 0},       /* the mark of byte order */
        {0xFF01, 0xFF60, 1000},    /* wide letters */
        {0xFF61, 0xFFDC, 500},     /* and narrow ones */
        {0xFFE0, 0xFFE6, 1000},    /* wide signs */
        {0x1F000, 0x1F1E5, 1000},  /* tiles, cards */
        {0x1F1E6, 0x1F1FF, 500},   /* halves of flags */
        {0x1F200, 0x1F3FA, 1000},  /* emoji */
        {0x1F3FB, 0x1F3FF, 0},     /* the colours of skin */
        {0x1F400, 0x1FAFF, 1000},  /* emoji */
        {0x20000, 0x3FFFD, 1000},  /* rare Chinese characters */
        {0xE0000, 0xE01EF, 0},     /* tags */
        {0x0530, 0x0590, 650},     /* between them */
        {0x16A0, 0x16F8, 650},     /* runes */
        {0x10FFFD, 0x10FFFD, 650}, /* the last one */
    };
    for (int64_t i = 0; i < COUNT(scripts); i++)
        for (int end = 0; end < 3; end++) {
            char text[5] = {0};
            uint32_t code = end == 0   ? scripts[i].first
                            : end == 1 ? scripts[i].last
                                       : (scripts[i].first + scripts[i].last) / 2;
            dgmi_utf8_encode(code, text);
            for (int bold = 0; bold < 2; bold++)
                if (fabs(width(text, bold) - scripts[i].width) > 1e-9)
                    fail_msg("U+%04X is %g wide", code, width(text, bold));
        }
}

/* Letters without a plain one: AE, Eth, times, O with a stroke, Thorn, sharp s, and so on. */
static void letters_of_their_own_are_as_wide_as_adobe_says(void **state) {
    (void)state;
    static const struct {
        uint32_t code;
        double widths[2];
    } letters[] = {{0xC6, {1000, 1000}}, {0xD0, {722, 722}}, {0xD7, {584, 584}}, {0xD8, {778, 778}},
                   {0xDE, {667, 667}},   {0xDF, {611, 611}}, {0xE6, {889, 889}}, {0xF0, {556, 611}},
                   {0xF7, {584, 584}},   {0xF8, {611, 611}}, {0xFE, {556, 611}}};
    for (int64_t i = 0; i < COUNT(letters); i++)
        for (int bold = 0; bold < 2; bold++) {
            char text[5] = {0};
            dgmi_utf8_encode(letters[i].code, text);
            assert_near(width(text, bold), letters[i].widths[bold], 1e-9);
        }
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

/* Of Chinese characters, each an em wide, and of bytes: what fits exactly fits. */
static void text_may_fill_its_room_and_its_buffer(void **state) {
    (void)state;
    const double em = 1 / DGMI_DRAW_POINT;
    char buffer[32];
    const char *three = "\xE4\xBD\xA0\xE5\xA5\xBD\xE4\xBD\xA0";
    assert_string_equal(dgmi_draw_text_fit(three, em, false, 3, buffer, sizeof buffer), three);
    assert_string_equal(dgmi_draw_text_fit(three, em, false, 2, buffer, sizeof buffer),
                        "\xE4\xBD\xA0\xE2\x80\xA6");
    assert_string_equal(dgmi_draw_text_fit(three, em, false, 1, buffer, sizeof buffer),
                        "\xE2\x80\xA6");
    assert_string_equal(dgmi_draw_text_fit(three, em, false, 0.9, buffer, sizeof buffer), "");
    assert_string_equal(dgmi_draw_text_fit("spam", 8, false, 100, buffer, 5), "spam");
    assert_string_equal(dgmi_draw_text_fit("abcdefgh", 8, false, 100, buffer, 8),
                        "abcd\xE2\x80\xA6");
    assert_string_equal(dgmi_draw_text_fit("abcdefgh", 8, false, 100, buffer, 6), "ab\xE2\x80\xA6");
    assert_string_equal(dgmi_draw_text_fit("abcdefgh", 8, false, 100, buffer, 3), "");
    assert_string_equal(dgmi_draw_text_fit("a  bcdef", 8, false, 100, buffer, 7), "a\xE2\x80\xA6");
}

/* Control characters but tabs and the ends of lines, those of Latin-1, and two that are none. */
static void forbidden_characters_are_replaced(void **state) {
    (void)state;
    static const uint32_t forbidden[] = {0x01, 0x08, 0x0B, 0x0C,   0x0E,  0x1F,
                                         0x7F, 0x80, 0x9F, 0xFFFE, 0xFFFF};
    static const uint32_t allowed[] = {'\t', '\n', '\r', ' ', '~', 0xA0, 0xFFFD, 0x10000};
    for (int64_t i = 0; i < COUNT(forbidden) + COUNT(allowed); i++) {
        bool good = i >= COUNT(forbidden);
        uint32_t code = good ? allowed[i - COUNT(forbidden)] : forbidden[i];
        char text[5] = {0};
        dgmi_utf8_encode(code, text);
        const char *at = text;
        assert_int_equal(dgmi_draw_text_next(&at), good ? code : 0xFFFD);
        assert_int_equal(*at, 0);
    }
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
        cmocka_unit_test(characters_of_a_script_are_as_wide_as_its_letters),
        cmocka_unit_test(letters_of_their_own_are_as_wide_as_adobe_says),
        cmocka_unit_test(text_may_fill_its_room_and_its_buffer),
        cmocka_unit_test(forbidden_characters_are_replaced),
        cmocka_unit_test(bytes_that_are_no_utf8_are_replacement_characters),
        cmocka_unit_test(every_character_has_a_width),
        cmocka_unit_test(what_fits_stays_as_it_is),
        cmocka_unit_test(what_does_not_fit_ends_in_an_ellipsis),
        cmocka_unit_test(characters_are_cut_whole_with_their_marks),
        cmocka_unit_test(hard_texts_fit_every_room_and_buffer),
    };
    return RUN_WITH_CONTEXT(tests);
}
