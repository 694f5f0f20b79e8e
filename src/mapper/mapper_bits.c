/* SPDX-License-Identifier: Apache-2.0 */
/* How many bits of the graph a summary explains, over a graph of the same degrees without structure.
 *
 * Each node lies in one block. Of 2E ends of edges, let p_rs be the share that join block r with
 * block s, in both directions, so that all p_rs add up to 1, and let p_r = sum_s p_rs. The edges of
 * a graph that has these degrees and these p_rs, and is random otherwise, cost fewer bits each than
 * those of a graph with the same degrees alone by
 *
 *     gained = sum_rs p_rs log2(p_rs / (p_r p_s))
 *
 * (Karrer and Newman, Stochastic blockmodels and community structure in networks, 2011). To tell
 * the blocks costs the entropy H of the shares of nodes, for each of n nodes, and which of all
 * tables of B (B + 1) / 2 counts of edges it is (Peixoto, Parsimonious module inference in large
 * networks, 2013):
 *
 *     cost = (n H + log2 C(B (B + 1) / 2 + E - 1, E)) / E
 *
 * What is saved, gained - cost, is below 0 where blocks tell less of the edges than it takes to
 * tell the blocks: so they do in a random graph. Without blocks it takes
 *
 *     whole = (log2 (2E)! - E - log2 E! - sum_v log2 k_v!) / E
 *
 * bits to tell an edge of a graph whose degrees k_v are known. Loops do not count, directions are
 * not seen, and weights are not either: they may be lengths.
 *
 * Time O(n + m).
 */
#include "mapper_bits.h"

#include <assert.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base_context.h"
#include "base_memory.h"
#include "base_parallel.h"
#include "graph_simple.h"
#include "mapper_dust.h"
#include "mapper_summary.h"

/* ---- blocks ---- */

/* Each node's largest cluster, without those that it was taken into across an edge to join pieces. */
static void find_largest(const dgm_summary *summary, uint32_t *largest) {
    const int64_t *offsets = summary->offsets;
    memset(largest, 0xFF, (size_t)summary->nodes * sizeof *largest);
    for (int64_t c = 0, taken = 0; c < summary->clusters; c++)
        for (int64_t i = offsets[c]; i < offsets[c + 1]; i++) {
            uint32_t *best = &largest[summary->members[i]];
            bool across = taken < summary->taken_count && summary->taken[taken] == i;
            taken += across;
            if (!across && (*best == DGMI_MAPPER_NO_CLUSTER ||
                            offsets[c + 1] - offsets[c] > offsets[*best + 1] - offsets[*best]))
                *best = (uint32_t)c;
        }
}

/* The cluster that stands for the mark of a cluster. */
static uint32_t mark_of(const dgmi_mapper_dust *dust, uint32_t cluster) {
    if (!dust || dust->pile[cluster] == DGMI_MAPPER_NO_PILE)
        return cluster;
    const dgmi_mapper_pile *pile = &dust->piles[dust->pile[cluster]];
    return pile->kind == DGMI_MAPPER_PILE_HANGING ? pile->host : pile->first;
}

dgm_status dgmi_mapper_bits_blocks(dgm_context *ctx, const dgm_summary *summary, int64_t least,
                                   uint32_t *cluster, uint32_t *block, int64_t *blocks) {
    dgm_summary_clusters clusters = dgm_summary_get_clusters(summary);
    dgmi_mapper_dust *dust;
    int64_t nodes = summary->nodes, count = 0;
    dgm_status status = dgmi_mapper_summary_check_members(ctx, summary);
    if (status == DGM_OK)
        status = dgmi_mapper_dust_find(ctx, summary, least, &dust);
    if (status != DGM_OK)
        return status;
    dgmi_hold hold = dgmi_arena_hold(ctx);
    uint32_t *number = dgmi_scratch_zero(ctx, clusters.count + 1, sizeof *number);
    status = number ? DGM_OK : DGM_ERROR_MEMORY;
    if (number)
        find_largest(summary, cluster);
    for (int64_t u = 0; status == DGM_OK && u < nodes; u++) {
        uint32_t at = cluster[u] == DGMI_MAPPER_NO_CLUSTER ? (uint32_t)clusters.count
                                                           : mark_of(dust, cluster[u]);
        if (number[at] == 0)
            number[at] = (uint32_t)++count;
        block[u] = number[at] - 1;
    }
    dgmi_arena_release(ctx, hold);
    dgmi_mapper_dust_free(dust);
    *blocks = count;
    return status;
}

/* ---- what edges tell of blocks ---- */

typedef struct gain_job {
    dgmi_graph_simple_rows rows;
    const uint32_t *block, *cluster;
    int64_t blocks;
    int64_t *start;   /* blocks + 1 positions in `nodes` */
    uint32_t *nodes;  /* block after block */
    double *ends;     /* by block: the ends of edges in it */
    int64_t *inside;  /* by block: the ends of edges whose other end has the same cluster */
    double *gained;   /* by block r: sum_s m_rs log2(m_rs / (m_r m_s)) */
    int64_t **counts; /* by thread: ends by the block at the other end */
    uint32_t **met;   /* by thread: the blocks that were met */
} gain_job;

static void gain_block(void *argument, int64_t r, int thread) {
    const gain_job *job = argument;
    int64_t *counts = job->counts[thread], met = 0, inside = 0;
    uint32_t *list = job->met[thread];
    for (int64_t i = job->start[r]; i < job->start[r + 1]; i++) {
        uint32_t u = job->nodes[i];
        for (int64_t e = job->rows.offsets[u]; e < job->rows.offsets[u + 1]; e++) {
            uint32_t v = job->rows.targets[e], s = job->block[v];
            inside +=
                job->cluster[u] == job->cluster[v] && job->cluster[u] != DGMI_MAPPER_NO_CLUSTER;
            if (counts[s]++ == 0)
                list[met++] = s;
        }
    }
    double sum = 0;
    job->inside[r] = inside;
    for (int64_t i = 0; i < met; i++) {
        double ends = (double)counts[list[i]];
        sum += ends * log2(ends / (job->ends[r] * job->ends[list[i]]));
        counts[list[i]] = 0;
    }
    job->gained[r] = sum;
}

static dgm_status open_gain(dgm_context *ctx, gain_job *job) {
    int threads = dgm_context_threads(ctx);
    job->start = dgmi_scratch_zero(ctx, job->blocks + 2, sizeof *job->start);
    job->nodes = dgmi_scratch(ctx, job->rows.nodes, sizeof *job->nodes);
    job->ends = dgmi_scratch_zero(ctx, job->blocks, sizeof *job->ends);
    job->gained = dgmi_scratch(ctx, job->blocks, sizeof *job->gained);
    job->inside = dgmi_scratch(ctx, job->blocks, sizeof *job->inside);
    job->counts = dgmi_scratch(ctx, threads, sizeof *job->counts);
    job->met = dgmi_scratch(ctx, threads, sizeof *job->met);
    if (!job->start || !job->nodes || !job->ends || !job->gained || !job->inside || !job->counts ||
        !job->met)
        return DGM_ERROR_MEMORY;
    for (int t = 0; t < threads; t++) {
        job->counts[t] = dgmi_scratch_zero(ctx, job->blocks, sizeof **job->counts);
        job->met[t] = dgmi_scratch(ctx, job->blocks, sizeof **job->met);
        if (!job->counts[t] || !job->met[t])
            return DGM_ERROR_MEMORY;
    }
    return DGM_OK;
}

/* Nodes by block, by counting; placing them shifts starts by one block. */
static void group_nodes(gain_job *job) {
    for (int64_t u = 0; u < job->rows.nodes; u++) {
        assert(job->block[u] < job->blocks);
        job->start[job->block[u] + 2]++;
        job->ends[job->block[u]] += (double)dgmi_graph_simple_degree(&job->rows, u);
    }
    for (int64_t r = 0; r < job->blocks; r++)
        job->start[r + 2] += job->start[r + 1];
    for (int64_t u = 0; u < job->rows.nodes; u++)
        job->nodes[job->start[job->block[u] + 1]++] = (uint32_t)u;
}

/* ---- what it costs ---- */

static double log2_factorial(double n) {
    int sign; /* lgamma would write it into a variable of the whole process */
    return lgamma_r(n + 1, &sign) / M_LN2;
}

/* The entropy of the shares of nodes, for all nodes. */
static double told_of(const gain_job *job, double edges) {
    double nodes = (double)job->rows.nodes, told = 0;
    for (int64_t r = 0; r < job->blocks; r++) {
        double size = (double)(job->start[r + 1] - job->start[r]);
        told += size > 0 ? size * log2(nodes / size) : 0;
    }
    return told / edges;
}

static double table_of(double blocks, double edges) {
    double counts = blocks * (blocks + 1) / 2;
    return (log2_factorial(counts + edges - 1) - log2_factorial(edges) -
            log2_factorial(counts - 1)) /
           edges;
}

static double whole_of(const dgmi_graph_simple_rows *rows, double edges) {
    double sum = log2_factorial(2 * edges) - edges - log2_factorial(edges);
    for (int64_t u = 0; u < rows->nodes; u++)
        sum -= log2_factorial((double)dgmi_graph_simple_degree(rows, u));
    return fmax(0, sum / edges);
}

dgm_status dgmi_mapper_bits_measure(dgm_context *ctx, const dgm_graph *graph, const uint32_t *block,
                                    int64_t blocks, const uint32_t *cluster, dgm_bits *out) {
    gain_job job = {.block = block, .cluster = cluster, .blocks = blocks};
    *out = (dgm_bits){.known = true, .blocks = blocks, .features = -1, .features_chance = -1};
    dgmi_hold hold = dgmi_arena_hold(ctx);
    dgm_status status = dgmi_graph_simple_make(ctx, graph, &job.rows);
    double ends = status == DGM_OK ? (double)job.rows.offsets[job.rows.nodes] : 0;
    if (status == DGM_OK && ends > 0)
        status = open_gain(ctx, &job);
    if (status == DGM_OK && ends > 0) {
        group_nodes(&job);
        dgmi_parallel(ctx, blocks, gain_block, &job);
        for (int64_t r = 0; r < blocks; r++) {
            out->gained += job.gained[r];
            out->inside += job.inside[r];
        }
        out->inside /= 2;
        out->edges = (int64_t)ends / 2;
        out->gained = fmax(0, out->gained / ends + log2(ends));
        out->told = told_of(&job, ends / 2);
        out->cost = out->told + table_of((double)blocks, ends / 2);
        out->whole = whole_of(&job.rows, ends / 2);
    }
    dgmi_arena_release(ctx, hold);
    return status;
}

/* ---- of a summary ---- */

dgm_status dgm_summary_measure_bits(dgm_context *ctx, const dgm_summary *summary,
                                    const dgm_graph *graph, int64_t dust_size, dgm_bits *out) {
    int64_t blocks;
    *out = (dgm_bits){.features = -1, .features_chance = -1};
    dgm_status status = dgmi_mapper_summary_check_graph(ctx, summary, graph);
    if (status != DGM_OK)
        return status;
    dgmi_hold hold = dgmi_arena_hold(ctx);
    uint32_t *cluster = dgmi_scratch(ctx, dgm_graph_nodes(graph), sizeof *cluster);
    uint32_t *block = dgmi_scratch(ctx, dgm_graph_nodes(graph), sizeof *block);
    status = cluster && block
                 ? dgmi_mapper_bits_blocks(ctx, summary, dust_size, cluster, block, &blocks)
                 : DGM_ERROR_MEMORY;
    if (status == DGM_OK)
        status = dgmi_mapper_bits_measure(ctx, graph, block, blocks, cluster, out);
    if (status == DGM_OK)
        status = dgmi_mapper_features_explained(ctx, graph, block, blocks, &out->features);
    dgmi_arena_release(ctx, hold);
    return status;
}

dgm_bits dgm_summary_get_bits(const dgm_summary *summary) {
    return summary->bits;
}

void dgm_summary_set_bits(dgm_summary *summary, const dgm_bits *bits) {
    summary->bits = *bits;
}

/* ---- against chance ---- */

/* Rewired graphs differ from each other by their spread. A difference that is more than chance is
 * several times as large, larger than what all of them gave, and large enough to be seen. The fewer
 * graphs there were, the less is known of their spread. */
static bool is_more(int64_t runs, double saved, double chance, double most, double spread) {
    double seen = runs >= 20 ? 0.01 : runs >= 5 ? 0.04 : 0.05, times = runs >= 20 ? 3 : 4;
    return saved > most && saved - chance > fmax(seen, times * spread);
}

/* Marks may say more of the edges than chance and say it of more marks, which costs more: both sums
 * are looked at. */
dgm_finding dgm_bits_finding(const dgm_bits *bits) {
    double saved = bits->gained - bits->cost;
    if (!bits->known || bits->runs == 0)
        return DGM_FINDING_UNKNOWN;
    if (!is_more(bits->runs, saved, bits->chance, bits->chance_most, bits->spread) &&
        !is_more(bits->runs, saved + bits->told, bits->bare, bits->bare_most, bits->bare_spread))
        return DGM_FINDING_NONE;
    return saved > 0 ? DGM_FINDING_FOUND : DGM_FINDING_WEAK;
}

const char *const *dgm_finding_names(void) {
    static const char *const names[] = {"unknown", "none", "weak", "found", NULL};
    return names;
}

const char *dgm_bits_words(const dgm_bits *bits, char *buffer, size_t size) {
    double saved = bits->gained - bits->cost;
    int at;
    const char *rewired = bits->runs == 1 ? "the graph rewired at random" : "rewired graphs";
    switch (dgm_bits_finding(bits)) {
    case DGM_FINDING_NONE:
        snprintf(buffer, size,
                 "no structure beyond chance was found in this graph at these settings: they save "
                 "%.2f bits for each edge, and %.2f in %s",
                 saved, bits->chance, rewired);
        break;
    case DGM_FINDING_WEAK:
        snprintf(buffer, size,
                 "there is more structure than by chance, and less than it takes to write the "
                 "summary down: %.2f bits are saved for each edge, and %.2f in %s",
                 saved, bits->chance, rewired);
        break;
    case DGM_FINDING_FOUND:
        at = snprintf(buffer, size,
                      "this summary explains %.2f of %.2f bits for each edge; the same settings on "
                      "%s explain ",
                      saved, bits->whole, rewired);
        if (at > 0 && (size_t)at < size)
            snprintf(buffer + at, size - (size_t)at, bits->chance > 0 ? "%.2f" : "nothing",
                     bits->chance);
        break;
    default:
        snprintf(buffer, size,
                 saved >= 0 ? "this summary explains %.2f of %.2f bits for each edge"
                            : "this summary explains less of the edges than it takes to write it "
                              "down: %.2f of %.2f bits for each",
                 saved, bits->whole);
    }
    size_t used = strlen(buffer);
    if (bits->features >= 0 && used < size)
        snprintf(
            buffer + used, size - used,
            bits->features_chance >= 0
                ? ". Of the variance of features, %.1f%% lies between marks; %.1f%% if features "
                  "are shuffled"
                : ". Of the variance of features, %.1f%% lies between marks",
            100 * bits->features, 100 * bits->features_chance);
    return buffer;
}
