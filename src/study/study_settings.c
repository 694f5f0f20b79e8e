/* SPDX-License-Identifier: Apache-2.0 */
#include "study_settings.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* ---- lenses ---- */

/* Two eigenvectors of the random walk on ranks showed the shape of every graph that was tried. */
#define WALK "eigen:k=2,laplacian=rw,outside=large"
/* In a small graph cells of two axes are soon too small for clusters that can be seen. */
#define LINE "eigen:k=1,laplacian=rw,outside=large"

/* What the density of all nodes costs: a search from each. */
#define SEARCHES 2e9

int dgmi_study_list_looks(int64_t nodes, int64_t edges, bool transformed,
                          const dgm_study_options *options, dgmi_study_look *out) {
    const char *rank = transformed ? NULL : "rank", *log = transformed ? NULL : "log";
    int count = 0;
    if (!(options->open & DGM_OPEN_LENS)) {
        out[count++] = (dgmi_study_look){NULL, NULL};
        return count;
    }
    if (nodes > 3 && edges > 0)
        out[count++] = (dgmi_study_look){WALK, rank};
    if (nodes > 3 && nodes < DGMI_STUDY_SMALL && edges > 0)
        out[count++] = (dgmi_study_look){LINE, rank};
    if ((double)nodes * (double)edges <= SEARCHES)
        out[count++] = (dgmi_study_look){"density", rank};
    out[count++] = (dgmi_study_look){"pagerank", rank};
    if (log)
        out[count++] = (dgmi_study_look){"pagerank", log};
    if (options->trained)
        out[count++] = (dgmi_study_look){"dgi", NULL};
    return count;
}

/* ---- covers ---- */

typedef struct cover_list {
    dgmi_study_cover *covers;
    int count, most;
} cover_list;

static void add_cover(cover_list *list, const char *text, int64_t intervals, double overlap) {
    if (list->count == list->most)
        return;
    dgmi_study_cover *cover = &list->covers[list->count++];
    snprintf(cover->text, sizeof cover->text, "%s", text);
    cover->intervals = intervals;
    cover->overlap = overlap;
}

/* Numbers of intervals an axis, up to a 0. Cells grow with the power of the axes. */
static const int64_t *list_intervals(int64_t axes) {
    static const int64_t one[] = {4, 6, 8, 10, 12, 16, 20, 25, 30, 40, 0};
    static const int64_t two[] = {2, 3, 4, 5, 6, 7, 8, 10, 12, 0};
    static const int64_t three[] = {2, 3, 4, 5, 6, 0};
    static const int64_t more[] = {2, 3, 0};
    return axes == 1 ? one : axes == 2 ? two : axes == 3 ? three : more;
}

/* Overlaps from the one that fits most graphs to those that seldom do. The last ones are for small
 * graphs, where a node more or less makes a cluster dust. */
static const double overlaps[] = {0.4, 0.3, 0.5, 0.35, 0.45, 0.6};
enum { OVERLAPS = 3, SMALL_OVERLAPS = sizeof overlaps / sizeof *overlaps };

/* Every number of intervals with one overlap; the job's own number where it is not open. */
static void add_row(cover_list *list, const char *text, int64_t axes, unsigned open,
                    double overlap) {
    if (!(open & DGM_OPEN_INTERVALS)) {
        add_cover(list, text, 0, overlap);
        return;
    }
    for (const int64_t *intervals = list_intervals(axes); *intervals; intervals++)
        add_cover(list, text, *intervals, overlap);
}

static void add_grid(cover_list *list, int64_t nodes, const char *text, int64_t axes,
                     unsigned open) {
    int count = nodes < DGMI_STUDY_SMALL ? SMALL_OVERLAPS : OVERLAPS;
    if (!(open & DGM_OPEN_OVERLAP))
        add_row(list, text, axes, open, DGM_SAME);
    for (int g = 0; (open & DGM_OPEN_OVERLAP) && g < count; g++)
        add_row(list, text, axes, open, overlaps[g]);
}

/* Boxes that are cut while they hold more than a share of the nodes: on ranks they differ from the
 * grid where two axes go together. */
static void add_boxes(cover_list *list, int64_t nodes) {
    enum { LEAST = 10 };
    static const int64_t parts[] = {8, 16, 32};
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) {
        char text[DGMI_STUDY_COVER_TEXT];
        snprintf(text, sizeof text, "adaptive:size=%lld", (long long)(nodes / parts[i]));
        if (nodes / parts[i] >= LEAST)
            add_cover(list, text, 0, overlaps[0]);
    }
}

/* Maps cost about the edges each, times the cells that a node lies in. */
#define WORK 4e7

int dgmi_study_list_covers(int64_t nodes, int64_t edges, int64_t axes,
                           const dgm_study_options *options, dgmi_study_cover *out) {
    double each = 3 * ((double)nodes + (double)edges) + 1;
    double most = WORK / each;
    cover_list list = {out, 0,
                       most < 6                   ? 6
                       : most > DGMI_STUDY_COVERS ? DGMI_STUDY_COVERS
                                                  : (int)most};
    add_grid(&list, nodes, "", axes, options->open);
    if ((options->open & DGM_OPEN_COVER) && (options->open & DGM_OPEN_OVERLAP))
        add_boxes(&list, nodes);
    return list.count;
}

void dgmi_study_refine_covers(dgmi_study_cover *covers, int count, int64_t nodes, int64_t judged) {
    for (int i = 0; judged > 0 && i < count; i++)
        covers[i].intervals =
            (int64_t)ceil((double)covers[i].intervals * (double)nodes / (double)judged);
}
