/* SPDX-License-Identifier: Apache-2.0 */
/* The recorded cases: a graph, a lens, parameters, and what the paper's own code returned. */
#ifndef ORACLE_CASE_H
#define ORACLE_CASE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <jansson.h>

typedef struct oracle_edge {
    int64_t source, target;
    double weight;
} oracle_edge;

/* Clusters as member lists, and edges between them. */
typedef struct oracle_result {
    int64_t count;
    int64_t *sizes;
    uint32_t **members; /* sorted by oracle_result_add */
    int64_t edge_count;
    oracle_edge *edges;
} oracle_result;

typedef struct oracle_case {
    char name[64];
    int64_t nodes, edge_count, columns;
    uint32_t *edges; /* 2 * edge_count */
    double *lens;    /* nodes * columns */
    int64_t intervals, min_component;
    double overlap, eps;
    bool structural;
    oracle_result expected;
} oracle_case;

/* Names of the case files, NULL-terminated, or NULL if there is no such folder (then the caller
 * skips). */
char **oracle_list(void);
void oracle_list_free(char **paths);

/* False if the file is not such a case. */
bool oracle_load(const char *path, oracle_case *out);
void oracle_free(oracle_case *c);

/* Appends; the members are copied. */
void oracle_result_add(oracle_result *result, int64_t size, const uint32_t *members);
void oracle_result_join(oracle_result *result, int64_t source, int64_t target, double weight);
void oracle_result_free(oracle_result *result);

/* Equal as multisets of member lists and of weighted pairs of member lists, weights to 1e-5; else
 * `why` is set. */
bool oracle_result_equal(const oracle_result *a, const oracle_result *b, char why[200]);

#endif
