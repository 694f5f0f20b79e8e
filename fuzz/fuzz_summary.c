/* SPDX-License-Identifier: Apache-2.0 */
/* Any bytes as a saved summary: a view that keeps its promises comes out or an error. Such a view
 * can be laid out and drawn, and written again with its places it is read back the same.
 */
#include "fuzz_common.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "draw_view.h"

static bool in_range(const double *values, int64_t count, double low, double high) {
    for (int64_t i = 0; values && i < count; i++)
        if (!isnan(values[i]) && !(values[i] >= low && values[i] <= high))
            return false;
    return true;
}

static const char *check_counts(const dgm_view *view, const dgmi_counts *counts, int64_t classes) {
    for (int64_t m = 0; counts->offsets && m < view->marks; m++) {
        int64_t sum = 0;
        for (int64_t i = counts->offsets[m]; i < counts->offsets[m + 1]; i++) {
            if (counts->values[i] < 0 || counts->values[i] >= classes)
                return "a class is not among the classes";
            if (i > counts->offsets[m] && counts->values[i] <= counts->values[i - 1])
                return "classes do not ascend";
            sum += counts->counts[i];
        }
        if (sum > view->size[m])
            return "more members are counted than there are";
    }
    return NULL;
}

static const char *check_view(const dgm_view *view) {
    for (int64_t m = 0; m < view->marks; m++)
        if (view->size[m] < 1 || view->size[m] > DGM_MAX_NODES)
            return "a size is out of bounds";
    for (int64_t e = 0; e < view->link_count; e++)
        if (view->links[e].source >= view->links[e].target ||
            view->links[e].target >= view->marks || !(view->links[e].weight >= 0) ||
            !(view->links[e].weight <= 1))
            return "a link is out of bounds";
    for (int64_t m = 0; view->x && m < view->marks; m++)
        if (!isfinite(view->x[m]) || !isfinite(view->y[m]) || !(view->radius[m] >= 0))
            return "a place is not finite";
    for (int64_t m = 0; view->mistakes && m < view->marks; m++)
        if (view->mistakes[m] > view->judged[m] || view->judged[m] > view->size[m])
            return "more mistakes than members";
    if (!in_range(view->entropy, view->marks, 0, 1))
        return "an entropy is out of bounds";
    const char *wrong = check_counts(view, &view->labels, view->classes);
    if (!wrong)
        wrong = check_counts(view, &view->predictions, view->classes);
    for (int64_t a = 0; a < view->attribute_count && !wrong; a++)
        wrong = check_counts(view, &view->attributes[a].counts, view->attributes[a].text_count);
    return wrong;
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

static void check_again(dgm_context *ctx, const char *path, const dgm_view *view) {
    char *text = NULL;
    size_t length;
    dgm_view *back = NULL;
    dgm_status status = dgm_view_rewrite(ctx, path, view, &text, &length);
    if (status == DGM_ERROR_MEMORY)
        return;
    fuzz_refuse("rewrite", status == DGM_OK ? NULL : "a view that was read cannot be written");
    status = dgm_view_read(ctx, fuzz_save("back.json", text, length), &back);
    dgm_export_text_free(ctx, text);
    if (status == DGM_ERROR_MEMORY)
        return;
    fuzz_refuse("read again", status == DGM_OK ? NULL : "what was written cannot be read");
    if (back->marks != view->marks || back->link_count != view->link_count ||
        strcmp(back->parameters, view->parameters) != 0)
        fuzz_refuse("round trip", "a view differs");
    for (int64_t m = 0; m < view->marks && view->x; m++)
        if (back->x[m] != view->x[m] || back->radius[m] != view->radius[m])
            fuzz_refuse("round trip", "a place differs");
    dgm_view_free(back);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    static const char *const colours[] = {"lens",    "labels", "prediction", "error",
                                          "entropy", "attr:a", NULL};
    dgm_context *ctx = fuzz_context(size);
    dgm_view *view = NULL;
    char path[512];
    snprintf(path, sizeof path, "%s", fuzz_save(FUZZ_FILE, data, size));
    dgm_status status = dgm_view_read(ctx, path, &view);
    fuzz_check_failure(status, view);
    if (status != DGM_OK)
        return 0;
    fuzz_refuse("view", check_view(view));
    if (!view->x)
        status = dgm_view_lay_out(ctx, view, NULL);
    if (status == DGM_OK) {
        fuzz_refuse("layout", check_view(view));
        draw(ctx, view, colours[fuzz_bits(data, size) % 7]);
        check_again(ctx, path, view);
    }
    dgm_view_free(view);
    return 0;
}
