/* SPDX-License-Identifier: Apache-2.0 */
/* Turns a piece after its stress was lowered, which leaves its direction to chance. The piece is
 * turned and mirrored so that it lies as its start did (orthogonal Procrustes in the plane). A lens
 * therefore stays on its axis, and a layout that starts from another one stays upright. The long
 * side of a piece without a start lies along x.
 */
#include "layout_piece.h"

#include <math.h>

typedef struct {
    double cosine, sine, mirror; /* mirror -1: y turns round first */
    double x, y;                 /* middle of the piece */
} motion;

static void middle_of(const dgmi_layout_piece *piece, motion *m) {
    double count = 0;
    bool any = false;
    for (int64_t i = 0; i < piece->graph.marks; i++)
        any = any || piece->known[i];
    m->x = m->y = 0;
    for (int64_t i = 0; i < piece->graph.marks; i++) {
        if (any && !piece->known[i])
            continue;
        m->x += (double)piece->x[i];
        m->y += (double)piece->y[i];
        count += 1;
    }
    m->x /= count;
    m->y /= count;
}

/* Sums of products of places p and start s around their middles: p_x s_x, p_y s_y, p_x s_y,
 * p_y s_x. The start's middle is 0 already. */
static void products_with(const dgmi_layout_piece *piece, const motion *m, double products[4]) {
    for (int64_t i = 0; i < piece->graph.marks; i++)
        if (piece->known[i]) {
            double sx = (double)piece->start_x[i], sy = (double)piece->start_y[i];
            double px = (double)piece->x[i] - m->x, py = (double)piece->y[i] - m->y;
            products[0] += px * sx;
            products[1] += py * sy;
            products[2] += px * sy;
            products[3] += py * sx;
        }
}

static void turn_to_start(const dgmi_layout_piece *piece, motion *m) {
    double k[4] = {0, 0, 0, 0};
    products_with(piece, m, k);
    double plain_cosine = k[0] + k[1], plain_sine = k[2] - k[3];
    double mirror_cosine = k[0] - k[1], mirror_sine = k[2] + k[3];
    double plain = plain_cosine * plain_cosine + plain_sine * plain_sine;
    double mirrored = mirror_cosine * mirror_cosine + mirror_sine * mirror_sine;
    /* a start on a line does not care: not mirrored then, whatever the rounding */
    m->mirror = mirrored > plain * (1 + 1e-9) ? -1 : 1;
    double cosine = m->mirror < 0 ? mirror_cosine : plain_cosine;
    double sine = m->mirror < 0 ? mirror_sine : plain_sine;
    double length = sqrt(cosine * cosine + sine * sine);
    m->cosine = length > 0 ? cosine / length : 1;
    m->sine = length > 0 ? sine / length : 0;
}

/* The main axis is at half the angle of (xx - yy, 2 xy). */
static void turn_to_long_side(const dgmi_layout_piece *piece, motion *m) {
    double xx = 0, yy = 0, xy = 0;
    for (int64_t i = 0; i < piece->graph.marks; i++) {
        double x = (double)piece->x[i] - m->x, y = (double)piece->y[i] - m->y;
        xx += x * x;
        yy += y * y;
        xy += x * y;
    }
    double length = sqrt((xx - yy) * (xx - yy) + 4 * xy * xy);
    double twice = length > 0 ? (xx - yy) / length : 1;
    m->cosine = sqrt(fmax(0, (1 + twice) / 2));
    m->sine = sqrt(fmax(0, (1 - twice) / 2)) * (xy > 0 ? -1 : 1);
    m->mirror = 1;
}

void dgmi_layout_piece_align(dgmi_layout_piece *piece) {
    motion m = {1, 0, 1, 0, 0};
    bool known = false;
    for (int64_t i = 0; i < piece->graph.marks && !known; i++)
        known = piece->known[i];
    middle_of(piece, &m);
    if (known)
        turn_to_start(piece, &m);
    else
        turn_to_long_side(piece, &m);
    for (int64_t i = 0; i < piece->graph.marks; i++) {
        double x = (double)piece->x[i] - m.x, y = m.mirror * ((double)piece->y[i] - m.y);
        piece->x[i] = (float)(m.cosine * x - m.sine * y);
        piece->y[i] = (float)(m.sine * x + m.cosine * y);
    }
}
