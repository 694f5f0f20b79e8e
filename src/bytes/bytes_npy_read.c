/* SPDX-License-Identifier: Apache-2.0 */
/* The elements of an array: block by block from bytes to doubles or 64-bit integers, and from those
 * to what the caller wants, with every bound checked. */
#include "bytes_npy.h"

#include <assert.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "dgm/graph.h"

#include "base_context.h"
#include "base_memory.h"

enum { BLOCK_ELEMENTS = DGMI_BUFFER(1 << 14), LARGEST_ELEMENT = 8 };

/* Stands for what is no whole number or does not fit; no type allows it. */
#define NOT_WHOLE INT64_MIN

typedef struct {
    size_t size;          /* bytes of a value */
    int64_t least, most;  /* of whole numbers */
    const char *expected; /* for messages; NULL: reals */
} type_facts;

static const type_facts types[] = {
    [DGMI_BYTES_NPY_REAL] = {sizeof(double), 0, 0, NULL},
    [DGMI_BYTES_NPY_FLOAT] = {sizeof(float), 0, 0, NULL},
    [DGMI_BYTES_NPY_NODE] = {sizeof(uint32_t), 0, DGM_MAX_NODES - 1, "a node (0 to 2147483646)"},
    [DGMI_BYTES_NPY_LABEL] = {sizeof(int32_t), -1, DGMI_BYTES_MAX_CLASSES - 1,
                              "a class (whole numbers from 0, -1 for none)"},
    [DGMI_BYTES_NPY_FLAG] = {sizeof(uint8_t), 0, 1, "true or false"},
    [DGMI_BYTES_NPY_COUNT] = {sizeof(int64_t), 0, DGM_MAX_NODES, "a count (0 to 2147483647)"},
    [DGMI_BYTES_NPY_PLACE] = {sizeof(int64_t), 0, INT64_MAX, "a place (a whole number from 0)"},
};

/* ---- from bytes to doubles or integers ---- */

/* IEEE half precision: sign, 5 bits of exponent, 10 of fraction. */
static double half_to_double(uint16_t bits) {
    int exponent = bits >> 10 & 31, fraction = bits & 1023;
    double value = exponent == 31 ? (fraction ? (double)NAN : (double)INFINITY)
                   : exponent     ? ldexp(1024 + fraction, exponent - 25)
                                  : ldexp(fraction, -24);
    return bits >> 15 ? -value : value;
}

static void swap_bytes(unsigned char *raw, int64_t count, int width) {
    for (int64_t i = 0; i < count; i++, raw += width)
        for (int low = 0, high = width - 1; low < high; low++, high--) {
            unsigned char byte = raw[low];
            raw[low] = raw[high];
            raw[high] = byte;
        }
}

#define WIDEN(type, widen)                                                                         \
    for (int64_t i = 0; i < count; i++) {                                                          \
        type value;                                                                                \
        memcpy(&value, raw + (size_t)i * sizeof value, sizeof value);                              \
        out[i] = widen(value);                                                                     \
    }                                                                                              \
    break

/* Kind and width as one number. */
#define TYPE(kind, width) ((kind) << 4 | (width))

static void widen_reals(const dgmi_bytes_npy *npy, const unsigned char *raw, int64_t count,
                        double *out) {
    switch (TYPE(npy->kind, npy->width)) {
    case TYPE('i', 1):
        WIDEN(int8_t, (double));
    case TYPE('i', 2):
        WIDEN(int16_t, (double));
    case TYPE('i', 4):
        WIDEN(int32_t, (double));
    case TYPE('i', 8):
        WIDEN(int64_t, (double));
    case TYPE('u', 2):
        WIDEN(uint16_t, (double));
    case TYPE('u', 4):
        WIDEN(uint32_t, (double));
    case TYPE('u', 8):
        WIDEN(uint64_t, (double));
    case TYPE('f', 2):
        WIDEN(uint16_t, half_to_double);
    case TYPE('f', 4):
        WIDEN(float, (double));
    case TYPE('f', 8):
        WIDEN(double, (double));
    default: /* booleans and bytes */
        WIDEN(uint8_t, (double));
    }
}

static int64_t whole_of_unsigned(uint64_t value) {
    return value > INT64_MAX ? NOT_WHOLE : (int64_t)value;
}

static int64_t whole_of_real(double value) {
    return fabs(value) < 0x1p62 && value == floor(value) ? (int64_t)value : NOT_WHOLE;
}

static int64_t whole_of_half(uint16_t value) {
    return whole_of_real(half_to_double(value));
}

static void widen_integers(const dgmi_bytes_npy *npy, const unsigned char *raw, int64_t count,
                           int64_t *out) {
    switch (TYPE(npy->kind, npy->width)) {
    case TYPE('i', 1):
        WIDEN(int8_t, (int64_t));
    case TYPE('i', 2):
        WIDEN(int16_t, (int64_t));
    case TYPE('i', 4):
        WIDEN(int32_t, (int64_t));
    case TYPE('i', 8):
        WIDEN(int64_t, (int64_t));
    case TYPE('u', 2):
        WIDEN(uint16_t, (int64_t));
    case TYPE('u', 4):
        WIDEN(uint32_t, (int64_t));
    case TYPE('u', 8):
        WIDEN(uint64_t, whole_of_unsigned);
    case TYPE('f', 2):
        WIDEN(uint16_t, whole_of_half);
    case TYPE('f', 4):
        WIDEN(float, whole_of_real);
    case TYPE('f', 8):
        WIDEN(double, whole_of_real);
    default:
        WIDEN(uint8_t, (int64_t));
    }
}

/* ---- from those to what the caller wants ---- */

/* The element's place for messages: NumPy's indices. */
static const char *place_text(const dgmi_bytes_npy *npy, int64_t index, char buffer[128]) {
    assert(index >= 0 && index < npy->count);
    int64_t rows, columns;
    if (!dgmi_bytes_npy_matrix(npy, &rows, &columns))
        snprintf(buffer, 128, "element %lld", (long long)index);
    else if (npy->dimensions == 1)
        snprintf(buffer, 128, "row %lld", (long long)index);
    else
        snprintf(buffer, 128, "row %lld, column %lld",
                 (long long)(npy->fortran ? index % rows : index / columns),
                 (long long)(npy->fortran ? index / rows : index % columns));
    return buffer;
}

static dgm_status refuse_element(const dgmi_bytes_npy *npy, dgmi_bytes_npy_type type, int64_t index,
                                 const unsigned char *raw) {
    char place[128], number[DGMI_NUMBER_SPACE];
    int64_t whole;
    double real;
    widen_integers(npy, raw, 1, &whole);
    widen_reals(npy, raw, 1, &real);
    if (whole == NOT_WHOLE)
        dgmi_format_real(real, number);
    else
        snprintf(number, sizeof number, "%lld", (long long)whole);
    return dgmi_bytes_npy_fail(npy, DGM_ERROR_DATA, "%s (counted from 0) is %s, not %s",
                               place_text(npy, index, place), number,
                               types[type].expected ? types[type].expected : "a finite number");
}

/* Both store as long as values are good and return how many that were. */
static int64_t store_reals(dgmi_bytes_npy_type type, const double *from, int64_t count, void *to) {
    double *doubles = to;
    float *floats = to;
    for (int64_t i = 0; i < count; i++) {
        if (type == DGMI_BYTES_NPY_REAL)
            doubles[i] = from[i];
        else
            floats[i] = (float)from[i];
        if (!isfinite(from[i]) || (type == DGMI_BYTES_NPY_FLOAT && !isfinite(floats[i])))
            return i;
    }
    return count;
}

static int64_t store_integers(dgmi_bytes_npy_type type, const int64_t *from, int64_t count,
                              void *to) {
    int64_t least = types[type].least, most = types[type].most, good = 0;
    while (good < count && from[good] >= least && from[good] <= most)
        good++;
    for (int64_t i = 0; i < good; i++)
        switch (type) {
        case DGMI_BYTES_NPY_NODE:
            ((uint32_t *)to)[i] = (uint32_t)from[i];
            break;
        case DGMI_BYTES_NPY_LABEL:
            ((int32_t *)to)[i] = (int32_t)from[i];
            break;
        case DGMI_BYTES_NPY_FLAG:
            ((uint8_t *)to)[i] = (uint8_t)from[i];
            break;
        default:
            ((int64_t *)to)[i] = from[i];
        }
    return good;
}

/* Nodes as nearly every file holds them, in one sweep; false leaves them to the way above, which
 * finds the one that is wrong. */
static bool store_nodes(const dgmi_bytes_npy *npy, const unsigned char *raw, int64_t count,
                        uint32_t *nodes) {
    bool wide = npy->width == 8 && npy->kind != 'f';
    uint64_t large = 0;
    uint32_t small = 0;
    if (!wide && (npy->width != 4 || npy->kind == 'f'))
        return false;
    for (int64_t i = 0; wide && i < count; i++) {
        uint64_t value;
        memcpy(&value, raw + (size_t)i * sizeof value, sizeof value);
        nodes[i] = (uint32_t)value;
        small = nodes[i] > small ? nodes[i] : small;
        large |= value >> 32;
    }
    for (int64_t i = 0; !wide && i < count; i++) {
        memcpy(&nodes[i], raw + (size_t)i * sizeof *nodes, sizeof *nodes);
        small = nodes[i] > small ? nodes[i] : small;
    }
    return large == 0 && small < DGM_MAX_NODES;
}

/* A block of raw elements, the same widened, and as the caller wants them. */
typedef struct {
    unsigned char *raw;
    union {
        double *reals;
        int64_t *integers;
        void *any;
    } wide;
    void *values;
} element_block;

/* Elements first .. first + count of the array, from raw bytes to values. */
static dgm_status convert(const dgmi_bytes_npy *npy, dgmi_bytes_npy_type type, int64_t first,
                          int64_t count, const element_block *block) {
    int64_t good;
    void *values = block->values;
    if (npy->swapped)
        swap_bytes(block->raw, count, npy->width);
    if (type == DGMI_BYTES_NPY_NODE && store_nodes(npy, block->raw, count, values))
        return DGM_OK;
    if (types[type].expected) {
        widen_integers(npy, block->raw, count, block->wide.integers);
        good = store_integers(type, block->wide.integers, count, values);
    } else {
        widen_reals(npy, block->raw, count, block->wide.reals);
        good = store_reals(type, block->wide.reals, count, values);
    }
    return good == count ? DGM_OK
                         : refuse_element(npy, type, first + good, block->raw + good * npy->width);
}

static dgm_status fail_short(const dgmi_bytes_npy *npy, int64_t bytes) {
    char shape[128];
    return dgmi_bytes_npy_fail(
        npy, DGM_ERROR_FORMAT,
        "the header promises %s elements of %d bytes (%.3g MB), but only %lld "
        "bytes of data are there",
        dgmi_bytes_npy_shape_text(npy, shape), npy->width, (double)npy->count * npy->width / 1e6,
        (long long)bytes);
}

static dgm_status check_end(const dgmi_bytes_npy *npy) {
    char shape[128], more;
    int64_t got;
    dgm_status status = npy->read(npy->user, &more, 1, &got);
    if (status == DGM_OK && got > 0)
        status = dgmi_bytes_npy_fail(npy, DGM_ERROR_FORMAT,
                                     "data go on behind an array of shape %s: one array a file",
                                     dgmi_bytes_npy_shape_text(npy, shape));
    return status;
}

static dgm_status read_blocks(dgmi_bytes_npy *npy, dgmi_bytes_npy_type type,
                              const element_block *block, dgmi_bytes_npy_take_fn take, void *user) {
    dgm_status status = DGM_OK;
    for (int64_t done = 0; status == DGM_OK && done < npy->count;) {
        int64_t count = npy->count - done < BLOCK_ELEMENTS ? npy->count - done : BLOCK_ELEMENTS;
        int64_t got = 0;
        status = npy->read(npy->user, block->raw, count * npy->width, &got);
        if (status == DGM_OK && got < count * npy->width)
            status = fail_short(npy, done * npy->width + got);
        if (status == DGM_OK)
            status = convert(npy, type, done, count, block);
        if (status == DGM_OK)
            status = take(user, done, count, block->values);
        if (status == DGM_OK)
            status =
                dgmi_progress(npy->ctx, "reading", (double)(done += count) / (double)npy->count);
    }
    return status;
}

dgm_status dgmi_bytes_npy_each(dgmi_bytes_npy *npy, dgmi_bytes_npy_type type,
                               dgmi_bytes_npy_take_fn take, void *user) {
    dgmi_hold hold = dgmi_arena_hold(npy->ctx);
    element_block block = {.raw = dgmi_scratch(npy->ctx, BLOCK_ELEMENTS, LARGEST_ELEMENT)};
    block.wide.any = dgmi_scratch(npy->ctx, BLOCK_ELEMENTS, sizeof(double));
    block.values = dgmi_scratch(npy->ctx, BLOCK_ELEMENTS, sizeof(double));
    dgm_status status = block.raw && block.wide.any && block.values
                            ? read_blocks(npy, type, &block, take, user)
                            : DGM_ERROR_MEMORY;
    if (status == DGM_OK)
        status = check_end(npy);
    dgmi_arena_release(npy->ctx, hold);
    return status;
}

/* All elements in one piece that grows with the data. */
typedef struct {
    dgm_context *ctx;
    void **values;
    int64_t capacity;
    size_t size; /* of an element */
} whole_array;

static dgm_status keep_block(void *user, int64_t first, int64_t count, const void *values) {
    whole_array *whole = user;
    dgm_status status =
        dgmi_reserve(whole->ctx, whole->values, &whole->capacity, first + count, whole->size);
    if (status == DGM_OK)
        memcpy((char *)*whole->values + (size_t)first * whole->size, values,
               (size_t)count * whole->size);
    return status;
}

dgm_status dgmi_bytes_npy_read(dgmi_bytes_npy *npy, dgmi_bytes_npy_type type, void **values) {
    whole_array whole = {npy->ctx, values, 0, types[type].size};
    *values = NULL;
    dgm_status status = dgmi_bytes_npy_each(npy, type, keep_block, &whole);
    if (status == DGM_OK) { /* give back what growing took too much */
        void *fitted = dgmi_realloc(npy->ctx, *values, npy->count, types[type].size);
        status = fitted ? DGM_OK : DGM_ERROR_MEMORY;
        *values = fitted ? fitted : *values;
    }
    if (status != DGM_OK) {
        dgmi_free(npy->ctx, *values);
        *values = NULL;
    }
    return status;
}

/* columns x rows, one behind the other, into rows x columns. */
static void transpose(const char *from, char *to, int64_t rows, int64_t columns, size_t size) {
    for (int64_t r = 0; r < rows; r++)
        for (int64_t c = 0; c < columns; c++, to += size)
            memcpy(to, from + (size_t)(c * rows + r) * size, size);
}

dgm_status dgmi_bytes_npy_read_rows(dgmi_bytes_npy *npy, dgmi_bytes_npy_type type, void **values) {
    int64_t rows, columns;
    dgm_status status = dgmi_bytes_npy_read(npy, type, values);
    if (status != DGM_OK || !dgmi_bytes_npy_matrix(npy, &rows, &columns) || !npy->fortran ||
        rows < 2 || columns < 2)
        return status;
    void *turned = dgmi_alloc(npy->ctx, npy->count, types[type].size);
    if (turned)
        transpose(*values, turned, rows, columns, types[type].size);
    dgmi_free(npy->ctx, *values);
    *values = turned;
    return turned ? DGM_OK : DGM_ERROR_MEMORY;
}
