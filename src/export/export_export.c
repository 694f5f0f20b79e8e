/* SPDX-License-Identifier: Apache-2.0 */
/* Which files a path asks for, and all of them or none. */
#include "export_formats.h"

#include <assert.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "base_context.h"
#include "base_memory.h"
#include "base_option.h"

enum { FORMATS = DGM_EXPORT_DOT + 1, PARTS = 3, NO_FIGURE = -1 };

static const char *const extensions[] = {
    [DGM_EXPORT_JSON] = "json", [DGM_EXPORT_SVG] = "svg", [DGM_EXPORT_PDF] = "pdf",
    [DGM_EXPORT_PNG] = "png",   [DGM_EXPORT_CSV] = "csv", [DGM_EXPORT_GRAPHML] = "graphml",
    [DGM_EXPORT_GEXF] = "gexf", [DGM_EXPORT_DOT] = "dot", [FORMATS] = NULL,
};

static const struct {
    int figure; /* dgm_figure_format, or NO_FIGURE */
    dgmi_export_writer write[PARTS];
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
};
static_assert(sizeof formats / sizeof *formats == FORMATS, "a row for every format");

const char *const *dgm_export_extensions(void) {
    return extensions;
}

bool dgm_export_is_figure(dgm_export_format format) {
    return formats[format].figure != NO_FIGURE;
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

static dgm_status fail_extension(dgm_context *ctx, const char *path, const char *word) {
    char list[128] = "";
    for (int f = 0; f < FORMATS; f++) {
        size_t used = strlen(list);
        snprintf(list + used, sizeof list - used, "%s.%s", f ? " " : "", extensions[f]);
    }
    if (!*word)
        return dgmi_fail_at(ctx, DGM_ERROR_USAGE, path, 0, -1,
                            "the file's ending says what to write; give it one of %s", list);
    const char *near = find_relative(word);
    if (!near)
        near = dgm_name_nearest(word, extensions);
    if (near)
        return dgmi_fail_at(ctx, DGM_ERROR_USAGE, path, 0, -1,
                            "summaries are not written as .%s; did you mean .%s? (one of %s)", word,
                            near, list);
    return dgmi_fail_at(ctx, DGM_ERROR_USAGE, path, 0, -1,
                        "summaries are not written as .%s; use one of %s", word, list);
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

dgm_status dgm_export_format_find(dgm_context *ctx, const char *path, dgm_export_format *format) {
    int found = find_format(path);
    *format = found < 0 ? DGM_EXPORT_JSON : (dgm_export_format)found;
    if (found >= 0)
        return check_figure(ctx, *format);
    char word[WORD_SPACE];
    take_extension(path, word);
    return fail_extension(ctx, path, word);
}

/* Words that stand before the ending of a format's second and third file. */
static const char *const part_names[PARTS] = {"", ".clusters", ".edges"};

size_t dgm_export_part_path(const char *path, int part, char *buffer, size_t size) {
    int format = find_format(path);
    if (format < 0 || (unsigned)part >= PARTS || !formats[format].write[part])
        return 0;
    const char *dot = find_dot(path, bare_length(path));
    size_t before = part == 0 || !dot ? strlen(path) : (size_t)(dot - path);
    int length =
        snprintf(buffer, size, "%.*s%s%s", (int)before, path, part_names[part], path + before);
    return length > 0 ? (size_t)length : 0;
}

/* out/k.csv.gz -> out/k.clusters.csv.gz, in scratch memory. */
static const char *part_path(dgm_context *ctx, const char *path, int part) {
    size_t space = dgm_export_part_path(path, part, NULL, 0) + 1;
    char *result = dgmi_scratch(ctx, (int64_t)space, 1);
    if (result)
        dgm_export_part_path(path, part, result, space);
    return result;
}

/* Past "./" and repeated slashes, which do not change where a path leads. */
static const char *skip_idle(const char *path, const char *start) {
    for (;;) {
        bool begins = path == start || path[-1] == '/';
        if (begins && path > start && *path == '/')
            path++;
        else if (begins && path[0] == '.' && path[1] == '/')
            path += 2;
        else
            return path;
    }
}

static bool same_path(const char *a, const char *b) {
    for (const char *x = a, *y = b;; x++, y++) {
        x = skip_idle(x, a);
        y = skip_idle(y, b);
        if (*x != *y)
            return false;
        if (!*x)
            return true;
    }
}

/* ---- the files of one call ---- */

typedef struct {
    const char *path;
    dgmi_export_writer write;
    dgmi_bytes_output *output;
    char *drawn; /* a figure's bytes, owned */
    int64_t length;
} target;

static dgm_status add_target(dgm_context *ctx, target *targets, int *count, const char *path,
                             dgmi_export_writer write) {
    if (!path)
        return DGM_ERROR_MEMORY;
    for (int i = 0; i < *count; i++)
        if (same_path(targets[i].path, path))
            return dgmi_fail_at(ctx, DGM_ERROR_USAGE, path, 0, -1,
                                "this output is asked for twice; give each its own name");
    targets[(*count)++] = (target){.path = path, .write = write};
    return DGM_OK;
}

static dgm_status list_targets(dgm_context *ctx, const char *const *paths, int count,
                               target *targets, int *found) {
    dgm_status status = DGM_OK;
    *found = 0;
    for (int i = 0; i < count && status == DGM_OK; i++) {
        dgm_export_format format;
        status = dgm_export_format_find(ctx, paths[i], &format);
        if (status == DGM_OK)
            status = add_target(ctx, targets, found, paths[i], formats[format].write[0]);
        for (int part = 1; status == DGM_OK && part < PARTS && formats[format].write[part]; part++)
            status = add_target(ctx, targets, found, part_path(ctx, paths[i], part),
                                formats[format].write[part]);
    }
    return status;
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

/* Takes scratch memory: the caller holds the mark, and closes the job whatever comes back. */
static dgm_status open_job(dgmi_export *job, dgm_context *ctx, const dgm_export_subject *subject) {
    *job = (dgmi_export){
        .ctx = ctx, .summary = subject->summary, .graph = subject->graph, .places = {.layout = -1}};
    dgmi_text_init(&job->text, ctx);
    if (subject->places)
        job->places = *subject->places;
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

/* The text stays, for whoever takes it. */
static void close_job(dgmi_export *job) {
    dgm_figure_free(job->own_figure);
    dgm_view_free(job->view);
    dgm_profile_free(job->own_profile);
}

/* Everything that the writer writes, into output, or into job->text where output is NULL. */
static dgm_status run_writer(dgmi_export *job, dgmi_export_writer write,
                             dgmi_bytes_output *output) {
    job->output = output;
    job->text.length = 0;
    job->pause = 0;
    write(job);
    dgmi_export_flush(job);
    return job->text.status;
}

static void note_replaced(const dgmi_export *job) {
    if (job->replaced)
        dgmi_note(job->ctx, "some names are not valid UTF-8 or hold characters that the format "
                            "forbids; U+FFFD stands for those");
}

/* Standard output comes first: it fails more often than a rename does. */
static dgm_status publish(target *targets, int count) {
    dgm_status status = DGM_OK;
    for (int files = 0; files < 2; files++)
        for (int i = 0; i < count && status == DGM_OK; i++) {
            if ((strcmp(targets[i].path, "-") != 0) != files)
                continue;
            status = dgmi_bytes_output_publish(targets[i].output);
            targets[i].output = NULL;
        }
    return status;
}

/* Figures come first, while no file is open: the libraries that draw them may end the process, and
 * then nothing half written is left behind. */
static dgm_status draw_targets(dgmi_export *job, target *targets, int count) {
    dgm_status status = DGM_OK;
    for (int i = 0; i < count && status == DGM_OK; i++) {
        if (targets[i].write != dgmi_export_pdf && targets[i].write != dgmi_export_png)
            continue;
        status = run_writer(job, targets[i].write, NULL);
        targets[i].drawn = job->text.data;
        targets[i].length = job->text.length;
        dgmi_text_init(&job->text, job->ctx);
    }
    return status;
}

static dgm_status write_target(dgmi_export *job, const target *to) {
    dgm_status status = to->drawn
                            ? dgmi_bytes_output_write(to->output, to->drawn, (size_t)to->length)
                            : run_writer(job, to->write, to->output);
    return status == DGM_OK ? dgmi_bytes_output_close(to->output) : status;
}

/* Opens all the files, writes them, closes them, and only then gives them their names. */
static dgm_status write_targets(dgmi_export *job, target *targets, int count) {
    dgm_status status = draw_targets(job, targets, count);
    for (int i = 0; i < count && status == DGM_OK; i++)
        status = dgmi_bytes_output_open(job->ctx, targets[i].path, &targets[i].output);
    for (int i = 0; i < count && status == DGM_OK; i++)
        status = write_target(job, &targets[i]);
    if (status == DGM_OK)
        status = publish(targets, count);
    if (status == DGM_OK)
        note_replaced(job);
    for (int i = 0; i < count; i++) {
        dgmi_bytes_output_discard(targets[i].output);
        dgmi_free(job->ctx, targets[i].drawn);
    }
    return status;
}

dgm_status dgm_export_write(dgm_context *ctx, const dgm_export_subject *subject,
                            const char *const *paths, int count) {
    dgmi_hold hold = dgmi_arena_hold(ctx);
    dgmi_export job = {.ctx = ctx};
    int found = 0;
    dgm_status status = DGM_ERROR_MEMORY;
    dgmi_text_init(&job.text, ctx);
    target *targets = dgmi_scratch(ctx, (int64_t)count * PARTS, sizeof *targets);
    if (targets)
        status = list_targets(ctx, paths, count, targets, &found);
    if (status == DGM_OK)
        status = open_job(&job, ctx, subject);
    if (status == DGM_OK)
        status = write_targets(&job, targets, found);
    close_job(&job);
    dgmi_text_free(&job.text);
    dgmi_arena_release(ctx, hold);
    return status;
}

dgm_status dgm_export_text(dgm_context *ctx, const dgm_export_subject *subject,
                           dgm_export_format format, int part, char **text, size_t *length) {
    *text = NULL;
    if (length)
        *length = 0;
    if ((unsigned)format >= FORMATS || (unsigned)part >= PARTS || !formats[format].write[part])
        return dgmi_fail(ctx, DGM_ERROR_USAGE, "there is no part %d of an export format %d", part,
                         (int)format);
    dgmi_hold hold = dgmi_arena_hold(ctx);
    dgmi_export job;
    dgm_status status = open_job(&job, ctx, subject);
    if (status == DGM_OK)
        status = run_writer(&job, formats[format].write[part], NULL);
    if (status == DGM_OK) {
        *text = job.text.data;
        if (length)
            *length = (size_t)job.text.length;
        note_replaced(&job);
    } else {
        dgmi_text_free(&job.text);
    }
    close_job(&job);
    dgmi_arena_release(ctx, hold);
    return status;
}

void dgm_export_text_free(dgm_context *ctx, char *text) {
    dgmi_free(ctx, text);
}

/* ---- figures that stand for themselves ---- */

static void write_given_json(dgmi_export *job) {
    dgmi_text_append(&job->text, job->json, job->json_length);
}

static dgm_status list_figure_targets(dgm_context *ctx, const char *const *paths, int count,
                                      bool json, target *targets, int *found) {
    dgm_status status = DGM_OK;
    for (int i = 0; i < count && status == DGM_OK; i++) {
        dgm_export_format format;
        status = dgm_export_format_find(ctx, paths[i], &format);
        bool is_json = json && format == DGM_EXPORT_JSON;
        if (status == DGM_OK && !is_json && !dgm_export_is_figure(format))
            status = dgmi_fail_at(ctx, DGM_ERROR_USAGE, paths[i], 0, -1,
                                  "figures are written as .svg .pdf .png%s, not as .%s",
                                  json ? " .json" : "", extensions[format]);
        if (status == DGM_OK)
            status = add_target(ctx, targets, found, paths[i],
                                is_json ? write_given_json : formats[format].write[0]);
    }
    return status;
}

dgm_status dgm_figure_write(dgm_context *ctx, const dgm_figure *figure, const char *json,
                            size_t json_length, const char *const *paths, int count) {
    dgmi_hold hold = dgmi_arena_hold(ctx);
    dgmi_export job = {.ctx = ctx, .figure = figure, .json = json, .json_length = json_length};
    int found = 0;
    dgm_status status = DGM_ERROR_MEMORY;
    dgmi_text_init(&job.text, ctx);
    target *targets = dgmi_scratch(ctx, count, sizeof *targets);
    if (targets)
        status = list_figure_targets(ctx, paths, count, json != NULL, targets, &found);
    if (status == DGM_OK)
        status = write_targets(&job, targets, found);
    dgmi_text_free(&job.text);
    dgmi_arena_release(ctx, hold);
    return status;
}
