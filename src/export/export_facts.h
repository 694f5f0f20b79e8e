/* SPDX-License-Identifier: Apache-2.0 */
/* Facts are what is known about clusters besides size and cell. They are columns that CSV, GraphML
 * and GEXF write in the same way:
 *
 *   weighted_size                 the sum of the weights of the members, so that a node counts once
 *                                 over all its clusters
 *   lens_AXIS                     the mean of the lens over the members, for each axis
 *   x, y, radius                  the place in a drawing, y upwards
 *   class, class_share            the most frequent label (the smallest of equal ones), and its
 *                                 share of the members
 *   labels_CLASS                  the number of members with that label
 *   prediction, prediction_share  the same of the predicted classes
 *   predictions_CLASS
 *   judged, mistakes              the number of members with a label and a prediction, and of those
 *                                 whose label and prediction differ
 *   entropy                       the mean entropy of the predicted probabilities, from 0 to 1
 *   entropy_of_labels             the entropy of the labels, if nothing was predicted
 *   attr_NAME                     the mean of a numeric attribute, or the most frequent text
 *   attr_NAME_share               the share of the members that have this text
 *
 * A column is written if it is known. Counts by class are written for at most 64 classes. If two
 * columns would have the same name, the second gets a number.
 */
#ifndef EXPORT_FACTS_H
#define EXPORT_FACTS_H

#include "dgm/draw.h"

#include "mapper_profile.h"

typedef enum dgmi_export_fact_type {
    DGMI_EXPORT_FACT_INTEGER,
    DGMI_EXPORT_FACT_REAL,
    DGMI_EXPORT_FACT_TEXT
} dgmi_export_fact_type;

typedef enum dgmi_export_fact_kind {
    DGMI_EXPORT_FACT_WEIGHTED_SIZE,
    DGMI_EXPORT_FACT_LENS,
    DGMI_EXPORT_FACT_X,
    DGMI_EXPORT_FACT_Y,
    DGMI_EXPORT_FACT_RADIUS,
    DGMI_EXPORT_FACT_CLASS,
    DGMI_EXPORT_FACT_CLASS_SHARE,
    DGMI_EXPORT_FACT_CLASS_COUNT,
    DGMI_EXPORT_FACT_JUDGED,
    DGMI_EXPORT_FACT_MISTAKES,
    DGMI_EXPORT_FACT_ENTROPY,
    DGMI_EXPORT_FACT_MEAN,
    DGMI_EXPORT_FACT_MOST,
    DGMI_EXPORT_FACT_MOST_SHARE,
} dgmi_export_fact_kind;

typedef struct dgmi_export_fact {
    const char *name; /* the name of the column */
    const char *key;  /* a name of letters, digits and '_', for XML */
    dgmi_export_fact_type type;
    dgmi_export_fact_kind kind;
    const dgmi_mapper_counts *counts; /* the counts of CLASS, CLASS_SHARE and CLASS_COUNT */
    int64_t index;                    /* the number of the axis, class or attribute */
} dgmi_export_fact;

/* All columns; the list is scratch memory. */
typedef struct dgmi_export_facts {
    const dgm_summary *summary;
    const dgm_profile *profile;
    const dgm_places *places;
    dgmi_export_fact *list;
    int64_t count;
} dgmi_export_facts;

typedef struct dgmi_export_fact_value {
    int64_t integer;
    double real;
    const char *text;
} dgmi_export_fact_value;

/* Finds the columns. If there are no places, places->x is NULL. */
dgm_status dgmi_export_facts_make(dgm_context *ctx, const dgm_summary *summary,
                                  const dgm_profile *profile, const dgm_places *places,
                                  dgmi_export_facts *out);
/* Finds the value of a column for a cluster; returns false if it is not known. */
bool dgmi_export_facts_find(const dgmi_export_facts *facts, int64_t fact, int64_t cluster,
                            dgmi_export_fact_value *out);

#endif
