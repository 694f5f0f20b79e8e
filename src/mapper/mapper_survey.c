/* SPDX-License-Identifier: Apache-2.0 */
/* Compares sets of nodes with all others, in every column of a comparison.
 *
 * A set costs as much as is known of its members. Questions to which no member says yes are gone
 * through from the most frequent on, and only as long as it is unlikely that chance leaves them out.
 */
#include "mapper_comparison.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>

#include "base_context.h"
#include "mapper_chance.h"

/* How often each question was answered with yes by the members of one set. */
typedef struct {
    int64_t *yes;      /* by place; all zero between sets */
    uint32_t *touched; /* questions of one group with a yes */
    int64_t touched_count;
} tally;

static dgm_status keep(dgm_context *ctx, dgmi_mapper_survey *survey, dgmi_mapper_finding found) {
    survey->tests++;
    if (found.p > survey->level)
        return DGM_OK;
    dgm_status status = dgmi_reserve(ctx, (void **)&survey->found, &survey->capacity,
                                     survey->count + 1, sizeof *survey->found);
    if (status == DGM_OK)
        survey->found[survey->count++] = found;
    return status;
}

/* ---- questions ---- */

static void count_yes(tally *t, int64_t *yes, uint32_t question) {
    if (yes[question]++ == 0)
        t->touched[t->touched_count++] = question;
}

/* Counts the answers of the set; returns how many members answer at all. */
static int64_t ask(tally *t, const dgmi_mapper_questions *q, const uint32_t *nodes, int64_t count) {
    int64_t *yes = t->yes + q->first, known = 0;
    t->touched_count = 0;
    for (int64_t i = 0; i < count; i++) {
        int64_t u = nodes[i];
        if (q->codes && q->codes[u] >= 0)
            count_yes(t, yes, (uint32_t)q->codes[u]);
        known += !q->codes || q->codes[u] >= 0;
        for (int64_t e = q->codes ? 0 : q->offsets[u]; !q->codes && e < q->offsets[u + 1]; e++)
            if (!q->values || q->values[e] != 0)
                count_yes(t, yes, q->entries[e]);
    }
    return known;
}

static bool is_compared(const dgmi_mapper_questions *q, uint32_t question) {
    int64_t least = q->kind == DGM_COLUMN_CLASS ? 1 : 2;
    return q->totals[question] >= least && q->totals[question] < q->known;
}

static dgmi_mapper_finding judge(const dgm_comparison *comparison, const dgmi_mapper_questions *q,
                                 uint32_t question, int64_t inside, int64_t yes) {
    int64_t total = q->totals[question], outside = q->known - inside;
    double share = (double)yes / (double)inside;
    double share_outside = (double)(total - yes) / (double)outside;
    return (dgmi_mapper_finding){
        .group = (uint32_t)(q - comparison->questions),
        .question = question,
        .inside = inside,
        .yes = yes,
        .delta = share - share_outside,
        .p = dgmi_mapper_chance_of_count(comparison->log_factorials, q->known, total, inside, yes)};
}

/* The `absent` questions that nobody in the set says yes to, from the most frequent on: the p of the
 * next one is larger, so after one that is not kept none is. */
static dgm_status judge_absent(dgm_context *ctx, dgmi_mapper_survey *survey, uint32_t set,
                               const dgmi_mapper_questions *q, const int64_t *yes, int64_t inside,
                               int64_t absent) {
    dgm_status status = DGM_OK;
    int64_t judged = 0;
    for (int64_t i = 0; i < q->compared && judged < absent && status == DGM_OK; i++) {
        if (yes[q->order[i]])
            continue;
        dgmi_mapper_finding found = judge(survey->comparison, q, q->order[i], inside, 0);
        if (found.p > survey->level)
            break;
        found.set = set;
        judged++;
        status = keep(ctx, survey, found);
    }
    survey->tests += absent - judged;
    return status;
}

static dgm_status judge_group(dgm_context *ctx, dgmi_mapper_survey *survey, tally *t, uint32_t set,
                              const dgmi_mapper_questions *q, const uint32_t *nodes,
                              int64_t count) {
    int64_t *yes = t->yes + q->first, inside = ask(t, q, nodes, count);
    int64_t absent = q->compared;
    bool two_sides = inside > 0 && inside < q->known;
    dgm_status status = DGM_OK;
    for (int64_t i = 0; two_sides && i < t->touched_count && status == DGM_OK; i++) {
        if (!is_compared(q, t->touched[i]))
            continue;
        dgmi_mapper_finding found =
            judge(survey->comparison, q, t->touched[i], inside, yes[t->touched[i]]);
        found.set = set;
        absent--;
        status = keep(ctx, survey, found);
    }
    if (two_sides && status == DGM_OK)
        status = judge_absent(ctx, survey, set, q, yes, inside, absent);
    for (int64_t i = 0; i < t->touched_count; i++)
        yes[t->touched[i]] = 0;
    return status;
}

/* ---- numbers ---- */

static dgm_status judge_numbers(dgm_context *ctx, dgmi_mapper_survey *survey, uint32_t set,
                                const dgmi_mapper_numbers *numbers, const uint32_t *nodes,
                                int64_t count) {
    const dgm_comparison *comparison = survey->comparison;
    dgmi_mapper_finding found = {
        .set = set,
        .group = (uint32_t)(comparison->question_count + (numbers - comparison->numbers))};
    double ranks = 0;
    for (int64_t i = 0; i < count; i++)
        if (numbers->ranks[nodes[i]]) {
            found.inside++;
            ranks += numbers->ranks[nodes[i]];
            found.sum += dgmi_mapper_number(numbers, nodes[i]);
        }
    ranks /= 2; /* they are kept twice as large, as whole numbers */
    double a = (double)found.inside, b = (double)(numbers->known - found.inside);
    if (found.inside == 0 || found.inside == numbers->known)
        return DGM_OK;
    found.delta = 2 * (ranks - a * (a + 1) / 2) / (a * b) - 1;
    found.p = dgmi_mapper_chance_of_ranks(numbers->known, found.inside, ranks, numbers->ties);
    return keep(ctx, survey, found);
}

/* ---- sets ---- */

static dgm_status judge_set(dgm_context *ctx, dgmi_mapper_survey *survey, tally *t, int64_t set) {
    const dgm_comparison *comparison = survey->comparison;
    const uint32_t *nodes = survey->sets.nodes + survey->sets.offsets[set];
    int64_t count = survey->sets.offsets[set + 1] - survey->sets.offsets[set];
    dgm_status status = DGM_OK;
    if (count < survey->least)
        return DGM_OK;
    for (int64_t g = 0; g < comparison->question_count && status == DGM_OK; g++) {
        const dgmi_mapper_questions *q = &comparison->questions[g];
        int wanted = q->kind == DGM_COLUMN_CLASS ? DGMI_MAPPER_CLASSES : DGMI_MAPPER_OTHERS;
        if (survey->columns & wanted)
            status = judge_group(ctx, survey, t, (uint32_t)set, q, nodes, count);
    }
    if (!(survey->columns & DGMI_MAPPER_OTHERS))
        return status;
    for (int64_t k = 0; k < comparison->number_count && status == DGM_OK; k++)
        status = judge_numbers(ctx, survey, (uint32_t)set, &comparison->numbers[k], nodes, count);
    return status;
}

static int compare_chances(const void *a, const void *b) {
    double p = *(const double *)a, q = *(const double *)b;
    return (p > q) - (p < q);
}

/* The q of each: its p has a place among all that were found. */
static dgm_status find_rates(dgm_context *ctx, dgmi_mapper_survey *survey) {
    int64_t count = survey->count;
    dgmi_hold hold = dgmi_arena_hold(ctx);
    double *p = dgmi_scratch(ctx, count, sizeof *p), *q = dgmi_scratch(ctx, count, sizeof *q);
    bool whole = p && q;
    for (int64_t i = 0; whole && i < count; i++)
        p[i] = survey->found[i].p;
    if (whole && count > 1)
        qsort(p, (size_t)count, sizeof *p, compare_chances);
    if (whole)
        dgmi_mapper_false_discoveries(p, count, survey->tests, q);
    for (int64_t i = 0; whole && i < count; i++) {
        const double *at = bsearch(&survey->found[i].p, p, (size_t)count, sizeof *p,
                                   compare_chances); /* equal p have equal q */
        survey->found[i].q = q[at - p];
    }
    dgmi_arena_release(ctx, hold);
    return whole ? DGM_OK : DGM_ERROR_MEMORY;
}

static int compare_found(const void *a, const void *b) {
    const dgmi_mapper_finding *x = a, *y = b;
    if (x->set != y->set)
        return x->set < y->set ? -1 : 1;
    if (fabs(x->delta) != fabs(y->delta))
        return fabs(x->delta) > fabs(y->delta) ? -1 : 1;
    if (x->p != y->p)
        return x->p < y->p ? -1 : 1;
    if (x->group != y->group)
        return x->group < y->group ? -1 : 1;
    return (x->question > y->question) - (x->question < y->question);
}

dgm_status dgmi_mapper_survey_run(dgm_context *ctx, dgmi_mapper_survey *survey) {
    const dgm_comparison *comparison = survey->comparison;
    dgmi_hold hold = dgmi_arena_hold(ctx);
    tally t = {.yes = dgmi_scratch_zero(ctx, comparison->places, sizeof *t.yes),
               .touched = dgmi_scratch(ctx, comparison->places, sizeof *t.touched)};
    dgm_status status = t.yes && t.touched ? DGM_OK : DGM_ERROR_MEMORY;
    for (int64_t set = 0; set < survey->sets.clusters && status == DGM_OK; set++) {
        if (set % 64 == 0)
            status = dgmi_progress(ctx, "comparing clusters",
                                   (double)set / (double)survey->sets.clusters);
        if (status == DGM_OK)
            status = judge_set(ctx, survey, &t, set);
    }
    dgmi_arena_release(ctx, hold);
    if (status == DGM_OK)
        status = find_rates(ctx, survey);
    if (status == DGM_OK && survey->count > 1)
        qsort(survey->found, (size_t)survey->count, sizeof *survey->found, compare_found);
    return status;
}

/* ---- the public form ---- */

static dgm_difference answer(const dgmi_mapper_questions *q, const dgmi_mapper_finding *found) {
    int64_t total = q->totals[found->question], inside = found->inside, yes = found->yes;
    int64_t outside = q->known - inside, yes_outside = total - yes;
    const double half = 0.5;
    double odds = ((double)yes + half) / ((double)(inside - yes) + half);
    double odds_outside = ((double)yes_outside + half) / ((double)(outside - yes_outside) + half);
    double share = (double)yes / (double)inside;
    return (dgm_difference){.kind = q->kind,
                            .name = q->name,
                            .value = q->texts ? q->texts[found->question] : NULL,
                            .column = q->kind == DGM_COLUMN_TEXT ? q->attribute : found->question,
                            .seen = q->seen,
                            .inside = inside,
                            .outside = outside,
                            .yes = yes,
                            .yes_outside = yes_outside,
                            .mean = share,
                            .mean_outside = (double)yes_outside / (double)outside,
                            .log_odds = log(odds / odds_outside),
                            .lift = share * (double)q->known / (double)total};
}

static dgm_difference measure(const dgmi_mapper_numbers *numbers,
                              const dgmi_mapper_finding *found) {
    int64_t outside = numbers->known - found->inside;
    return (dgm_difference){.kind = numbers->kind,
                            .name = numbers->name,
                            .column = numbers->column,
                            .seen = numbers->seen,
                            .inside = found->inside,
                            .outside = outside,
                            .mean = found->sum / (double)found->inside,
                            .mean_outside = (numbers->sum - found->sum) / (double)outside,
                            .log_odds = NAN,
                            .lift = NAN};
}

dgm_difference dgmi_mapper_difference(const dgm_comparison *comparison,
                                      const dgmi_mapper_finding *found) {
    int64_t number = (int64_t)found->group - comparison->question_count;
    dgm_difference out = number < 0 ? answer(&comparison->questions[found->group], found)
                                    : measure(&comparison->numbers[number], found);
    out.delta = found->delta;
    out.p = found->p;
    out.q = found->q;
    return out;
}

/* Whether so many members and answers can be drawn from the nodes that have a class. A profile that
 * was made from other labels than those of the graph may say anything. */
static bool can_be_drawn(const dgm_comparison *comparison, int32_t class_index, int64_t inside,
                         int64_t yes) {
    const dgmi_mapper_questions *classes = comparison->questions; /* they are the first group */
    if (comparison->question_count == 0 || classes->kind != DGM_COLUMN_CLASS ||
        class_index >= classes->width || inside < 1 || inside >= classes->known)
        return false;
    int64_t total = classes->totals[class_index];
    return yes <= total && inside - yes <= classes->known - total;
}

dgm_difference dgmi_mapper_difference_of_class(const dgm_comparison *comparison,
                                               int32_t class_index, int64_t inside, int64_t yes) {
    if (can_be_drawn(comparison, class_index, inside, yes)) {
        dgmi_mapper_finding found =
            judge(comparison, comparison->questions, (uint32_t)class_index, inside, yes);
        return dgmi_mapper_difference(comparison, &found);
    }
    return (dgm_difference){.kind = DGM_COLUMN_CLASS,
                            .column = class_index,
                            .inside = inside,
                            .yes = yes,
                            .mean = (double)yes / (double)inside,
                            .mean_outside = NAN,
                            .delta = NAN,
                            .log_odds = NAN,
                            .lift = NAN,
                            .p = NAN,
                            .q = NAN};
}

/* ---- one set ---- */

struct dgm_differences {
    dgm_allocator allocator;
    int64_t count;
    dgm_difference *items;
};

static dgm_status check_nodes(dgm_context *ctx, const dgm_comparison *comparison,
                              const uint32_t *nodes, int64_t count) {
    dgmi_hold hold = dgmi_arena_hold(ctx);
    bool *there = dgmi_scratch_zero(ctx, comparison->nodes, sizeof *there);
    dgm_status status = there ? DGM_OK : DGM_ERROR_MEMORY;
    for (int64_t i = 0; i < count && status == DGM_OK; i++)
        if (nodes[i] >= comparison->nodes)
            status = dgmi_fail(ctx, DGM_ERROR_USAGE, "node %u is none of the graph, which has %lld",
                               nodes[i], (long long)comparison->nodes);
        else if (there[nodes[i]])
            status = dgmi_fail(ctx, DGM_ERROR_USAGE, "node %u is named twice in the set", nodes[i]);
        else
            there[nodes[i]] = true;
    dgmi_arena_release(ctx, hold);
    return status;
}

static dgm_status write_differences(dgm_context *ctx, const dgmi_mapper_survey *survey,
                                    dgm_differences **out) {
    dgm_differences *made = dgmi_alloc_zero(ctx, 1, sizeof *made);
    if (!made)
        return DGM_ERROR_MEMORY;
    made->allocator = ctx->allocator;
    made->count = survey->count;
    made->items = dgmi_alloc(ctx, survey->count, sizeof *made->items);
    if (!made->items) {
        dgm_differences_free(made);
        return DGM_ERROR_MEMORY;
    }
    for (int64_t i = 0; i < survey->count; i++)
        made->items[i] = dgmi_mapper_difference(survey->comparison, &survey->found[i]);
    *out = made;
    return DGM_OK;
}

dgm_status dgm_comparison_run(dgm_context *ctx, const dgm_comparison *comparison,
                              const uint32_t *nodes, int64_t count, dgm_differences **out) {
    const int64_t offsets[] = {0, count};
    dgmi_mapper_survey survey = {.comparison = comparison,
                                 .sets = {1, offsets, nodes},
                                 .columns = DGMI_MAPPER_ALL,
                                 .least = 1,
                                 .level = 1};
    *out = NULL;
    dgm_status status = check_nodes(ctx, comparison, nodes, count);
    if (status == DGM_OK)
        status = dgmi_mapper_survey_run(ctx, &survey);
    if (status == DGM_OK)
        status = write_differences(ctx, &survey, out);
    dgmi_free(ctx, survey.found);
    return status;
}

const dgm_difference *dgm_differences_list(const dgm_differences *differences, int64_t *count) {
    *count = differences->count;
    return differences->items;
}

void dgm_differences_free(dgm_differences *differences) {
    if (!differences)
        return;
    dgm_allocator allocator = differences->allocator;
    dgmi_allocator_free(&allocator, differences->items);
    dgmi_allocator_free(&allocator, differences);
}
