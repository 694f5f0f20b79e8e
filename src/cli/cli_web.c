/* SPDX-License-Identifier: Apache-2.0 */
#include "cli_web.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

enum { MOST_CHOSEN = 16 };

/* Options of the program itself are no settings, nor are files that it writes. */
static bool is_setting(const char *name) {
    dgm_job_stage stage;
    if (strcmp(name, "output") == 0)
        return false;
    for (size_t i = 0; (stage = dgm_job_stage_at(i)).table; i++)
        if (dgm_option_find(stage.table, name))
            return true;
    return false;
}

static int list_settings(const cli_request *request, const dgm_study_candidate *best,
                         cli_web *out) {
    int count = 0;
    for (int i = 0; i < request->given.count; i++)
        if (is_setting(request->given.items[i])) {
            out->pairs[count][0] = request->given.items[i];
            out->pairs[count++][1] = request->values.items[i];
        }
    for (int i = 0; best && i < MOST_CHOSEN &&
                    dgm_study_setting(best, i, &out->pairs[count][0], out->values[i]);
         i++)
        out->pairs[count++][1] = out->values[i];
    return count;
}

int cli_web_open(cli_session *session, const cli_request *request, const cli_choice *choice,
                 cli_web *out) {
    int64_t count;
    const dgm_study_candidate *best =
        choice->study ? dgm_study_candidates(choice->study, &count) : NULL;
    *out =
        (cli_web){.pairs = calloc((size_t)request->given.count + MOST_CHOSEN, sizeof *out->pairs),
                  .values = calloc(MOST_CHOSEN, sizeof *out->values)};
    dgm_page_input_init(&out->input);
    if (!out->pairs || !out->values)
        return cli_fail_memory(session);
    out->input.setting_count = list_settings(request, best, out);
    out->input.settings = (const char *const(*)[2])out->pairs;
    out->input.graph = choice->graph;
    out->input.name = request->operand;
    out->input.study = choice->study;
    out->input.predictions = choice->predictions;
    out->input.lens = choice->study ? dgm_study_lens(choice->study) : NULL;
    return CLI_DONE;
}

void cli_web_free(cli_web *web) {
    free(web->pairs);
    free(web->values);
}

bool cli_web_is_page(const char *path) {
    static const char ending[] = ".html";
    size_t length = strlen(path);
    return length >= strlen(ending) && strcasecmp(path + length - strlen(ending), ending) == 0;
}
