/* SPDX-License-Identifier: Apache-2.0 */
/* A made-up citation network: papers of six fields that cite earlier ones, with the words of each
 * as sparse features, its field as label, its year as attribute, and a split as such data sets
 * have.
 *
 * A paper cites by the copying model of Kumar and others, "Stochastic models for the web graph"
 * (2000): a reference is a random earlier paper of a field, or one of that paper's own references,
 * which makes degrees heavy-tailed and the field denser than its blocks. Further references are
 * often taken over from the papers that are cited already, which makes triangles. O(nodes + edges).
 */
#include "graph_generate.h"

#include <stdlib.h>

#include "base_context.h"
#include "base_memory.h"
#include "base_random.h"

enum {
    FIELDS = 6,
    SHARED_WORDS = 300, /* that every field uses */
    FIELD_WORDS = 50,   /* of each field's own */
    MOST_WORDS = 24,    /* in a paper */
    LEAST_WORDS = 8,
    MOST_REFERENCES = 64,
    TRAINING = 20, /* papers of each field that train, where there are enough */
    FIRST_YEAR = 1990,
    YEARS = 30,
};

/* Streams of the random numbers, one a purpose. */
enum { STREAM_FIELDS = 101, STREAM_REFERENCES, STREAM_WORDS, STREAM_SPLIT };

static const char *const field_names[FIELDS] = {"medicine", "physics", "chemistry",
                                                "geology",  "botany",  "law"};
/* Where each field's share of all papers ends: 28, 20, 17, 14, 12 and 9 of a hundred. */
static const double field_ends[FIELDS] = {0.28, 0.48, 0.65, 0.79, 0.91, 1};

static const double copied = 0.5; /* references that come from the list of the paper found first */
static const double taken_over = 0.4; /* from the lists of papers that are cited already */
static const double own_words = 0.25; /* words that come from a field's own vocabulary */
static const double strayed = 0.2;    /* and of those, from that of another field */

typedef struct {
    dgm_context *ctx;
    int64_t nodes;
    double mean_references, inside;
    uint64_t seed;
    int32_t *fields;        /* by paper */
    uint32_t *members;      /* papers by field, earlier first */
    int64_t starts[FIELDS]; /* of each field in `members` */
    int64_t met[FIELDS];    /* its papers so far */
    int64_t *lists;         /* where each paper's references begin; nodes + 1 */
    uint32_t *references;
    int64_t capacity;
} library;

/* ---- fields ---- */

static dgm_status draw_fields(library *all) {
    int64_t counts[FIELDS] = {0}, next[FIELDS];
    dgmi_random random = {all->seed, STREAM_FIELDS, 0};
    all->fields = dgmi_scratch(all->ctx, all->nodes, sizeof *all->fields);
    all->members = dgmi_scratch(all->ctx, all->nodes, sizeof *all->members);
    if (!all->fields || !all->members)
        return DGM_ERROR_MEMORY;
    for (int64_t u = 0; u < all->nodes; u++) {
        double draw = dgmi_random_next(&random);
        int32_t field = 0;
        while (draw >= field_ends[field])
            field++;
        all->fields[u] = field;
        counts[field]++;
    }
    for (int64_t f = 0, start = 0; f < FIELDS; start += counts[f++])
        all->starts[f] = next[f] = start;
    for (int64_t u = 0; u < all->nodes; u++)
        all->members[next[all->fields[u]]++] = (uint32_t)u;
    return DGM_OK;
}

/* ---- references ---- */

/* One of the paper's references, or the paper itself where it has none. */
static uint32_t copy_reference(const library *all, uint32_t paper, dgmi_random *random) {
    int64_t begin = all->lists[paper], count = all->lists[paper + 1] - begin;
    if (count == 0)
        return paper;
    return all->references[begin + (int64_t)dgmi_random_next_below(random, (uint64_t)count)];
}

/* An earlier paper, found through its field. False: there is none. */
static bool find_paper(const library *all, int32_t field, dgmi_random *random, uint32_t *paper) {
    if (dgmi_random_next(random) >= all->inside)
        field = (field + 1 + (int32_t)dgmi_random_next_below(random, FIELDS - 1)) % FIELDS;
    if (all->met[field] == 0)
        return false;
    int64_t place = (int64_t)dgmi_random_next_below(random, (uint64_t)all->met[field]);
    *paper = all->members[all->starts[field] + place];
    if (dgmi_random_next(random) < copied)
        *paper = copy_reference(all, *paper, random);
    return true;
}

/* References of one paper: a geometric number of them, at least one. */
static int64_t cite(const library *all, int32_t field, dgmi_random *random, uint32_t *list) {
    int64_t count = 0;
    double more = 1 - 1 / all->mean_references;
    for (bool go_on = true; go_on && count < MOST_REFERENCES;
         go_on = dgmi_random_next(random) < more) {
        bool take_over = count > 0 && dgmi_random_next(random) < taken_over;
        if (take_over) {
            uint32_t source = list[dgmi_random_next_below(random, (uint64_t)count)];
            list[count++] = copy_reference(all, source, random);
        } else if (find_paper(all, field, random, &list[count])) {
            count++;
        }
    }
    return count;
}

static dgm_status keep(library *all, int64_t paper, const uint32_t *list, int64_t count) {
    int64_t begin = all->lists[paper];
    void *references = all->references;
    dgm_status status =
        dgmi_reserve(all->ctx, &references, &all->capacity, begin + count, sizeof *all->references);
    all->references = references;
    if (status != DGM_OK)
        return status;
    for (int64_t i = 0; i < count; i++)
        all->references[begin + i] = list[i];
    all->lists[paper + 1] = begin + count;
    return DGM_OK;
}

static dgm_status cite_all(library *all, dgm_graph_builder *builder) {
    dgmi_random random = {all->seed, STREAM_REFERENCES, 0};
    all->lists = dgmi_scratch_zero(all->ctx, all->nodes + 1, sizeof *all->lists);
    dgm_status status = all->lists ? DGM_OK : DGM_ERROR_MEMORY;
    for (int64_t u = 0; status == DGM_OK && u < all->nodes; u++) {
        uint32_t list[MOST_REFERENCES];
        int64_t count = cite(all, all->fields[u], &random, list);
        all->met[all->fields[u]]++;
        for (int64_t i = 0; status == DGM_OK && i < count; i++)
            status =
                dgm_graph_builder_add(builder, 1, (const uint32_t[]){(uint32_t)u, list[i]}, NULL);
        if (status == DGM_OK)
            status = keep(all, u, list, count);
    }
    return status;
}

/* ---- words ---- */

/* Words are rarer the higher their number: the density falls with its square root. */
static uint32_t draw_word(int32_t field, dgmi_random *random) {
    double kind = dgmi_random_next(random), place = dgmi_random_next(random);
    if (kind >= own_words)
        return (uint32_t)(place * place * SHARED_WORDS);
    if (kind < own_words * strayed)
        field = (int32_t)dgmi_random_next_below(random, FIELDS);
    return SHARED_WORDS + (uint32_t)field * FIELD_WORDS + (uint32_t)(place * place * FIELD_WORDS);
}

static int compare_words(const void *a, const void *b) {
    uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return (x > y) - (x < y);
}

/* The words of one paper, ascending, each once. */
static int64_t write_paper(int32_t field, dgmi_random *random, uint32_t *words) {
    int64_t draws =
        LEAST_WORDS + (int64_t)dgmi_random_next_below(random, MOST_WORDS - LEAST_WORDS + 1);
    int64_t count = 0;
    for (int64_t i = 0; i < draws; i++)
        words[i] = draw_word(field, random);
    qsort(words, (size_t)draws, sizeof *words, compare_words);
    for (int64_t i = 0; i < draws; i++)
        if (count == 0 || words[i] != words[count - 1])
            words[count++] = words[i];
    return count;
}

static dgm_status write_all(const library *all, dgm_graph_builder *builder) {
    dgmi_random random = {all->seed, STREAM_WORDS, 0};
    int64_t *offsets = dgmi_scratch(all->ctx, all->nodes + 1, sizeof *offsets);
    uint32_t *words = dgmi_scratch(all->ctx, all->nodes * MOST_WORDS, sizeof *words);
    if (!offsets || !words)
        return DGM_ERROR_MEMORY;
    offsets[0] = 0;
    for (int64_t u = 0; u < all->nodes; u++)
        offsets[u + 1] = offsets[u] + write_paper(all->fields[u], &random, words + offsets[u]);
    const dgm_graph_features features = {SHARED_WORDS + FIELDS * FIELD_WORDS, offsets, words, NULL};
    return dgm_graph_builder_set_features(builder, all->nodes, &features);
}

/* ---- years and the split ---- */

static dgm_status date_all(const library *all, dgm_graph_builder *builder) {
    double *years = dgmi_scratch(all->ctx, all->nodes, sizeof *years);
    if (!years)
        return DGM_ERROR_MEMORY;
    for (int64_t u = 0; u < all->nodes; u++) {
        int64_t year = FIRST_YEAR + u * YEARS / all->nodes;
        years[u] = (double)year;
    }
    return dgm_graph_builder_add_numbers(builder, "year", all->nodes, years);
}

/* Papers in random order: of each field the first ones train; of the others a fifth of all papers
 * validate, then two fifths test. */
static dgm_status split_all(const library *all, dgm_graph_builder *builder) {
    dgmi_random random = {all->seed, STREAM_SPLIT, 0};
    uint32_t *order = dgmi_scratch(all->ctx, all->nodes, sizeof *order);
    uint8_t *splits = dgmi_scratch_zero(all->ctx, all->nodes, sizeof *splits);
    int64_t trained[FIELDS] = {0}, validate = all->nodes / 5, test = 2 * all->nodes / 5;
    int64_t training = all->nodes / (3 * FIELDS);
    training = training < 1 ? 1 : training > TRAINING ? TRAINING : training;
    if (!order || !splits)
        return DGM_ERROR_MEMORY;
    for (int64_t i = 0; i < all->nodes; i++) { /* Fisher and Yates, from inside out */
        int64_t j = (int64_t)dgmi_random_next_below(&random, (uint64_t)i + 1);
        order[i] = order[j];
        order[j] = (uint32_t)i;
    }
    for (int64_t i = 0; i < all->nodes; i++) {
        uint32_t u = order[i];
        if (trained[all->fields[u]] < training) {
            trained[all->fields[u]]++;
            splits[u] = DGM_SPLIT_TRAIN;
        } else if (validate > 0) {
            validate--;
            splits[u] = DGM_SPLIT_VALIDATION;
        } else if (test > 0) {
            test--;
            splits[u] = DGM_SPLIT_TEST;
        }
    }
    return dgm_graph_builder_set_splits(builder, all->nodes, splits);
}

dgm_status dgmi_graph_generate_papers(dgm_context *ctx, const dgm_generate_options *options,
                                      dgm_graph_builder *builder) {
    int64_t edges = options->edges ? options->edges : 2 * options->nodes;
    double mean = (double)edges / (double)options->nodes;
    library all = {.ctx = ctx,
                   .nodes = options->nodes,
                   .mean_references = mean < 1 ? 1 : mean,
                   .inside = options->inside,
                   .seed = (uint64_t)options->seed};
    dgmi_hold hold = dgmi_arena_hold(ctx);
    dgm_status status = draw_fields(&all);
    if (status == DGM_OK)
        status = cite_all(&all, builder);
    if (status == DGM_OK)
        status = write_all(&all, builder);
    if (status == DGM_OK)
        status = date_all(&all, builder);
    if (status == DGM_OK)
        status = split_all(&all, builder);
    if (status == DGM_OK)
        status = dgm_graph_builder_set_labels(builder, all.nodes, all.fields);
    if (status == DGM_OK)
        status = dgm_graph_builder_set_class_names(builder, FIELDS, field_names);
    dgmi_free(ctx, all.references);
    dgmi_arena_release(ctx, hold);
    return status;
}
