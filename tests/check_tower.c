/* SPDX-License-Identifier: Apache-2.0 */
#include "check_tower.h"

#include <stdlib.h>
#include <string.h>

enum { MOST = CHECK_TOWER_CLUSTERS, PAIRS = MOST * MOST, WORDS = PAIRS / 64 };

/* Edge {a, b} is bit a * MOST + b, a < b. */
typedef struct {
    uint64_t word[WORDS];
} chain;

/* A basis by highest bit. */
typedef struct {
    chain *row[PAIRS];
    int rank;
} basis;

typedef struct {
    int clusters;
    uint64_t members[MOST];
} level;

static void toggle(chain *c, int a, int b) {
    int bit = a < b ? a * MOST + b : b * MOST + a;
    c->word[bit / 64] ^= UINT64_C(1) << (bit % 64);
}

static bool has(const chain *c, int bit) {
    return c->word[bit / 64] >> (bit % 64) & 1;
}

static void insert(basis *b, chain c) {
    for (int bit = PAIRS - 1; bit >= 0; bit--) {
        if (!has(&c, bit))
            continue;
        if (!b->row[bit]) {
            b->row[bit] = malloc(sizeof c);
            *b->row[bit] = c;
            b->rank++;
            return;
        }
        for (int w = 0; w < WORDS; w++)
            c.word[w] ^= b->row[bit]->word[w];
    }
}

static void empty(basis *b) {
    for (int bit = 0; bit < PAIRS; bit++)
        free(b->row[bit]);
    memset(b, 0, sizeof *b);
}

static bool read_level(const dgm_summary *summary, level *l) {
    dgm_summary_clusters clusters = dgm_summary_get_clusters(summary);
    if (clusters.count > MOST || dgm_summary_get_coverage(summary).nodes > 64)
        return false;
    *l = (level){.clusters = (int)clusters.count};
    for (int c = 0; c < l->clusters; c++)
        for (int64_t i = clusters.offsets[c]; i < clusters.offsets[c + 1]; i++)
            l->members[c] |= UINT64_C(1) << clusters.members[i];
    return true;
}

static void add_boundaries(const level *l, basis *b) {
    for (int x = 0; x < l->clusters; x++)
        for (int y = x + 1; y < l->clusters; y++)
            for (int z = y + 1; z < l->clusters; z++)
                if (l->members[x] & l->members[y] & l->members[z]) {
                    chain c = {{0}};
                    toggle(&c, x, y);
                    toggle(&c, y, z);
                    toggle(&c, x, z);
                    insert(b, c);
                }
}

/* The null space of the boundary of edges, by elimination on ends while edges are kept beside. */
static int list_cycles(const level *l, chain *cycles) {
    static uint64_t ends[PAIRS];
    static chain made[PAIRS];
    int pivot[MOST], count = 0, rows = 0;
    memset(pivot, -1, sizeof pivot);
    for (int a = 0; a < l->clusters; a++)
        for (int b = a + 1; b < l->clusters; b++) {
            if (!(l->members[a] & l->members[b]))
                continue;
            uint64_t end = UINT64_C(1) << a ^ UINT64_C(1) << b;
            chain c = {{0}};
            toggle(&c, a, b);
            for (int v = 0; v < l->clusters; v++)
                if (end >> v & 1 && pivot[v] >= 0) {
                    end ^= ends[pivot[v]];
                    for (int w = 0; w < WORDS; w++)
                        c.word[w] ^= made[pivot[v]].word[w];
                }
            if (end == 0) {
                cycles[count++] = c;
                continue;
            }
            int v = 0;
            while (!(end >> v & 1))
                v++;
            ends[rows] = end;
            made[rows] = c;
            pivot[v] = rows++;
        }
    return count;
}

static chain image(const chain *c, const int *map) {
    chain result = {{0}};
    for (int a = 0; a < MOST; a++)
        for (int b = a + 1; b < MOST; b++)
            if (has(c, a * MOST + b) && map[a] != map[b])
                toggle(&result, map[a], map[b]);
    return result;
}

/* The rank of H_1(K_i) -> H_1(K_j). */
static int loop_rank(const level *from, const level *to, const int *map) {
    static basis b;
    static chain cycles[PAIRS];
    add_boundaries(to, &b);
    int boundaries = b.rank, count = list_cycles(from, cycles);
    for (int i = 0; i < count; i++)
        insert(&b, image(&cycles[i], map));
    int rank = b.rank - boundaries;
    empty(&b);
    return rank;
}

/* Pieces of `to` that something of `from` comes to. */
static int piece_rank(const level *from, const level *to, const int *map) {
    int name[MOST], rank = 0;
    for (int c = 0; c < to->clusters; c++)
        name[c] = c;
    for (int round = 0; round < to->clusters; round++)
        for (int a = 0; a < to->clusters; a++)
            for (int b = 0; b < to->clusters; b++)
                if (to->members[a] & to->members[b] && name[b] < name[a])
                    name[a] = name[b];
    bool hit[MOST] = {false};
    for (int c = 0; c < from->clusters; c++)
        hit[name[map[c]]] = true;
    for (int c = 0; c < MOST; c++)
        rank += hit[c];
    return rank;
}

bool check_tower(const dgm_summary *const *summaries, const uint32_t *const *maps, int levels,
                 check_tower_bars *out) {
    static level at[CHECK_TOWER_LEVELS];
    /* ranks shifted by one, so that nothing comes from before the first or goes behind the last */
    int64_t rank[2][CHECK_TOWER_LEVELS + 1][CHECK_TOWER_LEVELS + 1] = {{{0}}};
    for (int i = 0; i < levels; i++)
        if (!read_level(summaries[i], &at[i]))
            return false;
    for (int i = 0; i < levels; i++) {
        int map[MOST];
        for (int c = 0; c < MOST; c++)
            map[c] = c;
        for (int j = i; j < levels; j++) {
            for (int c = 0; j > i && c < at[i].clusters; c++)
                map[c] = (int)maps[j - 1][map[c]];
            rank[0][i + 1][j] = piece_rank(&at[i], &at[j], map);
            rank[1][i + 1][j] = loop_rank(&at[i], &at[j], map);
        }
    }
    *out = (check_tower_bars){.levels = levels};
    for (int d = 0; d < 2; d++)
        for (int i = 0; i < levels; i++)
            for (int j = i + 1; j <= levels; j++)
                out->bars[d][i][j] = rank[d][i + 1][j - 1] - rank[d][i][j - 1] -
                                     (j < levels ? rank[d][i + 1][j] - rank[d][i][j] : 0);
    return true;
}
