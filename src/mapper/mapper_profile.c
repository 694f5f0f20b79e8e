/* SPDX-License-Identifier: Apache-2.0 */
/* Makes and frees profiles, and answers the public calls about them (dgm/profile.h). */
#include "mapper_profile.h"

#include <math.h>
#include <string.h>

#include "base_context.h"
#include "base_memory.h"
#include "graph_predictions.h"
#include "mapper_summary.h"

dgm_status dgmi_mapper_profile_open(dgm_context *ctx, int64_t clusters, dgm_profile **out) {
    *out = dgmi_alloc_zero(ctx, 1, sizeof **out);
    if (!*out)
        return DGM_ERROR_MEMORY;
    (*out)->allocator = ctx->allocator;
    (*out)->clusters = clusters;
    return DGM_OK;
}

dgm_status dgmi_mapper_profile_look(dgm_context *ctx, dgm_profile *profile,
                                    dgmi_mapper_profile_source from, dgmi_mapper_members members) {
    dgm_status status = dgmi_graph_predictions_check(ctx, from.predictions, from.graph);
    if (status == DGM_OK)
        status = dgmi_mapper_profile_look_at_classes(ctx, profile, from, members);
    if (status == DGM_OK)
        status = dgmi_mapper_profile_look_at_attributes(ctx, profile, from.graph, members);
    return status == DGM_OK ? dgmi_mapper_profile_look_outward(ctx, profile, from.graph, members)
                            : status;
}

dgm_status dgm_profile_create(dgm_context *ctx, const dgm_summary *summary, const dgm_graph *graph,
                              const dgm_predictions *predictions, dgm_profile **out) {
    const dgmi_mapper_members members = {summary->clusters, summary->offsets, summary->members};
    *out = NULL;
    dgm_status status = dgmi_mapper_summary_check_graph(ctx, summary, graph);
    if (status == DGM_OK)
        status = dgmi_mapper_profile_open(ctx, summary->clusters, out);
    if (status != DGM_OK)
        return status;
    status = dgmi_mapper_profile_look(ctx, *out, (dgmi_mapper_profile_source){graph, predictions},
                                      members);
    if (status == DGM_OK)
        status = dgmi_mapper_profile_stand_out(ctx, *out, graph, members, summary->peaks);
    if (status == DGM_OK)
        status = dgm_summary_count_mistakes(ctx, summary, graph, predictions, &(*out)->ledger);
    if (status != DGM_OK) {
        dgm_profile_free(*out);
        *out = NULL;
    }
    return status;
}

dgm_status dgmi_mapper_profile_name_attribute(dgm_context *ctx, const char *name,
                                              dgmi_mapper_profile_attribute *attribute) {
    static const char prefix[] = "attr:";
    size_t length = strlen(name) + 1;
    attribute->subject = dgmi_alloc(ctx, (int64_t)(sizeof prefix - 1 + length), 1);
    if (!attribute->subject)
        return DGM_ERROR_MEMORY;
    memcpy(attribute->subject, prefix, sizeof prefix - 1);
    attribute->name = attribute->subject + sizeof prefix - 1;
    memcpy(attribute->name, name, length);
    return DGM_OK;
}

/* ---- freeing ---- */

static void free_texts(const dgm_allocator *allocator, char **texts, int64_t count) {
    for (int64_t i = 0; texts && i < count; i++)
        dgmi_allocator_free(allocator, texts[i]);
    dgmi_allocator_free(allocator, texts);
}

static void free_counts(const dgm_allocator *allocator, dgmi_mapper_counts *counts) {
    dgmi_allocator_free(allocator, counts->offsets);
    dgmi_allocator_free(allocator, counts->values);
    dgmi_allocator_free(allocator, counts->counts);
}

static void free_tops(const dgm_allocator *allocator, dgmi_mapper_tops *tops) {
    dgmi_allocator_free(allocator, tops->offsets);
    dgmi_allocator_free(allocator, tops->starts);
    dgmi_allocator_free(allocator, tops->text);
}

static void free_attributes(dgm_profile *profile) {
    for (int64_t a = 0; profile->attributes && a < profile->attribute_count; a++) {
        dgmi_mapper_profile_attribute *attribute = &profile->attributes[a];
        dgmi_allocator_free(&profile->allocator, attribute->subject);
        dgmi_allocator_free(&profile->allocator, attribute->means);
        free_counts(&profile->allocator, &attribute->counts);
        free_texts(&profile->allocator, attribute->texts, attribute->text_count);
    }
    dgmi_allocator_free(&profile->allocator, profile->attributes);
}

void dgm_profile_free(dgm_profile *profile) {
    if (!profile)
        return;
    dgm_allocator allocator = profile->allocator;
    free_texts(&allocator, profile->class_names, profile->classes);
    free_counts(&allocator, &profile->labels);
    free_counts(&allocator, &profile->predictions);
    free_attributes(profile);
    free_tops(&allocator, &profile->hubs);
    free_tops(&allocator, &profile->peaks);
    free_tops(&allocator, &profile->names);
    void *const blocks[] = {profile->outward, profile->judged, profile->mistakes,
                            profile->entropy, profile->mixups, profile->mixup_offsets,
                            profile};
    for (size_t i = 0; i < sizeof blocks / sizeof *blocks; i++)
        dgmi_allocator_free(&allocator, blocks[i]);
}

/* ---- asking ---- */

int64_t dgm_profile_clusters(const dgm_profile *profile) {
    return profile->clusters;
}

int32_t dgm_profile_classes(const dgm_profile *profile) {
    return profile->classes;
}

const char *dgm_profile_class_name(const dgm_profile *profile, int32_t class_index) {
    return class_index >= 0 && class_index < profile->classes ? profile->class_names[class_index]
                                                              : NULL;
}

static dgm_profile_counts lend(const dgmi_mapper_counts *counts) {
    return (dgm_profile_counts){counts->offsets, counts->values, counts->counts};
}

dgm_profile_counts dgm_profile_labels(const dgm_profile *profile) {
    return lend(&profile->labels);
}

dgm_profile_counts dgm_profile_predictions(const dgm_profile *profile) {
    return lend(&profile->predictions);
}

const int64_t *dgm_profile_judged(const dgm_profile *profile) {
    return profile->judged;
}

const int64_t *dgm_profile_mistakes(const dgm_profile *profile) {
    return profile->mistakes;
}

dgm_summary_mistakes dgm_profile_get_mistakes(const dgm_profile *profile) {
    return profile->ledger;
}

const dgm_profile_mixup *dgm_profile_mixups(const dgm_profile *profile, int64_t cluster,
                                            int64_t *count) {
    const int64_t *offsets = profile->mixup_offsets;
    *count = offsets ? offsets[cluster + 1] - offsets[cluster] : 0;
    return *count ? profile->mixups + offsets[cluster] : NULL;
}

const double *dgm_profile_outward(const dgm_profile *profile) {
    return profile->outward;
}

const double *dgm_profile_entropy(const dgm_profile *profile, bool *of_labels) {
    if (of_labels)
        *of_labels = profile->entropy_of_labels;
    return profile->entropy;
}

int64_t dgm_profile_attributes(const dgm_profile *profile) {
    return profile->attribute_count;
}

dgm_profile_attribute dgm_profile_get_attribute(const dgm_profile *profile, int64_t index) {
    const dgmi_mapper_profile_attribute *attribute = &profile->attributes[index];
    return (dgm_profile_attribute){.name = attribute->name,
                                   .kind = attribute->kind,
                                   .means = attribute->means,
                                   .counts = lend(&attribute->counts),
                                   .texts = (const char *const *)attribute->texts,
                                   .text_count = attribute->text_count};
}

static const char *top_name(const dgmi_mapper_tops *tops, int64_t cluster, int64_t rank) {
    if (!tops->offsets || rank < 0 || rank >= tops->offsets[cluster + 1] - tops->offsets[cluster])
        return NULL;
    return dgmi_mapper_tops_name(tops, tops->offsets[cluster] + rank);
}

const char *dgm_profile_hub(const dgm_profile *profile, int64_t cluster, int64_t rank) {
    return top_name(&profile->hubs, cluster, rank);
}

const char *dgm_profile_peak(const dgm_profile *profile, int64_t cluster, int64_t rank) {
    return top_name(&profile->peaks, cluster, rank);
}

/* ---- where labels and predictions differ ---- */

/* The lower end of the 95 % interval of Wilson (1927) for the share of mistakes: 89 of 94 says more
 * than 1 of 1. */
static double sure_share(const dgm_profile_dispute *dispute) {
    const double z = 1.96;
    double count = (double)dispute->judged, share = (double)dispute->mistakes / count;
    double spread = z * sqrt(share * (1 - share) / count + z * z / (4 * count * count));
    return (share + z * z / (2 * count) - spread) / (1 + z * z / count);
}

static bool worse(const dgm_profile_dispute *a, const dgm_profile_dispute *b) {
    double left = sure_share(a), right = sure_share(b);
    return left != right ? left > right : a->mistakes > b->mistakes;
}

static dgm_profile_dispute dispute_of(const dgm_profile *profile, int64_t cluster) {
    int64_t count;
    const dgm_profile_mixup *most = dgm_profile_mixups(profile, cluster, &count);
    dgm_profile_dispute dispute = {.cluster = (uint32_t)cluster,
                                   .judged = profile->judged[cluster],
                                   .mistakes = profile->mistakes[cluster]};
    if (most) {
        dispute.label = profile->class_names[most->label];
        dispute.prediction = profile->class_names[most->prediction];
        dispute.confused = most->count;
    }
    return dispute;
}

int64_t dgm_profile_disputes(const dgm_profile *profile, int64_t most, dgm_profile_dispute *out) {
    int64_t count = 0;
    for (int64_t c = 0; profile->mistakes && c < profile->clusters && most > 0; c++) {
        dgm_profile_dispute here = dispute_of(profile, c);
        if (here.mistakes == 0 || (count == most && !worse(&here, &out[count - 1])))
            continue;
        int64_t at = count < most ? count++ : count - 1;
        for (; at > 0 && worse(&here, &out[at - 1]); at--)
            out[at] = out[at - 1];
        out[at] = here;
    }
    return count;
}
