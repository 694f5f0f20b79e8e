/* SPDX-License-Identifier: Apache-2.0 */
/* What is known of the nodes, column by column: degree, lens, class, prediction, attributes. */
#ifndef EXPLORE_COLUMNS_H
#define EXPLORE_COLUMNS_H

#include "dgm/explore.h"

enum { DGMI_EXPLORE_BINS = 32, DGMI_EXPLORE_MOST_COLUMNS = 40 };
#define DGMI_EXPLORE_NO_CATEGORY UINT8_MAX

/* A column has numbers or categories. */
typedef struct dgmi_explore_column {
    const char *name;
    const double *numbers; /* of node u at u * stride, NaN: not known; NULL: it has categories */
    int64_t stride;
    double low, high;                     /* of the numbers that are known; NaN: none is */
    const uint8_t *category;              /* of each node, or DGMI_EXPLORE_NO_CATEGORY */
    const char *names[DGMI_EXPLORE_BINS]; /* of categories, the most frequent first */
    int name_count;
} dgmi_explore_column;

typedef struct dgmi_explore_columns {
    int count;
    dgmi_explore_column list[DGMI_EXPLORE_MOST_COLUMNS];
} dgmi_explore_columns;

/* Finds the columns, which are made once for a lens. */
dgm_status dgmi_explore_columns_find(dgm_context *ctx, dgm_explorer *explorer,
                                     const dgmi_explore_columns **out);
/* Returns the bin of a value in a range that is cut into so many, which holds both its ends. */
int dgmi_explore_bin(double value, double low, double high, int bins);
/* Returns the bin or the category of a node, or -1 if its value is not known. */
int dgmi_explore_column_bin(const dgmi_explore_column *column, int64_t node);

#endif
