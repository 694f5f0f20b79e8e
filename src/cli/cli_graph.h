/* SPDX-License-Identifier: Apache-2.0 */
/* Writing a graph, as convert and generate do it, or a set of graphs. */
#ifndef CLI_GRAPH_H
#define CLI_GRAPH_H

#include "cli_command.h"

/* Writes the graph to `path`; "-" is standard output, where it is an edge list unless --to says
 * otherwise. It says so on standard error, or with --json as one object on standard output. On
 * failure it prints the error. Returns the exit code. */
int cli_write_graph(cli_session *session, const cli_request *request, const dgm_graph *graph,
                    const char *path);

/* The same for a set of graphs, as a TU folder. */
int cli_write_set(cli_session *session, const cli_request *request, const dgm_graph_set *set,
                  const char *path);

#endif
