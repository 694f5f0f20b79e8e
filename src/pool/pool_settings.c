/* SPDX-License-Identifier: Apache-2.0 */
/* The options of a classification: their table, presets, and grids to search. */
#include "pool_settings.h"

#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include "base_context.h"
#include "base_option.h"
#include "base_text.h"
#include "pool_network.h"

void dgm_classify_options_init(dgm_classify_options *options) {
    *options = (dgm_classify_options)DGM_CLASSIFY_OPTIONS_INIT;
}

static const char *const presets[] = {"paper", "equal", NULL};
static const char *const nets[] = {"gcn", "gin", "mlp", NULL};
static const char *const features[] = {"auto", "labels", "degree", "attributes", "all", NULL};

static const dgm_option classify_options[] = {
    {.name = "pool",
     .kind = DGM_OPTION_TEXT,
     .offset = offsetof(dgm_classify_options, pool),
     .default_text = "mpr",
     .argument = "METHOD[:KEY=VALUE,...]",
     .help = "how graphs are pooled"},
    {.name = "preset",
     .kind = DGM_OPTION_CHOICE,
     .offset = offsetof(dgm_classify_options, preset),
     .choices = presets,
     .default_text = "paper",
     .help = "what is not given: as in the paper's appendix C, or the same network for all methods"},
    {.name = "net",
     .kind = DGM_OPTION_CHOICE,
     .offset = offsetof(dgm_classify_options, net),
     .choices = nets,
     .default_text = "gcn",
     .help = "layers between poolings; mlp does not look at edges"},
    {.name = "width",
     .kind = DGM_OPTION_INTEGER,
     .offset = offsetof(dgm_classify_options, width),
     .minimum = -1,
     .maximum = 4096,
     .default_text = "by the preset",
     .argument = "N",
     .help = "width of hidden layers"},
    {.name = "layers",
     .kind = DGM_OPTION_INTEGER,
     .offset = offsetof(dgm_classify_options, layers),
     .minimum = -1,
     .maximum = DGMI_POOL_MOST_LAYERS,
     .default_text = "by the preset",
     .argument = "N",
     .help = "layers before each pooling and after the last"},
    {.name = "steps",
     .kind = DGM_OPTION_INTEGER,
     .offset = offsetof(dgm_classify_options, steps),
     .minimum = -1,
     .maximum = DGMI_POOL_MOST_STEPS,
     .default_text = "2",
     .argument = "N",
     .help = "how often the network pools"},
    {.name = "dropout",
     .kind = DGM_OPTION_REAL,
     .offset = offsetof(dgm_classify_options, dropout),
     .minimum = -1,
     .maximum = 1,
     .open_maximum = true,
     .default_text = "0.5",
     .argument = "P",
     .help = "share of hidden states that are dropped in training, before the mean"},
    {.name = "rate",
     .kind = DGM_OPTION_REAL,
     .offset = offsetof(dgm_classify_options, rate),
     .minimum = -1,
     .maximum = 1e9,
     .default_text = "by the preset",
     .argument = "R",
     .help = "learning rate of Adam"},
    {.name = "decay",
     .kind = DGM_OPTION_REAL,
     .offset = offsetof(dgm_classify_options, decay),
     .minimum = -1,
     .maximum = 1e9,
     .default_text = "0",
     .argument = "D",
     .help = "L2 penalty of weights"},
    {.name = "epochs",
     .kind = DGM_OPTION_INTEGER,
     .offset = offsetof(dgm_classify_options, epochs),
     .minimum = -1,
     .maximum = 1e6,
     .default_text = "30",
     .argument = "N",
     .help = "epochs of each training"},
    {.name = "batch",
     .kind = DGM_OPTION_INTEGER,
     .offset = offsetof(dgm_classify_options, batch),
     .minimum = -1,
     .maximum = 1e6,
     .default_text = "by the preset",
     .argument = "N",
     .help = "graphs of a batch"},
    {.name = "features",
     .kind = DGM_OPTION_CHOICE,
     .offset = offsetof(dgm_classify_options, features),
     .choices = features,
     .default_text = "auto",
     .help = "features of nodes; auto: one-hot labels, or degrees where there are none"},
    {.name = "clamp",
     .kind = DGM_OPTION_INTEGER,
     .offset = offsetof(dgm_classify_options, clamp),
     .minimum = -1,
     .maximum = 4096,
     .default_text = "64",
     .argument = "N",
     .help = "largest degree that has a feature of its own"},
    {.name = "folds",
     .kind = DGM_OPTION_TEXT,
     .offset = offsetof(dgm_classify_options, folds),
     .default_text = "10",
     .argument = "N|files",
     .help = "folds of equal class shares, drawn by the seed, or those of the data set"},
    {.name = "first",
     .kind = DGM_OPTION_INTEGER,
     .offset = offsetof(dgm_classify_options, first),
     .minimum = 0,
     .maximum = 1e6,
     .default_text = "0",
     .argument = "N",
     .help = "run the first N folds alone (0: all)"},
    {.name = "seeds",
     .kind = DGM_OPTION_INTEGER,
     .offset = offsetof(dgm_classify_options, seeds),
     .minimum = 1,
     .maximum = 1000,
     .default_text = "1",
     .argument = "N",
     .help = "run all folds for N seeds, from the given one on"},
    {.name = "search",
     .kind = DGM_OPTION_TEXT,
     .offset = offsetof(dgm_classify_options, search),
     .argument = "KEY=V;V ...",
     .help = "grid of width, layers, dropout, rate, decay, batch: each training takes the best by "
             "its validation fold"},
    {.name = "checkpoint",
     .kind = DGM_OPTION_TEXT,
     .offset = offsetof(dgm_classify_options, checkpoint),
     .argument = "FILE",
     .help = "keep finished folds in FILE, and go on from there"},
    DGMI_SEED_OPTION(offsetof(dgm_classify_options, seed)),
};
static const dgm_option_table classify_table = {
    "Classifier", classify_options, sizeof classify_options / sizeof *classify_options};

const dgm_option_table *dgm_classify_option_table(void) {
    return &classify_table;
}

/* ---- presets ---- */

/* Appendix C of the paper and its authors' code, by data set. The last row is for any other set. */
typedef struct preset_row {
    const char *name;
    const char *mpr;      /* keys of MPR */
    const char *mincut;   /* keys of minCUT */
    int64_t batch;        /* of MPR */
    int64_t diffpool_width;
} preset_row;

static const preset_row rows[] = {
    {"DD", "clusters=20-5,overlap=0.1", "ratio=0.1", 32, 32},
    {"COLLAB", "clusters=20-5,overlap=0.1", "ratio=0.25", 32, 128},
    {"PROTEINS", "clusters=8-2,overlap=0.25", "ratio=0.25", 128, 32},
    {"REDDIT-BINARY", "clusters=20-5,overlap=0.25", "ratio=0.25", 32, 128},
    {"", "clusters=20-5,overlap=0.25", "ratio=0.25", 32, 32},
};
enum { ROWS = sizeof rows / sizeof *rows };

/* The row of a set, by the last part of the name that it was read from. */
static const preset_row *find_row(const dgm_graph_set *set) {
    const char *source = dgm_graph_source(dgm_graph_set_union(set));
    size_t length = strlen(source);
    while (length && source[length - 1] == '/')
        length--;
    for (int i = 0; i < ROWS - 1; i++) {
        size_t size = strlen(rows[i].name);
        if (length >= size && strncmp(source + length - size, rows[i].name, size) == 0 &&
            (length == size || source[length - size - 1] == '/'))
            return &rows[i];
    }
    return &rows[ROWS - 1];
}

static bool names(const char *specification, const char *method) {
    size_t length = strcspn(specification, ":");
    return strlen(method) == length && strncmp(specification, method, length) == 0;
}

/* Keys of the preset go before those that were given, which then win. */
static dgm_status write_pool(dgm_context *ctx, const preset_row *row, const char *given,
                             char pool[DGMI_SPEC_LONGEST]) {
    size_t name = strcspn(given, ":");
    const char *keys = names(given, "mpr") ? row->mpr : names(given, "mincut") ? row->mincut : "";
    const char *more = given[name] ? given + name + 1 : "";
    if (names(given, "mincut") && strstr(more, "clusters="))
        keys = ""; /* in place of a ratio */
    int length = snprintf(pool, DGMI_SPEC_LONGEST, "%.*s%s%s%s%s", (int)name, given,
                          *keys || *more ? ":" : "", keys, *keys && *more ? "," : "", more);
    if (length >= DGMI_SPEC_LONGEST)
        return dgmi_fail(ctx, DGM_ERROR_USAGE, "a pooling is given in at most %d characters",
                         DGMI_SPEC_LONGEST - 1);
    return DGM_OK;
}

/* minCUT and DiffPool have a network of their own in the paper: one layer with a skip connection
 * before each pooling. */
static void fill_network(const preset_row *row, dgmi_pool_settings *out) {
    dgm_classify_options *options = &out->options;
    int method = out->request.options.method;
    bool other = options->preset == DGM_CLASSIFY_PAPER &&
                 (method == DGM_POOL_MINCUT || method == DGM_POOL_DIFFPOOL);
    int64_t width = method == DGM_POOL_DIFFPOOL ? row->diffpool_width : 32;
    out->skip = other;
    options->width = options->width < 1 ? (other ? width : 128) : options->width;
    options->layers = options->layers < 1 ? (other ? 1 : 2) : options->layers;
    options->steps = options->steps < 0 ? 2 : options->steps;
    options->rate = options->rate <= 0 ? (other ? 1e-3 : 5e-4) : options->rate;
    options->dropout = options->dropout < 0 ? (other ? 0 : 0.5) : options->dropout;
    options->decay = options->decay < 0 ? 0 : options->decay;
    options->epochs = options->epochs < 1 ? 30 : options->epochs;
    options->batch = options->batch < 1 ? row->batch : options->batch;
    options->clamp = options->clamp < 0 ? 64 : options->clamp;
}

/* ---- checking ---- */

static dgm_status read_folds(dgm_context *ctx, dgmi_pool_settings *out) {
    const char *text = out->options.folds ? out->options.folds : "10";
    int64_t folds = 0;
    if (strcmp(text, "files") != 0 &&
        (!dgmi_parse_integer(text, strlen(text), &folds) || folds < 2 || folds > 10000))
        return dgmi_fail(ctx, DGM_ERROR_USAGE,
                         "folds is a number from 2 to 10000, or the word files, not '%.100s'",
                         text);
    out->folds = (int32_t)folds;
    return DGM_OK;
}

static dgm_status check_set(dgm_context *ctx, const dgm_graph_set *set) {
    int32_t classes;
    if (!dgm_graph_set_classes(set, &classes))
        return dgmi_fail(ctx, DGM_ERROR_DATA,
                         "the graphs of this set have no labels (NAME_graph_labels.txt), so there "
                         "is nothing to learn");
    if (classes < 2)
        return dgmi_fail(ctx, DGM_ERROR_DATA, "all %lld graphs of this set are of one class",
                         (long long)dgm_graph_set_count(set));
    return DGM_OK;
}

dgm_status dgmi_pool_settings_make(dgm_context *ctx, const dgm_graph_set *set,
                                   const dgm_classify_options *options, dgmi_pool_settings *out) {
    *out = (dgmi_pool_settings){.options = DGM_CLASSIFY_OPTIONS_INIT};
    const preset_row *row = find_row(set);
    dgm_status status =
        DGMI_OPTIONS_TAKE(ctx, dgm_classify_options, keep_model, options, &out->options);
    if (status == DGM_OK)
        status = dgm_options_check(ctx, &classify_table, &out->options);
    if (status == DGM_OK)
        status = check_set(ctx, set);
    if (status == DGM_OK)
        status = read_folds(ctx, out);
    if (status == DGM_OK)
        status = write_pool(ctx, row, out->options.pool ? out->options.pool : "mpr", out->pool);
    if (status == DGM_OK)
        status = dgmi_pool_parse(ctx, out->pool, &out->request);
    out->options.pool = out->pool;
    fill_network(row, out);
    return status;
}

/* ---- grids ---- */

static bool is_searched(const char *key, size_t length) {
    static const char *const keys[] = {"width", "layers", "dropout", "rate", "decay", "batch"};
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++)
        if (strlen(keys[i]) == length && strncmp(key, keys[i], length) == 0)
            return true;
    return false;
}

static dgm_status fail_search(dgm_context *ctx, const char *word) {
    return dgmi_fail(ctx, DGM_ERROR_USAGE,
                     "search: '%.100s' is no KEY=VALUE;VALUE with a key of width, layers, dropout, "
                     "rate, decay, batch",
                     word);
}

/* Multiplies the grid by the values of one key: "rate=1e-3;5e-4". */
static dgm_status add_key(dgm_context *ctx, const char *word, size_t length,
                          dgm_classify_options *grid, int64_t *count) {
    char copy[256];
    if (length >= sizeof copy)
        return fail_search(ctx, word);
    memcpy(copy, word, length);
    copy[length] = '\0';
    char *values = strchr(copy, '=');
    if (!values || !is_searched(copy, (size_t)(values - copy)))
        return fail_search(ctx, copy);
    *values++ = '\0';
    const dgm_option *option = dgm_option_find(&classify_table, copy);
    int64_t before = *count, made = 0;
    for (char *next; values; values = next) {
        next = strchr(values, ';');
        if (next)
            *next++ = '\0';
        for (int64_t i = 0; i < before; i++) {
            if (made == DGMI_POOL_MOST_SETTINGS)
                return dgmi_fail(ctx, DGM_ERROR_USAGE, "search: more than %d settings",
                                 DGMI_POOL_MOST_SETTINGS);
            if (made >= before)
                grid[made] = grid[made % before];
            dgm_status status = dgm_option_set(ctx, option, values, &grid[made++]);
            if (status != DGM_OK)
                return status;
        }
    }
    *count = made;
    return DGM_OK;
}

dgm_status dgmi_pool_settings_grid(dgm_context *ctx, const dgmi_pool_settings *base,
                                   dgm_classify_options grid[DGMI_POOL_MOST_SETTINGS],
                                   int64_t *count) {
    dgm_status status = DGM_OK;
    grid[0] = base->options;
    *count = 1;
    for (const char *at = base->options.search; status == DGM_OK && at && *at;) {
        at += strspn(at, " ");
        size_t length = strcspn(at, " ");
        if (length)
            status = add_key(ctx, at, length, grid, count);
        at += length;
    }
    return status;
}
