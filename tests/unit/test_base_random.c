/* SPDX-License-Identifier: Apache-2.0 */
#include "unit_fixture.h"

#include <math.h>

#include "base_random.h"

/* Known answers of Philox4x32-10 as published with the paper (Random123, kat_vectors):
 *   counter 00000000 x4, key 00000000 x2  ->  6627e8d5 e169c58d bc57ac4c 9b00dbd8
 *   counter ffffffff x4, key ffffffff x2  ->  408f276d 41c83b0e a20bc7c6 6d5451fd
 *   counter 243f6a88 85a308d3 13198a2e 03707344, key a4093822 299f31d0
 *                                         ->  d16cfe09 94fdcceb 5001e420 24126ea1
 * The words of the counter are (low and high half of the counter, of the stream), the key's are the
 * halves of the seed; of the answer the first two words are kept, the first as the low half. */
static void known_answers_of_philox_are_met(void **state) {
    (void)state;
    assert_int_equal(dgmi_random_bits(0, 0, 0), UINT64_C(0xe169c58d6627e8d5));
    assert_int_equal(dgmi_random_bits(UINT64_MAX, UINT64_MAX, UINT64_MAX),
                     UINT64_C(0x41c83b0e408f276d));
    assert_int_equal(dgmi_random_bits(UINT64_C(0x299f31d0a4093822), UINT64_C(0x0370734413198a2e),
                                      UINT64_C(0x85a308d3243f6a88)),
                     UINT64_C(0x94fdccebd16cfe09));
}

static void seed_stream_and_counter_all_matter(void **state) {
    (void)state;
    uint64_t here = dgmi_random_bits(1, 2, 3);
    assert_int_not_equal(here, dgmi_random_bits(2, 2, 3));
    assert_int_not_equal(here, dgmi_random_bits(1, 3, 3));
    assert_int_not_equal(here, dgmi_random_bits(1, 2, 4));
    assert_int_not_equal(here, dgmi_random_bits(1 | UINT64_C(1) << 63, 2, 3));
    assert_int_not_equal(here, dgmi_random_bits(1, 2 | UINT64_C(1) << 63, 3));
    assert_int_not_equal(here, dgmi_random_bits(1, 2, 3 | UINT64_C(1) << 63));
}

static void a_stream_is_its_draws_in_order(void **state) {
    (void)state;
    dgmi_random random = {7, 8, 0};
    for (uint64_t i = 0; i < 10; i += 2) {
        assert_true(dgmi_random_next(&random) == dgmi_random_unit(7, 8, i));
        assert_int_equal(dgmi_random_next_below(&random, 1000),
                         dgmi_random_below(7, 8, i + 1, 1000));
    }
    assert_int_equal(random.counter, 10);
}

/* Mean 1/2 and variance 1/12 of 100,000 draws: five standard errors are 0.0046 and 0.0012. */
static void units_are_uniform(void **state) {
    (void)state;
    enum { DRAWS = 100000 };
    double sum = 0, squares = 0;
    for (uint64_t i = 0; i < DRAWS; i++) {
        double unit = dgmi_random_unit(3, 1, i);
        assert_true(unit >= 0 && unit < 1 && unit * 0x1p53 == floor(unit * 0x1p53));
        sum += unit;
        squares += (unit - 0.5) * (unit - 0.5);
    }
    assert_near(sum / DRAWS, 0.5, 0.0046);
    assert_near(squares / DRAWS, 1.0 / 12, 0.0012);
}

/* Chi square of 10 faces, 9 degrees of freedom: above 40 once in 100,000 seeds. */
static void draws_below_a_bound_hit_every_value_alike(void **state) {
    (void)state;
    enum { FACES = 10, DRAWS = 50000 };
    int64_t faces[FACES] = {0};
    for (uint64_t i = 0; i < DRAWS; i++) {
        uint64_t face = dgmi_random_below(5, 1, i, FACES);
        assert_true(face < FACES);
        faces[face]++;
    }
    double chi = 0, expected = (double)DRAWS / FACES;
    for (int k = 0; k < FACES; k++)
        chi += ((double)faces[k] - expected) * ((double)faces[k] - expected) / expected;
    assert_true(chi < 40);
    assert_int_equal(dgmi_random_below(5, 1, 99, 1), 0);
}

static void every_bit_is_set_half_of_the_time(void **state) {
    (void)state;
    enum { DRAWS = 20000 };
    int64_t ones[64] = {0};
    for (uint64_t i = 0; i < DRAWS; i++) {
        uint64_t bits = dgmi_random_bits(9, 9, i);
        for (int bit = 0; bit < 64; bit++)
            ones[bit] += bits >> bit & 1;
    }
    for (int bit = 0; bit < 64; bit++) /* six standard deviations: 6 * sqrt(20000) / 2 */
        assert_near((double)ones[bit], DRAWS / 2, 425);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(known_answers_of_philox_are_met),
        cmocka_unit_test(seed_stream_and_counter_all_matter),
        cmocka_unit_test(a_stream_is_its_draws_in_order),
        cmocka_unit_test(units_are_uniform),
        cmocka_unit_test(draws_below_a_bound_hit_every_value_alike),
        cmocka_unit_test(every_bit_is_set_half_of_the_time),
    };
    return RUN_WITH_CONTEXT(tests);
}
