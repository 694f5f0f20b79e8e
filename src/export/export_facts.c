/* SPDX-License-Identifier: Apache-2.0 */
/* Collects the columns of export_facts.h and finds their values for a cluster. */
#include "export_facts.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base_context.h"
#include "base_memory.h"
#include "base_text.h"

enum { MOST_COUNTED = 64 }; /* classes that have columns of their own */

/* ---- which there are ---- */

/* PREFIX, NAME and SUFFIX joined; scratch memory. */
static const char *joined(dgm_context *ctx, const char *prefix, const char *name,
                          const char *suffix) {
    size_t length = strlen(prefix) + strlen(name) + strlen(suffix) + 1;
    char *text = dgmi_scratch(ctx, (int64_t)length, 1);
    if (text)
        snprintf(text, length, "%s%s%s", prefix, name, suffix);
    return text;
}

typedef struct {
    dgm_context *ctx;
    dgmi_export_facts *facts;
    dgm_status status;
} maker;

static void add(maker *m, dgmi_export_fact fact) {
    if (!fact.name || !fact.key)
        m->status = DGM_ERROR_MEMORY;
    m->facts->list[m->facts->count++] = fact;
}

/* A fact whose name needs no repair for XML. */
static void add_plain(maker *m, const char *name, dgmi_export_fact_type type,
                      dgmi_export_fact_kind kind) {
    add(m, (dgmi_export_fact){.name = name, .key = name, .type = type, .kind = kind});
}

/* Facts of a family are numbered in their keys: lens1, lens2, ... */
static void add_numbered(maker *m, const char *family, const char *name, dgmi_export_fact fact) {
    char number[DGMI_NUMBER_SPACE];
    snprintf(number, sizeof number, "%lld", (long long)fact.index + 1);
    fact.name = name;
    fact.key =
        joined(m->ctx, family, number, fact.kind == DGMI_EXPORT_FACT_MOST_SHARE ? "_share" : "");
    add(m, fact);
}

/* class, class_share, labels_CLASS...; or the same of predictions. */
static void add_classes(maker *m, const dgmi_mapper_counts *counts, const char *word,
                        const char *family) {
    const dgm_profile *profile = m->facts->profile;
    const char *share = joined(m->ctx, word, "_share", "");
    if (!counts->offsets)
        return;
    add(m,
        (dgmi_export_fact){word, word, DGMI_EXPORT_FACT_TEXT, DGMI_EXPORT_FACT_CLASS, counts, 0});
    add(m, (dgmi_export_fact){share, share, DGMI_EXPORT_FACT_REAL, DGMI_EXPORT_FACT_CLASS_SHARE,
                              counts, 0});
    for (int32_t c = 0; c < profile->classes && profile->classes <= MOST_COUNTED; c++)
        add_numbered(
            m, family, joined(m->ctx, family, "_", profile->class_names[c]),
            (dgmi_export_fact){.kind = DGMI_EXPORT_FACT_CLASS_COUNT, .counts = counts, .index = c});
}

static void add_attributes(maker *m) {
    const dgm_profile *profile = m->facts->profile;
    for (int64_t a = 0; a < profile->attribute_count; a++) {
        const char *name = profile->attributes[a].name;
        bool number = profile->attributes[a].kind == DGM_ATTRIBUTE_NUMBER;
        dgmi_export_fact fact = {.type = number ? DGMI_EXPORT_FACT_REAL : DGMI_EXPORT_FACT_TEXT,
                                 .kind = number ? DGMI_EXPORT_FACT_MEAN : DGMI_EXPORT_FACT_MOST,
                                 .index = a};
        add_numbered(m, "attr", joined(m->ctx, "attr_", name, ""), fact);
        fact.type = DGMI_EXPORT_FACT_REAL;
        fact.kind = DGMI_EXPORT_FACT_MOST_SHARE;
        if (!number)
            add_numbered(m, "attr", joined(m->ctx, "attr_", name, "_share"), fact);
    }
}

static void add_all(maker *m) {
    const dgm_profile *profile = m->facts->profile;
    const dgm_summary *summary = m->facts->summary;
    if (dgm_summary_weights(summary))
        add_plain(m, "weighted_size", DGMI_EXPORT_FACT_REAL, DGMI_EXPORT_FACT_WEIGHTED_SIZE);
    for (int64_t c = 0; c < dgm_summary_get_clusters(summary).dimension; c++)
        add_numbered(m, "lens", joined(m->ctx, "lens_", dgm_summary_axis_name(summary, c), ""),
                     (dgmi_export_fact){
                         .type = DGMI_EXPORT_FACT_REAL, .kind = DGMI_EXPORT_FACT_LENS, .index = c});
    if (m->facts->places->x) {
        add_plain(m, "x", DGMI_EXPORT_FACT_REAL, DGMI_EXPORT_FACT_X);
        add_plain(m, "y", DGMI_EXPORT_FACT_REAL, DGMI_EXPORT_FACT_Y);
        add_plain(m, "radius", DGMI_EXPORT_FACT_REAL, DGMI_EXPORT_FACT_RADIUS);
    }
    add_classes(m, &profile->labels, "class", "labels");
    add_classes(m, &profile->predictions, "prediction", "predictions");
    if (profile->judged)
        add_plain(m, "judged", DGMI_EXPORT_FACT_INTEGER, DGMI_EXPORT_FACT_JUDGED);
    if (profile->mistakes)
        add_plain(m, "mistakes", DGMI_EXPORT_FACT_INTEGER, DGMI_EXPORT_FACT_MISTAKES);
    if (profile->entropy)
        add_plain(m, profile->entropy_of_labels ? "entropy_of_labels" : "entropy",
                  DGMI_EXPORT_FACT_REAL, DGMI_EXPORT_FACT_ENTROPY);
    add_attributes(m);
}

static int compare_names(const void *a, const void *b) {
    const dgmi_export_fact *x = *(dgmi_export_fact *const *)a, *y = *(dgmi_export_fact *const *)b;
    int order = strcmp(x->name, y->name);
    return order ? order : (x > y) - (x < y);
}

/* A name that stood before gets the number of its axis, class or attribute. */
static dgm_status number_repeats(dgm_context *ctx, dgmi_export_facts *facts) {
    dgmi_export_fact **order = dgmi_scratch(ctx, facts->count, sizeof *order);
    if (!order)
        return DGM_ERROR_MEMORY;
    for (int64_t i = 0; i < facts->count; i++)
        order[i] = &facts->list[i];
    if (facts->count > 1)
        qsort(order, (size_t)facts->count, sizeof(dgmi_export_fact *), compare_names);
    const char *stood = NULL;
    for (int64_t i = 0; i < facts->count; i++) {
        char number[DGMI_NUMBER_SPACE];
        if (!stood || strcmp(order[i]->name, stood) != 0) {
            stood = order[i]->name;
            continue;
        }
        snprintf(number, sizeof number, "%lld", (long long)order[i]->index + 1);
        if (!(order[i]->name = joined(ctx, stood, "_", number)))
            return DGM_ERROR_MEMORY;
    }
    return DGM_OK;
}

dgm_status dgmi_export_facts_make(dgm_context *ctx, const dgm_summary *summary,
                                  const dgm_profile *profile, const dgm_places *places,
                                  dgmi_export_facts *out) {
    enum { SINGLE = 16 }; /* more than there are outside the families */
    int64_t counted = profile->classes <= MOST_COUNTED ? profile->classes : 0;
    int64_t room = SINGLE + dgm_summary_get_clusters(summary).dimension + 2 * counted +
                   2 * profile->attribute_count;
    *out = (dgmi_export_facts){summary, profile, places, dgmi_scratch(ctx, room, sizeof *out->list),
                               0};
    maker m = {ctx, out, out->list ? DGM_OK : DGM_ERROR_MEMORY};
    if (m.status == DGM_OK)
        add_all(&m);
    return m.status == DGM_OK ? number_repeats(ctx, out) : m.status;
}

/* ---- what they are ---- */

static bool find_real(double value, dgmi_export_fact_value *out) {
    out->real = value;
    return isfinite(value);
}

static bool find_integer(int64_t value, dgmi_export_fact_value *out) {
    out->integer = value;
    return true;
}

static bool find_lens(const dgm_summary *summary, int64_t cluster, int64_t axis,
                      dgmi_export_fact_value *out) {
    dgm_summary_clusters clusters = dgm_summary_get_clusters(summary);
    return find_real(clusters.lens[cluster * clusters.dimension + axis], out);
}

static bool find_weighted_size(const dgm_summary *summary, int64_t cluster,
                               dgmi_export_fact_value *out) {
    dgm_summary_clusters clusters = dgm_summary_get_clusters(summary);
    const double *weights = dgm_summary_weights(summary);
    double sum = 0;
    for (int64_t i = clusters.offsets[cluster]; i < clusters.offsets[cluster + 1]; i++)
        sum += weights[i];
    return find_real(sum, out);
}

/* The most frequent value and its part of all members, also of those that have none. */
static bool find_most(const dgmi_export_facts *facts, const dgmi_mapper_counts *counts,
                      char *const *names, int64_t cluster, dgmi_export_fact_value *out) {
    int32_t most = dgmi_mapper_counts_majority(counts, cluster, NULL);
    if (most < 0)
        return false;
    out->text = names[most];
    const int64_t *offsets = dgm_summary_get_clusters(facts->summary).offsets;
    out->real = (double)dgmi_mapper_counts_find(counts, cluster, most) /
                (double)(offsets[cluster + 1] - offsets[cluster]);
    return true;
}

bool dgmi_export_facts_find(const dgmi_export_facts *facts, int64_t fact, int64_t cluster,
                            dgmi_export_fact_value *out) {
    const dgm_profile *profile = facts->profile;
    const dgmi_export_fact *of = &facts->list[fact];
    switch (of->kind) {
    case DGMI_EXPORT_FACT_WEIGHTED_SIZE:
        return find_weighted_size(facts->summary, cluster, out);
    case DGMI_EXPORT_FACT_LENS:
        return find_lens(facts->summary, cluster, of->index, out);
    case DGMI_EXPORT_FACT_X:
        return find_real(facts->places->x[cluster], out);
    case DGMI_EXPORT_FACT_Y:
        return find_real(facts->places->y[cluster], out);
    case DGMI_EXPORT_FACT_RADIUS:
        return find_real(facts->places->radius[cluster], out);
    case DGMI_EXPORT_FACT_CLASS:
    case DGMI_EXPORT_FACT_CLASS_SHARE:
        return find_most(facts, of->counts, profile->class_names, cluster, out);
    case DGMI_EXPORT_FACT_CLASS_COUNT:
        return find_integer(dgmi_mapper_counts_find(of->counts, cluster, (int32_t)of->index), out);
    case DGMI_EXPORT_FACT_JUDGED:
        return find_integer(profile->judged[cluster], out);
    case DGMI_EXPORT_FACT_MISTAKES:
        return find_integer(profile->mistakes[cluster], out);
    case DGMI_EXPORT_FACT_ENTROPY:
        return find_real(profile->entropy[cluster], out);
    case DGMI_EXPORT_FACT_MEAN:
        return find_real(profile->attributes[of->index].means[cluster], out);
    default:
        return find_most(facts, &profile->attributes[of->index].counts,
                         profile->attributes[of->index].texts, cluster, out);
    }
}
