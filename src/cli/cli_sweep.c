/* SPDX-License-Identifier: Apache-2.0 */
/* dgm sweep: one lens, many covers; small multiples, and what persists. */
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "cli_command.h"
#include "cli_text.h"

static const dgm_option_table *sweep_table(void) {
    static const dgm_option options[] = {
        {.name = "intervals",
         .kind = DGM_OPTION_INTEGERS,
         .offset = offsetof(cli_sweeps, intervals),
         .minimum = 1,
         .maximum = 1e6,
         .default_text = "5,10,20",
         .argument = "N[,N...]",
         .help = "numbers of intervals to try, each on all axes of the lens: the columns of the "
                 "figure"},
        {.name = "overlap",
         .kind = DGM_OPTION_REALS,
         .offset = offsetof(cli_sweeps, overlap),
         .minimum = 0,
         .maximum = 1,
         .default_text = "0.2,0.4",
         .argument = "G[,G...]",
         .help = "gains to try, likewise, 0 <= G < 1: the rows of the figure"},
    };
    static const dgm_option_table table = {"Sweep", options, sizeof options / sizeof *options};
    return &table;
}

static const dgm_option_table *output_table(void) {
    static const dgm_option options[] = {
        {.name = "output",
         .kind = DGM_OPTION_TEXT,
         .offset = offsetof(cli_outputs, files),
         .default_text = "a table on stdout",
         .argument = "FILE",
         .help = "write to FILE: .svg .pdf .png (small multiples, with barcodes), or .json (what "
                 "--json prints); may be repeated"},
    };
    static const dgm_option_table table = {"Output", options, sizeof options / sizeof *options};
    return &table;
}

static const cli_group groups[] = {
    {sweep_table, offsetof(cli_request, sweep), false, NULL},
    CLI_MAPPING_GROUPS,
    {output_table, offsetof(cli_request, output), false, NULL},
    CLI_GENERAL_GROUPS,
};

static const char *const description[] = {
    "Summarises a graph with every number of intervals and every overlap, through one lens that is "
    "computed once. The panels of the figure share one layout and one scale of colours, so that "
    "the eye can follow a cluster from panel to panel. At most 100 panels.",
    "A cover refines another if it has a multiple of its intervals and no larger overlap: then "
    "every cluster lies inside one of the coarser summary, which is checked on the members. Steps "
    "that refine one after another make a tower, and its pieces and loops are followed from fine "
    "to coarse: where each is born and where it is gone. Other steps (from 7 intervals to 5, or "
    "where a filter took a cluster away) are matchings by largest overlap, and are called so; "
    "nothing persists through them. Pieces and loops are those of the nerve, whatever --edges.",
    "Where the graph has labels, the edges between clusters of different classes are counted panel "
    "by panel.",
    NULL,
};

static const cli_example examples[] = {
    {"dgm sweep karate --intervals 3,6,12 --overlap 0.2,0.4", "a table of six summaries"},
    {"dgm sweep papers --lens pagerank --transform rank --intervals 5,10,20 --overlap 0.2,0.4 -o "
     "grid.svg",
     "small multiples, with a barcode for each row"},
    {"dgm sweep spam --lens gcn --colour labels --edges structural -o grid.pdf -o grid.json",
     "coloured by labels, and the numbers beside it"},
    {"dgm sweep karate --json | jq '.towers[0].bars'", "the bars of the first tower"},
    {NULL, NULL},
};

/* ---- for people ---- */

static void print_panels(const dgm_sweep *sweep) {
    int64_t count;
    const dgm_sweep_panel *panels = dgm_sweep_panels(sweep, &count);
    printf("%9s %8s %9s %9s %7s %7s %9s\n", "intervals", "overlap", "clusters", "edges", "b0", "b1",
           "covered");
    for (int64_t i = 0; i < count; i++) {
        int64_t edges;
        dgm_summary_edges(panels[i].summary, &edges);
        dgm_summary_topology topology = dgm_summary_get_topology(panels[i].summary);
        printf("%9lld %8.6g %9lld %9lld %7lld %7lld %9lld\n", (long long)panels[i].intervals,
               panels[i].overlap, (long long)dgm_summary_get_clusters(panels[i].summary).count,
               (long long)edges, (long long)topology.b0, (long long)topology.b1,
               (long long)dgm_summary_get_coverage(panels[i].summary).covered);
    }
}

static bool along_intervals(const dgm_sweep_panel *panels, int64_t from, int64_t to) {
    return panels[from].overlap == panels[to].overlap;
}

static const char *place_name(const dgm_sweep_panel *panel, bool intervals, char buffer[32]) {
    if (intervals)
        snprintf(buffer, 32, "n = %lld", (long long)panel->intervals);
    else
        snprintf(buffer, 32, "g = %.6g", panel->overlap);
    return buffer;
}

/* "12 pieces from n = 20 until n = 10": bars that are alike together. */
static void print_bars(const dgm_sweep_panel *panels, const dgm_sweep_tower *tower,
                       bool intervals) {
    char from[32], to[32], count[CLI_NOUN_SPACE];
    for (int64_t b = 0, next; b < tower->bar_count; b = next) {
        const dgm_bar *bar = &tower->bars[b];
        for (next = b + 1; next < tower->bar_count; next++)
            if (tower->bars[next].dimension != bar->dimension ||
                tower->bars[next].birth != bar->birth || tower->bars[next].death != bar->death)
                break;
        printf("  %s from %s", cli_count_of(next - b, bar->dimension ? "loop" : "piece", count),
               place_name(&panels[tower->panels[bar->birth]], intervals, from));
        if (bar->death < 0)
            printf(" to the end\n");
        else
            printf(" until %s\n", place_name(&panels[tower->panels[bar->death]], intervals, to));
    }
    if (!tower->loops_known)
        puts("  too large for following loops");
}

static void print_towers(const dgm_sweep *sweep) {
    int64_t panel_count, count;
    const dgm_sweep_panel *panels = dgm_sweep_panels(sweep, &panel_count);
    const dgm_sweep_tower *towers = dgm_sweep_towers(sweep, &count);
    for (int64_t i = 0; i < count; i++) {
        bool intervals = along_intervals(panels, towers[i].panels[0], towers[i].panels[1]);
        char fixed[32], name[32];
        printf("\ntower at %s:", place_name(&panels[towers[i].panels[0]], !intervals, fixed));
        for (int64_t k = 0; k < towers[i].count; k++)
            printf("%s %s", k ? "," : "",
                   place_name(&panels[towers[i].panels[k]], intervals, name));
        putchar('\n');
        print_bars(panels, &towers[i], intervals);
    }
}

static void print_matchings(const dgm_sweep *sweep) {
    int64_t panel_count, count, matched = 0;
    const dgm_sweep_panel *panels = dgm_sweep_panels(sweep, &panel_count);
    const dgm_sweep_step *steps = dgm_sweep_steps(sweep, &count);
    for (int64_t i = 0; i < count; i++) {
        if (steps[i].map.kind != DGM_STEP_MATCHING)
            continue;
        bool intervals = along_intervals(panels, steps[i].from, steps[i].to);
        char a[32], b[32], c[32];
        printf("%smatching at %s: %s to %s\n", matched++ ? "" : "\n",
               place_name(&panels[steps[i].from], !intervals, a),
               place_name(&panels[steps[i].from], intervals, b),
               place_name(&panels[steps[i].to], intervals, c));
    }
}

static void print_pairs(const dgm_sweep *sweep) {
    enum { MOST = 12 };
    int64_t panels, count;
    char a[32], b[32];
    dgm_sweep_panels(sweep, &panels);
    const dgm_sweep_pair *pairs = dgm_sweep_pairs(sweep, &count);
    for (int64_t i = 0; i < count && i < MOST; i++) {
        printf("%sclasses %s and %s: joined in %lld of %lld panels, edges", i ? "" : "\n",
               dgm_graph_class_text(dgm_sweep_graph(sweep), pairs[i].low, a, sizeof a),
               dgm_graph_class_text(dgm_sweep_graph(sweep), pairs[i].high, b, sizeof b),
               (long long)pairs[i].joined, (long long)panels);
        for (int64_t k = 0; k < panels; k++)
            printf(" %lld", (long long)pairs[i].edges[k]);
        putchar('\n');
    }
    if (count > MOST)
        printf("and %lld more pairs of classes (--json has them)\n", (long long)(count - MOST));
}

static void say_sweep(cli_session *session, const cli_request *request, const dgm_sweep *sweep) {
    char a[CLI_NOUN_SPACE], b[CLI_NOUN_SPACE];
    int64_t panels, towers, steps, matchings = 0;
    const dgm_graph *graph = dgm_sweep_graph(sweep);
    dgm_sweep_panels(sweep, &panels);
    dgm_sweep_towers(sweep, &towers);
    const dgm_sweep_step *step = dgm_sweep_steps(sweep, &steps);
    for (int64_t i = 0; i < steps; i++)
        matchings += step[i].map.kind == DGM_STEP_MATCHING;
    cli_say(session, "graph", "%s: %s, %s", dgm_graph_source(graph),
            cli_count_of(dgm_graph_nodes(graph), "node", a),
            cli_count_of(dgm_graph_edges(graph), "edge", b));
    cli_say(session, "sweep", "%s, %s", cli_count_of(panels, "panel", a),
            cli_count_of(towers, "tower", b));
    if (matchings)
        cli_say(session, "steps", "%s of %s only, not in a tower",
                cli_count_of(matchings, "matching", a), cli_count_of(steps, "step", b));
    for (int i = 0; i < request->output.files.count; i++)
        cli_say(session, "wrote", "%s", request->output.files.items[i]);
    cli_say(session, "seed", "%lld", (long long)request->job.seed);
}

/* ---- the run ---- */

static int print_json(cli_session *session, const dgm_sweep *sweep) {
    char *text = NULL;
    size_t length;
    dgm_status status = dgm_sweep_json(session->ctx, sweep, &text, &length);
    if (status == DGM_OK)
        fwrite(text, 1, length, stdout);
    dgm_export_text_free(session->ctx, text);
    return cli_fail_status(session, status);
}

static int run_sweep(cli_session *session, const cli_request *request, dgm_job *job,
                     const dgm_sweep_grid *grid) {
    dgm_sweep *sweep = NULL;
    const cli_list *files = &request->output.files;
    dgm_status status = DGM_OK;
    for (int i = 0; i < files->count && status == DGM_OK; i++)
        status = dgm_job_set(session->ctx, job, "output", files->items[i]);
    if (status == DGM_OK)
        status = dgm_sweep_check(session->ctx, job, grid);
    int code = cli_fail_status(session, status);
    if (code == CLI_DONE)
        code = cli_check_outputs(session, request);
    if (code == CLI_DONE)
        code = cli_fail_status(session, dgm_sweep_run(session->ctx, job, grid, &sweep));
    if (code == CLI_DONE && request->common.json) {
        code = print_json(session, sweep);
    } else if (code == CLI_DONE && job->output_count) {
        say_sweep(session, request, sweep);
    } else if (code == CLI_DONE) {
        print_panels(sweep);
        print_towers(sweep);
        print_matchings(sweep);
        print_pairs(sweep);
    }
    dgm_sweep_free(sweep);
    return code;
}

static int run(cli_session *session, const cli_request *request) {
    dgm_sweep_grid grid = {request->sweep.intervals, 0, request->sweep.overlap, 0};
    while (grid.interval_count < DGM_MAX_AXES && grid.intervals[grid.interval_count] > 0)
        grid.interval_count++;
    while (grid.overlap_count < DGM_MAX_AXES && grid.overlaps[grid.overlap_count] >= 0)
        grid.overlap_count++;
    dgm_job job = cli_make_job(request);
    return run_sweep(session, request, &job, &grid);
}

const cli_command cli_sweep_command = {
    .name = "sweep",
    .summary = "many covers at once: small multiples, and what persists",
    .usage = "GRAPH [OPTIONS] [-o FILE]...",
    .operand = "GRAPH",
    .operand_help = cli_graph_help,
    .description = description,
    .groups = groups,
    .lists_lenses = true,
    .lists_reductions = true,
    .examples = examples,
    .run = run,
};
