/* SPDX-License-Identifier: Apache-2.0 */
/* Lenses by name: "pagerank:alpha=0.9". One row of the table a lens. */
#include "lens_lens.h"

#include <assert.h>
#include <stdio.h>
#include <string.h>

#include "base_context.h"

enum { LONGEST = 512 };

/* A specification taken apart. */
typedef struct {
    const dgm_lens_kind *kind;
    dgm_pagerank_options pagerank;
    char attribute[LONGEST];
} lens_request;

static dgm_status run_pagerank(dgm_context *ctx, const dgm_graph *graph,
                               const lens_request *request, dgm_matrix **out) {
    return dgm_lens_pagerank(ctx, graph, &request->pagerank, out);
}

static dgm_status run_degree(dgm_context *ctx, const dgm_graph *graph, const lens_request *request,
                             dgm_matrix **out) {
    (void)request;
    return dgm_lens_degree(ctx, graph, out);
}

static dgm_status run_labels(dgm_context *ctx, const dgm_graph *graph, const lens_request *request,
                             dgm_matrix **out) {
    (void)request;
    return dgm_lens_labels(ctx, graph, out);
}

static dgm_status run_attribute(dgm_context *ctx, const dgm_graph *graph,
                                const lens_request *request, dgm_matrix **out) {
    return dgm_lens_attribute(ctx, graph, request->attribute, out);
}

/* What people see of the lenses, and beside it what runs them. */
static const dgm_lens_kind kinds[] = {
    {"pagerank", "how often a random walk visits the node", &dgmi_pagerank_table},
    {"degree", "number of neighbours", NULL},
    {"labels", "the class of the node", NULL},
    {"attr", "a numeric node attribute: attr:NAME", NULL},
};
static dgm_status (*const runs[])(dgm_context *, const dgm_graph *, const lens_request *,
                                  dgm_matrix **) = {
    run_pagerank,
    run_degree,
    run_labels,
    run_attribute,
};
enum { KINDS = sizeof kinds / sizeof *kinds };
static_assert(sizeof runs / sizeof *runs == KINDS, "one function a lens");

const dgm_lens_kind *dgm_lens_kinds(size_t *count) {
    *count = KINDS;
    return kinds;
}

static dgm_status fail_name(dgm_context *ctx, const char *name) {
    const char *names[KINDS + 1];
    char list[256] = "";
    for (size_t i = 0; i < KINDS; i++) {
        size_t used = strlen(list);
        snprintf(list + used, sizeof list - used, "%s%s%s", used ? ", " : "", kinds[i].name,
                 strcmp(kinds[i].name, "attr") == 0 ? ":NAME" : "");
        names[i] = kinds[i].name;
    }
    names[KINDS] = NULL;
    const char *near = dgm_name_nearest(name, names);
    if (near)
        return dgmi_fail(ctx, DGM_ERROR_USAGE,
                         "there is no lens '%.100s'; did you mean '%s'? (known: %s)", name, near,
                         list);
    return dgmi_fail(ctx, DGM_ERROR_USAGE, "there is no lens '%.100s'; known lenses: %s", name,
                     list);
}

static dgm_status fail_key(dgm_context *ctx, const lens_request *request, const char *key) {
    const dgm_option_table *table = request->kind->options;
    if (!table)
        return dgmi_fail(ctx, DGM_ERROR_USAGE, "the lens '%s' takes no keys, not '%.100s'",
                         request->kind->name, key);
    const char *names[32];
    char list[256] = "";
    for (size_t i = 0; i < table->count; i++) {
        size_t used = strlen(list);
        snprintf(list + used, sizeof list - used, "%s%s", used ? ", " : "", table->options[i].name);
        names[i] = table->options[i].name;
    }
    names[table->count] = NULL;
    const char *near = dgm_name_nearest(key, names);
    return dgmi_fail(ctx, DGM_ERROR_USAGE, "the lens '%s' has no key '%.100s' (it takes %s)%s%s%s",
                     request->kind->name, key, list, near ? "; did you mean '" : "",
                     near ? near : "", near ? "'?" : "");
}

/* One "key=value" (or a bare flag). */
static dgm_status set_key(dgm_context *ctx, lens_request *request, char *item) {
    char *value = strchr(item, '=');
    if (value)
        *value++ = '\0';
    const dgm_option *option =
        request->kind->options ? dgm_option_find(request->kind->options, item) : NULL;
    if (!option)
        return fail_key(ctx, request, item);
    dgm_status status = dgm_option_set(ctx, option, value, &request->pagerank);
    if (status != DGM_ERROR_USAGE)
        return status;
    /* Said of an option, "--alpha takes ..."; this is the key of a lens. */
    char said[512];
    snprintf(said, sizeof said, "%s", dgm_context_error(ctx) + strlen("--"));
    return dgmi_fail(ctx, status, "the lens '%s': %s", request->kind->name, said);
}

static dgm_status parse(dgm_context *ctx, const char *specification, lens_request *request) {
    char text[LONGEST];
    if ((size_t)snprintf(text, sizeof text, "%s", specification) >= sizeof text)
        return dgmi_fail(ctx, DGM_ERROR_USAGE, "a lens is given in at most %d characters",
                         LONGEST - 1);
    char *keys = strchr(text, ':');
    if (keys)
        *keys++ = '\0';
    *request = (lens_request){.pagerank = DGM_PAGERANK_OPTIONS_INIT};
    for (size_t i = 0; i < KINDS; i++)
        if (strcmp(kinds[i].name, text) == 0)
            request->kind = &kinds[i];
    if (!request->kind)
        return fail_name(ctx, text);
    if (strcmp(text, "attr") == 0) {
        if (!keys || !*keys)
            return dgmi_fail(ctx, DGM_ERROR_USAGE,
                             "the lens 'attr' needs the attribute's name: attr:NAME");
        snprintf(request->attribute, sizeof request->attribute, "%s", keys);
        return DGM_OK;
    }
    while (keys && *keys) {
        char *next = strchr(keys, ',');
        if (next)
            *next++ = '\0';
        dgm_status status = set_key(ctx, request, keys);
        if (status != DGM_OK)
            return status;
        keys = next;
    }
    return DGM_OK;
}

dgm_status dgm_lens_check(dgm_context *ctx, const char *specification) {
    lens_request request;
    return parse(ctx, specification, &request);
}

dgm_status dgm_lens_run(dgm_context *ctx, const dgm_graph *graph, const char *specification,
                        dgm_matrix **out) {
    *out = NULL;
    lens_request request;
    dgm_status status = parse(ctx, specification, &request);
    if (status != DGM_OK)
        return status;
    return runs[request.kind - kinds](ctx, graph, &request, out);
}
