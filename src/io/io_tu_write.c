/* SPDX-License-Identifier: Apache-2.0 */
/* A set of graphs into a TU folder, as io_tu.c and io_set.c read it. An undirected edge stands
 * there in both directions, as in the collection. */
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base_context.h"
#include "base_memory.h"
#include "base_text.h"
#include "bytes_path.h"
#include "graph_set.h"
#include "io_new_folder.h"

#define FOLDS "10fold_idx"

/* What one folder is written from. */
typedef struct {
    const dgm_graph_set *set;
    char name[200];     /* NAME of the files */
    bool numbers_named; /* classes of nodes are called by whole numbers, which are their labels */
    int32_t fold;       /* the index file that is written */
} job;

/* ---- one file each ---- */

static dgm_status write_edges(dgm_context *ctx, const void *what, dgmi_bytes_output *output) {
    const job *j = what;
    dgm_graph_rows rows = dgm_graph_get_rows(dgm_graph_set_union(j->set));
    dgm_status status = DGM_OK;
    dgmi_text text;
    dgmi_text_init(&text, ctx);
    for (int64_t u = 0; status == DGM_OK && u < rows.nodes; u++) {
        for (int64_t e = rows.offsets[u]; e < rows.offsets[u + 1]; e++) {
            dgmi_text_integer(&text, u + 1);
            dgmi_text_append(&text, ", ", 2);
            dgmi_text_integer(&text, (int64_t)rows.targets[e] + 1);
            dgmi_text_append(&text, "\n", 1);
        }
        status = dgmi_bytes_output_drain(output, &text, false);
    }
    return dgmi_io_end_text(output, &text, status);
}

static dgm_status write_indicator(dgm_context *ctx, const void *what, dgmi_bytes_output *output) {
    const job *j = what;
    const int64_t *offsets = dgm_graph_set_offsets(j->set);
    dgm_status status = DGM_OK;
    dgmi_text text;
    dgmi_text_init(&text, ctx);
    for (int64_t k = 0; status == DGM_OK && k < dgm_graph_set_count(j->set); k++) {
        for (int64_t u = offsets[k]; u < offsets[k + 1]; u++) {
            dgmi_text_integer(&text, k + 1);
            dgmi_text_append(&text, "\n", 1);
        }
        status = dgmi_bytes_output_drain(output, &text, false);
    }
    return dgmi_io_end_text(output, &text, status);
}

static dgm_status write_graph_labels(dgm_context *ctx, const void *what,
                                     dgmi_bytes_output *output) {
    const job *j = what;
    const int32_t *classes = dgm_graph_set_classes(j->set, NULL);
    dgm_status status = DGM_OK;
    dgmi_text text;
    dgmi_text_init(&text, ctx);
    for (int64_t k = 0; status == DGM_OK && k < dgm_graph_set_count(j->set); k++) {
        dgmi_text_integer(&text, dgm_graph_set_class_number(j->set, classes[k]));
        dgmi_text_append(&text, "\n", 1);
        status = dgmi_bytes_output_drain(output, &text, false);
    }
    return dgmi_io_end_text(output, &text, status);
}

static dgm_status write_node_labels(dgm_context *ctx, const void *what, dgmi_bytes_output *output) {
    const job *j = what;
    const dgm_graph *united = dgm_graph_set_union(j->set);
    const int32_t *labels = dgm_graph_labels(united);
    dgm_status status = DGM_OK;
    dgmi_text text;
    dgmi_text_init(&text, ctx);
    for (int64_t u = 0; status == DGM_OK && u < dgm_graph_nodes(united); u++) {
        if (j->numbers_named)
            dgmi_text_string(&text, dgm_graph_class_name(united, labels[u]));
        else
            dgmi_text_integer(&text, dgm_graph_class_number(united, labels[u]));
        dgmi_text_append(&text, "\n", 1);
        status = dgmi_bytes_output_drain(output, &text, false);
    }
    return dgmi_io_end_text(output, &text, status);
}

/* The place of the node's value in that column among the values, or -1 where it is 0; *next is the
 * first of a sparse row that was not met yet. */
static int64_t find_value(const dgm_graph_features *features, int64_t node, int64_t column,
                          int64_t *next) {
    if (!features->offsets)
        return node * features->width + column;
    bool there = *next < features->offsets[node + 1] && features->columns[*next] == column;
    return there ? (*next)++ : -1;
}

static void write_row(dgmi_text *text, const dgm_graph_features *features, int64_t node) {
    int64_t next = features->offsets ? features->offsets[node] : 0;
    for (int64_t c = 0; c < features->width; c++) {
        int64_t place = find_value(features, node, c, &next);
        if (c > 0)
            dgmi_text_append(text, ", ", 2);
        if (place < 0 || !features->values)
            dgmi_text_integer(text, place >= 0);
        else
            dgmi_text_real(text, (double)features->values[place]);
    }
    dgmi_text_append(text, "\n", 1);
}

static dgm_status write_node_attributes(dgm_context *ctx, const void *what,
                                        dgmi_bytes_output *output) {
    const job *j = what;
    const dgm_graph *united = dgm_graph_set_union(j->set);
    dgm_graph_features features = dgm_graph_get_features(united);
    dgm_status status = DGM_OK;
    dgmi_text text;
    dgmi_text_init(&text, ctx);
    for (int64_t u = 0; status == DGM_OK && u < dgm_graph_nodes(united); u++) {
        write_row(&text, &features, u);
        status = dgmi_bytes_output_drain(output, &text, false);
    }
    return dgmi_io_end_text(output, &text, status);
}

/* ---- folds ---- */

static dgm_status write_index(dgm_context *ctx, const void *what, dgmi_bytes_output *output) {
    const job *j = what;
    const int32_t *folds = dgm_graph_set_folds(j->set, NULL);
    dgm_status status = DGM_OK;
    dgmi_text text;
    dgmi_text_init(&text, ctx);
    for (int64_t k = 0; status == DGM_OK && k < dgm_graph_set_count(j->set); k++) {
        if (folds[k] != j->fold)
            continue;
        dgmi_text_integer(&text, k);
        dgmi_text_append(&text, "\n", 1);
        status = dgmi_bytes_output_drain(output, &text, false);
    }
    return dgmi_io_end_text(output, &text, status);
}

static void index_name(int32_t fold, char name[64]) {
    snprintf(name, 64, FOLDS "/test_idx-%d.txt", (int)fold + 1);
}

static dgm_status write_folds(dgm_context *ctx, const char *folder, const job *j) {
    int32_t count;
    if (!dgm_graph_set_folds(j->set, &count))
        return DGM_OK;
    char *inner = dgmi_bytes_path_join(ctx, folder, FOLDS);
    dgm_status status = inner ? DGM_OK : DGM_ERROR_MEMORY;
    if (status == DGM_OK && mkdir(inner, 0777) != 0)
        status = dgmi_fail_in(ctx, DGM_ERROR_FILE, inner, "cannot be made: %s", strerror(errno));
    dgmi_free(ctx, inner);
    for (job one = *j; status == DGM_OK && one.fold < count; one.fold++) {
        char name[64];
        index_name(one.fold, name);
        status = dgmi_io_write_file(ctx, folder, name, write_index, &one);
    }
    return status;
}

/* ---- what is lost ---- */

static bool keeps_attributes(const dgm_graph *united) {
    for (int64_t i = 0; i < dgm_graph_attributes(united); i++) {
        const char *name = dgm_graph_attribute(united, i).name;
        if (strcmp(name, "graph") != 0 && strcmp(name, "graph_label") != 0)
            return false;
    }
    return true;
}

/* Whether every node has a class, and every class is called by a whole number. */
static bool classes_are_numbers(const dgm_graph *united) {
    const int32_t *labels = dgm_graph_labels(united);
    int64_t number;
    for (int64_t u = 0; labels && u < dgm_graph_nodes(united); u++)
        if (labels[u] < 0)
            return false;
    for (int32_t c = 0; c < dgm_graph_classes(united); c++) {
        const char *name = dgm_graph_class_name(united, c);
        if (!name || !dgmi_parse_integer(name, strlen(name), &number) || number < INT32_MIN ||
            number > INT32_MAX)
            return false;
    }
    return labels != NULL;
}

/* The set has nodes, so that some graph is not empty. */
static int64_t count_last_empty(const dgm_graph_set *set) {
    const int64_t *offsets = dgm_graph_set_offsets(set);
    int64_t count = dgm_graph_set_count(set), last = count;
    while (offsets[last - 1] == offsets[count])
        last--;
    return count - last;
}

static void note_losses(dgm_context *ctx, const job *j, const char *path) {
    const dgm_graph *united = dgm_graph_set_union(j->set);
    bool class_names = dgm_graph_classes(united) > 0 && dgm_graph_class_name(united, 0);
    const struct {
        bool lost;
        const char *what;
    } parts[] = {
        {dgm_graph_name_base(united) < 0, "names"},
        {dgm_graph_get_rows(united).weights != NULL, "weights"},
        {class_names && !j->numbers_named, "names of classes"},
        {dgm_graph_splits(united) != NULL, "the split"},
        {!keeps_attributes(united), "attributes"},
        {!dgm_graph_set_classes(j->set, NULL) && count_last_empty(j->set) > 0,
         "graphs without nodes behind the last one that has some"},
    };
    char list[160] = "";
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) {
        size_t used = strlen(list);
        if (parts[i].lost)
            snprintf(list + used, sizeof list - used, "%s%s", used ? ", " : "", parts[i].what);
    }
    if (list[0])
        dgmi_note(ctx, "%s: this format does not keep %s", path, list);
}

/* ---- the folder ---- */

static const struct {
    const char *what;
    dgmi_io_file_writer writer;
} files[] = {
    {"A", write_edges},
    {"graph_indicator", write_indicator},
    {"graph_labels", write_graph_labels},
    {"node_labels", write_node_labels},
    {"node_attributes", write_node_attributes},
};
enum { FILES = sizeof files / sizeof *files };

static void file_name(const job *j, int i, char name[256]) {
    snprintf(name, 256, "%s_%s.txt", j->name, files[i].what);
}

static dgm_status write_files(dgm_context *ctx, const char *folder, const void *what) {
    const job *j = what;
    const dgm_graph *united = dgm_graph_set_union(j->set);
    const bool there[FILES] = {true, true, dgm_graph_set_classes(j->set, NULL),
                               dgm_graph_labels(united), dgm_graph_get_features(united).width > 0};
    dgm_status status = DGM_OK;
    for (int i = 0; status == DGM_OK && i < FILES; i++) {
        char name[256];
        file_name(j, i, name);
        if (there[i])
            status = dgmi_io_write_file(ctx, folder, name, files[i].writer, j);
    }
    return status == DGM_OK ? write_folds(ctx, folder, j) : status;
}

static void remove_files(const char *folder, const void *what) {
    const job *j = what;
    int32_t folds;
    char name[256], inner[4096];
    for (int i = 0; i < FILES; i++) {
        file_name(j, i, name);
        dgmi_io_remove_file(folder, name);
    }
    dgm_graph_set_folds(j->set, &folds);
    for (int32_t f = 0; f < folds; f++) {
        index_name(f, name);
        dgmi_io_remove_file(folder, name);
    }
    if (snprintf(inner, sizeof inner, "%s/%s", folder, FOLDS) < (int)sizeof inner)
        rmdir(inner);
}

/* The last part of the path. */
static dgm_status find_name(dgm_context *ctx, const char *path, char *name, size_t size) {
    size_t length = strlen(path);
    while (length > 1 && path[length - 1] == '/')
        length--;
    size_t start = length;
    while (start > 0 && path[start - 1] != '/')
        start--;
    if (length == start || length - start >= size)
        return dgmi_fail_in(ctx, DGM_ERROR_FILE, path,
                            "the name of the folder must have 1 to %zu bytes, since its files are "
                            "called by it",
                            size - 1);
    memcpy(name, path + start, length - start);
    name[length - start] = '\0';
    return DGM_OK;
}

dgm_status dgm_graph_set_write(dgm_context *ctx, const dgm_graph_set *set, const char *path) {
    const dgm_graph *united = dgm_graph_set_union(set);
    job j = {.set = set, .numbers_named = classes_are_numbers(united)};
    if (dgm_graph_nodes(united) == 0)
        return dgmi_fail_in(ctx, DGM_ERROR_DATA, path,
                            "a set without nodes cannot be written as a TU folder");
    dgm_status status = find_name(ctx, path, j.name, sizeof j.name);
    if (status == DGM_OK)
        status = dgmi_io_make_folder(ctx, path,
                                     &(dgmi_io_folder_content){write_files, remove_files, &j});
    if (status == DGM_OK)
        note_losses(ctx, &j, path);
    return status;
}
