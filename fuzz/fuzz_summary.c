/* SPDX-License-Identifier: Apache-2.0 */
/* Any bytes as a saved summary: a summary that keeps its promises comes out, or an error. It can be
 * laid out, drawn and reported; written it is read back, and then written again byte for byte.
 */
#include "fuzz_common.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base_utf8.h"
#include "mapper_profile.h"

typedef struct {
    dgm_summary *summary;
    dgm_profile *profile;
    dgm_places *places;
} saved;

static void free_saved(dgm_context *ctx, saved *from) {
    dgm_places_free(ctx, from->places);
    dgm_profile_free(from->profile);
    dgm_summary_free(from->summary);
}

static bool in_range(const double *values, int64_t count, double low, double high) {
    for (int64_t i = 0; values && i < count; i++)
        if (!isnan(values[i]) && !(values[i] >= low && values[i] <= high))
            return false;
    return true;
}

static const char *check_counts(const saved *from, const dgmi_mapper_counts *counts,
                                int64_t classes) {
    const int64_t *offsets = dgm_summary_get_clusters(from->summary).offsets;
    for (int64_t c = 0; counts->offsets && c < from->profile->clusters; c++) {
        int64_t sum = 0;
        for (int64_t i = counts->offsets[c]; i < counts->offsets[c + 1]; i++) {
            if (counts->values[i] < 0 || counts->values[i] >= classes)
                return "a class is not among the classes";
            if (i > counts->offsets[c] && counts->values[i] <= counts->values[i - 1])
                return "classes do not ascend";
            sum += counts->counts[i];
        }
        if (sum > offsets[c + 1] - offsets[c])
            return "more members are counted than there are";
    }
    return NULL;
}

static const char *check_summary(const saved *from) {
    dgm_summary_clusters clusters = dgm_summary_get_clusters(from->summary);
    int64_t edges;
    const dgm_summary_edge *edge = dgm_summary_edges(from->summary, &edges);
    for (int64_t c = 0; c < clusters.count; c++) {
        int64_t size = clusters.offsets[c + 1] - clusters.offsets[c];
        if (size < 1 || size > DGM_MAX_NODES)
            return "a size is out of bounds";
    }
    for (int64_t e = 0; e < edges; e++)
        if (edge[e].source >= edge[e].target || edge[e].target >= clusters.count ||
            !(edge[e].weight >= 0) || !(edge[e].weight <= 1))
            return "an edge is out of bounds";
    if (clusters.members)
        return "there are node numbers without a graph";
    return NULL;
}

static const char *check_profile(const saved *from) {
    const dgm_profile *profile = from->profile;
    const int64_t *offsets = dgm_summary_get_clusters(from->summary).offsets;
    for (int64_t c = 0; profile->mistakes && c < profile->clusters; c++)
        if (profile->mistakes[c] > profile->judged[c] ||
            profile->judged[c] > offsets[c + 1] - offsets[c])
            return "more mistakes than members";
    if (!in_range(profile->entropy, profile->clusters, 0, 1))
        return "an entropy is out of bounds";
    const char *wrong = check_counts(from, &profile->labels, profile->classes);
    if (!wrong)
        wrong = check_counts(from, &profile->predictions, profile->classes);
    for (int64_t a = 0; a < profile->attribute_count && !wrong; a++)
        wrong =
            check_counts(from, &profile->attributes[a].counts, profile->attributes[a].text_count);
    return wrong;
}

static const char *check_places(dgm_places places, int64_t clusters) {
    for (int64_t c = 0; places.x && c < clusters; c++)
        if (!isfinite(places.x[c]) || !isfinite(places.y[c]) || !(places.radius[c] >= 0))
            return "a place is not finite";
    return NULL;
}

static void draw(dgm_context *ctx, const dgm_view *view, const char *colour) {
    dgm_figure *figure = NULL;
    char *bytes = NULL;
    size_t length;
    dgm_status status = dgm_figure_create(ctx, NULL, &figure);
    if (status == DGM_OK)
        status = dgm_figure_add_view(figure, view, colour, "x", NULL, 0);
    if (status == DGM_OK)
        status = dgm_figure_render(ctx, figure, DGM_FIGURE_SVG, &bytes, &length);
    fuzz_check_failure(status, bytes);
    dgm_figure_bytes_free(ctx, bytes);
    dgm_figure_free(figure);
}

/* NULL where memory ended. */
static char *write_text(dgm_context *ctx, const saved *from, const dgm_places *places,
                        size_t *length) {
    const dgm_export_subject subject = {
        .summary = from->summary, .profile = from->profile, .places = places};
    char *text = NULL;
    dgm_status status = dgm_export_text(ctx, &subject, DGM_EXPORT_JSON, 0, &text, length);
    if (status != DGM_ERROR_MEMORY)
        fuzz_refuse("write", status == DGM_OK ? NULL : "a summary that was read is not written");
    return text;
}

/* What is written once is read, and written the same way. */
static void check_again(dgm_context *ctx, const saved *from, const dgm_places *places) {
    size_t length, again_length;
    saved back = {NULL, NULL, NULL};
    char *again, *text = write_text(ctx, from, places, &length);
    if (!text)
        return;
    dgm_status status = dgm_summary_read(ctx, fuzz_save("back.json", text, length), NULL,
                                         &back.summary, &back.profile, &back.places);
    if (status != DGM_ERROR_MEMORY) {
        fuzz_refuse("read again", status == DGM_OK ? NULL : "what was written cannot be read");
        again = write_text(ctx, &back, back.places, &again_length);
        if (again && (length != again_length || memcmp(text, again, length) != 0))
            fuzz_refuse("round trip", "a summary differs");
        dgm_export_text_free(ctx, again);
    }
    free_saved(ctx, &back);
    dgm_export_text_free(ctx, text);
}

/* A report is text without control characters, whatever the names are. */
static void report(dgm_context *ctx, const saved *from) {
    const dgm_export_subject subject = {.summary = from->summary, .profile = from->profile};
    char *text = NULL;
    size_t length = 0;
    dgm_status status = dgm_export_text(ctx, &subject, DGM_EXPORT_MD, 0, &text, &length);
    fuzz_check_failure(status, text);
    bool clean = dgmi_utf8_check(text, length) == length;
    for (size_t i = 0; i < length; i++)
        clean = clean && ((unsigned char)text[i] >= 0x20 || text[i] == '\n') && text[i] != 0x7F;
    fuzz_refuse("report", clean ? NULL : "a report is no plain text");
    dgm_export_text_free(ctx, text);
}

static void show(dgm_context *ctx, const saved *from, const char *colour) {
    dgm_view *view = NULL;
    dgm_status status =
        dgm_view_from_summary(ctx, from->summary, from->profile, from->places, &view);
    fuzz_check_failure(status, view);
    if (status == DGM_OK && !dgm_view_get_places(view).x)
        status = dgm_view_lay_out(ctx, view, NULL);
    if (status == DGM_OK) {
        const dgm_places places = dgm_view_get_places(view);
        fuzz_refuse("layout", check_places(places, dgm_view_marks(view)));
        draw(ctx, view, colour);
        check_again(ctx, from, &places);
    }
    dgm_view_free(view);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    static const char *const colours[] = {"lens",    "labels", "prediction", "error",
                                          "entropy", "attr:a", NULL};
    dgm_context *ctx = fuzz_context(data, size);
    saved from = {NULL, NULL, NULL};
    dgm_status status = dgm_summary_read(ctx, fuzz_save(FUZZ_FILE, data, size), NULL, &from.summary,
                                         &from.profile, &from.places);
    fuzz_check_failure(status, from.summary);
    if (status != DGM_OK)
        return 0;
    fuzz_refuse("summary", check_summary(&from));
    fuzz_refuse("profile", check_profile(&from));
    check_again(ctx, &from, from.places);
    report(ctx, &from);
    show(ctx, &from, colours[fuzz_bits(data, size) % 7]);
    free_saved(ctx, &from);
    return 0;
}
