/* SPDX-License-Identifier: Apache-2.0 */
#include "study_settings.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define COUNT(array) ((int)(sizeof(array) / sizeof *(array)))

/* ---- lenses ---- */

/* Communities at several resolutions, from many nodes each to few, and centres of features. */
static const dgmi_study_look communities[] = {
    {"communities", NULL, true, NULL},
    {"communities:resolution=4", NULL, true, NULL},
    {"communities:resolution=2", NULL, true, NULL},
    {"communities:resolution=0.5", NULL, true, NULL},
    {"communities:resolution=16", NULL, true, NULL},
};
static const dgmi_study_look centres[] = {
    {"features", NULL, true, NULL},
    {"features:k=30", NULL, true, NULL},
    {"features:k=8", NULL, true, NULL},
};
/* Where intervals, an overlap, a transform or a cover are given, the lens is to have numbers that
 * neighbours have in common. */
static const dgmi_study_look walk = {"eigen:k=2,laplacian=rw,outside=large", "rank", false, NULL};
/* Its numbers are above 0, as some transforms need them. */
static const dgmi_study_look surf = {"pagerank", NULL, false, NULL};
/* A network has both. */
static const dgmi_study_look trained_parts = {"dgi", NULL, true, "centres"};
static const dgmi_study_look trained = {"dgi", NULL, false, NULL};

/* How many edges all partitions may look at. */
#define SPENT 2e6

static int add_looks(const dgmi_study_look *looks, int all, double most, dgmi_study_look *out) {
    int count = most < 1 ? 1 : most < all ? (int)most : all;
    memcpy(out, looks, (size_t)count * sizeof *out);
    return count;
}

int dgmi_study_list_looks(const dgm_graph *graph, bool transformed,
                          const dgm_study_options *options, dgmi_study_look *out) {
    const unsigned cells = DGM_OPEN_COVER | DGM_OPEN_INTERVALS | DGM_OPEN_OVERLAP;
    double most = SPENT / ((double)dgm_graph_nodes(graph) + (double)dgm_graph_edges(graph) + 1);
    int count = 0;
    if (!(options->open & DGM_OPEN_LENS)) {
        out[0] = (dgmi_study_look){NULL, NULL, false, NULL};
        return 1;
    }
    bool numbers = (options->open & cells) != cells || transformed;
    if (numbers) {
        count += add_looks(&walk, 1, 1, out);
        out[0].transform = transformed ? NULL : walk.transform;
        count += transformed ? add_looks(&surf, 1, 1, out + count) : 0;
    } else {
        count += add_looks(communities, COUNT(communities), most, out);
        if (dgm_graph_get_features(graph).width > 0)
            count += add_looks(centres, COUNT(centres), most, out + count);
    }
    if (options->trained)
        count += add_looks(numbers ? &trained : &trained_parts, 1, 1, out + count);
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
    cover->structural = false;
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

int dgmi_study_list_parts(const dgm_job *job, const dgm_study_options *options, bool is_long,
                          dgmi_study_cover *out) {
    cover_list list = {out, 0, DGMI_STUDY_COVERS};
    add_cover(&list, "parts:share=0.3", 0, DGM_SAME);
    if (is_long) {
        add_cover(&list, "parts:share=0.2", 0, DGM_SAME);
        add_cover(&list, "parts:share=0.1", 0, DGM_SAME);
    }
    if ((options->open & DGM_OPEN_PIECES) && job->mapper.edges == DGM_EDGES_NERVE) {
        add_cover(&list, "parts:share=0.3", 0, DGM_SAME);
        out[list.count - 1].structural = true;
    }
    return list.count;
}

void dgmi_study_refine_covers(dgmi_study_cover *covers, int count, int64_t nodes, int64_t judged) {
    for (int i = 0; judged > 0 && i < count; i++)
        covers[i].intervals =
            (int64_t)ceil((double)covers[i].intervals * (double)nodes / (double)judged);
}
