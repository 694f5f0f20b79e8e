/* SPDX-License-Identifier: Apache-2.0 */
/* Sums up the attributes of the members of each cluster: the mean of numbers, and how often each
 * text occurs. */
#include "mapper_profile.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base_context.h"
#include "base_memory.h"
#include "base_utf8.h"

enum { MOST_TEXTS = 64 };

static int compare_texts(const void *a, const void *b) {
    return strcmp(*(const char *const *)a, *(const char *const *)b);
}

static double mean_number(dgmi_mapper_members members, int64_t cluster, const double *numbers) {
    double sum = 0;
    int64_t count = 0;
    for (int64_t i = dgmi_mapper_members_begin(members, cluster);
         i < dgmi_mapper_members_begin(members, cluster + 1); i++) {
        double number = numbers[dgmi_mapper_members_node(members, i)];
        if (isfinite(number)) {
            sum += number;
            count++;
        }
    }
    double mean = sum / (double)count;
    return isfinite(mean) ? mean : NAN;
}

static dgm_status average(dgm_context *ctx, dgm_profile *profile, dgmi_mapper_members members,
                          const double *numbers, dgmi_mapper_profile_attribute *attribute) {
    attribute->means = dgmi_alloc_zero(ctx, profile->clusters, sizeof *attribute->means);
    if (!attribute->means)
        return DGM_ERROR_MEMORY;
    for (int64_t c = 0; c < profile->clusters; c++)
        attribute->means[c] = mean_number(members, c, numbers);
    return DGM_OK;
}

/* The text's place among at most MOST_TEXTS different ones in ascending order; false: it is one too
 * many, or no valid text. */
static bool find_text(const char **texts, int64_t *count, const char *text, int64_t *place) {
    int64_t low = 0, high = *count;
    while (low < high) {
        int64_t middle = (low + high) / 2;
        int order = strcmp(texts[middle], text);
        if (order == 0) {
            *place = middle;
            return true;
        }
        low = order < 0 ? middle + 1 : low;
        high = order < 0 ? high : middle;
    }
    size_t length = strlen(text);
    if (*count == MOST_TEXTS || dgmi_utf8_check(text, length) < length)
        return false;
    memmove(texts + low + 1, texts + low, (size_t)(*count - low) * sizeof *texts);
    texts[low] = text;
    ++*count;
    *place = low;
    return true;
}

/* The different texts among the members; false if they are too many. */
static bool list_texts(dgmi_mapper_members members, const char *const *values, const char **texts,
                       int64_t *count) {
    int64_t place;
    *count = 0;
    for (int64_t i = 0; i < dgmi_mapper_members_begin(members, members.clusters); i++) {
        const char *text = values[dgmi_mapper_members_node(members, i)];
        if (text && !find_text(texts, count, text, &place))
            return false;
    }
    return *count > 0;
}

static dgm_status copy_texts(dgm_context *ctx, const char **texts, int64_t count,
                             dgmi_mapper_profile_attribute *attribute) {
    attribute->texts = dgmi_alloc_zero(ctx, count, sizeof *attribute->texts);
    if (!attribute->texts)
        return DGM_ERROR_MEMORY;
    attribute->text_count = count;
    for (int64_t t = 0; t < count; t++)
        if (!(attribute->texts[t] = dgmi_strdup(ctx, texts[t])))
            return DGM_ERROR_MEMORY;
    return DGM_OK;
}

static dgm_status count_texts(dgm_context *ctx, const dgm_graph *graph, dgmi_mapper_members members,
                              const char *const *values, const char **texts, int64_t count,
                              dgmi_mapper_profile_attribute *attribute) {
    int64_t nodes = dgm_graph_nodes(graph);
    dgmi_hold hold = dgmi_arena_hold(ctx);
    dgm_status status = copy_texts(ctx, texts, count, attribute);
    int32_t *codes = status == DGM_OK ? dgmi_scratch(ctx, nodes, sizeof *codes) : NULL;
    if (!codes) {
        status = DGM_ERROR_MEMORY;
        goto done;
    }
    for (int64_t u = 0; u < nodes; u++) {
        /* Nodes in no cluster may have texts of their own, which are not counted. */
        const char *const *at =
            values[u] ? bsearch(&values[u], texts, (size_t)count, sizeof *texts, compare_texts)
                      : NULL;
        codes[u] = at ? (int32_t)(at - (const char *const *)texts) : -1;
    }
    status = dgmi_mapper_counts_make(ctx, members, codes, count, &attribute->counts);
done:
    dgmi_arena_release(ctx, hold);
    return status;
}

static dgm_status look_at_attribute(dgm_context *ctx, dgm_profile *profile, const dgm_graph *graph,
                                    dgmi_mapper_members members, dgm_attribute values) {
    const char *texts[MOST_TEXTS];
    int64_t count = 0;
    size_t length = strlen(values.name);
    if (dgmi_utf8_check(values.name, length) < length)
        return DGM_OK;
    if (values.kind == DGM_ATTRIBUTE_TEXT && !list_texts(members, values.texts, texts, &count))
        return DGM_OK;
    dgmi_mapper_profile_attribute *attribute = &profile->attributes[profile->attribute_count++];
    attribute->kind = values.kind;
    if (dgmi_mapper_profile_name_attribute(ctx, values.name, attribute) != DGM_OK)
        return DGM_ERROR_MEMORY;
    if (values.kind == DGM_ATTRIBUTE_NUMBER)
        return average(ctx, profile, members, values.numbers, attribute);
    return count_texts(ctx, graph, members, values.texts, texts, count, attribute);
}

dgm_status dgmi_mapper_profile_look_at_attributes(dgm_context *ctx, dgm_profile *profile,
                                                  const dgm_graph *graph,
                                                  dgmi_mapper_members members) {
    int64_t attributes = dgm_graph_attributes(graph);
    dgm_status status = DGM_OK;
    if (attributes > 0) {
        profile->attributes = dgmi_alloc_zero(ctx, attributes, sizeof *profile->attributes);
        status = profile->attributes ? DGM_OK : DGM_ERROR_MEMORY;
    }
    for (int64_t a = 0; a < attributes && status == DGM_OK; a++)
        status = look_at_attribute(ctx, profile, graph, members, dgm_graph_attribute(graph, a));
    return status;
}
