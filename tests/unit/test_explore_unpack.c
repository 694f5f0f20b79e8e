/* SPDX-License-Identifier: Apache-2.0 */
/* Packs taken apart and put together again: what is in them comes back, and a part that is
 * missing, too short, too long or wrong is refused unless it may be missing. */
#include "unit_fixture.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "../check_graph.h"
#include "explore_explorer.h"
#include "explore_own.h"
#include "explore_pack.h"

enum { NODES = 6, MOST_PARTS = 64, MOST_BYTES = 4096 };

/* A graph of everything that a pack may hold, or of nothing that it need not hold. */
static dgm_graph *build_graph_of(bool everything, bool sparse) {
    static const uint32_t ends[] = {0, 1, 1, 2, 2, 0, 3, 3, 4, 5};
    static const double weights[] = {1, 2, 0.5, 3, 4};
    static const int32_t numbers[NODES] = {3, 3, 7, 7, -1, 3};
    static const char *const names[] = {"", "", "", "three", "", "", "", "seven"};
    static const char *const places[NODES] = {"Ulm", NULL, "", "Ulm", "Bonn", NULL};
    static const uint8_t splits[NODES] = {1, 1, 2, 3, 0, 0};
    static const double years[NODES] = {1990, 1991, NAN, 1993, 1994, 1995};
    static const float values[2 * NODES] = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11};
    static const int64_t offsets[NODES + 1] = {0, 1, 3, 3, 4, 5, 6};
    static const uint32_t columns[] = {0, 1, 4, 2, 3, 0};
    dgm_graph_options options = DGM_GRAPH_OPTIONS_INIT;
    dgm_graph_builder *builder;
    dgm_graph *made;
    options.directed = options.keep_loops = everything;
    assert_int_equal(dgm_graph_builder_create(ctx, &options, &builder), DGM_OK);
    for (int u = 0; everything && u < NODES; u++) {
        char name[8];
        uint32_t node;
        int length = snprintf(name, sizeof name, "n%d", u);
        assert_int_equal(dgm_graph_builder_node(builder, name, (size_t)length, &node), DGM_OK);
    }
    assert_int_equal(dgm_graph_builder_add(builder, 5, ends, everything ? weights : NULL), DGM_OK);
    if (everything) {
        const dgm_graph_features features = sparse
                                                ? (dgm_graph_features){5, offsets, columns, values}
                                                : (dgm_graph_features){2, NULL, NULL, values};
        assert_int_equal(dgm_graph_builder_set_source(builder, "all of it"), DGM_OK);
        assert_int_equal(dgm_graph_builder_set_labels(builder, NODES, numbers), DGM_OK);
        assert_int_equal(dgm_graph_builder_set_class_names(builder, COUNT(names), names), DGM_OK);
        assert_int_equal(dgm_graph_builder_set_splits(builder, NODES, splits), DGM_OK);
        assert_int_equal(dgm_graph_builder_add_numbers(builder, "year", NODES, years), DGM_OK);
        assert_int_equal(dgm_graph_builder_add_texts(builder, "place", NODES, places), DGM_OK);
        assert_int_equal(dgm_graph_builder_set_features(builder, NODES, &features), DGM_OK);
    }
    assert_int_equal(dgm_graph_builder_finish(builder, &made), DGM_OK);
    return made;
}

static void open_explorer(bool everything, bool sparse) {
    double probabilities[2 * NODES];
    graph = build_graph_of(everything, sparse);
    axes = build_matrix(NODES, 1, NULL);
    for (int u = 0; u < NODES; u++) {
        dgm_matrix_values_mutable(axes)[u] = u;
        probabilities[2 * u] = u / 8.0;
        probabilities[2 * u + 1] = 1 - u / 8.0;
    }
    predictions = NULL;
    if (everything)
        assert_int_equal(
            dgm_predictions_from_probabilities(ctx, graph, probabilities, 2, NULL, &predictions),
            DGM_OK);
    open_own("dgm map all");
    if (!everything)
        return;
    assert_int_equal(dgm_explorer_set(ctx, explorer, "intervals", "3"), DGM_OK);
    assert_int_equal(dgm_explorer_set(ctx, explorer, "attach", "true"), DGM_OK);
    assert_int_equal(dgm_explorer_set_start(ctx, explorer, "\"live\":false"), DGM_OK);
    assert_int_equal(dgm_explorer_set_choice(ctx, explorer, "\"reason\":\"why\""), DGM_OK);
}

/* ---- there and back ---- */

static void assert_settings(const dgm_explorer *a, const dgm_explorer *b) {
    assert_int_equal(a->setting_count, b->setting_count);
    for (int i = 0; i < a->setting_count; i++)
        assert_string_equal(a->settings[i].text, b->settings[i].text);
}

static void what_is_packed_comes_back(void **state) {
    (void)state;
    for (int kind = 0; kind < 3; kind++) {
        dgm_answer pack;
        dgm_explorer *other;
        open_explorer(kind > 0, kind == 1);
        assert_int_equal(dgm_explorer_pack(ctx, explorer, &pack), DGM_OK);
        assert_int_equal(dgm_explorer_unpack(ctx, pack.bytes, pack.length, &other), DGM_OK);
        const char *differs = check_same_graph(graph, other->graph, CHECK_NAMES | CHECK_TABLES);
        if (differs)
            fail_msg("%d: %s", kind, differs);
        assert_int_equal(dgm_graph_get_rows(graph).directed,
                         dgm_graph_get_rows(other->graph).directed);
        assert_string_equal(dgm_graph_source(graph), dgm_graph_source(other->graph));
        for (int32_t c = 0; c < dgm_graph_classes(graph); c++)
            assert_int_equal(dgm_graph_class_number(other->graph, c),
                             dgm_graph_class_number(graph, c));
        assert_int_equal(other->lens.provenance.seed, 9);
        assert_string_equal(other->lens.name, "own");
        assert_string_equal(other->lens.command, "dgm map all");
        assert_string_equal(other->lens.words, "{\"lens\":\"own\"}");
        assert_settings(explorer, other);
        assert_int_equal(other->own.predictions != NULL, kind > 0);
        if (kind > 0) {
            int32_t ours, theirs;
            const float *a = dgm_predictions_probabilities(predictions, &ours);
            const float *b = dgm_predictions_probabilities(other->own.predictions, &theirs);
            assert_int_equal(ours, theirs);
            assert_memory_equal(a, b, 2 * NODES * sizeof *a);
            assert_string_equal(other->start, "\"live\":false");
            assert_string_equal(other->choice, "\"reason\":\"why\"");
        } else {
            assert_null(other->start);
            assert_null(other->choice);
        }
        dgm_explorer_free(other);
        dgm_answer_free(ctx, &pack);
        close_own();
    }
}

/* ---- parts ---- */

typedef struct {
    dgmi_explore_part head;
    char bytes[MOST_BYTES];
} part;

static part parts[MOST_PARTS];
static int part_count;
enum { FIRST = (sizeof DGMI_EXPLORE_MAGIC + 7) / 8 * 8 };

static void take_apart(bool sparse) {
    dgm_answer pack;
    open_explorer(true, sparse);
    assert_int_equal(dgm_explorer_pack(ctx, explorer, &pack), DGM_OK);
    part_count = 0;
    for (size_t at = FIRST; at < pack.length;) {
        part *p = &parts[part_count++];
        assert_true(part_count <= MOST_PARTS);
        memset(p, 0, sizeof *p);
        memcpy(&p->head, pack.bytes + at, sizeof p->head);
        size_t size = p->head.size * p->head.count;
        assert_true(size <= MOST_BYTES / 2);
        memcpy(p->bytes, pack.bytes + at + sizeof p->head, size);
        at += sizeof p->head + (size + 7) / 8 * 8;
    }
    dgm_answer_free(ctx, &pack);
    close_own();
}

static part *find(const char *tag) {
    for (int i = 0; i < part_count; i++)
        if (memcmp(parts[i].head.tag, tag, 4) == 0)
            return &parts[i];
    fail_msg("there is no part %s", tag);
    return NULL;
}

/* Puts the parts together and opens them. */
static dgm_status open_parts(dgm_explorer **out) {
    char *bytes = calloc(part_count + 1, MOST_BYTES);
    size_t length = FIRST;
    memcpy(bytes, DGMI_EXPLORE_MAGIC, sizeof DGMI_EXPLORE_MAGIC);
    for (int i = 0; i < part_count; i++) {
        size_t size = parts[i].head.size * parts[i].head.count;
        memcpy(bytes + length, &parts[i].head, sizeof parts[i].head);
        memcpy(bytes + length + sizeof parts[i].head, parts[i].bytes, size);
        length += sizeof parts[i].head + (size + 7) / 8 * 8;
    }
    dgm_status status = dgm_explorer_unpack(ctx, bytes, length, out);
    free(bytes);
    return status;
}

static void assert_opens(const char *what) {
    dgm_explorer *other;
    if (open_parts(&other) != DGM_OK)
        fail_msg("%s: %s", what, dgm_context_error(ctx));
    dgm_explorer_free(other);
}

static void assert_refused(const char *what) {
    dgm_explorer *other;
    dgm_status status = open_parts(&other);
    assert_null(other);
    if (status == DGM_OK)
        fail_msg("%s was not refused", what);
    assert_string_equal(dgm_context_error(ctx),
                        "the graph inside the page is damaged, or of another version");
}

static void parts_may_be_missing_or_not(void **state) {
    (void)state;
    static const struct {
        const char *tag;
        bool sparse, needed;
    } tags[] = {
        {"HEAD", true, true},  {"OFFS", true, true},  {"TARG", true, true},  {"NLEN", true, true},
        {"NAME", true, true},  {"CNUM", true, true},  {"CNAM", true, true},  {"ANAM", true, true},
        {"FOFF", true, true},  {"FCOL", true, true},  {"FVAL", false, true}, {"AXES", true, true},
        {"AXNM", true, true},  {"AXTR", true, true},  {"FVAL", true, false}, {"WGHT", true, false},
        {"LABL", true, false}, {"SPLT", true, false}, {"SRCE", true, false}, {"ANUM", true, false},
        {"ATXT", true, false}, {"PROB", true, false}, {"PRED", true, false}, {"SETT", true, false},
        {"LNAM", true, false}, {"LCMD", true, false}, {"LWRD", true, false}, {"STRT", true, false},
        {"CHOI", true, false}};
    for (int64_t i = 0; i < COUNT(tags); i++) {
        take_apart(tags[i].sparse);
        assert_opens("the whole");
        memcpy(find(tags[i].tag)->head.tag, "????", 4);
        if (tags[i].needed)
            assert_refused(tags[i].tag);
        else if (strcmp(tags[i].tag, "LABL") != 0) /* predictions need their classes */
            assert_opens(tags[i].tag);
    }
}

static void parts_have_the_length_that_fits(void **state) {
    (void)state;
    static const char *const tags[] = {"HEAD", "OFFS", "TARG", "WGHT", "NLEN", "LABL", "SPLT",
                                       "CNAM", "ANUM", "ATXT", "FOFF", "FCOL", "FVAL", "AXES",
                                       "AXNM", "AXTR", "PRED", "PROB", "SETT"};
    for (int64_t i = 0; i < COUNT(tags); i++) {
        take_apart(true);
        find(tags[i])->head.count--;
        assert_refused(tags[i]);
        find(tags[i])->head.count += 2;
        assert_refused(tags[i]);
        find(tags[i])->head.count--;
        assert_opens(tags[i]);
        if (find(tags[i])->head.size == 1)
            continue;
        find(tags[i])->head.size /= 2; /* as many bytes, but other items */
        find(tags[i])->head.count *= 2;
        assert_refused(tags[i]);
    }
}

/* Texts must be bytes. */
static void texts_have_items_of_one_byte(void **state) {
    (void)state;
    static const char *const tags[] = {"CNAM", "AXNM", "AXTR"};
    for (int64_t i = 0; i < COUNT(tags); i++) {
        take_apart(true);
        find(tags[i])->head.size = 2;
        assert_refused(tags[i]);
    }
    take_apart(true);
    find("CNUM")->head.size = 2;
    find("CNUM")->head.count *= 2;
    assert_refused("CNUM");
}

/* A text without its end is none. */
static void texts_end(void **state) {
    (void)state;
    dgm_explorer *other;
    take_apart(true);
    find("LNAM")->head.count--;
    find("SRCE")->head.count--;
    find("STRT")->head.count = 0;
    assert_int_equal(open_parts(&other), DGM_OK);
    assert_string_equal(other->lens.name, "lens");
    assert_string_equal(dgm_graph_source(other->graph), "");
    assert_null(other->start);
    dgm_explorer_free(other);
    take_apart(true);
    find("ANAM")->head.count--;
    assert_refused("an attribute without a name");
}

static void numbers_of_the_head_are_possible(void **state) {
    (void)state;
    static const struct {
        int at;
        int64_t value;
    } wrong[] = {{DGMI_EXPLORE_NODES, -1},
                 {DGMI_EXPLORE_NODES, NODES - 1},
                 {DGMI_EXPLORE_NODES, NODES + 1},
                 {DGMI_EXPLORE_NODES, (int64_t)UINT32_MAX + 1},
                 {DGMI_EXPLORE_NAME_BASE, INT64_MAX},
                 {DGMI_EXPLORE_NAME_BASE, INT64_MAX - DGM_MAX_NODES + 1},
                 {DGMI_EXPLORE_WIDTH, -1},
                 {DGMI_EXPLORE_WIDTH, (int64_t)INT32_MAX + 1},
                 {DGMI_EXPLORE_COLUMNS, 0},
                 {DGMI_EXPLORE_COLUMNS, 2},
                 {DGMI_EXPLORE_COLUMNS, (int64_t)INT32_MAX + 1},
                 {DGMI_EXPLORE_PROBABILITIES, -1},
                 {DGMI_EXPLORE_PROBABILITIES, 1},
                 {DGMI_EXPLORE_PROBABILITIES, (int64_t)INT32_MAX + 1}};
    for (int64_t i = 0; i < COUNT(wrong); i++) {
        char words[32];
        take_apart(true);
        memcpy(find("HEAD")->bytes + 8 * wrong[i].at, &wrong[i].value, 8);
        snprintf(words, sizeof words, "number %d of the head", wrong[i].at);
        assert_refused(words);
    }
    take_apart(true); /* without features nobody looks for them */
    const int64_t none = 0;
    memcpy(find("HEAD")->bytes + 8 * (size_t)DGMI_EXPLORE_WIDTH, &none, 8);
    assert_opens("no features");
    take_apart(true);
    memcpy(find("HEAD")->bytes + 8 * (size_t)DGMI_EXPLORE_NAME_BASE, &none, 8);
    assert_opens("nodes that are called by their numbers");
    take_apart(true);
    const int64_t highest = INT64_MAX - DGM_MAX_NODES;
    memcpy(find("HEAD")->bytes + 8 * (size_t)DGMI_EXPLORE_NAME_BASE, &highest, 8);
    assert_opens("nodes that are called by high numbers");
}

static void labels_are_of_classes_that_there_are(void **state) {
    (void)state;
    static const struct {
        const char *tag;
        int32_t value;
        bool fine;
    } changes[] = {{"LABL", 1, true}, {"LABL", 2, false}, {"LABL", -1, true},
                   {"LABL", 0, true}, {"CNUM", 0, true},  {"CNUM", -1, false},
                   {"CNUM", 6, true}, {"CNUM", 7, false}, {"CNUM", 8, false}};
    for (int64_t i = 0; i < COUNT(changes); i++) {
        take_apart(true);
        memcpy(find(changes[i].tag)->bytes, &changes[i].value, 4);
        if (changes[i].fine)
            assert_opens(changes[i].tag);
        else
            assert_refused(changes[i].tag);
    }
}

static void names_are_those_of_the_nodes(void **state) {
    (void)state;
    uint32_t length;
    take_apart(true);
    memcpy(find("NAME")->bytes + 2, "n0", 2); /* the second is called as the first */
    assert_refused("a name that occurs twice");
    take_apart(true);
    memcpy(&length, find("NLEN")->bytes + 4 * (NODES - 1), 4);
    length++; /* the last is longer than what is left */
    memcpy(find("NLEN")->bytes + 4 * (NODES - 1), &length, 4);
    assert_refused("a name that is too long");
    take_apart(true);
    length = 1; /* and shorter */
    memcpy(find("NLEN")->bytes + 4 * (NODES - 1), &length, 4);
    assert_opens("a name that is shorter");
}

static void settings_have_a_name_and_a_value(void **state) {
    (void)state;
    dgm_explorer *other;
    for (int which = 0; which < 2; which++) {
        static const char no_name[] = "\0\1x", no_value[] = "\1intervals\0";
        take_apart(true);
        part *setting = find("SETT");
        memset(setting->bytes, 0, MOST_BYTES);
        setting->head.count = which ? sizeof no_value : sizeof no_name;
        memcpy(setting->bytes, which ? no_value : no_name, (size_t)setting->head.count);
        assert_refused("half a setting");
    }
    take_apart(true);
    part *setting = find("SETT");
    static const char unknown[] = "\1never\0\1x";
    setting->head.count = sizeof unknown;
    memcpy(setting->bytes, unknown, sizeof unknown);
    assert_int_equal(open_parts(&other), DGM_ERROR_USAGE);
}

/* An item of no size would never end; nothing behind it is read. */
static void items_have_a_size(void **state) {
    (void)state;
    take_apart(true);
    find("AXES")->head.size = 0;
    assert_refused("a size of 0");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_packed_comes_back),
        cmocka_unit_test(parts_may_be_missing_or_not),
        cmocka_unit_test(parts_have_the_length_that_fits),
        cmocka_unit_test(texts_have_items_of_one_byte),
        cmocka_unit_test(texts_end),
        cmocka_unit_test(numbers_of_the_head_are_possible),
        cmocka_unit_test(labels_are_of_classes_that_there_are),
        cmocka_unit_test(names_are_those_of_the_nodes),
        cmocka_unit_test(settings_have_a_name_and_a_value),
        cmocka_unit_test(items_have_a_size),
    };
    return RUN_WITH_CONTEXT(tests);
}
