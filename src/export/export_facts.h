/* SPDX-License-Identifier: Apache-2.0 */
/* What is known of clusters beyond size and cell, as columns that CSV, GraphML and GEXF write
 * alike:
 *
 *   lens_AXIS                     mean of the lens, one column for each axis
 *   x, y, radius                  place in a drawing, y upwards
 *   class, class_share            the most frequent label (the smallest of equals), its part of the
 *                                 members
 *   labels_CLASS                  members with that label
 *   prediction, prediction_share  likewise, by a classifier's word
 *   predictions_CLASS
 *   judged, mistakes              members with a label and a prediction; those where they differ
 *   entropy                       of the predicted probabilities, mean of the members, 0 to 1
 *                                 (entropy_of_labels: of the labels, where nothing was predicted)
 *   attr_NAME                     the mean of a number; the most frequent text, with
 *   attr_NAME_share               its part of the members
 *
 * Each is there where it is known; counts by class up to 64 classes. A name that stood before
 * gets a number.
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
    const char *name; /* for people */
    const char *key;  /* a name of letters, digits and '_', for XML */
    dgmi_export_fact_type type;
    dgmi_export_fact_kind kind;
    const dgmi_mapper_counts *counts; /* CLASS, CLASS_SHARE, CLASS_COUNT */
    int64_t index;                    /* axis, class or attribute */
} dgmi_export_fact;

/* Scratch memory of the context. */
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

/* No places: places->x is NULL. */
dgm_status dgmi_export_facts_make(dgm_context *ctx, const dgm_summary *summary,
                                  const dgm_profile *profile, const dgm_places *places,
                                  dgmi_export_facts *out);
/* False where it is not known of this cluster. */
bool dgmi_export_facts_find(const dgmi_export_facts *facts, int64_t fact, int64_t cluster,
                            dgmi_export_fact_value *out);

#endif
