/* SPDX-License-Identifier: Apache-2.0 */
/* Letters between points: every sender writes once, and every letter is read once. */
#include "unit_fixture.h"

#include <stdlib.h>

#include "base_memory.h"
#include "neighbours_descent.h"
#include "unit_progress.h"

/* Sender i writes `letters(i)` letters; who has read what is noted. */
typedef struct {
    dgmi_neighbours_post *post;
    int64_t (*letters)(int64_t sender);
    int64_t *wrote, *read; /* of each sender: how often; of each receiver: how many */
    uint32_t *last;        /* of each receiver: who wrote the last letter that it read */
    bool ordered;          /* letters to one receiver were read in the order of their senders */
    int64_t cancel_at;     /* the sender that cancels; -1: none */
    int64_t reads;
} office;

static uint32_t receiver_of(const office *o, int64_t sender, int64_t letter) {
    return (uint32_t)((sender * 31 + letter * 17) % o->post->count);
}

static void write_letters(void *user, int64_t sender, dgmi_neighbours_bag *bag, int thread) {
    office *o = user;
    assert_true(sender >= 0 && sender < o->post->count);
    assert_int_equal(thread, 0);
    assert_true(bag->count + o->post->most <= DGMI_NEIGHBOURS_BAG_ROOM);
    o->wrote[sender]++;
    if (sender == o->cancel_at)
        dgm_context_cancel(ctx);
    for (int64_t j = 0; j < o->letters(sender); j++)
        dgmi_neighbours_post_write(bag, (dgmi_neighbours_letter){receiver_of(o, sender, j),
                                                                 (uint32_t)sender,
                                                                 {.kind = (uint32_t)j}});
}

static void read_letter(void *user, int64_t range, const dgmi_neighbours_letter *letter) {
    office *o = user;
    assert_true(range < DGMI_NEIGHBOURS_RANGES);
    assert_int_equal(range, letter->to >> o->post->shift);
    assert_int_equal(letter->to, receiver_of(o, letter->from, letter->kind));
    if (o->read[letter->to]++ && o->last[letter->to] > letter->from)
        o->ordered = false;
    o->last[letter->to] = letter->from;
    o->reads++;
}

/* One round of that many senders, of which each may write `most`; alone, so that it can count. */
static dgm_status send(office *o, int64_t count, int64_t most, int64_t (*letters)(int64_t)) {
    dgmi_hold hold = dgmi_arena_hold(ctx);
    int64_t cancel_at = o->cancel_at;
    *o = (office){.letters = letters, .ordered = true, .cancel_at = cancel_at};
    o->wrote = calloc((size_t)count, sizeof *o->wrote);
    o->read = calloc((size_t)count, sizeof *o->read);
    o->last = calloc((size_t)count, sizeof *o->last);
    dgm_context_set_threads(ctx, 1);
    assert_int_equal(dgmi_neighbours_post_open(ctx, count, &o->post), DGM_OK);
    o->post->most = most;
    o->post->write = write_letters;
    o->post->read = read_letter;
    o->post->user = o;
    hear_progress();
    dgm_status status = dgmi_neighbours_post_round(o->post);
    hear_no_more();
    dgm_context_set_threads(ctx, 0);
    dgm_context_resume(ctx);
    if (status == DGM_OK) {
        int64_t *expected = calloc((size_t)count, sizeof *expected);
        for (int64_t i = 0; i < count; i++) {
            assert_int_equal(o->wrote[i], 1);
            for (int64_t j = 0; j < letters(i); j++)
                expected[receiver_of(o, i, j)]++;
        }
        assert_memory_equal(expected, o->read, (size_t)count * sizeof *expected);
        free(expected);
    }
    dgmi_arena_release(ctx, hold);
    return status;
}

static void close_office(office *o) {
    free(o->wrote);
    free(o->read);
    free(o->last);
}

static int64_t one_letter(int64_t sender) {
    (void)sender;
    return 1;
}

static int64_t many_of_the_first(int64_t sender) {
    return sender < 1500 ? 20 : sender % 3;
}

static int64_t a_whole_bag(int64_t sender) {
    return sender == 3 ? 0 : DGMI_NEIGHBOURS_BAG_ROOM;
}

/* 64 bags of 1024 senders each are filled at once. */
static void every_letter_is_read_once(void **state) {
    (void)state;
    static const struct {
        int64_t count, most, passes;
        int64_t (*letters)(int64_t);
    } rounds[] = {
        {1, 1, 1, one_letter},
        {1024, 1, 1, one_letter},
        {65536, 1, 1, one_letter},
        {65537, 1, 2, one_letter},
        {1500, 20, 2, many_of_the_first}, /* 819 senders of 20 letters fill a bag */
        {70000, 20, 2, many_of_the_first},
        {819, 20, 1, many_of_the_first},
        {820, 20, 2, many_of_the_first},
        {820, 4, 1, one_letter},
        {6, DGMI_NEIGHBOURS_BAG_ROOM, 5, a_whole_bag},
    };
    for (int64_t r = 0; r < COUNT(rounds); r++) {
        office o = {.cancel_at = -1};
        assert_int_equal(send(&o, rounds[r].count, rounds[r].most, rounds[r].letters), DGM_OK);
        assert_int_equal(reports_of("nearest neighbours"), rounds[r].passes);
        assert_int_equal(heard_count, rounds[r].passes);
        assert_true(heard_reports[0].fraction == -1);
        assert_true(o.ordered || rounds[r].count > 1024);
        close_office(&o);
    }
}

static void there_are_as_many_ranges_as_a_shift_allows(void **state) {
    (void)state;
    static const int64_t shapes[][2] = {{1, 0},   {2, 0},   {64, 0},   {65, 1},
                                        {128, 1}, {129, 2}, {4096, 6}, {4097, 7}};
    for (int64_t i = 0; i < COUNT(shapes); i++) {
        dgmi_hold hold = dgmi_arena_hold(ctx);
        dgmi_neighbours_post *post;
        assert_int_equal(dgmi_neighbours_post_open(ctx, shapes[i][0], &post), DGM_OK);
        assert_int_equal(post->count, shapes[i][0]);
        assert_int_equal(post->shift, shapes[i][1]);
        dgmi_arena_release(ctx, hold);
    }
}

/* The bag of the sender that cancels is filled; no other is begun, and nobody reads. */
static void nobody_writes_or_reads_after_a_cancellation(void **state) {
    (void)state;
    office o = {.cancel_at = 5};
    ASSERT_FAILS(send(&o, 5000, 1, one_letter), DGM_ERROR_CANCELLED,
                 "interrupted while nearest neighbours");
    for (int64_t i = 0; i < 5000; i++)
        assert_int_equal(o.wrote[i], i < 1024);
    assert_int_equal(o.reads, 0);
    close_office(&o);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_letter_is_read_once),
        cmocka_unit_test(there_are_as_many_ranges_as_a_shift_allows),
        cmocka_unit_test(nobody_writes_or_reads_after_a_cancellation),
    };
    return RUN_WITH_CONTEXT(tests);
}
