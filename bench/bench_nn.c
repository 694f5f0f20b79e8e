/* SPDX-License-Identifier: Apache-2.0 */
/* The loops under the neural rooms; one JSON object a line, times the best of RUNS, CPU times over
 * threads beside them: less changed by others on the machine.
 *
 *     bench_nn read [RUNS [THREADS]]                    bandwidth of a sum over 1 GiB, and how long
 *                                                       a number takes from core to core and back
 *     bench_nn csr ROWS XROWS ENTRIES COLUMNS [RUNS [THREADS [VARIANT]]]
 *                                                       random sparse rows times a table, and
 *                                                       SuiteSparse:GraphBLAS where it was found
 *     bench_nn dense ROWS DEPTH COLUMNS [RUNS [THREADS [VARIANT]]]   C = A B, A'B and A B'
 */
#include <math.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#ifdef BENCH_GRAPHBLAS
#include <GraphBLAS.h>
#endif

#include "base_memory.h"
#include "base_parallel.h"
#include "base_random.h"
#include "kernels_kernels.h"

static dgm_context *ctx;

static double clock_seconds(clockid_t clock) {
    struct timespec t;
    clock_gettime(clock, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* Wall time, and CPU time over threads. */
typedef struct {
    double wall, cpu;
} duration;

static duration now(void) {
    return (duration){clock_seconds(CLOCK_MONOTONIC), clock_seconds(CLOCK_PROCESS_CPUTIME_ID)};
}

static void keep_best(duration *best, duration start) {
    duration end = now();
    best->wall = fmin(best->wall, end.wall - start.wall);
    best->cpu = fmin(best->cpu, (end.cpu - start.cpu) / dgm_context_threads(ctx));
}

static void give_up(void) {
    fprintf(stderr, "bench_nn: %s\n", dgm_context_error(ctx));
    exit(1);
}

static void *room(int64_t count, size_t size) {
    void *block = dgmi_alloc(ctx, count > 0 ? count : 1, size);
    if (!block)
        give_up();
    return block;
}

/* ---- reading ---- */

enum { READ_GRAIN = 1 << 20 };
static volatile float sink;

static void read_chunk(void *argument, int64_t chunk, int thread) {
    (void)thread;
    const float *x = (const float *)argument + chunk * READ_GRAIN;
    float sums[64] = {0}, sum = 0;
    for (int64_t i = 0; i < READ_GRAIN; i += 64)
        for (int lane = 0; lane < 64; lane++)
            sums[lane] += x[i + lane];
    for (int lane = 0; lane < 64; lane++)
        sum += sums[lane];
    sink = sum;
}

static const int64_t read_count = (int64_t)256 << 20;

static float *readable(void) {
    float *x = room(read_count, sizeof *x);
    for (int64_t i = 0; i < read_count; i++)
        x[i] = 1;
    return x;
}

static duration time_reading(float *x, int64_t count, int runs) {
    duration best = {INFINITY, INFINITY};
    for (int run = 0; run < runs; run++) {
        duration start = now();
        dgmi_parallel(ctx, count / READ_GRAIN, read_chunk, x);
        keep_best(&best, start);
    }
    return best;
}

static duration measure_reading(int runs) {
    float *x = readable();
    duration best = time_reading(x, read_count, runs);
    dgmi_free(ctx, x);
    double bytes = (double)read_count * sizeof *x;
    return (duration){bytes / best.wall, bytes / best.cpu};
}

/* ---- handing over ---- */

enum { HANDOVERS = 20000, HANDOVER_RUNS = 5 };
static _Alignas(128) _Atomic int handed;

static void *answer(void *argument) {
    for (int i = 0; i < HANDOVERS * HANDOVER_RUNS; i++) {
        while (atomic_load_explicit(&handed, memory_order_acquire) != 2 * i + 1)
            ;
        atomic_store_explicit(&handed, 2 * i + 2, memory_order_release);
    }
    return argument;
}

/* Nanoseconds from one core to the other and back: a virtual machine's cores share a third cache at
 * some times and not at others, and what threads tell each other costs as it is. */
static double measure_handover(void) {
    pthread_t other;
    double best = INFINITY;
    atomic_store(&handed, 0);
    if (pthread_create(&other, NULL, answer, NULL) != 0)
        return NAN;
    for (int run = 0; run < HANDOVER_RUNS; run++) {
        double start = now().wall;
        for (int i = run * HANDOVERS; i < (run + 1) * HANDOVERS; i++) {
            atomic_store_explicit(&handed, 2 * i + 1, memory_order_release);
            while (atomic_load_explicit(&handed, memory_order_acquire) != 2 * i + 2)
                ;
        }
        best = fmin(best, (now().wall - start) / HANDOVERS);
    }
    pthread_join(other, NULL);
    return 1e9 * best;
}

static void bench_reading(int runs) {
    duration speed = measure_reading(runs);
    printf("{\"work\": \"read\", \"threads\": %d, \"gb_s\": %.1f, \"cpu_gb_s\": %.1f, "
           "\"handover_ns\": %.0f}\n",
           dgm_context_threads(ctx), 1e-9 * speed.wall, 1e-9 * speed.cpu, measure_handover());
}

/* ---- sparse rows times a table ---- */

/* On a boundary of 64 bytes, as the tape's are. */
static dgmi_table_tensor random_tensor(int64_t rows, int64_t columns) {
    dgmi_table_tensor t = {rows, columns, dgmi_scratch(ctx, rows * columns, sizeof(float))};
    if (!t.values)
        give_up();
    for (int64_t i = 0; i < rows * columns; i++)
        t.values[i] = (float)((i * 2654435761U >> 7) % 1024) / 1024 - 0.5F;
    return t;
}

static int compare_indices(const void *a, const void *b) {
    uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return (x > y) - (x < y);
}

/* Every entry lies anywhere with the same chance. */
static dgmi_table_csr random_csr(int64_t rows, int64_t columns, int64_t entries) {
    int64_t *offsets = room(rows + 1, sizeof *offsets);
    uint32_t *indices = room(entries, sizeof *indices);
    float *values = room(entries, sizeof *values);
    memset(offsets, 0, (size_t)(rows + 1) * sizeof *offsets);
    for (int64_t e = 0; e < entries; e++) {
        offsets[dgmi_random_below(1, 1, (uint64_t)e, (uint64_t)rows) + 1]++;
        indices[e] = (uint32_t)dgmi_random_below(1, 2, (uint64_t)e, (uint64_t)columns);
        values[e] = (float)dgmi_random_unit(1, 3, (uint64_t)e);
    }
    for (int64_t row = 0; row < rows; row++) {
        offsets[row + 1] += offsets[row];
        qsort(indices + offsets[row], (size_t)(offsets[row + 1] - offsets[row]), sizeof *indices,
              compare_indices);
    }
    return (dgmi_table_csr){rows, columns, offsets, indices, values};
}

static duration time_csr(const dgmi_kernels *kernels, const dgmi_table_csr *a,
                         const dgmi_table_tensor *x, dgmi_table_tensor *y, int runs) {
    duration best = {INFINITY, INFINITY};
    for (int run = 0; run < runs; run++) {
        duration start = now();
        kernels->csr_product(ctx, a, x, false, y);
        keep_best(&best, start);
    }
    return best;
}

#ifdef BENCH_GRAPHBLAS
static void peer_check(GrB_Info info) {
    if (info == GrB_SUCCESS)
        return;
    fprintf(stderr, "bench_nn: GraphBLAS answered %d\n", (int)info);
    exit(1);
}

static GrB_Matrix peer_sparse(const dgmi_table_csr *a) {
    int64_t entries = dgmi_table_csr_entries(a);
    GrB_Index *rows = room(entries, sizeof *rows), *columns = room(entries, sizeof *columns);
    for (int64_t row = 0; row < a->rows; row++)
        for (int64_t e = a->offsets[row]; e < a->offsets[row + 1]; e++) {
            rows[e] = (GrB_Index)row;
            columns[e] = a->indices[e];
        }
    GrB_Matrix matrix;
    peer_check(GrB_Matrix_new(&matrix, GrB_FP32, (GrB_Index)a->rows, (GrB_Index)a->columns));
    peer_check(
        GrB_Matrix_build_FP32(matrix, rows, columns, a->values, (GrB_Index)entries, GrB_PLUS_FP32));
    peer_check(GrB_Matrix_wait(matrix, GrB_MATERIALIZE));
    dgmi_free(ctx, rows);
    dgmi_free(ctx, columns);
    return matrix;
}

static GrB_Matrix peer_full(const dgmi_table_tensor *x) {
    size_t bytes = (size_t)dgmi_table_tensor_count(x) * sizeof(float);
    void *copy = aligned_alloc(64, (bytes + 63) / 64 * 64);
    if (!copy)
        peer_check(GrB_OUT_OF_MEMORY);
    memcpy(copy, x->values, bytes);
    GrB_Matrix matrix;
    peer_check(GrB_Matrix_new(&matrix, GrB_FP32, (GrB_Index)x->rows, (GrB_Index)x->columns));
    peer_check(GxB_Matrix_pack_FullR(matrix, &copy, bytes, false, NULL));
    return matrix;
}

/* Both ways to ask for it: C = AX and C += AX with a full C; the better one counts. */
static duration time_peer(const dgmi_table_csr *a, const dgmi_table_tensor *x, dgmi_table_tensor *y,
                          int runs) {
    peer_check(GrB_init(GrB_NONBLOCKING));
    peer_check(GxB_Global_Option_set(GxB_FORMAT, GxB_BY_ROW));
    peer_check(GxB_Global_Option_set(GxB_NTHREADS, dgm_context_threads(ctx)));
    memset(y->values, 0, (size_t)dgmi_table_tensor_count(y) * sizeof(float));
    GrB_Matrix left = peer_sparse(a), right = peer_full(x), result = peer_full(y);
    duration best = {INFINITY, INFINITY};
    for (int run = 0; run < 2 * runs; run++) {
        duration start = now();
        peer_check(GrB_mxm(result, NULL, run % 2 ? NULL : GrB_PLUS_FP32,
                           GrB_PLUS_TIMES_SEMIRING_FP32, left, right, NULL));
        peer_check(GrB_Matrix_wait(result, GrB_MATERIALIZE));
        keep_best(&best, start);
        if (run % 2) { /* full again */
            GrB_Matrix_free(&result);
            result = peer_full(y);
        }
    }
    GrB_Matrix_free(&left);
    GrB_Matrix_free(&right);
    GrB_Matrix_free(&result);
    GrB_finalize();
    return best;
}
#endif

static int compare_doubles(const void *a, const void *b) {
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* The machine's bandwidth changes from second to second, so every product stands between two sums
 * over its own table, and what counts is the median of its shares of their mean. */
typedef struct {
    duration best;
    double read, share; /* the best bytes a second, the median share */
    double handover[2]; /* before and after */
} csr_result;

enum { LARGE = 8 * READ_GRAIN }; /* numbers of a table that stays in no cache */

static csr_result measure_csr(const dgmi_kernels *kernels, const dgmi_table_csr *a,
                              const dgmi_table_tensor *x, dgmi_table_tensor *y, double model,
                              int runs) {
    csr_result result = {.best = {INFINITY, INFINITY}, .handover[0] = measure_handover()};
    double *shares = room(runs, sizeof *shares);
    int64_t count = dgmi_table_tensor_count(x) / READ_GRAIN * READ_GRAIN;
    float *table = x->values;
    double bytes = (double)count * sizeof *table;
    double before = bytes / time_reading(table, count, 3).wall;
    kernels->csr_product(ctx, a, x, false, y);
    for (int run = 0; run < runs; run++) {
        duration own = time_csr(kernels, a, x, y, 1);
        double after = bytes / time_reading(table, count, 1).wall;
        result.best.wall = fmin(result.best.wall, own.wall);
        result.best.cpu = fmin(result.best.cpu, own.cpu);
        result.read = fmax(result.read, fmax(before, after));
        shares[run] = model / own.wall / ((before + after) / 2);
        before = after;
    }
    qsort(shares, (size_t)runs, sizeof *shares, compare_doubles);
    result.share = shares[runs / 2];
    result.handover[1] = measure_handover();
    dgmi_free(ctx, shares);
    return result;
}

static duration bench_large_csr(const dgmi_kernels *kernels, const dgmi_table_csr *a,
                                const dgmi_table_tensor *x, dgmi_table_tensor *y, int runs) {
    double columns = (double)x->columns;
    double model =
        (double)dgmi_table_csr_entries(a) * (4 * columns + 8) + 4 * columns * (double)y->rows;
    csr_result result = measure_csr(kernels, a, x, y, model, runs);
    printf(", \"model_gb_s\": %.1f, \"read_gb_s\": %.1f, \"share\": %.3f, \"share_of_best\": %.3f, "
           "\"handover_ns\": [%.0f, %.0f]",
           1e-9 * model / result.best.wall, 1e-9 * result.read, result.share,
           model / result.best.wall / result.read, result.handover[0], result.handover[1]);
    return result.best;
}

static void bench_csr(const dgmi_kernels *kernels, const int64_t *size, int runs) {
    dgmi_table_csr a = random_csr(size[0], size[1], size[2]);
    dgmi_table_tensor x = random_tensor(size[1], size[3]), y = random_tensor(size[0], size[3]);
    printf("{\"work\": \"csr\", \"rows\": %lld, \"x_rows\": %lld, \"entries\": %lld, \"columns\": "
           "%lld, \"variant\": \"%s\", \"threads\": %d",
           (long long)size[0], (long long)size[1], (long long)size[2], (long long)size[3],
           kernels->name, dgm_context_threads(ctx));
    duration best = dgmi_table_tensor_count(&x) >= LARGE
                        ? bench_large_csr(kernels, &a, &x, &y, runs)
                        : time_csr(kernels, &a, &x, &y, runs);
    printf(", \"best_ms\": %.4f, \"cpu_ms\": %.4f", 1e3 * best.wall, 1e3 * best.cpu);
#ifdef BENCH_GRAPHBLAS
    duration peer = time_peer(&a, &x, &y, runs < 5 ? runs : 5);
    printf(", \"graphblas_ms\": %.4f, \"graphblas_cpu_ms\": %.4f, \"times_graphblas\": %.2f, "
           "\"times_graphblas_cpu\": %.2f",
           1e3 * peer.wall, 1e3 * peer.cpu, peer.wall / best.wall, peer.cpu / best.cpu);
#endif
    printf("}\n");
}

/* ---- dense products ---- */

static void bench_dense(const dgmi_kernels *kernels, const int64_t *size, int runs) {
    static const char *const kinds[] = {"ab", "a'b", "ab'"};
    for (int kind = 0; kind < 3; kind++) {
        dgmi_hold hold = dgmi_arena_hold(ctx);
        bool ta = kind == 1, tb = kind == 2;
        dgmi_table_tensor a = random_tensor(ta ? size[1] : size[0], ta ? size[0] : size[1]);
        dgmi_table_tensor b = random_tensor(tb ? size[2] : size[1], tb ? size[1] : size[2]);
        dgmi_table_tensor c = random_tensor(size[0], size[2]);
        dgmi_kernels_product product = {ta, tb, false, &a, &b, &c};
        duration best = {INFINITY, INFINITY};
        for (int run = 0; run < runs; run++) {
            duration start = now();
            kernels->product(ctx, &product);
            keep_best(&best, start);
        }
        printf("{\"work\": \"%s\", \"rows\": %lld, \"depth\": %lld, \"columns\": %lld, "
               "\"variant\": \"%s\", \"threads\": %d, \"best_ms\": %.4f, \"gflops\": %.1f}\n",
               kinds[kind], (long long)size[0], (long long)size[1], (long long)size[2],
               kernels->name, dgm_context_threads(ctx), 1e3 * best.wall,
               2e-9 * (double)(size[0] * size[1] * size[2]) / best.wall);
        dgmi_arena_release(ctx, hold);
    }
}

int main(int argc, char **argv) {
    const char *work = argc > 1 ? argv[1] : "";
    int sizes = strcmp(work, "csr") == 0 ? 4 : strcmp(work, "dense") == 0 ? 3 : 0;
    if (argc < 2 + sizes || (sizes == 0 && strcmp(work, "read") != 0)) {
        fprintf(stderr, "usage: bench_nn read|csr ROWS XROWS ENTRIES COLUMNS|dense ROWS DEPTH "
                        "COLUMNS [RUNS [THREADS [VARIANT]]]\n");
        return 2;
    }
    int64_t size[4] = {0};
    for (int i = 0; i < sizes; i++)
        size[i] = atoll(argv[2 + i]);
    char **options = argv + 2 + sizes;
    int count = argc - 2 - sizes, runs = count > 0 ? atoi(options[0]) : 5;
    const dgmi_kernels *kernels = dgmi_kernels_find(count > 2 ? options[2] : NULL);
    if (!kernels || dgm_context_create(NULL, &ctx) != DGM_OK)
        return 1;
    dgm_context_set_threads(ctx, count > 1 ? atoi(options[1]) : 0);
    if (sizes == 4)
        bench_csr(kernels, size, runs);
    else if (sizes == 3)
        bench_dense(kernels, size, runs);
    else
        bench_reading(runs);
    dgm_context_free(ctx);
    return 0;
}
