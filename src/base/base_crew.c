/* SPDX-License-Identifier: Apache-2.0 */
#include "base_crew.h"

#include <assert.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <unistd.h>

#include "base_clock.h"
#include "base_memory.h"

enum { SPIN_NANOSECONDS = 60000, PAUSES_A_LOOK = 32, MOST_WORKERS = 4096 };

/* The ticket of the current loop: bit 0 says that it takes workers, the next 15 bits count those
 * who joined, the rest is the loop's number. Closing it and reading who joined is one exchange. */
enum { OPEN = 1, JOINED_UNIT = 2, JOINED_MASK = 0x7fff, LOOP_SHIFT = 16 };

/* A thread's share of the chunks: it takes them from the front, and so do others when theirs are
 * done. Loop after loop a chunk is then mostly done by the same thread, in whose caches its data
 * still lie: what another core wrote last takes as long to read as memory does, or longer. */
typedef struct share {
    _Alignas(64) _Atomic int64_t next;
    int64_t end;
} share;

struct dgmi_crew {
    _Alignas(64) _Atomic uint64_t ticket;
    _Alignas(64) _Atomic int left; /* workers that have left the current loop */
    _Atomic int sleepers;
    _Atomic int named; /* workers that have their number */
    _Atomic bool owner_sleeps, stop;
    _Atomic int64_t patience; /* nanoseconds of spinning; none where threads outnumber cores */
    /* The loop; changes only between loops. */
    dgmi_chunk_fn body;
    void *argument;
    int threads;          /* that may take chunks */
    share *shares;        /* one per thread */
    _Atomic bool running; /* a loop asked for now comes from inside the loop's body */
    /* For the owner alone. */
    pid_t process; /* in which the workers live: a forked child inherits the crew without them */
    int size;      /* workers alive */
    pthread_t *workers;
    void *block, *shares_block; /* that the crew and the shares lie in, aligned */
    pthread_mutex_t lock;
    pthread_cond_t wake, done;
};

/* Which worker this thread is, and of which crew; thread 0 of a crew is whoever calls it. */
static _Thread_local struct {
    const dgmi_crew *crew;
    int thread;
} employed;

static uint64_t loop_of(uint64_t ticket) {
    return ticket >> LOOP_SHIFT;
}

static int joined_of(uint64_t ticket) {
    return (int)(ticket / JOINED_UNIT & JOINED_MASK);
}

static void pause_briefly(void) {
    for (int i = 0; i < PAUSES_A_LOOK; i++)
#if defined __x86_64__ || defined __i386__
        __builtin_ia32_pause();
#else
        atomic_signal_fence(memory_order_seq_cst);
#endif
}

static void run_chunks(dgmi_crew *crew, int thread) {
    assert(0 <= thread && thread < crew->threads);
    for (int i = 0; i < crew->threads; i++) {
        share *from = &crew->shares[(thread + i) % crew->threads];
        for (;;) {
            int64_t c = atomic_fetch_add_explicit(&from->next, 1, memory_order_relaxed);
            if (c >= from->end)
                break;
            assert(c >= 0);
            crew->body(crew->argument, c, thread);
        }
    }
}

/* Joins the loop of `ticket` if it is still open. Only those who joined may look at the loop's
 * fields. */
static bool join(dgmi_crew *crew, uint64_t ticket) {
    uint64_t loop = loop_of(ticket);
    while ((ticket & OPEN) && loop_of(ticket) == loop) {
        if (atomic_compare_exchange_weak(&crew->ticket, &ticket, ticket + JOINED_UNIT))
            return true;
    }
    return false;
}

static void leave(dgmi_crew *crew) {
    atomic_fetch_add(&crew->left, 1);
    if (!atomic_load(&crew->owner_sleeps))
        return;
    pthread_mutex_lock(&crew->lock);
    pthread_cond_signal(&crew->done);
    pthread_mutex_unlock(&crew->lock);
}

/* Returns when there is another loop than `seen`, or the end. */
static void await_loop(dgmi_crew *crew, uint64_t seen) {
    for (int64_t until = dgmi_nanoseconds() + atomic_load(&crew->patience);
         dgmi_nanoseconds() < until;) {
        if (loop_of(atomic_load(&crew->ticket)) != seen || atomic_load(&crew->stop))
            return;
        pause_briefly();
    }
    pthread_mutex_lock(&crew->lock);
    atomic_fetch_add(&crew->sleepers, 1);
    while (loop_of(atomic_load(&crew->ticket)) == seen && !atomic_load(&crew->stop))
        pthread_cond_wait(&crew->wake, &crew->lock);
    atomic_fetch_sub(&crew->sleepers, 1);
    pthread_mutex_unlock(&crew->lock);
}

static void *work(void *argument) {
    dgmi_crew *crew = argument;
    const int thread = atomic_fetch_add(&crew->named, 1) + 1;
    assert(thread <= MOST_WORKERS);
    uint64_t seen = 0;
    employed.crew = crew;
    employed.thread = thread;
    while (!atomic_load(&crew->stop)) {
        uint64_t ticket = atomic_load(&crew->ticket);
        if (loop_of(ticket) == seen) {
            await_loop(crew, seen);
            continue;
        }
        seen = loop_of(ticket);
        if (!join(crew, ticket))
            continue;
        if (thread < crew->threads)
            run_chunks(crew, thread);
        leave(crew);
    }
    return NULL;
}

static void await_workers(dgmi_crew *crew, int joined) {
    assert(joined > 0 && joined <= crew->size);
    for (int64_t until = dgmi_nanoseconds() + atomic_load(&crew->patience);
         dgmi_nanoseconds() < until;) {
        if (atomic_load(&crew->left) == joined)
            return;
        pause_briefly();
    }
    pthread_mutex_lock(&crew->lock);
    atomic_store(&crew->owner_sleeps, true);
    while (atomic_load(&crew->left) != joined)
        pthread_cond_wait(&crew->done, &crew->lock);
    atomic_store(&crew->owner_sleeps, false);
    pthread_mutex_unlock(&crew->lock);
}

/* Shares that follow each other, as long as each other but for one chunk. */
static void share_out(dgmi_crew *crew, int64_t chunks) {
    int64_t begin = 0;
    for (int t = 0; t < crew->threads; t++) {
        int64_t end = begin + chunks / crew->threads + (t < chunks % crew->threads);
        atomic_store_explicit(&crew->shares[t].next, begin, memory_order_relaxed);
        crew->shares[t].end = end;
        begin = end;
    }
    assert(begin == chunks);
}

static void run_loop(dgmi_crew *crew, int helpers, int64_t chunks, dgmi_chunk_fn body,
                     void *argument) {
    uint64_t loop = loop_of(atomic_load(&crew->ticket)) + 1;
    crew->body = body;
    crew->argument = argument;
    crew->threads = 1 + (helpers < crew->size ? helpers : crew->size);
    assert(crew->shares && !atomic_load(&crew->running));
    share_out(crew, chunks);
    atomic_store(&crew->left, 0);
    atomic_store(&crew->running, true);
    atomic_store(&crew->ticket, loop << LOOP_SHIFT | OPEN);
    if (atomic_load(&crew->sleepers) > 0) {
        pthread_mutex_lock(&crew->lock);
        pthread_cond_broadcast(&crew->wake);
        pthread_mutex_unlock(&crew->lock);
    }
    run_chunks(crew, 0);
    uint64_t closed = atomic_exchange(&crew->ticket, loop << LOOP_SHIFT);
    int joined = joined_of(closed);
    assert(joined <= crew->size && loop_of(closed) == loop);
    if (joined > 0)
        await_workers(crew, joined);
    atomic_store(&crew->running, false);
}

static void *aligned_in(void *block) {
    return (char *)block + (64 - (uintptr_t)block % 64) % 64;
}

static dgmi_crew *make_pool(const dgm_allocator *allocator) {
    void *block = dgmi_allocator_resize(allocator, NULL, 1, sizeof(dgmi_crew) + 64);
    if (!block)
        return NULL;
    dgmi_crew *crew = aligned_in(block);
    *crew = (dgmi_crew){.block = block, .process = getpid()};
    pthread_mutex_init(&crew->lock, NULL);
    pthread_cond_init(&crew->wake, NULL);
    pthread_cond_init(&crew->done, NULL);
    return crew;
}

/* Signals are for the threads of the caller, but a crash is for the thread that crashes: blocked,
 * it would end the process past the handler that reports it. */
static void fill_with_outer_signals(sigset_t *set) {
    static const int of_crashes[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT, SIGTRAP, SIGSYS};
    sigfillset(set);
    for (size_t i = 0; i < sizeof of_crashes / sizeof *of_crashes; i++)
        sigdelset(set, of_crashes[i]);
}

static void grow_pool(dgmi_crew *crew, const dgm_allocator *allocator, int helpers) {
    pthread_t *workers =
        dgmi_allocator_resize(allocator, crew->workers, helpers, sizeof *crew->workers);
    if (!workers)
        return;
    crew->workers = workers;
    void *block = dgmi_allocator_resize(allocator, crew->shares_block, helpers + 2, sizeof(share));
    if (!block)
        return;
    crew->shares_block = block;
    crew->shares = aligned_in(block);
    atomic_store(&crew->patience, helpers < dgmi_cores() ? SPIN_NANOSECONDS : 0);
    sigset_t outer, before;
    fill_with_outer_signals(&outer);
    pthread_sigmask(SIG_SETMASK, &outer, &before);
    while (crew->size < helpers &&
           pthread_create(&crew->workers[crew->size], NULL, work, crew) == 0)
        crew->size++;
    pthread_sigmask(SIG_SETMASK, &before, NULL);
}

static void run_serially(int64_t chunks, dgmi_chunk_fn body, void *argument, int thread) {
    for (int64_t c = 0; c < chunks; c++)
        body(argument, c, thread);
}

static void free_blocks(dgmi_crew *crew, const dgm_allocator *allocator) {
    dgmi_allocator_free(allocator, crew->workers);
    dgmi_allocator_free(allocator, crew->shares_block);
    dgmi_allocator_free(allocator, crew->block);
}

void dgmi_crew_run(dgmi_crew **crew, const dgm_allocator *allocator, int helpers, int64_t chunks,
                   dgmi_chunk_fn body, void *argument) {
    assert(helpers > 0 && chunks > helpers);
    if (helpers > MOST_WORKERS)
        helpers = MOST_WORKERS;
    if (*crew && (*crew)->process != getpid()) {
        free_blocks(*crew, allocator);
        *crew = NULL;
    }
    if (*crew && atomic_load(&(*crew)->running)) {
        run_serially(chunks, body, argument, employed.crew == *crew ? employed.thread : 0);
        return;
    }
    if (!*crew)
        *crew = make_pool(allocator);
    if (*crew && (*crew)->size < helpers)
        grow_pool(*crew, allocator, helpers);
    if (*crew && (*crew)->size > 0)
        run_loop(*crew, helpers, chunks, body, argument);
    else
        run_serially(chunks, body, argument, 0);
}

int dgmi_cores(void) {
    cpu_set_t allowed;
    if (sched_getaffinity(0, sizeof allowed, &allowed) == 0)
        return CPU_COUNT(&allowed);
    long online = sysconf(_SC_NPROCESSORS_ONLN);
    return online > 0 ? (int)online : 1;
}

static void end_workers(dgmi_crew *crew) {
    pthread_mutex_lock(&crew->lock);
    atomic_store(&crew->stop, true);
    pthread_cond_broadcast(&crew->wake);
    pthread_mutex_unlock(&crew->lock);
    for (int i = 0; i < crew->size; i++)
        pthread_join(crew->workers[i], NULL);
    pthread_cond_destroy(&crew->done);
    pthread_cond_destroy(&crew->wake);
    pthread_mutex_destroy(&crew->lock);
}

/* In a forked child there is nobody to wait for, and the lock may be held for ever by a thread that
 * only the parent has. So the crew's memory is freed, and nothing in it is touched. */
void dgmi_crew_free(dgmi_crew *crew, const dgm_allocator *allocator) {
    if (!crew)
        return;
    if (crew->process == getpid())
        end_workers(crew);
    free_blocks(crew, allocator);
}
