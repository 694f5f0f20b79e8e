/* SPDX-License-Identifier: Apache-2.0 */
/* Tensors that are written: read again, the same bytes every time, and all of them or none. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <fcntl.h>
#include <signal.h>
#include <sys/resource.h>

#include "safetensors_sample.h"

static void what_is_written_is_read_again(void **state) {
    (void)state;
    dgmi_bytes_safetensors *file = open_good(write_sample("sample.safetensors"));
    assert_int_equal(dgmi_bytes_safetensors_count(file), SAMPLES);
    for (int i = 0; i < SAMPLES; i++) {
        const dgmi_bytes_named_tensor *tensor = dgmi_bytes_safetensors_find(file, sample[i].name);
        assert_non_null(tensor);
        assert_int_equal(tensor->dtype, sample[i].dtype);
        assert_int_equal(tensor->rank, sample[i].rank);
        assert_memory_equal(tensor->shape, sample[i].shape, sizeof tensor->shape);
        if (sample[i].data)
            assert_memory_equal(tensor->data, sample[i].data, dgmi_bytes_tensor_bytes(tensor));
    }
    for (int i = 0; notes[i]; i++)
        assert_string_equal(dgmi_bytes_safetensors_metadata_list(file)[i], notes[i]);
    dgmi_bytes_safetensors_free(file);
}

static void bytes_are_padded_aligned_and_the_same_every_time(void **state) {
    (void)state;
    size_t size, again;
    char *first = scratch_content(write_sample("one.safetensors"), &size);
    char *second = scratch_content(write_sample("two.safetensors"), &again);
    assert_int_equal(size, again);
    assert_memory_equal(first, second, size);
    assert_int_equal(first[0] & 7, 0);
    dgmi_bytes_safetensors *file = open_good(scratch_path("one.safetensors"));
    const char *data = dgmi_bytes_safetensors_find(file, "moments")->data;
    for (int i = 0; i < SAMPLES; i++) {
        const dgmi_bytes_named_tensor *tensor = dgmi_bytes_safetensors_get(file, i);
        ptrdiff_t apart = (const char *)tensor->data - data; /* itself a multiple of 8 */
        assert_int_equal(apart % dgmi_bytes_dtype_width(tensor->dtype), 0);
    }
    dgmi_bytes_safetensors_free(file);
    free(first);
    free(second);
}

static void a_file_written_has_exactly_these_bytes(void **state) {
    (void)state;
    const dgmi_bytes_named_tensor tensor = {"a", DGMI_BYTES_F32, 1, {1}, &weights[4]};
    const char *path = scratch_path("exact.safetensors");
    const char expected[] = "\x38\0\0\0\0\0\0\0" ONE_FLOAT "  \0\0\x80\x3f";
    size_t size;
    assert_int_equal(dgmi_bytes_safetensors_write(ctx, path, &tensor, 1, NULL), DGM_OK);
    char *bytes = scratch_content(path, &size);
    assert_int_equal(size, sizeof expected - 1);
    assert_memory_equal(bytes, expected, size);
    free(bytes);
}

static void expect_unwritten(const dgmi_bytes_named_tensor *tensors, int64_t count,
                             const char *const *metadata, const char *words) {
    const char *path = scratch_path("unwritten.safetensors");
    assert_int_equal(dgmi_bytes_safetensors_write(ctx, path, tensors, count, metadata),
                     DGM_ERROR_USAGE);
    scratch_check_error(words);
    assert_int_not_equal(access(path, F_OK), 0);
}

static void tensors_that_could_not_be_read_again_are_not_written(void **state) {
    (void)state;
    const dgmi_bytes_named_tensor bad[] = {
        {"a\n", DGMI_BYTES_F32, 1, {1}, weights},
        {"\xFF", DGMI_BYTES_F32, 1, {1}, weights},
        {"__metadata__", DGMI_BYTES_F32, 1, {1}, weights},
        {"a", DGMI_BYTES_DTYPES, 1, {1}, weights},
        {"a", DGMI_BYTES_F32, 9, {1}, weights},
        {"a", DGMI_BYTES_F32, -1, {1}, weights},
        {"a", DGMI_BYTES_F32, 1, {-1}, weights},
        {"a", DGMI_BYTES_F32, 2, {INT64_MAX, 0}, weights},
        {"a", DGMI_BYTES_F32, 1, {1}, NULL},
    };
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
        expect_unwritten(&bad[i], 1, NULL, "unwritten.safetensors: tensor '");
    const dgmi_bytes_named_tensor twice[] = {sample[1], sample[4], sample[1]};
    const char *const keys[] = {"k", "1", "k", "2", NULL};
    expect_unwritten(twice, 3, NULL, "tensor 'conv1.lin.weight' is there twice");
    expect_unwritten(sample, 1, keys, "key 'k' is there twice");
    expect_unwritten(sample, 1, (const char *const[]){"k", "\xFF", NULL},
                     "'k' or its value is not");
    expect_unwritten(sample, 1, (const char *const[]){"k\xFF", "v", NULL}, "value is not UTF-8");
    assert_int_equal(
        dgmi_bytes_safetensors_write(ctx, scratch_path("w.safetensors.gz"), sample, 1, NULL),
        DGM_ERROR_USAGE);
    scratch_check_error("w.safetensors.gz: safetensors files are not compressed; leave .gz out of "
                        "the name");
    assert_int_equal(dgm_context_error_parts(ctx).byte, -1); /* no place in the file is to blame */
}

static void as_many_tensors_are_written_as_can_be_read(void **state) {
    (void)state;
    /* Two values, 15 for each of them, and 14 for one with a dimension less: 2^20 in all. */
    enum { MOST = ((1 << 20) - 2) / 15, NAME = 16 };
    const char *path = scratch_path("many.safetensors");
    dgmi_bytes_named_tensor *tensors = calloc(MOST + 2, sizeof *tensors);
    char *names = calloc(MOST + 2, NAME);
    for (int i = 0; i < MOST + 2; i++) {
        snprintf(names + (size_t)i * NAME, NAME, "t%d", i);
        tensors[i] = (dgmi_bytes_named_tensor){
            names + (size_t)i * NAME, DGMI_BYTES_U8, 8, {1, 1, 1, 1, 1, 1, 1, 1}, state_bytes};
    }
    tensors[MOST].rank = 7;
    assert_int_equal(dgmi_bytes_safetensors_write(ctx, path, tensors, MOST + 1, NULL), DGM_OK);
    dgmi_bytes_safetensors *file = open_good(path);
    assert_int_equal(dgmi_bytes_safetensors_count(file), MOST + 1);
    dgmi_bytes_safetensors_free(file);
    expect_unwritten(tensors, MOST + 1, (const char *const[]){"k", "v", NULL},
                     "more than a safetensors file can hold");
    tensors[MOST].rank = 8;
    for (int more = 1; more <= 2; more++)
        expect_unwritten(tensors, MOST + more, NULL, "more than a safetensors file can hold");
    free(names);
    free(tensors);
}

static void a_full_disk_leaves_the_former_file(void **state) {
    (void)state;
    enum { MANY = 1 << 18 };
    const char *path = write_sample("kept/model.safetensors");
    size_t size, after;
    char *before = scratch_content(path, &size);
    float *large = calloc(MANY, sizeof *large);
    const dgmi_bytes_named_tensor tensor = {"w", DGMI_BYTES_F32, 1, {MANY}, large};
    struct rlimit limit, small;
    assert_int_equal(getrlimit(RLIMIT_FSIZE, &limit), 0);
    small = limit;
    small.rlim_cur = 1 << 16;
    void (*former)(int) = signal(SIGXFSZ, SIG_IGN);
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &small), 0);
    dgm_status status = dgmi_bytes_safetensors_write(ctx, path, &tensor, 1, NULL);
    setrlimit(RLIMIT_FSIZE, &limit);
    signal(SIGXFSZ, former);
    assert_int_equal(status, DGM_ERROR_FILE);
    scratch_check_error("model.safetensors: cannot be written: File too large");
    char *now = scratch_content(path, &after);
    assert_int_equal(size, after);
    assert_memory_equal(before, now, size);
    assert_int_equal(remove(path), 0);
    assert_int_equal(rmdir(scratch_path("kept")), 0); /* nothing else lies there */
    assert_int_equal(dgmi_bytes_safetensors_write(ctx, "/dev/full", &tensor, 1, NULL),
                     DGM_ERROR_FILE);
    scratch_check_error("No space left");
    free(before);
    free(now);
    free(large);
}

static void a_header_longer_than_the_format_allows_is_not_written(void **state) {
    (void)state;
    enum { PAIRS = DGMI_BYTES_SAFETENSORS_HEADER / 1000000, LONG = 1000000, KEY = 16 };
    static char keys[PAIRS][KEY];
    const char *metadata[2 * PAIRS + 1] = {NULL};
    char *value = malloc(LONG + 1);
    memset(value, 'v', LONG);
    value[LONG] = '\0';
    for (int i = 0; i < PAIRS; i++) {
        snprintf(keys[i], KEY, "k%d", i);
        metadata[2 * i] = keys[i];
        metadata[2 * i + 1] = value;
    }
    expect_unwritten(sample, 1, metadata, "more than a safetensors file can hold");
    free(value);
}

/* Catches standard output in the file. */
static dgm_status write_to_standard_output(void *path) {
    struct stat facts;
    fflush(stdout);
    int kept = dup(STDOUT_FILENO), file = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0600);
    assert_true(kept >= 0 && file >= 0 && dup2(file, STDOUT_FILENO) >= 0);
    dgm_status status = dgmi_bytes_safetensors_write(ctx, "-", sample, SAMPLES, notes);
    dup2(kept, STDOUT_FILENO);
    assert_int_equal(fstat(file, &facts), 0);
    assert_true((facts.st_size > 0) == (status == DGM_OK)); /* all of it or nothing */
    close(file);
    close(kept);
    return status;
}

static void every_allocation_on_the_way_to_standard_output_may_fail(void **state) {
    (void)state;
    char path[512];
    size_t size, expected_size;
    snprintf(path, sizeof path, "%s", scratch_path("standard-output"));
    scratch_fail_each(write_to_standard_output, path);
    char *found = scratch_content(path, &size);
    char *expected = scratch_content(write_sample("one.safetensors"), &expected_size);
    assert_int_equal(size, expected_size);
    assert_memory_equal(found, expected, size);
    free(found);
    free(expected);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_written_is_read_again),
        cmocka_unit_test(bytes_are_padded_aligned_and_the_same_every_time),
        cmocka_unit_test(a_file_written_has_exactly_these_bytes),
        cmocka_unit_test(tensors_that_could_not_be_read_again_are_not_written),
        cmocka_unit_test(as_many_tensors_are_written_as_can_be_read),
        cmocka_unit_test(a_full_disk_leaves_the_former_file),
        cmocka_unit_test(a_header_longer_than_the_format_allows_is_not_written),
        cmocka_unit_test(every_allocation_on_the_way_to_standard_output_may_fail),
    };
    return RUN_GROUP(tests, scratch_begin, scratch_end);
}
