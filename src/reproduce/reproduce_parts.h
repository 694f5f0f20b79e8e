/* SPDX-License-Identifier: Apache-2.0 */
/* The parts, in the order of the report. */
#ifndef REPRODUCE_PARTS_H
#define REPRODUCE_PARTS_H

#include "reproduce_making.h"

typedef struct dgmi_reproduce_plan {
    dgm_reproduce_part part;
    const char *paper;       /* what the paper shows or says there */
    const char *const *data; /* the data sets that it needs, by their names; ends in NULL */
    dgmi_reproduce_make_fn make;
} dgmi_reproduce_plan;

/* Returns the plan at `index`, or NULL after the last. */
const dgmi_reproduce_plan *dgmi_reproduce_plan_at(size_t index);

/* reproduce_spam.c */
dgm_status dgmi_reproduce_fig1(dgmi_reproduce_making *making);
dgm_status dgmi_reproduce_fig4(dgmi_reproduce_making *making);
dgm_status dgmi_reproduce_fig9(dgmi_reproduce_making *making);
/* reproduce_citations.c */
dgm_status dgmi_reproduce_fig3(dgmi_reproduce_making *making);
dgm_status dgmi_reproduce_fig5(dgmi_reproduce_making *making);
dgm_status dgmi_reproduce_fig6(dgmi_reproduce_making *making);
dgm_status dgmi_reproduce_fig10(dgmi_reproduce_making *making);
/* reproduce_classes.c */
dgm_status dgmi_reproduce_fig7(dgmi_reproduce_making *making);
dgm_status dgmi_reproduce_pubmed(dgmi_reproduce_making *making);
/* reproduce_dimension.c */
dgm_status dgmi_reproduce_claim_tsne(dgmi_reproduce_making *making);
dgm_status dgmi_reproduce_claim_axes(dgmi_reproduce_making *making);
dgm_status dgmi_reproduce_claim_cells(dgmi_reproduce_making *making);
/* reproduce_large.c */
dgm_status dgmi_reproduce_large(dgmi_reproduce_making *making);
/* reproduce_rank.c */
dgm_status dgmi_reproduce_claim_hubs(dgmi_reproduce_making *making);
dgm_status dgmi_reproduce_claim_alpha(dgmi_reproduce_making *making);
/* reproduce_sensitivity.c */
dgm_status dgmi_reproduce_sensitivity(dgmi_reproduce_making *making);
/* reproduce_shape.c */
dgm_status dgmi_reproduce_claim_trees(dgmi_reproduce_making *making);
dgm_status dgmi_reproduce_claim_overlap(dgmi_reproduce_making *making);
/* reproduce_theory.c */
dgm_status dgmi_reproduce_fig2(dgmi_reproduce_making *making);
dgm_status dgmi_reproduce_fig8(dgmi_reproduce_making *making);
dgm_status dgmi_reproduce_prop41(dgmi_reproduce_making *making);
dgm_status dgmi_reproduce_prop42(dgmi_reproduce_making *making);
dgm_status dgmi_reproduce_prop43(dgmi_reproduce_making *making);
/* reproduce_table.c */
dgm_status dgmi_reproduce_table_dd(dgmi_reproduce_making *making);
dgm_status dgmi_reproduce_table_proteins(dgmi_reproduce_making *making);
dgm_status dgmi_reproduce_table_collab(dgmi_reproduce_making *making);
dgm_status dgmi_reproduce_table_reddit(dgmi_reproduce_making *making);
dgm_status dgmi_reproduce_learned_dd(dgmi_reproduce_making *making);
dgm_status dgmi_reproduce_learned_proteins(dgmi_reproduce_making *making);
dgm_status dgmi_reproduce_learned_collab(dgmi_reproduce_making *making);
dgm_status dgmi_reproduce_learned_reddit(dgmi_reproduce_making *making);

#endif
