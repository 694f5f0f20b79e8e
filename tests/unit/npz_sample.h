/* SPDX-License-Identifier: Apache-2.0 */
/* Zips of arrays, made by hand, and the graph that numpy_arrays.h holds. Included once a program, after
 * cmocka.h and io_scratch.h. */
#ifndef NPZ_SAMPLE_H
#define NPZ_SAMPLE_H

#include "numpy_arrays.h"

typedef struct {
    unsigned char bytes[1 << 17];
    size_t used;
    unsigned char directory[2048];
    size_t directory_used;
    int members;
} arrays;

static inline void put(arrays *zip, uint64_t value, int bytes) {
    for (int k = 0; k < bytes; k++)
        zip->bytes[zip->used++] = (unsigned char)(value >> 8 * k);
}

static inline uint32_t crc_of(const unsigned char *data, size_t size) {
    uint32_t crc = ~0u;
    for (size_t i = 0; i < size; i++) {
        crc ^= data[i];
        for (int k = 0; k < 8; k++)
            crc = crc >> 1 ^ (0xedb88320u & (0 - (crc & 1)));
    }
    return ~crc;
}

/* One stored member "NAME.npy". */
static inline void add(arrays *zip, const char *name, const char *descr, const char *shape,
                       const void *data, size_t size) {
    static unsigned char file[1 << 15];
    memset(file, 0, sizeof file);
    char header[256];
    int length = snprintf(header, sizeof header,
                          "{'descr': '%s', 'fortran_order': False, 'shape': %s, }\n", descr, shape);
    memcpy(file, "\x93NUMPY\1\0", 8);
    file[8] = (unsigned char)length;
    memcpy(file + 10, header, (size_t)length);
    memcpy(file + 10 + length, data, size);
    size_t total = 10 + (size_t)length + size, start = zip->used;
    put(zip, 0x04034b50, 4);
    put(zip, 20, 2);
    put(zip, 0, 8);
    put(zip, crc_of(file, total), 4);
    put(zip, total, 4);
    put(zip, total, 4);
    put(zip, strlen(name) + 4, 2);
    put(zip, 0, 2);
    unsigned char *entry = zip->directory + zip->directory_used;
    memcpy(entry, "PK\1\2\24\0", 6);
    memcpy(entry + 6, zip->bytes + start + 4, 26); /* version to the length of the extra field */
    for (int k = 0; k < 4; k++)
        entry[42 + k] = (unsigned char)(start >> 8 * k);
    zip->directory_used += 46 + (size_t)sprintf((char *)entry + 46, "%s.npy", name);
    zip->members++;
    zip->used += (size_t)sprintf((char *)zip->bytes + zip->used, "%s.npy", name);
    memcpy(zip->bytes + zip->used, file, total);
    zip->used += total;
}

static const char *save(arrays *zip, const char *name) {
    size_t start = zip->used;
    memcpy(zip->bytes + start, zip->directory, zip->directory_used);
    zip->used += zip->directory_used;
    put(zip, 0x06054b50, 4);
    put(zip, 0, 4);
    put(zip, (uint64_t)zip->members, 2);
    put(zip, (uint64_t)zip->members, 2);
    put(zip, zip->directory_used, 4);
    put(zip, start, 4);
    put(zip, 0, 2);
    return scratch_bytes(name, zip->bytes, zip->used);
}

/* 0 - 1, 1 - 2 as (2, 2): sources 0 1, targets 1 2. */
static const int64_t path_index[] = {0, 1, 1, 2};

static inline arrays with_path(void) {
    arrays zip = {.used = 0};
    add(&zip, "edge_index", "<i8", "(2, 2)", path_index, sizeof path_index);
    return zip;
}

static inline void expect_path(const dgm_graph *graph, int64_t nodes) {
    assert_int_equal(dgm_graph_nodes(graph), nodes);
    dgm_graph_rows rows = dgm_graph_get_rows(graph);
    const uint32_t targets[] = {1, 0, 2, 1, 3, 2};
    assert_int_equal(rows.entries, 6);
    assert_memory_equal(rows.targets, targets, sizeof targets);
}

static inline void expect_all(const dgm_graph *graph) {
    const int32_t labels[] = {0, 1, 1, 2, -1};
    const uint8_t splits[] = {DGM_SPLIT_TRAIN, DGM_SPLIT_VALIDATION, DGM_SPLIT_TEST, DGM_SPLIT_TEST,
                              DGM_SPLIT_NONE};
    const double weights[] = {0.5, 0.5, 2, 2, 1.25, 1.25};
    expect_path(graph, 5);
    assert_memory_equal(dgm_graph_get_rows(graph).weights, weights, sizeof weights);
    assert_memory_equal(dgm_graph_labels(graph), labels, sizeof labels);
    assert_memory_equal(dgm_graph_splits(graph), splits, sizeof splits);
    dgm_graph_features features = dgm_graph_get_features(graph);
    assert_int_equal(features.width, 3);
    assert_null(features.columns);
    for (int i = 0; i < 15; i++)
        assert_true(features.values[i] == (float)i);
}

#endif
