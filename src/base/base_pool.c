/* SPDX-License-Identifier: Apache-2.0 */
#include "base_pool.h"

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

struct dgmi_pool {
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
    pid_t process; /* in which the workers live: a forked child inherits the pool without them */
    int size;      /* workers alive */
    pthread_t *workers;
    void *block, *shares_block; /* that the pool and the shares lie in, aligned */
    pthread_mutex_t lock;
    pthread_cond_t wake, done;
};

/* Which worker this thread is, and of which pool; thread 0 of a pool is whoever calls it. */
static _Thread_local struct {
    const dgmi_pool *pool;
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

static void run_chunks(dgmi_pool *pool, int thread) {
    assert(0 <= thread && thread < pool->threads);
    for (int i = 0; i < pool->threads; i++) {
        share *from = &pool->shares[(thread + i) % pool->threads];
        for (;;) {
            int64_t c = atomic_fetch_add_explicit(&from->next, 1, memory_order_relaxed);
            if (c >= from->end)
                break;
            assert(c >= 0);
            pool->body(pool->argument, c, thread);
        }
    }
}

/* Joins the loop of `ticket` if it is still open. Only those who joined may look at the loop's
 * fields. */
static bool join(dgmi_pool *pool, uint64_t ticket) {
    uint64_t loop = loop_of(ticket);
    while ((ticket & OPEN) && loop_of(ticket) == loop) {
        if (atomic_compare_exchange_weak(&pool->ticket, &ticket, ticket + JOINED_UNIT))
            return true;
    }
    return false;
}

static void leave(dgmi_pool *pool) {
    atomic_fetch_add(&pool->left, 1);
    if (!atomic_load(&pool->owner_sleeps))
        return;
    pthread_mutex_lock(&pool->lock);
    pthread_cond_signal(&pool->done);
    pthread_mutex_unlock(&pool->lock);
}

/* Returns when there is another loop than `seen`, or the end. */
static void await_loop(dgmi_pool *pool, uint64_t seen) {
    for (int64_t until = dgmi_nanoseconds() + atomic_load(&pool->patience);
         dgmi_nanoseconds() < until;) {
        if (loop_of(atomic_load(&pool->ticket)) != seen || atomic_load(&pool->stop))
            return;
        pause_briefly();
    }
    pthread_mutex_lock(&pool->lock);
    atomic_fetch_add(&pool->sleepers, 1);
    while (loop_of(atomic_load(&pool->ticket)) == seen && !atomic_load(&pool->stop))
        pthread_cond_wait(&pool->wake, &pool->lock);
    atomic_fetch_sub(&pool->sleepers, 1);
    pthread_mutex_unlock(&pool->lock);
}

static void *work(void *argument) {
    dgmi_pool *pool = argument;
    const int thread = atomic_fetch_add(&pool->named, 1) + 1;
    assert(thread <= MOST_WORKERS);
    uint64_t seen = 0;
    employed.pool = pool;
    employed.thread = thread;
    while (!atomic_load(&pool->stop)) {
        uint64_t ticket = atomic_load(&pool->ticket);
        if (loop_of(ticket) == seen) {
            await_loop(pool, seen);
            continue;
        }
        seen = loop_of(ticket);
        if (!join(pool, ticket))
            continue;
        if (thread < pool->threads)
            run_chunks(pool, thread);
        leave(pool);
    }
    return NULL;
}

static void await_workers(dgmi_pool *pool, int joined) {
    assert(joined > 0 && joined <= pool->size);
    for (int64_t until = dgmi_nanoseconds() + atomic_load(&pool->patience);
         dgmi_nanoseconds() < until;) {
        if (atomic_load(&pool->left) == joined)
            return;
        pause_briefly();
    }
    pthread_mutex_lock(&pool->lock);
    atomic_store(&pool->owner_sleeps, true);
    while (atomic_load(&pool->left) != joined)
        pthread_cond_wait(&pool->done, &pool->lock);
    atomic_store(&pool->owner_sleeps, false);
    pthread_mutex_unlock(&pool->lock);
}

/* Shares that follow each other, as long as each other but for one chunk. */
static void share_out(dgmi_pool *pool, int64_t chunks) {
    int64_t begin = 0;
    for (int t = 0; t < pool->threads; t++) {
        int64_t end = begin + chunks / pool->threads + (t < chunks % pool->threads);
        atomic_store_explicit(&pool->shares[t].next, begin, memory_order_relaxed);
        pool->shares[t].end = end;
        begin = end;
    }
    assert(begin == chunks);
}

static void run_loop(dgmi_pool *pool, int helpers, int64_t chunks, dgmi_chunk_fn body,
                     void *argument) {
    uint64_t loop = loop_of(atomic_load(&pool->ticket)) + 1;
    pool->body = body;
    pool->argument = argument;
    pool->threads = 1 + (helpers < pool->size ? helpers : pool->size);
    assert(pool->shares && !atomic_load(&pool->running));
    share_out(pool, chunks);
    atomic_store(&pool->left, 0);
    atomic_store(&pool->running, true);
    atomic_store(&pool->ticket, loop << LOOP_SHIFT | OPEN);
    if (atomic_load(&pool->sleepers) > 0) {
        pthread_mutex_lock(&pool->lock);
        pthread_cond_broadcast(&pool->wake);
        pthread_mutex_unlock(&pool->lock);
    }
    run_chunks(pool, 0);
    uint64_t closed = atomic_exchange(&pool->ticket, loop << LOOP_SHIFT);
    int joined = joined_of(closed);
    assert(joined <= pool->size && loop_of(closed) == loop);
    if (joined > 0)
        await_workers(pool, joined);
    atomic_store(&pool->running, false);
}

static void *aligned_in(void *block) {
    return (char *)block + (64 - (uintptr_t)block % 64) % 64;
}

static dgmi_pool *make_pool(const dgm_allocator *allocator) {
    void *block = dgmi_allocator_resize(allocator, NULL, 1, sizeof(dgmi_pool) + 64);
    if (!block)
        return NULL;
    dgmi_pool *pool = aligned_in(block);
    *pool = (dgmi_pool){.block = block, .process = getpid()};
    pthread_mutex_init(&pool->lock, NULL);
    pthread_cond_init(&pool->wake, NULL);
    pthread_cond_init(&pool->done, NULL);
    return pool;
}

/* Signals are for the threads of the caller, but a crash is for the thread that crashes: blocked,
 * it would end the process past the handler that reports it. */
static void fill_with_outer_signals(sigset_t *set) {
    static const int of_crashes[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT, SIGTRAP, SIGSYS};
    sigfillset(set);
    for (size_t i = 0; i < sizeof of_crashes / sizeof *of_crashes; i++)
        sigdelset(set, of_crashes[i]);
}

static void grow_pool(dgmi_pool *pool, const dgm_allocator *allocator, int helpers) {
    pthread_t *workers =
        dgmi_allocator_resize(allocator, pool->workers, helpers, sizeof *pool->workers);
    if (!workers)
        return;
    pool->workers = workers;
    void *block = dgmi_allocator_resize(allocator, pool->shares_block, helpers + 2, sizeof(share));
    if (!block)
        return;
    pool->shares_block = block;
    pool->shares = aligned_in(block);
    atomic_store(&pool->patience, helpers < dgmi_cores() ? SPIN_NANOSECONDS : 0);
    sigset_t outer, before;
    fill_with_outer_signals(&outer);
    pthread_sigmask(SIG_SETMASK, &outer, &before);
    while (pool->size < helpers &&
           pthread_create(&pool->workers[pool->size], NULL, work, pool) == 0)
        pool->size++;
    pthread_sigmask(SIG_SETMASK, &before, NULL);
}

static void run_serially(int64_t chunks, dgmi_chunk_fn body, void *argument, int thread) {
    for (int64_t c = 0; c < chunks; c++)
        body(argument, c, thread);
}

static void free_blocks(dgmi_pool *pool, const dgm_allocator *allocator) {
    dgmi_allocator_free(allocator, pool->workers);
    dgmi_allocator_free(allocator, pool->shares_block);
    dgmi_allocator_free(allocator, pool->block);
}

void dgmi_pool_run(dgmi_pool **pool, const dgm_allocator *allocator, int helpers, int64_t chunks,
                   dgmi_chunk_fn body, void *argument) {
    assert(helpers > 0 && chunks > helpers);
    if (helpers > MOST_WORKERS)
        helpers = MOST_WORKERS;
    if (*pool && (*pool)->process != getpid()) {
        free_blocks(*pool, allocator);
        *pool = NULL;
    }
    if (*pool && atomic_load(&(*pool)->running)) {
        run_serially(chunks, body, argument, employed.pool == *pool ? employed.thread : 0);
        return;
    }
    if (!*pool)
        *pool = make_pool(allocator);
    if (*pool && (*pool)->size < helpers)
        grow_pool(*pool, allocator, helpers);
    if (*pool && (*pool)->size > 0)
        run_loop(*pool, helpers, chunks, body, argument);
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

static void end_workers(dgmi_pool *pool) {
    pthread_mutex_lock(&pool->lock);
    atomic_store(&pool->stop, true);
    pthread_cond_broadcast(&pool->wake);
    pthread_mutex_unlock(&pool->lock);
    for (int i = 0; i < pool->size; i++)
        pthread_join(pool->workers[i], NULL);
    pthread_cond_destroy(&pool->done);
    pthread_cond_destroy(&pool->wake);
    pthread_mutex_destroy(&pool->lock);
}

/* In a forked child there is nobody to wait for, and the lock may be held for ever by a thread that
 * only the parent has. So the pool's memory is freed, and nothing in it is touched. */
void dgmi_pool_free(dgmi_pool *pool, const dgm_allocator *allocator) {
    if (!pool)
        return;
    if (pool->process == getpid())
        end_workers(pool);
    free_blocks(pool, allocator);
}
