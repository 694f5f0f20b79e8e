/* SPDX-License-Identifier: Apache-2.0 */
/* dgm map: graph -> lens -> cover -> clusters -> nerve, into files or onto stdout. */
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "cli_bits.h"
#include "cli_choose.h"
#include "cli_mistakes.h"
#include "cli_text.h"
#include "cli_web.h"

static const cli_group groups[] = {
    {cli_choosing_table, offsetof(cli_request, choosing), false, NULL},
    CLI_MAPPING_GROUPS,
    {cli_outputs_table, offsetof(cli_request, output), false, NULL},
    {cli_report_table, offsetof(cli_request, output), true, NULL},
    CLI_GENERAL_GROUPS,
};

/* Which of them are chosen: cli_open_settings. */
static const cli_default defaults[] = {
    {"lens", "chosen; --auto off: pagerank"},
    {"transform", "chosen with the lens, otherwise none"},
    {"cover", "chosen with the lens, otherwise uniform"},
    {"intervals", "chosen; --auto off: 10"},
    {"overlap", "chosen; --auto off: 0.2"},
    {"pieces", "joined where settings are chosen with the lens, otherwise apart"},
    {"dust-size", "5; where settings are chosen, more if there are too many marks"},
    {NULL, NULL},
};

static const char *const description[] = {
    "Summarises a graph by Mapper. A lens gives every node a value (or several); a cover cuts the "
    "values into overlapping cells; the nodes of a cell fall into clusters, the connected pieces "
    "of the graph among them; clusters that share nodes are joined. The summary shows the shape of "
    "the graph: its branches, loops and pieces.",
    "Without -o the summary is printed as JSON. With -o nothing is printed on stdout, and a failed "
    "or interrupted run leaves no file behind.",
    NULL,
};

static const cli_example examples[] = {
    {"dgm map karate", "the karate club, with settings that are chosen, as JSON on stdout"},
    {"dgm map papers -o papers.svg -o papers.md", "a first picture, and who is where in words"},
    {"dgm map papers -o papers.html", "a page that answers without the program, to send to others"},
    {"dgm map papers --lens density --intervals 20 --overlap 0.3 -o papers.json -o papers.graphml",
     "a citation network through its density, into two files"},
    {"dgm map papers --lens dgi --colour labels -o papers.svg -o papers.json",
     "a figure, and the summary with the same layout for 'dgm draw'"},
    {"dgm map web.txt.gz --directed --lens pagerank:alpha=0.9 --cover quantile -o web.gexf",
     "a compressed edge list, cells of equal counts"},
    {"dgm map graph.mtx --lens-file embedding.npy --intervals 15,10 --min-component 20 -o out.json",
     "a lens of your own with two axes, small pieces left out"},
    {"dgm map graph.mtx --lens-file embedding.npy --reduce pca --dim 2 -o out.json",
     "an embedding of many columns, through its principal components"},
    {"dgm map papers --lens density -o papers.md",
     "who is where, in words: clusters, bridges, loops and branches"},
    {"grep -v spam edges.txt | dgm map - --lens degree --edges structural | jq .topology",
     "from a pipe into a pipe"},
    {NULL, NULL},
};

dgm_job cli_make_job(const cli_request *request) {
    dgm_job job = request->job;
    job.graph = request->operand;
    job.command = request->command;
    if (job.layout.layout < 0)
        job.layout.layout = DGM_LAYOUT_STRESS;
    return job;
}

/* With no -o the summary goes to stdout. Pages are not the job's. */
static int list_outputs(cli_session *session, const cli_list *files, dgm_job *job) {
    for (int i = 0; i < files->count; i++) {
        const char *path = files->items[i];
        if (cli_web_is_page(path))
            continue;
        int code =
            *path ? cli_check_format(session, &cli_map_command, "summaries", path) : CLI_DONE;
        if (code == CLI_DONE)
            code = cli_fail_status(session, dgm_job_set(session->ctx, job, "output", path));
        if (code != CLI_DONE)
            return code;
    }
    if (files->count == 0)
        return cli_fail_status(session, dgm_job_set(session->ctx, job, "output", "-"));
    return CLI_DONE;
}

/* Calls `name` for every file that the run has written: F.csv has two more beside it. */
static void each_file(const cli_list *files, void (*name)(void *user, const char *path),
                      void *user) {
    for (int i = 0; i < files->count; i++) {
        char beside[4096];
        if (cli_web_is_page(files->items[i])) {
            name(user, files->items[i]);
            continue;
        }
        for (int part = 0; dgm_export_part_path(files->items[i], part, beside, sizeof beside);
             part++)
            name(user, part ? beside : files->items[i]);
    }
}

static void append_name(void *user, const char *path) {
    FILE *line = user;
    if (ftell(line) > 0)
        fputs(", ", line);
    fputs(strcmp(path, "-") == 0 ? "(stdout)" : path, line);
}

static void say_files(cli_session *session, const cli_list *files) {
    char *text = NULL;
    size_t length;
    FILE *line = open_memstream(&text, &length);
    if (!line)
        return;
    each_file(files, append_name, line);
    if (cli_close_text(line, &text))
        cli_say(session, "wrote", "%s", text);
    free(text);
}

/* Each node counts in its largest cluster; a summary that does not say which that is counts edges
 * whose ends share any. */
static void say_covered(cli_session *session, const dgm_summary *summary) {
    dgm_summary_coverage coverage = dgm_summary_get_coverage(summary);
    dgm_bits bits = dgm_summary_get_bits(summary);
    char a[CLI_COUNT_SPACE], b[CLI_NOUN_SPACE], c[CLI_COUNT_SPACE], d[CLI_NOUN_SPACE];
    cli_say(session, "coverage", "%s of %s; %s of %s inside a cluster%s",
            cli_count(coverage.covered, a), cli_count_of(coverage.nodes, "node", b),
            cli_count(bits.known ? bits.inside : coverage.edges_inside, c),
            cli_count_of(bits.known ? bits.edges : coverage.edges, "edge", d),
            bits.known ? ", each node in its largest" : "");
}

static void say_coverage(cli_session *session, const dgm_summary *summary) {
    static const struct {
        const char *rule;
        size_t offset;
    } reasons[] = {
        {"outside the cover", offsetof(dgm_summary_coverage, filtered_cover)},
        {"by --min-size", offsetof(dgm_summary_coverage, filtered_min_size)},
        {"by --min-component", offsetof(dgm_summary_coverage, filtered_min_component)},
    };
    dgm_summary_coverage coverage = dgm_summary_get_coverage(summary);
    char a[CLI_COUNT_SPACE], b[CLI_NOUN_SPACE], d[CLI_NOUN_SPACE];
    say_covered(session, summary);
    for (size_t i = 0; i < sizeof reasons / sizeof *reasons; i++) {
        int64_t count =
            *(const int64_t *)(const void *)((const char *)&coverage + reasons[i].offset);
        if (count > 0)
            cli_say(session, "left out", "%s %s", cli_count_of(count, "node", b), reasons[i].rule);
    }
    if (coverage.taken > 0)
        cli_say(session, "joined", "%s taken into a neighbour's cell, where cells cut the graph",
                cli_count_of(coverage.taken, "node", b));
    if (coverage.attached_clusters > 0)
        cli_say(session, "attached", "%s below --min-size, %s",
                cli_count_of(coverage.attached_clusters, "cluster", b),
                cli_count_of(coverage.attached_nodes, "node", d));
    if (coverage.dust_clusters > 0)
        cli_say(session, "dust", "%s of fewer than %s nodes, %s",
                cli_count_of(coverage.dust_clusters, "cluster", b),
                cli_count(coverage.dust_size, a), cli_count_of(coverage.dust_nodes, "node", d));
}

static void say_summary(cli_session *session, const cli_request *request, const dgm_graph *graph,
                        const dgm_summary *summary, const dgm_summary_mistakes *mistakes) {
    char a[CLI_NOUN_SPACE], b[CLI_NOUN_SPACE];
    int64_t edges;
    dgm_summary_edges(summary, &edges);
    dgm_summary_topology topology = dgm_summary_get_topology(summary);
    cli_say(session, "graph", "%s: %s, %s", dgm_graph_source(graph),
            cli_count_of(dgm_graph_nodes(graph), "node", a),
            cli_count_of(dgm_graph_edges(graph), "edge", b));
    cli_say(session, "summary", "%s, %s",
            cli_count_of(dgm_summary_get_clusters(summary).count, "cluster", a),
            cli_count_of(edges, "edge", b));
    bool structural = dgm_summary_options(summary)->edges == DGM_EDGES_STRUCTURAL;
    cli_say(session, structural ? "nerve" : "topology", "%s, %s (b0 %lld, b1 %lld)",
            cli_count_of(topology.b0, "piece", a),
            topology.b1 == 0 ? "no loop at this resolution" : cli_count_of(topology.b1, "loop", b),
            (long long)topology.b0, (long long)topology.b1);
    if (structural)
        cli_say(session, "links", "%s of structural edges (cycle rank)",
                cli_count_of(topology.cycle_rank, "loop", a));
    say_coverage(session, summary);
    cli_say_mistakes(session, mistakes);
    say_files(session, &request->output.files);
    cli_say(session, "seed", "%lld", (long long)request->job.seed);
}

static void list_name(void *user, const char *path) {
    cli_json_text(user, NULL, path);
}

/* As "coverage" of the summary has them, if there are any. */
static void list_counted(cli_json *json, const char *key, int64_t size, int64_t clusters,
                         int64_t nodes) {
    if (clusters == 0)
        return;
    cli_json_open(json, key, '{');
    if (size > 0)
        cli_json_integer(json, "size", size);
    cli_json_integer(json, "clusters", clusters);
    cli_json_integer(json, "nodes", nodes);
    cli_json_close(json, '}');
}

static void print_json(const cli_request *request, const dgm_graph *graph,
                       const dgm_summary *summary, const dgm_summary_mistakes *mistakes) {
    cli_json json;
    int64_t edges;
    dgm_summary_edges(summary, &edges);
    dgm_summary_coverage coverage = dgm_summary_get_coverage(summary);
    dgm_summary_topology topology = dgm_summary_get_topology(summary);
    cli_json_begin(&json, stdout);
    cli_json_open(&json, "graph", '{');
    cli_json_text(&json, "source", dgm_graph_source(graph));
    cli_json_integer(&json, "nodes", dgm_graph_nodes(graph));
    cli_json_integer(&json, "edges", dgm_graph_edges(graph));
    cli_json_close(&json, '}');
    cli_json_integer(&json, "clusters", dgm_summary_get_clusters(summary).count);
    cli_json_integer(&json, "edges", edges);
    cli_json_open(&json, "coverage", '{');
    cli_json_integer(&json, "nodes", coverage.nodes);
    cli_json_integer(&json, "covered", coverage.covered);
    cli_json_integer(&json, "filtered", coverage.filtered);
    cli_json_integer(&json, "lost", coverage.lost);
    cli_json_integer(&json, "edges_inside", coverage.edges_inside);
    if (coverage.taken > 0)
        cli_json_integer(&json, "taken", coverage.taken);
    list_counted(&json, "attached", 0, coverage.attached_clusters, coverage.attached_nodes);
    list_counted(&json, "dust", coverage.dust_size, coverage.dust_clusters, coverage.dust_nodes);
    cli_json_mistakes(&json, mistakes);
    cli_json_close(&json, '}');
    cli_json_open(&json, "topology", '{');
    cli_json_integer(&json, "b0", topology.b0);
    cli_json_integer(&json, "b1", topology.b1);
    cli_json_integer(&json, "skeleton_loops", topology.skeleton_loops);
    cli_json_close(&json, '}');
    const dgm_bits bits = dgm_summary_get_bits(summary);
    cli_json_bits(&json, &bits);
    cli_json_integer(&json, "seed", request->job.seed);
    cli_json_open(&json, "outputs", '[');
    each_file(&request->output.files, list_name, &json);
    cli_json_close(&json, ']');
    cli_json_end(&json);
}

/* The report goes to stderr even if nothing else is said: it was asked for. */
static dgm_status print_report(cli_session *session, const dgm_graph *graph,
                               const dgm_job_result *made) {
    const dgm_export_subject subject = {
        .summary = made->summary, .graph = graph, .profile = made->profile};
    char *text;
    dgm_status status = dgm_report_text(session->ctx, &subject, &text, NULL);
    if (status == DGM_OK)
        cli_print(session, text);
    dgm_export_text_free(session->ctx, text);
    return status;
}

static int say_diagnosis(cli_session *session, const dgm_graph *graph, const dgm_summary *summary) {
    dgm_diagnosis diagnosis;
    dgm_status status = dgm_summary_diagnose(session->ctx, graph, summary, &diagnosis);
    for (int i = 0; status == DGM_OK && i < diagnosis.count; i++)
        cli_say(session, "hint", "%s", diagnosis.lines[i]);
    return cli_fail_status(session, status);
}

static bool wants_page(const cli_list *files) {
    for (int i = 0; i < files->count; i++)
        if (cli_web_is_page(files->items[i]))
            return true;
    return false;
}

/* Writes the pages among the outputs, from what the job has made. */
static int write_pages(cli_session *session, const cli_request *request, const cli_choice *choice,
                       const dgm_job_result *made) {
    const cli_list *files = &request->output.files;
    cli_web web;
    if (!wants_page(files))
        return CLI_DONE;
    int code = cli_web_open(session, request, choice, &web);
    if (!web.input.graph)
        web.input.graph = made->graph;
    if (!web.input.lens)
        web.input.lens = made->lens;
    for (int i = 0; code == CLI_DONE && i < files->count; i++)
        if (cli_web_is_page(files->items[i]))
            code =
                cli_fail_status(session, dgm_page_write(session->ctx, &web.input, files->items[i]));
    cli_web_free(&web);
    return code;
}

/* Runs the job. With no -o nothing is said of it beside the summary but what should be changed. */
static int run_job(cli_session *session, const cli_request *request, const dgm_job *job,
                   const cli_choice *choice) {
    const cli_list *files = &request->output.files;
    dgm_job_input input = DGM_JOB_INPUT_INIT;
    dgm_job_result made;
    input.graph = choice->graph;
    input.predictions = choice->predictions;
    input.made = choice->study ? dgm_study_lens(choice->study) : NULL;
    if (choice->study) {
        int64_t count;
        input.chance = &dgm_study_candidates(choice->study, &count)->measures.bits;
    } else if (choice->chance.runs > 0) {
        input.chance = &choice->chance;
    }
    unsigned keep = DGM_KEEP_GRAPH | DGM_KEEP_SUMMARY | DGM_KEEP_PROFILE;
    if (wants_page(files))
        keep |= DGM_KEEP_LENS;
    int code = cli_fail_status(session, dgm_job_run(session->ctx, job, &input, keep, &made));
    const dgm_graph *graph = choice->graph ? choice->graph : made.graph;
    if (code == CLI_DONE)
        code = write_pages(session, request, choice, &made);
    if (code == CLI_DONE && files->count && !request->common.json) {
        const dgm_bits bits = dgm_summary_get_bits(made.summary);
        cli_say_bits(session, &bits);
    }
    if (code == CLI_DONE)
        cli_say_choice(session, choice);
    if (code == CLI_DONE && request->output.report)
        code = cli_fail_status(session, print_report(session, graph, &made));
    if (code == CLI_DONE && files->count) {
        dgm_summary_mistakes mistakes = dgm_profile_get_mistakes(made.profile);
        if (request->common.json)
            print_json(request, graph, made.summary, &mistakes);
        else
            say_summary(session, request, graph, made.summary, &mistakes);
    }
    if (code == CLI_DONE)
        code = say_diagnosis(session, graph, made.summary);
    dgm_job_result_free(&made);
    return code;
}

static int list_recipes(void) {
    const dgm_recipe *recipe;
    for (size_t i = 0; (recipe = dgm_recipe_at(i)); i++) {
        printf("%s: %s\n   ", recipe->name, recipe->help);
        for (int k = 0; recipe->settings[k][0]; k++)
            printf(" --%s %s", recipe->settings[k][0], recipe->settings[k][1]);
        putchar('\n');
    }
    return CLI_DONE;
}

static int run(cli_session *session, const cli_request *request) {
    cli_choice choice = {.graph = NULL};
    if (request->choosing.recipe && strcmp(request->choosing.recipe, "list") == 0)
        return list_recipes();
    dgm_job job = cli_make_job(request);
    int code = list_outputs(session, &request->output.files, &job);
    if (code == CLI_DONE)
        code = cli_check_outputs(session, request);
    if (code == CLI_DONE)
        code = cli_choose(session, request, &job, &choice);
    if (code == CLI_DONE)
        code = run_job(session, request, &job, &choice);
    cli_choice_free(&choice);
    return code;
}

const cli_command cli_map_command = {
    .name = "map",
    .summary = "summarise a graph: lens, cover, clusters, nerve",
    .usage = "GRAPH [OPTIONS] [-o FILE]...",
    .operand = "GRAPH",
    .operand_help = cli_graph_help,
    .description = description,
    .groups = groups,
    .defaults = defaults,
    .lists_lenses = true,
    .lists_reductions = true,
    .output_extensions = "json svg pdf png csv graphml gexf dot md html",
    .examples = examples,
    .run = run,
};
