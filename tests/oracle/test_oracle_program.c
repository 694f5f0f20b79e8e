/* SPDX-License-Identifier: Apache-2.0 */
/* Every recorded case through `dgm map --compat dgm`, files in and JSON out; and the conformance
 * checks, where they and Python are at hand. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <spawn.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "oracle_case.h"

extern char **environ;

static char folder[] = "/tmp/dgm-oracle-XXXXXX";
static char graph_path[64], lens_path[64], out_path[64];

static int make_folder(void **state) {
    (void)state;
    if (!mkdtemp(folder))
        return -1;
    snprintf(graph_path, sizeof graph_path, "%s/edges.txt", folder);
    snprintf(lens_path, sizeof lens_path, "%s/lens.tsv", folder);
    snprintf(out_path, sizeof out_path, "%s/out.json", folder);
    return 0;
}

static int remove_folder(void **state) {
    (void)state;
    unlink(graph_path);
    unlink(lens_path);
    unlink(out_path);
    return rmdir(folder);
}

static void write_inputs(const oracle_case *c) {
    FILE *graph = fopen(graph_path, "w"), *lens = fopen(lens_path, "w");
    assert_non_null(graph);
    assert_non_null(lens);
    for (int64_t e = 0; e < c->edge_count; e++)
        fprintf(graph, "%u %u\n", c->edges[2 * e], c->edges[2 * e + 1]);
    for (int64_t i = 0; i < c->nodes * c->columns; i++)
        fprintf(lens, "%.17g%c", c->lens[i], (i + 1) % c->columns ? '\t' : '\n');
    assert_int_equal(fclose(graph), 0);
    assert_int_equal(fclose(lens), 0);
}

static int run_program(char *const *arguments) {
    pid_t child;
    int status;
    if (posix_spawnp(&child, arguments[0], NULL, NULL, arguments, environ))
        return -1;
    if (waitpid(child, &status, 0) != child)
        return -1;
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

static int map_case(const char *program, const oracle_case *c) {
    char intervals[32], overlap[40], eps[40], component[32], nodes[32], path[4096];
    char map[] = "map", lens_file[] = "--lens-file", compat[] = "--compat", dgm[] = "dgm";
    char o_nodes[] = "--nodes", o_intervals[] = "--intervals", o_overlap[] = "--overlap";
    char o_edges[] = "--edges", structural[] = "structural", nerve[] = "nerve", o_eps[] = "--eps";
    char o_component[] = "--min-component", quiet[] = "--quiet", o[] = "-o";
    snprintf(path, sizeof path, "%s", program);
    snprintf(nodes, sizeof nodes, "%lld", (long long)c->nodes);
    snprintf(intervals, sizeof intervals, "%lld", (long long)c->intervals);
    snprintf(overlap, sizeof overlap, "%.17g", c->overlap);
    snprintf(eps, sizeof eps, "%.17g", c->eps);
    snprintf(component, sizeof component, "%lld", (long long)c->min_component);
    char *const arguments[] = {path,
                               map,
                               graph_path,
                               o_nodes,
                               nodes,
                               lens_file,
                               lens_path,
                               compat,
                               dgm,
                               o_edges,
                               c->structural ? structural : nerve,
                               o_intervals,
                               intervals,
                               o_overlap,
                               overlap,
                               o_eps,
                               eps,
                               o_component,
                               component,
                               quiet,
                               o,
                               out_path,
                               NULL};
    return run_program(arguments);
}

static oracle_result read_summary(int64_t nodes) {
    oracle_result result = {0};
    size_t i, m;
    json_t *item, *name, *root = json_load_file(out_path, 0, NULL);
    uint32_t *members = malloc(sizeof *members * (size_t)(nodes + 1));
    assert_non_null(root);
    json_array_foreach(json_object_get(root, "nodes"), i, item) {
        json_array_foreach(json_object_get(item, "members"), m, name) members[m] =
            (uint32_t)strtoul(json_string_value(name), NULL, 10);
        assert_int_equal(json_integer_value(json_object_get(item, "id")), i);
        oracle_result_add(&result, (int64_t)m, members);
    }
    json_array_foreach(json_object_get(root, "edges"), i, item)
        oracle_result_join(&result, json_integer_value(json_object_get(item, "source")),
                           json_integer_value(json_object_get(item, "target")),
                           json_number_value(json_object_get(item, "weight")));
    free(members);
    json_decref(root);
    return result;
}

static void the_program_returns_what_the_papers_code_returned(void **state) {
    (void)state;
    char **paths = oracle_list(), why[200];
    const char *program = getenv("DGM_PROGRAM");
    if (!paths || !program) {
        print_message("# no oracle folder beside the source tree (DGM_SHARED): skipped\n");
        skip();
    }
    int wrong = 0;
    for (char **path = paths; *path; path++) {
        oracle_case c;
        assert_true(oracle_load(*path, &c));
        write_inputs(&c);
        assert_int_equal(map_case(program, &c), 0);
        oracle_result result = read_summary(c.nodes);
        if (!oracle_result_equal(&c.expected, &result, why)) {
            print_error("%s: expected; got: %s\n", c.name, why);
            wrong++;
        }
        unlink(out_path);
        oracle_result_free(&result);
        oracle_free(&c);
    }
    oracle_list_free(paths);
    assert_int_equal(wrong, 0);
}

static void the_program_passes_the_conformance_checks(void **state) {
    (void)state;
    const char *shared = getenv("DGM_SHARED"), *root = getenv("DGM_SOURCE_ROOT");
    const char *program = getenv("DGM_PROGRAM");
    char script[4096], command[9000];
    snprintf(script, sizeof script, "%s%s/conformance/run",
             shared ? shared
             : root ? root
                    : ".",
             shared ? "" : "/../shared");
    if (!program || access(script, R_OK) || system("python3 -c pass >/dev/null 2>&1")) {
        print_message("# no conformance checks or no python3: skipped\n");
        skip();
    }
    snprintf(command, sizeof command, "python3 '%s' '%s' 1>&2", script, program);
    assert_int_equal(system(command), 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_program_returns_what_the_papers_code_returned),
        cmocka_unit_test(the_program_passes_the_conformance_checks),
    };
    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
