/* SPDX-License-Identifier: Apache-2.0 */
/* dgm draw: a saved summary, a whole graph or points as a figure, one or several side by side. */
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "cli_command.h"
#include "cli_mistakes.h"
#include "cli_text.h"

static const cli_group groups[] = {
    {cli_drawing_table, offsetof(cli_request, draw), false, NULL},
    CLI_FIGURE_GROUPS,
    {cli_drawn_table, offsetof(cli_request, output), false, NULL},
    CLI_GENERAL_GROUPS,
};

static const char *const description[] = {
    "Draws what 'dgm map' saved as JSON, in other colours, sizes or formats. Clusters stay where "
    "they stand in the file, so that two figures can be laid over each other, unless --layout is "
    "given.",
    "A graph is drawn whole, each node a mark: the picture that a summary is to be compared with. "
    "--scatter draws points, such as nodes that 'dgm reduce' put onto two axes, in the colours of "
    "their labels.",
    "--compare puts colourings or summaries side by side; to summaries --scatter and a GRAPH add "
    "their own panels.",
    NULL,
};

static const cli_example examples[] = {
    {"dgm draw papers.json --colour labels --width 89mm -o papers.pdf",
     "a saved summary in the colours of its labels, one column wide"},
    {"dgm draw spam.json --compare prediction,labels -o spam.svg",
     "what a classifier says beside what is true, the worst clusters ringed and listed"},
    {"dgm draw papers -o hairball.png", "a whole graph, for comparison"},
    {"dgm draw papers --scatter tsne.npy -o tsne.svg",
     "nodes on two axes, in the colours of labels"},
    {"dgm draw --scatter tsne.npy --labels classes.txt -o tsne.svg", "likewise without a graph"},
    {"dgm draw papers --compare dgi.json,density.json --scatter tsne.npy -o lenses.svg",
     "two lenses on one graph, with the points and the graph itself"},
    {"dgm map karate | dgm draw - -o karate.svg", "straight from map"},
    {"dgm draw papers.json -o papers.md", "who is where in a saved summary, in words"},
    {NULL, NULL},
};

enum { MOST_PANELS = 16, MOST_RINGED = 5, TITLE_SPACE = 128 };

/* What was read of a saved summary; its view borrows it. */
typedef struct saved {
    dgm_summary *summary;
    dgm_profile *profile;
} saved;

typedef struct panel {
    const dgm_view *view;
    const char *colour; /* NULL: the figure's own */
    const char *title;  /* NULL: none */
} panel;

/* All that one run makes; owned. */
typedef struct drawing {
    cli_session *session;
    const cli_request *request;
    dgm_graph *graph;
    dgm_view *views[MOST_PANELS];
    saved saved[MOST_PANELS]; /* of each view; NULLs where it shows no summary */
    int view_count;
    panel panels[MOST_PANELS];
    int panel_count;
    char *items[MOST_PANELS]; /* of --compare, copies */
    int item_count;
    bool wants_data;   /* the summary itself is written too, as JSON or as a report */
    bool wants_figure; /* something is drawn */
    char titles[MOST_PANELS][TITLE_SPACE];
    dgm_profile_dispute disputes[MOST_RINGED];
    int64_t dispute_count;
    dgm_figure *figure;
} drawing;

/* ---- what is asked for ---- */

static bool is_file(const char *name) {
    struct stat found;
    size_t length = strlen(name);
    return stat(name, &found) == 0 || strchr(name, '/') ||
           (length > 5 && strcmp(name + length - 5, ".json") == 0);
}

/* Parts of --compare: at least two, all files or all colourings. */
static int split_compare(drawing *d) {
    const char *text = d->request->draw.compare;
    while (text && d->item_count < MOST_PANELS) {
        size_t length = strcspn(text, ",");
        char *item = strndup(text, length);
        if (!item)
            return cli_fail_memory(d->session);
        d->items[d->item_count++] = item;
        text = text[length] ? text + length + 1 : NULL;
        if (length == 0)
            return cli_fail(d->session, CLI_WRONG_USAGE,
                            "--compare has an empty part; write --compare prediction,labels");
    }
    if (text)
        return cli_fail(d->session, CLI_WRONG_USAGE, "--compare takes at most %d parts",
                        MOST_PANELS);
    if (d->item_count == 1)
        return cli_fail(d->session, CLI_WRONG_USAGE,
                        "--compare needs two parts with a comma between: prediction,labels or "
                        "A.json,B.json");
    return CLI_DONE;
}

static bool compares_files(const drawing *d) {
    return d->item_count > 0 && is_file(d->items[0]);
}

static int check_colours(drawing *d) {
    dgm_figure_options options = d->request->job.figure;
    dgm_status status = dgm_figure_check(d->session->ctx, &options);
    for (int i = 0; i < d->item_count && !compares_files(d) && status == DGM_OK; i++) {
        options.colour = d->items[i];
        status = dgm_figure_check(d->session->ctx, &options);
    }
    return cli_fail_status(d->session, status);
}

static int check_request(drawing *d) {
    const cli_request *request = d->request;
    if (request->output.files.count == 0)
        return cli_fail(d->session, CLI_WRONG_USAGE,
                        "draw needs a file to write: -o FILE.svg, .pdf or .png");
    int code = split_compare(d);
    if (code == CLI_DONE)
        code = check_colours(d);
    if (code != CLI_DONE)
        return code;
    if (!request->operand && !request->draw.scatter && !compares_files(d))
        return cli_fail(d->session, CLI_WRONG_USAGE,
                        "draw needs something to draw: a summary (FILE.json), a graph, --scatter "
                        "POINTS or --compare A.json,B.json");
    return cli_check_outputs(d->session, request);
}

/* Figures, and JSON and a report only of the one summary that is drawn. */
static int check_formats(drawing *d, bool summary) {
    const char *const known[] = {"svg", "pdf", "png", summary ? "json" : NULL, "md", NULL};
    const cli_list *files = &d->request->output.files;
    for (int i = 0; i < files->count; i++) {
        dgm_export_format format;
        dgm_context *ctx = d->session->ctx;
        dgm_status status = dgm_export_format_find(ctx, files->items[i], &format);
        if (status != DGM_OK) /* nobody writes it; draw says what it writes */
            status = dgm_export_format_among(ctx, files->items[i], "figures", known, &format);
        if (status != DGM_OK)
            return cli_fail_status(d->session, status);
        bool data = format == DGM_EXPORT_JSON || format == DGM_EXPORT_MD;
        d->wants_data = d->wants_data || data;
        d->wants_figure = d->wants_figure || !data;
        if (data && summary)
            continue;
        if (!dgm_export_is_figure(format))
            return cli_fail(d->session, CLI_WRONG_USAGE,
                            "%s: draw writes .svg .pdf .png%s; 'dgm map' writes the rest",
                            files->items[i], summary ? " .json and .md" : "");
    }
    return CLI_DONE;
}

/* ---- views ---- */

static int add_view(drawing *d, dgm_view *view, dgm_status status) {
    if (status == DGM_OK && d->view_count == MOST_PANELS) {
        dgm_view_free(view);
        return cli_fail(d->session, CLI_WRONG_USAGE, "at most %d panels fit", MOST_PANELS);
    }
    if (status == DGM_OK)
        d->views[d->view_count++] = view;
    return cli_fail_status(d->session, status);
}

static int add_panel(drawing *d, const dgm_view *view, const char *colour, const char *title) {
    if (d->panel_count == MOST_PANELS)
        return cli_fail(d->session, CLI_WRONG_USAGE, "at most %d panels fit", MOST_PANELS);
    char *copy = NULL;
    if (title) {
        copy = d->titles[d->panel_count];
        snprintf(copy, TITLE_SPACE, "%s", title);
    }
    d->panels[d->panel_count++] = (panel){view, colour, copy};
    return CLI_DONE;
}

/* How the view is laid out: as it is asked for, or else as the file says. Without a figure there is
 * no reason to fold dust. */
static dgm_layout_options layout_of(const drawing *d, const dgm_places *saved_places) {
    dgm_layout_options layout = d->request->job.layout;
    bool as_before = layout.layout < 0 && saved_places->layout >= 0;
    if (layout.dust == DGM_DUST_AUTO && !d->wants_figure)
        layout.dust = DGM_DUST_SHOW;
    if (!cli_is_given(d->request, "dust-size") && saved_places->dust > 0)
        layout.dust_size = saved_places->dust;
    layout.seed = as_before ? saved_places->seed : d->request->job.seed;
    if (layout.layout < 0)
        layout.layout = as_before ? saved_places->layout : DGM_LAYOUT_STRESS;
    return layout;
}

/* Places in a file serve as long as they were found for the marks that are drawn. */
static int lay_out(drawing *d, dgm_view *view) {
    const dgm_layout_options *asked = &d->request->job.layout;
    const dgm_places places = dgm_view_get_places(view);
    const dgm_layout_options layout = layout_of(d, &places);
    dgm_status status = DGM_OK;
    if (places.x && asked->layout < 0 && asked->dust == DGM_DUST_AUTO && !d->wants_figure)
        return CLI_DONE; /* data is written as it came */
    if (asked->layout < 0)
        status = dgm_view_fold_dust(d->session->ctx, view, &layout);
    if (status == DGM_OK && (asked->layout >= 0 || !dgm_view_get_places(view).x))
        status = dgm_view_lay_out(d->session->ctx, view, &layout);
    return cli_fail_status(d->session, status);
}

/* Reads what is drawn, and where it stands if the file says so. */
static dgm_status open_summary(drawing *d, const char *path, saved *from, dgm_view **view) {
    dgm_context *ctx = d->session->ctx;
    dgm_places *places = NULL;
    dgm_status status = dgm_summary_read(ctx, path, NULL, &from->summary, &from->profile, &places);
    if (status == DGM_OK)
        status = dgm_view_from_summary(ctx, from->summary, from->profile, places, view);
    dgm_places_free(ctx, places);
    return status;
}

static int read_summary(drawing *d, const char *path) {
    saved from = {NULL, NULL};
    dgm_view *view = NULL;
    dgm_status status = open_summary(d, path, &from, &view);
    int code = add_view(d, view, status);
    if (code != CLI_DONE) {
        dgm_profile_free(from.profile);
        dgm_summary_free(from.summary);
        return code;
    }
    d->saved[d->view_count - 1] = from;
    return lay_out(d, view);
}

static int view_graph(drawing *d) {
    dgm_view *view = NULL;
    dgm_status status = dgm_view_from_graph(d->session->ctx, d->graph, NULL, &view);
    int code = add_view(d, view, status);
    return code == CLI_DONE ? lay_out(d, view) : code;
}

/* ---- points ---- */

/* A graph without edges whose nodes are the points, with the labels of the file. */
static int label_points(drawing *d, int64_t rows) {
    dgm_context *ctx = d->session->ctx;
    dgm_graph_builder *builder = NULL;
    dgm_graph *bare = NULL;
    dgm_status status = dgm_graph_builder_create(ctx, NULL, &builder);
    if (status == DGM_OK)
        status = dgm_graph_builder_reserve_nodes(builder, rows);
    if (status == DGM_OK)
        status = dgm_graph_builder_finish(builder, &bare);
    else
        dgm_graph_builder_free(builder);
    if (status == DGM_OK)
        status = dgm_graph_read_labels(ctx, bare, d->request->draw.label_file, &d->graph);
    dgm_graph_free(bare);
    return cli_fail_status(d->session, status);
}

static int view_points(drawing *d) {
    dgm_context *ctx = d->session->ctx;
    const char *path = d->request->draw.scatter;
    dgm_matrix *points = NULL;
    dgm_view *view = NULL;
    int code = cli_fail_status(d->session, dgm_matrix_read(ctx, path, d->graph, &points));
    if (code == CLI_DONE && dgm_matrix_columns(points) > 3)
        code = cli_fail(d->session, CLI_FAILED,
                        "%s: %lld columns are too many to draw; reduce them first: dgm reduce %s "
                        "--method tsne -o map.npy",
                        path, (long long)dgm_matrix_columns(points), path);
    if (code == CLI_DONE && d->request->draw.label_file && !d->graph)
        code = label_points(d, dgm_matrix_rows(points));
    if (code == CLI_DONE) {
        dgm_status status = dgm_view_from_points(ctx, points, d->graph, NULL, &view);
        code = add_view(d, view, status);
    }
    dgm_matrix_free(points);
    return code;
}

/* ---- panels ---- */

/* "out/dgi.json.gz" -> "dgi" */
static void name_of(const char *path, char name[TITLE_SPACE]) {
    const char *slash = strrchr(path, '/');
    snprintf(name, TITLE_SPACE, "%s", slash && slash[1] ? slash + 1 : path);
    char *dot = strchr(name + 1, '.');
    if (dot)
        *dot = '\0';
}

static int compare_summaries(drawing *d) {
    int code = CLI_DONE;
    char name[TITLE_SPACE];
    for (int i = 0; i < d->item_count && code == CLI_DONE; i++) {
        code = read_summary(d, d->items[i]);
        name_of(d->items[i], name);
        if (code == CLI_DONE)
            code = add_panel(d, d->views[d->view_count - 1], NULL, name);
    }
    if (code == CLI_DONE && d->request->draw.scatter) {
        code = view_points(d);
        name_of(d->request->draw.scatter, name);
        if (code == CLI_DONE)
            code = add_panel(d, d->views[d->view_count - 1], NULL, name);
    }
    if (code == CLI_DONE && d->request->operand) {
        code = view_graph(d);
        if (code == CLI_DONE)
            code = add_panel(d, d->views[d->view_count - 1], NULL, "the whole graph");
    }
    return code;
}

static bool names_colour(const drawing *d, const char *colour) {
    for (int i = 0; i < d->item_count; i++)
        if (strcmp(d->items[i], colour) == 0)
            return true;
    return false;
}

static int compare_colours(drawing *d) {
    const dgm_view *view = d->views[0];
    int code = CLI_DONE;
    for (int i = 0; i < d->item_count && code == CLI_DONE; i++)
        code = add_panel(d, view, d->items[i], d->items[i]);
    if (names_colour(d, "labels") && names_colour(d, "prediction"))
        d->dispute_count = dgm_profile_disputes(dgm_view_profile(view), MOST_RINGED, d->disputes);
    return code;
}

static int make_panels(drawing *d, bool summary) {
    int code = CLI_DONE;
    if (d->request->draw.label_file && summary)
        return cli_fail(d->session, CLI_WRONG_USAGE,
                        "a summary has the labels that it was mapped with: give --labels to "
                        "'dgm map'");
    if (d->request->job.graph_options.graph && (summary || !d->request->operand))
        return cli_fail(d->session, CLI_WRONG_USAGE,
                        "--graph takes one graph out of a set, and no set is drawn here");
    if (d->request->operand && !summary)
        code = cli_open_graph(d->session, d->request, &d->graph);
    if (code == CLI_DONE && compares_files(d))
        return compare_summaries(d);
    if (code == CLI_DONE && summary)
        code = read_summary(d, d->request->operand);
    else if (code == CLI_DONE)
        code = d->request->draw.scatter ? view_points(d) : view_graph(d);
    if (code == CLI_DONE)
        code = d->item_count ? compare_colours(d) : add_panel(d, d->views[0], NULL, NULL);
    return code;
}

static int make_figure(drawing *d) {
    uint32_t ringed[MOST_RINGED];
    for (int64_t i = 0; i < d->dispute_count; i++)
        ringed[i] = d->disputes[i].cluster;
    dgm_status status = dgm_figure_create(d->session->ctx, &d->request->job.figure, &d->figure);
    for (int i = 0; i < d->panel_count && status == DGM_OK; i++)
        status = dgm_figure_add_view(d->figure, d->panels[i].view, d->panels[i].colour,
                                     d->panels[i].title, d->dispute_count ? ringed : NULL,
                                     d->dispute_count);
    return cli_fail_status(d->session, status);
}

/* ---- files and words ---- */

/* The summary that is drawn is written with the places that it has now. */
static int write_files(drawing *d) {
    const cli_list *files = &d->request->output.files;
    const char *const *paths = (const char *const *)files->items;
    const dgm_places places = dgm_view_get_places(d->views[0]);
    const dgm_export_subject subject = {
        .summary = d->saved[0].summary, .profile = d->saved[0].profile, .places = &places};
    dgm_context *ctx = d->session->ctx;
    dgm_status status = d->wants_data
                            ? dgm_figure_write_with(ctx, d->figure, &subject, paths, files->count)
                            : dgm_figure_write(ctx, d->figure, NULL, 0, paths, files->count);
    return cli_fail_status(d->session, status);
}

static const char *mark_noun(const dgm_view *view) {
    static const char *const nouns[] = {"cluster", "node", "point"};
    return nouns[dgm_view_get_kind(view)];
}

static void say_dispute(cli_session *session, const dgm_profile_dispute *dispute, bool first) {
    char words[512] = "";
    if (dispute->label)
        snprintf(words, sizeof words, "; %lld of '%.200s' taken for '%.200s'",
                 (long long)dispute->confused, dispute->label, dispute->prediction);
    cli_say(session, first ? "differ" : "", "cluster %u: %lld of %lld wrong%s", dispute->cluster,
            (long long)dispute->mistakes, (long long)dispute->judged, words);
}

/* Whether some panel's colours speak of what a classifier says. */
static bool shows_predictions(const drawing *d) {
    for (int i = 0; i < d->panel_count; i++) {
        const char *colour =
            d->panels[i].colour ? d->panels[i].colour : d->request->job.figure.colour;
        if (colour && (strcmp(colour, "error") == 0 || strcmp(colour, "prediction") == 0))
            return true;
    }
    return false;
}

static void say_dust(cli_session *session, dgm_view_dust dust) {
    char a[CLI_NOUN_SPACE], b[CLI_NOUN_SPACE], c[CLI_NOUN_SPACE];
    if (dust.size == 0)
        return;
    cli_say(session, "dust", "%s of fewer than %lld nodes, %s, %s%s",
            cli_count_of(dust.clusters, "cluster", a), (long long)dust.size,
            cli_count_of(dust.nodes, "node", b), dust.dropped ? "not drawn" : "folded into ",
            dust.dropped ? "" : cli_count_of(dust.marks, "mark", c));
}

static void say_drawing(const drawing *d) {
    const cli_list *files = &d->request->output.files;
    char a[CLI_NOUN_SPACE], b[CLI_NOUN_SPACE];
    for (int i = 0; i < d->view_count; i++) {
        dgm_summary_mistakes mistakes = dgm_profile_get_mistakes(dgm_view_profile(d->views[i]));
        cli_say(d->session, "drawn", "%s, %s",
                cli_count_of(dgm_view_marks(d->views[i]), mark_noun(d->views[i]), a),
                cli_count_of(dgm_view_links(d->views[i]), "link", b));
        say_dust(d->session, dgm_view_get_dust(d->views[i]));
        if (shows_predictions(d))
            cli_say_mistakes(d->session, &mistakes);
    }
    for (int64_t i = 0; i < d->dispute_count; i++)
        say_dispute(d->session, &d->disputes[i], i == 0);
    for (int i = 0; i < files->count; i++)
        cli_say(d->session, "wrote", "%s",
                strcmp(files->items[i], "-") == 0 ? "(stdout)" : files->items[i]);
}

/* Members of a cluster of the first summary; a node of a graph is one. */
static int64_t size_of(const drawing *d, uint32_t cluster) {
    const dgm_summary *summary = d->saved[0].summary;
    if (!summary)
        return 1;
    const int64_t *offsets = dgm_summary_get_clusters(summary).offsets;
    return offsets[cluster + 1] - offsets[cluster];
}

static void list_dust(cli_json *json, dgm_view_dust dust) {
    if (dust.size == 0)
        return;
    cli_json_open(json, "dust", '{');
    cli_json_integer(json, "size", dust.size);
    cli_json_integer(json, "clusters", dust.clusters);
    cli_json_integer(json, "nodes", dust.nodes);
    cli_json_integer(json, "marks", dust.marks);
    cli_json_close(json, '}');
}

static void print_json(const drawing *d) {
    const cli_list *files = &d->request->output.files;
    cli_json json;
    cli_json_begin(&json, stdout);
    cli_json_open(&json, "views", '[');
    for (int i = 0; i < d->view_count; i++) {
        cli_json_open(&json, NULL, '{');
        cli_json_text(&json, "of", mark_noun(d->views[i]));
        cli_json_integer(&json, "marks", dgm_view_marks(d->views[i]));
        cli_json_integer(&json, "links", dgm_view_links(d->views[i]));
        list_dust(&json, dgm_view_get_dust(d->views[i]));
        dgm_summary_mistakes mistakes = dgm_profile_get_mistakes(dgm_view_profile(d->views[i]));
        cli_json_mistakes(&json, &mistakes);
        cli_json_close(&json, '}');
    }
    cli_json_close(&json, ']');
    cli_json_integer(&json, "panels", d->panel_count);
    cli_json_open(&json, "differ", '[');
    for (int64_t i = 0; i < d->dispute_count; i++) {
        cli_json_open(&json, NULL, '{');
        cli_json_integer(&json, "cluster", d->disputes[i].cluster);
        cli_json_integer(&json, "size", size_of(d, d->disputes[i].cluster));
        cli_json_integer(&json, "judged", d->disputes[i].judged);
        cli_json_integer(&json, "mistakes", d->disputes[i].mistakes);
        if (d->disputes[i].label) {
            cli_json_text(&json, "label", d->disputes[i].label);
            cli_json_text(&json, "prediction", d->disputes[i].prediction);
            cli_json_integer(&json, "confused", d->disputes[i].confused);
        }
        cli_json_close(&json, '}');
    }
    cli_json_close(&json, ']');
    cli_json_open(&json, "outputs", '[');
    for (int i = 0; i < files->count; i++)
        cli_json_text(&json, NULL, files->items[i]);
    cli_json_close(&json, ']');
    cli_json_end(&json);
}

static void free_drawing(drawing *d) {
    dgm_figure_free(d->figure);
    for (int i = 0; i < d->view_count; i++) {
        dgm_view_free(d->views[i]);
        dgm_profile_free(d->saved[i].profile);
        dgm_summary_free(d->saved[i].summary);
    }
    for (int i = 0; i < d->item_count; i++)
        free(d->items[i]);
    dgm_graph_free(d->graph);
}

/* A summary is drawn as one unless its name stands for the graph of another panel. */
static bool draws_summary(const drawing *d) {
    return d->request->operand && !compares_files(d) && !d->request->draw.scatter &&
           dgm_summary_is_file(d->session->ctx, d->request->operand);
}

static int run(cli_session *session, const cli_request *request) {
    drawing *d = calloc(1, sizeof *d);
    if (!d)
        return cli_fail_memory(session);
    d->session = session;
    d->request = request;
    int code = check_request(d);
    bool summary = code == CLI_DONE && draws_summary(d);
    if (code == CLI_DONE)
        code = check_formats(d, summary);
    if (code == CLI_DONE)
        code = make_panels(d, summary);
    if (code == CLI_DONE)
        code = make_figure(d);
    if (code == CLI_DONE)
        code = write_files(d);
    if (code == CLI_DONE && request->common.json)
        print_json(d);
    else if (code == CLI_DONE)
        say_drawing(d);
    free_drawing(d);
    free(d);
    return code;
}

const cli_command cli_draw_command = {
    .name = "draw",
    .summary = "draw a saved summary, a graph or points",
    .usage = "[SUMMARY.json|GRAPH] [OPTIONS] -o FILE...",
    .operand = "SUMMARY|GRAPH",
    .operand_help = "a summary as 'dgm map -o FILE.json' writes it ('-': on stdin), or a graph: a "
                    "file, a dataset folder or a built-in graph (spam, karate, papers)",
    .operand_optional = true,
    .description = description,
    .groups = groups,
    .examples = examples,
    .run = run,
};
