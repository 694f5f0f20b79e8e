/* SPDX-License-Identifier: Apache-2.0 */
/* draw SUMMARY.json FIGURE...: draws a saved summary into .svg, .pdf and .png files.
 *
 *   cc draw.c -o draw $(pkg-config --cflags --libs dgm)
 *
 * `dgm map GRAPH -o SUMMARY.json` saves one, and so does dgm_export_write.
 */
#include <inttypes.h>
#include <stdio.h>

#include <dgm/dgm.h>

/* All that the program makes; main frees it. */
typedef struct {
    dgm_summary *summary;
    dgm_profile *profile; /* what the members of the clusters are */
    dgm_places *places;   /* where the clusters stand; NULL: the file does not say */
    dgm_view *view;
    dgm_figure *figure;
} work;

/* A summary with places is a view. It borrows the summary and the profile. */
static dgm_status look(dgm_context *ctx, const char *path, work *w) {
    dgm_status status = dgm_summary_read(ctx, path, NULL, &w->summary, &w->profile, &w->places);
    if (status == DGM_OK)
        status = dgm_view_from_summary(ctx, w->summary, w->profile, w->places, &w->view);
    if (status == DGM_OK && !dgm_view_get_places(w->view).x)
        status = dgm_view_lay_out(ctx, w->view, NULL);
    return status;
}

static dgm_status draw(dgm_context *ctx, const char *const *paths, int count, work *w) {
    dgm_figure_options options = DGM_FIGURE_OPTIONS_INIT;
    options.width = "89mm"; /* one column of a journal */
    dgm_status status = dgm_figure_create(ctx, &options, &w->figure);
    if (status == DGM_OK)
        status = dgm_figure_add_view(w->figure, w->view, NULL, NULL, NULL, 0);
    if (status == DGM_OK) /* writes all the files or none */
        status = dgm_figure_write(ctx, w->figure, NULL, 0, paths, count);
    return status;
}

int main(int argc, char **argv) {
    if (argc < 3) {
        fprintf(stderr, "draw: a summary and a figure are needed: draw SUMMARY.json FIGURE.svg\n");
        return 2;
    }
    dgm_context *ctx = NULL;
    work w = {0};
    dgm_status status = dgm_context_create(NULL, &ctx);
    if (status == DGM_OK)
        status = look(ctx, argv[1], &w);
    if (status == DGM_OK)
        status = draw(ctx, (const char *const *)argv + 2, argc - 2, &w);
    if (status == DGM_OK)
        printf("%" PRId64 " clusters and %" PRId64 " edges drawn\n", dgm_view_marks(w.view),
               dgm_view_links(w.view));
    else
        fprintf(stderr, "draw: %s\n", ctx ? dgm_context_error(ctx) : dgm_status_name(status));
    dgm_figure_free(w.figure); /* what borrows goes first */
    dgm_view_free(w.view);
    dgm_places_free(ctx, w.places);
    dgm_profile_free(w.profile);
    dgm_summary_free(w.summary);
    dgm_context_free(ctx);
    return status == DGM_OK ? 0 : 1;
}
