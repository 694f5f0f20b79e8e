/* SPDX-License-Identifier: Apache-2.0 */
/* The workspace: from the axes of a lens to a picture, in memory, stage by stage.
 *
 *     axes ──▶ transforms ──▶ summary ──▶ profile ──▶ places ──▶ bytes of a format
 *
 * A caller sets what goes in and asks for what comes out. A stage runs when its result is asked for
 * and something that it depends on has changed since; everything before it stays as it is. So a
 * slider sets one option and asks for the picture again, and pays only for what that option
 * changes: another colour neither maps nor places anything, another eps finds no clusters again.
 *
 * A workspace needs no files, no threads and no other library. Jobs (pipeline.h) run in one.
 *
 *     dgm_workspace *workspace;
 *     dgm_workspace_create(ctx, graph, &workspace);
 *     dgm_workspace_set_axes(ctx, workspace, axes);
 *     dgm_workspace_set(ctx, workspace, "intervals", "20");
 *     dgm_workspace_text(ctx, workspace, DGM_EXPORT_SVG, 0, &svg, &length);
 *     dgm_workspace_set(ctx, workspace, "colour", "labels");
 *     dgm_workspace_text(ctx, workspace, DGM_EXPORT_SVG, 0, &svg, &length);
 */
#ifndef DGM_WORKSPACE_H
#define DGM_WORKSPACE_H

#include "dgm/draw.h"
#include "dgm/export.h"
#include "dgm/mapper.h"
#include "dgm/profile.h"
#include "dgm/transform.h"

typedef struct dgm_workspace dgm_workspace;

/* The graph is borrowed until the workspace is freed. graph NULL: there is none, and only a summary
 * that was read before can be shown. */
DGM_API dgm_status dgm_workspace_create(dgm_context *ctx, const dgm_graph *graph,
                                        dgm_workspace **out);
DGM_API void dgm_workspace_free(dgm_workspace *workspace); /* NULL is fine */

/* ---- what goes in ----
 *
 * Everything that is given by a pointer is borrowed until something else takes its place or the
 * workspace is freed; options and texts are copied. */

/* The axes to cut into cells: one row per node of the graph. */
DGM_API dgm_status dgm_workspace_set_axes(dgm_context *ctx, dgm_workspace *workspace,
                                          const dgm_matrix *axes);
/* What a classifier says of the nodes; NULL: nothing. */
DGM_API dgm_status dgm_workspace_set_predictions(dgm_context *ctx, dgm_workspace *workspace,
                                                 const dgm_predictions *predictions);
/* A summary that was made or read before takes the place of the axes. profile NULL: it is made from
 * the graph, if there is one; places NULL: a layout gives them. */
DGM_API dgm_status dgm_workspace_set_summary(dgm_context *ctx, dgm_workspace *workspace,
                                             const dgm_summary *summary, const dgm_profile *profile,
                                             const dgm_places *places);
/* What new summaries say of where they come from. */
DGM_API dgm_status dgm_workspace_set_provenance(dgm_context *ctx, dgm_workspace *workspace,
                                                const dgm_provenance *provenance);

/* The options of a stage. DGM_ERROR_USAGE, and nothing changes, if they are out of their bounds. */

/* What is done to the axes before they are cut into cells, as in dgm_transform_axes: kinds[i] is
 * for axis i, the last goes on for the rest, and a count of 0 leaves them alone. The axes that were
 * set stay as they are: the workspace transforms a copy. */
DGM_API dgm_status dgm_workspace_set_transforms(dgm_context *ctx, dgm_workspace *workspace,
                                                const int *kinds, int count);
DGM_API dgm_status dgm_workspace_set_mapper(dgm_context *ctx, dgm_workspace *workspace,
                                            const dgm_mapper_options *options);
DGM_API dgm_status dgm_workspace_set_layout(dgm_context *ctx, dgm_workspace *workspace,
                                            const dgm_layout_options *options);
DGM_API dgm_status dgm_workspace_set_figure(dgm_context *ctx, dgm_workspace *workspace,
                                            const dgm_figure_options *options);
/* Sets one option of these stages by its name and text, as a page or a program has it. A list such
 * as "log,none" takes the place of the one before. "seed" is that of all stages. */
DGM_API dgm_status dgm_workspace_set(dgm_context *ctx, dgm_workspace *workspace, const char *name,
                                     const char *value);
/* Returns the tables of all options that dgm_workspace_set takes, counted from 0 in the order of
 * help, and NULL after the last. They say names, kinds, bounds, defaults and help. */
DGM_API const dgm_option_table *dgm_workspace_options_at(size_t index);

/* ---- what comes out ----
 *
 * Borrowed: valid until something that it depends on is set. */

/* DGM_ERROR_USAGE if neither axes nor a summary were set. */
DGM_API dgm_status dgm_workspace_summary(dgm_context *ctx, dgm_workspace *workspace,
                                         const dgm_summary **out);
/* *out is NULL where nothing is known of the members: a summary without its graph. */
DGM_API dgm_status dgm_workspace_profile(dgm_context *ctx, dgm_workspace *workspace,
                                         const dgm_profile **out);
/* The summary with its profile and a place for every cluster. */
DGM_API dgm_status dgm_workspace_view(dgm_context *ctx, dgm_workspace *workspace,
                                      const dgm_view **out);

/* When the clusters are given places. */
typedef enum dgm_placing {
    DGM_PLACING_NONE,   /* only where they have places already */
    DGM_PLACING_CHEAP,  /* where a layout costs no more than the summary did; else a note says so */
    DGM_PLACING_ALWAYS, /* a picture needs them */
} dgm_placing;
/* What the format needs: pictures always, tables and DOT never, other data if it is cheap. */
DGM_API dgm_placing dgm_export_placing(dgm_export_format format);
/* All that a file of the summary needs, for dgm_export_write. */
DGM_API dgm_status dgm_workspace_subject(dgm_context *ctx, dgm_workspace *workspace,
                                         dgm_placing placing, dgm_export_subject *out);
/* The summary in a format, part by part as dgm_export_text has them: into memory, freed with
 * dgm_export_text_free, or piece by piece into a sink. */
DGM_API dgm_status dgm_workspace_text(dgm_context *ctx, dgm_workspace *workspace,
                                      dgm_export_format format, int part, char **text,
                                      size_t *length);
DGM_API dgm_status dgm_workspace_write(dgm_context *ctx, dgm_workspace *workspace,
                                       dgm_export_format format, int part, const dgm_sink *sink);

/* ---- letting go ---- */

/* Frees what is kept only to make the next summary quicker, and lets go of the axes. The summary
 * stays, and so does what was made from it. */
DGM_API void dgm_workspace_forget_axes(dgm_workspace *workspace);
/* Gives the summary, its profile and its view away; those that were not made, or that are the
 * caller's, are NULL. A view borrows the other two: they are freed after it. */
DGM_API void dgm_workspace_take(dgm_workspace *workspace, dgm_summary **summary,
                                dgm_profile **profile, dgm_view **view);

#endif
