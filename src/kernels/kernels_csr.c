/* SPDX-License-Identifier: Apache-2.0 */
/* Y = A X, A in sparse rows. One row of Y stays in registers, a block of columns at a time, while
 * its neighbours' rows of X stream past. */
#include "kernels_lanes.h"

#include "base_assert.h"

enum {
    AHEAD = 24,      /* entries between asking for a row of X and using it, */
    AHEAD_WIDE = 48, /* and for more than WIDE of its columns */
    WIDE = 32,
    WIDEST = 4,             /* vectors of columns held at once */
    SLAB = 64,              /* columns of X that one thread stays with */
    SLAB_BYTES = 3 << 18,   /* of such a slab, for it to stay in the second cache */
    WHOLE_BYTES = 1 << 21,  /* of X, up to which threads share out rows and not slabs */
    TILE_BYTES = 1 << 16,   /* of X's rows for some rows of Y, and of those, in a tile */
    STREAM_BYTES = 1 << 25, /* of Y, from which on it is written past the caches */
    ENTRIES_A_CHUNK = 1 << 14,
    FEW_PIECES = 16,        /* up to which pieces may have fewer entries than that, */
    WORK_A_CHUNK = 1 << 17, /* but not fewer entries times columns than this */
    WORTH = 1 << 19,        /* entries times columns from which on others are woken */
};

typedef struct {
    const dgmi_table_csr *a;
    const float *x;
    float *y;
    int64_t columns; /* of X and Y */
    int64_t x_stride, y_stride;
    int64_t y_row;  /* the first that Y holds */
    bool add, far;  /* far: X is asked for ahead, as it stays in no near cache */
    bool stream;    /* Y is written past the caches, which it would not stay in */
    bool tiled;     /* X's rows lie across lines: all columns of a few rows at a time */
    int64_t pieces; /* that the rows are cut into */
    int64_t slab;   /* columns that the columns are cut into */
} csr_job;

static int64_t smaller(int64_t a, int64_t b) {
    return a < b ? a : b;
}

/* A run of rows and the columns that are made of them: some vectors. */
typedef struct {
    int64_t begin, end, column;
    int columns;
} csr_block;

/* The order in which a row of X is asked for and used: its last part, then the others from the
 * left. From the left alone a core reads rows from memory half as fast, it seems because the
 * hardware's prefetcher takes them for a stream and runs on past their end (bench/README.md). */
KERNEL_INLINE int last_first(int nth, int count) {
    return (nth + count - 1) % count;
}

/* The next rows of X are asked for: `width` vectors of this block's columns, 64 bytes each time,
 * and the last of the columns where they lie across lines. */
KERNEL_INLINE void ask(const float *row, int width, int columns, bool askew) {
    const int lines = (width * LANES + 15) / 16;
    for (int line = 0; line < lines; line++)
        __builtin_prefetch(row + last_first(line, lines) * 16, 0, 2);
    if (askew)
        __builtin_prefetch(row + columns - 1, 0, 2);
}

/* `width` vectors of columns, in `ways` sums that do not wait for each other; both are constants
 * where this is used, and so are `valued` and `far`. The last vector ends where the block does and
 * may hold columns of the one before it; `few` columns do not fill one. `stride`: columns of X. */
KERNEL_INLINE void multiply_rows(const csr_job *job, csr_block block, int width, int ways,
                                 bool valued, bool far, int few, int64_t stride, int64_t y_stride) {
    const int64_t *offsets = job->a->offsets;
    const uint32_t *indices = job->a->indices;
    const float *values = job->a->values, *x = job->x + block.column;
    const bool askew = far && ((uintptr_t)x % 64 || stride % 16);
    const int ahead = width * LANES > WIDE ? AHEAD_WIDE : AHEAD;
    const int64_t last = offsets[job->a->rows] - 1;
    int place[WIDEST]; /* of a vector's first column */
    for (int w = 0; w < width; w++)
        place[w] = w * LANES;
    if (!few)
        place[width - 1] = block.columns - LANES;
    for (int64_t row = block.begin; row < block.end; row++) {
        lanes sums[4][WIDEST] = {0};
        int64_t entry = offsets[row], end = offsets[row + 1];
        for (; entry + ways <= end; entry += ways)
            for (int way = 0; way < ways; way++) {
                const float *from = x + indices[entry + way] * stride;
                if (far) {
                    int64_t next = entry + way + ahead;
                    ask(x + indices[next < last ? next : last] * stride, width, block.columns,
                        askew);
                }
                for (int nth = 0; nth < width; nth++) {
                    const int w = last_first(nth, width);
                    lanes term = lanes_load_rest(from + place[w], few);
                    sums[way][w] += valued ? term * values[entry + way] : term;
                }
            }
        for (; ways > 1 && entry < end; entry++) {
            const float *from = x + indices[entry] * stride;
            for (int w = 0; w < width; w++) {
                lanes term = lanes_load_rest(from + place[w], few);
                sums[0][w] += valued ? term * values[entry] : term;
            }
        }
        float *to = job->y + (row - job->y_row) * y_stride + block.column;
        for (int w = 0; w < width; w++) { /* all of them before the first is stored */
            if (ways == 2)
                sums[0][w] += sums[1][w];
            if (ways == 4)
                sums[0][w] = (sums[0][w] + sums[1][w]) + (sums[2][w] + sums[3][w]);
            if (job->add)
                sums[0][w] += lanes_load_rest(to + place[w], few);
        }
        for (int w = 0; w < width; w++)
            if (job->stream)
                lanes_stream(to + place[w], sums[0][w]);
            else
                lanes_store_rest(to + place[w], sums[0][w], few);
    }
}

#define MULTIPLY(name, width, ways, few, stride, y_stride)                                         \
    static void name(const csr_job *job, csr_block block) {                                        \
        if (job->a->values && job->far)                                                            \
            multiply_rows(job, block, width, ways, true, true, few, stride, y_stride);             \
        else if (job->a->values)                                                                   \
            multiply_rows(job, block, width, ways, true, false, few, stride, y_stride);            \
        else if (job->far)                                                                         \
            multiply_rows(job, block, width, ways, false, true, few, stride, y_stride);            \
        else                                                                                       \
            multiply_rows(job, block, width, ways, false, false, few, stride, y_stride);           \
    }
MULTIPLY(multiply_4, 4, 1, 0, job->x_stride, job->y_stride)
MULTIPLY(multiply_3, 3, 1, 0, job->x_stride, job->y_stride)
MULTIPLY(multiply_2, 2, 2, 0, job->x_stride, job->y_stride)
MULTIPLY(multiply_1, 1, 4, 0, job->x_stride, job->y_stride)
MULTIPLY(multiply_few, 1, 4, block.columns, job->x_stride, job->y_stride)

/* By the number of vectors, less one. */
typedef void (*multiply_fn)(const csr_job *job, csr_block block);
static const multiply_fn multiply_vectors[] = {multiply_1, multiply_2, multiply_3, multiply_4};

/* 16 columns in all, the width of the usual hidden layer: a shift in place of a multiplication. */
MULTIPLY(multiply_all_16, 16 / LANES, 4 * LANES / 16, 0, 16, 16)

/* Columns of the next block, of those left: blocks are about as wide as each other. */
static int block_columns(int64_t left) {
    int64_t vectors = dgmi_chunks(left, LANES);
    return (int)smaller(dgmi_chunks(vectors, dgmi_chunks(vectors, WIDEST)) * LANES, left);
}

/* Rows [begin, end), columns [column, stop): blocks of columns from left to right. */
static void multiply_slab(const csr_job *job, int64_t begin, int64_t end, int64_t column,
                          int64_t stop) {
    assert(0 <= begin && begin <= end && end <= job->a->rows);
    assert(0 <= column && column <= stop && stop <= job->columns);
    if (job->columns == 16 && job->x_stride == 16 && job->y_stride == 16) {
        multiply_all_16(job, (csr_block){begin, end, 0, 16});
        return;
    }
    while (column < stop) {
        csr_block block = {begin, end, column, block_columns(stop - column)};
        assert(block.columns > 0 && block.columns <= WIDEST * LANES);
        if (block.columns < LANES)
            multiply_few(job, block);
        else
            multiply_vectors[dgmi_chunks(block.columns, LANES) - 1](job, block);
        column += block.columns;
    }
}

/* The first row of a piece: pieces have about as many entries, counting one for the row itself. */
static int64_t row_of_piece(const csr_job *job, int64_t piece) {
    assert(0 <= piece && piece <= job->pieces);
    const dgmi_table_csr *a = job->a;
    int64_t total = dgmi_table_csr_entries(a) + a->rows;
    int64_t want = total / job->pieces * piece + total % job->pieces * piece / job->pieces;
    int64_t low = 0, high = a->rows;
    while (low < high) {
        int64_t middle = low + (high - low) / 2;
        if (a->offsets[middle] + middle < want)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* What was made of a tile, past the caches. */
static void stream_out(const float *from, int64_t count, float *to) {
    int64_t i = 0;
    for (; i < count && (uintptr_t)(to + i) % 64; i++)
        to[i] = from[i];
    for (; i + LANES <= count; i += LANES)
        lanes_stream(to + i, lanes_load(from + i));
    for (; i < count; i++)
        to[i] = from[i];
}

/* The row after a tile's last: as many as leave X's rows in the second cache, and Y's fit. */
static int64_t tile_end(const csr_job *job, int64_t begin, int64_t end) {
    const int64_t *offsets = job->a->offsets, row_bytes = job->columns * (int64_t)sizeof(float);
    const int64_t most = offsets[begin] + TILE_BYTES / row_bytes;
    end = smaller(end, begin + TILE_BYTES / row_bytes);
    int64_t row = begin + 1;
    while (row < end && offsets[row + 1] <= most)
        row++;
    return row;
}

/* Rows that lie across lines: two blocks of columns share a line, and what the hardware fetches
 * past a block's end is the next block's, so that all blocks of a few rows go before the next rows.
 */
static void multiply_tiles(const csr_job *job, int64_t begin, int64_t end) {
    float tile[TILE_BYTES / sizeof(float)];
    csr_job part = *job;
    part.y = tile;
    part.stream = false;
    for (int64_t next = begin; begin < end; begin = next) {
        next = tile_end(job, begin, end);
        assert(begin < next && next <= end);
        part.y_row = begin;
        multiply_slab(job->stream ? &part : job, begin, next, 0, job->columns);
        if (job->stream)
            stream_out(tile, (next - begin) * job->columns, job->y + begin * job->columns);
    }
}

/* Slabs outermost: the slab stays in the cache of whoever took it. */
static void multiply_chunk(void *argument, int64_t chunk, int thread) {
    (void)thread;
    const csr_job *job = argument;
    int64_t column = chunk / job->pieces * job->slab, piece = chunk % job->pieces;
    int64_t begin = row_of_piece(job, piece), end = row_of_piece(job, piece + 1);
    assert(begin <= end);
    if (piece + 1 == job->pieces)
        end = job->a->rows;
    if (job->tiled)
        multiply_tiles(job, begin, end);
    else
        multiply_slab(job, begin, end, column, smaller(column + job->slab, job->columns));
    if (job->stream)
        lanes_stream_end();
}

void KERNEL(csr_product)(dgm_context *ctx, const dgmi_table_csr *a, const dgmi_table_tensor *x,
                         bool add, dgmi_table_tensor *y) {
    assert(a->columns <= x->rows && a->rows == y->rows && x->columns == y->columns);
    DGMI_ASSERT_WALK(dgmi_rows_fit(a->offsets, a->indices, a->rows, x->rows));
    if (a->rows == 0 || x->columns == 0)
        return;
    csr_job job = {.a = a, .x = x->values, .y = y->values, .columns = x->columns, .add = add};
    job.x_stride = job.y_stride = x->columns;
    int64_t work = (dgmi_table_csr_entries(a) + a->rows) * x->columns;
    int64_t slab = smaller(SLAB, x->columns);
    const int64_t row_bytes = x->columns * (int64_t)sizeof(float);
    const bool askew = row_bytes % 64 || (uintptr_t)x->values % 64 || (uintptr_t)y->values % 64;
    job.far = x->rows * slab * (int64_t)sizeof(float) > SLAB_BYTES;
    job.slab = job.far || x->rows * row_bytes <= WHOLE_BYTES ? x->columns : slab;
    job.tiled = job.far && askew && row_bytes <= TILE_BYTES;
    job.stream = job.far && !add && (job.tiled || !askew) && a->rows * row_bytes > STREAM_BYTES;
    int64_t slabs = dgmi_chunks(x->columns, job.slab);
    job.pieces = 1 + (dgmi_table_csr_entries(a) + a->rows) / ENTRIES_A_CHUNK / slabs;
    int64_t few = smaller(1 + work / WORK_A_CHUNK / slabs, FEW_PIECES);
    job.pieces = job.pieces < few ? few : job.pieces;
    kernel_loop(ctx, work >= WORTH, slabs * job.pieces, multiply_chunk, &job);
}

void KERNEL(csr_rows)(const dgmi_table_csr *a, int64_t begin, int64_t end, const float *x,
                      int64_t x_stride, int64_t columns, bool add, float *y, int64_t y_stride) {
    assert(columns <= x_stride && columns <= y_stride);
    csr_job job = {.a = a, .x = x, .y = y, .columns = columns, .add = add};
    job.x_stride = x_stride;
    job.y_stride = y_stride;
    multiply_slab(&job, begin, end, 0, columns);
}
