/* SPDX-License-Identifier: Apache-2.0 */
/* What an answer says of a picture: its legend, its ledger, its topology and its dust. */
#include "explore_legend.h"

#include <math.h>
#include <stdio.h>

enum { RAMP_COLOURS = 32, SQUARE_SIDE = 8 };

/* ---- the legend ---- */

void dgmi_explore_say_colour(dgmi_explore_answer *answer, const char *key,
                             dgmi_draw_colour colour) {
    char hex[8];
    snprintf(hex, sizeof hex, "#%02x%02x%02x", (unsigned)colour.red & 255U,
             (unsigned)colour.green & 255U, (unsigned)colour.blue & 255U);
    dgmi_explore_text(answer, key, hex);
}

static void say_ramp(const dgmi_draw_paint *paint, dgmi_explore_answer *answer) {
    dgmi_explore_text(answer, "kind", "ramp");
    dgmi_explore_real(answer, "low", paint->scale.low[0]);
    dgmi_explore_real(answer, "high", paint->scale.high[0]);
    dgmi_explore_real(answer, "middle", paint->scale.centred ? paint->scale.middle : NAN);
    dgmi_explore_open(answer, "colours", '[');
    for (int i = 0; i < RAMP_COLOURS; i++)
        dgmi_explore_say_colour(answer, NULL,
                                dgmi_draw_colormap_at(paint->map, (double)i / (RAMP_COLOURS - 1)));
    dgmi_explore_close(answer, '[');
    dgmi_explore_integer(answer, "unknown", paint->unknown);
}

static void say_square(const dgmi_draw_paint *paint, int style, dgmi_explore_answer *answer) {
    dgmi_explore_text(answer, "kind", "square");
    dgmi_explore_open(answer, "axes", '[');
    for (int axis = 0; axis < 2; axis++)
        dgmi_explore_text(answer, NULL, paint->axes[axis]);
    dgmi_explore_close(answer, '[');
    for (int end = 0; end < 2; end++) {
        dgmi_explore_open(answer, end ? "high" : "low", '[');
        for (int axis = 0; axis < 2; axis++)
            dgmi_explore_real(answer, NULL, end ? paint->scale.high[axis] : paint->scale.low[axis]);
        dgmi_explore_close(answer, '[');
    }
    dgmi_explore_open(answer, "colours", '[');
    for (int y = 0; y < SQUARE_SIDE; y++) {
        dgmi_explore_open(answer, NULL, '[');
        for (int x = 0; x < SQUARE_SIDE; x++)
            dgmi_explore_say_colour(answer, NULL,
                                    dgmi_draw_square_at(style, (double)x / (SQUARE_SIDE - 1),
                                                        (double)y / (SQUARE_SIDE - 1)));
        dgmi_explore_close(answer, '[');
    }
    dgmi_explore_close(answer, '[');
}

static void say_entries(const dgmi_draw_paint *paint, dgmi_explore_answer *answer) {
    dgmi_explore_text(answer, "kind", "classes");
    dgmi_explore_open(answer, "entries", '[');
    for (int64_t i = 0; i < paint->entry_count; i++) {
        const dgmi_draw_class_entry *entry = &paint->entries[i];
        dgmi_explore_open(answer, NULL, '{');
        dgmi_explore_text(answer, "name", entry->name);
        dgmi_explore_say_colour(answer, "colour", entry->colour);
        dgmi_explore_integer(answer, "shape", entry->shape);
        dgmi_explore_integer(answer, "members", entry->members);
        dgmi_explore_close(answer, '{');
    }
    dgmi_explore_close(answer, '[');
}

void dgmi_explore_say_legend(const dgmi_draw_paint *paint, int style, dgmi_explore_answer *answer) {
    dgmi_explore_open(answer, "legend", '{');
    dgmi_explore_text(answer, "title", paint->title);
    if (paint->scale.kind == DGMI_DRAW_PAINT_RAMP)
        say_ramp(paint, answer);
    else if (paint->scale.kind == DGMI_DRAW_PAINT_SQUARE)
        say_square(paint, style, answer);
    else
        say_entries(paint, answer);
    dgmi_explore_close(answer, '{');
}

/* ---- the ledger ---- */

static void say_coverage(const dgm_summary *summary, dgmi_explore_answer *answer) {
    const dgm_summary_coverage is = dgm_summary_get_coverage(summary);
    dgmi_explore_open(answer, "coverage", '{');
    dgmi_explore_integer(answer, "nodes", is.nodes);
    dgmi_explore_integer(answer, "covered", is.covered);
    dgmi_explore_integer(answer, "filtered", is.filtered);
    dgmi_explore_integer(answer, "filtered_cover", is.filtered_cover);
    dgmi_explore_integer(answer, "filtered_min_size", is.filtered_min_size);
    dgmi_explore_integer(answer, "filtered_min_component", is.filtered_min_component);
    dgmi_explore_integer(answer, "lost", is.lost);
    /* Each node counts in its largest cluster, as in captions. */
    const dgm_bits bits = dgm_summary_get_bits(summary);
    dgmi_explore_integer(answer, "edges", bits.known ? bits.edges : is.edges);
    dgmi_explore_integer(answer, "edges_inside", bits.known ? bits.inside : is.edges_inside);
    dgmi_explore_close(answer, '{');
}

/* What the summary explains; NULL: it is not known. */
static void say_bits(const dgm_summary *summary, dgmi_explore_answer *answer) {
    char words[DGM_BITS_WORDS];
    const dgm_bits bits = dgm_summary_get_bits(summary);
    dgmi_explore_text(answer, "found",
                      bits.known ? dgm_bits_words(&bits, words, sizeof words) : NULL);
    dgmi_explore_real(answer, "saved", bits.gained - bits.cost);
    dgmi_explore_real(answer, "whole", bits.whole);
}

static void say_topology(const dgm_summary *summary, dgmi_explore_answer *answer) {
    const dgm_summary_topology is = dgm_summary_get_topology(summary);
    dgmi_explore_open(answer, "topology", '{');
    dgmi_explore_integer(answer, "b0", is.b0);
    dgmi_explore_integer(answer, "b1", is.b1);
    dgmi_explore_integer(answer, "triangles", is.triangles);
    dgmi_explore_integer(answer, "skeleton_loops", is.skeleton_loops);
    dgmi_explore_integer(answer, "cycle_rank", is.cycle_rank);
    dgmi_explore_close(answer, '{');
}

static void say_dust(const dgm_view *view, dgmi_explore_answer *answer) {
    const dgm_view_dust dust = dgm_view_get_dust(view);
    dgmi_explore_open(answer, "dust", '{');
    dgmi_explore_integer(answer, "size", dust.size);
    dgmi_explore_integer(answer, "clusters", dust.clusters);
    dgmi_explore_integer(answer, "nodes", dust.nodes);
    dgmi_explore_integer(answer, "marks", dust.marks);
    dgmi_explore_close(answer, '{');
}

void dgmi_explore_say_ledger(const dgm_summary *summary, const dgm_view *view,
                             dgmi_explore_answer *answer) {
    say_coverage(summary, answer);
    say_bits(summary, answer);
    say_topology(summary, answer);
    say_dust(view, answer);
}
