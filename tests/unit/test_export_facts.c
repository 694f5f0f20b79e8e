/* SPDX-License-Identifier: Apache-2.0 */
/* What CSV, GraphML and GEXF say of clusters, read back and compared with JSON. */
#include "unit_fixture.h"

#include <expat.h>
#include <jansson.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- a summary that has everything ---- */

enum { NODES = 9 };

static const double odds[NODES * 3] = {0.9, 0.1, 0,   0.2, 0.7, 0.1, 0, 1, 0, 0.6, 0.4, 0, 0, 0,
                                       1,   0.5, 0.3, 0.2, 0,   1,   0, 1, 0, 0,   0,   0, 1};

/* A path whose last nodes have neither label nor text; attribute names that would clash. */
static dgm_graph *make_graph(void) {
    static const int32_t labels[NODES] = {0, 0, 1, 1, 2, 2, 1, -1, -1};
    static const char *const classes[] = {"a,\"b\"", "<c>", "share"};
    static const char *const towns[NODES] = {"Ulm", "Ulm", "K\xC3\xB6ln", "Ulm", "Ulm", NULL};
    static const double heights[NODES] = {1, 2.5, NAN, 4, -5, 6, 7, NAN, NAN};
    dgm_graph_builder *builder;
    dgm_graph *graph;
    assert_int_equal(dgm_graph_builder_create(ctx, NULL, &builder), DGM_OK);
    for (uint32_t u = 1; u < NODES; u++)
        assert_int_equal(dgm_graph_builder_add(builder, 1, (uint32_t[]){u - 1, u}, NULL), DGM_OK);
    assert_int_equal(dgm_graph_builder_set_labels(builder, NODES, labels), DGM_OK);
    assert_int_equal(dgm_graph_builder_set_class_names(builder, 3, classes), DGM_OK);
    assert_int_equal(dgm_graph_builder_add_texts(builder, "town", NODES, towns), DGM_OK);
    assert_int_equal(dgm_graph_builder_add_numbers(builder, "town_share", NODES, heights), DGM_OK);
    assert_int_equal(dgm_graph_builder_finish(builder, &graph), DGM_OK);
    return graph;
}

typedef struct {
    dgm_graph *graph;
    dgm_predictions *predictions;
    dgm_summary *summary;
    dgm_profile *profile;
    dgm_view *view;
    json_t *json;
} everything;

static char *text_of(const everything *made, dgm_export_format format, int part) {
    char *text;
    size_t length;
    const dgm_places places = dgm_view_get_places(made->view);
    const dgm_export_subject subject = {.summary = made->summary,
                                        .graph = made->graph,
                                        .profile = made->profile,
                                        .places = &places};
    assert_int_equal(dgm_export_text(ctx, &subject, format, part, &text, &length), DGM_OK);
    return text;
}

static everything make_everything(void) {
    everything made = {.graph = make_graph()};
    dgm_matrix *lens;
    dgm_mapper_options options = DGM_MAPPER_OPTIONS_INIT;
    options.intervals[0] = 3;
    options.overlap[0] = 0.4;
    assert_int_equal(dgm_matrix_create(ctx, NODES, 2, &lens), DGM_OK);
    for (int i = 0; i < 2 * NODES; i++)
        dgm_matrix_values_mutable(lens)[i] = i % 2 ? i / 2 % 4 : i / 2;
    for (int c = 0; c < 2; c++)
        assert_int_equal(dgm_matrix_set_column_name(ctx, lens, c, "height"), DGM_OK);
    assert_int_equal(dgm_mapper_run(ctx, made.graph, lens, &options, &made.summary), DGM_OK);
    assert_int_equal(
        dgm_predictions_from_probabilities(ctx, made.graph, odds, 3, NULL, &made.predictions),
        DGM_OK);
    assert_int_equal(
        dgm_profile_create(ctx, made.summary, made.graph, made.predictions, &made.profile), DGM_OK);
    assert_int_equal(dgm_view_from_summary(ctx, made.summary, made.profile, NULL, &made.view),
                     DGM_OK);
    assert_int_equal(dgm_view_lay_out(ctx, made.view, NULL), DGM_OK);
    char *text = text_of(&made, DGM_EXPORT_JSON, 0);
    made.json = json_loads(text, 0, NULL);
    assert_non_null(made.json);
    dgm_export_text_free(ctx, text);
    dgm_matrix_free(lens);
    return made;
}

static void free_everything(everything *made) {
    json_decref(made->json);
    dgm_view_free(made->view);
    dgm_profile_free(made->profile);
    dgm_summary_free(made->summary);
    dgm_predictions_free(made->predictions);
    dgm_graph_free(made->graph);
}

/* ---- tables of texts: a row for each cluster or edge, a column for each attribute ---- */

typedef struct {
    json_t *rows;                       /* a list of objects, name -> text */
    json_t *keys;                       /* id of an attribute of nodes -> its name */
    json_t *row;                        /* under way */
    char key[100], value[400], of[100]; /* attribute under way, character data, where ids belong */
} table;

static json_t *read_csv(const char *text) {
    json_t *rows = json_array(), *names = json_array();
    for (int line = 0; *text; line++) {
        json_t *row = json_object();
        for (int column = 0;; column++) {
            char field[400];
            size_t used = 0;
            bool quoted = *text == '"';
            for (text += quoted; *text && (quoted || (*text != ',' && *text != '\n')); text++) {
                if (*text == '"' && *++text != '"')
                    break;
                field[used++] = *text;
            }
            field[used] = '\0';
            if (line == 0)
                json_array_append_new(names, json_string(field));
            else if (used > 0 || quoted)
                json_object_set_new(row, json_string_value(json_array_get(names, (size_t)column)),
                                    json_string(field));
            if (*text++ == '\n')
                break;
        }
        if (line > 0)
            json_array_append(rows, row);
        json_decref(row);
    }
    json_decref(names);
    return rows;
}

static const char *attribute(const XML_Char **attributes, const char *name) {
    for (; *attributes; attributes += 2)
        if (strcmp(attributes[0], name) == 0)
            return attributes[1];
    return NULL;
}

static void set(table *t, const char *key, const char *value) {
    const char *name = json_string_value(json_object_get(t->keys, key));
    assert_non_null(name);
    assert_null(json_object_get(t->row, name)); /* names are different */
    json_object_set_new(t->row, name, json_string(value));
}

static void on_start(void *user, const XML_Char *element, const XML_Char **attributes) {
    table *t = user;
    const char *of = attribute(attributes, strcmp(element, "key") == 0 ? "for" : "class");
    const char *id = attribute(attributes, "id"), *name = attribute(attributes, "attr.name");
    if (of)
        snprintf(t->of, sizeof t->of, "%s", of);
    if (!name)
        name = attribute(attributes, "title");
    if (name && strcmp(t->of, "node") == 0)
        json_object_set_new(t->keys, id, json_string(name));
    if (strcmp(element, "node") == 0) {
        t->row = json_object();
        json_array_append_new(t->rows, t->row);
        json_object_set_new(t->row, "id", json_string(id));
    } else if (strcmp(element, "edge") == 0) {
        t->row = NULL;
    } else if (t->row && strcmp(element, "attvalue") == 0) {
        set(t, attribute(attributes, "for"), attribute(attributes, "value"));
    } else if (t->row && strcmp(element, "viz:position") == 0) {
        json_object_set_new(t->row, "viz x", json_string(attribute(attributes, "x")));
        json_object_set_new(t->row, "viz y", json_string(attribute(attributes, "y")));
    } else if (t->row && strcmp(element, "viz:size") == 0) {
        json_object_set_new(t->row, "viz size", json_string(attribute(attributes, "value")));
    } else if (strcmp(element, "data") == 0) {
        snprintf(t->key, sizeof t->key, "%s", attribute(attributes, "key"));
        *t->value = '\0';
    }
}

static void on_end(void *user, const XML_Char *element) {
    table *t = user;
    if (t->row && strcmp(element, "data") == 0)
        set(t, t->key, t->value);
}

static void on_text(void *user, const XML_Char *text, int length) {
    table *t = user;
    size_t used = strlen(t->value);
    if (used + (size_t)length < sizeof t->value) {
        memcpy(t->value + used, text, (size_t)length);
        t->value[used + (size_t)length] = '\0';
    }
}

static json_t *read_xml(const char *text) {
    table t = {.rows = json_array(), .keys = json_object()};
    XML_Parser parser = XML_ParserCreate(NULL);
    XML_SetUserData(parser, &t);
    XML_SetElementHandler(parser, on_start, on_end);
    XML_SetCharacterDataHandler(parser, on_text);
    assert_int_equal(XML_Parse(parser, text, (int)strlen(text), 1), XML_STATUS_OK);
    XML_ParserFree(parser);
    json_decref(t.keys);
    return t.rows;
}

/* ---- comparing with a cluster of the JSON ---- */

static void same_number(const json_t *row, const char *name, double expected) {
    const char *text = json_string_value(json_object_get(row, name));
    if (!text || strtod(text, NULL) != expected)
        fail_msg("%s is %s, and JSON has %.17g", name, text ? text : "missing", expected);
}

static void same_text(const json_t *row, const char *name, const char *expected) {
    const char *text = json_string_value(json_object_get(row, name));
    if (!text || strcmp(text, expected) != 0)
        fail_msg("%s is %s, and JSON has %s", name, text ? text : "missing", expected);
}

/* The first of the most frequent in the order of `names`, and its share of the members. */
static void same_majority(const json_t *row, const char *name, const char *share,
                          const json_t *counts, const json_t *names, json_int_t size) {
    size_t index;
    json_t *value;
    const char *most = NULL;
    json_int_t count = 0;
    json_array_foreach(names, index, value) {
        json_int_t of = json_integer_value(json_object_get(counts, json_string_value(value)));
        most = of > count ? json_string_value(value) : most;
        count = of > count ? of : count;
    }
    if (!most) {
        assert_null(json_object_get(row, name));
        assert_null(json_object_get(row, share));
        return;
    }
    same_text(row, name, most);
    same_number(row, share, (double)count / (double)size);
}

static void same_classes(const json_t *row, const json_t *cluster, const json_t *classes,
                         const char *key, const char *word) {
    char name[100];
    size_t index;
    json_t *value;
    const json_t *counts = json_object_get(cluster, key);
    assert_non_null(counts);
    json_array_foreach(classes, index, value) {
        snprintf(name, sizeof name, "%s_%s", key, json_string_value(value));
        same_number(row, name,
                    (double)json_integer_value(json_object_get(counts, json_string_value(value))));
    }
    snprintf(name, sizeof name, "%s_share", word);
    same_majority(row, word, name, counts, classes,
                  json_integer_value(json_object_get(cluster, "size")));
}

static void same_cluster(const json_t *row, const json_t *cluster, const json_t *classes) {
    static const char *const numbers[] = {"id",     "size",   "x",        "y",
                                          "radius", "judged", "mistakes", "entropy"};
    for (size_t i = 0; i < COUNT(numbers); i++) {
        assert_non_null(json_object_get(cluster, numbers[i]));
        same_number(row, numbers[i], json_number_value(json_object_get(cluster, numbers[i])));
    }
    const json_t *lens = json_object_get(cluster, "lens");
    same_number(row, "lens_height", json_number_value(json_array_get(lens, 0)));
    same_number(row, "lens_height_2", json_number_value(json_array_get(lens, 1)));
    same_classes(row, cluster, classes, "labels", "class");
    same_classes(row, cluster, classes, "predictions", "prediction");
    const json_t *attributes = json_object_get(cluster, "attributes");
    json_t *towns = json_pack("[ss]", "K\xC3\xB6ln", "Ulm");
    same_majority(row, "attr_town", "attr_town_share", json_object_get(attributes, "town"), towns,
                  json_integer_value(json_object_get(cluster, "size")));
    json_decref(towns);
    const json_t *mean = json_object_get(attributes, "town_share");
    if (json_is_null(mean))
        assert_null(json_object_get(row, "attr_town_share_2"));
    else
        same_number(row, "attr_town_share_2", json_number_value(mean));
}

static void same_clusters(const everything *made, json_t *rows) {
    const json_t *nodes = json_object_get(made->json, "nodes");
    const json_t *classes = json_object_get(made->json, "classes");
    assert_true(json_array_size(nodes) > 4);
    assert_int_equal(json_array_size(rows), json_array_size(nodes));
    for (size_t i = 0; i < json_array_size(nodes); i++)
        same_cluster(json_array_get(rows, i), json_array_get(nodes, i), classes);
}

static void every_format_knows_what_json_knows(void **state) {
    (void)state;
    static const dgm_export_format formats[] = {DGM_EXPORT_CSV, DGM_EXPORT_GRAPHML,
                                                DGM_EXPORT_GEXF};
    everything made = make_everything();
    for (size_t f = 0; f < COUNT(formats); f++) {
        char *text = text_of(&made, formats[f], formats[f] == DGM_EXPORT_CSV ? 1 : 0);
        json_t *rows = formats[f] == DGM_EXPORT_CSV ? read_csv(text) : read_xml(text);
        same_clusters(&made, rows);
        json_decref(rows);
        dgm_export_text_free(ctx, text);
    }
    free_everything(&made);
}

static void gexf_has_the_places_and_sizes_of_the_figure_in_one_unit(void **state) {
    (void)state;
    everything made = make_everything();
    char *text = text_of(&made, DGM_EXPORT_GEXF, 0);
    json_t *rows = read_xml(text);
    const json_t *nodes = json_object_get(made.json, "nodes");
    double largest = 0;
    for (size_t i = 0; i < json_array_size(nodes); i++)
        largest =
            fmax(largest, json_number_value(json_object_get(json_array_get(nodes, i), "radius")));
    for (size_t i = 0; i < json_array_size(nodes); i++) {
        static const char *const pairs[][2] = {
            {"viz x", "x"}, {"viz y", "y"}, {"viz size", "radius"}};
        for (size_t p = 0; p < COUNT(pairs); p++) {
            const char *found =
                json_string_value(json_object_get(json_array_get(rows, i), pairs[p][0]));
            assert_non_null(found);
            assert_near(
                strtod(found, NULL),
                40 / largest *
                    json_number_value(json_object_get(json_array_get(nodes, i), pairs[p][1])),
                1e-3);
        }
    }
    assert_non_null(strstr(text, "xmlns=\"http://www.gexf.net/1.2draft\""));
    json_decref(rows);
    dgm_export_text_free(ctx, text);
    free_everything(&made);
}

static void the_table_of_edges_has_what_json_has(void **state) {
    (void)state;
    static const char *const keys[] = {"source", "target", "shared", "links", "weight"};
    everything made = make_everything();
    char *text = text_of(&made, DGM_EXPORT_CSV, 2);
    json_t *rows = read_csv(text);
    const json_t *edges = json_object_get(made.json, "edges");
    assert_true(json_array_size(edges) > 2);
    assert_int_equal(json_array_size(rows), json_array_size(edges));
    for (size_t i = 0; i < json_array_size(edges); i++)
        for (size_t k = 0; k < COUNT(keys); k++)
            same_number(json_array_get(rows, i), keys[k],
                        json_number_value(json_object_get(json_array_get(edges, i), keys[k])));
    json_decref(rows);
    dgm_export_text_free(ctx, text);
    free_everything(&made);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_format_knows_what_json_knows),
        cmocka_unit_test(gexf_has_the_places_and_sizes_of_the_figure_in_one_unit),
        cmocka_unit_test(the_table_of_edges_has_what_json_has),
    };
    return RUN_WITH_CONTEXT(tests);
}
