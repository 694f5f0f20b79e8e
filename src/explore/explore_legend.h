/* SPDX-License-Identifier: Apache-2.0 */
#ifndef EXPLORE_LEGEND_H
#define EXPLORE_LEGEND_H

#include "draw_paint.h"
#include "explore_answer.h"

void dgmi_explore_say_colour(dgmi_explore_answer *answer, const char *key, dgmi_draw_colour colour);
/* Appends the object `legend`. */
void dgmi_explore_say_legend(const dgmi_draw_paint *paint, int style, dgmi_explore_answer *answer);
/* Appends the objects `coverage`, `topology` and `dust`. */
void dgmi_explore_say_ledger(const dgm_summary *summary, const dgm_view *view,
                             dgmi_explore_answer *answer);

#endif
