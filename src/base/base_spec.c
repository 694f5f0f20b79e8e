/* SPDX-License-Identifier: Apache-2.0 */
#include "base_spec.h"

#include <stdio.h>
#include <string.h>

#include "base_context.h"
#include "base_option.h"
#include "base_text.h"

enum { MOST_NAMES = 64, LONGEST_NAME = 64 }; /* what a near miss is looked for among */

dgm_status dgmi_spec_split(dgm_context *ctx, const char *noun, const char *specification,
                           dgmi_spec *spec) {
    if ((size_t)snprintf(spec->text, sizeof spec->text, "%s", specification) >= sizeof spec->text)
        return dgmi_fail(ctx, DGM_ERROR_USAGE, "a %s is given in at most %d characters", noun,
                         DGMI_SPEC_LONGEST - 1);
    spec->keys = strchr(spec->text, ':');
    if (spec->keys)
        *spec->keys++ = '\0';
    return DGM_OK;
}

/* "a, b, c", cut to what fits. */
static const char *join(const char *const *names, char *list, size_t size) {
    *list = '\0';
    for (; *names; names++) {
        size_t used = strlen(list);
        snprintf(list + used, size - used, "%s%s", used ? ", " : "", *names);
    }
    return list;
}

/* The name that is near, without what follows its ':', or NULL. */
static const char *find_near(const char *name, const char *const *names, char *near, size_t size) {
    char plain[MOST_NAMES][LONGEST_NAME];
    const char *heads[MOST_NAMES + 1] = {NULL};
    for (size_t i = 0; i < MOST_NAMES && names[i]; i++) {
        snprintf(plain[i], LONGEST_NAME, "%.*s", (int)strcspn(names[i], ":"), names[i]);
        heads[i] = plain[i];
    }
    const char *found = dgm_name_nearest(name, heads);
    snprintf(near, size, "%s", found ? found : "");
    return found ? near : NULL;
}

dgm_status dgmi_spec_fail_name(dgm_context *ctx, const char *noun, const char *nouns,
                               const char *name, const char *const *names) {
    char list[512], space[LONGEST_NAME];
    const char *near = find_near(name, names, space, sizeof space);
    join(names, list, sizeof list);
    if (near)
        return dgmi_fail(ctx, DGM_ERROR_USAGE,
                         "there is no %s '%.100s'; did you mean '%s'? (known: %s)", noun, name,
                         near, list);
    return dgmi_fail(ctx, DGM_ERROR_USAGE, "there is no %s '%.100s'; known %s: %s", noun, name,
                     nouns, list);
}

static dgm_status fail_key(dgm_context *ctx, const char *noun, const char *name,
                           const dgm_option_table *table, const char *key) {
    const char *names[MOST_NAMES + 1] = {NULL};
    char list[256];
    if (!table || table->count == 0)
        return dgmi_fail(ctx, DGM_ERROR_USAGE, "the %s '%s' takes no keys, not '%.100s'", noun,
                         name, key);
    for (size_t i = 0; i < table->count && i < MOST_NAMES; i++)
        names[i] = table->options[i].name;
    const char *near = dgm_name_nearest(key, names);
    return dgmi_fail(ctx, DGM_ERROR_USAGE, "the %s '%s' has no key '%.100s' (it takes %s)%s%s%s",
                     noun, name, key, join(names, list, sizeof list),
                     near ? "; did you mean '" : "", near ? near : "", near ? "'?" : "");
}

/* The end of the item: its first comma that no number follows. A number after a comma continues the
 * value before it ("split=0.8,0.1,epochs=5"), which is never in doubt: no key is a number. A flag
 * has no value that could go on. */
static char *find_end(char *item) {
    char *end = strchr(item, ',');
    bool has_value = end && memchr(item, '=', (size_t)(end - item));
    while (end && has_value) {
        size_t length = strcspn(end + 1, ",");
        double number;
        if (!dgmi_parse_real(end + 1, length, &number))
            return end;
        end = end[1 + length] ? end + 1 + length : NULL;
    }
    return end;
}

/* One "key=value", or a bare flag. */
static dgm_status set_key(dgm_context *ctx, const char *noun, const char *name,
                          const dgm_option_table *table, char *item, void *target) {
    char *value = strchr(item, '=');
    if (value)
        *value++ = '\0';
    const dgm_option *option = table ? dgm_option_find(table, item) : NULL;
    if (!option)
        return fail_key(ctx, noun, name, table, item);
    char called[256];
    snprintf(called, sizeof called, "the %s '%.100s': %s", noun, name, option->name);
    return dgmi_option_set_as(ctx, called, option, value, target);
}

dgm_status dgmi_spec_set(dgm_context *ctx, const char *noun, dgmi_spec *spec,
                         const dgm_option_table *table, void *target) {
    char *item = spec->keys;
    while (item && *item) {
        char *next = find_end(item);
        if (next)
            *next++ = '\0';
        dgm_status status = set_key(ctx, noun, spec->text, table, item, target);
        if (status != DGM_OK)
            return status;
        item = next;
    }
    return DGM_OK;
}
