/* SPDX-License-Identifier: Apache-2.0 */
/* The inside of a comparison: the columns of a graph, prepared so that sets of nodes can be compared
 * with all others. */
#ifndef MAPPER_COMPARISON_H
#define MAPPER_COMPARISON_H

#include "dgm/report.h"

#include "base_memory.h"
#include "mapper_profile.h"

/* Questions of one kind: the classes, the texts of an attribute, or sparse features. A node answers
 * yes to the one that its code names, or to those in its row. */
typedef struct dgmi_mapper_questions {
    int kind;                /* a dgm_column_kind */
    const char *name;        /* as in dgm_difference */
    int64_t attribute;       /* the number of the attribute */
    bool seen;               /* the lens has seen it */
    int64_t width;           /* the number of questions */
    const int32_t *codes;    /* one per node, -1: not known; NULL: there are rows */
    const int64_t *offsets;  /* nodes + 1 positions in `entries` */
    const uint32_t *entries; /* the questions that are answered with yes */
    const float *values;     /* 0: the entry says no after all; NULL: all say yes */
    const char **texts;      /* what each question is about; NULL: features */
    int64_t known;           /* nodes that answer at all */
    int64_t *totals;         /* how many of them answer yes to each question */
    uint32_t *order;         /* the questions that are compared, those with the most yes first */
    int64_t compared;        /* how many these are */
    int64_t first;           /* the place of the first question in a tally */
} dgmi_mapper_questions;

/* A column of numbers by rank. */
typedef struct dgmi_mapper_numbers {
    int kind; /* a dgm_column_kind */
    const char *name;
    int64_t column; /* the number of the attribute or of the feature */
    bool seen;
    uint32_t *ranks;       /* twice the mid-rank of each node, counted from 1; 0: not known */
    int64_t known;         /* nodes that have a value */
    double ties;           /* the sum of t^3 - t over all groups of t equal values */
    double sum;            /* of all values */
    const double *doubles; /* the values of an attribute; or NULL */
    const float *floats;   /* the values of dense features, beginning with this column; or NULL */
    int64_t stride;        /* how far apart these are */
} dgmi_mapper_numbers;

/* All of it but the struct itself lies in `arena`. */
struct dgm_comparison {
    dgm_allocator allocator;
    dgmi_arena arena;
    int64_t nodes;
    dgmi_mapper_questions *questions;
    int64_t question_count; /* groups of questions */
    dgmi_mapper_numbers *numbers;
    int64_t number_count;
    int64_t places; /* questions of all groups together, those that are not compared too */
    int64_t left_out;
    const double *log_factorials; /* up to the number of nodes */
};

static inline double dgmi_mapper_number(const dgmi_mapper_numbers *numbers, int64_t node) {
    return numbers->doubles ? numbers->doubles[node] : numbers->floats[node * numbers->stride];
}

/* A difference that was found, before it is known how it compares with others. */
typedef struct dgmi_mapper_finding {
    uint32_t set;        /* the cluster */
    uint32_t group;      /* of questions; question_count and above: numbers */
    uint32_t question;   /* in its group */
    int64_t inside, yes; /* as in dgm_difference */
    double sum;          /* of the numbers of the set */
    double delta, p, q;
} dgmi_mapper_finding;

typedef enum dgmi_mapper_columns {
    DGMI_MAPPER_CLASSES = 1,
    DGMI_MAPPER_OTHERS = 2,
    DGMI_MAPPER_ALL = 3,
} dgmi_mapper_columns;

/* What is compared, and what comes of it. */
typedef struct dgmi_mapper_survey {
    const dgm_comparison *comparison;
    dgmi_mapper_members sets;
    int columns;                /* dgmi_mapper_columns */
    int64_t least;              /* smaller sets are not compared */
    double level;               /* a difference with a larger p is counted and not kept */
    int64_t tests;              /* how many comparisons were made */
    dgmi_mapper_finding *found; /* owned; by set, then as dgm_differences_list orders them */
    int64_t count, capacity;
} dgmi_mapper_survey;

/* Compares all sets, with q over all of them together. The caller frees survey->found, whatever
 * this returns. */
dgm_status dgmi_mapper_survey_run(dgm_context *ctx, dgmi_mapper_survey *survey);
/* Puts what was found into the public form. Its texts belong to the graph and the comparison. */
dgm_difference dgmi_mapper_difference(const dgm_comparison *comparison,
                                      const dgmi_mapper_finding *found);
/* Compares a set of which `inside` members have a class, `yes` of them this one. If one of the two
 * sides is empty, only the counts are known. */
dgm_difference dgmi_mapper_difference_of_class(const dgm_comparison *comparison,
                                               int32_t class_index, int64_t inside, int64_t yes);

#endif
