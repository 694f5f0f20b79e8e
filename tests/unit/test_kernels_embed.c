/* SPDX-License-Identifier: Apache-2.0 */
/* Forces under the Cauchy kernel, of every instruction set that this processor runs. */
#include "unit_fixture.h"

#include <math.h>
#include <stdlib.h>

#include "base_random.h"
#include "kernels_embed.h"

static const char *const variants[] = {"plain", "avx2", "avx512"};

static dgmi_kernels_embedding make(int dim, int64_t count, uint64_t seed) {
    dgmi_kernels_embedding y = {.dim = dim, .count = count};
    int64_t padded = dgmi_kernels_embed_padded(count);
    for (int a = 0; a < dim; a++) {
        y.axis[a] = malloc((size_t)padded * sizeof(float));
        for (int64_t i = 0; i < padded; i++)
            y.axis[a][i] = i < count
                               ? (float)(20 * dgmi_random_unit(seed, (uint64_t)a, (uint64_t)i))
                               : DGMI_KERNELS_EMBED_FAR;
    }
    return y;
}

static void discard(dgmi_kernels_embedding *y) {
    for (int a = 0; a < y->dim; a++)
        free(y->axis[a]);
}

static double square_between(const dgmi_kernels_embedding *p, int64_t i,
                             const dgmi_kernels_embedding *q, int64_t j, double *d) {
    double square = 0;
    for (int a = 0; a < p->dim; a++) {
        d[a] = (double)p->axis[a][i] - (double)q->axis[a][j];
        square += d[a] * d[a];
    }
    return square;
}

static void assert_close(double actual, double wanted, double scale) {
    assert_near(actual, wanted, 2e-4 * scale + 1e-12);
}

static void check_repulsion(const dgmi_kernels_embed_table *kernels, int dim, int64_t sources,
                            int64_t queries) {
    dgmi_kernels_embedding s = make(dim, sources, 1), q = make(dim, queries, 2),
                           f = make(dim, queries, 3);
    float *sums = malloc((size_t)queries * sizeof *sums);
    int64_t begin = queries > 2 ? 1 : 0; /* a part of the queries; others stay as they are */
    float kept = f.axis[0][0];
    kernels->repel(&s, &q, begin, queries, f.axis, sums);
    for (int64_t i = begin; i < queries; i++) {
        double sum = 0, force[3] = {0}, size = 0, d[3];
        for (int64_t j = 0; j < sources; j++) {
            double w = 1 / (1 + square_between(&q, i, &s, j, d));
            sum += w;
            for (int a = 0; a < dim; a++) {
                force[a] += w * w * d[a];
                size += fabs(w * w * d[a]);
            }
        }
        assert_close((double)sums[i], sum, sum);
        for (int a = 0; a < dim; a++)
            assert_close((double)f.axis[a][i], force[a], size);
    }
    if (begin)
        assert_true(f.axis[0][0] == kept);
    free(sums);
    discard(&s);
    discard(&q);
    discard(&f);
}

static void every_pair_repels(void **state) {
    (void)state;
    static const int64_t shapes[][2] = {{1, 1}, {2, 3}, {17, 5}, {100, 64}, {2500, 9}, {4096, 7}};
    for (int v = 0; v < 3; v++) {
        const dgmi_kernels_embed_table *kernels = dgmi_kernels_embed_find(variants[v]);
        for (int dim = 1; kernels && dim <= 3; dim++)
            for (int64_t s = 0; s < COUNT(shapes); s++)
                check_repulsion(kernels, dim, shapes[s][0], shapes[s][1]);
    }
}

/* Row i has i links, from none to three blocks and a rest. */
static void check_attraction(const dgmi_kernels_embed_table *kernels, int dim) {
    enum { ROWS = 52, TARGETS = 70, LINKS = ROWS * (ROWS - 1) / 2 };
    dgmi_kernels_embedding t = make(dim, TARGETS, 4), q = make(dim, ROWS, 5),
                           f = make(dim, ROWS, 6);
    int64_t offsets[ROWS + 1] = {0};
    static uint32_t columns[LINKS];
    static float p[LINKS], logs[ROWS];
    for (int64_t i = 0; i < ROWS; i++)
        offsets[i + 1] = offsets[i] + i;
    for (int64_t e = 0; e < LINKS; e++) {
        columns[e] = (uint32_t)dgmi_random_below(7, 1, (uint64_t)e, TARGETS);
        p[e] = (float)dgmi_random_unit(7, 2, (uint64_t)e);
    }
    dgmi_kernels_embed_links links = {offsets, columns, p};
    for (int with_logs = 0; with_logs < 2; with_logs++) {
        kernels->attract(&t, &q, &links, 0, ROWS, f.axis, with_logs ? logs : NULL);
        for (int64_t i = 0; i < ROWS; i++) {
            double log_sum = 0, force[3] = {0}, size = 0, d[3];
            for (int64_t e = offsets[i]; e < offsets[i + 1]; e++) {
                double square = square_between(&q, i, &t, columns[e], d);
                log_sum += (double)p[e] * log(1 + square);
                for (int a = 0; a < dim; a++) {
                    force[a] += (double)p[e] / (1 + square) * d[a];
                    size += fabs((double)p[e] / (1 + square) * d[a]);
                }
            }
            for (int a = 0; a < dim; a++)
                assert_close((double)f.axis[a][i], force[a], size);
            if (with_logs)
                assert_near((double)logs[i], log_sum, 1e-5 * log_sum + 1e-12);
        }
    }
    discard(&t);
    discard(&q);
    discard(&f);
}

static void linked_points_attract(void **state) {
    (void)state;
    for (int v = 0; v < 3; v++) {
        const dgmi_kernels_embed_table *kernels = dgmi_kernels_embed_find(variants[v]);
        for (int dim = 1; kernels && dim <= 3; dim++)
            check_attraction(kernels, dim);
    }
}

static void the_plain_kernels_run_everywhere(void **state) {
    (void)state;
    assert_non_null(dgmi_kernels_embed_find("plain"));
    assert_non_null(dgmi_kernels_embed_find(NULL));
    assert_null(dgmi_kernels_embed_find("abacus"));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_pair_repels),
        cmocka_unit_test(linked_points_attract),
        cmocka_unit_test(the_plain_kernels_run_everywhere),
    };
    return RUN_WITH_CONTEXT(tests);
}
