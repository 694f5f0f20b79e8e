/* SPDX-License-Identifier: Apache-2.0 */
/* The option tables of networks, and the values of their presets. */
#include "nn_options.h"

#include <math.h>
#include <stddef.h>
#include <string.h>

#include "base_context.h"
#include "base_option.h"
#include "base_text.h"
#include "nn_network.h"

static const char *const gcn_presets[] = {"kipf", "reference", "auto", NULL};
static const char *const dgi_presets[] = {"dgi", "reference", "auto", NULL};
static const char *const normalisings[] = {"auto", "none", "rows", "columns", NULL};
static const char *const feature_kinds[] = {"auto", "one-hot", "degree", "structure", NULL};

/* Rows that both models have, on their own structs. */
#define HIDDEN(type, usual)                                                                        \
    {                                                                                              \
        .name = "hidden", .kind = DGM_OPTION_TEXT, .offset = offsetof(type, hidden),               \
        .default_text = (usual), .argument = "SIZES",                                              \
        .help = "sizes of the hidden layers, joined by '-'"                                        \
    }
#define RATE(type, usual)                                                                          \
    {                                                                                              \
        .name = "rate", .kind = DGM_OPTION_REAL, .offset = offsetof(type, rate), .minimum = 1e-9,  \
        .maximum = 1e6, .default_text = (usual), .argument = "R", .help = "learning rate of Adam"  \
    }
#define EPOCHS(type, usual)                                                                        \
    {                                                                                              \
        .name = "epochs", .kind = DGM_OPTION_INTEGER, .offset = offsetof(type, epochs),            \
        .minimum = 1, .maximum = 1e9, .default_text = (usual), .argument = "N",                    \
        .help = "passes over the graph, at most"                                                   \
    }
#define PATIENCE(type, usual, words)                                                               \
    {                                                                                              \
        .name = "patience", .kind = DGM_OPTION_INTEGER, .offset = offsetof(type, patience),        \
        .minimum = 0, .maximum = 1e9, .default_text = (usual), .argument = "N", .help = (words)    \
    }
#define FEATURES(type)                                                                             \
    {                                                                                              \
        .name = "features", .kind = DGM_OPTION_CHOICE, .offset = offsetof(type, features),         \
        .choices = feature_kinds, .default_text = "auto",                                          \
        .help = "the graph's own (else one-hot, or structure where auto sees many nodes), "        \
                "one-hot node numbers, degrees, or the structure around a node"                    \
    }
#define NORMALISE(type)                                                                            \
    {                                                                                              \
        .name = "normalise", .kind = DGM_OPTION_CHOICE, .offset = offsetof(type, normalise),       \
        .choices = normalisings, .default_text = "auto",                                           \
        .help = "features: as they are, rows that sum to 1, or columns of mean 0 and deviation 1"  \
    }
#define SPLIT(type, words)                                                                         \
    {                                                                                              \
        .name = "split", .kind = DGM_OPTION_TEXT, .offset = offsetof(type, split),                 \
        .default_text = "the graph's", .argument = "T,V", .help = (words)                          \
    }
#define SEED(type)                                                                                 \
    {                                                                                              \
        .name = "seed", .kind = DGM_OPTION_INTEGER, .offset = offsetof(type, seed), .minimum = 0,  \
        .maximum = 9007199254740992.0, .default_text = "1", .argument = "N",                       \
        .help = "of first weights, dropout, shuffling and splits"                                  \
    }

static const dgm_option gcn_options[] = {
    {.name = "preset",
     .kind = DGM_OPTION_CHOICE,
     .offset = offsetof(dgm_gcn_options, preset),
     .choices = gcn_presets,
     .default_text = "auto",
     .help = "network and training by the graph's size and kind, or of Kipf and Welling, or of the "
             "paper's authors"},
    HIDDEN(dgm_gcn_options, "auto 32 to 128; kipf 16; reference 32-64-128-128"),
    {.name = "dropout",
     .kind = DGM_OPTION_REAL,
     .offset = offsetof(dgm_gcn_options, dropout),
     .minimum = 0,
     .maximum = 1,
     .open_maximum = true,
     .default_text = "0.5",
     .argument = "P",
     .help = "share of inputs that a layer does not see in training"},
    RATE(dgm_gcn_options, "auto 0.01 or 0.02; kipf 0.01; reference 0.001"),
    {.name = "decay",
     .kind = DGM_OPTION_REAL,
     .offset = offsetof(dgm_gcn_options, decay),
     .minimum = 0,
     .maximum = 1e6,
     .default_text = "on the first layer: auto 1 per training node, or 0; kipf 0.0005; reference 0",
     .argument = "D",
     .help = "weight decay (L2)"},
    EPOCHS(dgm_gcn_options, "auto 1000; kipf 200; reference 81"),
    PATIENCE(dgm_gcn_options, "auto 40; kipf and reference 0",
             "stop after N epochs without a better validation loss; 0: never"),
    {.name = "class-weights",
     .kind = DGM_OPTION_TEXT,
     .offset = offsetof(dgm_gcn_options, class_weights),
     .default_text = "none",
     .argument = "W",
     .help = "classes in the loss: none, balanced, or a number a class, as 1,2,0.5"},
    {.name = "target",
     .kind = DGM_OPTION_TEXT,
     .offset = offsetof(dgm_gcn_options, target),
     .default_text = "none",
     .argument = "COLUMN",
     .help = "predict this numeric attribute instead of classes"},
    FEATURES(dgm_gcn_options),
    NORMALISE(dgm_gcn_options),
    SPLIT(dgm_gcn_options, "shares of nodes that train and validate, drawn class by class"),
    SEED(dgm_gcn_options),
};
const dgm_option_table dgmi_nn_gcn_table = {"Training gcn", gcn_options,
                                            sizeof gcn_options / sizeof *gcn_options};

static const dgm_option dgi_options[] = {
    {.name = "preset",
     .kind = DGM_OPTION_CHOICE,
     .offset = offsetof(dgm_dgi_options, preset),
     .choices = dgi_presets,
     .default_text = "auto",
     .help = "network and training by the graph's size and kind, or of Deep Graph Infomax, or of "
             "the paper's authors"},
    HIDDEN(dgm_dgi_options, "auto 128 to 512; dgi 512; reference 32-64-512"),
    RATE(dgm_dgi_options, "0.001"),
    EPOCHS(dgm_dgi_options, "1000; reference 201"),
    PATIENCE(dgm_dgi_options, "auto 30; dgi 20; reference 0",
             "stop after N epochs without a better loss; 0: never"),
    FEATURES(dgm_dgi_options),
    NORMALISE(dgm_dgi_options),
    {.name = "probe",
     .kind = DGM_OPTION_FLAG,
     .offset = offsetof(dgm_dgi_options, probe),
     .help = "say how well a logistic regression reads the classes off the embedding"},
    SPLIT(dgm_dgi_options, "of the probe: shares of nodes that train and validate"),
    SEED(dgm_dgi_options),
};
const dgm_option_table dgmi_nn_dgi_table = {"Training dgi", dgi_options,
                                            sizeof dgi_options / sizeof *dgi_options};

static const dgm_option checkpoint_options[] = {
    {.name = "checkpoint",
     .kind = DGM_OPTION_TEXT,
     .offset = offsetof(dgm_checkpoint_options, path),
     .argument = "FILE",
     .help = "keep the state of the training here, and go on from it if it is there"},
    {.name = "checkpoint-every",
     .kind = DGM_OPTION_TEXT,
     .offset = offsetof(dgm_checkpoint_options, every),
     .default_text = "60s",
     .argument = "N|Ns",
     .help = "after so many epochs, or (60s) seconds"},
};
static const dgm_option_table checkpoint_table = {
    "Checkpoints", checkpoint_options, sizeof checkpoint_options / sizeof *checkpoint_options};

const dgm_option_table *dgm_gcn_option_table(void) {
    return &dgmi_nn_gcn_table;
}

const dgm_option_table *dgm_dgi_option_table(void) {
    return &dgmi_nn_dgi_table;
}

const dgm_option_table *dgm_checkpoint_option_table(void) {
    return &checkpoint_table;
}

/* ---- presets (REFERENCE: Kipf and Welling 2017; Velickovic and others 2019; the authors' code)
 * ---- */

/* The values of one preset. `hidden` NULL, and numbers below 0: they depend on the graph. */
typedef struct gcn_values {
    const char *hidden;
    double dropout, rate, decay;
    int64_t epochs, patience;
} gcn_values;

static const gcn_values gcn_preset_values[] = {
    [DGM_GCN_KIPF] = {"16", 0.5, 0.01, 5e-4, 200, 0},
    [DGM_GCN_REFERENCE] = {"32-64-128-128", 0.5, 1e-3, 0, 81, 0},
    [DGM_GCN_AUTO] = {NULL, 0.5, -1, -1, 1000, 40},
};

typedef struct dgi_values {
    const char *hidden;
    double rate;
    int64_t epochs, patience;
} dgi_values;

static const dgi_values dgi_preset_values[] = {
    [DGM_DGI_DGI] = {"512", 1e-3, 1000, 20},
    [DGM_DGI_REFERENCE] = {"32-64-512", 1e-3, 201, 0},
    [DGM_DGI_AUTO] = {NULL, 1e-3, 1000, 30},
};

static double or_preset(double given, double preset) {
    return given < 0 ? preset : given;
}

/* What is typed wrong is said before the graph is looked at. */
static dgm_status check_texts(dgm_context *ctx, const char *hidden, const char *split) {
    int64_t sizes[DGMI_NN_MOST_LAYERS];
    int count;
    double train, validation;
    dgm_status status = hidden ? dgmi_nn_model_sizes(ctx, hidden, sizes, &count) : DGM_OK;
    return status == DGM_OK ? dgmi_nn_split_parse(ctx, split, &train, &validation) : status;
}

/* Bounds are checked while what depends on the graph has some value of its own. */
static dgm_status check_gcn(dgm_context *ctx, const dgm_gcn_options *options) {
    dgm_gcn_options checked = *options;
    checked.rate = or_preset(checked.rate, 1);
    checked.decay = or_preset(checked.decay, 0);
    dgm_status status = dgm_options_check(ctx, &dgmi_nn_gcn_table, &checked);
    return status == DGM_OK ? check_texts(ctx, options->hidden, options->split) : status;
}

dgm_status dgmi_nn_gcn_resolve(dgm_context *ctx, const dgm_gcn_options *options,
                               dgm_gcn_options *out) {
    dgm_gcn_options_init(out);
    dgm_status status = DGMI_OPTIONS_TAKE(ctx, dgm_gcn_options, seed, options, out);
    if (status != DGM_OK)
        return status;
    bool known = out->preset >= DGM_GCN_KIPF && out->preset <= DGM_GCN_AUTO;
    const gcn_values *values = &gcn_preset_values[known ? out->preset : DGM_GCN_KIPF];
    if (!out->hidden)
        out->hidden = values->hidden;
    out->dropout = or_preset(out->dropout, values->dropout);
    out->rate = or_preset(out->rate, values->rate);
    out->decay = or_preset(out->decay, values->decay);
    out->epochs = out->epochs < 0 ? values->epochs : out->epochs;
    out->patience = out->patience < 0 ? values->patience : out->patience;
    if (!out->class_weights)
        out->class_weights = "none";
    return check_gcn(ctx, out);
}

dgm_status dgmi_nn_dgi_resolve(dgm_context *ctx, const dgm_dgi_options *options,
                               dgm_dgi_options *out) {
    dgm_dgi_options_init(out);
    dgm_status status = DGMI_OPTIONS_TAKE(ctx, dgm_dgi_options, seed, options, out);
    if (status != DGM_OK)
        return status;
    bool known = out->preset >= DGM_DGI_DGI && out->preset <= DGM_DGI_AUTO;
    const dgi_values *values = &dgi_preset_values[known ? out->preset : DGM_DGI_DGI];
    if (!out->hidden)
        out->hidden = values->hidden;
    out->rate = or_preset(out->rate, values->rate);
    out->epochs = out->epochs < 0 ? values->epochs : out->epochs;
    out->patience = out->patience < 0 ? values->patience : out->patience;
    status = dgm_options_check(ctx, &dgmi_nn_dgi_table, out);
    return status == DGM_OK ? check_texts(ctx, out->hidden, out->split) : status;
}

dgmi_nn_scaling dgmi_nn_scaling_of(int normalise, bool automatic) {
    static const dgmi_nn_scaling scalings[] = {[DGM_NORMALISE_NONE] = DGMI_NN_SCALE_NONE,
                                               [DGM_NORMALISE_ROWS] = DGMI_NN_SCALE_ROWS,
                                               [DGM_NORMALISE_COLUMNS] = DGMI_NN_SCALE_COLUMNS};
    if (normalise == DGM_NORMALISE_AUTO)
        return automatic ? DGMI_NN_SCALE_BY_KIND : DGMI_NN_SCALE_ROWS;
    return scalings[normalise];
}

/* ---- texts ---- */

dgm_status dgmi_nn_split_parse(dgm_context *ctx, const char *text, double *train,
                               double *validation) {
    *train = *validation = 0;
    if (!text)
        return DGM_OK;
    const char *middle = strpbrk(text, ",;");
    size_t length = strlen(text), first = middle ? (size_t)(middle - text) : length;
    bool good = dgmi_parse_real(text, first, train);
    if (good && middle)
        good = dgmi_parse_real(middle + 1, length - first - 1, validation);
    if (!good || !(*train > 0) || !(*validation >= 0) || !(*train + *validation <= 1))
        return dgmi_fail(ctx, DGM_ERROR_USAGE,
                         "a split is the share of nodes that train and, after a comma, of those "
                         "that validate, such as 0.8,0.1, not '%s'",
                         text);
    return DGM_OK;
}

dgm_status dgmi_nn_checkpoint_every(dgm_context *ctx, const char *text, int64_t *epochs,
                                    double *seconds) {
    *epochs = 0;
    *seconds = 60;
    if (!text)
        return DGM_OK;
    size_t length = strlen(text);
    bool by_time = length > 0 && text[length - 1] == 's';
    double number = 0;
    bool good = dgmi_parse_real(text, by_time ? length - 1 : length, &number) && number >= 0 &&
                number <= 1e9 && (by_time || (number >= 1 && number == floor(number)));
    if (!good)
        return dgmi_fail(ctx, DGM_ERROR_USAGE,
                         "checkpoints come every so many epochs (100) or seconds (30s), not '%s'",
                         text);
    if (by_time)
        *seconds = number;
    else
        *epochs = (int64_t)number;
    return DGM_OK;
}

dgm_status dgmi_nn_checkpoint_resolve(dgm_context *ctx, const dgm_checkpoint_options *options,
                                      dgm_checkpoint_options *out) {
    int64_t epochs;
    double seconds;
    dgm_checkpoint_options_init(out);
    dgm_status status = DGMI_OPTIONS_TAKE(ctx, dgm_checkpoint_options, every, options, out);
    return status == DGM_OK ? dgmi_nn_checkpoint_every(ctx, out->every, &epochs, &seconds) : status;
}
