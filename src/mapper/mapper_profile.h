/* SPDX-License-Identifier: Apache-2.0 */
/* The inside of a profile: what is known of the members of clusters, or of single nodes where a
 * whole graph is drawn. All arrays are owned and may be NULL where they say so. */
#ifndef MAPPER_PROFILE_H
#define MAPPER_PROFILE_H

#include "dgm/predictions.h"
#include "dgm/profile.h"

/* How often values occur among the members of each cluster: those of cluster c are at
 * [offsets[c] .. offsets[c + 1]), ascending by value. offsets NULL: not known. */
typedef struct dgmi_mapper_counts {
    int64_t *offsets;
    int32_t *values; /* classes, or indices into an attribute's texts */
    int64_t *counts;
} dgmi_mapper_counts;

/* Members that stand out, by their names: those of cluster c are numbers offsets[c] up to
 * offsets[c + 1]. offsets NULL: not known. */
typedef struct dgmi_mapper_tops {
    int64_t *offsets;
    int64_t *starts; /* where each name begins in `text` */
    int64_t starts_capacity;
    char *text; /* the names, each terminated */
    int64_t used, capacity;
} dgmi_mapper_tops;

typedef struct dgmi_mapper_profile_attribute {
    char *name;
    dgm_attribute_kind kind;
    double *means;             /* NUMBER: of the members that have one; NaN: none has */
    dgmi_mapper_counts counts; /* TEXT */
    char **texts;              /* TEXT: the different values */
    int64_t text_count;
} dgmi_mapper_profile_attribute;

struct dgm_profile {
    dgm_allocator allocator;
    int64_t clusters;

    int32_t classes;    /* of labels and predictions; 0: none */
    char **class_names; /* one for each class, never NULL inside */
    dgmi_mapper_counts labels, predictions;
    int64_t *judged;   /* members with a label and a prediction; NULL: no predictions */
    int64_t *mistakes; /* of those, the ones that differ; NULL likewise */
    double *entropy;   /* of the predicted probabilities, or of the labels; NULL: neither */
    bool entropy_of_labels;
    int64_t *mixup_offsets;      /* clusters + 1; NULL: not known */
    dgm_profile_mixup *mixups;   /* the most frequent of each cluster, at most DGM_PROFILE_TOPS */
    dgm_summary_mistakes ledger; /* mistakes of the nodes in clusters and of those left out */

    dgmi_mapper_tops hubs;  /* members with the most neighbours; all members of a small cluster */
    dgmi_mapper_tops peaks; /* members where a lens of one axis is highest */

    int64_t attribute_count;
    dgmi_mapper_profile_attribute *attributes;
};

/* The members of each cluster: those of cluster c are at [offsets[c] .. offsets[c + 1]). offsets
 * NULL: cluster c is node c alone. */
typedef struct dgmi_mapper_members {
    int64_t clusters;
    const int64_t *offsets;
    const uint32_t *nodes;
} dgmi_mapper_members;

static inline int64_t dgmi_mapper_members_begin(dgmi_mapper_members members, int64_t cluster) {
    return members.offsets ? members.offsets[cluster] : cluster;
}

static inline int64_t dgmi_mapper_members_node(dgmi_mapper_members members, int64_t index) {
    return members.nodes ? members.nodes[index] : index;
}

/* What is known of the nodes. */
typedef struct dgmi_mapper_profile_source {
    const dgm_graph *graph;
    const dgm_predictions *predictions; /* or NULL */
} dgmi_mapper_profile_source;

/* A node without a label or without a prediction is not judged. */
static inline bool dgmi_mapper_is_judged(int32_t label, int32_t prediction) {
    return label >= 0 && prediction >= 0;
}

static inline bool dgmi_mapper_is_mistake(int32_t label, int32_t prediction) {
    return dgmi_mapper_is_judged(label, prediction) && label != prediction;
}

/* ---- mapper_profile.c ---- */

/* A profile that knows nothing yet; filled by the caller. */
dgm_status dgmi_mapper_profile_open(dgm_context *ctx, int64_t clusters, dgm_profile **out);
/* All that is known of the members: classes, mistakes, entropy, attributes. */
dgm_status dgmi_mapper_profile_look(dgm_context *ctx, dgm_profile *profile,
                                    dgmi_mapper_profile_source from, dgmi_mapper_members members);

/* ---- mapper_profile_counts.c ---- */

/* Counts codes among the members: one for each node, below `classes`, -1: none. */
dgm_status dgmi_mapper_counts_make(dgm_context *ctx, dgmi_mapper_members members,
                                   const int32_t *codes, int64_t classes, dgmi_mapper_counts *out);
/* How many members of a cluster have the value. */
int64_t dgmi_mapper_counts_find(const dgmi_mapper_counts *counts, int64_t cluster, int32_t value);
/* Total of each class over all clusters (a member of several clusters counts in each); `totals`
 * holds `classes` entries. */
void dgmi_mapper_counts_totals(const dgmi_mapper_counts *counts, int64_t clusters, int64_t classes,
                               int64_t *totals);
/* The most frequent value of a cluster (the smallest of equals), or -1; *share: its part of the
 * counted members. */
int32_t dgmi_mapper_counts_majority(const dgmi_mapper_counts *counts, int64_t cluster,
                                    double *share);

/* ---- mapper_profile_classes.c, mapper_profile_attributes.c ---- */

dgm_status dgmi_mapper_profile_look_at_classes(dgm_context *ctx, dgm_profile *profile,
                                               dgmi_mapper_profile_source from,
                                               dgmi_mapper_members members);
dgm_status dgmi_mapper_profile_look_at_attributes(dgm_context *ctx, dgm_profile *profile,
                                                  const dgm_graph *graph,
                                                  dgmi_mapper_members members);
/* Entropy of the labels in clusters, where nothing better is known. */
dgm_status dgmi_mapper_profile_entropy_of_labels(dgm_context *ctx, dgm_profile *profile);

/* ---- mapper_profile_tops.c ---- */

/* Which classes were taken for which. Labels and predictions are as the profile numbers them, one
 * for each node, -1: none. */
dgm_status dgmi_mapper_profile_mix_up(dgm_context *ctx, dgm_profile *profile,
                                      dgmi_mapper_members members, const int32_t *labels,
                                      const int32_t *predictions);
/* The members that stand out. peaks as dgm_summary_get_peaks has them. */
dgm_status dgmi_mapper_profile_stand_out(dgm_context *ctx, dgm_profile *profile,
                                         const dgm_graph *graph, dgmi_mapper_members members,
                                         const uint32_t *peaks);
/* No names yet: offsets are zeros. */
dgm_status dgmi_mapper_tops_open(dgm_context *ctx, int64_t clusters, dgmi_mapper_tops *tops);
/* One more name of the cluster; clusters come in their order. */
dgm_status dgmi_mapper_tops_add(dgm_context *ctx, dgmi_mapper_tops *tops, int64_t cluster,
                                const char *name, size_t length);
/* The cluster has all its names. */
static inline void dgmi_mapper_tops_end(dgmi_mapper_tops *tops, int64_t clusters, int64_t cluster) {
    if (cluster + 1 < clusters)
        tops->offsets[cluster + 2] = tops->offsets[cluster + 1];
}
static inline const char *dgmi_mapper_tops_name(const dgmi_mapper_tops *tops, int64_t index) {
    return tops->text + tops->starts[index];
}

#endif
