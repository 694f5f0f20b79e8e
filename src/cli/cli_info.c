/* SPDX-License-Identifier: Apache-2.0 */
/* dgm info: what is in a graph, for people or for programs. */
#include <stddef.h>
#include <stdlib.h>

#include "cli_command.h"
#include "cli_set.h"
#include "cli_text.h"

static const cli_group groups[] = {
    {dgm_graph_option_table, offsetof(cli_request, job.graph_options), false, NULL},
    {dgm_job_reading_option_table, offsetof(cli_request, job), true, NULL},
    CLI_GENERAL_GROUPS,
};

static const char *const description[] = {
    "Reads a graph and says what is in it: nodes, edges, components, degrees, labels, features, "
    "attributes, splits, and what was dropped or merged on the way in. Of a set of graphs it also "
    "says how many there are, their sizes, classes and folds; --graph K tells of one.",
    NULL,
};

static const cli_example examples[] = {
    {"dgm info karate", "a built-in graph"},
    {"dgm info library/", "a dataset folder"},
    {"dgm info soc-epinions1.txt.gz --directed", "a compressed edge list, directions kept"},
    {"dgm info PROTEINS/ --graph 7", "one graph of a set, counted from 0"},
    {"dgm info graph.graphml --json | jq .components", "one number for a script"},
    {NULL, NULL},
};

/* What takes work to find out. */
typedef struct findings {
    int64_t components, largest, isolated, labelled, classes;
    double degree_least, degree_median, degree_mean, degree_most;
    int64_t train, validation, test;
} findings;

static dgm_status find_components(dgm_context *ctx, const dgm_graph *graph, uint32_t *component,
                                  int64_t *sizes, findings *found) {
    int64_t nodes = dgm_graph_nodes(graph);
    dgm_status status = dgm_graph_components(ctx, graph, component, &found->components);
    for (int64_t node = 0; status == DGM_OK && node < nodes; node++)
        if (++sizes[component[node]] > found->largest)
            found->largest = sizes[component[node]];
    return status;
}

/* Degrees are whole numbers: counting them is sorting them. */
static double median_degree(const int64_t *histogram, int64_t nodes) {
    int64_t below = 0, degree = 0;
    while (below + histogram[degree] <= (nodes - 1) / 2)
        below += histogram[degree++];
    int64_t lower = degree;
    while (below + histogram[degree] <= nodes / 2)
        below += histogram[degree++];
    return (double)(lower + degree) / 2;
}

static int count_degrees(cli_session *session, const double *degrees, int64_t nodes,
                         findings *found) {
    double sum = 0, most = 0, least = degrees[0];
    for (int64_t node = 0; node < nodes; node++) {
        sum += degrees[node];
        most = degrees[node] > most ? degrees[node] : most;
        least = degrees[node] < least ? degrees[node] : least;
    }
    int64_t *histogram = calloc((size_t)most + 1, sizeof *histogram);
    if (!histogram)
        return cli_fail_memory(session);
    for (int64_t node = 0; node < nodes; node++)
        histogram[(int64_t)degrees[node]]++;
    found->isolated = histogram[0];
    found->degree_least = least;
    found->degree_median = median_degree(histogram, nodes);
    found->degree_mean = sum / (double)nodes;
    found->degree_most = most;
    free(histogram);
    return CLI_DONE;
}

static int find_degrees(cli_session *session, const dgm_graph *graph, findings *found) {
    dgm_matrix *degrees = NULL;
    int code = cli_fail_status(session, dgm_lens_degree(session->ctx, graph, &degrees));
    if (code == CLI_DONE && dgm_graph_nodes(graph) > 0)
        code = count_degrees(session, dgm_matrix_values(degrees), dgm_graph_nodes(graph), found);
    dgm_matrix_free(degrees);
    return code;
}

static void find_marks(const dgm_graph *graph, findings *found) {
    const int32_t *labels = dgm_graph_labels(graph);
    const uint8_t *splits = dgm_graph_splits(graph);
    found->classes = dgm_graph_classes(graph);
    for (int64_t node = 0; node < dgm_graph_nodes(graph); node++) {
        found->labelled += labels && labels[node] >= 0;
        found->train += splits && splits[node] == DGM_SPLIT_TRAIN;
        found->validation += splits && splits[node] == DGM_SPLIT_VALIDATION;
        found->test += splits && splits[node] == DGM_SPLIT_TEST;
    }
}

static int find_all(cli_session *session, const dgm_graph *graph, findings *found) {
    size_t nodes = (size_t)dgm_graph_nodes(graph);
    uint32_t *component = malloc((nodes + 1) * sizeof *component);
    int64_t *sizes = calloc(nodes + 1, sizeof *sizes);
    int code;
    if (!component || !sizes) {
        code = cli_fail_memory(session);
    } else {
        code =
            cli_fail_status(session, find_components(session->ctx, graph, component, sizes, found));
    }
    if (code == CLI_DONE)
        code = find_degrees(session, graph, found);
    find_marks(graph, found);
    free(component);
    free(sizes);
    return code;
}

static const char *kind_name(dgm_attribute_kind kind) {
    return kind == DGM_ATTRIBUTE_NUMBER ? "number" : "text";
}

/* ---- for programs ---- */

static void print_json_counts(cli_json *json, const dgm_graph *graph, const findings *found) {
    dgm_graph_counts counts = dgm_graph_get_counts(graph);
    cli_json_integer(json, "components", found->components);
    cli_json_integer(json, "largest_component", found->largest);
    cli_json_integer(json, "isolated", found->isolated);
    cli_json_integer(json, "records", counts.records);
    cli_json_integer(json, "loops_dropped", counts.loops_dropped);
    cli_json_integer(json, "loops_kept", counts.loops_kept);
    cli_json_integer(json, "repeats_merged", counts.repeats_merged);
    cli_json_integer(json, "uneven_weights", counts.uneven_weights);
    cli_json_open(json, "degree", '{');
    cli_json_real(json, "min", found->degree_least);
    cli_json_real(json, "median", found->degree_median);
    cli_json_real(json, "mean", found->degree_mean);
    cli_json_real(json, "max", found->degree_most);
    cli_json_close(json, '}');
}

static void print_json_marks(cli_json *json, const dgm_graph *graph, const findings *found) {
    cli_json_integer(json, "features", dgm_graph_get_features(graph).width);
    cli_json_integer(json, "classes", found->classes);
    cli_json_integer(json, "labelled", found->labelled);
    cli_json_open(json, "class_names", '[');
    for (int32_t label = 0; label < dgm_graph_classes(graph); label++)
        if (dgm_graph_class_name(graph, label))
            cli_json_text(json, NULL, dgm_graph_class_name(graph, label));
    cli_json_close(json, ']');
    cli_json_open(json, "splits", '{');
    cli_json_integer(json, "train", found->train);
    cli_json_integer(json, "validation", found->validation);
    cli_json_integer(json, "test", found->test);
    cli_json_close(json, '}');
    cli_json_open(json, "attributes", '[');
    for (int64_t i = 0; i < dgm_graph_attributes(graph); i++) {
        dgm_attribute attribute = dgm_graph_attribute(graph, i);
        cli_json_open(json, NULL, '{');
        cli_json_text(json, "name", attribute.name);
        cli_json_text(json, "kind", kind_name(attribute.kind));
        cli_json_close(json, '}');
    }
    cli_json_close(json, ']');
}

static void print_json(const dgm_graph *graph, const dgm_graph_set *set, const findings *found) {
    cli_json json;
    dgm_graph_rows rows = dgm_graph_get_rows(graph);
    cli_json_begin(&json, stdout);
    cli_json_text(&json, "source", dgm_graph_source(graph));
    cli_json_integer(&json, "nodes", dgm_graph_nodes(graph));
    cli_json_integer(&json, "edges", dgm_graph_edges(graph));
    cli_json_bool(&json, "directed", rows.directed);
    cli_json_bool(&json, "weighted", rows.weights != NULL);
    cli_json_bool(&json, "named", dgm_graph_name_base(graph) < 0);
    print_json_counts(&json, graph, found);
    print_json_marks(&json, graph, found);
    if (set)
        cli_set_print_json(&json, set);
    cli_json_end(&json);
}

/* ---- for people ---- */

static void print_counts(const dgm_graph *graph, const findings *found) {
    char a[CLI_NOUN_SPACE], b[CLI_NOUN_SPACE];
    dgm_graph_rows rows = dgm_graph_get_rows(graph);
    dgm_graph_counts counts = dgm_graph_get_counts(graph);
    bool named = dgm_graph_name_base(graph) < 0;
    printf("nodes        %s%s\n", cli_count(dgm_graph_nodes(graph), a),
           named ? ", with names" : "");
    printf("edges        %s, %s, %s\n", cli_count(dgm_graph_edges(graph), a),
           rows.directed ? "directed" : "undirected", rows.weights ? "weighted" : "unweighted");
    printf("components   %s, the largest of %s\n", cli_count(found->components, a),
           cli_count_of(found->largest, "node", b));
    printf("degree       %.15g to %.15g, median %.15g, mean %.2f\n", found->degree_least,
           found->degree_most, found->degree_median, found->degree_mean);
    printf("isolated     %s\n", cli_count_of(found->isolated, "node", a));
    printf("dropped      %s\n", cli_count_of(counts.loops_dropped, "self-loop", a));
    printf("merged       %s\n", cli_count_of(counts.repeats_merged, "repeat", a));
    if (counts.loops_kept)
        printf("kept         %s\n", cli_count_of(counts.loops_kept, "self-loop", a));
    if (counts.uneven_weights)
        printf("uneven       %s with two different weights, the larger kept\n",
               cli_count_of(counts.uneven_weights, "edge", a));
}

static void print_labels(const dgm_graph *graph, const findings *found) {
    char a[CLI_COUNT_SPACE], b[CLI_NOUN_SPACE];
    int64_t classes = found->classes;
    if (dgm_graph_labels(graph))
        printf("labels       %s %s on %s\n", cli_count(classes, a),
               classes == 1 ? "class" : "classes", cli_count_of(found->labelled, "node", b));
    else
        puts("labels       none");
}

static void print_marks(const dgm_graph *graph, const findings *found) {
    char a[CLI_NOUN_SPACE], b[CLI_COUNT_SPACE], c[CLI_COUNT_SPACE];
    dgm_graph_features features = dgm_graph_get_features(graph);
    print_labels(graph, found);
    if (features.width)
        printf("features     %s, %s\n", cli_count_of(features.width, "column", a),
               features.columns ? "sparse" : "dense");
    else
        puts("features     none");
    if (dgm_graph_splits(graph))
        printf("splits       train %s, validation %s, test %s\n", cli_count(found->train, a),
               cli_count(found->validation, b), cli_count(found->test, c));
    if (dgm_graph_attributes(graph) == 0)
        puts("attributes   none");
    for (int64_t i = 0; i < dgm_graph_attributes(graph); i++) {
        dgm_attribute attribute = dgm_graph_attribute(graph, i);
        printf("%s %s (%s)\n", i == 0 ? "attributes  " : "            ", attribute.name,
               kind_name(attribute.kind));
    }
}

/* `set` is NULL for a single graph. */
static void print(const dgm_graph *graph, const dgm_graph_set *set, const findings *found) {
    printf("%s %s\n", set ? "set         " : "graph       ", dgm_graph_source(graph));
    if (set)
        cli_set_print(set);
    print_counts(graph, found);
    print_marks(graph, found);
}

static int tell(cli_session *session, const cli_request *request, const dgm_graph *graph,
                const dgm_graph_set *set) {
    findings found = {0};
    int code = find_all(session, graph, &found);
    if (code == CLI_DONE)
        (request->common.json ? print_json : print)(graph, set, &found);
    return code;
}

/* A set is told as such, unless one of its graphs is asked for or tables say more of the nodes. */
static bool names_set(const cli_request *request) {
    const dgm_job *job = &request->job;
    bool may_be_set = job->format == DGM_FORMAT_AUTO || job->format == DGM_FORMAT_TU;
    return may_be_set && !job->graph_options.graph && !job->nodes_table && !job->labels &&
           dgm_graph_set_exists(request->operand);
}

static int tell_set(cli_session *session, const cli_request *request) {
    dgm_graph_set *set;
    int code = cli_fail_status(session, dgm_graph_set_open(session->ctx, request->operand,
                                                           &request->job.graph_options, &set));
    if (code == CLI_DONE)
        code = tell(session, request, dgm_graph_set_union(set), set);
    dgm_graph_set_free(set);
    return code;
}

static int run(cli_session *session, const cli_request *request) {
    dgm_graph *graph = NULL;
    if (names_set(request))
        return tell_set(session, request);
    int code = cli_open_graph(session, request, &graph);
    if (code == CLI_DONE)
        code = tell(session, request, graph, NULL);
    dgm_graph_free(graph);
    return code;
}

const cli_command cli_info_command = {
    .name = "info",
    .summary = "say what is in a graph",
    .usage = "GRAPH [OPTIONS]",
    .operand = "GRAPH",
    .operand_help = cli_graph_help,
    .description = description,
    .groups = groups,
    .examples = examples,
    .run = run,
};
