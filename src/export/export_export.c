/* SPDX-License-Identifier: Apache-2.0 */
/* Finds the format of a path, and runs the writer of that format on a summary. */
#include "export_formats.h"

#include <assert.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "base_context.h"
#include "base_memory.h"
#include "base_option.h"

enum { FORMATS = DGM_EXPORT_MD + 1, NO_FIGURE = -1 };

static const char *const extensions[] = {
    [DGM_EXPORT_JSON] = "json", [DGM_EXPORT_SVG] = "svg", [DGM_EXPORT_PDF] = "pdf",
    [DGM_EXPORT_PNG] = "png",   [DGM_EXPORT_CSV] = "csv", [DGM_EXPORT_GRAPHML] = "graphml",
    [DGM_EXPORT_GEXF] = "gexf", [DGM_EXPORT_DOT] = "dot", [DGM_EXPORT_MD] = "md",
    [FORMATS] = NULL,
};

static const struct {
    int figure; /* dgm_figure_format, or NO_FIGURE */
    dgmi_export_writer write[DGMI_EXPORT_PARTS];
} formats[] = {
    [DGM_EXPORT_JSON] = {NO_FIGURE, {dgmi_export_json}},
    [DGM_EXPORT_SVG] = {DGM_FIGURE_SVG, {dgmi_export_svg}},
    [DGM_EXPORT_PDF] = {DGM_FIGURE_PDF, {dgmi_export_pdf}},
    [DGM_EXPORT_PNG] = {DGM_FIGURE_PNG, {dgmi_export_png}},
    [DGM_EXPORT_CSV] = {NO_FIGURE,
                        {dgmi_export_csv_memberships, dgmi_export_csv_clusters,
                         dgmi_export_csv_edges}},
    [DGM_EXPORT_GRAPHML] = {NO_FIGURE, {dgmi_export_graphml}},
    [DGM_EXPORT_GEXF] = {NO_FIGURE, {dgmi_export_gexf}},
    [DGM_EXPORT_DOT] = {NO_FIGURE, {dgmi_export_dot}},
    [DGM_EXPORT_MD] = {NO_FIGURE, {dgmi_export_report}},
};
static_assert(sizeof formats / sizeof *formats == FORMATS, "a row for every format");

const char *const *dgm_export_extensions(void) {
    return extensions;
}

bool dgm_export_is_figure(dgm_export_format format) {
    return formats[format].figure != NO_FIGURE;
}

dgmi_export_writer dgmi_export_writer_of(dgm_export_format format, int part) {
    bool known = (unsigned)format < FORMATS && (unsigned)part < DGMI_EXPORT_PARTS;
    return known ? formats[format].write[part] : NULL;
}

/* ---- paths ---- */

/* Length of the path without the ending of a compressed file. */
static size_t bare_length(const char *path) {
    static const char *const packers[] = {".gz", ".xz", ".zst"};
    size_t length = strlen(path);
    for (size_t i = 0; i < sizeof packers / sizeof *packers; i++) {
        size_t ending = strlen(packers[i]);
        if (length > ending && strcasecmp(path + length - ending, packers[i]) == 0)
            return length - ending;
    }
    return length;
}

/* Where the extension begins, at its dot, in path[0 .. length); NULL if there is none. */
static const char *find_dot(const char *path, size_t length) {
    for (const char *c = path + length; c > path && c[-1] != '/'; c--)
        if (c[-1] == '.')
            return c - 1;
    return NULL;
}

/* The format that does for another one of its kind, or NULL. */
static const char *find_relative(const char *word) {
    static const char *const pairs[][2] = {
        {"jpg", "png"}, {"jpeg", "png"}, {"gif", "png"},  {"tif", "png"},     {"tiff", "png"},
        {"bmp", "png"}, {"webp", "png"}, {"eps", "pdf"},  {"ps", "pdf"},      {"txt", "csv"},
        {"tsv", "csv"}, {"dat", "csv"},  {"xlsx", "csv"}, {"gml", "graphml"}, {"net", "graphml"},
    };
    for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++)
        if (strcmp(pairs[i][0], word) == 0)
            return pairs[i][1];
    return NULL;
}

static bool is_among(const char *word, const char *const *words) {
    for (; *words; words++)
        if (strcasecmp(word, *words) == 0)
            return true;
    return false;
}

static dgm_status fail_extension(dgm_context *ctx, const char *path, const char *word,
                                 const char *what, const char *const *known) {
    char list[256] = "";
    for (int i = 0; known[i]; i++) {
        size_t used = strlen(list);
        snprintf(list + used, sizeof list - used, "%s.%s", i ? " " : "", known[i]);
    }
    if (!*word)
        return dgmi_fail_at(ctx, DGM_ERROR_USAGE, path, 0, -1,
                            "the file's ending says what to write; give it one of %s", list);
    const char *near = find_relative(word);
    if (!near ||
        !is_among(near, known)) /* who knows what a format is called does not mean another */
        near = is_among(word, extensions) ? NULL : dgm_name_nearest(word, known);
    if (near)
        return dgmi_fail_at(ctx, DGM_ERROR_USAGE, path, 0, -1,
                            "%s are not written as .%s; did you mean .%s? (one of %s)", what, word,
                            near, list);
    return dgmi_fail_at(ctx, DGM_ERROR_USAGE, path, 0, -1,
                        "%s are not written as .%s; use one of %s", what, word, list);
}

/* What the build cannot write is refused before any work is done. */
static dgm_status check_figure(dgm_context *ctx, dgm_export_format format) {
    if (!dgm_export_is_figure(format))
        return DGM_OK;
    return dgm_figure_format_check(ctx, (dgm_figure_format)formats[format].figure);
}

enum { WORD_SPACE = 32 };

/* The path's extension, without its dot. */
static void take_extension(const char *path, char word[WORD_SPACE]) {
    size_t length = bare_length(path);
    const char *dot = find_dot(path, length);
    *word = '\0';
    if (dot)
        snprintf(word, WORD_SPACE, "%.*s", (int)(path + length - dot) - 1, dot + 1);
}

/* The dgm_export_format of the path, or -1. */
static int find_format(const char *path) {
    char word[WORD_SPACE];
    if (strcmp(path, "-") == 0)
        return DGM_EXPORT_JSON;
    take_extension(path, word);
    for (int f = 0; f < FORMATS; f++)
        if (strcasecmp(word, extensions[f]) == 0)
            return f;
    return -1;
}

dgm_status dgm_export_format_among(dgm_context *ctx, const char *path, const char *what,
                                   const char *const *known, dgm_export_format *format) {
    int found = find_format(path);
    *format = found < 0 ? DGM_EXPORT_JSON : (dgm_export_format)found;
    if (found >= 0 && is_among(extensions[found], known))
        return check_figure(ctx, *format);
    char word[WORD_SPACE];
    take_extension(path, word);
    return fail_extension(ctx, path, word, what, known);
}

dgm_status dgm_export_format_find(dgm_context *ctx, const char *path, dgm_export_format *format) {
    return dgm_export_format_among(ctx, path, "summaries", extensions, format);
}

/* Words that stand before the ending of a format's second and third file. */
static const char *const part_names[DGMI_EXPORT_PARTS] = {"", ".clusters", ".edges"};

size_t dgm_export_part_path(const char *path, int part, char *buffer, size_t size) {
    int format = find_format(path);
    if (format < 0 || !dgmi_export_writer_of((dgm_export_format)format, part))
        return 0;
    const char *dot = find_dot(path, bare_length(path));
    size_t before = part == 0 || !dot ? strlen(path) : (size_t)(dot - path);
    int length =
        snprintf(buffer, size, "%.*s%s%s", (int)before, path, part_names[part], path + before);
    return length > 0 ? (size_t)length : 0;
}

/* ---- one summary ---- */

/* A profile that knows nothing stands for one that was not given. */
static dgm_status open_profile(dgmi_export *job, const dgm_profile *given) {
    if (given && dgm_profile_clusters(given) != job->clusters.count)
        return dgmi_fail(job->ctx, DGM_ERROR_USAGE, "the profile is not one of this summary");
    dgm_status status =
        given ? DGM_OK : dgmi_mapper_profile_open(job->ctx, job->clusters.count, &job->own_profile);
    job->profile = given ? given : job->own_profile;
    return status;
}

/* The graph has the names of a summary's members, which know their numbers. */
static dgm_status check_graph(const dgmi_export *job) {
    if (!job->graph)
        return DGM_OK;
    int64_t nodes = dgm_summary_get_coverage(job->summary).nodes;
    if (nodes == dgm_graph_nodes(job->graph))
        return DGM_OK;
    return dgmi_fail(job->ctx, DGM_ERROR_USAGE,
                     "the summary is of a graph of %lld nodes, and this one has %lld",
                     (long long)nodes, (long long)dgm_graph_nodes(job->graph));
}

dgm_status dgmi_export_open(dgmi_export *job, dgm_context *ctx, const dgm_export_subject *subject) {
    *job = (dgmi_export){
        .ctx = ctx, .summary = subject->summary, .graph = subject->graph, .places = {.layout = -1}};
    job->names.allocator = ctx->allocator;
    dgmi_text_init(&job->text, ctx);
    job->view = subject->view;
    if (subject->places)
        job->places = *subject->places;
    else if (subject->view)
        job->places = dgm_view_get_places(subject->view);
    dgm_figure_options_init(&job->figure_options);
    dgm_status status =
        DGMI_OPTIONS_TAKE(ctx, dgm_figure_options, names, subject->figure, &job->figure_options);
    if (status == DGM_OK)
        status = check_graph(job);
    if (status != DGM_OK)
        return status;
    job->provenance = dgm_summary_get_provenance(job->summary);
    job->clusters = dgm_summary_get_clusters(job->summary);
    job->edges = dgm_summary_edges(job->summary, &job->edge_count);
    dgmi_export_looks_open(job);
    status = open_profile(job, subject->profile);
    if (status == DGM_OK)
        status = dgmi_export_facts_make(ctx, job->summary, job->profile, &job->places, &job->facts);
    return status;
}

void dgmi_export_close(dgmi_export *job) {
    dgm_figure_free(job->own_figure);
    dgm_view_free(job->own_view);
    dgm_profile_free(job->own_profile);
    dgmi_mapper_names_free(&job->names);
}

dgm_status dgmi_export_run(dgmi_export *job, dgmi_export_writer write, const dgm_sink *sink) {
    job->sink = sink;
    job->text.length = 0;
    job->pause = 0;
    write(job);
    dgmi_export_flush(job);
    return job->text.status;
}

void dgmi_export_note_replaced(const dgmi_export *job) {
    if (job->replaced)
        dgmi_note(job->ctx, "some names are not valid UTF-8 or hold characters that the format "
                            "forbids; U+FFFD stands for those");
}

static dgm_status fail_part(dgm_context *ctx, dgm_export_format format, int part) {
    return dgmi_fail(ctx, DGM_ERROR_USAGE, "there is no part %d of an export format %d", part,
                     (int)format);
}

/* Writes a part into a sink. Without a sink all of it is in *text, which the caller owns. */
static dgm_status write_part(dgm_context *ctx, const dgm_export_subject *subject,
                             dgmi_export_writer write, const dgm_sink *sink, dgmi_text *text) {
    dgmi_hold hold = dgmi_arena_hold(ctx);
    dgmi_export job;
    dgm_status status = dgmi_export_open(&job, ctx, subject);
    if (status == DGM_OK)
        status = dgmi_export_run(&job, write, sink);
    if (status == DGM_OK)
        dgmi_export_note_replaced(&job);
    *text = job.text;
    dgmi_export_close(&job);
    dgmi_arena_release(ctx, hold);
    return status;
}

/* Writes all of a part into memory. */
static dgm_status write_text(dgm_context *ctx, const dgm_export_subject *subject,
                             dgmi_export_writer write, char **text, size_t *length) {
    dgmi_text made;
    dgm_status status = write_part(ctx, subject, write, NULL, &made);
    if (status != DGM_OK) {
        dgmi_text_free(&made);
        return status;
    }
    *text = made.data;
    if (length)
        *length = (size_t)made.length;
    return DGM_OK;
}

dgm_status dgm_export_text(dgm_context *ctx, const dgm_export_subject *subject,
                           dgm_export_format format, int part, char **text, size_t *length) {
    dgmi_export_writer write = dgmi_export_writer_of(format, part);
    *text = NULL;
    if (length)
        *length = 0;
    return write ? write_text(ctx, subject, write, text, length) : fail_part(ctx, format, part);
}

dgm_status dgm_report_text(dgm_context *ctx, const dgm_export_subject *subject, char **text,
                           size_t *length) {
    *text = NULL;
    if (length)
        *length = 0;
    return write_text(ctx, subject, dgmi_export_report_plain, text, length);
}

dgm_status dgm_export_stream(dgm_context *ctx, const dgm_export_subject *subject,
                             dgm_export_format format, int part, const dgm_sink *sink) {
    dgmi_export_writer write = dgmi_export_writer_of(format, part);
    dgmi_text rest;
    if (!write)
        return fail_part(ctx, format, part);
    dgm_status status = write_part(ctx, subject, write, sink, &rest);
    dgmi_text_free(&rest);
    return status;
}

void dgm_export_text_free(dgm_context *ctx, char *text) {
    dgmi_free(ctx, text);
}
