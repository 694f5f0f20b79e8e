/* SPDX-License-Identifier: Apache-2.0 */
/* Reads the profile: what a file says about the members of the clusters. */
#include "archive_read.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base_context.h"
#include "base_memory.h"
#include "base_text.h"

/* Names in the order of their texts, and what number each has; scratch memory, texts borrowed from
 * the tree. */
typedef struct {
    const char *text;
    int32_t code;
} name_code;
typedef struct {
    name_code *names;
    int64_t count;
} name_list;

static int compare_names(const void *a, const void *b) {
    return strcmp(((const name_code *)a)->text, ((const name_code *)b)->text);
}

static const name_code *find_name(const name_list *list, const char *text) {
    name_code key = {text, 0};
    if (list->count == 0)
        return NULL;
    return bsearch(&key, list->names, (size_t)list->count, sizeof key, compare_names);
}

/* The object of counts that a cluster has under `key`, or under attributes.`key`. */
static json_t *counts_of(const dgmi_archive_saved *saved, int64_t cluster, const char *key,
                         bool attribute) {
    json_t *object = saved->clusters[cluster];
    return json_object_get(attribute ? json_object_get(object, "attributes") : object, key);
}

/* ---- counts ---- */

/* Every name that occurs in the clusters' objects, each once. Room for more of them is made for
 * several keys at a time. */
static dgm_status gather_names(const dgmi_archive_saved *saved, const char *const *keys,
                               int key_count, bool attribute, name_list *list) {
    int64_t room = 0;
    const char *name;
    json_t *value;
    for (int k = 0; k < key_count; k++)
        for (int64_t c = 0; c < saved->summary->clusters; c++)
            room += (int64_t)json_object_size(counts_of(saved, c, keys[k], attribute));
    *list = (name_list){dgmi_scratch(saved->ctx, room, sizeof(name_code)), 0};
    if (!list->names)
        return DGM_ERROR_MEMORY;
    for (int k = 0; k < key_count; k++)
        for (int64_t c = 0; c < saved->summary->clusters; c++)
            json_object_foreach(counts_of(saved, c, keys[k], attribute), name, value) {
                list->names[list->count++] = (name_code){name, 0};
            }
    int64_t all = list->count;
    list->count = 0;
    if (all > 1)
        qsort(list->names, (size_t)all, sizeof *list->names, compare_names);
    for (int64_t i = 0; i < all; i++)
        if (i == 0 || strcmp(list->names[i].text, list->names[i - 1].text) != 0)
            list->names[list->count++] = list->names[i];
    for (int64_t i = 0; i < list->count; i++)
        list->names[i].code = (int32_t)i;
    return DGM_OK;
}

static void swap_pairs(dgmi_mapper_counts *counts, int64_t a, int64_t b) {
    int32_t value = counts->values[a];
    int64_t count = counts->counts[a];
    counts->values[a] = counts->values[b];
    counts->counts[a] = counts->counts[b];
    counts->values[b] = value;
    counts->counts[b] = count;
}

/* Files have them in order already; others are put in order by insertion, or by sorting where they
 * are many. */
static void order_pairs(dgmi_mapper_counts *counts, int64_t first, int64_t last) {
    for (int64_t gap = (last - first) / 2 + 1; gap > 0; gap = gap == 1 ? 0 : gap / 2)
        for (int64_t i = first + gap; i < last; i++)
            for (int64_t j = i; j >= first + gap && counts->values[j] < counts->values[j - gap];
                 j -= gap)
                swap_pairs(counts, j, j - gap);
}

/* The members counted by name, of one cluster, behind those of the clusters before. */
static dgm_status read_pairs(const dgmi_archive_saved *saved, int64_t cluster, const char *key,
                             json_t *object, const name_list *names, dgmi_mapper_counts *counts) {
    assert(counts->offsets && counts->values && counts->counts);
    int64_t at = counts->offsets[cluster], left = dgmi_archive_saved_size(saved, cluster);
    const char *name;
    json_t *value;
    json_object_foreach(object, name, value) {
        const name_code *found = find_name(names, name);
        int64_t count = json_is_integer(value) ? json_integer_value(value) : 0;
        if (!found)
            return dgmi_archive_saved_fail(
                saved, "nodes", cluster,
                "has \"%s\" of a class '%.60s' that is not among \"classes\"", key, name);
        if (count < 1 || count > left)
            return dgmi_archive_saved_fail(
                saved, "nodes", cluster, "counts in \"%.60s\" what is no part of its members", key);
        left -= count;
        counts->values[at] = found->code;
        counts->counts[at++] = count;
    }
    order_pairs(counts, counts->offsets[cluster], at);
    counts->offsets[cluster + 1] = at;
    return DGM_OK;
}

static dgm_status read_tally(const dgmi_archive_saved *saved, const char *key, bool attribute,
                             const name_list *names, dgmi_mapper_counts *counts) {
    dgm_profile *profile = saved->profile;
    int64_t room = 0;
    for (int64_t c = 0; c < profile->clusters; c++) {
        json_t *object = counts_of(saved, c, key, attribute);
        if (!json_is_object(object) && !(attribute && (!object || json_is_null(object))))
            return dgmi_archive_saved_fail(saved, "nodes", c,
                                           "has no \"%.60s\" {\"NAME\": COUNT, ...}", key);
        room += (int64_t)json_object_size(object);
    }
    counts->offsets = dgmi_alloc_zero(saved->ctx, profile->clusters + 1, sizeof *counts->offsets);
    if (counts->offsets)
        counts->values = dgmi_alloc_zero(saved->ctx, room, sizeof *counts->values);
    if (counts->values)
        counts->counts = dgmi_alloc_zero(saved->ctx, room, sizeof *counts->counts);
    if (!counts->counts)
        return DGM_ERROR_MEMORY;
    dgm_status status = DGM_OK;
    for (int64_t c = 0; c < profile->clusters && status == DGM_OK; c++)
        status = read_pairs(saved, c, key, counts_of(saved, c, key, attribute), names, counts);
    return status;
}

/* ---- classes ---- */

static bool is_number(const char *text) {
    int64_t value;
    return dgmi_parse_integer(text, strlen(text), &value);
}

static int compare_numbers(const void *a, const void *b) {
    int64_t x = 0, y = 0;
    const char *left = ((const name_code *)a)->text, *right = ((const name_code *)b)->text;
    dgmi_parse_integer(left, strlen(left), &x);
    dgmi_parse_integer(right, strlen(right), &y);
    return x != y ? (x > y) - (x < y) : strcmp(left, right);
}

/* Files without a list of classes: those that occur, numbers in their own order. */
static dgm_status guess_classes(const dgmi_archive_saved *saved, name_list *list) {
    static const char *const keys[] = {"labels", "predictions"};
    dgm_status status = gather_names(saved, keys, 2, false, list);
    bool numbers = status == DGM_OK;
    for (int64_t i = 0; i < list->count && numbers; i++)
        numbers = is_number(list->names[i].text);
    if (!numbers || list->count < 2)
        return status;
    qsort(list->names, (size_t)list->count, sizeof *list->names, compare_numbers);
    for (int64_t i = 0; i < list->count; i++)
        list->names[i].code = (int32_t)i;
    qsort(list->names, (size_t)list->count, sizeof *list->names, compare_names);
    return DGM_OK;
}

static dgm_status list_classes(const dgmi_archive_saved *saved, const json_t *classes,
                               name_list *list) {
    int64_t count = (int64_t)json_array_size(classes);
    if (!json_is_array(classes) || count > INT32_MAX)
        return dgmi_archive_saved_fail(saved, NULL, 0, "\"classes\" is no list of names");
    *list = (name_list){dgmi_scratch(saved->ctx, count, sizeof(name_code)), count};
    if (!list->names)
        return DGM_ERROR_MEMORY;
    for (int64_t c = 0; c < count; c++) {
        const char *name = json_string_value(json_array_get(classes, (size_t)c));
        if (!name)
            return dgmi_archive_saved_fail(saved, "classes", c, "is no text");
        list->names[c] = (name_code){name, (int32_t)c};
    }
    if (count > 1)
        qsort(list->names, (size_t)count, sizeof *list->names, compare_names);
    for (int64_t c = 1; c < count; c++)
        if (strcmp(list->names[c].text, list->names[c - 1].text) == 0)
            return dgmi_archive_saved_fail(saved, "classes", list->names[c].code,
                                           "has the name of another class");
    return DGM_OK;
}

static dgm_status name_classes(const dgmi_archive_saved *saved, const name_list *list) {
    dgm_profile *profile = saved->profile;
    if (list->count == 0)
        return DGM_OK;
    profile->class_names = dgmi_alloc_zero(saved->ctx, list->count, sizeof *profile->class_names);
    if (!profile->class_names)
        return DGM_ERROR_MEMORY;
    profile->classes = (int32_t)list->count;
    for (int64_t i = 0; i < list->count; i++) {
        char *copy = dgmi_strdup(saved->ctx, list->names[i].text);
        if (!copy)
            return DGM_ERROR_MEMORY;
        profile->class_names[list->names[i].code] = copy;
    }
    return DGM_OK;
}

/* Whether the first cluster has the key: then all must have it. */
static bool has(const dgmi_archive_saved *saved, const char *key) {
    return saved->summary->clusters > 0 && json_object_get(saved->clusters[0], key);
}

static int64_t labelled(const dgm_profile *profile, int64_t cluster) {
    int64_t sum = 0;
    for (int64_t i = profile->labels.offsets[cluster]; i < profile->labels.offsets[cluster + 1];
         i++)
        sum += profile->labels.counts[i];
    return sum;
}

/* Older files do not say "judged": a prediction was there for every label. */
static dgm_status read_mistakes(const dgmi_archive_saved *saved) {
    dgm_profile *profile = saved->profile;
    dgm_status status = DGM_OK;
    profile->judged = dgmi_alloc_zero(saved->ctx, profile->clusters, sizeof *profile->judged);
    if (profile->judged)
        profile->mistakes =
            dgmi_alloc_zero(saved->ctx, profile->clusters, sizeof *profile->mistakes);
    if (!profile->judged || !profile->mistakes)
        return DGM_ERROR_MEMORY;
    for (int64_t c = 0; c < profile->clusters && status == DGM_OK; c++) {
        status = dgmi_archive_saved_integer(saved, "nodes", c, saved->clusters[c], "judged", 0,
                                            dgmi_archive_saved_size(saved, c), labelled(profile, c),
                                            &profile->judged[c]);
        if (status == DGM_OK)
            status = dgmi_archive_saved_integer(saved, "nodes", c, saved->clusters[c], "mistakes",
                                                0, profile->judged[c], -1, &profile->mistakes[c]);
        if (status == DGM_OK && profile->mistakes[c] < 0)
            status = dgmi_archive_saved_fail(saved, "nodes", c, "has no \"mistakes\"");
    }
    return status;
}

static dgm_status read_mixup(const dgmi_archive_saved *saved, int64_t cluster, const json_t *object,
                             const name_list *names, dgm_profile_mixup *out) {
    const char *label = json_string_value(json_object_get(object, "label"));
    const char *prediction = json_string_value(json_object_get(object, "prediction"));
    const name_code *first = label ? find_name(names, label) : NULL;
    const name_code *second = prediction ? find_name(names, prediction) : NULL;
    if (!first || !second)
        return dgmi_archive_saved_fail(saved, "nodes", cluster,
                                       "has \"confused\" that is no list of {\"label\": CLASS, "
                                       "\"prediction\": CLASS, \"nodes\": COUNT}");
    *out = (dgm_profile_mixup){first->code, second->code, 0};
    return dgmi_archive_saved_integer(saved, "nodes", cluster, object, "nodes", 1,
                                      saved->profile->mistakes[cluster], 1, &out->count);
}

/* Older files do not say which class was taken for which. */
static dgm_status read_mixups(const dgmi_archive_saved *saved, const name_list *names) {
    dgm_profile *profile = saved->profile;
    int64_t room = 0, used = 0;
    for (int64_t c = 0; c < profile->clusters; c++)
        room += (int64_t)json_array_size(json_object_get(saved->clusters[c], "confused"));
    if (room == 0)
        return DGM_OK;
    profile->mixups = dgmi_alloc_zero(saved->ctx, room, sizeof *profile->mixups);
    if (profile->mixups)
        profile->mixup_offsets =
            dgmi_alloc_zero(saved->ctx, profile->clusters + 1, sizeof(int64_t));
    dgm_status status = profile->mixup_offsets ? DGM_OK : DGM_ERROR_MEMORY;
    for (int64_t c = 0; c < profile->clusters && status == DGM_OK; c++) {
        const json_t *list = json_object_get(saved->clusters[c], "confused");
        for (size_t i = 0; i < json_array_size(list) && status == DGM_OK; i++)
            status = read_mixup(saved, c, json_array_get(list, i), names, &profile->mixups[used++]);
        profile->mixup_offsets[c + 1] = used;
    }
    return status;
}

static dgm_status read_entropy(const dgmi_archive_saved *saved) {
    dgm_profile *profile = saved->profile;
    dgm_status status = DGM_OK;
    if (!has(saved, "entropy"))
        return dgmi_mapper_profile_entropy_of_labels(saved->ctx, profile);
    profile->entropy = dgmi_alloc_zero(saved->ctx, profile->clusters, sizeof *profile->entropy);
    if (!profile->entropy)
        return DGM_ERROR_MEMORY;
    for (int64_t c = 0; c < profile->clusters && status == DGM_OK; c++)
        status = dgmi_archive_saved_real(saved, "nodes", c, saved->clusters[c], "entropy", 0, 1,
                                         NAN, &profile->entropy[c]);
    return status;
}

static dgm_status read_outward(const dgmi_archive_saved *saved) {
    dgm_profile *profile = saved->profile;
    dgm_status status = DGM_OK;
    if (!has(saved, "outward"))
        return DGM_OK;
    profile->outward = dgmi_alloc_zero(saved->ctx, profile->clusters, sizeof *profile->outward);
    if (!profile->outward)
        return DGM_ERROR_MEMORY;
    for (int64_t c = 0; c < profile->clusters && status == DGM_OK; c++)
        status = dgmi_archive_saved_real(saved, "nodes", c, saved->clusters[c], "outward", 0, 1,
                                         NAN, &profile->outward[c]);
    return status;
}

static dgm_status read_classes(const dgmi_archive_saved *saved) {
    dgm_profile *profile = saved->profile;
    name_list names = {NULL, 0};
    const json_t *classes = json_object_get(saved->root, "classes");
    bool labels = has(saved, "labels"), predictions = has(saved, "predictions");
    dgm_status status =
        classes ? list_classes(saved, classes, &names) : guess_classes(saved, &names);
    if (status == DGM_OK)
        status = name_classes(saved, &names);
    if (status == DGM_OK && labels)
        status = read_tally(saved, "labels", false, &names, &profile->labels);
    if (status == DGM_OK && predictions)
        status = read_tally(saved, "predictions", false, &names, &profile->predictions);
    if (status == DGM_OK && labels && predictions && has(saved, "mistakes"))
        status = read_mistakes(saved);
    if (status == DGM_OK && profile->mistakes)
        status = read_mixups(saved, &names);
    if (status == DGM_OK)
        status = read_outward(saved);
    return status == DGM_OK ? read_entropy(saved) : status;
}

/* ---- attributes ---- */

static dgm_status read_numbers(const dgmi_archive_saved *saved,
                               dgmi_mapper_profile_attribute *attribute) {
    dgm_profile *profile = saved->profile;
    dgm_status status = DGM_OK;
    attribute->means = dgmi_alloc_zero(saved->ctx, profile->clusters, sizeof *attribute->means);
    if (!attribute->means)
        return DGM_ERROR_MEMORY;
    for (int64_t c = 0; c < profile->clusters && status == DGM_OK; c++)
        status = dgmi_archive_saved_real(
            saved, "nodes", c, json_object_get(saved->clusters[c], "attributes"), attribute->name,
            -INFINITY, INFINITY, NAN, &attribute->means[c]);
    return status;
}

static dgm_status read_texts(const dgmi_archive_saved *saved,
                             dgmi_mapper_profile_attribute *attribute) {
    dgmi_hold hold = dgmi_arena_hold(saved->ctx);
    const char *const key = attribute->name;
    name_list names;
    dgm_status status = gather_names(saved, &key, 1, true, &names);
    if (status == DGM_OK) {
        attribute->texts = dgmi_alloc_zero(saved->ctx, names.count, sizeof *attribute->texts);
        status = attribute->texts ? DGM_OK : DGM_ERROR_MEMORY;
    }
    if (status == DGM_OK)
        attribute->text_count = names.count;
    for (int64_t i = 0; status == DGM_OK && i < names.count; i++)
        if (!(attribute->texts[i] = dgmi_strdup(saved->ctx, names.names[i].text)))
            status = DGM_ERROR_MEMORY;
    if (status == DGM_OK)
        status = read_tally(saved, key, true, &names, &attribute->counts);
    dgmi_arena_release(saved->ctx, hold);
    return status;
}

/* An attribute is text if the first cluster that says anything says counts. */
static dgm_attribute_kind kind_of(const dgmi_archive_saved *saved, const char *name) {
    for (int64_t c = 0; c < saved->summary->clusters; c++) {
        const json_t *value = counts_of(saved, c, name, true);
        if (value && !json_is_null(value))
            return json_is_object(value) ? DGM_ATTRIBUTE_TEXT : DGM_ATTRIBUTE_NUMBER;
    }
    return DGM_ATTRIBUTE_NUMBER;
}

/* The first cluster names them. */
static dgm_status read_attributes(const dgmi_archive_saved *saved) {
    dgm_profile *profile = saved->profile;
    json_t *first = profile->clusters ? json_object_get(saved->clusters[0], "attributes") : NULL,
           *value;
    const char *name;
    dgm_status status = DGM_OK;
    if (!first)
        return DGM_OK;
    if (!json_is_object(first))
        return dgmi_archive_saved_fail(saved, "nodes", 0, "has \"attributes\" that are no object");
    profile->attributes =
        dgmi_alloc_zero(saved->ctx, (int64_t)json_object_size(first), sizeof *profile->attributes);
    if (!profile->attributes)
        return DGM_ERROR_MEMORY;
    json_object_foreach(first, name, value) {
        if (status != DGM_OK)
            break;
        dgmi_mapper_profile_attribute *attribute = &profile->attributes[profile->attribute_count++];
        attribute->kind = kind_of(saved, name);
        status = dgmi_mapper_profile_name_attribute(saved->ctx, name, attribute);
        if (status != DGM_OK)
            break;
        if (attribute->kind == DGM_ATTRIBUTE_NUMBER)
            status = read_numbers(saved, attribute);
        else
            status = read_texts(saved, attribute);
    }
    return status;
}

/* ---- members that stand out ---- */

/* At most DGM_PROFILE_TOPS names of a list, behind those of the clusters before. */
static dgm_status read_names(const dgmi_archive_saved *saved, int64_t cluster, const json_t *list,
                             dgmi_mapper_tops *tops) {
    dgm_status status = DGM_OK;
    size_t count = json_array_size(list);
    for (size_t i = 0; i < count && i < DGM_PROFILE_TOPS && status == DGM_OK; i++) {
        const json_t *name = json_array_get(list, i);
        if (!json_is_string(name))
            return dgmi_archive_saved_fail(saved, "nodes", cluster, "has a member that is no text");
        status = dgmi_mapper_tops_add(saved->ctx, tops, cluster, json_string_value(name),
                                      json_string_length(name));
    }
    dgmi_mapper_tops_end(tops, saved->profile->clusters, cluster);
    return status;
}

/* Files name those of clusters of more than a few members; of others all are. A lens without axes has
 * no peaks. */
static dgm_status read_tops(const dgmi_archive_saved *saved) {
    dgm_profile *profile = saved->profile;
    bool peaks = false;
    for (int64_t c = 0; c < profile->clusters && !peaks && saved->summary->dimension > 0; c++)
        peaks = json_object_get(json_object_get(saved->clusters[c], "top"), "lens") != NULL;
    dgm_status status = dgmi_mapper_tops_open(saved->ctx, profile->clusters, &profile->hubs);
    if (status == DGM_OK && peaks)
        status = dgmi_mapper_tops_open(saved->ctx, profile->clusters, &profile->peaks);
    for (int64_t c = 0; c < profile->clusters && status == DGM_OK; c++) {
        const json_t *top = json_object_get(saved->clusters[c], "top");
        const json_t *members = json_object_get(saved->clusters[c], "members");
        bool few = dgmi_archive_saved_size(saved, c) <= DGM_PROFILE_TOPS;
        status = read_names(saved, c, few ? members : json_object_get(top, "neighbours"),
                            &profile->hubs);
        if (status == DGM_OK && peaks)
            status = read_names(saved, c, json_object_get(top, "lens"), &profile->peaks);
    }
    return status;
}

/* What clusters are called; not known where a file does not say it of all. */
static dgm_status read_cluster_names(const dgmi_archive_saved *saved) {
    dgm_profile *profile = saved->profile;
    for (int64_t c = 0; c < profile->clusters; c++)
        if (!json_object_get(saved->clusters[c], "name"))
            return DGM_OK;
    dgm_status status = dgmi_mapper_tops_open(saved->ctx, profile->clusters, &profile->names);
    for (int64_t c = 0; c < profile->clusters && status == DGM_OK; c++) {
        const json_t *name = json_object_get(saved->clusters[c], "name");
        if (!json_is_string(name))
            return dgmi_archive_saved_fail(saved, "nodes", c, "has a \"name\" that is no text");
        status = dgmi_mapper_tops_add(saved->ctx, &profile->names, c, json_string_value(name),
                                      json_string_length(name));
        dgmi_mapper_tops_end(&profile->names, profile->clusters, c);
    }
    return status;
}

dgm_status dgmi_archive_saved_profile(const dgmi_archive_saved *saved) {
    dgmi_hold hold = dgmi_arena_hold(saved->ctx);
    dgm_status status = read_classes(saved);
    if (status == DGM_OK)
        status = read_attributes(saved);
    dgmi_arena_release(saved->ctx, hold);
    if (status == DGM_OK)
        status = read_tops(saved);
    return status == DGM_OK ? read_cluster_names(saved) : status;
}
