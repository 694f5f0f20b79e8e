/* SPDX-License-Identifier: Apache-2.0 */
/* dgm pool: what a pooling makes of one graph, as a summary: files of all kinds, and a figure of
 * the graph beside its pooled graphs. */
#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli_command.h"
#include "cli_text.h"

static const dgm_option_table *pooling_table(void) {
    static const dgm_option options[] = {
        {.name = "method",
         .kind = DGM_OPTION_TEXT,
         .offset = offsetof(cli_pooling, method),
         .default_text = "mpr, or that of the model",
         .argument = "METHOD[:KEY=VALUE,...]",
         .help = "how the graph is pooled, see Poolings below"},
        {.name = "steps",
         .kind = DGM_OPTION_INTEGER,
         .offset = offsetof(cli_pooling, steps),
         .minimum = 1,
         .maximum = 8,
         .default_text = "1, or as often as the model does",
         .argument = "N",
         .help = "pool N times; files have the last pooled graph, figures all of them"},
        {.name = "model",
         .kind = DGM_OPTION_TEXT,
         .offset = offsetof(cli_pooling, model),
         .argument = "FILE",
         .help = "take the weights from a network that 'dgm classify -o FILE' wrote"},
    };
    static const dgm_option_table table = {"Pooling", options, sizeof options / sizeof *options};
    return &table;
}

static const cli_group groups[] = {
    {pooling_table, offsetof(cli_request, pooling), false, NULL},
    CLI_FIGURE_GROUPS,
    {cli_outputs_table, offsetof(cli_request, output), false, NULL},
    CLI_GENERAL_GROUPS,
};

static const char *const description[] = {
    "Pools one graph and shows what came of it: which nodes went into which cluster, and the graph "
    "over the clusters. A figure has the graph itself beside it, in the same colours: those of "
    "the lens where there is one, and otherwise one for each cluster.",
    "mpr, graclus, sum, mean, max and none need the graph alone. Methods that learn take their "
    "weights from a network that 'dgm classify' trained (--model); without one the weights are "
    "drawn by --seed, and the picture shows how the training begins.",
    "The files are those of 'dgm map'. The JSON also has the assignment of each node, with all of "
    "its values; members of clusters are where these are largest.",
    NULL,
};

static const cli_example examples[] = {
    {"dgm pool karate --method mpr:clusters=5 -o karate.svg",
     "Mapper's cells of PageRank, beside the graph"},
    {"dgm pool karate --method graclus --steps 3 -o karate.png", "pairs of pairs of pairs"},
    {"dgm pool PROTEINS/ --graph 7 --method mpr:lens=degree,clusters=8-2 --steps 2 -o p7.json",
     "one graph of a set, pooled twice"},
    {"dgm pool PROTEINS/ --graph 7 --model mincut.safetensors -o p7.pdf -o p7.csv",
     "what a trained network pooled"},
    {"dgm pool PROTEINS/ --graph 7 --method mpr:lens=learned --model learned.safetensors -o p7.svg",
     "what a learned lens looks at"},
    {NULL, NULL},
};

enum { MOST_STEPS = 8, MOST_COLOURS = 12, MOST_DRAWN = 6000, NAME_SPACE = 64 };

/* How strongly clusters keep to where their nodes are in the graph beside them: as stress pulls. */
#define HOLD 1.0

/* All that one run makes; owned. */
typedef struct pooling_job {
    cli_session *session;
    const cli_request *request;
    dgm_graph *graph;    /* as it was read */
    dgm_graph *coloured; /* with the attribute that colours show */
    dgm_classifier *model;
    dgm_pooling *pooling;
    int64_t steps;
    dgm_summary *summaries[MOST_STEPS]; /* of each step */
    dgm_profile *profiles[MOST_STEPS];  /* of each step, with the attribute */
    dgm_view *views[MOST_STEPS + 1];    /* the graph, or NULL, and then the steps */
    dgm_figure *figure;
    char colour[NAME_SPACE + 8];
    bool starved; /* memory of the program itself has ended, of which the library knows nothing */
} pooling_job;

/* Memory that is set to 0, at least one element; NULL and a mark of the failure without any. */
static void *take_memory(pooling_job *job, int64_t count, size_t size) {
    void *memory = calloc((size_t)count + 1, size);
    job->starved = job->starved || !memory;
    return memory;
}

/* ---- pooling ---- */

static int check(cli_session *session, const cli_request *request) {
    const cli_list *files = &request->output.files;
    int code = cli_check_outputs(session, request);
    for (int i = 0; code == CLI_DONE && i < files->count; i++)
        code = cli_check_format(session, &cli_pool_command, "summaries", files->items[i]);
    if (code == CLI_DONE && request->pooling.method)
        code = cli_fail_status(session, dgm_pool_check(session->ctx, request->pooling.method));
    if (code == CLI_DONE)
        code = cli_fail_status(session, dgm_figure_check(session->ctx, &request->job.figure));
    return code;
}

static dgm_status pool(pooling_job *job) {
    const cli_request *request = job->request;
    const char *number = request->job.graph_options.graph;
    dgm_pool_run_options options = DGM_POOL_RUN_OPTIONS_INIT;
    dgm_status status = DGM_OK;
    if (request->pooling.model)
        status = dgm_classifier_read(job->session->ctx, request->pooling.model, &job->model);
    options.pool = request->pooling.method;
    options.steps = request->pooling.steps;
    options.model = job->model;
    options.index = number ? strtoll(number, NULL, 10) : 0;
    options.seed = request->job.seed;
    if (status == DGM_OK)
        status = dgm_pool_run(job->session->ctx, job->graph, &options, &job->pooling);
    if (status == DGM_OK)
        job->steps = dgm_pooling_steps(job->pooling);
    return status;
}

static dgm_status summarise(pooling_job *job) {
    dgm_status status = DGM_OK;
    for (int64_t l = 0; status == DGM_OK && l < job->steps; l++) {
        status =
            dgm_pooling_summary(job->session->ctx, job->pooling, job->graph, l, &job->summaries[l]);
        if (status != DGM_OK)
            break;
        dgm_provenance provenance = dgm_summary_get_provenance(job->summaries[l]);
        provenance.command = job->request->command;
        status = dgm_summary_set_provenance(job->session->ctx, job->summaries[l], &provenance);
    }
    return status;
}

/* ---- colours ---- */

/* The lens of the nodes as an attribute. */
static dgm_status colour_by_lens(pooling_job *job, const dgm_matrix *lens) {
    int64_t rows = dgm_matrix_rows(lens), columns = dgm_matrix_columns(lens);
    char name[NAME_SPACE];
    double *values = take_memory(job, rows, sizeof *values);
    if (!values)
        return DGM_ERROR_MEMORY;
    for (int64_t u = 0; u < rows; u++)
        values[u] = dgm_matrix_values(lens)[u * columns];
    snprintf(name, sizeof name, "%s", dgm_matrix_column_name(lens, 0));
    snprintf(job->colour, sizeof job->colour, "attr:%s", name);
    const dgm_attribute attribute = {name, DGM_ATTRIBUTE_NUMBER, values, NULL};
    dgm_status status =
        dgm_graph_with_attribute(job->session->ctx, job->graph, &attribute, &job->coloured);
    free(values);
    return status;
}

/* The coarsest step whose clusters can have a colour each; -1: none. */
static int64_t find_coloured(const pooling_job *job) {
    for (int64_t l = job->steps; l-- > 0;) {
        int64_t clusters = dgm_summary_get_clusters(job->summaries[l]).count;
        if (clusters > 1 && clusters <= MOST_COLOURS)
            return l;
    }
    return -1;
}

/* The cluster of each node after a step as an attribute. */
static dgm_status colour_by_cluster(pooling_job *job, int64_t step) {
    dgm_summary_clusters clusters = dgm_summary_get_clusters(job->summaries[step]);
    int64_t nodes = dgm_graph_nodes(job->graph);
    char names[MOST_COLOURS][NAME_SPACE];
    const char **texts = take_memory(job, nodes, sizeof *texts);
    if (!texts)
        return DGM_ERROR_MEMORY;
    for (int64_t c = 0; c < clusters.count; c++) {
        snprintf(names[c], sizeof names[c], "%s%d",
                 clusters.count > 10 && clusters.cells[c] < 10 ? " " /* texts sort as numbers do */
                                                               : "",
                 (int)clusters.cells[c]);
        for (int64_t i = clusters.offsets[c]; i < clusters.offsets[c + 1]; i++)
            texts[clusters.members[i]] = names[c];
    }
    const dgm_attribute attribute = {"cluster", DGM_ATTRIBUTE_TEXT, NULL, texts};
    snprintf(job->colour, sizeof job->colour, "attr:cluster");
    dgm_status status =
        dgm_graph_with_attribute(job->session->ctx, job->graph, &attribute, &job->coloured);
    free(texts);
    return status;
}

/* What colours show: what was asked for, the lens, the clusters if they are few, or the labels. */
static dgm_status choose_colour(pooling_job *job) {
    const char *given = job->request->job.figure.colour;
    const dgm_matrix *lens = dgm_pooling_get_step(job->pooling, 0).lens;
    if (lens && (!given || strcmp(given, "lens") == 0))
        return colour_by_lens(job, lens);
    if (!given && find_coloured(job) >= 0)
        return colour_by_cluster(job, find_coloured(job));
    snprintf(job->colour, sizeof job->colour, "%.*s", NAME_SPACE,
             given                          ? given
             : dgm_graph_labels(job->graph) ? "labels"
                                            : "none");
    return DGM_OK;
}

/* ---- views ---- */

/* Each cluster begins in the middle of its members. The caller frees the places; NULL: the graph is
 * not drawn, or there is no memory. */
static double *find_start(pooling_job *job, int64_t step) {
    dgm_summary_clusters clusters = dgm_summary_get_clusters(job->summaries[step]);
    double *start = job->views[0] ? take_memory(job, 2 * clusters.count, sizeof *start) : NULL;
    if (!start)
        return NULL;
    dgm_places places = dgm_view_get_places(job->views[0]);
    for (int64_t c = 0; c < clusters.count; c++) {
        double x = 0, y = 0, count = (double)(clusters.offsets[c + 1] - clusters.offsets[c]);
        for (int64_t i = clusters.offsets[c]; i < clusters.offsets[c + 1]; i++) {
            x += places.x[clusters.members[i]];
            y += places.y[clusters.members[i]];
        }
        start[2 * c] = x / count;
        start[2 * c + 1] = y / count;
    }
    return start;
}

static dgm_layout_options layout_of(const pooling_job *job) {
    dgm_layout_options layout = job->request->job.layout;
    if (layout.layout < 0)
        layout.layout = DGM_LAYOUT_STRESS;
    layout.seed = job->request->job.seed;
    return layout;
}

static dgm_status view_step(pooling_job *job, int64_t step) {
    dgm_context *ctx = job->session->ctx;
    const dgm_graph *graph = job->coloured ? job->coloured : job->graph;
    dgm_layout_options layout = layout_of(job);
    double *start = find_start(job, step);
    layout.start = start;
    layout.anchor = start ? HOLD : 0;
    dgm_status status = job->starved ? DGM_ERROR_MEMORY : DGM_OK;
    if (status == DGM_OK)
        status = dgm_profile_create(ctx, job->summaries[step], graph, NULL, &job->profiles[step]);
    if (status == DGM_OK)
        status = dgm_view_from_summary(ctx, job->summaries[step], job->profiles[step], NULL,
                                       &job->views[step + 1]);
    if (status == DGM_OK)
        status = dgm_view_set_graph(ctx, job->views[step + 1], job->graph);
    if (status == DGM_OK)
        status = dgm_view_lay_out(ctx, job->views[step + 1], &layout);
    free(start);
    return status;
}

static dgm_status make_views(pooling_job *job) {
    dgm_context *ctx = job->session->ctx;
    const dgm_layout_options layout = layout_of(job);
    int64_t nodes = dgm_graph_nodes(job->graph);
    dgm_status status = choose_colour(job);
    if (status == DGM_OK && nodes <= MOST_DRAWN && layout.layout != DGM_LAYOUT_LENS) {
        status = dgm_view_from_graph(ctx, job->coloured ? job->coloured : job->graph, NULL,
                                     &job->views[0]);
        if (status == DGM_OK)
            status = dgm_view_lay_out(ctx, job->views[0], &layout);
    }
    for (int64_t l = 0; status == DGM_OK && l < job->steps; l++)
        status = view_step(job, l);
    return status;
}

/* ---- the figure ---- */

/* Nodes that a selection has kept are ringed in the graph. */
static bool selects(const pooling_job *job) {
    const char *method = dgm_pooling_specification(job->pooling);
    return strncmp(method, "topk", 4) == 0 || strncmp(method, "sagpool", 7) == 0;
}

static dgm_status add_graph(pooling_job *job) {
    char title[NAME_SPACE], a[CLI_NOUN_SPACE], b[CLI_NOUN_SPACE];
    dgm_summary_clusters kept = dgm_summary_get_clusters(job->summaries[job->steps - 1]);
    snprintf(title, sizeof title, "%s, %s", cli_count_of(dgm_graph_nodes(job->graph), "node", a),
             cli_count_of(dgm_graph_edges(job->graph), "edge", b));
    return dgm_figure_add_view(job->figure, job->views[0], job->colour, title,
                               selects(job) ? kept.members : NULL,
                               selects(job) ? kept.offsets[kept.count] : 0);
}

static dgm_status add_step(pooling_job *job, int64_t step) {
    char title[2 * NAME_SPACE], a[CLI_NOUN_SPACE], b[CLI_NOUN_SPACE];
    int64_t edges;
    dgm_summary_edges(job->summaries[step], &edges);
    int length =
        job->steps > 1 ? snprintf(title, sizeof title, "step %lld: ", (long long)step + 1) : 0;
    snprintf(title + length, sizeof title - (size_t)length, "%s, %s",
             cli_count_of(dgm_summary_get_clusters(job->summaries[step]).count, "cluster", a),
             cli_count_of(edges, "edge", b));
    return dgm_figure_add_view(job->figure, job->views[step + 1], job->colour, title, NULL, 0);
}

static dgm_status make_figure(pooling_job *job) {
    dgm_figure_options options = job->request->job.figure;
    int64_t panels = job->steps + (job->views[0] != NULL);
    if (!options.width && panels > 1)
        options.width = panels > 2 ? "180mm" : "140mm";
    if (!options.names)
        options.names = "0";
    if (strcmp(job->colour, "attr:cluster") == 0)
        options.mixture = DGM_MIXTURE_PIE; /* later steps join clusters of the coloured one */
    dgm_status status = dgm_figure_create(job->session->ctx, &options, &job->figure);
    if (status == DGM_OK)
        dgm_figure_set_columns(job->figure, panels < 3 ? panels : 3);
    if (status == DGM_OK && job->views[0])
        status = add_graph(job);
    for (int64_t l = 0; status == DGM_OK && l < job->steps; l++)
        status = add_step(job, l);
    if (status == DGM_OK && job->views[0] && selects(job))
        status = dgm_figure_set_ring(job->figure, "they stay");
    if (status == DGM_OK && dgm_graph_nodes(job->graph) > MOST_DRAWN)
        status = dgm_figure_add_note(job->figure, "the graph itself is too large to stand beside");
    return status;
}

/* ---- files ---- */

static bool is_figure(pooling_job *job, const char *path) {
    dgm_export_format format;
    return strcmp(path, "-") != 0 &&
           dgm_export_format_find(job->session->ctx, path, &format) == DGM_OK &&
           dgm_export_is_figure(format);
}

/* The last pooled graph, with what is known of its members. */
static dgm_status write_data(pooling_job *job, const char *const *paths, int count) {
    dgm_profile *profile = NULL;
    const dgm_places places = dgm_view_get_places(job->views[job->steps]);
    dgm_export_subject subject = {.summary = job->summaries[job->steps - 1],
                                  .graph = job->graph,
                                  .places = &places,
                                  .figure = &job->request->job.figure};
    dgm_status status =
        dgm_profile_create(job->session->ctx, subject.summary, job->graph, NULL, &profile);
    subject.profile = profile;
    if (status == DGM_OK)
        status = dgm_export_write(job->session->ctx, &subject, paths, count);
    dgm_profile_free(profile);
    return status;
}

/* Pictures and the rest, each all or none; without -o the JSON goes to stdout. */
static dgm_status write_files(pooling_job *job) {
    static const char *const screen[] = {"-"};
    const cli_list *files = &job->request->output.files;
    const char **list = take_memory(job, files->count, sizeof *list);
    dgm_status status = list ? DGM_OK : DGM_ERROR_MEMORY;
    for (int pictures = 0; status == DGM_OK && pictures < 2; pictures++) {
        int count = 0;
        for (int i = 0; i < files->count; i++)
            if (is_figure(job, files->items[i]) == (pictures == 1))
                list[count++] = files->items[i];
        if (count && pictures)
            status = make_figure(job);
        if (count && status == DGM_OK)
            status = pictures
                         ? dgm_figure_write(job->session->ctx, job->figure, NULL, 0, list, count)
                         : write_data(job, list, count);
    }
    if (status == DGM_OK && files->count == 0 && !job->request->common.json)
        status = write_data(job, screen, 1);
    free(list);
    return status;
}

/* ---- telling ---- */

/* The class of highest score, and its share of a softmax. */
static int64_t find_class(const dgm_matrix *scores, double *share) {
    const double *values = dgm_matrix_values(scores);
    int64_t best = 0, classes = dgm_matrix_columns(scores);
    for (int64_t c = 1; c < classes; c++)
        best = values[c] > values[best] ? c : best;
    double sum = 0;
    for (int64_t c = 0; c < classes; c++)
        sum += exp(values[c] - values[best]);
    *share = 1 / sum;
    return best;
}

static void say_step(const pooling_job *job, int64_t l) {
    char a[CLI_NOUN_SPACE], b[CLI_NOUN_SPACE], name[32];
    dgm_pool_step step = dgm_pooling_get_step(job->pooling, l);
    int64_t members = dgm_summary_get_clusters(job->summaries[l]).count, edges;
    int64_t nodes = dgm_graph_nodes(step.graph);
    dgm_summary_edges(job->summaries[l], &edges);
    snprintf(name, sizeof name, "step %lld", (long long)l + 1);
    cli_say(job->session, name, "%s, %s", cli_count_of(members, "cluster", a),
            cli_count_of(edges, "edge", b));
    if (members < nodes)
        cli_say(job->session, "empty", "%s where no node has its largest value",
                cli_count_of(nodes - members, "cluster", a));
    if (step.loss_names[0])
        cli_say(job->session, "losses", "%s %.4g, %s %.4g", step.loss_names[0], step.losses[0],
                step.loss_names[1], step.losses[1]);
}

static void say_pooling(const pooling_job *job) {
    char a[CLI_NOUN_SPACE], b[CLI_NOUN_SPACE];
    const dgm_matrix *scores = dgm_pooling_scores(job->pooling);
    double share;
    cli_say(job->session, "graph", "%s: %s, %s", dgm_graph_source(job->graph),
            cli_count_of(dgm_graph_nodes(job->graph), "node", a),
            cli_count_of(dgm_graph_edges(job->graph), "edge", b));
    cli_say(job->session, "pooled by", "%s%s", dgm_pooling_specification(job->pooling),
            dgm_pooling_trained(job->pooling) ? ", trained" : "");
    for (int64_t l = 0; l < job->steps; l++)
        say_step(job, l);
    if (scores) {
        int64_t best = find_class(scores, &share);
        cli_say(job->session, "class", "%s, with %.3g%% of the softmax",
                dgm_matrix_column_name(scores, best), 100 * share);
    }
    for (int i = 0; i < job->request->output.files.count; i++)
        cli_say(job->session, "wrote", "%s", job->request->output.files.items[i]);
}

static void print_step(const pooling_job *job, cli_json *json, int64_t l) {
    dgm_pool_step step = dgm_pooling_get_step(job->pooling, l);
    int64_t edges;
    dgm_summary_edges(job->summaries[l], &edges);
    cli_json_open(json, NULL, '{');
    cli_json_integer(json, "clusters", dgm_graph_nodes(step.graph));
    cli_json_integer(json, "with_members", dgm_summary_get_clusters(job->summaries[l]).count);
    cli_json_integer(json, "edges", edges);
    for (int i = 0; i < DGM_POOL_LOSSES && step.loss_names[i]; i++)
        cli_json_real(json, step.loss_names[i], step.losses[i]);
    cli_json_close(json, '}');
}

static void print_json(const pooling_job *job) {
    cli_json json;
    const dgm_matrix *scores = dgm_pooling_scores(job->pooling);
    cli_json_begin(&json, stdout);
    cli_json_text(&json, "source", dgm_graph_source(job->graph));
    cli_json_integer(&json, "nodes", dgm_graph_nodes(job->graph));
    cli_json_integer(&json, "edges", dgm_graph_edges(job->graph));
    cli_json_text(&json, "method", dgm_pooling_specification(job->pooling));
    cli_json_bool(&json, "trained", dgm_pooling_trained(job->pooling));
    cli_json_open(&json, "steps", '[');
    for (int64_t l = 0; l < job->steps; l++)
        print_step(job, &json, l);
    cli_json_close(&json, ']');
    if (scores) {
        cli_json_open(&json, "scores", '{');
        for (int64_t c = 0; c < dgm_matrix_columns(scores); c++)
            cli_json_real(&json, dgm_matrix_column_name(scores, c), dgm_matrix_values(scores)[c]);
        cli_json_close(&json, '}');
    }
    cli_json_integer(&json, "seed", job->request->job.seed);
    cli_json_open(&json, "outputs", '[');
    for (int i = 0; i < job->request->output.files.count; i++)
        cli_json_text(&json, NULL, job->request->output.files.items[i]);
    cli_json_close(&json, ']');
    cli_json_end(&json);
}

/* ---- the whole ---- */

static void free_job(pooling_job *job) {
    dgm_figure_free(job->figure);
    for (int l = 0; l <= MOST_STEPS; l++)
        dgm_view_free(job->views[l]);
    for (int l = 0; l < MOST_STEPS; l++) {
        dgm_profile_free(job->profiles[l]);
        dgm_summary_free(job->summaries[l]);
    }
    dgm_pooling_free(job->pooling);
    dgm_classifier_free(job->model);
    dgm_graph_free(job->coloured);
    dgm_graph_free(job->graph);
}

static int run(cli_session *session, const cli_request *request) {
    pooling_job job = {.session = session, .request = request};
    int code = check(session, request);
    if (code == CLI_DONE)
        code = cli_open_graph(session, request, &job.graph);
    dgm_status status = DGM_OK;
    if (code == CLI_DONE)
        status = pool(&job);
    if (code == CLI_DONE && status == DGM_OK)
        status = summarise(&job);
    if (code == CLI_DONE && status == DGM_OK)
        status = make_views(&job);
    if (code == CLI_DONE && status == DGM_OK)
        status = write_files(&job);
    if (code == CLI_DONE)
        code = job.starved ? cli_fail_memory(session) : cli_fail_status(session, status);
    if (code == CLI_DONE && request->common.json)
        print_json(&job);
    else if (code == CLI_DONE && request->output.files.count)
        say_pooling(&job);
    free_job(&job);
    return code;
}

const cli_command cli_pool_command = {
    .name = "pool",
    .summary = "pool one graph as networks that classify graphs do",
    .usage = "GRAPH [OPTIONS] [-o FILE]...",
    .operand = "GRAPH",
    .operand_help = cli_graph_help ", or with --graph K a set of graphs (a TU folder)",
    .description = description,
    .groups = groups,
    .lists_poolings = true,
    .output_extensions = "json svg pdf png csv graphml gexf dot md",
    .examples = examples,
    .run = run,
};
