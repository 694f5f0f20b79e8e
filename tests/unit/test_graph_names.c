/* SPDX-License-Identifier: Apache-2.0 */
#include "unit_fixture.h"

#include <stdio.h>
#include <string.h>

#include "base_context.h"
#include "graph_names.h"

/* The most occupied places one behind the other: what a search may have to go through. */
static int64_t longest_run(const dgmi_graph_names *names) {
    int64_t longest = 0, run = 0;
    for (int64_t i = 0; i < 2 * names->table_size; i++) {
        run = names->table[i % names->table_size] ? run + 1 : 0;
        longest = run > longest ? run : longest;
    }
    return longest;
}

/* Interns the name and checks that it is node `expected`. */
static void expect_node(dgmi_graph_names *names, const void *text, size_t length,
                        uint32_t expected) {
    uint32_t node;
    assert_int_equal(dgmi_graph_names_intern(ctx, names, text, length, &node), DGM_OK);
    assert_int_equal(node, expected);
}

enum { NAMES = 30000 };

/* What a multiplication by a constant that is known makes of eight bytes, backwards: names whose
 * products have all their lower bits in common. */
static uint64_t colliding_name(uint64_t i) {
    const uint64_t factor = 0xD6E8FEB86659FD93u;
    uint64_t inverse = factor; /* Newton's iteration doubles the bits that are right */
    for (int step = 0; step < 6; step++)
        inverse *= 2 - factor * inverse;
    uint64_t state = i << 49; /* its upper half passes through the fold unchanged */
    state ^= state >> 32;
    return (state * inverse) ^ 0x9E3779B97F4A7C15u ^ 8;
}

static void names_made_to_collide_do_not(void **state) {
    (void)state;
    dgmi_graph_names names = {0};
    for (uint32_t i = 0; i < NAMES; i++) {
        uint64_t name = colliding_name(i);
        expect_node(&names, &name, sizeof name, i);
    }
    assert_true(longest_run(&names) < NAMES / 50);
    dgmi_graph_names_free(&ctx->allocator, &names);
}

/* Short, long, and alike but for one byte anywhere. */
static void names_of_any_length_are_told_apart(void **state) {
    (void)state;
    dgmi_graph_names names = {0};
    char text[64];
    uint32_t count = 0;
    for (size_t length = 1; length < 60; length++)
        for (size_t place = 0; place < length; place++)
            for (char letter = 'b'; letter < 'd'; letter++, count++) {
                memset(text, 'a', length);
                text[place] = letter;
                expect_node(&names, text, length, count);
            }
    assert_int_equal(names.count, count);
    assert_true(longest_run(&names) < count / 20);
    memset(text, 'a', 59);
    text[0] = 'b';
    assert_int_equal(dgmi_graph_names_find(&names, text, 59), count - 2 * 59);
    text[0] = 'x';
    assert_int_equal(dgmi_graph_names_find(&names, text, 59), -1);
    dgmi_graph_names_free(&ctx->allocator, &names);
}

/* Two tables have keys of their own; what they answer is the same. */
static void nodes_are_numbered_as_they_are_met_whatever_the_keys(void **state) {
    (void)state;
    dgmi_graph_names first = {0}, second = {0};
    char text[32];
    for (uint32_t i = 0; i < 1000; i++) {
        int length = snprintf(text, sizeof text, "node %u", i * 7 % 1000);
        expect_node(&first, text, (size_t)length, i);
        expect_node(&second, text, (size_t)length, i);
    }
    assert_true(first.keys[0] != second.keys[0] || first.keys[1] != second.keys[1]);
    dgmi_graph_names_free(&ctx->allocator, &first);
    dgmi_graph_names_free(&ctx->allocator, &second);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(names_made_to_collide_do_not),
        cmocka_unit_test(names_of_any_length_are_told_apart),
        cmocka_unit_test(nodes_are_numbered_as_they_are_met_whatever_the_keys),
    };
    return RUN_WITH_CONTEXT(tests);
}
