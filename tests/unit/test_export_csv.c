/* SPDX-License-Identifier: Apache-2.0 */
#include "unit_fixture.h"

#include "export_sample.h"

/* A field of RFC 4180, unquoted into `field`; returns what follows it: a comma, a line feed or the
 * end. */
static const char *read_field(const char *text, char *field) {
    bool quoted = *text == '"';
    text += quoted;
    for (; *text && (quoted || (*text != ',' && *text != '\n')); text++) {
        if (*text == '"') {
            assert_true(quoted);
            if (*++text != '"')
                break;
        }
        *field++ = *text;
    }
    *field = '\0';
    return text;
}

static void memberships_are_in_node_order_then_cluster_order(void **state) {
    (void)state;
    sample made = sample_make(ctx, &(sample_parts){.nodes = 6}, NULL);
    char *text = sample_text(ctx, &made, DGM_EXPORT_CSV, 0);
    assert_string_equal(text, "node,cluster\n0,0\n1,0\n2,0\n2,1\n3,0\n3,1\n4,1\n5,1\n");
    dgm_export_text_free(ctx, text);
    sample_free(&made);
}

static void clusters_are_a_table_with_a_column_for_every_axis(void **state) {
    (void)state;
    const char *const axes[] = {"x", "x", "a,b"};
    sample made = sample_make(ctx, &(sample_parts){.nodes = 6, .columns = 3, .axes = axes}, NULL);
    char *text = sample_text(ctx, &made, DGM_EXPORT_CSV, 1);
    assert_string_equal(text, "id,cell,size,lens_x,lens_x_2,\"lens_a,b\"\n"
                              "0,0 0 0,4,1.5,1.5,1.5\n"
                              "1,0 0 1,2,2.5,2.5,2.5\n"
                              "2,0 1 0,2,2.5,2.5,2.5\n"
                              "3,0 1 1,2,2.5,2.5,2.5\n"
                              "4,1 0 0,2,2.5,2.5,2.5\n"
                              "5,1 0 1,2,2.5,2.5,2.5\n"
                              "6,1 1 0,2,2.5,2.5,2.5\n"
                              "7,1 1 1,4,3.5,3.5,3.5\n");
    dgm_export_text_free(ctx, text);
    sample_free(&made);
}

static void any_name_is_one_field(void **state) {
    (void)state;
    dgm_mapper_options options = DGM_MAPPER_OPTIONS_INIT;
    options.intervals[0] = 1;
    sample made =
        sample_make(ctx, &(sample_parts){.nodes = HARD_TEXTS, .names = hard_texts}, &options);
    char *text = sample_text(ctx, &made, DGM_EXPORT_CSV, 0), field[200];
    const char *place = strchr(text, '\n');
    for (int i = 0; i < HARD_TEXTS; i++) {
        place = read_field(place + 1, field);
        assert_string_equal(field, hard_texts_repaired[i]);
        assert_int_equal(*place, ',');
        place = read_field(place + 1, field);
        assert_string_equal(field, "0");
        assert_int_equal(*place, '\n');
    }
    assert_string_equal(place, "\n");
    dgm_export_text_free(ctx, text);
    sample_free(&made);
}

static void an_empty_name_is_a_pair_of_quotes(void **state) {
    (void)state;
    const char *const names[] = {""};
    sample made = sample_make(ctx, &(sample_parts){.nodes = 1, .names = names}, NULL);
    char *text = sample_text(ctx, &made, DGM_EXPORT_CSV, 0);
    assert_string_equal(text, "node,cluster\n\"\",0\n");
    dgm_export_text_free(ctx, text);
    sample_free(&made);
}

/* A table of thousands of columns is of no use. */
static void more_than_64_classes_have_no_columns_of_their_own(void **state) {
    (void)state;
    enum { NODES = 65 };
    int32_t labels[NODES];
    for (int32_t classes = 64; classes <= 65; classes++) {
        for (int32_t u = 0; u < NODES; u++)
            labels[u] = u % classes;
        sample made = sample_make(ctx, &(sample_parts){.nodes = NODES, .labels = labels}, NULL);
        char *text = sample_text(ctx, &made, DGM_EXPORT_CSV, 1);
        *strchr(text, '\n') = '\0';
        assert_non_null(strstr(text, ",class_share"));
        assert_int_equal(strstr(text, ",labels_63") != NULL, classes == 64);
        dgm_export_text_free(ctx, text);
        sample_free(&made);
    }
}

static void an_empty_graph_has_headers_alone(void **state) {
    (void)state;
    sample made = sample_make(ctx, &(sample_parts){0}, NULL);
    char *nodes = sample_text(ctx, &made, DGM_EXPORT_CSV, 0);
    char *clusters = sample_text(ctx, &made, DGM_EXPORT_CSV, 1);
    assert_string_equal(nodes, "node,cluster\n");
    assert_string_equal(clusters, "id,cell,size,lens_axis1\n");
    char *edges = sample_text(ctx, &made, DGM_EXPORT_CSV, 2);
    assert_string_equal(edges, "source,target,shared,links,weight\n");
    dgm_export_text_free(ctx, edges);
    dgm_export_text_free(ctx, nodes);
    dgm_export_text_free(ctx, clusters);
    sample_free(&made);
}

static int replaced; /* notes of bytes that are no text */

static void hear(void *user, const char *note) {
    (void)user;
    replaced += strstr(note, "not valid UTF-8") != NULL;
}

/* A reader of any format is told that names were changed, and of good names nothing is said. */
static void names_that_are_no_text_are_noted_in_every_format(void **state) {
    (void)state;
    static const char *const good[] = {"a", "b", "c", "d", "e", "f"};
    static const char *const bad[] = {"a", "b", "c", "d", "e", "latin \xE9"};
    static const struct {
        dgm_export_format format;
        int part;
    } files[] = {{DGM_EXPORT_JSON, 0},    {DGM_EXPORT_CSV, 0}, {DGM_EXPORT_CSV, 1},
                 {DGM_EXPORT_GRAPHML, 0}, {DGM_EXPORT_DOT, 0}, {DGM_EXPORT_MD, 0}};
    dgm_context_set_notes(ctx, hear, NULL);
    for (int wrong = 0; wrong < 2; wrong++) {
        const char *const axes[] = {wrong ? bad[5] : good[5]};
        sample made = sample_make(
            ctx, &(sample_parts){.nodes = 6, .names = wrong ? bad : good, .axes = axes}, NULL);
        for (int64_t i = 0; i < COUNT(files); i++) {
            replaced = 0;
            dgm_export_text_free(ctx, sample_text(ctx, &made, files[i].format, files[i].part));
            if (replaced != wrong)
                fail_msg("format %d, part %d: %d notes", (int)files[i].format, files[i].part,
                         replaced);
        }
        sample_free(&made);
    }
    dgm_context_set_notes(ctx, NULL, NULL);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(memberships_are_in_node_order_then_cluster_order),
        cmocka_unit_test(clusters_are_a_table_with_a_column_for_every_axis),
        cmocka_unit_test(any_name_is_one_field),
        cmocka_unit_test(an_empty_name_is_a_pair_of_quotes),
        cmocka_unit_test(more_than_64_classes_have_no_columns_of_their_own),
        cmocka_unit_test(an_empty_graph_has_headers_alone),
        cmocka_unit_test(names_that_are_no_text_are_noted_in_every_format),
    };
    return RUN_WITH_CONTEXT(tests);
}
