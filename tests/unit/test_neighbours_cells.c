/* SPDX-License-Identifier: Apache-2.0 */
/* The search in near cells against a twin with plain loops: the same centres, the same cells, and
 * in each list the best of all points of the cells that are met. */
#include "unit_fixture.h"

#include <math.h>
#include <stdlib.h>

#include "base_random.h"
#include "neighbours_neighbours.h"

enum { LLOYD = 5, PER_CENTRE = 64, TILE = 128, SAMPLED = 32, FIRST = 4, START = 8 };

typedef struct {
    dgm_knn_options options;
    int64_t count, dim, cells, tiles;
    const float *points;
    float *centres;  /* cells x dim */
    int64_t *cell;   /* of each point */
    int64_t *order;  /* cells x cells: the others by distance, itself first */
    uint32_t *queue; /* points, cell by cell */
    int64_t *sizes;  /* of cells */
    int64_t *begins; /* of tiles, and behind the last */
} twin;

static double distance_between(const twin *t, const float *a, const float *b) {
    double square = 0, dot = 0, aa = 0, bb = 0;
    for (int64_t c = 0; c < t->dim; c++) {
        square += ((double)a[c] - b[c]) * ((double)a[c] - b[c]);
        dot += (double)a[c] * b[c];
        aa += (double)a[c] * a[c];
        bb += (double)b[c] * b[c];
    }
    return t->options.metric == DGM_METRIC_L2 ? sqrt(square) : 1 - dot / sqrt(aa * bb);
}

static const float *point(const twin *t, int64_t i) {
    return t->points + i * t->dim;
}

static int64_t nearest_centre(const twin *t, const float *x) {
    int64_t best = 0;
    double least = INFINITY;
    for (int64_t c = 0; c < t->cells; c++) {
        double distance = distance_between(t, x, t->centres + c * t->dim);
        best = distance < least ? c : best;
        least = distance < least ? distance : least;
    }
    return best;
}

/* One of each of `wanted` stretches of points. */
static int64_t pick(const twin *t, int64_t i, int64_t wanted, uint64_t stream) {
    int64_t begin = i * t->count / wanted, end = (i + 1) * t->count / wanted;
    return begin + (int64_t)dgmi_random_below((uint64_t)t->options.seed, stream, (uint64_t)i,
                                              (uint64_t)(end - begin));
}

static void find_centres(twin *t) {
    int64_t dim = t->dim;
    int64_t wanted = t->cells * PER_CENTRE < t->count ? t->cells * PER_CENTRE : t->count;
    for (int64_t c = 0; c < t->cells; c++)
        memcpy(t->centres + c * dim, point(t, pick(t, c, t->cells, 1)),
               (size_t)dim * sizeof(float));
    for (int round = 0; round < LLOYD; round++) {
        double *sums = calloc((size_t)(t->cells * (dim + 1)), sizeof *sums);
        for (int64_t i = 0; i < wanted; i++) {
            const float *x = point(t, pick(t, i, wanted, 2));
            double *sum = sums + nearest_centre(t, x) * (dim + 1);
            sum[dim]++;
            for (int64_t c = 0; c < dim; c++)
                sum[c] += x[c];
        }
        for (int64_t i = 0; i < t->cells * dim; i++)
            if (sums[i / dim * (dim + 1) + dim] > 0)
                t->centres[i] =
                    (float)(sums[i / dim * (dim + 1) + i % dim] / sums[i / dim * (dim + 1) + dim]);
        free(sums);
    }
}

static void fill_cells(twin *t) {
    int64_t next = 0, n = t->cells;
    for (int64_t i = 0; i < t->count; i++)
        t->cell[i] = nearest_centre(t, point(t, i));
    for (int64_t c = 0; c < n; c++) {
        int64_t first = next;
        for (int64_t i = 0; i < t->count; i++)
            if (t->cell[i] == c)
                t->queue[next++] = (uint32_t)i;
        t->sizes[c] = next - first;
        for (int64_t at = first; at < next; at += TILE)
            t->begins[t->tiles++] = at;
    }
    t->begins[t->tiles] = t->count;
    for (int64_t i = 0; i < n * n; i++) { /* each other cell where it belongs among those before */
        int64_t c = i / n, other = i % n, place = other;
        const float *x = t->centres + c * t->dim;
        int64_t *row = t->order + c * n;
        double far = other == c ? -1 : distance_between(t, x, t->centres + other * t->dim);
        for (; place > 0; place--) {
            double before = row[place - 1] == c
                                ? -1
                                : distance_between(t, x, t->centres + row[place - 1] * t->dim);
            if (before <= far)
                break;
            row[place] = row[place - 1];
        }
        row[place] = other;
    }
}

/* The k best of the cells that a point's cell meets, -1 and infinitely far where there are fewer.
 * `probes`: how many cells beside its own. */
static void search(const twin *t, int64_t i, int64_t probes, int64_t *found, double *far) {
    int64_t k = t->options.k;
    bool *met = calloc((size_t)t->cells, sizeof *met);
    for (int64_t j = 0; j < t->cells; j++)
        met[t->order[t->cell[i] * t->cells + j]] = j <= probes;
    for (int64_t j = 0; j < k; j++) {
        found[j] = -1;
        far[j] = INFINITY;
    }
    for (int64_t j = 0; j < t->count; j++) {
        int64_t place = k;
        if (j == i || !met[t->cell[j]])
            continue;
        double distance = distance_between(t, point(t, i), point(t, j));
        while (place > 0 && far[place - 1] > distance)
            place--;
        if (place == k)
            continue;
        memmove(found + place + 1, found + place, (size_t)(k - 1 - place) * sizeof *found);
        memmove(far + place + 1, far + place, (size_t)(k - 1 - place) * sizeof *far);
        found[place] = j;
        far[place] = distance;
    }
    free(met);
}

/* 32 tiles, evenly spread, and the first 32 points of each. */
static double measure_recall(const twin *t, int64_t probes) {
    int64_t k = t->options.k, sampled = t->tiles < SAMPLED ? t->tiles : SAMPLED;
    int64_t hits = 0, wanted = 0;
    int64_t *found = calloc((size_t)k, sizeof *found);
    double *far = calloc((size_t)k, sizeof *far);
    for (int64_t s = 0; s < sampled; s++) {
        int64_t tile = s * t->tiles / sampled, begin = t->begins[tile];
        for (int64_t at = begin; at < t->begins[tile + 1] && at < begin + SAMPLED; at++) {
            search(t, t->queue[at], t->cells, found, far);
            float reached = (float)far[k - 1];
            search(t, t->queue[at], probes, found, far);
            for (int64_t j = 0; j < k; j++)
                hits += (float)far[j] <= reached;
            wanted += k;
        }
    }
    free(found);
    free(far);
    return (double)hits / (double)wanted;
}

/* Whether the points of each cell meet more than k points, themselves included. */
static bool is_enough(const twin *t, int64_t probes, int64_t k) {
    for (int64_t c = 0; c < t->cells; c++) {
        int64_t met = 0;
        for (int64_t j = 0; j < t->cells && j <= probes; j++)
            met += t->sizes[t->order[c * t->cells + j]];
        if (t->sizes[c] > 0 && met <= k)
            return false;
    }
    return true;
}

static void open_twin(twin *t, const float *points, int64_t count, int64_t dim,
                      dgm_knn_options options) {
    *t = (twin){.options = options, .points = points, .count = count, .dim = dim};
    t->cells = (int64_t)ceil(sqrt((double)count));
    t->centres = calloc((size_t)(t->cells * dim), sizeof *t->centres);
    t->cell = calloc((size_t)count, sizeof *t->cell);
    t->order = calloc((size_t)(t->cells * t->cells), sizeof *t->order);
    t->queue = calloc((size_t)count, sizeof *t->queue);
    t->sizes = calloc((size_t)t->cells, sizeof *t->sizes);
    t->begins = calloc((size_t)(t->cells + count / TILE + 2), sizeof *t->begins);
    find_centres(t);
    fill_cells(t);
}

static void close_twin(twin *t) {
    free(t->centres);
    free(t->cell);
    free(t->order);
    free(t->queue);
    free(t->sizes);
    free(t->begins);
}

/* Cells are met twice as often until that is enough: by the recall for a search in cells, by what a
 * list needs for the start of a descent. */
static int64_t probes_of(const twin *t, double *recall) {
    int64_t probes = FIRST, known = t->cells - 1;
    if (t->options.method == DGM_KNN_DESCENT) {
        int64_t width = t->options.k > 40 ? t->options.k : 40;
        for (probes = START; !is_enough(t, probes, width) && probes < known;)
            probes *= 2;
        *recall = measure_recall(t, probes);
        return probes;
    }
    for (;; probes *= 2) {
        *recall = measure_recall(t, probes);
        bool enough = *recall >= t->options.recall && is_enough(t, probes, t->options.k);
        if (enough || probes >= known)
            return probes;
    }
}

static void assert_lists(const twin *t, const dgm_neighbours *lists, int64_t probes) {
    int64_t k = t->options.k;
    int64_t *found = calloc((size_t)k, sizeof *found);
    double *far = calloc((size_t)k, sizeof *far);
    for (int64_t i = 0; i < t->count; i++) {
        search(t, i, probes, found, far);
        for (int64_t j = 0; j < k; j++) {
            assert_int_equal(dgm_neighbours_indices(lists)[i * k + j], found[j]);
            assert_near(dgm_neighbours_distances(lists)[i * k + j], far[j], 1e-6);
        }
    }
    free(found);
    free(far);
}

static void points_meet_those_of_the_nearest_cells(void **state) {
    (void)state;
    static const struct {
        int64_t count, dim, k;
        int metric, method;
        double recall;
    } cases[] = {
        {4500, 3, 4, DGM_METRIC_L2, DGM_KNN_CELLS, 0.8},
        {1000, 6, 5, DGM_METRIC_L2, DGM_KNN_CELLS, 0.1},
        {1000, 6, 5, DGM_METRIC_L2, DGM_KNN_CELLS, 0.9},
        {1000, 6, 5, DGM_METRIC_COSINE, DGM_KNN_CELLS, 0.9},
        {1000, 6, 5, DGM_METRIC_L2, DGM_KNN_CELLS, 1},
        {900, 6, 200, DGM_METRIC_L2, DGM_KNN_CELLS, 0.1},
        {1000, 6, 7, DGM_METRIC_L2, DGM_KNN_DESCENT, 0.1},
        {900, 6, 7, DGM_METRIC_COSINE, DGM_KNN_DESCENT, 0.1},
        {600, 4, 210, DGM_METRIC_L2, DGM_KNN_DESCENT, 0.1},
    };
    for (int64_t c = 0; c < COUNT(cases); c++) {
        int64_t count = cases[c].count, dim = cases[c].dim;
        dgm_knn_options options = DGM_KNN_OPTIONS_INIT;
        float *points = calloc((size_t)(count * dim), sizeof *points);
        dgm_neighbours *lists;
        twin t;
        for (int64_t i = 0; i < count * dim; i++)
            points[i] = (float)dgmi_random_unit((uint64_t)c, 3, (uint64_t)i);
        options.k = cases[c].k;
        options.metric = cases[c].metric;
        options.method = cases[c].method;
        options.recall = cases[c].recall;
        options.seed = 5 + c;
        open_twin(&t, points, count, dim, options);
        double recall;
        int64_t probes = probes_of(&t, &recall);
        assert_int_equal(dgm_knn(ctx, points, count, dim, &options, &lists), DGM_OK);
        assert_lists(&t, lists, probes);
        assert_true(dgm_neighbours_recall(lists) == recall);
        dgm_neighbours_free(lists);
        close_twin(&t);
        free(points);
    }
}

/* ---- cells or a descent ---- */

static int64_t trials;

/* Cells are made; then what is true is found, for which `trials` becomes 0; then each number of cells
 * is tried; and then the search knows how far it has come. */
static bool stop_behind_the_trials(void *user, const char *stage, double fraction) {
    (void)user;
    (void)stage;
    trials += fraction < 0;
    return fraction < 0 || trials < 0;
}

/* A descent is as quick as meeting 600 (k + 45) points. Cells are tried as long as that is more: of
 * 133 points each, with 257 of them for k = 12, and not of 152 each, with 257 of them for k = 20.
 * In so many dimensions nothing less finds everybody. */
static void cells_are_tried_up_to_what_a_descent_costs(void **state) {
    (void)state;
    static const struct { int64_t count, k, trials; } cases[] = {{17689, 12, 7}, {23104, 20, 6}};
    enum { DIM = 20 };
    for (int64_t c = 0; c < COUNT(cases); c++) {
        float *points = calloc((size_t)(cases[c].count * DIM), sizeof *points);
        dgm_knn_options options = DGM_KNN_OPTIONS_INIT;
        dgm_neighbours *lists;
        for (int64_t i = 0; i < cases[c].count * DIM; i++)
            points[i] = (float)dgmi_random_unit(4, 5, (uint64_t)i);
        options.k = cases[c].k;
        options.recall = 1;
        options.method = DGM_KNN_APPROXIMATE;
        trials = -1; /* the truth is no trial */
        dgm_context_set_progress(ctx, stop_behind_the_trials, NULL);
        assert_int_equal(dgm_knn(ctx, points, cases[c].count, DIM, &options, &lists),
                         DGM_ERROR_CANCELLED);
        dgm_context_set_progress(ctx, NULL, NULL);
        dgm_context_resume(ctx);
        assert_int_equal(trials, cases[c].trials);
        free(points);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(points_meet_those_of_the_nearest_cells),
        cmocka_unit_test(cells_are_tried_up_to_what_a_descent_costs),
    };
    return RUN_WITH_CONTEXT(tests);
}
