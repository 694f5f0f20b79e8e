/* SPDX-License-Identifier: Apache-2.0 */
/* Places of clusters carried to their nodes, and from nodes to other clusters. */
#include "unit_fixture.h"

#include <math.h>

#include "draw_carry.h"

/* Node 0 is in one cluster, node 1 in two, node 2 in none, node 3 in the last. */
static const int64_t offsets[] = {0, 2, 3, 4};
static const uint32_t members[] = {0, 1, 1, 3};
static const dgm_summary_clusters clusters = {.count = 3, .offsets = offsets, .members = members};

static void nodes_stand_in_the_middle_of_their_clusters(void **state) {
    (void)state;
    static const double x[] = {1, 4, -2}, y[] = {10, 20, 5};
    const dgm_places places = {.x = x, .y = y};
    double node[10], count[5];
    for (int i = 0; i < 10; i++)
        node[i] = count[i / 2] = 77; /* and one node more, which is not theirs */
    dgmi_draw_carry_nodes(&clusters, &places, 4, node, count);
    static const double expected[] = {1, 10, 2.5, 15, NAN, NAN, -2, 5, 77, 77};
    static const double counted[] = {1, 2, 0, 1, 77};
    for (int i = 0; i < 10; i++)
        assert_true(isnan(expected[i]) ? isnan(node[i]) : node[i] == expected[i]);
    for (int u = 0; u < 5; u++)
        assert_true(count[u] == counted[u]);
}

static void clusters_start_in_the_middle_of_their_known_nodes(void **state) {
    (void)state;
    static const double node[] = {1, 10, 3, -4, 50, 60, NAN, NAN};
    double start[8] = {0, 0, 0, 0, 0, 0, 77, 77};
    dgmi_draw_carry_clusters(&clusters, node, start);
    static const double expected[] = {2, 3, 3, -4, NAN, NAN, 77, 77};
    for (int i = 0; i < 8; i++)
        assert_true(isnan(expected[i]) ? isnan(start[i]) : start[i] == expected[i]);
    static const double half[] = {NAN, NAN, 3, -4, 50, 60, 7, 8};
    dgmi_draw_carry_clusters(&clusters, half, start);
    static const double rest[] = {3, -4, 3, -4, 7, 8};
    for (int i = 0; i < 6; i++)
        assert_near(start[i], rest[i], 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(nodes_stand_in_the_middle_of_their_clusters),
        cmocka_unit_test(clusters_start_in_the_middle_of_their_known_nodes),
    };
    return RUN_WITH_CONTEXT(tests);
}
