/* SPDX-License-Identifier: Apache-2.0 */
/* Dropout: the same for every variant and number of threads, and as coins fall. */
#include "kernels_sample.h"

static float *mask(const dgmi_kernels *kernels, float p, uint64_t seed, uint64_t stream,
                   int64_t count) {
    float *ones = malloc((size_t)count * sizeof *ones), *y = malloc((size_t)count * sizeof *y);
    assert_true(ones && y);
    for (int64_t i = 0; i < count; i++)
        ones[i] = 1;
    kernels->dropout(ctx, p, seed, stream, count, ones, false, y);
    free(ones);
    return y;
}

static void every_variant_and_number_of_threads_drops_the_same(void **state) {
    (void)state;
    enum { SIZE = 100001 };
    float *x = make_floats(SIZE, 1), *into = make_floats(SIZE, 2), *drawn = NULL;
    FOR_EACH_VARIANT(kernels) for (int t = 0; t < COUNT(thread_counts); t++) {
        dgm_context_set_threads(ctx, thread_counts[t]);
        float *m = mask(kernels, 0.3F, 11, 12, SIZE);
        if (!drawn)
            drawn = copy_floats(SIZE, m);
        assert_same_bytes(SIZE, drawn, m);
        for (int add = 0; add < 2; add++) {
            float *y = copy_floats(SIZE, into);
            kernels->dropout(ctx, 0.3F, 11, 12, SIZE, x, add, y);
            for (int i = 0; i < SIZE; i++)
                assert_close(y[i], (add ? into[i] : 0) + (double)x[i] * (double)m[i], 4);
            free(y);
        }
        free(m);
    }
    free(drawn);
    free(x);
    free(into);
}

static void dropping_nothing_or_everything_is_exact(void **state) {
    (void)state;
    FOR_EACH_VARIANT(kernels) {
        float x[37], y[37];
        for (int i = 0; i < 37; i++)
            x[i] = i == 3 ? INFINITY : (float)i;
        kernels->dropout(ctx, 0, 1, 2, 37, x, false, y);
        assert_memory_equal(x, y, sizeof x);
        kernels->dropout(ctx, 1, 1, 2, 37, x, false, y);
        for (int i = 0; i < 37; i++)
            assert_true(y[i] == 0);
    }
}

/* The correlation of two masks of chance 1 - p; about +-1 / sqrt(count) by chance. */
static double correlation(float p, int64_t count, const float *a, const float *b) {
    double keep = 1 - (double)p, sum = 0;
    for (int64_t i = 0; i < count; i++)
        sum += ((a[i] > 0) - keep) * ((b[i] > 0) - keep);
    return sum / ((double)count * keep * (1 - keep));
}

static void dropout_looks_like_independent_coins(void **state) {
    (void)state;
    enum { SIZE = 1 << 18 };
    const double five = 5 / sqrt(SIZE); /* standard deviations */
    const dgmi_kernels *kernels = dgmi_kernels_find(NULL);
    for (int chance = 0; chance < 3; chance++) {
        float p = (const float[]){0.5F, 0.1F, 0.6F}[chance];
        float *a = mask(kernels, p, 1, 1, SIZE + 64);
        double mean = 0;
        for (int i = 0; i < SIZE; i++)
            mean += a[i];
        assert_near(mean / SIZE, 1, five * sqrt((double)p / (1 - (double)p)));
        for (int lag = 1; lag <= 64; lag++)
            assert_near(correlation(p, SIZE, a, a + lag), 0, five);
        for (uint64_t other = 0; other < 20; other++) {
            float *b = mask(kernels, p, 1, other + 2, SIZE);
            float *c = mask(kernels, p, other + 2, 1, SIZE);
            assert_near(correlation(p, SIZE, a, b), 0, five);
            assert_near(correlation(p, SIZE, a, c), 0, five);
            assert_near(correlation(p, SIZE - 1, b, c + 1), 0, five);
            free(b);
            free(c);
        }
        free(a);
    }
}

/* Counts of kept among 64 in a row have the variance of coins, also along columns of 16. */
static void dropout_varies_as_coins_do(void **state) {
    (void)state;
    enum { GROUPS = 1 << 13 };
    const dgmi_kernels *kernels = dgmi_kernels_find(NULL);
    float *a = mask(kernels, 0.5F, 5, 6, (int64_t)GROUPS * 64);
    for (int along = 0; along < 2; along++) {
        double squares = 0;
        for (int g = 0; g < GROUPS; g++) {
            int64_t start = along ? (int64_t)(g / 16) * 1024 + g % 16 : (int64_t)g * 64;
            int kept = 0;
            for (int64_t i = 0; i < 64; i++)
                kept += a[start + i * (along ? 16 : 1)] > 0;
            squares += (kept - 32.0) * (kept - 32.0);
        }
        assert_near(squares / GROUPS, 16, 16 * 5 * sqrt(2.0 / GROUPS));
    }
    free(a);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_variant_and_number_of_threads_drops_the_same),
        cmocka_unit_test(dropping_nothing_or_everything_is_exact),
        cmocka_unit_test(dropout_looks_like_independent_coins),
        cmocka_unit_test(dropout_varies_as_coins_do),
    };
    return RUN_WITH_CONTEXT(tests);
}
