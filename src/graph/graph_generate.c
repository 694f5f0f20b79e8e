/* SPDX-License-Identifier: Apache-2.0 */
/* Generates random graphs, the paper's graph of spammers, and Zachary's karate club. Every random
 * draw is a function of (seed, stream, counter), so a seed gives the same graph everywhere. */
#include "graph_generate.h"

#include <math.h>

#include "base_context.h"
#include "base_memory.h"
#include "base_option.h"
#include "base_random.h"

static const char *const generator_names[] = {"spam", "karate", "sbm",    "rmat", "ba",
                                              "ws",   "grid",   "papers", NULL};
static const dgm_option generate_options[] = {
    {.name = "nodes",
     .kind = DGM_OPTION_INTEGER,
     .offset = offsetof(dgm_generate_options, nodes),
     .minimum = 1,
     .maximum = DGM_MAX_NODES,
     .default_text = "1000",
     .argument = "N",
     .help = "number of nodes (rmat: rounded up to a power of two)"},
    {.name = "edges",
     .kind = DGM_OPTION_INTEGER,
     .offset = offsetof(dgm_generate_options, edges),
     .minimum = 0,
     .maximum = 1e12,
     .default_text = "5 a node; papers 2",
     .argument = "M",
     .help = "about this many edges, before repeats are merged (sbm, rmat, ba, ws, papers)"},
    {.name = "blocks",
     .kind = DGM_OPTION_INTEGER,
     .offset = offsetof(dgm_generate_options, blocks),
     .minimum = 1,
     .maximum = 1e6,
     .default_text = "4",
     .argument = "K",
     .help = "sbm: number of blocks"},
    {.name = "inside",
     .kind = DGM_OPTION_REAL,
     .offset = offsetof(dgm_generate_options, inside),
     .minimum = 0,
     .maximum = 1,
     .default_text = "0.9",
     .argument = "P",
     .help = "sbm, papers: share of the edges that stay inside a block, or a field"},
    {.name = "rewire",
     .kind = DGM_OPTION_REAL,
     .offset = offsetof(dgm_generate_options, rewire),
     .minimum = 0,
     .maximum = 1,
     .default_text = "0.1",
     .argument = "P",
     .help = "ws: chance that an edge is rewired"},
    {.name = "seed",
     .kind = DGM_OPTION_INTEGER,
     .offset = offsetof(dgm_generate_options, seed),
     .minimum = 0,
     .maximum = 9007199254740992.0,
     .default_text = "1",
     .argument = "N",
     .help = "seed of the random numbers"},
};
static const dgm_option_table generate_table = {"Generating", generate_options,
                                                sizeof generate_options / sizeof *generate_options};

const dgm_option_table *dgm_generate_option_table(void) {
    return &generate_table;
}

const char *const *dgm_generator_names(void) {
    return generator_names;
}

static dgm_status add_edge(dgm_graph_builder *builder, uint64_t u, uint64_t v) {
    uint32_t ends[2] = {(uint32_t)u, (uint32_t)v};
    return dgm_graph_builder_add(builder, 1, ends, NULL);
}

/* Streams of the random numbers, one a purpose. */
enum { STREAM_SPAM = 1, STREAM_SBM, STREAM_RMAT, STREAM_BA, STREAM_WS };

static int64_t wanted_edges(const dgm_generate_options *options) {
    return options->edges ? options->edges : 5 * options->nodes;
}

/* The paper's synthetic spammer graph: a spammer links to floor(U N / 5) random nodes, has feature
 * (U + 1) / 2 and edge weight (U + 2) / 3; a non-spammer links to floor(10 U) + 1 nodes, feature U,
 * weight U. First 80% train, rest test. */
static dgm_status generate_spam(dgm_context *ctx, const dgm_generate_options *options,
                                dgm_graph_builder *builder) {
    int64_t n = options->nodes;
    dgmi_hold hold = dgmi_arena_hold(ctx);
    dgm_status status = DGM_ERROR_MEMORY;
    int32_t *labels = dgmi_scratch(ctx, n, sizeof *labels);
    float *features = dgmi_scratch(ctx, n, sizeof *features);
    double *attribute = dgmi_scratch(ctx, n, sizeof *attribute);
    uint8_t *splits = dgmi_scratch(ctx, n, sizeof *splits);
    if (!labels || !features || !attribute || !splits)
        goto done;
    dgmi_random random = {(uint64_t)options->seed, STREAM_SPAM, 0};
    status = DGM_OK;
    for (int64_t u = 0; u < n && status == DGM_OK; u++) {
        bool spammer = dgmi_random_next(&random) < 0.5;
        double links = dgmi_random_next(&random), feature = dgmi_random_next(&random);
        double weight = dgmi_random_next(&random);
        int64_t count = spammer ? (int64_t)(links * (double)n / 5) : (int64_t)(10 * links) + 1;
        labels[u] = spammer;
        attribute[u] = spammer ? (feature + 1) / 2 : feature;
        features[u] = (float)attribute[u];
        weight = spammer ? (weight + 2) / 3 : weight;
        splits[u] = u < n * 4 / 5 ? DGM_SPLIT_TRAIN : DGM_SPLIT_TEST;
        for (int64_t k = 0; k < count && status == DGM_OK; k++) {
            uint32_t ends[2] = {(uint32_t)u,
                                (uint32_t)dgmi_random_next_below(&random, (uint64_t)n)};
            status = dgm_graph_builder_add(builder, 1, ends, &weight);
        }
    }
    static const char *const classes[] = {"non-spammer", "spammer"};
    if (status == DGM_OK)
        status = dgm_graph_builder_set_labels(builder, n, labels);
    if (status == DGM_OK)
        status = dgm_graph_builder_set_class_names(builder, 2, classes);
    if (status == DGM_OK)
        status = dgm_graph_builder_set_splits(builder, n, splits);
    if (status == DGM_OK)
        status = dgm_graph_builder_set_features(builder, n,
                                                &(dgm_graph_features){1, NULL, NULL, features});
    if (status == DGM_OK)
        status = dgm_graph_builder_add_numbers(builder, "feature", n, attribute);
done:
    dgmi_arena_release(ctx, hold);
    return status;
}

/* Zachary, "An information flow model for conflict and fission in small groups" (1977): who met
 * whom. Row i lists the later members that member i met. */
static const signed char karate_rows[34][18] = {
    {1, 2, 3, 4, 5, 6, 7, 8, 10, 11, 12, 13, 17, 19, 21, 31, -1},
    {2, 3, 7, 13, 17, 19, 21, 30, -1},
    {3, 7, 8, 9, 13, 27, 28, 32, -1},
    {7, 12, 13, -1},
    {6, 10, -1},
    {6, 10, 16, -1},
    {16, -1},
    {-1},
    {30, 32, 33, -1},
    {33, -1},
    {-1},
    {-1},
    {-1},
    {33, -1},
    {32, 33, -1},
    {32, 33, -1},
    {-1},
    {-1},
    {32, 33, -1},
    {33, -1},
    {32, 33, -1},
    {-1},
    {32, 33, -1},
    {25, 27, 29, 32, 33, -1},
    {25, 27, 31, -1},
    {31, -1},
    {29, 33, -1},
    {33, -1},
    {31, 33, -1},
    {32, 33, -1},
    {32, 33, -1},
    {32, 33, -1},
    {33, -1},
    {-1},
};
/* The side each member took when the club split: 0 with the instructor, 1 with the officers. */
static const int32_t karate_sides[34] = {0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 1, 0,
                                         0, 1, 0, 1, 0, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1};

static dgm_status generate_karate(dgm_graph_builder *builder) {
    static const char *const sides[] = {"Mr. Hi", "Officer"};
    dgm_status status = DGM_OK;
    for (uint64_t u = 0; u < 34; u++)
        for (const signed char *v = karate_rows[u]; *v >= 0 && status == DGM_OK; v++)
            status = add_edge(builder, u, (uint64_t)*v);
    if (status == DGM_OK)
        status = dgm_graph_builder_set_labels(builder, 34, karate_sides);
    if (status == DGM_OK)
        status = dgm_graph_builder_set_class_names(builder, 2, sides);
    return status;
}

/* Block b holds nodes b, b + blocks, b + 2 blocks, ... */
static dgm_status generate_sbm(dgm_context *ctx, const dgm_generate_options *options,
                               dgm_graph_builder *builder) {
    uint64_t n = (uint64_t)options->nodes, blocks = (uint64_t)options->blocks;
    if (blocks > n)
        blocks = n;
    dgmi_hold hold = dgmi_arena_hold(ctx);
    int32_t *labels = dgmi_scratch(ctx, options->nodes, sizeof *labels);
    dgm_status status = labels ? DGM_OK : DGM_ERROR_MEMORY;
    dgmi_random random = {(uint64_t)options->seed, STREAM_SBM, 0};
    int64_t edges = wanted_edges(options);
    for (int64_t e = 0; e < edges && status == DGM_OK; e++) {
        uint64_t u = dgmi_random_next_below(&random, n), block = u % blocks;
        if (blocks > 1 && dgmi_random_next(&random) >= options->inside)
            block = (block + 1 + dgmi_random_next_below(&random, blocks - 1)) % blocks;
        uint64_t members = (n - block + blocks - 1) / blocks;
        uint64_t v = block + blocks * dgmi_random_next_below(&random, members);
        status = add_edge(builder, u, v);
    }
    for (uint64_t u = 0; u < n && status == DGM_OK; u++)
        labels[u] = (int32_t)(u % blocks);
    if (status == DGM_OK)
        status = dgm_graph_builder_set_labels(builder, options->nodes, labels);
    dgmi_arena_release(ctx, hold);
    return status;
}

/* Chakrabarti, Zhan, Faloutsos (2004), with the Graph500 quadrants 0.57 0.19 0.19 0.05. */
static dgm_status generate_rmat(dgm_context *ctx, const dgm_generate_options *options,
                                dgm_graph_builder *builder) {
    int levels = 0;
    while (INT64_C(1) << levels < options->nodes)
        levels++;
    if (INT64_C(1) << levels > DGM_MAX_NODES)
        return dgmi_fail(ctx, DGM_ERROR_USAGE, "rmat: 2^%d nodes are too many", levels);
    dgm_status status = dgm_graph_builder_reserve_nodes(builder, INT64_C(1) << levels);
    int64_t edges = wanted_edges(options);
    for (int64_t e = 0; e < edges && status == DGM_OK; e++) {
        uint64_t u = 0, v = 0, bits = 0;
        for (int level = 0; level < levels; level++) {
            /* 16 random bits per level: quadrant ends at 0.57, 0.76, 0.95 of 2^16. */
            if (level % 4 == 0)
                bits = dgmi_random_bits((uint64_t)options->seed, STREAM_RMAT,
                                        (uint64_t)e * 8 + (uint64_t)level / 4);
            uint32_t draw = (uint32_t)(bits >> (16 * (level % 4))) & 0xFFFF;
            u = u << 1 | (draw >= 49807);
            v = v << 1 | ((draw >= 37356 && draw < 49807) || draw >= 62259);
        }
        status = add_edge(builder, u, v);
        if (e % (1 << 20) == 0 && status == DGM_OK)
            status = dgmi_progress(ctx, "generating", (double)e / (double)edges);
    }
    return status;
}

/* Barabasi and Albert (1999): each new node draws its neighbours from the ends of the edges so far.
 */
static dgm_status generate_ba(dgm_context *ctx, const dgm_generate_options *options,
                              dgm_graph_builder *builder) {
    int64_t n = options->nodes, links = wanted_edges(options) / n;
    if (links < 1)
        links = 1;
    if (links > n - 1) /* no node meets more than those before it */
        links = n - 1;
    dgmi_hold hold = dgmi_arena_hold(ctx);
    uint32_t *ends = dgmi_scratch(ctx, 2 * links * n, sizeof *ends);
    dgm_status status = ends ? DGM_OK : DGM_ERROR_MEMORY;
    dgmi_random random = {(uint64_t)options->seed, STREAM_BA, 0};
    int64_t used = 0;
    for (int64_t u = 1; u < n && status == DGM_OK; u++) {
        int64_t before = used;
        for (int64_t k = 0; k < links && k < u; k++) {
            uint64_t v = before ? ends[dgmi_random_next_below(&random, (uint64_t)before)] : 0;
            ends[used++] = (uint32_t)u;
            ends[used++] = (uint32_t)v;
        }
        status = dgm_graph_builder_add(builder, (used - before) / 2, ends + before, NULL);
    }
    dgmi_arena_release(ctx, hold);
    return status;
}

/* Watts and Strogatz (1998): a ring where each node meets its next `reach` nodes; an edge's far end
 * is redrawn with probability `rewire`. */
static dgm_status generate_ws(const dgm_generate_options *options, dgm_graph_builder *builder) {
    int64_t n = options->nodes, reach = wanted_edges(options) / n;
    if (reach < 1)
        reach = 1;
    if (reach > (n - 1) / 2)
        reach = n > 2 ? (n - 1) / 2 : n - 1;
    dgmi_random random = {(uint64_t)options->seed, STREAM_WS, 0};
    dgm_status status = DGM_OK;
    for (int64_t u = 0; u < n; u++)
        for (int64_t k = 1; k <= reach && status == DGM_OK; k++) {
            uint64_t v = (uint64_t)((u + k) % n);
            if (dgmi_random_next(&random) < options->rewire)
                v = dgmi_random_next_below(&random, (uint64_t)n);
            status = add_edge(builder, (uint64_t)u, v);
        }
    return status;
}

/* A lattice of ceil(sqrt(n)) columns, its last row perhaps short. */
static dgm_status generate_grid(dgm_context *ctx, const dgm_generate_options *options,
                                dgm_graph_builder *builder) {
    int64_t n = options->nodes, width = (int64_t)ceil(sqrt((double)n));
    dgmi_hold hold = dgmi_arena_hold(ctx);
    double *x = dgmi_scratch(ctx, n, sizeof *x), *y = dgmi_scratch(ctx, n, sizeof *y);
    dgm_status status = x && y ? DGM_OK : DGM_ERROR_MEMORY;
    for (int64_t u = 0; u < n && status == DGM_OK; u++) {
        int64_t column = u % width, row = u / width;
        x[u] = (double)column;
        y[u] = (double)row;
        if (column + 1 < width && u + 1 < n)
            status = add_edge(builder, (uint64_t)u, (uint64_t)u + 1);
        if (status == DGM_OK && u + width < n)
            status = add_edge(builder, (uint64_t)u, (uint64_t)(u + width));
    }
    if (status == DGM_OK)
        status = dgm_graph_builder_add_numbers(builder, "x", n, x);
    if (status == DGM_OK)
        status = dgm_graph_builder_add_numbers(builder, "y", n, y);
    dgmi_arena_release(ctx, hold);
    return status;
}

static dgm_status fill(dgm_context *ctx, const dgm_generate_options *options,
                       dgm_graph_builder *builder) {
    switch (options->kind) {
    case DGM_GENERATE_SPAM:
        return generate_spam(ctx, options, builder);
    case DGM_GENERATE_KARATE:
        return generate_karate(builder);
    case DGM_GENERATE_SBM:
        return generate_sbm(ctx, options, builder);
    case DGM_GENERATE_RMAT:
        return generate_rmat(ctx, options, builder);
    case DGM_GENERATE_BA:
        return generate_ba(ctx, options, builder);
    case DGM_GENERATE_WS:
        return generate_ws(options, builder);
    case DGM_GENERATE_GRID:
        return generate_grid(ctx, options, builder);
    case DGM_GENERATE_PAPERS:
        return dgmi_graph_generate_papers(ctx, options, builder);
    default:
        return dgmi_fail(ctx, DGM_ERROR_USAGE, "there is no generator %d", options->kind);
    }
}

dgm_status dgm_graph_generate(dgm_context *ctx, const dgm_generate_options *options,
                              const dgm_graph_options *graph_options, dgm_graph **out) {
    *out = NULL;
    dgm_generate_options use = DGM_GENERATE_OPTIONS_INIT;
    dgm_status status = DGMI_OPTIONS_TAKE(ctx, dgm_generate_options, seed, options, &use);
    if (use.kind == DGM_GENERATE_KARATE)
        use.nodes = 34;
    if (status == DGM_OK)
        status = dgm_options_check(ctx, &generate_table, &use);
    dgm_graph_builder *builder = NULL;
    if (status == DGM_OK)
        status = dgm_graph_builder_create(ctx, graph_options, &builder);
    if (status == DGM_OK && use.kind != DGM_GENERATE_RMAT)
        status = dgm_graph_builder_reserve_nodes(builder, use.nodes);
    if (status == DGM_OK)
        status = fill(ctx, &use, builder);
    if (status == DGM_OK)
        status = dgm_graph_builder_set_source(builder, generator_names[use.kind]);
    if (status == DGM_OK)
        return dgm_graph_builder_finish(builder, out);
    dgm_graph_builder_free(builder);
    return status;
}
