/* SPDX-License-Identifier: Apache-2.0 */
/* Classifications in which the k-th allocation fails, for a method of every family, with a file of
 * finished folds and a result to compare with: never a crash, a leak or a half file. A run that
 * survives gives the result of one that nobody disturbed. By default some k are tried, chosen by
 * DGM_TEST_SEED; with DGM_TEST_LONG all of them. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

#include "dgm/dgm.h"

#include "../check_memory.h"

enum { PATH_SPACE = 96, SHORT_RUNS = 60 };

static char root[] = "/tmp/dgm-classify-XXXXXX";
static char folder[PATH_SPACE], checkpoint[PATH_SPACE], other[PATH_SPACE];

/* Six graphs of at most four nodes: paths and a triangle; the last one has no edges. */
static const struct {
    const char *name, *text;
} files[] = {
    {"TOY_A.txt", "1, 2\n2, 3\n4, 5\n5, 6\n6, 4\n7, 8\n9, 10\n10, 11\n11, 9\n12, 13\n13, 14\n"},
    {"TOY_graph_indicator.txt", "1\n1\n1\n2\n2\n2\n3\n3\n4\n4\n4\n5\n5\n5\n6\n"},
    {"TOY_graph_labels.txt", "0\n1\n0\n1\n0\n1\n"},
};

static const char *const specifications[] = {"mpr:clusters=2-2",
                                             "mpr:lens=random,clusters=2-2",
                                             "mpr:lens=learned,clusters=2-2",
                                             "mpr:variant=feb2020,clusters=2",
                                             "mpr:variant=newest,clusters=2",
                                             "topk",
                                             "sagpool",
                                             "mincut:clusters=2-2",
                                             "diffpool:clusters=2-2",
                                             "graclus",
                                             "sum",
                                             "max",
                                             "none"};

static dgm_classify_options make_options(const char *pool) {
    dgm_classify_options options = DGM_CLASSIFY_OPTIONS_INIT;
    options.pool = pool;
    options.folds = "3";
    options.first = 2;
    options.epochs = 1;
    options.width = 3;
    options.layers = 1;
    options.clamp = 3;
    options.search = "rate=1e-2;1e-3";
    return options;
}

/* The accuracies and losses of a run as one text. */
static void describe(const dgm_classify_report *report, char *text, size_t size) {
    int64_t count;
    const dgm_fold_result *folds = dgm_classify_report_folds(report, &count);
    *text = '\0';
    for (int64_t i = 0; i < count; i++) {
        size_t used = strlen(text);
        snprintf(text + used, size - used, "%.17g %.17g %lld\n", folds[i].accuracy, folds[i].loss,
                 (long long)folds[i].setting);
    }
}

/* Reads the set, classifies and makes the JSON. */
static dgm_status run(dgm_context *ctx, const dgm_classify_options *options, int threads,
                      char *text, size_t size) {
    dgm_graph_set *set = NULL;
    dgm_classify_report *report = NULL;
    char *json = NULL;
    dgm_context_set_threads(ctx, threads);
    dgm_status status = dgm_graph_set_open(ctx, folder, NULL, &set);
    if (status == DGM_OK)
        status = dgm_classify(ctx, set, options, &report);
    if (status == DGM_OK)
        status = dgm_classify_report_json(ctx, report, &json);
    if (status == DGM_OK)
        describe(report, text, size);
    else
        assert_true(dgm_context_error(ctx)[0] != '\0');
    dgm_export_text_free(ctx, json);
    dgm_classify_report_free(report);
    dgm_graph_set_free(set);
    return status;
}

static dgm_status run_with_failure(const dgm_classify_options *options, int threads, long long k,
                                   long long *calls, char *text, size_t size) {
    check_memory memory = {.fail_at = k};
    dgm_allocator allocator = check_memory_allocator(&memory);
    dgm_context *ctx = NULL;
    dgm_status status = dgm_context_create(&allocator, &ctx);
    if (status == DGM_OK)
        status = run(ctx, options, threads, text, size);
    if (status != DGM_OK && status != DGM_ERROR_MEMORY)
        fail_msg("%s: allocation %lld: %s", options->pool, k, dgm_context_error(ctx));
    dgm_context_free(ctx);
    if (memory.blocks || memory.bytes)
        fail_msg("%s: allocation %lld: %lld blocks leaked", options->pool, k,
                 (long long)memory.blocks);
    *calls = memory.calls;
    return status;
}

static bool wants_all(void) {
    const char *given = getenv("DGM_TEST_LONG");
    return given && *given && strcmp(given, "0") != 0;
}

/* The checkpoint of a run that failed has what was finished, so the next goes on from it. */
static void fail_allocations(const char *pool, int threads, bool keeps) {
    dgm_classify_options options = make_options(pool);
    char whole[1024], disturbed[1024];
    long long calls, failed = 0, tried = 0;
    const char *seed = getenv("DGM_TEST_SEED");
    assert_int_equal(run_with_failure(&options, threads, 0, &calls, whole, sizeof whole), DGM_OK);
    long long step = wants_all() ? 1 : 1 + calls / SHORT_RUNS;
    long long begin = 1 + (seed ? atoll(seed) : 1) % step;
    options.checkpoint = keeps ? checkpoint : NULL;
    options.against = keeps ? other : NULL;
    options.keep_model = keeps;
    for (long long k = begin; k < 2 * calls + 2 * step; k += step) {
        remove(checkpoint);
        dgm_status status =
            run_with_failure(&options, threads, k, &calls, disturbed, sizeof disturbed);
        tried++;
        failed += status != DGM_OK;
        if (status == DGM_OK)
            assert_string_equal(disturbed, whole);
        if (calls < k)
            break;
        long long more;
        if (status != DGM_OK && keeps) {
            assert_int_equal(
                run_with_failure(&options, threads, 0, &more, disturbed, sizeof disturbed), DGM_OK);
            assert_string_equal(disturbed, whole);
        }
    }
    print_message("# %s, %d threads: %lld allocations, %lld of %lld runs failed\n", pool, threads,
                  calls, failed, tried);
    assert_true(failed > 0);
}

static void one_failed_allocation_is_a_clean_error_for_every_method(void **state) {
    (void)state;
    for (size_t i = 0; i < sizeof specifications / sizeof *specifications; i++)
        fail_allocations(specifications[i], 1, false);
}

static void so_it_is_on_several_threads(void **state) {
    (void)state;
    fail_allocations("mpr:clusters=2-2", 2, false);
    fail_allocations("mincut:clusters=2-2", 2, false);
}

static void finished_folds_survive_it(void **state) {
    (void)state;
    dgm_context *ctx;
    dgm_graph_set *set;
    dgm_classify_report *report;
    dgm_classify_options options = make_options("mean");
    assert_int_equal(dgm_context_create(NULL, &ctx), DGM_OK);
    assert_int_equal(dgm_graph_set_open(ctx, folder, NULL, &set), DGM_OK);
    assert_int_equal(dgm_classify(ctx, set, &options, &report), DGM_OK);
    assert_int_equal(dgm_classify_report_write(ctx, report, other), DGM_OK);
    dgm_classify_report_free(report);
    dgm_graph_set_free(set);
    dgm_context_free(ctx);
    fail_allocations("sum", 1, true);
}

static int setup(void **state) {
    (void)state;
    if (!mkdtemp(root))
        return -1;
    snprintf(folder, sizeof folder, "%s/TOY", root);
    snprintf(checkpoint, sizeof checkpoint, "%s/run.json", root);
    snprintf(other, sizeof other, "%s/other.json", root);
    if (mkdir(folder, 0700))
        return -1;
    for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
        char path[2 * PATH_SPACE];
        snprintf(path, sizeof path, "%s/%s", folder, files[i].name);
        FILE *file = fopen(path, "w");
        if (!file || fputs(files[i].text, file) < 0 || fclose(file))
            return -1;
    }
    return 0;
}

static int teardown(void **state) {
    (void)state;
    for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
        char path[2 * PATH_SPACE];
        snprintf(path, sizeof path, "%s/%s", folder, files[i].name);
        unlink(path);
    }
    unlink(checkpoint);
    unlink(other);
    rmdir(folder);
    return rmdir(root);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(one_failed_allocation_is_a_clean_error_for_every_method),
        cmocka_unit_test(so_it_is_on_several_threads),
        cmocka_unit_test(finished_folds_survive_it),
    };
    return cmocka_run_group_tests(tests, setup, teardown);
}
