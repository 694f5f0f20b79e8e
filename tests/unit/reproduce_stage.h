/* SPDX-License-Identifier: Apache-2.0 */
/* A part of the report on a stage: a test says what its commands leave in files, and then looks at
 * what the part has recorded. Summaries and sweeps are sketched by hand, so that the right answer
 * is known. Included once, after cmocka.h. */
#ifndef REPRODUCE_STAGE_H
#define REPRODUCE_STAGE_H

#include "io_scratch.h"

#include "base_context.h"
#include "reproduce_parts.h"

static dgm_reproduce_options stage_options = DGM_REPRODUCE_OPTIONS_INIT;
static dgmi_reproduce_record stage_record;
static dgmi_reproduce_making stage = {NULL, &stage_options, "", &stage_record};

/* ---- the stage ---- */

/* Goes into a folder of its own, which has the folders "data" and "tables". */
static inline int stage_begin(void **state) {
    if (scratch_begin(state) || chdir(scratch_root) != 0 || mkdir("data", 0777) != 0 ||
        mkdir("tables", 0777) != 0)
        return -1;
    stage.ctx = ctx;
    dgmi_reproduce_record_init(&stage_record, ctx);
    return 0;
}

static inline int stage_end(void **state) {
    dgmi_reproduce_record_free(&stage_record);
    return scratch_end(state);
}

/* An empty record for a part of that name, whose commands `command` runs. */
static inline void stage_set(const char *name, dgm_reproduce_command_fn command) {
    dgmi_reproduce_record_free(&stage_record);
    dgm_reproduce_options_init(&stage_options);
    stage_options.command = command;
    stage.name = name;
}

/* Empties a folder, which need not be there. */
static inline void stage_clear(const char *folder) {
    nftw(folder, scratch_remove, 16, FTW_DEPTH | FTW_PHYS);
    assert_int_equal(mkdir(folder, 0777), 0);
}

/* Makes a part by its name, with nothing left of an earlier one. */
static inline dgm_status stage_make(const char *name, dgm_reproduce_command_fn command) {
    const dgmi_reproduce_plan *plan = NULL;
    for (size_t i = 0; (plan = dgmi_reproduce_plan_at(i)); i++)
        if (strcmp(plan->part.name, name) == 0)
            break;
    assert_non_null(plan);
    bool quick = stage_options.quick;
    int64_t seed = stage_options.seed;
    stage_set(name, command);
    stage_options.quick = quick;
    stage_options.seed = seed;
    stage_clear("tables");
    stage_clear(name);
    dgm_status status = plan->make(&stage);
    return status == DGM_OK ? stage_record.status : status;
}

/* The part shows this picture once. */
static inline void stage_check_picture(const char *file) {
    int shown = 0;
    for (int64_t i = 0; i < stage_record.count; i++)
        shown += stage_record.items[i].kind == DGMI_REPRODUCE_PICTURE &&
                 strcmp(stage_record.items[i].more, file) == 0;
    if (shown != 1)
        fail_msg("%s is shown %d times", file, shown);
}

/* What a command draws is shown. */
static inline void stage_check_pictures(void) {
    for (int64_t i = 0; i < stage_record.count; i++) {
        const dgmi_reproduce_item *item = &stage_record.items[i];
        const char *at = item->text;
        while (item->kind == DGMI_REPRODUCE_COMMAND && (at = strstr(at, " -o "))) {
            char file[128];
            at += strlen(" -o ");
            size_t length = strcspn(at, " ");
            snprintf(file, sizeof file, "%.*s", (int)length, at);
            if (length > 4 &&
                (strcmp(file + length - 4, ".svg") == 0 || strcmp(file + length - 4, ".png") == 0))
                stage_check_picture(file);
        }
    }
}

static inline void stage_makes(const char *name, dgm_reproduce_command_fn command) {
    if (stage_make(name, command) != DGM_OK)
        fail_msg("%s: %s", name, dgm_context_error(ctx));
    stage_check_pictures();
}

/* The part cannot be made, and the error holds these words. */
static inline void stage_fails(const char *name, dgm_reproduce_command_fn command,
                               const char *words) {
    assert_true(stage_make(name, command) != DGM_OK);
    scratch_check_error(words);
}

static dgm_reproduce_command_fn stage_command;
static int stage_commands_left; /* before the one that fails */

static inline dgm_status stage_fail_later(void *user, int count, const char *const *words) {
    if (stage_commands_left-- == 0)
        return dgmi_fail(ctx, DGM_ERROR_FILE, "this command fails");
    return stage_command(user, count, words);
}

/* A part ends with the first of its commands that fails, whichever that is, and with its error. */
static inline void stage_needs_every_command(const char *name, dgm_reproduce_command_fn command) {
    stage_command = command;
    for (int k = 0;; k++) {
        stage_commands_left = k;
        dgm_status status = stage_make(name, stage_fail_later);
        if (stage_commands_left >= 0) { /* none failed */
            assert_int_equal(status, DGM_OK);
            assert_true(k > 0);
            return;
        }
        assert_int_equal(status, DGM_ERROR_FILE);
        scratch_check_error("this command fails");
    }
}

/* ---- what the part has recorded ---- */

static inline int64_t stage_count(dgmi_reproduce_kind kind) {
    int64_t count = 0;
    for (int64_t i = 0; i < stage_record.count; i++)
        count += stage_record.items[i].kind == kind;
    return count;
}

/* The only item of that kind whose text begins with these words. */
static inline const dgmi_reproduce_item *stage_find(dgmi_reproduce_kind kind, const char *words) {
    const dgmi_reproduce_item *found = NULL;
    for (int64_t i = 0; i < stage_record.count; i++) {
        const dgmi_reproduce_item *item = &stage_record.items[i];
        if (item->kind != kind || strncmp(item->text, words, strlen(words)) != 0)
            continue;
        if (found)
            fail_msg("\"%s\" is said twice", words);
        found = item;
    }
    if (!found) {
        for (int64_t i = 0; i < stage_record.count; i++)
            if (stage_record.items[i].kind == kind)
                print_message("# %s\n#   %s\n", stage_record.items[i].text,
                              stage_record.items[i].more ? stage_record.items[i].more : "");
        fail_msg("nothing begins with \"%s\"", words);
    }
    return found;
}

/* The claim that begins with `claim` has this verdict, and exactly these words for what was found. */
static inline void stage_claims(const char *claim, bool holds, const char *found) {
    const dgmi_reproduce_item *item = stage_find(DGMI_REPRODUCE_CLAIM, claim);
    assert_string_equal(item->more, found);
    if (item->holds != holds)
        fail_msg("\"%s\" %s, by %s", claim, holds ? "does not hold" : "holds", found);
}

static inline int count_tabs(const char *text) {
    int count = 0;
    for (; *text; text++)
        count += *text == '\t';
    return count;
}

/* Every row stands below a head of as many columns. */
static inline void stage_check_tables(void) {
    const char *head = NULL;
    for (int64_t i = 0; i < stage_record.count; i++) {
        const dgmi_reproduce_item *item = &stage_record.items[i];
        if (item->kind == DGMI_REPRODUCE_HEAD)
            head = item->text;
        else if (item->kind != DGMI_REPRODUCE_ROW)
            head = NULL;
        else if (!head || count_tabs(head) != count_tabs(item->text))
            fail_msg("the row \"%s\" has no titles", item->text);
    }
}

/* A table has this row, with tabs between its entries. */
static inline void stage_has_row(const char *row) {
    stage_check_tables();
    assert_string_equal(stage_find(DGMI_REPRODUCE_ROW, row)->text, row);
}

/* A row whose entries behind the beginning are not worked out here. */
static inline void stage_has_row_of(const char *beginning) {
    stage_check_tables();
    stage_find(DGMI_REPRODUCE_ROW, beginning);
}

static inline void stage_says(const char *words) {
    for (int64_t i = 0; i < stage_record.count; i++)
        if (stage_record.items[i].kind == DGMI_REPRODUCE_SAYS &&
            strstr(stage_record.items[i].text, words))
            return;
    fail_msg("nobody says \"%s\"", words);
}

static inline void stage_ran(const char *command) {
    assert_string_equal(stage_find(DGMI_REPRODUCE_COMMAND, command)->text, command);
}

static inline void stage_shows(const char *caption, const char *file) {
    assert_string_equal(stage_find(DGMI_REPRODUCE_PICTURE, caption)->more, file);
}

/* ---- commands ---- */

/* The word behind another one in a command, or "" where it is not there. */
static inline const char *word_after(int count, const char *const *words, const char *word) {
    for (int i = 0; i + 1 < count; i++)
        if (strcmp(words[i], word) == 0)
            return words[i + 1];
    return "";
}

/* The file that a command writes first. */
static inline const char *output_of(int count, const char *const *words) {
    const char *file = word_after(count, words, "-o");
    assert_true(*file != '\0');
    return file;
}

/* ---- files ---- */

static inline void stage_write(const char *file, const char *text) {
    FILE *out = fopen(file, "w");
    assert_non_null(out);
    fputs(text, out);
    assert_int_equal(fclose(out), 0);
}

/* A path of so many nodes as the data set of that name, with a label for each of them. */
static inline void stage_data(const char *name, int nodes, const char *labels) {
    char path[128];
    snprintf(path, sizeof path, "data/%s", name);
    mkdir(path, 0777);
    snprintf(path, sizeof path, "data/%s/edges.tsv", name);
    FILE *out = fopen(path, "w");
    assert_non_null(out);
    for (int i = 1; i < nodes; i++)
        fprintf(out, "%d\t%d\n", i - 1, i);
    assert_int_equal(fclose(out), 0);
    if (!labels)
        return;
    snprintf(path, sizeof path, "data/%s/labels.txt", name);
    stage_write(path, labels);
}

/* A summary as a test sketches it. Missing texts are empty, and missing numbers 0. */
typedef struct sketch {
    const char *clusters; /* the members of each, and a comma between two clusters: "0 1,1 2" */
    const char *edges;    /* two clusters and the nodes that they share: "0 1 1,1 2 0" */
    const char *classes;  /* their names: "\"0\", \"1\"" */
    const char *cells;    /* the cell of each cluster, a digit; NULL: all lie in the first */
    const char *more[8];  /* what the JSON of each cluster has besides: "\"labels\": {...}" */
    const char *coverage; /* what the ledger has besides the nodes: "\"judged\": 3, ..." */
    double low, high;     /* the range of the lens */
    int b0, b1, triangles, cycle_rank;
} sketch;

/* Cuts a list at its commas: copies the next entry and moves on. False at the end. */
static inline bool next_entry(const char **list, char entry[256]) {
    if (!*list || !**list)
        return false;
    size_t length = strcspn(*list, ",");
    assert_true(length < 256);
    memcpy(entry, *list, length);
    entry[length] = '\0';
    *list += length + ((*list)[length] == ',');
    return true;
}

static inline void put_members(FILE *out, char *members, int *size) {
    const char *between = "";
    *size = 0;
    fprintf(out, "\"members\": [");
    for (char *rest = members, *name; (name = strsep(&rest, " "));) {
        fprintf(out, "%s\"%s\"", between, name);
        between = ", ";
        *size += 1;
    }
    fprintf(out, "]");
}

/* The number of nodes of a graph by its name, "data/cora" or "spam". */
static inline int64_t stage_nodes(const char *data) {
    dgm_graph *graph;
    if (dgmi_reproduce_open(&stage, data, &graph) != DGM_OK)
        fail_msg("%s", dgm_context_error(ctx));
    int64_t nodes = dgm_graph_nodes(graph);
    dgm_graph_free(graph);
    return nodes;
}

/* Writes a summary of the graph of that name. */
static inline void stage_sketch(const char *data, const char *file, const sketch *is) {
    const char *clusters = is->clusters, *edges = is->edges;
    char entry[256];
    FILE *out = fopen(file, "w");
    assert_non_null(out);
    fprintf(out, "{\"format\": \"dgm-summary\", \"version\": 1, \"graph\": {\"nodes\": %d},\n",
            (int)stage_nodes(data));
    if (is->classes)
        fprintf(out, "\"classes\": [%s],\n", is->classes);
    fprintf(out, "\"lens\": {\"axes\": [\"x\"], ");
    fprintf(out, "\"min\": [%.17g], \"max\": [%.17g]},\n\"nodes\": [", is->low, is->high);
    for (int id = 0, size; next_entry(&clusters, entry); id++) {
        fprintf(out, "%s\n{\"id\": %d, \"cell\": [%c], \"lens\": [0], ", id ? "," : "", id,
                is->cells ? is->cells[id] : '0');
        put_members(out, entry, &size);
        fprintf(out, ", \"size\": %d", size);
        if (id < 8 && is->more[id])
            fprintf(out, ", %s", is->more[id]);
        fprintf(out, "}");
    }
    fprintf(out, "],\n\"edges\": [");
    for (int id = 0, ends[3]; next_entry(&edges, entry); id++) {
        assert_int_equal(sscanf(entry, "%d %d %d", &ends[0], &ends[1], &ends[2]), 3);
        fprintf(out, "%s{\"source\": %d, \"target\": %d, \"shared\": %d, \"links\": 1}",
                id ? "," : "", ends[0], ends[1], ends[2]);
    }
    fprintf(out, "],\n\"coverage\": {%s},\n", is->coverage ? is->coverage : "");
    fprintf(out, "\"topology\": {\"b0\": %d, \"b1\": %d, \"triangles\": %d, \"cycle_rank\": %d}}\n",
            is->b0, is->b1, is->triangles, is->cycle_rank);
    assert_int_equal(fclose(out), 0);
}

#endif
