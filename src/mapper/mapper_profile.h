/* SPDX-License-Identifier: Apache-2.0 */
/* The inside of a profile: what is known about the members of each cluster. A figure of a whole
 * graph has a profile too, in which each node is a cluster. The profile owns all its arrays; those
 * that may be NULL say so. */
#ifndef MAPPER_PROFILE_H
#define MAPPER_PROFILE_H

#include "dgm/predictions.h"
#include "dgm/profile.h"

/* How often each value occurs among the members of each cluster. The values of cluster c are at
 * offsets[c] up to, and without, offsets[c + 1], in ascending order. */
typedef struct dgmi_mapper_counts {
    int64_t *offsets; /* clusters + 1 positions in the two arrays; NULL: nothing is known */
    int32_t *values;  /* classes, or indices into the texts of an attribute */
    int64_t *counts;  /* how many members have the value */
} dgmi_mapper_counts;

/* The names of members that stand out. Those of cluster c are the names from offsets[c] up to, and
 * without, offsets[c + 1]. */
typedef struct dgmi_mapper_tops {
    int64_t *offsets; /* clusters + 1 positions in `starts`; NULL: nothing is known */
    int64_t *starts;  /* where each name begins in `text` */
    int64_t starts_capacity;
    char *text; /* the names, each with its final 0 */
    int64_t used, capacity;
} dgmi_mapper_tops;

typedef struct dgmi_mapper_profile_attribute {
    char *name;    /* behind "attr:", where `subject` begins */
    char *subject; /* what colours by it: "attr:NAME" */
    dgm_attribute_kind kind;
    double *means;             /* NUMBER: the mean of the members that have a value, or NaN */
    dgmi_mapper_counts counts; /* TEXT: how many members have each text */
    char **texts;              /* TEXT: the different texts */
    int64_t text_count;        /* TEXT: how many of them there are */
} dgmi_mapper_profile_attribute;

struct dgm_profile {
    dgm_allocator allocator;
    int64_t clusters;

    int32_t classes;    /* the number of classes of labels and predictions together */
    char **class_names; /* the name of each class, never NULL */
    dgmi_mapper_counts labels, predictions;
    int64_t *judged;   /* the number of members with a label and a prediction; NULL: not known */
    int64_t *mistakes; /* the number of those whose label and prediction differ; NULL: not known */
    double *entropy;   /* that of the predicted probabilities, or of the labels; NULL: neither */
    bool entropy_of_labels; /* it is that of the labels */
    double *
        outward; /* the share of the edges of members that lead out of the cluster; NULL: not known */
    int64_t *mixup_offsets;      /* clusters + 1 positions in `mixups`; NULL: not known */
    dgm_profile_mixup *mixups;   /* the most frequent kinds of mistakes of each cluster, at most
                                    DGM_PROFILE_TOPS of them */
    dgm_summary_mistakes ledger; /* mistakes of the nodes in clusters and of those in none */

    dgmi_mapper_tops hubs;  /* members with the most neighbours; all members of a small cluster */
    dgmi_mapper_tops peaks; /* members with the highest values of a lens that has one column */
    dgmi_mapper_tops names; /* what each cluster is called in the file that the profile came from;
                               offsets is NULL: mapper_name.h makes names */

    int64_t attribute_count;
    dgmi_mapper_profile_attribute *attributes;
};

/* The members of each cluster: cluster c has the nodes at offsets[c] up to, and without,
 * offsets[c + 1]. */
typedef struct dgmi_mapper_members {
    int64_t clusters;
    const int64_t *offsets; /* clusters + 1 positions in `nodes`; NULL: cluster c is node c alone */
    const uint32_t *nodes;
} dgmi_mapper_members;

static inline int64_t dgmi_mapper_members_begin(dgmi_mapper_members members, int64_t cluster) {
    return members.offsets ? members.offsets[cluster] : cluster;
}

static inline int64_t dgmi_mapper_members_node(dgmi_mapper_members members, int64_t index) {
    return members.nodes ? members.nodes[index] : index;
}

/* What a profile is made from. */
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

/* Makes an empty profile, which the caller fills and frees. */
dgm_status dgmi_mapper_profile_open(dgm_context *ctx, int64_t clusters, dgm_profile **out);
/* Fills in the classes, mistakes, entropy and attributes of the members. */
dgm_status dgmi_mapper_profile_look(dgm_context *ctx, dgm_profile *profile,
                                    dgmi_mapper_profile_source from, dgmi_mapper_members members);

/* ---- mapper_profile_counts.c ---- */

/* Counts the codes of the members of each cluster. Each node has one code below `classes`, or -1 if
 * it does not count. */
dgm_status dgmi_mapper_counts_make(dgm_context *ctx, dgmi_mapper_members members,
                                   const int32_t *codes, int64_t classes, dgmi_mapper_counts *out);
/* Returns how many members of a cluster have the value. */
int64_t dgmi_mapper_counts_find(const dgmi_mapper_counts *counts, int64_t cluster, int32_t value);
/* Writes the total of each class over all clusters to `totals`, which holds `classes` entries. A
 * member of several clusters counts in each of them. */
void dgmi_mapper_counts_totals(const dgmi_mapper_counts *counts, int64_t clusters, int64_t classes,
                               int64_t *totals);
/* Returns the most frequent value of a cluster, the smallest if several are, or -1 if there is
 * none. *share becomes its share of the members that count. */
int32_t dgmi_mapper_counts_majority(const dgmi_mapper_counts *counts, int64_t cluster,
                                    double *share);

/* ---- mapper_profile_classes.c, mapper_profile_attributes.c, mapper_profile_outward.c ---- */

dgm_status dgmi_mapper_profile_look_at_classes(dgm_context *ctx, dgm_profile *profile,
                                               dgmi_mapper_profile_source from,
                                               dgmi_mapper_members members);
dgm_status dgmi_mapper_profile_look_at_attributes(dgm_context *ctx, dgm_profile *profile,
                                                  const dgm_graph *graph,
                                                  dgmi_mapper_members members);
/* Gives an attribute its name, and the text that colours by it. */
dgm_status dgmi_mapper_profile_name_attribute(dgm_context *ctx, const char *name,
                                              dgmi_mapper_profile_attribute *attribute);
/* Fills in the shares of edges that lead out of clusters. */
dgm_status dgmi_mapper_profile_look_outward(dgm_context *ctx, dgm_profile *profile,
                                            const dgm_graph *graph, dgmi_mapper_members members);
/* Fills in the entropy of the labels, which serves if no probabilities are known. */
dgm_status dgmi_mapper_profile_entropy_of_labels(dgm_context *ctx, dgm_profile *profile);

/* ---- mapper_profile_tops.c ---- */

/* Counts the kinds of mistakes. Labels and predictions are numbered as in the profile, one for each
 * node, or -1 if there is none. */
dgm_status dgmi_mapper_profile_mix_up(dgm_context *ctx, dgm_profile *profile,
                                      dgmi_mapper_members members, const int32_t *labels,
                                      const int32_t *predictions);
/* Fills in the members that stand out. `peaks` are those of dgm_summary_get_peaks. */
dgm_status dgmi_mapper_profile_stand_out(dgm_context *ctx, dgm_profile *profile,
                                         const dgm_graph *graph, dgmi_mapper_members members,
                                         const uint32_t *peaks);
/* Makes empty lists: all offsets are zeros. */
dgm_status dgmi_mapper_tops_open(dgm_context *ctx, int64_t clusters, dgmi_mapper_tops *tops);
/* Adds a name to the cluster. Clusters are filled in their order. */
dgm_status dgmi_mapper_tops_add(dgm_context *ctx, dgmi_mapper_tops *tops, int64_t cluster,
                                const char *name, size_t length);
/* Says that the cluster has all its names. */
static inline void dgmi_mapper_tops_end(dgmi_mapper_tops *tops, int64_t clusters, int64_t cluster) {
    if (cluster + 1 < clusters)
        tops->offsets[cluster + 2] = tops->offsets[cluster + 1];
}
static inline const char *dgmi_mapper_tops_name(const dgmi_mapper_tops *tops, int64_t index) {
    return tops->text + tops->starts[index];
}

#endif
