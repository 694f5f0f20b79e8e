/* SPDX-License-Identifier: Apache-2.0 */
/* What is in a set of graphs, beside what is in their union. */
#ifndef CLI_SET_H
#define CLI_SET_H

#include "dgm/dgm.h"

#include "cli_text.h"

/* Lines for people. */
void cli_set_print(const dgm_graph_set *set);
/* Keys for programs, into an object that is open. */
void cli_set_print_json(cli_json *json, const dgm_graph_set *set);

#endif
