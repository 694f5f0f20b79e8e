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
     .help =
         "what is not given: as in the paper's appendix C, or the same network for all methods"},
    {.name = "net",
     .kind = DGM_OPTION_CHOICE,
     .offset = offsetof(dgm_classify_options, net),
     .choices = nets,
     .default_text = "gcn",
     .help = "layers between poolings; mlp does not look at edges"},
    {.name = "width",
     .kind = DGM_OPTION_INTEGER,
     .offset = offsetof(dgm_classify_options, width),
     .minimum = 1,
     .maximum = 4096,
     .default_text = "by the preset",
     .argument = "N",
     .help = "width of hidden layers"},
    {.name = "layers",
     .kind = DGM_OPTION_INTEGER,
     .offset = offsetof(dgm_classify_options, layers),
     .minimum = 1,
     .maximum = DGMI_POOL_MOST_LAYERS,
     .default_text = "by the preset",
     .argument = "N",
     .help = "layers before each pooling and after the last"},
    {.name = "steps",
     .kind = DGM_OPTION_INTEGER,
     .offset = offsetof(dgm_classify_options, steps),
     .minimum = 0,
     .maximum = DGMI_POOL_MOST_STEPS,
     .default_text = "2",
     .argument = "N",
     .help = "how often the network pools"},
    {.name = "dropout",
     .kind = DGM_OPTION_REAL,
     .offset = offsetof(dgm_classify_options, dropout),
     .minimum = 0,
     .maximum = 1,
     .open_maximum = true,
     .default_text = "by the preset",
     .argument = "P",
     .help = "share of hidden states that are dropped in training, before the mean"},
    {.name = "rate",
     .kind = DGM_OPTION_REAL,
     .offset = offsetof(dgm_classify_options, rate),
     .minimum = 1e-9,
     .maximum = 1e6,
     .default_text = "by the preset",
     .argument = "R",
     .help = "learning rate of Adam"},
    {.name = "decay",
     .kind = DGM_OPTION_REAL,
     .offset = offsetof(dgm_classify_options, decay),
     .minimum = 0,
     .maximum = 1e9,
     .default_text = "0",
     .argument = "D",
     .help = "L2 penalty of weights"},
    {.name = "epochs",
     .kind = DGM_OPTION_INTEGER,
     .offset = offsetof(dgm_classify_options, epochs),
     .minimum = 1,
     .maximum = 1e6,
     .default_text = "30",
     .argument = "N",
     .help = "epochs of each training"},
    {.name = "batch",
     .kind = DGM_OPTION_INTEGER,
     .offset = offsetof(dgm_classify_options, batch),
     .minimum = 1,
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
     .minimum = 0,
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
    {.name = "against",
     .kind = DGM_OPTION_TEXT,
     .offset = offsetof(dgm_classify_options, against),
     .argument = "RESULT.json",
     .help = "compare with a result that was written before, fold by fold"},
    DGMI_SEED_OPTION(offsetof(dgm_classify_options, seed)),
};
static const dgm_option_table classify_table = {"Classifier", classify_options,
                                                sizeof classify_options / sizeof *classify_options};

const dgm_option_table *dgm_classify_option_table(void) {
    return &classify_table;
}

/* ---- presets ---- */

/* Appendix C of the paper and its authors' code, by data set. The last row is for any other set. */
typedef struct preset_row {
    const char *name;
    const char *mpr;    /* keys of MPR */
    const char *mincut; /* keys of minCUT */
    int64_t batch;      /* of MPR */
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

/* Whether the keys of a specification set the one with which `item` begins ("ratio=0.1"). Clusters
 * take the place of a ratio. */
static bool gives(const char *given, const char *item) {
    size_t length = strcspn(item, "=") + 1;
    bool ratio = strncmp(item, "ratio=", length) == 0;
    for (const char *at = given; *at; at += strcspn(at, ",") + (at[strcspn(at, ",")] == ','))
        if (strncmp(at, item, length) == 0 || (ratio && strncmp(at, "clusters=", 9) == 0))
            return true;
    return false;
}

/* The keys of the preset that were not given, then those that were. */
static dgm_status write_pool(dgm_context *ctx, const preset_row *row, const char *given,
                             char pool[DGMI_SPEC_LONGEST]) {
    size_t name = strcspn(given, ":");
    const char *keys = names(given, "mpr") ? row->mpr : names(given, "mincut") ? row->mincut : "";
    const char *more = given[name] ? given + name + 1 : "";
    int used = snprintf(pool, DGMI_SPEC_LONGEST, "%.*s", (int)name, given);
    const char *joint = ":";
    for (size_t length; *keys && used < DGMI_SPEC_LONGEST; keys += length + (keys[length] == ',')) {
        length = strcspn(keys, ",");
        if (gives(more, keys))
            continue;
        used += snprintf(pool + used, (size_t)(DGMI_SPEC_LONGEST - used), "%s%.*s", joint,
                         (int)length, keys);
        joint = ",";
    }
    if (used < DGMI_SPEC_LONGEST && *more)
        used += snprintf(pool + used, (size_t)(DGMI_SPEC_LONGEST - used), "%s%s", joint, more);
    if (used >= DGMI_SPEC_LONGEST)
        return dgmi_fail(ctx, DGM_ERROR_USAGE, "a pooling is given in at most %d characters",
                         DGMI_SPEC_LONGEST - 1);
    return DGM_OK;
}

static void fill_integer(int64_t *field, int64_t preset) {
    *field = *field < 0 ? preset : *field;
}

static void fill_real(double *field, double preset) {
    *field = *field < 0 ? preset : *field;
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
    fill_integer(&options->width, other ? width : 128);
    fill_integer(&options->layers, other ? 1 : 2);
    fill_integer(&options->steps, 2);
    fill_real(&options->dropout, other ? 0 : 0.5);
    fill_real(&options->rate, other ? 1e-3 : 5e-4);
    fill_real(&options->decay, 0);
    fill_integer(&options->epochs, 30);
    fill_integer(&options->batch, row->batch);
    fill_integer(&options->clamp, 64);
}

/* ---- checking ---- */

static dgm_status read_folds(dgm_context *ctx, dgmi_pool_settings *out) {
    const char *text = out->options.folds ? out->options.folds : "10";
    int64_t folds = 0;
    if (strcmp(text, "files") != 0 &&
        (!dgmi_parse_integer(text, strlen(text), &folds) || folds < 3 || folds > 10000))
        return dgmi_fail(ctx, DGM_ERROR_USAGE,
                         DGMI_NAMED("folds") " takes a number from 3 to 10000 (one fold tests, one "
                                             "validates, the others train), or the word files, "
                                             "not '%.100s'",
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
        DGMI_OPTIONS_TAKE(ctx, dgm_classify_options, against, options, &out->options);
    if (status == DGM_OK)
        status = check_set(ctx, set);
    if (status == DGM_OK)
        status = read_folds(ctx, out);
    if (status == DGM_OK)
        status = write_pool(ctx, row, out->options.pool ? out->options.pool : "mpr", out->pool);
    if (status == DGM_OK)
        status = dgmi_pool_parse(ctx, out->pool, &out->request);
    if (status != DGM_OK)
        return status;
    out->options.pool = out->pool;
    fill_network(row, out);
    return dgm_options_check(ctx, &classify_table, &out->options);
}

/* ---- grids ---- */

static const char *const searched[] = {"width", "layers", "dropout", "rate",
                                       "decay", "batch",  NULL};
enum { SEARCHED = sizeof searched / sizeof *searched - 1, WORD_SPACE = 256 };

static dgm_status fail_search(dgm_context *ctx, const char *word) {
    return dgmi_fail(ctx, DGM_ERROR_USAGE, DGMI_NAMED("search") ": '%.100s' is not KEY=VALUE;VALUE",
                     word);
}

/* Returns the place of the key among those that may be searched. */
static dgm_status find_searched(dgm_context *ctx, const char *key, int *place) {
    for (*place = 0; searched[*place]; ++*place)
        if (strcmp(searched[*place], key) == 0)
            return DGM_OK;
    const char *near = dgm_name_nearest(key, searched);
    return dgmi_fail(ctx, DGM_ERROR_USAGE,
                     DGMI_NAMED("search") ": there is no key '%.100s' (it takes width, layers, "
                                          "dropout, rate, decay, batch)%s%s%s",
                     key, near ? "; did you mean '" : "", near ? near : "", near ? "'?" : "");
}

/* Multiplies the grid by the values of one key, with ';' between them: setting j * before + i has
 * value j and the other keys of setting i. */
static dgm_status add_values(dgm_context *ctx, const dgm_option *option, char *values,
                             dgm_classify_options *grid, int64_t *count) {
    int64_t before = *count, made = 0;
    for (char *next; values; values = next) {
        next = strchr(values, ';');
        if (next)
            *next++ = '\0';
        for (int64_t i = 0; i < before; i++) {
            if (made == DGMI_POOL_MOST_SETTINGS)
                return dgmi_fail(ctx, DGM_ERROR_USAGE,
                                 DGMI_NAMED("search") ": more than %d settings",
                                 DGMI_POOL_MOST_SETTINGS);
            if (made >= before)
                grid[made] = grid[i];
            dgm_status status = dgm_option_set(ctx, option, values, &grid[made++]);
            if (status != DGM_OK)
                return status;
        }
    }
    *count = made;
    return DGM_OK;
}

/* One word: "rate=1e-3;5e-4". */
static dgm_status add_key(dgm_context *ctx, const char *word, size_t length, bool seen[SEARCHED],
                          dgm_classify_options *grid, int64_t *count) {
    char copy[WORD_SPACE];
    int place;
    if (length >= sizeof copy)
        return fail_search(ctx, word);
    memcpy(copy, word, length);
    copy[length] = '\0';
    char *values = strchr(copy, '=');
    if (!values)
        return fail_search(ctx, copy);
    *values++ = '\0';
    dgm_status status = find_searched(ctx, copy, &place);
    if (status != DGM_OK)
        return status;
    if (seen[place])
        return dgmi_fail(ctx, DGM_ERROR_USAGE, DGMI_NAMED("search") ": %s is given twice", copy);
    seen[place] = true;
    return add_values(ctx, dgm_option_find(&classify_table, copy), values, grid, count);
}

dgm_status dgmi_pool_settings_grid(dgm_context *ctx, const dgmi_pool_settings *base,
                                   dgm_classify_options grid[DGMI_POOL_MOST_SETTINGS],
                                   int64_t *count) {
    bool seen[SEARCHED] = {false};
    dgm_status status = DGM_OK;
    grid[0] = base->options;
    *count = 1;
    for (const char *at = base->options.search; status == DGM_OK && at && *at;) {
        at += strspn(at, " ");
        size_t length = strcspn(at, " ");
        if (length)
            status = add_key(ctx, at, length, seen, grid, count);
        at += length;
    }
    return status;
}
