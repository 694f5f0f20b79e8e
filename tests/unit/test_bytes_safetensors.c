/* SPDX-License-Identifier: Apache-2.0 */
/* Tensors read from files of all kinds, those of the Python package among them. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <float.h>
#include <math.h>

#include "safetensors_sample.h"

static const char *golden_path(void) {
    static char path[512];
    snprintf(path, sizeof path, "%s/oracle/tensors.safetensors", getenv("DGM_TEST_DATA"));
    return path;
}

/* ---- reading ---- */

static void expect_floats(const dgmi_bytes_safetensors *file, const char *name, int rank,
                          const int64_t *shape, const float *values, int count) {
    float out[8] = {0};
    if (dgmi_bytes_safetensors_floats(ctx, file, name, rank, shape, out) != DGM_OK)
        fail_msg("%s", dgm_context_error(ctx));
    assert_memory_equal(out, values, (size_t)count * sizeof *values);
}

static void floats_of_every_width_are_read_from_a_file_of_the_python_package(void **state) {
    (void)state;
    dgmi_bytes_safetensors *file = open_good(golden_path());
    const float small[] = {-1.5F, 3e-41F, 1e30F};
    const float half[] = {0, -1.5F, 65504, 0x1p-24F, 0x1p-14F};
    const float brain[] = {1, -2.5F, 0x1p-133F, INFINITY};
    const float third[] = {(float)(1.0 / 3), -2};
    const float scalar = 2.5F;
    assert_int_equal(dgmi_bytes_safetensors_count(file), 10);
    expect_floats(file, "conv1.lin.weight", 2, (int64_t[]){2, 3}, weights, 6);
    expect_floats(file, "conv1.bias", 1, (int64_t[]){3}, small, 3);
    expect_floats(file, "half", 1, (int64_t[]){5}, half, 5);
    expect_floats(file, "brain", 1, (int64_t[]){4}, brain, 4);
    expect_floats(file, "double", 2, (int64_t[]){2, 1}, third, 2);
    expect_floats(file, "scalar", 0, NULL, &scalar, 1);
    expect_floats(file, "nothing", 2, (int64_t[]){0, 4}, NULL, 0);
    dgmi_bytes_safetensors_free(file);
}

static void other_types_and_metadata_are_read_from_a_file_of_the_python_package(void **state) {
    (void)state;
    dgmi_bytes_safetensors *file = open_good(golden_path());
    const int64_t expected_steps[] = {-((int64_t)1 << 62), 7};
    const uint8_t expected_state[] = {0, 1, 255};
    int64_t whole[2];
    uint64_t natural;
    uint8_t bytes[3];
    assert_int_equal(
        dgmi_bytes_safetensors_copy(ctx, file, "steps", DGMI_BYTES_I64, 1, (int64_t[]){2}, whole),
        DGM_OK);
    assert_memory_equal(whole, expected_steps, sizeof whole);
    assert_int_equal(
        dgmi_bytes_safetensors_copy(ctx, file, "state", DGMI_BYTES_U8, 1, (int64_t[]){3}, bytes),
        DGM_OK);
    assert_memory_equal(bytes, expected_state, sizeof bytes);
    assert_int_equal(dgmi_bytes_safetensors_copy(ctx, file, "na\xC3\xAFve \"name\"", DGMI_BYTES_U64,
                                                 1, (int64_t[]){1}, &natural),
                     DGM_OK);
    assert_true(natural == UINT64_MAX);
    assert_string_equal(dgmi_bytes_safetensors_metadata(file, "format"), "pt");
    assert_string_equal(dgmi_bytes_safetensors_metadata(file, "says"),
                        "\"quoted\", \\ and\na new line");
    assert_string_equal(dgmi_bytes_safetensors_metadata(file, "gr\xC3\xB6\xC3\x9F"
                                                              "e"),
                        "\xC3\xBC");
    assert_null(dgmi_bytes_safetensors_metadata(file, "other"));
    assert_null(dgmi_bytes_safetensors_find(file, "__metadata__"));
    dgmi_bytes_safetensors_free(file);
    dgmi_bytes_safetensors_free(NULL);
}

/* A file of the header given and `size` bytes of data (zeros). */
static const char *make(const char *header, size_t size) {
    static char bytes[4096];
    uint64_t length = strlen(header);
    memset(bytes, 0, sizeof bytes);
    memcpy(bytes, &length, 8);
    memcpy(bytes + 8, header, length);
    return scratch_bytes("made.safetensors", bytes, 8 + length + size);
}

static void expect_refusal(const char *path, const char *words) {
    dgmi_bytes_safetensors *file = (dgmi_bytes_safetensors *)ctx;
    dgm_status status = dgmi_bytes_safetensors_open(ctx, path, &file);
    assert_null(file);
    if (status != DGM_ERROR_FORMAT)
        fail_msg("%s: status %s", words, dgm_status_name(status));
    scratch_check_error(path);
    scratch_check_error(words);
}

static void expect_header(const char *header, size_t size, const char *words) {
    expect_refusal(make(header, size), words);
}

/* One tensor 'a' with the dtype, shape and offsets given, 16 bytes of data. */
static void expect_tensor(const char *dtype, const char *shape, const char *offsets,
                          const char *words) {
    char header[512];
    snprintf(header, sizeof header, "{\"a\":{\"dtype\":%s,\"shape\":%s,\"data_offsets\":%s}}",
             dtype, shape, offsets);
    expect_header(header, 16, words);
}

static void an_empty_file_and_other_files_are_refused(void **state) {
    (void)state;
    dgmi_bytes_safetensors *file;
    expect_refusal(scratch_text("e.safetensors", ""), "is empty");
    expect_refusal(scratch_text("t.safetensors", "some text of another kind"),
                   "not a safetensors file");
    expect_refusal(scratch_text("m.pt", "PK\3\4.................."), "torch.save");
    expect_refusal(scratch_text("s.safetensors", "\2"), "cut off");
    expect_refusal(scratch_bytes("n.safetensors", "\0\0\0\0\0\0\0\0", 8), "not a safetensors file");
    expect_header("", 0, "not a safetensors file");
    expect_header(" {}", 0, "does not begin with");
    assert_int_equal(dgmi_bytes_safetensors_open(ctx, scratch_path("none"), &file), DGM_ERROR_FILE);
    assert_null(file);
    assert_int_equal(dgmi_bytes_safetensors_open(ctx, scratch_root, &file), DGM_ERROR_FILE);
    scratch_check_error("folder");
}

static void a_header_longer_than_the_file_or_the_limit_is_refused(void **state) {
    (void)state;
    char bytes[32] = "\x19\0\0\0\0\0\0\0{\"a\": 1}";
    expect_refusal(scratch_bytes("l.safetensors", bytes, 32), "should have 25 bytes, but only 24");
    const uint64_t lengths[] = {100000001, UINT64_MAX, UINT64_C(1) << 63};
    for (size_t i = 0; i < sizeof lengths / sizeof *lengths; i++) {
        memcpy(bytes, &lengths[i], 8);
        expect_refusal(scratch_bytes("l.safetensors", bytes, 32), "the format allows 100000000");
    }
}

static void headers_that_are_no_clean_json_are_refused(void **state) {
    (void)state;
    expect_header("{", 0, "damaged safetensors header");
    expect_header("{]", 0, "damaged safetensors header");
    expect_header("{} {}", 0, "damaged safetensors header");
    expect_header("{\"a\"}", 0, "damaged safetensors header");
    expect_header("{'a':1}", 0, "damaged safetensors header");
    expect_header("{\"a", 0, "damaged safetensors header");
    expect_header("{\"a\\", 0, "damaged safetensors header");
    expect_header("{\"\xFF\":1}", 0, "not UTF-8");
    expect_header("{\"\xED\xA0\x80\":1}", 0, "not UTF-8");
    expect_header("{\"a\\ud800\":1}", 0, "damaged safetensors header");
    expect_header("{\"a\\u0000b\":1}", 0, "damaged safetensors header");
    expect_header("{\"a\":1,\"a\":2}", 0, "duplicate");
    expect_header(
        "{\"a\":{\"dtype\":\"U8\",\"dtype\":\"U8\",\"shape\":[1],\"data_offsets\":[0,1]}}", 1,
        "duplicate");
    expect_header("{\"a\\u001b[31m\":{\"dtype\":\"U8\",\"shape\":[1],\"data_offsets\":[0,1]}}", 1,
                  "control characters");
    expect_header("{\"a\xC2\x85\":{\"dtype\":\"U8\",\"shape\":[1],\"data_offsets\":[0,1]}}", 1,
                  "control characters");
    expect_header("{\"a\x7F\":{\"dtype\":\"U8\",\"shape\":[1],\"data_offsets\":[0,1]}}", 1,
                  "control characters");
}

static void nesting_and_numbers_of_values_are_bounded_before_parsing(void **state) {
    (void)state;
    enum { MANY = 2 << 20 };
    char *bytes = malloc(MANY + 8);
    uint64_t length = MANY;
    assert_non_null(bytes);
    memcpy(bytes, &length, 8);
    memset(bytes + 8, '[', MANY);
    bytes[8] = '{';
    expect_refusal(scratch_bytes("deep.safetensors", bytes, MANY + 8), "more nested");
    memset(bytes + 9, ',', MANY - 1);
    expect_refusal(scratch_bytes("long.safetensors", bytes, MANY + 8), "more than a million");
    free(bytes);
    expect_header("{\"a[[[[[[\\\"[[[[\":[[[1]]]}", 0, "more nested");
}

static void tensors_that_are_not_described_well_are_refused(void **state) {
    (void)state;
    expect_header("{\"a\":1}", 0, "tensor 'a' is not described by an object");
    expect_header("{\"a\":{}}", 0, "tensor 'a' has no \"dtype\"");
    expect_tensor("4", "[4]", "[0,16]", "tensor 'a' has no \"dtype\"");
    expect_tensor("\"F33\"", "[4]", "[0,16]", "unknown dtype 'F33'");
    expect_tensor("\"f32\"", "[4]", "[0,16]", "unknown dtype 'f32'");
    expect_tensor("\"F4\"", "[4]", "[0,16]", "unknown dtype 'F4'");
    expect_tensor("\"F32\"", "4", "[0,16]", "no \"shape\" list");
    expect_tensor("\"F32\"", "[1,1,1,1,1,1,1,1,4]", "[0,16]", "more than 8 dimensions");
    const char *const shapes[] = {"[-4]",   "[4.0]",  "[4e0]",  "[\"4\"]",
                                  "[null]", "[true]", "[-1,-4]"};
    for (size_t i = 0; i < sizeof shapes / sizeof *shapes; i++)
        expect_tensor("\"F32\"", shapes[i], "[0,16]", "not of whole numbers from 0");
    const char *const offsets[] = {"[0]",     "[0,16,16]", "16",         "[]",
                                   "[-1,15]", "[0,16.0]",  "[0,\"16\"]", "{\"0\":16}"};
    for (size_t i = 0; i < sizeof offsets / sizeof *offsets; i++)
        expect_tensor("\"F32\"", "[4]", offsets[i], "no \"data_offsets\" of two");
    expect_header("{\"a\":{\"dtype\":\"U8\",\"shape\":[],\"data_offsets\":[0,1],\"scale\":2}}", 1,
                  "more than dtype, shape and data_offsets");
}

static void shapes_that_promise_more_than_there_is_are_refused(void **state) {
    (void)state;
    const char *const shapes[] = {
        "[1000000000000000000]",
        "[9223372036854775807]",
        "[4294967296,4294967296]",
        "[4294967296,4294967296,1]",
        "[2147483648,2147483648,2147483648,2147483648,2147483648,2147483648,2147483648,2147483648]",
        "[3]",
        "[5]",
        "[]",
        "[0]",
        "[0,4611686018427387904,4]",
    };
    for (size_t i = 0; i < sizeof shapes / sizeof *shapes; i++)
        expect_tensor("\"F32\"", shapes[i], "[0,16]", "has 16 bytes of data");
    expect_tensor("\"F32\"", "[0,4611686018427387904,4]", "[0,0]", "has 0 bytes of data");
    expect_tensor("\"F64\"", "[4]", "[0,16]", "of type F64 and shape (4) has 16 bytes");
    expect_tensor("\"F32\"", "[9223372036854775808]", "[0,16]", "too big integer");
    expect_tensor("\"F32\"", "[1e400]", "[0,16]", "damaged safetensors header");
}

static void offsets_that_do_not_cover_the_data_are_refused(void **state) {
    (void)state;
    expect_tensor("\"F32\"", "[4]", "[16,0]", "end before they begin");
    expect_tensor("\"F32\"", "[4]", "[4,20]", "up to byte 20, but only 16");
    expect_tensor("\"F32\"", "[4]", "[9223372036854775791,9223372036854775807]", "but only 16");
    expect_tensor("\"F32\"", "[3]", "[4,16]", "a hole");
    expect_tensor("\"F32\"", "[3]", "[0,12]", "data go on behind the last tensor");
    expect_tensor("\"F32\"", "[0]", "[3,3]", "a hole");
    expect_header("{}", 1, "data go on behind");
    expect_header("{\"a\":{\"dtype\":\"U8\",\"shape\":[3],\"data_offsets\":[0,3]},"
                  "\"b\":{\"dtype\":\"U8\",\"shape\":[2],\"data_offsets\":[2,4]}}",
                  4, "tensor 'b' overlaps");
    expect_header("{\"a\":{\"dtype\":\"U8\",\"shape\":[4],\"data_offsets\":[0,4]},"
                  "\"b\":{\"dtype\":\"U8\",\"shape\":[4],\"data_offsets\":[0,4]}}",
                  4, "overlaps");
    expect_header("{\"a\":{\"dtype\":\"U8\",\"shape\":[2],\"data_offsets\":[2,4]},"
                  "\"b\":{\"dtype\":\"U8\",\"shape\":[1],\"data_offsets\":[0,1]}}",
                  4, "tensor 'a' leaves a hole");
}

static void damaged_metadata_are_refused(void **state) {
    (void)state;
    expect_header("{\"__metadata__\":[]}", 0, "__metadata__ is no object");
    expect_header("{\"__metadata__\":{\"a\":1}}", 0, "no text");
    expect_header("{\"__metadata__\":{\"a\":\"\\u0000\"}}", 0, "damaged safetensors header");
}

static void tensors_may_stand_in_any_order_and_be_empty(void **state) {
    (void)state;
    dgmi_bytes_safetensors *file =
        open_good(make("{\"b\":{\"shape\":[2],\"data_offsets\":[1,3],\"dtype\":\"U8\"},"
                       "\"empty\":{\"dtype\":\"F64\",\"shape\":[3,0],\"data_offsets\":[1,1]},"
                       "\"a\":{\"dtype\":\"BOOL\",\"shape\":[1],\"data_offsets\":[0,1]}}   \n",
                       3));
    assert_int_equal(dgmi_bytes_safetensors_count(file), 3);
    assert_string_equal(dgmi_bytes_safetensors_get(file, 0)->name, "b");
    assert_null(dgmi_bytes_safetensors_metadata_list(file)[0]);
    dgmi_bytes_safetensors_free(file);
    file = open_good(make("{}", 0));
    assert_int_equal(dgmi_bytes_safetensors_count(file), 0);
    dgmi_bytes_safetensors_free(file);
}

static void a_file_cut_off_at_any_byte_is_refused(void **state) {
    (void)state;
    size_t size;
    char *bytes = scratch_content(golden_path(), &size);
    for (size_t keep = 0; keep < size; keep++)
        expect_refusal(scratch_bytes("cut.safetensors", bytes, keep), "");
    bytes[size] = 0;
    expect_refusal(scratch_bytes("cut.safetensors", bytes, size + 1), "data go on");
    free(bytes);
}

/* ---- what callers ask for ---- */

static void a_tensor_that_is_not_as_expected_is_named_with_both_shapes(void **state) {
    (void)state;
    float out[8];
    dgmi_bytes_safetensors *file = open_good(golden_path());
    const char *name = "conv1.lin.weight";
    assert_int_equal(dgmi_bytes_safetensors_floats(ctx, file, name, 2, (int64_t[]){3, 2}, out),
                     DGM_ERROR_DATA);
    scratch_check_error("tensors.safetensors: tensor 'conv1.lin.weight' has the shape (2, 3), and "
                        "(3, 2) is expected");
    assert_int_equal(dgmi_bytes_safetensors_floats(ctx, file, name, 0, NULL, out), DGM_ERROR_DATA);
    scratch_check_error("and () is expected");
    assert_int_equal(dgmi_bytes_safetensors_floats(ctx, file, "conv2.bias", 1, (int64_t[]){3}, out),
                     DGM_ERROR_DATA);
    scratch_check_error("no tensor 'conv2.bias' of shape (3) in it; the file holds ");
    scratch_check_error("conv1.bias, conv1.lin.weight");
    assert_int_equal(dgmi_bytes_safetensors_floats(ctx, file, "steps", 1, (int64_t[]){2}, out),
                     DGM_ERROR_DATA);
    scratch_check_error("type I64, and F32, F64, F16 or BF16 is expected");
    assert_int_equal(
        dgmi_bytes_safetensors_copy(ctx, file, "state", DGMI_BYTES_U64, 1, (int64_t[]){3}, out),
        DGM_ERROR_DATA);
    scratch_check_error("type U8, and U64 is expected");
    dgmi_bytes_safetensors_free(file);
}

static void a_double_too_large_for_a_float_is_refused(void **state) {
    (void)state;
    const double values[] = {INFINITY, -1e39};
    const dgmi_bytes_named_tensor tensor = {"w", DGMI_BYTES_F64, 1, {2}, values};
    const char *path = scratch_path("large.safetensors");
    float out[2];
    assert_int_equal(dgmi_bytes_safetensors_write(ctx, path, &tensor, 1, NULL), DGM_OK);
    dgmi_bytes_safetensors *file = open_good(path);
    assert_int_equal(dgmi_bytes_safetensors_floats(ctx, file, "w", 1, (int64_t[]){2}, out),
                     DGM_ERROR_DATA);
    scratch_check_error("tensor 'w' holds -1e+39 (element 1");
    assert_true(isinf(out[0]));
    dgmi_bytes_safetensors_free(file);
}

static void errors_stay_short_where_names_are_long(void **state) {
    (void)state;
    char name[3001], header[3200];
    for (int i = 0; i < 1000; i++)
        memcpy(name + 3 * i, "\xE2\x82\xAC", 4);
    snprintf(header, sizeof header, "{\"%s\":{\"dtype\":\"F99\"}}", name);
    expect_header(header, 0, "...' has the unknown dtype 'F99'");
    snprintf(header, sizeof header,
             "{\"%s\":{\"dtype\":\"U8\",\"shape\":[],\"data_offsets\":[0,1]}}", name);
    dgmi_bytes_safetensors *file = open_good(make(header, 1));
    float out;
    assert_int_equal(dgmi_bytes_safetensors_floats(ctx, file, "x", 0, NULL, &out), DGM_ERROR_DATA);
    scratch_check_error("...");
    assert_int_equal(dgmi_bytes_safetensors_floats(ctx, file, name, 0, NULL, &out), DGM_ERROR_DATA);
    scratch_check_error("type U8");
    dgmi_bytes_safetensors_free(file);
}

/* ---- faults ---- */

static dgm_status read_golden(void *argument) {
    dgmi_bytes_safetensors *file;
    (void)argument;
    dgm_status status = dgmi_bytes_safetensors_open(ctx, golden_path(), &file);
    if ((status == DGM_OK) != (file != NULL))
        fail_msg("a file and a failure, or neither");
    dgmi_bytes_safetensors_free(file);
    return status;
}

static dgm_status write_again(void *path) {
    return dgmi_bytes_safetensors_write(ctx, path, sample, SAMPLES, notes);
}

static void every_allocation_may_fail(void **state) {
    (void)state;
    static char path[512];
    scratch_fail_each(read_golden, NULL);
    snprintf(path, sizeof path, "%s", scratch_path("faulty.safetensors"));
    scratch_fail_each(write_again, path);
    dgmi_bytes_safetensors_free(open_good(path));
}

static void halves_are_widened_to_the_same_number(void **state) {
    (void)state;
    const uint16_t bits[] = {0x7C00, 0xFC00, 0x7E00, 0x0001, 0x8000, 0x3C01};
    const float expected[] = {INFINITY, -INFINITY, NAN, 0x1p-24F, -0.0F, 1 + 0x1p-10F};
    const dgmi_bytes_named_tensor tensor = {"half", DGMI_BYTES_F16, 1, {6}, bits};
    float found[6];
    assert_int_equal(dgmi_bytes_safetensors_write(ctx, scratch_path("h.st"), &tensor, 1, NULL),
                     DGM_OK);
    dgmi_bytes_safetensors *file = open_good(scratch_path("h.st"));
    assert_int_equal(dgmi_bytes_safetensors_floats(ctx, file, "half", 1, (int64_t[]){6}, found),
                     DGM_OK);
    for (int i = 0; i < 6; i++)
        assert_true(isnan(expected[i]) ? isnan(found[i])
                                       : memcmp(&found[i], &expected[i], sizeof *found) == 0);
    dgmi_bytes_safetensors_free(file);
}

static void nothing_is_copied_from_a_tensor_without_elements(void **state) {
    (void)state;
    dgmi_bytes_safetensors *file = open_good(write_sample("w.safetensors"));
    float untouched = 7;
    assert_int_equal(dgmi_bytes_safetensors_copy(ctx, file, "nothing", DGMI_BYTES_F32, 2,
                                                 (int64_t[]){0, 4}, &untouched),
                     DGM_OK);
    assert_true(untouched == 7);
    dgmi_bytes_safetensors_free(file);
}

static void a_list_of_many_tensors_is_cut(void **state) {
    (void)state;
    static char names[40][48];
    dgmi_bytes_named_tensor tensors[40];
    for (int i = 0; i < 40; i++) {
        snprintf(names[i], sizeof names[i], "a_tensor_of_a_rather_long_name.%02d", i);
        tensors[i] = (dgmi_bytes_named_tensor){names[i], DGMI_BYTES_U8, 1, {5}, state_bytes};
    }
    assert_int_equal(dgmi_bytes_safetensors_write(ctx, scratch_path("m.st"), tensors, 40, NULL),
                     DGM_OK);
    dgmi_bytes_safetensors *file = open_good(scratch_path("m.st"));
    float value;
    assert_int_equal(dgmi_bytes_safetensors_floats(ctx, file, "b", 0, NULL, &value),
                     DGM_ERROR_DATA);
    scratch_check_error("no tensor 'b' of shape () in it; the file holds a_tensor_of_a");
    scratch_check_error(", ...");
    assert_null(strstr(dgm_context_error(ctx), "name.39"));
    dgmi_bytes_safetensors_free(file);
}

static void a_name_is_cut_between_characters(void **state) {
    (void)state;
    char name[128], shown[DGMI_BYTES_SHOWN_NAME];
    memset(name, 'a', 120);
    name[120] = '\0';
    assert_int_equal(strlen(dgmi_bytes_tensor_shown(name, shown)), DGMI_BYTES_SHOWN_NAME - 1);
    memcpy(name + 91, "\xE4\xB8\xAD", 3); /* it would be cut in the middle of this */
    assert_int_equal(strlen(dgmi_bytes_tensor_shown(name, shown)), 91 + 3);
    memset(name, '\x80', 120); /* no beginning of a character anywhere */
    assert_string_equal(dgmi_bytes_tensor_shown(name, shown), "...");
}

static void a_pipe_is_read_as_a_file_is(void **state) {
    (void)state;
    static const char header[] = ONE_FLOAT;
    uint64_t length = sizeof header - 1;
    char path[64];
    int ends[2];
    assert_int_equal(pipe(ends), 0);
    assert_int_equal(write(ends[1], &length, 8), 8);
    assert_int_equal(write(ends[1], header, length), length);
    assert_int_equal(write(ends[1], "\0\0\0\0", 4), 4);
    close(ends[1]);
    snprintf(path, sizeof path, "/dev/fd/%d", ends[0]);
    dgmi_bytes_safetensors *file = open_good(path);
    assert_int_equal(dgmi_bytes_safetensors_count(file), 1);
    dgmi_bytes_safetensors_free(file);
    close(ends[0]);
}

/* Nobody knows how long a pipe is before its end. */
static void a_pipe_that_ends_inside_the_header_is_refused(void **state) {
    (void)state;
    static const char header[] = ONE_FLOAT;
    const uint64_t length = sizeof header - 1;
    for (uint64_t keep = 1; keep < length; keep++) {
        char path[64], words[64];
        int ends[2];
        assert_int_equal(pipe(ends), 0);
        assert_int_equal(write(ends[1], &length, 8), 8);
        assert_int_equal(write(ends[1], header, keep), keep);
        close(ends[1]);
        snprintf(path, sizeof path, "/dev/fd/%d", ends[0]);
        snprintf(words, sizeof words, "should have %d bytes, but only %d are there", (int)length,
                 (int)keep);
        expect_refusal(path, words);
        close(ends[0]);
    }
}

/* ---- places of errors ---- */

/* The refusal blames this byte of the file. */
static void expect_place(const char *path, const char *words, int64_t byte) {
    expect_refusal(path, words);
    assert_int_equal(dgm_context_error_parts(ctx).byte, byte);
    assert_int_equal(dgm_context_error_parts(ctx).line, 0);
}

static void errors_of_the_beginning_blame_its_first_byte(void **state) {
    (void)state;
    char bytes[32] = "\x19\0\0\0\0\0\0\0{\"a\": 1}";
    const uint64_t most = 100000000, more = most + 1;
    expect_place(scratch_text("e.safetensors", ""), "the file is empty", 0);
    expect_place(scratch_text("m.pt", "PK\3\4"), "torch.save", 0);
    expect_place(scratch_text("m.pt", "PK\3"), "does not begin with", 0);
    expect_place(scratch_text("m.pkl", "\x80\4"), "but a pickle, which is never opened here", 0);
    expect_place(scratch_text("m.pkl", "\x80"), "does not begin with", 0);
    expect_place(scratch_bytes("l.safetensors", bytes, 32), "should have 25 bytes, but only 24", 0);
    memcpy(bytes, &most, 8);
    expect_place(scratch_bytes("l.safetensors", bytes, 32),
                 "should have 100000000 bytes, but only 24", 0);
    memcpy(bytes, &more, 8);
    expect_place(scratch_bytes("l.safetensors", bytes, 32),
                 "would have 100000001 bytes, and the format allows 100000000", 0);
}

static void errors_of_the_header_blame_a_byte_of_it(void **state) {
    (void)state;
    expect_place(make("{\"a\xFF\":1}", 0), "not UTF-8", 8 + 3);
    expect_place(make("{\"a\":[[[1]]]}", 0), "more nested", 8 + 7);
    expect_place(make("{\"a\":{\"shape\":[[1]]}}", 0), "more nested", 8 + 15);
    expect_place(make("{\"a\":\"}]\",\"b\":[[[1]]]}", 0), "more nested", 8 + 16);
    expect_place(make("{\"\\\"{\":[[[1]]]}", 0), "more nested", 8 + 9);
    expect_place(make("{}", 1), "data go on behind the last tensor", 8 + 2);
    expect_place(make("{\"a\":{\"dtype\":\"U8\",\"shape\":[3],\"data_offsets\":[0,3]}}", 5),
                 "data go on behind the last tensor", 8 + 53 + 3);
    expect_place(make("{\"a\":1}", 0), "is not described by an object", -1);
    expect_place(make("{\"__metadata__\":[]}", 0), "__metadata__ is no object", -1);
    expect_place(make("{\"__metadata__\":{\"a\":1}}", 0), "holds what is no text", -1);
}

static void a_float_holds_its_largest_number_and_no_more(void **state) {
    (void)state;
    const double values[] = {FLT_MAX, -FLT_MAX, 2.0 * FLT_MAX};
    const dgmi_bytes_named_tensor tensors[] = {{"w", DGMI_BYTES_F64, 1, {2}, values},
                                               {"x", DGMI_BYTES_F64, 1, {3}, values}};
    const char *path = scratch_path("largest.safetensors");
    float out[3] = {0};
    assert_int_equal(dgmi_bytes_safetensors_write(ctx, path, tensors, 2, NULL), DGM_OK);
    dgmi_bytes_safetensors *file = open_good(path);
    assert_int_equal(dgmi_bytes_safetensors_floats(ctx, file, "w", 1, (int64_t[]){2}, out), DGM_OK);
    assert_true(out[0] == FLT_MAX && out[1] == -FLT_MAX);
    assert_int_equal(dgmi_bytes_safetensors_floats(ctx, file, "x", 1, (int64_t[]){3}, out),
                     DGM_ERROR_DATA);
    scratch_check_error("largest.safetensors: tensor 'x' holds 6.81e+38 (element 2, counted from "
                        "0), which is too large for 32 bits");
    assert_int_equal(dgm_context_error_parts(ctx).byte, -1);
    assert_int_equal(dgmi_bytes_safetensors_floats(ctx, file, "y", 1, (int64_t[]){3}, out),
                     DGM_ERROR_DATA);
    scratch_check_error(
        "largest.safetensors: no tensor 'y' of shape (3) in it; the file holds w, x");
    assert_int_equal(dgm_context_error_parts(ctx).byte, -1);
    assert_int_equal(dgmi_bytes_safetensors_floats(ctx, file, "w", 1, (int64_t[]){3}, out),
                     DGM_ERROR_DATA);
    scratch_check_error("largest.safetensors: tensor 'w' has the shape (2), and (3) is expected");
    assert_int_equal(dgm_context_error_parts(ctx).byte, -1);
    dgmi_bytes_safetensors_free(file);
}

static void names_are_clean_without_control_characters(void **state) {
    (void)state;
    static const char *const clean[] = {"", " ", "~", "a b", "\xC2\xA0", "\xC3\xA9"};
    static const char *const dirty[] = {"\x1f", "a\x7f", "\xC2\x80", "\xC2\x9F", "a\n", "\xC3"};
    for (size_t i = 0; i < sizeof clean / sizeof *clean; i++) {
        assert_true(dgmi_bytes_tensor_name_is_clean(clean[i]));
        assert_false(dgmi_bytes_tensor_name_is_clean(dirty[i]));
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(floats_of_every_width_are_read_from_a_file_of_the_python_package),
        cmocka_unit_test(other_types_and_metadata_are_read_from_a_file_of_the_python_package),
        cmocka_unit_test(an_empty_file_and_other_files_are_refused),
        cmocka_unit_test(a_header_longer_than_the_file_or_the_limit_is_refused),
        cmocka_unit_test(headers_that_are_no_clean_json_are_refused),
        cmocka_unit_test(nesting_and_numbers_of_values_are_bounded_before_parsing),
        cmocka_unit_test(tensors_that_are_not_described_well_are_refused),
        cmocka_unit_test(shapes_that_promise_more_than_there_is_are_refused),
        cmocka_unit_test(offsets_that_do_not_cover_the_data_are_refused),
        cmocka_unit_test(damaged_metadata_are_refused),
        cmocka_unit_test(tensors_may_stand_in_any_order_and_be_empty),
        cmocka_unit_test(a_file_cut_off_at_any_byte_is_refused),
        cmocka_unit_test(a_tensor_that_is_not_as_expected_is_named_with_both_shapes),
        cmocka_unit_test(a_double_too_large_for_a_float_is_refused),
        cmocka_unit_test(errors_stay_short_where_names_are_long),
        cmocka_unit_test(every_allocation_may_fail),
        cmocka_unit_test(halves_are_widened_to_the_same_number),
        cmocka_unit_test(nothing_is_copied_from_a_tensor_without_elements),
        cmocka_unit_test(a_list_of_many_tensors_is_cut),
        cmocka_unit_test(a_name_is_cut_between_characters),
        cmocka_unit_test(a_pipe_is_read_as_a_file_is),
        cmocka_unit_test(a_pipe_that_ends_inside_the_header_is_refused),
        cmocka_unit_test(errors_of_the_beginning_blame_its_first_byte),
        cmocka_unit_test(errors_of_the_header_blame_a_byte_of_it),
        cmocka_unit_test(a_float_holds_its_largest_number_and_no_more),
        cmocka_unit_test(names_are_clean_without_control_characters),
    };
    return RUN_GROUP(tests, scratch_begin, scratch_end);
}
