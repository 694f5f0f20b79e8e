/* SPDX-License-Identifier: Apache-2.0 */
/* Steps of training that PyTorch took: tests/data/oracle/nn_gcn.txt and nn_runs.txt, made by
 * tools/oracle/nn_gcn.py and nn_runs.py.
 *
 *   NAME ROWS COLUMNS
 *   NUMBER NUMBER ...          one line a row
 */
#ifndef NN_GOLDEN_H
#define NN_GOLDEN_H

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "unit_fixture.h"

enum { GOLDEN_TABLES = 2048, GOLDEN_NUMBERS = 1 << 16 };

typedef struct golden_table {
    char name[64];
    int64_t rows, columns;
    const double *values;
} golden_table;

static golden_table golden_tables[GOLDEN_TABLES];
static int golden_count;
static double golden_numbers[GOLDEN_NUMBERS];
static int64_t golden_used;

static inline void read_golden(const char *file_name) {
    char path[4096], comment[256];
    snprintf(path, sizeof path, "%s/oracle/%s", getenv("DGM_TEST_DATA"), file_name);
    FILE *file = fopen(path, "r");
    if (!file)
        fail_msg("%s is missing", path);
    assert_non_null(fgets(comment, sizeof comment, file));
    golden_table table;
    long rows, columns;
    while (fscanf(file, "%63s %ld %ld", table.name, &rows, &columns) == 3) {
        table.rows = rows;
        table.columns = columns;
        assert_true(golden_count < GOLDEN_TABLES);
        assert_true(golden_used + table.rows * table.columns <= GOLDEN_NUMBERS);
        table.values = golden_numbers + golden_used;
        for (int64_t i = 0; i < table.rows * table.columns; i++)
            assert_int_equal(fscanf(file, "%lf", &golden_numbers[golden_used++]), 1);
        golden_tables[golden_count++] = table;
    }
    assert_true(feof(file));
    fclose(file);
}

/* step < 0: of no step */
static inline const golden_table *find_golden(const char *name, int step) {
    char full[160];
    snprintf(full, sizeof full, step < 0 ? "%s" : "%s_%d", name, step);
    for (int t = 0; t < golden_count; t++)
        if (strcmp(golden_tables[t].name, full) == 0)
            return &golden_tables[t];
    fail_msg("no table %s", full);
    return NULL;
}

/* Every number to within `tolerance` of the table's largest. */
static inline void check_golden(const char *name, int step, const float *found, int64_t rows,
                                int64_t columns, double tolerance) {
    const golden_table *table = find_golden(name, step);
    double scale = 0;
    assert_int_equal(rows, table->rows);
    assert_int_equal(columns, table->columns);
    for (int64_t i = 0; i < rows * columns; i++)
        scale = fmax(scale, fabs(table->values[i]));
    for (int64_t i = 0; i < rows * columns; i++)
        if (!(fabs((double)found[i] - table->values[i]) <= tolerance * scale))
            fail_msg("%s: cell %lld is %.9g, not %.9g", table->name, (long long)i, (double)found[i],
                     table->values[i]);
}

#endif
