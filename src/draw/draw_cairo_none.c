/* SPDX-License-Identifier: Apache-2.0 */
/* Stands in for draw_cairo.c where the build has no Cairo. */
#include "draw_list.h"

#include "base_context.h"

dgm_status dgmi_draw_cairo_check(dgm_context *ctx) {
    return dgmi_fail(ctx, DGM_ERROR_USAGE,
                     "this build writes no PDF or PNG (it was made without Cairo); write .svg, or "
                     "build again with libcairo2-dev and libpango1.0-dev");
}

dgm_status dgmi_draw_cairo_write(dgm_context *ctx, const dgmi_draw_list *list,
                                 dgm_figure_format format, int64_t dpi, char **bytes,
                                 size_t *length) {
    (void)list;
    (void)format;
    (void)dpi;
    *bytes = NULL;
    *length = 0;
    return dgmi_draw_cairo_check(ctx);
}
